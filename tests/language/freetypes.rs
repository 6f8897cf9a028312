//! Free types: which values they have, whether these are finitely many, and functions of them.

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
    // And so is that of a constructor before what mentions it.
    let types = |list: &str| format!("MACHINE M FREETYPES {list} ASSERTIONS card(T) = 3 END");
    let (inner, outer) = ("I = C(1..2), D", "T = A, B(dom(C))");
    assert_eq!(refused(&types(&format!("{outer}; {inner}"))), ["free-type"]);
    assert_eq!(refused(&types("T = A, B(dom(B))")), ["free-type"]);
    holds(&types(&format!("{inner}; {outer}")));
}

const LISTS: &str = "FREETYPES L = Nil, Cons(INTEGER * L)
  DEFINITIONS head(l) == prj1(INTEGER, L)(Cons~(l)); rest(l) == prj2(INTEGER, L)(Cons~(l))";

/// As with functions of integers: they are applied, and never built.
#[test]
fn functions_of_infinite_ones_are_applied() {
    all_hold(
        &format!(
            "{LISTS}
             CONSTANTS one, filled, made, len, sum, max_, sorted
             PROPERTIES one = %l.(l : L | 1) & one : L --> INTEGER & filled = ran(Cons) &
               made : INTEGER * L --> L & made = Cons &
               len : L --> NATURAL &
               len = {{Nil |-> 0}} \\/ %l.(l : ran(Cons) | 1 + len(rest(l))) &
               sum : L --> INTEGER &
               sum = %l.(l : L & l = Nil | 0) \\/ %l.(l : L & l /= Nil | head(l) + sum(rest(l))) &
               max_ : ran(Cons) --> INTEGER &
               max_ = %l.(l : ran(Cons) | IF rest(l) = Nil THEN head(l)
                                          ELSE max({{head(l), max_(rest(l))}}) END) &
               sorted = %l.(l : L | bool(l = Nil or rest(l) = Nil or
                                        (head(l) <= head(rest(l)) & sorted(rest(l)) = TRUE)))"
        ),
        &[
            "one(Nil) = 1 & one(Cons(7, Nil)) = 1",
            "Nil /: filled & Cons(1, Nil) : filled",
            "made(5 |-> Nil) = Cons(5, Nil)",
            "len(Nil) = 0 & len(Cons(100, Cons(200, Cons(300, Cons(400, Nil))))) = 4",
            "sum(Cons(100, Cons(200, Cons(300, Cons(400, Nil))))) = 1000",
            "max_(Cons(3, Cons(500, Cons(4, Nil)))) = 500 & Nil /: dom(max_)",
            "sorted(Cons(1, Cons(2, Nil))) = TRUE & sorted(Cons(3, Cons(2, Nil))) = FALSE",
            "len[{Nil, Cons(1, Nil)}] = {0, 1}",
            "Nil : dom(len) & Cons(1, Nil) : dom(one)",
        ],
    );
}

#[test]
fn functions_of_infinite_ones_where_they_say_what_a_state_is() {
    let outcome = holds(&format!(
        "MACHINE M {LISTS} CONSTANTS len
         PROPERTIES len : L --> NATURAL & len = {{Nil |-> 0}} \\/ %l.(l : ran(Cons) | 1 + len(rest(l)))
         VARIABLES x INVARIANT x : L & len(x) <= 4 INITIALISATION x := Nil
         OPERATIONS push(n) = PRE n : 1..2 & len(x) < 4 THEN x := Cons(n, x) END;
           pop = PRE x : ran(Cons) THEN x := rest(x) END
         END"
    ));
    assert_eq!(outcome.states, 1 + 2 + 4 + 8 + 16);
}

/// Which cases cover a free type is seen from the constructors that they are for.
#[test]
fn types_of_functions_told_by_constructors() {
    let types = "FREETYPES T = Leaf(INTEGER), Node(T * T), Stop";
    let text = |value: &str, set: &str| {
        format!("MACHINE M {types} CONSTANTS f PROPERTIES f : {set} & f = {value} END")
    };
    let warned = |value: &str, set: &str| {
        let loaded = normalise::load_text("test.mch", &text(value, set));
        assert!(loaded.machine.is_some());
        loaded.diagnostics.iter().any(|d| d.code == "not-decided")
    };
    let leaf = "%x.(x : ran(Leaf) | 1)";
    let rest = "%x.(x : T & x /: ran(Leaf) & not(x = Stop) | 2)";
    assert!(!warned(&format!("{{Stop |-> 0}} \\/ {leaf} \\/ {rest}"), "T --> INTEGER"));
    assert!(!warned("%x.(x : T - ran(Node) | 1) \\/ %x.(x : ran(Node) | 2)", "T --> NATURAL"));
    assert!(!warned(leaf, "T +-> NATURAL") && !warned(leaf, "ran(Leaf) --> NATURAL"));
    // Something is left out, and something is there twice.
    assert!(warned(&format!("{leaf} \\/ {rest}"), "T --> INTEGER"));
    assert!(warned(&format!("{leaf} \\/ %x.(x : T - {{Stop}} | 1)"), "T +-> INTEGER"));
}
