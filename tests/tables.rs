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
    /// Values of constants, as the command line gives them.
    #[serde(default)]
    constants: BTreeMap<String, String>,
    #[serde(default)]
    deadlocked: u64,
    /// Deadlocked states without reduction.
    full_deadlocked: Option<u64>,
    /// States where the machine's GOAL holds.
    goal: Option<u64>,
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
    open_with(machine, sets, size, &BTreeMap::new(), goal)
}

fn open_with(
    machine: &str,
    sets: &[String],
    size: u64,
    constants: &BTreeMap<String, String>,
    goal: Option<&str>,
) -> Session {
    let setup = SetupOptions {
        cards: sets.iter().map(|s| (s.clone(), size)).collect(),
        constants: constants.iter().map(|(c, v)| (c.clone(), v.clone())).collect(),
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
    let mut full = BTreeMap::new();
    let rows = expected.rows.iter();
    let (unreduced, reduced): (Vec<_>, Vec<_>) = rows.partition(|r| r.symmetry == "off");
    for row in unreduced.iter().chain(&reduced) {
        let (size, on_violation) = (row.size, row.on_violation.as_deref());
        let what = format!(
            "{machine}, size {size}, {:?}, {}, {on_violation:?}",
            row.constants, row.symmetry
        );
        let goal = row.goal.map(|_| "GOAL");
        let session = open_with(machine, &expected.sets, size, &row.constants, goal);
        let outcome = run(&session, &exhaustive(mode(&row.symmetry), policy(on_violation)));
        assert_eq!((outcome.nodes, outcome.transitions), (row.nodes, row.transitions), "{what}");
        let approximate = mode(&row.symmetry).is_approximate();
        assert_eq!((outcome.complete, outcome.approximate), (!approximate, approximate), "{what}");
        assert_eq!(outcome.bounds.is_empty(), !approximate, "{what}: {:?}", outcome.bounds);
        assert_eq!(outcome.state_errors, 0, "{what}");
        assert_eq!(outcome.deadlocked_states, Some(row.deadlocked), "{what}");
        assert_eq!(outcome.violating_states, Some(row.violating), "{what}");
        assert_eq!(outcome.goal_states, row.goal, "{what}");
        // All nodes are states but the root, and the one set-up where there are constants.
        let setups = u64::from(!row.constants.is_empty());
        assert_eq!(outcome.states, row.nodes - 1 - setups, "{what}");
        if let Some(satisfying) = row.satisfying {
            assert_eq!(outcome.states - row.violating, satisfying, "{what}");
        }
        let verdict = match row {
            _ if row.violating > 0 => Verdict::InvariantViolation,
            _ if row.deadlocked > 0 => Verdict::Deadlock,
            _ if row.goal > Some(0) => Verdict::GoalFound,
            _ if approximate => Verdict::NoneFound,
            _ => Verdict::Ok,
        };
        assert_eq!(outcome.verdict, verdict, "{what}");
        let found = [
            outcome.full_states,
            outcome.full_transitions,
            outcome.full_first_transitions,
            outcome.full_deadlocked_states,
            outcome.full_goal_states.or(Some(0u8.into())),
        ];
        if let Some(deadlocked) = row.full_deadlocked {
            assert_eq!(found[3], Some(deadlocked.into()), "{what}");
        }
        let what_is_searched = (size, on_violation, &row.constants);
        if row.symmetry == "off" {
            let own = [
                outcome.states,
                outcome.transitions,
                outcome.first_transitions,
                row.deadlocked,
                row.goal.unwrap_or(0),
            ];
            assert_eq!(found, own.map(|n| Some(n.into())), "{what}");
            full.insert(what_is_searched, found);
        } else if matches!(row.symmetry.as_str(), "canon" | "segmented" | "iso") {
            // The other methods do not know the orbits of what they keep.
            assert!(found.iter().all(Option::is_some), "{what}");
            if let Some(unreduced) = full.get(&what_is_searched) {
                assert_eq!(&found, unreduced, "{what}: the machine without reduction");
            }
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

/// The configurations of a network (Rensink, table 3), up to the names of the nodes, and without
/// reduction `binom(n - 1, c) ^ n` of them.
#[test]
fn network_configurations() {
    assert_eq!(counts("network"), 22);
    let binomial = |n: u64, k: u64| (0..k).fold(1, |b, i| b * (n - i) / (i + 1));
    for row in expected("network").rows {
        let c: u64 = row.constants["view_size"].parse().expect("a number");
        let normal = binomial(row.size - 1, c).pow(row.size as u32);
        assert_eq!(row.full_deadlocked, Some(normal), "{}, {c}", row.size);
    }
}

/// The same by Burnside's lemma, without any search: the mean of the configurations that each
/// permutation of the nodes leaves as they are.
#[test]
fn network_configurations_by_burnsides_lemma() {
    for row in expected("network").rows.iter().filter(|r| r.symmetry == "canon") {
        let c: u64 = row.constants["view_size"].parse().expect("a number");
        let orbits = configurations_up_to_names(row.size, c);
        assert_eq!(row.deadlocked, orbits, "{}, {c}", row.size);
    }
    // Sizes that are too large for a test, but not for the lemma; `burnside tables --full`
    // searches for those of seven nodes.
    let known = [(7, 2, 35_317), (7, 3, 257_290), (8, 2, 967_255), (8, 3, 56_150_820)];
    for (n, c, orbits) in known {
        assert_eq!(configurations_up_to_names(n, c), orbits, "{n}, {c}");
    }
}

/// Orbits of the assignments of `c` other nodes to each of `n` nodes, under all permutations.
fn configurations_up_to_names(n: u64, c: u64) -> u64 {
    let (mut fixed, mut permutations) = (0u128, 0u128);
    partitions(n, n, &mut Vec::new(), &mut |cycles| {
        // How many permutations have cycles of these lengths.
        let mut centraliser = 1;
        for (i, length) in cycles.iter().enumerate() {
            let same = cycles[..=i].iter().filter(|l| *l == length).count() as u128;
            centraliser *= u128::from(*length) * same;
        }
        let alike = (1..=u128::from(n)).product::<u128>() / centraliser;
        permutations += alike;
        // The view of one node of a cycle gives those of the others; going around the cycle once
        // must lead back to it.
        let views = |length: u64| {
            let gcd = |mut a: u64, mut b: u64| {
                while b > 0 {
                    (a, b) = (b, a % b);
                }
                a
            };
            // Subsets by size, each a union of the cycles of the permutation's power.
            let mut subsets = vec![0u128; c as usize + 1];
            subsets[0] = 1;
            let mut parts: Vec<u64> = Vec::new();
            for other in cycles {
                let pieces = gcd(*other, length);
                parts.extend((0..pieces).map(|_| other / pieces));
            }
            // The node itself, which the power leaves in place, is not in its view.
            let own = parts.iter().position(|p| *p == 1).expect("its own cycle falls apart");
            parts.swap_remove(own);
            for part in parts {
                for size in (part..=c).rev() {
                    subsets[size as usize] += subsets[(size - part) as usize];
                }
            }
            subsets[c as usize]
        };
        fixed += alike * cycles.iter().map(|l| views(*l)).product::<u128>();
    });
    assert_eq!(fixed % permutations, 0);
    u64::try_from(fixed / permutations).expect("not so many")
}

/// The ways to write `n` as a sum of numbers up to `most`, in descending order.
fn partitions(n: u64, most: u64, begun: &mut Vec<u64>, each: &mut dyn FnMut(&[u64])) {
    if n == 0 {
        each(begun);
    }
    for part in (1..=most.min(n)).rev() {
        begun.push(part);
        partitions(n - part, part, begun, each);
        begun.pop();
    }
}

/// The push protocol in two granularities (for table 4 of Rensink), without the root, the set-up and
/// the initialisation: stable configurations, states and transitions of operations, without
/// reduction and with it.
#[test]
fn push_protocol() {
    type Counts = (u64, u64);
    let rows: [(&str, u64, u64, u64, Counts, Counts); 6] = [
        ("push_phases", 4, 2, 6, (1769, 2544), (80, 121)),
        ("push_messages", 4, 2, 6, (945, 2232), (44, 100)),
        ("push_phases", 5, 2, 79, (212_451, 349_290), (1850, 3075)),
        ("push_messages", 5, 2, 79, (117_936, 342_360), (1032, 2950)),
        ("push_phases", 5, 3, 13, (33_419, 51_580), (321, 509)),
        ("push_phases", 6, 4, 40, (708_469, 1_142_820), (1220, 2072)),
    ];
    for (machine, n, c, stable, full, reduced) in rows {
        let what = format!("{machine} {n}, {c}");
        let constants = BTreeMap::from([("view_size".to_owned(), c.to_string())]);
        let session = open_with(machine, &["NODE".to_owned()], n, &constants, Some("GOAL"));
        let outcome = run(&session, &exhaustive(SymmetryMode::Canon, OnViolation::Expand));
        assert_eq!(outcome.goal_states, Some(stable), "{what}");
        let own = outcome.transitions - outcome.first_transitions;
        assert_eq!((outcome.states, own), reduced, "{what}");
        assert_eq!(outcome.first_transitions, 2, "{what}: one set-up and one ring");
        let first = outcome.full_first_transitions.expect("known");
        let all = outcome.full_transitions.expect("known") - first;
        assert_eq!(outcome.full_states, Some(full.0.into()), "{what}");
        assert_eq!(all, full.1.into(), "{what}");
    }
    assert_eq!(counts("push_phases"), 6);
    assert_eq!(counts("push_messages"), 6);
}

#[test]
fn email_counts() {
    assert_eq!(counts("email"), 10);
}

/// Peterson's protocol (Bosnacki et al., figures 4 and 8). Each process can always do one thing, so
/// there are as many transitions out of each state as processes.
#[test]
fn peterson_counts() {
    assert_eq!(counts("peterson"), 16);
    for row in expected("peterson").rows {
        assert_eq!(row.transitions, row.size * (row.nodes - 1) + 1, "{}", row.size);
    }
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
