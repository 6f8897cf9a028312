//! Ways that come to the same: what follows from there is followed once.
//!
//! Choices one after the other make a way for each combination, twice as many with each further choice, although they
//! may come to few states: the sum of twelve dice is one of 61 numbers, and has two thousand million ways. So a sequence
//! and a loop remember where they have gone on from. What leads to the same is one outcome in any case.

use crate::lower::code::Slot;
use crate::lower::env::Env;
use crate::value::Value;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// The places from which one part of a substitution has gone on, while it is executed once.
#[derive(Default)]
pub(super) struct Heads(FxHashSet<Head>);

/// All that depends on the way to a place, as words and as values: the state, which of the assigned locals have a value,
/// and these values.
type Head = (SmallVec<[u64; 6]>, SmallVec<[Value; 1]>);

impl Heads {
    /// Whether nothing has gone on from here before. `assigned`: the locals that may have been assigned on the way, all
    /// of them readable by now.
    pub(super) fn is_new(&mut self, env: &Env, assigned: &[Slot]) -> bool {
        let mut words: SmallVec<[u64; 6]> = SmallVec::from_slice(&env.state);
        let mut values = SmallVec::new();
        for slots in assigned.chunks(64) {
            let defined = slots.iter().rev().map(|slot| u64::from(env.defined[slot.index]));
            words.push(defined.fold(0, |bits, defined| bits << 1 | defined));
            for slot in slots.iter().filter(|slot| env.defined[slot.index]) {
                match slot.word {
                    true => words.push(env.words[slot.index]),
                    false => values.push(env.values[slot.index].clone()),
                }
            }
        }
        self.0.insert((words, values))
    }
}
