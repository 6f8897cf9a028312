//! The list of what can be set from the keyboard, each with a line that says what it means. A change
//! starts the check again; the run stays as far as the machine still does it.

use super::app::App;
use super::engine::Command;
use super::update::{self, Effect};
use crate::search::{PorMethod, Strategy, SymmetryMode};
use crate::setup::SetupOptions;
use crate::state::WdGuards;

/// Something that can be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The size of a set.
    Size(String),
    MaxInt,
    MinInt,
    Symmetry,
    Strategy,
    Reduction,
    Deadlock,
    Invariant,
    KeepGoing,
    WdGuards,
    StaticSymmetry,
}

/// A line of the list.
pub struct Row {
    pub choice: Choice,
    pub name: String,
    pub value: String,
    pub meaning: String,
}

fn on(on: bool) -> String {
    if on { "on" } else { "off" }.to_owned()
}

/// What each symmetry mode is.
fn mode(mode: SymmetryMode) -> &'static str {
    match mode {
        SymmetryMode::Off => "every state by itself",
        SymmetryMode::Flood => "each new state with all its images",
        SymmetryMode::Canon => "one canonical state for each orbit",
        SymmetryMode::Marker => "markers of states; approximate: orbits can be merged",
        SymmetryMode::ApproxMarker => "markers over arrays; approximate: orbits can be merged",
        SymmetryMode::ExactMarker => "markers over arrays, with a real image",
        SymmetryMode::Sorted => "one permutation that sorts the main array",
        SymmetryMode::Segmented => "all permutations that sort the main array",
        SymmetryMode::Flattened => "elements left out; approximate: orbits can be merged",
        SymmetryMode::Iso => "a hash, then a search for an isomorphism",
    }
}

fn strategy(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::BreadthFirst => "breadth first: shortest counterexamples",
        Strategy::DepthFirst => "depth first",
        Strategy::Mixed => "a new state goes first or last by chance",
        Strategy::Random => "random walks, until a limit or a finding ends them",
    }
}

/// The list, as things are now.
pub fn rows(app: &App) -> Vec<Row> {
    let Some(machine) = &app.machine else { return Vec::new() };
    let (search, setup) = (&app.search, &machine.setup);
    let row = |choice, name: &str, value: String, meaning: &str| Row {
        choice,
        name: name.to_owned(),
        value,
        meaning: meaning.to_owned(),
    };
    let mut rows: Vec<Row> = Vec::new();
    for (name, size) in &machine.sets {
        let value = size_of(setup, name).unwrap_or(u64::from(*size)).to_string();
        rows.push(row(Choice::Size(name.clone()), name, value, "number of elements of this set"));
    }
    let (min, max) = limits(app);
    rows.push(row(Choice::MaxInt, "MAXINT", max.to_string(), "greatest integer of INT and NAT"));
    rows.push(row(Choice::MinInt, "MININT", min.to_string(), "least integer of INT"));
    let symmetry = app.symmetry();
    rows.push(row(Choice::Symmetry, "symmetry", symmetry.name().to_owned(), mode(symmetry)));
    let name = search.strategy.name().to_owned();
    rows.push(row(Choice::Strategy, "strategy", name, strategy(search.strategy)));
    let (por, meaning) = match search.por {
        None => ("off", "all transitions of a state are followed"),
        Some(method @ PorMethod::Ample) => {
            (method.name(), "ample sets: some orders of operations only")
        }
        Some(method @ PorMethod::Stubborn) => (method.name(), "stubborn sets: some orders only"),
    };
    rows.push(row(Choice::Reduction, "partial order", por.to_owned(), meaning));
    let meaning = "invariant and assertions are checked";
    rows.push(row(Choice::Invariant, "invariant", on(search.invariant), meaning));
    let meaning = "states without transitions are findings";
    rows.push(row(Choice::Deadlock, "deadlocks", on(search.deadlock), meaning));
    let meaning = "go past goals and deadlocks, and count them";
    rows.push(row(Choice::KeepGoing, "keep going", on(search.keep_going), meaning));
    let meaning = match setup.wd_guards {
        WdGuards::Error => "an undefined guard is an error of the operation",
        WdGuards::Warn => "an undefined guard counts as false, and is noted",
    };
    let name = setup.wd_guards.name().to_owned();
    rows.push(row(Choice::WdGuards, "undefined guards", name, meaning));
    let meaning = "set-ups that differ by names only are left out";
    rows.push(row(Choice::StaticSymmetry, "static symmetry", on(setup.static_symmetry), meaning));
    rows
}

fn size_of(setup: &SetupOptions, name: &str) -> Option<u64> {
    setup.cards.iter().rev().find(|(own, _)| own == name).map(|(_, size)| *size)
}

fn limits(app: &App) -> (i64, i64) {
    let Some(machine) = &app.machine else { return (0, 0) };
    let (min, max) = machine.limits;
    (machine.setup.min_int.unwrap_or(min), machine.setup.max_int.unwrap_or(max))
}

/// The next one of a list, or the one before.
fn turned<T: Copy + PartialEq>(all: &[T], now: T, forward: bool) -> T {
    let at = all.iter().position(|one| *one == now).unwrap_or(0);
    all[(at + if forward { 1 } else { all.len() - 1 }) % all.len()]
}

/// Changes what is selected: to the next value, or to the one before.
pub fn change(app: &mut App, forward: bool) -> Vec<Effect> {
    let Some(Row { choice, .. }) = rows(app).into_iter().nth(app.choice) else { return Vec::new() };
    let (min, max) = limits(app);
    let now = app.symmetry();
    let Some(machine) = &mut app.machine else { return Vec::new() };
    let (search, setup) = (&mut app.search, &mut machine.setup);
    let by = if forward { 1 } else { -1 };
    match choice {
        Choice::Symmetry => {
            search.symmetry = Some(turned(&SymmetryMode::ALL, now, forward));
        }
        Choice::Strategy => search.strategy = turned(&Strategy::ALL, search.strategy, forward),
        Choice::Reduction => {
            let all = [None, Some(PorMethod::Ample), Some(PorMethod::Stubborn)];
            search.por = turned(&all, search.por, forward);
            let reducing = app.reducing();
            let mut effects = app.engine(Command::Reduce(reducing));
            effects.extend(update::start_check(app));
            return effects;
        }
        Choice::Deadlock => search.deadlock = !search.deadlock,
        Choice::Invariant => search.invariant = !search.invariant,
        Choice::KeepGoing => search.keep_going = !search.keep_going,
        Choice::Size(name) => {
            let shown = machine.sets.iter().find(|(own, _)| *own == name).map(|(_, size)| *size);
            let size = size_of(setup, &name).unwrap_or(u64::from(shown.unwrap_or(1)));
            let next = size.saturating_add_signed(by).max(1);
            setup.cards.retain(|(own, _)| *own != name);
            setup.cards.push((name, next));
            return set_up(app);
        }
        Choice::MaxInt => {
            setup.max_int = Some(max.saturating_add(by).max(1));
            return set_up(app);
        }
        Choice::MinInt => {
            setup.min_int = Some(min.saturating_add(by).min(0));
            return set_up(app);
        }
        Choice::WdGuards => {
            setup.wd_guards = turned(&WdGuards::ALL, setup.wd_guards, forward);
            return set_up(app);
        }
        Choice::StaticSymmetry => {
            setup.static_symmetry = !setup.static_symmetry;
            return set_up(app);
        }
    }
    update::start_check(app)
}

/// Reads the machine with what is set now.
fn set_up(app: &mut App) -> Vec<Effect> {
    let setup = app.machine.as_ref().map(|machine| machine.setup.clone());
    setup.map(|setup| app.engine(Command::SetUp(Box::new(setup)))).unwrap_or_default()
}
