//! Infix operators in expressions: what they stand for, and their types.

use crate::machine::{BinaryOp, Expr, ExprKind, Type};
use crate::source::Span;
use crate::syntax::ast::{self, Node, NodeKind};
use crate::typing::confused::Link;
use crate::typing::context::Elaborator;
use crate::typing::infer::ERROR;

/// What is wrong with `1..3 - S` and `1..3 * 1..3`.
const LOOSE_INTERVAL: &str =
    "`+`, `-` and `*` bind tighter than `..`: write `(a..b) - S`, `(a..b) * (c..d)`";

/// An infix operator between a left side that is typed and a right side that is not yet.
struct Infix<'a> {
    op: ast::BinaryOp,
    l: Expr,
    /// The left side as it is written.
    l_span: Span,
    right: &'a Node,
    span: Span,
}

impl<'a> Elaborator<'a> {
    /// A chain of infix operators, its left spine walked by a loop: it may be long.
    pub(super) fn binary_chain(&mut self, node: &'a Node) -> Expr {
        let mut spine = Vec::new();
        let mut first = node;
        while let NodeKind::Binary(op, left, right) = &first.kind
            && !is_predicate_operator(*op)
        {
            spine.push(Link { op: *op, left, right, span: first.span });
            first = left;
        }
        let mut result = self.expr(first);
        for (i, link) in spine.iter().enumerate().rev() {
            let Link { op, left, right, span } = *link;
            let since = self.diagnostics.len();
            let takes_pairs = op == ast::BinaryOp::Append && self.is_sequence_of_pairs(&result);
            result = self.infix(Infix { op, l: result, l_span: left.span, right, span });
            // An error inside the operand is not about this operator.
            if result.ty == ERROR && self.diagnostics.len() == since + 1 {
                let after = i.checked_sub(1).and_then(|i| spine.get(i)).filter(|_| takes_pairs);
                let hint = link.mistaken(spine.get(i + 1), after);
                if let Some(hint) = hint {
                    self.advise(since, &hint);
                }
            }
        }
        result
    }

    fn infix(&mut self, infix: Infix<'a>) -> Expr {
        let Infix { op, mut l, l_span, right, span } = infix;
        use ast::BinaryOp as A;
        match op {
            A::Plus | A::Divide | A::Power => {
                self.number_operator(Infix { op, l, l_span, right, span })
            }
            A::Modulo | A::Interval => {
                let since = self.diagnostics.len();
                let in_two = |e: &Expr| matches!(e.kind, ExprKind::Binary(BinaryOp::Interval, ..));
                let tight = |node: &Node| {
                    let op = |op: &A| matches!(op, A::Minus | A::Times | A::Plus);
                    matches!(&node.kind, NodeKind::Binary(of, ..) if op(of))
                };
                let is_slip = op == A::Interval && (in_two(&l) || tight(right));
                self.check(&mut l, &Type::Integer, l_span);
                let r = self.expr_of(right, &Type::Integer);
                if is_slip {
                    self.advise(since, LOOSE_INTERVAL);
                }
                let (op, ty) = match op {
                    A::Modulo => (BinaryOp::Modulo, Type::Integer),
                    _ => (BinaryOp::Interval, Type::pow(Type::Integer)),
                };
                self.binary(op, l, r, ty, span)
            }
            A::Minus => {
                let result = self.infer.number_or_set(&l.ty, l.span);
                let ty = if self.require(result) { l.ty.clone() } else { ERROR };
                let r = self.expr_beside(right, &ty, &l);
                self.binary(BinaryOp::Subtract, l, r, ty, span)
            }
            A::Times => {
                let r = self.expr(right);
                let mut ty = self.infer.fresh();
                let at = self.at(span);
                let result = self.infer.product(&l.ty, &r.ty, &ty, at);
                if !self.require(result) {
                    ty = ERROR;
                }
                self.binary(BinaryOp::Multiply, l, r, ty, span)
            }
            A::SetMinus | A::Union | A::Intersection => {
                let ty = Type::pow(self.infer.fresh());
                self.check(&mut l, &ty, l_span);
                let r = self.expr_beside(right, &ty, &l);
                let op = match op {
                    A::SetMinus => BinaryOp::Difference,
                    A::Union => BinaryOp::Union,
                    _ => BinaryOp::Intersection,
                };
                self.binary(op, l, r, ty, span)
            }
            A::Comma | A::Maplet => {
                let r = self.expr(right);
                let ty = Type::pair(l.ty.clone(), r.ty.clone());
                self.binary(BinaryOp::Pair, l, r, ty, span)
            }
            A::OfType => {
                let expected = Type::pow(l.ty.clone());
                let r = self.expr_of(right, &expected);
                if r.ty == ERROR { self.refused(span) } else { l }
            }
            A::Prepend | A::Append | A::Concat | A::Take | A::Drop => {
                self.sequence_operator(Infix { op, l, l_span, right, span })
            }
            _ => match arrow(op) {
                Some(op) => {
                    let (a, b) = (self.infer.fresh(), self.infer.fresh());
                    self.check(&mut l, &Type::pow(a.clone()), l_span);
                    let r = self.expr_of(right, &Type::pow(b.clone()));
                    self.binary(op, l, r, Type::pow(Type::relation(a, b)), span)
                }
                None => self.relation_operator(Infix { op, l, l_span, right, span }),
            },
        }
    }

    fn number_operator(&mut self, infix: Infix<'a>) -> Expr {
        let Infix { op, mut l, l_span, right, span } = infix;
        let mut ty = self.infer.fresh();
        self.check(&mut l, &ty, l_span);
        let result = self.infer.numeric(&ty, l.span);
        if !self.require(result) {
            ty = ERROR;
        }
        // A real number may be raised to an integer power only.
        let r = match op {
            ast::BinaryOp::Power => self.expr_of(right, &Type::Integer),
            _ => self.expr_beside(right, &ty, &l),
        };
        let op = match op {
            ast::BinaryOp::Plus => BinaryOp::Add,
            ast::BinaryOp::Divide => BinaryOp::Divide,
            _ => BinaryOp::Power,
        };
        self.binary(op, l, r, ty, span)
    }

    fn sequence_operator(&mut self, infix: Infix<'a>) -> Expr {
        let Infix { op, mut l, l_span, right, span } = infix;
        use ast::BinaryOp as A;
        let is_string = |l: &Expr| self.infer.head(&l.ty) == Some(Type::String);
        if op == A::Concat && (is_string(&l) || matches!(right.kind, NodeKind::String(_))) {
            self.check(&mut l, &Type::String, l_span);
            let r = self.expr_beside(right, &Type::String, &l);
            if l.ty == ERROR || r.ty == ERROR {
                return self.refused(span);
            }
            return self.external_of("STRING_APPEND", vec![l, r], Type::String, span);
        }
        if op == A::Concat && self.infer.head(&l.ty).is_none() {
            let ty = l.ty.clone();
            let r = self.expr_beside(right, &ty, &l);
            let decided = self.infer.listed(&ty, l.span);
            if !self.require(decided) {
                return self.refused(span);
            }
            return self.binary(BinaryOp::Concat, l, r, ty, span);
        }
        let element = self.infer.fresh();
        let sequence = Type::sequence(element.clone());
        let (left_type, right_type, op) = match op {
            A::Prepend => (element, sequence.clone(), BinaryOp::Prepend),
            A::Append => (sequence.clone(), element, BinaryOp::Append),
            A::Concat => (sequence.clone(), sequence.clone(), BinaryOp::Concat),
            A::Take => (sequence.clone(), Type::Integer, BinaryOp::Take),
            _ => (sequence.clone(), Type::Integer, BinaryOp::Drop),
        };
        self.check(&mut l, &left_type, l_span);
        let r = self.expr_beside(right, &right_type, &l);
        self.binary(op, l, r, sequence, span)
    }

    /// Operators on relations. `a`, `b` are the sides of the left operand, `c`, `d` of the right.
    fn relation_operator(&mut self, infix: Infix<'a>) -> Expr {
        let Infix { op, mut l, l_span, right, span } = infix;
        use ast::BinaryOp as A;
        let backward = op == A::Backward;
        let (a, b) = (self.infer.fresh(), self.infer.fresh());
        let (c, d) = (self.infer.fresh(), self.infer.fresh());
        let rel = |x: &Type, y: &Type| Type::relation(x.clone(), y.clone());
        let (left_type, right_type, ty, op) = match op {
            A::Compose => (rel(&a, &b), rel(&b, &c), rel(&a, &c), BinaryOp::Compose),
            A::Backward => (rel(&b, &c), rel(&a, &b), rel(&a, &c), BinaryOp::Compose),
            A::ParallelProduct => {
                let (from, to) =
                    (Type::pair(a.clone(), c.clone()), Type::pair(b.clone(), d.clone()));
                (rel(&a, &b), rel(&c, &d), Type::relation(from, to), BinaryOp::ParallelProduct)
            }
            A::DirectProduct => {
                let to = Type::pair(b.clone(), c.clone());
                (rel(&a, &b), rel(&a, &c), rel(&a, &to), BinaryOp::DirectProduct)
            }
            A::Override => (rel(&a, &b), rel(&a, &b), rel(&a, &b), BinaryOp::Override),
            A::DomainRestrict => {
                (Type::pow(a.clone()), rel(&a, &b), rel(&a, &b), BinaryOp::DomainRestrict)
            }
            A::DomainSubtract => {
                (Type::pow(a.clone()), rel(&a, &b), rel(&a, &b), BinaryOp::DomainSubtract)
            }
            A::RangeRestrict => {
                (rel(&a, &b), Type::pow(b.clone()), rel(&a, &b), BinaryOp::RangeRestrict)
            }
            A::RangeSubtract => {
                (rel(&a, &b), Type::pow(b.clone()), rel(&a, &b), BinaryOp::RangeSubtract)
            }
            _ => return self.refused(span),
        };
        self.check(&mut l, &left_type, l_span);
        let r = self.expr_beside(right, &right_type, &l);
        let (l, r) = if backward { (r, l) } else { (l, r) };
        self.binary(op, l, r, ty, span)
    }
}

pub fn is_predicate_operator(op: ast::BinaryOp) -> bool {
    use ast::BinaryOp as A;
    matches!(
        op,
        A::Implies
            | A::And
            | A::Or
            | A::Iff
            | A::Equal
            | A::NotEqual
            | A::Member
            | A::NotMember
            | A::Subset
            | A::NotSubset
            | A::StrictSubset
            | A::NotStrictSubset
            | A::Less
            | A::LessEqual
            | A::Greater
            | A::GreaterEqual
    )
}

/// The operators that make sets of relations.
fn arrow(op: ast::BinaryOp) -> Option<BinaryOp> {
    use ast::BinaryOp as A;
    Some(match op {
        A::Relations => BinaryOp::Relations,
        A::PartialFunctions => BinaryOp::PartialFunctions,
        A::TotalFunctions => BinaryOp::TotalFunctions,
        A::PartialInjections => BinaryOp::PartialInjections,
        A::TotalInjections => BinaryOp::TotalInjections,
        A::PartialSurjections => BinaryOp::PartialSurjections,
        A::TotalSurjections => BinaryOp::TotalSurjections,
        A::PartialBijections => BinaryOp::PartialBijections,
        A::TotalBijections => BinaryOp::TotalBijections,
        A::TotalRelations => BinaryOp::TotalRelations,
        A::SurjectiveRelations => BinaryOp::SurjectiveRelations,
        A::TotalSurjectiveRelations => BinaryOp::TotalSurjectiveRelations,
        _ => return None,
    })
}
