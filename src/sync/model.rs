//! The same for unit tests: each lock, number and thread is the model checker's (shuttle) if it was made
//! within [`schedules`] or [`random_schedules`], otherwise the standard library's.
//!
//! There, all threads are routines of one thread, one of which runs at a time; at each use of something that
//! they share the scheduler chooses who goes on. It knows no weak memory: what a relaxed load may see
//! otherwise is not tested, and where one is used the threads are joined before it matters.

use crate::stack;
use shuttle::scheduler::{DfsScheduler, PctScheduler, RandomScheduler, Scheduler};
use shuttle::{Config, Runner};
use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::Ordering;
use std::sync::{LockResult, PoisonError};

thread_local! {
    static MODEL: Cell<bool> = const { Cell::new(false) };
}

/// Runs a test under every schedule, and returns how many there are.
pub fn schedules(test: impl Fn() + Send + Sync + 'static) -> usize {
    run(DfsScheduler::new(None, false), test)
}

/// Runs a test under some schedules that the seed chooses: half of them by a coin at each turn, half by
/// priorities that change at few points (Burckhardt et al., probabilistic concurrency testing).
pub fn random_schedules(seed: u64, half: usize, test: impl Fn() + Clone + Send + Sync + 'static) {
    run(RandomScheduler::new_from_seed(seed, half), test.clone());
    run(PctScheduler::new_from_seed(seed, 3, half), test);
}

fn run(scheduler: impl Scheduler + 'static, test: impl Fn() + Send + Sync + 'static) -> usize {
    struct Back;
    impl Drop for Back {
        fn drop(&mut self) {
            MODEL.set(false);
        }
    }
    let mut config = Config::new();
    config.stack_size = 1 << 18;
    config.silence_warnings = true;
    MODEL.set(true);
    let _back = Back;
    Runner::new(scheduler, config).run(test)
}

/// One of two, as the test asks.
macro_rules! either {
    ($model:expr, $real:expr) => {
        if MODEL.get() { Self::Model($model) } else { Self::Real($real) }
    };
}

#[derive(Debug)]
pub enum Mutex<T> {
    Real(std::sync::Mutex<T>),
    Model(shuttle::sync::Mutex<T>),
}

pub enum MutexGuard<'a, T> {
    Real(std::sync::MutexGuard<'a, T>),
    Model(shuttle::sync::MutexGuard<'a, T>),
}

impl<T> Mutex<T> {
    pub fn new(value: T) -> Mutex<T> {
        either!(shuttle::sync::Mutex::new(value), std::sync::Mutex::new(value))
    }

    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        fn wrap<A, B>(result: LockResult<A>, wrap: impl Fn(A) -> B) -> LockResult<B> {
            match result {
                Ok(guard) => Ok(wrap(guard)),
                Err(poisoned) => Err(PoisonError::new(wrap(poisoned.into_inner()))),
            }
        }
        match self {
            Mutex::Real(mutex) => wrap(mutex.lock(), MutexGuard::Real),
            Mutex::Model(mutex) => wrap(mutex.lock(), MutexGuard::Model),
        }
    }
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Mutex<T> {
        Mutex::new(T::default())
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            MutexGuard::Real(guard) => guard,
            MutexGuard::Model(guard) => guard,
        }
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        match self {
            MutexGuard::Real(guard) => guard,
            MutexGuard::Model(guard) => guard,
        }
    }
}

/// An atomic number. A model checker's is large, and there may be many of the others.
macro_rules! atomic {
    ($name:ident, $number:ty) => {
        #[derive(Debug)]
        pub enum $name {
            Real(std::sync::atomic::$name),
            Model(Box<shuttle::sync::atomic::$name>),
        }

        impl $name {
            pub fn new(value: $number) -> $name {
                either!(
                    Box::new(shuttle::sync::atomic::$name::new(value)),
                    std::sync::atomic::$name::new(value)
                )
            }

            pub fn load(&self, order: Ordering) -> $number {
                match self {
                    Self::Real(number) => number.load(order),
                    Self::Model(number) => number.load(order),
                }
            }

            pub fn store(&self, value: $number, order: Ordering) {
                match self {
                    Self::Real(number) => number.store(value, order),
                    Self::Model(number) => number.store(value, order),
                }
            }

            pub fn fetch_min(&self, value: $number, order: Ordering) -> $number {
                match self {
                    Self::Real(number) => number.fetch_min(value, order),
                    Self::Model(number) => number.fetch_min(value, order),
                }
            }

            pub fn compare_exchange(
                &self,
                current: $number,
                new: $number,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$number, $number> {
                match self {
                    Self::Real(number) => number.compare_exchange(current, new, success, failure),
                    Self::Model(number) => number.compare_exchange(current, new, success, failure),
                }
            }
        }

        impl Default for $name {
            fn default() -> $name {
                $name::new(0)
            }
        }
    };
}

atomic!(AtomicU32, u32);
atomic!(AtomicU64, u64);

#[derive(Clone, Copy)]
pub enum Scope<'scope, 'env: 'scope> {
    Real(&'scope std::thread::Scope<'scope, 'env>),
    Model(&'scope shuttle::thread::Scope<'scope, 'env>),
}

pub enum ScopedJoinHandle<'scope, T> {
    Real(std::thread::ScopedJoinHandle<'scope, T>),
    Model(shuttle::thread::ScopedJoinHandle<'scope, T>),
}

impl<T> ScopedJoinHandle<'_, T> {
    pub fn join(self) -> std::thread::Result<T> {
        match self {
            ScopedJoinHandle::Real(thread) => thread.join(),
            ScopedJoinHandle::Model(thread) => thread.join(),
        }
    }
}

pub fn scope<'env, T>(run: impl for<'scope> FnOnce(Scope<'scope, 'env>) -> T) -> T {
    match MODEL.get() {
        true => shuttle::thread::scope(|scope| run(Scope::Model(scope))),
        false => std::thread::scope(|scope| run(Scope::Real(scope))),
    }
}

pub fn spawn<'scope, T: Send + 'scope>(
    scope: Scope<'scope, '_>,
    name: &str,
    run: impl FnOnce() -> T + Send + 'scope,
) -> std::io::Result<ScopedJoinHandle<'scope, T>> {
    Ok(match scope {
        Scope::Real(scope) => ScopedJoinHandle::Real(stack::thread(name).spawn_scoped(scope, run)?),
        Scope::Model(scope) => ScopedJoinHandle::Model(scope.spawn(run)),
    })
}
