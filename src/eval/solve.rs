//! Plans to closures: all solutions of a predicate, one call for each.
//!
//! While a candidate is tried, an undefined conjunct is only remembered (`Env::pending`): if another
//! conjunct turns out false, the candidate is dropped; if all others hold, the fault is real, or the
//! caller is told. So the order that the plan chose does not change the meaning.
//!
//! A conjunct whose value is unknown, because an enumeration in it was cut off, is treated likewise; but
//! whether its candidate is a solution stays open. It is left out, as are those that an enumeration
//! here did not reach, and the solutions end with [`Stop::Cut`] (unless whoever asked broke off).

use super::code::{BoolFn, EachFn, Next, Slot, ValueFn};
use super::compile::{Compiler, Undefined};
use super::env::{Env, Flow, Pending, graver};
use super::inverse::{CaseCode, asked};
use super::lower::{Test, Word};
use super::members::{MembersFn, is_power};
use super::plan::{Pattern, Plan, Source, Step};
use super::propagate::Propagation;
use super::stop::{CutId, FaultKind, SiteId, Stop};
use crate::clock;
use crate::machine::footprint::Footprint;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type, UnaryOp,
};
use crate::source::Span;
use crate::state::WdGuards;
use crate::value::relation::Arrow;
use crate::value::{Shape, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Borrow;
use std::rc::Rc;
use std::sync::Arc;

/// The actions of plans, by their addresses.
pub(super) type ActionMemory = FxHashMap<*const Plan, Arc<[Action]>>;

/// A pattern, compiled.
pub(super) enum Matcher {
    Local(Slot),
    Value(ValueFn),
    Pair(Shape, Box<Matcher>, Box<Matcher>),
}

/// A step, compiled.
pub(super) enum Action {
    Test(Test),
    /// A single local that walks a small universe, all of it: no values, no set.
    Universe(usize, u64),
    /// A single local that is a word takes the value of an expression.
    Word(usize, Word, Fallback),
    Bind(Matcher, ValueFn, Fallback),
    /// A single local that walks the bits of a word: the common case, without values.
    Bits(usize, Word, Fallback),
    /// A single local that walks the integers from the greatest lower to the least upper bound.
    Range(usize, Range, Fallback),
    Members(Matcher, MembersFn, Option<Fallback>),
    Either(Matcher, Vec<Slot>, Vec<Vec<Action>>),
    /// A local takes the value that the first true condition asks for, or those of other actions.
    Cases(Slot, Vec<CaseCode>, Vec<Action>),
    /// Candidates by propagation, or else by other actions; with each conjunct the number, among the actions
    /// that follow, of the one that tests it.
    Solve(Box<Propagation>, Vec<Option<usize>>, Vec<Action>),
}

impl Action {
    /// Whether it can be run without regard to what is pending.
    pub(super) fn goes_straight(&self) -> bool {
        !matches!(self, Action::Either(..) | Action::Cases(..) | Action::Solve(..))
    }
}

/// Bounds of integers that are words.
pub(super) struct Range {
    low: Vec<Word>,
    high: Vec<Word>,
    /// What stands in for a side without bounds.
    limits: (i64, i64),
}

impl Range {
    pub(super) fn bounds(&self, env: &mut Env) -> Result<(i64, i64), Stop> {
        let (mut from, mut to) = (None, None);
        for word in &self.low {
            let n = word.get(env)? as i64;
            from = Some(from.map_or(n, |m: i64| m.max(n)));
        }
        for word in &self.high {
            let n = word.get(env)? as i64;
            to = Some(to.map_or(n, |m: i64| m.min(n)));
        }
        Ok((from.unwrap_or(self.limits.0), to.unwrap_or(self.limits.1)))
    }
}

/// What is done where the set or the value that a step takes its candidates from is undefined: they
/// must be tried all the same, since another conjunct may be false of each.
pub(super) struct Fallback {
    /// All values of these locals' types.
    locals: Vec<(Slot, MembersFn)>,
    /// The conjunct that the step would have made true: it may be false of some candidates even so.
    test: Option<BoolFn>,
    /// In a guard no candidate may be a solution. Then those of an unbounded type are not tried.
    drop: Option<Drop>,
}

pub(super) enum Drop {
    Always,
    /// Where an application at one of these places is outside of its domain.
    Pairs(FxHashSet<Span>),
}

impl Compiler<'_> {
    /// All solutions of a predicate for these locals, each once.
    pub fn solve(&self, locals: &[LocalId], pred: &Pred, undefined: Undefined) -> EachFn {
        each_of(self.solving(locals, pred, undefined), undefined)
    }

    /// The actions that find the solutions.
    pub(super) fn solving(
        &self,
        locals: &[LocalId],
        pred: &Pred,
        undefined: Undefined,
    ) -> Arc<[Action]> {
        let plan = self.plan(locals, pred, undefined);
        self.shared_actions(&plan, undefined)
    }

    /// The actions of a plan, which are made once.
    ///
    /// A set that values are taken from is compiled as what gives them and again as a test, for where it
    /// is undefined. So without that memory the work would double with each quantifier or comprehension
    /// within the set of another.
    fn shared_actions(&self, plan: &Rc<Plan>, undefined: Undefined) -> Arc<[Action]> {
        // Those of a guard depend on its pairs, too.
        if undefined == Undefined::Guard {
            return self.actions(plan, undefined).into();
        }
        // The memory of plans keeps the plan, and so its address.
        let key = Rc::as_ptr(plan);
        if let Some(actions) = self.actions.borrow().get(&key) {
            return actions.clone();
        }
        let actions: Arc<[Action]> = self.actions(plan, undefined).into();
        self.actions.borrow_mut().insert(key, actions.clone());
        actions
    }

    fn actions(&self, plan: &Plan, undefined: Undefined) -> Vec<Action> {
        let steps = plan.steps.iter().enumerate();
        let action = |(i, step): (usize, &Step)| {
            let action = self.action(step, &plan.steps[i + 1..], undefined);
            // What a guard gives to parameters holds while it is solved, but not where they are chosen.
            if undefined != Undefined::Guard {
                self.give(step);
            }
            action
        };
        self.giving(|| steps.map(action).collect())
    }

    fn action(&self, step: &Step, rest: &[Step], undefined: Undefined) -> Action {
        let fallback = |pattern: &Pattern, op: Option<Comparison>, e: Option<&Expr>| {
            self.fallback(pattern, op.zip(e), rest, undefined)
        };
        match step {
            Step::Test(p) => Action::Test(self.test(p)),
            Step::Bind(Pattern::Local(id), e) if self.slot(*id).word => Action::Word(
                self.slot(*id).index,
                self.word(e),
                fallback(&Pattern::Local(*id), Some(Comparison::Equal), Some(e)),
            ),
            Step::Bind(pattern, e) => Action::Bind(
                self.matcher(pattern),
                self.kept(e),
                fallback(pattern, Some(Comparison::Equal), Some(e)),
            ),
            Step::Generate(pattern, Source::Set(set)) => {
                if let Pattern::Local(id) = pattern {
                    let slot = self.slot(*id);
                    if let (true, ExprKind::Binary(BinaryOp::Interval, a, b)) =
                        (slot.word, &set.kind)
                    {
                        let range = self.range(std::slice::from_ref(a), std::slice::from_ref(b));
                        let fallback = fallback(pattern, Some(Comparison::Member), Some(set));
                        return Action::Range(slot.index, range, fallback);
                    }
                    let by_parts = matches!(set.kind, ExprKind::Unary(op, _) if is_power(op))
                        || matches!(set.kind, ExprKind::Binary(op, ..) if Arrow::from_op(op).is_some());
                    if self.is_word(&self.shape(&set.ty)) && slot.word && !by_parts {
                        let fallback = fallback(pattern, Some(Comparison::Member), Some(set));
                        return Action::Bits(slot.index, self.word(set), fallback);
                    }
                }
                let stepwise = match pattern {
                    Pattern::Local(id) => self.stepwise(*id, set, rest),
                    _ => None,
                };
                Action::Members(
                    self.matcher(pattern),
                    stepwise.unwrap_or_else(|| self.enumerate_set(set)),
                    Some(fallback(pattern, Some(Comparison::Member), Some(set))),
                )
            }
            // The bounds come from conjuncts that are tests of their own.
            Step::Generate(pattern @ Pattern::Local(id), Source::Interval { low, high })
                if self.slot(*id).word =>
            {
                let fallback = fallback(pattern, None, None);
                Action::Range(self.slot(*id).index, self.range(low, high), fallback)
            }
            Step::Generate(pattern, Source::Interval { low, high }) => Action::Members(
                self.matcher(pattern),
                self.interval(low, high),
                Some(fallback(pattern, None, None)),
            ),
            Step::Generate(Pattern::Local(id), Source::Type { .. })
                if self.slot(*id).shape.index().is_some() =>
            {
                let slot = self.slot(*id);
                let size = slot.shape.count().unwrap_or(0);
                Action::Universe(slot.index, u64::try_from(size).unwrap_or(u64::MAX))
            }
            Step::Generate(pattern, Source::Type { low, high }) => {
                let Pattern::Local(id) = pattern else {
                    unreachable!("a type gives values to one local: {pattern:?}")
                };
                let members = self.type_members(*id, low, high);
                Action::Members(self.matcher(pattern), members, Some(fallback(pattern, None, None)))
            }
            Step::Generate(pattern, Source::Either(locals, plans)) => {
                let parts = plans.iter().map(|p| self.actions(p, undefined)).collect();
                Action::Either(self.matcher(pattern), self.slots(locals), parts)
            }
            Step::Generate(pattern, Source::Parts(parts, locals, whole)) => Action::Members(
                self.matcher(pattern),
                self.cuts(parts, locals, whole),
                Some(fallback(pattern, None, None)),
            ),
            Step::Generate(pattern, Source::Cases(cases, otherwise)) => {
                let Pattern::Local(id) = pattern else {
                    unreachable!("cases give values to one local: {pattern:?}")
                };
                let cases = cases.iter().map(|case| self.case_code(case)).collect();
                Action::Cases(self.slot(*id), cases, self.actions(otherwise, undefined))
            }
            Step::Solve(solve) => {
                let propagation = Box::new(self.propagation(&solve.locals, &solve.conjuncts));
                let test_of = |p: &Pred| {
                    rest.iter().position(|step| matches!(step, Step::Test(test) if test == p))
                };
                let tests = solve.conjuncts.iter().map(test_of).collect();
                Action::Solve(propagation, tests, self.actions(&solve.otherwise, undefined))
            }
        }
    }

    fn range<E: Borrow<Expr>>(&self, low: &[E], high: &[E]) -> Range {
        let words = |es: &[E]| es.iter().map(|e| self.word(e.borrow())).collect();
        let limits = (self.instance.min_int, self.instance.max_int);
        Range { low: words(low), high: words(high), limits }
    }

    fn matcher(&self, pattern: &Pattern) -> Matcher {
        match pattern {
            Pattern::Local(id) => Matcher::Local(self.slot(*id)),
            Pattern::Value(e) => Matcher::Value(self.kept(e)),
            Pattern::Pair(l, r, ty) => {
                Matcher::Pair(self.shape(ty), Box::new(self.matcher(l)), Box::new(self.matcher(r)))
            }
        }
    }

    /// `conjunct`: what the step makes true, as a comparison of the pattern with an expression.
    fn fallback(
        &self,
        pattern: &Pattern,
        conjunct: Option<(Comparison, &Expr)>,
        rest: &[Step],
        undefined: Undefined,
    ) -> Fallback {
        let mut ids = Vec::new();
        locals_of(pattern, &mut ids);
        let unbounded = ids.iter().any(|id| !self.slot(*id).shape.is_finite());
        let drop =
            (undefined == Undefined::Guard && unbounded).then(|| match self.instance.wd_guards {
                WdGuards::Warn => Drop::Always,
                WdGuards::Error => Drop::Pairs(self.pairs.borrow().clone()),
            });
        let test = conjunct.and_then(|(op, e)| {
            let value = self.pattern_value(pattern);
            if self.is_total(e) && self.is_total(&value) {
                return None;
            }
            let kind = PredKind::Compare(op, value, e.clone());
            Some(self.pred(&Pred::new(kind, e.span)))
        });
        let members = |id: &LocalId| {
            let tested = self.tested_members(*id, &ids, rest);
            (self.slot(*id), tested.unwrap_or_else(|| self.type_members(*id, &[], &[])))
        };
        Fallback { locals: ids.iter().map(members).collect(), test, drop }
    }

    /// The values of a local of an infinite type of which a test further down is not false, where
    /// there is one that says so without anything that is bound only later.
    fn tested_members(&self, id: LocalId, own: &[LocalId], rest: &[Step]) -> Option<MembersFn> {
        if self.slot(id).shape.is_finite() {
            return None;
        }
        clock::work(rest.len());
        rest.iter().find_map(|step| {
            let Step::Test(Pred { kind: PredKind::Compare(op, x, set), .. }) = step else {
                return None;
            };
            if x.kind != ExprKind::Local(id) {
                return None;
            }
            let mut later = own.to_vec();
            for step in rest {
                match step {
                    Step::Bind(pattern, _) | Step::Generate(pattern, _) => {
                        locals_of(pattern, &mut later);
                    }
                    Step::Solve(solve) => later.extend(&solve.locals),
                    Step::Test(_) => {}
                }
            }
            let locals = Footprint::of_expr(set).locals;
            if later.iter().any(|l| locals.contains(l))
                || self.is_infinite(set)
                || self.may_be_symbolic(set)
                || !self.is_total(set)
            {
                return None;
            }
            match op {
                Comparison::Member => Some(self.enumerate_set(set)),
                Comparison::Subset | Comparison::StrictSubset => {
                    let kind = ExprKind::Unary(UnaryOp::Pow, Box::new(set.clone()));
                    let power = Expr::new(kind, Type::pow(set.ty.clone()), set.span);
                    Some(self.enumerate_set(&power))
                }
                _ => None,
            }
        })
    }

    /// The pattern as an expression over its locals.
    fn pattern_value(&self, pattern: &Pattern) -> Expr {
        match pattern {
            Pattern::Local(id) => {
                let local = self.machine().local(*id);
                Expr::new(ExprKind::Local(*id), local.ty.clone(), local.span)
            }
            Pattern::Value(e) => e.clone(),
            Pattern::Pair(l, r, ty) => {
                let (l, r) = (self.pattern_value(l), self.pattern_value(r));
                let span = l.span;
                let kind = ExprKind::Binary(BinaryOp::Pair, Box::new(l), Box::new(r));
                Expr::new(kind, ty.clone(), span)
            }
        }
    }
}

/// The solutions that actions find.
pub(super) fn each_of(actions: Arc<[Action]>, undefined: Undefined) -> EachFn {
    Box::new(move |env, next| {
        let outer = (env.pending.take(), env.left_out.take());
        let result = run(&actions, env, Some(undefined), next);
        let left_out = env.left_out;
        (env.pending, env.left_out) = outer;
        match (result, left_out) {
            (Ok(Flow::Continue(())), Some(cut)) => Err(Stop::Cut(cut)),
            (result, _) => result,
        }
    })
}

/// What becomes of a candidate for which no conjunct is false and something has no truth value.
#[cold]
fn settle_undefined(env: &mut Env, undefined: Undefined, next: Next<'_>) -> Result<Flow, Stop> {
    match (undefined, env.pending.clone()) {
        (_, None) => Ok(Flow::Continue(())),
        (Undefined::Tell, _) => next(env),
        (_, Some((Stop::Cut(cut), _))) => leave_out(env, cut),
        (Undefined::Guard, _) => next(env),
        (Undefined::Fault, Some((stop, fault))) => {
            env.fault = fault;
            Err(stop)
        }
    }
}

/// There may be solutions that are not found. Those that are found are solutions all the same.
#[cold]
fn leave_out(env: &mut Env, cut: CutId) -> Result<Flow, Stop> {
    env.left_out.get_or_insert(cut);
    Ok(Flow::Continue(()))
}

/// Remembers an undefined or unknown conjunct for the rest of the candidate, and goes on.
fn suspended(
    env: &mut Env,
    stop: Stop,
    rest: impl FnOnce(&mut Env) -> Result<Flow, Stop>,
) -> Result<Flow, Stop> {
    let before = env.pending.take();
    let own = (stop, env.fault.take());
    env.pending = Some(graver(before.clone(), own));
    let result = rest(env);
    env.pending = before;
    result
}

/// What comes after an action, and what becomes of candidates at the end.
type Rest<'a> = (&'a [Action], Option<Undefined>);

/// Calls `next` for each way through the actions; `end`: what becomes of candidates for which something
/// is undefined or unknown, if that is to be decided here.
fn run(
    actions: &[Action],
    env: &mut Env,
    end: Option<Undefined>,
    next: Next<'_>,
) -> Result<Flow, Stop> {
    let Some((action, rest)) = actions.split_first() else {
        return match end {
            Some(undefined) if env.pending.is_some() => settle_undefined(env, undefined, next),
            _ => next(env),
        };
    };
    match action {
        Action::Test(test) => match test.holds(env) {
            Ok(true) => run(rest, env, end, next),
            Ok(false) => Ok(Flow::Continue(())),
            Err(stop @ (Stop::Fault(_) | Stop::Cut(_))) => {
                suspended(env, stop, |env| run(rest, env, end, next))
            }
            Err(stop) => Err(stop),
        },
        Action::Universe(slot, size) => {
            // A small universe asks the clock once, a large one at each member.
            env.tick()?;
            for i in 0..*size {
                env.words[*slot] = i;
                if *size > 64 {
                    env.tick()?;
                }
                if run(rest, env, end, next)?.is_break() {
                    return Ok(Flow::Break(()));
                }
            }
            Ok(Flow::Continue(()))
        }
        Action::Word(slot, e, fallback) => match e.get(env).map_err(Stop::from) {
            Ok(w) => {
                env.words[*slot] = w;
                run(rest, env, end, next)
            }
            Err(Stop::Fault(site)) => fall_back(fallback, site, env, (rest, end), next),
            Err(Stop::Cut(cut)) => leave_out(env, cut),
            Err(stop) => Err(stop),
        },
        Action::Bind(matcher, e, fallback) => match ready(matcher, env).and_then(|()| e(env)) {
            Ok(v) => matched(matcher, env, v, (rest, end), next),
            Err(Stop::Fault(site)) => fall_back(fallback, site, env, (rest, end), next),
            Err(Stop::Cut(cut)) => leave_out(env, cut),
            Err(stop) => Err(stop),
        },
        Action::Bits(slot, set, fallback) => match set.get(env).map_err(Stop::from) {
            Ok(mut bits) => {
                env.tick()?;
                while bits != 0 {
                    env.words[*slot] = bits.trailing_zeros() as u64;
                    bits &= bits - 1;
                    if run(rest, env, end, next)?.is_break() {
                        return Ok(Flow::Break(()));
                    }
                }
                Ok(Flow::Continue(()))
            }
            Err(Stop::Fault(site)) => fall_back(fallback, site, env, (rest, end), next),
            Err(Stop::Cut(cut)) => leave_out(env, cut),
            Err(stop) => Err(stop),
        },
        Action::Range(slot, range, fallback) => match range.bounds(env) {
            Ok((low, high)) => {
                for i in low..=high {
                    env.tick()?;
                    env.words[*slot] = i as u64;
                    if run(rest, env, end, next)?.is_break() {
                        return Ok(Flow::Break(()));
                    }
                }
                Ok(Flow::Continue(()))
            }
            Err(Stop::Fault(site)) => fall_back(fallback, site, env, (rest, end), next),
            Err(Stop::Cut(cut)) => leave_out(env, cut),
            Err(stop) => Err(stop),
        },
        Action::Members(matcher, members, fallback) => {
            // A fault of the set itself must be told from one further down, which is not ours.
            let mut inner = None;
            let result = ready(matcher, env).and_then(|()| {
                members(env, &mut |env, v| {
                    env.tick()?;
                    let result = matched(matcher, env, v, (rest, end), next);
                    if result.is_err() {
                        inner = Some(());
                    }
                    result
                })
            });
            match (result, inner, fallback) {
                (Err(Stop::Fault(site)), None, Some(fallback)) => {
                    fall_back(fallback, site, env, (rest, end), next)
                }
                (Err(Stop::Cut(cut)), ..) => leave_out(env, cut),
                (result, ..) => result,
            }
        }
        Action::Either(matcher, slots, parts) => {
            env.tick()?;
            either(matcher, slots, parts, env, (rest, end), next)
        }
        Action::Cases(slot, cases, otherwise) => match asked(cases, env)? {
            Some((chosen, value)) => {
                slot.set(env, value)?;
                others(cases, Some(chosen), env, &mut |env| run(rest, env, end, next))
            }
            None => run(otherwise, env, None, &mut |env| {
                others(cases, None, env, &mut |env| run(rest, env, end, next))
            }),
        },
        Action::Solve(propagation, tests, otherwise) => {
            let test = |at: &Option<usize>| match at.map(|at| &rest[at]) {
                Some(Action::Test(test)) => Some(test),
                _ => None,
            };
            let tests: Vec<Option<&Test>> = tests.iter().map(test).collect();
            match propagation.run(env, &tests, &mut |env| run(rest, env, end, next)) {
                Ok(Some(flow)) => Ok(flow),
                Ok(None) => run(otherwise, env, None, &mut |env| run(rest, env, end, next)),
                Err(Stop::Cut(cut)) => leave_out(env, cut),
                Err(stop) => Err(stop),
            }
        }
    }
}

/// Tests the conjuncts of all cases but one, then goes on.
fn others(
    cases: &[CaseCode],
    chosen: Option<usize>,
    env: &mut Env,
    next: Next<'_>,
) -> Result<Flow, Stop> {
    for (i, case) in cases.iter().enumerate() {
        let (Some(test), true) = (&case.conjunct, chosen != Some(i)) else { continue };
        match test.holds(env) {
            Ok(true) => {}
            Ok(false) => return Ok(Flow::Continue(())),
            Err(stop @ (Stop::Fault(_) | Stop::Cut(_))) => {
                let rest = &cases[i + 1..];
                let chosen = chosen.and_then(|c| c.checked_sub(i + 1));
                return suspended(env, stop, |env| others(rest, chosen, env, next));
            }
            Err(stop) => return Err(stop),
        }
    }
    next(env)
}

pub(super) fn locals_of(pattern: &Pattern, out: &mut Vec<LocalId>) {
    match pattern {
        Pattern::Local(id) => out.push(*id),
        Pattern::Value(_) => {}
        Pattern::Pair(l, r, _) => {
            locals_of(l, out);
            locals_of(r, out);
        }
    }
}

#[cold]
fn fall_back(
    fallback: &Fallback,
    site: SiteId,
    env: &mut Env,
    rest: Rest<'_>,
    next: Next<'_>,
) -> Result<Flow, Stop> {
    let site = env.site(site);
    let drops = fallback.drop.as_ref().is_some_and(|drop| match drop {
        Drop::Always => true,
        Drop::Pairs(places) => site.kind == FaultKind::OutsideDomain && places.contains(&site.span),
    });
    if drops {
        env.note_undefined(site.span);
        return Ok(Flow::Continue(()));
    }
    let before = std::mem::replace(&mut env.forgetful, true);
    let result = all_values(&fallback.locals, fallback.test.as_ref(), env, rest, next);
    env.forgetful = before;
    result
}

fn all_values(
    locals: &[(Slot, MembersFn)],
    test: Option<&BoolFn>,
    env: &mut Env,
    rest: Rest<'_>,
    next: Next<'_>,
) -> Result<Flow, Stop> {
    if let Some(((slot, members), others)) = locals.split_first() {
        let flow = members(env, &mut |env, v| {
            slot.set(env, v)?;
            all_values(others, test, env, rest, next)
        });
        return match flow {
            Err(Stop::Cut(cut)) => leave_out(env, cut),
            flow => flow,
        };
    }
    let (rest, end) = rest;
    match test.map_or(Ok(true), |test| test(env)) {
        Ok(true) => run(rest, env, end, next),
        Ok(false) => Ok(Flow::Continue(())),
        Err(stop @ (Stop::Fault(_) | Stop::Cut(_))) => {
            suspended(env, stop, |env| run(rest, env, end, next))
        }
        Err(stop) => Err(stop),
    }
}

/// Whether what a pattern compares with is defined.
pub(super) fn ready(matcher: &Matcher, env: &mut Env) -> Result<(), Stop> {
    match matcher {
        Matcher::Local(_) => Ok(()),
        Matcher::Value(e) => e(env).map(|_| ()),
        Matcher::Pair(_, l, r) => {
            ready(l, env)?;
            ready(r, env)
        }
    }
}

/// Binds a value and goes on, if it matches.
fn matched(
    matcher: &Matcher,
    env: &mut Env,
    value: Value,
    (rest, end): Rest<'_>,
    next: Next<'_>,
) -> Result<Flow, Stop> {
    if bind(matcher, env, value)? { run(rest, env, end, next) } else { Ok(Flow::Continue(())) }
}

pub(super) fn bind(matcher: &Matcher, env: &mut Env, value: Value) -> Result<bool, Stop> {
    match matcher {
        Matcher::Local(slot) => slot.set(env, value).map(|()| true),
        Matcher::Value(e) => Ok(e(env)? == value),
        Matcher::Pair(shape, l, r) => {
            let (x, y) = shape.split(&value);
            Ok(bind(l, env, x)? && bind(r, env, y)?)
        }
    }
}

/// The solutions of several plans, each once; then the candidates that are undefined by some part
/// and true by none.
fn either(
    matcher: &Matcher,
    slots: &[Slot],
    parts: &[Vec<Action>],
    env: &mut Env,
    rest: Rest<'_>,
    next: Next<'_>,
) -> Result<Flow, Stop> {
    let mut seen: FxHashSet<Vec<Value>> = FxHashSet::default();
    let mut found: Vec<Value> = Vec::new();
    let mut undefined: Vec<(Vec<Value>, Value, Pending)> = Vec::new();
    for part in parts {
        let outer = env.pending.take();
        let result = run(part, env, None, &mut |env| {
            let values: Vec<Value> = slots.iter().map(|s| s.get(env)).collect();
            if let Some(pending) = &env.pending {
                undefined.push((values, read(matcher, env), pending.clone()));
            } else if seen.insert(values) {
                found.push(read(matcher, env));
            }
            Ok(Flow::Continue(()))
        });
        env.pending = outer;
        let _ = result?;
    }
    for value in found {
        if matched(matcher, env, value, rest, next)?.is_break() {
            return Ok(Flow::Break(()));
        }
    }
    for (values, value, (stop, fault)) in undefined {
        if seen.insert(values) {
            env.fault = fault;
            let flow =
                suspended(env, stop, |env| matched(matcher, env, value.clone(), rest, next))?;
            if flow.is_break() {
                return Ok(Flow::Break(()));
            }
        }
    }
    Ok(Flow::Continue(()))
}

fn read(matcher: &Matcher, env: &Env) -> Value {
    match matcher {
        Matcher::Local(slot) => slot.get(env),
        Matcher::Value(_) => Value::FALSE,
        Matcher::Pair(shape, l, r) => shape.pair(read(l, env), read(r, env)),
    }
}
