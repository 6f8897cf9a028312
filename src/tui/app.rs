//! What the panes share, as data. Changed by [`update`](super::update) and the panes only, and drawn
//! from.

use super::action::Action;
use super::ahead::Ahead;
use super::engine::{
    Command, Exchange, Labelled, Obstacle, Place, Reduced, Reducing, Sieve, Told, Work,
};
use super::files::{Files, Place as SourcePlace};
use super::hunt::Hunt;
use super::keymap::{Key, Keymap, Look};
use super::layout::{Front, Layout, Moved, Slot};
use super::panes::Pane;
use super::panes::compare::Growth;
use super::panes::view::Scroll;
use super::prompt::Prompt;
use super::theme::Theme;
use super::update::Effect;
use super::widgets::input::Input;
use super::widgets::statistics::Rates;
use crate::diagnostic::Diagnostic;
use crate::printable;
use crate::search::control::Closer;
use crate::search::{Outcome, Progress, SearchOptions, SymmetryMode};
use crate::session::comparison::Stage;
use crate::session::glance::Glance;
use crate::session::ledger::Book;
use crate::session::pair::Pair;
use crate::session::unfolding::{Sub, Whole};
use crate::source::Sources;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// The state of the workbench.
pub struct App {
    pub keymap: Arc<Keymap>,
    pub theme: Arc<Theme>,
    /// What checks are started with.
    pub search: SearchOptions,
    /// What is wrong with the user's files, and their texts.
    pub settings: Vec<Told>,
    pub settings_read: Arc<Sources>,
    /// Keys that begin a chord.
    pub keys: Vec<Key>,
    /// Keys that wait for what those before them lead to.
    pub ahead: Ahead,
    /// The number that was typed before a key.
    pub count: Option<usize>,
    pub name: String,
    /// The first reading of the files is not over.
    pub loading: bool,
    pub machine: Option<super::engine::MachineView>,
    pub files: Arc<Files>,
    /// Where the source pane shall look.
    pub look_at: Option<SourcePlace>,
    /// Which column it shall have in sight there.
    pub look_at_column: Option<usize>,
    pub diagnostics: Vec<Told>,
    /// The texts they speak of.
    pub read: Arc<Sources>,
    /// What the check warns of.
    pub warnings: Vec<Told>,
    /// Number of the selected one of all that is told.
    pub error: usize,
    pub stale: bool,
    pub place: Option<Arc<Place>>,
    pub canon: Result<Arc<Labelled>, String>,
    /// What partial order reduction does here, while it is on.
    pub reduced: Option<Arc<Reduced>>,
    pub check: Check,
    /// Counts checks, so that the result of an old one is known as such.
    pub generation: u64,
    pub focus: Pane,
    /// The panes that lie on top.
    pub front: Front,
    pub zoomed: bool,
    /// How the user has moved the lines between panes.
    pub moved: Moved,
    pub overlay: Option<Overlay>,
    /// Number of the selected transition.
    pub chosen: Option<usize>,
    /// What was seen of the transitions of the place, so far.
    pub glances: BTreeMap<usize, Glance>,
    /// The transitions that the filter leaves where it is a predicate.
    pub sieve: Option<Sieve>,
    /// Two states side by side, and the numbers of their steps.
    pub pair: Option<(Pair, [usize; 2])>,
    /// The step whose state is compared with that which is shown.
    pub paired: usize,
    /// The predicates that are taken apart here.
    pub unfolded: Vec<(Whole, Vec<Sub>)>,
    /// What the pane that has the focus hands on of what is selected in it, when that is copied or written.
    pub selected: Option<String>,
    /// What is to be written to a file, once its name is typed.
    pub to_write: String,
    /// Why operations are not enabled.
    pub obstacles: Vec<Obstacle>,
    pub overlay_scroll: Scroll,
    /// What is being typed.
    pub prompt: Option<Prompt>,
    /// One line for each prompt.
    pub inputs: [Input; Prompt::ALL.len()],
    /// Names that the last completion had to choose from.
    pub candidates: Vec<String>,
    /// Number of what is selected in the palette, or in the list of what can be set.
    pub choice: usize,
    /// What the operations listed have to have.
    pub filter: String,
    /// What the names in the state pane have to have.
    pub names: String,
    /// Formulas that were asked, with the answers.
    pub console: Vec<Exchange>,
    /// The last runs of the check, and the traces that are replayed.
    pub book: Arc<Book>,
    /// How fast the check is.
    pub rates: Rates,
    /// What is found out about it while somebody looks closely.
    pub closer: Closer,
    /// The comparison of the symmetry modes.
    pub comparison: Comparison,
    /// The seed of the next random walk.
    pub seed: u64,
    /// What was looked for last, and the number of such searches so far.
    pub hunt: Option<Hunt>,
    pub hunts: u64,
    /// Formulas that are evaluated in every state.
    pub watched: Vec<String>,
    pub message: Option<Message>,
    /// The last messages, that on the screen included; the newest is the last.
    pub messages: VecDeque<Message>,
    /// Number of messages so far.
    pub said: u64,
    /// Commands that the engine has not done yet.
    pub waiting: usize,
    /// The engine has been at it for longer than one notices.
    pub slow: bool,
    /// The next Ctrl-C leaves.
    pub leaving: bool,
    /// The terminal shows nothing but ASCII.
    pub ascii: bool,
    /// What the engine does.
    pub doing: Work,
    pub width: u16,
    pub height: u16,
}

/// The check in the background.
#[derive(Clone, Debug, Default)]
pub enum Check {
    #[default]
    None,
    Running {
        progress: Progress,
        paused: bool,
        /// Seconds since the search said anything new.
        quiet: u64,
    },
    Done(Box<Outcome>),
    Failed(String),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overlay {
    Help,
    Errors,
    /// What became of the symmetry of each set.
    Symmetry,
    Messages,
    /// What can be set.
    Settings,
    /// Two states side by side.
    Pair,
    /// How fast the check is, and what operations have to do with it.
    Statistics,
    Palette,
}

/// The symmetry modes of a comparison, each with how far it is.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Tells it from an older one.
    pub number: u64,
    pub modes: Vec<(SymmetryMode, Stage)>,
    /// The same for several sizes of the sets.
    pub growth: Growth,
    pub running: bool,
}

/// Number of messages that can be read again.
const MESSAGES: usize = 100;

/// A line for the user, in place of the hints until the next key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    pub error: bool,
    pub text: String,
}

impl App {
    pub fn new(keymap: Arc<Keymap>, theme: Arc<Theme>, search: SearchOptions) -> App {
        App {
            keymap,
            theme,
            search,
            settings: Vec::new(),
            settings_read: Arc::default(),
            keys: Vec::new(),
            ahead: Ahead::default(),
            count: None,
            name: String::new(),
            loading: true,
            machine: None,
            files: Arc::default(),
            look_at: None,
            look_at_column: None,
            diagnostics: Vec::new(),
            read: Arc::default(),
            warnings: Vec::new(),
            error: 0,
            stale: false,
            place: None,
            canon: Err(String::new()),
            reduced: None,
            check: Check::None,
            generation: 0,
            focus: Pane::Operations,
            front: Slot::ALL.map(first_of),
            zoomed: false,
            moved: Moved::default(),
            overlay: None,
            chosen: None,
            glances: BTreeMap::new(),
            sieve: None,
            pair: None,
            paired: 0,
            unfolded: Vec::new(),
            selected: None,
            to_write: String::new(),
            obstacles: Vec::new(),
            overlay_scroll: Scroll::default(),
            prompt: None,
            inputs: Default::default(),
            candidates: Vec::new(),
            choice: 0,
            filter: String::new(),
            names: String::new(),
            console: Vec::new(),
            book: Arc::default(),
            rates: Rates::default(),
            closer: Closer::default(),
            comparison: Comparison::default(),
            seed: 1,
            hunt: None,
            hunts: 0,
            watched: Vec::new(),
            message: None,
            messages: VecDeque::new(),
            said: 0,
            waiting: 0,
            slow: false,
            leaving: false,
            ascii: false,
            doing: Work::Reading,
            width: 80,
            height: 24,
        }
    }

    /// Takes in what is wrong with the user's files, and says so.
    pub fn take_in_settings(&mut self, told: Vec<Diagnostic>, sources: Arc<Sources>) {
        if let Some(first) = told.first() {
            let place = first.span.map(|span| {
                let (place, path) = (sources.place(span), &sources.get(span.file).path);
                let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                format!("{name}:{}:{}: ", place.line, place.column)
            });
            let key = self.keymap.keys(Action::Errors).join(" ");
            let others = match told.len() {
                1 => format!(" ({key} shows it)"),
                n => format!(" ({key} shows all {n})"),
            };
            self.complain(format!("{}{}{others}", place.unwrap_or_default(), first.message));
        }
        let told = told.into_iter().map(|diagnostic| Told {
            error: true,
            place: None,
            column: 0,
            diagnostic,
        });
        self.settings = told.collect();
        self.settings_read = sources;
    }

    pub fn layout(&self) -> Layout {
        Layout::new((self.width, self.height), self.zoomed, self.focus, self.front, self.moved)
    }

    /// Makes the focused pane larger or smaller, by so many columns and lines.
    pub fn resize(&mut self, columns: i16, lines: i16) {
        let wide = self.layout().lines.len() > 1;
        let Moved { source, middle, state, check } = &mut self.moved;
        // Which line bounds it, and on which side it stands of that.
        let (across, sign) = match self.focus.about().slot {
            Slot::LeftTop => (source, 1),
            Slot::LeftBottom if !wide => (source, 1),
            Slot::RightTop | Slot::LeftBottom if wide => (middle, 1),
            _ if wide => (middle, -1),
            _ => (source, -1),
        };
        *across = across.saturating_add(sign * columns).clamp(-500, 500);
        let (down, sign) = match self.focus.about().slot {
            Slot::LeftTop | Slot::RightTop => (state, 1),
            Slot::RightBottom if wide => (check, 1),
            Slot::LeftBottom | Slot::RightBottom => (state, -1),
            Slot::Bottom => (check, -1),
        };
        *down = down.saturating_add(sign * lines).clamp(-500, 500);
    }

    /// Gives a pane the focus, and brings it to the top of its slot.
    pub fn focus_on(&mut self, pane: Pane) {
        self.focus = pane;
        self.front[pane.about().slot as usize] = pane;
    }

    /// What the keys do now that were pressed.
    pub fn look(&self) -> Look {
        self.keymap.look(&self.keys, self.overlay.is_none().then_some(self.focus))
    }

    /// The symmetry mode that a check runs with.
    pub fn symmetry(&self) -> SymmetryMode {
        let symmetric = self.machine.as_ref().is_some_and(|m| m.symmetric);
        let automatic = if symmetric { SymmetryMode::Canon } else { SymmetryMode::Off };
        self.search.symmetry.unwrap_or(automatic)
    }

    /// How the engine is to reduce.
    pub fn reducing(&self) -> Option<Reducing> {
        let (choice, asked) = (self.search.por_choice, self.search.por_asked());
        self.search.por.map(|method| Reducing { method, choice, asked })
    }

    pub fn say(&mut self, text: impl Into<String>) {
        self.tell(false, &text.into());
    }

    pub fn complain(&mut self, text: impl Into<String>) {
        self.tell(true, &text.into());
    }

    fn tell(&mut self, error: bool, text: &str) {
        let message = Message { error, text: printable::block(text).into_owned() };
        if self.messages.len() == MESSAGES {
            self.messages.pop_front();
        }
        self.messages.push_back(message.clone());
        self.said += 1;
        self.message = Some(message);
    }

    /// Errors and warnings of the machine, then what the check warns of, then what is wrong with the user's
    /// files.
    pub fn told(&self) -> impl Iterator<Item = &Told> {
        self.diagnostics.iter().chain(&self.warnings).chain(&self.settings)
    }

    /// That the machine has no initial state, where that is so, and where it is told why.
    pub fn no_start(&self) -> Option<String> {
        let view = &self.place.as_ref()?.view;
        let what = match view.constants.is_empty() {
            true => "the machine cannot be set up",
            false => "there is no initial state",
        };
        let why = match (&self.check, self.told().next()) {
            (_, Some(_)) => format!("{}: why", self.keymap.keys(Action::Errors).join(" ")),
            (Check::Running { .. }, None) => "looking why".to_owned(),
            _ => "see the check".to_owned(),
        };
        view.stuck.then(|| format!("{what} ({why})"))
    }

    /// The machine has errors.
    pub fn is_broken(&self) -> bool {
        self.diagnostics.iter().any(|d| d.error)
    }

    /// Whether more is to be found out about the check than what it counts anyway.
    pub fn looks_closely(&self) -> bool {
        self.overlay == Some(Overlay::Statistics)
    }

    /// Whether the check is running and not paused: its numbers change by themselves.
    pub fn is_searching(&self) -> bool {
        matches!(self.check, Check::Running { paused: false, .. })
    }

    /// The parts of a predicate, where it is taken apart.
    pub fn parts_of(&self, whole: Whole) -> Option<&[Sub]> {
        let found = self.unfolded.iter().find(|(own, _)| *own == whole);
        found.map(|(_, parts)| parts.as_slice())
    }

    /// Takes a predicate apart, or no longer.
    pub fn unfold(&mut self, whole: Whole) -> Vec<Effect> {
        let mut wholes: Vec<Whole> = self.unfolded.iter().map(|(own, _)| *own).collect();
        match wholes.iter().position(|own| *own == whole) {
            Some(at) => drop(wholes.remove(at)),
            None => wholes.push(whole),
        }
        let place = self.place.as_ref().map_or(0, |place| place.number);
        self.engine(Command::Unfold { place, wholes })
    }

    /// Where the selected transition is declared, in the texts of the machine.
    pub fn chosen_place(&self) -> Option<SourcePlace> {
        self.place.as_ref()?.operations.group(self.chosen?)?.declared
    }
}

/// The pane of a slot that comes first.
fn first_of(slot: Slot) -> Pane {
    let mut panes = Pane::ALL.iter().copied();
    panes.find(|pane| pane.about().slot == slot).expect("every slot has a pane, as a test holds")
}
