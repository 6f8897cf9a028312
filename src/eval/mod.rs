//! From the typed machine to closures that run.
//!
//! [`compile`] what the compiler's parts share; [`code`] the closures; [`env`] the frame they work
//! on; [`expression`], [`predicate`], [`membership`], [`substitution`] one file per kind of tree; [`external`] external functions;
//! [`metered`] large operations under limits; [`plan`] and [`solve`] solutions of predicates; [`orbits`] arguments up to automorphism; [`program`] a whole compiled machine;
//! [`evaluator`] running it on a state.

pub mod code;
pub mod compile;
pub mod env;
pub mod evaluator;
pub mod expression;
pub mod external;
pub mod membership;
mod metered;
pub mod orbits;
pub mod plan;
pub mod predicate;
pub mod program;
pub mod solve;
pub mod stop;
pub mod substitution;

pub use compile::{Compiler, Undefined};
pub use env::{Env, Fault, Flow, Notes, Operand, TooLarge, Watch};
pub use evaluator::{Check, Entry, Evaluator, OperationFault, Successors};
pub use program::Program;
pub use stop::{FaultKind, Site, SiteId, Stop};
