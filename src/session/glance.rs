//! What is to be seen of a transition before it is taken: what it changes, and what kind of state it
//! leads to.

use super::animator::{Animator, Position};
use super::view;
use crate::clock::{Phase, enter};
use crate::eval::{Check, Topic};
use crate::machine::{Named, VarId};
use crate::value::Value;
use std::time::{Duration, Instant};

/// Where a transition leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// To a state that violates the invariant or an assertion.
    Violation,
    /// Nowhere else.
    Same,
    /// To another state of the same orbit.
    Orbit,
    /// To a state that is not in the history.
    New,
    /// To one that is.
    Seen,
    /// There was no time to find out.
    Unknown,
}

/// A variable that gets another value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    pub name: String,
    pub value: String,
    /// Of a set or relation: what is added, and what is removed.
    pub difference: Option<(String, String)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Glance {
    pub target: Target,
    /// Empty for set-ups and initialisations, which are told with their values.
    pub changes: Vec<Change>,
}

/// Longest time for one transition, and for as many as were asked for.
const ONE: Duration = Duration::from_millis(200);
const ALL: Duration = Duration::from_millis(40);

impl Animator {
    /// Looks at transitions, one after the other, for a short time; at the first one in any case.
    pub fn glances(&mut self, numbers: &[usize]) -> Vec<(usize, Glance)> {
        let began = Instant::now();
        let mut found = Vec::new();
        let mut own = None;
        for i in numbers {
            if !found.is_empty() && began.elapsed() > ALL {
                break;
            }
            found.extend(self.glance(*i, &mut own).map(|glance| (*i, glance)));
        }
        found
    }

    /// Looks at one; `own` is the image of the state that it leaves, once that is known.
    fn glance(&mut self, i: usize, own: &mut Option<Vec<Value>>) -> Option<Glance> {
        let target = self.enabled().position(i)?;
        let limit = self.limit().map_or(ONE, |limit| limit.min(ONE));
        let from = self.position().clone();
        let seen = self.tree().has(&target);
        Some(self.timed(Some(limit), |animator| {
            let changes = match (&from, &target) {
                (Position::State(before), Position::State(after)) => {
                    animator.changes(before, after)
                }
                _ => Vec::new(),
            };
            let target = match (&from, &target) {
                (_, Position::State(after)) if animator.is_wrong(after) => Target::Violation,
                (from, target) if from == target => Target::Same,
                (Position::State(before), Position::State(after)) => {
                    match animator.is_of_one_orbit(before, after, own) {
                        Some(true) => Target::Orbit,
                        _ if animator.halt().is_some() => Target::Unknown,
                        _ if seen => Target::Seen,
                        _ => Target::New,
                    }
                }
                _ if seen => Target::Seen,
                _ => Target::New,
            };
            Glance { target, changes }
        }))
    }

    /// The invariant or an assertion is false or undefined.
    fn is_wrong(&mut self, state: &[u64]) -> bool {
        [Topic::Invariant, Topic::Assertions].into_iter().any(|topic| {
            let check = self.evaluator().ask(state, topic, None);
            matches!(check, Ok(Check::Fails(_) | Check::Undefined(..)))
        })
    }

    fn is_of_one_orbit(
        &mut self,
        before: &[u64],
        after: &[u64],
        own: &mut Option<Vec<Value>>,
    ) -> Option<bool> {
        if self.model().group.is_trivial() {
            return Some(false);
        }
        enter(Phase::Labelling);
        if own.is_none() {
            *own = Some(self.canonical(before)?);
        }
        let image = self.canonical(after)?;
        Some(own.as_ref() == Some(&image))
    }

    fn changes(&mut self, before: &[u64], after: &[u64]) -> Vec<Change> {
        let instance = self.model().program.instance.clone();
        let (before, after) =
            (self.evaluator().variables(before), self.evaluator().variables(after));
        let both = before.iter().zip(&after).enumerate().filter(|(_, (b, a))| b != a);
        let change = |(i, (before, after))| {
            let id = VarId(i as u32);
            let (name, value) = instance.printed(Named::Variable(id), after);
            let difference = view::difference(&instance, id, before, after);
            Change { name, value, difference }
        };
        both.map(change).collect()
    }
}
