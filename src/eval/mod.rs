//! From the typed machine to the lowered form, and running it.
//!
//! [`compile`] holds what all parts of the compiler share. They are methods of one [`Compiler`], so a formula is
//! compiled by whoever knows its form, wherever that stands; but what a file names of others stands in its own folder
//! or in one further up in this table, except for what `consequences` has from `plans::estimate`.
//!
//! | folder | subject |
//! |---|---|
//! | [`unbuilt`] | sets that are not built: infinite, too large, or asked for a part |
//! | `consequences` | conjuncts, and what follows from them |
//! | [`plans`] | in which order names get their values, and from where |
//! | `packed` | what a state holds in machine words, at work |
//! | `once` | what is computed once |
//! | [`solutions`] | plans to code that finds solutions |
//! | `problems` | what the constraint solver is given |
//! | [`formulas`] | expressions and predicates |
//! | [`bodies`] | substitutions |
//! | [`run`] | a whole compiled machine; running it on a state |
//! | [`answers`] | what people ask of it, and what they are told |

pub mod answers;
pub mod bodies;
pub mod compile;
mod consequences;
pub mod formulas;
mod once;
mod packed;
pub mod plans;
mod problems;
pub mod run;
pub mod solutions;
pub mod unbuilt;

pub use crate::lower::env::{Env, Fault, Flow, Notes, Operand, TooLarge};
pub use crate::lower::stop::{CutId, CutSite, FaultKind, Site, SiteId, Stop, Within};
pub use answers::narrowed::Narrowed;
pub use answers::question::{Answer, At, More, Open, QuestionCode};
pub use compile::{Compiler, Undefined};
pub use run::apart::Apart;
pub use run::evaluator::{Check, Evaluator};
pub use run::instances::Instances;
pub use run::patience::Patience;
pub use run::program::Program;
pub use run::questions::{Questions, StateQuestion, Topic};
pub use run::select::Select;
pub use run::successors::{Entry, OperationFault, Successors};
