//! A check for people: the verdict and what it means, the counts, the counterexample, the warnings.

use super::steps::StepText;
use super::{CheckReport, bounds, counted};
use crate::clock::{self, Phase};
use crate::printable::{self, Painted};
use crate::search::{Finding, Outcome, Partial, SearchOptions, SymmetryMode, Verdict};
use crate::setup::{Bound, SetInfo};
use crate::source::Sources;
use num_bigint::BigUint;
use std::borrow::Cow;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The verdict in one line: what was found, and how much of the machine it speaks of.
pub fn verdict(outcome: &Outcome, options: &SearchOptions, sources: &Sources) -> String {
    let mut line = match outcome.verdict {
        Verdict::Ok => format!("ok: {} in every reachable state", holds(outcome, options)),
        Verdict::InvariantViolation => format!("invariant violation{}", after(outcome)),
        Verdict::AssertionViolation => format!("assertion violation{}", after(outcome)),
        Verdict::RefinementViolation => format!("refinement violation{}", after(outcome)),
        Verdict::VariantViolation => format!("variant violation{}", after(outcome)),
        Verdict::StateError => format!("state error{}", after(outcome)),
        Verdict::Deadlock if has_no_operation(outcome) => {
            "deadlock: the machine has no operation (--no-deadlock asks for the rest only)"
                .to_owned()
        }
        Verdict::Deadlock => format!("deadlock: no operation is enabled{}", after(outcome)),
        Verdict::GoalFound => format!("goal found{}", after(outcome)),
        Verdict::NoSetup => "no set-up: the machine has no initial state".to_owned(),
        Verdict::NoneFound if !outcome.cut.is_empty() || lacks_assertions(outcome) => {
            "nothing found, but not everything could be decided".to_owned()
        }
        Verdict::NoneFound => "nothing found, but not every reachable state was visited".to_owned(),
    };
    let mut extent = Vec::new();
    if outcome.interrupted {
        extent.push("interrupted");
    }
    extent.push(if outcome.complete { "complete" } else { "incomplete" });
    if outcome.approximate {
        extent.push("approximate");
    }
    let _ = write!(line, " ({}", extent.join(", "));
    if !outcome.bounds.is_empty() {
        let bounds = bounds::texts(&outcome.bounds, sources).join("; ");
        let _ = write!(line, "; bounds: {}", printable::line(&bounds));
    }
    line.push(')');
    line
}

/// The verdict, and below it what makes a finding doubtful.
pub fn verdict_and_doubt(outcome: &Outcome, options: &SearchOptions, sources: &Sources) -> String {
    let mut text = verdict(outcome, options, sources);
    text.push('\n');
    if let Some(doubt) = outcome.finding.as_ref().and_then(Finding::doubt) {
        let _ = writeln!(text, "{}", printable::line(&doubt));
    }
    text
}

/// The same for work that was ended before there was anything to tell: what was not done.
pub fn unfinished(what: &str, bound: &Bound, sources: &Sources) -> String {
    let bound = bounds::text(bound, sources);
    format!("nothing found: {what} (incomplete; bounds: {})\n", printable::line(&bound))
}

/// Whether all states were found, and all that is left to do is to ask assertions that take long.
fn lacks_assertions(outcome: &Outcome) -> bool {
    let is_late = |b: &Bound| match b {
        Bound::Assertions { .. } | Bound::OpenSize { .. } => true,
        Bound::Halted(halted) => halted.phase == Phase::Assertions,
        _ => false,
    };
    let any = outcome.bounds.iter().any(|b| matches!(b, Bound::Assertions { .. }));
    any && outcome.bounds.iter().all(is_late)
}

fn holds(outcome: &Outcome, options: &SearchOptions) -> &'static str {
    let looked_for_deadlocks = outcome.deadlocked_states.is_some();
    match (options.invariant, options.asserts(), looked_for_deadlocks) {
        (true, true, true) => "invariant and assertions hold and some operation is enabled",
        (true, true, false) => "invariant and assertions hold",
        (true, false, true) => "the invariant holds and some operation is enabled",
        (true, false, false) => "the invariant holds",
        (false, _, true) => "some operation is enabled",
        (false, _, false) => "no state error",
    }
}

/// Whether no operation could ever be enabled.
fn has_no_operation(outcome: &Outcome) -> bool {
    let finding = outcome.finding.as_ref();
    finding.is_some_and(|f| f.instance.machine.operations.iter().all(|o| !o.visible))
}

/// Where a finding is.
fn after(outcome: &Outcome) -> String {
    let Some(finding) = &outcome.finding else { return String::new() };
    match finding.trace.operations() {
        0 if finding.trace.steps.is_empty() => String::new(),
        0 => " in the beginning".to_owned(),
        n => format!(" after {}", counted(n, "operation")),
    }
}

/// The whole report.
pub fn check(report: &CheckReport<'_>) -> Painted {
    let mut out = Painted::new();
    out.push(&verdict_and_doubt(report.outcome, report.options, report.sources));
    if let Some(finding) = report.finding() {
        out.push("\n");
        out.extend(finding.paint(report.sources, report.width));
        if let Some(finding) = &report.outcome.finding {
            for line in &finding.details {
                let _ = writeln!(out, "  {}", printable::line(line));
            }
        }
    }
    out.push("\n");
    counts(&mut out, report);
    if let Some(finding) = &report.outcome.finding
        && !finding.trace.steps.is_empty()
    {
        let title = match report.outcome.verdict {
            Verdict::GoalFound => "Run to the goal",
            _ => "Counterexample",
        };
        let length = counted(finding.trace.steps.len(), "step");
        let _ = writeln!(out, "\n{title}, {length}:");
        out.push(&trace(&StepText::all(&finding.instance, &finding.trace)));
    }
    if !report.outcome.method_statistics.is_empty() {
        out.push("\n");
        for (name, value) in &report.outcome.method_statistics {
            let digits = if value.fract() == 0.0 { 0 } else { 3 };
            let _ = writeln!(out, "{name}: {value:.digits$}");
        }
    }
    if report.explain_symmetry {
        out.push("\nSymmetry:\n");
        for line in report.model.explanation.lines() {
            let _ = writeln!(out, "  {}", printable::line(&line));
        }
    }
    let warnings = report.all_warnings();
    if !warnings.is_empty() {
        out.push("\n");
        warnings.iter().for_each(|w| out.extend(w.paint(report.sources, report.width)));
    }
    out
}

/// The longest value that a step shows whole, in characters: a constant of some ten thousand members is megabytes of text.
const LONGEST_VALUE: usize = 4000;

/// A value, or its beginning and how long it is.
fn begun(value: &str) -> Cow<'_, str> {
    let Some((end, _)) = value.char_indices().nth(LONGEST_VALUE) else { return value.into() };
    let length = value.chars().count();
    format!("{}... ({length} characters: --format json has them all)", &value[..end]).into()
}

/// Numbered steps with what they changed; of values that are too long to be read, the beginning.
pub fn trace(steps: &[StepText]) -> String {
    let mut out = String::new();
    let width = steps.len().to_string().len().max(3);
    for (n, step) in steps.iter().enumerate() {
        clock::work(step.length());
        let failed = if step.failed { "   (ends in an error)" } else { "" };
        let label = step.label();
        let _ = writeln!(out, "{:>width$}  {}{failed}", n + 1, printable::line(&begun(&label)));
        let shown = |(name, value): &(String, String)| {
            (printable::line(name).into_owned(), printable::line(&begun(value)).into_owned())
        };
        let changed: Vec<(String, String)> = step.changed.iter().map(shown).collect();
        let longest = changed.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
        for (name, value) in changed {
            let pad = longest - name.width();
            let _ = writeln!(out, "{:width$}    {name}{:pad$} = {value}", "", "");
        }
    }
    out
}

fn counts(out: &mut Painted, report: &CheckReport<'_>) {
    let outcome = report.outcome;
    let mut line = |name: &str, value: String| {
        let _ = writeln!(out, "{name:<14}{}", printable::line(&value));
    };
    line("machine", report.name().to_owned());
    let sets: Vec<String> = report.model.sets.iter().map(set).collect();
    if !sets.is_empty() {
        line("sets", sets.join(", "));
    }
    line("symmetry", outcome.symmetry.name().to_owned());
    line("strategy", report.options.strategy.name().to_owned());
    let mut numbers = vec![
        ("nodes", outcome.nodes, String::new()),
        ("states", outcome.states, full(outcome.states, &outcome.full_states)),
        ("expanded", outcome.expanded, String::new()),
        ("transitions", outcome.transitions, full(outcome.transitions, &outcome.full_transitions)),
        ("depth", u64::from(outcome.depth), String::new()),
    ];
    let checked = [
        ("violating", outcome.violating_states),
        ("assertions", outcome.assertion_violations.filter(|n| *n > 0)),
        ("undefined", Some(outcome.undefined_checks).filter(|n| *n > 0)),
        ("deadlocked", outcome.deadlocked_states),
        ("missed orbits", outcome.missed_orbits),
        ("goal states", outcome.goal_states),
        ("state errors", Some(outcome.state_errors).filter(|n| *n > 0)),
        ("broken claims", Some(outcome.broken_claims).filter(|n| *n > 0)),
    ];
    if outcome.symmetry != SymmetryMode::Flood {
        // Elsewhere every state is expanded, unless it violates something.
        numbers.retain(|(name, ..)| *name != "expanded");
    }
    numbers.extend(checked.into_iter().filter_map(|(n, count)| Some((n, count?, String::new()))));
    let width = numbers.iter().map(|(_, n, _)| n.to_string().len()).max().unwrap_or(1);
    for (name, number, note) in numbers {
        line(name, format!("{number:>width$}{note}"));
    }
    line("time", duration(outcome.seconds));
    if outcome.peak_memory > 0 {
        line("memory", format!("{} at most", bytes(outcome.peak_memory)));
    }
    if let Some(seen) = report.goal_seen() {
        line("goal", seen.to_owned());
    }
    if let Some(partial) = &outcome.partial {
        line("por", reduction(partial, outcome.expanded));
    }
    outcome.notes.iter().for_each(|note| line("note", note.clone()));
}

/// Operations that are listed.
const LISTED: usize = 20;

/// How often each operation was taken, and of how many states it was the first to reach them: the most
/// common ones first.
pub fn operations(outcome: &Outcome) -> String {
    let mut rows: Vec<_> = outcome.operations.iter().filter(|o| o.taken > 0).collect();
    rows.sort_by_key(|o| std::cmp::Reverse(o.taken));
    let rest = rows.len().saturating_sub(LISTED);
    rows.truncate(LISTED);
    let mut out = String::new();
    let longest = rows.iter().map(|o| printable::line(&o.name).width()).max().unwrap_or(0);
    let width = rows.first().map_or(0, |o| o.taken.to_string().len());
    for row in rows {
        let name = printable::line(&row.name);
        let pad = longest - name.width();
        let (taken, first) = (row.taken, counted(row.first as usize, "state"));
        let _ =
            writeln!(out, "{name}{:pad$}  taken {taken:>width$} times, first to reach {first}", "");
    }
    if rest > 0 {
        let _ = writeln!(out, "and {}", counted(rest, "other operation"));
    }
    out
}

/// What partial order reduction did.
fn reduction(partial: &Partial, expanded: u64) -> String {
    let mut text = format!("{} sets, ", partial.method.name());
    if partial.given_up == Some(0) {
        text.push_str("none can be smaller: each operation changes an answer, or all depend on it");
    } else if let Some(met) = partial.given_up {
        let mut states = counted(met as usize, "state");
        if partial.tried < met {
            let _ = write!(states, " ({} tried)", partial.tried);
        }
        let _ = match partial.reduced_states {
            0 => write!(text, "none in {states}: no more were tried"),
            reduced => write!(text, "{reduced} of {states} reduced: too few, no more were tried"),
        };
    } else {
        let reduced = partial.reduced_states;
        let _ = write!(text, "{reduced} of {} reduced", counted(expanded as usize, "state"));
        if partial.tried < expanded {
            let _ = write!(text, " ({} tried, as far as that is cheap)", partial.tried);
        }
    }
    if let Some(mean) = partial.mean_set() {
        let all = partial.enabled as f64 / partial.reduced_states as f64;
        let _ = write!(text, ", there {mean:.1} of {all:.1} enabled instances were followed");
    }
    if partial.deadlocks_only {
        text.push_str("; no operation changes an answer, so that only deadlocks were kept");
    }
    let _ = write!(text, "; analysis {}", duration(partial.analysis_seconds));
    text
}

fn set(info: &SetInfo) -> String {
    let mut text = format!("{} = {} ({}", info.name, info.size, info.source.name());
    if !info.symmetric {
        text.push_str(", not symmetric");
    }
    if !info.fixed.is_empty() {
        let _ = write!(text, ", fixed: {}", info.fixed.join(" "));
    }
    text.push(')');
    text
}

/// The count without reduction, where it differs.
fn full(reduced: u64, full: &Option<BigUint>) -> String {
    match full {
        Some(full) if *full != BigUint::from(reduced) => format!("   of {full} without reduction"),
        _ => String::new(),
    }
}

/// Seconds as people read them.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s if s < 100.0 => format!("{s:.2} s"),
        s => format!("{s:.0} s"),
    }
}

/// A size in memory as people read it.
pub fn bytes(n: u64) -> String {
    let mib = n as f64 / f64::from(1 << 20);
    match mib {
        m if m < 1.0 => format!("{} KiB", n >> 10),
        m if m < 1024.0 => format!("{m:.0} MiB"),
        m => format!("{:.1} GiB", m / 1024.0),
    }
}
