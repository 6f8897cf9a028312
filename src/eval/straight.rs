//! Operations whose instances are found and fired in one go.
//!
//! Most guards are tests and enumerations of words, and most bodies writes of fields. For these, nothing has
//! to be kept in mind on the way: guard and body are run as total functions ([`total`](super::lower::total)),
//! and targets are written where they stand in the list. Where something is undefined, unknown or too
//! large, a doubt is left: all that was found is forgotten, and the careful way
//! ([`transitions`](super::transitions)) says what is to be thought of it. Where that happens again and
//! again, the careful way is taken at once.

use super::code::Slot;
use super::env::{Env, Flow, copy_state};
use super::evaluator::reset;
use super::lower::{Gates, TotalTest, TotalWord, TotalWrite};
use super::program::OperationCode;
use super::sift::{Sift, all};
use super::solve::Action;
use super::stop::{CutId, Stop};
use super::substitution::{Body, Step};
use super::successors::{Entry, Successors};
use super::transitions::push_results;
use super::walk::{bind, ready};
use crate::machine::OpId;
use std::sync::Arc;

/// An operation that can be run straight away.
pub struct Straight {
    moves: Box<[Move]>,
    effect: Effect,
    /// Whether some write is code of the evaluator: then the target is made in the frame.
    runs: bool,
    /// Whether a target is not all that an instance leaves.
    keeps_more: bool,
    /// The actions of the guard, for those moves that are closures on values.
    actions: Arc<[Action]>,
    /// Results and locals that it assigns.
    assigned: Arc<[Slot]>,
}

/// An action of a guard.
enum Move {
    Test(TotalTest),
    /// A local takes the value of a word.
    Word(usize, TotalWord),
    /// A local walks those bits of a word that pass.
    Bits(usize, TotalWord, Box<[Sift]>),
    /// A local walks a universe of more members than a word has bits.
    Universe(usize, u64),
    Range(usize, Range),
    /// What binds values: the action of this number.
    Values(usize),
}

struct Range {
    low: Box<[TotalWord]>,
    high: Box<[TotalWord]>,
    limits: (i64, i64),
}

/// What a body writes.
enum Effect {
    Writes(Box<[TotalWrite]>),
    /// The first whose condition holds.
    First(Box<[(TotalTest, Effect)]>),
    All(Box<[Effect]>),
}

impl Straight {
    /// An operation with this guard and this body, if it is one.
    pub fn of(
        actions: &Arc<[Action]>,
        gates: &Gates,
        body: &Body,
        assigned: &Arc<[Slot]>,
    ) -> Option<Straight> {
        let Body::Step(step) = body else { return None };
        let effect = Effect::of(step)?;
        Some(Straight {
            moves: moves(actions, gates)?,
            runs: effect.runs(),
            // Results are assigned.
            keeps_more: effect.runs() || !assigned.is_empty(),
            effect,
            actions: actions.clone(),
            assigned: assigned.clone(),
        })
    }
}

/// The moves behind these gates.
fn moves(actions: &[Action], gates: &Gates) -> Option<Box<[Move]>> {
    let mut moves = Vec::with_capacity(actions.len());
    let mut next = 0;
    while let Some(action) = actions.get(next) {
        let at = next;
        next += 1;
        // The tests that come next, as far as they are asked of all candidates at once.
        let mut sifts = |slot: usize| {
            let tests = actions[next..].iter().map_while(|action| match action {
                Action::Test(test) => Sift::of(test, slot),
                _ => None,
            });
            let sifts: Box<[Sift]> = tests.collect();
            next += sifts.len();
            sifts
        };
        moves.push(match action {
            Action::Test(test) => match TotalTest::of(test) {
                test if gates.tell(&test) => continue,
                test => Move::Test(test),
            },
            Action::Word(slot, word, _) => Move::Word(*slot, TotalWord::of(word)),
            Action::Universe(slot, size) => match all(*size) {
                Some(all) => Move::Bits(*slot, TotalWord::Constant(all), sifts(*slot)),
                None => Move::Universe(*slot, *size),
            },
            Action::Bits(slot, set, _) => Move::Bits(*slot, TotalWord::of(set), sifts(*slot)),
            Action::Range(slot, range, _) => {
                let (low, high, limits) = range.parts();
                let total = |words: &[super::lower::Word]| words.iter().map(TotalWord::of).collect();
                Move::Range(*slot, Range { low: total(low), high: total(high), limits })
            }
            Action::Bind(..) | Action::Members(..) => Move::Values(at),
            // Those go by what is pending.
            Action::Either(..) | Action::Cases(..) | Action::Solve(..) => return None,
        });
    }
    Some(moves.into())
}

impl Range {
    fn bounds(&self, state: &[u64], env: &mut Env) -> (i64, i64) {
        let mut words = |words: &[TotalWord], choose: fn(i64, i64) -> i64| {
            words.iter().map(|word| word.get(state, env) as i64).reduce(choose)
        };
        let (low, high) = (words(&self.low, i64::max), words(&self.high, i64::min));
        (low.unwrap_or(self.limits.0), high.unwrap_or(self.limits.1))
    }
}

impl Effect {
    fn of(step: &Step) -> Option<Effect> {
        Some(match step {
            Step::Writes(writes) => Effect::Writes(TotalWrite::of_all(writes).into()),
            Step::First(parts) => {
                let part = |(test, step): &(_, Step)| Some((TotalTest::of(test), Effect::of(step)?));
                Effect::First(parts.iter().map(part).collect::<Option<_>>()?)
            }
            Step::All(parts) => Effect::All(parts.iter().map(Effect::of).collect::<Option<_>>()?),
            Step::Run(_) => return None,
        })
    }

    fn runs(&self) -> bool {
        match self {
            Effect::Writes(writes) => writes.iter().any(TotalWrite::runs),
            Effect::First(parts) => parts.iter().any(|(_, effect)| effect.runs()),
            Effect::All(parts) => parts.iter().any(Effect::runs),
        }
    }

    /// Writes into `next`, or, where some write is code of the evaluator, into the state of the frame.
    fn take_place(&self, state: &[u64], next: &mut [u64], env: &mut Env) {
        match self {
            Effect::Writes(writes) => {
                for write in writes {
                    write.write(state, next, env);
                }
            }
            Effect::First(parts) => {
                for (condition, effect) in parts {
                    if condition.holds(state, env) {
                        return effect.take_place(state, next, env);
                    }
                }
            }
            Effect::All(parts) => parts.iter().for_each(|e| e.take_place(state, next, env)),
        }
    }

    /// The same in the frame's own state.
    fn take_place_in_frame(&self, state: &[u64], env: &mut Env) {
        match self {
            Effect::Writes(writes) => {
                for write in writes {
                    if write.runs() {
                        write.write(state, &mut [], env);
                    } else {
                        let mut next = std::mem::take(&mut env.next);
                        write.write(state, &mut next, env);
                        env.next = next;
                    }
                }
            }
            Effect::First(parts) => {
                for (condition, effect) in parts {
                    if condition.holds(state, env) {
                        return effect.take_place_in_frame(state, env);
                    }
                }
            }
            Effect::All(parts) => parts.iter().for_each(|e| e.take_place_in_frame(state, env)),
        }
    }
}

/// How often an operation had to be run a second time, lately.
#[derive(Clone, Copy, Default, Debug)]
pub struct Failures(u8);

impl Failures {
    /// Whether it is better not tried at all. Now and then it is all the same.
    #[inline(always)]
    pub fn are_many(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 >= 64
    }

    #[cold]
    pub fn add(&mut self) {
        self.0 = self.0.saturating_add(32);
    }
}

/// An operation at a state.
pub struct Course<'a> {
    pub operation: OpId,
    pub state: &'a [u64],
    pub code: &'a OperationCode,
    pub straight: &'a Straight,
}

impl Course<'_> {
    /// Adds the transitions, and gives where an enumeration was cut off; nothing where a doubt is left: then nothing
    /// is added.
    ///
    /// # Errors
    /// [`Stop::Halted`] only.
    #[inline]
    pub fn is_run(
        &self,
        env: &mut Env,
        failures: &mut Failures,
        out: &mut Successors,
    ) -> Result<Option<Option<CutId>>, Stop> {
        env.pending = None;
        let mark = out.mark();
        let result = self.go(&self.straight.moves, env, out);
        match (result, std::mem::take(&mut env.doubt)) {
            (Ok(()), false) => Ok(Some(env.settle(true))),
            (Err(Stop::Halted), _) => Err(Stop::Halted),
            _ => {
                failures.add();
                out.truncate(&mark);
                env.settle(false);
                Ok(None)
            }
        }
    }

    fn go(&self, mut moves: &[Move], env: &mut Env, out: &mut Successors) -> Result<(), Stop> {
        let state = self.state;
        while let Some((first, rest)) = moves.split_first() {
            match first {
                Move::Test(test) => {
                    if !test.holds(state, env) {
                        return Ok(());
                    }
                }
                Move::Word(slot, word) => env.words[*slot] = word.get(state, env),
                Move::Bits(slot, set, sifts) => {
                    let mut candidates = set.get(state, env);
                    for sift in sifts {
                        candidates = sift.pass(candidates, state, env);
                    }
                    env.tick_by(1 + candidates.count_ones() as usize)?;
                    while candidates != 0 {
                        env.words[*slot] = u64::from(candidates.trailing_zeros());
                        candidates &= candidates - 1;
                        match rest {
                            [] => self.fire(env, out)?,
                            rest => self.go(rest, env, out)?,
                        }
                    }
                    return Ok(());
                }
                Move::Universe(slot, size) => {
                    for i in 0..*size {
                        env.words[*slot] = i;
                        env.tick()?;
                        self.go(rest, env, out)?;
                    }
                    return Ok(());
                }
                Move::Range(slot, range) => {
                    let (low, high) = range.bounds(state, env);
                    // What is in doubt may be anything, and many.
                    if env.doubt {
                        return Ok(());
                    }
                    for i in low..=high {
                        env.tick()?;
                        env.words[*slot] = i as u64;
                        self.go(rest, env, out)?;
                    }
                    return Ok(());
                }
                Move::Values(action) => {
                    if env.doubt {
                        return Ok(());
                    }
                    if self.values(*action, rest, env, out)? {
                        return Ok(());
                    }
                }
            }
            moves = rest;
        }
        env.tick()?;
        self.fire(env, out)
    }

    /// Binds values. `true`: for each way the moves after it were made, or there is none.
    fn values(
        &self,
        action: usize,
        rest: &[Move],
        env: &mut Env,
        out: &mut Successors,
    ) -> Result<bool, Stop> {
        match &self.straight.actions[action] {
            Action::Bind(matcher, e, _) => {
                ready(matcher, env)?;
                let value = e(env)?;
                Ok(!bind(matcher, env, value)?)
            }
            Action::Members(matcher, members, _) => {
                ready(matcher, env)?;
                let flow = members(env, &mut |env, value| {
                    env.tick()?;
                    // The set is not known to hold it.
                    if env.pending.is_some() {
                        return Err(Stop::Overflow);
                    }
                    if bind(matcher, env, value)? {
                        self.go(rest, env, out)?;
                    }
                    Ok(Flow::Continue(()))
                });
                flow.map(|_| true)
            }
            _ => Err(Stop::Overflow),
        }
    }

    /// Fires the instance whose arguments the frame holds.
    #[inline]
    fn fire(&self, env: &mut Env, out: &mut Successors) -> Result<(), Stop> {
        let Course { state, straight, .. } = *self;
        if straight.keeps_more {
            return self.fire_with_more(env, out);
        }
        let begin = out.targets.len();
        match state {
            [word] => out.targets.push(*word),
            words => out.targets.extend_from_slice(words),
        }
        straight.effect.take_place(state, &mut out.targets[begin..], env);
        self.enter(out.results.len(), out);
        Ok(())
    }

    /// The same where the body runs code of the evaluator, or assigns to locals, too.
    #[inline(never)]
    fn fire_with_more(&self, env: &mut Env, out: &mut Successors) -> Result<(), Stop> {
        let Course { state, straight, .. } = *self;
        reset(env, &straight.assigned);
        if straight.runs {
            copy_state(&mut env.next, state);
            straight.effect.take_place_in_frame(state, env);
            out.targets.extend_from_slice(&env.next);
            env.tick_for_packed()?;
        } else {
            let begin = out.targets.len();
            out.targets.extend_from_slice(state);
            straight.effect.take_place(state, &mut out.targets[begin..], env);
        }
        let results = out.results.len();
        if !self.code.results.is_empty() {
            push_results(env, self.code, &mut out.results);
        }
        self.enter(results, out);
        Ok(())
    }

    /// Lists the transition whose target was added.
    #[inline(always)]
    fn enter(&self, results: usize, out: &mut Successors) {
        let (operation, group) = (self.operation, out.groups);
        out.groups += 1;
        let (results, arguments) = (results as u32, out.arguments.len() as u32);
        out.entries.push(Entry { operation, group, results, arguments, weight: 1 });
    }
}
