//! The transitions out of a state: admitted, counted, and what they say about it.

use super::ahead::{Chunk, Known, Leaves, Odd};
use super::engine::{End, Engine};
use super::findings::{Found, Kind};
use super::full::Count;
use super::graph::Origin;
use super::options::OnViolation;
use crate::clock::{Phase, enter};
use crate::eval::{OperationFault, Successors};
use crate::machine::OpId;
use crate::reduce::Worker;
use crate::state::Interner;
use crate::symmetry::Order;
use crate::value::Generators;
use std::ops::Range;

/// How many outcomes of one instance of an operation are many.
const MANY: usize = 16;

impl Engine<'_> {
    /// Counts something at a state for the machine without reduction.
    #[inline]
    pub(super) fn count_full(&mut self, what: Count, number: u32, n: u64) {
        let visited = &self.visited;
        let constants = || self.model.program.layout.constants_number(visited.state(number));
        self.tally.full.add(
            what,
            constants,
            visited.stabiliser(number).map(|known| &known.order),
            n,
        );
    }

    /// Counts the transitions out of a state, given with its number and depth, and admits their targets.
    /// `automorphisms`: permutations that leave the state as it is; none are needed.
    pub fn count_and_admit(
        &mut self,
        (number, depth, state): (u32, u32, &[u64]),
        out: &Successors,
        automorphisms: &Generators,
    ) -> Result<(), End> {
        self.tally.successors += out.len() as u64;
        let result = self.admit_targets(state, out, automorphisms);
        let kept = self
            .keep_new((number, depth), |engine, i| out.entries[engine.targets.entry(i)].operation);
        // They were taken even where there is no room for all that they lead to. What ends in an error leads to no
        // state, and is no transition.
        match out.taken() {
            Some(taken) => self.tally.take(taken),
            None if result.is_ok() => self.take_labels((number, state), out),
            None => {}
        }
        kept?;
        result?;
        self.tally.expanded += 1;
        self.tally.note_enabled(out);
        self.count_full(Count::Transitions, number, out.weight());
        Ok(())
    }

    /// Counts how often each operation is taken, by what became of the targets.
    fn take_labels(&mut self, (number, state): (u32, &[u64]), out: &Successors) {
        self.labels.clear();
        let own = self.visited.node(number);
        let node = |i: usize| self.admitted[i].node;
        let machine = &self.model.instance.machine;
        self.targets.add_taken((machine, out, state), own, node, &mut self.labels);
        self.tally.take(&self.labels);
    }

    /// Keeps those states that were admitted last and that are new, as many as there is room for.
    fn keep_new(
        &mut self,
        (number, depth): (u32, u32),
        operation: impl Fn(&Self, usize) -> OpId,
    ) -> Result<(), End> {
        for i in 0..self.admitted.len() {
            let put = self.admitted[i];
            if put.new {
                self.keep_next((number, depth), put.number, operation(self, i))?;
            }
        }
        Ok(())
    }

    /// Keeps a new state, if there is room for it. `from`: the state that leads there, and its depth.
    fn keep_next(&mut self, from: (u32, u32), new: u32, operation: OpId) -> Result<(), End> {
        if self.is_full() {
            return Err(self.states_limit());
        }
        self.keep(new, Origin::State(from.0), operation, from.1 + 1)
    }

    /// Whether no limit can end the search in the middle of a chunk, which is counted as a whole.
    pub fn has_room_for(&mut self, chunk: &Chunk) -> bool {
        let new = chunk.claims.len();
        let most = self.options.max_states;
        self.tally.full.counts_alike()
            && most.is_none_or(|most| self.tally.states + new as u64 <= most)
            && self.visited.has_numbers(new)
    }

    /// Takes up the states of a chunk about which there is nothing odd, from this one on, at this depth: their
    /// targets were claimed where they are new.
    pub fn take_up_chunk(&mut self, (first, depth): (u32, u32), chunk: &Chunk) -> Result<(), End> {
        self.pause(first + 1)?;
        let mut new = std::mem::take(&mut self.numbered);
        new.clear();
        let numbered = self.visited.number_all(&chunk.targets, &chunk.claims, &mut new);
        let kept = new.iter().try_for_each(|(i, number)| {
            self.keep_next((chunk.from[*i], depth), *number, chunk.operations[*i])
        });
        self.numbered = new;
        kept?;
        numbered?;
        let sum = &chunk.sum;
        self.tally.add(sum);
        self.tally.full.add(Count::Transitions, || 0, Some(&Order::ONE), sum.concrete);
        sum.weighed.iter().for_each(|(number, n)| self.count_full(Count::Transitions, *number, *n));
        Ok(())
    }

    /// Takes up a state of which is known what follows from it ([`ahead`](super::ahead)). `claimed`: whether
    /// its targets were claimed where they are new.
    pub fn take_up_known(
        &mut self,
        (number, depth): (u32, u32),
        known: Known,
        chunk: &Chunk,
        claimed: bool,
    ) -> Result<(), End> {
        let Known { odd, leaves } = known;
        let Some(odd) = odd else {
            let Some(leaves) = leaves else { return Ok(()) };
            self.follow_known((number, depth), leaves, chunk, claimed)?;
            return self.ends(number, depth, &[], false);
        };
        let Odd { looked, notes, enabled, faults, deadlocked, branched, known_targets } = *odd;
        self.expander.evaluator.add_notes(notes);
        if !self.judge(number, depth, looked)? {
            return Ok(());
        }
        let Some(leaves) = leaves else { return Ok(()) };
        self.follow_known((number, depth), leaves, chunk, claimed)?;
        if let Some(branched) = &branched {
            if branched.is_partly() && self.control.records() {
                let mut all = known_targets;
                self.add_numbers(chunk, leaves.targets(), claimed, &mut all);
                self.control.record(|| (number, all));
            }
            // Threads look ahead where all states are tried, or none is any more.
            if let Some(reducer) = &mut self.reducer {
                reducer.count(leaves.successors, Some(branched));
            }
        }
        self.tally.idle.retain(|o| !enabled.contains(o));
        self.ends(number, depth, &faults, deadlocked)
    }

    /// Counts what leaves a state, and numbers what is new.
    #[inline]
    fn follow_known(
        &mut self,
        (number, depth): (u32, u32),
        leaves: Leaves,
        chunk: &Chunk,
        claimed: bool,
    ) -> Result<(), End> {
        self.tally.successors += leaves.successors;
        self.tally.take(&chunk.labels[leaves.labels()]);
        let targets = leaves.targets();
        if !targets.is_empty() {
            match claimed {
                true => self.number_known((number, depth), targets, chunk)?,
                false => self.put_known((number, depth), targets, chunk)?,
            }
        }
        self.tally.expanded += 1;
        self.count_full(Count::Transitions, number, leaves.concrete);
        Ok(())
    }

    /// Numbers those targets that are new.
    fn number_known(
        &mut self,
        from: (u32, u32),
        targets: Range<usize>,
        chunk: &Chunk,
    ) -> Result<(), End> {
        for i in targets {
            if let Some(number) = self.visited.number(&chunk.targets, i, chunk.claims[i])? {
                self.keep_next(from, number, chunk.operations[i])?;
            }
        }
        Ok(())
    }

    /// Adds the numbers of targets that are numbered by now.
    fn add_numbers(&self, chunk: &Chunk, targets: Range<usize>, claimed: bool, all: &mut Vec<u32>) {
        match claimed {
            true => all.extend(targets.filter_map(|i| self.visited.numbered(&chunk.targets, i))),
            false if targets.is_empty() => {}
            false => all.extend(self.reached()),
        }
    }

    /// Looks the targets up.
    fn put_known(
        &mut self,
        from: (u32, u32),
        targets: Range<usize>,
        chunk: &Chunk,
    ) -> Result<(), End> {
        let first = targets.start;
        let interner = self.expander.evaluator.interner();
        let puts = &mut self.admitted;
        let put = self.visited.put_represented(&chunk.targets, targets, interner, puts);
        self.keep_new(from, |_, i| chunk.operations[first + i])?;
        Ok(put?)
    }

    /// Admits the targets of the transitions out of a state.
    fn admit_targets(
        &mut self,
        state: &[u64],
        out: &Successors,
        automorphisms: &Generators,
    ) -> Result<(), End> {
        enter(Phase::Labelling);
        self.admitted.clear();
        let interner = self.expander.evaluator.interner();
        let alike = alike(self.visited.worker(), out, state.len(), automorphisms, interner)?;
        self.targets.pick(out, state, alike, self.visited.batch());
        Ok(self.visited.put(interner, &mut self.admitted)?)
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
        // What an event claims of itself is asked together with the invariant.
        let asked = |fault: &&OperationFault| self.options.invariant || !fault.beside;
        if let Some(fault) = faults.iter().find(asked) {
            self.tally.findings.count_faults(faults.iter().filter(asked));
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
#[inline]
pub fn alike(
    worker: &mut dyn Worker,
    out: &Successors,
    words: usize,
    automorphisms: &Generators,
    interner: &mut Interner,
) -> Result<Vec<u32>, End> {
    match automorphisms.is_empty() {
        true => Ok(Vec::new()),
        false => alike_under(automorphisms, worker, out, words, interner),
    }
}

fn alike_under(
    automorphisms: &Generators,
    worker: &mut dyn Worker,
    out: &Successors,
    words: usize,
    interner: &mut Interner,
) -> Result<Vec<u32>, End> {
    let mut instances = out.entries.chunk_by(|a, b| a.group == b.group);
    if instances.all(|outcomes| outcomes.len() < MANY) {
        return Ok(Vec::new());
    }
    let targets: Vec<&[u64]> = out.targets.chunks_exact(words).collect();
    Ok(worker.alike(&targets, Some(&automorphisms.permutations()), interner)?)
}
