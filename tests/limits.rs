//! Limits inside each method: also where one state is large, or one labelling long.

mod common;

use burnside::clock::Clock;
use burnside::machine::{SetId, Type};
use burnside::search::{Control, SearchOptions, SymmetryMode};
use burnside::symmetry::{Cell, Group, Labeller, Options, SymmetricSet, Valuation};
use burnside::value::{Shape, Sizes, Value};
use common::{everything, open, run_with, sized};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

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

/// Questions to the clock after the one at which it halts: each of those who work hears of it once, and
/// nobody goes on.
const AFTERWARDS: u64 = 4;

/// Whatever is done to one large state, the clock is asked again and again, and obeyed.
#[test]
fn every_method_asks_the_clock_within_one_state() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text, size) in [("subsets", SUBSETS, 14), ("dense", DENSE, 80), ("wide", WIDE, 12)] {
        let session = open(written(&folder, name, text), sized(&[("S", size)], false));
        for mode in SymmetryMode::ALL {
            // Flooding would refuse before it is interrupted.
            let options = SearchOptions { flood_limit: u64::MAX, ..everything(mode) };
            for question in [1, 2, 7, 40] {
                let clock = Clock::halting_at(question);
                let control = Arc::new(Control::under(clock.clone()));
                let outcome = run_with(&session, &options, &control);
                let note = format!("{name}, {}, question {question}", mode.name());
                assert!(outcome.interrupted, "{note}: {:?}", outcome.bounds);
                let asked = clock.asked();
                assert!(asked <= question + AFTERWARDS, "{note}: asked {asked} times");
            }
        }
    }
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
    let options = Options { generators: true };
    let clock = Clock::halting_at(20);
    let found = clock.run(|| labeller.label(&cells, &mut Valuation(&cells), options));
    assert!(found.is_none());
    assert!(clock.asked() < 30, "{}", clock.asked());
}
