//! The state inspector: variables with their previous values, the invariant's conjuncts with their
//! truth, constants, the history.

use super::span;
use crate::session::ConjunctView;
use crate::session::view::Truth;
use crate::tui::app::App;
use crate::tui::engine::{Place, call};
use crate::tui::theme::Role;
use ratatui::text::Line;

pub fn note(app: &App) -> Option<(Role, String)> {
    let place = app.place.as_ref()?;
    if place.view.violation {
        return Some((Role::Bad, "invariant violated".to_owned()));
    }
    if !place.view.faults.is_empty() {
        return Some((Role::Bad, "state error".to_owned()));
    }
    if place.view.goal == Some(true) {
        return Some((Role::Good, "goal".to_owned()));
    }
    let n = place.history.len();
    let redo = if place.redo > 0 { format!(" (+{})", place.redo) } else { String::new() };
    (n > 0).then(|| (Role::Dim, format!("step {n}{redo}")))
}

pub fn lines(app: &App, width: u16) -> Vec<Line<'_>> {
    let Some(place) = &app.place else { return Vec::new() };
    let mut lines = Vec::new();
    variables(app, place, usize::from(width), &mut lines);
    faults(app, place, &mut lines);
    conjuncts(app, "INVARIANT", &place.view.invariant, &mut lines);
    conjuncts(app, "ASSERTIONS", &place.view.assertions, &mut lines);
    if let Some(goal) = place.view.goal {
        let text = if goal { "holds here" } else { "does not hold here" };
        lines.push(heading(app, "GOAL"));
        lines.push(Line::from(span(app, Role::Text, format!("  {text}"))));
    }
    if !place.view.constants.is_empty() {
        lines.push(heading(app, "CONSTANTS"));
        for (name, value) in &place.view.constants {
            lines.push(Line::from(vec![
                span(app, Role::Name, format!("  {name}")),
                span(app, Role::Text, format!(" = {value}")),
            ]));
        }
    }
    history(app, place, &mut lines);
    lines
}

fn heading(app: &App, text: &str) -> Line<'static> {
    Line::from(span(app, Role::Dim, text.to_owned()))
}

/// `*` marks a variable that the last step changed; its previous value stands behind the new one, or
/// below it where the line has no room.
fn variables<'a>(app: &App, place: &'a Place, room: usize, lines: &mut Vec<Line<'a>>) {
    if !place.view.is_state {
        let text = if place.view.constants.is_empty() {
            "not initialised: take a step (Enter)"
        } else {
            "constants are set up, variables are not initialised"
        };
        lines.push(Line::from(span(app, Role::Dim, text)));
    }
    let width = place.view.variables.iter().map(|v| v.name.chars().count()).max().unwrap_or(0);
    for variable in &place.view.variables {
        let changed = variable.previous.is_some();
        let (mark, role) = if changed { ("* ", Role::Changed) } else { ("  ", Role::Text) };
        let mut line = Line::from(vec![
            span(app, Role::Changed, mark),
            span(app, Role::Name, format!("{:<width$}", variable.name)),
            span(app, Role::Dim, " = "),
            span(app, role, variable.value.as_str()),
        ]);
        if let Some(previous) = &variable.previous {
            let behind = span(app, Role::Previous, format!("  was {previous}"));
            if line.width() + behind.width() <= room {
                line.push_span(behind);
            } else {
                lines.push(line);
                line = Line::from(span(
                    app,
                    Role::Previous,
                    format!("  {:>width$}   {previous}", "was"),
                ));
            }
        }
        lines.push(line);
    }
}

/// Most instances of operations that fail and are listed here; the list of operations has all.
const FAULTS: usize = 3;

fn faults<'a>(app: &App, place: &'a Place, lines: &mut Vec<Line<'a>>) {
    let all = &place.view.faults;
    if all.is_empty() {
        return;
    }
    lines.push(heading(app, &format!("STATE ERRORS  {}", all.len())));
    for fault in all.iter().take(FAULTS) {
        lines.push(Line::from(vec![
            span(app, Role::Fails, format!("! {}: ", call(&fault.operation, &fault.arguments))),
            span(app, Role::Fails, fault.message.as_str()),
        ]));
        for (text, value) in &fault.operands {
            lines.push(Line::from(span(app, Role::Text, format!("    {text} = {value}"))));
        }
    }
    if all.len() > FAULTS {
        let more = format!("  … and {} more", all.len() - FAULTS);
        lines.push(Line::from(span(app, Role::Dim, more)));
    }
}

fn conjuncts<'a>(app: &App, head: &str, all: &'a [ConjunctView], lines: &mut Vec<Line<'a>>) {
    if all.is_empty() {
        return;
    }
    let of = |truth| all.iter().filter(|c| c.truth == truth).count();
    let (fails, undefined) = (of(Truth::False), of(Truth::Undefined));
    let mut text = head.to_owned();
    if fails > 0 {
        text.push_str(&format!("  {fails} false"));
    }
    if undefined > 0 {
        text.push_str(&format!("  {undefined} undefined"));
    }
    lines.push(heading(app, &text));
    for conjunct in all {
        let (mark, role) = match conjunct.truth {
            Truth::True => ("T", Role::Holds),
            Truth::False => ("F", Role::Fails),
            Truth::Undefined => ("?", Role::Undefined),
            Truth::Unknown => ("-", Role::Dim),
        };
        let text_role = match conjunct.truth {
            Truth::True | Truth::Unknown => Role::Text,
            _ => role,
        };
        let label = conjunct.label.as_ref().map(|l| format!("{l}: ")).unwrap_or_default();
        lines.push(Line::from(vec![
            span(app, role, format!("{mark} ")),
            span(app, Role::Dim, label),
            span(app, text_role, conjunct.text.as_str()),
        ]));
    }
}

fn history<'a>(app: &App, place: &'a Place, lines: &mut Vec<Line<'a>>) {
    if place.history.is_empty() {
        return;
    }
    lines.push(heading(app, "HISTORY (u goes back)"));
    let digits = place.history.len().to_string().len();
    for (i, step) in place.history.iter().enumerate().rev() {
        lines.push(Line::from(vec![
            span(app, Role::Dim, format!("{:>width$} ", i + 1, width = digits + 1)),
            span(app, Role::Text, step.as_str()),
        ]));
    }
}
