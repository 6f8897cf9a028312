//! Event-B: models as Rodin and ProB exchange them, read into the syntax tree of one machine.
//!
//! | file | subject |
//! |---|---|
//! | [`term`] | the text of a package: one Prolog term |
//! | [`package`] | the term: machines, contexts, events |
//! | `formula` | formulas, printed in Rodin's notation and turned into syntax trees |
//! | `model` | machines, contexts and events with the trees of their formulas |
//! | `page` | the text that is shown: machines and contexts, as Rodin prints them |
//! | `levels` | which machines of a chain of refinements are meant |
//! | `simulate` | refinement: the abstract machines run along |
//! | [`claims`] | what that claims of events, in words |
//! | `tree` | small trees |
//! | `assemble` | all levels as one machine file |
//!
//! A package holds machines from the most refined one up, and the contexts they see. What is checked is
//! the most refined machine; those it refines run along, as they do in ProB: variables that a
//! refinement drops stay part of the state, and follow by the witnesses and the actions of the
//! abstract event. An abstract event that cannot follow is an error.
//!
//! A package is one long line that nobody reads. So the text that messages and panes show is the
//! printed model, and all spans point into it; only what is wrong with the package itself is shown in
//! the file as it is.

mod assemble;
pub mod claims;
mod formula;
mod levels;
pub mod model;
mod package;
mod page;
mod simulate;
mod term;
#[cfg(test)]
mod tests;
mod tree;

pub use levels::Levels;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources};
use crate::syntax::ast::MachineFile;

/// Whether a file of this name holds an Event-B package.
pub fn is_package(path: &std::path::Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("eventb"))
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
) -> Result<MachineFile, Vec<Diagnostic>> {
    let text = sources.get(id).text.clone();
    let term = term::read(&text, id).map_err(|d| vec![*d])?;
    let project = package::project(&term, levels)?;
    let (text, mut model) = page::print(&project, id)?;
    sources.replace(id, text);
    levels.cut(&mut model);
    assemble::machine_file(&model)
}
