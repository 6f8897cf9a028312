//! Sets of numbers, or of pairs, in one word: a bit for each of those that have a code on an [`Axis`].
//!
//! An operand that has no such word, because it has a member without a code, ends the evaluation by
//! [`Stop::Overflow`], as a number does that 64 bits do not hold: then values say what is to be said. Where a set is only
//! intersected with one that has a word, or taken away from it, its members without a code do not matter: it is *clipped*.

use super::env::Env;
use super::stop::{Raised, Stop};
use super::word::{Bits, Word};
use crate::machine::VarId;
use crate::state::layout::Field;
use crate::state::{Axis, Coding, Layout};
use crate::value::set::low_bits;
use std::sync::Arc;

/// A variable whose set a state holds so ([`Coding::Members`], of 64 codes at most).
#[derive(Clone, Debug)]
pub struct SetField {
    pub id: VarId,
    pub layout: Arc<Layout>,
    pub axis: Axis,
    /// One for each code.
    pub bits: Bits,
    /// The one that is set where the set stands outside.
    outside: Bits,
}

impl SetField {
    /// `None` where the variable's field is no such set.
    pub fn of(layout: &Arc<Layout>, id: VarId) -> Option<SetField> {
        let Field { at, coding, .. } = layout.field(id);
        let Coding::Members { axis, outside } = coding else { return None };
        if axis.size() > 64 {
            return None;
        }
        let (bits, outside) = (Bits::new(*at, axis.size() as u32), Bits::new(*outside, 1));
        Some(SetField { id, layout: layout.clone(), axis: axis.clone(), bits, outside })
    }

    /// The members, where they stand in the field.
    #[inline(always)]
    pub fn get(&self, state: &[u64]) -> Option<u64> {
        (!self.is_outside(state)).then(|| self.bits.get(state))
    }

    /// Whether the set stands outside of the field in a state.
    #[inline(always)]
    pub fn is_outside(&self, state: &[u64]) -> bool {
        self.outside.get(state) != 0
    }

    /// Writes members into a state that is made.
    #[inline(always)]
    pub fn put(&self, next: &mut [u64], set: u64, env: &mut Env) {
        match self.is_outside(next) {
            false => self.bits.put(next, set),
            true => self.write_outside(next, set, env),
        }
    }

    /// The set that is there stands outside.
    #[cold]
    fn write_outside(&self, next: &mut [u64], set: u64, env: &mut Env) {
        self.layout.write(self.id, next, &self.axis.members(set), &mut env.interner);
    }
}

/// What is made of a word and an axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Coded {
    pub op: OnAxis,
    pub axis: Axis,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnAxis {
    /// `{x}`; where it is clipped, the empty set for what has no code.
    Singleton {
        clipped: bool,
    },
    /// All numbers from one on, or up to one.
    From {
        clipped: bool,
    },
    UpTo {
        clipped: bool,
    },
    /// `max(s)`, `min(s)`
    Greatest,
    Least,
}

impl Coded {
    /// `None`: there is no such word.
    #[inline(always)]
    pub fn of(&self, x: u64) -> Option<u64> {
        match self.op {
            OnAxis::Singleton { clipped } => match self.axis.code_of_word(x) {
                Some(code) => Some(1 << code),
                None => clipped.then_some(0),
            },
            OnAxis::From { clipped } => {
                let (low, size) = self.ends();
                match (x as i64).saturating_sub(low) {
                    ..0 => clipped.then(|| low_bits(size)),
                    from => Some(low_bits(size) & !low_bits(from.min(64) as u32)),
                }
            }
            OnAxis::UpTo { clipped } => {
                let (low, size) = self.ends();
                match (x as i64).saturating_sub(low).saturating_add(1) {
                    count if count > i64::from(size) => clipped.then(|| low_bits(size)),
                    count => Some(low_bits(count.max(0) as u32)),
                }
            }
            OnAxis::Greatest => (x != 0).then(|| self.axis.word(u64::from(x.ilog2()))),
            OnAxis::Least => (x != 0).then(|| self.axis.word(u64::from(x.trailing_zeros()))),
        }
    }

    /// The least number, and how many there are.
    fn ends(&self) -> (i64, u32) {
        match &self.axis {
            Axis::Interval { low, size } => (*low, *size as u32),
            _ => unreachable!("only numbers have an order"),
        }
    }

    pub fn text(&self, x: &str) -> String {
        match self.op {
            OnAxis::Singleton { .. } => format!("{{{x}}}"),
            OnAxis::From { .. } => format!("{{from {x} on}}"),
            OnAxis::UpTo { .. } => format!("{{up to {x}}}"),
            OnAxis::Greatest => format!("greatest {x}"),
            OnAxis::Least => format!("least {x}"),
        }
    }
}

/// Locals that walk the members of such a set: one, or one for each side of pairs.
#[derive(Clone)]
pub struct Codes<W> {
    pub set: W,
    pub axis: Axis,
    pub slots: (usize, Option<usize>),
}

impl<W> Codes<W> {
    /// Gives the locals what has a code.
    #[inline(always)]
    pub fn bind(&self, code: u64, words: &mut [u64]) {
        match (&self.axis, self.slots) {
            (Axis::Pair(sides), (left, Some(right))) => {
                words[left] = sides.0.word(code / sides.1.size());
                words[right] = sides.1.word(code % sides.1.size());
            }
            (axis, (slot, _)) => words[slot] = axis.word(code),
        }
    }
}

/// `s := ..`, where a state holds `s` so.
#[derive(Clone)]
pub struct SetWrite {
    pub field: SetField,
    pub set: Word,
}

impl SetWrite {
    /// Writes into the state of the frame that is made.
    ///
    /// # Errors
    /// Those of the set.
    pub fn run(&self, env: &mut Env) -> Result<(), Stop> {
        let set = self.set.get(env)?;
        let mut next = std::mem::take(&mut env.next);
        self.field.put(&mut next, set, env);
        env.next = next;
        Ok(())
    }
}

/// The members of a variable, as a word.
///
/// # Errors
/// They have none.
#[inline(always)]
pub(super) fn members(field: &SetField, env: &Env) -> Result<u64, Raised> {
    Ok(field.get(&env.state).ok_or(Stop::Overflow)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::axis::word_of_pair;

    fn interval(low: i64, size: u64) -> Axis {
        Axis::Interval { low, size }
    }

    /// The members of a set of codes, as words.
    fn members(axis: &Axis, set: u64) -> Vec<i64> {
        (0..axis.size()).filter(|c| set >> c & 1 == 1).map(|c| axis.word(c) as i64).collect()
    }

    #[test]
    fn numbers_from_one_on_and_up_to_one_are_those_that_compare_so() {
        for axis in [interval(-3, 7), interval(1, 1), interval(0, 63), interval(i64::MAX - 2, 3)] {
            let Axis::Interval { low, size } = axis else { unreachable!() };
            let all: Vec<i64> = (0..size as i64).map(|i| low + i).collect();
            let near = [i64::MIN, low.saturating_sub(2), low.saturating_sub(1), i64::MAX];
            for x in all.iter().copied().chain(near).chain([low.saturating_add(size as i64)]) {
                let of = |op| Coded { op, axis: axis.clone() }.of(x as u64);
                let from: Vec<i64> = all.iter().copied().filter(|y| *y >= x).collect();
                let up_to: Vec<i64> = all.iter().copied().filter(|y| *y <= x).collect();
                let clipped = |op| members(&axis, of(op).expect("it is clipped"));
                assert_eq!(clipped(OnAxis::From { clipped: true }), from, "{x} on {axis:?}");
                assert_eq!(clipped(OnAxis::UpTo { clipped: true }), up_to, "{x} on {axis:?}");
                // Where nothing is clipped, nothing beyond the axis may be left out.
                let exact = of(OnAxis::From { clipped: false });
                assert_eq!(exact.is_some(), x >= low, "{x} on {axis:?}");
                let exact = of(OnAxis::UpTo { clipped: false });
                assert_eq!(exact.is_some(), x <= *all.last().unwrap(), "{x} on {axis:?}");
            }
        }
    }

    #[test]
    fn singletons_and_ends_of_sets() {
        let pairs = Axis::pair(interval(-1, 3), Axis::Universe(4)).unwrap();
        for axis in [interval(-3, 7), pairs] {
            for code in 0..axis.size() {
                let of = |op| Coded { op, axis: axis.clone() };
                let set = of(OnAxis::Singleton { clipped: false }).of(axis.word(code)).unwrap();
                assert_eq!(members(&axis, set), [axis.word(code) as i64]);
                let larger = set | 1;
                assert_eq!(of(OnAxis::Greatest).of(larger), Some(axis.word(code)));
                assert_eq!(of(OnAxis::Least).of(larger), Some(axis.word(0)));
                assert_eq!(of(OnAxis::Least).of(0), None);
            }
            for x in [word_of_pair(2, 0).unwrap(), word_of_pair(0, 4).unwrap(), -4, 4] {
                let of = |clipped| Coded { op: OnAxis::Singleton { clipped }, axis: axis.clone() };
                assert_eq!((of(true).of(x as u64), of(false).of(x as u64)), (Some(0), None));
            }
        }
    }

    #[test]
    fn walks_give_both_sides_of_a_pair() {
        let axis = Axis::pair(interval(-1, 3), interval(5, 2)).unwrap();
        let codes = Codes { set: (), axis, slots: (0, Some(1)) };
        let mut words = [0; 2];
        let mut found = Vec::new();
        for code in 0..6 {
            codes.bind(code, &mut words);
            found.push(words.map(|w| w as i64));
        }
        assert_eq!(found, [[-1, 5], [-1, 6], [0, 5], [0, 6], [1, 5], [1, 6]]);
    }
}
