//! Models of Event-B: the components as they are printed, reloads.

use super::bench::Bench;
use crate::session::Origin;
use crate::tui::engine::Command;
use std::path::{Path, PathBuf};

fn section() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models/section")
}

#[test]
fn a_project_is_shown_as_rodin_prints_it() {
    let mut bench = Bench::new(Origin::File(section()), 100, 200);
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
