//! What a search has come to: progress while it runs, the outcome at its end.

use super::engine::Engine;
use super::full::Count;
use super::outcome::{Finding, OperationCount, Outcome, Progress, Verdict};
use super::{SymmetryMode, choice, trace};
use crate::clock::{Halt, memory};
use crate::machine::OpId;
use crate::reduce::Kind;
use crate::run::Run;
use crate::setup::Bound;
use crate::state::Instance;
use crate::store::Refused;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Between two looks at a running search.
const REPORT_EVERY: Duration = Duration::from_millis(100);

impl Engine<'_> {
    pub fn report(&mut self, queue: u64) {
        if !self.control.is_wanted() && self.reported.elapsed() < REPORT_EVERY {
            return;
        }
        self.reported = Instant::now();
        self.tell_values(false);
        self.control.report(self.progress(queue));
    }

    pub(super) fn progress(&self, queue: u64) -> Progress {
        Progress {
            nodes: self.nodes(),
            states: self.tally.states,
            transitions: self.tally.transitions,
            queue,
            depth: self.tally.depth,
            seconds: self.started.elapsed().as_secs_f64(),
            memory: memory::resident(),
            asked: None,
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        1 + self.tally.setup_nodes + self.tally.states
    }

    pub fn bound(&mut self, bound: Bound) {
        self.complete = false;
        self.bounds.push(bound);
    }

    pub(super) fn outcome(mut self, problem: Option<(Verdict, Finding)>) -> Outcome {
        self.tell_values(true);
        self.control.report(self.progress(0));
        let mut interrupted = self.note_limits();
        self.note_method();
        let operations = self.operation_counts();
        let (verdict, finding) = match problem {
            Some((verdict, finding)) => {
                self.complete = false;
                (Some(verdict), Some(finding))
            }
            // Nothing is reached in fewer steps.
            None if self.failed_start.is_some() => match self.failed_start.take() {
                Some((verdict, finding)) => (Some(verdict), Some(finding)),
                None => (None, None),
            },
            None => match self.tally.findings.best.clone() {
                Some(found) => {
                    (Some(found.kind.verdict()), Some(trace::finding(&mut self, &found)))
                }
                None => (None, None),
            },
        };
        if let Some(halted) = self.control.clock().halted() {
            self.bound(Bound::Halted(halted));
            interrupted |= halted.why == Halt::Interrupted;
        }
        let verdict =
            verdict.unwrap_or(if self.complete { Verdict::Ok } else { Verdict::NoneFound });
        let group = self.visited.about().group.clone();
        let options = self.options;
        let has_goal = self.model.instance.machine.goal.is_some();
        let kept = self.complete && self.reducer.is_none();
        let full = |what| kept.then(|| self.tally.full.total(what, &group)).flatten();
        let first = full(Count::FirstTransitions);
        let proven = self.complete && self.visited.about().kind != Kind::Approximate;
        let machine = &self.model.instance.machine;
        let idle = self
            .tally
            .idle
            .iter()
            .filter(|_| proven && self.reducer.is_none() && self.tally.states > 0)
            .map(|o| machine.operation(*o));
        let never_enabled = idle.map(|o| (o.name_span, o.name.to_string())).collect();
        let notes = self.expander.evaluator.notes();
        Outcome {
            verdict,
            complete: self.complete,
            approximate: self.visited.about().kind == Kind::Approximate,
            interrupted,
            symmetry: choice::effective_mode(self.model, options),
            partial: self.reducer.as_ref().map(|r| r.outcome()),
            expanded: self.tally.expanded,
            successors: self.tally.successors,
            missed_orbits: self.visited.missed_orbits(),
            method_statistics: self.visited.figures(),
            notes: self.symmetry_notes(),
            nodes: self.nodes(),
            states: self.tally.states,
            transitions: self.tally.transitions,
            first_transitions: self.tally.first_transitions,
            operations,
            full_states: full(Count::States),
            full_transitions: full(Count::Transitions).zip(first.clone()).map(|(a, b)| a + b),
            full_first_transitions: first,
            full_deadlocked_states: full(Count::Deadlocked).filter(|_| options.deadlock),
            full_goal_states: full(Count::Goals).filter(|_| options.goal),
            violating_states: options.invariant.then_some(self.tally.findings.violating),
            assertion_violations: options.asserts().then_some(self.tally.findings.assertions),
            undefined_checks: self.tally.findings.undefined,
            deadlocked_states: options.deadlock.then_some(self.tally.findings.deadlocked),
            state_errors: self.tally.findings.errors(),
            broken_claims: self.tally.findings.broken,
            goal_states: options.goal.then_some(self.tally.findings.goals),
            goal_seen: (!options.goal && has_goal).then_some(self.tally.findings.goal_seen),
            goal_undefined: self.tally.findings.goal_undefined,
            depth: self.tally.depth,
            seconds: self.started.elapsed().as_secs_f64(),
            threads: if self.is_reducing() { 1 } else { self.threads },
            peak_memory: memory::peak(),
            stored_bytes: (self.visited.bytes() + self.graph.bytes()) as u64,
            finding,
            never_enabled,
            too_large: notes.too_large.iter().map(|(s, w)| (*s, *w)).collect(),
            cut: notes.cut.iter().cloned().collect(),
            undefined_guards: notes.undefined_guards.iter().map(|(s, n)| (*s, *n)).collect(),
            bounds: self.bounds,
        }
    }

    /// What each operation has had to do with the search so far.
    pub(super) fn operation_counts(&mut self) -> Vec<OperationCount> {
        self.graph.count_firsts(&mut self.tally.firsts);
        let (machine, taken) = (&self.model.instance.machine, &self.tally.taken);
        let first = &self.tally.firsts.counts;
        let count = |id: OpId| OperationCount {
            name: machine.operation(id).name.to_string(),
            taken: taken[id.0 as usize],
            first: first[id.0 as usize],
        };
        self.model.program.visible_operations().map(count).collect()
    }

    /// What the method makes of the result: why it refused to go on, and that it is approximate.
    pub(super) fn note_method(&mut self) {
        match self.visited.refusal().cloned() {
            Some(Refused::Images { images, limit }) => {
                self.bound(Bound::FloodLimit { images, limit });
            }
            Some(Refused::Numbers(most)) => self.bound(Bound::Numbers(most)),
            Some(Refused::Interrupted) | None => {}
        }
        if self.visited.about().kind == Kind::Approximate {
            let method = choice::effective_mode(self.model, self.options).name();
            self.bound(Bound::Approximate { method });
        }
    }

    /// What the method could not use, and sets that have no symmetry to be used.
    fn symmetry_notes(&self) -> Vec<String> {
        let mut notes = self.visited.about().notes.clone();
        if self.options.symmetry != Some(SymmetryMode::Off) {
            notes.extend(self.model.explanation.asymmetries());
        }
        notes
    }

    /// Turns limits that were reached into bounds; whether the user interrupted.
    pub(super) fn note_limits(&mut self) -> bool {
        let halted = self.control.clock().allow_more();
        if let Some(halted) = halted {
            self.bound(Bound::Halted(halted));
        }
        let instance = &self.model.instance;
        let (min, max) = (instance.min_int, instance.max_int);
        if let Some((span, what)) = self.expander.evaluator.notes().too_large.first_key_value() {
            let bound = Bound::TooLarge(*span, *what);
            self.bound(bound);
        }
        for site in self.expander.evaluator.notes().cut.clone() {
            self.bound(Bound::Unbounded { site, min, max });
        }
        halted.is_some_and(|h| h.why == Halt::Interrupted)
    }
}

/// A finding without a run.
pub(super) fn finding(
    instance: &Arc<Instance>,
    message: String,
    span: Option<crate::source::Span>,
) -> Finding {
    let (details, trace) = (Vec::new(), Run::default());
    Finding { message, span, details, contradiction: None, trace, instance: instance.clone() }
}
