//! Assertions that wait.
//!
//! An assertion is a theorem: it adds nothing to what the invariant asks, and may take longer than all that a search
//! does besides. Where somebody sets a patience, an assertion waits that takes longer than that in one state, and so does
//! one of those that together take most of the time. It is asked no more; whoever set the patience asks later what was left
//! out.

use crate::clock;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// How much assertions may take together before it matters what part of all that is: in questions to the clock, about
/// a third of a second.
const LITTLE: u64 = 1 << 13;

/// Which assertions of a program wait; shared by all threads that ask them.
#[derive(Debug)]
pub struct Patience {
    /// How often the clock is asked at most while one assertion is asked in one state.
    most: u32,
    /// By the number of the assertion.
    each: Box<[Wait]>,
    /// Whether any waits.
    any: AtomicBool,
    /// How often the clock was asked in all of them.
    took: AtomicU64,
}

#[derive(Default, Debug)]
struct Wait {
    waits: AtomicBool,
    took: AtomicU64,
}

impl Patience {
    /// For so many assertions, none of which waits, or all.
    pub fn new(most: u32, assertions: usize, all: bool) -> Patience {
        let wait = |_| Wait { waits: AtomicBool::new(all), took: AtomicU64::new(0) };
        Patience {
            most,
            each: (0..assertions).map(wait).collect(),
            any: AtomicBool::new(all && assertions > 0),
            took: AtomicU64::new(0),
        }
    }

    /// Whether any assertion waits.
    #[inline]
    pub fn any_waits(&self) -> bool {
        self.any.load(Relaxed)
    }

    /// Whether this assertion waits.
    #[inline]
    pub fn waits(&self, assertion: usize) -> bool {
        self.any_waits() && self.each[assertion].waits.load(Relaxed)
    }

    /// Asks an assertion. Where that takes too long it waits from now on, and there is no answer.
    #[inline]
    pub fn ask<T>(&self, assertion: usize, ask: impl FnOnce() -> T) -> Option<T> {
        let (answer, took) = clock::briefly(self.most, ask);
        if took > 0 || answer.is_none() {
            self.count(assertion, took.into(), answer.is_none());
        }
        answer
    }

    #[cold]
    fn count(&self, assertion: usize, took: u64, too_long: bool) {
        let own = &self.each[assertion];
        let so_far = own.took.fetch_add(took, Relaxed) + took;
        let all = self.took.fetch_add(took, Relaxed) + took;
        // Of several that take little each, those wait that take a good part of it.
        let are_most = all > LITTLE && all > clock::asked() / 2 && so_far > all / 8;
        if too_long || are_most {
            own.waits.store(true, Relaxed);
            self.any.store(true, Relaxed);
        }
    }

    /// The numbers of those that wait.
    pub fn waiting(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.each.len()).filter(|i| self.waits(*i))
    }
}
