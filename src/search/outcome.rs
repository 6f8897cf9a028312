//! What a search found, as data: every renderer shows the same value.

use super::options::SymmetryMode;
use crate::source::Span;
use num_bigint::BigUint;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// All checks hold in every reachable state.
    Ok,
    InvariantViolation,
    AssertionViolation,
    StateError,
    Deadlock,
    GoalFound,
    /// The properties have no solution, or the initialisation has none.
    NoSetup,
    /// Nothing found, and the search was incomplete or approximate.
    NoneFound,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::InvariantViolation => "invariant-violation",
            Verdict::AssertionViolation => "assertion-violation",
            Verdict::StateError => "state-error",
            Verdict::Deadlock => "deadlock",
            Verdict::GoalFound => "goal-found",
            Verdict::NoSetup => "no-setup",
            Verdict::NoneFound => "none-found",
        }
    }

    /// Whether something was found (exit status 1).
    pub fn is_finding(self) -> bool {
        !matches!(self, Verdict::Ok | Verdict::NoneFound)
    }
}

/// Everything that one search found out.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub verdict: Verdict,
    /// Every reachable state, or orbit, was visited.
    pub complete: bool,
    pub approximate: bool,
    /// Ended by the user.
    pub interrupted: bool,
    /// What limited the result, as texts.
    pub bounds: Vec<String>,
    pub symmetry: SymmetryMode,
    /// Root, set-ups and initialised states.
    pub nodes: u64,
    /// Initialised states.
    pub states: u64,
    pub transitions: u64,
    /// The same counts for the machine without any reduction, where known.
    pub full_states: Option<BigUint>,
    pub full_transitions: Option<BigUint>,
    /// `None`: not checked.
    pub violating_states: Option<u64>,
    pub deadlocked_states: Option<u64>,
    pub state_errors: u64,
    /// States where the goal that was asked for holds.
    pub goal_states: Option<u64>,
    /// Without `--goal`: whether a state of the machine's GOAL definition was seen.
    pub goal_seen: Option<bool>,
    /// Greatest number of operations after INITIALISATION.
    pub depth: u32,
    pub seconds: f64,
    pub peak_memory: u64,
    pub finding: Option<Finding>,
    /// Undefined conjuncts in guards that counted as false: where, and how often.
    pub undefined_guards: Vec<(Span, u64)>,
}

/// What the verdict is about.
#[derive(Clone, Debug)]
pub struct Finding {
    /// One line: which conjunct failed, what was undefined, ...
    pub message: String,
    /// The conjunct, or the sub-expression at fault.
    pub span: Option<Span>,
    /// Further lines: bound values, operands with their values.
    pub details: Vec<String>,
    pub trace: Trace,
}

/// A run of the machine, from the set-up of the constants.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trace {
    pub steps: Vec<TraceStep>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct TraceStep {
    /// `SETUP_CONSTANTS`, `INITIALISATION`, or an operation's name.
    pub operation: String,
    /// Printed values.
    pub arguments: Vec<String>,
    pub results: Vec<String>,
    /// Constants or variables that this step gave a new value: name and printed value.
    pub changed: Vec<(String, String)>,
    /// The step ended in a state error: there is no state after it.
    pub failed: bool,
}

/// A look at a running search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Progress {
    pub nodes: u64,
    pub states: u64,
    pub transitions: u64,
    pub queue: u64,
    pub depth: u32,
    pub seconds: f64,
    pub memory: u64,
}
