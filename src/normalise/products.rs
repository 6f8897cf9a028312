//! Infinite functions and sets that are put together: by `><` and `||`, by `union` of a list, and by `UNION` over
//! infinitely many arguments.
//!
//! A product of lambdas is a lambda, and what a finite set leaves of an infinite one is told by both. `union({A, B})` is
//! `A \/ B`, `UNION(x).(P|E)` is `{y | #x.(P & y : E)}`, and `{x . P | E}` is `{y | #x.(P & y = E)}`: of these it can be
//! asked whether something is a member.

use super::endless::{Values, is_endless, may_be_endless};
use super::names::{Fresh, compare, components, domain_types, local, maplet, tuple};
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, Pred, PredKind, Type, rewrite,
};
use crate::source::Span;
use std::sync::Arc;

/// The members of a set that is told by what gives them have no name in the text.
const MEMBER: &str = "a member of this set";

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
    Some(ExprKind::Fold(Fold::Lambda, ids, Arc::new(inside), Arc::new(value)))
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
        Expr::new(ExprKind::Binary(op, Arc::new(a), Arc::new(b)), ty, span)
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
    Some(ExprKind::Comprehension(vec![id], Arc::new(inside)))
}

/// `UNION(x).(P|E)` where nothing but memberships in infinite sets bounds the names, or nothing at all is seen to do so.
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
    let of = union.ty.element()?;
    let is_asked = match open {
        true => ids.iter().any(|id| may_be_endless(body, *id, p)),
        false => {
            let image = ExprKind::Fold(
                Fold::Image,
                ids.to_vec(),
                Arc::new(p.clone()),
                Arc::new(body.clone()),
            );
            !of.holds_infinite_sets()
                && endless(&Expr::new(image, Type::pow(union.ty.clone()), union.span))
        }
    };
    if !is_asked {
        return None;
    }
    let (id, y) = local(MEMBER, body, of.clone(), fresh);
    let within = match &body.kind {
        // What the one member is equal to is found backwards.
        ExprKind::SetExtension(items) if items.len() == 1 => {
            compare(Comparison::Equal, &y, &items[0])
        }
        _ => compare(Comparison::Member, &y, body),
    };
    Some(those_for_some(vec![id], ids, vec![p.clone(), within], p.span))
}

/// `{x . P | E}` where nothing bounds the names: `%x.(P|F)` where `E` is `x |-> F`, or else what is equal to `E` for some
/// `x`. What a set is equal to tells less of names than they tell of it: where the members are such, these are found from
/// the names.
pub(super) fn image_of(
    ids: &[LocalId],
    (p, body): (&Pred, &Expr),
    image: &Expr,
    fresh: Fresh<'_>,
) -> Option<ExprKind> {
    if !endless(image) {
        return None;
    }
    match &body.kind {
        ExprKind::Binary(BinaryOp::Pair, x, value) if is_tuple(ids, x) => {
            let p = Arc::new(p.clone());
            Some(ExprKind::Fold(Fold::Lambda, ids.to_vec(), p, value.clone()))
        }
        _ if body.ty.holds_infinite_sets() => None,
        _ => Some(values_of(ids, (p, body), fresh)),
    }
}

/// `{y | #x.(P & y = E)}`, of pairs by the names of both sides.
pub(super) fn values_of(ids: &[LocalId], (p, body): (&Pred, &Expr), fresh: Fresh<'_>) -> ExprKind {
    let sides = match &body.kind {
        ExprKind::Binary(BinaryOp::Pair, x, y) => vec![&**x, &**y],
        _ => vec![body],
    };
    let (mut names, mut parts) = (Vec::new(), vec![p.clone()]);
    for side in sides {
        let (id, y) = local(MEMBER, side, side.ty.clone(), fresh);
        names.push(id);
        parts.push(compare(Comparison::Equal, &y, side));
    }
    those_for_some(names, ids, parts, p.span)
}

/// `{names | #ids.(parts)}`
fn those_for_some(names: Vec<LocalId>, ids: &[LocalId], parts: Vec<Pred>, span: Span) -> ExprKind {
    let some = PredKind::Exists(ids.to_vec(), Arc::new(Pred::and(parts, span)));
    ExprKind::Comprehension(names, Arc::new(Pred::new(some, span)))
}

/// Whether an expression is the tuple of these names, in this order.
fn is_tuple(ids: &[LocalId], e: &Expr) -> bool {
    match (ids, &e.kind) {
        ([id], ExprKind::Local(x)) => x == id,
        ([first @ .., last], ExprKind::Binary(BinaryOp::Pair, a, b)) if !first.is_empty() => {
            is_tuple(first, a) && is_tuple(&[*last], b)
        }
        _ => false,
    }
}
