//! States that differ in a word are different.

use super::{Admitted, Refused, Stabilisers, StateTable, Store};
use crate::reduce::{Batch, Worker};
use crate::state::Interner;
use crate::symmetry::Order;

pub struct Exact {
    table: StateTable,
    stabilisers: Stabilisers,
}

impl Exact {
    /// For states of this many words.
    pub fn new(words: usize) -> Exact {
        Exact { table: StateTable::new(words), stabilisers: Stabilisers::default() }
    }
}

impl Store for Exact {
    fn find_or_put(
        &mut self,
        batch: &Batch,
        _: &mut dyn Worker,
        _: &mut Interner,
        out: &mut Vec<Admitted>,
    ) -> Result<(), Refused> {
        std::hint::black_box(self.table.touch(batch.hashes()));
        for (i, (state, hash)) in batch.states().zip(batch.hashes()).enumerate() {
            let put = Admitted::at(self.table.insert_hashed(state, *hash));
            if put.new
                && let Some(order) = batch.order(i)
            {
                self.stabilisers.push(order.clone());
            }
            out.push(put);
        }
        Ok(())
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
