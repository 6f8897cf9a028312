//! Figures of the check: how fast it goes, and what each operation had to do with it.

use crate::printable;
use crate::report::grouped;
use crate::search::{Outcome, Progress};
use crate::tui::app::{App, Check};
use crate::tui::theme::Role;
use ratatui::text::{Line, Span};
use std::collections::VecDeque;

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
            lines.push(Line::from(span(app, Role::Dim, " operations: when it has ended")));
        }
        Check::Done(outcome) => lines.extend(operations(app, outcome)),
        Check::None | Check::Failed(_) => lines.push(Line::from(" no check has ended")),
    }
    lines
}

fn operations(app: &App, outcome: &Outcome) -> Vec<Line<'static>> {
    let names = outcome.operations.iter().map(|o| o.name.chars().count());
    let width = names.max().unwrap_or(0).clamp("operation".len(), 24);
    let head = format!(" {:<width$}{:>13}{:>13}", "operation", "transitions", "first");
    let mut lines = vec![Line::from(span(app, Role::Dim, head))];
    for operation in &outcome.operations {
        let role = if operation.taken == 0 { Role::Warning } else { Role::Text };
        let never = if operation.taken == 0 { "  never taken" } else { "" };
        let (taken, first) = (grouped(operation.taken), grouped(operation.first));
        let figures = format!("{taken:>13}{first:>13}{never}");
        lines.push(Line::from(vec![
            span(app, Role::Name, format!(" {:<width$}", printable::line(&operation.name))),
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
