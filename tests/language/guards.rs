//! Undefined guards: where they are false, and where they are errors.

use super::*;
use burnside::search::{OnViolation, SymmetryMode};
use burnside::session::{Match, Origin, Session};
use burnside::state::WdGuards;

/// What one guard comes to: fired instances, faults in guards with their arguments, and whether
/// something counted as false.
#[derive(PartialEq, Debug)]
struct Seen {
    steps: usize,
    faults: Vec<Vec<String>>,
    noted: bool,
}

/// In a state with `f` = {0 |-> 1, 1 |-> 1}, `x` = 2, `y` = 0, `S` = {e1, e2} and `h` = {e1 |-> 1}.
fn machine(operation: &str) -> String {
    format!(
        "MACHINE M SETS S = {{e1, e2}} VARIABLES f, x, y, h
        INVARIANT f : INTEGER +-> INTEGER & x : INTEGER & y : INTEGER & h : S +-> INTEGER
        INITIALISATION f := {{0 |-> 1, 1 |-> 1}} || x := 2 || y := 0 || h := {{e1 |-> 1}}
        OPERATIONS {operation} END"
    )
}

fn seen(operation: &str, wd_guards: WdGuards) -> Seen {
    let text = machine(operation);
    deep(|| {
        let loaded = normalise::load_text("test.mch", &text);
        let machine =
            Arc::new(loaded.machine.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics)));
        let options = SetupOptions { wd_guards, ..SetupOptions::default() };
        let model = setup::set_up(&machine, &options, None).expect("sets up");
        let program = model.program.clone();
        let mut evaluator = burnside::eval::Evaluator::new(program.clone());
        let states = evaluator.initial_states(&[]).expect("an initial state");
        let mut out = burnside::eval::Successors::new();
        evaluator.successors(&states[0], true, &mut out).expect("no limit");
        let show = |f: &burnside::eval::OperationFault| {
            assert!(f.in_guard, "{operation}");
            let typed = machine.operation(f.operation).parameters.iter().zip(&f.arguments);
            let names = &program.instance.names;
            typed.map(|(id, v)| names.show(&machine.local(*id).ty, v)).collect()
        };
        Seen {
            steps: out.len(),
            faults: out.faults.iter().map(show).collect(),
            noted: !evaluator.notes().undefined_guards.is_empty(),
        }
    })
}

const DO: &str = "THEN skip END";

#[test]
fn an_undefined_guard_is_an_error_of_the_operation() {
    for guard in [
        "SELECT f(x) = 1 THEN skip END",
        "PRE f(x) = 1 THEN skip END",
        "SELECT y = 0 & f(x) = 1 THEN skip END",
        "SELECT f(x) = 1 & y = 0 THEN skip END",
        "SELECT 1 / y = 1 THEN skip END",
        "SELECT not(f(x) = 1) THEN skip END",
        "SELECT f(x) = 1 or y = 1 THEN skip END",
        "SELECT #z.(z : 1..3 & f(z) = 7) THEN skip END",
        "SELECT !z.(z : 0..2 => f(z) = 1) THEN skip END",
        "SELECT {z | z : 0..2 & f(z) = 1} = {} THEN skip END",
        "SELECT bool(f(x) = 1) = TRUE THEN skip END",
        // Neither side of ELSE is known to be the one.
        "SELECT f(x) = 1 THEN skip ELSE y := 1 END",
        "SELECT y = 0 THEN SELECT f(x) = 1 THEN skip END END",
        "BEGIN skip || SELECT f(x) = 1 THEN y := 1 END END",
        "LET a BE a = x IN SELECT f(a) = 1 THEN skip END END",
        "ANY a WHERE a = x & f(a) = 1 THEN skip END",
        "ANY a WHERE a : {x} & f(a) = 1 THEN skip END",
        "ANY a WHERE a = f(x) THEN skip END",
    ] {
        let error = seen(&format!("op = {guard}"), WdGuards::Error);
        assert_eq!(error, Seen { steps: 0, faults: vec![vec![]], noted: false }, "{guard}");
        let warn = seen(&format!("op = {guard}"), WdGuards::Warn);
        assert!(warn.faults.is_empty() && warn.noted, "{guard}: {warn:?}");
    }
    // What else it may choose goes on.
    for guard in [
        "SELECT f(x) = 1 THEN skip WHEN y = 0 THEN y := 2 END",
        "CHOICE SELECT f(x) = 1 THEN skip END OR y := 1 END",
        "ANY a WHERE a : 0..3 THEN SELECT f(a) = 1 THEN skip END END",
    ] {
        let error = seen(&format!("op = {guard}"), WdGuards::Error);
        assert_eq!(error, Seen { steps: 1, faults: vec![vec![]], noted: false }, "{guard}");
    }
    // In branches of IF and CASE, and after `;`, the guard is not the operation's.
    for body in [
        "IF f(x) = 1 THEN skip END",
        "CASE f(x) OF EITHER 1 THEN skip END END",
        "BEGIN y := 1 ; SELECT f(x) = 1 THEN skip END END",
    ] {
        for wd_guards in WdGuards::ALL {
            let outcome = outcome_of(&machine(&format!("op = {body}")), wd_guards, None);
            assert_eq!((outcome.verdict, outcome.state_errors), (Verdict::StateError, 1), "{body}");
        }
    }
}

#[test]
fn a_false_part_outweighs_undefined_ones() {
    for guard in [
        "f(x) = 1 & y = 1",
        "y = 1 & f(x) = 1",
        "1 / y = 1 & not(y = 0 or f(x) = 1)",
        "f(x) = 1 & #z.(z : 1..3 & z > 5)",
    ] {
        for wd_guards in WdGuards::ALL {
            let found = seen(&format!("op = SELECT {guard} {DO}"), wd_guards);
            assert_eq!(found, Seen { steps: 0, faults: vec![], noted: false }, "{guard}");
        }
    }
}

#[test]
fn an_application_to_what_is_enumerated_asks_for_pairs() {
    for (parameters, guard, steps) in [
        ("p", "p : 0..3 & f(p) = 1", 2),
        ("p", "f(p) = 1 & p : 0..3", 2),
        ("p", "p : 0..3 & f(p) /= 7", 2),
        ("p", "p : 0..3 & f(p + 1) = 1", 1),
        ("p", "p : 0..3 & f(f(p) + p) = 1", 1),
        ("p", "p : 0..3 & f(p) + 1 : 1..9", 2),
        ("p, q", "p : 0..3 & q = f(p)", 2),
        ("p, q", "p : 0..3 & q : 1..2 & f(p) = q", 2),
        ("g", "g : 1..1 +-> 1..2 & g(1) = 1", 1),
        ("p", "p : S & h(p) = 1", 1),
    ] {
        let conditions = [
            format!("op({parameters}) = PRE {guard} {DO}"),
            format!("op({parameters}) = SELECT {guard} {DO}"),
            // Targets and labels are the same.
            format!("op = ANY {parameters} WHERE {guard} {DO}"),
        ];
        for (i, operation) in conditions.iter().enumerate() {
            let found = seen(operation, WdGuards::Error);
            let wanted = if i < 2 { steps } else { 1 };
            assert_eq!((found.steps, found.faults.len()), (wanted, 0), "{operation}");
        }
    }
    // Several alternatives that enumerate, without a condition above them.
    let either = "op(p) = SELECT p : 0..3 & f(p) = 1 THEN skip WHEN p : {5} & x = 2 THEN skip END";
    assert_eq!(seen(either, WdGuards::Error).steps, 3);
    // What has its value is not asked for.
    for (operation, argument) in [
        ("op(p) = PRE p = x & f(p) = 1 THEN skip END", "2"),
        ("op(p) = PRE p : S & p /= e1 THEN SELECT h(p) = 1 THEN skip END END", "e2"),
        ("op(p) = SELECT p : S & p /= e1 THEN SELECT h(p) = 1 THEN skip END END", "e2"),
        (
            "op(p) = PRE p : S & p /= e1 THEN ANY z WHERE z : 1..3 & z = h(p) THEN skip END END",
            "e2",
        ),
        ("op(p) = PRE p : S & p /= e1 & (h(p) = 1 or y = 1) THEN skip END", "e2"),
        ("op(p) = PRE p : 2..2 & 1 / (p - 2) = 1 THEN skip END", "2"),
        ("op(p) = PRE p : 2..2 & f(x) = p THEN skip END", "2"),
    ] {
        let found = seen(operation, WdGuards::Error);
        assert_eq!(
            (found.steps, found.faults),
            (0, vec![vec![argument.to_owned()]]),
            "{operation}"
        );
        let warn = seen(operation, WdGuards::Warn);
        assert_eq!(warn, Seen { steps: 0, faults: vec![], noted: true }, "{operation}");
    }
    // Either value of the parameter that the undefined part gives.
    let bound = seen("op(c) = PRE c : BOOL & c = bool(f(x) = 1) THEN skip END", WdGuards::Error);
    assert_eq!(bound.faults, [["FALSE"], ["TRUE"]]);
}

#[test]
fn an_undefined_guard_leaves_the_other_outcomes() {
    let found = seen(
        "op(p) = PRE p : S THEN CHOICE SELECT h(p) = 1 THEN y := 1 END OR y := 2 END END",
        WdGuards::Error,
    );
    assert_eq!((found.steps, found.faults), (3, vec![vec!["e2".to_owned()]]));
    let warned = seen(
        "op(p) = PRE p : S THEN SELECT h(p) = 1 THEN y := 1 ELSE y := 2 END END",
        WdGuards::Warn,
    );
    assert_eq!(warned, Seen { steps: 1, faults: vec![], noted: true });
}

fn outcome_of(text: &str, wd_guards: WdGuards, mode: Option<SymmetryMode>) -> Outcome {
    deep(|| {
        let loaded = normalise::load_text("test.mch", text);
        let machine = Arc::new(loaded.machine.expect("loads"));
        let setup = SetupOptions { wd_guards, ..SetupOptions::default() };
        let model = setup::set_up(&machine, &setup, None).expect("sets up");
        let options = SearchOptions {
            symmetry: mode,
            on_violation: OnViolation::Expand,
            keep_going: true,
            deadlock: false,
            ..SearchOptions::default()
        };
        search::run(&model, &options, &Arc::new(Control::new()))
    })
}

/// Elements are taken in and given marks; those without one make `use` undefined.
const MARKED: &str = "MACHINE Marked SETS D DEFINITIONS scope_D == 3
    VARIABLES in, mark INVARIANT in <: D & mark : D +-> 0..1 INITIALISATION in := {} || mark := {}
    OPERATIONS
      take(d) = PRE d : D - in THEN in := in \\/ {d} END;
      give(d) = PRE d : in THEN mark(d) := 0 END;
      use(d, e) = PRE d : in & e : D & e /= d THEN SELECT mark(d) = 0 THEN mark := {d, e} <<| mark END END;
      find(d) = PRE d : D & mark(d) = 0 THEN mark := {d} <<| mark END
    END";

#[test]
fn every_method_says_the_same_of_undefined_guards() {
    let off = outcome_of(MARKED, WdGuards::Error, Some(SymmetryMode::Off));
    assert!(off.complete && off.state_errors > 0);
    // Each element is out, in, or in with a mark: 27 states, in 9 of which a given one is in without
    // a mark, and there are two others.
    assert_eq!((off.states, off.state_errors), (27, 3 * 9 * 2));
    for mode in SymmetryMode::ALL {
        let outcome = outcome_of(MARKED, WdGuards::Error, Some(mode));
        assert_eq!(outcome.verdict, Verdict::StateError, "{}", mode.name());
        let known = outcome.full_states.is_some() && !mode.is_approximate();
        if known {
            assert_eq!(outcome.full_states, off.full_states, "{}", mode.name());
            assert_eq!(outcome.full_transitions, off.full_transitions, "{}", mode.name());
        }
        let finding = outcome.finding.expect("a finding");
        assert_eq!(finding.message, "function applied outside its domain in the guard of use");
        assert_eq!(finding.trace.steps.len(), 3, "{}", mode.name());
        let warned = outcome_of(MARKED, WdGuards::Warn, Some(mode));
        assert_eq!(warned.state_errors, 0, "{}", mode.name());
    }
}

#[test]
fn the_trace_of_an_undefined_guard_replays() {
    let open = |wd_guards| {
        let origin = Origin::Embedded { name: "marked.mch".into(), text: MARKED.to_owned() };
        Session::open(origin, SetupOptions { wd_guards, ..SetupOptions::default() })
    };
    let outcome = outcome_of(MARKED, WdGuards::Error, None);
    let steps = outcome.finding.expect("a finding").trace.steps;
    let mut animator = open(WdGuards::Error).animator().expect("an animator");
    let replayed = animator.replay(&steps, Match::Exact);
    assert!(replayed.complete, "{replayed:?}");
    let view = animator.view();
    assert!(view.faults.iter().all(|f| f.operation == "use" && f.message.contains("mark(d)")));
    assert!(!view.faults.is_empty() && !view.deadlock);
    // Where it counts as false there is nothing to fail.
    let mut animator = open(WdGuards::Warn).animator().expect("an animator");
    assert!(!animator.replay(&steps, Match::Exact).complete);
}

#[test]
fn long_integers_change_nothing() {
    let text = |add: &str| {
        machine(&format!(
            "op(p) = PRE p : 0..3 & p + {add} > p THEN SELECT f(p) = 1 THEN y := p END END"
        ))
    };
    let counts = |add: &str| {
        let o = outcome_of(&text(add), WdGuards::Error, None);
        (o.states, o.transitions, o.state_errors)
    };
    assert_eq!(counts("1"), counts("9223372036854775807"));
}
