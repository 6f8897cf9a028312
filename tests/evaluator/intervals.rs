//! Parameters that are numbers of an interval: what is asked of all of them at once, and bounds that follow from sums.

use super::model;
use super::remembered::agree;

#[test]
fn functions_and_sets_are_asked_of_all_numbers_at_once() {
    let (model, _) = model(
        "MACHINE T SETS K = {idle, want, crit}
         VARIABLES f, g, h, s
         INVARIANT f : 1..6 --> K & g : -2..3 +-> 0..3 & h : 0..4 --> K & s <: 1..6 &
            !(i, j).(i : 1..6 & j : 1..6 & i /= j => not(f(i) = crit & f(j) = crit)) &
            !i.(i : 1..6 => !j.(j : 1..6 => (f(i) = crit => (i /= j => f(j) /= crit))))
         INITIALISATION f := (1..6) * {idle} || g := (-2..3) * {0} || h := (0..4) * {idle} || s := {}
         OPERATIONS
           ask(i) = PRE i : 1..6 & f(i) = idle THEN f(i) := want || s := s \\/ {i} END;
           enter(i) = PRE i : 2..5 & f(i) = want & i : s & f(i + 1) /= crit THEN f(i) := crit END;
           leave(i) = PRE i : 1..6 & f(i) = crit THEN f(i) := idle || s := s - {i} END;
           up(i) = PRE i : -2..3 & i : dom(g) & g(i) /= 3 & i /: s THEN g(i) := g(i) + 1 END;
           lose(i) = PRE i : -1..2 & i : dom(g) & g(i) = 1 THEN g := {i} <<| g END;
           outside(i) = PRE i : 0..3 & g(i) = 2 THEN skip END;
           go(i) = PRE i : 0..4 & h(i) = idle & i : s THEN h(i) := crit END;
           back(i, j) = PRE i : 0..4 & j : 1..3 & h(i) = crit & h(j) = idle THEN
             h := h <+ {i |-> idle, j |-> want} END
         END",
    );
    assert_eq!(agree(&model, 3000).0, 3000);
}

#[test]
fn sums_bound_what_is_in_them() {
    let (model, _) = model(
        "MACHINE T VARIABLES x, y, w
         INVARIANT x : 0..300 & y : 0..300 & w : 1..3 --> 0..300
         INITIALISATION x := 0 || y := 300 || w := (1..3) * {100}
         OPERATIONS
           pay(n) = PRE n : 1..250 & x + n <= y & n mod 50 = 0 THEN x := x + n END;
           back(n) = PRE n : 1..250 & 10 - (n - x) > 260 - y & n mod 100 = 0 THEN y := y - n END;
           move(i, n) = PRE i : 1..3 & n : 1..250 & w(i) - n >= 0 & n mod 50 = 0 THEN
             w(i) := w(i) - n || x := n END;
           split(i, n) = PRE i : 1..3 & n : 1..250 & n + 200 / x < w(i) & n mod 50 = 0 THEN w(i) := n END
         END",
    );
    assert_eq!(agree(&model, 2500).0, 529);
}

/// Functions of more arguments than a word has bits, changed at several points at once.
#[test]
fn long_functions_are_changed_in_place() {
    let (model, _) = model(
        "MACHINE T VARIABLES f, g
         INVARIANT f : 1..80 --> 0..2 & g : 1..70 +-> 0..1
         INITIALISATION f := %i.(i : 1..80 | i mod 3) || g := {}
         OPERATIONS
           swap(i) = PRE i : {1, 40, 79} THEN f := f <+ {i |-> f(i + 1), i + 1 |-> f(i)} END;
           same(i, j) = PRE i : {5, 6} & j : {6, 80} THEN f := f <+ {i |-> 0, j |-> f(i)} END;
           far = f := f <+ {80 |-> f(1) * 3, 81 |-> 0};
           put(i) = PRE i : {1, 70} THEN g := g \\/ {i |-> 1} END;
           take(i) = PRE i : {1, 2} THEN g := {i} <<| g END;
           drop(i) = PRE i : {1, 2} THEN g := g - {i |-> 1, i + 1 |-> 0} END;
           turn = f := %i.(i : 1..80 | f(81 - i))
         END",
    );
    let (states, _) = agree(&model, 1200);
    assert_eq!(states, 1200);
}
