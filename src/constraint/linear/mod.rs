//! What linear equations and inequalities say together, beside the bounds that each of them pushes.
//!
//! | file | subject |
//! |---|---|
//! | [`elimination`] | equations of unbounded numbers, added up |
//! | [`polyhedron`], [`simplex`] | what inequalities say together; how their bounds are found |
//! | [`offsets`] | numbers that differ by a number |

pub mod elimination;
pub mod offsets;
pub mod polyhedron;
pub mod simplex;
