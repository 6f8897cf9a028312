//! The orders of the stabilisers of many states: few different ones occur.

use super::Numbers;
use crate::clock::Stopped;
use crate::symmetry::Order;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// One order for each state. The different ones are numbered.
#[derive(Clone, Debug, Default)]
pub struct Stabilisers {
    orders: IndexSet<Order, FxBuildHasher>,
    of: Numbers,
}

impl Stabilisers {
    /// Adds that of the next state.
    ///
    /// # Errors
    /// There is no room for it; the work is to end.
    pub fn push(&mut self, order: &Order) -> Result<(), Stopped> {
        let at = match self.orders.get_index_of(order) {
            Some(at) => at,
            None => self.orders.insert_full(order.clone()).0,
        };
        self.of.push(at as u32)
    }

    pub fn get(&self, number: u32) -> Option<&Order> {
        self.orders.get_index(self.of.get(number)? as usize)
    }

    pub fn bytes(&self) -> usize {
        self.of.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_different_orders_take_more_bytes() {
        let mut orders = Stabilisers::default();
        for i in 0..400u128 {
            orders.push(&Order::Small(1 + i % 300)).unwrap();
        }
        assert!((0..400).all(|i| orders.get(i) == Some(&Order::Small(1 + u128::from(i) % 300))));
        assert_eq!(orders.get(400), None);
    }
}
