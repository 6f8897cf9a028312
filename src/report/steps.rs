//! Steps of runs as text.

use crate::run::{Event, Label, Run, Step};
use crate::state::Instance;

/// A step as it is written, in reports and in trace files.
#[derive(Clone, PartialEq, Debug)]
pub struct StepText {
    /// What happens ([`Event::name`]).
    pub operation: String,
    /// Printed values.
    pub arguments: Vec<String>,
    pub results: Vec<String>,
    /// Constants or variables that this step gave a new value: name and printed value.
    pub changed: Vec<(String, String)>,
    /// The step ended in a state error: there is no state after it.
    pub failed: bool,
}

impl StepText {
    /// A step of a run under this instance.
    pub fn of(instance: &Instance, step: &Step) -> StepText {
        let changed = step.changed.iter().map(|(name, v)| instance.printed(*name, v)).collect();
        StepText { changed, failed: step.failed, ..StepText::of_label(instance, &step.label) }
    }

    /// A label, without what it changes.
    pub fn of_label(instance: &Instance, label: &Label) -> StepText {
        let (arguments, results) = match label.event {
            Event::SetUp | Event::Initialisation => (Vec::new(), Vec::new()),
            Event::Operation(id) => {
                let operation = instance.machine.operation(id);
                let arguments = instance.printed_locals(&operation.parameters, &label.arguments);
                (arguments, instance.printed_locals(&operation.results, &label.results))
            }
        };
        let operation = label.event.name(&instance.machine).to_owned();
        StepText { operation, arguments, results, changed: Vec::new(), failed: false }
    }

    /// All steps of a run.
    pub fn all(instance: &Instance, run: &Run) -> Vec<StepText> {
        StepText::list(instance, &run.steps)
    }

    pub fn list(instance: &Instance, steps: &[Step]) -> Vec<StepText> {
        steps.iter().map(|step| StepText::of(instance, step)).collect()
    }

    /// About how long it is, printed.
    pub fn length(&self) -> usize {
        let all = self.arguments.iter().chain(&self.results);
        let changed = self.changed.iter().map(|(name, value)| name.len() + value.len());
        1 + all.map(String::len).chain(changed).sum::<usize>()
    }

    /// As it would be written in a program: `result <-- operation(arguments)`.
    pub fn label(&self) -> String {
        let mut label = String::new();
        if !self.results.is_empty() {
            label.push_str(&self.results.join(", "));
            label.push_str(" <-- ");
        }
        label.push_str(&self.operation);
        if !self.arguments.is_empty() {
            label.push('(');
            label.push_str(&self.arguments.join(", "));
            label.push(')');
        }
        label
    }
}
