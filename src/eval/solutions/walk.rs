//! All solutions of a predicate, one call for each: the actions of its plan, run.
//!
//! While a candidate is tried, an undefined conjunct is only remembered (`Env::pending`): if another
//! conjunct turns out false, the candidate is dropped; if all others hold, the fault is real, or the
//! caller is told. So the order that the plan chose does not change the meaning.
//!
//! A conjunct whose value is unknown, because an enumeration in it was cut off, is treated likewise; but
//! whether its candidate is a solution stays open. It is left out, as are those that an enumeration
//! here did not reach, and the solutions end with [`Stop::Cut`] (unless whoever asked broke off).

use super::cases::{CaseCode, Found, asked};
use super::solve::{Action, Drop, Fallback, Matcher};
use crate::eval::compile::Undefined;
use crate::eval::unbuilt::members::MembersFn;
use crate::lower::Test;
use crate::lower::code::{Next, Slot};
use crate::lower::env::{Env, Fault, Flow, LeftOut, Pending, graver};
use crate::lower::stop::{CutId, FaultKind, SiteId, Stop};
use crate::value::Value;
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::sync::Arc;

/// What becomes of a candidate for which no conjunct is false and something has no truth value.
#[cold]
fn settle_undefined(env: &mut Env, undefined: Undefined, next: Next<'_>) -> Result<Flow, Stop> {
    match (undefined, env.pending.clone()) {
        (_, None) => Ok(Flow::Continue(())),
        (Undefined::Tell, _) => next(env),
        (_, Some((Stop::Cut(cut), _))) => leave_out(env, cut),
        (Undefined::Guard, _) => next(env),
        (Undefined::Outcome, Some((Stop::Fault(site), fault))) => {
            env.fault = fault;
            env.fail(site);
            Ok(Flow::Continue(()))
        }
        (Undefined::Fault | Undefined::Outcome, Some((stop, fault))) => {
            env.fault = fault;
            Err(stop)
        }
    }
}

/// There may be solutions that are not found. Those that are found are solutions all the same.
#[cold]
fn leave_out(env: &mut Env, cut: CutId) -> Result<Flow, Stop> {
    let hopeless = matches!(env.pending, Some((Stop::Fault(_), _)));
    leave_those_out(env, LeftOut { cut, hopeless, undefined: None });
    Ok(Flow::Continue(()))
}

fn leave_those_out(env: &mut Env, those: LeftOut) {
    match &mut env.left_out {
        None => env.left_out = Some(those),
        Some(known) => {
            known.hopeless &= those.hopeless;
            known.undefined = known.undefined.take().filter(|_| those.undefined.is_some());
            let cut = known.cut;
            if cut != those.cut {
                let both = env.cut_at_both(cut, those.cut);
                env.left_out.iter_mut().for_each(|known| known.cut = both);
            }
        }
    }
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
pub(super) type Rest<'a> = (&'a [Action], Option<Undefined>);

/// Calls `next` for each way through the actions; `end`: what becomes of candidates for which something
/// is undefined or unknown, if that is to be decided here.
pub(super) fn run(
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
        Action::First(first) => match first.passes(env) {
            true => run(rest, env, end, next),
            false => Ok(Flow::Continue(())),
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
            Err(stop) => without(stop, fallback, env, (rest, end), next),
        },
        Action::Bind(matcher, e, fallback) => match ready(matcher, env).and_then(|()| e(env)) {
            Ok(v) => matched(matcher, env, v, (rest, end), next),
            Err(stop) => without(stop, fallback, env, (rest, end), next),
        },
        Action::Bits(slot, set, fallback) => match set.get(env).map_err(Stop::from) {
            Ok(bits) => each_bit(bits, |i, words| words[*slot] = i, env, (rest, end), next),
            Err(stop) => without(stop, fallback, env, (rest, end), next),
        },
        Action::Codes(of, fallback) => match of.set.get(env).map_err(Stop::from) {
            Ok(codes) => each_bit(codes, |i, words| of.bind(i, words), env, (rest, end), next),
            Err(stop) => without(stop, fallback, env, (rest, end), next),
        },
        Action::Range(slot, range, fallback) => match range.bounds(env) {
            Ok((low, high)) => {
                env.whole_of(low, high)?;
                for i in low..=high {
                    env.tick()?;
                    env.words[*slot] = i as u64;
                    if run(rest, env, end, next)?.is_break() {
                        return Ok(Flow::Break(()));
                    }
                }
                Ok(Flow::Continue(()))
            }
            Err(stop) => without(stop, fallback, env, (rest, end), next),
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
        Action::Streamed(matcher, slots, own, part) => {
            env.tick()?;
            streamed((matcher, slots, own), part, env, (rest, end), next)
        }
        Action::Cases(slot, cases, otherwise) => match asked(cases, env)? {
            Some((chosen, Found::Value(value))) => {
                slot.set(env, value)?;
                others(cases, Some(chosen), env, &mut |env| run(rest, env, end, next))
            }
            Some((chosen, Found::Values(actions))) => run(actions, env, None, &mut |env| {
                others(cases, Some(chosen), env, &mut |env| run(rest, env, end, next))
            }),
            None => run(otherwise, env, None, &mut |env| {
                others(cases, None, env, &mut |env| run(rest, env, end, next))
            }),
        },
        Action::Solve(propagation, tests, otherwise, later) => {
            let outer = env.left_out.take();
            // Behind it may be less than all of the plan.
            let test = |at: &Option<usize>| match at.and_then(|at| rest.get(at)) {
                Some(Action::Test(test)) => Some(test),
                _ => None,
            };
            let codes: Vec<Option<&Test>> = tests.iter().map(test).collect();
            let mut skipped = vec![false; rest.len()];
            let result = match propagation.run(env, &codes, &mut |env, proved| {
                // Who wants to know why has all of it asked.
                let skips = !env.explain && !env.forgetful;
                for (at, proved) in tests.iter().zip(proved) {
                    if let Some(skipped) = at.and_then(|at| skipped.get_mut(at)) {
                        *skipped = *proved && skips;
                    }
                }
                left(rest, &skipped, env, end, next)
            }) {
                Ok(Some(flow)) => Ok(flow),
                Ok(None) => run(otherwise, env, None, &mut |env| run(rest, env, end, next)),
                Err(Stop::Cut(cut)) => leave_out(env, cut),
                Err(stop) => Err(stop),
            };
            // What the solver has tried is not what the other actions would try: that matters unless a conclusion is true.
            with_left_out(result, outer, env, |env| match later {
                Some(later) if env.conclusion.is_some() => {
                    later.leaves_any(otherwise, (rest, end), env)
                }
                _ => Ok(true),
            })
        }
    }
}

/// Adds what was left out to what had been before (`outer`), if it leaves any.
fn with_left_out(
    result: Result<Flow, Stop>,
    outer: Option<LeftOut>,
    env: &mut Env,
    leaves_any: impl FnOnce(&mut Env) -> Result<bool, Stop>,
) -> Result<Flow, Stop> {
    let Some(those) = std::mem::replace(&mut env.left_out, outer) else { return result };
    // Of what lies beyond limits alone no more is asked: there is much of that, and it is told.
    let is_undefined = those.hopeless || those.undefined.is_some();
    if !is_undefined || !matches!(result, Ok(Flow::Continue(()))) || leaves_any(env)? {
        leave_those_out(env, those);
    }
    result
}

/// Goes on for each bit of a word, which is given to locals.
#[inline(always)]
fn each_bit(
    mut bits: u64,
    bind: impl Fn(u64, &mut [u64]),
    env: &mut Env,
    (rest, end): Rest<'_>,
    next: Next<'_>,
) -> Result<Flow, Stop> {
    env.tick()?;
    while bits != 0 {
        bind(u64::from(bits.trailing_zeros()), &mut env.words);
        bits &= bits - 1;
        if run(rest, env, end, next)?.is_break() {
            return Ok(Flow::Break(()));
        }
    }
    Ok(Flow::Continue(()))
}

/// Goes on without the tests that need not be run.
fn left(
    mut actions: &[Action],
    mut skipped: &[bool],
    env: &mut Env,
    end: Option<Undefined>,
    next: Next<'_>,
) -> Result<Flow, Stop> {
    while let ([Action::Test(test), rest @ ..], [skips, after @ ..]) = (actions, skipped) {
        match if *skips { Ok(true) } else { test.holds(env) } {
            Ok(true) => (actions, skipped) = (rest, after),
            Ok(false) => return Ok(Flow::Continue(())),
            Err(stop @ (Stop::Fault(_) | Stop::Cut(_))) => {
                return suspended(env, stop, |env| left(rest, after, env, end, next));
            }
            Err(stop) => return Err(stop),
        }
    }
    run(actions, env, end, next)
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

/// Goes on where that which gives values to locals has none itself.
#[cold]
fn without(
    stop: Stop,
    fallback: &Fallback,
    env: &mut Env,
    rest: Rest<'_>,
    next: Next<'_>,
) -> Result<Flow, Stop> {
    match stop {
        Stop::Fault(site) => fall_back(fallback, site, env, rest, next),
        Stop::Cut(cut) => leave_out(env, cut),
        stop => Err(stop),
    }
}

fn fall_back(
    fallback: &Fallback,
    site: SiteId,
    env: &mut Env,
    rest: Rest<'_>,
    next: Next<'_>,
) -> Result<Flow, Stop> {
    let (id, site) = (site, env.site(site));
    if site.kind.is_final() {
        return Err(Stop::Fault(id));
    }
    let drops = fallback.drop.as_ref().is_some_and(|drop| match drop {
        Drop::Always => true,
        Drop::Pairs(places) => site.kind == FaultKind::OutsideDomain && places.contains(&site.span),
    });
    if drops {
        env.note_undefined(site.span);
        return Ok(Flow::Continue(()));
    }
    let why = (id, env.fault.take());
    if let Some(later) = &fallback.later
        && !later.leaves_any(&[], rest, env)?
    {
        return Ok(Flow::Continue(()));
    }
    let before = std::mem::replace(&mut env.forgetful, true);
    let outer = env.left_out.take();
    let trial = Trial { why: &why, fallback, tried: &Cell::new(0) };
    let result = all_values(&fallback.locals, trial, env, rest, next);
    let result = with_left_out(result, outer, env, |env| {
        let later = fallback.later.as_ref();
        later.map_or(Ok(true), |later| later.leaves_any(&[], rest, env))
    });
    env.forgetful = before;
    result
}

/// Most values of a type that are tried where the set of candidates is undefined: with more of them it stays unknown
/// whether other conjuncts are false of all.
pub(super) const MOST_TRIED: u32 = 1 << 18;

/// What is done with each of all values.
#[derive(Clone, Copy)]
struct Trial<'t> {
    /// What is undefined, so that all are tried.
    why: &'t (SiteId, Option<Box<Fault>>),
    fallback: &'t Fallback,
    /// How many were tried so far.
    tried: &'t Cell<u32>,
}

impl Trial<'_> {
    fn count(self, env: &mut Env) -> Result<(), Stop> {
        self.tried.set(self.tried.get() + 1);
        match &self.fallback.site {
            Some(site) if self.tried.get() > MOST_TRIED => Err(env.cut(site)),
            _ => Ok(()),
        }
    }
}

/// Goes on with all values of these locals.
fn all_values(
    locals: &[(Slot, MembersFn)],
    trial: Trial<'_>,
    env: &mut Env,
    rest: Rest<'_>,
    next: Next<'_>,
) -> Result<Flow, Stop> {
    if let Some(((slot, members), others)) = locals.split_first() {
        let flow = members(env, &mut |env, v| {
            trial.count(env)?;
            slot.set(env, v)?;
            all_values(others, trial, env, rest, next)
        });
        return match flow {
            // The set or the value that they would be compared with is undefined.
            Err(Stop::Cut(cut)) => {
                let undefined = Some(trial.why.clone());
                leave_those_out(env, LeftOut { cut, hopeless: true, undefined });
                Ok(Flow::Continue(()))
            }
            flow => flow,
        };
    }
    let (rest, end) = rest;
    match trial.fallback.test.as_ref().map_or(Ok(true), |test| test(env)) {
        Ok(true) => run(rest, env, end, next),
        Ok(false) => Ok(Flow::Continue(())),
        Err(stop @ (Stop::Fault(_) | Stop::Cut(_))) => {
            suspended(env, stop, |env| run(rest, env, end, next))
        }
        Err(stop) => Err(stop),
    }
}

/// Whether what a pattern compares with is defined.
pub(in crate::eval) fn ready(matcher: &Matcher, env: &mut Env) -> Result<(), Stop> {
    match matcher {
        Matcher::Local(_) | Matcher::Moved { .. } => Ok(()),
        Matcher::Value(e) => e(env).map(|_| ()),
        Matcher::Pair(_, l, r) => {
            ready(l, env)?;
            ready(r, env)
        }
        Matcher::Record(fields) => fields.iter().try_for_each(|field| ready(field, env)),
        Matcher::Construct(_, argument) => ready(argument, env),
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

pub(in crate::eval) fn bind(matcher: &Matcher, env: &mut Env, value: Value) -> Result<bool, Stop> {
    match matcher {
        Matcher::Local(slot) => slot.set(env, value).map(|()| true),
        others => bind_parts(others, env, &value),
    }
}

/// The same of a value that somebody holds: only what locals are given is copied.
fn bind_parts(matcher: &Matcher, env: &mut Env, value: &Value) -> Result<bool, Stop> {
    match matcher {
        Matcher::Local(slot) => slot.set(env, value.clone()).map(|()| true),
        Matcher::Value(e) => Ok(e(env)? == *value),
        Matcher::Pair(shape, l, r) => match value {
            Value::Pair(sides) => {
                Ok(bind_parts(l, env, &sides.0)? && bind_parts(r, env, &sides.1)?)
            }
            value => {
                let (x, y) = shape.split(value);
                Ok(bind_parts(l, env, &x)? && bind_parts(r, env, &y)?)
            }
        },
        Matcher::Record(fields) => {
            let Value::Record(values) = value else { return Ok(false) };
            for (field, value) in fields.iter().zip(values.iter()) {
                if !bind_parts(field, env, value)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Matcher::Construct(number, argument) => match value {
            Value::Free(made) if made.0 == *number => match &made.1 {
                Some(value) => bind_parts(argument, env, value),
                None => Ok(false),
            },
            _ => Ok(false),
        },
        Matcher::Moved { slot, number, inverse } => {
            slot.set(env, value.clone())?;
            let own = inverse(env)?;
            slot.set(env, own)?;
            // Of a product not all numbers are.
            Ok(number(env)? == *value)
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
            if let Some(pending) = env.pending.clone() {
                undefined.push((values, read(matcher, env), pending));
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
    give_undefined(matcher, (undefined, seen), env, rest, next)
}

/// What a plan has found: the candidates that are undefined, with what they give and why; the values of the others.
type Met = (Vec<(Vec<Value>, Value, Pending)>, FxHashSet<Vec<Value>>);

/// The solutions of a plan, each once, as they are found; then the candidates that are undefined. What comes after may give
/// the plan's own locals other values in the meantime.
fn streamed(
    (matcher, slots, own): (&Matcher, &[Slot], &[Slot]),
    part: &[Action],
    env: &mut Env,
    rest: Rest<'_>,
    next: Next<'_>,
) -> Result<Flow, Stop> {
    let (mut undefined, mut seen): Met = Default::default();
    let outer = env.pending.take();
    let result = run(part, env, None, &mut |env| {
        let values: Vec<Value> = slots.iter().map(|s| s.get(env)).collect();
        if let Some(pending) = env.pending.clone() {
            undefined.push((values, read(matcher, env), pending));
            return Ok(Flow::Continue(()));
        }
        if !seen.insert(values) {
            return Ok(Flow::Continue(()));
        }
        let before: Vec<Value> = own.iter().map(|slot| slot.get(env)).collect();
        let value = read(matcher, env);
        env.pending = outer.clone();
        let flow = matched(matcher, env, value, rest, next)?;
        env.pending = None;
        for (slot, value) in own.iter().zip(before) {
            slot.set(env, value)?;
        }
        Ok(flow)
    });
    env.pending = outer;
    if result?.is_break() {
        return Ok(Flow::Break(()));
    }
    give_undefined(matcher, (undefined, seen), env, rest, next)
}

fn give_undefined(
    matcher: &Matcher,
    (undefined, mut seen): Met,
    env: &mut Env,
    rest: Rest<'_>,
    next: Next<'_>,
) -> Result<Flow, Stop> {
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

fn read(matcher: &Matcher, env: &mut Env) -> Value {
    match matcher {
        Matcher::Local(slot) => slot.get(env),
        Matcher::Value(_) => Value::FALSE,
        // What is put together again is taken apart again.
        Matcher::Moved { number, .. } => number(env).unwrap_or(Value::FALSE),
        Matcher::Pair(shape, l, r) => {
            let l = read(l, env);
            shape.pair(l, read(r, env))
        }
        Matcher::Record(fields) => {
            Value::Record(fields.iter().map(|field| read(field, env)).collect())
        }
        Matcher::Construct(number, argument) => {
            Value::Free(Arc::new((*number, Some(read(argument, env)))))
        }
    }
}
