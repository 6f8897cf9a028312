//! Whether an infinite set is in or within another one, as far as simple reasoning about their forms goes.

use super::cases;
use super::endless::{Values, is_endless, is_whole, literal};
use super::outline::domain;
use super::results::{lower_bound, results};
use crate::machine::footprint::Footprint;
use crate::machine::visit::same;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, Fold, Freetype, LocalId, Named, Pred, PredKind,
    UnaryOp,
};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// What is known where it is asked whether a set is in another one.
#[derive(Clone, Copy, Default)]
pub struct Given<'m> {
    /// The name whose value the set is, where that mentions it. Then it is enough that each value is in the
    /// other set if those are that it is made of.
    pub itself: Option<Named>,
    pub freetypes: &'m [Freetype],
}

/// Whether an infinite set is in (`Member`) or within (`Subset`) another set, as far as simple
/// reasoning goes.
pub fn decide(op: Comparison, value: &Expr, set: &Expr, given: Given<'_>) -> Option<bool> {
    match op {
        Comparison::Member => member(value, set, given),
        Comparison::Subset => subset(value, set),
        _ => None,
    }
}

pub(super) fn subset(a: &Expr, b: &Expr) -> Option<bool> {
    use BasicSet::*;
    if is_whole(b) || same(a, b) {
        return Some(true);
    }
    match (&a.kind, &b.kind) {
        (ExprKind::Basic(Natural1), ExprKind::Basic(Natural)) => Some(true),
        (ExprKind::Unary(op, a), ExprKind::Unary(other, b)) if is_within(*op, *other) => {
            subset(a, b)
        }
        (ExprKind::Binary(BinaryOp::Interval, low, _), ExprKind::Basic(Natural | Natural1)) => {
            let least = BigInt::from(u8::from(b.kind == ExprKind::Basic(Natural1)));
            literal(low).filter(|n| *n >= least).map(|_| true)
        }
        (ExprKind::Binary(BinaryOp::Product, a, b), ExprKind::Binary(BinaryOp::Product, c, d)) => {
            subset(a, c).and(subset(b, d))
        }
        (ExprKind::Comprehension(ids, p), _) => {
            let [id] = ids[..] else { return None };
            let member = Expr::new(ExprKind::Local(id), a.ty.element()?.clone(), a.span);
            results(p, &member, b, None).then_some(true)
        }
        (ExprKind::Fold(Fold::Lambda, ids, p, body), ExprKind::Binary(BinaryOp::Product, c, d)) => {
            let [id] = ids[..] else { return None };
            let arguments = is_whole(c) || subset(&from(id, p)?, c)?;
            (arguments && results(p, body, d, None)).then_some(true)
        }
        _ => None,
    }
}

/// Whether all that the first makes of a set is among what the second makes of a larger one.
fn is_within(op: UnaryOp, other: UnaryOp) -> bool {
    use UnaryOp::*;
    match other {
        Pow => matches!(op, Pow | Pow1 | Fin | Fin1),
        Pow1 => matches!(op, Pow1 | Fin1),
        Fin => matches!(op, Fin | Fin1),
        Seq => matches!(op, Seq | Seq1 | Iseq | Iseq1),
        Seq1 => matches!(op, Seq1 | Iseq1),
        Iseq => matches!(op, Iseq | Iseq1),
        Fin1 | Iseq1 => op == other,
        _ => false,
    }
}

/// The set that a predicate takes a local from.
pub(super) fn from(id: LocalId, p: &Pred) -> Option<Expr> {
    p.conjuncts().iter().find_map(|c| match &c.kind {
        PredKind::Compare(Comparison::Member, x, set) if x.kind == ExprKind::Local(id) => {
            Some(set.clone())
        }
        _ => None,
    })
}

fn member(value: &Expr, set: &Expr, given: Given<'_>) -> Option<bool> {
    if is_whole(set) {
        return Some(true);
    }
    match (&value.kind, &set.kind) {
        (_, ExprKind::Unary(UnaryOp::Pow, of)) => subset(value, of),
        (ExprKind::Basic(_), ExprKind::Unary(UnaryOp::Fin | UnaryOp::Fin1, _)) => {
            is_endless(value, &Values::new()).then_some(false)
        }
        (ExprKind::Fold(Fold::Lambda, ids, p, body), ExprKind::Binary(op, a, b)) => {
            use BinaryOp::*;
            match op {
                PartialFunctions | TotalFunctions | Relations => {}
                PartialInjections | TotalInjections if is_injective(ids, p, body) => {}
                _ => return None,
            }
            let total = matches!(op, TotalFunctions | TotalInjections);
            let arguments = match domain(ids, p) {
                // All that there are of the type.
                _ if p.kind == PredKind::True => is_whole(a),
                Some(all) => same(&all, a) || !total && subset(&all, a)?,
                None => {
                    let [id] = ids[..] else { return None };
                    !total && subset(&from(id, p)?, a)?
                }
            };
            (arguments && results(p, body, b, given.itself)).then_some(true)
        }
        (ExprKind::Binary(BinaryOp::Union, ..), ExprKind::Binary(op, a, b)) => {
            cases::member(value, *op, a, b, given)
        }
        (ExprKind::Binary(BinaryOp::Override, f, pairs), ExprKind::Binary(_, a, b)) => {
            (member(f, set, given)? && cases::are_pairs_of(pairs, a, b)).then_some(true)
        }
        // The same value everywhere.
        (ExprKind::Binary(BinaryOp::Product, all, one), ExprKind::Binary(op, a, b)) => {
            use BinaryOp::{PartialFunctions, Relations, TotalFunctions};
            let ExprKind::SetExtension(values) = &one.kind else { return None };
            let everywhere = same(all, a) || is_whole(all) && is_whole(a);
            let arguments = match op {
                TotalFunctions => everywhere,
                PartialFunctions | Relations => everywhere || subset(all, a)?,
                _ => return None,
            };
            let truth = Pred::new(PredKind::True, one.span);
            let inside = values.iter().all(|value| results(&truth, value, b, given.itself));
            (arguments && inside && (values.len() == 1 || *op == Relations)).then_some(true)
        }
        _ => None,
    }
}

/// Whether a lambda gives no value twice, by the form of its body.
fn is_injective(ids: &[LocalId], p: &Pred, body: &Expr) -> bool {
    let [id] = ids[..] else { return false };
    let mentions = |e: &Expr| Footprint::of_expr(e).locals.contains(&id);
    let one_each = |e: &Expr| is_injective(ids, p, e);
    let not_negative = |e: &Expr| lower_bound(e, p, None).is_some_and(|n| !n.is_negative());
    match &body.kind {
        ExprKind::Local(local) => *local == id,
        ExprKind::Unary(UnaryOp::Negate, e) => one_each(e),
        ExprKind::Binary(op, a, b) => match op {
            BinaryOp::Add | BinaryOp::Subtract => {
                one_each(a) && !mentions(b) || !mentions(a) && one_each(b)
            }
            BinaryOp::Multiply if same(a, b) => not_negative(a) && one_each(a),
            BinaryOp::Multiply => [(a, b), (b, a)]
                .iter()
                .any(|(factor, e)| literal(factor).is_some_and(|n| !n.is_zero()) && one_each(e)),
            BinaryOp::Power => {
                literal(b).is_some_and(|n| n.is_positive()) && not_negative(a) && one_each(a)
            }
            BinaryOp::Pair => one_each(a) || one_each(b),
            _ => false,
        },
        _ => false,
    }
}
