//! Which operations may begin a set that is smaller than all that is enabled, as far as that is known from
//! which operations are enabled. This is asked before any argument is looked at, so that a state in
//! which nothing can wait costs next to nothing.
//!
//! What is found here is necessary: an operation that may be in no set begins none; and an instance draws
//! in every enabled instance of an operation that depends on it whatever the arguments are.

use super::Linked;
use super::operation::Operation;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// A set of operations, by their numbers in the analysis.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Operations(SmallVec<[u64; 2]>);

impl Operations {
    pub fn insert(&mut self, operation: usize) {
        let word = operation / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (operation % 64);
    }

    pub fn contains(&self, operation: usize) -> bool {
        self.0.get(operation / 64).is_some_and(|word| word >> (operation % 64) & 1 == 1)
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    fn members(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = |(i, word): (usize, &u64)| {
            let mut word = *word;
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                word &= word.wrapping_sub(1);
                (bit < 64).then_some(i * 64 + bit)
            })
        };
        self.0.iter().enumerate().flat_map(bits)
    }

    /// Adds those of one word.
    fn add(&mut self, i: usize, word: u64) {
        if self.0.len() <= i {
            self.0.resize(i + 1, 0);
        }
        self.0[i] |= word;
    }

    fn word(&self, i: usize) -> u64 {
        self.0.get(i).copied().unwrap_or(0)
    }

    /// Takes one out.
    fn pop(&mut self) -> Option<usize> {
        let (i, word) = self.0.iter_mut().enumerate().find(|(_, word)| **word != 0)?;
        let bit = word.trailing_zeros() as usize;
        *word &= *word - 1;
        Some(i * 64 + bit)
    }
}

/// Sets of enabled operations that are remembered.
const REMEMBERED: usize = 1 << 14;

/// Of each operation what is needed here.
struct About {
    /// It has one instance, or each of its instances depends on all of them.
    whole: bool,
    /// Operations all of whose instances depend on each of its own.
    draws: Operations,
}

/// What operations draw in: it depends on the machine alone.
pub struct Draws {
    operations: Vec<About>,
    /// Those that may be in no set.
    barred: Operations,
}

impl Draws {
    /// `dependents`: of each operation, what depends on it.
    pub fn new(all: &[Operation], barred: &[bool], dependents: &[Vec<Linked>]) -> Draws {
        let mut none = Operations::default();
        (0..all.len()).filter(|a| barred[*a]).for_each(|a| none.insert(a));
        let operations = (0..all.len())
            .map(|a| {
                let mut draws = Operations::default();
                for (b, link) in &dependents[a] {
                    if link.same.is_empty() {
                        draws.insert(*b);
                    }
                }
                About { whole: all[a].parameters.is_empty() || draws.contains(a), draws }
            })
            .collect();
        Draws { operations, barred: none }
    }

    /// Whether there is no state in which a part of what is enabled may be chosen.
    pub fn leave_no_hope(&self) -> bool {
        let count = self.operations.len();
        self.operations.iter().enumerate().all(|(a, about)| {
            self.barred.contains(a)
                || about.whole && (0..count).all(|b| b == a || about.draws.contains(b))
        })
    }

    fn may_begin(&self, seed: usize, enabled: &Operations) -> bool {
        if self.barred.contains(seed) {
            return false;
        }
        // Operations all of whose instances are in the set, and those whose own are to be drawn in.
        let (mut all, mut todo) = (Operations::default(), Operations::default());
        todo.insert(seed);
        if self.operations[seed].whole {
            all.insert(seed);
        }
        while let Some(a) = todo.pop() {
            for (i, draws) in self.operations[a].draws.0.iter().enumerate() {
                let new = draws & enabled.word(i) & !all.word(i);
                if new & self.barred.word(i) != 0 {
                    return false;
                }
                all.add(i, new);
                todo.add(i, new);
            }
        }
        enabled.0.iter().enumerate().any(|(i, word)| word & !all.word(i) != 0)
    }
}

/// Says which operations may begin a set, and remembers it.
pub struct Hope {
    draws: Arc<Draws>,
    known: FxHashMap<Operations, Operations>,
    /// What was asked last, and the answer: the next state often enables the same.
    last: (Operations, Operations),
}

impl Hope {
    pub fn new(draws: Arc<Draws>) -> Hope {
        Hope { draws, known: FxHashMap::default(), last: Default::default() }
    }

    /// The operations whose instances may begin a set, where these are enabled.
    pub fn seeds(&mut self, enabled: &Operations) -> &Operations {
        if self.last.0 != *enabled {
            if self.known.len() >= REMEMBERED {
                self.known.clear();
            }
            let found = || {
                let mut seeds = Operations::default();
                let may_begin = |a: &usize| self.draws.may_begin(*a, enabled);
                enabled.members().filter(may_begin).for_each(|a| seeds.insert(a));
                seeds
            };
            let seeds = self.known.entry(enabled.clone()).or_insert_with(found);
            self.last = (enabled.clone(), seeds.clone());
        }
        &self.last.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(members: &[usize]) -> Operations {
        let mut set = Operations::default();
        members.iter().for_each(|m| set.insert(*m));
        set
    }

    fn draws(operations: &[(bool, bool, &[usize])]) -> Draws {
        let about =
            |(_, whole, draws): &(bool, bool, &[usize])| About { whole: *whole, draws: set(draws) };
        let barred: Vec<usize> = (0..operations.len()).filter(|a| operations[*a].0).collect();
        let operations = operations.iter().map(about).collect();
        Draws { operations, barred: set(&barred) }
    }

    #[test]
    fn what_is_drawn_in_leaves_nothing_or_may_be_in_no_set() {
        // 0 and 1 depend on each other; 2 on nothing; 3 may be in no set, and 4 depends on it; 70 is far.
        let mut all: Vec<(bool, bool, &[usize])> =
            vec![(false, true, &[0, 1]), (false, true, &[0, 1]), (false, true, &[2])];
        all.extend([(true, true, &[3, 4][..]), (false, true, &[3, 4][..])]);
        all.resize(71, (false, false, &[]));
        let draws = draws(&all);
        assert!(!draws.leave_no_hope());
        let mut hope = Hope::new(Arc::new(draws));
        assert!(hope.seeds(&set(&[0, 1])).is_empty());
        assert_eq!(*hope.seeds(&set(&[0, 1, 2])), set(&[0, 1, 2]));
        assert_eq!(*hope.seeds(&set(&[2, 3, 4])), set(&[2]));
        assert!(hope.seeds(&set(&[3, 4])).is_empty());
        assert_eq!(*hope.seeds(&set(&[4, 2])), set(&[2, 4]));
        // Of an operation with arguments one instance may do.
        assert_eq!(*hope.seeds(&set(&[70])), set(&[70]));
    }

    #[test]
    fn machines_in_which_nothing_can_wait_are_known() {
        assert!(draws(&[(true, true, &[]), (true, false, &[])]).leave_no_hope());
        assert!(draws(&[(true, true, &[0, 1]), (false, true, &[0, 1])]).leave_no_hope());
        assert!(!draws(&[(true, true, &[0]), (false, true, &[1])]).leave_no_hope());
        assert!(!draws(&[(true, true, &[0, 1]), (false, false, &[0])]).leave_no_hope());
    }
}
