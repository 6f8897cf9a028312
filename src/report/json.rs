//! A check as one JSON object. Format 1: later versions of it only add fields.

use super::steps::StepText;
use super::{CheckReport, answer, bounds};
use crate::clock::{self, memory};
use crate::diagnostic::Diagnostic;
use crate::printable;
use crate::search::{Finding, OperationCount, SymmetryMode, Verdict};
use crate::setup::{Bound, SetInfo};
use crate::source::{Sources, Span};
use serde::Serialize;
use serde_json::{Map, Value};

/// Number of the format that is written.
pub const FORMAT: u32 = 1;

#[derive(Serialize, Default)]
struct Check<'a> {
    format: u32,
    model: &'a str,
    verdict: &'static str,
    complete: bool,
    approximate: bool,
    bounds: Vec<String>,
    notes: Vec<String>,
    symmetry: &'static str,
    por: &'static str,
    /// The share of the expanded states in which not all enabled instances were followed.
    por_reduced: Option<f64>,
    /// How many instances were followed in those.
    por_mean_set: Option<f64>,
    /// States in which a smaller set was looked for.
    por_tried: Option<u64>,
    /// States after which no more was tried.
    por_given_up: Option<u64>,
    por_analysis_seconds: Option<f64>,
    sets: Vec<Set<'a>>,
    nodes: u64,
    states: u64,
    expanded: u64,
    successors: u64,
    transitions: u64,
    operations: Vec<Operation<'a>>,
    full_states: Option<String>,
    full_transitions: Option<String>,
    full_deadlocked_states: Option<String>,
    full_goal_states: Option<String>,
    violating_states: Option<u64>,
    assertion_violations: Option<u64>,
    undefined_checks: u64,
    deadlocked_states: Option<u64>,
    state_errors: u64,
    broken_claims: u64,
    goal_states: Option<u64>,
    missed_orbits: Option<u64>,
    method_statistics: Map<String, Value>,
    depth: u32,
    seconds: f64,
    threads: usize,
    peak_memory_bytes: u64,
    trace: Option<Vec<Step<'a>>>,
    /// Why the constants have no values, where that was found out.
    #[serde(skip_serializing_if = "Option::is_none")]
    contradiction: Option<Value>,
    /// Lines for people, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    symmetry_explanation: Option<Vec<String>>,
    diagnostics: Vec<Message>,
}

#[derive(Serialize)]
struct Set<'a> {
    name: &'a str,
    size: u32,
    source: &'static str,
    fixed: &'a [String],
    symmetric: bool,
}

/// How often an operation was taken, and how many states it was the first to reach.
#[derive(Serialize)]
struct Operation<'a> {
    name: &'a str,
    taken: u64,
    first: u64,
}

/// A step of a trace; also as it stands in a trace file.
#[derive(Serialize)]
pub(super) struct Step<'a> {
    operation: &'a str,
    arguments: &'a [String],
    results: &'a [String],
    changed: Map<String, Value>,
}

#[derive(Serialize)]
struct Rejected<'a> {
    format: u32,
    model: &'a str,
    verdict: &'static str,
    diagnostics: Vec<Message>,
}

#[derive(Serialize)]
struct Message {
    severity: &'static str,
    message: String,
    #[serde(flatten)]
    place: Location,
    /// `null` for a note.
    code: Option<&'static str>,
    end_line: Option<usize>,
    end_column: Option<usize>,
    hint: Option<String>,
    related: Vec<Related>,
}

/// Where something begins; lines and columns count from 1, columns in characters.
#[derive(Serialize, Default)]
struct Location {
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
}

/// A further place that a diagnostic speaks of.
#[derive(Serialize)]
struct Related {
    label: String,
    #[serde(flatten)]
    place: Location,
    end_line: usize,
    end_column: usize,
}

/// The result of a check.
pub fn check(report: &CheckReport<'_>) -> String {
    let outcome = report.outcome;
    let known = |n: &Option<num_bigint::BigUint>| {
        n.as_ref().filter(|_| outcome.complete).map(ToString::to_string)
    };
    let mut diagnostics: Vec<Message> = report
        .finding()
        .iter()
        .chain(&report.all_warnings())
        .map(|d| message(d, report.sources))
        .collect();
    diagnostics.extend(goal_seen(report));
    let finding = outcome.finding.as_ref();
    let doubt = finding.and_then(Finding::doubt);
    let trace = finding.map(|f| StepText::all(&f.instance, &f.trace));
    pretty(&Check {
        format: FORMAT,
        model: report.name(),
        verdict: outcome.verdict.name(),
        complete: outcome.complete,
        approximate: outcome.approximate,
        bounds: bounds::texts(&outcome.bounds, report.sources),
        notes: outcome.notes.iter().cloned().chain(doubt).collect(),
        symmetry: outcome.symmetry.name(),
        por: outcome.partial.map_or("off", |p| p.method.name()),
        por_reduced: outcome
            .partial
            .filter(|_| outcome.expanded > 0)
            .map(|p| p.reduced_states as f64 / outcome.expanded as f64),
        por_mean_set: outcome.partial.and_then(|p| p.mean_set()),
        por_tried: outcome.partial.map(|p| p.tried),
        por_given_up: outcome.partial.and_then(|p| p.given_up),
        por_analysis_seconds: outcome.partial.map(|p| p.analysis_seconds),
        sets: report.model.sets.iter().map(set).collect(),
        nodes: outcome.nodes,
        states: outcome.states,
        expanded: outcome.expanded,
        successors: outcome.successors,
        transitions: outcome.transitions,
        operations: outcome.operations.iter().map(operation).collect(),
        full_states: known(&outcome.full_states),
        full_transitions: known(&outcome.full_transitions),
        full_deadlocked_states: known(&outcome.full_deadlocked_states),
        full_goal_states: known(&outcome.full_goal_states),
        violating_states: outcome.violating_states,
        assertion_violations: outcome.assertion_violations,
        undefined_checks: outcome.undefined_checks,
        deadlocked_states: outcome.deadlocked_states,
        state_errors: outcome.state_errors,
        broken_claims: outcome.broken_claims,
        goal_states: outcome.goal_states,
        missed_orbits: outcome.missed_orbits,
        method_statistics: outcome
            .method_statistics
            .iter()
            .map(|(name, value)| (name.clone(), Value::from(*value)))
            .collect(),
        depth: outcome.depth,
        seconds: outcome.seconds,
        threads: outcome.threads,
        peak_memory_bytes: outcome.peak_memory,
        trace: trace.as_ref().map(|steps| steps.iter().map(step).collect()),
        contradiction: finding.and_then(|f| f.contradiction.as_ref()).map(answer::contradiction),
        symmetry_explanation: report.explain_symmetry.then(|| report.model.explanation.lines()),
        diagnostics,
    })
}

fn operation(count: &OperationCount) -> Operation<'_> {
    Operation { name: &count.name, taken: count.taken, first: count.first }
}

/// A check that was ended before the machine was loaded: nothing was looked at.
pub fn unfinished(model: &str, bound: &Bound, sources: &Sources, seconds: f64) -> String {
    pretty(&Check {
        format: FORMAT,
        model,
        verdict: Verdict::NoneFound.name(),
        bounds: vec![bounds::text(bound, sources)],
        symmetry: SymmetryMode::Off.name(),
        por: "off",
        seconds,
        peak_memory_bytes: memory::peak(),
        ..Check::default()
    })
}

/// A machine, or a request, that was refused.
pub fn rejected(model: &str, diagnostics: &[Diagnostic], sources: &Sources) -> String {
    pretty(&Rejected {
        format: FORMAT,
        model,
        verdict: "rejected",
        diagnostics: diagnostics.iter().map(|d| message(d, sources)).collect(),
    })
}

fn set(info: &SetInfo) -> Set<'_> {
    Set {
        name: &info.name,
        size: info.size,
        source: info.source.name(),
        fixed: &info.fixed,
        symmetric: info.symmetric,
    }
}

pub(super) fn step(step: &StepText) -> Step<'_> {
    clock::work(step.length());
    let changed = step.changed.iter().map(|(name, value)| (name.clone(), value.clone().into()));
    Step {
        operation: &step.operation,
        arguments: &step.arguments,
        results: &step.results,
        changed: changed.collect(),
    }
}

fn message(diagnostic: &Diagnostic, sources: &Sources) -> Message {
    let end = diagnostic.span.map(|span| sources.end_place(span));
    let related = |(span, label): &(Span, String)| {
        let end = sources.end_place(*span);
        Related {
            label: label.clone(),
            place: location(*span, sources),
            end_line: end.line,
            end_column: end.column,
        }
    };
    Message {
        severity: diagnostic.severity.name(),
        message: diagnostic.message.clone(),
        place: diagnostic.span.map(|span| location(span, sources)).unwrap_or_default(),
        code: Some(diagnostic.code),
        end_line: end.map(|e| e.line),
        end_column: end.map(|e| e.column),
        hint: diagnostic.hint.clone(),
        related: diagnostic.notes.iter().map(related).collect(),
    }
}

fn goal_seen(report: &CheckReport<'_>) -> Option<Message> {
    let span = report.model.instance.machine.goal.as_ref().map(|goal| goal.span);
    let end = span.map(|span| report.sources.end_place(span));
    Some(Message {
        severity: "note",
        message: report.goal_seen()?.to_owned(),
        place: span.map(|span| location(span, report.sources)).unwrap_or_default(),
        code: None,
        end_line: end.map(|e| e.line),
        end_column: end.map(|e| e.column),
        hint: None,
        related: Vec::new(),
    })
}

fn location(span: Span, sources: &Sources) -> Location {
    let place = sources.place(span);
    Location {
        file: Some(sources.get(span.file).path.display().to_string()),
        line: Some(place.line),
        column: Some(place.column),
    }
}

pub(super) fn pretty<T: Serialize>(value: &T) -> String {
    // Strings, numbers, lists and maps with string keys always have a JSON form.
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    let mut text = printable::json(&text).into_owned();
    text.push('\n');
    text
}
