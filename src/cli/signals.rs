//! Ctrl-C and `kill`: the first signal ends a search cleanly, the second ends the program at once.

use crate::clock::Clock;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Holds the first signal that came.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicUsize>);

/// The exit status of a program that a signal has ended, as shells have it: 130 after SIGINT, 143
/// after SIGTERM.
pub fn status_after(signal: i32) -> u8 {
    128 + (signal & 0x7f) as u8
}

impl Interrupt {
    /// For a command that can end cleanly.
    pub fn install() -> Interrupt {
        Interrupt::with(false)
    }

    /// For a command that has nothing to tell when it is interrupted.
    pub fn at_once() -> Interrupt {
        Interrupt::with(true)
    }

    fn with(told: bool) -> Interrupt {
        let first = Arc::new(AtomicUsize::new(0));
        let told = Arc::new(AtomicBool::new(told));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag unset and sets it, the second finds it
            // set. Without handlers, a signal ends the program, which will do.
            let status = i32::from(status_after(signal));
            let _ = signal_hook::flag::register_conditional_shutdown(signal, status, told.clone());
            let _ = signal_hook::flag::register(signal, told.clone());
            let _ = signal_hook::flag::register_usize(signal, first.clone(), signal as usize);
        }
        Interrupt(first)
    }

    /// Works under a clock that the first signal interrupts.
    pub fn ending<T>(&self, clock: &Clock, work: impl FnOnce() -> T) -> T {
        clock.heed(Some(self.0.clone()));
        let result = work();
        clock.heed(None);
        result
    }

    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst) != 0
    }

    /// The exit status of a command that was interrupted.
    pub fn status(&self) -> u8 {
        match self.0.load(Ordering::SeqCst) {
            0 => status_after(SIGINT),
            signal => status_after(signal as i32),
        }
    }
}
