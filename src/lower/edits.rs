//! Functions that a state holds point by point, looked at and changed as a whole: their arguments and results as bits
//! on the axes of the field, and what becomes of them by `<+`, `\/`, `<|` and the like, point by point.
//!
//! What has no such form - the function stands outside of its field, or becomes one that the field cannot hold - ends
//! the evaluation by [`Stop::Overflow`]; then values say what is to be said.

use super::code::EachFn;
use super::env::{Env, Flow};
use super::point::Points;
use super::stop::Stop;
use super::word::Word;
use std::sync::Arc;

/// Most arguments, and most results, of a function that is looked at so.
pub const MOST: u64 = 63;

/// What is asked of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// `dom(f)`, whatever the operand is.
    Domain,
    /// `dom(f |> s)`, with a bit for each argument; the operand has one for each result.
    Sources,
    /// `f[s]`, the other way round.
    Image,
}

/// Such a question, but for its operand.
#[derive(Clone, Debug)]
pub struct Sides {
    pub points: Points,
    pub side: Side,
}

impl Sides {
    /// The bits; nothing where the function stands outside.
    #[inline]
    pub fn of(&self, set: u64, state: &[u64]) -> Option<u64> {
        if self.points.is_outside(state) {
            return None;
        }
        Some(match self.side {
            Side::Domain => self.points.arguments(state),
            Side::Sources => self.points.sources(set, state),
            Side::Image => self.points.image(set, state),
        })
    }
}

/// A step by which a function becomes another one. `W`: words, which are read in the state before.
pub enum Edit<W> {
    /// `{}`
    Clear,
    /// `s * {y}`: a bit for each argument.
    Fill(W, W),
    /// `f <+ %x.(P | y)`: the solutions of `P`, with `x` and `y` in each.
    Each(Arc<EachFn>, W, W),
    /// `f <+ {x |-> y, ..}`
    Put(Box<[(W, W)]>),
    /// `f \/ {x |-> y, ..}`
    Add(Box<[(W, W)]>),
    /// `f - {x |-> y, ..}`
    Remove(Box<[(W, W)]>),
    /// `s <| f`, or, where that is false, `s <<| f`: a bit for each argument.
    Rows(W, bool),
    /// `f |> s`, or, where that is false, `f |>> s`: a bit for each result.
    Columns(W, bool),
}

/// `f := ..`
pub struct Edited<W> {
    pub points: Points,
    pub edits: Box<[Edit<W>]>,
}

impl<W> Edit<W> {
    /// The same of other words.
    pub fn map<V>(&self, word: &impl Fn(&W) -> V) -> Edit<V> {
        let all = |items: &[(W, W)]| items.iter().map(|(x, y)| (word(x), word(y))).collect();
        match self {
            Edit::Clear => Edit::Clear,
            Edit::Fill(set, y) => Edit::Fill(word(set), word(y)),
            Edit::Each(each, x, y) => Edit::Each(each.clone(), word(x), word(y)),
            Edit::Put(items) => Edit::Put(all(items)),
            Edit::Add(items) => Edit::Add(all(items)),
            Edit::Remove(items) => Edit::Remove(all(items)),
            Edit::Rows(set, kept) => Edit::Rows(word(set), *kept),
            Edit::Columns(set, kept) => Edit::Columns(word(set), *kept),
        }
    }
}

impl<W> Edited<W> {
    /// Edits the function where it stands, in a state that is made and has it still as it was.
    ///
    /// # Errors
    /// Those of a word; [`Stop::Overflow`], where the field does not hold what was, or what is to be.
    pub fn write(
        &self,
        next: &mut [u64],
        env: &mut Env,
        word: impl Fn(&W, &mut Env) -> Result<u64, Stop>,
    ) -> Result<(), Stop> {
        let points = &self.points;
        if points.is_outside(next) {
            return Err(Stop::Overflow);
        }
        for edit in &self.edits {
            let mut get = |of: &W| word(of, env);
            match edit {
                Edit::Clear => points.change(next, |_, _| 0),
                Edit::Fill(set, y) => {
                    let set = get(set)?;
                    let code = points.range.code_of_word(get(y)?).ok_or(Stop::Overflow)? + 1;
                    points.change(next, |x, _| (set >> x & 1) * code);
                }
                Edit::Each(each, x, y) => {
                    let _ = each(env, &mut |env| {
                        let (x, code) = self.codes(word(x, env)?, word(y, env)?)?;
                        points.bits(x).put(next, code);
                        Ok(Flow::Continue(()))
                    })?;
                }
                Edit::Put(items) => {
                    let mut put: [(u64, u64); MOST_ITEMS] = [(0, 0); MOST_ITEMS];
                    for (n, (x, y)) in items.iter().enumerate() {
                        let (x, code) = self.codes(get(x)?, get(y)?)?;
                        // Of one argument no two results.
                        if put[..n].iter().any(|(known, other)| *known == x && *other != code) {
                            return Err(Stop::Overflow);
                        }
                        put[n] = (x, code);
                    }
                    for (x, code) in &put[..items.len()] {
                        points.bits(*x).put(next, *code);
                    }
                }
                Edit::Add(items) => {
                    for (x, y) in items {
                        let (x, code) = self.codes(get(x)?, get(y)?)?;
                        let old = points.bits(x).get(next);
                        if old != 0 && old != code {
                            return Err(Stop::Overflow);
                        }
                        points.bits(x).put(next, code);
                    }
                }
                Edit::Remove(items) => {
                    for (x, y) in items {
                        // What the field cannot hold was not there.
                        if let Ok((x, code)) = self.codes(get(x)?, get(y)?)
                            && points.bits(x).get(next) == code
                        {
                            points.bits(x).put(next, 0);
                        }
                    }
                }
                Edit::Rows(set, kept) => {
                    let set = get(set)?;
                    points.change(next, |x, code| match (set >> x & 1 == 1) == *kept {
                        true => code,
                        false => 0,
                    });
                }
                Edit::Columns(set, kept) => {
                    let set = get(set)?;
                    points.change(next, |_, code| match code {
                        0 => 0,
                        code if (set >> (code - 1) & 1 == 1) == *kept => code,
                        _ => 0,
                    });
                }
            }
        }
        Ok(())
    }

    /// The code of an argument, and the number that stands for a result.
    #[inline(always)]
    fn codes(&self, x: u64, y: u64) -> Result<(u64, u64), Stop> {
        let (domain, range) = (&self.points.domain, &self.points.range);
        let codes = domain.code_of_word(x).zip(range.code_of_word(y));
        codes.map(|(x, y)| (x, y + 1)).ok_or(Stop::Overflow)
    }
}

/// Longer lists are values.
pub const MOST_ITEMS: usize = 8;

impl Edited<Word> {
    /// Writes into the state of the frame that is made.
    ///
    /// # Errors
    /// As [`Edited::write`].
    pub fn run(&self, env: &mut Env) -> Result<(), Stop> {
        let mut next = std::mem::take(&mut env.next);
        let written = self.write(&mut next, env, |word, env| Ok(word.get(env)?));
        env.next = next;
        written
    }
}
