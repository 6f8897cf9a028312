//! Mutants: machines whose syntax trees were changed in ways that keep their types, or nearly.
//!
//! Whatever a mutant means, the search without reduction, canon and one more method must agree on it,
//! its counterexamples must replay, and nothing may panic or outlive its limits.
//!
//! `BURNSIDE_MUTANTS=20000 cargo test --release --test mutants -- --nocapture` makes that many;
//! `BURNSIDE_SEED=n` starts at another seed (with `BURNSIDE_MUTANTS=1`: shows one).

mod change;
#[path = "../common/mod.rs"]
mod common;
#[path = "../random/generate.rs"]
#[allow(dead_code, reason = "the other user needs more")]
mod generate;
mod walk;

use burnside::run::{Event, Step};
use burnside::search::{self, Control, Outcome, SearchOptions, SymmetryMode, Verdict};
use burnside::setup::{self, Model, SetupOptions};
use burnside::source::{FileId, Sources};
use burnside::{normalise, syntax};
use change::Stock;
use generate::Dice;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Larger machines of the collection are left out.
const LARGEST: u64 = 12_000;

const STATES: u64 = 250;

/// No search may take longer, except for what a loaded machine adds.
const TIMEOUT: Duration = Duration::from_millis(500);
const SLACK: Duration = Duration::from_secs(30);

const MODES: [SymmetryMode; 8] = [
    SymmetryMode::Flood,
    SymmetryMode::Segmented,
    SymmetryMode::Sorted,
    SymmetryMode::ExactMarker,
    SymmetryMode::Iso,
    SymmetryMode::Marker,
    SymmetryMode::ApproxMarker,
    SymmetryMode::Flattened,
];

/// What became of a mutant that nothing is wrong with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fate {
    /// The typer, or the set-up, has errors.
    Refused,
    /// All of its states were seen under both methods.
    Whole,
    /// A limit ended some search.
    Cut,
}

fn stock_of(text: &str) -> Option<Stock> {
    let loaded = normalise::load_text("M.mch", text);
    let machine = loaded.machine?;
    let mut sources = Sources::new();
    let id = sources.add(Path::new("M.mch"), text.to_owned());
    // The typed tree has its spans from a file of its own, the first, as this one.
    assert_eq!(id, FileId(0));
    Some(Stock::new(syntax::parse_file(&sources, id).file, machine))
}

/// Machines of one file: ours, and those of the collection where it is at hand.
fn texts() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let mut files = Vec::new();
    collect(&folder, &mut files);
    if let Some(corpus) = common::corpus::folder() {
        collect(&corpus.join("models"), &mut files);
    }
    files.sort();
    let texts = files.iter().filter_map(|f| std::fs::read_to_string(f).ok());
    // Methods treat puzzles alike, and a change may give one set-ups without end.
    texts.filter(|text| text.contains("OPERATIONS")).collect()
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "mch")
            && std::fs::metadata(&path).is_ok_and(|m| m.len() < LARGEST)
        {
            out.push(path);
        }
    }
}

fn limited(options: SearchOptions) -> SearchOptions {
    SearchOptions { max_states: Some(STATES), timeout: Some(TIMEOUT), ..options }
}

fn timed(model: &Model, options: SearchOptions) -> Result<Outcome, String> {
    let begun = Instant::now();
    let mode = options.symmetry;
    let outcome = search::run(model, &limited(options), &Arc::new(Control::new()));
    match begun.elapsed() {
        time if time > TIMEOUT + SLACK => Err(format!("{mode:?} took {time:?}")),
        _ => Ok(outcome),
    }
}

fn check(text: &str, dice: &mut Dice) -> Result<Fate, String> {
    let begun = Instant::now();
    let loaded = normalise::load_text("M.mch", text);
    let Some(machine) = loaded.machine else { return Ok(Fate::Refused) };
    let machine = Arc::new(machine);
    let static_symmetry = dice.chance(30);
    let setup = SetupOptions { static_symmetry, ..SetupOptions::default() };
    let Ok(model) = setup::set_up(&machine, &setup, None) else { return Ok(Fate::Refused) };
    if begun.elapsed() > SLACK {
        return Err(format!("loading took {:?}", begun.elapsed()));
    }
    let off = timed(&model, common::everything(SymmetryMode::Off))?;
    let canon = timed(&model, common::everything(SymmetryMode::Canon))?;
    let other = timed(&model, common::everything(*dice.pick(&MODES)))?;
    for outcome in [&off, &canon, &other] {
        replayed(&model, outcome)?;
    }
    if off.complete {
        for reduced in [&canon, &other] {
            agree(&off, reduced)?;
        }
    }
    // The search that ends at the first finding, as people run it.
    for mode in [SymmetryMode::Off, SymmetryMode::Canon] {
        let options = SearchOptions { symmetry: Some(mode), ..SearchOptions::default() };
        let outcome = timed(&model, options)?;
        replayed(&model, &outcome)?;
        let findings = [off.verdict, outcome.verdict].map(Verdict::is_finding);
        if off.complete && outcome.complete && findings[0] != findings[1]
            || findings[1] && off.complete && !findings[0]
        {
            return Err(format!(
                "{mode:?}: {:?}, off past everything: {:?}",
                outcome.verdict, off.verdict
            ));
        }
    }
    Ok(if off.complete && canon.complete { Fate::Whole } else { Fate::Cut })
}

/// A reduced search against the whole one, which is complete.
fn agree(off: &Outcome, reduced: &Outcome) -> Result<(), String> {
    let mode = reduced.symmetry;
    if reduced.approximate {
        let invented = reduced.verdict.is_finding() && !off.verdict.is_finding();
        return match invented {
            true => Err(format!("{mode:?}: {:?}, off: {:?}", reduced.verdict, off.verdict)),
            false => Ok(()),
        };
    }
    if !reduced.complete {
        return Ok(());
    }
    if reduced.verdict != off.verdict {
        return Err(format!("{mode:?}: {:?}, off: {:?}", reduced.verdict, off.verdict));
    }
    let counts = |o: &Outcome| {
        (
            o.full_states.clone(),
            o.full_transitions.clone(),
            o.full_deadlocked_states.clone(),
            o.full_goal_states.clone(),
        )
    };
    if mode == SymmetryMode::Canon && counts(reduced) != counts(off) {
        return Err(format!("{mode:?}: {:?}, off: {:?}", counts(reduced), counts(off)));
    }
    let violated = |o: &Outcome| o.violating_states.map(|n| n > 0);
    if violated(reduced) != violated(off) {
        return Err(format!(
            "{mode:?}: {:?} violations, off: {:?}",
            reduced.violating_states, off.violating_states
        ));
    }
    Ok(())
}

fn replayed(model: &Model, outcome: &Outcome) -> Result<(), String> {
    let Some(finding) = &outcome.finding else { return Ok(()) };
    let trace = &finding.trace;
    // Runs that end before the first state are no runs of the replayer.
    let starts = |s: &Step| s.label.event == Event::Initialisation && !s.failed;
    if !trace.steps.iter().any(starts) {
        return Ok(());
    }
    match common::replay::follow(model, trace) {
        Ok(_) => Ok(()),
        Err(why) => Err(format!("{:?}: the trace is no run: {why}", outcome.symmetry)),
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// The mutants with an odd seed, or with an even one.
fn run(half: u64) {
    let (count, start) = (number("BURNSIDE_MUTANTS", 120), number("BURNSIDE_SEED", 1));
    let texts = texts();
    let mut stocks: BTreeMap<usize, Option<Stock>> = BTreeMap::new();
    let mut fates: BTreeMap<Fate, u64> = BTreeMap::new();
    let mut faults = Vec::new();
    for seed in (start..start + count).filter(|seed| seed % 2 == half) {
        let mut dice = Dice::new(seed ^ 0xB0B);
        let generated = match dice.chance(25) {
            true => Some(generate::machine(seed)).filter(|t| t.included.is_none()),
            false => None,
        };
        let fresh = generated.and_then(|t| stock_of(&t.main));
        let stock = match &fresh {
            Some(stock) => Some(stock),
            None => {
                let i = dice.below(texts.len());
                stocks.entry(i).or_insert_with(|| stock_of(&texts[i])).as_ref()
            }
        };
        let Some(stock) = stock else { continue };
        let text = syntax::printer::machine(&stock.mutant(&mut dice));
        if count == 1 {
            println!("{text}");
        }
        let begun = Instant::now();
        let result = std::panic::catch_unwind(|| check(&text, &mut Dice::new(seed)))
            .unwrap_or_else(|_| Err("panic".to_owned()));
        if begun.elapsed() > SLACK {
            println!("seed {seed} took {:?}", begun.elapsed());
        }
        match result {
            Ok(fate) => *fates.entry(fate).or_default() += 1,
            Err(why) => {
                println!("seed {seed}: {why}");
                faults.push(seed);
            }
        }
    }
    let of = |fate| fates.get(&fate).copied().unwrap_or(0);
    let made = fates.values().sum::<u64>() + faults.len() as u64;
    let accepted = made - of(Fate::Refused);
    println!(
        "{made} mutants, {accepted} accepted, {} searched whole, {} cut, {} faults",
        of(Fate::Whole),
        of(Fate::Cut),
        faults.len()
    );
    assert!(faults.is_empty(), "these mutants are at fault: {faults:?}");
    assert!(count < 50 || accepted * 4 > made, "too few mutants are accepted");
    assert!(count < 50 || of(Fate::Whole) * 8 > made, "too few mutants are searched whole");
}

// Two tests, since nothing else would run beside one.

#[test]
fn methods_agree_on_mutants_of_even_seeds() {
    common::on_a_large_stack(|| run(0));
}

#[test]
fn methods_agree_on_mutants_of_odd_seeds() {
    common::on_a_large_stack(|| run(1));
}
