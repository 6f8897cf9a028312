//! `burnside bench`, as a program.

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

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn rows(output: &Output) -> Vec<Value> {
    let bench: Value = serde_json::from_slice(&output.stdout).expect("an object");
    bench["rows"].as_array().expect("rows").clone()
}

#[test]
fn the_figures_of_a_search_fit_each_other() {
    let machine = model("phonebook_db.mch");
    let cards = ["--card", "Name=3", "--card", "Code=3", "--symmetry", "off", "--runs", "2"];
    let output = burnside(&[&["bench", &machine, "--format", "json"], &cards[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let rows = rows(&output);
    let row = &rows[0];
    // 4^3 partial functions; the counts are those of a check.
    let check = burnside(&[&["check", &machine, "--format", "json"], &cards[..6]].concat());
    let check: Value = serde_json::from_slice(&check.stdout).expect("an object");
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
    assert_eq!(now.status.code(), Some(0), "{now:?}");
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
    assert_eq!(other.status.code(), Some(2), "peterson has no such set: {other:?}");
    let text = stdout(&other);
    assert!(
        text.lines().any(|l| l.starts_with("phonebook_db Name=1") && l.ends_with('-')),
        "{text}"
    );
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
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(stdout(&output).contains("100+"), "the others are searched: {output:?}");
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(told.contains("wrong.mch") && told.contains("not declared"), "{told}");
    let limited = burnside(&["bench", &path("endless.mch"), "--max-states", "100"]);
    assert_eq!(limited.status.code(), Some(3), "{limited:?}");
    for (arguments, word) in [
        (vec!["bench", "/nowhere/at/all.mch"], "all.mch"),
        (vec!["bench", &path("endless.mch"), "--against", &path("wrong.mch")], "--against"),
        (vec!["bench", &path("endless.mch"), "--against", "/nowhere"], "--against"),
    ] {
        let output = burnside(&arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(word), "{output:?}");
    }
    std::fs::create_dir(desk.path().join("empty")).expect("a directory");
    let none = burnside(&["bench", &path("empty")]);
    assert_eq!(none.status.code(), Some(2), "{none:?}");
    assert!(String::from_utf8_lossy(&none.stderr).contains("no machine"), "{none:?}");
}
