//! The transitions out of a state: admitted, counted, and what they say about it.

use super::ahead::{Chunk, Known};
use super::engine::{End, Engine};
use super::findings::{Found, Kind};
use super::full::Count;
use super::graph::Origin;
use super::options::OnViolation;
use crate::clock::{Phase, enter};
use crate::eval::{Entry, OperationFault, Successors};
use crate::machine::{Machine, OpId};
use crate::reduce::Worker;
use crate::state::Interner;
use crate::store::Admitted;
use crate::value::Permutation;
use rustc_hash::FxHashSet;
use std::hash::Hash;
use std::ops::Range;

/// How many outcomes of one instance of an operation are many.
const MANY: usize = 16;

/// What stands for a target until it was looked up, or for one that comes to the same as an earlier one,
/// which has the number. There is no such node.
const PUT: Admitted = Admitted { number: 0, node: u32::MAX, new: false };
const LINKED: Admitted = Admitted { number: 0, node: u32::MAX - 1, new: false };

impl Engine<'_> {
    /// Counts something at a state for the machine without reduction.
    pub(super) fn count_full(&mut self, what: Count, number: u32, n: u64) {
        let constants = self.model.program.layout.constants_number(self.visited.state(number));
        self.tally.full.add(what, constants, self.visited.stabiliser(number), n);
    }

    /// Counts the transitions out of a state, given with its number and depth, and admits their targets.
    /// `automorphisms`: permutations that leave the state as it is; none are needed.
    pub fn count_and_admit(
        &mut self,
        (number, depth, state): (u32, u32, &[u64]),
        out: &Successors,
        automorphisms: &[Permutation],
    ) -> Result<(), End> {
        self.tally.successors += out.len() as u64;
        let mut admitted = std::mem::take(&mut self.admitted);
        let result = self.admit_targets((number, state), out, automorphisms, &mut admitted);
        let kept = self.keep_new((number, depth), &admitted, |i| out.entries[i].operation);
        let machine = &self.model.instance.machine;
        self.labels.clear();
        let node = |i: usize| admitted[i].node;
        distinct_labels(machine, out, admitted.len(), node, &mut self.labels);
        self.admitted = admitted;
        result?;
        kept?;
        self.tally.expanded += 1;
        self.tally.note_enabled(out);
        // What ends in an error leads to no state, and is no transition.
        self.tally.take(&self.labels);
        let concrete: u64 = out.entries.iter().map(|e| e.weight as u64).sum();
        self.count_full(Count::Transitions, number, concrete);
        Ok(())
    }

    /// Keeps those of the targets of a state that are new, as many as there is room for.
    fn keep_new(
        &mut self,
        (number, depth): (u32, u32),
        admitted: &[Admitted],
        operation: impl Fn(usize) -> OpId,
    ) -> Result<(), End> {
        for (i, a) in admitted.iter().enumerate().filter(|(_, a)| a.new) {
            if self.is_full() {
                return Err(self.states_limit());
            }
            self.keep(a.number, Origin::State(number), operation(i), depth + 1)?;
        }
        Ok(())
    }

    /// Takes up a state of which is known what follows from it ([`ahead`](super::ahead)).
    pub fn take_up_known(
        &mut self,
        (number, depth): (u32, u32),
        known: Known,
        chunk: &Chunk,
    ) -> Result<(), End> {
        self.expander.evaluator.add_notes(known.notes);
        if !self.judge(number, depth, known.looked)? {
            return Ok(());
        }
        let Some(leaves) = known.leaves else { return Ok(()) };
        self.tally.successors += leaves.successors;
        if !leaves.targets.is_empty() {
            self.put_known((number, depth), leaves.targets, chunk)?;
        }
        self.tally.expanded += 1;
        self.tally.idle.retain(|o| !leaves.enabled.contains(o));
        self.tally.take(&chunk.labels[leaves.labels]);
        self.count_full(Count::Transitions, number, leaves.concrete);
        self.ends(number, depth, &leaves.faults, leaves.deadlocked)
    }

    fn put_known(
        &mut self,
        at: (u32, u32),
        targets: Range<usize>,
        chunk: &Chunk,
    ) -> Result<(), End> {
        let first = targets.start;
        let mut moved = std::mem::take(&mut self.moved);
        let interner = self.expander.evaluator.interner();
        let put = self.visited.put_represented(&chunk.targets, targets, interner, &mut moved);
        let kept = self.keep_new(at, &moved, |i| chunk.operations[first + i]);
        self.moved = moved;
        put?;
        kept
    }

    /// Admits the targets of transitions. A transition that stays in its state, as queries do, needs
    /// no look into the store.
    pub(super) fn admit_targets(
        &mut self,
        (number, state): (u32, &[u64]),
        out: &Successors,
        automorphisms: &[Permutation],
        admitted: &mut Vec<Admitted>,
    ) -> Result<(), End> {
        let words = self.model.program.layout.words;
        enter(Phase::Labelling);
        let interner = self.expander.evaluator.interner();
        let alike = alike(self.visited.worker(), out, words, automorphisms, interner)?;
        let stays = |target: &[u64]| match (target, state) {
            ([a], [b]) => a == b,
            (a, b) => a == b,
        };
        let own = Admitted { number, node: self.visited.node(number), new: false };
        let batch = self.visited.batch();
        admitted.clear();
        for (i, target) in out.targets.chunks_exact(words).enumerate() {
            if stays(target) {
                admitted.push(own);
            } else if alike.get(i).is_some_and(|j| *j as usize != i) {
                admitted.push(Admitted { number: alike[i], ..LINKED });
            } else {
                batch.push(target);
                admitted.push(PUT);
            }
        }
        let result = self.visited.put(self.expander.evaluator.interner(), &mut self.moved);
        let mut next = self.moved.iter();
        for i in 0..admitted.len() {
            if admitted[i] == PUT {
                // After an interruption those that were admitted are still counted.
                match next.next() {
                    Some(put) => admitted[i] = *put,
                    None => {
                        admitted.truncate(i);
                        break;
                    }
                }
            } else if admitted[i].node == LINKED.node {
                admitted[i] = Admitted { new: false, ..admitted[admitted[i].number as usize] };
            }
        }
        Ok(result?)
    }

    /// What the successors of a state say about it: an error, a deadlock; and whether to stop.
    pub fn ends_in(&mut self, number: u32, depth: u32, out: &Successors) -> Result<(), End> {
        self.ends(number, depth, &out.faults, out.is_empty() && !out.cut)
    }

    fn ends(
        &mut self,
        number: u32,
        depth: u32,
        faults: &[OperationFault],
        deadlocked: bool,
    ) -> Result<(), End> {
        if let Some(fault) = faults.first() {
            self.tally.findings.count_faults(faults);
            let kind = Kind::Operation(Box::new(fault.clone()));
            self.tally.findings.add(Found { state: number, depth: depth + 1, kind });
            if self.options.on_violation == OnViolation::Stop {
                return Err(End::Found);
            }
        } else if deadlocked && self.options.deadlock {
            self.tally.findings.deadlocked += 1;
            self.count_full(Count::Deadlocked, number, 1);
            self.tally.findings.add(Found { state: number, depth, kind: Kind::Deadlock });
            if !self.options.keep_going {
                return Err(End::Found);
            }
        }
        self.note_until(number, depth);
        if self.tally.findings.goal_at == Some(number) && !self.options.keep_going {
            return Err(End::Found);
        }
        Ok(())
    }
}

/// Which targets are images of earlier ones under automorphisms of their source ([`Worker::alike`]),
/// where an instance of an operation has many outcomes. The arguments of operations have been looked at
/// in this way before; what an ANY chooses has not.
pub fn alike(
    worker: &mut dyn Worker,
    out: &Successors,
    words: usize,
    automorphisms: &[Permutation],
    interner: &mut Interner,
) -> Result<Vec<u32>, End> {
    let mut instances = out.entries.chunk_by(|a, b| a.group == b.group);
    if automorphisms.is_empty() || instances.all(|outcomes| outcomes.len() < MANY) {
        return Ok(Vec::new());
    }
    let targets: Vec<&[u64]> = out.targets.chunks_exact(words).collect();
    Ok(worker.alike(&targets, Some(automorphisms), interner)?)
}

/// How often an operation is taken.
pub type Taken = (OpId, u64);

/// Adds how many distinct (operation, arguments, results, node) there are among the first transitions, by
/// operations: one label that leads to two states of one orbit counts once.
pub fn distinct_labels<N: Eq + Hash>(
    machine: &Machine,
    out: &Successors,
    count: usize,
    node: impl Fn(usize) -> N,
    taken: &mut Vec<Taken>,
) {
    let results = |i: usize| {
        let (entry, at) = (&out.entries[i], out.entries[i].results as usize);
        &out.results[at..at + machine.operation(entry.operation).results.len()]
    };
    let mut first = 0;
    while first < count {
        let Entry { operation, group, weight, .. } = out.entries[first];
        let same = out.entries[first..count].iter().take_while(|e| e.group == group);
        let end = first + same.count();
        let labels = if end - first == 1 {
            1
        } else {
            let labels = (first..end).map(|i| (node(i), results(i)));
            labels.collect::<FxHashSet<_>>().len() as u64
        };
        add_taken(taken, operation, labels * weight as u64);
        first = end;
    }
}

/// Instances of one operation come one after the other.
pub fn add_taken(taken: &mut Vec<Taken>, operation: OpId, n: u64) {
    match taken.last_mut() {
        Some(last) if last.0 == operation => last.1 += n,
        _ => taken.push((operation, n)),
    }
}
