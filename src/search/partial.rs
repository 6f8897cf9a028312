//! Partial order reduction in a search: which of the successors of a state are followed. The conditions, and
//! why they are sound, stand in [`independence`](crate::independence).
//!
//! What is enabled is listed first ([`Listed`]) and chosen from; bodies are run for what was chosen.

use super::engine::{End, Engine};
use super::options::{SearchOptions, Strategy};
use super::outcome::Partial;
use super::random::Random;
use crate::clock::Clock;
use crate::eval::{Evaluator, Program, Stop, Successors};
use crate::independence::{Analysis, Chooser, Listed};
use crate::setup::Model;
use crate::value::Permutation;
use std::sync::Arc;
use std::time::Instant;

/// Where so many states show no reduction, the rest of them is not tried.
const TRIED: u64 = 2000;

/// Chooses what is followed out of each state, and counts.
pub struct Reducer {
    chooser: Chooser,
    random: Random,
    tried: u64,
    figures: Partial,
    listed: Listed,
}

/// The instances that are followed: as one for each, 0 for the others.
struct Part {
    weights: Vec<u32>,
    chosen: usize,
    enabled: usize,
}

impl Reducer {
    /// Analyses the machine, if a reduction is asked for.
    /// `None` also where it was ended: then the search will be, too.
    pub fn new(model: &Model, options: &SearchOptions, clock: &Arc<Clock>) -> Option<Reducer> {
        let method = options.por.filter(|_| options.strategy != Strategy::Random)?;
        let started = Instant::now();
        let analysis = clock.guard(|| Analysis::new(model, &options.por_asked())).ok()?;
        let deadlocks_only = !analysis.has_visible();
        let program: Arc<Program> = model.program.clone();
        let chooser = Chooser::new(Arc::new(analysis), program, method, options.por_choice);
        let figures = Partial {
            method,
            choice: options.por_choice,
            reduced_states: 0,
            chosen: 0,
            enabled: 0,
            cycles: 0,
            deadlocks_only,
            given_up: (!chooser.has_hope()).then_some(0),
            analysis_seconds: started.elapsed().as_secs_f64(),
        };
        let random = Random::new(options.seed);
        Some(Reducer { chooser, random, tried: 0, figures, listed: Listed::default() })
    }

    pub fn is_trying(&self) -> bool {
        self.figures.given_up.is_none()
    }

    pub fn outcome(&self) -> Partial {
        self.figures
    }

    /// Lists what a state enables, and says which of it is to be followed. `None`: all.
    fn choose(&mut self, evaluator: &mut Evaluator, state: &[u64]) -> Result<Option<Part>, Stop> {
        self.listed.list(evaluator, state)?;
        self.tried += 1;
        let mut part = None;
        if !self.listed.instances.cut && self.chooser.may_choose(&self.listed.instances) {
            self.listed.decide(evaluator, state)?;
            let enabled =
                self.chooser.instances(&self.listed.instances, |i| self.listed.is_enabled(i));
            if self.listed.is_sure() && enabled.len() > 1 {
                let (interner, chance) = (evaluator.interner(), self.random.draw());
                let chosen = self.chooser.choose(state, interner, &enabled, chance);
                part = chosen.map(|chosen| {
                    let mut weights = vec![0; self.listed.instances.len()];
                    chosen.members.iter().for_each(|i| weights[enabled[*i].number] = 1);
                    Part { weights, chosen: chosen.members.len(), enabled: enabled.len() }
                });
            }
        }
        if part.is_none() && self.tried >= TRIED && self.figures.reduced_states == 0 {
            self.figures.given_up = Some(self.tried);
        }
        Ok(part)
    }
}

impl Engine<'_> {
    /// Whether some of what a state enables may be left out.
    pub(super) fn is_reducing(&self) -> bool {
        self.reducer.as_ref().is_some_and(Reducer::is_trying)
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
        automorphisms: &[Permutation],
        out: &mut Successors,
    ) -> Result<(), End> {
        let evaluator = &mut self.expander.evaluator;
        let part = reducer.choose(evaluator, state)?;
        let listed = &reducer.listed;
        let follow = |evaluator: &mut Evaluator, weights: &mut [u32], out: &mut Successors| {
            out.reset();
            if !automorphisms.is_empty() {
                evaluator.prune(automorphisms, &listed.instances, weights)?;
            }
            listed.follow(evaluator, state, weights, out)
        };
        let Some(Part { weights: mut chosen, chosen: size, enabled }) = part else {
            let mut all = vec![1; listed.instances.len()];
            follow(evaluator, &mut all, out)?;
            return self.count_and_admit((number, depth, state), out, automorphisms);
        };
        let mut rest: Vec<u32> = chosen.iter().map(|weight| 1 - weight).collect();
        follow(evaluator, &mut chosen, out)?;
        self.count_and_admit((number, depth, state), out, automorphisms)?;
        if !self.may_close_a_cycle(reducer, number) {
            reducer.figures.reduced_states += 1;
            reducer.figures.chosen += size as u64;
            reducer.figures.enabled += enabled as u64;
            self.control.record(|| (number, self.admitted.iter().map(|a| a.number).collect()));
            return Ok(());
        }
        let first = std::mem::take(&mut self.admitted);
        follow(&mut self.expander.evaluator, &mut rest, out)?;
        let result = self.count_and_admit((number, depth, state), out, automorphisms);
        self.admitted.splice(0..0, first);
        result?;
        // It was one state.
        self.tally.expanded -= 1;
        reducer.figures.cycles += 1;
        Ok(())
    }

    /// Whether one of the targets that were admitted last may lie with their source on a cycle of states of
    /// which none is expanded fully.
    fn may_close_a_cycle(&self, reducer: &Reducer, number: u32) -> bool {
        if reducer.figures.deadlocks_only {
            return false;
        }
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
