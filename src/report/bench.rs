//! Figures of searches: how long, how many transitions in a second, how many bytes for a state.

use super::json::{FORMAT, pretty};
use super::peers::Beside;
use super::text::duration;
use crate::printable;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// What one machine took: the fastest of its runs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    pub model: String,
    pub file: String,
    /// `Name=2 Code=2`: the sizes of the sets that are not enumerated.
    pub card: String,
    pub symmetry: String,
    pub verdict: String,
    pub complete: bool,
    pub states: u64,
    pub transitions: u64,
    pub runs: u32,
    /// Of the search, without loading.
    pub seconds: f64,
    pub transitions_per_second: f64,
    pub ns_per_transition: f64,
    pub bytes_per_state: f64,
    pub shares: Shares,
}

/// Parts of the time of a search; what is left is setting up and counting.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Shares {
    /// Guards, operations, invariants.
    pub evaluation: f64,
    /// What stands for a state.
    pub labelling: f64,
    /// Looking states up, and keeping the new ones.
    pub storing: f64,
}

/// All rows as one object, to be read again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Bench {
    pub format: u32,
    pub threads: usize,
    pub rows: Vec<Row>,
    /// What others took, where that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<Beside>,
}

impl Bench {
    pub fn new(threads: usize, rows: Vec<Row>, beside: Vec<Beside>) -> Bench {
        Bench { format: FORMAT, threads, rows, beside }
    }

    pub fn json(&self) -> String {
        pretty(self)
    }

    /// What was written before.
    ///
    /// # Errors
    /// It is something else, in words.
    pub fn read(text: &str) -> Result<Bench, String> {
        let bench: Bench = serde_json::from_str(text).map_err(|e| e.to_string())?;
        if bench.format != FORMAT {
            return Err(format!("format {} is not known", bench.format));
        }
        Ok(bench)
    }

    /// The row of the same search.
    pub fn same(&self, row: &Row) -> Option<&Row> {
        self.rows
            .iter()
            .find(|r| (&r.model, &r.card, &r.symmetry) == (&row.model, &row.card, &row.symmetry))
    }
}

const MODEL: usize = 16;

/// The line above the figures, and the rule.
pub fn header() -> String {
    let line = format!(
        "{:MODEL$} {:>10} {:>11} {:>8} {:>6} {:>6} {:>5} {:>3} {:>3} {:>3}",
        "machine", "states", "transit.", "time", "tr./s", "ns/tr.", "B/st", "ev%", "la%", "st%"
    );
    let rule: String = line.chars().map(|_| '-').collect();
    format!("{line}\n{rule}\n")
}

/// What stands behind a count: nothing, if all was counted.
pub(super) fn counted_mark(complete: bool) -> &'static str {
    if complete { "" } else { "+" }
}

/// One machine. Counts of incomplete searches have a `+`.
pub fn line(row: &Row) -> String {
    let mark = counted_mark(row.complete);
    let percent = |share: f64| format!("{:.0}", 100.0 * share);
    let model = named(&row.model, MODEL);
    let (states, transitions) =
        (format!("{}{mark}", row.states), format!("{}{mark}", row.transitions));
    format!(
        "{model} {states:>10} {transitions:>11} {:>8} {:>6} {:>6} {:>5} {:>3} {:>3} {:>3}\n",
        duration(row.seconds),
        short(row.transitions_per_second),
        short(row.ns_per_transition),
        short(row.bytes_per_state),
        percent(row.shares.evaluation),
        percent(row.shares.labelling),
        percent(row.shares.storing),
    )
}

/// The figures beside those of an earlier run.
pub fn comparison(before: &Bench, now: &[Row]) -> String {
    let mut text =
        format!("{:40} {:>10} {:>10} {:>8}\n", "ns/transition", "before", "now", "ratio");
    for row in now {
        let name = match row.card.is_empty() {
            true => row.model.clone(),
            false => format!("{} {}", row.model, row.card),
        };
        let name = named(&name, 40);
        let new = short(row.ns_per_transition);
        let _ = match before.same(row) {
            None => writeln!(text, "{name} {:>10} {new:>10} {:>8}", "-", "-"),
            Some(old) => {
                let ratio = row.ns_per_transition / old.ns_per_transition;
                let ratio = if ratio.is_finite() { format!("{ratio:.2}") } else { "-".to_owned() };
                let counts = (old.states, old.transitions) == (row.states, row.transitions);
                let note = if counts { "" } else { " *" };
                let old = short(old.ns_per_transition);
                writeln!(text, "{name} {old:>10} {new:>10} {ratio:>8}{note}")
            }
        };
    }
    let differs = |row: &Row| {
        let old = before.same(row);
        old.is_some_and(|old| (old.states, old.transitions) != (row.states, row.transitions))
    };
    if now.iter().any(differs) {
        text.push_str("* the counts are not those of before\n");
    }
    text
}

/// A name in so many columns.
pub(super) fn named(name: &str, columns: usize) -> String {
    let name = printable::clipped(&printable::line(name), columns);
    let pad = columns.saturating_sub(name.width());
    format!("{name}{:pad$}", "")
}

/// Three figures that matter, and a letter for thousands, millions and so on.
pub(super) fn short(n: f64) -> String {
    if !n.is_finite() {
        return "-".to_owned();
    }
    let (mut n, mut unit) = (n, "");
    for next in ["k", "M", "G", "T"] {
        if n < 999.5 {
            break;
        }
        n /= 1000.0;
        unit = next;
    }
    match n {
        n if n < 9.995 && !unit.is_empty() => format!("{n:.2}{unit}"),
        n if n < 99.95 && !unit.is_empty() => format!("{n:.1}{unit}"),
        n => format!("{n:.0}{unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(model: &str, states: u64, ns: f64) -> Row {
        Row {
            model: model.to_owned(),
            file: format!("{model}.mch"),
            card: "S=3".to_owned(),
            symmetry: "off".to_owned(),
            verdict: "ok".to_owned(),
            complete: states < 1000,
            states,
            transitions: 10 * states,
            runs: 3,
            seconds: 0.25 * (states % 1000) as f64,
            transitions_per_second: 1e9 / ns,
            ns_per_transition: ns,
            bytes_per_state: 24.75,
            shares: Shares { evaluation: 0.5, labelling: 0.25, storing: 1.0 },
        }
    }

    #[test]
    fn lines_fit_a_terminal_whatever_the_figures() {
        let width = header().lines().map(UnicodeWidthStr::width).max();
        assert!(width <= Some(80), "{width:?}");
        for (states, ns) in [(0, f64::NAN), (7, 93.4), (123_456_789, 99_960.0), (3, 4e9)] {
            let line = line(&row("a_machine_with_a_long_name_äöü", states, ns));
            assert!(line.trim_end().width() <= 80, "{line}");
        }
    }

    #[test]
    fn figures_are_short() {
        let all = [3.2, 93.4, 999.4, 999.6, 9994.0, 9996.0, 54_321.0, 10_752_688.0, f64::INFINITY];
        let all = all.map(short);
        assert_eq!(all, ["3", "93", "999", "1.00k", "9.99k", "10.0k", "54.3k", "10.8M", "-"]);
    }

    #[test]
    fn what_is_written_is_read_again_and_compared() {
        let before = Bench::new(1, vec![row("A", 5, 100.0), row("B", 5, 50.0)], Vec::new());
        assert_eq!(Bench::read(&before.json()).as_ref(), Ok(&before));
        assert!(Bench::read("{}").is_err() && Bench::read("MACHINE").is_err());
        let other = Bench { format: 9, ..before.clone() };
        assert!(Bench::read(&other.json()).is_err());
        let text = comparison(&before, &[row("A", 5, 50.0), row("B", 6, 50.0), row("C", 5, 1.0)]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[1].ends_with("100         50     0.50"), "{text}");
        assert!(lines[2].ends_with("50         50     1.00 *"), "{text}");
        assert!(lines[3].ends_with("-          1        -"), "{text}");
        assert_eq!(lines[4], "* the counts are not those of before");
    }
}
