//! Keys that were typed ahead: what they do depends on transitions that are not listed yet.
//!
//! A key is quicker than a listing. One that takes a transition of the list, or moves in it, waits until the
//! run stands where the keys before it have led; what is typed behind it waits, too, so that the order stays.

use super::action::Action;
use super::app::App;
use super::desk::Desk;
use super::engine::Command;
use super::keymap::{Key, Look};
use super::panes::Pane;
use super::update::{self, Effect};
use std::collections::VecDeque;

/// The keys that wait, and for what.
#[derive(Clone, Debug, Default)]
pub struct Ahead {
    keys: VecDeque<Key>,
    /// Commands that the engine has still to do before the run stands where it was led.
    until: usize,
}

impl Ahead {
    /// A command was given, the last of so many.
    pub fn given(&mut self, command: &Command, waiting: usize) {
        if command.moves() {
            self.until = waiting;
        }
    }

    /// The engine tells where the run stands: by the last command that leads somewhere, or by one before it.
    pub fn arrived(&mut self) {
        if self.until == 1 {
            self.until = 0;
        }
    }

    /// The engine has done a command.
    pub fn done(&mut self) {
        self.until = self.until.saturating_sub(1);
    }

    /// The run does not stand yet where it was led.
    pub fn is_moving(&self) -> bool {
        self.until > 0
    }

    /// Keeps a key for later.
    pub fn keep(&mut self, key: Key) {
        self.keys.push_back(key);
    }
}

impl App {
    /// Whether what an action does depends on a list that is still to come.
    pub fn is_ahead(&self, action: Action) -> bool {
        let of_list = match action {
            Action::Take => true,
            Action::Unfold | Action::Guard | Action::WhyNot => self.focus == Pane::Operations,
            Action::Left | Action::Right => false,
            _ => action.is_motion() && self.focus == Pane::Operations,
        };
        of_list && self.overlay.is_none() && self.ahead.is_moving()
    }
}

/// Takes in a key behind others that wait. `None`: none does, or they no longer do.
pub fn queued(app: &mut App, key: Key) -> Option<Vec<Effect>> {
    if app.ahead.keys.is_empty() {
        return None;
    }
    match app.keymap.look(&[key], None) {
        // What ends something ends that, too.
        Look::Run(Action::Close | Action::Interrupt) => {
            app.ahead.keys.clear();
            app.count = None;
            return None;
        }
        Look::Run(Action::Suspend) => return Some(vec![Effect::Suspend]),
        Look::Run(Action::Redraw) => return Some(vec![Effect::Redraw]),
        _ => app.ahead.keep(key),
    }
    Some(Vec::new())
}

/// Takes in the keys that have waited, as far as none of them has to wait again.
pub fn go_on(desk: &mut Desk) -> Vec<Effect> {
    let mut effects = Vec::new();
    while !desk.app.ahead.is_moving()
        && let Some(key) = desk.app.ahead.keys.pop_front()
    {
        effects.extend(update::key_now(desk, key).unwrap_or_default());
    }
    effects
}
