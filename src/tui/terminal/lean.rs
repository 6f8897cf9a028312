//! Changed cells in few bytes, for slow links.
//!
//! The backend of the terminal library writes each colour in its longest form and each cell of a blank line. Here what
//! is on the screen is remembered, so that of all ways to put the changed cells there a short one is taken: see
//! `strokes`. Each drawing is one update, which the terminal shows at once; a drawing that changes nothing writes
//! nothing.

mod strokes;

use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use std::io::{self, Write};
use strokes::Shown;

const BEGIN_UPDATE: &[u8] = b"\x1b[?2026h";
const END_UPDATE: &[u8] = b"\x1b[?2026l";

pub struct Lean<W: Write> {
    inner: CrosstermBackend<W>,
    shown: Shown,
    hidden: bool,
    /// An update has begun and not ended.
    updating: bool,
}

impl<W: Write> Lean<W> {
    pub fn new(out: W) -> Lean<W> {
        let inner = CrosstermBackend::new(out);
        Lean { inner, shown: Shown::default(), hidden: false, updating: false }
    }

    fn begin(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.updating, true) {
            return Ok(());
        }
        Write::write_all(&mut self.inner, BEGIN_UPDATE)
    }
}

impl<W: Write> Write for Lean<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Write::write(&mut self.inner, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Write::flush(&mut self.inner)
    }
}

impl<W: Write> Backend for Lean<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let cells: Vec<(u16, u16, &Cell)> = content.collect();
        if cells.is_empty() {
            return Ok(());
        }
        let size = self.inner.size()?;
        self.shown.fit(size.width, size.height);
        self.begin()?;
        let bytes = self.shown.change(&cells);
        Write::write_all(&mut self.inner, &bytes)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        // It is asked for at every drawing.
        if std::mem::replace(&mut self.hidden, true) {
            return Ok(());
        }
        self.inner.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.hidden = false;
        self.inner.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.inner.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.inner.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, clear_type: ClearType) -> io::Result<()> {
        self.begin()?;
        self.shown = Shown::default();
        self.inner.clear_region(clear_type)
    }

    fn size(&self) -> io::Result<Size> {
        self.inner.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.inner.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.updating) {
            Write::write_all(&mut self.inner, END_UPDATE)?;
        }
        Backend::flush(&mut self.inner)
    }
}
