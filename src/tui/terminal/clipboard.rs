//! Where copied texts go: to the clipboard of the terminal, or to the buffer of tmux, where we run within that.

use crossterm::clipboard::CopyToClipboard;
use crossterm::execute;
use std::io::{self, Write};
use std::process::{Command, Stdio};

/// Hands a text on. What tmux hears from a program it keeps from its buffer, as it is set at first
/// (`set-clipboard external`); so it is told itself. With `-w` it tells the terminal, too; old ones know no `-w`.
pub fn copy(out: &mut impl Write, text: &str) -> io::Result<()> {
    let within_tmux = std::env::var_os("TMUX").is_some_and(|server| !server.is_empty());
    if within_tmux && load(&["load-buffer", "-w", "-"], text) {
        return Ok(());
    }
    if within_tmux {
        load(&["load-buffer", "-"], text);
    }
    execute!(out, CopyToClipboard::to_clipboard_from(text))
}

/// Gives a text to tmux, and says whether that has taken it.
fn load(arguments: &[&str], text: &str) -> bool {
    let mut command = Command::new("tmux");
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    // Closed at its end, so that the program sees the end of the text.
    let given = child.stdin.take().is_some_and(|mut pipe| pipe.write_all(text.as_bytes()).is_ok());
    child.wait().is_ok_and(|status| status.success()) && given
}
