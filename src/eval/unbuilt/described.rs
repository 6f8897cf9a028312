//! Sets that are kept by their descriptions: what is asked of one. Whether something is a member, what it has at a point,
//! which members are found, and whether these are all.

use super::graph::at_value;
use super::members::solutions;
use super::symbolic::not_decided;
use crate::eval::compile::{Compiler, Undefined};
use crate::lower::code::Binder;
pub(super) use crate::lower::description::Symbol;
use crate::lower::description::{Asking, PartFn, SymbolicCode};
use crate::lower::env::Env;
use crate::lower::stop::{CutSite, FaultKind, Stop, Within};
use crate::machine::{BinaryOp, Expr, ExprKind, Fold, Kept};
use crate::source::Span;
use crate::stack;
use crate::value::{Shape, Value, relation};

impl Compiler<'_> {
    /// Its members as far as they are found; `None` where nothing can look for them.
    pub(super) fn found(&self, set: &Expr) -> Option<PartFn> {
        if let ExprKind::Binary(op @ (BinaryOp::Union | BinaryOp::Override), a, b) = &set.kind
            && [a, b].iter().all(|side| !self.is_infinite(side) || self.is_open(side))
        {
            return self.found_either(*op, a, b);
        }
        let (ExprKind::Comprehension(locals, pred) | ExprKind::Fold(Fold::Lambda, locals, pred, _)) =
            &set.kind
        else {
            return (self.is_infinite(set) || matches!(set.kind, ExprKind::SetExtension(_)))
                .then(|| self.enumerated(set));
        };
        // What cannot be walked can be known by its description all the same.
        let problems = self.problems.borrow().len();
        let each = self.solve(locals, pred, Undefined::Fault);
        let shape = self.shape(&set.ty);
        let binder = Binder::tuple(&self.slots(locals));
        let part = match &set.kind {
            ExprKind::Fold(.., body) => {
                let (pairs, body) = (shape.element(), self.kept(body));
                let pair = move |env: &mut Env| Ok(pairs.pair(binder.read(env), body(env)?));
                solutions(each, shape, set.span, pair)
            }
            _ => solutions(each, shape, set.span, move |env| Ok(binder.read(env))),
        };
        let walkable = self.problems.borrow().len() == problems;
        self.problems.borrow_mut().truncate(problems);
        walkable.then_some(part)
    }

    /// The members of both sides, or of the left one where the right one has nothing, as far as they are found.
    fn found_either(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<PartFn> {
        let side = |e: &Expr| self.found(e).or_else(|| self.at_hand(e));
        let (shape, a, b) = (self.shape(&a.ty), side(a)?, side(b)?);
        Some(Box::new(move |env| {
            let ((x, cut), (y, other)) = (a(env)?, b(env)?);
            let both = match op {
                BinaryOp::Union => shape.union(&x, &y),
                // What is not found may stand in the place of what is on the left.
                _ if other.is_some() => y,
                _ => relation::overriding(&shape, &x, &y),
            };
            Ok((both, cut.or(other)))
        }))
    }

    /// All of a set, or, where it turns out to be kept by its description, nothing of it.
    fn at_hand(&self, set: &Expr) -> Option<PartFn> {
        let site = CutSite { span: set.span, name: "".into(), within: Within::Limits };
        let (shape, set) = (self.shape(&set.ty), self.storable(set)?);
        Some(Box::new(move |env| match set(env)? {
            Value::Symbolic(_) => Ok((shape.empty(), Some(env.cut(&site)))),
            set => Ok((set, None)),
        }))
    }
}

/// Most descriptions that may be evaluated within each other: so deep a recursion has no end.
pub const MAX_RECURSION: u32 = 50_000;

/// Depth from which it is noted what is asked, so that a circle is found out.
const DEEP: u32 = 500;

/// How often one evaluation may come to such an end. Where each level has several candidates, all would lead to it.
const MOST_ENDS: u32 = 64;

/// Runs with the parameters of a description bound, and puts back what was in their place. All
/// recursion of functions and sets that mention themselves comes through here.
fn within<T>(
    env: &mut Env,
    s: &Symbol,
    run: impl FnOnce(&mut Env, &SymbolicCode) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let codes = env.symbolic.clone();
    let code = &codes[s.0 as usize];
    env.tick()?;
    let before: Vec<(u64, Value)> =
        code.frame.iter().map(|s| (env.words[s.index], env.values[s.index].clone())).collect();
    let mut result = Ok(());
    for (slot, v) in code.parameters.iter().zip(s.1.iter()) {
        result = result.and_then(|()| slot.set(env, v.clone()));
    }
    let result = result.and_then(|()| {
        if env.recursion == MAX_RECURSION || env.dead_ends >= MOST_ENDS {
            return Err(dead_end(env, code.span));
        }
        env.recursion += 1;
        let result = stack::deep(|| run(env, code));
        env.recursion -= 1;
        if env.recursion == 0 {
            env.dead_ends = 0;
        }
        result
    });
    for (slot, (word, value)) in code.frame.iter().zip(before) {
        env.words[slot.index] = word;
        env.values[slot.index] = value;
    }
    result
}

/// Nothing comes of a recursion.
fn dead_end(env: &mut Env, span: Span) -> Stop {
    env.dead_ends = env.dead_ends.saturating_add(1);
    env.fault(FaultKind::RecursionTooDeep, span, [])
}

/// The same for a question that is not asked again before it is answered: nothing changes in between, so that this
/// would go on for ever.
fn asked<T>(
    env: &mut Env,
    s: &Symbol,
    asking: impl FnOnce() -> Asking,
    run: impl FnOnce(&mut Env, &SymbolicCode) -> Result<T, Stop>,
) -> Result<T, Stop> {
    if env.recursion < DEEP {
        return within(env, s, run);
    }
    let asking = asking();
    if !env.asked.insert(asking.clone()) {
        let span = env.symbolic[s.0 as usize].span;
        return Err(dead_end(env, span));
    }
    let answer = within(env, s, run);
    env.asked.remove(&asking);
    answer
}

pub(super) fn is_member(env: &mut Env, s: &Symbol, x: &Value) -> Result<bool, Stop> {
    let asking = || Asking::Member(s.clone(), x.clone());
    asked(env, s, asking, |env, code| (code.member)(env, x))
}

/// What a symbolic relation has at a point: `None` where its description does not tell.
pub(in crate::eval) fn images(
    env: &mut Env,
    s: &Symbol,
    x: &Value,
) -> Result<Option<Vec<Value>>, Stop> {
    if !env.symbolic[s.0 as usize].remembered {
        return images_of(env, s, x);
    }
    if let Some(known) = env.memory.points.known(s, x) {
        return Ok(Some(known));
    }
    let found = images_of(env, s, x)?;
    if let Some(found) = &found {
        env.memory.points.learn(s, x, found);
    }
    Ok(found)
}

/// The same where it must be told.
pub(super) fn at_point(
    env: &mut Env,
    s: &Symbol,
    x: &Value,
    span: Span,
) -> Result<Vec<Value>, Stop> {
    env.tick()?;
    match images(env, s, x)? {
        Some(found) => Ok(found),
        None => Err(not_decided(env, span)),
    }
}

fn images_of(env: &mut Env, s: &Symbol, x: &Value) -> Result<Option<Vec<Value>>, Stop> {
    let asking = || Asking::Image(s.clone(), x.clone());
    let found = asked(env, s, asking, |env, code| match &code.graph {
        Some(graph) => graph.at(env, x),
        None => Ok(None),
    })?;
    if found.is_some() {
        return Ok(found);
    }
    let Some(relation) = whole(env, s)? else { return Ok(None) };
    let codes = env.symbolic.clone();
    Ok(Some(at_value(&codes[s.0 as usize].shape, &relation, x)))
}

/// Whether a symbolic relation has something at a point.
pub(super) fn has_image(env: &mut Env, s: &Symbol, x: &Value) -> Result<Option<bool>, Stop> {
    let known = within(env, s, |env, code| match &code.graph {
        Some(graph) => graph.has(env, x),
        None => Ok(None),
    })?;
    match known {
        Some(truth) => Ok(Some(truth)),
        None => Ok(images(env, s, x)?.map(|found| !found.is_empty())),
    }
}

/// Whether a symbolic set equals a value, or is a subset of it, by the members that are found. `None`:
/// its members cannot be looked for.
pub(super) fn walked(
    env: &mut Env,
    s: &Symbol,
    shape: &Shape,
    value: &Value,
    subset: bool,
) -> Result<Option<bool>, Stop> {
    within(env, s, |env, code| {
        let Some(found) = &code.found else { return Ok(None) };
        match found(env)? {
            (found, _) if !shape.is_subset(&found, value) => Ok(Some(false)),
            (_, Some(stop)) => Err(stop),
            (found, None) => Ok(Some(subset || found == *value)),
        }
    })
}

/// Whether a symbolic set has a member that another one has not, among those that are found.
pub(super) fn leaves(
    env: &mut Env,
    (s, t): (&Symbol, &Symbol),
    shape: &Shape,
) -> Result<bool, Stop> {
    let found = within(env, s, |env, code| match &code.found {
        Some(found) => found(env).map(|(found, _)| Some(found)),
        None => Ok(None),
    })?;
    let Some(found) = found else { return Ok(false) };
    for v in shape.members(&found) {
        env.tick()?;
        match is_member(env, t, &v) {
            Ok(false) => return Ok(true),
            Ok(true) | Err(Stop::Cut(_)) => {}
            Err(stop) => return Err(stop),
        }
    }
    Ok(false)
}

/// A value with all its members, where it is a set that may be finite.
pub(super) fn built(env: &mut Env, value: Value) -> Result<Value, Stop> {
    let Value::Symbolic(s) = &value else { return Ok(value) };
    Ok(whole(env, s)?.unwrap_or(value))
}

/// All members, of a set that may be finite though it is kept by its description. `None`: it is
/// infinite, or nothing can look for them; where not all are found, that stops whoever asked.
pub(super) fn whole(env: &mut Env, s: &Symbol) -> Result<Option<Value>, Stop> {
    within(env, s, |env, code| match (&code.found, code.kept) {
        (None, _) | (_, Kept::Infinite | Kept::Unbounded) => Ok(None),
        (Some(found), _) => {
            let (value, cut) = found(env)?;
            cut.map_or(Ok(Some(value)), Err)
        }
    })
}

/// Whether a set has too many members to be built. Where its parts do not say it, it is built as far as it goes.
pub(super) fn is_vast(env: &mut Env, s: &Symbol) -> Result<bool, Stop> {
    within(env, s, |env, code| match code.vast.as_ref().map(|vast| vast(env)) {
        None => Ok(false),
        Some(Err(Stop::Fault(_) | Stop::Cut(_))) => {
            env.fault = None;
            Ok(false)
        }
        Some(answer) => answer,
    })
}

/// Most descriptions that are known not to be found.
const MOST_OPEN: usize = 1 << 14;

/// All members of a set of which it is not known whether it is infinite, if they are found where nothing is tried
/// within limits only. What is undefined in it is told by whoever asks for its members.
pub(super) fn all_found(env: &mut Env, s: &Symbol) -> Result<Option<Value>, Stop> {
    if env.memory.open_sets.contains(&**s) {
        return Ok(None);
    }
    let found = within(env, s, |env, code| {
        let Some(found) = &code.found else { return Ok(None) };
        env.asks_whole = true;
        let found = found(env);
        env.asks_whole = false;
        match found {
            Ok((value, cut)) => Ok(cut.is_none().then_some(value)),
            Err(Stop::Fault(_) | Stop::Cut(_)) => {
                env.fault = None;
                Ok(None)
            }
            Err(stop) => Err(stop),
        }
    })?;
    if found.is_none() {
        if env.memory.open_sets.len() >= MOST_OPEN {
            env.memory.open_sets.clear();
        }
        env.memory.open_sets.insert((**s).clone());
    }
    Ok(found)
}
