//! Ways that come to the same: what follows from there is followed once.
//!
//! Choices one after the other make a way for each combination, twice as many with each further choice, although they
//! may come to few states: the sum of twelve dice is one of 61 numbers, and has two thousand million ways. So a sequence
//! and a loop remember where they have gone on from. What leads to the same is one outcome in any case.

use super::code::Slot;
use super::env::Env;
use crate::value::Value;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// The places from which one part of a substitution has gone on, while it is executed once.
#[derive(Default)]
pub(super) struct Heads(FxHashSet<Head>);

/// All that depends on the way to a place: the state, and the assigned locals that have a value.
type Head = (SmallVec<[u64; 8]>, SmallVec<[Option<(u64, Value)>; 2]>);

impl Heads {
    /// Whether nothing has gone on from here before. `assigned`: the locals that may have been assigned on the way, all
    /// of them readable by now.
    pub(super) fn is_new(&mut self, env: &Env, assigned: &[Slot]) -> bool {
        let local = |slot: &Slot| {
            // One of the two holds the value, the other what was there before.
            let value = || match slot.word {
                true => (env.words[slot.index], Value::FALSE),
                false => (0, env.values[slot.index].clone()),
            };
            env.defined[slot.index].then(value)
        };
        let locals = assigned.iter().map(local).collect();
        self.0.insert((SmallVec::from_slice(&env.state), locals))
    }
}
