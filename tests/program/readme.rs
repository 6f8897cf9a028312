//! The README and the pages in `docs/`, held to their word: every command in a `console` block runs,
//! ends with the status that is shown (0 where none is) and prints what is shown; every link leads
//! to a file and a heading that there are; the README is short.
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

/// The pages for users, from the root: the README and what it links to in `docs/`.
fn pages() -> Vec<String> {
    let mut docs: Vec<String> = std::fs::read_dir(root().join("docs"))
        .expect("docs")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .map(|name| format!("docs/{name}"))
        .collect();
    docs.sort();
    docs.insert(0, "README.md".to_owned());
    docs
}

/// A command with the lines shown below it.
#[derive(Debug, PartialEq)]
struct Example {
    /// The page and the line, from 1.
    place: String,
    command: String,
    /// `None`: nothing is shown, and anything may be printed.
    output: Option<Vec<String>>,
    status: i32,
}

/// The commands of all `console` blocks.
fn examples(page: &str, text: &str) -> Vec<Example> {
    let mut all: Vec<Example> = Vec::new();
    let mut inside = false;
    let mut after_status = false;
    for (number, line) in text.lines().enumerate() {
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
            let place = format!("{page}:{}", number + 1);
            all.push(Example { place, command, output: None, status: 0 });
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

/// Runs the program as a page shows it, beside a copy of the models.
fn run(example: &Example, arguments: &[String], desk: &Path) {
    let output = Command::new(env!("CARGO_BIN_EXE_burnside"))
        .args(arguments)
        .current_dir(desk)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    let printed = text(&output.stdout) + &text(&output.stderr);
    let Example { place, command, .. } = example;
    let status = output.status.code();
    assert_eq!(status, Some(example.status), "{place}: {command}\n{printed}");
    if let Some(shown) = &example.output {
        let lines: Vec<&str> = printed.lines().collect();
        assert!(
            fits(shown, &lines),
            "{place}: {command}\nshown:\n{}\n\nprinted:\n{printed}",
            shown.join("\n")
        );
    }
}

/// A command of cargo.
fn cargo(example: &Example, words: &[String], desk: &Path) {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Example { place, command, .. } = example;
    match words[1..] {
        ["run", "--release"] => run(example, &[], desk),
        ["run", "--release", "--", ref rest @ ..] => {
            let rest: Vec<String> = rest.iter().map(|w| (*w).to_owned()).collect();
            run(example, &rest, desk);
        }
        ["bench", "--bench", name] => {
            let manifest = read("Cargo.toml");
            let declared = format!("[[bench]]\nname = \"{name}\"");
            assert!(manifest.contains(&declared), "{place}: no benchmark {name}");
        }
        _ => {
            let ci = read(".ci/run");
            let known = ci.lines().any(|l| l.trim() == command);
            assert!(known, "{place}: .ci/run does not run `{command}`");
        }
    }
}

fn copy_models(desk: &Path) {
    let target = desk.join("models");
    std::fs::create_dir(&target).expect("a directory");
    let source: PathBuf = root().join("models");
    for entry in std::fs::read_dir(source).expect("models") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        if path.extension().is_some_and(|e| e == "mch" || e == "eventb") {
            std::fs::copy(&path, target.join(name)).expect("a copy");
        } else if path.is_dir() {
            std::fs::create_dir(target.join(name)).expect("a directory");
            for file in std::fs::read_dir(&path).expect("a project") {
                let file = file.expect("an entry").path();
                let own = file.file_name().expect("a name");
                std::fs::copy(&file, target.join(name).join(own)).expect("a copy");
            }
        }
    }
}

#[test]
fn every_command_of_every_page_runs() {
    for page in pages() {
        // A desk for each page: no page depends on what another one wrote.
        let desk = tempfile::tempdir().expect("a directory");
        copy_models(desk.path());
        for example in &examples(&page, &read(&page)) {
            let words = words(&example.command);
            match words[0].as_str() {
                "burnside" => run(example, &words[1..], desk.path()),
                "cargo" => cargo(example, &words, desk.path()),
                other => panic!("{}: what is {other}?", example.place),
            }
        }
    }
}

/// Commands that are shown to be run are found by the test above: as many as there are, at least.
#[test]
fn the_commands_are_found() {
    let number = |page: &str| examples(page, &read(page)).len();
    assert!(number("README.md") >= 5);
    assert!(number("docs/command-line.md") >= 8);
    assert!(number("docs/methods.md") >= 2);
    assert!(number("docs/performance.md") >= 3);
}

/// Both commands of the first section are there.
#[test]
fn the_two_commands_are_shown() {
    let examples = examples("README.md", &read("README.md"));
    for command in ["cargo run --release", "cargo test"] {
        assert!(examples.iter().any(|e| e.command == command), "{command}");
    }
}

#[test]
fn the_readme_is_short() {
    let lines = read("README.md").lines().count();
    assert!(lines < 250, "the README has {lines} lines: reference belongs into docs/");
}

/// A page begins with what it is for.
#[test]
fn pages_say_what_they_are_for() {
    for page in pages().iter().skip(1) {
        let text = read(page);
        let mut paragraphs = text.split("\n\n");
        assert!(paragraphs.next().is_some_and(|title| title.starts_with("# ")), "{page}");
        let first = paragraphs.next().unwrap_or("");
        assert!(first.starts_with("This page is for "), "{page}: {first}");
    }
}

/// The links of a page, outside of blocks of code: line and target.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut inside = false;
    let mut all = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = !inside;
        }
        if !inside {
            let targets = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
            all.extend(targets.map(|(target, _)| (number + 1, target.to_owned())));
        }
    }
    all
}

/// The name by which a link refers to a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut all = pages();
    all.extend(["CONTRIBUTING.md", "benches/nauty/README.md"].map(str::to_owned));
    for page in &all {
        let text = read(page);
        for (line, link) in links(&text) {
            if link.contains("://") {
                continue;
            }
            let (path, wanted) = link.split_once('#').unwrap_or((&link, ""));
            let folder = root().join(page);
            let target = match path {
                "" => folder,
                path => folder.parent().expect("a folder").join(path),
            };
            assert!(target.is_file(), "{page}:{line}: there is no {path}");
            if !wanted.is_empty() {
                let there = std::fs::read_to_string(&target).expect("text");
                let mut headings = there.lines().filter(|l| l.starts_with('#')).map(anchor);
                assert!(headings.any(|h| h == wanted), "{page}:{line}: no heading for {link}");
            }
        }
    }
    let readme = links(&read("README.md"));
    for page in pages().iter().skip(1) {
        assert!(readme.iter().any(|(_, link)| link == page), "the README does not name {page}");
    }
}

/// What is said to be unsupported is refused as such: once it is supported, the page has to change.
#[test]
fn what_is_not_supported_is_refused() {
    let machine = |body: &str| {
        format!("MACHINE M {body} VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0 END")
    };
    let refused = [("unions", machine("ASSERTIONS {union({NATURAL, INTEGER})} = {INTEGER}"))];
    let page = read("docs/language.md");
    let after = page.split_once("Not supported yet").expect("the paragraph").1;
    let paragraph = after.split("\n\n").next().unwrap_or("");
    for (name, text) in refused {
        assert!(paragraph.contains(name), "docs/language.md does not name {name}");
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
    let all = examples("a page", text);
    assert_eq!(all.len(), 2);
    assert_eq!(words(&all[0].command), ["burnside", "check", "a b"]);
    assert_eq!(all[1].place, "a page:6");
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

#[test]
fn links_and_headings_are_read() {
    let text = "see [a](b.md#c-d) and [e](f)\n```text\n[no](link)\n```\n[g](#h)";
    let all = [(1, "b.md#c-d"), (1, "f"), (5, "#h")].map(|(line, link)| (line, link.to_owned()));
    assert_eq!(links(text), all);
    assert_eq!(anchor("## How to read `the` matrix?"), "how-to-read-the-matrix");
}
