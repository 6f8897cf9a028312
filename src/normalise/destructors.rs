//! Where values of free types are made by their constructors, and taken apart by the inverses of these.

use super::endless::is_whole;
use super::outline::domain;
use crate::machine::visit::Visitor;
use crate::machine::{BinaryOp, Expr, ExprKind, Fold, FreeId, Machine, PredKind, UnaryOp};
use std::sync::Arc;

/// The constructor that an expression is, as a function.
fn as_constructor(e: &Expr) -> Option<(FreeId, u32)> {
    let ExprKind::Fold(Fold::Lambda, _, _, body) = &e.kind else { return None };
    match &body.kind {
        ExprKind::Construct(id, number, Some(_)) => Some((*id, *number)),
        _ => None,
    }
}

/// The same, if it makes a value of everything that is of the type of its argument.
fn as_total_constructor(e: &Expr) -> Option<(FreeId, u32)> {
    let ExprKind::Fold(Fold::Lambda, ids, p, _) = &e.kind else { return None };
    let is_total = p.kind == PredKind::True || domain(ids, p).is_some_and(|all| is_whole(&all));
    as_constructor(e).filter(|_| is_total)
}

/// The constructor whose inverse an expression is.
fn as_destructor(e: &Expr) -> Option<(FreeId, u32)> {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Inverse, c) => as_constructor(c),
        _ => None,
    }
}

/// The values that a constructor makes, taken to be infinitely many until it is known.
fn made_by((of, number): (FreeId, u32)) -> ExprKind {
    ExprKind::Freetype { of, made: Some(number), endless: true }
}

/// `c(x)` makes a value, `c~(x)` takes `x` apart; `ran(c)` and `dom(c~)` are the values that `c` makes.
fn recognise(e: &mut Expr) {
    let new = match &mut e.kind {
        ExprKind::Binary(BinaryOp::Apply, f, x) => {
            let nothing = Expr::new(ExprKind::Empty, x.ty.clone(), x.span);
            let taken = |x: &mut Arc<Expr>| std::mem::replace(x, Arc::new(nothing));
            match (as_destructor(f), as_total_constructor(f)) {
                (Some((id, number)), _) => Some(ExprKind::Destruct(id, number, taken(x))),
                (_, Some((id, number))) => Some(ExprKind::Construct(id, number, Some(taken(x)))),
                _ => None,
            }
        }
        ExprKind::Unary(UnaryOp::Ran, c) => as_constructor(c).map(made_by),
        ExprKind::Unary(UnaryOp::Dom, c) => as_destructor(c).map(made_by),
        _ => None,
    };
    if let Some(kind) = new {
        e.kind = kind;
    }
}

/// Marks where values of free types are taken apart.
pub fn mark(machine: &mut Machine) {
    if !machine.freetypes.is_empty() {
        Visitor::of(&mut recognise).machine(machine);
    }
}

/// The same in one formula, which `walk` goes through.
pub fn mark_in(walk: &mut dyn FnMut(&mut Visitor<'_>)) {
    walk(&mut Visitor::of(&mut recognise));
}
