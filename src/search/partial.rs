//! Partial order reduction in a search: which of the successors of a state are followed. The conditions, and
//! why they are sound, stand in [`independence`](crate::independence).
//!
//! What is enabled is listed first ([`Listed`]) and chosen from; bodies are run for what was chosen. What is chosen
//! depends on the state alone. Whether it may close a cycle is known from the numbers of its targets: breadth-first,
//! a state that is not known when those before it were taken up gets a greater number than all that are, so that
//! threads which look ahead come to the same as one that takes states up in order.

use super::control::Control;
use super::engine::{End, Engine};
use super::options::{SearchOptions, Strategy};
use super::outcome::Partial;
use super::random::Random;
use crate::eval::{Evaluator, Program, Stop, Successors};
use crate::independence::{Analysis, Choice, Chooser, Listed, Method};
use crate::setup::Model;
use crate::value::Generators;
use std::sync::Arc;

/// Where so many states show no reduction, the rest of them is not tried.
const TRIED: u64 = 2000;

/// States are tried as far as there is work for it, in the units of [`Chooser::work`]: so much to begin with
/// ([`SearchOptions::por_work`]), a part of what it takes to find the transitions, and what was saved. A state that
/// comes when there is none left is expanded as if nothing were to be reduced.
const PART: u64 = 16;

/// Where none is left after so much was done, no more is tried.
const ENOUGH: u64 = 30_000;

/// How many states are many, where threads look ahead.
const MANY: u64 = 64;

/// What it takes to find the transitions of a state, in these units: so much, and more for each transition. These are
/// low estimates.
const STATE: u64 = 60;
const TRANSITION: u64 = 60;

/// What it takes more, and for each transition, where a state is tried and nothing is left out: guards are asked before
/// bodies are run, and not both in one go.
const LISTED: u64 = 40;

/// What one instance saves that is not followed: more than a transition, since there may be much behind it. Behind
/// one that leaves the state as it is there is nothing.
const SAVED: u64 = 2_000;

/// How much of what states enable is followed: what is counted, and what the threads choose with.
pub struct Reducer {
    branching: Branching,
    /// This thread's, until it gives up.
    brancher: Option<Brancher>,
    /// States that were expanded, whether they were tried or not.
    met: u64,
    /// What was done to choose, what it takes to find the transitions, and what was saved, or given.
    spent: u64,
    worth: u64,
    saved: u64,
    figures: Partial,
}

/// What threads choose with.
#[derive(Clone)]
pub struct Branching {
    analysis: Arc<Analysis>,
    method: Method,
    choice: Choice,
    seed: u64,
}

/// Chooses what is followed out of each state: one for each thread.
pub struct Brancher {
    seed: u64,
    chooser: Chooser,
    listed: Listed,
    /// Those of the listed instances that are followed, and what each of all counts.
    followed: Vec<usize>,
    weights: Vec<u32>,
}

/// What was done with a state.
#[derive(Clone, Copy, Default, Debug)]
pub struct Branched {
    /// What it took to choose.
    work: u64,
    /// How many instances were chosen, of how many, where these are not all.
    pub part: Option<(u32, u32)>,
    /// How many of the others lead to another state, as far as that is known.
    behind: u32,
    /// The others were followed, too, since one that was chosen may close a cycle.
    pub cycle: bool,
}

impl Branched {
    /// Whether a part of what is enabled was followed, and the others were not.
    pub fn is_partly(&self) -> bool {
        self.part.is_some() && !self.cycle
    }
}

/// The instances that may wait: 1 for each, 0 for the others.
pub struct Rest(Vec<u32>);

impl Reducer {
    /// Analyses the machine, if a reduction is asked for.
    /// `None` also where it was ended: then the search will be, too.
    pub fn new(model: &Model, options: &SearchOptions, control: &Control) -> Option<Reducer> {
        let method = options.por.filter(|_| options.strategy != Strategy::Random)?;
        let analysed = || control.analyses().of(model, &options.por_asked());
        let (analysis, analysis_seconds) = control.clock().guard(analysed).ok()?;
        let deadlocks_only = !analysis.has_visible();
        let choice = options.por_choice;
        let branching = Branching { analysis, method, choice, seed: options.seed };
        let hopes = branching.analysis.has_hope();
        let brancher = hopes.then(|| branching.on(&model.program));
        let figures = Partial {
            method,
            choice,
            tried: 0,
            reduced_states: 0,
            chosen: 0,
            enabled: 0,
            cycles: 0,
            deadlocks_only,
            given_up: brancher.is_none().then_some(0),
            analysis_seconds,
        };
        Some(Reducer {
            branching,
            brancher,
            met: 0,
            spent: 0,
            saved: options.por_work,
            worth: 0,
            figures,
        })
    }

    /// Whether states are tried, now or later.
    pub fn is_trying(&self) -> bool {
        self.figures.given_up.is_none()
    }

    /// Whether the next state is tried.
    pub fn tries(&self) -> bool {
        self.is_trying() && self.has_work_left()
    }

    fn has_work_left(&self) -> bool {
        self.has_work_for(0)
    }

    /// Whether some of the next states may be tried and others not: there is little work left for it. Threads that
    /// look ahead could not know which.
    pub fn is_undecided(&self) -> bool {
        let each = 1 + self.spent / self.figures.tried.max(1);
        self.is_trying() && !self.has_work_for(MANY * each)
    }

    fn has_work_for(&self, more: u64) -> bool {
        self.spent.saturating_add(more) <= self.saved.saturating_add(self.worth / PART)
    }

    /// Whether cycles do not matter.
    pub fn keeps_deadlocks_only(&self) -> bool {
        self.figures.deadlocks_only
    }

    pub fn outcome(&self) -> Partial {
        self.figures
    }

    /// What other threads choose with, too.
    pub fn branching(&self) -> &Branching {
        &self.branching
    }

    /// Counts a state whose turn it was, with the number of its transitions; `branched`: what was done with it, if
    /// it was tried. What is counted decides whether the next ones are, so that it must be the same in each run.
    pub fn count(&mut self, transitions: u64, branched: Option<&Branched>) {
        if !self.is_trying() {
            return;
        }
        self.met += 1;
        self.worth += STATE + TRANSITION * transitions;
        if let Some(branched) = branched {
            self.count_tried(transitions, branched);
        }
        let none = self.figures.reduced_states == 0 && self.met >= TRIED;
        if none || self.spent > ENOUGH && !self.has_work_left() {
            self.figures.given_up = Some(self.met);
            self.brancher = None;
        }
    }

    fn count_tried(&mut self, transitions: u64, branched: &Branched) {
        let figures = &mut self.figures;
        figures.tried += 1;
        self.spent += branched.work;
        match branched.part {
            Some((chosen, enabled)) if !branched.cycle => {
                figures.reduced_states += 1;
                figures.chosen += u64::from(chosen);
                figures.enabled += u64::from(enabled);
                let behind = u64::from(branched.behind);
                let waiting = SAVED * behind + TRANSITION * (u64::from(enabled - chosen) - behind);
                self.saved = self.saved.saturating_add(waiting);
                return;
            }
            Some(_) => figures.cycles += 1,
            None => {}
        }
        self.spent += LISTED * (1 + transitions);
    }
}

impl Branching {
    /// For one thread, which has a program of its own.
    pub fn on(&self, program: &Arc<Program>) -> Brancher {
        let Branching { analysis, method, choice, seed } = self;
        let chooser = Chooser::new(analysis.clone(), program.clone(), *method, *choice);
        let (followed, weights) = (Vec::new(), Vec::new());
        Brancher { seed: *seed, chooser, listed: Listed::default(), followed, weights }
    }
}

impl Brancher {
    /// Lists what a state enables, and follows what was chosen of it, or all. Gives what may wait.
    ///
    /// # Errors
    /// [`Stop::Halted`] only.
    pub fn branch(
        &mut self,
        evaluator: &mut Evaluator,
        (number, state): (u32, &[u64]),
        automorphisms: &Generators,
        out: &mut Successors,
    ) -> Result<(Branched, Option<Rest>), Stop> {
        let before = self.chooser.work();
        let enabled = self.choose(evaluator, (number, state))?;
        let mut branched = Branched::default();
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        weights.resize(self.listed.instances.len(), 1);
        let rest = enabled.map(|enabled| {
            branched.part = Some((self.followed.len() as u32, enabled as u32));
            self.followed.iter().for_each(|at| weights[*at] = 0);
            branched.behind = self.chooser.count_leading(&self.listed, &weights);
            let rest = Rest(weights.clone());
            weights.iter_mut().for_each(|weight| *weight = 1 - *weight);
            rest
        });
        out.reset();
        self.follow(evaluator, state, automorphisms, &mut weights, out)?;
        self.weights = weights;
        branched.work = self.chooser.work() - before;
        Ok((branched, rest))
    }

    /// Follows what might have waited: adds its transitions.
    ///
    /// # Errors
    /// [`Stop::Halted`] only.
    pub fn branch_fully(
        &mut self,
        evaluator: &mut Evaluator,
        state: &[u64],
        automorphisms: &Generators,
        (branched, rest): (&mut Branched, Rest),
        out: &mut Successors,
    ) -> Result<(), Stop> {
        let Rest(mut weights) = rest;
        branched.cycle = true;
        self.follow(evaluator, state, automorphisms, &mut weights, out)
    }

    /// Lists what a state enables, and chooses which of it is to be followed. Gives of how many that are enabled;
    /// `None`: all.
    fn choose(
        &mut self,
        evaluator: &mut Evaluator,
        (number, state): (u32, &[u64]),
    ) -> Result<Option<usize>, Stop> {
        let Brancher { chooser, listed, seed, followed, .. } = self;
        listed.list(evaluator, state)?;
        if listed.instances.cut || !chooser.may_choose(&listed.instances) {
            return Ok(None);
        }
        listed.decide(evaluator, state)?;
        chooser.take(&listed.instances, |i| listed.is_enabled(i));
        if !listed.is_sure() || chooser.len() < 2 {
            return Ok(None);
        }
        let chance = Random::new(*seed ^ u64::from(number) << 20).draw();
        if !chooser.choose(state, evaluator.interner(), chance) {
            return Ok(None);
        }
        followed.clear();
        followed.extend(chooser.chosen().members.iter().map(|i| chooser.number(*i)));
        Ok(Some(chooser.len()))
    }

    fn follow(
        &self,
        evaluator: &mut Evaluator,
        state: &[u64],
        automorphisms: &Generators,
        weights: &mut [u32],
        out: &mut Successors,
    ) -> Result<(), Stop> {
        if !automorphisms.is_empty() {
            evaluator.prune(automorphisms, &self.listed.instances, weights)?;
        }
        self.listed.follow(evaluator, state, weights, out)
    }
}

impl Engine<'_> {
    /// Whether some of what a state enables may be left out.
    pub(super) fn is_reducing(&self) -> bool {
        self.reducer.as_ref().is_some_and(Reducer::tries)
    }

    /// Expands a state as far as the reduction asks for it.
    pub(super) fn expand_partly(
        &mut self,
        (number, depth, state): (u32, u32, &[u64]),
        out: &mut Successors,
    ) -> Result<(), End> {
        let automorphisms = self.expander.automorphisms(state, self.visited.stabiliser(number))?;
        let Some(mut reducer) = self.reducer.take() else { return Ok(()) };
        let result = self.expand_with(&mut reducer, (number, depth, state), &automorphisms, out);
        self.reducer = Some(reducer);
        result?;
        self.ends_in(number, depth, out)
    }

    fn expand_with(
        &mut self,
        reducer: &mut Reducer,
        (number, depth, state): (u32, u32, &[u64]),
        automorphisms: &Generators,
        out: &mut Successors,
    ) -> Result<(), End> {
        let Some(brancher) = &mut reducer.brancher else { return Ok(()) };
        let evaluator = &mut self.expander.evaluator;
        let (mut branched, rest) =
            brancher.branch(evaluator, (number, state), automorphisms, out)?;
        self.count_and_admit((number, depth, state), out, automorphisms)?;
        let mut transitions = out.len();
        if let Some(rest) = rest {
            if reducer.figures.deadlocks_only || !self.may_close_a_cycle(number) {
                self.control.record(|| (number, self.admitted.iter().map(|a| a.number).collect()));
            } else {
                let first = std::mem::take(&mut self.admitted);
                let (evaluator, others) = (&mut self.expander.evaluator, (&mut branched, rest));
                out.reset();
                brancher.branch_fully(evaluator, state, automorphisms, others, out)?;
                transitions += out.len();
                let result = self.count_and_admit((number, depth, state), out, automorphisms);
                self.admitted.splice(0..0, first);
                result?;
                // It was one state.
                self.tally.expanded -= 1;
            }
        }
        reducer.count(transitions as u64, Some(&branched));
        Ok(())
    }

    /// Whether one of the targets that were admitted last may lie with their source on a cycle of states of
    /// which none is expanded fully.
    fn may_close_a_cycle(&self, number: u32) -> bool {
        let on_path = |path: &Vec<bool>, n: u32| path.get(n as usize).copied().unwrap_or(false);
        self.targets.stays
            || self.admitted.iter().any(|a| match &self.on_path {
                Some(path) => on_path(path, a.number),
                None => a.number <= number,
            })
    }

    /// Says whether a state is on the path of a depth-first search.
    pub fn set_on_path(&mut self, number: u32, is: bool) {
        let path = self.on_path.get_or_insert_default();
        if path.len() <= number as usize {
            path.resize(number as usize + 1, false);
        }
        path[number as usize] = is;
    }
}
