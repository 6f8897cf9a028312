//! Infinite functions and sets that are put together: by `><` and `||`, by `union` of a list, and by `UNION` over
//! infinitely many arguments.
//!
//! A product of lambdas is a lambda, and what a finite set leaves of an infinite one is told by both. `union({A, B})` is
//! `A \/ B`, and `UNION(x).(P|E)` is `{y | #x.(P & y : E)}`: of these it can be asked whether something is a member.

use super::endless::{Values, is_endless, may_be_endless};
use super::names::{Fresh, compare, components, domain_types, local, maplet, tuple};
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, Pred, PredKind, rewrite,
};

fn endless(e: &Expr) -> bool {
    is_endless(e, &Values::new())
}

/// `f >< g` (`direct`) or `f || g` of lambdas, one of which is infinite.
pub(super) fn of_lambdas(f: &Expr, g: &Expr, direct: bool, fresh: Fresh<'_>) -> Option<ExprKind> {
    let ExprKind::Fold(Fold::Lambda, ids, p, body) = &f.kind else { return None };
    let ExprKind::Fold(Fold::Lambda, others, q, other_body) = &g.kind else { return None };
    if !endless(f) && !endless(g) {
        return None;
    }
    let types = domain_types(others, g)?;
    let (ids, argument) = if direct {
        (ids.clone(), tuple(ids, f)?)
    } else {
        let (from, _) = g.ty.relation_sides()?;
        let (id, y) = local("y", g, from.clone(), fresh);
        (ids.iter().copied().chain([id]).collect(), y)
    };
    let values = components(&types, argument);
    let put = |kind: &ExprKind| match kind {
        ExprKind::Local(id) => {
            values.iter().find(|(known, _)| known == id).map(|(_, e)| e.kind.clone())
        }
        _ => None,
    };
    let inside = Pred::and(vec![(**p).clone(), rewrite::pred(q, &put)], p.span);
    let value = maplet(body, &rewrite::expr(other_body, &put));
    Some(ExprKind::Fold(Fold::Lambda, ids, Box::new(inside), Box::new(value)))
}

/// `union({A, B})` and `inter({A, B})` of listed sets, one of which is infinite.
pub(super) fn listed(op: BinaryOp, sets: &Expr) -> Option<ExprKind> {
    let ExprKind::SetExtension(items) = &sets.kind else { return None };
    if !items.iter().any(endless) {
        return None;
    }
    let mut items = items.iter().cloned();
    let first = items.next()?;
    let all = items.fold(first, |a, b| {
        let (ty, span) = (a.ty.clone(), sets.span);
        Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
    });
    Some(all.kind)
}

/// `{x | P} /\ S` of a set that looks infinite and one that does not: `{x | x : S & P}`.
pub(super) fn among(open: &Expr, set: &Expr) -> Option<ExprKind> {
    let ExprKind::Comprehension(ids, p) = &open.kind else { return None };
    let [id] = ids[..] else { return None };
    if !endless(open) || endless(set) {
        return None;
    }
    let x = Expr::new(ExprKind::Local(id), open.ty.element()?.clone(), open.span);
    let inside = Pred::and(vec![compare(Comparison::Member, &x, set), (**p).clone()], p.span);
    Some(ExprKind::Comprehension(vec![id], Box::new(inside)))
}

/// `UNION(x).(P|E)` where nothing but memberships in infinite sets bounds the names.
pub(super) fn union_of(
    ids: &[LocalId],
    (p, body): (&Pred, &Expr),
    union: &Expr,
    fresh: Fresh<'_>,
) -> Option<ExprKind> {
    let is_open = |c: &Pred| match &c.kind {
        PredKind::Compare(Comparison::Member, x, set) => {
            matches!(x.kind, ExprKind::Local(_)) && endless(set)
        }
        _ => false,
    };
    let open = p.kind == PredKind::True || p.conjuncts().iter().all(is_open);
    if !open || !ids.iter().any(|id| may_be_endless(body, *id, p)) {
        return None;
    }
    let (id, y) = local("y", body, union.ty.element()?.clone(), fresh);
    let within = match &body.kind {
        // What the one member is equal to is found backwards.
        ExprKind::SetExtension(items) if items.len() == 1 => {
            compare(Comparison::Equal, &y, &items[0])
        }
        _ => compare(Comparison::Member, &y, body),
    };
    let all = Pred::and(vec![p.clone(), within], p.span);
    let some = Pred::new(PredKind::Exists(ids.to_vec(), Box::new(all)), p.span);
    Some(ExprKind::Comprehension(vec![id], Box::new(some)))
}
