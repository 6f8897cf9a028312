//! What is legal and probably not meant.

use super::*;
use burnside::diagnostic::Severity;
use serde_json::Value;
use std::process::{Command, Output};

/// The warnings of a machine that is accepted; each has a hint, and the texts of these labels.
#[track_caller]
fn warned(text: &str) -> Vec<String> {
    let loaded = load(text);
    assert!(loaded.machine.is_some(), "{}", rendered(&loaded));
    assert!(loaded.diagnostics.iter().all(|d| d.severity == Severity::Warning));
    assert!(loaded.diagnostics.iter().all(|d| d.hint.is_some()), "{}", rendered(&loaded));
    found(&loaded)
}

#[test]
fn mixed_connectives() {
    let machine =
        |p: &str| format!("MACHINE M CONSTANTS a PROPERTIES a : 0..9 ASSERTIONS\n{p}\nEND");
    assert_eq!(warned(&machine("a = 1 or a = 2 & a = 3")), ["2:1 mixed-connectives"]);
    assert_eq!(warned(&machine("not(a = 1 & a = 2 or a = 3)")), ["2:5 mixed-connectives"]);
    assert_eq!(warned(&machine("a = 1 or (a = 2 & a = 3)")), [""; 0]);
    assert_eq!(warned(&machine("(a = 1 or a = 2) & a = 3")), [""; 0]);
}

#[test]
fn unused_and_ill_typed_definitions() {
    let text = "MACHINE M\nDEFINITIONS\nA == 1;\nB == A + 1;\nC == D;\nD == 2;\nBAD == 1 + TRUE;\n\
                scope_X == 3;\nGOAL == 1 = 1;\nSET_PREF_MAXINT == 4\nASSERTIONS B = 2\nEND";
    assert_eq!(
        warned(text),
        ["5:1 unused-definition", "7:12 unused-definition-ill-typed", "8:1 misspelled-scope"]
    );
}

#[test]
fn misspelled_scopes() {
    let machine = |d: &str| {
        format!("MACHINE M SETS Name; Code = {{a}} DEFINITIONS\n{d}\nASSERTIONS 1 = 1 END")
    };
    for wrong in ["scope_Nmae == 3", "Scope_Name == 3", "scop_Name == 3"] {
        assert_eq!(warned(&machine(wrong)), ["2:1 misspelled-scope"], "{wrong}");
    }
    assert_eq!(warned(&machine("scope_Name == 3")), [""; 0]);
    // Nothing is misspelled where the set is there, and its size is not to be chosen.
    assert_eq!(warned(&machine("scope_Code == 3")), ["2:1 scope-of-enumerated"]);
}

#[test]
fn shadowing_names_what_is_hidden() {
    let loaded = load("MACHINE M SETS S = {a}\nASSERTIONS !a.(a : NAT => a >= 0) END");
    assert_eq!(found(&loaded), ["2:13 shadowing"]);
    assert!(rendered(&loaded).contains("- declared here"));
}

const IDLE: &str = "MACHINE Idle
CONSTANTS c
PROPERTIES c = 2
VARIABLES x, limit, other
INVARIANT x : 0..3 & limit : NATURAL & other : NATURAL
  & limit <= other
  & c > 1
INITIALISATION x := 0 || limit := 3 || other := 4
OPERATIONS
  up = PRE x < limit THEN x := x + 1 END;
  down = PRE x > limit THEN x := x - 1 END;
  query = PRE x > 99 THEN skip END;
  again = BEGIN x := 0 END
END
";

#[test]
fn what_no_operation_changes() {
    let loaded = load(IDLE);
    assert_eq!(
        found(&loaded),
        ["4:14 never-written", "6:5 unaffected-invariant", "7:5 unaffected-invariant"]
    );
    let text = rendered(&loaded);
    assert!(text.contains("no operation writes `limit`") && text.contains("PROPERTIES"), "{text}");
    // What stands on one line is told once.
    assert!(text.contains("no operation writes the variables `limit`, `other`"), "{text}");
    // With an operation that writes one of the two the comparison can change.
    let text = IDLE.replace("again = BEGIN x := 0 END", "again = BEGIN other := 4 END");
    assert_eq!(found(&load(&text)), ["4:14 never-written", "7:5 unaffected-invariant"]);
}

fn check(text: &str, options: &[&str]) -> Output {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("Idle.mch");
    std::fs::write(&path, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command.arg("check").arg(&path).args(options).output().unwrap()
}

fn codes(output: &Output) -> Vec<String> {
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let list = report["diagnostics"].as_array().unwrap();
    list.iter().filter_map(|d| d["code"].as_str().map(str::to_owned)).collect()
}

#[test]
fn operations_that_no_state_enables() {
    for symmetry in ["off", "canon"] {
        let output = check(IDLE, &["--format", "json", "--symmetry", symmetry]);
        let idle = codes(&output).iter().filter(|c| *c == "never-enabled").count();
        assert_eq!((output.status.code(), idle), (Some(0), 2));
    }
    let text = String::from_utf8(check(IDLE, &[]).stdout).unwrap();
    assert!(text.contains("Idle.mch:11:3: warning[never-enabled]"), "{text}");
    assert!(text.contains("the operation `query` is enabled in no reachable state"), "{text}");
    // A search that was cut off says nothing about the states that it has not seen.
    let output = check(IDLE, &["--format", "json", "--max-states", "2"]);
    assert!(!codes(&output).contains(&"never-enabled".to_owned()));
    assert_eq!(output.status.code(), Some(3));
}

/// Nothing to warn about, whatever is found.
const CLEAN: &str = "MACHINE Clean VARIABLES x INVARIANT x : NATURAL INITIALISATION x := 0
OPERATIONS up = PRE x < 3 THEN x := x + 1 END; down = PRE x > 0 THEN x := x - 1 END END";

#[test]
fn denied_warnings_turn_success_into_failure() {
    let deny = |text: &str, more: &[&str]| {
        let output = check(text, &[&["--deny-warnings"], more].concat());
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(deny(CLEAN, &[]).0, Some(0));
    assert_eq!(deny(CLEAN, &["--max-states", "2"]).0, Some(3));
    let warned = CLEAN.replace("VARIABLES x", "DEFINITIONS D == 1 VARIABLES x");
    assert_eq!(deny(&warned, &[]).0, Some(2));
    assert_eq!(deny(&warned, &["--max-states", "2"]).0, Some(2));
    // What was found is more than a warning.
    let wrong = warned.replace("x : NATURAL", "x : 0..2");
    assert_eq!(deny(&wrong, &[]).0, Some(1));
    // A warning that only a finished search can give.
    let idle = CLEAN.replace("down = PRE x > 0", "down = PRE x > 9");
    let (status, stderr) = deny(&idle, &["--no-deadlock", "--quiet"]);
    assert_eq!(status, Some(2));
    assert!(stderr.contains("warning[never-enabled]") && stderr.contains("1 warning"), "{stderr}");
}
