//! Has a search come to take more work? `cargo bench --bench instructions`.
//!
//! Times differ from run to run, instructions hardly: each search is run once under callgrind, as a process of
//! its own on one thread, and what it took is compared with `benches/instructions.csv`. More than a twentieth
//! more is a failure; as much less asks to be recorded. What a compiler makes of the same source differs, so
//! the file says with which one it was made, and with another one nothing is compared.
//!
//! `-- --record` writes the file anew; any other argument takes only those whose name contains it.
//!
//! Where there is no valgrind nothing is measured, and that is said.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode};

/// By how much a figure may differ from the recorded one.
const TOLERANCE: f64 = 0.05;

/// A name, the machine, and how it is searched.
const WORK: [(&str, &str, &[&str]); 11] = [
    ("start to exit", "counting", &["--symmetry", "off", "--max-states", "1"]),
    ("functions", "phonebook_db", &["--card", "Name=5", "--card", "Code=5", "--symmetry", "off"]),
    ("sets", "scheduler0", &["--card", "PROC=7", "--symmetry", "off"]),
    ("quantifiers", "peterson", &["--card", "PROC=3", "--symmetry", "off"]),
    ("many operations", "ring_of_eight", &["--symmetry", "off"]),
    ("labels", "phonebook", &["--card", "Name=14", "--card", "Code=14", "--symmetry", "canon"]),
    ("isomorphism", "scheduler", &["--card", "PID=7", "--symmetry", "iso"]),
    ("grids", "sliding_tiles", &["--symmetry", "off", "--max-states", "20000"]),
    ("sequences", "towers", &["--symmetry", "off"]),
    ("constants", "queens", &["--symmetry", "off"]),
    ("tables", "sandpile", &["--symmetry", "off"]),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let record = arguments.iter().any(|a| a == "--record");
    let wanted: Vec<&String> = arguments.iter().filter(|a| *a != "--record").collect();
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: there is no valgrind here");
        return ExitCode::SUCCESS;
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/instructions.csv");
    let recorded = if record { None } else { read(&file) };
    if recorded.is_none() && !record {
        println!("measured, not compared: the recorded figures are those of another compiler");
    }
    let mut lines = format!("compiler,{}\n", compiler());
    let mut failed = false;
    for (name, machine, options) in WORK {
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let Some(now) = instructions(machine, options) else {
            println!("{name:24} failed under callgrind");
            failed = true;
            continue;
        };
        lines += &format!("{},{now}\n", name);
        let before = recorded.as_ref().and_then(|r| r.get(name));
        let verdict = before.map(|before| verdict(now, *before));
        failed |= verdict.as_ref().is_some_and(|(_, worse)| *worse);
        println!("{name:24}{now:>14}  {}", verdict.map_or(String::new(), |(text, _)| text));
    }
    if record && wanted.is_empty() && !failed {
        std::fs::write(&file, lines).expect("the figures are written");
        println!("recorded in {}", file.display());
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// What is to be said of a figure beside the recorded one, and whether it is too large.
fn verdict(now: u64, before: u64) -> (String, bool) {
    let change = now as f64 / before as f64 - 1.0;
    let worse = change > TOLERANCE;
    let remark = match change {
        _ if worse => ": too much",
        c if c < -TOLERANCE => ": less, to be recorded",
        _ => "",
    };
    (format!("{:+.1} %{remark}", 100.0 * change), worse)
}

/// The recorded figures, if this compiler made them.
fn read(file: &Path) -> Option<BTreeMap<String, u64>> {
    let text = std::fs::read_to_string(file).ok()?;
    let mut lines = text.lines().filter_map(|line| line.split_once(','));
    let (_, by) = lines.next()?;
    (by == compiler())
        .then(|| lines.filter_map(|(n, i)| Some((n.to_owned(), i.parse().ok()?))).collect())
}

fn compiler() -> String {
    let version = Command::new("rustc").arg("--version").output();
    let version = version.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
    version.unwrap_or_else(|_| "unknown".to_owned())
}

/// Instructions of a whole check.
fn instructions(machine: &str, options: &[&str]) -> Option<u64> {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("models/{machine}.mch"));
    let out = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env!("CARGO_BIN_EXE_burnside"))
        .args(["check", "--quiet", "--threads", "1"])
        .args(options)
        .arg(model)
        .output()
        .ok()?;
    // A bounded search ends with status 3; a crash has none, or another.
    if !matches!(out.status.code(), Some(0 | 3)) {
        return None;
    }
    let text = String::from_utf8_lossy(&out.stderr).into_owned();
    let line = text.lines().find_map(|line| line.split_once("Collected : "))?;
    line.1.trim().parse().ok()
}
