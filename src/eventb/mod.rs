//! Event-B: models as Rodin and ProB exchange them, read into the syntax tree of one machine.
//!
//! | file | subject |
//! |---|---|
//! | [`project`] | Rodin projects: folders and archives, and which machine of them is meant |
//! | `rodin` | the XML of their machines and contexts |
//! | [`term`] | the text of a package: one Prolog term |
//! | [`package`] | the term: machines, contexts, events |
//! | `written` | what both readers give: components, their formulas unread |
//! | [`notation`] | the mathematical language: text to tree |
//! | `formula` | formulas of packages, printed in that language and turned into trees |
//! | `page` | the text that is shown: machines and contexts, as Rodin prints them |
//! | `levels` | which machines of a chain of refinements are meant |
//! | [`tokens`] | the same in colours |
//! | `forms` | what has no node of its own in the tree |
//! | [`model`] | machines, contexts and events with the trees of their formulas |
//! | `resolve` | what components refer to; what of that is missing or wrong |
//! | `names` | names and labels that are not known where they stand, or mean two things |
//! | `witnesses` | witnesses that choose nothing |
//! | `simulate` | refinement: the abstract machines run along |
//! | [`claims`] | what that claims of events, in words |
//! | `tree` | small trees |
//! | `assemble` | all levels as one machine file |
//!
//! A model has machines from the most refined one up, and the contexts they see. What is checked is
//! the most refined machine; those it refines run along, as they do in ProB: variables that a
//! refinement drops stay part of the state, and follow by the witnesses and the actions of the
//! abstract event. An abstract event that cannot follow is an error.
//!
//! A package is one long line that nobody reads, and so is the XML of a component. So the text that
//! messages and panes show is the printed model, and all spans point into it; only what is wrong with
//! the package or the XML itself is shown in the file as it is.

mod assemble;
pub mod claims;
mod forms;
mod formula;
mod levels;
pub mod model;
mod names;
pub mod notation;
mod package;
mod page;
pub mod project;
mod resolve;
mod rodin;
mod simulate;
mod term;
#[cfg(test)]
mod tests;
pub mod tokens;
mod tree;
mod witnesses;
mod written;

pub use levels::Levels;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources};
use crate::syntax::ast::MachineFile;
use model::Model;
use page::Writer;
use resolve::Known;
use written::Machine;

/// Whether a file of this name holds an Event-B package.
pub fn is_package(path: &std::path::Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("eventb"))
}

/// Whether a file of this name holds components of a model, printed ones or as they are.
pub fn is_component(path: &std::path::Path) -> bool {
    is_package(path) || project::is_component(path)
}

/// A model as one machine file, and what is to be told of it all the same.
pub struct Accepted {
    pub file: MachineFile,
    pub warnings: Vec<Diagnostic>,
}

/// The levels of a model that are meant, as one machine file.
fn accepted(mut model: Model, levels: &Levels) -> Result<Accepted, Vec<Diagnostic>> {
    levels.cut(&mut model);
    let warnings = witnesses::needless(&model);
    Ok(Accepted { file: assemble::machine_file(&model)?, warnings })
}

/// Reads a package. The printed model, which the spans of the tree point into, takes the place of its
/// text.
///
/// # Errors
/// What is wrong with the package, each with its place. Never panics.
pub fn read_package(
    sources: &mut Sources,
    id: FileId,
    levels: &Levels,
) -> Result<Accepted, Vec<Diagnostic>> {
    let text = sources.get(id).text.clone();
    let term = term::read(&text, id).map_err(|d| vec![*d])?;
    let (machines, contexts) = package::components(&term)?;
    let order = refined_last(&machines);
    let mut w = Writer::new(id);
    let mut found = Vec::new();
    for number in order {
        found.push(w.machine(&machines[number]));
        w.put("\n");
    }
    let mut seen = Vec::new();
    for context in &contexts {
        seen.push(w.context(context));
        w.put("\n");
    }
    // Formulas that are not understood are shown as they are.
    if !w.errors.is_empty() {
        return Err(w.errors);
    }
    sources.replace(id, w.text, &w.origins);
    sources.describe(id, w.parts);
    let known = Known {
        machines: machines.iter().map(|m| m.name.clone()).collect(),
        contexts: contexts.iter().map(|c| c.name.clone()).collect(),
    };
    accepted(resolve::resolve(found, seen, &known, levels)?, levels)
}

/// The numbers of the machines, the one that none refines first.
fn refined_last<F>(machines: &[Machine<F>]) -> Vec<usize> {
    let refined = |m: &Machine<F>| machines.iter().any(|o| o.refines.as_ref() == Some(&m.name));
    let main = machines.iter().position(|m| !refined(m)).unwrap_or(0);
    std::iter::once(main).chain((0..machines.len()).filter(|i| *i != main)).collect()
}
