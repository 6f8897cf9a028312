//! Substitutions one after the other: `;` and calls of operations.

use super::guard::Position;
use super::merging::Heads;
use super::substitution::{Body, Step, other_outcomes};
use super::written::{Kept, Readable, Writes};
use crate::eval::compile::Compiler;
use crate::lower::code::{Next, Slot, ValueFn};
use crate::lower::env::{Env, Flow};
use crate::lower::record::StoreFn;
use crate::lower::stop::{FaultKind, Stop};
use crate::machine::{Cell, Expr, OpId, Subst, SubstKind, Target};
use crate::source::Span;
use smallvec::SmallVec;
use std::sync::Arc;

impl Compiler<'_> {
    pub(super) fn sequence(&self, parts: &[Subst], at: Position<'_>) -> Body {
        let mut all: Vec<InTurn> = Vec::new();
        let mut later: Arc<[Slot]> = Arc::from([]);
        for (i, part) in parts.iter().enumerate().rev() {
            let writes = self.writes_of(part);
            let body = self.subst(part, if i == 0 { at } else { Position::Body });
            let written = later.clone();
            later = joined(&later, &writes.locals).into();
            match (body, all.pop()) {
                (
                    Body::Step(first),
                    Some(InTurn { body: Body::Step(after), assigned: theirs, written }),
                ) => {
                    let both = joined(&writes.locals, &theirs).into();
                    let chain = Chain::begins_with(Part { step: first, writes }, after);
                    let body = Body::Step(Step::Sequence(chain));
                    all.push(InTurn { body, assigned: both, written });
                }
                (body, after) => {
                    all.extend(after);
                    all.push(InTurn { body, assigned: writes.locals, written });
                }
            }
        }
        all.reverse();
        match <[InTurn; 1]>::try_from(all) {
            Ok([only]) => only.body,
            Err(parts) => in_turn(parts),
        }
    }

    /// The body of an operation that is called: of a precondition that does not hold it is told whose it is.
    fn called(&self, id: OpId, body: &Subst, at: Position<'_>) -> Body {
        match &body.kind {
            SubstKind::Precondition(p, below) => {
                let check = self.check(FaultKind::CalledOutside(id), p);
                self.called(id, below, at.closed()).after(check)
            }
            _ => self.subst(body, at),
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
        let enter = {
            let (parameters, outputs) = (parameters.clone(), outputs.clone());
            move |env: &mut Env| -> Result<(), Stop> {
                let values = arguments.iter().map(|a| a(env)).collect::<Result<Vec<_>, _>>()?;
                for (slot, v) in parameters.iter().zip(values) {
                    slot.set(env, v)?;
                }
                for slot in &outputs {
                    env.defined[slot.index + env.locals] = false;
                }
                Ok(())
            }
        };
        let frame: Vec<Slot> =
            self.footprint(&operation.whole()).locals.iter().map(|l| self.slot(*l)).collect();
        let frame: Vec<Slot> = frame.into_iter().chain(outputs.iter().cloned()).collect();
        let store = move |env: &mut Env| {
            outputs.iter().zip(&stores).try_for_each(|(slot, store)| {
                let written = Slot { index: slot.index + env.locals, ..slot.clone() };
                if !env.defined[written.index] {
                    let result = Cell::Local(slot.id());
                    return Err(env.fault(FaultKind::ReadBeforeWritten(result), span, []));
                }
                let v = written.get(env);
                store(env, v)
            })
        };
        match self.called(id, &operation.whole(), at) {
            Body::Step(body) => Body::step(move |env| {
                enter(env)?;
                let goes_on = body.run(env)?;
                if goes_on {
                    store(env)?;
                }
                Ok(goes_on)
            }),
            Body::Each(body) => Body::Each(Box::new(move |env, next| {
                enter(env)?;
                body(env, &mut |env| {
                    // The continuation may call the same operation again.
                    let kept = Kept::save(env, &frame);
                    let kept_parameters = Kept::save(env, &parameters);
                    // A result that this outcome has not leaves the others.
                    let result = match store(env) {
                        Ok(()) => next(env),
                        Err(stop) => other_outcomes(env, Err(stop)),
                    };
                    kept_parameters.restore(env, &parameters);
                    kept.restore(env, &frame);
                    result
                })
            })),
        }
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
    pub(in crate::eval) parts: Vec<Part>,
    pub(in crate::eval) last: Box<Step>,
    /// The locals that the parts before the last one assign.
    assigned: Vec<Slot>,
}

pub(in crate::eval) struct Part {
    pub(in crate::eval) step: Step,
    pub(super) writes: Writes,
}

impl Chain {
    /// One after which another one comes.
    fn begins_with(first: Part, after: Step) -> Chain {
        let mut chain = match after {
            Step::Sequence(chain) => chain,
            last => Chain { parts: Vec::new(), last: Box::new(last), assigned: Vec::new() },
        };
        chain.assigned = joined(&chain.assigned, &first.writes.locals);
        chain.parts.insert(0, first);
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
    pub(super) fn run_on(&self, env: &mut Env) -> Result<bool, Stop> {
        for part in &self.parts {
            if !part.step.run(env)? {
                return Ok(false);
            }
            part.writes.make_readable(env);
        }
        self.last.run(env)
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
