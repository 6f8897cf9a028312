//! The counts beside the machines of `models/`.

use super::{everything, model_file, open, run};
use burnside::search::{OnViolation, Outcome, SearchOptions, SymmetryMode, Verdict};
use burnside::session::Session;
use burnside::setup::SetupOptions;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A file with expected counts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// Sets that have the size of the row.
    pub sets: Vec<String>,
    /// Whether set-ups that differ in the names of elements only are left out.
    #[serde(default = "yes")]
    pub static_symmetry: bool,
    pub rows: Vec<Row>,
    #[serde(default)]
    pub counterexample: Vec<Shortest>,
    #[serde(default)]
    pub goal: Vec<Shortest>,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub size: u64,
    pub symmetry: String,
    /// `prune` or `expand`; where nothing is violated they are the same.
    pub on_violation: Option<String>,
    /// With the root and the set-ups of the constants.
    pub nodes: u64,
    pub transitions: u64,
    /// Set-ups of the constants, where there are constants.
    #[serde(default)]
    pub set_ups: u64,
    pub satisfying: Option<u64>,
    /// Nothing is violated unless this says so.
    #[serde(default)]
    pub violating: u64,
    /// Nothing deadlocks unless this says so.
    #[serde(default)]
    pub deadlocked: u64,
}

/// Operations of the shortest way to a finding; 0: there is none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shortest {
    pub size: u64,
    pub operations: usize,
}

pub fn expected(machine: &str) -> Expected {
    let path = model_file(machine).with_extension("expected.toml");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    toml::from_str(&text).unwrap_or_else(|e| panic!("{path:?}: {e}"))
}

impl Expected {
    /// The machine, with all the sets of one size.
    pub fn open(&self, machine: &str, size: u64) -> Session {
        let setup = SetupOptions {
            cards: self.sets.iter().map(|s| (s.clone(), size)).collect(),
            static_symmetry: self.static_symmetry,
            ..SetupOptions::default()
        };
        open(model_file(machine), setup)
    }
}

fn policy(name: Option<&str>) -> OnViolation {
    match name {
        Some("prune") => OnViolation::Prune,
        Some("expand") | None => OnViolation::Expand,
        Some(other) => panic!("no policy {other}"),
    }
}

/// Searches every row of a machine. Gives the number of (nodes, transitions) that were compared.
pub fn counts(machine: &str) -> usize {
    let expected = expected(machine);
    // What a search without reduction counted, to compare with what a reduced one says of it.
    let mut full: BTreeMap<(u64, Option<&str>), (String, String)> = BTreeMap::new();
    let rows = expected.rows.iter();
    let (unreduced, reduced): (Vec<_>, Vec<_>) = rows.partition(|r| r.symmetry == "off");
    for row in unreduced.iter().chain(&reduced) {
        let (size, on_violation) = (row.size, row.on_violation.as_deref());
        let what = format!("{machine}, size {size}, {}, {on_violation:?}", row.symmetry);
        let mode = SymmetryMode::from_name(&row.symmetry);
        let mode = mode.unwrap_or_else(|| panic!("{what}: no such mode"));
        let options = SearchOptions { on_violation: policy(on_violation), ..everything(mode) };
        let outcome = run(&expected.open(machine, size), &options);
        check(&what, row, &outcome);
        let whole = |n: &Option<num_bigint::BigUint>| n.as_ref().map(ToString::to_string);
        let found = (whole(&outcome.full_states), whole(&outcome.full_transitions));
        let found = (found.0.expect(&what), found.1.expect(&what));
        if row.symmetry == "off" {
            let own = (outcome.states.to_string(), outcome.transitions.to_string());
            assert_eq!(found, own, "{what}");
            full.insert((size, on_violation), found);
        } else if let Some(unreduced) = full.get(&(size, on_violation)) {
            assert_eq!(&found, unreduced, "{what}: the machine without reduction");
        }
    }
    expected.rows.len()
}

fn check(what: &str, row: &Row, outcome: &Outcome) {
    assert_eq!((outcome.nodes, outcome.transitions), (row.nodes, row.transitions), "{what}");
    assert!(outcome.complete && !outcome.approximate && outcome.bounds.is_empty(), "{what}");
    assert_eq!(outcome.state_errors, 0, "{what}");
    assert_eq!(outcome.deadlocked_states, Some(row.deadlocked), "{what}");
    assert_eq!(outcome.violating_states, Some(row.violating), "{what}");
    assert_eq!(outcome.states + row.set_ups + 1, row.nodes, "{what}: nodes that are no states");
    if let Some(satisfying) = row.satisfying {
        assert_eq!(outcome.states - row.violating, satisfying, "{what}");
    }
    let possible: &[Verdict] = match (row.violating > 0, row.deadlocked > 0) {
        (false, false) => &[Verdict::Ok],
        (true, false) => &[Verdict::InvariantViolation],
        (false, true) => &[Verdict::Deadlock],
        // Whichever is nearer.
        (true, true) => &[Verdict::InvariantViolation, Verdict::Deadlock],
    };
    assert!(possible.contains(&outcome.verdict), "{what}: {:?}", outcome.verdict);
}
