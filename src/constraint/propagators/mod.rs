//! The propagators: one rule each, none of which knows of the others.
//!
//! [`logic`] clauses and conjunctions; [`linear`] sums; [`arithmetic`] products, quotients, remainders,
//! greatest and least; [`element`] which of several a variable is, and which rows of a table are left;
//! [`different`] values that are pairwise different; [`grid`] pairs in a relation that is known.

pub mod arithmetic;
pub mod different;
pub mod element;
pub mod grid;
pub mod linear;
pub mod logic;
