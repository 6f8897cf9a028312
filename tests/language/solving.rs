//! Constants that are found by what conjuncts say together, each in more than one wording.

use super::puzzles::solutions;
use super::*;

/// Queens on five rows as pieces on squares; the text says when two squares hold no two of them.
fn board(apart: &str) -> u64 {
    let text = format!(
        "MACHINE B SETS PIECE = {{queen, none}} CONSTANTS b PROPERTIES
           b : (1..5) * (1..5) --> PIECE & card({{i, j | i : 1..5 & j : 1..5 & b(i, j) = queen}}) = 5 &
           !(i, j, k).(i : 1..5 & j : 1..5 & k : 1..4 & b(i, j) = queen => {apart}) END"
    );
    holds(&text).states
}

#[test]
fn counts_of_what_excludes_itself() {
    let squares = "(i + k |-> j) /: b~[{queen}] & (i |-> j + k) /: b~[{queen}] &
        (i + k |-> j + k) /: b~[{queen}] & (i + k |-> j - k) /: b~[{queen}]";
    assert_eq!(board(squares), 10);
    let images = "b[{(i + k, j)}] /= {b(i, j)} & not({queen} = b[{i |-> j + k}]) &
        b[{(i + k, j + k)}] /= {queen} & b[{(i + k, j - k)}] /= {b(i, j)}";
    assert_eq!(board(images), 10);
}

#[test]
fn lambdas_and_projections_of_unknowns() {
    let lambda = "x : 1..100 & y : 1..200 & (%k.(k : 1..100 | 2 * k))(x) = y & x + y > 297";
    assert_eq!(solutions("x, y", lambda), 1);
    let pairs = "p : 1..4 --> (1..60) * (1..60) & !i.(i : 1..3 =>
        prj2(INTEGER, INTEGER)(p(i)) = prj1(1..60, 1..60)(p(i + 1)) &
        prj1(INTEGER, INTEGER)(p(i)) + 18 < prj2(INTEGER, INTEGER)(p(i))) &
        prj1(1..60, 1..60)(p(4)) < prj2(1..60, 1..60)(p(4))";
    let starts = |gap: u64| {
        let mut count = 0;
        for a in 1..=60u64 {
            for b in a + gap..=60 {
                for c in b + gap..=60 {
                    for d in c + gap..=60 {
                        count += 60 - d;
                    }
                }
            }
        }
        count
    };
    assert_eq!(solutions("p", pairs), starts(19));
    let undefined = "MACHINE P CONSTANTS x, y PROPERTIES x : 0..100 & y : 0..200 &
        (%k.(k : 1..100 | 2 * k))(x) = y END";
    let outcome = run_text(undefined).expect("runs");
    assert_eq!(outcome.verdict, Verdict::StateError, "nothing else is false of 0");
}

#[test]
fn divisors_that_are_not_known() {
    let rests = "d : {11, 13, 17} & r : 1..4 --> NATURAL & !i.(i : 1..4 => r(i) = (i * 113) mod d)";
    assert_eq!(solutions("d, r", rests), 3);
    let parts = "d : 2..5 & x : 0..5000 & y : 0..5000 & x / d = y & x mod d = d - 1 & y = 700";
    assert_eq!(solutions("d, x, y", parts), 4);
}

#[test]
fn sets_that_other_conjuncts_bound() {
    let colours = "even /\\ odd = {} & even \\/ odd = (1..3) * (1..2) &
        even = {x, y | x : 1..3 & y : 1..2 & (x + y) mod 2 = 0}";
    assert_eq!(solutions("even, odd", colours), 1);
    assert_eq!(solutions("p, q", "1..3 = q \\/ p & q /\\ p = {}"), 8);
    assert_eq!(solutions("r", "dom(r) = 4..5 & ran(r) <: {10, 20}"), 9);
    assert_eq!(solutions("r", "{10, 20} = ran(r) & dom(r) <: 4..5 & card(r) = 3"), 4);
    let all = "2 : s & !y.(y : s => #z.(y |-> z = 2 |-> 3 or y |-> z = 4 |-> 5))";
    assert_eq!(solutions("s", all), 2);
    let pairs = "!(a, b).(a |-> b : r => a : 1..2 & b = a + 1) & card(r) = 1";
    assert_eq!(solutions("r", pairs), 2);
    assert_eq!(solutions("a, b, s", "(-a, b + 1, a, b, s) = (-41, 7, 41, 6, {2})"), 1);
    assert_eq!(solutions("x, p", "x : 1..30 & #k.(k : 2..5 & p = x * x & k * k = x)"), 4);
}

#[test]
fn functions_of_sets() {
    let named = "f : POW(0..2) >-> 0..8 & !y.(y : 0..2 => f({y}) = y)";
    // The five other sets have five of the six other numbers.
    assert_eq!(solutions("f", named), 720);
}
