//! Plans to closures: all solutions of a predicate, one call for each.
//!
//! While a candidate is tried, an undefined conjunct is only remembered (`Env::pending`): if another
//! conjunct turns out false, the candidate is dropped; if all others hold, the fault is real - or, in
//! a guard, the conjunct counts as false and is noted. So the order that the plan chose does not
//! change the meaning.

use super::code::{BoolFn, EachFn, Next, Slot, ValueFn, WordFn};
use super::compile::{Compiler, Undefined};
use super::env::{Env, Flow, Pending};
use super::plan::{Pattern, Plan, Source, Step};
use super::stop::{SiteId, Stop};
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, FreeId, LocalId, Pred, PredKind, UnaryOp,
};
use crate::source::Span;
use crate::value::relation::Arrow;
use crate::value::{Shape, Value, enumerate};
use num_bigint::BigInt;
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Walks the members of a set expression.
pub type MembersFn = Box<
    dyn Fn(&mut Env, &mut dyn FnMut(&mut Env, Value) -> Result<Flow, Stop>) -> Result<Flow, Stop>
        + Send
        + Sync,
>;

/// A pattern, compiled.
enum Matcher {
    Local(Slot),
    Value(ValueFn),
    Pair(Shape, Box<Matcher>, Box<Matcher>),
}

enum Action {
    Test(BoolFn),
    /// A single local that walks a small universe, all of it: no values, no set.
    Universe(usize, u64),
    /// A single local that is a word takes the value of an expression.
    Word(usize, WordFn, Fallback),
    Bind(Matcher, ValueFn, Fallback),
    /// A single local that walks the bits of a word: the common case, without values.
    Bits(usize, WordFn, Fallback),
    Members(Matcher, MembersFn, Option<Fallback>),
    Either(Matcher, Vec<Slot>, Vec<Vec<Action>>),
}

/// What is done where the set or the value that a step takes its candidates from is undefined: they
/// must be tried all the same, since another conjunct may be false of each.
enum Fallback {
    /// All values of these locals' types, and the conjunct that the step would have made true: it
    /// may be false of some candidates even so.
    Type(Vec<(Slot, MembersFn)>, Option<BoolFn>),
    /// In a guard no candidate is a solution. So those of an unbounded type are not tried.
    Drop,
}

impl Compiler<'_> {
    /// All solutions of a predicate for these locals, each once.
    pub fn solve(&self, locals: &[LocalId], pred: &Pred, undefined: Undefined) -> EachFn {
        let plan = self.plan(locals, pred, undefined);
        self.execute(&plan, undefined)
    }

    pub fn execute(&self, plan: &Plan, undefined: Undefined) -> EachFn {
        let actions = self.actions(plan, undefined);
        Box::new(move |env, next| {
            if env.pending.is_none() {
                return run(&actions, env, &mut |env| settle(env, undefined, next));
            }
            let outer = env.pending.take();
            let result = run(&actions, env, &mut |env| settle(env, undefined, next));
            env.pending = outer;
            result
        })
    }

    fn actions(&self, plan: &Plan, undefined: Undefined) -> Vec<Action> {
        plan.steps.iter().map(|step| self.action(step, undefined)).collect()
    }

    fn action(&self, step: &Step, undefined: Undefined) -> Action {
        let fallback = |pattern: &Pattern, op: Option<Comparison>, e: Option<&Expr>| {
            let test = op.zip(e).and_then(|(op, e)| {
                let value = self.pattern_value(pattern);
                if self.is_total(e) && self.is_total(&value) {
                    return None;
                }
                let kind = PredKind::Compare(op, value, e.clone());
                Some(self.pred(&Pred::new(kind, e.span)))
            });
            self.fallback(pattern, test, undefined)
        };
        match step {
            Step::Test(p) => Action::Test(self.pred(p)),
            Step::Bind(Pattern::Local(id), e) if self.slot(*id).word => Action::Word(
                self.slot(*id).index,
                self.word(e),
                fallback(&Pattern::Local(*id), Some(Comparison::Equal), Some(e)),
            ),
            Step::Bind(pattern, e) => Action::Bind(
                self.matcher(pattern),
                self.value(e),
                fallback(pattern, Some(Comparison::Equal), Some(e)),
            ),
            Step::Generate(pattern, Source::Set(set)) => {
                if let Pattern::Local(id) = pattern {
                    let slot = self.slot(*id);
                    let by_parts = matches!(set.kind, ExprKind::Unary(op, _) if is_power(op))
                        || matches!(set.kind, ExprKind::Binary(op, ..) if Arrow::from_op(op).is_some());
                    if self.is_word(&self.shape(&set.ty)) && slot.word && !by_parts {
                        let fallback = fallback(pattern, Some(Comparison::Member), Some(set));
                        return Action::Bits(slot.index, self.word(set), fallback);
                    }
                }
                Action::Members(
                    self.matcher(pattern),
                    self.enumerate_set(set),
                    Some(fallback(pattern, Some(Comparison::Member), Some(set))),
                )
            }
            Step::Generate(pattern, Source::Interval { low, high }) => Action::Members(
                self.matcher(pattern),
                self.interval(low, high, None),
                // The bounds come from conjuncts that are tests of their own.
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
        }
    }

    fn matcher(&self, pattern: &Pattern) -> Matcher {
        match pattern {
            Pattern::Local(id) => Matcher::Local(self.slot(*id)),
            Pattern::Value(e) => Matcher::Value(self.value(e)),
            Pattern::Pair(l, r, ty) => {
                Matcher::Pair(self.shape(ty), Box::new(self.matcher(l)), Box::new(self.matcher(r)))
            }
        }
    }

    fn fallback(&self, pattern: &Pattern, test: Option<BoolFn>, undefined: Undefined) -> Fallback {
        let mut ids = Vec::new();
        locals_of(pattern, &mut ids);
        let unbounded = ids.iter().any(|id| !self.slot(*id).shape.is_finite());
        if undefined == Undefined::False && unbounded {
            return Fallback::Drop;
        }
        let members = |id: &LocalId| (self.slot(*id), self.type_members(*id, &[], &[]));
        Fallback::Type(ids.iter().map(members).collect(), test)
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

    /// All values of a local's type; of an unbounded type those within the limits, with a note.
    fn type_members(&self, id: LocalId, low: &[Expr], high: &[Expr]) -> MembersFn {
        let local = self.machine().local(id);
        let (name, span) = (local.name.to_string(), local.span);
        let shape = self.shape(&local.ty);
        if shape == Shape::Integer {
            return self.interval(low, high, Some((span, name)));
        }
        self.all_values(shape, span, name)
    }

    /// The values of a shape, integers and strings in it within the limits.
    fn all_values(&self, shape: Shape, span: Span, name: String) -> MembersFn {
        if shape.is_finite() {
            return Box::new(move |env, f| walk(env, f, |sink| enumerate::all(&shape, sink)));
        }
        let (min, max) = (self.instance.min_int, self.instance.max_int);
        Box::new(move |env, f| {
            note_unbounded(env, span, &name);
            match bounded_values(&shape, (min, max), span, env)? {
                Bounded::List(values) => {
                    for v in values {
                        env.tick()?;
                        if f(env, v)?.is_break() {
                            return Ok(Flow::Break(()));
                        }
                    }
                    Ok(Flow::Continue(()))
                }
                Bounded::Subsets(of) => {
                    walk(env, f, |sink| enumerate::subsets(&shape, &of, false, sink))
                }
            }
        })
    }

    /// The integers between the greatest lower and the least upper bound; where a side has no bound,
    /// the integer limit stands in, and the name is noted.
    fn interval(
        &self,
        low: &[Expr],
        high: &[Expr],
        unbounded: Option<(Span, String)>,
    ) -> MembersFn {
        let lows: Vec<ValueFn> = low.iter().map(|e| self.value(e)).collect();
        let highs: Vec<ValueFn> = high.iter().map(|e| self.value(e)).collect();
        let (min, max) = (Value::Int(self.instance.min_int), Value::Int(self.instance.max_int));
        Box::new(move |env, f| {
            if let Some((span, name)) = &unbounded {
                note_unbounded(env, *span, name);
            }
            let mut from = None;
            for e in &lows {
                let v = e(env)?;
                from = Some(from.map_or(v.clone(), |x: Value| x.max(v)));
            }
            let mut to = None;
            for e in &highs {
                let v = e(env)?;
                to = Some(to.map_or(v.clone(), |x: Value| x.min(v)));
            }
            integers(env, from.unwrap_or_else(|| min.clone()), to.unwrap_or_else(|| max.clone()), f)
        })
    }

    /// Walks the members of a set expression: by its form for sets of sets and functions, intervals
    /// and the like, else over the built set.
    pub fn enumerate_set(&self, set: &Expr) -> MembersFn {
        let shape = self.shape(&set.ty);
        let (min, max) = (self.instance.min_int, self.instance.max_int);
        let bounds = |low: i64, high: i64| -> MembersFn {
            Box::new(move |env, f| integers(env, Value::Int(low), Value::Int(high), f))
        };
        match &set.kind {
            ExprKind::Basic(b) => match b {
                BasicSet::Int => bounds(min, max),
                BasicSet::Nat => bounds(0, max),
                BasicSet::Nat1 => bounds(1, max),
                BasicSet::Bool => self.all_values(shape.element(), set.span, "BOOL".into()),
                BasicSet::Natural => self.noted(bounds(0, max), set.span, "NATURAL"),
                BasicSet::Natural1 => self.noted(bounds(1, max), set.span, "NATURAL1"),
                BasicSet::Integer => self.noted(bounds(min, max), set.span, "INTEGER"),
                _ => self.all_values(shape.element(), set.span, format!("{b:?}").to_uppercase()),
            },
            ExprKind::Freetype(_, made) => {
                let all = self.all_values(shape.element(), set.span, "a free type".into());
                let made = *made;
                Box::new(move |env, f| {
                    all(env, &mut |env, v| match (made, &v) {
                        (Some(number), Value::Free(x)) if x.0 != number => Ok(Flow::Continue(())),
                        _ => f(env, v),
                    })
                })
            }
            ExprKind::Carrier(_) => self.all_values(shape.element(), set.span, String::new()),
            ExprKind::Binary(BinaryOp::Interval, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                Box::new(move |env, f| {
                    let (a, b) = (a(env)?, b(env)?);
                    integers(env, a, b, f)
                })
            }
            ExprKind::Unary(op, of) if is_power(*op) => {
                let (op, of_shape) = (*op, self.shape(&of.ty));
                let base = self.finite_base(of);
                let element = shape.element();
                Box::new(move |env, f| {
                    let of = base(env)?;
                    walk(env, f, |sink| match op {
                        UnaryOp::Pow | UnaryOp::Fin => {
                            enumerate::subsets(&of_shape, &of, false, sink)
                        }
                        UnaryOp::Pow1 | UnaryOp::Fin1 => {
                            enumerate::subsets(&of_shape, &of, true, sink)
                        }
                        UnaryOp::Perm => enumerate::permutations(&element, &of, sink),
                        _ => enumerate::injective_sequences(
                            &element,
                            &of,
                            op == UnaryOp::Iseq1,
                            sink,
                        ),
                    })
                })
            }
            ExprKind::Unary(op @ (UnaryOp::Seq | UnaryOp::Seq1), of) => {
                let (nonempty, base, element) =
                    (*op == UnaryOp::Seq1, self.finite_base(of), shape.element());
                let span = set.span;
                let longest = max.max(0) as usize;
                Box::new(move |env, f| {
                    note_unbounded(env, span, "seq");
                    let of = base(env)?;
                    walk(env, f, |sink| {
                        enumerate::sequences_up_to(&element, &of, longest, nonempty, sink)
                    })
                })
            }
            ExprKind::Binary(op, a, b) if Arrow::from_op(*op).is_some() => {
                let arrow = Arrow::from_op(*op).unwrap_or(Arrow::RELATIONS);
                let (a, b) = (self.finite_base(a), self.finite_base(b));
                let rel = shape.element();
                Box::new(move |env, f| {
                    let (dom, ran) = (a(env)?, b(env)?);
                    walk(env, f, |sink| enumerate::arrows(&rel, arrow, &dom, &ran, sink))
                })
            }
            ExprKind::Binary(BinaryOp::Product, a, b)
                if self.tests_by_structure(set) || !self.is_word(&shape) =>
            {
                let (a, b, pairs) = (self.enumerate_set(a), self.enumerate_set(b), shape.element());
                Box::new(move |env, f| {
                    a(env, &mut |env, x| b(env, &mut |env, y| f(env, pairs.pair(x.clone(), y))))
                })
            }
            _ => {
                let built = self.value(set);
                Box::new(move |env, f| {
                    let set = built(env)?;
                    for v in shape.members(&set) {
                        env.tick()?;
                        if f(env, v)?.is_break() {
                            return Ok(Flow::Break(()));
                        }
                    }
                    Ok(Flow::Continue(()))
                })
            }
        }
    }

    fn noted(&self, members: MembersFn, span: Span, name: &'static str) -> MembersFn {
        Box::new(move |env, f| {
            note_unbounded(env, span, name);
            members(env, f)
        })
    }

    /// The set under a power set or an arrow as a value: an infinite one within the limits.
    fn finite_base(&self, set: &Expr) -> ValueFn {
        if !self.is_infinite(set) {
            return self.value(set);
        }
        let (shape, members, span) = (self.shape(&set.ty), self.enumerate_set(set), set.span);
        Box::new(move |env| {
            let mut items = Vec::new();
            let _ = members(env, &mut |env, v| {
                items.push(v);
                env.room_for(items.len(), span)?;
                Ok(Flow::Continue(()))
            })?;
            Ok(shape.collect(items))
        })
    }
}

fn is_power(op: UnaryOp) -> bool {
    use UnaryOp::*;
    matches!(op, Pow | Pow1 | Fin | Fin1 | Perm | Iseq | Iseq1)
}

/// Runs one of the value room's enumerations, asking the clock at each value.
fn walk(
    env: &mut Env,
    f: &mut dyn FnMut(&mut Env, Value) -> Result<Flow, Stop>,
    enumeration: impl FnOnce(
        &mut dyn FnMut(Value) -> ControlFlow<Result<(), Stop>>,
    ) -> ControlFlow<Result<(), Stop>>,
) -> Result<Flow, Stop> {
    let end = enumeration(&mut |v| match env.tick().and_then(|()| f(env, v)) {
        Ok(Flow::Continue(())) => ControlFlow::Continue(()),
        Ok(Flow::Break(())) => ControlFlow::Break(Ok(())),
        Err(stop) => ControlFlow::Break(Err(stop)),
    });
    match end {
        ControlFlow::Continue(()) => Ok(Flow::Continue(())),
        ControlFlow::Break(Ok(())) => Ok(Flow::Break(())),
        ControlFlow::Break(Err(stop)) => Err(stop),
    }
}

/// All integers from one to another.
fn integers(
    env: &mut Env,
    from: Value,
    to: Value,
    f: &mut dyn FnMut(&mut Env, Value) -> Result<Flow, Stop>,
) -> Result<Flow, Stop> {
    let mut at = from;
    while at <= to {
        env.tick()?;
        if f(env, at.clone())?.is_break() {
            return Ok(Flow::Break(()));
        }
        at = match at {
            Value::Int(i) if i < i64::MAX => Value::Int(i + 1),
            other => Value::integer(other.to_big().unwrap_or_default() + BigInt::from(1)),
        };
    }
    Ok(Flow::Continue(()))
}

fn note_unbounded(env: &mut Env, span: Span, name: &str) {
    env.notes.unbounded.insert((span, name.to_string()));
}

enum Bounded {
    List(Vec<Value>),
    Subsets(Value),
}

/// The values of an unbounded shape with integers within the limits and the strings seen so far.
fn bounded_values(
    shape: &Shape,
    (min, max): (i64, i64),
    span: Span,
    env: &mut Env,
) -> Result<Bounded, Stop> {
    let list = |shape: &Shape, env: &mut Env| -> Result<Vec<Value>, Stop> {
        match bounded_values(shape, (min, max), span, env)? {
            Bounded::List(values) => Ok(values),
            Bounded::Subsets(of) => {
                let mut all = Vec::new();
                let _ = walk(
                    env,
                    &mut |env, v| {
                        all.push(v);
                        env.room_for(all.len(), span)?;
                        Ok(Flow::Continue(()))
                    },
                    |sink| enumerate::subsets(shape, &of, false, sink),
                )?;
                Ok(all)
            }
        }
    };
    Ok(match shape {
        Shape::Integer | Shape::Real => {
            env.room_for(max.saturating_sub(min).max(0) as usize, span)?;
            let number = |i: i64| match shape {
                Shape::Integer => Value::Int(i),
                _ => Value::real(i as f64),
            };
            // There is room for all of them, which may still take a while.
            let mut all = Vec::new();
            for i in min..=max {
                env.tick()?;
                all.push(number(i));
            }
            Bounded::List(all)
        }
        Shape::String => {
            Bounded::List(env.strings.iter().map(|s| Value::String(s.clone())).collect())
        }
        Shape::Set(e) => {
            let members = list(e, env)?;
            Bounded::Subsets(shape.collect(members))
        }
        Shape::Pair(p) => {
            let (left, right) = (list(&p.0, env)?, list(&p.1, env)?);
            let pairs =
                left.iter().flat_map(|x| right.iter().map(|y| shape.pair(x.clone(), y.clone())));
            Bounded::List(pairs.collect())
        }
        Shape::Record(fields) => {
            let mut records: Vec<Vec<Value>> = vec![Vec::new()];
            for field in fields.iter() {
                let values = list(field, env)?;
                let mut longer = Vec::new();
                for record in &records {
                    for v in &values {
                        env.tick()?;
                        longer.push(record.iter().cloned().chain([v.clone()]).collect());
                    }
                }
                records = longer;
            }
            Bounded::List(records.into_iter().map(|r| Value::Record(r.into())).collect())
        }
        Shape::Index(_) | Shape::Bits(_) => {
            let mut all = Vec::new();
            let _ = walk(
                env,
                &mut |_, v| {
                    all.push(v);
                    Ok(Flow::Continue(()))
                },
                |sink| enumerate::all(shape, sink),
            )?;
            Bounded::List(all)
        }
        Shape::Free(id) => Bounded::List(free_values(*id, (min, max), span, env)?),
    })
}

/// Deepest values of a free type that an enumeration makes.
const FREE_DEPTH: u32 = 3;

/// The values of a free type with constructors nested at most [`FREE_DEPTH`] deep.
fn free_values(
    id: FreeId,
    (min, max): (i64, i64),
    span: Span,
    env: &mut Env,
) -> Result<Vec<Value>, Stop> {
    let freetypes = env.freetypes.clone();
    let Some(constructors) = freetypes.get(id.0 as usize) else { return Ok(Vec::new()) };
    if env.free_depth >= FREE_DEPTH {
        return Ok(Vec::new());
    }
    env.free_depth += 1;
    let mut make = || {
        let mut values = Vec::new();
        for (number, argument) in constructors.iter().enumerate() {
            let number = number as u32;
            let Some(shape) = argument else {
                values.push(Value::Free(Arc::new((number, None))));
                continue;
            };
            let arguments = match bounded_values(shape, (min, max), span, env)? {
                Bounded::List(list) => list,
                Bounded::Subsets(of) => {
                    let mut all = Vec::new();
                    let _ = walk(
                        env,
                        &mut |env, v| {
                            all.push(v);
                            env.room_for(all.len(), span)?;
                            Ok(Flow::Continue(()))
                        },
                        |sink| enumerate::subsets(shape, &of, false, sink),
                    )?;
                    all
                }
            };
            for argument in arguments {
                env.tick()?;
                values.push(Value::Free(Arc::new((number, Some(argument)))));
                env.room_for(values.len(), span)?;
            }
        }
        Ok(values)
    };
    let result = make();
    env.free_depth -= 1;
    result
}

/// What becomes of a candidate for which no conjunct is false.
#[inline]
fn settle(env: &mut Env, undefined: Undefined, next: Next<'_>) -> Result<Flow, Stop> {
    if env.pending.is_none() { next(env) } else { settle_undefined(env, undefined, next) }
}

#[cold]
fn settle_undefined(env: &mut Env, undefined: Undefined, next: Next<'_>) -> Result<Flow, Stop> {
    match (undefined, env.pending.clone()) {
        (_, None) => Ok(Flow::Continue(())),
        (Undefined::Tell, _) => next(env),
        (Undefined::False, Some((Stop::Fault(site), _))) => {
            let span = env.site(site).span;
            env.note_undefined(span);
            Ok(Flow::Continue(()))
        }
        (_, Some((stop, fault))) => {
            env.fault = fault;
            Err(stop)
        }
    }
}

/// Remembers an undefined conjunct for the rest of the candidate, and goes on.
fn suspended(
    env: &mut Env,
    stop: Stop,
    rest: impl FnOnce(&mut Env) -> Result<Flow, Stop>,
) -> Result<Flow, Stop> {
    let first = env.pending.is_none();
    if first {
        env.pending = Some((stop, env.fault.take()));
    }
    let result = rest(env);
    if first {
        env.pending = None;
    }
    result
}

fn run(actions: &[Action], env: &mut Env, next: Next<'_>) -> Result<Flow, Stop> {
    let Some((action, rest)) = actions.split_first() else { return next(env) };
    match action {
        Action::Test(p) => match p(env) {
            Ok(true) => run(rest, env, next),
            Ok(false) => Ok(Flow::Continue(())),
            Err(stop @ Stop::Fault(_)) => suspended(env, stop, |env| run(rest, env, next)),
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
                if run(rest, env, next)?.is_break() {
                    return Ok(Flow::Break(()));
                }
            }
            Ok(Flow::Continue(()))
        }
        Action::Word(slot, e, fallback) => match e(env) {
            Ok(w) => {
                env.words[*slot] = w;
                run(rest, env, next)
            }
            Err(Stop::Fault(site)) => fall_back(fallback, site, env, rest, next),
            Err(stop) => Err(stop),
        },
        Action::Bind(matcher, e, fallback) => match ready(matcher, env).and_then(|()| e(env)) {
            Ok(v) => matched(matcher, env, v, rest, next),
            Err(Stop::Fault(site)) => fall_back(fallback, site, env, rest, next),
            Err(stop) => Err(stop),
        },
        Action::Bits(slot, set, fallback) => match set(env) {
            Ok(mut bits) => {
                env.tick()?;
                while bits != 0 {
                    env.words[*slot] = bits.trailing_zeros() as u64;
                    bits &= bits - 1;
                    if run(rest, env, next)?.is_break() {
                        return Ok(Flow::Break(()));
                    }
                }
                Ok(Flow::Continue(()))
            }
            Err(Stop::Fault(site)) => fall_back(fallback, site, env, rest, next),
            Err(stop) => Err(stop),
        },
        Action::Members(matcher, members, fallback) => {
            // A fault of the set itself must be told from one further down, which is not ours.
            let mut inner = None;
            let result = ready(matcher, env).and_then(|()| {
                members(env, &mut |env, v| {
                    let result = matched(matcher, env, v, rest, next);
                    if result.is_err() {
                        inner = Some(());
                    }
                    result
                })
            });
            match (result, inner, fallback) {
                (Err(Stop::Fault(site)), None, Some(fallback)) => {
                    fall_back(fallback, site, env, rest, next)
                }
                (result, ..) => result,
            }
        }
        Action::Either(matcher, slots, parts) => either(matcher, slots, parts, env, rest, next),
    }
}

fn locals_of(pattern: &Pattern, out: &mut Vec<LocalId>) {
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
    rest: &[Action],
    next: Next<'_>,
) -> Result<Flow, Stop> {
    match fallback {
        Fallback::Type(locals, test) => all_values(locals, test.as_ref(), env, rest, next),
        Fallback::Drop => {
            let span = env.site(site).span;
            env.note_undefined(span);
            Ok(Flow::Continue(()))
        }
    }
}

fn all_values(
    locals: &[(Slot, MembersFn)],
    test: Option<&BoolFn>,
    env: &mut Env,
    rest: &[Action],
    next: Next<'_>,
) -> Result<Flow, Stop> {
    if let Some(((slot, members), others)) = locals.split_first() {
        return members(env, &mut |env, v| {
            slot.set(env, v)?;
            all_values(others, test, env, rest, next)
        });
    }
    match test.map_or(Ok(true), |test| test(env)) {
        Ok(true) => run(rest, env, next),
        Ok(false) => Ok(Flow::Continue(())),
        Err(stop @ Stop::Fault(_)) => suspended(env, stop, |env| run(rest, env, next)),
        Err(stop) => Err(stop),
    }
}

/// Whether what a pattern compares with is defined.
fn ready(matcher: &Matcher, env: &mut Env) -> Result<(), Stop> {
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
    rest: &[Action],
    next: Next<'_>,
) -> Result<Flow, Stop> {
    if bind(matcher, env, value)? { run(rest, env, next) } else { Ok(Flow::Continue(())) }
}

fn bind(matcher: &Matcher, env: &mut Env, value: Value) -> Result<bool, Stop> {
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
    rest: &[Action],
    next: Next<'_>,
) -> Result<Flow, Stop> {
    let mut seen: FxHashSet<Vec<Value>> = FxHashSet::default();
    let mut found: Vec<Value> = Vec::new();
    let mut undefined: Vec<(Vec<Value>, Value, Pending)> = Vec::new();
    for part in parts {
        let outer = env.pending.take();
        let result = run(part, env, &mut |env| {
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
