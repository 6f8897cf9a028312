//! Predicates within `bool(..)` that are compared with a truth: `bool(P) = TRUE` says `P`, and a plan can go by it.

use crate::machine::visit::Visitor;
use crate::machine::{Comparison, ExprKind, Machine, Pred, PredKind};

/// Simplifies everywhere in a machine.
pub fn simplify(machine: &mut Machine) {
    visitor(&mut |v| v.machine(machine));
}

/// Simplifies a formula, which `walk` goes through.
pub fn simplify_formula(walk: &mut dyn FnMut(&mut Visitor<'_>)) {
    visitor(walk);
}

fn visitor(walk: &mut dyn FnMut(&mut Visitor<'_>)) {
    let mut visitor =
        Visitor { expr: &mut |_| {}, binder: None, pred: Some(&mut simple), subst: None };
    walk(&mut visitor);
}

fn simple(p: &mut Pred) {
    let PredKind::Compare(op @ (Comparison::Equal | Comparison::NotEqual), a, b) = &mut p.kind
    else {
        return;
    };
    let (said, truth) = match (&mut a.kind, &mut b.kind) {
        (ExprKind::BoolOf(said), ExprKind::Bool(truth))
        | (ExprKind::Bool(truth), ExprKind::BoolOf(said)) => (said, *truth),
        _ => return,
    };
    let said = std::mem::replace(&mut **said, Pred::new(PredKind::True, p.span));
    p.kind = match truth == (*op == Comparison::Equal) {
        true => said.kind,
        false => PredKind::Not(Box::new(said)),
    };
}
