//! Constants that are found by what conjuncts say together, each in more than one wording.

use super::puzzles::solutions;
use super::*;
use burnside::report::bounds;

/// Queens on five rows as pieces on squares; the text says when two squares hold no two of them.
fn board(apart: &str) -> u64 {
    let text = format!(
        "MACHINE B SETS PIECE = {{queen, none}} CONSTANTS b PROPERTIES
           b : (1..5) * (1..5) --> PIECE & card({{i, j | i : 1..5 & j : 1..5 & b(i, j) = queen}}) = 5 &
           !(i, j, k).(i : 1..5 & j : 1..5 & k : 1..4 & b(i, j) = queen => {apart}) END"
    );
    holds(&text).states
}

#[test]
fn counts_of_what_excludes_itself() {
    let squares = "(i + k |-> j) /: b~[{queen}] & (i |-> j + k) /: b~[{queen}] &
        (i + k |-> j + k) /: b~[{queen}] & (i + k |-> j - k) /: b~[{queen}]";
    assert_eq!(board(squares), 10);
    let images = "b[{(i + k, j)}] /= {b(i, j)} & not({queen} = b[{i |-> j + k}]) &
        b[{(i + k, j + k)}] /= {queen} & b[{(i + k, j - k)}] /= {b(i, j)}";
    assert_eq!(board(images), 10);
}

#[test]
fn lambdas_and_projections_of_unknowns() {
    let lambda = "x : 1..100 & y : 1..200 & (%k.(k : 1..100 | 2 * k))(x) = y & x + y > 297";
    assert_eq!(solutions("x, y", lambda), 1);
    let pairs = "p : 1..4 --> (1..60) * (1..60) & !i.(i : 1..3 =>
        prj2(INTEGER, INTEGER)(p(i)) = prj1(1..60, 1..60)(p(i + 1)) &
        prj1(INTEGER, INTEGER)(p(i)) + 18 < prj2(INTEGER, INTEGER)(p(i))) &
        prj1(1..60, 1..60)(p(4)) < prj2(1..60, 1..60)(p(4))";
    let starts = |gap: u64| {
        let mut count = 0;
        for a in 1..=60u64 {
            for b in a + gap..=60 {
                for c in b + gap..=60 {
                    for d in c + gap..=60 {
                        count += 60 - d;
                    }
                }
            }
        }
        count
    };
    assert_eq!(solutions("p", pairs), starts(19));
    let undefined = "MACHINE P CONSTANTS x, y PROPERTIES x : 0..100 & y : 0..200 &
        (%k.(k : 1..100 | 2 * k))(x) = y END";
    let outcome = run_text(undefined).expect("runs");
    assert_eq!(outcome.verdict, Verdict::StateError, "nothing else is false of 0");
}

#[test]
fn divisors_that_are_not_known() {
    let rests = "d : {11, 13, 17} & r : 1..4 --> NATURAL & !i.(i : 1..4 => r(i) = (i * 113) mod d)";
    assert_eq!(solutions("d, r", rests), 3);
    let parts = "d : 2..5 & x : 0..5000 & y : 0..5000 & x / d = y & x mod d = d - 1 & y = 700";
    assert_eq!(solutions("d, x, y", parts), 4);
}

#[test]
fn sets_that_other_conjuncts_bound() {
    let colours = "even /\\ odd = {} & even \\/ odd = (1..3) * (1..2) &
        even = {x, y | x : 1..3 & y : 1..2 & (x + y) mod 2 = 0}";
    assert_eq!(solutions("even, odd", colours), 1);
    assert_eq!(solutions("p, q", "1..3 = q \\/ p & q /\\ p = {}"), 8);
    assert_eq!(solutions("r", "dom(r) = 4..5 & ran(r) <: {10, 20}"), 9);
    assert_eq!(solutions("r", "{10, 20} = ran(r) & dom(r) <: 4..5 & card(r) = 3"), 4);
    let all = "2 : s & !y.(y : s => #z.(y |-> z = 2 |-> 3 or y |-> z = 4 |-> 5))";
    assert_eq!(solutions("s", all), 2);
    let pairs = "!(a, b).(a |-> b : r => a : 1..2 & b = a + 1) & card(r) = 1";
    assert_eq!(solutions("r", pairs), 2);
    assert_eq!(solutions("a, b, s", "(-a, b + 1, a, b, s) = (-41, 7, 41, 6, {2})"), 1);
    assert_eq!(solutions("x, p", "x : 1..30 & #k.(k : 2..5 & p = x * x & k * k = x)"), 4);
}

/// Values that quantified names tell: they are found along with these, each once.
#[test]
fn values_that_witnesses_tell() {
    assert_eq!(solutions("x", "#y.(y : 1..1000 & x = y * y)"), 1000);
    assert_eq!(solutions("x", "x : {n | #y.(y : 1..1000 & y * y = n)} & x > 998000"), 2);
    let triangles = "c = card({x | #y.(y : 1..900 & x = y * (y + 1) / 2)}) & c = 900";
    assert_eq!(solutions("c", triangles), 1);
    let products = |low: u64, high: u64| {
        let all = (low..=high).flat_map(|a| (low..=high).map(move |b| a * b));
        all.collect::<std::collections::BTreeSet<u64>>().len()
    };
    let text = "c = card({x | #(a, b).(a : 50..150 & b : 50..150 & a * b = x)})";
    assert_eq!(solutions("c", &format!("{text} & c = {}", products(50, 150))), 1);
    let pairs = "s = {x, y | #i.(i : 1..400 & y = i + 2 & x = i + 1)} & card(s) = 400";
    assert_eq!(solutions("s", pairs), 1);
    // There are many more witnesses than values.
    let few = "s = {x | x : 1..10 & #(a, b, c).({a, b, c} <: 1..1000 & x = (a + b + c) mod 10)}";
    assert_eq!(solutions("s", &format!("{few} & s = 1..9")), 1);
    let cubes = "#(a, b).(a : 0..3 & b : 0..3 & x = a + b) & #c.(c : 0..3 & x = c * c)";
    assert_eq!(solutions("x", cubes), 3);
}

/// What an equation computes is not tried, whatever it is between.
#[test]
fn values_that_are_computed_are_not_tried() {
    let divisors = "x : 1..600 & n : 1..600 & n = card({d | d : 1..x & x mod d = 0}) & n > 22";
    assert_eq!(solutions("x, n", divisors), 6);
    let amicable = "a : 1..400 & b : 1..400 & a < b &
        SIGMA(d).(d : 1..a - 1 & a mod d = 0 | d) = b & SIGMA(d).(d : 1..b - 1 & b mod d = 0 | d) = a";
    assert_eq!(solutions("a, b", amicable), 1);
    assert_eq!(solutions("x, r", "r : 0..2 & x : 10..40 & r = x mod 7 & x / 7 = r + 1"), 2);
    assert_eq!(solutions("a, b", "a : 1..5 & b : 1..5 & a = b mod 3 & b = a mod 4"), 2);
}

#[test]
fn lengths_are_listed_or_follow_from_a_domain() {
    assert_eq!(solutions("s", "s : seq(0..1) & size(s) : {1, 2}"), 6);
    assert_eq!(solutions("s", "s : seq(0..1) & (size(s) = 1 or 2 = size(s) or size(s) = 0)"), 7);
    let words = "w : 1..2 --> seq(0..1) & !i.(i : dom(w) => size(w(i)) : 1..2)";
    assert_eq!(solutions("w", words), 36);
}

/// A set whose members are undefined is no reason to try all sets of its type.
#[test]
fn an_undefined_set_of_functions_is_told_at_once() {
    for set in ["f : 1..3 +-> 1..3 & f(1) = 2", "f : iseq(1..3) & first(f) = 1"] {
        let text = format!("MACHINE F CONSTANTS s PROPERTIES s = {{f | {set}}} END");
        let outcome = run_text(&text).expect("runs");
        assert_eq!(outcome.verdict, Verdict::StateError, "{set}");
    }
}

#[test]
fn iterations_of_what_is_not_known() {
    let twice = "f : 1..6 --> 1..6 & iterate(f, 2) = id(1..6) & !x.(x : 1..6 => f(x) /= x)";
    assert_eq!(solutions("f", twice), 15);
    let far = "f : 1..6 >->> 1..6 & iterate(f, 3)(1) = 4 & f(1) = 2 & f(2) = 3";
    assert_eq!(solutions("f", far), 6);
}

#[test]
fn functions_of_sets() {
    let named = "f : POW(0..2) >-> 0..8 & !y.(y : 0..2 => f({y}) = y)";
    // The five other sets have five of the six other numbers.
    assert_eq!(solutions("f", named), 720);
}

#[test]
fn names_that_equations_give_their_values() {
    // Latin squares of three rows, by columns that are described.
    let square = |columns: &str| {
        let text = format!(
            "b : 1..3 --> (1..3 --> 1..3) & !r.(r : 1..3 => b(r) : 1..3 >->> 1..3) & {columns}"
        );
        solutions("b", &text)
    };
    assert_eq!(square("!c.(c : 1..3 => {i, v | i : 1..3 & v = b(i)(c)} : 1..3 >->> 1..3)"), 12);
    assert_eq!(square("!k.(k : 1..3 => %r.(r : 1..3 | b(r)(k)) : 1..3 >-> 1..3)"), 12);
    assert_eq!(square("not(#c.(c : 1..3 & {v | #i.(i : 1..3 & b(i)(c) = v)} /= 1..3))"), 12);
    // Knights that walk: both squares are taken apart.
    let walk = |step: &str| {
        let text =
            format!("w : 1..12 >->> (1..3) * (1..4) & w(1) = (1, 1) & !i.(i : 1..11 => {step})");
        solutions("w", &text)
    };
    let named = "#(a, b, c, d).(w(i) = (a, b) & (c, d) = w(i + 1) & (a - c) * (a - c) + (b - d) * (b - d) = 5)";
    assert_eq!(walk(named), 2);
    let all = "!(x, y).(x |-> y = w(i) => #(p, q).(p |-> q = w(i + 1) & {x - p, p - x, y - q, q - y} = {-2, -1, 1, 2}
        & not(x = p) & y /= q))";
    assert_eq!(walk(all), 2);
}

#[test]
fn inverses_of_what_is_injective() {
    let pairs = |text: &str| {
        let text = format!("p : 1..8 >->> (1..4) * BOOL & {text}");
        solutions("p", &text)
    };
    // Langford's rows of two times four numbers: one, read from either side.
    assert_eq!(pairs("!k.(k : 1..4 => p~(k, TRUE) = p~(k, FALSE) + k + 1)"), 2);
    assert_eq!(pairs("not(#k.(k : 1..4 & not((p~)(k |-> TRUE) - k = 1 + (p~)(k |-> FALSE))))"), 2);
    assert_eq!(
        pairs(
            "!n.(n : 1..4 => #i.(i : 1..8 & i + n + 1 <= 8 & p(i) = (n, FALSE) & p(i + n + 1) = (n, TRUE)))"
        ),
        2
    );
    let named = "q = r~ & r : perm(1..7) & !i.(i : 1..6 => q(i + 1) > q(i))";
    assert_eq!(solutions("q, r", named), 1);
    // Of a partial one there is nothing where no point has the value.
    let partial = "MACHINE P CONSTANTS f PROPERTIES f : 1..3 >+> 1..5 & f~(5) = 2 END";
    assert_eq!(run_text(partial).expect("runs").verdict, Verdict::StateError);
    assert_eq!(solutions("f", "f : 1..3 >+> 1..5 & 5 : ran(f) & f~(5) = 2"), 21);
}

#[test]
fn equations_solved_for_a_name() {
    // 3600 has 45 divisors; the pair of 1 is left out.
    let pairs = |text: &str| {
        let text = format!("s = {{a, b | {text}}} & card(s) = 22 & 60 |-> 60 : s & 2 |-> 1800 : s");
        solutions("s", &text)
    };
    assert_eq!(pairs("1 < a & a <= b & b < 3000 & a * b = 3600"), 1);
    assert_eq!(pairs("3600 = b * a & 2 <= a & not(b < a) & 3000 > b"), 1);
    assert_eq!(pairs("a : 2..b & b <= 2999 & a * b + 7 = 3607"), 1);
    assert_eq!(solutions("x, y", "x : 0..3 & y : -1..4 & x * y = 0"), 6 + 3);
    assert_eq!(solutions("x", "x : INTEGER & -(3 - x) + 2 = 10"), 1);
}

/// What an interval is equal to tells its ends, and a relation what one side of a pair may be.
#[test]
fn ends_of_intervals_and_sides_of_pairs() {
    assert_eq!(solutions("m, n", "m..n = {3, 4, 5}"), 1);
    for text in ["{5, 4, 3} = m - 1..2 * n", "m..n = {3, 5}"] {
        none("m, n", text);
    }
    assert_eq!(solutions("m, n", "{6, 4, 5} = m - 1..2 * n & m : INTEGER"), 1);
    assert_eq!(solutions("m, n", "m..n = {} & m : 2..4 & n : 0..2"), 2 + 3 + 3);
    let named = "s : POW(1..3) & m : INTEGER & n : INTEGER & s /= {} & s = m..n";
    assert_eq!(solutions("s, m, n", named), 6);
    assert_eq!(solutions("x", "x |-> x + 1 : {(1, 2), (3, 5), (7, 8)}"), 2);
    assert_eq!(solutions("x, y", "(x + y) |-> (y |-> x) : {1 |-> (1, 0), 5 |-> (2, 2)}"), 1);
    assert_eq!(solutions("x", "x * 1000 |-> x : {(5000000, 5000), (1, 1)}"), 1);
}

#[test]
fn sums_of_which_one_is_something() {
    // Three stones that weigh all up to 13, on either side of the scales.
    let stones = |weighs: &str| {
        let text = format!(
            "s : 1..3 --> 1..13 & s(1) <= s(2) & s(2) <= s(3) & SIGMA(i).(i : 1..3 | s(i)) = 13 & {weighs}"
        );
        solutions("s", &text)
    };
    assert_eq!(
        stones(
            "!w.(w : 1..13 => #x.(x : 1..3 --> {-1, 0, 1} & w = SIGMA(i).(i : 1..3 | s(i) * x(i))))"
        ),
        1
    );
    assert_eq!(
        stones(
            "not(#w.(w : 1..13 & !(x, y, z).(x : -1..1 & y : -1..1 & z : -1..1 => x * s(1) + y * s(2) /= w - z * s(3))))"
        ),
        1
    );
    assert_eq!(
        stones(
            "1..13 <: {w | #(p, q).(p <: 1..3 & q <: 1..3 & p /\\ q = {} & w = SIGMA(i).(i : p | s(i)) - SIGMA(i).(i : q | s(i)))}"
        ),
        1
    );
}

#[test]
fn arrows_whose_sizes_are_guessed() {
    let magic = |text: &str| {
        solutions(
            "n, q",
            &format!(
                "n = 3 & {text} & !i.(i : 1..n =>
        SIGMA(j).(j : 1..n | q(i, j)) = 15 & SIGMA(j).(j : 1..n | q(j, i)) = 15) &
        q(1, 1) + q(2, 2) + q(3, 3) = 15 & q(1, 3) + q(2, 2) + q(3, 1) = 15"
            ),
        )
    };
    assert_eq!(magic("q : (1..n) * (1..n) >->> 1..n * n"), 8);
    assert_eq!(magic("q : (1..n) * (1..n) --> 1..n * n & card(ran(q)) = n * n"), 8);
}

#[test]
fn conditions_that_ask_for_one_of_several_sets() {
    let store = |notify: &str| {
        let text = format!(
            "MACHINE W SETS P = {{p1, p2, p3, p4, p5, p6, p7, p8}} VARIABLES asleep, full INVARIANT asleep <: P & full : BOOL
             INITIALISATION asleep := {{}} || full := FALSE
             OPERATIONS put(t) = PRE t : P - asleep THEN ANY next, now WHERE next : POW(P) & now : BOOL &
                (full = FALSE => now = TRUE & {notify}) & (full = TRUE => next = asleep \\/ {{t}} & now = full)
               THEN asleep, full := next, now END END;
             get = PRE full = TRUE THEN full := FALSE END END"
        );
        holds(&text).states
    };
    let one =
        "(asleep /= {} => #x.(x : asleep & next = asleep - {x})) & (asleep = {} => next = {})";
    let states = store(one);
    assert_eq!(states, 512);
    let other =
        "(#x.(x : asleep & next \\/ {x} = asleep & x /: next) or asleep = {} & next = asleep)";
    assert_eq!(store(other), states);
}

#[test]
fn identities_are_functions_without_being_built() {
    let large = "id(1..n) : 1..n >->> 1..n & id(2..n) /: perm(2..n) & id(1..n) : perm(1..n) &
        not(id(1..n) : seq(2..n)) & id(1..n) : 0..n +-> NATURAL1 & id(1..n) /: 0..n --> NATURAL1";
    assert_eq!(solutions("n", &format!("n = 20000000 & {large}")), 1);
}

#[test]
fn functions_that_equations_tell_point_by_point() {
    let large = 170;
    let factorials = "f(0) = 1 & !k.(k : 1..n => f(k) = k * f(k - 1))";
    let text = format!("n = {large} & f : 0..n --> INTEGER & {factorials} & y = f(n) / f(n - 2)");
    assert_eq!(solutions("n, f, y", &text), 1);
    let other =
        "y = g(n) / g(n - 2) & !(m, k).(m : 0..n-1 & k = m + 1 => k * g(m) = g(k)) & 1 = g(0)";
    let text = format!("n = {large} & g : 0..n --> NATURAL & {other} & y = n * (n - 1)");
    assert_eq!(solutions("n, g, y", &text), 1);
    let lists = "s : 1..5 --> seq(NATURAL) & s(5) = [9] & !i.(i : 1..4 => s(i) = i -> s(i + 1)) & s(1) = [1, 2, 3, 4, 9]";
    assert_eq!(solutions("s", lists), 1);
    // What is not told is tried.
    let some = "f : 0..5 --> 0..2 & f(0) = 1 & !i.(i : 1..3 => f(i) = 2 - f(i - 1))";
    assert_eq!(solutions("f", some), 9);
    let twice = "f : 0..30 --> 0..31 & f(0) = 7 & !i.(i : 1..30 => f(i) = (f(i - 1) + 7) mod 32) & f(i) = 31 & i : 0..30";
    assert_eq!(solutions("f, i", twice), 1);
}

#[test]
fn pairs_that_differ_pair_by_pair() {
    // Two Latin squares, one on the other, with each pair once.
    let officers = |text: &str| {
        let text = format!(
            "s : (1..3) * (1..3) --> (1..3) * (1..3) & {text} & !(i, j, k).(i : 1..3 & j : 1..2 & k : j + 1..3 =>
               prj1(INTEGER, INTEGER)(s(i, j)) /= prj1(INTEGER, INTEGER)(s(i, k)) &
               prj1(INTEGER, INTEGER)(s(j, i)) /= prj1(INTEGER, INTEGER)(s(k, i)) &
               prj2(INTEGER, INTEGER)(s(i, j)) /= prj2(INTEGER, INTEGER)(s(i, k)) &
               prj2(INTEGER, INTEGER)(s(j, i)) /= prj2(INTEGER, INTEGER)(s(k, i)))"
        );
        solutions("s", &text)
    };
    let apart = "!(p, q).(p : (1..3) * (1..3) & q : (1..3) * (1..3) & p /= q => s(p) /= s(q))";
    assert_eq!(officers(apart), 72);
    assert_eq!(officers("s : (1..3) * (1..3) >->> (1..3) * (1..3)"), 72);
    assert_eq!(officers("card(ran(s)) = 9"), 72);
}

#[test]
fn sets_of_functions() {
    // Codes of four words of five bits, any two of which differ in three places.
    let codes = |words: &str| {
        let text = format!(
            "c : {words} & card(c) = 4 & %i.(i : 1..5 | 0) : c & !(v, w).(v : c & w : c & v /= w =>
            card({{i | i : 1..5 & v(i) /= w(i)}}) > 2)"
        );
        solutions("c", &text)
    };
    assert_eq!(codes("POW(1..5 --> 0..1)"), 15);
    assert_eq!(codes("POW1(1..5 --> {0, 1})"), 15);
    let sets = "s <: POW(1..4) & card(s) = 3 & !(a, b).(a : s & b : s => a = b or a /\\ b = {}) & {} /: s &
        union(s) = 1..4";
    assert_eq!(solutions("s", sets), 6);
}

#[test]
fn sets_that_their_own_equations_mention() {
    // The one solution is found whole, and there may be none or many.
    assert_eq!(solutions("s", "s <: 0..2 & {n | n : 0..2 & {} /<: s} = s & s = {}"), 1);
    assert_eq!(solutions("s", "s : POW(0..2) & s = {n | n : 0..2 & n : s}"), 8);
    let none = "MACHINE M CONSTANTS s PROPERTIES s <: 0..3 & s = {n | n : 0..3 & n /: s} END";
    assert_eq!(run_text(none).expect("runs").states, 0);
    assert_eq!(solutions("s", "s <: 0..5 & s = {n | n : 0..5 & (n = 0 or n - 2 : s)}"), 1);
    // A function that is read point by point is still one without an end.
    all_hold(
        "CONSTANTS f PROPERTIES f : NATURAL --> INTEGER & f = %x.(x : NATURAL | IF x = 0 THEN 1 ELSE x * f(x - 1) END)",
        &["f(5) = 120"],
    );
}

#[test]
fn conditions_inside_of_quantifiers() {
    // What stands in the queue next is told by cases, some of them behind a quantifier.
    let queue = "MACHINE Q SETS T = {p, q, c} ; D = {d1, d2} CONSTANTS limit PROPERTIES limit = 2
        VARIABLES queue, waiting INVARIANT queue : seq(D) & waiting <: T
        INITIALISATION queue := [] || waiting := {}
        OPERATIONS
          put(t) = PRE t : {p, q} - waiting THEN
            ANY next, w WHERE next : POW(INTEGER * D) & #d.(d : D &
                (size(queue) < limit => next = queue <- d & (waiting = {} => w = {}) &
                   (waiting /= {} => #x.(x : waiting & w = waiting - {x}))) &
                (size(queue) >= limit => next = queue & w = waiting \\/ {t}))
            THEN queue, waiting := next, w END END;
          get(t) = PRE t : {c} - waiting THEN
            ANY next, w WHERE next : POW(INTEGER * D) &
                (queue /= [] => next = tail(queue) & (waiting = {} => w = {}) &
                   (waiting /= {} => #x.(x : waiting & w = waiting - {x}))) &
                (queue = [] => next = queue & w = waiting \\/ {t})
            THEN queue, waiting := next, w END END
        END";
    let outcome = run_text(queue).expect("runs");
    assert!(outcome.bounds.is_empty(), "{:?}", outcome.bounds);
    // By hand: each of the seven queues, with each set of those that may wait.
    let mut seen = std::collections::BTreeSet::new();
    let mut next = vec![(Vec::<u8>::new(), 0u8)];
    while let Some((queue, waiting)) = next.pop() {
        if !seen.insert((queue.clone(), waiting)) {
            continue;
        }
        let woken = |waiting: u8| -> Vec<u8> {
            match waiting {
                0 => vec![0],
                _ => {
                    (0..3).filter(|i| waiting >> i & 1 == 1).map(|i| waiting & !(1 << i)).collect()
                }
            }
        };
        for t in (0..3u8).filter(|t| waiting >> t & 1 == 0) {
            let (full, empty) = (queue.len() == 2, queue.is_empty());
            if (t < 2 && full) || (t == 2 && empty) {
                next.push((queue.clone(), waiting | 1 << t));
            } else if t < 2 {
                for d in 0..2 {
                    let longer = [queue.clone(), vec![d]].concat();
                    next.extend(woken(waiting).into_iter().map(|w| (longer.clone(), w)));
                }
            } else {
                next.extend(woken(waiting).into_iter().map(|w| (queue[1..].to_vec(), w)));
            }
        }
    }
    assert_eq!(outcome.full_states, Some((seen.len() as u64).into()));
}

#[test]
fn members_looked_up_by_what_is_said_of_them() {
    let pairs: Vec<(u64, u64)> = (1..=40).flat_map(|x| (x..=40).map(move |y| (x, y))).collect();
    let alone = |k: u64| pairs.iter().filter(|(x, y)| x * y == k).count() == 1;
    let wanted = (1..=1600).filter(|k| alone(*k)).count();
    let text = "s = {k | k : 1..1600 & card({x, y | x |-> y : {a, b | a : 1..40 & b : a..40} & x * y = k}) = 1}";
    assert_eq!(solutions("s", &format!("{text} & card(s) = {wanted}")), 1);
    // Nothing has the value, or what is asked for is undefined of some that other conjuncts refute.
    let none = "s = {k | k : -3..0 & #(x, y).((x, y) : {a, b | a : 1..9 & b : a..9} & x * y = k)} & s = {}";
    assert_eq!(solutions("s", none), 1);
    let guarded = "s = {k | k : 0..3 & k /= 0 & #(x, y).((x, y) : {a, b | a : 1..4 & b : a..4} & x + y = 6 / k)}";
    assert_eq!(solutions("s", &format!("{guarded} & s = 1..3")), 1);
}

/// What is said aloud of two numbers.
type Heard = fn(&(u64, u64)) -> u64;

#[test]
fn riddles_about_what_others_know() {
    // Two numbers from 2 to 65: who hears the product does not know them, who hears the sum knew that, and
    // then both find out. Counted again by plain loops.
    let most = 66;
    let pairs: Vec<(u64, u64)> = (2..most).flat_map(|x| (x..most).map(move |y| (x, y))).collect();
    let told = |of: &[(u64, u64)], f: Heard, p: &(u64, u64)| {
        of.iter().filter(|q| f(q) == f(p)).copied().collect::<Vec<_>>()
    };
    let (sum, product): (Heard, Heard) = (|p| p.0 + p.1, |p| p.0 * p.1);
    let by = |of: &[(u64, u64)], keep: &dyn Fn(&(u64, u64)) -> bool| {
        of.iter().filter(|p| keep(p)).copied().collect::<Vec<_>>()
    };
    let plain = by(&pairs, &|p| told(&pairs, product, p).len() == 1);
    let knew = by(&pairs, &|p| told(&pairs, sum, p).iter().all(|q| !plain.contains(q)));
    let then = by(&knew, &|p| told(&knew, product, p).len() == 1);
    let last = by(&then, &|p| told(&then, sum, p).len() == 1);
    let text = format!(
        "MACHINE K DEFINITIONS
           all_pairs == {{a, b | 1 < a & a <= b & b < {most}}};
           same_sum(W, s) == {{a2, b2 | (a2, b2) : W & a2 + b2 = s}};
           same_product(V, p) == {{a3, b3 | (a3, b3) : V & a3 * b3 = p}};
           plain(U) == {{a4, b4 | (a4, b4) : U & same_product(U, a4 * b4) <: {{(a4, b4)}}}};
           knew == {{a5, b5 | (a5, b5) : all_pairs & same_sum(all_pairs, a5 + b5) /\\ plain(all_pairs) = {{}}}};
           known(X) == {{a6, b6 | (a6, b6) : X & same_sum(X, a6 + b6) <: {{(a6, b6)}}}}
         CONSTANTS x, y PROPERTIES (x, y) : known(plain(knew)) END"
    );
    assert_eq!(holds(&text).states, last.len() as u64);
    // With quantifiers, and sets that have names.
    let text = format!(
        "MACHINE K DEFINITIONS in(a, b) == 1 < a & a <= b & b < {most} CONSTANTS plain, knew, n
         PROPERTIES plain = {{a, b | in(a, b) & !(c, d).(in(c, d) & c * d = a * b => c = a & d = b)}} &
           knew = {{a, b | in(a, b) & {{c, d | in(c, d) & c + d = a + b}} /\\ plain = {{}}}} & n = card(knew) &
           n = {} END",
        knew.len()
    );
    assert_eq!(holds(&text).states, 1);
}

#[test]
fn functions_of_sequences_that_equations_tell_in_turn() {
    let rows = "t = [[3], [7, 4], [2, 4, 6], [8, 5, 9, 3]] & n = size(t) & s(n) = t(n)";
    let step = "s(i)(j) = t(i)(j) + max({s(i + 1)(j), s(i + 1)(j + 1)})";
    for (range, told) in [
        ("seq(INTEGER)", format!("size(s(i)) = size(t(i)) & !j.(j : 1..size(t(i)) => {step})")),
        ("INTEGER +-> INTEGER", format!("!j.(j : dom(t(i)) => {step}) & dom(t(i)) = dom(s(i))")),
    ] {
        let text =
            format!("{rows} & s : 1..n --> ({range}) & !i.(i : 1..n - 1 => {told}) & s(1) = [23]");
        assert_eq!(solutions("t, n, s", &text), 1, "{range}");
    }
}

#[test]
fn members_that_begin_with_what_is_known() {
    let fits = |a: u64, b: u64, c: u64| (a * b + c).is_multiple_of(7);
    let all: Vec<(u64, u64, u64)> = (1..=30)
        .flat_map(|a| (1..=30).flat_map(move |b| (1..=30).map(move |c| (a, b, c))))
        .filter(|(a, b, c)| fits(*a, *b, *c))
        .collect();
    let mut chains = 0;
    for (_, b, c) in all.iter().filter(|t| t.0 == 3) {
        chains += all.iter().filter(|t| (t.0, t.1) == (*b, *c)).count();
    }
    let table = "t = {a, b, c | a : 1..30 & b : 1..30 & c : 1..30 & (a * b + c) mod 7 = 0}";
    let text =
        format!("{table} & n = card({{b, c, d | (3, b, c) : t & (b, c, d) : t}}) & n = {chains}");
    assert_eq!(solutions("t, n", &text), 1);
    // Each step of the chain has one way to go, of many thousands.
    let chain = "r = %x.(x : 0..9999 | (x * 3 + 4) mod 10000) &
        s = {x | x : 0..9999 & #(y, z).(x |-> y : r & y |-> z : r & z = x)} & r[r[s]] = s & card(s) = 16";
    let back = (0..10_000u64).filter(|x| ((x * 3 + 4) * 3 + 4) % 10_000 == *x).count();
    assert_eq!(solutions("r, s", &chain.replace("16", &back.to_string())), 1);
    // Tuples of elements and numbers, with what is undefined among the parts.
    let mixed = "MACHINE M SETS E = {p, q} CONSTANTS r, s PROPERTIES
        r = {e, f, k | e : E & f : E & k : 1..50 & (e = f or k mod 2 = 0)} &
        s = {k | k : 1..50 & k /= 7 & #m.((p, q, m) : r & m = 100 / (k - 7) & k > 7)} END";
    let found = (8..=50u64)
        .filter(|k| matches!(100 / (k - 7), m if m <= 50 && m.is_multiple_of(2)))
        .count();
    assert_eq!(holds(&mixed.replace(" END", &format!(" & card(s) = {found} END"))).states, 1);
}

/// A function that has no end beside them does not make other constants dearer.
#[test]
fn constants_beside_endless_functions() {
    let text = "f = %x.(x : NATURAL | IF x = 0 THEN 1 ELSE x * f(x - 1) END) & m = %i.(i : 1..2000 | i mod 50) &
        s = {k | k : 0..49 & card({i | (i, k) : m}) = 40} & s = 0..49 & y = f(3)";
    assert_eq!(solutions("f, m, s, y", text), 1);
}

/// Subsets of a set whose size only its value tells are solved for, not listed.
#[test]
fn subsets_of_what_is_computed() {
    assert_eq!(solutions("u, c", "u = 1..60 & c <: u & card(c) = 1"), 60);
    assert_eq!(solutions("n, c", "n = 15 * 2 & c <: 1..n & card(c) = 1"), 30);
    assert_eq!(
        solutions("n, f", "n = 25 & f : 1..n --> 0..1 & SIGMA(i).(i : 1..n | f(i)) = 1"),
        25
    );
    let even = "c <: {x | x : 1..60 & x mod 2 = 0} & card(c) = 2";
    assert_eq!(solutions("c", even), 30 * 29 / 2);
}

/// Sets that have a name are domains like others.
#[test]
fn named_sets_as_domains() {
    assert_eq!(solutions("c", "c : BOOL <-> 1..40 & card(c) = 1"), 80);
    assert_eq!(solutions("c", "c : 1..20 <-> BOOL & card(c) = 1"), 40);
    assert_eq!(solutions("c", "c : NAT +-> 1..9 & card(c) = 1 & c[{0, 1}] = {7}"), 2);
}

#[test]
fn let_and_if_are_seen_through() {
    let set = "LET a BE a = {100, 200} IN v = a END";
    assert_eq!(solutions("v", set), 1);
    assert_eq!(solutions("v", "LET a BE a = 1 IN v = {{a}, {a |-> 2}[{1}]} END"), 1);
    assert_eq!(solutions("v", "LET a BE a = \"abc\" IN v : {\"b\", a} END"), 2);
    assert_eq!(solutions("k, v", "k : 1..3 & IF k = 2 THEN v = [7, 8] ELSE v = [k] END"), 3);
    let outcome = holds(
        "MACHINE T VARIABLES v INVARIANT v <: 0..300 INITIALISATION v := {}
         OPERATIONS o = ANY r WHERE LET a BE a = {100, 200} IN r = a \\/ v & not(r = v) END THEN v := r END END",
    );
    assert_eq!((outcome.states, outcome.transitions), (2, 2));
}

#[test]
fn sums_and_products_in_members_of_sets() {
    all_hold(
        "",
        &[
            "{i, x | (i + 1) |-> x : {1 |-> 2, 2 |-> 3}} = {0 |-> 2, 1 |-> 3}",
            "{i, x | (i * 2) |-> x : {1 |-> 2, 2 |-> 3}} = {1 |-> 3}",
            "{i, x | (5 - i) |-> (5 - x) : {1 |-> 2, 2 |-> 3}} = {4 |-> 3, 3 |-> 2}",
            "{i | i - 2 : {1, 500}} = {3, 502}",
            "#i.(i * 3 : {7, 9, 11}) & not(#i.(i * 3 : {7, 8, 11}))",
            "{i, x | i : NATURAL & (i - 2) |-> x : {-3 |-> 1, -1 |-> 2}} = {1 |-> 2}",
        ],
    );
    let outcome = holds(
        "MACHINE T VARIABLES s, q
         INVARIANT s <: 0..2 & card(s) < 3 & q : seq(BOOL) & size(q) < 3
         INITIALISATION s := {1, 2}; q := [TRUE, FALSE]
         OPERATIONS
           down = PRE min(s \\/ {9}) > 0 & s /= {} THEN s := {i | i + 1 : s} END;
           next = PRE q /= [] THEN q := {i, x | i + 1 : dom(q) & i > 0 & x = q(i + 1)} END
         END",
    );
    assert_eq!(outcome.states, 2 * 3);
}

/// A total function that is known says what its domain is, and where sums are bounded so are their parts.
#[test]
fn names_that_domains_and_sums_bound() {
    assert_eq!(solutions("n", "[5, 6, 7] : 1..n --> 0..9"), 1);
    assert_eq!(solutions("m, n", "{3 |-> 0, 4 |-> 1} : m..n + 1 >-> 0..9"), 1);
    assert_eq!(solutions("a, x", "a : 3..4 & x + a <= 6 & 10 - x < 9"), 3);
    assert_eq!(solutions("a, x", "a : 3..4 & (a - x) - 1 > 0 & a + (x + 1) >= a - 1"), 9);
}

#[test]
fn arguments_come_from_domains_where_nothing_else_gives_them() {
    assert_eq!(solutions("q", "q : NATURAL & {1 |-> 2, 5 |-> 3, 9 |-> 4}(q) > 2"), 2);
    all_hold(
        "CONSTANTS f, g PROPERTIES f = {1 |-> 2, 7 |-> 1} & g = {1 |-> 0}",
        &["!i.(f(i) > 1 => g(i) = 0)", "{i | f(i) + 1 < 3} = {7}", "#i.(f(i) /= 2)"],
    );
}

/// Sets that a function has as values without bounds: other conjuncts say in which sets they lie, by cases, too.
#[test]
fn sets_as_values_are_bounded_by_what_is_said_of_them() {
    let chosen = |cases: &str| {
        let text = format!(
            "MACHINE M SETS U = {{u1, u2, u3}} CONSTANTS on, parts PROPERTIES
               parts : U --> POW(NATURAL1) & on : U --> BOOL & on(u1) = TRUE & {cases} END"
        );
        let outcome = with_deadlocks(&text);
        (outcome.states, bounds::joined(&outcome.bounds))
    };
    // Each that is on has one of two numbers, each that is not has none: (1 + 2) ** 2 ways, times 2.
    let only = "!u.(u : U & on(u) = TRUE => card(parts(u)) = 1) &";
    for cases in [
        "!u.(u : U & on(u) = TRUE => parts(u) <: {1, 700}) & !u.(u : U & on(u) = FALSE => parts(u) = {})",
        "!u.(u : U => (on(u) = FALSE => {} = parts(u)) & (on(u) = TRUE => parts(u) : POW({700, 1})))",
        "!u.(u : U => (on(u) /= TRUE or parts(u) <: {1} \\/ {700})) &
         !u.(u : U & not(on(u) = TRUE) => parts(u) = {})",
    ] {
        assert_eq!(chosen(&format!("{only} {cases}")), (18, String::new()), "{cases}");
    }
    // Of members that the range does not have there is none.
    let zero = "!u.(u : U => parts(u) <: {0, 5})";
    assert_eq!(chosen(&format!("{zero} & !u.(u : U => on(u) = TRUE)")), (8, String::new()));
    // A case is left out: nothing bounds these.
    let open = "!u.(u : U & on(u) = TRUE => parts(u) <: {1, 700})";
    assert!(chosen(open).1.contains("NATURAL1 is unbounded"));
}

/// Many equations of which one holds, over the same few numbers.
/// Both sides of what a condition says of a number without bounds are looked at.
#[test]
fn conditions_on_numbers_without_bounds_are_looked_at_from_both_sides() {
    for (names, text) in [
        ("x", "(x > 3 => x * 2 = 12) & (x <= 3 => x + 10 = 12)"),
        ("x", "(not(x > 3) or x * 2 = 12) & (x > 3 or x + 10 = 12)"),
        ("x", "IF x > 3 THEN x * 2 ELSE x + 10 END = 12"),
        ("x", "{TRUE |-> x * 2, FALSE |-> x + 10}(bool(x > 3)) = 12"),
        ("x, y", "(x > 3 => y = x * 2) & (x <= 3 => y = x + 10) & y = 12"),
        ("x, y", "y = IF x < 0 THEN -x ELSE x END & y = 7"),
    ] {
        assert_eq!(solutions(names, text), 2, "{text}");
    }
    let text = "x : INTEGER & (x > 5 or y = 3) & y : 1..5 & x < 8 & (x < 0 => x = -2)";
    assert_eq!(solutions("x, y", text), 17);
}

/// Of what is not known yet, the body of a function says more than its values.
#[test]
fn functions_of_several_unknowns_are_taken_by_their_bodies() {
    let digits = "[S, E, N, D, M, O, R, Y] : iseq(0..9) & S /= 0 & M /= 0";
    for two in [
        "two = %(a, b).(a : 0..9 & b : 0..9 | 10 * a + b)",
        "two = %(a, b).(a : INTEGER & b : INTEGER | 10 * a + b)",
    ] {
        let sum = "100 * two(S, E) + two(N, D) + 100 * two(M, O) + two(R, E) \
                   = 10000 * M + 100 * two(O, N) + two(E, Y)";
        let text = format!("{digits} & {two} & {sum}");
        assert_eq!(solutions("S, E, N, D, M, O, R, Y, two", &text), 1, "{two}");
    }
    let f = "f = %x.(x : 1..1000 | 3 * x + 1) & y : 1..300";
    assert_eq!(solutions("f, y", &format!("{f} & f(f(y)) = 103")), 1);
}

#[test]
fn weights_that_weigh_all() {
    let text =
        "MACHINE M CONSTANTS w PROPERTIES w : 1..4 --> 1..40 & SIGMA(i).(i : 1..4 | w(i)) = 40 &
        !i.(i : 1..3 => w(i) <= w(i + 1)) &
        !n.(n : 1..40 => #x.(x : 1..4 --> {-1, 0, 1} & n = SIGMA(i).(i : 1..4 | w(i) * x(i)))) END";
    assert_eq!(holds(text).states, 1);
}

#[test]
fn parts_of_functions_decide_nothing_of_names_that_are_looked_for_in_them() {
    for found in ["a |-> b = 2 |-> f(a)", "2 |-> f(a) = (a, b)", "a |-> b = 2 |-> f(2)"] {
        let text = format!("f : 0..2 --> 0..2 & #(a, b).({found} & b >= 1)");
        assert_eq!(solutions("f", &text), 18, "{found}");
    }
}

/// Few candidates of which each is asked for witnesses that are looked for are too many: the witnesses are unknowns, too.
#[test]
fn witnesses_are_found_with_what_they_are_of() {
    let palindromes = |low: u64, high: u64| {
        let reads_the_same = |n: u64| n.to_string().chars().rev().eq(n.to_string().chars());
        let pairs = (low..=high).flat_map(|x| (x + 1..=high).map(move |y| x * y));
        let products: std::collections::BTreeSet<u64> =
            pairs.filter(|p| *p >= 10_000 && *p < 100_000 && reads_the_same(*p)).collect();
        products.len() as u64
    };
    let written = "x : 100..160 & y : 100..160 & x < y & p = x * y &
        #(a, b, c).(a : 1..9 & b : 0..9 & c : 0..9 & p = 10001 * a + 1010 * b + 100 * c)";
    let count = solutions(
        "s",
        &format!("s = card({{p | #(x, y).({written})}}) & s = {}", palindromes(100, 160)),
    );
    assert_eq!(count, 1);
}
