//! Limits inside each method: also where one state is large, or one labelling long.

mod common;

use burnside::machine::{SetId, Type};
use burnside::search::{Control, SearchOptions, SymmetryMode};
use burnside::symmetry::{Cell, Group, Labeller, Options, SymmetricSet, Valuation};
use burnside::value::{Shape, Sizes, Value};
use common::{everything, open, run_with, sized};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// One state with all subsets of a set: whatever is done to it takes long.
const SUBSETS: &str = "MACHINE Subsets
SETS S
VARIABLES all
INVARIANT all : POW(POW(S))
INITIALISATION all := POW(S)
OPERATIONS drop(m) = PRE m : all & card(m) = 2 THEN all := all - {m} END
END
";

/// Every element is related to every other one, in a set of pairs too large for bits.
const DENSE: &str = "MACHINE Dense
SETS S
VARIABLES r
INVARIANT r : S <-> S
INITIALISATION r := S * S
OPERATIONS drop(a, b) = PRE a |-> b : r THEN r := r - {a |-> b} END
END
";

/// A state with many ties, and many states.
const WIDE: &str = "MACHINE Wide
SETS S
VARIABLES next, val
INVARIANT next : S +-> S & val : S --> 0..9
INITIALISATION next := {} || val := S * {0}
OPERATIONS
  link(a, b) = PRE a : S & b : S & val(a) = val(b) THEN next(a) := b END;
  count(a) = PRE a : S & val(a) < 9 THEN val(a) := val(a) + 1 END
END
";

/// Every state holds a value of its own of some tens of kilobytes.
const HEAVY: &str = "MACHINE Heavy
SETS S
VARIABLES n, table, chosen
INVARIANT n : INTEGER & table : INTEGER +-> INTEGER & chosen <: S
INITIALISATION n, table, chosen := 0, {}, {}
OPERATIONS
  step = BEGIN n := n + 1 || table := (0..999) * {n} END;
  choose(x) = PRE x : S - chosen THEN chosen := chosen \\/ {x} END
END
";

fn written(folder: &tempfile::TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(format!("{name}.mch"));
    std::fs::write(&path, text).expect("written");
    path
}

/// What a search may take from the end of its time, or an interruption, to its outcome.
const LATE: Duration = Duration::from_millis(100);

/// Other tests run beside this one and may hold it up: the best of a few searches counts.
const TRIES: usize = 4;

#[test]
fn every_method_ends_in_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut late = Vec::new();
    for (name, text, size) in [("subsets", SUBSETS, 14), ("dense", DENSE, 80), ("wide", WIDE, 12)] {
        let session = open(written(&folder, name, text), sized(&[("S", size)], false));
        for mode in SymmetryMode::ALL {
            // Flooding would refuse before it is interrupted.
            let options = SearchOptions { flood_limit: u64::MAX, ..everything(mode) };
            let by_hand = (0..TRIES).map(|i| {
                let control = Arc::new(Control::new());
                let handle = control.clone();
                let waiting = std::thread::spawn(move || {
                    std::thread::sleep(Duration::from_millis(60 + 40 * i as u64));
                    let at = Instant::now();
                    handle.interrupt();
                    at
                });
                let outcome = run_with(&session, &options, &control);
                let ended = Instant::now();
                let took = ended.saturating_duration_since(waiting.join().expect("no panic"));
                assert!(outcome.interrupted, "{name}, {}: {:?}", mode.name(), outcome.bounds);
                took
            });
            let by_time = (0..TRIES).map(|i| {
                let timeout = Duration::from_millis(60 + 40 * i as u64);
                let begun = Instant::now();
                let options = SearchOptions { timeout: Some(timeout), ..options.clone() };
                let outcome = run_with(&session, &options, &Arc::new(Control::new()));
                let took = begun.elapsed().saturating_sub(timeout);
                let ended = outcome.bounds.iter().any(|b| b.contains("--timeout"));
                assert!(ended, "{name}, {}: {:?}", mode.name(), outcome.bounds);
                took
            });
            for (how, found) in [("interrupted", least(by_hand)), ("timeout", least(by_time))] {
                println!("{name}, {}, {how}: {found:?}", mode.name());
                if found > LATE {
                    late.push(format!("{name}, {}, {how}: {found:?}", mode.name()));
                }
            }
        }
    }
    assert!(late.is_empty(), "{late:#?}");
}

/// The first that is in time, or the least.
fn least(of: impl Iterator<Item = Duration>) -> Duration {
    let mut best = Duration::MAX;
    for found in of {
        best = best.min(found);
        if best <= LATE {
            break;
        }
    }
    best
}

/// Each method in a process of its own: it ends at the limit, and not far above it.
#[test]
fn every_method_keeps_the_memory_limit() {
    const LIMIT: u64 = 48 << 20;
    // A list that grows is copied into one of twice its size; on a loaded machine the looks at the memory
    // are further apart.
    const SLACK: u64 = LIMIT;
    let folder = tempfile::tempdir().expect("a folder");
    // What is held is the states with each method, and the successors of one state with any.
    let one: &[SymmetryMode] = &[SymmetryMode::Off];
    for (name, text, size, modes) in
        [("heavy", HEAVY, 3, &SymmetryMode::ALL[..]), ("dense", DENSE, 80, one)]
    {
        let path = written(&folder, name, text);
        for mode in modes {
            let out = Command::new(env!("CARGO_BIN_EXE_burnside"))
                .args(["check", "--keep-going", "--format", "json", "--timeout", "60"])
                .args(["--memory", &LIMIT.to_string(), "--flood-limit", &u64::MAX.to_string()])
                .args(["--symmetry", mode.name(), "--card", &format!("S={size}")])
                .arg(&path)
                .output()
                .expect("runs");
            let note = format!("{name}, {}, S = {size}", mode.name());
            let report: serde_json::Value = serde_json::from_slice(&out.stdout).expect(&note);
            let bounds = report["bounds"].to_string();
            let peak = report["peak_memory_bytes"].as_u64().expect(&note);
            println!("{note}: {:.1} MB, {} s", peak as f64 / (1 << 20) as f64, report["seconds"]);
            assert_eq!(report["complete"], false, "{note}");
            assert_eq!(out.status.code(), Some(3), "{note}: {bounds}");
            assert!(bounds.contains("--memory"), "{note}: {bounds}");
            assert!(peak < LIMIT + SLACK, "{note}: {peak}");
        }
    }
}

/// A relation on many copies of two strongly regular graphs that refinement cannot tell apart: the 4x4
/// rook's graph and Shrikhande's.
fn hard_graph(copies: u32) -> (Labeller, Shape, Value) {
    let n = 32 * copies;
    let cell = |x: u32, y: u32| (x % 4) * 4 + y % 4;
    let mut edges = Vec::new();
    for x in 0..4 {
        for y in 0..4 {
            for k in 1..4 {
                edges.push((cell(x, y), cell(x + k, y)));
                edges.push((cell(x, y), cell(x, y + k)));
            }
            for (i, j) in [(1, 0), (3, 0), (0, 1), (0, 3), (1, 1), (3, 3)] {
                edges.push((16 + cell(x, y), 16 + cell(x + i, y + j)));
            }
        }
    }
    let set = SetId(0);
    let sizes = Sizes(Arc::from([n]));
    let shape = Shape::of(&Type::relation(Type::Set(set), Type::Set(set)), &sizes);
    let pair = shape.element();
    let all = (0..copies).flat_map(|c| edges.iter().map(move |(a, b)| (32 * c + a, 32 * c + b)));
    let word = |v: u32| Value::Word(v as u64);
    let value = shape.collect(all.map(|(a, b)| pair.pair(word(a), word(b))).collect::<Vec<_>>());
    (Labeller::new(Group::new([SymmetricSet::all(set, n)])), shape, value)
}

#[test]
fn a_hard_labelling_is_interrupted() {
    let (mut labeller, shape, value) = hard_graph(12);
    let cells = [Cell { label: 0, shape: &shape, value: &value }];
    let took = (0..TRIES).map(|i| {
        let wait = Duration::from_millis(20 + 20 * i as u64);
        let begun = Instant::now();
        let stop = || begun.elapsed() >= wait;
        let options = Options { generators: true, interrupt: Some(&stop) };
        let found = labeller.label(&cells, &mut Valuation(&cells), options);
        assert!(found.is_none(), "it was labelled within {wait:?}");
        begun.elapsed() - wait
    });
    let took = least(took);
    println!("{took:?}");
    assert!(took <= LATE, "{took:?}");
}
