//! Transitions whose arguments and results meet a predicate.

use super::animator::{Animator, Position};
use super::ask::{Refused, parsed};
use crate::eval::{Answer, At, QuestionCode};
use crate::machine::{Asked, LocalId, Operation};
use crate::run::Event;
use crate::value::Value;

/// The transitions that a predicate leaves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sifted {
    /// Their numbers, in their order.
    pub numbers: Vec<usize>,
    /// Transitions for which it is undefined or not known.
    pub undecided: usize,
}

/// Why no transitions can be sifted.
#[derive(Debug)]
pub enum Unsifted {
    Refused(Box<Refused>),
    /// There is no state yet.
    NoState,
    /// It speaks of no argument and of no result.
    Closed,
    /// No operation has all of these names, with the types that they have in the predicate.
    NoOperation(Vec<String>),
}

impl std::fmt::Display for Unsifted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unsifted::Refused(refused) => write!(f, "{}", refused.line()),
            Unsifted::NoState => write!(f, "there is no state yet"),
            Unsifted::Closed => write!(f, "it mentions no parameter of an operation"),
            Unsifted::NoOperation(names) => {
                write!(f, "no operation has such parameters: {}", names.join(", "))
            }
        }
    }
}

impl Animator {
    /// The transitions here whose arguments and results, under the names that the operation has for them,
    /// meet a predicate. Operations that do not have all of its free names have none.
    ///
    /// # Errors
    /// It is no such predicate.
    pub fn sift(&mut self, text: &str) -> Result<Sifted, Unsifted> {
        let program = self.model().program.clone();
        let (question, _) =
            parsed(self.model(), self.sources(), text).map_err(Unsifted::Refused)?;
        let sources = self.sources().clone();
        let all = match &question.asked {
            Asked::Predicate(_, free) => free.clone(),
            Asked::Expression(..) => return Err(Unsifted::Closed),
        };
        let code = QuestionCode::given(&program, &question, &all)
            .map_err(|diagnostics| Unsifted::Refused(Box::new(Refused { diagnostics, sources })))?;
        let Position::State(state) = self.position().clone() else { return Err(Unsifted::NoState) };
        let Asked::Predicate(_, free) = code.asked() else { return Err(Unsifted::Closed) };
        if free.is_empty() {
            return Err(Unsifted::Closed);
        }
        let machine = &code.instance().machine;
        let enabled = self.enabled().clone();
        let places = |operation: &Operation| -> Option<Vec<usize>> {
            let locals: Vec<LocalId> =
                operation.parameters.iter().chain(&operation.results).copied().collect();
            let place = |id: &LocalId| {
                let wanted = machine.local(*id);
                locals.iter().position(|own| {
                    let own = machine.local(*own);
                    own.name == wanted.name && own.ty == wanted.ty
                })
            };
            free.iter().map(place).collect()
        };
        let parts = enabled.parts().iter();
        let fitting: Vec<_> = parts
            .filter_map(|part| {
                places(machine.operation(part.operation)).map(|at| (part.numbers.clone(), at))
            })
            .collect();
        if fitting.is_empty() {
            let names = free.iter().map(|id| machine.local(*id).name.to_string()).collect();
            return Err(Unsifted::NoOperation(names));
        }
        let instance = program.instance.clone();
        Ok(self.within_limit(|animator| {
            let mut evaluator = animator.evaluator().for_questions(&code);
            let mut sifted = Sifted::default();
            for (numbers, at) in fitting {
                for i in numbers {
                    let Some(label) = enabled.label(&instance, i) else { continue };
                    debug_assert!(matches!(label.event, Event::Operation(_)));
                    let values: Vec<&Value> =
                        label.arguments.iter().chain(&label.results).collect();
                    let values: Vec<Value> = at.iter().map(|at| values[*at].clone()).collect();
                    match evaluator.answer_given(At::State(&state), &code, &values, 1) {
                        Ok(Answer::Truth(true)) => sifted.numbers.push(i),
                        Ok(Answer::Truth(false)) => {}
                        _ => sifted.undecided += 1,
                    }
                }
            }
            sifted
        }))
    }
}
