//! Why not? What is asked for in the background, and the way there.

use super::app::App;
use super::engine::{Command, Exchange};
use super::panes::Pane;
use super::shown;
use super::update::Effect;
use crate::report::grouped;
use crate::report::steps::StepText;
use crate::report::way::Way;
use crate::search::Progress;
use crate::session::Inquiry;
use crate::tui::action::Action;

/// What was asked for last.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// Tells its answer from that of an older one.
    pub number: u64,
    asked: String,
    /// The steps to where it began.
    before: Vec<StepText>,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    Running(Progress),
    /// The steps that lead there, from where it began.
    Found(Vec<StepText>),
    NotFound,
}

impl Hunt {
    pub fn is_running(&self) -> bool {
        matches!(self.state, State::Running(_))
    }

    /// How far it is, while it runs.
    pub fn line(&self) -> Option<String> {
        let State::Running(progress) = &self.state else { return None };
        let states = grouped(progress.states);
        let asked = &self.asked;
        Some(format!("a way to `{asked}`? {states} states, depth {}", progress.depth))
    }
}

/// Begins a search; one that is under way ends.
pub fn begin(app: &mut App, inquiry: Inquiry) -> Vec<Effect> {
    app.hunts += 1;
    app.hunt = Some(Hunt {
        number: app.hunts,
        asked: shown::line(&inquiry.asked),
        before: inquiry.before.clone(),
        state: State::Running(Progress::default()),
    });
    let options = Box::new(app.search.clone());
    vec![Effect::Inquire { number: app.hunts, inquiry: Box::new(inquiry), options }]
}

/// Takes in how far it has come. Says whether anything is new.
pub fn progress(app: &mut App, now: Progress) -> bool {
    let Some(Hunt { state: State::Running(progress), .. }) = &mut app.hunt else { return false };
    std::mem::replace(progress, now) != now
}

/// Takes in the answer.
pub fn ended(app: &mut App, number: u64, way: Result<Box<Way>, String>) {
    let Some(hunt) = app.hunt.as_mut().filter(|hunt| hunt.number == number) else { return };
    let way = match way {
        Ok(way) => way,
        Err(text) => {
            hunt.state = State::NotFound;
            return app.complain(format!("the search failed: {text}"));
        }
    };
    let lines: Vec<String> = way.lines().iter().map(shown::line).collect();
    let asked = hunt.asked.clone();
    let step = hunt.before.len();
    let leads = way.steps.as_ref().is_some_and(|steps| !steps.is_empty());
    hunt.state = way.steps.map_or(State::NotFound, State::Found);
    let go = match leads {
        true => format!(" ({} goes there)", app.keymap.keys(Action::GoThere).join(" ")),
        false => String::new(),
    };
    app.say(format!("{asked}: {}{go}", lines.first().map_or("", String::as_str)));
    if lines.len() > 1 {
        app.front[Pane::Console.about().slot as usize] = Pane::Console;
    }
    app.console.push(Exchange { formula: asked, step, lines, refused: false });
}

/// Goes to what was found: it becomes a branch of the history.
pub fn go(app: &mut App) -> Vec<Effect> {
    match &app.hunt {
        Some(Hunt { state: State::Found(steps), before, .. }) => {
            let steps = before.iter().chain(steps).cloned().collect();
            app.engine(Command::Follow { steps, to_end: true })
        }
        Some(Hunt { state: State::Running(_), .. }) => {
            app.say("the search is still under way");
            Vec::new()
        }
        _ => {
            let keys = app.keymap.keys(Action::WhyNot).join(" ");
            app.say(format!("no way was found yet: {keys} looks for one"));
            Vec::new()
        }
    }
}
