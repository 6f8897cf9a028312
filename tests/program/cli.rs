//! The command line from outside: the contract that scripts depend on.

use crate::said::{json, status, stderr, stdout};
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A directory with machines of our own.
struct Desk(TempDir);

/// Two lamps and a switch that breaks the rule that they are never both lit.
const LAMPS: &str = "MACHINE Lamps SETS LAMP
DEFINITIONS GOAL == card(lit) = 1
VARIABLES lit, n INVARIANT lit <: LAMP & card(lit) <= 1 & n : 0..3
INITIALISATION lit := {} || n := 0
OPERATIONS
  on(x) = PRE x : LAMP & x /: lit THEN lit := lit \\/ {x} END;
  off(x) = PRE x : lit THEN lit := lit - {x} END;
  k <-- count = BEGIN k := card(lit) END
END";

/// Nothing wrong, whatever the size.
const SAFE: &str = "MACHINE Safe SETS S VARIABLES x INVARIANT x <: S INITIALISATION x := {}
OPERATIONS add(e) = PRE e : S THEN x := x \\/ {e} END; del(e) = PRE e : x THEN x := x - {e} END END";

const ENDLESS: &str = "MACHINE Endless VARIABLES x INVARIANT x : NATURAL INITIALISATION x := 0
OPERATIONS up = BEGIN x := x + 1 END END";

const STUCK: &str = "MACHINE Stuck VARIABLES x INVARIANT x : 0..2 INITIALISATION x := 0
OPERATIONS up = PRE x < 2 THEN x := x + 1 END END";

const FAULTY: &str = "MACHINE Faulty VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 2
OPERATIONS down = BEGIN x := 6 / (x - 1) - 5 END END";

const ASSERTING: &str = "MACHINE Asserting VARIABLES x INVARIANT x : 0..5 ASSERTIONS x < 2
INITIALISATION x := 0 OPERATIONS up = PRE x < 5 THEN x := x + 1 END END";

const NO_SETUP: &str = "MACHINE NoSetup CONSTANTS c PROPERTIES c : 1..3 & c > 5
VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 0 OPERATIONS skp = skip END";

const BROKEN: &str = "MACHINE Broken VARIABLES x INVARIANT x : INITIALISATION x := 0 END";

/// The fields of a check, in their order.
const FIELDS: [&str; 23] = [
    "format",
    "model",
    "verdict",
    "complete",
    "approximate",
    "bounds",
    "symmetry",
    "sets",
    "nodes",
    "states",
    "transitions",
    "operations",
    "full_states",
    "full_transitions",
    "violating_states",
    "deadlocked_states",
    "state_errors",
    "goal_states",
    "depth",
    "seconds",
    "peak_memory_bytes",
    "trace",
    "diagnostics",
];

/// Fields that came later: scripts that know the others go on working.
const ADDED: [&str; 17] = [
    "notes",
    "por",
    "por_reduced",
    "por_mean_set",
    "por_tried",
    "por_given_up",
    "por_analysis_seconds",
    "expanded",
    "successors",
    "full_deadlocked_states",
    "full_goal_states",
    "assertion_violations",
    "undefined_checks",
    "broken_claims",
    "missed_orbits",
    "method_statistics",
    "threads",
];

/// The fields of a diagnostic; those from `code` on came later.
const DIAGNOSTIC: [&str; 10] = [
    "severity",
    "message",
    "file",
    "line",
    "column",
    "code",
    "end_line",
    "end_column",
    "hint",
    "related",
];

impl Desk {
    fn new() -> Desk {
        Desk(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, text: &str) -> PathBuf {
        let name = text.split_whitespace().nth(1).unwrap();
        let path = self.path(&format!("{name}.mch"));
        std::fs::write(&path, text).unwrap();
        path
    }
}

fn command(arguments: &[&str], files: &[&Path]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    let (first, rest) = arguments.split_at(arguments.len().min(1));
    command.args(first).args(files).args(rest).stdin(Stdio::null());
    command
}

/// Runs a command: the first argument, the files, the other arguments.
fn burnside(arguments: &[&str], files: &[&Path]) -> Output {
    command(arguments, files).output().unwrap()
}

fn check(text: &str, options: &[&str]) -> (i32, Value) {
    let desk = Desk::new();
    let machine = desk.put(text);
    let all = [&["check", "--format", "json"], options].concat();
    let output = burnside(&all, &[&machine]);
    (status(&output), json(&output))
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn json_has_exactly_the_fields_of_format_1() {
    let (status, report) = check(SAFE, &["--card", "S=3"]);
    assert_eq!(status, 0);
    let (added, first): (Vec<_>, Vec<_>) =
        keys(&report).into_iter().partition(|k| ADDED.contains(k));
    assert_eq!(first, FIELDS);
    assert_eq!(added, ADDED);
    assert_eq!(report["format"], 1);
    assert_eq!(report["model"], "Safe");
    assert_eq!(report["verdict"], "ok");
    assert_eq!(report["complete"], true);
    assert_eq!(report["approximate"], false);
    assert_eq!(report["bounds"], serde_json::json!([]));
    assert_eq!(report["symmetry"], "canon");
    let set = &report["sets"][0];
    assert_eq!(keys(set), ["name", "size", "source", "fixed", "symmetric"]);
    let expected = serde_json::json!({"name": "S", "size": 3, "source": "option", "fixed": [], "symmetric": true});
    assert_eq!(*set, expected);
    // Subsets of three elements by their cardinality: 0, 1, 2, 3; and the root.
    assert_eq!(report["states"], 4);
    assert_eq!(report["nodes"], 5);
    // add: 3 each; del: as many as elements; and the initialisation.
    assert_eq!(report["transitions"], 1 + 4 * 3 + 1 + 2 + 3);
    // What is left is the initialisation.
    let operations = serde_json::json!([{"name": "add", "taken": 12, "first": 3},
        {"name": "del", "taken": 6, "first": 0}]);
    assert_eq!(report["operations"], operations);
    assert_eq!(report["full_states"], "8");
    assert_eq!(report["full_transitions"], (1 + 8 * 3 + 12).to_string());
    for zero in ["violating_states", "deadlocked_states", "state_errors"] {
        assert_eq!(report[zero], 0, "{zero}");
    }
    assert_eq!(report["full_deadlocked_states"], "0");
    for unasked in ["goal_states", "full_goal_states"] {
        assert_eq!(report[unasked], Value::Null, "{unasked}");
    }
    assert_eq!(report["depth"], 3);
    assert!(report["seconds"].is_f64());
    assert!(report["peak_memory_bytes"].is_u64());
    assert_eq!(report["trace"], Value::Null);
    assert_eq!(report["diagnostics"], serde_json::json!([]));
}

#[test]
fn the_reduction_is_checked_by_the_whole_space() {
    let off = check(SAFE, &["--card", "S=4", "--symmetry", "off"]).1;
    let canon = check(SAFE, &["--card", "S=4", "--symmetry", "nauty"]).1;
    assert_eq!(canon["symmetry"], "canon");
    assert_eq!(off["states"].to_string(), canon["full_states"].as_str().unwrap());
    assert_eq!(off["transitions"].to_string(), canon["full_transitions"].as_str().unwrap());
    assert!(canon["states"].as_u64() < off["states"].as_u64());
}

#[test]
fn a_reduced_search_says_what_it_left_out() {
    let counters = "MACHINE Counters VARIABLES x, y INVARIANT x : INTEGER & y : INTEGER \
        INITIALISATION x := 0 || y := 0 OPERATIONS \
        up_x = SELECT x < 3 THEN x := x + 1 END; up_y = SELECT y < 3 THEN y := y + 1 END END";
    let (status, full) = check(counters, &["--keep-going"]);
    assert_eq!((status, &full["verdict"], &full["por"]), (1, &"deadlock".into(), &"off".into()));
    assert_eq!((&full["states"], &full["full_states"]), (&16.into(), &"16".into()));
    let (status, report) = check(counters, &["--por", "stubborn", "--keep-going"]);
    assert_eq!((status, &report["verdict"]), (1, &"deadlock".into()));
    assert_eq!((&report["por"], &report["states"]), (&"stubborn".into(), &7.into()));
    // In three states of seven both can count, and one does.
    assert_eq!(report["por_reduced"], 3.0 / 7.0);
    assert_eq!(report["por_mean_set"], 1.0);
    assert!(report["por_analysis_seconds"].is_f64());
    assert_eq!(report["full_states"], Value::Null);
    let desk = Desk::new();
    let machine = desk.put(counters);
    let refused = burnside(&["check", "--por", "ample", "--strategy", "random"], &[&machine]);
    assert_eq!(self::status(&refused), 2);
    assert!(stderr(&refused).contains("--strategy random"), "{refused:?}");
}

#[test]
fn an_analysis_says_that_there_is_no_set_up() {
    let machine = "MACHINE M CONSTANTS n PROPERTIES n : INTEGER & n > 3 & n < 2 VARIABLES x \
        INVARIANT x : INTEGER INITIALISATION x := 0 OPERATIONS a = SELECT x < n THEN x := x + 1 END END";
    let desk = Desk::new();
    let machine = desk.put(machine);
    let output = burnside(&["analyse"], &[&machine]);
    assert_eq!(self::status(&output), 1);
    assert!(stdout(&output).contains("The PROPERTIES have no solution"), "{}", stdout(&output));
}

#[test]
fn an_analysis_has_its_reasons() {
    let machine = "MACHINE M SETS S DEFINITIONS scope_S == 2 VARIABLES on, n INVARIANT on <: S & n : INTEGER & n < 2 \
        INITIALISATION on := {} || n := 0 OPERATIONS \
        start(s) = PRE s : S & s /: on THEN on := on \\/ {s} END; \
        stop(s) = PRE s : S & s : on THEN on := on - {s} END; \
        count = SELECT n < 3 THEN n := n + 1 END END";
    let desk = Desk::new();
    let machine = desk.put(machine);
    let output = burnside(&["analyse", "--format", "json"], &[&machine]);
    assert_eq!(self::status(&output), 0);
    let report = json(&output);
    assert_eq!(
        keys(&report),
        ["format", "model", "set_up", "questions", "operations", "dependent", "enables"]
    );
    // start(s) and stop(s) are never enabled together, and count has to do with neither.
    assert_eq!(report["dependent"], serde_json::json!([]));
    let enables: Vec<&Value> = report["enables"].as_array().unwrap().iter().collect();
    assert_eq!(enables.len(), 2);
    assert_eq!((&enables[0]["from"], &enables[0]["to"]), (&"start".into(), &"stop".into()));
    assert_eq!(enables[0]["some_instances"], true);
    assert_eq!(
        enables[0]["reasons"][0],
        "start can make true: s : on (it goes in), where s of start = s of stop"
    );
    // Where places tell too little the solver finds a state.
    assert_eq!(enables[0]["example"], "with start(S1) and stop(S1), where on = {}");
    let questions: Vec<u64> = serde_json::from_value(report["questions"].clone()).unwrap();
    assert!(questions[0] >= questions[1] + questions[2] && questions[1] > 0, "{questions:?}");
    let plain = ["analyse", "--format", "json", "--por-analysis", "syntactic"];
    assert_eq!(json(&burnside(&plain, &[&machine]))["questions"], Value::Null);
    let visible = &report["operations"][2]["visible"];
    assert_eq!(*visible, "it writes n, of which the invariant asks n < 2 (1 becomes 2)");
    assert_eq!(report["operations"][0]["writes"], serde_json::json!(["on(s)"]));
    let dot = stdout(&burnside(&["analyse", "--format", "dot"], &[&machine]));
    assert!(
        dot.contains("\"start\" -> \"stop\";") && dot.contains("\"count\" [shape=box];"),
        "{dot}"
    );
}

#[test]
fn both_names_of_a_mode_are_told() {
    let desk = Desk::new();
    let output = burnside(&["check", "--symmetry", "foo"], &[&desk.put(SAFE)]);
    assert!(stderr(&output).contains("off, flood, canon, nauty, marker, hash,"), "{output:?}");
}

#[test]
fn a_set_has_one_size() {
    let desk = Desk::new();
    let output = burnside(&["check", "--card", "S=2", "--card", "S=3"], &[&desk.put(SAFE)]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("--card S=2 and --card S=3: S has one size"), "{output:?}");
}

/// Preferences that are read while the machine is typed, set from outside: before those of the machine.
#[test]
fn a_preference_from_outside_comes_before_the_machines() {
    let twice = "MACHINE M VARIABLES x INVARIANT x : 0..2 INITIALISATION x := 0
        OPERATIONS o = BEGIN x := 1 || x := 1 END END";
    let desk = Desk::new();
    let file = desk.put(twice);
    let with = |file: &Path, value: &str| {
        burnside(&["check", "--pref", &format!("ALLOW_SIMULTANEOUS_ASSIGNMENTS={value}")], &[file])
    };
    assert_eq!(status(&burnside(&["check"], &[&file])), 2);
    assert_eq!(status(&with(&file, "TRUE")), 0);
    let wrong = with(&file, "yes");
    assert_eq!(status(&wrong), 2);
    let told = "ALLOW_SIMULTANEOUS_ASSIGNMENTS is TRUE or FALSE, not `yes`";
    assert!(stderr(&with(&desk.put(SAFE), "yes")).contains(told));
    let own = "MACHINE M DEFINITIONS SET_PREF_ALLOW_SIMULTANEOUS_ASSIGNMENTS == TRUE";
    let file = desk.put(&twice.replace("MACHINE M", own));
    assert_eq!(status(&burnside(&["check"], &[&file])), 0);
    assert_eq!(status(&with(&file, "FALSE")), 2);
    // A constant whose member for 0 is undefined, and that is never asked for it.
    let shares = "MACHINE M CONSTANTS f PROPERTIES f = %x.(x : 0..3 | 6 / x)
        VARIABLES y INVARIANT y : INTEGER INITIALISATION y := f(3) END";
    let file = desk.put(shares);
    assert_eq!(status(&burnside(&["check", "--no-deadlock"], &[&file])), 1);
    let kept = burnside(&["check", "--no-deadlock", "--pref", "SYMBOLIC=TRUE"], &[&file]);
    assert_eq!(status(&kept), 0, "{}", stdout(&kept));
}

#[test]
fn checks_that_are_off_are_null() {
    let (_, report) = check(SAFE, &["--no-invariant", "--no-deadlock"]);
    assert_eq!(report["violating_states"], Value::Null);
    assert_eq!(report["deadlocked_states"], Value::Null);
}

#[test]
fn a_default_size_is_a_bound_and_complete() {
    let (status, report) = check(SAFE, &[]);
    assert_eq!((status, &report["complete"]), (0, &Value::Bool(true)));
    assert_eq!(report["sets"][0]["source"], "default");
    assert!(report["bounds"][0].as_str().unwrap().contains("S has 2 elements"), "{report}");
}

#[test]
fn each_verdict_has_its_exit_status() {
    let verdicts = [
        (SAFE, &[][..], 0, "ok"),
        (LAMPS, &[], 1, "invariant-violation"),
        (ASSERTING, &[], 1, "assertion-violation"),
        (FAULTY, &[], 1, "state-error"),
        (STUCK, &[], 1, "deadlock"),
        (STUCK, &["--no-deadlock"], 0, "ok"),
        (STUCK, &["--goal", "x = 1"], 1, "goal-found"),
        (LAMPS, &["--goal", "GOAL"], 1, "goal-found"),
        (NO_SETUP, &[], 1, "no-setup"),
        (ENDLESS, &["--max-states", "50"], 3, "none-found"),
        (LAMPS, &["--no-invariant"], 0, "ok"),
        (STUCK, &["--goal", "1 / (x - x) = 5"], 1, "state-error"),
    ];
    for (machine, options, expected, verdict) in verdicts {
        let (status, report) = check(machine, options);
        assert_eq!(report["verdict"], verdict, "{options:?} {report}");
        assert_eq!(status, expected, "{verdict}");
    }
}

#[test]
fn a_trace_has_steps_with_what_changed() {
    let (_, report) = check(LAMPS, &["--symmetry", "off"]);
    let trace = report["trace"].as_array().unwrap();
    assert_eq!(trace.len(), 3, "{trace:?}");
    assert_eq!(keys(&trace[0]), ["operation", "arguments", "results", "changed"]);
    assert_eq!(trace[0]["operation"], "INITIALISATION");
    assert_eq!(trace[0]["changed"], serde_json::json!({"lit": "{}", "n": "0"}));
    assert_eq!(trace[2]["operation"], "on");
    assert_eq!(trace[2]["arguments"].as_array().unwrap().len(), 1);
    assert_eq!(keys(&trace[2]["changed"]), ["lit"]);
    let found = &report["diagnostics"][0];
    assert_eq!(keys(found), DIAGNOSTIC);
    assert_eq!(found["line"], 3);
    let seen = report["diagnostics"].as_array().unwrap().last().unwrap();
    assert!(seen["message"].as_str().unwrap().contains("GOAL was seen"), "{report}");
}

#[test]
fn going_on_counts_everything() {
    let (status, report) = check(LAMPS, &["--keep-going", "--card", "LAMP=3", "--symmetry", "off"]);
    assert_eq!((status, report["verdict"].as_str()), (1, Some("invariant-violation")));
    assert_eq!((&report["states"], &report["violating_states"]), (&8.into(), &4.into()));
    let options = ["--on-violation", "prune", "--card", "LAMP=3", "--symmetry", "off"];
    let (_, report) = check(LAMPS, &options);
    assert_eq!((&report["states"], &report["violating_states"]), (&7.into(), &3.into()));
}

/// What fails before there is a first state is found, too, where a search goes on after what it finds.
#[test]
fn going_on_ends_where_no_set_up_is_left() {
    let text = "MACHINE M DEFINITIONS \"LibraryIO.def\" CONSTANTS c
        PROPERTIES c = READ_FILE_AS_STRINGS(\"a.txt\") END";
    for options in [&["--keep-going"][..], &[]] {
        let (status, report) = check(text, options);
        assert_eq!((status, &report["verdict"]), (1, &"state-error".into()), "{report}");
        assert_eq!(report["states"], 0);
    }
}

#[test]
fn refused_files() {
    let desk = Desk::new();
    let empty = desk.path("empty.mch");
    std::fs::write(&empty, "").unwrap();
    let files = [desk.put(BROKEN), desk.path("none.mch"), desk.0.path().to_owned(), empty];
    for file in &files {
        let output = burnside(&["check", "--format", "json"], &[file]);
        assert_eq!(status(&output), 2, "{output:?}");
        let report = json(&output);
        assert_eq!(keys(&report), ["format", "model", "verdict", "diagnostics"]);
        assert_eq!(report["verdict"], "rejected");
        let first = &report["diagnostics"][0];
        assert_eq!(keys(first), DIAGNOSTIC);
        assert_eq!(first["severity"], "error");
        let text = burnside(&["check"], &[file]);
        assert_eq!(status(&text), 2);
        assert!(text.stdout.is_empty() && stderr(&text).contains("error["), "{text:?}");
    }
    let report = json(&burnside(&["check", "--format", "json"], &[&files[0]]));
    assert_eq!(report["model"], "Broken");
    assert_eq!(report["diagnostics"][0]["line"], 1);
    assert!(report["diagnostics"][0]["file"].as_str().unwrap().ends_with("Broken.mch"));
}

#[test]
fn refused_requests() {
    for options in
        [&["--card", "T=3"][..], &["--goal", "x = "], &["--goal", "y"], &["--goal", "GOAL"]]
    {
        let (status, report) = check(SAFE, options);
        assert_eq!((status, report["verdict"].as_str()), (2, Some("rejected")), "{options:?}");
    }
}

#[test]
fn wrong_usage_is_told_on_standard_error() {
    let desk = Desk::new();
    let machine = desk.put(SAFE);
    let wrong = [
        &["--card", "S"][..],
        &["--card", "S=0"],
        &["--card", "S=-1"],
        &["--symmetry", "magic"],
        &["--strategy", "best"],
        &["--on-violation", "go"],
        &["--static-symmetry", "maybe"],
        &["--memory", "lots"],
        &["--threads", "0"],
        &["--threads", "all"],
        &["--timeout", "soon"],
        &["--timeout", "-1"],
        &["--max-states", "0"],
        &["--pref", "MAXINT"],
        &["--maxint", "big"],
        &["--format", "xml"],
        &["--no-such-option"],
        &["--trace", "/no/such/directory/t"],
        &["--keep-going", "--on-violation", "stop"],
    ];
    for options in wrong {
        let output = burnside(&[&["check"], options].concat(), &[&machine]);
        assert_eq!(status(&output), 2, "{options:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{options:?} {output:?}");
    }
    assert_eq!(status(&burnside(&["check"], &[])), 2);
    assert_eq!(status(&burnside(&["replay"], &[&machine])), 2);
    let help = burnside(&["--help"], &[]);
    assert_eq!(status(&help), 0);
    assert!(stdout(&help).contains("compare") && help.stderr.is_empty());
    let version = stdout(&burnside(&["--version"], &[]));
    assert_eq!(version.trim(), format!("burnside {}", env!("CARGO_PKG_VERSION")));
}

#[test]
fn limits_end_an_endless_machine() {
    let (status, report) = check(ENDLESS, &["--max-states", "20"]);
    assert_eq!((status, &report["complete"]), (3, &Value::Bool(false)));
    assert_eq!(report["states"], 20);
    assert_eq!(report["full_states"], Value::Null);
    assert!(report["bounds"].as_array().unwrap().iter().any(|b| b.to_string().contains("20")));
    let started = Instant::now();
    let (status, report) = check(ENDLESS, &["--timeout", "0.3"]);
    assert_eq!((status, &report["verdict"]), (3, &"none-found".into()));
    assert!(started.elapsed() < Duration::from_secs(40));
    let (status, report) = check(ENDLESS, &["--memory", "24M", "--timeout", "60"]);
    assert_eq!(status, 3);
    assert!(report["bounds"].to_string().contains("memory"), "{report}");
}

#[test]
fn text_begins_with_the_verdict() {
    let desk = Desk::new();
    let output = burnside(&["check"], &[&desk.put(LAMPS)]);
    let text = stdout(&output);
    let first = text.lines().next().unwrap();
    assert!(first.starts_with("invariant violation after 2 operations"), "{text}");
    assert!(first.contains("LAMP has 2 elements"), "{text}");
    assert!(text.contains("^^^"), "the conjunct is quoted: {text}");
    assert!(text.contains("  1  INITIALISATION\n"), "{text}");
    assert!(output.stderr.is_empty(), "no progress where there is no terminal");
    let quiet = stdout(&burnside(&["check", "--quiet"], &[&desk.put(LAMPS)]));
    assert_eq!(quiet, format!("{first}\n"));
    let endless = stdout(&burnside(&["check", "--max-states", "9"], &[&desk.put(ENDLESS)]));
    assert!(endless.lines().next().unwrap().contains("incomplete"), "{endless}");
}

#[test]
fn without_a_terminal_the_workbench_reports() {
    let output = burnside(&[], &[]);
    assert_eq!(status(&output), 0, "{output:?}");
    assert!(stdout(&output).starts_with("ok: ") && stdout(&output).contains("phonebook"));
    let desk = Desk::new();
    let machine = desk.put(STUCK);
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    let output = command.arg(machine).args(["--format", "json"]).output().unwrap();
    assert_eq!((status(&output), &json(&output)["verdict"]), (1, &"deadlock".into()));
}

#[test]
fn a_counterexample_replays_without_reduction() {
    for (machine, options) in [
        (LAMPS, &["--card", "LAMP=4", "--maxint", "7"][..]),
        (FAULTY, &[]),
        (STUCK, &[]),
        (ASSERTING, &[]),
    ] {
        let desk = Desk::new();
        let (machine, trace) = (desk.put(machine), desk.path("trace.json"));
        let written = burnside(
            &[&["check", "--trace", trace.to_str().unwrap()], options].concat(),
            &[&machine],
        );
        assert_eq!(status(&written), 1, "{written:?}");
        let output = burnside(&["replay"], &[&machine, &trace]);
        assert_eq!(status(&output), 0, "{output:?}");
        assert!(stdout(&output).starts_with("the trace runs to its end"), "{output:?}");
        assert_eq!(std::fs::read_dir(desk.0.path()).unwrap().count(), 2, "no temporary file stays");
    }
}

/// Elements of sets that are sized here are numbered: no number makes the name of something else.
#[test]
fn names_of_elements_are_names_of_nothing_else() {
    let pinned = "MACHINE Pinned SETS S CONSTANTS S2 PROPERTIES card(S) = 3 & S2 : S
        VARIABLES q INVARIANT q <: S & q /= S INITIALISATION q := {S2}
        OPERATIONS e(x) = PRE x : S - q THEN q := q \\/ {x} END END";
    let listed = "MACHINE Listed SETS S; E = {S1, b} VARIABLES v, w INVARIANT v : E & w : S
        INITIALISATION v := S1 || w :: S
        OPERATIONS e = SELECT v = S1 THEN v := b END END";
    let within = "MACHINE Within SETS S; S1 VARIABLES v, w INVARIANT v : S & w : S1 & card(S) = 2
        INITIALISATION v :: S || w :: S1 OPERATIONS e = SELECT 1 = 2 THEN skip END END";
    let chosen = "MACHINE Chosen SETS S CONSTANTS c PROPERTIES card(S) = 3 & c : S
        VARIABLES q INVARIANT q <: S INITIALISATION q := {c}
        OPERATIONS push(x) = PRE x : S - q THEN q := q \\/ {x} END END";
    let free = "MACHINE Free SETS S FREETYPES T = S2, S3(INTEGER) PROPERTIES card(S) = 3
        VARIABLES q INVARIANT q <: S & q /= S INITIALISATION q := {}
        OPERATIONS e(x) = PRE x : S - q THEN q := q \\/ {x} END END";
    for (text, options) in [
        (pinned, &["--card", "S=3"][..]),
        (free, &[]),
        (listed, &["--card", "S=2"]),
        (listed, &["--goal", "v = b & w = S_1"]),
        (within, &["--card", "S=2"]),
        (within, &["--card", "S=11", "--goal", "w = S1_1"]),
        (chosen, &["--goal", "S2 : q"]),
        (chosen, &["--goal", "S2 : q", "--symmetry", "off"]),
        (chosen, &["--goal", "c : q & card(q) = 2"]),
    ] {
        let text = match options.contains(&"S=11") {
            true => text.replace(" & card(S) = 2", ""),
            false => text.to_owned(),
        };
        let desk = Desk::new();
        let (machine, trace) = (desk.put(&text), desk.path("trace.json"));
        let check = ["check", "--trace", trace.to_str().unwrap()];
        let written = burnside(&[&check, options].concat(), &[&machine]);
        assert_eq!(status(&written), 1, "{options:?}: {written:?}");
        let output = burnside(&["replay"], &[&machine, &trace]);
        assert_eq!(status(&output), 0, "{options:?}: {output:?}");
    }
    let desk = Desk::new();
    let told = burnside(&["eval"], &[&desk.put(pinned), Path::new("S - {S2}")]);
    assert!(stdout(&told).contains("{S_2,S3}"), "{told:?}");
}

#[test]
fn a_trace_that_does_not_fit_is_told_with_its_step() {
    let desk = Desk::new();
    let (machine, trace) = (desk.put(LAMPS), desk.path("trace.json"));
    burnside(&["check", "--trace", trace.to_str().unwrap()], &[&machine]);
    let good = std::fs::read_to_string(&trace).unwrap();
    let replay = |text: &str| {
        std::fs::write(&trace, text).unwrap();
        let output = burnside(&["replay"], &[&machine, &trace]);
        (status(&output), stdout(&output) + &stderr(&output))
    };
    let mut other: Value = serde_json::from_str(&good).unwrap();
    other["steps"][2]["operation"] = "off".into();
    let (status, text) = replay(&other.to_string());
    assert_eq!(status, 2);
    assert!(text.contains("does not fit: step 3, off("), "{text}");
    other["steps"][2]["operation"] = "on".into();
    other["steps"][2]["changed"]["lit"] = "{LAMP1}".into();
    let (status, text) = replay(&other.to_string());
    assert!(status == 2 && text.contains("step 3"), "{text}");
    other["steps"] = serde_json::json!([]);
    assert_eq!(replay(&other.to_string()).0, 0, "an empty trace runs to its end");
    other["model"] = "Other".into();
    assert!(replay(&other.to_string()).1.contains("a trace of Other"));
    for wrong in ["", "{", "[]", "{}", "null", &good.replace("\"format\": 1", "\"format\": 2")] {
        let (status, text) = replay(wrong);
        assert!(status == 2 && text.contains("trace"), "{wrong}: {text}");
    }
    assert_eq!(replay(&good.replace("\"LAMP\": 2", "\"LAMP\": 0")).0, 2);
    assert_eq!(self::status(&burnside(&["replay"], &[&machine, &desk.path("none")])), 2);
}

#[test]
fn a_table_in_three_forms() {
    let desk = Desk::new();
    let machine = desk.put(SAFE);
    let run =
        |format: &str| burnside(&["compare", "--card", "S=1..3", "--format", format], &[&machine]);
    let csv = run("csv");
    assert_eq!(status(&csv), 0, "{csv:?}");
    let csv = stdout(&csv);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "card,symmetry,seconds,nodes,transitions,complete,verdict");
    assert_eq!(lines.len(), 7, "{csv}");
    let cells = |line: &str| -> Vec<String> { line.split(',').map(str::to_owned).collect() };
    assert_eq!(cells(lines[5])[..2], ["S=3", "off"]);
    assert_eq!(cells(lines[5])[3..], ["9", "37", "true", "ok"]);
    assert_eq!(cells(lines[6])[3..], ["5", "19", "true", "ok"]);
    let table = json(&run("json"));
    let rows = table["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    let columns = ["card", "symmetry", "seconds", "nodes", "transitions", "complete", "verdict"];
    assert_eq!(keys(&rows[0]), columns);
    assert_eq!((&rows[5]["nodes"], &rows[5]["card"]), (&5.into(), &"S=3".into()));
    let text = stdout(&run("text"));
    assert_eq!(text.lines().filter(|l| l.starts_with("S=")).count(), 3, "{text}");
    assert!(text.contains("off") && text.contains("canon") && text.contains("ratio"), "{text}");
}

/// That two unions commute is found by the solver alone: then one of them may wait.
#[test]
fn a_table_with_partial_order_reduction() {
    let desk = Desk::new();
    let machine = desk.put(
        "MACHINE Unions SETS E = {e0, e1, e2, e3} VARIABLES s INVARIANT s <: E INITIALISATION s := {}
OPERATIONS a = SELECT s /= E THEN s := s \\/ {e0, e1} END;
  b = SELECT e3 /: s THEN s := {e1, e2} \\/ s END END",
    );
    let run = |options: &[&str]| {
        let mut all = vec!["compare", "--format", "csv", "--symmetry", "off", "--no-invariant"];
        all.extend(["--por", "off,ample,stubborn"]);
        all.extend(options);
        let output = burnside(&all, &[&machine]);
        let cells = |line: &str| -> Vec<String> { line.split(',').map(str::to_owned).collect() };
        let rows: Vec<Vec<String>> = stdout(&output).lines().skip(1).map(cells).collect();
        (status(&output), rows.iter().map(|r| format!("{} {}", r[1], r[3])).collect::<Vec<_>>())
    };
    let (code, rows) = run(&["--por-analysis", "syntactic"]);
    assert_eq!(
        (code, &rows[..]),
        (0, &["off 5", "off+ample 5", "off+stubborn 5"].map(str::to_owned)[..])
    );
    let (code, rows) = run(&["--por-choice", "first", "--por-query-time", "5"]);
    assert_eq!(
        (code, &rows[..]),
        (0, &["off 5", "off+ample 3", "off+stubborn 3"].map(str::to_owned)[..])
    );
    assert_eq!(run(&["--por-analysis", "none"]).0, 2);
}

#[test]
fn ranges_of_sizes_step_and_multiply() {
    let desk = Desk::new();
    let machine = desk.put(
        "MACHINE Pairs SETS A; B; C VARIABLES r INVARIANT r : A <-> B & !c.(c : C => c : C)
INITIALISATION r := {} OPERATIONS nothing = skip END",
    );
    let run = |cards: &[&str]| {
        let mut all = vec!["compare", "--format", "csv", "--symmetry", "off"];
        cards.iter().for_each(|c| all.extend(["--card", c]));
        let output = burnside(&all, &[&machine]);
        (status(&output), stdout(&output))
    };
    let (code, text) = run(&["A,B=1..2", "C=3..4"]);
    assert_eq!(code, 0);
    let cards: Vec<&str> = text.lines().skip(1).map(|l| l.split(',').next().unwrap()).collect();
    assert_eq!(cards, ["A=1 B=1 C=3", "A=1 B=1 C=4", "A=2 B=2 C=3", "A=2 B=2 C=4"]);
    assert_eq!(run(&["A=2..1"]).0, 2);
    assert_eq!(run(&["A=1", "A=2"]).0, 2);
    assert_eq!(run(&["Z=1..2"]).0, 2);
}

#[test]
fn a_comparison_goes_past_violations() {
    let desk = Desk::new();
    let machine = desk.put(LAMPS);
    let rows = |options: &[&str]| -> Vec<String> {
        let all = [&["compare", "--card", "LAMP=3", "--format", "csv"], options].concat();
        let output = burnside(&all, &[&machine]);
        assert_eq!(status(&output), 1, "a violation was counted: {output:?}");
        let row = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            [cells[3], cells[5], cells[6]].join(" ")
        };
        stdout(&output).lines().skip(1).map(row).collect()
    };
    // Violating states are counted and not expanded, so that this is not all: not the one with three lamps lit.
    let part = ["8 false invariant-violation", "4 false invariant-violation"];
    assert_eq!(rows(&[]), part);
    let all = ["9 true invariant-violation", "5 true invariant-violation"];
    assert_eq!(rows(&["--keep-going"]), all);
    let text = stdout(&burnside(&["compare", "--card", "LAMP=3"], &[&machine]));
    assert!(text.contains(" 8+ ") && text.contains("not left: --keep-going"), "{text}");
}

#[test]
fn several_machines_are_checked_one_after_the_other() {
    let desk = Desk::new();
    let put = |name: &str, text: &str| {
        let path = desk.path(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let (safe, lamps) = (put("safe.mch", SAFE), put("lamps.mch", LAMPS));
    let broken = put("broken.mch", BROKEN);
    let both = burnside(&["check", "--quiet"], &[&safe, &lamps]);
    let text = stdout(&both);
    assert_eq!(status(&both), 1, "{both:?}");
    assert!(text.contains("safe.mch:\nok") && text.contains("lamps.mch:\ninvariant"), "{text}");
    let all = burnside(&["check", "--quiet"], &[&broken, &safe]);
    assert_eq!(status(&all), 2);
    assert!(stdout(&all).contains("safe.mch:\nok") && stderr(&all).contains("rejected"), "{all:?}");
    let trace = burnside(&["check", "--trace", "t.json"], &[&safe, &lamps]);
    assert!(status(&trace) == 2 && stderr(&trace).contains("there are several"), "{trace:?}");
}

#[test]
fn colours_are_asked_for_and_shells_complete() {
    let desk = Desk::new();
    let machine = desk.put(BROKEN);
    let told = |colour: &str| stderr(&burnside(&["check", "--color", colour], &[&machine]));
    assert!(told("always").contains("\x1b["), "{}", told("always"));
    assert!(!told("never").contains('\x1b') && !told("auto").contains('\x1b'));
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(&burnside(&["completions", shell], &[]));
        assert!(script.contains("wd-guards") && script.contains("compare"), "{shell}: {script}");
    }
}

/// One flushed line for each save, with what has changed.
#[test]
fn each_save_has_a_line() {
    use std::io::{BufRead, BufReader};
    let desk = Desk::new();
    let machine = desk.put(SAFE);
    for form in ["text", "json"] {
        std::fs::write(&machine, SAFE).unwrap();
        let mut command = command(&["watch", "--no-deadlock", "--format", form], &[&machine]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut next = || lines.next().unwrap().unwrap();
        let first = next();
        assert!(first.contains("ok"), "{first}");
        std::fs::write(&machine, SAFE.replace("e : S THEN", "e : S & e /: x & e : {} THEN"))
            .unwrap();
        let second = next();
        for word in ["never enabled now add", "states -"] {
            assert!(second.contains(word), "{word} in {second}");
        }
        std::fs::write(&machine, SAFE.replace("x <: S", "x <: T")).unwrap();
        let third = next();
        assert!(third.contains("rejected") && third.contains("`T` is not declared"), "{third}");
        if form == "json" {
            let third: Value = serde_json::from_str(&third).unwrap();
            assert_eq!(third["states"], Value::Null);
            assert!(third["changed"][0].as_str().unwrap().starts_with("was "), "{third}");
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// A formula knows the sets of the constructors as the machine does.
#[test]
fn formulas_have_values_of_free_types() {
    let desk = Desk::new();
    let machine = desk.put("MACHINE M FREETYPES T = A, B(1..2); L = Nil, Cons((1..2) * L) END");
    let eval = |formula: &str| {
        let output = burnside(&["eval", formula], &[&machine]);
        (status(&output), stdout(&output))
    };
    for (formula, value) in [
        ("T", "{A,B(1),B(2)}  : POW(T)\n"),
        ("ran(B)", "{B(1),B(2)}  : POW(T)\n"),
        ("dom(B)", "{1,2}  : POW(INTEGER)\n"),
        ("x : T & x /= A", "2 solutions\n    x = B(1)\n    x = B(2)\n"),
        ("card({x | x : T})", "3  : INTEGER\n"),
        ("Cons(2, Nil) : ran(Cons)", "TRUE\n"),
    ] {
        assert_eq!(eval(formula), (0, value.to_string()), "{formula}");
    }
    for outside in ["B(3)", "Cons(3, Nil)"] {
        let (status, text) = eval(outside);
        assert_eq!(status, 2);
        assert!(text.contains("function applied outside its domain"), "{text}");
    }
}

/// What is typed in may give an infinite set to a function of a machine that has none.
#[test]
fn formulas_give_infinite_sets_to_functions() {
    let desk = Desk::new();
    let machine = desk.put(
        "MACHINE M ABSTRACT_CONSTANTS count PROPERTIES
           count = %(s, n).(s <: INTEGER & n : NATURAL |
             IF n = 0 THEN 0 ELSE IF n : s THEN 1 ELSE 0 END + count(s, n - 1) END) END",
    );
    for (formula, value) in [
        ("count(NATURAL, 3)", "3  : INTEGER\n"),
        ("count({y | y > 5}, 7)", "2  : INTEGER\n"),
        ("#x.(x = count(INTEGER, 2) & x > 1)", "TRUE\n"),
    ] {
        assert_eq!(stdout(&burnside(&["eval", formula], &[&machine])), value, "{formula}");
    }
}

#[test]
fn formulas_are_evaluated_in_a_state() {
    let desk = Desk::new();
    let machine = desk.put(LAMPS);
    let eval = |more: &[&str]| {
        let output = burnside(&[&["eval"][..], more].concat(), &[&machine]);
        (status(&output), stdout(&output), stderr(&output))
    };
    let (status, text, _) = eval(&["--steps", "1,1", "card(lit) + 10"]);
    assert_eq!((status, text.as_str()), (0, "11  : INTEGER\n"));
    // Sizes by default, and a definition of the machine.
    let (status, text, _) = eval(&["LAMP", "GOAL", "x /: lit & x : LAMP"]);
    assert_eq!(status, 0);
    for line in ["{LAMP1,LAMP2}  : POW(LAMP)", "FALSE", "lit = {}", "2 solutions", "x = LAMP2"] {
        assert!(text.contains(line), "{line} in {text}");
    }
    let (status, text, _) = eval(&["1 / n = 1"]);
    assert_eq!(status, 2);
    assert_eq!(text, "undefined: division by zero: 1 / n\n    n = 0\n");
    let (status, text, _) = eval(&["x > n"]);
    assert_eq!(status, 3, "{text}");
    let (status, _, wrong) = eval(&["lit = 1"]);
    assert!(status == 2 && wrong.contains("type-mismatch"), "{wrong}");
    let (status, _, wrong) = eval(&["--steps", "9", "lit"]);
    assert!(status == 2 && wrong.contains("there is no transition 9"), "{wrong}");
    let (status, text, _) = eval(&["lit", "x : lit", "--format", "json"]);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, &json["answers"][0]["value"]), (0, &Value::from("{}")));
    assert_eq!(json["answers"][1]["solutions"], Value::Array(Vec::new()));

    // Along a trace, from its set sizes.
    let trace = desk.path("t.json").display().to_string();
    let check = ["check", "--card", "LAMP=3", "--trace", &trace];
    assert_eq!(burnside(&check, &[&machine]).status.code(), Some(1));
    for (at, lit) in [("1", "0"), ("2", "1"), ("3", "2")] {
        let (_, text, _) = eval(&["--trace", &trace, "--at", at, "card(lit)"]);
        assert_eq!(text, format!("{lit}  : INTEGER\n"), "after {at}");
    }
    assert!(eval(&["--trace", &trace, "--at", "9", "lit"]).2.contains("the trace has 3 steps"));
    let (status, _, wrong) = eval(&["--trace", &trace, "--card", "LAMP=3", "lit"]);
    assert!(status == 2 && wrong.contains("--card and the like"), "{wrong}");
}

/// Traces in the form of ProB 2 are written by the ending of the name, and read by every command.
#[test]
fn traces_of_prob_are_written_and_read() {
    let desk = Desk::new();
    let machine = desk.put(LAMPS);
    let trace = desk.path("t.prob2trace");
    let check = ["check", "--card", "LAMP=3", "--trace", trace.to_str().unwrap()];
    assert_eq!(status(&burnside(&check, &[&machine])), 1);
    let written: Value = serde_json::from_str(&std::fs::read_to_string(&trace).unwrap()).unwrap();
    assert_eq!(written["transitionList"].as_array().unwrap().len(), 3);
    let replay = burnside(&["replay", "--card", "LAMP=3"], &[&machine, &trace]);
    assert_eq!(status(&replay), 0, "{replay:?}");
    assert!(stdout(&replay).starts_with("the trace runs to its end: 3 steps"), "{replay:?}");
    let formula = burnside(
        &["eval", "card(lit)", "--card", "LAMP=3", "--trace", trace.to_str().unwrap()],
        &[&machine],
    );
    assert_eq!(stdout(&formula), "2  : INTEGER\n", "{formula:?}");
    // It says nothing of the machine; what does not fit is told with its step.
    let other = burnside(&["replay"], &[&desk.put(SAFE), &trace]);
    assert_eq!(status(&other), 2, "{other:?}");
}

/// What the workbench alone can follow is not passed over where there is none.
#[test]
fn options_of_the_workbench_are_not_ignored() {
    let desk = Desk::new();
    let machine = desk.put(SAFE);
    let run = |options: &[&str], files: &[&Path]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
        let output = command.args(files).args(options).env("BURNSIDE_CONFIG_DIR", "/nowhere");
        let output = output.stdin(Stdio::null()).output().unwrap();
        (status(&output), stderr(&output))
    };
    let (code, told) = run(&["--theme", "nosuch"], &[&machine]);
    assert!(code == 2 && told.contains("nosuch"), "{code} {told}");
    let (code, told) = run(&["--theme", "mono"], &[&machine]);
    assert!(code == 0 && told.contains("--theme is for the workbench"), "{code} {told}");
    let (code, told) = run(&["--mouse"], &[&machine]);
    assert!(code == 0 && told.contains("--mouse is for the workbench"), "{code} {told}");
    let (code, told) = run(&["--level", "x"], &[]);
    assert!(code == 2 && told.contains("for a machine that is named"), "{code} {told}");
    assert_eq!(run(&[], &[&machine]), (0, String::new()));
}

/// The help lists what a command takes, and nothing else.
#[test]
fn watch_does_not_offer_what_it_refuses() {
    let help = stdout(&burnside(&["watch", "--help"], &[]));
    assert!(help.contains("--symmetry") && help.contains("--format"), "{help}");
    for option in ["--trace", "--quiet", "--deny-warnings", "--explain-symmetry"] {
        assert!(!help.contains(option), "{option} in {help}");
        assert!(stdout(&burnside(&["check", "--help"], &[])).contains(option), "{option}");
        let refused = burnside(&["watch", option], &[&Desk::new().put(SAFE)]);
        assert_eq!(status(&refused), 2, "{refused:?}");
    }
}

/// What is wrong with a value is told in the words of its option.
#[test]
fn values_that_are_none_say_what_is_wanted() {
    let desk = Desk::new();
    let machine = desk.put(SAFE);
    for (option, wanted) in [
        ("--max-states", "expected a number, from 1"),
        ("--seed", "expected a number, from 0"),
        ("--maxint", "expected an integer"),
    ] {
        let told = stderr(&burnside(&["check", option, "x"], &[&machine]));
        assert!(told.contains(wanted) && !told.contains("digit"), "{told}");
    }
    // A formula that is typed has no file.
    let told = stderr(&burnside(&["eval", "1 +"], &[&machine]));
    assert!(told.contains("found the end of the formula"), "{told}");
}

#[test]
fn the_canonical_matrix_of_a_state() {
    let desk = Desk::new();
    let machine = desk.put(SAFE);
    let run = |steps: &str| burnside(&["canon", "--card", "S=3", "--steps", steps], &[&machine]);
    let first = stdout(&run("1,1"));
    assert!(first.contains("S1") && first.contains("root"), "{first}");
    let fields = |text: &str| -> Vec<String> {
        let names = ["partition", "orbit size", "automorphisms", "canonical label"];
        let line = |n: &&str| text.lines().find(|l| l.starts_with(*n)).map(str::to_owned);
        names.iter().map(|n| line(n).unwrap_or_else(|| panic!("{n}: {text}"))).collect()
    };
    let fields_first = fields(&first);
    assert!(fields_first[1].ends_with(" 3") && fields_first[2].ends_with(" 2"), "{first}");
    // Another element, the same orbit: the same label.
    let second = stdout(&run("1,2"));
    assert_eq!(fields(&second)[3], fields_first[3]);
    assert_ne!(fields(&stdout(&run("1,1,2")))[3], fields_first[3]);
    assert_eq!(status(&run("1,99")), 2);
    assert_eq!(status(&run("0")), 2);
    assert_eq!(status(&run("x")), 2);
    let several = desk.put(&SAFE.replace("INITIALISATION x := {}", "INITIALISATION x :: POW(S)"));
    let none = burnside(&["canon"], &[&several]);
    assert!(status(&none) == 2 && stderr(&none).contains("--steps 1"), "{none:?}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let desk = Desk::new();
    let machine = desk.put(SAFE);
    let mut command = command(&["check"], &[&machine]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut complaint = String::new();
    child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{complaint}");
    assert_eq!(complaint, "");
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_tells_what_it_found() {
    let desk = Desk::new();
    let machine = desk.put(ENDLESS);
    let mut command = command(&["check", "--format", "json", "--memory", "8G"], &[&machine]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(status(&output), 130, "{output:?}");
    let report = json(&output);
    assert_eq!((&report["verdict"], &report["complete"]), (&"none-found".into(), &false.into()));
    assert!(report["states"].as_u64().unwrap() > 0);
    assert!(report["bounds"].to_string().contains("interrupted"), "{report}");
}

#[test]
fn warnings_can_be_denied() {
    let desk = Desk::new();
    let machine = desk.put(&SAFE.replace("x <: S", "x <: S & !x.(x : S => {x} <: S)"));
    let options = ["check", "--quiet"];
    assert_eq!(status(&burnside(&options, &[&machine])), 0);
    let denied = burnside(&["check", "--quiet", "--deny-warnings"], &[&machine]);
    assert_eq!(status(&denied), 2, "{denied:?}");
    assert!(stderr(&denied).contains("warning["), "{denied:?}");
    let report = json(&burnside(&["check", "--format", "json"], &[&machine]));
    assert_eq!(report["verdict"], "ok");
    assert_eq!(report["diagnostics"][0]["severity"], "warning");
}

/// What a trace is written over is a trace: a machine that is named by mistake is still there.
#[test]
fn a_trace_replaces_nothing_but_a_trace() {
    let desk = Desk::new();
    let text =
        "MACHINE V VARIABLES x INVARIANT x = 0 INITIALISATION x := 0 OPERATIONS o = x := 1 END";
    let machine = desk.put(text);
    let check = |trace: &Path| {
        let output = burnside(&["check", "--trace", trace.to_str().unwrap()], &[&machine]);
        (status(&output), stderr(&output))
    };
    let (code, told) = check(&machine);
    assert!(code == 2 && told.contains("this file holds no trace"), "{code} {told}");
    assert_eq!(std::fs::read_to_string(&machine).unwrap(), text);
    // It is told before the search, and not instead of what that has found.
    let output = burnside(&["check", "--trace", machine.to_str().unwrap()], &[&desk.put(ENDLESS)]);
    assert!(status(&output) == 2 && output.stdout.is_empty(), "{output:?}");
    let trace = machine.with_extension("json");
    for _ in 0..2 {
        assert_eq!(check(&trace).0, 1);
        assert!(std::fs::read_to_string(&trace).unwrap().contains("burnside-trace"));
    }
}

#[test]
fn predicates_and_constants_are_solved() {
    let desk = Desk::new();
    let solve = |more: &[&str], files: &[&Path]| {
        let output = burnside(&[&["solve"][..], more].concat(), files);
        (status(&output), stdout(&output), stderr(&output))
    };
    let (code, text, _) =
        solve(&["-e", "x : 0..50 & y : 0..50 & x * y = 38 & x < y", "--all"], &[]);
    assert_eq!((code, text.as_str()), (0, "2 solutions\n    x = 1, y = 38\n    x = 2, y = 19\n"));
    let (_, text, _) = solve(&["-e", "s : seq(1..2) & size(s) <= 1", "--all"], &[]);
    assert_eq!(text, "3 solutions\n    s = []\n    s = [1]\n    s = [2]\n");
    let asked = "x : 0..9 & y : 0..9 & s <: 1..7 & x + y = 15 & x < y & x : s & n : {4, 5} & \
                 p : perm(1..n) & w : POW(1..n --> BOOL)";
    let (code, text, _) = solve(&["-e", asked, "--constraints"], &[]);
    assert_eq!(code, 0);
    let told = "propagation leaves\n    x : 6..7\n    y : 8..9\n    s <: {1, 2, 3, 4, 5, 6, 7}\n    n : 4..5\n    \
                dom(p) <: {1, 2, 3, 4, 5} & p(1) : 1..5 & p(2) : 1..5 & p(3) : 1..5 & p(4) : 1..5 & p(5) : 1..5\n    \
                w, of which nothing is known\nwith these constraints, which may be false:\n    x + y = 15\n    \
                x : s\n    p : perm(1..n)\n    w : POW(1..n --> BOOL)\n";
    assert!(text.ends_with(told), "{text}");
    let told = |predicate: &str| {
        let (_, text, _) = solve(&["-e", predicate, "--constraints", "--format", "json"], &[]);
        text.split_once("\"constraints\": ").expect("constraints").1.replace(['\n', ' '], "")
    };
    assert_eq!(
        told("f : 1..2 --> BOOL & f(1) = TRUE"),
        "{\"kind\":\"open\",\"names\":[\"dom(f)={1,2}&f(1)=TRUE&f(2):{FALSE,TRUE}\"],\"conjuncts\":[]}}}"
    );
    assert_eq!(told("x : 1..3 & x > 5"), "{\"kind\":\"nothing\"}}}");
    let (code, text, _) =
        solve(&["-e", "a : 0..9 & b : 0..9 & c : 0..9 & c < 4 & a + b = 30"], &[]);
    assert_eq!(code, 1);
    let told =
        "no solution\nthese contradict one another:\n    a : 0..9\n    b : 0..9\n    a + b = 30\n";
    assert_eq!(text, told);
    let (code, text, _) = solve(&["-e", "x : NATURAL & x mod (97 + 0 / (x * x + 1)) = 55"], &[]);
    assert_eq!(code, 3, "{text}");
    let (code, _, wrong) = solve(&["-e", "x = TRUE + 1"], &[]);
    assert!(code == 2 && !wrong.is_empty());
    let best = ["-e", "x : 0..100 & y : 0..100 & x + y < 50 & 3 * y < x + 20"];
    let (code, text, _) = solve(&[&best[..], &["--maximise", "x + 2 * y"]].concat(), &[]);
    assert_eq!((code, text.contains("x + 2 * y = 66")), (0, true), "{text}");
    let (code, text, _) = solve(&[&best[..], &["--minimise", "y"]].concat(), &[]);
    assert_eq!((code, text.contains("y = 0, x = ")), (0, true), "{text}");
    let (code, text, _) = solve(&["-e", "x : 1..3 & x > 5", "--minimise", "x"], &[]);
    assert_eq!((code, text.contains("no solution")), (1, true), "{text}");
    let (code, _, wrong) = solve(&["-e", "x : 1..3", "--minimise", "{x}"], &[]);
    assert_eq!((code, wrong.contains("is an integer")), (2, true), "{wrong}");
    assert_eq!(solve(&["-e", "x : 1..3", "--minimise", "x", "--all"], &[]).0, 2);
    let (code, ..) = solve(&[], &[]);
    assert_eq!(code, 2);
    // Candidates for which something is undefined stand beside the best solution, as beside any.
    for (asked, wanted, best) in [
        ("x : -5..5 & x mod 3 = 1", ["--minimise", "x"], "x = 1"),
        ("x : -5..5 & x mod 3 = 1", ["--maximise", "x"], "x = 4"),
        ("s <: 1..3 & max(s) = 2", ["--maximise", "card(s)"], "s = {1,2}"),
        ("s <: 1..3 & max(s) = 2", ["--minimise", "card(s)"], "s = {2}"),
    ] {
        let (code, text, _) = solve(&[&["-e", asked][..], &wanted].concat(), &[]);
        assert!(code == 0 && text.contains(best), "{asked} {wanted:?}: {code} {text}");
        assert!(text.contains("undefined for "), "{asked} {wanted:?}: {text}");
    }
    // Trees of four nodes, with static symmetry and without.
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("trees.mch");
    let trees =
        "MACHINE Trees SETS NODE CONSTANTS root, parent PROPERTIES root : NODE & card(NODE) = 4 &
        parent : NODE - {root} --> NODE & closure1(parent) /\\ id(NODE) = {} END";
    std::fs::write(&file, trees).expect("file");
    let file = file.to_str().expect("a path");
    let (_, text, _) = solve(&[file, "--all"], &[]);
    let left_out = "some that differ by elements of NODE alone are left out";
    assert!(text.starts_with("16 solutions") && text.contains(left_out), "{text}");
    let (_, text, _) = solve(&[file, "--all", "--static-symmetry", "off"], &[]);
    assert!(text.starts_with("64 solutions") && !text.contains(left_out), "{text}");
    // None of the numbers below is tried.
    let multiple = ["-e", "n : NATURAL1 & !d.(d : 1..20 => n mod d = 0)", "--minimise", "n"];
    let (code, text, _) = solve(&multiple, &[]);
    assert!(code == 0 && text.contains("n = 232792560"), "{text}");
    let (code, text, _) = solve(&["-e", "s <: {1} & max(s) = 2", "--minimise", "card(s)"], &[]);
    assert!(code == 2 && text.contains("max of the empty set"), "{text}");
    // Not all candidates were tried: a further one may be a solution.
    let (code, text, _) = solve(&["-e", "x : NATURAL & (x - 9) mod 3 = 0", "--all"], &[]);
    assert!(code == 3 && text.contains("unbounded"), "{code} {text}");
    assert_eq!(solve(&["-e", "x : 1..3", "--first", "0"], &[]).0, 2);
    // A name that nothing declares may be an infinite function, too.
    let (code, text, _) =
        solve(&["-e", "s = %x.(x : INTEGER | x * x) & y : 0..50 & s[{y}] = {81}"], &[]);
    assert_eq!((code, text.as_str()), (0, "1 solution\n    s = %x.(x : INTEGER | x * x), y = 9\n"));
    let (code, text, _) = solve(
        &[
            "-e",
            "k = 2 & s = %x.(x : INTEGER | x + k) & y : {[1, 2], [2, 1]} & (y ; s) = [4, 3] & r = 3..4 <| s",
        ],
        &[],
    );
    assert_eq!((code, text.contains("y = [2,1], r = {(3|->5),(4|->6)}")), (0, true), "{text}");
    let (code, text, _) = solve(
        &["-e", "s : {NATURAL, {-1}, INTEGER} & -1 : s & s /= INTEGER & t = {s, NATURAL1}"],
        &[],
    );
    assert_eq!((code, text.contains("s = {-1}, t = {")), (0, true), "{text}");
    assert_eq!(solve(&["-e", "NATURAL : {NATURAL, INTEGER}"], &[]).0, 0);
    let sized = |n: &str| format!("MACHINE D SETS S CONSTANTS n PROPERTIES card(S) = n & {n} END");
    let machine = desk.put(&sized("n : 3..5 & n mod 4 = 0"));
    assert_eq!(solve(&[], &[&machine]).1, "1 solution\n    n = 4\n");
    // Nobody chose the size of the set, and with another one there is a solution.
    let machine = desk.put(&sized("n : {x | x : 3..5 & x mod 4 = 0}"));
    let (code, text, _) = solve(&[], &[&machine]);
    assert_eq!((code, text.contains("S has 2 elements by default")), (3, true), "{text}");
    assert!(
        text.contains("no solution with these sizes of the sets, but with --card S=4"),
        "{text}"
    );
    let machine = desk.put(
        "MACHINE C SETS E = {one, two, three} CONSTANTS f, n
         PROPERTIES f : E >->> 1..3 & n = f(one) + f(two) & n = 4 END",
    );
    let (code, text, _) = solve(&["--all", "--format", "json"], &[&machine]);
    let told: Value = serde_json::from_str(&text).expect("JSON");
    let solutions = told["answer"]["solutions"].as_array().expect("solutions");
    assert_eq!((code, solutions.len()), (0, 2), "{text}");
    assert_eq!(solutions[0]["f"], "{(one|->1),(two|->3),(three|->2)}");
}

/// Limits that no integer is between are told with what says them, and where.
#[test]
fn integer_limits_are_told_with_what_says_them() {
    let desk = Desk::new();
    let machine = |definitions: &str| {
        format!(
            "MACHINE M\nDEFINITIONS {definitions} VARIABLES x INVARIANT x : INT INITIALISATION x := 0 END"
        )
    };
    let told = |definitions: &str, options: &[&str]| {
        let file = desk.put(&machine(definitions));
        let output = burnside(&[&["check"], options].concat(), &[&file]);
        assert_eq!(status(&output), 2, "{output:?}");
        stderr(&output)
    };
    let text = told("SET_PREF_MININT == 5; SET_PREF_MAXINT == 2", &[]);
    assert!(
        text.contains("MININT is 5 (SET_PREF_MININT) and MAXINT is 2 (SET_PREF_MAXINT)"),
        "{text}"
    );
    assert!(text.contains("M.mch:2:13") && text.contains("and this"), "{text}");
    let text = told("SET_PREF_MININT == 5", &[]);
    assert!(text.contains("M.mch:2:13") && text.contains("MAXINT is 3 (by default)"), "{text}");
    let text = told("n == 1", &["--minint", "7", "--pref", "MAXINT=4"]);
    assert!(text.contains("MININT is 7 (--minint) and MAXINT is 4 (--pref MAXINT)"), "{text}");
}

/// CONSTRAINTS that the actual parameters break are told of under the name of the instance.
#[test]
fn constraints_that_actual_parameters_break() {
    let desk = Desk::new();
    desk.put(
        "MACHINE Cell (nn)\nCONSTRAINTS nn : 1..10 VARIABLES y INVARIANT y : 0..nn INITIALISATION y := 0
         OPERATIONS inc = PRE y < nn THEN y := y + 1 END; reset = y := 0 END",
    );
    let checked = |text: &str| {
        let output = burnside(&["check"], &[&desk.put(text)]);
        (status(&output), stdout(&output))
    };
    let (code, text) = checked("MACHINE A INCLUDES\nb.Cell(12) OPERATIONS op = b.inc END");
    assert_eq!(code, 1);
    assert!(
        text.contains("the CONSTRAINTS of b.Cell do not hold of the actual parameters"),
        "{text}"
    );
    assert!(text.contains("Cell.mch:2:13") && text.contains("b.Cell is included at "), "{text}");
    assert!(text.contains("A.mch:2:3"), "{text}");
    let (code, text) = checked(
        "MACHINE A INCLUDES a.Cell(3), b.Cell(k)\nCONSTANTS k PROPERTIES k : 11..12 OPERATIONS op = a.inc END",
    );
    assert_eq!(code, 1);
    assert!(
        text.contains("the PROPERTIES and the CONSTRAINTS of b.Cell have no solution together"),
        "{text}"
    );
    assert!(!text.contains("a.Cell"), "{text}");
    // Those of the machine itself.
    let (_, text) = checked("MACHINE P (nn) CONSTRAINTS nn : 1..10 & nn > 20 END");
    assert!(text.contains("the CONSTRAINTS have no solution"), "{text}");
    // Some set-ups are left out: a warning, and none where there is nothing to leave out.
    let some = "MACHINE A INCLUDES\nb.Cell(k) CONSTANTS k PROPERTIES k : 9..12 OPERATIONS op = b.reset END";
    let (code, text) = checked(some);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("warning[constraints-leave-out]"), "{text}");
    assert!(
        text.contains("actual parameters of b.Cell break its CONSTRAINTS `nn : 1..10`"),
        "{text}"
    );
    let (_, text) = checked(&some.replace("9..12", "9..10"));
    assert!(!text.contains("warning"), "{text}");
}
