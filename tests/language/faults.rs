//! Faults in places of their own, and what limits say.

use super::*;
use burnside::search::{OnViolation, Strategy};

fn searched(text: &str, options: SearchOptions) -> Outcome {
    deep(|| {
        let model = set_up(normalise::load_text("test.mch", text)).expect("loads");
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
    let loaded = normalise::load_text("test.mch", text);
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
            SearchOptions { timeout: Some(Duration::from_secs(1)), ..SearchOptions::default() };
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

#[test]
fn an_undefined_question_is_a_finding() {
    let machine = |definitions: &str| {
        format!(
            "MACHINE M DEFINITIONS {definitions} VARIABLES v INVARIANT v : 0..2
            INITIALISATION v := 0 OPERATIONS step = PRE v < 2 THEN v := v + 1 END END"
        )
    };
    let asked = |definitions: &str, goal: bool, on_violation| {
        let loaded = normalise::load_text("test.mch", &machine(definitions));
        let sources = loaded.sources.clone();
        let options =
            SearchOptions { goal, deadlock: false, on_violation, ..SearchOptions::default() };
        deep(|| {
            let model = set_up(loaded).expect("sets up");
            let outcome = search::run(&model, &options, &Arc::new(Control::new()));
            let found = outcome.finding.as_ref().map(|f| {
                let place = f.span.map(|s| sources.text(s).to_owned()).unwrap_or_default();
                (f.message.clone(), place, f.details.clone(), f.trace.steps.len())
            });
            (outcome, found)
        })
    };
    for (definitions, goal, place) in [
        ("GOAL == 10 / (v - 1) = 100", true, "division by zero in the goal"),
        ("SCOPE == 10 / (v - 1) < 100", false, "division by zero in the definition SCOPE"),
    ] {
        let (outcome, found) = asked(definitions, goal, OnViolation::Stop);
        assert_eq!(outcome.verdict, Verdict::StateError, "{definitions}");
        let (message, at, details, steps) = found.expect("a finding");
        assert_eq!((&*message, steps), (place, 2));
        assert!(at.contains("10 / (v - 1)"), "{at}");
        assert_eq!(details, ["with 10 and 0"]);
        // Past it, everything is seen, and one state is undefined.
        let (outcome, _) = asked(definitions, goal, OnViolation::Expand);
        assert_eq!((outcome.states, outcome.undefined_checks, outcome.state_errors), (3, 1, 1));
        assert_eq!((outcome.verdict, outcome.complete), (Verdict::StateError, true));
        let (outcome, _) = asked(definitions, goal, OnViolation::Prune);
        assert_eq!((outcome.states, outcome.undefined_checks), (2, 1));
    }
    // Nobody asks for the goal: no finding, but nothing is said that is not known.
    let (outcome, _) = asked("GOAL == 10 / (v - 1) = 100", false, OnViolation::Stop);
    assert_eq!((outcome.verdict, outcome.goal_seen), (Verdict::Ok, Some(false)));
    assert!(outcome.goal_undefined.is_some());
}

#[test]
fn violations_are_counted_by_what_is_violated() {
    let options = SearchOptions {
        on_violation: OnViolation::Expand,
        deadlock: false,
        ..SearchOptions::default()
    };
    let outcome = searched(
        "MACHINE M VARIABLES v INVARIANT v < 4 & 6 / v >= 0 ASSERTIONS v /= 4 & v /= 3 & 1 / (v - 2) < 9
        INITIALISATION v := 0 OPERATIONS step = PRE v < 5 THEN v := v + 1 END END",
        options,
    );
    // 0: the invariant is undefined; 2: the assertion; 3 and 4: it is false; 4 and 5: the invariant is.
    let counts = (outcome.violating_states, outcome.assertion_violations, outcome.undefined_checks);
    assert_eq!((outcome.states, counts), (6, (Some(2), Some(2), 2)));
    assert_eq!(outcome.state_errors, 2);
}

/// What types a result or a local variable says nothing as long as it is not written: in the
/// precondition of an operation, and in the invariant of a loop.
#[test]
fn typing_of_what_is_not_written_yet() {
    let machine = |pre: &str, invariant: &str, before: &str| {
        format!(
            "MACHINE M VARIABLES v INVARIANT v : 0..3 INITIALISATION v := 0
             OPERATIONS q <-- up(a) = PRE a : 1..1 & {pre} THEN
               {before} WHILE v < 2 DO v := v + a INVARIANT v : 0..3 & {invariant} VARIANT 3 - v END; q := v
             END END"
        )
    };
    let outcome = holds(&machine("q : NAT", "q : NAT", ""));
    assert_eq!(outcome.states, 2);
    holds(&machine("1 = 1", "q : 7..8", "q := 7;"));
    let verdict = |text: &str| run_text(text).expect("runs").verdict;
    // It is checked from when it is written, and anything but its type is read.
    assert_eq!(verdict(&machine("1 = 1", "q : 7..8", "q := 9;")), Verdict::StateError);
    assert_eq!(verdict(&machine("1 = 1", "q + 1 > 0", "")), Verdict::StateError);
    assert_eq!(verdict(&machine("q = 1", "1 = 1", "")), Verdict::StateError);
}

/// In the B-Book such a variable is arbitrary, so that no one value may stand for it.
#[test]
fn a_flag_that_is_copied_before_it_is_written_is_an_error() {
    let text = "MACHINE M VARIABLES xx, yy INVARIANT xx : BOOL & yy : BOOL & xx = FALSE
        INITIALISATION xx := yy ; yy := TRUE END";
    let outcome = run_text(text).expect("loads");
    assert_eq!(outcome.verdict, Verdict::StateError);
    assert!(outcome.finding.expect("told").message.contains("`yy` read before it was written"));
}

/// PROPERTIES that are undefined for some candidate are an error; who goes on all the same goes on with the
/// candidates for which they are defined.
#[test]
fn a_search_goes_on_with_the_set_ups_for_which_all_is_defined() {
    let go_on = SearchOptions {
        deadlock: false,
        on_violation: OnViolation::Expand,
        keep_going: true,
        ..SearchOptions::default()
    };
    for (properties, expected) in [
        // Of the four functions into {a}, those with a value at `a`; nothing is said of `c`.
        ("f : {a, b} +-> {a} & f(k) = a", 2),
        ("f : {a, b} +-> {a} & (f(k) = a or f = {})", 3),
        ("f : {a, b} +-> {a} & not(f(k) = b)", 2),
        ("f : {a, b} +-> {a} & (f(k) /= a => f = {})", 3),
        ("f : S +-> {a, b} & !x.(x : S & x /= c => f(x) = x)", 3),
        ("f : S +-> {a} & !x.(x : S => f(x) = a)", 1),
        ("f : S >+> S & !x.(x : S - {c} => f(f(x)) = x & f(x) /= x)", 2),
        ("f : S +-> {a} & 6 / card(f) = 3", 3),
        ("f : {b} +-> {a} & f(k) = a", 0),
        ("f = {} & f(k) = k", 0),
    ] {
        let clauses = "SETS S = {a, b, c} CONSTANTS f, k PROPERTIES k = a";
        let text = format!("MACHINE M {clauses} & {properties} END");
        let outcome = searched(&text, SearchOptions::default());
        assert_eq!((outcome.verdict, outcome.complete), (Verdict::StateError, false), "{text}");
        let outcome = searched(&text, go_on.clone());
        assert_eq!(outcome.verdict, Verdict::StateError, "{text}");
        // Each with its one initial state, and the root.
        assert_eq!(outcome.nodes, 1 + 2 * expected, "{text}: {:?}", outcome.bounds);
        let message = outcome.finding.expect("an error").message;
        assert!(message.contains("in the PROPERTIES"), "{text}: {message}");
    }
}

/// Names on both sides of `^` are the parts of a sequence that is known.
#[test]
fn names_are_found_as_the_parts_of_a_sequence() {
    let text = "MACHINE M SETS S = {a, b, c} CONSTANTS s, x, y
        PROPERTIES s = [a, b, b, c, a, b, b, c] & s = x ^ [b, b] ^ y
        VARIABLES p, q, r INVARIANT p ^ q = s & r : seq(S) & #(u, v).(s = u ^ r ^ v)
        INITIALISATION p, q : (p ^ q = s & size(p) > 5) || r := <>
        OPERATIONS pick = ANY u, v, w WHERE u ^ (a -> v) ^ w = s & size(v) = 2 THEN r := v END
        END";
    let outcome = run_text(text).expect("loads");
    assert_eq!(outcome.verdict, Verdict::Ok, "{:?} {:?}", outcome.finding, outcome.bounds);
    // Two places of `b, b`; three ways to split `s`, with and without `r = [b, b]`.
    assert_eq!((outcome.nodes, outcome.states), (1 + 2 + 2 * 3 * 2, 12));
}

/// The sequence that is split may itself be a name that is looked for, and be made of what is.
#[test]
fn a_sequence_that_is_looked_for_is_split() {
    let text = "MACHINE M CONSTANTS p, q
        PROPERTIES p : seq(0..3) & q = {s | #k.(k : seq(0..3) & s = k ^ rev(k) & k = [2, 1])} &
          p = [1, 2, 1, 2]
        ASSERTIONS #(k, s).(s = k ^ k & k = [2, 1]); q = {[2, 1, 1, 2]};
          #(k, s).(s = p & k ^ k = s); not(#(k, s).(s = p & k ^ rev(k) = s));
          {k, l | k ^ l = p & size(k) = 1} = {[1] |-> [2, 1, 2]};
          !t.(t : {p, p ^ p} => #(k, l).(k ^ l = t & k = l))
        END";
    let outcome = run_text(text).expect("loads");
    assert_eq!(outcome.verdict, Verdict::Ok, "{:?} {:?}", outcome.finding, outcome.bounds);
}

#[test]
fn the_order_of_parallel_parts_does_not_matter() {
    let parts = ["PRE p : 0..1 THEN v := p END", "SELECT p = 1 THEN w := p END", "u := [5, 6](p)"];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let body = order.map(|i| parts[i]).join(" || ");
        let text = |set: &str| {
            format!(
                "MACHINE P VARIABLES u, v, w INVARIANT v : 0..3 & w : 0..3 & u : 0..6
                 INITIALISATION u, v, w := 0, 0, 0 OPERATIONS o(p) = PRE p : {set} THEN {body} END END"
            )
        };
        // Where the SELECT is closed nothing happens, whatever the others would say.
        assert_eq!(holds(&text("0..3")).states, 2, "{body}");
        let body = body.replace("SELECT p = 1", "SELECT p > 0");
        let text = text("0..3").replace("SELECT p = 1", "SELECT p > 0");
        assert_eq!(run_text(&text).expect("runs").verdict, Verdict::StateError, "{body}");
    }
}

/// A part of `||` that has no outcome leaves the whole without one, also where it is asked of what no field can hold.
#[test]
fn parts_without_an_outcome_hide_what_stops_others() {
    let machine = |parts: &str| {
        format!(
            "MACHINE M SETS D = {{d, e}} VARIABLES q, s, w
             INVARIANT q : seq(0..1) & s <: 0..2 & w : D <-> 0..2
             INITIALISATION q := [] || s := {{}} || w := {{}}
             OPERATIONS a = BEGIN {parts} END; b = skip END"
        )
    };
    for condition in ["s = {3}", "{1, 4} = s", "s = {3} or s = {4}", "w = {d |-> 4}", "s = {2}"] {
        let never = format!("SELECT {condition} THEN skip END");
        for parts in [format!("q := front(q) || {never}"), format!("{never} || q := front(q)")] {
            let outcome = with_deadlocks(&machine(&parts));
            assert_eq!(outcome.verdict, Verdict::Ok, "{parts}: {:?}", outcome.finding);
        }
        let other = format!("q := front(q) || SELECT not({condition}) THEN skip END");
        assert_eq!(with_deadlocks(&machine(&other)).verdict, Verdict::StateError, "{other}");
    }
}

/// Sequences that are too short for `tail` and `front` are candidates like others, where there are few of them.
#[test]
fn sequences_that_are_too_short_are_undefined() {
    for sequences in ["seq", "iseq"] {
        for said in ["tail(s) = [1]", "[1] = front(s)", "rev(front(s)) = [1]"] {
            let text = format!(
                "MACHINE M VARIABLES q INVARIANT q : seq(0..1) INITIALISATION q := []
                 OPERATIONS
                   a(s) = PRE s : {sequences}(0..1) & size(s) <= 2 & {said} THEN q := s END;
                   b = skip
                 END"
            );
            assert_eq!(with_deadlocks(&text).verdict, Verdict::StateError, "{sequences}, {said}");
            let guarded = text.replace("size(s) <= 2", "size(s) <= 2 & s /= []");
            assert_eq!(with_deadlocks(&guarded).verdict, Verdict::Ok, "{sequences}, {said}");
        }
    }
}

/// What a name would be taken from has no value: nothing is tried in its place within limits, beyond which something may be.
#[test]
fn an_undefined_range_is_no_bound() {
    let variables = "VARIABLES q, s INVARIANT q : 1..3 +-> 1..9 & s <: 1..9 INITIALISATION q, s := {1 |-> 9}, {}";
    for operation in [
        "o(k) = PRE k : 1..2 THEN s := {i | i : 1..q(k) & i > 7} END",
        "o = IF #p.(p : 1..6 / card(s) & p > 5) THEN skip END",
        "o = SELECT !p.(p : 0..3 / card(s) & p > 5 => p < 9) THEN skip END",
        "o = IF SIGMA(p).(p : 0..3 mod card(s) & p > 5 | p) = 1 THEN skip END",
    ] {
        let text = format!("MACHINE M {variables} OPERATIONS {operation} END");
        let outcome = searched(&text, SearchOptions::default());
        assert_eq!(outcome.verdict, Verdict::StateError, "{operation}");
    }
    for text in [
        "MACHINE M VARIABLES x INVARIANT x : 0..3 & {p | p : 0..3 / x & p > 3} = {} INITIALISATION x := 0 END",
        "MACHINE M CONSTANTS z, c PROPERTIES z : 0..0 & c = {p | p : 0..3 / z & p > 3} END",
    ] {
        let outcome = searched(text, SearchOptions::default());
        assert_eq!(outcome.verdict, Verdict::StateError, "{text}");
    }
    // Another conjunct bounds the name: it decides.
    let bounded =
        "MACHINE M VARIABLES x INVARIANT x : 0..3 & not(#p.(p : 1..3 & p : 0..3 / x & p > 5))
        INITIALISATION x := 0 OPERATIONS skip1 = skip END";
    assert_eq!(searched(bounded, SearchOptions::default()).verdict, Verdict::Ok);
}

/// A result is no local variable: it is told of as what it is.
#[test]
fn a_result_that_is_read_too_early() {
    let machine = |body: &str| {
        format!(
            "MACHINE M VARIABLES y INVARIANT y : 0..3 INITIALISATION y := 0
             OPERATIONS r <-- get = {body} END"
        )
    };
    let message = |body: &str| {
        let outcome = run_text(&machine(body)).expect("runs");
        outcome.finding.expect("a fault").message
    };
    assert_eq!(message("BEGIN r := r + 1 END"), "result `r` read before it was written in get");
    let local = "VAR v IN IF y = 3 THEN v := 1 END; r := v END";
    assert_eq!(message(local), "local variable `v` read before it was written in get");
}

/// Where the value of a constant is undefined all of them are candidates: that the rest has no solution is found without
/// going through them.
#[test]
fn what_has_no_solution_has_none_beside_something_undefined() {
    let apart = |rest: &str| {
        none(
            "m, f, g",
            &format!(
                "f = {{1 |-> 2, 2 |-> 3}} & m = {{x, y | x : 1..3 & y : 1..5 & f(x) = y}} & {rest}"
            ),
        )
    };
    apart("g : 1..6 --> 1..5 & g(1) = 7");
    let outcome =
        apart("g : 1..6 --> 1..5 & !(i, j).(i : 1..6 & j : 1..6 & i /= j => g(i) /= g(j))");
    assert!(outcome.bounds.is_empty(), "{:?}", outcome.bounds);
    // And where it has one, the fault is told.
    let undefined = run_text(
        "MACHINE M CONSTANTS m, f, g PROPERTIES f = {1 |-> 2, 2 |-> 3} \
         & m = {x, y | x : 1..3 & y : 1..5 & f(x) = y} & g : 1..6 >-> 1..6 END",
    );
    assert_eq!(undefined.map(|outcome| outcome.verdict), Ok(Verdict::StateError));
}
