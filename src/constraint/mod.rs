//! Solutions by propagation: what follows from the conjuncts is drawn before anything is tried.
//!
//! A conjunction over unknowns is taken apart into variables over integers and rules that take values
//! out of their domains. Only when the rules have come to rest the search tries a value. What it finds
//! are candidates: none of the conjuncts is known to be false of them. Whoever asked tests them with the
//! conjuncts themselves, so that what is undefined or cannot be taken apart keeps its meaning.
//!
//! | file or folder | subject |
//! |---|---|
//! | [`sketch`] | what is to be solved, as the room is given it; who evaluates what is closed |
//! | [`store`], [`literal`] | domains and the trail; statements about variables |
//! | [`engine`], [`propagators`] | propagators, and running them until nothing changes |
//! | [`claim`], `bits`, [`both`] | formulas over variables, posted or with a literal of their own; literals as numbers, and numbers as literals; what is claimed where one is true, and where it is false |
//! | [`counting`], [`linear`] | what claims say together: of what is counted or different, and of sums |
//! | [`build`] | from a problem to variables and propagators: what the next two share |
//! | [`pictures`] | values that are not known yet, and what each kind of them can be asked |
//! | [`formulas`] | what predicates and expressions say of them |
//! | [`search`], [`branches`] | the candidates, one after the other; which part of a disjunction is true |
//! | [`left`] | what is left where nothing is tried |

mod bits;
pub mod both;
pub mod branches;
pub mod build;
pub mod claim;
pub mod counting;
pub mod engine;
pub mod formulas;
pub mod left;
pub mod linear;
pub mod literal;
pub mod pictures;
pub mod propagators;
pub mod search;
pub mod sketch;
pub mod store;
#[cfg(test)]
mod tests;

pub use left::{Domain, Left, propagate};
pub use search::{Candidate, Outcome, solve};
pub use sketch::{Host, Problem};
