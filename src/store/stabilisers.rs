//! The orders of the stabilisers of many states: few different ones occur.

use super::Segments;
use crate::clock::Stopped;
use crate::symmetry::Order;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// One order for each state. The different ones are numbered, in one byte while they are few.
#[derive(Clone, Debug)]
pub struct Stabilisers {
    orders: IndexSet<Order, FxBuildHasher>,
    of: Numbers,
}

#[derive(Clone, Debug)]
enum Numbers {
    Narrow(Segments<u8>),
    Wide(Segments<u32>),
}

impl Default for Stabilisers {
    fn default() -> Stabilisers {
        Stabilisers { orders: IndexSet::default(), of: Numbers::Narrow(Segments::new(1)) }
    }
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
        if let Numbers::Narrow(of) = &mut self.of {
            match u8::try_from(at) {
                Ok(at) => return of.push(&[at]),
                Err(_) => self.widen()?,
            }
        }
        if let Numbers::Wide(of) = &mut self.of {
            of.push(&[at as u32])?;
        }
        Ok(())
    }

    #[cold]
    fn widen(&mut self) -> Result<(), Stopped> {
        let Numbers::Narrow(narrow) = &self.of else { return Ok(()) };
        let mut wide = Segments::new(1);
        for number in 0..narrow.len() as u32 {
            wide.push(&[u32::from(narrow.one(number))])?;
        }
        self.of = Numbers::Wide(wide);
        Ok(())
    }

    pub fn get(&self, number: u32) -> Option<&Order> {
        let known = |len: usize| (number as usize) < len;
        let at = match &self.of {
            Numbers::Narrow(of) => usize::from(known(of.len()).then(|| of.one(number))?),
            Numbers::Wide(of) => known(of.len()).then(|| of.one(number))? as usize,
        };
        self.orders.get_index(at)
    }

    pub fn bytes(&self) -> usize {
        match &self.of {
            Numbers::Narrow(of) => of.bytes(),
            Numbers::Wide(of) => of.bytes(),
        }
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
