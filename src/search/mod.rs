//! The search: strategies, checks, limits, statistics, traces.

pub mod control;
pub mod memory;
pub mod options;
pub mod outcome;

pub use control::{Control, Halt};
pub use options::{OnViolation, SearchOptions, Strategy, SymmetryMode};
pub use outcome::{Finding, Outcome, Progress, Trace, TraceStep, Verdict};

use crate::setup::Model;
use std::sync::Arc;

/// Searches the states of a model on this thread.
pub fn run(model: &Model, options: &SearchOptions, control: &Arc<Control>) -> Outcome {
    let _ = (model, options, control);
    unreachable!("being written")
}
