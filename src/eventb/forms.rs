//! What of Event-B has no node of its own in the syntax tree, made of others.

use super::model::parts;
use super::tree::{all, binary, named};
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, Constant, Fold, Ident, Name, Node, NodeKind};
use std::sync::Arc;

/// `id`, `prj1`, `prj2`: on pairs of any type, as lambdas.
pub fn generic(name: &str, span: Span) -> NodeKind {
    // Names that nobody can write.
    let (ids, result): (&[&str], &str) = match name {
        "id" => (&["(x)"], "(x)"),
        "prj1" => (&["(x)", "(y)"], "(x)"),
        _ => (&["(x)", "(y)"], "(y)"),
    };
    let node = |kind| Box::new(Node { kind, span });
    let ids = ids.iter().map(|name| Ident { name: Arc::from(*name), span }).collect();
    let p = node(NodeKind::Constant(Constant::Truth));
    NodeKind::Fold(Fold::Lambda, ids, p, node(NodeKind::Name(Arc::from(result))))
}

/// `f(e)`.
pub fn applied(function: Node, argument: Node) -> NodeKind {
    NodeKind::Call(Box::new(function), vec![argument])
}

/// The function `f` with another value at one place: what `f(a) := e` makes of it.
pub fn updated(function: &Ident, argument: Node, value: Node) -> Node {
    let pair = binary(BinaryOp::Maplet, argument, value);
    let span = pair.span;
    let set = Node { kind: NodeKind::SetExtension(vec![pair]), span };
    binary(BinaryOp::Override, named(function.name.clone(), function.span), set)
}

/// `x : S`.
pub fn member(x: &Ident, set: Node) -> Node {
    binary(BinaryOp::Member, named(x.name.clone(), x.span), set)
}

/// A predicate, and others before it.
pub fn with(mut others: Vec<Node>, p: Node) -> Node {
    if others.is_empty() {
        return p;
    }
    let span = p.span;
    others.push(p);
    Node { kind: NodeKind::Conjunction(others), span }
}

/// A predicate where others hold.
pub fn under(mut others: Vec<Node>, p: Node) -> Node {
    if others.is_empty() {
        return p;
    }
    let span = p.span;
    let (premise, conclusion) = match p.kind {
        // One implication, not two: its premise may bound what the others do not.
        NodeKind::Binary(BinaryOp::Implies, l, r) => {
            others.push(*l);
            (others, *r)
        }
        kind => (others, Node { kind, span }),
    };
    let premise = all(premise, span);
    Node {
        kind: NodeKind::Binary(BinaryOp::Implies, Box::new(premise), Box::new(conclusion)),
        span,
    }
}

/// `%pattern.P|E`. Of pairs whose right sides are names it is a lambda; else the set of its pairs.
pub fn lambda(pattern: Node, p: Node, e: Node) -> NodeKind {
    let mut names = Vec::new();
    if in_a_row(&pattern, &mut names) {
        return NodeKind::Fold(Fold::Lambda, names, Box::new(p), Box::new(e));
    }
    let ids = free(&pattern);
    NodeKind::EventComprehension(ids, Box::new(p), Box::new(binary(BinaryOp::Maplet, pattern, e)))
}

/// `{ids.P|E}`. Of the names themselves it is the set of those of which `P` is true; of pairs with the names on
/// the left it is a function. Both can be asked for a value although they cannot be listed.
pub fn comprehension(ids: Vec<Ident>, p: Box<Node>, e: Box<Node>) -> NodeKind {
    // The order of the names is that of the tuple.
    let tuple = |e: &Node| {
        let mut names: Vec<Ident> = Vec::new();
        let all = in_a_row(e, &mut names) && names.len() == ids.len();
        let once = |id: &Ident| names.iter().filter(|x| x.name == id.name).count() == 1;
        (all && ids.iter().all(once)).then_some(names)
    };
    if let Some(names) = tuple(&e) {
        return NodeKind::Comprehension(names, p);
    }
    let span = e.span;
    let kind = match e.kind {
        NodeKind::Binary(BinaryOp::Maplet, left, right) => match tuple(&left) {
            Some(names) => return NodeKind::Fold(Fold::Lambda, names, p, right),
            None => NodeKind::Binary(BinaryOp::Maplet, left, right),
        },
        kind => kind,
    };
    NodeKind::EventComprehension(ids, p, Box::new(Node { kind, span }))
}

fn in_a_row(pattern: &Node, names: &mut Vec<Ident>) -> bool {
    match &pattern.kind {
        NodeKind::Name(name) => {
            names.push(Ident { name: name.clone(), span: pattern.span });
            true
        }
        NodeKind::Binary(BinaryOp::Maplet, left, right) => {
            matches!(right.kind, NodeKind::Name(_))
                && in_a_row(left, names)
                && in_a_row(right, names)
        }
        _ => false,
    }
}

/// The free names of a formula, in the order of the text.
pub fn free(node: &Node) -> Vec<Ident> {
    let mut found = Vec::new();
    collect(node, &mut Vec::new(), &mut |name, span| {
        if found.iter().all(|x: &Ident| x.name != *name) {
            found.push(Ident { name: name.clone(), span });
        }
    });
    found
}

fn collect(node: &Node, bound: &mut Vec<Name>, each: &mut dyn FnMut(&Name, Span)) {
    if let NodeKind::Name(name) = &node.kind
        && !bound.contains(name)
    {
        each(name, node.span);
    }
    let outer = bound.len();
    if let NodeKind::Quantifier(_, ids, _)
    | NodeKind::Comprehension(ids, _)
    | NodeKind::EventComprehension(ids, ..)
    | NodeKind::Fold(_, ids, ..) = &node.kind
    {
        bound.extend(ids.iter().map(|id| id.name.clone()));
    }
    for part in parts(node) {
        collect(part, bound, each);
    }
    bound.truncate(outer);
}
