//! Precedence, spellings, and one of every clause, substitution and lexical form.

use super::*;
use crate::syntax::ast::*;
use crate::syntax::operators::{Place, TABLE};
use crate::syntax::words;
use crate::syntax::{TokenClass, tokens};

#[test]
fn precedence() {
    for (bare, grouped) in [
        ("-2**2", "(-2)**2"),
        ("2**3**2", "2**(3**2)"),
        ("1..n-1", "1..(n-1)"),
        ("A\\/B/\\C", "(A\\/B)/\\C"),
        ("S<|f\\/g", "(S<|f)\\/g"),
        ("f<+{x|->y}\\/g", "(f<+{x|->y})\\/g"),
        ("x|->y|->z", "(x|->y)|->z"),
        ("S*T-->U", "(S*T)-->U"),
        ("S-->T-->U", "(S-->T)-->U"),
        ("a|->b:f", "(a|->b):f"),
        ("a=b => c=d => e=f", "(a=b => c=d) => e=f"),
        ("a=b & c=d or e=f & g=h", "((a=b & c=d) or e=f) & g=h"),
        ("a=b & c=d <=> e=f", "a=b & (c=d <=> e=f)"),
        ("a=b & c=d => e=f or g=h", "(a=b & c=d) => (e=f or g=h)"),
        ("a-b-c", "(a-b)-c"),
        ("a*b+c mod d", "(a*b)+(c mod d)"),
        ("-f(x)", "-(f(x))"),
        ("f~(x)", "(f~)(x)"),
        ("f(1)(2)", "(f(1))(2)"),
        ("SET(x).(x : S)", "{x | x : S}"),
        ("SET x, y.(x = y) \\/ SET", "{x, y | x = y} \\/ SET"),
        ("SET(x) + SET", "(SET(x)) + (SET)"),
        ("rec((a : 1), b : 2, (c : {3}))", "rec(a : 1, b : 2, c : {3})"),
        ("struct((a : S), (b : T))", "struct(a : S, b : T)"),
        ("r[S][T]", "(r[S])[T]"),
        ("(a,b,c)", "((a,b),c)"),
        ("(f;g||h)", "((f;g)||h)"),
        ("x : S --> T & y = 1", "(x : (S --> T)) & (y = 1)"),
    ] {
        // A parenthesised run stays a node of its own; there are none above but in the middle.
        assert_same(bare, grouped);
    }
    formula("2**-1");
    formula("a*-b");
    formula("f(a,b)'x(3)");
    for wrong in ["--a", "- -a", "r~~", "a<b<c", "r=f;g", "r=f||g", "a=b c=d", "not a=b", "!x.x=1"]
    {
        assert!(try_formula(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn runs_are_flat() {
    let node = formula("a=1 & b=2 & c=3 or d=4");
    let NodeKind::Disjunction(items) = &node.kind else { panic!("{node:?}") };
    assert_eq!(items.len(), 2);
    let NodeKind::Conjunction(items) = &items[0].kind else { panic!("{node:?}") };
    assert_eq!(items.len(), 3);
    let NodeKind::Conjunction(items) = &formula("(a=1 & b=2) & c=3").kind else { panic!() };
    assert_eq!(items.len(), 2);
}

#[test]
fn every_infix_operator_in_every_spelling() {
    for row in TABLE {
        let with = |op: &str, a: &str, b: &str| match row.place {
            Place::Anywhere if row.level < 100 => format!("{a}=0 {op} {b}=0"),
            Place::Anywhere => format!("{a} {op} {b}"),
            _ => format!("({a} {op} {b})"),
        };
        let plain = formula(&with(row.ascii, "a", "b"));
        match &plain.kind {
            NodeKind::Conjunction(_) => assert_eq!(row.op, BinaryOp::And),
            NodeKind::Disjunction(_) => assert_eq!(row.op, BinaryOp::Or),
            NodeKind::Binary(op, ..) => assert_eq!(*op, row.op),
            other => panic!("{other:?}"),
        }
        for unicode in row.unicode {
            assert_eq!(shape(&formula(&with(unicode, "a", "b"))), shape(&plain), "{unicode}");
        }
        for reversed in row.reversed {
            assert_eq!(shape(&formula(&with(reversed, "b", "a"))), shape(&plain), "{reversed}");
        }
    }
}

#[test]
fn unicode_forms() {
    for (unicode, ascii) in [
        ("¬(a=b)", "not(a=b)"),
        ("∀x·(x∈ℕ⇒x≥0)", "!x.(x:NATURAL=>x>=0)"),
        ("∃(x,y)⋅(x≠y)", "#(x,y).(x/=y)"),
        ("{x∣x∈ℤ}", "{x|x:INTEGER}"),
        ("λx.(x∈ℕ1∣x)", "%x.(x:NATURAL1|x)"),
        ("𝜆x•(x∈ℕ₁∣x)", "%x.(x:NATURAL1|x)"),
        ("ℙ(S) ∪ ℙ1(S)", "POW(S) \\/ POW1(S)"),
        ("⋃(x).(x∈S∣x) = ⋂(x).(x∈S∣x)", "UNION(x).(x:S|x) = INTER(x).(x:S|x)"),
        ("∑(x).(x∈S∣x) = ∏(x).(x∈S∣x)", "SIGMA(x).(x:S|x) = PI(x).(x:S|x)"),
        ("r⁻¹ = r∼", "r~ = r~"),
        ("∅ = {}", "{} = {}"),
        ("⊤ ⇔ ⊥", "btrue <=> bfalse"),
        ("x : 𝔹 × ℝ", "x : BOOL * REAL"),
        ("[] = <>", "[] = < >"),
    ] {
        assert_same(unicode, ascii);
    }
    for (symbol, _) in words::SYMBOLS {
        assert!(words::fixed(symbol).is_some());
        let range = 0..symbol.len();
        assert_eq!(tokens(symbol).first().map(|t| t.0.clone()), Some(range), "{symbol}");
    }
}

/// Text from a word processor has the minus sign in its arrows.
#[test]
fn arrows_with_a_minus_sign() {
    let arrows =
        ["<->", "+->", "-->", ">->", "+->>", "-->>", ">->>", "<<->", "<->>", "<<->>", "|->"];
    for arrow in arrows {
        let typeset = arrow.replace('-', "\u{2212}");
        assert_same(&format!("f {typeset} g"), &format!("f {arrow} g"));
    }
    assert_same("a \u{2212} b", "a - b");
    assert_same("a <\u{2212} 1 & b >\u{2212} 1", "a < -1 & b > -1");
}

#[test]
fn every_function_and_constant() {
    for (word, builtin) in words::FUNCTIONS.iter().chain(words::SOFT) {
        let applied = formula(&format!("{word}(a, b) = c"));
        assert!(shape(&applied).contains(&format!("Builtin({builtin:?}")), "{word}");
    }
    for (word, builtin) in words::FUNCTIONS {
        let alone = formula(&format!("{word}[S]"));
        assert!(shape(&alone).contains(&format!("Function({builtin:?})")), "{word}");
    }
    for (word, _) in words::SOFT {
        assert!(matches!(formula(word).kind, NodeKind::Name(_)), "{word}");
    }
    for (word, constant) in words::CONSTANTS {
        assert!(matches!(formula(word).kind, NodeKind::Constant(c) if c == *constant));
    }
}

#[test]
fn other_formulas() {
    for text in [
        "{x,y|x:S & y:T}",
        "{x,y . x:S & y:T | x+y}",
        "{(x,y).x:S|x}",
        "struct(a:S,b:T) = rec(a:1,b:2)'a",
        "bool(x=1) = TRUE",
        "IF x=1 THEN 2 ELSIF x=2 THEN 3 ELSE 4 END = 3",
        "x = -IF x=1 THEN 2 ELSE 3 END & x = -LET y BE y=1 IN y END",
        "LET x,y BE x=1 & y=2 IN x<y END",
        "[x:=1]x=1 & y=2",
        "[x,y:=1,2 || z::S ; skip](x=1)",
        "@finite(S) & @partition(S,A,B) & @prj1(p)=1",
        "x$0 = M.y$0 + r.z",
        "`a b`.`c\\`d` = \"\\n\\q\" & '''a\n'b''' = \"\"",
        "```a $b c``` = s",
        "```n = ${1+2}, ${{x}(y)}.``` = s",
        "0x1F = 31 & 1.5E-3 = 1.0",
        "!x,y.(x=y) & !(x,y).(x=y)",
        "%(x,y).(x:S & y:T|x,y)(1,2) = (1,2)",
        "dom((f;g)) = (f || g)[S;T]",
        "first(s)(1) = prj1(S,T)(x)",
        "f /*@ note: x */ (x) = 1 // end",
        "a₁ = b′ & naïve = été",
    ] {
        let tree = formula(text);
        let printed = tree.to_string();
        assert_eq!(shape(&formula(&printed)), shape(&tree), "{text} printed {printed}");
    }
}

#[test]
fn every_substitution_and_clause() {
    let text = "#!/usr/bin/burnside\nREFINEMENT M(SS, p)\nREFINES M0\nCONSTRAINTS p : NAT\n\
        SETS S; T = {a, b}; U = defn\nFREETYPES L = nil, cons(S * L); K = k\n\
        CONSTANTS c, d\nABSTRACT_CONSTANTS e\nCONCRETE_CONSTANTS e1\n\
        PROPERTIES /*@label one */ c = 1 & /*@ label two */ d : S <=> e = 1\n\
        VARIABLES x, y, f\nABSTRACT_VARIABLES v\nCONCRETE_VARIABLES w\nINVARIANT x : NAT\nVARIANT x\n\
        ASSERTIONS x = 1; y = 2\n\
        SEES A, r.B\nUSES C\nINCLUDES r.D(1, S) /*@file \"sub/D.mch\" */, E\nEXTENDS F\nIMPORTS G\n\
        PROMOTES op, r.op\nVALUES S = 1..2; c = 3\n\
        DEFINITIONS \"a.def\"; <b.def>; PLUS(m,n) == m+n; Q == x = 1; sub == BEGIN x := 1; y := 2 END;\n\
        seqn == x := 1; y := 2; pair == a, b, c; SET_PREF_MAXINT == 5; ASSERT_LTL1 == \"G {x=1}\";\n\
        loop == WHILE x < 3 DO x := x+1 INVARIANT x : NAT VARIANT 3-x END;\n\
        EXPRESSIONS sq(n) == n*n;\nPREDICATES pos(n) == n > 0\n\
        INITIALISATION x := 1; y := 2 || f :: S --> T\n\
        LOCAL_OPERATIONS loc = skip\n\
        EVENTS\n\
        skp = skip; r1, r2 <-- op(p1, q) = PRE p1 : NAT THEN r1, r2 := 1, 2 END;\n\
        o1 = BEGIN f(x) := 1; f(x)(y) := 2; f'a := 3 END; o2 = x :: S || y :(y > y$0 & y < 5);\n\
        o3 = ASSERT x=1 THEN skip END; o4 = CHOICE x := 1 OR x := 2 OR skip END;\n\
        o5 = IF x=1 THEN x := 2 ELSIF x=2 THEN x := 3 ELSE skip END;\n\
        o6 = SELECT x=1 THEN skip WHEN x=2 THEN skip ELSE skip END;\n\
        o7 = CASE x OF EITHER 1,2 THEN skip OR 3 THEN x := 1 ELSE skip END END;\n\
        o8 = ANY z,zz WHERE z:NAT & zz=z THEN x := z END; o9 = LET z BE z=1 IN x := z END;\n\
        o10 = VAR z IN z := 1; x := z END; o11 = WITNESS x=1 THEN skip END;\n\
        o12 = WHILE x<10 DO x := x+1; y := 2 INVARIANT x:NAT VARIANT 10-x END;\n\
        o13 = BEGIN x <-- r.op(1) || op2(2) || op3 || y, f(x) <-- op4 END;\n\
        o14 = WHEN x=1 THEN SELECT x=2 THEN skip END END\nEND\n";
    let file = machine(&format!("\u{FEFF}{text}"));
    assert_eq!(file.kind, MachineKind::Refinement);
    assert_eq!(file.clauses.len(), 26);
    assert_eq!(file.definition_errors, []);
    assert_eq!(file.refines.as_ref().map(|m| m.name.as_ref()), Some("M0"));
    assert!(shape(&file).contains("Labelled(\"two\", Node { kind: Binary(Iff"));
    assert!(shape(&file).contains("prefix: Some(Ident { name: \"r\""));
    assert!(shape(&file).contains("sub/D.mch"));
    assert_round_trip(&file, "the machine of everything");
    assert_eq!(shape(&machine(&text.replace('\n', "\r\n")).clauses), shape(&file.clauses));
}

#[test]
fn kinds_of_definitions() {
    let file = machine(
        "DEFINITIONS A == f(x); B == x = 1; C == x := 1 || y := 2; D(a) == IF a=1 THEN b := 1 END;\n\
         W == x + ; G == (f;g); E == 1;",
    );
    assert_eq!(file.kind, MachineKind::Definitions);
    let ClauseKind::Definitions(entries) = &file.clauses[0].kind else { panic!() };
    let kinds: String = entries
        .iter()
        .map(|entry| match entry {
            DefinitionEntry::Definition(d) => match d.body {
                DefinitionBody::Formula(_) => 'f',
                DefinitionBody::Substitution(_) => 's',
                DefinitionBody::Error => 'e',
            },
            DefinitionEntry::Include { .. } => 'i',
        })
        .collect();
    assert_eq!(kinds, "ffsseff");
    assert_eq!(file.definition_errors.len(), 1);
    assert_eq!(file.definition_errors[0].0.as_ref(), "W");
}

/// Long texts are cut piece by piece, and no token falls between two of them.
#[test]
fn tokens_of_a_long_text() {
    let unit = "/* a long\n comment */ `x y`.z := <  > {\"a;b\"} // to the end\n & 12.5 <<-> \u{2115}1\u{E9}\n";
    let short = tokens(unit);
    for times in [1, 20, 37, 300] {
        let long = tokens(&unit.repeat(times));
        assert_eq!(long.len(), times * short.len());
        for (i, (range, class)) in long.iter().enumerate() {
            let ((wanted, same), offset) = (&short[i % short.len()], i / short.len() * unit.len());
            assert_eq!((range.start - offset..range.end - offset, class), (wanted.clone(), same));
        }
    }
}

#[test]
fn tokens_are_classified() {
    let classes: Vec<_> =
        tokens("MACHINE m /* c */ x:=1 \"s\" ? // d").into_iter().map(|t| t.1).collect();
    use TokenClass::*;
    assert_eq!(
        classes,
        [Keyword, Identifier, Comment, Identifier, Operator, Number, String, Wrong, Comment]
    );
}
