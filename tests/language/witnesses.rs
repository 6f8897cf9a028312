//! Sets of what functions give, and values that need a place each, however they are worded.

use super::*;

/// As many arguments as values, one of them known: without a count of what is left there are twelve to the eleventh
/// functions to try.
#[test]
fn each_value_has_a_place() {
    let wordings = [
        "f : 1..12 -->> 1..12",
        "f : 1..12 --> 1..12 & ran(f) = 1..12",
        "f : 1..12 --> 1..12 & 1..12 <: ran(f)",
        "f : 1..12 --> 1..12 & f[1..12] = 1..12",
        "f : 1..12 --> 1..12 & !x.(x : 1..12 => #i.(i : 1..12 & f(i) = x))",
        "f : 1..12 --> 1..12 & {x | #i.(i : 1..12 & x = f(i))} = 1..12",
        "f : seq(1..12) & size(f) = 12 & ran(f) = 1..12",
    ];
    let held = wordings.map(|f| format!("#f.({f} & f(1) = 12 & f(12) = 1)"));
    all_hold("", &held.each_ref().map(|text| &**text));
    let none = wordings.map(|f| format!("not(#f.({f} & f(1) = 12 & f(12) = 12))"));
    all_hold("", &none.each_ref().map(|text| &**text));
}

/// Numbers of functions from four onto three: 36 in all, 12 with one value.
#[test]
fn places_leave_all_that_there_is() {
    let wordings = [
        "f : 1..4 -->> 1..3",
        "f : 1..4 --> 1..3 & ran(f) = 1..3",
        "f : 1..4 --> 1..3 & !x.(x : 1..3 => #i.(i : 1..4 & f(i) = x))",
        "f : 1..4 --> 1..3 & card({x | #i.(i : 1..4 & f(i) = x)}) = 3",
    ];
    let all =
        wordings.map(|f| format!("card({{f | {f}}}) = 36 & card({{f | {f} & f(2) = 3}}) = 12"));
    all_hold("", &all.each_ref().map(|text| &**text));
    // Two sets of values, of which one may have places in common with the other.
    all_hold(
        "",
        &[
            "card({f | f : 1..5 --> 1..4 & 1..3 <: f[1..3] & 2..4 <: f[3..5]}) = 8",
            "card({f | f : 1..5 --> 1..4 & 1..2 <: f[1..3] & 3..4 <: f[3..5]}) = 56",
        ],
    );
}

/// `{x | #t.(t : S & x = e(t))}` says what `ran(%t.(t : S | e(t)))` does.
#[test]
fn images_under_what_is_not_known() {
    all_hold(
        "",
        &[
            "#f.(f : 1..10 --> 0..21 & {x | #t.(t : 1..9 & x = f(t + 1) - f(t))} = {2})",
            "#f.(f : 1..10 --> 0..21 & card({x | #t.(t : 1..9 & f(t + 1) - f(t) = x)}) = 1 & f(1) = 20)",
            "card({f | f : 1..4 --> 0..3 & {x | x : INTEGER & #t.(t : 1..3 & x = f(t + 1) - f(t))} <: {0, 1}}) = 20",
            "card({f | f : 1..4 --> 0..3 & card({x | #t.(t : 1..3 & x = f(t + 1) - f(t))}) = 2}) = 90",
            "card({f | f : 1..4 --> 0..3 & max({x | #t.(t : 1..3 & x = f(t) * f(t + 1))}) = 4}) = 25",
            "card({f | f : 1..3 --> 0..3 & card({x | #t.(t : 1..3 & x = f(t) mod 3) & x : {1, 2}}) = 1}) = 38",
        ],
    );
}
