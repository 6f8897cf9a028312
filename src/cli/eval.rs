//! `burnside eval`: formulas in a state of the machine.

use super::arguments::{EvalOptions, Format};
use super::input::{self, Input, is_standard};
use super::output::print;
use super::signals::Interrupt;
use super::{EXIT_INCOMPLETE, EXIT_OK, EXIT_WRONG, Failure, Rejection, finished, load, replay};
use crate::report::answer::Reply;
use crate::report::recorded::Recorded;
use crate::report::steps::StepText;
use crate::report::trace::Unreadable;
use crate::report::{answer, bounds, counted};
use crate::session::animator::Position;
use crate::session::{Animator, Good, Match, Refused, reading};
use crate::setup::Bound;

/// Most solutions of one predicate.
const SOLUTIONS: usize = 1000;

/// Evaluates the formulas and tells the answers.
///
/// # Errors
/// The machine, the trace or a formula is refused; the state is not reached.
pub fn run(input: &Input, formulas: &[String], options: &EvalOptions) -> Result<u8, Failure> {
    let interrupt = Interrupt::install();
    let json = options.format == Format::Json;
    let file = match &options.trace {
        Some(path) if is_standard(path) => {
            let bytes = input::standard().map_err(Failure::Message)?;
            Some(("<stdin>".to_owned(), Recorded::decode(&bytes)))
        }
        Some(path) => Some((path.display().to_string(), Recorded::read(path))),
        None => None,
    };
    let wrong = |name: &str, e: Unreadable| Failure::Message(format!("{name}: {e}"));
    let file = file.map(|(name, read)| match read {
        Ok(file) => Ok((name, file)),
        Err(error) => Err(wrong(&name, error)),
    });
    let file = file.transpose()?;
    let setup = match &file {
        Some((_, file)) => replay::setup_of(file, &options.model)?,
        None => options.model.setup(),
    };
    let clock = options.limits.clock();
    let good = load(input, setup, json, &clock, &interrupt)?.good;
    let name = good.model.instance.machine.name.to_string();
    let steps = file.map(|(name, file)| file.steps(&good.model).map_err(|e| wrong(&name, e)));
    let wanted = steps.transpose()?.map(|steps| (options.at.unwrap_or(usize::MAX), steps));
    let mut answers: Vec<(String, Reply)> = Vec::new();
    let ask = |good: Good| -> Result<(), Wrong> {
        let Good { model, sources } = good;
        // Which of the set-ups is taken is known, but for a trace.
        let set_ups = match &wanted {
            Some(_) => usize::MAX,
            None => options.steps.first().copied().unwrap_or(1),
        };
        let mut animator = Animator::among(set_ups, model, sources, &clock);
        match wanted {
            Some((at, steps)) => follow(&mut animator, &steps, at)?,
            None => walk(&mut animator, &options.steps)?,
        }
        for formula in formulas {
            let reply = animator.ask(formula, SOLUTIONS).map_err(Wrong::Refused)?;
            answers.push((formula.clone(), reply));
        }
        Ok(())
    };
    let what = "the formulas were not all evaluated";
    match interrupt.ending(&clock, || finished(input, good, what, json, &clock, ask)) {
        Ok(Ok(())) => {}
        Ok(Err(Wrong::Message(message))) => return Err(Failure::Message(message)),
        Ok(Err(Wrong::Refused(refused))) => {
            let Refused { diagnostics, sources } = *refused;
            let rejection = Rejection { model: "formula".to_owned(), diagnostics, sources, json };
            return Err(Failure::Rejected(Box::new(rejection)));
        }
        // What is known by then is told.
        Err(Failure::Unfinished(ended)) if answers.iter().any(|(_, reply)| is_known(reply)) => {
            let why = bounds::text(&Bound::Halted(ended.halted), &ended.sources);
            let open = formulas.iter().skip(answers.len());
            let open: Vec<_> =
                open.map(|formula| (formula.clone(), Reply::Unknown(why.clone()))).collect();
            answers.extend(open);
        }
        Err(Failure::Unfinished(mut ended)) if interrupt.is_set() => {
            ended.status = interrupt.status();
            return Err(Failure::Unfinished(ended));
        }
        Err(failure) => return Err(failure),
    }
    print(if json { answer::json(&name, &answers) } else { answer::text(&answers) })?;
    Ok(if interrupt.is_set() { interrupt.status() } else { status(&answers) })
}

/// Whether something was found out.
fn is_known(reply: &Reply) -> bool {
    match reply {
        Reply::Unknown(_) => false,
        Reply::Solutions { rows, more, .. } => more.is_none() || !rows.is_empty(),
        _ => true,
    }
}

/// Why there are no answers.
enum Wrong {
    Message(String),
    Refused(Box<Refused>),
}

impl From<String> for Wrong {
    fn from(message: String) -> Wrong {
        Wrong::Message(message)
    }
}

/// 3 where some answer is not known, 2 where some formula is undefined.
fn status(answers: &[(String, Reply)]) -> u8 {
    let unknown = |reply: &Reply| match reply {
        Reply::Unknown(_) => true,
        Reply::Solutions { more, undecided, .. } => more.is_some() || undecided.is_some(),
        _ => false,
    };
    if answers.iter().any(|(_, reply)| matches!(reply, Reply::Undefined { .. })) {
        EXIT_WRONG
    } else if answers.iter().any(|(_, reply)| unknown(reply)) {
        EXIT_INCOMPLETE
    } else {
        EXIT_OK
    }
}

/// Takes these steps; without any, the first ones to an initial state.
fn walk(animator: &mut Animator, steps: &[usize]) -> Result<(), String> {
    for (n, step) in steps.iter().enumerate() {
        if !animator.step(step - 1) {
            return Err(super::canon::not_enabled(animator, n + 1, *step));
        }
    }
    while steps.is_empty() && !matches!(animator.position(), Position::State(_)) {
        if !animator.step(0) {
            return Err("the machine has no initial state".to_owned());
        }
    }
    Ok(())
}

/// Follows a trace for so many steps.
fn follow(animator: &mut Animator, steps: &[StepText], at: usize) -> Result<(), String> {
    if at != usize::MAX && at > steps.len() {
        return Err(format!("--at {at}: the trace has {}", counted(steps.len(), "step")));
    }
    let steps = &steps[..at.min(steps.len())];
    let (done, refused) = reading::follow(animator, steps, Match::Exact);
    match (done.complete, steps.get(done.steps)) {
        (true, _) | (false, None) => Ok(()),
        (false, Some(step)) => {
            let why = refused.map_or_else(String::new, |refused| format!(": {}", refused.line()));
            Err(replay::unfit(done.steps, step) + &why)
        }
    }
}
