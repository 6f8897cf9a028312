//! All levels of a model as one machine file.

use super::model::{Event, Labelled, Model};
use super::simulate;
use super::tree::all;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{
    Clause, ClauseKind, Ident, MachineFile, MachineKind, Name, Node, NodeKind,
    OperationDeclaration, SetDeclaration, Substitution, SubstitutionKind,
};
use rustc_hash::FxHashSet;

/// The machine of a model: sets, constants and axioms of all contexts; variables and invariants of all
/// levels; one operation for each event of the machine that is checked.
///
/// # Errors
/// That machine has no INITIALISATION.
pub fn machine_file(model: &Model) -> Result<MachineFile, Vec<Diagnostic>> {
    let main = &model.machines[0];
    let mut clauses = Vec::new();
    let mut add = |kind: ClauseKind, span: Span| {
        clauses.push(Clause { kind, span, keyword: Span { end: span.start, ..span } });
    };
    let at = model.contexts.first().map_or(main.span, |c| c.span);
    let (sets, members, axioms) = sets(model);
    if !sets.is_empty() {
        add(ClauseKind::Sets(sets), at);
    }
    let constants: Vec<Ident> = model.contexts.iter().flat_map(|c| &c.constants).cloned().collect();
    let constants: Vec<Ident> =
        constants.into_iter().filter(|c| !members.contains(&c.name)).collect();
    if !constants.is_empty() {
        add(ClauseKind::Constants(constants), at);
    }
    if !axioms.is_empty() {
        add(ClauseKind::Properties(all(axioms, at)), at);
    }
    let mut variables: Vec<Ident> = Vec::new();
    let mut abstract_variables = Vec::new();
    for (level, machine) in model.machines.iter().enumerate() {
        for variable in &machine.variables {
            if variables.iter().all(|v| v.name != variable.name) {
                variables.push(variable.clone());
                if level > 0 {
                    abstract_variables.push((variable.name.clone(), machine.name.name.clone()));
                }
            }
        }
    }
    let stateful = !variables.is_empty();
    if stateful {
        add(ClauseKind::Variables(variables), main.span);
    }
    // From the abstract to the concrete: what an abstract machine types, its refinements use.
    let invariants: Vec<Node> =
        model.machines.iter().rev().flat_map(|m| &m.invariants).map(conjunct).collect();
    if stateful && !invariants.is_empty() {
        add(ClauseKind::Invariant(all(invariants, main.span)), main.span);
    }
    let theorems = model.contexts.iter().flat_map(|c| &c.theorems);
    let theorems = theorems.chain(model.machines.iter().rev().flat_map(|m| &m.theorems));
    let theorems: Vec<Node> = theorems.map(conjunct).collect();
    if !theorems.is_empty() {
        add(ClauseKind::Assertions(theorems), main.span);
    }
    let mut operations = Vec::new();
    for (i, event) in main.events.iter().enumerate() {
        let body = simulate::body(model, i);
        if event.is_initialisation() {
            if stateful {
                add(ClauseKind::Initialisation(body), event.span);
            }
        } else {
            operations.push(operation(event, body));
        }
    }
    if stateful && !main.events.iter().any(Event::is_initialisation) {
        let message = format!("the machine `{}` has no INITIALISATION", main.name.name);
        return Err(vec![Diagnostic::error("missing-initialisation", main.name.span, message)]);
    }
    if !operations.is_empty() {
        add(ClauseKind::Operations(operations), main.span);
    }
    Ok(MachineFile {
        kind: MachineKind::EventB,
        name: main.name.clone(),
        parameters: Vec::new(),
        refines: None,
        clauses,
        abstract_variables,
        variants: model.machines.iter().filter_map(|m| m.variant.clone()).collect(),
        names_complete: true,
        definition_errors: Vec::new(),
        span: main.span,
    })
}

fn conjunct(of: &Labelled) -> Node {
    let node = of.node.clone();
    match &of.label {
        Some(label) => {
            let span = node.span;
            Node { kind: NodeKind::Labelled(label.clone(), Box::new(node)), span }
        }
        None => node,
    }
}

/// The carrier sets; the constants that became members of one; the axioms that are left. A set that is
/// partitioned into singletons of constants is an enumerated set.
fn sets(model: &Model) -> (Vec<SetDeclaration>, FxHashSet<Name>, Vec<Node>) {
    let mut members: FxHashSet<Name> = FxHashSet::default();
    let mut axioms: Vec<Option<&Labelled>> =
        model.contexts.iter().flat_map(|c| &c.axioms).map(Some).collect();
    let constants: FxHashSet<&Name> =
        model.contexts.iter().flat_map(|c| &c.constants).map(|c| &c.name).collect();
    let mut found = Vec::new();
    for set in model.contexts.iter().flat_map(|c| &c.sets) {
        let listed = axioms.iter_mut().find_map(|axiom| {
            let names = singletons(&axiom.as_ref()?.node, &set.name)?;
            let new = |x: &Ident| constants.contains(&x.name) && !members.contains(&x.name);
            names.iter().all(new).then(|| {
                *axiom = None;
                names
            })
        });
        found.push(match listed {
            Some(names) => {
                members.extend(names.iter().map(|x| x.name.clone()));
                SetDeclaration::Enumerated(set.clone(), names)
            }
            None => SetDeclaration::Deferred(set.clone()),
        });
    }
    (found, members, axioms.into_iter().flatten().map(conjunct).collect())
}

/// The constants `a`, `b`, .. of `partition(S, {a}, {b}, ..)`.
fn singletons(node: &Node, set: &Name) -> Option<Vec<Ident>> {
    let NodeKind::At(operator, operands) = &node.kind else { return None };
    let [whole, parts @ ..] = &operands[..] else { return None };
    let is_set = matches!(&whole.kind, NodeKind::Name(name) if name == set);
    if &*operator.name != "partition" || !is_set || parts.is_empty() {
        return None;
    }
    let mut names: Vec<Ident> = Vec::new();
    for part in parts {
        let NodeKind::SetExtension(items) = &part.kind else { return None };
        let [Node { kind: NodeKind::Name(name), span }] = &items[..] else { return None };
        if names.iter().any(|x| x.name == *name) {
            return None;
        }
        names.push(Ident { name: name.clone(), span: *span });
    }
    Some(names)
}

fn operation(event: &Event, body: Substitution) -> OperationDeclaration {
    let guards: Vec<Node> = event.guards.iter().map(|g| g.node.clone()).collect();
    let body = match guards.is_empty() {
        true => body,
        false => {
            let guard = all(guards, event.span);
            let kind = SubstitutionKind::Select(vec![(guard, body)], None);
            Substitution { kind, span: event.span }
        }
    };
    OperationDeclaration {
        results: Vec::new(),
        name: event.name.clone(),
        parameters: event.parameters.clone(),
        refines: None,
        body,
        span: event.span,
    }
}
