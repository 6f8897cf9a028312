//! Sets with few members out of very many, families whose sets have as many members as there are, and sets that are the
//! values of functions: each with the number of solutions that trying all of them gives.

use super::puzzles::solutions;
use super::*;

#[test]
fn families_are_counted_by_what_their_sets_have() {
    for (text, count) in [
        ("W <: POW(1..6) & card(W) = 3 & !s.(s : W => card(s) = 2) & union(W) = 1..6", 15),
        ("union(W) = 1..10 & !s.(s : W => card(s) <= 2) & W <: POW(1..10) & 5 = card(W)", 945),
        ("W <: {s | s <: 1..12 & card(s) = 2} & card(W) = 6 & union(W) = 1..12", 10395),
        ("W <: POW(1..6) & card(W) = 4 & !s.(s : W => card(s) <= 2) & union(W) = 1..6", 660),
        ("W <: POW(1..6) & card(W) = 3 & !s.(s : W => card(s) : 1..3) & union(W) = 1..6", 1635),
        ("W <: POW(1..7) & card(W) = 3 & !s.(s : W => card(s) <= 3) & union(W) = 1..7", 1855),
        (
            "W <: POW(1..8) & card(W) = 4 & !s.(s : W => card(s) <= 2) & !x.(x : 1..8 => #s.(s : W & x : s))",
            105,
        ),
    ] {
        assert_eq!(solutions("W", text), count, "{text}");
    }
}

#[test]
fn few_out_of_very_many_are_listed() {
    for (text, count) in [
        ("S <: 0..2**31-1 & card(S) = 2 & 7 : S & SIGMA(x).(x : S | x) = 20", 1),
        ("max(S) = 9 & 7 : S & 2 = card(S) & S : POW(0..2**31-1)", 1),
        ("S <: 0..2**31-1 & card(S) = 3 & max(S) = 3", 3),
        ("S <: 0..2**31-1 & card(S) <= 2 & !x.(x : S => x < 4)", 11),
        ("S <: 0..2**31-1 & card(S) = 2 & not(#x.(x : S & x >= 4))", 6),
        ("S : FIN1(0..2**31-1) & 2 >= card(S) & max(S) = 3 & min(S) >= 1", 3),
        (
            "S <: 0..2**31-1 & card(S) = 3 & !(x, y).(x : S & y : S & x < y => y : {2*x, 4*x}) & max(S) = 40",
            1,
        ),
        ("S <: 0..2**31-1 & card(S) = 2 & S - {5} = {7}", 1),
        ("S <: 0..2**31-1 & card(S) = 2 & card({x | x : S & x < 5}) = 1 & max(S) = 6", 5),
        ("S <: 0..2**31-1 & card(S) = 2 & {x | x : S & x < 5} = {3} & max(S) = 6", 1),
        ("S <: 0..2**31-1 & card(S) = 2 & #x.(x : S & x + 1 : S & x < 3)", 3),
        ("S <: NATURAL & card(S) = 2 & SIGMA(x).(x : S | x) = 5", 3),
        ("S <: NATURAL & card(S) = 2 & PI(x).(x : S | x) = 12", 3),
        ("S <: (0..2**20) * (0..2**20) & card(S) = 2 & !(x, y).(x |-> y : S => x + y = 3)", 6),
        ("S <: (0..2**20) * (0..2**20) & card(S) = 2 & !(y, x).(x |-> y : S => x = 7 & y < 3)", 3),
        (
            "S <: (0..2**20) * (0..2**20) & card(S) = 1 & !x.(5 |-> x : S => x = 3) & #x.(5 |-> x : S)",
            1,
        ),
        ("S <: POW(1..20) & card(S) = 2 & !s.(s : S => card(s) = 20 or s = {1})", 1),
        ("S <: POW(1..16) & card(S) = 2 & !s.(s : S => card(s) = 1) & 1..2 <: union(S)", 1),
    ] {
        assert_eq!(solutions("S", text), count, "{text}");
    }
    let two = "S <: 0..2**31-1 & T <: 0..2**31-1 & card(S) = 2 & card(T) = 2";
    for (told, count) in [
        ("S \\/ T = {1, 5, 9} & S /\\ T = {5}", 2),
        ("card(S \\/ T) = 3 & max(S \\/ T) = 2", 6),
        ("card(S /\\ T) = 1 & max(S \\/ T) = 2", 6),
    ] {
        assert_eq!(solutions("S, T", &format!("{two} & {told}")), count, "{told}");
    }
    for (text, count) in [
        ("f : 1..3 --> POW(0..2**31-1) & !i.(i : 1..3 => card(f(i)) = 1 & max(f(i)) < 3)", 27),
        (
            "f : 1..2 --> POW(0..2**31-1) & !i.(i : 1..2 => 2 = card(f(i))) & union(ran(f)) = 5..7",
            6,
        ),
        ("f : 1..2 --> POW1(NATURAL) & !i.(i : 1..2 => card(f(i)) <= 2 & max(f(i)) < 2)", 9),
    ] {
        assert_eq!(solutions("f", text), count, "{text}");
    }
    // The domain of a relation, and where it ends, do not say how many pairs it has.
    let pairs = "S <: (0..2**20) * (0..1) & card(S) <= 2 & !(x, y).(x |-> y : S => x = 1) & max(dom(S) \\/ {1}) <= card(S)";
    assert_eq!(solutions("S", pairs), 3);
}

#[test]
fn what_is_said_of_the_sets_that_a_function_has_reaches_each() {
    for (text, count) in [
        ("p : 1..3 --> POW(1..6) & card(ran(p)) = 2 & !S.(S : ran(p) => card(S) = 1)", 90),
        ("p : 1..3 --> POW(1..4) & SIGMA(S).(S : ran(p) | card(S)) = 3", 340),
        (
            "p : 1..3 --> POW(1..4) & card({S | S : ran(p) & card(S) = 1}) = 2 & !S.(S : ran(p) => card(S) : 1..2)",
            252,
        ),
        (
            "p : 1..3 +-> POW(1..3) & !S.(S : p[{1, 2}] => card(S) = 2) & !S.(S : ran(p) => 1 : S)",
            45,
        ),
        (
            "p : 1..4 --> POW(1..6) & !S.(S : ran(p) => card(S) = 3) & !(i, j).(i : 1..4 & j : 1..i-1 => card(p(i) /\\ p(j)) = 1)",
            720,
        ),
        (
            "p : 1..5 --> POW(1..6) & !(i, S).(i |-> S : p => card(S) = 2) & union(ran(p)) = 1..6 & !(T, S).(S : ran(p) & T : ran(p) & S /= T => S /\\ T = {})",
            2250,
        ),
    ] {
        assert_eq!(solutions("p", text), count, "{text}");
    }
    // Three classes without sums: Schur's numbers.
    let classes = "p : 1..3 --> POW(1..13) & union(ran(p)) = 1..13 & !(i, j).(i : 1..3 & j : 1..i-1 => p(i) /\\ p(j) = {})";
    for free in [
        "!S.(S : ran(p) => !(x, y).(x : S & y : S => x + y /: S))",
        "not(#S.(S : ran(p) & #(x, y).({x, y, x + y} <: S)))",
        "!k.(k : dom(p) => not(#(x, y).({x, y, x + y} <: p(k))))",
    ] {
        assert_eq!(solutions("p", &format!("{classes} & {free}")), 18, "{free}");
    }
}

#[test]
fn sets_of_numbers_without_bounds_are_told_together() {
    for (text, count) in [
        ("n = card({s | #(a, b).(a : NATURAL & b : NATURAL & a + b = 4 & s = {a, b})})", 1),
        (
            "S = {s | #(a, b).({a, b} = s & a : NATURAL1 & b : NATURAL1 & a * b = 12)} & n = card(S) & n = 3",
            1,
        ),
        ("S : {s | #(a, b).(a : NATURAL & b : NATURAL & 4 = a + b & s = {a, b})} & n = 3", 3),
    ] {
        let constants = if text.contains('S') { "S, n" } else { "n" };
        assert_eq!(solutions(constants, text), count, "{text}");
    }
    // There is an end to none of these.
    all_hold("", &["{7, 8} : {s | #(a, b).(a : NATURAL & b : NATURAL & s = {a, b})}"]);
}

/// Each of the places between two items is a place to cut, or not.
#[test]
fn sequences_that_are_joined_are_no_longer_than_what_they_give() {
    for (text, count) in [
        ("s : seq(seq1({1, 2, 3})) & conc(s) = [1, 2, 3]", 4),
        ("[1, 2, 3, 1, 2, 3, 1] = conc(s) & s : seq(seq1(1..3))", 64),
        ("s : seq(seq1({1, 2, 3})) & size(s) = 3 & conc(s) = [1, 2, 3, 1, 2]", 6),
        ("s : seq(iseq1({1, 2})) & conc(s) = [1, 2, 2, 1]", 4),
        ("s : seq({[1], [2], [1, 2]}) & conc(s) = [1, 2, 1, 2]", 4),
        ("s : 1..3 --> seq({1, 2}) & conc(s) = [1, 2, 1]", 10),
        ("s : seq1(seq1(BOOL)) & size(conc(s)) = 4 & !i.(i : dom(s) => size(s(i)) <= 2)", 80),
        ("s : seq(seq1(NATURAL)) & conc(s) = [10, 20, 30] & s(1) = [10]", 2),
    ] {
        assert_eq!(solutions("s", text), count, "{text}");
    }
}

/// Images under functions without an end, of what is not known.
#[test]
fn images_under_functions_without_an_end() {
    for (text, count) in [
        ("r : 1..4 --> 1..9 & (%x.(x : NATURAL | x mod 3))[ran(r)] = {0, 1}", 1134),
        ("r : 1..6 --> NATURAL & ran((r ; %x.(x : NATURAL | x * x))) = {1, 4}", 62),
        ("r : 1..4 --> NATURAL & (%x.(x : NATURAL | x * x))[ran(r)] = {1, 4}", 14),
        ("r : 1..4 --> NATURAL & {y | #x.(y = x * x & x : ran(r))} = {1, 4}", 14),
        ("r : 1..3 --> 0..3 & (%(x, y).(x : NATURAL & y : NATURAL | x + y))[r] = {2, 4}", 3),
        ("r : 1..3 --> 0..3 & (%(x, y).(x : INTEGER & y : 0..2 | x + y))[r] = {2, 4}", 5),
    ] {
        assert_eq!(solutions("r", text), count, "{text}");
    }
}

/// Each number of a diagonal is a part of the number of all, and each says something of the rest: not of what follows from
/// the others.
#[test]
fn parts_of_what_is_counted_are_counted_once() {
    for (n, count) in [(4, 2), (5, 10), (6, 4)] {
        let text = format!(
            "b <: (1..{n}) * (1..{n}) & card(b) = {n} &
             !k.(k : 1 - {n}..{n} - 1 => card({{x, y | x |-> y : b & x - y = k}}) <= 1) &
             !k.(k : 2..2 * {n} => card({{x, y | x |-> y : b & x + y = k}}) <= 1) &
             !x.(x : 1..{n} => card(b[{{x}}]) <= 1 & card(b~[{{x}}]) <= 1)"
        );
        assert_eq!(solutions("b", &text), count, "{text}");
    }
}

/// Sets of any type that are said to be small are lists of members of which nothing is known but their type.
#[test]
fn small_sets_of_unbounded_members() {
    for (set, said) in [
        ("{}", "g : INTEGER <-> INTEGER & card(g) = 0"),
        ("{}", "g : INTEGER <-> INTEGER & card(g) < 1"),
        ("{}", "g : INTEGER <-> INTEGER & g = g~ & card(g) = 0"),
        ("{3 |-> 100}", "g : INTEGER <-> INTEGER & card(g) = 1 & 3 |-> 100 : g"),
        ("{1 |-> 2}", "g <: INTEGER * INTEGER & 1 >= card(g) & 1 |-> 2 : g"),
        ("{100}", "g <: INTEGER & card(g) = 1 & 100 : g"),
        ("{100, 102}", "g <: INTEGER & card(g) = 2 & 100 : g & max(g) = 102"),
        (
            "{rec(a : 100, b : TRUE)}",
            "g <: struct(a : INTEGER, b : BOOL) & card(g) = 1 & rec(a : 100, b : TRUE) : g",
        ),
    ] {
        all_hold("", &[&format!("{{g | {said}}} = {{{set}}}")]);
    }
}
