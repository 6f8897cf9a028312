//! Substitutions: to steps that write, and to bodies that have several outcomes.
//!
//! A substitution reads `Env::state` and the locals, and writes `Env::next` and the written halves of
//! the assigned locals; so both sides of `||` read the old state without further ado. In a sequence
//! the left side's outcome becomes the state that the right side reads. A deterministic substitution
//! is a plain function; a non-deterministic one calls its continuation once for each outcome and
//! undoes its writes in between.

use super::guard::{ConditionFn, Position, Truth};
use super::initial::Mark;
use super::sequence::{Chain, called_operations, has_sequence};
use super::turns::{Loop, While};
use super::written::{Kept, Written};
use crate::eval::compile::{Compiler, Undefined};
use crate::lower::code::{EachFn, Next, Slot};
use crate::lower::env::{Env, Flow};
use crate::lower::record::StoreFn;
use crate::lower::stop::{FaultKind, Stop};
use crate::lower::{Test, Write};
use crate::machine::footprint::Footprint;
use crate::machine::{Cell, Expr, Pred, Subst, SubstKind, Target, VarId};
use smallvec::SmallVec;
use std::sync::Arc;

/// `false`: not feasible.
pub type StepFn = Box<dyn Fn(&mut Env) -> Result<bool, Stop> + Send + Sync>;

/// A compiled substitution.
pub enum Body {
    Step(Step),
    Each(EachFn),
}

/// A deterministic substitution.
pub enum Step {
    /// All of these.
    Writes(Vec<Write>),
    /// The first whose condition holds.
    First(Vec<(Test, Step)>),
    /// Each of these, none of which reads what another wrote.
    All(Vec<Step>),
    /// One after the other.
    Sequence(Chain),
    /// Where these locals have no value to begin with.
    Var(Vec<Slot>, Box<Step>),
    While(Box<While>),
    Run(StepFn),
}

impl Step {
    pub fn skip() -> Step {
        Step::Writes(Vec::new())
    }

    /// One after the other, none of which reads what another wrote.
    fn then(self, after: Step) -> Step {
        match (self, after) {
            (Step::Writes(mut writes), Step::Writes(more)) => {
                writes.extend(more);
                Step::Writes(writes)
            }
            (first, Step::All(mut parts)) => {
                parts.insert(0, first);
                Step::All(parts)
            }
            (first, after) => Step::All(vec![first, after]),
        }
    }

    /// Whether some of it has no lowered form, so that nothing tells what it does.
    pub fn runs(&self) -> bool {
        match self {
            Step::Writes(_) => false,
            Step::First(parts) => parts.iter().any(|(_, step)| step.runs()),
            Step::All(parts) => parts.iter().any(Step::runs),
            Step::Sequence(chain) => {
                chain.parts.iter().any(|part| part.step.runs()) || chain.last.runs()
            }
            Step::Var(_, step) => step.runs(),
            Step::While(of) => of.body.runs(),
            Step::Run(_) => true,
        }
    }

    /// `false`: not feasible.
    pub fn run(&self, env: &mut Env) -> Result<bool, Stop> {
        match self {
            Step::Writes(writes) => {
                for write in writes {
                    write.run(env)?;
                }
                Ok(true)
            }
            Step::First(parts) => {
                for (condition, step) in parts {
                    if condition.holds(env)? {
                        return step.run(env);
                    }
                }
                Ok(true)
            }
            Step::All(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    match part.run(env) {
                        Ok(true) => {}
                        Ok(false) => return Ok(false),
                        Err(stop) => {
                            let later = &parts[i + 1..];
                            return unless_infeasible(env, stop, |env| {
                                for part in later {
                                    if !has_outcome(part.run(env))? {
                                        return Ok(false);
                                    }
                                }
                                Ok(true)
                            });
                        }
                    }
                }
                Ok(true)
            }
            Step::Sequence(chain) => chain.run(env),
            Step::Var(slots, step) => {
                begin_anew(slots, env);
                step.run(env)
            }
            Step::While(of) => of.run(env),
            Step::Run(f) => f(env),
        }
    }
}

/// These locals have no value.
fn begin_anew(slots: &[Slot], env: &mut Env) {
    for slot in slots {
        env.defined[slot.index] = false;
        env.defined[slot.index + env.locals] = false;
    }
}

/// What stops a part of a parallel substitution, unless a later part has no outcome: then the whole has none, in
/// whatever order its parts are written. `goes_on`: whether they all have one, or stop themselves.
#[cold]
fn unless_infeasible(
    env: &mut Env,
    stop: Stop,
    goes_on: impl FnOnce(&mut Env) -> Result<bool, Stop>,
) -> Result<bool, Stop> {
    if !matches!(stop, Stop::Fault(_)) {
        return Err(stop);
    }
    let fault = env.fault.take();
    let pending = env.pending.take();
    let goes_on = goes_on(env);
    env.pending = pending;
    match goes_on? {
        true => {
            env.fault = fault;
            Err(stop)
        }
        false => Ok(false),
    }
}

/// Whether a part has an outcome, or stops itself.
///
/// # Errors
/// That is not known: it has to be run once more, or everything ends.
fn has_outcome(result: Result<bool, Stop>) -> Result<bool, Stop> {
    match result {
        Err(stop @ (Stop::Overflow | Stop::Halted)) => Err(stop),
        Err(Stop::Fault(_) | Stop::Cut(_)) => Ok(true),
        Ok(goes_on) => Ok(goes_on),
    }
}

impl Body {
    /// A deterministic substitution that has no lowered form.
    pub fn step(f: impl Fn(&mut Env) -> Result<bool, Stop> + Send + Sync + 'static) -> Body {
        Body::Step(Step::Run(Box::new(f)))
    }

    /// The same once something else was done.
    pub fn after(
        self,
        first: impl Fn(&mut Env) -> Result<(), Stop> + Send + Sync + 'static,
    ) -> Body {
        match self {
            Body::Step(body) => Body::step(move |env| {
                first(env)?;
                body.run(env)
            }),
            Body::Each(body) => Body::Each(Box::new(move |env, next| {
                first(env)?;
                body(env, next)
            })),
        }
    }

    pub fn is_deterministic(&self) -> bool {
        matches!(self, Body::Step(_))
    }

    pub fn into_each(self) -> EachFn {
        match self {
            Body::Step(step) => {
                Box::new(
                    move |env, next| {
                        if step.run(env)? { next(env) } else { Ok(Flow::Continue(())) }
                    },
                )
            }
            Body::Each(each) => each,
        }
    }

    /// Calls `next` for each outcome. Those that cannot be known are given up, and the first that is an error is kept
    /// in mind ([`Env::failed`]).
    pub fn run(&self, env: &mut Env, next: Next<'_>) -> Result<Flow, Stop> {
        let flow = match self {
            Body::Step(step) => match step.run(env) {
                Ok(true) => return next(env),
                Ok(false) => return Ok(Flow::Continue(())),
                Err(stop) => Err(stop),
            },
            Body::Each(each) => each(env, next),
        };
        other_outcomes(env, flow)
    }
}

/// Goes on without an outcome that is an error, or that cannot be known.
pub(super) fn other_outcomes(env: &mut Env, flow: Result<Flow, Stop>) -> Result<Flow, Stop> {
    match flow {
        Err(Stop::Fault(site)) => {
            env.fail(site);
            Ok(Flow::Continue(()))
        }
        flow => known_outcomes(env, flow),
    }
}

/// Goes on without the outcomes that depend on an enumeration that was cut off: the others are
/// outcomes all the same, but there may be more.
pub(in crate::eval) fn known_outcomes(
    env: &mut Env,
    flow: Result<Flow, Stop>,
) -> Result<Flow, Stop> {
    match flow {
        Err(Stop::Cut(cut)) => {
            env.give_up(cut);
            Ok(Flow::Continue(()))
        }
        flow => flow,
    }
}

impl Compiler<'_> {
    /// Compiles a substitution.
    pub fn subst(&self, s: &Subst, at: Position<'_>) -> Body {
        let span = s.span;
        match &s.kind {
            SubstKind::Skip => Body::Step(Step::skip()),
            SubstKind::Assign(pairs) => {
                Body::Step(Step::Writes(pairs.iter().map(|(t, e)| self.assign(t, e)).collect()))
            }
            SubstKind::BecomesElement(targets, set) => self.becomes_element(targets, set, s),
            SubstKind::BecomesSuchThat(cells, pred) => self.becomes_such_that(cells, pred, s),
            SubstKind::Parallel(parts) => self.parallel(parts, at),
            SubstKind::Sequence(parts) => self.sequence(parts, at),
            SubstKind::Precondition(p, s) => {
                self.conditional_fault(FaultKind::PreconditionFailed, p, s, at)
            }
            SubstKind::Assert(None, p, s) => {
                self.conditional_fault(FaultKind::AssertFailed, p, s, at)
            }
            SubstKind::Assert(Some(claim), p, s) => self.claim(*claim, p, s, at),
            SubstKind::Choice(parts) => {
                let parts = parts.iter().map(|p| (None, self.subst(p, at))).collect();
                self.alternatives(parts, None, s)
            }
            SubstKind::If(branches, otherwise) => self.branch(branches, otherwise.as_deref()),
            SubstKind::Select(branches, otherwise) => {
                let parts: Vec<_> = branches
                    .iter()
                    .map(|(p, s)| (Some(self.condition(p, at)), self.subst(s, at.closed())))
                    .collect();
                let otherwise = otherwise.as_ref().map(|s| self.subst(s, at.closed()));
                self.alternatives(parts, otherwise, s)
            }
            SubstKind::Case(subject, branches, otherwise) => {
                self.case(subject, branches, otherwise.as_deref())
            }
            SubstKind::Any(locals, p, body) => {
                let each = match at.open() {
                    Some(open) => self.guarded(locals, p, open),
                    None => self.solve(locals, p, Undefined::Outcome),
                };
                let body = self.subst(body, at.closed());
                self.for_each_solution(each, body, s)
            }
            SubstKind::Let(bindings, body) => {
                let bind = self.bindings(bindings);
                self.subst(body, at).after(move |env| bind.bind(env))
            }
            SubstKind::Var(locals, body) => {
                let slots = self.slots(locals);
                match self.subst(body, Position::Body) {
                    Body::Step(step) => Body::Step(Step::Var(slots, Box::new(step))),
                    Body::Each(each) => Body::Each(Box::new(move |env, next| {
                        begin_anew(&slots, env);
                        each(env, next)
                    })),
                }
            }
            SubstKind::While { condition, body, invariant, variant, initial } => {
                self.while_loop(Loop { condition, body, invariant, variant, initial }, s)
            }
            SubstKind::Call { operation, arguments, results } => {
                self.call(*operation, arguments, results, span, at.closed())
            }
        }
    }

    /// The locals that a substitution assigns, called operations included.
    pub fn assigned_in(&self, s: &Subst) -> Arc<[Slot]> {
        let ids = self.footprint(s).assigned;
        ids.into_iter().map(|id| self.slot(id)).collect()
    }

    /// The footprint of a substitution, called operations included.
    pub fn footprint(&self, s: &Subst) -> Footprint {
        let mut all = Footprint::of_subst(s);
        let mut calls = Vec::new();
        called_operations(s, &mut calls);
        for id in calls {
            let operation = self.machine().operation(id);
            let inner = self.footprint(&operation.whole());
            all.variables.extend(inner.variables);
            all.constants.extend(inner.constants);
            all.written.extend(inner.written);
            all.locals.extend(inner.locals);
            all.assigned.extend(inner.assigned);
            all.locals.extend(&operation.parameters);
            all.assigned.extend(&operation.results);
        }
        all
    }

    fn conditional_fault(&self, kind: FaultKind, p: &Pred, s: &Subst, at: Position<'_>) -> Body {
        let check = self.check(kind, p);
        self.subst(s, at.closed()).after(check)
    }

    // ----- assignments

    fn becomes_element(&self, targets: &[Target], set: &Expr, s: &Subst) -> Body {
        let members = self.enumerate_set(set);
        let stores: Vec<StoreFn> = targets.iter().map(|t| self.store(t)).collect();
        let mut element = self.shape(&set.ty).element();
        // The tuple is nested to the left: taken apart from the right.
        let mut splits = Vec::new();
        for _ in 1..targets.len() {
            splits.push(element.clone());
            element = element.sides().0;
        }
        let assigned = self.assigned_in(s);
        Body::Each(Box::new(move |env, next| {
            let before = Written::save(env, &assigned);
            members(env, &mut |env, v| {
                before.restore(env, &assigned);
                let mut rest = v;
                for (i, pair) in splits.iter().enumerate() {
                    let (left, right) = pair.split(&rest);
                    stores[stores.len() - 1 - i](env, right)?;
                    rest = left;
                }
                let result = stores[0](env, rest).and_then(|()| next(env));
                other_outcomes(env, result)
            })
        }))
    }

    fn becomes_such_that(
        &self,
        cells: &[(Cell, crate::machine::LocalId)],
        pred: &Pred,
        s: &Subst,
    ) -> Body {
        let locals: Vec<_> = cells.iter().map(|(_, id)| *id).collect();
        let each = self.solve(&locals, pred, Undefined::Outcome);
        let writes: Vec<(Slot, StoreFn)> =
            cells.iter().map(|(c, id)| (self.slot(*id), self.store_cell(*c))).collect();
        let step: StepFn = Box::new(move |env| {
            for (slot, store) in &writes {
                let v = slot.get(env);
                store(env, v)?;
            }
            Ok(true)
        });
        self.for_each_solution(each, Body::Step(Step::Run(step)), s)
    }

    fn for_each_solution(&self, each: EachFn, body: Body, s: &Subst) -> Body {
        let assigned = self.assigned_in(s);
        Body::Each(Box::new(move |env, next| {
            let before = Written::save(env, &assigned);
            each(env, &mut |env| {
                before.restore(env, &assigned);
                body.run(env, next)
            })
        }))
    }

    // ----- control

    fn branch(&self, branches: &[(Pred, Subst)], otherwise: Option<&Subst>) -> Body {
        let mut parts: Vec<(Test, Body)> =
            branches.iter().map(|(p, s)| (self.test(p), self.subst(s, Position::Body))).collect();
        let last = match otherwise {
            Some(s) => self.subst(s, Position::Body),
            None => Body::Step(Step::skip()),
        };
        parts.push((Test::Always(true), last));
        first_that_holds(parts)
    }

    fn case(
        &self,
        subject: &Expr,
        branches: &[(Vec<Expr>, Subst)],
        otherwise: Option<&Subst>,
    ) -> Body {
        let mut parts: Vec<(Test, Body)> = Vec::new();
        for (labels, s) in branches {
            let tests: Vec<Test> = labels.iter().map(|l| self.equal(subject, l)).collect();
            parts.push((Test::any(tests), self.subst(s, Position::Body)));
        }
        let last = match otherwise {
            Some(s) => self.subst(s, Position::Body),
            None => Body::Step(Step::skip()),
        };
        parts.push((Test::Always(true), last));
        first_that_holds(parts)
    }

    /// CHOICE and SELECT: every alternative whose condition holds, else the last one.
    fn alternatives(
        &self,
        parts: Vec<(Option<ConditionFn>, Body)>,
        otherwise: Option<Body>,
        s: &Subst,
    ) -> Body {
        let assigned = self.assigned_in(s);
        if let (1, None) = (parts.len(), &otherwise) {
            let (condition, body) = parts.into_iter().next().expect("one part");
            return match (condition, body) {
                (None, body) => body,
                (Some(c), Body::Step(body)) => {
                    Body::step(move |env| Ok(c(env)? == Truth::Holds && body.run(env)?))
                }
                (Some(c), Body::Each(body)) => Body::Each(Box::new(move |env, next| {
                    if c(env)? == Truth::Holds { body(env, next) } else { Ok(Flow::Continue(())) }
                })),
            };
        }
        Body::Each(Box::new(move |env, next| {
            let before = Written::save(env, &assigned);
            let mut taken = false;
            // Where a condition is undefined, so is that none of them holds.
            let mut excluded = false;
            // An alternative of which it is not known whether it can be taken.
            let mut open = None;
            for (condition, body) in &parts {
                env.tick()?;
                match condition.as_ref().map_or(Ok(Truth::Holds), |c| c(env)) {
                    Ok(Truth::Holds) => {}
                    Ok(Truth::Fails) => continue,
                    Ok(Truth::Undefined) => {
                        excluded = true;
                        continue;
                    }
                    Err(Stop::Fault(site)) => {
                        excluded = true;
                        env.fail(site);
                        continue;
                    }
                    Err(stop @ Stop::Cut(_)) => {
                        open = Some(stop);
                        continue;
                    }
                    Err(stop) => return Err(stop),
                }
                if taken {
                    before.restore(env, &assigned);
                }
                taken = true;
                if body.run(env, next)?.is_break() {
                    return Ok(Flow::Break(()));
                }
            }
            match (&otherwise, open) {
                (_, Some(stop)) => Err(stop),
                (Some(body), None) if !taken && !excluded => body.run(env, next),
                _ => Ok(Flow::Continue(())),
            }
        }))
    }

    fn parallel(&self, parts: &[Subst], at: Position<'_>) -> Body {
        let bodies: Vec<(Arc<[Slot]>, Body)> = parts
            .iter()
            .map(|p| {
                let body = self.subst(p, at);
                let body = if has_sequence(p, self) { self.isolated(body, p) } else { body };
                (self.assigned_in(p), body)
            })
            .collect();
        in_turn(bodies)
    }

    /// Runs a substitution that makes its own writes readable so that it does not see what its
    /// parallel neighbours wrote: on a copy, whose written variables are taken over.
    fn isolated(&self, body: Body, s: &Subst) -> Body {
        let layout = self.layout.clone();
        let written = self.footprint(s).written.into_iter();
        let written: Vec<(VarId, Option<Mark>)> = written.map(|id| (id, self.mark(id))).collect();
        Body::Each(Box::new(move |env, next| {
            let outer: SmallVec<[u64; 8]> = SmallVec::from_slice(&env.next);
            env.next.copy_from_slice(&env.state);
            let result = body.run(env, &mut |env| {
                let own: SmallVec<[u64; 8]> = SmallVec::from_slice(&env.next);
                env.next.copy_from_slice(&outer);
                for (id, mark) in &written {
                    if let Some(mark) = mark {
                        if !mark.is_set(&own) {
                            continue;
                        }
                        mark.set(&mut env.next);
                    }
                    let v = layout.read(*id, &own, &mut env.interner);
                    layout.write(*id, &mut env.next, &v, &mut env.interner);
                }
                let result = next(env);
                env.next.copy_from_slice(&own);
                result
            });
            env.next.copy_from_slice(&outer);
            result
        }))
    }
}

fn first_that_holds(parts: Vec<(Test, Body)>) -> Body {
    if parts.iter().all(|(_, b)| b.is_deterministic()) {
        let steps = parts.into_iter().filter_map(|(c, b)| match b {
            Body::Step(s) => Some((c, s)),
            Body::Each(_) => None,
        });
        return Body::Step(Step::First(steps.collect()));
    }
    Body::Each(Box::new(move |env, next| {
        for (condition, body) in &parts {
            if condition.holds(env)? {
                return body.run(env, next);
            }
        }
        next(env)
    }))
}

/// Whether a part of a parallel substitution has an outcome, or is an error itself: if not, the whole has none, and what
/// is an error in another part is none.
#[cold]
fn is_feasible(part: &Body, env: &mut Env, written: &[Slot]) -> Result<bool, Stop> {
    let (failed, pending) = (env.failed.take(), env.pending.take());
    let mut goes_on = false;
    let kept = Kept::save(env, written);
    let result = part.run(env, &mut |_| {
        goes_on = true;
        Ok(Flow::Break(()))
    });
    kept.restore(env, written);
    let fails = env.failed.take().is_some();
    (env.failed, env.pending) = (failed, pending);
    has_outcome(result.map(|_| goes_on || fails))
}

/// Parallel substitutions one after the other: none reads what another wrote.
fn in_turn(bodies: Vec<(Arc<[Slot]>, Body)>) -> Body {
    let mut bodies = bodies.into_iter().rev();
    let (mut later, mut rest) = bodies.next().expect("a parallel substitution has parts");
    for (assigned, first) in bodies {
        let after = rest;
        let written = later.clone();
        later = later.iter().chain(assigned.iter()).cloned().collect();
        rest = match (first, after) {
            (Body::Step(first), Body::Step(after)) => Body::Step(first.then(after)),
            (first, after) => Body::Each(Box::new(move |env, next| {
                let failed = env.failed.is_some();
                let result = first.run(env, &mut |env| {
                    let kept = Kept::save(env, &written);
                    let result = after.run(env, next);
                    kept.restore(env, &written);
                    result
                });
                if !failed && env.failed.is_some() && !is_feasible(&after, env, &written)? {
                    env.failed = None;
                }
                result
            })),
        };
    }
    rest
}
