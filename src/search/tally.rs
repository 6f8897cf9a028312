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

    /// Counts what several states come to, but for the machine without any reduction.
    pub fn add(&mut self, sum: &Sum) {
        self.expanded += sum.expanded;
        self.successors += sum.successors;
        self.take(&sum.taken);
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

/// What states come to that are expanded one after the other.
#[derive(Clone, Debug, Default)]
pub struct Sum {
    pub expanded: u64,
    pub successors: u64,
    /// The transitions of the machine without reduction, out of states that no permutation leaves as they are.
    pub concrete: u64,
    /// The same for each other state, by its number.
    pub weighed: Vec<(u32, u64)>,
    /// How often each operation is taken.
    pub taken: Vec<Taken>,
}

impl Sum {
    pub fn clear(&mut self) {
        let Sum { weighed, taken, .. } = std::mem::take(self);
        *self = Sum { weighed, taken, ..Sum::default() };
        self.weighed.clear();
        self.taken.clear();
    }

    /// Adds how often each operation is taken in one more state.
    pub fn take(&mut self, taken: &[Taken]) {
        for (at, (operation, n)) in taken.iter().enumerate() {
            // Most states enable the same operations in the same order.
            match self.taken.get_mut(at).filter(|known| known.0 == *operation) {
                Some(known) => known.1 += n,
                None => match self.taken.iter_mut().find(|known| known.0 == *operation) {
                    Some(known) => known.1 += n,
                    None => self.taken.push((*operation, *n)),
                },
            }
        }
    }
}

/// Whether an operation leads out of a state, or ends in an error there.
pub fn enables(out: &Successors, operation: OpId) -> bool {
    out.entries.iter().any(|e| e.operation == operation)
        || out.faults.iter().any(|f| f.operation == operation)
}
