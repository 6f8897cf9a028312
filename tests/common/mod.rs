//! What the tests of whole searches share.

#![allow(dead_code)] // No test uses all of it.

pub mod corpus;
pub mod expected;
pub mod replay;

use burnside::search::{Control, OnViolation, Outcome, SearchOptions, SymmetryMode};
use burnside::session::{Ended, Origin, Session};
use burnside::setup::SetupOptions;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A machine of `models/`, by its name without the ending.
pub fn model_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(format!("{name}.mch"))
}

/// Sizes of sets, for options.
pub fn sized(cards: &[(&str, u64)], static_symmetry: bool) -> SetupOptions {
    SetupOptions {
        cards: cards.iter().map(|(set, n)| ((*set).to_owned(), *n)).collect(),
        static_symmetry,
        ..SetupOptions::default()
    }
}

/// Opens a file; it must have no errors.
pub fn open(path: PathBuf, setup: SetupOptions) -> Session {
    let session = Session::open(Origin::File(path), setup);
    let errors: Vec<_> = session.diagnostics().iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty() && session.model().is_some(), "{errors:?}");
    session
}

/// Past everything that is found, so that all reachable states are seen.
pub fn everything(mode: SymmetryMode) -> SearchOptions {
    SearchOptions {
        symmetry: Some(mode),
        on_violation: OnViolation::Expand,
        keep_going: true,
        ..SearchOptions::default()
    }
}

pub fn run(session: &Session, options: &SearchOptions) -> Outcome {
    run_with(session, options, &Arc::new(Control::new()))
}

/// A search that another thread can end.
pub fn run_with(session: &Session, options: &SearchOptions, control: &Arc<Control>) -> Outcome {
    match session.run(options, control) {
        Some(Ended::Outcome(outcome)) => *outcome,
        other => panic!("{other:?}"),
    }
}

/// Runs on a stack that deep machines need.
pub fn on_a_large_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(work).expect("a thread");
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
