//! Which operations may begin a set that is smaller than all that is enabled, as far as that is known from
//! which operations are enabled. This is asked before any argument is looked at, so that a state in
//! which nothing can wait costs next to nothing.
//!
//! What is found here is necessary: an operation that changes an answer begins no set; and an instance draws
//! in every enabled instance of an operation that depends on it whatever the arguments are.

use super::Analysis;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

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

/// Says which operations may begin a set.
pub struct Hope {
    operations: Vec<About>,
    /// Those that change an answer.
    visible: Operations,
    known: FxHashMap<Operations, Operations>,
}

impl Hope {
    pub fn new(analysis: &Analysis) -> Hope {
        let all = &analysis.relations.operations;
        let mut visible = Operations::default();
        (0..all.len()).filter(|a| analysis.visible[*a].is_some()).for_each(|a| visible.insert(a));
        let operations = (0..all.len())
            .map(|a| {
                let mut draws = Operations::default();
                for (b, link) in &analysis.dependents[a] {
                    if link.same.is_empty() {
                        draws.insert(*b);
                    }
                }
                About { whole: all[a].parameters.is_empty() || draws.contains(a), draws }
            })
            .collect();
        Hope { operations, visible, known: FxHashMap::default() }
    }

    /// Whether there is no state in which a part of what is enabled may be chosen.
    pub fn is_none(&self) -> bool {
        let count = self.operations.len();
        self.operations.iter().enumerate().all(|(a, about)| {
            self.visible.contains(a)
                || about.whole && (0..count).all(|b| b == a || about.draws.contains(b))
        })
    }

    /// The operations whose instances may begin a set, where these are enabled.
    pub fn seeds(&mut self, enabled: &Operations) -> &Operations {
        if !self.known.contains_key(enabled) {
            if self.known.len() >= REMEMBERED {
                self.known.clear();
            }
            let mut seeds = Operations::default();
            enabled.members().filter(|a| self.may_begin(*a, enabled)).for_each(|a| seeds.insert(a));
            self.known.insert(enabled.clone(), seeds);
        }
        &self.known[enabled]
    }

    fn may_begin(&self, seed: usize, enabled: &Operations) -> bool {
        if self.visible.contains(seed) {
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
                if new & self.visible.word(i) != 0 {
                    return false;
                }
                all.add(i, new);
                todo.add(i, new);
            }
        }
        enabled.0.iter().enumerate().any(|(i, word)| word & !all.word(i) != 0)
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

    fn hope(operations: &[(bool, bool, &[usize])]) -> Hope {
        let about =
            |(_, whole, draws): &(bool, bool, &[usize])| About { whole: *whole, draws: set(draws) };
        let visible: Vec<usize> = (0..operations.len()).filter(|a| operations[*a].0).collect();
        let operations = operations.iter().map(about).collect();
        Hope { operations, visible: set(&visible), known: FxHashMap::default() }
    }

    #[test]
    fn what_is_drawn_in_leaves_nothing_or_changes_an_answer() {
        // 0 and 1 depend on each other; 2 on nothing; 3 changes an answer, and 4 depends on it; 70 is far.
        let mut all: Vec<(bool, bool, &[usize])> =
            vec![(false, true, &[0, 1]), (false, true, &[0, 1]), (false, true, &[2])];
        all.extend([(true, true, &[3, 4][..]), (false, true, &[3, 4][..])]);
        all.resize(71, (false, false, &[]));
        let mut hope = hope(&all);
        assert!(!hope.is_none());
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
        assert!(hope(&[(true, true, &[]), (true, false, &[])]).is_none());
        assert!(hope(&[(true, true, &[0, 1]), (false, true, &[0, 1])]).is_none());
        assert!(!hope(&[(true, true, &[0]), (false, true, &[1])]).is_none());
        assert!(!hope(&[(true, true, &[0, 1]), (false, false, &[0])]).is_none());
    }
}
