//! Models of Event-B: the components as they are printed, the variables of abstract machines, reloads.

use super::bench::Bench;
use crate::session::Origin;
use crate::tui::engine::Command;
use std::path::{Path, PathBuf};

fn section() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models/section")
}

#[test]
fn a_project_is_shown_as_rodin_prints_it() {
    let mut bench = Bench::new(Origin::File(section()), 100, 40);
    let screen = bench.screen();
    for part in
        ["MACHINE Counted", "REFINES Blocks", "event enter extends enter", "@grd1 t ∈ TRAIN"]
    {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    assert!(!screen.contains("org.eventb"), "{screen}");
    // Constants, INITIALISATION, and the light.
    bench.press("enter enter enter");
    let screen = bench.screen();
    assert!(screen.contains("abstract, of Section") && screen.contains("inside"), "{screen}");
}

#[test]
fn a_component_that_is_saved_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(section()).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    let mut bench = Bench::new(Origin::File(folder.path().to_owned()), 100, 40);
    bench.press("enter enter");
    let machine = folder.path().join("Counted.bum");
    let text = std::fs::read_to_string(&machine).unwrap();
    let new = folder.path().join("Counted.new");
    std::fs::write(&new, text.replace("mod 3", "mod 2")).unwrap();
    std::fs::rename(&new, &machine).unwrap();
    bench.command(Command::Reload);
    assert!(!bench.desk.app.stale);
    assert!(bench.screen().contains("mod 2"), "{}", bench.screen());

    std::fs::write(&machine, &text[..text.len() / 2]).unwrap();
    bench.command(Command::Reload);
    assert!(bench.desk.app.stale);
    let screen = bench.screen();
    assert!(screen.contains("no whole XML file"), "{screen}");
}
