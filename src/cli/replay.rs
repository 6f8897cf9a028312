//! `burnside replay`: follow a trace file on the machine without reduction.

use super::arguments::{ModelOptions, ReplayOptions};
use super::input::{self, Input, is_standard};
use super::output::{self, complain, print};
use super::signals::Interrupt;
use super::{EXIT_INCOMPLETE, EXIT_OK, EXIT_WRONG, Failure, finished, load};
use crate::clock::Clock;
use crate::eval::Stop;
use crate::printable::{self, Painted};
use crate::report::recorded::Recorded;
use crate::report::steps::StepText;
use crate::report::trace::Unreadable;
use crate::report::{counted, text};
use crate::session::{Animator, Good, Match, Refused, reading};
use crate::setup::SetupOptions;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// Replays and tells how far it went.
///
/// # Errors
/// The trace file or the machine is refused, or the trace is one of another machine.
pub fn run(input: &Input, path: &Path, options: &ReplayOptions) -> Result<u8, Failure> {
    let _interrupt = Interrupt::at_once();
    let (name, file) = if is_standard(path) {
        let bytes = input::standard().map_err(Unreadable::File);
        ("<stdin>".to_owned(), bytes.and_then(|bytes| Recorded::decode(&bytes)))
    } else {
        (path.display().to_string(), Recorded::read(path))
    };
    let wrong = |what: String| Failure::Message(format!("{name}: {what}"));
    let file = file.map_err(|e| wrong(e.to_string()))?;
    let clock = options.limits.clock();
    let setup = setup_of(&file, &options.model)?;
    let good = load(input, setup, false, &clock, &Interrupt::default())?.good;
    let machine = good.model.instance.machine.name.to_string();
    if let Some(other) = file.model().filter(|model| *model != machine) {
        let what = format!("this is a trace of {other}, and the machine is {machine}");
        return Err(wrong(what));
    }
    let steps = file.steps(&good.model).map_err(|e| wrong(e.to_string()))?;
    let what = "the trace was not followed to its end";
    let result = finished(input, good, what, false, &clock, |good| follow(good, &steps, &clock))?;
    match result {
        Ok(()) => {
            let mut text = format!("the trace runs to its end: {}\n", counted(steps.len(), "step"));
            if !options.quiet {
                text.push_str(&text::trace(&steps));
            }
            print(text)?;
            Ok(EXIT_OK)
        }
        Err(Ended { at, why, known }) => {
            let (text, status) = match known {
                true => (steps.get(at).map_or_else(String::new, |s| unfit(at, s)), EXIT_WRONG),
                false => {
                    let step = steps.get(at).map_or_else(String::new, StepText::label);
                    let how = "the trace was not followed to its end (incomplete)";
                    let step = printable::line(&step);
                    (format!("{how}: step {}, {step}", at + 1), EXIT_INCOMPLETE)
                }
            };
            print(format!("{text}\n"))?;
            if !options.quiet {
                complain(why);
            }
            Ok(status)
        }
    }
}

/// What the machine of a trace is set up with: what the trace says, or, where it is one of ProB 2 and does
/// not say, the options.
///
/// # Errors
/// There are options, and the trace says it.
pub fn setup_of(file: &Recorded, options: &ModelOptions) -> Result<SetupOptions, Failure> {
    let given = options.setup();
    match file.setup() {
        None => Ok(given),
        Some(own) if given == SetupOptions::default() => Ok(own.clone()),
        Some(_) => {
            let message = "the trace says with which sizes and preferences it was made: --card and the like \
                           are for traces of ProB 2, which do not";
            Err(Failure::Message(message.to_owned()))
        }
    }
}

/// That a step, counted from 0, is none of the machine.
pub fn unfit(at: usize, step: &StepText) -> String {
    let step = step.label();
    format!("the trace does not fit: step {}, {}", at + 1, printable::line(&step))
}

/// Where a trace was left.
struct Ended {
    /// The number of the step, from 0.
    at: usize,
    why: Painted,
    /// Whether the machine has no such step, for certain.
    known: bool,
}

/// Follows the steps, and says where they do not fit.
fn follow(good: Good, steps: &[StepText], clock: &Arc<Clock>) -> Result<(), Ended> {
    let Good { model, sources } = good;
    let mut animator = Animator::under(model, sources, clock);
    let (replayed, refused) = reading::follow(&mut animator, steps, Match::Exact);
    if replayed.complete {
        return Ok(());
    }
    let at = replayed.steps;
    if let Some(refused) = refused {
        return Err(Ended { at, why: unread(&refused), known: true });
    }
    if matches!(animator.enabled().stopped, Some(Stop::Halted | Stop::Cut(_))) {
        let why = format!("{}\n", animator.view().stopped.unwrap_or_default());
        return Err(Ended { at, why: why.into(), known: false });
    }
    let why = steps.get(at).map_or_else(String::new, |s| misfit(&mut animator, s));
    Err(Ended { at, why: why.into(), known: true })
}

/// Why a step cannot be read.
fn unread(refused: &Refused) -> Painted {
    let width = output::width(&std::io::stderr());
    let mut text = Painted::new();
    refused.diagnostics.iter().for_each(|d| text.extend(d.paint(&refused.sources, width)));
    text
}

/// Most transitions that are listed as alternatives.
const MOST_LISTED: usize = 10;

/// What the machine can do instead of a step.
fn misfit(animator: &mut Animator, wanted: &StepText) -> String {
    let mut out = format!("wanted:\n{}", text::trace(std::slice::from_ref(wanted)));
    let instance = animator.model().instance.clone();
    let mut same = Vec::new();
    for i in 0..animator.enabled().len() {
        let Some(step) = animator.short_label(i) else { continue };
        if *step.label.event.name(&instance.machine) == *wanted.operation {
            same.extend(animator.label(i).map(|step| StepText::of(&instance, &step)));
        }
        if same.len() > MOST_LISTED {
            break;
        }
    }
    let label = wanted.label();
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
