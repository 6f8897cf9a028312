//! Runs of a machine: what was chosen at each step, and what it changed, as values.
//!
//! A [`Run`] is what a counterexample, a history, a trace that is replayed and (with a place to go back
//! to) an endless behaviour have in common. It knows no text: how a step is written is the matter of
//! [`report::steps`](crate::report::steps), how one is read back that of
//! [`session::reading`](crate::session::reading). Values mean something only with the
//! [`Instance`] that they were made under.

use crate::eval::Successors;
use crate::machine::{ConstId, Machine, Named, OpId, VarId};
use crate::state::Instance;
use crate::value::Value;

/// What happens in a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// The constants are chosen.
    SetUp,
    /// The variables get their first values.
    Initialisation,
    Operation(OpId),
}

/// Name of the step that chooses the constants.
pub const SETUP: &str = "SETUP_CONSTANTS";
/// Name of the step to an initial state.
pub const INITIALISATION: &str = "INITIALISATION";

impl Event {
    /// Its name in a machine.
    pub fn name(self, machine: &Machine) -> &str {
        match self {
            Event::SetUp => SETUP,
            Event::Initialisation => INITIALISATION,
            Event::Operation(id) => &machine.operation(id).name,
        }
    }
}

/// What a step is called: the event with the values that were chosen for it. Where what an ANY chooses
/// is asked for (`SHOW_EVENTB_ANY_VALUES`), that is among the arguments.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    pub event: Event,
    pub arguments: Vec<Value>,
    pub results: Vec<Value>,
}

impl Label {
    /// An event without arguments and results.
    pub fn of(event: Event) -> Label {
        Label { event, arguments: Vec::new(), results: Vec::new() }
    }

    /// The label of a transition in a list that was made with its arguments.
    pub fn of_transition(instance: &Instance, out: &Successors, entry: usize) -> Label {
        let e = out.entries[entry];
        let operation = instance.machine.operation(e.operation);
        let part = |values: &[Value], at: u32, n: usize| -> Vec<Value> {
            values.iter().skip(at as usize).take(n).cloned().collect()
        };
        Label {
            event: Event::Operation(e.operation),
            arguments: part(&out.arguments, e.arguments, operation.parameters.len()),
            results: part(&out.results, e.results, operation.results.len()),
        }
    }
}

/// One step.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    pub label: Label,
    /// Constants or variables that this step gave a new value, in the order of their declaration.
    pub changed: Vec<(Named, Value)>,
    /// The step ended in a state error: there is no state after it.
    pub failed: bool,
}

impl Step {
    /// The step that sets the constants up. A constant that static symmetry made the name of an element
    /// is not listed: there is nothing to tell of it.
    pub fn set_up(instance: &Instance, constants: &[Value]) -> Step {
        let all = (0..).map(ConstId).zip(constants);
        let told = all.filter(|(id, v)| !instance.names_element(instance.machine.constant(*id), v));
        let changed = told.map(|(id, v)| (Named::Constant(id), v.clone())).collect();
        Step { label: Label::of(Event::SetUp), changed, failed: false }
    }

    /// The step that makes the first values of the variables.
    pub fn initial(variables: &[Value]) -> Step {
        let changed = changes(None, variables);
        Step { label: Label::of(Event::Initialisation), changed, failed: false }
    }

    /// A transition between these values of the variables.
    pub fn operation(label: Label, before: &[Value], after: &[Value]) -> Step {
        Step { label, changed: changes(Some(before), after), failed: false }
    }

    /// A step that ends in a state error.
    pub fn failing(label: Label) -> Step {
        Step { label, changed: Vec::new(), failed: true }
    }

    /// Whether this step of the machine is meant by one that was read. Infinite sets cannot be read:
    /// they are not compared.
    pub fn is(&self, read: &Step) -> bool {
        let mut finite = self.changed.iter().filter(|(_, v)| !v.is_symbolic());
        self.label == read.label && self.failed == read.failed && {
            read.changed.iter().all(|wanted| finite.next() == Some(wanted))
                && finite.next().is_none()
        }
    }
}

/// The variables that have another value than before; all of them where there was none.
fn changes(before: Option<&[Value]>, after: &[Value]) -> Vec<(Named, Value)> {
    let all = after.iter().enumerate();
    let changed = all.filter(|(i, v)| before.is_none_or(|b| b[*i] != **v));
    changed.map(|(i, v)| (Named::Variable(VarId(i as u32)), v.clone())).collect()
}

/// A run of a machine: the set-up of the constants where that is a step, the initialisation, operations.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Run {
    pub steps: Vec<Step>,
    /// Where it goes on for ever: the number of the first step (from 0) that follows the last one again.
    pub loops_to: Option<usize>,
}

impl Run {
    /// A run that ends.
    pub fn of(steps: Vec<Step>) -> Run {
        Run { steps, loops_to: None }
    }

    /// Number of operations.
    pub fn operations(&self) -> usize {
        let is_operation = |s: &&Step| matches!(s.label.event, Event::Operation(_));
        self.steps.iter().filter(is_operation).count()
    }
}
