//! Sets of which conjuncts say that something made of them is another one, or a part of it.

use super::composed::{Known, sides};
use super::{is, mentions};
use crate::machine::visit::same;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type, UnaryOp,
};
use crate::normalise;
use crate::value::relation::Arrow;
use std::sync::Arc;

/// A set that a local is a part of, if a conjunct on unions, differences, inverses, products or a partition says so.
pub(super) fn part_of(local: LocalId, p: &Pred) -> Option<Expr> {
    if let PredKind::Partition(whole, parts) = &p.kind {
        let is_known = !mentions(local, whole);
        return parts.iter().filter(|_| is_known).find_map(|e| around(local, e, whole.clone()));
    }
    let mut made = sides(p, local).into_iter().filter(|(made, _)| !is(local, made));
    made.find_map(|(made, known)| match known {
        Known::Below(whole) => around(local, made, whole),
        Known::Equal(whole) => factor(local, made, &whole).or_else(|| around(local, made, whole)),
        Known::Within(_) => None,
    })
}

/// `v = {x | x : S & ..}`, where what is left out may ask for `v` again: `v` is a part of `S`.
pub(super) fn arguments_of(local: LocalId, p: &Pred) -> Option<Expr> {
    let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { return None };
    let of = |x: &Expr, set: &Expr| match &set.kind {
        ExprKind::Comprehension(ids, p) if is(local, x) => {
            normalise::arguments(ids, p, &|set| !mentions(local, set))
        }
        _ => None,
    };
    of(a, b).or_else(|| of(b, a))
}

/// The set that a local is a part of, as its typing says, with or without an end: `v <: NATURAL`, `v : A +-> B`.
pub(super) fn typed_part_of(local: LocalId, p: &Pred) -> Option<Expr> {
    use UnaryOp::{Fin, Fin1, Pow, Pow1};
    let PredKind::Compare(op, s, set) = &p.kind else { return None };
    let whole = match (op, &set.kind) {
        (Comparison::Subset | Comparison::StrictSubset, _) => set.clone(),
        (Comparison::Member, ExprKind::Unary(Pow | Pow1 | Fin | Fin1, of)) => (**of).clone(),
        (Comparison::Member, ExprKind::Binary(arrow, a, b)) => {
            Arrow::from_op(*arrow)?;
            let kind = ExprKind::Binary(BinaryOp::Product, a.clone(), b.clone());
            Expr::new(kind, set.ty.element()?.clone(), set.span)
        }
        _ => return None,
    };
    (is(local, s) && !mentions(local, &whole)).then_some(whole)
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
            let all = ExprKind::Binary(BinaryOp::Union, Arc::new(whole.clone()), b.clone());
            around(local, a, of(all, &whole.ty))
        }
        ExprKind::Unary(UnaryOp::Inverse, r) => {
            around(local, r, of(ExprKind::Unary(UnaryOp::Inverse, Arc::new(whole.clone())), &r.ty))
        }
        // A relation is a part of its closure.
        ExprKind::Unary(UnaryOp::Closure1, r) => around(local, r, whole),
        // Of a set of sets it is a member.
        ExprKind::Unary(UnaryOp::Pow, a) => match &whole.kind {
            ExprKind::Unary(UnaryOp::Pow | UnaryOp::Fin, all) => around(local, a, (**all).clone()),
            ExprKind::SetExtension(_) => {
                let all = ExprKind::Unary(UnaryOp::Union, Arc::new(whole.clone()));
                around(local, a, of(all, &a.ty))
            }
            _ => None,
        },
        ExprKind::Unary(UnaryOp::Union, sets) => match &sets.kind {
            ExprKind::SetExtension(sets) => {
                sets.iter().find_map(|set| around(local, set, whole.clone()))
            }
            // Each of the sets is a part of their union.
            _ => {
                let ty = sets.ty.clone();
                let all = ExprKind::Unary(UnaryOp::Pow, Arc::new(whole.clone()));
                around(local, sets, of(all, &ty))
            }
        },
        ExprKind::Unary(UnaryOp::Id, a) => {
            around(local, a, of(ExprKind::Unary(UnaryOp::Dom, Arc::new(whole.clone())), &a.ty))
        }
        _ => None,
    }
}

/// `A * B = {x |-> y, ..}`: as there are members, neither is empty, and `A` is the domain.
fn factor(local: LocalId, made: &Expr, whole: &Expr) -> Option<Expr> {
    let ExprKind::Binary(BinaryOp::Product, a, b) = &made.kind else { return None };
    let ExprKind::SetExtension(members) = &whole.kind else { return None };
    let mut sides = [(a, UnaryOp::Dom), (b, UnaryOp::Ran)].into_iter();
    let (side, op) = sides.find(|(side, _)| is(local, side) && !members.is_empty())?;
    Some(Expr::new(ExprKind::Unary(op, Arc::new(whole.clone())), side.ty.clone(), whole.span))
}

/// `A /\ B = E & A - B = F`: `A` is a part of `E \/ F`.
pub(super) fn split(local: LocalId, conjuncts: &[Pred]) -> Option<Expr> {
    let made = || {
        let sides = conjuncts.iter().flat_map(|p| sides(p, local));
        sides.filter_map(|(made, known)| match known {
            Known::Below(whole) | Known::Equal(whole) => Some((made, whole)),
            Known::Within(_) => None,
        })
    };
    // What it meets another set in, and what it has beyond that.
    made().find_map(|(meet, common)| {
        let ExprKind::Binary(BinaryOp::Intersection, a, b) = &meet.kind else { return None };
        let other = if is(local, a) { b } else { Some(a).filter(|_| is(local, b))? };
        let (_, beyond) = made().find(|(rest, _)| {
            matches!(&rest.kind, ExprKind::Binary(BinaryOp::Difference, a, b)
                if is(local, a) && same(b, other))
        })?;
        let (ty, span) = (common.ty.clone(), common.span);
        let kind = ExprKind::Binary(BinaryOp::Union, Arc::new(common), Arc::new(beyond));
        Some(Expr::new(kind, ty, span))
    })
}
