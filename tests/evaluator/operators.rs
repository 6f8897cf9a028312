//! Every operator on values of every representation.

use super::*;

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
    fails("#x.(x : 1..(1 / n) & x : 0..3 & x > 5)");
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
        "({1 / n} <<| %z.(z : 1..3 & z > 3 | 1)) = {}",
        "({1 / n} <| %z.(z : 1..3 & z /= z | 1)) = {}",
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
    holds("1.0 < 1.5 & 1.5 <= 1.5 & 2.0 > 1.5 & 0.0 - 1.0 < 0.5 & 1.0 : REAL & 1.5 : FLOAT");
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
        ("iterate({@a |-> @b, @b |-> @c}, 2)", "{@a |-> @c}"),
        ("iterate({@a |-> @b, @b |-> @c}, 1)", "{@a |-> @b, @b |-> @c}"),
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
    is("@prj1(e1 |-> e2)", "e1");
    is("@prj2(e1 |-> e2)", "e2");
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

#[test]
fn precedence() {
    is("-2 ** 2", "4");
    is("2 ** 3 ** 2", "2 ** 9");
    is("2 * -3", "-6");
    is("7 - 2 - 1", "4");
    is("2 + 3 * 4 mod 3", "2");
    is("1..n-1", "{}");
    is("{1} \\/ {2} /\\ {2, 3}", "{2}");
    is("{1, 2} /\\ {2} \\/ {3}", "{2, 3}");
    is("{1} <| {1 |-> 2, 2 |-> 3} \\/ {2 |-> 4}", "{1 |-> 2, 2 |-> 4}");
    is("{1 |-> 2} <+ {1 |-> 3} \\/ {1 |-> 4}", "{1 |-> 3, 1 |-> 4}");
    is("1 |-> 2 |-> 3", "(1 |-> 2) |-> 3");
    is("(1, 2, 3)", "(1 |-> 2) |-> 3");
    is("card({1} * {2} --> {3, 4})", "2");
    is("card({1, 2} --> {3, 4} --> {5, 6})", "16");
    is("({1 |-> 2} ; {2 |-> 3} || {4 |-> 5})", "{(1 |-> 4) |-> (3 |-> 5)}");
    is("{1 |-> 2}~(2)", "1");
    is("{1 |-> {2 |-> 3}}(1)(2)", "3");
    is("{1 |-> 2}[{1}] \\/ {1}", "{1, 2}");
    is("[1] ^ [2] <- 3", "[1, 2, 3]");
    is("rec(a : rec(b : [4]))'a'b(1)", "4");
    holds("1 |-> 2 : {1 |-> 2}");
    holds("1 = 2 & 1 = 2 or 1 = 1");
    fails("1 = 1 or 1 = 1 & 1 = 2");
    fails("1 = 2 & 1 = 1 <=> 1 = 1");
    holds("1 = 2 => 1 = 1 => 1 = 1");
    fails("1 = 2 => 1 = 1 => 1 = 2");
    holds("1 = 1 => 1 = 2 or 1 = 1");
}

#[test]
fn spellings() {
    holds("∀x·(x ∈ 1‥3 ⇒ x > 0) ∧ ∃x·(x ∈ 1‥3 ∧ x ≠ 2) ∧ ¬(1 = 2) ∨ ⊥");
    holds("{1} ∪ {2} ∩ {2} ⊆ ℕ ∧ 1 ∉ ∅ ∧ {1} ⊂ ℤ ∧ ⊤");
    is("λx·(x ∈ 1‥2 ∣ x + 1)", "{1 ↦ 2, 2 ↦ 3}");
    is("{1} ◁ {1 ↦ 3, 2 ↦ 4}", "{1 ↦ 3}");
    is("{1 ↦ 3, 2 ↦ 4}∼[{3}] × {5}", "{1 ↦ 5}");
    is("0x1F + 0xa", "41");
    is("'''a\nb\"'''", "\"a\\nb\\\"\"");
    is("`n`", "0");
    holds("< > = []");
}

/// Sets that are too large to be built compare by what they are made of.
#[test]
fn large_sets_compare_by_their_parts() {
    holds("NATURAL1 * NATURAL1 <: NATURAL * NATURAL");
    fails("NATURAL * NATURAL1 <: NATURAL1 * NATURAL");
    holds("POW(NATURAL1) <: POW(NATURAL) & FIN1(NATURAL) <: POW(INTEGER)");
    fails("POW(NATURAL) <: POW(NATURAL1)");
    holds("seq(NATURAL1) <: seq(NATURAL) & iseq1(NATURAL1) <: seq1(NATURAL)");
    fails("seq(NATURAL) <: seq(NATURAL1)");
    holds("NATURAL --> NATURAL1 <: NATURAL +-> NATURAL");
    fails("NATURAL <-> NATURAL <: NATURAL1 <-> NATURAL");
    holds("NATURAL1 * NATURAL = NATURAL1 * NATURAL & POW(NATURAL) /= POW(NATURAL1)");
    holds("id(1..50) : 1..50 >->> 1..50 & id(1..50) : perm(1..50) & id(1..50) /: perm(1..49)");
    holds(
        "id(2..50) : 1..50 >+> NATURAL & id(2..5) /: 1..5 --> NATURAL & id(2..50) /: seq(NATURAL)",
    );
    holds("id({}) : perm({}) & id({3}) /: seq(NATURAL)");
    holds("%x.(x : 1..1000 | x + 1) : 1..1000 --> NATURAL1");
    fails("%x.(x : 1..1000 | x - 1) : 1..1000 --> NATURAL1");
    fails("%x.(x : 2..5 | x) : 1..5 --> NATURAL");
    holds("%x.(x : 2..5 | x) : 1..5 +-> NATURAL & %x.(x : 1..4 | x * x) : seq(1..16)");
    holds("%x.(x : 1..4 | x mod 2) : 1..4 -->> 0..1 & %x.(x : 1..4 | x mod 2) /: 1..4 >-> 0..4");
    is("card(%x.(x : 1..2000 | 2 * x))", "2000");
    is("card((1..1000) * (50..60) || (2..3000) * (20..22))", "98967000");
    is("card((1..100000) * (1..100000))", "10000000000");
}

/// What conjuncts say of the least and the greatest member bounds a set.
#[test]
fn the_ends_of_a_set_bound_it() {
    is(
        "{s | s : POW1(NATURAL) & min(s) = 990 & max(s) <= 993 & card(s) = 3}",
        "{{990,991,992},{990,991,993},{990,992,993}}",
    );
    is("{s | s <: INTEGER & s : FIN1(INTEGER) & 3 = min(s) & max(s) < 5}", "{{3}, {3, 4}}");
}
