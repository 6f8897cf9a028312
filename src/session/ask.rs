//! Formulas that are typed in: the answer at the position where an animator stands.

use super::animator::{Animator, Position};
use super::view::{self, one_line};
use crate::clock::Halt;
use crate::diagnostic::Diagnostic;
use crate::eval::{Answer, At, Evaluator, Fault, More, Open, QuestionCode, SiteId, Stop};
use crate::machine::footprint::Footprint;
use crate::machine::{Asked, LocalId, Named, Question};
use crate::normalise;
use crate::report::answer::{Reply, Undecided};
use crate::setup::Model;
use crate::source::Sources;
use crate::state::Instance;
use crate::typing::{self, Formula};
use crate::value::Value;
use std::path::Path;

/// Under this name what was typed stands among the sources.
pub(super) const QUESTION_PATH: &str = "formula";

/// What is wrong with a formula, and the text that it speaks of.
#[derive(Clone, Debug)]
pub struct Refused {
    pub diagnostics: Vec<Diagnostic>,
    pub sources: Sources,
}

impl Refused {
    /// What is wrong, on one line.
    pub fn line(&self) -> String {
        let first = self.diagnostics.first();
        first.map_or_else(String::new, |d| {
            let hint = d.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
            format!("{}{hint}", d.message)
        })
    }
}

impl Animator {
    /// Evaluates a formula where the run stands. Of the solutions of a predicate with free variables at
    /// most so many are looked for.
    ///
    /// # Errors
    /// What is wrong with the formula.
    pub fn ask(&mut self, text: &str, most: usize) -> Result<Reply, Box<Refused>> {
        let program = self.model().program.clone();
        let (question, sources) = parsed(self.model(), self.sources(), text)?;
        let refused = |diagnostics| Box::new(Refused { diagnostics, sources: sources.clone() });
        if let Some(name) = self.without_value(&question) {
            let why = match self.is_stuck() {
                true => "the machine cannot be set up",
                false => "take a step first",
            };
            return Ok(Reply::Unknown(format!("`{name}` has no value yet: {why}")));
        }
        let code = QuestionCode::new(&program, &question).map_err(refused)?;
        Ok(self.within_limit(|animator| animator.reply(&code, &sources, most)))
    }

    /// A variable or constant of the question that has no value yet.
    fn without_value(&self, question: &Question) -> Option<String> {
        let read = match &question.asked {
            Asked::Expression(e, _) => Footprint::of_expr(e),
            Asked::Predicate(p, _) => Footprint::of_pred(p),
        };
        let machine = &self.model().program.instance.machine;
        let (set_up, initialised) = match self.position() {
            Position::Root => (false, false),
            Position::SetUp(_) => (true, false),
            Position::State(_) => (true, true),
        };
        let variable = read.variables.first().filter(|_| !initialised);
        let constant = read.constants.first().filter(|_| !set_up);
        let name = variable.map(|id| &machine.variable(*id).name);
        name.or(constant.map(|id| &machine.constant(*id).name)).map(ToString::to_string)
    }

    /// Whether there is certainly no way to an initial state from here.
    fn is_stuck(&mut self) -> bool {
        !matches!(self.position(), Position::State(_)) && self.enabled().is_nothing()
    }

    fn reply(&mut self, code: &QuestionCode, sources: &Sources, most: usize) -> Reply {
        let position = self.position().clone();
        let mut evaluator = self.evaluator().for_questions(code);
        evaluator.explain(true);
        let at = match &position {
            Position::Root => At::Root,
            Position::SetUp(constants) => At::Constants(constants),
            Position::State(state) => At::State(state),
        };
        let instance = code.instance();
        let (names, machine) = (&instance.names, &instance.machine);
        let answer = evaluator.answer_beside(at, code, most);
        match (answer, code.asked()) {
            (Ok((Answer::Value(value), _)), Asked::Expression(e, ty)) => {
                let notation = machine.notations.of_expr(e);
                Reply::Value { value: names.show_as(&e.ty, &notation, &value), ty: ty.clone() }
            }
            (Ok((Answer::Solutions(found, more), open)), Asked::Predicate(_, free)) => {
                let told = Told { evaluator: &evaluator, sources, instance, halt: self.halt() };
                told.solutions(free, found, more, open)
            }
            (Ok((Answer::Truth(truth), _)), Asked::Predicate(p, _)) => {
                let mut values = Vec::new();
                if !truth {
                    let witness = evaluator.witness().iter();
                    values.extend(witness.map(|(id, value)| {
                        let name = machine.local(*id).name.to_string();
                        (name, instance.show(Named::Local(*id), value))
                    }));
                    if let Position::State(state) = &position {
                        values.extend(view::mentioned(self, state, &Footprint::of_pred(p)));
                    }
                }
                Reply::Truth { truth, values }
            }
            (Ok(_), _) => Reply::Unknown("this is a fault of burnside".to_owned()),
            (Err(Stop::Fault(site)), _) => {
                let halt = self.halt();
                Told { evaluator: &evaluator, sources, instance, halt }.undefined(site)
            }
            (Err(stop), _) => {
                let halt = self.halt();
                let told = Told { evaluator: &evaluator, sources, instance, halt };
                Reply::Unknown(told.why_none(stop))
            }
        }
    }
}

/// A formula that is typed in, and the sources with it among them.
pub(super) fn parsed(
    model: &Model,
    sources: &Sources,
    text: &str,
) -> Result<(Question, Sources), Box<Refused>> {
    let mut sources = sources.clone();
    let formula = formula(model, &mut sources, QUESTION_PATH, text)?;
    Ok((typed(model, &sources, &formula)?, sources))
}

/// A formula that is typed in; its text is added to the sources.
pub(super) fn formula(
    model: &Model,
    sources: &mut Sources,
    name: &str,
    text: &str,
) -> Result<Formula, Box<Refused>> {
    let id = sources.add(Path::new(name), text);
    let machine = &model.program.instance.machine;
    let parsed = typing::parse_formula(machine, &model.definitions, sources, id);
    parsed.map_err(|diagnostics| Box::new(Refused { diagnostics, sources: sources.clone() }))
}

/// The question that a formula is.
pub(super) fn typed(
    model: &Model,
    sources: &Sources,
    formula: &Formula,
) -> Result<Question, Box<Refused>> {
    let instance = &model.program.instance;
    let question =
        normalise::type_question(&instance.machine, &instance.names.lists(), formula, sources);
    question.map_err(|diagnostics| Box::new(Refused { diagnostics, sources: sources.clone() }))
}

/// What tells of an answer, once it is there.
pub(super) struct Told<'a> {
    pub evaluator: &'a Evaluator,
    pub sources: &'a Sources,
    pub instance: &'a Instance,
    pub halt: Option<Halt>,
}

impl Told<'_> {
    /// Solutions for these names, and the candidates for which something is undefined.
    pub fn solutions(
        &self,
        free: &[LocalId],
        found: Vec<Vec<Value>>,
        more: Option<More>,
        open: Option<Open>,
    ) -> Reply {
        let local = |id: &LocalId| self.instance.machine.local(*id);
        let row = |values: Vec<Value>| -> Vec<String> {
            let show =
                |(id, value): (&LocalId, Value)| self.instance.show(Named::Local(*id), &value);
            free.iter().zip(values).map(show).collect()
        };
        Reply::Solutions {
            names: free.iter().map(|id| local(id).name.to_string()).collect(),
            rows: found.into_iter().map(row).collect(),
            more: more.map(|more| match more {
                More::Enough => "and more".to_owned(),
                More::Stopped(stop) => self.why_none(stop),
                More::Undefined => "others were not looked at".to_owned(),
            }),
            undecided: open.map(|open| {
                let (why, values) = self.fault(open.site, open.fault.as_deref());
                let Open { candidates, values: first, worthless, .. } = open;
                let mut first = row(first);
                if let (true, Some(value)) = (worthless, first.first_mut()) {
                    *value = "undefined".to_owned();
                }
                Undecided { candidates, first, why, values }
            }),
        }
    }

    /// What is undefined where a fault stopped the evaluation.
    pub fn undefined(&self, site: SiteId) -> Reply {
        let (why, values) = self.fault(site, self.evaluator.fault());
        Reply::Undefined { why, values }
    }

    /// What is undefined, and the values of its operands.
    fn fault(&self, site: SiteId, fault: Option<&Fault>) -> (String, Vec<(String, String)>) {
        let Told { evaluator, sources, instance, .. } = self;
        let site = evaluator.site(site);
        let text = one_line(sources.text(site.span));
        let operands = fault.into_iter().flat_map(|fault| &fault.operands);
        let values = operands.map(|(operand, value)| {
            let value = instance.names.show_as(&operand.ty, &operand.notation, value);
            (one_line(sources.text(operand.span)), value)
        });
        let why = format!("{}: {text}", site.message(&instance.machine));
        (why, values.filter(|(text, value)| text != value).collect())
    }

    /// Why there is no answer, or no further one.
    pub fn why_none(&self, stop: Stop) -> String {
        match stop {
            Stop::Cut(id) => view::unbounded_text(self.evaluator.cut_at(id)),
            Stop::Halted => {
                // Without a place it would say nothing of a predicate with several large sets.
                let large = self.evaluator.notes().too_large.first_key_value();
                match large.filter(|_| self.halt.is_none()) {
                    Some((span, what)) => {
                        let text = one_line(self.sources.text(*span));
                        let cut = view::cut_text(None);
                        format!("the evaluation {cut}: {text}, {what}")
                    }
                    None => format!("the evaluation {}", view::cut_text(self.halt)),
                }
            }
            Stop::Fault(_) | Stop::Overflow => "the evaluation came to no end".to_owned(),
        }
    }
}
