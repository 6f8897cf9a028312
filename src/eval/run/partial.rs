//! Set-ups for which the PROPERTIES are defined.
//!
//! A candidate for the constants for which something in the PROPERTIES is undefined is an error of the
//! machine. Where the search goes on all the same, it goes on with the others. Most of what is undefined
//! are applications: `f : S +-> T & f(a) = b` is defined for functions that have a value at `a`. So each
//! comparison that applies a partial function whose value is open is joined by the condition that
//! it can be applied, and the solver counts on it.

use crate::eval::compile::{Compiler, Undefined};
use crate::lower::code::EachFn;
use crate::lower::env::{Flow, LeftOut};
use crate::lower::stop::Stop;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type, UnaryOp,
};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Compiler<'_> {
    /// The solutions of the PROPERTIES among the candidates for which they are defined.
    pub(super) fn solve_defined(&self, constants: &[LocalId], properties: &Pred) -> EachFn {
        let joined = self.with_domains(properties, constants);
        let each = self.solve(constants, &joined, Undefined::Tell);
        Box::new(move |env, next| {
            each(env, &mut |env| match env.pending.clone() {
                None => next(env),
                Some((stop, _)) => {
                    if let Stop::Cut(cut) = stop {
                        env.left_out.get_or_insert(LeftOut {
                            cut,
                            hopeless: false,
                            undefined: None,
                        });
                    }
                    Ok(Flow::Continue(()))
                }
            })
        })
    }

    /// The PROPERTIES with the conditions of applications added.
    fn with_domains(&self, properties: &Pred, constants: &[LocalId]) -> Pred {
        let mut open = self.still_open(properties, constants);
        for conjunct in properties.conjuncts() {
            if let PredKind::Compare(Comparison::Member, f, set) = &conjunct.kind
                && let (ExprKind::Local(id), ExprKind::Binary(op, ..)) = (&f.kind, &set.kind)
                && is_total(*op)
            {
                open.remove(id);
            }
        }
        joined(properties, true, &open)
    }
}

fn is_total(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, TotalFunctions | TotalInjections | TotalSurjections | TotalBijections)
}

/// `positive`: whether the predicate has to hold for the whole to hold.
fn joined(p: &Pred, positive: bool, open: &BTreeSet<LocalId>) -> Pred {
    let part = |p: &Pred, positive| Arc::new(joined(p, positive, open));
    let kind = match &p.kind {
        PredKind::Compare(_, a, b) => {
            let mut conditions = Vec::new();
            [a, b].into_iter().for_each(|e| conditions_of(e, open, &mut conditions));
            if conditions.is_empty() {
                return p.clone();
            }
            if positive {
                conditions.push(p.clone());
                PredKind::And(conditions.into())
            } else {
                let defined = Pred::and(conditions, p.span);
                PredKind::Implies(Arc::new(defined), Arc::new(p.clone()))
            }
        }
        PredKind::And(ps) => PredKind::And(ps.iter().map(|p| joined(p, positive, open)).collect()),
        PredKind::Or(ps) => PredKind::Or(ps.iter().map(|p| joined(p, positive, open)).collect()),
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
