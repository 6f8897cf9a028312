//! Sets of integers: between which numbers their members lie.

use super::{is, mentions};
use crate::machine::footprint::Footprint;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, Pred, PredKind, Type, UnaryOp,
};
use std::sync::Arc;

/// What conjuncts say of the least and of the greatest member of a set of integers, as an interval. None of natural numbers is
/// below 0, and none above their sum.
pub(super) fn extent(local: LocalId, conjuncts: &[Pred]) -> Option<Expr> {
    use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual};
    // Of several bounds, one that depends on nothing else.
    let side = |is_side: &dyn Fn(&Expr) -> bool, beyond: [Comparison; 2]| {
        let bounds = conjuncts.iter().filter_map(|p| {
            let PredKind::Compare(op, a, b) = &p.kind else { return None };
            let bound = match op {
                Equal if is_side(b) => a,
                op if is_side(a) && (*op == Equal || beyond.contains(op)) => b,
                _ => return None,
            };
            (!mentions(local, bound)).then_some(bound)
        });
        bounds.min_by_key(|bound| Footprint::of_expr(bound).locals.len()).cloned()
    };
    let least = naturals(local, conjuncts);
    let of = |op: UnaryOp| move |e: &Expr| matches!(&e.kind, ExprKind::Unary(own, s) if *own == op && is(local, s));
    let low = side(&of(UnaryOp::Min), [Greater, GreaterEqual]);
    let high = side(&of(UnaryOp::Max), [Less, LessEqual]).or_else(|| {
        let all = |e: &Expr| is_total(e, local, least == Some(1));
        least.and_then(|_| side(&all, [Less, LessEqual]))
    })?;
    let low = low
        .or_else(|| Some(Expr::new(ExprKind::Integer(least?.into()), Type::Integer, high.span)))?;
    let (ty, span) = (Type::pow(Type::Integer), low.span);
    let kind = ExprKind::Binary(BinaryOp::Interval, Arc::new(low), Arc::new(high));
    Some(Expr::new(kind, ty, span))
}

/// The least number there may be in a set of natural ones.
fn naturals(local: LocalId, conjuncts: &[Pred]) -> Option<i64> {
    let basic = conjuncts.iter().find_map(|p| natural_part(local, p))?;
    match basic.kind {
        ExprKind::Basic(BasicSet::Natural) => Some(0),
        _ => Some(1),
    }
}

/// `NATURAL` or `NATURAL1`, where a conjunct says that a local is a part of it.
fn natural_part(local: LocalId, p: &Pred) -> Option<&Expr> {
    let PredKind::Compare(op, s, set) = &p.kind else { return None };
    let whole = match (op, &set.kind) {
        (Comparison::Subset | Comparison::StrictSubset, _) => set,
        (
            Comparison::Member,
            ExprKind::Unary(UnaryOp::Pow | UnaryOp::Pow1 | UnaryOp::Fin | UnaryOp::Fin1, of),
        ) => of,
        _ => return None,
    };
    let is_natural = matches!(whole.kind, ExprKind::Basic(BasicSet::Natural | BasicSet::Natural1));
    (is(local, s) && is_natural).then_some(whole)
}

/// Whether this is the sum of all members of the set, or, with `products`, what they give when they are multiplied.
fn is_total(e: &Expr, local: LocalId, products: bool) -> bool {
    let ExprKind::Fold(fold, ids, inside, body) = &e.kind else { return false };
    let [x] = ids[..] else { return false };
    let is_member = match &inside.kind {
        PredKind::Compare(Comparison::Member, y, set) => is(x, y) && is(local, set),
        _ => false,
    };
    is_member && is(x, body) && (*fold == Fold::Sigma || products && *fold == Fold::Pi)
}
