//! One diagnostic, many renderings.
//!
//! Whatever is wrong with an input is one [`Diagnostic`] value. The command line, the workbench and
//! the JSON report render the same value; nobody formats messages of their own.

use crate::source::{Sources, Span};
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// A message with the places it speaks of.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagnostic {
    /// Stable kebab-case code, for example `undeclared-identifier`.
    pub code: &'static str,
    pub severity: Severity,
    pub message: String,
    /// Where it is; `None` only when no file could be read at all.
    pub span: Option<Span>,
    /// Further places, each with what it has to do with it ("declared here").
    pub notes: Vec<(Span, String)>,
    /// What to do about it, or what was expected.
    pub hint: Option<String>,
}

impl Diagnostic {
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            span: Some(span),
            notes: Vec::new(),
            hint: None,
        }
    }

    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// An error that has no place in a source, for example an unreadable file.
    pub fn without_place(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic { span: None, ..Diagnostic::error(code, Span::default(), message) }
    }

    /// The refusal of something the language has and this version does not evaluate.
    pub fn not_yet(span: Span, what: impl std::fmt::Display) -> Diagnostic {
        Diagnostic::error("not-supported-yet", span, format!("not supported yet: {what}"))
    }

    pub fn note(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.notes.push((span, message.into()));
        self
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The plain text rendering: `file:line:column: error[code]: message`, the source line with
    /// carets under the span, then notes and the hint.
    pub fn render(&self, sources: &Sources) -> String {
        let mut out = String::new();
        let head = format!("{}[{}]: {}", self.severity.name(), self.code, self.message);
        match self.span {
            Some(span) => {
                let place = sources.place(span);
                let path = sources.get(span.file).path.display();
                let _ = writeln!(out, "{path}:{}:{}: {head}", place.line, place.column);
                excerpt(&mut out, sources, span, '^', "");
            }
            None => {
                let _ = writeln!(out, "{head}");
            }
        }
        for (span, text) in &self.notes {
            excerpt(&mut out, sources, *span, '-', text);
        }
        if let Some(hint) = &self.hint {
            let _ = writeln!(out, "  = {hint}");
        }
        out
    }
}

/// Longest part of a source line that a message quotes, in characters.
const EXCERPT_WIDTH: usize = 100;

/// Writes one source line with the span underlined, cut around the span when the line is long.
fn excerpt(out: &mut String, sources: &Sources, span: Span, mark: char, text: &str) {
    let file = sources.get(span.file);
    let place = sources.place(span);
    let line: Vec<char> =
        file.line(place.line - 1).chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let column = place.column - 1;
    let from =
        if line.len() <= EXCERPT_WIDTH { 0 } else { column.saturating_sub(EXCERPT_WIDTH / 2) };
    let to = line.len().min(from + EXCERPT_WIDTH);
    let shown: String = line.get(from..to).unwrap_or(&[]).iter().collect();
    let length = sources.text(span).lines().next().unwrap_or("").chars().count().max(1);
    let length = length.min((to.saturating_sub(column)).max(1));
    let number = place.line.to_string();
    let _ = writeln!(out, " {number} | {shown}");
    let pad = " ".repeat(number.len() + 1);
    let indent = " ".repeat(column - from.min(column));
    let underline: String = std::iter::repeat_n(mark, length).collect();
    let _ = writeln!(out, "{}", format!("{pad} | {indent}{underline} {text}").trim_end());
}
