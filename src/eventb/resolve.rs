//! What components refer to: the machines that are refined, the contexts, the events. Whatever is wrong
//! with that is said here, for both readers.

use super::levels::Levels;
use super::model::{Action, Context, Event, INITIALISATION, Machine, Model, Status};
use super::names;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Ident, Name};
use rustc_hash::{FxHashMap, FxHashSet};

/// Puts the components in order: `machines[0]` and those it refines, the contexts after those that they
/// extend.
///
/// # Errors
/// All that is missing, declared twice, means two things or goes in circles.
pub fn resolve(
    machines: Vec<Machine>,
    contexts: Vec<Context>,
    known: &Known,
    levels: &Levels,
) -> Result<Model, Vec<Diagnostic>> {
    let mut faults = Vec::new();
    let mut machines = chain(machines, known, &mut faults);
    let names: Vec<&str> = machines.iter().map(|m| &*m.name.name).collect();
    let first = levels.first(&names).map_err(|d| vec![*d])?;
    machines.drain(..first);
    let contexts = seen(&machines, contexts, known, &mut faults);
    for (level, machine) in machines.iter().enumerate() {
        check_machine(machine, machines.get(level + 1), &mut faults);
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let model = Model { machines, contexts };
    let faults = names::hiding(&model);
    match faults.is_empty() {
        true => Ok(model),
        false => Err(faults),
    }
}

/// The names of all components that a model has, needed or not.
pub struct Known {
    pub machines: Vec<Name>,
    pub contexts: Vec<Name>,
}

impl Known {
    /// That there is no machine of this name.
    fn no_machine(&self, name: &Ident) -> Diagnostic {
        if self.contexts.contains(&name.name) {
            let message = format!("`{}` is a context: a machine refines a machine", name.name);
            return fault(name.span, message)
                .hint(format!("what a machine takes from a context it sees: SEES {}", name.name));
        }
        let error = fault(name.span, format!("there is no machine `{}`", name.name));
        error.hint(instead(name, &self.machines, "machine"))
    }

    /// That there is no context of this name.
    fn no_context(&self, name: &Ident) -> Diagnostic {
        if self.machines.contains(&name.name) {
            let message =
                format!("`{}` is a machine: what is seen or extended is a context", name.name);
            return fault(name.span, message)
                .hint(format!("a machine takes over another one by REFINES {}", name.name));
        }
        let error = fault(name.span, format!("there is no context `{}`", name.name));
        error.hint(instead(name, &self.contexts, "context"))
    }
}

/// What may be meant by a name that is missing.
fn instead(name: &Ident, known: &[Name], what: &str) -> String {
    let name = &name.name;
    if let Some(other) = known.iter().find(|other| other.to_lowercase() == name.to_lowercase()) {
        return format!("did you mean `{other}`? Upper and lower case count");
    }
    let mut names: Vec<&str> = known.iter().take(MOST_NAMED).map(|name| &**name).collect();
    names.extend((known.len() > MOST_NAMED).then_some(".."));
    match names.is_empty() {
        true => format!("this model has no {what} at all"),
        false => format!("the {what}s of this model: {}", names.join(", ")),
    }
}

/// Most components that are listed.
const MOST_NAMED: usize = 10;

pub fn fault(span: Span, message: String) -> Diagnostic {
    Diagnostic::error("event-b", span, message)
}

/// The first machine, and those that it refines.
fn chain(machines: Vec<Machine>, known: &Known, faults: &mut Vec<Diagnostic>) -> Vec<Machine> {
    let mut left: Vec<Option<Machine>> = machines.into_iter().map(Some).collect();
    let mut found: Vec<Machine> = left.first_mut().and_then(Option::take).into_iter().collect();
    while let Some(name) = found.last().and_then(|m| m.refines.clone()) {
        let next = left.iter_mut().find(|m| m.as_ref().is_some_and(|m| m.name.name == name.name));
        if let Some(next) = next.and_then(Option::take) {
            found.push(next);
            continue;
        }
        let circle = found.iter().position(|m| m.name.name == name.name);
        faults.push(match circle {
            Some(from) => {
                let names = found[from..].iter().map(|m| &*m.name.name);
                fault(name.span, round("machines refine each other", names, &name.name))
            }
            None => known.no_machine(&name),
        });
        break;
    }
    found
}

fn round<'n>(what: &str, names: impl Iterator<Item = &'n str>, last: &'n str) -> String {
    let names: Vec<&str> = names.chain([last]).collect();
    format!("{what} in a circle: {}", names.join(" -> "))
}

/// The contexts that the machines see, each after those that it extends.
fn seen(
    machines: &[Machine],
    contexts: Vec<Context>,
    known: &Known,
    faults: &mut Vec<Diagnostic>,
) -> Vec<Context> {
    let (found, open) = (Vec::new(), Vec::new());
    let mut order = Order { contexts: &contexts, known, found, open, faults };
    for name in machines.iter().rev().flat_map(|m| &m.sees) {
        order.visit(name);
    }
    let found = order.found;
    let mut left: Vec<Option<Context>> = contexts.into_iter().map(Some).collect();
    found.into_iter().filter_map(|i| left[i].take()).collect()
}

struct Order<'a> {
    contexts: &'a [Context],
    known: &'a Known,
    found: Vec<usize>,
    /// The contexts that are on the way here.
    open: Vec<usize>,
    faults: &'a mut Vec<Diagnostic>,
}

impl Order<'_> {
    fn visit(&mut self, name: &Ident) {
        let Some(number) = self.contexts.iter().position(|c| c.name.name == name.name) else {
            return self.faults.push(self.known.no_context(name));
        };
        if self.found.contains(&number) {
            return;
        }
        if let Some(from) = self.open.iter().position(|c| *c == number) {
            let names = self.open[from..].iter().map(|c| &*self.contexts[*c].name.name);
            let message = round("contexts extend each other", names, &name.name);
            return self.faults.push(fault(name.span, message));
        }
        self.open.push(number);
        for other in &self.contexts[number].extends {
            crate::stack::deep(|| self.visit(other));
        }
        self.open.pop();
        self.found.push(number);
    }
}

fn check_machine(machine: &Machine, above: Option<&Machine>, faults: &mut Vec<Diagnostic>) {
    let mut variables: FxHashMap<&Name, Span> = FxHashMap::default();
    for variable in &machine.variables {
        if let Some(first) = variables.insert(&variable.name, variable.span) {
            let message = format!("the variable `{}` is declared twice", variable.name);
            let error = Diagnostic::error("duplicate-declaration", variable.span, message);
            faults.push(error.note(first, "the other one"));
        }
    }
    let mut names: FxHashMap<&Name, Span> = FxHashMap::default();
    for event in &machine.events {
        if let Some(first) = names.insert(&event.name.name, event.name.span) {
            let message = format!("there are two events `{}`", event.name.name);
            let error = Diagnostic::error("duplicate-operation", event.name.span, message);
            faults.push(error.note(first, "the other one"));
        }
        check_event(machine, event, above, faults);
    }
}

fn check_event(
    machine: &Machine,
    event: &Event,
    above: Option<&Machine>,
    faults: &mut Vec<Diagnostic>,
) {
    let mut known: FxHashSet<&Name> = FxHashSet::default();
    for parameter in &event.parameters {
        if !known.insert(&parameter.name) {
            let message = format!("the parameter `{}` is declared twice", parameter.name);
            faults.push(Diagnostic::error("duplicate-identifier", parameter.span, message));
        }
    }
    let mut witnesses: FxHashMap<&Name, Span> = FxHashMap::default();
    for (name, witness) in &event.witnesses {
        if let Some(first) = witnesses.insert(name, witness.span) {
            let error = fault(witness.span, format!("there are two witnesses `{name}`"));
            let hint = "what one says of it is one predicate: join them by `∧`";
            faults.push(error.note(first, "the other one").hint(hint));
        }
    }
    for name in &event.refines {
        let there = |m: &Machine| m.events.iter().any(|e| e.name.name == name.name);
        match above {
            Some(above) if there(above) => {}
            Some(above) => {
                let message =
                    format!("the machine `{}` has no event `{}`", above.name.name, name.name);
                faults.push(Diagnostic::error("unknown-operation", name.span, message));
            }
            // What is wrong is said where the machine is missing.
            None if machine.refines.is_some() => {}
            None => {
                let message = format!(
                    "`{}` refines an event, and the machine `{}` refines none",
                    event.name.name, machine.name.name
                );
                faults.push(fault(name.span, message));
            }
        }
    }
    // What an abstract event has shown needs no variant again.
    let shown = event.refines.iter().any(|name| {
        let events = above.iter().flat_map(|m| &m.events);
        events.filter(|e| e.name.name == name.name).any(|e| e.status == Status::Convergent)
    });
    if event.status == Status::Convergent && machine.variant.is_none() && !shown {
        let message = format!(
            "the event `{}` is convergent, and the machine `{}` has no variant",
            event.name.name, machine.name.name
        );
        faults.push(fault(event.name.span, message));
    }
    if event.is_initialisation() && !event.parameters.is_empty() {
        let message = format!("{INITIALISATION} has no parameters");
        faults.push(fault(event.parameters[0].span, message));
    }
    if event.is_initialisation()
        && let Some(guard) = event.guards.first()
    {
        let message = format!("{INITIALISATION} has no guards");
        faults.push(fault(guard.node.span, message));
    }
    let refined = event.refines.iter().find(|name| *name.name == *INITIALISATION);
    if let Some(name) = refined.filter(|_| !event.is_initialisation()) {
        let message = format!("{INITIALISATION} is refined by {INITIALISATION} alone");
        faults.push(fault(name.span, message));
    }
    assigned(machine, event, faults);
}

/// Actions write variables of the machine, each once.
fn assigned(machine: &Machine, event: &Event, faults: &mut Vec<Diagnostic>) {
    let mut written: FxHashMap<&Name, Span> = FxHashMap::default();
    for target in event.actions.iter().flat_map(Action::variables) {
        if machine.variables.iter().all(|v| v.name != target.name) {
            let message =
                format!("`{}` is no variable of the machine `{}`", target.name, machine.name.name);
            faults.push(Diagnostic::error("not-assignable", target.span, message));
        }
        if let Some(first) = written.insert(&target.name, target.span) {
            let message = format!("two actions write `{}`", target.name);
            let error = Diagnostic::error("written-twice", target.span, message);
            faults.push(error.note(first, "the other one"));
        }
    }
}
