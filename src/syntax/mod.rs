//! Text to syntax tree, and back.
//!
//! | file | subject |
//! |---|---|
//! | `grammar/b.pest`, [`lexer`] | text to tokens |
//! | [`words`] | reserved words and symbols |
//! | [`operators`] | the table of infix operators |
//! | [`split`] | tokens cut into clauses, operations, definitions |
//! | [`parser`] | the cursor over the tokens, errors |
//! | [`slips`], [`suggest`] | what people write instead; the name that was meant |
//! | [`formula`], [`sets`], [`substitution`], [`clauses`], [`definitions`] | tokens to tree |
//! | [`ast`] | the tree |
//! | [`printer`] | the tree back to text |
//!
//! Parsing takes time linear in the text, wrong texts included. Its recursion is bounded: brackets
//! and blocks nest at most [`MAX_NESTING`] deep, and a formula's tree is at most [`MAX_HEIGHT`]
//! high, with runs of `&` and `or` flat; whoever walks the tree may therefore recurse.

pub mod ast;
mod clauses;
mod definitions;
mod formula;
mod lexer;
pub mod operators;
mod parser;
pub mod printer;
mod sets;
mod slips;
mod split;
mod substitution;
pub mod suggest;
#[cfg(test)]
mod tests;
mod words;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources};
use ast::{MachineFile, Node};
use parser::Parser;

pub use lexer::{TokenClass, tokens};
pub use parser::{MAX_ERRORS, MAX_HEIGHT, MAX_NESTING};
pub use slips::foreign;
pub use words::reserved;

/// The notation that formulas are written in: each front end has its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    #[default]
    Classical,
    EventB,
}

/// A parsed file with everything that was wrong with it.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// Whole where there are no errors; `Error` nodes stand where something could not be parsed.
    pub file: MachineFile,
    /// In the order of the text, at most [`MAX_ERRORS`].
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a machine, or a file that holds definitions only. Never panics.
pub fn parse_file(sources: &Sources, id: FileId) -> Parsed {
    let source = sources.get(id);
    let mut parser = Parser::new(id, &source.text);
    let file = parser.machine_file(&source.path);
    Parsed { file, diagnostics: in_order(parser.diagnostics) }
}

/// Parses one predicate or expression, for example one typed in. Never panics.
///
/// # Errors
/// At least one diagnostic.
pub fn parse_formula(sources: &Sources, id: FileId) -> Result<Node, Vec<Diagnostic>> {
    let mut parser = Parser::new(id, &sources.get(id).text);
    parser.whole = "formula";
    let node = parser.predicate_clause();
    if parser.diagnostics.is_empty() { Ok(node) } else { Err(in_order(parser.diagnostics)) }
}

fn in_order(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|d| d.span.map_or(0, |s| s.start));
    diagnostics.truncate(MAX_ERRORS);
    diagnostics
}
