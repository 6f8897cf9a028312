//! What linear equations and inequalities say together, beside the bounds that each of them pushes.
//!
//! | file | subject |
//! |---|---|
//! | [`elimination`] | equations of unbounded numbers, added up |
//! | [`polyhedron`] | what inequalities say together |
//! | [`system`], [`simplex`] | how the bounds of numbers are found of which sums are 0 or at most that |
//! | [`offsets`] | numbers that differ by a number |

pub mod elimination;
pub mod offsets;
pub mod polyhedron;
pub mod simplex;
pub mod system;
