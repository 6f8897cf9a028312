//! What an undefined part of a guard means.
//!
//! A guard with a false conjunct is false, whatever else is undefined. Where all others hold, an
//! undefined conjunct is an error of the operation, but for one thing: an application `f(p)` whose
//! function or argument holds a parameter that the same condition still enumerates stands for the
//! pairs of `f`. `p : S & f(p) = 1` asks for those `p` with `p |-> 1 : f`, so that outside of the
//! domain it is false. `PRE p : S THEN SELECT f(p) = 1` has its `p` before it looks at `f(p)`, and
//! fails; so does `p = x & f(p) = 1`, where nothing is enumerated.
//!
//! Solving tells only that something is undefined ([`Undefined::Guard`]). What follows is decided
//! here, by looking at the conjuncts once more, one by one: the order of a plan plays no part in it.

use crate::eval::compile::{Compiler, Undefined};
use crate::eval::plans::estimate::is_costly;
use crate::eval::solutions::solve::{Action, each_of};
use crate::lower::Test;
use crate::lower::code::{BoolFn, EachFn, ValueFn};
use crate::lower::env::{Env, Flow};
use crate::lower::stop::{FaultKind, Stop};
use crate::machine::footprint::Footprint;
use crate::machine::visit::Visitor;
use crate::machine::{BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind};
use crate::source::Span;
use crate::state::WdGuards;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Where a substitution stands.
#[derive(Clone, Copy, Debug)]
pub enum Position<'a> {
    /// Its conditions decide whether the operation is enabled. These locals are enumerated along
    /// with the first of them.
    Guard { open: &'a [LocalId] },
    /// In an initialisation, in a branch of IF, after `;`: an undefined condition is an error, as
    /// any expression is.
    Body,
}

impl Position<'_> {
    /// Below a condition: all locals have their values.
    pub fn closed(self) -> Position<'static> {
        match self {
            Position::Guard { .. } => Position::Guard { open: &[] },
            Position::Body => Position::Body,
        }
    }

    pub fn open(&self) -> Option<&[LocalId]> {
        match self {
            Position::Guard { open } => Some(open),
            Position::Body => None,
        }
    }
}

/// What a condition has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    Holds,
    Fails,
    /// It counts as false, and so does its negation.
    Undefined,
}

pub type ConditionFn = Box<dyn Fn(&mut Env) -> Result<Truth, Stop> + Send + Sync>;

/// A conjunct that may be undefined, with its applications that stand for pairs.
struct Doubtful {
    test: BoolFn,
    pairs: Vec<(Span, ValueFn)>,
}

impl Compiler<'_> {
    /// What finds the solutions of a condition of a guard for these locals. A candidate for which something is
    /// undefined and nothing false is passed on with [`Env::pending`] set: [`Compiler::judge`] says
    /// what becomes of it.
    pub(in crate::eval) fn solve_guard(
        &self,
        locals: &[LocalId],
        condition: &Pred,
        pairs: FxHashSet<Span>,
    ) -> Arc<[Action]> {
        self.guard_actions(locals, condition, pairs).into()
    }

    /// The same actions, as a list.
    pub(in crate::eval) fn guard_actions(
        &self,
        locals: &[LocalId],
        condition: &Pred,
        pairs: FxHashSet<Span>,
    ) -> Vec<Action> {
        let outer = self.pairs.replace(pairs);
        let plan = self.plan(locals, condition, Undefined::Guard);
        let actions = self.actions(&plan, Undefined::Guard);
        self.pairs.replace(outer);
        actions
    }

    /// The solutions that hold, where a fault ends the enumeration.
    pub(super) fn guarded(&self, locals: &[LocalId], p: &Pred, open: &[LocalId]) -> EachFn {
        let open: Vec<LocalId> = open.iter().chain(locals).copied().collect();
        let each = each_of(self.solve_guard(locals, p, self.pairs_of(p, &open)), Undefined::Guard);
        let judge = self.judge(&[(p, &open)]);
        Box::new(move |env, next| {
            each(env, &mut |env| match env.pending.take() {
                None => next(env),
                pending => {
                    let result = match judge(env) {
                        Ok(Truth::Holds) => next(env),
                        Ok(_) => Ok(Flow::Continue(())),
                        // The others are outcomes all the same.
                        Err(Stop::Fault(site)) => {
                            env.fail(site);
                            Ok(Flow::Continue(()))
                        }
                        Err(stop) => Err(stop),
                    };
                    env.pending = pending;
                    result
                }
            })
        })
    }

    /// A condition of a substitution at this position.
    pub(super) fn condition(&self, p: &Pred, at: Position<'_>) -> ConditionFn {
        let Some(open) = at.open() else {
            let test = self.test(p);
            return Box::new(move |env| {
                Ok(if test.holds(env)? { Truth::Holds } else { Truth::Fails })
            });
        };
        let mut conjuncts = self.conjuncts_of(p);
        conjuncts.sort_by_key(is_costly);
        let test = Test::all(conjuncts.iter().map(|c| self.test(c)).collect());
        let judge = self.judge(&[(p, open)]);
        Box::new(move |env| match test.holds(env) {
            Ok(true) => Ok(Truth::Holds),
            Ok(false) => Ok(Truth::Fails),
            Err(Stop::Fault(_) | Stop::Cut(_)) => {
                env.fault = None;
                judge(env)
            }
            Err(stop) => Err(stop),
        })
    }

    /// Looks at conditions of which no part is false and some part is undefined, each with the locals
    /// that are enumerated along with it.
    ///
    /// The error is [`Stop::Fault`] with [`Env::in_guard`] set.
    pub(in crate::eval) fn judge(&self, conditions: &[(&Pred, &[LocalId])]) -> ConditionFn {
        let mut doubtful = Vec::new();
        for (condition, open) in conditions {
            let open = self.still_open(condition, open);
            for conjunct in self.conjuncts_of(condition) {
                if self.is_total_pred(&conjunct) {
                    continue;
                }
                let pairs = pairs_in(&conjunct, &open);
                let pairs = pairs.into_iter().map(|e| (e.span, self.kept(e))).collect();
                doubtful.push(Doubtful { test: self.pred(&conjunct), pairs });
            }
        }
        let lenient = self.instance.wd_guards == WdGuards::Warn;
        Box::new(move |env| {
            let (mut undefined, mut unknown, mut fault) = (None, None, None);
            for conjunct in &doubtful {
                match (conjunct.test)(env) {
                    Ok(true) => {}
                    Ok(false) => return Ok(Truth::Fails),
                    Err(Stop::Fault(site)) => {
                        let values = env.fault.take();
                        if lenient || conjunct.lacks_a_pair(env)? {
                            undefined.get_or_insert(site);
                        } else {
                            fault.get_or_insert((site, values));
                        }
                    }
                    Err(Stop::Cut(cut)) => unknown = unknown.or(Some(cut)),
                    Err(stop) => return Err(stop),
                }
            }
            match (undefined, unknown, fault) {
                (Some(site), ..) => {
                    let span = env.site(site).span;
                    env.note_undefined(span);
                    Ok(Truth::Undefined)
                }
                // What is unknown may be false.
                (None, Some(cut), _) => Err(Stop::Cut(cut)),
                (None, None, Some((site, values))) => {
                    env.fault = values;
                    env.in_guard = true;
                    Err(Stop::Fault(site))
                }
                (None, None, None) => Ok(Truth::Holds),
            }
        })
    }

    fn conjuncts_of(&self, condition: &Pred) -> Vec<Pred> {
        let mut conjuncts = Vec::new();
        self.conjuncts(condition, true, &mut conjuncts);
        conjuncts
    }

    /// The places of the applications in a condition that stand for pairs. A definition that is used
    /// twice leaves two formulas at one place: both must be such applications.
    pub(in crate::eval) fn pairs_of(&self, condition: &Pred, open: &[LocalId]) -> FxHashSet<Span> {
        let open = self.still_open(condition, open);
        let conjuncts = self.conjuncts_of(condition);
        let mut at: FxHashMap<Span, i64> = FxHashMap::default();
        for e in conjuncts.iter().flat_map(|c| pairs_in(c, &open)) {
            *at.entry(e.span).or_default() += 1;
        }
        let mut conjuncts = conjuncts.clone();
        let mut count = |e: &mut Expr| {
            if let (ExprKind::Binary(BinaryOp::Apply, ..), Some(n)) = (&e.kind, at.get_mut(&e.span))
            {
                *n -= 1;
            }
        };
        conjuncts.iter_mut().for_each(|c| Visitor::of(&mut count).pred(c));
        at.into_iter().filter(|(_, others)| *others == 0).map(|(span, _)| span).collect()
    }

    /// Of these locals, those that a condition does not give the value of something that is known.
    pub(in crate::eval) fn still_open(
        &self,
        condition: &Pred,
        open: &[LocalId],
    ) -> BTreeSet<LocalId> {
        let mut open: BTreeSet<LocalId> = open.iter().copied().collect();
        let conjuncts = self.conjuncts_of(condition);
        loop {
            let known = |e: &Expr| Footprint::of_expr(e).locals.is_disjoint(&open);
            let mut given = Vec::new();
            for conjunct in &conjuncts {
                let PredKind::Compare(op, a, b) = &conjunct.kind else { continue };
                match (op, &b.kind) {
                    (Comparison::Equal, _) => {
                        for (x, e) in [(a, b), (b, a)] {
                            if known(e) {
                                locals_of_tuple(x, &mut given);
                            }
                        }
                    }
                    (Comparison::Member, ExprKind::SetExtension(items)) => {
                        if let [item] = &items[..]
                            && known(item)
                        {
                            locals_of_tuple(a, &mut given);
                        }
                    }
                    _ => {}
                }
            }
            let before = open.len();
            given.iter().for_each(|id| {
                open.remove(id);
            });
            if open.len() == before {
                return open;
            }
        }
    }
}

impl Doubtful {
    /// Whether an application that stands for pairs has none to stand for.
    fn lacks_a_pair(&self, env: &mut Env) -> Result<bool, Stop> {
        for (span, application) in &self.pairs {
            match application(env) {
                Ok(_) => {}
                Err(Stop::Fault(site)) => {
                    env.fault = None;
                    let site = env.site(site);
                    if site.kind == FaultKind::OutsideDomain && site.span == *span {
                        return Ok(true);
                    }
                }
                Err(stop) => return Err(stop),
            }
        }
        Ok(false)
    }
}

/// The locals that a tuple gives values, if it is one of locals and nothing else.
fn locals_of_tuple(e: &Expr, out: &mut Vec<LocalId>) {
    match &e.kind {
        ExprKind::Local(id) => out.push(*id),
        ExprKind::Binary(BinaryOp::Pair, a, b) => {
            locals_of_tuple(a, out);
            locals_of_tuple(b, out);
        }
        _ => {}
    }
}

/// The applications in a conjunct that stand for pairs: in a comparison, outside of everything that
/// binds names or decides, and of an open local.
fn pairs_in<'p>(conjunct: &'p Pred, open: &BTreeSet<LocalId>) -> Vec<&'p Expr> {
    let PredKind::Compare(_, a, b) = &conjunct.kind else { return Vec::new() };
    let mut out = Vec::new();
    let mut todo = vec![b, a];
    while let Some(e) = todo.pop() {
        match &e.kind {
            ExprKind::Binary(op, x, y) => {
                let is_open = || !Footprint::of_expr(e).locals.is_disjoint(open);
                if *op == BinaryOp::Apply && is_open() {
                    out.push(e);
                }
                todo.extend([&**y, &**x]);
            }
            ExprKind::Unary(_, x) | ExprKind::Field(x, _) => todo.push(x),
            ExprKind::SetExtension(items)
            | ExprKind::Sequence(items)
            | ExprKind::Record(items)
            | ExprKind::Struct(items) => todo.extend(items.iter().rev()),
            _ => {}
        }
    }
    out
}
