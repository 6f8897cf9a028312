//! Nodes for each size of the sets as a chart: a letter for each mode, on a scale where each step up is so
//! many times as much.

use super::nodes;
use crate::report::grouped;
use crate::search::SymmetryMode;
use crate::session::comparison::Stage;
use crate::session::growth::Growing;
use crate::tui::app::App;
use crate::tui::panes::span;
use crate::tui::theme::Role;
use crate::tui::widgets::wrap::wrapped;
use ratatui::text::Line;
use std::collections::BTreeMap;

/// What is known of the growth so far.
#[derive(Clone, Debug, Default)]
pub struct Growth {
    sets: Vec<String>,
    sizes: Vec<u32>,
    points: BTreeMap<(u32, usize), Stage>,
    refused: Vec<(Option<u32>, String)>,
}

/// The letter of each mode, in their order.
const LETTERS: [char; 10] = ['o', 'f', 'c', 'm', 'a', 'e', 's', 'g', 'l', 'i'];

/// Lines of the chart above its axis.
const HEIGHT: usize = 8;
/// Columns of the figures beside the chart, and of the names below it.
const FIGURES: usize = 9;
const NAME: usize = 16;

fn index(mode: SymmetryMode) -> usize {
    SymmetryMode::ALL.iter().position(|own| *own == mode).unwrap_or(0)
}

impl Growth {
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty() && self.refused.is_empty()
    }

    /// Takes in what is new.
    pub fn take_in(&mut self, news: Growing) {
        match news {
            Growing::Begun { sets, sizes } => (self.sets, self.sizes) = (sets, sizes),
            Growing::Refused { size, why } => self.refused.push((size, why)),
            Growing::Point { size, mode, stage } => {
                self.points.insert((size, index(mode)), stage);
            }
        }
    }

    fn nodes(&self, size: u32, mode: usize) -> Option<u64> {
        self.points.get(&(size, mode)).and_then(nodes)
    }

    /// How high so many nodes stand: 0 is one node.
    fn level(&self, n: u64, most: u64) -> usize {
        let top = (most.max(2) as f64).ln();
        ((n.max(1) as f64).ln() / top * (HEIGHT - 1) as f64).round() as usize
    }

    /// The chart, the figures of each mode, and what is to be said of them.
    pub fn lines(&self, app: &App, width: usize) -> Vec<Line<'static>> {
        let dim = |text: String| Line::from(span(app, Role::Dim, text));
        let told = |text: &str| -> Vec<Line<'static>> {
            wrapped(text, width.max(20)).into_iter().map(dim).collect()
        };
        let mut lines = Vec::new();
        if !self.sizes.is_empty() {
            let sets = self.sets.join(" = ");
            lines.extend(told(&format!(
                "nodes for each size, {sets} = n; each line is so many times the one below"
            )));
            lines.extend(self.chart(app, width));
            lines.extend(self.figures(app, width));
        }
        for (size, why) in &self.refused {
            let size = size.map_or(String::new(), |n| format!("n = {n}: "));
            lines.extend(told(&format!("{size}{why}")));
        }
        let mut notes: Vec<String> = Vec::new();
        for ((size, mode), stage) in &self.points {
            let name = SymmetryMode::ALL[*mode].name();
            let why = match stage {
                Stage::Unusable(why) => format!("{name}: {why}"),
                Stage::Failed(why) => format!("{name}, n = {size}: internal error: {why}"),
                _ => continue,
            };
            if !notes.contains(&why) {
                notes.push(why);
            }
        }
        notes.iter().for_each(|note| lines.extend(told(note)));
        lines
    }

    /// Columns for each size.
    fn column(&self, width: usize) -> usize {
        (width.saturating_sub(NAME + 1) / self.sizes.len().max(1)).clamp(4, LETTERS.len() + 2)
    }

    fn chart(&self, app: &App, width: usize) -> Vec<Line<'static>> {
        let column = self.column(width);
        let all = self.points.values().filter_map(nodes);
        let most = all.max().unwrap_or(1);
        let mut lines = Vec::new();
        for level in (0..HEIGHT).rev() {
            let least = (level as f64 / (HEIGHT - 1) as f64 * (most.max(2) as f64).ln()).exp();
            let mark = format!("{:>FIGURES$} ", grouped(least.round() as u64));
            let mut text = String::new();
            for size in &self.sizes {
                let here = (0..LETTERS.len()).filter(|mode| {
                    self.nodes(*size, *mode).is_some_and(|n| self.level(n, most) == level)
                });
                let mut letters: String = here.map(|mode| LETTERS[mode]).collect();
                if letters.len() >= column {
                    // What does not fit stands in the figures below.
                    letters.truncate(column - 2);
                    letters.push('+');
                }
                text.push_str(&format!("{letters:>column$}"));
            }
            let pad = NAME.saturating_sub(FIGURES + 1);
            let axis = format!("{:>pad$}", "|");
            lines.push(Line::from(vec![
                span(app, Role::Dim, mark + &axis),
                span(app, Role::Text, text),
            ]));
        }
        lines
    }

    fn figures(&self, app: &App, width: usize) -> Vec<Line<'static>> {
        let column = self.column(width);
        let sizes: String =
            self.sizes.iter().map(|n| format!("{:>column$}", format!("n={n}"))).collect();
        let head = format!("{:NAME$}{sizes}", "");
        let mut lines = vec![Line::from(span(app, Role::Dim, head))];
        for (mode, letter) in LETTERS.iter().enumerate() {
            let name = format!("{letter} {}", SymmetryMode::ALL[mode].name());
            let figure = |size: &u32| {
                let mark = match self.points.get(&(*size, mode)) {
                    Some(Stage::Done(..)) if SymmetryMode::ALL[mode].is_approximate() => "~",
                    Some(Stage::Done(row, _)) if row.complete => "",
                    Some(Stage::Done(..)) => "+",
                    Some(Stage::Running(_)) => "…",
                    Some(Stage::Unusable(_) | Stage::Failed(_)) => "no",
                    Some(Stage::Cancelled) => "-",
                    Some(Stage::Waiting) | None => "",
                };
                let n = self.nodes(*size, mode).map(|n| short(n, column - 2)).unwrap_or_default();
                format!("{:>column$}", format!("{n}{mark}"))
            };
            let figures: String = self.sizes.iter().map(figure).collect();
            lines.push(Line::from(vec![
                span(app, Role::Name, format!("{name:<NAME$}")),
                span(app, Role::Text, figures),
            ]));
        }
        lines
    }
}

/// A count in so many columns: `12,345`, `12345`, `12k`, `3M`.
fn short(n: u64, columns: usize) -> String {
    let mut forms = vec![grouped(n), n.to_string()];
    for (unit, letter) in [(1_000, 'k'), (1_000_000, 'M'), (1_000_000_000, 'G')] {
        if n >= unit {
            forms.push(format!("{}{letter}", n / unit));
        }
    }
    let fits = forms.iter().find(|form| form.len() <= columns);
    fits.or(forms.last()).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_as_short_as_they_must() {
        assert_eq!(short(12_345, 6), "12,345");
        assert_eq!(short(12_345, 5), "12345");
        assert_eq!(short(12_345, 3), "12k");
        assert_eq!(short(1_234_567, 3), "1M");
        assert_eq!(short(7, 1), "7");
    }

    #[test]
    fn every_mode_has_a_letter_of_its_own() {
        let all: std::collections::BTreeSet<char> = LETTERS.into_iter().collect();
        assert_eq!((all.len(), LETTERS.len()), (SymmetryMode::ALL.len(), SymmetryMode::ALL.len()));
    }
}
