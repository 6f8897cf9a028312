//! Traces of the history as files, and random steps.

use super::{Engine, NowAndThen, Report, Work, shown};
use crate::report::counted;
use crate::report::recorded::{self, Recorded};
use crate::report::steps::StepText;
use crate::report::trace;
use crate::search::random::Random;
use crate::session::Animator;
use crate::session::animator::Position;
use crate::session::reading::{self, Faithful};
use std::path::Path;

impl Engine {
    /// Writes the steps to where the run stands.
    pub(super) fn save(&mut self, path: &str, report: &mut dyn FnMut(Report)) {
        let Some(animator) = &self.animator else { return };
        let model = animator.model();
        let own = StepText::list(&model.instance, &animator.history());
        if own.is_empty() {
            return report(Report::Note("there is no step to save".to_owned()));
        }
        let path = Path::new(path);
        let text = recorded::render(path, model, self.session.setup(), "history", &own);
        let name = shown::line(path.display().to_string());
        match trace::write_trace(path, &text) {
            Ok(()) => {
                let told = format!(
                    "saved {} as {name}: replayed at each save",
                    counted(own.len(), "step")
                );
                report(Report::Kept { name, steps: own });
                report(Report::Note(told));
            }
            Err(error) => report(Report::Wrong(format!("{name}: {error}"))),
        }
    }

    /// Writes a text to a file, whole or not at all. What is there is replaced only if it was written so before.
    pub(super) fn write(&mut self, path: &str, text: &str) -> Report {
        let name = shown::line(path);
        let (path, text) = (Path::new(path), format!("{text}\n"));
        let own = std::fs::canonicalize(path).is_ok_and(|path| self.written.contains(&path));
        let write = if own { trace::write_whole } else { trace::write_text };
        match write(path, &text) {
            Ok(()) => {
                self.written.extend(std::fs::canonicalize(path));
                Report::Note(format!("written to {name}"))
            }
            Err(error) => Report::Wrong(format!("{name}: {error}")),
        }
    }

    /// Reads a trace, follows it as far as it goes, and tells how faithful that is.
    pub(super) fn load(&mut self, path: &str, report: &mut dyn FnMut(Report)) {
        let name = shown::line(path);
        let Some(animator) = &mut self.animator else { return };
        let read = match read(animator, Path::new(path)) {
            Ok(read) => read,
            Err(why) => return report(Report::Wrong(format!("{name}: {why}"))),
        };
        let (told, why) = reading::faithful(animator, &read.steps);
        let mut lines = vec![said(&told, read.steps.len())];
        lines.extend(told.differ.iter().take(5).map(|(n, what)| format!("    step {n}: {what}")));
        lines.extend(why.map(|refused| format!("    {}", refused.line())));
        lines.extend(read.sizes);
        let lines = lines.iter().map(shown::line).collect();
        report(Report::Kept { name: name.clone(), steps: read.steps });
        let step = told.followed;
        let formula = format!("trace {name}");
        let refused = false;
        report(Report::Answer(Box::new(super::Exchange { formula, step, lines, refused })));
        self.moved(report);
    }

    /// Takes steps at random, all equally likely, until something is wrong or it is cancelled.
    pub(super) fn walk(&mut self, count: usize, seed: u64, report: &mut dyn FnMut(Report)) {
        let Some(animator) = &mut self.animator else { return };
        let mut random = Random::new(seed);
        let mut taken = 0;
        let mut end = String::new();
        let (cancelled, mut now_and_then) = (animator.cancelled(), NowAndThen::default());
        while taken < count {
            if now_and_then.is_due() {
                report(Report::Doing(Work::Walking { done: taken, all: count }));
            }
            // The states of a walk are mostly known, and nothing is listed that could be cut.
            if animator.cancelled() != cancelled {
                end = "; cancelled".to_owned();
                break;
            }
            let n = animator.enabled().len();
            if n == 0 {
                end = "; no operation is enabled".to_owned();
                break;
            }
            if !animator.step(random.below(n)) {
                break;
            }
            taken += 1;
            if let Some(what) = wrong_here(animator) {
                end = format!("; {what}");
                break;
            }
        }
        report(Report::Note(format!("{} at random, seed {seed}{end}", counted(taken, "step"))));
        self.moved(report);
    }
}

/// What a walk stops at.
fn wrong_here(animator: &mut Animator) -> Option<&'static str> {
    if !matches!(animator.position(), Position::State(_)) {
        return None;
    }
    let view = animator.view();
    if view.violation {
        Some("stopped at a violation")
    } else if !view.faults.is_empty() {
        Some("stopped where an operation ends in an error")
    } else {
        None
    }
}

/// A trace that was read.
struct Read {
    steps: Vec<StepText>,
    /// That it was made with other sizes of the sets.
    sizes: Option<String>,
}

fn read(animator: &Animator, path: &Path) -> Result<Read, String> {
    let recorded = Recorded::read(path).map_err(|e| e.to_string())?;
    let model = animator.model();
    let own = |name: &str| model.sets.iter().find(|s| *s.name == *name).map(|s| u64::from(s.size));
    let cards = recorded.setup().into_iter().flat_map(|setup| &setup.cards);
    let other = cards.filter(|(name, size)| own(name) != Some(*size));
    let other: Vec<String> = other.map(|(name, size)| format!("{name} = {size}")).collect();
    let sizes = match other.is_empty() {
        true => None,
        false => Some(format!("    it was made with {}", other.join(", "))),
    };
    Ok(Read { steps: recorded.steps(model).map_err(|e| e.to_string())?, sizes })
}

/// How faithful a replay was, on one line.
fn said(told: &Faithful, all: usize) -> String {
    let Faithful { followed, differ, failed } = told;
    let fails = if *failed { ", the last of which fails here, too" } else { "" };
    match (*followed + usize::from(*failed) == all, differ.len()) {
        (true, 0) => {
            format!("runs to its end: {}{fails}, all with the same values", counted(all, "step"))
        }
        (true, n) => {
            format!("runs to its end: {}{fails}, {n} with other values", counted(all, "step"))
        }
        (false, 0) => {
            format!("runs for {followed} of {}, with the same values", counted(all, "step"))
        }
        (false, n) => {
            format!("runs for {followed} of {}, {n} with other values", counted(all, "step"))
        }
    }
}
