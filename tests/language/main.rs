//! The language: small machines of every kind, loaded and run.

mod aside;
mod backwards;
mod bad_input;
mod beside;
mod clauses;
mod closures;
mod composed;
mod conditional;
mod corpus_errors;
mod counts;
mod cut;
mod determined;
mod externals;
mod far;
mod faults;
mod few;
mod found;
mod freetypes;
mod guards;
mod inclusions;
mod infinite;
mod large;
mod listed;
mod numbers;
mod outside;
mod places;
mod puzzles;
mod recursion;
mod refinements;
mod reworded;
mod seen;
mod solving;
mod symbolic;
mod told;
mod witnesses;

use burnside::diagnostic::Diagnostic;
use burnside::normalise;
use burnside::search::{self, Control, Outcome, SearchOptions, Verdict};
use burnside::setup::{self, Model, SetupOptions};
use burnside::typing::Loaded;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Runs what may recurse deeply on a thread with the stack that the program itself uses.
fn deep<R: Send>(run: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(256 << 20)
            .spawn_scoped(scope, run)
            .expect("thread")
            .join()
            .expect("no panic")
    })
}

fn errors(loaded: &Loaded) -> Vec<&Diagnostic> {
    loaded.diagnostics.iter().filter(|d| d.is_error()).collect()
}

fn set_up(loaded: Loaded) -> Result<Model, String> {
    let Some(machine) = loaded.machine else {
        let text: Vec<String> =
            loaded.diagnostics.iter().map(|d| d.render(&loaded.sources)).collect();
        return Err(text.concat());
    };
    setup::set_up(&Arc::new(machine), &SetupOptions::default(), None)
        .map_err(|ds| ds.iter().map(|d| d.render(&loaded.sources)).collect())
}

fn search_model(model: &Model) -> Outcome {
    let options = SearchOptions {
        deadlock: false,
        timeout: Some(Duration::from_secs(20)),
        memory: Some(2 << 30),
        ..SearchOptions::default()
    };
    search::run(model, &options, &Arc::new(Control::new()))
}

/// Loads and searches a machine; the text of what was wrong if it does not get that far.
fn run_text(text: &str) -> Result<Outcome, String> {
    deep(|| Ok(search_model(&set_up(normalise::load_text("test.mch", text))?)))
}

fn run_file(path: &Path) -> Result<Outcome, String> {
    deep(|| Ok(search_model(&set_up(normalise::load_machine(path))?)))
}

/// A search for deadlocks, too.
fn with_deadlocks(text: &str) -> Outcome {
    deep(|| {
        let model =
            set_up(normalise::load_text("test.mch", text)).unwrap_or_else(|e| panic!("{e}"));
        search::run(&model, &SearchOptions::default(), &Arc::new(Control::new()))
    })
}

/// The machine loads, and a complete search finds nothing wrong.
#[track_caller]
fn holds(text: &str) -> Outcome {
    match run_text(text) {
        Ok(outcome) => {
            assert_eq!(outcome.verdict, Verdict::Ok, "{:?} {:?}", outcome.finding, outcome.bounds);
            outcome
        }
        Err(why) => panic!("{why}"),
    }
}

/// No values of these constants have these properties.
#[track_caller]
fn none(constants: &str, properties: &str) -> Outcome {
    let text = format!("MACHINE P CONSTANTS {constants} PROPERTIES {properties} END");
    let outcome = run_text(&text).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(outcome.verdict, Verdict::NoSetup, "{properties}");
    outcome
}

/// Each of these predicates holds, with these further clauses.
#[track_caller]
fn all_hold(clauses: &str, predicates: &[&str]) {
    let text = format!("MACHINE M\n{clauses}\nASSERTIONS\n  {}\nEND\n", predicates.join(";\n  "));
    holds(&text);
}

/// A folder with these files, and the path of the first.
fn in_folder(files: &[(&str, &str)]) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("file");
    }
    let main = folder.path().join(files[0].0);
    (folder, main)
}

#[track_caller]
fn search_files(files: &[(&str, &str)]) -> Outcome {
    let (_keep, main) = in_folder(files);
    run_file(&main).unwrap_or_else(|why| panic!("{why}"))
}

/// The codes of the errors that a text is refused with.
fn refused(text: &str) -> Vec<&'static str> {
    let loaded = normalise::load_text("test.mch", text);
    errors(&loaded).iter().map(|d| d.code).collect()
}
