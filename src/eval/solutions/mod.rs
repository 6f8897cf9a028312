//! Plans to code that finds the solutions of a predicate: the steps become actions, and these are run, one call for
//! each solution. It relies on [`plans`](super::plans), on [`unbuilt`](super::unbuilt) for the members of sets, and
//! on `once` for what is remembered.
//!
//! | file | subject |
//! |---|---|
//! | [`solve`] | the steps of a plan, compiled |
//! | `walk` | running them |
//! | `cases` | what conditions ask for, and which of them is taken |
//! | `moves` | actions as total functions |
//! | `tested` | the conjuncts of a step for the solver, compiled once |
//! | `propagation` | the solver at work: who answers its questions |
//! | `aside` | what is false whatever a name is |
//! | `stepwise` | functions found point by point |
//! | [`optimum`] | the best of the solutions |
//! | `firsts` | solutions up to exchanges of elements that nothing tells apart |

mod aside;
mod cases;
pub(super) mod firsts;
pub(super) mod moves;
pub mod optimum;
pub(super) mod propagation;
pub mod solve;
mod stepwise;
pub(super) mod tested;
pub(super) mod walk;
