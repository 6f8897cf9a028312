//! Why not? Looks for the nearest state, from where a run stands, that enables an operation or meets a
//! predicate; where there is none, for what is in the way.

use super::animator::{Animator, Position};
use super::ask::Refused;
use super::blocked::{How, Part, parts};
use super::parsed_goal;
use crate::eval::{Evaluator, Topic};
use crate::machine::OpId;
use crate::report::bounds;
use crate::report::steps::StepText;
use crate::report::way::Way;
use crate::search::reach::{Aim, Start, reach};
use crate::search::{Control, SearchOptions, SymmetryMode};
use crate::setup::{Bound, Model};
use crate::source::Sources;
use crate::stack;
use crossbeam_channel::Receiver;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A search that is to be made.
#[derive(Clone)]
pub struct Inquiry {
    /// What is asked, as the user called it.
    pub asked: String,
    /// The steps to where it begins.
    pub before: Vec<StepText>,
    model: Model,
    /// The model whose names steps are told in.
    own: Model,
    sources: Sources,
    start: Option<Start>,
    aim: Aim,
}

/// Such a search in the background.
pub struct Inquiring {
    pub control: Arc<Control>,
    /// Gives one message; the message of a panic where the search itself went wrong.
    pub ended: Receiver<Result<Box<Way>, String>>,
}

/// Longest time for finding out what is in the way.
const LOOKING: Duration = Duration::from_secs(3);

impl Animator {
    /// Asks for a state that enables an operation.
    pub fn why_not(&mut self, operation: OpId) -> Inquiry {
        let (model, sources) = (self.model().clone(), self.sources().clone());
        let asked = format!("{} is enabled", model.instance.machine.operation(operation).name);
        self.inquiry(asked, model, sources, Aim::Operation(operation))
    }

    /// Asks for a state in which a predicate holds.
    ///
    /// # Errors
    /// What is wrong with the predicate.
    pub fn why_never(&mut self, predicate: &str) -> Result<Inquiry, Box<Refused>> {
        let mut sources = self.sources().clone();
        let machine = self.model().instance.machine.clone();
        let definitions = self.model().definitions.clone();
        let model = parsed_goal(&machine, &definitions, predicate, &mut sources)
            .and_then(|node| self.model().ask(predicate, &node))
            .map_err(|diagnostics| Box::new(Refused { diagnostics, sources: sources.clone() }))?;
        Ok(self.inquiry(predicate.to_owned(), model, sources, Aim::Goal))
    }

    fn inquiry(&mut self, asked: String, model: Model, sources: Sources, aim: Aim) -> Inquiry {
        let own = self.model().clone();
        let (start, before) = match self.position().clone() {
            Position::State(state) => {
                let constants = self.evaluator().constants(&state).to_vec();
                let variables = self.evaluator().variables(&state);
                let before = StepText::list(&own.instance, &self.history());
                (Some(Start { constants, variables }), before)
            }
            // What is chosen before the first state is part of the way.
            Position::Root | Position::SetUp(_) => (None, Vec::new()),
        };
        Inquiry { asked, before, model, own, sources, start, aim }
    }
}

impl std::fmt::Debug for Inquiry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inquiry").field("asked", &self.asked).finish_non_exhaustive()
    }
}

impl Inquiry {
    /// Searches in the background, with these options as far as they fit.
    pub fn start(self, options: SearchOptions) -> Inquiring {
        let control = Arc::new(Control::new());
        let (sender, ended) = crossbeam_channel::bounded(1);
        let (theirs, failed) = (control.clone(), sender.clone());
        let work = move || {
            let way = catch_unwind(AssertUnwindSafe(|| Box::new(self.answer(&options, &theirs))));
            // Nobody listens any more when another one was asked for: that is no failure.
            let _ = sender.send(way.map_err(|payload| super::panic_message(&*payload)));
        };
        if let Err(error) = stack::thread(super::WORKER).spawn(work) {
            let _ = failed.send(Err(format!("no thread for the search: {error}")));
        }
        Inquiring { control, ended }
    }

    /// Searches on this thread.
    pub fn answer(&self, options: &SearchOptions, control: &Arc<Control>) -> Way {
        let mut obstacles = Obstacles::new(self);
        let reached =
            reach(&self.model, options, control, (self.start.as_ref(), self.aim), &mut |e, s| {
                obstacles.look(e, s)
            });
        let told = |bound: &&Bound| !matches!(bound, Bound::OpenSize { .. });
        let bounds = reached.bounds.iter().filter(told).map(|b| bounds::text(b, &self.sources));
        Way {
            steps: reached.steps.map(|steps| StepText::list(&self.own.instance, &steps)),
            complete: reached.complete,
            bounds: bounds.collect(),
            problem: reached.problem,
            states: reached.states,
            of_each_orbit: match reached.mode {
                _ if self.model.group.is_trivial() => None,
                // The one has no images, the other all of them.
                SymmetryMode::Off | SymmetryMode::Flood => None,
                SymmetryMode::Canon => Some("one"),
                _ => Some("some"),
            },
            seconds: reached.seconds,
            blocked: obstacles.told(&self.sources),
            looked_at: obstacles.looked_at,
        }
    }
}

/// What is in the way, counted over states.
struct Obstacles {
    parts: Vec<Part>,
    /// One for each part that can be asked.
    evaluators: Vec<Option<Evaluator>>,
    /// In how many states each part blocks, and how.
    counts: Vec<[u64; 3]>,
    looked_at: u64,
    began: Option<Instant>,
}

impl Obstacles {
    fn new(inquiry: &Inquiry) -> Obstacles {
        let program = &inquiry.model.program;
        let parts = match inquiry.aim {
            Aim::Operation(id) => parts(program, id),
            Aim::Goal => {
                let goals = program.questions.of(Topic::Goal).iter();
                let conjuncts = goals.flat_map(|goal| goal.conjunct.pred.conjuncts());
                conjuncts.map(|pred| Part::of(program, pred)).collect()
            }
        };
        let counts = vec![[0; 3]; parts.len()];
        Obstacles { parts, evaluators: Vec::new(), counts, looked_at: 0, began: None }
    }

    /// Looks at one state; false: the time is up.
    fn look(&mut self, evaluator: &mut Evaluator, state: &[u64]) -> bool {
        let began = *self.began.get_or_insert_with(Instant::now);
        if began.elapsed() > LOOKING {
            return false;
        }
        if self.evaluators.is_empty() {
            let own = |part: &Part| part.code.as_ref().map(|code| evaluator.for_questions(code));
            self.evaluators = self.parts.iter().map(own).collect();
        }
        self.looked_at += 1;
        let mut without_arguments = false;
        for ((part, own), counts) in
            self.parts.iter().zip(&mut self.evaluators).zip(&mut self.counts)
        {
            // Those that mention arguments are asked together with all before.
            let Some(own) = own.as_mut().filter(|_| !part.has_parameters() || !without_arguments)
            else {
                continue;
            };
            if let Some(how) = part.blocks(own, state) {
                counts[how as usize] += 1;
                without_arguments |= part.has_parameters();
            }
        }
        true
    }

    /// What blocks somewhere, the most frequent first.
    fn told(&self, sources: &Sources) -> Vec<(String, u64)> {
        let mut told = Vec::new();
        for (part, counts) in self.parts.iter().zip(&self.counts) {
            for (how, n) in [How::Fails, How::Undefined, How::Unknown].into_iter().zip(counts) {
                if *n > 0 {
                    told.push((part.words(sources, how), *n));
                }
            }
        }
        told.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        told
    }
}
