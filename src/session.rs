//! One machine under work: loading, reloading, checking in the background, stepping.
//!
//! A [`Session`] never fails to open: what is wrong is kept as diagnostics. When a file that was good
//! is saved broken, the session keeps the last good model and says that it is stale.
//! [`animator`] steps through the machine, `canceller` ends that from another thread, [`reading`] reads steps that were written down, [`view`] and
//! [`canon`] say what is to be seen of a state, [`alike`] what names alone tell apart, `ask` answers formulas in it, `inquiry` looks for a way to one.
//!
//! What is deliberately absent: a terminal, a clock that draws, any text layout.

pub mod alike;
pub mod animator;
mod ask;
mod blocked;
mod canceller;
pub mod canon;
pub mod comparison;
pub mod constraints;
mod contradiction;
pub mod glance;
pub mod growth;
mod inquiry;
pub mod ledger;
mod narrowed;
pub mod novel;
pub mod pair;
pub mod reading;
pub mod reduction;
pub mod sifting;
pub mod solving;
pub mod tree;
pub mod unfolding;
pub mod view;

pub use crate::symmetry::CanonView;
pub use animator::{Animator, Enabled, Match, Replayed, TimeLimits};
pub use ask::Refused;
pub use blocked::Blocked;
pub use canceller::Canceller;
pub use canon::NoMatrix;
pub use inquiry::{Inquiring, Inquiry};
pub use view::{ConjunctView, FaultView, StateView, VariableView};

use crate::clock::{Clock, Halted};
use crate::diagnostic::Diagnostic;
use crate::machine::Machine;
use crate::normalise;
use crate::search::{self, Control, Outcome, SearchOptions};
use crate::setup::{self, Model, SetupOptions};
use crate::source::{Sources, Span};
use crate::stack;
use crate::typing::{self, Definitions, Formula, Loaded, ReadOptions};
use crossbeam_channel::Receiver;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

/// Where a machine comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    File(PathBuf),
    /// Standard input, as it was read: it includes files as if it lay in the working directory.
    Standard {
        bytes: Arc<[u8]>,
    },
    /// A text that is part of the program, under the name it shall have in messages.
    Embedded {
        name: String,
        text: String,
    },
}

impl Origin {
    /// What the machine is called on the screen.
    pub fn name(&self) -> String {
        match self {
            Origin::File(path) => path.display().to_string(),
            Origin::Standard { .. } => STANDARD_INPUT.to_owned(),
            Origin::Embedded { name, .. } => name.clone(),
        }
    }
}

/// One machine under work.
#[derive(Clone)]
pub struct Session {
    origin: Origin,
    /// Further folders that included files may come from.
    reading: ReadOptions,
    setup: SetupOptions,
    /// The files as they were read last, good or not.
    sources: Sources,
    /// Where the last reading looked for files that were not there.
    missing: Vec<PathBuf>,
    /// Files that were read and are not among the sources.
    others: Vec<PathBuf>,
    diagnostics: Vec<Diagnostic>,
    good: Option<Good>,
    stale: bool,
    halted: Option<Halted>,
}

/// The last model that could be made, with the texts it was made from.
#[derive(Clone)]
pub struct Good {
    pub model: Model,
    pub sources: Sources,
}

/// A search in the background.
pub struct Running {
    pub control: Arc<Control>,
    /// Gives one message.
    pub ended: Receiver<Ended>,
}

/// How a search in the background ended.
#[derive(Clone, Debug)]
pub enum Ended {
    Outcome(Box<Outcome>),
    /// The search itself went wrong; this is a fault of the program, not of the machine.
    Failed(String),
}

/// Name of threads whose panics are caught and shown.
pub const WORKER: &str = "burnside-worker";

impl Session {
    /// Loads, types and sets up a machine. Never fails: see [`Session::diagnostics`].
    pub fn open(origin: Origin, setup: SetupOptions) -> Session {
        Session::open_with(origin, Vec::new(), setup)
    }

    /// The same for a machine that may include files from these folders and those below them, and not
    /// from its own only.
    pub fn open_with(origin: Origin, include: Vec<PathBuf>, setup: SetupOptions) -> Session {
        Session::open_under(origin, include, setup, &Clock::limited(None, None))
    }

    /// The same within the limits of a clock: see [`Session::halted`].
    pub fn open_under(
        origin: Origin,
        reading: impl Into<ReadOptions>,
        setup: SetupOptions,
        clock: &Arc<Clock>,
    ) -> Session {
        let mut session = Session {
            origin,
            reading: reading.into(),
            setup,
            sources: Sources::new(),
            missing: Vec::new(),
            others: Vec::new(),
            diagnostics: Vec::new(),
            good: None,
            stale: false,
            halted: None,
        };
        session.reload_under(clock);
        session
    }

    /// Reads the files again, within the limits of a clock. When they no longer make a model, the last
    /// good one stays, stale.
    pub fn reload_under(&mut self, clock: &Arc<Clock>) {
        let (origin, reading, setup) = (&self.origin, &self.reading, &self.setup);
        let read = on_big_stack(|| clock.guard(|| read(origin, reading, setup)));
        let halted = read.as_ref().ok().and_then(|read| read.as_ref().err().copied());
        let read = match read {
            Ok(Ok(read)) => read,
            Ok(Err(_)) => Read { sources: text_of(origin), ..Read::default() },
            Err(message) => Read { diagnostics: vec![internal(&message)], ..Read::default() },
        };
        self.sources = read.sources;
        self.missing = read.missing;
        self.others = read.others;
        // Of the files only the first is read again.
        let known = |place: &Span| self.sources.files().any(|(id, _)| id == place.file);
        self.halted = halted.map(|h| Halted { place: h.place.filter(known), ..h });
        self.diagnostics = read.diagnostics;
        match read.model {
            Some(model) => {
                self.good = Some(Good { model, sources: self.sources.clone() });
                self.stale = false;
            }
            None => self.stale = self.good.is_some(),
        }
    }

    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Other sizes and preferences, from the next reading on.
    pub fn set_up(&mut self, setup: SetupOptions) {
        self.setup = setup;
    }

    pub fn setup(&self) -> &SetupOptions {
        &self.setup
    }

    /// The last good model.
    pub fn model(&self) -> Option<&Model> {
        self.good.as_ref().map(|g| &g.model)
    }

    pub fn good(&self) -> Option<&Good> {
        self.good.as_ref()
    }

    /// Whether the model is older than the files.
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// Why the last reading was ended before the machine was a model.
    pub fn halted(&self) -> Option<Halted> {
        self.halted
    }

    /// Errors and warnings of the last reading, errors first.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The files as they were read last: what the diagnostics speak of.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The source files of the machine, to be watched: those of the last reading and of the last
    /// good model, and where files were looked for that are missing. Empty for an embedded machine.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = match &self.origin {
            Origin::File(main) => vec![main.clone()],
            Origin::Standard { .. } => Vec::new(),
            Origin::Embedded { .. } => return Vec::new(),
        };
        let good = self.good.iter().flat_map(|g| g.sources.files());
        for (_, file) in self.sources.files().chain(good) {
            // The texts of options, and of standard input, are sources without a file.
            let path = file.path.as_os_str();
            let real = path != GOAL_PATH && path != CONSTANT_PATH && path != STANDARD_INPUT;
            if real && !files.contains(&file.path) {
                files.push(file.path.clone());
            }
        }
        files.extend(self.others.iter().cloned());
        let known: BTreeSet<&PathBuf> = files.iter().collect();
        let missing: BTreeSet<&PathBuf> =
            self.missing.iter().filter(|path| !known.contains(path)).collect();
        let missing: Vec<PathBuf> = missing.into_iter().cloned().collect();
        files.extend(missing);
        files
    }

    /// Those of [`Session::files`] that the last reading did not find.
    pub fn missing(&self) -> &[PathBuf] {
        &self.missing
    }

    /// Asks for this goal instead of the one before. The files are not read again, and the machine stays
    /// as it was loaded; without a model the goal is asked for when there is one.
    ///
    /// # Errors
    /// What is wrong with the goal: nothing has changed.
    pub fn ask_for(&mut self, goal: &str) -> Result<(), Refused> {
        if let Some(good) = &mut self.good {
            let mut sources = good.sources.clone();
            let machine = good.model.instance.machine.clone();
            let asked = parsed_goal(&machine, &good.model.definitions, goal, &mut sources)
                .and_then(|node| good.model.ask(goal, &node));
            match asked {
                Ok(model) => *good = Good { model, sources },
                Err(diagnostics) => return Err(Refused { diagnostics, sources }),
            }
        }
        self.setup.goal = Some(goal.to_owned());
        Ok(())
    }

    /// Searches in the background. `None` without a model.
    pub fn check(&self, options: SearchOptions) -> Option<Running> {
        self.good.as_ref().map(|good| check(good, options, false))
    }

    /// Searches on a thread with enough stack and waits for the result. `None` without a model.
    pub fn run(&self, options: &SearchOptions, control: &Arc<Control>) -> Option<Ended> {
        let model = self.model()?;
        let options = SearchOptions { goal: model.has_goal, ..options.clone() };
        let result = on_big_stack(|| search::run(model, &options, control));
        Some(match result {
            Ok(outcome) => Ended::Outcome(Box::new(outcome)),
            Err(message) => Ended::Failed(message),
        })
    }

    /// A new animator at the root of the model. `None` without a model.
    pub fn animator(&self) -> Option<Animator> {
        self.good.as_ref().map(|g| Animator::new(g.model.clone(), g.sources.clone()))
    }
}

/// Searches a machine in the background, looked at closely from the start or not, and finds out why there is no
/// set-up where there is none; a panic of the search becomes [`Ended::Failed`].
pub fn check(good: &Good, options: SearchOptions, closely: bool) -> Running {
    let control = Control::new().telling();
    control.look(closely);
    let (control, theirs) = (Arc::new(control), good.clone());
    let clock = control.clock().clone();
    searching(&good.model, options, control, move |outcome| {
        // What was not found out in time is not told.
        let _ = clock.guard(|| solving::explain_no_setup(&theirs, outcome, &clock));
    })
}

/// Searches a model in the background, under a control that is there already.
pub fn check_with(model: &Model, options: SearchOptions, control: Arc<Control>) -> Running {
    searching(model, options, control, |_| ())
}

fn searching(
    model: &Model,
    options: SearchOptions,
    control: Arc<Control>,
    then: impl FnOnce(&mut Outcome) + Send + 'static,
) -> Running {
    let (sender, ended) = crossbeam_channel::bounded(1);
    let options = SearchOptions { goal: model.has_goal, ..options };
    let (theirs, model, failed) = (control.clone(), model.clone(), sender.clone());
    let work = move || {
        let result = catch_unwind(AssertUnwindSafe(|| {
            if std::env::var_os("BURNSIDE_TEST_PANIC").is_some() {
                panic!("asked to panic by BURNSIDE_TEST_PANIC");
            }
            let mut outcome = search::run(&model, &options, &theirs);
            then(&mut outcome);
            outcome
        }));
        let result = match result {
            Ok(outcome) => Ended::Outcome(Box::new(outcome)),
            Err(payload) => Ended::Failed(panic_message(&*payload)),
        };
        // Nobody listens any more when the check was started again: that is no failure.
        let _ = sender.send(result);
    };
    let builder = stack::thread(WORKER);
    if let Err(error) = builder.spawn(work) {
        let _ = failed.send(Ended::Failed(format!("no thread for the search: {error}")));
    }
    Running { control, ended }
}

/// Runs with a large stack, in this thread.
///
/// # Errors
/// The message of a panic.
pub fn on_big_stack<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    let caught = || catch_unwind(AssertUnwindSafe(work));
    stack::large(caught).map_err(|payload| panic_message(&*payload))
}

/// What a panic said.
pub fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned())
}

fn internal(message: &str) -> Diagnostic {
    Diagnostic::without_place("internal-error", format!("internal error: {message}"))
        .hint("this is a fault of burnside, not of the machine")
}

/// Under this name the text of a goal stands among the sources.
pub const GOAL_PATH: &str = "--goal";

/// Under this name standard input does.
pub const STANDARD_INPUT: &str = "<stdin>";

/// The same for the value of a constant.
const CONSTANT_PATH: &str = "--constant";

/// One reading of the files.
#[derive(Default)]
struct Read {
    sources: Sources,
    missing: Vec<PathBuf>,
    others: Vec<PathBuf>,
    diagnostics: Vec<Diagnostic>,
    model: Option<Model>,
}

/// The main file alone: what was at hand when a reading was ended.
fn text_of(origin: &Origin) -> Sources {
    let mut sources = Sources::new();
    match origin {
        Origin::File(path) => drop(sources.load(path)),
        Origin::Standard { bytes } => {
            sources.add(STANDARD_INPUT, String::from_utf8_lossy(bytes));
        }
        Origin::Embedded { name, text } => drop(sources.add(name, text.as_str())),
    }
    sources
}

fn read(origin: &Origin, reading: &ReadOptions, setup: &SetupOptions) -> Read {
    let reading = &ReadOptions { preferences: setup.preferences.clone(), ..reading.clone() };
    let loaded = match origin {
        Origin::File(path) => normalise::load_including(path, reading),
        Origin::Standard { bytes } => normalise::load_bytes(STANDARD_INPUT, bytes, reading),
        Origin::Embedded { name, text } => normalise::load_text_under(name, text, reading),
    };
    let Loaded { machine, mut sources, missing, others, mut diagnostics, definitions } = loaded;
    let made = machine.map(|m| make_model(m, definitions, setup, &mut sources));
    let model = match made {
        None => None,
        Some(Ok(model)) => {
            diagnostics.extend(model.warnings.iter().cloned());
            Some(model)
        }
        Some(Err(errors)) => {
            diagnostics.extend(errors);
            diagnostics.sort_by_key(|d| !d.is_error());
            None
        }
    };
    Read { sources, missing, others, diagnostics, model }
}

/// Sets up a machine, with the constants that are given values and the goal that is asked for. Without
/// a goal the machine's own GOAL is compiled along, so that a search can say whether it was seen.
fn make_model(
    machine: Machine,
    definitions: Arc<Definitions>,
    options: &SetupOptions,
    sources: &mut Sources,
) -> Result<Model, Vec<Diagnostic>> {
    let given = &options.constants;
    let machine = &Arc::new(with_constants(machine, &definitions, given, sources)?);
    let goal = options.goal.as_ref();
    let goal = goal.map(|text| parsed_goal(machine, &definitions, text, sources)).transpose()?;
    Ok(setup::set_up(machine, options, goal.as_ref())?.with_definitions(definitions))
}

/// A goal as a tree. Its text joins the sources.
fn parsed_goal(
    machine: &Machine,
    definitions: &Arc<Definitions>,
    text: &str,
    sources: &mut Sources,
) -> Result<Formula, Vec<Diagnostic>> {
    let id = sources.add(GOAL_PATH, text);
    if text.trim().is_empty() {
        let span = Span::new(id, 0, 0);
        return Err(vec![Diagnostic::error("empty-goal", span, "the goal is empty")]);
    }
    typing::parse_formula(machine, definitions, sources, id)
}

/// The machine with the values that its constants are given.
fn with_constants(
    machine: Machine,
    definitions: &Arc<Definitions>,
    given: &[(String, String)],
    sources: &mut Sources,
) -> Result<Machine, Vec<Diagnostic>> {
    if given.is_empty() {
        return Ok(machine);
    }
    let mut values = Vec::new();
    for (name, text) in given {
        let id = sources.add(CONSTANT_PATH, text.as_str());
        let value = typing::parse_formula(&machine, definitions, sources, id)?;
        values.push((Arc::from(name.as_str()), value));
    }
    setup::give_constants(&machine, values)
}

#[cfg(test)]
mod tests;
