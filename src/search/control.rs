//! The handle by which a running search is watched from another thread. Paused and ended it is by its
//! clock.

use super::outcome::Progress;
use crate::clock::Clock;
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
    /// What is recorded.
    partly: Option<Mutex<Vec<Partly>>>,
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
        let (progress, wanted) = (Mutex::new(Progress::default()), AtomicBool::new(false));
        Control { clock, sets_limits, progress, wanted, partly: None }
    }

    /// The same, which records the states that partial order reduction does not expand fully.
    pub fn recording(self) -> Control {
        Control { partly: Some(Mutex::default()), ..self }
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
