//! No reduction at all.

use super::{About, Batch, Interrupted, Kind, Orders, Reduction, SetUp, Worker};
use crate::state::Interner;
use crate::symmetry::Order;
use crate::value::Value;

/// States are equal or different.
pub fn reduction() -> Reduction {
    let about = About {
        kind: Kind::Complete,
        orders: Orders::One,
        group: Order::ONE,
        keeps_runs: true,
        notes: Vec::new(),
    };
    Reduction::new(about, || Identity)
}

struct Identity;

impl Worker for Identity {
    fn represent(&mut self, batch: &mut Batch, _: &mut Interner) -> Result<(), Interrupted> {
        batch.hash_states();
        Ok(())
    }

    fn set_up(&mut self, constants: &[Value], _: &mut Interner) -> Result<SetUp, Interrupted> {
        Ok(SetUp { class: constants.to_vec(), order: Some(Order::ONE) })
    }
}
