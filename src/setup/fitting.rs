//! Sizes of deferred sets with which the PROPERTIES have a solution, where they have none with those that were
//! taken because nobody chose any.

use super::Model;
use crate::clock::Clock;
use crate::eval::{Evaluator, Flow};
use std::sync::Arc;

/// How many elements more a set is given than it has.
const FURTHER: u32 = 4;

/// Sizes after which no others are tried.
const MOST: usize = 100;

/// Most work for all of them, as often as a clock is asked.
const WORK: u64 = 3_000;

/// The first sizes of the sets that nobody chose a size for, in the order of how many elements they are away
/// from those they have, with which there are constants. `None` where none of those that are tried has any.
pub fn fitting_sizes(model: &Model) -> Option<Vec<(Arc<str>, u32)>> {
    let open: Vec<_> = model.sets.iter().filter(|set| set.source.is_open()).collect();
    let sizes: Vec<u32> = open.iter().map(|set| set.size).collect();
    let clock = Clock::working(WORK, None);
    for tried in near(&sizes).into_iter().take(MOST) {
        let named = open.iter().map(|set| &set.name).zip(&tried);
        let mut cards = model.options.cards.clone();
        cards.extend(named.clone().map(|(name, size)| (name.to_string(), u64::from(*size))));
        let found = clock.guard(|| {
            let other = model.resized(cards).ok()?;
            Some(has_set_up(&other, &clock) == Some(true))
        });
        match found {
            Ok(Some(true)) => {
                return Some(named.map(|(name, size)| (name.clone(), *size)).collect());
            }
            Ok(_) if clock.halted().is_none() => {}
            _ => return None,
        }
    }
    None
}

/// Other sizes, those that are nearest first.
fn near(sizes: &[u32]) -> Vec<Vec<u32>> {
    let mut all = vec![(0, Vec::new())];
    for size in sizes {
        let with = |(far, before): &(u32, Vec<u32>)| {
            let (far, before) = (*far, before.clone());
            (1..=size + FURTHER)
                .map(move |n| (far + n.abs_diff(*size), [before.as_slice(), &[n]].concat()))
        };
        all = all.iter().flat_map(with).collect();
        all.sort();
        // All beside the first are further away with each further set.
        all.truncate(MOST + 1);
    }
    all.into_iter().map(|(_, sizes)| sizes).filter(|tried| *tried != sizes).collect()
}

/// Whether the PROPERTIES have a solution, where that is known soon.
pub fn has_set_up(model: &Model, clock: &Arc<Clock>) -> Option<bool> {
    let mut evaluator = Evaluator::new(model.program.clone());
    let mut found = false;
    let ended = clock.run(|| {
        evaluator.each_setup(false, |_, _, _| {
            found = true;
            Ok(Flow::Break(()))
        })
    });
    match ended {
        _ if found => Some(true),
        Ok(()) if evaluator.cut().is_none() => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_are_near_come_first() {
        let near = near(&[2, 2]);
        assert_eq!(near[..4], [vec![1, 2], vec![2, 1], vec![2, 3], vec![3, 2]]);
        assert!(near.contains(&vec![1, 6]) && !near.contains(&vec![2, 2]));
        assert_eq!(super::near(&[1]), [[2], [3], [4], [5]]);
        // However many sets there are.
        assert!(super::near(&[2; 40]).len() <= MOST);
    }
}
