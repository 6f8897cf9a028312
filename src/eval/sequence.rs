//! Substitutions one after the other: `;`, `WHILE` and calls of operations.

use super::code::{EachFn, Next, Slot, ValueFn};
use super::compile::Compiler;
use super::env::{Env, Flow};
use super::growing;
use super::guard::Position;
use super::lower::Test;
use super::lower::record::StoreFn;
use super::merging::Heads;
use super::stop::{FaultKind, Stop};
use super::substitution::{Body, Step, other_outcomes};
use super::written::{Kept, Readable, make_readable};
use crate::machine::{Cell, Expr, OpId, Pred, Subst, SubstKind, Target};
use crate::source::Span;
use crate::value::Value;
use smallvec::SmallVec;
use std::sync::Arc;

/// One turn's checks, given the variant of the last: the variant, or `None` when the loop ends.
pub(super) type TurnFn<'a> =
    &'a (dyn Fn(&mut Env, Option<&Value>) -> Result<Option<Value>, Stop> + Send + Sync);

impl Compiler<'_> {
    pub(super) fn sequence(&self, parts: &[Subst], at: Position<'_>) -> Body {
        let mut all: Vec<InTurn> = Vec::new();
        let mut later: Arc<[Slot]> = Arc::from([]);
        for (i, part) in parts.iter().enumerate().rev() {
            let assigned = self.assigned_in(part);
            let body = self.subst(part, if i == 0 { at } else { Position::Body });
            let written = later.clone();
            later = joined(&later, &assigned).into();
            match (body, all.pop()) {
                (
                    Body::Step(first),
                    Some(InTurn { body: Body::Step(after), assigned: theirs, written }),
                ) => {
                    let both = joined(&assigned, &theirs).into();
                    let chain = Chain::begins_with((first, assigned), after);
                    let body = Body::Step(Step::Sequence(chain));
                    all.push(InTurn { body, assigned: both, written });
                }
                (body, after) => {
                    all.extend(after);
                    all.push(InTurn { body, assigned, written });
                }
            }
        }
        all.reverse();
        match <[InTurn; 1]>::try_from(all) {
            Ok([only]) => only.body,
            Err(parts) => in_turn(parts),
        }
    }

    /// The invariant of a loop. A conjunct that types a result or a local variable says nothing before
    /// that is written: it has no value yet.
    fn loop_invariant(&self, p: &Pred) -> Test {
        let part = |p: &Pred| -> Test {
            let test = self.test(p);
            match p.typed_local().filter(|id| self.assigned_locals().contains(id)) {
                None => test,
                Some(id) => {
                    let i = self.slot(id).index;
                    Test::run(move |env| if env.defined[i] { test.holds(env) } else { Ok(true) })
                }
            }
        };
        Test::all(p.conjuncts().iter().map(part).collect())
    }

    pub(super) fn while_loop(&self, l: Loop<'_>, s: &Subst) -> Body {
        let assigned = self.assigned_in(s);
        let growing = self.growing_in(s);
        self.growing.borrow_mut().extend(growing.iter().map(Slot::id));
        let condition = self.test(l.condition);
        let (invariant, invariant_span) = (self.loop_invariant(l.invariant), l.invariant.span);
        let (variant, variant_operand) = (self.value(l.variant), self.operand(l.variant));
        let initial: Vec<(Slot, ValueFn)> =
            l.initial.iter().map(|(cell, id)| (self.slot(*id), self.cell(*cell, s.span))).collect();
        let body = self.subst(l.body, Position::Body);
        growing.iter().for_each(|slot| {
            self.growing.borrow_mut().remove(&slot.id());
        });
        let frame: Vec<Slot> = {
            let inside = self.footprint(l.body);
            inside.locals.iter().map(|id| self.slot(*id)).collect()
        };
        // One turn's checks: whether to go round again, and the variant.
        let turn = move |env: &mut Env, last: Option<&Value>| -> Result<Option<Value>, Stop> {
            env.tick()?;
            if !invariant.holds(env)? {
                return Err(env.fault(FaultKind::LoopInvariantFailed, invariant_span, []));
            }
            if !condition.holds(env)? {
                return Ok(None);
            }
            let v = variant(env)?;
            if v < Value::Int(0) {
                return Err(env.fault(
                    FaultKind::VariantNotNatural,
                    variant_operand.span,
                    [(&variant_operand, v)],
                ));
            }
            if last.is_some_and(|last| v >= *last) {
                return Err(env.fault(
                    FaultKind::VariantNotDecreasing,
                    variant_operand.span,
                    [(&variant_operand, v)],
                ));
            }
            Ok(Some(v))
        };
        let start = move |env: &mut Env| -> Result<(), Stop> {
            for (slot, value) in &initial {
                let v = value(env)?;
                slot.set(env, v)?;
            }
            Ok(())
        };
        match body {
            Body::Step(body) => Body::step(move |env| {
                start(env)?;
                let saved = Readable::advance(env, &assigned);
                let go = |env: &mut Env| -> Result<bool, Stop> {
                    let mut last = None;
                    while let Some(v) = turn(env, last.as_ref())? {
                        let goes_on = match &body {
                            // What was readable before its parts is not read any more.
                            Step::Sequence(chain) => chain.run_on(env)?,
                            body => body.run(env)?,
                        };
                        if !goes_on {
                            return Ok(false);
                        }
                        make_readable(env, &assigned);
                        last = Some(v);
                    }
                    Ok(true)
                };
                let result = go(env);
                growing::end(env, &growing, result.is_ok());
                saved.restore(env, &assigned);
                result
            }),
            Body::Each(body) => Body::Each(Box::new(move |env, next| {
                start(env)?;
                let saved = Readable::advance(env, &assigned);
                let mut turns = Turns {
                    turn: &turn,
                    body: &body,
                    assigned: &assigned,
                    frame: &frame,
                    branched: false,
                    heads: Heads::default(),
                };
                let result = turns.run(&saved, None, env, next);
                saved.restore(env, &assigned);
                result
            })),
        }
    }

    pub(super) fn call(
        &self,
        id: OpId,
        arguments: &[Expr],
        results: &[Target],
        span: Span,
        at: Position<'_>,
    ) -> Body {
        let operation = self.machine().operation(id);
        let arguments: Vec<ValueFn> = arguments.iter().map(|a| self.kept(a)).collect();
        let parameters = self.slots(&operation.parameters);
        let outputs = self.slots(&operation.results);
        let stores: Vec<StoreFn> = results.iter().map(|t| self.store(t)).collect();
        let frame: Vec<Slot> =
            self.footprint(&operation.whole()).locals.iter().map(|l| self.slot(*l)).collect();
        let frame: Vec<Slot> = frame.into_iter().chain(self.slots(&operation.results)).collect();
        let body = self.subst(&operation.whole(), at).into_each();
        Body::Each(Box::new(move |env, next| {
            let values = arguments.iter().map(|a| a(env)).collect::<Result<Vec<_>, _>>()?;
            for (slot, v) in parameters.iter().zip(values) {
                slot.set(env, v)?;
            }
            for slot in &outputs {
                env.defined[slot.index + env.locals] = false;
            }
            body(env, &mut |env| {
                // The continuation may call the same operation again.
                let kept = Kept::save(env, &frame);
                let kept_parameters = Kept::save(env, &parameters);
                let stored = outputs.iter().zip(&stores).try_for_each(|(slot, store)| {
                    let written = Slot { index: slot.index + env.locals, ..slot.clone() };
                    if !env.defined[written.index] {
                        let result = Cell::Local(slot.id());
                        return Err(env.fault(FaultKind::ReadBeforeWritten(result), span, []));
                    }
                    let v = written.get(env);
                    store(env, v)
                });
                // A result that this outcome has not leaves the others.
                let result = match stored {
                    Ok(()) => next(env),
                    Err(stop) => other_outcomes(env, Err(stop)),
                };
                kept_parameters.restore(env, &parameters);
                kept.restore(env, &frame);
                result
            })
        }))
    }
}

/// The slots of both, each once.
fn joined(some: &[Slot], others: &[Slot]) -> Vec<Slot> {
    let new = others.iter().filter(|slot| !some.iter().any(|s| s.id() == slot.id()));
    some.iter().chain(new).cloned().collect()
}

/// A part of a sequence.
struct InTurn {
    body: Body,
    /// The locals that it assigns.
    assigned: Arc<[Slot]>,
    /// Those that the parts after it assign.
    written: Arc<[Slot]>,
}

/// Parts one after the other, some of which may have several outcomes.
fn in_turn(parts: Vec<InTurn>) -> Body {
    // Outcomes of one part differ. Where two parts have several, those of the second may come to the same, and it
    // pays to know that before the outcomes of a third.
    let mut branching = 0;
    let merges = |part: &InTurn| {
        let several = matches!(part.body, Body::Each(_));
        branching += usize::from(several);
        several && branching > 2
    };
    let merges: Vec<bool> = parts.iter().map(merges).collect();
    let mut so_far: Vec<Slot> = Vec::new();
    let before = |part: &InTurn| {
        let with_its = joined(&so_far, &part.assigned);
        std::mem::replace(&mut so_far, with_its)
    };
    let before: Vec<Vec<Slot>> = parts.iter().map(before).collect();
    Body::Each(Box::new(move |env, next| {
        let heads = merges.iter().map(|m| m.then(Heads::default)).collect();
        let mut run = InOrder { parts: &parts, before: &before, branched: false, heads };
        run.go_on(0, env, next)
    }))
}

/// A sequence that is executed.
struct InOrder<'a> {
    parts: &'a [InTurn],
    /// For each part, the locals that those before it assign.
    before: &'a [Vec<Slot>],
    /// Whether some part had several outcomes.
    branched: bool,
    /// For those parts before which ways may come together: where they have begun since.
    heads: SmallVec<[Option<Heads>; 4]>,
}

impl InOrder<'_> {
    /// Executes the parts from this one on.
    fn go_on(&mut self, at: usize, env: &mut Env, next: Next<'_>) -> Result<Flow, Stop> {
        if let Some(heads) = &mut self.heads[at]
            && self.branched
            && !heads.is_new(env, &self.before[at])
        {
            return Ok(Flow::Continue(()));
        }
        let InTurn { body, assigned, written } = &self.parts[at];
        if at + 1 == self.parts.len() {
            return body.run(env, next);
        }
        let start: SmallVec<[u64; 8]> = SmallVec::from_slice(&env.next);
        let mut outcomes = 0;
        let result = body.run(env, &mut |env| {
            outcomes += 1;
            self.branched |= outcomes > 1;
            let kept = Kept::save(env, written);
            let saved = Readable::advance(env, assigned);
            let result = self.go_on(at + 1, env, &mut |env| {
                // The continuation reads what was readable before the sequence.
                let inner = (env.state.clone(), Readable::locals(env, assigned));
                saved.clone().restore(env, assigned);
                let result = next(env);
                Readable { state: SmallVec::from_vec(inner.0), locals: inner.1 }
                    .restore(env, assigned);
                result
            });
            kept.restore(env, written);
            saved.restore(env, assigned);
            result
        });
        if !matches!(result, Ok(Flow::Break(()))) {
            env.next.copy_from_slice(&start);
        }
        result
    }
}

/// Deterministic substitutions one after the other, each of which reads what those before it have written.
pub struct Chain {
    parts: Vec<Part>,
    last: Box<Step>,
    /// The locals that the parts before the last one assign.
    assigned: Vec<Slot>,
}

struct Part {
    step: Step,
    assigned: Arc<[Slot]>,
}

impl Chain {
    /// One after which another one comes; the first assigns these locals.
    fn begins_with((step, assigned): (Step, Arc<[Slot]>), after: Step) -> Chain {
        let mut chain = match after {
            Step::Sequence(chain) => chain,
            last => Chain { parts: Vec::new(), last: Box::new(last), assigned: Vec::new() },
        };
        chain.assigned = joined(&chain.assigned, &assigned);
        chain.parts.insert(0, Part { step, assigned });
        chain
    }

    /// `false`: not feasible. What was readable before is readable again.
    pub(super) fn run(&self, env: &mut Env) -> Result<bool, Stop> {
        let saved = Readable::keep(env, &self.assigned);
        let result = self.run_on(env);
        saved.restore(env, &self.assigned);
        result
    }

    /// The same, but what the parts before the last one have written is readable behind it.
    fn run_on(&self, env: &mut Env) -> Result<bool, Stop> {
        for part in &self.parts {
            if !part.step.run(env)? {
                return Ok(false);
            }
            make_readable(env, &part.assigned);
        }
        self.last.run(env)
    }
}

pub(super) struct Loop<'s> {
    pub(super) condition: &'s Pred,
    pub(super) body: &'s Subst,
    pub(super) invariant: &'s Pred,
    pub(super) variant: &'s Expr,
    pub(super) initial: &'s [(Cell, crate::machine::LocalId)],
}

/// The turns of a loop with a non-deterministic body.
pub(super) struct Turns<'a> {
    turn: TurnFn<'a>,
    body: &'a EachFn,
    assigned: &'a [Slot],
    /// Locals of the body: a further turn runs it again before this one's alternatives are done.
    frame: &'a [Slot],
    /// Whether some turn had several outcomes. Before that no two turns begin alike, or the variant would not
    /// decrease.
    branched: bool,
    /// Where turns have begun since, or the loop has ended.
    heads: Heads,
}

impl Turns<'_> {
    pub(super) fn run(
        &mut self,
        outer: &Readable,
        last: Option<&Value>,
        env: &mut Env,
        next: Next<'_>,
    ) -> Result<Flow, Stop> {
        let assigned = self.assigned;
        let turn = (self.turn)(env, last)?;
        if self.branched && !self.heads.is_new(env, assigned) {
            return Ok(Flow::Continue(()));
        }
        match turn {
            None => {
                let inner = Readable {
                    state: SmallVec::from_slice(&env.state),
                    locals: Readable::locals(env, assigned),
                };
                outer.clone().restore(env, assigned);
                let result = next(env);
                inner.restore(env, assigned);
                result
            }
            Some(v) => {
                let mut outcomes = 0;
                (self.body)(env, &mut |env| {
                    outcomes += 1;
                    self.branched |= outcomes > 1;
                    let kept = Kept::save(env, self.frame);
                    let saved = Readable::advance(env, assigned);
                    let result = self.run(outer, Some(&v), env, next);
                    let result = other_outcomes(env, result);
                    saved.restore(env, assigned);
                    kept.restore(env, self.frame);
                    result
                })
            }
        }
    }
}

/// Whether a substitution makes its own writes readable somewhere.
pub(super) fn has_sequence(s: &Subst, compiler: &Compiler<'_>) -> bool {
    let mut calls = Vec::new();
    called_operations(s, &mut calls);
    own_sequence(s)
        || calls.iter().any(|id| has_sequence(&compiler.machine().operation(*id).body, compiler))
}

pub(super) fn own_sequence(s: &Subst) -> bool {
    matches!(s.kind, SubstKind::Sequence(_) | SubstKind::While { .. })
        || s.parts().into_iter().any(own_sequence)
}

pub(super) fn called_operations(s: &Subst, out: &mut Vec<OpId>) {
    if let SubstKind::Call { operation, .. } = &s.kind {
        out.push(*operation);
    }
    s.parts().into_iter().for_each(|p| called_operations(p, out));
}
