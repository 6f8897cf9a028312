//! Sets that nothing bounds as they are written, and that have few members all the same: kept as values they are these.

use super::*;

const FEW: &[(&str, &str)] = &[
    ("{x, y | x : 1..2 & x + y = 3}", "{1 |-> 2, 2 |-> 1}"),
    ("{x | x * x = 4}", "{-2, 2}"),
    ("{x | x > 0 & x * 3 < 10}", "1..3"),
    ("{x | not(x /= 1 & x /= 2)}", "1..2"),
    ("{x | {x} <: 1..2}", "1..2"),
    ("{x | (k = 1 => x = 1) & (k = 2 => x : 3..4)}", "{1}"),
    ("{q | q : seq({1, 2}) & size(q) <= 1}", "{[], [1], [2]}"),
    ("{f | f : 1..1 --> INTEGER & f(1) = 2}", "{[2]}"),
    ("{r | r : struct(n : INTEGER) & r'n = 2}", "{rec(n : 2)}"),
    ("{x | x : POW(INTEGER) & x \\/ {2} = {1, 2}}", "{{1}, {1, 2}}"),
    ("%x.(x * x = 4 & x > 0 | x + 1)", "{2 |-> 3}"),
    ("%i.(i : 1..2 | {x | x * x = i * i})", "{1 |-> {-1, 1}, 2 |-> {-2, 2}}"),
];

#[test]
fn what_is_assigned_is_the_set_of_its_members() {
    for (set, members) in FEW {
        let outcome = holds(&format!(
            "MACHINE T VARIABLES v, k INVARIANT k = 1 & card(v) >= 0 & v : {{{{}}, {members}}}
             INITIALISATION v := {{}}; k := 1
             OPERATIONS
               a = v := {set}; b = v := {members}; c = v := {{}}; d = v := v \\/ {set};
               r <-- e = CHOICE r := {set} OR r := {members} END
             END"
        ));
        assert_eq!(outcome.states, 2, "{set}");
        // All five lead from each state, `e` with one result.
        assert_eq!(outcome.transitions, 1 + 2 * 5, "{set}");
    }
}

#[test]
fn what_is_put_into_something_is_the_set_of_its_members() {
    for (set, members) in FEW.iter().filter(|(set, _)| !set.contains("k =")) {
        all_hold(
            "",
            &[
                &format!("card({{{set}, {members}}}) = 1"),
                &format!("({set}, 1) = ({members}, 1)"),
                &format!("rec(a : {set}) = rec(a : {members})"),
                &format!("[{set}] = [{members}]"),
                &format!("union({{{set}, {{}}}}) = {members}"),
                &format!("card(LET A BE A = {set} IN A END) = card({members})"),
            ],
        );
    }
}

#[test]
fn a_constant_function_to_such_sets_has_them() {
    let outcome = holds(
        "MACHINE T CONSTANTS cells, words
         PROPERTIES cells = %k.(k : 1..2 | {x | (k = 1 => x = 1) & (k = 2 => x : 3..4)})
           & words = %k.(k : 1..2 | {s | s : seq(1..2) & size(s) = k})
         VARIABLES k, v INVARIANT k : 1..2 & cells(1) /\\ cells(2) = {} & v <: seq(1..2)
         INITIALISATION k := 1 || v := {}
         OPERATIONS
           move = k := 3 - k;
           take = ANY s WHERE s : words(k) THEN v := {s} END
         END",
    );
    // Both numbers with nothing, two words of one item and four of two.
    assert_eq!(outcome.states, 2 * 7);
}

#[test]
fn sets_without_an_end_are_kept_by_their_descriptions() {
    let outcome = holds(
        "MACHINE T VARIABLES v, k INVARIANT k : 0..2 & k + 1 : v & k /: v
         INITIALISATION v := {x | x : NATURAL & x > 0} || k := 0
         OPERATIONS
           next = SELECT k < 2 THEN v := {x | x : NATURAL & x > k + 1} || k := k + 1 END;
           words(i) = SELECT i : 1..2 & [i] : {s | s : seq(NATURAL) & size(s) > 0 & first(s) > 1} THEN skip END
         END",
    );
    assert_eq!(outcome.states, 3);
}

#[test]
fn sets_that_are_as_good_as_infinite_are_not_searched() {
    let outcome = holds(
        "MACHINE T VARIABLES f, s INVARIANT f(4) : {5, 6} & 3 : s
         INITIALISATION f := %x.(x : NATURAL & 2 * x < 4000000000 & x mod 2 = 0 | x + 1) || s := {x | x >= 0 & 2 * x <= 2000000000}
         OPERATIONS
           next = f := %x.(x : NATURAL & 2 * x < 4000000000 & x mod 2 = 0 | x + 2);
           words(i) = SELECT i : 3..5 & i : {x | x >= 4 & x < 2147483647 & x mod 2 = 1} THEN s := {x | x + 1 > i - 3} END
         END",
    );
    assert_eq!(outcome.states, 4);
}

/// What a string that nothing bounds ranges over: every string that the machine mentions, wherever.
#[test]
fn strings_are_found_wherever_they_are_mentioned() {
    let mentions =
        ["f(\"a\") := 1", "f := {\"a\" |-> 1}", "ANY s WHERE s = \"a\" THEN f := {s |-> 1} END"];
    for put in mentions {
        let outcome = run_text(&format!(
            "MACHINE T VARIABLES f, t INVARIANT f : STRING +-> 0..1 & t <: STRING
             INITIALISATION f := {{}} || t := {{\"b\", \"c\"}}
             OPERATIONS put = {put}; pick(s) = PRE s : STRING THEN t := t \\/ {{s}} END END"
        ));
        let outcome = outcome.unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(outcome.states, 4, "{put}");
    }
}
