//! The check: live statistics of the search, then its verdict.

use super::{About, Content, Panel, Room, span};
use crate::report::{bounds, counted, grouped};
use crate::search::{Outcome, Verdict};
use crate::setup::Bound;
use crate::source::Span as Extent;
use crate::tui::action::Action;
use crate::tui::app::{App, Check as State};
use crate::tui::layout::Slot;
use crate::tui::theme::Role;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use ratatui::text::{Line, Span};

/// The verdict with all that one has to know before one believes it.
fn title(outcome: &Outcome) -> String {
    let mut parts = vec![outcome.verdict.name().to_owned()];
    let (cut, known): (Vec<_>, Vec<_>) = outcome.bounds.iter().partition(|b| ends_search(b));
    if !outcome.complete && !outcome.verdict.is_finding() && !cut.is_empty() {
        parts.push(format!("incomplete: {}", words(&cut).join(", ")));
    } else {
        parts.extend(words(&cut));
    }
    parts.extend(words(&known));
    if !outcome.never_enabled.is_empty() {
        let names: Vec<&str> = outcome.never_enabled.iter().map(|(_, name)| &**name).collect();
        parts.push(format!("never enabled: {}", names.join(", ")));
    }
    if !outcome.undefined_guards.is_empty() {
        parts.push("undefined guards".to_owned());
    }
    if outcome.goal_undefined.is_some() {
        parts.push("undefined GOAL".to_owned());
    }
    parts.join(", ")
}

/// The verdict in a word, or how far the check is.
pub fn word(app: &App) -> Option<(Role, &'static str)> {
    match &app.check {
        State::None => None,
        State::Running { paused: true, .. } => Some((Role::Warning, "paused")),
        State::Running { .. } => Some((Role::Running, "running")),
        State::Done(outcome) => Some((verdict_role(outcome), outcome.verdict.name())),
        State::Failed(_) => Some((Role::Bad, "failed")),
    }
}

/// Each of the words for some bounds once.
fn words(bounds: &[&Bound]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in bounds.iter().map(|bound| bounds::word(bound)) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// Whether a bound says where the search ended, and not only what it was about.
fn ends_search(bound: &Bound) -> bool {
    !matches!(bound, Bound::OpenSize { .. } | Bound::NoneAtOpenSizes { .. })
}

fn verdict_role(outcome: &Outcome) -> Role {
    match outcome.verdict {
        Verdict::Ok | Verdict::GoalFound => Role::Good,
        Verdict::NoneFound => Role::Warning,
        _ => Role::Bad,
    }
}

/// Seconds after which one state takes long.
const QUIET: u64 = 2;

pub const ABOUT: About = About {
    name: "check",
    title: "Check",
    slot: Slot::Bottom,
    help: &[
        "The search of all states, in the background: what it has found, and how far it is or was.",
        "The title has the verdict with its limits: default sizes of sets, operations that no state enables, \
         and why a search is incomplete. nodes are the states that are kept, the set-ups and the root; \
         full states are those that they stand for, and reduction is how many one stands for.",
    ],
};

/// The pane.
#[derive(Default)]
pub struct Check;

impl Panel for Check {
    fn note(&self, app: &App) -> Option<(Role, String)> {
        let (role, word) = word(app)?;
        let State::Done(outcome) = &app.check else { return Some((role, word.to_owned())) };
        let title = title(outcome);
        Some(match (app.book.failing(), app.book.traces.len()) {
            // What was just found speaks for itself.
            (0, _) | (1, 1) => (role, title),
            (n, all) => (Role::Bad, format!("{title}, {n} of {all} traces FAIL")),
        })
    }

    fn useful(&self, app: &App) -> Vec<Action> {
        match &app.check {
            State::Running { .. } => vec![Action::Pause],
            State::Done(outcome) if outcome.finding.is_some() => vec![Action::FollowTrace],
            _ => Vec::new(),
        }
    }

    fn content<'a>(&'a self, app: &'a App, room: Room) -> Content<'a> {
        Content::lines(lines(app, room))
    }
}

/// One figure: its name and its printed value.
type Figure = (&'static str, String);

fn lines(app: &App, room: Room) -> Vec<Line<'_>> {
    match &app.check {
        State::None if app.loading => Vec::new(),
        State::None if app.machine.is_none() => {
            let keys = app.keymap.keys(Action::Errors).join(" ");
            let text =
                format!(" nothing is checked: there is no machine ({keys} shows what is wrong)");
            vec![Line::from(span(app, Role::Dim, text))]
        }
        State::None => vec![Line::from(span(app, Role::Dim, " no check has run (c starts one)"))],
        State::Failed(text) => vec![
            Line::from(span(app, Role::Bad, format!("the check failed: {text}"))),
            Line::from(span(app, Role::Dim, "a fault of burnside, not of the machine")),
        ],
        State::Running { progress, quiet, .. } => {
            let mut figures = vec![
                ("nodes", grouped(progress.nodes)),
                ("transitions", grouped(progress.transitions)),
                ("queue", grouped(progress.queue)),
                ("depth", progress.depth.to_string()),
            ];
            figures.extend(measured(progress.states, progress.seconds, progress.memory));
            if let Some(asked) = progress.asked {
                let of = format!("{} of {} states", grouped(asked), grouped(progress.states));
                figures.insert(0, ("assertions asked of", of));
            } else if *quiet >= QUIET {
                figures.insert(0, ("at one state for", format!("{quiet} s")));
            }
            flow(app, &figures, room)
        }
        State::Done(outcome) => done(app, outcome, room),
    }
}

fn done<'a>(app: &App, outcome: &'a Outcome, room: Room) -> Vec<Line<'a>> {
    let mut lines = vec![verdict(app, outcome)];
    let mut figures: Vec<Figure> = vec![
        ("nodes", grouped(outcome.nodes)),
        ("transitions", grouped(outcome.transitions)),
        ("depth", outcome.depth.to_string()),
    ];
    if let Some(full) = &outcome.full_states {
        figures.push(("full states", grouped(full)));
        if let Some(factor) = factor(full, outcome.states) {
            figures.push(("reduction", factor));
        }
    }
    if let Some(full) = &outcome.full_transitions {
        figures.push(("full transitions", grouped(full)));
    }
    let counts = [
        ("violating", outcome.violating_states),
        ("assertions violated", outcome.assertion_violations),
        ("undefined checks", Some(outcome.undefined_checks)),
        ("deadlocked", outcome.deadlocked_states),
        ("state errors", Some(outcome.state_errors)),
        ("broken claims", Some(outcome.broken_claims)),
        ("goal states", outcome.goal_states),
    ];
    for (name, n) in counts {
        if let Some(n) = n.filter(|n| *n > 0) {
            figures.push((name, grouped(n)));
        }
    }
    figures.extend(measured(outcome.states, outcome.seconds, outcome.peak_memory));
    if let Some(finding) = &outcome.finding {
        lines.extend(finding.span.and_then(|s| place(app, s)));
        for detail in &finding.details {
            lines.push(Line::from(span(app, Role::Text, detail.as_str())));
        }
    }
    if outcome.goal_seen == Some(true) {
        lines.push(Line::from(span(app, Role::Text, "a state of the machine's GOAL was seen")));
    }
    if let Some(site) = &outcome.goal_undefined {
        let text = format!("warning: the machine's GOAL is undefined: {}", site.kind.message());
        lines.push(Line::from(span(app, Role::Warning, text)));
    }
    if !outcome.never_enabled.is_empty() {
        let names: Vec<&str> = outcome.never_enabled.iter().map(|(_, name)| &**name).collect();
        let text = format!("warning: no reachable state enables {}", names.join(", "));
        lines.push(Line::from(span(app, Role::Warning, text)));
    }
    let decides = |bound: &&Bound| matches!(bound, Bound::NoneAtOpenSizes { .. });
    if let Some(bound) = outcome.bounds.iter().find(decides) {
        lines.push(Line::from(span(app, Role::Warning, bound.to_string())));
    }
    lines.extend(flow(app, &figures, room));
    for bound in outcome.bounds.iter().filter(|bound| !decides(bound)) {
        lines.push(Line::from(span(app, Role::Dim, format!("bound: {bound}"))));
        lines.extend(bounds::place(bound).and_then(|s| place(app, s)));
    }
    let undefined: u64 = outcome.undefined_guards.iter().map(|(_, n)| n).sum();
    if undefined > 0 {
        let text = format!("warning: {} undefined guards counted as false", grouped(undefined));
        lines.push(Line::from(span(app, Role::Warning, text)));
    }
    lines
}

/// Where a finding is in the source: `file:line:column: text`.
fn place(app: &App, at: Extent) -> Option<Line<'static>> {
    let sources = &app.machine.as_ref()?.sources;
    let place = sources.place(at);
    let path = sources.get(at.file).path.display().to_string();
    let name = path.rsplit('/').next().unwrap_or_default();
    let text = crate::session::view::one_line(sources.text(at));
    Some(Line::from(vec![
        span(app, Role::Dim, format!("{name}:{}:{}: ", place.line, place.column)),
        span(app, Role::Text, text),
    ]))
}

fn verdict<'a>(app: &App, outcome: &'a Outcome) -> Line<'a> {
    let words = match outcome.verdict {
        Verdict::Ok => "all checks hold",
        Verdict::NoneFound if !outcome.cut.is_empty() => {
            "nothing found, but not everything could be decided"
        }
        Verdict::NoneFound => "nothing found, but the search is incomplete",
        Verdict::NoSetup => "the machine cannot be set up",
        Verdict::InvariantViolation => "the invariant is violated",
        Verdict::AssertionViolation => "an assertion is violated",
        Verdict::RefinementViolation => "an abstract event cannot follow",
        Verdict::VariantViolation => "a variant is broken",
        Verdict::StateError => "state error",
        Verdict::Deadlock => "deadlock",
        Verdict::GoalFound => "the goal is reached",
    };
    let role = verdict_role(outcome);
    let mut spans = Vec::new();
    match &outcome.finding {
        None => spans.push(span(app, role, words)),
        Some(finding) => {
            // Most messages say it all; that of a state error only what is undefined.
            if outcome.verdict == Verdict::StateError {
                spans.push(span(app, role, "state error: "));
            }
            spans.push(span(app, role, finding.message.as_str()));
            let steps = finding.trace.steps.len();
            if steps > 0 {
                let key = app.keymap.keys(Action::FollowTrace).join(" ");
                let them = if steps == 1 { "it" } else { "them" };
                let text = format!(" ({}; {key} follows {them})", counted(steps, "step"));
                spans.push(span(app, Role::Dim, text));
            }
            if finding.doubt().is_some() {
                let text = " (perhaps no run: a precondition is left out)";
                spans.push(span(app, Role::Warning, text));
            }
        }
    }
    if outcome.interrupted {
        spans.push(span(app, Role::Warning, " (interrupted)"));
    }
    Line::from(spans)
}

/// Time, rate and memory; nothing where no time was taken.
fn measured(states: u64, seconds: f64, memory: u64) -> Vec<Figure> {
    if seconds <= 0.0 {
        return Vec::new();
    }
    let rate = states as f64 / seconds;
    let time = if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1000.0)
    } else {
        format!("{seconds:.1} s")
    };
    vec![
        ("states/s", grouped(format!("{rate:.0}"))),
        ("time", time),
        ("memory", format!("{} MiB", memory >> 20)),
    ]
}

/// How many states one representative stands for.
fn factor(full: &BigUint, states: u64) -> Option<String> {
    let factor = full.to_f64()? / states as f64;
    factor.is_finite().then(|| {
        if factor < 100.0 {
            format!("{factor:.1}x")
        } else if factor < 1e15 {
            format!("{}x", grouped(format!("{factor:.0}")))
        } else {
            format!("{factor:.2e}x")
        }
    })
}

/// Figures below each other where there is room, else one after the other.
fn flow(app: &App, figures: &[Figure], room: Room) -> Vec<Line<'static>> {
    let width = usize::from(room.width);
    let mut lines: Vec<Line<'static>> = Vec::new();
    if usize::from(room.height) >= figures.len() + 2 {
        let names = figures.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let values = figures.iter().map(|(_, value)| value.chars().count()).max().unwrap_or(0);
        for (name, value) in figures {
            lines.push(Line::from(vec![
                span(app, Role::Dim, format!("{name:<names$}  ")),
                span(app, Role::Text, format!("{value:>values$}")),
            ]));
        }
        return lines;
    }
    for (name, value) in figures {
        let spans =
            [span(app, Role::Dim, format!("{name} ")), span(app, Role::Text, value.clone())];
        let own: usize = spans.iter().map(Span::width).sum();
        match lines.last_mut().filter(|line| line.width() + own + 3 <= width) {
            Some(line) => {
                line.push_span(Span::raw("   "));
                line.extend(spans);
            }
            None => lines.push(Line::from_iter(spans)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_readable() {
        assert_eq!(grouped("1"), "1");
        assert_eq!(grouped("123456"), "123,456");
        assert_eq!(grouped("1234567"), "1,234,567");
        assert_eq!(factor(&BigUint::from(7776u32), 18), Some("432x".to_owned()));
        assert_eq!(factor(&BigUint::from(9u32), 4), Some("2.2x".to_owned()));
        assert_eq!(factor(&BigUint::from(0u32), 0), None);
    }
}
