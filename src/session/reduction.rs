//! What partial order reduction would follow where an animator stands, and why.

use super::animator::{Animator, Position};
use crate::clock::Clock;
use crate::independence::{Analysis, Asked, Choice, Chooser, Listed, Method};
use crate::report::analysis;
use crate::report::chosen::{Followed, Teller};
use crate::setup::Model;
use crate::source::Sources;
use std::sync::Arc;
use std::time::Duration;

/// What is known of the operations of a machine, with its text.
#[derive(Clone)]
pub struct Known {
    analysis: Arc<Analysis>,
    /// The same as `burnside analyse` prints.
    pub text: Arc<[String]>,
}

impl Known {
    /// Analyses a machine. `None`: there was not enough time.
    pub fn new(
        (model, sources): (&Model, &Sources),
        asked: &Asked,
        limit: Option<Duration>,
    ) -> Option<Known> {
        let clock = Clock::limited(limit, None);
        clock
            .guard(|| {
                let analysis = Analysis::new(model, asked);
                let view = analysis::view(&analysis, model, sources);
                let text = analysis::text(&view).lines().skip(1).map(str::to_owned).collect();
                Known { analysis: Arc::new(analysis), text }
            })
            .ok()
    }

    /// Whether some operation changes an answer: then a search follows all where it might run in a circle.
    pub fn has_visible(&self) -> bool {
        self.analysis.has_visible()
    }
}

impl Animator {
    /// What a reduction follows here. `None`: there is no state yet, or there was not enough time.
    pub fn followed(&mut self, known: &Known, method: Method, choice: Choice) -> Option<Followed> {
        let Position::State(state) = self.position().clone() else { return None };
        self.within_limit(|animator| {
            let (model, sources) = (animator.model().clone(), animator.sources().clone());
            let analysis = known.analysis.clone();
            let mut chooser = Chooser::new(analysis.clone(), model.program.clone(), method, choice);
            let mut listed = Listed::default();
            let evaluator = animator.evaluator();
            listed.list(evaluator, &state).ok()?;
            listed.decide(evaluator, &state).ok()?;
            chooser.take(&listed.instances, |i| listed.is_enabled(i));
            let enabled = chooser.instances();
            let teller = Teller::new((&model, &sources), &analysis, &enabled);
            if !listed.is_sure() {
                return Some(teller.all(
                    "an operation ends in an error here, or not all that is enabled is known",
                ));
            }
            if enabled.len() < 2 {
                return Some(teller.all(""));
            }
            let explained = chooser.explain(&state, evaluator.interner(), 0);
            Some(teller.tell(&explained))
        })
    }
}
