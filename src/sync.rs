//! What threads share: the locks, atomic numbers and scoped threads of the standard library, for the code whose
//! outcome must not depend on who comes first.
//!
//! In the unit tests the same names are the standard library's or a model checker's, as the test asks
//! (`model::schedules`, `model::random_schedules`): so what is run under every schedule is the code itself.

#[cfg(test)]
pub mod model;

#[cfg(test)]
pub use model::{AtomicU32, AtomicU64, Mutex, MutexGuard, Scope, ScopedJoinHandle, scope, spawn};
#[cfg(not(test))]
pub use std::sync::atomic::{AtomicU32, AtomicU64};
#[cfg(not(test))]
pub use std::sync::{Mutex, MutexGuard};
#[cfg(not(test))]
pub use std::thread::{ScopedJoinHandle, scope};

/// What threads are started in.
#[cfg(not(test))]
pub type Scope<'scope, 'env> = &'scope std::thread::Scope<'scope, 'env>;

/// Starts a thread with room for deep recursion.
///
/// # Errors
/// The system starts no more threads.
#[cfg(not(test))]
pub fn spawn<'scope, T: Send + 'scope>(
    scope: Scope<'scope, '_>,
    name: &str,
    run: impl FnOnce() -> T + Send + 'scope,
) -> std::io::Result<ScopedJoinHandle<'scope, T>> {
    crate::stack::thread(name).spawn_scoped(scope, run)
}
