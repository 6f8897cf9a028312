//! Predicates to lowered code.
//!
//! `P & Q` may be tried in any order without changing its meaning: a false conjunct makes the whole
//! false whatever the others are, and only when all the defined ones hold is an undefined one a
//! fault. The same, turned around, for `or`; and for the quantifiers: a witness makes `#x.(P)` true,
//! and a counterexample `!x.(P => Q)` false, whatever is undefined for other values. What depends on
//! an enumeration that was cut off is unknown, which is treated like undefined, except that it counts
//! before it: the unknown part may be the one that decides.

use crate::clock;
use crate::eval::compile::{Compiler, Undefined};
use crate::eval::plans::sides::is_in_domain;
use crate::eval::solutions::moves::moves;
use crate::eval::solutions::solve::{Action, Matcher, each_concluding, each_of};
use crate::eval::solutions::walk::{bind, ready};
use crate::lower::code::{BoolFn, Next, ValueFn};
use crate::lower::env::{Env, Flow, Pending, graver, undecided};
use crate::lower::rich::RichTest;
use crate::lower::stop::Stop;
use crate::lower::{Giver, Order, Quantified, Relation, Test, TotalTest, Word};
use crate::machine::footprint::Footprint;
use crate::machine::visit::same;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, UnaryOp,
};
use crate::value::{Shape, Value};
use std::sync::{Arc, OnceLock};

/// Values that a quantifier is tried for by itself, before the solver is asked for a counterexample.
const MANY_TRIED: f64 = 50_000.0;

/// Gives a name the value of an action that binds one.
fn give(action: &Action, env: &mut Env) -> Result<bool, Stop> {
    let Action::Bind(matcher, value, _) = action else { unreachable!("another action was there") };
    let value = value(env)?;
    bind(matcher, env, value)
}

/// Gives names the members of a set one after the other. What was `cut` off once is left to who can tell what that
/// means, and not begun twice.
fn give_each(
    action: &Action,
    cut: &OnceLock<Stop>,
    env: &mut Env,
    next: Next<'_>,
) -> Result<Flow, Stop> {
    let Action::Members(matcher, members, _) = action else {
        unreachable!("another action was there")
    };
    if let Some(stop) = cut.get() {
        return Err(*stop);
    }
    ready(matcher, env)?;
    let flow = members(env, &mut |env, value| {
        env.tick()?;
        match bind(matcher, env, value)? {
            true => next(env),
            false => Ok(Flow::Continue(())),
        }
    });
    if let Err(stop @ Stop::Cut(_)) = flow {
        cut.get_or_init(|| stop);
    }
    flow
}

impl Compiler<'_> {
    /// The predicate as a closure.
    pub fn pred(&self, p: &Pred) -> BoolFn {
        self.test(p).into_fn()
    }

    pub fn test(&self, p: &Pred) -> Test {
        clock::at(p.span);
        clock::work(1);
        if let Some(truth) = self.remembered_truth(p) {
            return truth;
        }
        match &p.kind {
            PredKind::True => Test::Always(true),
            PredKind::False => Test::Always(false),
            PredKind::And(ps) => Test::all(ps.iter().map(|p| self.test(p)).collect()),
            PredKind::Or(ps) => Test::any(ps.iter().map(|p| self.test(p)).collect()),
            PredKind::Not(p) => self.test(p).negated(),
            PredKind::Implies(p, q) => Test::any(vec![self.test(p).negated(), self.test(q)]),
            PredKind::Iff(p, q) => Test::Same(Box::new((self.test(p), self.test(q)))),
            PredKind::Compare(op, a, b) => self.compare(*op, a, b),
            PredKind::Forall(locals, left, right) => self
                .incremental(locals, left, right)
                .unwrap_or_else(|| self.forall(locals, left, right)),
            PredKind::Exists(locals, body) => {
                let actions = self.solving(locals, body, Undefined::Tell);
                let total = self.quantified(&actions, None);
                let each = each_of(actions, Undefined::Tell);
                let run = move |env: &mut Env| {
                    let mut open = None;
                    let flow = each(env, &mut |env| match &env.pending {
                        None => Ok(Flow::Break(())),
                        Some(pending) => {
                            open = Some(graver(open.take(), pending.clone()));
                            Ok(Flow::Continue(()))
                        }
                    });
                    let flow = unless_hopeless(env, flow, &open)?;
                    if flow.is_break() { Ok(true) } else { undecided(env, open, false) }
                };
                Test::quantified(false, run, total)
            }
            PredKind::If(c, p, q) => Test::If(Box::new((self.test(c), self.test(p), self.test(q)))),
            PredKind::Let(bindings, p) => {
                Test::Let(Arc::new((self.bindings(bindings), self.test(p))))
            }
            PredKind::Finite(set) => {
                if self.is_endless(set) {
                    self.known(false, set)
                } else if self.is_infinite(set) {
                    let part = self.enumerated(set);
                    Test::run(move |env| part(env)?.1.map_or(Ok(true), Err))
                } else if let ExprKind::Binary(BinaryOp::Interval, a, b) = &set.kind {
                    let (a, b) = (self.value(a), self.value(b));
                    Test::run(move |env| a(env).and(b(env)).map(|_| true))
                } else if self.is_word(&self.shape(&set.ty)) {
                    // There are no others of its type.
                    self.defined(set)
                } else {
                    Test::rich(RichTest::Known(true, self.rich(set)))
                }
            }
            PredKind::Partition(whole, parts) => self.partition(whole, parts),
        }
    }

    pub(in crate::eval) fn forall(&self, locals: &[LocalId], left: &Pred, right: &Pred) -> Test {
        let premise = self.premise(locals, left, right);
        let actions = self.solving(locals, &premise, Undefined::Tell);
        let plan = self.plan(locals, &premise, Undefined::Tell);
        let body = self.giving(|| {
            plan.steps.iter().for_each(|step| self.give(step));
            self.repeated(locals, || self.test(right))
        });
        let body = Arc::new(body);
        let slots = self.slots(locals);
        let total = self.quantified(&actions, Some(&body));
        let conclusion = self.conclusion(&plan, &actions, right, &body);
        let each = each_concluding(actions, Undefined::Tell, conclusion);
        let run = move |env: &mut Env| {
            let mut open = None;
            // Where the conclusion is true and the premise is undefined: that matters if not all can be tried.
            let mut vague = None;
            let flow = each(env, &mut |env| match body.holds(env) {
                Ok(true) => {
                    if vague.is_none() {
                        vague = env.pending.clone();
                    }
                    Ok(Flow::Continue(()))
                }
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
            });
            let flow = match open {
                Some(_) => unless_hopeless(env, flow, &open)?,
                None => unless_hopeless(env, flow, &vague)?,
            };
            if flow.is_break() { Ok(false) } else { undecided(env, open, true) }
        };
        Test::quantified(true, run, total)
    }

    /// What finds a solution over words and names that are given values, or one for which a test does not hold, if
    /// there is no more to it.
    fn quantified(&self, actions: &Arc<[Action]>, body: Option<&Test>) -> Option<Quantified> {
        let given = |at: usize| -> Option<Giver> {
            let own = actions.clone();
            match &actions[at] {
                Action::Bind(Matcher::Local(_), ..) => {
                    Some(Giver::Once(Arc::new(move |env: &mut Env| give(&own[at], env))))
                }
                Action::Members(..) => {
                    let cut = OnceLock::new();
                    let each =
                        move |env: &mut Env, next: Next<'_>| give_each(&own[at], &cut, env, next);
                    Some(Giver::Each(Box::new(each)))
                }
                _ => None,
            }
        };
        let moves = moves(actions, |_| false, given)?;
        Some(Quantified { moves, body: body.map(TotalTest::of) })
    }

    /// The premise of a quantifier, with some of what is true wherever the conclusion is false: no counterexample is lost.
    ///
    /// Where very many values would be tried, and the solver knows how to leave most of them out, these are all of it. Where
    /// the premise leaves a local without bounds, these are comparisons that may give it some. What comes behind a
    /// part that may be undefined is left alone, for there the conclusion is not true but undefined. With bounds, they
    /// are comparisons of fewer names than all, which are asked before the others have values (`st(p) = crit` of
    /// `p /= q => not(st(p) = crit & st(q) = crit)`); and of a single `f(a) /= f(b)`, `f` being constant, which tells in which of
    /// its pairs the counterexamples are.
    pub(in crate::eval) fn premise(&self, locals: &[LocalId], left: &Pred, right: &Pred) -> Pred {
        let mut parts = Vec::new();
        self.conjuncts(right, false, &mut parts);
        let plain = self.plan(locals, left, Undefined::Tell);
        if !plain.is_unbounded(self) {
            // Words are tried faster than the solver narrows them.
            let has_values = locals.iter().any(|local| !self.slot(*local).word);
            if has_values && self.plan_cost(&plain) >= MANY_TRIED && !plain.has_solver() {
                let parts = [left.clone()].into_iter().chain(parts.iter().cloned());
                let premise = Pred::and(parts.collect(), left.span);
                if self.plan(locals, &premise, Undefined::Tell).has_solver() {
                    return premise;
                }
            }
            let asks_all = |p: &Pred| {
                let asked = Footprint::of_pred(p).locals;
                locals.iter().all(|id| asked.contains(id))
            };
            let wanted = |p: &&Pred| match parts.len() {
                1 => is_looked_up(left, p),
                _ => matches!(p.kind, PredKind::Compare(..)) && !asks_all(p),
            };
            let wanted = parts.iter().filter(wanted).cloned();
            return Pred::and([left.clone()].into_iter().chain(wanted).collect(), left.span);
        }
        let total = parts.into_iter().take_while(|p| self.is_total_pred(p));
        let bounds = total.filter(|p| matches!(p.kind, PredKind::Compare(..)));
        Pred::and([left.clone()].into_iter().chain(bounds).collect(), left.span)
    }

    fn partition(&self, whole: &Expr, parts: &[Expr]) -> Test {
        let shape = self.shape(&whole.ty);
        let whole = self.value(whole);
        let parts: Vec<_> = parts.iter().map(|p| self.value(p)).collect();
        Test::run(move |env| {
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

    fn compare(&self, op: Comparison, a: &Expr, b: &Expr) -> Test {
        use Comparison::*;
        match op {
            Equal => self.equal(a, b),
            NotEqual => self.equal(a, b).negated(),
            Member => self.member(a, b),
            NotMember => self.member(a, b).negated(),
            Subset => self.subset(a, b),
            NotSubset => self.subset(a, b).negated(),
            StrictSubset | NotStrictSubset => {
                let strict = Test::all(vec![self.subset(a, b), self.equal(a, b).negated()]);
                if op == StrictSubset { strict } else { strict.negated() }
            }
            Less | LessEqual | Greater | GreaterEqual => self.order(op, a, b),
            LessReal | LessEqualReal | GreaterReal | GreaterEqualReal => {
                let order = match op {
                    LessReal => Order::Less,
                    LessEqualReal => Order::LessEqual,
                    GreaterReal => Order::Greater,
                    _ => Order::GreaterEqual,
                };
                Test::rich(RichTest::Ordered(order, self.rich(a), self.rich(b)))
            }
        }
    }

    fn order(&self, op: Comparison, a: &Expr, b: &Expr) -> Test {
        use Comparison::*;
        let order = match op {
            Less => Order::Less,
            LessEqual => Order::LessEqual,
            Greater => Order::Greater,
            _ => Order::GreaterEqual,
        };
        if self.exact {
            return Test::rich(RichTest::Ordered(order, self.rich(a), self.rich(b)));
        }
        Test::compare(Relation::Ordered(order), self.word(a), self.word(b))
    }

    /// Equality of two expressions of one type.
    pub fn equal(&self, a: &Expr, b: &Expr) -> Test {
        let shape = self.shape(&a.ty);
        if self.is_word(&shape) {
            return Test::equal(self.word(a), self.word(b));
        }
        if let Some((a, b)) = self.pair_words(a, b).or_else(|| self.text_words(a, b)) {
            return Test::equal(a, b);
        }
        if let Some(test) = self.growing_is_empty(a, b).or_else(|| self.interval_is_empty(a, b)) {
            return test;
        }
        if let Some(test) = self.line_is_empty(a, b).or_else(|| self.coded_compare(a, b, false)) {
            return test;
        }
        if same(a, b) && (self.is_total(a) || is_product(a)) {
            return self.known(true, a);
        }
        if self.may_be_symbolic(a) || self.may_be_symbolic(b) {
            return self.symbolic_equal(a, b);
        }
        if let Some(test) = self.by_ranges(a, b, false) {
            return test;
        }
        match (self.is_infinite(a), self.is_infinite(b)) {
            (false, false)
                if [a, b]
                    .iter()
                    .all(|e| matches!(e.kind, ExprKind::Binary(BinaryOp::Interval, ..))) =>
            {
                Test::all(vec![self.subset(a, b), self.subset(b, a)])
            }
            (false, false)
                if is_pairs(a)
                    && is_pairs(b)
                    && let Some(test) = self.equal_by_parts(a, b) =>
            {
                test
            }
            (false, false) if self.has_no_walk(a) || self.has_no_walk(b) => {
                self.equal_without_end(a, b)
            }
            (false, false) => {
                if let Some(test) = self.wide_compare(a, b, false) {
                    return test;
                }
                Test::rich(RichTest::Equal(self.rich(a), self.rich(b)))
            }
            (true, true) if same(a, b) => self.known(true, a),
            (true, true) => match (&a.kind, &b.kind) {
                (ExprKind::Basic(x), ExprKind::Basic(y)) => Test::Always(x == y),
                _ if let Some(test) = self.equal_by_parts(a, b) => test,
                _ => {
                    self.refuse(a.span.to(b.span), "comparing two infinite sets");
                    Test::Always(false)
                }
            },
            (true, false) => self.endless_equal(a, b),
            (false, true) => self.endless_equal(b, a),
        }
    }

    /// False, once the expression is known to be defined.
    pub fn then_false(&self, e: &Expr) -> Test {
        Test::rich(RichTest::Known(false, self.rich(e)))
    }

    /// `a <: b`.
    pub fn subset(&self, a: &Expr, b: &Expr) -> Test {
        let shape = self.shape(&a.ty);
        if self.is_whole_type(b) && !self.is_infinite(a) {
            return self.defined(a);
        }
        if self.is_word(&shape) && (!self.tests_by_structure(b) || self.is_total(b)) {
            return Test::compare(Relation::Subset, self.word(a), self.word(b));
        }
        if let Some(test) = self.coded_compare(a, b, true).or_else(|| self.by_ranges(a, b, true)) {
            return test;
        }
        // Neither product is built.
        if is_pairs(a)
            && is_pairs(b)
            && let Some(test) = self.subset_by_parts(a, b)
        {
            return test;
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
        if self.has_no_walk(a) {
            return self.part_without_end(a, b);
        }
        if self.tests_by_structure(b) {
            return Test::rich(RichTest::Belongs(self.rich(a), self.belongs_within(b)));
        }
        if let Some(test) = self.wide_compare(a, b, true) {
            return test;
        }
        Test::rich(RichTest::Subset(shape, self.rich(a), self.rich(b)))
    }

    /// `a..b <: c..d` and `a..b <: NATURAL` by their bounds.
    fn interval_within(&self, a: &Expr, b: &Expr) -> Option<Test> {
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
        Some(Test::run(move |env| {
            let (low, high, least) = (low(env)?, high(env)?, least(env)?);
            let most = most.as_ref().map(|f| f(env)).transpose()?;
            Ok(low > high || least <= low && most.is_none_or(|most| high <= most))
        }))
    }

    fn infinite_subset(&self, a: &Expr, b: &Expr) -> Test {
        use crate::machine::{BasicSet::*, ExprKind::Basic};
        match (&a.kind, &b.kind) {
            (_, _) if same(a, b) => self.known(true, a),
            (_, _) if self.is_whole_type(b) => self.known(true, a),
            (Basic(Natural1), Basic(Natural)) => Test::Always(true),
            (Basic(_), Basic(_)) => Test::Always(false),
            _ if !self.is_infinite(b) => self.endless_subset(a, b),
            _ if let Some(test) = self.subset_by_parts(a, b) => test,
            _ => {
                self.refuse(a.span.to(b.span), "comparing two infinite sets");
                Test::Always(false)
            }
        }
    }

    /// `x : set`.
    pub fn member(&self, x: &Expr, set: &Expr) -> Test {
        if self.is_whole_type(set) {
            return self.defined(x);
        }
        if matches!(set.kind, ExprKind::Unary(UnaryOp::Fin | UnaryOp::Fin1, _))
            && self.is_infinite(x)
            && self.is_endless(x)
            && self.is_total(x)
        {
            return Test::Always(false);
        }
        if self.may_be_symbolic(x) {
            return self.symbolic_element(x, set);
        }
        if let Some(test) = self.line_is_sequence(x, set) {
            return test;
        }
        if let Some(test) = self.in_growing(x, set).or_else(|| self.graph_in(x, set)) {
            return test;
        }
        let x_shape = self.shape(&x.ty);
        if let Some(fast) = self.member_of_domain(x, set).or_else(|| self.member_of_arrow(x, set)) {
            return fast;
        }
        if let Some(test) = self.coded_member(x, set) {
            return test;
        }
        if let Some(fields) = self.fields_within(x, set) {
            return Test::all(fields.iter().map(|p| self.test(p)).collect());
        }
        if let Some(test) = self.is_held_function(x, set) {
            return test;
        }
        if self.is_word(&x_shape)
            && let Some(test) = self.word_within(x, set)
        {
            return test;
        }
        if !self.tests_by_structure(set) {
            if let Some(test) = self.wide_member(x, set) {
                return test;
            }
            let set_shape = self.shape(&set.ty);
            if self.is_word(&set_shape) {
                return Test::compare(Relation::Member, self.word(x), self.word(set));
            }
            return Test::rich(RichTest::Member(self.rich(x), set_shape, self.rich(set)));
        }
        if let Some(test) = self.text_among(x, set) {
            return test;
        }
        if x_shape == Shape::Integer
            && !self.exact
            && let Some(test) = self.integer_range(x, set)
        {
            return test;
        }
        Test::rich(RichTest::Belongs(self.rich(x), self.belongs(set)))
    }

    /// `x : POW(s)` for a set that is a word.
    fn word_within(&self, x: &Expr, set: &Expr) -> Option<Test> {
        use UnaryOp::{Fin, Fin1, Pow, Pow1};
        let ExprKind::Unary(op @ (Pow | Pow1 | Fin | Fin1), of) = &set.kind else { return None };
        if self.tests_by_structure(of) {
            return None;
        }
        let within = self.subset(x, of);
        let empty = || Test::equal(self.word(x), Word::Constant(0));
        Some(match op {
            Pow | Fin => within,
            _ => Test::all(vec![empty().negated(), within]),
        })
    }

    /// True, once the expression is known to be defined.
    fn defined(&self, e: &Expr) -> Test {
        use crate::machine::ExprKind::*;
        match e.kind {
            Integer(_) | Variable(_) | Constant(_) | Element(..) | Bool(_) | String(_) => {
                self.known(true, e)
            }
            Local(id) if !self.may_be_unwritten(id) => Test::Always(true),
            _ => Test::rich(RichTest::Known(true, self.kept_rich(e))),
        }
    }
}

/// Whether a predicate is `f(x) = e` of a constant in the domain of which a premise says that `x` is.
fn is_looked_up(premise: &Pred, p: &Pred) -> bool {
    let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { return false };
    let in_domain =
        |f: &Expr, x: &Expr| premise.conjuncts().iter().any(|said| is_in_domain(said, f, x));
    [a, b].into_iter().any(|e| match &e.kind {
        ExprKind::Binary(BinaryOp::Apply, f, x) => {
            matches!(f.kind, ExprKind::Constant(_)) && in_domain(f, x)
        }
        _ => false,
    })
}

/// What comes of an enumeration that left something out: if that was no solution because it is undefined, and so is a
/// candidate that was tried, it is the undefinedness that counts.
fn unless_hopeless(
    env: &mut Env,
    flow: Result<Flow, Stop>,
    tried: &Option<Pending>,
) -> Result<Flow, Stop> {
    match (flow, tried) {
        (Err(Stop::Cut(_)), Some((stop @ Stop::Fault(_), fault))) if env.hopeless => {
            env.fault = fault.clone();
            Err(*stop)
        }
        (flow, _) => flow,
    }
}

/// Whether an expression is a product of two sets.
fn is_pairs(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Binary(BinaryOp::Product, ..))
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
