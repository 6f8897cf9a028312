//! What bodies come to, as total functions: one outcome, or one for each alternative that can be taken.

use super::guard::Position;
use super::sequence::Part;
use super::substitution::{Body, Step};
use super::turns::While;
use super::written::Writes;
use crate::eval::compile::Compiler;
use crate::lower::env::Env;
use crate::lower::{Test, TotalTest, TotalWord, TotalWrite, Write};
use crate::machine::{Pred, Subst, SubstKind};
use smallvec::SmallVec;

/// What a body comes to.
pub(in crate::eval) enum Ways<'b> {
    One(&'b Step),
    /// Each alternative whose condition holds; where there is none the last one.
    Each(Vec<(Test, Step)>, Option<Step>),
}

/// The same with total functions.
pub(in crate::eval) enum Outcomes {
    One(Effect),
    Each(Box<[(TotalTest, Effect)]>, Option<Effect>),
}

/// What a way through a body writes.
pub(in crate::eval) enum Effect {
    /// One write, as most bodies have in the end.
    One(TotalWrite),
    Writes(Box<[TotalWrite]>),
    /// The first whose condition holds.
    First(Box<[(TotalTest, Effect)]>),
    All(Box<[Effect]>),
    /// One after the other, each of which reads what those before it have written.
    Sequence(Box<[Stage]>, Box<Effect>),
    While(Box<Round>),
}

/// A part of a sequence after which others read what it has written.
pub(in crate::eval) enum Stage {
    /// A local that is a word, in both halves.
    Local(u32, TotalWord),
    Other(Effect, Writes),
}

/// A loop.
pub(in crate::eval) struct Round {
    condition: TotalTest,
    invariant: TotalTest,
    variant: TotalWord,
    body: Box<[Stage]>,
    /// What a turn may write.
    writes: Writes,
}

impl Compiler<'_> {
    /// The ways through a compiled body, where each is deterministic. `s`: what it was compiled from, which may begin
    /// with a CHOICE or a SELECT of several.
    pub(in crate::eval) fn ways<'b>(&self, body: &'b Body, s: Option<&Subst>) -> Option<Ways<'b>> {
        match body {
            Body::Step(step) => Some(Ways::One(step)),
            Body::Each(_) => self.alternatives_of(s?),
        }
    }

    fn alternatives_of(&self, s: &Subst) -> Option<Ways<'static>> {
        let (mut parts, mut otherwise) = (Vec::new(), None);
        match &s.kind {
            SubstKind::Select(branches, Some(last)) => {
                for (p, s) in branches {
                    parts.push((self.test(p), self.deterministic(s)?));
                }
                otherwise = Some(self.deterministic(last)?);
            }
            SubstKind::Select(..) | SubstKind::Choice(_) => self.gather(&[], s, &mut parts)?,
            _ => return None,
        }
        Some(Ways::Each(parts, otherwise))
    }

    /// Adds the ways below these conditions.
    fn gather(&self, above: &[&Pred], s: &Subst, parts: &mut Vec<(Test, Step)>) -> Option<()> {
        match &s.kind {
            SubstKind::Choice(all) => all.iter().try_for_each(|s| self.gather(above, s, parts)),
            SubstKind::Select(branches, None) => branches.iter().try_for_each(|(p, s)| {
                let all: Vec<&Pred> = above.iter().copied().chain([p]).collect();
                self.gather(&all, s, parts)
            }),
            _ => {
                let condition = Test::all(above.iter().map(|p| self.test(p)).collect());
                parts.push((condition, self.deterministic(s)?));
                Some(())
            }
        }
    }

    fn deterministic(&self, s: &Subst) -> Option<Step> {
        match self.subst(s, Position::Body) {
            Body::Step(step) => Some(step),
            Body::Each(_) => None,
        }
    }
}

impl Outcomes {
    pub(in crate::eval) fn of(
        ways: &Ways<'_>,
        fold: &impl Fn(&[Write]) -> Vec<TotalWrite>,
    ) -> Option<Outcomes> {
        Some(match ways {
            Ways::One(step) => Outcomes::One(Effect::of(step, fold)?),
            Ways::Each(parts, otherwise) => {
                let part =
                    |(test, step): &(_, Step)| Some((TotalTest::of(test), Effect::of(step, fold)?));
                let otherwise = match otherwise {
                    Some(step) => Some(Effect::of(step, fold)?),
                    None => None,
                };
                Outcomes::Each(parts.iter().map(part).collect::<Option<_>>()?, otherwise)
            }
        })
    }

    pub(in crate::eval) fn effects(&self) -> impl Iterator<Item = &Effect> {
        let (one, each, last) = match self {
            Outcomes::One(effect) => (Some(effect), &[][..], None),
            Outcomes::Each(parts, otherwise) => (None, &parts[..], otherwise.as_ref()),
        };
        one.into_iter().chain(each.iter().map(|(_, effect)| effect)).chain(last)
    }
}

impl Effect {
    fn of(step: &Step, fold: &impl Fn(&[Write]) -> Vec<TotalWrite>) -> Option<Effect> {
        Some(match step {
            Step::Writes(writes) => {
                let mut writes = fold(writes);
                match (writes.len(), writes.pop()) {
                    (1, Some(write)) => Effect::One(write),
                    (_, last) => {
                        writes.extend(last);
                        Effect::Writes(writes.into())
                    }
                }
            }
            Step::First(parts) => {
                let part =
                    |(test, step): &(_, Step)| Some((TotalTest::of(test), Effect::of(step, fold)?));
                Effect::First(parts.iter().map(part).collect::<Option<_>>()?)
            }
            Step::All(parts) => {
                let parts = parts.iter().map(|step| Effect::of(step, fold));
                Effect::All(parts.collect::<Option<_>>()?)
            }
            Step::Sequence(chain) => {
                let stage = |part: &Part| Stage::of(&part.step, &part.writes);
                let stages = chain.parts.iter().map(stage).collect::<Option<_>>()?;
                Effect::Sequence(stages, Box::new(Effect::of_part(&chain.last)?))
            }
            Step::Var(_, step) => Effect::of(step, fold)?,
            Step::While(of) => Effect::While(Box::new(Round::of(of)?)),
            Step::Run(_) => return None,
        })
    }

    /// What is a part of a sequence, or of a loop: locals are read afterwards.
    fn of_part(step: &Step) -> Option<Effect> {
        Effect::of(step, &TotalWrite::of_part)
    }

    pub(in crate::eval) fn runs(&self) -> bool {
        match self {
            Effect::One(write) => write.runs(),
            Effect::Writes(writes) => writes.iter().any(TotalWrite::runs),
            Effect::First(parts) => parts.iter().any(|(_, effect)| effect.runs()),
            Effect::All(parts) => parts.iter().any(Effect::runs),
            Effect::Sequence(..) | Effect::While(_) => true,
        }
    }

    /// Whether some part reads what another one has written: such parts want locals that have values.
    pub(in crate::eval) fn goes_on(&self) -> bool {
        match self {
            Effect::One(_) | Effect::Writes(_) => false,
            Effect::First(parts) => parts.iter().any(|(_, effect)| effect.goes_on()),
            Effect::All(parts) => parts.iter().any(Effect::goes_on),
            Effect::Sequence(..) | Effect::While(_) => true,
        }
    }

    /// All writes, whether they are done or not, where none reads what another one has written.
    pub(in crate::eval) fn list<'e>(&'e self, writes: &mut Vec<&'e TotalWrite>) {
        match self {
            Effect::One(own) => writes.push(own),
            Effect::Writes(own) => writes.extend(own),
            Effect::First(parts) => parts.iter().for_each(|(_, effect)| effect.list(writes)),
            Effect::All(parts) => parts.iter().for_each(|effect| effect.list(writes)),
            Effect::Sequence(..) | Effect::While(_) => {}
        }
    }

    /// Adds the bits that are touched ([`TotalWrite::touch`]), of what is listed ([`Effect::list`]).
    pub(in crate::eval) fn touch(&self, state: &[u64], touched: &mut [u64], env: &mut Env) {
        match self {
            Effect::One(write) => write.touch(state, touched, env),
            Effect::Writes(writes) => writes.iter().for_each(|w| w.touch(state, touched, env)),
            Effect::First(parts) => {
                let part = parts.iter().find(|(condition, _)| condition.holds(state, env));
                part.into_iter().for_each(|(_, effect)| effect.touch(state, touched, env));
            }
            Effect::All(parts) => parts.iter().for_each(|e| e.touch(state, touched, env)),
            Effect::Sequence(..) | Effect::While(_) => {}
        }
    }

    /// Writes into `next`, or, where some write is code of the evaluator, into the state of the frame.
    #[inline(always)]
    pub(in crate::eval) fn take_place(&self, state: &[u64], next: &mut [u64], env: &mut Env) {
        match self {
            Effect::One(TotalWrite::Patch(patch)) => patch.write(state, next, env),
            Effect::One(TotalWrite::Code(code)) => code.write(state, next, env),
            effect => effect.take_place_at_length(state, next, env),
        }
    }

    fn take_place_at_length(&self, state: &[u64], next: &mut [u64], env: &mut Env) {
        match self {
            Effect::One(write) => write.write(state, next, env),
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
            // These are done in the frame: `Effect::runs`.
            Effect::Sequence(..) | Effect::While(_) => {}
        }
    }

    /// The same in the frame's own state.
    pub(in crate::eval) fn take_place_in_frame(&self, state: &[u64], env: &mut Env) {
        let write = |write: &TotalWrite, env: &mut Env| {
            if write.runs() {
                write.write(state, &mut [], env);
            } else {
                let mut next = std::mem::take(&mut env.next);
                write.write(state, &mut next, env);
                env.next = next;
            }
        };
        match self {
            Effect::One(own) => write(own, env),
            Effect::Writes(writes) => writes.iter().for_each(|own| write(own, env)),
            Effect::First(parts) => {
                for (condition, effect) in parts {
                    if condition.holds(state, env) {
                        return effect.take_place_in_frame(state, env);
                    }
                }
            }
            Effect::All(parts) => parts.iter().for_each(|e| e.take_place_in_frame(state, env)),
            Effect::Sequence(..) | Effect::While(_) => {
                let mut current: SmallVec<[u64; 8]> = SmallVec::from_slice(state);
                self.go_on(&mut current, env);
                env.state.copy_from_slice(state);
            }
        }
    }

    /// The same where nobody reads `current`, which is the state that the frame reads, afterwards: both may be overwritten.
    fn go_on(&self, current: &mut [u64], env: &mut Env) {
        match self {
            Effect::First(parts) => {
                if let Some((_, effect)) = parts.iter().find(|(test, _)| test.holds(current, env)) {
                    effect.go_on(current, env);
                }
            }
            Effect::Sequence(stages, last) => {
                if stages.iter().all(|stage| stage.is_done(current, env)) {
                    last.go_on(current, env);
                }
            }
            Effect::While(round) => {
                round.writes.passing(env, |env, forget| round.go_round(current, env, forget));
            }
            effect => effect.take_place_in_frame(current, env),
        }
    }
}

impl Stage {
    fn of(step: &Step, writes: &Writes) -> Option<Stage> {
        Some(match Effect::of_part(step)? {
            Effect::One(TotalWrite::Local(index, word)) => Stage::Local(index, word),
            effect => Stage::Other(effect, writes.clone()),
        })
    }

    /// `false`: a doubt is left.
    #[inline]
    fn is_done(&self, current: &mut [u64], env: &mut Env) -> bool {
        match self {
            Stage::Local(index, word) => {
                let (word, at) = (word.get(current, env), *index as usize);
                env.words[at] = word;
                env.words[at + env.locals] = word;
            }
            Stage::Other(effect, writes) => {
                effect.go_on(current, env);
                if !env.doubt {
                    writes.make_readable_in(current, env);
                }
            }
        }
        !env.doubt
    }
}

impl Round {
    fn of(loop_: &While) -> Option<Round> {
        let While { turn, body, writes, growing } = loop_;
        if !growing.is_empty() || !turn.initial.is_empty() {
            return None;
        }
        let body = match body {
            Step::Sequence(chain) => {
                let stages = chain.parts.iter().map(|part| Stage::of(&part.step, &part.writes));
                stages.chain([Stage::of(&chain.last, writes)]).collect::<Option<_>>()?
            }
            body => [Stage::of(body, writes)?].into(),
        };
        Some(Round {
            condition: TotalTest::of(&turn.condition),
            invariant: TotalTest::of(&turn.invariant),
            variant: TotalWord::of(turn.measure.as_ref()?),
            body,
            writes: writes.clone(),
        })
    }

    /// Each turn leaves a doubt, and is the last one, where one of its checks fails: the careful way tells why. `forget`: what
    /// no field has any more.
    fn go_round(&self, current: &mut [u64], env: &mut Env, forget: &dyn Fn(&mut Env)) {
        let mut last = i64::MAX;
        loop {
            if env.tick().is_err() || !self.invariant.holds(current, env) {
                env.doubted();
            }
            let goes_on = self.condition.holds(current, env);
            if env.doubt || !goes_on {
                return;
            }
            let variant = self.variant.get(current, env) as i64;
            if variant < 0 || variant >= last {
                env.doubted();
            }
            last = variant;
            if env.doubt || !self.body.iter().all(|stage| stage.is_done(current, env)) {
                return;
            }
            forget(env);
        }
    }
}
