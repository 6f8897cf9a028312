//! Partial order reduction in a search: which of the successors of a state are followed. The conditions, and
//! why they are sound, stand in [`independence`](crate::independence).

use super::engine::{End, Engine};
use super::options::{SearchOptions, Strategy};
use super::outcome::Partial;
use super::random::Random;
use crate::clock::{Clock, Phase, enter};
use crate::eval::Successors;
use crate::independence::{Analysis, Chooser};
use crate::setup::Model;
use crate::state::Interner;
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
}

impl Reducer {
    /// Analyses the machine, if a reduction is asked for.
    /// `None` also where it was ended: then the search will be, too.
    pub fn new(model: &Model, options: &SearchOptions, clock: &Arc<Clock>) -> Option<Reducer> {
        let method = options.por.filter(|_| options.strategy != Strategy::Random)?;
        let started = Instant::now();
        let analysis = clock.guard(|| Analysis::new(model, options.invariant)).ok()?;
        let figures = Partial {
            method,
            choice: options.por_choice,
            reduced_states: 0,
            chosen: 0,
            enabled: 0,
            cycles: 0,
            deadlocks_only: !analysis.has_visible(),
            given_up: None,
            analysis_seconds: started.elapsed().as_secs_f64(),
        };
        let program = model.program.clone();
        let chooser = Chooser::new(Arc::new(analysis), program, method, options.por_choice);
        Some(Reducer { chooser, random: Random::new(options.seed), tried: 0, figures })
    }

    pub fn is_trying(&self) -> bool {
        self.figures.given_up.is_none()
    }

    pub fn outcome(&self) -> Partial {
        self.figures
    }

    /// The successors that are to be followed. `None`: all.
    fn choose(
        &mut self,
        state: &[u64],
        interner: &mut Interner,
        out: &Successors,
    ) -> Option<Vec<u32>> {
        self.tried += 1;
        let chosen = self.chooser.choose(state, interner, out, self.random.next());
        if chosen.is_none() && self.tried >= TRIED && self.figures.reduced_states == 0 {
            self.figures.given_up = Some(self.tried);
        }
        chosen
    }

    fn note_reduced(&mut self, chosen: usize, out: &Successors) {
        self.figures.reduced_states += 1;
        self.figures.chosen += chosen as u64;
        self.figures.enabled += out.entries.chunk_by(|a, b| a.group == b.group).count() as u64;
    }
}

impl Engine<'_> {
    /// Expands a state as far as the reduction asks for it.
    pub(super) fn expand_partly(
        &mut self,
        (number, depth, state): (u32, u32, &[u64]),
        out: &mut Successors,
    ) -> Result<(), End> {
        enter(Phase::Search);
        self.expander.evaluator.successors(state, true, out)?;
        let interner = self.expander.evaluator.interner();
        let chosen = self.reducer.as_mut().and_then(|r| r.choose(state, interner, out));
        let Some(chosen) = chosen else {
            self.count_and_admit((number, depth, state), out, &[])?;
            return self.ends_in(number, depth, out);
        };
        let is_chosen = |group: u32| chosen.binary_search(&group).is_ok();
        self.count_and_admit((number, depth, state), &out.part(is_chosen), &[])?;
        if self.may_close_a_cycle(number) {
            let first = std::mem::take(&mut self.admitted);
            let rest = out.part(|group| !is_chosen(group));
            let result = self.count_and_admit((number, depth, state), &rest, &[]);
            self.admitted.splice(0..0, first);
            result?;
            // It was one state.
            self.tally.expanded -= 1;
            self.reducer.iter_mut().for_each(|r| r.figures.cycles += 1);
        } else {
            self.reducer.iter_mut().for_each(|r| r.note_reduced(chosen.len(), out));
        }
        self.ends_in(number, depth, out)
    }

    /// Whether one of the targets that were admitted last may lie with their source on a cycle of states of
    /// which none is expanded fully.
    fn may_close_a_cycle(&self, number: u32) -> bool {
        if self.reducer.as_ref().is_some_and(|r| r.figures.deadlocks_only) {
            return false;
        }
        let on_path = |path: &Vec<bool>, n: u32| path.get(n as usize).copied().unwrap_or(false);
        self.admitted.iter().any(|a| match &self.on_path {
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
