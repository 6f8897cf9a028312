//! From sketches to claims: what a formula says of the pictures of its unknowns. It relies on
//! [`pictures`](super::pictures) for what is done with each kind of value.
//!
//! | file | subject |
//! |---|---|
//! | `phases` | in which order the conjuncts are looked at |
//! | [`truth`] | predicates as claims |
//! | [`term`] | expressions as pictures |
//! | [`quotients`] | products, quotients and rests of numbers |
//! | `witness` | names that a conjunct asks for, as unknowns |

pub(super) mod phases;
pub mod quotients;
pub mod term;
pub mod truth;
mod witness;
