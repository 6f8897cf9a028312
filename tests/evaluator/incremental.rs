//! Quantifiers that are asked again only where something has changed, against an evaluator that always asks all.

use super::model;
use super::remembered::agree;

/// An array that is held by a number: single results change, two at a time, and its domain.
#[test]
fn points_of_an_array() {
    let (model, _) = model(
        "MACHINE T VARIABLES a, i
         INVARIANT a : 1..70 +-> INTEGER & i : 0..70 &
            !k.(k : dom(a) => a(k) <= 9) &
            !k.(k : 1..69 & k : dom(a) & k + 1 : dom(a) => a(k + 1) - a(k) <= 8) &
            !(k, l).(k : dom(a) & l : k + 1..70 & l : dom(a) => a(k) + a(l) < 19 + i)
         INITIALISATION a := (1..70) * {0} || i := 0
         OPERATIONS
           up(k) = PRE k : {1, 2, 35, 69, 70} & k : dom(a) & a(k) < 13 THEN a(k) := a(k) + 4 END;
           swap(k, l) = PRE k : {2, 36} & l : {3, 70} & {k, l} <: dom(a) THEN
             a := a <+ {k |-> a(l), l |-> a(k)} END;
           lose = PRE i < 70 THEN i := i + 1 || a := {i} <<| a END;
           again = BEGIN a := (1..70) * {i mod 3} END
         END",
    );
    assert_eq!(agree(&model, 250), (250, 0));
}

/// Functions that are held point by point, sets of elements, of numbers and of records in bits, a relation.
#[test]
fn points_and_members_that_the_state_holds() {
    let (model, _) = model(
        "MACHINE T SETS K = {req, ack, nak} CONSTANTS P PROPERTIES P = 1..16
         VARIABLES st, tk, late, msgs, r
         INVARIANT st : P --> K & tk : P --> 0..3 & late <: P & r : P <-> P &
            msgs <: struct(src : 1..5, dst : 1..5, k : K) &
            !(p, q).(p : P & q : P & p < q & st(p) = ack & st(q) = ack => tk(p) /= tk(q) or p : late) &
            !p.(p : late => !q.(q : P & q /= p => tk(q) + tk(p) <= 5 or p |-> q : r)) &
            !(p, q).(p |-> q : r => !u.(u : P & q |-> u : r => p |-> u : r or st(u) = nak)) &
            !(m, n).(m : msgs & n : msgs & m'src = n'dst & m'k = ack => n'k /= nak or m'dst : late)
         INITIALISATION st := P * {req} || tk := P * {0} || late := {} || msgs := {} || r := {}
         OPERATIONS
           ask(p) = PRE p : {1, 8, 16} & tk(p) < 3 THEN tk(p) := tk(p) + 1 || st(p) := ack END;
           end(p) = PRE p : {1, 16} THEN st(p) := nak || late := late \\/ {p} END;
           send(s, d, c) = PRE s : {1, 5} & d : 4..5 & c : K & card(msgs) < 4 THEN
             msgs := msgs \\/ {rec(src : s, dst : d, k : c), rec(src : d, dst : s, k : c)} END;
           join(p, q) = PRE p : {1, 8} & q : {8, 16} & p /= q THEN r := r \\/ {p |-> q} END
         END",
    );
    assert_eq!(agree(&model, 2000), (2000, 0));
}

/// What is undefined at a point that has changed is undefined; a set too large for its field, pairs as arguments.
#[test]
fn what_is_undefined_where_something_has_changed() {
    let (model, _) = model(
        "MACHINE T CONSTANTS g PROPERTIES g = %k.(k : 1..9 | 90 / k)
         VARIABLES a, s, m
         INVARIANT a : 1..40 --> INTEGER & s <: NATURAL & m : (1..8) * (1..8) --> INTEGER &
            !k.(k : 1..40 => 100 / (a(k) - 6) < 60 or g(a(k)) = 0) &
            !n.(n : s => 100 mod (n - 4) < 50) &
            !(i, j).(i : 1..8 & j : 1..8 & i /= j => m(i, j) + m(j, i) /= 5) &
            !i.(i : 2..8 => m(i - 1, i) / m(1, 1) <= 2)
         INITIALISATION a := (1..40) * {1} || s := 10..70 || m := (1..8) * (1..8) * {2}
         OPERATIONS
           up(k) = PRE k : {1, 20, 40} & a(k) < 9 THEN a(k) := a(k) + 1 END;
           take(n) = PRE n : {10, 40} THEN s := s - {n} END;
           put(n) = PRE n : {3, 4, 900} THEN s := s \\/ {n} END;
           set(i, j, n) = PRE i : {1, 2} & j : {1, 8} & n : {0, 3} THEN m(i, j) := n END
         END",
    );
    let (states, undefined) = agree(&model, 2000);
    assert!(states == 2000 && undefined > 100 && undefined < 1900, "{states} {undefined}");
}

/// A number of more than 64 bits is no word that a name could have.
#[test]
fn numbers_of_any_size_come_in() {
    let (model, _) = model(
        "MACHINE T VARIABLES s, n
         INVARIANT s <: INTEGER & n : 0..40 & !x.(x : s => x < 1000)
         INITIALISATION s := 100..200 || n := 0
         OPERATIONS
           put(x) = PRE x : {1, 9999, 2**70} & n < 40 THEN s := s \\/ {x} || n := n + 1 END;
           take(x) = PRE x : {1, 2**70, 150} THEN s := s - {x} END
         END",
    );
    let (states, undefined) = agree(&model, 1000);
    assert!(states > 100 && undefined == 0, "{states} {undefined}");
}
