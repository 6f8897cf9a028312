//! Sets of functions that a constant is a name for: `MSG = 1..8 --> BIT`.
//!
//! Within a comprehension, a function or a quantifier of the PROPERTIES, `c : MSG` is read as `c : 1..8 --> BIT`: then `c`
//! can be found point by point, by what else is said of it, and not by trying all members of `MSG`. Where the constants are
//! what is asked for, the conjuncts stay as they were written.

use crate::machine::visit::Visitor;
use crate::machine::{BinaryOp, Comparison, ConstId, Expr, ExprKind, Machine, Pred, PredKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What each such constant stands for.
type Named = BTreeMap<ConstId, ExprKind>;

/// Most nodes of what a name is replaced by.
const LONGEST: usize = 16;

pub fn unfold(machine: &mut Machine) {
    let named: Named =
        machine.properties.iter().flat_map(|c| c.pred.conjuncts()).filter_map(told).collect();
    if named.is_empty() {
        return;
    }
    let mut within = |e: &mut Expr| match &mut e.kind {
        ExprKind::Comprehension(_, p) | ExprKind::Fold(_, _, p, _) => {
            members(&named, Arc::make_mut(p))
        }
        _ => {}
    };
    let mut quantified = |p: &mut Pred| match &mut p.kind {
        PredKind::Exists(_, p) | PredKind::Forall(_, p, _) => members(&named, Arc::make_mut(p)),
        _ => {}
    };
    for property in &mut machine.properties {
        let mut visitor = Visitor { pred: Some(&mut quantified), ..Visitor::of(&mut within) };
        visitor.pred(&mut property.pred);
    }
}

/// Replaces the names in the memberships that are conjuncts.
fn members(named: &Named, p: &mut Pred) {
    match &mut p.kind {
        PredKind::And(parts) => {
            Arc::make_mut(parts).iter_mut().for_each(|p| members(named, p));
        }
        PredKind::Compare(Comparison::Member, _, set) => {
            if let ExprKind::Constant(id) = set.kind
                && let Some(kind) = named.get(&id)
            {
                set.kind = kind.clone();
            }
        }
        _ => {}
    }
}

/// A constant, and the set of functions that a conjunct says it is.
fn told(p: &Pred) -> Option<(ConstId, ExprKind)> {
    let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(name, set)| {
        let ExprKind::Constant(id) = name.kind else { return None };
        let ExprKind::Binary(op, ..) = &set.kind else { return None };
        let is_told = op.is_arrow() && size(set, id).is_some_and(|size| size <= LONGEST);
        is_told.then(|| (id, set.kind.clone()))
    })
}

/// The number of nodes, if it is defined whatever the constants are and does not mention this one.
fn size(e: &Expr, but: ConstId) -> Option<usize> {
    match &e.kind {
        ExprKind::Constant(id) => (*id != but).then_some(1),
        ExprKind::Integer(_)
        | ExprKind::Bool(_)
        | ExprKind::Element(..)
        | ExprKind::Carrier(_)
        | ExprKind::Basic(_) => Some(1),
        ExprKind::SetExtension(es) => es.iter().try_fold(1, |sum, e| Some(sum + size(e, but)?)),
        ExprKind::Binary(op, a, b) => {
            use BinaryOp::{Add, Interval, Product, Subtract};
            let is_total = op.is_arrow() || matches!(op, Add | Subtract | Interval | Product);
            is_total.then_some(())?;
            Some(1 + size(a, but)? + size(b, but)?)
        }
        _ => None,
    }
}
