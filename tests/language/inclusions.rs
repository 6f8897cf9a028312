//! What machines take from those that they include, see and refine: parameters, operations, heads.

use super::*;

const CELL: &str = "MACHINE Cell(nn)
CONSTRAINTS nn : 1..10
VARIABLES y INVARIANT y : 0..nn INITIALISATION y := 0
OPERATIONS inc = PRE y < nn THEN y := y + 1 END; reset = y := 0 END";

const STORE: &str = "MACHINE Store
VARIABLES y INVARIANT y : 0..2 INITIALISATION y := 0
OPERATIONS inc = PRE y < 2 THEN y := y + 1 END; reset = y := 0 END";

/// Each diagnostic as `line:column code`, in the order in which they are told.
fn told(files: &[(&str, &str)]) -> Vec<String> {
    let (_keep, main) = in_folder(files);
    let loaded = normalise::load_machine(&main);
    let line = |d: &Diagnostic| {
        let place = loaded.sources.place(d.span.expect("a place"));
        format!("{}:{} {}", place.line, place.column, d.code)
    };
    loaded.diagnostics.iter().map(line).collect()
}

/// All diagnostics as they are shown.
fn shown(files: &[(&str, &str)]) -> String {
    let (_keep, main) = in_folder(files);
    let loaded = normalise::load_machine(&main);
    loaded.diagnostics.iter().map(|d| d.render(&loaded.sources)).collect()
}

/// Parameters have their values before there is a state.
#[test]
fn variables_are_no_parameters() {
    let machine = |argument: &str| {
        format!(
            "MACHINE A INCLUDES\nCell({argument})\nSEES Other DEFINITIONS low == x + 1; two == kk + 1
             CONSTANTS kk PROPERTIES kk = 3 VARIABLES x INVARIANT x : 1..3 INITIALISATION x := 2
             OPERATIONS op = BEGIN x := kk || inc END; use = PRE low + two > 0 THEN skip END END"
        )
    };
    let other = "MACHINE Other VARIABLES z INVARIANT z : 1..3 INITIALISATION z := 1
      OPERATIONS set = z := 2 END";
    let told = |argument: &str| {
        told(&[("A.mch", &machine(argument)), ("Cell.mch", CELL), ("Other.mch", other)])
    };
    assert_eq!(told("x"), ["2:6 variable-as-argument"]);
    assert_eq!(told("2 + z"), ["2:10 variable-as-argument"]);
    assert_eq!(told("low"), ["2:6 variable-as-argument"], "by way of a definition");
    assert_eq!(told("card({u | u : 1..3})"), [""; 0], "what a formula binds is its own");
    assert_eq!(told("two"), [""; 0]);
    assert_eq!(told("kk * 2"), [""; 0]);
}

/// Two instances have the same text: the prefix tells which of them it is.
#[test]
fn a_violation_names_the_instance() {
    let machine = "MACHINE A INCLUDES a.M, b.M OPERATIONS op = b.inc END";
    let part = |clauses: &str| {
        format!(
            "MACHINE M VARIABLES y INVARIANT {clauses} INITIALISATION y := 0
             OPERATIONS inc = BEGIN y := y + 1 END END"
        )
    };
    let message = |clauses: &str| {
        let outcome = search_files(&[("A.mch", machine), ("M.mch", &part(clauses))]);
        outcome.finding.expect("a violation").message
    };
    assert_eq!(message("y : 0..2"), "the invariant of b.M does not hold");
    assert_eq!(message("y : NATURAL ASSERTIONS y < 3"), "an assertion of b.M does not hold");
    // Without a prefix there is one, and the place tells it.
    let machine = machine.replace("a.M, b.M", "M").replace("b.inc", "inc");
    let outcome = search_files(&[("A.mch", &machine), ("M.mch", &part("y : 0..2"))]);
    assert_eq!(outcome.finding.expect("a violation").message, "the invariant does not hold");
}

#[test]
fn promoted_operations_are_included_and_named_once() {
    let told = |clauses: &str| {
        told(&[("A.mch", &format!("MACHINE A\n{clauses}\nEND")), ("Store.mch", STORE)])
    };
    assert_eq!(told("SEES Store\nPROMOTES inc"), ["3:10 promoted-seen"]);
    assert_eq!(told("INCLUDES Store\nPROMOTES inc"), [""; 0]);
    assert_eq!(told("INCLUDES Store SEES Store\nPROMOTES inc"), [""; 0]);
    assert_eq!(told("INCLUDES Store\nPROMOTES inc, reset, inc"), ["3:22 promoted-twice"]);
    assert_eq!(told("EXTENDS Store\nPROMOTES inc"), ["3:10 promoted-twice"]);
    // One that two extend is one.
    let both = [
        ("A.mch", "MACHINE A EXTENDS B, C END"),
        ("B.mch", "MACHINE B EXTENDS Store END"),
        ("C.mch", "MACHINE C EXTENDS Store END"),
        ("Store.mch", STORE),
    ];
    assert_eq!(super::inclusions::told(&both), [""; 0]);
}

#[test]
fn heads_of_refinements() {
    let machine = "MACHINE A(aa, bb) CONSTRAINTS aa : 1..2 & bb : 3..4
      VARIABLES y INVARIANT y : 0..2 INITIALISATION y := 0
      OPERATIONS inc = PRE y < 2 THEN y := y + 1 END END";
    let body = "INITIALISATION y := 0 OPERATIONS inc = PRE y < 2 THEN y := y + 1 END END";
    let told = |head: &str| {
        let main = format!("{head} INVARIANT y : 0..2 {body}");
        let implementation = format!("IMPLEMENTATION I REFINES A CONCRETE_VARIABLES y {body}");
        told(&[("R.ref", &main), ("A.mch", machine), ("I.imp", &implementation)])
    };
    assert_eq!(told("REFINEMENT R REFINES A VARIABLES y"), [""; 0]);
    assert_eq!(told("REFINEMENT R(aa, bb) REFINES A VARIABLES y"), [""; 0]);
    assert_eq!(told("REFINEMENT R\n(bb, aa) REFINES A VARIABLES y"), ["2:2 refined-parameters"]);
    assert_eq!(told("REFINEMENT R\n(aa) REFINES A VARIABLES y"), ["2:2 refined-parameters"]);
    assert_eq!(told("REFINEMENT\nR VARIABLES y"), ["2:1 missing-refines"]);
    assert_eq!(told("IMPLEMENTATION\nR CONCRETE_VARIABLES y"), ["2:1 missing-refines"]);
    assert_eq!(told("MACHINE R REFINES\nA VARIABLES y"), ["2:1 clause-not-allowed"]);
    assert_eq!(told("REFINEMENT R REFINES\nI VARIABLES y"), ["2:1 refined-implementation"]);
    let variables = "IMPLEMENTATION R REFINES A\nVARIABLES y";
    assert_eq!(told(variables), ["2:1 implementation-variables"]);
}

/// What is promoted or extended on either side counts as well as what is declared.
#[test]
fn promoted_operations_refine_and_are_refined() {
    let machine = "MACHINE A VARIABLES v INVARIANT v : 0..2 INITIALISATION v := 0
      OPERATIONS inc = PRE v < 2 THEN v := v + 1 END END";
    let store = "MACHINE B EXTENDS Store END";
    let declared = |operations: &str| {
        format!(
            "REFINEMENT R REFINES\nB VARIABLES y INVARIANT y : 0..2 INITIALISATION y := 0
OPERATIONS {operations} END"
        )
    };
    let told = |refinement: &str| {
        told(&[("R.ref", refinement), ("A.mch", machine), ("B.mch", store), ("Store.mch", STORE)])
    };
    let promoting = "REFINEMENT R REFINES A INCLUDES Store PROMOTES inc,\nreset END";
    // What A says of its own variable is nothing that can be asked here.
    let left_out = "2:28 precondition-left-out";
    assert_eq!(told(promoting), ["2:1 nothing-refined", left_out]);
    let extending = "REFINEMENT R REFINES A\nEXTENDS Store END";
    assert_eq!(told(extending), ["2:9 nothing-refined", left_out]);
    assert_eq!(told(&declared("inc = y := 1; reset = y := 0")), [""; 0]);
    assert_eq!(told(&declared("inc = y := 1")), ["2:1 not-refined"]);
    assert_eq!(told(&declared("inc(n) = y := n; reset = y := 0")), ["3:12 refined-signature"]);
    assert_eq!(
        told(&declared("inc = y := 1; rest = y := 0")),
        ["2:1 not-refined", "3:26 nothing-refined"]
    );
}

/// A precondition that a refinement does not repeat has its place in the machine that it comes from.
#[test]
fn a_precondition_from_above_is_told_with_its_place() {
    let machine = "MACHINE A VARIABLES y INVARIANT y : 0..9 INITIALISATION y := 0
      OPERATIONS inc(n) = PRE n : 1..3 & y + n <= 3 THEN y := y + n END END";
    let refinement = "REFINEMENT R REFINES A VARIABLES y INVARIANT y : 0..9 INITIALISATION y := 0
      OPERATIONS inc(n) = y := y + n END";
    let main = "MACHINE M INCLUDES R OPERATIONS go = inc(2) END";
    let (_keep, path) = in_folder(&[("M.mch", main), ("R.ref", refinement), ("A.mch", machine)]);
    let loaded = normalise::load_machine(&path);
    let sources = loaded.sources.clone();
    let outcome = deep(|| search_model(&set_up(loaded).expect("sets up")));
    let finding = outcome.finding.expect("the precondition does not hold");
    let span = finding.span.expect("a place");
    assert!(sources.get(span.file).path.ends_with("A.mch"));
    assert_eq!(sources.text(span), "y + n <= 3");
    assert!(finding.message.starts_with("the precondition of `inc` does not hold"), "{finding:?}");
}

/// Operations are no part of formulas: one may have the name of a variable, as other tools have it.
#[test]
fn operations_may_have_names_of_variables() {
    let machine = "MACHINE A SETS S = {s1, s2} VARIABLES x INVARIANT x : S INITIALISATION x := s1
      OPERATIONS x = BEGIN x := s1 END; s1 = BEGIN x := s2 END END";
    assert_eq!(told(&[("A.mch", machine)]), [""; 0]);
    assert_eq!(search_files(&[("A.mch", machine)]).states, 2);
}

/// Files with names that are nearly those that were asked for.
#[test]
fn misspelled_files_are_suggested() {
    let files = |clause: &str| {
        shown(&[
            ("A.mch", &format!("MACHINE A {clause} END")),
            ("Store.mch", STORE),
            ("Colours.def", "DEFINITIONS red == 1"),
        ])
    };
    for (clause, name) in [
        ("SEES Stroe", "`Store`"),
        ("INCLUDES a.Stor", "`Store`"),
        ("DEFINITIONS \"Colors.def\"", "\"Colours.def\""),
        ("DEFINITIONS \"LibraryString.def\"", "\"LibraryStrings.def\""),
    ] {
        let text = files(clause);
        assert!(text.contains(&format!("did you mean {name}?")), "{text}");
    }
    assert!(!files("SEES Quite_another").contains("did you mean"));
}

/// Of several copies of a machine it is told whose precondition does not hold, which part of it, and for which values.
#[test]
fn a_broken_precondition_says_whose_it_is() {
    let counter =
        "MACHINE Counter(maxc) CONSTRAINTS maxc : NAT1 VARIABLES cnt INVARIANT cnt : 0..maxc
      INITIALISATION cnt := 0 OPERATIONS set(vv) = PRE vv >= 0 & vv <= maxc THEN cnt := vv END END";
    let main = "MACHINE M INCLUDES c1.Counter(3), c2.Counter(2)
      OPERATIONS both(vv) = PRE vv : 0..3 THEN c1.set(vv) || c2.set(vv) END END";
    let (_keep, path) = in_folder(&[("M.mch", main), ("Counter.mch", counter)]);
    let loaded = normalise::load_machine(&path);
    let sources = loaded.sources.clone();
    let outcome = deep(|| search_model(&set_up(loaded).expect("sets up")));
    let finding = outcome.finding.expect("a precondition that does not hold");
    assert_eq!(finding.message, "the precondition of `c2.set` does not hold in both");
    assert_eq!(sources.text(finding.span.expect("a place")), "vv <= maxc");
    assert!(finding.details.iter().any(|line| line.contains("vv = 3")), "{:?}", finding.details);
}

/// What is included has its prefix in its names, and what is included without has none.
#[test]
fn a_name_with_another_prefix_is_meant() {
    let shown = |clauses: &str| {
        let machine = format!("MACHINE A {clauses} END");
        shown(&[("A.mch", &machine), ("Store.mch", STORE)])
    };
    let prefixed =
        shown("INCLUDES b.Store PROMOTES reset INVARIANT y <= 2 OPERATIONS up = inc; set = x.inc");
    for meant in ["b.reset", "b.y", "b.inc"] {
        assert!(prefixed.contains(&format!("did you mean `{meant}`?")), "{meant}: {prefixed}");
    }
    assert!(prefixed.contains("`x.inc` to call"), "{prefixed}");
    let bare = shown("INCLUDES Store INVARIANT Store.y <= 2 OPERATIONS up = Store.inc");
    for meant in ["y", "inc"] {
        assert!(bare.contains(&format!("did you mean `{meant}`?\n")), "{meant}: {bare}");
    }
    let ending = shown("INCLUDES Store.mch OPERATIONS up = inc");
    let told = "a machine is named without the ending of its file: write `Store`";
    assert!(ending.contains(told) && !ending.contains("looked for"), "{ending}");
}

/// The definitions of an abstract machine are known there alone.
#[test]
fn definitions_of_another_machine_are_pointed_at() {
    let machine = "MACHINE A DEFINITIONS\nlims == 0..3 VARIABLES x INVARIANT x : lims INITIALISATION x := 0 END";
    let refinement =
        "REFINEMENT R REFINES A VARIABLES y INVARIANT\ny : lims INITIALISATION y := 0 END";
    let shown = shown(&[("R.ref", refinement), ("A.mch", machine)]);
    for told in ["R.ref:2:5", "`lims` is not declared", "A.mch:2:1", "in its own machine only"] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
}
