//! What becomes of output that cannot be written, of standard input and output as files, of files that
//! a machine may not include, and of mistyped commands.

use serde_json::Value;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const STUCK: &str = "MACHINE Stuck SETS S VARIABLES x, s INVARIANT x : -4..2 & s <: S
INITIALISATION x := 0 || s := {}
OPERATIONS up(e) = PRE x < 2 & e : S THEN x := x + 1 END END";

fn desk(files: &[(&str, &str)]) -> TempDir {
    let desk = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = desk.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    desk
}

fn command(desk: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command.args(words).current_dir(desk).stdin(Stdio::null());
    command
}

fn run(desk: &Path, words: &[&str]) -> (i32, String, String) {
    told(command(desk, words).output().unwrap())
}

fn told(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// Runs with a text on standard input.
fn fed(desk: &Path, words: &[&str], text: &str) -> (i32, String, String) {
    let mut command = command(desk, words);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    told(child.wait_with_output().unwrap())
}

/// Every command that reports something, with the status that it ends with.
const REPORTING: [(&[&str], i32); 18] = [
    (&["check", "Stuck.mch"], 1),
    (&["check", "Stuck.mch", "--quiet"], 1),
    (&["check", "Stuck.mch", "--format", "json"], 1),
    (&["check", "Stuck.mch", "--trace", "-"], 1),
    (&["check", "Stuck.mch", "--format", "json", "--card", "T=1"], 2),
    (&["Stuck.mch"], 1),
    (&["codes"], 0),
    (&["compare", "Stuck.mch"], 1),
    (&["compare", "Stuck.mch", "--format", "csv"], 1),
    (&["compare", "Stuck.mch", "--format", "json"], 1),
    (&["canon", "Stuck.mch", "--steps", "1"], 0),
    (&["replay", "Stuck.mch", "trace.json"], 0),
    (&["eval", "Stuck.mch", "1 + 1"], 0),
    (&["eval", "Stuck.mch", "1 + 1", "--format", "json"], 0),
    (&["analyse", "Stuck.mch"], 0),
    (&["solve", "--predicate", "nn = 1 + 1"], 0),
    (&["tables", "--list"], 0),
    (&["--help"], 0),
];

#[test]
fn a_report_that_cannot_be_written_is_told() {
    let desk = desk(&[("Stuck.mch", STUCK)]);
    let desk = desk.path();
    assert_eq!(run(desk, &["check", "Stuck.mch", "--trace", "trace.json"]).0, 1);
    for (words, status) in REPORTING {
        assert_eq!(run(desk, words).0, status, "{words:?}");
        let full = File::options().write(true).open("/dev/full").unwrap();
        let (status, _, err) = told(command(desk, words).stdout(full).output().unwrap());
        assert_eq!(status, 2, "{words:?}: {err}");
        let message = "burnside: standard output cannot be written: ";
        assert!(err.lines().any(|l| l.starts_with(message)), "{words:?}: {err}");
    }
}

#[test]
fn a_reader_that_goes_away_is_not_told() {
    let desk = desk(&[("Stuck.mch", STUCK)]);
    let desk = desk.path();
    run(desk, &["check", "Stuck.mch", "--trace", "trace.json"]);
    for (words, status) in REPORTING {
        let mut command = command(desk, words);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let (found, _, err) = told(child.wait_with_output().unwrap());
        assert_eq!(found, status, "{words:?}: {err}");
        assert!(!err.contains("cannot be written") && !err.contains("panic"), "{words:?}: {err}");
    }
}

#[test]
fn a_trace_is_written_where_the_report_cannot_be_and_the_other_way_round() {
    let desk = desk(&[("Stuck.mch", STUCK)]);
    let desk = desk.path();
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let words = ["check", "Stuck.mch", "--trace", "trace.json"];
    assert_eq!(told(command(desk, &words).stdout(full()).output().unwrap()).0, 2);
    assert_eq!(run(desk, &["replay", "Stuck.mch", "trace.json", "--quiet"]).0, 0);
    let (status, out, err) = run(desk, &["check", "Stuck.mch", "--trace", "/dev/full"]);
    assert_eq!(status, 2, "{err}");
    assert!(out.starts_with("deadlock") && err.starts_with("burnside: /dev/full: "), "{out}{err}");
}

#[test]
fn a_machine_and_a_trace_through_pipes() {
    let desk = desk(&[("Stuck.mch", STUCK), ("lib/N.mch", "MACHINE N END")]);
    let desk = desk.path();
    let (status, out, _) = fed(desk, &["check", "-"], STUCK);
    assert!(status == 1 && out.starts_with("deadlock"), "{out}");
    for words in [&["canon", "-", "--steps", "1"][..], &["compare", "-"], &["-"]] {
        let (status, out, err) = fed(desk, words, STUCK);
        assert!(status < 2 && !out.is_empty(), "{words:?}: {err}");
    }
    // It includes what lies in the working directory.
    let seeing = STUCK.replace("SETS", "SEES N SETS");
    let (status, _, err) = fed(desk, &["check", "-"], &seeing);
    assert!(status == 2 && err.starts_with("<stdin>:1:20: error[file-not-found]"), "{err}");
    std::fs::copy(desk.join("lib/N.mch"), desk.join("N.mch")).unwrap();
    assert_eq!(fed(desk, &["check", "-"], &seeing).0, 1);
    let (status, out, _) = fed(desk, &["check", "-", "--format", "json"], "MACHINE");
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((status, &report["model"]), (2, &"<stdin>".into()), "{out}");
    assert_eq!(report["diagnostics"][0]["file"], "<stdin>");
    assert!(fed(desk, &["check", "-"], "").2.contains("<stdin>: the file is empty"));

    // The trace alone is on standard output; the report is beside it.
    let (status, trace, err) = run(desk, &["check", "Stuck.mch", "--trace", "-"]);
    assert!(status == 1 && err.starts_with("deadlock"), "{err}");
    let parsed: Value = serde_json::from_str(&trace).unwrap();
    assert_eq!(parsed["kind"], "burnside-trace");
    assert_eq!(fed(desk, &["replay", "Stuck.mch", "-"], &trace).0, 0);
    let (status, _, err) = fed(desk, &["replay", "Stuck.mch", "-"], "{}");
    assert!(status == 2 && err.starts_with("burnside: <stdin>: not a trace file"), "{err}");
    let (status, _, err) = run(desk, &["replay", "-", "-"]);
    assert!(status == 2 && err.contains("both"), "{err}");
    let none = ["check", "Stuck.mch", "--no-deadlock", "--trace", "-"];
    let (status, out, err) = run(desk, &none);
    assert!(status == 0 && out.is_empty() && err.contains("no trace is written"), "{err}");
}

#[test]
fn files_come_from_the_folder_of_the_machine_or_one_that_is_opened() {
    let user = |clause: &str| {
        format!("MACHINE U {clause} VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 0 END")
    };
    let desk = desk(&[
        ("own/A.mch", &user("DEFINITIONS \"../lib/d.def\"")),
        ("own/B.mch", &user("SEES N /*@file \"../lib/N.mch\" */")),
        ("own/C.mch", &user("SEES N")),
        ("own/E.mch", &user("DEFINITIONS \"below/e.def\"")),
        ("own/below/e.def", "DEFINITIONS \"../../lib/d.def\""),
        ("lib/d.def", "secret of the sibling"),
        ("lib/N.mch", "MACHINE N"),
    ]);
    let desk = desk.path();
    let stolen = std::fs::canonicalize("/etc/passwd").unwrap();
    std::fs::write(desk.join("own/P.mch"), user("DEFINITIONS \"/etc/passwd\"")).unwrap();
    std::fs::write(desk.join("own/L.mch"), user("DEFINITIONS \"link.def\"")).unwrap();
    std::os::unix::fs::symlink(stolen, desk.join("own/link.def")).unwrap();
    for (name, folder) in [("A", "lib"), ("B", "lib"), ("E", "lib"), ("P", "/etc"), ("L", "/etc")] {
        let file = format!("own/{name}.mch");
        for words in [&["check"][..], &["canon"], &["compare"], &[]] {
            let (status, out, err) = run(desk, &[words, &[&file]].concat());
            assert_eq!(status, 2, "{name}: {out}{err}");
            assert!(err.contains("error[include-outside]: "), "{name}: {err}");
            let hint = format!("= --include-path {folder} allows it");
            assert!(err.contains(&hint), "{name}: {hint}: {err}");
            assert!(!err.contains("secret") && !err.contains("root:"), "{name}: {err}");
        }
        // What the hint says is what helps: then the file itself is read.
        let (_, _, err) = run(desk, &["check", &file, "--include-path", folder]);
        assert!(!err.contains("include-outside") && err.contains("error["), "{name}: {err}");
    }
    // A folder that is opened is also one where files are looked for.
    assert!(run(desk, &["check", "own/C.mch"]).2.contains("file-not-found"));
    std::fs::write(desk.join("lib/N.mch"), "MACHINE N END").unwrap();
    assert_eq!(run(desk, &["check", "own/C.mch", "--include-path", "lib", "--no-deadlock"]).0, 0);
    let (status, _, err) = run(desk, &["check", "own/C.mch", "--include-path", "nowhere"]);
    assert!(status == 2 && err.contains("--include-path: nowhere is not there"), "{err}");
}

/// A file that ends when its test fails, not when a pipe does.
fn soon(desk: &Path, words: &[&str]) -> (i32, String, String) {
    let mut all = vec!["20", env!("CARGO_BIN_EXE_burnside")];
    all.extend(words);
    let mut command = Command::new("timeout");
    told(command.args(all).current_dir(desk).stdin(Stdio::null()).output().unwrap())
}

#[test]
fn what_is_no_file_is_told_and_not_waited_for() {
    let desk = desk(&[
        ("D.mch", "MACHINE D DEFINITIONS \"pipe.def\" END"),
        ("E.mch", "MACHINE E DEFINITIONS \"folder.def\" END"),
        ("F.mch", "MACHINE F SEES N END"),
        ("folder.def/x", ""),
        ("Stuck.mch", STUCK),
    ]);
    let desk = desk.path();
    for pipe in ["pipe.def", "N.mch", "pipe.mch", "trace.json"] {
        assert!(Command::new("mkfifo").arg(desk.join(pipe)).status().unwrap().success());
    }
    for (words, message) in [
        (&["check", "D.mch"][..], "pipe.def: this is not a regular file"),
        (&["check", "E.mch"], "folder.def: this is a directory"),
        (&["check", "F.mch"], "N.mch: this is not a regular file"),
        (&["check", "pipe.mch"], "pipe.mch: this is not a regular file"),
        (&["check", "/dev/zero"], "/dev/zero: this is not a regular file"),
        (&["check", "folder.def"], "folder.def: this folder has no machine"),
        (&["replay", "Stuck.mch", "trace.json"], "trace.json: this is not a regular file"),
        (&["replay", "Stuck.mch", "/dev/zero"], "/dev/zero: this is not a regular file"),
    ] {
        let (status, _, err) = soon(desk, words);
        assert!(status == 2 && err.contains(message), "{words:?}: {status} {err}");
    }
}

#[test]
fn formulas_and_numbers_may_begin_with_a_minus() {
    let desk = desk(&[("Stuck.mch", STUCK)]);
    let desk = desk.path();
    for goal in ["-7/2 = x", "-1 = x - 2", "-x = -1"] {
        let (status, _, err) = run(desk, &["check", "Stuck.mch", "--goal", goal, "--no-deadlock"]);
        assert!(status < 2, "{goal}: {err}");
    }
    let with = |option: &str, value: &str| run(desk, &["check", "Stuck.mch", option, value]);
    assert_eq!(with("--minint", "-8").0, 1);
    for (option, value, message) in [
        ("--maxint", "-x", "invalid value '-x' for '--maxint"),
        ("--card", "-1", "invalid value '-1' for '--card"),
        ("--timeout", "-1", "invalid value '-1' for '--timeout"),
        ("--max-states", "-1", "invalid value '-1' for '--max-states"),
        ("--memory", "-1", "invalid value '-1' for '--memory"),
        ("--seed", "-1", "invalid value '-1' for '--seed"),
        ("--flood-limit", "-1", "invalid value '-1' for '--flood-limit"),
        ("--constant", "-c=1", "`-c` is not the name of a constant"),
    ] {
        let (status, _, err) = with(option, value);
        assert!(status == 2 && err.contains(message), "{option}: {err}");
    }
}

/// A goal without a value is no goal that is never reached.
#[test]
fn an_undefined_goal_is_told() {
    let desk = desk(&[("Stuck.mch", STUCK)]);
    let words = ["check", "Stuck.mch", "--no-deadlock", "--goal", "1 / (x - x) = 5"];
    let (status, out, err) = run(desk.path(), &words);
    assert!(status == 1 && out.starts_with("state error"), "{out}{err}");
    assert!([out, err].concat().contains("division by zero in the goal"));
}

/// An option does not take the next one for its value.
#[test]
fn a_missing_value_is_told_as_such() {
    let desk = desk(&[("Stuck.mch", STUCK)]);
    let desk = desk.path();
    for words in [
        &["check", "Stuck.mch", "--goal", "--quiet"][..],
        &["check", "Stuck.mch", "--quiet", "--goal", "--"],
        &["check", "--goal", "--no-such-option", "Stuck.mch"],
        &["check", "--seed", "--quiet", "Stuck.mch"],
        &["check", "Stuck.mch", "--timeout", "--quiet"],
        &["check", "Stuck.mch", "--memory", "--format=json"],
        &["check", "Stuck.mch", "--maxint", "--quiet", "--minint", "-1"],
        &["check", "Stuck.mch", "--constant", "--quiet"],
        &["check", "Stuck.mch", "--card", "--quiet"],
        &["compare", "Stuck.mch", "--card", "--no-deadlock"],
        &["canon", "Stuck.mch", "--steps", "--explain"],
        &["Stuck.mch", "--max-states", "--quiet"],
    ] {
        let option =
            words.windows(2).find(|w| w[0].starts_with("--") && w[0] != "--quiet").unwrap();
        let (status, out, err) = run(desk, words);
        assert_eq!((status, &*out), (2, ""), "{words:?}: {err}");
        let expected = format!("the value of {} is missing: `{}`", option[0], option[1]);
        assert!(err.contains(&expected), "{words:?}: {err}");
    }
    // What is a value all the same, and what comes behind `--`.
    let (status, _, err) = run(desk, &["check", "Stuck.mch", "--goal=--quiet"]);
    assert!(status == 2 && err.contains("--goal:1:2: error[syntax]"), "{err}");
    let (status, _, err) = run(desk, &["check", "--quiet", "--", "--goal", "--quiet"]);
    assert!(status == 2 && !err.contains("is missing"), "{err}");
    let (status, _, err) = run(desk, &["check", "Stuck.mch", "--minint", "-5", "--goal", "-x = 1"]);
    assert!(status < 2, "{err}");
}

#[test]
fn a_mistyped_command_is_told() {
    let desk = desk(&[("Stuck.mch", STUCK), ("chek", STUCK)]);
    let desk = desk.path();
    for (words, message) in [
        (&["chekc", "Stuck.mch"][..], "there is no command `chekc`; did you mean `check`?"),
        (&["chekc", "--card", "S=1", "Stuck.mch"], "did you mean `check`?"),
        (&["cannon", "Stuck.mch", "--steps", "1"], "did you mean `canon`?"),
        (&["tabels"], "did you mean `tables`?"),
        (
            &["verify", "Stuck.mch"],
            "`verify` is neither a command nor a file; the commands are check,",
        ),
        (&["nothing"], "there is no such file"),
        (&["Stuck.mch", "check"], "the command `check` stands before the machine"),
    ] {
        let (status, out, err) = run(desk, words);
        assert!(status == 2 && out.is_empty() && err.contains(message), "{words:?}: {err}");
    }
    // A file of that name is a file.
    assert_eq!(run(desk, &["chek"]).0, 1);
}

#[test]
fn the_table_without_sizes_is_in_line() {
    let named = STUCK
        .replace("SETS S", "SETS Long")
        .replace("<: S", "<: Long")
        .replace(": S T", ": Long T");
    let desk = desk(&[("L.mch", &named.replace("Long", "ASetWithALongName"))]);
    let (_, out, err) = run(desk.path(), &["compare", "L.mch", "--no-deadlock"]);
    let bars = |line: &str| -> Vec<usize> {
        line.chars().enumerate().filter(|(_, c)| "|+".contains(*c)).map(|(i, _)| i).collect()
    };
    let lines: Vec<Vec<usize>> = out.lines().skip(1).take(4).map(bars).collect();
    assert!(lines.len() == 4 && lines[0].len() == 2, "{out}{err}");
    assert!(lines.iter().all(|l| *l == lines[0]), "{out}");
}

#[test]
fn the_status_says_which_signal_ended_a_command() {
    let endless = "MACHINE Endless VARIABLES x INVARIANT x : NATURAL INITIALISATION x := 0
OPERATIONS up = BEGIN x := x + 1 END END";
    let desk = desk(&[("Endless.mch", endless)]);
    for (signal, status) in [("-INT", 130), ("-TERM", 143)] {
        for words in [&["check", "Endless.mch", "--memory", "8G"][..], &["compare", "Endless.mch"]]
        {
            let mut command = command(desk.path(), words);
            let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            std::thread::sleep(std::time::Duration::from_millis(700));
            let id = child.id().to_string();
            assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
            let (found, out, err) = told(child.wait_with_output().unwrap());
            assert_eq!(found, status, "{signal} {words:?}: {out}{err}");
            // What was found until then is told.
            assert!(out.contains("incomplete"), "{out}");
        }
    }
}

/// What was answered before the signal is told; without any answer, that there is none.
#[test]
fn eval_tells_what_it_has_when_it_is_ended() {
    let desk =
        desk(&[("M.mch", "MACHINE M VARIABLES x INVARIANT x = 0 INITIALISATION x := 0 END")]);
    let long = "SIGMA(a,b).(a:1..100000&b:1..100000|(a*b)mod(7))";
    for (formulas, wanted) in [
        (&["1+1", long][..], "1+1\n  2  : INTEGER\n"),
        (&[long], "the formulas were not all evaluated"),
    ] {
        let mut command = command(desk.path(), &[&["eval", "M.mch"], formulas].concat());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(700));
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        let (status, out, err) = told(child.wait_with_output().unwrap());
        assert_eq!(status, 143, "{out}{err}");
        assert!(out.starts_with(wanted) || out.contains(wanted), "{out}{err}");
    }
}

/// One set-up will do for a formula, however many there are.
#[test]
fn eval_looks_for_no_more_set_ups_than_it_takes() {
    let queens = "MACHINE Q CONSTANTS n, q PROPERTIES n : 1..1000000 & q : 1..20 --> BOOL
VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 0 END";
    let desk = desk(&[("Q.mch", queens)]);
    for steps in [&[][..], &["--steps", "3,1"]] {
        let all = [&["eval", "Q.mch", "n > 0", "--timeout", "20"], steps].concat();
        let (status, out, err) = run(desk.path(), &all);
        assert_eq!((status, out.as_str()), (0, "TRUE\n"), "{err}");
    }
}

#[test]
fn words_that_fit_nothing_are_told_with_what_would() {
    let desk = desk(&[("A.mch", STUCK), ("B.mch", STUCK)]);
    for (words, wanted) in [
        (&["A.mch", "B.mch"][..], "the workbench opens one machine"),
        (&["A.mch", "check"], "the command `check` stands before the machine"),
        (&["help", "chekc"], "there is no command `chekc`; did you mean `check`?"),
        (&["chekc", "A.mch"], "there is no command `chekc`; did you mean `check`?"),
        (&["watch", "-"], "standard input is none: `check -` reads it once"),
    ] {
        let (status, out, err) = run(desk.path(), words);
        assert_eq!(status, 2, "{words:?}: {out}{err}");
        assert!(err.contains(wanted), "{words:?}: {err}");
    }
}

/// Those that lead to states for which there is no room were taken, too.
#[test]
fn transitions_are_counted_where_the_limit_on_states_ends_a_search() {
    let many = "MACHINE Many VARIABLES x INVARIANT x : 0..9000 INITIALISATION x := 0
OPERATIONS to(n) = PRE n : 1..5000 THEN x := n END END";
    let desk = desk(&[("Many.mch", many)]);
    for threads in ["1", "2"] {
        let words = ["check", "Many.mch", "--max-states", "1000", "--format", "json"];
        let (_, out, _) = run(desk.path(), &[&words[..], &["--threads", threads]].concat());
        let report: Value = serde_json::from_str(&out).unwrap();
        let counts = ["states", "transitions"].map(|name| report[name].as_u64());
        assert_eq!(counts, [Some(1000), Some(5001)], "{out}");
        assert_eq!(report["operations"][0]["taken"], 5000);
    }
}

#[test]
fn traces_replace_whole_files() {
    let desk = desk(&[("Stuck.mch", STUCK), ("t.json", "{}")]);
    let path: PathBuf = desk.path().join("t.json");
    assert_eq!(run(desk.path(), &["check", "Stuck.mch", "--trace", "t.json"]).0, 1);
    let text = std::fs::read_to_string(path).unwrap();
    assert!(serde_json::from_str::<Value>(&text).is_ok());
    assert_eq!(std::fs::read_dir(desk.path()).unwrap().count(), 2, "no temporary file stays");
    let (status, _, err) = run(desk.path(), &["check", "Stuck.mch", "--trace", "no/t.json"]);
    assert!(status == 2 && err.contains("there is no such directory"), "{err}");
}

#[test]
fn properties_without_a_solution_are_told_apart() {
    let part = "MACHINE A(mx) CONSTRAINTS mx : NAT & mx < MAXINT VARIABLES v INVARIANT v : 0..mx
      INITIALISATION v := 0 END";
    let whole = "MACHINE C INCLUDES A(10) CONSTANTS code, n
      PROPERTIES code : BOOL >->> {0, 1} & n : 1..9 & n /= 5 END";
    let alone = "MACHINE D CONSTANTS a, b, c PROPERTIES a : 1..2 & b : 1..2 & c : 5..7 & c < 5 END";
    let desk = desk(&[("A.mch", part), ("C.mch", whole), ("D.mch", alone)]);
    let (status, told, _) = run(desk.path(), &["check", "D.mch"]);
    assert_eq!(status, 1, "{told}");
    for line in ["D.mch:1:", "these contradict one another:", "    c : 5..7\n", "    c < 5\n"] {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert!(!told.contains("    a : 1..2\n"), "{told}");
    let (_, told, _) = run(desk.path(), &["check", "D.mch", "--format", "json"]);
    let report: Value = serde_json::from_str(&told).unwrap();
    let wanted = serde_json::json!({
        "conjuncts": ["c : 5..7", "c < 5"], "smallest": true, "irreducible": true,
    });
    assert_eq!(report["contradiction"], wanted);
    // In the file where it stands: MAXINT is 3.
    let (status, told, _) = run(desk.path(), &["check", "C.mch"]);
    assert_eq!(status, 1, "{told}");
    assert!(told.contains("A.mch:1:") && told.contains("mx : NAT"), "{told}");
    assert!(!told.contains("code"), "{told}");
    let (status, told, _) = run(desk.path(), &["check", "C.mch", "--maxint", "20"]);
    assert_eq!(status, 1, "a deadlock: {told}");
    assert!(told.starts_with("deadlock"), "{told}");
}
