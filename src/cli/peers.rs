//! Other model checkers beside ours: those that are installed search the same systems, and the numbers of
//! states must agree.
//!
//! Three machines are told to SPIN and rumur in texts of their own (`benches/peers`); TLC4B reads B itself, and so
//! any machine that it takes.

mod checkers;
mod process;

use super::Failure;
use super::input::Input;
use super::signals::Interrupt;
use crate::report::bench::Row;
use crate::report::peers::{Beside, Figures};
use crate::session::Good;
use checkers::{Found, Order, Task, write};
use process::{Missing, Until};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// A machine that others are told, too.
pub struct Work {
    /// Of its file.
    name: &'static str,
    machine: &'static str,
    promela: &'static str,
    murphi: &'static str,
    /// Whether SPIN's text checks what the machine's invariant says beyond types.
    spin_checks: bool,
    /// The sizes of its sets, unless others are asked for.
    sizes: &'static [(&'static str, u64)],
}

macro_rules! work {
    ($name:literal, $checks:literal, $($set:literal: $size:literal),+) => {
        Work {
            name: concat!($name, ".mch"),
            machine: include_str!(concat!("../../models/", $name, ".mch")),
            promela: include_str!(concat!("../../benches/peers/", $name, ".pml")),
            murphi: include_str!(concat!("../../benches/peers/", $name, ".m")),
            spin_checks: $checks,
            sizes: &[$(($set, $size)),+],
        }
    };
}

/// The systems that SPIN and rumur have texts of.
pub const WORKS: &[Work] = &[
    work!("phonebook_db", true, "Name": 7, "Code": 7),
    work!("scheduler0", false, "PROC": 12),
    work!("peterson", true, "PROC": 5),
];

impl Work {
    pub fn input(&self) -> Input {
        Input::embedded(self.name, self.machine)
    }

    /// The sizes of its sets, where some are asked for.
    pub fn cards(&self, asked: &[(String, u64)]) -> Vec<(String, u64)> {
        let size = |(set, usual): &(&str, u64)| {
            let other = asked.iter().rev().find(|(name, _)| name == set);
            ((*set).to_owned(), other.map_or(*usual, |(_, n)| *n))
        };
        self.sizes.iter().map(size).collect()
    }
}

/// # Errors
/// A size is asked for of a set that none of the machines has.
pub fn look_at(asked: &[(String, u64)]) -> Result<(), Failure> {
    let all: BTreeSet<&str> = WORKS.iter().flat_map(|work| work.sizes).map(|(s, _)| *s).collect();
    match asked.iter().find(|(name, _)| !all.contains(name.as_str())) {
        None => Ok(()),
        Some((name, _)) => {
            let sets = all.into_iter().collect::<Vec<_>>().join(", ");
            let why = format!("--card {name}: the machines of --peers have the sets {sets}");
            Err(Failure::Message(why))
        }
    }
}

/// What runs others.
pub struct Peers<'a> {
    /// Where TLC4B's jars are.
    pub tlc4b: Option<&'a Path>,
    pub timeout: Option<Duration>,
    pub interrupt: &'a Interrupt,
    /// Whether the invariant is checked.
    pub invariant: bool,
}

impl Peers<'_> {
    /// Everybody else's figures for the search of a row. Without a work, there are no texts for SPIN and rumur.
    ///
    /// # Errors
    /// There is no room for what the others need.
    pub fn beside(&self, work: Option<&Work>, good: &Good, row: &Row) -> Result<Beside, Failure> {
        let wrong = |e: std::io::Error| Failure::Message(format!("--peers: {e}"));
        let folder = tempfile::Builder::new().prefix("burnside-peers-").tempdir().map_err(wrong)?;
        let sizes = good
            .model
            .sets
            .iter()
            .map(|s| (s.name.to_string(), u64::from(s.size)))
            .collect::<Vec<_>>();
        let until = Until { limit: self.timeout, interrupt: self.interrupt };
        let task = Task { folder: folder.path(), until, sizes: &sizes };
        let mut beside = Beside::new(row);
        if let Some(work) = work {
            for (name, order) in
                [("SPIN, depth first", Order::Depth), ("SPIN, breadth first", Order::Breadth)]
            {
                let found = checkers::spin(&task, work.promela, order, row.states);
                beside.add(name, told(found, row, work.spin_checks && self.invariant));
            }
            let found = checkers::rumur(&task, work.murphi);
            beside.add("rumur", told(found, row, true));
        } else {
            for name in ["SPIN", "rumur"] {
                beside.add(name, Err("there is no text of this machine for it".to_owned()));
            }
        }
        beside.add("TLC4B", told(self.tlc4b(&task, good), row, self.invariant));
        Ok(beside)
    }

    fn tlc4b(&self, task: &Task, good: &Good) -> Result<Found, Missing> {
        let Some(jars) = self.tlc4b else {
            return Err(Missing::Wrong("where its jars are is not said (--tlc4b DIR)".to_owned()));
        };
        // It writes beside what it reads.
        let mut main = None;
        for (_, file) in good.sources.files() {
            let Some(name) = file.path.file_name().and_then(|n| n.to_str()) else { continue };
            write(task.folder, name, &file.text)?;
            main.get_or_insert_with(|| name.to_owned());
        }
        let main = main.ok_or_else(|| Missing::Wrong("the machine has no file".to_owned()))?;
        checkers::tlc4b(task, jars, &main, self.invariant)
    }
}

/// What is told of another checker, beside a row of ours.
fn told(found: Result<Found, Missing>, row: &Row, checks: bool) -> Result<Figures, String> {
    let Found { states, transitions, seconds } = found.map_err(|missing| missing.why())?;
    Ok(Figures {
        states,
        transitions,
        seconds,
        ns_per_transition: seconds * 1e9 / row.transitions.max(1) as f64,
        ratio: seconds / row.seconds.max(1e-9),
        checks,
        agrees: !row.complete || states == row.states,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_are_asked_for_take_the_place_of_the_usual_ones() {
        let asked = [("Code".to_owned(), 2), ("PROC".to_owned(), 3)];
        assert!(look_at(&asked).is_ok());
        let phonebook = WORKS[0].cards(&asked);
        assert_eq!(phonebook, [("Name".to_owned(), 7), ("Code".to_owned(), 2)]);
        assert_eq!(WORKS[1].cards(&asked), [("PROC".to_owned(), 3)]);
        let Err(Failure::Message(why)) = look_at(&[("Nmae".to_owned(), 2)]) else { panic!() };
        assert!(why.contains("Nmae") && why.ends_with("sets Code, Name, PROC"), "{why}");
    }
}
