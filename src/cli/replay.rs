//! `burnside replay`: follow a trace file on the machine without reduction.

use super::input::{self, Input, is_standard};
use super::output::{complain, print};
use super::signals::Interrupt;
use super::{EXIT_OK, EXIT_WRONG, Failure, load};
use crate::clock::Clock;
use crate::printable;
use crate::report::trace::{self, TraceFile};
use crate::report::{counted, step_label, text};
use crate::search::TraceStep;
use crate::session::{Animator, Good, Match, on_big_stack};
use std::fmt::Write;
use std::path::Path;

/// Replays and tells how far it went.
///
/// # Errors
/// The trace file or the machine is refused, or the trace is one of another machine.
pub fn run(input: &Input, path: &Path, quiet: bool) -> Result<u8, Failure> {
    let _interrupt = Interrupt::at_once();
    let (name, file) = if is_standard(path) {
        let bytes = input::standard().map_err(trace::Unreadable::File);
        ("<stdin>".to_owned(), bytes.and_then(|bytes| trace::decode(&bytes)))
    } else {
        (path.display().to_string(), trace::read(path))
    };
    let wrong = |what: String| Failure::Message(format!("{name}: {what}"));
    let file = file.map_err(|e| wrong(e.to_string()))?;
    let clock = Clock::limited(None, None);
    let good = load(input, file.setup.clone(), false, &clock, &Interrupt::default())?.good;
    let machine = good.model.instance.machine.name.to_string();
    if machine != file.model {
        let what = format!("this is a trace of {}, and the machine is {machine}", file.model);
        return Err(wrong(what));
    }
    let TraceFile { trace, .. } = file;
    let steps = trace.steps;
    let result = on_big_stack(|| follow(good, &steps)).map_err(|m| Failure::internal(&m))?;
    match result {
        Ok(()) => {
            let mut text = format!("the trace runs to its end: {}\n", counted(steps.len(), "step"));
            if !quiet {
                text.push_str(&text::trace(&steps));
            }
            print(text)?;
            Ok(EXIT_OK)
        }
        Err((at, why)) => {
            let step = steps.get(at).map_or_else(String::new, step_label);
            let step = printable::line(&step);
            print(format!("the trace does not fit: step {}, {step}\n", at + 1))?;
            if !quiet {
                complain(why);
            }
            Ok(EXIT_WRONG)
        }
    }
}

/// Follows the steps; where they do not fit, the number of the step (from 0) and why.
fn follow(good: Good, steps: &[TraceStep]) -> Result<(), (usize, String)> {
    let Good { model, sources } = good;
    let mut animator = Animator::new(model, sources);
    let replayed = animator.replay(steps, Match::Exact);
    if replayed.complete {
        return Ok(());
    }
    let why = steps.get(replayed.steps).map_or_else(String::new, |s| misfit(&mut animator, s));
    Err((replayed.steps, why))
}

/// Most transitions that are listed as alternatives.
const MOST_LISTED: usize = 10;

/// What the machine can do instead of a step.
fn misfit(animator: &mut Animator, wanted: &TraceStep) -> String {
    let mut out = format!("wanted:\n{}", text::trace(std::slice::from_ref(wanted)));
    let mut same = Vec::new();
    for i in 0..animator.enabled().len() {
        let operation = animator.short_label(i).map(|s| s.operation);
        if operation.as_deref() == Some(&wanted.operation) {
            same.extend(animator.label(i));
        }
        if same.len() > MOST_LISTED {
            break;
        }
    }
    let label = step_label(wanted);
    let label = printable::line(&label);
    if wanted.failed {
        let _ = writeln!(out, "{} does not end in a state error here", label);
    } else if same.is_empty() {
        let _ = writeln!(out, "{} is not enabled here", printable::line(&wanted.operation));
    } else {
        let more = same.len() > MOST_LISTED;
        same.truncate(MOST_LISTED);
        let _ = write!(out, "enabled here:\n{}", text::trace(&same));
        if more {
            out.push_str("     and more\n");
        }
    }
    out
}
