//! Random actions on every model: nothing panics, and memory does not grow with them.
//!
//! Sixty on each by default; `BURNSIDE_SOAK=10000` says how many, `BURNSIDE_SEED` where the random numbers begin.
//! `BURNSIDE_SOAK_MODELS` names some models only, by a part of their names. Memory is measured where there are many, and this test is the only one.

use super::bench::Bench;
use crate::session::Origin;
use crate::tui::action::{ALL, Action};
use crate::tui::keymap::Key;
use crate::tui::panes::Pane;
use crate::tui::update;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(otherwise)
}

fn models() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("models");
    let files = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|p| p.extension().is_some_and(|e| e == "mch" || e == "eventb")).collect();
    // Some of them only.
    let named = std::env::var("BURNSIDE_SOAK_MODELS").unwrap_or_default();
    files.retain(|path| path.to_string_lossy().contains(&named));
    files.sort();
    files
}

/// MiB of the process that are in memory.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? >> 10)
}

/// What is typed where something is asked for.
const TYPED: &[&str] =
    &["1", "x", "{", "card(", ")", "=", "dom(x)", "TRUE", "tab", "up", "add", "&"];

/// Makes the next search short.
fn limit(bench: &mut Bench) {
    let search = &mut bench.desk.app.search;
    search.max_states = Some(search.max_states.unwrap_or(200).min(200));
    search.timeout = Some(Duration::from_millis(100));
    search.threads = Some(1);
    search.memory = None;
}

fn soak(path: &Path, actions: u64, random: &mut Random) {
    let mut bench = Bench::hurried(Origin::File(path.to_owned()), 80, 24);
    limit(&mut bench);
    bench.start();
    let started = Instant::now();
    let (begun, mut before) = (resident(), None);
    for n in 0..actions {
        // Whatever was set: a search is short, and a comparison, which is ten or fifty, seldom goes on.
        limit(&mut bench);
        bench.cancel = random.below(10) > 0;
        match random.below(20) {
            0 => {
                let (width, height) = (1 + random.below(220) as u16, 1 + random.below(60) as u16);
                bench.resize(width, height);
            }
            // Anywhere: typed into what is asked for, or keys.
            1..=3 => {
                let text = TYPED[random.below(TYPED.len())];
                let keys = Key::parse(text).map_or_else(
                    || text.chars().map(|c| Key::parse(&c.to_string()).unwrap()).collect(),
                    |key| vec![key],
                );
                for key in keys {
                    let effects = update::key(&mut bench.desk, key).unwrap_or_default();
                    bench.perform(effects);
                }
            }
            4 => {
                let key = Key::parse(["enter", "esc", "enter"][random.below(3)]).unwrap();
                let effects = update::key(&mut bench.desk, key).unwrap_or_default();
                bench.perform(effects);
            }
            // What one does most.
            5..=9 => {
                bench.desk.app.overlay = None;
                let some = [Action::Take, Action::Down, Action::Undo, Action::Up, Action::Take];
                let effects = update::update(&mut bench.desk, some[random.below(some.len())]);
                bench.perform(effects);
            }
            _ => {
                let action = match ALL[random.below(ALL.len())].action {
                    Action::Focus(_) => Action::Focus(Pane::ALL[random.below(Pane::ALL.len())]),
                    // What is typed as a name would be left behind as a file.
                    Action::SaveTrace | Action::LoadTrace | Action::Write => Action::Help,
                    action => action,
                };
                let effects = update::update(&mut bench.desk, action);
                bench.perform(effects);
            }
        }
        bench.effects.clear();
        if n % 4 == 0 {
            bench.screen();
        }
        // The first fifth fills what has a limit.
        if n == actions / 5 {
            before = resident();
        }
    }
    if let (Some(before), Some(after)) = (before.filter(|_| actions >= 1000), resident()) {
        let name = path.file_name().unwrap_or_default().display();
        let seconds = started.elapsed().as_secs();
        let begun = begun.unwrap_or_default();
        println!("{name}: {begun} MiB, {before} after a fifth, {after} at the end; {seconds} s");
        assert!(after < before + 100, "{}: {before} MiB became {after} MiB", path.display());
    }
}

#[test]
fn random_actions_on_every_model() {
    let mut random = Random(number("BURNSIDE_SEED", 1) ^ 0x2545_F491_4F6C_DD1D);
    let actions = number("BURNSIDE_SOAK", 60);
    for path in models() {
        soak(&path, actions, &mut random);
    }
}
