//! Operations whose instances are found and fired in one go.
//!
//! Most guards are tests and enumerations of words, and most bodies writes of fields. For these, nothing has
//! to be kept in mind on the way: where something is undefined, unknown or too large, all that was found
//! is forgotten, and the careful way ([`transitions`](super::transitions)) says what is to be thought of it.
//! Where that happens again and again, the careful way is taken at once.

use super::env::{Env, Flow, copy_state};
use super::evaluator::reset;
use super::program::OperationCode;
use super::sift::{all, sift};
use super::solve::Action;
use super::stop::Stop;
use super::substitution::{Body, Step};
use super::successors::{Entry, Successors};
use super::transitions::push_results;
use super::walk::{bind, ready};
use crate::machine::OpId;
use std::sync::Arc;

/// The actions of a guard, if its operation can be run straight away.
pub fn straight(actions: &Arc<[Action]>, body: &Body) -> Option<Arc<[Action]>> {
    let Body::Step(step) = body else { return None };
    (actions.iter().all(Action::goes_straight) && writes_only(step)).then(|| actions.clone())
}

fn writes_only(step: &Step) -> bool {
    match step {
        Step::Writes(_) => true,
        Step::First(parts) => parts.iter().all(|(_, step)| writes_only(step)),
        Step::Run(_) => false,
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
pub struct Straight<'a> {
    pub operation: OpId,
    pub state: &'a [u64],
    pub code: &'a OperationCode,
    pub step: &'a Step,
}

impl Straight<'_> {
    /// Adds the transitions by what these actions find.
    ///
    /// # Errors
    /// Something of it is not defined, or not known, or no word: nothing is to be concluded from what was
    /// added. Or the work is to end.
    pub fn run(
        &self,
        mut actions: &[Action],
        env: &mut Env,
        out: &mut Successors,
    ) -> Result<(), Stop> {
        while let Some((action, rest)) = actions.split_first() {
            match action {
                Action::Test(test) => {
                    if !test.holds(env)? {
                        return Ok(());
                    }
                }
                Action::Word(slot, e, _) => env.words[*slot] = e.get(env)?,
                Action::Bind(matcher, e, _) => {
                    ready(matcher, env)?;
                    let value = e(env)?;
                    if !bind(matcher, env, value)? {
                        return Ok(());
                    }
                }
                Action::Universe(slot, size) if let Some(all) = all(*size) => {
                    env.tick()?;
                    return self.each_of(all, *slot, rest, env, out);
                }
                Action::Universe(slot, size) => {
                    for i in 0..*size {
                        env.words[*slot] = i;
                        env.tick()?;
                        self.run(rest, env, out)?;
                    }
                    return Ok(());
                }
                Action::Bits(slot, set, _) => {
                    let set = set.get(env)?;
                    env.tick()?;
                    return self.each_of(set, *slot, rest, env, out);
                }
                Action::Range(slot, range, _) => {
                    let (low, high) = range.bounds(env)?;
                    for i in low..=high {
                        env.tick()?;
                        env.words[*slot] = i as u64;
                        self.run(rest, env, out)?;
                    }
                    return Ok(());
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
                            self.run(rest, env, out)?;
                        }
                        Ok(Flow::Continue(()))
                    });
                    return flow.map(|_| ());
                }
                // Those go by what is pending.
                Action::Either(..) | Action::Cases(..) | Action::Solve(..) => {
                    return Err(Stop::Overflow);
                }
            }
            actions = rest;
        }
        self.fire(env, out)
    }

    /// Goes on with each of some candidates for a local, or with those that pass the tests that come first.
    fn each_of(
        &self,
        mut candidates: u64,
        slot: usize,
        mut rest: &[Action],
        env: &mut Env,
        out: &mut Successors,
    ) -> Result<(), Stop> {
        while let [Action::Test(test), after @ ..] = rest
            && let Some(passed) = sift(test, slot, candidates, env)?
        {
            (candidates, rest) = (passed, after);
        }
        while candidates != 0 {
            env.words[slot] = u64::from(candidates.trailing_zeros());
            candidates &= candidates - 1;
            self.run(rest, env, out)?;
        }
        Ok(())
    }

    /// Fires the instance whose arguments the frame holds.
    fn fire(&self, env: &mut Env, out: &mut Successors) -> Result<(), Stop> {
        env.tick()?;
        let Straight { operation, state, code, step } = *self;
        let group = out.groups;
        out.groups += 1;
        copy_state(&mut env.next, state);
        reset(env, &code.assigned);
        if !step.run(env)? {
            return Ok(());
        }
        let results = out.results.len() as u32;
        if !code.results.is_empty() {
            push_results(env, code, &mut out.results);
        }
        let arguments = out.arguments.len() as u32;
        out.entries.push(Entry { operation, group, results, arguments, weight: 1 });
        match &env.next[..] {
            [word] => out.targets.push(*word),
            words => out.targets.extend_from_slice(words),
        }
        env.tick_for_packed()
    }
}
