//! Constants within what is composed of them, and what is told point by point, member by member, step by step.

use super::puzzles::solutions;
use super::*;

/// So many set-ups of machines with these constants.
#[track_caller]
fn all_have(rows: &[(&str, &str, u64)]) {
    for (names, said, count) in rows {
        assert_eq!(solutions(names, said), *count, "{said}");
    }
}

#[test]
fn names_within_what_is_in_a_known_set() {
    all_have(&[
        ("x, y", "[x, y] : {[1, 2], [1, 4]}", 2),
        ("x, y, z", r#"[x, y, z] : {["c", "a", "t"], ["d", "o", "g"]}"#, 2),
        ("x, y", "{x, y} : {{1, 3}, {2, 3}}", 4),
        ("i, j, k, l", "{i |-> j, k |-> l} = {1 |-> 2, 3 |-> 4}", 2),
        ("x, y", "{x |-> y} <: {1 |-> 2, 3 |-> 4}", 2),
        ("x, y", "x -> [y] : {[1, 2], [3, 4]}", 2),
        ("x, y", "[x] ^ rev([5, y]) : {[1, 2, 5], [3, 4, 6]}", 1),
        ("x, y", "dom({x |-> 1, y |-> 2}) = {5, 6}", 2),
        ("x, y", "{x |-> 1, y |-> 2}~ = {1 |-> 5, 2 |-> 6}", 1),
        ("i, x, y", "i |-> {x, y} : {1 |-> {1, 2}, 2 |-> {3}}", 3),
        ("n, t", "t = {{1, 3}, {2, 3}} & n = card({x, y | {x, y} : t})", 1),
        ("t", "t <: {{1, 2}, {2, 3}, {1, 3}} & card({x, y | {x, y} : t}) = 4", 3),
    ]);
}

/// What comes beside what was reached is a finite set in every state, though what it is found in may be kept by a description.
#[test]
fn neighbours_by_unordered_pairs() {
    let text = "MACHINE M VARIABLES es, vis
      INVARIANT es <: POW(1..4) & vis <: 1..4
      INITIALISATION es := {{1, 3}, {2, 3}} || vis := {1}
      OPERATIONS
        next = vis := {y | #x.(x : vis & {x, y} : es)};
        del = ANY e WHERE e : es & card(es) > 1 THEN es := es - {e} END
      END";
    let outcome = holds(text);
    assert_eq!((outcome.states, outcome.transitions), (11, 18));
}

#[test]
fn results_and_fields_without_an_end_that_are_told() {
    all_have(&[
        ("f", r#"f : 1..2 --> STRING & f(1) = "1" & f(2) : {"2", "3"}"#, 2),
        ("f", r#"f : {"x", "y"} --> STRING & f("x") : {"1", "4"} & f("y") : {"2", "3"}"#, 4),
        ("f", r#"f : 1..2 --> STRING & (f(1) = "2" or f(1) = "3") & f(2) = f(1)"#, 2),
        ("f", r#"f : 1..2 --> STRING & f(1) |-> f(2) : {"a" |-> "b", "c" |-> "d"}"#, 2),
        ("r", r#"r : struct(a : STRING, b : 1..3) & r'a = "x""#, 3),
        ("q", r#"q : seq(STRING) & size(q) = 2 & ran(q) = {"b", "c"}"#, 2),
        ("q", r#"q : seq(STRING) & size(q) = 2 & q(1) = "a" & q(2) : {"b", "c"}"#, 2),
        ("f", "f : 1..3 --> INTEGER & [f(1), f(2), f(3)] : {[1, 2, 3], [4, 5, 6]}", 2),
        ("f", "f : 1..2 --> POW(INTEGER) & f(1) = {} & f(2) : {{1}, {2}}", 2),
        ("f", "dom(f) = 1..2 & f(1) = 3 & f(2) : 4..6", 3),
        ("f", "dom(f) = {5} & f(5) = 2", 1),
    ]);
}

/// What is said of all members of a list is said of each, though none of them is known.
#[test]
fn listed_sets_of_what_is_not_known() {
    all_have(&[
        ("a, b, c", "a <: 1..10 & b <: 1..10 & c <: 1..10 & !s.(s : {a, b, c} => card(s) = 10)", 1),
        (
            "a, b",
            "a <: 1..12 & b <: 1..12 & a \\/ b = 1..12 &
          !s.(s : {a, b} & 0 /: s => s /\\ {x | x - 1 : s} = {})",
            2,
        ),
        (
            "a, b, c, d, e, f, g, h, i",
            "{a, b, c, d, e, f, g, h, i} = 1..9 & !l.(l : {[a, b, c],
          [d, e, f], [g, h, i], [a, d, g], [b, e, h], [c, f, i], [a, e, i], [c, e, g]} =>
          l(1) + l(2) + l(3) = 15)",
            8,
        ),
    ]);
}

/// Relations on four elements without a cycle, with five pairs.
#[test]
fn relations_without_a_cycle() {
    for said in [
        "closure1(r) /\\ id(1..4) = {}",
        "!x.(x : 1..4 => x |-> x /: closure1(r))",
        "not(#x.(x : 1..4 & x |-> x : closure1(r)))",
        "!x.(x : 1..4 => x /: closure1(r)[{x}])",
        "closure1(r) /\\ closure1(r)~ = {}",
    ] {
        let properties = format!("r : 1..4 <-> 1..4 & card(r) = 5 & {said}");
        assert_eq!(solutions("r", &properties), 108, "{said}");
    }
    let named = "r : 1..4 <-> 1..4 & card(r) = 5 & t = closure1(r) & t /\\ id(1..4) = {}";
    assert_eq!(solutions("r, t", named), 108);
}

/// Weights for a balance: each number is the sum of some of them, less that of others.
#[test]
fn numbers_that_sums_have_to_hit() {
    let balance = |weights: &str, n: u64| {
        format!(
            "s : 1..3 --> 1..{n} & {weights} &
             !w.(w : 1..{n} => #x.(x : 1..3 --> {{-1, 0, 1}} & w = SIGMA(i).(i : 1..3 | s(i) * x(i))))"
        )
    };
    let ordered = "s(1) <= s(2) & s(2) <= s(3)";
    let hits = |n: i64| {
        let sum =
            |s: [i64; 3], x: i64| s[0] * (x % 3 - 1) + s[1] * (x / 3 % 3 - 1) + s[2] * (x / 9 - 1);
        let all = (1..=n).flat_map(|a| (a..=n).flat_map(move |b| (b..=n).map(move |c| [a, b, c])));
        all.filter(|s| (1..=n).all(|w| (0..27).any(|x| sum(*s, x) == w))).count() as u64
    };
    for n in [13, 11, 9] {
        assert_eq!(solutions("s", &balance(ordered, n as u64)), hits(n), "{n}");
    }
}

/// A set of functions that has a name is as good as the set itself.
#[test]
fn sets_of_functions_with_a_name() {
    let carry = "{a, b, c | a : MSG & b : MSG & c : MSG & c(1) = 0 &
        !r.(r : 2..n => c(r) = (a(r - 1) + b(r - 1) + c(r - 1)) / 2)}";
    let text = format!(
        "MACHINE M CONSTANTS MSG, n, carry
         PROPERTIES n = 12 & MSG = 1..n --> 0..1 & carry = /*@symbolic*/ {carry}
         VARIABLES m INVARIANT m : MSG INITIALISATION m := %i.(i : 1..n | i mod 2)
         OPERATIONS step = m := carry(m |-> %i.(i : 1..n | 1)) END"
    );
    // 4,096 functions to try for each step, if it were done so.
    let outcome = holds(&text);
    assert!(outcome.states > 2, "{}", outcome.states);
}
