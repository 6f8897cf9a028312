//! The machines of `models/` against the counts beside them.
//!
//! Four machines in six sizes and two modes are the rows of the table in Turner et al. (table 1, with
//! its two misprints corrected); phonebook_err has a row of figures of its own.

mod common;

use burnside::search::{SearchOptions, Strategy, SymmetryMode, Verdict};
use burnside::session::Session;
use burnside::setup::SetupOptions;
use common::expected::{Shortest, counts, expected};
use common::replay::replay;
use common::{model_file, run};

/// A machine of `models/`, in which all the given sets have one size.
fn open(machine: &str, sets: &[String], size: u64, goal: Option<&str>) -> Session {
    let setup = SetupOptions {
        cards: sets.iter().map(|s| (s.clone(), size)).collect(),
        goal: goal.map(str::to_owned),
        ..SetupOptions::default()
    };
    common::open(model_file(machine), setup)
}

/// Four machines, six sizes, two modes, two figures each.
fn table_one(machine: &str) {
    assert_eq!(counts(machine), 6 * 2, "{machine}: a row is missing");
}

#[test]
fn table_one_scheduler0() {
    table_one("scheduler0");
}

#[test]
fn table_one_scheduler() {
    table_one("scheduler");
}

#[test]
fn table_one_russian_postal_puzzle() {
    table_one("russian_postal_puzzle");
}

#[test]
fn table_one_phonebook() {
    table_one("phonebook");
}

#[test]
fn phonebook_err_counts() {
    assert_eq!(counts("phonebook_err"), 14);
}

#[test]
fn phonebook_db_counts() {
    assert_eq!(counts("phonebook_db"), 11);
}

/// One label of a representative with several targets counts for the machine as often as it has
/// concrete targets: with four processes `swap` makes 561 of 529.
#[test]
fn full_transitions_count_concrete_targets() {
    let session = open("scheduler", &["PID".to_owned()], 4, None);
    let outcome = run(&session, &common::everything(SymmetryMode::Canon));
    assert_eq!(outcome.transitions, 71);
    assert_eq!(outcome.full_transitions.map(|n| n.to_string()).as_deref(), Some("561"));
}

/// The shortest counterexamples of phonebook_err, in every complete mode, each a run of the real machine.
#[test]
fn phonebook_err_counterexamples() {
    let expected = expected("phonebook_err");
    for Shortest { size, operations } in expected.counterexample {
        let session = open("phonebook_err", &expected.sets, size, None);
        for symmetry in SymmetryMode::ALL.into_iter().filter(|m| !m.is_approximate()) {
            let options = SearchOptions { symmetry: Some(symmetry), ..SearchOptions::default() };
            let outcome = run(&session, &options);
            if operations == 0 {
                assert_eq!(outcome.verdict, Verdict::Ok, "size {size}, {symmetry:?}");
                assert!(outcome.finding.is_none());
                continue;
            }
            assert_eq!(outcome.verdict, Verdict::InvariantViolation);
            let trace = outcome.finding.expect("a counterexample").trace;
            // The initialisation comes first; there are no constants to set up.
            assert_eq!(trace.steps.len(), 1 + operations, "{trace:#?}");
            let names: Vec<&str> = trace.steps.iter().map(|s| s.operation.as_str()).collect();
            assert_eq!(names, ["INITIALISATION", "add", "add", "delete"]);
            let mut end = replay(session.model().expect("a model"), &trace, "a counterexample");
            assert!(!end.invariant_holds());
        }
    }
}

/// Longer ones, as the other strategies find them.
#[test]
fn counterexamples_of_every_strategy_are_runs() {
    let sets = ["Name".to_owned(), "Code".to_owned()];
    for size in 2..=4 {
        let session = open("phonebook_err", &sets, size, None);
        for strategy in Strategy::ALL {
            for seed in 1..=5 {
                let options = SearchOptions {
                    symmetry: Some(SymmetryMode::Canon),
                    strategy,
                    seed,
                    ..SearchOptions::default()
                };
                let outcome = run(&session, &options);
                assert_eq!(outcome.verdict, Verdict::InvariantViolation, "{strategy:?} {seed}");
                let trace = outcome.finding.expect("a counterexample").trace;
                let model = session.model().expect("a model");
                let mut end = replay(model, &trace, &format!("{strategy:?} {seed}"));
                assert!(!end.invariant_holds(), "{strategy:?} {seed}");
            }
        }
    }
}

/// The gem arrives: without stopping there it is only noted, and asked for it is found.
#[test]
fn the_postal_puzzle_is_solved() {
    let machine = "russian_postal_puzzle";
    let expected = expected(machine);
    for Shortest { size, operations } in expected.goal {
        for symmetry in SymmetryMode::ALL.into_iter().filter(|m| !m.is_approximate()) {
            let options = SearchOptions { symmetry: Some(symmetry), ..SearchOptions::default() };
            let session = open(machine, &expected.sets, size, None);
            let outcome = run(&session, &options);
            assert_eq!(outcome.verdict, Verdict::Ok);
            assert_eq!(outcome.goal_seen, Some(operations > 0), "size {size}");

            let session = open(machine, &expected.sets, size, Some("GOAL"));
            let outcome = run(&session, &SearchOptions { goal: true, ..options });
            if operations == 0 {
                assert_eq!(outcome.verdict, Verdict::Ok);
                continue;
            }
            assert_eq!(outcome.verdict, Verdict::GoalFound, "size {size}, {symmetry:?}");
            let trace = outcome.finding.expect("a way").trace;
            assert_eq!(trace.steps.len(), 1 + operations, "{trace:#?}");
            let model = session.model().expect("a model");
            let mut end = replay(model, &trace, "a way to the goal");
            assert_eq!(end.evaluator.goal(&end.state), Ok(true));
        }
    }
}
