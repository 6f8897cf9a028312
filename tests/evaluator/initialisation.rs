//! Initialisations: what may be read there, and what must be written.

use super::*;
use burnside::eval::Stop;

/// The first values, sorted; or what is wrong, with its place.
fn first(initialisation: &str) -> Vec<String> {
    let text = format!(
        "MACHINE T {SETS} VARIABLES x, y, b, d, s, f, g, rc
         INVARIANT x : INTEGER & y : INTEGER & b : BOOL & d : D & s <: E & f : E +-> 0..3 &
             g : E +-> (E +-> 0..2) & rc : struct(a : 0..3, b : BOOL)
         INITIALISATION {initialisation} END"
    );
    let (model, sources) = model(&text);
    let instance = &model.program.instance;
    let mut evaluator = Evaluator::new(model.program.clone());
    let mut setups = Vec::new();
    evaluator.setups(&mut setups).expect("set-ups");
    let mut found = BTreeSet::new();
    for constants in &setups {
        match evaluator.initial_states(constants) {
            Ok(states) => {
                for state in states {
                    let values = evaluator.variables(&state);
                    let globals = instance.machine.variables.iter().zip(&values);
                    let shown = globals
                        .map(|(g, v)| format!("{}={}", g.name, instance.names.show(&g.ty, v)));
                    found.insert(shown.collect::<Vec<_>>().join(" "));
                }
            }
            Err(Stop::Fault(site)) => {
                let site = evaluator.site(site);
                let (message, place) = (site.message(&instance.machine), sources.text(site.span));
                found.insert(format!("{message}: {place}"));
            }
            Err(stop) => panic!("{initialisation}: {stop:?}"),
        }
    }
    found.into_iter().collect()
}

/// Writes of all variables but `x` and `y`.
const OTHERS: &str =
    "b := TRUE || d :: D || s := {} || f := {} || g := {} || rc := rec(a : 1, b : FALSE)";

fn pairs_from(initialisation: &str, wanted: &[&str]) {
    let found = first(&format!("{initialisation} || {OTHERS}"));
    let short = found.into_iter().map(|o| o.split(" b=").next().unwrap_or_default().to_string());
    let found: Vec<String> = short.collect::<BTreeSet<_>>().into_iter().collect();
    assert_eq!(found, wanted, "{initialisation}");
}

/// The initialisation reads this variable too early, and says where.
fn reads(initialisation: &str, variable: &str) {
    let all = format!("BEGIN {initialisation} END ; BEGIN x := 0 || y := 0 || {OTHERS} END");
    let found = first(&all);
    let wanted = format!("variable `{variable}` read before it was written: ");
    assert_eq!(found.len(), 1, "{initialisation}: {found:?}");
    assert!(found[0].starts_with(&wanted), "{initialisation}: {found:?}");
}

fn leaves(initialisation: &str, variable: &str) {
    let wanted = format!("variable `{variable}` left unwritten: {variable}");
    assert_eq!(first(initialisation), [wanted], "{initialisation}");
}

#[test]
fn a_variable_has_no_value_before_it_is_written() {
    for (initialisation, variable) in [
        ("x := 1 || y := x", "x"),
        ("y := x || x := 1", "x"),
        ("x, y := y, 1", "y"),
        ("x := y + 1 ; y := 7", "y"),
        ("x := 1 || BEGIN y := 2 ; y := y + x END", "x"),
        ("BEGIN x := 1 ; y := x END || s := {z | z : E & x = 1}", "x"),
        ("y : (y = y$0)", "y"),
        ("x := 0 ; y : (y >= 0 & y = y$0 + x)", "y"),
        ("x, y : (x = 1 & y = x$0)", "x"),
        ("x :: y..3", "y"),
        ("IF x = 1 THEN y := 1 ELSE y := 2 END", "x"),
        ("CASE x OF EITHER 1 THEN y := 1 OR 2 THEN y := 2 ELSE y := 3 END END", "x"),
        ("SELECT x = 1 THEN y := 1 ELSE y := 2 END", "x"),
        ("CHOICE x := 1 ; y := x OR y := x ; x := 1 END", "x"),
        ("CHOICE y := x ; x := 1 OR x := 1 ; y := x END", "x"),
        ("ANY n WHERE n : 0..3 & n > x THEN y := n END", "x"),
        ("ANY e WHERE e : s THEN f := {e |-> 1} END", "s"),
        ("LET n BE n = x + 1 IN y := n END", "x"),
        ("VAR v IN v := x ; y := v END", "x"),
        ("x := 0 ; PRE y = 0 THEN y := 1 END", "y"),
        ("x := 0 ; ASSERT y = 0 THEN y := 1 END", "y"),
        ("f(e1) := 2", "f"),
        ("g := {} || f(e1) := 2", "f"),
        ("g(e1)(e2) := 1", "g"),
        ("rc'a := 1", "rc"),
        ("x := f(e1)", "f"),
        ("b := bool(e1 : dom(f))", "f"),
        ("b := bool(d : D)", "d"),
        ("b := bool(x : INTEGER)", "x"),
        ("b := bool(x = x)", "x"),
        ("b := bool(s = s)", "s"),
        ("b := bool(f <: f)", "f"),
        ("b := bool({x} <: INTEGER)", "x"),
        ("b := bool(NATURAL - {x} = NATURAL - {x})", "x"),
        ("b := bool(NATURAL - {x} <: NATURAL - {x})", "x"),
        ("b := bool(NATURAL - {x} <: INTEGER)", "x"),
        ("b := bool((d, d) : D * D)", "d"),
        ("b := bool(!n.(n : 0..3 => n < x))", "x"),
        ("b := bool(#n.(n : 0..3 & n > 4 - x))", "x"),
        ("x := SIGMA(n).(n : 0..2 | n + y)", "y"),
        ("s := {z | z : E & z /: s}", "s"),
        ("x := 3000000000 * 3000000000 ; y := x * x ; x := y * y ; b := bool(b = TRUE)", "b"),
        ("y := 9223372036854775807 + x", "x"),
        ("y := 0 ; WHILE y < 2 DO y := y + 1 INVARIANT x = 0 VARIANT 2 - y END", "x"),
        ("y := 0 ; WHILE y < 2 DO y := y + 1 INVARIANT y >= 0 VARIANT 2 - y + x END", "x"),
        ("y := 0 ; WHILE y < 2 DO y := y + 1 INVARIANT x$0 = x$0 VARIANT 2 - y END", "x"),
        ("y := 0 ; WHILE y < x DO y := y + 1 INVARIANT y >= 0 VARIANT 2 - y END", "x"),
        ("WHILE y < 2 DO y := y + 1 INVARIANT TRUE = TRUE VARIANT 2 - y END", "y"),
    ] {
        reads(initialisation, variable);
    }
    let place = first(&format!("x := 1 || y := 2 * x || {OTHERS}"));
    assert_eq!(place, ["variable `x` read before it was written: x"]);
}

#[test]
fn what_was_written_before_may_be_read() {
    pairs_from("x := 1 ; y := x + 1", &["x=1 y=2"]);
    pairs_from("BEGIN x :: 0..1 ; y := x + 1 END", &["x=0 y=1", "x=1 y=2"]);
    pairs_from("BEGIN x := 0 ; x := x + 1 ; y := x ; x := x + y END", &["x=2 y=1"]);
    pairs_from("BEGIN x := 1 ; y : (y : {x, x + 2}) END", &["x=1 y=1", "x=1 y=3"]);
    pairs_from("BEGIN x := 1 ; x : (x = x$0 + 1) ; y := x END", &["x=2 y=2"]);
    pairs_from("x : (x : 4..5) || y := 0", &["x=4 y=0", "x=5 y=0"]);
    pairs_from("x, y : (x : 1..2 & y = x + 1)", &["x=1 y=2", "x=2 y=3"]);
    pairs_from(
        "BEGIN CHOICE x := 1 OR x := 2 END ; ANY n WHERE n : x..2 THEN y := n END END",
        &["x=1 y=1", "x=1 y=2", "x=2 y=2"],
    );
    pairs_from(
        "CHOICE BEGIN x := 1 ; y := x END OR BEGIN y := 5 ; x := y END END",
        &["x=1 y=1", "x=5 y=5"],
    );
    pairs_from(
        "BEGIN y := 0 ; x := 0 ; WHILE y < 3 DO y := y + 1 ; x := x + y
         INVARIANT y : 0..3 & x$0 = 0 VARIANT 3 - y END END",
        &["x=6 y=3"],
    );
    pairs_from(
        "BEGIN x := 3 ; WHILE x > 0 DO CHOICE x := x - 1 OR x := x - 2 END ; y := x
         INVARIANT x >= -1 VARIANT x + 1 END END",
        &["x=-1 y=-1", "x=0 y=0"],
    );
    pairs_from("VAR v IN v := 2 ; x := v ; v := v + x ; y := v END", &["x=2 y=4"]);
    pairs_from(
        "BEGIN x := 3000000000 * 3000000000 ; y := x * x ; x := y END",
        &["x=81000000000000000000000000000000000000 y=81000000000000000000000000000000000000"],
    );
    let parts = "x := 0 || y := 0 || b := TRUE || d :: D || s := {} || g := {e1 |-> {}} ;
        f := {} ; f(e1) := 2 ; f(e2) := f(e1) + 1 ; g(e1)(e2) := 2 ; rc := rec(a : 0, b : TRUE) ; rc'a := 3";
    let found = first(parts);
    assert_eq!(found.len(), 2, "{found:?}");
    let wanted = "f={(e1|->2),(e2|->3)} g={(e1|->{(e2|->2)})} rc=rec(a:3,b:TRUE)";
    assert!(found.iter().all(|o| o.ends_with(wanted)), "{found:?}");
}

#[test]
fn what_is_thrown_away_is_not_read() {
    // One conjunct is false whatever the other is, and one part of a pair is never asked for.
    pairs_from("x, y : (x = 1 & y = 2 & (y = 3 or y = 2 or y$0 = 7))", &["x=1 y=2"]);
    pairs_from("BEGIN x := 1 ; IF x = 2 & y = 1 THEN y := 5 ELSE y := 6 END END", &["x=1 y=6"]);
    pairs_from("BEGIN x := 1 ; IF x = 1 or y = 1 THEN y := 5 ELSE y := 6 END END", &["x=1 y=5"]);
    pairs_from("BEGIN x := 1 ; y := (IF x = 2 THEN y ELSE 4 END) END", &["x=1 y=4"]);
    pairs_from("BEGIN x := 1 ; y := card({z | z : 1..3 & z > 3 & z = y}) END", &["x=1 y=0"]);
    pairs_from(
        "BEGIN x := 1 ; WHILE x > 5 DO x := y INVARIANT x = 1 VARIANT y END ; y := 0 END",
        &["x=1 y=0"],
    );
}

#[test]
fn every_outcome_writes_every_variable() {
    let rest = format!("y := 0 || {OTHERS}");
    for initialisation in [
        "y :: 0..2 ; IF y > 0 THEN x := 1 END",
        "CHOICE x := 1 OR skip END",
        "CHOICE skip OR x := 1 END",
        "CHOICE x := 1 ; y := x OR y := 3 END",
        "SELECT 1 = 1 THEN x := 1 WHEN 2 = 2 THEN skip END",
        "y := 1 ; CASE y OF EITHER 2 THEN x := 1 END END",
        "ANY n WHERE n : 0..1 THEN IF n = 0 THEN x := n END END",
        "y := 2 ; WHILE y < 2 DO x := 1 ; y := y + 1 INVARIANT 1 = 1 VARIANT 2 - y END",
        "VAR v IN v := 1 ; IF v = 2 THEN x := v END END",
    ] {
        leaves(&format!("{rest} ; {initialisation}"), "x");
    }
    // Without an outcome nothing is left unwritten.
    pairs_from("BEGIN x := 1 ; CHOICE y := 2 OR SELECT x = 2 THEN skip END END END", &["x=1 y=2"]);
    // A variable that is written twice, by alternatives that undo each other's writes.
    pairs_from("BEGIN CHOICE x := 1 OR y := 2 END ; x := 3 ; y := 4 END", &["x=3 y=4"]);
    leaves(&format!("CHOICE x := 1 OR {rest} END ; {rest}"), "x");
}

/// Many variables: the marks do not fit one word.
#[test]
fn a_hundred_variables() {
    let names: Vec<String> = (0..100).map(|i| format!("v{i}")).collect();
    let machine = |initialisation: &str| {
        format!(
            "MACHINE T VARIABLES {} INVARIANT {} INITIALISATION {initialisation} END",
            names.join(", "),
            names.iter().map(|n| format!("{n} : BOOL")).collect::<Vec<_>>().join(" & ")
        )
    };
    let start = |text: &str| {
        let (model, _) = model(text);
        let mut evaluator = Evaluator::new(model.program.clone());
        match evaluator.initial_states(&[]) {
            Ok(states) => Ok(states.len()),
            Err(Stop::Fault(site)) => {
                Err(evaluator.site(site).message(&model.program.instance.machine))
            }
            Err(stop) => panic!("{stop:?}"),
        }
    };
    let chain = |from: usize| {
        let steps =
            (1..100).map(|i| format!("v{} := v{}", (from + i) % 100, (from + i + 99) % 100));
        std::iter::once(format!("v{from} :: BOOL")).chain(steps).collect::<Vec<_>>()
    };
    assert_eq!(start(&machine(&chain(0).join(" ; "))), Ok(2));
    assert_eq!(start(&machine(&chain(70).join(" ; "))), Ok(2));
    let mut swapped = chain(0);
    swapped.swap(80, 81);
    let early = "variable `v80` read before it was written".to_string();
    assert_eq!(start(&machine(&swapped.join(" ; "))), Err(early));
    let parallel = "variable `v0` read before it was written".to_string();
    assert_eq!(start(&machine(&chain(0).join(" || "))), Err(parallel));
    let short = chain(0)[..90].join(" ; ")
        + " ; IF v0 = TRUE & v0 = FALSE THEN "
        + &chain(0)[90..].join(" ; ")
        + " END";
    let left = "variable `v90` left unwritten".to_string();
    assert_eq!(start(&machine(&short)), Err(left));
}

/// Methods, traces and the report say the same of an initialisation that fails.
#[test]
fn a_failing_initialisation_is_a_finding_under_every_method() {
    let text = "MACHINE T SETS D CONSTANTS c PROPERTIES c : D VARIABLES x, y
        INVARIANT x : D & y : D & y = c INITIALISATION x := c || y := x
        OPERATIONS o = x :: D END";
    let (model, sources) = model(text);
    let control = Arc::new(Control::new());
    for symmetry in [
        SymmetryMode::Off,
        SymmetryMode::Flood,
        SymmetryMode::Canon,
        SymmetryMode::Segmented,
        SymmetryMode::Iso,
        SymmetryMode::Sorted,
        SymmetryMode::ExactMarker,
        SymmetryMode::Marker,
        SymmetryMode::ApproxMarker,
        SymmetryMode::Flattened,
    ] {
        for on_violation in [OnViolation::Stop, OnViolation::Expand] {
            let options = SearchOptions {
                symmetry: Some(symmetry),
                on_violation,
                ..SearchOptions::default()
            };
            let outcome = search::run(&model, &options, &control);
            let finding = outcome.finding.unwrap_or_else(|| panic!("{symmetry:?}: no finding"));
            assert_eq!(outcome.verdict, search::Verdict::StateError, "{symmetry:?}");
            let wanted = "variable `x` read before it was written in the INITIALISATION";
            assert_eq!(finding.message, wanted, "{symmetry:?}");
            assert_eq!(finding.span.map(|s| sources.text(s)), Some("x"));
            assert_eq!(outcome.states, 0, "{symmetry:?}");
        }
    }
}

/// The number of first states of several machines, the last of which is opened; or what is wrong.
fn start(files: &[(&str, &str)]) -> Result<usize, String> {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    let loaded = normalise::load_machine(&folder.path().join(files[files.len() - 1].0));
    let messages: Vec<_> = loaded.diagnostics.iter().map(|d| d.message.clone()).collect();
    let machine = Arc::new(loaded.machine.unwrap_or_else(|| panic!("{messages:?}")));
    let model = setup::set_up(&machine, &SetupOptions::default(), None)
        .unwrap_or_else(|d| panic!("{}", d[0].message));
    let mut evaluator = Evaluator::new(model.program.clone());
    match evaluator.initial_states(&[]) {
        Ok(states) => Ok(states.len()),
        Err(Stop::Fault(site)) => Err(evaluator.site(site).message(&machine)),
        Err(stop) => panic!("{stop:?}"),
    }
}

const COUNTER: (&str, &str) = (
    "Counter.mch",
    "MACHINE Counter VARIABLES n INVARIANT n : NATURAL INITIALISATION n :: 1..2
     OPERATIONS put(v) = PRE v : NATURAL THEN n := v END; r <-- get = r := n END",
);

#[test]
fn included_machines_are_initialised_first() {
    let main = |how: &str, initialisation: &str| {
        let text = format!(
            "MACHINE M {how} Counter VARIABLES x INVARIANT x : NATURAL
             INITIALISATION {initialisation} OPERATIONS o = x := x + 1 END"
        );
        start(&[COUNTER, ("M.mch", &text)])
    };
    for how in ["INCLUDES", "EXTENDS", "SEES"] {
        assert_eq!(main(how, "x := n"), Ok(2), "{how}");
        assert_eq!(main(how, "x :: n..2"), Ok(3), "{how}");
    }
    assert_eq!(main("INCLUDES", "x <-- get"), Ok(2));
    assert_eq!(main("INCLUDES", "BEGIN put(7) ; x := n END"), Ok(1));
    assert_eq!(main("INCLUDES", "put(7) || x := n"), Ok(2));
    let early = Err("variable `x` read before it was written".to_string());
    assert_eq!(main("INCLUDES", "put(x) || x := n"), early);
    assert_eq!(main("INCLUDES", "BEGIN put(x) ; x := n END"), early);
    let left = Err("variable `x` left unwritten".to_string());
    assert_eq!(main("INCLUDES", "IF n = 1 THEN x <-- get END"), left);
}

/// An included machine of two levels, one of them seen from the other.
#[test]
fn seen_machines_are_initialised_before_who_sees_them() {
    let seer = (
        "Seer.mch",
        "MACHINE Seer SEES Counter VARIABLES s INVARIANT s : NATURAL INITIALISATION s := n END",
    );
    let user = (
        "User.mch",
        "MACHINE User USES Counter VARIABLES u INVARIANT u : NATURAL INITIALISATION u := n END",
    );
    for order in ["Seer, Counter", "Counter, Seer", "User, Counter", "Seer, User, Counter"] {
        let main = format!(
            "MACHINE M INCLUDES {order} VARIABLES x INVARIANT x : NATURAL INITIALISATION x := n END"
        );
        assert_eq!(start(&[COUNTER, seer, user, ("M.mch", &main)]), Ok(2), "{order}");
    }
}

#[test]
fn refinements_write_their_own_variables() {
    let machine = (
        "A.mch",
        "MACHINE A VARIABLES x INVARIANT x : 0..9 INITIALISATION x :: 0..9 OPERATIONS o = x := 0 END",
    );
    let refinement = |initialisation: &str| {
        let text = format!(
            "REFINEMENT R REFINES A VARIABLES x, y INVARIANT y : 0..9 & x = y
             INITIALISATION {initialisation} OPERATIONS o = BEGIN x := 0 ; y := 0 END END"
        );
        start(&[machine, ("R.ref", &text)])
    };
    assert_eq!(refinement("y :: 0..1 ; x := y"), Ok(2));
    let unwritten = Err("variable `x` read before it was written".to_string());
    assert_eq!(refinement("y := x"), unwritten);
    assert_eq!(refinement("x := 1"), Err("variable `y` left unwritten".to_string()));
    let implementation = "IMPLEMENTATION I REFINES A IMPORTS Counter CONCRETE_VARIABLES x
        INITIALISATION VAR v IN v <-- get ; put(v + 1) ; v <-- get ; x := v END
        OPERATIONS o = BEGIN x := 0 END END";
    assert_eq!(start(&[machine, COUNTER, ("I.imp", implementation)]), Ok(2));
}
