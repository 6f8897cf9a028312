//! Tables of papers, each figure beside ours: what is compared, and what the comparison says.
//!
//! A figure of a paper is kept as it is printed. A count agrees with it when it is the same number,
//! or, where the paper rounds, when it rounds to the same digits. Times and speedups are of two
//! machines that have nothing to do with each other: they stand side by side and are not compared.

mod render;

use num_bigint::BigUint;
use num_traits::ToPrimitive;

pub(super) use render::quoted;
pub use render::{CSV_HEADER, csv, json, text};

/// A table with our figures in it.
#[derive(Clone, Debug)]
pub struct Table {
    /// What it is asked for by: `turner-table1`.
    pub name: &'static str,
    pub title: &'static str,
    /// The publication, and what it calls the table.
    pub source: &'static str,
    /// Heading of the labels of the rows.
    pub heading: &'static str,
    pub columns: Vec<&'static str>,
    pub rows: Vec<Row>,
    /// What there is to know about whole columns, or all of it.
    pub remarks: &'static [&'static str],
}

#[derive(Clone, Debug)]
pub struct Row {
    /// Rows of one section stand together under its name; empty where there are no sections.
    pub section: &'static str,
    pub label: String,
    /// One for each column.
    pub cells: Vec<Cell>,
}

#[derive(Clone, Debug)]
pub struct Cell {
    /// As it is printed.
    pub paper: Option<&'static str>,
    pub ours: Ours,
    /// Why the two differ.
    pub reason: Option<&'static str>,
}

/// Our figure.
#[derive(Clone, PartialEq, Debug)]
pub enum Ours {
    Found(Value),
    /// A large search, that was not asked for.
    OnlyFull,
    /// The search was ended before it was through, or did not begin.
    Unfinished,
    /// Nothing that we search has this figure.
    None,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Count(BigUint),
    /// A quotient of counts.
    Factor(f64),
    /// A quotient of counts, 1 being the whole.
    Share(f64),
    Seconds(f64),
    Milliseconds(f64),
    /// A quotient of times.
    Speedup(f64),
    /// A quotient of times, 1 being the whole.
    TimeShare(f64),
}

/// What a comparison says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    Same,
    /// The two differ, and it is known why.
    Explained,
    /// The two differ, and should not.
    Unexplained,
    /// There are no two figures, or they are times.
    NotCompared,
}

impl Agreement {
    pub fn name(self) -> &'static str {
        match self {
            Agreement::Same => "same",
            Agreement::Explained => "explained",
            Agreement::Unexplained => "unexplained",
            Agreement::NotCompared => "not-compared",
        }
    }
}

impl Value {
    /// A count.
    pub fn count(n: impl Into<BigUint>) -> Value {
        Value::Count(n.into())
    }

    fn is_time(&self) -> bool {
        match self {
            Value::Count(_) | Value::Factor(_) | Value::Share(_) => false,
            Value::Seconds(_)
            | Value::Milliseconds(_)
            | Value::Speedup(_)
            | Value::TimeShare(_) => true,
        }
    }

    /// Whether a figure as it is printed is this value, rounded as it may be.
    fn is_printed(&self, printed: &str) -> bool {
        let plain: String = printed.chars().filter(|c| !matches!(c, ',' | '%')).collect();
        match self {
            Value::Count(n) if plain.bytes().all(|b| b.is_ascii_digit()) => plain == n.to_string(),
            Value::Count(n) => rounds_to(n.to_f64().unwrap_or(f64::INFINITY), &plain),
            Value::Share(x) => rounds_to(100.0 * x, &plain),
            Value::Factor(x)
            | Value::Seconds(x)
            | Value::Milliseconds(x)
            | Value::Speedup(x)
            | Value::TimeShare(x) => rounds_to(*x, &plain),
        }
    }
}

/// Whether a number is the one that `digits` says, up to half of its last digit. `digits` may have a
/// fraction and an exponent: `56`, `0.1`, `1.56e6`.
fn rounds_to(x: f64, digits: &str) -> bool {
    let (mantissa, exponent) = digits.split_once('e').unwrap_or((digits, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let (Ok(number), Ok(exponent)) = (digits.parse::<f64>(), exponent.parse::<i32>()) else {
        return false;
    };
    if !number.is_finite() {
        return false;
    }
    let last = 10f64.powi(exponent - i32::try_from(decimals).unwrap_or(i32::MAX));
    // A half may go either way.
    (x - number).abs() <= last * 0.5 * (1.0 + 1e-9)
}

impl Cell {
    pub fn agreement(&self) -> Agreement {
        match (self.paper, &self.ours) {
            (Some(_), Ours::Found(value)) if value.is_time() => Agreement::NotCompared,
            (Some(paper), Ours::Found(value)) if value.is_printed(paper) => Agreement::Same,
            (Some(_), Ours::Found(_)) if self.reason.is_some() => Agreement::Explained,
            (Some(_), Ours::Found(_)) => Agreement::Unexplained,
            _ => Agreement::NotCompared,
        }
    }
}

impl Table {
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.rows.iter().flat_map(|row| &row.cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_figures_are_read_as_they_round() {
        let count = |n: u64, printed| Value::count(n).is_printed(printed);
        assert!(count(1227, "1227") && count(1227, "1,227"));
        assert!(!count(1227, "1277"));
        assert!(count(1_557_370, "1.56e6") && !count(1_557_370, "1.55e6"));
        assert!(count(44_795_429, "4.48e7") && !count(44_795_429, "4.48e4"));
        assert!(count(257_290, "2.6e5") && !count(257_290, "2.7e5"));
        assert!(Value::Factor(13.5).is_printed("14") && !Value::Factor(13.4).is_printed("14"));
        assert!(Value::Share(0.5625).is_printed("56%") && !Value::Share(0.57).is_printed("56%"));
        assert!(!count(1, "") && !count(1, "one") && !count(1, "1e99999"));
    }

    #[test]
    fn a_difference_needs_a_reason() {
        let cell = |paper, ours, reason| Cell { paper, ours, reason };
        let ours = || Ours::Found(Value::count(5u8));
        assert_eq!(cell(Some("5"), ours(), None).agreement(), Agreement::Same);
        assert_eq!(cell(Some("5"), ours(), Some("why")).agreement(), Agreement::Same);
        assert_eq!(cell(Some("6"), ours(), Some("why")).agreement(), Agreement::Explained);
        assert_eq!(cell(Some("6"), ours(), None).agreement(), Agreement::Unexplained);
        assert_eq!(cell(None, ours(), None).agreement(), Agreement::NotCompared);
        assert_eq!(cell(Some("6"), Ours::OnlyFull, None).agreement(), Agreement::NotCompared);
        let time = Ours::Found(Value::Seconds(0.1));
        assert_eq!(cell(Some("2666"), time, None).agreement(), Agreement::NotCompared);
    }
}
