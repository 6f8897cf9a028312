//! One way to ask "stop?".
//!
//! A [`Clock`] has the limits of one piece of work on one machine: a deadline, the memory, and whether
//! the user interrupted. Whoever works for somebody does it inside [`Clock::run`] or [`Clock::guard`],
//! and from then on every function below, in whatever room, asks by counting what it does:
//!
//! * [`tick`] and [`spend`] where the function can say that it was stopped,
//! * [`work`] where it cannot, as in the walks over trees while a machine is loaded: it unwinds to the
//!   guard, as `rustc` and `salsa` cancel what they do. Within [`Clock::run`] it only counts.
//!
//! Counting is an addition to a number of the thread's own. The clock itself is asked once for
//! [`EVERY`] units; a unit is a step whose length does not depend on the machine. So the rule is: *a
//! loop that the input makes long counts its turns.* [`enter`] and [`at`] say what the thread is at, for
//! the one who reads that a limit was reached.

pub mod hands;
pub mod memory;
pub mod watch;

use crate::source::Span;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};
use watch::Spent;

/// Units between two questions to the clock: some tens of microseconds.
pub const EVERY: u32 = 1024;

/// Milliseconds between two looks at the memory, which the system is slow to tell.
const MEMORY_EVERY: u64 = 5;

/// Fewer bytes than this are taken without asking the system how many there are: that takes longer than most of
/// what they are for, and they are seen when the memory is looked at next.
const LITTLE: u64 = 1 << 16;

/// What remains, at least, to tell what was found when a limit was reached.
const GRACE: Duration = Duration::from_secs(1);

/// No limit.
const NEVER: u64 = u64::MAX;

/// Why work was ended from outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Halt {
    Interrupted = 1,
    Time = 2,
    Memory = 3,
}

/// What is being done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Phase {
    #[default]
    Loading,
    Typing,
    /// Sizes of sets, static symmetry.
    Sizes,
    Compiling,
    /// Solutions of the PROPERTIES.
    SetUp,
    Initialisation,
    Search,
    /// Assertions that take long, after the search.
    Assertions,
    /// Representatives of states.
    Labelling,
    /// Looking states up, keeping and counting them.
    Storing,
    /// The run to what was found.
    Trace,
    Report,
}

/// A limit that was reached: where the work was.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Halted {
    pub why: Halt,
    /// The time that was allowed, if any.
    pub timeout: Option<Duration>,
    pub phase: Phase,
    /// The part of the machine that was worked on.
    pub place: Option<Span>,
}

/// The work is to end: [`Clock::halted`] says why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// The limits of one piece of work, shared by all who do it and by whoever may end it.
#[derive(Debug)]
pub struct Clock {
    /// A [`Halt`], or 0.
    halt: AtomicU8,
    paused: AtomicBool,
    gate: Mutex<()>,
    wake: Condvar,
    started: Instant,
    /// Nanoseconds from the start, and what was asked for.
    deadline: AtomicU64,
    timeout: AtomicU64,
    /// Bytes.
    memory: AtomicU64,
    /// When the memory was last read, in milliseconds since the start.
    memory_read: AtomicU64,
    /// Questions so far, and the one at which the clock halts by itself.
    asked: AtomicU64,
    halts_at: u64,
    halted: Mutex<Option<Halted>>,
    /// What interrupts as soon as it is not 0.
    heeded: Mutex<Option<Arc<AtomicUsize>>>,
    /// Whether it is counted how long what takes, and what came of it so far.
    watching: AtomicBool,
    spent: Mutex<Spent>,
}

impl Clock {
    /// A clock without limits; it can be interrupted.
    pub fn new() -> Arc<Clock> {
        Arc::new(Clock::with(NEVER))
    }

    /// A clock that starts now. Without a limit for the memory: 80 % of what there is.
    pub fn limited(timeout: Option<Duration>, memory: Option<u64>) -> Arc<Clock> {
        let clock = Clock::new();
        clock.limit(timeout, memory);
        clock
    }

    /// A clock with as much time as is left after what was spent before, as on the loading of the machine
    /// that is searched under it.
    pub fn limited_after(
        spent: Duration,
        timeout: Option<Duration>,
        memory: Option<u64>,
    ) -> Arc<Clock> {
        let clock = Clock::limited(timeout, memory);
        let left = timeout.map(|t| t.saturating_sub(spent));
        clock.deadline.store(left.map_or(NEVER, nanos), Relaxed);
        clock
    }

    /// A clock that is interrupted at its `n`-th question, whatever the time: for tests of how often it
    /// is asked.
    pub fn halting_at(n: u64) -> Arc<Clock> {
        Arc::new(Clock::with(n))
    }

    /// A clock for a piece of work that is given up after so many questions, however long they take: what comes
    /// of it does not depend on the time, if that is long enough.
    pub fn working(most: u64, timeout: Option<Duration>) -> Arc<Clock> {
        let clock = Clock::with(most);
        clock.limit(timeout, None);
        Arc::new(clock)
    }

    fn with(halts_at: u64) -> Clock {
        Clock {
            halt: AtomicU8::new(0),
            paused: AtomicBool::new(false),
            gate: Mutex::new(()),
            wake: Condvar::new(),
            started: Instant::now(),
            deadline: AtomicU64::new(NEVER),
            timeout: AtomicU64::new(NEVER),
            memory: AtomicU64::new(NEVER),
            memory_read: AtomicU64::new(0),
            asked: AtomicU64::new(0),
            halts_at,
            halted: Mutex::new(None),
            heeded: Mutex::new(None),
            watching: AtomicBool::new(false),
            spent: Mutex::default(),
        }
    }

    /// A clock with limits that counts how long each phase takes.
    pub fn watching(timeout: Option<Duration>, memory: Option<u64>) -> Arc<Clock> {
        let clock = Clock::limited(timeout, memory);
        clock.watch(true);
        clock
    }

    /// Counts from now on how long each phase takes, or no longer. The threads that work hear it at their
    /// next question.
    pub fn watch(&self, watching: bool) {
        self.watching.store(watching, Relaxed);
    }

    /// How long each phase took while that was counted.
    pub fn spent(&self) -> Spent {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes in what this thread has counted, and lets it count where that is wanted.
    fn account(&self) {
        if WATCHED.get() {
            let spent = watch::end();
            self.spent.lock().unwrap_or_else(PoisonError::into_inner).add_all(&spent);
        }
        let watched = self.watching.load(Relaxed);
        WATCHED.set(watched);
        if watched {
            watch::begin();
        }
    }

    /// Sets the limits; the time counts from now on.
    pub fn limit(&self, timeout: Option<Duration>, memory: Option<u64>) {
        let from_start = |t: Duration| nanos(self.started.elapsed().saturating_add(t));
        self.timeout.store(timeout.map_or(NEVER, nanos), Relaxed);
        self.deadline.store(timeout.map_or(NEVER, from_start), Relaxed);
        self.memory.store(memory.or_else(memory::usual_limit).unwrap_or(NEVER), Relaxed);
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Bytes that may be held.
    pub fn memory(&self) -> Option<u64> {
        Some(self.memory.load(Relaxed)).filter(|m| *m != NEVER)
    }

    /// Asks the work to end. It does within a few milliseconds.
    pub fn interrupt(&self) {
        self.end(Halt::Interrupted);
        self.resume();
    }

    /// From now on this interrupts, once it is not 0: a signal handler may set it, and nobody has to watch.
    pub fn heed(&self, signal: Option<Arc<AtomicUsize>>) {
        *self.heeded.lock().unwrap_or_else(PoisonError::into_inner) = signal;
    }

    fn is_interrupted(&self) -> bool {
        let heeded = self.heeded.lock().unwrap_or_else(PoisonError::into_inner);
        heeded.as_ref().is_some_and(|signal| signal.load(SeqCst) != 0)
    }

    fn end(&self, why: Halt) {
        let _ = self.halt.compare_exchange(0, why as u8, SeqCst, SeqCst);
    }

    /// Whether the work is to end, and why.
    pub fn halt(&self) -> Option<Halt> {
        match self.halt.load(Relaxed) {
            0 => None,
            1 => Some(Halt::Interrupted),
            2 => Some(Halt::Time),
            _ => Some(Halt::Memory),
        }
    }

    /// Why the work ended first, and what it was at.
    pub fn halted(&self) -> Option<Halted> {
        *self.halted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How often the clock was asked.
    pub fn asked(&self) -> u64 {
        self.asked.load(Relaxed)
    }

    pub fn pause(&self) {
        self.paused.store(true, SeqCst);
    }

    pub fn resume(&self) {
        self.paused.store(false, SeqCst);
        self.wake.notify_all();
    }

    pub fn is_paused(&self) -> bool {
        self.paused.load(SeqCst)
    }

    /// Asks at once. Loops [`tick`] instead.
    ///
    /// # Errors
    /// The work is to end.
    pub fn ask(&self) -> Result<(), Stopped> {
        if self.asked.fetch_add(1, Relaxed) + 1 == self.halts_at {
            self.end(Halt::Interrupted);
        }
        if self.is_paused() {
            self.wait();
        }
        if self.halt().is_none() {
            if self.is_interrupted() {
                self.end(Halt::Interrupted);
            } else if nanos(self.started.elapsed()) >= self.deadline.load(Relaxed) {
                self.end(Halt::Time);
            } else if self.memory_is_due() && memory::resident() > self.memory.load(Relaxed) {
                self.end(Halt::Memory);
            }
        }
        let Some(why) = self.halt() else { return Ok(()) };
        let timeout = Some(self.timeout.load(Relaxed)).filter(|t| *t != NEVER);
        let (phase, place) = (PHASE.get(), PLACE.get());
        let timeout = timeout.map(Duration::from_nanos);
        let mut halted = self.halted.lock().unwrap_or_else(PoisonError::into_inner);
        halted.get_or_insert(Halted { why, timeout, phase, place });
        Err(Stopped)
    }

    fn memory_is_due(&self) -> bool {
        if self.memory.load(Relaxed) == NEVER {
            return false;
        }
        let now = self.started.elapsed().as_millis() as u64;
        let last = self.memory_read.load(Relaxed);
        if now < last + MEMORY_EVERY {
            return false;
        }
        self.memory_read.store(now, Relaxed);
        true
    }

    /// To be asked before this many bytes are taken at once: whether the limit allows them. A few always are.
    ///
    /// # Errors
    /// It does not; the work is to end.
    pub fn take(&self, bytes: u64) -> Result<(), Stopped> {
        if bytes < LITTLE {
            return Ok(());
        }
        let limit = self.memory.load(Relaxed);
        if limit != NEVER && memory::resident().saturating_add(bytes) > limit {
            self.end(Halt::Memory);
            return self.ask();
        }
        Ok(())
    }

    /// Lets work go on that tells what was found: for a second at least, and with some more memory if
    /// that was what there was too little of. Gives what had ended the work before.
    pub fn allow_more(&self) -> Option<Halted> {
        let before = self.halted.lock().unwrap_or_else(PoisonError::into_inner).take();
        let least = nanos(self.started.elapsed() + GRACE);
        let halt = self.halt.swap(0, SeqCst);
        if halt != 0 || self.deadline.load(Relaxed) < least {
            self.deadline.store(least, Relaxed);
        }
        if halt == Halt::Memory as u8 {
            let limit = self.memory.load(Relaxed);
            self.memory.store(limit.saturating_add(limit / 8), Relaxed);
        }
        before
    }

    /// Waits while the work is paused.
    fn wait(&self) {
        let mut guard = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while self.is_paused() && self.halt.load(SeqCst) == 0 {
            let (next, _) = self
                .wake
                .wait_timeout(guard, Duration::from_millis(50))
                .unwrap_or_else(PoisonError::into_inner);
            guard = next;
        }
    }

    /// Works under this clock, in this thread. What can be stopped says so itself.
    pub fn run<T>(self: &Arc<Clock>, run: impl FnOnce() -> T) -> T {
        Here { clock: Some(self.clone()), guarded: false, ..Here::now() }.run(run)
    }

    /// Works under this clock, in this thread, and gives up where [`work`] finds that it is to end.
    ///
    /// # Errors
    /// It was ended.
    pub fn guard<T>(self: &Arc<Clock>, run: impl FnOnce() -> T) -> Result<T, Halted> {
        let here = Here { clock: Some(self.clone()), guarded: true, ..Here::now() };
        match catch_unwind(AssertUnwindSafe(|| here.run(run))) {
            Ok(result) => Ok(result),
            Err(payload) if payload.is::<Stopped>() => Err(self.halted().unwrap_or(Halted {
                why: Halt::Interrupted,
                timeout: None,
                phase: Phase::default(),
                place: None,
            })),
            Err(payload) => resume_unwind(payload),
        }
    }
}

fn nanos(of: Duration) -> u64 {
    u64::try_from(of.as_nanos()).unwrap_or(NEVER - 1)
}

thread_local! {
    /// Units until the next question.
    static LEFT: Cell<u32> = const { Cell::new(EVERY) };
    /// Questions that are left of those within which something is to be done, where there are so many only.
    static BRIEFLY: Cell<Option<u32>> = const { Cell::new(None) };
    static PHASE: Cell<Phase> = const { Cell::new(Phase::Loading) };
    static PLACE: Cell<Option<Span>> = const { Cell::new(None) };
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    static WATCHED: Cell<bool> = const { Cell::new(false) };
    static CLOCK: RefCell<Option<Arc<Clock>>> = const { RefCell::new(None) };
}

/// What a thread works under, to be taken over by another one that works for it.
#[derive(Clone, Debug)]
pub struct Here {
    clock: Option<Arc<Clock>>,
    guarded: bool,
    phase: Phase,
    place: Option<Span>,
}

impl Here {
    /// What this thread works under.
    pub fn now() -> Here {
        Here {
            clock: CLOCK.with_borrow(Clone::clone),
            guarded: GUARDED.get(),
            phase: PHASE.get(),
            place: PLACE.get(),
        }
    }

    fn install(self) {
        // What was counted belongs to the clock that was there.
        CLOCK.with_borrow(|clock| clock.iter().for_each(|clock| clock.account()));
        WATCHED.set(false);
        // Under a clock that has halted the first question is the last.
        let halted = self.clock.as_ref().is_some_and(|clock| clock.halt().is_some());
        LEFT.set(if halted { 0 } else { EVERY });
        PHASE.set(self.phase);
        PLACE.set(self.place);
        self.clock.iter().for_each(|clock| clock.account());
        CLOCK.set(self.clock);
        GUARDED.set(self.guarded);
    }

    /// Works under the same in this thread, and goes back to what was there before.
    pub fn run<T>(self, run: impl FnOnce() -> T) -> T {
        struct Back(Option<Here>);
        impl Drop for Back {
            fn drop(&mut self) {
                if let Some(before) = self.0.take() {
                    before.install();
                }
            }
        }
        let _back = Back(Some(Here::now()));
        self.install();
        run()
    }
}

/// Counts one unit of work.
///
/// # Errors
/// The work is to end.
#[inline]
pub fn tick() -> Result<(), Stopped> {
    spend(1)
}

/// Counts some units of work.
///
/// # Errors
/// The work is to end.
#[inline]
pub fn spend(units: usize) -> Result<(), Stopped> {
    let left = LEFT.get();
    if units < left as usize {
        LEFT.set(left - units as u32);
        return Ok(());
    }
    ask()
}

/// Counts some units of work, and unwinds to the guard when the work is to end.
#[inline]
pub fn work(units: usize) {
    if spend(units).is_err() && GUARDED.get() {
        resume_unwind(Box::new(Stopped));
    }
}

/// Asks the clock of this thread, if there is one.
#[cold]
fn ask() -> Result<(), Stopped> {
    let answer = CLOCK.with_borrow(|clock| {
        clock.as_ref().map_or(Ok(()), |clock| {
            if WATCHED.get() || clock.watching.load(Relaxed) {
                clock.account();
            }
            clock.ask()
        })
    });
    let answer = answer.and_then(|()| match BRIEFLY.get() {
        Some(0) => Err(Stopped),
        left => {
            BRIEFLY.set(left.map(|n| n - 1));
            Ok(())
        }
    });
    // Once it is to end, whoever asks next hears it at once.
    LEFT.set(if answer.is_ok() { EVERY } else { 0 });
    answer
}

/// What comes of this, if it asks its clock no more often than `most` times, and how often it did. Else it is told to end as
/// by a limit, there is nothing that came of it, and the clock goes on. Such work does not stand within other such work.
pub fn briefly<T>(most: u32, run: impl FnOnce() -> T) -> (Option<T>, u32) {
    struct Back;
    impl Drop for Back {
        fn drop(&mut self) {
            BRIEFLY.set(None);
        }
    }
    let _back = Back;
    BRIEFLY.set(Some(most));
    let result = run();
    let left = BRIEFLY.get().unwrap_or(0);
    ((left > 0 || LEFT.get() > 0).then_some(result), most - left)
}

/// How often the clock of this thread was asked so far, by all who work under it.
pub fn asked() -> u64 {
    CLOCK.with_borrow(|clock| clock.as_ref().map_or(0, |clock| clock.asked()))
}

/// To be asked before this many bytes are taken at once: a list that doubles, a table.
///
/// # Errors
/// There is no room for them; the work is to end.
pub fn take(bytes: usize) -> Result<(), Stopped> {
    CLOCK.with_borrow(|clock| clock.as_ref().map_or(Ok(()), |clock| clock.take(bytes as u64)))
}

/// Bytes that may be held; `None` without a limit.
pub fn memory_limit() -> Option<u64> {
    CLOCK.with_borrow(|clock| clock.as_ref().and_then(|clock| clock.memory()))
}

/// What the thread is at from now on.
#[inline]
pub fn enter(phase: Phase) {
    if WATCHED.get() {
        watch::turn();
    }
    PHASE.set(phase);
    PLACE.set(None);
}

/// The part of the machine that the thread is at from now on.
#[inline]
pub fn at(place: Span) {
    PLACE.set(Some(place));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_asked_once_for_many_units() {
        let clock = Clock::new();
        clock.run(|| (0..10 * EVERY).for_each(|_| tick().unwrap()));
        assert_eq!(clock.asked(), 10);
        clock.run(|| spend(1 << 40).unwrap());
        assert_eq!(clock.asked(), 11);
        // Without a clock nobody stops.
        assert_eq!(spend(1 << 40), Ok(()));
    }

    #[test]
    fn what_takes_longer_than_it_may_ends_and_the_clock_goes_on() {
        let clock = Clock::new();
        let turns = |n: u32| (0..n * EVERY).try_for_each(|_| tick());
        clock.run(|| {
            assert_eq!(briefly(3, || turns(3)), (Some(Ok(())), 3));
            assert_eq!(briefly(4, || turns(3)), (Some(Ok(())), 3));
            assert_eq!(briefly(3, || turns(5)), (None, 3));
            assert_eq!((turns(7), clock.halt()), (Ok(()), None));
            assert_eq!(briefly(0, || turns(2)), (None, 0));
            // What may be asked is left unused.
            assert_eq!(briefly(3, || 7), (Some(7), 0));
            assert_eq!(turns(9), Ok(()));
            clock.interrupt();
            // It was ended by the clock.
            assert_eq!(briefly(9, || turns(2)).0, Some(Err(Stopped)));
        });
    }

    #[test]
    fn a_halted_clock_is_heard_at_once_and_says_what_was_done() {
        let clock = Clock::halting_at(3);
        let done = clock.run(|| {
            enter(Phase::SetUp);
            at(Span::default());
            (0..).find(|_| tick().is_err())
        });
        assert_eq!(done, Some(3 * EVERY - 1));
        let halted = clock.halted().unwrap();
        assert_eq!((halted.why, halted.phase), (Halt::Interrupted, Phase::SetUp));
        assert_eq!(halted.place, Some(Span::default()));
        // In another piece of work under the same clock, too.
        assert!(clock.run(|| spend(EVERY as usize)).is_err());
    }

    #[test]
    fn guarded_work_gives_up() {
        let clock = Clock::halting_at(1);
        let halted = clock.guard(|| {
            enter(Phase::Typing);
            let here = Here::now();
            let theirs = std::thread::spawn(|| {
                here.run(|| {
                    loop {
                        work(100)
                    }
                })
            })
            .join();
            resume_unwind(theirs.unwrap_err());
        });
        let halted: Result<(), Halted> = halted;
        assert_eq!(halted.unwrap_err().phase, Phase::Typing);
        // Without a guard there is nobody to unwind to.
        clock.run(|| work(1 << 20));
    }

    #[test]
    fn a_watching_clock_tells_phases_apart() {
        let clock = Clock::watching(None, None);
        let nap = |phase, millis| {
            enter(phase);
            std::thread::sleep(Duration::from_millis(millis));
        };
        clock.run(|| {
            nap(Phase::Search, 5);
            nap(Phase::Storing, 20);
            nap(Phase::Search, 5);
        });
        let spent = clock.spent();
        let time = |phase| spent.time(phase, Duration::ZERO);
        assert!(time(Phase::Search) >= Duration::from_millis(10), "{spent:?}");
        assert!(time(Phase::Storing) >= Duration::from_millis(20), "{spent:?}");
        assert_eq!(time(Phase::Labelling), Duration::ZERO);
        assert!(spent.total(Duration::ZERO) >= time(Phase::Search) + time(Phase::Storing));
        assert_eq!(spent.total(Duration::from_secs(100)), Duration::ZERO);
        // It is heard at the next question, and seen while the work goes on.
        let clock = Clock::new();
        clock.run(|| {
            enter(Phase::Labelling);
            spend(1 << 20).unwrap();
            std::thread::sleep(Duration::from_millis(5));
            spend(1 << 20).unwrap();
            assert!(clock.spent().is_empty());
            clock.watch(true);
            spend(1 << 20).unwrap();
            std::thread::sleep(Duration::from_millis(10));
            spend(1 << 20).unwrap();
            let labelling = clock.spent().time(Phase::Labelling, Duration::ZERO);
            assert!(labelling >= Duration::from_millis(10));
            clock.watch(false);
            spend(1 << 20).unwrap();
            let before = clock.spent().time(Phase::Labelling, Duration::ZERO);
            std::thread::sleep(Duration::from_millis(10));
            spend(1 << 20).unwrap();
            assert_eq!(clock.spent().time(Phase::Labelling, Duration::ZERO), before);
        });
        // Others do not count.
        let other = Clock::new();
        other.run(|| nap(Phase::Search, 1));
        assert_eq!(other.spent().total(Duration::ZERO), Duration::ZERO);
    }

    #[test]
    fn limits_are_of_time_and_memory() {
        let clock = Clock::limited(Some(Duration::ZERO), None);
        assert_eq!(clock.ask(), Err(Stopped));
        assert_eq!(clock.halt(), Some(Halt::Time));
        assert_eq!(clock.allow_more().map(|h| h.why), Some(Halt::Time));
        assert_eq!((clock.ask(), clock.halted()), (Ok(()), None));
        let clock = Clock::limited(None, Some(1));
        // A few bytes are no question.
        assert_eq!(clock.take(LITTLE - 1), Ok(()));
        assert_eq!(clock.take(LITTLE), Err(Stopped));
        assert_eq!(clock.halt(), Some(Halt::Memory));
    }
}
