//! Values that a field has only while a loop runs.
//!
//! A loop over an array of n points writes n arrays, of which one is there at its end. They get numbers of their own, from
//! the upper half, and are forgotten as soon as no field has them. What is left is numbered as every other value. No
//! handle on the table gives such a number twice, as results may be remembered by it, and none sees those of another.

use super::interner::Numbers;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The first of these numbers.
const FIRST: u32 = 1 << 31;

/// How many numbers a handle takes at one time.
const BLOCK: u32 = 1 << 12;

/// Members of sets that are held before those are forgotten that no field has.
const FULL: usize = 1 << 17;

/// The numbers that no other handle has yet.
#[derive(Debug)]
pub(super) struct Unused(Option<u32>);

impl Default for Unused {
    fn default() -> Unused {
        Unused(Some(FIRST))
    }
}

impl Unused {
    pub fn block(&mut self) -> Range<u32> {
        let Some(first) = self.0 else { return 0..0 };
        self.0 = first.checked_add(BLOCK);
        self.0.map_or(0..0, |end| first..end)
    }
}

/// The passing values of a handle.
#[derive(Clone, Default, Debug)]
pub(super) struct Passing {
    /// How many loops run, one within the other.
    pub loops: usize,
    values: FxHashMap<u32, Value>,
    numbers: Numbers,
    unused: Range<u32>,
    /// Size of the values that came since some were forgotten.
    size: usize,
}

impl Passing {
    pub fn is_one(number: u32) -> bool {
        number >= FIRST
    }

    pub fn find(&self, hash: u64, value: &Value) -> Option<u32> {
        let equal = |(h, n): &(u64, u32)| *h == hash && self.values.get(n) == Some(value);
        self.numbers.find(hash, equal).map(|(_, number)| *number)
    }

    pub fn value(&self, number: u32) -> Option<&Value> {
        self.values.get(&number)
    }

    /// A number for a value that has none. `more`: a block of numbers that nobody has; where there are none left there is
    /// none.
    pub fn add(
        &mut self,
        hash: u64,
        value: &Value,
        more: impl FnOnce() -> Range<u32>,
    ) -> Option<u32> {
        if self.unused.is_empty() {
            self.unused = more();
        }
        let number = self.unused.next()?;
        self.size += value.extent();
        self.values.insert(number, value.clone());
        self.numbers.insert_unique(hash, (hash, number), |(hash, _)| *hash);
        Some(number)
    }

    /// The least number that is still to be given.
    pub fn next(&self) -> u32 {
        self.unused.start
    }

    pub fn is_full(&self) -> bool {
        self.size > FULL
    }

    /// Forgets the values whose numbers no field has.
    pub fn keep(&mut self, live: impl Fn(u32) -> bool) {
        let Passing { values, numbers, .. } = self;
        values.retain(|number, _| live(*number));
        numbers.retain(|(_, number)| values.contains_key(number));
        self.size = 0;
    }
}
