//! What an action, or a report, changes. Pure: what has to be done outside comes back as effects.

use super::action::Action;
use super::app::{App, Check, Overlay};
use super::engine::{Command, Report, Work};
use super::layout::Pane;
use crate::search::{Progress, SearchOptions, SymmetryMode};
use crate::session::Ended;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

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
    /// Ends what the engine is doing.
    Cancel,
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
        Action::Close => close(app),
        Action::Help => toggle(app, Overlay::Help),
        Action::Errors => toggle(app, Overlay::Errors),
        Action::SymmetryOfSets => toggle(app, Overlay::Symmetry),
        Action::Messages => toggle(app, Overlay::Messages),
        Action::Take if app.overlay == Some(Overlay::Errors) => next_error(app),
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
        Action::NextFile | Action::PreviousFile => next_file(app, action == Action::NextFile),
        Action::Explain => {
            app.explained = !app.explained;
            app.scroll_to(Pane::Matrix, Default::default());
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
    let mut scroll = app.scroll[pane.index()];
    match action {
        Action::Left => scroll.x = scroll.x.saturating_sub(SIDE),
        Action::Right => scroll.x += SIDE,
        _ if pane == Pane::Operations => {
            let count = app.place.as_ref().map_or(0, |p| p.operations.len());
            let before = app.selected;
            app.selected = moved(app.selected, action, page, count.saturating_sub(1));
            if before == app.selected && matches!(action, Action::Down | Action::PageDown) {
                // What follows the last operation: faults and notes.
                app.say_rest();
            }
            show_operation(app);
            if count == 0 {
                // Faults alone can be longer than the pane.
                scroll.y = moved(scroll.y, action, page, usize::MAX);
            }
        }
        _ => scroll.y = moved(scroll.y, action, page, usize::MAX),
    }
    app.scroll_to(pane, scroll);
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
    let place = app.place.as_ref().and_then(|p| p.operations.get(app.selected)?.declared);
    if let Some(place) = place.and_then(|p| app.files.shown(p)) {
        app.reveal(place);
    }
}

fn next_file(app: &mut App, forward: bool) -> Vec<Effect> {
    let n = app.files.list.len();
    if n < 2 {
        app.say("the machine is one file");
        return Vec::new();
    }
    app.show_file((app.file + if forward { 1 } else { n - 1 }) % n);
    Vec::new()
}

/// Shows the place of the error after the one that is shown.
fn next_error(app: &mut App) -> Vec<Effect> {
    let places: Vec<_> = app.diagnostics.iter().filter_map(|d| d.place).collect();
    if places.is_empty() {
        app.say("no place in a file is named");
        return Vec::new();
    }
    app.error = (app.error + 1) % places.len();
    app.reveal(places[app.error]);
    Vec::new()
}

/// What lies on top goes first, then what the engine does, then the zoom.
fn close(app: &mut App) -> Vec<Effect> {
    if app.overlay.take().is_some() {
        return Vec::new();
    }
    if app.waiting > 0 {
        return vec![Effect::Cancel];
    }
    app.zoomed = false;
    Vec::new()
}

fn toggle(app: &mut App, overlay: Overlay) -> Vec<Effect> {
    app.overlay_scroll = Default::default();
    app.overlay = if app.overlay == Some(overlay) { None } else { Some(overlay) };
    Vec::new()
}

fn engine(app: &mut App, command: Command) -> Vec<Effect> {
    app.waiting += 1;
    app.doing = command.work();
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
    app.check = Check::Running { progress: Progress::default(), paused: false, quiet: 0 };
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
            app.loading = false;
            app.message = None;
            app.name = loaded.name;
            app.machine = loaded.machine;
            app.diagnostics = loaded.diagnostics;
            app.read = loaded.read;
            app.stale = loaded.stale;
            app.set_files(loaded.shown);
            app.doing = Work::Listing;
            effects.push(Effect::Watch(loaded.files));
            let broken = app.diagnostics.iter().any(|d| d.error);
            if broken {
                app.overlay = Some(Overlay::Errors);
                app.overlay_scroll = Default::default();
                app.error = 0;
                if let Some(place) = app.diagnostics.iter().find_map(|d| d.place) {
                    app.reveal(place);
                }
            } else if app.overlay == Some(Overlay::Errors) {
                app.overlay = None;
            }
            if !broken {
                effects.extend(start_check(app));
            }
        }
        Report::Place(None) => app.place = None,
        Report::Place(Some(place)) => {
            // Where the list ends is far below.
            if let Some(why) = place.view.stopped.as_ref().filter(|_| place.view.enabled > 0) {
                app.say(why.clone());
            }
            app.place = Some(Arc::from(place));
            app.canon = Err(String::new());
            app.selected = 0;
            app.scroll_to(Pane::Operations, Default::default());
            if !app.diagnostics.iter().any(|d| d.error) {
                show_operation(app);
            }
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

/// Takes in how far a check has come; the last news are `age` old. Says whether anything is new.
pub fn progress(app: &mut App, now: Progress, age: Duration) -> bool {
    let Check::Running { progress, quiet, .. } = &mut app.check else { return false };
    let before = (*progress, *quiet);
    (*progress, *quiet) = (now, age.as_secs());
    before != (*progress, *quiet)
}
