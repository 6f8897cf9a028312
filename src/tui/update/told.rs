//! What the engine, a check and the work in the background tell, taken in.

use super::{Effect, show_error, start_check};
use crate::diagnostic::Diagnostic;
use crate::printable;
use crate::report::runs::CheckRun;
use crate::report::steps::StepText;
use crate::report::{self, counted};
use crate::search::{Outcome, Progress, Verdict};
use crate::session::glance::{Glance, Target};
use crate::session::ledger::{Book, Ledger};
use crate::session::unfolding::Whole;
use crate::session::{Ended, Good};
use crate::tui::action::Action;
use crate::tui::ahead;
use crate::tui::app::{App, Check, Overlay};
use crate::tui::desk::Desk;
use crate::tui::engine::{Report, Told, Work, place_of};
use crate::tui::event::News;
use crate::tui::hunt::{self};
use crate::tui::panes::Pane;
use crate::tui::prompt::{self};
use crate::tui::shown;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use unicode_width::UnicodeWidthStr;

/// Takes in what the engine tells.
pub fn report(desk: &mut Desk, report: Report) -> Vec<Effect> {
    // What is not enabled is listed behind what is: by then keys find all that they may move over.
    let listed = matches!(report, Report::Blocked(_) | Report::Done);
    let mut effects = take_in(&mut desk.app, report);
    effects.extend(desk.settle());
    if listed {
        effects.extend(ahead::go_on(desk));
    }
    effects
}

fn take_in(app: &mut App, report: Report) -> Vec<Effect> {
    let mut effects = Vec::new();
    match report {
        Report::Loaded(loaded) => {
            let before = errors(app);
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
                take_in_errors(app, &before);
            } else {
                if app.overlay == Some(Overlay::Errors) {
                    app.overlay = None;
                }
                effects.push(Effect::Note(Box::new(Entry::Loaded)));
                effects.extend(start_check(app));
            }
        }
        Report::Place(None) => {
            app.ahead.arrived();
            app.place = None;
        }
        Report::Place(Some(place)) => {
            app.ahead.arrived();
            // Where the list ends is far below.
            if let Some(why) = place.view.stopped.as_ref().filter(|_| place.view.enabled > 0) {
                app.say(why.clone());
            }
            app.place = Some(Arc::from(place));
            app.glances.clear();
            app.sieve = None;
            effects.extend(prompt::sift(app));
            app.obstacles.clear();
            app.unfolded.retain(|(whole, _)| !matches!(whole, Whole::Call(_)));
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
            // A long question must not hide its answer; the console has both.
            let whole = format!("{}: {answer}", exchange.formula);
            let text = match whole.width() < usize::from(app.width) {
                true => whole,
                false => {
                    let room = usize::from(app.width) / 3;
                    format!("{}: {answer}", printable::clipped(&exchange.formula, room.max(8)))
                }
            };
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
        Report::Settings(setup) => {
            app.machine.iter_mut().for_each(|machine| machine.setup.clone_from(&setup));
        }
        Report::Watched(formulas) => app.watched = formulas,
        Report::Doing(work) => app.doing = work,
        Report::Note(text) => app.say(text),
        Report::Wrong(text) => app.complain(text),
        Report::Failed(text) => app.complain(format!("internal error: {text}")),
        Report::Done => {
            app.waiting = app.waiting.saturating_sub(1);
            app.ahead.done();
            app.slow = false;
        }
    }
    effects
}

/// What is wrong with the machine, error by error.
fn errors(app: &App) -> Vec<String> {
    let errors = app.diagnostics.iter().filter(|told| told.error);
    errors.map(|told| told.diagnostic.message.clone()).collect()
}

/// The errors of a reading: they come up by themselves when the machine has just become wrong, and not
/// again when it is saved with other errors. `before`: what was wrong then.
fn take_in_errors(app: &mut App, before: &[String]) {
    app.error = 0;
    app.overlay_scroll = Default::default();
    if before.is_empty() {
        app.overlay = Some(Overlay::Errors);
    }
    if app.overlay == Some(Overlay::Errors) {
        return show_error(app, 0);
    }
    let now = errors(app);
    let count = counted(now.len(), "error");
    let key = app.keymap.keys(Action::Errors).join(" ");
    app.complain(match now.iter().find(|error| !before.contains(error)) {
        None => format!("still {count} ({key} shows what is wrong)"),
        Some(new) => format!("{count} now ({key} shows what is wrong): {new}"),
    });
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
        // Entries are made in the background, and a book may come after one that has more.
        News::Book(book) if book.edition < desk.app.book.edition => {}
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
            if outcome.verdict == Verdict::NoSetup && app.focus != Pane::Source {
                app.look_at = app.warnings.first().and_then(|told| told.place).or(app.look_at);
            }
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

/// What a search warns of, and why there is no initial state, with the places in the files that are shown.
fn warnings(app: &App, outcome: &Outcome) -> Vec<Told> {
    let Some(machine) = &app.machine else { return Vec::new() };
    let told = |diagnostic: Diagnostic| Told {
        error: diagnostic.is_error(),
        place: diagnostic.span.and_then(|s| app.files.shown(place_of(&machine.sources, s))),
        column: diagnostic.span.map_or(0, |s| machine.sources.place(s).column - 1),
        diagnostic,
    };
    let all = report::no_setup(outcome).into_iter().chain(report::search_warnings(outcome));
    all.map(told).collect()
}

/// Takes in how far a check has come; the last news are `age` old. Says whether anything is new.
pub fn progress(app: &mut App, now: Progress, age: Duration) -> bool {
    let Check::Running { progress, quiet, .. } = &mut app.check else { return false };
    let before = (*progress, *quiet);
    app.rates.look(&now);
    (*progress, *quiet) = (now, age.as_secs());
    before != (*progress, *quiet)
}
