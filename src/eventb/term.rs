//! Prolog terms as packages use them: atoms, numbers, strings, lists, compound terms, variables.
//!
//! Operators are not read, but for the minus of a negative number: packages are written in canonical
//! form.

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use num_bigint::BigInt;
use std::sync::Arc;

/// Terms nest at most this deep.
const MAX_DEPTH: u32 = 600;

#[derive(Clone, PartialEq, Debug)]
pub struct Term {
    pub kind: TermKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum TermKind {
    Atom(Arc<str>),
    Number(BigInt),
    Text(Arc<str>),
    Variable,
    List(Vec<Term>),
    Compound(Arc<str>, Vec<Term>),
}

impl Term {
    /// The functor and the arguments; an atom has none.
    pub fn parts(&self) -> Option<(&str, &[Term])> {
        match &self.kind {
            TermKind::Atom(name) => Some((name, &[])),
            TermKind::Compound(name, arguments) => Some((name, arguments)),
            _ => None,
        }
    }

    /// The name of an atom.
    pub fn atom(&self) -> Option<&Arc<str>> {
        match &self.kind {
            TermKind::Atom(name) => Some(name),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Term]> {
        match &self.kind {
            TermKind::List(items) => Some(items),
            _ => None,
        }
    }
}

/// Reads the one term of a text, with the full stop after it.
pub fn read(text: &str, id: FileId) -> Result<Term, Box<Diagnostic>> {
    let mut reader = Reader { text, at: 0, id, depth: 0 };
    reader.blank()?;
    let term = reader.term()?;
    reader.blank()?;
    if !reader.eat('.') {
        return Err(reader.expected("the `.` that ends the package"));
    }
    Ok(term)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    id: FileId,
    depth: u32,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.id, start, self.at)
    }

    fn error(&self, start: usize, message: String) -> Box<Diagnostic> {
        let end = self.text[start..].chars().next().map_or(start, |c| start + c.len_utf8());
        Box::new(Diagnostic::error("package-syntax", Span::new(self.id, start, end), message))
    }

    fn expected(&self, what: &str) -> Box<Diagnostic> {
        let found = match self.peek() {
            None => "the end of the file".to_owned(),
            Some(c) => format!("`{c}`"),
        };
        self.error(
            self.at,
            format!("this is not an Event-B package: expected {what}, found {found}"),
        )
    }

    /// Skips white space and comments.
    fn blank(&mut self) -> Result<(), Box<Diagnostic>> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with('%') {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if trimmed.starts_with("/*") {
                match trimmed.find("*/") {
                    Some(end) => self.at += end + 2,
                    None => return Err(self.error(self.at, "this comment has no end".into())),
                }
            } else {
                return Ok(());
            }
        }
    }

    fn term(&mut self) -> Result<Term, Box<Diagnostic>> {
        if self.depth == MAX_DEPTH {
            let message = format!("terms nest more than {MAX_DEPTH} levels deep here");
            return Err(self.error(self.at, message));
        }
        self.depth += 1;
        let start = self.at;
        let kind = match self.peek() {
            Some('[') => self.list()?,
            Some('\'') => {
                let name = self.quoted('\'')?;
                self.after_name(name)?
            }
            Some('"') => TermKind::Text(self.quoted('"')?.into()),
            Some(c) if c.is_ascii_digit() => TermKind::Number(self.number()?),
            Some('-') => {
                self.at += 1;
                TermKind::Number(-self.number()?)
            }
            Some(c) if c == '_' || c.is_uppercase() => {
                self.word();
                TermKind::Variable
            }
            Some(c) if c.is_lowercase() => {
                let name = self.word().to_owned();
                self.after_name(name)?
            }
            _ => return Err(self.expected("a term")),
        };
        self.depth -= 1;
        Ok(Term { kind, span: self.span(start) })
    }

    fn word(&mut self) -> &str {
        let start = self.at;
        let rest = self.rest();
        let end = rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len());
        self.at += end;
        &self.text[start..self.at]
    }

    fn number(&mut self) -> Result<BigInt, Box<Diagnostic>> {
        let start = self.at;
        let rest = self.rest();
        self.at += rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        match self.text[start..self.at].parse() {
            Ok(number) => Ok(number),
            Err(_) => Err(self.expected("a number")),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<String, Box<Diagnostic>> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(c) = self.peek() else {
                return Err(self.error(start, format!("this {quote} is never closed")));
            };
            self.at += c.len_utf8();
            match c {
                '\\' => match self.escape(start)? {
                    Some(c) => text.push(c),
                    None => continue,
                },
                c if c == quote => {
                    if !self.eat(quote) {
                        return Ok(text);
                    }
                    text.push(quote);
                }
                c => text.push(c),
            }
        }
    }

    /// What follows a backslash; `None` for a line that goes on.
    fn escape(&mut self, start: usize) -> Result<Option<char>, Box<Diagnostic>> {
        let Some(c) = self.peek() else {
            return Err(self.error(start, "this text is never closed".into()));
        };
        let at = self.at;
        self.at += c.len_utf8();
        let (radix, digits) = match c {
            'n' => return Ok(Some('\n')),
            't' => return Ok(Some('\t')),
            'r' => return Ok(Some('\r')),
            '\n' => return Ok(None),
            'x' => (16, self.at),
            '0'..='7' => (8, at),
            c => return Ok(Some(c)),
        };
        // A character by its number, up to a closing backslash.
        let rest = &self.text[digits..];
        let end = rest.find(|c: char| !c.is_digit(radix)).unwrap_or(rest.len());
        let code = u32::from_str_radix(&rest[..end], radix).ok().and_then(char::from_u32);
        self.at = digits + end;
        self.eat('\\');
        match code {
            Some(c) => Ok(Some(c)),
            None => Err(self.error(at, "there is no such character".into())),
        }
    }

    fn after_name(&mut self, name: String) -> Result<TermKind, Box<Diagnostic>> {
        if !self.eat('(') {
            return Ok(TermKind::Atom(name.into()));
        }
        let arguments = self.items(')')?;
        Ok(TermKind::Compound(name.into(), arguments))
    }

    fn list(&mut self) -> Result<TermKind, Box<Diagnostic>> {
        self.at += 1;
        self.blank()?;
        if self.eat(']') {
            return Ok(TermKind::List(Vec::new()));
        }
        Ok(TermKind::List(self.items(']')?))
    }

    /// One or more terms with commas between them, and what closes them.
    fn items(&mut self, close: char) -> Result<Vec<Term>, Box<Diagnostic>> {
        let mut items = Vec::new();
        loop {
            self.blank()?;
            items.push(self.term()?);
            self.blank()?;
            if self.eat(close) {
                return Ok(items);
            }
            if !self.eat(',') {
                return Err(self.expected(&format!("`,` or `{close}`")));
            }
        }
    }
}
