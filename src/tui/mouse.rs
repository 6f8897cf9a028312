//! The mouse, for who wants it: a click gives a pane the focus and selects a line, or brings the pane up
//! whose name it is on; the wheel scrolls.

use super::action::Action;
use super::desk::Desk;
use super::update::{self, Effect};
use super::widgets::bars;
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

/// Something that was done with the mouse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mouse {
    pub what: What,
    /// Column and line of the screen.
    pub at: (u16, u16),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    Click,
    WheelUp,
    WheelDown,
}

impl Mouse {
    /// What the terminal tells, if it means anything here.
    pub fn of(event: MouseEvent) -> Option<Mouse> {
        let what = match event.kind {
            MouseEventKind::Down(MouseButton::Left) => What::Click,
            MouseEventKind::ScrollUp => What::WheelUp,
            MouseEventKind::ScrollDown => What::WheelDown,
            _ => return None,
        };
        Some(Mouse { what, at: (event.column, event.row) })
    }
}

/// Lines that one turn of the wheel scrolls.
const TURN: usize = 3;

/// Takes in what was done with the mouse.
pub fn mouse(desk: &mut Desk, Mouse { what, at: (x, y) }: Mouse) -> Vec<Effect> {
    if desk.app.prompt.is_some() {
        return Vec::new();
    }
    let layout = desk.app.layout();
    let under = layout.panes.into_iter().find(|(_, rect)| rect.contains(Position::new(x, y)));
    let free = desk.app.overlay.is_none();
    match (what, under) {
        (What::Click, Some((pane, rect @ Rect { y: top, .. }))) if free => {
            desk.app.message = None;
            let tab = if y == top { desk.tab_at(pane, rect, x) } else { None };
            desk.app.focus_on(tab.unwrap_or(pane));
            if let Some(row) = y.checked_sub(top + 1) {
                desk.select(pane, usize::from(row));
            }
            desk.settle()
        }
        (What::Click, None) if free => {
            let tabs = layout.tabs.filter(|tabs| tabs.contains(Position::new(x, y)));
            match tabs.and_then(|tabs| bars::tab_at(&desk.app, tabs, x)) {
                Some(pane) => desk.app.focus_on(pane),
                None => return Vec::new(),
            }
            desk.app.message = None;
            desk.settle()
        }
        (What::Click, _) => Vec::new(),
        (What::WheelUp | What::WheelDown, under) => {
            match under {
                Some((pane, _)) if free => desk.app.focus_on(pane),
                _ if free => return Vec::new(),
                _ => {}
            }
            let action = if what == What::WheelUp { Action::Up } else { Action::Down };
            (0..TURN).flat_map(|_| update::update(desk, action)).collect()
        }
    }
}
