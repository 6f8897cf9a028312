//! How fast whole state spaces are searched on one thread: `cargo bench --bench exploration`.
//!
//! The machine is `models/phonebook_db.mch`: a partial function `db`, and the operations add, delete
//! and lookup. For each case the counts are asserted first; a fast wrong search is no search.
//!
//! * `off/7`: no reduction. Nanoseconds per operation transition (the whole search, invariant and
//!   deadlock checks included, divided by the transitions), and bytes per state: what the process
//!   grew by, at its greatest, divided by the states.
//! * `canon/6`, `canon/10`, `canon/20`, `canon/30`: canonical labelling. Time for the whole search, and per
//!   transition out of a representative.
//!
//! Where the searches take long enough for the system's clock of processor time (and the system is
//! Linux), that is reported, too: it is the one to compare on a machine that others use.
//!
//! An argument runs only the cases that contain it: `cargo bench --bench exploration -- canon/1`.

use burnside::clock::memory;
use burnside::search::{Control, Outcome, SearchOptions, SymmetryMode, Verdict};
use burnside::session::{Ended, Origin, Session};
use burnside::setup::SetupOptions;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// One search and what it must count.
struct Case {
    symmetry: SymmetryMode,
    /// Of both deferred sets.
    size: u64,
    /// Initialised states, or representatives.
    states: u64,
    /// Operation transitions out of them.
    transitions: u64,
    /// The fastest and the median of this many runs are reported.
    runs: usize,
}

/// Unreduced: (n+1)^n states; choose k active names and their codes, then (n-k)n transitions add, k
/// delete and k look up. Reduced: as many representatives with k active names as there are
/// partitions of k.
const CASES: [Case; 5] = [
    Case {
        symmetry: SymmetryMode::Off,
        size: 7,
        states: 2_097_152,
        transitions: 38_535_168,
        runs: 3,
    },
    Case { symmetry: SymmetryMode::Canon, size: 6, states: 30, transitions: 540, runs: 101 },
    Case { symmetry: SymmetryMode::Canon, size: 10, states: 139, transitions: 5_052, runs: 31 },
    Case { symmetry: SymmetryMode::Canon, size: 20, states: 2_714, transitions: 257_348, runs: 3 },
    Case {
        symmetry: SymmetryMode::Canon,
        size: 30,
        states: 28_629,
        transitions: 4_779_540,
        runs: 3,
    },
];

impl Case {
    fn name(&self) -> String {
        format!("{}/{}", self.symmetry.name(), self.size)
    }

    fn session(&self) -> Session {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/phonebook_db.mch");
        let cards = ["Name", "Code"].map(|set| (set.to_owned(), self.size)).to_vec();
        let setup = SetupOptions { cards, ..SetupOptions::default() };
        Session::open(Origin::File(file), setup)
    }

    fn search(&self, session: &Session) -> Outcome {
        let (symmetry, threads) = (Some(self.symmetry), Some(1));
        let options = SearchOptions { symmetry, threads, ..SearchOptions::default() };
        let outcome = match session.run(&options, &Arc::new(Control::new())) {
            Some(Ended::Outcome(outcome)) => *outcome,
            other => panic!("{}: {other:?}", self.name()),
        };
        assert_eq!(outcome.verdict, Verdict::Ok, "{}", self.name());
        // The one transition that is no operation is the initialisation.
        assert_eq!(
            (outcome.states, outcome.transitions),
            (self.states, self.transitions + 1),
            "{}",
            self.name()
        );
        outcome
    }

    fn measure(&self) {
        let session = self.session();
        let before = memory::resident();
        let processor = processor_seconds();
        let first = self.search(&session);
        let grown = first.peak_memory.saturating_sub(before);
        let mut seconds = vec![first.seconds];
        seconds.extend((1..self.runs).map(|_| self.search(&session).seconds));
        let processor = (processor_seconds() - processor) / self.runs as f64;
        seconds.sort_by(f64::total_cmp);
        let (best, median) = (seconds[0], seconds[seconds.len() / 2]);
        let each = |seconds: f64| seconds * 1e9 / self.transitions as f64;
        println!(
            "{:<9} {:>9} states {:>11} transitions  best {:>9} median {:>9}  {:>7.1} ns/transition",
            self.name(),
            self.states,
            self.transitions,
            shown(best),
            shown(median),
            each(best),
        );
        if processor * self.runs as f64 > 0.2 {
            let shown = shown(processor);
            println!("{:<9} {shown} of a processor, {:.1} ns/transition", "", each(processor));
        }
        if self.symmetry == SymmetryMode::Off {
            let bytes = grown as f64 / self.states as f64;
            println!("{:<9} {bytes:.1} bytes/state ({} MB at most)", "", grown >> 20);
        }
    }
}

/// Time that this process has had of all processors; 0 where the system does not tell.
fn processor_seconds() -> f64 {
    // Fields 14 and 15 of the line, in hundredths of a second; the name, in brackets, is the second.
    let line = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = line.rsplit(')').next().unwrap_or("");
    let ticks = after_name.split_whitespace().skip(11).take(2);
    ticks.filter_map(|t| t.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn shown(seconds: f64) -> String {
    format!("{:.2?}", Duration::from_secs_f64(seconds))
}

fn main() {
    // `cargo bench` itself passes `--bench`.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let chosen =
        |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    let mut ran = 0;
    for case in CASES.iter().filter(|case| chosen(&case.name())) {
        case.measure();
        ran += 1;
    }
    assert!(
        ran > 0,
        "no case has that name; there are off/7, canon/6, canon/10, canon/20 and canon/30"
    );
}
