//! Partial order reduction: what the analysis says about operations, against what they do; what a reduced
//! search finds, against the full one.
//!
//! `BURNSIDE_POR=20000 BURNSIDE_SEED=7 cargo test --test independence -- --nocapture` runs that many random
//! machines; with a count of 1 it shows that machine.

mod brute;
#[path = "../common/mod.rs"]
mod common;
mod compose;
mod corpus;
mod examples;
mod fooling;
mod generate;
mod search;
mod solver;

use burnside::machine::Machine;
use burnside::normalise;
use burnside::setup::{self, Model, SetupOptions};
use std::sync::Arc;

/// A machine without static symmetry, so that each element is itself.
fn model(text: &str) -> Result<Model, String> {
    let loaded = normalise::load_text("M.mch", text);
    let first = || loaded.diagnostics.iter().find(|d| d.is_error()).map(|d| d.message.clone());
    let machine: Machine = loaded.machine.ok_or_else(|| first().unwrap_or_default())?;
    let options = SetupOptions { static_symmetry: false, ..SetupOptions::default() };
    setup::set_up(&Arc::new(machine), &options, None).map_err(|d| d[0].message.clone())
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// Runs a check on random machines. It answers whether it could use the machine.
fn on_random_machines(default: u64, check: fn(&Model) -> Result<bool, String>) {
    let (count, start) = (number("BURNSIDE_POR", default), number("BURNSIDE_SEED", 1));
    let (mut used, mut wrong) = (0, Vec::new());
    for seed in start..start + count {
        let text =
            if seed.is_multiple_of(2) { compose::machine(seed) } else { generate::machine(seed) };
        let shown = count == 1;
        if shown {
            println!("{text}");
        }
        let model = match model(&text) {
            Ok(model) => model,
            Err(why) => panic!("seed {seed}: {why}\n{text}"),
        };
        match check(&model) {
            Ok(true) => used += 1,
            Ok(false) => {}
            Err(why) => {
                if wrong.len() < 2 || shown {
                    println!("seed {seed}: {why}\n{text}");
                }
                wrong.push(seed);
            }
        }
    }
    println!("{used} of {count} machines used");
    assert!(wrong.is_empty(), "these machines are at fault: {wrong:?}");
    assert!(used * 2 >= count, "most machines should be usable: {used} of {count}");
}

/// What the analysis takes for independent, not enabling or invisible is so in all reachable states.
#[test]
fn the_analysis_contains_what_happens() {
    on_random_machines(250, brute::analysis);
}

/// (A1) and (A2) by their definitions, for the sets chosen in all reachable states.
#[test]
fn chosen_sets_satisfy_the_conditions() {
    on_random_machines(100, brute::sets);
}

/// A finding exists in a reduced search exactly if it exists in the full one, with the same kinds of
/// findings where the search goes on, and every trace can be followed.
#[test]
fn reduced_searches_find_what_full_ones_do() {
    on_random_machines(100, |model| search::compare(model).map(|left| left.is_none()));
}

/// The same on the machines of `models/`, as they are by themselves.
#[test]
fn models_have_the_same_findings() {
    let folder = common::model_file("phonebook");
    let folder = folder.parent().expect("models/");
    let files = std::fs::read_dir(folder).expect("models/").map(|e| e.expect("a file").path());
    let mut machines: Vec<_> =
        files.filter(|f| f.extension().is_some_and(|e| e == "mch")).collect();
    machines.sort();
    let mut used = 0;
    for path in machines {
        let session = common::open(path.clone(), SetupOptions::default());
        let model = session.model().expect("a model");
        match search::compare(model) {
            Ok(None) => used += 1,
            Ok(Some(why)) => println!("{}: {why:?}", path.display()),
            Err(why) => panic!("{}: {why}", path.display()),
        }
    }
    assert!(used >= 15, "{used} models were searched");
}
