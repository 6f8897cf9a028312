//! Ending what an animator does, from another thread.

use crate::clock::Clock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Ends what an animator is doing, from another thread.
#[derive(Clone, Debug, Default)]
pub struct Canceller {
    /// Of the piece of work at hand.
    clock: Arc<Mutex<Option<Arc<Clock>>>>,
    times: Arc<AtomicU64>,
}

impl Canceller {
    /// Ends the listing of transitions, or the labelling, that is under way, if there is one. What
    /// was found by then is kept, and marked as cut. Work that has many such pieces ends, too.
    pub fn cancel(&self) {
        self.times.fetch_add(1, Ordering::Relaxed);
        if let Some(clock) = &*self.clock.lock().unwrap_or_else(PoisonError::into_inner) {
            clock.interrupt();
        }
    }

    /// How often it was asked to cancel. Work of many pieces looks whether that has changed: a walk
    /// is as a rule cancelled between two listings, or in one whose result it does not look at.
    pub fn times(&self) -> u64 {
        self.times.load(Ordering::Relaxed)
    }

    /// What is cancelled from now on.
    pub(super) fn watch(&self, clock: &Arc<Clock>) {
        *self.clock.lock().unwrap_or_else(PoisonError::into_inner) = Some(clock.clone());
    }
}
