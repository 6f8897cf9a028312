//! What limits a result, as data. It is put into words by [`report`](crate::report::bounds).

use super::SizeSource;
use crate::clock::Halted;
use crate::eval::{CutSite, TooLarge};
use crate::source::Span;
use num_bigint::BigUint;
use std::sync::Arc;

/// Why a result does not speak of the whole machine.
#[derive(Clone, PartialEq, Debug)]
pub enum Bound {
    /// The time, the memory or the user ended it.
    Halted(Halted),
    /// `--max-states`: of initialised states.
    MaxStates(u64),
    /// The same limit: of set-ups.
    MaxSetUps(u64),
    /// Nobody chose how many elements a set has: where it has this size from.
    OpenSize { set: Arc<str>, size: u32, source: SizeSource },
    /// The main array that was asked for cannot be one: why.
    MainArray(String),
    /// `--flood-limit`: a state has more images.
    FloodLimit { images: BigUint, limit: u64 },
    /// There are no numbers for more states, or images that are kept, than these.
    Numbers(u32),
    /// The definition SCOPE leaves states out.
    Scope,
    /// Assertions, so many of them and this the first, waited for the end of the search, and then there was no time to ask
    /// them of all states.
    Assertions { first: Span, number: usize, asked: u32, states: u32 },
    /// Random walks visit what they visit.
    RandomWalks { walks: u32, steps: u32 },
    /// A method may take states of different orbits for one.
    Approximate { method: &'static str },
    /// A value that cannot be held, made here.
    TooLarge(Span, TooLarge),
    /// An enumeration that was cut off, without which something stayed unknown: where, and of what.
    Unbounded { site: CutSite, min: i64, max: i64 },
    /// There are no constants (or no initial state) with sizes that nobody chose. With which there are
    /// constants, where such sizes are found.
    NoneAtOpenSizes { what: &'static str, with: Option<Vec<(Arc<str>, u32)>> },
}
