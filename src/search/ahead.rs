//! What a thread finds out about states before it is their turn.
//!
//! It looks at a search that stands still: it checks states, expands them, and computes what stands for
//! their targets, with scratch of its own. What then becomes of a state is decided when its turn comes
//! ([`Engine::take_up_known`](super::engine::Engine)).

use super::checks::{Looked, Scope};
use super::engine::End;
use super::expander::Expander;
use super::graph::Graph;
use super::options::OnViolation;
use super::tally::enables;
use super::transitions::{Taken, add_taken, alike, distinct_labels};
use crate::clock::{Phase, enter};
use crate::eval::{Notes, OperationFault, Successors};
use crate::machine::OpId;
use crate::reduce::{About, Batch, Worker};
use crate::store::Store;
use crate::store::visited::stabiliser;
use std::ops::Range;

/// A search that stands still, as all threads see it.
#[derive(Clone, Copy)]
pub struct Still<'a> {
    pub store: &'a dyn Store,
    pub about: &'a About,
    pub graph: &'a Graph,
    pub asks: Asks,
    pub on_violation: OnViolation,
    /// Operations that no state so far enables.
    pub idle: &'a [OpId],
}

/// What is asked of a state depends on what was found before.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Asks {
    /// Only what the last operation can change.
    pub since: bool,
    /// The goal, too.
    pub goal: bool,
}

/// What is known of one state.
pub struct Known {
    pub looked: Looked,
    pub notes: Option<Box<Notes>>,
    /// What was counted, where it was expanded.
    pub leaves: Option<Leaves>,
}

/// What leaves a state.
pub struct Leaves {
    pub successors: u64,
    /// Its transitions: those of the chunk's labels.
    pub labels: Range<usize>,
    /// The transitions of the machine without reduction.
    pub concrete: u64,
    /// Operations that were idle.
    pub enabled: Vec<OpId>,
    pub faults: Vec<OperationFault>,
    /// No operation is enabled, for certain.
    pub deadlocked: bool,
    /// Those targets of the chunk that it leads to, and that were not known.
    pub targets: Range<usize>,
}

/// What is known of some states that follow each other.
pub struct Chunk {
    /// Of those from the first on, as far as the thread came; of some nothing.
    pub states: Vec<Option<Known>>,
    /// What stands for the targets that were not known.
    pub targets: Batch,
    /// The operations that lead there.
    pub operations: Vec<OpId>,
    /// How often each state's operations are taken.
    pub labels: Vec<Taken>,
}

impl Chunk {
    pub fn new(words: usize) -> Chunk {
        let targets = Batch::new(words);
        Chunk { states: Vec::new(), targets, operations: Vec::new(), labels: Vec::new() }
    }

    pub fn clear(&mut self) {
        self.states.clear();
        self.targets.clear();
        self.operations.clear();
        self.labels.clear();
    }
}

/// Where a transition leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stay {
    /// To the state that it leaves, as queries do.
    Stays,
    /// To the same as the one with this number.
    As(usize),
    Moves,
}

/// What one thread works with.
pub struct Helper {
    expander: Expander,
    worker: Box<dyn Worker>,
    words: usize,
    out: Successors,
    state: Vec<u64>,
    batch: Batch,
    /// The entry that each state of the batch is the target of.
    entries: Vec<usize>,
    found: Vec<Option<u32>>,
    stays: Vec<Stay>,
    /// How often the operations of the state are taken.
    labels: Vec<Taken>,
}

impl Helper {
    pub fn new(expander: Expander, worker: Box<dyn Worker>) -> Helper {
        let words = expander.evaluator.program().layout.words;
        Helper {
            expander,
            worker,
            words,
            out: Successors::new(),
            state: Vec::new(),
            batch: Batch::new(words),
            entries: Vec::new(),
            found: Vec::new(),
            stays: Vec::new(),
            labels: Vec::new(),
        }
    }

    pub fn worker(&self) -> &dyn Worker {
        &*self.worker
    }

    /// Finds out about these states, in an empty chunk.
    ///
    /// # Errors
    /// The work is to end; of the other states nothing is known.
    pub fn look_ahead(
        &mut self,
        still: Still<'_>,
        numbers: Range<u32>,
        chunk: &mut Chunk,
    ) -> Result<(), End> {
        for number in numbers {
            let known = self.look_at(still, number, chunk);
            let notes = self.expander.evaluator.take_notes();
            let known = known?.map(|known| Known { notes, ..known });
            chunk.states.push(known);
        }
        Ok(())
    }

    fn look_at(
        &mut self,
        still: Still<'_>,
        number: u32,
        chunk: &mut Chunk,
    ) -> Result<Option<Known>, End> {
        self.state.clear();
        self.state.extend_from_slice(still.store.state(number));
        let since = still.graph.led_by(number).filter(|_| still.asks.since);
        let looked = self.expander.look(&self.state, since, still.asks.goal)?;
        let goes_on = looked.scope == Scope::Inside
            && (looked.wrong.is_empty() || still.on_violation == OnViolation::Expand);
        let mut known = Known { looked, notes: None, leaves: None };
        if goes_on {
            let order = stabiliser(still.about, still.store, number);
            let automorphisms = self.expander.expand(&self.state, order, &mut self.out)?;
            enter(Phase::Labelling);
            let interner = self.expander.evaluator.interner();
            let alike = alike(&mut *self.worker, &self.out, self.words, &automorphisms, interner)?;
            self.pick_targets(&alike);
            let interner = self.expander.evaluator.interner();
            self.worker.represent(&mut self.batch, interner)?;
            still.store.find(&self.batch, &mut self.found);
            known.leaves = self.leaves(still, number, chunk);
            return Ok(known.leaves.is_some().then_some(known));
        }
        Ok(Some(known))
    }

    /// Puts those targets into the batch that are to be looked up. `alike`: the earlier targets that they
    /// come to the same as.
    fn pick_targets(&mut self, alike: &[u32]) {
        self.batch.clear();
        self.entries.clear();
        self.stays.clear();
        for (i, target) in self.out.targets.chunks_exact(self.words).enumerate() {
            let earlier = alike.get(i).map(|j| *j as usize).filter(|j| *j != i);
            self.stays.push(match earlier {
                _ if target == self.state => Stay::Stays,
                Some(j) => Stay::As(j),
                None => {
                    self.batch.push(target);
                    self.entries.push(i);
                    Stay::Moves
                }
            });
        }
    }

    /// Sums up what leaves a state; `None` where that depends on whether unknown states are one.
    fn leaves(&mut self, still: Still<'_>, number: u32, chunk: &mut Chunk) -> Option<Leaves> {
        self.count_labels(still, number)?;
        let first = chunk.labels.len();
        chunk.labels.extend_from_slice(&self.labels);
        let begin = chunk.operations.len();
        for (i, entry) in self.entries.iter().enumerate() {
            if self.found[i].is_none() {
                chunk.targets.take(&self.batch, i);
                chunk.operations.push(self.out.entries[*entry].operation);
            }
        }
        let out = &mut self.out;
        let idle = still.idle.iter().filter(|o| enables(out, **o));
        Some(Leaves {
            successors: out.len() as u64,
            labels: first..chunk.labels.len(),
            concrete: out.entries.iter().map(|e| u64::from(e.weight)).sum(),
            enabled: idle.copied().collect(),
            deadlocked: out.is_empty() && !out.cut,
            faults: std::mem::take(&mut out.faults),
            targets: begin..chunk.operations.len(),
        })
    }

    /// Counts how often each operation is taken, if that is known: one label that leads to two states of one
    /// orbit counts once.
    fn count_labels(&mut self, still: Still<'_>, number: u32) -> Option<()> {
        let out = &self.out;
        self.labels.clear();
        let alone = out.entries.windows(2).all(|pair| pair[0].group != pair[1].group);
        if alone {
            for entry in &out.entries {
                add_taken(&mut self.labels, entry.operation, u64::from(entry.weight));
            }
            return Some(());
        }
        if !still.store.goes_by_words() {
            return None;
        }
        let mut nodes: Vec<(Option<u32>, &[u64])> = Vec::with_capacity(out.len());
        let mut next = 0;
        for stay in &self.stays {
            let node = match stay {
                Stay::Stays => (Some(still.store.node(number)), &[][..]),
                Stay::As(j) => nodes[*j],
                Stay::Moves => {
                    next += 1;
                    match self.found[next - 1] {
                        Some(node) => (Some(node), &[][..]),
                        None => (None, self.batch.key(next - 1)),
                    }
                }
            };
            nodes.push(node);
        }
        let machine = &self.expander.evaluator.program().instance.machine;
        distinct_labels(machine, out, nodes.len(), |i| nodes[i], &mut self.labels);
        Some(())
    }
}
