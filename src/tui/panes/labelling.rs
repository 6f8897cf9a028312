//! How the labelling of the current state came about, in place of the matrix: the same text as that
//! of `burnside canon --explain`.

use super::{paint, span};
use crate::tui::app::App;
use crate::tui::engine::Labelled;
use crate::tui::layout::Pane;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use unicode_width::UnicodeWidthStr;

pub fn extent(app: &App) -> (usize, usize) {
    let Ok(canon) = &app.canon else { return (0, 1) };
    let width = canon.explanation.iter().map(|line| line.width()).max().unwrap_or(0);
    (width, canon.explanation.len())
}

pub fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let scroll = app.scroll[Pane::Matrix.index()];
    let lines = match &app.canon {
        Ok(canon) => shown(app, canon, scroll.y, usize::from(area.height)),
        Err(why) => vec![Line::from(span(app, Role::Dim, format!(" {why}")))],
    };
    paint(app, lines, scroll.x, area, buffer);
}

fn shown<'a>(app: &App, canon: &'a Labelled, from: usize, rows: usize) -> Vec<Line<'a>> {
    let lines = canon.explanation.iter().skip(from).take(rows);
    lines.map(|line| Line::from(span(app, role(line), line.as_str()))).collect()
}

/// What leads to a partition stands out from the partitions.
fn role(line: &str) -> Role {
    if line.starts_with("W = ") || line.starts_with("The cell ") {
        Role::Changed
    } else if line.starts_with("  α") {
        Role::Dim
    } else if line.ends_with(':') {
        Role::Name
    } else {
        Role::Text
    }
}
