//! All symmetry modes on this machine, side by side, and over the sizes of its sets.

mod chart;

pub use self::chart::Growth;

use super::{About, Content, Panel, Room, span};
use crate::report::compare::ratio;
use crate::report::grouped;
use crate::report::text::duration;
use crate::session::comparison::Stage;
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::layout::Slot;
use crate::tui::theme::Role;
use crate::tui::widgets::wrap::wrapped;
use ratatui::text::Line;

pub const ABOUT: About = About {
    name: "compare",
    title: "Compare",
    slot: Slot::RightBottom,
    help: &[
        "The machine is searched with every symmetry mode, one after the other: how many nodes each keeps, how \
         long it takes, how many times faster than off it is, and the nodes as a bar. C starts it, Esc ends it. \
         States that violate something are counted and not expanded, and nothing ends a search but its limit.",
        "+       not the whole machine: a limit was reached; below the table stands which",
        "~       approximate: states that are not symmetric may be taken for one",
        "A mode that cannot be used on this machine says why.",
        "p n draws the nodes over the sizes of the sets, from one element to some more than there are: each mode is a \
         letter, each line so many times the one below. A mode that takes too long at one size is not tried at the \
         larger ones.",
    ],
};

/// The pane.
#[derive(Default)]
pub struct Compare;

const MODE: usize = 13;
const NODES: usize = 10;
const TIME: usize = 9;
const RATIO: usize = 6;
const TRANSITIONS: usize = 13;
/// Columns from which on the transitions are told, too.
const WIDE: usize = 76;
/// Least columns of a bar.
const BAR: usize = 4;

impl Panel for Compare {
    fn note(&self, app: &App) -> Option<(Role, String)> {
        let all = app.comparison.modes.len();
        let waits = |stage: &Stage| matches!(stage, Stage::Waiting | Stage::Running(_));
        let done = app.comparison.modes.iter().filter(|(_, stage)| !waits(stage)).count();
        app.comparison.running.then(|| match all {
            0 => (Role::Running, "running".to_owned()),
            _ => (Role::Running, format!("{done} of {all}")),
        })
    }

    fn useful(&self, app: &App) -> Vec<Action> {
        if app.comparison.running { vec![Action::Close] } else { Vec::new() }
    }

    fn content<'a>(&'a self, app: &'a App, room: Room) -> Content<'a> {
        let width = usize::from(room.width);
        if !app.comparison.growth.is_empty() {
            return Content::lines(app.comparison.growth.lines(app, width));
        }
        if app.comparison.modes.is_empty() {
            let keys = |action| app.keymap.keys(action).join(" ");
            let (table, chart) = (keys(Action::Compare), keys(Action::Chart));
            let both = [
                format!(" {table} searches with every symmetry mode"),
                format!(" {chart} does for each size of the sets"),
            ];
            let lines = both.map(|text| Line::from(span(app, Role::Dim, text)));
            return Content::lines(lines.to_vec());
        }
        Content::lines(lines(app, width))
    }
}

/// What a mode has counted, so far or in all.
fn nodes(stage: &Stage) -> Option<u64> {
    match stage {
        Stage::Running(progress) => Some(progress.nodes),
        Stage::Done(row, _) => Some(row.nodes),
        _ => None,
    }
}

fn lines(app: &App, width: usize) -> Vec<Line<'static>> {
    let modes = &app.comparison.modes;
    let wide = width >= WIDE;
    let figures = |nodes: &str, time: &str, ratio: &str, transitions: &str| {
        let text = format!("{nodes:>NODES$}{time:>TIME$}{ratio:>RATIO$}");
        if wide { format!("{text}{transitions:>TRANSITIONS$}") } else { text }
    };
    let head = figures("nodes", "time", "ratio", "transitions");
    let room = width.saturating_sub(MODE + head.len() + 1);
    let most = modes.iter().filter_map(|(_, stage)| nodes(stage)).max().unwrap_or(1).max(1);
    let bar = |n: u64| {
        let long = (n as f64 / most as f64 * room as f64).round() as usize;
        if room < BAR { String::new() } else { format!(" {}", "#".repeat(long.max(1))) }
    };
    let first = modes.iter().find_map(|(_, stage)| match stage {
        Stage::Done(row, _) => Some(row.seconds),
        _ => None,
    });
    let mut lines = vec![Line::from(span(app, Role::Dim, format!("{:MODE$}{head}", "")))];
    let mut notes = Vec::new();
    for (mode, stage) in modes {
        let name = mode.name();
        let (role, text) = match stage {
            Stage::Waiting => (Role::Dim, String::new()),
            Stage::Cancelled => (Role::Warning, " cancelled".to_owned()),
            Stage::Failed(why) => (Role::Bad, format!(" internal error: {why}")),
            Stage::Unusable(why) => {
                notes.push(format!("{name} cannot be used: {why}"));
                (Role::Warning, " cannot be used, see below".to_owned())
            }
            Stage::Running(progress) => {
                let count = grouped(progress.nodes);
                let transitions = grouped(progress.transitions);
                let text = figures(&count, &duration(progress.seconds), "...", &transitions);
                (Role::Running, text + &bar(progress.nodes))
            }
            Stage::Done(row, why) => {
                notes.extend(why.iter().map(|why| format!("{name}: {why}")));
                let mark = match (row.complete, mode.is_approximate()) {
                    (_, true) => "~",
                    (true, false) => "",
                    (false, false) => "+",
                };
                let count = format!("{}{mark}", grouped(row.nodes));
                let faster = first.map_or_else(String::new, |first| ratio(first, row.seconds));
                let transitions = grouped(row.transitions);
                let text = figures(&count, &duration(row.seconds), &faster, &transitions);
                (Role::Text, text + &bar(row.nodes))
            }
        };
        lines.push(Line::from(vec![
            span(app, Role::Name, format!("{name:<MODE$}")),
            span(app, role, text),
        ]));
    }
    for note in notes {
        for part in wrapped(&note, width.max(20)) {
            lines.push(Line::from(span(app, Role::Dim, part)));
        }
    }
    lines
}
