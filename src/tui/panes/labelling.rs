//! How the labelling of the current state came about, in place of the matrix: the same text as that
//! of `burnside canon --explain`.

use super::{Content, span};
use crate::tui::app::App;
use crate::tui::engine::Labelled;
use crate::tui::theme::Role;
use crate::tui::widgets::wrap::wrapped;
use ratatui::text::Line;

pub fn content<'a>(app: &'a App, canon: &Labelled, width: u16) -> Content<'a> {
    let lines = lines(canon, width).into_iter();
    Content::lines(lines.map(|(role, line)| Line::from(span(app, role, line))).collect())
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
