//! Relations of which conjuncts say what they have at some arguments and what they have at all others.

use super::composed::{Known, sides};
use super::{is, mentions};
use crate::machine::visit::same;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type, UnaryOp, make,
};
use crate::value::relation::Arrow;

/// `S <<| r = F`, and what `r` has at `S`: `S <| r = E`, or where `S` is `{a}` also `r[S] = B`, `r(a) = b`, or of a function
/// `a |-> b : r`. Then `r` is a part of both together. `r <+ g = h` says the first with the domain of `g`; and what is said of
/// results in place of arguments is the same.
pub(super) fn restricted(local: LocalId, conjuncts: &[Pred]) -> Option<Expr> {
    let mut made = conjuncts.iter().flat_map(|p| sides(p, local));
    made.find_map(|(made, known)| {
        let (Known::Below(whole) | Known::Equal(whole)) = known else { return None };
        let ExprKind::Binary(op, a, b) = &made.kind else { return None };
        let (kept, beyond) = match op {
            BinaryOp::DomainSubtract if is(local, b) && !mentions(local, a) => {
                (at_arguments(local, a, conjuncts)?, whole)
            }
            BinaryOp::RangeSubtract if is(local, a) && !mentions(local, b) => {
                (with_results(local, b, conjuncts)?, whole)
            }
            BinaryOp::Override if is(local, a) && !mentions(local, b) => {
                let arguments = domain(b)?;
                let beyond =
                    make::binary(BinaryOp::DomainSubtract, arguments.clone(), whole, b.ty.clone());
                (at_arguments(local, &arguments, conjuncts)?, beyond)
            }
            _ => return None,
        };
        let ty = kept.ty.clone();
        Some(make::binary(BinaryOp::Union, kept, beyond, ty))
    })
}

/// What a relation has at most at these arguments.
fn at_arguments(local: LocalId, arguments: &Expr, conjuncts: &[Pred]) -> Option<Expr> {
    let single = match &arguments.kind {
        ExprKind::SetExtension(items) if items.len() == 1 => items.first(),
        _ => None,
    };
    let is_single = |e: &Expr| single.is_some_and(|single| same(single, e));
    let is_function = || conjuncts.iter().any(|p| is_functional(local, p));
    conjuncts.iter().find_map(|p| {
        if let PredKind::Compare(Comparison::Member, maplet, r) = &p.kind
            && let ExprKind::Binary(BinaryOp::Pair, x, y) = &maplet.kind
            && is(local, r)
            && is_single(x)
            && !mentions(local, y)
            && is_function()
        {
            return Some(set_of(maplet.clone()));
        }
        sides(p, local).into_iter().find_map(|(made, known)| {
            let (Known::Below(value) | Known::Equal(value)) = known else { return None };
            let ExprKind::Binary(op, a, b) = &made.kind else { return None };
            match op {
                BinaryOp::DomainRestrict if same(a, arguments) && is(local, b) => Some(value),
                BinaryOp::Image if is(local, a) && single.is_some() && same(b, arguments) => {
                    let ty = relation_of(arguments, &value)?;
                    Some(make::binary(BinaryOp::Product, arguments.clone(), value, ty))
                }
                BinaryOp::Apply if is(local, a) && is_single(b) => {
                    Some(set_of(make::pair((**b).clone(), value)))
                }
                _ => None,
            }
        })
    })
}

/// The pairs that a relation has at most with these results.
fn with_results(local: LocalId, results: &Expr, conjuncts: &[Pred]) -> Option<Expr> {
    let mut made = conjuncts.iter().flat_map(|p| sides(p, local));
    made.find_map(|(made, known)| match (&made.kind, known) {
        (
            ExprKind::Binary(BinaryOp::RangeRestrict, r, set),
            Known::Below(pairs) | Known::Equal(pairs),
        ) => (is(local, r) && same(set, results)).then_some(pairs),
        _ => None,
    })
}

/// The arguments of a relation, as a list where its pairs are listed.
fn domain(r: &Expr) -> Option<Expr> {
    let ty = Type::pow(r.ty.relation_sides()?.0.clone());
    let left = |pair: &Expr| match &pair.kind {
        ExprKind::Binary(BinaryOp::Pair, x, _) => Some((**x).clone()),
        _ => None,
    };
    let listed = match &r.kind {
        ExprKind::SetExtension(pairs) => pairs.iter().map(left).collect(),
        _ => None,
    };
    Some(match listed {
        Some(arguments) => Expr::new(ExprKind::SetExtension(arguments), ty, r.span),
        None => make::unary(UnaryOp::Dom, r.clone(), ty),
    })
}

/// Whether a conjunct says that a local is a function.
fn is_functional(local: LocalId, p: &Pred) -> bool {
    let PredKind::Compare(Comparison::Member, f, set) = &p.kind else { return false };
    let ExprKind::Binary(op, ..) = &set.kind else { return false };
    is(local, f) && Arrow::from_op(*op).is_some_and(|arrow| arrow.functional)
}

fn set_of(member: Expr) -> Expr {
    let (ty, span) = (Type::pow(member.ty.clone()), member.span);
    Expr::new(ExprKind::SetExtension(vec![member]), ty, span)
}

/// The type of relations between two sets.
fn relation_of(a: &Expr, b: &Expr) -> Option<Type> {
    Some(Type::relation(a.ty.element()?.clone(), b.ty.element()?.clone()))
}
