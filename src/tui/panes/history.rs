//! The tree of the runs that were made, from which one goes to any step.

use super::{About, Content, Panel, Room, span};
use crate::report::counted;
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::engine::{Command, Place};
use crate::tui::layout::Slot;
use crate::tui::panes::Pane;
use crate::tui::panes::view::{View, moved};
use crate::tui::past::TreeRow;
use crate::tui::theme::Role;
use crate::tui::update::Effect;
use ratatui::text::Line;
use std::sync::Arc;

pub const ABOUT: About = About {
    name: "history",
    title: "History",
    slot: Slot::RightTop,
    help: &[
        "All steps that were taken: nothing is lost by going back, by another way, or by an edit. Enter goes \
         to the selected step. Branches that were left stand further to the right, below the step at which \
         they begin.",
        "i compares the state of the selected step with the one that is shown, side by side: whether they are of one \
         orbit, and by which names, or what tells them apart.",
        "=>      the state that is shown, * the steps to it",
        "x       a step that the machine no longer does; it comes back when the machine does it again",
    ],
};

/// The pane.
#[derive(Default)]
pub struct History {
    selected: usize,
    place: Option<Arc<Place>>,
}

impl Panel for History {
    fn note(&self, app: &App) -> Option<(Role, String)> {
        let rows = &app.place.as_ref()?.tree;
        let lost = rows.iter().filter(|row| row.place.is_none()).count();
        let steps = rows.iter().filter(|row| row.place.is_some()).count().saturating_sub(1);
        let lost = if lost > 0 { format!(", {lost} lost") } else { String::new() };
        Some((Role::Dim, format!("{}{lost}", counted(steps, "step"))))
    }

    fn useful(&self, app: &App) -> Vec<Action> {
        if app.focus == Pane::History { vec![Action::Unfold] } else { Vec::new() }
    }

    fn content<'a>(&'a self, app: &'a App, room: Room) -> Content<'a> {
        let Some(place) = &app.place else { return Content::lines(Vec::new()) };
        let rows = place.tree.iter().enumerate();
        Content::lines(rows.map(|(i, row)| self.line(app, i, row, room)).collect())
    }

    fn cursor(&self) -> Option<usize> {
        self.place.as_ref().map(|_| self.selected)
    }

    fn act(&mut self, app: &mut App, view: &mut View, action: Action) -> Option<Vec<Effect>> {
        if app.focus != Pane::History {
            return None;
        }
        let place = self.place.clone()?;
        match action {
            Action::Take => match place.tree.get(self.selected).map(|row| row.place) {
                Some(Some(id)) => return Some(app.engine(Command::GoTo(id))),
                Some(None) => app.complain("the machine does not do this step as it is now"),
                None => {}
            },
            Action::Unfold => match place.tree.get(self.selected) {
                Some(TreeRow { place: Some(id), step, .. }) => {
                    app.paired = *step;
                    return Some(app.engine(Command::Pair(*id)));
                }
                _ => app.complain("the machine does not do this step as it is now"),
            },
            Action::Left | Action::Right => return None,
            _ if action.is_motion() => {
                let last = place.tree.len().saturating_sub(1);
                self.selected = moved(self.selected, action, view.rows(), last);
            }
            _ => return None,
        }
        Some(Vec::new())
    }

    fn select(&mut self, _app: &mut App, line: usize) {
        let last = self.place.as_ref().map_or(0, |place| place.tree.len().saturating_sub(1));
        self.selected = line.min(last);
    }

    fn settle(&mut self, app: &mut App, _view: &mut View) {
        let same = match (&self.place, &app.place) {
            (Some(own), Some(now)) => Arc::ptr_eq(own, now),
            (own, now) => own.is_none() && now.is_none(),
        };
        if !same {
            self.place.clone_from(&app.place);
            let here = self.place.as_ref().and_then(|p| p.tree.iter().position(|row| row.here));
            self.selected = here.unwrap_or(0);
        }
    }
}

impl History {
    fn line<'a>(&self, app: &'a App, number: usize, row: &'a TreeRow, room: Room) -> Line<'a> {
        let mark = match row {
            TreeRow { here: true, .. } => "=>",
            TreeRow { place: None, .. } => " x",
            TreeRow { on_path: true, .. } => " *",
            _ => "  ",
        };
        let indent = "| ".repeat(row.indent);
        let text = format!("{mark}{indent}{:>3} {}", row.step, row.text);
        let role = match row {
            _ if number == self.selected && room.focused => Role::Selected,
            TreeRow { place: None, .. } => Role::Dim,
            TreeRow { here: true, .. } => Role::Changed,
            TreeRow { on_path: true, .. } => Role::Text,
            _ => Role::Previous,
        };
        Line::from(span(app, role, text))
    }
}
