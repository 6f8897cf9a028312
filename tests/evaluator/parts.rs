//! Sets of numbers and pairs, relations and pairs in one word, and functions that a state holds point by point, as wholes:
//! against the same held by their numbers.

use super::{found, model};
use burnside::search::{self, Control, SearchOptions, SymmetryMode, Verdict};
use std::sync::Arc;

/// A variable: its name, what holds it in parts, and what does not; its first value and what becomes of it.
struct Held {
    name: &'static str,
    parts: &'static str,
    number: &'static str,
    first: &'static str,
    operations: &'static [&'static str],
}

const ALL: [Held; 15] = [
    Held {
        name: "s",
        parts: "s <: 1..3",
        number: "s : POW(INTEGER)",
        first: "{}",
        operations: &[
            "add(x) = SELECT x : 0..4 & x /: s & card(s) < 3 THEN s := s \\/ {x} END",
            "drop(x) = SELECT x : s THEN s := s - {x, n} END",
            // What has no code may be a member of what is listed.
            "own(x) = SELECT x : 0..3 & card(s) : s \\/ {x, n} THEN s := s /\\ (x..3) END",
            "ends(x) = SELECT x = max(s) - min(s) THEN s := {y | y : 1..3 & y > x} \\/ {n} END",
            "within = SELECT s : POW1(1..n) or {n, 1} <: s THEN s := 1..n END",
            "same(x) = SELECT x : 1..4 & (s = {x} or s = (x..3) or s <: (x..4)) THEN s := {} END",
            // Sets that depend on no variable, and intervals that are only asked for what they have in common.
            "line(x) = SELECT x : 1..3 & #l.(l : {{1, 2}, {3, 5}, {2}} & x : l & l <: s) THEN s := s - {x} END",
            "image(x) = SELECT x : 1..3 & card(s) < 3 THEN s := s \\/ {1 |-> 2, 2 |-> 4, 3 |-> 1}[{x}] END",
            "apart(x) = SELECT x : 0..4 & (x..x + 1) /\\ (n..3) = {} & card(x..n) < 2 THEN s := s /\\ {y | y : 0..9 & y mod 2 = 1} END",
            "ends_(x) = SELECT x : 1..3 & max({x, n, 2}) = min({3, x + 1}) THEN s := {x} END",
        ],
    },
    Held {
        name: "o",
        parts: "o <: {x, y | x : 0..1 & 1 <= y & y < 3} \\/ {2 |-> 2}",
        number: "o : POW(INTEGER * INTEGER)",
        first: "{}",
        operations: &[
            "add(x, y) = SELECT x : 0..2 & y : 1..2 & card(o) < 3 & x * y /= 2 THEN o := o \\/ {x |-> y} END",
            "told(x) = SELECT x : 0..2 & #l.(l : {{0 |-> 1}, {1 |-> 1, 2 |-> 2}, {3 |-> 3}} & x : dom(l) & l <: o) THEN o := o - {x |-> 1} END",
            "image(x) = SELECT x : 0..2 & o /\\ {0 |-> {0 |-> 1}, 1 |-> {1 |-> 1, 5 |-> 5}, 2 |-> {}}(x) /= {} THEN
               o := o \\/ {0 |-> {0 |-> 2}, 1 |-> {}, 2 |-> {2 |-> 2}}(x) END",
            "none(x) = SELECT x : 0..2 & !l.(l : {{0 |-> 1}, {1 |-> 1}} & x : dom(l) => l /<: o) THEN o := o - {x} * {1, 2} END",
        ],
    },
    Held {
        name: "p",
        parts: "p <: (0..1) * S",
        number: "p : POW(INTEGER * S)",
        first: "{}",
        operations: &[
            "add(x, y) = SELECT x : 0..2 & y : S & x |-> y /: p & card(p) < 3 THEN p := p \\/ {x |-> y} END",
            "drop(x, y) = SELECT x |-> y : p THEN p := p - {x |-> y, n |-> a} END",
            "left = SELECT n : dom(p) & p /= {} THEN p := {n} <<| p END",
            "all = SELECT p <: (0..1) * {a} & {0 |-> a, n |-> a} <: p THEN p := (0..1) * S END",
            "some = SELECT #(x, y).(x |-> y : p & x < n & y = b) THEN p := {x, y | x |-> y : p & x < n} END",
        ],
    },
    Held {
        name: "f",
        parts: "f : 1..3 +-> 0..2",
        number: "f : POW(INTEGER * INTEGER)",
        first: "{2 |-> 0}",
        operations: &[
            "put(x, y) = SELECT x : 0..3 & y : 0..3 & x /: dom(f) & y /: ran(f) THEN f := f \\/ {x |-> y} END",
            "both(x, y) = SELECT x : dom(f) & y : dom(f) THEN f := f <+ {x |-> f(y), y |-> f(x)} END",
            "twice(x) = SELECT x : f[{1, 2, n}] & card(f) < 3 THEN f := f \\/ {2 |-> x} END",
            "over(x) = SELECT x : f~[{0, n}] THEN f := {x, n} <<| f <+ {3 |-> 1} END",
            "clash(x) = SELECT x : 1..2 THEN f := f <+ {x |-> 0, n |-> 1} END",
            "kept = SELECT f : 1..3 >-> 0..2 or f : 1..3 +->> 0..2 THEN f := f |> {0, n} END",
            "less(x) = SELECT x : 0..2 THEN f := f - {n |-> x} |>> {x - 1} END",
            "every = SELECT f /= {} & dom(f) <: 1..n THEN f := %x.(x : 1..3 & x /= n | (x + n) mod 3) END",
            "some = f := f <+ %x.(x : dom(f) & f(x) < n | f(x) + 1)",
            "whole(x) = SELECT x : ran(f) & f = {} or x = n THEN f := (1..3) * {x} END",
        ],
    },
    Held {
        name: "g",
        parts: "g : (0..1) * BOOL --> 0..1",
        number: "g : POW((INTEGER * BOOL) * INTEGER)",
        first: "((0..1) * BOOL) * {0}",
        operations: &[
            "put(x, y) = SELECT x : 0..1 & y : BOOL THEN g(x, y) := (g(x, y) + n) mod 2 END",
            "far(x, y) = SELECT x : 1..2 & y : BOOL & g(0, y) = 1 THEN g(x, y) := 1 END",
            "turn = g := %(x, y).(x : 0..1 & y : BOOL | g(1 - x, y))",
            "row(x) = SELECT x : 0..1 & !y.(y : BOOL => g(x, y) = 1) THEN g := g <+ {(x |-> TRUE) |-> 0} END",
            "drop(x, y) = SELECT x |-> y : g~[{n}] & card(g) > 3 THEN g := {x |-> y} <<| g END",
            "read(x) = SELECT x = g(n, TRUE) THEN skip END",
        ],
    },
    Held {
        name: "q",
        parts: "q : S --> seq(0..1)",
        number: "q : POW(S * POW(INTEGER * INTEGER))",
        first: "S * {[]}",
        operations: &[
            "add(x, y) = SELECT x : S & y : 0..1 & size(q(x)) < 2 THEN q(x) := q(x) <- y END",
            "move(x) = SELECT x : S & q(x) /= [] THEN q := q <+ {x |-> tail(q(x)), a |-> [first(q(x))]} END",
            "swap = q := {a |-> q(b), b |-> rev(q(a))}",
            "hole(x) = SELECT x : S & size(q(x)) = 2 THEN q(x) := {1} <<| q(x) END",
            "item(x) = SELECT x : S & q(x)(n) = 1 THEN q(x)(n) := 0 END",
            "far(x) = SELECT x : S & n = 3 & q(x) = [] THEN q(x) := [2] END",
            "none(x) = SELECT x : S & ran(q(x)) = {1} THEN q := {x} <<| q END",
        ],
    },
    Held {
        name: "t",
        parts: "t : 1..2 --> POW(0..2)",
        number: "t : POW(INTEGER * POW(INTEGER))",
        first: "(1..2) * {{}}",
        operations: &[
            "add(x, y) = SELECT x : 1..2 & y : 0..2 & y /: t(x) THEN t(x) := t(x) \\/ {y} END",
            "drop(x, y) = SELECT x : 1..2 & y : t(x) THEN t(x) := t(x) - {y, n} END",
            "share(x) = SELECT x : 1..2 & t(1) <: t(2) THEN t := t <+ {1 |-> t(2), 2 |-> t(x)} END",
            "ends(x) = SELECT x : 1..2 & max(t(x)) = n THEN t(n) := {y | y : 0..2 & y <= n} END",
            "out(x) = SELECT x : 1..2 & card(t(x)) = 3 THEN t(x) := {n + 1} END",
        ],
    },
    Held {
        name: "m",
        parts: "m : S --> (0..1 --> 0..2)",
        number: "m : POW(S * POW(INTEGER * INTEGER))",
        first: "S * {(0..1) * {0}}",
        operations: &[
            "put(x, y) = SELECT x : S & y : 0..1 & m(x)(y) < 2 THEN m(x)(y) := m(x)(y) + 1 END",
            "far(x) = SELECT x : S & m(x)(0) = 2 THEN m(x)(n) := 1 END",
            "change(x) = SELECT x : S & m(a)(1) > m(x)(1) THEN m(x) := m(a) <+ {n |-> 0} END",
            "lose(x) = SELECT x : S & m(x) = (0..1) * {n} THEN m := {x} <<| m END",
            "give(x) = SELECT x : S & x /: dom(m) THEN m(x) := {0 |-> n} END",
            "deep(x) = SELECT x : S & n = 2 THEN m(x)(1) := m(b)(0) END",
        ],
    },
    Held {
        name: "r",
        parts: "r : 0..2 <-> 1..3",
        number: "r : POW(INTEGER * INTEGER)",
        first: "{0 |-> 1}",
        operations: &[
            "add(x, y) = SELECT x : 0..3 & y : 1..3 & x |-> y /: r & card(r) < 3 THEN r := r \\/ {x |-> y} END",
            "turn = SELECT r~ : 0..2 <-> 1..3 & ran(r) <: 1..2 THEN r := r~ END",
            "cut(x) = SELECT x : dom(r) & x /: ran(r) THEN r := {x, 7} <<| r END",
            "keep(x) = SELECT x : r[{n, 0}] & card(r) > 1 THEN r := r |> {x, 4} END",
            "lose(x) = SELECT x : r~[{n}] THEN r := (0..x) <| r |>> {n + 1} END",
            "over(x) = SELECT x : 1..3 & dom(r) - {n} /= {} THEN r := r <+ {n |-> x} END",
            "all = SELECT r : {n, 1} <-> 1..2 & (0..1) * {n} /<: r THEN r := (0..1) * {n} END",
            "walk(x) = SELECT x = max(ran(r)) & #y.(y : dom(r) & y < x & !z.(z : r[{y}] => z <= x)) THEN skip END",
            "part = SELECT {n |-> 1} <: r <+ {n |-> 7} or r <+ {1 |-> n} = r THEN r := (r <+ {2 |-> n})~ END",
            "step = SELECT (r <+ {1 |-> n})[{1}] = {n} THEN r := r - {1 |-> n} END",
        ],
    },
    Held {
        name: "e",
        parts: "e : S <-> 0..2",
        number: "e : POW(S * INTEGER)",
        first: "{}",
        operations: &[
            "add(x, y) = SELECT x : S & y : 0..3 & y /: e[{x}] & card(e) < 3 THEN e := e \\/ {x |-> y} END",
            "none(x) = SELECT x : S - dom(e) & n : ran(e) THEN e := {x} * {n, 0} END",
            "one(x) = SELECT x : e~[{n}] & dom(e) = S THEN e := {x} <| e END",
            "less = SELECT e : {a} <-> 0..n THEN e := e |>> {n} END",
            "swap(x) = SELECT x : S & dom(e |> {n}) = {x} THEN e := e <+ S * {n} END",
            "odd = SELECT dom(e |>> {1}) <: {b} THEN e := (e~ |>> {b})~ END",
        ],
    },
    Held {
        name: "c",
        parts: "c : (0..2) * S",
        number: "c : INTEGER * S",
        first: "0 |-> a",
        operations: &[
            "move(x, y) = SELECT x : 0..3 & y : S & c /= x |-> y & x <= n THEN c := x |-> y END",
            "next = SELECT prj1(INTEGER, S)(c) < 3 THEN c := prj1(INTEGER, S)(c) + 1 |-> prj2(INTEGER, S)(c) END",
            "same = SELECT c = n |-> a or c : {2 |-> b, 7 |-> a} THEN c := 0 |-> prj2(INTEGER, S)(c) END",
            "far = SELECT c : (1..2) * {b} & n = 3 THEN c := 9 |-> a END",
            "back = SELECT c /: (0..2) * S THEN c := n |-> b END",
        ],
    },
    Held {
        name: "w",
        parts: "w : POW(NATURAL)",
        number: "w : POW(NATURAL)",
        first: "{1}",
        operations: &[
            "add(x) = SELECT x : {0, 3, 20} & x /: w & w <: NATURAL THEN w := w \\/ {x} END",
            "far(x) = SELECT x : {20 * 3, 20 * 4} & n = 3 & x /: w THEN w := w \\/ {x} END",
            "drop(x) = SELECT x : w & w /\\ NATURAL1 /= {} & card(w) > n THEN w := w - {x} END",
            "ends(x) = SELECT x = max(w) - min(w) & x : NAT THEN w := w /\\ (0..x) END",
            "low = SELECT w : POW1(NATURAL1) THEN w := {n - 1} END",
        ],
    },
    Held {
        name: "l",
        parts: "l : seq(NATURAL)",
        number: "l : seq(NATURAL)",
        first: "[]",
        operations: &[
            "add(x) = SELECT x : {0, 90, 100 * 3} & size(l) < 3 THEN l := l <- x + n END",
            "next = SELECT l /= [] & n /: ran(l) THEN l := tail(l) END",
            "grow = SELECT l : seq(NATURAL1) & size(l) = 2 THEN l := l ^ [n - 1] END",
            "long = SELECT l /= [] & first(l) = 90 & n = 1 & size(l) < 40 THEN l := l ^ l ^ l ^ l END",
            "short = SELECT size(l) > 3 THEN l := [last(l)] END",
        ],
    },
    Held {
        name: "k",
        parts: "k : S --> (BOOL +-> INTEGER)",
        number: "k : POW(S * POW(BOOL * INTEGER))",
        first: "S * {{}}",
        operations: &[
            "put(x, y) = SELECT x : S & y : BOOL & card(k(x)) < 2 THEN k(x) := k(x) <+ {y |-> n} END",
            "add(x, y) = SELECT x : S & y : dom(k(x)) & k(x)(y) < 2 THEN k(x)(y) := k(x)(y) - 1 END",
            "low(x) = SELECT x : S & -2 : ran(k(x)) THEN k(x) := {} END",
            "none(x) = SELECT x : S & k(x) = {} & dom(k(a)) = BOOL THEN k(x) := {TRUE |-> 700 * 700} END",
            "far(x) = SELECT x : S & 700 * 700 : ran(k(x)) THEN k(x) := {FALSE |-> n} END",
        ],
    },
    // What asks a function for a parameter or a bound name is remembered by what it gives for that.
    Held {
        name: "u",
        parts: "u : 0..2 +-> 0..4",
        number: "u : POW(INTEGER * INTEGER)",
        first: "(0..2) * {0}",
        operations: &[
            "up(x) = SELECT x : dom(u) & ({x} * (u(x)..(u(x) + n))) /\\ UNION(y).(y : dom(u) - {x} | {y - 1} * ((u(y) - 1)..(u(y) + 1))) = {} THEN u(x) := u(x) + 1 END",
            "down(x) = SELECT x : dom(u) & card(UNION(y).(y : dom(u) - {x} | {y |-> 1, y + 1 |-> u(y), u(y) |-> y})) >= n & u(x) > 0 THEN u(x) := u(x) - 1 END",
            "gone(x) = SELECT x : 0..2 & !y.(y : 0..2 => y /: dom(u) or card({y |-> 1, u(y) |-> 3, 2 |-> y}) = 3) THEN u := {x} <<| u END",
            "back(x, y) = SELECT x : 0..3 & card({z | z : 0..2 & (x : dom(u) => z |-> u(x) : {0 |-> 1, 1 |-> 4})}) = 3 & y = n THEN u(x) := y END",
            "far(x) = SELECT x : dom(u) & n = 3 & u(x) = 2 THEN u(x) := 9 END",
            "near(x) = SELECT x : dom(u) & card((u(x)..(u(x) + n)) * {u(x)}) = 4 & u(x) > 4 THEN u(x) := 0 END",
        ],
    },
];

fn text(held: &Held, in_parts: bool) -> String {
    let Held { name, parts, number, first, operations } = held;
    // What is said first of a variable is what it is held by; and who speaks of large numbers may have some.
    let typing = match in_parts {
        true => parts.to_string(),
        false => format!("{number} & {parts} & n < 5000"),
    };
    format!(
        "MACHINE T SETS S = {{a, b}} VARIABLES {name}, n INVARIANT {typing} & n : 0..3
         INITIALISATION {name} := {first} || n := 0
         OPERATIONS {}; more = n := (n + 1) mod 4 END",
        operations.join(";\n")
    )
}

#[test]
fn parts_do_as_whole_values_do() {
    for held in &ALL {
        let [parts, number] =
            [true, false].map(|in_parts| found(&text(held, in_parts), SymmetryMode::Off));
        assert_eq!(parts, number, "{}", text(held, true));
        assert!(parts[0] > 20, "{}: {parts:?}", held.name);
    }
}

/// What is nested deep is compiled once at each depth, not twice.
#[test]
fn deep_operands_take_no_longer_than_they_are_long() {
    for (name, around) in [
        ("m", "m(a)(_)"),
        ("f", "f(_)"),
        ("t", "max(t(_))"),
        ("s", "min(s - {_})"),
        ("q", "q(a)(_)"),
        ("r", "card(r[{_}])"),
        ("r", "max(ran(r <+ {_ |-> 1}))"),
        ("k", "card(dom(k(a)) <| {TRUE |-> _})"),
    ] {
        let held = ALL.iter().find(|held| held.name == name).unwrap();
        let deep = (0..40).fold("n".to_owned(), |inner, _| around.replace('_', &inner));
        let text = text(held, true)
            .replace("more = n", &format!("deep_ = SELECT {deep} = n THEN skip END; more = n"));
        assert!(found(&text, SymmetryMode::Off)[0] > 20, "{name}");
    }
}

/// Relations between elements: in one word, in many, and too large for that, read from either side and from both.
#[test]
fn pairs_of_elements_are_found_by_what_is_known_of_them() {
    for n in [4u32, 12, 40] {
        let names: Vec<String> = (1..=n).map(|i| format!("s{i}")).collect();
        let numbers: Vec<String> = (1..=n).map(|i| format!("s{i} |-> {i}")).collect();
        let text = format!(
            "MACHINE M SETS S = {{{}}}; E = {{e, f, g}}
             CONSTANTS num, ord, r, tr, none
             PROPERTIES num = {{{}}} & ord = {{e |-> 1, f |-> 2, g |-> 3}} & none : POW(S * S) & none = {{}} &
               r = {{x, y | x : S & y : S & (num(x) * num(y) + num(x)) mod 5 = 1}} &
               tr = {{x, d, y | x : S & d : E & y : S & (num(x) + ord(d) * num(y)) mod 7 = 1}}
             VARIABLES at, by INVARIANT at : S & by : E INITIALISATION at :: S || by :: E
             OPERATIONS
               step(y) = SELECT at |-> y : r THEN at := y END;
               back(y) = SELECT y |-> at : r THEN at := y END;
               nothing(y) = SELECT y |-> at : none or at |-> y : none THEN at := y END;
               go(d, y) = SELECT at |-> d |-> y : tr THEN at := y || by := d END;
               from(x, d) = SELECT x |-> d |-> at : tr THEN at := x || by := d END;
               at_(x, y) = SELECT x |-> by |-> y : tr & num(x) = num(at) mod {n} + 1 THEN at := y END;
               both(d) = SELECT at |-> d |-> at : tr THEN by := d END;
               end(y) = SELECT at |-> by |-> y : tr THEN at := y END
             ASSERTIONS
               !x.(x : S => {{y | x |-> y : r}} = r[{{x}}]);
               !y.(y : S => {{x | x |-> y : r}} = r~[{{y}}]);
               !x.(x : S => {{d, y | x |-> d |-> y : tr}} = {{d, y | d : E & y : tr[{{x |-> d}}]}});
               !y.(y : S => {{x, d | x |-> d |-> y : tr}} = tr~[{{y}}]);
               !d.(d : E => {{x, y | x |-> d |-> y : tr}} = {{x, y | x : S & y : S & y : tr[{{x |-> d}}]}});
               !(x, y).(x : S & y : S => {{d | x |-> d |-> y : tr}} = {{d | d : E & y : tr[{{x |-> d}}]}})
             END",
            names.join(", "),
            numbers.join(", ")
        );
        let (model, _) = model(&text);
        let options = SearchOptions {
            symmetry: Some(SymmetryMode::Off),
            deadlock: false,
            ..SearchOptions::default()
        };
        let outcome = search::run(&model, &options, &Arc::new(Control::new()));
        assert_eq!(outcome.verdict, Verdict::Ok, "{n}: {:?}", outcome.finding);
        let s = |i: u32, j: u32| (i * j + i) % 5 == 1;
        let t = |i: u32, d: u32, j: u32| (i + d * j) % 7 == 1;
        let (mut taken, all) = (0, 1..=n);
        for (a, b) in all.clone().flat_map(|a| (1..=3).map(move |b| (a, b))) {
            let of = |p: &dyn Fn(u32) -> bool| all.clone().filter(|i| p(*i)).count();
            let by =
                |p: &dyn Fn(u32, u32) -> bool| (1..=3).map(|d| of(&|i| p(d, i))).sum::<usize>();
            taken += of(&|y| s(a, y)) + of(&|y| s(y, a));
            taken += by(&|d, y| t(a, d, y)) + by(&|d, x| t(x, d, a));
            taken += of(&|y| t(a % n + 1, b, y)) + (1..=3).filter(|d| t(a, *d, a)).count();
            taken += of(&|y| t(a, b, y));
        }
        assert_eq!(outcome.states, 3 * u64::from(n), "{n}");
        let first = 3 * n as usize + 1;
        assert_eq!(outcome.transitions, (taken + first) as u64, "{n}");
    }
}

/// Constants that are functions of two numbers, total and not, with results that are numbers, large ones and elements:
/// applied as they are, and as what another function gives.
#[test]
fn functions_of_two_numbers_are_applied_alike() {
    let machine = |of: &dyn Fn(&str) -> String| {
        let [t, u, v, w] = ["t", "u", "v", "w"].map(of);
        format!(
            "MACHINE M SETS S = {{a, b}} CONSTANTS t, u, v, w
             PROPERTIES t = %(i, j).(i : -1..3 & j : 2..5 | i * j) & u = {{1 |-> 3}} <<| t &
               v = %(i, j).(i : 0..1 & j : 0..1 | IF i = j THEN a ELSE b END) &
               w = %(i, j).(i : 0..2 & j : 0..1 | (i + j) * 2 ** 70)
             VARIABLES x, y, n INVARIANT x : -2..4 & y : 0..6 & n : 0..40 INITIALISATION x := -2 || y := 0 || n := 0
             OPERATIONS
               next = IF x < 4 THEN x := x + 1 ELSE x := -2 || y := (y + 1) mod 7 END;
               many = SELECT n < 40 THEN n := n + 1 END;
               total(i) = SELECT i : 0..2 & {t}(x, y) = i THEN skip END;
               partial(i) = SELECT i : 0..1 & {u}(x - i, y) > 2 THEN n := i END;
               element(i) = SELECT i : 0..1 & {v}(i, y - i) = a THEN skip END;
               large(i) = SELECT i : 1..3 & {w}(x, y) = i * 2 ** 70 THEN n := i END;
               r <-- told = BEGIN r := {t}(x, y) + max({{{t}(0, 2), n}}) END
             END"
        )
    };
    let plain = found(&machine(&|f| f.to_owned()), SymmetryMode::Off);
    let given = found(&machine(&|f| format!("({{0 |-> {f}}}(0))")), SymmetryMode::Off);
    assert_eq!(plain, given);
    assert!(plain[1] > 2_000 && plain[2] > 100, "{plain:?}");
}
