//! The invariants of the house that can be read off its source: imports point up the map in `lib.rs`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The rooms, from the top of the map in `lib.rs` to its bottom. Rooms of one line are equals.
fn rooms() -> Vec<Vec<String>> {
    let map = std::fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let rows = map.lines().filter(|l| l.starts_with("//! | [`"));
    let rooms: Vec<Vec<String>> = rows
        .map(|row| {
            let cell = row.split('|').nth(1).unwrap();
            cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
        })
        .collect();
    let listed: BTreeSet<&String> = rooms.iter().flatten().collect();
    for line in map.lines() {
        if let Some(module) = line.strip_prefix("pub mod ").and_then(|l| l.strip_suffix(';')) {
            assert!(listed.contains(&module.to_owned()), "`{module}` is not on the map in lib.rs");
        }
    }
    assert!(rooms.len() > 10, "the map in lib.rs was not found");
    rooms
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file of a room: path from `src`, text without comments and without test modules.
fn files(room: &str) -> Vec<(PathBuf, String)> {
    let source = root().join("src");
    let mut waiting = vec![source.join(format!("{room}.rs")), source.join(room)];
    let mut found = Vec::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(std::fs::read_dir(&path).unwrap().map(|e| e.unwrap().path()));
        } else if path.is_file() && path.extension().is_some_and(|e| e == "rs") && !is_test(&path) {
            let text = std::fs::read_to_string(&path).unwrap();
            found.push((path.strip_prefix(&source).unwrap().to_owned(), code(&text)));
        }
    }
    assert!(!found.is_empty(), "room `{room}` has no file");
    found
}

fn is_test(path: &Path) -> bool {
    path.file_stem().is_some_and(|n| n == "tests")
        || path.components().any(|c| c.as_os_str() == "tests")
}

/// The code of a file: line comments cut off, and everything from its test module on.
fn code(text: &str) -> String {
    let body = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let lines = body.lines().map(|line| match line.find("//") {
        Some(at) if !line[..at].contains('"') => &line[..at],
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The rooms that a text mentions as `crate::room`, also inside `use crate::{...}`.
fn mentioned(code: &str) -> BTreeSet<String> {
    let word = |s: &str| -> String {
        s.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let mut found = BTreeSet::new();
    for (at, prefix) in code.match_indices("crate::") {
        let rest = &code[at + prefix.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            found.insert(word(rest));
            continue;
        };
        let mut depth = 0;
        let mut start = true;
        for (i, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => start = true,
                c if start && !c.is_whitespace() => {
                    found.insert(word(&group[i..]));
                    start = false;
                }
                _ => {}
            }
        }
    }
    found
}

#[test]
fn imports_point_up_the_map() {
    let rooms = rooms();
    let place = |room: &str| rooms.iter().position(|row| row.iter().any(|r| r == room));
    let mut wrong = Vec::new();
    for (row, names) in rooms.iter().enumerate() {
        for room in names {
            for (path, code) in files(room) {
                for other in mentioned(&code) {
                    if place(&other).is_some_and(|p| p > row) {
                        wrong.push(format!("{}: {room} uses {other}", path.display()));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "imports down the map:\n{}", wrong.join("\n"));
}

#[test]
fn nobody_meets_a_machine_that_is_only_typed() {
    let mut wrong = Vec::new();
    for room in rooms().concat().iter().filter(|room| *room != "normalise" && *room != "typing") {
        for (path, code) in files(room) {
            for name in ["from_path", "from_bytes", "from_text", "predicate", "question"] {
                if code.contains(&format!("typing::{name}(")) {
                    wrong.push(format!("{}: typing::{name}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "normalisation is left out:\n{}", wrong.join("\n"));
}

/// Rooms that stand above another one on the map.
fn above(room: &str) -> Vec<String> {
    let rooms = rooms();
    let row = rooms.iter().position(|row| row.iter().any(|r| r == room)).expect("on the map");
    rooms[..row].concat()
}

#[test]
fn library_rooms_know_no_terminal() {
    let mut wrong = Vec::new();
    for room in above("watch") {
        for (path, code) in files(&room) {
            for name in ["ratatui", "crossterm", "notify", "clap", "anyhow"] {
                let used = [format!("{name}::"), format!("use {name};")];
                if used.iter().any(|u| code.contains(u)) {
                    wrong.push(format!("{} uses {name}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_outer_rooms_print() {
    let mut wrong = Vec::new();
    for room in above("tui") {
        for (path, code) in files(&room) {
            for name in ["println!", "print!", "dbg!", "stdout()", "stderr()"] {
                if code.contains(name) {
                    wrong.push(format!("{} uses {name}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn imports_are_read_in_all_their_forms() {
    let code = code(
        "use crate::a::B; // crate::comment\nuse crate::{c::{D, E}, f};\nlet x = crate::g::h();\n\
         #[cfg(test)]\nmod tests { use crate::later; }",
    );
    let expected: BTreeSet<String> = ["a", "c", "f", "g"].map(str::to_owned).into();
    assert_eq!(mentioned(&code), expected);
}
