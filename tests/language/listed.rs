//! Sets of sets, and functions to sets, of which little is known: what is said of all of them reaches each.

use super::puzzles::solutions;

/// In how many ways the numbers from 1 to `n` go into three classes, none of which has a sum of two of its members.
fn without_sums(n: u32) -> u64 {
    let class = |code: u32, i: u32| code / 3u32.pow(i - 1) % 3;
    let is_free = |code: &u32| {
        let sums = (1..=n).flat_map(|x| (1..=n - x).map(move |y| (x, y)));
        sums.clone().all(|(x, y)| {
            class(*code, x) != class(*code, y) || class(*code, x) != class(*code, x + y)
        })
    };
    (0..3u32.pow(n)).filter(is_free).count() as u64
}

#[test]
fn quantifiers_over_listed_sets_are_about_each() {
    let classes = "a <: 1..8 & b <: 1..8 & c <: 1..8 & a \\/ b \\/ c = 1..8 & a /\\ b = {} & a /\\ c = {} & b /\\ c = {}";
    let count = without_sums(8);
    for free in [
        "!S.(S : {a, b, c} => !(x, y).(x : S & y : S => x + y /: S))",
        "!(S, x, y).(S : {a, b, c} & x : S & y : S => x + y /: S)",
        "!(x, S, y).(x : S & y : S & S : {a, b, c} => x + y /: S)",
        "not(#(S, x, y).(S : {a, b, c} & x : S & y : S & x + y : S))",
        "not(#S.(S : {a, b, c} & #(x, y).(x : S & y : S & x + y : S)))",
    ] {
        assert_eq!(solutions("a, b, c", &format!("{classes} & {free}")), count, "{free}");
    }
    let classes = "p : 1..3 --> POW(1..8) & union(ran(p)) = 1..8 & !(i, j).(i : 1..3 & j : 1..i-1 => p(i) /\\ p(j) = {})";
    for free in [
        "!i.(i : {1, 3} => !(S, x, y).(S : {p(i), p(2)} & x : S & y : S => x + y /: S))",
        "!i.(i : {1, 3} => not(#(S, x, y).(S : {p(i), p(2)} & x : S & y : S & x + y : S)))",
    ] {
        assert_eq!(solutions("p", &format!("{classes} & {free}")), count, "{free}");
    }
}

#[test]
fn what_is_said_of_a_list_is_said_of_its_members() {
    for text in [
        "P = {p, q} & union(P) = 1..6 & card(p) = 3 & card(q) = 3",
        "{p, q} = P & P <: POW(1..6) & card(p) = 3 & card(q) = 3 & p /\\ q = {}",
        "card(p) = 3 & P : POW(POW(1..6)) & p \\/ q = 1..6 & P = {p, q} & card(q) = 3",
    ] {
        assert_eq!(solutions("P, p, q", text), 20, "{text}");
    }
    let texts = "P = {p, q} & union(P) = {\"a\", \"b\"} & card(p) = 1 & p /= q & card(q) = 1";
    assert_eq!(solutions("P, p, q", texts), 2);
}

/// There are 30 projective planes of seven points.
#[test]
fn families_are_sifted_before_their_members_are_compared() {
    let lines =
        "B <: POW(1..7) & card(B) = 7 & !(s, t).(s : B & t : B & s /= t => card(s /\\ t) = 1)";
    for three in ["!s.(s : B => card(s) = 3)", "B <: {s | s <: 1..7 & card(s) = 3}"] {
        assert_eq!(solutions("B", &format!("{lines} & {three}")), 30, "{three}");
    }
}

#[test]
fn functions_of_one_argument_are_not_gone_through() {
    for (text, count) in [
        ("s : 1..1 --> 0..2**31-1 & s(1) < 3", 3),
        ("s : {7} >-> 0..2**62 & s(7) < 3", 3),
        ("s : {7} --> (1..5 <-> 1..5) & card(s(7)) = 1", 25),
        ("s : {3} * {4} --> POW(POW(1..5)) & card(s(3, 4)) = 1", 32),
        ("s : seq(1..5 <-> 1..5) & size(s) = 1 & card(s(1)) = 24", 25),
    ] {
        assert_eq!(solutions("s", text), count, "{text}");
    }
}

#[test]
fn functions_told_by_what_may_have_no_value() {
    let rows = "r : 1..2 --> seq({4, 5}) & !i.(i : 1..2 => size(r(i)) = 2)";
    for told in ["%i.(i : 1..2 | r(i)(1))", "[r(1)(1), r(2)(1)]", "{i, x | i : 1..2 & x = r(i)(1)}"]
    {
        assert_eq!(solutions("r, g", &format!("{rows} & g = {told}")), 16, "{told}");
    }
}
