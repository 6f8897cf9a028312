//! `burnside tables`: what it prints, as a program; and `--constant`, which its machines need.

use crate::common::model_file;
use crate::said::{json, status, stderr, stdout};
use serde_json::Value;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command.args(arguments).stdin(Stdio::null());
    // The machines are part of the program: any directory will do.
    command.current_dir(std::env::temp_dir());
    command
}

fn burnside(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// The cells of a table in JSON, with its exit status.
fn cells(table: &str) -> Vec<Value> {
    let output = burnside(&["tables", table, "--format", "json", "--quiet"]);
    assert_eq!(status(&output), 0, "{output:?}");
    let tables = json(&output)["tables"].as_array().unwrap().clone();
    assert_eq!(tables.len(), 1, "{table}");
    assert_eq!(tables[0]["name"], table);
    tables[0]["cells"].as_array().unwrap().clone()
}

/// Our figures in the cells of a row, in the order of the columns.
fn ours(cells: &[Value], section: &str, row: &str) -> Vec<String> {
    let row = cells.iter().filter(|c| c["section"] == section && c["row"] == row);
    row.map(|c| c["ours"].as_str().unwrap_or_default().to_owned()).collect()
}

/// The reasons of a table: where the paper's figure and ours differ.
fn differing(cells: &[Value]) -> Vec<(String, String, String)> {
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let differing = cells.iter().filter(|c| c["agreement"] == "explained");
    differing.map(|c| (text(&c["row"]), text(&c["paper"]), text(&c["ours"]))).collect()
}

#[test]
fn names_and_what_is_behind_them() {
    let output = burnside(&["tables", "--list"]);
    assert_eq!(status(&output), 0);
    let list = stdout(&output);
    let names: Vec<&str> = list.lines().filter_map(|l| l.split_whitespace().next()).collect();
    let expected = [
        "turner-table1",
        "turner-figure11",
        "bosnacki-figure4",
        "bosnacki-figure8",
        "bosnacki-figure9",
        "rensink-table3",
        "rensink-table4",
        "rensink-table5",
        "dobrikov-table1",
    ];
    assert_eq!(names, expected);
    assert!(list.lines().all(|l| l.chars().count() <= 80 && l.len() > 30), "{list}");

    let unknown = burnside(&["tables", "rensink", "table9"]);
    assert_eq!(status(&unknown), 2);
    assert_eq!(stdout(&unknown), "");
    let told = stderr(&unknown);
    assert!(told.contains("no table `table9`"), "{told}");
    assert!(expected.iter().all(|name| told.contains(name)), "{told}");
}

/// The two misprints, the search of the faulty phonebook, and nothing else.
#[test]
fn states_and_transitions_of_five_machines() {
    let cells = cells("turner-table1");
    assert_eq!(cells.len(), (4 * 6 + 3) * 4);
    assert!(cells.iter().all(|c| c["state"] == "found" && c["agreement"] != "unexplained"));
    let row = ours(&cells, "phonebook", "6");
    assert_eq!(row, ["117650", "31", "1815157", "541"]);
    let differing = differing(&cells);
    let misprints: Vec<_> = differing.iter().map(|(n, p, o)| (&n[..], &p[..], &o[..])).collect();
    assert_eq!(misprints[..2], [("5", "2418", "2481"), ("3", "1277", "1227")]);
    assert_eq!(misprints.len(), 2 + 3 * 4);
    assert!(cells.iter().all(|c| c["reason"].is_null() != (c["agreement"] == "explained")));
}

/// Partial order reduction: one state for each step of the counters.
#[test]
fn states_and_transitions_with_partial_order_reduction() {
    let cells = cells("dobrikov-table1");
    assert_eq!(cells.len(), (5 * 4 + 2) * 4);
    assert_eq!(ours(&cells, "Counters", "MC-NoINV")[..2], ["110813", "325003"]);
    assert_eq!(ours(&cells, "Counters", "MC-NoINV+POR")[..2], ["153", "153"]);
    assert_eq!(ours(&cells, "Token Ring", "MC-NoINV")[..2], ["4097", "22536"]);
    assert_eq!(ours(&cells, "Token Ring", "MC-NoINV+POR")[..2], ["81", "96"]);
    assert_eq!(ours(&cells, "Sieve", "MC")[..2], ["", ""]);
    assert_eq!(ours(&cells, "Counters", "MC-NoINV+stubborn")[..2], ["153", "153"]);
    // The packages are looked for where the reader says, and need not all be there.
    let output = burnside(&["tables", "dobrikov", "--quiet", "--packages", "/nowhere/at/all"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("is no folder"), "{output:?}");
    assert!(cells.iter().all(|c| c["agreement"] != "unexplained"));
}

#[test]
fn configurations_of_networks() {
    let cells = cells("rensink-table3");
    assert_eq!(ours(&cells, "C = 2", "6")[..2], ["1000000", "1499"]);
    assert_eq!(ours(&cells, "C = 1", "8")[..2], ["5764801", "291"]);
    // All that is searched without --full comes out.
    assert_eq!(differing(&cells), []);
    let large = |c: &&Value| c["state"] == "only-full";
    assert_eq!(cells.iter().filter(large).count(), 3 * 4);
    assert!(cells.iter().all(|c| c["agreement"] != "unexplained"));
}

#[test]
fn a_table_as_text_and_as_csv() {
    let output = burnside(&["tables", "turner-figure11"]);
    assert_eq!(status(&output), 0, "{output:?}");
    let text = stdout(&output);
    assert!(text.starts_with("turner-figure11: "), "{text}");
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    // The paper's time and speedup.
    let last = text.lines().find(|l| l.contains("13944.97")).unwrap_or_else(|| panic!("{text}"));
    assert!(last.starts_with("6 ") && last.contains(" 231.0 "), "{last}");
    assert!(text.contains("speedup") && text.contains("compared"), "{text}");
    assert_eq!(stderr(&output), "");

    let output = burnside(&["tables", "RENSINK-TABLE4", "--format", "csv"]);
    assert_eq!(status(&output), 0, "{output:?}");
    let csv = stdout(&output);
    let mut lines = csv.lines();
    assert_eq!(lines.next().map(|l| l.matches(',').count()), Some(8));
    assert!(
        csv.contains("rensink-table4,C = 2,6 phases,configurations,\"1,498\",1498,found,same,")
    );
    assert_eq!(lines.count(), 12 * 5);
}

/// The table at hand is printed with what was found, and the program ends at once.
#[cfg(unix)]
#[test]
fn an_interrupted_table_tells_what_it_found() {
    let mut command = command(&["tables", "rensink-table3", "bosnacki", "--full", "--quiet"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let begun = Instant::now();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    assert_eq!(status(&output), 130, "{output:?}");
    let text = stdout(&output);
    assert!(text.contains("?  the search was not finished"), "{text}");
    assert!(text.contains("figures compared"), "{text}");
}

/// `--constant` chooses among the values that the PROPERTIES leave.
#[test]
fn a_constant_from_the_command_line() {
    let file = model_file("network");
    let path = file.to_str().unwrap();
    let check = |options: &[&str]| {
        let all = ["check", path, "--card", "NODE=4", "--keep-going", "--format", "json"];
        let output = burnside(&[&all, options].concat());
        (status(&output), json(&output))
    };
    let deadlocked = |options: &[&str]| check(options).1["deadlocked_states"].as_u64();
    assert_eq!(deadlocked(&["--constant", "view_size=2"]), Some(6));
    assert_eq!(deadlocked(&["--constant", "view_size = card(NODE) - 1"]), Some(1));
    // All sizes together: 6 + 6 + 1.
    assert_eq!(deadlocked(&[]), Some(13));
    let full = check(&["--constant", "view_size=2"]).1;
    assert_eq!(full["full_deadlocked_states"], "81");

    // Against the PROPERTIES there is no set-up.
    assert_eq!(check(&["--constant", "view_size=4"]).1["verdict"], "no-setup");
    for (wrong, message) in [
        ("view_sise=2", "did you mean view_size?"),
        ("view=2", "no such constant"),
        ("view_size=n", "n"),
        ("view_size=view", "view"),
        ("view_size=1 +", ""),
        ("view_size=TRUE", ""),
    ] {
        let (status, report) = check(&["--constant", wrong]);
        assert_eq!((status, &report["verdict"]), (2, &"rejected".into()), "{wrong}");
        assert!(report["diagnostics"].to_string().contains(message), "{wrong}: {report}");
    }
    let twice = check(&["--constant", "view_size=2", "--constant", "view_size=2"]);
    assert_eq!(twice.0, 2);
    assert!(twice.1["diagnostics"].to_string().contains("twice"));
    for usage in ["view_size", "=2", "view_size=", "2=2"] {
        assert_eq!(status(&burnside(&["check", path, "--constant", usage])), 2, "{usage}");
    }
}

/// A trace says which values its constants were given, and replays with them.
#[test]
fn a_trace_keeps_the_constants() {
    let directory = tempfile::tempdir().unwrap();
    let trace = directory.path().join("trace.json");
    let (file, trace) = (model_file("network"), trace.to_str().unwrap());
    let path = file.to_str().unwrap();
    let options = ["--card", "NODE=4", "--constant", "view_size=3", "--trace", trace];
    let found = burnside(&[&["check", path], &options[..]].concat());
    assert_eq!(status(&found), 1, "{found:?}");
    let written: Value = serde_json::from_str(&std::fs::read_to_string(trace).unwrap()).unwrap();
    assert_eq!(written["constants"]["view_size"], "3");
    let replayed = burnside(&["replay", path, trace]);
    assert_eq!(status(&replayed), 0, "{replayed:?}");
}
