//! Levels of refinement, and the sets of contexts.

use crate::package::{Context, Event, Machine, package};
use crate::{search, tank, write};
use burnside::eventb::Levels;
use burnside::normalise;
use burnside::search::{OnViolation, SearchOptions, SymmetryMode};
use burnside::setup::{self, SetupOptions};
use burnside::typing::{Loaded, ReadOptions};
use std::path::Path;
use std::sync::Arc;

fn at(level: Option<&str>, alone: bool) -> Loaded {
    let (_folder, path) = write("tank.eventb", &tank());
    let levels = Levels { machine: level.map(ToOwned::to_owned), alone };
    normalise::load_including(&path, &ReadOptions { levels, ..ReadOptions::default() })
}

fn variables(loaded: &Loaded) -> Vec<String> {
    let machine = loaded.machine.as_ref().expect("a machine");
    machine.variables.iter().map(|v| v.name.to_string()).collect()
}

#[test]
fn a_level_is_chosen_by_its_name() {
    assert_eq!(variables(&at(None, false)), ["left", "right", "lamp", "level"]);
    assert_eq!(variables(&at(Some("tank_1"), false)), ["left", "right", "lamp", "level"]);
    let abstract_one = at(Some("tank_0"), false);
    assert_eq!(variables(&abstract_one), ["level"]);
    let outcome = search(abstract_one, &SearchOptions::default());
    // Levels 0 to 3; d more with d from 1 to 3; less.
    assert_eq!((outcome.states, outcome.transitions), (4, 2 + 6 + 6));
}

#[test]
fn a_level_that_is_not_there_is_an_error_that_lists_them() {
    let loaded = at(Some("tank_7"), false);
    let error = loaded.diagnostics.iter().find(|d| d.is_error()).expect("an error");
    let text = error.render(&loaded.sources);
    assert!(text.contains("no machine `tank_7`") && text.contains("tank_1, tank_0"), "{text}");
}

#[test]
fn a_level_alone_knows_nothing_of_what_it_dropped() {
    let alone = at(None, true);
    assert_eq!(variables(&alone), ["left", "right", "lamp"]);
    let labels: Vec<_> =
        alone.machine.as_ref().unwrap().invariant.iter().filter_map(|c| c.label.clone()).collect();
    assert_eq!(labels.iter().map(|l| &**l).collect::<Vec<_>>(), ["inv1", "inv2", "inv3"]);
    let (alone, all) = (search(alone, &SearchOptions::default()), at(None, false));
    let all = search(all, &SearchOptions::default());
    // `level` is left + right: it tells no states apart.
    assert_eq!((alone.states, alone.transitions), (all.states, all.transitions));
}

#[test]
fn machines_of_classical_b_have_no_levels() {
    let (_folder, path) = write("m.mch", "MACHINE m END");
    let levels = Levels { alone: true, ..Levels::default() };
    let loaded =
        normalise::load_including(&path, &ReadOptions { levels, ..ReadOptions::default() });
    assert!(loaded.diagnostics.iter().any(|d| d.code == "unknown-level"));
}

/// The machines of a project are told in the order in which they refine each other, and not in that of their names.
#[test]
fn the_levels_of_a_project_are_told_from_the_most_refined_one_up() {
    let section = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/section");
    let levels = Levels { machine: Some("nope".to_owned()), alone: false };
    let loaded =
        normalise::load_including(&section, &ReadOptions { levels, ..ReadOptions::default() });
    let unknown = loaded.diagnostics.iter().find(|d| d.code == "unknown-level").expect("refused");
    let hint = unknown.hint.as_deref().expect("a hint");
    assert!(hint.ends_with("from the most refined one up: Counted, Blocks, Section"), "{hint}");
}

/// Members of a carrier set join and leave a club; one of them may lead it. `m1` forgets who leads.
fn club(
    axioms: &'static [(&'static str, &'static str)],
    constants: &'static [&'static str],
) -> String {
    let event =
        |name, any, guards, actions| Event { name, any, guards, actions, ..Event::default() };
    let m0 = Machine {
        name: "m0",
        variables: &["club", "leads"],
        invariants: &[("i", "club <: S"), ("j", "leads <: club"), ("k", "card(leads) <= 1")],
        events: vec![
            event("INITIALISATION", &[], &[], &[("a", "club := {}"), ("b", "leads := {}")]),
            event(
                "join",
                &["s"],
                &[("g", "s : S"), ("h", "s /: club")],
                &[("a", "club := club \\/ {s}")],
            ),
            event("lead", &["s"], &[("g", "s : club")], &[("a", "leads := {s}")]),
        ],
        ..Machine::default()
    };
    let refining = |name, refines, guards, actions| Event {
        name,
        refines,
        any: &["s"],
        guards,
        actions,
        ..Event::default()
    };
    let m1 = Machine {
        name: "m1",
        refines: Some("m0"),
        variables: &["club", "led"],
        invariants: &[("l", "led : BOOL"), ("glue", "led = TRUE => leads /= {}")],
        events: vec![
            event("INITIALISATION", &[], &[], &[("a", "club := {}"), ("b", "led := FALSE")]),
            refining("join", &["join"], &[("g", "s : S - club")], &[("a", "club := club \\/ {s}")]),
            refining("lead", &["lead"], &[("g", "s : club")], &[("a", "led := TRUE")]),
        ],
        ..Machine::default()
    };
    package(&[m1, m0], Context { sets: &["S"], constants, axioms })
}

fn counts(text: &str, cards: &[(&str, u64)], mode: SymmetryMode) -> (u64, u64, Option<String>) {
    let loaded = crate::load(text);
    let cards = cards.iter().map(|(set, n)| ((*set).to_owned(), *n)).collect();
    let machine = Arc::new(loaded.machine.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics)));
    let model = setup::set_up(&machine, &SetupOptions { cards, ..SetupOptions::default() }, None)
        .unwrap_or_else(|d| panic!("{d:?}"));
    let options = SearchOptions {
        symmetry: Some(mode),
        on_violation: OnViolation::Expand,
        keep_going: true,
        ..SearchOptions::default()
    };
    let outcome =
        burnside::search::run(&model, &options, &Arc::new(burnside::search::Control::new()));
    assert!(outcome.broken_claims == 0 && outcome.finding.is_none());
    (outcome.states, outcome.transitions, outcome.full_states.map(|n| n.to_string()))
}

#[test]
fn carrier_sets_stay_symmetric() {
    // Subsets of S, and for each who leads: nobody or a member.
    for (n, states) in [(2, 1 + 2 * 2 + 3), (3, 1 + 3 * 2 + 3 * 3 + 4)] {
        let text = club(&[("f", "card(S) = 3")], &[]);
        let sized = if n == 3 { (text, vec![]) } else { (club(&[], &[]), vec![("S", n)]) };
        let (text, cards) = (sized.0, sized.1);
        let (full, transitions, _) = counts(&text, &cards, SymmetryMode::Off);
        assert_eq!(full, states);
        let mut least = full;
        for mode in SymmetryMode::ALL.into_iter().filter(|m| *m != SymmetryMode::Off) {
            let (kept, _, reported) = counts(&text, &cards, mode);
            assert!(kept <= full, "{}", mode.name());
            if !mode.is_approximate() && mode != SymmetryMode::Flood {
                // Of the orbits none is lost.
                assert!(kept > 2 * n, "{}", mode.name());
                least = least.min(kept);
            }
            if let Some(reported) = reported {
                assert_eq!(reported, full.to_string(), "{}", mode.name());
            }
        }
        // One for each size of the club without a leader, one with.
        assert_eq!(least, 2 * n + 1);
        assert!(transitions > full);
    }
}

#[test]
fn a_partition_into_constants_makes_an_enumerated_set() {
    let text = club(&[("p", "@partition(S, {x}, {y}, {z})")], &["x", "y", "z"]);
    let machine = crate::load(&text).machine.expect("a machine");
    assert!(machine.constants.is_empty());
    for mode in SymmetryMode::ALL {
        // Nothing is symmetric any more.
        assert_eq!(counts(&text, &[], mode).0, 1 + 3 * 2 + 3 * 3 + 4, "{}", mode.name());
    }
}
