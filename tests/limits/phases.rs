//! A limit holds in every phase of a command: machines that are slow in one, as processes. Where the report
//! is what takes long is in the tests beside this one: a machine that did would fill the memory.

use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// What is asked for, and whether the machine has something to be found.
struct Slow {
    /// How the bound names the phase.
    phase: &'static str,
    text: String,
    options: &'static [&'static str],
    found: bool,
    /// Whether memory is what it needs, too.
    grows: bool,
}

const PLAIN: &str = "VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0";

fn slow(phase: &'static str, clauses: &str) -> Slow {
    let text = format!("MACHINE M {clauses} END");
    Slow { phase, text, options: &[], found: false, grows: false }
}

/// Definitions that double: typing them ends at their number, and takes memory until then.
fn doubling() -> Slow {
    let doubled: Vec<String> = (1..40).map(|i| format!("d{i} == (d{0} & d{0})", i - 1)).collect();
    let definitions = format!("DEFINITIONS d0 == (x = x); {}", doubled.join("; "));
    let variables = "VARIABLES x INVARIANT x : 0..1 & d39 INITIALISATION x := 0";
    slow("the types were checked", &format!("{definitions} {variables}"))
}

/// A machine for each phase. Each would take minutes.
fn machines() -> Vec<Slow> {
    let conjuncts = " & x /= 10".repeat(800_000);
    // For each name that is not declared one is looked for that looks like it.
    let list = |name: &str, separator: &str| {
        let name = name.repeat(12);
        (0..2_000).map(|i| format!("{name}_{i}")).collect::<Vec<_>>().join(separator)
    };
    let product = "a : 1..100000 & b : 1..100000 & a ** (b / b) / b + b / a = 777777";
    let subsets = "SETS S VARIABLES all, f INVARIANT all : POW(POW(S)) & f : BOOL";
    vec![
        Slow {
            grows: true,
            ..slow(
                "the files were read",
                &format!("VARIABLES x INVARIANT x : 0..9{conjuncts} INITIALISATION x := 0"),
            )
        },
        slow(
            "the types were checked",
            &format!(
                "CONSTANTS {} PROPERTIES {} {PLAIN}",
                list("known", ", "),
                list("unknown", " & TRUE = ")
            ),
        ),
        Slow {
            options: &[
                "--goal",
                "d(d(d(d(d(d(d(d(d(d(d(d(d(d(d(d(d(d(d(d(d(d(d(d(x = x))))))))))))))))))))))))",
            ],
            ..slow(
                "the sets were given their sizes",
                &format!("DEFINITIONS d(p) == (p & p & p & p) {PLAIN}"),
            )
        },
        slow("the PROPERTIES were solved", &format!("CONSTANTS a, b PROPERTIES {product} {PLAIN}")),
        Slow {
            grows: true,
            ..slow(
                "the INITIALISATION was run",
                "VARIABLES x, y INVARIANT x : NATURAL & y : NATURAL \
                 INITIALISATION x :: 1..100000 || y :: 1..100000",
            )
        },
        slow(
            "the states were searched",
            &format!("{PLAIN} OPERATIONS o(a, b) = PRE {product} THEN skip END"),
        ),
        Slow {
            options: &["--card", "S=16"],
            ..slow(
                "a state was labelled",
                &format!("{subsets} INITIALISATION all := POW(S) || f := TRUE"),
            )
        },
        // The search follows one triple of each orbit, the run is looked for among all.
        Slow {
            options: &["--card", "S=30"],
            found: true,
            ..slow(
                "the run to what was found was put together",
                "SETS S VARIABLES x, f INVARIANT x : INTEGER & f = FALSE \
                 INITIALISATION x := 0 || f := FALSE OPERATIONS \
                 o(a, b, c) = PRE a : S & b : S & c : S THEN \
                 f := TRUE || \
                 x := card({n | n : 0..4000 & n mod (x + 7 + card({a, b, c})) = 1}) END",
            )
        },
    ]
}

/// Far more than any of them needs on a busy machine, and far less than the work would.
const SOON: Duration = Duration::from_secs(40);

fn check(slow: &Slow, file: &Path, limits: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command.args(["check", "--format", "json"]).args(slow.options).args(limits).arg(file);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("runs")
}

/// Whether it ended in a phase before the one that was to be reached: a busy machine takes its time to read
/// the files.
fn too_early(slow: &Slow, output: &Output) -> bool {
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let bounds = report["bounds"].as_array().cloned().unwrap_or_default();
    !bounds.iter().any(|b| b.as_str().is_some_and(|b| b.contains(slow.phase)))
}

/// That it ended soon, with this status and this bound.
fn ended(slow: &Slow, begun: Instant, output: &Output, status: i32, why: &str) {
    let note = format!("{}, {why}: {output:?}", slow.phase);
    assert!(begun.elapsed() < SOON, "{:?}: {note}", begun.elapsed());
    assert_eq!(output.status.code(), Some(status), "{note}");
    let report: Value = serde_json::from_slice(&output.stdout).expect(&note);
    let verdict = if slow.found { "invariant-violation" } else { "none-found" };
    assert_eq!(
        (&report["verdict"], &report["complete"]),
        (&verdict.into(), &false.into()),
        "{note}"
    );
    let bounds = report["bounds"].as_array().expect(&note);
    let named = |b: &Value| b.as_str().is_some_and(|b| b.contains(why) && b.contains(slow.phase));
    assert!(bounds.iter().any(named), "{note}");
}

fn written(folder: &tempfile::TempDir, slow: &Slow, number: usize) -> std::path::PathBuf {
    let file = folder.path().join(format!("m{number}.mch"));
    std::fs::write(&file, &slow.text).expect("written");
    file
}

#[test]
fn the_time_limit_holds_in_every_phase() {
    let folder = tempfile::tempdir().expect("a folder");
    for (i, slow) in machines().iter().enumerate() {
        let file = written(&folder, slow, i);
        for (limit, last) in [("0.3", false), ("2", false), ("10", true)] {
            let begun = Instant::now();
            let output =
                check(slow, &file, &["--timeout", limit]).wait_with_output().expect("ends");
            if !last && too_early(slow, &output) {
                continue;
            }
            let status = if slow.found { 1 } else { 3 };
            ended(
                slow,
                begun,
                &output,
                status,
                &format!("stopped after {limit} seconds (--timeout)"),
            );
            break;
        }
    }
}

#[test]
fn the_memory_limit_holds_in_every_phase() {
    let folder = tempfile::tempdir().expect("a folder");
    let growing = machines().into_iter().filter(|slow| slow.grows).chain([doubling()]);
    for (i, slow) in growing.enumerate() {
        let file = written(&folder, &slow, i);
        let begun = Instant::now();
        let output = check(&slow, &file, &["--memory", "28M"]).wait_with_output().expect("ends");
        ended(&slow, begun, &output, 3, "stopped at the memory limit (--memory)");
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_every_phase() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut open: Vec<(usize, Slow)> = machines().into_iter().enumerate().collect();
    for (wait, last) in [(2, false), (10, false), (30, true)] {
        // All at once: what takes time is that they get far enough.
        let started: Vec<(usize, Slow, Child)> = std::mem::take(&mut open)
            .into_iter()
            .map(|(i, slow)| {
                let child = check(&slow, &written(&folder, &slow, i), &[]);
                (i, slow, child)
            })
            .collect();
        std::thread::sleep(Duration::from_secs(if started.is_empty() { 0 } else { wait }));
        let begun = Instant::now();
        for (.., child) in &started {
            let id = child.id().to_string();
            assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill").success());
        }
        for (i, slow, child) in started {
            let output = child.wait_with_output().expect("ends");
            if !last && too_early(&slow, &output) {
                open.push((i, slow));
                continue;
            }
            ended(&slow, begun, &output, 143, "interrupted");
        }
    }
}
