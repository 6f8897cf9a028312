//! The machine's text: coloured, with the enabled operations marked in the margin.
//!
//! ```text
//!  12   add(nn, cc) =
//!  ^^ number of the line; then, where an operation begins, `▶` with the number of its enabled
//!     instances, and `!` where instances end in a state error; `F` and `?` where a conjunct is false
//!     or undefined in the state; `×` where an error is
//! ```

use super::{paint, span};
use crate::session::view::Truth;
use crate::syntax::TokenClass;
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::files::Place;
use crate::tui::layout::Pane;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use std::collections::{BTreeMap, BTreeSet};

/// What one sees here, for the help.
pub const HELP: &[&str] = &[
    "The text of the machine as it was read last.",
    "▶n      n instances of the operation are enabled in this state; ! some end in a state error",
    "F ?     a conjunct of the invariant, or an assertion, that is false or undefined in this state",
    "×       an error of the last reading",
];

/// Width of the margin: the mark.
const MARK: usize = 4;

fn role(class: Option<TokenClass>) -> Role {
    match class {
        None => Role::Text,
        Some(TokenClass::Keyword) => Role::Keyword,
        Some(TokenClass::Identifier) => Role::Identifier,
        Some(TokenClass::Number) => Role::Number,
        Some(TokenClass::String) => Role::String,
        Some(TokenClass::Comment) => Role::Comment,
        Some(TokenClass::Operator) => Role::Operator,
        Some(TokenClass::Wrong) => Role::Wrong,
    }
}

/// The name of the file that is shown, and which of several it is.
pub fn title(app: &App) -> String {
    let name = Pane::Source.title();
    match (app.shown_file(), app.files.list.len()) {
        (None, _) => name.to_owned(),
        (Some(file), 1) => format!("{name} {}", file.name),
        (Some(file), n) => format!("{name} {} {}/{n}", file.name, app.file + 1),
    }
}

pub fn note(app: &App) -> Option<(Role, String)> {
    app.stale.then(|| (Role::Warning, "stale".to_owned()))
}

fn digits(app: &App) -> usize {
    let lines = app.shown_file().map_or(0, |f| f.text.lines.len());
    lines.to_string().len().max(2)
}

pub fn extent(app: &App) -> (usize, usize) {
    let Some(file) = app.shown_file() else { return (0, 1) };
    (digits(app) + MARK + 1 + file.text.width, file.text.lines.len())
}

/// What stands in place of a text.
fn nothing(app: &App) -> String {
    if app.loading {
        return format!(" reading {} ...", app.name);
    }
    let key = app.keymap.keys(Action::Errors).join(" ");
    format!(" no machine: see the errors ({key})")
}

pub fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let Some(file) = app.shown_file() else {
        let line = Line::from(span(app, Role::Dim, nothing(app)));
        return paint(app, vec![line], 0, area, buffer);
    };
    let scroll = app.scroll[Pane::Source.index()];
    let margin = (digits(app) + MARK + 1).min(usize::from(area.width));
    let place = app.place.as_ref();
    let here = |p: Place| app.files.shown(p).filter(|p| p.file == app.file).map(|p| p.line);
    let chosen = place.and_then(|p| p.operations.get(app.selected)?.declared).and_then(here);
    let marks: BTreeMap<usize, (usize, usize)> = place
        .into_iter()
        .flat_map(|p| &p.marks)
        .filter_map(|(place, counts)| Some((here(*place)?, *counts)))
        .collect();
    let wrong: BTreeSet<usize> = app
        .diagnostics
        .iter()
        .filter(|d| d.error)
        .filter_map(|d| d.place.filter(|p| p.file == app.file).map(|p| p.line))
        .collect();
    let broken: BTreeMap<usize, Truth> = place
        .into_iter()
        .flat_map(|p| &p.broken)
        .filter_map(|(place, truth)| Some((here(*place)?, *truth)))
        .collect();
    let shown = file.text.lines.iter().enumerate().skip(scroll.y);
    let (mut margins, mut texts) = (Vec::new(), Vec::new());
    for (number, pieces) in shown.take(usize::from(area.height)) {
        let enabled = marks.get(&number).copied();
        let mark = match enabled {
            _ if wrong.contains(&number) => "×".to_owned(),
            _ if broken.get(&number) == Some(&Truth::False) => "F".to_owned(),
            _ if broken.contains_key(&number) => "?".to_owned(),
            None | Some((0, 0)) => String::new(),
            Some((0, _)) => "!".to_owned(),
            Some((n, failing)) => {
                let many = if n < 100 { n.to_string() } else { "99+".to_owned() };
                let fails = if failing > 0 && n < 100 { "!" } else { "" };
                format!("▶{many}{fails}")
            }
        };
        let mark_role = match enabled {
            _ if wrong.contains(&number) => Role::Bad,
            _ if broken.contains_key(&number) => Role::Fails,
            Some((_, 1..)) => Role::Bad,
            _ if chosen == Some(number) => Role::Changed,
            _ => Role::Mark,
        };
        let label = format!("{:>width$} ", number + 1, width = digits(app));
        margins.push(Line::from(vec![
            span(app, Role::LineNumber, label),
            span(app, mark_role, format!("{mark:<MARK$}")),
        ]));
        let spans = pieces.iter().map(|(class, text)| span(app, role(*class), text.as_str()));
        texts.push(Line::from_iter(spans));
    }
    let left = Rect { width: margin as u16, ..area };
    let right = Rect { x: area.x + margin as u16, width: area.width - margin as u16, ..area };
    paint(app, margins, 0, left, buffer);
    if !right.is_empty() {
        paint(app, texts, scroll.x, right, buffer);
    }
}
