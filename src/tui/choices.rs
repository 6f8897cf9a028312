//! The list of what can be set from the keyboard, each with a line that says what it means. A change
//! starts the check again; the run stays as far as the machine still does it.

mod list;
mod written;

pub use self::list::{Row, rows};
pub use self::written::set;

use super::action::Action;
use super::app::App;
use super::engine::{Command, MachineView};
use super::update::{self, Effect};
use crate::machine::preferences;
use crate::search::{
    Asserted, OnViolation, PorChoice, PorMethod, Refinement, SearchOptions, Strategy, SymmetryMode,
};
use crate::setup::SetupOptions;
use crate::state::WdGuards;
use std::time::Duration;

/// Something that can be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The size of a set.
    Size(String),
    MaxInt,
    MinInt,
    /// The size of sets of which nothing says how large they are.
    DefaultSize,
    /// One that is on or off.
    Preference(&'static str),
    Symmetry,
    MainArray,
    FloodLimit,
    IsoColouring,
    SymmetryBreaking,
    Precision,
    Strategy,
    Alpha,
    Seed,
    Reduction,
    ReducedBy,
    Threads,
    Memory,
    Timeout,
    MaxStates,
    Invariant,
    Assertions,
    OnViolation,
    Deadlock,
    KeepGoing,
    Goal,
    WdGuards,
    StaticSymmetry,
    /// The value of a constant, or of a parameter of the machine.
    Constant(String),
}

/// What has to be done when something was set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Then {
    /// The check starts again.
    Check,
    /// What reduction does is told anew, too.
    Reduce,
    /// The machine is set up again.
    SetUp,
}

/// The preference that is the size of sets of which nothing says how large they are.
const SIZES: &str = "DEFAULT_SETSIZE";

impl Choice {
    /// Whether a value is typed for it; the others have a few that are gone through.
    pub fn is_typed(&self) -> bool {
        use Choice::*;
        let number = matches!(self, Size(_) | MaxInt | MinInt | DefaultSize | FloodLimit | Alpha);
        let limit = matches!(self, Seed | Threads | Memory | Timeout | MaxStates);
        number || limit || matches!(self, Goal | Constant(_))
    }
}

/// The size that is asked for, or else that which the set has.
fn size_of(machine: &MachineView, name: &str) -> u64 {
    let asked = machine.setup.cards.iter().rev().find(|(own, _)| own == name);
    let own = machine.sets.iter().find(|(own, _)| own == name);
    asked.map(|(_, size)| *size).or(own.map(|(_, size)| u64::from(*size))).unwrap_or(1)
}

/// MININT and MAXINT, as they were asked for or else as they are.
fn limits(machine: &MachineView) -> (i64, i64) {
    let (min, max) = machine.limits;
    (machine.setup.min_int.unwrap_or(min), machine.setup.max_int.unwrap_or(max))
}

fn default_size(machine: &MachineView) -> u64 {
    let asked = machine.setup.preferences.iter().rev().find(|(name, _)| name == SIZES);
    asked.and_then(|(_, value)| value.trim().parse().ok()).unwrap_or(machine.default_size)
}

/// Whether a switch is on: as it is asked for, or else as the machine has it.
fn preferred(machine: &MachineView, name: &str) -> bool {
    let set = machine.preferences.iter().chain(&machine.setup.preferences);
    let set = set.map(|(name, value)| (&**name, &**value));
    preferences::switched(set, name).unwrap_or(false)
}

/// Sets a preference, or leaves it to the machine again.
fn prefer(setup: &mut SetupOptions, name: &str, value: Option<String>) {
    setup.preferences.retain(|(own, _)| own != name);
    setup.preferences.extend(value.map(|value| (name.to_owned(), value)));
}

fn resize(setup: &mut SetupOptions, name: &str, size: Option<u64>) {
    setup.cards.retain(|(own, _)| own != name);
    setup.cards.extend(size.map(|size| (name.to_owned(), size)));
}

/// The next one of a list, or the one before.
fn turned<T: Clone + PartialEq>(all: &[T], now: &T, forward: bool) -> T {
    let at = all.iter().position(|one| one == now).unwrap_or(0);
    all[(at + if forward { 1 } else { all.len() - 1 }) % all.len()].clone()
}

/// One more or one less, down to this.
fn stepped(now: u64, forward: bool, least: u64) -> u64 {
    if forward { now.saturating_add(1) } else { now.saturating_sub(1).max(least) }
}

/// So many times as much, or that part of it; where there was no limit, the first one.
fn scaled(now: Option<u64>, forward: bool, by: u64, first: u64) -> Option<u64> {
    match now {
        None => forward.then_some(first),
        Some(now) if forward => Some(now.saturating_mul(by)),
        Some(now) => (now > first).then(|| (now / by).max(first)),
    }
}

/// Whether a value is typed for what is selected.
pub fn is_typed(app: &App) -> bool {
    rows(app).get(app.choice).is_some_and(|row| row.choice.is_typed())
}

/// Changes what is selected: to the next value, or to the one before.
pub fn change(app: &mut App, forward: bool) -> Vec<Effect> {
    let Some(Row { choice, .. }) = rows(app).into_iter().nth(app.choice) else { return Vec::new() };
    let symmetry = app.symmetry();
    let Some(machine) = &mut app.machine else { return Vec::new() };
    match turn(machine, &mut app.search, symmetry, &choice, forward) {
        Some(then) => done(app, then),
        None => {
            let key = app.keymap.keys(Action::Take).join(" ");
            app.say(format!("{key} lets you type a value for it"));
            Vec::new()
        }
    }
}

/// `None`: there is no next value, it has to be typed.
fn turn(
    machine: &mut MachineView,
    search: &mut SearchOptions,
    symmetry: SymmetryMode,
    choice: &Choice,
    forward: bool,
) -> Option<Then> {
    let by = if forward { 1 } else { -1 };
    let (min, max) = limits(machine);
    match choice {
        Choice::Symmetry => search.symmetry = Some(turned(&SymmetryMode::ALL, &symmetry, forward)),
        Choice::MainArray => {
            let names = machine.main_arrays.iter().cloned().map(Some);
            let all: Vec<_> = std::iter::once(None).chain(names).collect();
            search.main_array = turned(&all, &search.main_array, forward);
        }
        Choice::FloodLimit => {
            let next = scaled(Some(search.flood_limit), forward, 10, 1);
            search.flood_limit = next.unwrap_or(1);
        }
        Choice::IsoColouring => {
            search.iso.refinement = turned(&Refinement::ALL, &search.iso.refinement, forward);
        }
        Choice::SymmetryBreaking => search.iso.symmetry_breaking ^= true,
        Choice::Precision => search.measure_precision ^= true,
        Choice::Strategy => search.strategy = turned(&Strategy::ALL, &search.strategy, forward),
        Choice::Alpha => {
            let tenths = (search.alpha * 10.0).round() + f64::from(by);
            search.alpha = (tenths / 10.0).clamp(0.0, 1.0);
        }
        Choice::Seed => search.seed = stepped(search.seed, forward, 0),
        Choice::Reduction => {
            let all = [None, Some(PorMethod::Ample), Some(PorMethod::Stubborn)];
            search.por = turned(&all, &search.por, forward);
            return Some(Then::Reduce);
        }
        Choice::ReducedBy => {
            search.por_choice = turned(&PorChoice::ALL, &search.por_choice, forward);
            return Some(Then::Reduce);
        }
        Choice::Threads => {
            let now = search.threads.unwrap_or(0) as u64;
            let next = usize::try_from(stepped(now, forward, 0)).unwrap_or(usize::MAX);
            let most = crate::search::options::MOST_THREADS;
            search.threads = Some(next.min(most)).filter(|n| *n > 0);
        }
        Choice::Memory => search.memory = scaled(search.memory, forward, 2, 1 << 30),
        Choice::Timeout => {
            let now = search.timeout.map(|time| time.as_secs());
            search.timeout = scaled(now, forward, 2, 10).map(Duration::from_secs);
        }
        Choice::MaxStates => search.max_states = scaled(search.max_states, forward, 10, 1000),
        Choice::Invariant => {
            search.invariant ^= true;
            return Some(Then::Reduce);
        }
        Choice::Assertions => {
            search.assertions = turned(&Asserted::ALL, &search.assertions, forward);
        }
        Choice::OnViolation => {
            search.on_violation = turned(&OnViolation::ALL, &search.on_violation, forward);
        }
        Choice::Deadlock => search.deadlock ^= true,
        Choice::KeepGoing => search.keep_going ^= true,
        Choice::Size(name) => {
            let next = stepped(size_of(machine, name), forward, 1);
            resize(&mut machine.setup, name, Some(next));
            return Some(Then::SetUp);
        }
        Choice::MaxInt => {
            machine.setup.max_int = Some(max.saturating_add(by.into()).max(min));
            return Some(Then::SetUp);
        }
        Choice::MinInt => {
            machine.setup.min_int = Some(min.saturating_add(by.into()).min(max));
            return Some(Then::SetUp);
        }
        Choice::DefaultSize => {
            let next = stepped(default_size(machine), forward, 1);
            prefer(&mut machine.setup, SIZES, Some(next.to_string()));
            return Some(Then::SetUp);
        }
        Choice::Preference(name) => {
            let value = if preferred(machine, name) { "FALSE" } else { "TRUE" };
            prefer(&mut machine.setup, name, Some(value.to_owned()));
            return Some(Then::SetUp);
        }
        Choice::WdGuards => {
            let guards = &mut machine.setup.wd_guards;
            *guards = turned(&WdGuards::ALL, guards, forward);
            return Some(Then::SetUp);
        }
        Choice::StaticSymmetry => {
            machine.setup.static_symmetry ^= true;
            return Some(Then::SetUp);
        }
        Choice::Goal | Choice::Constant(_) => return None,
    }
    Some(Then::Check)
}

/// Does what a change asks for.
fn done(app: &mut App, then: Then) -> Vec<Effect> {
    match then {
        Then::Check => update::start_check(app),
        Then::Reduce => {
            let reducing = app.reducing();
            let mut effects = app.engine(Command::Reduce(reducing));
            effects.extend(update::start_check(app));
            effects
        }
        // The machine is read with what is set now.
        Then::SetUp => {
            let setup = app.machine.as_ref().map(|machine| machine.setup.clone());
            setup.map(|setup| app.engine(Command::SetUp(Box::new(setup)))).unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_grow_shrink_and_go() {
        assert_eq!(scaled(None, true, 10, 1000), Some(1000));
        assert_eq!(scaled(Some(1000), true, 10, 1000), Some(10_000));
        assert_eq!(scaled(Some(1500), false, 10, 1000), Some(1000));
        assert_eq!(scaled(Some(1000), false, 10, 1000), None);
        assert_eq!(scaled(None, false, 10, 1000), None);
        assert_eq!(scaled(Some(u64::MAX), true, 2, 1), Some(u64::MAX));
        assert_eq!((stepped(0, false, 0), stepped(1, false, 1), stepped(1, true, 1)), (0, 1, 2));
    }

    #[test]
    fn values_go_round() {
        assert_eq!(turned(&[1, 2, 3], &3, true), 1);
        assert_eq!(turned(&[1, 2, 3], &1, false), 3);
        assert_eq!(turned(&[1, 2, 3], &7, true), 2, "what is not among them counts as the first");
    }
}
