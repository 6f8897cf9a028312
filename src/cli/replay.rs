//! `burnside replay`: follow a trace file on the machine without reduction.

use super::output::{complain, print};
use super::signals::Interrupt;
use super::{EXIT_OK, EXIT_WRONG, Failure, load};
use crate::report::trace::{self, TraceFile};
use crate::report::{counted, step_label, text};
use crate::search::TraceStep;
use crate::session::{Animator, Good, Match, Origin, on_big_stack};
use std::fmt::Write;
use std::path::Path;

/// Replays and tells how far it went.
///
/// # Errors
/// The trace file or the machine is refused, or the trace is one of another machine.
pub fn run(origin: Origin, path: &Path, quiet: bool) -> Result<u8, Failure> {
    let _interrupt = Interrupt::at_once();
    let wrong = |what: String| Failure::Message(format!("{}: {what}", path.display()));
    let file = trace::read(path).map_err(|e| wrong(e.to_string()))?;
    let good = load(&origin, file.setup.clone(), false)?.good;
    let name = good.model.instance.machine.name.to_string();
    if name != file.model {
        let what = format!("this is a trace of {}, and the machine is {name}", file.model);
        return Err(wrong(what));
    }
    let TraceFile { trace, .. } = file;
    let steps = trace.steps;
    let result = on_big_stack(|| follow(good, &steps)).map_err(|m| Failure::internal(&m))?;
    match result {
        Ok(()) => {
            print(&format!("the trace runs to its end: {}\n", counted(steps.len(), "step")));
            if !quiet {
                print(&text::trace(&steps));
            }
            Ok(EXIT_OK)
        }
        Err((at, why)) => {
            let step = steps.get(at).map_or_else(String::new, step_label);
            print(&format!("the trace does not fit: step {}, {step}\n", at + 1));
            if !quiet {
                complain(&why);
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
    if wanted.failed {
        let _ = writeln!(out, "{} does not end in a state error here", step_label(wanted));
    } else if same.is_empty() {
        let _ = writeln!(out, "{} is not enabled here", wanted.operation);
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
