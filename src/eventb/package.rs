//! What a package holds: machines and contexts, their formulas still as terms.

use super::levels::Levels;
use super::model::Status;
use super::term::{Term, TermKind};
use crate::diagnostic::Diagnostic;
use std::sync::Arc;

/// All components of a package.
#[derive(Debug)]
pub struct Project<'t> {
    /// From the machine that is checked up to the most abstract one.
    pub machines: Vec<Machine<'t>>,
    /// The contexts that some machine sees, those that are extended first.
    pub contexts: Vec<Context<'t>>,
}

#[derive(Debug)]
pub struct Machine<'t> {
    pub name: Arc<str>,
    pub refines: Option<Arc<str>>,
    pub sees: Vec<Arc<str>>,
    pub variables: &'t [Term],
    pub invariants: &'t [Term],
    pub theorems: &'t [Term],
    pub variant: Option<&'t Term>,
    pub events: Vec<Event<'t>>,
}

#[derive(Debug)]
pub struct Event<'t> {
    pub name: Arc<str>,
    pub status: Status,
    pub refines: Vec<Arc<str>>,
    pub parameters: &'t [Term],
    pub guards: &'t [Term],
    pub theorems: &'t [Term],
    pub actions: &'t [Term],
    pub witnesses: &'t [Term],
}

#[derive(Debug)]
pub struct Context<'t> {
    pub name: Arc<str>,
    pub extends: Vec<Arc<str>>,
    pub sets: &'t [Term],
    pub constants: Vec<&'t Term>,
    pub axioms: &'t [Term],
    pub theorems: &'t [Term],
}

type Result<T> = std::result::Result<T, Vec<Diagnostic>>;

pub fn fault(term: &Term, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("package-content", term.span, message)
}

fn fail<T>(term: &Term, message: impl Into<String>) -> Result<T> {
    Err(vec![fault(term, message)])
}

/// Finds the components in the term of a package.
pub fn project<'t>(term: &'t Term, levels: &Levels) -> Result<Project<'t>> {
    let Some(("package", [load, ..])) = term.parts() else {
        return fail(term, "expected package(load_event_b_project(..))");
    };
    let Some(("load_event_b_project", [machines, contexts, ..])) = load.parts() else {
        return fail(load, "expected load_event_b_project(Machines, Contexts, ..)");
    };
    let machines = list(machines)?.iter().map(machine).collect::<Result<Vec<_>>>()?;
    let contexts = list(contexts)?.iter().map(context).collect::<Result<Vec<_>>>()?;
    let mut machines = chain(machines, load)?;
    let names: Vec<&str> = machines.iter().map(|m| &*m.name).collect();
    let first = levels.first(&names).map_err(|d| vec![*d])?;
    machines.drain(..first);
    let contexts = seen(&machines, contexts, load)?;
    Ok(Project { machines, contexts })
}

/// The machine that none refines, and those that it refines.
fn chain<'t>(machines: Vec<Machine<'t>>, at: &Term) -> Result<Vec<Machine<'t>>> {
    let refined = |m: &Machine| machines.iter().any(|o| o.refines.as_deref() == Some(&*m.name));
    let Some(main) = machines.iter().position(|m| !refined(m)) else {
        let what = match machines.is_empty() {
            true => "this package has no machine: there is nothing to check",
            false => "the machines of this package refine each other in a circle",
        };
        return fail(at, what);
    };
    let mut left: Vec<Option<Machine>> = machines.into_iter().map(Some).collect();
    let mut found: Vec<Machine> = left[main].take().into_iter().collect();
    while let Some(name) = found.last().and_then(|m| m.refines.clone()) {
        let next = left.iter_mut().find(|m| m.as_ref().is_some_and(|m| m.name == name));
        match next.and_then(Option::take) {
            Some(next) => found.push(next),
            None => return fail(at, format!("the refined machine `{name}` is not in the package")),
        }
    }
    Ok(found)
}

/// The contexts that the machines see, each after those that it extends.
fn seen<'t>(
    machines: &[Machine<'t>],
    contexts: Vec<Context<'t>>,
    at: &Term,
) -> Result<Vec<Context<'t>>> {
    let mut left = contexts;
    let mut found = Vec::new();
    for name in machines.iter().rev().flat_map(|m| &m.sees) {
        see(name, &mut left, &mut found, at)?;
    }
    Ok(found)
}

/// Moves a context, after those that it extends, to what was found.
fn see<'t>(
    name: &Arc<str>,
    left: &mut Vec<Context<'t>>,
    found: &mut Vec<Context<'t>>,
    at: &Term,
) -> Result<()> {
    if found.iter().any(|c| c.name == *name) {
        return Ok(());
    }
    let Some(place) = left.iter().position(|c| c.name == *name) else {
        return fail(at, format!("the context `{name}` is not in the package, or extends itself"));
    };
    let context = left.remove(place);
    for other in &context.extends {
        see(other, left, found, at)?;
    }
    found.push(context);
    Ok(())
}

fn list(term: &Term) -> Result<&[Term]> {
    match term.list() {
        Some(items) => Ok(items),
        None => fail(term, "expected a list"),
    }
}

fn name(term: &Term) -> Result<Arc<str>> {
    match term.atom() {
        Some(name) => Ok(name.clone()),
        None => fail(term, "expected a name"),
    }
}

fn names(term: &Term) -> Result<Vec<Arc<str>>> {
    list(term)?.iter().map(name).collect()
}

fn machine(term: &Term) -> Result<Machine<'_>> {
    let Some(("event_b_model", [_, own, sections])) = term.parts() else {
        return fail(term, "expected event_b_model(Position, Name, Sections)");
    };
    let mut machine = Machine {
        name: name(own)?,
        refines: None,
        sees: Vec::new(),
        variables: &[],
        invariants: &[],
        theorems: &[],
        variant: None,
        events: Vec::new(),
    };
    for section in list(sections)? {
        match section.parts() {
            Some(("refines", [_, of])) => machine.refines = Some(name(of)?),
            Some(("sees", [_, of])) => machine.sees = names(of)?,
            Some(("variables", [_, of])) => machine.variables = list(of)?,
            Some(("invariant", [_, of])) => machine.invariants = list(of)?,
            Some(("theorems", [_, of])) => machine.theorems = list(of)?,
            Some(("variant", [_, of])) => machine.variant = Some(of),
            Some(("events", [_, of])) => {
                machine.events = list(of)?.iter().map(event).collect::<Result<_>>()?;
            }
            // What tools keep beside the model.
            _ => {}
        }
    }
    Ok(machine)
}

fn event(term: &Term) -> Result<Event<'_>> {
    let empty: &[Term] = &[];
    let (own, status, refines, parameters, guards, theorems, actions, witnesses) = match term
        .parts()
    {
        Some(("event", [_, n, s, r, p, g, t, a, w])) => {
            (n, Some(s), r, list(p)?, list(g)?, list(t)?, list(a)?, list(w)?)
        }
        // Without the theorems among the guards.
        Some(("event", [_, n, s, r, p, g, a, w])) => {
            (n, Some(s), r, list(p)?, list(g)?, empty, list(a)?, list(w)?)
        }
        // Older still: without the status.
        Some(("event", [_, n, r, p, g, a, w])) => {
            (n, None, r, list(p)?, list(g)?, empty, list(a)?, list(w)?)
        }
        _ => {
            let form = "event(Position, Name, Status, Refines, Parameters, Guards, Theorems, Actions, Witnesses)";
            return fail(term, format!("expected {form}"));
        }
    };
    let status = match status.map(|s| (s, s.parts().and_then(|(name, _)| Status::of(name)))) {
        None => Status::Ordinary,
        Some((_, Some(status))) => status,
        Some((term, None)) => return fail(term, "expected ordinary, convergent or anticipated"),
    };
    let (name, refines) = (name(own)?, names(refines)?);
    Ok(Event { name, status, refines, parameters, guards, theorems, actions, witnesses })
}

fn context(term: &Term) -> Result<Context<'_>> {
    let Some(("event_b_context", [_, own, sections])) = term.parts() else {
        return fail(term, "expected event_b_context(Position, Name, Sections)");
    };
    let mut context = Context {
        name: name(own)?,
        extends: Vec::new(),
        sets: &[],
        constants: Vec::new(),
        axioms: &[],
        theorems: &[],
    };
    for section in list(sections)? {
        match section.parts() {
            Some(("extends", [_, of])) => context.extends = names(of)?,
            Some(("sets", [_, of])) => context.sets = list(of)?,
            Some(("constants" | "abstract_constants", [_, of])) => {
                context.constants.extend(list(of)?);
            }
            Some(("axioms", [_, of])) => context.axioms = list(of)?,
            Some(("theorems", [_, of])) => context.theorems = list(of)?,
            _ => {}
        }
    }
    Ok(context)
}

/// The name in `identifier(Position, Name)`.
pub fn identifier(term: &Term) -> Option<&Arc<str>> {
    match term.parts() {
        Some(("identifier" | "deferred_set", [_, name])) => name.atom(),
        _ => None,
    }
}

/// The label in the position of a formula.
pub fn label(term: &Term) -> Option<&Arc<str>> {
    let TermKind::Compound(_, arguments) = &term.kind else { return None };
    match arguments.first()?.parts() {
        Some(("rodinpos", [label, _])) => label.atom(),
        Some(("rodinpos", [_, label, _])) => label.atom(),
        _ => None,
    }
}
