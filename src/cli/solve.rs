//! `burnside solve`: the values of constants, or of the free names of a predicate.

use super::arguments::{Format, SolveOptions};
use super::input::Input;
use super::output::print;
use super::signals::Interrupt;
use super::{
    EXIT_FOUND, EXIT_INCOMPLETE, EXIT_OK, EXIT_WRONG, Failure, Rejection, Unfinished, load,
};
use crate::clock::{Phase, enter};
use crate::report::answer::{self, Reply, Solved};
use crate::session::{Refused, on_big_stack, solving};
use crate::setup::SetupOptions;

/// Solves, and tells what was found; of a machine, or of a predicate alone.
///
/// # Errors
/// The machine or the predicate is refused; a limit was reached before there was an answer.
pub fn run(input: &Input, of_machine: bool, options: &SolveOptions) -> Result<u8, Failure> {
    let both = of_machine && options.predicate.is_some();
    if both && (options.minimise.is_some() || options.maximise.is_some()) {
        let message = "--minimise and --maximise ask of a machine or of a predicate, not of both";
        return Err(Failure::Message(message.to_owned()));
    }
    let mut setup = SetupOptions { questions_only: true, ..options.model.setup() };
    // The predicate may tell the elements apart.
    setup.static_symmetry &= !both;
    let _interrupt = Interrupt::at_once();
    let json = options.format == Format::Json;
    let clock = options.limits.clock();
    let good = load(input, setup, json, &clock, &Interrupt::default())?.good;
    let name = good.model.instance.machine.name.to_string();
    let sources = good.sources.clone();
    let most = if options.all { usize::MAX } else { options.first };
    let work = || {
        enter(Phase::SetUp);
        let predicate = options.predicate.as_deref();
        let wanted = options.minimise.as_deref().map(|e| (e, false));
        match wanted.or(options.maximise.as_deref().map(|e| (e, true))) {
            Some(wanted) => solving::best(good, predicate, wanted, &clock),
            None => solving::solve(good, predicate, (most, options.constraints), &clock),
        }
    };
    let solved = match on_big_stack(|| clock.guard(work)).map_err(|m| Failure::internal(&m))? {
        Ok(Ok(solved)) => solved,
        Ok(Err(refused)) => {
            let Refused { diagnostics, sources } = *refused;
            let model = match of_machine && options.predicate.is_none() {
                true => input.stem(),
                false => "predicate".to_owned(),
            };
            let rejection = Rejection { model, diagnostics, sources, json };
            return Err(Failure::Rejected(Box::new(rejection)));
        }
        Err(halted) => {
            let (model, seconds) = (input.stem(), clock.elapsed().as_secs_f64());
            let (what, status) = ("it was not solved", EXIT_INCOMPLETE);
            let unfinished = Unfinished { what, model, halted, sources, seconds, status, json };
            return Err(Failure::Unfinished(Box::new(unfinished)));
        }
    };
    print(if json { answer::solved_json(&name, &solved) } else { answer::solved(&solved) })?;
    Ok(status(&solved, most))
}

/// 0 where the solutions that were asked for were found, 1 where there is certainly none, 2 where
/// something is undefined, 3 where that is not known, or undefined for some candidates beside solutions.
fn status(solved: &Solved, most: usize) -> u8 {
    match &solved.reply {
        Reply::Solutions { rows, more, undecided, .. } => {
            let open = more.is_some() || undecided.is_some();
            match (rows.is_empty(), open) {
                (true, false) => EXIT_FOUND,
                (true, true) => EXIT_INCOMPLETE,
                (false, true) if rows.len() < most => EXIT_INCOMPLETE,
                (false, _) => EXIT_OK,
            }
        }
        Reply::Truth { truth, .. } => {
            if *truth {
                EXIT_OK
            } else {
                EXIT_FOUND
            }
        }
        Reply::Undefined { .. } => EXIT_WRONG,
        Reply::Value { .. } | Reply::Unknown(_) => EXIT_INCOMPLETE,
    }
}
