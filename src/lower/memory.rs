//! What an evaluator remembers of results, by what they were computed from.
//!
//! A [`Table`] has one entry for each choice of some locals of small universes; its results depend on
//! nothing else but the constants. A [`Cache`] has the results for the parts of states that it met last:
//! what is looked up is the part of the state that a formula reads, so that the same part of another
//! state has the same result, too. Caches grow where that pays, and rest where it does not.
//!
//! What stands in a loop that gives it nothing new has its last result [held](super::held).
//!
//! Values are remembered, and of a table where a result stays unknown since an enumeration was cut off;
//! never faults: what is undefined is computed again, and so has its place and its operands.

use super::changes::Changes;
use super::held::Held;
use super::points::Points;
use super::recorded::Recorded;
use super::stop::CutId;
use super::watched::LastYes;
use crate::state::flat::Flats;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Most words in the key of a cache.
pub const PARTS: usize = 4;

/// What a result in a cache was computed from.
pub type Key = [u64; PARTS];

/// The place of a key among so many, a power of two.
#[inline]
pub fn place_of(key: &Key, size: usize) -> usize {
    let hash = key
        .iter()
        .fold(0u64, |hash, part| (hash.rotate_left(26) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    (hash >> 32) as usize & (size - 1)
}

/// Entries of a cache, at first, when it can be told whether it is of use, and at most.
const SMALL: usize = 1 << 6;
const MIDDLE: usize = 1 << 10;
const LARGE: usize = 1 << 12;

/// Questions that a cache rests for when few of them were answered.
const REST: u32 = 1 << 16;

/// Most members that the sets in one cache or table may have together.
const MEMBERS: usize = 1 << 16;

/// The results that one thread remembers.
#[derive(Default)]
pub struct Memory {
    /// Number of the constants that are loaded, among all that were loaded one after the other.
    epoch: u32,
    tables: Vec<Table<u64>>,
    value_tables: Vec<Table<Value>>,
    /// Entries of tables whose results are unknown in this epoch.
    open: FxHashMap<(usize, usize), CutId>,
    caches: Vec<Cache<u64>>,
    value_caches: Vec<Cache<Value>>,
    /// By number, of this epoch.
    held: FxHashMap<usize, Held<u64>>,
    held_values: FxHashMap<usize, Held<Value>>,
    /// The last states of this epoch in which questions were answered with yes, by number.
    last_yes: FxHashMap<usize, LastYes>,
    /// What relations that are told by descriptions have at points.
    pub points: Points,
    /// Descriptions of which not all members are found, with the values of what they mention.
    pub open_sets: FxHashSet<(u32, Arc<[Value]>)>,
    /// What operations did.
    pub changes: Changes,
    /// What the solver found.
    pub recorded: Recorded,
    /// The arrays of constants that are functions, by the numbers of the constants.
    pub arrays: Flats,
}

/// Results by number, each with the epoch that it is of.
pub struct Table<T> {
    entries: Vec<(u32, T)>,
}

/// The results for some keys, at the place that follows from the key.
pub struct Cache<T> {
    entries: Vec<Option<(Key, T)>>,
    asked: u32,
    answered: u32,
    rest: u32,
    /// Members of the largest result.
    longest: usize,
}

/// Results of one kind.
pub trait Kept: Clone {
    const BLANK: Self;
    /// How much it holds, about: members of sets.
    fn members(&self) -> usize;
    fn tables(memory: &mut Memory) -> &mut Vec<Table<Self>>;
    fn caches(memory: &mut Memory) -> &mut Vec<Cache<Self>>;
    fn held(memory: &mut Memory) -> &mut FxHashMap<usize, Held<Self>>;
}

impl Kept for u64 {
    const BLANK: u64 = 0;

    fn members(&self) -> usize {
        0
    }

    #[inline(always)]
    fn tables(memory: &mut Memory) -> &mut Vec<Table<u64>> {
        &mut memory.tables
    }

    #[inline(always)]
    fn caches(memory: &mut Memory) -> &mut Vec<Cache<u64>> {
        &mut memory.caches
    }

    fn held(memory: &mut Memory) -> &mut FxHashMap<usize, Held<u64>> {
        &mut memory.held
    }
}

impl Kept for Value {
    const BLANK: Value = Value::FALSE;

    fn members(&self) -> usize {
        self.extent()
    }

    #[inline(always)]
    fn tables(memory: &mut Memory) -> &mut Vec<Table<Value>> {
        &mut memory.value_tables
    }

    #[inline(always)]
    fn caches(memory: &mut Memory) -> &mut Vec<Cache<Value>> {
        &mut memory.value_caches
    }

    fn held(memory: &mut Memory) -> &mut FxHashMap<usize, Held<Value>> {
        &mut memory.held_values
    }
}

impl Memory {
    pub fn new() -> Memory {
        Memory { epoch: 1, ..Memory::default() }
    }

    /// Other constants are loaded: what depends on them is forgotten.
    pub fn forget_constants(&mut self) {
        self.open.clear();
        self.held.clear();
        self.held_values.clear();
        self.last_yes.clear();
        self.points.forget();
        self.arrays.forget();
        self.epoch = match self.epoch.checked_add(1) {
            Some(epoch) => epoch,
            None => {
                self.tables.clear();
                self.value_tables.clear();
                1
            }
        };
    }

    /// What a table knows of an entry.
    #[inline]
    pub fn known<T: Kept>(&mut self, table: usize, entry: usize) -> Option<T> {
        let epoch = self.epoch;
        let (of, result) = T::tables(self).get(table)?.entries.get(entry)?;
        (*of == epoch).then(|| result.clone())
    }

    /// Remembers an entry of a table of this size.
    pub fn learn<T: Kept>(&mut self, table: usize, size: usize, entry: usize, result: T) {
        let epoch = self.epoch;
        if size > 1 && size * result.members() > MEMBERS {
            return;
        }
        let tables = T::tables(self);
        if tables.len() <= table {
            tables.resize_with(table + 1, || Table { entries: Vec::new() });
        }
        let entries = &mut tables[table].entries;
        if entries.is_empty() {
            entries.resize(size, (0, T::BLANK));
        }
        if let Some(place) = entries.get_mut(entry) {
            *place = (epoch, result);
        }
    }

    /// Where the enumeration was cut off that an entry depends on, if it is known to.
    pub fn open(&self, table: usize, entry: usize) -> Option<CutId> {
        if self.open.is_empty() {
            return None;
        }
        self.open.get(&(table, entry)).copied()
    }

    /// An entry depends on an enumeration that is cut off.
    pub fn leave_open(&mut self, table: usize, entry: usize, cut: CutId) {
        self.open.insert((table, entry), cut);
    }

    /// What a cache knows: `None` where it rests, and nobody is to tell it the result.
    #[inline]
    pub fn recall<T: Kept>(&mut self, cache: usize, key: &Key) -> Option<Option<T>> {
        match T::caches(self).get_mut(cache) {
            Some(cache) => cache.recall(key),
            None => Some(None),
        }
    }

    /// What is held under a number.
    #[inline]
    pub fn held<T: Kept>(&mut self, number: usize) -> &mut Held<T> {
        T::held(self).entry(number).or_default()
    }

    /// The last state in which the question with this number was answered with yes.
    #[inline]
    pub fn last_yes(&mut self, number: usize) -> &mut LastYes {
        self.last_yes.entry(number).or_default()
    }

    /// Tells a cache a result that it did not know.
    pub fn remember<T: Kept>(&mut self, cache: usize, key: Key, result: T) {
        let caches = T::caches(self);
        if caches.len() <= cache {
            caches.resize_with(cache + 1, Cache::new);
        }
        caches[cache].remember(key, result);
    }
}

impl<T: Kept> Cache<T> {
    fn new() -> Cache<T> {
        Cache { entries: Vec::new(), asked: 0, answered: 0, rest: 0, longest: 0 }
    }

    #[inline]
    fn place(&self, key: &Key) -> usize {
        place_of(key, self.entries.len())
    }

    #[inline]
    fn recall(&mut self, key: &Key) -> Option<Option<T>> {
        if self.rest > 0 {
            self.rest -= 1;
            return None;
        }
        if self.entries.is_empty() {
            return Some(None);
        }
        self.asked += 1;
        match &self.entries[self.place(key)] {
            Some((known, result)) if known == key => {
                self.answered += 1;
                Some(Some(result.clone()))
            }
            _ => Some(None),
        }
    }

    fn remember(&mut self, key: Key, result: T) {
        if self.entries.is_empty() {
            self.entries.resize(SMALL, None);
        }
        let size = self.entries.len();
        if self.asked as usize >= 8 * size {
            let few = match size {
                LARGE => self.asked / 8,
                MIDDLE.. => self.asked / 64,
                // What comes again may just be too much for so few places.
                _ => 0,
            };
            if self.answered < few {
                // What it reads is new most of the time.
                *self = Cache { rest: REST, ..Cache::new() };
                return;
            }
            let room = 4 * size * self.longest <= MEMBERS;
            if self.answered < self.asked / 4 * 3 && size < LARGE && room {
                self.entries.clear();
                self.entries.resize(4 * size, None);
            }
            (self.asked, self.answered) = (0, 0);
        }
        let members = result.members();
        if members * size <= MEMBERS {
            self.longest = self.longest.max(members);
            let place = self.place(&key);
            self.entries[place] = Some((key, result));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_answers_with_what_it_was_told_last_of_a_key() {
        let mut memory = Memory::new();
        let key = |i: u64| [i % 97, i % 7, 0, i % 3];
        let mut told = std::collections::HashMap::new();
        let mut answers = 0;
        for i in 0..100_000u64 {
            let key = key(i * 7919 % 1000);
            match memory.recall::<u64>(3, &key) {
                Some(Some(result)) => {
                    assert_eq!(told.get(&key), Some(&result));
                    answers += 1;
                }
                Some(None) => {
                    told.insert(key, i);
                    memory.remember(3, key, i);
                }
                None => {}
            }
        }
        assert!(answers > 50_000, "{answers}");
    }

    #[test]
    fn a_cache_rests_where_nothing_comes_again_and_wakes_up_later() {
        let mut memory = Memory::new();
        let mut ask = |i: u64| match memory.recall::<Value>(0, &[i, 0, 0, 0]) {
            Some(None) => {
                memory.remember(0, [i, 0, 0, 0], Value::Int(i as i64));
                "missed"
            }
            Some(Some(_)) => "known",
            None => "rests",
        };
        let first = (0..).find(|i| ask(*i) == "rests");
        assert!(first.is_some_and(|n| n < 200_000), "{first:?}");
        let rested = (0..10 * REST as u64).take_while(|_| ask(5) == "rests").count();
        assert_eq!(rested as u32, REST - 1);
        assert_eq!(ask(5), "known");
    }

    #[test]
    fn a_table_forgets_with_the_constants() {
        let mut memory = Memory::new();
        assert_eq!(memory.known::<u64>(2, 5), None);
        memory.learn(2, 8, 5, 17u64);
        assert_eq!(memory.known::<u64>(2, 5), Some(17));
        assert_eq!(memory.known::<u64>(2, 4), None);
        memory.forget_constants();
        assert_eq!(memory.known::<u64>(2, 5), None);
        memory.learn(2, 8, 5, 18u64);
        assert_eq!(memory.known::<u64>(2, 5), Some(18));
    }
}
