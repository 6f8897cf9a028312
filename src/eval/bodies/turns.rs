//! `WHILE`: the turns of a loop, and what is checked before each of them.

use super::growing;
use super::guard::Position;
use super::merging::Heads;
use super::reasons::Reasons;
use super::substitution::{Body, Step, other_outcomes};
use super::written::{Kept, Readable, Writes};
use crate::eval::compile::Compiler;
use crate::lower::code::{EachFn, Next, Slot, ValueFn};
use crate::lower::env::{Env, Flow, Operand};
use crate::lower::stop::{FaultKind, Stop};
use crate::lower::{Test, Word};
use crate::machine::{Cell, Expr, LocalId, Pred, Subst};
use crate::value::Value;
use smallvec::SmallVec;

/// The parts of a loop, as the machine has them.
pub(super) struct Loop<'s> {
    pub(super) condition: &'s Pred,
    pub(super) body: &'s Subst,
    pub(super) invariant: &'s Pred,
    pub(super) variant: &'s Expr,
    pub(super) initial: &'s [(Cell, LocalId)],
}

/// What is checked before each turn of a loop, and what it begins with.
pub(in crate::eval) struct Turn {
    pub(in crate::eval) condition: Test,
    pub(in crate::eval) invariant: Test,
    broken: Reasons,
    /// The variant where it is a word.
    pub(super) measure: Option<Word>,
    variant: ValueFn,
    variant_operand: Operand,
    /// The same, as it was one turn before.
    before: Operand,
    /// Locals that hold what cells hold when the loop begins.
    pub(super) initial: Vec<(Slot, ValueFn)>,
}

/// A loop whose body is deterministic.
pub struct While {
    pub(in crate::eval) turn: Turn,
    pub(in crate::eval) body: Step,
    /// What a turn may write.
    pub(super) writes: Writes,
    /// The locals that it lets grow.
    pub(super) growing: Vec<Slot>,
}

impl Compiler<'_> {
    /// The invariant of a loop. A conjunct that types a result or a local variable says nothing before
    /// that is written: it has no value yet.
    fn loop_invariant(&self, p: &Pred) -> Test {
        let part = |p: &Pred| -> Test {
            let test = self.test(p);
            match p.typed_local().filter(|id| self.may_be_unwritten(*id)) {
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
        let growing = self.growing_in(s);
        self.growing.borrow_mut().extend(growing.iter().map(Slot::id));
        let turn = Turn {
            condition: self.test(l.condition),
            invariant: self.loop_invariant(l.invariant),
            broken: self.reasons(l.invariant),
            measure: self.is_word(&self.shape(&l.variant.ty)).then(|| self.word(l.variant)),
            variant: self.value(l.variant),
            variant_operand: self.operand(l.variant),
            before: Operand { name: Some("before the turn".into()), ..self.operand(l.variant) },
            initial: {
                let held =
                    |(cell, id): &(Cell, LocalId)| (self.slot(*id), self.cell(*cell, s.span));
                l.initial.iter().map(held).collect()
            },
        };
        let body = self.subst(l.body, Position::Body);
        growing.iter().for_each(|slot| {
            self.growing.borrow_mut().remove(&slot.id());
        });
        let writes = self.writes_of(s);
        let each = match body {
            Body::Step(body) => {
                let whole = While { turn, body, writes, growing };
                return Body::Step(Step::While(Box::new(whole)));
            }
            Body::Each(each) => each,
        };
        let inside = self.footprint(l.body);
        let frame: Vec<Slot> = inside.locals.iter().map(|id| self.slot(*id)).collect();
        let assigned = writes.locals.clone();
        Body::Each(Box::new(move |env, next| {
            turn.start(env)?;
            let saved = Readable::advance(env, &assigned);
            let mut turns = Turns {
                turn: &turn,
                body: &each,
                assigned: &assigned,
                frame: &frame,
                branched: false,
                heads: Heads::default(),
            };
            let result = turns.run(&saved, None, env, next);
            saved.restore(env, &assigned);
            result
        }))
    }
}

impl Turn {
    fn start(&self, env: &mut Env) -> Result<(), Stop> {
        for (slot, value) in &self.initial {
            let v = value(env)?;
            slot.set(env, v)?;
        }
        Ok(())
    }

    /// The checks before a turn, given the variant before the last one: the variant, or `None` when the loop ends.
    fn begins(&self, env: &mut Env, last: Option<&Value>) -> Result<Option<Value>, Stop> {
        env.tick()?;
        if !self.invariant.holds(env)? {
            return Err(self.broken.fault(env, FaultKind::LoopInvariantFailed));
        }
        if !self.condition.holds(env)? {
            return Ok(None);
        }
        let v = (self.variant)(env)?;
        let before = last.filter(|last| v >= **last).map(|last| (&self.before, last.clone()));
        let wrong = match &before {
            _ if v < Value::Int(0) => FaultKind::VariantNotNatural,
            Some(_) => FaultKind::VariantNotDecreasing,
            None => return Ok(Some(v)),
        };
        let values = [(&self.variant_operand, v)].into_iter().chain(before);
        Err(env.fault(wrong, self.variant_operand.span, values))
    }
}

impl While {
    /// `false`: not feasible. What was readable before is readable again.
    pub(super) fn run(&self, env: &mut Env) -> Result<bool, Stop> {
        self.turn.start(env)?;
        let saved = Readable::advance(env, &self.writes.locals);
        let result = self.writes.passing(env, |env, forget| self.go_round(env, forget));
        growing::end(env, &self.growing, result.is_ok());
        saved.restore(env, &self.writes.locals);
        result
    }

    /// `forget`: what no field has any more.
    fn go_round(&self, env: &mut Env, forget: &dyn Fn(&mut Env)) -> Result<bool, Stop> {
        let mut last = None;
        while let Some(v) = self.turn.begins(env, last.as_ref())? {
            let goes_on = match &self.body {
                // What was readable before its parts is not read any more.
                Step::Sequence(chain) => chain.run_on(env)?,
                body => body.run(env)?,
            };
            if !goes_on {
                return Ok(false);
            }
            self.writes.make_readable(env);
            forget(env);
            last = Some(v);
        }
        Ok(true)
    }
}

/// The turns of a loop with a non-deterministic body.
struct Turns<'a> {
    turn: &'a Turn,
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
    fn run(
        &mut self,
        outer: &Readable,
        last: Option<&Value>,
        env: &mut Env,
        next: Next<'_>,
    ) -> Result<Flow, Stop> {
        let assigned = self.assigned;
        let turn = self.turn.begins(env, last)?;
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
