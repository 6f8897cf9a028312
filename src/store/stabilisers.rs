//! The orders of the stabilisers of many states: few different ones occur.

use crate::symmetry::Order;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

#[derive(Clone, Debug, Default)]
pub struct Stabilisers {
    orders: IndexSet<Order, FxBuildHasher>,
    of: Vec<u32>,
}

impl Stabilisers {
    /// Adds that of the next state.
    pub fn push(&mut self, order: Order) {
        let (at, _) = self.orders.insert_full(order);
        self.of.push(at as u32);
    }

    pub fn get(&self, number: u32) -> Option<&Order> {
        self.orders.get_index(*self.of.get(number as usize)? as usize)
    }

    pub fn bytes(&self) -> usize {
        self.of.capacity() * 4
    }
}
