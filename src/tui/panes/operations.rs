//! The enabled transitions, from which one takes a step.

use super::view::{Scroll, View, moved};
use super::{About, Content, Pane, Panel, Room, span};
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::engine::{Command, Offered, Place, call};
use crate::tui::files::Place as SourcePlace;
use crate::tui::layout::Slot;
use crate::tui::theme::Role;
use crate::tui::update::Effect;
use ratatui::text::Line;
use std::sync::Arc;

pub const ABOUT: About = About {
    name: "operations",
    title: "Operations",
    slot: Slot::LeftBottom,
    help: &[
        "What the machine can do in this state: each line is an operation with its arguments. Enter takes it.",
        "!       this instance ends in a state error",
    ],
};

/// The pane.
#[derive(Default)]
pub struct Operations {
    /// Which of the rows is selected.
    selected: usize,
    /// The place whose operations are listed.
    place: Option<Arc<Place>>,
    /// The text that they have to have.
    filter: String,
    /// Numbers of the transitions that have it.
    rows: Vec<usize>,
}

impl Panel for Operations {
    fn note(&self, app: &App) -> Option<(Role, String)> {
        let place = app.place.as_ref()?;
        let total = place.view.enabled;
        if place.view.deadlock {
            return Some((Role::Bad, "deadlock".to_owned()));
        }
        let cut = if place.view.stopped.is_some() { "+" } else { "" };
        let faults = place.view.faults.len();
        let role = if faults > 0 { Role::Bad } else { Role::Dim };
        let failing = if faults > 0 { format!(", {faults} failing") } else { String::new() };
        let at = self.chosen().map_or(0, |i| i + 1);
        let filter = match self.filter.is_empty() {
            true => String::new(),
            false => format!(", {} with `{}`", self.rows.len(), self.filter),
        };
        Some((role, format!("{at}/{total}{cut}{failing}{filter}")))
    }

    fn useful(&self, app: &App) -> Vec<Action> {
        let mut actions = vec![Action::Take, Action::Undo];
        if app.place.as_ref().is_some_and(|p| p.redo > 0) {
            actions.push(Action::Redo);
        }
        actions
    }

    fn content<'a>(&'a self, app: &'a App, room: Room) -> Content<'a> {
        let Some(place) = &app.place else { return Content::lines(app, Vec::new()) };
        Content::lines(app, self.lines(app, place, room))
    }

    fn cursor(&self) -> Option<usize> {
        (!self.rows.is_empty()).then_some(self.selected)
    }

    fn act(&mut self, app: &mut App, view: &mut View, action: Action) -> Option<Vec<Effect>> {
        let place = app.place.clone()?;
        let count = self.rows.len();
        match action {
            Action::Take => match self.chosen() {
                Some(number) => {
                    let command = Command::Step { place: place.number, number };
                    return Some(app.engine(command));
                }
                None if self.filter.is_empty() => app.complain("no operation is enabled here"),
                None => app.complain(format!("nothing that is enabled has `{}`", self.filter)),
            },
            Action::Left | Action::Right => return None,
            // Faults alone can be longer than the pane.
            _ if action.is_motion() && count == 0 => return None,
            _ if action.is_motion() => {
                let before = self.selected;
                self.selected = moved(self.selected, action, view.rows(), count - 1);
                if before == self.selected && matches!(action, Action::Down | Action::PageDown) {
                    say_rest(app, &place);
                }
                app.chosen = self.chosen();
                app.look_at = app.chosen_place().and_then(|p| app.files.shown(p));
            }
            _ => return None,
        }
        Some(Vec::new())
    }

    fn settle(&mut self, app: &mut App, view: &mut View) {
        let same = match (&self.place, &app.place) {
            (Some(own), Some(now)) => Arc::ptr_eq(own, now),
            (own, now) => own.is_none() && now.is_none(),
        };
        if same && self.filter == app.filter {
            return;
        }
        let chosen = self.chosen();
        let before = std::mem::replace(&mut self.place, app.place.clone());
        self.filter.clone_from(&app.filter);
        let Some(place) = &self.place else { return };
        self.rows = with(place, &self.filter);
        let kept = chosen.map_or(0, |i| kept(before.as_deref(), i, place));
        self.selected = self.rows.iter().position(|i| *i == kept).unwrap_or(0);
        view.scroll_to(Scroll::default());
        app.chosen = self.chosen();
        let (Some(before), Some(place)) = (before, &self.place) else { return };
        if before.history != place.history
            && !place.history.is_empty()
            && app.focus != Pane::Source
            && !app.is_broken()
        {
            app.look_at = where_to_look(app, place);
        }
    }
}

impl Operations {
    /// Number of the selected transition.
    fn chosen(&self) -> Option<usize> {
        self.rows.get(self.selected).copied()
    }

    /// The lines that are drawn; those far from the screen are left empty.
    fn lines<'a>(&self, app: &'a App, place: &Place, room: Room) -> Vec<Line<'a>> {
        let rows = usize::from(room.height);
        let near = room.top.min(self.selected.saturating_sub(rows));
        let near = near..room.top.max(self.selected) + rows;
        let digits = digits(place);
        let mut lines: Vec<Line<'_>> = Vec::with_capacity(self.rows.len());
        for (row, number) in self.rows.iter().enumerate() {
            let Some(operation) = place.operations.get(*number).filter(|_| near.contains(&row))
            else {
                lines.push(Line::default());
                continue;
            };
            let chosen = row == self.selected;
            let cursor = if chosen { '>' } else { ' ' };
            let text = format!("{cursor}{:>digits$} {}", number + 1, operation.text);
            if chosen {
                let role = if room.focused { Role::Selected } else { Role::SelectedUnfocused };
                let wanted = usize::from(room.width);
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
}

/// The transitions that have a text, whatever the case of its letters.
fn with(place: &Place, text: &str) -> Vec<usize> {
    let text = text.to_lowercase();
    let has = |i: &usize| place.operations[*i].text.to_lowercase().contains(&text);
    (0..place.operations.len()).filter(|i| text.is_empty() || has(i)).collect()
}

/// The selection stays at the same operation with the same arguments, else at the same operation.
fn kept(before: Option<&Place>, selected: usize, place: &Place) -> usize {
    let old = before.and_then(|p| p.operations.get(selected));
    let same = |o: &Offered| old.is_some_and(|old| old.text == o.text);
    let alike = |o: &Offered| old.is_some_and(|old| old.name == o.name);
    let at = place.operations.iter().position(same);
    at.or(place.operations.iter().position(alike)).unwrap_or(0)
}

/// Where something is wrong with the state that place, else the declaration of the selected operation.
fn where_to_look(app: &App, place: &Place) -> Option<SourcePlace> {
    let broken = place.broken.keys().next().and_then(|place| app.files.shown(*place));
    broken.or_else(|| app.files.shown(app.chosen_place()?))
}

/// At the end of the list: how many operations fail in this state.
fn say_rest(app: &mut App, place: &Place) {
    let faults = place.view.faults.len();
    if faults > 0 {
        app.complain(format!("{faults} more end in a state error: see the state pane"));
    }
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
