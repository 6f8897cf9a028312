//! Free types: which values they have, whether these are finitely many.

use super::*;

/// Sets that are smaller than their types, of all forms, and types that mention one another.
const TYPES: &str = "FREETYPES
  T = A, B(1..2);
  P = PA, PB(POW(1..2));
  Q = QB((1..2) * BOOL);
  E = EA(1..0), EB;
  M = M0, M1(T * BOOL);
  C = CA, CB(D); D = DA, DB(T);
  F = FA(1..2 --> T), FB({x | x : 0..9 & x mod 4 = 1}), FC(struct(a : T, b : BOOL));
  L = Nil, Cons((1..2) * L);
  N = Zero, More({n | n : N & n = Zero})";

#[test]
fn arguments_are_of_the_set_that_is_declared() {
    all_hold(
        TYPES,
        &[
            "T = {A, B(1), B(2)}",
            "ran(B) = {B(1), B(2)}",
            "dom(B) = 1..2 & dom(B~) = ran(B)",
            "B = {1 |-> B(1), 2 |-> B(2)} & B : 1..2 >-> T",
            "{x | x : T} = T & {x | x : T & x /= A} = ran(B)",
            "{x | x /= A & x : T} = T - {A}",
            "!x.(x : T => x : {A, B(1), B(2)})",
            "!x.(x : T & x /= A => B~(x) : 1..2)",
            "not(#x.(x : T & x /: {A, B(1), B(2)}))",
            "UNION(x).(x : ran(B) | {B~(x)}) = 1..2",
            "SIGMA(x).(x : T | 1) = 3",
            "PB = %s.(s : POW(1..2) | PB(s)) & card(ran(PB)) = 4 & {1, 2} : PB~[P]",
            "dom(QB) = (1..2) * BOOL & card(ran(QB)) = 4",
            "E = {EB} & ran(EA) = {}",
            "C = {CA, CB(DA), CB(DB(A)), CB(DB(B(1))), CB(DB(B(2)))}",
            "{x | x : N} = {Zero, More(Zero)}",
            // Of infinite ones the values are what they are, too.
            "!x.(x : {Nil, Cons(1, Nil)} => x : L)",
            "#x.(x : L & x /= Nil)",
        ],
    );
}

#[test]
fn finite_ones_are_finite() {
    all_hold(
        TYPES,
        &[
            "card(T) = 3 & card(P) = 5 & card(Q) = 4 & card(M) = 7 & card(C) = 5 & card(D) = 4",
            "card(F) = 9 + 3 + 6 & card(POW(T)) = 8 & card(T --> BOOL) = 8",
            "T : FIN(T) & T <: T & {A} <<: T & T : POW1(T) & @finite(T) & not(@finite(L))",
            "T * {1} = {A |-> 1, B(1) |-> 1, B(2) |-> 1}",
            "card(id(T)) = 3 & card(prj1(T, BOOL)) = 6 & card(closure({A |-> B(1)})) = 4",
            "card(T <-> {1}) = 8 & card(seq1(T) /\\ {[A], [B(1)]}) = 2",
            "ran(%x.(x : T | card({y | y : T & y /= x}))) = {2}",
        ],
    );
}

#[test]
fn values_of_any_kind_are_looked_for_among_them() {
    let text = format!(
        "MACHINE M {TYPES}
         CONSTANTS c, f
         PROPERTIES c : T & c /= A & f : T --> 0..1 & f(A) = 0 & f(B(1)) = 1 & f(B(2)) = 1
         VARIABLES x, s, r INVARIANT x : T & s <: T & r : T +-> 0..1 & s /= T
         INITIALISATION x :: T || s := {{}} || r := f
         OPERATIONS
           set(y) = PRE y : T & y /= x THEN x := y END;
           made = ANY n WHERE n : INTEGER & B(1) /= x & n : 1..2 THEN x := B(n) END;
           add = SELECT s = {{}} THEN s :: POW(T) - {{T}} END
         END"
    );
    let outcome = holds(&text);
    // Two values of c; three of x, seven of s.
    assert_eq!(outcome.states, 2 * 3 * 7);
}

#[test]
fn sets_of_arguments_are_there_before_constants() {
    let text = |set: &str| {
        format!(
            "MACHINE M FREETYPES T = A, B({set}) CONSTANTS k PROPERTIES k = 2
             VARIABLES v INVARIANT v : 1..2 INITIALISATION v := 1 END"
        )
    };
    assert_eq!(refused(&text("1..k")), ["free-type"]);
    assert_eq!(refused(&text("1..v")), ["free-type"]);
    assert!(refused(&text("1..MAXINT")).is_empty());
}
