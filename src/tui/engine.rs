//! The session on a thread of its own: commands in, reports out.
//!
//! Listing the transitions of a state can take long, so it never happens on the thread of the keys.
//! Reports are snapshots: the screen draws what it was told last and asks nothing.

mod questions;
mod trail;

use self::questions::{answered, words};
use super::files::{Files, Place as SourcePlace};
use super::listing::Listing;
use super::loads::Loads;
use super::past::{self, Past, TreeRow};
use super::shown;
use crate::diagnostic::Diagnostic;
use crate::machine::OpId;
use crate::report::chosen::Followed;
use crate::report::steps::StepText;
use crate::report::{bounds, canon};
use crate::run::Step;
use crate::search::{PorChoice, PorMethod};
use crate::session::alike::Pair;
use crate::session::animator::{Listed, Position};
use crate::session::glance::Glance;
use crate::session::reading;
use crate::session::reduction::Known;
use crate::session::sifting::Sifted;
use crate::session::tree::PlaceId;
use crate::session::unfolding::{Sub, Whole};
use crate::session::view::Truth;
use crate::session::{
    Animator, Canceller, CanonView, Good, Inquiry, Match, Session, StateView, TimeLimits,
};
use crate::setup::{Bound, SetupOptions};
use crate::source::{Sources, Span};
use crate::watch::Wanted;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What the engine is asked to do.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Report everything.
    Start,
    /// Take the transition of this number, from 0, if the position is still the one that was shown.
    Step {
        place: u64,
        number: usize,
    },
    /// So many steps back in the history.
    Undo(usize),
    /// So many steps forth again.
    Redo(usize),
    /// Read the files again, and replay the history.
    Reload,
    /// Read the files again with other sizes and preferences, and replay the history.
    SetUp(Box<SetupOptions>),
    /// Go to a place of the history.
    GoTo(PlaceId),
    /// List the transitions of an operation with more time, if the position is still the one that was
    /// shown.
    More {
        place: u64,
        operation: OpId,
    },
    /// Look at some transitions, if the position is still the one that was shown.
    Look {
        place: u64,
        numbers: Vec<usize>,
    },
    /// Compare the state that is shown with that of a place of the history.
    Pair(PlaceId),
    /// Find the transitions whose arguments meet a predicate.
    Sift(String),
    /// Evaluate a formula where the run stands.
    Ask(String),
    /// Look for a state that enables an operation, or in which a predicate holds.
    WhyNot(OpId),
    WhyNever(String),
    /// Write the steps to where the run stands to a file; read a trace and follow it.
    Save(String),
    Load(String),
    /// Take so many steps at random.
    Walk {
        count: usize,
        seed: u64,
    },
    /// Evaluate these formulas in every state.
    Watch(Vec<String>),
    /// Take these predicates apart in every state.
    Unfold(Vec<Whole>),
    /// Write a text to a file.
    Write {
        path: String,
        text: String,
    },
    /// Tell what partial order reduction follows in every state.
    Reduce(Option<Reducing>),
    /// Follow a trace from the root: to its end, or so that it can be walked from its start.
    Follow {
        steps: Vec<StepText>,
        to_end: bool,
    },
}

/// What the engine is at, as far as the user is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    Reading,
    Following,
    Listing,
    Evaluating,
    Looking,
}

impl Work {
    pub fn text(self) -> &'static str {
        match self {
            Work::Reading => "reading the files",
            Work::Following => "following the trace",
            Work::Evaluating => "evaluating",
            Work::Listing => "listing the operations of this state",
            Work::Looking => "looking where the operations lead",
        }
    }

    /// Whether it ends when it is cancelled.
    pub fn cancels(self) -> bool {
        self != Work::Reading
    }
}

impl Command {
    /// What is done first.
    pub fn work(&self) -> Work {
        match self {
            Command::Start | Command::Reload | Command::SetUp(_) => Work::Reading,
            Command::Follow { .. } | Command::Load(_) => Work::Following,
            Command::Look { .. } => Work::Looking,
            Command::Ask(_)
            | Command::Sift(_)
            | Command::Pair(_)
            | Command::Watch(_)
            | Command::Unfold(_)
            | Command::Write { .. }
            | Command::Reduce(_)
            | Command::WhyNot(_)
            | Command::WhyNever(_)
            | Command::Save(_) => Work::Evaluating,
            Command::Step { .. }
            | Command::Undo(_)
            | Command::Redo(_)
            | Command::GoTo(_)
            | Command::Walk { .. }
            | Command::More { .. } => Work::Listing,
        }
    }
}

/// What the engine tells.
pub enum Report {
    Loaded(Box<Loaded>),
    /// Where the animator stands; `None` without a model.
    Place(Option<Box<Place>>),
    /// The matrix of the place reported last.
    Canon(Box<Result<Labelled, String>>),
    /// What partial order reduction does at the place reported last.
    Reduced(Option<Box<Reduced>>),
    /// Why operations of the place reported last are not enabled.
    Blocked(Vec<Obstacle>),
    /// What is to be seen of some transitions of this place, and perhaps not of all that were asked for;
    /// nothing where the animator is elsewhere.
    Looked {
        place: u64,
        numbers: Vec<usize>,
        found: Vec<(usize, Glance)>,
    },
    /// The predicates that are taken apart, at the place reported last.
    Unfolded(Vec<(Whole, Vec<Sub>)>),
    /// Two states side by side; `None`: one of them is none.
    Pair(Option<Box<Pair>>),
    /// Which transitions of the place reported last a predicate leaves.
    Sifted(Box<Sieve>),
    /// A search that is to be made in the background.
    Inquiry(Box<Inquiry>),
    /// The answer to a formula.
    Answer(Box<Exchange>),
    /// A trace that is replayed at each save from now on.
    Kept {
        name: String,
        steps: Vec<StepText>,
    },
    /// A line for the user.
    Note(String),
    /// The same, of something that cannot be done.
    Wrong(String),
    /// A fault of the program.
    Failed(String),
    /// Commands up to here are done.
    Done,
}

/// A formula that was asked, with the answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Exchange {
    pub formula: String,
    /// Number of steps to where it was asked.
    pub step: usize,
    pub lines: Vec<String>,
    /// Something is wrong with the formula.
    pub refused: bool,
}

/// The transitions that a predicate leaves, or why it leaves none.
#[derive(Clone, Debug)]
pub struct Sieve {
    pub text: String,
    pub found: Result<Sifted, String>,
}

/// The labelling of a state.
#[derive(Clone, Debug)]
pub struct Labelled {
    pub view: CanonView,
    /// How it came about, step by step, or why that is not shown.
    pub explanation: Vec<String>,
}

/// How a partial order reduction works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reducing {
    pub method: PorMethod,
    pub choice: PorChoice,
    /// The invariant and the assertions are asked.
    pub invariant: bool,
}

/// What partial order reduction does at a place, and why.
#[derive(Clone, Debug)]
pub struct Reduced {
    pub followed: Option<Followed>,
    /// It follows all where it might run in a circle.
    pub circles: bool,
    /// What is known of the operations.
    pub text: Arc<[String]>,
}

/// The machine as it was loaded.
pub struct Loaded {
    pub name: String,
    pub machine: Option<MachineView>,
    /// The files as they were read last.
    pub shown: Files,
    /// Errors and warnings of the last reading; errors first.
    pub diagnostics: Vec<Told>,
    /// The texts they speak of.
    pub read: Arc<Sources>,
    pub stale: bool,
    /// What is to be watched.
    pub watch: Wanted,
    /// What searches run on.
    pub good: Option<Good>,
}

/// What does not change while one steps.
#[derive(Clone, Debug)]
pub struct MachineView {
    pub name: String,
    /// The texts that the model was made from.
    pub sources: Arc<Sources>,
    /// Names that a formula may have, in their order.
    pub words: Vec<String>,
    /// Sized sets with their sizes.
    pub sets: Vec<(String, u32)>,
    /// What the session is set up with, and the integer limits that came of it.
    pub setup: SetupOptions,
    pub limits: (i64, i64),
    /// Whether permutations can be used at all.
    pub symmetric: bool,
    /// What became of the symmetry of each set, for people.
    pub symmetry: Vec<String>,
}

/// An error or a warning.
#[derive(Clone, Debug)]
pub struct Told {
    pub diagnostic: Diagnostic,
    pub error: bool,
    /// Where it is, among the files as they were read last.
    pub place: Option<SourcePlace>,
}

/// Where the animator stands.
#[derive(Clone, Debug)]
pub struct Place {
    /// A number of its own for each report.
    pub number: u64,
    pub view: StateView,
    pub operations: Listing,
    /// Where operations are declared, with what is known of their instances.
    pub marks: BTreeMap<SourcePlace, Mark>,
    /// Where conjuncts of the invariant and assertions are false or undefined.
    pub broken: BTreeMap<SourcePlace, Truth>,
    /// The formulas that are watched, each with its value here.
    pub watched: Vec<(String, String)>,
    /// The steps that led here, as lines.
    pub history: Vec<String>,
    /// All steps that were ever taken.
    pub tree: Vec<TreeRow>,
    /// Number of steps that can be done again.
    pub redo: usize,
}

/// What is known of the instances of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mark {
    pub enabled: usize,
    /// Those that end in a state error.
    pub failing: usize,
    /// There may be others.
    pub open: bool,
}

/// Why an operation is not enabled.
#[derive(Clone, PartialEq, Debug)]
pub struct Obstacle {
    pub operation: OpId,
    pub name: String,
    /// What blocks it, with the values there.
    pub why: String,
    pub declared: Option<SourcePlace>,
}

/// One listing or one matrix soon makes room for what the user wants next; a machine without its
/// set-ups would be of no use.
const TIME_LIMITS: TimeLimits =
    TimeLimits { set_up: Some(Duration::from_secs(60)), state: Some(Duration::from_secs(5)) };

pub struct Engine {
    session: Session,
    animator: Option<Animator>,
    canceller: Canceller,
    loads: Loads,
    /// Formulas that are evaluated in every state.
    watched: Vec<String>,
    /// Predicates that are taken apart in every state.
    unfolded: Vec<Whole>,
    reducing: Option<Reducing>,
    /// What is known of the operations for that.
    known: Option<Known>,
    past: Past,
    limits: TimeLimits,
    places: u64,
}

impl Engine {
    /// An engine whose listings can be cancelled with `canceller`, and which reads the files again as
    /// `loads` say.
    pub fn new(session: Session, canceller: Canceller, loads: Loads) -> Engine {
        Engine {
            session,
            animator: None,
            canceller,
            loads,
            watched: Vec::new(),
            unfolded: Vec::new(),
            reducing: None,
            known: None,
            past: Past::default(),
            limits: TIME_LIMITS,
            places: 0,
        }
    }

    /// The same with other limits for its listings.
    pub fn limited(self, limits: TimeLimits) -> Engine {
        Engine { limits, ..self }
    }

    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Does what is asked, reporting as soon as something is known.
    pub fn execute(&mut self, command: Command, report: &mut dyn FnMut(Report)) {
        match command {
            // The files are to be read again already.
            Command::Start if self.loads.are_wanted() => {}
            Command::Start => {
                self.report_loaded(report);
                self.animator = self.new_animator();
                self.report_place(report);
            }
            Command::Step { place, number } => {
                let current = place == self.places;
                if let Some(animator) = self.animator.as_mut().filter(|_| current) {
                    animator.step(number);
                    self.moved(report);
                }
            }
            Command::GoTo(place) => {
                if let Some(animator) = &mut self.animator {
                    animator.go_to(place);
                    self.moved(report);
                }
            }
            Command::More { place, operation } => {
                let current = place == self.places;
                if let Some(animator) = self.animator.as_mut().filter(|_| current) {
                    animator.list_more(operation);
                    self.report_place(report);
                }
            }
            Command::Undo(n) => self.travel(n, Animator::undo, "nothing to undo", report),
            Command::Redo(n) => self.travel(n, Animator::redo, "nothing to redo", report),
            Command::Look { place, numbers } => {
                let current = place == self.places;
                let animator = self.animator.as_mut().filter(|_| current);
                let found = animator.map(|a| a.glances(&numbers)).unwrap_or_default();
                report(Report::Looked { place, numbers, found });
            }
            Command::Pair(other) => {
                let pair = self.animator.as_mut().and_then(|a| a.pair(other));
                report(Report::Pair(pair.map(|pair| Box::new(shown::pair(pair)))));
            }
            Command::Sift(text) => {
                if let Some(animator) = &mut self.animator {
                    let found = animator.sift(&text).map_err(|why| shown::line(why.to_string()));
                    report(Report::Sifted(Box::new(Sieve { text, found })));
                }
            }
            Command::Ask(formula) => self.ask(formula, report),
            Command::WhyNot(operation) => {
                let inquiry = self.animator.as_mut().map(|a| a.why_not(operation));
                inquiry.into_iter().for_each(|i| report(Report::Inquiry(Box::new(i))));
            }
            Command::Save(path) => self.save(&path, report),
            Command::Load(path) => self.load(&path, report),
            Command::Walk { count, seed } => self.walk(count, seed, report),
            Command::WhyNever(predicate) => self.why_never(predicate, report),
            Command::Unfold(wholes) => {
                self.unfolded = wholes;
                self.report_unfolded(report);
            }
            Command::Write { path, text } => report(trail::write(&path, &text)),
            Command::Watch(formulas) => {
                self.watched = formulas;
                self.report_place(report);
            }
            Command::Reduce(reducing) => {
                (self.reducing, self.known) = (reducing, None);
                self.report_reduced(report);
            }
            Command::Reload => self.reload(report),
            Command::SetUp(setup) => {
                self.session.set_up(*setup);
                self.reload(report);
            }
            Command::Follow { steps, to_end } => self.follow(&steps, to_end, report),
        }
        report(Report::Done);
    }

    /// After a panic: the animator may be in the middle of something, so there is a new one.
    pub fn recover(&mut self, report: &mut dyn FnMut(Report)) {
        self.animator = self.new_animator();
        self.report_place(report);
        report(Report::Done);
    }

    fn travel(
        &mut self,
        n: usize,
        go: fn(&mut Animator) -> bool,
        otherwise: &str,
        report: &mut dyn FnMut(Report),
    ) {
        let Some(animator) = &mut self.animator else { return };
        let done = (0..n).take_while(|_| go(animator)).count();
        if done > 0 {
            self.moved(report);
        } else {
            report(Report::Note(otherwise.to_owned()));
        }
    }

    fn reload(&mut self, report: &mut dyn FnMut(Report)) {
        self.session.reload_under(&self.loads.begin());
        if self.loads.are_wanted() {
            return;
        }
        self.report_loaded(report);
        if self.session.is_stale() {
            return;
        }
        let written = self.animator.as_ref().map(|a| self.past.written(a)).unwrap_or_default();
        self.animator = self.new_animator();
        if let Some(animator) = &mut self.animator {
            let n = written.here.len();
            let done = self.past.replay(animator, written);
            let note = match n {
                0 => "reloaded".to_owned(),
                n if done == n => format!("reloaded; {} replayed", steps(n)),
                n => format!("reloaded; {done} of {} replayed", steps(n)),
            };
            report(Report::Note(note));
        }
        self.report_place(report);
    }

    /// The trace becomes a branch of the history.
    fn follow(&mut self, trace: &[StepText], to_end: bool, report: &mut dyn FnMut(Report)) {
        let Some(animator) = &mut self.animator else { return };
        let (done, _) = reading::follow(animator, trace, Match::Alike);
        let mut note = match (done.complete, trace.last()) {
            (true, Some(last)) if last.failed => {
                format!("followed the trace: {} fails here", last.operation)
            }
            (true, _) => format!("followed the trace: {}", steps(done.steps)),
            (false, _) => {
                format!("followed {} of {} of the trace", done.steps, steps(trace.len()))
            }
        };
        if !to_end {
            animator.restart();
            note = format!("the trace from its start: {} to go", steps(done.steps));
        }
        report(Report::Note(note));
        self.moved(report);
    }

    fn moved(&mut self, report: &mut dyn FnMut(Report)) {
        self.past.moved();
        self.report_place(report);
    }

    fn report_place(&mut self, report: &mut dyn FnMut(Report)) {
        self.places += 1;
        let Some(animator) = &mut self.animator else { return report(Report::Place(None)) };
        let mut place = place(animator, self.places);
        place.tree = self.past.rows(animator);
        for formula in &self.watched {
            let (lines, _) = answered(animator, formula);
            let value = lines.into_iter().next().unwrap_or_default();
            place.watched.push((shown::line(formula), value));
        }
        report(Report::Place(Some(Box::new(place))));
        report(Report::Blocked(obstacles(animator)));
        self.report_unfolded(report);
        let Some(animator) = &mut self.animator else { return };
        let canon = animator.canon().map_err(|e| e.to_string());
        report(Report::Canon(Box::new(canon.map(labelled))));
        self.report_reduced(report);
    }

    fn report_unfolded(&mut self, report: &mut dyn FnMut(Report)) {
        let Some(animator) = &mut self.animator else { return };
        let each =
            self.unfolded.iter().map(|whole| (*whole, shown::parts(animator.unfolded(*whole))));
        report(Report::Unfolded(each.collect()));
    }

    /// Tells what partial order reduction follows here. The machine is analysed when that is asked first.
    fn report_reduced(&mut self, report: &mut dyn FnMut(Report)) {
        let (Some(Reducing { method, choice, invariant }), Some(animator)) =
            (self.reducing, &mut self.animator)
        else {
            return report(Report::Reduced(None));
        };
        if self.known.is_none() {
            let about = (animator.model(), animator.sources());
            self.known = Known::new(about, invariant, self.limits.state);
        }
        let Some(known) = &self.known else { return report(Report::Reduced(None)) };
        let followed = animator.followed(known, method, choice).map(shown::followed);
        let circles = known.has_visible();
        let text = known.text.clone();
        report(Report::Reduced(Some(Box::new(Reduced { followed, circles, text }))));
    }

    fn new_animator(&mut self) -> Option<Animator> {
        let good = self.session.good()?;
        let (model, sources) = (good.model.clone(), good.sources.clone());
        self.known = None;
        Some(Animator::watched(model, sources, self.limits, self.canceller.clone()))
    }

    fn report_loaded(&self, report: &mut dyn FnMut(Report)) {
        report(Report::Loaded(Box::new(self.loaded())));
        if let Some(halted) = self.session.halted() {
            let why = bounds::text(&Bound::Halted(halted), self.session.sources());
            report(Report::Note(format!("not loaded: {}", shown::line(why))));
        }
    }

    fn loaded(&self) -> Loaded {
        let session = &self.session;
        let machine = session.good().map(|good| MachineView {
            name: shown::line(&*good.model.instance.machine.name),
            sources: Arc::new(good.sources.clone()),
            words: words(&good.model),
            sets: good.model.sets.iter().map(|s| (shown::line(&*s.name), s.size)).collect(),
            setup: session.setup().clone(),
            limits: (good.model.instance.min_int, good.model.instance.max_int),
            symmetric: !good.model.group.is_trivial(),
            symmetry: good.model.explanation.lines().iter().map(shown::line).collect(),
        });
        let sources = session.sources();
        let told = |d: &Diagnostic| Told {
            diagnostic: d.clone(),
            error: d.is_error(),
            place: d.span.map(|span| place_of(sources, span)),
        };
        Loaded {
            name: shown::line(session.origin().name()),
            machine,
            shown: Files::new(sources, session.good().map(|good| &good.sources)),
            diagnostics: session.diagnostics().iter().map(told).collect(),
            read: Arc::new(sources.clone()),
            stale: session.is_stale(),
            watch: Wanted { files: session.files(), missing: session.missing().to_vec() },
            good: session.good().cloned(),
        }
    }
}

fn steps(n: usize) -> String {
    if n == 1 { "1 step".to_owned() } else { format!("{n} steps") }
}

fn labelled(view: CanonView) -> Labelled {
    let view = canon::shown(view);
    let text = canon::explained(&view).unwrap_or_else(|why| why);
    Labelled { explanation: text.lines().map(str::to_owned).collect(), view }
}

/// Where a span is, among the files of these texts.
pub(super) fn place_of(sources: &Sources, span: Span) -> SourcePlace {
    SourcePlace { file: usize::from(span.file.0), line: sources.place(span).line - 1 }
}

fn place(animator: &mut Animator, number: u64) -> Place {
    let view = shown::state(animator.view());
    let sources = animator.sources().clone();
    let instance = animator.model().instance.clone();
    let machine = &instance.machine;
    let before = match animator.position() {
        Position::State(_) => None,
        Position::Root if instance.setup_step => machine.properties.first().map(|c| c.pred.span),
        _ => machine.initialisation.as_ref().map(|s| s.span),
    };
    let declared = |operation: Option<OpId>| {
        let span = operation.map(|id| machine.operation(id).name_span).or(before);
        span.map(|span| place_of(&sources, span))
    };
    let operations = Listing::new(animator, declared);
    let mut marks: BTreeMap<SourcePlace, Mark> = BTreeMap::new();
    for group in &operations.groups {
        let Some(place) = group.declared else { continue };
        let mark = marks.entry(place).or_default();
        mark.enabled += group.numbers.len();
        mark.failing += group.failing;
        mark.open |= group.listed != Listed::Whole;
    }
    let broken = view.invariant.iter().chain(&view.assertions);
    let broken = broken.filter(|c| matches!(c.truth, Truth::False | Truth::Undefined));
    let broken = broken.map(|c| (place_of(&sources, c.span), c.truth)).collect();
    let line = |s: &Step| past::line(&StepText::of(&instance, s), s);
    let history = animator.history().iter().map(line).collect();
    Place {
        number,
        view,
        operations,
        marks,
        broken,
        watched: Vec::new(),
        history,
        tree: Vec::new(),
        redo: animator.depth().1,
    }
}

/// Longest time for finding out why operations are not enabled.
const OBSTACLES: Duration = Duration::from_secs(2);

/// Why operations that are not enabled are not, as far as the time goes.
fn obstacles(animator: &mut Animator) -> Vec<Obstacle> {
    let start = Instant::now();
    let enabled = animator.enabled().clone();
    let failing = |id| enabled.faults.iter().any(|f| f.operation == id);
    let disabled = enabled.parts().iter().filter(|part| {
        part.numbers.is_empty() && part.listed == Listed::Whole && !failing(part.operation)
    });
    let sources = animator.sources().clone();
    let machine = animator.model().instance.machine.clone();
    let mut obstacles = Vec::new();
    for id in disabled.map(|part| part.operation) {
        let operation = machine.operation(id);
        let why = match start.elapsed() < OBSTACLES {
            true => animator.blocked(id).map(|blocked| {
                let values =
                    blocked.values.iter().map(|(name, value)| format!(", {name} = {value}"));
                blocked.why + &values.collect::<String>()
            }),
            false => Some("disabled; there was no time to say why".to_owned()),
        };
        obstacles.push(Obstacle {
            operation: id,
            name: shown::line(&*operation.name),
            why: shown::line(why.unwrap_or_default()),
            declared: Some(place_of(&sources, operation.name_span)),
        });
    }
    obstacles
}

/// A step as a line: `result <-- operation(argument)`, then what it changed, at most `limit`
/// characters of that.
pub fn step_text(step: &StepText, limit: usize) -> String {
    let mut text = String::new();
    if !step.results.is_empty() {
        text.push_str(&step.results.join(", "));
        text.push_str(" <-- ");
    }
    text.push_str(&call(&step.operation, &step.arguments));
    let values: Vec<String> = step.changed.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    let values = values.join(", ");
    if !values.is_empty() && limit > 0 {
        text.push_str("  ");
        text.extend(values.chars().take(limit));
        if values.chars().nth(limit).is_some() {
            text.push('…');
        }
    }
    text
}

/// `operation(argument, argument)`.
pub fn call(operation: &str, arguments: &[String]) -> String {
    if arguments.is_empty() {
        operation.to_owned()
    } else {
        format!("{operation}({})", arguments.join(", "))
    }
}
