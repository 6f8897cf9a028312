//! Transitions out of one state, as a list.

use crate::lower::env::Fault;
use crate::lower::stop::Site;
use crate::machine::OpId;
use crate::state::hash_state;
use crate::value::Value;
use hashbrown::HashTable;

/// Transitions out of one state, in the order (operation, arguments, results, target) in which the
/// solutions are found; equal ones (same operation, arguments, results and target) once.
#[derive(Clone, Debug, Default)]
pub struct Successors {
    pub entries: Vec<Entry>,
    /// Packed targets, one after the other.
    pub targets: Vec<u64>,
    /// Results of the entries that have any: where arguments were asked for, and where an instance may have several outcomes.
    pub results: Vec<Value>,
    /// Arguments of the entries, when they were asked for.
    pub arguments: Vec<Value>,
    /// Instances of operations that ended in a fault.
    pub faults: Vec<OperationFault>,
    /// There may be more transitions: an enumeration was cut off.
    pub cut: bool,
    words: usize,
    /// How often each operation leads somewhere, in order, where that was counted on the way.
    taken: Vec<(OpId, u64)>,
    counts: bool,
    /// Number of the next group.
    pub(super) groups: u32,
    /// Entries of the group at hand, once it is large.
    known: HashTable<u32>,
}

/// One transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub operation: OpId,
    /// Entries with one operation and the same arguments have one number.
    pub group: u32,
    pub results: u32,
    pub arguments: u32,
    /// How many tuples of arguments this one stands for (1 unless orbits were pruned).
    pub weight: u32,
}

/// An instance of an operation that ended in a fault.
#[derive(Clone, Debug)]
pub struct OperationFault {
    pub operation: OpId,
    pub arguments: Vec<Value>,
    pub site: Site,
    /// How many tuples of arguments this one stands for.
    pub weight: u32,
    /// An undefined guard, rather than a fault of what follows it.
    pub in_guard: bool,
    /// A broken claim beside which it happened all the same.
    pub beside: bool,
    /// Values at the fault, when the evaluator explains.
    pub fault: Option<Box<Fault>>,
}

impl Successors {
    pub fn new() -> Successors {
        Successors::default()
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn target(&self, i: usize) -> &[u64] {
        &self.targets[i * self.words..(i + 1) * self.words]
    }

    /// Empties the list.
    pub fn reset(&mut self) {
        self.clear(self.words);
    }

    /// Adds transitions out of the same state: those of the groups that have a weight, with it, and all
    /// faults. Arguments are not kept.
    pub fn append(&mut self, others: &Successors, weight: impl Fn(u32) -> u32) {
        self.widen(others.words);
        self.counts = false;
        let (groups, results) = (self.groups, self.results.len() as u32);
        self.results.extend_from_slice(&others.results);
        for (i, entry) in others.entries.iter().enumerate() {
            let weight = weight(entry.group);
            if weight > 0 {
                let (group, results) = (groups + entry.group, results + entry.results);
                self.entries.push(Entry { group, results, weight, ..*entry });
                self.targets.extend_from_slice(others.target(i));
            }
        }
        self.groups += others.groups;
        self.faults.extend_from_slice(&others.faults);
        self.cut |= others.cut;
    }

    /// Empties the list; targets have this many words.
    pub(super) fn clear(&mut self, words: usize) {
        self.entries.clear();
        self.targets.clear();
        if !self.results.is_empty() {
            self.results.clear();
        }
        if !self.arguments.is_empty() {
            self.arguments.clear();
        }
        if !self.faults.is_empty() {
            self.faults.clear();
        }
        self.cut = false;
        self.groups = 0;
        self.words = words;
        self.counts = false;
    }

    /// From here on it is counted how often each operation leads somewhere.
    pub(super) fn count(&mut self) {
        self.taken.clear();
        self.counts = true;
    }

    /// The entries from `first` on are those of one operation. Where one of its instances has several outcomes,
    /// nothing is counted any more.
    #[inline]
    pub(super) fn counted(&mut self, operation: OpId, first: usize, one_each: bool) {
        let new = &self.entries[first..];
        if new.is_empty() {
            return;
        }
        self.counts &= one_each || new.windows(2).all(|two| two[0].group != two[1].group);
        self.taken.push((operation, new.len() as u64));
    }

    /// How often each operation leads somewhere, in order, if no instance has several outcomes and each counts once:
    /// where that was counted on the way.
    pub fn taken(&self) -> Option<&[(OpId, u64)]> {
        self.counts.then_some(&self.taken)
    }

    /// How many instances of operations the entries stand for.
    pub fn weight(&self) -> u64 {
        match self.counts {
            true => self.entries.len() as u64,
            false => self.entries.iter().map(|e| u64::from(e.weight)).sum(),
        }
    }

    /// Targets have this many words; where they had another number, the list is emptied.
    pub(super) fn widen(&mut self, words: usize) {
        self.counts = false;
        if self.words != words {
            self.clear(words);
        }
    }

    /// Lengths, to come back to.
    pub(super) fn mark(&self) -> Mark {
        Mark {
            entries: self.entries.len(),
            results: self.results.len(),
            arguments: self.arguments.len(),
            faults: self.faults.len(),
            groups: self.groups,
        }
    }

    pub(super) fn truncate(&mut self, mark: &Mark) {
        self.entries.truncate(mark.entries);
        self.targets.truncate(mark.entries * self.words);
        self.results.truncate(mark.results);
        self.arguments.truncate(mark.arguments);
        self.faults.truncate(mark.faults);
        self.groups = mark.groups;
    }

    /// Drops the entries from `first` on.
    pub(super) fn drop_entries(&mut self, first: usize) {
        if let Some(entry) = self.entries.get(first) {
            self.results.truncate(entry.results as usize);
        }
        self.entries.truncate(first);
        self.targets.truncate(first * self.words);
    }
}

/// How long a list was.
pub struct Mark {
    pub(super) entries: usize,
    results: usize,
    arguments: usize,
    pub(super) faults: usize,
    pub(super) groups: u32,
}

/// Groups up to this size are compared one by one, larger ones through a table.
const SMALL_GROUP: usize = 16;

impl Successors {
    /// Whether no entry from `first` on has this target and the results from `at` on.
    pub(super) fn is_new(&mut self, target: &[u64], at: usize, first: usize) -> bool {
        let Successors { entries, targets, results, known, words, .. } = self;
        let results = &results[..];
        let (new, count) = (&results[at..], results.len() - at);
        let parts = |i: u32| {
            let from = entries[i as usize].results as usize;
            let target = &targets[i as usize * *words..(i as usize + 1) * *words];
            (target, &results[from..from + count])
        };
        let size = entries.len() - first;
        if size < SMALL_GROUP {
            return (first..entries.len()).all(|i| parts(i as u32) != (target, new));
        }
        let hash = |(target, results): (&[u64], &[Value])| {
            use std::hash::{Hash, Hasher};
            let mut hasher = rustc_hash::FxHasher::default();
            results.hash(&mut hasher);
            hash_state(target) ^ hasher.finish()
        };
        if size == SMALL_GROUP {
            known.clear();
            for i in first..entries.len() {
                known.insert_unique(hash(parts(i as u32)), i as u32, |j| hash(parts(*j)));
            }
        }
        let own = hash((target, new));
        if known.find(own, |i| parts(*i) == (target, new)).is_some() {
            return false;
        }
        // The caller adds the entry under the next number: what is hashed now is what it will hold.
        let next = entries.len() as u32;
        known.insert_unique(own, next, |j| if *j == next { own } else { hash(parts(*j)) });
        true
    }

    /// Of the entries from `first` on, which have no results, keeps one of those that are equal: the first.
    pub(super) fn merge(&mut self, first: usize) {
        let Successors { entries, targets, known, words, .. } = self;
        let words = *words;
        let is_small = entries.len() - first <= SMALL_GROUP;
        if !is_small {
            known.clear();
        }
        let mut kept = first;
        for i in first..entries.len() {
            entries[kept] = entries[i];
            targets.copy_within(i * words..(i + 1) * words, kept * words);
            let parts = |i: usize| (entries[i].group, &targets[i * words..(i + 1) * words]);
            let own = parts(kept);
            let is_new = if is_small {
                (first..kept).all(|i| parts(i) != own)
            } else {
                let hash = |(group, target): (u32, &[u64])| {
                    hash_state(target).wrapping_add(u64::from(group))
                };
                let is_new = known.find(hash(own), |i| parts(*i as usize) == own).is_none();
                if is_new {
                    known.insert_unique(hash(own), kept as u32, |i| hash(parts(*i as usize)));
                }
                is_new
            };
            kept += usize::from(is_new);
        }
        entries.truncate(kept);
        targets.truncate(kept * words);
    }
}
