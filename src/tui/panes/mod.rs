//! The panes, one file each. A pane is one type with its own state, keys and help: see [`Panel`]. To
//! add one, write its file and name it in the list below.

pub mod check;
pub mod compare;
mod console;
mod history;
mod labelling;
mod matrix;
mod operations;
mod reduction;
mod runs;
mod source;
mod state;
pub mod view;

use super::action::Action;
use super::app::App;
use super::engine::Command;
use super::layout::Slot;
use super::theme::Role;
use super::update::Effect;
use crate::printable;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Widget};
use std::borrow::Cow;
use unicode_width::UnicodeWidthStr;
use view::{Scroll, View};

macro_rules! panes {
    ($($pane:ident in $file:ident),* $(,)?) => {
        /// The panes, in the order of the Tab key.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Pane { $($pane),* }

        impl Pane {
            pub const ALL: &[Pane] = &[$(Pane::$pane),*];

            /// What it is called, where it stands, and what one sees in it.
            pub fn about(self) -> &'static About {
                match self { $(Pane::$pane => &$file::ABOUT),* }
            }

            /// A new one, as it is at the start.
            pub fn panel(self) -> Box<dyn Panel> {
                match self { $(Pane::$pane => Box::<$file::$pane>::default()),* }
            }
        }
    };
}

panes! {
    Operations in operations,
    Source in source,
    State in state,
    Matrix in matrix,
    Check in check,
    Console in console,
    History in history,
    Runs in runs,
    Reduction in reduction,
    Compare in compare,
}

impl Pane {
    pub fn index(self) -> usize {
        self as usize
    }

    pub fn named(name: &str) -> Option<Pane> {
        Pane::ALL.iter().copied().find(|pane| pane.about().name == name)
    }
}

/// What is always true of a pane.
pub struct About {
    /// As keymaps call it.
    pub name: &'static str,
    pub title: &'static str,
    /// Where it stands; panes of one slot lie on top of each other.
    pub slot: Slot,
    /// What one sees there, line by line.
    pub help: &'static [&'static str],
}

/// A pane with its own state. It reads the state that all share, and changes it when it is given an
/// action or told to settle.
pub trait Panel {
    /// The title, where it says more than the name of the pane.
    fn title(&self, _app: &App) -> Option<String> {
        None
    }

    /// What stands behind the title.
    fn note(&self, app: &App) -> Option<(Role, String)>;

    /// Actions that make sense now and that the hints should show.
    fn useful(&self, _app: &App) -> Vec<Action> {
        Vec::new()
    }

    /// What is to be seen, within this room. Asked once for each drawing.
    fn content<'a>(&'a self, app: &'a App, room: Room) -> Content<'a>;

    /// The line that has to be in sight.
    fn cursor(&self) -> Option<usize> {
        None
    }

    /// Does what an action means here; `None`: it means nothing here. Motions come only to the pane that
    /// has the focus, other actions to that one first.
    fn act(&mut self, _app: &mut App, _view: &mut View, _action: Action) -> Option<Vec<Effect>> {
        None
    }

    /// Selects what stands in a line of its content.
    fn select(&mut self, _app: &mut App, _line: usize) {}

    /// What it would like to be told, where nothing else is under way.
    fn wants(&self, _app: &App, _view: &View) -> Option<Command> {
        None
    }

    /// Something that all share has changed, perhaps.
    fn settle(&mut self, _app: &mut App, _view: &mut View) {}

    /// Settling has more to do, which waits for keys to come in between.
    fn goes_on(&self) -> bool {
        false
    }
}

/// Where a content is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    pub width: u16,
    pub height: u16,
    pub focused: bool,
}

type Paint<'a> = Box<dyn FnOnce(Scroll, Rect, &mut Buffer) + 'a>;

/// What a pane shows: how large it is, and how to draw the part that the scrolling says.
pub struct Content<'a> {
    pub width: usize,
    pub height: usize,
    pub paint: Paint<'a>,
}

impl<'a> Content<'a> {
    pub fn new(
        (width, height): (usize, usize),
        paint: impl FnOnce(Scroll, Rect, &mut Buffer) + 'a,
    ) -> Content<'a> {
        Content { width, height, paint: Box::new(paint) }
    }

    /// A list of lines.
    pub fn lines(lines: Vec<Line<'a>>) -> Content<'a> {
        let size = (lines.iter().map(width).max().unwrap_or(0), lines.len());
        Content::new(size, move |scroll, area, buffer| {
            let rows = usize::from(area.height);
            let shown = lines.into_iter().skip(scroll.y).take(rows).collect();
            paint(shown, scroll.x, area, buffer);
        })
    }

    /// A list of so many lines, of which those from `first` on are at hand: what is drawn is among them.
    pub fn part(height: usize, first: usize, lines: Vec<Line<'a>>) -> Content<'a> {
        let width = lines.iter().map(width).max().unwrap_or(0);
        Content::new((width, height), move |scroll, area, buffer| {
            let rows = usize::from(area.height);
            let shown = lines.into_iter().skip(scroll.y.saturating_sub(first)).take(rows).collect();
            paint(shown, scroll.x, area, buffer);
        })
    }

    /// One dim line in place of a content.
    pub fn nothing(app: &'a App, why: &str) -> Content<'a> {
        Content::lines(vec![Line::from(span(app, Role::Dim, format!(" {why}")))])
    }
}

/// The columns of a line.
fn width(line: &Line<'_>) -> usize {
    line.spans.iter().map(|span| printable::columns(&span.content)).sum()
}

/// Draws lines from a column on, and marks those that go on to the right.
fn paint(lines: Vec<Line<'_>>, x: usize, area: Rect, buffer: &mut Buffer) {
    let room = usize::from(area.width);
    let cut: Vec<bool> = lines.iter().map(|l| width(l) > x + room).collect();
    let x = u16::try_from(x).unwrap_or(u16::MAX);
    Paragraph::new(Text::from(lines)).scroll((0, x)).render(area, buffer);
    for (row, _) in cut.iter().enumerate().filter(|(_, cut)| **cut) {
        let at = (area.right() - 1, area.y + row as u16);
        // Of a wide character the second half is no cell of its own.
        let before = (at.0 > area.x).then(|| &mut buffer[(at.0 - 1, at.1)]);
        if let Some(cell) = before.filter(|cell| cell.symbol().width() > 1) {
            cell.set_symbol(" ");
        }
        // In the colour of what it stands for: another one would be told to the terminal, and told back.
        buffer[at].set_symbol("…");
    }
}

/// A piece of text in the style of its role, as it may be shown.
fn span<'a>(app: &App, role: Role, text: impl Into<Cow<'a, str>>) -> Span<'a> {
    let text = match text.into() {
        Cow::Borrowed(text) => printable::line(text),
        Cow::Owned(text) => match printable::line(&text) {
            Cow::Owned(shown) => Cow::Owned(shown),
            Cow::Borrowed(_) => Cow::Owned(text),
        },
    };
    Span::styled(text, app.theme.style(role))
}
