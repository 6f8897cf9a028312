//! Applications of constants that the PROPERTIES are solved for.
//!
//! `f : S +-> T & f(a) = b` asks for the functions that have a value at `a`: a candidate that has none
//! there is no solution, and looking for solutions may count on it. So each comparison that applies
//! a partial function whose value is still open is joined by the condition that it can be applied.
//! What is undefined for all candidates stays an error: where nothing solves the PROPERTIES read like
//! this, they are solved as they are written.

use super::compile::Compiler;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type, UnaryOp,
};
use std::collections::BTreeSet;

impl Compiler<'_> {
    /// The PROPERTIES with these conditions; `None` where there are none to add.
    pub(super) fn with_domains(&self, properties: &Pred, constants: &[LocalId]) -> Option<Pred> {
        let mut open = self.still_open(properties, constants);
        for conjunct in properties.conjuncts() {
            if let PredKind::Compare(Comparison::Member, f, set) = &conjunct.kind
                && let (ExprKind::Local(id), ExprKind::Binary(op, ..)) = (&f.kind, &set.kind)
                && is_total(*op)
            {
                open.remove(id);
            }
        }
        let mut changed = false;
        let joined = joined(properties, true, &open, &mut changed);
        changed.then_some(joined)
    }
}

fn is_total(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, TotalFunctions | TotalInjections | TotalSurjections | TotalBijections)
}

/// `positive`: whether the predicate has to hold for the whole to hold.
fn joined(p: &Pred, positive: bool, open: &BTreeSet<LocalId>, changed: &mut bool) -> Pred {
    let mut part = |p: &Pred, positive| Box::new(joined(p, positive, open, changed));
    let kind = match &p.kind {
        PredKind::Compare(_, a, b) => {
            let mut conditions = Vec::new();
            [a, b].into_iter().for_each(|e| conditions_of(e, open, &mut conditions));
            if conditions.is_empty() {
                return p.clone();
            }
            *changed = true;
            if positive {
                conditions.push(p.clone());
                PredKind::And(conditions)
            } else {
                let defined = Pred::and(conditions, p.span);
                PredKind::Implies(Box::new(defined), Box::new(p.clone()))
            }
        }
        PredKind::And(ps) => PredKind::And(ps.iter().map(|p| *part(p, positive)).collect()),
        PredKind::Or(ps) => PredKind::Or(ps.iter().map(|p| *part(p, positive)).collect()),
        PredKind::Not(p) => PredKind::Not(part(p, !positive)),
        PredKind::Implies(p, q) => PredKind::Implies(part(p, !positive), part(q, positive)),
        PredKind::Forall(ids, p, q) => {
            PredKind::Forall(ids.clone(), part(p, !positive), part(q, positive))
        }
        PredKind::Exists(ids, p) => PredKind::Exists(ids.clone(), part(p, positive)),
        _ => return p.clone(),
    };
    Pred::new(kind, p.span)
}

/// `x : dom(f)` for the applications in an expression, inner ones first, outside of everything that binds
/// names or decides.
fn conditions_of(e: &Expr, open: &BTreeSet<LocalId>, out: &mut Vec<Pred>) {
    match &e.kind {
        ExprKind::Binary(op, f, x) => {
            conditions_of(f, open, out);
            conditions_of(x, open, out);
            if let (BinaryOp::Apply, ExprKind::Local(id)) = (op, &f.kind)
                && open.contains(id)
            {
                let domain = ExprKind::Unary(UnaryOp::Dom, f.clone());
                let domain = Expr::new(domain, Type::pow(x.ty.clone()), f.span);
                let inside = PredKind::Compare(Comparison::Member, (**x).clone(), domain);
                out.push(Pred::new(inside, e.span));
            }
        }
        ExprKind::Unary(_, x) | ExprKind::Field(x, _) => conditions_of(x, open, out),
        ExprKind::SetExtension(items) | ExprKind::Sequence(items) | ExprKind::Record(items) => {
            items.iter().for_each(|item| conditions_of(item, open, out));
        }
        _ => {}
    }
}
