//! Several threads that do one piece of work under one clock.

use super::{Here, Stopped};
use crate::sync::{Mutex, ScopedJoinHandle, scope, spawn};
use std::sync::PoisonError;

/// Does something with each item, on as many threads as there are hands: what each works with. A thread that
/// is through with an item takes the next one, so that it matters little how long single items take. The
/// first hand works on this thread; where there is one, or no thread can be started, it does all.
///
/// # Errors
/// The work is to end, and some of it was not done.
pub fn share<H: Send, T: Send>(
    hands: &mut [H],
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(&mut H, T) -> Result<(), Stopped> + Sync,
) -> Result<(), Stopped> {
    let Some((own, others)) = hands.split_first_mut() else { return Ok(()) };
    if others.is_empty() {
        return items.into_iter().try_for_each(|item| work(own, item));
    }
    let queue = Mutex::new(items);
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = |hand: &mut H| {
        while let Some(item) = next() {
            work(hand, item)?;
        }
        Ok(())
    };
    let here = Here::now();
    scope(|scope| {
        let mut started = Vec::with_capacity(others.len());
        for hand in others {
            let (here, work) = (here.clone(), &work);
            let run = move || here.run(|| work(hand));
            started.extend(spawn(scope, "search", run).ok());
        }
        let own = work(own);
        let join = |thread: ScopedJoinHandle<'_, _>| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        let others = started.into_iter().map(join).fold(Ok(()), Result::and);
        own.and(others)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, tick};

    #[test]
    fn all_items_are_worked_on_once() {
        for hands in [1, 2, 5] {
            let mut sums = vec![0u64; hands];
            let done = share(&mut sums, 0..1000u64, |sum, i| {
                *sum += i;
                Ok(())
            });
            assert_eq!((done, sums.iter().sum::<u64>()), (Ok(()), 499_500));
        }
    }

    #[test]
    fn a_clock_that_ends_the_work_ends_it_on_all_threads() {
        let clock = Clock::new();
        let done = clock.run(|| {
            share(&mut [0, 0, 0], 0.., |turns: &mut u32, i| {
                *turns += 1;
                if i == 5000 {
                    clock.interrupt();
                }
                tick()
            })
        });
        assert_eq!(done, Err(Stopped));
    }
}
