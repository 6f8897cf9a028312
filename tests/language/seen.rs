//! Machines that are seen or used: their state, and operations that nothing else can call.

use super::*;

const COUNTER: &str = "MACHINE Counter VARIABLES n INVARIANT n : 0..3 INITIALISATION n := 0
  OPERATIONS
    up = PRE n < 3 THEN n := n + 1 END;
    r <-- get = BEGIN r := n END
  END";

/// The names of the operations that are offered.
#[track_caller]
fn offered(files: &[(&str, &str)]) -> Vec<String> {
    let (_keep, main) = in_folder(files);
    let loaded = normalise::load_machine(&main);
    let text: String = loaded.diagnostics.iter().map(|d| d.render(&loaded.sources)).collect();
    let machine = loaded.machine.expect(&text);
    machine.operations.iter().filter(|o| o.visible).map(|o| o.name.to_string()).collect()
}

#[test]
fn what_nothing_includes_changes_by_itself() {
    for clause in ["SEES", "USES"] {
        let main = format!(
            "MACHINE Main {clause} Counter VARIABLES x INVARIANT x : 0..3 INITIALISATION x := n
             OPERATIONS copy = BEGIN x := n END END"
        );
        let files = [("Main.mch", &*main), ("Counter.mch", COUNTER)];
        assert_eq!(offered(&files), ["up", "get", "copy"], "{clause}");
        // x follows n: every pair with x <= n.
        let outcome = search_files(&files);
        assert_eq!((outcome.verdict, outcome.states), (Verdict::Ok, 10), "{clause}");
        // Each state: copy and get; up where n < 3.
        assert_eq!(outcome.transitions, 1 + 10 * 2 + 6, "{clause}");
    }
}

/// What is seen may be asked, and not changed: neither by itself nor by what it includes.
#[test]
fn operations_that_change_nothing_are_called() {
    let main = |clause: &str, call: &str| {
        format!(
            "MACHINE Main {clause} VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0
             OPERATIONS o = BEGIN x := 0 ; {call} END END"
        )
    };
    let outer = "MACHINE Outer EXTENDS Counter OPERATIONS both = up; r <-- twice = r := 2 * n END";
    let found = |clause: &str, call: &str| {
        let main = main(clause, call);
        let files = [("Main.mch", &*main), ("Counter.mch", COUNTER), ("Outer.mch", outer)];
        let (_keep, path) = in_folder(&files);
        let loaded = normalise::load_machine(&path);
        let said = errors(&loaded);
        let text: String = said.iter().map(|d| d.render(&loaded.sources)).collect();
        assert!(said.iter().all(|d| d.code == "seen-operation-call" && d.hint.is_some()), "{text}");
        !said.is_empty()
    };
    for clause in ["SEES", "USES"] {
        assert!(found(&format!("{clause} Counter"), "up"));
        assert!(!found(&format!("{clause} Counter"), "x <-- get"));
        assert!(
            found(&format!("{clause} Outer"), "up") && found(&format!("{clause} Outer"), "both")
        );
        assert!(!found(&format!("{clause} Outer"), "x <-- twice"));
    }
    assert!(!found("INCLUDES Counter", "up"));
    assert!(!found("SEES Counter INCLUDES Counter", "up"));
}

#[test]
fn the_seen_state_is_initialised_first() {
    let main = "MACHINE Main SEES Counter VARIABLES x INVARIANT x = 0 INITIALISATION x := n END";
    let outcome = search_files(&[("Main.mch", main), ("Counter.mch", COUNTER)]);
    assert_eq!((outcome.verdict, outcome.states), (Verdict::Ok, 4));
}

#[test]
fn what_is_included_changes_through_the_includer_only() {
    let including = "MACHINE Main SEES Counter INCLUDES Inner PROMOTES twice END";
    let inner = "MACHINE Inner INCLUDES Counter
      OPERATIONS twice = PRE n < 2 THEN up END END";
    let files = [("Main.mch", including), ("Inner.mch", inner), ("Counter.mch", COUNTER)];
    assert_eq!(offered(&files), ["twice"]);
    assert_eq!(search_files(&files).states, 3);
    // Seen and included by one and the same.
    let both = "MACHINE Main SEES Counter EXTENDS Counter END";
    assert_eq!(offered(&[("Main.mch", both), ("Counter.mch", COUNTER)]), ["up", "get"]);
    // An instance that is included under another name is another one.
    let renamed = "MACHINE Main SEES Counter INCLUDES c.Counter PROMOTES c.up END";
    let files = [("Main.mch", renamed), ("Counter.mch", COUNTER)];
    assert_eq!(offered(&files), ["up", "get", "c.up"]);
    assert_eq!(search_files(&files).states, 16);
}

#[test]
fn one_instance_for_all_who_see_it() {
    let left = "MACHINE Left SEES Counter VARIABLES a INVARIANT a : 0..3 INITIALISATION a := 0
      OPERATIONS take = BEGIN a := n END END";
    let main = "MACHINE Main SEES Counter, Left VARIABLES b INVARIANT b : 0..3
      INITIALISATION b := 0 OPERATIONS keep = PRE a = n THEN b := a END END";
    let files = [("Main.mch", main), ("Left.mch", left), ("Counter.mch", COUNTER)];
    assert_eq!(offered(&files), ["up", "get", "take", "keep"]);
    // 0 <= b <= a <= n <= 3
    assert_eq!(search_files(&files).states, 20);
    // Seen by what is seen, and by nothing else.
    let main = "MACHINE Main SEES Left END";
    let files = [("Main.mch", main), ("Left.mch", left), ("Counter.mch", COUNTER)];
    assert_eq!(offered(&files), ["up", "get", "take"]);
    assert_eq!(search_files(&files).states, 10);
    // What a seen machine includes is its own business, what it promotes is offered.
    let owner = "MACHINE Owner INCLUDES Counter PROMOTES up END";
    let main = "MACHINE Main SEES Owner END";
    let files = [("Main.mch", main), ("Owner.mch", owner), ("Counter.mch", COUNTER)];
    assert_eq!(offered(&files), ["up"]);
}

#[test]
fn operations_of_one_name_are_told_apart() {
    let main = "MACHINE Main SEES Counter VARIABLES x INVARIANT x : BOOL
      INITIALISATION x := TRUE OPERATIONS up = BEGIN x := FALSE END END";
    assert_eq!(
        offered(&[("Main.mch", main), ("Counter.mch", COUNTER)]),
        ["Counter.up", "get", "up"]
    );
}

#[test]
fn refinements_see() {
    let refinement = "REFINEMENT R REFINES A SEES Counter VARIABLES x INVARIANT x : 0..3
      INITIALISATION x := 0 OPERATIONS step = BEGIN x := n END END";
    let abstraction = "MACHINE A SEES Counter VARIABLES x INVARIANT x : 0..3
      INITIALISATION x := 0 OPERATIONS step = BEGIN x :: 0..3 END END";
    let files = [("R.ref", refinement), ("A.mch", abstraction), ("Counter.mch", COUNTER)];
    assert_eq!(offered(&files), ["up", "get", "step"]);
    assert_eq!(search_files(&files).states, 10);
}

const STORE: &str = "MACHINE Store(T, most) CONSTRAINTS most : 1..5 VARIABLES v
  INVARIANT v <: T & card(v) <= most INITIALISATION v := {}
  OPERATIONS put(t) = PRE t : T & card(v) < most THEN v := v \\/ {t} END END";

/// Who sees it first does not decide what its parameters are.
#[test]
fn parameters_come_from_who_includes_it() {
    let user = "MACHINE User USES Store END";
    let types = "MACHINE Types SETS S = {s1, s2, s3} END";
    let inner = "MACHINE Inner INCLUDES Types, Store(S, 2) PROMOTES put END";
    for main in [
        "MACHINE Main SETS S = {s1, s2, s3} INCLUDES User, Store(S, 2) PROMOTES put END",
        "MACHINE Main SETS S = {s1, s2, s3} INCLUDES Store(S, 2), User PROMOTES put END",
        "MACHINE Main INCLUDES User, Types, Store(S, 2) PROMOTES put END",
        "MACHINE Main SEES Store INCLUDES Inner PROMOTES put END",
    ] {
        let files = [
            ("Main.mch", main),
            ("User.mch", user),
            ("Store.mch", STORE),
            ("Types.mch", types),
            ("Inner.mch", inner),
        ];
        let outcome = search_files(&files);
        assert_eq!((outcome.verdict, outcome.states), (Verdict::Ok, 7), "{main}");
    }
}

#[test]
fn parameters_given_twice_are_refused() {
    let main = "MACHINE Main SETS S INCLUDES Other, Store(S, 2) END";
    let other = "MACHINE Other SETS U INCLUDES Store(U, 1) END";
    let (_keep, main) =
        in_folder(&[("Main.mch", main), ("Other.mch", other), ("Store.mch", STORE)]);
    let loaded = normalise::load_machine(&main);
    let found: Vec<&str> = errors(&loaded).iter().map(|d| d.code).collect();
    assert_eq!(found, ["included-twice"]);
}

/// One machine includes another one once under each name; several that do share it.
#[test]
fn a_machine_is_included_once_under_each_name() {
    let store = "MACHINE Store VARIABLES x INVARIANT x : 0..2 INITIALISATION x := 0 END";
    let other = "MACHINE Other INCLUDES Store END";
    let found = |main: &str| {
        let files = [("Main.mch", main), ("Other.mch", other), ("Store.mch", store)];
        let (_keep, main) = in_folder(&files);
        let loaded = normalise::load_machine(&main);
        errors(&loaded).iter().map(|d| d.code).collect::<Vec<_>>()
    };
    assert_eq!(found("MACHINE Main INCLUDES Store, Store END"), ["included-twice"]);
    assert_eq!(found("MACHINE Main INCLUDES Store, a.Store, Other END"), [""; 0]);
}

#[test]
fn values_are_given_once() {
    let machine = "MACHINE A CONSTANTS n PROPERTIES n : 1..5 END";
    let values = |text: &str| format!("IMPLEMENTATION Main REFINES A VALUES {text} END");
    let found = |main: &str| {
        let (_keep, main) = in_folder(&[("Main.imp", main), ("A.mch", machine)]);
        errors(&normalise::load_machine(&main)).iter().map(|d| d.code).collect::<Vec<_>>()
    };
    assert_eq!(found(&values("n = 2; n = 2")), ["duplicate-value"]);
    assert_eq!(found(&values("n = 2")), [""; 0]);
}

/// Renamed inclusions double at each level: that ends at a bound, with its place.
#[test]
fn inclusions_that_double() {
    let mut files = vec![("M0.mch".to_owned(), "MACHINE M0 END".to_owned())];
    for i in 1..=30 {
        let j = i - 1;
        files.push((format!("M{i}.mch"), format!("MACHINE M{i} INCLUDES a.M{j}, b.M{j} END")));
    }
    files.reverse();
    let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (&**n, &**t)).collect();
    let (_keep, main) = in_folder(&files);
    let loaded = normalise::load_machine(&main);
    let found: Vec<&str> = errors(&loaded).iter().map(|d| d.code).collect();
    assert_eq!(found, ["too-many-instances"]);
    assert!(errors(&loaded)[0].span.is_some());
}
