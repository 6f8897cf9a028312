//! One run of the check beside the one before it: a line for each, and what has changed.

use super::{bounds, counted, grouped};
use crate::diagnostic::Diagnostic;
use crate::printable;
use crate::search::{Outcome, Verdict};
use crate::setup::Model;
use crate::source::Sources;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A run with what has changed, as it is told.
#[derive(Clone, PartialEq, Debug)]
pub struct Noted {
    /// Time of day.
    pub time: String,
    pub run: CheckRun,
    pub changes: Vec<String>,
    /// The traces that were replayed.
    pub trials: Vec<Trial>,
}

/// The replay of a trace on a new machine.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    pub name: String,
    /// A counterexample is gone, or another trace still runs to its end.
    pub passes: bool,
    /// What happened.
    pub text: String,
}

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
    /// What the states stand for, where it is known and more.
    full_states: Option<String>,
    /// The conjunct of the invariant, or the assertion, that was found to fail.
    broken: Option<String>,
    /// All conjuncts and assertions.
    demanded: BTreeSet<String>,
    /// How it was searched.
    pub method: String,
    operations: BTreeSet<String>,
    never_enabled: BTreeSet<String>,
    /// Number of steps to what was found.
    steps: usize,
}

impl CheckRun {
    /// A search that has ended.
    pub fn of(model: &Model, sources: &Sources, outcome: &Outcome) -> CheckRun {
        let machine = &model.instance.machine;
        let visible = machine.operations.iter().filter(|o| o.visible);
        let never = outcome.never_enabled.iter().map(|(_, name)| name.clone());
        let found = outcome.finding.as_ref().map(|finding| finding.message.clone());
        let limits = (!outcome.complete).then(|| bounds::joined(&outcome.bounds));
        let text = |span| sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
        let broken = match outcome.verdict {
            Verdict::InvariantViolation | Verdict::AssertionViolation => {
                outcome.finding.as_ref().and_then(|finding| finding.span).map(text)
            }
            _ => None,
        };
        let demanded = machine.invariant.iter().chain(&machine.assertions);
        let full = outcome.full_states.as_ref().map(ToString::to_string);
        CheckRun {
            full_states: full.filter(|full| *full != outcome.states.to_string()),
            broken,
            demanded: demanded.map(|c| text(c.pred.span)).collect(),
            method: outcome.symmetry.name().to_owned(),
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
            full_states: None,
            broken: None,
            demanded: BTreeSet::new(),
            method: String::new(),
            operations: BTreeSet::new(),
            never_enabled: BTreeSet::new(),
            steps: 0,
        }
    }

    pub fn was_searched(&self) -> bool {
        !self.operations.is_empty() || self.states > 0
    }

    /// What is not as it was in the run before, and in the last one that was a search.
    pub fn changes(&self, before: &CheckRun, searched: Option<&CheckRun>) -> Vec<String> {
        let mut changes = Vec::new();
        if self.verdict != before.verdict {
            changes.push(format!("was {}", before.verdict));
        }
        let Some(before) = searched.filter(|_| self.was_searched()) else { return changes };
        if self.method != before.method {
            changes.push(format!("symmetry {}, was {}", self.method, before.method));
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
        match (&self.broken, &before.broken) {
            (Some(now), then) if Some(now) != then.as_ref() => {
                changes.push(format!("fails now: {now}"));
            }
            _ => {}
        }
        if let Some(then) = before.broken.as_ref().filter(|then| self.broken.as_ref() != Some(then))
        {
            if !self.demanded.contains(then) {
                changes.push(format!("no longer demanded: {then}"));
            } else if self.complete {
                changes.push(format!("holds now: {then}"));
            }
        }
        let counts = [
            ("states", self.states, before.states),
            ("transitions", self.transitions, before.transitions),
        ];
        for (what, now, then) in counts {
            if now > then {
                changes.push(format!("{what} +{}", grouped(now - then)));
            } else if now < then {
                changes.push(format!("{what} -{}", grouped(then - now)));
            }
        }
        if let (Some(now), Some(then)) = (&self.full_states, &before.full_states)
            && now != then
        {
            changes.push(format!("standing for {}, not {}", grouped(now), grouped(then)));
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

    /// Verdict, counts and seconds.
    pub fn summary(&self) -> String {
        let mut parts = vec![self.verdict.clone()];
        if self.was_searched() {
            let incomplete = if self.complete { "" } else { " (incomplete)" };
            parts[0].push_str(incomplete);
            parts.push(format!("{} states", grouped(self.states)));
            parts.push(format!("{} transitions", grouped(self.transitions)));
            parts.push(format!("{:.1} s", self.seconds));
        }
        parts.join("  ")
    }
}

impl Noted {
    /// The run as a line: time of day, verdict, counts, seconds, what has changed, traces that fail.
    pub fn line(&self) -> String {
        let run = &self.run;
        let mut parts = vec![format!("{}  {}", self.time, run.summary())];
        parts.extend(run.message.clone());
        if !self.changes.is_empty() {
            parts.push(format!("[{}]", self.changes.join("; ")));
        }
        printable::line(&parts.join("  ")).into_owned() + "\n"
    }

    /// The same as an object on one line.
    pub fn json(&self) -> String {
        let Noted { time, run, changes, trials } = self;
        let searched = |n: u64| if run.was_searched() { json!(n) } else { Value::Null };
        let trial = |trial: &Trial| json!({ "name": trial.name, "passes": trial.passes, "message": trial.text });
        let object = json!({
            "format": super::json::FORMAT,
            "time": time,
            "verdict": run.verdict,
            "complete": run.complete,
            "states": searched(run.states),
            "transitions": searched(run.transitions),
            "seconds": run.seconds,
            "message": run.message,
            "changed": changes,
            "traces": trials.iter().map(trial).collect::<Vec<_>>(),
        });
        object.to_string() + "\n"
    }
}
