//! How a table of a paper is made: what is searched for each row, and which figure of it stands in
//! which column.

use crate::cli::arguments::LimitOptions;
use crate::cli::input::Input;
use crate::report::tables::Value;
use crate::search::{IsoOptions, OnViolation, Outcome, PorMethod, SearchOptions, SymmetryMode};
use crate::setup::SetupOptions;
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};
use std::path::{Path, PathBuf};

/// A machine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Machine {
    name: &'static str,
    source: Source,
    /// The deferred sets whose size is set; all have the same.
    sets: &'static [&'static str],
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Source {
    /// One of `models/`, as part of the program.
    Text(&'static str),
    /// How the name of a file ends that the reader may have.
    Package(&'static str),
}

macro_rules! machine {
    ($constant:ident, $name:literal $(, $set:literal)*) => {
        pub const $constant: Machine = Machine {
            name: $name,
            source: Source::Text(include_str!(concat!("../../../models/", $name, ".mch"))),
            sets: &[$($set),*],
        };
    };
}

machine!(SCHEDULER0, "scheduler0", "PROC");
machine!(SCHEDULER, "scheduler", "PID");
machine!(POSTAL_PUZZLE, "russian_postal_puzzle", "KeyIDs");
machine!(PHONEBOOK, "phonebook", "Name", "Code");
machine!(PHONEBOOK_ERR, "phonebook_err", "Name", "Code");
machine!(PETERSON, "peterson", "PROC");
machine!(EMAIL, "email", "CLIENT");
machine!(NETWORK, "network", "NODE");
machine!(PUSH_PHASES, "push_phases", "NODE");
machine!(PUSH_MESSAGES, "push_messages", "NODE");
machine!(CONCURRENT_COUNTERS, "concurrent_counters");
machine!(RING_OF_EIGHT, "ring_of_eight");

impl Machine {
    /// A package of Event-B in the reader's folder.
    pub const fn package(
        name: &'static str,
        file: &'static str,
        sets: &'static [&'static str],
    ) -> Machine {
        Machine { name, source: Source::Package(file), sets }
    }

    /// The file of a package, if there is one of this name in the folder, or in one that is in it.
    fn file(&self, folder: Option<&Path>) -> Option<PathBuf> {
        let Source::Package(end) = self.source else { return None };
        let entries = |folder: &Path| -> Vec<PathBuf> {
            let entries = std::fs::read_dir(folder).into_iter().flatten();
            entries.flatten().map(|entry| entry.path()).collect()
        };
        let within = |path: PathBuf| if path.is_dir() { entries(&path) } else { vec![path] };
        let files = entries(folder?).into_iter().flat_map(within);
        let named = |path: &PathBuf| path.to_str().is_some_and(|name| name.ends_with(end));
        files.filter(named).min()
    }

    /// Whether it can be searched: it is a part of the program, or in the reader's folder.
    pub fn is_at_hand(&self, folder: Option<&Path>) -> bool {
        matches!(self.source, Source::Text(_)) || self.file(folder).is_some()
    }
}

/// One search.
#[derive(Clone, PartialEq, Debug)]
pub struct Search {
    pub machine: Machine,
    pub size: u64,
    pub symmetry: SymmetryMode,
    /// Value of the constant `view_size`.
    view_size: Option<u64>,
    /// Whether states of the machine's GOAL are counted.
    goal: bool,
    on_violation: OnViolation,
    iso: IsoOptions,
    por: Option<PorMethod>,
    /// Whether the invariant is checked.
    invariant: bool,
    /// Done with `--full` only.
    pub large: bool,
}

impl Search {
    pub fn new(machine: Machine, size: u64, symmetry: SymmetryMode) -> Search {
        Search {
            machine,
            size,
            symmetry,
            view_size: None,
            goal: false,
            on_violation: OnViolation::Expand,
            iso: IsoOptions::default(),
            por: None,
            invariant: true,
            large: false,
        }
    }

    pub fn view_size(self, size: u64) -> Search {
        Search { view_size: Some(size), ..self }
    }

    /// Counts the states of the machine's GOAL.
    pub fn goal(self) -> Search {
        Search { goal: true, ..self }
    }

    pub fn on_violation(self, on_violation: OnViolation) -> Search {
        Search { on_violation, ..self }
    }

    pub fn iso(self, iso: IsoOptions) -> Search {
        Search { iso, ..self }
    }

    pub fn por(self, method: PorMethod) -> Search {
        Search { por: Some(method), ..self }
    }

    pub fn invariant(self, invariant: bool) -> Search {
        Search { invariant, ..self }
    }

    pub fn large_if(self, large: bool) -> Search {
        Search { large, ..self }
    }

    /// What it is, for the progress.
    pub fn describe(&self) -> String {
        let mut text = self.machine.name.to_owned();
        if let Some(set) = self.machine.sets.first() {
            text.push_str(&format!(" {set}={}", self.size));
        }
        if let Some(size) = self.view_size {
            text.push_str(&format!(" view_size={size}"));
        }
        text.push_str(&format!(" {}", self.symmetry.name()));
        if self.symmetry == SymmetryMode::Iso {
            let breaking = if self.iso.symmetry_breaking { ", symmetry breaking" } else { "" };
            text.push_str(&format!(" ({}{breaking})", self.iso.refinement.name()));
        }
        text
    }

    /// `folder`: where the packages are.
    pub fn input(&self, folder: Option<&Path>) -> Input {
        let name = self.machine.name;
        match self.machine.source {
            Source::Text(text) => Input::embedded(&format!("{name}.mch"), text),
            Source::Package(end) => {
                Input::file(self.machine.file(folder).unwrap_or_else(|| end.into()))
            }
        }
    }

    pub fn setup(&self) -> SetupOptions {
        let view_size = self.view_size.map(|n| ("view_size".to_owned(), n.to_string()));
        SetupOptions {
            cards: self.machine.sets.iter().map(|s| ((*s).to_owned(), self.size)).collect(),
            constants: view_size.into_iter().collect(),
            goal: self.goal.then(|| super::super::arguments::GOAL.to_owned()),
            ..SetupOptions::default()
        }
    }

    pub fn options(&self, limits: &LimitOptions) -> SearchOptions {
        SearchOptions {
            symmetry: Some(self.symmetry),
            on_violation: self.on_violation,
            keep_going: true,
            iso: self.iso,
            por: self.por,
            invariant: self.invariant,
            timeout: limits.timeout,
            memory: limits.memory,
            // Some of the figures are shares of the time.
            threads: Some(1),
            ..SearchOptions::default()
        }
    }
}

/// A figure from the searches of a row. `None` where one that it needs was not done.
pub type Measure = Box<dyn Fn(&[Option<Outcome>]) -> Option<Value>>;

/// One cell.
pub struct CellPlan {
    /// As the paper prints it.
    pub paper: Option<&'static str>,
    /// `None`: we have no such figure.
    pub ours: Option<Measure>,
    /// Why the two differ, where they do.
    pub reason: Option<&'static str>,
}

impl CellPlan {
    pub fn new(paper: &'static str, ours: Measure) -> CellPlan {
        CellPlan { paper: printed(paper), ours: Some(ours), reason: None }
    }

    /// A figure of the paper without ours.
    pub fn theirs(paper: &'static str) -> CellPlan {
        CellPlan { paper: printed(paper), ours: None, reason: None }
    }

    pub fn because(self, reason: &'static str) -> CellPlan {
        CellPlan { reason: Some(reason), ..self }
    }
}

/// A dash, or nothing, stands for a figure that a paper does not have.
fn printed(paper: &'static str) -> Option<&'static str> {
    Some(paper).filter(|p| !matches!(*p, "" | "-"))
}

pub struct RowPlan {
    pub section: &'static str,
    pub label: String,
    pub searches: Vec<Search>,
    /// One for each column.
    pub cells: Vec<CellPlan>,
}

pub struct Plan {
    pub name: &'static str,
    pub title: &'static str,
    pub source: &'static str,
    pub heading: &'static str,
    pub columns: Vec<&'static str>,
    pub rows: Vec<RowPlan>,
    pub remarks: &'static [&'static str],
}

// ----- measures: `i` is the number of a search of the row

fn of(i: usize, figure: impl Fn(&Outcome) -> Option<Value> + 'static) -> Measure {
    Box::new(move |outcomes| figure(outcomes.get(i)?.as_ref()?))
}

/// A measure, or another one where the searches of the first were not done.
pub fn or(first: Measure, second: Measure) -> Measure {
    Box::new(move |outcomes| first(outcomes).or_else(|| second(outcomes)))
}

/// States, set-ups and the root.
pub fn nodes(i: usize) -> Measure {
    of(i, |o| Some(Value::count(o.nodes)))
}

pub fn states(i: usize) -> Measure {
    of(i, |o| Some(Value::count(o.states)))
}

pub fn transitions(i: usize) -> Measure {
    of(i, |o| Some(Value::count(o.transitions)))
}

/// Transitions of operations.
pub fn own_transitions(i: usize) -> Measure {
    of(i, |o| Some(Value::count(o.transitions - o.first_transitions)))
}

/// States and the root without reduction, from the sizes of the orbits.
pub fn full_nodes(i: usize) -> Measure {
    of(i, |o| Some(Value::Count(o.full_states.clone()? + 1u8)))
}

pub fn full_states(i: usize) -> Measure {
    of(i, |o| o.full_states.clone().map(Value::Count))
}

/// Transitions of operations without reduction.
pub fn full_own_transitions(i: usize) -> Measure {
    of(i, |o| Some(Value::Count(o.full_transitions.clone()? - o.full_first_transitions.clone()?)))
}

pub fn deadlocked(i: usize) -> Measure {
    of(i, |o| o.deadlocked_states.map(Value::count))
}

pub fn full_deadlocked(i: usize) -> Measure {
    of(i, |o| o.full_deadlocked_states.clone().map(Value::Count))
}

pub fn goals(i: usize) -> Measure {
    of(i, |o| o.goal_states.map(Value::count))
}

pub fn seconds(i: usize) -> Measure {
    of(i, |o| Some(Value::Seconds(o.seconds)))
}

/// What the analysis took before the search.
pub fn analysis_seconds(i: usize) -> Measure {
    of(i, |o| o.partial.map(|p| Value::Seconds(p.analysis_seconds)))
}

/// How many times faster search `b` was than search `a`.
pub fn speedup(a: usize, b: usize) -> Measure {
    Box::new(move |outcomes| {
        let seconds = |i: usize| Some(outcomes.get(i)?.as_ref()?.seconds);
        Some(Value::Speedup(seconds(a)? / seconds(b)?.max(1e-9)))
    })
}

/// How many configurations without reduction there are to one with it.
fn deadlock_factor(o: &Outcome) -> Option<f64> {
    let full = o.full_deadlocked_states.as_ref()?.to_f64()?;
    Some(full / o.deadlocked_states? as f64).filter(|x| x.is_finite())
}

pub fn reduction(i: usize) -> Measure {
    of(i, |o| deadlock_factor(o).map(Value::Factor))
}

/// The reduction, with all permutations of `n` elements being the whole.
pub fn reduction_share(i: usize, n: u64) -> Measure {
    let permutations = (1..=n).fold(BigUint::one(), |product, k| product * k);
    of(i, move |o| Some(Value::Share(deadlock_factor(o)? / permutations.to_f64()?)))
}

/// A figure that the method tells of itself, by its name.
pub fn statistic(i: usize, name: &'static str, value: fn(f64) -> Value) -> Measure {
    of(i, move |o| {
        let found = o.method_statistics.iter().find(|(n, _)| n == name)?;
        Some(value(found.1))
    })
}
