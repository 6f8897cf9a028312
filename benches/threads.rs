//! What a second thread gives: `cargo bench --bench threads`.
//!
//! Each search is done on one thread, on two, and as two independent searches on one thread each side by
//! side: twice the time of one divided by the time of both is what the machine can give. The last column is
//! how much of that two threads reach. All are medians of some rounds; a search that takes less than a
//! tenth of a second is done as often as fills one. Counts must be the same.
//!
//! The searches are three of our models, and those ten machines of the collection of other people's that
//! have the most states, where it is at hand.
//!
//! An argument takes only those whose name contains it: `cargo bench --bench threads -- peterson`.

use burnside::search::{Control, OnViolation, SearchOptions, SymmetryMode};
use burnside::session::{Ended, Origin, Session};
use burnside::setup::SetupOptions;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

#[allow(dead_code)] // The rest of it is for tests.
#[path = "../tests/common/corpus.rs"]
mod corpus;

/// Rounds of each search.
const ROUNDS: usize = 3;
/// Least seconds of a measurement.
const LEAST: f64 = 0.1;
/// Machines of the collection.
const LARGEST: usize = 10;

struct Work {
    name: String,
    file: PathBuf,
    cards: Vec<(String, u64)>,
    symmetry: SymmetryMode,
}

fn model(name: &str, sets: &[&str], size: u64, symmetry: SymmetryMode) -> Work {
    let file = format!("models/{name}.mch");
    Work {
        name: format!("{name} {} {size}", symmetry.name()),
        file: Path::new(env!("CARGO_MANIFEST_DIR")).join(file),
        cards: sets.iter().map(|set| ((*set).to_owned(), size)).collect(),
        symmetry,
    }
}

fn models() -> Vec<Work> {
    vec![
        model("phonebook_db", &["Name", "Code"], 7, SymmetryMode::Off),
        model("phonebook_db", &["Name", "Code"], 25, SymmetryMode::Canon),
        model("peterson", &["PROC"], 6, SymmetryMode::Canon),
    ]
}

fn largest() -> Vec<Work> {
    let Some(folder) = corpus::folder() else { return Vec::new() };
    let mut machines = corpus::expected(&folder);
    machines.sort_by_key(|m| std::cmp::Reverse(m.states));
    machines.truncate(LARGEST);
    let work = |m: corpus::Expected| Work {
        name: m.path.rsplit('/').next().unwrap_or_default().to_owned(),
        file: folder.join("models").join(&m.path),
        cards: Vec::new(),
        symmetry: SymmetryMode::Off,
    };
    machines.into_iter().map(work).collect()
}

struct Measured {
    one: f64,
    two: f64,
    apart: f64,
}

impl Work {
    fn session(&self) -> Session {
        let setup = SetupOptions { cards: self.cards.clone(), ..SetupOptions::default() };
        Session::open(Origin::File(self.file.clone()), setup)
    }

    /// What must not depend on the threads.
    fn search(&self, session: &Session, threads: usize) -> [u64; 3] {
        let options = SearchOptions {
            symmetry: Some(self.symmetry),
            threads: Some(threads),
            on_violation: OnViolation::Expand,
            keep_going: true,
            ..SearchOptions::default()
        };
        match session.run(&options, &Arc::new(Control::new())) {
            Some(Ended::Outcome(o)) => [o.states, o.transitions, u64::from(o.depth)],
            other => panic!("{}: {other:?}", self.name),
        }
    }

    /// Seconds of so many searches, one after the other.
    fn time(&self, session: &Session, threads: usize, times: usize, counts: [u64; 3]) -> f64 {
        let begun = Instant::now();
        for _ in 0..times {
            assert_eq!(self.search(session, threads), counts, "{}", self.name);
        }
        begun.elapsed().as_secs_f64()
    }

    fn measure(&self) -> Measured {
        let sessions = [self.session(), self.session()];
        let begun = Instant::now();
        let counts = self.search(&sessions[0], 1);
        let times = (LEAST / begun.elapsed().as_secs_f64()).ceil().max(1.0) as usize;
        let (mut one, mut two, mut apart) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            one.push(self.time(&sessions[0], 1, times, counts));
            two.push(self.time(&sessions[0], 2, times, counts));
            let begun = Instant::now();
            std::thread::scope(|scope| {
                for session in &sessions {
                    scope.spawn(|| self.time(session, 1, times, counts));
                }
            });
            apart.push(begun.elapsed().as_secs_f64());
        }
        let [one, two, apart] = [one, two, apart].map(median);
        let each = |seconds: f64| seconds / times as f64;
        let measured = Measured { one: each(one), two: each(two), apart: each(apart) };
        println!(
            "{:<32} {:>9} {:>9.4} s {:>9.4} s {:>8.2} {:>8.2} {:>8.2}",
            self.name,
            counts[0],
            measured.one,
            measured.two,
            measured.ratio(),
            2.0 * measured.one / measured.apart,
            measured.ratio() * measured.apart / (2.0 * measured.one),
        );
        measured
    }
}

impl Measured {
    fn ratio(&self) -> f64 {
        self.one / self.two
    }
}

fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list[list.len() / 2]
}

fn main() {
    // `cargo bench` itself passes `--bench`.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let chosen = |work: &Work| wanted.is_empty() || wanted.iter().any(|w| work.name.contains(w));
    println!(
        "{:<32} {:>9} {:>11} {:>11} {:>8} {:>8} {:>8}",
        "search", "states", "one thread", "two", "one/two", "apart", "share"
    );
    for work in models().iter().filter(|work| chosen(work)) {
        work.measure();
    }
    let largest = largest();
    let measured = largest.iter().filter(|work| chosen(work)).map(Work::measure);
    let ratios: Vec<f64> = measured.map(|measured| measured.ratio()).collect();
    if !ratios.is_empty() {
        let count = ratios.len();
        println!("the {count} of the collection, median: {:.2}", median(ratios));
    }
}
