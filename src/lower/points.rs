//! What relations that are told by descriptions were found to have at single points.
//!
//! A function that calls itself twice asks for the same values again and again, and a comprehension is solved for
//! each point that it is asked for. An entry is known by all that it depends on, so it stays true whatever the state
//! is. Faults are not kept, nor what was cut off.

use super::memory::Kept;
use crate::value::Value;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Places at first, and at most.
const FIRST: usize = 1 << 8;
const MOST: usize = 1 << 16;

/// Most members of the sets in one entry, and in all of them together.
const ENTRY: usize = 1 << 9;
const ALL: usize = 1 << 20;

/// A description by its number, with the values of its parameters.
type Symbol = (u32, Arc<[Value]>);

/// The values found last, at the place that follows from what they are of.
#[derive(Default)]
pub struct Points {
    entries: Vec<Option<Entry>>,
    filled: usize,
    members: usize,
}

struct Entry {
    of: Symbol,
    at: Value,
    images: Box<[Value]>,
    members: usize,
}

impl Entry {
    fn is_of(&self, of: &Symbol, at: &Value) -> bool {
        let same = || Arc::ptr_eq(&self.of.1, &of.1) || self.of.1 == of.1;
        self.of.0 == of.0 && self.at == *at && same()
    }
}

impl Points {
    /// What is known of a point.
    pub fn known(&self, of: &Symbol, at: &Value) -> Option<Vec<Value>> {
        if self.entries.is_empty() {
            return None;
        }
        let entry = self.entries[self.place(of, at)].as_ref()?;
        entry.is_of(of, at).then(|| entry.images.to_vec())
    }

    /// Remembers what there is at a point.
    pub fn learn(&mut self, of: &Symbol, at: &Value, images: &[Value]) {
        let members = at.members() + images.iter().map(Kept::members).sum::<usize>();
        if members > ENTRY {
            return;
        }
        if self.members + members > ALL {
            *self = Points::default();
        }
        self.grow();
        let place = self.place(of, at);
        let entry = Entry { of: of.clone(), at: at.clone(), images: images.into(), members };
        match self.entries[place].replace(entry) {
            Some(old) => self.members -= old.members,
            None => self.filled += 1,
        }
        self.members += members;
    }

    pub fn forget(&mut self) {
        *self = Points::default();
    }

    /// Doubles the places where half of them are taken.
    fn grow(&mut self) {
        let size = self.entries.len();
        if 2 * self.filled < size || size >= MOST {
            return;
        }
        let old = std::mem::take(&mut self.entries);
        self.entries.resize_with((2 * size).max(FIRST), || None);
        (self.filled, self.members) = (0, 0);
        for entry in old.into_iter().flatten() {
            let place = self.place(&entry.of, &entry.at);
            let members = entry.members;
            match self.entries[place].replace(entry) {
                Some(lost) => self.members -= lost.members,
                None => self.filled += 1,
            }
            self.members += members;
        }
    }

    fn place(&self, of: &Symbol, at: &Value) -> usize {
        let mut hasher = FxHasher::default();
        (of.0, &of.1, at).hash(&mut hasher);
        hasher.finish() as usize & (self.entries.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_a_point_is_what_was_learnt_last() {
        let mut points = Points::default();
        let of = |k: i64| (k as u32 % 3, Arc::from([Value::Int(k % 2)]));
        let mut told = std::collections::HashMap::new();
        let mut answers = 0;
        for i in 0..300_000i64 {
            let (k, at) = (i % 6, i * 7919 % 2_011);
            let key = (of(k).0, k % 2, at);
            if let Some(known) = points.known(&of(k), &Value::Int(at)) {
                assert_eq!(told.get(&key), Some(&known), "{key:?}");
                answers += 1;
            }
            let images = vec![Value::Int(i); (i % 3) as usize];
            points.learn(&of(k), &Value::Int(at), &images);
            told.insert(key, images);
        }
        assert!(answers > 100_000, "{answers}");
        assert!(points.entries.len() <= MOST && points.members <= ALL);
    }

    #[test]
    fn large_values_are_not_kept() {
        let mut points = Points::default();
        let large = Value::set((0..10_000).map(Value::Int).collect());
        let of = (0, Arc::from([]));
        points.learn(&of, &Value::Int(1), std::slice::from_ref(&large));
        assert_eq!(points.known(&of, &Value::Int(1)), None);
        points.learn(&of, &Value::Int(2), &[]);
        assert_eq!(points.known(&of, &Value::Int(2)), Some(Vec::new()));
    }
}
