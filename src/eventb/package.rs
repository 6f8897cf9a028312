//! What a package holds: machines and contexts, their formulas still as terms.

use super::model::Status;
use super::term::{Term, TermKind};
use super::written::{At, Context, Declared, Event, Item, Machine, outermost, seeing};
use crate::diagnostic::Diagnostic;
use crate::syntax::suggest;
use rustc_hash::FxHashSet;
use std::sync::Arc;

type Result<T> = std::result::Result<T, Vec<Diagnostic>>;

pub fn fault(term: &Term, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("package-content", term.span, message)
}

fn fail<T>(term: &Term, message: impl Into<String>) -> Result<T> {
    Err(vec![fault(term, message)])
}

/// Machines and contexts.
type Components<'t> = (Vec<Machine<&'t Term>>, Vec<Context<&'t Term>>);

/// The components in the term of a package: all its machines and contexts.
pub fn components(term: &Term) -> Result<Components<'_>> {
    let Some(("package", [load, ..])) = term.parts() else {
        return fail(term, "expected package(load_event_b_project(..))");
    };
    let Some(("load_event_b_project", [machines, contexts, ..])) = load.parts() else {
        return fail(load, "expected load_event_b_project(Machines, Contexts, ..)");
    };
    let (of_machines, of_contexts) = (list(machines)?, list(contexts)?);
    let mut machines = of_machines.iter().map(machine).collect::<Result<Vec<_>>>()?;
    let contexts = of_contexts.iter().map(context).collect::<Result<Vec<_>>>()?;
    are_distinct(machines.iter().map(|m| &m.name), "machine", of_machines)?;
    are_distinct(contexts.iter().map(|c| &c.name), "context", of_contexts)?;
    if machines.is_empty() {
        let all = contexts.iter().map(|c: &Context<_>| (&c.name, &c.extends[..]));
        let sees = outermost(all);
        if sees.is_empty() {
            return fail(load, "this package has neither a machine nor a context");
        }
        machines.push(seeing(sees));
    }
    Ok((machines, contexts))
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

fn declared(term: &Term) -> Result<Declared> {
    match identifier(term) {
        Some(name) => Ok(Declared { name: name.clone(), comment: None, at: at(term) }),
        None => fail(term, "expected identifier(Position, Name)"),
    }
}

fn declarations(term: &Term) -> Result<Vec<Declared>> {
    list(term)?.iter().map(declared).collect()
}

fn at(term: &Term) -> At {
    Some(term.span.start)
}

fn item(term: &Term, theorem: bool) -> Item<&Term> {
    Item { label: label(term).cloned(), formula: term, theorem, comment: None, at: at(term) }
}

fn items(term: &Term, theorem: bool) -> Result<Vec<Item<&Term>>> {
    Ok(list(term)?.iter().map(|formula| item(formula, theorem)).collect())
}

fn machine(term: &Term) -> Result<Machine<&Term>> {
    let Some(("event_b_model", [_, own, sections])) = term.parts() else {
        return fail(term, "expected event_b_model(Position, Name, Sections)");
    };
    let mut machine = Machine {
        name: name(own)?,
        refines: None,
        sees: Vec::new(),
        variables: Vec::new(),
        invariants: Vec::new(),
        variant: None,
        events: Vec::new(),
        comment: None,
    };
    let mut theorems = Vec::new();
    for section in list(sections)? {
        match section.parts() {
            Some(("refines", [_, of])) => machine.refines = Some(name(of)?),
            Some(("sees", [_, of])) => machine.sees = names(of)?,
            Some(("variables", [_, of])) => machine.variables = declarations(of)?,
            Some(("invariant", [_, of])) => machine.invariants = items(of, false)?,
            Some(("theorems", [_, of])) => theorems = items(of, true)?,
            Some(("variant", [_, of])) => machine.variant = Some(item(of, false)),
            Some(("events", [_, of])) => {
                machine.events = list(of)?.iter().map(event).collect::<Result<_>>()?;
            }
            _ => is_beside(section, MACHINE_SECTIONS)?,
        }
    }
    machine.invariants.extend(theorems);
    Ok(machine)
}

fn event(term: &Term) -> Result<Event<&Term>> {
    let (own, status, refines, parameters, guards, theorems, actions, witnesses) = match term
        .parts()
    {
        Some(("event", [_, n, s, r, p, g, t, a, w])) => (n, Some(s), r, p, g, Some(t), a, w),
        // Without the theorems among the guards.
        Some(("event", [_, n, s, r, p, g, a, w])) => (n, Some(s), r, p, g, None, a, w),
        // Older still: without the status.
        Some(("event", [_, n, r, p, g, a, w])) => (n, None, r, p, g, None, a, w),
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
    let mut guards = items(guards, false)?;
    if let Some(theorems) = theorems {
        guards.extend(items(theorems, true)?);
    }
    Ok(Event {
        name: name(own)?,
        status,
        // The parts that an event inherits are written out.
        extended: false,
        refines: names(refines)?,
        parameters: declarations(parameters)?,
        guards,
        witnesses: list(witnesses)?.iter().map(witness).collect::<Result<_>>()?,
        actions: items(actions, false)?,
        comment: None,
        at: at(term),
    })
}

fn witness(term: &Term) -> Result<Item<&Term>> {
    let Some(("witness", [_, of, formula])) = term.parts() else {
        return fail(term, "expected witness(Position, Name, Predicate)");
    };
    let label = Some(declared(of)?.name);
    Ok(Item { label, formula, theorem: false, comment: None, at: at(term) })
}

fn context(term: &Term) -> Result<Context<&Term>> {
    let Some(("event_b_context", [_, own, sections])) = term.parts() else {
        return fail(term, "expected event_b_context(Position, Name, Sections)");
    };
    let mut context = Context {
        name: name(own)?,
        extends: Vec::new(),
        sets: Vec::new(),
        constants: Vec::new(),
        axioms: Vec::new(),
        comment: None,
    };
    let mut theorems = Vec::new();
    for section in list(sections)? {
        match section.parts() {
            Some(("extends", [_, of])) => context.extends = names(of)?,
            Some(("sets", [_, of])) => context.sets = declarations(of)?,
            Some(("constants" | "abstract_constants", [_, of])) => {
                context.constants.extend(declarations(of)?);
            }
            Some(("axioms", [_, of])) => context.axioms = items(of, false)?,
            Some(("theorems", [_, of])) => theorems = items(of, true)?,
            _ => is_beside(section, CONTEXT_SECTIONS)?,
        }
    }
    context.axioms.extend(theorems);
    Ok(context)
}

const MACHINE_SECTIONS: &[&str] =
    &["refines", "sees", "variables", "invariant", "theorems", "variant", "events"];
const CONTEXT_SECTIONS: &[&str] =
    &["extends", "sets", "constants", "abstract_constants", "axioms", "theorems"];

/// A section that says nothing of the model: tools keep more beside it. One that is called almost like one of these, or
/// has another form, is a slip.
fn is_beside(section: &Term, sections: &[&'static str]) -> Result<()> {
    let Some((name, _)) = section.parts() else { return fail(section, "expected a section") };
    if sections.contains(&name) {
        return fail(section, format!("expected {name}(Position, ..)"));
    }
    match suggest::closest(name, sections.iter().copied()) {
        Some(meant) => {
            let message = format!("there is no section `{name}`");
            Err(vec![fault(section, message).hint(format!("did you mean `{meant}`?"))])
        }
        None => Ok(()),
    }
}

/// No two components of one kind have the same name.
fn are_distinct<'n>(
    components: impl Iterator<Item = &'n Arc<str>>,
    kind: &str,
    terms: &[Term],
) -> Result<()> {
    let mut seen = FxHashSet::default();
    for (name, term) in components.zip(terms) {
        if !seen.insert(name) {
            return fail(term, format!("there are two {kind}s `{name}`"));
        }
    }
    Ok(())
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
