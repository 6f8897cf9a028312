//! `burnside bench`, as a program.

use crate::said::{json, status, stderr, stdout};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn burnside(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_burnside");
    Command::new(program).args(arguments).stdin(Stdio::null()).output().expect("it runs")
}

fn model(name: &str) -> String {
    let models: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    models.join(name).display().to_string()
}

fn rows(output: &Output) -> Vec<Value> {
    json(output)["rows"].as_array().expect("rows").clone()
}

#[test]
fn the_figures_of_a_search_fit_each_other() {
    let machine = model("phonebook_db.mch");
    let cards = ["--card", "Name=3", "--card", "Code=3", "--symmetry", "off", "--runs", "2"];
    let output = burnside(&[&["bench", &machine, "--format", "json"], &cards[..]].concat());
    assert_eq!(status(&output), 0, "{output:?}");
    let rows = rows(&output);
    let row = &rows[0];
    // 4^3 partial functions; the counts are those of a check.
    let check = burnside(&[&["check", &machine, "--format", "json"], &cards[..6]].concat());
    let check = json(&check);
    assert_eq!((&row["states"], row["states"].as_u64()), (&check["states"], Some(64)));
    assert_eq!(row["transitions"], check["transitions"]);
    let number = |name: &str| row[name].as_f64().expect("a number");
    let transitions = number("transitions");
    let ns = number("seconds") * 1e9 / transitions;
    assert!((ns / number("ns_per_transition") - 1.0).abs() < 1e-6, "{row}");
    assert!((number("transitions_per_second") * ns / 1e9 - 1.0).abs() < 1e-6, "{row}");
    // A word, its parent and the operation, at least.
    assert!(number("bytes_per_state") >= 14.0, "{row}");
    let shares = row["shares"].as_object().expect("shares");
    let sum: f64 = shares.values().map(|s| s.as_f64().expect("a number")).sum();
    assert!(shares.len() == 3 && sum > 0.0 && sum <= 1.0 + 1e-9, "{row}");
    assert_eq!(row["runs"], 2);
}

#[test]
fn a_table_is_compared_with_an_earlier_one() {
    let desk = tempfile::tempdir().expect("a directory");
    let machines = desk.path().join("machines");
    std::fs::create_dir(&machines).expect("a directory");
    for name in ["phonebook_db.mch", "peterson.mch"] {
        std::fs::copy(model(name), machines.join(name)).expect("a copy");
    }
    std::fs::write(machines.join("notes.txt"), "no machine").expect("a file");
    let machines = machines.display().to_string();
    let before = burnside(&["bench", &machines, "--runs", "1", "--format", "json"]);
    assert_eq!(rows(&before).len(), 2);
    let file = desk.path().join("before.json");
    std::fs::write(&file, &before.stdout).expect("a file");
    let file = file.display().to_string();
    let now = burnside(&["bench", &machines, "--runs", "1", "--against", &file]);
    assert_eq!(status(&now), 0, "{now:?}");
    let text = stdout(&now);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 8, "{text}");
    assert!(lines.iter().all(|l| l.chars().count() <= 80), "{text}");
    assert!(lines[2].starts_with("Peterson ") && lines[3].starts_with("phonebook_db "), "{text}");
    assert!(lines[5].starts_with("ns/transition"), "{text}");
    assert!(!text.contains('*'), "the counts are the same: {text}");
    // With other sizes there is nothing to compare with.
    let other =
        burnside(&["bench", &machines, "--runs", "1", "--card", "Name=1", "--against", &file]);
    assert_eq!(status(&other), 2, "peterson has no such set: {other:?}");
    let text = stdout(&other);
    assert!(
        text.lines().any(|l| l.starts_with("phonebook_db Name=1") && l.ends_with('-')),
        "{text}"
    );
}

#[test]
fn projects_in_a_directory_are_timed() {
    let desk = tempfile::tempdir().expect("a directory");
    let project = desk.path().join("section");
    std::fs::create_dir(&project).expect("a directory");
    for file in std::fs::read_dir(model("section")).expect("a project") {
        let file = file.expect("a file").path();
        let name = file.file_name().expect("a name");
        std::fs::copy(&file, project.join(name)).expect("a copy");
    }
    std::fs::create_dir(desk.path().join("notes")).expect("a directory");
    std::fs::copy(model("peterson.mch"), desk.path().join("peterson.mch")).expect("a copy");
    let desk = desk.path().display().to_string();
    let output = burnside(&["bench", &desk, "--runs", "1", "--format", "json"]);
    assert_eq!(status(&output), 0, "{output:?}");
    let rows = rows(&output);
    let models: Vec<&Value> = rows.iter().map(|row| &row["model"]).collect();
    assert_eq!(models, ["Peterson", "Counted"]);
}

#[test]
fn what_cannot_be_timed_is_told() {
    let desk = tempfile::tempdir().expect("a directory");
    let path = |name: &str| desk.path().join(name).display().to_string();
    std::fs::write(path("wrong.mch"), "MACHINE wrong INVARIANT x = 1 END").expect("a file");
    let endless = "MACHINE endless VARIABLES x INVARIANT x : NATURAL INITIALISATION x := 0
        OPERATIONS up = BEGIN x := x + 1 END END";
    std::fs::write(path("endless.mch"), endless).expect("a file");
    let output = burnside(&["bench", &path(""), "--max-states", "100", "--runs", "1"]);
    assert_eq!(status(&output), 2, "{output:?}");
    assert!(stdout(&output).contains("100+"), "the others are searched: {output:?}");
    let told = stderr(&output);
    assert!(told.contains("wrong.mch") && told.contains("not declared"), "{told}");
    let limited = burnside(&["bench", &path("endless.mch"), "--max-states", "100"]);
    assert_eq!(status(&limited), 3, "{limited:?}");
    for (arguments, word) in [
        (vec!["bench", "/nowhere/at/all.mch"], "all.mch"),
        (vec!["bench", &path("endless.mch"), "--against", &path("wrong.mch")], "--against"),
        (vec!["bench", &path("endless.mch"), "--against", "/nowhere"], "--against"),
    ] {
        let output = burnside(&arguments);
        assert_eq!(status(&output), 2, "{output:?}");
        assert!(stderr(&output).contains(word), "{output:?}");
    }
    std::fs::create_dir(desk.path().join("empty")).expect("a directory");
    let none = burnside(&["bench", &path("empty")]);
    assert_eq!(status(&none), 2, "{none:?}");
    assert!(stderr(&none).contains("no machine"), "{none:?}");
    // A name that is far too long is cut.
    let long = "S".repeat(1000);
    let endless = path("endless.mch");
    let output = burnside(&["check", &endless, "--card", &format!("{long}=3")]);
    assert_eq!(status(&output), 2, "{output:?}");
    let told = stderr(&output);
    assert!(told.contains("there is no set SSS") && told.len() < 500, "{told}");
}

/// Whether a program can be started.
fn is_installed(program: &str) -> bool {
    let version = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    version.is_ok()
}

const SMALL: [&str; 10] =
    ["bench", "--peers", "--card", "Name=2", "--card", "Code=3", "--card", "PROC=3", "--runs", "1"];

#[test]
fn others_that_are_installed_find_as_many_states() {
    let output = burnside(&[&SMALL[..], &["--format", "json"]].concat());
    assert_eq!(status(&output), 0, "{output:?}");
    let bench = json(&output);
    let beside = bench["beside"].as_array().expect("a list");
    // 4^2 partial functions; 3^3 of at most one running and others; Peterson's protocol for three.
    let states: Vec<Option<u64>> = beside.iter().map(|b| b["states"].as_u64()).collect();
    assert_eq!(states, [Some(16), Some(54), Some(2635)]);
    let compiler = is_installed("cc");
    for (name, program) in
        [("SPIN, depth first", "spin"), ("SPIN, breadth first", "spin"), ("rumur", "rumur")]
    {
        let here = compiler && is_installed(program);
        if !here {
            println!("skipped: {name} is not installed");
        }
        for system in beside {
            let peers = system["peers"].as_array().expect("a list");
            let peer = peers.iter().find(|p| p["name"] == name).expect("each is told of");
            if here {
                let figures = &peer["figures"];
                assert_eq!(figures["states"], system["states"], "{name}: {system}");
                assert!(figures["ratio"].as_f64() > Some(0.0), "{name}: {system}");
                let start = if program == "spin" { 0 } else { 1 };
                let transitions = figures["transitions"].as_u64().map(|n| n + start);
                assert_eq!(transitions, system["transitions"].as_u64(), "{name}: {system}");
            } else {
                let why = peer["missing"].as_str().expect("a word");
                assert!(why.starts_with("not installed"), "{why}");
            }
        }
    }
}

#[test]
fn what_is_not_installed_is_said() {
    let program = env!("CARGO_BIN_EXE_burnside");
    let nowhere = tempfile::tempdir().expect("a directory");
    let run = |more: &[&str]| {
        let mut command = Command::new(program);
        command.args(SMALL).args(more).env("PATH", nowhere.path()).stdin(Stdio::null());
        command.output().expect("it runs")
    };
    let output = run(&[]);
    assert_eq!(status(&output), 0, "{output:?}");
    let text = stdout(&output);
    for word in ["there is no `spin`", "there is no `rumur`", "--tlc4b DIR"] {
        assert_eq!(text.matches(word).count() % 3, 0, "{text}");
        assert!(text.contains(word), "{text}");
    }
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    let jars = nowhere.path().display().to_string();
    assert!(stdout(&run(&["--tlc4b", &jars])).contains("there is no `java`"));
}

#[test]
fn a_machine_without_texts_is_for_those_who_read_b() {
    let machine = model("peterson.mch");
    let output = burnside(&["bench", &machine, "--peers", "--card", "PROC=2", "--runs", "1"]);
    assert_eq!(status(&output), 0, "{output:?}");
    let text = stdout(&output);
    assert_eq!(text.matches("there is no text of this machine").count(), 2, "{text}");
    for (arguments, word) in [
        (vec!["bench"], "required"),
        (vec!["bench", &machine, "--tlc4b", "."], "--peers"),
        (vec!["bench", "--peers", "--max-states", "9"], "--max-states"),
        (vec!["bench", "--peers", "--symmetry", "canon"], "--symmetry off"),
        (vec!["bench", "--peers", "--card", "Nmae=2"], "Nmae"),
    ] {
        let output = burnside(&arguments);
        assert_eq!(status(&output), 2, "{arguments:?}: {output:?}");
        let told = stderr(&output);
        assert!(told.contains(word), "{arguments:?}: {told}");
    }
}

/// A project of Rodin is a directory and a machine; one without either is refused.
#[test]
fn a_project_is_timed() {
    let section = model("section");
    let output = burnside(&["bench", &section, "--runs", "1", "--quiet", "--format", "json"]);
    assert_eq!(status(&output), 0, "{output:?}");
    let rows = rows(&output);
    assert_eq!((rows.len(), rows[0]["file"].as_str()), (1, Some(&*section)));
    assert!(rows[0]["states"].as_u64().is_some_and(|n| n > 1), "{rows:?}");
    let empty = tempfile::tempdir().expect("a directory");
    let output = burnside(&["bench", &empty.path().display().to_string()]);
    let told = stderr(&output);
    assert!(status(&output) == 2 && told.contains("no project of Rodin"), "{told}");
}
