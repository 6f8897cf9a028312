//! Names and labels: those that stand twice, those that are not known where they stand, and those of
//! parameters that hide something.

use super::forms;
use super::model::{Action, Labelled, Machine, Model};
use super::resolve::fault;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Ident, Name, Node};
use rustc_hash::FxHashMap;

/// What has a label twice. Packages were made of models that Rodin has looked at, and some have.
pub fn labels_once(model: &Model) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    for context in &model.contexts {
        labels(context.axioms.iter().chain(&context.theorems), &mut faults);
    }
    for machine in &model.machines {
        labels(machine.invariants.iter().chain(&machine.theorems), &mut faults);
        for event in &machine.events {
            labels(event.guards.iter().chain(&event.theorems), &mut faults);
        }
    }
    faults
}

fn labels<'m>(all: impl Iterator<Item = &'m Labelled>, faults: &mut Vec<Diagnostic>) {
    let mut known: FxHashMap<&Name, Span> = FxHashMap::default();
    let mut all: Vec<&Labelled> = all.collect();
    all.sort_by_key(|item| item.node.span.start);
    for item in all {
        let Some(label) = &item.label else { continue };
        if let Some(first) = known.insert(label, item.node.span) {
            let error = fault(item.node.span, format!("the label `{label}` stands twice"));
            faults.push(error.note(first, "here it is, too"));
        }
    }
}

/// Variables in formulas of machines that do not know them: those of a refinement, and outside of
/// invariants those that the machine has dropped.
pub fn out_of_scope(model: &Model) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    let has = |m: &Machine, name: &Name| m.variables.iter().any(|v| v.name == *name);
    for (level, machine) in model.machines.iter().enumerate() {
        for variable in &machine.variables {
            let mut abstractions = model.machines[level + 1..].iter();
            let dropped = abstractions.next().filter(|m| !has(m, &variable.name));
            if let Some(by) = dropped
                && abstractions.any(|m| has(m, &variable.name))
            {
                let by = &by.name.name;
                let message =
                    format!("`{}` was dropped by `{by}`, and is declared again", variable.name);
                let error = Diagnostic::error("duplicate-declaration", variable.span, message);
                faults.push(error.hint("a new variable needs a new name"));
            }
        }
        let above = |name: &Name| model.machines[level + 1..].iter().any(|m| has(m, name));
        let below = |name: &Name| model.machines[..level].iter().any(|m| has(m, name));
        // An invariant may speak of what the machine has dropped.
        let mut check = |node: &Node, parameters: &[Ident], in_invariant: bool| {
            for free in forms::free(node) {
                let name = &free.name;
                let own = has(machine, name) || parameters.iter().any(|p| p.name == *name);
                let (what, hint) = match (own, above(name), below(name)) {
                    (false, true, _) if !in_invariant => (
                        "was dropped by this machine",
                        "invariants and witnesses alone speak of variables that are dropped",
                    ),
                    (false, false, true) => (
                        "is a variable of a refinement",
                        "what speaks of it belongs into the machine that declares it",
                    ),
                    _ => continue,
                };
                let message = format!("`{name}` {what}: it is not known here");
                let error = Diagnostic::error("undeclared-identifier", free.span, message);
                faults.push(error.hint(hint));
            }
        };
        let claims = machine.invariants.iter().chain(&machine.theorems);
        claims.for_each(|claim| check(&claim.node, &[], true));
        machine.variant.iter().for_each(|variant| check(variant, &[], false));
        for event in &machine.events {
            let guards = event.guards.iter().chain(&event.theorems).map(|g| &g.node);
            let values = event.actions.iter().flat_map(|action| match action {
                Action::Assign(_, values) => &values[..],
                Action::Member(_, node) | Action::SuchThat(_, node) => std::slice::from_ref(node),
            });
            guards.chain(values).for_each(|node| check(node, &event.parameters, false));
        }
    }
    faults
}

/// Parameters with the name of something that their machine knows. Where an abstract event speaks of that, it would
/// speak of the parameter.
pub fn hiding(model: &Model) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    for (level, machine) in model.machines.iter().enumerate() {
        let known = known(model, level);
        let parameters = machine.events.iter().flat_map(|event| &event.parameters);
        for parameter in parameters {
            if let Some((declared, what)) = known.get(&parameter.name) {
                let name = &parameter.name;
                let message = format!("the parameter `{name}` has the name of {what}");
                let error = Diagnostic::error("duplicate-declaration", parameter.span, message);
                let hint = "give the parameter a name of its own";
                faults.push(error.note(*declared, "declared here").hint(hint));
            }
        }
    }
    faults
}

/// What a machine knows beside its parameters: its variables, those that it has dropped, and all of the contexts that it and
/// the machines above it see.
fn known(model: &Model, level: usize) -> FxHashMap<&Name, (Span, String)> {
    let mut known = FxHashMap::default();
    let machines = &model.machines[level..];
    let mut seen: Vec<&Name> = machines.iter().flat_map(|m| &m.sees).map(|c| &c.name).collect();
    // Each comes after those that it extends.
    for context in model.contexts.iter().rev() {
        if !seen.contains(&&context.name.name) {
            continue;
        }
        seen.extend(context.extends.iter().map(|c| &c.name));
        let of = &context.name.name;
        for (list, what) in [(&context.sets, "set"), (&context.constants, "constant")] {
            known.extend(list.iter().map(|x| (&x.name, (x.span, format!("a {what} of {of}")))));
        }
    }
    for machine in machines {
        let of = format!("a variable of {}", machine.name.name);
        known.extend(machine.variables.iter().map(|x| (&x.name, (x.span, of.clone()))));
    }
    known
}
