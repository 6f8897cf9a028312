//! The cursor over the tokens: what every part of the parser shares.
//!
//! A clause, an operation and a definition are cut out of the token stream before they are parsed
//! ([`super::split`]), and [`Parser::limit`] keeps the parser inside its piece. So an error stays in
//! its piece, and the next piece is parsed as if nothing had happened.

use super::ast::{Ident, Name};
use super::lexer::{self, Lexed, Token, TokenKind};
use super::words;
use crate::clock;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use crate::stack;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The parse of a part: the tree, or the error that ended it (not yet reported).
pub(super) type Parse<T> = Result<T, Box<Diagnostic>>;

/// Brackets, blocks and operands of `-` may nest this deep.
pub const MAX_NESTING: u32 = 256;
/// A formula's tree is at most this high, so that every walk over it may recurse. Runs of `&`, of
/// `or`, and the items of a list are one level, however long.
pub const MAX_HEIGHT: u32 = 1000;
/// After this many errors the parser gives up.
pub const MAX_ERRORS: usize = 50;

/// Which separators are infix operators here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Context {
    /// None.
    Plain,
    /// `,` only: the right side of a definition.
    List,
    /// `;` and `||`.
    Brackets,
    /// `;`, `||` and `,`.
    Parentheses,
}

pub(super) struct Parser<'a> {
    pub text: &'a str,
    pub file: FileId,
    pub tokens: Vec<Token>,
    labels: Vec<(usize, Arc<str>)>,
    files: Vec<(usize, Arc<str>, Span)>,
    /// Number of the current token.
    pub pos: usize,
    /// End of the piece that is being parsed.
    pub limit: usize,
    pub context: Context,
    /// What the whole text is called in an error.
    pub whole: &'static str,
    /// Open brackets and blocks.
    depth: u32,
    /// Greatest height of the trees finished in the current formula.
    pub height: u32,
    /// What the next operand is called in an error.
    pub wanted: &'static str,
    /// Whether a wrong statement is reported at once and skipped.
    pub recovers: bool,
    /// Set after an error without a place to go on: silent until the next piece.
    lost: bool,
    pub diagnostics: Vec<Diagnostic>,
    names: FxHashMap<&'a str, Name>,
}

impl<'a> Parser<'a> {
    pub fn new(file: FileId, text: &'a str) -> Parser<'a> {
        let Lexed { tokens, diagnostics, labels, files } = lexer::lex(file, text);
        let limit = tokens.len();
        let mut parser = Parser {
            text,
            file,
            tokens,
            labels,
            files,
            pos: 0,
            limit,
            context: Context::Plain,
            whole: "file",
            depth: 0,
            height: 0,
            wanted: "a formula",
            recovers: true,
            lost: false,
            diagnostics,
            names: FxHashMap::default(),
        };
        parser.diagnostics.truncate(MAX_ERRORS);
        parser.repair();
        parser
    }

    // --- reading -------------------------------------------------------------------------------

    pub fn kind(&self) -> TokenKind {
        self.kind_at(self.pos)
    }

    /// The kind of a token by number; `End` outside the piece.
    pub fn kind_at(&self, pos: usize) -> TokenKind {
        if pos < self.limit { self.tokens[pos].kind } else { TokenKind::End }
    }

    /// The reserved word or symbol at the cursor, empty when there is none.
    pub fn word(&self) -> &'static str {
        self.word_at(self.pos)
    }

    pub fn word_at(&self, pos: usize) -> &'static str {
        match self.kind_at(pos) {
            TokenKind::Fixed(word) => word,
            _ => "",
        }
    }

    pub fn at(&self, word: &str) -> bool {
        self.word() == word
    }

    pub fn at_end(&self) -> bool {
        self.pos >= self.limit
    }

    pub fn bump(&mut self) {
        clock::work(1);
        self.pos = (self.pos + 1).min(self.limit);
    }

    /// Passes the token if it is this one.
    pub fn eat(&mut self, word: &str) -> bool {
        let found = self.at(word);
        if found {
            self.bump();
        }
        found
    }

    /// The text of a token.
    pub fn slice(&self, pos: usize) -> &'a str {
        let span = self.span_at(pos);
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The place of a token, whether in the piece or after it; the end of the text after the last.
    pub fn span_at(&self, pos: usize) -> Span {
        match self.tokens.get(pos) {
            Some(t) => Span { file: self.file, start: t.start, end: t.end },
            None => {
                let end = self.text.trim_end().len();
                Span::new(self.file, end, end)
            }
        }
    }

    pub fn span(&self) -> Span {
        self.span_at(self.pos)
    }

    /// From the token `start` to the last one passed.
    pub fn since(&self, start: usize) -> Span {
        self.span_at(start).to(self.span_at(self.pos.saturating_sub(1).max(start)))
    }

    // --- names ---------------------------------------------------------------------------------

    /// The name an identifier token spells.
    pub fn name_at(&mut self, pos: usize) -> Name {
        let word = self.slice(pos);
        if let Some(name) = self.names.get(word) {
            return name.clone();
        }
        let plain = word.strip_suffix("$0").unwrap_or(word);
        let name: Name =
            if plain.contains('`') { lexer::unquote(plain).into() } else { plain.into() };
        self.names.insert(word, name.clone());
        name
    }

    pub fn is_identifier(&self, pos: usize) -> bool {
        self.kind_at(pos) == TokenKind::Identifier
    }

    /// An identifier; `what` says of what ("a variable").
    pub fn identifier(&mut self, what: &str) -> Parse<Ident> {
        if !self.is_identifier(self.pos) {
            if self.is_taken(self.pos) && !what.starts_with('`') {
                return Err(self.reserved_name(what));
            }
            let error = self.expected(what);
            let reserved = matches!(self.kind(), TokenKind::Fixed(w) if w.len() > 1
                && w.starts_with(|c: char| c.is_ascii_alphabetic()) && !words::is_clause(w) && w != "END");
            return Err(if reserved && error.hint.is_none() {
                let word = self.slice(self.pos);
                Box::new(error.hint(format!("`{word}` is a reserved word")))
            } else {
                error
            });
        }
        let ident = Ident { name: self.name_at(self.pos), span: self.span() };
        self.bump();
        Ok(ident)
    }

    /// Whether a reserved word stands here that somebody may want for a name: one of a function, a
    /// constant or an operator, and none that structures the text.
    fn is_taken(&self, pos: usize) -> bool {
        let word = self.word_at(pos);
        let named = words::constant(word).is_some() || words::function(word).is_some();
        word.starts_with(|c: char| c.is_ascii_lowercase())
            || named && word.starts_with(|c: char| c.is_ascii_alphabetic())
            || matches!(word, "INTER" | "PI" | "SIGMA" | "UNION")
    }

    /// Whether a name stands here, or a reserved word in its place.
    pub fn is_named(&self, pos: usize) -> bool {
        self.is_identifier(pos) || self.is_taken(pos)
    }

    /// The error for a reserved word where a name is declared.
    fn reserved_name(&self, what: &str) -> Box<Diagnostic> {
        let word = self.slice(self.pos);
        let message = format!("`{word}` is a reserved word: it cannot be {what}");
        let hint = format!("choose another name, such as `{word}1`");
        Box::new(Diagnostic::error("reserved-word", self.span(), message).hint(hint))
    }

    /// `x, y, z`.
    pub fn identifiers(&mut self, what: &str) -> Parse<Vec<Ident>> {
        let mut list = vec![self.identifier(what)?];
        while self.eat(",") {
            list.push(self.identifier(what)?);
        }
        Ok(list)
    }

    /// The label pragma before a token.
    pub fn label_at(&self, pos: usize) -> Option<Name> {
        let found = self.labels.partition_point(|(at, _)| *at <= pos).checked_sub(1)?;
        let (at, name) = &self.labels[found];
        (*at == pos).then(|| name.clone())
    }

    /// The file pragma before a token.
    pub fn file_at(&self, pos: usize) -> Option<(Arc<str>, Span)> {
        self.files.iter().find(|(at, ..)| *at == pos).map(|(_, path, span)| (path.clone(), *span))
    }

    // --- nesting -------------------------------------------------------------------------------

    /// Parses something in brackets or in a block, where `context` says which separators are
    /// operators. Refuses to go deeper than [`MAX_NESTING`].
    pub fn nested<T>(
        &mut self,
        context: Context,
        parse: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Parse<T> {
        if self.depth >= MAX_NESTING {
            return Err(Box::new(Diagnostic::error(
                "nesting-too-deep",
                self.span_at(self.pos.min(self.limit)),
                format!("this is nested more than {MAX_NESTING} levels deep"),
            )));
        }
        self.depth += 1;
        let outer = std::mem::replace(&mut self.context, context);
        let height = std::mem::replace(&mut self.height, 0);
        let result = stack::deep(|| parse(self));
        self.depth -= 1;
        self.context = outer;
        let inner = self.height;
        self.height = height;
        if result.is_ok() {
            self.raise_to(inner + 1)?;
        }
        result
    }

    /// Notes that the tree being built is this high.
    pub fn raise_to(&mut self, height: u32) -> Parse<()> {
        self.height = self.height.max(height);
        if self.height <= MAX_HEIGHT {
            return Ok(());
        }
        let at = self.pos.saturating_sub(1);
        Err(Box::new(
            Diagnostic::error(
                "formula-too-deep",
                self.span_at(at),
                format!("the formula is more than {MAX_HEIGHT} operators deep here"),
            )
            .hint("put parentheses around parts of a long chain, or name them in DEFINITIONS"),
        ))
    }

    /// Starts a new piece of the token stream.
    pub fn enter(&mut self, start: usize, limit: usize) {
        self.pos = start;
        self.limit = limit;
        self.context = Context::Plain;
        self.depth = 0;
        self.height = 0;
        self.lost = false;
    }

    // --- errors --------------------------------------------------------------------------------

    #[allow(clippy::boxed_local)] // errors travel boxed
    pub fn report(&mut self, error: Box<Diagnostic>) {
        if !self.lost && !self.is_full() {
            self.diagnostics.push(*error);
        }
    }

    /// No more errors are wanted.
    pub fn is_full(&self) -> bool {
        self.diagnostics.len() >= MAX_ERRORS
    }

    /// Gives the piece up: nothing more of it is reported.
    pub fn lose(&mut self) {
        self.pos = self.limit;
        self.lost = true;
    }

    fn end(&self) -> String {
        format!("the end of the {}", self.whole)
    }

    /// A token as a message names it.
    fn describe(&self, pos: usize) -> String {
        let Some(token) = self.tokens.get(pos) else { return self.end() };
        let word = self.slice(pos);
        let word = match word.char_indices().nth(40) {
            Some((cut, _)) => format!("{}...", &word[..cut]),
            None => word.to_string(),
        };
        match token.kind {
            TokenKind::Identifier => format!("the name `{word}`"),
            TokenKind::Integer | TokenKind::Hexadecimal | TokenKind::Real => {
                format!("the number `{word}`")
            }
            TokenKind::String => format!("the string {word}"),
            TokenKind::Multiline | TokenKind::Template => "a string".to_string(),
            TokenKind::TemplateEnd => "the end of an expression within a string".to_string(),
            TokenKind::Previous | TokenKind::Fixed(_) => format!("`{word}`"),
            TokenKind::End => self.end(),
        }
    }

    /// The error at the cursor: what was expected, and what stands there.
    pub fn expected(&self, what: &str) -> Box<Diagnostic> {
        let after = match self.pos.checked_sub(1) {
            Some(last) if last < self.tokens.len() => {
                format!(" after {}", self.describe(last))
            }
            _ => String::new(),
        };
        let found = self.describe(self.pos);
        let span = self.span();
        let mut error =
            Diagnostic::error("syntax", span, format!("expected {what}{after}, found {found}"));
        error.hint = self.slip(what);
        Box::new(error)
    }

    /// Passes a token that must stand here.
    pub fn expect(&mut self, word: &str) -> Parse<()> {
        if self.eat(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// Passes a token that closes or continues what the token `open` began.
    pub fn expect_for(&mut self, word: &str, open: usize) -> Parse<()> {
        if self.eat(word) {
            return Ok(());
        }
        let opener = self.slice(open);
        let nested = |p: usize| self.word_at(p) == "ELSE" && self.word_at(p + 1) == "IF";
        // Where an END of some block is missing, a second IF may have taken it.
        let is_short = word == "END" && (self.at_end() || opener == "IF");
        let takes_another = is_short && (open..self.pos).any(nested);
        let mut error = match word == "END" && self.closes_machine() {
            true => self.unclosed(open),
            false => {
                let error = self.expected(&format!("`{word}` (for this `{opener}`)"));
                Box::new(error.note(self.span_at(open), format!("`{opener}` stands here")))
            }
        };
        if takes_another {
            *error = error.hint(
                "`ELSE IF` opens a second IF, which needs an END of its own; `ELSIF` does not",
            );
        }
        Err(error)
    }

    /// Whether the piece ends at the END of the machine, or at the end of the file.
    pub(super) fn closes_machine(&self) -> bool {
        let after = self.tokens.get(self.pos).map(|t| t.kind);
        self.at_end() && matches!(after, None | Some(TokenKind::Fixed("END")))
    }

    /// The error for a block without END before the END of the machine.
    pub(super) fn unclosed(&self, open: usize) -> Box<Diagnostic> {
        let opener = self.slice(open);
        let message = format!("this `{opener}` has no `END`");
        let error = Diagnostic::error("syntax", self.span_at(open), message);
        Box::new(match self.tokens.get(self.pos) {
            Some(_) => error.note(self.span(), "this `END` closes the machine"),
            None => error.note(self.span(), "the file ends here"),
        })
    }

    /// The error for what is left of a piece after its content was parsed.
    pub fn leftover(&self, expected: &str) -> Option<Box<Diagnostic>> {
        (!self.at_end()).then(|| self.expected(expected))
    }
}
