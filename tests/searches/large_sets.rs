//! Deferred sets of very many elements: what is done for interchangeable elements is in proportion to
//! their number, and limits hold inside all that is done for one state.

use crate::common::{everything, open, run_with, sized};
use burnside::clock::{Clock, EVERY};
use burnside::search::{Control, SearchOptions, SymmetryMode};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// One orbit: the token lies at some place, and goes to any other.
const TOKEN: &str = "MACHINE Token
SETS PLACE
VARIABLES at
INVARIANT at : PLACE
INITIALISATION at :: PLACE
OPERATIONS
  go = ANY to WHERE to : PLACE & to /= at THEN at := to END;
  put(to) = PRE to : PLACE THEN at := to END
END
";

/// As many states as the set has subsets, and large ones among them.
const MARKED: &str = "MACHINE Marked
SETS PLACE
VARIABLES marked
INVARIANT marked <: PLACE
INITIALISATION marked := {}
OPERATIONS
  mark(p) = PRE p : PLACE THEN marked := marked \\/ {p} END;
  flip = BEGIN marked := PLACE - marked END
END
";

fn written(folder: &tempfile::TempDir, text: &str) -> PathBuf {
    let path = folder.path().join("machine.mch");
    std::fs::write(&path, text).expect("written");
    path
}

/// Questions to the clock while one orbit is searched, and the number of its states and transitions.
fn questions(text: &str, size: u64) -> (u64, u64, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let session = open(written(&folder, text), sized(&[("PLACE", size)], false));
    let options = everything(SymmetryMode::Canon);
    let clock = Clock::new();
    let outcome = run_with(&session, &options, &Arc::new(Control::under(clock.clone())));
    assert!(outcome.complete, "{:?}", outcome.bounds);
    let full = outcome.full_states.expect("known").to_string();
    (clock.asked(), outcome.states, full)
}

/// Work is counted, not time: a labelling that looked at all elements for each state of the choice, or
/// kept a swap of all elements for each of them, would ask some thousands of times.
#[test]
fn work_is_in_proportion_to_the_number_of_twins() {
    let (few, states, full) = questions(TOKEN, 2_000);
    assert_eq!((states, full.as_str()), (1, "2000"));
    let (many, states, full) = questions(TOKEN, 20_000);
    assert_eq!((states, full.as_str()), (1, "20000"));
    println!("{few} questions, {many} questions");
    assert!(many < 16 * few, "{few} questions, {many} questions");
    assert!(many * u64::from(EVERY) < 60 * 20_000, "{many} questions");
}

/// Each method in a process of its own, in whatever build: far from the minutes that one state took.
#[test]
fn a_million_elements_end_at_the_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(&folder, MARKED);
    for mode in [SymmetryMode::Off, SymmetryMode::Canon, SymmetryMode::Flood, SymmetryMode::Iso] {
        let started = Instant::now();
        let out = Command::new(env!("CARGO_BIN_EXE_burnside"))
            .args(["check", "--card", "PLACE=1000000", "--timeout", "1", "--memory", "2G"])
            .args(["--symmetry", mode.name()])
            .arg(&path)
            .output()
            .expect("runs");
        let (text, took) = (String::from_utf8_lossy(&out.stdout), started.elapsed());
        println!("{}: {took:?}", mode.name());
        assert_eq!(out.status.code(), Some(3), "{}: {text}", mode.name());
        assert!(took < Duration::from_secs(30), "{}: {took:?}\n{text}", mode.name());
    }
}

/// The whole of a large choice is one orbit for other methods, too, and small sets agree with them.
#[test]
fn choices_among_twins_are_counted_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let session = open(written(&folder, TOKEN), sized(&[("PLACE", 40)], false));
    let counts = |mode| {
        let control = Arc::new(Control::new());
        let options = SearchOptions { deadlock: false, ..everything(mode) };
        let outcome = run_with(&session, &options, &control);
        let full = [outcome.full_states, outcome.full_transitions];
        (outcome.states, full.map(|n| n.expect("known").to_string()))
    };
    let off = counts(SymmetryMode::Off);
    assert_eq!(off.0, 40);
    let canon = counts(SymmetryMode::Canon);
    assert_eq!((canon.0, &canon.1), (1, &off.1));
}
