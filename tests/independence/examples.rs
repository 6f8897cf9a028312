//! Small machines for the places where a reduction is easily unsound, and for what it should save.

use crate::common::expected::{counts, expected};
use crate::search::{STRATEGIES, run};
use burnside::search::{OnViolation, Outcome, PorMethod, SearchOptions, SymmetryMode, Verdict};
use burnside::setup::Model;
use std::time::Duration;

/// All ways to search a machine by a method of reduction.
fn reduced(text: &str, base: &SearchOptions) -> Vec<Outcome> {
    of_model(&crate::model(text).expect("a machine"), base)
}

fn of_model(model: &Model, base: &SearchOptions) -> Vec<Outcome> {
    let methods = PorMethod::ALL.into_iter();
    let all = methods.flat_map(|m| STRATEGIES.into_iter().map(move |s| (m, s)));
    all.map(|(method, strategy)| {
        let options = SearchOptions { por: Some(method), strategy, ..base.clone() };
        run(model, &options)
    })
    .collect()
}

fn verdicts(text: &str, base: &SearchOptions, wanted: Verdict) {
    for outcome in reduced(text, base) {
        assert_eq!(outcome.verdict, wanted, "{:?}", outcome.partial);
    }
}

const DEADLOCKS: fn() -> SearchOptions =
    || SearchOptions { invariant: false, ..SearchOptions::default() };

/// `a` keeps the invariant in every state, and is visible all the same.
#[test]
fn what_keeps_the_invariant_may_still_hide_a_violation() {
    let text = "MACHINE M VARIABLES x, y INVARIANT x : 0..1 & y : 0..1 & not(x = 1 & y = 0) \
        INITIALISATION x := 0 || y := 0 \
        OPERATIONS a = SELECT y = 0 THEN y := 1 END; e = SELECT x = 0 THEN x := 1 END END";
    let options = SearchOptions { deadlock: false, ..SearchOptions::default() };
    verdicts(text, &options, Verdict::InvariantViolation);
}

/// Two states of a cycle of invisible operations, and an operation that waits beside it.
#[test]
fn nothing_is_put_off_for_ever() {
    let text = "MACHINE M VARIABLES b, x INVARIANT b : BOOL & x : INTEGER & x < 1 \
        INITIALISATION b := FALSE || x := 0 \
        OPERATIONS up = SELECT b = FALSE THEN b := TRUE END; \
        down = SELECT b = TRUE THEN b := FALSE END; bad = SELECT x = 0 THEN x := 1 END END";
    verdicts(text, &SearchOptions::default(), Verdict::InvariantViolation);
    let text = "MACHINE M VARIABLES b, x INVARIANT b : BOOL & x : INTEGER & x < 1 \
        INITIALISATION b := FALSE || x := 0 \
        OPERATIONS look = skip; bad = SELECT x = 0 THEN x := 1 END END";
    verdicts(text, &SearchOptions::default(), Verdict::InvariantViolation);
}

/// One that leaves the state as it is would be a cycle by itself: another one is followed, and no state is
/// expanded twice for it.
#[test]
fn what_changes_nothing_is_not_what_is_followed() {
    let text = "MACHINE M VARIABLES x, y, z INVARIANT x : INTEGER & y : INTEGER & z : INTEGER & z < 1 \
        INITIALISATION x := 0 || y := 0 || z := 0 \
        OPERATIONS r <-- look = BEGIN r := x + y END; \
        right = SELECT x < 3 THEN x := x + 1 END; down = SELECT y < 3 THEN y := y + 1 END; \
        bad = SELECT x = 3 & y = 3 & z = 0 THEN z := 1 END END";
    let all = SearchOptions {
        keep_going: true,
        on_violation: OnViolation::Expand,
        ..SearchOptions::default()
    };
    let model = crate::model(text).expect("a machine");
    assert_eq!(run(&model, &all).states, 4 * 4 + 1);
    for outcome in of_model(&model, &all) {
        let partial = outcome.partial.expect("figures");
        assert_eq!((outcome.states, outcome.violating_states), (4 + 3 + 1, Some(1)));
        assert_eq!((partial.reduced_states, partial.cycles), (6, 0));
    }
    // Where it is all that waits, as where only deadlocks are kept, it is enough.
    let text = text.replace("z < 1", "z < 2");
    for outcome in reduced(&text, &all) {
        assert_eq!((outcome.verdict, outcome.states), (Verdict::Ok, 1));
    }
}

/// Errors are looked for also where nothing is asked but deadlocks.
#[test]
fn errors_are_never_left_out() {
    let text = "MACHINE M VARIABLES b, x INVARIANT b : BOOL & x : INTEGER \
        INITIALISATION b := FALSE || x := 0 \
        OPERATIONS up = SELECT b = FALSE THEN b := TRUE END; \
        down = SELECT b = TRUE THEN b := FALSE END; \
        bad = SELECT x < 2 THEN ASSERT x < 1 THEN x := x + 1 END END END";
    verdicts(text, &DEADLOCKS(), Verdict::StateError);
}

/// A state outside of the SCOPE enables nothing.
#[test]
fn the_scope_is_a_part_of_every_guard() {
    let text = "MACHINE M DEFINITIONS SCOPE == x < 2 VARIABLES x, y INVARIANT x : INTEGER & y : INTEGER \
        INITIALISATION x := 0 || y := 0 \
        OPERATIONS right = SELECT x < 3 THEN x := x + 1 END; down = SELECT y < 2 THEN y := y + 1 END; \
        stop = SELECT x = 1 & y = 1 THEN y := 5 END; stay = SELECT y < 5 THEN skip END END";
    let model = crate::model(text).expect("a machine");
    let all = SearchOptions { keep_going: true, ..DEADLOCKS() };
    let full = run(&model, &all);
    for outcome in reduced(text, &all) {
        let said = |o: &Outcome| (o.verdict, o.complete);
        assert_eq!(said(&outcome), said(&full));
    }
}

/// Of n processes that count to k, one order of the steps is enough.
#[test]
fn instances_of_one_operation_are_independent() {
    for (n, k) in [(2, 3), (4, 2), (5, 4)] {
        let text = format!(
            "MACHINE M SETS P DEFINITIONS scope_P == {n} VARIABLES f INVARIANT f : P --> 0..{k} \
             INITIALISATION f := P * {{0}} \
             OPERATIONS step(p) = PRE p : P & f(p) < {k} THEN f(p) := f(p) + 1 END END"
        );
        for invariant in [false, true] {
            let base = SearchOptions {
                invariant,
                keep_going: true,
                on_violation: OnViolation::Expand,
                symmetry: Some(SymmetryMode::Off),
                ..SearchOptions::default()
            };
            for outcome in reduced(&text, &base) {
                assert_eq!((outcome.states, outcome.deadlocked_states), (n * k + 1, Some(1)));
                assert!(outcome.partial.is_some_and(|p| p.deadlocks_only));
            }
        }
    }
}

/// The counts beside the machines, in full and reduced.
#[test]
fn counts_are_those_beside_the_machines() {
    for (machine, rows) in [("counting", 6), ("ring_of_eight", 1), ("concurrent_counters", 1)] {
        assert_eq!(counts(machine), rows);
        let expected = expected(machine);
        for row in &expected.por {
            let session = expected.open(machine, row.size);
            let base = SearchOptions {
                symmetry: Some(SymmetryMode::Off),
                keep_going: true,
                ..DEADLOCKS()
            };
            for outcome in of_model(session.model().expect("a model"), &base) {
                let found = (outcome.nodes, outcome.transitions, outcome.deadlocked_states);
                assert_eq!(found, (row.nodes, row.transitions, Some(row.deadlocked)), "{machine}");
            }
        }
    }
}

/// Where nothing is saved for long, no more is tried.
#[test]
fn a_search_that_saves_nothing_gives_up() {
    let text = "MACHINE M VARIABLES x, y INVARIANT x : INTEGER & y : INTEGER INITIALISATION x := 0 || y := 0 \
        OPERATIONS a = SELECT x + y < 80 THEN x := x + 1 END; b = SELECT x + y < 80 THEN y := y + 1 END END";
    let all = SearchOptions { keep_going: true, ..DEADLOCKS() };
    for outcome in reduced(text, &all) {
        let partial = outcome.partial.expect("figures");
        // Each depends on the other: that is known before the search.
        assert_eq!((partial.reduced_states, partial.given_up), (0, Some(0)));
        assert_eq!((outcome.states, outcome.verdict), (81 * 82 / 2, Verdict::Deadlock));
    }
    // Only c might wait, and it is never enabled.
    let text = text.replace(" END END", " END; c = SELECT x > 90 THEN skip END END");
    for outcome in reduced(&text, &all) {
        let partial = outcome.partial.expect("figures");
        assert_eq!((partial.reduced_states, partial.given_up), (0, Some(2000)));
        assert_eq!((outcome.states, outcome.verdict), (81 * 82 / 2, Verdict::Deadlock));
        // The trying costs no more than a part of the search: it is no more than every fifth state.
        assert!((2..400).contains(&partial.tried), "{}", partial.tried);
    }
    // As long as one likes where that is said.
    for outcome in reduced(&text, &SearchOptions { por_work: u64::MAX, ..all }) {
        assert_eq!(outcome.partial.map(|p| (p.tried, p.given_up)), Some((2000, Some(2000))));
    }
}

/// Where choosing takes more than what is left out is worth, no more is tried, on one thread as on several.
#[test]
fn a_search_that_saves_too_little_gives_up() {
    let of = |s: &str| {
        format!(
            "add_{s}(e) = SELECT e : 0..5 & e /: {s} THEN {s} := {s} \\/ {{e}} END; \
             put_{s}(e) = SELECT e : 0..5 THEN {s} := 0..e END"
        )
    };
    let text = format!(
        "MACHINE M VARIABLES s, t INVARIANT s <: 0..5 & t <: 0..5 INITIALISATION s, t := {{}}, {{}} \
         OPERATIONS {}; {}; full = SELECT s = 0..5 THEN ASSERT t <: 0..5 THEN skip END END END",
        of("s"),
        of("t")
    );
    let model = crate::model(&text).expect("a machine");
    let all = SearchOptions { keep_going: true, ..DEADLOCKS() };
    let full = run(&model, &all);
    assert_eq!(full.states, 1 << 12);
    for method in PorMethod::ALL {
        let by = |threads| {
            let options =
                SearchOptions { por: Some(method), threads: Some(threads), ..all.clone() };
            run(&model, &SearchOptions { alone: Duration::ZERO, ..options })
        };
        let (one, two) = (by(1), by(2));
        let figures = |o: &Outcome| {
            let partial = o.partial.expect("figures");
            let counts = (partial.tried, partial.reduced_states, partial.cycles, partial.given_up);
            (counts, o.states, o.transitions)
        };
        assert_eq!(figures(&one), figures(&two));
        assert!(one.verdict == full.verdict && one.states <= full.states, "{}", one.states);
        let given_up = one.partial.and_then(|p| p.given_up);
        assert!(given_up.is_some_and(|n| n < full.states), "{given_up:?}");
    }
}

/// Two threads that meet: each goes its way alone until then. The remainder is defined since what it is of is
/// never negative.
#[test]
fn threads_go_alone_until_they_meet() {
    let text = "MACHINE M VARIABLES a, b, v INVARIANT a : INTEGER & b : INTEGER & v : INTEGER \
        INITIALISATION a := 0 || b := 0 || v := 0 OPERATIONS \
        left = SELECT a < 9 THEN a := a + 1 || v := v + 1 END; right = SELECT b < 9 THEN b := b + 1 END; \
        meet = SELECT a = 9 & b = 9 THEN a := 0 || b := 0 || v := v mod 2 END END";
    let model = crate::model(text).expect("a machine");
    assert_eq!(run(&model, &DEADLOCKS()).states, 2 * 10 * 10);
    for outcome in reduced(text, &DEADLOCKS()) {
        assert_eq!((outcome.states, outcome.verdict), (2 * (1 + 9 + 9), Verdict::Ok));
    }
}
