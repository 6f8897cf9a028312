//! What the engine is asked, and what it tells: values, which are drawn as they are.

use crate::diagnostic::Diagnostic;
use crate::independence::Asked;
use crate::machine::OpId;
use crate::report::chosen::Followed;
use crate::report::grouped;
use crate::report::steps::StepText;
use crate::search::{PorChoice, PorMethod};
use crate::session::glance::Glance;
use crate::session::pair::Pair;
use crate::session::sifting::Sifted;
use crate::session::tree::PlaceId;
use crate::session::unfolding::{Sub, Whole};
use crate::session::view::Truth;
use crate::session::{CanonView, Good, Inquiry, StateView};
use crate::setup::SetupOptions;
use crate::source::Sources;
use crate::syntax::Dialect;
use crate::tui::files::{Files, Place as SourcePlace};
use crate::tui::listing::Listing;
use crate::tui::past::TreeRow;
use crate::watch::Wanted;
use std::collections::BTreeMap;
use std::sync::Arc;

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
    Unfold {
        place: u64,
        wholes: Vec<Whole>,
    },
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
    /// So many of so many steps are done.
    Walking {
        done: usize,
        all: usize,
    },
    Replaying {
        done: usize,
        all: usize,
    },
}

impl Work {
    pub fn text(self) -> String {
        let far = |what: &str, done: usize, all: usize| match done {
            0 => what.to_owned(),
            _ => format!("{what} {} of {} steps", grouped(done), grouped(all)),
        };
        match self {
            Work::Reading => "reading the files".to_owned(),
            Work::Following => "following the trace".to_owned(),
            Work::Evaluating => "evaluating".to_owned(),
            Work::Listing => "listing the operations of this state".to_owned(),
            Work::Looking => "looking where the operations lead".to_owned(),
            Work::Walking { done, all } => far("walking", done, all),
            Work::Replaying { done, all } => far("replaying", done, all),
        }
    }

    /// Whether it ends when it is cancelled.
    pub fn cancels(self) -> bool {
        self != Work::Reading
    }
}

impl Command {
    /// Whether there are other transitions after it, as a rule.
    pub fn moves(&self) -> bool {
        match self {
            Command::Start
            | Command::Step { .. }
            | Command::Undo(_)
            | Command::Redo(_)
            | Command::Reload
            | Command::SetUp(_)
            | Command::GoTo(_)
            | Command::More { .. }
            | Command::Load(_)
            | Command::Walk { .. }
            | Command::Follow { .. } => true,
            Command::Look { .. }
            | Command::Pair(_)
            | Command::Sift(_)
            | Command::Ask(_)
            | Command::WhyNot(_)
            | Command::WhyNever(_)
            | Command::Save(_)
            | Command::Watch(_)
            | Command::Unfold { .. }
            | Command::Write { .. }
            | Command::Reduce(_) => false,
        }
    }

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
            | Command::Unfold { .. }
            | Command::Write { .. }
            | Command::Reduce(_)
            | Command::WhyNot(_)
            | Command::WhyNever(_)
            | Command::Save(_) => Work::Evaluating,
            Command::Step { .. }
            | Command::Undo(_)
            | Command::Redo(_)
            | Command::GoTo(_)
            | Command::More { .. } => Work::Listing,
            Command::Walk { count, .. } => Work::Walking { done: 0, all: *count },
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
    /// The settings as they are: a change of them was refused.
    Settings(Box<SetupOptions>),
    /// The formulas that are watched: another one was refused.
    Watched(Vec<String>),
    /// How far the command is that is under way.
    Doing(Work),
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
    /// What the analysis is made for.
    pub asked: Asked,
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
    /// The size of sets of which nothing says how large they are, as the machine has it.
    pub default_size: u64,
    /// The notation of formulas.
    pub dialect: Dialect,
    /// The preferences that the machine itself sets.
    pub preferences: Vec<(String, String)>,
    /// Constants and parameters, which can be given values.
    pub constants: Vec<String>,
    /// What the modes that sort can sort by.
    pub main_arrays: Vec<String>,
    /// Whether permutations can be used at all.
    pub symmetric: bool,
    /// What became of the symmetry of each set, for people.
    pub symmetry: Vec<SymmetryLine>,
}

/// A line about the symmetry of the sets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymmetryLine {
    pub text: String,
    /// What in the machine makes it so: where, and how it is written.
    pub because: Vec<(SourcePlace, String)>,
}

/// An error or a warning.
#[derive(Clone, Debug)]
pub struct Told {
    pub diagnostic: Diagnostic,
    pub error: bool,
    /// Where it is, among the files as they were read last.
    pub place: Option<SourcePlace>,
    /// In which column of its line it begins, from 0.
    pub column: usize,
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
