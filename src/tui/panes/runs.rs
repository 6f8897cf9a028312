//! Every save is an experiment: the last runs of the check with what has changed, and the traces that are
//! replayed on every new machine.

use super::view::{View, moved};
use super::{About, Content, Panel, Room, span};
use crate::session::ledger::{Book, Kept};
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::engine::Command;
use crate::tui::layout::Slot;
use crate::tui::panes::Pane;
use crate::tui::theme::Role;
use crate::tui::update::Effect;
use crate::tui::widgets::wrap::wrapped;
use ratatui::text::Line;
use std::sync::Arc;

pub const ABOUT: About = About {
    name: "runs",
    title: "Runs",
    slot: Slot::RightTop,
    help: &[
        "The traces that are replayed whenever the machine is saved: counterexamples that were found, and \
         traces that were saved or loaded. Enter or t goes to the end of the selected one, T to its start.",
        "pass    it runs, and nothing is wrong at its end; or it is a counterexample that can no longer happen",
        "FAIL    something is wrong at its end; or it is another trace, and no longer runs to its end",
        "Below them the last runs of the check, the newest first, each with what changed: the verdict, \
         operations, what came to fail or to hold, the counts, and the shortest run that the machine has now \
         and did not have before.",
    ],
};

/// The pane.
#[derive(Default)]
pub struct Runs {
    /// Number of the selected trace.
    selected: usize,
    book: Arc<Book>,
}

impl Panel for Runs {
    fn note(&self, app: &App) -> Option<(Role, String)> {
        let all = app.book.traces.len();
        match (app.book.failing(), all, app.book.runs.len()) {
            (0, 0, n) => (n > 1).then(|| (Role::Dim, format!("{n} runs"))),
            (0, all, _) => Some((Role::Good, format!("{all} of {all} traces pass"))),
            (n, all, _) => Some((Role::Bad, format!("{n} of {all} traces FAIL"))),
        }
    }

    fn content<'a>(&'a self, app: &'a App, room: Room) -> Content<'a> {
        let width = usize::from(room.width).max(20);
        let mut lines = Vec::new();
        for (i, kept) in app.book.traces.iter().enumerate() {
            let (mark, role) = mark(kept);
            let name_role = match (i == self.selected, room.focused) {
                (true, true) => Role::Selected,
                (true, false) => Role::SelectedUnfocused,
                _ => Role::Name,
            };
            let cursor = if i == self.selected { '>' } else { ' ' };
            lines.push(Line::from(vec![
                span(app, role, format!("{cursor}{mark} ")),
                span(app, name_role, kept.name.as_str()),
            ]));
            let text = kept.trial.as_ref().map_or("not replayed yet", |trial| &trial.text);
            lines.push(Line::from(span(app, Role::Text, format!("      {text}"))));
        }
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        for noted in app.book.runs.iter().rev() {
            let text = format!("{}  {}", noted.time, noted.run.summary());
            lines.push(Line::from(span(app, Role::Name, text)));
            for change in noted.run.message.iter().chain(&noted.changes) {
                for part in wrapped(&format!("  {change}"), width) {
                    lines.push(Line::from(span(app, Role::Text, part)));
                }
            }
        }
        if lines.is_empty() {
            return Content::nothing(app, "no check has ended yet");
        }
        Content::lines(lines)
    }

    fn cursor(&self) -> Option<usize> {
        (!self.book.traces.is_empty()).then_some(self.selected * 2)
    }

    fn act(&mut self, app: &mut App, view: &mut View, action: Action) -> Option<Vec<Effect>> {
        if app.focus != Pane::Runs {
            return None;
        }
        let last = self.book.traces.len().checked_sub(1)?;
        match action {
            Action::Take | Action::FollowTrace | Action::WalkTrace => {
                let steps = self.book.traces.get(self.selected)?.steps.clone();
                let to_end = action != Action::WalkTrace;
                Some(app.engine(Command::Follow { steps, to_end }))
            }
            Action::Up | Action::Down if action == Action::Up || self.selected < last => {
                self.selected = moved(self.selected, action, view.rows(), last);
                Some(Vec::new())
            }
            _ => None,
        }
    }

    fn select(&mut self, _app: &mut App, line: usize) {
        if line < 2 * self.book.traces.len() {
            self.selected = line / 2;
        }
    }

    fn settle(&mut self, app: &mut App, _view: &mut View) {
        if !Arc::ptr_eq(&self.book, &app.book) {
            self.book.clone_from(&app.book);
            self.selected = self.selected.min(self.book.traces.len().saturating_sub(1));
        }
    }
}

fn mark(kept: &Kept) -> (&'static str, Role) {
    match &kept.trial {
        Some(trial) if trial.passes => ("pass", Role::Good),
        Some(_) => ("FAIL", Role::Bad),
        None => ("   -", Role::Dim),
    }
}
