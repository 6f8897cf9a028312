//! Room for recursion over what the user wrote: trees, chains of definitions, recursive functions.
//!
//! Whoever recurses as deep as an input asks for it takes room here, and nowhere else. How deep that
//! may be is bounded where it is done (`syntax::MAX_NESTING`, `typing`'s bound on expansions,
//! `eval`'s on applications of a function within itself): beyond the bound there is an error with
//! its place, never an overflow.

use std::thread::Builder;

/// Stack of a thread that walks trees or evaluates. Only what is used of it is ever committed.
const THREAD: usize = 256 << 20;
/// Least room that a step of a recursion may need before it asks again.
const RED_ZONE: usize = 512 << 10;
/// What is added when there is less.
const SEGMENT: usize = 16 << 20;

/// A thread for such work.
pub fn thread(name: &str) -> Builder {
    Builder::new().name(name.to_owned()).stack_size(THREAD)
}

/// Runs a walk over trees of bounded height with room for the highest, whatever thread this is.
pub fn large<R>(run: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(THREAD / 2, THREAD, run)
}

/// Runs one step of a recursion that may be deep: there is room for it.
#[inline]
pub fn deep<R>(run: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(RED_ZONE, SEGMENT, run)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recursion_outgrows_its_thread() {
        fn down(n: u32) -> u64 {
            let here = std::hint::black_box([n as u64; 64]);
            if n == 0 { 0 } else { deep(|| down(n - 1)) + here[(n % 64) as usize] / u64::from(n) }
        }
        let small = Builder::new().stack_size(256 << 10);
        let sum = small.spawn(|| down(200_000)).expect("a thread").join();
        assert_eq!(sum.expect("no overflow"), 200_000);
    }
}
