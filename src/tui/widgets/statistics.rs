//! Figures of the check: how fast it goes, and what each operation had to do with it.

use crate::printable::{self, clipped};
use crate::report::grouped;
use crate::report::text::duration;
use crate::search::control::Shares;
use crate::search::values::{ValuesSeen, VariableValues};
use crate::search::{OperationCount, Progress, Strategy, SymmetryMode};
use crate::tui::action::Action;
use crate::tui::app::{App, Check};
use crate::tui::theme::Role;
use crate::tui::widgets::wrap::wrapped;
use ratatui::text::{Line, Span};
use std::collections::VecDeque;
use unicode_width::UnicodeWidthStr;

/// How fast a check was, look by look.
#[derive(Clone, Debug, Default)]
pub struct Rates {
    /// States per second, the newest last.
    list: VecDeque<f64>,
    /// Time and states at the last look.
    last: (f64, u64),
}

/// Looks that are kept.
const LOOKS: usize = 200;

impl Rates {
    /// Takes in how far the check is.
    pub fn look(&mut self, now: &Progress) {
        let (seconds, states) = self.last;
        let passed = now.seconds - seconds;
        if passed <= 0.0 || now.states < states {
            return;
        }
        if self.list.len() == LOOKS {
            self.list.pop_front();
        }
        self.list.push_back((now.states - states) as f64 / passed);
        self.last = (now.seconds, now.states);
    }

    /// The last looks as bars, as many as have room.
    fn bars(&self, room: usize, ascii: bool) -> String {
        let steps: Vec<char> = if ascii { "_.:-=+*#" } else { "▁▂▃▄▅▆▇█" }.chars().collect();
        let shown = self.list.iter().skip(self.list.len().saturating_sub(room));
        let most = shown.clone().copied().fold(0.0, f64::max);
        let bar = |rate: &f64| {
            let height = if most > 0.0 { rate / most * (steps.len() - 1) as f64 } else { 0.0 };
            steps[(height.round() as usize).min(steps.len() - 1)]
        };
        shown.map(bar).collect()
    }
}

fn span(app: &App, role: Role, text: impl Into<String>) -> Span<'static> {
    Span::styled(text.into(), app.theme.style(role))
}

/// The figures, in so many columns.
pub fn lines(app: &App, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let bars = app.rates.bars(width.saturating_sub(11), app.ascii);
    if !bars.is_empty() {
        let name = span(app, Role::Dim, " states/s ");
        lines.push(Line::from(vec![name, span(app, Role::Running, bars)]));
    }
    match &app.check {
        Check::Running { progress, .. } => {
            let figures = [
                ("states", grouped(progress.states)),
                ("queue", grouped(progress.queue)),
                ("depth", progress.depth.to_string()),
                ("memory", format!("{} MiB", progress.memory >> 20)),
            ];
            lines.extend(figures.into_iter().map(|(name, value)| {
                let name = span(app, Role::Dim, format!(" {name:<9}"));
                Line::from(vec![name, span(app, Role::Text, format!("{value:>12}"))])
            }));
            lines.extend(left(app, progress, width));
            lines.extend(time(app, width));
            lines.extend(operations(app, &app.closer.operations, width));
            lines.extend(values(app, width));
        }
        Check::Done(outcome) => {
            lines.extend(time(app, width));
            lines.extend(operations(app, &outcome.operations, width));
            lines.extend(values(app, width));
        }
        Check::None | Check::Failed(_) => lines.push(Line::from(" no check has ended")),
    }
    lines
}

/// How long it can go on at most. How many states there will be nobody knows before the end: no estimate
/// is made of that.
fn left(app: &App, progress: &Progress, width: usize) -> Vec<Line<'static>> {
    let time = app.search.timeout.map(|limit| {
        let left = (limit.as_secs_f64() - progress.seconds).max(0.0);
        format!("{left:.0} s (timeout)")
    });
    let states = app.search.max_states.map(|most| {
        let left = grouped(most.saturating_sub(progress.states));
        format!("{left} states (max states)")
    });
    let parts: Vec<String> = time.into_iter().chain(states).collect();
    if parts.is_empty() {
        return Vec::new();
    }
    let text = format!("at most {}", parts.join(", "));
    let parts = wrapped(&text, width.saturating_sub(10)).into_iter().enumerate();
    let line = |(i, part)| {
        let name = span(app, Role::Dim, format!(" {:<9}", if i == 0 { "left" } else { "" }));
        Line::from(vec![name, span(app, Role::Text, part)])
    };
    parts.map(line).collect()
}

/// What the time was spent on.
fn time(app: &App, width: usize) -> Vec<Line<'static>> {
    let text = match app.closer.shares {
        Some(Shares { evaluation, labelling, storing, seconds }) => {
            let percent = |share: f64| format!("{:.0} %", 100.0 * share);
            format!(
                "time: evaluation {}, labelling {}, storing {}, other {}, of {} of all threads, while \
                 this was open",
                percent(evaluation),
                percent(labelling),
                percent(storing),
                percent((1.0 - evaluation - labelling - storing).max(0.0)),
                duration(seconds),
            )
        }
        None => {
            let key = app.keymap.keys(Action::Check).join(" ");
            let again = match app.check {
                Check::Running { .. } => String::new(),
                _ => format!("; {key} checks again"),
            };
            format!("time: what it is spent on is counted while this is open{again}")
        }
    };
    let parts = wrapped(&format!(" {text}"), width).into_iter();
    parts.map(|part| Line::from(span(app, Role::Text, part))).collect()
}

/// The values that each variable has in the states so far, and which states were looked at.
fn values(app: &App, width: usize) -> Vec<Line<'static>> {
    let Some(seen) = &app.closer.values else { return Vec::new() };
    let ValuesSeen { looked, states, variables, instance } = &**seen;
    let kept = if app.symmetry() == SymmetryMode::Off { "" } else { " that are followed" };
    let walker = app.search.strategy == Strategy::Random && app.search.threads > Some(1);
    let walker = if walker { ", by the first walker" } else { "" };
    let of = match looked == states {
        true => format!("in all {} states{kept}{walker}", grouped(states)),
        false => {
            let (looked, states) = (grouped(looked), grouped(states));
            format!("in {looked} of {states} states{kept}{walker}, evenly spread: at least so many")
        }
    };
    let names = variables.iter().map(|v| &*instance.machine.variable(v.variable).name);
    let column = names.clone().map(UnicodeWidthStr::width).max().unwrap_or(0);
    let column = column.clamp("variable".len(), 24);
    let head = format!(" {:<column$}{:>9}  {of}", "variable", "values");
    let mut lines = vec![Line::from(span(app, Role::Dim, clipped(&head, width)))];
    for (name, VariableValues { variable, distinct, each }) in names.zip(variables) {
        let printed =
            |value| printable::line(&instance.printed_variable(*variable, value).1).into_owned();
        let mut each: Vec<(String, u64)> = each.iter().map(|(v, n)| (printed(v), *n)).collect();
        // The most frequent first, and short ones before long ones.
        each.sort_by(|(a, n), (b, m)| (m, a.len(), a).cmp(&(n, b.len(), b)));
        let each = each.into_iter().map(|(value, n)| format!("{value} ({})", grouped(n)));
        let figures = format!("{:>9}  {}", grouped(distinct), each.collect::<Vec<_>>().join("  "));
        let room = width.saturating_sub(column + 1);
        lines.push(Line::from(vec![
            span(app, Role::Name, format!(" {:<column$}", clipped(&printable::line(name), column))),
            span(app, Role::Text, clipped(&figures, room)),
        ]));
    }
    lines
}

/// How often each operation was taken, and how many states it was the first to reach.
fn operations(app: &App, counts: &[OperationCount], room: usize) -> Vec<Line<'static>> {
    if counts.is_empty() {
        return Vec::new();
    }
    let names = counts.iter().map(|o| o.name.chars().count());
    // The figures, and what is said of those that were never taken, take 41 columns.
    let most = room.saturating_sub(42).clamp("operation".len(), 24);
    let width = names.max().unwrap_or(0).clamp("operation".len(), most);
    let head = format!(" {:<width$}{:>13}{:>13}", "operation", "transitions", "first");
    let mut lines = vec![Line::from(span(app, Role::Dim, head))];
    let done = matches!(app.check, Check::Done(_));
    for operation in counts {
        let role = if operation.taken == 0 { Role::Warning } else { Role::Text };
        let never = match operation.taken {
            0 if done => "  never taken",
            0 => "  not yet taken",
            _ => "",
        };
        let (taken, first) = (grouped(operation.taken), grouped(operation.first));
        let figures = format!("{taken:>13}{first:>13}{never}");
        lines.push(Line::from(vec![
            span(
                app,
                Role::Name,
                format!(" {:<width$}", clipped(&printable::line(&operation.name), width)),
            ),
            span(app, role, figures),
        ]));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_bars() {
        let mut rates = Rates::default();
        for (seconds, states) in [(1.0, 100), (2.0, 200), (2.0, 300), (3.0, 1000)] {
            rates.look(&Progress { seconds, states, ..Progress::default() });
        }
        // The third came without any time.
        assert_eq!(rates.list, [100.0, 100.0, 800.0]);
        assert_eq!(rates.bars(80, false), "▂▂█");
        assert_eq!(rates.bars(2, true), ".#");
        assert_eq!(Rates::default().bars(80, false), "");
    }
}
