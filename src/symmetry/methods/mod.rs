//! Methods: has this state been seen, up to symmetry?
//!
//! A method keeps the store that answers the question, and what it gives back to expand is always a
//! real state or the image of one under a permutation, never a key. A new method is one new file that
//! implements [`Method`].
//!
//! | file | keeps for each state | states of one orbit | states of different orbits |
//! |---|---|---|---|
//! | [`off`] | the state | apart | apart |
//! | [`flood`] | the state and all its images | one is expanded | apart |
//! | [`canon`] | the canonical image | one | apart |
//! | [`segmented`] | the least image that sorts the main arrays | one | apart |
//! | [`iso`] | the state, found through an invariant hash | one | apart |
//! | [`sorted`] | an image that sorts the main arrays | maybe several | apart |
//! | [`exact_marker`] | an image sorted by the markers of the elements | maybe several | apart |
//! | [`marker`], [`approx_marker`], [`flattened`] | an invariant key and the first state with it | one | maybe one |
//!
//! The last row is *approximate*: a finding is real, but nothing found means little. Shared by several
//! methods: [`reading`] the values of a packed state, [`vectors`] the values as arrays over the
//! symmetric elements, [`forms`] values with their elements replaced, [`arrays`] main arrays, [`keys`]
//! the store of the approximate methods, `iso::colouring` the colourings of iso.

pub mod approx_marker;
pub mod arrays;
pub mod canon;
pub mod exact_marker;
pub mod flattened;
pub mod flood;
mod forms;
mod images;
pub mod iso;
mod keys;
pub mod marker;
pub mod measured;
pub mod off;
mod ranks;
mod reading;
pub mod segmented;
pub mod sorted;
pub mod vectors;

pub use approx_marker::ApproxMarker;
pub use arrays::MainArrays;
pub use canon::Canon;
pub use exact_marker::ExactMarker;
pub use flattened::Flattened;
pub use flood::{Flood, FloodLimit};
pub use images::Imaging;
pub use iso::{Iso, IsoOptions, Refinement};
pub use keys::Keyed;
pub use marker::Marker;
pub use measured::Measured;
pub use off::Off;
pub use reading::Reading;
pub use segmented::Segmented;
pub use sorted::Sorted;

use super::orbit::Order;
use crate::clock::Stopped;
use crate::state::Interner;
use crate::value::{Permutation, Value};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// The answer for one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Admitted {
    /// The number of the state that stands for it.
    pub number: u32,
    /// The node that a transition to it leads to. Different from `number` only where images are
    /// nodes of their own, as in flooding.
    pub node: u32,
    pub new: bool,
}

impl Admitted {
    /// The state is the node.
    pub fn at((number, new): (u32, bool)) -> Admitted {
        Admitted { number, node: number, new }
    }
}

/// The labelling was interrupted, or the method refused to go on ([`Method::refusal`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

impl From<Stopped> for Interrupted {
    fn from(Stopped: Stopped) -> Interrupted {
        Interrupted
    }
}

/// What "nothing found" is worth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Every orbit is visited.
    Complete,
    /// States of different orbits may be taken for one.
    Approximate,
}

/// A set-up of the constants as a method keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetUp {
    pub constants: Vec<Value>,
    /// Order of the stabiliser; `None` when the method does not know it.
    pub stabiliser: Option<Order>,
    /// Number of nodes that it makes: 1, or with flooding its images.
    pub nodes: u64,
}

pub trait Method: Send {
    /// Looks a state up, and keeps it if nothing equivalent is there.
    fn admit(&mut self, state: &[u64], interner: &mut Interner) -> Result<Admitted, Interrupted>;

    /// Looks many states up, in order: the same as one after the other, but kinder to the memory.
    fn admit_all(
        &mut self,
        states: &[u64],
        words: usize,
        interner: &mut Interner,
        out: &mut Vec<Admitted>,
    ) -> Result<(), Interrupted> {
        out.clear();
        for state in states.chunks_exact(words) {
            out.push(self.admit(state, interner)?);
        }
        Ok(())
    }

    /// The state with a number: what is expanded.
    fn state(&self, number: u32) -> &[u64];

    /// The node that this state is.
    fn node(&self, number: u32) -> u32 {
        number
    }

    /// Number of nodes that a state makes: 1, or with flooding the images.
    fn nodes_of(&self, number: u32) -> u64 {
        let _ = number;
        1
    }

    /// Whether a run of the machine that has followed the states kept so far may be at `state` when
    /// they are at this number. This is what finds the concrete steps of a trace.
    fn stands_for(
        &mut self,
        number: u32,
        state: &[u64],
        interner: &mut Interner,
    ) -> Result<bool, Interrupted>;

    /// Number of nodes: of states kept, and with flooding of their images, too.
    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Order of the group of permutations that leave the state with this number unchanged; `None`
    /// when the method does not know it.
    fn stabiliser(&self, number: u32) -> Option<&Order>;

    /// What labels states for this method, where it knows stabilisers: they are that of `canon`.
    fn labelling(&mut self) -> Option<&mut Canon> {
        None
    }

    /// Generators of the group of permutations that leave the state with this number unchanged, for
    /// pruning the arguments of operations. None are needed for correctness.
    fn automorphisms(
        &mut self,
        number: u32,
        interner: &mut Interner,
    ) -> Result<Vec<Permutation>, Interrupted> {
        if self.stabiliser(number).is_none_or(|order| *order == Order::ONE) {
            return Ok(Vec::new());
        }
        let state = self.state(number).to_vec();
        match self.labelling() {
            Some(canon) => canon.generators(&state, interner),
            None => Ok(Vec::new()),
        }
    }

    /// The constants of a set-up as the method would keep them: set-ups with equal ones are one.
    fn canonical_constants(&mut self, constants: &[Value]) -> Result<SetUp, Interrupted>;

    /// Order of the whole group that is used for reduction.
    fn group_order(&self) -> Order;

    /// Bytes held.
    fn bytes(&self) -> usize;

    fn kind(&self) -> Kind {
        Kind::Complete
    }

    /// What the user should know about how the method sees this machine: which arrays it sorts by,
    /// and which variables it cannot use.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Figures of its own: name and value.
    fn statistics(&self) -> Vec<(String, f64)> {
        Vec::new()
    }

    /// Why the method ended the search, when it did.
    fn refusal(&self) -> Option<&FloodLimit> {
        None
    }

    /// How many orbits among the states that were generated are not represented, when measured.
    fn missed_orbits(&self) -> Option<u64> {
        None
    }
}

/// The orders of the stabilisers of many states: few different ones occur.
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

#[cfg(test)]
mod tests;
