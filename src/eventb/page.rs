//! The text of a model, as Rodin prints it, with the trees of its formulas.

use super::formula::Writer;
use super::model::{Action, Context, Event, Labelled, Machine, Model, Status};
use super::package::{self, Project, fault, identifier, label};
use super::term::Term;
use crate::diagnostic::Diagnostic;
use crate::source::FileId;
use crate::syntax::ast::{Ident, Name, Node};
use std::sync::Arc;

/// Prints a model.
///
/// # Errors
/// Formulas that are not understood.
pub fn print(project: &Project<'_>, file: FileId) -> Result<(String, Model), Vec<Diagnostic>> {
    let mut w = Writer::new(file);
    let machines = project.machines.iter().map(|m| machine(&mut w, m)).collect();
    let contexts = project.contexts.iter().map(|c| context(&mut w, c)).collect();
    if w.errors.is_empty() { Ok((w.text, Model { machines, contexts })) } else { Err(w.errors) }
}

fn machine(w: &mut Writer, m: &package::Machine<'_>) -> Machine {
    let start = w.at();
    w.put("MACHINE ");
    let name = w.ident(&m.name);
    if let Some(refined) = &m.refines {
        w.put(&format!("\nREFINES {refined}"));
    }
    if !m.sees.is_empty() {
        w.put(&format!("\nSEES {}", m.sees.join(", ")));
    }
    w.put("\n");
    let variables = declarations(w, "VARIABLES", m.variables.iter());
    let invariants = section(w, "INVARIANTS", m.invariants);
    let theorems = section(w, "THEOREMS", m.theorems);
    let variant = m.variant.map(|v| {
        w.put("VARIANT\n  ");
        let node = w.formula(v);
        w.put("\n");
        node
    });
    w.put("EVENTS\n");
    let events = m.events.iter().map(|e| event(w, e)).collect();
    w.put("END\n\n");
    Machine { name, variables, invariants, theorems, variant, events, span: w.span(start) }
}

fn context(w: &mut Writer, c: &package::Context<'_>) -> Context {
    let start = w.at();
    w.put("CONTEXT ");
    w.put(&c.name);
    if !c.extends.is_empty() {
        w.put(&format!("\nEXTENDS {}", c.extends.join(", ")));
    }
    w.put("\n");
    let sets = declarations(w, "SETS", c.sets.iter());
    let constants = declarations(w, "CONSTANTS", c.constants.iter().copied());
    let axioms = section(w, "AXIOMS", c.axioms);
    let theorems = section(w, "THEOREMS", c.theorems);
    w.put("END\n\n");
    Context { sets, constants, axioms, theorems, span: w.span(start) }
}

fn declarations<'t>(
    w: &mut Writer,
    title: &str,
    terms: impl ExactSizeIterator<Item = &'t Term>,
) -> Vec<Ident> {
    if terms.len() > 0 {
        w.put(title);
        w.put("\n");
    }
    let mut idents = Vec::new();
    for term in terms {
        match identifier(term) {
            Some(name) => {
                w.put("  ");
                idents.push(w.ident(name));
                w.put("\n");
            }
            None => w.errors.push(fault(term, "expected a name")),
        }
    }
    idents
}

fn section(w: &mut Writer, title: &str, formulas: &[Term]) -> Vec<Labelled> {
    if !formulas.is_empty() {
        w.put(title);
        w.put("\n");
    }
    formulas.iter().map(|f| labelled(w, "  ", f)).collect()
}

/// One line with a labelled formula.
fn labelled(w: &mut Writer, indent: &str, formula: &Term) -> Labelled {
    w.put(indent);
    let label = label(formula).cloned();
    if let Some(label) = &label {
        w.put(&format!("@{label} "));
    }
    let node = w.formula(formula);
    w.put("\n");
    Labelled { label, node }
}

fn event(w: &mut Writer, e: &package::Event<'_>) -> Event {
    w.put("  ");
    let start = w.at();
    if e.status != Status::Ordinary {
        w.put(e.status.name());
        w.put(" ");
    }
    w.put("event ");
    let name = w.ident(&e.name);
    let mut refines = Vec::new();
    for (i, of) in e.refines.iter().enumerate() {
        w.put(if i == 0 { " refines " } else { ", " });
        refines.push(w.ident(of));
    }
    w.put("\n");
    let mut parameters = Vec::new();
    if !e.parameters.is_empty() {
        w.put("    any ");
        parameters = w.idents(e.parameters);
        w.put("\n");
    }
    let part = |w: &mut Writer, title: &str, formulas: &[Term]| -> Vec<Labelled> {
        if !formulas.is_empty() {
            w.put(title);
        }
        formulas.iter().map(|f| labelled(w, "      ", f)).collect()
    };
    let guards = part(w, "    where\n", e.guards);
    let theorems = part(w, "    theorem\n", e.theorems);
    let witnesses = witnesses(w, e.witnesses);
    if !e.actions.is_empty() {
        w.put("    then\n");
    }
    let (action_labels, actions) =
        e.actions.iter().filter_map(|a| Some((label(a).cloned(), action(w, a)?))).unzip();
    w.put("  end");
    let span = w.span(start);
    w.put("\n\n");
    Event {
        name,
        status: e.status,
        refines,
        parameters,
        guards,
        theorems,
        witnesses,
        actions,
        action_labels,
        span,
    }
}

fn witnesses(w: &mut Writer, terms: &[Term]) -> Vec<(Name, Node)> {
    if !terms.is_empty() {
        w.put("    with\n");
    }
    let mut found: Vec<(Arc<str>, Node)> = Vec::new();
    for term in terms {
        let Some(("witness", [_, of, formula])) = term.parts() else {
            w.errors.push(fault(term, "expected witness(Position, Name, Predicate)"));
            continue;
        };
        let Some(name) = identifier(of) else {
            w.errors.push(fault(of, "expected a name"));
            continue;
        };
        w.put(&format!("      @{name} "));
        found.push((name.clone(), w.formula(formula)));
        w.put("\n");
    }
    found
}

fn action(w: &mut Writer, term: &Term) -> Option<Action> {
    w.put("      ");
    if let Some(label) = label(term) {
        w.put(&format!("@{label} "));
    }
    let (form, targets, value) = match term.parts() {
        Some((form @ ("assign" | "becomes_element_of" | "becomes_such"), [_, targets, value])) => {
            (form, targets.list()?, value)
        }
        Some(("skip", _)) => {
            w.put("skip\n");
            return None;
        }
        _ => {
            w.errors.push(fault(term, "expected an action"));
            return None;
        }
    };
    let variables = w.idents(targets);
    let action = match form {
        "assign" => {
            w.put(" := ");
            let mut values = Vec::new();
            for (i, value) in value.list().unwrap_or(&[]).iter().enumerate() {
                if i > 0 {
                    w.put(", ");
                }
                values.push(w.formula(value));
            }
            if values.len() != variables.len() {
                w.errors.push(fault(term, "as many values as variables are needed"));
            }
            Action::Assign(variables, values)
        }
        "becomes_element_of" => {
            w.put(" :: ");
            Action::Member(variables, w.formula(value))
        }
        _ => {
            w.put(" :| ");
            Action::SuchThat(variables, w.formula(value))
        }
    };
    w.put("\n");
    Some(action)
}
