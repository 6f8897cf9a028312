//! The session on a thread of its own: commands in, reports out.
//!
//! Listing the transitions of a state can take long, so it never happens on the thread of the keys.
//! Reports are snapshots: the screen draws what it was told last and asks nothing.

mod messages;
mod questions;
mod trail;

pub use self::messages::*;
use self::questions::{answered, constants, main_arrays, preferences, symmetry, words};
use super::files::{Files, Place as SourcePlace};
use super::listing::Listing;
use super::loads::Loads;
use super::past::Past;
use super::shown;
use crate::diagnostic::Diagnostic;
use crate::machine::OpId;
use crate::report::steps::StepText;
use crate::report::{bounds, canon, counted};
use crate::session::animator::{Listed, Position};
use crate::session::reading;
use crate::session::reduction::Known;
use crate::session::unfolding::Whole;
use crate::session::view::Truth;
use crate::session::{Animator, Canceller, CanonView, Match, Refused, Session, TimeLimits};
use crate::setup::sizes::default_size;
use crate::setup::{Bound, SetupOptions};
use crate::source::{Sources, Span};
use crate::watch::Wanted;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

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
    /// Files that texts were written to.
    written: BTreeSet<PathBuf>,
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
            written: BTreeSet::new(),
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
            Command::Unfold { place, wholes } => {
                self.unfolded = wholes;
                if place != self.places {
                    self.forget_calls();
                }
                self.report_unfolded(report);
            }
            Command::Write { path, text } => report(self.write(&path, &text)),
            Command::Watch(formulas) => self.watch(formulas, report),
            Command::Reduce(reducing) => {
                (self.reducing, self.known) = (reducing, None);
                self.report_reduced(report);
            }
            Command::Reload => self.reload(report),
            Command::SetUp(setup) => self.set_up(*setup, report),
            Command::Follow { steps, to_end } => self.follow(&steps, to_end, report),
        }
        report(Report::Done);
    }

    /// After a panic: the animator may be in the middle of something, so there is a new one.
    pub fn recover(&mut self, report: &mut dyn FnMut(Report)) {
        self.animator = self.new_animator();
        self.past = Past::default();
        self.report_place(report);
        report(Report::Done);
    }

    fn travel(
        &mut self,
        n: usize,
        go: fn(&mut Animator, usize) -> usize,
        otherwise: &str,
        report: &mut dyn FnMut(Report),
    ) {
        let Some(animator) = &mut self.animator else { return };
        if go(animator, n) > 0 {
            self.moved(report);
        } else {
            report(Report::Note(otherwise.to_owned()));
        }
    }

    fn reload(&mut self, report: &mut dyn FnMut(Report)) {
        self.session.reload_under(&self.loads.begin());
        if !self.loads.are_wanted() {
            self.reloaded(report);
        }
    }

    /// Reads the files with other settings. Those with which a good machine is refused are told, and nothing
    /// has changed.
    fn set_up(&mut self, setup: SetupOptions, report: &mut dyn FnMut(Report)) {
        let before = self.session.clone();
        let good = before.good().is_some() && !before.is_stale();
        self.session.set_up(setup);
        self.session.reload_under(&self.loads.begin());
        if self.loads.are_wanted() {
            return;
        }
        // A file that was saved in between, and is wrong, is read again by itself.
        if good && self.session.is_stale() && self.session.halted().is_none() {
            let told = Refused {
                diagnostics: self.session.diagnostics().to_vec(),
                sources: self.session.sources().clone(),
            };
            self.session = before;
            report(Report::Settings(Box::new(self.session.setup().clone())));
            return report(Report::Wrong(format!("not set: {}", shown::line(told.line()))));
        }
        self.reloaded(report);
    }

    /// Tells what was read, and replays the history on it.
    fn reloaded(&mut self, report: &mut dyn FnMut(Report)) {
        self.report_loaded(report);
        if self.session.is_stale() {
            return;
        }
        let written = self.animator.as_ref().map(|a| self.past.written(a)).unwrap_or_default();
        self.animator = self.new_animator();
        if let Some(animator) = &mut self.animator {
            let (n, all, cancelled) = (written.depth(), written.count(), animator.cancelled());
            let mut now_and_then = NowAndThen::default();
            let done = self.past.replay(animator, &written, &mut |done| {
                if now_and_then.is_due() {
                    report(Report::Doing(Work::Replaying { done, all }));
                }
            });
            let note = match n {
                0 => "reloaded".to_owned(),
                n if done == n => format!("reloaded; {} replayed", counted(n, "step")),
                n if animator.cancelled() != cancelled => {
                    format!("reloaded; {done} of {} replayed; cancelled", counted(n, "step"))
                }
                n => format!("reloaded; {done} of {} replayed", counted(n, "step")),
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
            (true, _) => format!("followed the trace: {}", counted(done.steps, "step")),
            (false, _) => {
                format!("followed {} of {} of the trace", done.steps, counted(trace.len(), "step"))
            }
        };
        if !to_end {
            animator.restart();
            note = format!("the trace from its start: {} to go", counted(done.steps, "step"));
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
        self.forget_calls();
        let Some(animator) = &mut self.animator else { return report(Report::Place(None)) };
        let mut place = place(animator, self.places);
        place.tree = self.past.rows(animator);
        place.history = self.past.history(animator);
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

    /// Numbers of transitions mean something in one place only.
    fn forget_calls(&mut self) {
        self.unfolded.retain(|whole| !matches!(whole, Whole::Call(_)));
    }

    fn report_unfolded(&mut self, report: &mut dyn FnMut(Report)) {
        let Some(animator) = &mut self.animator else { return };
        let each =
            self.unfolded.iter().map(|whole| (*whole, shown::parts(animator.unfolded(*whole))));
        report(Report::Unfolded(each.collect()));
    }

    /// Tells what partial order reduction follows here. The machine is analysed when that is asked first.
    fn report_reduced(&mut self, report: &mut dyn FnMut(Report)) {
        let (Some(Reducing { method, choice, asked }), Some(animator)) =
            (self.reducing, &mut self.animator)
        else {
            return report(Report::Reduced(None));
        };
        if self.known.is_none() {
            let about = (animator.model(), animator.sources());
            self.known = Known::new(about, &asked, self.limits.state);
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
            default_size: default_size(&good.model.instance.machine),
            dialect: good.model.instance.machine.dialect,
            preferences: preferences(&good.model),
            constants: constants(&good.model),
            main_arrays: main_arrays(&good.model),
            symmetric: !good.model.group.is_trivial(),
            symmetry: symmetry(&good.model, &good.sources),
        });
        let sources = session.sources();
        let told = |d: &Diagnostic| Told {
            diagnostic: d.clone(),
            error: d.is_error(),
            place: d.span.map(|span| place_of(sources, span)),
            column: d.span.map_or(0, |span| sources.place(span).column - 1),
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
    Place {
        number,
        view,
        operations,
        marks,
        broken,
        watched: Vec::new(),
        history: Vec::new(),
        tree: Vec::new(),
        redo: animator.depth().1,
    }
}

/// When it is time to tell again how far something is.
struct NowAndThen(Instant);

impl Default for NowAndThen {
    fn default() -> NowAndThen {
        NowAndThen(Instant::now())
    }
}

impl NowAndThen {
    /// Whether some time has passed since the last time, or since the beginning.
    fn is_due(&mut self) -> bool {
        let due = self.0.elapsed() >= Duration::from_millis(200);
        if due {
            self.0 = Instant::now();
        }
        due
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
