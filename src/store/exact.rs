//! States that differ in a word are different.

use super::{Admitted, Refused, Stabilisers, StateTable, Store};
use crate::reduce::{Batch, Worker};
use crate::state::Interner;
use crate::symmetry::Order;
use std::ops::Range;

pub struct Exact {
    table: StateTable,
    stabilisers: Stabilisers,
}

impl Exact {
    /// For states of this many words, and as many states.
    pub fn new(words: usize, most: u32) -> Exact {
        let table = StateTable::new(words).numbering(most);
        Exact { table, stabilisers: Stabilisers::default() }
    }
}

impl Store for Exact {
    fn find_or_put(
        &mut self,
        batch: &Batch,
        states: Range<usize>,
        _: &mut dyn Worker,
        _: &mut Interner,
        out: &mut Vec<Admitted>,
    ) -> Result<(), Refused> {
        let hashes = &batch.hashes()[states.clone()];
        self.table.touch(hashes);
        let first = states.start;
        for (i, (state, hash)) in batch.some(states).zip(hashes).enumerate() {
            match self.table.insert_hashed(state, *hash) {
                Ok(put) => out.push(Admitted::at(put)),
                Err(full) => return Err(full.refused(&self.table)),
            }
            if out[out.len() - 1].new
                && let Some(order) = batch.order(first + i)
            {
                self.stabilisers.push(order)?;
            }
        }
        Ok(())
    }

    fn find(&self, batch: &Batch, out: &mut Vec<Option<u32>>) {
        self.table.touch(batch.hashes());
        let states = batch.states().zip(batch.hashes());
        out.clear();
        out.extend(states.map(|(state, hash)| self.table.find_hashed(state, *hash)));
    }

    fn state(&self, number: u32) -> &[u64] {
        self.table.state(number)
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn order(&self, number: u32) -> Option<&Order> {
        self.stabilisers.get(number)
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.stabilisers.bytes()
    }
}
