//! The transitions out of a state: admitted, counted, and what they say about it.

use super::engine::{End, Engine};
use super::findings::{Found, Kind};
use super::full::Count;
use super::graph::Origin;
use super::options::OnViolation;
use crate::clock::{Phase, enter};
use crate::eval::{Entry, Successors};
use crate::store::Admitted;
use crate::value::Permutation;

/// How many outcomes of one instance of an operation are many.
const MANY: usize = 16;

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
        let kept = self.keep_new((number, depth), out, &admitted);
        let distinct = self.distinct_labels(out, &admitted);
        self.admitted = admitted;
        result?;
        kept?;
        self.tally.expanded += 1;
        self.tally.note_enabled(out);
        // What ends in an error leads to no state, and is no transition.
        self.tally.transitions += distinct;
        let concrete: u64 = out.entries.iter().map(|e| e.weight as u64).sum();
        self.count_full(Count::Transitions, number, concrete);
        Ok(())
    }

    /// Keeps those of the targets of a state that are new, as many as there is room for.
    fn keep_new(
        &mut self,
        (number, depth): (u32, u32),
        out: &Successors,
        admitted: &[Admitted],
    ) -> Result<(), End> {
        for (i, a) in admitted.iter().enumerate().filter(|(_, a)| a.new) {
            if self.is_full() {
                return Err(self.states_limit());
            }
            let operation = out.entries[i].operation.0 as u16;
            self.keep(a.number, Origin::State(number), operation, depth + 1)?;
        }
        Ok(())
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
        let alike = self.alike(out, automorphisms)?;
        // The earlier target that comes to the same as this one.
        let earlier = |i: usize| alike.get(i).map(|j| *j as usize).filter(|j| *j != i);
        let stays = |target: &[u64]| match (target, state) {
            ([a], [b]) => a == b,
            (a, b) => a == b,
        };
        let batch = self.visited.batch();
        for (i, target) in out.targets.chunks_exact(words).enumerate() {
            if !stays(target) && earlier(i).is_none() {
                batch.push(target);
            }
        }
        let moved = &mut self.moved;
        let result = self.visited.put(self.expander.evaluator.interner(), moved);
        admitted.clear();
        let mut next = moved.iter();
        for (i, target) in out.targets.chunks_exact(words).enumerate() {
            if stays(target) {
                admitted.push(Admitted { number, node: self.visited.node(number), new: false });
            } else if let Some(j) = earlier(i) {
                admitted.push(Admitted { new: false, ..admitted[j] });
            } else {
                // After an interruption those that were admitted are still counted.
                match next.next() {
                    Some(a) => admitted.push(*a),
                    None => break,
                }
            }
        }
        Ok(result?)
    }

    /// Which targets are images of earlier ones under automorphisms of their source ([`Visited::alike`]),
    /// where an instance of an operation has many outcomes. The arguments of operations have been
    /// looked at in this way before; what an ANY chooses has not.
    ///
    /// [`Visited::alike`]: crate::store::Visited::alike
    fn alike(&mut self, out: &Successors, automorphisms: &[Permutation]) -> Result<Vec<u32>, End> {
        let mut instances = out.entries.chunk_by(|a, b| a.group == b.group);
        if automorphisms.is_empty() || instances.all(|outcomes| outcomes.len() < MANY) {
            return Ok(Vec::new());
        }
        let targets: Vec<&[u64]> =
            out.targets.chunks_exact(self.model.program.layout.words).collect();
        Ok(self.visited.alike(&targets, Some(automorphisms), self.expander.evaluator.interner())?)
    }

    /// Number of distinct (operation, arguments, results, representative): one label that leads to
    /// two states of one orbit counts once.
    pub(super) fn distinct_labels(&self, out: &Successors, admitted: &[Admitted]) -> u64 {
        let machine = &self.model.instance.machine;
        let results = |i: usize| {
            let (entry, at) = (&out.entries[i], out.entries[i].results as usize);
            &out.results[at..at + machine.operation(entry.operation).results.len()]
        };
        let mut distinct = 0;
        let mut first = 0;
        while first < admitted.len() {
            let Entry { group, weight, .. } = out.entries[first];
            let same = out.entries[first..admitted.len()].iter().take_while(|e| e.group == group);
            let end = first + same.count();
            let labels = if end - first == 1 {
                1
            } else {
                let labels = (first..end).map(|i| (admitted[i].node, results(i)));
                labels.collect::<rustc_hash::FxHashSet<_>>().len() as u64
            };
            distinct += labels * weight as u64;
            first = end;
        }
        distinct
    }

    /// What the successors of a state say about it: an error, a deadlock; and whether to stop.
    pub fn ends_in(&mut self, number: u32, depth: u32, out: &Successors) -> Result<(), End> {
        if let Some(fault) = out.faults.first() {
            self.tally.findings.faults += out.faults.iter().map(|f| f.weight as u64).sum::<u64>();
            let kind = Kind::Operation(Box::new(fault.clone()));
            self.tally.findings.add(Found { state: number, depth: depth + 1, kind });
            if self.options.on_violation == OnViolation::Stop {
                return Err(End::Found);
            }
        } else if out.is_empty() && !out.cut && self.options.deadlock {
            self.tally.findings.deadlocked += 1;
            self.count_full(Count::Deadlocked, number, 1);
            self.tally.findings.add(Found { state: number, depth, kind: Kind::Deadlock });
            if !self.options.keep_going {
                return Err(End::Found);
            }
        }
        if self.tally.findings.goal_at == Some(number) && !self.options.keep_going {
            return Err(End::Found);
        }
        Ok(())
    }
}
