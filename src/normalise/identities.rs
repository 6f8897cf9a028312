//! Identities and products that are said to be relations, without building them.
//!
//! `id(S)` is a function and has no value twice, whatever `S` is: `id(S) : A >-> B` says `S = A & S <: B`. `S * T : A <-> B`
//! says `S * T <: A * B`, and `S * T : POW(R)` says `S * T <: R`.

use crate::machine::make;
use crate::machine::{BinaryOp, Comparison, Expr, ExprKind, Pred, PredKind, UnaryOp};
use std::sync::Arc;

/// Simplifies a predicate, whose parts are simple.
pub fn simple(p: &mut Pred) {
    let PredKind::Compare(op @ (Comparison::Member | Comparison::NotMember), id, set) = &p.kind
    else {
        return;
    };
    if let Some(within) = product_in(id, set) {
        let op = match op {
            Comparison::Member => Comparison::Subset,
            _ => Comparison::NotSubset,
        };
        p.kind = PredKind::Compare(op, id.clone(), within);
        return;
    }
    let ExprKind::Unary(UnaryOp::Id, s) = &id.kind else { return };
    // It is evaluated more than once.
    if !is_cheap(s) {
        return;
    }
    let Some(parts) = said(s, set) else { return };
    let all = Pred::and(parts, p.span);
    p.kind = match op {
        Comparison::Member => all.kind,
        _ => PredKind::Not(Arc::new(all)),
    };
}

/// The set that the pairs of a product are in, where this is a set of relations.
fn product_in(product: &Expr, set: &Expr) -> Option<Expr> {
    let ExprKind::Binary(BinaryOp::Product, ..) = &product.kind else { return None };
    match &set.kind {
        ExprKind::Binary(BinaryOp::Relations, a, b) => {
            let kind = ExprKind::Binary(BinaryOp::Product, a.clone(), b.clone());
            Some(Expr::new(kind, product.ty.clone(), set.span))
        }
        ExprKind::Unary(UnaryOp::Pow, of) => Some((**of).clone()),
        _ => None,
    }
}

/// What it says of `S` that its identity is in a set of functions or relations.
fn said(s: &Expr, set: &Expr) -> Option<Vec<Pred>> {
    let compare = |op, a: &Expr, b: &Expr| {
        Pred::new(PredKind::Compare(op, a.clone(), b.clone()), a.span.to(b.span))
    };
    match &set.kind {
        ExprKind::Binary(op, a, b) => {
            let (total, onto) = sides(*op)?;
            let side = |all: bool, of: &Expr| {
                compare(if all { Comparison::Equal } else { Comparison::Subset }, s, of)
            };
            Some(vec![side(total, a), side(onto, b)])
        }
        ExprKind::Unary(op, of) => {
            use UnaryOp::{Iseq, Iseq1, Perm, Seq, Seq1};
            let numbers = make::up_to_card(s.clone());
            if s.ty != numbers.ty {
                return None;
            }
            let mut parts = vec![compare(Comparison::Equal, s, &numbers)];
            let empty = Expr::new(ExprKind::Empty, s.ty.clone(), s.span);
            match op {
                Seq | Iseq => parts.push(compare(Comparison::Subset, s, of)),
                Seq1 | Iseq1 => {
                    parts.push(compare(Comparison::Subset, s, of));
                    parts.push(compare(Comparison::NotEqual, s, &empty));
                }
                Perm => parts.push(compare(Comparison::Equal, s, of)),
                _ => return None,
            }
            Some(parts)
        }
        _ => None,
    }
}

/// Whether the relations of an arrow have all of the left side as their domain, and all of the right side
/// as their range.
fn sides(op: BinaryOp) -> Option<(bool, bool)> {
    use BinaryOp::*;
    Some(match op {
        Relations | PartialFunctions | PartialInjections => (false, false),
        TotalRelations | TotalFunctions | TotalInjections => (true, false),
        SurjectiveRelations | PartialSurjections | PartialBijections => (false, true),
        TotalSurjectiveRelations | TotalSurjections | TotalBijections => (true, true),
        _ => return None,
    })
}

fn is_cheap(set: &Expr) -> bool {
    use ExprKind::*;
    let at_hand = |e: &Expr| {
        matches!(e.kind, Integer(_) | MaxInt | MinInt | Constant(_) | Variable(_) | Local(_))
    };
    match &set.kind {
        Carrier(_) | Basic(_) | Constant(_) | Variable(_) | Local(_) => true,
        Binary(BinaryOp::Interval, a, b) => at_hand(a) && at_hand(b),
        _ => false,
    }
}
