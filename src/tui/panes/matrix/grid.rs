//! A matrix on the screen: names of rows and columns that stay while the rest is scrolled, lines between cells,
//! and what is said above and below it.

use crate::symmetry::Matrix;
use crate::tui::app::App;
use crate::tui::panes::view::Scroll;
use crate::tui::panes::{paint, span};
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use std::borrow::Cow;
use std::ops::Range;

/// What is drawn.
pub struct Grid<'a> {
    pub matrix: Cow<'a, Matrix>,
    /// Lines above the matrix, which stay.
    pub above: Vec<Line<'static>>,
    pub below: Vec<Line<'static>>,
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
    fn of(matrix: &Matrix, width: u16) -> Heads {
        let n = matrix.order.len();
        let names = matrix.names.iter().map(|name| name.chars().count());
        let entry = names.max().unwrap_or(0).min(longest(width)).max(matrix.labels).max(1);
        if margin(matrix, true, width) + n * (entry + 1) <= usize::from(width) {
            return Heads { entry, named: true };
        }
        Heads { entry: matrix.labels.max(digits(n)).max(1), named: false }
    }
}

fn digits(n: usize) -> usize {
    n.to_string().len()
}

/// Width of what stands before a row: bracket, number, name.
fn margin(matrix: &Matrix, named: bool, width: u16) -> usize {
    let names = matrix.names.iter().map(|n| n.chars().count());
    let number = if named { 0 } else { digits(matrix.order.len()) + 1 };
    names.max().unwrap_or(0).min(longest(width)) + number + 3
}

impl Grid<'_> {
    /// Columns and lines of all of it.
    pub fn extent(&self, width: u16) -> (usize, usize) {
        let n = self.matrix.order.len();
        let heads = Heads::of(&self.matrix, width);
        let grid = margin(&self.matrix, heads.named, width) + n * (heads.entry + 1);
        let wide = self.below.iter().map(Line::width).max().unwrap_or(0);
        (grid.max(wide), self.above.len() + 1 + n + self.below.len())
    }

    pub fn draw(self, app: &App, scroll: Scroll, area: Rect, buffer: &mut Buffer) {
        let Grid { matrix, above, below } = self;
        let high = u16::try_from(above.len()).unwrap_or(u16::MAX).min(area.height);
        let top = Rect { height: high, ..area };
        if !top.is_empty() {
            paint(above, 0, top, buffer);
        }
        let area = Rect { y: area.y + high, height: area.height - high, ..area };
        if area.is_empty() {
            return;
        }
        let n = matrix.order.len();
        let heads = Heads::of(&matrix, area.width);
        let left = (margin(&matrix, heads.named, area.width) as u16).min(area.width);
        let width = usize::from(area.width - left);
        let step = heads.entry + 1;
        // Whole columns only, so that names and entries stay below each other.
        let first = scroll.x.div_ceil(step);
        let columns = first..n.min(first + width / step + 1);
        let head = Rect { x: area.x + left, width: area.width - left, height: 1, ..area };
        if !head.is_empty() {
            paint(vec![column_names(app, &matrix, heads, columns.clone())], 0, head, buffer);
        }
        let body = Rect { y: area.y + 1, height: area.height - 1, ..area };
        let (mut names, mut rows) = (Vec::new(), Vec::new());
        for row in (scroll.y..n).take(usize::from(body.height)) {
            names.push(row_name(app, &matrix, heads, row, area.width));
            rows.push(entries(app, &matrix, heads, row, columns.clone()));
        }
        let used = rows.len() as u16;
        let side = Rect { width: left, height: used, ..body };
        let grid = Rect { x: body.x + left, width: body.width - left, height: used, ..body };
        if !side.is_empty() {
            paint(names, 0, side, buffer);
        }
        if !grid.is_empty() {
            paint(rows, 0, grid, buffer);
        }
        let rest = Rect { y: body.y + used, height: body.height - used, ..body };
        if !rest.is_empty() {
            let from = scroll.y.saturating_sub(n);
            let notes = below.into_iter().skip(from).take(usize::from(rest.height)).collect();
            paint(notes, scroll.x, rest, buffer);
        }
    }
}

/// Where the cells end: true for the last vertex of each.
fn ends(matrix: &Matrix) -> Vec<bool> {
    let mut ends = Vec::with_capacity(matrix.order.len());
    for length in &matrix.cells {
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

fn column_names(app: &App, matrix: &Matrix, heads: Heads, columns: Range<usize>) -> Line<'static> {
    let width = heads.entry;
    let ends = ends(matrix);
    let mut spans = Vec::new();
    for column in columns {
        let name =
            if heads.named { clip(&matrix.names[column], width) } else { (column + 1).to_string() };
        spans.push(span(app, Role::Text, format!("{name:<width$}")));
        spans.push(separator(app, &ends, column));
    }
    Line::from(spans)
}

/// What stands behind a column; nothing behind the last one.
fn separator(app: &App, ends: &[bool], column: usize) -> Span<'static> {
    let text = match ends[column] {
        _ if column + 1 == ends.len() => "",
        true => "│",
        false => " ",
    };
    span(app, Role::Cell, text)
}

fn row_name(app: &App, matrix: &Matrix, heads: Heads, row: usize, width: u16) -> Line<'static> {
    let ends = ends(matrix);
    let first = row == 0 || ends[row - 1];
    let bracket = match (first, ends[row]) {
        (true, true) => "╶",
        (true, false) => "┌",
        (false, false) => "│",
        (false, true) => "└",
    };
    let name = clip(&matrix.names[row], longest(width));
    let number = if heads.named {
        String::new()
    } else {
        format!("{:>width$} ", row + 1, width = digits(matrix.order.len()))
    };
    Line::from(vec![
        span(app, Role::Cell, bracket),
        span(app, Role::Dim, number),
        span(app, Role::Text, format!(" {name}")),
    ])
}

fn entries(
    app: &App,
    matrix: &Matrix,
    heads: Heads,
    row: usize,
    columns: Range<usize>,
) -> Line<'static> {
    let width = heads.entry;
    let ends = ends(matrix);
    let mut spans = Vec::new();
    for column in columns {
        match matrix.entries.get(&(row, column)) {
            // No edge at all: dots are easier to look past.
            None => spans.push(span(app, Role::Zero, ".".repeat(matrix.labels))),
            Some(labels) => {
                let mut bits = vec![false; matrix.labels];
                labels.iter().for_each(|label| bits[*label] = true);
                for run in bits.chunk_by(|a, b| a == b) {
                    let (role, digit) = if run[0] { (Role::One, "1") } else { (Role::Zero, "0") };
                    spans.push(span(app, role, digit.repeat(run.len())));
                }
            }
        }
        spans.push(Span::raw(" ".repeat(width - matrix.labels.min(width))));
        spans.push(separator(app, &ends, column));
    }
    Line::from(spans)
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
