//! What is asked of every state.

use super::findings::Kind;
use super::options::{OnViolation, SearchOptions};
use crate::eval::{Check, Evaluator, Site, Stop, Topic};
use crate::machine::OpId;

/// Which questions are asked.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// The invariant and the assertions.
    pub invariant: bool,
    /// The goal that was asked for, and not only the machine's own.
    pub goal: bool,
    /// Whether a state goes on although something is wrong with it.
    pub goes_on: bool,
}

/// Whether a state is one of those that the machine's definition SCOPE allows. Where there is none, or
/// it is undefined, it is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Scope {
    #[default]
    Inside,
    Outside,
    Unknown,
}

/// What the questions say of one state. Whatever is unknown, the notes of the evaluator make it a bound.
#[derive(Default, Debug)]
pub struct Looked {
    /// Where it is not inside, nothing else was asked.
    pub scope: Scope,
    /// What is wrong with it.
    pub wrong: Vec<Kind>,
    /// The goal holds.
    pub goal: bool,
    /// It is undefined, and is the machine's own.
    pub goal_undefined: Option<Site>,
}

impl Looked {
    /// The state is inside, nothing is wrong with it, and it is no goal.
    #[inline]
    pub fn says_nothing(&self) -> bool {
        self.scope == Scope::Inside
            && self.wrong.is_empty()
            && !self.goal
            && self.goal_undefined.is_none()
    }
}

impl Checks {
    pub fn of(options: &SearchOptions) -> Checks {
        let SearchOptions { invariant, goal, on_violation, .. } = *options;
        Checks { invariant, goal, goes_on: on_violation == OnViolation::Expand }
    }

    /// Whether all that is asked of a state holds, and that is seen at once; then there is nothing to say of it.
    #[inline(always)]
    pub fn see_nothing(
        &self,
        evaluator: &mut Evaluator,
        state: &[u64],
        since: Option<OpId>,
        goal: bool,
    ) -> bool {
        let asks = |topic| !evaluator.program().questions.of(topic).is_empty();
        if asks(Topic::Scope) || goal && asks(Topic::Goal) {
            return false;
        }
        !self.invariant || evaluator.holds_for_certain(state, since)
    }

    /// Asks all questions of a state. `since`: the operation that led here from a state in which all
    /// conjuncts held; what it cannot change is not asked. `goal`: whether anybody wants to know of the
    /// goal.
    pub fn look(
        &self,
        evaluator: &mut Evaluator,
        state: &[u64],
        since: Option<OpId>,
        goal: bool,
    ) -> Result<Looked, Stop> {
        match self.see_nothing(evaluator, state, since, goal) {
            true => Ok(Looked::default()),
            false => self.look_closely(evaluator, state, since, goal),
        }
    }

    /// The same where something is to be seen, or may be.
    pub fn look_closely(
        &self,
        evaluator: &mut Evaluator,
        state: &[u64],
        since: Option<OpId>,
        goal: bool,
    ) -> Result<Looked, Stop> {
        let mut looked = Looked::default();
        let asks = |e: &Evaluator, topic| !e.program().questions.of(topic).is_empty();
        if asks(evaluator, Topic::Scope) {
            match evaluator.ask(state, Topic::Scope, None)? {
                Check::Holds => {}
                Check::Fails(_) => return Ok(Looked { scope: Scope::Outside, ..looked }),
                Check::Undefined(_, site) => looked.wrong.push(Kind::Undefined(Topic::Scope, site)),
                Check::Unknown(_) => return Ok(Looked { scope: Scope::Unknown, ..looked }),
            }
        }
        let demanded = [Topic::Invariant, Topic::Assertions];
        for topic in demanded.into_iter().filter(|_| self.invariant) {
            if !asks(evaluator, topic) {
                continue;
            }
            match evaluator.ask(state, topic, since)? {
                Check::Holds | Check::Unknown(_) => {}
                Check::Fails(i) => looked.wrong.push(Kind::Fails(topic, i)),
                Check::Undefined(_, site) => looked.wrong.push(Kind::Undefined(topic, site)),
            }
        }
        let goal = goal && asks(evaluator, Topic::Goal);
        if goal && (looked.wrong.is_empty() || self.goes_on) {
            match evaluator.ask(state, Topic::Goal, None)? {
                Check::Holds => looked.goal = true,
                Check::Fails(_) | Check::Unknown(_) => {}
                Check::Undefined(_, site) if self.goal => {
                    looked.wrong.push(Kind::Undefined(Topic::Goal, site));
                }
                Check::Undefined(_, site) => looked.goal_undefined = Some(site),
            }
        }
        Ok(looked)
    }
}
