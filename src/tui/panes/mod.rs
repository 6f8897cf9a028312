//! The panes, one file each. A pane is a list of lines made from the application's state.

mod check;
mod labelling;
mod matrix;
mod operations;
mod source;
mod state;

use super::app::App;
use super::layout::{Pane, below_title};
use super::theme::Role;
use super::widgets::title;
use crate::printable;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Widget};
use std::borrow::Cow;

/// Draws a pane with its title.
pub fn draw(app: &App, pane: Pane, area: Rect, buffer: &mut Buffer) {
    let note = match pane {
        Pane::Operations => operations::note(app),
        Pane::Source => source::note(app),
        Pane::State => state::note(app),
        Pane::Matrix => matrix::note(app),
        Pane::Check => check::note(app),
    };
    let inner = below_title(area);
    let (_, height) = extent(app, pane, inner);
    let name = match pane {
        Pane::Source => source::title(app),
        Pane::Matrix if app.explained => "Labelling".to_owned(),
        pane => pane.title().to_owned(),
    };
    title::draw(app, pane, &name, note, height, area, buffer);
    if inner.is_empty() {
        return;
    }
    match pane {
        Pane::Source => source::draw(app, inner, buffer),
        Pane::Matrix if app.explained => labelling::draw(app, inner, buffer),
        Pane::Matrix => matrix::draw(app, inner, buffer),
        Pane::Operations => lines(app, pane, operations::lines(app, inner.width), inner, buffer),
        Pane::State => lines(app, pane, state::lines(app, inner.width), inner, buffer),
        Pane::Check => {
            lines(app, pane, check::lines(app, inner.width, inner.height), inner, buffer)
        }
    }
}

/// What one sees in a pane, line by line.
pub fn help(pane: Pane) -> &'static [&'static str] {
    match pane {
        Pane::Operations => operations::HELP,
        Pane::Source => source::HELP,
        Pane::State => state::HELP,
        Pane::Matrix => matrix::HELP,
        Pane::Check => check::HELP,
    }
}

/// Width and height of what a pane shows, in columns and lines, when this is its rectangle.
pub fn extent(app: &App, pane: Pane, inner: Rect) -> (usize, usize) {
    let Rect { width, height, .. } = inner;
    let measure =
        |lines: &[Line<'_>]| (lines.iter().map(Line::width).max().unwrap_or(0), lines.len());
    match pane {
        Pane::Source => source::extent(app),
        Pane::Matrix if app.explained => labelling::extent(app, width),
        Pane::Matrix => matrix::extent(app, width),
        Pane::Operations => operations::extent(app),
        Pane::State => measure(&state::lines(app, width)),
        Pane::Check => measure(&check::lines(app, width, height)),
    }
}

/// Draws the part of a list of lines that the scrolling says.
fn lines(app: &App, pane: Pane, lines: Vec<Line<'_>>, area: Rect, buffer: &mut Buffer) {
    let scroll = app.scroll[pane.index()];
    let shown: Vec<Line<'_>> =
        lines.into_iter().skip(scroll.y).take(usize::from(area.height)).collect();
    paint(app, shown, scroll.x, area, buffer);
}

/// Draws lines from a column on, and marks those that go on to the right.
fn paint(app: &App, lines: Vec<Line<'_>>, x: usize, area: Rect, buffer: &mut Buffer) {
    let width = usize::from(area.width);
    let cut: Vec<bool> = lines.iter().map(|l| l.width() > x + width).collect();
    let x = u16::try_from(x).unwrap_or(u16::MAX);
    Paragraph::new(Text::from(lines)).scroll((0, x)).render(area, buffer);
    for (row, _) in cut.iter().enumerate().filter(|(_, cut)| **cut) {
        let at = (area.right() - 1, area.y + row as u16);
        buffer.set_string(at.0, at.1, "…", app.theme.style(Role::Dim));
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
