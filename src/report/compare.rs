//! The table of a comparison: one row per size, the modes side by side, as in Turner et al., table 1.

use super::json::{FORMAT, pretty};
use super::tables::quoted;
use super::text::duration;
use crate::printable;
use crate::search::{Outcome, PorMethod, SymmetryMode};
use crate::setup::Bound;
use serde::Serialize;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The header of the CSV form.
pub const CSV_HEADER: &str = "card,symmetry,seconds,nodes,transitions,complete,verdict";

/// Why a search that is through has not counted all.
pub const NOT_LEFT: &str = "states that violate something are counted and not left";

/// How a column is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mode {
    pub symmetry: SymmetryMode,
    pub por: Option<PorMethod>,
}

impl Mode {
    pub fn name(self) -> String {
        match self.por {
            None => self.symmetry.name().to_owned(),
            Some(por) => format!("{}+{}", self.symmetry.name(), por.name()),
        }
    }
}

/// Why the method that was asked for cannot be used on the machine, if that is so.
pub fn refusal(outcome: &Outcome) -> Option<&str> {
    outcome.bounds.iter().find_map(|bound| match bound {
        Bound::MainArray(why) => Some(why.as_str()),
        _ => None,
    })
}

/// One size under one mode.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// `Name=2 Code=2`
    pub card: String,
    /// With the partial order reduction, where there is one: `canon+stubborn`.
    pub symmetry: String,
    pub seconds: f64,
    pub nodes: u64,
    pub transitions: u64,
    /// All that the machine has was counted.
    pub complete: bool,
    pub verdict: &'static str,
}

impl Row {
    /// What a search has counted; `pruned`: states that violate something were not left.
    pub fn new(card: &str, outcome: &Outcome, pruned: bool) -> Row {
        let counts = [outcome.violating_states, outcome.assertion_violations];
        let violating =
            counts.into_iter().flatten().chain([outcome.undefined_checks]).any(|n| n > 0);
        Row {
            card: card.to_owned(),
            symmetry: Mode { symmetry: outcome.symmetry, por: outcome.partial.map(|p| p.method) }
                .name(),
            seconds: outcome.seconds,
            nodes: outcome.nodes,
            transitions: outcome.transitions,
            complete: outcome.complete && !(pruned && violating),
            verdict: outcome.verdict.name(),
        }
    }

    pub fn csv(&self) -> String {
        let Row { card, symmetry, seconds, nodes, transitions, complete, verdict } = self;
        let card = quoted(&printable::line(card));
        format!("{card},{symmetry},{seconds:.6},{nodes},{transitions},{complete},{verdict}\n")
    }
}

#[derive(Serialize)]
struct Table<'a> {
    format: u32,
    model: &'a str,
    rows: &'a [Row],
}

/// The whole table as one object.
pub fn json(model: &str, rows: &[Row]) -> String {
    pretty(&Table { format: FORMAT, model, rows })
}

/// The text form, written row by row while the searches run.
pub struct TextTable {
    card: usize,
    modes: Vec<Mode>,
}

const TIME: usize = 9;
const RATIO: usize = 8;
const NODES: usize = 11;
const TRANSITIONS: usize = 13;

impl TextTable {
    /// A table whose first column has room for these sizes.
    pub fn new<'a>(cards: impl Iterator<Item = &'a str>, modes: &[Mode]) -> TextTable {
        let widths = cards.map(|card| printable::line(card).width());
        let card = widths.max().unwrap_or(0).max("card".len());
        TextTable { card, modes: modes.to_vec() }
    }

    /// Three lines: the modes, and what stands in the columns.
    pub fn header(&self) -> String {
        let mut modes = format!("{:1$}", "", self.card);
        let mut columns = format!("{:1$}", "card", self.card);
        for (k, mode) in self.modes.iter().enumerate() {
            let ratio = if k == 0 { 0 } else { RATIO };
            let width = TIME + ratio + NODES + TRANSITIONS;
            let _ = write!(modes, " | {:<width$}", mode.name());
            let _ = write!(columns, " | {:>TIME$}", "time");
            if k > 0 {
                let _ = write!(columns, "{:>RATIO$}", "ratio");
            }
            let _ = write!(columns, "{:>NODES$}{:>TRANSITIONS$}", "nodes", "transitions");
        }
        let rule: String = columns.chars().map(|c| if c == '|' { '+' } else { '-' }).collect();
        format!("{}\n{columns}\n{rule}\n", modes.trim_end())
    }

    /// One size. Counts of incomplete searches have a `+`.
    pub fn row(&self, rows: &[Row]) -> String {
        let card = printable::line(rows.first().map_or("", |r| &r.card));
        let pad = self.card.saturating_sub(card.width());
        let mut line = format!("{card}{:pad$}", "");
        for (k, row) in rows.iter().enumerate() {
            let _ = write!(line, " | {:>TIME$}", duration(row.seconds));
            if k > 0 {
                let _ = write!(line, "{:>RATIO$}", ratio(rows[0].seconds, row.seconds));
            }
            let mark = if row.complete { "" } else { "+" };
            let nodes = format!("{}{mark}", row.nodes);
            let transitions = format!("{}{mark}", row.transitions);
            let _ = write!(line, "{nodes:>NODES$}{transitions:>TRANSITIONS$}");
        }
        line.push('\n');
        line
    }
}

/// How many times faster than the first mode.
pub fn ratio(first: f64, this: f64) -> String {
    match first / this {
        r if !r.is_finite() => "-".to_owned(),
        r if r < 100.0 => format!("{r:.2}"),
        r => format!("{r:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let modes =
            [SymmetryMode::Off, SymmetryMode::Canon].map(|symmetry| Mode { symmetry, por: None });
        let table = TextTable::new(["Name=2 Code=2"].into_iter(), &modes);
        let row = |symmetry: &str, seconds, complete| Row {
            card: "Name=2 Code=2".to_owned(),
            symmetry: symmetry.to_owned(),
            seconds,
            nodes: 10,
            transitions: 37,
            complete,
            verdict: "ok",
        };
        let text =
            table.header() + &table.row(&[row("off", 0.5, true), row("canon", 0.001, false)]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4);
        let bars = |line: &str, bar| line.match_indices(bar).map(|(i, _)| i).collect::<Vec<_>>();
        assert_eq!(bars(lines[0], '|'), bars(lines[1], '|'));
        assert_eq!(bars(lines[1], '|'), bars(lines[2], '+'));
        assert_eq!(bars(lines[1], '|'), bars(lines[3], '|'));
        assert_eq!(lines[1].chars().count(), lines[3].chars().count());
        assert!(lines[3].ends_with("     500        10+          37+"), "{text}");
    }

    #[test]
    fn a_row_as_csv() {
        let row = Row {
            card: "A=1 B=2".to_owned(),
            symmetry: Mode { symmetry: SymmetryMode::Canon, por: Some(PorMethod::Ample) }.name(),
            seconds: 0.25,
            nodes: 3,
            transitions: 4,
            complete: false,
            verdict: "none-found",
        };
        assert_eq!(row.csv(), "A=1 B=2,canon+ample,0.250000,3,4,false,none-found\n");
        assert_eq!(row.csv().matches(',').count(), CSV_HEADER.matches(',').count());
    }
}
