//! A diagnostic as text: for a terminal with colours, and plain.
//!
//! The first line is `file:line:column: severity[code]: message`. Below it stand the lines that the
//! span covers, underlined, then those of the notes with their labels, then the hint. Of a span over
//! several lines the first and the last are shown. Columns are counted in cells of the terminal, so
//! that underlines fit below wide characters and tabs.

use super::{Diagnostic, Severity};
use crate::source::{SourceFile, Sources, Span};
use std::fmt::Write;
use unicode_width::UnicodeWidthChar;

/// How a text is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    #[default]
    Plain,
    /// With the colours of a terminal (ANSI escape sequences).
    Coloured,
}

/// What a piece of text is, which decides its colour.
#[derive(Clone, Copy)]
enum Role {
    Error,
    Warning,
    Note,
    Hint,
    Strong,
    Margin,
}

impl Style {
    fn paint(self, role: Role, text: &str) -> String {
        let code = match role {
            Role::Error => "1;31",
            Role::Warning => "1;33",
            Role::Note => "1;34",
            Role::Hint => "36",
            Role::Strong => "1",
            Role::Margin => "34",
        };
        match self {
            Style::Coloured if !text.is_empty() => format!("\x1b[{code}m{text}\x1b[0m"),
            _ => text.to_owned(),
        }
    }
}

impl Diagnostic {
    /// The plain text.
    pub fn render(&self, sources: &Sources) -> String {
        self.render_in(sources, Style::Plain)
    }

    /// The text in this style. It ends with a line end.
    pub fn render_in(&self, sources: &Sources, style: Style) -> String {
        let role = match self.severity {
            Severity::Error => Role::Error,
            Severity::Warning => Role::Warning,
        };
        let mut out = String::new();
        if let Some(span) = self.span {
            out.push_str(&style.paint(Role::Strong, &place(sources, span)));
            out.push_str(&style.paint(Role::Strong, ": "));
        }
        let head = format!("{}[{}]", self.severity.name(), self.code);
        out.push_str(&style.paint(role, &head));
        let _ = writeln!(
            out,
            "{}",
            style.paint(Role::Strong, &format!(": {}", visible(&self.message)))
        );
        let file = self.span.map(|span| span.file);
        if let Some(span) = self.span {
            Excerpt { sources, style, role, mark: '^' }.write(&mut out, span, "");
        }
        for (span, label) in &self.notes {
            if Some(span.file) != file {
                let _ = writeln!(
                    out,
                    "{}",
                    style.paint(Role::Margin, &format!(" --> {}", place(sources, *span)))
                );
            }
            Excerpt { sources, style, role: Role::Note, mark: '-' }.write(&mut out, *span, label);
        }
        if let Some(hint) = &self.hint {
            let _ = writeln!(out, "  {}", style.paint(Role::Hint, &format!("= {}", visible(hint))));
        }
        out
    }
}

/// `file:line:column`.
fn place(sources: &Sources, span: Span) -> String {
    let place = sources.place(span);
    let path = sources.get(span.file).path.display().to_string();
    format!("{}:{}:{}", visible(&path), place.line, place.column)
}

/// A text without what would move the cursor or change the direction of writing.
fn visible(text: &str) -> String {
    text.chars().map(|c| if steers(c) { '\u{FFFD}' } else { c }).collect()
}

fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Longest part of a source line that a message quotes, in cells.
const EXCERPT_WIDTH: usize = 100;
/// A tab goes to the next multiple of this.
const TAB: usize = 4;

/// Quotes source lines with an underline.
struct Excerpt<'a> {
    sources: &'a Sources,
    style: Style,
    role: Role,
    mark: char,
}

impl Excerpt<'_> {
    fn write(&self, out: &mut String, span: Span, label: &str) {
        let file = self.sources.get(span.file);
        let length = file.text.len() as u32;
        let (start, end) =
            (span.start.min(length), span.end.min(length).max(span.start.min(length)));
        let first = file.line_of(start);
        // A span that ends with a line end does not reach into the next line.
        let last = if end > start { file.line_of(end - 1) } else { first };
        let margin = (last + 1).to_string().len();
        if first == last {
            self.line(out, file, first, (start, end), margin, label);
            return;
        }
        let whole = |line: usize| {
            let from = file.line_start(line);
            let text = file.line(line);
            let blanks = (text.len() - text.trim_start().len()) as u32;
            (from + blanks, from + text.len() as u32)
        };
        self.line(out, file, first, (start, whole(first).1.max(start)), margin, "");
        if last > first + 1 {
            let _ = writeln!(out, " {}", self.style.paint(Role::Margin, "..."));
        }
        self.line(out, file, last, (whole(last).0.min(end), end), margin, label);
    }

    /// One source line with the bytes `from..to` underlined, cut around them when it is long.
    fn line(
        &self,
        out: &mut String,
        file: &SourceFile,
        line: usize,
        (from, to): (u32, u32),
        margin: usize,
        label: &str,
    ) {
        let base = file.line_start(line);
        // Each character as it is shown, its byte and the cell where it begins.
        let mut cells: Vec<(String, u32, usize)> = Vec::new();
        let mut cell = 0;
        let text = file.line(line);
        let near = nearby(text, (from - base.min(from)) as usize);
        for (at, c) in text[near.clone()].char_indices() {
            let shown = match c {
                '\t' => " ".repeat(TAB - cell % TAB),
                c if steers(c) => {
                    if c.is_control() {
                        " ".to_owned()
                    } else {
                        '\u{FFFD}'.to_string()
                    }
                }
                c => c.to_string(),
            };
            let width = if c == '\t' { shown.len() } else { c.width().unwrap_or(1) };
            cells.push((shown, base + (near.start + at) as u32, cell));
            cell += width;
        }
        let cell_of = |byte: u32| {
            cells.iter().find(|(_, at, _)| *at >= byte).map_or(cell, |(.., cell)| *cell)
        };
        let (start, end) = (cell_of(from), cell_of(to));
        let cut = if cell <= EXCERPT_WIDTH { 0 } else { start.saturating_sub(EXCERPT_WIDTH / 2) };
        let limit = cut + EXCERPT_WIDTH;
        let kept = cells.iter().filter(|(.., at)| (cut..limit).contains(at));
        let shown: String = kept.clone().map(|(shown, ..)| shown.as_str()).collect();
        // A wide character may begin before the cut: what is kept then begins a cell later.
        let begin = kept.map(|(.., at)| *at).next().unwrap_or(start);
        let length = end.min(limit).saturating_sub(start).max(1);
        let number = self.style.paint(Role::Margin, &format!("{:>margin$} |", line + 1));
        let _ = writeln!(out, " {}", format!("{number} {shown}").trim_end());
        let blank = self.style.paint(Role::Margin, &format!("{:margin$} |", ""));
        let indent = " ".repeat(start.saturating_sub(begin));
        let underline: String = std::iter::repeat_n(self.mark, length).collect();
        let underline = format!("{underline} {}", visible(label));
        let underline = self.style.paint(self.role, underline.trim_end());
        let _ = writeln!(out, " {blank} {indent}{underline}");
    }
}

/// The part of a long line that can be quoted when this byte is shown: a line may have megabytes.
fn nearby(text: &str, at: usize) -> std::ops::Range<usize> {
    const ENOUGH: usize = 4 * EXCERPT_WIDTH;
    if text.len() <= 2 * ENOUGH {
        return 0..text.len();
    }
    let mut from = at.min(text.len()).saturating_sub(ENOUGH);
    while !text.is_char_boundary(from) {
        from -= 1;
    }
    let mut to = (at + ENOUGH).min(text.len());
    while !text.is_char_boundary(to) {
        to += 1;
    }
    from..to
}
