//! Numbers for values that have no finite field: equal values, equal numbers, and nothing else.
//!
//! The numbers depend on the order in which values turn up, so no order by number may decide
//! anything that is seen from outside.

use crate::value::Value;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Default, Debug)]
struct Shared {
    values: IndexSet<Value, FxBuildHasher>,
}

/// Members of a set, or what takes as long.
fn size(value: &Value) -> usize {
    match value {
        Value::Set(list) | Value::Record(list) => list.len(),
        Value::Bits(words) => words.len(),
        _ => 1,
    }
}

/// A handle on the table of one search. Handles are cheap to clone, one for each thread; each keeps
/// the values that it has read, so that reading takes no lock.
#[derive(Clone, Default, Debug)]
pub struct Interner {
    shared: Arc<Mutex<Shared>>,
    seen: Vec<Option<Value>>,
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
        let mut shared = self.lock();
        if let Some(i) = shared.values.get_index_of(value) {
            return i as u32;
        }
        let (i, _) = shared.values.insert_full(value.clone());
        i as u32
    }

    /// The value of a number that [`Interner::number`] gave.
    pub fn value(&mut self, number: u32) -> Value {
        let i = number as usize;
        if let Some(Some(v)) = self.seen.get(i) {
            return v.clone();
        }
        let value = self.lock().values.get_index(i).cloned();
        let value = value.expect("numbers come from this table");
        if self.seen.len() <= i {
            self.seen.resize(i + 1, None);
        }
        self.seen[i] = Some(value.clone());
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
