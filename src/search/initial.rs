//! The first level: set-ups of the constants and initial states.

use super::conclude::finding;
use super::engine::{End, Engine};
use super::full::Count;
use super::graph::{NO_OPERATION, Origin};
use super::options::OnViolation;
use super::outcome::{Finding, Verdict};
use super::trace;
use crate::clock::{self, Phase, enter};
use crate::eval::{Flow, Stop};
use crate::machine::Conjunct;
use crate::setup::Bound;
use crate::setup::fitting::{without_initial_state, without_set_up};
use crate::symmetry::Order;
use crate::value::Value;
use rustc_hash::FxHashSet;

/// The set-ups that are searched.
#[derive(Default)]
struct SetUps {
    /// Their constants.
    found: Vec<Vec<Value>>,
    /// Of each, the order of its stabiliser, where it is known.
    stabilisers: Vec<Option<Order>>,
    /// Nodes that they make together.
    nodes: u64,
}

impl Engine<'_> {
    /// Finds the set-ups and admits the initial states. A problem ends the search there.
    pub(super) fn set_up(&mut self) -> Result<Option<(Verdict, Finding)>, End> {
        let machine = &self.model.instance.machine;
        let SetUps { found, stabilisers, nodes } = match self.set_ups(false) {
            Ok(found) => found,
            Err(Stop::Fault(_)) => {
                let problem = trace::setup_fault(self, &[]);
                if self.options.on_violation == OnViolation::Stop {
                    return Ok(Some(problem));
                }
                // The others may be searched, if there are any.
                match self.set_ups(true) {
                    Ok(defined) if !defined.found.is_empty() => {
                        self.count_failed_start(problem);
                        defined
                    }
                    Ok(_) | Err(Stop::Fault(_)) => return Ok(Some(problem)),
                    Err(stop) => return Err(stop.into()),
                }
            }
            Err(stop) => return Err(stop.into()),
        };
        if found.is_empty() {
            let model = self.model;
            if self.expander.evaluator.cut().is_some() || self.is_bounded(without_set_up(model)) {
                return Ok(None);
            }
            let clauses = match machine.properties.iter().any(Conjunct::is_constraint) {
                true => "PROPERTIES and CONSTRAINTS",
                false => "PROPERTIES",
            };
            let message =
                format!("the {clauses} have no solution: there is no set-up of the constants");
            return Ok(Some((
                Verdict::NoSetup,
                finding(
                    &self.model.instance,
                    message,
                    machine.properties.first().map(|c| c.pred.span),
                ),
            )));
        }
        let mut numbers: Vec<u32> = Vec::new();
        for constants in &found {
            clock::tick()?;
            numbers.push(self.add_setup(constants));
        }
        self.setups = found;
        if self.model.instance.setup_step {
            self.tally.setup_nodes = nodes;
            self.tally.transitions += nodes;
        }
        // Without static symmetry all constants are constants.
        if machine.declares_setup() {
            for (number, stabiliser) in numbers.iter().zip(&stabilisers) {
                self.tally.full.add(Count::FirstTransitions, || *number, stabiliser.as_ref(), 1);
            }
        }
        let mut cut = self.expander.evaluator.cut().is_some();
        for i in 0..self.setups.len() {
            let constants = self.setups[i].clone();
            enter(Phase::Initialisation);
            let states = match self.expander.evaluator.initial_states(&constants) {
                Ok(states) => states,
                Err(Stop::Fault(_)) => {
                    // An initialisation that can fail has no outcome, as an operation has none.
                    let problem = trace::setup_fault(self, &constants);
                    if self.options.on_violation == OnViolation::Stop {
                        return Ok(Some(problem));
                    }
                    self.count_failed_start(problem);
                    continue;
                }
                Err(stop) => return Err(stop.into()),
            };
            cut |= self.expander.evaluator.cut().is_some();
            let stabiliser = stabilisers[i].as_ref();
            let initialisations = states.len() as u64;
            self.tally.full.add(
                Count::FirstTransitions,
                || numbers[i],
                stabiliser,
                initialisations,
            );
            let mut targets = rustc_hash::FxHashSet::default();
            enter(Phase::Labelling);
            let words: Vec<&[u64]> = states.iter().map(Vec::as_slice).collect();
            let alike = self.visited.alike(&words, None, self.expander.evaluator.interner())?;
            for (at, state) in words.into_iter().enumerate() {
                clock::tick()?;
                if alike.get(at).is_some_and(|first| *first as usize != at) {
                    continue;
                }
                let admitted = self.visited.admit(state, self.expander.evaluator.interner())?;
                if targets.insert(admitted.node) {
                    self.tally.transitions += 1;
                }
                if admitted.new {
                    if self.is_full() {
                        return Err(self.states_limit());
                    }
                    self.keep(admitted.number, Origin::Setup(i as u32), NO_OPERATION, 0)?;
                }
            }
        }
        self.tally.first_transitions = self.tally.transitions;
        if self.known() == 0 {
            if self.failed_start.is_some()
                || cut
                || self.is_bounded(without_initial_state(self.model))
            {
                return Ok(None);
            }
            let message =
                "the INITIALISATION has no outcome: there is no initial state".to_string();
            let span = machine.initialisation.as_ref().map(|s| s.span);
            return Ok(Some((Verdict::NoSetup, finding(&self.model.instance, message, span))));
        }
        Ok(None)
    }

    fn count_failed_start(&mut self, problem: (Verdict, Finding)) {
        match problem.0 {
            Verdict::StateError => self.tally.findings.faults += 1,
            _ => self.tally.findings.broken += 1,
        }
        self.failed_start.get_or_insert(problem);
    }

    /// Whether there is such a bound, which is noted.
    fn is_bounded(&mut self, bound: Option<Bound>) -> bool {
        let is_some = bound.is_some();
        bound.into_iter().for_each(|bound| self.bound(bound));
        is_some
    }

    /// One set-up of each orbit, as it was found first. The user's limit on states holds for them, too:
    /// what is left out is a bound, and the others are searched.
    fn set_ups(&mut self, defined: bool) -> Result<SetUps, Stop> {
        let most = self.options.max_states.unwrap_or(u64::MAX);
        let (mut all, mut seen) = (SetUps::default(), FxHashSet::default());
        let (visited, mut more) = (&mut self.visited, false);
        enter(Phase::SetUp);
        self.expander.evaluator.each_setup(defined, |_, mut constants, interner| {
            if let Some(before) = all.found.last() {
                share(&mut constants, before);
            }
            let (set_up, makes) = visited.set_up(&constants, interner).map_err(|_| Stop::Halted)?;
            if seen.contains(&set_up.class) {
                return Ok(Flow::Continue(()));
            }
            if all.found.len() as u64 == most {
                more = true;
                return Ok(Flow::Break(()));
            }
            seen.insert(set_up.class);
            all.found.push(constants);
            all.stabilisers.push(set_up.order);
            all.nodes += makes;
            Ok(Flow::Continue(()))
        })?;
        if more {
            self.bound(Bound::MaxSetUps(most));
        }
        Ok(all)
    }

    /// Makes the weight of a set-up known; its number in packed states.
    pub(super) fn add_setup(&mut self, constants: &[Value]) -> u32 {
        let layout = self.model.program.layout.clone();
        let mut blank = layout.blank();
        layout.write_constants(&mut blank, constants.into(), self.expander.evaluator.interner());
        let number = layout.constants_number(&blank);
        let instance = &self.model.instance;
        self.tally.full.add_setup(number, &self.model.static_symmetry, instance, constants);
        number
    }
}

/// Puts what another set-up has in the place of large values that are equal: what does not depend on the other constants
/// is found once for each set-up, and kept once.
fn share(constants: &mut [Value], before: &[Value]) {
    for (value, known) in constants.iter_mut().zip(before) {
        if value.is_large() && value == known {
            *value = known.clone();
        }
    }
}
