//! How far a pane is scrolled.

use crate::tui::action::Action;
use ratatui::layout::Rect;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scroll {
    pub x: usize,
    pub y: usize,
}

/// The part of a pane's content that is to be seen.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// As it was scrolled by the user or for him. A small screen must not make a larger one forget.
    wanted: Scroll,
    /// The same within what there was at the last drawing.
    scroll: Scroll,
    /// Columns and lines of the pane.
    columns: usize,
    rows: usize,
    /// Columns and lines of the content.
    width: usize,
    height: usize,
    /// Lines of the pane that nothing lies over.
    free: usize,
}

impl View {
    pub fn scroll(&self) -> Scroll {
        self.scroll
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Lines or columns of the content, what there is more of.
    pub fn longest(&self) -> usize {
        self.width.max(self.height)
    }

    /// Takes in where the pane is and how large its content, and scrolls no further than there is
    /// something, with the cursor in sight.
    pub fn fit(&mut self, area: Rect, (width, height): (usize, usize), cursor: Option<usize>) {
        (self.columns, self.rows) = (usize::from(area.width), usize::from(area.height));
        (self.width, self.height) = (width, height);
        if let Some(line) = cursor.filter(|_| self.rows > 0) {
            self.wanted.y = self.wanted.y.clamp((line + 1).saturating_sub(self.rows), line);
        }
        self.scroll = self.within(self.wanted);
    }

    /// Takes in how many lines nothing lies over.
    pub fn set_free(&mut self, rows: usize) {
        self.free = rows;
    }

    fn within(&self, scroll: Scroll) -> Scroll {
        Scroll {
            x: scroll.x.min(self.width.saturating_sub(self.columns)),
            y: scroll.y.min(self.height.saturating_sub(self.rows)),
        }
    }

    /// Scrolls, whatever there is now.
    pub fn scroll_to(&mut self, to: Scroll) {
        (self.wanted, self.scroll) = (to, to);
    }

    /// Scrolls by a motion, as far as there is something.
    pub fn go(&mut self, action: Action) {
        // Half of what is to be seen: long values are read in a few keys.
        let side = (self.columns / 2).max(1);
        let Scroll { mut x, mut y } = self.scroll;
        match action {
            Action::Left => x = x.saturating_sub(side),
            Action::Right => x += side,
            _ => y = moved(y, action, self.rows, self.height),
        }
        self.scroll_to(self.within(Scroll { x, y }));
    }

    /// Makes room below a line that is about to be opened: it comes to the top, unless it is near that.
    pub fn open_at(&mut self, line: usize) {
        if line > self.scroll.y + self.rows / 3 {
            self.scroll_to(Scroll { y: line, ..self.scroll });
        }
    }

    /// Brings a line well into sight, and above what lies over the pane.
    pub fn reveal(&mut self, line: usize) {
        let (rows, mut scroll) = (self.free, self.scroll);
        if rows == 0 {
            scroll.y = line;
        } else if line < scroll.y + 1 || line + 2 > scroll.y + rows {
            scroll.y = line.saturating_sub(rows / 3);
        }
        self.scroll_to(scroll);
    }

    /// Brings a column well into sight, behind a margin that does not scroll; where the line is to be seen from its
    /// beginning, it is.
    pub fn reveal_column(&mut self, column: usize, margin: usize) {
        let (room, mut scroll) = (self.columns.saturating_sub(margin), self.scroll);
        if room == 0 {
            return;
        }
        // A few columns more: what begins there.
        let enough = |x: usize| (x..(x + room).saturating_sub(room / 4)).contains(&column);
        if enough(0) {
            scroll.x = 0;
        } else if !enough(scroll.x) {
            scroll.x = column.saturating_sub(room / 3);
        }
        self.scroll_to(scroll);
    }

    /// How far it is scrolled, where not all of it is to be seen.
    pub fn position(&self) -> Option<String> {
        if self.height <= self.rows {
            return None;
        }
        Some(match self.scroll.y {
            0 => "top".to_owned(),
            y if y + self.rows >= self.height => "end".to_owned(),
            y => format!("{}%", y * 100 / (self.height - self.rows)),
        })
    }
}

/// A position after a motion; `page` lines make a page.
pub fn moved(at: usize, action: Action, page: usize, last: usize) -> usize {
    let page = page.saturating_sub(1).max(1);
    let to = match action {
        Action::Up => at.saturating_sub(1),
        Action::Down => at.saturating_add(1),
        Action::PageUp => at.saturating_sub(page),
        Action::PageDown => at.saturating_add(page),
        Action::Top => 0,
        Action::Bottom => last,
        _ => at,
    };
    to.min(last)
}
