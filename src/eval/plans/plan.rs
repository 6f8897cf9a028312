//! Plans: in which order the solutions of a predicate are found.
//!
//! A predicate over unbound locals is *solved*, not filtered out of the product of their types. The
//! plan is a list of steps; each binds locals from what is bound already, or tests. It is data: it is
//! printed in tests and read by whoever wants to know what depends on what.
//!
//! Conjuncts are taken in the order that costs least, by a greedy choice: a test as soon as its
//! locals are bound; then an equation; then the generator with the fewest expected members; and only
//! when nothing else bounds a local, all values of its type.

use super::applied::only_applies;
use super::estimate::{GROWN, LAST_RESORT, UNBOUNDED, is_costly, is_grown};
use super::inverse::Part;
use super::offers::{Choice, Offers, Origin};
use super::pointwise::Points;
use crate::clock;
use crate::eval::compile::{Compiler, Undefined};
use crate::eval::consequences::implied::lengths;
use crate::machine::footprint::Footprint;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, FreeId, LocalId, Pred, PredKind, Type, UnaryOp,
};
use crate::source::Span;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// How to find all solutions, each once.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Plan {
    pub steps: Vec<Step>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    Test(Pred),
    /// The pattern takes the value of the expression apart.
    Bind(Pattern, Expr),
    /// The pattern takes each member in turn.
    Generate(Pattern, Source),
    /// The solver gives the locals the values of each candidate in turn.
    Solve(Rc<Solve>),
}

/// Locals that are found by propagation.
#[derive(Clone, PartialEq, Debug)]
pub struct Solve {
    pub locals: Vec<LocalId>,
    /// What says something about these locals and no others that are not bound. All of it is tested
    /// later on.
    pub conjuncts: Vec<Pred>,
    /// Functions that are known by then, as they are told: of what is not known yet, the body says more than the values.
    pub told: Vec<(LocalId, Expr)>,
    /// Where the solver cannot take the conjuncts apart.
    pub otherwise: Plan,
}

/// What a generated value is matched with.
#[derive(Clone, PartialEq, Debug)]
pub enum Pattern {
    Local(LocalId),
    /// Must equal this.
    Value(Expr),
    Pair(Box<Pattern>, Box<Pattern>, Type),
    /// Fields in the order of the type.
    Record(Vec<Pattern>, Type),
    /// Must be made by this constructor, of what the pattern matches.
    Construct(FreeId, u32, Box<Pattern>, Type),
    /// A number that is this expression of a local: the local has the value of another one, in which it stands for the
    /// number.
    Moved {
        local: LocalId,
        number: Expr,
        inverse: Expr,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub enum Source {
    /// The members of a set expression, walked without building it where its form allows.
    Set(Expr),
    /// Integers from the greatest of the lower bounds to the least of the upper ones.
    Interval { low: Vec<Expr>, high: Vec<Expr> },
    /// All values of the local's type; of an unbounded type those within the integer limits (and
    /// within these bounds), which is noted.
    Type { low: Vec<Expr>, high: Vec<Expr> },
    /// The solutions of any of these, each once: the pattern is the tuple of the locals.
    Either(Vec<LocalId>, Vec<Rc<Plan>>),
    /// The ways in which these parts of a concatenation make up a sequence: a tuple of the locals.
    Parts(Vec<Part>, Vec<LocalId>, Expr),
    /// The sequences of a set of sequences that are no longer than a number.
    UpTo(Expr, Expr),
    /// What the first condition that is true asks for; where none is, the values of a plan.
    Cases(Vec<Case>, Rc<Plan>),
}

/// A condition, and what it asks for.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    pub condition: Pred,
    pub asked: Asked,
    /// The conjunct that says no more than that: it is tested where another case gave the value.
    pub conjunct: Option<Pred>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Asked {
    Value(Expr),
    /// Each of the values that a plan gives the local.
    Values(Rc<Plan>),
    /// The function that equations tell point by point, if they tell all of it.
    Points(Points),
}

impl Plan {
    /// Whether some local ranges over an infinite type that nothing bounds.
    pub fn is_unbounded(&self, compiler: &Compiler<'_>) -> bool {
        self.steps.iter().any(|step| match step {
            Step::Generate(Pattern::Local(id), Source::Type { .. }) => {
                !compiler.instance.local_shape(*id).is_finite()
            }
            Step::Generate(_, Source::Set(set)) => compiler.estimate(set) >= UNBOUNDED,
            Step::Solve(solve) => solve.otherwise.is_unbounded(compiler),
            _ => false,
        })
    }

    /// Whether the solver has a part in it.
    pub(in crate::eval) fn has_solver(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Solve(_)))
    }

    /// Whether some local may come to range over an infinite type: where no condition asks for a value of it.
    fn may_be_unbounded(&self, compiler: &Compiler<'_>) -> bool {
        self.steps.iter().any(|step| match step {
            Step::Generate(_, Source::Cases(_, otherwise)) => otherwise.is_unbounded(compiler),
            Step::Generate(_, Source::Either(_, plans)) => {
                plans.iter().any(|plan| plan.may_be_unbounded(compiler))
            }
            _ => false,
        })
    }
}

/// What has been planned: by the predicate's place, the locals asked for and the treatment of what is
/// undefined. The copies that a definition leaves of a predicate share a place.
pub type PlanMemory = FxHashMap<(Span, Vec<LocalId>, Undefined), Vec<(Pred, Rc<Plan>)>>;

pub(super) struct Planner<'c, 'a, 'p> {
    pub(super) compiler: &'c Compiler<'a>,
    pub(super) undefined: Undefined,
    unbound: BTreeSet<LocalId>,
    pub(super) conjuncts: Vec<Conjunct<'p>>,
    /// The conjuncts that mention a local, in their order.
    mentions: FxHashMap<LocalId, Vec<usize>>,
    pub(super) offers: Offers,
    steps: Vec<Step>,
}

pub(super) struct Conjunct<'p> {
    pub(super) pred: &'p Pred,
    /// The unbound locals that it mentions.
    pub(super) locals: BTreeSet<LocalId>,
    /// It is a step, or was made true by one.
    pub(super) done: bool,
}

impl Compiler<'_> {
    /// Plans the solutions of a predicate for these locals.
    ///
    /// A disjunction or a quantifier inside of a predicate is planned once for each set of locals that
    /// it is asked to give, however often the plans around it ask: without that memory the work would
    /// double with each level of nesting.
    pub fn plan(&self, locals: &[LocalId], pred: &Pred, undefined: Undefined) -> Rc<Plan> {
        let key = (pred.span, locals.to_vec(), undefined);
        let known = |plans: &PlanMemory| {
            let (_, plan) = plans.get(&key)?.iter().find(|(p, _)| p == pred)?;
            Some(plan.clone())
        };
        if let Some(plan) = known(&self.plans.borrow()) {
            return plan;
        }
        let mut conjuncts = Vec::new();
        self.conjuncts(pred, true, &mut conjuncts);
        let plan = Rc::new(self.plan_conjuncts(locals, conjuncts, undefined));
        self.plans.borrow_mut().entry(key).or_default().push((pred.clone(), plan.clone()));
        plan
    }

    fn plan_conjuncts(
        &self,
        locals: &[LocalId],
        conjuncts: Vec<Pred>,
        undefined: Undefined,
    ) -> Plan {
        let mut conjuncts: Vec<Pred> =
            conjuncts.into_iter().filter(|p| !self.says_nothing(p)).collect();
        self.tell_parts(locals, &mut conjuncts);
        conjuncts.extend(self.implied(locals, &conjuncts));
        conjuncts.extend(self.chained(locals, &conjuncts));
        conjuncts.extend(self.rooted(locals, &conjuncts));
        conjuncts.extend(self.far_bounds(locals, &conjuncts));
        conjuncts.extend(lengths(&conjuncts));
        let plain = self.plan_plainly(locals, &conjuncts, undefined);
        self.with_solver(locals, &conjuncts, undefined, plain)
    }

    /// A plan that tries one local after the other.
    pub(super) fn plan_plainly(
        &self,
        locals: &[LocalId],
        conjuncts: &[Pred],
        undefined: Undefined,
    ) -> Plan {
        let unbound: BTreeSet<LocalId> = locals.iter().copied().collect();
        let conjuncts = conjuncts
            .iter()
            .map(|pred| {
                let locals =
                    Footprint::of_pred(pred).locals.intersection(&unbound).copied().collect();
                Conjunct { pred, locals, done: false }
            })
            .collect();
        let mut planner = Planner {
            compiler: self,
            undefined,
            unbound,
            conjuncts,
            mentions: FxHashMap::default(),
            offers: Offers::default(),
            steps: Vec::new(),
        };
        planner.run();
        Plan { steps: planner.steps }
    }
}

impl Planner<'_, '_, '_> {
    fn run(&mut self) {
        for (i, conjunct) in self.conjuncts.iter().enumerate() {
            for local in &conjunct.locals {
                self.mentions.entry(*local).or_default().push(i);
            }
        }
        self.offers.ask((0..self.conjuncts.len()).map(Origin::Conjunct));
        self.offers.ask(self.unbound.iter().copied().map(Origin::Type));
        self.take_tests(0..self.conjuncts.len());
        while !self.unbound.is_empty() {
            let choice = self.best_choice();
            if let Step::Bind(Pattern::Local(id), e) = &choice.step {
                self.compiler.note(*id, e);
            }
            let mut touched: BTreeSet<usize> = choice.consumed.iter().copied().collect();
            touched.iter().for_each(|i| self.conjuncts[*i].done = true);
            for local in &choice.binds {
                self.unbound.remove(local);
                self.offers.remove(Origin::Type(*local));
                for i in self.mentions.get(local).into_iter().flatten() {
                    self.conjuncts[*i].locals.remove(local);
                    touched.insert(*i);
                }
            }
            for i in &touched {
                let conjunct = &self.conjuncts[*i];
                clock::work(1 + conjunct.locals.len());
                self.offers.ask_again(Origin::Conjunct(*i));
                if conjunct.done {
                    self.offers.remove(Origin::Conjunct(*i));
                }
                for local in &conjunct.locals {
                    self.offers.ask_again(Origin::Type(*local));
                }
            }
            self.steps.push(choice.step);
            self.take_tests(touched);
        }
    }

    /// Moves those of these conjuncts whose locals are bound to the steps, cheap ones first.
    fn take_tests(&mut self, of: impl IntoIterator<Item = usize>) {
        let mut ready: Vec<&Pred> = Vec::new();
        for i in of {
            let conjunct = &mut self.conjuncts[i];
            if !conjunct.done && conjunct.locals.is_empty() {
                conjunct.done = true;
                ready.push(conjunct.pred);
                self.offers.remove(Origin::Conjunct(i));
            }
        }
        ready.sort_by_key(|p| (is_costly(p), self.compiler.asks_description(p)));
        self.steps.extend(ready.into_iter().cloned().map(Step::Test));
    }

    fn best_choice(&mut self) -> Choice {
        while let Some(origin) = self.offers.next_stale() {
            let best = match origin {
                Origin::Conjunct(i) => self.best_of(i),
                Origin::Type(local) => Some(self.by_type(local)),
            };
            if let Some(choice) = best {
                self.offers.add(origin, choice);
            }
        }
        let first = self.offers.first().map(|origin| self.preferred(origin));
        first.and_then(|origin| self.offers.remove(origin)).expect("every local has a type")
    }

    /// The best that a conjunct offers.
    fn best_of(&self, i: usize) -> Option<Choice> {
        let mut best: Option<Choice> = None;
        self.offers_of(i, self.conjuncts[i].pred, &mut |choice| {
            if best.as_ref().is_none_or(|b| choice.cost < b.cost) {
                best = Some(choice);
            }
        });
        best
    }

    pub(super) fn is_bound(&self, e: &Expr) -> bool {
        Footprint::of_expr(e).locals.is_disjoint(&self.unbound)
    }

    pub(super) fn is_open_local(&self, id: LocalId) -> bool {
        self.unbound.contains(&id)
    }

    pub(super) fn is_bound_pred(&self, p: &Pred) -> bool {
        Footprint::of_pred(p).locals.is_disjoint(&self.unbound)
    }

    /// Whether all that a predicate waits for is this local.
    pub(super) fn waits_for(&self, p: &Pred, local: LocalId) -> bool {
        let locals = Footprint::of_pred(p).locals;
        self.unbound.intersection(&locals).copied().eq([local])
    }

    /// Whether the only unbound local of a predicate has no bounds by its type.
    fn is_of_one_without_bounds(&self, p: &Pred) -> bool {
        let locals = Footprint::of_pred(p).locals;
        let mut unbound = self.unbound.intersection(&locals);
        let (first, others) = (unbound.next(), unbound.next());
        first.is_some_and(|local| others.is_none() && self.has_no_bounds(*local))
    }

    /// The conjuncts that mention a local.
    pub(super) fn mentioning(&self, local: LocalId) -> impl Iterator<Item = &Pred> {
        self.mentions.get(&local).into_iter().flatten().map(|i| self.conjuncts[*i].pred)
    }

    /// Those of them that are neither steps yet nor made true by one.
    pub(super) fn open_conjuncts(&self, local: LocalId) -> impl Iterator<Item = (usize, &Pred)> {
        let conjuncts = self.mentions.get(&local).into_iter().flatten();
        let open = conjuncts.map(|i| (*i, &self.conjuncts[*i])).filter(|(_, c)| !c.done);
        open.map(|(i, c)| (i, c.pred))
    }

    /// Those of them that wait for this local only.
    pub(super) fn only(&self, local: LocalId) -> impl Iterator<Item = &Pred> {
        let conjuncts = self.mentions.get(&local).into_iter().flatten();
        let open = conjuncts.map(|i| &self.conjuncts[*i]).filter(|c| !c.done);
        open.filter(|c| c.locals.len() == 1).map(|c| c.pred)
    }

    /// Reads an expression as a pattern over unbound locals; `None` where it is neither.
    pub(super) fn pattern(&self, e: &Expr, binds: &mut Vec<LocalId>) -> Option<Pattern> {
        self.pattern_of(e, false, binds)
    }

    /// The same for members of a set, among which numbers may be told by sums and products, too.
    fn member_pattern(&self, e: &Expr, binds: &mut Vec<LocalId>) -> Option<Pattern> {
        self.pattern_of(e, true, binds)
    }

    fn pattern_of(&self, e: &Expr, moved: bool, binds: &mut Vec<LocalId>) -> Option<Pattern> {
        match &e.kind {
            ExprKind::Local(id) if self.unbound.contains(id) && !binds.contains(id) => {
                binds.push(*id);
                Some(Pattern::Local(*id))
            }
            ExprKind::Binary(BinaryOp::Pair, a, b) if !self.is_bound(e) => {
                let left = self.pattern_of(a, moved, binds)?;
                let right = self.pattern_of(b, moved, binds)?;
                Some(Pattern::Pair(Box::new(left), Box::new(right), e.ty.clone()))
            }
            ExprKind::Record(fields) if !self.is_bound(e) => {
                let fields = fields.iter().map(|field| self.pattern_of(field, moved, binds));
                Some(Pattern::Record(fields.collect::<Option<_>>()?, e.ty.clone()))
            }
            ExprKind::Construct(of, number, Some(argument)) if !self.is_bound(e) => {
                let argument = self.pattern_of(argument, moved, binds)?;
                Some(Pattern::Construct(*of, *number, Box::new(argument), e.ty.clone()))
            }
            _ if self.is_bound(e) => Some(Pattern::Value(e.clone())),
            _ if moved => self.moved(e, binds),
            _ => None,
        }
    }

    /// Whether what is planned next is done for each of several values.
    pub(super) fn gives_several(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Generate(..) | Step::Solve(_)))
    }

    fn offers_of(&self, i: usize, pred: &Pred, offer: &mut dyn FnMut(Choice)) {
        clock::work(1);
        if let PredKind::Compare(_, a, b) = &pred.kind {
            self.offer_domains(a, offer);
            self.offer_domains(b, offer);
        }
        match &pred.kind {
            PredKind::Compare(Comparison::Equal, a, b) => {
                for (x, e) in [(a, b), (b, a)] {
                    self.offer_equation(i, x, e, offer);
                    self.offer_application(x, e, offer);
                    self.offer_isolated(i, x, e, offer);
                    self.offer_ends(x, e, offer);
                    self.offer_grouped(i, x, e, offer);
                    self.offer_parts(x, e, offer);
                    self.offer_of_length(x, e, offer);
                }
            }
            PredKind::Compare(Comparison::Member, x, set) if self.is_bound(set) => {
                let image = self.image_of_key(x, set);
                let (x, set) = image.as_ref().map_or((x, set), |(y, image)| (*y, image));
                self.offer_points(x, set, offer);
                self.offer_loops(x, set, offer);
                let mut binds = Vec::new();
                if let Some(pattern) = self.member_pattern(x, &mut binds)
                    && !binds.is_empty()
                {
                    let mut cost = self.estimate_beginning(&pattern, set);
                    if is_grown(set) {
                        // Better than all values of the type.
                        cost = cost.min(GROWN);
                    }
                    if cost < UNBOUNDED {
                        let step = Step::Generate(pattern, Source::Set(set.clone()));
                        offer(Choice { cost, step, consumed: vec![i], binds });
                    }
                } else if self.member_pattern(x, &mut Vec::new()).is_none() {
                    self.offer_sides(x, set, offer);
                }
            }
            PredKind::Compare(op @ (Comparison::Subset | Comparison::StrictSubset), x, set)
                if self.is_bound(set) =>
            {
                if let ExprKind::Local(id) = x.kind
                    && self.unbound.contains(&id)
                {
                    let power = Expr::new(
                        ExprKind::Unary(UnaryOp::Pow, Arc::new(set.clone())),
                        Type::pow(set.ty.clone()),
                        set.span,
                    );
                    let cost = self.compiler.estimate(&power);
                    if cost < UNBOUNDED {
                        let consumed = if *op == Comparison::Subset { vec![i] } else { Vec::new() };
                        let step = Step::Generate(Pattern::Local(id), Source::Set(power));
                        offer(Choice { cost, step, consumed, binds: vec![id] });
                    }
                }
            }
            PredKind::Compare(op, a, b) => self.offer_up_to(*op, a, b, offer),
            PredKind::Or(parts) => self.offer_either(i, parts, offer),
            PredKind::Implies(p, q) if self.is_of_one_without_bounds(pred) => {
                self.offer_either(i, &[self.compiler.negated(p), (**q).clone()], offer);
            }
            PredKind::Exists(locals, body) => self.offer_exists(i, locals, body, offer),
            _ => {}
        }
    }

    /// `y : r[{x}]` for `x |-> y : r` with `x` known, of a relation that may have no end: not all of its pairs are
    /// looked at.
    fn image_of_key<'e>(&self, pair: &'e Expr, r: &Expr) -> Option<(&'e Expr, Expr)> {
        let ExprKind::Binary(BinaryOp::Pair, x, y) = &pair.kind else { return None };
        if !self.compiler.may_be_symbolic(r) || !self.is_bound(x) || self.is_bound(y) {
            return None;
        }
        let key = ExprKind::SetExtension(vec![(**x).clone()]);
        let key = Expr::new(key, Type::pow(x.ty.clone()), x.span);
        let image = ExprKind::Binary(BinaryOp::Image, Arc::new(r.clone()), Arc::new(key));
        Some((y, Expr::new(image, Type::pow(y.ty.clone()), pair.span)))
    }

    fn offer_equation(&self, i: usize, x: &Expr, e: &Expr, offer: &mut dyn FnMut(Choice)) {
        if !self.is_bound(e) || self.compiler.is_infinite(e) {
            return;
        }
        let mut binds = Vec::new();
        if let Some(pattern) = self.pattern(x, &mut binds)
            && !binds.is_empty()
        {
            offer(Choice {
                cost: 0.0,
                step: Step::Bind(pattern, e.clone()),
                consumed: vec![i],
                binds,
            });
        } else if let Some((id, side)) = self.side(x, e) {
            let step = Step::Bind(Pattern::Local(id), side);
            offer(Choice { cost: 0.0, step, consumed: Vec::new(), binds: vec![id] });
        }
    }

    /// A disjunction each of whose parts gives the same unbound locals by itself.
    fn offer_either(&self, i: usize, parts: &[Pred], offer: &mut dyn FnMut(Choice)) {
        let wanted: Vec<LocalId> = self.conjuncts[i].locals.iter().copied().collect();
        if self.is_better_by_type(&wanted, parts) || self.only_applies_one(&wanted, parts) {
            return;
        }
        let mut plans = Vec::with_capacity(parts.len());
        for part in parts {
            let plan = self.compiler.plan(&wanted, part, self.undefined);
            // Where one part gives no end of them the others are of no use.
            if self.compiler.plan_cost(&plan) >= UNBOUNDED {
                return;
            }
            plans.push(plan);
        }
        self.offer_plans(i, wanted, plans, offer);
    }

    /// Whether all values of one of these locals are fewer than what a disjunction would give for sure: each part
    /// gives all values of the locals that it does not mention.
    fn is_better_by_type(&self, wanted: &[LocalId], parts: &[Pred]) -> bool {
        let counts: Vec<f64> = wanted
            .iter()
            .map(|l| self.compiler.instance.local_shape(*l).count().map_or(UNBOUNDED, |n| n as f64))
            .collect();
        let least = counts.iter().copied().fold(UNBOUNDED, f64::min);
        let given: f64 = parts
            .iter()
            .map(|part| {
                let mentioned = Footprint::of_pred(part).locals;
                let others = wanted.iter().zip(&counts).filter(|(l, _)| !mentioned.contains(l));
                others.map(|(_, count)| count).product::<f64>()
            })
            .sum();
        least + 0.5 <= given
    }

    /// Whether one of the parts only applies one of these locals, which by its type may be any of infinitely many functions.
    fn only_applies_one(&self, wanted: &[LocalId], parts: &[Pred]) -> bool {
        let only_applied = |id: &LocalId| {
            parts.iter().any(|part| only_applies(part, *id))
                && !self.compiler.slot(*id).shape.is_finite()
        };
        wanted.iter().any(only_applied)
    }

    fn offer_exists(
        &self,
        i: usize,
        locals: &[LocalId],
        body: &Pred,
        offer: &mut dyn FnMut(Choice),
    ) {
        let wanted: Vec<LocalId> =
            self.conjuncts[i].locals.iter().copied().filter(|l| !locals.contains(l)).collect();
        let all: Vec<LocalId> = wanted.iter().chain(locals).copied().collect();
        let plan = self.compiler.plan(&all, body, self.undefined);
        self.offer_plans(i, wanted, vec![plan], offer);
    }

    fn offer_plans(
        &self,
        i: usize,
        wanted: Vec<LocalId>,
        plans: Vec<Rc<Plan>>,
        offer: &mut dyn FnMut(Choice),
    ) {
        let mut cost: f64 = plans.iter().map(|p| self.compiler.plan_cost(p)).sum();
        if wanted.is_empty() || cost >= UNBOUNDED {
            return;
        }
        if plans.iter().any(|p| p.may_be_unbounded(self.compiler)) {
            cost = cost.max(LAST_RESORT);
        }
        let step = Step::Generate(
            tuple_pattern(self.compiler, &wanted),
            Source::Either(wanted.clone(), plans),
        );
        // Collecting and comparing the solutions costs something over a plain generator.
        offer(Choice { cost: 2.0 * cost + 1.0, step, consumed: vec![i], binds: wanted });
    }

    /// All values of the local's type, the integers between its bounds, or what equations of its fields or conditions ask
    /// for.
    fn by_type(&self, local: LocalId) -> Choice {
        let plain = self.by_type_alone(local);
        let by_fields = self.by_fields(local).filter(|choice| choice.cost < plain.cost);
        by_fields.or_else(|| self.by_cases(local, &plain)).unwrap_or(plain)
    }

    pub(super) fn by_type_alone(&self, local: LocalId) -> Choice {
        clock::work(1);
        let ty = &self.compiler.machine().local(local).ty;
        let pattern = Pattern::Local(local);
        let choice = |cost, source| Choice {
            cost,
            step: Step::Generate(pattern.clone(), source),
            consumed: Vec::new(),
            binds: vec![local],
        };
        if *ty != Type::Integer {
            // Numbers before what is made of them: they may be the bounds of the rest.
            let count = self.compiler.shape(ty).count().map_or(2.0 * UNBOUNDED, |n| n as f64);
            return choice(count + 0.5, Source::Type { low: Vec::new(), high: Vec::new() });
        }
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for i in self.mentions.get(&local).into_iter().flatten() {
            let conjunct = &self.conjuncts[*i];
            if !conjunct.done {
                self.bounds_of(conjunct.pred, local, &mut low, &mut high);
            }
        }
        if low.is_empty() || high.is_empty() {
            return choice(UNBOUNDED, Source::Type { low, high });
        }
        let cost = self.compiler.interval_cost(&low, &high);
        choice(cost, Source::Interval { low, high })
    }

    /// Bounds that a conjunct puts on an integer local. The conjunct stays as a test.
    fn bounds_of(&self, pred: &Pred, local: LocalId, low: &mut Vec<Expr>, high: &mut Vec<Expr>) {
        clock::work(1);
        let PredKind::Compare(op, a, b) = &pred.kind else { return };
        let is_local = |e: &Expr| e.kind == ExprKind::Local(local);
        let number =
            |n: i64, span: Span| Expr::new(ExprKind::Integer(BigInt::from(n)), Type::Integer, span);
        let shifted = |e: &Expr, by: i64| {
            Expr::new(
                ExprKind::Binary(BinaryOp::Add, Arc::new(e.clone()), Arc::new(number(by, e.span))),
                Type::Integer,
                e.span,
            )
        };
        use Comparison::*;
        match op {
            Member if is_local(a) && self.is_bound(b) => match &b.kind {
                ExprKind::Basic(BasicSet::Natural) => low.push(number(0, b.span)),
                ExprKind::Basic(BasicSet::Natural1) => low.push(number(1, b.span)),
                ExprKind::Binary(BinaryOp::Interval, from, to) => {
                    low.push((**from).clone());
                    high.push((**to).clone());
                }
                _ => {}
            },
            Less | LessEqual | Greater | GreaterEqual => {
                let strict = matches!(op, Less | Greater);
                let is_less = matches!(op, Less | LessEqual);
                let bound = match (self.is_bound(b), self.is_bound(a)) {
                    (true, _) => self.isolate_bound(local, a, b.clone(), is_less),
                    (_, true) => self.isolate_bound(local, b, a.clone(), !is_less),
                    _ => None,
                };
                match (bound, strict) {
                    (Some((bound, true)), true) => high.push(shifted(&bound, -1)),
                    (Some((bound, true)), false) => high.push(bound),
                    (Some((bound, false)), true) => low.push(shifted(&bound, 1)),
                    (Some((bound, false)), false) => low.push(bound),
                    (None, _) => {}
                }
            }
            _ => {}
        }
    }
}

/// The left-nested tuple of locals as a pattern.
pub(super) fn tuple_pattern(compiler: &Compiler<'_>, locals: &[LocalId]) -> Pattern {
    let ty = |id: &LocalId| compiler.machine().local(*id).ty.clone();
    let mut rest = locals.iter();
    let first = rest.next().expect("at least one local");
    let start = (Pattern::Local(*first), ty(first));
    let (pattern, _) = rest.fold(start, |(left, left_ty), id| {
        let pair = Type::pair(left_ty, ty(id));
        (Pattern::Pair(Box::new(left), Box::new(Pattern::Local(*id)), pair.clone()), pair)
    });
    pattern
}

/// The locals that a pattern binds.
pub(in crate::eval) fn locals_of(pattern: &Pattern, out: &mut Vec<LocalId>) {
    match pattern {
        Pattern::Local(id) => out.push(*id),
        Pattern::Value(_) => {}
        Pattern::Pair(l, r, _) => {
            locals_of(l, out);
            locals_of(r, out);
        }
        Pattern::Record(fields, _) => fields.iter().for_each(|field| locals_of(field, out)),
        Pattern::Construct(_, _, argument, _) => locals_of(argument, out),
        Pattern::Moved { local, .. } => out.push(*local),
    }
}
