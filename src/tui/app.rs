//! What is on the screen, as data. Changed by [`update`](super::update) only, and drawn from.

use super::engine::{Labelled, Place, Told, Work};
use super::files::{Files, Place as SourcePlace, ShownFile};
use super::keymap::Keymap;
use super::layout::{Layout, Pane};
use super::panes;
use super::theme::Theme;
use super::widgets::overlay;
use crate::printable;
use crate::search::{Outcome, Progress, SearchOptions, SymmetryMode};
use crate::source::Sources;
use std::collections::VecDeque;
use std::sync::Arc;

/// The state of the workbench.
pub struct App {
    pub keymap: Arc<Keymap>,
    pub theme: Arc<Theme>,
    /// What checks are started with.
    pub search: SearchOptions,
    pub name: String,
    /// The first reading of the files is not over.
    pub loading: bool,
    pub machine: Option<super::engine::MachineView>,
    pub files: Files,
    /// The file that the source pane shows.
    pub file: usize,
    /// How far the other files are scrolled.
    scrolled: Vec<Scroll>,
    pub diagnostics: Vec<Told>,
    /// The texts they speak of.
    pub read: Arc<Sources>,
    /// What the check warns of.
    pub warnings: Vec<Told>,
    /// Number of the selected error or warning, those of the check counted last.
    pub error: usize,
    pub stale: bool,
    pub place: Option<Arc<Place>>,
    pub canon: Result<Arc<Labelled>, String>,
    /// The matrix pane shows how the labelling came about.
    pub explained: bool,
    pub check: Check,
    /// Counts checks, so that the result of an old one is known as such.
    pub generation: u64,
    pub focus: Pane,
    pub zoomed: bool,
    pub overlay: Option<Overlay>,
    /// Number of the selected operation.
    pub selected: usize,
    /// How far the panes are scrolled: as they were scrolled by the user or for him, and within what
    /// there is now. A small screen must not make a larger one forget.
    wanted: [Scroll; 5],
    pub scroll: [Scroll; 5],
    pub overlay_scroll: Scroll,
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
}

/// Number of messages that can be read again.
const MESSAGES: usize = 100;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scroll {
    pub x: usize,
    pub y: usize,
}

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
            name: String::new(),
            loading: true,
            machine: None,
            files: Files::default(),
            file: 0,
            scrolled: Vec::new(),
            diagnostics: Vec::new(),
            read: Arc::default(),
            warnings: Vec::new(),
            error: 0,
            stale: false,
            place: None,
            canon: Err(String::new()),
            explained: false,
            check: Check::None,
            generation: 0,
            focus: Pane::Operations,
            zoomed: false,
            overlay: None,
            selected: 0,
            wanted: Default::default(),
            scroll: Default::default(),
            overlay_scroll: Scroll::default(),
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

    pub fn layout(&self) -> Layout {
        Layout::new(self.width, self.height, self.zoomed.then_some(self.focus), self.focus)
    }

    /// The symmetry mode that a check runs with.
    pub fn symmetry(&self) -> SymmetryMode {
        let symmetric = self.machine.as_ref().is_some_and(|m| m.symmetric);
        let automatic = if symmetric { SymmetryMode::Canon } else { SymmetryMode::Off };
        self.search.symmetry.unwrap_or(automatic)
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

    /// Errors and warnings of the machine, then what the check warns of.
    pub fn told(&self) -> impl Iterator<Item = &Told> {
        self.diagnostics.iter().chain(&self.warnings)
    }

    /// The machine has errors.
    pub fn is_broken(&self) -> bool {
        self.diagnostics.iter().any(|d| d.error)
    }

    /// Whether the check is running and not paused: its numbers change by themselves.
    pub fn is_searching(&self) -> bool {
        matches!(self.check, Check::Running { paused: false, .. })
    }

    /// Scrolls a pane, as far as there is something.
    pub fn scroll_to(&mut self, pane: Pane, to: Scroll) {
        self.wanted[pane.index()] = to;
        self.clamp();
        self.wanted[pane.index()] = self.scroll[pane.index()];
    }

    /// The file that the source pane shows.
    pub fn shown_file(&self) -> Option<&ShownFile> {
        self.files.list.get(self.file)
    }

    /// Takes in the files as they are now. The one that is shown stays, if it is still there.
    pub fn set_files(&mut self, files: Files) {
        let name = self.shown_file().map(|f| f.name.clone());
        let at = files.list.iter().position(|f| Some(&f.name) == name.as_ref());
        if files.list.len() != self.files.list.len() {
            self.scrolled = vec![Scroll::default(); files.list.len()];
        }
        self.files = files;
        match at {
            Some(at) => self.file = at,
            None => {
                self.file = 0;
                self.scroll_to(Pane::Source, Scroll::default());
            }
        }
    }

    /// Shows a file where it was left.
    pub fn show_file(&mut self, file: usize) {
        if file == self.file || file >= self.files.list.len() {
            return;
        }
        self.scrolled.resize(self.files.list.len(), Scroll::default());
        self.scrolled[self.file] = self.wanted[Pane::Source.index()];
        self.file = file;
        self.scroll_to(Pane::Source, self.scrolled[file]);
    }

    /// Keeps selection and scrolling within what there is.
    pub fn clamp(&mut self) {
        let layout = self.layout();
        let operations = self.place.as_ref().map_or(0, |p| p.operations.len());
        self.selected = self.selected.min(operations.saturating_sub(1));
        for pane in Pane::ALL {
            let inner = layout.inner(pane);
            let (width, height) = panes::extent(self, pane, inner);
            let (rows, columns) = (usize::from(inner.height), usize::from(inner.width));
            let selected = self.selected;
            let mut scroll = self.wanted[pane.index()];
            if pane == Pane::Operations && rows > 0 && operations > 0 {
                scroll.y = scroll.y.clamp((selected + 1).saturating_sub(rows), selected);
            }
            scroll.y = scroll.y.min(height.saturating_sub(rows));
            scroll.x = scroll.x.min(width.saturating_sub(columns));
            self.scroll[pane.index()] = scroll;
        }
        let (rows, height) = overlay::extent(self);
        self.overlay_scroll.y = self.overlay_scroll.y.min(height.saturating_sub(rows));
    }

    /// Shows a place of a file well inside the source pane, and above what lies over it.
    pub fn reveal(&mut self, place: SourcePlace) {
        self.show_file(place.file);
        let inner = self.layout().inner(Pane::Source);
        let covered = overlay::area_now(self).map_or(inner.bottom(), |area| area.y);
        let rows = usize::from(inner.bottom().min(covered).saturating_sub(inner.y));
        let (line, mut scroll) = (place.line, self.scroll[Pane::Source.index()]);
        if rows == 0 {
            scroll.y = line;
        } else if line < scroll.y + 1 || line + 2 > scroll.y + rows {
            scroll.y = line.saturating_sub(rows / 3);
        }
        self.scroll_to(Pane::Source, scroll);
    }
}
