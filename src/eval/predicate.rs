//! Predicates to closures.
//!
//! `P & Q` may be tried in any order without changing its meaning: a false conjunct makes the whole
//! false whatever the others are, and only when all the defined ones hold is an undefined one a
//! fault. The same, turned around, for `or`; and for the quantifiers: a witness makes `#x.(P)` true,
//! and a counterexample `!x.(P => Q)` false, whatever is undefined for other values. What depends on
//! an enumeration that was cut off is unknown, which is treated like undefined, except that it counts
//! before it: the unknown part may be the one that decides.

use super::code::{BoolFn, ValueFn, lift};
use super::compile::{Compiler, Undefined};
use super::env::{Env, Flow, Pending, graver};
use super::stop::Stop;
use crate::clock;
use crate::machine::visit::same;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, UnaryOp,
};
use crate::value::{Shape, Value};

impl Compiler<'_> {
    pub fn pred(&self, p: &Pred) -> BoolFn {
        clock::at(p.span);
        clock::work(1);
        if let Some(truth) = self.remembered_truth(p) {
            return truth;
        }
        match &p.kind {
            PredKind::True => self.always(true),
            PredKind::False => self.always(false),
            PredKind::And(ps) => junction(ps.iter().map(|p| self.pred(p)).collect(), false),
            PredKind::Or(ps) => junction(ps.iter().map(|p| self.pred(p)).collect(), true),
            PredKind::Not(p) => {
                let p = self.pred(p);
                Box::new(move |env| Ok(!p(env)?))
            }
            PredKind::Implies(p, q) => {
                let (p, q) = (self.pred(p), self.pred(q));
                junction(vec![Box::new(move |env| Ok(!p(env)?)), q], true)
            }
            PredKind::Iff(p, q) => {
                let (p, q) = (self.pred(p), self.pred(q));
                Box::new(move |env| Ok(p(env)? == q(env)?))
            }
            PredKind::Compare(op, a, b) => self.compare(*op, a, b),
            PredKind::Forall(locals, left, right) => self.forall(locals, left, right),
            PredKind::Exists(locals, body) => {
                let each = self.solve(locals, body, Undefined::Tell);
                Box::new(move |env| {
                    let mut open = None;
                    let flow = each(env, &mut |env| match &env.pending {
                        None => Ok(Flow::Break(())),
                        Some(pending) => {
                            open = Some(graver(open.take(), pending.clone()));
                            Ok(Flow::Continue(()))
                        }
                    })?;
                    if flow.is_break() { Ok(true) } else { undecided(env, open, false) }
                })
            }
            PredKind::If(c, p, q) => {
                let (c, p, q) = (self.pred(c), self.pred(p), self.pred(q));
                Box::new(move |env| if c(env)? { p(env) } else { q(env) })
            }
            PredKind::Let(bindings, p) => {
                let (bind, p) = (self.bindings(bindings), self.pred(p));
                Box::new(move |env| {
                    bind(env)?;
                    p(env)
                })
            }
            PredKind::Finite(set) => {
                if self.is_endless(set) {
                    self.known(false, set)
                } else if self.is_infinite(set) {
                    let part = self.enumerated(set);
                    Box::new(move |env| part(env)?.1.map_or(Ok(true), Err))
                } else if let ExprKind::Binary(BinaryOp::Interval, a, b) = &set.kind {
                    let (a, b) = (self.value(a), self.value(b));
                    Box::new(move |env| a(env).and(b(env)).map(|_| true))
                } else {
                    let set = self.value(set);
                    Box::new(move |env| set(env).map(|_| true))
                }
            }
            PredKind::Partition(whole, parts) => self.partition(whole, parts),
        }
    }

    fn forall(&self, locals: &[LocalId], left: &Pred, right: &Pred) -> BoolFn {
        let each = self.solve(locals, left, Undefined::Tell);
        let body = self.pred(right);
        let slots = self.slots(locals);
        Box::new(move |env| {
            let mut open = None;
            let flow = each(env, &mut |env| match body(env) {
                Ok(true) => Ok(Flow::Continue(())),
                Ok(false) if env.pending.is_some() => {
                    let pending = env.pending.clone();
                    open = pending.map(|pending| graver(open.take(), pending));
                    Ok(Flow::Continue(()))
                }
                Ok(false) => {
                    if env.explain {
                        let values = slots.iter().map(|s| (s.id(), s.get(env))).collect();
                        env.witness = values;
                    }
                    Ok(Flow::Break(()))
                }
                Err(stop @ (Stop::Fault(_) | Stop::Cut(_))) => {
                    let own = (stop, env.fault.take());
                    let pending = env.pending.clone();
                    open = pending
                        .into_iter()
                        .chain([own])
                        .fold(open.take(), |open, new| Some(graver(open, new)));
                    Ok(Flow::Continue(()))
                }
                Err(stop) => Err(stop),
            })?;
            if flow.is_break() { Ok(false) } else { undecided(env, open, true) }
        })
    }

    fn partition(&self, whole: &Expr, parts: &[Expr]) -> BoolFn {
        let shape = self.shape(&whole.ty);
        let whole = self.value(whole);
        let parts: Vec<_> = parts.iter().map(|p| self.value(p)).collect();
        Box::new(move |env| {
            let whole = whole(env)?;
            let mut union = shape.empty();
            let mut members = 0;
            for part in &parts {
                let part = part(env)?;
                members += shape.card(&part);
                union = shape.union(&union, &part);
            }
            Ok(union == whole && members == shape.card(&whole))
        })
    }

    fn compare(&self, op: Comparison, a: &Expr, b: &Expr) -> BoolFn {
        use Comparison::*;
        match op {
            Equal => self.equal(a, b),
            NotEqual => not(self.equal(a, b)),
            Member => self.member(a, b),
            NotMember => not(self.member(a, b)),
            Subset => self.subset(a, b),
            NotSubset => not(self.subset(a, b)),
            StrictSubset | NotStrictSubset => {
                let strict = junction(vec![self.subset(a, b), not(self.equal(a, b))], false);
                if op == StrictSubset { strict } else { not(strict) }
            }
            Less | LessEqual | Greater | GreaterEqual => self.order(op, a, b),
            LessReal | LessEqualReal | GreaterReal | GreaterEqualReal => {
                let (a, b) = (self.value(a), self.value(b));
                Box::new(move |env| {
                    let (x, y) = (a(env)?, b(env)?);
                    Ok(match op {
                        LessReal => x < y,
                        LessEqualReal => x <= y,
                        GreaterReal => x > y,
                        _ => x >= y,
                    })
                })
            }
        }
    }

    fn order(&self, op: Comparison, a: &Expr, b: &Expr) -> BoolFn {
        use Comparison::*;
        if self.exact {
            let (a, b) = (self.value(a), self.value(b));
            return Box::new(move |env| {
                let (x, y) = (a(env)?, b(env)?);
                Ok(match op {
                    Less => x < y,
                    LessEqual => x <= y,
                    Greater => x > y,
                    _ => x >= y,
                })
            });
        }
        let (a, b) = (self.word(a), self.word(b));
        macro_rules! ordered {
            ($op:tt) => {
                Box::new(move |env: &mut Env| {
                    let x = a(env)? as i64;
                    Ok(x $op b(env)? as i64)
                })
            };
        }
        match op {
            Less => ordered!(<),
            LessEqual => ordered!(<=),
            Greater => ordered!(>),
            _ => ordered!(>=),
        }
    }

    /// Equality of two expressions of one type.
    pub fn equal(&self, a: &Expr, b: &Expr) -> BoolFn {
        let shape = self.shape(&a.ty);
        if self.is_word(&shape) {
            let (a, b) = (self.word(a), self.word(b));
            return Box::new(move |env| Ok(a(env)? == b(env)?));
        }
        if same(a, b) && (self.is_total(a) || is_product(a)) {
            return self.known(true, a);
        }
        if self.may_be_symbolic(a) || self.may_be_symbolic(b) {
            return self.symbolic_equal(a, b);
        }
        match (self.is_infinite(a), self.is_infinite(b)) {
            (false, false)
                if [a, b]
                    .iter()
                    .all(|e| matches!(e.kind, ExprKind::Binary(BinaryOp::Interval, ..))) =>
            {
                junction(vec![self.subset(a, b), self.subset(b, a)], false)
            }
            (false, false) => {
                let (a, b) = (self.value(a), self.value(b));
                Box::new(move |env| Ok(a(env)? == b(env)?))
            }
            (true, true) if same(a, b) => self.known(true, a),
            (true, true) => match (&a.kind, &b.kind) {
                (ExprKind::Basic(x), ExprKind::Basic(y)) => self.always(x == y),
                _ => {
                    self.refuse(a.span.to(b.span), "comparing two infinite sets");
                    self.always(false)
                }
            },
            (true, false) => self.endless_equal(a, b),
            (false, true) => self.endless_equal(b, a),
        }
    }

    /// False, once the expression is known to be defined.
    pub fn then_false(&self, e: &Expr) -> BoolFn {
        let e = self.value(e);
        Box::new(move |env| e(env).map(|_| false))
    }

    /// `a <: b`.
    pub fn subset(&self, a: &Expr, b: &Expr) -> BoolFn {
        let shape = self.shape(&a.ty);
        if self.is_whole_type(b) && !self.is_infinite(a) {
            let a = self.kept(a);
            return Box::new(move |env| a(env).map(|_| true));
        }
        if self.is_word(&shape) && (!self.tests_by_structure(b) || self.is_total(b)) {
            let (a, b) = (self.word(a), self.word(b));
            return Box::new(move |env| {
                let x = a(env)?;
                Ok(x & !b(env)? == 0)
            });
        }
        if self.is_infinite(a) {
            return self.infinite_subset(a, b);
        }
        if self.may_be_symbolic(a) {
            return self.symbolic_subset(a, b);
        }
        if let Some(test) = self.interval_within(a, b) {
            return test;
        }
        if self.tests_by_structure(b) {
            let (a, test) = (self.value(a), self.subset_test(b));
            return Box::new(move |env| {
                let v = a(env)?;
                test(env, &v)
            });
        }
        let (a, b) = (self.value(a), self.value(b));
        Box::new(move |env| {
            let (x, y) = (a(env)?, b(env)?);
            Ok(shape.is_subset(&x, &y))
        })
    }

    /// `a..b <: c..d` and `a..b <: NATURAL` by their bounds.
    fn interval_within(&self, a: &Expr, b: &Expr) -> Option<BoolFn> {
        let ExprKind::Binary(BinaryOp::Interval, low, high) = &a.kind else { return None };
        let number = |n: i64| -> ValueFn { Box::new(move |_| Ok(Value::Int(n))) };
        let (min, max) = (self.instance.min_int, self.instance.max_int);
        let (least, most): (ValueFn, Option<ValueFn>) = match &b.kind {
            ExprKind::Binary(BinaryOp::Interval, c, d) => (self.value(c), Some(self.value(d))),
            ExprKind::Basic(BasicSet::Natural) => (number(0), None),
            ExprKind::Basic(BasicSet::Natural1) => (number(1), None),
            ExprKind::Basic(BasicSet::Int) => (number(min), Some(number(max))),
            ExprKind::Basic(BasicSet::Nat) => (number(0), Some(number(max))),
            ExprKind::Basic(BasicSet::Nat1) => (number(1), Some(number(max))),
            _ => return None,
        };
        let (low, high) = (self.value(low), self.value(high));
        Some(Box::new(move |env| {
            let (low, high, least) = (low(env)?, high(env)?, least(env)?);
            let most = most.as_ref().map(|f| f(env)).transpose()?;
            Ok(low > high || least <= low && most.is_none_or(|most| high <= most))
        }))
    }

    fn infinite_subset(&self, a: &Expr, b: &Expr) -> BoolFn {
        use crate::machine::{BasicSet::*, ExprKind::Basic};
        match (&a.kind, &b.kind) {
            (_, _) if same(a, b) => self.known(true, a),
            (_, _) if self.is_whole_type(b) => self.known(true, a),
            (Basic(Natural1), Basic(Natural)) => self.always(true),
            (Basic(_), Basic(_)) => self.always(false),
            _ if !self.is_infinite(b) => self.endless_subset(a, b),
            _ => {
                self.refuse(a.span.to(b.span), "comparing two infinite sets");
                self.always(false)
            }
        }
    }

    /// `x : set`.
    pub fn member(&self, x: &Expr, set: &Expr) -> BoolFn {
        if self.is_whole_type(set) {
            return self.defined(x);
        }
        if self.may_be_symbolic(x) {
            return self.symbolic_element(x, set);
        }
        let x_shape = self.shape(&x.ty);
        if let Some(fast) = self.member_of_domain(x, set).or_else(|| self.member_of_arrow(x, set)) {
            return fast;
        }
        if !self.tests_by_structure(set) {
            let set_shape = self.shape(&set.ty);
            if self.is_word(&set_shape) {
                let (x, set) = (self.word(x), self.word(set));
                return Box::new(move |env| {
                    let x = x(env)?;
                    Ok(set(env)? >> x & 1 == 1)
                });
            }
            let (x, set) = (self.value(x), self.value(set));
            return Box::new(move |env| {
                let x = x(env)?;
                let set = set(env)?;
                Ok(set_shape.contains(&set, &x))
            });
        }
        if x_shape == Shape::Integer
            && !self.exact
            && let Some(test) = self.integer_range(set)
        {
            let x = self.word(x);
            return Box::new(move |env| {
                let x = x(env)? as i64;
                test(env, x)
            });
        }
        let test = self.member_test(set);
        if self.is_word(&x_shape) {
            let x = self.word(x);
            return Box::new(move |env| {
                let x = x(env)?;
                test(env, &lift(&x_shape, x))
            });
        }
        let x = self.value(x);
        Box::new(move |env| {
            let x = x(env)?;
            test(env, &x)
        })
    }

    /// True, once the expression is known to be defined.
    fn defined(&self, e: &Expr) -> BoolFn {
        use crate::machine::ExprKind::*;
        match e.kind {
            Integer(_) | Variable(_) | Constant(_) | Element(..) | Bool(_) | String(_) => {
                self.known(true, e)
            }
            Local(id) if !self.assigned_locals().contains(&id) => self.always(true),
            _ => {
                let e = self.kept(e);
                Box::new(move |env| e(env).map(|_| true))
            }
        }
    }
}

pub fn not(p: BoolFn) -> BoolFn {
    Box::new(move |env| Ok(!p(env)?))
}

/// A disjunction (`decisive` true) or conjunction (`decisive` false): the first operand that is
/// `decisive` decides; an undefined or unknown one counts only when none does.
pub fn junction(mut parts: Vec<BoolFn>, decisive: bool) -> BoolFn {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    Box::new(move |env| {
        let mut open = None;
        for part in &parts {
            match part(env) {
                Ok(truth) if truth == decisive => return Ok(decisive),
                Ok(_) => {}
                Err(stop @ (Stop::Fault(_) | Stop::Cut(_))) => {
                    let own = (stop, env.fault.take());
                    open = Some(graver(open, own));
                }
                Err(stop) => return Err(stop),
            }
        }
        undecided(env, open, !decisive)
    })
}

/// What remains where nothing decided: there is no truth value if some part has none.
pub(super) fn undecided(env: &mut Env, open: Option<Pending>, rest: bool) -> Result<bool, Stop> {
    match open {
        Some((stop, fault)) => {
            env.fault = fault;
            Err(stop)
        }
        None => Ok(rest),
    }
}

/// Whether an expression is a variable, a constant, or a product or identity of such: it has a value,
/// be it an infinite one.
fn is_product(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Product, a, b) => is_product(a) && is_product(b),
        ExprKind::Unary(UnaryOp::Id, a) => is_product(a),
        ExprKind::Variable(_) | ExprKind::Constant(_) => true,
        _ => false,
    }
}
