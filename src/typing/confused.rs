//! What infix operators are easily taken for, where their operands do not fit.

use crate::machine::{Expr, Type};
use crate::printable;
use crate::source::Span;
use crate::syntax::ast::{self, Node, NodeKind};
use crate::syntax::{operators, printer};
use crate::typing::context::Elaborator;

/// Most columns of a formula in a hint.
const MOST_COLUMNS: usize = 60;

/// One operator of a chain, as it is written.
pub struct Link<'a> {
    pub op: ast::BinaryOp,
    pub left: &'a Node,
    pub right: &'a Node,
    pub span: Span,
}

impl Link<'_> {
    /// What was probably meant where the operands of this operator do not fit, by the operators that stand beside it in
    /// its chain. The one after it is given where this one takes pairs.
    pub fn mistaken(&self, before: Option<&Link<'_>>, after: Option<&Link<'_>>) -> Option<String> {
        match (before, after) {
            (Some(before), _) if self.continues(before) => Some(before.regrouped(self)),
            (_, Some(after)) if after.continues(self) => Some(self.regrouped(after)),
            _ => confused(self.op, self.right).map(str::to_owned),
        }
    }

    /// Whether this operator follows another in one chain without parentheses, and binds equally,
    /// where one of the two makes pairs: then the pair was probably meant to be made otherwise.
    fn continues(&self, before: &Link<'_>) -> bool {
        let (a, b) = (operators::of(before.op), operators::of(self.op));
        let is_pair = |op| op == ast::BinaryOp::Maplet;
        a.level == b.level
            && is_pair(before.op) != is_pair(self.op)
            && before.span.start == before.left.span.start
    }

    /// How this operator and the one that follows it in the chain are grouped from the right.
    fn regrouped(&self, after: &Link<'_>) -> String {
        let node = |op, l: &Node, r: &Node| Node {
            kind: NodeKind::Binary(op, Box::new(l.clone()), Box::new(r.clone())),
            span: l.span.to(r.span),
        };
        let inner = node(after.op, self.right, after.right);
        let text = printer::formula(&node(self.op, self.left, &inner));
        let (first, second) = (operators::of(self.op).ascii, operators::of(after.op).ascii);
        let text = match printable::columns(&text) <= MOST_COLUMNS {
            true => text,
            false => format!("a {first} (b {second} c)"),
        };
        format!("`{first}` and `{second}` bind equally, from the left: write `{text}`")
    }
}

impl Elaborator<'_> {
    /// Of `{x : 1}`, where a set of pairs was meant: the notation of an array or a record elsewhere.
    pub fn advise_pairs(&mut self, since: usize, items: &[Node]) {
        for item in items {
            let NodeKind::Binary(ast::BinaryOp::Member, left, right) = &item.kind else { continue };
            let pair = Node {
                kind: NodeKind::Binary(ast::BinaryOp::Maplet, left.clone(), right.clone()),
                span: item.span,
            };
            let text = printable::clipped(&printer::formula(&pair), MOST_COLUMNS);
            let span = Some(self.at(item.span));
            let new = self.diagnostics.iter_mut().skip(since).filter(|d| d.span == span);
            new.filter(|d| d.code == "predicate-where-expression")
                .for_each(|d| d.hint = Some(format!("a pair is written `{text}`")));
        }
    }

    pub fn is_sequence_of_pairs(&self, e: &Expr) -> bool {
        let element = |ty: Option<Type>| match ty {
            Some(Type::Pow(of)) => self.infer.head(&of),
            _ => None,
        };
        let Some(Type::Pair(sides)) = element(self.infer.head(&e.ty)) else { return false };
        matches!(self.infer.head(&sides.1), Some(Type::Pair(_)))
    }
}

/// Whether a number is the first that stands in a formula.
fn begins_with_number(mut node: &Node) -> bool {
    while let NodeKind::Binary(_, left, _) = &node.kind
        && left.span.start == node.span.start
    {
        node = left;
    }
    matches!(node.kind, NodeKind::Integer(_) | NodeKind::Real(_))
}

/// What an operator whose operands do not fit is easily taken for.
fn confused(op: ast::BinaryOp, right: &Node) -> Option<&'static str> {
    Some(match op {
        ast::BinaryOp::Append if begins_with_number(right) => {
            "`<-` appends to a sequence; for a comparison with a negative number write `x < -1`"
        }
        ast::BinaryOp::Append => {
            "`s <- x` puts the one element x behind a sequence; sequences are joined by `^`"
        }
        ast::BinaryOp::Prepend => {
            "`->` puts an element before a sequence; total functions are `-->`, partial ones `+->`, \
             implication is `=>`"
        }
        ast::BinaryOp::Concat => "`^` joins sequences; a power is written `x ** 2`",
        ast::BinaryOp::Plus => "`+` adds numbers; the union of sets is written `\\/`",
        _ => return None,
    })
}
