//! What an undefined part of a guard means, once more and as it is told: an application of something
//! that its condition still enumerates stands for pairs, so it is false outside of its domain; all
//! else that is undefined is an error, where no part of the guard is false.

use super::value::V;
use super::{Frame, R, Reference, Stop};
use burnside::machine::footprint::Footprint;
use burnside::machine::{BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind};
use std::collections::BTreeSet;

/// A condition with the locals that are enumerated along with it.
pub type Condition = (Pred, Vec<LocalId>);

/// A predicate that must be true, or false.
type Literal<'p> = (&'p Pred, bool);

impl Reference<'_> {
    /// Whether the conditions hold; an error where that is one of the operation.
    pub fn guard(&self, conditions: &[Condition], f: &Frame) -> R<bool> {
        let mut pairless = false;
        let mut fault = None;
        for (condition, open) in conditions {
            let mut literals = Vec::new();
            split(condition, true, &mut literals);
            let open = still_open(&literals, open);
            for (p, wanted) in literals {
                match self.truth(p, f) {
                    Ok(truth) if truth == wanted => {}
                    Ok(_) => return Ok(false),
                    Err(Stop::Fault(_)) if self.lacks_a_pair(p, &open, f)? => pairless = true,
                    Err(stop @ Stop::Fault(_)) => fault = Some(stop),
                    Err(stop) => return Err(stop),
                }
            }
        }
        match fault {
            Some(fault) if !pairless => Err(fault),
            _ => Ok(!pairless),
        }
    }

    fn lacks_a_pair(&self, p: &Pred, open: &BTreeSet<LocalId>, f: &Frame) -> R<bool> {
        let PredKind::Compare(_, a, b) = &p.kind else { return Ok(false) };
        let mut applications = Vec::new();
        applied(a, open, &mut applications);
        applied(b, open, &mut applications);
        for (function, argument) in applications {
            let (function, x) = match (self.eval(function, f), self.eval(argument, f)) {
                (Err(stop @ Stop::Skip(_)), _) | (_, Err(stop @ Stop::Skip(_))) => {
                    return Err(stop);
                }
                (Ok(function), Ok(x)) => (function, x),
                _ => continue,
            };
            let argument = |pair: &V| *pair.sides().0 == x;
            if !function.items().iter().any(argument) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn split<'p>(p: &'p Pred, wanted: bool, out: &mut Vec<Literal<'p>>) {
    match (&p.kind, wanted) {
        (PredKind::And(ps), true) | (PredKind::Or(ps), false) => {
            ps.iter().for_each(|p| split(p, wanted, out));
        }
        (PredKind::Not(p), _) => split(p, !wanted, out),
        (PredKind::Implies(p, q), false) => {
            split(p, true, out);
            split(q, false, out);
        }
        _ => out.push((p, wanted)),
    }
}

/// Without the locals that an equation, or membership in a set of one, gives a known value.
fn still_open(literals: &[Literal<'_>], open: &[LocalId]) -> BTreeSet<LocalId> {
    let mut open: BTreeSet<LocalId> = open.iter().copied().collect();
    loop {
        let mut given = Vec::new();
        let known = |e: &Expr| Footprint::of_expr(e).locals.is_disjoint(&open);
        for (p, wanted) in literals {
            let PredKind::Compare(op, a, b) = &p.kind else { continue };
            match (op, wanted) {
                (Comparison::Equal, true) | (Comparison::NotEqual, false) => {
                    if known(b) {
                        named(a, &mut given);
                    }
                    if known(a) {
                        named(b, &mut given);
                    }
                }
                (Comparison::Member, true) | (Comparison::NotMember, false) => {
                    member(a, b, &known, &mut given);
                }
                _ => {}
            }
        }
        let before = open.len();
        given.iter().for_each(|id| {
            open.remove(id);
        });
        if before == open.len() {
            return open;
        }
    }
}

fn member(x: &Expr, set: &Expr, known: &dyn Fn(&Expr) -> bool, given: &mut Vec<LocalId>) {
    match (&x.kind, &set.kind) {
        (_, ExprKind::SetExtension(items)) if items.len() == 1 && known(&items[0]) => {
            named(x, given);
        }
        (_, ExprKind::Binary(BinaryOp::Intersection, s, t)) => {
            member(x, s, known, given);
            member(x, t, known, given);
        }
        (_, ExprKind::Binary(BinaryOp::Difference, s, _)) => member(x, s, known, given),
        (ExprKind::Binary(BinaryOp::Pair, x, y), ExprKind::Binary(BinaryOp::Product, s, t)) => {
            member(x, s, known, given);
            member(y, t, known, given);
        }
        _ => {}
    }
}

fn named(e: &Expr, out: &mut Vec<LocalId>) {
    match &e.kind {
        ExprKind::Local(id) => out.push(*id),
        ExprKind::Binary(BinaryOp::Pair, a, b) => {
            named(a, out);
            named(b, out);
        }
        _ => {}
    }
}

/// Function and argument of the applications of something open, outside of what binds or decides.
fn applied<'e>(e: &'e Expr, open: &BTreeSet<LocalId>, out: &mut Vec<(&'e Expr, &'e Expr)>) {
    match &e.kind {
        ExprKind::Binary(op, a, b) => {
            if *op == BinaryOp::Apply && !Footprint::of_expr(e).locals.is_disjoint(open) {
                out.push((a, b));
            }
            applied(a, open, out);
            applied(b, open, out);
        }
        ExprKind::Unary(_, a) | ExprKind::Field(a, _) => applied(a, open, out),
        ExprKind::SetExtension(items)
        | ExprKind::Sequence(items)
        | ExprKind::Record(items)
        | ExprKind::Struct(items) => items.iter().for_each(|e| applied(e, open, out)),
        _ => {}
    }
}
