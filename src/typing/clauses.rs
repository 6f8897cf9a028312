//! Which clauses a machine may have, and which it must have.

use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{Clause, ClauseKind, MachineFile, MachineKind};
use rustc_hash::FxHashMap;

/// What is wrong with the clauses of a file, whatever they contain.
pub fn check(file: &MachineFile) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut first = FxHashMap::default();
    for clause in &file.clauses {
        found.extend(concrete_by_kind(file.kind, clause));
        if let Some((name, hint)) = forbidden(file.kind, &clause.kind) {
            let kind = match file.kind {
                MachineKind::Refinement => "a REFINEMENT",
                MachineKind::Implementation => "an IMPLEMENTATION",
                _ => "a MACHINE",
            };
            let message = format!("{kind} has no clause {name}");
            let diagnostic = Diagnostic::error("clause-not-allowed", clause.keyword, message);
            found.push(diagnostic.hint(hint));
        }
        // ABSTRACT_VARIABLES and VARIABLES are two words for one clause: told apart by length.
        let length = clause.keyword.end - clause.keyword.start;
        let key = (std::mem::discriminant(&clause.kind), length);
        if let Some(before) = first.insert(key, clause.keyword) {
            let message = "this clause stands twice in the machine";
            let diagnostic = Diagnostic::error("duplicate-clause", clause.keyword, message);
            found.push(diagnostic.note(before, "here, too").hint("make them one clause"));
        }
    }
    found.extend(about_refines(file));
    for (i, parameter) in file.parameters.iter().enumerate() {
        if let Some(first) = file.parameters[..i].iter().find(|p| p.name == parameter.name) {
            let message = format!("`{}` is declared twice", parameter.name);
            let diagnostic = Diagnostic::error("duplicate-declaration", parameter.span, message);
            found.push(diagnostic.note(first.span, "declared here already"));
        }
    }
    let scalar = file.parameters.iter().find(|p| is_scalar(&p.name));
    let constrained = || file.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Constraints(_)));
    if let Some(parameter) = scalar
        && file.kind == MachineKind::Machine
        && !constrained()
    {
        let name = &parameter.name;
        let message = format!("nothing types the parameter `{name}`: there is no CONSTRAINTS");
        let hint = format!("write CONSTRAINTS {name} : S; a set parameter is all in capitals");
        found.push(Diagnostic::error("missing-constraints", parameter.span, message).hint(hint));
    }
    found
}

/// REFINES where nothing is refined, and the lack of it where something is.
fn about_refines(file: &MachineFile) -> Option<Diagnostic> {
    let name = &file.name;
    let (kind, refined) = match (file.kind, &file.refines) {
        (MachineKind::Machine, Some(refined)) => {
            let message = "a MACHINE has no clause REFINES";
            let diagnostic = Diagnostic::error("clause-not-allowed", refined.span, message);
            let hint =
                format!("what refines `{}` is a REFINEMENT or an IMPLEMENTATION", refined.name);
            return Some(diagnostic.hint(hint));
        }
        (MachineKind::Refinement, refined) => ("REFINEMENT", refined),
        (MachineKind::Implementation, refined) => ("IMPLEMENTATION", refined),
        _ => return None,
    };
    if refined.is_some() {
        return None;
    }
    let message = format!("the {kind} `{}` does not say what it refines", name.name);
    let hint = format!("write `{kind} {} REFINES M`; what refines nothing is a MACHINE", name.name);
    Some(Diagnostic::error("missing-refines", name.span, message).hint(hint))
}

/// Warns of variables of an implementation that are declared as if they were abstract. Models do so, and
/// mean concrete ones.
fn concrete_by_kind(kind: MachineKind, clause: &Clause) -> Option<Diagnostic> {
    if kind != MachineKind::Implementation || !matches!(clause.kind, ClauseKind::Variables(_)) {
        return None;
    }
    let message = "the variables of an IMPLEMENTATION are concrete: these are taken as such";
    let hint = "write CONCRETE_VARIABLES, or import a machine that has them";
    Some(Diagnostic::warning("implementation-variables", clause.keyword, message).hint(hint))
}

/// Whether a machine parameter is a value; one all in capitals is a set.
pub fn is_scalar(name: &str) -> bool {
    name.chars().any(char::is_lowercase)
}

/// The name of a clause that a machine of this kind does not have, and what to do about it. (The
/// variables of an implementation are concrete; VARIABLES for them is told of by [`concrete_by_kind`].)
fn forbidden(kind: MachineKind, clause: &ClauseKind) -> Option<(&'static str, &'static str)> {
    use MachineKind::{Implementation, Machine, Refinement};
    Some(match (kind, clause) {
        (Machine | Refinement, ClauseKind::Imports(_)) => {
            ("IMPORTS", "it belongs to an IMPLEMENTATION; here write INCLUDES")
        }
        (Machine | Refinement, ClauseKind::Values(_)) => {
            ("VALUES", "it belongs to an IMPLEMENTATION; here write PROPERTIES")
        }
        (Machine | Refinement, ClauseKind::LocalOperations(_)) => {
            ("LOCAL_OPERATIONS", "it belongs to an IMPLEMENTATION; here write OPERATIONS")
        }
        (Refinement, ClauseKind::Uses(_)) => ("USES", "write SEES"),
        (Implementation, ClauseKind::Uses(_)) => ("USES", "write SEES"),
        (Implementation, ClauseKind::Includes(_)) => ("INCLUDES", "write IMPORTS"),
        (Implementation, ClauseKind::AbstractConstants(_)) => {
            ("ABSTRACT_CONSTANTS", "write CONCRETE_CONSTANTS")
        }
        _ => return None,
    })
}
