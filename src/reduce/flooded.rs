//! Permutation flooding (Leuschel, Butler, Spermann and Turner): with a new state all its images under
//! the group are kept, as already treated.
//!
//! The state itself is looked up. The images are reached with generators of the group; how many
//! there are is known beforehand, from the order of the stabiliser.

use super::{
    About, Batch, Canon, Interrupted, Kind, Orders, Reading, Reduction, SetUp, Worker, forms,
};
use crate::clock;
use crate::state::{Interner, Layout};
use crate::symmetry::group::Group;
use crate::symmetry::orbit::Order;
use crate::value::{Permutation, Value};
use std::sync::Arc;

pub fn reduction(layout: Arc<Layout>, reading: Reading, group: Group) -> Reduction {
    let about = About {
        kind: Kind::Complete,
        orders: Orders::OnRequest,
        group: group.exact_order(),
        keeps_runs: false,
        notes: Vec::new(),
    };
    let plan = Arc::new((group.generators(), reading));
    Reduction::new(about, move || Flooded {
        plan: plan.clone(),
        canon: Canon::new(layout.clone(), group.clone()),
    })
}

struct Flooded {
    plan: Arc<(Vec<Permutation>, Reading)>,
    canon: Canon,
}

impl Worker for Flooded {
    fn represent(&mut self, batch: &mut Batch, _: &mut Interner) -> Result<(), Interrupted> {
        batch.hash_states();
        Ok(())
    }

    fn set_up(
        &mut self,
        constants: &[Value],
        interner: &mut Interner,
    ) -> Result<SetUp, Interrupted> {
        self.canon.set_up(constants, interner)
    }

    fn order(&mut self, state: &[u64], interner: &mut Interner) -> Result<Order, Interrupted> {
        Ok(self.canon.canonical(state, interner)?.1)
    }

    fn neighbours(
        &mut self,
        state: &[u64],
        interner: &mut Interner,
        each: &mut dyn FnMut(&[u64]),
    ) -> Result<(), Interrupted> {
        let (generators, reading) = &*self.plan;
        let values = reading.values(state, interner);
        // Of one image, roughly the members of all sets.
        let units = 1 + values.iter().map(forms::bytes).sum::<usize>() / 16;
        for by in generators {
            clock::spend(units)?;
            let image = reading.image(&values, by);
            each(&reading.pack(&image, interner));
        }
        Ok(())
    }
}
