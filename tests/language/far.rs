//! Numbers beyond those that the solver holds in a machine word.

use super::puzzles::solutions;
use super::*;

/// No number of the solver is as large as these bounds: then it is as good as unbounded.
#[test]
fn bounds_that_are_far_away() {
    for (names, text, count) in [
        ("x", "x : 0..2**64-1 & x * x = 49", 1),
        ("x", "x : -(2**64)..2**64 & x * x * x = -27", 1),
        ("x", "x : 0..2**64-1 & x mod 2**32 = 5 & x / 2**32 = 7", 1),
        ("x, y", "x : 1..10**19 & y : 1..10**20 & x + y = 4", 3),
        ("x, y", "x <= 2**64 & x >= 0 & y = x + 1 & x < 3 & not(x > 10**30)", 3),
        ("x", "x : 0..100 & (x >= 2**70 or x = 5)", 1),
        ("x", "x : 0..2**64 & x > 2**63 & x < 2**63 + 3", 2),
        ("f", "f : 1..3 --> 0..2**64-1 & !i.(i : 1..2 => f(i) < f(i + 1)) & f(3) = 3", 3),
        ("f", "f : 1..3 --> 0..2**60 & SIGMA(i).(i : 1..3 | f(i)) = 2", 6),
    ] {
        assert_eq!(solutions(names, text), count, "{text}");
    }
}

/// What lies beyond the numbers of the solver is not missed for it: that there is no solution has to be true of all.
#[test]
fn solutions_that_are_far_away_are_not_denied() {
    for text in [
        // 2**64 + 1 and 0; and others of that size.
        "x : NATURAL & y : 0..3 & (x <= 2**64 => y > 5)",
        "x : INTEGER & y : NATURAL & not(y : 0..2**65) & (x >= 2**60 & y >= 2**60 or y : 0..2**64)",
    ] {
        let text = format!("MACHINE P CONSTANTS x, y PROPERTIES {text} END");
        let outcome = run_text(&text).unwrap_or_else(|why| panic!("{why}"));
        assert!(outcome.verdict == Verdict::Ok || !outcome.complete, "{text}");
        assert_ne!(outcome.verdict, Verdict::NoSetup, "{text}");
    }
}

/// Where no solution is as small as that, bounds of any size say where they are.
#[test]
fn what_is_far_away_is_found() {
    for (names, text, count) in [
        ("x", "x * x = 10**40", 2),
        ("x", "x**3 = -(10**30)", 1),
        ("x", "x : NATURAL & x * x > 10**40 & x * x < 10**40 + 3 * 10**20", 1),
        ("x, y", "x + y = 2**80 & x - y = 2", 1),
        ("x, y, z", "x + y + z = 10**20 & x - y = 10**19 & y - z = 6", 1),
        ("x, y", "x : NATURAL & y : NATURAL & x + y = 2**65 & x > 2**65 - 3", 3),
        ("x, y", "x : 2**65..2**65+10 & y : 2**65..2**65+10 & x + y = 2**66 + 19", 2),
        ("x, y", "x : 0..10**30 & y : 0..10**30 & 3 * 10**25 - y = x & 2 * y = x", 1),
        ("x", "x : NATURAL & x mod 2**62 = 5 & 2**63 < x & x < 2**64", 2),
        ("x", "x / 2**60 = 9 & x mod 2**58 = 17", 4),
        ("x", "x : NATURAL & 3**x : 10**30..10**31", 2),
        ("x", "x : 2**70..2**70 + 5 & x /= 2**70 & x /: 2**70 + 2..2**71", 1),
        ("x, y", "x : 2**60 - 1..2**60 + 2 & not(x : 0..2**60) & y : x..2**60 + 2", 3),
        ("x, y", "y > 2**70 & y < x & x < 2**70 + 4 & x mod 2 = 0", 1),
    ] {
        assert_eq!(solutions(names, text), count, "{text}");
    }
}

#[test]
fn that_nothing_is_far_away_is_known() {
    for (names, text) in [
        ("x", "x * x = 10**40 + 1"),
        ("x", "x * x * x = 10**30 + 1"),
        ("x, y", "x - y = 3 & x + y = 2**80"),
        ("x", "x / 2**60 = -9 & x > -(10**19)"),
        ("x", "x : NATURAL & 2**x = 2**100 + 1"),
        ("x, y", "x < y & y < x & x > 2**80"),
    ] {
        let outcome = none(names, text);
        assert!(outcome.bounds.is_empty(), "{text}: {:?}", outcome.bounds);
    }
}

/// A rest of a negative number is undefined: it is not said to have no solution there.
#[test]
fn what_may_be_undefined_bounds_nothing() {
    let text = "MACHINE P CONSTANTS x PROPERTIES x mod 2**62 = 5 & x > -5 & x < 2**62 END";
    let outcome = run_text(text).unwrap_or_else(|why| panic!("{why}"));
    assert!(!outcome.complete || outcome.verdict == Verdict::StateError, "{:?}", outcome.verdict);
}
