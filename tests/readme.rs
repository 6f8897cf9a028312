//! The README, held to its word: every command in a `console` block runs, ends with the status that
//! is shown (0 where none is) and prints what is shown.
//!
//! `echo $?` shows the status of the command above it. A line `...` stands for lines left out.
//! Times, sizes in memory and numbers with a decimal point may differ. Commands of cargo are either
//! those of `.ci/run`, or `cargo run --release`, which is run as the program itself, or name a
//! benchmark that there is.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    let path = root().join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"))
}

/// A command with the lines shown below it.
#[derive(Debug, PartialEq)]
struct Example {
    /// In the README, from 1.
    line: usize,
    command: String,
    /// `None`: nothing is shown, and anything may be printed.
    output: Option<Vec<String>>,
    status: i32,
}

/// The commands of all `console` blocks.
fn examples(readme: &str) -> Vec<Example> {
    let mut all: Vec<Example> = Vec::new();
    let mut inside = false;
    let mut after_status = false;
    for (number, line) in readme.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```console";
            continue;
        }
        if !inside {
            continue;
        }
        if line == "$ echo $?" {
            after_status = true;
        } else if let Some(command) = line.strip_prefix("$ ") {
            // A comment explains the line to the reader.
            let command = command.split(" # ").next().unwrap_or("").trim().to_owned();
            all.push(Example { line: number + 1, command, output: None, status: 0 });
        } else {
            let last = all.last_mut().expect("a block begins with a command");
            if std::mem::take(&mut after_status) {
                last.status = line.trim().parse().expect("a status below `echo $?`");
            } else {
                last.output.get_or_insert_default().push(line.to_owned());
            }
        }
    }
    all
}

/// The words of a command; single quotes keep blanks.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in command.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

const UNITS: [&str; 6] = ["µs", "ms", "s", "KiB", "MiB", "GiB"];

/// The words of a line, with what differs from run to run replaced by `#`.
fn lasting(line: &str) -> Vec<String> {
    let parts = line.split(|c: char| c.is_whitespace() || c == ',').filter(|p| !p.is_empty());
    let mut words: Vec<String> = Vec::new();
    for part in parts {
        let number = |w: &str| w == "#" || w.parse::<f64>().is_ok();
        let measured = words.last().is_some_and(|w| number(w));
        let memory = words.last().is_some_and(|w| w == "\"peak_memory_bytes\":");
        if UNITS.contains(&part) && measured {
            words.pop();
            words.push("#".to_owned());
        } else if memory || part.contains('.') && part.parse::<f64>().is_ok() {
            words.push("#".to_owned());
        } else {
            words.push(part.to_owned());
        }
    }
    words
}

/// Whether the lines are those shown, `...` standing for any number of lines.
fn fits(shown: &[String], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.iter().all(|l| l.trim().is_empty()),
        Some((line, rest)) if line.trim() == "..." => {
            (0..=printed.len()).any(|skip| fits(rest, &printed[skip..]))
        }
        Some((line, rest)) => printed
            .split_first()
            .is_some_and(|(first, others)| lasting(line) == lasting(first) && fits(rest, others)),
    }
}

/// Runs the program as the README shows it, beside a copy of the models.
fn run(example: &Example, arguments: &[String], desk: &Path) {
    let output = Command::new(env!("CARGO_BIN_EXE_burnside"))
        .args(arguments)
        .current_dir(desk)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    let printed = text(&output.stdout) + &text(&output.stderr);
    let Example { line, command, .. } = example;
    let status = output.status.code();
    assert_eq!(status, Some(example.status), "README.md:{line}: {command}\n{printed}");
    if let Some(shown) = &example.output {
        let lines: Vec<&str> = printed.lines().collect();
        assert!(
            fits(shown, &lines),
            "README.md:{line}: {command}\nshown:\n{}\n\nprinted:\n{printed}",
            shown.join("\n")
        );
    }
}

/// A command of cargo.
fn cargo(example: &Example, words: &[String], desk: &Path) {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Example { line, command, .. } = example;
    match words[1..] {
        ["run", "--release"] => run(example, &[], desk),
        ["run", "--release", "--", ref rest @ ..] => {
            let rest: Vec<String> = rest.iter().map(|w| (*w).to_owned()).collect();
            run(example, &rest, desk);
        }
        ["bench", "--bench", name] => {
            let manifest = read("Cargo.toml");
            let declared = format!("[[bench]]\nname = \"{name}\"");
            assert!(manifest.contains(&declared), "README.md:{line}: no benchmark {name}");
        }
        _ => {
            let ci = read(".ci/run");
            let known = ci.lines().any(|l| l.trim() == command);
            assert!(known, "README.md:{line}: .ci/run does not run `{command}`");
        }
    }
}

fn copy_models(desk: &Path) {
    let target = desk.join("models");
    std::fs::create_dir(&target).expect("a directory");
    let source: PathBuf = root().join("models");
    for entry in std::fs::read_dir(source).expect("models") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "mch") {
            let name = path.file_name().expect("a name");
            std::fs::copy(&path, target.join(name)).expect("a copy");
        }
    }
}

#[test]
fn every_command_of_the_readme_runs() {
    let desk = tempfile::tempdir().expect("a directory");
    copy_models(desk.path());
    let examples = examples(&read("README.md"));
    assert!(examples.len() >= 10, "the README shows {} commands", examples.len());
    for example in &examples {
        let words = words(&example.command);
        match words[0].as_str() {
            "burnside" => run(example, &words[1..], desk.path()),
            "cargo" => cargo(example, &words, desk.path()),
            other => panic!("README.md:{}: what is {other}?", example.line),
        }
    }
}

/// Both commands of the first section are there.
#[test]
fn the_two_commands_are_shown() {
    let examples = examples(&read("README.md"));
    for command in ["cargo run --release", "cargo test"] {
        assert!(examples.iter().any(|e| e.command == command), "{command}");
    }
}

/// What is said to be unsupported is refused as such: once it is supported, the README has to change.
#[test]
fn what_is_not_supported_is_refused() {
    let machine = |body: &str| {
        format!("MACHINE M {body} VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0 END")
    };
    let refused = [
        ("cardinality", machine("ASSERTIONS card(NATURAL) = 1")),
        ("maximum", machine("ASSERTIONS max(NATURAL) = 1")),
    ];
    let readme = read("README.md");
    let after = readme.split_once("Not supported yet").expect("the paragraph").1;
    let paragraph = after.split("\n\n").next().unwrap_or("");
    for (name, text) in refused {
        assert!(paragraph.contains(name), "the README does not name {name}");
        let loaded = burnside::session::Session::open(
            burnside::session::Origin::Embedded { name: "M.mch".to_owned(), text },
            burnside::setup::SetupOptions::default(),
        );
        let messages: Vec<&str> = loaded.diagnostics().iter().map(|d| d.message.as_str()).collect();
        let said = messages.iter().any(|m| m.starts_with("not supported yet"));
        assert!(said && loaded.model().is_none(), "{name}: {messages:?}");
    }
}

#[test]
fn blocks_are_read_and_compared() {
    let text =
        "```console\n$ burnside check 'a b' # why\nok 1.5 ms\n$ echo $?\n1\n$ cargo test\n```\n";
    let all = examples(text);
    assert_eq!(all.len(), 2);
    assert_eq!(words(&all[0].command), ["burnside", "check", "a b"]);
    assert_eq!((all[0].status, all[1].status), (1, 0));
    let shown = all[0].output.clone().expect("a line");
    assert!(fits(&shown, &["ok   12 µs"]));
    assert!(!fits(&shown, &["ok 1.5 ms", "more"]));
    assert!(!fits(&shown, &["no 1.5 ms"]));
    let cut = ["first", "...", "last 3"].map(str::to_owned);
    assert!(fits(&cut, &["first", "last 3"]));
    assert!(fits(&cut, &["first", "between", "last 3"]));
    assert!(!fits(&cut, &["first", "between", "last 4"]));
}
