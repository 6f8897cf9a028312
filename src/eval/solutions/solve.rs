//! Plans to actions: the steps of a plan, compiled.
//!
//! An action binds locals, or tests; [`walk`](super::walk) runs them.

use super::aside::{Behind, Later};
use super::cases::CaseCode;
use super::firsts::First;
use super::propagation::Propagation;
use super::tested::{Next, is_same};
use super::walk::{MOST_TRIED, run};
use crate::clock;
use crate::eval::compile::{Compiler, Undefined};
use crate::eval::plans::plan::{Pattern, Plan, Source, Step, locals_of};
use crate::eval::plans::solver::bound_by;
use crate::eval::unbuilt::members::{MembersFn, is_power};
use crate::lower::code::{BoolFn, EachFn, Slot, ValueFn};
use crate::lower::coded::Codes;
use crate::lower::env::{Conclusion, Env, Flow};
use crate::lower::stop::{CutSite, Stop, Within};
use crate::lower::{Test, Word};
use crate::machine::footprint::Footprint;
use crate::machine::make;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type, UnaryOp,
};
use crate::source::Span;
use crate::state::WdGuards;
use crate::value::Shape;
use crate::value::relation::Arrow;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Borrow;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// The actions of plans, by their addresses.
pub(in crate::eval) type ActionMemory = FxHashMap<*const Plan, Arc<[Action]>>;

/// A pattern, compiled.
pub(in crate::eval) enum Matcher {
    Local(Slot),
    Value(ValueFn),
    Pair(Shape, Box<Matcher>, Box<Matcher>),
    Record(Box<[Matcher]>),
    Construct(u32, Box<Matcher>),
    /// The number where the slot holds it, and the slot's own value there.
    Moved {
        slot: Slot,
        number: ValueFn,
        inverse: ValueFn,
    },
}

/// A step, compiled.
pub(in crate::eval) enum Action {
    Test(Test),
    /// What a place has taken is passed over where another one stands for it.
    First(First),
    /// A single local that walks a small universe, all of it: no values, no set.
    Universe(usize, u64),
    /// A single local that is a word takes the value of an expression.
    Word(usize, Word, Fallback),
    Bind(Matcher, ValueFn, Fallback),
    /// A single local that walks the bits of a word: the common case, without values.
    Bits(usize, Word, Fallback),
    /// Locals that walk a set of numbers or pairs that the state holds in one word.
    Codes(Box<Codes<Word>>, Fallback),
    /// A single local that walks the integers from the greatest lower to the least upper bound.
    Range(usize, Range, Fallback),
    Members(Matcher, MembersFn, Option<Fallback>),
    Either(Matcher, Vec<Slot>, Vec<Vec<Action>>),
    /// The same of one plan that may have no end: each is given as soon as it is found. All that the plan gives values to.
    Streamed(Matcher, Vec<Slot>, Vec<Slot>, Vec<Action>),
    /// A local takes the value, or the values, that the first true condition asks for, or those of other actions.
    Cases(Slot, Vec<CaseCode>, Vec<Action>),
    /// Candidates by propagation, or else by other actions; with each conjunct the number, among the actions
    /// that follow, of the one that tests it; the steps behind it, where the other actions may leave locals without values.
    Solve(Box<Propagation>, Vec<Option<usize>>, Vec<Action>, Option<Later>),
}

impl Action {
    /// The steps behind it, where it may leave locals without values and not all may be tried.
    pub(super) fn later(&self) -> Option<&Later> {
        match self {
            Action::Word(_, _, fallback)
            | Action::Bind(_, _, fallback)
            | Action::Bits(_, _, fallback)
            | Action::Codes(_, fallback)
            | Action::Range(_, _, fallback)
            | Action::Members(_, _, Some(fallback)) => fallback.later.as_ref(),
            Action::Solve(_, _, _, later) => later.as_ref(),
            _ => None,
        }
    }
}

/// Bounds of integers that are words.
pub(in crate::eval) struct Range {
    low: Vec<Word>,
    high: Vec<Word>,
    /// What stands in for a side without bounds.
    limits: (i64, i64),
}

impl Range {
    /// The words of the lower and of the upper bounds, and what stands in for a side without any.
    pub(super) fn parts(&self) -> (&[Word], &[Word], (i64, i64)) {
        (&self.low, &self.high, self.limits)
    }

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
pub(in crate::eval) struct Fallback {
    /// All values of these locals' types.
    pub(super) locals: Vec<(Slot, MembersFn)>,
    /// Where it is given up to try all of them.
    pub(super) site: Option<CutSite>,
    /// The conjunct that the step would have made true: it may be false of some candidates even so.
    pub(super) test: Option<BoolFn>,
    /// In a guard no candidate may be a solution. Then those of an unbounded type are not tried.
    pub(super) drop: Option<Drop>,
    /// Where not all values may be tried: the steps behind this one.
    pub(super) later: Option<Later>,
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
    pub(in crate::eval) fn solving(
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

    pub(in crate::eval) fn actions(&self, plan: &Plan, undefined: Undefined) -> Vec<Action> {
        let (uses, mut given) = (OnceCell::new(), BoundSoFar::default());
        let action = |(i, step): (usize, &Step)| {
            let behind = Behind { plan, at: i + 1, uses: &uses };
            let compile = || self.action(step, behind, undefined);
            let action = match given.several() {
                Some(given) => self.repeated(given, compile),
                None => compile(),
            };
            given.add(step);
            // What a guard gives to parameters holds while it is solved, but not where they are chosen.
            if undefined != Undefined::Guard {
                self.give(step);
            }
            action
        };
        self.testing(|| self.giving(|| plan.steps.iter().enumerate().map(action).collect()))
    }

    fn action(&self, step: &Step, behind: Behind<'_>, undefined: Undefined) -> Action {
        let rest = behind.steps();
        let fallback = |pattern: &Pattern, op: Option<Comparison>, e: Option<&Expr>| {
            self.fallback(pattern, op.zip(e), behind, undefined)
        };
        match step {
            Step::Test(p) => Action::Test(self.conjunct_test(p)),
            Step::Bind(Pattern::Local(id), e) if self.slot(*id).word => Action::Word(
                self.slot(*id).index,
                self.word(e),
                fallback(&Pattern::Local(*id), Some(Comparison::Equal), Some(e)),
            ),
            Step::Bind(pattern, e) => Action::Bind(
                self.matcher(pattern),
                self.holdable(e),
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
                if let Some(codes) = self.codes(pattern, set) {
                    let fallback = fallback(pattern, Some(Comparison::Member), Some(set));
                    return Action::Codes(Box::new(codes), fallback);
                }
                let stepwise = match pattern {
                    Pattern::Local(id) => self.stepwise(*id, set, rest),
                    _ => None,
                };
                let members = stepwise.or_else(|| self.members_beginning(pattern, set));
                Action::Members(
                    self.matcher(pattern),
                    members.unwrap_or_else(|| self.enumerate_set(set)),
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
            Step::Generate(pattern, Source::Either(locals, plans))
                if let [plan] = &plans[..]
                    && plan.is_unbounded(self) =>
            {
                let mut own = BTreeSet::new();
                plan.steps.iter().for_each(|step| bound_by(step, &mut own));
                let own: Vec<LocalId> = own.into_iter().collect();
                let (slots, own) = (self.slots(locals), self.slots(&own));
                let actions = self.actions(plan, undefined);
                Action::Streamed(self.matcher(pattern), slots, own, actions)
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
            Step::Generate(pattern, Source::UpTo(set, longest)) => Action::Members(
                self.matcher(pattern),
                self.sequences_up_to(set, longest),
                Some(fallback(pattern, None, None)),
            ),
            Step::Generate(pattern, Source::Cases(cases, otherwise)) => {
                let Pattern::Local(id) = pattern else {
                    unreachable!("cases give values to one local: {pattern:?}")
                };
                let cases = cases.iter().map(|case| self.case_code(case, undefined)).collect();
                Action::Cases(self.slot(*id), cases, self.actions(otherwise, undefined))
            }
            Step::Solve(solve) => {
                self.test_once(solve, &behind.plan.steps[..behind.at]);
                let propagation = Box::new(self.propagation(solve));
                let next = Next::default();
                let test_of = |p: &Pred| {
                    next.find(rest, |step| matches!(step, Step::Test(test) if is_same(test, p)))
                };
                let tests = solve.conjuncts.iter().map(test_of).collect();
                let otherwise = self.actions(&solve.otherwise, undefined);
                let later = behind.later_than_all(self, solve, &otherwise);
                Action::Solve(propagation, tests, otherwise, later)
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
            Pattern::Record(fields, _) => {
                Matcher::Record(fields.iter().map(|field| self.matcher(field)).collect())
            }
            Pattern::Construct(_, number, argument, _) => {
                Matcher::Construct(*number, Box::new(self.matcher(argument)))
            }
            Pattern::Moved { local, number, inverse } => Matcher::Moved {
                slot: self.slot(*local),
                number: self.kept(number),
                inverse: self.kept(inverse),
            },
        }
    }

    /// `conjunct`: what the step makes true, as a comparison of the pattern with an expression.
    fn fallback(
        &self,
        pattern: &Pattern,
        conjunct: Option<(Comparison, &Expr)>,
        behind: Behind<'_>,
        undefined: Undefined,
    ) -> Fallback {
        let rest = behind.steps();
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
            // To look for the members of a set that is told by its description may be undefined all the same.
            if self.is_total(e) && self.is_total(&value) && !self.may_be_symbolic(e) {
                return None;
            }
            let kind = PredKind::Compare(op, value, e.clone());
            Some(self.pred(&Pred::new(kind, e.span)))
        });
        let members = |id: &LocalId| {
            let tested = self.tested_members(*id, &ids, rest);
            (self.slot(*id), tested.unwrap_or_else(|| self.type_members(*id, &[], &[])))
        };
        let site = ids.first().map(|id| {
            let local = self.machine().local(*id);
            CutSite { span: local.span, name: local.name.clone(), within: Within::Limits }
        });
        let is_total = conjunct.is_some() && test.is_none();
        let too_many =
            |id: &LocalId| self.slot(*id).shape.count().is_none_or(|n| n > u128::from(MOST_TRIED));
        let later =
            (!is_total && ids.iter().any(too_many)).then(|| behind.later(self, ids.clone()));
        Fallback { locals: ids.iter().map(members).collect(), site, test, drop, later }
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
                    let kind = ExprKind::Unary(UnaryOp::Pow, Arc::new(set.clone()));
                    let power = Expr::new(kind, Type::pow(set.ty.clone()), set.span);
                    Some(self.enumerate_set(&power))
                }
                _ => None,
            }
        })
    }

    /// The pattern as an expression over its locals.
    pub(super) fn pattern_value(&self, pattern: &Pattern) -> Expr {
        match pattern {
            Pattern::Local(id) => {
                let local = self.machine().local(*id);
                Expr::new(ExprKind::Local(*id), local.ty.clone(), local.span)
            }
            Pattern::Value(e) | Pattern::Moved { number: e, .. } => e.clone(),
            Pattern::Pair(l, r, ty) => {
                let (l, r) = (self.pattern_value(l), self.pattern_value(r));
                make::binary(BinaryOp::Pair, l, r, ty.clone())
            }
            Pattern::Record(fields, ty) => {
                let fields: Vec<Expr> = fields.iter().map(|f| self.pattern_value(f)).collect();
                let span = fields[0].span;
                Expr::new(ExprKind::Record(fields), ty.clone(), span)
            }
            Pattern::Construct(of, number, argument, ty) => {
                let argument = self.pattern_value(argument);
                let span = argument.span;
                let kind = ExprKind::Construct(*of, *number, Some(Arc::new(argument)));
                Expr::new(kind, ty.clone(), span)
            }
        }
    }
}

/// The solutions that actions find.
pub(in crate::eval) fn each_of(actions: Arc<[Action]>, undefined: Undefined) -> EachFn {
    each_concluding(actions, undefined, None)
}

/// The same, where a solution matters only if a conclusion is not true of it.
pub(in crate::eval) fn each_concluding(
    actions: Arc<[Action]>,
    undefined: Undefined,
    conclusion: Option<Conclusion>,
) -> EachFn {
    let concludes = actions.iter().any(|action| action.later().is_some());
    Box::new(move |env, next| {
        let outer = (env.pending.take(), env.left_out.take(), env.whole);
        let before = concludes.then(|| std::mem::replace(&mut env.conclusion, conclusion.clone()));
        env.whole = std::mem::take(&mut env.asks_whole);
        let result = run(&actions, env, Some(undefined), next);
        let left_out = env.left_out.take();
        (env.pending, env.left_out, env.whole) = outer;
        if let Some(before) = before {
            env.conclusion = before;
        }
        env.hopeless = left_out.as_ref().is_some_and(|left| left.hopeless);
        match (result, left_out) {
            (Ok(Flow::Continue(())), Some(left)) => Err(match left.undefined {
                // What a guard leaves out has no arguments that an error could be told of.
                Some((site, fault)) if undefined != Undefined::Guard => {
                    env.fault = fault;
                    Stop::Fault(site)
                }
                _ => Stop::Cut(left.cut),
            }),
            (result, _) => result,
        }
    })
}

/// The locals that the steps of a plan so far give values to, from the first step on that may give several.
#[derive(Default)]
pub(super) struct BoundSoFar {
    bound: BTreeSet<LocalId>,
    all: Option<Rc<[LocalId]>>,
}

impl BoundSoFar {
    pub(super) fn add(&mut self, step: &Step) {
        let gives = match step {
            Step::Test(_) => false,
            Step::Bind(..) => self.all.is_some(),
            Step::Generate(..) | Step::Solve(_) => true,
        };
        if gives {
            bound_by(step, &mut self.bound);
            self.all = Some(self.bound.iter().copied().collect());
        }
    }

    pub(super) fn several(&self) -> Option<Rc<[LocalId]>> {
        self.all.clone()
    }
}
