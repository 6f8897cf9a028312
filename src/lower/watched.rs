//! Variables that are asked for single points or members, and which of these have changed since another state.

use super::env::Env;
use super::point::Points;
use super::trial::{Asks, Trial};
use super::wide::ones;
use super::word::Bits;
use crate::machine::VarId;
use crate::state::layout::{Field, Position};
use crate::state::{Axis, Coding, Layout};
use crate::value::set::low_bits;
use crate::value::{IndexKind, Shape, Value};
use smallvec::SmallVec;
use std::sync::Arc;

/// A function or a set that a state holds.
pub enum Watched {
    /// A function that is held point by point: what changes are arguments.
    Points(Points),
    /// A set that is held as bits: what changes are members, as in each other one.
    Bits { first: Position, size: u64, members: Members },
    /// A set that has a number.
    Number { id: VarId, layout: Arc<Layout>, number: Bits },
}

/// What the bits of a set stand for.
pub enum Members {
    /// The words of a finite universe.
    Words,
    Codes(Axis),
}

/// What has changed.
pub type Changes = SmallVec<[Value; 4]>;

/// How many points or members are worth to be watched.
const FEW: u64 = 8;

impl Watched {
    /// `None`: a variable that is neither a function nor a set, or too small a one.
    pub fn of(layout: &Arc<Layout>, id: VarId) -> Option<Watched> {
        let Field { at, coding, shape } = layout.field(id);
        let (size, members) = match coding {
            Coding::Function { domain, .. } if domain.size() > FEW => {
                return Points::of(layout, id).map(Watched::Points);
            }
            Coding::Interned if matches!(shape, Shape::Set(_)) => {
                let number = Bits::new(*at, u32::BITS);
                return Some(Watched::Number { id, layout: layout.clone(), number });
            }
            Coding::Members { axis, .. } => (axis.size(), Members::Codes(axis.clone())),
            Coding::Word { bits } => match shape {
                Shape::Index(of) if matches!(of.kind, IndexKind::Subset(_)) => {
                    (u64::from(*bits), Members::Words)
                }
                _ => return None,
            },
            Coding::Bits { .. } => (shape.element().index()?.size as u64, Members::Words),
            _ => return None,
        };
        (size > FEW).then_some(Watched::Bits { first: *at, size, members })
    }

    /// What is otherwise in the state that is loaded than in this one; `None` where that is more than a few of many.
    pub fn changes(&self, since: &[u64], env: &mut Env) -> Option<Changes> {
        match self {
            Watched::Points(points) => {
                let size = points.domain.size();
                let differs = |i: &u64| {
                    let bits = points.bits(*i);
                    bits.get(since) != bits.get(&env.state)
                };
                few((0..size).filter(differs), size, |i| points.domain.value(i))
            }
            Watched::Bits { first, size, members } => {
                let words = (first.word..).zip((0..*size).step_by(64));
                let differing = words.flat_map(|(word, low)| {
                    let mask = low_bits((size - low).min(64) as u32);
                    let bits = (since[word] ^ env.state[word]) >> first.shift & mask;
                    ones(bits).map(move |bit| low + u64::from(bit))
                });
                few(differing, *size, |i| match members {
                    Members::Words => Value::Word(i),
                    Members::Codes(axis) => axis.value(i),
                })
            }
            Watched::Number { id, layout, number } => {
                if number.get(since) == number.get(&env.state) {
                    return Some(Changes::new());
                }
                let now = layout.read(*id, &env.state, &mut env.interner);
                let then = layout.read(*id, since, &mut env.interner);
                if now.is_symbolic() || then.is_symbolic() {
                    return None;
                }
                let shape = &layout.field(*id).shape;
                let size = shape.card(&now).min(shape.card(&then)) as u64;
                // Where a result changes, a pair goes and another one comes.
                let most = if size > FEW { size as usize / 2 } else { 0 };
                Some(shape.changed(&then, &now, most)?.into())
            }
        }
    }
}

/// These of so many codes, as values; `None` if they are not few.
fn few(codes: impl Iterator<Item = u64>, of: u64, value: impl Fn(u64) -> Value) -> Option<Changes> {
    let mut changes = Changes::new();
    for code in codes {
        if 4 * (changes.len() as u64 + 1) > of {
            return None;
        }
        changes.push(value(code));
    }
    Some(changes)
}

/// The last state in which a question that is asked of states was answered with yes.
#[derive(Default)]
pub struct LastYes {
    state: Vec<u64>,
    /// Steps that it took to ask all of it, the last time.
    whole: u64,
    trial: Trial,
}

/// Steps that the whole question takes where what has changed is looked at first, which costs as much as some of them.
const WORTH: u64 = 48;

impl LastYes {
    /// The state, if there is one, and it is of use to look at what has changed since.
    pub fn state(&mut self) -> Option<&[u64]> {
        match self.trial.ask() {
            Asks::Looks => (!self.state.is_empty()).then_some(&self.state),
            Asks::Rests => None,
            Asks::Ends => {
                self.state = Vec::new();
                None
            }
        }
    }

    /// It was answered by what has changed, in so many steps.
    pub fn has_answered(&mut self, steps: u64) {
        if 2 * steps < self.whole {
            self.trial.has_answered();
        }
    }

    /// All of it was asked, in so many steps.
    pub fn was_asked(&mut self, steps: u64) {
        self.whole = steps;
    }

    /// The answer was yes in this state.
    pub fn keep(&mut self, state: &[u64]) {
        self.state.clear();
        if self.whole >= WORTH && !self.trial.rests() {
            self.state.extend_from_slice(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial::TRIAL;
    use super::*;

    #[test]
    fn a_question_of_few_steps_is_asked_as_a_whole() {
        let mut last = LastYes::default();
        last.was_asked(WORTH - 1);
        last.keep(&[1, 2]);
        assert_eq!(last.state(), None);
        last.was_asked(WORTH);
        last.keep(&[3, 4]);
        assert_eq!(last.state(), Some(&[3, 4][..]));
    }

    #[test]
    fn it_rests_where_what_has_changed_takes_as_long() {
        let rests_after = |steps: u64| {
            let mut last = LastYes::default();
            (0..10 * TRIAL).find(|_| {
                last.was_asked(100);
                last.keep(&[7]);
                let rests = last.state().is_none();
                last.has_answered(steps);
                rests
            })
        };
        assert_eq!(rests_after(10), None);
        assert_eq!(rests_after(90), Some(TRIAL));
    }
}
