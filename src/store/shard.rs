//! The table of the states whose hashes have the same upper bits: open addressing with slots of 32 bits.
//!
//! A slot has a number in its lower bits, and in the others as much of the hash as fits, so that most probes
//! that miss do not touch the states. Nothing is removed but by [`Shard::keep`].

use crate::clock::{self, Stopped};
use crate::sync::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// Number of tables, and the power of two that this is.
pub(super) const SHARD_BITS: u32 = 6;
pub(super) const SHARDS: usize = 1 << SHARD_BITS;
/// Slots of an empty table.
pub(super) const FIRST_SLOTS: usize = 16;
/// Up to how many slots a table of states of one word doubles; then it grows by two fifths.
pub(super) const DOUBLES_TO: usize = 1 << 13;
/// How many of how many slots are taken at most.
const TAKEN: usize = 17;
const OF: usize = 20;

#[derive(Debug)]
pub(super) struct Shard {
    /// `0`: free; otherwise number + 1 in the lower bits, part of the hash in the others.
    pub slots: Vec<AtomicU32>,
    pub len: usize,
    /// Slots that may be taken before they are counted.
    pub promised: usize,
}

/// The mask of as many bits.
#[inline]
pub(super) fn low_bits(bits: u32) -> u32 {
    ((1u64 << bits) - 1) as u32
}

/// What a slot holds of a hash beside a number of as many bits: not the bits that choose the table.
#[inline]
pub(super) fn kept_of(hash: u64, bits: u32) -> u32 {
    (hash >> (32 - SHARD_BITS)) as u32 & !low_bits(bits)
}

/// The number in a slot, unless what it holds of a hash says that it is not for this one.
#[inline]
pub(super) fn number_in(slot: u32, hash: u64, bits: u32) -> Option<u32> {
    // Where the hash is the same, nothing but the number is left; 0 is none.
    let number = (slot ^ kept_of(hash, bits)).wrapping_sub(1);
    (number < low_bits(bits)).then_some(number)
}

/// The table for a hash.
#[inline]
pub(super) fn shard_of(hash: u64) -> usize {
    (hash >> (64 - SHARD_BITS)) as usize
}

pub(super) fn free_slots(count: usize) -> Vec<AtomicU32> {
    std::iter::repeat_with(AtomicU32::default).take(count).collect()
}

impl Shard {
    pub fn new() -> Shard {
        Shard { slots: free_slots(FIRST_SLOTS), len: 0, promised: 0 }
    }

    /// Where the search for a hash begins.
    #[inline]
    pub fn start(&self, hash: u64) -> usize {
        (((hash & 0xFFFF_FFFF) * self.slots.len() as u64) >> 32) as usize
    }

    #[inline]
    pub fn after(&self, at: usize) -> usize {
        if at + 1 == self.slots.len() { 0 } else { at + 1 }
    }

    /// What a slot holds, where nobody else writes.
    #[inline]
    pub fn slot(&self, at: usize) -> u32 {
        self.slots[at].load(Relaxed)
    }

    /// The number of the state that is equal, or else the free slot where the search ends. `equal` is asked
    /// about numbers.
    #[inline(always)]
    pub fn find(&self, hash: u64, bits: u32, equal: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let (low, high) = (low_bits(bits), kept_of(hash, bits));
        let mut at = self.start(hash);
        loop {
            let Some(slot) = self.slots.get(at) else {
                at = 0;
                continue;
            };
            let slot = slot.load(Relaxed);
            // Where the hash is the same, nothing but the number is left.
            let number = (slot ^ high).wrapping_sub(1);
            if number < low {
                if equal(number) {
                    return Ok(number);
                }
            } else if slot == 0 {
                return Err(at);
            }
            at += 1;
        }
    }

    /// The first free slot for a hash.
    pub fn free(&self, hash: u64) -> usize {
        let mut at = self.start(hash);
        while self.slot(at) != 0 {
            at = self.after(at);
        }
        at
    }

    /// Writes a number into a free slot.
    pub fn fill(&self, free: usize, number: u32, hash: u64, bits: u32) {
        self.slots[free].store(kept_of(hash, bits) | (number + 1), Relaxed);
    }

    /// Writes one number where another one is, which is there.
    pub fn rename(&self, hash: u64, bits: u32, number: u32, by: u32) {
        let (is, high) = (kept_of(hash, bits) | (number + 1), kept_of(hash, bits));
        let mut at = self.start(hash);
        while self.slot(at) != is {
            at = self.after(at);
        }
        self.slots[at].store(high | (by + 1), Relaxed);
    }

    /// How many more slots may be taken.
    fn room(&self) -> usize {
        (self.slots.len() * TAKEN / OF).saturating_sub(self.len)
    }

    /// How many slots each of so many threads may be promised. One that works faster than the others may take
    /// all the room, but together they leave some slots free.
    pub fn room_for_each(&self, threads: usize) -> usize {
        let most = self.slots.len() * (TAKEN + 1) / OF;
        self.room().min(most.saturating_sub(self.len) / threads)
    }

    /// Whether it has to grow for one more. What is promised may stay away: so it may be fuller then.
    pub fn is_full(&self) -> bool {
        match self.promised {
            0 => self.room() == 0,
            promised => self.len + promised >= self.slots.len() * (TAKEN + 2) / OF,
        }
    }

    /// How many slots there are to be for so many more.
    pub fn slots_for(&self, more: usize) -> usize {
        let (mut slots, taken) = (self.slots.len(), self.len + self.promised + more);
        while slots * TAKEN / OF < taken {
            slots = if slots < DOUBLES_TO { 2 * slots } else { slots + slots * 2 / 5 };
        }
        slots
    }

    /// Makes room for as many slots.
    #[cold]
    pub fn grow(
        &mut self,
        slots: usize,
        bits: u32,
        hash_of: impl Fn(u32) -> u64,
    ) -> Result<(), Stopped> {
        if slots >= DOUBLES_TO {
            clock::take(slots * size_of::<u32>())?;
        }
        let before = std::mem::replace(&mut self.slots, free_slots(slots));
        let low = low_bits(bits);
        // The hashes of some at a time, so that the memory's latency is paid once.
        let mut taken = before.iter().map(|slot| slot.load(Relaxed)).filter(|slot| *slot != 0);
        let mut hashes = [(0, 0); 16];
        loop {
            let mut n = 0;
            for slot in taken.by_ref().take(hashes.len()) {
                hashes[n] = (slot, hash_of((slot & low) - 1));
                n += 1;
            }
            for (slot, hash) in &hashes[..n] {
                let at = self.free(*hash);
                self.slots[at].store(*slot, Relaxed);
            }
            if n < hashes.len() {
                return Ok(());
            }
        }
    }

    /// Leaves out the numbers that are not to be kept.
    #[cold]
    pub fn keep(&mut self, bits: u32, keeps: impl Fn(u32) -> bool, hash_of: impl Fn(u32) -> u64) {
        let low = low_bits(bits);
        let all = self.slots.iter().map(|slot| slot.load(Relaxed)).filter(|slot| *slot != 0);
        let kept: Vec<u32> = all.map(|slot| (slot & low) - 1).filter(|n| keeps(*n)).collect();
        self.slots.iter().for_each(|slot| slot.store(0, Relaxed));
        for number in kept {
            let hash = hash_of(number);
            self.fill(self.free(hash), number, hash, bits);
        }
    }
}
