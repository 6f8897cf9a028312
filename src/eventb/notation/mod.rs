//! Event-B's mathematical language: its operators, and text to tree.
//!
//! | file | subject |
//! |---|---|
//! | [`operators`] | spellings and precedence |
//! | `lexer` | text to tokens |
//! | `parser` | tokens to tree |
//!
//! The language is that of Rodin (version 2: `id`, `prj1` and `prj2` are of any type), in ASCII and in
//! Unicode.

mod lexer;
pub mod operators;
mod parser;
#[cfg(test)]
mod tests;

use super::model::Action;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources};
use crate::syntax::TokenClass;
use crate::syntax::ast::{Name, Node};
use lexer::Token;
use parser::Parser;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The operators that theories of a project define, each with its theory.
pub type Theories = FxHashMap<Name, Name>;

/// A part of a text that is a formula.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'t> {
    pub text: &'t str,
    pub file: FileId,
    pub theories: &'t Theories,
}

impl Piece<'_> {
    /// Reads a predicate or an expression.
    ///
    /// # Errors
    /// What is wrong first, with its place.
    pub fn formula(&self, range: Range<usize>) -> Result<Node, Box<Diagnostic>> {
        self.parser(range).whole()
    }

    /// Reads an action.
    ///
    /// # Errors
    /// What is wrong first, with its place.
    pub fn action(&self, range: Range<usize>) -> Result<Action, Box<Diagnostic>> {
        self.parser(range).action()
    }

    fn parser(&self, range: Range<usize>) -> Parser<'_> {
        Parser::new(self.text, range, self.file, self.theories)
    }
}

/// Reads one predicate or expression, for example one typed in. Never panics.
///
/// # Errors
/// What is wrong with it.
pub fn parse_formula(sources: &Sources, id: FileId) -> Result<Node, Vec<Diagnostic>> {
    let text = &*sources.get(id).text;
    let piece = Piece { text, file: id, theories: &Theories::default() };
    piece.formula(0..text.len()).map_err(|error| vec![*error])
}

/// Whether a name cannot be one: the language has another use for it.
pub fn is_reserved(name: &str) -> bool {
    lexer::is_reserved(name)
}

/// Whether a text is one name, without primes.
pub fn is_identifier(text: &str) -> bool {
    !text.contains('\'') && lexer::is_identifier(text)
}

/// The tokens of any text, with what they are to somebody who colours them.
pub fn classes(text: &str) -> impl Iterator<Item = (TokenClass, Range<usize>)> {
    lexer::lex(text).into_iter().map(|(token, range)| {
        let word = text[range.clone()].starts_with(|c: char| c.is_ascii_alphabetic());
        let class = match token {
            Token::Identifier => TokenClass::Identifier,
            Token::Number => TokenClass::Number,
            Token::Stray => TokenClass::Wrong,
            _ if word => TokenClass::Keyword,
            _ => TokenClass::of_symbol(&text[range.clone()]),
        };
        (class, range)
    })
}
