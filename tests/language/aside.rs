//! Names that have no values, and what is false, or true, whatever they are.

use super::*;
use burnside::search::SearchOptions;

/// What a name without a value does not matter to refutes all candidates.
#[test]
fn what_is_false_whatever_a_name_is_leaves_no_candidate() {
    all_hold(
        "CONSTANTS y, none, f PROPERTIES y = 0 & none <: INTEGER & none = {} & f = {1 |-> 2}",
        &[
            "not(#(n, m).(n = 1 / y & m : none))",
            "not(#(n, m).(m : none & f(3) = n & n > m))",
            "!(n, m).(n = 1 / y & m : none => n > m)",
            "{n, m | n = 2 ** (y - 1) & m : none} = {}",
            "SIGMA(n, m).(n = 1 / y & m : none | n + m) = 0 & PI(n, m).(n = 1 / y & m : none | n + m) = 1",
            "UNION(n, m).(n = 1 / y & m : none | {n, m}) = {} & %(n, m).(n = 1 / y & m : none | n) = {}",
            // Each value of another name is refuted by itself.
            "not(#(n, m).(n = 1 / y & m : 1..3 & card({m, m + 1}) = 3))",
            "not(#(n, k, m).(n = 1 / y & k : 1..3 & m : 4..5 & m < k & k < n))",
            // Sets, texts and pairs of what has no end.
            "not(#(s, m).(s = {1 / y} & m : none & m : s)) & not(#(n, k, m).(n |-> k = f(2) |-> 3 & m : none))",
            "not(#(n, m).(n : 1..(1 / y) & m : none))",
            // What depends on the name has no value, either, and there may be several without one.
            "not(#(n, k, m).(n = 1 / y & k = n + 1 & m : none & m < k))",
            "not(#(n, k, m).(n = 1 / y & k = 2 mod y & m : none & m < k))",
            "not(#(n, k, m).(n = 1 / y & m : 1..2 & k = 2 / (m - 1) & k > 5 & n > m & m > 1))",
            // What mentions the name may be false of all its values.
            "not(#(n, m).(n = 1 / y & m : 1..2 & (y = 0 => n > n)))",
            "not(#n.(n = 1 / y & n /= n)) & not(#(n, m).(n = 1 / y & (m = n & m < m)))",
            "not(#n.(n = 1 / y & n > 1000 & n < 1000 + y)) & not(#(n, k).(n = 1 / y & k : none & k < n))",
            "{n, m | m : 0..2 & n = f(m + 2) & %x.(x : 1..2 & x /= m | n) : 0..2 >-> 0..9} = {}",
            "not(#n.(n = 1 / y & !k.(k : {0, 2} => n : none)))",
        ],
    );
}

/// A conclusion that is true whatever a name is makes the whole true.
#[test]
fn what_is_true_whatever_a_name_is_is_true_of_all() {
    all_hold(
        "CONSTANTS y, none, f PROPERTIES y = 0 & none <: INTEGER & none = {} & f = {1 |-> 2}",
        &[
            "!n.(n = 1 / y => y = 0) & !n.(n = 1 / y => n = n)",
            "!(m, n).(m : 0..2 & n = m / y => m < 3) & !(m, n).(m : 0..2 & n = m / y & f(1) = 2 => n >= n - m)",
            "!(m, n).(m : 0..2 & n = 4 / m & n = m => n = n)",
            "!(m, n).(m : 0..2 & n = f(m) & n > 1000 => n + m > 1000)",
            "!(m, n).(m : 0..2 & n = f(m) => !k.(k : none => k > n))",
        ],
    );
}

/// Where something may remain, it is an error as before: of what the name is taken from.
#[test]
fn what_may_be_true_of_a_name_without_a_value_is_undefined() {
    for (predicate, place) in [
        ("#(n, m).(n = 1 / y & m : 1..3)", "1 / y"),
        ("#(n, m).(n = 1 / y & m : 1..3 & m > n)", "1 / y"),
        ("!(n, m).(n = 1 / y & m : 1..3 & m > 2 => n > m)", "1 / y"),
        ("#(n, k, m).(n = 1 / y & k = n + 1 & m : 1..3 & card({m, k}) = 2)", "1 / y"),
        ("!(n, m).(n = 1 / y & m : 1..3 => n > m)", "1 / y"),
        ("!(n, m).(n = 1 / y & m : 1..3 & n > 7 => n > m + 5)", "1 / y"),
        ("#n.(n = 1 / y & !k.(k : 0..y => #n.(n = 1 / y & k < 0) or n > 9))", "1 / y"),
        ("card({n, m | n = 1 / y & m : {1, 2} & card({m, 1}) = 1}) = 0", "1 / y"),
        ("#(n, m).(n = 1 / y & m : 1..2 & 4 / (m - m) > 1)", "1 / y"),
    ] {
        let text = format!("MACHINE M CONSTANTS y PROPERTIES y = 0 ASSERTIONS {predicate} END");
        let loaded = normalise::load_text("test.mch", &text);
        let sources = loaded.sources.clone();
        let found = deep(|| {
            let model = set_up(loaded).expect("sets up");
            let outcome = search::run(&model, &SearchOptions::default(), &Arc::new(Control::new()));
            outcome.finding.map(|f| (outcome.verdict, f.span.map(|s| sources.text(s).to_owned())))
        });
        assert_eq!(found, Some((Verdict::StateError, Some(place.to_owned()))), "{predicate}");
    }
}

/// So it is with what an operation chooses: where nothing can be chosen, nothing was left out.
#[test]
fn nothing_is_left_out_of_a_choice_without_candidates() {
    let outcome = holds(
        "MACHINE M VARIABLES v, s INVARIANT v : 0..3 & s <: 0..3 INITIALISATION v := 0 || s := {}
         OPERATIONS
           one = ANY n, m WHERE n = 10 / v & m : s THEN v := 3 END;
           two = SELECT #(n, m).(n = 10 / v & m : s) THEN v := 3 END;
           three = v :( v : 0..3 & #(n, m).(n = 10 / v$0 & m : s & v = m) )
         END",
    );
    assert_eq!((outcome.states, outcome.complete), (1, true));
}

/// What kind of function a relation is depends on both sets, also where it is empty whatever they are.
#[test]
fn the_sets_of_a_kind_of_functions_are_asked_for_an_empty_one() {
    let text = "MACHINE M CONSTANTS v, f PROPERTIES v <: 0..5 & f : 1..2 --> POW(0..5) &
        {x, y | x : 0..2 & y : v & y > 7} : 0..2 >-> f(3) & card(v) > card(f(1)) END";
    let outcome = run_text(text);
    let told = match &outcome {
        Ok(outcome) => outcome.finding.as_ref().map(|f| f.message.clone()).unwrap_or_default(),
        Err(why) => why.clone(),
    };
    assert!(told.contains("outside its domain"), "{told}");
}
