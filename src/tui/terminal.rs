//! The terminal: taken over, given back whatever happens, written to in one piece.

mod clipboard;
mod lean;

use crossterm::cursor::{Hide, Show};
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::style::Print;
use crossterm::terminal::{
    Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use lean::Lean;
use ratatui::Terminal;
use std::io::{self, BufWriter, Stdout, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::ThreadId;

/// Whether the terminal is in our hands.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether the mouse is listened to while it is.
static MOUSE: AtomicBool = AtomicBool::new(false);
static HOOK: Once = Once::new();

/// Asks for the colour of the background: OSC 11 of xterm.
const BACKGROUND: &str = "\x1b]11;?\x1b\\";

/// Owns the terminal until it is dropped.
pub struct Screen {
    terminal: Terminal<Lean<BufWriter<Stdout>>>,
}

impl Screen {
    /// Takes the terminal over, the mouse, too, if it is wanted, and asks it for its background if that is to be
    /// known. The answer comes as keys do.
    ///
    /// # Errors
    /// There is no terminal, or it refuses.
    pub fn enter(ask: bool, mouse: bool) -> io::Result<Screen> {
        MOUSE.store(mouse, Ordering::SeqCst);
        install_hook(std::thread::current().id());
        take()?;
        // The console of Linux has no answer, and shows the question.
        if ask && std::env::var_os("TERM").is_some_and(|term| term != "linux") {
            execute!(io::stdout(), Print(BACKGROUND), Clear(ClearType::All))?;
        }
        let backend = Lean::new(BufWriter::with_capacity(1 << 16, io::stdout()));
        let made = Terminal::new(backend);
        let terminal = match made {
            Ok(terminal) => terminal,
            Err(error) => {
                give_back();
                return Err(error);
            }
        };
        Ok(Screen { terminal })
    }

    /// The size in columns and rows.
    pub fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.terminal.size()?;
        Ok((size.width, size.height))
    }

    /// Draws a screen; only what differs from the last one is written, as one update.
    pub fn draw(&mut self, paint: impl FnOnce(&mut ratatui::buffer::Buffer)) -> io::Result<()> {
        self.terminal.draw(|frame| paint(frame.buffer_mut()))?;
        Ok(())
    }

    /// Hands a text to the clipboard.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        clipboard::copy(self.terminal.backend_mut(), text)
    }

    /// Forgets what is on the screen, so that the next drawing writes everything.
    ///
    /// (`Terminal::clear` would ask the terminal for its cursor, and wait for an answer that the
    /// thread reading the keys takes away.)
    pub fn clear(&mut self) -> io::Result<()> {
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())
    }

    /// Gives the terminal to the shell for as long as `away` takes.
    pub fn suspend(&mut self, away: impl FnOnce()) -> io::Result<()> {
        give_back();
        away();
        self.resume()
    }

    /// Takes the terminal again, after something else had it.
    pub fn resume(&mut self) -> io::Result<()> {
        // Who was stopped from outside has not given it back: it is taken to be raw, and is as the shell wants it.
        disable_raw_mode()?;
        take()?;
        self.clear()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    let mut entered = execute!(io::stdout(), EnterAlternateScreen, Hide, EnableBracketedPaste);
    if MOUSE.load(Ordering::SeqCst) {
        entered = entered.and_then(|()| execute!(io::stdout(), EnableMouseCapture));
    }
    if entered.is_err() {
        give_back();
    }
    entered
}

/// Puts the terminal back as it was. Does nothing the second time.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let mut out = io::stdout();
        // Nothing can be done about a terminal that is gone.
        if MOUSE.load(Ordering::SeqCst) {
            let _ = queue!(out, DisableMouseCapture);
        }
        let _ = queue!(out, DisableBracketedPaste);
        let _ = queue!(out, EndSynchronizedUpdate, LeaveAlternateScreen, Show);
        let _ = out.flush();
        let _ = disable_raw_mode();
    }
}

/// A panic of the thread that draws ends the workbench: the terminal is given back before the message
/// is printed. Panics of other threads are caught and shown, so they must not print.
fn install_hook(own: ThreadId) {
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if std::thread::current().id() == own {
                give_back();
                before(info);
            } else if !TAKEN.load(Ordering::SeqCst) {
                before(info);
            }
        }));
    });
}
