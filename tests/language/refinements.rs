//! Refinements and implementations, loaded with what they refine.

use super::*;

const ABSTRACT: &str = "MACHINE A SETS S = {s1, s2} CONSTANTS lim PROPERTIES lim = 3
  VARIABLES x, y, st INVARIANT x : 0..lim & y : 0..lim & st : S
  INITIALISATION x, y, st := 0, 0, s1
  OPERATIONS
    add(n, t) = PRE n : 1..2 & t : S & x + n <= lim & y < lim THEN x := x + n || st := t END;
    use(p) = PRE p : {s1} THEN skip END;
    r <-- q = BEGIN r := st END
  END";

#[test]
fn variables_of_one_name_are_one() {
    let refinement = "REFINEMENT R REFINES A VARIABLES x, z, st
      INVARIANT z = x + 1 & z = x - y & x <= lim
      INITIALISATION x := 0; z := 1; st := s1
      OPERATIONS
        add(n, t) = PRE x + n <= lim THEN x := x + n; z := z + n; st := t END;
        use(p) = skip;
        r <-- q = r := st
      END";
    // `z = x - y` speaks of what only A has. A types and bounds the parameters of both.
    let outcome = search_files(&[("R.ref", refinement), ("A.mch", ABSTRACT)]);
    assert_eq!(outcome.verdict, Verdict::Ok, "{:?} {:?}", outcome.finding, outcome.bounds);
    assert_eq!(outcome.states, 1 + 3 * 2);
    // The gluing invariant that is left is checked.
    let wrong = refinement.replace("z := z + n", "z := z + 1");
    let outcome = search_files(&[("R.ref", &wrong), ("A.mch", ABSTRACT)]);
    assert_eq!(outcome.verdict, Verdict::InvariantViolation);
}

#[test]
fn preconditions_come_down_the_chain() {
    let first = "REFINEMENT R REFINES A VARIABLES x, st INVARIANT x >= 0
      INITIALISATION x := 0; st := s1
      OPERATIONS add(n, t) = PRE x + n <= 3 THEN x := x + n || st := t END;
        use(p) = skip; r <-- q = r := st END";
    let second = "REFINEMENT R2 REFINES R VARIABLES x, st INVARIANT x <= 3
      INITIALISATION x := 0; st := s1
      OPERATIONS add(m, t) = SELECT x < 2 THEN x := x + m || st := t END;
        use(p) = skip; r <-- q = r := st END";
    let files = [("R2.ref", second), ("R.ref", first), ("A.mch", ABSTRACT)];
    let outcome = search_files(&files);
    assert_eq!(outcome.verdict, Verdict::Ok, "{:?} {:?}", outcome.finding, outcome.bounds);
    assert_eq!(outcome.states, 7);
}

#[test]
fn an_implementation_imports_and_loops() {
    let table = "MACHINE Table CONSTANTS top PROPERTIES top : 1..3 & top = 2
      VARIABLES t INVARIANT t : 0..top --> BOOL INITIALISATION t := (0..top) * {FALSE}
      OPERATIONS
        write(i, b) = PRE i : 0..top & b : BOOL THEN t(i) := b END;
        n <-- count = BEGIN n := card(t |> {TRUE}) END
      END";
    let cell = "MACHINE Cell VARIABLES v INVARIANT v : BOOL INITIALISATION v := FALSE
      OPERATIONS set(b) = PRE b : BOOL THEN v := b END; b <-- get = BEGIN b := v END END";
    let implementation = "IMPLEMENTATION Table_i REFINES Table VALUES top = 2
      IMPORTS a.Cell, b.Cell, c.Cell
      INITIALISATION a.set(FALSE); b.set(FALSE); c.set(FALSE)
      LOCAL_OPERATIONS r <-- at(i) = PRE i : 0..top THEN r :: BOOL END
      OPERATIONS
        write(i, b) = CASE i OF EITHER 0 THEN a.set(b) OR 1 THEN b.set(b) ELSE c.set(b) END END;
        n <-- count = VAR i, x IN
          i := 0; n := 0;
          WHILE i <= top DO
            x <-- at(i); IF x = TRUE THEN n := n + 1 END; i := i + 1
          INVARIANT i : 0..top + 1 & n <= i VARIANT top + 1 - i END
        END;
        r <-- at(i) = IF i = 0 THEN r <-- a.get ELSIF i = 1 THEN r <-- b.get ELSE r <-- c.get END
      END";
    let files = [("Table_i.imp", implementation), ("Table.mch", table), ("Cell.mch", cell)];
    let outcome = search_files(&files);
    assert_eq!(outcome.verdict, Verdict::Ok, "{:?} {:?}", outcome.finding, outcome.bounds);
    let plain = search_files(&[("Table.mch", table)]);
    assert_eq!((outcome.states, plain.states), (8, 8));
    assert_eq!(outcome.transitions, plain.transitions);
}

/// Parameters and their CONSTRAINTS need not be repeated, and sets and constants that are repeated are
/// the same ones.
#[test]
fn what_the_abstract_machine_declares() {
    let machine = "MACHINE A(SET, limit) CONSTRAINTS limit : 1..3
      SETS COLOUR; MODE = {on, off} CONSTANTS kk PROPERTIES kk : COLOUR
      VARIABLES xx, ss INVARIANT xx : 0..limit & ss <: SET INITIALISATION xx := 0 || ss := {}
      OPERATIONS
        inc = PRE xx < limit THEN xx := xx + 1 END;
        add(a) = PRE a : SET & a /: ss THEN ss := ss \\/ {a} END
      END";
    let refinement = "REFINEMENT R REFINES A
      SETS COLOUR; MODE = {on, off} CONSTANTS kk
      VARIABLES yy INVARIANT yy = xx & yy : 0..limit & kk : COLOUR INITIALISATION yy := 0
      OPERATIONS
        inc = PRE yy < limit THEN yy := yy + 1 END;
        add(a) = BEGIN yy :: {0, yy} END
      END";
    let files = [("R.ref", refinement), ("A.mch", machine)];
    let outcome = search_files(&files);
    assert_eq!(outcome.verdict, Verdict::Ok, "{:?} {:?}", outcome.finding, outcome.bounds);
    // limit is 1, 2 or 3; kk is an element of its set.
    assert_eq!(outcome.states, 2 + 3 + 4);
    let implementation = "IMPLEMENTATION I(SET, limit) REFINES R VALUES COLOUR = 0..4; kk = 2
      CONCRETE_VARIABLES yy, cc INVARIANT cc : COLOUR & cc + 1 > 2
      INITIALISATION yy := 0; cc := kk
      OPERATIONS
        inc = IF yy < limit THEN yy := yy + 1 END;
        add(a) = cc := 3
      END";
    let files = [("I.imp", implementation), ("R.ref", refinement), ("A.mch", machine)];
    let outcome = search_files(&files);
    assert_eq!(outcome.verdict, Verdict::Ok, "{:?} {:?}", outcome.finding, outcome.bounds);
    assert_eq!(outcome.states, 2 * (2 + 3 + 4));
}

/// A set that is enumerated only by the refinement has its elements in both machines.
#[test]
fn a_refinement_may_enumerate_a_deferred_set() {
    let machine = "MACHINE A SETS S VARIABLES x INVARIANT x : S INITIALISATION x :: S
      OPERATIONS o(s) = PRE s : S THEN x := s END END";
    let refinement = "REFINEMENT R REFINES A SETS S = {a, b, c} VARIABLES x INVARIANT x /= c
      INITIALISATION x := a OPERATIONS o(s) = IF s = c THEN x := b ELSE x := s END END";
    let outcome = search_files(&[("R.ref", refinement), ("A.mch", machine)]);
    assert_eq!(outcome.verdict, Verdict::Ok, "{:?}", outcome.finding);
    assert_eq!((outcome.states, outcome.transitions), (2, 1 + 2 * 3));
}

#[test]
fn loop_invariants_may_mention_what_only_the_abstract_machine_has() {
    let refinement = |invariant: &str| {
        format!(
            "REFINEMENT R REFINES A VARIABLES x, st INVARIANT x : 0..lim
             INITIALISATION x := 0; st := s1
             OPERATIONS
               add(n, t) = PRE x + n <= lim THEN
                 VAR i IN i := 0;
                   WHILE i < n DO i := i + 1; x := x + 1
                   INVARIANT i : 0..2 & {invariant} VARIANT n - i END
                 END END;
               use(p) = skip; r <-- q = r := st END"
        )
    };
    let verdict = |invariant: &str| {
        search_files(&[("R.ref", &refinement(invariant)), ("A.mch", ABSTRACT)]).verdict
    };
    assert_eq!(verdict("x = y + i & y <= 3 - n"), Verdict::Ok);
    assert_eq!(verdict("y = 7 & x <= 2"), Verdict::StateError, "what is of x alone is checked");
}

/// `ref` names the operation whose precondition comes down.
#[test]
fn an_operation_may_refine_one_of_another_name() {
    let refinement = "REFINEMENT R REFINES A VARIABLES x, st INVARIANT x : 0..lim
      INITIALISATION x := 0; st := s1
      OPERATIONS
        more(n, t) ref add = PRE x + n <= lim THEN x := x + n || st := t END;
        r <-- look ref q = r := st
      END";
    let outcome = search_files(&[("R.ref", refinement), ("A.mch", ABSTRACT)]);
    assert_eq!(outcome.verdict, Verdict::Ok, "{:?} {:?}", outcome.finding, outcome.bounds);
    assert_eq!(outcome.states, 1 + 3 * 2);
    // It is an ordinary name elsewhere.
    let machine = "MACHINE M VARIABLES ref INVARIANT ref : 0..1 INITIALISATION ref := 0
      OPERATIONS ref = ref := 1 - ref END";
    assert!(run_text(machine).is_ok());
}

/// Where the file system tells upper and lower case apart, a reference that differs in it is found
/// with a warning, and never instead of a file of the very name.
#[test]
fn file_names_differ_in_case() {
    let machine = "MACHINE M INCLUDES part DEFINITIONS \"DEFS.def\" OPERATIONS o = PRE k = 1 THEN set END END";
    let part = "MACHINE part VARIABLES v INVARIANT v : BOOL INITIALISATION v := FALSE
      OPERATIONS set = BEGIN v := TRUE END END";
    let definitions = "DEFINITIONS k == 1";
    let files = [("M.mch", machine), ("Part.mch", part), ("defs.def", definitions)];
    let (folder, main) = in_folder(&files);
    let loaded = normalise::load_machine(&main);
    let codes: Vec<&str> = loaded.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["file-name-case"; 2], "{:?}", loaded.diagnostics);
    assert!(loaded.machine.is_some());
    std::fs::write(folder.path().join("part.mch"), part.replace("FALSE", "TRUE")).unwrap();
    std::fs::write(folder.path().join("DEFS.def"), definitions).unwrap();
    assert!(normalise::load_machine(&main).diagnostics.is_empty());
}

#[test]
fn concrete_variables_are_those_of_what_refines_them() {
    let machine = "MACHINE K CONCRETE_VARIABLES c VARIABLES a INVARIANT c : 0..3 & a : 0..3
      INITIALISATION c, a := 0, 0 OPERATIONS inc = PRE c < 3 THEN c := c + 1 || a := 0 END END";
    let refinement = "REFINEMENT K1 REFINES K CONCRETE_VARIABLES d INVARIANT d = c
      INITIALISATION c := 0; d := 0 OPERATIONS inc = PRE c < 3 THEN c, d := c + 1, d + 1 END END";
    let implementation = "IMPLEMENTATION K2 REFINES K1 INITIALISATION c := 0; d := 0
      OPERATIONS inc = IF c < 3 THEN c := c + 1; d := c END END";
    let files = [("K2.imp", implementation), ("K1.ref", refinement), ("K.mch", machine)];
    assert_eq!(search_files(&files).states, 4);
    assert_eq!(search_files(&files[1..]).states, 4);
    // Not those that are abstract.
    let wrong = implementation.replace("c := 0;", "a := 0; c := 0;");
    let (_keep, main) =
        in_folder(&[("K2.imp", &wrong), ("K1.ref", refinement), ("K.mch", machine)]);
    assert!(run_file(&main).is_err());
    // What is imported may bring them.
    let machine =
        machine.replace("VARIABLES a ", "VARIABLES b, a ").replace("c, a :=", "c, a, b :=");
    let machine = machine.replace("0, 0 OP", "0, 0, 0 OP").replace("a : 0..3", "a : 0..3 & b = 0");
    let cell = "MACHINE Cell CONCRETE_VARIABLES c INVARIANT c : 0..3 INITIALISATION c := 0
      OPERATIONS up = PRE c < 3 THEN c := c + 1 END END";
    let importing = "IMPLEMENTATION K2 REFINES K IMPORTS Cell
      OPERATIONS inc = IF c < 3 THEN up END END";
    let files = [("K2.imp", importing), ("K.mch", &machine), ("Cell.mch", cell)];
    assert_eq!(search_files(&files).states, 4);
}

#[test]
fn what_a_refined_machine_includes_has_its_parameters() {
    let part = "MACHINE Y(PP, n) CONSTRAINTS n : 1..9 VARIABLES vy INVARIANT vy : PP & vy < n
      INITIALISATION vy :: PP OPERATIONS opy = vy :: PP END";
    let machine = "MACHINE N INCLUDES Y(0..1, 5) OPERATIONS o = opy END";
    let refinement = "REFINEMENT R REFINES N VARIABLES z INVARIANT z : 0..1 & z = vy
      INITIALISATION z := 0 OPERATIONS o = z :: 0..1 END";
    let files = [("R.ref", refinement), ("N.mch", machine), ("Y.mch", part)];
    assert_eq!(search_files(&files).states, 2);
}

/// What the abstract machine says of the variables that a refinement still has need not be said again: of when
/// an operation is called, and of the states.
#[test]
fn a_refinement_inherits_what_can_be_said_of_its_variables() {
    let machine = "MACHINE A SETS E = {e1, e2} VARIABLES st, x, n
      INVARIANT st : seq(E) & size(st) <= 2 & x : 0..2 & n : NATURAL & n <= x
      INITIALISATION st, x, n := [], 0, 0
      OPERATIONS
        push(v) = PRE v : E & size(st) < 2 THEN st := st <- v END;
        r <-- pop = PRE st /= [] THEN r := last(st) || st := front(st) END;
        step = PRE x < 2 THEN x := x + 1 END
      END";
    let refinement = "REFINEMENT R REFINES A VARIABLES st, x INVARIANT x >= 0 & size(st) <= 2
      INITIALISATION st, x := [], 0
      OPERATIONS
        push(w) = st := st <- w;
        r <-- pop = BEGIN r := last(st); st := front(st) END;
        step = PRE x < 2 THEN x := x + 1 END
      END";
    let run = |refinement: &str, machine: &str| {
        let files = [("R.ref", refinement), ("A.mch", machine)];
        search_files(&files)
    };
    let outcome = run(refinement, machine);
    assert_eq!(outcome.verdict, Verdict::Ok, "{:?} {:?}", outcome.finding, outcome.bounds);
    assert_eq!(outcome.states, 7 * 3);
    // `n <= x` speaks of what only A has; `x : 0..2` of what both have.
    let wrong = refinement.replace("x := x + 1", "x := x + 3");
    let outcome = run(&wrong, machine);
    assert_eq!(outcome.verdict, Verdict::InvariantViolation);
    // Where a precondition cannot be said here, the operation may be called where the abstract one never is. That x leaves
    // 0..2 is found all the same, as it is where the refinement says so itself, and doubted.
    let bounded = machine.replace("PRE x < 2 THEN", "PRE x < 2 & n < 2 THEN");
    let left = wrong.replace("PRE x < 2 THEN", "SELECT x < 4 THEN");
    let repeated = left.replace("x >= 0 &", "x : 0..2 &");
    for (refinement, machine, is_doubted) in
        [(&left, machine, false), (&left, &bounded, true), (&repeated, &bounded, true)]
    {
        let finding = run(refinement, machine).finding.expect("x leaves 0..2");
        assert_eq!(finding.doubt().is_some(), is_doubted, "{}", finding.message);
    }
    // One that keeps x there is right, whenever it is called.
    let kept = left.replace("SELECT x < 4 THEN", "SELECT x < 0 THEN");
    assert_eq!(run(&kept, &bounded).verdict, Verdict::Ok);
    // What is not checked is told of.
    let linked = refinement.replace("x >= 0 &", "x >= n & x <= n + 2 &");
    let (_keep, main) = in_folder(&[("R.ref", &linked), ("A.mch", machine)]);
    let told = normalise::load_machine(&main).diagnostics;
    assert_eq!(told.iter().map(|d| d.code).collect::<Vec<_>>(), ["linking-invariant"]);
    assert!(told[0].message.starts_with("2 conjuncts"), "{}", told[0].message);
    // What is repeated is there once.
    let (_keep, main) = in_folder(&[("R.ref", refinement), ("A.mch", machine)]);
    let loaded = normalise::load_machine(&main);
    assert_eq!(loaded.diagnostics, []);
    let machine = loaded.machine.expect("loads");
    assert_eq!(machine.invariant.len(), 2 + 2);
    let step = machine.operations.iter().find(|o| &*o.name == "step").expect("step");
    assert_eq!(step.guard[0].pred.conjuncts().len(), 1);
}

#[test]
fn operations_of_another_signature_are_told_of() {
    let machine = "MACHINE A INCLUDES B PROMOTES low VARIABLES x INVARIANT x : 0..2
      INITIALISATION x := 0 OPERATIONS step(n) = PRE n : 1..2 & x = 0 THEN x := n END END";
    let other = "MACHINE B VARIABLES y INVARIANT y : 0..2 INITIALISATION y := 0
      OPERATIONS low = PRE y < 2 THEN y := y + 1 END END";
    let told = |operation: &str| {
        let refinement = format!(
            "REFINEMENT R REFINES A VARIABLES x INITIALISATION x := 0
             OPERATIONS low = x := 0; {operation} END"
        );
        let files = [("R.ref", refinement.as_str()), ("A.mch", machine), ("B.mch", other)];
        let (_keep, main) = in_folder(&files);
        let loaded = normalise::load_machine(&main);
        // That `low` speaks of `y` is another matter.
        let of_signatures =
            loaded.diagnostics.into_iter().filter(|d| d.code != "precondition-left-out");
        of_signatures.map(|d| (d.code, d.message)).collect::<Vec<_>>()
    };
    assert_eq!(told("step(n) = x := n"), []);
    let signature =
        "`step` has 1 parameter and 1 result here, and 1 parameter and no result in `A`";
    assert_eq!(
        told("r <-- step(n) = BEGIN x := n; r := 1 END"),
        [("refined-signature", signature.to_owned())]
    );
    assert_eq!(
        told("stop = x := 0"),
        [
            (
                "not-refined",
                "`step` of `A` is not refined: there is no such operation here".to_owned()
            ),
            ("nothing-refined", "`A` has no operation `stop` to be refined".to_owned())
        ]
    );
    assert_eq!(told("here(n) ref step = x := n"), []);
    assert_eq!(told("step(k) = x := k"), []);
}

/// Whoever calls an operation that is promoted knows the abstract machine, as with those that are declared. What calls it
/// within knows where it comes from.
#[test]
fn what_is_promoted_is_called_as_what_it_refines() {
    let machine = "MACHINE A CONCRETE_VARIABLES x INVARIANT x : 0..3 & x /= 3 INITIALISATION x := 0
      OPERATIONS inc = PRE x < 2 THEN x := x + 1 END; two = PRE x = 1 THEN x := 0 END END";
    let cell = "MACHINE B CONCRETE_VARIABLES x INVARIANT x : 0..5 INITIALISATION x := 0
      OPERATIONS inc = PRE x < 5 THEN x := x + 1 END; back = x := 0 END";
    let implementation = "IMPLEMENTATION I REFINES A IMPORTS B PROMOTES inc
      OPERATIONS two = BEGIN inc; inc; back END END";
    let run = |implementation: &str, machine: &str, cell: &str| {
        search_files(&[("I.imp", implementation), ("A.mch", machine), ("B.mch", cell)])
    };
    // `two` calls `inc` with x = 2 on its way.
    let outcome = run(implementation, machine, cell);
    assert_eq!((outcome.verdict, outcome.states), (Verdict::Ok, 3), "{:?}", outcome.finding);
    // The only call that A allows leads out of what A says of x.
    let far = cell.replace("x + 1", "x + 3");
    let outcome = run(implementation, machine, &far);
    assert_eq!(outcome.verdict, Verdict::InvariantViolation);
    let finding = outcome.finding.expect("a finding");
    assert_eq!((finding.trace.steps.len(), finding.doubt()), (2, None));
    // A precondition that cannot be said is told of as that of a declared operation is.
    let hidden = machine.replace("VARIABLES x", "VARIABLES x VARIABLES h");
    let hidden = hidden.replace("INVARIANT", "INVARIANT h : BOOL &").replace("x < 2", "h = TRUE");
    let hidden = hidden.replace("INITIALISATION", "INITIALISATION h := TRUE ||");
    let finding = run(implementation, &hidden, cell).finding.expect("x leaves 0..2");
    let doubt = finding.doubt().expect("a doubt");
    assert!(doubt.starts_with("a precondition of `inc` is left out"), "{doubt}");
}

/// An operation that is promoted or extended keeps nothing of the others from being checked.
#[test]
fn the_abstract_invariant_is_asked_whatever_is_promoted() {
    let own = "CONCRETE_VARIABLES x INVARIANT x : 0..5 & x <= 1 INITIALISATION x := 0
      OPERATIONS up = PRE x < 1 THEN x := x + 1 END";
    let get = "r <-- get = r :: 0..2";
    let declares = format!("MACHINE A {own}; {get} END");
    let promotes = format!("MACHINE A INCLUDES P PROMOTES get {own} END");
    let part = format!("MACHINE P OPERATIONS {get} END");
    for machine in [&declares, &promotes] {
        for head in [
            "IMPLEMENTATION I REFINES A IMPORTS P PROMOTES get",
            "IMPLEMENTATION I REFINES A EXTENDS P",
            "REFINEMENT I REFINES A INCLUDES P PROMOTES get",
        ] {
            let verdict = |by: u32| {
                let below =
                    format!("{head} INITIALISATION x := 0 OPERATIONS up = x := x + {by} END");
                search_files(&[("I.imp", &below), ("A.mch", machine), ("P.mch", &part)]).verdict
            };
            let verdicts = (verdict(1), verdict(2));
            assert_eq!(verdicts, (Verdict::Ok, Verdict::InvariantViolation), "{head}: {machine}");
        }
    }
}

/// What a precondition says of the type of a result is nothing that a caller has to keep.
#[test]
fn results_may_be_typed_in_preconditions() {
    let machine = "MACHINE A VARIABLES x, y INVARIANT x : 0..5 & y : 0..5 & x + y <= 5
      INITIALISATION x, y := 0, 0
      OPERATIONS
        up = PRE x < 5 THEN x, y : (x : 0..5 & y : 0..5 & x + y <= 5) END;
        r, s <-- get = PRE r : 0..5 & s <: ran({1 |-> y}) & x < 2 THEN r := x || s := {} END
      END";
    let below = "IMPLEMENTATION A_i REFINES A CONCRETE_VARIABLES x, y INITIALISATION x := 0; y := 0
      OPERATIONS up = BEGIN x := x + 1; y := x END; a, b <-- get = BEGIN a := x; b := {} END END";
    let run = |machine: &str, below: &str| {
        let (_keep, main) = in_folder(&[("A_i.imp", below), ("A.mch", machine)]);
        let left = normalise::load_machine(&main).diagnostics.into_iter();
        let told: Vec<String> =
            left.filter(|d| d.code == "precondition-left-out").map(|d| d.message).collect();
        (run_file(&main).expect("it runs"), told)
    };
    let (outcome, told) = run(machine, below);
    assert_eq!((outcome.verdict, told), (Verdict::InvariantViolation, Vec::new()));
    // Three steps lead there, and `get` is offered in 0 and 1 alone.
    assert_eq!(outcome.finding.expect("a finding").doubt(), None);
    assert_eq!(outcome.operations.iter().find(|o| &*o.name == "get").map(|o| o.taken), Some(2));
    // The set that it is of may be one that only the abstract machine has.
    let hidden = machine.replace("x + y <= 5\n", "x + y <= 5 & h <: 0..5\n");
    let hidden = hidden.replace("VARIABLES x", "VARIABLES h, x").replace("r : 0..5", "r : h");
    let hidden =
        hidden.replace("INITIALISATION x, y := 0, 0", "INITIALISATION h, x, y := {}, 0, 0");
    let (outcome, told) = run(&hidden, below);
    assert_eq!((outcome.verdict, told), (Verdict::InvariantViolation, Vec::new()));
    // More than that is left out, and said to be of a result.
    let more = machine.replace("r : 0..5", "r : 0..5 & r > x");
    let (_, told) = run(&more, below);
    let why = "the precondition `r > x` of `get` is left out: it speaks of `r`, which nothing has written yet";
    assert_eq!(told, [why]);
}

#[test]
fn what_is_included_under_a_prefix_is_known_to_a_refinement() {
    let held = "MACHINE Box VARIABLES inbox INVARIANT inbox <: 1..2 INITIALISATION inbox := {}
      OPERATIONS put(i) = PRE i : (1..2) - inbox THEN inbox := inbox \\/ {i} END END";
    let body = "VARIABLES n INVARIANT n : 0..2 INITIALISATION n := 0
      OPERATIONS go(i) = PRE i : (1..2) - bb.inbox THEN bb.put(i) || n := n + 1 END END";
    let first = format!("MACHINE A INCLUDES bb.Box {body}")
        .replace("n : 0..2", "n : 0..2 & n = card(bb.inbox)");
    let refinement = format!("REFINEMENT R REFINES A INCLUDES bb.Box {body}");
    let files = [("R.ref", &*refinement), ("A.mch", &first), ("Box.mch", held)];
    let outcome = search_files(&files);
    assert_eq!((outcome.verdict, outcome.states), (Verdict::Ok, 4), "{:?}", outcome.finding);
}

#[test]
fn what_the_abstract_machine_promotes_is_its_operation() {
    let included = "MACHINE I VARIABLES a INVARIANT a : 0..5 INITIALISATION a := 0
      OPERATIONS s(v) = PRE v : 0..2 THEN a := v END END";
    let files = [
        (
            "R.ref",
            "REFINEMENT R REFINES M VARIABLES b INVARIANT b : 0..2 INITIALISATION b := 0 OPERATIONS s(v) = b := v END",
        ),
        ("M.mch", "MACHINE M INCLUDES I PROMOTES s END"),
        ("I.mch", included),
    ];
    let outcome = search_files(&files);
    assert_eq!((outcome.verdict, outcome.states), (Verdict::Ok, 3), "{:?}", outcome.finding);
}

#[test]
fn who_calls_a_local_operation_knows_its_specification() {
    let machine = "MACHINE M VARIABLES x INVARIANT x : 0..5 INITIALISATION x := 0
      OPERATIONS i = x :: 0..5 END";
    let below = "IMPLEMENTATION I REFINES M CONCRETE_VARIABLES x INVARIANT x : 0..5
      INITIALISATION x := 0
      LOCAL_OPERATIONS inc(by) = PRE x + by < 4 THEN x := x + by END
      OPERATIONS i = inc(1); inc(n) = IF x < 5 THEN x := x + n ELSE x := 0 END END";
    let outcome = search_files(&[("I.imp", below), ("M.mch", machine)]);
    assert_eq!((outcome.verdict, outcome.states), (Verdict::StateError, 4));
}

#[test]
fn a_name_of_two_operations_is_no_name() {
    let of = |name: &str| {
        format!(
            "MACHINE {name} VARIABLES v{name} INVARIANT v{name} : 0..2 INITIALISATION v{name} := 0
             OPERATIONS s(v) = PRE v : 0..2 THEN v{name} := v END END"
        )
    };
    let (a, b) = (of("A"), of("B"));
    let load = |main: &str| {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("M.mch", main), ("A.mch", &a), ("B.mch", &b)] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let loaded = normalise::load_machine(&folder.path().join("M.mch"));
        let errors = loaded.diagnostics.iter().filter(|d| d.is_error());
        errors.map(|d| d.code).collect::<Vec<_>>()
    };
    for main in [
        "MACHINE M EXTENDS A, B END",
        "MACHINE M INCLUDES A, B PROMOTES s END",
        "MACHINE M INCLUDES A, B OPERATIONS o = s(1) END",
    ] {
        assert_eq!(load(main), ["duplicate-operation"], "{main}");
    }
    // Where it is not used, or has a prefix, it is clear what is meant.
    for main in [
        "MACHINE M INCLUDES A, B OPERATIONS o = skip END",
        "MACHINE M INCLUDES A, b.B OPERATIONS o = BEGIN s(1) || b.s(2) END END",
    ] {
        assert_eq!(load(main), [""; 0], "{main}");
    }
}

/// Each of these machines includes the next one twice: of prefixes within prefixes there are as many as there are machines in all.
#[test]
fn prefixes_within_prefixes_are_not_followed() {
    let last = 18;
    let text = |n: usize| match n {
        0 => "REFINEMENT R REFINES M1 VARIABLES w INVARIANT w : 0..1 INITIALISATION w := 0 END"
            .to_owned(),
        n if n < last => format!(
            "MACHINE M{n} INCLUDES a.M{0}, b.M{0} VARIABLES v{n} INVARIANT v{n} : 0..1 INITIALISATION v{n} := 0 END",
            n + 1
        ),
        n => format!(
            "MACHINE M{n} VARIABLES v{n} INVARIANT v{n} : 0..1 INITIALISATION v{n} := 0 END"
        ),
    };
    let files: Vec<(String, String)> = (0..=last)
        .map(|n| (if n == 0 { "R.ref".to_owned() } else { format!("M{n}.mch") }, text(n)))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let begin = std::time::Instant::now();
    assert_eq!(search_files(&files).verdict, Verdict::Ok);
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

/// A deferred set that an implementation values is known to the refinements in between.
#[test]
fn a_valued_set_with_a_refinement_in_between() {
    let machine = "MACHINE A SETS S VARIABLES x INVARIANT x : S INITIALISATION x :: S
        OPERATIONS set(y) = PRE y : S THEN x := y END END";
    let between = "REFINEMENT B REFINES A CONSTANTS least PROPERTIES least : S VARIABLES z
        INVARIANT z : S & z = x INITIALISATION z :: S OPERATIONS set(y) = PRE y : S THEN z := y END END";
    let main = "IMPLEMENTATION C REFINES B VALUES S = 0..2; least = 0 CONCRETE_VARIABLES w INVARIANT w : S & w = z
        INITIALISATION w := least OPERATIONS set(y) = BEGIN w := y END END";
    let outcome = search_files(&[("C.imp", main), ("B.ref", between), ("A.mch", machine)]);
    assert_eq!((outcome.verdict, outcome.states), (Verdict::Ok, 3));
}

/// A precondition that speaks of what the refinement does not have is left out, and that is said: of the machine,
/// and of a finding whose run calls such an operation.
#[test]
fn a_precondition_that_is_left_out_is_told_of() {
    let machine = "MACHINE P VARIABLES s INVARIANT s <: 0..2 INITIALISATION s := {}
      OPERATIONS
        inc = PRE card(s) < 3 & s /= {7} THEN ANY x WHERE x : 0..2 - s THEN s := s \\/ {x} END END;
        stay = skip
      END";
    let refinement = "REFINEMENT P_r REFINES P VARIABLES n INVARIANT n : 0..3 & n = card(s)
      INITIALISATION n := 0 OPERATIONS inc = BEGIN n := n + 1 END; stay = skip END";
    let (_keep, main) = in_folder(&[("P_r.ref", refinement), ("P.mch", machine)]);
    let told = normalise::load_machine(&main);
    let left = told.diagnostics.iter().find(|d| d.code == "precondition-left-out").expect("told");
    let text = left.render(&told.sources);
    for part in [
        "P.mch:3:19",
        "2 preconditions of `inc`, the first of them `card(s) < 3`, are left out",
        "they speak of `s`, which the refinement does not have",
        "a counterexample that calls `inc` may not be one",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let finding = run_file(&main).expect("it runs").finding.expect("a finding");
    let doubt = finding.doubt().expect("a doubt");
    assert!(doubt.starts_with("a precondition of `inc` is left out"), "{doubt}");
    // One that says itself when it is called is told of nothing.
    let bounded = refinement.replace("BEGIN n := n + 1", "PRE n < 3 THEN n := n + 1");
    let told = |files: &[(&str, &str)]| {
        let (_keep, main) = in_folder(files);
        let left = normalise::load_machine(&main).diagnostics.into_iter();
        let left = left.filter(|d| d.code == "precondition-left-out");
        left.map(|d| d.message).collect::<Vec<String>>()
    };
    assert_eq!(told(&[("P_r.ref", &bounded), ("P.mch", machine)]), [""; 0]);
    let outcome = search_files(&[("P_r.ref", &bounded), ("P.mch", machine)]);
    assert_eq!((outcome.verdict, outcome.states), (Verdict::Ok, 4));
    // Where several machines say it, each of its own variables, the last of them is told of.
    let below = "IMPLEMENTATION P_i REFINES P_r CONCRETE_VARIABLES k INVARIANT k : 0..3 & k = 3 - n
      INITIALISATION k := 3 OPERATIONS inc = BEGIN k := k - 1 END; stay = skip END";
    let last = told(&[("P_i.imp", below), ("P_r.ref", &bounded), ("P.mch", machine)]);
    assert_eq!(last.len(), 1, "{last:?}");
    assert!(last[0].contains("precondition `n < 3` of `inc`"), "{last:?}");
    // A run that calls no such operation is one.
    let wrong = refinement.replace("stay = skip", "stay = BEGIN n := 5 END");
    let (_keep, main) = in_folder(&[("P_r.ref", &wrong), ("P.mch", machine)]);
    let finding = run_file(&main).expect("it runs").finding.expect("a finding");
    assert_eq!(finding.doubt(), None, "{}", finding.message);
    // Nothing is left out of what can be said.
    let all = refinement.replace("VARIABLES n INVARIANT", "VARIABLES n, s INVARIANT s <: 0..2 &");
    let all = all.replace("INITIALISATION n := 0", "INITIALISATION n := 0 || s := {}");
    let (_keep, main) = in_folder(&[("P_r.ref", &all), ("P.mch", machine)]);
    let told = normalise::load_machine(&main).diagnostics;
    assert!(told.iter().all(|d| d.code != "precondition-left-out"), "{told:?}");
}

/// Where VALUES give a deferred set a value, a parameter that has it as its type is in it, whatever is left out.
#[test]
fn parameters_are_in_the_sets_that_are_their_types() {
    let machine = "MACHINE B SETS S VARIABLES obj, etat INVARIANT obj <: S & etat : obj +-> BOOL
      INITIALISATION obj := {} || etat := {}
      OPERATIONS
        add(oo) = PRE oo : S THEN obj := obj \\/ {oo} || etat(oo) := FALSE END;
        act(oo) = PRE oo : obj THEN etat(oo) := TRUE END;
        both(pp) = PRE pp : obj * obj THEN skip END;
        some(ss) = PRE ss <: obj THEN skip END
      END";
    let main = "IMPLEMENTATION B_i REFINES B VALUES S = 0..2
      CONCRETE_VARIABLES c_etat INVARIANT c_etat : 0..2 +-> BOOL INITIALISATION c_etat := {}
      OPERATIONS
        add(oo) = BEGIN c_etat(oo) := FALSE END;
        act(oo) = BEGIN c_etat(oo) := TRUE END;
        both(pp) = skip;
        some(ss) = skip
      END";
    let outcome = search_files(&[("B_i.imp", main), ("B.mch", machine)]);
    assert_eq!(outcome.verdict, Verdict::Ok, "{:?} {:?}", outcome.finding, outcome.bounds);
    // 3 ^ 3 states; 3 elements, pairs of them, and sets of them.
    assert_eq!(outcome.states, 27);
    assert_eq!(outcome.transitions - outcome.first_transitions, 27 * (3 + 3 + 9 + 8));
}

/// What the results of a refining operation are made of is told by the operation that it refines.
#[test]
fn results_have_the_types_of_what_is_refined() {
    let above = "MACHINE Abs SETS SS VARIABLES xx INVARIANT xx <: SS INITIALISATION xx := {}
      OPERATIONS rr <-- some = ANY ss WHERE ss <: SS THEN rr := ss END;
        tt <-- list = ANY ss WHERE ss : POW(POW(SS) * BOOL) THEN tt := ss END END";
    let refinement = "REFINEMENT Ref REFINES Abs VARIABLES xx INITIALISATION xx := {}
      OPERATIONS rr <-- some = rr := {}; tt <-- list = VAR vv IN vv := []; tt := vv END END";
    let outcome = search_files(&[("Ref.ref", refinement), ("Abs.mch", above)]);
    assert_eq!((outcome.verdict, outcome.transitions), (Verdict::Ok, 3), "{:?}", outcome.finding);
    let implementation = "IMPLEMENTATION Imp REFINES Ref CONCRETE_VARIABLES xx
      INITIALISATION xx := {} OPERATIONS rr <-- some = rr := {}; tt <-- list = tt := {} END";
    let files = [("Imp.imp", implementation), ("Ref.ref", refinement), ("Abs.mch", above)];
    assert_eq!(search_files(&files).verdict, Verdict::Ok);
}

/// A refinement says in its own terms when its operation is called, for each parameter that the precondition of the
/// machine above speaks of; what repeats the types, or what that machine says of a variable that is left, says nothing
/// of those that are gone.
#[test]
fn a_precondition_that_the_refinement_says_in_its_own_terms() {
    let machine =
        "MACHINE P VARIABLES s, k INVARIANT s <: 0..2 & k : 0..2 INITIALISATION s := {} || k := 0
      OPERATIONS
        put(x, y) = PRE x : 0..2 & x /: s & y : 0..2 & y : s & k < 2 THEN s := s \\/ {x} END
      END";
    let told = |precondition: &str| {
        let refinement = format!(
            "REFINEMENT P_r REFINES P VARIABLES k, n INVARIANT n <: 0..2 & n = s
             INITIALISATION k := 0 || n := {{}} OPERATIONS put(x, y) = PRE {precondition} THEN n := n \\/ {{x}} END END"
        );
        let (_keep, main) = in_folder(&[("P_r.ref", &refinement), ("P.mch", machine)]);
        let left = normalise::load_machine(&main).diagnostics.into_iter();
        let left = left.filter(|d| d.code == "precondition-left-out");
        left.map(|d| d.message).collect::<Vec<String>>()
    };
    let both = "2 preconditions of `put`, the first of them `x /: s`, are left out: they speak of `s`, which the \
                refinement does not have";
    assert_eq!(told("x : 0..2 & y : 0..2"), [both]);
    assert_eq!(told("x : 0..2 & y : 0..2 & k < 2"), [both]);
    let one = "the precondition `y : s` of `put` is left out: it speaks of `s`, which the refinement does not have";
    assert_eq!(told("x : 0..2 & x /: n & y : 0..2"), [one]);
    assert_eq!(told("x : 0..2 & x /: n & y : n"), [""; 0]);
}
