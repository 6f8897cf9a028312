//! Operations whose instances are found and fired in one go.
//!
//! Most guards are tests and enumerations of words, and most bodies writes of fields. For these, nothing has
//! to be kept in mind on the way: guard and body are run as total functions ([`total`](crate::lower::total)),
//! and targets are written where they stand in the list. Where something is undefined, unknown or too
//! large, a doubt is left: all that was found is forgotten, and the careful way
//! ([`transitions`](super::transitions)) says what is to be thought of it. Where that happens again and
//! again, the careful way is taken at once.
//!
//! What an operation chooses at the top of its body is found as its parameters are; but choices with the same outcome are
//! one transition of the instance.

use super::reuse::Reuse;
use super::successors::{Entry, Successors};
use crate::eval::bodies::outcomes::{Effect, Outcomes, Ways};
use crate::eval::compile::Compiler;
use crate::eval::once::shared::Shared;
use crate::eval::solutions::moves::moves;
use crate::eval::solutions::solve::Action;
use crate::eval::solutions::walk::{bind, ready};
use crate::lower::changes::Known;
use crate::lower::env::{Env, Flow, copy_state};
use crate::lower::occupied::Wanted;
use crate::lower::stop::{CutId, Stop};
use crate::lower::total::moves::{Move, Walker, walk};
use crate::lower::total::patch::{Patch, Universe};
use crate::lower::{Gate, Gates, TotalTest, TotalWrite};
use crate::machine::{LocalId, OpId, Operation, VarId};
use crate::state::Axis;
use std::sync::Arc;

/// An operation that can be run straight away.
pub struct Straight {
    moves: Box<[Move<usize>]>,
    /// Gates that say what tests of the guard do, where their fields hold the values: these are no moves.
    inside: Box<[Gate]>,
    outcomes: Outcomes,
    /// Whether some write is code of the evaluator: then the target is made in the frame.
    runs: bool,
    /// The actions of the guard, for those moves that are closures on values.
    actions: Arc<[Action]>,
    /// How its transitions are found again, if they are.
    reuse: Option<Reuse>,
    choice: Choice,
}

/// What an instance has outcomes of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    /// Each has one.
    Nothing,
    /// There is one instance; equal outcomes of it are one.
    Once,
    /// There may be several, each of which begins at a move of its own ([`Move::Begin`]).
    Each,
}

/// What finds the instances of an operation, and, after as many actions as `own` says, what is chosen within each
/// ([`opened`](crate::machine::opened)).
pub struct Found {
    pub actions: Arc<[Action]>,
    pub own: Option<usize>,
}

impl Straight {
    /// The variables by whose values its transitions are found again, if they are.
    pub fn remembered_by(&self) -> Option<&[VarId]> {
        self.reuse.as_ref().map(|reuse| &reuse.variables[..])
    }

    /// What its guard wants of functions.
    pub fn wanted(&self) -> Vec<Wanted> {
        Wanted::by(&self.moves)
    }

    /// An operation with this guard and this body, if it is one; but for the conditions that it shares with others.
    /// `operation`: itself, told what it chooses.
    pub fn of(
        (compiler, id, operation): (&Compiler<'_>, OpId, &Operation),
        shared: &Shared,
        found: Found,
        gates: &Gates,
        ways: &Ways<'_>,
    ) -> Option<Straight> {
        let Found { actions, own } = found;
        let own = own.or(matches!(ways, Ways::Each(..)).then_some(actions.len()));
        let mut inside: Vec<Gate> = Vec::new();
        let mut told = |test: &TotalTest| {
            let gate = gates.tell_inside(test);
            inside.extend(gate.filter(|gate| !inside.contains(gate)));
            gate.is_some() || gates.tell(test)
        };
        let at = own.unwrap_or(0);
        let mut listed = moves(&actions[..at], &mut told, Some)?.into_vec();
        let choice = match own {
            None => Choice::Nothing,
            Some(_) if listed.iter().any(Move::enumerates) => Choice::Each,
            Some(_) => Choice::Once,
        };
        if choice == Choice::Each {
            listed.push(Move::Begin);
        }
        listed.extend(moves(&actions[at..], told, |i| Some(at + i))?);
        let moves: Box<[Move<usize>]> = listed.into();
        let universe = |slot| universe(compiler, &moves, slot);
        let outcomes = Outcomes::of(ways, &|writes| {
            Patch::fold(TotalWrite::of_all(writes), universe, compiler.layout.outside)
        })?;
        let goes_on = outcomes.effects().any(Effect::goes_on);
        let has_early_reads = || {
            let assigned = compiler.footprint(&operation.body).assigned;
            assigned.iter().any(|id| compiler.may_be_unwritten(*id))
        };
        if goes_on && has_early_reads() {
            return None;
        }
        let mut writes = Vec::new();
        outcomes.effects().for_each(|effect| effect.list(&mut writes));
        let writes = (!goes_on).then_some(&writes[..]);
        let several = moves.iter().any(Move::enumerates);
        let reuse = match choice {
            Choice::Each => None,
            _ => compiler.reuse((id, operation, shared), writes, several),
        };
        let (inside, runs) = (inside.into(), outcomes.effects().any(Effect::runs));
        Some(Straight { moves, inside, outcomes, runs, actions, reuse, choice })
    }
}

/// What a local may be when the body is run, where that is little: an element, or a number of an interval that the moves
/// go through.
fn universe(compiler: &Compiler<'_>, moves: &[Move<usize>], slot: u32) -> Option<Universe> {
    let range = moves.iter().find_map(|step| match step {
        Move::Range(of, range) if *of == slot as usize => Some(range.universe()),
        Move::Codes(of, _) if of.slots == (slot as usize, None) => Some(match of.axis {
            Axis::Interval { low, size } => Some(Universe { low, size }),
            _ => None,
        }),
        _ => None,
    });
    if let Some(range) = range {
        return range;
    }
    let slot = compiler.slot(LocalId(slot));
    let size = u64::try_from(slot.shape.index()?.size).ok()?;
    slot.word.then_some(Universe { low: 0, size })
}

/// From how many outcomes on equal ones are merged before all are found.
const MANY_OUTCOMES: usize = 1 << 12;

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

/// What came of running an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Run {
    /// A doubt is left.
    Not,
    /// Each instance has one outcome.
    OneEach,
    /// Equal outcomes of an instance are one.
    Several,
}

/// An operation at a state.
pub struct Course<'a> {
    pub operation: OpId,
    pub state: &'a [u64],
    pub straight: &'a Straight,
}

impl Course<'_> {
    /// Adds the transitions, and says where an enumeration was cut off. Where a doubt is left nothing is added.
    ///
    /// # Errors
    /// [`Stop::Halted`] only.
    #[inline]
    pub fn run(
        &self,
        env: &mut Env,
        failures: &mut Failures,
        cut: &mut Option<CutId>,
        out: &mut Successors,
    ) -> Result<Run, Stop> {
        if self.straight.choice != Choice::Nothing {
            return self.run_with_choices(env, failures, cut, out);
        }
        let is_run = self.is_run::<false>(env, failures, cut, out)?;
        Ok(if is_run { Run::OneEach } else { Run::Not })
    }

    /// The same where an instance may have several outcomes.
    #[inline(never)]
    fn run_with_choices(
        &self,
        env: &mut Env,
        failures: &mut Failures,
        cut: &mut Option<CutId>,
        out: &mut Successors,
    ) -> Result<Run, Stop> {
        let first = out.entries.len();
        let is_run = self.is_run::<true>(env, failures, cut, out)?;
        out.merge(first);
        Ok(if is_run { Run::Several } else { Run::Not })
    }

    /// Whether no doubt is left; equal outcomes stand there side by side. `CHOOSES`: whether an instance may have several.
    #[inline(always)]
    fn is_run<const CHOOSES: bool>(
        &self,
        env: &mut Env,
        failures: &mut Failures,
        cut: &mut Option<CutId>,
        out: &mut Successors,
    ) -> Result<bool, Stop> {
        match &self.straight.reuse {
            None => self.is_computed::<CHOOSES>(env, failures, cut, out, |_, _, _| ()),
            Some(reuse) => self.is_found::<CHOOSES>(reuse, env, failures, cut, out),
        }
    }

    /// The same by walking to the instances; `then` is done after each of them.
    #[inline(always)]
    fn is_computed<const CHOOSES: bool>(
        &self,
        env: &mut Env,
        failures: &mut Failures,
        cut: &mut Option<CutId>,
        out: &mut Successors,
        then: impl FnMut(&Effect, &[u64], &mut Env),
    ) -> Result<bool, Stop> {
        if env.pending.is_some() {
            env.pending = None;
        }
        let first = out.entries.len();
        if !self.straight.inside.iter().all(|gate| gate.is_inside(self.state)) {
            take_back(first, env, failures, out);
            return Ok(false);
        }
        if CHOOSES && self.straight.choice == Choice::Once {
            out.groups += 1;
        }
        let full = first + MANY_OUTCOMES;
        let mut walker = Listing::<_, CHOOSES> { course: self, out, then, first, full };
        let result = match &self.straight.moves[..] {
            // There is one instance.
            [] => env.tick().and_then(|()| walker.arrive_here(self.state, env)),
            moves => walk(moves, self.state, env, &mut walker),
        };
        if result.is_ok() && !env.doubt {
            if let Some(at) = env.settle(true) {
                cut.get_or_insert(at);
            }
            return Ok(true);
        }
        take_back(first, env, failures, out);
        match result {
            Err(Stop::Halted) => Err(Stop::Halted),
            _ => Ok(false),
        }
    }

    /// The same by what is remembered of states in which the operation reads the same, if anything is.
    #[inline(never)]
    fn is_found<const CHOOSES: bool>(
        &self,
        reuse: &Reuse,
        env: &mut Env,
        failures: &mut Failures,
        cut: &mut Option<CutId>,
        out: &mut Successors,
    ) -> Result<bool, Stop> {
        let first = out.entries.len();
        let mut unknown = reuse.key(self.state);
        if let Some(key) = &unknown {
            match reuse.ask(key, &mut env.memory.changes) {
                Known::All(words) => {
                    out.groups += u32::from(CHOOSES);
                    reuse.repeat(words, self.state, out, |out| self.enter::<CHOOSES>(out));
                    env.tick_by(1 + out.entries.len() - first)?;
                    return Ok(true);
                }
                Known::Nothing => {}
                Known::Rests => unknown = None,
            }
        }
        let (mut own, mut touched) = (None, Vec::new());
        let is_run = match unknown.is_some() && reuse.touches {
            true => {
                self.is_computed::<CHOOSES>(env, failures, &mut own, out, |effect, state, env| {
                    let first = touched.len();
                    touched.resize(first + state.len(), 0);
                    effect.touch(state, &mut touched[first..], env);
                })?
            }
            false => self.is_computed::<CHOOSES>(env, failures, &mut own, out, |_, _, _| ())?,
        };
        *cut = cut.or(own);
        // Where some were merged, it is not known what each of the others touched.
        let are_all =
            !reuse.touches || touched.len() == (out.entries.len() - first) * self.state.len();
        if let (true, None, Some(key)) = (is_run && are_all, own, unknown) {
            reuse.remember(key, (out, first), &touched, &mut env.memory.changes);
        }
        Ok(is_run)
    }

    /// Fires the instance whose arguments the frame holds.
    #[inline(always)]
    fn fire<const CHOOSES: bool>(
        &self,
        effect: &Effect,
        env: &mut Env,
        out: &mut Successors,
    ) -> Result<(), Stop> {
        let Course { state, straight, .. } = *self;
        if straight.runs {
            return self.fire_in_frame::<CHOOSES>(effect, env, out);
        }
        let begin = out.targets.len();
        match state {
            [word] => out.targets.push(*word),
            words => out.targets.extend_from_slice(words),
        }
        effect.take_place(state, &mut out.targets[begin..], env);
        self.enter::<CHOOSES>(out);
        Ok(())
    }

    /// The same where the body runs code of the evaluator.
    #[inline(never)]
    fn fire_in_frame<const CHOOSES: bool>(
        &self,
        effect: &Effect,
        env: &mut Env,
        out: &mut Successors,
    ) -> Result<(), Stop> {
        copy_state(&mut env.next, self.state);
        effect.take_place_in_frame(self.state, env);
        out.targets.extend_from_slice(&env.next);
        env.tick_for_packed()?;
        self.enter::<CHOOSES>(out);
        Ok(())
    }

    /// Lists the transition whose target was added. Its results are not: nothing has several outcomes here, between
    /// which they would tell.
    #[inline(always)]
    fn enter<const CHOOSES: bool>(&self, out: &mut Successors) {
        // What is chosen within an instance is within its group, which began before.
        out.groups += u32::from(!CHOOSES);
        let (operation, group) = (self.operation, out.groups - 1);
        let (results, arguments) = (out.results.len() as u32, out.arguments.len() as u32);
        out.entries.push(Entry { operation, group, results, arguments, weight: 1 });
    }
}

/// Forgets what an operation has found, the entries from `first` on.
#[cold]
fn take_back(first: usize, env: &mut Env, failures: &mut Failures, out: &mut Successors) {
    env.doubt = false;
    failures.add();
    if let Some(entry) = out.entries.get(first) {
        out.groups = entry.group;
    }
    out.drop_entries(first);
    env.settle(false);
}

/// Fires each instance that is found.
struct Listing<'f, 'a, F, const CHOOSES: bool> {
    course: &'f Course<'a>,
    out: &'f mut Successors,
    /// What is done after that.
    then: F,
    /// The first entry of the operation, and how many there are when equal ones are merged on the way.
    first: usize,
    full: usize,
}

impl<F: FnMut(&Effect, &[u64], &mut Env), const CHOOSES: bool> Listing<'_, '_, F, CHOOSES> {
    #[cold]
    fn merge(&mut self) {
        self.out.merge(self.first);
        let left = self.out.entries.len() - self.first;
        self.full = self.first + MANY_OUTCOMES.max(2 * left);
    }

    /// The same as [`Walker::arrive`], for where there is no walk: then a call would cost as much as what it does.
    #[inline(always)]
    fn arrive_here(&mut self, state: &[u64], env: &mut Env) -> Result<Flow, Stop> {
        match &self.course.straight.outcomes {
            Outcomes::One(effect) => self.fire(effect, state, env)?,
            Outcomes::Each(parts, otherwise) => {
                self.fire_each(parts, otherwise.as_ref(), state, env)?;
            }
        }
        Ok(Flow::Continue(()))
    }

    #[inline(always)]
    fn fire(&mut self, effect: &Effect, state: &[u64], env: &mut Env) -> Result<(), Stop> {
        self.course.fire::<CHOOSES>(effect, env, self.out)?;
        (self.then)(effect, state, env);
        if CHOOSES && self.out.entries.len() >= self.full {
            self.merge();
        }
        Ok(())
    }

    /// Fires each alternative whose condition holds; where there is none, the last one.
    #[inline(never)]
    fn fire_each(
        &mut self,
        parts: &[(TotalTest, Effect)],
        otherwise: Option<&Effect>,
        state: &[u64],
        env: &mut Env,
    ) -> Result<(), Stop> {
        let mut taken = false;
        env.tick_by(parts.len())?;
        for (condition, effect) in parts {
            if condition.holds(state, env) {
                taken = true;
                self.fire(effect, state, env)?;
            }
        }
        match otherwise {
            Some(effect) if !taken => self.fire(effect, state, env),
            _ => Ok(()),
        }
    }
}

impl<F: FnMut(&Effect, &[u64], &mut Env), const CHOOSES: bool> Walker<usize>
    for Listing<'_, '_, F, CHOOSES>
{
    #[inline]
    fn arrive(&mut self, state: &[u64], env: &mut Env) -> Result<Flow, Stop> {
        self.arrive_here(state, env)
    }

    fn begin(&mut self) {
        self.out.groups += 1;
    }

    fn values(
        &mut self,
        action: &usize,
        rest: &[Move<usize>],
        state: &[u64],
        env: &mut Env,
    ) -> Result<Option<Flow>, Stop> {
        match &self.course.straight.actions[*action] {
            Action::Bind(matcher, e, _) => {
                ready(matcher, env)?;
                let value = e(env)?;
                Ok(match bind(matcher, env, value)? {
                    true => None,
                    false => Some(Flow::Continue(())),
                })
            }
            Action::Members(matcher, members, _) => {
                ready(matcher, env)?;
                let flow = members(env, &mut |env, value| {
                    env.tick()?;
                    // The set is not known to hold it.
                    if env.pending.is_some() {
                        return Err(Stop::Overflow);
                    }
                    match bind(matcher, env, value)? {
                        true => walk(rest, state, env, self),
                        false => Ok(Flow::Continue(())),
                    }
                });
                flow.map(Some)
            }
            _ => Err(Stop::Overflow),
        }
    }
}
