//! Standard output and standard error: what may be shown, without panics, and no report lost without
//! a word.
//!
//! A reader that went away, as `head` does, is no error: nobody misses what is not written. Anything
//! else that keeps a report from being written is one, and the command ends with the status of wrong
//! usage.

use super::Failure;
use super::arguments::Colour;
use crate::diagnostic::render::WIDTH;
use crate::printable::{self, Painted};
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

/// What was asked for with `--color`.
static COLOUR: OnceLock<Colour> = OnceLock::new();

/// Sets whether reports are coloured, once and for all.
pub fn set_colour(colour: Colour) {
    // Only the first command line of a process counts.
    let _ = COLOUR.set(colour);
}

/// Whether colours are wanted there: as `--color` says, else on a terminal, unless `NO_COLOR` is set or the terminal is a dumb
/// one.
fn is_coloured(on: &impl IsTerminal) -> bool {
    match COLOUR.get() {
        Some(Colour::Always) => return true,
        Some(Colour::Never) => return false,
        Some(Colour::Auto) | None => {}
    }
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let wanted = set("NO_COLOR").is_none() && set("TERM").is_none_or(|term| term != "dumb");
    wanted && on.is_terminal()
}

/// Columns of a text that is written there: those of the terminal, or many.
pub fn width(on: &impl IsTerminal) -> usize {
    if !on.is_terminal() {
        // Where there is none, two programs would be started to find that out.
        return WIDTH;
    }
    match crossterm::terminal::size() {
        Ok((columns, _)) if columns > 0 => usize::from(columns),
        _ => WIDTH,
    }
}

/// Writes to standard output and flushes.
///
/// # Errors
/// It cannot be written. That its reader went away is no error.
pub fn print(text: impl Into<Painted>) -> Result<(), Failure> {
    let text = text.into();
    let text = if is_coloured(&io::stdout()) { text.coloured() } else { text.plain() };
    written(write(&mut io::stdout().lock(), &text))
}

/// Whether somebody still reads what is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reader {
    There,
    Gone,
}

/// Writes a line that may be one of many, and flushes.
///
/// # Errors
/// It cannot be written.
pub fn line(text: &str) -> Result<Reader, Failure> {
    match write(&mut io::stdout().lock(), text) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Reader::Gone),
        result => written(result).map(|()| Reader::There),
    }
}

/// Tells on standard error. Where that cannot be written, there is no one to tell.
pub fn complain(text: impl Into<Painted>) {
    let text = text.into();
    let text = if is_coloured(&io::stderr()) { text.coloured() } else { text.plain() };
    let _ = write(&mut io::stderr().lock(), &text);
}

/// What became of writing to standard output.
///
/// # Errors
/// It failed, and not because the reader went away.
pub fn written(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Message(format!("standard output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

fn write(out: &mut impl Write, text: &str) -> io::Result<()> {
    out.write_all(text.as_bytes())?;
    out.flush()
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

    /// Whether something stands there.
    pub fn is_drawn(&self) -> bool {
        self.drawn
    }

    /// Shows a line, cut to the width of the terminal.
    pub fn show(&mut self, line: &str) {
        if self.on {
            let room = width(&io::stderr()).saturating_sub(1);
            self.rewrite(&printable::clipped(&printable::line(line), room));
            self.drawn = true;
        }
    }

    pub fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            self.rewrite("");
        }
    }

    fn rewrite(&self, line: &str) {
        // Where standard error cannot be written, there is no one to tell.
        let _ = write(&mut io::stderr().lock(), &format!("\r\x1b[2K{line}"));
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.clear();
    }
}
