//! What a loop writes on the way does not stay in memory, and equal values stay equal.

use std::process::Command;

/// Checks a machine with little memory that runs this once. Its invariant holds if it says that all is done.
#[track_caller]
fn once(variables: &str, initialisation: &str, body: &str, then: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("Loops.mch");
    let text = format!(
        "MACHINE Loops VARIABLES done, {variables}
        INVARIANT done : BOOL & (done = TRUE => {then})
        INITIALISATION done := FALSE || {initialisation}
        OPERATIONS go = PRE done = FALSE THEN {body}; done := TRUE END END"
    );
    std::fs::write(&path, text).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command.arg("check").arg(&path).args(["--no-deadlock", "--memory", "60M", "--threads", "1"]);
    let output = command.output().expect("it runs");
    let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
    assert_eq!(output.status.code(), Some(0), "{text}");
}

#[test]
fn arrays_that_are_filled_point_by_point_pass() {
    // Two thousand arrays of two thousand points: a hundred megabytes.
    once(
        "a, i",
        "a := (1..2000) * {0} || i := 0",
        "i := 1; WHILE i <= 2000 DO a(i) := i; i := i + 1 INVARIANT i : 1..2001 VARIANT 2001 - i END",
        "a = id(1..2000)",
    );
}

#[test]
fn arrays_of_loops_within_loops_pass() {
    once(
        "a, i",
        "a := %x.(x : 1..300 | 300 - x) || i := 0",
        "VAR j, x IN
            i := 2;
            WHILE i <= 300 DO
                x := a(i); j := i - 1;
                WHILE j > 0 & a(max({1, j})) > x DO
                    a(j + 1) := a(j); j := j - 1
                INVARIANT j : 0..300 VARIANT j END;
                a(j + 1) := x; i := i + 1
            INVARIANT i : 2..301 VARIANT 301 - i END
        END",
        "!k.(k : 1..299 => a(k) < a(k + 1)) & ran(a) = 0..299",
    );
}

#[test]
fn sets_that_grow_in_a_loop_pass() {
    once(
        "s, i",
        "s := {} || i := 0",
        "i := 1; WHILE i <= 2000 DO s := s \\/ {i * i}; i := i + 1 INVARIANT i : 1..2001 VARIANT 2001 - i END",
        "card(s) = 2000 & max(s) = 4000000",
    );
}

#[test]
fn equal_values_that_pass_are_equal() {
    // `a` is what `b` is after the last turn, and what it was before in every other one.
    once(
        "a, b, c, same, i",
        "a := (1..700) * {0} || b := (1..700) * {1} || c := {} || same := 0 || i := 0",
        "i := 1;
        WHILE i <= 700 DO
            a(i) := 1;
            b(1) := 7; IF a = b THEN same := same + 1000 END;
            b(1) := 1; IF a = b THEN same := same + 1 END;
            c := a; IF c = a & c <+ {1 |-> 5} /= c THEN same := same + 1 END;
            i := i + 1
        INVARIANT i : 1..701 & (i = 701 => a = b) VARIANT 701 - i END",
        "same = 701 & a = b & c = (1..700) * {1}",
    );
}

#[test]
fn what_branches_after_a_loop_has_its_values() {
    once(
        "a, b, i",
        "a := (1..600) * {0} || b := {} || i := 0",
        "i := 1;
        WHILE i <= 600 DO a(i) := i; i := i + 1 INVARIANT i : 1..601 VARIANT 601 - i END;
        CHOICE b := a OR b := a <+ {1 |-> 2} END;
        ANY k WHERE k : 1..2 THEN a(600) := k END",
        "a(599) = 599 & b(600) = 600 & a(600) : 1..2 & b(1) : 1..2",
    );
}
