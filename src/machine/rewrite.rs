//! Copies of formulas with some leaves replaced.

use super::formula::{Expr, ExprKind, Pred, PredKind};
use crate::clock;
use std::sync::Arc;

/// What a leaf becomes; `None` leaves it as it is.
pub type Replace<'a> = &'a dyn Fn(&ExprKind) -> Option<ExprKind>;

fn shared(e: &Expr, f: Replace<'_>) -> Arc<Expr> {
    Arc::new(expr(e, f))
}

fn list(es: &[Expr], f: Replace<'_>) -> Vec<Expr> {
    es.iter().map(|e| expr(e, f)).collect()
}

fn shared_pred(p: &Pred, f: Replace<'_>) -> Arc<Pred> {
    Arc::new(pred(p, f))
}

pub fn expr(e: &Expr, f: Replace<'_>) -> Expr {
    clock::work(1);
    if let Some(kind) = f(&e.kind) {
        return Expr { kind, ty: e.ty.clone(), span: e.span };
    }
    use ExprKind::*;
    let kind = match &e.kind {
        Unary(op, a) => Unary(*op, shared(a, f)),
        Binary(op, a, b) => Binary(*op, shared(a, f), shared(b, f)),
        SetExtension(es) => SetExtension(list(es, f)),
        Sequence(es) => Sequence(list(es, f)),
        Comprehension(ids, p) => Comprehension(ids.clone(), shared_pred(p, f)),
        Fold(op, ids, p, body) => Fold(*op, ids.clone(), shared_pred(p, f), shared(body, f)),
        BoolOf(p) => BoolOf(shared_pred(p, f)),
        Record(es) => Record(list(es, f)),
        Struct(es) => Struct(list(es, f)),
        Field(a, i) => Field(shared(a, f), *i),
        If(c, a, b) => If(shared_pred(c, f), shared(a, f), shared(b, f)),
        Let(bindings, body) => {
            Let(bindings.iter().map(|(id, e)| (*id, expr(e, f))).collect(), shared(body, f))
        }
        Destruct(t, i, a) => Destruct(*t, *i, shared(a, f)),
        Construct(t, i, argument) => Construct(*t, *i, argument.as_ref().map(|a| shared(a, f))),
        Symbolic(i, es) => Symbolic(*i, list(es, f)),
        Tree(op, es) => Tree(*op, list(es, f)),
        External(x, es) => External(*x, list(es, f)),
        leaf => leaf.clone(),
    };
    Expr { kind, ty: e.ty.clone(), span: e.span }
}

pub fn pred(p: &Pred, f: Replace<'_>) -> Pred {
    clock::work(1);
    use PredKind::*;
    let preds = |ps: &[Pred]| ps.iter().map(|p| pred(p, f)).collect();
    let kind = match &p.kind {
        True => True,
        False => False,
        And(ps) => And(preds(ps)),
        Or(ps) => Or(preds(ps)),
        Not(p) => Not(shared_pred(p, f)),
        Implies(p, q) => Implies(shared_pred(p, f), shared_pred(q, f)),
        Iff(p, q) => Iff(shared_pred(p, f), shared_pred(q, f)),
        Compare(op, a, b) => Compare(*op, expr(a, f), expr(b, f)),
        Forall(ids, p, q) => Forall(ids.clone(), shared_pred(p, f), shared_pred(q, f)),
        Exists(ids, p) => Exists(ids.clone(), shared_pred(p, f)),
        If(c, p, q) => If(shared_pred(c, f), shared_pred(p, f), shared_pred(q, f)),
        Let(bindings, p) => {
            Let(bindings.iter().map(|(id, e)| (*id, expr(e, f))).collect(), shared_pred(p, f))
        }
        Finite(e) => Finite(expr(e, f)),
        Partition(e, es) => Partition(expr(e, f), list(es, f)),
    };
    Pred { kind, span: p.span }
}
