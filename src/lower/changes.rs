//! What operations did before, by the part of the state that they read.
//!
//! Each operation that asks has a table, with one place for each key that follows from it: what was met last stands
//! there. Tables grow where that pays, and rest where what is read hardly ever comes again, the longer the more
//! often that was so.

use super::memory::{Key, PARTS, place_of};

/// Places of a table, at first and at most.
const SMALL: usize = 1 << 10;
const LARGE: usize = 1 << 14;

/// Most words of changes in one table.
const WORDS: usize = 1 << 17;

/// About how many instructions it costs to find something again, and to remember in vain.
const FINDING: u64 = 60;
const REMEMBERING: u64 = 150;

/// What an operation takes for each instruction that is guessed of its formulas, as measured, and what at most is believed.
const FOR_EACH: u64 = 3;
const MOST_EFFORT: u64 = 1000;

/// Questions that a table rests for when it does not pay, at first and at most.
const REST: u32 = 1 << 14;
const LONG_REST: u32 = 1 << 20;

/// What one thread remembers, by the numbers of operations' tables.
#[derive(Default)]
pub struct Changes {
    tables: Vec<Table>,
}

/// What is known of an operation that reads this.
pub enum Known<'c> {
    /// Words that tell the changes, as they were remembered.
    All(&'c [u64]),
    /// Nothing: they are to be remembered.
    Nothing,
    /// It rests.
    Rests,
}

#[derive(Default)]
struct Table {
    places: Vec<Place>,
    words: Vec<u64>,
    asked: u64,
    answered: u64,
    rest: u32,
    next_rest: u32,
}

#[derive(Clone)]
struct Place {
    key: Key,
    /// Which words are those of the key; with no end where there is no key.
    words: (u32, u32),
}

const FREE: Place = Place { key: [0; PARTS], words: (0, u32::MAX) };

impl Changes {
    /// What is known of the operation with this table.
    #[inline]
    pub fn ask(&mut self, table: usize, key: &Key) -> Known<'_> {
        let Some(table) = self.tables.get_mut(table) else { return Known::Nothing };
        if table.rest > 0 {
            table.rest -= 1;
            return Known::Rests;
        }
        if table.places.is_empty() {
            return Known::Nothing;
        }
        table.asked += 1;
        let place = &table.places[place_of(key, table.places.len())];
        if place.key != *key || place.words.1 == u32::MAX {
            return Known::Nothing;
        }
        table.answered += 1;
        let (first, end) = place.words;
        Known::All(&table.words[first as usize..end as usize])
    }

    /// Remembers what was not known. `effort`: about how many instructions it cost to find it.
    pub fn remember(&mut self, table: usize, effort: u32, key: Key, words: &[u64]) {
        if self.tables.len() <= table {
            self.tables.resize_with(table + 1, Table::default);
        }
        self.tables[table].remember(effort, key, words);
    }
}

impl Table {
    fn remember(&mut self, effort: u32, key: Key, words: &[u64]) {
        if words.len() > WORDS / 64 || !self.goes_on(effort) {
            return;
        }
        if self.words.len() + words.len() > WORDS {
            self.resize(self.places.len());
        }
        let first = self.words.len() as u32;
        self.words.extend_from_slice(words);
        let at = place_of(&key, self.places.len());
        self.places[at] = Place { key, words: (first, first + words.len() as u32) };
    }

    /// Now and then looks whether remembering pays, and if so whether more places would pay, too.
    fn goes_on(&mut self, effort: u32) -> bool {
        let size = self.places.len();
        if size == 0 {
            self.resize(SMALL);
        }
        let (asked, answered) = (self.asked, self.answered);
        if asked < 4 * size.max(SMALL) as u64 {
            return true;
        }
        let effort = (FOR_EACH * u64::from(effort)).min(MOST_EFFORT);
        let saved = effort.saturating_sub(FINDING);
        let pays = answered * saved >= (asked - answered) * REMEMBERING;
        let may_grow = size < LARGE && answered < asked / 4 * 3;
        // What comes again may be too much for so few places.
        let promises = may_grow && answered >= asked / 8;
        if !(pays || promises) {
            let next_rest = self.next_rest.max(REST);
            *self = Table {
                rest: next_rest,
                next_rest: next_rest.saturating_mul(2).min(LONG_REST),
                ..Table::default()
            };
            return false;
        }
        if may_grow {
            self.resize(4 * size);
        }
        (self.asked, self.answered) = (0, 0);
        true
    }

    fn resize(&mut self, size: usize) {
        self.places.clear();
        self.places.resize(size, FREE);
        self.words.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(i: u64) -> Vec<u64> {
        (0..i % 5).map(|k| i * k).collect()
    }

    #[test]
    fn what_is_known_is_what_was_remembered() {
        let mut changes = Changes::default();
        let mut answers = 0;
        for i in 0..100_000u64 {
            let i = i * 7919 % 3000;
            let key = [i % 97, i, 0, i % 3];
            let words = told(i);
            match changes.ask((i % 2) as usize, &key) {
                Known::All(known) => {
                    assert_eq!(known, &words[..]);
                    answers += 1;
                }
                Known::Nothing => changes.remember((i % 2) as usize, 1000, key, &words),
                Known::Rests => {}
            }
        }
        assert!(answers > 50_000, "{answers}");
    }

    #[test]
    fn it_rests_longer_and_longer_where_nothing_comes_again() {
        let mut changes = Changes::default();
        let mut rests = Vec::new();
        let mut asked = 0u64;
        for i in 0..2_000_000u64 {
            match changes.ask(0, &[i, 0, 0, 0]) {
                Known::All(..) => panic!("{i} was not asked before"),
                Known::Nothing => {
                    asked += 1;
                    changes.remember(0, 1 << 20, [i, 0, 0, 0], &[i]);
                    rests.push(0);
                }
                Known::Rests => *rests.last_mut().expect("it asks first") += 1,
            }
        }
        rests.retain(|n| *n > 0);
        assert_eq!(rests[..3], [1 << 14, 1 << 15, 1 << 16]);
        assert!(asked < 30_000, "{asked}");
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let mut changes = Changes::default();
        for i in 0..400_000u64 {
            // Every other question is answered.
            let key = [i / 2, 0, 0, 0];
            if let Known::Nothing = changes.ask(0, &key) {
                changes.remember(0, 1000, key, &[i; 100]);
            }
        }
        let table = &changes.tables[0];
        assert!(table.words.len() <= WORDS && table.places.len() <= LARGE && table.rest == 0);
        changes.remember(0, 1000, [1; 4], &[0; WORDS]);
        assert!(matches!(changes.ask(0, &[1; 4]), Known::Nothing));
    }
}
