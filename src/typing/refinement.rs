//! Refinements: what they take over from the machines that they refine.
//!
//! Variables of the same name are the same. Conjuncts of the invariant that mention others link two
//! machines, and only one of them is here.

use crate::diagnostic::Diagnostic;
use crate::machine::footprint::Footprint;
use crate::machine::{Cell, Conjunct, Pred};
use crate::source::Span;
use crate::syntax::ast::{ClauseKind, Ident, MachineKind, Name, Node, OperationDeclaration};
use crate::typing::context::Elaborator;
use crate::typing::expression::conjuncts;
use crate::typing::flatten::Flatten;
use crate::typing::loader::{Reference, ReferenceKind, Unit};
use crate::typing::scope::{Entry, Global, Meaning, Role};

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
}

/// What is wrong with the heads of refinements: what they refine, and under which parameters.
pub fn check_heads(units: &[Unit]) -> Vec<Diagnostic> {
    let pairs = units.iter().flat_map(|unit| {
        let above = unit.references.iter().filter(|r| r.kind == ReferenceKind::Refines);
        above.filter_map(move |r| Some((unit, r.span(), &units[r.unit?])))
    });
    pairs
        .flat_map(|(unit, span, above)| [of_implementation(span, above), parameters(unit, above)])
        .flatten()
        .collect()
}

/// The refusal of what refines an implementation.
fn of_implementation(span: Span, above: &Unit) -> Option<Diagnostic> {
    let name = &above.file.name;
    if above.file.kind != MachineKind::Implementation {
        return None;
    }
    let message = format!("`{}` is an IMPLEMENTATION: nothing refines one", name.name);
    let diagnostic = Diagnostic::error("refined-implementation", span, message);
    let hint = "make it a REFINEMENT, or refine what it refines";
    Some(diagnostic.note(name.span, "declared here").hint(hint))
}

/// Warns of parameters that are not those of the abstract machine in their order: who includes the one has to
/// be able to include the other. A refinement that has none takes them over.
fn parameters(unit: &Unit, above: &Unit) -> Option<Diagnostic> {
    let names = |unit: &Unit| -> Vec<Name> {
        unit.file.parameters.iter().map(|parameter| parameter.name.clone()).collect()
    };
    let (own, wanted) = (names(unit), names(above));
    let (first, last) = (unit.file.parameters.first()?, unit.file.parameters.last()?);
    // One in the middle may have left them out itself.
    if own == wanted || wanted.is_empty() && above.file.refines.is_some() {
        return None;
    }
    let machine = &above.file.name;
    let message = match wanted.is_empty() {
        true => format!("`{}` has no parameters", machine.name),
        false => format!("the parameters of `{}` are ({})", machine.name, wanted.join(", ")),
    };
    let diagnostic = Diagnostic::warning("refined-parameters", first.span.to(last.span), message);
    let hint = "a refinement has the same in the same order, or leaves them out";
    Some(diagnostic.note(machine.span, "what it refines").hint(hint))
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

    /// Whether a name means something that only abstract machines have, or nothing at all.
    pub fn is_abstract(&self, name: &Name) -> bool {
        match self.scope.find(name) {
            Some(meaning) => matches!(meaning, Meaning::Local(_, Role::Abstract)),
            None => !self.environment().globals.contains_key(name),
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
