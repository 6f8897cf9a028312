//! Sets that are described alike.

use crate::machine::parts::Part;
use crate::machine::visit::{renamed, same};
use crate::machine::{Expr, LocalId};
use std::collections::BTreeMap;

/// Whether two expressions differ in their places and in the names that they bind at most.
pub(super) fn alike(a: &Expr, b: &Expr) -> bool {
    same(&numbered(a), &numbered(b))
}

/// The expression with the locals that it binds numbered in the order in which they occur, after all others.
fn numbered(e: &Expr) -> Expr {
    const FIRST: u32 = 1 << 31;
    let bound = Part::Expr(e).bound_locals();
    let mut numbers = BTreeMap::new();
    renamed(e, &mut |id| {
        let next = LocalId(FIRST + numbers.len() as u32);
        if bound.contains(&id) { *numbers.entry(id).or_insert(next) } else { id }
    })
}
