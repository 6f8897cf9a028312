//! A file of the user's in TOML, read with the place of everything in it, so that what is wrong is told
//! with its line.

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources, Span};
use std::ops::Range;
use std::path::PathBuf;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A file under work: its entries, and what is wrong with them.
pub struct Page<'a> {
    file: FileId,
    text: String,
    told: &'a mut Vec<Diagnostic>,
}

/// The name of an entry.
#[derive(Clone, Debug)]
pub struct Word {
    pub text: String,
    pub at: Range<usize>,
}

/// A value, and where it stands.
#[derive(Clone, Debug)]
pub struct Value {
    pub at: Range<usize>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Text(String),
    Number(i64),
    Truth(bool),
    List(Vec<Value>),
    Table(Vec<(Word, Value)>),
    Other,
}

impl Kind {
    fn name(&self) -> &'static str {
        match self {
            Kind::Text(_) => "a string",
            Kind::Number(_) => "an integer",
            Kind::Truth(_) => "true or false",
            Kind::List(_) => "a list",
            Kind::Table(_) => "a table",
            Kind::Other => "a date or a fraction",
        }
    }
}

impl<'a> Page<'a> {
    /// A text under the path that it shall have in messages.
    pub fn new(
        sources: &mut Sources,
        path: PathBuf,
        text: &str,
        told: &'a mut Vec<Diagnostic>,
    ) -> Page<'a> {
        Page { file: sources.add(path, text), text: text.to_owned(), told }
    }

    pub fn span(&self, at: &Range<usize>) -> Span {
        Span::new(self.file, at.start, at.end)
    }

    pub fn tell(&mut self, wrong: Diagnostic) {
        self.told.push(wrong);
    }

    /// Tells that something is not taken.
    pub fn refuse(&mut self, at: &Range<usize>, what: String, hint: Option<String>) {
        let wrong = Diagnostic::error("configuration", self.span(at), what);
        self.told.push(Diagnostic { hint, ..wrong });
    }

    /// Everything at the top. Where the file is no TOML there is nothing.
    pub fn entries(&mut self) -> Vec<(Word, Value)> {
        let (table, errors) = DeTable::parse_recoverable(&self.text);
        let entries = table_of(table.get_ref());
        for error in &errors {
            let end = self.text.len();
            let at = error.span().unwrap_or(end..end);
            let wrong = Diagnostic::error("configuration", self.span(&at), error.message());
            self.told.push(wrong.hint("nothing of this file is taken"));
        }
        if errors.is_empty() { entries } else { Vec::new() }
    }

    fn expected(&mut self, what: &str, value: &Value) {
        let text = format!("expected {what}, found {}", value.kind.name());
        self.refuse(&value.at, text, None);
    }

    pub fn text(&mut self, value: &Value) -> Option<String> {
        match &value.kind {
            Kind::Text(text) => Some(text.clone()),
            _ => {
                self.expected("a string", value);
                None
            }
        }
    }

    pub fn number(&mut self, value: &Value, within: Range<i64>) -> Option<i64> {
        match value.kind {
            Kind::Number(n) if within.contains(&n) => return Some(n),
            Kind::Number(n) => {
                let text = format!("{n} is not between {} and {}", within.start, within.end - 1);
                self.refuse(&value.at, text, None);
            }
            _ => self.expected("an integer", value),
        }
        None
    }

    pub fn truth(&mut self, value: &Value) -> Option<bool> {
        match value.kind {
            Kind::Truth(truth) => Some(truth),
            _ => {
                self.expected("true or false", value);
                None
            }
        }
    }

    /// One string or a list of strings, each with its place.
    pub fn texts(&mut self, value: &Value) -> Vec<(String, Range<usize>)> {
        match &value.kind {
            Kind::List(list) => {
                let texts = list.iter().filter_map(|v| Some((self.text(v)?, v.at.clone())));
                texts.collect()
            }
            _ => self.text(value).map(|text| (text, value.at.clone())).into_iter().collect(),
        }
    }

    pub fn tables(&mut self, value: &Value) -> Vec<Value> {
        match &value.kind {
            Kind::List(list) => list.clone(),
            _ => {
                self.expected("a list of tables", value);
                Vec::new()
            }
        }
    }

    pub fn fields(&mut self, value: &Value) -> Vec<(Word, Value)> {
        match &value.kind {
            Kind::Table(fields) => fields.clone(),
            _ => {
                self.expected("a table", value);
                Vec::new()
            }
        }
    }
}

fn table_of(table: &DeTable<'_>) -> Vec<(Word, Value)> {
    let entries = table.iter().map(|(key, value)| {
        let word = Word { text: key.get_ref().to_string(), at: key.span() };
        (word, value_of(value))
    });
    entries.collect()
}

fn value_of(value: &Spanned<DeValue<'_>>) -> Value {
    let kind = match value.get_ref() {
        DeValue::String(text) => Kind::Text(text.to_string()),
        DeValue::Integer(n) => match i64::from_str_radix(n.as_str(), n.radix()) {
            Ok(n) => Kind::Number(n),
            Err(_) => Kind::Other,
        },
        DeValue::Boolean(truth) => Kind::Truth(*truth),
        DeValue::Array(list) => Kind::List(list.iter().map(value_of).collect()),
        DeValue::Table(table) => Kind::Table(table_of(table)),
        DeValue::Float(_) | DeValue::Datetime(_) => Kind::Other,
    };
    Value { at: value.span(), kind }
}
