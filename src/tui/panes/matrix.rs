//! The canonical matrix of the current state: the adjacency matrix of its graph in canonical order.
//!
//! ```text
//!            s0 s1│s2│x1│root     columns: cells of the first equitable partition between `│`
//!  ┌ s0      .. ..│..│10│..       rows: cells in brackets
//!  └ s1      .. ..│01│..│..       an entry has one bit for each constant and variable
//!  ╶ s2      ...
//! ```
//! Where there is no edge there are dots. The names of the rows and of the columns stay while the rest is scrolled.

use super::view::{Scroll, View};
use super::{About, Content, Pane, Panel, Room, labelling, paint, span};
use crate::report::counted;
use crate::session::CanonView;
use crate::symmetry::Order;
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::layout::Slot;
use crate::tui::theme::Role;
use crate::tui::update::Effect;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

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
    ],
};

/// The pane.
#[derive(Default)]
pub struct Matrix {
    /// It shows how the labelling came about.
    explained: bool,
}

impl Panel for Matrix {
    fn title(&self, _app: &App) -> Option<String> {
        self.explained.then(|| "Labelling".to_owned())
    }

    fn note(&self, app: &App) -> Option<(Role, String)> {
        let canon = &app.canon.as_ref().ok()?.view;
        let orbit = &canon.orbit_size;
        let n = canon.matrix.order.len();
        let vertices = if n == 1 { "vertex" } else { "vertices" };
        Some((Role::Dim, format!("{n} {vertices}, orbit {orbit}")))
    }

    fn useful(&self, app: &App) -> Vec<Action> {
        if app.focus == Pane::Matrix { vec![Action::Explain] } else { Vec::new() }
    }

    fn content<'a>(&'a self, app: &'a App, room: Room) -> Content<'a> {
        match &app.canon {
            Err(why) => Content::nothing(app, why),
            Ok(canon) if self.explained => labelling::content(app, canon, room.width),
            Ok(canon) => {
                let size = extent(app, &canon.view, room.width);
                Content::new(size, move |scroll, area, buffer| {
                    draw(app, &canon.view, scroll, area, buffer);
                })
            }
        }
    }

    fn act(&mut self, _app: &mut App, view: &mut View, action: Action) -> Option<Vec<Effect>> {
        if action != Action::Explain {
            return None;
        }
        self.explained = !self.explained;
        view.scroll_to(Scroll::default());
        Some(Vec::new())
    }
}

/// Longest name of a vertex, in columns, as it heads a row of a pane of this width: names must leave
/// room for the entries.
fn longest(width: u16) -> usize {
    usize::from(width / 4).clamp(6, 24)
}

/// How columns are headed: by their names where all of them fit, else by the numbers that stand
/// before the names of the rows.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Heads {
    /// Width of an entry.
    entry: usize,
    named: bool,
}

impl Heads {
    fn of(canon: &CanonView, width: u16) -> Heads {
        let n = canon.matrix.order.len();
        let names = canon.matrix.names.iter().map(|name| name.chars().count());
        let entry = names.max().unwrap_or(0).min(longest(width)).max(canon.matrix.labels).max(1);
        if margin(canon, true, width) + n * (entry + 1) <= usize::from(width) {
            return Heads { entry, named: true };
        }
        Heads { entry: canon.matrix.labels.max(digits(n)).max(1), named: false }
    }
}

fn digits(n: usize) -> usize {
    n.to_string().len()
}

/// Width of what stands before a row: bracket, number, name.
fn margin(canon: &CanonView, named: bool, width: u16) -> usize {
    let names = canon.matrix.names.iter().map(|n| n.chars().count());
    let number = if named { 0 } else { digits(canon.matrix.order.len()) + 1 };
    names.max().unwrap_or(0).min(longest(width)) + number + 3
}

fn extent(app: &App, canon: &CanonView, width: u16) -> (usize, usize) {
    let n = canon.matrix.order.len();
    let legend = legend(app, canon);
    let heads = Heads::of(canon, width);
    let grid = margin(canon, heads.named, width) + n * (heads.entry + 1);
    let wide = legend.iter().map(Line::width).max().unwrap_or(0);
    (grid.max(wide), 1 + n + legend.len())
}

fn draw(app: &App, canon: &CanonView, scroll: Scroll, area: Rect, buffer: &mut Buffer) {
    let n = canon.matrix.order.len();
    let heads = Heads::of(canon, area.width);
    let left = (margin(canon, heads.named, area.width) as u16).min(area.width);
    let width = usize::from(area.width - left);
    let step = heads.entry + 1;
    // Whole columns only, so that names and entries stay below each other.
    let first = scroll.x.div_ceil(step);
    let columns = first..n.min(first + width / step + 1);
    let head = Rect { x: area.x + left, width: area.width - left, height: 1, ..area };
    if !head.is_empty() {
        paint(app, vec![column_names(app, canon, heads, columns.clone())], 0, head, buffer);
    }
    let body = Rect { y: area.y + 1, height: area.height - 1, ..area };
    let (mut names, mut rows, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for row in (scroll.y..n).take(usize::from(body.height)) {
        names.push(row_name(app, canon, heads, row, area.width));
        rows.push(entries(app, canon, heads, row, columns.clone()));
    }
    let used = rows.len() as u16;
    let side = Rect { width: left, height: used, ..body };
    let grid = Rect { x: body.x + left, width: body.width - left, height: used, ..body };
    if !side.is_empty() {
        paint(app, names, 0, side, buffer);
    }
    if !grid.is_empty() {
        paint(app, rows, 0, grid, buffer);
    }
    let below = Rect { y: body.y + used, height: body.height - used, ..body };
    if !below.is_empty() {
        let from = scroll.y.saturating_sub(n);
        notes.extend(legend(app, canon).into_iter().skip(from).take(usize::from(below.height)));
        paint(app, notes, scroll.x, below, buffer);
    }
}

/// Where the cells end: true for the last vertex of each.
fn ends(canon: &CanonView) -> Vec<bool> {
    let mut ends = Vec::with_capacity(canon.matrix.order.len());
    for length in &canon.matrix.cells {
        ends.extend((1..=*length).map(|i| i == *length));
    }
    ends
}

/// A name in so many columns: its middle is left out, since what tells elements apart is at the end.
fn clip(name: &str, width: usize) -> String {
    let n = name.chars().count();
    if n <= width {
        return name.to_owned();
    }
    let end = width / 3;
    let start = width.saturating_sub(end + 1);
    let head: String = name.chars().take(start).collect();
    let tail: String = name.chars().skip(n - end).collect();
    format!("{head}…{tail}")
}

fn column_names<'a>(
    app: &App,
    canon: &'a CanonView,
    heads: Heads,
    columns: std::ops::Range<usize>,
) -> Line<'a> {
    let width = heads.entry;
    let ends = ends(canon);
    let mut spans = Vec::new();
    for column in columns {
        let name = if heads.named {
            clip(&canon.matrix.names[column], width)
        } else {
            (column + 1).to_string()
        };
        spans.push(span(app, Role::Name, format!("{name:<width$}")));
        spans.push(separator(app, ends[column]));
    }
    Line::from(spans)
}

fn separator(app: &App, end: bool) -> Span<'static> {
    span(app, Role::Cell, if end { "│" } else { " " })
}

fn row_name<'a>(app: &App, canon: &'a CanonView, heads: Heads, row: usize, width: u16) -> Line<'a> {
    let ends = ends(canon);
    let first = row == 0 || ends[row - 1];
    let bracket = match (first, ends[row]) {
        (true, true) => "╶",
        (true, false) => "┌",
        (false, false) => "│",
        (false, true) => "└",
    };
    let name = clip(&canon.matrix.names[row], longest(width));
    let number = if heads.named {
        String::new()
    } else {
        format!("{:>width$} ", row + 1, width = digits(canon.matrix.order.len()))
    };
    Line::from(vec![
        span(app, Role::Cell, bracket),
        span(app, Role::Dim, number),
        span(app, Role::Name, format!(" {name}")),
    ])
}

fn entries<'a>(
    app: &App,
    canon: &'a CanonView,
    heads: Heads,
    row: usize,
    columns: std::ops::Range<usize>,
) -> Line<'a> {
    let width = heads.entry;
    let ends = ends(canon);
    let mut spans = Vec::new();
    for column in columns {
        match canon.matrix.entries.get(&(row, column)) {
            // No edge at all: dots are easier to look past.
            None => spans.push(span(app, Role::Zero, ".".repeat(canon.matrix.labels))),
            Some(labels) => {
                let mut bits = vec![false; canon.matrix.labels];
                labels.iter().for_each(|label| bits[*label] = true);
                for run in bits.chunk_by(|a, b| a == b) {
                    let (role, digit) = if run[0] { (Role::One, "1") } else { (Role::Zero, "0") };
                    spans.push(span(app, role, digit.repeat(run.len())));
                }
            }
        }
        spans.push(Span::raw(" ".repeat(width - canon.matrix.labels.min(width))));
        spans.push(separator(app, ends[column]));
    }
    Line::from(spans)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipped_names_keep_what_tells_them_apart() {
        assert_eq!(clip("Name1", 6), "Name1");
        assert_eq!(clip("InternalName12", 9), "Inter…e12");
        assert_eq!(clip("InternalName12", 6), "Int…12");
    }
}
