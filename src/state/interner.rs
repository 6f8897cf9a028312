//! Numbers for values that have no finite field: equal values, equal numbers, and nothing else.
//!
//! The numbers depend on the order in which values turn up, so no order by number may decide
//! anything that is seen from outside.

use crate::value::Value;
use hashbrown::HashTable;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Default, Debug)]
struct Shared {
    values: IndexSet<Value, FxBuildHasher>,
}

impl Shared {
    /// The number of a value, and the value that is kept.
    fn number(&mut self, value: &Value) -> (u32, Value) {
        let i = match self.values.get_index_of(value) {
            Some(i) => i,
            None => self.values.insert_full(value.clone()).0,
        };
        (i as u32, self.values[i].clone())
    }
}

/// Members of a set, or what takes as long.
fn size(value: &Value) -> usize {
    match value {
        Value::Set(list) | Value::Record(list) => list.len(),
        Value::Bits(words) => words.len(),
        _ => 1,
    }
}

/// A handle on the table of one search, one for each thread. Each keeps the values that it has met with
/// their numbers: only the first time that a thread meets a value takes a lock.
#[derive(Clone, Default, Debug)]
pub struct Interner {
    shared: Arc<Mutex<Shared>>,
    /// By number.
    seen: Vec<Option<Value>>,
    /// The numbers of those that were seen, by value.
    known: HashTable<u32>,
    /// Size of the values that were looked up, since somebody last asked.
    work: usize,
}

impl Interner {
    pub fn new() -> Interner {
        Interner::default()
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        // A panic while the lock is held leaves the table as it was: insertion is the only change.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a value.
    pub fn number(&mut self, value: &Value) -> u32 {
        self.work += size(value);
        let hash = FxBuildHasher.hash_one(value);
        let Interner { seen, known, .. } = self;
        if let Some(number) = known.find(hash, |n| seen[*n as usize].as_ref() == Some(value)) {
            return *number;
        }
        let (number, shared) = self.lock().number(value);
        self.keep(number, shared);
        let Interner { seen, known, .. } = self;
        let hash_of = |n: &u32| seen[*n as usize].as_ref().map_or(0, |v| FxBuildHasher.hash_one(v));
        known.insert_unique(hash, number, hash_of);
        number
    }

    fn keep(&mut self, number: u32, value: Value) {
        let i = number as usize;
        if self.seen.len() <= i {
            self.seen.resize(i + 1, None);
        }
        self.seen[i] = Some(value);
    }

    /// The value of a number that [`Interner::number`] gave.
    pub fn value(&mut self, number: u32) -> Value {
        let i = number as usize;
        if let Some(Some(v)) = self.seen.get(i) {
            return v.clone();
        }
        let value = self.lock().values.get_index(i).cloned();
        let value = value.expect("numbers come from this table");
        self.keep(number, value.clone());
        value
    }

    /// An equal value, one for all who ask.
    pub fn shared(&mut self, value: &Value) -> Value {
        let number = self.number(value);
        self.value(number)
    }

    /// How much was looked up since the last call, in members of sets: what large values cost.
    pub fn take_work(&mut self) -> usize {
        std::mem::take(&mut self.work)
    }

    /// Number of values held.
    pub fn len(&self) -> usize {
        self.lock().values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
