//! The search: strategies, checks, limits, statistics, traces.
//!
//! | file | subject |
//! |---|---|
//! | [`engine`], `initial`, `transitions`, `targets`, `conclude` | all parts together: the first level, what leaves a state, where that leads, what is told at the end |
//! | `breadth`, `depth`, `mixed`, `walk` | in which order states are taken up, one file per strategy |
//! | `partial` | which transitions of a state may wait: partial order reduction |
//! | `expander`, `checks` | what holds in a state, and what follows: pure |
//! | `waiting` | assertions that take long: when the states were found |
//! | `crew`, `ahead` | all cores: what threads find out about states before it is their turn |
//! | `walkers` | all cores: random walks, one seed for each |
//! | `graph`, `tally`, `full` | how each state was reached; what was counted; the same without reduction |
//! | [`findings`], [`trace`] | what was found and which of it the verdict is about; a run of the real machine to it |
//! | [`narrow`] | which sets of numbers in what does not hold end at MAXINT |
//! | [`options`], [`outcome`], [`control`] | what goes in and comes out |
//! | [`reach`] | the same from a state of its own, to the nearest state that somebody wants to see |
//! | [`values`] | which values the variables have in the states that were found |
//! | [`random`] | numbers that repeat for a seed |
//! | `choice` | which reduction and which store a mode stands for |

mod ahead;
mod breadth;
mod checks;
mod choice;
mod conclude;
pub mod control;
mod crew;
mod depth;
mod engine;
mod expander;
mod findings;
mod full;
mod graph;
mod initial;
mod mixed;
pub mod narrow;
pub mod options;
pub mod outcome;
mod partial;
pub mod random;
pub mod reach;
mod tally;
mod targets;
pub mod trace;
mod transitions;
pub mod values;
mod waiting;
mod walk;
mod walkers;

pub use choice::main_array_problem;
pub use control::Control;
pub use engine::run;
pub use options::{
    Asserted, IsoOptions, OnViolation, PorAnalysis, PorChoice, PorMethod, Refinement,
    SearchOptions, Strategy, SymmetryMode,
};
pub use outcome::{
    Contradiction, Finding, Least, OperationCount, Outcome, Partial, Progress, Verdict,
};
