//! Refinements: what they take over from the machines that they refine.
//!
//! Variables of the same name are the same. Conjuncts of the invariant that mention others link two
//! machines, and only one of them is here.

use crate::diagnostic::Diagnostic;
use crate::machine::footprint::Footprint;
use crate::machine::{Cell, Conjunct, Pred};
use crate::syntax::ast::{Clause, ClauseKind, Ident, Name, Node, OperationDeclaration};
use crate::typing::context::Elaborator;
use crate::typing::expression::conjuncts;
use crate::typing::flatten::Flatten;
use crate::typing::loader::{Reference, ReferenceKind, Unit};
use crate::typing::scope::{Entry, Global, Meaning, Role};
use crate::typing::suggest;

impl<'a> Flatten<'a> {
    /// In a refinement: names that only the abstract machines have, typed by their invariants.
    /// Conjuncts that mention them link two machines and are not part of this one.
    pub fn abstract_variables(&mut self, unit: usize) {
        let units = self.units;
        let environment = self.elaborator.environment;
        // What is included under a prefix has it in the names of its variables.
        let mut todo: Vec<(usize, String)> =
            refined(&units[unit]).map(|unit| (unit, String::new())).collect();
        let mut done: Vec<(usize, String)> = Vec::new();
        while let Some((unit, prefix)) = todo.pop() {
            if done.iter().any(|(seen, under)| *seen == unit && *under == prefix) {
                continue;
            }
            // Of prefixes within prefixes there may be exponentially many.
            let within = |r: &Reference| match (&*prefix, r.prefixes("").0) {
                ("", own) => Some((r.unit?, own)),
                (known, own) if own.is_empty() => Some((r.unit?, known.to_owned())),
                _ => None,
            };
            todo.extend(units[unit].references.iter().filter_map(within));
            for ident in variables_of(&units[unit]) {
                let name: Name = match prefix.is_empty() {
                    true => ident.name.clone(),
                    false => format!("{prefix}{}", ident.name).into(),
                };
                if self.elaborator.scope.find(&name).is_some() {
                    continue;
                }
                let declared = self.elaborator.environment().globals.get(&name);
                let meaning = match declared.map(|d| &d.meaning) {
                    Some(Global::Variable(id, _)) => Meaning::Cell(Cell::Variable(*id)),
                    _ => {
                        let ty = self.elaborator.infer.fresh();
                        let local = self.elaborator.new_local(name.clone(), ty, ident.span);
                        self.abstract_locals.push(local);
                        Meaning::Local(local, Role::Abstract)
                    }
                };
                self.elaborator.scope.push(name, meaning);
            }
            done.push((unit, prefix));
        }
        let refined = all_refined(units, unit);
        for (unit, prefix) in done.into_iter().rev() {
            let Some(abstraction) = self.abstractions.get(&unit) else { continue };
            self.elaborator.environment = *abstraction;
            let height = self.elaborator.scope.height();
            self.elaborator.know_under_prefix(&prefix);
            for clause in &units[unit].file.clauses {
                if let ClauseKind::Invariant(node) = &clause.kind {
                    let known = self.conjuncts(node);
                    self.left_out.clear();
                    if refined.contains(&unit) {
                        self.abstract_invariant.extend(known.into_iter().filter(is_of_state));
                    }
                }
            }
            self.elaborator.scope.entries.truncate(height);
        }
        self.elaborator.environment = environment;
    }

    /// Warns of conjuncts of the invariant that are not checked here.
    pub fn report_left_out(&mut self) {
        let Some(first) = self.left_out.first().copied() else { return };
        let message = match self.left_out.len() {
            1 => "this speaks of variables that only the abstract machine has: it is not checked"
                .to_owned(),
            n => format!(
                "{n} conjuncts, the first of them this, speak of variables that only the abstract machine has: they are not checked"
            ),
        };
        self.report(Diagnostic::warning("linking-invariant", first, message));
    }

    /// Warns of an operation that what a unit refines does not have, or has with another signature.
    pub fn compare_with_abstract(&mut self, unit: usize, declared: &OperationDeclaration) {
        let units = self.units;
        let name = abstract_name(declared);
        let above: Vec<usize> = refined(&units[unit]).collect();
        for unit in above {
            let machine = &units[unit].file.name.name;
            let Some(refined) = operation_of(&units[unit], name) else {
                if !offers(units, unit, name) {
                    let message = format!("`{machine}` has no operation `{name}` to be refined");
                    let span = declared.name.span;
                    let mut diagnostic = Diagnostic::warning("nothing-refined", span, message);
                    let names = operations_of(&units[unit]).map(|o| &*o.name.name);
                    if let Some(close) = suggest::closest(name, names) {
                        diagnostic = diagnostic.hint(format!("did you mean `{close}`?"));
                    }
                    self.report(diagnostic);
                }
                continue;
            };
            let counts = |o: &OperationDeclaration| (o.parameters.len(), o.results.len());
            if counts(refined) != counts(declared) {
                let told = |o| {
                    let (parameters, results) = counts(o);
                    format!("{} and {}", of(parameters, "parameter"), of(results, "result"))
                };
                let message = format!(
                    "`{name}` has {} here, and {} in `{machine}`",
                    told(declared),
                    told(refined)
                );
                let diagnostic =
                    Diagnostic::warning("refined-signature", declared.name.span, message);
                self.report(diagnostic.note(refined.name.span, "what it refines"));
            }
        }
    }

    /// Warns of operations of the refined machine that the main machine, which has these, leaves out.
    pub fn report_not_refined(&mut self, unit: usize, has: &[Name]) {
        let units = self.units;
        let refines = |r: &&Reference| r.kind == ReferenceKind::Refines && unit == 0;
        for reference in units[unit].references.iter().filter(refines) {
            let Some(above) = reference.unit.map(|unit| &units[unit]) else { continue };
            let left_out = operations_of(above).filter(|o| !has.contains(&o.name.name));
            for operation in left_out {
                let name = &operation.name;
                let message = format!(
                    "`{}` of `{}` is not refined: there is no such operation here",
                    name.name, above.file.name.name
                );
                let diagnostic = Diagnostic::warning("not-refined", reference.span(), message);
                self.report(diagnostic.note(name.span, "declared here"));
            }
        }
    }
}

impl<'a> Elaborator<'a> {
    /// Brings the variables of the abstract machines into scope, where nothing hides them.
    pub fn know_abstract_names(&mut self) {
        for entry in self.abstract_names.clone() {
            if self.scope.find(&entry.name).is_none() {
                self.scope.entries.push(entry);
            }
        }
    }

    /// Brings the names that are known under a prefix into scope without it.
    pub fn know_under_prefix(&mut self, prefix: &str) {
        if prefix.is_empty() {
            return;
        }
        let without = |entry: &Entry<'a>| {
            let name = entry.name.strip_prefix(prefix)?;
            Some(Entry { name: name.into(), ..entry.clone() })
        };
        let own: Vec<Entry<'a>> = self.scope.entries.iter().filter_map(without).collect();
        self.scope.entries.extend(own);
    }

    /// In a refinement, conjuncts that mention variables of the abstract machine are no part of it.
    pub fn loop_invariant(&mut self, node: &'a Node) -> Pred {
        let height = self.scope.height();
        self.know_abstract_names();
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

/// Whether a conjunct speaks of variables.
fn is_of_state(conjunct: &Conjunct) -> bool {
    !Footprint::of_pred(&conjunct.pred).variables.is_empty()
}

fn operations_of(unit: &Unit) -> impl Iterator<Item = &OperationDeclaration> {
    let operations = unit.file.clauses.iter().filter_map(|clause| match &clause.kind {
        ClauseKind::Operations(list) => Some(list),
        _ => None,
    });
    operations.flatten()
}

pub fn operation_of<'u>(unit: &'u Unit, name: &str) -> Option<&'u OperationDeclaration> {
    operations_of(unit).find(|o| *o.name.name == *name)
}

/// Whether a unit has an operation, of its own or from what it refers to.
pub fn offers(units: &[Unit], unit: usize, name: &str) -> bool {
    let promoted = |clause: &Clause| match &clause.kind {
        ClauseKind::Promotes(names) => names.iter().any(|ident| *ident.name == *name),
        _ => false,
    };
    let inherited = |r: &Reference| match r.kind {
        ReferenceKind::Extends => {
            let (prefix, _) = r.prefixes("");
            let name = name.strip_prefix(&*prefix);
            name.is_some_and(|name| r.unit.is_some_and(|unit| offers(units, unit, name)))
        }
        ReferenceKind::Refines => r.unit.is_some_and(|unit| offers(units, unit, name)),
        _ => false,
    };
    let unit = &units[unit];
    operation_of(unit, name).is_some()
        || unit.file.clauses.iter().any(promoted)
        || unit.references.iter().any(inherited)
}

/// `no parameter`, `1 result`, `2 results`.
fn of(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}"),
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// The name of the operation that an operation refines: its own, where it does not say.
pub fn abstract_name(declared: &OperationDeclaration) -> &Name {
    &declared.refines.as_ref().unwrap_or(&declared.name).name
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
pub fn refined(unit: &Unit) -> impl Iterator<Item = usize> {
    unit.references.iter().filter(|r| r.kind == ReferenceKind::Refines).filter_map(|r| r.unit)
}
