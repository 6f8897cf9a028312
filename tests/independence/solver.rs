//! What the solver adds to places and ranges: each pair of operations here is related for all that these tell.

use burnside::independence::relation::Link;
use burnside::independence::{Analysis, Asked, Means, QUERY_TIME};
use burnside::machine::Key;

fn asked(means: Means, assumes: bool) -> Asked {
    Asked { invariant: assumes, assertions: assumes, assumes, means, query_time: QUERY_TIME }
}

fn analysis(clauses: &str, asked: &Asked) -> Analysis {
    let text = format!("MACHINE M {clauses} END");
    let model = crate::model(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    Analysis::new(&model, asked)
}

/// Whether the first two operations depend on each other, and whether the first enables the second: by places and
/// ranges alone, and with the solver.
fn related(clauses: &str, assumes: bool) -> [(bool, bool); 2] {
    [Means::Syntactic, Means::Solver].map(|means| {
        let found = analysis(clauses, &asked(means, assumes)).relations;
        (!found.dependent.between(0, 1).is_empty(), !found.enables.between(0, 1).is_empty())
    })
}

/// The example of Dobrikov and Leuschel, section 3: one writes what the guard of the other reads, and never
/// falsifies it.
#[test]
fn a_write_that_keeps_a_guard_true_disables_nothing() {
    let text = "VARIABLES x, y INVARIANT x : INTEGER & y : INTEGER INITIALISATION x, y := 0, 0 OPERATIONS \
        e2 = SELECT y > 0 THEN x :: 1..10 END; e1 = SELECT x : NATURAL THEN y := y + 1 END";
    assert!(related(text, false)[0].0);
    // y is read by the guard of the one, and only grows.
    assert!(!related(text, false)[1].0);
}

/// Both write one variable, and the order does not matter.
#[test]
fn additions_of_anything_commute() {
    let text = "VARIABLES x, y, z INVARIANT x : INTEGER & y : 0..3 & z : 0..3 \
        INITIALISATION x, y, z := 0, 1, 2 OPERATIONS \
        a = SELECT y : 0..3 & x : -9..9 THEN x := x + y END; b = SELECT z : 0..3 THEN x := x + z END";
    // a is disabled where x grows too far.
    assert_eq!(related(text, false).map(|(depend, _)| depend), [true, true]);
    let text = text.replace(" & x : -9..9", "");
    assert_eq!(related(&text, false).map(|(depend, _)| depend), [true, false]);
    assert_eq!(related(SETS, false).map(|(depend, _)| depend), [true, false]);
}

/// Elements that go into one set, in any order: neither disables the other.
const SETS: &str = "SETS E = {e0, e1, e2, e3} VARIABLES s INVARIANT s <: E INITIALISATION s := {} OPERATIONS \
    a = SELECT s /= E THEN s := s \\/ {e0, e1} END; b = SELECT e3 /: s THEN s := {e1, e2} \\/ s END";

/// Two functions that are written as a whole, at different points.
#[test]
fn instances_are_told_apart_where_no_place_is() {
    let text = "SETS P = {p1, p2, p3} VARIABLES f INVARIANT f : P --> BOOL INITIALISATION f := P * {FALSE} \
        OPERATIONS take(p) = SELECT p : P & f[{p}] = {FALSE} THEN f := f <+ ({p} * {TRUE}) END; \
        leave(q) = SELECT q : P & f[{q}] = {TRUE} THEN f := f <+ ({q} * {FALSE}) END";
    let whole = |link: &Link| link.same.is_empty();
    let plain = analysis(text, &asked(Means::Syntactic, false)).relations;
    assert!(plain.dependent.between(0, 1).iter().any(whole));
    assert!(plain.dependent.between(0, 0).iter().any(whole));
    let found = analysis(text, &asked(Means::Solver, true)).relations;
    // No state enables both for one element: then they have nothing to do with each other.
    assert!(found.dependent.between(0, 1).is_empty());
    assert!(found.dependent.between(0, 0).is_empty());
    let one = (Key::Parameter(0), Key::Parameter(0));
    let enables = found.enables.between(0, 1);
    assert!(!enables.is_empty() && enables.iter().all(|link| link.same.contains(&one)));
    assert!(found.enables.examples.contains_key(&(0, 1)));
}

/// The invariant is assumed of the state before the step, where the search ends at the first violation.
#[test]
fn the_invariant_is_assumed_only_where_that_is_allowed() {
    let text = "VARIABLES x, y INVARIANT x : 0..5 & y : 0..5 & x + y = 5 INITIALISATION x, y := 0, 5 \
        OPERATIONS a = SELECT x < 5 THEN x, y := x + 1, y - 1 END; b = SELECT x + y > 6 THEN y := 0 END";
    assert_eq!(related(text, false)[1], (true, false));
    assert_eq!(related(text, true)[1], (false, false));
}

/// A question that has no answer is taken for yes: that two cubes never make a number with the remainder 4 by 9 is
/// not found by trying numbers.
#[test]
fn what_is_not_answered_stays_related() {
    let text = "VARIABLES x, y, z, u, w \
        INVARIANT x : INTEGER & y : INTEGER & z : INTEGER & u : INTEGER & w : 0..1 \
        INITIALISATION x, y, z, u, w := 1, 1, 1, 0, 0 OPERATIONS \
        a = SELECT u < 9 THEN x := x + 1 || u := u + 1 END; \
        b = SELECT x*x*x + y*y*y /= 9*z + 4 THEN w := 1 END; \
        c = BEGIN y, z := y + z, z - y END";
    let found = analysis(text, &asked(Means::Solver, false));
    assert!(found.asking.is_some_and(|asking| asking.unknown > 0));
    assert!(!found.relations.dependent.between(0, 1).is_empty());
}

/// With several set-ups what is said of constants is left out of the questions.
#[test]
fn constants_with_several_values_are_left_out() {
    let text = "SETS E = {e0, e1, e2, e3} CONSTANTS c PROPERTIES c : E & c /= e0 VARIABLES s, t \
        INVARIANT s <: E & t <: E INITIALISATION s, t := {}, {} OPERATIONS \
        a = SELECT s /= E & c /: t THEN s := s \\/ {e0, e1} END; \
        b = SELECT e3 /: s THEN s := {e1, e2} \\/ s END; \
        k = SELECT c : s THEN s := s - {c} END";
    let found = analysis(text, &asked(Means::Solver, false)).relations;
    assert!(found.dependent.between(0, 1).is_empty());
    assert!(!found.dependent.between(1, 2).is_empty());
}
