//! What conjuncts on the closure of a relation say of the relation: a relation is within its closure, and so within what
//! that is within.
//!
//! `closure1(r) = {..}` bounds a relation that nothing else does. The conjuncts themselves stay.

use crate::machine::footprint::Footprint;
use crate::machine::{Comparison, Expr, ExprKind, LocalId, Pred, PredKind, UnaryOp};

/// Conjuncts that follow, of relations among these locals.
pub(super) fn of_closures(locals: &[LocalId], conjuncts: &[Pred]) -> Vec<Pred> {
    let mut found = Vec::new();
    let mut say = |made: &Expr, whole: &Expr, p: &Pred| {
        let ExprKind::Unary(UnaryOp::Closure1, r) = &made.kind else { return };
        let is_free =
            || Footprint::of_expr(whole).locals.is_disjoint(&Footprint::of_expr(r).locals);
        if matches!(r.kind, ExprKind::Local(id) if locals.contains(&id)) && is_free() {
            let said = PredKind::Compare(Comparison::Subset, (**r).clone(), whole.clone());
            found.push(Pred::new(said, p.span));
        }
    };
    for p in conjuncts {
        match &p.kind {
            PredKind::Compare(Comparison::Equal, a, b) => {
                say(a, b, p);
                say(b, a, p);
            }
            PredKind::Compare(Comparison::Subset, a, b) => say(a, b, p),
            _ => {}
        }
    }
    found
}
