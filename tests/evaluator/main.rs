//! Operators, errors and substitutions against values written by hand.

mod errors;
mod incremental;
mod initialisation;
mod intervals;
mod lines;
mod operators;
mod parts;
mod records;
mod remembered;
mod screened;
mod substitutions;
mod texts;
mod trees;

use burnside::eval::{Evaluator, Successors};
use burnside::normalise;
use burnside::search::{self, Control, OnViolation, SearchOptions, SymmetryMode};
use burnside::setup::{self, Model, SetupOptions};
use std::collections::BTreeSet;
use std::sync::Arc;

fn model(text: &str) -> (Model, burnside::source::Sources) {
    let loaded = normalise::load_text("T.mch", text);
    let errors: Vec<String> = loaded
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .map(|d| d.render(&loaded.sources))
        .collect();
    let machine = loaded.machine.unwrap_or_else(|| panic!("{text}\n{}", errors.join("\n")));
    match setup::set_up(&Arc::new(machine), &SetupOptions::default(), None) {
        Ok(model) => (model, loaded.sources),
        Err(d) => panic!("{text}\n{}", d[0].render(&loaded.sources)),
    }
}

/// What can be done in the initial states: results and new values, or the error with its place and
/// the values there.
fn outcomes(text: &str) -> BTreeSet<String> {
    let (model, sources) = model(text);
    let instance = &model.program.instance;
    let mut evaluator = Evaluator::new(model.program.clone());
    evaluator.explain(true);
    let mut setups = Vec::new();
    evaluator.setups(&mut setups).expect("set-ups");
    let mut found = BTreeSet::new();
    let mut out = Successors::new();
    for constants in &setups {
        for state in evaluator.initial_states(constants).expect("initial states") {
            evaluator.successors(&state, true, &mut out).expect("no limit");
            for (i, entry) in out.entries.iter().enumerate() {
                let operation = instance.machine.operation(entry.operation);
                let results = operation.results.iter().zip(&out.results[entry.results as usize..]);
                let results =
                    results.map(|(id, v)| instance.names.show(&instance.machine.local(*id).ty, v));
                let values = evaluator.variables(out.target(i));
                let globals = instance.machine.variables.iter().zip(&values);
                let values =
                    globals.map(|(g, v)| format!("{}={}", g.name, instance.names.show(&g.ty, v)));
                found.insert(results.chain(values).collect::<Vec<_>>().join(" "));
            }
            for fault in &out.faults {
                let values = fault.fault.iter().flat_map(|f| &f.operands);
                let values: Vec<String> =
                    values.map(|(o, v)| instance.names.show(&o.ty, v)).collect();
                found.insert(format!(
                    "error: {} at {} with {}",
                    fault.site.kind.message(),
                    sources.text(fault.site.span),
                    values.join(", ")
                ));
            }
        }
    }
    found
}

const SETS: &str = "SETS D; E = {e1, e2, e3, e4}; F = {f1, f2, f3, f4, f5, f6, f7, f8, f9, f10}
    DEFINITIONS scope_D == 2; SET_PREF_MAXINT == 5; SET_PREF_MININT == -5";

/// One operation whose results are these expressions.
fn results(expressions: &[String]) -> BTreeSet<String> {
    let names: Vec<String> = (0..expressions.len()).map(|i| format!("r{i}")).collect();
    let assignments: Vec<String> =
        names.iter().zip(expressions).map(|(r, e)| format!("{r} := {e}")).collect();
    outcomes(&format!(
        "MACHINE T {SETS} VARIABLES n, k INVARIANT n : INTEGER & k : INTEGER
         INITIALISATION n := 0 || k := 1
         OPERATIONS {} <-- op = BEGIN {} END END",
        names.join(", "),
        assignments.join(" || ")
    ))
}

/// The expression has the value of a literal.
fn is(expression: &str, literal: &str) {
    let found = results(&[format!("bool(({expression}) = ({literal}))"), expression.to_string()]);
    let found: Vec<&String> = found.iter().collect();
    assert!(
        found.len() == 1 && found[0].starts_with("TRUE"),
        "{expression} = {literal}: {found:?}"
    );
}

fn truth(predicate: &str, expected: bool) {
    let found = results(&[format!("bool({predicate})")]);
    let wanted = if expected { "TRUE n=0 k=1" } else { "FALSE n=0 k=1" };
    assert_eq!(found, BTreeSet::from([wanted.to_string()]), "{predicate}");
}

fn holds(predicate: &str) {
    truth(predicate, true);
}

fn fails(predicate: &str) {
    truth(predicate, false);
}

/// The same with elements of a set in one word, over several words, of integers, strings and pairs.
fn for_each_representation(check: impl Fn(&dyn Fn(&str) -> String)) {
    let kinds: [[&str; 4]; 5] = [
        ["e1", "e2", "e3", "e4"],
        ["f1", "f2", "f9", "f10"],
        ["-1", "2", "70", "18446744073709551616"],
        ["\"\"", "\"a\"", "\"b\"", "\"ab\""],
        ["(e1|->1)", "(e1|->2)", "(e2|->0)", "(e2|->1)"],
    ];
    for kind in kinds {
        check(&|text| {
            let places = ["@a", "@b", "@c", "@d"];
            places.iter().zip(kind).fold(text.to_string(), |t, (p, x)| t.replace(p, x))
        });
    }
}

fn everywhere(rows: &[(&str, &str)]) {
    for_each_representation(|put| rows.iter().for_each(|(e, x)| is(&put(e), &put(x))));
}

fn everywhere_true(rows: &[(&str, bool)]) {
    for_each_representation(|put| rows.iter().for_each(|(p, t)| truth(&put(p), *t)));
}

/// States, transitions, state errors and deadlocks of the first part of a search past everything that is wrong; all of
/// it takes long.
fn found(text: &str, mode: SymmetryMode) -> [u64; 4] {
    let (model, _) = model(text);
    let options = SearchOptions {
        symmetry: Some(mode),
        on_violation: OnViolation::Expand,
        keep_going: true,
        max_states: Some(10_000),
        ..SearchOptions::default()
    };
    let outcome = search::run(&model, &options, &Arc::new(Control::new()));
    let deadlocks = outcome.deadlocked_states.unwrap_or(0);
    [
        outcome.nodes as u64,
        outcome.transitions as u64,
        outcome.state_errors as u64,
        deadlocks as u64,
    ]
}
