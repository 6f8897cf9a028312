//! What other model checkers took for the systems that were searched here.

use super::bench::{Row, counted_mark, named, short};
use super::text::duration;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The search of a row, and the same by others.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Beside {
    pub model: String,
    pub card: String,
    pub states: u64,
    pub transitions: u64,
    pub complete: bool,
    pub seconds: f64,
    pub ns_per_transition: f64,
    pub peers: Vec<Peer>,
}

/// One other checker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Peer {
    pub name: String,
    /// Nothing, where it was not run.
    pub figures: Option<Figures>,
    /// Why it has no figures.
    pub missing: Option<String>,
}

/// What another checker found, and how long it took.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Figures {
    pub states: u64,
    /// As it counts them.
    pub transitions: u64,
    pub seconds: f64,
    /// For a transition as burnside counts them.
    pub ns_per_transition: f64,
    /// Its time over ours.
    pub ratio: f64,
    /// Whether it checks what the invariant says beyond types.
    pub checks: bool,
    /// Whether it has found as many states.
    pub agrees: bool,
}

/// Columns of a name.
const NAME: usize = 32;

impl Beside {
    pub fn new(row: &Row) -> Beside {
        Beside {
            model: row.model.clone(),
            card: row.card.clone(),
            states: row.states,
            transitions: row.transitions,
            complete: row.complete,
            seconds: row.seconds,
            ns_per_transition: row.ns_per_transition,
            peers: Vec::new(),
        }
    }

    /// Adds what is to be told of another checker.
    pub fn add(&mut self, name: &str, found: Result<Figures, String>) {
        let (figures, missing) = match found {
            Ok(figures) => (Some(figures), None),
            Err(why) => (None, Some(why)),
        };
        self.peers.push(Peer { name: name.to_owned(), figures, missing });
    }

    /// The checkers that found another number of states.
    pub fn others(&self) -> impl Iterator<Item = (&str, Figures)> {
        let figures = self.peers.iter().filter_map(|p| Some((p.name.as_str(), p.figures?)));
        figures.filter(|(_, figures)| !figures.agrees)
    }

    /// As lines of a table: burnside's own, and one for each of the others.
    pub fn text(&self) -> String {
        let name = format!("{} {}", self.model, self.card);
        let mut text = String::new();
        let ours = (self.states, self.transitions, self.seconds, self.ns_per_transition);
        line(&mut text, &name, ours, counted_mark(self.complete), "1");
        for peer in &self.peers {
            let name = format!("  {}", peer.name);
            match (&peer.figures, &peer.missing) {
                (Some(f), _) => {
                    let note = match (f.agrees, f.checks) {
                        (false, _) => " !",
                        (true, false) => " *",
                        (true, true) => "",
                    };
                    let ratio = format!("{:.2}{note}", f.ratio);
                    let figures = (f.states, f.transitions, f.seconds, f.ns_per_transition);
                    line(&mut text, &name, figures, "", &ratio);
                }
                (None, why) => {
                    let why = why.as_deref().unwrap_or_default();
                    let _ = writeln!(text, "{} {}", named(&name, 22), named(why, 57).trim_end());
                }
            }
        }
        text
    }
}

type Numbers = (u64, u64, f64, f64);

fn line(text: &mut String, name: &str, numbers: Numbers, mark: &str, ratio: &str) {
    let (states, transitions, seconds, ns) = numbers;
    let (states, transitions) = (format!("{states}{mark}"), format!("{transitions}{mark}"));
    let name = named(name, NAME);
    let (time, ns) = (duration(seconds), short(ns));
    let _ = writeln!(text, "{name} {states:>10} {transitions:>11} {time:>8} {ns:>6} {ratio}");
}

/// The line above the figures, and the rule.
pub fn header() -> String {
    let line = format!(
        "{:NAME$} {:>10} {:>11} {:>8} {:>6} ratio",
        "beside others", "states", "transit.", "time", "ns/tr."
    );
    let rule: String = line.chars().map(|_| '-').collect();
    format!("{line}\n{rule}\n")
}

/// What the signs mean that stand in some lines.
pub fn legend(all: &[Beside]) -> String {
    let figures = || all.iter().flat_map(|b| &b.peers).filter_map(|p| p.figures);
    let mut text = String::new();
    if figures().any(|f| f.agrees && !f.checks) {
        text.push_str("* it does not check the invariant\n");
    }
    if figures().any(|f| !f.agrees) {
        text.push_str("! it has found another number of states: one of the two is wrong\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::bench::Shares;
    use unicode_width::UnicodeWidthStr;

    fn beside() -> Beside {
        let mut beside = Beside::new(&Row {
            model: "phonebook_with_a_name".to_owned(),
            file: "p.mch".to_owned(),
            card: "Name=7 Code=7".to_owned(),
            symmetry: "off".to_owned(),
            verdict: "ok".to_owned(),
            complete: true,
            states: 2_097_152,
            transitions: 38_535_169,
            runs: 1,
            seconds: 3.2,
            transitions_per_second: 1.2e7,
            ns_per_transition: 84.0,
            bytes_per_state: 24.0,
            shares: Shares::default(),
        });
        let figures = Figures {
            states: 2_097_152,
            transitions: 38_535_168,
            seconds: 9.6,
            ns_per_transition: 249.0,
            ratio: 3.0,
            checks: false,
            agrees: true,
        };
        beside.add("SPIN, depth first", Ok(figures));
        beside.add("rumur", Err("not installed: there is no `rumur`".to_owned()));
        beside.add("other", Ok(Figures { states: 7, agrees: false, checks: true, ..figures }));
        beside
    }

    #[test]
    fn others_stand_below_ours_and_those_that_differ_are_marked() {
        let text = format!("{}{}{}", header(), beside().text(), legend(&[beside()]));
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.iter().all(|l| l.width() <= 80), "{text}");
        assert!(lines[2].ends_with("84 1") && lines[3].ends_with("249 3.00 *"), "{text}");
        assert!(lines[4].contains("rumur") && lines[4].ends_with("no `rumur`"), "{text}");
        assert!(lines[5].ends_with("3.00 !") && lines.len() == 8, "{text}");
        assert!(beside().others().map(|(name, _)| name).eq(["other"]));
    }
}
