//! The operations of a refinement beside those of the machine that it refines: declared, promoted or
//! extended on either side.

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Clause, ClauseKind, Name, OperationDeclaration};
use crate::syntax::suggest;
use crate::typing::context::count;
use crate::typing::flatten::Flatten;
use crate::typing::loader::{Reference, ReferenceKind, Unit};
use crate::typing::refinement::refined;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Most operations of one machine that are looked for: prefixes within prefixes can double them.
const MAX_OPERATIONS: usize = 10_000;

/// An operation of a refinement, under the name of what it refines.
pub struct Refining<'n> {
    pub name: &'n Name,
    /// Where it is declared, promoted or extended.
    pub span: Span,
    pub parameters: usize,
    pub results: usize,
}

impl<'a> Flatten<'a> {
    /// Warns of an operation that what a unit refines does not have, or has with another signature.
    pub fn compare_with_abstract(&mut self, unit: usize, own: &Refining<'_>) {
        let (units, name) = (self.units, own.name);
        let above: Vec<usize> = refined(&units[unit]).collect();
        for unit in above {
            let machine = &units[unit].file.name.name;
            let Some(refined) = declaration_of(units, unit, name) else {
                if !offers(units, unit, name) {
                    let message = format!("`{machine}` has no operation `{name}` to be refined");
                    let diagnostic = Diagnostic::warning("nothing-refined", own.span, message);
                    let known = offered(units, unit);
                    let names = known.iter().map(|(name, _)| &**name);
                    self.report(match suggest::closest(name, names) {
                        Some(close) => diagnostic.hint(format!("did you mean `{close}`?")),
                        None => diagnostic,
                    });
                }
                continue;
            };
            let refined = refined.declaration;
            let there = (refined.parameters.len(), refined.results.len());
            if there != (own.parameters, own.results) {
                let message = format!(
                    "`{name}` has {} here, and {} in `{machine}`",
                    signature((own.parameters, own.results)),
                    signature(there)
                );
                let diagnostic = Diagnostic::warning("refined-signature", own.span, message);
                self.report(diagnostic.note(refined.name.span, "what it refines"));
            }
        }
    }

    /// Warns of operations of the refined machine that the main machine, which has these, leaves out.
    pub fn report_not_refined(&mut self, unit: usize, has: &[Name]) {
        let units = self.units;
        let refines = |r: &&Reference| r.kind == ReferenceKind::Refines && unit == 0;
        for reference in units[unit].references.iter().filter(refines) {
            let Some(above) = reference.unit else { continue };
            let known = offered(units, above);
            for (name, span) in known.iter().filter(|(name, _)| !has.contains(name)) {
                let machine = &units[above].file.name.name;
                let message = format!(
                    "`{name}` of `{machine}` is not refined: there is no such operation here"
                );
                let diagnostic = Diagnostic::warning("not-refined", reference.span(), message);
                let (span, label) = match declaration_of(units, above, name) {
                    Some(found) => (found.declaration.name.span, "declared here"),
                    None => (*span, "promoted here"),
                };
                self.report(diagnostic.note(span, label));
            }
        }
    }
}

fn operations_of(unit: &Unit) -> impl Iterator<Item = &OperationDeclaration> {
    let operations = unit.file.clauses.iter().filter_map(|clause| match &clause.kind {
        ClauseKind::Operations(list) => Some(list),
        _ => None,
    });
    operations.flatten()
}

fn operation_of<'u>(unit: &'u Unit, name: &str) -> Option<&'u OperationDeclaration> {
    operations_of(unit).find(|o| *o.name.name == *name)
}

/// The operations that a unit declares, promotes or extends, in this order, each with the place.
fn offered(units: &[Unit], unit: usize) -> Rc<Vec<(Name, Span)>> {
    let mut known = FxHashMap::default();
    offered_by(units, unit, &mut known)
}

fn offered_by(
    units: &[Unit],
    unit: usize,
    known: &mut FxHashMap<usize, Rc<Vec<(Name, Span)>>>,
) -> Rc<Vec<(Name, Span)>> {
    if let Some(found) = known.get(&unit) {
        return found.clone();
    }
    let mut found: Vec<(Name, Span)> = Vec::new();
    let mut add = |name: Name, span: Span| {
        if found.len() < MAX_OPERATIONS && !found.iter().any(|(known, _)| *known == name) {
            found.push((name, span));
        }
    };
    operations_of(&units[unit]).for_each(|o| add(o.name.name.clone(), o.name.span));
    for clause in &units[unit].file.clauses {
        if let ClauseKind::Promotes(names) = &clause.kind {
            names.iter().for_each(|ident| add(ident.name.clone(), ident.span));
        }
    }
    for reference in units[unit].references.iter().filter(|r| r.kind == ReferenceKind::Extends) {
        let Some(extended) = reference.unit else { continue };
        let (prefix, _) = reference.prefixes("");
        for (name, _) in offered_by(units, extended, known).iter() {
            add(format!("{prefix}{name}").into(), reference.span());
        }
    }
    let found = Rc::new(found);
    known.insert(unit, found.clone());
    found
}

/// An operation that a unit has: the unit that declares it, and the prefix of that unit's names.
pub struct Offered<'a> {
    pub unit: usize,
    pub prefix: String,
    pub declaration: &'a OperationDeclaration,
}

/// The operation of this name that a unit declares, promotes or extends.
pub fn declaration_of<'a>(units: &'a [Unit], unit: usize, name: &str) -> Option<Offered<'a>> {
    if let Some(declaration) = operation_of(&units[unit], name) {
        return Some(Offered { unit, prefix: String::new(), declaration });
    }
    let is_promoted = units[unit].file.clauses.iter().any(|clause| match &clause.kind {
        ClauseKind::Promotes(names) => names.iter().any(|ident| *ident.name == *name),
        _ => false,
    });
    let references = units[unit].references.iter();
    let mut owned = references.filter(|r| {
        r.kind == ReferenceKind::Extends
            || is_promoted && r.kind.owns() && r.kind != ReferenceKind::Refines
    });
    owned.find_map(|reference| {
        let (local, _) = reference.prefixes("");
        let found = declaration_of(units, reference.unit?, name.strip_prefix(&*local)?)?;
        Some(Offered { prefix: format!("{local}{}", found.prefix), ..found })
    })
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

/// `no parameter and 2 results`.
fn signature((parameters, results): (usize, usize)) -> String {
    format!("{} and {}", of(parameters, "parameter"), of(results, "result"))
}

/// `no parameter`, `1 result`, `2 results`.
fn of(number: usize, what: &str) -> String {
    match number {
        0 => format!("no {what}"),
        n => count(n, what),
    }
}
