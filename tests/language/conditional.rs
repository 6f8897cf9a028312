//! What a name is in is said under a condition, of a part of it, or by way of itself.

use super::puzzles::solutions;
use super::*;

/// Sets and functions without bounds by their type, under conditions that other names decide.
#[test]
fn sets_told_under_conditions() {
    for (names, text, count) in [
        ("b, s", "b : BOOL & (b = TRUE => s : 1..1 --> 1..2) & (b = FALSE => s = [3])", 3),
        ("n, s", "n : 1..2 & (n = 1 => s : 1..2 --> 10..11) & (n = 2 => s : 1..3 --> 10..10)", 5),
        ("r, p", "r : 1..2 & (r > 5 or p : 1..r <-> 7..8)", 4 + 16),
        ("r, p", "r : 1..2 & (r > 5 or (p : seq(7..8) & size(p) = r))", 2 + 4),
        ("b, s", "b : BOOL & (b = TRUE => s <: 1..2) & (b = FALSE => s <: 10..11)", 8),
        ("x, y", "x : {\"a\", \"b\"} & (x = \"a\" => y = \"p\") & (x = \"b\" => y : {\"q\", \"r\"})", 3),
        ("c, s", "c : {\"r\", \"g\"} & (c = \"r\" <=> s = []) & (c = \"g\" <=> s = [1])", 2),
        ("c, s", "c : {\"r\", \"g\"} & (c = \"r\" => s = []) & (c = \"g\" => s : {[1, 2], [3]})", 3),
        ("c, p", "c : {\"r\", \"g\"} & (c = \"r\" => p = 1|->2) & (c /= \"r\" => p : {3|->4, 5|->6})", 3),
        (
            "c, r",
            "c : {\"r\", \"g\"} & r : struct(a : NATURAL, b : STRING) & (c = \"r\" => r = rec(a : 1, b : \"x\"))
             & (c /= \"r\" => r'a : 1..2 & r'b = \"z\")",
            3,
        ),
    ] {
        assert_eq!(solutions(names, text), count, "{text}");
    }
}

/// A condition that speaks of the set itself is one of two ways.
#[test]
fn sets_told_under_their_own_conditions() {
    all_hold(
        "",
        &[
            "{s | s : POW(INTEGER) & (s /= {} => s = 7..8)} = {{}, 7..8}",
            "card({s | s : POW(INTEGER) & (s /= {} => s <: 7..8)}) = 4",
            "card({f | f : INTEGER +-> INTEGER & (f /= {} => f : {1} --> 7..8)}) = 3",
        ],
    );
}

/// Fields that equations lead to, one from the other, whatever their types.
#[test]
fn records_told_field_by_field() {
    all_hold(
        "",
        &[
            "{r | r : struct(n : NATURAL, m : STRING) & r'n = 3 & r'm = \"a\"} = {rec(n : 3, m : \"a\")}",
            "{r | r : struct(n : NATURAL, m : seq(NATURAL)) & r'm = [r'n] & r'n = 3} = {rec(n : 3, m : [3])}",
            "{r | r : struct(n : NATURAL, xs : POW(NATURAL), nm : STRING) & r'xs = {5} \\/ {r'n} & r'n = 7 mod 4
              & r'nm = \"q\"} = {rec(n : 3, xs : {3, 5}, nm : \"q\")}",
            "card({r | r : struct(s : STRING, n : NATURAL) & r's : {\"a\", \"bb\"} & r'n = 2}) = 2",
        ],
    );
    let step = "MACHINE M VARIABLES r INVARIANT r : struct(n : NATURAL, xs : POW(NATURAL), nm : STRING)
        INITIALISATION r := rec(n : 0, xs : {}, nm : \"q\")
        OPERATIONS add = r :(r : struct(n : NATURAL, xs : POW(NATURAL), nm : STRING) & r'n = (r$0'n + 1) mod 3
            & r'xs = r$0'xs \\/ {r'n} & r'nm = r$0'nm) END";
    let outcome = holds(step);
    // n = 0 without a member, 1, 2, and all three n with all of them.
    assert_eq!(outcome.nodes, 1 + 6, "{outcome:?}");
}

/// What is equal to something made of its own domain is no recursion.
#[test]
fn functions_on_their_own_domains() {
    for (text, count) in [
        ("f : 1..2 --> NATURAL & f = %k.(k : dom(f) | k * k)", 1),
        ("dom(f) = 1..2 & f = %k.(k : dom(f) | k * k)", 1),
        ("f : 1..2 --> NATURAL & f = {k, v | k : dom(f) & v = k * k}", 1),
        ("f : seq(NATURAL) & size(f) = 3 & f = %k.(k : dom(f) | k + 1)", 1),
        ("f : seq(NATURAL) & size(f) = 3 & f = %i.(i : 1..size(f) | i)", 1),
        ("f = {1 |-> 2, 3 |-> 4} & (f ; id(INTEGER)) = f & f = (id(NATURAL) ; f)", 1),
        ("f = {1 |-> 2} & (f ; %x.(x : INTEGER | x)) = f", 1),
    ] {
        assert_eq!(solutions("f", text), count, "{text}");
    }
}

/// The instances of a quantifier are known where a conjunct says how long a sequence is.
#[test]
fn quantifiers_over_what_is_told_elsewhere() {
    let queens = "!(i, j).(1 <= i & i < j & j <= size(q) =>
        q(i) /= q(j) & q(i) + j - i /= q(j) & q(i) - j + i /= q(j))";
    for said in ["size(q) = 6", "6 = card(q)", "dom(q) = 1..6"] {
        let text = format!("q : seq(1..6) & {said} & {queens}");
        assert_eq!(solutions("q", &text), 4, "{said}");
    }
}

/// One of several functions is applied, and so is one of several strings.
#[test]
fn one_of_several_functions_is_applied() {
    let turns = "{[1,2,3], [2,3,1], [3,1,2], [1,3,2]}";
    for (text, count) in [
        (format!("t : 1..2 --> {turns} & t(1)(2) = 3"), 8),
        (format!("t : 1..2 --> {turns} & !k.(k : 1..3 => t(1)(k) /= t(2)(k))"), 6),
        (format!("t : 1..2 --> {turns} & !k.(k : 1..3 => card({{i | i : 1..2 & t(i)(k) = k}}) = 1)"), 4),
        (format!("t : 1..3 --> {turns} & !k.(k : 1..3 => {{c | #i.(i : 1..3 & c = t(i)(k))}} = 1..3)"), 6),
        (
            "w = {\"ab\" |-> [\"a\", \"b\"], \"bc\" |-> [\"b\", \"c\"], \"ca\" |-> [\"c\", \"a\"]} & t : 1..3 --> dom(w)
             & !i.(i : 1..2 => w(t(i))(2) = w(t(i + 1))(1))"
                .to_owned(),
            3,
        ),
    ] {
        let names = if text.starts_with('w') { "w, t" } else { "t" };
        assert_eq!(solutions(names, &text), count, "{text}");
    }
}
