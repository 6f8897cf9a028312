//! Machines that other people made for partial order reduction, where they are at hand.

use crate::common::{self, corpus};
use crate::search::{compare, run};
use burnside::clock::Clock;
use burnside::search::{PorMethod, SearchOptions, SymmetryMode};
use burnside::session::{Origin, Session};
use burnside::setup::SetupOptions;
use burnside::typing::ReadOptions;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long one machine may be loaded, where all are.
const LOADING: Duration = Duration::from_secs(10);

/// The states of the full search, and with ample sets, where only deadlocks are looked for.
const ROWS: &[(&str, u64, u64)] = &[
    ("por/CSM.mch", 76, 27),
    ("por/Threads.mch", 20808, 406),
    // The first reductions come late: a search that gives up soon finds none.
    ("eventb/B__Ivo__BenchmarksPOR__Sieve__sieve_parallel_mch.eventb", 48485, 36779),
    ("eventb/B__Ivo__BenchmarksPOR__Concurrent__phil_mch_v2_mch.eventb", 2349, 2125),
];

#[test]
fn machines_of_others_are_reduced() {
    let Some(folder) = corpus::folder() else { return };
    for (file, full, ample) in ROWS {
        let session = common::open(folder.join(file), SetupOptions::default());
        let model = session.model().expect("a model");
        let symmetry = Some(SymmetryMode::Off);
        let plain = SearchOptions { symmetry, invariant: false, ..SearchOptions::default() };
        let all = run(model, &plain);
        assert_eq!(all.states, *full, "{file}");
        let by = |method| run(model, &SearchOptions { por: Some(method), ..plain.clone() });
        let (first, second) = (by(PorMethod::Ample), by(PorMethod::Stubborn));
        assert_eq!((first.verdict, first.states), (all.verdict, *ample), "{file}");
        println!("{file}: {full} {ample} {}", second.states);
        assert_eq!(second.verdict, all.verdict, "{file}");
        assert!(second.states <= first.states, "{file}: {} states", second.states);
    }
}

/// The files of a folder, and of those in it.
fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        match path.is_dir() {
            true => add_files(&path, files),
            false => files.push(path),
        }
    }
}

/// A finding exists in a reduced search exactly if it exists in the full one, on what others wrote: some small
/// machines; with `BURNSIDE_POR_CORPUS=1` all that have few enough states (`BURNSIDE_POR_STATES`) and are searched
/// soon enough (`BURNSIDE_POR_MILLIS`: there are a hundred searches for each full one). Says how many were not
/// compared, and why.
#[test]
fn machines_of_others_have_the_same_findings() {
    let Some(folder) = corpus::folder() else { return };
    let all = crate::number("BURNSIDE_POR_CORPUS", 0) == 1;
    let folders: &[&str] = match all {
        true => &["por", "models", "eventb", "collection", "benchmarks"],
        false => &["por"],
    };
    let (mut used, mut left, mut refused, mut wrong) = (0, BTreeMap::new(), 0, Vec::new());
    for name in folders {
        let mut files = Vec::new();
        add_files(&folder.join(name), &mut files);
        files.sort();
        for file in files {
            let ending = file.extension().and_then(|e| e.to_str()).unwrap_or_default();
            if !["mch", "ref", "eventb"].contains(&ending) {
                continue;
            }
            let clock = Clock::limited(all.then_some(LOADING), None);
            let (origin, setup) = (Origin::File(file.clone()), SetupOptions::default());
            let session = Session::open_under(origin, ReadOptions::default(), setup, &clock);
            let Some(model) = session.model() else {
                refused += 1;
                continue;
            };
            let found = compare(model);
            if all {
                println!("{}: {found:?}", file.display());
            }
            match found {
                Ok(None) => used += 1,
                Ok(Some(why)) => *left.entry(why).or_insert(0) += 1,
                Err(why) => wrong.push(format!("{}: {why}", file.display())),
            }
        }
    }
    println!("{used} machines of others agree; left out: {left:?}, {refused} that were not loaded");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(used >= 4, "{used} machines were searched");
}
