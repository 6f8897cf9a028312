//! The machines of `models/` against the counts beside them.
//!
//! Four machines in six sizes and two modes are the rows of the table in Turner et al. (table 1, with
//! its two misprints corrected); phonebook_err has a row of figures of its own.

use burnside::eval::{Evaluator, Successors};
use burnside::machine::{LocalId, Type};
use burnside::search::{
    Control, OnViolation, Outcome, SearchOptions, Strategy, SymmetryMode, Trace, TraceStep, Verdict,
};
use burnside::session::{Ended, Origin, Session};
use burnside::setup::{Model, SetupOptions};
use burnside::value::Value;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    sets: Vec<String>,
    rows: Vec<Row>,
    #[serde(default)]
    counterexample: Vec<Shortest>,
    #[serde(default)]
    goal: Vec<Shortest>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    size: u64,
    symmetry: String,
    /// `prune` or `expand`; where nothing is violated they are the same.
    on_violation: Option<String>,
    nodes: u64,
    transitions: u64,
    satisfying: Option<u64>,
    /// Nothing is violated unless this says so.
    #[serde(default)]
    violating: u64,
}

/// Operations of the shortest way to a finding; 0: there is none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shortest {
    size: u64,
    operations: usize,
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("models").join(name)
}

fn expected(machine: &str) -> Expected {
    let path = file(&format!("{machine}.expected.toml"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    toml::from_str(&text).unwrap_or_else(|e| panic!("{path:?}: {e}"))
}

/// A machine of `models/`, in which all the given sets have one size.
fn open(machine: &str, sets: &[String], size: u64, goal: Option<&str>) -> Session {
    let setup = SetupOptions {
        cards: sets.iter().map(|s| (s.clone(), size)).collect(),
        goal: goal.map(str::to_owned),
        ..SetupOptions::default()
    };
    let session = Session::open(Origin::File(file(&format!("{machine}.mch"))), setup);
    assert!(session.diagnostics().is_empty(), "{machine}: {:?}", session.diagnostics());
    session
}

fn run(session: &Session, options: &SearchOptions) -> Outcome {
    match session.run(options, &Arc::new(Control::new())) {
        Some(Ended::Outcome(outcome)) => *outcome,
        other => panic!("{other:?}"),
    }
}

fn mode(name: &str) -> SymmetryMode {
    SymmetryMode::from_name(name).unwrap_or_else(|| panic!("no mode {name}"))
}

fn policy(name: Option<&str>) -> OnViolation {
    match name {
        Some("prune") => OnViolation::Prune,
        Some("expand") | None => OnViolation::Expand,
        Some(other) => panic!("no policy {other}"),
    }
}

/// Past everything that is found.
fn exhaustive(symmetry: SymmetryMode, on_violation: OnViolation) -> SearchOptions {
    SearchOptions {
        symmetry: Some(symmetry),
        on_violation,
        keep_going: true,
        ..SearchOptions::default()
    }
}

/// Searches every row of a machine. Returns the number of (nodes, transitions) that were compared.
fn counts(machine: &str) -> usize {
    let expected = expected(machine);
    // What a search without reduction counted, to compare with what a reduced one says of it.
    let mut full: BTreeMap<(u64, Option<&str>), (String, String)> = BTreeMap::new();
    let rows = expected.rows.iter();
    let (unreduced, reduced): (Vec<_>, Vec<_>) = rows.partition(|r| r.symmetry == "off");
    for row in unreduced.iter().chain(&reduced) {
        let (size, on_violation) = (row.size, row.on_violation.as_deref());
        let what = format!("{machine}, size {size}, {}, {on_violation:?}", row.symmetry);
        let session = open(machine, &expected.sets, size, None);
        let outcome = run(&session, &exhaustive(mode(&row.symmetry), policy(on_violation)));
        assert_eq!((outcome.nodes, outcome.transitions), (row.nodes, row.transitions), "{what}");
        assert!(outcome.complete && !outcome.approximate && outcome.bounds.is_empty(), "{what}");
        assert_eq!(outcome.state_errors, 0, "{what}");
        assert_eq!(outcome.deadlocked_states, Some(0), "{what}");
        assert_eq!(outcome.violating_states, Some(row.violating), "{what}");
        // No machine here has constants: all nodes but the root are states.
        assert_eq!(outcome.states, row.nodes - 1, "{what}");
        if let Some(satisfying) = row.satisfying {
            assert_eq!(outcome.states - row.violating, satisfying, "{what}");
        }
        let verdict = if row.violating > 0 { Verdict::InvariantViolation } else { Verdict::Ok };
        assert_eq!(outcome.verdict, verdict, "{what}");
        let whole = |n: Option<num_bigint::BigUint>| n.map(|n| n.to_string()).expect(&what);
        let found = (whole(outcome.full_states), whole(outcome.full_transitions));
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

/// Four machines, six sizes, two modes, two figures each.
fn table_one(machine: &str) {
    assert_eq!(counts(machine), 6 * 2, "{machine}: a row is missing");
}

#[test]
fn table_one_scheduler0() {
    table_one("scheduler0");
}

#[test]
fn table_one_scheduler() {
    table_one("scheduler");
}

#[test]
fn table_one_russian_postal_puzzle() {
    table_one("russian_postal_puzzle");
}

#[test]
fn table_one_phonebook() {
    table_one("phonebook");
}

#[test]
fn phonebook_err_counts() {
    assert_eq!(counts("phonebook_err"), 14);
}

#[test]
fn phonebook_db_counts() {
    assert_eq!(counts("phonebook_db"), 11);
}

/// One label of a representative with several targets counts for the machine as often as it has
/// concrete targets: with four processes `swap` makes 561 of 529.
#[test]
fn full_transitions_count_concrete_targets() {
    let session = open("scheduler", &["PID".to_owned()], 4, None);
    let outcome = run(&session, &exhaustive(SymmetryMode::Canon, OnViolation::Expand));
    assert_eq!(outcome.transitions, 71);
    assert_eq!(outcome.full_transitions.map(|n| n.to_string()).as_deref(), Some("561"));
}

/// The shortest counterexamples of phonebook_err, in every complete mode, each a run of the real machine.
#[test]
fn phonebook_err_counterexamples() {
    let expected = expected("phonebook_err");
    for Shortest { size, operations } in expected.counterexample {
        let session = open("phonebook_err", &expected.sets, size, None);
        for symmetry in SymmetryMode::ALL.into_iter().filter(|m| !m.is_approximate()) {
            let options = SearchOptions { symmetry: Some(symmetry), ..SearchOptions::default() };
            let outcome = run(&session, &options);
            if operations == 0 {
                assert_eq!(outcome.verdict, Verdict::Ok, "size {size}, {symmetry:?}");
                assert!(outcome.finding.is_none());
                continue;
            }
            assert_eq!(outcome.verdict, Verdict::InvariantViolation);
            let trace = outcome.finding.expect("a counterexample").trace;
            // The initialisation comes first; there are no constants to set up.
            assert_eq!(trace.steps.len(), 1 + operations, "{trace:#?}");
            let names: Vec<&str> = trace.steps.iter().map(|s| s.operation.as_str()).collect();
            assert_eq!(names, ["INITIALISATION", "add", "add", "delete"]);
            let end = walk(session.model().expect("a model"), &trace);
            assert!(!invariant_holds(&session, &end));
        }
    }
}

/// Longer ones, as the other strategies find them.
#[test]
fn counterexamples_of_every_strategy_are_runs() {
    let sets = ["Name".to_owned(), "Code".to_owned()];
    for size in 2..=4 {
        let session = open("phonebook_err", &sets, size, None);
        for strategy in Strategy::ALL {
            for seed in 1..=5 {
                let options = SearchOptions {
                    symmetry: Some(SymmetryMode::Canon),
                    strategy,
                    seed,
                    ..SearchOptions::default()
                };
                let outcome = run(&session, &options);
                assert_eq!(outcome.verdict, Verdict::InvariantViolation, "{strategy:?} {seed}");
                let trace = outcome.finding.expect("a counterexample").trace;
                let end = walk(session.model().expect("a model"), &trace);
                assert!(!invariant_holds(&session, &end), "{strategy:?} {seed}");
            }
        }
    }
}

/// The gem arrives: without stopping there it is only noted, and asked for it is found.
#[test]
fn the_postal_puzzle_is_solved() {
    let machine = "russian_postal_puzzle";
    let expected = expected(machine);
    for Shortest { size, operations } in expected.goal {
        for symmetry in SymmetryMode::ALL.into_iter().filter(|m| !m.is_approximate()) {
            let options = SearchOptions { symmetry: Some(symmetry), ..SearchOptions::default() };
            let session = open(machine, &expected.sets, size, None);
            let outcome = run(&session, &options);
            assert_eq!(outcome.verdict, Verdict::Ok);
            assert_eq!(outcome.goal_seen, Some(operations > 0), "size {size}");

            let session = open(machine, &expected.sets, size, Some("GOAL"));
            let outcome = run(&session, &SearchOptions { goal: true, ..options });
            if operations == 0 {
                assert_eq!(outcome.verdict, Verdict::Ok);
                continue;
            }
            assert_eq!(outcome.verdict, Verdict::GoalFound, "size {size}, {symmetry:?}");
            let trace = outcome.finding.expect("a way").trace;
            assert_eq!(trace.steps.len(), 1 + operations, "{trace:#?}");
            let model = session.model().expect("a model");
            let end = walk(model, &trace);
            let mut evaluator = Evaluator::new(model.program.clone());
            let state = packed(&mut evaluator, model, &end);
            assert_eq!(evaluator.goal(&state), Ok(true));
        }
    }
}

// ----- traces, walked on the machine without reduction

/// Follows a trace with an evaluator. Each step must be a transition of the machine with the printed
/// arguments, results and changes. Returns the values of the variables at its end.
fn walk(model: &Model, trace: &Trace) -> Vec<Value> {
    let mut evaluator = Evaluator::new(model.program.clone());
    let machine = &model.instance.machine;
    assert!(!machine.has_setup_step(), "the machines here have no constants");
    let mut steps = trace.steps.iter();
    let first = steps.next().expect("a first step");
    assert_eq!(first.operation, "INITIALISATION");
    let initial = evaluator.initial_states(&[]).expect("initial states");
    let shown = |before: Option<&[Value]>, after: &[Value]| -> Vec<(String, String)> {
        let all = machine.variables.iter().zip(after).enumerate();
        all.filter(|(i, (_, value))| before.is_none_or(|b| b[*i] != **value))
            .map(|(_, (v, value))| (v.name.to_string(), model.instance.names.show(&v.ty, value)))
            .collect()
    };
    let mut state = initial
        .into_iter()
        .find(|s| shown(None, &evaluator.variables(s)) == first.changed)
        .expect("the initial state of the trace");
    let mut out = Successors::new();
    for step in steps {
        evaluator.successors(&state, true, &mut out).expect("successors");
        let before = evaluator.variables(&state);
        let next = (0..out.len()).find(|i| {
            matches(model, &out, *i, step)
                && shown(Some(&before), &evaluator.variables(out.target(*i))) == step.changed
        });
        let next = next.unwrap_or_else(|| panic!("no such transition: {step:?}"));
        state = out.target(next).to_vec();
    }
    evaluator.variables(&state)
}

/// Whether a transition has the operation, the arguments and the results of a step.
fn matches(model: &Model, out: &Successors, i: usize, step: &TraceStep) -> bool {
    let (machine, entry) = (&model.instance.machine, out.entries[i]);
    let operation = machine.operation(entry.operation);
    let print = |locals: &[LocalId], values: &[Value]| -> Vec<String> {
        let types = locals.iter().map(|id| -> &Type { &machine.local(*id).ty });
        types.zip(values).map(|(ty, value)| model.instance.names.show(ty, value)).collect()
    };
    *operation.name == *step.operation
        && print(&operation.parameters, &out.arguments[entry.arguments as usize..])
            == step.arguments
        && print(&operation.results, &out.results[entry.results as usize..]) == step.results
}

fn packed(evaluator: &mut Evaluator, model: &Model, variables: &[Value]) -> Vec<u64> {
    let layout = &model.program.layout;
    let mut state = layout.blank();
    for (i, value) in variables.iter().enumerate() {
        let id = burnside::machine::VarId(i as u32);
        layout.write(id, &mut state, value, evaluator.interner());
    }
    state
}

fn invariant_holds(session: &Session, variables: &[Value]) -> bool {
    let model = session.model().expect("a model");
    let mut evaluator = Evaluator::new(model.program.clone());
    let state = packed(&mut evaluator, model, variables);
    let truths = evaluator.truths(&state).expect("no clock runs");
    truths.iter().all(|truth| *truth == Some(true))
}
