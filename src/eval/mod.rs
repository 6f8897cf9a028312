//! From the typed machine to closures that run.
//!
//! | file | subject |
//! |---|---|
//! | [`compile`], [`code`], [`env`] | what the compiler's parts share; the closures; the frame they work on |
//! | [`expression`], [`arithmetic`], [`application`] | expressions; numbers; functions and relations at work |
//! | [`predicate`], [`membership`] | predicates; membership that makes no set |
//! | [`substitution`], `assignment`, `sequence`, `written` | substitutions; targets; `;`, loops and calls; what is undone and made readable |
//! | [`plan`], [`solve`], [`members`] | solutions of predicates: in which order, how, and from which sets |
//! | [`external`] | external functions |
//! | [`orbits`] | arguments up to automorphism |
//! | [`program`], [`evaluator`], [`stop`] | a whole compiled machine; running it on a state; why it stops |

pub mod application;
pub mod arithmetic;
mod assignment;
pub mod code;
pub mod compile;
pub mod env;
pub mod evaluator;
pub mod expression;
pub mod external;
pub mod members;
pub mod membership;
pub mod orbits;
pub mod plan;
pub mod predicate;
pub mod program;
mod sequence;
pub mod solve;
pub mod stop;
pub mod substitution;
mod written;

pub use compile::{Compiler, Undefined};
pub use env::{Env, Fault, Flow, Notes, Operand, Watch};
pub use evaluator::{Check, Entry, Evaluator, OperationFault, Successors};
pub use program::Program;
pub use stop::{FaultKind, Site, SiteId, Stop};
