//! What a search is asked to do.

use std::time::Duration;

/// How states are identified.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SymmetryMode {
    Off,
    /// Canonical labelling (Turner et al.).
    Canon,
}

impl SymmetryMode {
    pub const ALL: [SymmetryMode; 2] = [SymmetryMode::Off, SymmetryMode::Canon];

    pub fn name(self) -> &'static str {
        match self {
            SymmetryMode::Off => "off",
            SymmetryMode::Canon => "canon",
        }
    }

    /// By name; ProB's names are aliases.
    pub fn from_name(name: &str) -> Option<SymmetryMode> {
        match name {
            "off" => Some(SymmetryMode::Off),
            "canon" | "nauty" => Some(SymmetryMode::Canon),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strategy {
    BreadthFirst,
    DepthFirst,
    /// Turner et al., algorithm 1: a new state goes to the front of the queue with probability alpha.
    Mixed,
    /// Random walks from the initial states, until a limit ends them.
    Random,
}

impl Strategy {
    pub const ALL: [Strategy; 4] =
        [Strategy::BreadthFirst, Strategy::DepthFirst, Strategy::Mixed, Strategy::Random];

    pub fn name(self) -> &'static str {
        match self {
            Strategy::BreadthFirst => "bfs",
            Strategy::DepthFirst => "dfs",
            Strategy::Mixed => "mixed",
            Strategy::Random => "random",
        }
    }
}

/// What follows when a state violates the invariant or an assertion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OnViolation {
    /// The search ends.
    Stop,
    /// The state is counted, and not expanded.
    Prune,
    /// The state is counted and expanded.
    Expand,
}

#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// `None`: canon where some set is symmetric, else off.
    pub symmetry: Option<SymmetryMode>,
    pub strategy: Strategy,
    /// Probability of the mixed strategy.
    pub alpha: f64,
    pub seed: u64,
    pub deadlock: bool,
    /// Invariant and assertions.
    pub invariant: bool,
    /// End at a state where this holds (typed against the machine of the instance). It must be the
    /// goal that the program was compiled with.
    pub goal: bool,
    pub on_violation: OnViolation,
    /// Go past goals and deadlocks, too.
    pub keep_going: bool,
    /// Of initialised states (representatives, when reduced).
    pub max_states: Option<u64>,
    pub timeout: Option<Duration>,
    /// Bytes; `None`: 80 % of the machine's memory.
    pub memory: Option<u64>,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            symmetry: None,
            strategy: Strategy::BreadthFirst,
            alpha: 0.5,
            seed: 1,
            deadlock: true,
            invariant: true,
            goal: false,
            on_violation: OnViolation::Stop,
            keep_going: false,
            max_states: None,
            timeout: None,
            memory: None,
        }
    }
}
