//! The tables of Rodin's language: spellings, precedence, what mixes without brackets.

use super::operators::{Group, INFIX};
use super::*;
use crate::syntax::ast::{BinaryOp, NodeKind, UnaryOp};

fn parse(text: &str) -> Result<Node, Box<Diagnostic>> {
    let theories = Theories::from_iter([("nodes".into(), "graphs".into())]);
    Piece { text, file: FileId(0), theories: &theories }.formula(0..text.len())
}

fn spelling(op: BinaryOp, numbers: bool) -> &'static str {
    let number = |g: Group| g == Group::Arithmetic;
    INFIX.iter().find(|i| i.op == op && (!numbers || number(i.group))).unwrap().ascii
}

/// A formula with all brackets: `a+b*c` is `(a+(b*c))`.
fn shape(text: &str) -> String {
    match parse(text) {
        Ok(node) => shown(&node),
        Err(error) => format!("[{}]", error.code),
    }
}

fn shown(node: &Node) -> String {
    let list = |all: &[Node], by: &str| all.iter().map(shown).collect::<Vec<_>>().join(by);
    let names = |ids: &[crate::syntax::ast::Ident]| {
        ids.iter().map(|i| &*i.name).collect::<Vec<_>>().join(",")
    };
    match &node.kind {
        NodeKind::Binary(op, a, b) => {
            format!("({}{}{})", shown(a), spelling(*op, *op == BinaryOp::Times), shown(b))
        }
        NodeKind::Conjunction(all) => format!("({})", list(all, "&")),
        NodeKind::Disjunction(all) => format!("({})", list(all, " or ")),
        NodeKind::Unary(UnaryOp::Not, a) => format!("not({})", shown(a)),
        NodeKind::Unary(UnaryOp::Minus, a) => format!("-({})", shown(a)),
        NodeKind::Unary(UnaryOp::Inverse, a) => format!("{}~", shown(a)),
        NodeKind::Name(name) => name.to_string(),
        NodeKind::Call(f, a) => format!("{}({})", shown(f), list(a, ",")),
        NodeKind::Bool(p) => format!("bool{}", shown(p)),
        NodeKind::Image(r, s) => format!("{}[{}]", shown(r), shown(s)),
        NodeKind::SetExtension(all) => format!("{{{}}}", list(all, ",")),
        NodeKind::EventComprehension(ids, p, e) => {
            format!("{{{}.{}|{}}}", names(ids), shown(p), shown(e))
        }
        NodeKind::Quantifier(q, ids, p) => format!("<{q:?} {}.{}>", names(ids), shown(p)),
        NodeKind::Fold(f, ids, p, e) => format!("<{f:?} {}.{}|{}>", names(ids), shown(p), shown(e)),
        NodeKind::At(name, a) => format!("{}({})", name.name, list(a, ",")),
        _ => node.to_string(),
    }
}

/// Every operator in all its spellings gives the same tree.
#[test]
fn spellings() {
    for infix in INFIX {
        let wanted = shape(&format!("a {} b", infix.ascii));
        assert!(!wanted.starts_with('['), "{infix:?}: {wanted}");
        for unicode in infix.unicode {
            assert_eq!(shape(&format!("a {unicode} b")), wanted);
            assert_eq!(shape(&format!("a{unicode}b")), wanted);
        }
    }
    for (ascii, unicode) in [
        ("not a = b", "¬a=b"),
        ("!x.x : S", "∀x·x∈S"),
        ("#x,y.x : y", "∃x,y·x∈y"),
        ("(%x.x : NAT|x)", "(λx·x∈ℕ∣x)"),
        ("(UNION x.x : NAT1|{x})", "(⋃x·x∈ℕ1∣{x})"),
        ("(INTER x.x : INT|{x})", "(⋂x·x∈ℤ∣{x})"),
        ("a : POW(S)", "a∈ℙ(S)"),
        ("a : POW1(S)", "a∈ℙ1(S)"),
        ("{} = a~", "∅=a∼"),
        ("true & false", "⊤∧⊥"),
        ("{x.x : S|x}", "{x·x∈S∣x}"),
    ] {
        assert_eq!(shape(ascii), shape(unicode), "{unicode}");
        assert!(!shape(ascii).starts_with('['), "{ascii}: {}", shape(ascii));
    }
}

/// Whether `a L b R c` reads as `(a L b) R c`, for all operators on sets, and those on numbers. The rows
/// are the left operators; what is not listed needs brackets.
#[test]
fn what_mixes_without_brackets() {
    use BinaryOp as B;
    let table: &[(BinaryOp, &[BinaryOp])] = &[
        (B::Union, &[B::Union]),
        (B::Intersection, &[B::Intersection, B::SetMinus, B::RangeRestrict, B::RangeSubtract]),
        (B::SetMinus, &[]),
        (B::Times, &[B::Times]),
        (B::Override, &[B::Override]),
        (B::Compose, &[B::Compose, B::RangeRestrict, B::RangeSubtract]),
        (B::Backward, &[B::Backward]),
        (B::DirectProduct, &[]),
        (B::ParallelProduct, &[]),
        (B::RangeRestrict, &[]),
        (B::RangeSubtract, &[]),
        (
            B::DomainRestrict,
            &[
                B::Intersection,
                B::SetMinus,
                B::Compose,
                B::DirectProduct,
                B::RangeRestrict,
                B::RangeSubtract,
            ],
        ),
        (
            B::DomainSubtract,
            &[
                B::Intersection,
                B::SetMinus,
                B::Compose,
                B::DirectProduct,
                B::RangeRestrict,
                B::RangeSubtract,
            ],
        ),
    ];
    let sets: Vec<_> = INFIX.iter().filter(|i| i.group == Group::Sets).collect();
    assert_eq!(sets.len(), table.len());
    for left in &sets {
        let row = table.iter().find(|(op, _)| *op == left.op).unwrap().1;
        for right in &sets {
            let read = parse(&format!("a {} b {} c", left.ascii, right.ascii));
            match row.contains(&right.op) {
                true => {
                    let node = read.unwrap_or_else(|e| panic!("{left:?} {right:?} {e:?}"));
                    let NodeKind::Binary(op, inner, _) = &node.kind else { panic!() };
                    assert_eq!(*op, right.op);
                    assert!(matches!(inner.kind, NodeKind::Binary(op, ..) if op == left.op));
                }
                false => assert_eq!(read.unwrap_err().code, "mixed-operators"),
            }
        }
    }
}

#[test]
fn precedence() {
    for (text, wanted) in [
        // Arithmetic.
        ("a+b*c-d", "((a+(b*c))-d)"),
        ("a*b^c", "(a*(b^c))"),
        ("a*b mod c/d", "(((a*b)modc)/d)"),
        ("-a*b+c", "(-((a*b))+c)"),
        ("-3*b", "(-(3)*b)"),
        ("a*-3", "(a*-(3))"),
        ("-3^2", "-((3^2))"),
        ("a-b-c", "((a-b)-c)"),
        ("a/b/c", "[mixed-operators]"),
        ("a mod b mod c", "[mixed-operators]"),
        ("a^b^c", "[mixed-operators]"),
        ("a*-b", "[mixed-operators]"),
        ("a - -b", "[mixed-operators]"),
        // Intervals, sets, relations, pairs.
        ("a+1..b*2", "((a+1)..(b*2))"),
        ("a..b..c", "[mixed-operators]"),
        ("1..n\\/S", "((1..n)\\/S)"),
        ("S\\/T<->U", "((S\\/T)<->U)"),
        ("S-->T-->U", "[mixed-operators]"),
        ("S<->T+->U", "[mixed-operators]"),
        ("a|->b|->c", "((a|->b)|->c)"),
        ("a|->b\\/c", "(a|->(b\\/c))"),
        ("a\\/b/\\c", "[mixed-operators]"),
        ("S**T**U", "((S*T)*U)"),
        ("S<|f;g|>T", "(((S<|f);g)|>T)"),
        ("f;S<|g", "[mixed-operators]"),
        ("f<+g<+h", "((f<+g)<+h)"),
        ("{} oftype POW(S) = a", "(({}oftypePOW(S))=a)"),
        // Applications bind most tightly; the converse goes with what is before it.
        ("f(x)(y)", "f(x)(y)"),
        ("f~(x)", "f~(x)"),
        ("f~[S]", "f~[S]"),
        ("-f(x)", "-(f(x))"),
        ("dom(f)\\/ran(f)", "(dom(f)\\/ran(f))"),
        // Comparisons.
        ("a+1=b", "((a+1)=b)"),
        ("a=b=c", "[chained-comparison]"),
        ("a<b<=c", "[chained-comparison]"),
        ("a|->b:r", "((a|->b):r)"),
        ("x:S\\/T", "(x:(S\\/T))"),
        ("f=%x.x:S|x", "[mixed-operators]"),
        ("f=(%x.x:S|x)", "(f=<Lambda x.(x:S)|x>)"),
        // Predicates.
        ("a=b&c=d&e=f", "((a=b)&(c=d)&(e=f))"),
        ("a=b&c=d or e=f", "[mixed-operators]"),
        ("a=b or c=d&e=f", "[mixed-operators]"),
        ("a=b&c=d=>e=f", "(((a=b)&(c=d))=>(e=f))"),
        ("a=b=>c=d=>e=f", "[mixed-operators]"),
        ("a=b<=>c=d<=>e=f", "[mixed-operators]"),
        ("a=b<=>c=d=>e=f", "[mixed-operators]"),
        ("not a=b&c=d", "(not((a=b))&(c=d))"),
        ("not not a=b", "not(not((a=b)))"),
        ("!x.x:S=>#y.y:S&x=y", "[mixed-operators]"),
        ("!x.#y.x=y", "<Forall x.<Exists y.(x=y)>>"),
        // A bracket that closes a quantified predicate does for its own.
        ("(a=b & #y.y=a)", "((a=b)&<Exists y.(y=a)>)"),
        ("(a=b => not #y.y=a & y=b)", "((a=b)=>not(<Exists y.((y=a)&(y=b))>))"),
        ("!x.(x=a => #y.y=x)", "<Forall x.((x=a)=><Exists y.(y=x)>)>"),
        ("a=b & #y.y=a", "[mixed-operators]"),
        ("({x.x:S & #y.y=x|x})=a", "[mixed-operators]"),
        ("!x.x:S=>x=y", "<Forall x.((x:S)=>(x=y))>"),
        ("a=b&!x.x=a", "[mixed-operators]"),
        ("a=b&(!x.x=a)", "((a=b)&<Forall x.(x=a)>)"),
        ("not !x.x=a", "[mixed-operators]"),
    ] {
        assert_eq!(shape(text), wanted, "{text}");
    }
}

#[test]
fn operators_that_are_written_like_functions() {
    for (text, wanted) in [
        ("finite(S)", "finite(S)"),
        ("partition(S,{a},{b})", "partition(S,{a},{b})"),
        ("card(S)+min(S)*max(S)", "(card(S)+(min(S)*max(S)))"),
        ("bool(a=b&c=d)=TRUE", "(bool((a=b)&(c=d))=TRUE)"),
        ("union(S)=inter(T)", "(union(S)=inter(T))"),
        ("succ(x)=pred(y)", "(succ(x)=pred(y))"),
        ("id=r", "(<Lambda (x).btrue|(x)>=r)"),
        ("prj1=r", "(<Lambda (x),(y).btrue|(x)>=r)"),
        ("S<|prj2", "(S<|<Lambda (x),(y).btrue|(y)>)"),
        ("card(a,b)", "[argument-count]"),
        ("f(a,b)", "[syntax]"),
        ("card", "[syntax]"),
    ] {
        assert_eq!(shape(text), wanted, "{text}");
    }
}

#[test]
fn bound_identifiers() {
    for (text, wanted) in [
        ("{x.x:S|x+1}", "{x.(x:S)|(x+1)}"),
        ("{x+y|x:S&y<z}", "{x,y.((x:S)&(y<z))|(x+y)}"),
        ("{x|x:S}", "{x | x : S}"),
        ("{x|->y|x:S}", "{x, y | x : S}"),
        ("{x,y.x:S|y|->x}", "{y, x | x : S}"),
        ("{x.x:S|x|->x}", "<Lambda x.(x:S)|x>"),
        ("{x,y.x:S|y|->x|->x+1}", "<Lambda y,x.(x:S)|(x+1)>"),
        ("{x,y.x:S|x|->x|->y}", "{x,y.(x:S)|((x|->x)|->y)}"),
        ("{x,y.x:S|x+y|->x}", "{x,y.(x:S)|((x+y)|->x)}"),
        ("{f(x)|x:S}", "{f,x.(x:S)|f(x)}"),
        ("{(%x.x:S|x)|y:S}", "{S.(y:S)|<Lambda x.(x:S)|x>}"),
        ("{a,b}", "{a,b}"),
        ("{a}", "{a}"),
        ("(%x|->y.x:S|x+y)", "<Lambda x,y.(x:S)|(x+y)>"),
        ("(%(x|->y)|->z.x:S|z)", "<Lambda x,y,z.(x:S)|z>"),
        ("(%x|->(y|->z).x:S|z)", "{x,y,z.(x:S)|((x|->(y|->z))|->z)}"),
        ("(UNION x.x:S|f(x))", "<Union x.(x:S)|f(x)>"),
        ("(UNION f(x)|x:S)", "<Union f,x.(x:S)|f(x)>"),
        ("!x oftype INT.x=1=>x=2", "<Forall x.(((x:INTEGER)&(x=1))=>(x=2))>"),
        ("!x oftype INT.x=x", "<Forall x.((x:INTEGER)=>(x=x))>"),
        ("#x oftype INT,y.x=y", "<Exists x,y.((x:INTEGER)&(x=y))>"),
        ("{x oftype INT.x=x|x}", "{x | x : INTEGER & x = x}"),
        ("!card.true", "[reserved-word]"),
        ("!x x=1", "[syntax]"),
        ("{x.x:S}", "[syntax]"),
        ("{x|x:S", "[syntax]"),
    ] {
        assert_eq!(shape(text), wanted, "{text}");
    }
}

#[test]
fn actions() {
    let read = |text: &str| {
        let theories = Theories::default();
        let piece = Piece { text, file: FileId(0), theories: &theories };
        match piece.action(0..text.len()) {
            Ok(action) => {
                let names: Vec<&str> = action.variables().iter().map(|x| &*x.name).collect();
                let (sign, values) = match &action {
                    Action::Assign(_, values) => (":=", values.iter().map(shown).collect()),
                    Action::Member(_, set) => ("::", vec![shown(set)]),
                    Action::SuchThat(_, p) => (":|", vec![shown(p)]),
                };
                format!("{}{sign}{}", names.join(","), values.join(","))
            }
            Err(error) => format!("[{}]", error.code),
        }
    };
    for (text, wanted) in [
        ("x := y+1", "x:=(y+1)"),
        ("x,y ≔ y,x", "x,y:=y,x"),
        ("f(a) := b", "f:=(f<+{(a|->b)})"),
        ("x :∈ S∪T", "x::(S\\/T)"),
        ("x,y :∣ x'>y'", "x,y:|(x'>y')"),
        ("x,y := 1", "[assignment-arity]"),
        ("x,y :: S", "[assignment-arity]"),
        ("x = 1", "[syntax]"),
        ("f(a),y := 1,2", "[syntax]"),
        ("x := 1 2", "[syntax]"),
        ("card := 1", "[reserved-word]"),
        ("", "[syntax]"),
    ] {
        assert_eq!(read(text), wanted, "{text}");
    }
}

#[test]
fn operators_of_theories_are_refused_by_name() {
    let error = parse("x : nodes(g)").unwrap_err();
    assert!(error.message.contains("`nodes`") && error.message.contains("`graphs`"));
    assert!(parse("g nodes h").unwrap_err().message.contains("`graphs`"));
}

#[test]
fn limits_and_strange_texts() {
    assert_eq!(shape(&format!("{}x", "(".repeat(100_000))), "[nesting-too-deep]");
    assert_eq!(shape(&format!("x{}", "+x".repeat(100_000))), "[formula-too-deep]");
    assert_eq!(shape(&"not ".repeat(100_000)), "[nesting-too-deep]");
    assert_eq!(shape(&format!("x=x{}", "&x=x".repeat(20_000))).matches('&').count(), 20_000);
    assert_eq!(shape(&format!("f{}", "(x)".repeat(100_000))), "[formula-too-deep]");
    for text in ["", "(", ")", "x $ y", "x' ' y", "λ", "1 2", "{", "a[", "!x.", "℘", "a b", "\u{0}"]
    {
        let error = parse(text).expect_err(text);
        let span = error.span.expect("a place");
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{text}");
    }
}
