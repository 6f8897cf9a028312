//! Problems that are said in other words: each has the number of solutions, and goes the way, of the plain wording.

use super::puzzles::solutions;
use super::*;

const QUEENS: &str =
    "!(i,j).(i : 1..8 & j : 1..8 & i < j => f(i) /= f(j) & f(i)-f(j) /= i-j & f(i)-f(j) /= j-i)";

/// A relation that is applied is a function, however that is said.
#[test]
fn relations_that_are_functions() {
    for said in [
        "f : 1..8 <-> 1..8 & !x.(x : 1..8 => card(f[{x}]) = 1)",
        "f : POW((1..8)*(1..8)) & !x.(x : 1..8 => #y.(y : 1..8 & f[{x}] = {y}))",
        "f <: (1..8)*(1..8) & dom(f) = 1..8 & card(f) = 8",
        "card(f) = card(1..8) & f : 1..8 <-> 1..8 & 1..8 = dom(f)",
        "f : 1..8 <<-> 1..8 & (f~;f) <: id(1..8)",
        "f : 1..8 <<-> 1..8 & id(ran(f)) = (f~;f)",
        "f : 1..8 <-> 1..8 & dom(f) = 1..8 & !(x,y,z).(x|->y : f & x|->z : f => y = z)",
        "f : 1..8 <-> 1..8 & dom(f) = 1..8 & not(#(x,y,z).(y /= z & x|->z : f & x|->y : f))",
        "f : 1..8 <-> 1..8 & dom(f) = 1..8 & f : INTEGER +-> INTEGER",
        "f : INTEGER +-> INTEGER & f~ : 1..8 <-> 1..8 & dom(f) = 1..8",
    ] {
        assert_eq!(solutions("f", &format!("{said} & {QUEENS}")), 92, "{said}");
        assert_eq!(solutions("f", &format!("{QUEENS} & {said}")), 92, "{said}, afterwards");
    }
}

/// Where it is none, or has no value, an application has none; what another conjunct refutes is left out.
#[test]
fn relations_that_are_no_functions() {
    for (text, count) in [
        ("f : 1..3 <-> 1..3 & card(f) = 3 & (card(f[{1}]) = 1 => f(1) = 2) & card(f[{1}]) = 1", 15),
        ("f : 1..3 <-> 1..3 & f : INTEGER +-> INTEGER & (1 : dom(f) => f(1) = 2)", 32),
        ("f : 1..3 <-> BOOL & f(1) = f(3) & !x.(x : 1..3 => card(f[{x}]) = 1)", 4),
        ("f : 1..2 <-> 1..3 & #y.(f[{1}] = {y} & y > 1) & f(1) /= 3", 8),
        ("f : 1..2 <-> (1..2)*(1..2) & #y.(f[{1}] = {y}) & f(1) = (2,1) & f[{2}] = {}", 1),
    ] {
        assert_eq!(solutions("f", text), count, "{text}");
    }
    for text in [
        "f : 1..3 <-> 1..3 & f(1) = 2",
        "f : 1..3 <-> 1..3 & f : INTEGER +-> INTEGER & f(1) + f(2) = 4",
        "f : 1..3 <-> 1..3 & (1 : dom(f) => f(1) = 2)",
    ] {
        let text = format!("MACHINE P CONSTANTS f PROPERTIES {text} END");
        let outcome = run_text(&text).expect("loads");
        assert_eq!(outcome.verdict, Verdict::StateError, "{text}");
    }
}

/// What is said of the inverse is said of the relation.
#[test]
fn relations_told_by_their_inverses() {
    for (text, count) in [
        ("f~ : 1..4 >->> 1..4", 24),
        ("f~ : perm(1..4)", 24),
        ("f~ : 1..4 --> 1..4", 256),
        ("f~ : 1..4 >-> 1..5", 120),
        ("f~ : 1..3 +-> 1..3", 64),
        ("f~ : 1..2 <<-> 1..2 & f : INTEGER <-> INTEGER", 9),
        ("dom(f) = 1..3 & f : INTEGER +-> INTEGER & f~ : 1..3 <-> 1..3", 27),
    ] {
        assert_eq!(solutions("f", text), count, "{text}");
    }
    let queens = format!("f~ : 1..8 >->> 1..8 & {QUEENS}");
    assert_eq!(solutions("f", &queens), 92);
}

/// No counterexample is looked for among all functions, whatever is on which side of `=>`.
#[test]
fn statements_about_all_functions() {
    let safe = QUEENS;
    for said in [
        "!f.(f : 1..8 --> 1..7 => card(ran(f)) /= 8)".to_string(),
        "!f.(f : 1..8 --> 1..7 & card(ran(f)) = 8 => 1 = 2)".to_string(),
        "!f.(f : 1..8 --> 1..7 => not(f : 1..8 >-> 1..7))".to_string(),
        format!("!f.(f : 1..8 --> 1..8 => ({safe} => f(1) /= f(8)))"),
        format!("!f.(f : 1..8 --> 1..8 => not({safe} & f(1) = 1 & f(2) = 2))"),
        format!("!f.(f : 1..8 --> 1..8 => (f(1) = 1 => ({safe} => f(2) > 2)))"),
    ] {
        let machine = |said: &str| {
            format!("MACHINE P VARIABLES z INVARIANT z = 0 & {said} INITIALISATION z := 0 END")
        };
        assert_eq!(holds(&machine(&said)).states, 1, "{said}");
    }
    let twice = "!f.(f : 1..8 --> 1..8 => (f(1) = 1 => not(f : 1..8 >-> 1..8)))";
    assert_eq!(solutions("c", &format!("c : BOOL & (c = TRUE <=> {twice})")), 1);
}

/// A member of a set that is described is what the description says.
#[test]
fn members_of_described_sets() {
    for said in [
        "f : {h | h : 1..8 --> 1..8}",
        "not(f /: {h | h : 1..8 --> 1..8})",
        "f : {h | h : 1..8 --> 1..8 & h(1) < 9}",
        "f : {h | h : {k | k : 1..8 <-> 1..8 & k : 1..8 --> INTEGER} & h(1) : 1..8}",
    ] {
        assert_eq!(solutions("f", &format!("{said} & {QUEENS}")), 92, "{said}");
        assert_eq!(solutions("f", &format!("{QUEENS} & {said}")), 92, "{said}, afterwards");
    }
    assert_eq!(solutions("s", "s : {t | t <: 1..24} & card(s) = 2"), 276);
    let both = "f |-> g : {h, k | h : 1..8 --> 1..8 & k : 1..8 --> 1..8 & k = h~}";
    assert_eq!(solutions("f, g", &format!("{both} & {QUEENS}")), 92);
}

/// An inclusion bounds a set, however it is said.
#[test]
fn inclusions_in_other_words() {
    for said in [
        "s /\\ (1..5) = s",
        "s = 1..5 /\\ s",
        "1..5 = s \\/ (1..5)",
        "s - (1..5) = {}",
        "not(#x.(x : s & x /: 1..5))",
        "not(#x.(x /: 1..5 & x : s))",
        "!x.(x /: 1..5 => x /: s)",
        "!x.(x : s => x : 1..5)",
        "{s} <: POW(1..5)",
        "UNION(x).(x : s | {x}) <: 1..5",
    ] {
        assert_eq!(solutions("s", said), 32, "{said}");
    }
    for said in [
        "f : 1..3 --> INTEGER & f |>> (1..3) = {}",
        "f : 1..3 --> INTEGER & f |> (1..3) = f",
        "f = (f ; id(1..3)) & f : 1..3 --> INTEGER",
        "f : INTEGER +-> 1..3 & (1..3) <| f = f & dom(f) = 1..3",
        "f : INTEGER +-> 1..3 & (id(1..3) ; f) = f & dom(f) = 1..3",
        "f : INTEGER +-> 1..3 & {} = (1..3) <<| f & dom(f) = 1..3",
    ] {
        assert_eq!(solutions("f", said), 27, "{said}");
    }
}

/// Functions side by side, and one after another that is known, are functions.
#[test]
fn functions_put_together() {
    let turned = "p : 0..7 >->> 0..7 & (p||p)[{i,j | i : 0..7 & j = (i+1) mod 8}] = {i,j | i : 0..7 & j = (i+3) mod 8}";
    assert_eq!(solutions("p", turned), 8);
    let same = "p : 0..6 >->> 0..6 & q : 0..6 >->> 0..6 & (p><q)[0..6] = id(0..6) & p(0) = 0";
    assert_eq!(solutions("p, q", same), 720);
    for (text, count) in [
        ("p : 1..2 <-> 1..2 & q : 1..2 <-> 1..2 & p >< q = {1 |-> (1 |-> 2)} & card(p) = 2", 2),
        ("p : 1..2 <-> 1..2 & q : 1..2 <-> 1..2 & (p || q) = {(1 |-> 2) |-> (2 |-> 1)}", 1),
        ("p : 1..2 +-> 1..2 & q : 1..2 +-> 1..2 & card(p >< q) = 1 & card((p || q)) = 2", 32),
        ("p : 1..4 --> 1..2 & q : 1..4 --> 1..2 & p >< q : 1..4 >-> (1..2)*(1..2)", 24),
    ] {
        assert_eq!(solutions("p, q", text), count, "{text}");
    }
    let weighed = "s : {16,17,23,24,39,40} --> 0..10000 & t = ([16,17,23,24,39,40] ; s) &
        SIGMA(v).(v : dom(s) | v*s(v)) = 100";
    assert_eq!(solutions("s, t", weighed), 1);
    // As many places as there are things: none is left out.
    let dominoes = "b = {1|->2,1|->3,1|->4,2|->4,2|->3,3|->4,3|->5,4|->5} & n : 1..9 --> 1..5 &
        !i.(i : 1..8 => u(i) : {n(i)|->n(i+1), n(i+1)|->n(i)})";
    for said in ["u : 1..8 >-> b", "u : perm(b)", "u : 1..8 --> b & ran(u) = b"] {
        assert_eq!(solutions("b, u, n", &format!("{dominoes} & {said}")), 88, "{said}");
    }
}

/// What is counted under a condition that is always true is counted as without it.
#[test]
fn distances_in_other_words() {
    let ruler = "a : 1..7 --> 0..25 & !i.(i : 2..7 => a(i-1) < a(i))";
    let pairs = "#(i,j).(i : 1..7 & j : 1..7 & i < j &";
    for said in [
        format!("card({{d | {pairs} d = a(j)-a(i))}}) = 21"),
        format!("card({{d | d : 0..25 & {pairs} d = a(j)-a(i))}}) = 21"),
        format!("card({{d | {pairs} a(j) = a(i)+d)}}) = 21"),
        format!("card({{d | {pairs} a(j)-d = a(i))}}) = 21"),
    ] {
        assert_eq!(solutions("a", &format!("{ruler} & {said}")), 10, "{said}");
        assert_eq!(solutions("a", &format!("{said} & {ruler}")), 10, "{said}, before");
    }
}

/// Names that are four times members of one set: most of what may be there is left out by what is said of them.
#[test]
fn several_members_of_one_set() {
    for said in [
        "!d.(d : 1..12 => card({x | x : a & x+d : a}) <= 1)",
        "!(w,x,y,z).(w : a & x : a & y : a & z : a & w < x & y < z & x-w = z-y => w = y)",
        "!(w,x,y,z).({w,x,y,z} <: a & x > w & z > y & x+y = z+w => z = x)",
        "not(#(z,y,x,w).(w : a & x : a & y : a & z : a & w < x & y < z & w /= y & x-w = z-y))",
    ] {
        for kind in ["a <: 0..12", "a : POW(0..12)"] {
            assert_eq!(solutions("a", &format!("{kind} & card(a) = 5 & {said}")), 22, "{said}");
        }
    }
}

/// A witness that is asked for is found as if its name were a constant.
#[test]
fn witnesses_of_choices() {
    for (text, count) in [
        (
            "s : 1..3 --> 0..200 & #p.(p : 0..3 --> 0..98 & p(0) = 0 & p(3) = 98 & !i.(i : 1..3 => p(i) = p(i-1) + s(i)*7*i))",
            24,
        ),
        (
            "s : 1..3 --> 0..200 & #p.(!i.(i : 1..3 => p(i-1) = p(i) - s(i)*7*i) & p : 0..3 --> 0..98 & p(0) = 0 & p(3) = 98)",
            24,
        ),
        (
            "s : 1..3 --> 0..4 & #(p,q).(p : 1..3 >-> 1..5 & q : 1..3 >-> 1..5 & !i.(i : 1..3 => p(i) + q(i) = 2*s(i)))",
            51,
        ),
    ] {
        assert_eq!(solutions("s", text), count, "{text}");
    }
    let graph = "g = {1|->2,2|->3,3|->4,4|->5,5|->6,6|->7,7|->8,8|->1,1|->5,2|->6,3|->7,4|->8} & h = g \\/ g~";
    for said in [
        "closure1(s)[{1}] = 1..8",
        "closure1(s) = (1..8)*(1..8)",
        "!x.(x : 1..8 => 1|->x : closure1(s))",
        "#q.(q : 1..8 >->> 0..7 & q(1) = 0 & !x.(x : 1..8 => q(s(x)) = (q(x)+1) mod 8))",
        "#q.(q : 0..7 >->> 1..8 & q(0) = 1 & !i.(i : 0..7 => s(q(i)) = q((i+1) mod 8)))",
    ] {
        let text = format!("{graph} & s : 1..8 >->> 1..8 & s <: h & {said}");
        assert_eq!(solutions("g, h, s", &text), 10, "{said}");
    }
}

/// What is added up of the pairs of a function is as many numbers as it has points.
#[test]
fn sums_over_pairs() {
    for said in [
        "SIGMA(v).(v : dom(s) | v*s(v)) = 100",
        "SIGMA(v,n).(v|->n : s | v*n) = 100",
        "SIGMA(p).(p : s | prj1(INTEGER,INTEGER)(p)*prj2(INTEGER,INTEGER)(p)) = 100",
        "SIGMA(n,v).(v : dom(s) & n : ran(s) & v|->n : s | v*n) = 100",
        "SIGMA(v,n).(v|->n : s & n > 0 | v*n) = 100",
    ] {
        for most in [30, 900, 9_000, 10_000, 20_000] {
            let text = format!("s : {{16,17,23}} --> 0..{most} & {said}");
            assert_eq!(solutions("s", &text), 1, "{text}");
        }
    }
}

/// A set that is computed from a function: the parts of a function that is found point by point do not tell it.
#[test]
fn sets_computed_from_functions() {
    let fixed = "{i | i : 1..5 & q(i) = i}";
    for told in [
        format!("card({fixed}) = 2"),
        format!("LET s BE s = {fixed} IN s <: 1..20 & card(s) = 2 END"),
        format!("#s.(s <: 1..20 & card(s) = 2 & s = {fixed})"),
        format!("not(!s.(s = {fixed} & s <: 1..20 => card(s) /= 2))"),
    ] {
        assert_eq!(solutions("q", &format!("q : perm(1..5) & {told}")), 20, "{told}");
    }
}

/// Graphs that are alike, in seventeen wordings: each picture of a set is made of as few literals as the plain one.
#[test]
fn isomorphisms_in_other_words() {
    let graphs = "g = UNION(i).(i : 0..7 | {i |-> (i + 1) mod 8, i |-> (i + 3) mod 8}) &
        h = {x, y | x : 0..7 & y : 0..7 & (x * 3) mod 8 |-> (y * 3) mod 8 : g} & p : 0..7 >->> 0..7";
    let plain =
        solutions("g, h, p", &format!("{graphs} & !(x, y).(x |-> y : g => p(x) |-> p(y) : h)"));
    assert!(plain > 0);
    for said in [
        "(p~ ; g ; p) = h",
        "(p~ ; (g ; p)) = h",
        "(p~ ; g ; p) <: h",
        "h <: (p~ ; g ; p)",
        "(p~ ; g) = (h ; p~)",
        "(g ; p) = (p ; h)",
        "(p || p)[g] = h",
        "h = {x, y | #(a, b).(a |-> b : g & x = p(a) & y = p(b))}",
        "h = ran(%(a, b).(a |-> b : g | p(a) |-> p(b)))",
        "UNION(a, b).(a |-> b : g | {p(a) |-> p(b)}) = h",
        "h = {x, y | x : ran(p) & y : ran(p) & p~(x) |-> p~(y) : g}",
        "((p~ ; g) ; p) - h = {}",
        "card((p~ ; g ; p) /\\ h) = card(h)",
        "!(x, y).(x : 0..7 & y : g[{x}] => p(y) : h[{p(x)}])",
        "!(x, y).(x |-> y : g => {p(y)} /\\ h[{p(x)}] /= {})",
        "h <: (0..7) * (0..7) - (p~ ; ((0..7) * (0..7) - g) ; p)",
    ] {
        assert_eq!(solutions("g, h, p", &format!("{graphs} & {said}")), plain, "{said}");
    }
}

/// A sequence of bits of which each is told by the one before it, in words that collect a set for each candidate and in words
/// that do not.
#[test]
fn what_is_collected_for_each_candidate_is_solved() {
    for told in [
        "c = {r, s | r : 1..12 & s : 0..1 & (r = 1 => s = 1) & (r > 1 => s = and(a(r - 1) |-> c(r - 1)))}",
        "c = {r, s | r : 1..12 & s : 0..1 & s = IF r = 1 THEN 1 ELSE and(a(r - 1) |-> c(r - 1)) END}",
        "!r.(r : 1..12 => (r = 1 => c(r) = 1) & (r > 1 => c(r) = and(a(r - 1) |-> c(r - 1))))",
    ] {
        let outcome = holds(&format!(
            "MACHINE M CONSTANTS and PROPERTIES and = {{0 |-> 0 |-> 0, 0 |-> 1 |-> 0, 1 |-> 0 |-> 0, 1 |-> 1 |-> 1}}
             VARIABLES a, k INVARIANT a : 1..12 --> 0..1 & k : 0..100
             INITIALISATION a := (1..12) * {{1}} || k := 0
             OPERATIONS next(c) = SELECT k < 100 & c : 1..12 --> 0..1 & {told} THEN k := k + 1 || a := c <+ {{k mod 12 + 1 |-> 0}} END;
               end = SELECT k = 100 THEN skip END
             END"
        ));
        assert_eq!(outcome.states, 101, "{told}");
    }
}
