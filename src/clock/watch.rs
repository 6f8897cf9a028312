//! How long the work under a clock took, by what was done.
//!
//! A watched thread looks at the time whenever it goes from one [`Phase`] to another. That takes time
//! itself, which is known and taken off.

use super::{PHASE, Phase};
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// Time and turns of each phase.
#[derive(Clone, Default, Debug)]
pub struct Spent {
    phases: Vec<(Phase, Duration, u32)>,
}

thread_local! {
    static SINCE: Cell<Option<Instant>> = const { Cell::new(None) };
    static SPENT: RefCell<Spent> = RefCell::default();
}

impl Spent {
    fn add(&mut self, phase: Phase, time: Duration, turns: u32) {
        match self.phases.iter_mut().find(|(of, ..)| *of == phase) {
            Some((_, sum, count)) => {
                *sum += time;
                *count += turns;
            }
            None => self.phases.push((phase, time, turns)),
        }
    }

    pub(super) fn add_all(&mut self, other: &Spent) {
        other.phases.iter().for_each(|(phase, time, turns)| self.add(*phase, *time, *turns));
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.phases.is_empty()
    }

    /// The time in a phase, without what the looks at the time took.
    pub fn time(&self, phase: Phase, look: Duration) -> Duration {
        let found = self.phases.iter().find(|(of, ..)| *of == phase);
        found.map_or(Duration::ZERO, |(_, time, turns)| time.saturating_sub(look * *turns))
    }

    /// The time in all phases, without what the looks at the time took.
    pub fn total(&self, look: Duration) -> Duration {
        self.phases.iter().map(|(phase, ..)| self.time(*phase, look)).sum()
    }
}

/// Counts the time since the last turn for what the thread was at.
#[cold]
pub(super) fn turn() {
    let now = Instant::now();
    if let Some(since) = SINCE.replace(Some(now)) {
        SPENT.with_borrow_mut(|spent| spent.add(PHASE.get(), now - since, 1));
    }
}

pub(super) fn begin() {
    SINCE.set(Some(Instant::now()));
}

/// What was counted in this thread since it began.
pub(super) fn end() -> Spent {
    turn();
    SINCE.set(None);
    SPENT.take()
}

/// What one look at the time takes: the least of many, as anything may come between.
pub fn cost_of_a_look() -> Duration {
    let looks = 64;
    let once = |_| {
        let begun = Instant::now();
        (0..looks).for_each(|_| {
            std::hint::black_box(Instant::now());
        });
        begun.elapsed() / looks
    };
    (0..64).map(once).min().unwrap_or_default()
}
