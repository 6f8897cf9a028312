//! Problems that are said in other words: each has the number of solutions, and goes the way, of the plain wording.

use super::puzzles::solutions;
use super::*;

const QUEENS: &str =
    "!(i,j).(i : 1..8 & j : 1..8 & i < j => f(i) /= f(j) & f(i)-f(j) /= i-j & f(i)-f(j) /= j-i)";

/// What is said of the inverse is said of the relation.
#[test]
fn relations_told_by_their_inverses() {
    for (text, count) in [
        ("f~ : 1..4 >->> 1..4", 24),
        ("f~ : perm(1..4)", 24),
        ("f~ : 1..4 --> 1..4", 256),
        ("f~ : 1..4 >-> 1..5", 120),
        ("f~ : 1..3 +-> 1..3", 64),
        ("f~ : 1..2 <<-> 1..2 & f : INTEGER <-> INTEGER", 9),
        ("dom(f) = 1..3 & f : INTEGER +-> INTEGER & f~ : 1..3 <-> 1..3", 27),
    ] {
        assert_eq!(solutions("f", text), count, "{text}");
    }
    let queens = format!("f~ : 1..8 >->> 1..8 & {QUEENS}");
    assert_eq!(solutions("f", &queens), 92);
}
