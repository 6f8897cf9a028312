//! The exact set of seen states: an open-addressed table over packed states.
//!
//! The states themselves stand in one long list, `words` words each, in the order in which they were
//! found; a slot holds a state's number and 32 bits of its hash, so that most probes that miss do
//! not touch the list. Nothing is ever removed.

use crate::state::hash_state;

/// Seen states, numbered from 0.
#[derive(Clone, Debug)]
pub struct StateTable {
    words: usize,
    states: Vec<u64>,
    /// `0`: free; otherwise number + 1 in the low half, the hash's upper half in the high half.
    slots: Vec<u64>,
    mask: usize,
    len: usize,
}

impl StateTable {
    /// An empty table for states of this many words.
    pub fn new(words: usize) -> StateTable {
        StateTable {
            words: words.max(1),
            states: Vec::new(),
            slots: vec![0; 1024],
            mask: 1023,
            len: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn state(&self, number: u32) -> &[u64] {
        let at = number as usize * self.words;
        &self.states[at..at + self.words]
    }

    /// Bytes held, spare capacity included.
    pub fn bytes(&self) -> usize {
        (self.states.capacity() + self.slots.capacity()) * 8
    }

    pub fn find(&self, state: &[u64]) -> Option<u32> {
        let hash = hash_state(state);
        let mut at = hash as usize & self.mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            if slot >> 32 == hash >> 32 && self.state(slot as u32 - 1) == state {
                return Some(slot as u32 - 1);
            }
            at = (at + 1) & self.mask;
        }
    }

    /// The number of a state, and whether it is new.
    pub fn insert(&mut self, state: &[u64]) -> (u32, bool) {
        self.insert_hashed(state, hash_state(state))
    }

    /// The same, with the hash from [`hash_state`] at hand.
    #[inline]
    pub fn insert_hashed(&mut self, state: &[u64], hash: u64) -> (u32, bool) {
        // States of one word are common and compared without a call.
        if let ([word], 1) = (state, self.words) {
            self.insert_where(hash, state, |states, number| states[number] == *word)
        } else {
            let words = self.words;
            self.insert_where(hash, state, |states, number| {
                states[number * words..(number + 1) * words] == *state
            })
        }
    }

    #[inline]
    fn insert_where(
        &mut self,
        hash: u64,
        state: &[u64],
        equal: impl Fn(&[u64], usize) -> bool,
    ) -> (u32, bool) {
        let mut at = hash as usize & self.mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                break;
            }
            if slot >> 32 == hash >> 32 && equal(&self.states, slot as u32 as usize - 1) {
                return (slot as u32 - 1, false);
            }
            at = (at + 1) & self.mask;
        }
        (self.add(state, hash, at), true)
    }

    fn add(&mut self, state: &[u64], hash: u64, at: usize) -> u32 {
        let number = self.len as u32;
        self.states.extend_from_slice(state);
        self.slots[at] = hash >> 32 << 32 | (number as u64 + 1);
        self.len += 1;
        if self.len * 4 > self.slots.len() * 3 {
            self.grow();
        }
        number
    }

    /// Reads the slots of many hashes before any of them is looked at, so that the memory's latency
    /// is paid once and not once a state. The sum keeps the reads from being dropped.
    pub fn touch(&self, hashes: &[u64]) -> u64 {
        hashes.iter().fold(0, |sum, h| sum ^ self.slots[*h as usize & self.mask])
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        self.mask = size - 1;
        self.slots = vec![0; size];
        for number in 0..self.len {
            let from = number * self.words;
            let hash = hash_state(&self.states[from..from + self.words]);
            let mut at = hash as usize & self.mask;
            while self.slots[at] != 0 {
                at = (at + 1) & self.mask;
            }
            self.slots[at] = hash >> 32 << 32 | (number as u64 + 1);
        }
    }
}
