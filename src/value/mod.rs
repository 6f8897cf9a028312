//! Values of B.
//!
//! A [`Value`] does not carry its type. A [`Shape`] says how to read it: it is made from a
//! [`Type`](crate::machine::Type) once the sizes of the deferred sets are known, and it decides
//! between three ways to hold a set: the bits of one word, the bits of several words, or a sorted
//! list, which is a table of numbers where its members are made of such. For one type and one choice
//! of sizes there is exactly one shape and exactly one value for each mathematical object, so equality
//! of values is equality of their representations.
//!
//! [`shape`] shapes, `value` values, [`set`] sets, over `lines` (what is done with sorted lists) and [`table`] (those of
//! numbers), [`listed`] both, member by member, [`Gathered`] members while they are found, [`Joined`] the union of many sets; [`relation`] relations and functions, over `rows`
//! (bit matrices), `pairs` (lists and tables) and `arrow` (the kinds of functions), [`reach`] where they lead in several steps;
//! [`sequence`] sequences, [`tree`] trees;
//! [`meter`] what large operations ask before they go on; [`enumerate`] all members of a set of sets or functions; [`print`] text; [`permute`] the action
//! of permutations of deferred sets.

mod arrow;
pub mod enumerate;
mod gathered;
pub mod generators;
mod joined;
mod lines;
pub mod listed;
pub mod meter;
mod pairs;
pub mod permute;
pub mod print;
pub mod reach;
pub mod relation;
mod rows;
pub mod sequence;
pub mod set;
pub mod shape;
pub mod table;
#[cfg(test)]
mod tests;
pub mod tree;

#[allow(clippy::module_inception)]
mod value;

pub use gathered::Gathered;
pub use generators::{Bundle, Generators};
pub use joined::Joined;
pub use listed::{Listed, Member};
pub use meter::{GivenUp, Meter, Unmetered};
pub use permute::Permutation;
pub use print::Names;
pub use shape::{Index, IndexKind, Shape, Sizes};
pub use table::{Row, Table};
pub use value::Value;
