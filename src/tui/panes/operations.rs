//! The enabled transitions, from which one takes a step.

use super::span;
use crate::tui::app::App;
use crate::tui::engine::{Place, call};
use crate::tui::layout::Pane;
use crate::tui::theme::Role;
use ratatui::text::Line;

/// What one sees here, for the help.
pub const HELP: &[&str] = &[
    "What the machine can do in this state: each line is an operation with its arguments. Enter takes it.",
    "!       this instance ends in a state error",
];

pub fn note(app: &App) -> Option<(Role, String)> {
    let place = app.place.as_ref()?;
    let total = place.view.enabled;
    if place.view.deadlock {
        return Some((Role::Bad, "deadlock".to_owned()));
    }
    let cut = if place.view.stopped.is_some() { "+" } else { "" };
    let faults = place.view.faults.len();
    let role = if faults > 0 { Role::Bad } else { Role::Dim };
    let failing = if faults > 0 { format!(", {faults} failing") } else { String::new() };
    let at = if total == 0 { 0 } else { app.selected + 1 };
    Some((role, format!("{at}/{total}{cut}{failing}")))
}

fn digits(place: &Place) -> usize {
    place.operations.len().to_string().len()
}

/// What comes below the list.
fn rest(app: &App, place: &Place) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let listed = place.operations.len();
    if place.view.enabled > listed {
        let more = format!("  … and {} more that are not listed", place.view.enabled - listed);
        lines.push(Line::from(span(app, Role::Dim, more)));
    }
    if let Some(why) = &place.view.stopped {
        lines.push(Line::from(span(app, Role::Bad, format!("! {why}"))));
    }
    for fault in &place.view.faults {
        let text = format!("! {}: {}", call(&fault.operation, &fault.arguments), fault.message);
        lines.push(Line::from(span(app, Role::Bad, text)));
    }
    if lines.is_empty() && listed == 0 {
        let text = match (place.view.deadlock, place.view.is_state) {
            (true, _) => "deadlock: no operation is enabled",
            (false, false) => "the machine cannot be set up: no solution",
            (false, true) => "",
        };
        lines.push(Line::from(span(app, Role::Bad, format!("! {text}"))));
    }
    lines
}

pub fn extent(app: &App) -> (usize, usize) {
    let Some(place) = &app.place else { return (0, 1) };
    let rest = rest(app, place);
    let texts = place.operations.iter().map(|o| unicode_width::UnicodeWidthStr::width(&*o.text));
    let listed = texts.max().unwrap_or(0) + digits(place) + 3;
    let width = rest.iter().map(Line::width).max().unwrap_or(0).max(listed);
    (width, place.operations.len() + rest.len())
}

/// The lines that are drawn; those far from the screen are left empty.
pub fn lines(app: &App, width: u16) -> Vec<Line<'_>> {
    let Some(place) = &app.place else { return Vec::new() };
    let top = app.scroll[Pane::Operations.index()].y;
    let near = top..top + usize::from(app.height);
    let digits = digits(place);
    let mut lines: Vec<Line<'_>> = Vec::with_capacity(place.operations.len());
    for (i, operation) in place.operations.iter().enumerate() {
        if !near.contains(&i) {
            lines.push(Line::default());
            continue;
        }
        let chosen = i == app.selected;
        let cursor = if chosen { '>' } else { ' ' };
        let text = format!("{cursor}{:>digits$} {}", i + 1, operation.text);
        if chosen {
            let role = if app.focus == Pane::Operations {
                Role::Selected
            } else {
                Role::SelectedUnfocused
            };
            let wanted = usize::from(width);
            let have = unicode_width::UnicodeWidthStr::width(text.as_str());
            let pad = " ".repeat(wanted.saturating_sub(have));
            lines.push(Line::from(span(app, role, text + &pad)));
        } else {
            lines.push(Line::from(span(app, Role::Text, text)));
        }
    }
    lines.extend(rest(app, place));
    lines
}
