//! Values taken from one side of pairs: `f(x) = e`, `x |-> x + 1 : r`.

use super::estimate::{LAST_RESORT, UNBOUNDED};
use super::offers::Choice;
use super::plan::{Pattern, Planner, Source, Step};
use crate::eval::compile::Undefined;
use crate::machine::visit::same;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type, UnaryOp,
};
use crate::state::WdGuards;
use std::sync::Arc;

/// Whether a predicate is `x : dom(f)`.
pub(in crate::eval) fn is_in_domain(p: &Pred, f: &Expr, x: &Expr) -> bool {
    let PredKind::Compare(Comparison::Member, y, set) = &p.kind else { return false };
    matches!(&set.kind, ExprKind::Unary(UnaryOp::Dom, of) if same(of, f)) && same(x, y)
}

impl Planner<'_, '_, '_> {
    /// `-x |-> x = e`: not all of the tuple is a pattern, but some side of it is a local, which is that
    /// side of the value. The conjunct stays as a test.
    pub(super) fn side(&self, tuple: &Expr, e: &Expr) -> Option<(LocalId, Expr)> {
        let ExprKind::Binary(BinaryOp::Pair, a, b) = &tuple.kind else { return None };
        [(a, UnaryOp::First), (b, UnaryOp::Second)].into_iter().find_map(|(part, op)| {
            let kind = ExprKind::Unary(op, Arc::new(e.clone()));
            let side = Expr::new(kind, part.ty.clone(), e.span);
            match part.kind {
                ExprKind::Local(id) if !self.is_bound(part) => Some((id, side)),
                _ => self.side(part, &side),
            }
        })
    }

    /// `x |-> x + 1 : r` with `r` bound: not all of the tuple is a pattern, but some side of it is, and comes from that
    /// side of the pairs. The conjunct stays as a test.
    pub(super) fn offer_sides(&self, tuple: &Expr, set: &Expr, offer: &mut dyn FnMut(Choice)) {
        let ExprKind::Binary(BinaryOp::Pair, a, b) = &tuple.kind else { return };
        if self.compiler.is_infinite(set) || self.compiler.may_be_symbolic(set) {
            return;
        }
        for (part, op) in [(a, UnaryOp::Dom), (b, UnaryOp::Ran)] {
            let kind = ExprKind::Unary(op, Arc::new(set.clone()));
            let side = Expr::new(kind, Type::pow(part.ty.clone()), set.span);
            let mut binds = Vec::new();
            let Some(pattern) = self.pattern(part, &mut binds) else {
                self.offer_sides(part, &side, offer);
                continue;
            };
            let cost = self.compiler.estimate(set);
            if !binds.is_empty() && cost < UNBOUNDED {
                let step = Step::Generate(pattern, Source::Set(side));
                offer(Choice { cost, step, consumed: Vec::new(), binds });
            }
        }
    }

    /// `x |-> x : closure1(r)`: `x` comes from the domain of `r`, and the closure is not made. The conjunct stays as a test.
    pub(super) fn offer_loops(&self, tuple: &Expr, set: &Expr, offer: &mut dyn FnMut(Choice)) {
        let ExprKind::Binary(BinaryOp::Pair, a, b) = &tuple.kind else { return };
        let ExprKind::Unary(UnaryOp::Closure1, r) = &set.kind else { return };
        if !same(a, b) || self.compiler.is_infinite(r) || self.compiler.may_be_symbolic(r) {
            return;
        }
        let mut binds = Vec::new();
        let Some(pattern) = self.pattern(a, &mut binds).filter(|_| !binds.is_empty()) else {
            return;
        };
        let kind = ExprKind::Unary(UnaryOp::Dom, r.clone());
        let domain = Expr::new(kind, Type::pow(a.ty.clone()), r.span);
        offer(Choice {
            cost: self.compiler.estimate(r),
            step: Step::Generate(pattern, Source::Set(domain)),
            consumed: Vec::new(),
            binds,
        });
    }

    /// `f(x) = e` with `f` bound: `x` comes from the pairs of `f`. The conjunct stays as a test,
    /// since `f` need not be functional.
    pub(super) fn offer_application(&self, x: &Expr, e: &Expr, offer: &mut dyn FnMut(Choice)) {
        let ExprKind::Binary(BinaryOp::Apply, f, argument) = &x.kind else { return };
        if !self.is_bound(f)
            || self.compiler.is_infinite(f)
            || self.compiler.may_be_symbolic(f)
            || matches!(f.kind, ExprKind::Fold(..))
        {
            return;
        }
        let mut binds = Vec::new();
        let (Some(left), Some(right)) =
            (self.pattern(argument, &mut binds), self.pattern(e, &mut binds))
        else {
            return;
        };
        if binds.is_empty() {
            return;
        }
        let Some(pair) = f.ty.element() else { return };
        let pattern = Pattern::Pair(Box::new(left), Box::new(right), pair.clone());
        // Those outside of the domain are none by another conjunct.
        let is_inside = self.conjuncts.iter().any(|c| is_in_domain(c.pred, f, argument));
        let mut cost = match is_inside {
            true => self.estimate_beginning(&pattern, f),
            false => self.compiler.estimate(f),
        };
        let passes = is_inside
            || self.undefined == Undefined::Guard
                && self.compiler.instance.wd_guards == WdGuards::Error
                && self.compiler.pairs.borrow().contains(&x.span);
        if !passes {
            // Outside the domain of `f` the conjunct is undefined, not false: these candidates may
            // only be passed over where there is no other way to find any.
            cost = cost.max(LAST_RESORT);
        }
        offer(Choice {
            cost,
            step: Step::Generate(pattern, Source::Set((**f).clone())),
            consumed: Vec::new(),
            binds,
        });
    }

    /// `f(x) > e` with `f` bound: `x` comes from the domain of `f`, where there is no other way to find any. The conjunct
    /// stays as a test.
    pub(super) fn offer_domains(&self, e: &Expr, offer: &mut dyn FnMut(Choice)) {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Apply, f, argument) if self.is_bound(f) => {
                if self.compiler.is_infinite(f)
                    || self.compiler.may_be_symbolic(f)
                    || matches!(f.kind, ExprKind::Fold(..))
                {
                    return;
                }
                let mut binds = Vec::new();
                let pattern = self.pattern(argument, &mut binds);
                let (Some(pattern), false) = (pattern, binds.is_empty()) else {
                    return self.offer_domains(argument, offer);
                };
                let kind = ExprKind::Unary(UnaryOp::Dom, f.clone());
                let domain = Expr::new(kind, Type::pow(argument.ty.clone()), f.span);
                offer(Choice {
                    cost: self.compiler.estimate(f).max(LAST_RESORT),
                    step: Step::Generate(pattern, Source::Set(domain)),
                    consumed: Vec::new(),
                    binds,
                });
            }
            ExprKind::Binary(_, a, b) => {
                self.offer_domains(a, offer);
                self.offer_domains(b, offer);
            }
            ExprKind::Unary(_, of) => self.offer_domains(of, offer),
            _ => {}
        }
    }
}
