//! What an action, or a report, changes. Pure: what has to be done outside comes back as effects.

use super::action::Action;
use super::app::{App, Check, Comparison, Overlay};
use super::choices;
use super::desk::Desk;
use super::engine::{Command, Report, Told, Work, place_of};
use super::event::News;
use super::files::Place;
use super::hunt::{self, Hunt};
use super::keymap::{Key, Look};
use super::panes::Pane;
use super::panes::view::moved;
use super::prompt::{self, Prompt};
use super::shown;
use super::widgets::overlay;
use crate::diagnostic::Diagnostic;
use crate::report::runs::CheckRun;
use crate::report::steps::StepText;
use crate::report::{self, counted};
use crate::search::{Outcome, PorMethod, Progress, SearchOptions, SymmetryMode};
use crate::session::comparison::Stage;
use crate::session::glance::{Glance, Target};
use crate::session::ledger::{Book, Ledger};
use crate::session::{Ended, Good, Inquiry};
use crate::watch::Wanted;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
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
    /// Ends a search for a way, and starts this one.
    Inquire {
        number: u64,
        inquiry: Box<Inquiry>,
        options: Box<SearchOptions>,
    },
    /// Ends the search for a way.
    EndInquiry,
    /// Ends a comparison that is under way, and starts another one.
    Compare {
        number: u64,
        options: Box<SearchOptions>,
    },
    /// The same over the sizes of the sets.
    Grow {
        number: u64,
        options: Box<SearchOptions>,
    },
    EndComparison,
    /// Hands a text to the clipboard of the terminal.
    Copy(String),
    /// Puts something into the book of runs.
    Note(Box<Entry>),
    Pause,
    Resume,
    /// Ends what the engine is doing.
    Cancel,
    Watch(Wanted),
    /// Opens a file in the user's editor, at a line counted from 1.
    Edit {
        file: PathBuf,
        line: usize,
    },
    Redraw,
    Suspend,
    Quit,
}

/// Takes in a key. `None`: it means nothing now.
pub fn key(desk: &mut Desk, key: Key) -> Option<Vec<Effect>> {
    if let Some(prompt) = desk.app.prompt {
        return prompt::key(desk, prompt, key);
    }
    let app = &mut desk.app;
    // A number goes on even where digits have a meaning of their own.
    if let (Some(count), [], Some(digit)) = (app.count, app.keys.as_slice(), key.digit()) {
        app.count = Some((count * 10 + digit).min(GREATEST));
        return Some(Vec::new());
    }
    let begun = app.count.is_some() || !app.keys.is_empty();
    app.keys.push(key);
    match app.look() {
        Look::Wait => {
            app.message = None;
            return Some(Vec::new());
        }
        // What was begun is given up.
        Look::Run(Action::Close) if begun => {}
        Look::Run(action) => {
            app.keys.clear();
            let effects = counted_update(desk, action);
            desk.app.count = None;
            return Some(effects);
        }
        Look::Nothing => {
            if let Some(digit) = key.digit().filter(|digit| *digit > 0 && !begun) {
                app.keys.clear();
                app.message = None;
                app.count = Some(digit);
                return Some(Vec::new());
            }
        }
    }
    app.keys.clear();
    app.count = None;
    begun.then(Vec::new)
}

/// Does what is asked for, with a number as if that was typed before a key.
pub(super) fn so_often(desk: &mut Desk, action: Action, count: Option<usize>) -> Vec<Effect> {
    desk.app.count = count.map(|n| n.min(GREATEST));
    let effects = counted_update(desk, action);
    desk.app.count = None;
    effects
}

/// Greatest number that is taken before a key.
const GREATEST: usize = 1_000_000_000;

/// Does what the user asked for as often as the number says that was typed before, or at the line of this
/// number.
fn counted_update(desk: &mut Desk, action: Action) -> Vec<Effect> {
    let Some(count) = desk.app.count else { return update(desk, action) };
    let line = matches!(action, Action::Top | Action::Bottom);
    let times = match () {
        () if line => count - 1,
        () if action.repeats() => count,
        () => return update(desk, action),
    };
    let mut effects = if line { update(desk, Action::Top) } else { Vec::new() };
    let action = if line { Action::Down } else { action };
    // Further than to its end nothing moves.
    let lines = match desk.app.overlay {
        Some(_) => overlay::extent(&desk.app).1,
        None => desk.view(desk.app.focus).longest(),
    };
    for _ in 0..times.min(lines + Pane::ALL.len()) {
        effects.extend(update(desk, action));
    }
    effects
}

/// Does what the user asked for: what lies on top comes first, then the panes.
pub fn update(desk: &mut Desk, action: Action) -> Vec<Effect> {
    desk.app.message = None;
    let leaving = std::mem::take(&mut desk.app.leaving);
    let mut effects = match over(&mut desk.app, action) {
        Some(effects) => effects,
        None => match desk.offer(action) {
            Some(effects) => effects,
            None => general(desk, action, leaving),
        },
    };
    effects.extend(desk.settle());
    effects
}

/// What an action means to what lies over the panes, if anything does.
fn over(app: &mut App, action: Action) -> Option<Vec<Effect>> {
    let overlay = app.overlay?;
    match action {
        Action::Quit => app.overlay = None,
        Action::Take if overlay == Overlay::Errors => go_to_error(app),
        Action::Take if overlay == Overlay::Symmetry => match asymmetry(app) {
            Some(place) => {
                app.overlay = None;
                app.focus_on(Pane::Source);
                app.look_at = Some(place);
            }
            None => app.say("nothing in the machine breaks a symmetry"),
        },
        Action::Edit if overlay == Overlay::Errors => {
            let place = app.told().nth(app.error).and_then(|told| told.place);
            return Some(app.edit(place.unwrap_or_default()));
        }
        Action::Take if overlay == Overlay::Settings && choices::is_typed(app) => {
            app.open_prompt(Prompt::Setting);
        }
        Action::Take | Action::Right if overlay == Overlay::Settings => {
            return Some(choices::change(app, true));
        }
        Action::Left if overlay == Overlay::Settings => return Some(choices::change(app, false)),
        _ if action.is_motion() && overlay == Overlay::Settings => {
            let last = choices::rows(app).len().saturating_sub(1);
            app.choice = moved(app.choice, action, overlay::extent(app).0, last);
        }
        Action::Up | Action::Down if overlay == Overlay::Errors => {
            select_error(app, action == Action::Down);
        }
        _ if action.is_motion() => {
            let (rows, height) = overlay::extent(app);
            let y = moved(app.overlay_scroll.y, action, rows, height);
            app.overlay_scroll.y = y.min(height.saturating_sub(rows));
        }
        _ => return None,
    }
    Some(Vec::new())
}

/// What an action means wherever one is.
fn general(desk: &mut Desk, action: Action, leaving: bool) -> Vec<Effect> {
    let app = &mut desk.app;
    match action {
        Action::Quit => return vec![Effect::Quit],
        Action::Interrupt => return interrupt(app, leaving),
        Action::Suspend => return vec![Effect::Suspend],
        Action::Redraw => return vec![Effect::Redraw],
        Action::Close => return close(app),
        Action::Help => toggle(app, Overlay::Help),
        Action::Errors => toggle(app, Overlay::Errors),
        Action::SymmetryOfSets => {
            toggle(app, Overlay::Symmetry);
            app.look_at = asymmetry(app).filter(|_| app.overlay.is_some()).or(app.look_at);
        }
        Action::Messages => toggle(app, Overlay::Messages),
        Action::Settings => {
            app.choice = 0;
            toggle(app, Overlay::Settings);
        }
        Action::Statistics => toggle(app, Overlay::Statistics),
        Action::Up
        | Action::Down
        | Action::Left
        | Action::Right
        | Action::PageUp
        | Action::PageDown
        | Action::Top
        | Action::Bottom => desk.scroll(action),
        Action::NextPane => next_pane(app, 1),
        Action::PreviousPane => next_pane(app, Pane::ALL.len() - 1),
        Action::Focus(pane) => app.focus_on(pane),
        Action::Zoom => app.zoomed = !app.zoomed,
        Action::Wider => app.resize(2, 0),
        Action::Narrower => app.resize(-2, 0),
        Action::Taller => app.resize(0, 1),
        Action::Shorter => app.resize(0, -1),
        Action::Even => app.moved = Default::default(),
        Action::Ask => app.open_prompt(Prompt::Formula),
        Action::Filter => app.open_prompt(Prompt::Filter),
        Action::Names => app.open_prompt(Prompt::Names),
        Action::Watch => app.open_prompt(Prompt::Watch),
        Action::WhyNot => app.open_prompt(Prompt::Goal),
        Action::GoThere => return hunt::go(app),
        Action::Compare => return compare(app),
        Action::Chart => return chart(app),
        Action::Copy => return copy(app),
        Action::Write => write(app),
        Action::SaveTrace => app.open_prompt(Prompt::Save),
        Action::LoadTrace => app.open_prompt(Prompt::Load),
        Action::Walk => {
            let count = app.count.unwrap_or(1);
            return app.walk(count, None);
        }
        Action::WalkFar => app.open_prompt(Prompt::Walk),
        Action::Palette => app.open_prompt(Prompt::Palette),
        Action::Unwatch => {
            if app.watched.pop().is_none() {
                app.say("nothing is watched");
            }
            return app.engine(Command::Watch(app.watched.clone()));
        }
        Action::Undo => return app.engine(Command::Undo(app.count.unwrap_or(1))),
        Action::Redo => return app.engine(Command::Redo(app.count.unwrap_or(1))),
        Action::Reload => return app.engine(Command::Reload),
        Action::FollowTrace => return follow(app, true),
        Action::WalkTrace => return follow(app, false),
        Action::Symmetry => {
            let on = app.symmetry() != SymmetryMode::Off;
            return symmetry(app, if on { SymmetryMode::Off } else { SymmetryMode::Canon });
        }
        Action::Mode(mode) => return symmetry(app, mode),
        Action::Method => {
            let modes = SymmetryMode::ALL;
            let now = modes.iter().position(|m| *m == app.symmetry()).unwrap_or(0);
            return symmetry(app, modes[(now + 1) % modes.len()]);
        }
        Action::Reduction => return reduction(app),
        Action::Check => return start_check(app),
        Action::Pause => return pause(app),
        // The panes of these had nothing to do them with.
        Action::ChangedOnly | Action::Unfold => {}
        Action::Take | Action::Edit | Action::NextFile | Action::PreviousFile => {}
        Action::Explain | Action::Refine | Action::Unrefine => {}
    }
    Vec::new()
}

fn next_pane(app: &mut App, by: usize) {
    app.focus_on(Pane::ALL[(app.focus.index() + by) % Pane::ALL.len()]);
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
        app.look_at = Some(place);
    }
}

/// The first place that breaks the symmetry of a set.
fn asymmetry(app: &App) -> Option<Place> {
    let mut lines = app.machine.iter().flat_map(|machine| &machine.symmetry);
    let place = lines.find_map(|line| line.because.first())?.0;
    app.files.shown(place)
}

/// Leaves the list for the place of the selected error.
fn go_to_error(app: &mut App) {
    let place = app.told().nth(app.error).map(|told| told.place);
    match place {
        Some(Some(place)) => {
            app.overlay = None;
            app.focus_on(Pane::Source);
            app.look_at = Some(place);
        }
        Some(None) => app.say("it has no place in a file"),
        None => app.overlay = None,
    }
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

/// What lies on top goes first, then what the engine does, then a search for a way, then the zoom.
fn close(app: &mut App) -> Vec<Effect> {
    if app.overlay.take().is_some() {
        return Vec::new();
    }
    if app.waiting > 0 {
        return vec![Effect::Cancel];
    }
    if app.hunt.as_ref().is_some_and(Hunt::is_running) {
        return vec![Effect::EndInquiry];
    }
    if app.comparison.running {
        return vec![Effect::EndComparison];
    }
    app.zoomed = false;
    Vec::new()
}

fn toggle(app: &mut App, overlay: Overlay) {
    app.overlay_scroll = Default::default();
    app.overlay = if app.overlay == Some(overlay) { None } else { Some(overlay) };
    if app.overlay == Some(Overlay::Errors) {
        show_error(app, app.error.min(app.told().count().saturating_sub(1)));
    }
}

impl App {
    /// Opens the file of a place in the user's editor.
    pub fn edit(&mut self, place: Place) -> Vec<Effect> {
        let Some(file) = self.files.list.get(place.file) else {
            self.complain("there is no file to edit");
            return Vec::new();
        };
        if !file.path.is_file() {
            let text = format!("{} is no file of yours: it can be looked at only", file.name);
            self.complain(text);
            return Vec::new();
        }
        let (path, name) = (file.path.clone(), file.name.clone());
        let own = file.own_lines.as_ref().map(|own| own.get(place.line).map_or(1, |l| l + 1));
        if let Some(line) = own {
            self.say(format!("{name} is the file as it is, not as shown here: line {line}"));
        }
        vec![Effect::Edit { file: path, line: own.unwrap_or(place.line + 1) }]
    }

    /// Gives the engine a command.
    pub fn engine(&mut self, command: Command) -> Vec<Effect> {
        self.waiting += 1;
        self.doing = command.work();
        vec![Effect::Engine(command)]
    }
}

fn follow(app: &mut App, to_end: bool) -> Vec<Effect> {
    let Check::Done(outcome) = &app.check else {
        app.complain("the check has not found a trace yet");
        return Vec::new();
    };
    match &outcome.finding {
        Some(finding) => {
            let steps = StepText::all(&finding.instance, &finding.trace);
            app.engine(Command::Follow { steps, to_end })
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

/// The next way to reduce.
fn reduction(app: &mut App) -> Vec<Effect> {
    app.search.por = match app.search.por {
        None => Some(PorMethod::Ample),
        Some(PorMethod::Ample) => Some(PorMethod::Stubborn),
        Some(PorMethod::Stubborn) => None,
    };
    app.say(format!("partial order reduction: {}", app.search.por.map_or("off", PorMethod::name)));
    let mut effects = app.engine(Command::Reduce(app.reducing()));
    effects.extend(start_check(app));
    effects
}

/// What is selected as text; else the state, or the last answer where the console has the focus.
fn text_of(app: &App) -> String {
    if let Some(text) = &app.selected {
        return text.clone();
    }
    match (&app.place, app.console.last()) {
        (_, Some(exchange)) if app.focus == Pane::Console => exchange.lines.join("\n"),
        (Some(place), _) => {
            let variables = place.view.variables.iter().map(|v| (&v.name, &v.value));
            let constants = place.view.constants.iter().map(|(name, value)| (name, value));
            let all = constants.chain(variables).map(|(name, value)| format!("{name} = {value}"));
            all.collect::<Vec<_>>().join("\n")
        }
        (None, _) => String::new(),
    }
}

/// Asks for a file to write what [`copy`] would copy to.
fn write(app: &mut App) {
    app.to_write = text_of(app);
    match app.to_write.is_empty() {
        true => app.complain("there is nothing to write"),
        false => app.open_prompt(Prompt::Write),
    }
}

fn copy(app: &mut App) -> Vec<Effect> {
    let text = text_of(app);
    if text.is_empty() {
        app.complain("there is nothing to copy");
        return Vec::new();
    }
    app.say(format!("copied {}, if the terminal lets us", counted(text.lines().count(), "line")));
    vec![Effect::Copy(text)]
}

/// Begins to compare the symmetry modes.
fn compare(app: &mut App) -> Vec<Effect> {
    if app.machine.is_none() {
        return Vec::new();
    }
    let number = app.comparison.number + 1;
    let modes = SymmetryMode::ALL.map(|mode| (mode, Stage::Waiting)).to_vec();
    app.comparison = Comparison { number, modes, growth: Default::default(), running: true };
    app.focus_on(Pane::Compare);
    vec![Effect::Compare { number, options: Box::new(app.search.clone()) }]
}

/// Begins to count nodes over the sizes of the sets.
fn chart(app: &mut App) -> Vec<Effect> {
    if app.machine.is_none() {
        return Vec::new();
    }
    let number = app.comparison.number + 1;
    app.comparison = Comparison { number, running: true, ..Comparison::default() };
    app.focus_on(Pane::Compare);
    vec![Effect::Grow { number, options: Box::new(app.search.clone()) }]
}

pub(super) fn start_check(app: &mut App) -> Vec<Effect> {
    if app.machine.is_none() {
        return Vec::new();
    }
    app.generation += 1;
    app.warnings.clear();
    app.rates = Default::default();
    app.closer = Default::default();
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
pub fn report(desk: &mut Desk, report: Report) -> Vec<Effect> {
    let mut effects = take_in(&mut desk.app, report);
    effects.extend(desk.settle());
    effects
}

fn take_in(app: &mut App, report: Report) -> Vec<Effect> {
    let mut effects = Vec::new();
    match report {
        Report::Loaded(loaded) => {
            let was_broken = app.is_broken();
            // What is wrong with the user's files was said a moment ago.
            if !std::mem::take(&mut app.loading) || app.settings.is_empty() {
                app.message = None;
            }
            app.name = loaded.name;
            app.machine = loaded.machine;
            app.diagnostics = loaded.diagnostics;
            app.warnings.clear();
            app.read = loaded.read;
            app.stale = loaded.stale;
            app.files = Arc::new(loaded.shown);
            app.doing = Work::Listing;
            effects.push(Effect::Watch(loaded.watch));
            if app.is_broken() {
                let diagnostics: Vec<_> =
                    app.diagnostics.iter().map(|told| told.diagnostic.clone()).collect();
                let run = CheckRun::rejected(&diagnostics, &app.read);
                effects.push(Effect::Note(Box::new(Entry::Rejected(Box::new(run)))));
                take_in_errors(app, was_broken);
            } else {
                if app.overlay == Some(Overlay::Errors) {
                    app.overlay = None;
                }
                effects.push(Effect::Note(Box::new(Entry::Loaded)));
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
            app.glances.clear();
            app.sieve = None;
            effects.extend(prompt::sift(app));
            app.obstacles.clear();
            app.canon = Err(String::new());
            app.reduced = None;
        }
        Report::Looked { place, numbers, found } => {
            if app.place.as_ref().is_some_and(|own| own.number == place) {
                // What cannot be looked at is not asked for again.
                let none = || Glance { target: Target::Unknown, changes: Vec::new() };
                let lost = numbers.into_iter().filter(|_| found.is_empty());
                app.glances.extend(lost.map(|i| (i, none())));
                app.glances.extend(found.into_iter().map(|(i, glance)| (i, shown::glance(glance))));
            }
        }
        Report::Sifted(sieve) => app.sieve = Some(*sieve).filter(|sieve| sieve.text == app.filter),
        Report::Pair(Some(pair)) => {
            let here = app.place.as_ref().map_or(0, |place| place.history.len());
            app.pair = Some((*pair, [here, app.paired]));
            app.overlay_scroll = Default::default();
            app.overlay = Some(Overlay::Pair);
        }
        Report::Pair(None) => app.complain("there is no state at one of these steps"),
        Report::Unfolded(unfolded) => app.unfolded = unfolded,
        Report::Blocked(obstacles) => app.obstacles = obstacles,
        Report::Inquiry(inquiry) => effects.extend(hunt::begin(app, *inquiry)),
        Report::Answer(exchange) => {
            let answer = exchange.lines.first().cloned().unwrap_or_default();
            let text = format!("{}: {answer}", exchange.formula);
            if exchange.refused {
                app.complain(text)
            } else {
                app.say(text)
            };
            if exchange.lines.len() > 1 {
                app.front[Pane::Console.about().slot as usize] = Pane::Console;
            }
            app.console.push(*exchange);
        }
        Report::Canon(canon) => app.canon = (*canon).map(Arc::new),
        Report::Reduced(reduced) => app.reduced = reduced.map(Arc::from),
        Report::Kept { name, steps } => {
            effects.push(Effect::Note(Box::new(Entry::Trace { name, steps })));
        }
        Report::Note(text) => app.say(text),
        Report::Wrong(text) => app.complain(text),
        Report::Failed(text) => app.complain(format!("internal error: {text}")),
        Report::Done => {
            app.waiting = app.waiting.saturating_sub(1);
            app.slow = false;
        }
    }
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

/// What is put into the book of runs.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A machine that was loaded.
    Loaded,
    /// A check that has ended.
    Search(Box<Outcome>),
    /// A machine that was refused.
    Rejected(Box<CheckRun>),
    /// A trace that the machine shall have.
    Trace { name: String, steps: Vec<StepText> },
}

impl Entry {
    /// Puts it in. `good` is the machine that was searched.
    pub fn note(self, ledger: &Mutex<Ledger>, good: Option<&Good>) -> Book {
        let mut ledger = ledger.lock().unwrap_or_else(PoisonError::into_inner);
        match (self, good) {
            (Entry::Search(outcome), Some(good)) => drop(ledger.note_search(good, &outcome)),
            (Entry::Loaded, Some(good)) => ledger.replay(good),
            (Entry::Search(_) | Entry::Loaded, None) => {}
            (Entry::Rejected(run), _) => drop(ledger.note_rejected(*run)),
            (Entry::Trace { name, steps }, good) => ledger.keep(name, steps, good),
        }
        ledger.book()
    }
}

/// Takes in what was found out in the background.
pub fn news(desk: &mut Desk, news: News) -> Vec<Effect> {
    match news {
        News::Way { number, way } => hunt::ended(&mut desk.app, number, way),
        News::Compared { number, mode, stage } => {
            let comparison = &mut desk.app.comparison;
            let own = comparison.number == number;
            let found = comparison.modes.iter_mut().find(|(m, _)| own && *m == mode);
            found.into_iter().for_each(|(_, known)| *known = stage.clone());
        }
        News::Grown { number, news } => {
            let comparison = &mut desk.app.comparison;
            if comparison.number == number {
                comparison.growth.take_in(news);
            }
        }
        News::AllCompared(number) => {
            desk.app.comparison.running &= desk.app.comparison.number != number;
        }
        News::Book(book) => desk.app.book = Arc::from(book),
        News::Failed(text) => desk.app.complain(format!("internal error: {text}")),
    }
    desk.settle()
}

/// Takes in the end of a check.
pub fn check_ended(desk: &mut Desk, generation: u64, ended: Ended) -> Vec<Effect> {
    let app = &mut desk.app;
    if generation != app.generation {
        return Vec::new();
    }
    let mut effects = Vec::new();
    app.check = match ended {
        Ended::Outcome(outcome) => {
            app.warnings = warnings(app, &outcome);
            effects.push(Effect::Note(Box::new(Entry::Search(outcome.clone()))));
            Check::Done(outcome)
        }
        Ended::Failed(text) => {
            app.complain(format!("the check failed: {text}"));
            Check::Failed(text)
        }
    };
    effects.extend(desk.settle());
    effects
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
    app.rates.look(&now);
    (*progress, *quiet) = (now, age.as_secs());
    before != (*progress, *quiet)
}
