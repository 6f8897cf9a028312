//! Real machines with ProB's counts, where the collection is at hand.
//!
//! Each machine is searched without symmetry reduction, past violations and deadlocks, and its counts
//! are compared with those recorded for ProB: states without the root, transitions with the edges of
//! the root.

use crate::common::corpus::{Expected, expected, folder};
use burnside::normalise;
use burnside::search::{self, Control, OnViolation, SearchOptions, SymmetryMode};
use burnside::setup::{self, SetupOptions};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Machines that differ, and why.
const DIFFERENT: &[(&str, &str)] = &[(
    "B/PerformanceTests/EnumerateFunctionTests4.mch",
    "ten operations assign ten sets and Add1 makes five more of these and the empty one: fifteen \
         states; ProB counts one of them twice",
)];

/// What differs, or `None`.
fn compare(folder: &Path, e: &Expected) -> Option<String> {
    let loaded = normalise::load_machine(&folder.join("models").join(&e.path));
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
    let Some(mut machine) = loaded.machine else {
        return Some(errors.first().map_or("does not load".into(), |d| d.message.clone()));
    };
    // ProB's recorded violations are of the invariant alone.
    machine.assertions.clear();
    let model = match setup::set_up(&Arc::new(machine), &SetupOptions::default(), None) {
        Ok(model) => model,
        Err(diagnostics) => return Some(diagnostics[0].render(&loaded.sources)),
    };
    let options = SearchOptions {
        symmetry: Some(SymmetryMode::Off),
        on_violation: OnViolation::Expand,
        keep_going: true,
        timeout: Some(Duration::from_secs(60)),
        ..SearchOptions::default()
    };
    let outcome = search::run(&model, &options, &Arc::new(Control::new()));
    let found = (
        outcome.nodes - 1,
        outcome.transitions,
        outcome.deadlocked_states.unwrap_or(0) > 0,
        outcome.violating_states.unwrap_or(0) > 0,
    );
    let wanted = (e.states, e.transitions, e.deadlock, e.violated);
    if found == wanted {
        return None;
    }
    let why = outcome.finding.map(|f| format!("{} {:?}", f.message, f.details)).unwrap_or_default();
    Some(format!(
        "{found:?} instead of {wanted:?} [{:.1} s] {} errors {why} {:?}",
        outcome.seconds, outcome.state_errors, outcome.bounds
    ))
}

#[test]
fn counts_agree_with_prob() {
    let Some(folder) = folder() else { return };
    let only = std::env::var("BURNSIDE_CORPUS").unwrap_or_default();
    let run = move || {
        let mut agree = 0;
        let mut differ = Vec::new();
        for e in expected(&folder).iter().filter(|e| e.path.contains(&only)) {
            match compare(&folder, e) {
                None => agree += 1,
                Some(why) => {
                    println!("{}: {why}", e.path);
                    differ.push(e.path.clone());
                }
            }
        }
        println!("{agree} agree");
        let known = |path: &String| DIFFERENT.iter().any(|(p, _)| p == path);
        let surprises: Vec<&String> = differ.iter().filter(|p| !known(p)).collect();
        assert!(surprises.is_empty(), "these differ from ProB's counts: {surprises:?}");
    };
    crate::common::on_a_large_stack(run);
}
