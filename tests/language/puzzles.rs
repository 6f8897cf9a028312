//! Puzzles whose numbers of solutions are known: constants found by search.

use super::*;

/// Number of set-ups of a machine with these constants.
#[track_caller]
pub(super) fn solutions(constants: &str, properties: &str) -> u64 {
    let text = format!("MACHINE P CONSTANTS {constants} PROPERTIES {properties} END");
    holds(&text).states
}

#[test]
fn queens() {
    let attack =
        "!(i, j).(i : 1..n & j : 1..n & i < j => q(i) + j - i /= q(j) & q(i) - j + i /= q(j))";
    for (n, boards) in [(4, 2), (5, 10), (6, 4), (8, 92)] {
        for kind in ["q : perm(1..n)", "q : 1..n >-> 1..n", "q : 1..n >->> 1..n"] {
            assert_eq!(
                solutions("n, q", &format!("n = {n} & {kind} & {attack}")),
                boards,
                "{kind}"
            );
        }
    }
    let rows = "!(i, j).(i : 1..n & j : 1..n & i /= j => q(i) /= q(j))";
    let text = format!("n = 7 & q : 1..n --> 1..n & {rows} & {attack}");
    assert_eq!(solutions("n, q", &text), 40);
}

#[test]
fn squares() {
    let latin = "s : 1..3 --> (1..3 >->> 1..3) &
        !(i, j, c).(i : 1..3 & j : 1..3 & c : 1..3 & i < j => s(i)(c) /= s(j)(c))";
    assert_eq!(solutions("s", latin), 12);
    let sudoku = "s : 1..4 --> (1..4 --> 1..4) & !i.(i : 1..4 => ran(s(i)) = 1..4) &
        !(i, j, c).(i : 1..4 & j : 1..4 & c : 1..4 & i < j => s(i)(c) /= s(j)(c)) &
        !(a, b).(a : {1, 3} & b : {1, 3} =>
          card({s(a)(b), s(a)(b + 1), s(a + 1)(b), s(a + 1)(b + 1)}) = 4)";
    assert_eq!(solutions("s", sudoku), 288);
    let magic = "m : 1..9 >->> 1..9 & !r.(r : {1, 4, 7} => m(r) + m(r + 1) + m(r + 2) = 15) &
        !c.(c : 1..3 => m(c) + m(c + 3) + m(c + 6) = 15) &
        m(1) + m(5) + m(9) = 15 & m(3) + m(5) + m(7) = 15";
    assert_eq!(solutions("m", magic), 8);
}

#[test]
fn graphs_and_sums() {
    // A ring of five in three colours; without its closing edge.
    let ring =
        |edges: u32| format!("c : 0..4 --> 1..3 & !i.(i : 0..{edges} => c(i) /= c((i + 1) mod 5))");
    assert_eq!(solutions("c", &ring(4)), 30);
    assert_eq!(solutions("c", &ring(3)), 48);
    let sum =
        "{s, e, n, d, m, o, r, y} <: 0..9 & card({s, e, n, d, m, o, r, y}) = 8 & s > 0 & m > 0 &
        s * 1000 + e * 100 + n * 10 + d + m * 1000 + o * 100 + r * 10 + e =
          m * 10000 + o * 1000 + n * 100 + e * 10 + y & m = 1 & s = 9";
    assert_eq!(solutions("s, e, n, d, m, o, r, y", sum), 1);
    // Derangements, some of them partial: a point is left out or moved, and no two meet.
    assert_eq!(solutions("f", "f : 1..4 >->> 1..4 & !x.(x : 1..4 => f(x) /= x)"), 9);
    assert_eq!(solutions("f", "f : 1..2 >+> 1..2 & !x.(x : dom(f) => f(x) /= x)"), 4);
}

#[test]
fn a_point_that_is_missing_decides_nothing() {
    // Undefined outside of the domain: what is said of 3 is an error, not a reason to drop f.
    let text = "MACHINE P CONSTANTS f PROPERTIES f : 1..2 --> 1..2 & f(3) = 1 END";
    let outcome = run_text(text).expect("runs");
    assert_eq!(outcome.verdict, Verdict::StateError);
    let partial = "f : 1..2 +-> 1..2 & !x.(x : 1..2 & x : dom(f) => f(x) = x)";
    assert_eq!(solutions("f", partial), 4);
    let guarded = "f : 1..3 --> 1..3 & (f(1) = 1 or f(2) = 1) & f(3) = f(1) + f(2)";
    assert_eq!(solutions("f", guarded), 3);
}

#[test]
fn river_and_tower() {
    let river = holds(
        "MACHINE River SETS OBJ = {farmer, wolf, goat, cabbage}
         DEFINITIONS safe(s) == (farmer : s or not({wolf, goat} <: s or {goat, cabbage} <: s))
         VARIABLES left INVARIANT left <: OBJ & safe(left) & safe(OBJ - left)
         INITIALISATION left := OBJ
         OPERATIONS
           go(p) = SELECT p <: left & farmer : p & card(p) <= 2 & safe(left - p) THEN left := left - p END;
           back(p) = SELECT p <: OBJ - left & farmer : p & card(p) <= 2 & safe(OBJ - left - p)
             THEN left := left \\/ p END
         END",
    );
    assert_eq!((river.states, river.depth), (10, 7));
    let tower = holds(
        "MACHINE Tower SETS S = {a, b, c}
         VARIABLES on INVARIANT on : S --> iseq(1..3) & UNION(s).(s : S | ran(on(s))) = 1..3
         INITIALISATION on := {a |-> [1, 2, 3], b |-> [], c |-> []}
         OPERATIONS move(f, t) = PRE f : S & t : S & on(f) /= [] &
             (on(t) = [] or first(on(f)) < first(on(t)))
           THEN on := on <+ {f |-> tail(on(f)), t |-> (first(on(f)) -> on(t))} END
         END",
    );
    assert_eq!((tower.states, tower.depth), (27, 7));
}

#[test]
fn bounds_that_follow_from_each_other() {
    // Marks whose distances are all different: what bounds one mark's number is another's.
    let ruler = "m : 1..4 --> 0..6 & m(1) = 0 & m(4) = 6 & !i.(i : 2..4 => m(i - 1) < m(i)) &
        !(a, b, c, d).(a > 0 & a < b & b <= 4 & c > 0 & c < d & d <= 4 & not(a |-> b = c |-> d) =>
          not(m(b) - m(a) = m(d) - m(c)))";
    assert_eq!(solutions("m", ruler), 2);
    let stairs =
        "x : NATURAL & y : NATURAL & z : NATURAL & x < y & y < z & x > 9000 & z < 9005 & x + 2 = z";
    assert_eq!(solutions("x, y, z", stairs), 2);
    let subset = "s <: 1..60 & card(s) = 3 & SIGMA(i).(i : s | i) = 8";
    assert_eq!(solutions("s", subset), 2);
    let knots = "SETS N = {a, b, c, d, e, f, g, h}";
    let text = format!(
        "MACHINE K {knots} CONSTANTS in, out PROPERTIES in \\/ out = N & in /\\ out = {{}} &
         card(in) = 1 & not(a /: in & b /: in) & !x.(x : N & x = b => x : out) END"
    );
    assert_eq!(holds(&text).states, 1);
}

/// What follows from the others is computed, and what is asked of whole candidates is not left to the
/// end: both would be sets of sets, or large functions, that nothing leaves out.
#[test]
fn what_the_solver_cannot_take_apart_stays_with_the_plan() {
    let graph = "SETS V; C CONSTANTS g, n, valid PROPERTIES
        g : V <-> V & g~ = g & !x.(x : V => card(g[{x}]) <= n) & n : NATURAL & g /= {} &
        !x.(x : V => x |-> x /: g) & card(C) = n + 1 & valid : POW(g +-> C) &
        valid = {c | c : g +-> C & !(x, y, d).(x |-> y |-> d : c => y |-> x |-> d : c)}";
    assert_eq!(holds(&format!("MACHINE G {graph} END")).states, 1);
    // An array of fourteen points that are all told, behind a condition on all of it.
    let table =
        "f : BOOL * (0..6) --> 0..6 & !(b, i).(b : BOOL & i : 0..6 => f(b, i) = (i + 1) mod 7)
        & closure1({i, j | i : 0..6 & j = f(TRUE, i)}) = (0..6) * (0..6)";
    assert_eq!(solutions("f", table), 1);
}

/// Wordings that say the same as others do: two sets that a name is in, a length that is at most something, names of one
/// quantifier that depend on each other, sets of records, functions that are written down.
#[test]
fn wordings_do_not_matter() {
    all_hold(
        "",
        &[
            "card({h | h : 1..12 >->> 1..12 & h <: {x, y | x : 1..12 & y : x..x + 1}}) = 1",
            "card({f | f : 1..12 >-> 1..12 & f <: {x, y | x : 1..12 & y : 1..x}}) = 1",
            "{f | f : 1..10 >-> 1..10 & f <: {x, y | x : 1..10 & y : 1..10 & (x <= 4 => y <= 3)}} = {}",
            "card({a | a : seq(1..8) & size(a) <= 8 & !i.(i : 1..size(a) - 1 => a(i + 1) = a(i) + 1)}) = 37",
            "#P.(P : 1..3 --> POW(1..13) & !(i, x).(i : 1..3 & x : P(i) => x > 4) \
             & card(P(1)) = 9 & card(P(2)) = 9 & card(P(3)) = 9)",
            "#P.(P : 1..3 --> POW(1..13) & card({i, x | i : 1..3 & x : P(i)}) = 38)",
            "card({S | S <: struct(a : 0..9, b : 0..9) & card(S) = 10 & !x.(x : S => x'a = 9)}) = 1",
            "card({p, mv | p : 0..6 --> 0..99 & mv : 1..6 --> 1..2 & p(0) = 0 & p(6) = 12 \
             & !i.(i : 1..6 => p(i) = {1 |-> p(i - 1) + 1, 2 |-> p(i - 1) + 2}(mv(i)))}) = 1",
        ],
    );
}

/// Members of which nothing is said but by a witness.
#[test]
fn images_by_witnesses_are_images() {
    all_hold(
        "",
        &[
            "#r.(r : 1..3 <-> 1..13 & {x | #i.(i : 1..3 & i |-> x : r & x > 3)} = {7, 8, 9, 10} \
             & card(r[{1}]) = 3 & card(r[{2}]) = 6)",
            "#r.(r : 1..8 <-> 1..8 & {x, z | #y.(x |-> y : r & y |-> z : r)} = {1 |-> 3, 2 |-> 4, 3 |-> 5} & card(r) = 8)",
        ],
    );
}

/// What is said of a closure is said of the relation, too.
#[test]
fn closures_bound_their_relations() {
    all_hold(
        "",
        &[
            "card({e | e : 1..8 <-> 1..8 & closure1(e) = {1 |-> 2, 2 |-> 3, 1 |-> 3}}) = 2",
            "card({e | e : 1..6 <-> 1..6 & closure1(e)[{1}] = {2, 3} & e[4..6] = {} & closure1(e)[{2}] = {3}}) = 4",
            "{e | e : 1..6 <-> 1..6 & closure1(e)[{1}] = {2, 3} & closure1(e)[{2}] = {4}} = {}",
            "#r.(r : 1..6 <-> 1..6 & closure1(r) /\\ id(1..6) = {} & card(r) = 15)",
            "{r | r : 1..5 <-> 1..5 & closure1(r) /\\ id(1..5) = {} & card(r) = 11} = {}",
            "card({r | r : 1..4 <-> 1..4 & closure1(r) /\\ id(1..4) = {}}) = 543",
        ],
    );
}

/// Relations by what their closures are; the numbers are those of directed acyclic graphs, strongly connected ones,
/// transitive relations, connected graphs, rooted trees and partial orders with labels.
#[test]
fn closures_of_unknown_relations() {
    let counts = [
        ("r : 1..4 <-> 1..4 & closure1(r) /\\ id(1..4) = {}", 543),
        ("r <: (1..4) * (1..4) & closure1(r) = (1..4) * (1..4) & id(1..4) /\\ r = {}", 1606),
        ("r : POW((1..4) * (1..4)) & !(x, y).(x |-> y : closure1(r) => x |-> y : r)", 3994),
        (
            "r : 1..4 <-> 1..4 & r = r~ & r /\\ id(1..4) = {} & closure1(r \\/ id(1..4)) = (1..4) * (1..4)",
            38,
        ),
        ("r : 1..5 --> 0..5 & closure1(r)~[{0}] = 1..5", 1296),
        ("r : 1..4 <-> 1..4 & closure1(r) = r & r /\\ id(1..4) = {}", 219),
    ];
    for (properties, count) in counts {
        assert_eq!(solutions("r", properties), count, "{properties}");
    }
    // A total function goes on and on, and comes back.
    all_hold("", &["not(#r.(r : 1..6 --> 1..6 & closure1(r) /\\ id(1..6) = {}))"]);
    let order = "r <: (1..12) * (1..12) & closure1(r) /\\ id(1..12) = {} & card(r) = 66 &
        !x.(x : 1..11 => x |-> x + 1 : r)";
    assert_eq!(solutions("r", order), 1);
}

/// Sets of sets with what is said of each two of their members.
#[test]
fn sets_of_sets() {
    let plane = "p <: POW(1..7) & card(p) = 7 & !b.(b : p => card(b) = 3) &
        !(a, b).(a : p & b : p & a /= b => card(a /\\ b) = 1)";
    assert_eq!(solutions("p", plane), 30);
    let partitions =
        "p <: POW1(1..7) & union(p) = 1..7 & !(a, b).(a : p & b : p & a /= b => a /\\ b = {})";
    assert_eq!(solutions("p", partitions), 877);
    let topologies =
        "t <: POW(1..4) & {{}, 1..4} <: t & !(a, b).(a : t & b : t => a \\/ b : t & a /\\ b : t)";
    assert_eq!(solutions("t", topologies), 355);
}
