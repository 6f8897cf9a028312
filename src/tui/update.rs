//! What an action, or a report, changes. Pure: what has to be done outside comes back as effects.

use super::action::Action;
use super::app::{App, Check, Overlay};
use super::engine::{Command, Offered, Place, Report, Told, Work, place_of};
use super::layout::Pane;
use super::widgets::overlay;
use crate::diagnostic::Diagnostic;
use crate::report::{self, counted};
use crate::search::{Outcome, Progress, SearchOptions, SymmetryMode};
use crate::session::Ended;
use crate::watch::Wanted;
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
    Watch(Wanted),
    Redraw,
    Suspend,
    Quit,
}

/// Does what the user asked for.
pub fn update(app: &mut App, action: Action) -> Vec<Effect> {
    app.message = None;
    let leaving = std::mem::take(&mut app.leaving);
    let effects = match action {
        Action::Quit if app.overlay.is_some() => close(app),
        Action::Quit => vec![Effect::Quit],
        Action::Interrupt => interrupt(app, leaving),
        Action::Suspend => vec![Effect::Suspend],
        Action::Redraw => vec![Effect::Redraw],
        Action::Close => close(app),
        Action::Help => toggle(app, Overlay::Help),
        Action::Errors => toggle(app, Overlay::Errors),
        Action::SymmetryOfSets => toggle(app, Overlay::Symmetry),
        Action::Messages => toggle(app, Overlay::Messages),
        Action::Take if app.overlay == Some(Overlay::Errors) => go_to_error(app),
        Action::Up | Action::Down if app.overlay == Some(Overlay::Errors) => {
            select_error(app, action == Action::Down);
            Vec::new()
        }
        _ if app.overlay.is_some() && is_motion(action) => {
            let page = overlay::extent(app).0;
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
    // Half of what is to be seen: long values are read in a few keys.
    let side = usize::from(app.layout().inner(app.focus).width / 2).max(1);
    match action {
        Action::Left => scroll.x = scroll.x.saturating_sub(side),
        Action::Right => scroll.x += side,
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

/// Selects the next or the previous error, and shows its place beside the list. What of the selected
/// one is below the edge comes first.
fn select_error(app: &mut App, forward: bool) {
    let (rows, _) = overlay::extent(app);
    let lines = overlay::error_lines(app);
    let (_, end) = lines.get(app.error).copied().unwrap_or_default();
    if forward && end > app.overlay_scroll.y + rows {
        app.overlay_scroll.y += 1;
        return;
    }
    let last = lines.len().saturating_sub(1);
    let next = if forward { app.error + 1 } else { app.error.saturating_sub(1) };
    show_error(app, next.min(last));
}

/// Selects an error, and shows its place and its text.
fn show_error(app: &mut App, number: usize) {
    app.error = number;
    let (rows, _) = overlay::extent(app);
    if let Some((start, end)) = overlay::error_lines(app).get(number).copied() {
        let y = &mut app.overlay_scroll.y;
        *y = (*y).max(end.saturating_sub(rows)).min(start);
    }
    let place = app.told().nth(number).and_then(|told| told.place);
    if let Some(place) = place {
        app.reveal(place);
    }
}

/// Leaves the list for the place of the selected error.
fn go_to_error(app: &mut App) -> Vec<Effect> {
    let place = app.told().nth(app.error).map(|told| told.place);
    match place {
        Some(Some(place)) => {
            app.overlay = None;
            app.focus = Pane::Source;
            app.reveal(place);
        }
        Some(None) => app.say("it has no place in a file"),
        None => app.overlay = None,
    }
    Vec::new()
}

/// Ends what is under way; where nothing is, leaves when it is asked twice.
fn interrupt(app: &mut App, again: bool) -> Vec<Effect> {
    if again {
        return vec![Effect::Quit];
    }
    app.leaving = true;
    let key = app.keymap.keys(Action::Interrupt).join(" ");
    let cancels = app.waiting > 0 && app.doing.cancels();
    let what = if cancels { "cancelled; " } else { "" };
    app.say(format!("{what}{key} once more leaves the workbench"));
    if cancels { vec![Effect::Cancel] } else { Vec::new() }
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
    if app.overlay == Some(Overlay::Errors) {
        show_error(app, app.error.min(app.told().count().saturating_sub(1)));
    }
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
    app.warnings.clear();
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
            let was_broken = app.is_broken();
            app.loading = false;
            app.message = None;
            app.name = loaded.name;
            app.machine = loaded.machine;
            app.diagnostics = loaded.diagnostics;
            app.warnings.clear();
            app.read = loaded.read;
            app.stale = loaded.stale;
            app.set_files(loaded.shown);
            app.doing = Work::Listing;
            effects.push(Effect::Watch(loaded.watch));
            if app.is_broken() {
                take_in_errors(app, was_broken);
            } else {
                if app.overlay == Some(Overlay::Errors) {
                    app.overlay = None;
                }
                effects.extend(start_check(app));
            }
        }
        Report::Place(None) => app.place = None,
        Report::Place(Some(place)) => {
            // Where the list ends is far below.
            if let Some(why) = place.view.stopped.as_ref().filter(|_| place.view.enabled > 0) {
                app.say(why.clone());
            }
            let before = app.place.replace(Arc::from(place));
            let moved = keep_selection(app, before.as_deref());
            app.canon = Err(String::new());
            if moved && app.focus != Pane::Source && !app.is_broken() {
                show_place(app);
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

/// The errors of a reading: they come up by themselves when the machine has just become wrong, and not
/// again when it is saved with other errors.
fn take_in_errors(app: &mut App, was_broken: bool) {
    app.error = 0;
    app.overlay_scroll = Default::default();
    if !was_broken {
        app.overlay = Some(Overlay::Errors);
    }
    if app.overlay == Some(Overlay::Errors) {
        return show_error(app, 0);
    }
    let errors = app.diagnostics.iter().filter(|d| d.error).count();
    let key = app.keymap.keys(Action::Errors).join(" ");
    app.complain(format!("still {} ({key} shows what is wrong)", counted(errors, "error")));
}

/// The selection stays at the same operation with the same arguments, else at the same operation. Says
/// whether the run stands elsewhere than before.
fn keep_selection(app: &mut App, before: Option<&Place>) -> bool {
    let Some(place) = app.place.clone() else { return true };
    let old = before.and_then(|p| p.operations.get(app.selected));
    let same = |o: &Offered| old.is_some_and(|old| old.text == o.text);
    let alike = |o: &Offered| old.is_some_and(|old| old.name == o.name);
    let at = place.operations.iter().position(same);
    app.selected = at.or(place.operations.iter().position(alike)).unwrap_or(0);
    before.is_some_and(|before| before.history != place.history) && !place.history.is_empty()
}

/// Where something is wrong with the state that place, else the declaration of the selected operation.
fn show_place(app: &mut App) {
    let broken = app.place.as_ref().and_then(|p| p.broken.keys().next().copied());
    match broken.and_then(|place| app.files.shown(place)) {
        Some(place) => app.reveal(place),
        None => show_operation(app),
    }
}

/// Takes in the end of a check.
pub fn check_ended(app: &mut App, generation: u64, ended: Ended) {
    if generation != app.generation {
        return;
    }
    app.check = match ended {
        Ended::Outcome(outcome) => {
            app.warnings = warnings(app, &outcome);
            Check::Done(outcome)
        }
        Ended::Failed(text) => {
            app.complain(format!("the check failed: {text}"));
            Check::Failed(text)
        }
    };
    app.clamp();
}

/// What a search warns of, with its places in the files that are shown.
fn warnings(app: &App, outcome: &Outcome) -> Vec<Told> {
    let Some(machine) = &app.machine else { return Vec::new() };
    let told = |diagnostic: Diagnostic| Told {
        error: false,
        place: diagnostic.span.and_then(|s| app.files.shown(place_of(&machine.sources, s))),
        diagnostic,
    };
    report::search_warnings(outcome).into_iter().map(told).collect()
}

/// Takes in how far a check has come; the last news are `age` old. Says whether anything is new.
pub fn progress(app: &mut App, now: Progress, age: Duration) -> bool {
    let Check::Running { progress, quiet, .. } = &mut app.check else { return false };
    let before = (*progress, *quiet);
    (*progress, *quiet) = (now, age.as_secs());
    before != (*progress, *quiet)
}
