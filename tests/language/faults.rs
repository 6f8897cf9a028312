//! Faults in places of their own, and what limits say.

use super::*;
use burnside::search::{OnViolation, Strategy};

fn searched(text: &str, options: SearchOptions) -> Outcome {
    deep(|| {
        let model = set_up(typing::load_text("test.mch", text)).expect("loads");
        search::run(&model, &options, &Arc::new(Control::new()))
    })
}

const STARTS: &str = "MACHINE Starts CONSTANTS c PROPERTIES c : 0..2
VARIABLES x INVARIANT x : NATURAL INITIALISATION x := 6 / c
OPERATIONS stay = BEGIN x := x END END";

#[test]
fn an_initialisation_that_fails_is_one_state_error_among_others() {
    for strategy in [Strategy::BreadthFirst, Strategy::DepthFirst] {
        for on_violation in [OnViolation::Prune, OnViolation::Expand] {
            let options = SearchOptions { on_violation, strategy, ..SearchOptions::default() };
            let outcome = searched(STARTS, options);
            assert_eq!(outcome.verdict, Verdict::StateError);
            // Three set-ups; one fails, the others are searched to the end.
            assert_eq!((outcome.states, outcome.state_errors, outcome.complete), (2, 1, true));
            let finding = outcome.finding.expect("a finding");
            assert!(finding.message.contains("INITIALISATION"), "{}", finding.message);
            assert_eq!(finding.trace.steps.len(), 2);
        }
    }
    let outcome = searched(STARTS, SearchOptions::default());
    assert_eq!((outcome.verdict, outcome.complete), (Verdict::StateError, false));
}

#[test]
fn where_every_initialisation_fails_there_is_nothing_to_search() {
    let text = STARTS.replace("c : 0..2", "c = 0");
    for strategy in [Strategy::BreadthFirst, Strategy::Random] {
        let options = SearchOptions {
            on_violation: OnViolation::Expand,
            strategy,
            max_states: Some(10),
            ..SearchOptions::default()
        };
        let outcome = searched(&text, options);
        assert_eq!((outcome.verdict, outcome.states), (Verdict::StateError, 0));
    }
}

#[test]
fn a_second_evaluation_with_long_integers_counts_once() {
    let machine = |add: &str| {
        format!(
            "MACHINE M CONSTANTS f PROPERTIES f : 1..3 +-> 0..1 & f = {{2 |-> 1, 3 |-> 1}}
            VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 0
            OPERATIONS o(p) = PRE p : 1..3 & x = 0 & f(p) = 1 THEN x := {add} + p END END"
        )
    };
    let counts = |add: &str| -> Vec<u64> {
        let options = SearchOptions { deadlock: false, ..SearchOptions::default() };
        let outcome = searched(&machine(add), options);
        assert_eq!(outcome.states, 3);
        outcome.undefined_guards.iter().map(|(_, n)| *n).collect()
    };
    assert_eq!(counts("1"), counts("9223372036854775806"));
    assert_eq!(counts("1").len(), 1);
}

/// Where the outcome says that a value became too large.
fn too_large(text: &str) -> String {
    let loaded = typing::load_text("test.mch", text);
    let sources = loaded.sources.clone();
    let outcome = deep(|| search_model(&set_up(loaded).expect("loads")));
    assert!(!outcome.complete);
    let why = (&outcome.finding, &outcome.bounds);
    let (span, _) = outcome.too_large.first().unwrap_or_else(|| panic!("{text}: {why:?}"));
    sources.text(*span).to_owned()
}

#[test]
fn what_is_too_large_has_a_place() {
    let start = |expression: &str| {
        format!(
            "MACHINE M VARIABLES x INVARIANT 1 = 1 & x = x INITIALISATION x := {expression} END"
        )
    };
    for expression in [
        "1..1000000000",
        "(1..100000) * (1..100000)",
        "2 ** (10 ** 9)",
        "closure1(%i.(i : 1..100000 | i + 1))",
        "UNION(i).(i : 1..5 | i * 1000000 .. i * 1000000 + 999999)",
    ] {
        let place = too_large(&start(expression));
        assert!(!place.is_empty() && expression.contains(&place), "{expression}: {place:?}");
    }
    let doubled = "MACHINE M VARIABLES x INVARIANT x : seq(INTEGER) INITIALISATION x := [0]
        OPERATIONS double = BEGIN x := x ^ x END END";
    assert_eq!(too_large(doubled), "x ^ x");
}

#[test]
fn large_operators_end_with_the_time_that_they_have() {
    let with = |expression: &str| {
        format!(
            "MACHINE M CONSTANTS r PROPERTIES r = (1..600) * (1..600) VARIABLES x
            INVARIANT 1 = 1 & x = x INITIALISATION x := {expression} END"
        )
    };
    for expression in ["(r ; r)", "r >< r", "closure1(r)", "iterate(r, 1000)"] {
        let start = std::time::Instant::now();
        let options =
            SearchOptions { timeout: Some(Duration::from_secs(2)), ..SearchOptions::default() };
        let outcome = searched(&with(expression), options);
        assert!(start.elapsed() < Duration::from_secs(12), "{expression}: {:?}", start.elapsed());
        assert!(!outcome.complete || outcome.states == 1, "{expression}");
    }
}

#[test]
fn composition_finds_each_pair_once() {
    all_hold(
        "CONSTANTS r PROPERTIES r = (1..60) * (1..60)",
        &["(r ; r) = r", "closure1(r) = r", "card(r >< {1 |-> 1, 2 |-> 5}) = 120"],
    );
}
