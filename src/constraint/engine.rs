//! The store with its propagators, run until nothing changes.

use super::literal::Lit;
use super::store::{Conflict, Event, Store, Var};
use crate::clock::{self, Stopped};
use rustc_hash::FxHashMap;

/// A rule that takes values out of domains which no solution has.
///
/// It keeps nothing from one run to the next, so that there is nothing to take back.
pub trait Propagator {
    /// The variables it looks at, and of which changes it wants to hear.
    fn watched(&self) -> Vec<(Var, Event)> {
        Vec::new()
    }

    /// The literals of which it wants to hear when it becomes known whether they are true.
    fn literals(&self) -> Vec<Lit> {
        Vec::new()
    }

    /// Whether nothing follows from one of these literals being true.
    fn is_moved_by_false_ones(&self) -> bool {
        false
    }

    /// Narrows the domains.
    fn propagate(&self, store: &mut Store) -> Result<(), Conflict>;

    /// Whether it is run only when no cheaper one is due.
    fn is_costly(&self) -> bool {
        false
    }
}

/// Why propagation ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    Conflict,
    Stopped,
}

impl From<Conflict> for Ended {
    fn from(_: Conflict) -> Ended {
        Ended::Conflict
    }
}

impl From<Stopped> for Ended {
    fn from(_: Stopped) -> Ended {
        Ended::Stopped
    }
}

/// Most runs of each propagator, on the average, before a fixed point is given up.
const PATIENCE: usize = 500;

/// Most variables that are looked at for what a conflict is about.
const MOST_BLAMED: usize = 256;

/// After so many runs the clock is asked.
const RUNS: usize = 16;

#[derive(Default)]
pub struct Engine {
    pub store: Store,
    propagators: Vec<Box<dyn Propagator>>,
    /// A fixed point was given up.
    gave_up: bool,
    /// Of each variable how often a propagator that looks at it found that there is no solution.
    blame: Vec<u32>,
    conflicts: u32,
    /// What truths that were made for a claim are about.
    about: FxHashMap<Var, Box<[Var]>>,
}

impl Engine {
    /// Adds a propagator; it is run at the next [`Engine::propagate`].
    pub fn add(&mut self, propagator: impl Propagator + 'static) {
        let number = self.propagators.len() as u32;
        for (var, event) in propagator.watched() {
            self.store.watch(var, number, event);
        }
        for lit in propagator.literals() {
            self.store.watch_truth(lit, number, propagator.is_moved_by_false_ones());
        }
        self.store.enlist(propagator.is_costly());
        self.propagators.push(Box::new(propagator));
    }

    /// Has all propagators run once more.
    pub fn wake_all(&mut self) {
        self.store.wake_all();
    }

    /// Whether each variable has one value, and no propagator has anything against these values.
    pub fn is_solved(&self) -> bool {
        self.store.is_decided() && !self.gave_up
    }

    fn blame(&mut self, propagator: u32) {
        let propagator = &self.propagators[propagator as usize];
        let literals = propagator.literals().into_iter().filter_map(Lit::var);
        let mut variables: Vec<Var> =
            propagator.watched().into_iter().map(|(var, _)| var).chain(literals).collect();
        variables.sort_unstable();
        variables.dedup();
        // Nothing is decided of a truth that was made for a claim, but of what the claim is about: the more of these
        // truths a variable stands in, the more of them it decides.
        let mut next = 0;
        while let Some(var) = variables.get(next).filter(|_| next < MOST_BLAMED) {
            variables.extend(self.about.get(var).into_iter().flatten().copied());
            next += 1;
        }
        self.blame.resize(self.store.len(), 0);
        for Var(var) in variables {
            self.blame[var as usize] = self.blame[var as usize].saturating_add(1);
        }
        self.conflicts = self.conflicts.saturating_add(1);
    }

    /// Notes what the truth of a claim is about.
    pub fn note_about(&mut self, truth: Lit, about: impl IntoIterator<Item = Var>) {
        if let Some(var) = truth.var() {
            self.about.insert(var, about.into_iter().collect());
        }
    }

    /// What a truth that was made for a claim is about.
    pub fn about(&self, truth: Var) -> Option<&[Var]> {
        self.about.get(&truth).map(|about| &**about)
    }

    /// How often a propagator that looks at this variable found that there is no solution.
    pub fn blame_of(&self, var: Var) -> u32 {
        self.blame.get(var.0 as usize).copied().unwrap_or(0)
    }

    /// How often it was found that there is no solution.
    pub fn conflicts(&self) -> u32 {
        self.conflicts
    }

    /// Number of propagators.
    pub fn len(&self) -> usize {
        self.propagators.len()
    }

    pub fn is_empty(&self) -> bool {
        self.propagators.is_empty()
    }

    /// Runs what is due until nothing is. Bounds that push each other up without end are left where they
    /// are after a while: what was not run takes nothing out that it could have.
    ///
    /// # Errors
    /// There is no solution here, or the work is to end.
    pub fn propagate(&mut self) -> Result<(), Ended> {
        let mut left = PATIENCE * (1 + self.propagators.len());
        while let Some(number) = self.store.due() {
            left -= 1;
            if left.is_multiple_of(RUNS) {
                clock::spend(RUNS)?;
            }
            if left == 0 {
                self.gave_up = true;
                self.store.clear();
                break;
            }
            if self.propagators[number as usize].propagate(&mut self.store).is_err() {
                self.store.clear();
                self.blame(number);
                return Err(Ended::Conflict);
            }
        }
        Ok(())
    }
}
