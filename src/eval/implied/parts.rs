//! Sets of which conjuncts say that something made of them is another one, or a part of it.

use super::{is, mentions};
use crate::machine::visit::same;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type, UnaryOp,
};

/// A set that a local is a part of, if a conjunct on unions, differences, inverses or a partition says so.
pub(super) fn part_of(local: LocalId, p: &Pred) -> Option<Expr> {
    match &p.kind {
        PredKind::Compare(op @ (Comparison::Equal | Comparison::Subset), a, b) => {
            let both = if *op == Comparison::Equal { &[(a, b), (b, a)][..] } else { &[(a, b)] };
            both.iter().find_map(|(made, whole)| {
                let is_made = !is(local, made) && !mentions(local, whole);
                let found = is_made.then(|| around(local, made, (*whole).clone()))?;
                found.or_else(|| (*op == Comparison::Equal).then(|| factor(local, made, whole))?)
            })
        }
        PredKind::Partition(whole, parts) if !mentions(local, whole) => {
            parts.iter().find_map(|part| around(local, part, whole.clone()))
        }
        _ => None,
    }
}

/// A set that a local is a part of where this, made of it, is a part of that.
fn around(local: LocalId, made: &Expr, whole: Expr) -> Option<Expr> {
    let of = |kind, ty: &Type| Expr::new(kind, ty.clone(), whole.span);
    match &made.kind {
        ExprKind::Local(id) => (*id == local).then_some(whole),
        ExprKind::Binary(BinaryOp::Union, a, b) => {
            around(local, a, whole.clone()).or_else(|| around(local, b, whole))
        }
        ExprKind::Binary(BinaryOp::Difference, a, b) if !mentions(local, b) => {
            let all = ExprKind::Binary(BinaryOp::Union, Box::new(whole.clone()), b.clone());
            around(local, a, of(all, &whole.ty))
        }
        ExprKind::Unary(UnaryOp::Inverse, r) => {
            around(local, r, of(ExprKind::Unary(UnaryOp::Inverse, Box::new(whole.clone())), &r.ty))
        }
        // Of a set of sets it is a member.
        ExprKind::Unary(UnaryOp::Pow, a) => match &whole.kind {
            ExprKind::Unary(UnaryOp::Pow | UnaryOp::Fin, all) => around(local, a, (**all).clone()),
            ExprKind::SetExtension(_) => {
                let all = ExprKind::Unary(UnaryOp::Union, Box::new(whole.clone()));
                around(local, a, of(all, &a.ty))
            }
            _ => None,
        },
        ExprKind::Unary(UnaryOp::Union, sets) => match &sets.kind {
            ExprKind::SetExtension(sets) => {
                sets.iter().find_map(|set| around(local, set, whole.clone()))
            }
            _ => None,
        },
        _ => None,
    }
}

/// `A * B = {x |-> y, ..}`: as there are members, neither is empty, and `A` is the domain.
fn factor(local: LocalId, made: &Expr, whole: &Expr) -> Option<Expr> {
    let ExprKind::Binary(BinaryOp::Product, a, b) = &made.kind else { return None };
    let ExprKind::SetExtension(members) = &whole.kind else { return None };
    let (op, side) = match () {
        () if members.is_empty() => return None,
        () if is(local, a) => (UnaryOp::Dom, a),
        () if is(local, b) => (UnaryOp::Ran, b),
        () => return None,
    };
    Some(Expr::new(ExprKind::Unary(op, Box::new(whole.clone())), side.ty.clone(), whole.span))
}

/// `A /\ B = E & A - B = F`: `A` is a part of `E \/ F`.
pub(super) fn split(local: LocalId, conjuncts: &[Pred]) -> Option<Expr> {
    let equations = || {
        let both = |p: &Pred| match &p.kind {
            PredKind::Compare(Comparison::Equal, a, b) => {
                vec![(a.clone(), b.clone()), (b.clone(), a.clone())]
            }
            PredKind::Compare(Comparison::Subset, a, b) => vec![(a.clone(), b.clone())],
            _ => Vec::new(),
        };
        conjuncts.iter().flat_map(both).filter(|(_, value)| !mentions(local, value))
    };
    // What it meets another set in, and what it has beyond that.
    let meets = equations().filter_map(|(made, value)| match made.kind {
        ExprKind::Binary(BinaryOp::Intersection, a, b) if is(local, &a) => Some((*b, value)),
        ExprKind::Binary(BinaryOp::Intersection, a, b) if is(local, &b) => Some((*a, value)),
        _ => None,
    });
    meets.into_iter().find_map(|(other, common)| {
        let beyond = equations().find_map(|(made, value)| match &made.kind {
            ExprKind::Binary(BinaryOp::Difference, a, b) => {
                (is(local, a) && same(b, &other)).then_some(value)
            }
            _ => None,
        })?;
        let (ty, span) = (common.ty.clone(), common.span);
        let kind = ExprKind::Binary(BinaryOp::Union, Box::new(common), Box::new(beyond));
        Some(Expr::new(kind, ty, span))
    })
}
