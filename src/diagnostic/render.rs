//! A diagnostic as text: for a terminal with colours, and plain.
//!
//! The first line is `file:line:column: severity[code]: message`. Below it stand the lines that the
//! span covers, underlined, then those of the notes with their labels, then the hint. Of a span over
//! several lines the first and the last are shown. Columns are counted in cells of the terminal, so
//! that underlines fit below wide characters and tabs; lines that are wider than the terminal are cut
//! around the span.

use super::{Diagnostic, Severity};
use crate::printable::{self, Painted, Role};
use crate::source::{SourceFile, Sources, Span};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// Columns of a text that is not made for a terminal of a known width.
pub const WIDTH: usize = 140;

impl Diagnostic {
    /// The plain text.
    pub fn render(&self, sources: &Sources) -> String {
        self.paint(sources, WIDTH).plain()
    }

    /// The text for a terminal of so many columns. It ends with a line end.
    pub fn paint(&self, sources: &Sources, width: usize) -> Painted {
        let role = match self.severity {
            Severity::Error => Role::Error,
            Severity::Warning => Role::Warning,
        };
        let mut out = Painted::new();
        if let Some(span) = self.span {
            out.paint(Role::Strong, &place(sources, span));
            out.paint(Role::Strong, ": ");
        }
        out.paint(role, &format!("{}[{}]", self.severity.name(), self.code));
        out.paint(Role::Strong, &format!(": {}", printable::line(&self.message)));
        out.push("\n");
        let file = self.span.map(|span| span.file);
        if let Some(span) = self.span {
            Excerpt { sources, width, role, mark: '^' }.write(&mut out, span, "");
        }
        for (span, label) in &self.notes {
            if Some(span.file) != file {
                out.paint(Role::Margin, &format!(" --> {}", place(sources, *span)));
                out.push("\n");
            }
            Excerpt { sources, width, role: Role::Note, mark: '-' }.write(&mut out, *span, label);
        }
        if let Some(hint) = &self.hint {
            out.push("  ");
            out.paint(Role::Hint, &format!("= {}", printable::line(hint)));
            out.push("\n");
        }
        out
    }
}

/// `file:line:column`, and which part of the file that is, where parts have names.
fn place(sources: &Sources, span: Span) -> String {
    let place = sources.place(span);
    let path = sources.get(span.file).path.display().to_string();
    let part = sources.part(span).map_or_else(String::new, |(name, column)| {
        format!(" ({}, column {column})", printable::line(name))
    });
    format!("{}:{}:{}{part}", printable::line(&path), place.line, place.column)
}

/// A tab goes to the next multiple of this.
const TAB: usize = 4;
/// Stands for what is cut off.
const DOTS: &str = "...";
/// Fewest columns of a source line that are quoted, however narrow the terminal.
const LEAST: usize = 24;

/// Quotes source lines with an underline.
struct Excerpt<'a> {
    sources: &'a Sources,
    width: usize,
    role: Role,
    mark: char,
}

/// A character as it is shown, with the marks on it.
struct Cell {
    shown: String,
    /// Where it begins in the file.
    byte: u32,
    /// Its first column, and the one behind it.
    from: usize,
    to: usize,
}

impl Excerpt<'_> {
    fn write(&self, out: &mut Painted, span: Span, label: &str) {
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
            out.push(" ");
            out.paint(Role::Margin, DOTS);
            out.push("\n");
        }
        self.line(out, file, last, (whole(last).0.min(end), end), margin, label);
    }

    /// One source line with the bytes `from..to` underlined, cut around them when it is long.
    fn line(
        &self,
        out: &mut Painted,
        file: &SourceFile,
        line: usize,
        (from, to): (u32, u32),
        margin: usize,
        label: &str,
    ) {
        // Before the line stand a blank, its number, a blank, a bar and a blank.
        let room = self.width.saturating_sub(margin + 4).max(LEAST);
        let base = file.line_start(line);
        let text = file.line(line);
        let near = nearby(text, (from - base.min(from)) as usize, 4 * room);
        let cells = cells(&text[near.clone()], base + near.start as u32);
        let columns = cells.last().map_or(0, |c| c.to);
        let column = |byte: u32| cells.iter().find(|c| c.byte >= byte).map_or(columns, |c| c.from);
        let (start, end) = (column(from), column(to));
        let (mut first, mut behind) = (0, columns);
        if columns > room {
            // The span in the middle, or as much of its beginning as there is room for.
            let span = end.saturating_sub(start).clamp(1, room - 2 * DOTS.len() - 4);
            first = start.saturating_sub((room - span) / 2).min(columns + 1 - room);
            behind = first + room;
        }
        let (cut_before, cut_behind) =
            (near.start > 0 || first > 0, near.end < text.len() || behind < columns);
        // The dots take the place of what they stand for.
        let left = first + if cut_before { DOTS.len() } else { 0 };
        let right = behind.saturating_sub(if cut_behind { DOTS.len() } else { 0 });
        let mut shown = String::from(if cut_before { DOTS } else { "" });
        let mut at = left;
        for cell in cells.iter().filter(|c| c.from >= left && c.to <= right) {
            // Half of a wide character is cut off.
            shown.extend(std::iter::repeat_n(' ', cell.from - at));
            shown.push_str(&cell.shown);
            at = cell.to;
        }
        if cut_behind {
            shown.extend(std::iter::repeat_n(' ', right.saturating_sub(at)));
            shown.push_str(DOTS);
        }
        let length = end.min(behind).saturating_sub(start).max(1);
        let shown = shown.trim_end();
        out.push(" ");
        out.paint(Role::Margin, &format!("{:>margin$} |", line + 1));
        let _ = writeln!(out, "{}{shown}", if shown.is_empty() { "" } else { " " });
        out.push(" ");
        out.paint(Role::Margin, &format!("{:margin$} |", ""));
        out.push(&" ".repeat(1 + start - first));
        let underline: String = std::iter::repeat_n(self.mark, length).collect();
        let underline = format!("{underline} {}", printable::line(label));
        out.paint(self.role, underline.trim_end());
        out.push("\n");
    }
}

/// A piece of a line, character by character; it begins at this byte of the file.
fn cells(text: &str, base: u32) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut column = 0;
    for (at, c) in text.char_indices() {
        let shown = match c {
            '\t' => " ".repeat(TAB - column % TAB),
            c => printable::line(c.encode_utf8(&mut [0; 4])).into_owned(),
        };
        let width = shown.width();
        match cells.last_mut() {
            // A mark belongs to the letter before it.
            Some(last) if width == 0 => last.shown.push_str(&shown),
            _ => {
                let from = column;
                column += width;
                cells.push(Cell { shown, byte: base + at as u32, from, to: column });
            }
        }
    }
    cells
}

/// The part of a long line that can be quoted when this byte is shown, so many bytes to both sides: a
/// line may have megabytes.
fn nearby(text: &str, at: usize, enough: usize) -> std::ops::Range<usize> {
    if text.len() <= 2 * enough {
        return 0..text.len();
    }
    let mut from = at.min(text.len()).saturating_sub(enough);
    while !text.is_char_boundary(from) {
        from -= 1;
    }
    let mut to = (at + enough).min(text.len());
    while !text.is_char_boundary(to) {
        to += 1;
    }
    from..to
}
