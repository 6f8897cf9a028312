//! Predicates within `bool(..)` that are compared with a truth: `bool(P) = TRUE` says `P`, and a plan can go by it.

use crate::machine::{Comparison, ExprKind, Pred, PredKind};
use std::sync::Arc;

/// Simplifies a predicate, whose parts are simple.
pub fn simple(p: &mut Pred) {
    let PredKind::Compare(op @ (Comparison::Equal | Comparison::NotEqual), a, b) = &mut p.kind
    else {
        return;
    };
    let (said, truth) = match (&mut a.kind, &mut b.kind) {
        (ExprKind::BoolOf(said), ExprKind::Bool(truth))
        | (ExprKind::Bool(truth), ExprKind::BoolOf(said)) => (said, *truth),
        _ => return,
    };
    let said = said.clone();
    p.kind = match truth == (*op == Comparison::Equal) {
        true => Arc::unwrap_or_clone(said).kind,
        false => PredKind::Not(said),
    };
}
