//! Stores: has this state been seen?
//!
//! A store is given what a [reduction](crate::reduce) made of some states, and says for each which number
//! stands for it: a known one, or the next. Numbers count from 0 in the order in which states are found.
//! It knows no machine and no group; what it has to know of two states, or of their images, it asks a
//! [`Worker`]. A new store is one new file.
//!
//! | file | what is kept | with |
//! |---|---|---|
//! | [`exact`] | different words | identity, canonical, segmented, sorted, exact markers |
//! | [`first`] | the first state with each key | the approximate markers |
//! | [`buckets`] | the first state of those that the worker takes for the same | isomorphism |
//! | [`images`] | each state, and all its images as already treated | flooding |
//!
//! [`segments`] are long lists in pieces, [`numbers`] such lists of small numbers, [`table`] is the table of packed states that most of them use, [`stabilisers`] the orders of the
//! stabilisers of what is kept, [`visited`] a reduction and its store together: what a search works on.

pub mod buckets;
pub mod exact;
pub mod first;
pub mod images;
pub mod numbers;
pub mod segments;
pub mod stabilisers;
pub mod table;
pub mod visited;

pub use buckets::Buckets;
pub use exact::Exact;
pub use first::First;
pub use images::Images;
pub use numbers::Numbers;
pub use segments::Segments;
pub use stabilisers::Stabilisers;
pub use table::StateTable;
pub use visited::Visited;

use crate::clock::Stopped;
use crate::reduce::{Batch, Interrupted, Worker};
use crate::state::Interner;
use crate::symmetry::Order;
use num_bigint::BigUint;
use std::ops::Range;

/// States, and nodes, that can be numbered: the numbers above stand for set-ups where a number says
/// what a state was reached from.
pub const MOST_NUMBERS: u32 = 1 << 31;

/// The answer for one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Admitted {
    /// The number of the state that stands for it.
    pub number: u32,
    /// The node that a transition to it leads to. Different from `number` only where images are nodes of
    /// their own.
    pub node: u32,
    pub new: bool,
}

impl Admitted {
    /// The state is the node.
    pub fn at((number, new): (u32, bool)) -> Admitted {
        Admitted { number, node: number, new }
    }
}

/// Why a store does not go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    Interrupted,
    /// A state has more images than may be kept.
    Images {
        images: BigUint,
        limit: u64,
    },
    /// There are as many states as can be numbered.
    Numbers(u32),
}

impl From<Stopped> for Refused {
    fn from(Stopped: Stopped) -> Refused {
        Refused::Interrupted
    }
}

impl From<Interrupted> for Refused {
    fn from(Interrupted: Interrupted) -> Refused {
        Refused::Interrupted
    }
}

/// A store in parts, which several threads fill at once. What is known to be new is numbered first.
pub trait InParts {
    /// Numbers the `i`-th state of a batch, which is not there. It is found once it was entered.
    fn number(&mut self, batch: &Batch, i: usize) -> Result<u32, Refused>;

    /// Enters what was numbered, on up to so many threads. [`Store::find_or_put`] does it by itself.
    fn enter(&mut self, threads: usize) -> Result<(), Refused>;
}

pub trait Store: Send + Sync {
    /// Looks these states of a batch up, in order, and keeps those that are not there. When it is refused
    /// to go on, `out` has the answers for those before.
    fn find_or_put(
        &mut self,
        batch: &Batch,
        states: Range<usize>,
        worker: &mut dyn Worker,
        interner: &mut Interner,
        out: &mut Vec<Admitted>,
    ) -> Result<(), Refused>;

    /// The nodes of those states of a batch that are there already, as far as that can be told without
    /// a change: many threads may ask at once.
    fn find(&self, batch: &Batch, out: &mut Vec<Option<u32>>) {
        out.clear();
        out.resize(batch.represented(), None);
    }

    /// Whether two states are one node exactly if they are looked up by the same words.
    fn goes_by_words(&self) -> bool {
        true
    }

    /// The same store, where it is one in parts.
    fn in_parts(&mut self) -> Option<&mut dyn InParts> {
        None
    }

    /// The state with a number: what is expanded.
    fn state(&self, number: u32) -> &[u64];

    /// The node that this state is.
    fn node(&self, number: u32) -> u32 {
        number
    }

    /// Number of nodes that a state makes: itself, and the images that are kept with it.
    fn nodes_of(&self, number: u32) -> u64 {
        let _ = number;
        1
    }

    /// Number of nodes that a state with an orbit of this size would make.
    fn nodes_of_orbit(&self, size: &BigUint) -> Result<u64, Refused> {
        let _ = size;
        Ok(1)
    }

    /// Number of nodes.
    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The order of the stabiliser of the state with a number, where it is known.
    fn order(&self, number: u32) -> Option<&Order>;

    /// Bytes held.
    fn bytes(&self) -> usize;
}
