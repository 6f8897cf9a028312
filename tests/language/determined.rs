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

/// Functions to sequences, sets and records, which equations tell point by point.
#[test]
fn points_tell_functions_to_values_of_any_form() {
    all_hold(
        "SETS T = {t1, t2}; S = {a, b, c, d}",
        &[
            "card({f | f : T --> seq(S) & f(t1) = [a, b, c, d] & f(t2) = [d, c]}) = 1",
            "card({f | f : T --> POW(NATURAL) & f(t1) = {1, 2} & f(t2) = {5, 6}}) = 1",
            "card({f | f : T --> REAL & f(t1) = 1.5 & f(t2) = 2.0}) = 1",
            "card({f | f : T --> struct(n : NATURAL, s : STRING) & f(t1) = rec(n : 10, s : \"x\") \
             & f(t2) = rec(n : 20, s : \"y\")}) = 1",
            "card({f | f : T --> seq(NATURAL) * BOOL & f(t1) = ([8], TRUE) & f(t2) = ([], FALSE)}) = 1",
            "card({f | f : T --> (S --> NATURAL) & f(t1) = S * {10} & f(t2) = S * {9}}) = 1",
            "card({f | f : T --> (S <-> INTEGER) & f(t1) = {a |-> 8} & f(t2) = {}}) = 1",
            "card({f | f : T +-> POW(NATURAL) & dom(f) = {t1} & f(t1) = {10}}) = 1",
            "card({f | f : seq(seq(S)) & size(f) = 2 & f(1) = [a, b, c, d] & f(2) = []}) = 1",
            "card({f | f : T --> seq(S) & !t.(t : T => f(t) = [])}) = 1",
            "card({f | f : 1..2 --> POW(seq(1..2)) & !k.(k : 1..2 => f(k) = {[k]})}) = 1",
        ],
    );
}

/// What is onto a set need not be onto another one that its results are told to be in.
#[test]
fn functions_onto_a_set_are_not_onto_what_bounds_their_results() {
    all_hold(
        "",
        &[
            "#(n, f).(n : 0..1 & f : {1} -->> seq(1..n) & !x.(x : {1} => f(x) : {[], [1]}))",
            "#(n, f).(n : 0..1 & f : {1} +->> seq(1..n) & ran(f) <: {[], [1]} & dom(f) = {1})",
            "#(s, f).(s : POW(1..2) & f : 1..2 -->> seq(s) & !x.(x : 1..2 => f(x) : {[], [1]}))",
            "#(s, f).(s : POW(1..2) & f : 1..2 +->> seq(s) & ran(f) <: {[], [1]} & dom(f) = 1..2)",
            "card({f | f : NATURAL +->> {5, 6} & dom(f) = 0..2 & ran(f) <: {5, 6, 7}}) = 6",
        ],
    );
}

/// No size is below 0: a sum of them bounds each.
#[test]
fn sums_of_sizes_bound_sequences() {
    all_hold(
        "",
        &[
            "card({u, v | u : seq({1}) & v : seq({1}) & size(u) + size(v) = 2}) = 3",
            "card({u, v, w | u : seq(BOOL) & v : seq(BOOL) & w : seq(BOOL) & size(u) + size(v) + size(w) <= 2}) = 31",
        ],
    );
}

/// What all results of a function are in, or within.
#[test]
fn results_are_bounded_for_all_arguments_at_once() {
    all_hold(
        "SETS T = {t1, t2}",
        &[
            "card({f | f : T --> POW(INTEGER) & !t.(t : T => f(t) <: 1..2)}) = 16",
            "card({f | f : 1..3 --> POW(INTEGER) & !i.(i : 1..3 => f(i) <: 1..i)}) = 64",
            "card({f | f : 1..2 --> seq(INTEGER) & !i.(i : 1..2 => f(i) : {[], [i], [i, 7]})}) = 9",
        ],
    );
}

/// What divides all factors of a sum divides its constant, or there are no such integers: bounds alone would creep.
#[test]
fn sums_of_multiples_are_multiples() {
    all_hold(
        "",
        &[
            "{a, b | a : INTEGER & b : NATURAL & 2 * a + 2 * b = 5} = {}",
            "{a, b | a : NATURAL & b : NATURAL & 6 * a + 9 * b = 43} = {}",
            "{a, b | a : 0..1000000000 & b : -1000000000..1000000000 & 2 * a + 2 * b = 5} = {}",
            "{a, b, c | a : INTEGER & b : NATURAL & c : 0..3 & 2 * a + 2 * b + 2 * c = 5} = {}",
            "card({a, b | a : -9..9 & b : -9..9 & 4 * a = 6 * b + 2}) = 6",
        ],
    );
}

/// Equations that bound nothing one by one.
#[test]
fn systems_of_equations_are_solved() {
    all_hold(
        "",
        &[
            "{x, y | x : INTEGER & y : INTEGER & y - x = 200 & x + y = 1000} = {400 |-> 600}",
            "{x, y, z | x : INTEGER & y : INTEGER & z : INTEGER & x + y = 30 & x - y = 4 & z = x * y} = {17 |-> 13 |-> 221}",
            "{x, y | x : INTEGER & y : INTEGER & 2 * x + 3 * y = 120 & 3 * x - 2 * y = 50} = {30 |-> 20}",
            "{x, y | x : INTEGER & y : INTEGER & x + y = 3 & x + y = 4} = {}",
            "{x, y, z | x : INTEGER & y : INTEGER & z : INTEGER & x + y + z = 60 & x - y = 10 & y - z = 10} \
             = {30 |-> 20 |-> 10}",
            "card({f | f : 1..2 --> INTEGER & f(1) + f(2) = 10 & f(1) - f(2) = 2}) = 1",
            "card({x, y, z | x : 0..5 & y : INTEGER & z : INTEGER & x + y = z & z - y - x = 0 & y = 2 * z}) = 6",
        ],
    );
}

/// What is made from a number is made once others have bounded it.
#[test]
fn what_is_made_from_a_number_waits_for_its_bounds() {
    all_hold(
        "",
        &[
            "{b, c | b : NATURAL & b * b = 49 & c = 1..b} = {7 |-> 1..7}",
            "{b, c | b : NATURAL & c = b..b + 1 & b + b = 14} = {7 |-> 7..8}",
            "{b, c, d | b : NATURAL & b * b = 49 & c = 1..d & d = b + 1} = {7 |-> 1..8 |-> 8}",
            "{b, c | b : NATURAL & b ** 2 = 49 & c = %x.(x : 1..b | x)} = {7 |-> [1, 2, 3, 4, 5, 6, 7]}",
            "{b, c | b : NATURAL & b * b = 49 & c = SIGMA(x).(x : 1..b | x)} = {7 |-> 28}",
            "card({b, c | b : NATURAL & b + b = 14 & c <: 1..b & card(c) = 6}) = 7",
            "{b, c | b : NATURAL & b + b = 15 & c = 1..b} = {}",
        ],
    );
    holds("MACHINE M CONSTANTS n, S PROPERTIES n : NATURAL & n + n = 14 & S = 1..n VARIABLES x INVARIANT x : S
           INITIALISATION x := 1 OPERATIONS up = PRE x < n THEN x := x + 1 END END");
}

/// What a relation has at some arguments and what it has at all others is all of it.
#[test]
fn relations_are_told_by_their_restrictions() {
    for (relation, said, count) in [
        ("INTEGER <-> INTEGER", "{1} <<| r = {2 |-> 3} & r[{1}] = {5}", 1),
        ("INTEGER <-> INTEGER", "{1} <<| r = {3 |-> 4} & r[{1}] <: {7, 8}", 4),
        ("INTEGER <-> INTEGER", "{1} <<| r <: {3 |-> 4} & r[{1}] <: {7, 8}", 8),
        ("INTEGER +-> INTEGER", "{1, 2} <<| r = {7 |-> 4} & {1, 2} <| r = {2 |-> 1}", 1),
        ("INTEGER +-> INTEGER", "r |>> {1} = {7 |-> 4} & r |> {1} = {3 |-> 1}", 1),
        ("INTEGER +-> INTEGER", "r <+ {1 |-> 2} = {1 |-> 2, 3 |-> 4} & r[{1}] = {50}", 1),
        ("INTEGER +-> INTEGER", "{30} <<| r = {30} <<| {1 |-> 2, 30 |-> 4} & 30 |-> 100 : r", 1),
        (
            "INTEGER +-> INTEGER",
            "{30} <<| r = {1 |-> 2} & 30 |-> 100 : r & r : INTEGER >-> 0..9",
            0,
        ),
    ] {
        all_hold("", &[&format!("card({{r | r : {relation} & {said}}}) = {count}")]);
    }
}

/// A function that is equal to what is made of itself has its arguments all the same.
#[test]
fn functions_are_made_of_themselves() {
    for (function, text) in [
        ("(0..2) * {3}", "%x.(x : 0..2 | card(f))"),
        ("{0 |-> 3, 1 |-> 4, 2 |-> 5}", "%x.(x : 0..2 | x + card(f))"),
        ("(0..1) * (0..1) * {4}", "%(x, y).(x : 0..1 & y : 0..1 | card(f))"),
        ("[2, 2]", "[card(f), 2]"),
        ("[3, 3, 4]", "[size(f), 3, 4]"),
        ("{7 |-> 1}", "{7 |-> card(f)}"),
    ] {
        all_hold("", &[&format!("{{f | f = {text}}} = {{{function}}}")]);
    }
}

/// What is said of the value at each place of a sequence is said of its values.
#[test]
fn sequences_of_texts_are_told_place_by_place() {
    for (said, count) in [
        ("size(s) = 2 & !i.(i : dom(s) => s(i) : {\"a\", \"b\"})", 4),
        ("size(s) = 2 & !i.(i : 1..2 => s(i) : {\"a\", \"b\"}) & s(1) /= s(2)", 2),
        ("size(s) <= 2 & !i.(i : dom(s) => s(i) : {\"a\", \"b\"})", 7),
        ("card(s) = 2 & !i.(i : dom(s) => s(i) : {\"a\", \"b\"})", 4),
    ] {
        all_hold("", &[&format!("card({{s | s : seq(STRING) & {said}}}) = {count}")]);
    }
    all_hold(
        "",
        &[
            "card({f | f : {\"k\", \"l\"} +-> STRING & !i.(i : dom(f) => f(i) : {\"a\", \"b\"})}) = 9",
        ],
    );
}

/// Beyond the roots of a polynomial there is nothing to be found.
#[test]
fn polynomials_bound_their_names() {
    all_hold(
        "",
        &[
            "{x | x : INTEGER & x * x * x - 6 * x * x + 11 * x - 6 = 0} = 1..3",
            "{x | x : INTEGER & x * x * x = 117600 + x} = {49}",
            "{x | x : INTEGER & x ** 3 - x = 0} = {-1, 0, 1}",
            "{x | x : NATURAL & x * x * x < 1600 * x} = 1..39",
            "{x | x : INTEGER & x * x * x * x <= 5 * x * x - 4} = {-2, -1, 1, 2}",
            "{x | x : INTEGER & -(x ** 4) + 17 * x ** 2 > 15} = -4..-1 \\/ 1..4",
            "{x | x : INTEGER & x < 0 & x * x * x > x - 100} = -4..-1",
            "{x | x : INTEGER & x ** 5 - x = 7} = {} & not(#x.(x : INTEGER & x * x * x * x + 1 = 3 * x))",
        ],
    );
}
