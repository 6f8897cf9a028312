//! Standard output and standard error, without panics: a reader that went away is no error.

use crate::diagnostic::Style;
use std::io::{self, IsTerminal, Write};

/// How diagnostics are drawn here: with colour on a terminal, unless `NO_COLOR` is set or the terminal
/// is a dumb one.
pub fn style(on: &impl IsTerminal) -> Style {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let wanted = set("NO_COLOR").is_none() && set("TERM").is_none_or(|term| term != "dumb");
    if wanted && on.is_terminal() { Style::Coloured } else { Style::Plain }
}

/// Writes to standard output and flushes. Nothing happens when it is closed.
pub fn print(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes to standard error.
pub fn complain(text: &str) {
    let mut out = io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// One line that is rewritten in place, on a terminal only.
pub struct StatusLine {
    on: bool,
    drawn: bool,
}

impl StatusLine {
    pub fn new(wanted: bool) -> StatusLine {
        StatusLine { on: wanted && io::stderr().is_terminal(), drawn: false }
    }

    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Shows a line, cut to the width of the terminal.
    pub fn show(&mut self, line: &str) {
        if self.on {
            let width = crossterm::terminal::size().map_or(80, |(columns, _)| usize::from(columns));
            let cut: String = line.chars().take(width.saturating_sub(1)).collect();
            complain(&format!("\r\x1b[2K{cut}"));
            self.drawn = true;
        }
    }

    pub fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            complain("\r\x1b[2K");
        }
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.clear();
    }
}
