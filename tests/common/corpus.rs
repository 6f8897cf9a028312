//! The collection of machines that other people wrote, where it is at hand.

use std::path::{Path, PathBuf};

/// Its folder; `None`, after saying so, where it is not there.
pub fn folder() -> Option<PathBuf> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Beside the project; a worktree of it lies one folder deeper.
    for up in ["../shared/corpus", "../../shared/corpus"] {
        if project.join(up).is_dir() {
            return Some(project.join(up));
        }
    }
    println!("skipped: the collection of machines is not at hand");
    None
}

/// One machine with the counts that ProB recorded for it.
pub struct Expected {
    pub path: String,
    pub states: u64,
    pub transitions: u64,
    pub deadlock: bool,
    pub violated: bool,
}

pub fn expected(folder: &Path) -> Vec<Expected> {
    let text = std::fs::read_to_string(folder.join("expected.csv")).expect("expected.csv");
    text.lines()
        .skip(1)
        .map(|line| {
            let mut cells = line.split(',');
            let mut next = || cells.next().unwrap_or("").to_string();
            Expected {
                path: next(),
                states: next().parse().expect("states"),
                transitions: next().parse().expect("transitions"),
                deadlock: next() == "true",
                violated: next() == "true",
            }
        })
        .collect()
}
