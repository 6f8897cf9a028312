//! One run of the check beside the one before it: a line for each, and what has changed.

use super::{bounds, counted, grouped};
use crate::diagnostic::Diagnostic;
use crate::printable;
use crate::search::Outcome;
use crate::setup::Model;
use crate::source::Sources;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A run of the check, as far as runs are compared.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckRun {
    /// `rejected` where the machine was refused.
    pub verdict: String,
    pub complete: bool,
    pub states: u64,
    pub transitions: u64,
    pub seconds: f64,
    /// What was found, what limits the result, or what is wrong with the machine.
    pub message: Option<String>,
    operations: BTreeSet<String>,
    never_enabled: BTreeSet<String>,
    /// Number of steps to what was found.
    steps: usize,
}

impl CheckRun {
    /// A search that has ended.
    pub fn of(model: &Model, outcome: &Outcome) -> CheckRun {
        let machine = &model.instance.machine;
        let visible = machine.operations.iter().filter(|o| o.visible);
        let never = outcome.never_enabled.iter().map(|(_, name)| name.clone());
        let found = outcome.finding.as_ref().map(|finding| finding.message.clone());
        let limits = (!outcome.complete).then(|| bounds::joined(&outcome.bounds));
        CheckRun {
            verdict: outcome.verdict.name().to_owned(),
            complete: outcome.complete,
            states: outcome.states,
            transitions: outcome.transitions,
            seconds: outcome.seconds,
            message: found.or(limits.filter(|limits| !limits.is_empty())),
            operations: visible.map(|o| o.name.to_string()).collect(),
            never_enabled: never.collect(),
            steps: outcome.finding.as_ref().map_or(0, |finding| finding.trace.steps.len()),
        }
    }

    /// A machine that could not be searched.
    pub fn rejected(diagnostics: &[Diagnostic], sources: &Sources) -> CheckRun {
        let errors = diagnostics.iter().filter(|d| d.is_error());
        let message = errors.clone().next().map(|d| {
            let place = d.span.map(|span| {
                let at = sources.place(span);
                format!("{}:{}:{}: ", sources.get(span.file).path.display(), at.line, at.column)
            });
            let more = errors.count() - 1;
            let more = if more > 0 {
                format!(" (and {} more)", counted(more, "error"))
            } else {
                String::new()
            };
            format!("{}{}{more}", place.unwrap_or_default(), d.message)
        });
        CheckRun::without_search("rejected", message)
    }

    /// A machine that was not loaded to its end.
    pub fn without_search(verdict: &str, message: Option<String>) -> CheckRun {
        CheckRun {
            verdict: verdict.to_owned(),
            complete: false,
            states: 0,
            transitions: 0,
            seconds: 0.0,
            message,
            operations: BTreeSet::new(),
            never_enabled: BTreeSet::new(),
            steps: 0,
        }
    }

    fn was_searched(&self) -> bool {
        !self.operations.is_empty() || self.states > 0
    }

    /// What is not as it was in an earlier run.
    pub fn changes(&self, before: &CheckRun) -> Vec<String> {
        let mut changes = Vec::new();
        if self.verdict != before.verdict {
            changes.push(format!("was {}", before.verdict));
        }
        if !self.was_searched() || !before.was_searched() {
            return changes;
        }
        let mut names = |what: &str, now: &BTreeSet<String>, then: &BTreeSet<String>| {
            let new: Vec<&str> = now.difference(then).map(String::as_str).collect();
            if !new.is_empty() {
                changes.push(format!("{what} {}", new.join(", ")));
            }
        };
        names("new", &self.operations, &before.operations);
        names("gone", &before.operations, &self.operations);
        names("never enabled now", &self.never_enabled, &before.never_enabled);
        names("enabled again", &before.never_enabled, &self.never_enabled);
        let counts = [
            ("states", self.states, before.states),
            ("transitions", self.transitions, before.transitions),
        ];
        for (what, now, then) in counts {
            if now > then {
                changes.push(format!("{what} +{}", grouped(&(now - then).to_string())));
            } else if now < then {
                changes.push(format!("{what} -{}", grouped(&(then - now).to_string())));
            }
        }
        if self.steps != before.steps && self.steps > 0 && before.steps > 0 {
            changes.push(format!(
                "found after {}, not {}",
                counted(self.steps, "step"),
                before.steps
            ));
        }
        changes
    }

    /// The run as a line: time of day, verdict, counts, seconds, what has changed.
    pub fn line(&self, time: &str, before: Option<&CheckRun>) -> String {
        let mut parts = vec![format!("{time}  {}", self.verdict)];
        if self.was_searched() {
            let incomplete = if self.complete { "" } else { " (incomplete)" };
            parts[0].push_str(incomplete);
            parts.push(format!("{} states", grouped(&self.states.to_string())));
            parts.push(format!("{} transitions", grouped(&self.transitions.to_string())));
            parts.push(format!("{:.1} s", self.seconds));
        }
        parts.extend(self.message.clone());
        let changes = before.map(|before| self.changes(before)).unwrap_or_default();
        if !changes.is_empty() {
            parts.push(format!("[{}]", changes.join("; ")));
        }
        printable::line(&parts.join("  ")).into_owned() + "\n"
    }

    /// The same as an object on one line.
    pub fn json(&self, time: &str, before: Option<&CheckRun>) -> String {
        let searched = |n: u64| if self.was_searched() { json!(n) } else { Value::Null };
        let object = json!({
            "format": super::json::FORMAT,
            "time": time,
            "verdict": self.verdict,
            "complete": self.complete,
            "states": searched(self.states),
            "transitions": searched(self.transitions),
            "seconds": self.seconds,
            "message": self.message,
            "changed": before.map(|before| self.changes(before)).unwrap_or_default(),
        });
        object.to_string() + "\n"
    }
}
