//! Random trees and random texts.

use super::*;
use crate::source::Span;
use crate::syntax::ast::*;
use crate::syntax::operators::TABLE;
use crate::syntax::{TokenClass, tokens};
use proptest::prelude::*;

fn ident(name: &str) -> Ident {
    Ident { name: name.into(), span: Span::default() }
}

fn node(kind: NodeKind) -> Node {
    Node { kind, span: Span::default() }
}

/// Any tree that a text can have, sensible or not.
fn any_node() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        (0u32..1000).prop_map(|n| NodeKind::Integer(n.into())),
        prop::sample::select(vec!["x", "r.y", "left", "circ", "a b", "END", "naïve"])
            .prop_map(|n| NodeKind::Name(n.into())),
        "[a-z\"\\\\\n\t']{0,4}".prop_map(|s| NodeKind::String(s.into())),
        prop::sample::select(vec![
            Constant::EmptySet,
            Constant::EmptySequence,
            Constant::Truth,
            Constant::MaxInt,
            Constant::Function(Builtin::Succ)
        ])
        .prop_map(NodeKind::Constant),
        Just(NodeKind::Previous("x".into())),
        Just(NodeKind::Real("1.5E-3".into())),
    ]
    .prop_map(node);
    leaf.prop_recursive(6, 60, 4, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        let list = prop::collection::vec(inner.clone(), 1..4);
        let run = prop::collection::vec(inner.clone(), 2..4);
        let names = prop::sample::subsequence(vec!["x", "y", "z"], 1..3)
            .prop_map(|n| n.into_iter().map(ident).collect::<Vec<_>>());
        let connectives = [BinaryOp::And, BinaryOp::Or];
        let ops: Vec<_> = TABLE.iter().map(|r| r.op).filter(|o| !connectives.contains(o)).collect();
        prop_oneof![
            6 => (prop::sample::select(ops), boxed.clone(), boxed.clone())
                .prop_map(|(o, a, b)| NodeKind::Binary(o, a, b)),
            2 => run.clone().prop_map(NodeKind::Conjunction),
            2 => run.prop_map(NodeKind::Disjunction),
            3 => (prop::sample::select(vec![UnaryOp::Not, UnaryOp::Minus, UnaryOp::Inverse]), boxed.clone())
                .prop_map(|(o, a)| NodeKind::Unary(o, a)),
            1 => boxed.clone().prop_map(|a| NodeKind::Labelled("name".into(), a)),
            2 => (boxed.clone(), list.clone()).prop_map(|(f, a)| NodeKind::Call(f, a)),
            1 => list.clone().prop_map(|a| NodeKind::Builtin(Builtin::Card, a)),
            1 => list.clone().prop_map(|a| NodeKind::Builtin(Builtin::Left, a)),
            1 => (boxed.clone(), boxed.clone()).prop_map(|(a, b)| NodeKind::Image(a, b)),
            1 => boxed.clone().prop_map(|a| NodeKind::Field(a, ident("f"))),
            1 => list.clone().prop_map(NodeKind::SetExtension),
            1 => list.clone().prop_map(NodeKind::SequenceExtension),
            1 => (names.clone(), boxed.clone()).prop_map(|(n, a)| NodeKind::Comprehension(n, a)),
            1 => (names.clone(), boxed.clone(), boxed.clone())
                .prop_map(|(n, a, b)| NodeKind::EventComprehension(n, a, b)),
            1 => (names.clone(), boxed.clone())
                .prop_map(|(n, a)| NodeKind::Quantifier(Quantifier::Exists, n, a)),
            1 => (names.clone(), boxed.clone(), boxed.clone())
                .prop_map(|(n, a, b)| NodeKind::Fold(Fold::Lambda, n, a, b)),
            1 => inner.clone().prop_map(|a| NodeKind::Record(vec![(ident("a"), a)])),
            1 => (inner.clone(), inner.clone(), boxed.clone())
                .prop_map(|(a, b, c)| NodeKind::If(vec![(a, b)], c)),
            1 => (names.clone(), boxed.clone(), boxed.clone())
                .prop_map(|(n, a, b)| NodeKind::Let(n, a, b)),
            2 => (any_substitution(inner.clone()), boxed.clone())
                .prop_map(|(s, body)| NodeKind::Substitute(Box::new(within(s)), body)),
            1 => inner.clone().prop_map(|a| NodeKind::Struct(vec![(ident("b"), a)])),
            1 => (list.clone(), prop::sample::select(vec![Builtin::Const, Builtin::Bin, Builtin::Tree]))
                .prop_map(|(a, f)| NodeKind::Builtin(f, a)),
            1 => (names.clone(), boxed.clone())
                .prop_map(|(n, a)| NodeKind::Quantifier(Quantifier::Forall, n, a)),
            1 => list.prop_map(|a| NodeKind::At(ident("finite"), a)),
            1 => boxed.prop_map(NodeKind::Bool),
        ]
        .prop_map(node)
    })
}

fn new(kind: SubstitutionKind) -> Substitution {
    Substitution { kind, span: Span::default() }
}

/// After `[` an IF or LET begins an expression, and `[v :(P)]` is a sequence of one membership.
fn within(s: Substitution) -> Substitution {
    match s.kind {
        SubstitutionKind::If(..)
        | SubstitutionKind::Let(..)
        | SubstitutionKind::BecomesSuchThat(..) => new(SubstitutionKind::Block(Box::new(s))),
        _ => s,
    }
}

fn target() -> Vec<Node> {
    vec![node(NodeKind::Name("v".into()))]
}

fn two() -> Vec<Ident> {
    vec![ident("i"), ident("j")]
}

/// Any substitution over such trees.
fn any_substitution(
    inner: impl Strategy<Value = Node> + Clone + 'static,
) -> BoxedStrategy<Substitution> {
    use SubstitutionKind::*;
    let boxed = inner.clone().prop_map(Box::new);
    let list = prop::collection::vec(inner.clone(), 1..3);
    let leaf = prop_oneof![
        Just(Skip),
        list.clone().prop_map(|values| Assign(target(), values)),
        boxed.clone().prop_map(|set| BecomesElement(target(), set)),
        boxed.clone().prop_map(|p| BecomesSuchThat(target(), p)),
        list.prop_map(|arguments| Call { results: target(), operation: ident("op"), arguments }),
    ]
    .prop_map(new);
    let tree = leaf.prop_recursive(3, 12, 3, move |s| {
        let part = s.clone().prop_map(Box::new);
        let parts = prop::collection::vec(s.clone(), 2..4);
        let branches = prop::collection::vec((inner.clone(), s.clone()), 1..3);
        let other = prop::option::of(part.clone());
        let p = inner.clone().prop_map(Box::new);
        prop_oneof![
            parts.clone().prop_map(|parts| Block(Box::new(new(Sequence(parts))))),
            parts.clone().prop_map(|parts| Block(Box::new(new(Parallel(parts))))),
            parts.prop_map(Choice),
            (p.clone(), part.clone()).prop_map(|(p, s)| Precondition(p, s)),
            (p.clone(), part.clone()).prop_map(|(p, s)| Assert(p, s)),
            (branches.clone(), other.clone()).prop_map(|(b, s)| If(b, s)),
            (branches, other).prop_map(|(b, s)| Select(b, s)),
            (p.clone(), part.clone()).prop_map(|(p, s)| Any(two(), p, s)),
            (p, part.clone()).prop_map(|(p, s)| Let(two(), p, s)),
            part.prop_map(|s| Var(two(), s)),
        ]
        .prop_map(new)
    });
    tree.boxed()
}

/// Texts made of the language's own words.
fn any_words() -> impl Strategy<Value = String> {
    let mut words: Vec<&'static str> = TABLE.iter().map(|r| r.ascii).collect();
    words.extend(super::super::words::CLAUSES);
    words.extend([
        "MACHINE",
        "END",
        "BEGIN",
        "PRE",
        "THEN",
        "IF",
        "ELSE",
        "x",
        "y",
        "1",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "|",
        ".",
        ":=",
        "::",
        "==",
        "<--",
        "!",
        "#",
        "%",
        "not",
        "\"s\"",
        "SELECT",
        "WHEN",
        "CASE",
        "OF",
        "EITHER",
        "OR",
        "WHILE",
        "DO",
        "ANY",
        "WHERE",
        "/*@label l */",
        "/*@file \"f\" */",
        "'",
        "~",
        "@",
        "bool",
        "x$0",
        "<>",
        "\"",
        "/*",
        "`q`",
        "card",
        "left",
    ]);
    prop::collection::vec(prop::sample::select(words), 0..60).prop_map(|w| w.join(" "))
}

/// Parses in every way, and checks that the tokens lie in order on character boundaries.
fn survive(text: &str) {
    errors(text);
    let _ = try_formula(text);
    let mut last = 0;
    for (range, _) in tokens(text) {
        assert!(range.start >= last && range.end > range.start);
        assert!(text.get(range.clone()).is_some());
        last = range.end;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn printed_trees_parse_to_themselves(tree in any_node()) {
        let printed = tree.to_string();
        let again = try_formula(&printed);
        prop_assert!(again.is_ok(), "{printed}: {}", again.unwrap_err());
        prop_assert_eq!(shape(&again.unwrap()), shape(&tree), "{}", printed);
    }

    #[test]
    fn any_text_is_survived(text in "\\PC*") {
        survive(&text);
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survive(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_words_are_survived(text in any_words()) {
        survive(&text);
        survive(&format!("MACHINE M {text} END"));
        survive(&format!("MACHINE M OPERATIONS o = {text} END"));
    }
}

#[test]
fn mutilated_machines_are_survived() {
    let Some(corpus) = corpus() else { return };
    let path = corpus.join("models/B/Benchmarks/scheduler.mch");
    let text = std::fs::read_to_string(path).unwrap();
    for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
        survive(&text[..at]);
        if at % 7 == 0 {
            survive(&text[at..]);
            for insert in ["(", "END", ";", "'''", "\u{2203}"] {
                survive(&format!("{}{insert}{}", &text[..at], &text[at..]));
            }
        }
    }
    assert!(tokens(&text).iter().all(|t| t.1 != TokenClass::Wrong));
}
