//! Symmetry: which states are renamings of each other, and which one stands for all of them.
//!
//! The elements of deferred sets and set parameters have no names of their own, so permuting them
//! maps runs of a machine to runs. [`group`] is the group of these permutations. For a state,
//! [`Labeller::label`] computes a *canonical image*, which two states share exactly when a permutation
//! maps one to the other, and the automorphism group of the state: its order (hence the size of the
//! orbit, [`orbit`]) and, when asked for, generators.
//!
//! ```text
//!   cells of a state -> graph (plan) -> refine -> analyse -> label -> image, permutation, |Aut|, generators
//!                    drawing (matrix) -> steps -> view: the same for people, for display only
//! ```
//!
//! [`graph`] draws the faithful guide graph, along a plan compiled once from the shapes
//! (action: what each member of a set means in it); [`refine`] is
//! label-equitable refinement of an ordered [`partition`]; [`analyse`] finds the parts that refinement has decided already;
//! [`label`] is the search tree (found: the automorphisms that it meets). [`matrix`] and [`steps`] are apart from all this: they are the graph,
//! the refinement and the canonical matrix as the literature prints them, as data, and [`view`] is
//! both with the names that a reader needs.
//!
//! What is deliberately absent: no hash takes part in a decision (traces order leaves, but equal
//! traces are never taken for equal states), no order depends on the numbers of vertices, elements or
//! interned values, and values of free types are opaque: nothing in them moves, so a set whose elements
//! can occur in one must not be in the group.

mod action;
pub mod analyse;
pub mod flat;
mod found;
pub mod graph;
pub mod group;
pub mod label;
pub mod matrix;
mod merge;
pub mod orbit;
pub mod partition;
pub mod plan;
pub mod refine;
pub mod steps;
pub mod view;

pub use found::Stabiliser;
pub use graph::{Cell, Drawing, GuideGraph};
pub use group::{Group, SymmetricSet};
pub use label::{Labeller, Labelling, Options, Subject, Valuation, Wanted};
pub use matrix::{Matrix, StateGraph};
pub use orbit::{OrbitSum, Order};
pub use steps::Walk;
pub use view::CanonView;

#[cfg(test)]
pub(crate) mod tests;
