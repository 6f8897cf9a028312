//! What `burnside solve -e` finds for the free names of a predicate.

use super::said::json;
use std::process::{Command, Stdio};

/// The exit status and what was printed.
#[track_caller]
fn solve(predicate: &str) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    let command = command.args(["solve", "--all", "--timeout", "100", "-e", predicate]);
    let command = command.stdin(Stdio::null());
    let output = command.output().unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.code().unwrap_or_else(|| panic!("no exit status: {text}")), text)
}

/// There is one solution, and this is a part of it.
#[track_caller]
fn one(predicate: &str, part: &str) {
    let (status, text) = solve(predicate);
    assert_eq!((status, text.lines().next()), (0, Some("1 solution")), "{predicate}\n{text}");
    assert!(text.contains(part), "{predicate}\n{text}");
}

/// There are so many solutions, and no others.
#[track_caller]
fn many(predicate: &str, solutions: usize) {
    let (status, text) = solve(predicate);
    let first = match solutions {
        0 => (1, Some("no solution".to_owned())),
        1 => (0, Some("1 solution".to_owned())),
        n => (0, Some(format!("{n} solutions"))),
    };
    assert_eq!((status, text.lines().next().map(str::to_owned)), first, "{predicate}\n{text}");
    assert!(!text.contains("may be more"), "{predicate}\n{text}");
}

const FACTORIAL: &str = "f = {0 |-> 1} \\/ %n.(n : NATURAL1 | n * f(n - 1))";

#[test]
fn free_names_may_be_functions_that_mention_themselves() {
    one(&format!("{FACTORIAL} & f(5) = x"), "x = 120");
    one(&format!("f : NATURAL --> INTEGER & {FACTORIAL} & x : 1..9 & f(x) = 720"), "x = 6");
    one(&format!("{FACTORIAL} & h = %x.(x : NATURAL | f(x) + 1) & h(4) = x"), "x = 25");
    one(
        "fib = {0 |-> 0, 1 |-> 1} \\/ %n.(n : NATURAL & n > 1 | fib(n - 1) + fib(n - 2)) & x = fib(90)",
        "x = 2880067194370816120",
    );
    // Seen to be finite, by way of one another, with what is solved for beside them.
    one("f = %n.(n : 0..4 | IF n = 0 THEN 1 ELSE n * f(n - 1) END)", "(3|->6),(4|->24)}");
    one(
        "ev = %n.(n : NATURAL | IF n = 0 THEN TRUE ELSE od(n - 1) END) &
         od = %n.(n : NATURAL | IF n = 0 THEN FALSE ELSE ev(n - 1) END) & x = ev(10) & y = od(10)",
        "x = TRUE, y = FALSE",
    );
    one("f = {0 |-> 1} \\/ %n.(n : NATURAL1 | k * f(n - 1)) & k : 1..5 & f(3) = 27", "k = 3");
    one(
        "g = %x.(x : INTEGER | x + k) & k = 2 & f = {0 |-> 1} \\/ %n.(n : NATURAL1 | g(f(n - 1))) &
         x = f(5)",
        "x = 11",
    );
    // Inside, a set that is kept by its description mentions the function.
    one(
        "f = {0 |-> 1} \\/ %n.(n : NATURAL1 |
           (IF n > 3 THEN %y.(y : NATURAL | f(n - 1) + y) ELSE %y.(y : NATURAL | y) END)(n)) & x = f(5)",
        "x = 12",
    );
}

#[test]
fn bounds_may_be_told_by_sums_powers_and_equations() {
    one("x : 1..10**12 & x * x = 100", "x = 10");
    one("n = 10**12 & x : 1..n & x * x = 100", "n = 1000000000000, x = 10");
    one("x >= 1 & x <= 2**40 - 1 & x + x = 100", "x = 50");
    one("x : 1..max({1, 2**40}) & y : 1..card(1..2**40) & x + y = 2**41", "x = 1099511627776");
    one(
        "x : 1..(IF 2 > 1 THEN 10**12 ELSE 2 END) & x mod 10**11 = 5 & x > 9 * 10**11",
        "x = 900000000005",
    );
    one("LET n BE n = 10**12 IN x : 1..n & x * x = 10**10 END", "x = 100000");
    one("y = bool(#x.(x : 1..10**12 & x * x = 101))", "y = FALSE");
}

#[test]
fn members_that_have_too_many_values_are_found_in_sets_that_are_told() {
    one("x : 0..2**40 & {x} \\/ {1} = {1, 7777777}", "x = 7777777");
    one("x : INTEGER & card(1..x) = 4", "x = 4");
    one("x : 0..9 & y : 0..9 & card(x..y) = 0 & x + y = 1", "x = 1, y = 0");
}

#[test]
fn what_such_functions_do_not_give_is_told() {
    let (status, text) = solve(&format!("{FACTORIAL} & f(5) = 121"));
    assert_eq!((status, text.contains("no solution")), (1, true), "{text}");
    let (status, text) = solve(&format!("{FACTORIAL} & f(-5) = x"));
    assert_eq!((status, text.contains("outside its domain: f(-5)")), (2, true), "{text}");
    let (status, text) = solve("f = %n.(n : INTEGER | f(n + 1) + 1) & x = f(1)");
    assert_eq!((status, text.contains("recursion without end")), (2, true), "{text}");
}

/// A quantifier over a set that has no value, and over more than can be tried, has none.
#[test]
fn the_sets_of_quantifiers_may_be_undefined() {
    let undefined = |predicate: &str, what: &str| {
        let (status, text) = solve(predicate);
        assert_eq!((status, text.contains(what)), (2, true), "{predicate}\n{text}");
    };
    let f = "f = {1 |-> {2}} & a = 3";
    undefined(&format!("!v.(v : f(a) => v > 0) & {f}"), "outside its domain: f(a)\n    f = ");
    undefined(&format!("#v.(v : f(a) & v > 0) & {f}"), "outside its domain: f(a)");
    undefined(&format!("not(#v.(v : f(a) & v > 0)) & {f}"), "outside its domain: f(a)");
    undefined(&format!("!(v, w).(v : f(a) & w : 1..v => w > 1) & {f}"), "outside its domain: f(a)");
    undefined(
        "!v.(v : 0..min({y | y : 1..5 & y > z}) => v < 10) & z = 7",
        "min of the empty set: min(",
    );
    undefined("#v.(v = 1 / z & v > -5) & z = 0", "division by zero: 1 / z");
    // Whatever the set is, no member decides otherwise: all of a finite type are tried, of others the solver is asked.
    one("!v.(v : g(2) => v : BOOL) & g = {1 |-> {TRUE}}", "g = ");
    one(&format!("!v.(v : f(a) => v : INTEGER) & {f}"), "a = 3");
    one(&format!("!(v, w).(v : f(a) & w : 1..v => w > 0) & {f}"), "a = 3");
    // What something else excludes is not asked for the set.
    one("z = 0 & !v.(v : 1..3 & v : {y | y : 1..9 & y > 3} & v : {8 / z} => v = 7)", "z = 0");
    // Where the others are not excluded by what is undefined, they are not known.
    let (status, text) = solve("z = 0 & #v.(v * v - 5 * v + 1 = 1 / z or v * v * v = v + 990)");
    assert_eq!((status, text.contains("unbounded")), (3, true), "{text}");
}

/// Candidates for which something is undefined do not keep others from being solutions.
#[test]
fn undefined_candidates_are_told_beside_solutions() {
    let (status, text) = solve("s <: 1..3 & max(s) = 2");
    let told = "2 solutions\n    s = {2}\n    s = {1,2}\nundefined for 1 other candidate: max of the empty set: max(s)\n    s = {}\n";
    assert_eq!((status, text.as_str()), (3, told));
    let (status, text) = solve("x : 1..4 & y : 1..4 & 6 / (x - y) = 2");
    let told = "1 solution\n    x = 4, y = 1\nundefined for 4 other candidates, the first one: division by zero: 6 / (x - y)\n    x = 1, y = 1\n    (x - y) = 0\n";
    assert_eq!((status, text.as_str()), (3, told));
    // There is nothing else.
    let (status, text) = solve("s <: 1..3 & max(s) = 7");
    assert_eq!((status, text.starts_with("undefined: max of the empty set")), (2, true), "{text}");
    // Nothing else is looked at without end.
    let (status, text) = solve("s <: 1..60 & card(s) = 1 / (z - z) & z = 1");
    assert_eq!((status, text.starts_with("undefined: division by zero")), (2, true), "{text}");
    let (status, text) = solve("x : 1..100000 & (x = 1 or 5 / (x - x) = 1)");
    assert_eq!(status, 3, "{text}");
    assert!(
        text.starts_with("at least 1 solution\n    x = 1\n    others were not looked at\n"),
        "{text}"
    );
}

/// Of a value that cannot be held it is told which one that is.
#[test]
fn what_is_too_large_is_told_by_its_place() {
    let (status, text) = solve("n = 7 & s : POW(0..2**31-1) --> 1..2");
    let told = "too large to be held: 0..2**31-1, a value with more than ";
    assert_eq!((status, text.contains(told)), (3, true), "{text}");
}

/// What is said of each two members waits for what is said of each one, wherever it is written.
#[test]
fn sets_of_sets_are_found_in_any_order_of_their_conditions() {
    let conditions = [
        "!(a, b).(a : bs & b : bs & a /= b => a /\\ b = {})",
        "!a.(a : bs => card(a) = 2)",
        "union(bs) = 1..8",
    ];
    for order in [[0, 1, 2], [1, 0, 2], [2, 0, 1]] {
        let all = order.map(|i| conditions[i]).join(" & ");
        let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
        let predicate = format!("bs <: POW1(1..8) & {all}");
        let limited = ["solve", "--timeout", "60", "-e", &predicate];
        let output = command.args(limited).stdin(Stdio::null()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("bs = {{1,8},{2,7},{3,6},{4,5}}"), "{all}\n{text}");
    }
}

/// One by one these bounds would push each other up without end, or creep through a thousand million numbers.
#[test]
fn inequalities_say_together_that_there_is_nothing() {
    for predicate in [
        "x > 0 & x < y & 2 * y < x",
        "x : NATURAL & y : NATURAL & x > y & y > 2 * x",
        "x > 0 & x < x / 2",
        "x < y & y < x",
        "x < y & y < z & not(x < z)",
        "n : NATURAL & 2 ** n < n",
        "max({x, y}) < x",
        "x : 0..1000000000 & y : 0..1000000000 & x > y & y >= x",
        "x : NATURAL & x mod 2 > x",
    ] {
        many(predicate, 0);
    }
}

#[test]
fn inequalities_say_together_where_numbers_lie() {
    many("x + y : 4..10 & x - y : 4..10 & x = 7", 7);
    many("x * x < x + 10", 6);
    one("2 * x * x + 3 * x - 2 = 0", "x = -2");
    many("(x - 1) * (x - 2) = 0", 2);
    many("(2 * x + 1) * (x - 3) <= 0", 4);
    many("y : NATURAL & y <= x & 3 * x <= y + 6", 7);
}

#[test]
fn sequences_are_as_long_as_their_positions_say() {
    many("s : seq({1, 2}) & dom(s) = 1..3", 8);
    many("s : seq({1, 2}) & dom(s) <: 1..2", 7);
    many("s : seq1({1, 2}) & 2 = max(dom(s))", 4);
}

#[test]
fn divisors_may_be_unknown_and_negative() {
    many("x / (-3) = 2", 3);
    many("x : -10..10 & x / (-2) = 0", 3);
    many("d > 0 & 12 mod d = 0", 6);
    many("d : NATURAL1 & 100 / d = 7", 2);
    many("d : NATURAL1 & x : 1..20 & x mod d = 0 & d > 9 & d < x", 1);
    one("g = max({d | d : NATURAL1 & 12 mod d = 0 & 18 mod d = 0})", "g = 6");
    many("x : 1..20 & card({d | d : NATURAL1 & x mod d = 0}) = 2", 8);
    many("x : 1..20 & !d.(d : NATURAL1 & x mod d = 0 => d = 1 or d = x)", 9);
}

/// What mentions itself and has few values is looked for among these.
#[test]
fn functions_of_few_points_are_looked_for() {
    many("c : 1..4 --> 0..1 & c = {r, s | r : 1..4 & s : 0..1 & c(5 - r) = 1 - s}", 4);
    many("z : 1..2 --> 1..2 & z = %x.(x : dom(z) | z(x))", 4);
    one("z : 1..3 >->> 1..3 & z = %x.(x : 1..3 | z(z(x)))", "z = [1,2,3]");
    one("z : {1} +-> {2} & z = {v | v : z & 1 = 2}", "z = {}");
    many("z : {1, 2} <-> {3} & z = {a, b | a |-> b : z & a > 1}", 2);
    // With more points it is read member by member.
    one(
        "f : 1..20 --> 0..1 & f = {r, s | r : 1..20 & s : 0..1 & (r = 1 => s = 1) & (r > 1 => s = 1 - f(r - 1))}",
        "f = [1,0,1,0,",
    );
}

#[test]
fn tables_of_pairs_are_asked_like_tables_of_tables() {
    many(
        "d = {(1,1)|->4, (1,2)|->3, (1,3)|->8, (2,1)|->3, (2,2)|->7, (2,3)|->2, (3,1)|->9, (3,2)|->5, (3,3)|->6} &
         s : 1..3 >->> 1..3 & c = SIGMA(i).(i : 1..3 | d(i, s(i))) & c < 13",
        2,
    );
    one("d = %(a, b).(a : 0..3 & b : 0..3 | 10 * a + b) & x : 0..3 & d(2, x) = 23", "x = 3");
    let d = "d = %(a, b).(a : 0..3 & b : 0..3 & a /= b | 10 * a + b)";
    one(&format!("{d} & x : 0..3 & y : 0..5 & (y < 4 & x /= y) & d(x, y) = 31"), "x = 3, y = 1");
    many(&format!("{d} & x : 0..3 & y : 0..5 & x |-> y : dom(d) & d(x, y) = d(y, x) + 9"), 3);
    many(
        &format!(
            "{d} & t = %(x, y).(x |-> y : dom(d) | x |-> (y |-> d(x, y))) & x : 1..2 & y : 1..2 & x /= y & t(x, y) = p"
        ),
        2,
    );
    one("d = %(a, b).(a : 0..3 & b : 0..3 | 10 * a + b) & x : 0..3 & d(x, 2) = 32", "x = 3");
}

#[test]
fn strings_are_told_by_what_follows() {
    many("size(s) = 2 & s : {\"a\", \"bb\", \"cc\"}", 2);
    one("rev(s) = t & s = \"abc\"", "t = \"cba\"");
    one("s ^ t = u & s : {\"a\"} & t : {\"b\"}", "u = \"ab\"");
    one("conc(q) = t & q = [\"a\", \"b\"]", "t = \"ab\"");
    one("size(s) = 2 & s ^ [3] = [1, 2, 3]", "s = [1,2]");
}

#[test]
fn what_is_asked_for_its_size_is_a_sequence() {
    many("size(s) = 2 & ran(s) = {7, 8}", 2);
    one("2 = size(s) & s(1) = 7 & s(2) = 8", "s = [7,8]");
}

#[test]
fn expressions_are_refused() {
    for (text, hint) in [("TRUE", "= TRUE"), ("1 + 1", "burnside eval")] {
        let (status, printed) = solve(text);
        assert_eq!(status, 2, "{printed}");
        assert!(printed.contains("error[expression-where-predicate]"), "{printed}");
        assert!(printed.contains(hint), "{printed}");
    }
}

/// What is made of sets bounds them, whatever type their members have.
#[test]
fn sets_are_told_by_what_is_made_of_them() {
    one("A /\\ B = {1} & A - B = {7} & B - A = {8}", "A = {1,7}, B = {1,8}");
    one("A * B = {1 |-> 2, 1 |-> 3, 2 |-> 2, 2 |-> 3}", "A = {1,2}, B = {2,3}");
    many("A * B = {1 |-> 2, 2 |-> 3}", 0);
    one("POW(X) = {{}, {\"a\"}, {\"b\"}, {\"a\", \"b\"}}", "X = {\"a\",\"b\"}");
    many("POW(X) <: {{}, {1}, {2}, {3}}", 4);
}

/// A disjunction over four names, each of which may be negated: (name, wanted).
type Clause = Vec<(usize, bool)>;

/// How many of these clauses contradict one another at the least, by trying all sets of them; 0 where there is a solution.
fn fewest(clauses: &[Clause]) -> usize {
    let holds = |clause: &Clause, at: u32| clause.iter().any(|(i, is)| (at >> i & 1 == 1) == *is);
    let has_solution = |set: u32| {
        let kept: Vec<_> = (0..clauses.len()).filter(|i| set >> i & 1 == 1).collect();
        (0..16).any(|at| kept.iter().all(|i| holds(&clauses[*i], at)))
    };
    let sets = 0..1u32 << clauses.len();
    sets.filter(|set| !has_solution(*set)).map(u32::count_ones).min().unwrap_or(0) as usize
}

#[test]
fn no_fewer_conjuncts_contradict_one_another_than_those_that_are_told() {
    // The last conjuncts are left out first, and then three are left.
    let (_, text) = solve("x : 0..9 & x < y & y < z & z < x & x = 1 & x = 2");
    assert_eq!(text, "no solution\nthese contradict one another:\n    x = 1\n    x = 2\n");
    let mut seed = 20_261_127u64;
    let mut below = |n: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % n
    };
    let mut sizes = std::collections::BTreeSet::new();
    for _ in 0..40 {
        let clauses: Vec<Clause> = (0..10)
            .map(|_| (0..1 + below(3)).map(|_| (below(4) as usize, below(2) == 1)).collect())
            .collect();
        let fewest = fewest(&clauses);
        if fewest == 0 {
            continue;
        }
        let literal = |(i, is): &(usize, bool)| {
            let value = if *is { "TRUE" } else { "FALSE" };
            format!("{} = {value}", ["aa", "bb", "cc", "dd"][*i])
        };
        let written = |clause: &Clause| {
            let literals: Vec<String> = clause.iter().map(literal).collect();
            format!("({})", literals.join(" or "))
        };
        let predicate = clauses.iter().map(written).collect::<Vec<_>>().join(" & ");
        let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
        let output = command.args(["solve", "--format", "json", "-e", &predicate]).output();
        let told = &json(&output.unwrap())["answer"]["contradiction"];
        assert_eq!(told["conjuncts"].as_array().map(Vec::len), Some(fewest), "{predicate}");
        assert_eq!(told["smallest"], true, "{predicate}");
        sizes.insert(fewest);
    }
    assert!(sizes.len() > 2, "{sizes:?}");
}

#[test]
fn sets_may_mention_each_other() {
    many("s = {n | n : 1..3 & n /: t} & t = {n | n : 1..3 & n /: s}", 8);
    many("s = {n | n : 1..3 & n /: t} & t = {n | n : 1..3 & n : s}", 0);
    one(
        "ev = {n | n : 0..10 & (n = 0 or n - 1 : od)} & od = {n | n : 0..10 & n - 1 : ev}",
        "ev = {0,2,4,6,8,10}, od = {1,3,5,7,9}",
    );
    many("s = {n | n : 1..3 & #m.(m : t & m > n)} & t = {n | n : 2..4 & #m.(m : s & m < n)}", 2);
    // Each of a finite type, and around three corners.
    many("a = {x | x : BOOL & x /: b} & b = {x | x : BOOL & x /: a}", 4);
    many(
        "a = {x | x : BOOL & x /: b} & b = {x | x : BOOL & x /: c} & c = {x | x : BOOL & x /: a}",
        0,
    );
}

/// So many solutions are told; there may be more.
#[track_caller]
fn some(predicate: &str, solutions: usize) -> String {
    let (status, text) = solve(predicate);
    let first = if solutions == 1 { "solution" } else { "solutions" };
    assert_eq!(
        (status, text.lines().next()),
        (3, Some(&*format!("at least {solutions} {first}"))),
        "{predicate}\n{text}"
    );
    text
}

#[test]
fn a_sequence_of_any_length_is_found_by_what_is_said_of_its_items() {
    let next = "next = {1 |-> 2, 2 |-> 3, 3 |-> 4, 3 |-> 5, 4 |-> 6, 5 |-> 6, 6 |-> 7}";
    let way = "!i.(i : 1..size(s) - 1 => s(i) |-> s(i + 1) : next)";
    // Longer than MAXINT, as no shorter one is a way.
    let ways = some(&format!("{next} & s : seq1(1..7) & {way} & first(s) = 1 & last(s) = 7"), 2);
    assert!(ways.contains("s = [1,2,3,4,6,7]") && ways.contains("s = [1,2,3,5,6,7]"), "{ways}");
    let routes = "r : 1..4 --> seq1(1..7) &
        !k.(k : 1..4 => !i.(i : 1..size(r(k)) - 1 => r(k)(i) |-> r(k)(i + 1) : next)) &
        (%k.(k : 1..4 | first(r(k)))) = [1, 1, 4, 5] & (%k.(k : 1..4 | last(r(k)))) = [4, 5, 7, 7]";
    let told = some(&format!("{next} & {routes}"), 1);
    assert!(told.contains("r = [[1,2,3,4],[1,2,3,5],[4,6,7],[5,6,7]]"), "{told}");
    // Nothing says that there is none: a longer one may be.
    let (status, text) =
        solve("s : seq(1..9) & !i.(i : dom(s) => s(i) = i) & size(s) mod 7 = 5 & s(2) = 2");
    assert_eq!(status, 3, "{text}");
    assert!(text.contains("s = [1,2,3,4,5]"), "{text}");
    // Longer ones are looked for as far as that takes little.
    let (status, text) = solve("1..5 <: dom(s) & s : seq(BOOL) & size(s ^ s) = 7 & n : 1..5");
    assert_eq!(status, 3, "{text}");
    many("s : seq(1..9) & !i.(i : dom(s) => s(i) = i) & size(s) < 4", 4);
    many("s : seq(1..2) & size(s) = n & n < 4", 15);
    many("s : seq(1..2) & size(s) = n & n : 1..2", 6);
}

#[test]
fn what_something_is_applied_to_is_in_its_domain() {
    let told = "p : 0..9 --> 1..20 & !n.(n : 0..9 => p(n) = n + 5)";
    one(&format!("{told} & x : INTEGER & p(x) = 11"), "x = 6");
    one(&format!("{told} & p(x) + p(x) = 28"), "x = 9");
    one(
        "p : (0..3) * (0..3) --> 1..9 & !(i, j).(i : 0..3 & j : 0..3 => p(i, j) = i + j + 1) & p(3, x) = 6",
        "x = 2",
    );
    let r = "r = {1 |-> 2, 2 |-> 3}";
    many(&format!("{r} & y : r[{{x}}]"), 2);
    one(&format!("{r} & r[{{x}}] = {{3}}"), "x = 2");
    many(&format!("{r} & r[{{x}}] /= {{}}"), 2);
    many(&format!("{r} & y : closure1(r)[{{x}}]"), 3);
}

#[test]
fn sets_are_parts_of_their_union() {
    one("union(F) = {1} & card(F) = 1", "F = {{1}}");
    many("union(F) = {1, 2}", 10);
    many(
        "F : POW(POW(INTEGER)) & union(F) = 1..3 & !(a, b).(a : F & b : F & a /= b => a /\\ b = {}) & {} /: F",
        5,
    );
    many("f : 1..2 --> POW(INTEGER) & f(1) \\/ f(2) = {1, 2}", 9);
    many("f : 1..2 --> POW(INTEGER) & union({f(1), f(2)}) = {1, 2}", 9);
    one("id(S) = {1 |-> 1}", "S = {1}");
    many("R <: (1..2) * NATURAL & !(x, y).(x |-> y : R => y = x + 1)", 4);
    many("f : 1..3 <-> NATURAL & !(x, y).(x |-> y : f => y < x)", 64);
    // Preorders.
    many("r : 1..4 <-> 1..4 & closure(r) /\\ ((1..4) * (1..4)) = r", 355);
    one("r = {1 |-> 2} & q = closure(r) /\\ ((1..2) * (1..2))", "q = {(1|->1),(1|->2),(2|->2)}");
}

#[test]
fn of_many_sets_those_are_tried_whose_members_may_be() {
    let told = "!x.(x : S => x /: {(TRUE, TRUE, TRUE), (FALSE, TRUE, TRUE)})";
    many(&format!("S : POW(BOOL * BOOL * BOOL) & {told}"), 64);
    many(&format!("S : POW1(BOOL * BOOL * BOOL) & card(S) <= 2 & {told}"), 6 + 15);
    many(&format!("S : BOOL * BOOL +-> BOOL & {told}"), 2 * 2 * 3 * 3);
    many("S <: BOOL * BOOL * BOOL & !(x, y).(x |-> y : S => y = FALSE & x = (TRUE, TRUE))", 2);
    // What is undefined of some members is not made more of.
    many(
        "f = {TRUE |-> 1} & S <: BOOL * BOOL * BOOL & !(x, y, z).(x |-> y |-> z : S => x = TRUE & f(x) = 1 & y = z)",
        4,
    );
}

#[test]
fn a_function_is_asked_for_all_its_points_before_its_domain_is() {
    many("f : 0..2 --> BOOL & #u.(u : NATURAL & u + 1 <= 2 & f(u) = TRUE) & f(0) = FALSE", 2);
    many("f : 0..3 --> BOOL & {u | u : NATURAL & u + 1 <= 3 & f(u) = TRUE} = {2}", 2);
    many("f : -1..1 --> 1..2 & #u.(0 <= u & u - 1 < 1 & f(u) /= 1)", 6);
    many("f : 0..2 --> BOOL & #u.(2 * u <= 4 & u >= 0 & not(f(u) = FALSE))", 7);
    many("n : {2} & f : 0..2 --> BOOL & card({u | u <= n & u - 1 >= 0 & f(u) = TRUE}) = 2", 2);
}

#[test]
fn bounds_by_sums_count_beside_equations_of_cases() {
    many("b : 1..3 & a : NATURAL & a + 1 <= 4 & (b /= 1 => (b = a or b > 0))", 12);
    many("b : 1..4 & a < 5 & a + 1 > 1 & ((b = 1 => b = 2) => (b = a or b > 0))", 16);
    many("b : 1..3 & a : NATURAL & 2 * a <= 4 & ((b = 1 => b = 2) => (b = a or b > 0))", 9);
}

/// Of sets that are undefined for some value of another name not all values of the type are tried: they are too many.
#[test]
fn undefined_sets_of_functions_have_an_end() {
    let (status, text) = solve("n : 0..2 & !u.(u : {1} --> 0..4 / n => u(1) < 5)");
    assert_eq!(status, 3, "{text}");
    assert!(text.starts_with("2 solutions\n    n = 1\n    n = 2\nundefined for 1 other"), "{text}");
    let (status, text) = solve("S <: 0..1 & !u.(u : {1} --> 0..min(S) => u /= u)");
    assert_eq!((status, text.contains("undefined: min of the empty set")), (2, true), "{text}");
}

/// A name that has the value of what is undefined for some candidate does not hide the others.
#[test]
fn values_that_some_candidate_does_not_have() {
    let (status, text) = solve("s <: 1..3 & min(s) > 1 & v = max(s)");
    assert_eq!(status, 3, "{text}");
    assert!(text.starts_with("3 solutions") && text.contains("s = {2,3}, v = 3"), "{text}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    let wanted = ["solve", "-e", "s <: 1..3 & min(s) > 1", "--maximise", "max(s)"];
    let output = command.args(wanted).stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("1 solution\n    max(s) = 3, s = {3}"), "{text}");
    assert!(text.contains("undefined for 1 other candidate"), "{text}");
    assert!(text.contains("max(s) = undefined, s = {}"), "{text}");
    // What is to be least may have a value all the same; the candidate is met at each bound.
    let wanted = ["solve", "-e", "s <: 1..3 & min(s) > 1", "--minimise", "card(s)"];
    let output = Command::new(env!("CARGO_BIN_EXE_burnside")).args(wanted).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("1 other candidate") && text.contains("card(s) = 0, s = {}"), "{text}");
}

#[test]
fn what_is_the_same_does_not_differ() {
    let functions = "f : 0..9 --> 0..9 & g : 0..9 --> 0..9";
    many(&format!("{functions} & f = g & f /= g"), 0);
    many(&format!("{functions} & f /= g & f = g"), 0);
    many(&format!("{functions} & !i.(i : 0..9 => f(i) = g(i)) & #i.(i : 0..9 & f(i) /= g(i))"), 0);
    many("f : 0..2 --> 0..2 & g : 0..2 --> 0..2 & !i.(i : 0..2 => f(i) = g(i)) & f(0) /= f(1)", 18);
    many("x : 0..9 & y : 0..9 & z : 0..9 & x = y + 1 & y = z + 2 & x - z /= 3", 0);
    many("x : 0..9 & y : 0..9 & z : 0..9 & x = y + 1 & y = z + 2 & (x - z = 3 or x = 9)", 7);
}

#[test]
fn parts_of_parts_are_parts() {
    let sets = "a <: 0..19 & b <: 0..19 & c <: 0..19";
    many(&format!("{sets} & a <: b & x : a & x /: b & c = {{}}"), 0);
    many(&format!("{sets} & a <: b & b <: c & not(a <: c)"), 0);
}

#[test]
fn the_members_of_a_permutation_may_be_unknown() {
    many("S <: 1..4 & card(S) = 2 & o : perm(S) & T <: 1..2", 48);
    many("S <: 1..4 & 4 : S & o : perm(S) & o(1) > 3", 16);
}

#[test]
fn what_is_refuted_point_by_point_is_refuted() {
    // Each of these says that one of many points is otherwise, and values of the unknowns are refuted all together only.
    for predicate in [
        "a <: 0..15 & b <: 0..15 & c <: 0..15 & a <: b & b <: c & not(a <: c)",
        "a <: 0..9 & b <: 0..9 & c <: 0..9 & a /\\ (b \\/ c) /= (a /\\ b) \\/ (a /\\ c)",
        "a <: 0..9 & b <: 0..9 & (a - b) \\/ (b - a) /= (a \\/ b) - (a /\\ b)",
        "r : 1..5 <-> 1..5 & u <: 1..5 & v <: 1..5 & r[u \\/ v] /= r[u] \\/ r[v]",
        "r : 1..3 <-> 1..3 & q : 1..3 <-> 1..3 & s : 1..3 <-> 1..3 & ((r ; q) ; s) /= (r ; (q ; s))",
        "a <: 0..19 & b <: 0..19 & a <: b & x : a & x /: b",
    ] {
        many(predicate, 0);
    }
}

#[test]
fn what_is_found_part_by_part_comes_once() {
    // Nothing is found by values for long, and then each candidate comes once.
    let all = (0..1u32 << 10).filter(|w| w & 0b11 != 0b11 && w.count_ones() == 2).count();
    many(
        "a <: 0..9 & b <: 0..9 & c <: 0..9 & a /\\ b = {} & a \\/ b = 0..9 & b /\\ c = {} &
         b \\/ c = 0..9 & card(a) + card(c) = 4 & not({0, 1} <: a)",
        all,
    );
}

/// The exit status and what was printed, of a command on a machine.
#[track_caller]
fn on_machine(machine: &str, arguments: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("M.mch");
    std::fs::write(&file, machine).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    let command = command.arg(arguments[0]).arg(&file).args(&arguments[1..]).stdin(Stdio::null());
    let output = command.output().unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.code().unwrap_or_else(|| panic!("no exit status: {text}")), text)
}

#[test]
fn predicates_are_solved_beside_the_properties() {
    let machine = "MACHINE M SETS S; T = {a, b} DEFINITIONS large == c > 2; twice(x) == x + x
        CONSTANTS c, f, p PROPERTIES c : 1..4 & f : T --> 0..c & p : S & f(a) = f(b)
        VARIABLES v INVARIANT v : 0..3 INITIALISATION v := 0 END";
    let solve = |predicate: &str| on_machine(machine, &["solve", "--all", "-e", predicate]);
    let (status, text) = solve("large & f(a) = c & x = twice(c) & p = S2");
    assert_eq!((status, text.lines().next()), (0, Some("2 solutions")), "{text}");
    assert!(text.contains("c = 3") && text.contains("x = 6") && text.contains("x = 8"), "{text}");
    assert!(text.contains("p = S2") && !text.contains("p = S1"), "{text}");
    let (status, text) = solve("f(a) > c");
    assert_eq!((status, text.lines().next()), (1, Some("no solution")), "{text}");
    let (_, text) = solve("v = 1");
    assert!(text.contains("cannot mention the variable `v`"), "{text}");
    let both = on_machine(machine, &["solve", "-e", "x = c", "--maximise", "x"]);
    assert!(both.1.contains("not of both"), "{}", both.1);
}

#[test]
fn infinite_and_untyped_values_are_shown() {
    let machine = "MACHINE M CONSTANTS c PROPERTIES c = 3 END";
    for (formula, shown) in [
        ("{x|x>1000}", "{x|x>1000}  : POW(INTEGER)"),
        ("{y|y>c}", "{y|y>c}"),
        ("succ", "succ  : "),
        ("%x.(x:INTEGER|x*x)", "%x.(x:INTEGER|x*x)  : "),
        ("INTEGER", "INTEGER  : "),
        ("NATURAL", "NATURAL  : "),
        ("POW(INTEGER)", "POW(INTEGER)  : POW(POW(INTEGER))"),
        ("seq(BOOL)", "seq(BOOL)  : "),
        ("{x . x < 5 | x * x}", "{x . x < 5 | x * x}  : "),
        ("{x|x*x=4}", "{-2,2}  : "),
        ("{}", "{}  : "),
        ("{({},{})}", "{({}|->{})}  : "),
        ("[]", "{}  : "),
    ] {
        let (status, text) = on_machine(machine, &["eval", formula]);
        assert!(status == 0 && text.contains(shown), "{formula}: {status} {text}");
    }
    // What a name stands for has to have a type.
    let (status, text) = on_machine(machine, &["eval", "{x | 1 = 1}"]);
    assert!(status != 0 && text.contains("the type of `x` is never determined"), "{text}");
}

/// Backquotes stand around names of the formula.
#[test]
fn what_has_no_name_is_told_without_quotes() {
    let (_, text) = solve("{x . x * x * x < 5 | x * x} = s & 3 > card(s)");
    assert!(!text.contains("`y`") && !text.contains("`a member"), "{text}");
}
