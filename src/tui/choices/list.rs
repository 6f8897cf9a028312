//! The lines of the list, as things are now.

use super::{Choice, default_size, limits, preferred, size_of};
use crate::machine::preferences::SWITCHES;
use crate::search::{
    Asserted, OnViolation, PorChoice, PorMethod, Refinement, SearchOptions, Strategy, SymmetryMode,
};
use crate::state::WdGuards;
use crate::tui::app::App;
use crate::tui::engine::MachineView;

/// A line of the list.
pub struct Row {
    pub choice: Choice,
    pub name: String,
    pub value: String,
    /// What it is, or what this value does.
    pub meaning: String,
}

fn row(choice: Choice, name: &str, value: impl Into<String>, meaning: &str) -> Row {
    Row { choice, name: name.to_owned(), value: value.into(), meaning: meaning.to_owned() }
}

fn on(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

/// What each symmetry mode is.
fn mode(mode: SymmetryMode) -> &'static str {
    match mode {
        SymmetryMode::Off => "every state by itself",
        SymmetryMode::Flood => "each new state with all its images",
        SymmetryMode::Canon => "one canonical state for each orbit",
        SymmetryMode::Marker => "approximate: markers of states",
        SymmetryMode::ApproxMarker => "approximate: markers over arrays",
        SymmetryMode::ExactMarker => "markers over arrays, with a real image",
        SymmetryMode::Sorted => "one permutation that sorts the main array",
        SymmetryMode::Segmented => "all permutations that sort the main array",
        SymmetryMode::Flattened => "approximate: elements are left out",
        SymmetryMode::Iso => "a hash, then a search for an isomorphism",
    }
}

fn strategy(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::BreadthFirst => "breadth first: shortest counterexamples",
        Strategy::DepthFirst => "depth first",
        Strategy::Mixed => "a new state goes first or last by chance",
        Strategy::Random => "random walks until a limit or a finding",
    }
}

fn reduction(method: Option<PorMethod>) -> (&'static str, &'static str) {
    match method {
        None => ("off", "all transitions of a state are followed"),
        Some(method @ PorMethod::Ample) => {
            (method.name(), "ample sets: some orders of operations only")
        }
        Some(method @ PorMethod::Stubborn) => (method.name(), "stubborn sets: some orders only"),
    }
}

fn chosen(choice: PorChoice) -> &'static str {
    match choice {
        PorChoice::Smallest => "of the sets of a state, a smallest one",
        PorChoice::First => "of the sets of a state, the first",
        PorChoice::Random => "of the sets of a state, one by chance",
    }
}

fn violation(what: OnViolation) -> &'static str {
    match what {
        OnViolation::Stop => "a violating state ends the search",
        OnViolation::Prune => "a violating state is counted, and not left",
        OnViolation::Expand => "a violating state is counted and gone past",
    }
}

fn asserted(when: Asserted) -> &'static str {
    match when {
        Asserted::Auto => "asked of each state; last, if they take long",
        Asserted::Now => "asked of each state, however long that takes",
        Asserted::Last => "asked when all states were found",
        Asserted::Off => "not asked",
    }
}

/// All lines.
pub fn rows(app: &App) -> Vec<Row> {
    let Some(machine) = &app.machine else { return Vec::new() };
    let mut rows = sizes(machine);
    rows.extend(methods(app, machine));
    rows.extend(bounds(&app.search));
    rows.extend(checks(&app.search, machine));
    rows.extend(SWITCHES.iter().map(|(name, short, meaning)| {
        row(Choice::Preference(name), short, on(preferred(machine, name)), meaning)
    }));
    let given = |name: &String| machine.setup.constants.iter().rev().find(|(own, _)| own == name);
    rows.extend(machine.constants.iter().map(|name| {
        let value = given(name).map_or("not given", |(_, value)| value);
        let meaning = "this constant; the PROPERTIES must allow it";
        row(Choice::Constant(name.clone()), name, value, meaning)
    }));
    rows
}

fn sizes(machine: &MachineView) -> Vec<Row> {
    let sets = machine.sets.iter().map(|(name, _)| {
        let size = size_of(machine, name).to_string();
        row(Choice::Size(name.clone()), name, size, "number of elements of this set")
    });
    let (min, max) = limits(machine);
    let integers = [
        row(Choice::MaxInt, "MAXINT", max.to_string(), "greatest integer of INT and NAT"),
        row(Choice::MinInt, "MININT", min.to_string(), "least integer of INT"),
        row(
            Choice::DefaultSize,
            "DEFAULT_SETSIZE",
            default_size(machine).to_string(),
            "size of sets where nothing else says it",
        ),
    ];
    sets.chain(integers).collect()
}

fn methods(app: &App, machine: &MachineView) -> Vec<Row> {
    let search = &app.search;
    let symmetry = app.symmetry();
    let (por, reduces) = reduction(search.por);
    let array = search.main_array.as_deref().unwrap_or("first");
    let arrays = match machine.main_arrays.is_empty() {
        true => "sorted, segmented: nothing fits",
        false => "sorted, segmented: what they sort by",
    };
    let colours = match search.iso.refinement {
        Refinement::Naive => "iso: how colours are refined, round by round",
        Refinement::PaigeTarjan => "iso: how colours are refined, by splitters",
    };
    vec![
        row(Choice::Symmetry, "symmetry", symmetry.name(), mode(symmetry)),
        row(Choice::MainArray, "main array", array, arrays),
        row(
            Choice::FloodLimit,
            "flood limit",
            search.flood_limit.to_string(),
            "flood: most images of one state",
        ),
        row(Choice::IsoColouring, "iso colouring", search.iso.refinement.name(), colours),
        row(
            Choice::SymmetryBreaking,
            "symmetry breaking",
            on(search.iso.symmetry_breaking),
            "iso: elements of one colour are told apart",
        ),
        row(
            Choice::Precision,
            "measure precision",
            on(search.measure_precision),
            "approximate modes: count what they miss",
        ),
        row(Choice::Strategy, "strategy", search.strategy.name(), strategy(search.strategy)),
        row(
            Choice::Alpha,
            "alpha",
            search.alpha.to_string(),
            "mixed: chance that a new state goes first",
        ),
        row(Choice::Seed, "seed", search.seed.to_string(), "mixed, random: where chance begins"),
        row(Choice::Reduction, "partial order", por, reduces),
        row(
            Choice::ReducedBy,
            "partial order set",
            search.por_choice.name(),
            chosen(search.por_choice),
        ),
    ]
}

fn bounds(search: &SearchOptions) -> Vec<Row> {
    let or = |value: Option<String>, otherwise: &str| value.unwrap_or(otherwise.to_owned());
    vec![
        row(
            Choice::Threads,
            "threads",
            or(search.threads.map(|n| n.to_string()), "all"),
            "of a breadth-first search; random walkers",
        ),
        row(
            Choice::Memory,
            "memory",
            or(search.memory.map(written_bytes), "80 %"),
            "the check ends when it holds this much",
        ),
        row(
            Choice::Timeout,
            "timeout",
            or(search.timeout.map(|time| format!("{} s", time.as_secs_f64())), "none"),
            "the check ends after these seconds",
        ),
        row(
            Choice::MaxStates,
            "max states",
            or(search.max_states.map(|n| n.to_string()), "none"),
            "the check ends after so many states",
        ),
    ]
}

fn checks(search: &SearchOptions, machine: &MachineView) -> Vec<Row> {
    let setup = &machine.setup;
    let guards = match setup.wd_guards {
        WdGuards::Error => "such a guard is an error of the operation",
        WdGuards::Warn => "such a guard counts as false, and is noted",
    };
    let goal = setup.goal.as_deref().unwrap_or("none");
    vec![
        row(
            Choice::Invariant,
            "invariant",
            on(search.invariant),
            "invariant and assertions are checked",
        ),
        row(
            Choice::Assertions,
            "assertions",
            search.assertions.name(),
            asserted(search.assertions),
        ),
        row(
            Choice::OnViolation,
            "on violation",
            search.on_violation.name(),
            violation(search.on_violation),
        ),
        row(
            Choice::Deadlock,
            "deadlocks",
            on(search.deadlock),
            "states without transitions are findings",
        ),
        row(Choice::Goal, "goal", goal, "the check ends where this predicate holds"),
        row(
            Choice::KeepGoing,
            "keep going",
            on(search.keep_going),
            "go past goals and deadlocks, and count them",
        ),
        row(Choice::WdGuards, "undefined guards", setup.wd_guards.name(), guards),
        row(
            Choice::StaticSymmetry,
            "static symmetry",
            on(setup.static_symmetry),
            "set-ups that differ by names only are left out",
        ),
    ]
}

/// Bytes as they are typed, in the largest unit that says them exactly.
fn written_bytes(bytes: u64) -> String {
    let unit = [(30, 'G'), (20, 'M'), (10, 'K')].into_iter().find(|(shift, _)| {
        let one = 1u64 << shift;
        bytes >= one && bytes.is_multiple_of(one)
    });
    match unit {
        Some((shift, letter)) => format!("{}{letter}", bytes >> shift),
        None => bytes.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::options::memory_size;

    #[test]
    fn bytes_are_shown_as_they_are_typed() {
        for bytes in [1, 1000, 1024, 3 << 20, 12 << 30, (1 << 30) + 1024, u64::MAX] {
            assert_eq!(memory_size(&written_bytes(bytes)), Ok(bytes));
        }
        assert_eq!(written_bytes(3 << 29), "1536M");
    }
}
