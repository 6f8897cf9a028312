//! All symmetry modes on one machine, one after the other.

use super::{Ended, check_with};
use crate::clock::Clock;
use crate::report::compare::{NOT_LEFT, Row, refusal};
use crate::search::{Control, OnViolation, Progress, SearchOptions, SymmetryMode};
use crate::setup::{Bound, Model};
use crossbeam_channel::RecvTimeoutError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Longest time for one mode, unless the search has a limit of its own.
const LIMIT: Duration = Duration::from_secs(60);

/// Time between two looks at a running search.
const TICK: Duration = Duration::from_millis(100);

/// How far one mode is.
#[derive(Clone, PartialEq, Debug)]
pub enum Stage {
    Waiting,
    Running(Progress),
    /// What it has counted, and what limited it.
    Done(Row, Vec<String>),
    /// Why it cannot be used on this machine.
    Unusable(String),
    /// The user ended the comparison.
    Cancelled,
    /// A fault of the program.
    Failed(String),
}

/// Ends a comparison from another thread.
#[derive(Clone, Debug, Default)]
pub struct Stopper(Arc<AtomicBool>);

impl Stopper {
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Searches a model under each mode, and tells how far each is. States that violate something are counted
/// and not expanded; deadlocks and goals end nothing.
pub fn compare(
    model: &Model,
    options: &SearchOptions,
    stopper: &Stopper,
    tell: &mut dyn FnMut(SymmetryMode, Stage),
) {
    for mode in SymmetryMode::ALL {
        if stopper.is_stopped() {
            tell(mode, Stage::Cancelled);
            continue;
        }
        let (stage, _) = search_under(model, mode, options, LIMIT, stopper, &mut |s| tell(mode, s));
        tell(mode, stage);
    }
}

/// Searches under one mode, telling how far it is, for so long at most unless the search has a limit of its
/// own. Says, too, whether a limit ended it.
pub(super) fn search_under(
    model: &Model,
    mode: SymmetryMode,
    options: &SearchOptions,
    limit: Duration,
    stopper: &Stopper,
    tell: &mut dyn FnMut(Stage),
) -> (Stage, bool) {
    let options = SearchOptions {
        symmetry: Some(mode),
        on_violation: OnViolation::Prune,
        keep_going: true,
        measure_precision: false,
        ..options.clone()
    };
    let clock = Clock::limited(options.timeout.or(Some(limit)), options.memory);
    tell(Stage::Running(Progress::default()));
    let running = check_with(model, options, Arc::new(Control::under(clock)));
    let ended = loop {
        match running.ended.recv_timeout(TICK) {
            Ok(ended) => break ended,
            Err(RecvTimeoutError::Timeout) => {
                if stopper.is_stopped() {
                    running.control.interrupt();
                } else {
                    tell(Stage::Running(running.control.progress()));
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                break Ended::Failed("the search ended without a result".to_owned());
            }
        }
    };
    let cut = matches!(&ended, Ended::Outcome(outcome) if outcome.bounds.iter().any(is_limit));
    (stage(stopper, ended), cut)
}

/// Whether a bound ended a search before it was through.
fn is_limit(bound: &Bound) -> bool {
    use Bound::*;
    matches!(bound, Halted(_) | MaxStates(_) | FloodLimit { .. } | Numbers(_))
}

fn stage(stopper: &Stopper, ended: Ended) -> Stage {
    let outcome = match ended {
        Ended::Failed(text) => return Stage::Failed(text),
        Ended::Outcome(outcome) => outcome,
    };
    if let Some(why) = refusal(&outcome) {
        return Stage::Unusable(why.to_owned());
    }
    if stopper.is_stopped() && outcome.interrupted {
        return Stage::Cancelled;
    }
    let row = Row::new("", &outcome, true);
    let not_left = (outcome.complete && !row.complete).then(|| NOT_LEFT.to_owned());
    let limits = crate::report::bounds::limits(&outcome);
    let notes = outcome.notes.iter().cloned();
    Stage::Done(row, limits.into_iter().chain(notes).chain(not_left).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Origin, Session};
    use crate::setup::SetupOptions;

    fn stages(text: &str, stopper: &Stopper) -> Vec<Stage> {
        let origin = Origin::Embedded { name: "m.mch".to_owned(), text: text.to_owned() };
        let session = Session::open(origin, SetupOptions::default());
        let mut last = vec![Stage::Waiting; SymmetryMode::ALL.len()];
        let options = SearchOptions::default();
        compare(session.model().unwrap(), &options, stopper, &mut |mode, stage| {
            last[SymmetryMode::ALL.iter().position(|m| *m == mode).unwrap()] = stage;
        });
        last
    }

    const CLUB: &str = "MACHINE club DEFINITIONS scope_P == 4 SETS P VARIABLES in
INVARIANT in <: P INITIALISATION in := {}
OPERATIONS join(p) = PRE p : P - in THEN in := in \\/ {p} END END";

    #[test]
    fn every_mode_has_its_count_or_says_why_not() {
        let stages = stages(CLUB, &Stopper::default());
        let nodes = |mode| match &stages[SymmetryMode::ALL.iter().position(|m| *m == mode).unwrap()]
        {
            Stage::Done(row, _) => row.nodes,
            other => panic!("{mode:?}: {other:?}"),
        };
        // The root, and all sets, or one of each size.
        assert_eq!(nodes(SymmetryMode::Off), 1 + 16);
        assert_eq!(nodes(SymmetryMode::Flood), 1 + 16);
        assert_eq!(nodes(SymmetryMode::Canon), 1 + 5);
        assert_eq!(nodes(SymmetryMode::Iso), 1 + 5);
        assert!(stages.iter().all(|s| matches!(s, Stage::Done(..) | Stage::Unusable(_))));
    }

    #[test]
    fn a_comparison_is_cancelled() {
        let stopper = Stopper::default();
        stopper.stop();
        let large = CLUB.replace("scope_P == 4", "scope_P == 30");
        let stages = stages(&large, &stopper);
        assert_eq!(stages[0], Stage::Cancelled);
    }
}
