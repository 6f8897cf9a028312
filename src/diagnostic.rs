//! One diagnostic, many renderings.
//!
//! Whatever is wrong with an input is one [`Diagnostic`] value. The command line, the workbench and
//! the JSON report render the same value; nobody formats messages of their own. [`codes`] lists what
//! can be wrong, [`render`] makes text of it, with or without colour.

pub mod codes;
pub mod render;

use crate::source::Span;

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
    /// Stable kebab-case code, for example `undeclared-identifier`; one of [`codes::CODES`].
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
}
