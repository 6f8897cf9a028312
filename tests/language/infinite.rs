//! Infinite sets as values of variables, constants, parameters and local names.

use super::puzzles::solutions;
use super::*;
use burnside::eval::{FaultKind, Within};

#[test]
fn variables_hold_them() {
    let outcome = holds(
        "MACHINE M SETS E = {a, b}
         VARIABLES s, f, r
         INVARIANT s <: INTEGER & f : INTEGER +-> INTEGER & r : STRING <-> E &
           (s = NATURAL => 3 : s & -1 /: s & s /= {} & {1, 2} <: s & {0, -1} /\\ s = {0} &
             {-2 |-> a, 2 |-> b}[s] = {b} & {1 |-> 2} : s +-> s & {1} : POW(s) & s <: INTEGER) &
           s <: s
         INITIALISATION s := NATURAL || f := {} || r := {}
         OPERATIONS
           whole = BEGIN s := INTEGER END;
           small = BEGIN s := {1, 3} END;
           one_of = BEGIN s :: {NATURAL, {7}} END;
           add(n) = PRE n : {1, 2} THEN f := %x.(x : INTEGER | x + n) END;
           use = PRE 4 : dom(f) & f(4) : 5..6 & f[{0}] <: {1, 2} THEN f := {} END
         END",
    );
    // Four values of s, three of f.
    assert_eq!(outcome.states, 12);
}

#[test]
fn other_names_hold_them() {
    all_hold(
        "",
        &[
            "LET s BE s = NATURAL IN 3 : s & -1 /: s & s /= INTEGER & s = NATURAL END",
            "LET s BE s = NATURAL * BOOL IN (1 |-> TRUE) : s & (-1 |-> TRUE) /: s END",
            "LET f, a BE a = 7 & f = %x.(x : INTEGER | x * a) IN f(3) = 21 & f[{1}] = {7} END",
            "#f.(f : {%x.(x : NATURAL | x + 1), {1 |-> 5}} & f(1) = 5)",
            "!s.(s : {NATURAL, INTEGER, {3}} => 3 : s)",
            "{NATURAL} = {NATURAL} & NATURAL : {NATURAL, {1}} & NATURAL : POW(INTEGER)",
            "NATURAL /: FIN(INTEGER)",
            "5 : rec(a : NATURAL)'a & [NATURAL, {1}](1) = NATURAL & prj1((NATURAL, 2)) = NATURAL",
            "LET p BE p = POW(NATURAL) IN {1, 2} : p & {-1} /: p END",
            "LET p BE p = NATURAL +-> BOOL IN {1 |-> TRUE} : p & {-1 |-> TRUE} /: p END",
            "LET p, n BE n = 4 & p = seq({n}) IN [4, 4] : p & [5] /: p END",
            "%x.(x : NATURAL | %y.(y : NATURAL | x + y))(1)(2) = 3",
            "LET f BE f = %x.(x : NATURAL | %y.(y : NATURAL | x + y)) IN f(1)(2) = 3 END",
            "#(f, s).(f = %x.(x : INTEGER | x * x) & s : {[1, 2], [2, 1]} & (s ; f) = [4, 1])",
            "LET f BE f = %x.(x : INTEGER | x * x) IN -1..2 <| f = {-1 |-> 1, 0 |-> 0, 1 |-> 1, 2 |-> 4} END",
            "LET f BE f = %x.(x : NATURAL | {x} * {1, 2}) IN ({7 |-> 3} ; f) = {7 |-> {(3, 1), (3, 2)}} END",
            "(IF 1 = 1 THEN %x.(x : INTEGER | x + 1) ELSE %x.(x : INTEGER | x + 2) END)(3) = 4",
            "(IF 1 = 2 THEN NATURAL * {1} ELSE {3 |-> 5} END)[{3, 4}] = {5}",
            "#n.(n : 4..5 & (LET f BE f = %x.(x : INTEGER | x + n) IN f END)(3) = 8)",
            "-1 : IF 1 = 1 THEN INTEGER ELSE NATURAL END & -1 /: IF 1 = 2 THEN INTEGER ELSE NATURAL END",
        ],
    );
}

/// How many members an infinite set has is undefined, and that refuses no machine.
#[test]
fn the_number_of_members_is_undefined() {
    let asking = |guard: &str| {
        format!(
            "MACHINE M VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0
             OPERATIONS one = SELECT {guard} THEN x := 1 END END"
        )
    };
    for set in
        ["NATURAL", "STRING", "POW(INTEGER)", "seq({1})", "NATURAL1 \\/ {0}", "INTEGER * {1}"]
    {
        let outcome = run_text(&asking(&format!("card({set}) > x"))).expect("it loads");
        let finding = outcome.finding.expect("a finding");
        assert_eq!(outcome.verdict, Verdict::StateError, "{set}");
        assert!(
            finding.message.starts_with(FaultKind::InfiniteSet.message()),
            "{}",
            finding.message
        );
        // Where something else decides, nobody asks for it.
        let outcome = run_text(&asking(&format!("x = 0 or card({set}) > x"))).expect("it loads");
        assert_eq!((outcome.verdict, outcome.states), (Verdict::StateError, 2), "{set}");
        let outcome = run_text(&asking(&format!("x = 2 & card({set}) > x"))).expect("it loads");
        assert_eq!((outcome.verdict, outcome.states), (Verdict::Ok, 1), "{set}");
    }
    all_hold("", &["card(NATURAL --> {1}) = 1", "1 = 2 & card(INTEGER) = 2 or 1 = 1"]);
}

#[test]
fn constants_chosen_among_infinite_functions() {
    all_hold(
        "CONSTANTS b, f, g, r PROPERTIES b = TRUE & r = f(3) + g(3) &
           f = IF b = TRUE THEN %x.(x : INTEGER | x + 1) ELSE %x.(x : INTEGER | x + 2) END &
           g = LET k BE k = 7 IN %x.(x : INTEGER | x + k) END",
        &["r = 14 & f[{1, 2}] = {2, 3} & g(0) = 7"],
    );
}

#[test]
fn infinite_functions_are_of_their_types() {
    let outcome = holds(
        "MACHINE M VARIABLES f
         INVARIANT f : INTEGER +-> NATURAL
         INITIALISATION f := INTEGER * {0}
         OPERATIONS
           next = PRE f(1) = 0 THEN f := NATURAL * {7} END;
           past = PRE f[{-1}] = {} THEN f := NATURAL1 * {1} <+ {5 |-> 6} END
         END",
    );
    assert_eq!(outcome.states, 3);
    all_hold(
        "",
        &[
            "INTEGER * {1} : INTEGER --> NATURAL1 & NATURAL * {-1} : INTEGER <-> INTEGER",
            "(NATURAL * {1, 2})[{3, -1}] = {1, 2} & #f.(f = NATURAL * {1, 2} & f[{3, -1}] = {1, 2} & -1 /: dom(f))",
            "#f.(f = NATURAL * {3} & f : NATURAL --> NATURAL & f : INTEGER +-> NATURAL1)",
        ],
    );
}

#[test]
fn relations_with_infinitely_many_pairs() {
    all_hold(
        "",
        &[
            "id(INTEGER)(3) = 3 & id(NATURAL)[{2}] = {2} & (3 |-> 3) : id(INTEGER)",
            "prj1(INTEGER, BOOL)(3, TRUE) = 3 & prj2(STRING, NATURAL)(\"a\", 2) = 2",
            "succ~(4) = 3 & (succ ; succ)(3) = 5 & ([10, 20] ; succ) = [11, 21]",
            "(succ circ [10, 20]) = [11, 21] & (pred ; succ)(0) = 0",
            "({1 |-> (2, 3)} ; %(x, y).(x : INTEGER & y : INTEGER | x + y))(1) = 5",
            "(prj1(INTEGER, INTEGER) ; succ)(1, 2) = 2",
            "dom(id(NATURAL)) = NATURAL & ran(id(INTEGER)) = INTEGER & id(NATURAL)~ = id(NATURAL)",
            "dom(NATURAL * {1}) = NATURAL & dom(NATURAL * {}) = {}",
            "(NATURAL * {1})~ = {1} * NATURAL & succ = succ",
            "seq({}) = {[]} & seq1({}) = {}",
            "min(NATURAL) = 0 & min(NATURAL1 - {1, 2, 4}) = 3 & min(NATURAL - {1}) = 0",
        ],
    );
}

/// What is left of an infinite function by its values is found, whichever operator asks for it.
#[test]
fn infinite_functions_are_used_backwards() {
    all_hold(
        "CONSTANTS f, g, h, k PROPERTIES f = %x.(x : NATURAL | x + 1) & g = %x.(x : INTEGER | x * x) &
           h = {1 |-> 2, 4 |-> 5} & k = %(x, y).(x : NATURAL & y : NATURAL | x + y)",
        &[
            "f~(3) = 2 & f~[{0, 3, 4}] = {2, 3} & g~[{4, 9, 10}] = {-3, -2, 2, 3} & f~[f[{5}]] = {5}",
            "k~[{2}] = {(0, 2), (1, 1), (2, 0)} & k~(0) = (0, 0)",
            "({4, 0} <| f~) = {4 |-> 3} & (f~ |> {4}) = {5 |-> 4} & f |> {0} = {}",
            "(f ; h) = {0 |-> 2, 3 |-> 5} & dom((g ; h)) = {-2, -1, 1, 2} & (f ; h)(0) = 2",
            "(f~ ; h) = {2 |-> 2, 5 |-> 5} & (h ; f~) = {1 |-> 1, 4 |-> 4} & ((f ; f) |> {5}) = {3 |-> 5}",
            "{x, y | x |-> y : g & y : {4, 9}} = g |> {4, 9} & {x | 4 |-> x : f~} = {3}",
            "#x.(x |-> 7 : f & x > 5) & not(#x.(x |-> 7 : g)) & {x, y | x |-> y |-> 1 : k} = {0 |-> 1, 1 |-> 0}",
            "3 |-> 4 : f & 3 |-> 4 /: g & -1 |-> 0 /: f & 4 |-> 3 : f~",
            "7 : dom(f~) & ran(f~) = NATURAL & 0 /: dom(f~)",
        ],
    );
    let outcome = run_text(
        "MACHINE M CONSTANTS f PROPERTIES f = %x.(x : NATURAL | x * x)
         VARIABLES v INVARIANT v : 0..4 INITIALISATION v := 4
         OPERATIONS root = BEGIN v := f~(v) END END",
    )
    .expect("a search");
    // 4, 2, and nothing that has the square 2.
    assert_eq!((outcome.states, outcome.verdict), (2, Verdict::StateError));
}

/// So is what is left of an infinite relation by both of its sides.
#[test]
fn infinite_relations_are_restricted() {
    all_hold(
        "CONSTANTS lt, nx, sum, both PROPERTIES both = {x, y | x : NATURAL & y : NATURAL & x + y < 3} & lt = {x, y | x : INTEGER & y : INTEGER & x < y} &
           nx = {x, y | x : NATURAL & y : NATURAL & y = x + 1} &
           sum = {x, y, z | x : NATURAL & y : NATURAL & z = x + y}",
        &[
            "dom(both) = {0, 1, 2} & ran(both) = {0, 1, 2} & dom((1..2) <| both) = {1, 2}",
            "((1..3) <| lt |> (1..3)) = {1 |-> 2, 1 |-> 3, 2 |-> 3}",
            "((1..3) <| lt~ |> (2..3)) = {3 |-> 2} & lt~ /\\ ((1..2) * (1..2)) = {2 |-> 1}",
            "dom({1} <| lt) = {1} & ran({1} <| lt |> 1..4) = {2, 3, 4}",
            "nx~(4) = 3 & nx~[{0, 1, 5}] = {0, 4} & (nx |> {4}) = {3 |-> 4} & (nx ; {2 |-> 9}) = {1 |-> 9}",
            "-1 /: dom(nx) & (nx ; nx)(1) = 3 & ({1 |-> 2} ; nx) = {1 |-> 3}",
            "(sum |> {1}) = {(0, 1, 1), (1, 0, 1)} & sum~[{1}] = {(0, 1), (1, 0)} & (2, 3) : dom(sum)",
        ],
    );
}

/// A set without an end that restricts an unknown relation or set counts by the members that there may be: as the finite
/// set of these does.
#[test]
fn unknown_relations_are_restricted_by_infinite_sets() {
    let sets =
        [("NATURAL1", "(1..9)"), ("{n | n > 1}", "(2..9)"), ("(INTEGER - {1})", "{-1, 0, 2, 3}")];
    let texts = [
        "r : 0..2 <-> 0..1 & r[S] = {1} & card(S <| r) > 0",
        "r : 0..2 +-> 0..2 & (S <<| r) /= r & ran(r |> S) <: {2}",
        "r : 0..2 --> 0..2 & dom(r |>> S) = 0..1",
        "r <: 0..3 & 2 : r /\\ S & card(r - S) = 1",
        "r <: 0..3 & S /\\ r /= {} & r - S /= {}",
    ];
    for (text, (endless, finite)) in texts.iter().flat_map(|text| sets.map(|set| (text, set))) {
        let (text, finite) = (text.replace('S', endless), text.replace('S', finite));
        assert_eq!(solutions("r", &text), solutions("r", &finite), "{text}");
    }
    // Without trying all of the functions.
    assert_eq!(solutions("r", "r : 1..60 --> 0..1 & r[NATURAL1] = {1}"), 1);
    assert_eq!(solutions("r", "r : 1..60 --> 0..1 & ran(r |> NATURAL1) = ran(r)"), 1);
}

/// Functions of infinite functions.
#[test]
fn infinite_functions_are_arguments() {
    let constants = "CONSTANTS ap, mp, sqr PROPERTIES
         ap = %(f, x).(f : INTEGER +-> INTEGER & x : dom(f) | f(x)) &
         mp = %(f, s).(f : INTEGER +-> INTEGER & s : seq(INTEGER) | (s ; f)) & sqr = %x.(x : NATURAL | x * x)";
    all_hold(
        constants,
        &[
            "ap(sqr, 4) = 16 & ap({1 |-> 2}, 1) = 2 & mp(sqr, [1, 2, 3]) = [1, 4, 9]",
            "mp(succ, [1]) = [2] & !x.(x : 0..3 => ap(sqr, x) = x * x)",
        ],
    );
    let outside = run_text(&format!("MACHINE M {constants} ASSERTIONS ap(sqr, -1) = 1 END"));
    assert_eq!(outside.expect("a search").verdict, Verdict::StateError);
}

#[test]
fn parameters_and_results_hold_them() {
    let outcome = holds(
        "MACHINE M VARIABLES v INVARIANT v <: INTEGER & 1 : v INITIALISATION v := {1}
         OPERATIONS
           put(s) = PRE s : {NATURAL, {1, 2}} THEN v := s END;
           r <-- get = BEGIN r := v END;
           local = VAR s IN s := INTEGER; v := s END
         END",
    );
    assert_eq!(outcome.states, 4);
}

/// Sets of an infinite form may be finite, and then equal a value: what is not infinite for certain is
/// walked.
#[test]
fn what_only_looks_infinite_is_compared_by_its_members() {
    let clauses = "FREETYPES T = leaf, other SETS S = {a, b}
        CONSTANTS s, f, z PROPERTIES s <: INTEGER & s = {} & z : 0..0 & f = %x.(x : NATURAL & x >= z | x + 1)";
    all_hold(
        clauses,
        &[
            "NATURAL * s = {} & s * NATURAL <: {} & NATURAL * s <: {0 |-> 1}",
            "({1} -->> NATURAL) = {} & ({1} >->> NATURAL) <: {}",
            "(NATURAL --> s) = {} & (s --> NATURAL) = {{}} & (NATURAL <-> s) = {{}}",
            "seq(s) = {[]} & seq(s) <: {[]} & seq1(s) = {} & seq(1..1) /= {[]}",
            "struct(q : NATURAL, r : s) = {} & struct(q : NATURAL, r : s) <: {}",
            "struct(q : NATURAL, r : {1}) /= {} & not(struct(q : NATURAL) <: {rec(q : 1)})",
            "T = {leaf, other} & T <: {leaf, other} & T * {1} = {leaf |-> 1, other |-> 1}",
            "@finite(NATURAL * s) & not(@finite(NATURAL * {1}))",
            "{} : NATURAL * s --> S & {} /: NATURAL --> S & {1 |-> 3} /: {1} -->> NATURAL",
            "f /= {} & f /= {0 |-> 1} & not({0 |-> 1} = f)",
            "(NATURAL --> BOOL) /= {} & (NATURAL >-> INTEGER) /= {} & ({1} --> NATURAL) /= {{1 |-> 1}}",
            "POW(NATURAL) /= {{}} & not(seq(NATURAL) <: {[]}) & NATURAL - {1} /= {2}",
        ],
    );
}

#[test]
fn what_needs_a_finite_set_is_an_error() {
    let kind = FaultKind::InfiniteSet;
    for body in ["n := card(s)", "n := SIGMA(x).(x : {1} | card(s) + x)"] {
        let text = format!(
            "MACHINE M VARIABLES s, n INVARIANT s <: INTEGER & n : INTEGER
             INITIALISATION s := NATURAL || n := 0 OPERATIONS op = BEGIN {body} END END"
        );
        let outcome = run_text(&text).expect("runs");
        let finding = outcome.finding.expect("an error");
        assert!(finding.message.starts_with(kind.message()), "{body}: {}", finding.message);
    }
}

/// What descriptions do not tell is not known: no defect of the machine, wherever it is asked.
#[test]
fn what_is_not_decided_is_not_known() {
    for (invariant, body) in [
        ("f : NATURAL >-> NATURAL", "skip"),
        (
            "f : INTEGER <-> INTEGER",
            "LET t, u BE t = NATURAL * BOOL & u = {x, y | x : NATURAL & y : BOOL & x * x >= x} IN IF t = u THEN n := 1 END END",
        ),
        ("f : INTEGER <-> INTEGER & f /= %y.(y : NATURAL | y * (y * y + 1))", "skip"),
    ] {
        let text = format!(
            "MACHINE M VARIABLES f, n INVARIANT {invariant} & n : 0..1
             INITIALISATION f := %x.(x : NATURAL | x * x * x + x) || n := 0 OPERATIONS op = {body} END"
        );
        let outcome = run_text(&text).expect("runs");
        assert!(outcome.finding.is_none(), "{invariant} {body}: {:?}", outcome.finding);
        let within: Vec<_> = outcome.cut.iter().map(|site| site.within).collect();
        assert!(within.contains(&Within::Descriptions), "{invariant} {body}: {within:?}");
        assert!(!outcome.bounds.is_empty());
    }
}

/// Functions that are made of infinite ones are asked at single points.
#[test]
fn what_is_made_of_infinite_functions_is_asked_at_points() {
    all_hold(
        "ABSTRACT_CONSTANTS f, g, sum, h, k, q, up, lt, some, square, sq
         PROPERTIES f = %x.(x : INTEGER | x + 1) & g = %x.(x : NATURAL | x * x) &
           sum = %(x, y).(x : INTEGER & y : INTEGER | x + y) &
           square = %x.(x : INTEGER | x * x) & sq = UNION(x).(x : NATURAL | {x * x}) & h = (f >< f) & k = (f || f) & q = (g || sum) & up = %x.(x : INTEGER & x < 9 | x + 1) &
           lt = {x, y | x : INTEGER & y : INTEGER & x < y} &
           some = {x, y | x : NATURAL & y : NATURAL & y = x * x + 1}",
        &[
            "iterate(f, 3)(0) = 3 & iterate(succ, 5)(3) = 8 & iterate(g, 2)(3) = 81",
            "iterate(f, 2)[{1, 5}] = {3, 7} & 1 |-> 4 : iterate(f, 3) & 1 |-> 5 /: iterate(f, 3)",
            "iterate(f, 0)(7) = 7 & 7 |-> 7 : iterate(f, 0) & 3 : dom(iterate(g, 2)) & -3 /: dom(iterate(g, 2))",
            "closure1(up)[{7}] = {8, 9} & 7 |-> 9 : closure1(up) & 7 |-> 10 /: closure1(up)",
            "(g - {2 |-> 4})(3) = 9 & (g - {2 |-> 4})[{2, 3}] = {9} & 2 /: dom(g - {2 |-> 4})",
            "2 |-> 4 /: g - {2 |-> 4} & 3 |-> 9 : g - {2 |-> 4} & (f /\\ f)(1) = 2",
            "(f >< g)(2) = 3 |-> 4 & (f || g)(1, 3) = 2 |-> 9 & (f >< {2 |-> TRUE})[{2, 3}] = {3 |-> TRUE}",
            "h(2) = 3 |-> 3 & k(2, 4) = 3 |-> 5 & q(3, (4, 5)) = 9 |-> 9 & 2 |-> (3 |-> 3) : h",
            "2 |-> (3 |-> 4) : (f >< g) & 2 |-> (3 |-> 5) /: (f >< g)",
            "(f ; g)(3) = 16 & (g ; f)(3) = 10 & 3 |-> 16 : (f ; g) & 3 |-> 15 /: (f ; g)",
            "1 |-> 3 : (lt ; lt) & 1 |-> 2 /: (lt ; lt)",
            "ran(g) /\\ 0..20 = {0, 1, 4, 9, 16} & 25 : ran(g) & 24 /: ran(g)",
            "9 : UNION(x).(x : NATURAL | {x * x}) & -1 : union({NATURAL, {-1}})",
            "9 : sq & 10 /: sq & 10 /: UNION(x).(x : NATURAL | {x * x}) & 3 : UNION(x).(x : NATURAL | x..x + 1)",
            "square /: INTEGER >-> INTEGER",
            "square /: INTEGER +-> NATURAL1",
            "f = f & some = some & g = %y.(y : NATURAL | y * y) & inter({NATURAL, -3..3}) = 0..3",
            "min({x | x : NATURAL & x > 7}) = 8 & min({x | x : NATURAL & x mod 7 = 5 & x > 10}) = 12",
            "some : NATURAL --> NATURAL",
            "some : NATURAL >-> NATURAL1",
            "some(3) = 10 & #x.(x : NATURAL & some(x) = 10)",
        ],
    );
}

#[test]
fn closures_and_no_iteration_hold_the_identity_of_the_whole_type() {
    all_hold(
        "SETS S = {a, b, c} CONSTANTS z, r PROPERTIES z = 0 & r = {1 |-> 2, 2 |-> 3}",
        &[
            "closure({a |-> b}) = {a |-> b} \\/ id(S) & closure({}) = id(S)",
            "iterate({a |-> b}, 0) = id(S) & iterate({a |-> b}, z) = id(S)",
            "closure({{a} |-> {b}}) = {{a} |-> {b}} \\/ id(POW(S))",
            "5 |-> 5 : closure({1 |-> 2}) & 1 |-> 2 : closure({1 |-> 2}) & 2 |-> 1 /: closure({1 |-> 2})",
            "1 |-> 3 : closure(r) & 3 |-> 1 /: closure(r) & closure(r)(7) = 7 & closure(r)(3) = 3",
            "closure({1 |-> 2})[{1}] = {1, 2} & closure(r)[{1, 9}] = {1, 2, 3, 9}",
            "closure1(r) = {1 |-> 2, 2 |-> 3, 1 |-> 3} & {4 |-> 4, 1 |-> 3} <: closure(r)",
            "iterate(r, 0)(5) = 5 & iterate(r, 0)[{8}] = {8} & iterate(r, 2) = {1 |-> 3}",
            "iterate(r, z)(5) = 5 & iterate(r, z)[{8}] = {8} & 1 |-> 1 : iterate(r, z)",
            "iterate(r, z + 1)[{1}] = {2} & %k.(k : 0..2 | iterate(r, k)[{1}])(z) = {1}",
            "min({k | k : NATURAL & 3 : iterate(r, k)[{1}]}) = 2",
            "\"x\" |-> \"x\" : closure({\"a\" |-> \"b\"})",
        ],
    );
    for (expression, kind) in [
        ("closure(r)(1)", FaultKind::NotFunctional),
        ("card(iterate(r, z))", FaultKind::InfiniteSet),
    ] {
        let text = format!(
            "MACHINE M CONSTANTS z, r PROPERTIES z = 0 & r = {{1 |-> 2}} ASSERTIONS {expression} = 1 END"
        );
        let finding = run_text(&text).expect("runs").finding.expect("an error");
        assert!(finding.message.starts_with(kind.message()), "{expression}: {}", finding.message);
    }
}

#[test]
fn iterating_more_often_than_64_bits_can_say() {
    all_hold(
        "",
        &[
            "iterate({1 |-> 2, 2 |-> 3, 3 |-> 1}, 3 * 10 ** 30 + 1) = {1 |-> 2, 2 |-> 3, 3 |-> 1}",
            "iterate({1 |-> 2, 2 |-> 1}, 10 ** 40) = {1 |-> 1, 2 |-> 2}",
            "iterate({1 |-> 2, 2 |-> 3}, 2 ** 64) = {} & iterate({1 |-> 1}, 2 ** 64) = {1 |-> 1}",
        ],
    );
}

#[test]
fn reals_that_cannot_be_held_are_errors() {
    for expression in [
        "1.0E308 * 10.0 = 1.0E308 * 11.0",
        "1.0E308 + 1.0E308 > 0.0",
        "-1.0E308 - 1.0E308 < 0.0",
        "1.0E308 / 0.1 > 0.0",
        "1.0E200 ** 2 > 0.0",
        "floor(1.0E308 * 10.0) = 0",
        "real(10 ** 400) > 0.0",
        "SIGMA(x).(x : 1..20 | 1.0E307) > 0.0",
        "PI(x).(x : 1..20 | 1.0E30) > 0.0",
    ] {
        let text = format!("MACHINE M ASSERTIONS {expression} END");
        let outcome = run_text(&text).unwrap_or_else(|why| panic!("{expression}: {why}"));
        let finding = outcome.finding.unwrap_or_else(|| panic!("{expression} is no error"));
        let wanted = FaultKind::RealOutOfRange.message();
        assert!(finding.message.starts_with(wanted), "{expression}: {}", finding.message);
        assert!(finding.span.is_some());
    }
    assert_eq!(refused("MACHINE M ASSERTIONS 1.0E400 > 0.0 END"), ["real-out-of-range"]);
    all_hold("", &["1.0E308 * 1.5 > 1.0E308", "(-1.0) ** (2 ** 60 + 1) = -1.0", "2.0 ** 3 = 8.0"]);
}

/// A tuple of names written with maplets stands where the bound names stand.
#[test]
fn comprehensions_with_patterns() {
    all_hold(
        "",
        &[
            "{a |-> b | a : 1..2 & b : 1..2} = (1..2) * (1..2)",
            "{a |-> b |-> c | a : 1..2 & b : 1..2 & c = a + b} = {a, b, c | a : 1..2 & b : 1..2 & c = a + b}",
            "{x |-> (y |-> z) | x : 1..1 & y = x & z = 4} = {1 |-> (1 |-> 4)}",
            "{(x, y) |-> z | x : 1..1 & y = x & z = 4} = {1 |-> 1 |-> 4}",
            "{x |-> x | x : 1..2} = id(1..2) & (1 |-> 7) : {a |-> b | a : NATURAL & b > a}",
            "{1 |-> 2} = {(1, 2)}",
        ],
    );
}

/// Descriptions hold the constants that they mention: they are looked into while the constants are solved.
#[test]
fn descriptions_are_looked_into_while_constants_are_solved() {
    let clauses = "CONSTANTS s, g, h PROPERTIES s : {1..2, 1..3} & g = (s --> INTEGER) &
        h = %x.(x : INTEGER & x : s | x + card(s)) & s --> INTEGER /= {} & {} /: g & h /= {} &
        {1 |-> 5, 2 |-> 7} /: g & h(1) = 4";
    all_hold(clauses, &["s = 1..3", "{1 |-> 5, 2 |-> 7, 3 |-> 0} : g", "dom(h) = s"]);
}

/// A function that mentions itself is asked for its values while the constants are solved.
#[test]
fn a_recursion_is_asked_while_constants_are_solved() {
    let text = "MACHINE M CONSTANTS d, f PROPERTIES d : 1..2 & d = f(3) &
        f = %x.(x : NATURAL | IF x = 0 THEN 1 ELSE f(x - 1) END) END";
    let outcome = run_text(text).expect("loads");
    assert_eq!((outcome.verdict, outcome.states), (Verdict::Ok, 1));
    // What leads back to it by way of a value is no recursion.
    let text = "MACHINE M CONSTANTS d, f PROPERTIES d : 1..2 & d = f(3) & f /= {} &
        f = %x.(x : NATURAL | IF x < 3 THEN 1 ELSE d END) END";
    let outcome = run_text(text).expect("loads");
    assert_eq!((outcome.verdict, outcome.states), (Verdict::Ok, 2));
}

/// Descriptions of one text that name their constants in another order.
#[test]
fn descriptions_take_their_values_in_the_order_of_the_text() {
    holds(
        "MACHINE M CONSTANTS a, b PROPERTIES a = 5 & b = 70
         VARIABLES u, v INVARIANT u : INTEGER <-> INTEGER & v : INTEGER <-> INTEGER &
           u(71) : {141, 76} & v(71) = 217 - u(71) & (6 : dom(u) <=> 6 /: dom(v))
         INITIALISATION u := %x.(x > a | x + b) || v := %x.(x > b | x + a)
         OPERATIONS o = BEGIN u := %x.(x > b | x + a) || v := %x.(x > a | x + b) END END",
    );
}

/// Sets that nothing bounds are kept by what they say, and built where all members are found.
#[test]
fn open_sets_are_told_by_what_they_say() {
    all_hold(
        "ABSTRACT_CONSTANTS half, few, evens, step, both
         PROPERTIES
           half = {x, y | y + y = x} & few = {x | x * x <= 10 & x > -4 & 2 * x < 5} &
           evens = {x | x : INTEGER & x mod 2 = 0 & x >= 0} &
           step = /*@ symbolic */ {x, y | x : 1..100000 & y : 1..100000 & y = 100001 - x} &
           both = %x.(x > 0 | x + 1) <+ {7 |-> 0}",
        &[
            "half(4000) = 2000 & closure1(half)[{1024}] = {512, 256, 128, 64, 32, 16, 8, 4, 2, 1}",
            "(half ; half)[{12, 20}] = {3, 5} & {x | x : 1..9 & x : dom(half)} = {2, 4, 6, 8}",
            "few = -3..2 & card(few) = 6",
            "1000 : evens & 1001 /: evens",
            "step(1) = 100000 & (2 |-> 99999) : step & 0 /: dom(step)",
            "both(3) = 4 & both(7) = 0 & (%x.(x > 0 | x + 1) <+ {7 |-> 0})(7) = 0",
            "(%x.(x > 0 | x) \\/ %x.(x < 0 | -x))(-5) = 5",
        ],
    );
}

/// Sets of integers compare by their intervals, however they are made, and nothing is counted through.
#[test]
fn sets_of_integers_compare_by_their_intervals() {
    let clauses = "CONSTANTS k, s PROPERTIES k = 3 & s = {1, 7}";
    all_hold(
        clauses,
        &[
            "NATURAL - (0..k) = {x | x : INTEGER & x >= 4}",
            "{x | x > k} /\\ NATURAL = NATURAL1 - (1..3)",
            "INTEGER - NATURAL = {n | n < 0} & INTEGER - NATURAL /= {n | n <= 0}",
            "{n | not(n : s)} = INTEGER - s & {n | n < 0 or n > 5} <: {n | n /= 4}",
            "NATURAL - s <<: NATURAL & NATURAL - s /<: NATURAL1 & s <: NATURAL1 \\/ {-5}",
            "(9..9999999) - {9} = 10..9999999 & (1..500 \\/ 502..10 ** 9) \\/ {501} = 1..10 ** 9",
            "INTEGER \\/ s = INTEGER & NATURAL /\\ {n | n < 2} = {0, 1} & NATURAL - INTEGER = {}",
            "(INTEGER - (8..20)) \\/ (INTEGER - (2..10)) = INTEGER - {8, 9, 10}",
        ],
    );
}

/// A comprehension within a union is compared by its intervals as one alone is.
#[test]
fn unions_with_comprehensions_compare() {
    all_hold(
        "",
        &[
            "NATURAL \\/ {x | x < 0} = INTEGER & INTEGER = {x | x < 0} \\/ NATURAL",
            "{x | x > 3} \\/ 0..3 = NATURAL & NATURAL /= {x | x > 4} \\/ 0..3",
            "INTEGER - {x | x >= 0 & x < 10} /= INTEGER & {x | x < 5} /\\ NATURAL = 0..4",
        ],
    );
}

/// Projections of tuples of a free type are never built.
#[test]
fn projections_of_free_types() {
    all_hold(
        "SETS D = {a, b} FREETYPES L = nil, cons(D * L)
         CONSTANTS f, len
         PROPERTIES f = cons(a |-> cons(b |-> nil))
           & len = %x.(x : {nil} | 0) \\/ %x.(x : ran(cons) | 1 + len(prj2(D, L)(cons~(x))))",
        &[
            "prj1(D, L)(cons~(f)) = a",
            "prj2(D, L)(cons~(f)) = cons(b |-> nil)",
            "len(f) = 2 & len(nil) = 0",
        ],
    );
}

/// What a variable may hold is no reason to go through all candidates for names that have nothing to do with it.
#[test]
fn an_infinite_set_elsewhere_leaves_names_to_the_solver() {
    let sorted = "s = 1..13 & p : perm(s) & !i.(i : 1..size(p) - 1 => p(i) < p(i + 1))";
    let text = format!(
        "MACHINE M VARIABLES a INVARIANT a : INTEGER +-> INTEGER INITIALISATION a := []
         OPERATIONS
           any = ANY s, p WHERE a = {{}} & {sorted} THEN a := p END;
           taken(s, p) = PRE a = {{}} & {sorted} THEN skip END;
           such = PRE a[{{13}}] = {{13}} & a[{{14}}] = {{}} THEN
             a :(a /= {{}} & a : perm(1..12) & !i.(i : 1..11 => a(i) < a(i + 1))) END;
           infinite = PRE a = {{}} THEN a := %i.(i : NATURAL1 | i) END;
           copied = ANY b, c WHERE c = b & b = a & a /= {{}} & c(3) = 3 THEN a := c END
         END"
    );
    let outcome = holds(&text);
    // Nothing, 1..13, 1..12, and the infinite one.
    assert_eq!((outcome.states, outcome.transitions), (4, 8));
}

/// What is said of a member beside its being one bounds what describes the members.
#[test]
fn members_of_infinite_sets_are_bounded_from_outside() {
    let outcome = holds(
        "MACHINE M CONSTANTS even, square
         PROPERTIES even = {x | x : NATURAL & x mod 2 = 0} & square = %x.(x : NATURAL | x * x)
         VARIABLES v, w INVARIANT v : NATURAL & w : 0..6 INITIALISATION v := 0 || w := 0
         OPERATIONS
           some = ANY y WHERE y : even & y < 7 & w = 0 THEN v := y || w := 1 END;
           within = ANY y WHERE y : {x | x : NATURAL & x mod 3 = 0} & y < 7 & w = 0 THEN v := y || w := 2 END;
           argument = ANY y WHERE y : dom(square) & y < 4 & w = 0 THEN v := y || w := 3 END;
           pair = ANY y, z WHERE y |-> z : square & z < 5 & w = 0 THEN v := 10 * y + z || w := 4 END;
           both = ANY y WHERE y : even /\\ {z | z : INTEGER & z > 3 & z < 9} & w = 0 THEN v := y || w := 5 END;
           all = SELECT !y.(y : even & y < 7 => y < 8) & w = 0 THEN w := 6 END
         END",
    );
    // 0, 2, 4, 6; 0, 3, 6; 0 to 3; 0, 11, 24; 4, 6, 8; and once more 0.
    assert_eq!(outcome.states, 1 + 4 + 3 + 4 + 3 + 3 + 1);
}

/// An infinite set without infinitely many of its members may be finite: nothing is concluded from its form.
#[test]
fn what_is_left_of_an_infinite_set_may_be_finite() {
    let arrows = [
        "INVARIANT f : (NATURAL - {k | k > 1}) --> 0..1 INITIALISATION f := {0 |-> 0, 1 |-> 0}
         OPERATIONS change = f(0) := 1 - f(0) END",
        "INVARIANT f : 0..1 -->> (NATURAL - {k | k > 1}) INITIALISATION f := {0 |-> 0, 1 |-> 1}
         OPERATIONS change = f := {0 |-> f(1), 1 |-> f(0)} END",
        "INVARIANT f : 0..1 --> INTEGER & (INTEGER - {k | k /= f(0)}) * {1} = {f(0) |-> 1}
         INITIALISATION f := {0 |-> 0, 1 |-> 1} OPERATIONS change = f := {0 |-> f(1), 1 |-> f(0)} END",
    ];
    for rest in arrows {
        let outcome = run_text(&format!("MACHINE M VARIABLES f {rest}")).expect("runs");
        assert_ne!(outcome.verdict, Verdict::InvariantViolation, "{rest}");
    }
    let sets = [
        "NATURAL - ran(%k.(k : NATURAL | k + 1)) = {0}",
        "not(@finite(NATURAL - {k | k > 2}))",
        "POW(NATURAL - {k | k > 0}) = {{}, {0}}",
        "seq(NATURAL) - {s | s /= []} = {[]}",
        "struct(a : NATURAL) - {r | r'a > 0} = {rec(a : 0)}",
        "NATURAL * BOOL - {a, b | a > 0} = {0} * BOOL",
        "STRING - {s | s /= \"a\"} = {\"a\"}",
        "REAL - {r | r /= 1.0} = {1.0}",
        "REAL >-> INTEGER /= {}",
    ];
    for set in sets {
        let wanted = !(set.starts_with("not") || set.contains("/= {}"));
        let text = format!("MACHINE M ASSERTIONS {set} OPERATIONS o = skip END");
        let outcome = run_text(&text).expect("runs");
        let untrue = match wanted {
            true => Verdict::AssertionViolation,
            false => Verdict::Ok,
        };
        assert_ne!(outcome.verdict, untrue, "{set}");
    }
    all_hold(
        "",
        &[
            "NATURAL - {1, 2} /= {5}",
            "NATURAL - {x | x : 1..3} /= {5}",
            "NATURAL - {k | k > 2} = 0..2",
        ],
    );
}

/// What changes an infinite set is not known, which is no error of the machine; how many members it has is undefined.
#[test]
fn changes_of_infinite_sets_are_not_known() {
    let machine = |change: &str| {
        run_text(&format!(
            "MACHINE M VARIABLES v INVARIANT v <: INTEGER INITIALISATION v := NATURAL
             OPERATIONS change = {change}; stay = skip END"
        ))
        .expect("runs")
    };
    for change in [
        "SELECT 0 : v THEN v := v - {0} END",
        "v := v \\/ {-1}",
        "SELECT v - NATURAL = {} THEN skip END",
    ] {
        let outcome = machine(change);
        assert_eq!((outcome.verdict, outcome.complete), (Verdict::NoneFound, false), "{change}");
    }
    assert_eq!(machine("v := 0..card(v)").verdict, Verdict::StateError);
}

/// A chain without an end is followed until what is looked for is found.
#[test]
fn closures_of_infinite_functions() {
    let succ = "%x.(x : NATURAL | x + 1)";
    all_hold(
        "",
        &[
            &format!("1 |-> 4 : closure1({succ})"),
            &format!("3 |-> 3 : closure({succ})"),
            &format!("1 |-> 4 : closure({succ} \\/ %x.(x : NATURAL | 2 * x))"),
            &format!("5 : ran(closure1({succ}))"),
        ],
    );
    let text = format!("MACHINE M ASSERTIONS 4 |-> 1 : closure1({succ}) OPERATIONS o = skip END");
    let outcome = run_text(&text).expect("runs");
    assert_eq!((outcome.verdict, outcome.complete), (Verdict::NoneFound, false));
}

/// Intervals of very many numbers are asked, as infinite sets are, and not built.
#[test]
fn long_intervals_are_not_built() {
    all_hold(
        "DEFINITIONS SET_PREF_MAXINT == 2147483647",
        &[
            "{1, -1} /\\ NAT = {1}",
            "(0..2**31) /\\ {5} = {5} & {5, -5} - (0..2**31) = {-5}",
            "NAT /\\ NATURAL1 /\\ {0, 3} = {3}",
            "(0..2**31) <| {5 |-> 1, -1 |-> 2} = {5 |-> 1}",
            "{5 |-> 1, 6 |-> -1} |> NAT = {5 |-> 1} & {5 |-> 1} |>> INT = {}",
            "{5 |-> 7, -5 |-> 8}[NAT1] = {7}",
            "card(NAT) = 2**31 & max(INT) = 2**31 - 1 & min(NAT1) = 1",
            "min((0..2**31) - {0}) = 1 & min(NAT1 - {1, 2, 4}) = 3",
            "min({i | i : NATURAL & i /: {0, 1}}) = 2 & min({i | i : NATURAL & i * i > 10**6}) = 1001",
            "card({x | x : {1, 2, -1} /\\ NAT & x > 1}) = 1",
        ],
    );
    let outcome = holds(
        "MACHINE M DEFINITIONS SET_PREF_MAXINT == 2147483647
         VARIABLES ids INVARIANT ids <: NAT1 INITIALISATION ids := {}
         OPERATIONS new = PRE card(ids) < 5 THEN ids := ids \\/ {min(NAT1 - ids)} END;
           reset = ids := {} END",
    );
    assert_eq!(outcome.states, 6);
}

/// What has no greatest or least member is an error where it is asked for, not of the whole machine.
#[test]
fn extremes_of_what_has_no_end() {
    for endless in [
        "max(NATURAL)",
        "max(NATURAL1 \\/ {-3})",
        "min(INTEGER)",
        "min(INTEGER - {4})",
        "max(INTEGER - (1..5))",
        "max({n | n : NATURAL & n > x or n = 1})",
    ] {
        let text = format!(
            "MACHINE M VARIABLES x INVARIANT x : INTEGER INITIALISATION x := min(NATURAL - {{0}})
             OPERATIONS more = PRE x < 3 THEN x := x + 1 END;
               wrong = PRE x = 3 THEN x := {endless} END END"
        );
        let outcome = run_text(&text).expect("loads");
        assert_eq!((outcome.verdict, outcome.states), (Verdict::StateError, 3), "{endless}");
        let finding = outcome.finding.expect("an error");
        assert!(finding.message.contains("an infinite set"), "{endless}: {}", finding.message);
    }
}

/// What is left of an infinite set is a value like the infinite set.
#[test]
fn differences_are_values() {
    let outcome = holds(
        "MACHINE M VARIABLES s INVARIANT s <: INTEGER & 3 : s INITIALISATION s := INTEGER - {4}
         OPERATIONS
           less = PRE 5 : s THEN s := NATURAL - {5, 9} END;
           r <-- has(n) = PRE n : {4, 5} THEN r := bool(n : s) END;
           all = PRE 5 /: s & 4 : s THEN s := INTEGER - {4} END
         END",
    );
    assert_eq!(outcome.states, 2);
    all_hold(
        "",
        &[
            "{INTEGER - {1}} = {INTEGER - {1}} & #s.(s : {NATURAL - {1}, {3}} & 2 : s)",
            "LET s BE s = (NATURAL * NATURAL) - {1 |-> 1} IN (1 |-> 2) : s & (1 |-> 1) /: s END",
            "LET s BE s = INTEGER - {4} IN s /\\ (1..6) = {1, 2, 3, 5, 6} & s /= {} END",
            "%x.(x : NATURAL | NATURAL - {x})(2) /\\ (1..3) = {1, 3}",
        ],
    );
}
