//! No reduction at all.

use super::{Admitted, Interrupted, Method, SetUp};
use crate::state::{Interner, Layout, StateTable};
use crate::symmetry::orbit::Order;
use crate::value::Value;

/// No reduction: states are equal or different.
pub struct Off {
    table: StateTable,
    hashes: Vec<u64>,
    one: Order,
}

impl Off {
    pub fn new(layout: &Layout) -> Off {
        Off { table: StateTable::new(layout.words), hashes: Vec::new(), one: Order::ONE }
    }
}

impl Method for Off {
    fn admit(&mut self, state: &[u64], _: &mut Interner) -> Result<Admitted, Interrupted> {
        Ok(Admitted::at(self.table.insert(state)))
    }

    fn admit_all(
        &mut self,
        states: &[u64],
        words: usize,
        _: &mut Interner,
        out: &mut Vec<Admitted>,
    ) -> Result<(), Interrupted> {
        out.clear();
        self.hashes.clear();
        self.hashes.extend(states.chunks_exact(words).map(crate::state::table::hash_state));
        std::hint::black_box(self.table.touch(&self.hashes));
        for (state, hash) in states.chunks_exact(words).zip(&self.hashes) {
            out.push(Admitted::at(self.table.insert_hashed(state, *hash)));
        }
        Ok(())
    }

    fn state(&self, number: u32) -> &[u64] {
        self.table.state(number)
    }

    fn stands_for(
        &mut self,
        number: u32,
        state: &[u64],
        _: &mut Interner,
    ) -> Result<bool, Interrupted> {
        Ok(self.table.state(number) == state)
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn stabiliser(&self, _: u32) -> Option<&Order> {
        Some(&self.one)
    }

    fn canonical_constants(&mut self, constants: &[Value]) -> Result<SetUp, Interrupted> {
        Ok(SetUp { constants: constants.to_vec(), stabiliser: Some(Order::ONE), nodes: 1 })
    }

    fn group_order(&self) -> Order {
        Order::ONE
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
    }
}
