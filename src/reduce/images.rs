//! The reductions that keep one image of each state, and maybe several of each orbit.

use super::{About, Batch, Interrupted, Kind, Orders, Reading, Reduction, SetUp, Worker};
use crate::state::Interner;
use crate::symmetry::group::Group;
use crate::value::Value;
use std::sync::Arc;

/// Chooses the image of a state.
pub trait Arrange: Send + Sync + 'static {
    /// Where each point goes, for a list of values: of a state, or of its constants alone.
    fn arrange(&self, values: &[Value]) -> Result<Vec<u32>, Interrupted>;
}

/// The image that `arrange` chooses is kept.
pub(super) fn reduction(
    reading: Reading,
    group: Group,
    arrange: impl Arrange,
    notes: Vec<String>,
) -> Reduction {
    let about = About {
        kind: Kind::Complete,
        orders: Orders::Unknown,
        group: group.exact_order(),
        keeps_runs: false,
        notes,
    };
    let plan = Arc::new((reading, group, arrange));
    Reduction::new(about, move || Imaging(plan.clone()))
}

struct Imaging<A>(Arc<(Reading, Group, A)>);

impl<A: Arrange> Imaging<A> {
    fn image(&self, values: &[Value]) -> Result<Vec<Value>, Interrupted> {
        let (reading, group, arrange) = &*self.0;
        Ok(reading.image(values, &group.permutation(&arrange.arrange(values)?)))
    }
}

impl<A: Arrange> Worker for Imaging<A> {
    fn represent(&mut self, batch: &mut Batch, interner: &mut Interner) -> Result<(), Interrupted> {
        for i in 0..batch.len() {
            let reading = &self.0.0;
            let image = self.image(&reading.values(batch.state(i), interner))?;
            batch.imaged(&reading.pack(&image, interner), None);
        }
        Ok(())
    }

    fn set_up(&mut self, constants: &[Value], _: &mut Interner) -> Result<SetUp, Interrupted> {
        Ok(SetUp { class: self.image(constants)?, order: None })
    }
}
