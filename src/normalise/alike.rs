//! Sets that are described alike.

use crate::machine::visit::{Visitor, bound_locals, same};
use crate::machine::{Expr, ExprKind, LocalId};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Whether two expressions differ in their places and in the names that they bind at most.
pub(super) fn alike(a: &Expr, b: &Expr) -> bool {
    same(&numbered(a), &numbered(b))
}

/// The expression with the locals that it binds numbered in the order in which they occur, after all others.
fn numbered(e: &Expr) -> Expr {
    const FIRST: u32 = 1 << 31;
    let bound = bound_locals(e);
    let numbers = RefCell::new(BTreeMap::new());
    let number = |id: LocalId| {
        let mut numbers = numbers.borrow_mut();
        let next = LocalId(FIRST + numbers.len() as u32);
        if bound.contains(&id) { *numbers.entry(id).or_insert(next) } else { id }
    };
    let mut copy = e.clone();
    let mut visitor = Visitor {
        expr: &mut |e| {
            if let ExprKind::Local(id) = &mut e.kind {
                *id = number(*id);
            }
        },
        binder: Some(&mut |id| *id = number(*id)),
        pred: None,
        subst: None,
    };
    visitor.expr(&mut copy);
    copy
}
