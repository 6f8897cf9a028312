//! How the labelling of the current state came about, in place of the matrix: the same text as that
//! of `burnside canon --explain`.

use super::{paint, span};
use crate::tui::app::App;
use crate::tui::engine::Labelled;
use crate::tui::layout::Pane;
use crate::tui::theme::Role;
use crate::tui::widgets::wrap::wrapped;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use unicode_width::UnicodeWidthStr;

pub fn extent(app: &App, width: u16) -> (usize, usize) {
    let Ok(canon) = &app.canon else { return (0, 1) };
    let lines = lines(canon, width);
    (lines.iter().map(|(_, line)| line.width()).max().unwrap_or(0), lines.len())
}

pub fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let scroll = app.scroll[Pane::Matrix.index()];
    let lines = match &app.canon {
        Ok(canon) => lines(canon, area.width)
            .into_iter()
            .skip(scroll.y)
            .take(usize::from(area.height))
            .map(|(role, line)| Line::from(span(app, role, line)))
            .collect(),
        Err(why) => vec![Line::from(span(app, Role::Dim, format!(" {why}")))],
    };
    paint(app, lines, scroll.x, area, buffer);
}

/// The text, with matrices as they are and everything else broken into lines.
fn lines(canon: &Labelled, width: u16) -> Vec<(Role, String)> {
    let mut lines = Vec::new();
    for line in &canon.explanation {
        let role = role(line);
        if line.contains(" | ") || line.contains("-+-") {
            lines.push((role, line.clone()));
        } else {
            let parts = wrapped(line, usize::from(width).max(20));
            lines.extend(parts.into_iter().map(|part| (role, part)));
        }
    }
    lines
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
