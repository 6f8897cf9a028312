//! The exact set of seen states: open-addressed tables over packed states.
//!
//! The states themselves stand in one long list of pieces, in the order in which they were found. Beside
//! it are 64 tables, one for each value of the upper bits of the hash, which grow together: small ones double,
//! large ones grow by two fifths, so that little is free. A slot has 32 bits: a state's number,
//! and in the bits that numbers do not need yet as much of its hash as fits, so that most probes that
//! miss do not touch the list. Nothing is ever removed.
//!
//! Many threads look states up at once, and put in what is new ([`claims`](super::claims)). The cut by the hash is
//! that of the parallel Murφ (Stern and Dill, 1997), within one memory.

use super::claims::Claims;
use super::shard::{DOUBLES_TO, SHARDS, Shard, free_slots, number_in, shard_of};
use super::{MOST_NUMBERS, Refused, Segments};
use crate::clock::hands::share;
use crate::clock::{self, Stopped};
use crate::state::hash_state;
use std::sync::atomic::Ordering::Relaxed;

/// Up to how many slots tables of states of several words double, beside which slots are small.
const WIDE_DOUBLES_TO: usize = 1 << 15;
/// From how many states on the tables do not fit the caches of one core.
const FAR: usize = 1 << 16;
/// States of one word that are looked up together.
const TOGETHER: usize = 32;
/// Fewer are looked up one after the other.
const FEW: usize = 4;
/// States that are put into tables again at a time.
const SORTED: u32 = 1 << 15;
/// Bits of a slot that hold a number, at first.
const FIRST_BITS: u32 = 12;

/// Seen states, numbered from 0.
#[derive(Debug)]
pub struct StateTable {
    pub(super) states: Segments<u64>,
    pub(super) shards: Box<[Shard; SHARDS]>,
    /// Bits of a slot that hold a number.
    pub(super) bits: u32,
    /// States that may be numbered.
    most: u32,
    /// What threads have claimed, while they may.
    pub(super) claims: Claims,
    /// For [`StateTable::insert_all`]: what the states that are looked up may be.
    likely: Vec<Option<(u32, u64)>>,
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

impl StateTable {
    /// An empty table for states of this many words.
    pub fn new(words: usize) -> StateTable {
        StateTable {
            states: Segments::new(words),
            shards: Box::new(std::array::from_fn(|_| Shard::new())),
            bits: FIRST_BITS,
            most: MOST_NUMBERS,
            claims: Claims::default(),
            likely: Vec::new(),
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
        self.states.bytes() + slots * size_of::<u32>() + self.claims.bytes()
    }

    pub fn find(&self, state: &[u64]) -> Option<u32> {
        self.find_hashed(state, hash_state(state))
    }

    /// The same, with the hash from [`hash_state`] at hand.
    #[inline]
    pub fn find_hashed(&self, state: &[u64], hash: u64) -> Option<u32> {
        self.look(&self.shards[shard_of(hash)], state, hash).ok()
    }

    /// Whether the state with a number is this one.
    #[inline]
    pub(super) fn equal(&self, number: u32, state: &[u64]) -> bool {
        match state {
            [word] => self.states.one(number) == *word,
            words => self.states.get(number) == words,
        }
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
        debug_assert!(!self.claims.are_open());
        let width = self.states.width();
        if width != 1 || hashes.len() < FEW {
            self.touch(hashes);
            for (i, (state, hash)) in states.chunks_exact(width).zip(hashes).enumerate() {
                let (number, new) = self.insert_hashed(state, *hash)?;
                each(i, number, new)?;
            }
            return Ok(());
        }
        let mut likely = std::mem::take(&mut self.likely);
        let together = states.chunks(TOGETHER).zip(hashes.chunks(TOGETHER));
        for (first, (states, hashes)) in (0..).step_by(TOGETHER).zip(together) {
            self.look_ahead(hashes, &mut likely);
            for (i, (word, hash)) in states.iter().zip(hashes).enumerate() {
                let (number, new) = match likely.get(i) {
                    Some(Some((number, state))) if state == word => (*number, false),
                    _ => self.insert_hashed(std::slice::from_ref(word), *hash)?,
                };
                each(first + i, number, new)?;
            }
        }
        self.likely = likely;
        Ok(())
    }

    /// Of states of one word: the state that the first slot for its hash names, if that may be it. The slots are read
    /// one after the other, and then the states: so that the memory's latency is paid twice, and not twice for each.
    /// Nothing where the tables are near.
    #[inline]
    fn look_ahead(&self, hashes: &[u64], likely: &mut Vec<Option<(u32, u64)>>) {
        likely.clear();
        if self.states.len() < FAR {
            return;
        }
        let mut slots = [0; TOGETHER];
        for (slot, hash) in slots.iter_mut().zip(hashes) {
            let shard = &self.shards[shard_of(*hash)];
            *slot = shard.slot(shard.start(*hash));
        }
        likely.extend(slots.iter().zip(hashes).map(|(slot, hash)| {
            let number = number_in(*slot, *hash, self.bits);
            number.map(|number| (number, self.states.one(number)))
        }));
    }

    /// Whether there are numbers for so many more.
    pub fn has_numbers(&self, more: usize) -> bool {
        self.states.len() + more <= self.most as usize
    }

    /// The next number, if there is one.
    #[inline]
    pub(super) fn next(&mut self) -> Result<u32, Full> {
        let number = self.states.len() as u32;
        if number >= self.most {
            return Err(Full::Numbers);
        }
        if number >= self.claims.most_numbers(self.bits) {
            self.widen();
        }
        Ok(number)
    }

    /// Adds a state that is new; `free`: where the search for it ended.
    pub(super) fn add(&mut self, state: &[u64], hash: u64, mut free: usize) -> Result<u32, Full> {
        let number = self.next()?;
        if self.shards[shard_of(hash)].is_full() {
            self.grow(hash)?;
            free = self.shards[shard_of(hash)].free(hash);
        }
        let StateTable { states, shards, bits, .. } = self;
        let shard = &mut shards[shard_of(hash)];
        states.push(state)?;
        shard.fill(free, number, hash, *bits);
        shard.len += 1;
        Ok(number)
    }

    /// Makes room in the table for a hash, and as nothing is claimed in all of them: then the states are read in their
    /// order, and not as they are strewn over one of the tables.
    #[cold]
    fn grow(&mut self, hash: u64) -> Result<(), Stopped> {
        let doubles_to = if self.states.width() == 1 { DOUBLES_TO } else { WIDE_DOUBLES_TO };
        let shard = &mut self.shards[shard_of(hash)];
        if self.claims.are_open() {
            let mut shard = std::mem::replace(shard, Shard::new());
            let slots = shard.slots_for(1);
            let grown = shard.grow(slots, self.bits, |number| self.hash_of(number));
            self.shards[shard_of(hash)] = shard;
            return grown;
        }
        let slots = shard.slots.len();
        let size = if slots < doubles_to { 2 * slots } else { shard.slots_for(1) };
        self.grow_all(size, 1)
    }

    /// Makes room for at least as many slots in each table, on up to so many threads.
    pub(super) fn grow_all(&mut self, size: usize, threads: usize) -> Result<(), Stopped> {
        let StateTable { states, shards, bits, .. } = self;
        let more = shards.iter().map(|shard| size.saturating_sub(shard.slots.len()));
        clock::take(more.sum::<usize>() * size_of::<u32>())?;
        for shard in shards.iter_mut() {
            // One may have grown by itself. The old slots go first: nothing in them is needed.
            let size = size.max(shard.slots.len());
            shard.slots = Vec::new();
            shard.slots = free_slots(size);
        }
        let (states, bits) = (&*states, *bits);
        let part = SHARDS.div_ceil(threads);
        let parts = shards.chunks_mut(part).enumerate();
        share(&mut vec![(); threads], parts, |(), (i, shards)| {
            refill(states, shards, i * part, bits);
            Ok(())
        })
    }

    /// Numbers take one more bit, hashes one less.
    #[cold]
    pub(super) fn widen(&mut self) {
        for slot in self.shards.iter().flat_map(|shard| &shard.slots) {
            let wider = self.claims.widened(slot.load(Relaxed), self.bits);
            slot.store(wider, Relaxed);
        }
        self.claims.widen();
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
            sum ^ shard.slot(shard.start(*hash))
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

/// Puts all states into tables that are empty, the first of which has this number among all. Where they are many, they
/// are sorted by the table, some at a time: so that neither the states nor the slots are gone through at random.
fn refill(states: &Segments<u64>, shards: &mut [Shard], first: usize, bits: u32) {
    let count = states.len() as u32;
    if states.len() < FAR {
        for number in 0..count {
            let hash = hash_state(states.get(number));
            if let Some(shard) = shards.get(shard_of(hash).wrapping_sub(first)) {
                shard.fill(shard.free(hash), number, hash, bits);
            }
        }
        return;
    }
    let mut part: Vec<(u64, u32)> = Vec::with_capacity(SORTED.min(count) as usize);
    let mut sorted = Vec::new();
    for from in (0..count).step_by(SORTED as usize) {
        part.clear();
        let mut ends = [0; SHARDS + 1];
        for number in from..count.min(from.saturating_add(SORTED)) {
            let hash = hash_state(states.get(number));
            let of = shard_of(hash).wrapping_sub(first);
            if of < shards.len() {
                part.push((hash, number));
                ends[of + 1] += 1;
            }
        }
        for of in 0..SHARDS {
            ends[of + 1] += ends[of];
        }
        sorted.resize(part.len(), (0, 0));
        for (hash, number) in &part {
            let end = &mut ends[shard_of(*hash) - first];
            sorted[*end] = (*hash, *number);
            *end += 1;
        }
        for (hash, number) in &sorted {
            let shard = &mut shards[shard_of(*hash) - first];
            shard.fill(shard.free(*hash), *number, *hash, bits);
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
        // Until it has grown at 0.9 million, and some way on.
        for (i, state) in states(1_100_000).enumerate() {
            table.insert(&[state]).unwrap();
            if i > 500_000 && i % 1000 == 0 {
                // The states themselves take eight.
                most = most.max((table.bytes() - table.states.bytes()) as f64 / i as f64);
            }
        }
        assert!(most < 6.9, "{most}");
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
