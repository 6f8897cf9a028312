//! Limits inside each method: also where one state is large, or one labelling long.

mod assertions;
mod commands;
#[path = "../common/mod.rs"]
mod common;
mod loops;
mod phases;

use burnside::clock::{Clock, EVERY, Phase, enter};
use burnside::machine::{SetId, Type};
use burnside::report::steps::StepText;
use burnside::report::text;
use burnside::search::{Asserted, Control, SearchOptions, SymmetryMode, Verdict};
use burnside::session::{Origin, Session};
use burnside::setup::{Bound, SetupOptions};
use burnside::symmetry::{Cell, Group, Labeller, Options, SymmetricSet, Valuation, Wanted};
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

/// A machine that is slow in one phase: what is searched, and about how many steps the phase takes.
struct Slow {
    name: &'static str,
    text: String,
    sizes: Vec<(&'static str, u64)>,
    goal: Option<String>,
    phase: Phase,
    work: u64,
}

fn machine(name: &'static str, phase: Phase, work: u64, clauses: &str) -> Slow {
    let text = format!("MACHINE M\n{clauses}\nEND\n");
    Slow { name, text, sizes: Vec::new(), goal: None, phase, work }
}

fn slow_machines() -> Vec<Slow> {
    const PLAIN: &str = "VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0";
    let conjuncts: String = (0..1500).map(|i| format!("\n& x /= {}", i + 10)).collect();
    let long = format!("VARIABLES x INVARIANT x : 0..9{conjuncts}\nINITIALISATION x := 0");
    let nested = (0..200).fold("x".to_owned(), |inner, i| format!("({inner} + {i})"));
    let deep: String = (0..20).map(|i| format!("\n& {nested} /= {i}")).collect();
    let deep = format!("VARIABLES x INVARIANT x : 0..9{deep}\nINITIALISATION x := 0");
    let named = |text: &dyn Fn(u32) -> String, by: &str| {
        (0..14).map(text).collect::<Vec<String>>().join(by)
    };
    let (bits, sum) = (named(&|i| format!("a{i}"), ", "), named(&|i| format!("a{i}"), " + "));
    let either = named(&|i| format!("(a{i} = 0 or a{i} = 1)"), " & ");
    // No two ways come to the same before the end.
    let choices = ["CHOICE y := 2 * y OR y := 2 * y + 1 END"; 14].join("; ");
    vec![
        machine("many conjuncts, cut into words and read", Phase::Loading, 20_000, &long),
        machine(
            "a long blank",
            Phase::Loading,
            400_000,
            &format!("{}{PLAIN}", " ".repeat(400_000)),
        ),
        machine("many conjuncts, typed", Phase::Typing, 4_500, &long),
        machine("nested formulas, typed", Phase::Typing, 8_000, &deep),
        Slow {
            goal: Some("d(d(d(d(d(d(x = x))))))".to_owned()),
            ..machine(
                "a goal that definitions make long",
                Phase::Sizes,
                8_000,
                &format!("DEFINITIONS d(p) == (p & p & p & p) {PLAIN}"),
            )
        },
        machine("many conjuncts, compiled", Phase::Compiling, 4_500, &long),
        machine(
            "candidates for the constants",
            Phase::SetUp,
            10_000,
            &format!(
                "CONSTANTS a, b PROPERTIES a : 1..100 & b : 1..100 & a ** (b / b) / b + b / a = 777 {PLAIN}"
            ),
        ),
        machine(
            "outcomes of the initialisation",
            Phase::Initialisation,
            40_000,
            "VARIABLES x, y INVARIANT x : NATURAL & y : NATURAL \
             INITIALISATION x :: 1..200 || y :: 1..200",
        ),
        machine(
            "instances of an operation",
            Phase::Search,
            10_000,
            &format!(
                "{PLAIN} OPERATIONS o(a, b) = PRE a : 1..100 & b : 1..100 & a ** (b / b) / b + b / a = 777 THEN skip END"
            ),
        ),
        machine(
            "a quantifier of the invariant",
            Phase::Search,
            40_000,
            "VARIABLES x INVARIANT x : 0..1 & !(a, b).(a : 1..200 & b : 1..200 => a ** (b / b) / b + b / a /= x - 1) \
             INITIALISATION x := 0 OPERATIONS o = x := 1 - x",
        ),
        machine(
            "choices one after the other",
            Phase::Search,
            30_000,
            &format!("{PLAIN} OPERATIONS o = VAR y IN y := 0; {choices}; x := y mod 2 END"),
        ),
        machine(
            "values between which disjunctions choose",
            Phase::Search,
            30_000,
            &format!(
                "{PLAIN} OPERATIONS o = ANY {bits} WHERE {either} & ({sum}) * ({sum}) mod 7 = 3 THEN skip END"
            ),
        ),
        Slow {
            sizes: vec![("D", 11)],
            ..machine(
                "orbits of arguments",
                Phase::Search,
                20_000,
                "SETS D VARIABLES s INVARIANT s : POW(POW(D)) INITIALISATION s := {} \
                 OPERATIONS o(a) = PRE a : POW(D) & s = {} THEN s := {a} END",
            )
        },
    ]
}

/// The phase at which a clock ends a check on so many threads.
fn ended(slow: &Slow, clock: &Arc<Clock>, threads: usize) -> Option<Phase> {
    let origin = Origin::Embedded { name: "m.mch".to_owned(), text: slow.text.clone() };
    let setup = SetupOptions { goal: slow.goal.clone(), ..sized(&slow.sizes, false) };
    let session = Session::open_under(origin, Vec::new(), setup, clock);
    if let Some(halted) = session.halted() {
        assert!(session.model().is_none(), "{}", slow.name);
        return Some(halted.phase);
    }
    assert!(session.model().is_some(), "{}: {:?}", slow.name, session.diagnostics());
    let options =
        SearchOptions { deadlock: false, threads: Some(threads), ..SearchOptions::default() };
    let outcome = run_with(&session, &options, &Arc::new(Control::under(clock.clone())));
    let halted = outcome.bounds.iter().find_map(|bound| match bound {
        Bound::Halted(halted) => Some(*halted),
        _ => None,
    });
    if let Some(halted) = halted {
        assert_eq!(outcome.verdict, Verdict::NoneFound, "{}", slow.name);
        assert!(!outcome.complete && outcome.interrupted, "{}", slow.name);
        // Labelling and storing work on states, which have no place.
        let of_states = matches!(halted.phase, Phase::Labelling | Phase::Storing);
        assert!(halted.place.is_some() || of_states, "{}", slow.name);
    }
    halted.map(|h| h.phase)
}

/// Questions that are tried of each machine, at least and at most: each is a run of its own.
const LEAST_TRIED: u64 = 5;
const MOST_TRIED: u64 = 8;

/// A limit holds in every phase: the clock is asked there, in proportion to the work, and obeyed.
///
/// One thread asks as often in every run. Several split the work as they come, and with it the steps between
/// two questions: of them only a question in the middle is known to be asked.
#[test]
fn every_phase_asks_the_clock() {
    for slow in slow_machines() {
        let name = slow.name;
        let clock = Clock::new();
        assert_eq!(ended(&slow, &clock, 1), None, "{name}");
        let all = clock.asked();
        // Every question is like its neighbours: some are tried, and stand for the others.
        let wanted = slow.work / u64::from(EVERY) / 2;
        let apart = (wanted / 2).clamp(all.div_ceil(MOST_TRIED), (all / LEAST_TRIED).max(1));
        let mut in_phase = 0;
        for question in (1..=all).step_by(apart as usize) {
            let clock = Clock::halting_at(question);
            let phase = ended(&slow, &clock, 1);
            assert!(phase.is_some(), "{name}: question {question} of {all} is not heard");
            let asked = clock.asked();
            assert!(asked <= question + AFTERWARDS, "{name}: {asked} asked after {question}");
            in_phase += apart * u64::from(phase == Some(slow.phase));
        }
        let clock = Clock::halting_at(all.div_ceil(2));
        assert!(ended(&slow, &clock, 3).is_some(), "{name}: three threads do not hear");
        println!("{name}: {in_phase} of {all} questions, at least {wanted} wanted");
        assert!(in_phase >= wanted.max(1), "{name}: {in_phase} questions for {} steps", slow.work);
    }
}

/// A finding stays one when there is no time left to put the run to it together.
#[test]
fn a_run_that_cannot_be_put_together_is_left_out() {
    let text = "MACHINE M VARIABLES x INVARIANT x < 3 INITIALISATION x := 0 \
                OPERATIONS o = ANY a, b WHERE a : 1..75 & b : 1..75 & a ** (b / b) / b + b / a = 74 THEN x := x + 1 END END";
    let origin = Origin::Embedded { name: "m.mch".to_owned(), text: text.to_owned() };
    let session = Session::open(origin, sized(&[], false));
    let run = |clock: &Arc<Clock>| {
        let control = Arc::new(Control::under(clock.clone()));
        let options = SearchOptions { threads: Some(1), ..SearchOptions::default() };
        run_with(&session, &options, &control)
    };
    let clock = Clock::new();
    let whole = run(&clock).finding.expect("found").trace.steps.len();
    assert_eq!(whole, 4);
    let late = Clock::halting_at(clock.asked() - 1);
    let outcome = run(&late);
    assert_eq!(outcome.verdict, Verdict::InvariantViolation);
    let finding = outcome.finding.expect("found");
    assert!(finding.span.is_some() && finding.trace.steps.is_empty(), "{finding:?}");
    let in_trace = |b: &Bound| matches!(b, Bound::Halted(h) if h.phase == Phase::Trace);
    assert!(outcome.bounds.iter().any(in_trace), "{:?}", outcome.bounds);
}

/// Long runs are not written to their end when there is no time.
#[test]
fn a_report_asks_the_clock() {
    let step = StepText {
        operation: "o".to_owned(),
        arguments: vec!["{}".repeat(1000)],
        results: Vec::new(),
        changed: Vec::new(),
        failed: false,
    };
    let steps = vec![step; 100];
    let clock = Clock::halting_at(20);
    let written = clock.guard(|| {
        enter(Phase::Report);
        text::trace(&steps)
    });
    assert_eq!(written.unwrap_err().phase, Phase::Report);
    let clock = Clock::new();
    assert!(clock.guard(|| text::trace(&steps)).is_ok_and(|text| text.len() > 200_000));
    assert!(clock.asked() > 60, "{}", clock.asked());
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
    let options = Options { generators: Wanted::All };
    let clock = Clock::halting_at(20);
    let found = clock.run(|| labeller.label(&cells, &mut Valuation(&cells), options));
    assert!(found.is_none());
    assert!(clock.asked() < 30, "{}", clock.asked());
}

/// Many constants, each with a quantifier about it: what is planned, and what is compiled, is no multiple
/// of their square.
#[test]
fn planning_takes_few_steps_for_each_constant() {
    let steps = |constants: usize| {
        let names: Vec<String> = (0..constants).map(|i| format!("c{i}")).collect();
        let about = |c: &String| format!("{c} : 0..3 & #x.(x : 0..3 & x = {c})");
        let conjuncts: Vec<String> = names.iter().map(about).collect();
        let text = format!(
            "MACHINE M CONSTANTS {} PROPERTIES {} VARIABLES v INVARIANT v = 0 INITIALISATION v := 0 END",
            names.join(", "),
            conjuncts.join("\n& ")
        );
        let clock = Clock::new();
        let origin = Origin::Embedded { name: "m.mch".to_owned(), text };
        let session = Session::open_under(origin, Vec::new(), sized(&[], false), &clock);
        assert!(session.model().is_some(), "{:?}", session.diagnostics());
        clock.asked() * u64::from(EVERY)
    };
    let (few, many) = (steps(50), steps(200));
    assert!(many < 6 * few, "{few} steps for 50 constants, {many} for 200");
}

/// A search that has no numbers for its states ends there and says so, whatever holds them.
#[test]
fn states_are_numbered_as_far_as_numbers_go() {
    let phonebook = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("models/phonebook_db.mch");
    let session = open(phonebook, sized(&[("Name", 4), ("Code", 4)], true));
    for mode in SymmetryMode::ALL {
        let all = run_with(&session, &everything(mode), &Arc::new(Control::new()));
        let [enough, few] = [all.states as u32, all.states as u32 - 1].map(|most_numbers| {
            let options = SearchOptions { most_numbers, ..everything(mode) };
            run_with(&session, &options, &Arc::new(Control::new()))
        });
        assert_eq!((enough.states, enough.bounds), (all.states, all.bounds), "{}", mode.name());
        let bound = Bound::Numbers(all.states as u32 - 1);
        assert!(few.bounds.contains(&bound) && !few.complete, "{}", mode.name());
        assert!(few.states < all.states && few.verdict == Verdict::NoneFound, "{}", mode.name());
    }
}
