//! Partial order reduction: what it follows in this state and why, and what is known of the operations.

use super::{About, Content, Panel, Room, span};
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::engine::Reduced;
use crate::tui::layout::Slot;
use crate::tui::panes::Pane;
use crate::tui::theme::Role;
use crate::tui::widgets::wrap::wrapped;
use ratatui::text::Line;

pub const ABOUT: About = About {
    name: "reduction",
    title: "Reduction",
    slot: Slot::RightBottom,
    help: &[
        "Partial order reduction: which of the enabled instances a check follows in this state, and why the \
         others may wait; a check tries states as far as that saves more than it takes. Below that, which \
         operations depend on each other and which can enable which, as burnside analyse prints it.",
    ],
};

/// The pane.
#[derive(Default)]
pub struct Reduction;

impl Panel for Reduction {
    fn note(&self, app: &App) -> Option<(Role, String)> {
        let method = app.search.por?;
        let followed = app.reduced.as_ref().and_then(|r| r.followed.as_ref()).map(|f| {
            let (n, waiting) = (f.chosen.len(), f.waiting.len());
            format!(", {n} of {}", n + waiting)
        });
        Some((Role::Dim, format!("{}{}", method.name(), followed.unwrap_or_default())))
    }

    fn useful(&self, app: &App) -> Vec<Action> {
        if app.focus == Pane::Reduction { vec![Action::Reduction] } else { Vec::new() }
    }

    fn content<'a>(&'a self, app: &'a App, room: Room) -> Content<'a> {
        if app.search.por.is_none() {
            let key = app.keymap.keys(Action::Reduction).join(" ");
            return Content::nothing(app, &format!("off ({key}: ample or stubborn sets)"));
        }
        let Some(reduced) = &app.reduced else { return Content::nothing(app, "not known") };
        Content::lines(lines(app, reduced, usize::from(room.width).max(20)))
    }
}

fn lines<'a>(app: &'a App, reduced: &'a Reduced, width: usize) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    let mut say = |role: Role, text: &str| {
        for part in wrapped(text, width) {
            lines.push(Line::from(span(app, role, part)));
        }
    };
    match &reduced.followed {
        None => say(Role::Dim, "no state to choose in yet"),
        Some(followed) => {
            say(Role::Name, &followed.title);
            if !followed.waiting.is_empty() {
                say(Role::Good, &format!("  follow  {}", followed.chosen.join(", ")));
                say(Role::Previous, &format!("  wait    {}", followed.waiting.join(", ")));
            }
            for why in followed.why.iter().filter(|why| !why.is_empty()) {
                say(Role::Text, &format!("- {why}"));
            }
            if !followed.waiting.is_empty() && reduced.circles {
                let text =
                    "where a step leads back to a state that was numbered before, all are followed";
                say(Role::Dim, &format!("- {text}"));
            }
        }
    }
    for text in reduced.text.iter() {
        // The matrices stay as they are.
        lines.push(Line::from(span(app, Role::Dim, text.as_str())));
    }
    lines
}
