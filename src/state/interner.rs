//! Numbers for values that have no finite field: equal values, equal numbers, and nothing else.
//!
//! The numbers depend on the order in which values turn up, so no order by number may decide
//! anything that is seen from outside.

use super::flat::{Flat, Flats};
use super::made::Made;
use super::passing::{Passing, Unused};
use crate::sync::{Mutex, MutexGuard};
use crate::value::Value;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::sync::{Arc, PoisonError};

/// The values of a record.
type Row = Arc<[Value]>;

/// The numbers of values, with their hashes, by value.
pub(super) type Numbers = HashTable<(u64, u32)>;

#[derive(Default, Debug)]
struct Shared {
    /// By number.
    values: Vec<Value>,
    numbers: Numbers,
    unused: Unused,
}

impl Shared {
    fn has(&self, hash: u64, value: &Value) -> bool {
        let equal = |(h, n): &(u64, u32)| *h == hash && self.values[*n as usize] == *value;
        self.numbers.find(hash, equal).is_some()
    }

    /// The number of a value, and the value that is kept: `new` where it was not there.
    fn number(&mut self, hash: u64, value: &Value, new: impl FnOnce() -> Value) -> (u32, &Value) {
        let Shared { values, numbers, .. } = self;
        let found = numbers.find(hash, |(h, n)| *h == hash && values[*n as usize] == *value);
        let number = match found {
            Some((_, number)) => *number,
            None => {
                let number = values.len() as u32;
                values.push(new());
                numbers.insert_unique(hash, (hash, number), |(hash, _)| *hash);
                number
            }
        };
        (number, &self.values[number as usize])
    }
}

/// A handle on the table of one search, one for each thread. Each keeps the values that it has met with
/// their numbers: only the first time that a thread meets a value takes a lock.
#[derive(Clone, Default, Debug)]
pub struct Interner {
    shared: Arc<Mutex<Shared>>,
    /// By number.
    seen: Vec<Option<Value>>,
    /// Of those that were seen.
    known: Numbers,
    /// Its values are its own: they share nothing with those of the table.
    apart: bool,
    /// The last row with a large value in it that was copied, and its copy.
    last_row: Option<(Row, Row)>,
    /// Size of the values that were looked up, since somebody last asked.
    work: usize,
    flats: Flats,
    passing: Passing,
    /// Of the fields of the layout whose states it is asked for.
    pub(super) made: Made,
}

impl Interner {
    pub fn new() -> Interner {
        Interner::default()
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        // A panic while the lock is held leaves the table as it was: insertion is the only change.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Another handle on the same table, for a thread that works beside this one: no value that it gives
    /// shares anything with those of others, since threads that count references to the same
    /// value wait for each other.
    pub fn apart(&self) -> Interner {
        Interner { shared: self.shared.clone(), apart: true, ..Interner::default() }
    }

    /// The number of a value.
    pub fn number(&mut self, value: &Value) -> u32 {
        self.work += value.extent();
        let hash = FxBuildHasher.hash_one(value);
        self.find(hash, value).unwrap_or_else(|| self.number_of_new(hash, value))
    }

    fn find(&self, hash: u64, value: &Value) -> Option<u32> {
        let equal =
            |(h, n): &(u64, u32)| *h == hash && self.seen[*n as usize].as_ref() == Some(value);
        self.known.find(hash, equal).map(|(_, number)| *number)
    }

    fn number_of_new(&mut self, hash: u64, value: &Value) -> u32 {
        let (number, kept) = {
            let mut shared = self.lock();
            match self.apart {
                true => (shared.number(hash, value, || value.again()).0, value.clone()),
                false => {
                    let (number, kept) = shared.number(hash, value, || value.clone());
                    (number, kept.clone())
                }
            }
        };
        self.keep(number, hash, kept);
        number
    }

    fn keep(&mut self, number: u32, hash: u64, value: Value) {
        let i = number as usize;
        if self.seen.len() <= i {
            self.seen.resize(i + 1, None);
        }
        // One that was asked for by its number is there, and only its number is not known.
        self.seen[i].get_or_insert(value);
        self.known.insert_unique(hash, (hash, number), |(hash, _)| *hash);
    }

    /// The number of a value that a field gets: while a loop runs one that passes, if the value has none yet.
    pub(super) fn number_in_field(&mut self, value: &Value) -> u32 {
        if self.passing.loops == 0 {
            return self.number(value);
        }
        self.work += value.extent();
        let hash = FxBuildHasher.hash_one(value);
        if let Some(number) = self.passing.find(hash, value).or_else(|| self.find(hash, value)) {
            return number;
        }
        let shared = self.shared.clone();
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let passing = match shared.has(hash, value) {
            true => None,
            false => self.passing.add(hash, value, || shared.unused.block()),
        };
        drop(shared);
        passing.unwrap_or_else(|| self.number_of_new(hash, value))
    }

    /// A loop begins: the number from which on those are that are given to fields in it.
    pub fn begin_loop(&mut self) -> u32 {
        if self.passing.loops == 0 {
            self.passing.keep(|_| false);
        }
        self.passing.loops += 1;
        self.passing.next()
    }

    /// A loop ends; whether it was within no other one, so that fields are to get numbers that stay.
    pub fn end_loop(&mut self) -> bool {
        self.passing.loops -= 1;
        self.passing.loops == 0
    }

    /// Whether many values have passed.
    pub fn has_many_passing(&self) -> bool {
        self.passing.is_full()
    }

    /// Forgets the passing values with numbers from here on that are not among these.
    pub fn forget_passing(&mut self, first: u32, live: &[u32]) {
        if self.passing.next() == first {
            return;
        }
        self.passing.keep(|number| number < first || live.contains(&number));
    }

    /// The number that stays of a value with a number that may pass.
    pub fn staying(&mut self, number: u32) -> u32 {
        match self.passing.value(number).cloned() {
            Some(value) => self.number(&value),
            None => number,
        }
    }

    /// The value of a number that was given.
    pub fn value(&mut self, number: u32) -> Value {
        if Passing::is_one(number) {
            return self.passing.value(number).expect("a field has it").clone();
        }
        let i = number as usize;
        if let Some(Some(v)) = self.seen.get(i) {
            return v.clone();
        }
        let value = {
            let shared = self.lock();
            let value = shared.values.get(i).expect("numbers come from this table");
            match value {
                _ if !self.apart => Ok(value.clone()),
                Value::Record(row) if row.iter().any(Value::is_large) => Err(row.clone()),
                _ => Ok(value.again()),
            }
        };
        let value = value.unwrap_or_else(|row| Value::Record(self.row_again(row)));
        let hash = FxBuildHasher.hash_one(&value);
        self.keep(number, hash, value.clone());
        value
    }

    /// A row of values that shares nothing with this one. What rows share among themselves is copied once, where they
    /// follow one another: set-ups may all have the same large set.
    fn row_again(&mut self, row: Row) -> Row {
        let last = self.last_row.take();
        let known = |(i, value): (usize, &Value)| {
            let (from, copy) = last.as_ref()?;
            let is_same = value.is_large() && from.get(i)?.is_same(value);
            is_same.then(|| copy[i].clone())
        };
        let again = |(i, value)| known((i, value)).unwrap_or_else(|| value.again());
        let copy: Row = row.iter().enumerate().map(again).collect();
        self.last_row = Some((row, copy.clone()));
        copy
    }

    /// The array of the function with this number, if it has one.
    #[inline]
    pub fn flat(&mut self, number: u32) -> Option<&Flat> {
        let Interner { flats, seen, passing, .. } = self;
        let value = || match Passing::is_one(number) {
            true => passing.value(number).cloned(),
            false => seen.get(number as usize).cloned().flatten(),
        };
        flats.get(number, || value().unwrap_or(Value::FALSE))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sync::model::{random_schedules, schedules};
    use crate::sync::{scope, spawn};
    use std::collections::BTreeSet;
    use std::thread;

    fn set(i: i64) -> Value {
        Value::set(vec![Value::Int(i % 100), Value::Int(1000 + i % 100)])
    }

    #[test]
    fn what_rows_share_is_copied_once() {
        let mut interner = Interner::new();
        let large = Value::set((0..5000).map(Value::Int).collect());
        let row = |i: i64| Value::Record([Value::Int(i), large.clone()].into());
        let numbers: Vec<u32> = (0..3).map(|i| interner.number(&row(i))).collect();
        let mut handle = interner.apart();
        let mut copies = Vec::new();
        for (i, number) in numbers.into_iter().enumerate() {
            let Value::Record(copy) = handle.value(number) else { panic!("a row") };
            assert_eq!(Value::Record(copy.clone()), row(i as i64));
            copies.push(copy[1].clone());
        }
        assert!(copies.iter().all(|copy| copy.is_same(&copies[0]) && !copy.is_same(&large)));
    }

    #[test]
    fn threads_give_equal_values_equal_numbers() {
        let mut interner = Interner::new();
        let first = interner.number(&set(7));
        let numbers: Vec<Vec<u32>> = thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|k| {
                    let mut handle = interner.apart();
                    // Each in another order.
                    scope.spawn(move || {
                        let number = |i: i64| (i, handle.number(&set(i * 7 + k * 13)));
                        let mut met: Vec<_> = (0..300).map(number).collect();
                        met.iter_mut().for_each(|(i, _)| *i = (*i * 7 + k * 13) % 100);
                        met.sort_unstable();
                        met.dedup();
                        met.into_iter().map(|(_, number)| number).collect()
                    })
                })
                .collect();
            threads.into_iter().map(|t| t.join().expect("no panic")).collect()
        });
        assert!(numbers.iter().all(|n| *n == numbers[0] && n.len() == 100));
        assert_eq!((interner.len(), numbers[0][7]), (100, first));
        assert!((0..100).all(|i| interner.value(numbers[0][i]) == set(i as i64)));
    }

    /// Threads that meet values, each in its own order: which value each number stands for then. All of them
    /// read the first number, too, which none of them has met.
    fn meet(orders: &[&[i64]]) -> Vec<i64> {
        const FIRST: i64 = 99;
        let mut interner = Interner::new();
        let first = interner.number(&set(FIRST));
        let met: Vec<Vec<(i64, u32)>> = scope(|scope| {
            let start = |order: &&[i64]| {
                let (mut handle, order) = (interner.apart(), order.to_vec());
                let run = move || {
                    let mut met = Vec::new();
                    for i in order {
                        let number = handle.number(&set(i));
                        assert_eq!(
                            (handle.number(&set(i)), handle.value(number)),
                            (number, set(i))
                        );
                        met.push((i, number));
                    }
                    if handle.seen.len() > 2 {
                        assert_eq!(handle.value(first), set(FIRST));
                    }
                    met
                };
                spawn(scope, "interner", run).expect("a thread")
            };
            let threads: Vec<_> = orders.iter().map(start).collect();
            threads.into_iter().map(|t| t.join().expect("no panic")).collect()
        });
        let mut of = vec![None; interner.len()];
        of[first as usize] = Some(FIRST);
        for (i, number) in met.concat() {
            assert_eq!(*of[number as usize].get_or_insert(i), i, "one number, two values");
        }
        let of: Vec<i64> = of.into_iter().map(|i| i.expect("no number is left out")).collect();
        let different: BTreeSet<i64> = of.iter().copied().collect();
        assert_eq!(different.len(), of.len(), "one value, two numbers");
        let mut stranger = interner.apart();
        for (number, i) in (0..).zip(&of) {
            assert_eq!(stranger.value(number), set(*i));
            assert_eq!(stranger.number(&set(*i)), number);
        }
        of
    }

    /// Which outcomes there were under the schedules.
    type Seen = Arc<std::sync::Mutex<BTreeSet<Vec<i64>>>>;

    #[test]
    fn two_threads_agree_under_every_schedule() {
        let seen = Seen::default();
        let outcomes = seen.clone();
        let count = schedules(move || {
            outcomes.lock().unwrap().insert(meet(&[&[1], &[2, 1]]));
        });
        assert!(count > 10, "{count}");
        // Either may come first.
        assert_eq!(*seen.lock().unwrap(), [vec![99, 1, 2], vec![99, 2, 1]].into());
    }

    #[test]
    fn three_threads_agree_under_many_schedules() {
        let seen = Seen::default();
        let outcomes = seen.clone();
        random_schedules(9, 300, move || {
            let of = meet(&[&[1, 2, 3, 4], &[4, 3, 2, 1], &[2, 5, 4]]);
            assert_eq!(of.len(), 6);
            outcomes.lock().unwrap().insert(of);
        });
        assert!(seen.lock().unwrap().len() > 10);
    }

    #[test]
    fn what_another_thread_gets_shares_nothing() {
        let mut interner = Interner::new();
        let number = interner.number(&set(1));
        let (here, again) = (interner.value(number), interner.value(number));
        let there = interner.apart().value(number);
        let at = |value: &Value| match value {
            Value::Set(items) => items.as_ptr(),
            _ => panic!("a set"),
        };
        assert_eq!(here, there);
        assert!(at(&here) == at(&again) && at(&here) != at(&there));
    }
}
