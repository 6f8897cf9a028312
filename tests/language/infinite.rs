//! Infinite sets as values of variables, constants, parameters and local names.

use super::*;
use burnside::eval::FaultKind;

#[test]
fn variables_hold_them() {
    let outcome = holds(
        "MACHINE M SETS E = {a, b}
         VARIABLES s, f, r
         INVARIANT s <: INTEGER & f : INTEGER +-> INTEGER & r : STRING <-> E &
           (s = NATURAL => 3 : s & -1 /: s & s /= {} & {1, 2} <: s & {0, -1} /\\ s = {0} &
             {-2 |-> a, 2 |-> b}[s] = {b} & {1 |-> 2} : s +-> s & {1} : POW(s) & s <: INTEGER) &
           s <: s
         INITIALISATION s := NATURAL || f := {} || r := {}
         OPERATIONS
           whole = BEGIN s := INTEGER END;
           small = BEGIN s := {1, 3} END;
           one_of = BEGIN s :: {NATURAL, {7}} END;
           add(n) = PRE n : {1, 2} THEN f := %x.(x : INTEGER | x + n) END;
           use = PRE 4 : dom(f) & f(4) : 5..6 & f[{0}] <: {1, 2} THEN f := {} END
         END",
    );
    // Four values of s, three of f.
    assert_eq!(outcome.states, 12);
}

#[test]
fn other_names_hold_them() {
    all_hold(
        "",
        &[
            "LET s BE s = NATURAL IN 3 : s & -1 /: s & s /= INTEGER & s = NATURAL END",
            "LET s BE s = NATURAL * BOOL IN (1 |-> TRUE) : s & (-1 |-> TRUE) /: s END",
            "LET f, a BE a = 7 & f = %x.(x : INTEGER | x * a) IN f(3) = 21 & f[{1}] = {7} END",
            "#f.(f : {%x.(x : NATURAL | x + 1), {1 |-> 5}} & f(1) = 5)",
            "!s.(s : {NATURAL, INTEGER, {3}} => 3 : s)",
            "{NATURAL} = {NATURAL} & NATURAL : {NATURAL, {1}} & NATURAL : POW(INTEGER)",
            "NATURAL /: FIN(INTEGER)",
            "5 : rec(a : NATURAL)'a & [NATURAL, {1}](1) = NATURAL & prj1((NATURAL, 2)) = NATURAL",
            "LET p BE p = POW(NATURAL) IN {1, 2} : p & {-1} /: p END",
            "LET p BE p = NATURAL +-> BOOL IN {1 |-> TRUE} : p & {-1 |-> TRUE} /: p END",
            "LET p, n BE n = 4 & p = seq({n}) IN [4, 4] : p & [5] /: p END",
            "%x.(x : NATURAL | %y.(y : NATURAL | x + y))(1)(2) = 3",
            "LET f BE f = %x.(x : NATURAL | %y.(y : NATURAL | x + y)) IN f(1)(2) = 3 END",
        ],
    );
}

#[test]
fn relations_with_infinitely_many_pairs() {
    all_hold(
        "",
        &[
            "id(INTEGER)(3) = 3 & id(NATURAL)[{2}] = {2} & (3 |-> 3) : id(INTEGER)",
            "prj1(INTEGER, BOOL)(3, TRUE) = 3 & prj2(STRING, NATURAL)(\"a\", 2) = 2",
            "succ~(4) = 3 & (succ ; succ)(3) = 5 & ([10, 20] ; succ) = [11, 21]",
            "(succ circ [10, 20]) = [11, 21] & (pred ; succ)(0) = 0",
            "({1 |-> (2, 3)} ; %(x, y).(x : INTEGER & y : INTEGER | x + y))(1) = 5",
            "(prj1(INTEGER, INTEGER) ; succ)(1, 2) = 2",
            "dom(id(NATURAL)) = NATURAL & ran(id(INTEGER)) = INTEGER & id(NATURAL)~ = id(NATURAL)",
            "dom(NATURAL * {1}) = NATURAL & dom(NATURAL * {}) = {}",
            "(NATURAL * {1})~ = {1} * NATURAL & succ = succ",
            "seq({}) = {[]} & seq1({}) = {}",
            "min(NATURAL) = 0 & min(NATURAL1 - {1, 2, 4}) = 3 & min(NATURAL - {1}) = 0",
        ],
    );
}

#[test]
fn parameters_and_results_hold_them() {
    let outcome = holds(
        "MACHINE M VARIABLES v INVARIANT v <: INTEGER & 1 : v INITIALISATION v := {1}
         OPERATIONS
           put(s) = PRE s : {NATURAL, {1, 2}} THEN v := s END;
           r <-- get = BEGIN r := v END;
           local = VAR s IN s := INTEGER; v := s END
         END",
    );
    assert_eq!(outcome.states, 4);
}

#[test]
fn what_needs_a_finite_set_is_an_error() {
    for (body, kind) in [
        ("n := card(s)", FaultKind::InfiniteSet),
        ("n := SIGMA(x).(x : {1} | card(s \\/ {x}))", FaultKind::InfiniteSet),
        (
            "LET t, u BE t = NATURAL * BOOL & u = INTEGER * BOOL IN IF t = u THEN n := 1 END END",
            FaultKind::NotDecided,
        ),
    ] {
        let text = format!(
            "MACHINE M VARIABLES s, n INVARIANT s <: INTEGER & n : INTEGER
             INITIALISATION s := NATURAL || n := 0 OPERATIONS op = BEGIN {body} END END"
        );
        let outcome = run_text(&text).expect("runs");
        let finding = outcome.finding.expect("an error");
        assert!(finding.message.starts_with(kind.message()), "{body}: {}", finding.message);
    }
}
