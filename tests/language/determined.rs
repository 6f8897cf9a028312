//! What nothing bounds by itself, and conjuncts together do.

use super::*;

/// Numbers without bounds within records, functions, sequences and sets, where equations say what they are.
#[test]
fn equations_bound_what_is_inside() {
    all_hold(
        "",
        &[
            "card({r | r : struct(a : NATURAL, b : NATURAL) & r'a + r'b = 30}) = 31",
            "{r | r : struct(a : NATURAL, b : STRING) & r'a = 100 & r'b = \"x\"} = {rec(a : 100, b : \"x\")}",
            "{f | f : NATURAL +-> NATURAL & dom(f) = 1..3 & f(1) = 5 & f(2) = 6 & f(3) = f(1) + f(2)} = {[5, 6, 11]}",
            "card({f | f : INTEGER >+> 7..9 & dom(f) <: 20..21}) = 13",
            "{f | f : STRING +-> INTEGER & dom(f) = {\"a\", \"b\"} & f(\"a\") = 100 & f(\"b\") = f(\"a\") + 1} \
             = {{\"a\" |-> 100, \"b\" |-> 101}}",
            "{s | s : iseq(INTEGER) & ran(s) = {7, 9} & s(1) = 9} = {[9, 7]}",
            "{s | s : seq(INTEGER) & size(s) = 2 & ran(s) = {7, 9}} = {[7, 9], [9, 7]}",
            "{s | s : seq(INTEGER) & size(s) : 3..7 & first(s) = 1 & last(s) = 43 \
             & !i.(i : 1..size(s) - 1 => s(i + 1) = s(i) + 7)} = {[1, 8, 15, 22, 29, 36, 43]}",
            "{f | f : NATURAL +-> NATURAL & dom(f) = {2} & f <+ {1 |-> 50} = {1 |-> 50, 2 |-> 60}} = {{2 |-> 60}}",
            "{r | r : INTEGER <-> INTEGER & r~ = {5 |-> 1, 6 |-> 2}} = {{1 |-> 5, 2 |-> 6}}",
            "card({f | f : INTEGER <-> INTEGER & dom(f) <: {0, 1} & ran(f) <: {0, 1} & f = f~}) = 8",
            "card({t, x | t <: NATURAL & x : NATURAL & {5, 7, 200} = t \\/ {x}}) = 6",
            "{s | s <: NATURAL & s - {100} = {200, 300} & 100 : s} = {{100, 200, 300}}",
            "card({s | s <: NATURAL & union({s, {100}}) = {100, 200}}) = 2",
        ],
    );
}

/// One of several equations holds: which one is tried before any number is.
#[test]
fn disjunctions_bound_what_none_of_their_parts_does() {
    all_hold(
        "",
        &[
            "{s | s : seq(NATURAL) & size(s) = 2 & s(1) = 100 & (s(2) = s(1) + 1 or s(2) = s(1) + 2)} \
             = {[100, 101], [100, 102]}",
            "card({f | f : 1..3 --> NATURAL & f(1) = 100 & !i.(i : 1..2 => f(i + 1) = 2 * f(i) or f(i + 1) = f(i) + 5)}) \
             = 4",
            "{s | s : 1..7 --> INTEGER & s(1) = 1 & s(7) = 43 & !i.(i : 1..6 => s(i + 1) = 2 * s(i) or s(i + 1) = s(i) + 3)} \
             /= {}",
            "card({f | f : 1..2 --> INTEGER & (f(1) = 0 or f(1) = f(2)) & (f(2) = 1 or f(2) = 2)}) = 4",
            // Where a function is not defined its value is none of the candidates' business: each comes once.
            "card({f, x | f : 1..2 +-> INTEGER & x : INTEGER & 1 : dom(f) & f(1) = 100 \
             & (x = f(1) + 1 or x = f(1) + 2) & dom(f) = {1}}) = 2",
        ],
    );
}

/// Numbers are looked for from a bound on that is beyond the limits, too.
#[test]
fn numbers_beyond_the_limits_are_found_from_a_bound_on() {
    all_hold(
        "",
        &[
            "#x.(x : INTEGER & x < -100)",
            "not(!x.(x : NATURAL => x < 1000))",
            "#x.(x : NATURAL & x > 10000 & x mod 4 = 1)",
            "#(x, y).(x : NATURAL & y : NATURAL & x > 10 & y = x + 5 & y /= 17)",
        ],
    );
}

/// Sequences as values of a function, each with a length of its own.
#[test]
fn lengths_of_values_are_told() {
    all_hold(
        "",
        &[
            "card({f | f : 1..2 --> seq(1..3) & !i.(i : 1..2 => size(f(i)) = i)}) = 27",
            "card({f | f : seq(seq(1..3)) & size(f) = 2 & !i.(i : 1..2 => size(f(i)) <= 1)}) = 16",
            "#f.(f : 1..5 --> seq(1..5) & !i.(i : 1..5 => size(f(i)) = 2 & f(i)(2) > f(i)(1) + 2))",
            "card({f | f : 1..2 --> seq1(1..2) & !i.(i : 1..2 => i >= card(f(i)))}) = 12",
        ],
    );
}

/// As many values as are listed: all of them differ.
#[test]
fn as_many_as_are_listed_differ() {
    let all = [
        "card({q(1), q(2), q(3), q(4), q(5), q(6), q(7)}) = 7",
        "card(ran(q)) = 7",
        "7 <= card(q[1..7])",
        "card({x | #i.(i : 1..7 & x = q(i))}) = 7",
    ];
    let none = all.map(|all| format!("not(#q.(q : 1..7 --> 1..6 & {all}))"));
    all_hold("", &none.each_ref().map(|text| &**text));
    let some = all.map(|all| format!("#q.(q : 1..7 --> 1..7 & {all} & q(1) = 7)"));
    all_hold("", &some.each_ref().map(|text| &**text));
    all_hold("", &["card({f | f : 1..3 --> 1..4 & card(ran(f)) = 3}) = 24"]);
}

/// What is compared with a truth is what is said.
#[test]
fn truths_are_taken_at_their_word() {
    all_hold(
        "",
        &[
            "#p.(bool(p : 1..12 >->> 1..12) = TRUE & !i.(i : 1..11 => FALSE /= bool(p(i + 1) = p(i) mod 12 + 1)) & p(1) = 5)",
            "{x | FALSE = bool(x /: {3, 1000})} = {3, 1000}",
        ],
    );
}

/// Pairs of the members of a set that is not known.
#[test]
fn members_of_what_is_not_known() {
    all_hold(
        "",
        &[
            "#q.(q <: 1..40 & card(q) = 8 & !(a, b).(a : q & b : q & a < b => b - a >= 5))",
            "not(#q.(q <: 1..40 & card(q) = 9 & !(a, b).(a : q & b : q & a < b => b - a >= 5)))",
            "#q.(q <: (1..8) * (1..8) & card(q) = 8 & !(a, b, c, d).(a |-> b : q & c |-> d : q & a |-> b /= c |-> d \
             => a /= c & b /= d & a + b /= c + d & a - b /= c - d))",
            "#b.(b : 1..16 >->> 1..16 & #x.(x |-> 1 : b & x > 15))",
            "#b.(b : (1..4) * (1..4) >->> 1..16 & #(x, y).(b~(1) = x |-> y & x > 3))",
            "card({b | b : 1..3 >->> 1..3 & #x.(x |-> 1 : b & x > 1)}) = 4",
        ],
    );
}
