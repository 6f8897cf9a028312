//! The canonical matrix of the current state: the adjacency matrix of its graph in canonical order, or in the
//! order of a step of the way there.
//!
//! ```text
//!            s0 s1│s2│x1│root     columns: cells of the first equitable partition between `│`
//!  ┌ s0      .. ..│..│10│..       rows: cells in brackets
//!  └ s1      .. ..│01│..│..       an entry has one bit for each constant and variable
//!  ╶ s2      ...
//! ```
//! Where there is no edge there are dots. The names of the rows and of the columns stay while the rest is scrolled.

mod grid;

use super::view::{Scroll, View};
use super::{About, Content, Pane, Panel, Room, labelling, span};
use crate::report::counted;
use crate::report::labelling::{fits, stage};
use crate::session::CanonView;
use crate::symmetry::Order;
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::engine::Labelled;
use crate::tui::layout::Slot;
use crate::tui::theme::Role;
use crate::tui::update::Effect;
use crate::tui::widgets::wrap::wrapped;
use grid::Grid;
use ratatui::text::Line;
use std::borrow::Cow;
use std::sync::Arc;

pub const ABOUT: About = About {
    name: "matrix",
    title: "Matrix",
    slot: Slot::RightBottom,
    help: &[
        "The state as a graph, written as a matrix. Each row and column is an element of a set; states that \
         differ only in which elements play which part have the same matrix, and the search keeps one of them.",
        "bits    one for each constant and variable: 1 where it links the row to the column",
        "cells   elements between lines (│, brackets) that the first look cannot tell apart",
        "orbit   the states that differ from this one by names of elements only",
        "] and [ go through the steps of the labelling, forth and back, with the cells after each; x tells all of \
         them as a text.",
    ],
};

/// The pane.
#[derive(Default)]
pub struct Matrix {
    /// It shows how the labelling came about.
    explained: bool,
    /// The step of the labelling that is shown, from 0 on.
    step: Option<usize>,
    /// Of this labelling.
    of: Option<Arc<Labelled>>,
}

/// What the words above the matrix mean.
const WORDS: &str =
    "cell: alike so far; label: a constant or variable; step: its edges split a cell";

impl Panel for Matrix {
    fn title(&self, _app: &App) -> Option<String> {
        self.explained.then(|| "Labelling".to_owned())
    }

    fn note(&self, app: &App) -> Option<(Role, String)> {
        let canon = &app.canon.as_ref().ok()?.view;
        if let Some(step) = self.step.filter(|_| !self.explained) {
            let last = steps(canon).saturating_sub(1);
            return Some((Role::Running, format!("step {step} of {last}")));
        }
        let orbit = &canon.orbit_size;
        let n = canon.matrix.order.len();
        let vertices = if n == 1 { "vertex" } else { "vertices" };
        Some((Role::Dim, format!("{n} {vertices}, orbit {orbit}")))
    }

    fn useful(&self, app: &App) -> Vec<Action> {
        match app.focus == Pane::Matrix {
            true => vec![Action::Refine, Action::Unrefine, Action::Explain],
            false => Vec::new(),
        }
    }

    fn content<'a>(&'a self, app: &'a App, room: Room) -> Content<'a> {
        let grid = match &app.canon {
            Err(why) => {
                let why = app.no_start().unwrap_or_else(|| why.clone());
                return Content::nothing(app, &why);
            }
            Ok(canon) if self.explained => return labelling::content(app, canon, room.width),
            Ok(canon) => match self.step {
                Some(step) => at_step(app, &canon.view, step, room),
                None => {
                    let matrix = Cow::Borrowed(&canon.view.matrix);
                    Grid { matrix, above: Vec::new(), below: legend(app, &canon.view) }
                }
            },
        };
        let size = grid.extent(room.width);
        Content::new(size, move |scroll, area, buffer| grid.draw(app, scroll, area, buffer))
    }

    fn act(&mut self, app: &mut App, view: &mut View, action: Action) -> Option<Vec<Effect>> {
        match action {
            Action::Explain => {
                self.explained = !self.explained;
                view.scroll_to(Scroll::default());
            }
            Action::Refine | Action::Unrefine => self.go(app, view, action == Action::Refine),
            _ => return None,
        }
        Some(Vec::new())
    }

    fn settle(&mut self, app: &mut App, _view: &mut View) {
        let same = match (&self.of, &app.canon) {
            (Some(own), Ok(now)) => Arc::ptr_eq(own, now),
            _ => false,
        };
        if !same {
            self.step = None;
            self.of = app.canon.as_ref().ok().cloned();
        }
    }
}

/// How many stages the labelling has.
fn steps(canon: &CanonView) -> usize {
    canon.walk.nodes.iter().map(|node| 1 + node.splits.len()).sum()
}

impl Matrix {
    /// A step of the labelling forth or back; before the first one stands the matrix as it is in the end.
    fn go(&mut self, app: &mut App, view: &mut View, forth: bool) {
        let canon = match &app.canon {
            Ok(canon) => canon.clone(),
            Err(why) => {
                let why = why.clone();
                return app.complain(why);
            }
        };
        if let Err(why) = fits(&canon.view) {
            return app.complain(why);
        }
        let last = steps(&canon.view).saturating_sub(1);
        (self.explained, self.step) = (
            false,
            match (self.step, forth) {
                (None, true) => Some(0),
                (None, false) => Some(last),
                (Some(step), true) if step < last => Some(step + 1),
                (Some(0), false) => None,
                (Some(step), false) => Some(step - 1),
                (Some(step), true) => {
                    app.say("the labelling ends here: each vertex is a cell of its own");
                    Some(step)
                }
            },
        );
        app.front[ABOUT.slot as usize] = Pane::Matrix;
        view.scroll_to(Scroll::default());
    }
}

/// The matrix in the order of the cells after a step, with what the step did.
fn at_step(app: &App, canon: &CanonView, step: usize, room: Room) -> Grid<'static> {
    let stages = canon.walk.stages();
    let now = &stages[step.min(stages.len() - 1)];
    let cells = now.partition.iter().map(Vec::len).collect();
    let matrix = canon.before.reordered(now.partition.concat(), cells);
    let told = |role, text: &str| -> Vec<Line<'static>> {
        let parts = wrapped(text, usize::from(room.width).max(20)).into_iter();
        parts.map(|part| Line::from(span(app, role, part))).collect()
    };
    let mut above = told(Role::Changed, &stage(canon, now));
    // The matrix itself has to be seen.
    above.truncate(usize::from(room.height / 3).max(1));
    let mut below = vec![Line::default()];
    below.extend(told(Role::Dim, WORDS));
    below.push(Line::from(span(
        app,
        Role::Dim,
        format!("bits: {}", crate::report::canon::bits(canon)),
    )));
    Grid { matrix: Cow::Owned(matrix), above, below }
}

/// What the bits and the special vertices mean.
fn legend(app: &App, canon: &CanonView) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default()];
    let bits = crate::report::canon::bits(canon);
    lines.push(Line::from(span(app, Role::Dim, format!("bits: {bits}"))));
    let text = "      (a bit is 1 where that name links the row to the column)";
    lines.push(Line::from(span(app, Role::Dim, text)));
    for (name, value) in &canon.legend {
        lines.push(Line::from(span(app, Role::Dim, format!("{name} = {value}"))));
    }
    let cells = counted(canon.matrix.cells.len(), "cell");
    let one = canon.aut_order == Order::ONE;
    let automorphisms = if one { "automorphism" } else { "automorphisms" };
    let counts =
        format!("{cells}, {} in the orbit, {} {automorphisms}", canon.orbit_size, canon.aut_order);
    lines.push(Line::from(span(app, Role::Dim, counts)));
    let text = "orbit: the states that differ from this one by names of elements only";
    lines.push(Line::from(span(app, Role::Dim, text)));
    lines
}
