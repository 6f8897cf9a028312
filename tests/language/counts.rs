//! What is counted: states, set-ups and transitions, as ProB counts them.

use super::*;
use burnside::search::{OnViolation, SymmetryMode};

/// Without symmetry, and with one representative for each orbit.
const MODES: [SymmetryMode; 2] = [SymmetryMode::Off, SymmetryMode::Canon];

/// A complete search that goes on after findings.
#[track_caller]
fn whole(model: &Model, symmetry: SymmetryMode) -> Outcome {
    let options = SearchOptions {
        symmetry: Some(symmetry),
        on_violation: OnViolation::Expand,
        keep_going: true,
        ..SearchOptions::default()
    };
    let outcome = search::run(model, &options, &Arc::new(Control::new()));
    assert!(outcome.complete, "{:?}: {:?} {:?}", symmetry, outcome.verdict, outcome.bounds);
    outcome
}

/// Nodes (states, set-ups and the root) and transitions of the whole state space: those that a search
/// without reduction counts, and one with representatives says that they stand for.
#[track_caller]
fn counts(loaded: Loaded) -> (u64, u64) {
    let model = deep(|| set_up(loaded)).unwrap_or_else(|why| panic!("{why}"));
    let [off, canon] = MODES.map(|mode| deep(|| whole(&model, mode)));
    let full = |o: &Outcome| {
        [&o.full_states, &o.full_transitions].map(|n| n.clone().map(|n| n.to_string()))
    };
    assert_eq!(full(&off), full(&canon));
    assert_eq!(full(&off), [off.states, off.transitions].map(|n| Some(n.to_string())));
    (off.nodes, off.transitions)
}

#[track_caller]
fn counts_of(text: &str) -> (u64, u64) {
    counts(typing::load_text("test.mch", text))
}

#[test]
fn what_ends_in_an_error_is_no_transition() {
    // Of the three arguments one fails: 6 / 0.
    let text = "MACHINE Divides SETS D VARIABLES x, u INVARIANT x : 0..6 & u : D
        INITIALISATION x := 6 || u :: D
        OPERATIONS
          divide(n) = PRE n : 0..2 & x = 6 THEN x := 6 / n END;
          other(v) = PRE v : D & x = 3 THEN u := v || x := 6 / 0 END
        END";
    // D has two elements: each initial state goes to x = 6 and to x = 3; from there nothing.
    assert_eq!(counts_of(text), (1 + 4, 2 + 2 * 2));
}

#[test]
fn an_initialisation_that_fails_is_no_transition() {
    let text = "MACHINE Starts SETS D CONSTANTS f PROPERTIES f : D --> 0..1
        VARIABLES x INVARIANT x : NATURAL INITIALISATION x := 6 / SIGMA(d).(d : D | f(d))
        OPERATIONS stay = BEGIN x := x END END";
    // Four set-ups; where no d gives 1 the initialisation fails, else one state stays as it is.
    assert_eq!(counts_of(text), (1 + 4 + 3, 4 + 3 + 3));
}
