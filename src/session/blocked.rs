//! Why an operation is not enabled: the part of its guard that no arguments meet.

use super::animator::{Animator, Position};
use super::view::{self, one_line};
use crate::eval::{Answer, At, Evaluator, Program, QuestionCode, Stop};
use crate::machine::footprint::Footprint;
use crate::machine::{Asked, LocalId, OpId, Pred, Question};
use crate::source::Sources;
use std::collections::BTreeSet;

/// Why an operation is not enabled here.
#[derive(Clone, PartialEq, Debug)]
pub struct Blocked {
    pub operation: OpId,
    pub name: String,
    /// The conjunct that blocks it, and how.
    pub why: String,
    /// The values of what the conjunct mentions.
    pub values: Vec<(String, String)>,
}

/// One conjunct of a guard, compiled.
pub(super) struct Part {
    pred: Pred,
    /// The parameters that it mentions.
    parameters: Vec<LocalId>,
    /// The conjunct by itself, where it mentions no parameter; else all up to it, with the parameters
    /// free. `None`: it cannot be asked by itself.
    pub code: Option<QuestionCode>,
}

/// How a conjunct blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum How {
    /// It is false, or no arguments meet it.
    Fails,
    Undefined,
    Unknown,
}

impl Part {
    /// A predicate of its own.
    pub fn of(program: &Program, pred: &Pred) -> Part {
        let asked = Asked::Predicate(pred.clone(), Vec::new());
        let code = QuestionCode::new(program, &Question::plain(asked)).ok();
        Part { pred: pred.clone(), parameters: Vec::new(), code }
    }

    pub fn pred(&self) -> &Pred {
        &self.pred
    }

    /// Whether it has to do with arguments.
    pub fn has_parameters(&self) -> bool {
        !self.parameters.is_empty()
    }

    /// Whether it blocks in a state, asked with an evaluator for its code.
    pub fn blocks(&self, evaluator: &mut Evaluator, state: &[u64]) -> Option<How> {
        let code = self.code.as_ref()?;
        match evaluator.answer(At::State(state), code, 1) {
            Ok(Answer::Truth(false)) => Some(How::Fails),
            Ok(Answer::Solutions(found, None)) if found.is_empty() => Some(How::Fails),
            Ok(_) => None,
            Err(Stop::Fault(_)) => (!self.has_parameters()).then_some(How::Undefined),
            Err(_) => Some(How::Unknown),
        }
    }

    /// That it blocks, in words.
    pub fn words(&self, sources: &Sources, how: How) -> String {
        let text = one_line(sources.text(self.pred.span));
        let machine = self.code.as_ref().map(|code| &code.instance().machine);
        let name = |id: &LocalId| machine.map_or("", |machine| &*machine.local(*id).name);
        let names: Vec<&str> = self.parameters.iter().map(name).collect();
        match how {
            How::Fails if names.is_empty() => format!("{text} is false"),
            How::Fails => format!("{text} holds for no {}", names.join(", ")),
            How::Undefined => format!("{text} is undefined"),
            How::Unknown => format!("not known: {text} could not be decided"),
        }
    }
}

impl Animator {
    /// Why an operation without transitions has none. `None` where the run is not in a state.
    pub fn blocked(&mut self, operation: OpId) -> Option<Blocked> {
        let Position::State(state) = self.position().clone() else { return None };
        let program = self.model().program.clone();
        let parts = parts(&program, operation);
        let name = program.instance.machine.operation(operation).name.to_string();
        let blocked = self.within_limit(|animator| animator.first_blocking(&parts, &state));
        let (why, values) = match blocked {
            Some((part, why)) => {
                let read = Footprint::of_pred(&part.pred);
                (why, view::mentioned(self, &state, &read))
            }
            None => ("its guard holds, and its body has no outcome".to_owned(), Vec::new()),
        };
        Some(Blocked { operation, name, why, values })
    }

    /// The first conjunct without parameters that does not hold, else the first that leaves no arguments,
    /// with the words for it.
    fn first_blocking<'p>(
        &mut self,
        parts: &'p [Part],
        state: &[u64],
    ) -> Option<(&'p Part, String)> {
        let (with, without): (Vec<&Part>, Vec<&Part>) =
            parts.iter().partition(|part| part.has_parameters());
        for part in without.into_iter().chain(with) {
            let Some(code) = &part.code else { continue };
            let mut evaluator = self.evaluator().for_questions(code);
            if let Some(how) = part.blocks(&mut evaluator, state) {
                return Some((part, part.words(self.sources(), how)));
            }
        }
        None
    }
}

/// The conjuncts of the guard of an operation.
pub(super) fn parts(program: &Program, operation: OpId) -> Vec<Part> {
    let operation = program.instance.machine.operation(operation);
    let parameters: BTreeSet<LocalId> = operation.parameters.iter().copied().collect();
    let mut parts = Vec::new();
    let mut before: Vec<Pred> = Vec::new();
    for pred in operation.conditions().flat_map(|condition| condition.conjuncts()) {
        let locals = Footprint::of_pred(pred).locals;
        let mentioned: Vec<LocalId> = locals.intersection(&parameters).copied().collect();
        before.push(pred.clone());
        let asked = match mentioned.is_empty() {
            true => Asked::Predicate(pred.clone(), Vec::new()),
            // Only what the conjuncts so far bound can be asked for.
            false => {
                let all = Pred::and(before.clone(), pred.span);
                let locals = Footprint::of_pred(&all).locals;
                Asked::Predicate(all, locals.intersection(&parameters).copied().collect())
            }
        };
        let question = Question::plain(asked);
        let code = QuestionCode::new(program, &question).ok();
        parts.push(Part { pred: pred.clone(), parameters: mentioned, code });
    }
    parts
}
