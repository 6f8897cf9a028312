//! Where a plan is left to the solver.
//!
//! A plan tries one local after the other. That is the best where each has few values; where their
//! product is large, and there are conjuncts that relate them, propagation leaves most of it out. The
//! solver costs more for each predicate that it is given, so cheap plans stay as they are.

use super::estimate::{UNBOUNDED, WORTH_WHILE, is_costly};
use super::plan::{Pattern, Plan, Solve, Source, Step, locals_of, tuple_pattern};
use crate::eval::compile::{Compiler, Undefined};
use crate::eval::consequences::magnitude::is_beyond;
use crate::lower::code::EachFn;
use crate::machine::footprint::Footprint;
use crate::machine::parts::Part;
use crate::machine::{BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, Pred, PredKind};
use crate::value::{IndexKind, Shape};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many times as many candidates of a quantifier are tried where they are words, and told apart by tests of words.
/// So four names from sets whose sizes are not known are tried.
const WORDS: f64 = 20.0;

/// The same where each of few candidates is asked for witnesses that are searched for, with the candidates of these
/// searches: then a search of its own costs more than the solver.
const WORTH_A_SEARCH: f64 = 100_000.0;

/// The same where each candidate is asked for sets or sums that are collected anew, with the instances of these: nothing
/// breaks off before the last one.
const WORTH_COLLECTING: f64 = 500.0;

/// Candidates that are rather tried one by one, where the solver would have to take apart a large part of as many
/// instances of a quantifier or a comprehension before it begins.
const FEW_CANDIDATES: f64 = 20_000.0;
const LARGE_PART: f64 = 0.25;

/// So many witnesses for each value are tried rather than each value by itself, if there are no more than that: all values are
/// collected before the first one is given. So many names may get their values so.
const WITNESSES: f64 = 2.0;
const MOST_COLLECTED: f64 = 1_000_000.0;
const MOST_TOLD: usize = 8;

/// Values of a function of one argument that are looked at one by one.
const FEW_VALUES: f64 = 256.0;

/// Most values of a local that is tried first, since others depend on it.
const FEW: f64 = 16.0;

impl Compiler<'_> {
    /// All solutions of a predicate, left to the solver however few candidates are expected.
    pub(in crate::eval) fn solve_at_once(
        &self,
        locals: &[LocalId],
        pred: &Pred,
        undefined: Undefined,
    ) -> EachFn {
        let usual = self.solver_from.replace(0.0);
        let each = self.solve(locals, pred, undefined);
        self.solver_from.set(usual);
        each
    }

    /// The same plan, with its costly part left to the solver if that is worth while.
    pub(super) fn with_solver(
        &self,
        locals: &[LocalId],
        conjuncts: &[Pred],
        undefined: Undefined,
        mut plan: Plan,
    ) -> Plan {
        let no_end = plan.is_unbounded(self)
            || plan.steps.iter().any(|step| self.leaves_bounds_aside(step, conjuncts));
        let cost = if no_end { UNBOUNDED } else { self.plan_cost(&plan) };
        let instances = |p: &Pred| self.instances_of(locals, Part::Pred(p));
        let is_cheap = undefined == Undefined::Tell
            && locals.iter().all(|local| self.slot(*local).word)
            && conjuncts.iter().all(|p| !is_costly(p) && self.is_total_pred(p));
        if cost < self.solver_from.get() * if is_cheap { WORDS } else { 1.0 } {
            let mut tests = plan.steps.iter().filter_map(|step| match step {
                Step::Test(p) => Some(p),
                _ => None,
            });
            if cost <= 1.0 || !tests.any(|p| self.is_laborious(locals, p, cost)) {
                return plan;
            }
        }
        // Where all numbers between some bounds are solutions there is nothing to be left out; and the solver has no numbers
        // for what lies beyond its own.
        if cost < UNBOUNDED
            && (plan.steps.iter().all(Step::takes_all) || conjuncts.iter().any(is_beyond))
        {
            return plan;
        }
        if (WORTH_WHILE..FEW_CANDIDATES).contains(&cost)
            && conjuncts.iter().any(|p| instances(p) > LARGE_PART * cost)
        {
            return plan;
        }
        let kept = self.kept_steps(&plan.steps);
        let mut bound = BTreeSet::new();
        plan.steps[..kept].iter().for_each(|step| bound_by(step, &mut bound));
        let unbound: Vec<LocalId> = locals.iter().copied().filter(|l| !bound.contains(l)).collect();
        let left: Vec<(&Pred, BTreeSet<LocalId>)> = conjuncts
            .iter()
            .map(|p| (p, mentioned(p, &unbound)))
            .filter(|(_, mentioned)| !mentioned.is_empty())
            .collect();
        if let Some(given) = self.given_by_witnesses(&unbound, &left, undefined) {
            let mut steps = plan.steps[..kept].to_vec();
            steps.push(given);
            return Plan { steps };
        }
        let preds: Vec<&Pred> = left.iter().map(|(p, _)| *p).collect();
        let mut pictured: BTreeSet<LocalId> =
            unbound.iter().copied().filter(|l| self.is_picturable(*l, &preds)).collect();
        pictured.retain(|l| !self.is_computed(*l, &plan.steps[kept..]));
        for step in &plan.steps[kept..] {
            if let Step::Bind(_, e) = step
                && finds_best(e)
            {
                let mut bound = BTreeSet::new();
                bound_by(step, &mut bound);
                pictured.retain(|l| !bound.contains(l));
            }
        }
        leave_bound_ones(&plan.steps[kept..], &unbound, &mut pictured);
        let (own, others): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|(_, mentioned)| mentioned.is_subset(&pictured));
        let own: Vec<Pred> = own.into_iter().map(|(p, _)| p.clone()).collect();
        // Of one conjunct that says which set a local is in the members are walked.
        let mut typed = BTreeSet::new();
        let is_typing =
            |p: &Pred| typing(p).is_some_and(|id| pictured.contains(&id) && typed.insert(id));
        if pictured.is_empty() || own.iter().all(is_typing) {
            return plan;
        }
        let solved: Vec<LocalId> =
            unbound.iter().copied().filter(|l| pictured.contains(l)).collect();
        let rest: Vec<LocalId> =
            unbound.iter().copied().filter(|l| !pictured.contains(l)).collect();
        let (otherwise, rest) = if rest.is_empty() {
            (Plan { steps: plan.steps.split_off(kept) }, Plan::default())
        } else {
            let others: Vec<Pred> = others.into_iter().map(|(p, _)| p.clone()).collect();
            let rest = self.plan_plainly(&rest, &others, undefined);
            if self.plan_cost(&rest) > FEW {
                return plan;
            }
            (self.plan_plainly(&solved, &own, undefined), rest)
        };
        let mut steps = plan.steps;
        steps.truncate(kept);
        let mut tests = own.clone();
        tests.sort_by_key(is_costly);
        let told = self.told_functions(&steps);
        let solve = Solve { locals: solved, conjuncts: own, told, otherwise };
        steps.push(Step::Solve(Rc::new(solve)));
        steps.extend(tests.into_iter().map(Step::Test));
        steps.extend(rest.steps);
        Plan { steps }
    }

    /// Whether a step asks cases for a value, and has none where no case does, although comparisons say between which
    /// bounds it is: `a + 1 <= 4 & (b = 1 or b = a)`.
    fn leaves_bounds_aside(&self, step: &Step, conjuncts: &[Pred]) -> bool {
        use Comparison::{Greater, GreaterEqual, Less, LessEqual};
        let Step::Generate(Pattern::Local(id), Source::Cases(_, otherwise)) = step else {
            return false;
        };
        let bounds = |p: &Pred| match &p.kind {
            PredKind::Compare(Less | LessEqual | Greater | GreaterEqual, ..) => {
                Footprint::of_pred(p).locals.contains(id)
            }
            _ => false,
        };
        conjuncts.iter().any(bounds) && otherwise.is_unbounded(self)
    }

    /// Whether a test of so many candidates costs more than the solver, as each of them is searched for witnesses, or has sets
    /// collected for it.
    fn is_laborious(&self, locals: &[LocalId], p: &Pred, candidates: f64) -> bool {
        if let PredKind::Exists(ids, body) = &p.kind {
            let mut most = self.plan_cost(&self.plan(ids, body, Undefined::Tell));
            body.parts(&mut |part| most = most.max(self.instances_of(locals, part)));
            return candidates * most >= WORTH_A_SEARCH;
        }
        let collected = self.collected_of(locals, Part::Pred(p));
        collected <= LARGE_PART * candidates && candidates * collected >= WORTH_COLLECTING
    }

    /// A step that gives these locals their values along with the witnesses of quantifiers which tell them, as in
    /// `#(a, b).(a : S & b : T & x = a * b)`: all conjuncts are asked of both. `None` where no quantifier tells a value, or
    /// there would be many more witnesses than values.
    fn given_by_witnesses(
        &self,
        wanted: &[LocalId],
        conjuncts: &[(&Pred, BTreeSet<LocalId>)],
        undefined: Undefined,
    ) -> Option<Step> {
        if wanted.len() > MOST_TOLD {
            return None;
        }
        let (mut all, mut joined, mut others) = (wanted.to_vec(), Vec::new(), Vec::new());
        for (p, _) in conjuncts {
            match &p.kind {
                PredKind::Exists(bound, body) if tells_a_value(body, wanted, bound) => {
                    all.extend(bound);
                    self.conjuncts(body, true, &mut joined);
                }
                _ => others.push((*p).clone()),
            }
        }
        if all.len() == wanted.len() {
            return None;
        }
        let without = self.plan_plainly(wanted, &others, undefined);
        joined.extend(others);
        let plain = self.plan_plainly(&all, &joined, undefined);
        let has_end = !plain.is_unbounded(self);
        let is_bounded = !without.is_unbounded(self);
        let cost = self.plan_cost(&plain);
        if is_bounded
            && (!has_end || cost > WITNESSES * self.plan_cost(&without) || cost > MOST_COLLECTED)
        {
            return None;
        }
        let span = joined.first()?.span;
        let plan = self.plan(&all, &Pred::and(joined, span), undefined);
        // Nothing else bounds them, either: what does not bound the witnesses by itself may do so together.
        if !has_end && !plan.steps.iter().any(|step| matches!(step, Step::Solve(_))) {
            return None;
        }
        let pattern = tuple_pattern(self, wanted);
        Some(Step::Generate(pattern, Source::Either(wanted.to_vec(), vec![plan])))
    }

    /// The lambdas that these steps give to locals, of several arguments or of many, as far as they are told by themselves.
    fn told_functions(&self, steps: &[Step]) -> Vec<(LocalId, Expr)> {
        let told = steps.iter().filter_map(|step| {
            let Step::Bind(Pattern::Local(id), e) = step else { return None };
            let lambda = match &e.kind {
                ExprKind::Symbolic(number, given) if given.is_empty() => {
                    &self.machine().symbolic.sets[*number as usize].set
                }
                _ => e,
            };
            let ExprKind::Fold(Fold::Lambda, arguments, ..) = &lambda.kind else { return None };
            let is_long = || self.is_infinite(lambda) || self.estimate(lambda) > FEW_VALUES;
            (arguments.len() > 1 || is_long()).then(|| (*id, lambda.clone()))
        });
        told.collect()
    }

    /// Expected instances of the quantifier or comprehension within a formula that has the most, as far as they do not
    /// depend on these locals.
    fn instances_of(&self, locals: &[LocalId], part: Part<'_>) -> f64 {
        let mut most: f64 = match part {
            Part::Pred(p) => match &p.kind {
                PredKind::Forall(ids, p, _) | PredKind::Exists(ids, p) => {
                    self.instances_apart(locals, ids, p)
                }
                _ => 0.0,
            },
            Part::Expr(e) => match &e.kind {
                ExprKind::Comprehension(ids, p) | ExprKind::Fold(_, ids, p, _) => {
                    self.instances_apart(locals, ids, p)
                }
                _ => 0.0,
            },
        };
        let mut inner = |part: Part<'_>| most = most.max(self.instances_of(locals, part));
        part.parts(&mut inner);
        most
    }

    /// The same of what is collected anew for each value of these locals whenever the formula is asked, in full.
    fn collected_of(&self, locals: &[LocalId], part: Part<'_>) -> f64 {
        let mut most: f64 = match part {
            Part::Pred(p) => match &p.kind {
                PredKind::Forall(..) | PredKind::Exists(..) => return 0.0,
                _ => 0.0,
            },
            Part::Expr(e) => match &e.kind {
                ExprKind::Comprehension(ids, p) | ExprKind::Fold(_, ids, p, _) => {
                    let mentioned = Footprint::of_expr(e).locals;
                    match locals.iter().any(|id| mentioned.contains(id)) {
                        true => self.instances_apart(locals, ids, p),
                        false => return 0.0,
                    }
                }
                _ => 0.0,
            },
        };
        part.parts(&mut |part| most = most.max(self.collected_of(locals, part)));
        most
    }

    /// Expected instances of these names, as far as their condition does not depend on the locals.
    fn instances_apart(&self, locals: &[LocalId], ids: &[LocalId], p: &Pred) -> f64 {
        let mut conjuncts = Vec::new();
        self.conjuncts(p, true, &mut conjuncts);
        conjuncts.retain(|p| {
            let mentioned = Footprint::of_pred(p).locals;
            !locals.iter().any(|id| mentioned.contains(id))
        });
        conjuncts.extend(self.implied(ids, &conjuncts));
        conjuncts.extend(self.chained(ids, &conjuncts));
        let plan = self.plan_plainly(ids, &conjuncts, Undefined::Tell);
        if plan.is_unbounded(self) { 0.0 } else { self.plan_cost(&plan) }
    }

    /// Whether a local is a set of sets that is computed from the others: a picture of it has a literal for
    /// each set there might be.
    fn is_computed(&self, local: LocalId, steps: &[Step]) -> bool {
        let computed =
            |step: &Step| matches!(step, Step::Bind(Pattern::Local(l), _) if *l == local);
        let is_set = |shape: &Shape| match shape {
            Shape::Set(_) | Shape::Bits(_) => true,
            Shape::Index(u) => matches!(u.kind, IndexKind::Subset(_)),
            _ => false,
        };
        let shape = self.slot(local).shape;
        is_set(&shape) && is_set(&shape.element()) && steps.iter().any(computed)
    }

    /// How many steps stay as they are: those that bind what is given, and what has few values and
    /// the sets of others depend on.
    fn kept_steps(&self, steps: &[Step]) -> usize {
        steps
            .iter()
            .enumerate()
            .position(|(i, step)| {
                let cost = self.step_cost(step);
                cost > 1.0 && !(cost <= FEW && is_wanted(step, &steps[i + 1..]))
            })
            .unwrap_or(steps.len())
    }
}

/// Whether a predicate says that one of these names is the value of something made of the bound ones.
fn tells_a_value(p: &Pred, wanted: &[LocalId], bound: &[LocalId]) -> bool {
    let tells = |x: &Expr, e: &Expr| {
        let locals = Footprint::of_expr(e).locals;
        matches!(&x.kind, ExprKind::Local(id) if wanted.contains(id))
            && wanted.iter().all(|id| !locals.contains(id))
            && bound.iter().any(|id| locals.contains(id))
    };
    p.conjuncts().iter().any(|p| match &p.kind {
        PredKind::Compare(Comparison::Equal, a, b) => tells(a, b) || tells(b, a),
        _ => false,
    })
}

/// Whether an expression looks for the best solution of something: propagation cannot tell what that is.
fn finds_best(e: &Expr) -> bool {
    let mut found = matches!(e.kind, ExprKind::Fold(Fold::Greatest | Fold::Least, ..));
    e.parts(&mut |part| {
        if let Part::Expr(e) = part {
            found |= finds_best(e);
        }
    });
    found
}

impl Step {
    /// Whether it gives values, and all that it tries are some.
    fn takes_all(&self) -> bool {
        match self {
            Step::Bind(..) | Step::Generate(_, Source::Interval { .. } | Source::Type { .. }) => {
                true
            }
            Step::Generate(_, Source::Set(set)) => {
                matches!(set.kind, ExprKind::Binary(BinaryOp::Interval, ..))
            }
            Step::Test(_) | Step::Generate(..) | Step::Solve(_) => false,
        }
    }
}

pub(in crate::eval) fn bound_by(step: &Step, out: &mut BTreeSet<LocalId>) {
    match step {
        Step::Test(_) => {}
        Step::Bind(pattern, _) | Step::Generate(pattern, _) => {
            let mut locals = Vec::new();
            locals_of(pattern, &mut locals);
            out.extend(locals);
        }
        Step::Solve(solve) => out.extend(&solve.locals),
    }
}

/// Whether a later step finds its values with what this one binds.
fn is_wanted(step: &Step, later: &[Step]) -> bool {
    let mut bound = BTreeSet::new();
    bound_by(step, &mut bound);
    later.iter().any(|step| match step {
        Step::Generate(_, Source::Set(e)) => !Footprint::of_expr(e).locals.is_disjoint(&bound),
        _ => false,
    })
}

fn mentioned(p: &Pred, of: &[LocalId]) -> BTreeSet<LocalId> {
    let locals = Footprint::of_pred(p).locals;
    of.iter().copied().filter(|l| locals.contains(l)).collect()
}

/// Takes out what gets its value from something that the solver does not picture.
fn leave_bound_ones(steps: &[Step], unbound: &[LocalId], pictured: &mut BTreeSet<LocalId>) {
    loop {
        let before = pictured.len();
        for step in steps {
            let e = match step {
                Step::Bind(_, e) | Step::Generate(_, Source::Set(e)) => e,
                _ => continue,
            };
            let needed = Footprint::of_expr(e).locals;
            if unbound.iter().any(|l| needed.contains(l) && !pictured.contains(l)) {
                let mut bound = BTreeSet::new();
                bound_by(step, &mut bound);
                pictured.retain(|l| !bound.contains(l));
            }
        }
        if pictured.len() == before {
            return;
        }
    }
}

/// The local of which a conjunct says only which set it is in.
fn typing(p: &Pred) -> Option<LocalId> {
    match &p.kind {
        PredKind::Compare(Comparison::Member | Comparison::Subset, x, _) => match x.kind {
            ExprKind::Local(id) => Some(id),
            _ => None,
        },
        _ => None,
    }
}
