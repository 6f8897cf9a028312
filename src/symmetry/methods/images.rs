//! The methods that keep one image of each state, and maybe several of each orbit.

use super::{Admitted, Canon, Interrupted, Method, Reading, SetUp};
use crate::state::{Interner, StateTable};
use crate::symmetry::orbit::Order;
use crate::value::Value;

/// Chooses the image of a state.
pub trait Arrange: Send {
    /// Where each point goes, for a list of values: of a state, or of its constants alone.
    fn arrange(&mut self, values: &[Value]) -> Result<Vec<u32>, Interrupted>;
}

/// Keeps the images that `A` chooses.
pub struct Imaging<A> {
    reading: Reading,
    /// Says whether two states are in one orbit.
    canon: Canon,
    table: StateTable,
    arrange: A,
    notes: Vec<String>,
}

impl<A: Arrange> Imaging<A> {
    pub(super) fn by(reading: Reading, canon: Canon, arrange: A, notes: Vec<String>) -> Imaging<A> {
        let table = StateTable::new(reading.words());
        Imaging { reading, canon, table, arrange, notes }
    }

    fn image(&mut self, values: &[Value]) -> Result<Vec<Value>, Interrupted> {
        let positions = self.arrange.arrange(values)?;
        Ok(self.reading.image(values, &self.canon.group().permutation(&positions)))
    }
}

impl<A: Arrange> Method for Imaging<A> {
    fn admit(&mut self, state: &[u64], interner: &mut Interner) -> Result<Admitted, Interrupted> {
        let values = self.reading.values(state, interner);
        let image = self.image(&values)?;
        Ok(Admitted::at(self.table.insert(&self.reading.pack(&image, interner))))
    }

    fn state(&self, number: u32) -> &[u64] {
        self.table.state(number)
    }

    /// Whether the states are in one orbit. Those of one orbit may have different images, so a run of
    /// the machine cannot be followed by images alone.
    fn stands_for(
        &mut self,
        number: u32,
        state: &[u64],
        interner: &mut Interner,
    ) -> Result<bool, Interrupted> {
        let kept = self.table.state(number).to_vec();
        self.canon.same_orbit(&kept, state, interner)
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn stabiliser(&self, _: u32) -> Option<&Order> {
        None
    }

    fn canonical_constants(&mut self, constants: &[Value]) -> Result<SetUp, Interrupted> {
        Ok(SetUp { constants: self.image(constants)?, stabiliser: None, nodes: 1 })
    }

    fn group_order(&self) -> Order {
        self.canon.group_order()
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.canon.bytes()
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}
