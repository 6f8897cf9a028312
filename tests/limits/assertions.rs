//! Assertions that take long do not keep a search from finding states.

use super::{Asserted, Bound, Verdict, open, run_with, sized, text};
use burnside::search::{Control, OnViolation, Outcome, SearchOptions, Strategy, SymmetryMode};
use burnside::source::Sources;
use std::sync::Arc;
use std::time::Duration;

/// A theorem that takes for ever in each of a hundred states, and one that is false in the last three of them.
const ENDLESS: &str =
    "!(a, b).(a : 1..100000 & b : 1..100000 & a ** (b / b) / b + b / a = 149999 + x => a = 0)";
const LONG: &str = "!(a, b).(a : 1..120 & b : 1..120 => (a * b) mod 240 + x < 336)";

fn check(assertions: &[&str], options: SearchOptions) -> Outcome {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("Theorem.mch");
    let text = format!(
        "MACHINE Theorem VARIABLES x INVARIANT x : 0..99 ASSERTIONS\n{}\nINITIALISATION x := 0
        OPERATIONS up = PRE x < 99 THEN x := x + 1 END; stay = skip END",
        assertions.join(";\n")
    );
    std::fs::write(&path, text).expect("written");
    run_with(&open(path, sized(&[], true)), &options, &Arc::new(Control::new()))
}

/// Little patience, so that a test takes no time.
fn impatient() -> SearchOptions {
    SearchOptions { patience: 8, symmetry: Some(SymmetryMode::Off), ..SearchOptions::default() }
}

/// With no time at all for those that wait: time for the search is enough.
fn in_no_time(options: SearchOptions) -> SearchOptions {
    SearchOptions { timeout: Some(Duration::from_millis(1500)), ..options }
}

fn left_out(outcome: &Outcome) -> Option<(usize, u32, u32)> {
    outcome.bounds.iter().find_map(|bound| match bound {
        Bound::Assertions { number, asked, states, .. } => Some((*number, *asked, *states)),
        _ => None,
    })
}

#[test]
fn all_states_are_found_before_assertions_that_take_long_are_asked() {
    for strategy in [Strategy::BreadthFirst, Strategy::DepthFirst, Strategy::Mixed] {
        let options = in_no_time(SearchOptions { strategy, ..impatient() });
        let outcome = check(&[ENDLESS, LONG], options.clone());
        assert_eq!((outcome.states, outcome.transitions), (100, 200), "{strategy:?}");
        assert_eq!(outcome.verdict, Verdict::NoneFound);
        let (number, asked, states) = left_out(&outcome).expect("not all were asked");
        assert_eq!((number, asked, states), (2, 0, 100));
        assert!(!outcome.complete);
        let verdict = text::verdict(&outcome, &options, &Sources::default());
        assert!(verdict.contains("not everything could be decided"), "{verdict}");
        assert!(
            verdict.contains("2 assertions that take long were asked of none of the 100 states")
        );
    }
}

#[test]
fn assertions_that_are_left_out_are_neither_counted_nor_a_bound() {
    let off = SearchOptions { assertions: Asserted::Off, ..impatient() };
    let outcome = check(&[ENDLESS, LONG], off.clone());
    assert_eq!((outcome.states, outcome.verdict), (100, Verdict::Ok));
    assert_eq!((outcome.complete, outcome.assertion_violations), (true, None));
    assert_eq!(outcome.violating_states, Some(0));
    // Without the invariant nothing is asked, whenever it would be.
    let bare = SearchOptions { invariant: false, assertions: Asserted::Last, ..off };
    let outcome = check(&[ENDLESS, LONG], bare);
    assert_eq!((outcome.verdict, outcome.violating_states), (Verdict::Ok, None));
}

#[test]
fn what_is_asked_late_is_found_as_if_it_had_been_asked_at_once() {
    for (assertions, threads) in [
        (Asserted::Now, 1),
        (Asserted::Auto, 1),
        (Asserted::Auto, 3),
        (Asserted::Last, 1),
        (Asserted::Last, 3),
    ] {
        let options = SearchOptions {
            assertions,
            threads: Some(threads),
            alone: Duration::ZERO,
            ..impatient()
        };
        let outcome = check(&[LONG, "x >= 0"], options.clone());
        assert_eq!(outcome.verdict, Verdict::AssertionViolation, "{assertions:?}");
        let finding = outcome.finding.expect("a finding");
        assert_eq!(finding.trace.operations(), 97, "{assertions:?}");
        assert!(finding.details[0].starts_with("false for a = "), "{:?}", finding.details);
        let outcome = check(
            &[LONG, "x < 99"],
            SearchOptions { on_violation: OnViolation::Expand, keep_going: true, ..options },
        );
        assert_eq!(outcome.assertion_violations, Some(3), "{assertions:?}");
        assert_eq!((outcome.states, outcome.transitions), (100, 200));
        assert!(outcome.complete);
    }
}

#[test]
fn many_assertions_that_take_little_each_wait_when_they_take_most_of_the_time() {
    let little = |n: u32| format!("!(a, b).(a : 1..600 & b : 1..600 => (a * b + x) mod 600 < {n})");
    let all = [600, 601, 602].map(little);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let timeout = Some(Duration::from_secs(4));
    let outcome = check(&all, SearchOptions { patience: u32::MAX, timeout, ..impatient() });
    assert_eq!((outcome.states, outcome.transitions), (100, 200));
}
