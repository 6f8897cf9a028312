//! Sets that are infinite, or look so, beside finite ones: asked for members, and never built.

use super::*;

/// Of a set of values that some arguments give, an argument is looked for.
#[test]
fn values_of_unbounded_arguments_are_asked_for_an_argument() {
    all_hold(
        "",
        &[
            "4 : {x . x < 5 | x * x} & 3 /: {x . x < 5 | x * x} & -4 /: {n . 5 > n | n * n}",
            "16 : {x . x : NATURAL | x * x} & 17 /: {k . k : NATURAL | k * k}",
            "(1 |-> 4) : {x . x < 5 | x |-> x * x + 3} & (1 |-> 5) /: {x . x < 5 | x |-> x * x + 3}",
            "(2 |-> 4) : {x . x < 5 | x + 1 |-> x + 3} & (2 |-> 5) /: {x . x < 5 | x + 1 |-> x + 3}",
            "9 : UNION(x).(x < 5 | {x * x}) & 8 /: UNION(x).(x < 5 | {x * x})",
            "{x . x : 1..2 | x * x} <: {x . x < 5 | x * x} & {4, 5} /<: {a . a < 5 | a * a}",
            "{z . z < 5 | z * z} /\\ 0..10 = {0, 1, 4, 9} & (0..10) - {z . z < 5 | z * z} = {2, 3, 5, 6, 7, 8, 10}",
            "{x . x < 5 | x |-> x * x}(3) = 9 & {x . x < 5 | x |-> x * x}[{3, 7}] = {9}",
            "#q.(q = {x . x < 5 | x * x} & 4 : q & 3 /: q)",
            "!y.(y : 1..3 => y : {x . x < 5 | x})",
            // Those that are found from the names stay so.
            "card({x . x * x = 4 | 1..x}) = 2 & card({x . x * x = 4 | x + 1}) = 2 & {} : {x . x * x = 4 | 1..x}",
            "card(UNION(x).(x * x = 4 | 1..x)) = 2 & card(UNION(x).(x * x < 10 | {x + 1, x - 1})) = 9",
        ],
    );
}

/// The names in a sequence or a tuple that is in such a set are found by what describes it.
#[test]
fn names_in_sequences_are_found_by_what_describes_these() {
    all_hold(
        "",
        &[
            "{x, y | [x, y] : {s | s : seq({0, 1}) & s /= []}} = {0, 1} * {0, 1}",
            "{x, y | [y, x, y] : {t | t : seq(0..2) & size(t) = 3 & t(1) < t(2)}} = {1 |-> 0, 2 |-> 0, 2 |-> 1}",
            "{x, y | (x |-> [y]) : {p | p : NATURAL * seq(0..9) & prj1(NATURAL, seq(0..9))(p) = 2}} = {2} * (0..9)",
            "{x, y | x : 1..3 & y : 1..3 & [x, y] : {s | s : seq(NATURAL) & s(1) > s(2)}} = {2 |-> 1, 3 |-> 1, 3 |-> 2}",
        ],
    );
}

/// What is left of a finite relation by a set that looks infinite is asked pair by pair.
#[test]
fn finite_relations_are_restricted_by_infinite_sets() {
    all_hold(
        "",
        &[
            "{1 |-> 2, -1 |-> 3}[{x | x < 2}] = {2, 3} & {1 |-> 2, 4 |-> 3}[{x | 2 > x}] = {2}",
            "{x | x < 2} <| {1 |-> 2, 5 |-> 3} = {1 |-> 2} & {x | x < 2} <<| {1 |-> 2, 5 |-> 3} = {5 |-> 3}",
            "{1 |-> 2, 5 |-> 3} |> {x | x < 3} = {1 |-> 2} & {1 |-> 2, 5 |-> 3} |>> {x | x < 3} = {5 |-> 3}",
            "{1 |-> 2, 5 |-> 3} |>> ({x | x < 3} \\/ {9}) = {5 |-> 3}",
            "{1, 5} /\\ {x | x < 3} = {1} & {1, 5} - {x | x < 3} = {5}",
            "%x.(x : 1..5 | x * x)[{x | x < 3}] = {1, 4} & %x.(x : 1..3 | x * x)[NATURAL] = {1, 4, 9}",
            "{x | x < 3} <| %x.(x : 1..5 | x * x) = {1 |-> 1, 2 |-> 4}",
            "closure1({1 |-> 2, 2 |-> 3, 7 |-> 8})[{y | y < 2}] = {2, 3}",
        ],
    );
}

/// Sets of relations between something and nothing have few members, whatever the something is.
#[test]
fn members_beside_infinite_sets_are_counted() {
    all_hold(
        "CONSTANTS none, one PROPERTIES none <: INTEGER & none = {} & one = {7}",
        &[
            "card({} * INTEGER) = 0 & card(seq(BOOL) * {}) = 0 & card({} * (BOOL * INTEGER)) = 0",
            "card({x | x > 3} * none) = 0 & card(none * seq(one)) = 0 & card(seq(none)) = 1 & card(seq1(none)) = 0",
            "card({} <-> INTEGER) = 1 & card({} +-> INTEGER) = 1 & card({} --> INTEGER) = 1 & card({} >-> INTEGER) = 1",
            "card({} >+> INTEGER) = 1 & card({} -->> INTEGER) = 0 & card({} +->> INTEGER) = 0 & card({} >->> INTEGER) = 0",
            "card(INTEGER <-> {}) = 1 & card(INTEGER +-> {}) = 1 & card(INTEGER >+> {}) = 1 & card(INTEGER +->> {}) = 1",
            "card(INTEGER --> {}) = 0 & card(INTEGER >-> {}) = 0 & card(INTEGER -->> none) = 0 & card(INTEGER >->> {}) = 0",
            "card(INTEGER --> one) = 1 & card(INTEGER -->> one) = 1 & card(INTEGER <<-> one) = 1 & card(NATURAL >-> one) = 0",
            "card(one <->> NATURAL) = 1 & card(one -->> NATURAL) = 0 & card(BOOL >->> NATURAL) = 0 & card(perm(NATURAL)) = 0",
        ],
    );
    let kind = burnside::eval::FaultKind::InfiniteSet;
    for set in ["s * INTEGER", "INTEGER --> {1, 2}", "s +-> NATURAL", "seq(s)", "NATURAL <->> s"] {
        let text = format!(
            "MACHINE M VARIABLES s, n INVARIANT s <: INTEGER & n : INTEGER
             INITIALISATION s := {{5}} || n := 0 OPERATIONS op = n := card({set}) END"
        );
        let finding = run_text(&text).expect("runs").finding.expect("an error");
        assert!(finding.message.starts_with(kind.message()), "{set}: {}", finding.message);
    }
}

/// What all large numbers are in is infinite.
#[test]
fn infinite_sets_are_not_among_the_finite_ones() {
    all_hold(
        "CONSTANTS n PROPERTIES n = 3",
        &[
            "{x | x < 3} /: FIN(INTEGER) & {y | n < y} /: FIN1(INTEGER) & NATURAL /: FIN(INTEGER)",
            "{x | x : 10..100 or x < n} /: FIN(INTEGER) & {x | x >= n & x /= 7 & x /: 10..20} /: FIN(INTEGER)",
            "{x | not(x < 3)} /: FIN(INTEGER) & (INTEGER - {3}) /: FIN(INTEGER)",
            "%x.(x : NATURAL | x mod 2) /: FIN(INTEGER * INTEGER) & %x.(x > n | 1) /: FIN(INTEGER * INTEGER)",
            "{x | x > 1 & x < 5} : FIN(INTEGER) & {x | x * x = 4} : FIN(INTEGER) & {x | x > 3 & x < n} : FIN(INTEGER)",
            "{1 |-> 2} /: {x | x < n} --> INTEGER",
        ],
    );
}

/// `a * b <: c * d` is asked of the sides.
#[test]
fn products_are_compared_by_their_sides() {
    all_hold(
        "CONSTANTS none PROPERTIES none <: INTEGER & none = {}",
        &[
            "(1..1000) * (1..9000) <: (1..1000) * (1..9999) & (1..1000) * (1..9000) /<: (1..999) * (1..9999)",
            "(1..10000) * (1..10000) <: NATURAL * NATURAL & (0..10000) * (1..10000) /<: NATURAL1 * NATURAL",
            "(1..1000) * (1..9000) : (1..1000) <-> (1..9999) & (1..1000) * (1..9000) /: (2..1000) <-> (1..9999)",
            "(1..1000) * (1..9000) : POW((1..1000) * (1..9999)) & NATURAL * (0..5) : NATURAL <-> INTEGER",
            "NATURAL * (0..5) /: NATURAL1 <-> INTEGER & NATURAL * (0..5) <: NATURAL * INTEGER",
            "(1..1000) * (1..9000) = (1..1000) * (1..9000) & (1..1000) * (1..9000) /= (1..1000) * (1..9001)",
            "none * (1..5) <: {7} * {8} & (1..5) * none <: {7} * {8} & (1..2) * (3..4) /<: {1} * (3..4)",
            "none * (1..5) = (7..8) * none & none * (1..5) : {7} <-> {8}",
        ],
    );
}
