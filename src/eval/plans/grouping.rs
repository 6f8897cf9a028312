//! Members of a known set for which an expression has a given value: grouped by that value once, then looked up.
//!
//! In `{x, y | x |-> y : W & x * y = k}` within a loop over `k` the members of `W` are the same each time round.
//! The relation from `x * y` to `x |-> y` is remembered, and its image at `k` is what is asked for, so that the
//! loop costs a search in a sorted list instead of a walk through all of `W`.

use super::offers::Choice;
use super::plan::{Pattern, Planner, Source, Step};
use crate::machine::footprint::Footprint;
use crate::machine::make;
use crate::machine::parts::Part;
use crate::machine::{BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, PredKind, Type};
use std::sync::Arc;

/// Which part of the members are expected to have one value.
const SHARE: f64 = 0.3;

impl Planner<'_, '_, '_> {
    /// `key = e` with `e` bound, where another conjunct takes the names in `key` from a set that never changes.
    pub(super) fn offer_grouped(
        &self,
        i: usize,
        key: &Expr,
        e: &Expr,
        offer: &mut dyn FnMut(Choice),
    ) {
        if matches!(key.kind, ExprKind::Local(_) | ExprKind::Binary(BinaryOp::Pair, ..))
            || self.is_bound(key)
            || !self.is_bound(e)
            || !varies(e)
            || !self.compiler.is_total(key)
            || !self.compiler.is_total(e)
        {
            return;
        }
        let locals = Footprint::of_expr(key).locals;
        let Some(first) = locals.iter().find(|id| self.is_open_local(**id)) else { return };
        let found = self.open_conjuncts(*first).find_map(|(j, p)| match &p.kind {
            PredKind::Compare(Comparison::Member, x, set) if j != i && self.is_groupable(set) => {
                let mut binds = Vec::new();
                let pattern = self.names(x, &mut binds)?;
                locals.iter().all(|id| binds.contains(id)).then_some((j, p, x, set, pattern, binds))
            }
            _ => None,
        });
        let Some((j, member, x, set, pattern, binds)) = found else { return };
        let body = make::pair(key.clone(), x.clone());
        let pair = body.ty.clone();
        let kind =
            ExprKind::Fold(Fold::Image, binds.clone(), Arc::new(member.clone()), Arc::new(body));
        let groups = Expr::new(kind, Type::pow(pair), set.span);
        let wanted = ExprKind::SetExtension(vec![e.clone()]);
        let wanted = Expr::new(wanted, Type::pow(e.ty.clone()), e.span);
        let kind = ExprKind::Binary(BinaryOp::Image, Arc::new(groups), Arc::new(wanted));
        let group = Expr::new(kind, set.ty.clone(), set.span);
        // Where the set is undefined, what is said of its members is still to be asked.
        offer(Choice {
            cost: (SHARE * self.compiler.estimate(set)).max(1.0),
            step: Step::Generate(pattern, Source::Set(group)),
            consumed: if self.compiler.is_total(set) { vec![i, j] } else { vec![j] },
            binds,
        });
    }

    /// A name, or a tuple of names, none of which is bound.
    fn names(&self, e: &Expr, binds: &mut Vec<LocalId>) -> Option<Pattern> {
        match &e.kind {
            ExprKind::Local(id) if self.is_open_local(*id) && !binds.contains(id) => {
                binds.push(*id);
                Some(Pattern::Local(*id))
            }
            ExprKind::Binary(BinaryOp::Pair, a, b) => {
                let (left, right) = (self.names(a, binds)?, self.names(b, binds)?);
                Some(Pattern::Pair(Box::new(left), Box::new(right), e.ty.clone()))
            }
            _ => None,
        }
    }

    /// Whether a set is the same whenever it is asked for, finite, and costs something to walk through.
    fn is_groupable(&self, set: &Expr) -> bool {
        let costs = match &set.kind {
            ExprKind::Comprehension(..) | ExprKind::Fold(..) | ExprKind::Constant(_) => true,
            ExprKind::Binary(op, ..) => {
                use BinaryOp::{Difference, Intersection, Union};
                matches!(op, Union | Intersection | Difference)
            }
            _ => false,
        };
        costs
            && !varies(set)
            && !self.compiler.is_infinite(set)
            && !self.compiler.may_be_symbolic(set)
            && !self.compiler.is_open(set)
            && self.compiler.estimate(set) < super::estimate::LAST_RESORT
    }
}

/// Whether the value of an expression depends on names or on the state.
fn varies(e: &Expr) -> bool {
    let footprint = Footprint::of_expr(e);
    let bound = Part::Expr(e).bound_locals();
    !footprint.variables.is_empty() || footprint.locals.iter().any(|id| !bound.contains(id))
}
