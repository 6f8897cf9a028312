//! The handle by which a running search is watched, paused and ended from another thread.

use super::outcome::Progress;
use crate::eval::Watch;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Why a search was ended from outside the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    Interrupted = 1,
    Time = 2,
    Memory = 3,
}

/// Shared between a search and whoever started it.
#[derive(Debug)]
pub struct Control {
    halt: AtomicU8,
    paused: AtomicBool,
    wake: Condvar,
    progress: Mutex<Progress>,
    /// Somebody looks at the progress.
    wanted: AtomicBool,
    limits: Mutex<Limits>,
    started: Instant,
    /// When the memory was last read, in milliseconds since the start.
    memory_read: AtomicU64,
}

/// Milliseconds between two looks at the memory.
const MEMORY_EVERY: u64 = 5;

#[derive(Debug, Clone, Copy)]
struct Limits {
    deadline: Option<Instant>,
    memory: Option<u64>,
}

impl Default for Control {
    fn default() -> Control {
        Control::new()
    }
}

impl Control {
    pub fn new() -> Control {
        Control {
            halt: AtomicU8::new(0),
            paused: AtomicBool::new(false),
            wake: Condvar::new(),
            progress: Mutex::new(Progress::default()),
            wanted: AtomicBool::new(false),
            limits: Mutex::new(Limits { deadline: None, memory: None }),
            started: Instant::now(),
            memory_read: AtomicU64::new(0),
        }
    }

    /// Sets the limits of a search that begins now.
    pub fn begin(&self, timeout: Option<Duration>, memory: Option<u64>) {
        let deadline = timeout.and_then(|t| Instant::now().checked_add(t));
        *self.limits.lock().unwrap_or_else(PoisonError::into_inner) = Limits { deadline, memory };
    }

    /// Asks the search to end. It answers within a few milliseconds.
    pub fn interrupt(&self) {
        self.end(Halt::Interrupted);
        self.resume();
    }

    fn end(&self, why: Halt) {
        let _ = self.halt.compare_exchange(0, why as u8, Ordering::SeqCst, Ordering::SeqCst);
    }

    pub fn halt(&self) -> Option<Halt> {
        match self.halt.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Halt::Interrupted),
            2 => Some(Halt::Time),
            _ => Some(Halt::Memory),
        }
    }

    pub fn pause(&self) {
        self.paused.store(true, Ordering::SeqCst);
    }

    pub fn resume(&self) {
        self.paused.store(false, Ordering::SeqCst);
        self.wake.notify_all();
    }

    pub fn is_paused(&self) -> bool {
        self.paused.load(Ordering::SeqCst)
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

    /// Whether it is time to look at the memory again: the system is slow to tell.
    fn memory_is_due(&self) -> bool {
        let now = self.started.elapsed().as_millis() as u64;
        let last = self.memory_read.load(Ordering::Relaxed);
        if now < last + MEMORY_EVERY {
            return false;
        }
        self.memory_read.store(now, Ordering::Relaxed);
        true
    }

    /// Waits while the search is paused.
    fn wait(&self) {
        let mut guard = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        while self.paused.load(Ordering::SeqCst) && self.halt.load(Ordering::SeqCst) == 0 {
            let (next, _) = self
                .wake
                .wait_timeout(guard, Duration::from_millis(50))
                .unwrap_or_else(PoisonError::into_inner);
            guard = next;
        }
    }
}

/// Bytes that a member of a set may take while the set is made: the member itself, a pair on the
/// heap, and the room that growing lists leave unused.
const MEMBER_BYTES: u64 = 256;

impl Watch for Control {
    fn room(&self) -> usize {
        let limits = *self.limits.lock().unwrap_or_else(PoisonError::into_inner);
        let memory = limits.memory.unwrap_or(2 << 30);
        (memory / 2 / MEMBER_BYTES).clamp(1 << 16, 1 << 26) as usize
    }

    fn halted(&self) -> bool {
        if self.is_paused() {
            self.wait();
        }
        if self.halt().is_some() {
            return true;
        }
        let limits = *self.limits.lock().unwrap_or_else(PoisonError::into_inner);
        if limits.deadline.is_some_and(|d| Instant::now() >= d) {
            self.end(Halt::Time);
        } else if let Some(limit) = limits.memory
            && self.memory_is_due()
            && super::memory::resident() > limit
        {
            self.end(Halt::Memory);
        }
        self.halt().is_some()
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
