//! What a set is by the form of its text: endless, told by its members, made of intervals. Nothing is evaluated.

use super::endless::{Values, is_endless};
use crate::machine::footprint::Footprint;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, Pred, PredKind, Type, UnaryOp, rewrite,
};
use std::sync::Arc;

/// Whether a set is infinite, and not only large because of an interval.
pub(super) fn endless(e: &Expr) -> bool {
    let small = |kind: &ExprKind| match kind {
        ExprKind::Binary(BinaryOp::Interval, ..) => Some(ExprKind::Empty),
        _ => None,
    };
    let none = Values::new();
    is_endless(e, &none) && is_endless(&rewrite::expr(e, &small), &none)
}

/// Whether a set is endless by a form that a description is made of, not by what a comprehension says.
pub(super) fn has_form(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Union | BinaryOp::Override, a, b) => has_form(a) || has_form(b),
        ExprKind::Basic(_) | ExprKind::Fold(Fold::Lambda, ..) => endless(e),
        _ => false,
    }
}

/// Whether a comprehension is what makes a set look endless.
pub(super) fn has_comprehension(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Union | BinaryOp::Override, a, b) => {
            has_comprehension(a) || has_comprehension(b)
        }
        _ => is_comprehension(e) && endless(e),
    }
}

fn is_comprehension(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Comprehension(..) | ExprKind::Fold(Fold::Image, ..))
}

/// Whether a set is told by what its members are: all of them, or all but some that are listed.
pub(super) fn is_told_by_members(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Union | BinaryOp::Override, a, b) => {
            let (x, y) = (is_told_by_members(a), is_told_by_members(b));
            (x || y && is_listed(a)) && (y || is_listed(b))
        }
        ExprKind::Fold(Fold::Lambda, ..) => true,
        _ => is_comprehension(e),
    }
}

fn is_listed(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Union | BinaryOp::Override, a, b) => {
            is_listed(a) && is_listed(b)
        }
        ExprKind::SetExtension(_) | ExprKind::Sequence(_) => true,
        _ => false,
    }
}

/// Whether a set of integers is made of intervals, as far as its form tells.
pub(super) fn is_of_intervals(e: &Expr) -> bool {
    use BinaryOp::{Difference, Intersection, Interval, Union};
    let is_bound = |x: LocalId, p: &Pred| {
        let of = |e: &Expr| e.kind == ExprKind::Local(x);
        match &p.kind {
            PredKind::Compare(Comparison::Member | Comparison::NotMember, a, b) => {
                of(a) && is_of_intervals(b)
            }
            PredKind::Compare(_, a, b) => of(a) != of(b),
            _ => false,
        }
    };
    fn all(p: &Pred, is: &dyn Fn(&Pred) -> bool) -> bool {
        match &p.kind {
            PredKind::And(ps) | PredKind::Or(ps) => ps.iter().all(|p| all(p, is)),
            PredKind::Not(p) => all(p, is),
            _ => is(p),
        }
    }
    e.ty == Type::pow(Type::Integer)
        && match &e.kind {
            ExprKind::Basic(_) | ExprKind::Binary(Interval, ..) => true,
            ExprKind::SetExtension(_) | ExprKind::Empty => true,
            ExprKind::Binary(Union | Intersection | Difference, a, b) => {
                is_of_intervals(a) && is_of_intervals(b)
            }
            ExprKind::Comprehension(ids, p) => match ids[..] {
                [x] => all(p, &|p| is_bound(x, p)),
                _ => false,
            },
            _ => false,
        }
}

/// Whether a set is one that is compared without a description.
pub(super) fn is_named(e: &Expr) -> bool {
    !matches!(e.kind, ExprKind::If(..) | ExprKind::Fold(..))
}

/// The set of the arguments, where the predicate only says for each from which set it is.
pub(crate) fn domain(ids: &[LocalId], p: &Pred) -> Option<Expr> {
    if p.conjuncts().len() == ids.len() { arguments(ids, p, &|_| true) } else { None }
}

/// A set that all arguments are in, where the predicate says for each from which set it is, whatever else it says; made of
/// sets that are `wanted`.
pub(crate) fn arguments(ids: &[LocalId], p: &Pred, wanted: &dyn Fn(&Expr) -> bool) -> Option<Expr> {
    let conjuncts = p.conjuncts();
    let set_of = |id: &LocalId| {
        conjuncts.iter().find_map(|c| match &c.kind {
            PredKind::Compare(op @ (Comparison::Member | Comparison::Subset), x, set)
                if x.kind == ExprKind::Local(*id)
                    && Footprint::of_expr(set)
                        .locals
                        .is_disjoint(&ids.iter().copied().collect())
                    && wanted(set) =>
            {
                Some(match op {
                    Comparison::Subset => {
                        let power = ExprKind::Unary(UnaryOp::Pow, Arc::new(set.clone()));
                        Expr::new(power, Type::pow(set.ty.clone()), set.span)
                    }
                    _ => set.clone(),
                })
            }
            _ => None,
        })
    };
    let mut sets = ids.iter().map(set_of).collect::<Option<Vec<Expr>>>()?.into_iter();
    let first = sets.next()?;
    Some(sets.fold(first, |a, b| {
        let element = |e: &Expr| e.ty.element().cloned().unwrap_or(Type::Integer);
        let ty = Type::relation(element(&a), element(&b));
        let span = a.span;
        Expr::new(ExprKind::Binary(BinaryOp::Product, Arc::new(a), Arc::new(b)), ty, span)
    }))
}
