//! The counts beside the machines of `models/`.

use super::{everything, model_file, open, run};
use burnside::search::{OnViolation, Outcome, SearchOptions, SymmetryMode, Verdict};
use burnside::session::Session;
use burnside::setup::SetupOptions;
use num_bigint::BigUint;
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
    /// The same with partial order reduction, where only deadlocks are looked for.
    #[serde(default)]
    pub por: Vec<PorRow>,
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
    /// Values of constants, as the command line gives them.
    #[serde(default)]
    pub constants: BTreeMap<String, String>,
    /// Set-ups of the constants; where nothing is said, one if the row gives values to constants.
    set_ups: Option<u64>,
    pub satisfying: Option<u64>,
    /// Nothing is violated unless this says so.
    #[serde(default)]
    pub violating: u64,
    /// Nothing deadlocks unless this says so.
    #[serde(default)]
    pub deadlocked: u64,
    /// Deadlocked states without reduction.
    pub full_deadlocked: Option<u64>,
    /// States where the machine's GOAL holds.
    pub goal: Option<u64>,
}

/// A reduced search without symmetry: what ample and stubborn sets have in common.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PorRow {
    pub size: u64,
    pub nodes: u64,
    pub transitions: u64,
    #[serde(default)]
    pub deadlocked: u64,
}

impl Row {
    pub fn set_ups(&self) -> u64 {
        self.set_ups.unwrap_or(u64::from(!self.constants.is_empty()))
    }
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
        self.open_with(machine, size, &BTreeMap::new(), None)
    }

    /// The same, with values for constants and a goal.
    pub fn open_with(
        &self,
        machine: &str,
        size: u64,
        constants: &BTreeMap<String, String>,
        goal: Option<&str>,
    ) -> Session {
        let setup = SetupOptions {
            cards: self.sets.iter().map(|s| (s.clone(), size)).collect(),
            constants: constants.iter().map(|(c, v)| (c.clone(), v.clone())).collect(),
            goal: goal.map(str::to_owned),
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
    let mut full = BTreeMap::new();
    let rows = expected.rows.iter();
    let (unreduced, reduced): (Vec<_>, Vec<_>) = rows.partition(|r| r.symmetry == "off");
    for row in unreduced.iter().chain(&reduced) {
        let (size, on_violation) = (row.size, row.on_violation.as_deref());
        let what = format!(
            "{machine}, size {size}, {:?}, {}, {on_violation:?}",
            row.constants, row.symmetry
        );
        let mode = SymmetryMode::from_name(&row.symmetry);
        let mode = mode.unwrap_or_else(|| panic!("{what}: no such mode"));
        let options = SearchOptions { on_violation: policy(on_violation), ..everything(mode) };
        let goal = row.goal.map(|_| "GOAL");
        let outcome = run(&expected.open_with(machine, size, &row.constants, goal), &options);
        check(&what, row, mode.is_approximate(), &outcome);
        let found = whole(&outcome);
        if let Some(deadlocked) = row.full_deadlocked {
            assert_eq!(outcome.full_deadlocked_states, Some(deadlocked.into()), "{what}");
        }
        let searched = (size, on_violation, &row.constants);
        if row.symmetry == "off" {
            let own = [
                outcome.states,
                outcome.transitions,
                outcome.first_transitions,
                row.deadlocked,
                row.goal.unwrap_or(0),
            ];
            assert_eq!(found, own.map(|n| Some(n.into())), "{what}");
            full.insert(searched, found);
        } else if matches!(mode, SymmetryMode::Canon | SymmetryMode::Segmented | SymmetryMode::Iso)
        {
            // The other methods do not know the orbits of what they keep.
            assert!(found.iter().all(Option::is_some), "{what}");
            if let Some(unreduced) = full.get(&searched) {
                assert_eq!(&found, unreduced, "{what}: the machine without reduction");
            }
        }
    }
    expected.rows.len()
}

/// States, transitions, those that come first, deadlocks and goals of the machine without reduction.
fn whole(outcome: &Outcome) -> [Option<BigUint>; 5] {
    [
        outcome.full_states.clone(),
        outcome.full_transitions.clone(),
        outcome.full_first_transitions.clone(),
        outcome.full_deadlocked_states.clone(),
        outcome.full_goal_states.clone().or(Some(0u8.into())),
    ]
}

fn check(what: &str, row: &Row, approximate: bool, outcome: &Outcome) {
    assert_eq!((outcome.nodes, outcome.transitions), (row.nodes, row.transitions), "{what}");
    assert_eq!((outcome.complete, outcome.approximate), (!approximate, approximate), "{what}");
    assert_eq!(outcome.bounds.is_empty(), !approximate, "{what}: {:?}", outcome.bounds);
    assert_eq!(outcome.state_errors, 0, "{what}");
    assert_eq!(outcome.deadlocked_states, Some(row.deadlocked), "{what}");
    assert_eq!(outcome.violating_states, Some(row.violating), "{what}");
    assert_eq!(outcome.goal_states, row.goal, "{what}");
    assert_eq!(outcome.states + row.set_ups() + 1, row.nodes, "{what}: nodes that are no states");
    if let Some(satisfying) = row.satisfying {
        assert_eq!(outcome.states - row.violating, satisfying, "{what}");
    }
    // Where there are several, whichever is nearer.
    let found = [
        (row.violating > 0, Verdict::InvariantViolation),
        (row.deadlocked > 0, Verdict::Deadlock),
        (row.goal > Some(0), Verdict::GoalFound),
    ];
    let nothing = if approximate { Verdict::NoneFound } else { Verdict::Ok };
    let mut possible: Vec<Verdict> =
        found.into_iter().filter_map(|(is, v)| is.then_some(v)).collect();
    if possible.is_empty() {
        possible.push(nothing);
    }
    assert!(possible.contains(&outcome.verdict), "{what}: {:?}", outcome.verdict);
}
