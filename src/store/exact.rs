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
        _: &mut dyn Worker,
        _: &mut Interner,
        out: &mut Vec<Admitted>,
    ) -> Result<(), Refused> {
        std::hint::black_box(self.table.touch(batch.hashes()));
        for (i, (state, hash)) in batch.states().zip(batch.hashes()).enumerate() {
            let put = self.table.insert_hashed(state, *hash);
            let put = Admitted::at(put.map_err(|full| full.refused(&self.table))?);
            if put.new
                && let Some(order) = batch.order(i)
            {
                self.stabilisers.push(order)?;
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
