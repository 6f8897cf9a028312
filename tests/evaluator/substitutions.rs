//! Substitutions by the states that they lead to.

use super::*;

fn machine(operation: &str) -> String {
    format!(
        "MACHINE T {SETS}
         VARIABLES x, y, f, g, s, rc
         INVARIANT x : 0..3 & y : 0..3 & f : E +-> 0..3 & g : E +-> (E +-> 0..2) & s <: E &
             rc : struct(a : 0..3, b : BOOL)
         INITIALISATION x := 1 || y := 2 || f := {{e1 |-> 1}} || g := {{e1 |-> {{e1 |-> 0}}}} || s := {{}}
             || rc := rec(a : 1, b : FALSE)
         OPERATIONS {operation} END"
    )
}

/// Results and new values of `x` and `y`.
fn steps(operation: &str) -> Vec<String> {
    let found = outcomes(&machine(operation));
    let short = found.into_iter().map(|o| match o.find(" f=") {
        Some(at) if !o.starts_with("error") => o[..at].to_string(),
        _ => o,
    });
    short.collect::<BTreeSet<_>>().into_iter().collect()
}

fn leads_to(body: &str, wanted: &[&str]) {
    assert_eq!(steps(&format!("op = {body}")), wanted, "{body}");
}

fn value_after(body: &str, variable: &str, wanted: &str) {
    let found = outcomes(&machine(&format!("op = {body}")));
    assert_eq!(found.len(), 1, "{body}: {found:?}");
    let text = found.iter().next().expect("one");
    assert!(text.contains(&format!("{variable}={wanted}")), "{body}: {text}");
}

#[test]
fn assignments_read_the_old_state() {
    leads_to("skip", &["x=1 y=2"]);
    leads_to("BEGIN x, y := y, x END", &["x=2 y=1"]);
    leads_to("BEGIN x := y || y := x END", &["x=2 y=1"]);
    leads_to("BEGIN x := y ; y := x END", &["x=2 y=2"]);
    leads_to("BEGIN BEGIN x := 0 ; x := x + y END || y := x END", &["x=2 y=1"]);
    leads_to("BEGIN y := x || BEGIN x := 0 ; x := x + y END END", &["x=2 y=1"]);
    leads_to("BEGIN x := 300 END", &["x=300 y=2"]);
    leads_to(
        "BEGIN x := 3000000000 * 3000000000 ; x := x * x END",
        &["x=81000000000000000000000000000000000000 y=2"],
    );
}

#[test]
fn assignments_into_values() {
    value_after("BEGIN f(e2) := 3 END", "f", "{(e1|->1),(e2|->3)}");
    value_after("BEGIN f(e1) := 7 END", "f", "{(e1|->7)}");
    value_after("BEGIN f(e1) := 7 ; f(e2) := 1 ; f(e1) := 2 END", "f", "{(e1|->2),(e2|->1)}");
    value_after(
        "BEGIN f := {e1 |-> 1, e1 |-> 2} ; f(e2) := 0 END",
        "f",
        "{(e1|->1),(e1|->2),(e2|->0)}",
    );
    value_after("BEGIN g(e1)(e2) := 2 END", "g", "{(e1|->{(e1|->0),(e2|->2)})}");
    value_after("BEGIN rc'a := x + 1 END", "rc", "rec(a:2,b:FALSE)");
    leads_to(
        "BEGIN g(e2)(e2) := 2 END",
        &["error: assignment into a value outside the domain at g(e2)(e2) with e2"],
    );
}

#[test]
fn choices() {
    leads_to("BEGIN x :: {0, 3} END", &["x=0 y=2", "x=3 y=2"]);
    leads_to("BEGIN x :: {} END", &[]);
    leads_to("BEGIN x, y :: {0 |-> 1, 2 |-> 3} END", &["x=0 y=1", "x=2 y=3"]);
    leads_to("BEGIN x : (x : 0..3 & x > x$0) END", &["x=2 y=2", "x=3 y=2"]);
    leads_to(
        "BEGIN x, y : (x : 0..3 & y : 0..3 & x + y = 1 & y$0 = 2) END",
        &["x=0 y=1", "x=1 y=0"],
    );
    leads_to("BEGIN x : (x : 0..3 & x > 3) END", &[]);
    leads_to("CHOICE x := 0 OR y := 0 OR skip END", &["x=0 y=2", "x=1 y=0", "x=1 y=2"]);
    leads_to(
        "BEGIN CHOICE x := 0 OR x := 3 END || CHOICE y := x OR skip END END",
        &["x=0 y=1", "x=0 y=2", "x=3 y=1", "x=3 y=2"],
    );
    leads_to("BEGIN CHOICE x := 0 OR x := 3 END ; y := x END", &["x=0 y=0", "x=3 y=3"]);
    leads_to("ANY z WHERE z : 0..3 & z * z = z THEN x := z END", &["x=0 y=2", "x=1 y=2"]);
    leads_to("ANY z WHERE z : 0..3 & z > 3 THEN x := z END", &[]);
    leads_to("LET z BE z = x + y IN x := z || y := z - 1 END", &["x=3 y=2"]);
    // Infeasible for some outcome of the left side, and for all.
    leads_to("BEGIN x :: 0..2 ; SELECT x > 0 THEN y := x END END", &["x=1 y=1", "x=2 y=2"]);
    leads_to("BEGIN x :: 0..2 ; SELECT x > 5 THEN y := x END END", &[]);
}

#[test]
fn conditions() {
    leads_to("IF x = 0 THEN x := 3 END", &["x=1 y=2"]);
    leads_to("IF x = 0 THEN x := 3 ELSIF x = 1 THEN x := 2 ELSE x := 0 END", &["x=2 y=2"]);
    leads_to(
        "SELECT x = 1 THEN x := 0 WHEN y = 2 THEN x := 2 WHEN y = 3 THEN x := 3 END",
        &["x=0 y=2", "x=2 y=2"],
    );
    leads_to("SELECT x = 5 THEN x := 0 WHEN y = 5 THEN x := 2 ELSE x := 3 END", &["x=3 y=2"]);
    leads_to("SELECT x = 1 THEN x := 0 ELSE x := 3 END", &["x=0 y=2"]);
    leads_to("SELECT x = 5 THEN x := 0 END", &[]);
    leads_to("CASE x OF EITHER 0, 1 THEN y := 0 OR 2 THEN y := 1 END END", &["x=1 y=0"]);
    leads_to("CASE x + 3 OF EITHER 0, 1 THEN y := 0 OR 2 THEN y := 1 END END", &["x=1 y=2"]);
    leads_to("CASE x + 3 OF EITHER 0 THEN y := 0 ELSE y := 3 END END", &["x=1 y=3"]);
    leads_to("PRE x = 2 THEN y := 0 END", &[]);
    leads_to("BEGIN PRE x = 2 THEN y := 0 END END", &[]);
    leads_to(
        "BEGIN skip || PRE x = 2 THEN y := 0 END END",
        &["error: precondition does not hold at x = 2 with 1"],
    );
    leads_to(
        "SELECT x = 1 THEN PRE x = 2 THEN y := 0 END END",
        &["error: precondition does not hold at x = 2 with 1"],
    );
    leads_to("ASSERT x = 2 THEN y := 0 END", &["error: ASSERT does not hold at x = 2 with 1"]);
    leads_to("ASSERT x = 1 THEN y := 0 END", &["x=1 y=0"]);
}

#[test]
fn an_outcome_that_is_an_error_leaves_the_others() {
    let failed = "error: division by zero at 1 / 0 with 1, 0";
    leads_to("CHOICE x := 1 / 0 OR x := 2 END", &[failed, "x=2 y=2"]);
    leads_to("CHOICE x := 2 OR x := 1 / 0 END", &[failed, "x=2 y=2"]);
    leads_to(
        "CHOICE CHOICE x := 0 OR x := 1 / 0 END OR x := 2 END",
        &[failed, "x=0 y=2", "x=2 y=2"],
    );
    let of_x = |n: i32| format!("error: division by zero at 3 / x with 3, {n}");
    leads_to("BEGIN CHOICE x := 0 OR x := 3 END ; y := 3 / x END", &[&of_x(0), "x=3 y=1"]);
    leads_to("BEGIN x :: {3, 0, 1} ; y := 3 / x END", &[&of_x(0), "x=1 y=3", "x=3 y=1"]);
    leads_to("BEGIN x :: 0..3 ; SELECT 3 / x > 1 THEN y := 0 END END", &[&of_x(0), "x=1 y=0"]);
    let of_z = "error: division by zero at 3 / z with 3, 0";
    leads_to("ANY z WHERE z : 0..2 THEN y := 3 / z END", &[of_z, "x=1 y=1", "x=1 y=3"]);
    leads_to(
        "BEGIN x := 3 ; ANY z WHERE z : 0..2 & 3 / z = 3 THEN y := z END END",
        &[of_z, "x=3 y=1"],
    );
    let of_the_new = "error: division by zero at 3 / x with 3, 0";
    leads_to("x : (x : 0..2 & 3 / x = 3)", &[of_the_new, "x=1 y=2"]);
    // Where another part has no outcome there is no error.
    let never = "SELECT y = 3 THEN y := 0 END";
    leads_to(&format!("BEGIN CHOICE x := 1 / 0 OR x := 2 END || {never} END"), &[]);
    leads_to(&format!("BEGIN {never} || CHOICE x := 1 / 0 OR x := 2 END END"), &[]);
    let fails = "CHOICE y := 1 / 0 OR y := 3 END";
    leads_to(
        &format!("BEGIN CHOICE x := 0 OR x := 3 END || {fails} END"),
        &[failed, "x=0 y=3", "x=3 y=3"],
    );
    assert_eq!(
        steps("r <-- op(z) = PRE z : 0..1 THEN CHOICE r := 1 / z OR r := 5 END END"),
        ["1 x=1 y=2", "5 x=1 y=2", "error: division by zero at 1 / z with 1, 0"]
    );
}

#[test]
fn local_variables_and_results() {
    leads_to("VAR v IN v := x ; v := v + 1 ; y := v END", &["x=1 y=2"]);
    leads_to(
        "VAR v IN y := v END",
        &["error: local variable read before it was written at v with "],
    );
    leads_to(
        "VAR v IN CHOICE v := 0 OR skip END ; y := v END",
        &["error: local variable read before it was written at v with ", "x=1 y=0"],
    );
    assert_eq!(steps("r <-- op = BEGIN r := x ; r := r + 1 END"), ["2 x=1 y=2"]);
    assert_eq!(
        steps("r <-- op = BEGIN CHOICE x := 0 OR x := 3 END || CHOICE skip OR r := 7 END END"),
        ["7 x=0 y=2", "7 x=3 y=2", "? x=0 y=2", "? x=3 y=2"]
    );
    assert_eq!(
        steps("r <-- op = BEGIN x :: {0, 3} ; CHOICE skip OR r := 7 END END"),
        ["7 x=0 y=2", "7 x=3 y=2", "? x=0 y=2", "? x=3 y=2"]
    );
}

#[test]
fn loops() {
    let l = |body: &str, invariant: &str, variant: &str| {
        format!("WHILE x < 3 DO {body} INVARIANT {invariant} VARIANT {variant} END")
    };
    leads_to(&l("x := x + 1", "x : 0..3", "3 - x"), &["x=3 y=2"]);
    leads_to(&l("BEGIN x := x + 1 ; y := y + x END", "y >= y$0", "3 - x"), &["x=3 y=7"]);
    leads_to(
        &l("x := x + 1", "x < 3", "3 - x"),
        &["error: loop invariant does not hold at x < 3 with 3"],
    );
    leads_to(
        &l("x := x + 1", "btrue", "y"),
        &["error: loop variant does not decrease at y with 2, 2"],
    );
    leads_to(
        &l("x := x + 1", "btrue", "0 - x"),
        &["error: loop variant is negative at 0 - x with -1"],
    );
    leads_to(
        &l("CHOICE x := x + 1 OR BEGIN x := 3 ; y := y + 1 END END", "btrue", "3 - x"),
        &["x=3 y=2", "x=3 y=3"],
    );
    // The third way comes to x = 2, as the others have, but from a variant that is smaller.
    let third = l(
        "CHOICE x := x + 2 OR x := x + 2 OR x := x + 1 END",
        "btrue",
        "({0 |-> 5, 1 |-> 2, 2 |-> 3})(x)",
    );
    leads_to(
        &format!("BEGIN x := 0 ; {third} END"),
        &[
            "error: loop variant does not decrease at ({0 |-> 5, 1 |-> 2, 2 |-> 3})(x) with 3, 2",
            "x=3 y=2",
            "x=4 y=2",
        ],
    );
    // Ways that come together, and differ in what was written before or in a local.
    leads_to(
        "BEGIN x :: {0, 1} ; y :: {x, 1 - x} ; CHOICE x := 1 OR x := y END ; y := 10 * x + y END",
        &["x=0 y=0", "x=1 y=10", "x=1 y=11"],
    );
    leads_to(
        "VAR s, t IN s := 0 ; t :: 0..1 ; s := s + t ; t :: 0..1 ; s := s + t ; t :: 0..1 ; s := s + t ; \
         t :: {0, 7} ; x := s || y := t END",
        &["x=0 y=0", "x=0 y=7", "x=1 y=0", "x=1 y=7", "x=2 y=0", "x=2 y=7", "x=3 y=0", "x=3 y=7"],
    );
    // The locals of one turn survive the turns after it.
    leads_to(
        &l(
            "ANY a, b WHERE a : 1..2 & b : 0..1 & x + a <= 3 THEN x := x + a || y := 10 * a + b END",
            "btrue",
            "3 - x",
        ),
        &["x=3 y=10", "x=3 y=11", "x=3 y=20", "x=3 y=21"],
    );
    leads_to(
        &l(
            "LET a BE a = x IN CHOICE x := x + 1 || y := 10 * a OR x := 3 || y := 10 * a + 1 END END",
            "btrue",
            "3 - x",
        ),
        &["x=3 y=11", "x=3 y=20", "x=3 y=21"],
    );
}

#[test]
fn a_false_conjunct_of_a_guard_outweighs_an_undefined_one() {
    // Either order of the conjuncts, with and without parameters.
    for guard in ["x = 5 & 1 / (x - 1) > 0", "1 / (x - 1) > 0 & x = 5"] {
        leads_to(&format!("SELECT {guard} THEN x := 0 END"), &[]);
    }
    for guard in ["z : 0..2 & z /= 0 & 2 / z = 1", "2 / z = 1 & z /= 0 & z : 0..2"] {
        assert_eq!(steps(&format!("op(z) = PRE {guard} THEN x := z END")), ["x=2 y=2"]);
    }
}

#[test]
fn calls_of_included_operations() {
    let included = "MACHINE I VARIABLES v INVARIANT v : 0..9 INITIALISATION v := 4
        OPERATIONS
          put(a) = PRE a : 0..9 & a /= 7 THEN v := a END;
          r <-- get(a) = PRE a : NATURAL THEN r := v + a END;
          r <-- any(a) = PRE a : NATURAL THEN CHOICE r := a OR r := a + 1 END END;
          r <-- step(a) = PRE a : NATURAL THEN r := a || CHOICE v := v + 1 OR v := 0 END END;
          r <-- maybe = BEGIN IF v = 0 THEN r := 5 END END;
          low = SELECT v < 3 THEN v := 9 END
        END";
    let run = |body: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("I.mch"), included).expect("written");
        let text = format!(
            "MACHINE T INCLUDES I VARIABLES x, y INVARIANT x : INTEGER & y : INTEGER
             INITIALISATION x := 1 || y := 2 OPERATIONS op = BEGIN {body} END END"
        );
        let path = folder.path().join("T.mch");
        std::fs::write(&path, text).expect("written");
        let loaded = normalise::load_machine(&path);
        let messages: Vec<_> = loaded.diagnostics.iter().map(|d| d.message.clone()).collect();
        let machine = loaded.machine.unwrap_or_else(|| panic!("{body}: {messages:?}"));
        let model = setup::set_up(&Arc::new(machine), &SetupOptions::default(), None)
            .unwrap_or_else(|d| panic!("{}", d[0].message));
        let instance = model.program.instance.clone();
        let mut evaluator = Evaluator::new(model.program.clone());
        let initial = evaluator.initial_states(&[]).expect("initial states");
        let mut out = Successors::new();
        evaluator.successors(&initial[0], true, &mut out).expect("no limit");
        let mut found = BTreeSet::new();
        for i in 0..out.len() {
            let values = evaluator.variables(out.target(i));
            let globals = instance.machine.variables.iter().zip(&values);
            let mut values: Vec<String> = globals
                .map(|(g, v)| format!("{}={}", g.name, instance.names.show(&g.ty, v)))
                .collect();
            values.sort();
            found.insert(values.join(" "));
        }
        for fault in &out.faults {
            found.insert(fault.site.kind.message().to_string());
        }
        found.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(run("put(x + 1)"), ["v=2 x=1 y=2"]);
    assert_eq!(run("put(7)"), ["precondition does not hold"]);
    assert_eq!(run("x <-- get(3)"), ["v=4 x=7 y=2"]);
    assert_eq!(run("x <-- get(3) || y <-- get(5)"), ["v=4 x=7 y=9"]);
    assert_eq!(
        run("x <-- any(0) || y <-- any(5)"),
        ["v=4 x=0 y=5", "v=4 x=0 y=6", "v=4 x=1 y=5", "v=4 x=1 y=6"]
    );
    assert_eq!(run("x <-- step(1) ; y <-- step(2)"), ["v=0 x=1 y=2", "v=1 x=1 y=2", "v=6 x=1 y=2"]);
    assert_eq!(run("put(6) ; x <-- get(0)"), ["v=6 x=6 y=2"]);
    assert_eq!(run("x <-- maybe"), ["local variable read before it was written"]);
    assert!(run("low").is_empty());
    assert_eq!(run("put(1) ; low"), ["v=9 x=1 y=2"]);
}

/// A loop that lets a set grow leaves the set in the table of values that states have, and not one for each
/// of its turns.
#[test]
fn loops_leave_nothing_behind() {
    let text =
        "MACHINE T VARIABLES n, s, t INVARIANT n : NATURAL & s <: INTEGER & t : INTEGER <-> BOOL
        INITIALISATION n := 0 || s := {} || t := {}
        OPERATIONS grow = WHILE n < 50 DO s := s \\/ {n}; t := t \\/ {n |-> bool(n : s)}; n := n + 1
            INVARIANT n = card(s) & card(t) = n VARIANT 50 - n END END";
    let (model, _) = model(text);
    let mut evaluator = Evaluator::new(model.program.clone());
    let first = evaluator.initial_states(&[]).expect("initial states").remove(0);
    let before = evaluator.interner().len();
    let mut out = Successors::new();
    evaluator.successors(&first, true, &mut out).expect("no limit");
    assert_eq!((out.entries.len(), evaluator.interner().len() - before), (1, 2));
    let values = evaluator.variables(out.target(0));
    let instance = &model.program.instance;
    let shown = |i: usize| instance.names.show(&instance.machine.variables[i].ty, &values[i]);
    assert_eq!(shown(0), "50");
    assert!(shown(1).starts_with("{0,1,2,") && shown(1).ends_with(",49}"), "{}", shown(1));
    assert!(shown(2).ends_with("(49|->TRUE)}"), "{}", shown(2));
}

/// What operations touch that are called by those that a loop calls is left to them.
#[test]
fn loops_leave_what_called_operations_touch() {
    let text = "MACHINE T DEFINITIONS SET_PREF_ALLOW_LOCAL_OPERATION_CALLS == TRUE
        VARIABLES n, s INVARIANT n : NATURAL & s <: INTEGER INITIALISATION n := 0 || s := {}
        OPERATIONS inner = s := s \\/ {card(s)}; outer = BEGIN inner END;
          grow = WHILE n < 3 DO s := s \\/ {10 + n}; outer; n := n + 1
            INVARIANT n : 0..3 VARIANT 3 - n END END";
    let found = outcomes(text);
    assert!(found.contains("n=3 s={1,3,5,10,11,12}"), "{found:?}");
}

/// A set that a loop only adds to and takes from is not made at each turn; one that it also reads as a whole is. Both
/// are the same set in the end.
#[test]
fn growing_sets_are_what_they_would_be() {
    let text = |reads: &str| {
        format!(
            "MACHINE T VARIABLES n, s, t INVARIANT n : NATURAL & s <: INTEGER & t <: INTEGER
             INITIALISATION n := 0 || s := {{5, 7}} || t := {{}}
             OPERATIONS grow =
               VAR k, u, r IN
                 k := 0; r := {{}}; u := t;
                 WHILE k < 14 DO
                   IF k mod 3 = 0 THEN s := s \\/ {{k, k + 100}}
                   ELSIF k : s THEN s := s - {{k - 1, 103}}
                   ELSE s := {{k}} \\/ s END;
                   VAR j IN j := 0;
                     WHILE j < 3 DO r := r \\/ {{10 * k + j}}; j := j + 1
                     INVARIANT j <= card(r) & s /= {{}} VARIANT 3 - j END
                   END;
                   IF card(s) > 9 THEN s := {{-1}} END;
                   IF -1 /: s & k = 11 THEN r := {{}} END;
                   k := k + 1 {reads}
                 INVARIANT k : 0..14 & not(s = {{}}) VARIANT 14 - k END;
                 n := card(r); t := r
               END END"
        )
    };
    let plain = outcomes(&text("; u := s; u := r"));
    assert_eq!(outcomes(&text("")), plain);
    assert_eq!(plain.len(), 1, "{plain:?}");
    assert!(plain.iter().all(|state| state.contains("110,111,112")), "{plain:?}");
}

/// A local that is certainly written needs no check; what may be read too early is an error all the same.
#[test]
fn locals_are_read_once_they_have_a_value() {
    leads_to("VAR k IN k := x ; x := k + 1 END", &["x=2 y=2"]);
    leads_to("VAR k IN IF x = 1 THEN k := 3 ELSE k := 0 END ; x := k END", &["x=3 y=2"]);
    let early = &["error: local variable read before it was written at k with "];
    leads_to("VAR k IN IF x = 2 THEN k := 3 END ; x := k END", early);
    leads_to("VAR k IN k := 1 || x := k END", early);
    leads_to("VAR k IN VAR j IN j := 2 ; k := j END ; x := k END", &["x=2 y=2"]);
    leads_to(
        "VAR k IN WHILE x < 1 DO k := 1 ; x := x + 1 INVARIANT x : 0..3 VARIANT 3 - x END ; x := k END",
        early,
    );
    // Each turn begins anew.
    leads_to(
        "WHILE x < 3 DO VAR k IN IF x = 1 THEN k := 1 END ; x := x + k END
         INVARIANT x : 0..3 VARIANT 3 - x END",
        early,
    );
    leads_to(
        "CHOICE VAR k IN k := 3 ; x := k END OR VAR k IN x := k END END",
        &["error: local variable read before it was written at k with ", "x=3 y=2"],
    );
}

/// Loops that work on numbers are run as total functions; where one of them fails the careful way tells why.
#[test]
fn loops_in_numbers() {
    let sum = |turns: &str, step: &str, variant: &str| {
        format!(
            "VAR i, k IN i := 0 ; k := 1 ; WHILE i < {turns} DO k := {step} ; i := i + 1
             INVARIANT i : 0..70 VARIANT {variant} END ; x := k END"
        )
    };
    leads_to(&sum("10", "k + i * y", "10 - i"), &["x=91 y=2"]);
    leads_to(&sum("70", "2 * k", "70 - i"), &["x=1180591620717411303424 y=2"]);
    leads_to(
        &sum("80", "k + 1", "80 - i"),
        &["error: loop invariant does not hold at i : 0..70 with 71"],
    );
    leads_to(&sum("5", "k + 1", "3 - i"), &["error: loop variant is negative at 3 - i with -1"]);
    leads_to(
        &sum("5", "k + 1", "9 + i"),
        &["error: loop variant does not decrease at 9 + i with 10, 9"],
    );
    leads_to(
        &sum("5", "k / (3 - i)", "5 - i"),
        &["error: division by zero at k / (3 - i) with 0, 0"],
    );
}

/// Alternatives with one outcome are one; where no condition holds the last one is taken.
#[test]
fn alternatives_at_the_top() {
    leads_to(
        "SELECT x = 1 THEN y := 0 WHEN x < 3 THEN y := 0 WHEN x = 2 THEN y := 3 END",
        &["x=1 y=0"],
    );
    leads_to(
        "SELECT x = 1 THEN y := 0 WHEN y = 2 THEN x := 0 ELSE x := 3 END",
        &["x=0 y=2", "x=1 y=0"],
    );
    leads_to("SELECT x = 0 THEN y := 0 WHEN y = 0 THEN x := 0 ELSE x := 3 END", &["x=3 y=2"]);
    leads_to("SELECT x = 0 THEN y := 0 WHEN y = 0 THEN x := 0 END", &[]);
    leads_to(
        "CHOICE x := 0 OR SELECT y = 2 THEN x := 2 WHEN y = 3 THEN x := 3 END OR y := 0 END",
        &["x=0 y=2", "x=1 y=0", "x=2 y=2"],
    );
    leads_to(
        "SELECT 1 / (x - 1) = 1 THEN y := 0 WHEN y = 2 THEN x := 0 END",
        &["error: division by zero at 1 / (x - 1) with 1, 0", "x=0 y=2"],
    );
}
