//! The exact set of seen states: open-addressed tables over packed states.
//!
//! The states themselves stand in one long list of pieces, in the order in which they were found. Beside
//! it are 64 tables, one for each value of the upper bits of the hash, which grow by themselves and by a
//! third: so never is much copied at once, and little is free. A slot has 32 bits: a state's number,
//! and in the bits that numbers do not need yet as much of its hash as fits, so that most probes that
//! miss do not touch the list. Nothing is ever removed.

use super::{MOST_NUMBERS, Refused, Segments};
use crate::clock::{self, Stopped};
use crate::state::hash_state;

/// Number of tables, and the power of two that this is.
const SHARD_BITS: u32 = 6;
const SHARDS: usize = 1 << SHARD_BITS;
/// Slots of an empty table, and up to how many it doubles.
const FIRST_SLOTS: usize = 16;
const DOUBLES_TO: usize = 1 << 12;
/// How many of how many slots are taken at most.
const TAKEN: usize = 17;
const OF: usize = 20;
/// From how many states on the tables do not fit the caches of one core.
const FAR: usize = 1 << 16;
/// Bits of a slot that hold a number, at first.
const FIRST_BITS: u32 = 12;

/// Seen states, numbered from 0.
#[derive(Clone, Debug)]
pub struct StateTable {
    states: Segments<u64>,
    shards: Box<[Shard; SHARDS]>,
    /// Bits of a slot that hold a number.
    bits: u32,
    /// States that may be numbered.
    most: u32,
}

/// The table of the states whose hashes have the same upper bits.
#[derive(Clone, Debug)]
struct Shard {
    /// `0`: free; otherwise number + 1 in the lower bits, part of the hash in the others.
    slots: Vec<u32>,
    len: usize,
}

/// Why a table takes no more states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Full {
    /// There is no room; the work is to end.
    Memory,
    /// There are no more numbers.
    Numbers,
}

impl From<Stopped> for Full {
    fn from(Stopped: Stopped) -> Full {
        Full::Memory
    }
}

impl Shard {
    fn new() -> Shard {
        Shard { slots: vec![0; FIRST_SLOTS], len: 0 }
    }

    /// Where the search for a hash begins.
    #[inline]
    fn start(&self, hash: u64) -> usize {
        (((hash & 0xFFFF_FFFF) * self.slots.len() as u64) >> 32) as usize
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        if at + 1 == self.slots.len() { 0 } else { at + 1 }
    }

    /// The slot of the state that is equal, or else the free one where the search ends. `equal` is asked
    /// about numbers.
    #[inline]
    fn find(&self, hash: u64, bits: u32, equal: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let (low, high) = (low_bits(bits), kept_of(hash, bits));
        let mut at = self.start(hash);
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return Err(at);
            }
            if slot & !low == high && equal((slot & low) - 1) {
                return Ok((slot & low) - 1);
            }
            at = self.after(at);
        }
    }

    /// The first free slot for a hash.
    fn free(&self, hash: u64) -> usize {
        let mut at = self.start(hash);
        while self.slots[at] != 0 {
            at = self.after(at);
        }
        at
    }

    fn is_full(&self) -> bool {
        (self.len + 1) * OF > self.slots.len() * TAKEN
    }

    /// Makes room for more.
    #[cold]
    fn grow(&mut self, bits: u32, hash_of: impl Fn(u32) -> u64) -> Result<(), Stopped> {
        let size = match self.slots.len() {
            n if n < DOUBLES_TO => 2 * n,
            n => n + n / 3,
        };
        if size >= DOUBLES_TO {
            clock::take(size * size_of::<u32>())?;
        }
        let before = std::mem::replace(&mut self.slots, vec![0; size]);
        let low = low_bits(bits);
        // The hashes of some at a time, so that the memory's latency is paid once.
        let mut taken = before.iter().filter(|slot| **slot != 0);
        let mut hashes = [(0, 0); 16];
        loop {
            let mut n = 0;
            for slot in taken.by_ref().take(hashes.len()) {
                hashes[n] = (*slot, hash_of((slot & low) - 1));
                n += 1;
            }
            for (slot, hash) in &hashes[..n] {
                let at = self.free(*hash);
                self.slots[at] = *slot;
            }
            if n < hashes.len() {
                return Ok(());
            }
        }
    }
}

/// The mask of as many bits.
#[inline]
fn low_bits(bits: u32) -> u32 {
    ((1u64 << bits) - 1) as u32
}

/// What a slot holds of a hash beside a number of as many bits: not the bits that choose the table.
#[inline]
fn kept_of(hash: u64, bits: u32) -> u32 {
    (hash >> (32 - SHARD_BITS)) as u32 & !low_bits(bits)
}

#[inline]
fn shard_of(hash: u64) -> usize {
    (hash >> (64 - SHARD_BITS)) as usize
}

impl StateTable {
    /// An empty table for states of this many words.
    pub fn new(words: usize) -> StateTable {
        StateTable {
            states: Segments::new(words),
            shards: Box::new(std::array::from_fn(|_| Shard::new())),
            bits: FIRST_BITS,
            most: MOST_NUMBERS,
        }
    }

    /// The same with fewer numbers.
    pub fn numbering(self, most: u32) -> StateTable {
        StateTable { most: most.min(MOST_NUMBERS), ..self }
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    pub fn state(&self, number: u32) -> &[u64] {
        self.states.get(number)
    }

    /// Bytes held, spare capacity included.
    pub fn bytes(&self) -> usize {
        let slots: usize = self.shards.iter().map(|shard| shard.slots.capacity()).sum();
        self.states.bytes() + slots * size_of::<u32>()
    }

    pub fn find(&self, state: &[u64]) -> Option<u32> {
        self.find_hashed(state, hash_state(state))
    }

    /// The same, with the hash from [`hash_state`] at hand.
    #[inline]
    pub fn find_hashed(&self, state: &[u64], hash: u64) -> Option<u32> {
        self.look(&self.shards[shard_of(hash)], state, hash).ok()
    }

    /// States of one word are common and compared without a call.
    #[inline]
    fn look(&self, shard: &Shard, state: &[u64], hash: u64) -> Result<u32, usize> {
        match state {
            [word] => shard.find(hash, self.bits, |number| self.states.one(number) == *word),
            words => shard.find(hash, self.bits, |number| self.states.get(number) == words),
        }
    }

    /// The number of a state, and whether it is new.
    ///
    /// # Errors
    /// It is new, and there is no room for it.
    pub fn insert(&mut self, state: &[u64]) -> Result<(u32, bool), Full> {
        self.insert_hashed(state, hash_state(state))
    }

    /// The same, with the hash from [`hash_state`] at hand.
    ///
    /// # Errors
    /// It is new, and there is no room for it.
    #[inline]
    pub fn insert_hashed(&mut self, state: &[u64], hash: u64) -> Result<(u32, bool), Full> {
        match self.look(&self.shards[shard_of(hash)], state, hash) {
            Ok(number) => Ok((number, false)),
            Err(free) => Ok((self.add(state, hash, free)?, true)),
        }
    }

    /// Adds a state that is new; `free`: where the search for it ended.
    fn add(&mut self, state: &[u64], hash: u64, mut free: usize) -> Result<u32, Full> {
        let number = self.states.len() as u32;
        if number >= self.most {
            return Err(Full::Numbers);
        }
        if number + 1 > low_bits(self.bits) {
            self.widen();
        }
        let StateTable { states, shards, bits, .. } = self;
        let shard = &mut shards[shard_of(hash)];
        if shard.is_full() {
            shard.grow(*bits, |number| hash_state(states.get(number)))?;
            free = shard.free(hash);
        }
        states.push(state)?;
        shard.slots[free] = kept_of(hash, *bits) | (number + 1);
        shard.len += 1;
        Ok(number)
    }

    /// Numbers take one more bit, hashes one less.
    #[cold]
    fn widen(&mut self) {
        for shard in self.shards.iter_mut() {
            for slot in &mut shard.slots {
                *slot &= !(1 << self.bits);
            }
        }
        self.bits += 1;
    }

    /// Reads the slots of many hashes before any of them is looked at, so that the memory's latency
    /// is paid once and not once a state: where the tables are larger than what is near.
    #[inline]
    pub fn touch(&self, hashes: &[u64]) {
        if self.states.len() >= FAR {
            std::hint::black_box(self.read(hashes));
        }
    }

    /// The sum keeps the reads from being dropped.
    fn read(&self, hashes: &[u64]) -> u32 {
        hashes.iter().fold(0, |sum, hash| {
            let shard = &self.shards[shard_of(*hash)];
            sum ^ shard.slots[shard.start(*hash)]
        })
    }
}

impl Full {
    /// What it means to whoever searches.
    pub(super) fn refused(self, table: &StateTable) -> Refused {
        match self {
            Full::Memory => Refused::Interrupted,
            Full::Numbers => Refused::Numbers(table.most),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Different states, in no order.
    fn states(n: u64) -> impl Iterator<Item = u64> {
        (0..n).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i)
    }

    #[test]
    fn states_keep_their_numbers_while_the_tables_grow() {
        let mut table = StateTable::new(1);
        for (i, state) in states(300_000).enumerate() {
            assert_eq!(table.find(&[state]), None);
            assert_eq!(table.insert(&[state]), Ok((i as u32, true)));
        }
        for (i, state) in states(300_000).enumerate() {
            assert_eq!(table.insert(&[state]), Ok((i as u32, false)));
            assert_eq!(table.state(i as u32), [state]);
        }
        assert_eq!(table.len(), 300_000);
    }

    #[test]
    fn a_state_of_one_word_takes_few_bytes_at_any_time() {
        let mut table = StateTable::new(1);
        let mut most = 0.0f64;
        for (i, state) in states(2_000_000).enumerate() {
            table.insert(&[state]).unwrap();
            if i > 500_000 && i % 1000 == 0 {
                most = most.max(table.bytes() as f64 / i as f64);
            }
        }
        assert!(most < 14.7, "{most}");
    }

    #[test]
    fn numbers_are_not_given_twice() {
        let mut table = StateTable::new(2).numbering(3);
        for i in 0..3 {
            assert_eq!(table.insert(&[i, 0]), Ok((i as u32, true)));
        }
        assert_eq!(table.insert(&[3, 0]), Err(Full::Numbers));
        assert_eq!(table.insert(&[1, 0]), Ok((1, false)));
        assert_eq!(Full::Numbers.refused(&table), Refused::Numbers(3));
    }
}
