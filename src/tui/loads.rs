//! The readings of the files: one that is asked for ends the one before it.

use crate::clock::Clock;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Shared between the thread of the keys, which asks for readings, and the engine, which does them.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    timeout: Option<Duration>,
    memory: Option<u64>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    asked: u64,
    begun: u64,
    /// Of the reading that was begun last.
    clock: Option<Arc<Clock>>,
}

impl Loads {
    /// Readings with these limits, each.
    pub fn new(timeout: Option<Duration>, memory: Option<u64>) -> Loads {
        Loads { timeout, memory, state: Arc::default() }
    }

    /// Another one is wanted: those before it are of no use.
    pub fn ask(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.asked += 1;
        if let Some(clock) = &state.clock {
            clock.interrupt();
        }
    }

    /// Begins the next one, under this clock, which has ended when a later one is wanted already.
    pub fn begin(&self) -> Arc<Clock> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.begun += 1;
        let clock = Clock::limited(self.timeout, self.memory);
        if state.begun < state.asked {
            clock.interrupt();
        }
        state.clock = Some(clock.clone());
        clock
    }

    /// Whether a later one is wanted than the one that was begun last.
    pub fn are_wanted(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.begun < state.asked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_ends_what_is_under_way() {
        let loads = Loads::default();
        loads.ask();
        let first = loads.begin();
        assert!(!loads.are_wanted() && first.halt().is_none());
        loads.ask();
        loads.ask();
        assert!(loads.are_wanted() && first.halt().is_some());
        assert!(loads.begin().halt().is_some(), "there is a later one");
        assert!(loads.begin().halt().is_none());
        assert!(!loads.are_wanted());
    }
}
