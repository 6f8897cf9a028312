//! What holds in a state, and what follows from it. An expander changes nothing but its own scratch: one
//! for each thread.

use super::checks::{Checks, Looked};
use super::engine::End;
use crate::clock::{Phase, enter};
use crate::eval::{Evaluator, Stop, Successors};
use crate::machine::OpId;
use crate::reduce::{Canon, Interrupted};
use crate::symmetry::{Order, Stabiliser};
use crate::value::Generators;
use std::borrow::Cow;

pub struct Expander {
    pub evaluator: Evaluator,
    pub checks: Checks,
    /// Labels states, where a reduction keeps some of each orbit.
    canon: Option<Canon>,
}

impl Expander {
    pub fn new(evaluator: Evaluator, checks: Checks, canon: Option<Canon>) -> Expander {
        Expander { evaluator, checks, canon }
    }

    /// See [`Checks::see_nothing`].
    #[inline]
    pub fn sees_nothing(&mut self, state: &[u64], since: Option<OpId>, goal: bool) -> bool {
        enter(Phase::Search);
        self.checks.see_nothing(&mut self.evaluator, state, since, goal)
    }

    /// See [`Checks::look_closely`].
    pub fn look_closely(
        &mut self,
        state: &[u64],
        since: Option<OpId>,
        goal: bool,
    ) -> Result<Looked, Stop> {
        self.checks.look_closely(&mut self.evaluator, state, since, goal)
    }

    /// See [`Checks::look`].
    pub fn look(&mut self, state: &[u64], since: Option<OpId>, goal: bool) -> Result<Looked, Stop> {
        enter(Phase::Search);
        self.checks.look(&mut self.evaluator, state, since, goal)
    }

    /// The transitions out of a state, given with its stabiliser, where that is known: arguments that an
    /// automorphism maps to each other are followed once, with the weight of them all. Gives the
    /// automorphisms.
    #[inline]
    pub fn expand(
        &mut self,
        state: &[u64],
        stabiliser: Option<&Stabiliser>,
        out: &mut Successors,
    ) -> Result<Cow<'static, Generators>, End> {
        if self.canon.is_none() {
            enter(Phase::Search);
            self.evaluator.successors(state, false, out)?;
            return Ok(Cow::Borrowed(Generators::NONE));
        }
        let automorphisms = self.automorphisms(state, stabiliser)?;
        self.evaluator.pruned_successors(state, &automorphisms, out)?;
        Ok(automorphisms)
    }

    /// Generators of the stabiliser of a state, where it is known: those that were met when the state was
    /// found, or else it is labelled again.
    pub fn automorphisms(
        &mut self,
        state: &[u64],
        stabiliser: Option<&Stabiliser>,
    ) -> Result<Cow<'static, Generators>, End> {
        let moved = stabiliser.filter(|known| known.order != Order::ONE);
        let automorphisms = match self.canon.as_mut().zip(moved) {
            None => Cow::Borrowed(Generators::NONE),
            Some((canon, stabiliser)) => {
                Cow::Owned(match stabiliser.generators(canon.group())? {
                    Some(met) => met,
                    None => {
                        enter(Phase::Labelling);
                        canon.generators(state, self.evaluator.interner())?
                    }
                })
            }
        };
        enter(Phase::Search);
        Ok(automorphisms)
    }

    /// Says whether a run of the machine that has followed the states kept so far may be at a state when
    /// they are at `kept`. This is what finds the concrete steps of a trace.
    pub fn stands_for<'a>(
        &'a mut self,
        kept: &'a [u64],
    ) -> Result<impl FnMut(&[u64]) -> Result<bool, Stop> + 'a, Stop> {
        let Expander { evaluator, canon, .. } = self;
        let mut image = |state: &[u64]| match canon {
            Some(canon) => match canon.canonical(state, evaluator.interner()) {
                Ok((image, _)) => Ok(Some(image)),
                Err(Interrupted) => Err(Stop::Halted),
            },
            None => Ok(None),
        };
        let orbit = image(kept)?;
        Ok(move |state: &[u64]| Ok(kept == state || orbit.is_some() && image(state)? == orbit))
    }
}
