//! Equations of numbers, solved for the one name in them that has no value yet.
//!
//! `x + a = b` gives `x` the value `b - a`; `a * x = b` gives it `b / a`, unless `a` is 0. So a plan that would
//! try all numbers for `x` tries one. The same of the ends of an interval that is equal to a set.

use super::estimate::UNKNOWN;
use super::offers::Choice;
use super::plan::{Asked, Case, Pattern, Plan, Planner, Source, Step};
use crate::machine::footprint::Footprint;
use crate::machine::make;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type, UnaryOp,
};
use num_traits::Zero;
use std::rc::Rc;
use std::sync::Arc;

/// What an equation gives a name.
struct Isolated {
    local: LocalId,
    value: Expr,
    /// What it was divided by.
    divisors: Vec<Expr>,
}

impl Planner<'_, '_, '_> {
    /// `x = e` with `e` bound, where `x` is a sum, difference or product with one name that is not.
    pub(super) fn offer_isolated(
        &self,
        i: usize,
        x: &Expr,
        e: &Expr,
        offer: &mut dyn FnMut(Choice),
    ) {
        if x.ty != Type::Integer || matches!(x.kind, ExprKind::Local(_)) || !self.is_bound(e) {
            return;
        }
        let Some(Isolated { local, value, divisors }) = self.isolate(x, e.clone()) else { return };
        let exact = divisors.is_empty();
        let open: Vec<Pred> = divisors.iter().filter_map(not_zero).collect();
        if open.is_empty() {
            // Without division that is what the equation says.
            let consumed = if exact { vec![i] } else { Vec::new() };
            let step = Step::Bind(Pattern::Local(local), value);
            offer(Choice { cost: 0.0, step, consumed, binds: vec![local] });
        } else {
            offer(self.where_true(Pred::and(open, x.span), local, value));
        }
    }

    /// The bound of a local, and whether it is an upper one, where a sum or difference in which it is the only name
    /// without a value is at most (`upper`), or at least, a bound.
    pub(super) fn isolate_bound(
        &self,
        local: LocalId,
        side: &Expr,
        bound: Expr,
        upper: bool,
    ) -> Option<(Expr, bool)> {
        use BinaryOp::{Add, Subtract};
        let of = |op, a: Expr, b: &Expr| {
            let span = a.span;
            let kind = ExprKind::Binary(op, Arc::new(a), Arc::new(b.clone()));
            Expr::new(kind, Type::Integer, span)
        };
        match &side.kind {
            ExprKind::Local(id) => (*id == local).then_some((bound, upper)),
            ExprKind::Binary(op @ (Add | Subtract), rest, a) if self.is_bound(a) => {
                let other = if *op == Add { Subtract } else { Add };
                self.isolate_bound(local, rest, of(other, bound, a), upper)
            }
            ExprKind::Binary(Add, a, rest) if self.is_bound(a) => {
                self.isolate_bound(local, rest, of(Subtract, bound, a), upper)
            }
            // `a - x <= b`: `x >= a - b`.
            ExprKind::Binary(Subtract, a, rest) if self.is_bound(a) => {
                self.isolate_bound(local, rest, of(Subtract, (**a).clone(), &bound), !upper)
            }
            _ => None,
        }
    }

    /// `a..b = S` with `S` bound: unless that is empty, the ends are its least and its greatest member. The conjunct
    /// stays as a test.
    pub(super) fn offer_ends(&self, x: &Expr, e: &Expr, offer: &mut dyn FnMut(Choice)) {
        let ExprKind::Binary(BinaryOp::Interval, a, b) = &x.kind else { return };
        if !self.is_bound(e) || self.compiler.is_infinite(e) || self.compiler.may_be_symbolic(e) {
            return;
        }
        for (end, op) in [(a, UnaryOp::Min), (b, UnaryOp::Max)] {
            let kind = ExprKind::Unary(op, Arc::new(e.clone()));
            let value = Expr::new(kind, Type::Integer, e.span);
            let Some(Isolated { local, value, divisors }) = self.isolate(end, value) else {
                continue;
            };
            let empty = Expr::new(ExprKind::Empty, e.ty.clone(), e.span);
            let full = PredKind::Compare(Comparison::NotEqual, e.clone(), empty);
            let open = divisors.iter().filter_map(not_zero);
            let all = std::iter::once(Pred::new(full, e.span)).chain(open).collect();
            let condition = Pred::and(all, x.span);
            offer(self.where_true(condition, local, value));
        }
    }

    /// A value that a local has where a condition is true; where it is false, all values are tried.
    fn where_true(&self, condition: Pred, local: LocalId, value: Expr) -> Choice {
        let case = Case { condition, asked: Asked::Value(value), conjunct: None };
        let otherwise = Plan { steps: vec![self.by_type_alone(local).step] };
        let source = Source::Cases(vec![case], Rc::new(otherwise));
        let step = Step::Generate(Pattern::Local(local), source);
        Choice { cost: UNKNOWN, step, consumed: Vec::new(), binds: vec![local] }
    }

    /// A sum or product with one unbound local, as a pattern for numbers.
    pub(super) fn moved(&self, number: &Expr, binds: &mut Vec<LocalId>) -> Option<Pattern> {
        if number.ty != Type::Integer || !self.compiler.is_total(number) {
            return None;
        }
        let mut unbound =
            Footprint::of_expr(number).locals.into_iter().filter(|id| self.is_open_local(*id));
        let (Some(local), None) = (unbound.next(), unbound.next()) else { return None };
        let itself = Expr::new(ExprKind::Local(local), Type::Integer, number.span);
        let Isolated { value: inverse, divisors, .. } = self.isolate(number, itself)?;
        if binds.contains(&local) || divisors.iter().any(|divisor| not_zero(divisor).is_some()) {
            return None;
        }
        binds.push(local);
        Some(Pattern::Moved { local, number: number.clone(), inverse })
    }

    fn isolate(&self, x: &Expr, e: Expr) -> Option<Isolated> {
        let make = |op, a: &Expr, b: &Expr| {
            let kind = ExprKind::Binary(op, Arc::new(a.clone()), Arc::new(b.clone()));
            Expr::new(kind, Type::Integer, x.span.to(e.span))
        };
        use BinaryOp::{Add, Divide, Multiply, Subtract};
        match &x.kind {
            ExprKind::Local(local) if !self.is_bound(x) => {
                Some(Isolated { local: *local, value: e, divisors: Vec::new() })
            }
            ExprKind::Unary(UnaryOp::Negate, a) => {
                let negated = ExprKind::Unary(UnaryOp::Negate, Arc::new(e.clone()));
                self.isolate(a, Expr::new(negated, Type::Integer, e.span))
            }
            ExprKind::Binary(Add, a, b) if self.is_bound(b) => {
                self.isolate(a, make(Subtract, &e, b))
            }
            ExprKind::Binary(Add, a, b) if self.is_bound(a) => {
                self.isolate(b, make(Subtract, &e, a))
            }
            ExprKind::Binary(Subtract, a, b) if self.is_bound(b) => {
                self.isolate(a, make(Add, &e, b))
            }
            ExprKind::Binary(Subtract, a, b) if self.is_bound(a) => {
                self.isolate(b, make(Subtract, a, &e))
            }
            ExprKind::Binary(Multiply, a, b) => {
                let (open, factor) = match (self.is_bound(a), self.is_bound(b)) {
                    (false, true) => (a, b),
                    (true, false) => (b, a),
                    _ => return None,
                };
                let mut found = self.isolate(open, make(Divide, &e, factor))?;
                found.divisors.push((**factor).clone());
                Some(found)
            }
            _ => None,
        }
    }
}

/// That a divisor is not zero, unless it is a number that is not.
fn not_zero(divisor: &Expr) -> Option<Pred> {
    if matches!(&divisor.kind, ExprKind::Integer(n) if !n.is_zero()) {
        return None;
    }
    let zero = make::number(0, divisor.span);
    let kind = PredKind::Compare(Comparison::NotEqual, divisor.clone(), zero);
    Some(Pred::new(kind, divisor.span))
}
