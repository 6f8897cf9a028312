//! What conjuncts on the closure of a relation say of the relation: `closure1(r) /\ id(S) = {}`.
//!
//! The closure of what is not known is no picture that the solver has. What is a part of the closure is within what that is
//! within: so are the relation, and its pairs of steps. The conjuncts themselves stay.

use crate::machine::footprint::Footprint;
use crate::machine::{BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, UnaryOp};

/// Conjuncts that follow, of relations among these locals.
pub(super) fn of_closures(locals: &[LocalId], conjuncts: &[Pred]) -> Vec<Pred> {
    let mut found = Vec::new();
    for p in conjuncts {
        let PredKind::Compare(op, a, b) = &p.kind else { continue };
        match op {
            Comparison::Equal => {
                of_part(a, b, (locals, true), &mut found);
                of_part(b, a, (locals, true), &mut found);
            }
            Comparison::Subset => of_part(a, b, (locals, false), &mut found),
            Comparison::NotMember => {
                if let Some(r) = within_closure(b, locals) {
                    let kind = PredKind::Compare(Comparison::NotMember, a.clone(), r.clone());
                    found.push(Pred::new(kind, p.span));
                }
            }
            _ => {}
        }
    }
    found
}

/// `made <: whole`, or, where that is said, `made = whole`.
fn of_part(made: &Expr, whole: &Expr, (locals, equal): (&[LocalId], bool), found: &mut Vec<Pred>) {
    let mut say = |op, a: Expr, b: &Expr| {
        let span = made.span;
        found.push(Pred::new(PredKind::Compare(op, a, b.clone()), span));
    };
    let binary = |op, a: &Expr, b: &Expr, like: &Expr| {
        let kind = ExprKind::Binary(op, Box::new(a.clone()), Box::new(b.clone()));
        Expr::new(kind, like.ty.clone(), made.span)
    };
    let is_free_of = |e: &Expr, r: &Expr| {
        Footprint::of_expr(e).locals.is_disjoint(&Footprint::of_expr(r).locals)
    };
    if let Some(r) = within_closure(made, locals).filter(|r| is_free_of(whole, r)) {
        return say(Comparison::Subset, r.clone(), whole);
    }
    let ExprKind::Binary(op, a, b) = &made.kind else { return };
    match op {
        BinaryOp::Intersection if whole.kind == ExprKind::Empty => {
            for (closure, other) in [(a, b), (b, a)] {
                if let Some(r) = within_closure(closure, locals) {
                    let twice = binary(BinaryOp::Compose, r, r, r);
                    say(Comparison::Equal, binary(*op, r, other, r), whole);
                    say(Comparison::Equal, binary(*op, &twice, other, r), whole);
                }
            }
        }
        BinaryOp::Image => {
            let Some(r) = within_closure(a, locals).filter(|r| is_free_of(whole, r)) else {
                return;
            };
            say(Comparison::Subset, binary(*op, r, b, whole), whole);
            // One step further leads nowhere else.
            if equal {
                say(Comparison::Subset, binary(*op, r, whole, whole), whole);
            }
        }
        _ => {}
    }
}

/// The relation among these locals whose closure an expression is.
fn within_closure<'e>(e: &'e Expr, locals: &[LocalId]) -> Option<&'e Expr> {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Closure1, r) => match r.kind {
            ExprKind::Local(id) if locals.contains(&id) => Some(r),
            _ => None,
        },
        _ => None,
    }
}
