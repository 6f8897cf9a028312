//! What is undefined, with the place and the values there.

use super::*;

/// The error of an expression: message, sub-expression, values.
pub fn error(expression: &str, message: &str, at: &str, values: &str) {
    let found = results(&[expression.to_string()]);
    let wanted = format!("error: {message} at {at} with {values}");
    assert_eq!(found, BTreeSet::from([wanted]), "{expression}");
}

#[test]
fn each_error_names_the_expression_and_its_values() {
    error("3 + 7 / n", "division by zero", "7 / n", "7, 0");
    error("1.5 / 0.0", "division by zero", "1.5 / 0.0", "1.5, 0.0");
    let modulo = "`mod` needs a left side of at least 0 and a right side above 0";
    error("7 mod n", modulo, "7 mod n", "7, 0");
    error("(n - 7) mod 2", modulo, "(n - 7) mod 2", "-7, 2");
    error("7 mod (n - 2)", modulo, "7 mod (n - 2)", "7, -2");
    error("2 ** (n - 1)", "negative exponent", "2 ** (n - 1)", "2, -1");
    let outside = "function applied outside its domain";
    error("{1 |-> 2}(n)", outside, "{1 |-> 2}(n)", "[2], 0");
    error("{e1 |-> e2}(e3)", outside, "{e1 |-> e2}(e3)", "{(e1|->e2)}, e3");
    error("(%x.(x : 1..2 | x))(n)", outside, "(%x.(x : 1..2 | x))(n)", "0");
    let twice = "relation applied where it gives more than one value";
    error("{1 |-> 2, 1 |-> 3}(k)", twice, "{1 |-> 2, 1 |-> 3}(k)", "{(1|->2),(1|->3)}, 1");
    error(
        "{e1 |-> e2, e1 |-> e3}(e1)",
        twice,
        "{e1 |-> e2, e1 |-> e3}(e1)",
        "{(e1|->e2),(e1|->e3)}, e1",
    );
    error("max(1..n)", "max of the empty set", "max(1..n)", "{}");
    error(
        "min({x | x : 1..3 & x < n})",
        "min of the empty set",
        "min({x | x : 1..3 & x < n})",
        "{}",
    );
    let empty = "intersection over the empty set";
    error("inter({{1}} - {{k}})", empty, "inter({{1}} - {{k}})", "{}");
    error("INTER(x).(x : 1..n | {x})", empty, "INTER(x).(x : 1..n | {x})", "");
    for f in ["first", "last", "front", "tail"] {
        let some = format!("`{f}` needs a non-empty sequence");
        error(&format!("{f}([1] - [k])"), &some, &format!("{f}([1] - [k])"), "{}");
    }
    let sequence = "not a sequence";
    error("size({2 |-> k})", sequence, "size({2 |-> k})", "{(2|->1)}");
    error("[1] ^ {2 |-> k}", sequence, "[1] ^ {2 |-> k}", "[1], {(2|->1)}");
    let range = "index outside the sequence";
    error("[5, 6] /|\\ (k + 2)", range, "[5, 6] /|\\ (k + 2)", "[5,6], 3");
    error("[5, 6] \\|/ (k + 2)", range, "[5, 6] \\|/ (k + 2)", "[5,6], 3");
    error("[5, 6] /|\\ (n - 1)", range, "[5, 6] /|\\ (n - 1)", "[5,6], -1");
    error(
        "iterate({1 |-> 2}, n - 1)",
        "negative number of iterations",
        "iterate({1 |-> 2}, n - 1)",
        "-1",
    );
}

/// A set is evaluated although the set that is compared with it has no member to ask for.
#[test]
fn undefined_sets_are_not_hidden_by_empty_ones() {
    let set = "0..max({1} - {k})";
    for test in [
        format!("{{1}} - {{k}} <: {set}"),
        format!("{{1}} - {{k}} /<: {set}"),
        format!("{{1}} - {{k}} : POW({set})"),
        format!("{{1}} - {{k}} : FIN({set} \\/ 7..8)"),
        format!("{{}} : (1..n) --> {set}"),
        format!("[1] - [k] : seq({set})"),
        format!("rec(a : {{1}} - {{k}}) : struct(a : POW({set}))"),
    ] {
        error(&format!("bool({test})"), "max of the empty set", "max({1} - {k})", "{}");
    }
}

/// What an operation chooses and what is undefined of it leaves the others, wherever the condition stands, and whichever comes
/// first.
#[test]
fn a_choice_that_is_an_error_leaves_the_others() {
    let operations = [
        ("ANY w WHERE w : 1..3 & 6 / (w - 1) > 2 THEN n := w END", 2),
        ("ANY w WHERE w : 1..3 & 6 / (3 - w) > 2 THEN n := w END", 2),
        ("ANY w WHERE w : 1..3 THEN SELECT 6 / (w - 1) > 2 THEN n := w END END", 2),
        ("ANY w WHERE w : 1..3 THEN PRE w /= 1 THEN n := w END END", 2),
        ("ANY w WHERE w : 1..3 THEN n := w + 6 / (w - 1) END", 2),
        ("ANY w WHERE w : 1..3 THEN IF 6 / (w - 1) > 2 THEN n := w END END", 2),
        (
            "ANY w WHERE w : 1..3 THEN SELECT 6 / (w - 1) > 2 THEN n := w WHEN w = 1 THEN n := 5 END END",
            3,
        ),
        ("ANY w WHERE w : 1..3 THEN ANY v WHERE v : 1..2 & 6 / (w - v) > 0 THEN n := w END END", 2),
        ("SELECT n >= 0 THEN ANY w WHERE w : 1..3 & 6 / (w - 1) > 2 THEN n := w END END", 2),
        ("BEGIN skip; ANY w WHERE w : 1..3 & 6 / (w - 1) > 2 THEN n := w END END", 2),
    ];
    let all = operations.iter().enumerate();
    let written: Vec<String> = all.map(|(i, (body, _))| format!("o{i} = {body}")).collect();
    let text = format!(
        "MACHINE M VARIABLES n INVARIANT n : 0..9 INITIALISATION n := 0 OPERATIONS {} END",
        written.join(";\n")
    );
    let transitions: u64 = operations.iter().map(|(_, taken)| taken).sum();
    let [_, taken, errors, _] = found(&text, SymmetryMode::Off);
    // Each of the operations is an error once in each state.
    let states = errors / operations.len() as u64;
    assert_eq!(errors, states * operations.len() as u64);
    assert_eq!(taken, 1 + states * transitions, "{states} states");
}

/// A called operation that assigns its result in some outcomes only: the caller is an error there, and the others go on.
#[test]
fn an_outcome_without_a_result_leaves_the_others() {
    let machine = |parts: &str| {
        format!(
            "MACHINE M DEFINITIONS SET_PREF_ALLOW_LOCAL_OPERATION_CALLS == TRUE
             VARIABLES n INVARIANT n : 0..9 INITIALISATION n := 0
             OPERATIONS o = n <-- get(3); r <-- get(x) = PRE x : 3..4 THEN CHOICE {parts} END END END"
        )
    };
    let first = found(&machine("r := x OR skip OR r := 5"), SymmetryMode::Off);
    assert_eq!(first[0], 4, "0, 3 and 5, and the root: {first:?}");
    for parts in ["skip OR r := x OR r := 5", "r := 5 OR r := x OR skip"] {
        assert_eq!(found(&machine(parts), SymmetryMode::Off), first, "{parts}");
    }
}
