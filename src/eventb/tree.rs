//! Small trees.

use crate::source::Span;
use crate::syntax::ast::{BinaryOp, Constant, Ident, Name, Node, NodeKind, Quantifier};

pub fn named(name: Name, span: Span) -> Node {
    Node { kind: NodeKind::Name(name), span }
}

pub fn binary(op: BinaryOp, l: Node, r: Node) -> Node {
    let span = l.span.to(r.span);
    Node { kind: NodeKind::Binary(op, Box::new(l), Box::new(r)), span }
}

pub fn equation(l: Node, r: Node) -> Node {
    binary(BinaryOp::Equal, l, r)
}

/// A conjunction of any number of predicates.
pub fn all(mut parts: Vec<Node>, span: Span) -> Node {
    match parts.len() {
        0 => Node { kind: NodeKind::Constant(Constant::Truth), span },
        1 => parts.swap_remove(0),
        _ => Node { kind: NodeKind::Conjunction(parts), span },
    }
}

pub fn exists(names: Vec<Ident>, p: Node) -> Node {
    let span = p.span;
    Node { kind: NodeKind::Quantifier(Quantifier::Exists, names, Box::new(p)), span }
}
