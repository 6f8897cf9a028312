//! The exact set of seen states: open-addressed tables over packed states.
//!
//! The states themselves stand in one long list of pieces, in the order in which they were found. Beside
//! it are 64 tables, one for each value of the upper bits of the hash, which grow by themselves and by a
//! third: so never is much copied at once, and little is free. A slot has 32 bits: a state's number,
//! and in the bits that numbers do not need yet as much of its hash as fits, so that most probes that
//! miss do not touch the list. Nothing is ever removed.
//!
//! Several threads fill the tables without a lock and without an atomic operation, since no two of them
//! share a table: what is known to be new is numbered by one thread ([`StateTable::number`]), which writes
//! the lists alone; then each table takes its own new numbers in, on whatever thread
//! ([`StateTable::enter`]). The cut by the hash is that of the parallel Murφ (Stern and Dill, 1997),
//! within one memory. What is not promised: a state that was numbered is not found before it was entered, and
//! nobody may look while states are entered (the borrow checker sees to that): there is nothing here to
//! interleave but who takes which table, which a model checker for threads varies in the tests of
//! `search::ahead`. The shared tables of LTSmin and of DiVinE, where all threads insert at once, promise
//! both, and pay with a compare-and-swap for each new state, and with numbers that differ from run to run.

use super::{MOST_NUMBERS, Refused, Segments};
use crate::clock::hands::share;
use crate::clock::{self, Stopped};
use crate::state::hash_state;

/// Number of tables, and the power of two that this is.
const SHARD_BITS: u32 = 6;
pub const SHARDS: usize = 1 << SHARD_BITS;
/// From how many new states on it takes several threads to enter them.
const MANY: usize = 1 << 12;
/// Slots of an empty table, and up to how many it doubles: of states of one word, and of larger ones, beside
/// which slots are small.
const FIRST_SLOTS: usize = 16;
const DOUBLES_TO: usize = 1 << 12;
const WIDE_DOUBLES_TO: usize = 1 << 15;
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
    /// States that were numbered and not entered.
    waiting: usize,
}

/// The table of the states whose hashes have the same upper bits.
#[derive(Clone, Debug)]
struct Shard {
    /// `0`: free; otherwise number + 1 in the lower bits, part of the hash in the others.
    slots: Vec<u32>,
    len: usize,
    /// Numbers that are to be entered.
    waiting: Vec<u32>,
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
        Shard { slots: vec![0; FIRST_SLOTS], len: 0, waiting: Vec::new() }
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

    /// The number of the state that is equal, or else the free slot where the search ends. `equal` is asked
    /// about numbers.
    #[inline(always)]
    fn find(&self, hash: u64, bits: u32, equal: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let (low, high) = (low_bits(bits), kept_of(hash, bits));
        let mut at = self.start(hash);
        loop {
            let Some(slot) = self.slots.get(at) else {
                at = 0;
                continue;
            };
            // Where the hash is the same, nothing but the number is left.
            let number = (slot ^ high).wrapping_sub(1);
            if number < low {
                if equal(number) {
                    return Ok(number);
                }
            } else if *slot == 0 {
                return Err(at);
            }
            at += 1;
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

    /// Puts a number into a free slot for its hash.
    fn put(
        &mut self,
        number: u32,
        hash: u64,
        bits: u32,
        hash_of: impl Fn(u32) -> u64,
    ) -> Result<(), Stopped> {
        if self.is_full() {
            self.grow(bits, hash_of)?;
        }
        let free = self.free(hash);
        self.slots[free] = kept_of(hash, bits) | (number + 1);
        self.len += 1;
        Ok(())
    }

    /// Enters the numbers that wait.
    fn enter(&mut self, bits: u32, hash_of: impl Fn(u32) -> u64) -> Result<(), Stopped> {
        let mut waiting = std::mem::take(&mut self.waiting);
        for number in &waiting {
            self.put(*number, hash_of(*number), bits, &hash_of)?;
        }
        waiting.clear();
        self.waiting = waiting;
        Ok(())
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

/// The table for a hash.
#[inline]
pub fn shard_of(hash: u64) -> usize {
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
            waiting: 0,
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
        let held = |shard: &Shard| shard.slots.capacity() + shard.waiting.capacity();
        self.states.bytes() + self.shards.iter().map(held).sum::<usize>() * size_of::<u32>()
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

    /// The same for many states, one after the other, with their hashes; `each` is told their numbers in
    /// order, and whether they are new.
    ///
    /// # Errors
    /// One of them is new, and there is no room for it.
    #[inline]
    pub fn insert_all(
        &mut self,
        states: &[u64],
        hashes: &[u64],
        mut each: impl FnMut(usize, u32, bool) -> Result<(), Stopped>,
    ) -> Result<(), Full> {
        self.enter(1)?;
        self.touch(hashes);
        let width = self.states.width();
        if width != 1 {
            for (i, (state, hash)) in states.chunks_exact(width).zip(hashes).enumerate() {
                let (number, new) = self.insert_hashed(state, *hash)?;
                each(i, number, new)?;
            }
            return Ok(());
        }
        for (i, (word, hash)) in states.iter().zip(hashes).enumerate() {
            let equal = |number: u32| self.states.one(number) == *word;
            match self.shards[shard_of(*hash)].find(*hash, self.bits, equal) {
                Ok(number) => each(i, number, false)?,
                Err(free) => {
                    let number = self.add(std::slice::from_ref(word), *hash, free)?;
                    each(i, number, true)?;
                }
            }
        }
        Ok(())
    }

    /// The next number, if there is one.
    fn next(&mut self) -> Result<u32, Full> {
        let number = self.states.len() as u32;
        if number >= self.most {
            return Err(Full::Numbers);
        }
        if number + 1 > low_bits(self.bits) {
            self.widen();
        }
        Ok(number)
    }

    /// Adds a state that is new; `free`: where the search for it ended.
    fn add(&mut self, state: &[u64], hash: u64, mut free: usize) -> Result<u32, Full> {
        let number = self.next()?;
        let shard = &self.shards[shard_of(hash)];
        if shard.is_full() {
            self.grow(hash)?;
            free = self.shards[shard_of(hash)].free(hash);
        }
        let StateTable { states, shards, bits, .. } = self;
        let shard = &mut shards[shard_of(hash)];
        states.push(state)?;
        shard.slots[free] = kept_of(hash, *bits) | (number + 1);
        shard.len += 1;
        Ok(number)
    }

    /// Makes room in the table for a hash: in all of them, as long as they are small. Then the states are read in
    /// their order, and not as they are strewn over one of the tables.
    #[cold]
    fn grow(&mut self, hash: u64) -> Result<(), Stopped> {
        let StateTable { states, shards, bits, waiting, .. } = self;
        let shard = &mut shards[shard_of(hash)];
        let doubles_to = if states.width() == 1 { DOUBLES_TO } else { WIDE_DOUBLES_TO };
        if shard.slots.len() >= doubles_to || *waiting > 0 {
            return shard.grow(*bits, |number| hash_state(states.get(number)));
        }
        let size = 2 * shard.slots.len();
        clock::take(SHARDS * size * size_of::<u32>())?;
        for shard in shards.iter_mut() {
            // One may have grown by itself.
            let size = size.max(shard.slots.len());
            shard.slots = vec![0; size];
        }
        for number in 0..states.len() as u32 {
            let hash = hash_state(states.get(number));
            let shard = &mut shards[shard_of(hash)];
            let free = shard.free(hash);
            shard.slots[free] = kept_of(hash, *bits) | (number + 1);
        }
        Ok(())
    }

    /// Numbers a state that is known to be new. It is found once it was entered.
    ///
    /// # Errors
    /// There is no room for it.
    #[inline]
    pub fn number(&mut self, state: &[u64], hash: u64) -> Result<u32, Full> {
        let number = self.next()?;
        self.states.push(state)?;
        self.shards[shard_of(hash)].waiting.push(number);
        self.waiting += 1;
        Ok(number)
    }

    /// Enters the states that were numbered, on up to so many threads if they are many.
    ///
    /// # Errors
    /// There is no room for one; the work is to end.
    #[inline]
    pub fn enter(&mut self, threads: usize) -> Result<(), Stopped> {
        if self.waiting == 0 { Ok(()) } else { self.enter_waiting(threads) }
    }

    #[cold]
    fn enter_waiting(&mut self, threads: usize) -> Result<(), Stopped> {
        let threads = if self.waiting < MANY { 1 } else { threads };
        self.waiting = 0;
        let StateTable { states, shards, bits, .. } = self;
        let (states, bits) = (&*states, *bits);
        share(&mut vec![(); threads], shards.iter_mut(), |(), shard| {
            shard.enter(bits, |number| hash_state(states.get(number)))
        })
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
    fn what_is_numbered_is_found_once_it_was_entered() {
        for threads in [1, 3] {
            let (mut table, mut other) = (StateTable::new(1), StateTable::new(1));
            let states: Vec<u64> = states(30_000).collect();
            for (i, some) in states.chunks(7_000).enumerate() {
                for state in some {
                    other.insert(&[*state]).unwrap();
                    let number = table.number(&[*state], hash_state(&[*state]));
                    assert_eq!(number, Ok(other.len() as u32 - 1));
                }
                assert_eq!(table.find(&[some[0]]), None);
                table.enter(threads).unwrap();
                assert_eq!(table.find(&[some[0]]), Some(i as u32 * 7_000));
            }
            for state in &states {
                assert_eq!(table.find(&[*state]), other.find(&[*state]));
            }
            assert_eq!(table.len(), other.len());
        }
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
