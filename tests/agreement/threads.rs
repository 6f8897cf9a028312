//! Searches on several threads: the same result, to the last count and step, as on one.

use super::{Cards, UNSUITED, models, symmetric};
use crate::common::{corpus, everything, on_a_large_stack, open, run, sized};
use burnside::search::{OnViolation, Outcome, SearchOptions, Strategy, SymmetryMode};
use burnside::session::Session;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Most states that are searched of one machine: threads that are started for some states at a time take
/// more than the states.
const MOST: u64 = 400;

/// What must be equal.
fn result(outcome: Outcome) -> String {
    let timeless = Outcome {
        seconds: 0.0,
        threads: 0,
        peak_memory: 0,
        stored_bytes: 0,
        method_statistics: Vec::new(),
        ..outcome
    };
    format!("{timeless:?}")
}

/// Searches that end in different ways.
fn searches(mode: SymmetryMode, states: u64) -> Vec<SearchOptions> {
    let all = SearchOptions { max_states: Some(MOST), ..everything(mode) };
    let stops = SearchOptions {
        on_violation: OnViolation::Stop,
        keep_going: false,
        max_states: Some(MOST),
        ..everything(mode)
    };
    let prunes = SearchOptions { on_violation: OnViolation::Prune, ..all.clone() };
    let cut = SearchOptions { max_states: Some(states / 2 + 1), ..all.clone() };
    match mode {
        SymmetryMode::Off | SymmetryMode::Canon => vec![all, stops, prunes, cut],
        SymmetryMode::Iso => vec![all, cut],
        _ => vec![all],
    }
}

fn differences(name: &str, session: &Session) -> Vec<String> {
    let mut wrong = Vec::new();
    for mode in SymmetryMode::ALL {
        let on = |threads: usize, options: &SearchOptions| {
            let (threads, alone) = (Some(threads), Duration::ZERO);
            run(session, &SearchOptions { threads, alone, ..options.clone() })
        };
        let first = SearchOptions { max_states: Some(MOST), ..everything(mode) };
        let states = on(1, &first).states;
        for (i, options) in searches(mode, states).iter().enumerate() {
            let wanted = result(on(1, options));
            let both = matches!(mode, SymmetryMode::Off | SymmetryMode::Canon);
            let numbers: &[usize] = if i == 0 && both { &[2, 3, 8] } else { &[3] };
            for threads in numbers {
                let found = on(*threads, options);
                assert_eq!(found.threads, *threads);
                let found = result(found);
                if found != wanted {
                    let mode = mode.name();
                    wrong.push(format!(
                        "{name}, {mode}, search {i}, {threads} threads:\n{found}\n{wanted}"
                    ));
                }
            }
        }
    }
    wrong
}

fn all(cases: Vec<(String, PathBuf, Cards<'static>)>) {
    let compare = |(name, path, cards): (String, PathBuf, Cards<'static>)| {
        let started = std::time::Instant::now();
        let wrong = differences(&name, &open(path, sized(cards, true)));
        println!("{name}: {:.1} s", started.elapsed().as_secs_f64());
        wrong
    };
    let wrong: Vec<String> = cases.into_iter().flat_map(compare).collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn threads_agree_on_our_models() {
    let budget = super::budget();
    on_a_large_stack(move || all(models(budget)));
}

/// Every tenth machine of the collection, or all of them in the full run.
#[test]
fn threads_agree_on_the_collection() {
    let Some(folder) = corpus::folder() else { return };
    let step = if super::budget().full { 1 } else { 10 };
    let suited = |path: &str| !UNSUITED.iter().any(|(unsuited, _)| *unsuited == path);
    let machines = corpus::expected(&folder).into_iter().filter(|e| suited(&e.path));
    let cases = machines
        .step_by(step)
        .map(|e| (e.path.clone(), folder.join("models").join(&e.path), &[][..]))
        .collect();
    on_a_large_stack(move || all(cases));
}

#[test]
fn threads_agree_on_random_machines() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("M.mch");
    let count = if super::budget().full { 500 } else { 13 };
    let mut wrong = Vec::new();
    for seed in 1..=count {
        let (text, cards) = symmetric::machine(seed);
        std::fs::write(&path, &text).expect("written");
        let session = open(Path::new(&path).to_owned(), sized(&cards, true));
        wrong.extend(differences(&format!("seed {seed}"), &session));
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Two counters; the walk to the violation is not short, and every walk that does not end there goes on.
const WALKED: &str = "MACHINE Walked VARIABLES x, y INVARIANT x : 0..9 & y : 0..9 & x + y < 15
INITIALISATION x, y := 0, 0
OPERATIONS
  right = SELECT x < 9 THEN x := x + 1 END;
  up = SELECT y < 9 THEN y := y + 1 END;
  left = SELECT x > 0 THEN x := x - 1 END;
  back = x, y := 0, 0
END";

#[test]
fn each_random_walker_does_what_it_does_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("Walked.mch");
    std::fs::write(&path, WALKED).expect("written");
    let session = open(path, sized(&[], true));
    let walk = |seed: u64, threads: usize, goes_on: bool| {
        let on_violation = if goes_on { OnViolation::Expand } else { OnViolation::Stop };
        let max_states = goes_on.then_some(60);
        let (strategy, threads) = (Strategy::Random, Some(threads));
        let options = SearchOptions { strategy, seed, threads, on_violation, ..Default::default() };
        run(&session, &SearchOptions { max_states, keep_going: goes_on, ..options })
    };
    // The one whose report it is, alone; the seeds stand in the note.
    for first in [1, 20, 300] {
        let outcome = walk(first, 3, false);
        let note = outcome.notes.last().expect("a note").clone();
        let seed = (first..first + 3).find(|s| note.contains(&format!("(--seed {s} --threads 1)")));
        let alone = walk(seed.unwrap_or_else(|| panic!("no seed: {note}")), 1, false);
        assert_eq!(outcome.threads, 3);
        let notes = alone.notes.clone();
        let repeated = walk(first, 3, false);
        assert_eq!(repeated.notes, outcome.notes);
        assert_eq!(result(Outcome { notes, ..outcome }), result(alone));
    }
    // Where they go on, all that they have counted.
    let alone: Vec<Outcome> = (1..4).map(|seed| walk(seed, 1, true)).collect();
    let all = walk(1, 3, true);
    let sum = |of: fn(&Outcome) -> u64| alone.iter().map(of).sum::<u64>();
    assert_eq!((all.states, all.transitions), (sum(|o| o.states), sum(|o| o.transitions)));
    assert_eq!(all.verdict, alone[0].verdict);
    assert!(all.notes.iter().any(|n| n.contains("seeds 1 to 3")), "{:?}", all.notes);
}
