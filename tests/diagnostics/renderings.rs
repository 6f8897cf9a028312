//! One value, three renderings.

use super::*;
use burnside::diagnostic::render::WIDTH;
use burnside::source::{FileId, Sources, Span};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use serde_json::Value;
use std::io::Read;
use std::path::Path;
use std::process::Command;
use unicode_width::UnicodeWidthStr;

const PROGRAM: &str = env!("CARGO_BIN_EXE_burnside");

fn sources(texts: &[&str]) -> Sources {
    let mut sources = Sources::new();
    for (i, text) in texts.iter().enumerate() {
        sources.add(format!("F{i}.mch"), *text);
    }
    sources
}

fn span(sources: &Sources, file: u16, part: &str) -> Span {
    let text = &sources.get(FileId(file)).text;
    let start = text.find(part).expect("part of the text");
    Span::new(FileId(file), start, start + part.len())
}

#[test]
fn a_span_over_several_lines() {
    let s = sources(&["A\n  first x\n  middle\n  last  y\nB\n"]);
    let d = Diagnostic::error("syntax", span(&s, 0, "first x\n  middle\n  last"), "long")
        .note(span(&s, 0, "x\n  middle"), "two lines");
    let expected = [
        "F0.mch:2:3: error[syntax]: long",
        " 2 |   first x",
        "   |   ^^^^^^^",
        " ...",
        " 4 |   last  y",
        "   |   ^^^^",
        " 2 |   first x",
        "   |         -",
        " 3 |   middle",
        "   |   ------ two lines",
    ];
    assert_eq!(d.render(&s).lines().collect::<Vec<_>>(), expected);
}

/// The terminal's cells from column `from` on that hold this text, or nothing.
fn column_of(line: &str, part: &str) -> Option<usize> {
    line.find(part).map(|at| line[..at].width())
}

/// Whatever is cut off, the quoted line fits the terminal, and the underline stands below what is meant.
#[test]
fn excerpts_in_narrow_terminals() {
    // A character of one cell, a wide one, one with a mark on it, one with two, a tab.
    for filler in ["a", "\u{65E5}", "e\u{301}", "\u{65E5}\u{301}o\u{300}\u{323}", "\t"] {
        for (before, after) in [(0, 90), (90, 0), (45, 45), (7, 300), (300, 7), (5000, 5000)] {
            for shift in 0..3 {
                let text = format!(
                    "{}{}xyz{}\n",
                    " ".repeat(shift),
                    filler.repeat(before),
                    filler.repeat(after)
                );
                let s = sources(&[&text]);
                let d = Diagnostic::error("syntax", span(&s, 0, "xyz"), "cut");
                for width in [1, 28, 29, 30, 31, 32, 33, 40, 57, 80, 81] {
                    let report = d.paint(&s, width).plain();
                    let lines: Vec<&str> = report.lines().collect();
                    let room = width.max(4 + 24 + 1);
                    let told = format!("{filler:?} {before} {after} {shift} {width}\n{report}");
                    assert_eq!(lines.len(), 3, "{told}");
                    assert!(lines[1].width() <= room && lines[2].width() <= room, "{told}");
                    assert!(lines[2].ends_with(" ^^^"), "{told}");
                    assert_eq!(column_of(lines[1], "xyz"), Some(lines[2].width() - 3), "{told}");
                    let cut = lines[1].contains("...");
                    let whole = text.replace('\t', "    ").width() + 5 <= room;
                    assert!(cut || whole || filler == "\t", "{told}");
                    // No mark without its letter.
                    let quoted = lines[1].split_once("| ").unwrap().1;
                    let bare = quoted.trim_start_matches([' ', '.']);
                    assert!(!bare.starts_with(['\u{300}', '\u{301}', '\u{323}']), "{told}");
                    assert!(!quoted.contains(" \u{301}") && !quoted.contains(".\u{301}"), "{told}");
                }
            }
        }
    }
}

/// The span itself is wider than the terminal: its beginning is shown.
#[test]
fn wide_spans_in_narrow_terminals() {
    let name = "\u{65E5}e\u{301}".repeat(40);
    let s = sources(&[&format!("{} := {name} + 1\n", "b".repeat(40))]);
    let d = Diagnostic::error("syntax", span(&s, 0, &name), "cut");
    for width in 20..130 {
        let report = d.paint(&s, width).plain();
        let lines: Vec<&str> = report.lines().collect();
        assert!(lines[1..].iter().all(|l| l.width() <= width.max(29)), "{width}\n{report}");
        let at = column_of(lines[1], "\u{65E5}");
        assert_eq!(at, column_of(lines[2], "^"), "{width}\n{report}");
        assert!(lines[1].ends_with("...") && lines[2].ends_with("^^^^"), "{width}\n{report}");
    }
}

#[test]
fn tabs_and_wide_characters() {
    let s = sources(&["\tx := \u{65E5}\u{672C} + \u{1D539}e\u{301}y\n"]);
    let d = Diagnostic::error("syntax", span(&s, 0, "\u{672C}"), "wide");
    let text = d.render(&s);
    assert!(text.contains("F0.mch:1:8:"), "{text}");
    // A tab is four cells, a wide character two.
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], " 1 |     x := \u{65E5}\u{672C} + \u{1D539}e\u{301}y");
    assert_eq!(lines[2], "   |            ^^");
    let d = Diagnostic::error("syntax", span(&s, 0, "y"), "after a combining mark");
    assert_eq!(d.render(&s).lines().nth(2), Some("   |                   ^"));
}

#[test]
fn places_in_other_files_are_named() {
    let s = sources(&["MACHINE A\nSEES B\n", "MACHINE B\nSETS S\n"]);
    let d = Diagnostic::warning("shadowing", span(&s, 0, "B"), "hidden")
        .note(Span { end: 16, start: 15, file: FileId(1) }, "declared here")
        .hint("rename it");
    let expected = [
        "F0.mch:2:6: warning[shadowing]: hidden",
        " 2 | SEES B",
        "   |      ^",
        " --> F1.mch:2:6",
        " 2 | SETS S",
        "   |      - declared here",
        "  = rename it",
    ];
    assert_eq!(d.render(&s).lines().collect::<Vec<_>>(), expected);
}

#[test]
fn the_end_of_a_file_has_a_place() {
    for text in ["MACHINE M VARIABLES x", "MACHINE M VARIABLES x\n\n", "/* only this */", "MACHINE"]
    {
        let loaded = load(text);
        let shown = rendered(&loaded);
        assert!(shown.contains("^"), "{shown}");
        assert!(!found(&loaded).is_empty());
    }
}

#[test]
fn long_lines_are_cut_around_the_span() {
    let line = format!("{} here {}", "a ".repeat(5000), "b ".repeat(5000));
    let s = sources(&[&line]);
    let d = Diagnostic::error("syntax", span(&s, 0, "here"), "far");
    let text = d.render(&s);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.iter().all(|l| l.chars().count() <= WIDTH), "{text}");
    let at = lines[1].find("here").unwrap();
    assert_eq!(lines[2].find("^^^^"), Some(at));
    // The span itself may be longer than what is shown.
    let d = Diagnostic::error("syntax", Span::new(FileId(0), 0, line.len()), "all");
    assert!(d.render(&s).lines().all(|l| l.chars().count() <= WIDTH));
}

#[test]
fn what_steers_a_terminal_is_not_passed_on() {
    let s = sources(&["x = \"\x1b[2J\u{202E}\"\n"]);
    let d = Diagnostic::error("syntax", span(&s, 0, "x"), "found \x1b[2J");
    let expected = [
        "F0.mch:1:1: error[syntax]: found \\u{1b}[2J",
        " 1 | x = \"\\u{1b}[2J\\u{202e}\"",
        "   | ^",
    ];
    assert_eq!(d.render(&s).lines().collect::<Vec<_>>(), expected);
}

#[test]
fn colour_changes_nothing_but_colour() {
    let loaded = load("MACHINE M VARIABLES x INVARIANT x : 1 & y : BOOL INITIALISATION x := 0 END");
    for d in &loaded.diagnostics {
        let coloured = d.paint(&loaded.sources, WIDTH).coloured();
        assert!(coloured.contains("\x1b[1;31merror["), "{coloured:?}");
        let mut plain = String::new();
        let mut rest = coloured.as_str();
        while let Some(at) = rest.find('\x1b') {
            plain.push_str(&rest[..at]);
            rest = &rest[at + rest[at..].find('m').unwrap() + 1..];
        }
        plain.push_str(rest);
        assert_eq!(plain, d.render(&loaded.sources));
    }
    assert!(!loaded.diagnostics.is_empty());
}

const WRONG: &str =
    "MACHINE Wrong\nVARIABLES x\nINVARIANT x : NAT\nINITIALISATION\n  x := {1}\nEND\n";

fn file(directory: &Path, text: &str) -> std::path::PathBuf {
    let path = directory.join("Wrong.mch");
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn json_has_every_part() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(directory.path(), WRONG);
    let run = |path: &Path| {
        let mut command = Command::new(PROGRAM);
        let output = command.args(["check", "--format", "json"]).arg(path).output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let report = run(&path);
    let d = &report["diagnostics"][0];
    assert_eq!(
        (&d["severity"], &d["code"]),
        (&Value::from("error"), &Value::from("type-mismatch"))
    );
    let place: Vec<&Value> =
        ["line", "column", "end_line", "end_column"].map(|k| &d[k]).into_iter().collect();
    assert_eq!(place, [5, 8, 5, 11]);
    assert!(d["file"].as_str().unwrap().ends_with("Wrong.mch"));
    assert!(d["hint"].as_str().unwrap().contains("an element is needed"), "{d}");
    let related = &d["related"][0];
    assert!(related["label"].as_str().unwrap().contains("INTEGER because of this"), "{d}");
    let place: Vec<&Value> =
        ["line", "column", "end_line", "end_column"].map(|k| &related[k]).into_iter().collect();
    assert_eq!(place, [3, 15, 3, 18]);
    assert!(related["file"].as_str().unwrap().ends_with("Wrong.mch"));
    // Where there is no place, there are nulls.
    let missing = run(&directory.path().join("none.mch"));
    let d = &missing["diagnostics"][0];
    assert!(d["line"].is_null() && d["end_line"].is_null() && d["hint"].is_null(), "{d}");
    assert_eq!(d["related"], serde_json::json!([]));
}

/// What the program writes when its output is a terminal.
fn on_a_terminal(path: &Path, settings: &[(&str, &str)]) -> String {
    let size = PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(PROGRAM);
    command.args(["check"]);
    command.arg(path);
    command.env_remove("NO_COLOR");
    command.env("TERM", "xterm-256color");
    settings.iter().for_each(|(name, value)| command.env(name, value));
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut bytes = Vec::new();
    // Reading a terminal whose other side is closed ends in an error on some systems.
    let _ = reader.read_to_end(&mut bytes);
    child.wait().unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn colour_on_a_terminal_only_and_if_wanted() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(directory.path(), WRONG);
    let piped = Command::new(PROGRAM).arg("check").arg(&path).output().unwrap();
    assert!(!String::from_utf8_lossy(&piped.stderr).contains('\x1b'));
    assert!(on_a_terminal(&path, &[]).contains("\x1b[1;31merror[type-mismatch]"));
    for settings in [[("NO_COLOR", "1")], [("TERM", "dumb")]] {
        let shown = on_a_terminal(&path, &settings);
        assert!(shown.contains("error[type-mismatch]") && !shown.contains("\x1b[1;31m"), "{shown}");
    }
}

#[test]
fn both_sides_of_a_mismatch_are_explained() {
    let loaded = load(
        "MACHINE M SETS S\nVARIABLES s, n\nINVARIANT s <: S\n  & n : NAT\n  & s = n\nINITIALISATION s, n := {}, 0 END",
    );
    let text = rendered(&loaded);
    for part in [
        "expected POW(S), found INTEGER",
        "- this is POW(S)",
        "`s` is POW(S) because of this",
        "`n` is INTEGER because of this",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert_eq!(found(&loaded), ["5:9 type-mismatch"]);
}

#[test]
fn declarations_point_to_the_first_one() {
    for (text, code) in [
        ("SETS S; T\nCONSTANTS S PROPERTIES S = 1", "duplicate-declaration"),
        ("OPERATIONS o = skip;\n o = skip", "duplicate-operation"),
        ("ASSERTIONS !(x,\n x).(x = 1 => x = 1)", "duplicate-identifier"),
        ("CONSTANTS\n c PROPERTIES c = 1 ASSERTIONS !c.(c : NAT => c >= 0)", "shadowing"),
    ] {
        let loaded = load(&format!("MACHINE M {text} END"));
        let d = loaded.diagnostics.iter().find(|d| d.code == code).expect(code);
        let (place, label) = d.notes.first().expect("a note");
        assert!(label.contains("here"), "{label}");
        assert_ne!(Some(*place), d.span, "{code}");
    }
}
