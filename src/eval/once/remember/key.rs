//! What a result is looked up by: parts of the state, and locals.

use crate::lower::env::Env;
use crate::lower::{Points, TotalWord};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::sync::Arc;

/// A word of a key.
#[derive(Clone)]
pub(in crate::eval) enum KeyPart {
    /// Bits of a word of the state.
    State(usize, u64),
    /// Bits of several words of the state, side by side.
    Packed(Arc<[Stretch]>),
    /// What a function that is held point by point gives for a local.
    Point(Arc<Points>, usize),
    Local(usize),
    /// The value of an expression.
    Value(Arc<TotalWord>),
}

/// Bits of a word of the state, and how far they go down and then up to their place.
#[derive(Clone, Copy)]
pub(in crate::eval) struct Stretch {
    at: usize,
    mask: u64,
    down: u32,
    up: u32,
}

impl Stretch {
    fn of(at: usize, mask: u64) -> Stretch {
        Stretch { at, mask, down: mask.trailing_zeros(), up: 0 }
    }

    fn length(&self) -> u32 {
        u64::BITS - self.mask.leading_zeros() - self.down
    }
}

impl KeyPart {
    /// The bits of the state that it is, if it is some of one word.
    pub(in crate::eval) fn of_state(&self) -> Option<(usize, u64)> {
        match self {
            KeyPart::State(at, mask) => Some((*at, *mask)),
            KeyPart::Packed(_) | KeyPart::Point(..) | KeyPart::Local(_) | KeyPart::Value(_) => None,
        }
    }

    #[inline(always)]
    pub(super) fn of(&self, env: &mut Env) -> u64 {
        match self {
            KeyPart::State(at, mask) => env.state[*at] & mask,
            KeyPart::Local(slot) => env.words[*slot],
            KeyPart::Packed(stretches) => side_by_side(stretches, &env.state),
            KeyPart::Point(points, x) => at_point(points, *x, env),
            KeyPart::Value(word) => value(word, env),
        }
    }
}

#[inline(never)]
fn side_by_side(stretches: &[Stretch], state: &[u64]) -> u64 {
    let of = |s: &Stretch| (state[s.at] & s.mask) >> s.down << s.up;
    stretches.iter().fold(0, |key, stretch| key | of(stretch))
}

#[inline(never)]
fn value(word: &TotalWord, env: &mut Env) -> u64 {
    // What is always defined leaves no doubt.
    let state: SmallVec<[u64; 8]> = SmallVec::from_slice(&env.state);
    word.get(&state, env)
}

/// What a function gives for a local. One that is outside of its field is not looked up.
#[inline(never)]
fn at_point(points: &Points, x: usize, env: &Env) -> u64 {
    points.code_at(env.words[x], &env.state).unwrap_or(0)
}

/// The same in fewer words, as far as bits of several words of the state have room in one.
pub(super) fn packed(parts: Vec<KeyPart>) -> Vec<KeyPart> {
    let (mut stretches, mut packed) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            KeyPart::State(at, mask) if mask != 0 => stretches.push(Stretch::of(at, mask)),
            other => packed.push(other),
        }
    }
    // The longest first, each to the first word that has room for it.
    stretches.sort_by_key(|stretch| Reverse(stretch.length()));
    let mut words: Vec<(u32, Vec<Stretch>)> = Vec::new();
    for stretch in stretches {
        let length = stretch.length();
        match words.iter_mut().find(|(used, _)| used + length <= u64::BITS) {
            Some((used, word)) => {
                word.push(Stretch { up: *used, ..stretch });
                *used += length;
            }
            None => words.push((length, vec![stretch])),
        }
    }
    packed.extend(words.into_iter().map(|(_, word)| KeyPart::Packed(word.into())));
    packed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// States that differ in a bit that is read have different words.
    #[test]
    fn bits_of_several_words_stand_side_by_side() {
        let masks = [0xff << 8, 0b111, u64::MAX, 0xffff << 40, 1 << 63, 0];
        let parts = masks.iter().enumerate().map(|(at, mask)| KeyPart::State(at, *mask));
        let words = packed(parts.collect());
        // The empty one stays by itself; one takes a whole word, and the others 28 bits.
        assert_eq!(words.len(), 3);
        let key = |state: &[u64]| -> Vec<u64> {
            let of = |part: &KeyPart| match part {
                KeyPart::Packed(stretches) => side_by_side(stretches, state),
                KeyPart::State(at, mask) => state[*at] & mask,
                _ => unreachable!("no locals were given"),
            };
            words.iter().map(of).collect()
        };
        let mut seen = std::collections::HashSet::from([key(&[0; 6])]);
        for (at, mask) in masks.iter().enumerate() {
            for bit in 0..64 {
                let mut state = [0; 6];
                state[at] = 1 << bit;
                assert_eq!(seen.insert(key(&state)), mask >> bit & 1 == 1, "{at}, {bit}");
            }
        }
    }
}
