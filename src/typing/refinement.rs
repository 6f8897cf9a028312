//! Refinements: what they take over from the machines that they refine.
//!
//! Variables of the same name are the same. Conjuncts of the invariant that mention others link two
//! machines, and only one of them is here. Preconditions need not be repeated: what the abstract one
//! says of the parameters alone types and bounds them here, too.

use crate::machine::footprint::Footprint;
use crate::machine::visit::Visitor;
use crate::machine::{Cell, LocalId, Operation, Pred, Subst, SubstKind};
use crate::syntax::ast::{
    ClauseKind, Ident, Name, Node, OperationDeclaration, Substitution, SubstitutionKind,
};
use crate::typing::context::Elaborator;
use crate::typing::expression::conjuncts;
use crate::typing::flatten::Flatten;
use crate::typing::infer::ERROR;
use crate::typing::loader::{ReferenceKind, Unit};
use crate::typing::scope::{Global, Meaning, Role};
use std::collections::BTreeSet;

impl<'a> Flatten<'a> {
    /// In a refinement: names that only the abstract machines have, typed by their invariants.
    /// Conjuncts that mention them link two machines and are not part of this one.
    pub fn abstract_variables(&mut self, unit: usize) {
        let units = self.units;
        let environment = self.elaborator.environment;
        let mut todo: Vec<usize> = refined(&units[unit]).collect();
        let mut done = Vec::new();
        while let Some(unit) = todo.pop() {
            if done.contains(&unit) {
                continue;
            }
            done.push(unit);
            todo.extend(units[unit].references.iter().filter_map(|r| r.unit));
            for ident in variables_of(&units[unit]) {
                if self.elaborator.scope.find(&ident.name).is_some() {
                    continue;
                }
                let declared = self.elaborator.environment().globals.get(&ident.name);
                let meaning = match declared.map(|d| &d.meaning) {
                    Some(Global::Variable(id, _)) => Meaning::Cell(Cell::Variable(*id)),
                    _ => {
                        let ty = self.elaborator.infer.fresh();
                        let local = self.elaborator.new_local(ident.name.clone(), ty, ident.span);
                        self.abstract_locals.push(local);
                        Meaning::Local(local, Role::Abstract)
                    }
                };
                self.elaborator.scope.push(ident.name.clone(), meaning);
            }
        }
        for unit in done.into_iter().rev() {
            let Some(abstraction) = self.abstractions.get(&unit) else { continue };
            self.elaborator.environment = *abstraction;
            for clause in &units[unit].file.clauses {
                if let ClauseKind::Invariant(node) = &clause.kind {
                    self.elaborator.pred(node);
                }
            }
        }
        self.elaborator.environment = environment;
    }

    /// Adds what the preconditions of the operations that an operation refines say of the parameters
    /// alone.
    pub fn inherit_precondition(
        &mut self,
        unit: usize,
        declared: &'a OperationDeclaration,
        operation: &mut Operation,
    ) {
        let units = self.units;
        let outer = self.elaborator.environment;
        let mut inherited = Vec::new();
        let name = abstract_name(declared);
        let mut todo: Vec<(usize, &Name)> = refined(&units[unit]).map(|u| (u, name)).collect();
        let mut done = Vec::new();
        while let Some((unit, name)) = todo.pop() {
            if done.contains(&unit) {
                continue;
            }
            done.push(unit);
            let found = operation_of(&units[unit], name);
            let above = found.map_or(name, abstract_name);
            todo.extend(self::refined(&units[unit]).map(|u| (u, above)));
            let Some(refined) = found else { continue };
            let (Some(environment), Some(precondition)) =
                (self.abstractions.get(&unit), precondition(&refined.body))
            else {
                continue;
            };
            if refined.parameters.len() != declared.parameters.len() {
                continue;
            }
            self.elaborator.environment = *environment;
            let height = self.elaborator.scope.height();
            for (ident, id) in refined.parameters.iter().zip(&operation.parameters) {
                let meaning = Meaning::Local(*id, Role::Parameter);
                self.elaborator.scope.push(ident.name.clone(), meaning);
            }
            for conjunct in conjuncts(precondition) {
                let known = self.elaborator.diagnostics.len();
                let pred = self.elaborator.pred(conjunct);
                // What only the abstract machine has is not known here.
                self.elaborator.diagnostics.truncate(known);
                if speaks_of(&operation.parameters, &pred) {
                    inherited.push(pred);
                }
            }
            self.elaborator.scope.entries.truncate(height);
        }
        self.elaborator.environment = outer;
        if inherited.is_empty() {
            return;
        }
        let span = operation.body.span;
        let body = std::mem::replace(&mut operation.body, Subst::new(SubstKind::Skip, span));
        let body = match body.kind {
            SubstKind::Precondition(own, body) => {
                inherited.push(own);
                body
            }
            _ => Box::new(body),
        };
        let kind = SubstKind::Precondition(Pred::and(inherited, span), body);
        operation.body = Subst::new(kind, span);
    }
}

impl<'a> Elaborator<'a> {
    /// In a refinement, conjuncts that mention variables of the abstract machine are no part of it.
    pub fn loop_invariant(&mut self, node: &'a Node) -> Pred {
        let height = self.scope.height();
        for entry in self.abstract_names.clone() {
            if self.scope.find(&entry.name).is_none() {
                self.scope.entries.push(entry);
            }
        }
        let outer = std::mem::take(&mut self.met_abstract);
        let mut kept = Vec::new();
        for part in conjuncts(node) {
            self.met_abstract = false;
            let pred = self.pred(part);
            if !self.met_abstract {
                kept.push(pred);
            }
        }
        self.met_abstract = outer;
        self.scope.entries.truncate(height);
        Pred::and(kept, node.span)
    }
}

/// Whether a predicate speaks of some of these locals, and of nothing but them and constants.
fn speaks_of(parameters: &[LocalId], p: &Pred) -> bool {
    let mut known = true;
    let mut bound: BTreeSet<LocalId> = parameters.iter().copied().collect();
    let mut visitor = Visitor {
        expr: &mut |e| known &= e.ty != ERROR,
        binder: Some(&mut |id| {
            bound.insert(*id);
        }),
        pred: None,
        subst: None,
    };
    visitor.pred(&mut p.clone());
    let footprint = Footprint::of_pred(p);
    known
        && footprint.variables.is_empty()
        && footprint.locals.is_subset(&bound)
        && parameters.iter().any(|id| footprint.locals.contains(id))
}

fn operation_of<'u>(unit: &'u Unit, name: &Name) -> Option<&'u OperationDeclaration> {
    let operations = unit.file.clauses.iter().filter_map(|clause| match &clause.kind {
        ClauseKind::Operations(list) => Some(list),
        _ => None,
    });
    operations.flatten().find(|o| o.name.name == *name)
}

/// The name of the operation that an operation refines: its own, where it does not say.
fn abstract_name(declared: &OperationDeclaration) -> &Name {
    &declared.refines.as_ref().unwrap_or(&declared.name).name
}

/// The precondition at the top of a body.
fn precondition(body: &Substitution) -> Option<&Node> {
    match &body.kind {
        SubstitutionKind::Precondition(p, _) => Some(p),
        SubstitutionKind::Block(body) => precondition(body),
        _ => None,
    }
}

/// The variables that a file declares.
pub fn variables_of(unit: &Unit) -> Vec<&Ident> {
    unit.file
        .clauses
        .iter()
        .filter_map(|clause| match &clause.kind {
            ClauseKind::Variables(idents) | ClauseKind::ConcreteVariables(idents) => Some(idents),
            _ => None,
        })
        .flatten()
        .collect()
}

/// Those that what refines it has, too.
pub fn concrete_variables_of(unit: &Unit) -> impl Iterator<Item = &Ident> {
    let lists = unit.file.clauses.iter().filter_map(|clause| match &clause.kind {
        ClauseKind::ConcreteVariables(idents) => Some(idents),
        _ => None,
    });
    lists.flatten()
}

/// All that a unit refines, directly or by what it refines.
pub fn all_refined(units: &[Unit], unit: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut todo: Vec<usize> = refined(&units[unit]).collect();
    while let Some(unit) = todo.pop() {
        if !found.contains(&unit) {
            found.push(unit);
            todo.extend(refined(&units[unit]));
        }
    }
    found
}

/// What a unit refines, directly.
fn refined(unit: &Unit) -> impl Iterator<Item = usize> {
    unit.references.iter().filter(|r| r.kind == ReferenceKind::Refines).filter_map(|r| r.unit)
}
