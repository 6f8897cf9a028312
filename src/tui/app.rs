//! What is on the screen, as data. Changed by [`update`](super::update) only, and drawn from.

use super::engine::{Place, Rendered};
use super::keymap::Keymap;
use super::layout::{Layout, Pane};
use super::panes;
use super::theme::Theme;
use crate::search::{Outcome, Progress, SearchOptions, SymmetryMode};
use crate::session::CanonView;
use std::sync::Arc;

/// The state of the workbench.
pub struct App {
    pub keymap: Arc<Keymap>,
    pub theme: Arc<Theme>,
    /// What checks are started with.
    pub search: SearchOptions,
    pub name: String,
    pub machine: Option<super::engine::MachineView>,
    pub diagnostics: Vec<Rendered>,
    pub stale: bool,
    pub place: Option<Arc<Place>>,
    pub canon: Result<Arc<CanonView>, String>,
    pub check: Check,
    /// Counts checks, so that the result of an old one is known as such.
    pub generation: u64,
    pub focus: Pane,
    pub zoomed: bool,
    pub overlay: Option<Overlay>,
    /// Number of the selected operation.
    pub selected: usize,
    pub scroll: [Scroll; 5],
    pub overlay_scroll: Scroll,
    pub message: Option<Message>,
    /// Commands that the engine has not done yet.
    pub waiting: usize,
    /// The engine has been at it for longer than one notices.
    pub slow: bool,
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
    },
    Done(Box<Outcome>),
    Failed(String),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overlay {
    Help,
    Errors,
}

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
            machine: None,
            diagnostics: Vec::new(),
            stale: false,
            place: None,
            canon: Err(String::new()),
            check: Check::None,
            generation: 0,
            focus: Pane::Operations,
            zoomed: false,
            overlay: None,
            selected: 0,
            scroll: Default::default(),
            overlay_scroll: Scroll::default(),
            message: None,
            waiting: 0,
            slow: false,
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
        self.message = Some(Message { error: false, text: text.into() });
    }

    pub fn complain(&mut self, text: impl Into<String>) {
        self.message = Some(Message { error: true, text: text.into() });
    }

    /// Whether the check is running and not paused: its numbers change by themselves.
    pub fn is_searching(&self) -> bool {
        matches!(self.check, Check::Running { paused: false, .. })
    }

    pub fn scroll_of(&mut self, pane: Pane) -> &mut Scroll {
        &mut self.scroll[pane.index()]
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
            let scroll = self.scroll_of(pane);
            if pane == Pane::Operations && rows > 0 && operations > 0 {
                scroll.y = scroll.y.clamp((selected + 1).saturating_sub(rows), selected);
            }
            scroll.y = scroll.y.min(height.saturating_sub(rows));
            scroll.x = scroll.x.min(width.saturating_sub(columns));
        }
        let (rows, height) = super::widgets::overlay::extent(self);
        self.overlay_scroll.y = self.overlay_scroll.y.min(height.saturating_sub(rows));
    }

    /// Scrolls the source so that a line is well inside the pane.
    pub fn reveal(&mut self, line: usize) {
        let rows = usize::from(self.layout().inner(Pane::Source).height);
        let scroll = self.scroll_of(Pane::Source);
        if rows == 0 {
            scroll.y = line;
        } else if line < scroll.y + 1 || line + 2 > scroll.y + rows {
            scroll.y = line.saturating_sub(rows / 3);
        }
    }
}
