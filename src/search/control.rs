//! The handle by which a running search is watched from another thread. Paused and ended it is by its
//! clock.

use super::outcome::{OperationCount, Progress};
use super::values::ValuesSeen;
use crate::clock::watch::{Spent, cost_of_a_look};
use crate::clock::{Clock, Phase};
use crate::independence::Analyses;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Shared between a search and whoever started it.
#[derive(Debug)]
pub struct Control {
    clock: Arc<Clock>,
    /// Whether the limits of the clock are those of the search, or were set before.
    sets_limits: bool,
    progress: Mutex<Progress>,
    /// Somebody looks at the progress.
    wanted: AtomicBool,
    /// Somebody looks closely: [`Control::closer`].
    looked_at: AtomicBool,
    /// The values, and what operations did, are told at the end, in any case.
    tells: bool,
    values: Mutex<Option<Arc<ValuesSeen>>>,
    operations: Mutex<Arc<[OperationCount]>>,
    /// What is recorded.
    partly: Option<Mutex<Vec<Partly>>>,
    /// What is known of the operations of the model.
    analyses: Arc<Analyses>,
}

/// What is found out about a search only while somebody looks closely, since it takes time.
#[derive(Clone, Debug, Default)]
pub struct Closer {
    /// The values of the variables, as they were told last.
    pub values: Option<Arc<ValuesSeen>>,
    /// What each operation had done then.
    pub operations: Arc<[OperationCount]>,
    /// What the time was spent on, while somebody looked.
    pub shares: Option<Shares>,
}

/// The time of all threads, shared out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shares {
    /// Guards, operations, invariants.
    pub evaluation: f64,
    /// What stands for a state.
    pub labelling: f64,
    /// Looking states up, keeping and counting them.
    pub storing: f64,
    /// So long it was looked at, in seconds of all threads.
    pub seconds: f64,
}

impl Shares {
    /// The shares of what was spent; `look` is what one look at the time takes. `None`: nothing was.
    pub fn of(spent: &Spent, look: std::time::Duration) -> Option<Shares> {
        let total = spent.total(look).as_secs_f64();
        let share = |phase| spent.time(phase, look).as_secs_f64() / total;
        (total > 0.0).then(|| Shares {
            evaluation: share(Phase::Search),
            labelling: share(Phase::Labelling),
            storing: share(Phase::Storing),
            seconds: total,
        })
    }
}

/// A state that was not expanded fully: its number, and those of the states that it leads to.
pub type Partly = (u32, Vec<u32>);

impl Default for Control {
    fn default() -> Control {
        Control::new()
    }
}

impl Control {
    /// For a search whose limits count from its own start.
    pub fn new() -> Control {
        Control::with(Clock::new(), true)
    }

    /// For a search under a clock that runs already, with its limits.
    pub fn under(clock: Arc<Clock>) -> Control {
        Control::with(clock, false)
    }

    fn with(clock: Arc<Clock>, sets_limits: bool) -> Control {
        Control {
            clock,
            sets_limits,
            progress: Mutex::default(),
            wanted: AtomicBool::new(false),
            looked_at: AtomicBool::new(false),
            tells: false,
            values: Mutex::default(),
            operations: Mutex::default(),
            partly: None,
            analyses: Arc::default(),
        }
    }

    /// Says whether somebody looks closely from now on.
    pub fn look(&self, closely: bool) {
        self.looked_at.store(closely, Ordering::Relaxed);
        self.clock.watch(closely);
    }

    /// Whether somebody looks closely.
    pub fn is_looked_at(&self) -> bool {
        self.looked_at.load(Ordering::Relaxed)
    }

    /// What was found out while somebody looked closely.
    pub fn closer(&self) -> Closer {
        let values = self.values.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let operations = self.operations.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let spent = self.clock.spent();
        let shares = (!spent.is_empty()).then(|| Shares::of(&spent, cost_of_a_look())).flatten();
        Closer { values, operations, shares }
    }

    /// Hands over the values in the states so far.
    pub fn tell_values(&self, seen: ValuesSeen) {
        *self.values.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(seen));
    }

    /// Hands over what each operation has done so far.
    pub fn tell_operations(&self, counts: Vec<OperationCount>) {
        *self.operations.lock().unwrap_or_else(PoisonError::into_inner) = counts.into();
    }

    /// The same, which records the states that partial order reduction does not expand fully.
    pub fn recording(self) -> Control {
        Control { partly: Some(Mutex::default()), ..self }
    }

    /// The same, with what other searches of the same model have found out about its operations.
    pub fn knowing(self, analyses: Arc<Analyses>) -> Control {
        Control { analyses, ..self }
    }

    /// What is known of the operations of the model.
    pub fn analyses(&self) -> &Analyses {
        &self.analyses
    }

    /// The same, which tells the values of the variables at its end, whether anybody looks closely or not.
    pub fn telling(self) -> Control {
        Control { tells: true, ..self }
    }

    /// Whether the values are told at the end, in any case.
    pub fn tells(&self) -> bool {
        self.tells
    }

    /// Whether they are recorded.
    pub fn records(&self) -> bool {
        self.partly.is_some()
    }

    /// What was recorded.
    pub fn recorded(&self) -> Vec<Partly> {
        let partly = self.partly.as_ref();
        partly.map_or_else(Vec::new, |p| p.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// Records a state that was not expanded fully, if that is wanted.
    pub fn record(&self, state: impl FnOnce() -> Partly) {
        if let Some(partly) = &self.partly {
            partly.lock().unwrap_or_else(PoisonError::into_inner).push(state());
        }
    }

    pub fn clock(&self) -> &Arc<Clock> {
        &self.clock
    }

    /// Whether a search has to set its limits.
    pub fn sets_limits(&self) -> bool {
        self.sets_limits
    }

    /// Asks the search to end. It answers within a few milliseconds.
    pub fn interrupt(&self) {
        self.clock.interrupt();
    }

    pub fn pause(&self) {
        self.clock.pause();
    }

    pub fn resume(&self) {
        self.clock.resume();
    }

    pub fn is_paused(&self) -> bool {
        self.clock.is_paused()
    }

    /// What was reported last. The search reports again at its next state.
    pub fn progress(&self) -> Progress {
        self.wanted.store(true, Ordering::Relaxed);
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether somebody has looked since the last report.
    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    pub fn report(&self, progress: Progress) {
        self.wanted.store(false, Ordering::Relaxed);
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = progress;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_looks_is_told_at_the_next_state() {
        let control = Control::new();
        assert!(!control.is_wanted());
        assert_eq!(control.progress().nodes, 0);
        assert!(control.is_wanted());
        control.report(Progress { nodes: 3, ..Progress::default() });
        assert!(!control.is_wanted());
        assert_eq!(control.progress().nodes, 3);
    }
}
