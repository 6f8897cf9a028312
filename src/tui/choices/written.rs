//! Values that are typed.

use super::{Choice, Row, SIZES, Then, done, limits, prefer, resize, rows};
use crate::search::SearchOptions;
use crate::search::options::{FLOOD_LIMIT, memory_size, seconds, threads};
use crate::tui::app::App;
use crate::tui::engine::MachineView;
use crate::tui::update::Effect;
use crate::typing::wrong_form;

/// Gives what is selected this value; an empty text takes back what was set.
pub fn set(app: &mut App, text: &str) -> Vec<Effect> {
    let Some(Row { choice, name, .. }) = rows(app).into_iter().nth(app.choice) else {
        return Vec::new();
    };
    let Some(machine) = &mut app.machine else { return Vec::new() };
    let given = Some(text.trim()).filter(|text| !text.is_empty());
    match take(machine, &mut app.search, &choice, given) {
        Ok(then) => done(app, then),
        Err(why) => {
            app.complain(format!("{name}: {why}"));
            Vec::new()
        }
    }
}

/// A number within bounds.
fn number<T>(text: &str, least: T, most: T) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let wrong = || format!("expected a number from {least} to {most}, found `{text}`");
    match text.parse() {
        Ok(n) if n >= least && n <= most => Ok(n),
        _ => Err(wrong()),
    }
}

/// Sets it, or says what was expected; then nothing has changed.
fn take(
    machine: &mut MachineView,
    search: &mut SearchOptions,
    choice: &Choice,
    given: Option<&str>,
) -> Result<Then, String> {
    let (min, max) = limits(machine);
    let setup = &mut machine.setup;
    let text = || given.map(str::to_owned);
    match choice {
        Choice::Size(name) => {
            let size = given.map(|text| number(text, 1, crate::setup::sizes::LARGEST_SET));
            resize(setup, name, size.transpose()?);
        }
        Choice::MaxInt => setup.max_int = given.map(|t| number(t, min, i64::MAX)).transpose()?,
        Choice::MinInt => setup.min_int = given.map(|t| number(t, i64::MIN, max)).transpose()?,
        Choice::DefaultSize => {
            let size = given.map(|text| number(text, 1, crate::setup::sizes::LARGEST_SET));
            prefer(setup, SIZES, size.transpose()?.map(|size| size.to_string()));
        }
        Choice::Goal => {
            if let Some(wrong) = given.and_then(|text| wrong_form(machine.dialect, text)) {
                return Err(wrong);
            }
            setup.goal = text();
        }
        Choice::Constant(name) => {
            setup.constants.retain(|(own, _)| own != name);
            setup.constants.extend(text().map(|text| (name.clone(), text)));
        }
        Choice::FloodLimit => {
            let limit = given.map(|text| number(text, 1, u64::MAX)).transpose()?;
            search.flood_limit = limit.unwrap_or(FLOOD_LIMIT);
            return Ok(Then::Check);
        }
        Choice::Alpha => {
            let chance = given.map(|text| number(text, 0.0, 1.0)).transpose()?;
            search.alpha = chance.unwrap_or(SearchOptions::default().alpha);
            return Ok(Then::Check);
        }
        Choice::Seed => {
            let seed = given.map(|text| number(text, 0, u64::MAX)).transpose()?;
            search.seed = seed.unwrap_or(SearchOptions::default().seed);
            return Ok(Then::Check);
        }
        Choice::Threads => {
            search.threads = given.map(threads).transpose()?;
            return Ok(Then::Check);
        }
        Choice::Memory => {
            search.memory = given.map(memory_size).transpose()?;
            return Ok(Then::Check);
        }
        Choice::Timeout => {
            search.timeout = given.map(seconds).transpose()?;
            return Ok(Then::Check);
        }
        Choice::MaxStates => {
            search.max_states = given.map(|text| number(text, 1, u64::MAX)).transpose()?;
            return Ok(Then::Check);
        }
        // These are gone through, and not typed.
        Choice::Symmetry
        | Choice::MainArray
        | Choice::IsoColouring
        | Choice::SymmetryBreaking
        | Choice::Precision
        | Choice::Strategy
        | Choice::Reduction
        | Choice::ReducedBy
        | Choice::Invariant
        | Choice::Assertions
        | Choice::OnViolation
        | Choice::Deadlock
        | Choice::KeepGoing
        | Choice::WdGuards
        | Choice::Preference(_)
        | Choice::StaticSymmetry => return Ok(Then::Check),
    }
    Ok(Then::SetUp)
}
