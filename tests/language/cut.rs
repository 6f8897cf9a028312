//! Enumerations that are cut off: what depends on them is unknown. It is no finding, and without it
//! nothing is "ok".

use super::*;
use burnside::report::bounds;
use burnside::search::SymmetryMode;

/// A machine with one operation that is always enabled, and these clauses.
fn machine(clauses: &str) -> String {
    format!(
        "MACHINE M {clauses}\nVARIABLES going INVARIANT going = TRUE INITIALISATION going := TRUE
         OPERATIONS go = going := TRUE END"
    )
}

/// Nothing is found and nothing proven, and a bound names this place: line and column, name.
#[track_caller]
fn unknown_at(text: &str, place: &str) -> Outcome {
    let outcome = with_deadlocks(text);
    assert_eq!(outcome.verdict, Verdict::NoneFound, "{text}\n{:?}", outcome.finding);
    assert!(!outcome.complete && outcome.finding.is_none());
    let loaded = normalise::load_text("test.mch", text);
    let bounds = bounds::texts(&outcome.bounds, &loaded.sources);
    let (name, place) = place.split_once(", at ").expect("name and place");
    let says = |b: &&String| {
        b.starts_with(&format!("{name} is unbounded and was enumerated within"))
            && b.ends_with(&format!(", at test.mch:{place}"))
    };
    assert!(bounds.iter().any(|b| says(&b)), "{text}\n{bounds:?}");
    outcome
}

/// Each of several parameters that nothing bounds is named.
#[test]
fn all_names_without_bounds_are_told() {
    // One by one, and where they are solved for together.
    for relation in ["v < 3", "xx + yy > 3", "xx * yy > v"] {
        let outcome = unknown(&format!(
            "MACHINE M VARIABLES v INVARIANT v : 0..3 INITIALISATION v := 0
             OPERATIONS o(xx, yy) = PRE xx : NATURAL & yy : NATURAL & {relation}
               THEN IF xx = 7 & yy = 1 THEN v := 1 END END
             END"
        ));
        let names: Vec<&str> = outcome.cut.iter().map(|site| &*site.name).collect();
        assert_eq!(names, ["xx", "yy"], "{relation}");
    }
}

#[track_caller]
fn unknown(text: &str) -> Outcome {
    let outcome = with_deadlocks(text);
    assert_eq!(outcome.verdict, Verdict::NoneFound, "{text}\n{:?}", outcome.finding);
    assert!(!outcome.cut.is_empty() && !outcome.complete, "{text}\n{:?}", outcome.bounds);
    outcome
}

/// The assertion is neither found to be false nor claimed.
#[track_caller]
fn undecided(clauses: &str, assertions: &[&str]) {
    for assertion in assertions {
        unknown(&machine(&format!("{clauses} ASSERTIONS {assertion}")));
        unknown(&machine(&format!("{clauses} ASSERTIONS not({assertion})")));
    }
}

/// The assertions hold, for certain, and their negations are violated.
#[track_caller]
fn decided(clauses: &str, assertions: &[&str]) {
    for assertion in assertions {
        let text = machine(&format!("{clauses} ASSERTIONS {assertion}"));
        let outcome = with_deadlocks(&text);
        assert_eq!(outcome.verdict, Verdict::Ok, "{text}\n{:?}", outcome.bounds);
        let text = machine(&format!("{clauses} ASSERTIONS not({assertion})"));
        let outcome = with_deadlocks(&text);
        assert_eq!(outcome.verdict, Verdict::AssertionViolation, "{text}\n{:?}", outcome.bounds);
    }
}

#[test]
fn sets_that_were_cut_off_have_no_value() {
    let pairs = "card({x, y | 1 < x & y : 2..3 & x * y /= 7}) = 36";
    unknown_at(&machine(&format!("ASSERTIONS\n{pairs}")), "x, at 2:7");
    undecided(
        "",
        &[
            "card({x | x : NATURAL1 & 3 ** x < 50 * 2 ** x}) = 5",
            "SIGMA(x).(x : NATURAL & 3 ** x < 50 * 2 ** x | x) = 15",
            "PI(x).(x : NATURAL1 & 3 ** x < 50 * 2 ** x | x) = 120",
            "max({x | x : NATURAL & 3 ** x < 50 * 2 ** x}) = 5",
            "UNION(x).(x : NATURAL & 3 ** x < 50 * 2 ** x | {x}) = 0..5",
            "{x | x : NATURAL & 3 ** x < 50 * 2 ** x} = 0..9",
            "ran(%x.(x : NATURAL & 3 ** x < 50 * 2 ** x | x + 1)) = 1..6",
            "bool(#x.(x : NATURAL & x * x * x mod 1000 = 649)) = TRUE",
            "(IF #x.(x : NATURAL & x * x * x mod 1000 = 649) THEN 1 ELSE 2 END) = 1",
            "[1, 2](card({x | x : NATURAL & x mod 9 = 1})) = 1",
            "card({s | s : STRING & s /= \"a\" & s /= \"b\"}) = 2",
            "{r | r : REAL & r * r = 0.25} = {}",
            "card({s | s : seq({1}) & s = rev(s)}) = 4",
        ],
    );
}

#[test]
fn quantifiers_are_decided_by_what_was_found_only() {
    decided(
        "",
        &[
            "#x.(x : NATURAL & x * x = 4)",
            "not(!x.(x : NATURAL => x * x /= 4))",
            "not(#x.(x : NATURAL & x * x = 4) => 1 = 2)",
            "(2 = 1 & #x.(x : NATURAL & x * x * x mod 1000 = 649)) or 1 = 1",
            "1 = 1 or !x.(x : NATURAL => x < 1000)",
            "!(x, y).(x : 1..3 & y : NATURAL => x + y < 6 or y > 2)",
        ],
    );
    undecided(
        "",
        &[
            "#x.(x : NATURAL & x * x * x mod 1000 = 649)",
            "!x.(x : NATURAL => x * x * x mod 1000 /= 649)",
            "!s.(s : seq({1, 2}) => size(s) < 4)",
            "#t.(t : STRING & t /: {\"a\", \"b\"})",
            "#r.(r : REAL & r * r = 0.25)",
            "!(x, y).(x : 1..3 & y : NATURAL => x + y < 6 or y * y * y mod 1000 /= 649)",
            "#x.(x : NATURAL & x * x * x mod 1000 = 649) & #y.(y : NATURAL & y * y = 4)",
            "(#x.(x : NATURAL & x * x * x mod 1000 = 649)) <=> 1 = 2",
        ],
    );
}

/// A machine that mentions no strings has some all the same.
#[test]
fn there_are_two_strings_at_least() {
    for (clauses, states) in [
        ("CONSTANTS k, l PROPERTIES k : STRING & l : STRING & k /= l", 2),
        ("CONSTANTS k PROPERTIES k : STRING & k /= \"a\"", 1),
        ("CONSTANTS k PROPERTIES k : STRING & k /: {\"STRING1\", \"b\", \"c\"}", 0),
        ("VARIABLES t INVARIANT t : STRING INITIALISATION t :: STRING", 2),
        (
            "VARIABLES t INVARIANT t : STRING +-> BOOL INITIALISATION t := {}
             OPERATIONS put(s) = PRE s : STRING THEN t(s) := TRUE END",
            4,
        ),
    ] {
        let outcome = run_text(&format!("MACHINE M {clauses} END")).expect("a search");
        assert_eq!(outcome.states, states, "{clauses}");
        assert!(!outcome.bounds.is_empty(), "{clauses}");
    }
}

/// A bound says what was gone through, and what it says is what was done.
#[test]
fn bounds_say_how_far() {
    for (assertion, far) in [
        (
            "#x.(x : NATURAL & x * x * x mod 1000 = 649)",
            "x is unbounded and was enumerated within MININT..MAXINT = -1..3 only (as many from a bound beyond these)",
        ),
        (
            "!s.(s : seq({1, 2}) => size(s) < 4)",
            "seq is unbounded and was enumerated to the length MAXINT = 3 only",
        ),
        (
            "#t.(t : STRING & t /: {\"a\", \"b\"})",
            "t is unbounded and was enumerated within the strings that the machine mentions, two at least, only",
        ),
        (
            "!t.(t : btree({1}) => sizet(t) < 4)",
            "tree is unbounded and was enumerated to trees of three nodes only",
        ),
    ] {
        let outcome = unknown(&machine(&format!("ASSERTIONS {assertion}")));
        let said: Vec<String> = outcome.bounds.iter().map(ToString::to_string).collect();
        assert_eq!(said, [far], "{assertion}");
    }
}

/// What is of an infinite form and may be finite is neither equal nor unequal to a value as long as the
/// members that were found do not say so.
#[test]
fn comparisons_with_what_may_be_infinite() {
    undecided(
        "CONSTANTS k, f PROPERTIES k : 0..0 & f = %x.(x : NATURAL & x mod 9 <= k | x)",
        &[
            "(NATURAL * {1}) /\\ ({1, 2} * INTEGER) = {1 |-> 1, 2 |-> 1}",
            "(NATURAL >-> {1}) = {}",
            "f = {0 |-> 0}",
        ],
    );
}

#[test]
fn what_is_unknown_comes_before_what_is_undefined() {
    undecided(
        "CONSTANTS f PROPERTIES f = {1 |-> 2}",
        &[
            "(f(7) = 1 & #x.(x : NATURAL & x * x * x mod 1000 = 649)) or 1 = 2",
            "#x.(x : NATURAL & x * x * x mod 1000 = 649 & f(7) = 1)",
        ],
    );
    let certain = machine(
        "CONSTANTS f PROPERTIES f = {1 |-> 2} ASSERTIONS f(7) = 1 & #x.(x : NATURAL & x * x = 4)",
    );
    assert_eq!(with_deadlocks(&certain).verdict, Verdict::StateError);
}

#[test]
fn membership_and_bounds_stay_exact() {
    let even = "CONSTANTS even PROPERTIES even = {x | x : NATURAL1 & x mod 2 = 0}";
    decided(even, &["8 : even & 7 /: even", "even /\\ {4, 6, 7} = {4, 6}", "{4, 6} <: even"]);
    decided(
        "CONSTANTS n PROPERTIES n = 9",
        &[
            "card({x | x : NATURAL & x < 50}) = 50",
            "card({x | x < 50 & x : NATURAL}) = 50",
            "!x.(x : NATURAL & x <= 100 => x * x <= 10000)",
            "{x | x : INTEGER & x : {5, 77}} = {5, 77}",
            "{x | x : NATURAL & x = n * n} = {81}",
            "{x, y | x : 1..n & y : NATURAL & y < x & x + y = n} = {(5|->4), (6|->3), (7|->2), (8|->1), (9|->0)}",
            "SIGMA(x).(x > 10 & x < 14 | x) = 36",
            "{s | s : STRING & s : {\"a\", \"zz\"}} = {\"a\", \"zz\"}",
            "card({f | f : 1..2 --> NATURAL & f : 1..2 --> 8..9}) = 4",
            "{1 |-> 77} : 1..1 --> NATURAL & [77] : seq(NATURAL) & {77} : POW(NATURAL1)",
            "seq({}) = {[]}",
        ],
    );
}

#[test]
fn what_propagation_bounds_is_not_cut_off() {
    decided(
        "",
        &[
            "card({x, y | 1 < x & x <= y & y < 10}) = 36",
            "card({x | x : NATURAL1 & x * x < 30}) = 5",
            "SIGMA(x).(x : NATURAL & x * x < 30 | x) = 15",
            "max({x | x : NATURAL & x * x < 30}) = 5",
            "{x | x : NATURAL & x * x < 30} = 0..5",
            "#x.(x : NATURAL & x * x = 49)",
            "not(#x.(x : NATURAL & x * x = 50))",
            "#x.(x : INTEGER & 3 * x - 7 = 300 - x + 1)",
            "{x, y | x : NATURAL & y : NATURAL & 2 * x + y = 6} = {(0|->6), (1|->4), (2|->2), (3|->0)}",
        ],
    );
}

#[test]
fn free_types_are_cut_off_only_where_they_go_on() {
    let clauses = "FREETYPES colour = red, shade(BOOL) ; nat = zero, next(nat)";
    decided(clauses, &["card({c | c : colour}) = 3", "!c.(c : colour => c = red or c /= red)"]);
    undecided(clauses, &["card({n | n : nat & n /= zero}) = 2"]);
}

#[test]
fn properties_without_a_solution_that_was_found() {
    let clauses = "SETS P = {aa, bb} CONSTANTS speed PROPERTIES
speed : P --> NATURAL1 & speed(bb) = 8";
    unknown_at(&machine(clauses), "NATURAL1, at 2:15");
    unknown(&machine("CONSTANTS n PROPERTIES n : NATURAL & n mod (50 + 0 / (n * n + 1)) = 49"));
    unknown(&machine(
        "CONSTANTS s PROPERTIES s = card({x | x : NATURAL & x * x * x mod 1000 = 649})",
    ));
    unknown(&machine("CONSTANTS s PROPERTIES s : seq(1..2) & size(s) > 6"));
    // That there is none for certain is said as before.
    let none =
        machine("CONSTANTS n PROPERTIES n : NATURAL & n < 3 & n mod (50 + 0 / (n * n + 1)) = 49");
    assert_eq!(with_deadlocks(&none).verdict, Verdict::NoSetup);
}

#[test]
fn sets_of_the_default_size_prove_nothing_impossible() {
    let text = machine("SETS S CONSTANTS c PROPERTIES c <: S & card(c * c) = 9");
    let outcome = with_deadlocks(&text);
    assert_eq!(outcome.verdict, Verdict::NoneFound, "{:?}", outcome.finding);
    let said = bounds::joined(&outcome.bounds);
    let says = |what: &str| said.contains(what);
    assert!(says("S has 2 elements by default"), "{:?}", outcome.bounds);
    let told = "the PROPERTIES have no solution with these sizes of the sets, but with --card S=3";
    assert!(says(told), "{:?}", outcome.bounds);
    // None of the sizes that are tried has one.
    let none = machine("SETS S; T CONSTANTS f PROPERTIES f : S --> T & card(ran(f)) = 9");
    let outcome = with_deadlocks(&none);
    assert_eq!(outcome.verdict, Verdict::NoneFound);
    assert!(bounds::joined(&outcome.bounds).ends_with("no solution with these sizes of the sets"));
    let three = none.replace("= 9", "= 3");
    let said = bounds::joined(&with_deadlocks(&three).bounds);
    assert!(said.ends_with(", but with --card S=3 --card T=3"), "{said}");
    let sized = format!("{} DEFINITIONS scope_S == 2 END", text.trim_end_matches("END"));
    assert_eq!(with_deadlocks(&sized).verdict, Verdict::NoSetup);
    let start = "MACHINE M SETS S VARIABLES x INVARIANT x : S
        INITIALISATION ANY a, b, c WHERE a : S & b : S - {a} & c : S - {a, b} THEN x := c END END";
    assert_eq!(with_deadlocks(start).verdict, Verdict::NoneFound);
}

#[test]
fn what_was_generated_is_real_and_not_all() {
    // The constants that are found are set-ups; a violation there is one.
    let text = machine("CONSTANTS n PROPERTIES n : NATURAL ASSERTIONS n < 3");
    assert_eq!(with_deadlocks(&text).verdict, Verdict::AssertionViolation);
    let outcome = unknown(&machine("CONSTANTS n PROPERTIES n : NATURAL ASSERTIONS n >= 0"));
    assert_eq!(outcome.states, 4);
    for (operation, states) in [
        ("op(n) = PRE n : NATURAL THEN v := n END", 4),
        ("op = ANY n WHERE n : NATURAL THEN v := n END", 4),
        ("op = v :: NATURAL", 4),
        ("op = v :( v : NATURAL & v /= 0 )", 4),
        ("op = ANY f WHERE f : 1..1 --> NATURAL THEN v := f(1) END", 4),
        ("op = ANY s WHERE s : POW(NATURAL) & card(s) = 1 THEN v :: s END", 4),
        ("op = v :: {x | x : NATURAL & x mod 2 = 1}", 3),
        (
            "op = ANY n WHERE n : 1..3 THEN ANY m WHERE m : NATURAL & m = m * n THEN v := n END END",
            4,
        ),
        (
            "op = SELECT #n.(n : NATURAL & n mod (50 + 0 / (n * n + 1)) = 49) THEN v := 1 WHEN v = 0 THEN v := 2 ELSE v := 3 END",
            2,
        ),
        (
            "op = IF #n.(n : NATURAL & n mod (50 + 0 / (n * n + 1)) = 49) THEN v := 1 ELSE v := 2 END",
            1,
        ),
        ("op = BEGIN v :: NATURAL ; v := v mod 2 END", 2),
    ] {
        let text = format!(
            "MACHINE M VARIABLES v INVARIANT v : INTEGER INITIALISATION v := 0
             OPERATIONS {operation} END"
        );
        let outcome = unknown(&text);
        assert_eq!(outcome.states, states, "{operation}");
        assert!(outcome.never_enabled.is_empty());
    }
    let text = "MACHINE M VARIABLES v INVARIANT v < 2 INITIALISATION v :: NATURAL OPERATIONS op = skip END";
    assert_eq!(with_deadlocks(text).verdict, Verdict::InvariantViolation);
    unknown(
        "MACHINE M VARIABLES v INVARIANT v : INTEGER INITIALISATION v :( v : NATURAL & v mod (50 + 0 / (v * v + 1)) = 49 ) END",
    );
}

#[test]
fn functions_that_are_total_on_an_infinite_set_are_none_on_a_part() {
    for set in ["NATURAL --> BOOL", "1..2 -->> NATURAL", "perm(NATURAL)", "NATURAL >->> NATURAL"] {
        let text = format!(
            "MACHINE M VARIABLES v INVARIANT v : 0..1 INITIALISATION v := 0
             OPERATIONS op = ANY f WHERE f : {set} THEN v := 1 END END"
        );
        let outcome = with_deadlocks(&text);
        assert_ne!(outcome.verdict, Verdict::Ok, "{set}");
        assert_eq!(outcome.states, 1, "{set}: no such function was found");
    }
}

#[test]
fn invariants_goals_and_scopes_may_be_unknown() {
    let there_is = "#n.(n : NATURAL & n mod (50 + 0 / (n * n + 1)) = 49)";
    let body = "VARIABLES v INVARIANT v : 0..1 INITIALISATION v := 0
        OPERATIONS op = PRE v = 0 THEN v := 1 END ; back = PRE v = 1 THEN v := 0 END";
    unknown(&format!(
        "MACHINE M {} END",
        body.replace("v : 0..1", &format!("v : 0..1 & ({there_is})"))
    ));
    unknown(&format!("MACHINE M DEFINITIONS SCOPE == {there_is} {body} END"));
    unknown(&format!("MACHINE M DEFINITIONS GOAL == {there_is} {body} END"));
    // A conjunct that is false is found whatever is unknown beside it.
    let text = body.replace("v : 0..1", &format!("({there_is}) & v = 0"));
    assert_eq!(
        with_deadlocks(&format!("MACHINE M {text} END")).verdict,
        Verdict::InvariantViolation
    );
    // A guard that may hold: neither a deadlock nor an operation that is never enabled.
    let text = body.replace("v = 1 THEN", &format!("v = 1 & {there_is} THEN"));
    let outcome = unknown(&format!("MACHINE M {text} END"));
    assert_eq!(outcome.deadlocked_states, Some(0));
    // One that is false for certain: a deadlock.
    let text = body.replace("v = 1 THEN", &format!("v = 7 & {there_is} THEN"));
    assert_eq!(with_deadlocks(&format!("MACHINE M {text} END")).verdict, Verdict::Deadlock);
}

#[test]
fn infinite_values_and_comprehensions_that_cannot_be_listed() {
    unknown(
        "MACHINE M VARIABLES s, n INVARIANT s <: INTEGER & n : 0..1 INITIALISATION s := NATURAL || n := 0
         OPERATIONS op = IF s = {x | x : INTEGER & x > 0} THEN n := 1 END END",
    );
}

#[test]
fn every_method_says_the_same() {
    let text = "MACHINE M SETS S VARIABLES v, w INVARIANT v <: S & w : 0..3 &
            (card(v) = 2 => #n.(n : NATURAL & n mod (50 + 0 / (n * n + 1)) = 49))
        INITIALISATION v := {} || w := 0
        OPERATIONS
          put(x) = PRE x : S - v & #n.(n : NATURAL & n = card(v)) THEN v := v \\/ {x} END ;
          take(x) = PRE x : v THEN v := v - {x} || w := card(v) END
        DEFINITIONS scope_S == 3 END";
    let modes = [
        SymmetryMode::Off,
        SymmetryMode::Flood,
        SymmetryMode::Canon,
        SymmetryMode::Iso,
        SymmetryMode::Sorted,
        SymmetryMode::ExactMarker,
    ];
    for mode in modes {
        let outcome = deep(|| {
            let model = set_up(normalise::load_text("test.mch", text)).expect("loads");
            let options = SearchOptions { symmetry: Some(mode), ..SearchOptions::default() };
            search::run(&model, &options, &Arc::new(Control::new()))
        });
        assert_eq!(outcome.verdict, Verdict::NoneFound, "{mode:?}");
        let said = bounds::joined(&outcome.bounds);
        assert!(said.contains("n is unbounded"), "{mode:?}: {said}");
    }
}

/// What makes the conclusion of a quantifier true outside of a range is a bound of what is quantified.
#[test]
fn conclusions_bound_quantifiers() {
    decided(
        "",
        &[
            "!x.(x : INTEGER => ((x : 1..50 => 50 mod x < x) or 1 = 2))",
            "!x.(x : INTEGER => (x > 20 or x < 2 or x * x <= 400))",
            "not(!x.(x : INTEGER => (x < 5 or x > 1000 or x /= 700)))",
            "!(x, y).(x : NATURAL & y : INTEGER => (y /: 0..x or x > 10 or x + y <= 20))",
            // Nothing is tried: no number can be a counterexample.
            "!x.(x : NATURAL => 2 * (x * x / 2) >= 0)",
            "!x.(x : NATURAL => (x < 5 or x * x > 20))",
        ],
    );
    // A part that may be undefined, and what comes behind it.
    undecided("", &["!x.(x : NATURAL => (x mod (50 + 0 / (x * x + 1)) < 49 or x < 5))"]);
}
