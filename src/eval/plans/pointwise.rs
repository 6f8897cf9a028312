//! Functions that equations tell point by point: `f(0) = 1 & !x.(x : 1..n => f(x) = x * f(x - 1))`.
//!
//! The points are computed one from the other, whatever their values are: numbers of any size, sequences,
//! strings. Where all of them are told there is no other function to try; where some are not, the plan goes
//! on without.

use super::estimate::UNKNOWN;
use super::offers::Choice;
use super::plan::{Asked, Case, Pattern, Plan, Planner, Source, Step};
use crate::eval::compile::{Compiler, Undefined};
use crate::lower::code::{EachFn, Slot, ValueFn};
use crate::lower::env::{Env, Flow};
use crate::lower::stop::Stop;
use crate::machine::footprint::Footprint;
use crate::machine::visit::same;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, Pred, PredKind, UnaryOp,
};
use crate::value::relation::Arrow;
use crate::value::{Shape, Value};
use num_bigint::BigInt;
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::sync::Arc;

/// The equations of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Points {
    pub local: LocalId,
    /// Where it is defined.
    pub domain: Expr,
    pub rules: Vec<Rule>,
}

/// Where the condition is true of these names, the function has this value at this point.
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    pub names: Vec<LocalId>,
    pub condition: Pred,
    pub at: Expr,
    pub value: Expr,
}

impl Planner<'_, '_, '_> {
    /// `f : A --> B`, with equations that lead from one point of `f` to others and nothing that relates it to
    /// names without values.
    pub(super) fn offer_points(&self, f: &Expr, set: &Expr, offer: &mut dyn FnMut(Choice)) {
        let (ExprKind::Local(local), ExprKind::Binary(op, domain, _)) = (&f.kind, &set.kind) else {
            return;
        };
        let total = Arrow::from_op(*op).is_some_and(|arrow| arrow.functional && arrow.total);
        if !total
            || self.is_bound(f)
            || self.compiler.is_infinite(domain)
            || self.compiler.may_be_symbolic(domain)
        {
            return;
        }
        let mut rules = Vec::new();
        for (_, p) in self.open_conjuncts(*local) {
            if self.waits_for(p, *local) {
                self.add_rules(*local, &[], &Pred::new(PredKind::True, p.span), p, &mut rules);
            } else if !self.gives_another(p) {
                return;
            }
        }
        let leads = |rule: &Rule| Footprint::of_expr(&rule.value).locals.contains(local);
        // Words are for the solver, where no point is told by another one.
        let results = self.compiler.slot(*local).shape.element().sides().1;
        let of_words = results.is_finite() || results == Shape::Integer;
        if of_words && !rules.iter().any(leads) || rules.iter().all(leads) {
            return;
        }
        let points = Points { local: *local, domain: (**domain).clone(), rules };
        let alone: Vec<Pred> = self.only(*local).cloned().collect();
        let steps = vec![Step::Generate(Pattern::Local(*local), Source::Set(set.clone()))];
        let otherwise =
            self.compiler.with_solver(&[*local], &alone, self.undefined, Plan { steps });
        let condition = Pred::new(PredKind::True, set.span);
        let case = Case { condition, asked: Asked::Points(points), conjunct: None };
        let step =
            Step::Generate(Pattern::Local(*local), Source::Cases(vec![case], Rc::new(otherwise)));
        offer(Choice { cost: UNKNOWN, step, consumed: Vec::new(), binds: vec![*local] });
    }

    /// Whether a predicate is an equation that gives a name its value.
    fn gives_another(&self, p: &Pred) -> bool {
        let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { return false };
        [a, b].into_iter().any(|e| matches!(e.kind, ExprKind::Local(_)) && !self.is_bound(e))
    }

    fn add_rules(
        &self,
        local: LocalId,
        names: &[LocalId],
        condition: &Pred,
        p: &Pred,
        out: &mut Vec<Rule>,
    ) {
        match &p.kind {
            PredKind::And(parts) => {
                for p in parts.iter() {
                    self.add_rules(local, names, condition, p, out);
                    if let Some((at, value)) = self.told_in_turn(local, p, parts) {
                        let (names, condition) = (names.to_vec(), condition.clone());
                        out.push(Rule { names, condition, at, value });
                    }
                }
            }
            PredKind::Forall(ids, inside, said)
                if names.is_empty()
                    && self.is_bound_pred(inside)
                    && !self
                        .compiler
                        .plan(ids, inside, Undefined::Tell)
                        .is_unbounded(self.compiler) =>
            {
                self.add_rules(local, ids, inside, said, out);
            }
            PredKind::Compare(Comparison::Equal, a, b)
                if self.compiler.is_applied_only(p, local) =>
            {
                for (x, value) in [(a, b), (b, a)] {
                    if let ExprKind::Binary(BinaryOp::Apply, f, at) = &x.kind
                        && f.kind == ExprKind::Local(local)
                        && self.is_bound(at)
                    {
                        out.push(Rule {
                            names: names.to_vec(),
                            condition: condition.clone(),
                            at: (**at).clone(),
                            value: value.clone(),
                        });
                    }
                }
            }
            _ => {}
        }
    }
}

impl Planner<'_, '_, '_> {
    /// `!j.(j : D => f(x)(j) = e)` beside `dom(f(x)) = D`, or `size(f(x)) = k` with `1..k` for `D`: `f(x)` is the
    /// function that has `e` at each `j`.
    fn told_in_turn(&self, local: LocalId, p: &Pred, beside: &[Pred]) -> Option<(Expr, Expr)> {
        let PredKind::Forall(ids, inside, said) = &p.kind else { return None };
        let ([id], PredKind::Compare(Comparison::Member, x, keys)) = (&ids[..], &inside.kind)
        else {
            return None;
        };
        let PredKind::Compare(Comparison::Equal, a, b) = &said.kind else { return None };
        let is_name = |e: &Expr| e.kind == ExprKind::Local(*id);
        let applied = |e: &Expr| match &e.kind {
            ExprKind::Binary(BinaryOp::Apply, f, at)
                if f.kind == ExprKind::Local(local) && self.is_bound(at) =>
            {
                Some((**at).clone())
            }
            _ => None,
        };
        let inner = |e: &Expr| match &e.kind {
            ExprKind::Binary(BinaryOp::Apply, f, at) if is_name(at) => {
                applied(f).map(|at| ((**f).clone(), at))
            }
            _ => None,
        };
        let (whole, at, value) = [(a, b), (b, a)]
            .into_iter()
            .find_map(|(e, value)| inner(e).map(|(whole, at)| (whole, at, value)))?;
        let mentions = |e: &Expr| Footprint::of_expr(e).locals.contains(id);
        if !is_name(x)
            || mentions(&whole)
            || mentions(keys)
            || !self.compiler.is_applied_only(p, local)
            || !self.is_bound(keys)
        {
            return None;
        }
        let has_keys = |p: &Pred| {
            let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { return false };
            [(a, b), (b, a)].into_iter().any(|(e, said)| match &e.kind {
                ExprKind::Unary(UnaryOp::Dom, of) => same(of, &whole) && same(said, keys),
                ExprKind::Unary(UnaryOp::Size, of) => same(of, &whole) && is_up_to(keys, said),
                _ => false,
            })
        };
        if !beside.iter().any(has_keys) {
            return None;
        }
        let kind =
            ExprKind::Fold(Fold::Lambda, ids.clone(), inside.clone(), Arc::new(value.clone()));
        Some((at, Expr::new(kind, whole.ty.clone(), p.span)))
    }
}

/// `1..k`.
fn is_up_to(set: &Expr, k: &Expr) -> bool {
    match &set.kind {
        ExprKind::Binary(BinaryOp::Interval, low, high) => {
            low.kind == ExprKind::Integer(BigInt::from(1)) && same(high, k)
        }
        _ => false,
    }
}

/// The equations, compiled.
pub(in crate::eval) struct PointsCode {
    slot: Slot,
    domain: ValueFn,
    domains: Shape,
    relations: Shape,
    rules: Vec<RuleCode>,
}

struct RuleCode {
    each: EachFn,
    names: Vec<Slot>,
    at: ValueFn,
    value: ValueFn,
}

impl Compiler<'_> {
    pub(in crate::eval) fn points_code(&self, points: &Points) -> PointsCode {
        let slot = self.slot(points.local);
        let rule = |rule: &Rule| RuleCode {
            each: self.solve(&rule.names, &rule.condition, Undefined::Tell),
            names: self.slots(&rule.names),
            at: self.kept(&rule.at),
            value: self.kept(&rule.value),
        };
        PointsCode {
            relations: slot.shape.clone(),
            slot,
            domain: self.kept(&points.domain),
            domains: self.shape(&points.domain.ty),
            rules: points.rules.iter().map(rule).collect(),
        }
    }
}

impl PointsCode {
    /// The only function that the equations leave; `None` where they do not tell all of its points.
    pub(in crate::eval) fn find(&self, env: &mut Env) -> Result<Option<Value>, Stop> {
        // The local has only a part of its value meanwhile.
        let before = std::mem::replace(&mut env.forgetful, true);
        let found = self.compute(env);
        env.forgetful = before;
        env.fault = None;
        found
    }

    fn compute(&self, env: &mut Env) -> Result<Option<Value>, Stop> {
        let Some(domain) = known((self.domain)(env))? else { return Ok(None) };
        let mut left: FxHashSet<Value> = self.domains.members(&domain).collect();
        let mut open = Vec::new();
        for rule in &self.rules {
            let flow = (rule.each)(env, &mut |env| {
                let row: Vec<Value> = rule.names.iter().map(|name| name.get(env)).collect();
                open.push((rule, row));
                Ok(Flow::Continue(()))
            });
            let _ = known(flow)?;
        }
        let pairs = self.relations.element();
        let mut part = self.relations.empty();
        while !left.is_empty() {
            let (before, mut waiting) = (left.len(), Vec::new());
            for (rule, row) in open {
                env.tick()?;
                for (name, value) in rule.names.iter().zip(&row) {
                    name.set(env, value.clone())?;
                }
                self.slot.set(env, part.clone())?;
                let Some(at) = known((rule.at)(env))?.filter(|at| left.contains(at)) else {
                    continue;
                };
                match known((rule.value)(env))? {
                    Some(value) if !value.is_symbolic() => {
                        left.remove(&at);
                        part = self.relations.insert(&part, pairs.pair(at, value));
                    }
                    _ => waiting.push((rule, row)),
                }
            }
            if left.len() == before {
                return Ok(None);
            }
            open = waiting;
        }
        Ok(Some(part))
    }
}

/// What is undefined or unknown is not known yet.
fn known<T>(result: Result<T, Stop>) -> Result<Option<T>, Stop> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Fault(_) | Stop::Cut(_)) => Ok(None),
        Err(stop) => Err(stop),
    }
}
