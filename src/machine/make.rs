//! Formulas made of others. Each stands in the text where that stands which it begins with.

use super::formula::{BinaryOp, Comparison, Expr, ExprKind, Pred, PredKind, UnaryOp};
use super::types::Type;
use crate::source::Span;
use num_bigint::BigInt;
use std::sync::Arc;

pub fn number(n: impl Into<BigInt>, span: Span) -> Expr {
    Expr::new(ExprKind::Integer(n.into()), Type::Integer, span)
}

pub fn unary(op: UnaryOp, of: Expr, ty: Type) -> Expr {
    let span = of.span;
    Expr::new(ExprKind::Unary(op, Arc::new(of)), ty, span)
}

pub fn binary(op: BinaryOp, a: Expr, b: Expr, ty: Type) -> Expr {
    let span = a.span;
    Expr::new(ExprKind::Binary(op, Arc::new(a), Arc::new(b)), ty, span)
}

/// `a |-> b`
pub fn pair(a: Expr, b: Expr) -> Expr {
    let ty = Type::pair(a.ty.clone(), b.ty.clone());
    binary(BinaryOp::Pair, a, b, ty)
}

/// `1..n`
pub fn up_to(n: Expr) -> Expr {
    let one = number(1, n.span);
    binary(BinaryOp::Interval, one, n, Type::pow(Type::Integer))
}

/// `1..card(set)`
pub fn up_to_card(set: Expr) -> Expr {
    up_to(unary(UnaryOp::Card, set, Type::Integer))
}

pub fn compare(op: Comparison, a: Expr, b: Expr) -> Pred {
    let span = a.span;
    Pred::new(PredKind::Compare(op, a, b), span)
}
