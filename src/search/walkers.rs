//! Several random walkers at once. Each is a search of its own, on a thread of its own, with its own seed:
//! what it does is what a search on one thread does with that seed.
//!
//! Where the search ends at a finding, the walker counts that found something in the fewest steps, and of
//! several the one with the least seed; the others are ended once they have taken more steps than that. The
//! report is this walker's then. Where none finds anything, or the search goes on, the counts are summed up: a
//! state that two walkers have seen counts for both.

use super::control::Control;
use super::engine::search;
use super::options::SearchOptions;
use super::outcome::{OperationCount, Outcome};
use crate::clock::Here;
use crate::setup::{Bound, Model};
use crate::sync::{AtomicU64, ScopedJoinHandle, scope, spawn};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The walker that has found something in the fewest steps so far: the steps, and its number in the
/// lower bits.
#[derive(Debug)]
pub struct Race(AtomicU64);

/// Bits of a walker's number: there are no more than [`super::options::MOST_THREADS`].
const WALKER_BITS: u32 = 11;

impl Race {
    fn new() -> Race {
        Race(AtomicU64::new(u64::MAX))
    }

    /// Whether somebody has found something in fewer steps.
    pub fn is_lost(&self, steps: u64) -> bool {
        self.0.load(Ordering::Relaxed) >> WALKER_BITS < steps
    }

    pub fn found(&self, steps: u64, walker: usize) {
        self.0.fetch_min(steps << WALKER_BITS | walker as u64, Ordering::Relaxed);
    }

    fn winner(&self) -> Option<usize> {
        let first = self.0.load(Ordering::Relaxed);
        (first != u64::MAX).then_some((first & ((1 << WALKER_BITS) - 1)) as usize)
    }
}

/// One of several walkers.
#[derive(Clone, Copy)]
pub struct Walker<'a> {
    pub race: &'a Race,
    pub number: usize,
}

/// Searches with as many walkers.
pub fn run(
    model: &Model,
    options: &SearchOptions,
    control: &Arc<Control>,
    walkers: usize,
) -> Outcome {
    let race = Race::new();
    let seed = |number: usize| options.seed.wrapping_add(number as u64);
    let walk = |number: usize| {
        // Nothing that several threads count references to: a program of its own.
        let own = (number > 0).then(|| {
            let mut own = model.clone();
            own.program = Arc::new(model.program.again());
            own
        });
        // What is shown while they walk is what the first of them does.
        let own_control = Arc::new(Control::under(control.clock().clone()));
        let control = if number == 0 { control } else { &own_control };
        let options = SearchOptions { seed: seed(number), ..options.clone() };
        let walker = Walker { race: &race, number };
        search(own.as_ref().unwrap_or(model), &options, control, Some(walker))
    };
    let here = Here::now();
    let mut outcomes: Vec<Outcome> = scope(|scope| {
        let start = |number: usize| {
            let (here, walk) = (here.clone(), &walk);
            (number, spawn(scope, "search", move || here.run(|| walk(number))).ok())
        };
        let started: Vec<_> = (1..walkers).map(start).collect();
        let mut outcomes = vec![walk(0)];
        for (number, thread) in started {
            // Where no thread could be started, this one does its share.
            outcomes.push(match thread.map(ScopedJoinHandle::join) {
                Some(Ok(outcome)) => outcome,
                Some(Err(panic)) => std::panic::resume_unwind(panic),
                None => walk(number),
            });
        }
        outcomes
    });
    if outcomes[0].expanded == 0 {
        // There was nothing to walk from.
        return outcomes.swap_remove(0);
    }
    let (first, last) = (seed(0), seed(walkers - 1));
    let all = format!("{walkers} walkers, with the seeds {first} to {last}");
    let mut outcome = match race.winner() {
        Some(number) => {
            let winner = outcomes.swap_remove(number);
            let seed = seed(number);
            let note = format!(
                "{all}: this is what the one with seed {seed} did (--seed {seed} --threads 1)"
            );
            with_note(winner, note)
        }
        None => {
            let summed = outcomes.into_iter().reduce(add).expect("there is a walker");
            with_note(summed, format!("{all}: a state that several have seen counts for each"))
        }
    };
    outcome.threads = walkers;
    outcome
}

fn with_note(mut outcome: Outcome, note: String) -> Outcome {
    outcome.notes.push(note);
    outcome
}

/// What two walkers have done, the first of which counts where they found the same.
fn add(a: Outcome, b: Outcome) -> Outcome {
    let better = |o: &Outcome| {
        let steps = o.finding.as_ref().map(|f| f.trace.operations());
        (!o.verdict.is_finding(), steps)
    };
    let (mut sum, other) = if better(&b) < better(&a) { (b, a) } else { (a, b) };
    let plus = |a: Option<u64>, b: Option<u64>| a.zip(b).map(|(a, b)| a + b);
    sum.nodes += other.nodes;
    sum.states += other.states;
    sum.expanded += other.expanded;
    sum.successors += other.successors;
    sum.transitions += other.transitions;
    sum.first_transitions += other.first_transitions;
    sum.violating_states = plus(sum.violating_states, other.violating_states);
    sum.assertion_violations = plus(sum.assertion_violations, other.assertion_violations);
    sum.deadlocked_states = plus(sum.deadlocked_states, other.deadlocked_states);
    sum.goal_states = plus(sum.goal_states, other.goal_states);
    sum.missed_orbits = plus(sum.missed_orbits, other.missed_orbits);
    sum.undefined_checks += other.undefined_checks;
    sum.state_errors += other.state_errors;
    sum.goal_seen = sum.goal_seen.zip(other.goal_seen).map(|(a, b)| a || b);
    sum.goal_undefined = sum.goal_undefined.or(other.goal_undefined);
    sum.depth = sum.depth.max(other.depth);
    sum.seconds = sum.seconds.max(other.seconds);
    sum.peak_memory = sum.peak_memory.max(other.peak_memory);
    sum.interrupted |= other.interrupted;
    let operations = sum.operations.into_iter().zip(other.operations);
    sum.operations = operations
        .map(|(a, b)| OperationCount { taken: a.taken + b.taken, first: a.first + b.first, ..a })
        .collect();
    let halted = |bound: &Bound| matches!(bound, Bound::Halted(_));
    for bound in other.bounds {
        let one_halted = halted(&bound) && sum.bounds.iter().any(halted);
        if !one_halted && !sum.bounds.contains(&bound) {
            sum.bounds.push(bound);
        }
    }
    for (span, n) in other.undefined_guards {
        match sum.undefined_guards.iter_mut().find(|(s, _)| *s == span) {
            Some((_, sum)) => *sum += n,
            None => sum.undefined_guards.push((span, n)),
        }
    }
    let large = other.too_large.into_iter().filter(|o| !sum.too_large.contains(o));
    let large: Vec<_> = large.collect();
    sum.too_large.extend(large);
    let cut: Vec<_> = other.cut.into_iter().filter(|o| !sum.cut.contains(o)).collect();
    sum.cut.extend(cut);
    for (name, value) in other.method_statistics {
        match sum.method_statistics.iter_mut().find(|(n, _)| *n == name) {
            Some((_, sum)) => *sum += value,
            None => sum.method_statistics.push((name, value)),
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sync::model::schedules;
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    #[test]
    fn the_winner_is_the_same_under_every_schedule() {
        // The steps after which each walker would find something, and who should win.
        for (finds, first) in [([2, 1], 1), ([1, 1], 0), ([2, 2], 0)] {
            let gave_up = Arc::new(Mutex::new(BTreeSet::new()));
            let ends = gave_up.clone();
            schedules(move || {
                let race = Race::new();
                let walk = |number: usize| {
                    let lost = (1..=finds[number]).any(|steps| race.is_lost(steps));
                    if !lost {
                        race.found(finds[number], number);
                    }
                    lost
                };
                let lost = scope(|scope| {
                    let start = |number| spawn(scope, "walker", move || walk(number));
                    let other = start(1).expect("a thread");
                    [walk(0), other.join().expect("no panic")]
                });
                assert_eq!((race.winner(), lost[first]), (Some(first), false));
                ends.lock().unwrap().insert(lost);
            });
            // Whoever needs more steps may have found something before it could know.
            let expected = if finds[0] == finds[1] { 1 } else { 2 };
            assert_eq!(gave_up.lock().unwrap().len(), expected, "{finds:?}");
        }
        assert_eq!(Race::new().winner(), None);
    }
}
