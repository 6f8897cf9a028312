//! Ctrl-C: the first ends a search cleanly, the second ends the program at once.

use super::EXIT_INTERRUPTED;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by the first signal.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// For a command that can end cleanly.
    pub fn install() -> Interrupt {
        Interrupt::with(false)
    }

    /// For a command that has nothing to tell when it is interrupted.
    pub fn at_once() -> Interrupt {
        Interrupt::with(true)
    }

    fn with(set: bool) -> Interrupt {
        let flag = Arc::new(AtomicBool::new(set));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag unset and sets it, the second finds it
            // set. Without handlers, a signal ends the program, which will do.
            let status = i32::from(EXIT_INTERRUPTED);
            let _ = signal_hook::flag::register_conditional_shutdown(signal, status, flag.clone());
            let _ = signal_hook::flag::register(signal, flag.clone());
        }
        Interrupt(flag)
    }

    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
