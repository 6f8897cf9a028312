//! Reductions: from a state to the one that stands for it.
//!
//! A [`Reduction`] is a description, shared by all threads, of which each makes a [`Worker`] of its own
//! with its scratch memory. A worker turns the states of a [`Batch`] into what is kept for them, the
//! words that they are looked up by, and a hash of those. It knows no table of seen states: to ask for a
//! representative changes nothing. What is kept is always a real state or the image of one under a
//! permutation, never a key. A new reduction is one new file.
//!
//! | file | kept | looked up by | states of one orbit | states of different orbits |
//! |---|---|---|---|---|
//! | [`identity`] | the state | the same | apart | apart |
//! | [`canonical`] | the canonical image | the same | one | apart |
//! | [`segmented`] | the least image that sorts the main arrays | the same | one | apart |
//! | [`sorted`] | an image that sorts the main arrays | the same | maybe several | apart |
//! | [`exact_marker`] | an image sorted by the markers of the elements | the same | maybe several | apart |
//! | [`marker`], [`approx_marker`], [`flattened`] | the state | an invariant key | one | maybe one |
//! | [`isomorphism`] | the state | its colours, and a search for an isomorphism | one | apart |
//! | [`flooded`] | the state | itself, or an image of it | one | apart |
//!
//! Those with a key may take states of different orbits for one: they are *approximate*. A finding is
//! real, but nothing found means little. Shared by several reductions: [`reading`] the values of a packed
//! state, [`vectors`] the values as arrays over the symmetric elements, [`forms`] values with their
//! elements replaced, [`arrays`] main arrays, [`images`] and [`keys`] what those of one kind have in
//! common, `isomorphism::colouring` the colourings. [`about`] is what is told of a reduction.

pub mod about;
pub mod approx_marker;
pub mod arrays;
pub mod batch;
pub mod canonical;
pub mod exact_marker;
pub mod flattened;
pub mod flooded;
mod forms;
pub mod identity;
mod images;
pub mod isomorphism;
mod keys;
pub mod marker;
mod ranks;
mod reading;
pub mod segmented;
pub mod sorted;
pub mod vectors;

pub use about::{About, Figures, Kind, Orders};
pub use arrays::MainArrays;
pub use batch::{Batch, Keys};
pub use canonical::Canon;
pub use isomorphism::{IsoOptions, Refinement};
pub use reading::Reading;

use crate::clock::Stopped;
use crate::state::Interner;
use crate::symmetry::Order;
use crate::value::{Permutation, Value};

/// The clock stopped a worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

impl From<Stopped> for Interrupted {
    fn from(Stopped: Stopped) -> Interrupted {
        Interrupted
    }
}

/// What is told of a reduction, and how its workers are made.
pub struct Reduction {
    pub about: About,
    make: Box<dyn Fn() -> Box<dyn Worker> + Send + Sync>,
}

impl Reduction {
    pub fn new<W: Worker + 'static>(
        about: About,
        make: impl Fn() -> W + Send + Sync + 'static,
    ) -> Reduction {
        Reduction { about, make: Box::new(move || Box::new(make())) }
    }

    /// A worker for one thread.
    pub fn worker(&self) -> Box<dyn Worker> {
        (self.make)()
    }
}

/// A set-up of the constants as a reduction sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetUp {
    /// Set-ups with equal ones are one.
    pub class: Vec<Value>,
    /// Order of the stabiliser; `None` when the reduction does not know it.
    pub order: Option<Order>,
}

/// A state that is kept, and what it is looked up by.
#[derive(Clone, Copy, Debug)]
pub struct Kept<'a> {
    pub state: &'a [u64],
    pub key: &'a [u64],
}

/// What one thread needs to reduce states.
pub trait Worker: Send {
    /// Puts what is kept in place of each state, in order, with its key and hash. After an interruption
    /// [`Batch::represented`] of them are done.
    fn represent(&mut self, batch: &mut Batch, interner: &mut Interner) -> Result<(), Interrupted>;

    /// For each of these states, all with the same constants, the number of an earlier one in its orbit,
    /// which would come to the same; or else its own. `by`: permutations that link them, which leave the
    /// constants as they are; without them any permutation of the group that does. Empty where it
    /// takes no less to find that out than to represent the states.
    fn alike(
        &mut self,
        states: &[&[u64]],
        by: Option<&[Permutation]>,
        interner: &mut Interner,
    ) -> Result<Vec<u32>, Interrupted> {
        let _ = (states, by, interner);
        Ok(Vec::new())
    }

    /// Which set-ups of the constants are one.
    fn set_up(
        &mut self,
        constants: &[Value],
        interner: &mut Interner,
    ) -> Result<SetUp, Interrupted>;

    /// The order of the stabiliser of a kept state, where [`Worker::represent`] does not find it
    /// ([`Orders::OnRequest`]).
    fn order(&mut self, state: &[u64], interner: &mut Interner) -> Result<Order, Interrupted> {
        let _ = (state, interner);
        Ok(Order::ONE)
    }

    /// Whether the `i`-th state of the batch that was represented last, and one that is kept with an
    /// equal hash, are the same: where equal keys do not say so.
    fn same(
        &mut self,
        batch: &Batch,
        i: usize,
        kept: Kept<'_>,
        interner: &mut Interner,
    ) -> Result<bool, Interrupted> {
        let _ = interner;
        Ok(batch.key(i) == kept.key)
    }

    /// Calls `each` with the images of a state under generators of the group: where images are kept,
    /// too.
    fn neighbours(
        &mut self,
        state: &[u64],
        interner: &mut Interner,
        each: &mut dyn FnMut(&[u64]),
    ) -> Result<(), Interrupted> {
        let _ = (state, interner, each);
        Ok(())
    }

    /// What it has counted.
    fn figures(&self) -> Figures {
        Figures::None
    }
}

#[cfg(test)]
mod tests;
