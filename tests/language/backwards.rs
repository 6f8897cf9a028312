//! Values found backwards: parts of sequences, and what implications ask for.

use super::*;

/// A sequence is cut in all ways, however the parts are written.
#[test]
fn sequences_are_taken_apart() {
    all_hold(
        "SETS S = {a, b}",
        &[
            "{p, q | p : seq(S) & q : seq(S) & p ^ q = [a, b]} =
               {[] |-> [a, b], [a] |-> [b], [a, b] |-> []}",
            "{p, q | p : seq(S) & q : seq(S) & [a, b, a] = p ^ [b] ^ q} = {[a] |-> [a]}",
            "{p | p : seq(NATURAL) & rev(p) ^ [900] = [7, 800, 900]} = {[800, 7]}",
            "{p, x | p : seq(INTEGER) & p <- x = [70, 80, 90]} = {[70, 80] |-> 90}",
            "{p, x | p : seq(INTEGER) & rev(p <- x) = [70, 80, 90]} = {[90, 80] |-> 70}",
            "{p, x | p : seq(INTEGER) & x -> p = [70, 80, 90]} = {[80, 90] |-> 70}",
            "{p | p : seq(INTEGER) & p ^ p = [50, 60, 50, 60]} = {[50, 60]}",
            "{p | p : seq(INTEGER) & p ^ p = [50, 60, 60, 50]} = {}",
            "{p | p : seq(INTEGER) & conc([[100], p, [200, 300]]) = [100, 5, 200, 300]} = {[5]}",
            "{x, y | [x, y] ^ [30] = [10, 20, 30]} = {10 |-> 20}",
            "not(#p.(p : seq(INTEGER) & [1] ^ p = [2, 1]))",
            "{p | p : iseq(INTEGER) & p ^ [40] = [40, 50, 40]} = {[40, 50]}",
            // What is no sequence has no parts.
            "{p | p : seq(INTEGER) & p ^ [40] = {2 |-> 40}} = {}",
        ],
    );
}

/// What is left of a sequence tells its length, and most of its members.
#[test]
fn sequences_are_found_from_what_is_left_of_them() {
    all_hold(
        "SETS S = {a, b}",
        &[
            "{p | p : seq(300..302) & front(p) = [300, 301]} =
               {[300, 301, 300], [300, 301, 301], [300, 301, 302]}",
            "{p | p : seq(INTEGER) & tail(p) = [700, 800, 900] & first(p) = 600} =
               {[600, 700, 800, 900]}",
            "{p | tail(p) = [700, 800, 900] & p(1) + 1 = 600} = {[599, 700, 800, 900]}",
            "{p | rev(p) = [700, 800, 900]} = {[900, 800, 700]}",
            "{p | p : seq(INTEGER) & rev(front(p)) = [70, 60] & last(p) = 80} = {[60, 70, 80]}",
            "{p | p : seq(INTEGER) & size(p) = 4 & p /|\\ 2 = [100, 200] & p \\|/ 2 = [300, 400]} =
               {[100, 200, 300, 400]}",
            "{p | p : seq(S) & front(p) = {2 |-> a}} = {}",
            "{p | p : seq(S) & front(p) = [a, a, a, a, a, a, a, a, a, b, b, b] & last(p) = b} =
               {[a, a, a, a, a, a, a, a, a, b, b, b, b]}",
        ],
    );
}

/// Sequences whose length is not known are found by what they have to have.
#[test]
fn sequences_of_some_length_are_solved_for() {
    let s = "{14875, 29802, 44882, 60940, 79742, 103440, 14900, 29793, 44718, 60776, 79423}";
    let ordered = "!i.(i : 1..size(p) - 1 => p(i) < p(i + 1))";
    let all_of = format!("{{p | p : iseq1({s}) & {ordered} & ran(p) = {s}}}");
    let parts = format!("{{p | p : iseq({s}) & {ordered} & size(p) >= 10}}");
    let bounded = "{p | p : seq(1..9) & size(p) <= 6 & SIGMA(i).(i : dom(p) | p(i)) = 53}";
    all_hold(
        "",
        &[
            &format!("card({all_of}) = 1"),
            &format!("!p.(p : {all_of} => size(p) = 11 & p(1) = 14875 & last(p) = 103440)"),
            &format!("card({parts}) = 12"),
            "{p | p : seq(1..9) & size(p) <= 6 & SIGMA(i).(i : dom(p) | p(i)) >= 54} = {[9, 9, 9, 9, 9, 9]}",
            &format!("card({bounded}) = 6"),
            "{p | p : seq(1..3) & size(p) < 3 & p /= [] & first(p) = last(p)} =
               {[1], [2], [3], [1, 1], [2, 2], [3, 3]}",
            "{p | p : iseq(1..9) & size(p) = 9 & tail(p) = [8, 7, 6, 5, 4, 3, 2, 1]} =
               {[9, 8, 7, 6, 5, 4, 3, 2, 1]}",
            "{p | p : iseq1(1..10) & card(p) = 2 & p(1) + p(2) = 19} = {[9, 10], [10, 9]}",
        ],
    );
}

/// With something that is no sequence a concatenation is undefined, and no candidate is refuted by it.
#[test]
fn parts_that_are_no_sequences_are_errors() {
    let text =
        "MACHINE M CONSTANTS t PROPERTIES t : {{2 |-> 1}, {1 |-> 1}} & rev(t) ^ [1] = [2, 1] END";
    let outcome = run_text(text).expect("loads");
    assert_eq!(outcome.verdict, Verdict::StateError, "{:?}", outcome.finding);
}

/// The condition of an implication is known: what it asks for is the value.
#[test]
fn implications_give_values() {
    all_hold(
        "",
        &[
            "{x, y | x : 1..3 & (x = 1 => y = 1000) & (x > 1 => y = 2000 * x)} =
               {1 |-> 1000, 2 |-> 4000, 3 |-> 6000}",
            "{x, y | x : 1..2 & (x /= 1 or 4000 = y) & (not(x = 1) => y = 5000 & y > x)} =
               {1 |-> 4000, 2 |-> 5000}",
            // The first asks for a value that the second refutes.
            "{x, y | x : 1..2 & (x < 5 => y = 7000) & (x = 2 => y = 8000)} = {1 |-> 7000}",
            // Where no condition is true, the rest decides.
            "{x, y | x : 1..2 & (x = 1 => y = 3000) & y : {3000, 9000}} =
               {1 |-> 3000, 2 |-> 3000, 2 |-> 9000}",
            "{x, y | x : 1..2 & (x = 1 => y = 3000) & y + y = 6000} = {1 |-> 3000, 2 |-> 3000}",
            "{x, s | x : 1..2 & s <: INTEGER & (x = 1 => s = {x, 99}) & (x = 2 => s = {})} =
               {1 |-> {1, 99}, 2 |-> {}}",
        ],
    );
}

/// The length of a sequence and the product of numbers leave few candidates.
#[test]
fn lengths_and_products_leave_few_candidates() {
    all_hold(
        "",
        &[
            "card({s | s : seq(BOOL) & card(s) = 12}) = 4096 & {s | s : seq1(BOOL) & 0 = size(s)} = {}",
            "{s | s : seq(BOOL) & size(s) = -1} = {} & card({s | s : iseq(1..3) & size(s) = 2}) = 6",
            "{n, s | n : 0..2 & s : seq({7}) & card(s) = n} = {0 |-> [], 1 |-> [7], 2 |-> [7, 7]}",
            "card({f | f : 1..3 --> 0..600 & f(1) * f(2) * f(3) = 30030 & f(1) + f(2) + f(3) = 96}) = 6",
        ],
    );
}

/// A member of a set of sequences is taken apart where it is named as one that is put together.
#[test]
fn members_are_taken_apart() {
    let holding = |predicates: &[&str]| {
        all_hold(
            "SETS S = {a, b, c} CONSTANTS r PROPERTIES r = {a |-> [a, b], a |-> [c], b |-> [a]}",
            predicates,
        );
    };
    holding(&[
        "{g | a |-> ([a]^g) : r} = {[b]}",
        "{g, x | x |-> ([x]^g) : r} = {[b] |-> a}",
        "{g, h | h = g^[c] & a |-> (a -> g) : r} = {[b] |-> [b, c]}",
        "{x, p | x |-> (p <- c) : r} = {a |-> []}",
        "{p | [a]^p : ran(r)} = {[b], []}",
        "#g.(b |-> rev(g) : r & g = [a])",
        "{g | a |-> ([b]^g) : r} = {}",
    ]);
}

/// Constructors are injective: what a value was made of is known.
#[test]
fn values_of_free_types_are_taken_apart() {
    all_hold(
        "FREETYPES T = Leaf(INTEGER), Node(T * T), Stop",
        &[
            "#x.(x = Leaf(600) & {a | x = Leaf(a)} = {600})",
            "#x.(x = Node(Leaf(70) |-> Stop) & {l, r | Node(l |-> r) = x} = {Leaf(70) |-> Stop})",
            "#x.(x = Node(Leaf(70) |-> Stop) & {a | #b.(x = Node(Leaf(a) |-> b))} = {70})",
            "#x.(x = Stop & {a | x = Leaf(a)} = {})",
            "#x.(x = Leaf(600) & !a.(a : INTEGER & x = Leaf(a) => a > 599))",
            "#x.(x = Leaf(600) & not(#l.(x = Node(l |-> Stop))))",
            "{a | Leaf(a) : {Leaf(500), Stop, Leaf(600)}} = {500, 600}",
        ],
    );
}

/// Sequences up to a length are finitely many, and so are all found.
#[test]
fn lengths_that_are_bounded_leave_finitely_many() {
    all_hold(
        "SETS S = {a, b}",
        &[
            "card({p | p : seq(S) & size(p) <= 5}) = 63",
            "card({p | p : seq(S) & size(p) < 5}) = 31",
            "card({p | p : seq1(S) & 5 >= card(p)}) = 62",
            "card({p, n | n : 0..4 & p : seq({a}) & n > size(p)}) = 10",
            "{p | p : seq(S) & size(p) < 0} = {}",
        ],
    );
}
