//! What an action, or a report, changes. Pure: what has to be done outside comes back as effects.

use super::action::Action;
use super::app::{App, Check, Overlay};
use super::engine::{Command, Report};
use super::layout::Pane;
use crate::search::{Progress, SearchOptions, SymmetryMode};
use crate::session::Ended;
use std::path::PathBuf;
use std::sync::Arc;

/// What has to be done outside the application's state.
#[derive(Clone, Debug)]
pub enum Effect {
    Engine(Command),
    /// Ends a running check and starts another one, under this number.
    Check {
        generation: u64,
        options: Box<SearchOptions>,
    },
    Pause,
    Resume,
    Watch(Vec<PathBuf>),
    Redraw,
    Suspend,
    Quit,
}

/// Columns that one key scrolls to the side.
const SIDE: usize = 4;

/// Does what the user asked for.
pub fn update(app: &mut App, action: Action) -> Vec<Effect> {
    app.message = None;
    let effects = match action {
        Action::Quit => vec![Effect::Quit],
        Action::Suspend => vec![Effect::Suspend],
        Action::Redraw => vec![Effect::Redraw],
        Action::Close => {
            if app.overlay.take().is_none() {
                app.zoomed = false;
            }
            Vec::new()
        }
        Action::Help => toggle(app, Overlay::Help),
        Action::Errors => toggle(app, Overlay::Errors),
        _ if app.overlay.is_some() && is_motion(action) => {
            let page = super::widgets::overlay::extent(app).0;
            app.overlay_scroll.y = moved(app.overlay_scroll.y, action, page, usize::MAX);
            Vec::new()
        }
        _ if is_motion(action) => motion(app, action),
        Action::NextPane | Action::PreviousPane => {
            let n = Pane::ALL.len();
            let by = if action == Action::NextPane { 1 } else { n - 1 };
            app.focus = Pane::ALL[(app.focus.index() + by) % n];
            Vec::new()
        }
        Action::Zoom => {
            app.zoomed = !app.zoomed;
            Vec::new()
        }
        Action::Take => take(app),
        Action::Undo => engine(app, Command::Undo),
        Action::Redo => engine(app, Command::Redo),
        Action::Reload => engine(app, Command::Reload),
        Action::FollowTrace => follow(app),
        Action::Symmetry => {
            let on = app.symmetry() != SymmetryMode::Off;
            symmetry(app, if on { SymmetryMode::Off } else { SymmetryMode::Canon })
        }
        Action::Method => {
            let modes = SymmetryMode::ALL;
            let now = modes.iter().position(|m| *m == app.symmetry()).unwrap_or(0);
            symmetry(app, modes[(now + 1) % modes.len()])
        }
        Action::Check => start_check(app),
        Action::Pause => pause(app),
        _ => Vec::new(),
    };
    app.clamp();
    effects
}

fn is_motion(action: Action) -> bool {
    use Action::*;
    matches!(action, Up | Down | Left | Right | PageUp | PageDown | Top | Bottom)
}

/// A position after a motion; `page` lines make a page.
fn moved(at: usize, action: Action, page: usize, last: usize) -> usize {
    let page = page.saturating_sub(1).max(1);
    let to = match action {
        Action::Up => at.saturating_sub(1),
        Action::Down => at.saturating_add(1),
        Action::PageUp => at.saturating_sub(page),
        Action::PageDown => at.saturating_add(page),
        Action::Top => 0,
        Action::Bottom => last,
        _ => at,
    };
    to.min(last)
}

fn motion(app: &mut App, action: Action) -> Vec<Effect> {
    let page = usize::from(app.layout().inner(app.focus).height);
    let pane = app.focus;
    match action {
        Action::Left => app.scroll_of(pane).x = app.scroll_of(pane).x.saturating_sub(SIDE),
        Action::Right => app.scroll_of(pane).x += SIDE,
        _ if pane == Pane::Operations => {
            let count = app.place.as_ref().map_or(0, |p| p.operations.len());
            if count == 0 {
                // Faults alone can be longer than the pane.
                app.scroll_of(pane).y = moved(app.scroll_of(pane).y, action, page, usize::MAX);
            }
            let before = app.selected;
            app.selected = moved(app.selected, action, page, count.saturating_sub(1));
            if before == app.selected && matches!(action, Action::Down | Action::PageDown) {
                // What follows the last operation: faults and notes.
                app.say_rest();
            }
            show_operation(app);
        }
        _ => app.scroll_of(pane).y = moved(app.scroll_of(pane).y, action, page, usize::MAX),
    }
    Vec::new()
}

impl App {
    /// At the end of the list: how many operations fail in this state.
    fn say_rest(&mut self) {
        let faults = self.place.as_ref().map_or(0, |p| p.view.faults.len());
        if faults > 0 {
            self.complain(format!("{faults} more end in a state error: see the state pane"));
        }
    }
}

/// Brings the declaration of the selected operation into view.
fn show_operation(app: &mut App) {
    let line = app.place.as_ref().and_then(|p| p.operations.get(app.selected)?.line);
    if let Some(line) = line {
        app.reveal(line);
    }
}

fn toggle(app: &mut App, overlay: Overlay) -> Vec<Effect> {
    app.overlay_scroll = Default::default();
    app.overlay = if app.overlay == Some(overlay) { None } else { Some(overlay) };
    Vec::new()
}

fn engine(app: &mut App, command: Command) -> Vec<Effect> {
    app.waiting += 1;
    vec![Effect::Engine(command)]
}

fn take(app: &mut App) -> Vec<Effect> {
    let Some(place) = app.place.clone() else { return Vec::new() };
    if place.operations.is_empty() {
        app.complain("no operation is enabled here");
        return Vec::new();
    }
    engine(app, Command::Step { place: place.number, number: app.selected })
}

fn follow(app: &mut App) -> Vec<Effect> {
    let Check::Done(outcome) = &app.check else {
        app.complain("the check has not found a trace yet");
        return Vec::new();
    };
    match &outcome.finding {
        Some(finding) => {
            let trace = finding.trace.clone();
            engine(app, Command::Follow(trace))
        }
        None => {
            app.complain("the check has found no trace");
            Vec::new()
        }
    }
}

fn symmetry(app: &mut App, next: SymmetryMode) -> Vec<Effect> {
    app.search.symmetry = Some(next);
    app.say(format!("symmetry: {}", next.name()));
    start_check(app)
}

fn start_check(app: &mut App) -> Vec<Effect> {
    if app.machine.is_none() {
        return Vec::new();
    }
    app.generation += 1;
    app.check = Check::Running { progress: Progress::default(), paused: false };
    vec![Effect::Check { generation: app.generation, options: Box::new(app.search.clone()) }]
}

fn pause(app: &mut App) -> Vec<Effect> {
    match &mut app.check {
        Check::Running { paused, .. } => {
            *paused = !*paused;
            vec![if *paused { Effect::Pause } else { Effect::Resume }]
        }
        _ => Vec::new(),
    }
}

/// Takes in what the engine tells.
pub fn report(app: &mut App, report: Report) -> Vec<Effect> {
    let mut effects = Vec::new();
    match report {
        Report::Loaded(loaded) => {
            app.name = loaded.name;
            app.machine = loaded.machine;
            app.diagnostics = loaded.diagnostics;
            app.stale = loaded.stale;
            effects.push(Effect::Watch(loaded.files));
            let broken = app.diagnostics.iter().any(|d| d.error);
            if broken {
                app.overlay = Some(Overlay::Errors);
                app.overlay_scroll = Default::default();
            } else if app.overlay == Some(Overlay::Errors) {
                app.overlay = None;
            }
            if !broken {
                effects.extend(start_check(app));
            }
        }
        Report::Place(None) => app.place = None,
        Report::Place(Some(place)) => {
            app.place = Some(Arc::from(place));
            app.canon = Err(String::new());
            app.selected = 0;
            app.scroll_of(Pane::Operations).y = 0;
            show_operation(app);
        }
        Report::Canon(canon) => app.canon = (*canon).map(Arc::new),
        Report::Note(text) => app.say(text),
        Report::Failed(text) => app.complain(format!("internal error: {text}")),
        Report::Done => {
            app.waiting = app.waiting.saturating_sub(1);
            app.slow = false;
        }
    }
    app.clamp();
    effects
}

/// Takes in the end of a check.
pub fn check_ended(app: &mut App, generation: u64, ended: Ended) {
    if generation != app.generation {
        return;
    }
    app.check = match ended {
        Ended::Outcome(outcome) => Check::Done(outcome),
        Ended::Failed(text) => {
            app.complain(format!("the check failed: {text}"));
            Check::Failed(text)
        }
    };
    app.clamp();
}

/// Takes in how far a check has come. Says whether anything is new.
pub fn progress(app: &mut App, now: Progress) -> bool {
    match &mut app.check {
        Check::Running { progress, .. } if *progress != now => {
            *progress = now;
            true
        }
        _ => false,
    }
}
