//! For each key the first state that had it.

use super::{Admitted, Refused, StateTable, Store};
use crate::reduce::{Batch, Worker};
use crate::state::Interner;
use crate::symmetry::Order;

pub struct First {
    /// Keys are one word.
    keys: StateTable,
    words: usize,
    /// One after the other.
    states: Vec<u64>,
}

impl First {
    /// For states of this many words.
    pub fn new(words: usize) -> First {
        First { keys: StateTable::new(1), words, states: Vec::new() }
    }
}

impl Store for First {
    fn find_or_put(
        &mut self,
        batch: &Batch,
        _: &mut dyn Worker,
        _: &mut Interner,
        out: &mut Vec<Admitted>,
    ) -> Result<(), Refused> {
        for (i, hash) in batch.hashes().iter().enumerate() {
            let put = Admitted::at(self.keys.insert_hashed(batch.key(i), *hash));
            if put.new {
                self.states.extend_from_slice(batch.state(i));
            }
            out.push(put);
        }
        Ok(())
    }

    fn state(&self, number: u32) -> &[u64] {
        let at = number as usize * self.words;
        &self.states[at..at + self.words]
    }

    fn len(&self) -> usize {
        self.keys.len()
    }

    fn order(&self, _: u32) -> Option<&Order> {
        None
    }

    fn bytes(&self) -> usize {
        self.keys.bytes() + 8 * self.states.capacity()
    }
}
