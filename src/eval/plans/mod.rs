//! In which order the names of a predicate get their values, and from where: a plan is a list of steps, and data.
//! Each file but the first ones knows a way to a next step, what it costs, and what is run for it. It relies on
//! `consequences`, and on [`unbuilt`](super::unbuilt) for the members of sets.
//!
//! | file | subject |
//! |---|---|
//! | [`plan`] | plans, and how the next step is found |
//! | `estimate` | what it costs to walk a set: the guesses that a plan is ordered by |
//! | `offers`, `preferred` | what may be the next step; which of these is taken where the cheapest is not the best |
//! | `solver` | where a plan is left to the solver |
//! | `uses` | which names the steps of a plan ask for |
//! | `inverse`, `isolate` | values found backwards, from equations: of sequences; of numbers |
//! | `cases` | values that conditions ask for |
//! | `sides`, `prefixes`, `grouping` | members of sets of pairs of which one side is known; members looked up by what is said of them |
//! | `applied` | functions of which values are asked only |
//! | [`pointwise`], `fieldwise` | functions that equations tell point by point; records that are told field by field |

mod applied;
mod cases;
pub(super) mod estimate;
mod fieldwise;
mod grouping;
mod inverse;
mod isolate;
mod offers;
pub mod plan;
pub mod pointwise;
mod preferred;
mod prefixes;
pub(super) mod sides;
pub(super) mod solver;
pub(super) mod uses;
