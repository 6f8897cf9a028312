//! What an action changes, and, in [`told`], a report. Pure: what has to be done outside comes back as effects.

mod told;

pub use self::told::{Entry, check_ended, news, progress, report};

use super::action::Action;
use super::ahead;
use super::app::{App, Check, Comparison, Overlay};
use super::choices;
use super::desk::Desk;
use super::engine::Command;
use super::files::Place;
use super::hunt::{self, Hunt};
use super::keymap::{Key, Look};
use super::panes::Pane;
use super::panes::view::moved;
use super::prompt::{self, Prompt};
use super::widgets::overlay;
use crate::report::counted;
use crate::report::steps::StepText;
use crate::search::{PorMethod, Progress, SearchOptions, SymmetryMode};
use crate::session::Inquiry;
use crate::session::comparison::Stage;
use crate::watch::Wanted;
use std::path::PathBuf;

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
    ahead::queued(&mut desk.app, key).or_else(|| key_now(desk, key))
}

/// The same of a key before which none waits.
pub(super) fn key_now(desk: &mut Desk, key: Key) -> Option<Vec<Effect>> {
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
        Look::Run(action) if app.is_ahead(action) => {
            // The number before it, and what begins a chord, stay as they are.
            let keys = std::mem::take(&mut app.keys);
            keys.into_iter().for_each(|key| app.ahead.keep(key));
            return Some(Vec::new());
        }
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
        Action::Check | Action::Compare | Action::Chart if app.machine.is_none() => no_machine(app),
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
        Action::ChangedOnly | Action::Unfold | Action::Guard => {}
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
    let place = app.told().nth(number).map(|told| (told.place, told.column));
    if let Some((Some(place), column)) = place {
        (app.look_at, app.look_at_column) = (Some(place), Some(column));
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
    let place = app.told().nth(app.error).map(|told| (told.place, told.column));
    match place {
        Some((Some(place), column)) => {
            app.overlay = None;
            app.focus_on(Pane::Source);
            (app.look_at, app.look_at_column) = (Some(place), Some(column));
        }
        Some((None, _)) => app.say("it has no place in a file"),
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

/// What lies on top goes first, then what the engine does, then a search for a way, then the filter of the
/// pane, then the zoom.
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
    if app.show_all() {
        return Vec::new();
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
        self.await_done(&command);
        vec![Effect::Engine(command)]
    }

    /// Takes note of a command that the engine is given.
    pub fn await_done(&mut self, command: &Command) {
        self.waiting += 1;
        self.doing = command.work();
        self.ahead.given(command, self.waiting);
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

/// Says why nothing can be searched.
fn no_machine(app: &mut App) {
    let keys = app.keymap.keys(Action::Errors).join(" ");
    app.complain(match app.loading {
        true => "the machine is not read yet".to_owned(),
        false => format!("there is no machine to search ({keys} shows what is wrong)"),
    });
}

/// Begins to compare the symmetry modes.
fn compare(app: &mut App) -> Vec<Effect> {
    let number = app.comparison.number + 1;
    let modes = SymmetryMode::ALL.map(|mode| (mode, Stage::Waiting)).to_vec();
    app.comparison = Comparison { number, modes, growth: Default::default(), running: true };
    app.focus_on(Pane::Compare);
    vec![Effect::Compare { number, options: Box::new(app.search.clone()) }]
}

/// Begins to count nodes over the sizes of the sets.
fn chart(app: &mut App) -> Vec<Effect> {
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
        _ => {
            app.say("no check is running");
            Vec::new()
        }
    }
}
