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
//! [`segments`] are long lists in pieces, [`numbers`] such lists of small numbers, [`rising`] of those that never
//! become smaller, [`table`] is the table of packed
//! states that most of them use, made of many (`shard`), and [`claims`] how many threads fill it;
//! [`stabilisers`] are the stabilisers of what is kept, [`visited`] is a reduction and its
//! store together: what a search works on.

pub mod buckets;
pub mod claims;
pub mod exact;
pub mod first;
pub mod images;
pub mod numbers;
pub mod rising;
pub mod segments;
mod shard;
pub mod stabilisers;
pub mod table;
pub mod visited;

pub use buckets::Buckets;
pub use claims::{Claim, Opening, Ticket};
pub use exact::Exact;
pub use first::First;
pub use images::Images;
pub use numbers::Numbers;
pub use rising::Rising;
pub use segments::Segments;
pub use stabilisers::Stabilisers;
pub use table::StateTable;
pub use visited::Visited;

use crate::clock::Stopped;
use crate::reduce::{Batch, Interrupted, Worker};
use crate::state::Interner;
use crate::symmetry::Stabiliser;
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

/// A store that many threads fill at once: they claim what is new, and one numbers the claims ([`claims`]). While it
/// is open, [`Store::find_or_put`] must not be asked.
pub trait Shared {
    /// Gets ready for claims, and gives each thread a ticket.
    fn open(&mut self, opening: Opening) -> Result<Vec<Ticket>, Refused>;

    /// Numbers the `i`-th state of a batch, of which this was said, unless it has a number from somebody before.
    fn number(&mut self, batch: &Batch, i: usize, claim: Claim) -> Result<Option<u32>, Refused>;

    /// The same for all of a batch, with what was said of each; `out` is given the place and the number of those
    /// that it numbers.
    fn number_all(
        &mut self,
        batch: &Batch,
        claims: &[Claim],
        out: &mut Vec<(usize, u32)>,
    ) -> Result<(), Refused> {
        for (i, claim) in claims.iter().enumerate() {
            out.extend(self.number(batch, i, *claim)?.map(|number| (i, number)));
        }
        Ok(())
    }

    /// Whether there are numbers for so many more.
    fn has_numbers(&self, more: usize) -> bool;

    /// Makes what was numbered known to all, on up to so many threads. `ends`: where the claims of each ticket begin
    /// and end.
    fn close(&mut self, ends: &[Range<u32>], threads: usize);
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

    /// Looks the states of a batch up as far as that can be done on many threads at once, and claims what is new
    /// where that is possible.
    fn claim(&self, batch: &Batch, ticket: &mut Ticket, out: &mut Vec<Claim>) {
        let _ = ticket;
        out.clear();
        out.resize(batch.represented(), Claim::Late);
    }

    /// Whether two states are one node exactly if they are looked up by the same words.
    fn goes_by_words(&self) -> bool {
        true
    }

    /// The same store, where many threads can fill it.
    fn shared(&mut self) -> Option<&mut dyn Shared> {
        None
    }

    /// The number that the `i`-th state of a batch has by now, where threads fill the store and it has one.
    fn numbered(&self, batch: &Batch, i: usize) -> Option<u32> {
        let _ = (batch, i);
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

    /// The stabiliser of the state with a number, where it is known.
    fn stabiliser(&self, number: u32) -> Option<&Stabiliser>;

    /// Bytes held.
    fn bytes(&self) -> usize;
}
