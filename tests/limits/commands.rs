//! The commands besides `check` have its limits, and end in the same way.

use serde_json::json;
use std::process::{Command, Output};

/// An operation that takes for ever, and one that does not.
const SLOW: &str = "MACHINE Slow VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 0 OPERATIONS
  up = PRE x < 9 THEN x := x + 1 END;
  o(a, b) = PRE a : 1..100000 & b : 1..100000 & a ** (b / b) / b + b / a = 149999 THEN x := 1 END
END";

/// A set of subsets that no memory holds.
const LARGE: &str = "MACHINE Large SETS S VARIABLES all INVARIANT all : POW(POW(S))
INITIALISATION all := POW(S) END";

fn burnside(arguments: &str, folder: &tempfile::TempDir) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command.args(arguments.split_whitespace()).current_dir(folder.path()).output().expect("runs")
}

/// The exit status, and what was said.
fn said(output: &Output) -> (Option<i32>, String) {
    let text = [&output.stdout[..], &output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

fn desk() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = json!({
        "format": 1, "kind": "burnside-trace", "model": "Slow", "sets": {}, "maxint": 3,
        "minint": -1, "steps": [
            { "operation": "INITIALISATION", "changed": { "x": "0" } },
            { "operation": "up", "changed": { "x": "1" } },
        ],
    });
    let large = json!({
        "format": 1, "kind": "burnside-trace", "model": "Large", "sets": { "S": 24 }, "maxint": 3,
        "minint": -1, "steps": [{ "operation": "INITIALISATION", "changed": { "all": "{}" } }],
    });
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
    put("slow.mch", SLOW).expect("written");
    put("large.mch", LARGE).expect("written");
    put("slow.json", &trace.to_string()).expect("written");
    put("large.json", &large.to_string()).expect("written");
    folder
}

#[test]
fn canon_replay_and_eval_end_at_their_limits() {
    let folder = desk();
    for (command, what) in [
        ("canon slow.mch --steps 1", "the state was not labelled"),
        ("replay slow.mch slow.json", "the trace was not followed to its end"),
        ("eval slow.mch x --steps 1", "the formulas were not all evaluated"),
    ] {
        let (status, text) = said(&burnside(&format!("{command} --timeout 0.3"), &folder));
        assert_eq!(status, Some(3), "{command}: {text}");
        let bound = "stopped after 0.3 seconds (--timeout) while the states were searched, at slow";
        assert!(text.contains(what) && text.contains(bound), "{command}: {text}");
        let (status, text) = said(&burnside(&format!("{command} --memory 1M"), &folder));
        assert!(status == Some(3) && text.contains("(--memory)"), "{command}: {text}");
    }
    let json = burnside("canon slow.mch --steps 1 --timeout 0.3 --format json", &folder);
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).expect("an object");
    assert_eq!((json.status.code(), &report["verdict"]), (Some(3), &"none-found".into()));
    assert!(report["bounds"][0].as_str().is_some_and(|b| b.contains("--timeout")), "{report}");
}

/// What was answered before the time was up is told.
#[test]
fn answers_are_told_when_the_time_is_up() {
    let folder = desk();
    let text = "MACHINE Quick VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 0 END";
    std::fs::write(folder.path().join("quick.mch"), text).expect("written");
    let long = "SIGMA(a,b).(a:1..100000&b:1..100000|(a*b)mod(7))";
    let command = format!("eval quick.mch 1+1 {long} 2+2 --timeout 1");
    let (status, text) = said(&burnside(&command, &folder));
    assert_eq!(status, Some(3), "{text}");
    assert!(text.starts_with("1+1\n  2  : INTEGER\n"), "{text}");
    assert!(text.contains("not known: "), "{text}");
    let json = burnside(&format!("{command} --format json"), &folder);
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).expect("an object");
    let answers = report["answers"].as_array().expect("answers");
    let kinds: Vec<&str> = answers.iter().filter_map(|a| a["kind"].as_str()).collect();
    assert_eq!((kinds.len(), kinds[0], kinds[1]), (3, "value", "unknown"), "{report}");
}

/// What the machine cannot be followed to is no misfit.
#[test]
fn a_value_that_cannot_be_held_says_nothing_about_a_trace() {
    let folder = desk();
    let (status, text) = said(&burnside("replay large.mch large.json --memory 100M", &folder));
    assert!(status == Some(3) && !text.contains("does not fit"), "{text}");
    assert!(text.contains("step 1") && text.contains("too large to be held"), "{text}");
    let (status, text) =
        said(&burnside("canon large.mch --card S=24 --memory 100M --steps 1", &folder));
    assert!(status == Some(2) && text.contains("too large to be held"), "{text}");
}

#[test]
fn tables_give_each_search_its_time() {
    let folder = desk();
    let (status, text) = said(&burnside("tables turner-table1 --quiet --timeout 0", &folder));
    assert!(text.contains("the search was not finished"), "{text}");
    assert!(text.contains("0 figures compared"), "{text}");
    assert_eq!(status, Some(3), "{text}");
}

/// What is analysed are all pairs of operations.
#[test]
fn an_analysis_ends_at_its_limit() {
    let folder = desk();
    let operation = |i: usize| format!("o{i}(p) = PRE p : 0..9 & x = {i} THEN x := p END");
    let operations: Vec<String> = (0..400).map(operation).collect();
    let text = format!(
        "MACHINE Many VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 0 OPERATIONS {} END",
        operations.join(";\n")
    );
    std::fs::write(folder.path().join("many.mch"), text).expect("written");
    for command in ["analyse many.mch", "check many.mch --por stubborn"] {
        let (status, text) = said(&burnside(&format!("{command} --timeout 0.2"), &folder));
        let bound = "stopped after 0.2 seconds (--timeout)";
        assert!(status == Some(3) && text.contains(bound), "{command}: {status:?}, {text}");
    }
}

/// Four million set-ups are not all looked for where fewer states are asked for.
#[test]
fn a_limit_of_states_is_one_of_set_ups() {
    let folder = desk();
    let text = "MACHINE Wide CONSTANTS a, b PROPERTIES a : 1..2000 & b : 1..2000
        VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0 OPERATIONS o = x := 1 - x END";
    std::fs::write(folder.path().join("wide.mch"), text).expect("written");
    let command = "check wide.mch --max-states 100 --timeout 30 --memory 100M";
    let (status, text) = said(&burnside(command, &folder));
    let bound = "only the first 100 set-ups of the constants were searched (--max-states)";
    assert!(status == Some(3) && text.contains(bound), "{status:?}: {text}");
    assert!(!text.contains("--timeout") && !text.contains("--memory"), "{text}");
}

/// What is tried for one state may be many millions: subsets as arguments, images of a relation.
#[test]
fn a_state_with_too_many_arguments_or_images_ends_in_time() {
    let folder = desk();
    let subsets = "MACHINE Sets SETS D VARIABLES s INVARIANT s : POW(POW(D)) INITIALISATION s := {}
        OPERATIONS o(a) = PRE a : POW(D) THEN s := s \\/ {a} END END";
    let relations = "MACHINE Two SETS A; B VARIABLES r INVARIANT r : A <-> B INITIALISATION r := {}
        OPERATIONS add(a, b) = PRE a : A & b : B & a |-> b /: r THEN r(a) := b END END";
    for (name, text, options) in [
        ("sets.mch", subsets, "--card D=22 --symmetry canon"),
        (
            "two.mch",
            relations,
            "--card A=8 --card B=8 --symmetry flood --flood-limit 1000000000000",
        ),
    ] {
        std::fs::write(folder.path().join(name), text).expect("written");
        let command = format!("check {name} {options} --timeout 1 --memory 200M --format json");
        let begun = std::time::Instant::now();
        let output = burnside(&command, &folder);
        assert!(begun.elapsed().as_secs() < 40, "{name}: {:?}", begun.elapsed());
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an object");
        assert_eq!((output.status.code(), &report["verdict"]), (Some(3), &"none-found".into()));
        let bounds = report["bounds"].to_string();
        assert!(bounds.contains("(--timeout)") || bounds.contains("(--memory)"), "{bounds}");
        let peak = report["peak_memory_bytes"].as_u64().expect("bytes");
        assert!(peak < 260 << 20, "{name}: {peak}");
    }
}
