//! What is to be seen of a position: values, truths, faults, as printed data.

use super::animator::{Animator, Enabled, Position};
use crate::clock::Halt;
use crate::eval::{Check, CutSite, Fault, Site, StateQuestion, Stop, Topic, Within};
use crate::machine::footprint::Footprint;
use crate::machine::{Named, Type, VarId};
use crate::source::Span;
use crate::state::Instance;
use crate::value::Value;
use std::sync::Arc;

/// A position of the animator, printed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StateView {
    /// Empty before the set-up.
    pub constants: Vec<(String, String)>,
    /// Empty before the initialisation.
    pub variables: Vec<VariableView>,
    /// Each conjunct of the invariant; truths are absent before the initialisation.
    pub invariant: Vec<ConjunctView>,
    pub assertions: Vec<ConjunctView>,
    /// Whether the goal, or the machine's GOAL, holds; `None` where there is neither or no state.
    pub goal: Option<Answer>,
    /// Whether the state lies within the machine's SCOPE; `None` where there is none or no state.
    pub scope: Option<Answer>,
    /// An initialised state.
    pub is_state: bool,
    /// No state yet, and certainly no way to one.
    pub stuck: bool,
    /// A state without transitions and without faults.
    pub deadlock: bool,
    /// The invariant or an assertion is false or undefined.
    pub violation: bool,
    pub faults: Vec<FaultView>,
    /// The set-up, initialisation, or listing of the transitions did not come to its end.
    pub stopped: Option<String>,
    /// Number of enabled transitions.
    pub enabled: usize,
}

#[derive(Clone, PartialEq, Debug)]
pub struct VariableView {
    pub name: String,
    /// The machine whose variable it is, where the one at hand refines that and has it no more.
    pub abstract_of: Option<String>,
    pub value: String,
    /// The value before the last step, where that was another one.
    pub previous: Option<String>,
    /// Of a set or relation that has another value than before: what the step added to it, and what it
    /// removed.
    pub difference: Option<(String, String)>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct ConjunctView {
    /// The source text, on one line.
    pub text: String,
    pub label: Option<String>,
    pub span: Span,
    pub truth: Truth,
    /// Where it is false or undefined: the values that make it so, each with what has it.
    pub values: Vec<(String, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    True,
    False,
    Undefined,
    /// There is no state, or the evaluation or an enumeration in it was cut off.
    Unknown,
}

/// What a question about a state has for an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    pub truth: Truth,
    /// Where it is undefined: what is wrong, with the sub-expression and its operands.
    pub why: Option<String>,
}

/// An instance of an operation that ends in a state error.
#[derive(Clone, PartialEq, Debug)]
pub struct FaultView {
    pub operation: String,
    pub arguments: Vec<String>,
    /// What is wrong, with the sub-expression.
    pub message: String,
    /// Operands at the fault: source text and printed value.
    pub operands: Vec<(String, String)>,
    pub span: Span,
}

/// Looks at a position. `previous` is the one before the last step.
pub(super) fn view(
    animator: &mut Animator,
    position: &Position,
    previous: Option<&Position>,
    enabled: &Enabled,
) -> StateView {
    let program = animator.model().program.clone();
    let mut view = StateView { enabled: enabled.len(), ..StateView::default() };
    view.faults = enabled
        .faults
        .iter()
        .map(|f| {
            let (operation, arguments) = animator.faulty(f);
            let operands = f.fault.as_deref().map(|f| operands(animator, f)).unwrap_or_default();
            let message = fault_text(animator, &f.site);
            FaultView { operation, arguments, message, operands, span: f.site.span }
        })
        .collect();
    view.stopped = match &enabled.stopped {
        None => None,
        Some(Stop::Fault(site)) => Some(fault_text(animator, &animator.site(*site))),
        Some(Stop::Overflow) => Some("integer overflow".to_owned()),
        Some(Stop::Cut(id)) => Some(unbounded_text(animator.cut_at(*id))),
        Some(Stop::Halted) => Some(format!("the list of transitions {}", cut_text(enabled.cut))),
    };
    view.invariant = conjuncts(animator, program.questions.of(Topic::Invariant));
    view.assertions = conjuncts(animator, program.questions.of(Topic::Assertions));
    match position {
        Position::Root => view.stuck = enabled.is_nothing(),
        Position::SetUp(constants) => {
            view.stuck = enabled.is_nothing();
            view.constants = program.instance.printed_constants(constants);
        }
        Position::State(state) => look(animator, state, previous, enabled, &mut view),
    }
    view
}

/// That an enumeration was cut off.
pub(super) fn unbounded_text(site: &CutSite) -> String {
    match site.within {
        Within::Descriptions => Within::NOT_TOLD.to_owned(),
        _ => {
            format!(
                "{} is unbounded and was not enumerated whole: there may be more",
                site.subject()
            )
        }
    }
}

pub(super) fn cut_text(why: Option<Halt>) -> &'static str {
    match why {
        Some(Halt::Interrupted) => "was cancelled: there are more",
        Some(Halt::Memory) => "was cut: the memory is used up",
        Some(Halt::Time) => "was cut by its time limit",
        None => "was cut: a value is too large to be held",
    }
}

/// Fills in what only an initialised state has.
fn look(
    animator: &mut Animator,
    state: &[u64],
    previous: Option<&Position>,
    enabled: &Enabled,
    view: &mut StateView,
) {
    let program = animator.model().program.clone();
    let instance = &program.instance;
    view.is_state = true;
    let constants = animator.evaluator().constants(state);
    view.constants = instance.printed_constants(&constants);
    let before = match previous {
        Some(Position::State(before)) => Some(animator.evaluator().variables(before)),
        _ => None,
    };
    let values = animator.evaluator().variables(state);
    for (i, value) in values.iter().enumerate() {
        let id = VarId(i as u32);
        let previous = before.as_ref().map(|b| &b[i]).filter(|b| *b != value);
        let (name, value) = instance.printed_variable(id, value);
        let difference = previous.and_then(|before| difference(instance, id, before, &values[i]));
        let previous = previous.map(|v| instance.show(Named::Variable(id), v));
        let level = instance.machine.abstract_variables.iter().find(|(x, _)| *x == id);
        let abstract_of = level.map(|(_, machine)| machine.to_string());
        view.variables.push(VariableView { name, abstract_of, value, previous, difference });
    }
    for (topic, shown) in
        [(Topic::Invariant, &mut view.invariant), (Topic::Assertions, &mut view.assertions)]
    {
        let asked = program.questions.of(topic);
        for (i, (conjunct, question)) in shown.iter_mut().zip(asked).enumerate() {
            (conjunct.truth, conjunct.values) = judged(animator, state, i, question);
        }
    }
    for (topic, shown) in [(Topic::Goal, &mut view.goal), (Topic::Scope, &mut view.scope)] {
        if !program.questions.of(topic).is_empty() {
            let check = animator.evaluator().ask(state, topic, None);
            *shown = Some(answer(animator, check));
        }
    }
    let bad = |c: &ConjunctView| matches!(c.truth, Truth::False | Truth::Undefined);
    view.violation = view.invariant.iter().chain(&view.assertions).any(bad);
    view.deadlock = enabled.is_nothing() && !instance.machine.is_context();
}

fn answer(animator: &mut Animator, check: Result<Check, Stop>) -> Answer {
    let (truth, why) = match check {
        Ok(Check::Holds) => (Truth::True, None),
        Ok(Check::Fails(_)) => (Truth::False, None),
        Ok(Check::Undefined(_, site)) => {
            let fault = animator.evaluator().fault().cloned();
            let values = fault.map(|f| operands(animator, &f)).unwrap_or_default();
            let values = values.iter().map(|(text, value)| format!(", {text} = {value}"));
            (Truth::Undefined, Some(fault_text(animator, &site) + &values.collect::<String>()))
        }
        Ok(Check::Unknown(_)) | Err(_) => (Truth::Unknown, None),
    };
    Answer { truth, why }
}

/// What was added to a set, and what was removed from it.
pub(super) fn difference(
    instance: &Instance,
    id: VarId,
    before: &Value,
    after: &Value,
) -> Option<(String, String)> {
    let ty = &instance.machine.variable(id).ty;
    if !matches!(ty, Type::Pow(_)) || before.is_symbolic() || after.is_symbolic() {
        return None;
    }
    let shape = instance.variable_shape(id);
    // Pairs that came and went are no sequence, even those at 1; what is one within these is written so.
    let notation = instance.machine.notations.of(Named::Variable(id)).as_set();
    let show = |value: &Value| instance.names.show_members(ty, &notation, value);
    let (added, removed) = (shape.difference(after, before), shape.difference(before, after));
    Some((show(&added), show(&removed)))
}

/// The truth of a question, the one of this number under its topic, and the values that make it false or
/// undefined: for which a quantifier fails, of operands, or else of the variables and constants that it
/// mentions.
fn judged(
    animator: &mut Animator,
    state: &[u64],
    number: usize,
    question: &StateQuestion,
) -> (Truth, Vec<(String, String)>) {
    let truth = match animator.evaluator().truth_of(state, question.topic, number) {
        Ok(true) => return (Truth::True, Vec::new()),
        Ok(false) => Truth::False,
        Err(Stop::Fault(_)) => Truth::Undefined,
        Err(_) => return (Truth::Unknown, Vec::new()),
    };
    let instance = animator.model().program.instance.clone();
    let mut values = Vec::new();
    if truth == Truth::Undefined {
        let fault = animator.evaluator().fault().cloned();
        values = fault.map(|fault| operands(animator, &fault)).unwrap_or_default();
    } else {
        for (id, value) in animator.evaluator().witness() {
            let name = instance.machine.local(*id).name.to_string();
            values.push((name, instance.show(Named::Local(*id), value)));
        }
    }
    values.extend(mentioned(animator, state, &Footprint::of_pred(&question.conjunct.pred)));
    let mut seen = std::collections::BTreeSet::new();
    values.retain(|(name, _)| seen.insert(name.clone()));
    (truth, values)
}

/// The values of the variables and constants that a formula mentions.
pub(super) fn mentioned(
    animator: &mut Animator,
    state: &[u64],
    read: &Footprint,
) -> Vec<(String, String)> {
    let instance = animator.model().program.instance.clone();
    let mut values = Vec::new();
    let variables = animator.evaluator().variables(state);
    let constants = animator.evaluator().constants(state);
    for id in &read.variables {
        values.push(instance.printed_variable(*id, &variables[id.0 as usize]));
    }
    for id in &read.constants {
        let constant = instance.machine.constant(*id);
        let value = constants.get(id.0 as usize);
        if let Some(value) = value.filter(|v| !instance.names_element(constant, v)) {
            values.push((constant.name.to_string(), instance.show(Named::Constant(*id), value)));
        }
    }
    values
}

fn conjuncts(animator: &Animator, questions: &[Arc<StateQuestion>]) -> Vec<ConjunctView> {
    let views = questions.iter().map(|q| &q.conjunct).map(|c| ConjunctView {
        text: one_line(animator.sources().text(c.pred.span)),
        label: c.label.as_ref().or(c.instance()).map(|name| name.to_string()),
        span: c.pred.span,
        truth: Truth::Unknown,
        values: Vec::new(),
    });
    views.collect()
}

fn fault_text(animator: &Animator, site: &Site) -> String {
    let text = one_line(animator.sources().text(site.span));
    format!("{}: {text}", site.message(&animator.model().instance.machine))
}

fn operands(animator: &Animator, fault: &Fault) -> Vec<(String, String)> {
    let names = &animator.model().program.instance.names;
    let printed = fault.operands.iter().map(|(operand, value)| {
        let source = || one_line(animator.sources().text(operand.span));
        let text = operand.name.as_ref().map_or_else(source, ToString::to_string);
        (text, names.show_as(&operand.ty, &operand.notation, value))
    });
    // A literal is its own value.
    printed.filter(|(text, value)| text != value).collect()
}

/// A piece of source text without its line breaks and comments' layout.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
