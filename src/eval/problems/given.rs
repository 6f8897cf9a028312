//! Names of a quantifier that have the value of something which is not known, or of a part of it.

use super::propagate::{Sketcher, sides_of};
use crate::machine::footprint::Footprint;
use crate::machine::{BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind};
use std::sync::Arc;

impl Sketcher<'_, '_> {
    /// Takes out the names that have the value of what is not known, or of a part of it: `v = f(i)`,
    /// `(a, b) = f(i)`. In the order in which they depend on each other.
    pub(super) fn given(
        &self,
        unbound: &mut Vec<LocalId>,
        conjuncts: &mut Vec<Pred>,
    ) -> Vec<(LocalId, Expr)> {
        let mut given: Vec<(LocalId, Expr)> = Vec::new();
        loop {
            let before = given.len();
            for conjunct in std::mem::take(conjuncts) {
                let others = self.give(&conjunct, unbound, &mut given);
                conjuncts.extend(others.unwrap_or(vec![conjunct]));
            }
            if given.len() == before {
                return given;
            }
        }
    }

    /// Takes what one equation gives its value; what it says beside that.
    fn give(
        &self,
        conjunct: &Pred,
        unbound: &mut Vec<LocalId>,
        given: &mut Vec<(LocalId, Expr)>,
    ) -> Option<Vec<Pred>> {
        let PredKind::Compare(Comparison::Equal, a, b) = &conjunct.kind else { return None };
        let sides = [(a, b), (b, a)];
        let given_by = |(x, e): (&Expr, &Expr), unbound: &mut Vec<LocalId>, given: &mut Vec<_>| {
            self.give_by(x, e, unbound, given)
        };
        if let Some(others) = sides.into_iter().find_map(|side| given_by(side, unbound, given)) {
            return Some(others);
        }
        // `f(i) = f(j) + x` gives `x` the value `f(i) - f(j)`.
        for id in unbound.clone() {
            for (x, e) in sides.into_iter().filter(|(x, _)| !matches!(x.kind, ExprKind::Local(_))) {
                let Some(e) = isolated(id, x, e) else { continue };
                let name = Expr::new(ExprKind::Local(id), e.ty.clone(), x.span);
                if let Some(others) = given_by((&name, &e), unbound, given) {
                    return Some(others);
                }
            }
        }
        None
    }

    /// The same of `x = e`, by the names in `x`.
    fn give_by(
        &self,
        x: &Expr,
        e: &Expr,
        unbound: &mut Vec<LocalId>,
        given: &mut Vec<(LocalId, Expr)>,
    ) -> Option<Vec<Pred>> {
        let locals = Footprint::of_expr(e).locals;
        if self.is_closed_expr(e) && given.iter().all(|(id, _)| !locals.contains(id)) {
            return None;
        }
        let (mut binds, mut others) = (Vec::new(), Vec::new());
        equations(x, e.clone(), unbound, &mut binds, &mut others);
        if binds.is_empty() || binds.iter().any(|(id, _)| locals.contains(id)) {
            return None;
        }
        // Before whatever mentions one of them.
        let mentions = |(_, e): &(LocalId, Expr)| {
            let locals = Footprint::of_expr(e).locals;
            binds.iter().any(|(id, _)| locals.contains(id))
        };
        let at = given.iter().position(mentions).unwrap_or(given.len());
        if given[at..].iter().any(|(id, _)| locals.contains(id)) {
            return None;
        }
        unbound.retain(|id| binds.iter().all(|(bound, _)| bound != id));
        given.splice(at..at, binds);
        Some(others)
    }
}

/// The value of a name where a sum or difference in which it stands once is equal to an expression.
pub(super) fn isolated(id: LocalId, sum: &Expr, e: &Expr) -> Option<Expr> {
    let mentions = |e: &Expr| Footprint::of_expr(e).locals.contains(&id);
    let of = |op, a: &Expr, b: &Expr| {
        let kind = ExprKind::Binary(op, Arc::new(a.clone()), Arc::new(b.clone()));
        Expr::new(kind, sum.ty.clone(), sum.span)
    };
    use BinaryOp::{Add, Subtract};
    match &sum.kind {
        ExprKind::Local(own) => (*own == id && !mentions(e)).then(|| e.clone()),
        ExprKind::Binary(Add, a, b) if !mentions(b) => isolated(id, a, &of(Subtract, e, b)),
        ExprKind::Binary(Add, a, b) if !mentions(a) => isolated(id, b, &of(Subtract, e, a)),
        ExprKind::Binary(Subtract, a, b) if !mentions(b) => isolated(id, a, &of(Add, e, b)),
        ExprKind::Binary(Subtract, a, b) if !mentions(a) => isolated(id, b, &of(Subtract, a, e)),
        _ => None,
    }
}

/// `x = e` by the names in `x`, each equal to its part of `e`, and what there is beside names.
fn equations(
    x: &Expr,
    e: Expr,
    unbound: &[LocalId],
    binds: &mut Vec<(LocalId, Expr)>,
    others: &mut Vec<Pred>,
) {
    match &x.kind {
        ExprKind::Local(id) if unbound.contains(id) && binds.iter().all(|(b, _)| b != id) => {
            binds.push((*id, e));
        }
        ExprKind::Binary(BinaryOp::Pair, a, b) => {
            let (left, right) = sides_of(&e);
            equations(a, left, unbound, binds, others);
            equations(b, right, unbound, binds, others);
        }
        _ => {
            let span = x.span.to(e.span);
            let kind = PredKind::Compare(Comparison::Equal, x.clone(), e);
            others.push(Pred::new(kind, span));
        }
    }
}
