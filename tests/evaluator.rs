//! Operators, errors and substitutions against values written by hand.

use burnside::eval::{Evaluator, Successors};
use burnside::search::{self, Control, OnViolation, SearchOptions, SymmetryMode};
use burnside::setup::{self, Model, SetupOptions};
use burnside::typing;
use std::collections::BTreeSet;
use std::sync::Arc;

fn model(text: &str) -> (Model, burnside::source::Sources) {
    let loaded = typing::load_text("T.mch", text);
    let errors: Vec<String> = loaded
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .map(|d| d.render(&loaded.sources))
        .collect();
    let machine = loaded.machine.unwrap_or_else(|| panic!("{text}\n{}", errors.join("\n")));
    match setup::set_up(&Arc::new(machine), &SetupOptions::default(), None) {
        Ok(model) => (model, loaded.sources),
        Err(d) => panic!("{text}\n{}", d[0].render(&loaded.sources)),
    }
}

/// What can be done in the initial states: results and new values, or the error with its place and
/// the values there.
fn outcomes(text: &str) -> BTreeSet<String> {
    let (model, sources) = model(text);
    let instance = &model.program.instance;
    let mut evaluator = Evaluator::new(model.program.clone());
    evaluator.explain(true);
    let mut setups = Vec::new();
    evaluator.setups(&mut setups).expect("set-ups");
    let mut found = BTreeSet::new();
    let mut out = Successors::new();
    for constants in &setups {
        for state in evaluator.initial_states(constants).expect("initial states") {
            evaluator.successors(&state, true, &mut out).expect("no limit");
            for (i, entry) in out.entries.iter().enumerate() {
                let operation = instance.machine.operation(entry.operation);
                let results = operation.results.iter().zip(&out.results[entry.results as usize..]);
                let results =
                    results.map(|(id, v)| instance.names.show(&instance.machine.local(*id).ty, v));
                let values = evaluator.variables(out.target(i));
                let globals = instance.machine.variables.iter().zip(&values);
                let values =
                    globals.map(|(g, v)| format!("{}={}", g.name, instance.names.show(&g.ty, v)));
                found.insert(results.chain(values).collect::<Vec<_>>().join(" "));
            }
            for fault in &out.faults {
                let values = fault.fault.iter().flat_map(|f| &f.operands);
                let values: Vec<String> =
                    values.map(|(o, v)| instance.names.show(&o.ty, v)).collect();
                found.insert(format!(
                    "error: {} at {} with {}",
                    fault.site.kind.message(),
                    sources.text(fault.site.span),
                    values.join(", ")
                ));
            }
        }
    }
    found
}

const SETS: &str = "SETS D; E = {e1, e2, e3, e4}; F = {f1, f2, f3, f4, f5, f6, f7, f8, f9, f10}
    DEFINITIONS scope_D == 2; SET_PREF_MAXINT == 5; SET_PREF_MININT == -5";

/// One operation whose results are these expressions.
fn results(expressions: &[String]) -> BTreeSet<String> {
    let names: Vec<String> = (0..expressions.len()).map(|i| format!("r{i}")).collect();
    let assignments: Vec<String> =
        names.iter().zip(expressions).map(|(r, e)| format!("{r} := {e}")).collect();
    outcomes(&format!(
        "MACHINE T {SETS} VARIABLES n, k INVARIANT n : INTEGER & k : INTEGER
         INITIALISATION n := 0 || k := 1
         OPERATIONS {} <-- op = BEGIN {} END END",
        names.join(", "),
        assignments.join(" || ")
    ))
}

/// The expression has the value of a literal.
fn is(expression: &str, literal: &str) {
    let found = results(&[format!("bool(({expression}) = ({literal}))"), expression.to_string()]);
    let found: Vec<&String> = found.iter().collect();
    assert!(
        found.len() == 1 && found[0].starts_with("TRUE"),
        "{expression} = {literal}: {found:?}"
    );
}

fn truth(predicate: &str, expected: bool) {
    let found = results(&[format!("bool({predicate})")]);
    let wanted = if expected { "TRUE n=0 k=1" } else { "FALSE n=0 k=1" };
    assert_eq!(found, BTreeSet::from([wanted.to_string()]), "{predicate}");
}

fn holds(predicate: &str) {
    truth(predicate, true);
}

fn fails(predicate: &str) {
    truth(predicate, false);
}

/// The same with elements of a set in one word, over several words, of integers, strings and pairs.
fn for_each_representation(check: impl Fn(&dyn Fn(&str) -> String)) {
    let kinds: [[&str; 4]; 5] = [
        ["e1", "e2", "e3", "e4"],
        ["f1", "f2", "f9", "f10"],
        ["-1", "2", "70", "18446744073709551616"],
        ["\"\"", "\"a\"", "\"b\"", "\"ab\""],
        ["(e1|->1)", "(e1|->2)", "(e2|->0)", "(e2|->1)"],
    ];
    for kind in kinds {
        check(&|text| {
            let places = ["@a", "@b", "@c", "@d"];
            places.iter().zip(kind).fold(text.to_string(), |t, (p, x)| t.replace(p, x))
        });
    }
}

fn everywhere(rows: &[(&str, &str)]) {
    for_each_representation(|put| rows.iter().for_each(|(e, x)| is(&put(e), &put(x))));
}

fn everywhere_true(rows: &[(&str, bool)]) {
    for_each_representation(|put| rows.iter().for_each(|(p, t)| truth(&put(p), *t)));
}

#[test]
fn predicates_and_booleans() {
    for (p, q) in [(false, false), (false, true), (true, false), (true, true)] {
        let text = |t| if t { "btrue" } else { "bfalse" };
        let (x, y) = (text(p), text(q));
        truth(&format!("{x} & {y}"), p && q);
        truth(&format!("{x} or {y}"), p || q);
        truth(&format!("{x} => {y}"), !p || q);
        truth(&format!("{x} <=> {y}"), p == q);
    }
    fails("not(btrue)");
    holds("!x.(x : 1..3 => x > 0)");
    fails("!(x, y).(x : 1..3 & y : 1..3 => x + y < 6)");
    holds("!x.(x : {} & x = 1 => 1 / 0 = 1)");
    holds("#x.(x : 1..3 & x * x = 4)");
    fails("#(x, y).(x : 1..3 & y : 1..3 & x * y = 5)");
    is("bool(1 = 1)", "TRUE");
    is("{bool(1 > 2), TRUE}", "BOOL");
    holds("LET x, y BE x = 2 & y = x + 1 IN y = 3 END");
    is("LET x, y BE x = 2 & y = x + 1 IN x * y END", "6");
    is("IF 1 = 2 THEN 3 ELSIF 1 = 1 THEN 4 ELSE 5 END", "4");
    fails("IF 1 = 2 THEN btrue ELSE bfalse END");
    everywhere_true(&[
        ("@a = @a", true),
        ("@a = @b", false),
        ("@a /= @d", true),
        ("@d /= @d", false),
    ]);
}

#[test]
fn truth_of_undefined_parts() {
    // Neither order, nor plan, nor quantifier makes a difference.
    fails("1 / n > 0 & n /= 0");
    fails("n /= 0 & 1 / n > 0");
    holds("1 / n > 0 or n = 0");
    holds("n /= 0 => 1 / n > 0");
    holds("1 / n > 0 => n = 0");
    holds("#x.(x : 0..2 & 1 / x > 0)");
    holds("#x.(x : -2..1 & 10 / x = 10)");
    fails("!x.(x : 0..2 => 1 / x = 1)");
    fails("!x.(1 / x = 0 & x : 0..2 => x = 7)");
    fails("#x.(x : 1..(1 / n) & x > 5)");
    is("{x | x : 0..3 & x /= 0 & 6 / x = 3}", "{2}");
    is("{x | 6 / x = 3 & x /= 0 & x : 0..3}", "{2}");
    is("{x | (x = 1 or 6 / x = 3) & x : 0..3 & x /= 0}", "{1, 2}");
    fails("#x.((1 / n |-> x) : {1 |-> 2} & x : 0..3 & x > 5)");
    fails("#x.(x = 1 / n & x : 0..3 & x > 5)");
    fails("#x.(x <: 1..(1 / n) & x <: 0..1 & 5 : x)");
    fails("3 : 5..(1 / n) & n = 1");
    holds("1 : {1} \\/ {1 / n}");
    fails("1 : {2} /\\ {1 / n}");
    fails("e1 : {e2} /\\ {e1 |-> e1}[{{e1 |-> e1}(e2)}]");
    for p in [
        "3 : 5..(1 / n)",
        "#x.(x : 5..(1 / n) & x : 0..9)",
        "{x | (x = 1 or 6 / x = 3) & x : 0..3} = {1, 2}",
        "#x.((x = 3 or 1 / n = x) & x : 0..2)",
        "#x.(x : 0..2 & 1 / x = 5)",
        "!x.(x : 0..2 => 1 / x >= 0)",
        "1 / n = 1 & k = 1",
    ] {
        let found = results(&[format!("bool({p})")]);
        assert!(found.iter().all(|f| f.starts_with("error: division by zero")), "{p}: {found:?}");
    }
}

#[test]
fn partial_functions_in_quantifiers() {
    // Outside the domain the equation is undefined, whichever way the candidates are found.
    holds("LET f BE f = {e1 |-> 1, e2 |-> 2} IN #x.(x : E & f(x) = 2) END");
    fails("LET f BE f = {e1 |-> 1, e2 |-> 2} IN #x.(x : dom(f) & f(x) = 3) END");
    for p in [
        "LET f BE f = {e1 |-> 1, e2 |-> 2} IN #x.(x : E & f(x) = 3) END",
        "LET f BE f = {e1 |-> 1, e2 |-> 2} IN {x | x : E & f(x) = 1} = {e1} END",
    ] {
        let found = results(&[format!("bool({p})")]);
        assert!(found.iter().all(|f| f.starts_with("error: function applied outside")), "{p}");
    }
}

#[test]
fn sets() {
    everywhere(&[
        ("{@a, @b, @a}", "{@b, @a}"),
        ("{x | x : {@a, @b, @c} & x /= @b}", "{@a, @c}"),
        ("{x, y | x : {@a, @b} & y : {@c} & x /= @b}", "{@a |-> @c}"),
        ("{x . x : {@a, @b} | (x |-> 1)}", "{@a |-> 1, @b |-> 1}"),
        ("POW({@a, @b})", "{{}, {@a}, {@b}, {@a, @b}}"),
        ("POW({@a} - {@a})", "{{@a} - {@a}}"),
        ("POW1({@a, @b})", "{{@a}, {@b}, {@a, @b}}"),
        ("FIN({@c})", "{{}, {@c}}"),
        ("FIN1({@c})", "{{@c}}"),
        ("card({@a, @b, @a})", "2"),
        ("card({@a} - {@a})", "0"),
        ("card(POW({@a, @b, @c}))", "8"),
        ("{@a, @b} * {@c}", "{@a |-> @c, @b |-> @c}"),
        ("{@a} * ({@a} - {@a})", "{@a |-> @a} - {@a |-> @a}"),
        ("{@a, @b} \\/ {@b, @c}", "{@a, @b, @c}"),
        ("{@a, @b} /\\ {@b, @c}", "{@b}"),
        ("{@a, @b} - {@b, @c}", "{@a}"),
        ("{@a, @b} \\ {@b, @c}", "{@a}"),
        ("union({{@a}, {@b, @c}})", "{@a, @b, @c}"),
        ("union({{@a}} - {{@a}})", "{@a} - {@a}"),
        ("inter({{@a, @b}, {@b, @c}})", "{@b}"),
        ("UNION(x).(x : {@a, @b} | {x, @c})", "{@a, @b, @c}"),
        ("UNION(x).(x : {@a} & x /= @a | {x})", "{@a} - {@a}"),
        ("INTER(x).(x : {@a, @b} | {x, @c})", "{@c}"),
    ]);
    everywhere_true(&[
        ("@a : {@a, @b}", true),
        ("@c : {@a, @b}", false),
        ("@c /: {@a, @b}", true),
        ("{@a} <: {@a, @b}", true),
        ("{@a, @c} <: {@a, @b}", false),
        ("{@a, @b} <<: {@a, @b}", false),
        ("{@a} <<: {@a, @b}", true),
        ("{@a, @c} /<: {@a, @b}", true),
        ("{@a, @b} /<<: {@a, @b}", true),
        ("{@a} - {@a} <: {@b}", true),
        ("{@a} : POW({@a, @b})", true),
        ("{@a} - {@a} : POW1({@a, @b})", false),
        ("@a |-> @c : {@a, @b} * {@c}", true),
        ("@c |-> @c : {@a, @b} * {@c}", false),
        ("{@a, @b} = {x | x : {@a, @b, @c} & x /= @c}", true),
    ]);
    holds("5 : NATURAL & 0 : NATURAL & -1 /: NATURAL & 0 /: NATURAL1 & -5 : INTEGER");
    holds("{1, 2} <: NATURAL & {0} /<: NATURAL1 & NATURAL1 <: NATURAL & NATURAL /<: NATURAL1");
    holds("{1} : FIN(NATURAL) & {-1} /: POW(NATURAL) & INTEGER /= NATURAL");
    is("{-1, 3} /\\ NATURAL", "{3}");
    is("{-1, 3} - NATURAL", "{-1}");
    holds("@finite({1, 2})");
    fails("@finite(NATURAL)");
    holds("@partition({1, 2, 3}, {1}, {2, 3}) & not(@partition({1, 2}, {1}, {1, 2}))");
    is("{{1}, {}} \\/ {{2}}", "{{}, {1}, {2}}");
    is("card(POW(POW(BOOL)))", "16");
}

#[test]
fn numbers() {
    is("INT", "-5..5");
    is("NAT", "{0, 1, 2, 3, 4, 5}");
    is("NAT1", "1..5");
    is("MAXINT - MININT", "10");
    is("3..1", "{1} - {1}");
    is("-2..1", "{-2, -1, 0, 1}");
    is("7 + -10", "-3");
    is("9223372036854775807 + 1", "9223372036854775808");
    is("-9223372036854775808 - 1", "-9223372036854775809");
    is("4294967296 * 4294967296", "18446744073709551616");
    is("18446744073709551616 / 4294967296", "4294967296");
    is("18446744073709551617 mod 10", "7");
    is("(0 - 9223372036854775808) / -1", "9223372036854775808");
    is("-(-9223372036854775808)", "9223372036854775808");
    is("18446744073709551616 - 18446744073709551615", "1");
    holds("18446744073709551616 > 9223372036854775807 & -18446744073709551616 < 0");
    for (x, y, q) in
        [(7, 2, 3), (-7, 2, -3), (7, -2, -3), (-7, -2, 3), (0, 3, 0), (1, 3, 0), (-1, 3, 0)]
    {
        is(&format!("({x}) / ({y})"), &q.to_string());
    }
    for (x, y, r) in [(7, 3, 1), (6, 3, 0), (0, 5, 0), (2, 5, 2), (4, 1, 0)] {
        is(&format!("{x} mod {y}"), &r.to_string());
    }
    for (x, y, p) in
        [(2, 10, "1024"), (0, 0, "1"), (5, 0, "1"), (0, 3, "0"), (-2, 3, "-8"), (-2, 2, "4")]
    {
        is(&format!("({x}) ** {y}"), p);
    }
    is("2 ** 70", "1180591620717411303424");
    is("(-1) ** 10000000001", "-1");
    is("2 ** 3 ** 2", "512");
    is("max({-3, 2, 0})", "2");
    is("min({-3, 2, 18446744073709551616})", "-3");
    is("max({1, 18446744073709551616})", "18446744073709551616");
    is("succ(4)", "5");
    is("pred(-4)", "-5");
    is("succ[{1, 2}]", "{2, 3}");
    is("SIGMA(x).(x : 1..4 | x)", "10");
    is("SIGMA(x, y).(x : 1..2 & y : 1..2 | 1)", "4");
    is("SIGMA(x).(x : {} & x = 1 | x)", "0");
    is("PI(x).(x : 1..5 | x)", "120");
    is("PI(x).(x : 3..1 | x)", "1");
    is("PI(x).(x : 1..25 | x)", "15511210043330985984000000");
    holds("1 < 2 & 2 <= 2 & 3 > 2 & 3 >= 3 & not(2 < 2) & not(2 > 2)");
}

#[test]
fn reals() {
    is("1.5 + 2.0", "3.5");
    is("1.5 - 2.0", "-0.5");
    is("1.5 * 2.0", "3.0");
    is("3.0 / 2.0", "1.5");
    is("-(1.5)", "0.0 - 1.5");
    is("real(3)", "3.0");
    is("floor(2.5)", "2");
    is("floor(-2.5)", "-3");
    is("ceiling(2.5)", "3");
    is("ceiling(-2.5)", "-2");
    holds("1.0 < 1.5 & 1.5 <= 1.5 & 2.0 > 1.5 & 0.0 - 1.0 < 0.5 & 1.0 : REAL");
    is("max({1.0, 2.5})", "2.5");
}

#[test]
fn relations() {
    everywhere(&[
        ("dom({@a |-> 1, @b |-> 2, @a |-> 3})", "{@a, @b}"),
        ("ran({@a |-> @b, @c |-> @b})", "{@b}"),
        ("dom({@a |-> @b} - {@a |-> @b})", "{@a} - {@a}"),
        ("id({@a, @b})", "{@a |-> @a, @b |-> @b}"),
        ("{@a, @d} <| {@a |-> @b, @c |-> @d}", "{@a |-> @b}"),
        ("{@a, @d} <<| {@a |-> @b, @c |-> @d}", "{@c |-> @d}"),
        ("{@a |-> @b, @c |-> @d} |> {@b}", "{@a |-> @b}"),
        ("{@a |-> @b, @c |-> @d} |>> {@b}", "{@c |-> @d}"),
        ("{@a |-> @b, @c |-> @b}~", "{@b |-> @a, @b |-> @c}"),
        ("{@a |-> 1, @a |-> 2, @b |-> 3}[{@a, @d}]", "{1, 2}"),
        ("{@a |-> @c, @a |-> @b, @d |-> @d}[{@a, @d}]", "{@b, @c, @d}"),
        ("{@a |-> @b}[{@a} - {@a}]", "{@a} - {@a}"),
        ("{@a |-> @b, @c |-> @d} <+ {@a |-> @d, @a |-> @c}", "{@a |-> @c, @a |-> @d, @c |-> @d}"),
        ("{@a |-> 1} <+ ({@a |-> 2} - {@a |-> 2})", "{@a |-> 1}"),
        (
            "{@a |-> @b, @a |-> @c} >< {@a |-> @d, @b |-> @a}",
            "{@a |-> (@b |-> @d), @a |-> (@c |-> @d)}",
        ),
        ("({@a |-> @b, @b |-> @c} ; {@b |-> @d, @c |-> @a})", "{@a |-> @d, @b |-> @a}"),
        ("({@a |-> @b} ; {@c |-> @d})", "{@a |-> @b} - {@a |-> @b}"),
        ("({@b |-> @d} circ {@a |-> @b})", "{@a |-> @d}"),
        (
            "({@a |-> @b} || {@c |-> @d, @c |-> @a})",
            "{(@a |-> @c) |-> (@b |-> @d), (@a |-> @c) |-> (@b |-> @a)}",
        ),
        ("prj1({@a, @b}, {@c})", "{(@a |-> @c) |-> @a, (@b |-> @c) |-> @b}"),
        ("prj2({@a, @b}, {@c})", "{(@a |-> @c) |-> @c, (@b |-> @c) |-> @c}"),
        ("closure1({@a |-> @b, @b |-> @c})", "{@a |-> @b, @b |-> @c, @a |-> @c}"),
        ("closure1({@a |-> @b, @b |-> @a})", "{@a, @b} * {@a, @b}"),
        ("closure({@a |-> @b})", "{@a |-> @b, @a |-> @a, @b |-> @b}"),
        ("closure({@a |-> @b} - {@a |-> @b})", "{@a |-> @b} - {@a |-> @b}"),
        ("iterate({@a |-> @b, @b |-> @c}, 2)", "{@a |-> @c}"),
        ("iterate({@a |-> @b, @b |-> @c}, 1)", "{@a |-> @b, @b |-> @c}"),
        ("iterate({@a |-> @b}, 0)", "{@a |-> @a, @b |-> @b}"),
        ("fnc({@a |-> @b, @a |-> @c})", "{@a |-> {@b, @c}}"),
        ("rel({@a |-> {@b, @c}, @b |-> {}})", "{@a |-> @b, @a |-> @c}"),
        ("{@a} <-> {@b}", "{{}, {@a |-> @b}}"),
        ("card({@a, @b} <-> {@c, @d})", "16"),
        ("{@a, @b} <<-> {@c}", "{{@a |-> @c, @b |-> @c}}"),
        ("card({@a} <->> {@b, @c})", "1"),
        ("card({@a, @b} <<->> {@c, @d})", "7"),
    ]);
    everywhere_true(&[
        ("{@a |-> @c} : {@a, @b} <-> {@c}", true),
        ("{@a |-> @d} : {@a, @b} <-> {@c}", false),
        ("{@a |-> @c} : {@a, @b} <<-> {@c}", false),
        ("{@a |-> @c} : {@a, @b} <->> {@c}", true),
        ("{@a |-> @c} : {@a} <<->> {@c}", true),
    ]);
    is("{1 |-> 2, -1 |-> 3} |> NATURAL", "{1 |-> 2, -1 |-> 3}");
    is("NATURAL <| {1 |-> 2, -1 |-> 3}", "{1 |-> 2}");
    is("(e1, e2, e3)", "((e1 |-> e2) |-> e3)");
    is("prj1(e1 |-> e2)", "e1");
    is("prj2(e1 |-> e2)", "e2");
}

#[test]
fn functions() {
    everywhere(&[
        ("card({@a, @b} +-> {@c, @d})", "9"),
        ("card({@a, @b} --> {@c, @d})", "4"),
        ("card({@a, @b} >+> {@c, @d})", "7"),
        ("card({@a, @b} >-> {@c, @d})", "2"),
        ("card({@a, @b} +->> {@c, @d})", "2"),
        ("card({@a, @b, @c} -->> {@c, @d})", "6"),
        ("card({@a, @b} >+>> {@c})", "2"),
        ("card({@a, @b} >->> {@c, @d})", "2"),
        ("card({@a, @b} >->> {@c})", "0"),
        ("({@a} - {@a}) --> {@b}", "{{@a |-> @b} - {@a |-> @b}}"),
        ("%x.(x : {@a, @b} & x /= @a | (x |-> 1))", "{@b |-> (@b |-> 1)}"),
        ("%(x, y).(x : {@a} & y : {@b} | y)", "{(@a |-> @b) |-> @b}"),
        ("{@a |-> @b, @c |-> @d}(@a)", "@b"),
        ("{(@a |-> @b) |-> @c}(@a, @b)", "@c"),
        ("{@a |-> {@b |-> @c}}(@a)(@b)", "@c"),
        ("(%x.(x : {@a, @b} | x))(@b)", "@b"),
        ("(%x.(x : {@a, @b} | {x, @c}))[{@b, @d}]", "{{@b, @c}}"),
    ]);
    everywhere_true(&[
        ("{@a |-> 1, @a |-> 2} : {@a, @b} +-> {1, 2}", false),
        ("{@a |-> 1} : {@a, @b} +-> {1, 2}", true),
        ("{@a |-> 1} : {@a, @b} --> {1, 2}", false),
        ("{@a |-> 1, @b |-> 1} : {@a, @b} --> {1, 2}", true),
        ("{@a |-> 1, @b |-> 1} : {@a, @b} >-> {1, 2}", false),
        ("{@a |-> 1} : {@a, @b} >+> {1, 2}", true),
        ("{@a |-> 1} : {@a, @b} +->> {1}", true),
        ("{@a |-> 1, @b |-> 1} : {@a, @b} -->> {1, 2}", false),
        ("{@a |-> 1} : {@a, @b} >+>> {1}", true),
        ("{@a |-> 1, @b |-> 2} : {@a, @b} >->> {1, 2}", true),
        ("{@a |-> 1} : {@a, @b} +-> NATURAL", true),
        ("{@a |-> -1} : {@a, @b} +-> NATURAL", false),
    ]);
    fails("{1 |-> TRUE} : INTEGER --> BOOL");
    holds("{1 |-> TRUE} : INTEGER +-> BOOL");
    is("(%x.(x : NATURAL | x * x))(12)", "144");
}

#[test]
fn sequences() {
    everywhere(&[
        ("[@a, @b, @a]", "{1 |-> @a, 2 |-> @b, 3 |-> @a}"),
        ("size([@a, @b, @a])", "3"),
        ("size([@a] - [@a])", "0"),
        ("[@a, @b] ^ [@c]", "[@a, @b, @c]"),
        ("[@a] ^ []", "[@a]"),
        ("@a -> [@b]", "[@a, @b]"),
        ("[@b] <- @a", "[@b, @a]"),
        ("rev([@a, @b, @c])", "[@c, @b, @a]"),
        ("conc([[@a], [], [@b, @c]])", "[@a, @b, @c]"),
        ("first([@a, @b])", "@a"),
        ("last([@a, @b])", "@b"),
        ("front([@a, @b])", "[@a]"),
        ("tail([@a, @b])", "[@b]"),
        ("tail([@a])", "[@a] - [@a]"),
        ("[@a, @b, @c] /|\\ 2", "[@a, @b]"),
        ("[@a, @b, @c] /|\\ 0", "[@a] - [@a]"),
        ("[@a, @b, @c] \\|/ 2", "[@c]"),
        ("[@a, @b, @c] \\|/ 3", "[@a] - [@a]"),
        ("iseq({@a, @b})", "{[], [@a], [@b], [@a, @b], [@b, @a]}"),
        ("iseq1({@a})", "{[@a]}"),
        ("perm({@a, @b})", "{[@a, @b], [@b, @a]}"),
        ("perm({@a} - {@a})", "{[@a] - [@a]}"),
        ("[@a, @b](2)", "@b"),
        ("[@a, @b] <+ {2 |-> @c}", "[@a, @c]"),
    ]);
    everywhere_true(&[
        ("[@a, @a] : seq({@a})", true),
        ("[@a, @b] : seq({@a})", false),
        ("[@a] - [@a] : seq({@b})", true),
        ("[@a] - [@a] : seq1({@b})", false),
        ("[@a, @a] : iseq({@a})", false),
        ("[@a, @b] : iseq1({@a, @b, @c})", true),
        ("[@a, @b] : perm({@a, @b, @c})", false),
        ("[@b, @a] : perm({@a, @b})", true),
        ("{2 |-> @a} : seq({@a})", false),
    ]);
}

#[test]
fn records_and_strings() {
    is("rec(a : 1, b : TRUE)'a", "1");
    is("rec(b : TRUE, a : 1)", "rec(a : 1, b : TRUE)");
    is("struct(a : {1, 2}, b : {e1})", "{rec(a : 1, b : e1), rec(a : 2, b : e1)}");
    holds("rec(a : 7, b : e2) : struct(a : NATURAL, b : E)");
    fails("rec(a : -7, b : e2) : struct(a : NATURAL, b : E)");
    holds("\"a\" : STRING & \"a\" /= \"b\" & \"\" = \"\"");
    is("card({\"x\", \"y\", \"x\"})", "2");
}

// ----- errors

/// The error of an expression: message, sub-expression, values.
fn error(expression: &str, message: &str, at: &str, values: &str) {
    let found = results(&[expression.to_string()]);
    let wanted = format!("error: {message} at {at} with {values}");
    assert_eq!(found, BTreeSet::from([wanted]), "{expression}");
}

#[test]
fn each_error_names_the_expression_and_its_values() {
    error("3 + 7 / n", "division by zero", "7 / n", "7, 0");
    error("1.5 / 0.0", "division by zero", "1.5 / 0.0", "1.5, 0.0");
    let modulo = "`mod` needs a left side of at least 0 and a right side above 0";
    error("7 mod n", modulo, "7 mod n", "7, 0");
    error("(n - 7) mod 2", modulo, "(n - 7) mod 2", "-7, 2");
    error("7 mod (n - 2)", modulo, "7 mod (n - 2)", "7, -2");
    error("2 ** (n - 1)", "negative exponent", "2 ** (n - 1)", "2, -1");
    let outside = "function applied outside its domain";
    error("{1 |-> 2}(n)", outside, "{1 |-> 2}(n)", "[2], 0");
    error("{e1 |-> e2}(e3)", outside, "{e1 |-> e2}(e3)", "{(e1|->e2)}, e3");
    error("(%x.(x : 1..2 | x))(n)", outside, "(%x.(x : 1..2 | x))(n)", "0");
    let twice = "relation applied where it gives more than one value";
    error("{1 |-> 2, 1 |-> 3}(k)", twice, "{1 |-> 2, 1 |-> 3}(k)", "{(1|->2),(1|->3)}, 1");
    error(
        "{e1 |-> e2, e1 |-> e3}(e1)",
        twice,
        "{e1 |-> e2, e1 |-> e3}(e1)",
        "{(e1|->e2),(e1|->e3)}, e1",
    );
    error("max(1..n)", "max of the empty set", "max(1..n)", "{}");
    error(
        "min({x | x : 1..3 & x < n})",
        "min of the empty set",
        "min({x | x : 1..3 & x < n})",
        "{}",
    );
    let empty = "intersection over the empty set";
    error("inter({{1}} - {{k}})", empty, "inter({{1}} - {{k}})", "{}");
    error("INTER(x).(x : 1..n | {x})", empty, "INTER(x).(x : 1..n | {x})", "");
    let some = "operator needs a non-empty sequence";
    for f in ["first", "last", "front", "tail"] {
        error(&format!("{f}([1] - [k])"), some, &format!("{f}([1] - [k])"), "{}");
    }
    let sequence = "not a sequence";
    error("size({2 |-> k})", sequence, "size({2 |-> k})", "{(2|->1)}");
    error("[1] ^ {2 |-> k}", sequence, "[1] ^ {2 |-> k}", "[1], {(2|->1)}");
    let range = "index outside the sequence";
    error("[5, 6] /|\\ (k + 2)", range, "[5, 6] /|\\ (k + 2)", "[5,6], 3");
    error("[5, 6] \\|/ (k + 2)", range, "[5, 6] \\|/ (k + 2)", "[5,6], 3");
    error("[5, 6] /|\\ (n - 1)", range, "[5, 6] /|\\ (n - 1)", "[5,6], -1");
    error(
        "iterate({1 |-> 2}, n - 1)",
        "negative number of iterations",
        "iterate({1 |-> 2}, n - 1)",
        "-1",
    );
}

// ----- substitutions

fn machine(operation: &str) -> String {
    format!(
        "MACHINE T {SETS}
         VARIABLES x, y, f, g, s, rc
         INVARIANT x : 0..3 & y : 0..3 & f : E +-> 0..3 & g : E +-> (E +-> 0..2) & s <: E &
             rc : struct(a : 0..3, b : BOOL)
         INITIALISATION x := 1 || y := 2 || f := {{e1 |-> 1}} || g := {{e1 |-> {{e1 |-> 0}}}} || s := {{}}
             || rc := rec(a : 1, b : FALSE)
         OPERATIONS {operation} END"
    )
}

/// Results and new values of `x` and `y`.
fn steps(operation: &str) -> Vec<String> {
    let found = outcomes(&machine(operation));
    let short = found.into_iter().map(|o| match o.find(" f=") {
        Some(at) if !o.starts_with("error") => o[..at].to_string(),
        _ => o,
    });
    short.collect::<BTreeSet<_>>().into_iter().collect()
}

fn leads_to(body: &str, wanted: &[&str]) {
    assert_eq!(steps(&format!("op = {body}")), wanted, "{body}");
}

fn value_after(body: &str, variable: &str, wanted: &str) {
    let found = outcomes(&machine(&format!("op = {body}")));
    assert_eq!(found.len(), 1, "{body}: {found:?}");
    let text = found.iter().next().expect("one");
    assert!(text.contains(&format!("{variable}={wanted}")), "{body}: {text}");
}

#[test]
fn assignments_read_the_old_state() {
    leads_to("skip", &["x=1 y=2"]);
    leads_to("BEGIN x, y := y, x END", &["x=2 y=1"]);
    leads_to("BEGIN x := y || y := x END", &["x=2 y=1"]);
    leads_to("BEGIN x := y ; y := x END", &["x=2 y=2"]);
    leads_to("BEGIN BEGIN x := 0 ; x := x + y END || y := x END", &["x=2 y=1"]);
    leads_to("BEGIN y := x || BEGIN x := 0 ; x := x + y END END", &["x=2 y=1"]);
    leads_to("BEGIN x := 300 END", &["x=300 y=2"]);
    leads_to(
        "BEGIN x := 3000000000 * 3000000000 ; x := x * x END",
        &["x=81000000000000000000000000000000000000 y=2"],
    );
}

#[test]
fn assignments_into_values() {
    value_after("BEGIN f(e2) := 3 END", "f", "{(e1|->1),(e2|->3)}");
    value_after("BEGIN f(e1) := 7 END", "f", "{(e1|->7)}");
    value_after("BEGIN f(e1) := 7 ; f(e2) := 1 ; f(e1) := 2 END", "f", "{(e1|->2),(e2|->1)}");
    value_after(
        "BEGIN f := {e1 |-> 1, e1 |-> 2} ; f(e2) := 0 END",
        "f",
        "{(e1|->1),(e1|->2),(e2|->0)}",
    );
    value_after("BEGIN g(e1)(e2) := 2 END", "g", "{(e1|->{(e1|->0),(e2|->2)})}");
    value_after("BEGIN rc'a := x + 1 END", "rc", "rec(a:2,b:FALSE)");
    leads_to(
        "BEGIN g(e2)(e2) := 2 END",
        &["error: assignment into a value outside the domain at g(e2)(e2) with e2"],
    );
}

#[test]
fn choices() {
    leads_to("BEGIN x :: {0, 3} END", &["x=0 y=2", "x=3 y=2"]);
    leads_to("BEGIN x :: {} END", &[]);
    leads_to("BEGIN x, y :: {0 |-> 1, 2 |-> 3} END", &["x=0 y=1", "x=2 y=3"]);
    leads_to("BEGIN x : (x : 0..3 & x > x$0) END", &["x=2 y=2", "x=3 y=2"]);
    leads_to(
        "BEGIN x, y : (x : 0..3 & y : 0..3 & x + y = 1 & y$0 = 2) END",
        &["x=0 y=1", "x=1 y=0"],
    );
    leads_to("BEGIN x : (x : 0..3 & x > 3) END", &[]);
    leads_to("CHOICE x := 0 OR y := 0 OR skip END", &["x=0 y=2", "x=1 y=0", "x=1 y=2"]);
    leads_to(
        "BEGIN CHOICE x := 0 OR x := 3 END || CHOICE y := x OR skip END END",
        &["x=0 y=1", "x=0 y=2", "x=3 y=1", "x=3 y=2"],
    );
    leads_to("BEGIN CHOICE x := 0 OR x := 3 END ; y := x END", &["x=0 y=0", "x=3 y=3"]);
    leads_to("ANY z WHERE z : 0..3 & z * z = z THEN x := z END", &["x=0 y=2", "x=1 y=2"]);
    leads_to("ANY z WHERE z : 0..3 & z > 3 THEN x := z END", &[]);
    leads_to("LET z BE z = x + y IN x := z || y := z - 1 END", &["x=3 y=2"]);
    // Infeasible for some outcome of the left side, and for all.
    leads_to("BEGIN x :: 0..2 ; SELECT x > 0 THEN y := x END END", &["x=1 y=1", "x=2 y=2"]);
    leads_to("BEGIN x :: 0..2 ; SELECT x > 5 THEN y := x END END", &[]);
}

#[test]
fn conditions() {
    leads_to("IF x = 0 THEN x := 3 END", &["x=1 y=2"]);
    leads_to("IF x = 0 THEN x := 3 ELSIF x = 1 THEN x := 2 ELSE x := 0 END", &["x=2 y=2"]);
    leads_to(
        "SELECT x = 1 THEN x := 0 WHEN y = 2 THEN x := 2 WHEN y = 3 THEN x := 3 END",
        &["x=0 y=2", "x=2 y=2"],
    );
    leads_to("SELECT x = 5 THEN x := 0 WHEN y = 5 THEN x := 2 ELSE x := 3 END", &["x=3 y=2"]);
    leads_to("SELECT x = 1 THEN x := 0 ELSE x := 3 END", &["x=0 y=2"]);
    leads_to("SELECT x = 5 THEN x := 0 END", &[]);
    leads_to("CASE x OF EITHER 0, 1 THEN y := 0 OR 2 THEN y := 1 END END", &["x=1 y=0"]);
    leads_to("CASE x + 3 OF EITHER 0, 1 THEN y := 0 OR 2 THEN y := 1 END END", &["x=1 y=2"]);
    leads_to("CASE x + 3 OF EITHER 0 THEN y := 0 ELSE y := 3 END END", &["x=1 y=3"]);
    leads_to("PRE x = 2 THEN y := 0 END", &[]);
    leads_to("BEGIN PRE x = 2 THEN y := 0 END END", &[]);
    leads_to(
        "BEGIN skip || PRE x = 2 THEN y := 0 END END",
        &["error: precondition does not hold at x = 2 with "],
    );
    leads_to(
        "SELECT x = 1 THEN PRE x = 2 THEN y := 0 END END",
        &["error: precondition does not hold at x = 2 with "],
    );
    leads_to("ASSERT x = 2 THEN y := 0 END", &["error: ASSERT does not hold at x = 2 with "]);
    leads_to("ASSERT x = 1 THEN y := 0 END", &["x=1 y=0"]);
}

#[test]
fn an_instance_that_can_fail_has_no_transition() {
    let failed = &["error: division by zero at 1 / 0 with 1, 0"];
    leads_to("CHOICE x := 1 / 0 OR x := 2 END", failed);
    leads_to("CHOICE x := 2 OR x := 1 / 0 END", failed);
    assert_eq!(
        steps("r <-- op(z) = PRE z : 0..1 THEN CHOICE r := 1 / z OR r := 5 END END"),
        ["1 x=1 y=2", "5 x=1 y=2", "error: division by zero at 1 / z with 1, 0"]
    );
}

#[test]
fn local_variables_and_results() {
    leads_to("VAR v IN v := x ; v := v + 1 ; y := v END", &["x=1 y=2"]);
    leads_to(
        "VAR v IN y := v END",
        &["error: local variable read before it was written at v with "],
    );
    leads_to(
        "VAR v IN CHOICE v := 0 OR skip END ; y := v END",
        &["error: local variable read before it was written at v with "],
    );
    assert_eq!(steps("r <-- op = BEGIN r := x ; r := r + 1 END"), ["2 x=1 y=2"]);
    assert_eq!(
        steps("r <-- op = BEGIN CHOICE x := 0 OR x := 3 END || CHOICE skip OR r := 7 END END"),
        ["7 x=0 y=2", "7 x=3 y=2", "? x=0 y=2", "? x=3 y=2"]
    );
    assert_eq!(
        steps("r <-- op = BEGIN x :: {0, 3} ; CHOICE skip OR r := 7 END END"),
        ["7 x=0 y=2", "7 x=3 y=2", "? x=0 y=2", "? x=3 y=2"]
    );
}

#[test]
fn loops() {
    let l = |body: &str, invariant: &str, variant: &str| {
        format!("WHILE x < 3 DO {body} INVARIANT {invariant} VARIANT {variant} END")
    };
    leads_to(&l("x := x + 1", "x : 0..3", "3 - x"), &["x=3 y=2"]);
    leads_to(&l("BEGIN x := x + 1 ; y := y + x END", "y >= y$0", "3 - x"), &["x=3 y=7"]);
    leads_to(
        &l("x := x + 1", "x < 3", "3 - x"),
        &["error: loop invariant does not hold at x < 3 with "],
    );
    leads_to(
        &l("x := x + 1", "btrue", "y"),
        &["error: loop variant does not decrease at y with 2"],
    );
    leads_to(
        &l("x := x + 1", "btrue", "0 - x"),
        &["error: loop variant is negative at 0 - x with -1"],
    );
    leads_to(
        &l("CHOICE x := x + 1 OR BEGIN x := 3 ; y := y + 1 END END", "btrue", "3 - x"),
        &["x=3 y=2", "x=3 y=3"],
    );
    // The locals of one turn survive the turns after it.
    leads_to(
        &l(
            "ANY a, b WHERE a : 1..2 & b : 0..1 & x + a <= 3 THEN x := x + a || y := 10 * a + b END",
            "btrue",
            "3 - x",
        ),
        &["x=3 y=10", "x=3 y=11", "x=3 y=20", "x=3 y=21"],
    );
    leads_to(
        &l(
            "LET a BE a = x IN CHOICE x := x + 1 || y := 10 * a OR x := 3 || y := 10 * a + 1 END END",
            "btrue",
            "3 - x",
        ),
        &["x=3 y=11", "x=3 y=20", "x=3 y=21"],
    );
}

#[test]
fn undefined_guards_disable_and_are_counted() {
    let text = machine("op = SELECT 1 / (x - 1) > 0 THEN x := 0 END");
    assert!(outcomes(&text).is_empty());
    let (model, sources) = model(&text);
    let options = SearchOptions {
        symmetry: Some(SymmetryMode::Off),
        on_violation: OnViolation::Expand,
        keep_going: true,
        ..SearchOptions::default()
    };
    let outcome = search::run(&model, &options, &Arc::new(Control::new()));
    let noted: Vec<(&str, u64)> =
        outcome.undefined_guards.iter().map(|(s, n)| (sources.text(*s), *n)).collect();
    assert_eq!(noted, [("1 / (x - 1)", 1)]);
    // Either order of the conjuncts, with and without parameters.
    for guard in ["x = 5 & 1 / (x - 1) > 0", "1 / (x - 1) > 0 & x = 5"] {
        leads_to(&format!("SELECT {guard} THEN x := 0 END"), &[]);
    }
    for guard in ["z : 0..2 & z /= 0 & 2 / z = 1", "2 / z = 1 & z /= 0 & z : 0..2"] {
        assert_eq!(steps(&format!("op(z) = PRE {guard} THEN x := z END")), ["x=2 y=2"]);
    }
    assert_eq!(steps("op(z) = PRE z : f(e4)..3 THEN x := z END"), [""; 0]);
}

#[test]
fn calls_of_included_operations() {
    let included = "MACHINE I VARIABLES v INVARIANT v : 0..9 INITIALISATION v := 4
        OPERATIONS
          put(a) = PRE a : 0..9 & a /= 7 THEN v := a END;
          r <-- get(a) = PRE a : NATURAL THEN r := v + a END;
          r <-- any(a) = PRE a : NATURAL THEN CHOICE r := a OR r := a + 1 END END;
          r <-- step(a) = PRE a : NATURAL THEN r := a || CHOICE v := v + 1 OR v := 0 END END;
          r <-- maybe = BEGIN IF v = 0 THEN r := 5 END END;
          low = SELECT v < 3 THEN v := 9 END
        END";
    let run = |body: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("I.mch"), included).expect("written");
        let text = format!(
            "MACHINE T INCLUDES I VARIABLES x, y INVARIANT x : INTEGER & y : INTEGER
             INITIALISATION x := 1 || y := 2 OPERATIONS op = BEGIN {body} END END"
        );
        let path = folder.path().join("T.mch");
        std::fs::write(&path, text).expect("written");
        let loaded = typing::load_machine(&path);
        let messages: Vec<_> = loaded.diagnostics.iter().map(|d| d.message.clone()).collect();
        let machine = loaded.machine.unwrap_or_else(|| panic!("{body}: {messages:?}"));
        let model = setup::set_up(&Arc::new(machine), &SetupOptions::default(), None)
            .unwrap_or_else(|d| panic!("{}", d[0].message));
        let instance = model.program.instance.clone();
        let mut evaluator = Evaluator::new(model.program.clone());
        let initial = evaluator.initial_states(&[]).expect("initial states");
        let mut out = Successors::new();
        evaluator.successors(&initial[0], true, &mut out).expect("no limit");
        let mut found = BTreeSet::new();
        for i in 0..out.len() {
            let values = evaluator.variables(out.target(i));
            let globals = instance.machine.variables.iter().zip(&values);
            let mut values: Vec<String> = globals
                .map(|(g, v)| format!("{}={}", g.name, instance.names.show(&g.ty, v)))
                .collect();
            values.sort();
            found.insert(values.join(" "));
        }
        for fault in &out.faults {
            found.insert(fault.site.kind.message().to_string());
        }
        found.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(run("put(x + 1)"), ["v=2 x=1 y=2"]);
    assert_eq!(run("put(7)"), ["precondition does not hold"]);
    assert_eq!(run("x <-- get(3)"), ["v=4 x=7 y=2"]);
    assert_eq!(run("x <-- get(3) || y <-- get(5)"), ["v=4 x=7 y=9"]);
    assert_eq!(
        run("x <-- any(0) || y <-- any(5)"),
        ["v=4 x=0 y=5", "v=4 x=0 y=6", "v=4 x=1 y=5", "v=4 x=1 y=6"]
    );
    assert_eq!(run("x <-- step(1) ; y <-- step(2)"), ["v=0 x=1 y=2", "v=1 x=1 y=2", "v=6 x=1 y=2"]);
    assert_eq!(run("put(6) ; x <-- get(0)"), ["v=6 x=6 y=2"]);
    assert_eq!(run("x <-- maybe"), ["local variable read before it was written"]);
    assert!(run("low").is_empty());
    assert_eq!(run("put(1) ; low"), ["v=9 x=1 y=2"]);
}
