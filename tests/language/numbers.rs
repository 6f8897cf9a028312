//! Numbers that are found by what is said of their rests, powers, squares and sums, and by how many there are.

use super::puzzles::solutions;
use super::*;

#[test]
fn rests_of_one_number_together() {
    let count = |rests: &[(u64, u64)], most: u64| {
        (0..=most).filter(|n| rests.iter().all(|(by, rest)| n % by == *rest)).count() as u64
    };
    for rests in [&[(6, 3), (8, 5)][..], &[(97, 5), (89, 3)], &[(4, 1), (6, 1), (9, 4)]] {
        let said = |(by, rest): &(u64, u64)| format!("x mod {by} = {rest}");
        let all: Vec<String> = rests.iter().map(said).collect();
        let text = format!("{} & x : 0..50000", all.join(" & "));
        assert_eq!(solutions("x", &text), count(rests, 50_000), "{text}");
    }
    // That no number has both is seen without trying any.
    for of in ["NATURAL", "0..1000000000000"] {
        none("x", &format!("x : {of} & x mod 4 = 1 & 2 = x mod 6"));
    }
}

#[test]
fn exponents_that_are_not_known() {
    assert_eq!(solutions("x", "x : NATURAL & 2 ** x = 1024"), 1);
    assert_eq!(solutions("n", "n : NATURAL1 & 3 ** n > 1000 & not(3 ** (n - 1) > 1000)"), 1);
    assert_eq!(solutions("x, y", "x : 0..100 & y : 0..100 & 5 ** y + 2 ** x = 633"), 1);
    none("x", "x : NATURAL & 1000 = 2 ** x");
}

#[test]
fn roots() {
    assert_eq!(solutions("x", "x : INTEGER & x * x - 5 * x + 6 = 0"), 2);
    assert_eq!(solutions("x", "x : NATURAL & x * x = 4 * x - 3"), 2);
    assert_eq!(solutions("x, y", "x : INTEGER & y : 0..10 & 2 * x ** 2 + 7 * x - y = 0"), 3);
}

#[test]
fn numbers_of_different_values() {
    let sorted = "f : 1..30 --> 1..30 & !i.(i : 1..29 => f(i) <= f(i + 1))";
    let rising = "f : 1..30 --> 1..30 & !i.(i : 1..29 => not(f(i + 1) < f(i)))";
    for text in [sorted, rising] {
        assert_eq!(solutions("f", &format!("{text} & card(ran(f)) = 30")), 1);
        // One value is left out, and another one is there twice.
        assert_eq!(solutions("f", &format!("card(f[1..30]) = 29 & {text} & f(1) = f(2)")), 30);
    }
    // Two values that are far apart, in turn.
    let turns = "f : 1..20 --> 1..20 & card(ran(f)) = 2 &
        !i.(i : 1..19 => f(i) + 18 <= f(i + 1) or f(i + 1) <= f(i) - 18)";
    assert_eq!(solutions("f", turns), 6);
}

#[test]
fn rows_and_columns_of_counted_relations() {
    // As many pairs as rows and columns: permutations without a fixed point.
    let said = "r : 1..4 <-> 1..4 & r /\\ id(1..4) = {} & card(r) = 4";
    assert_eq!(solutions("r", &format!("{said} & dom(r) = 1..4 & ran(r) = 1..4")), 9);
    let fixed = "r : 1..10 <-> 1..10 & card(r) = 10 & 1..10 <: dom(r) & ran(r) = 1..10 &
        !i.(i : 1..8 => i |-> i + 1 : r)";
    assert_eq!(solutions("r", fixed), 2);
}

#[test]
fn unions_and_intersections_of_sets_that_are_not_known() {
    let union = "f : 1..4 --> (1..4 <-> 1..4) & !i.(i : 1..4 => card(f(i)) = 1) &
        union(ran(f)) = (1..2) * (1..2)";
    assert_eq!(solutions("f", union), 24);
    // Pairs with one member in common, and all others different.
    let inter =
        "f : 1..5 --> POW(1..6) & inter(ran(f)) = {3} & union({f(1), f(2)} \\/ f[3..5]) = 1..6 &
        !i.(i : 1..5 => card(f(i)) = 2)";
    assert_eq!(solutions("f", inter), 120);
}

/// Or what can be exchanged in a machine would not be alike.
#[test]
fn sums_of_reals_do_not_depend_on_an_order() {
    let of = |fold: &str, values: &str| format!("{fold}(i).(i : 1..3 | [{values}](i))");
    for fold in ["SIGMA", "PI"] {
        let (up, down) = (of(fold, "0.1, 0.2, 0.3"), of(fold, "0.3, 0.2, 0.1"));
        holds(&format!("MACHINE M ASSERTIONS {up} = {down} END"));
    }
}

/// Bounds would creep through all numbers between them: what equations and inequalities say together is drawn at once.
#[test]
fn linear_constraints_of_numbers_with_wide_bounds() {
    for (said, count) in [
        ("x + y = 10**9 & x - y = 2", 1),
        ("x + y = 10**9 & x = y + 2", 1),
        ("x + y : 10**8..10**8 + 1 & x - y : 2..3", 2),
        ("2 * x + 3 * y = 10**9 & x - y < 2 & y - x < 2", 1),
        ("x - y > 5 & y - x > -5", 0),
    ] {
        let text = format!("x : 0..10**9 & y : 0..10**9 & {said}");
        if count > 0 {
            assert_eq!(solutions("x, y", &text), count, "{said}");
        } else {
            all_hold("", &[&format!("not(#(x, y).({text}))")]);
        }
    }
}
