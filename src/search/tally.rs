//! What a search has counted.

use super::findings::Findings;
use super::full::FullCounts;
use super::graph::Firsts;
use super::targets::Taken;
use crate::eval::Successors;
use crate::machine::OpId;

pub struct Tally {
    /// Initialised states; with flooding the images are counted, too.
    pub states: u64,
    /// Nodes of the set-ups.
    pub setup_nodes: u64,
    pub transitions: u64,
    /// Those of each operation, by its number.
    pub taken: Vec<u64>,
    /// The states that each was the first to reach, as far as they are counted.
    pub firsts: Firsts,
    /// Those of the set-ups and the initialisations.
    pub first_transitions: u64,
    /// Those that were computed.
    pub successors: u64,
    /// States expanded.
    pub expanded: u64,
    /// Most operations on the first way to a state.
    pub depth: u32,
    /// Operations that no state so far enables.
    pub idle: Vec<OpId>,
    /// The same for the machine without any reduction.
    pub full: FullCounts,
    pub findings: Findings,
}

impl Tally {
    /// `operations`: those that can be enabled.
    pub fn new(operations: Vec<OpId>, full: FullCounts) -> Tally {
        let most = operations.iter().map(|o| o.0 as usize + 1).max().unwrap_or(0);
        Tally {
            states: 0,
            setup_nodes: 0,
            transitions: 0,
            taken: vec![0; most],
            firsts: Firsts::new(most),
            first_transitions: 0,
            successors: 0,
            expanded: 0,
            depth: 0,
            idle: operations,
            full,
            findings: Findings::default(),
        }
    }

    /// Counts the transitions out of a state.
    pub fn take(&mut self, taken: &[Taken]) {
        for (operation, n) in taken {
            self.transitions += n;
            self.taken[operation.0 as usize] += n;
        }
    }

    /// A state was expanded: its operations are enabled.
    pub fn note_enabled(&mut self, out: &Successors) {
        if !self.idle.is_empty() {
            self.idle.retain(|o| !enables(out, *o));
        }
    }
}

/// Whether an operation leads out of a state, or ends in an error there.
pub fn enables(out: &Successors, operation: OpId) -> bool {
    out.entries.iter().any(|e| e.operation == operation)
        || out.faults.iter().any(|f| f.operation == operation)
}
