//! Large PROPERTIES.

use super::*;
use std::fmt::Write as _;
use std::time::Instant;

/// Far more than any of them needs on a busy machine.
const SOON: Duration = Duration::from_secs(40);

#[test]
fn ten_thousand_maplets() {
    let maplets: Vec<String> = (0..10_000).map(|i| format!("{i} |-> {}", i * 7 % 1000)).collect();
    let text = format!(
        "MACHINE M CONSTANTS f PROPERTIES f : 0..9999 --> NATURAL & f = {{{}}}
         VARIABLES x INVARIANT x : NATURAL INITIALISATION x := f(9999) END",
        maplets.join(", ")
    );
    let start = Instant::now();
    let outcome = holds(&text);
    println!("ten thousand maplets: {:?}", start.elapsed());
    assert_eq!(outcome.states, 1);
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

#[test]
fn equations_in_any_order() {
    let n = 200;
    let names: Vec<String> = (0..n).map(|i| format!("c{i}")).collect();
    let mut properties = String::new();
    for i in (1..n).rev() {
        let _ = write!(properties, "c{i} = c{} + {i} & ", i - 1);
    }
    let text = format!(
        "MACHINE M CONSTANTS {} PROPERTIES {properties} c0 = 1 ASSERTIONS c{} = {} END",
        names.join(", "),
        n - 1,
        1 + n * (n - 1) / 2
    );
    let start = Instant::now();
    holds(&text);
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

#[test]
fn a_thousand_conjuncts() {
    let mut properties = String::from("f : 1..1000 --> 0..1000");
    for i in 1..=1000 {
        let _ = write!(properties, " & f({i}) = {}", i - 1);
    }
    let text =
        format!("MACHINE M CONSTANTS f PROPERTIES f = %x.(x : 1..1000 | x - 1) & {properties} END");
    let start = Instant::now();
    holds(&text);
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

#[test]
fn queens() {
    let text = "MACHINE Q CONSTANTS n, queens
        PROPERTIES n = 6 & queens : perm(1..n) &
          !(q, p).(q : 1..n & p : 2..n & p > q =>
            queens(p) - queens(q) /= p - q & queens(q) - queens(p) /= p - q)
        END";
    let start = Instant::now();
    let outcome = run_text(text).expect("loads");
    // Root and four set-ups, each with its one state.
    assert_eq!(outcome.nodes, 9, "{outcome:?}");
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

#[test]
fn a_word_sum() {
    let text = "MACHINE P CONSTANTS S, E, N, D, M, O, R, Y
        PROPERTIES S : 1..9 & E : 0..9 & N : 0..9 & D : 0..9 & M : 1..9 & O : 0..9 & R : 0..9 &
          Y : 0..9 & card({S, E, N, D, M, O, R, Y}) = 8 &
          S*1000 + E*100 + N*10 + D + M*1000 + O*100 + R*10 + E
            = M*10000 + O*1000 + N*100 + E*10 + Y
        ASSERTIONS M = 1 & S = 9 & O = 0
        END";
    let start = Instant::now();
    let outcome = holds(text);
    println!("word sum: {:?}", start.elapsed());
    assert_eq!(outcome.nodes, 3);
}

/// Each level may give solutions to the one around it, or be a mere test of it. Both are planned; so
/// without a memory of plans the work doubles (at least) with each level.
#[test]
fn deep_quantifiers() {
    let depth = 24;
    let mut guard = "card(f) >= 0".to_owned();
    for i in (1..=depth).rev() {
        let outer = if i == 1 { "x".to_owned() } else { format!("y{}", i - 1) };
        guard = format!("#y{i}.(y{i} : S & (y{i} |-> {outer} : r or {guard}))");
    }
    let text = format!(
        "MACHINE M SETS S VARIABLES r, f INVARIANT r : S <-> S & f : S +-> S
         INITIALISATION r := {{}} || f := {{}}
         OPERATIONS op(x) = PRE x : S & {guard} THEN f(x) := x END END"
    );
    let start = Instant::now();
    holds(&text);
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

/// A set that values are taken from is compiled as what gives them, and as a test for where it is undefined;
/// so without a memory of what was compiled the work doubles (at least) with each level.
#[test]
fn deep_sets() {
    for level in [
        "#y.(y : {z | z : 0..0 & p})",
        "#y.(y <: {z | z : 0..0 & p})",
        "#y.(y : {0 |-> 0}[{z | z = 0 & p}])",
        "#y.(y : {z | z : 0..0 & p} --> 0..0)",
        "#y.(y = {z | z : 0..0 & p})",
        "!y.(y : {z | z : 0..0 & p} => #z.(z : {y | y : 0..0 & y = 0}))",
    ] {
        let guard = (0..30).fold("x = 0".to_owned(), |guard, i| {
            let named = level.replace('y', &format!("y{i}")).replace('z', &format!("z{i}"));
            named.replace('p', &guard)
        });
        let text = format!(
            "MACHINE M VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0
             OPERATIONS op = SELECT {guard} THEN skip END END"
        );
        let start = Instant::now();
        holds(&text);
        assert!(start.elapsed() < SOON, "{level}: {:?}", start.elapsed());
    }
}

/// The names are typed by one inclusion, and must get their candidates from it.
#[test]
fn a_set_of_names_in_an_interval() {
    let outcome = holds(
        "MACHINE M CONSTANTS a, b, c, d
         PROPERTIES {a, b, c, d} <: 2..8 & card({a, b, c, d}) = 4 & a * b = c + d & a < b & c < d
         ASSERTIONS a >= 2; d <= 8; a * b = c + d END",
    );
    let expected = (2..=8i32)
        .flat_map(|a| (a + 1..=8).map(move |b| (a, b)))
        .flat_map(|ab| (2..=8).flat_map(move |c| (c + 1..=8).map(move |d| (ab, c, d))))
        .filter(|((a, b), c, d)| a * b == c + d && ![a, b].iter().any(|x| [c, d].contains(x)))
        .count();
    assert!(expected > 0);
    assert_eq!(outcome.states as usize, expected);
}

/// Cardinalities of sets that are too large to be built follow from those of their parts; of small ones
/// they are what counting gives.
#[test]
fn cardinalities_of_sets_that_are_not_built() {
    let mut all = vec![
        "card(perm(1..1001)) = PI(i).(i : 1..1001 | i)".to_owned(),
        "card(POW(POW(1..6))) = 2 ** 64 & card(POW1(1..1000)) = 2 ** 1000 - 1".to_owned(),
        "card(1..1000 --> 1..1000) = 1000 ** 1000 & card(1..90 +-> 1..9) = 10 ** 90".to_owned(),
        "card(1..70 <-> 1..70) = 2 ** 4900 & card(1..70 -->> 1..2) = 2 ** 70 - 2".to_owned(),
        "card(1..100 >->> 1..100) = card(perm(1..100)) & card(1..9 >->> 1..8) = 0".to_owned(),
        "card(iseq(1..4)) = 1 + 4 + 12 + 24 + 24 & card(iseq1(1..4)) = 64 & card(FIN(n..7)) = 2 ** 5"
            .to_owned(),
    ];
    let arrows = [
        "-->", "+->", "<->", ">->", ">+>", "-->>", "+->>", ">->>", ">+>>", "<<->", "<->>", "<<->>",
    ];
    for (arrow, source, target) in arrows.iter().flat_map(|arrow| {
        [(0, 0), (0, 2), (2, 0), (1, 3), (2, 2), (3, 2)].map(|(n, m)| (arrow, n, m))
    }) {
        let set = format!("(1..{source} {arrow} 1..{target})");
        all.push(format!("card{set} = SIGMA(f).(f : {set} | 1)"));
    }
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    all_hold("CONSTANTS n PROPERTIES n = 3", &all);
}

/// Rules about large constants are joins: what they name is looked up, and what depends on the constants alone is made
/// once. Gone through pair by pair, each of them would take minutes.
#[test]
fn rules_about_large_constants() {
    let n = 20_000;
    let rules = [
        "!i.(i : 1..n => (f ; g)(i) > 0)",
        "!i.(i : 1..n => (f <+ g)(i) > 0)",
        "!(a, b).(a |-> b : f => b : ran(f))",
        "!i.(i : 1..n & i + 1 : dom(f) => i < n)",
        "!(a, b).(a : dom(f) & b : dom(f) & f(a) = f(b) => a = b)",
        "!(a, b).(a : dom(f) & b : dom(f) & a /= b => f(a) /= f(b))",
        "not(#(a, b).(a : dom(f) & b : dom(f) & a /= b & f(a) = f(b)))",
        "card({a, b | a : dom(f) & b : dom(g) & f(a) = g(b)}) = n",
        "!y.(y : 1..n => #x.(x : 1..n & x |-> y : f))",
        "!y.(y : 1..n => #x.(x |-> y : f))",
        "!y.(y : 1..n => {x | x : 1..n & x |-> y : f} /= {})",
        "{x | x |-> x : closure1(less)} = {}",
        "not(#x.(x |-> x : closure1(less)))",
    ];
    for rule in rules {
        let text = format!(
            "MACHINE M CONSTANTS n, f, g, less
             PROPERTIES n = {n} & f = {{i, j | i : 1..n & j = n + 1 - i}} &
               g = {{i, j | i : 1..n & j = i * 7 mod n + 1}} & less = {{i, j | i : 2..300 & j = i - 1}}
             ASSERTIONS {rule} END"
        );
        let start = Instant::now();
        holds(&text);
        println!("{rule}: {:?}", start.elapsed());
        assert!(start.elapsed() < SOON, "{rule}: {:?}", start.elapsed());
    }
}

/// Intervals are as long as their ends say, whatever the signs of these and whether literals or constants tell them; the
/// longest are not built.
#[test]
fn long_intervals_are_told_by_their_ends() {
    for (constants, properties) in [
        ("I", "I = -2147483648..2147483647"),
        ("I", "I = (0 - 1)..2 ** 31"),
        ("lo, I", "lo = 0 & I = lo..2147483647"),
        ("I, lo, hi", "I = lo..hi & lo = -hi - 1 & 2 ** 31 - 1 = hi"),
    ] {
        let text = format!(
            "MACHINE M CONSTANTS {constants} PROPERTIES {properties}
             VARIABLES x, s INVARIANT x : I & s <: I INITIALISATION x := 0 || s := {{}}
             OPERATIONS
               inc = PRE x < 3 & x + 1 : I THEN x := x + 1 END;
               add = PRE s = {{}} THEN s := {{x}} - (I - {{2}}) END;
               reset = BEGIN x := 0 || s := I /\\ {{-2 ** 31 - 1}} END
             END"
        );
        let outcome = holds(&text);
        // `s` has 2 in it where it was added at x = 2, and there is one step more.
        assert_eq!(outcome.states, 4 + 2, "{properties}");
    }
    // A constant with several values tells none.
    let outcome = holds(
        "MACHINE M CONSTANTS hi, I PROPERTIES hi : {3, 2000} & I = -1..hi
         VARIABLES x INVARIANT x : I INITIALISATION x :: I /\\ {3, 5} END",
    );
    assert_eq!(outcome.states, 3);
}
