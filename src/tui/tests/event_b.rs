//! Models of Event-B: the components as they are printed, reloads.

use super::bench::Bench;
use crate::session::Origin;
use crate::setup::SetupOptions;
use crate::tui::engine::Command;
use crate::tui::update::Effect;
use std::path::{Path, PathBuf};

fn section() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models/section")
}

#[test]
fn a_project_is_shown_as_rodin_prints_it() {
    let mut bench = Bench::with(Origin::File(section()), SetupOptions::default(), 100, 200);
    let screen = bench.screen();
    for part in
        ["MACHINE Counted", "REFINES Blocks", "event enter extends enter", "@grd1 t ∈ TRAIN"]
    {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    assert!(!screen.contains("org.eventb"), "{screen}");
}

#[test]
fn a_component_that_is_saved_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(section()).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    let mut bench = Bench::new(Origin::File(folder.path().to_owned()), 100, 200);
    bench.press("enter enter");
    let machine = folder.path().join("Counted.bum");
    let text = std::fs::read_to_string(&machine).unwrap();
    let new = folder.path().join("Counted.new");
    std::fs::write(&new, text.replace("mod 3", "mod 2")).unwrap();
    std::fs::rename(&new, &machine).unwrap();
    bench.command(Command::Reload);
    assert!(bench.screen().contains("mod 2"), "{}", bench.screen());
}

/// The editor gets the file as it is, at the element that the line on the screen was made of.
#[test]
fn files_are_opened_at_the_element_of_the_line() {
    let mut bench = Bench::with(Origin::File(section()), SetupOptions::default(), 100, 200);
    let file = section().join("Counted.bum");
    let xml = std::fs::read_to_string(&file).unwrap();
    let line_of = |part: &str| 1 + xml.lines().position(|l| l.contains(part)).expect("the element");
    let opened = |bench: &Bench| match bench.effects.last() {
        Some(Effect::Edit { file: opened, line }) if *opened == file => *line,
        other => panic!("{other:?}"),
    };
    // The only one that is enabled. It is extended: its guards come from another file.
    bench.press("enter enter o");
    assert_eq!(opened(&bench), line_of("label=\"clear\""));
    let said =
        format!("Counted.bum is the file as it is, not as shown here: line {}", opened(&bench));
    assert!(bench.screen().contains(&said), "{}", bench.screen());
    let files = bench.desk.app.files.clone();
    let shown = &files.list[0];
    let own = shown.own_lines.as_ref().expect("a text that was made");
    let text = |line: &Vec<(_, String)>| line.iter().map(|(_, part)| &**part).collect::<String>();
    let page: Vec<String> = shown.text.lines.iter().map(text).collect();
    for (part, element) in [
        ("count  // modulo 3", "identifier=\"count\""),
        ("@inv8 ", "label=\"inv8\""),
        ("@grd1 back ≠ ∅", "name=\"n15\""),
        ("@t back = {t}", "name=\"n16\""),
        ("@act2 count ≔ (count", "name=\"n18\""),
        ("event clear", "label=\"clear\""),
    ] {
        let at = page.iter().position(|l| l.contains(part)).expect(part);
        assert_eq!(own[at] + 1, line_of(element), "{part}");
    }
}

/// Variables that only an abstract machine has stand apart, under its name.
#[test]
fn abstract_variables_are_marked() {
    let mut bench = Bench::with(Origin::File(section()), SetupOptions::default(), 100, 200);
    bench.press("enter enter");
    let screen = bench.screen();
    let right: Vec<&str> =
        screen.lines().filter_map(|l| l.split_once('│')).map(|(_, r)| r).collect();
    let row = |part: &str| {
        right.iter().position(|l| l.contains(part)).unwrap_or_else(|| panic!("{part}: {screen}"))
    };
    let heading = row("abstract, of Section");
    assert!(row("count") < heading && row("light") < heading, "{screen}");
    assert_eq!(row("inside"), heading + 1, "{screen}");
}
