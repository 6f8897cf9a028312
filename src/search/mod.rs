//! The search: strategies, checks, limits, statistics, traces.
//!
//! [`engine`] the loop, which knows of reductions only what a [`Visited`](crate::store::Visited)
//! answers, with `initial` its first level, `transitions` what leaves a state and `conclude` what is
//! told of it; [`frontier`] the order in which states are taken up; [`level`] what breadth-first search
//! still looks at after a finding; [`walk`] random walks; [`findings`]
//! what was found and which of it the verdict is about; [`trace`] a run of the real machine to it;
//! [`options`], [`outcome`], [`control`] what goes in and comes out; `choice` which method is used.

mod choice;
mod conclude;
pub mod control;
mod engine;
mod findings;
mod frontier;
mod full;
mod initial;
mod level;
pub mod options;
pub mod outcome;
pub mod trace;
mod transitions;
mod walk;

pub use choice::main_array_problem;
pub use control::Control;
pub use engine::run;
pub use options::{IsoOptions, OnViolation, Refinement, SearchOptions, Strategy, SymmetryMode};
pub use outcome::{Finding, Outcome, Progress, Trace, TraceStep, Verdict};
