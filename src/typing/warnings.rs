//! What is legal and probably not meant: variables that no operation writes or no invariant speaks of, definitions that nothing
//! uses, parts of the invariant that no operation can affect.

use crate::diagnostic::Diagnostic;
use crate::machine::footprint::Footprint;
use crate::machine::{Cell, Comparison, Expr, ExprKind, Machine, Pred, PredKind, VarId};
use crate::source::{FileId, Sources, Span};
use crate::syntax::ast::{ClauseKind, MachineKind, Name, SetDeclaration};
use crate::syntax::suggest;
use crate::typing::definitions::{free_names, has_tool_meaning, spoken_of};
use crate::typing::flatten::Flatten;
use crate::typing::lists;
use crate::typing::loader::Unit;
use crate::typing::scope::{Global, Macro, Ownership};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The main machine's file.
const MAIN: FileId = FileId(0);

impl<'a> Flatten<'a> {
    /// Warns about variables of the main machine that keep their initial value, once for all of one line.
    pub fn report_never_written(&mut self, environment: usize, sources: &Sources) {
        let e = &mut self.elaborator;
        if e.operations.is_empty() {
            return;
        }
        let written: FxHashSet<Cell> = e.operation_writes.iter().flatten().copied().collect();
        let mut constant: Vec<(Name, Span)> = e.environments[environment]
            .globals
            .iter()
            .filter_map(|(name, declared)| match declared.meaning {
                Global::Variable(id, Ownership::Own) if !written.contains(&Cell::Variable(id)) => {
                    Some((name.clone(), declared.span))
                }
                _ => None,
            })
            .collect();
        constant.sort_by_key(|(_, span)| *span);
        let line = |(_, span): &(Name, Span)| (span.file, sources.place(*span).line);
        for alike in constant.chunk_by(|a, b| line(a) == line(b)) {
            let names: Vec<String> = alike.iter().map(|(name, _)| format!("`{name}`")).collect();
            let of = if names.len() == 1 { "variable" } else { "variables" };
            let message = format!("no operation writes the {of} {}", names.join(", "));
            let hint = "what never changes is a constant: declare it in CONSTANTS";
            let span = alike[0].1;
            e.report(Diagnostic::warning("never-written", span, message).hint(hint));
        }
    }

    /// Warns where nothing at all is said of the variables of the main machine.
    pub fn report_no_invariant(&mut self) {
        let Some(file) = self.units.first().map(|unit| &unit.file) else { return };
        let is_invariant = |kind: &ClauseKind| matches!(kind, ClauseKind::Invariant(_));
        let declared = file.clauses.iter().find_map(|clause| match &clause.kind {
            ClauseKind::Variables(names) | ClauseKind::ConcreteVariables(names) => names.first(),
            _ => None,
        });
        let Some(first) = declared.filter(|_| file.kind == MachineKind::Machine) else { return };
        if !file.clauses.iter().any(|clause| is_invariant(&clause.kind)) {
            let message = "a machine with variables needs an INVARIANT: nothing is checked of them";
            let hint = format!("say at least which set each is in: INVARIANT {} : ..", first.name);
            let warning = Diagnostic::warning("no-invariant", first.span, message).hint(hint);
            self.elaborator.report(warning);
        }
    }

    /// Types the definitions that nothing used, and warns about them: about each that is ill-typed,
    /// and about those of the main file that not even another definition uses.
    pub fn report_unused_definitions(&mut self) {
        let to_tools = self.definitions.iter().map(|(_, d)| d.definition);
        let to_tools = to_tools.filter(|d| has_tool_meaning(&d.name.name));
        let spoken_of = to_tools.flat_map(spoken_of).chain(definitions_of_sets(self.units));
        let spoken_of: FxHashSet<&str> = spoken_of.collect();
        let unused: Vec<(usize, Rc<Macro<'a>>)> = std::mem::take(&mut self.definitions)
            .into_iter()
            .filter(|(_, d)| {
                !d.used.get() && !d.cyclic && !has_tool_meaning(&d.definition.name.name)
            })
            .collect();
        let mut sound = Vec::new();
        for (environment, definition) in unused {
            self.elaborator.environment = environment;
            // The right side of an external one is not meant to be read.
            if self.elaborator.is_external(&definition.definition.name.name) {
                continue;
            }
            if self.elaborator.check_unused(&definition) && !self.mentions_unknown(&definition) {
                sound.push(definition);
            }
        }
        // Those that others use are used by now, since the others were typed.
        for definition in sound {
            let ident = &definition.definition.name;
            // A list of names was written out where it declares some or is assigned to.
            let is_used = definition.used.get()
                || spoken_of.contains(&*ident.name)
                || lists::names_of(definition.definition).is_some();
            if !is_used && ident.span.file == MAIN {
                let message = format!("nothing uses the definition `{}`", ident.name);
                self.elaborator.report(
                    Diagnostic::warning("unused-definition", ident.span, message)
                        .hint("remove it, or check the spelling where it should be used"),
                );
            }
        }
    }
}

/// The definitions that sets are declared by.
fn definitions_of_sets(units: &[Unit]) -> impl Iterator<Item = &str> {
    let clauses = units.iter().flat_map(|unit| &unit.file.clauses);
    let sets = clauses.filter_map(|clause| match &clause.kind {
        ClauseKind::Sets(sets) => Some(sets),
        _ => None,
    });
    sets.flatten().filter_map(|set| match set {
        SetDeclaration::FromDefinition(_, definition) => Some(&*definition.name),
        _ => None,
    })
}

impl<'a> Flatten<'a> {
    /// Warns where a definition of the main file that nothing uses mentions a name that nothing
    /// declares and no operation, formula or definition binds, so that no use could give it a
    /// meaning. (Files of definitions may be written for other machines.)
    fn mentions_unknown(&mut self, definition: &Rc<Macro<'a>>) -> bool {
        if definition.definition.name.span.file != MAIN {
            return false;
        }
        let e = &mut self.elaborator;
        let environment = e.environment();
        let parameters = |name: &Name| {
            let definitions = environment.globals.values().filter_map(|d| match &d.meaning {
                Global::Definition(d) => Some(&d.definition.parameters),
                _ => None,
            });
            definitions.flatten().any(|p| p.name == *name)
        };
        let unknown = free_names(definition.definition).into_iter().find(|(name, _)| {
            !environment.globals.contains_key(*name)
                && !environment.operations.contains_key(*name)
                && e.locals.iter().all(|local| local.name != **name)
                && !parameters(name)
        });
        let Some((name, span)) = unknown else { return false };
        let message = format!(
            "the unused definition `{}` mentions `{name}`, which nothing declares",
            definition.definition.name.name
        );
        let known = environment.globals.keys().map(|n| &**n);
        let hint = match suggest::closest(name, known) {
            Some(close) => format!("did you mean `{close}`?"),
            None => "remove the definition, or declare what it speaks of".to_owned(),
        };
        e.report(Diagnostic::warning("unused-definition-ill-typed", span, message).hint(hint));
        true
    }
}

/// The parts of the main machine's invariant that no operation can make true or false. That a
/// variable which is never written has a type is not one of them: it has to be said somewhere.
pub fn unaffected_invariants(machine: &Machine, writes: &[Vec<Cell>]) -> Vec<Diagnostic> {
    if machine.operations.is_empty() || machine.variables.is_empty() {
        return Vec::new();
    }
    let written: BTreeSet<Cell> = writes.iter().flatten().copied().collect();
    let own = machine.invariant.iter().filter(|c| c.pred.span.file == MAIN);
    own.filter_map(|conjunct| {
        let mentioned = Footprint::of_pred(&conjunct.pred).variables;
        let changes = |v: &VarId| written.contains(&Cell::Variable(*v));
        if mentioned.iter().any(changes) || is_declaration(&conjunct.pred) {
            return None;
        }
        let message = "no operation can affect this part of the invariant";
        let mut diagnostic =
            Diagnostic::warning("unaffected-invariant", conjunct.pred.span, message);
        for v in mentioned.iter().take(4) {
            let variable = &machine.variables[v.0 as usize];
            let label = format!("no operation writes `{}`", variable.name);
            diagnostic = diagnostic.note(variable.span, label);
        }
        Some(diagnostic.hint(match mentioned.is_empty() {
            true => "it mentions no variable: it belongs into PROPERTIES or ASSERTIONS",
            false => "whether it holds is settled by the INITIALISATION",
        }))
    })
    .collect()
}

/// `x : S`, `x <: S`.
fn is_declaration(pred: &Pred) -> bool {
    let PredKind::Compare(Comparison::Member | Comparison::Subset, Expr { kind, .. }, _) =
        &pred.kind
    else {
        return false;
    };
    matches!(kind, ExprKind::Variable(_))
}
