//! Actions as moves: total forms of those that bind words and test them.

use super::solve::Action;
use crate::lower::coded::{Codes, OnAxis, SetField};
use crate::lower::total::moves::{Move, Range};
use crate::lower::total::sift::{Sift, all};
use crate::lower::{Relation, Test, TotalTest, TotalWord, Two, Word};
use crate::state::Axis;
use crate::value::set::low_bits;

/// The moves of actions, but for tests that are known to hold. `values`: what stands for an action that binds
/// values, by its number. `None` where some action goes by what is pending, or has no such form.
pub(in crate::eval) fn moves<V>(
    actions: &[Action],
    mut known: impl FnMut(&TotalTest) -> bool,
    values: impl Fn(usize) -> Option<V>,
) -> Option<Box<[Move<V>]>> {
    let mut moves = Vec::with_capacity(actions.len());
    let mut next = 0;
    while let Some(action) = actions.get(next) {
        let at = next;
        next += 1;
        // The tests that come next, as far as they are asked of all candidates at once.
        let mut sifts = |slot: usize| {
            let tests = actions[next..].iter().map_while(|action| match action {
                Action::Test(test) => Sift::of(test, slot),
                _ => None,
            });
            let sifts: Box<[Sift]> = tests.collect();
            next += sifts.len();
            sifts
        };
        moves.push(match action {
            Action::Test(test) => match TotalTest::of(test) {
                test if known(&test) => continue,
                test => Move::Test(test),
            },
            Action::Word(slot, word, _) => Move::Word(*slot, TotalWord::of(word)),
            Action::Universe(slot, size) => match all(*size) {
                Some(all) => Move::Bits(*slot, TotalWord::Constant(all), sifts(*slot)),
                None => Move::Universe(*slot, *size),
            },
            Action::Bits(slot, set, _) => Move::Bits(*slot, TotalWord::of(set), sifts(*slot)),
            Action::Codes(of, _) => {
                let set = TotalWord::of(&of.set);
                let codes = Codes { set, axis: of.axis.clone(), slots: of.slots };
                Move::Codes(Box::new(codes), Box::default())
            }
            Action::Range(slot, range, _) => {
                let (low, high, limits) = range.parts();
                let total = |words: &[Word]| words.iter().map(TotalWord::of).collect();
                let range = Range { low: total(low), high: total(high), limits };
                match codes_within(*slot, &range, &actions[next..]) {
                    Some((codes, sifts, asked)) => {
                        next += asked;
                        Move::Codes(Box::new(codes), sifts)
                    }
                    None => Move::Range(*slot, range),
                }
            }
            Action::Bind(..) | Action::Members(..) => Move::Values(values(at)?),
            Action::Either(..)
            | Action::Streamed(..)
            | Action::Cases(..)
            | Action::Solve(..)
            | Action::First(_) => {
                return None;
            }
        });
    }
    Some(moves.into())
}

/// What the next test asks of all numbers of a range at once.
enum Asks {
    /// To be in a set of numbers in one word, or, where that is false, not to be there.
    Set(SetField, bool),
    /// What a function gives.
    Function(Sift),
}

impl Asks {
    fn of(slot: usize, action: &Action) -> Option<Asks> {
        let Action::Test(test) = action else { return None };
        if let Test::Compare(op @ (Relation::Equal | Relation::Differ), both) = test
            && let (Word::Two(Two::Intersection, common), Word::Constant(0)) = &**both
            && let (Word::Coded(of, x), Word::Set(field)) = &**common
        {
            let is_own = of.op == OnAxis::Singleton { clipped: true }
                && matches!(**x, Word::Local(at) if at as usize == slot);
            return is_own.then(|| Asks::Set((**field).clone(), *op == Relation::Differ));
        }
        let sift = Sift::of(test, slot)?;
        sift.domain().is_some().then_some(Asks::Function(sift))
    }

    fn axis(&self) -> Option<&Axis> {
        match self {
            Asks::Set(field, _) => Some(&field.axis),
            Asks::Function(sift) => sift.domain(),
        }
    }
}

/// The numbers of a range of which the tests that come next ask sets of numbers in one word, and functions that are held
/// point by point, each of all numbers at once; with the number of these tests. `None` where there is none, or the range
/// is not on their axis.
fn codes_within(
    slot: usize,
    range: &Range,
    actions: &[Action],
) -> Option<(Codes<TotalWord>, Box<[Sift]>, usize)> {
    let axis = Asks::of(slot, actions.first()?)?.axis()?.clone();
    let Axis::Interval { low, size } = axis else { return None };
    let all = range.universe().filter(|_| range.is_constant())?;
    let from = u64::try_from(all.low.checked_sub(low)?).ok()?;
    if from.checked_add(all.size)? > size.min(64) {
        return None;
    }
    let mut set = TotalWord::Constant(low_bits(all.size as u32) << from);
    let (mut sifts, mut number) = (Vec::new(), 0);
    for asks in actions.iter().map_while(|action| Asks::of(slot, action)) {
        if asks.axis() != Some(&axis) {
            break;
        }
        match asks {
            Asks::Set(field, inside) => {
                let op = if inside { Two::Intersection } else { Two::Difference };
                set = TotalWord::Two(op, Box::new((set, TotalWord::Set(Box::new(field)))));
            }
            Asks::Function(sift) => sifts.push(sift),
        }
        number += 1;
    }
    Some((Codes { set, axis, slots: (slot, None) }, sifts.into(), number))
}
