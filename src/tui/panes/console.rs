//! What was asked, and the answers.

use super::{About, Content, Panel, Room, span};
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::layout::Slot;
use crate::tui::panes::Pane;
use crate::tui::panes::view::{Scroll, View};
use crate::tui::theme::Role;
use crate::tui::widgets::wrap::wrapped;
use ratatui::text::Line;

pub const ABOUT: About = About {
    name: "console",
    title: "Console",
    slot: Slot::RightBottom,
    help: &[
        "Formulas that were asked in the last line, the newest first, with the step they were asked at. \
         An expression gives its value and type; a predicate its truth, and where it is false the values that \
         make it so. Names that the machine does not declare are free: the solutions are listed. Tab completes \
         names, the arrows call older lines up.",
    ],
};

/// The pane.
#[derive(Default)]
pub struct Console {
    /// How many answers there were when it was looked at last.
    seen: usize,
}

impl Panel for Console {
    fn note(&self, app: &App) -> Option<(Role, String)> {
        let n = app.console.len();
        (n > 0).then(|| (Role::Dim, format!("{n} asked")))
    }

    fn useful(&self, app: &App) -> Vec<Action> {
        if app.focus == Pane::Console { vec![Action::Ask] } else { Vec::new() }
    }

    fn content<'a>(&'a self, app: &'a App, room: Room) -> Content<'a> {
        if app.console.is_empty() {
            let keys = app.keymap.keys(Action::Ask).join(" ");
            return Content::nothing(app, &format!("{keys} asks for the value of a formula here"));
        }
        let width = usize::from(room.width).max(20);
        let mut lines = Vec::new();
        for exchange in app.console.iter().rev() {
            let at = span(app, Role::Dim, format!("{:>3} ", exchange.step));
            lines.push(Line::from(vec![at, span(app, Role::Name, exchange.formula.as_str())]));
            for line in &exchange.lines {
                let role = if exchange.refused { Role::Bad } else { Role::Text };
                for part in wrapped(&format!("    {line}"), width) {
                    lines.push(Line::from(span(app, role, part)));
                }
            }
        }
        Content::lines(lines)
    }

    fn settle(&mut self, app: &mut App, view: &mut View) {
        if self.seen != app.console.len() {
            self.seen = app.console.len();
            view.scroll_to(Scroll::default());
        }
    }
}
