//! Solutions by propagation: what follows from the conjuncts is drawn before anything is tried.
//!
//! A conjunction over unknowns is taken apart into variables over integers and rules that take values
//! out of their domains. Only when the rules have come to rest the search tries a value. What it finds
//! are candidates: none of the conjuncts is known to be false of them. Whoever asked tests them with the
//! conjuncts themselves, so that what is undefined or cannot be taken apart keeps its meaning.
//!
//! | file | subject |
//! |---|---|
//! | [`store`], [`literal`] | domains and the trail; statements about variables |
//! | [`engine`], [`propagators`] | propagators, and running them until nothing changes |
//! | [`claim`], [`bits`], [`both`] | formulas over variables, posted or with a literal of their own; literals as numbers, and numbers as literals; what is claimed where one is true, and where it is false |
//! | [`sketch`] | what is to be solved, as the room is given it; who evaluates what is closed |
//! | [`object`] | pictures of values that are not known yet |
//! | [`build`], [`phases`], [`truth`], [`term`], [`quotients`], [`sets`], [`among`], [`functions`], [`chosen`], [`sequences`], [`lengths`], [`uppers`], [`inverse`], [`relations`], [`products`], [`closure`], [`fresh`], [`few`], [`witness`] | from sketches to objects and claims |
//! | [`packing`], [`counts`], [`exclusive`], [`cliques`], [`places`], [`covers`] | which of what is counted exclude each other; what else counts say; of what one is true at most; what differs pair by pair; what needs a place each; numbers that the same sums have to hit |
//! | [`elimination`], [`polyhedron`], [`simplex`] | equations of unbounded numbers, added up; what inequalities say together; how their bounds are found |
//! | [`offsets`] | numbers that differ by a number |
//! | [`pairs`] | pairs of scalars with a number of their own |
//! | [`search`], [`branches`] | the candidates, one after the other; which part of a disjunction is true |
//! | [`left`] | what is left where nothing is tried |

mod among;
mod bits;
pub mod both;
pub mod branches;
pub mod build;
mod chosen;
pub mod claim;
pub mod cliques;
pub mod closure;
pub mod counts;
pub mod covers;
pub mod elimination;
pub mod engine;
mod exclusive;
pub mod few;
pub mod fresh;
pub mod functions;
pub mod inverse;
pub mod left;
pub mod lengths;
pub mod literal;
pub mod object;
pub mod offsets;
pub mod packing;
pub mod pairs;
mod phases;
pub mod places;
pub mod polyhedron;
mod products;
pub mod propagators;
pub mod quotients;
mod relations;
pub mod search;
pub mod sequences;
pub mod sets;
pub mod simplex;
pub mod sketch;
pub mod store;
pub mod term;
#[cfg(test)]
mod tests;
pub mod truth;
pub mod uppers;
mod witness;

pub use left::{Domain, Left, propagate};
pub use search::{Candidate, Outcome, solve};
pub use sketch::{Host, Problem};
