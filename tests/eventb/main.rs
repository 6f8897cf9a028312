//! Event-B packages: the semantics of refinement on a model of ours, and ProB's counts where the
//! collection is at hand.

#[path = "../common/mod.rs"]
mod common;
mod levels;
mod package;
mod refinement;

use burnside::machine::SetId;
use burnside::normalise;
use burnside::search::{self, Control, OnViolation, Outcome, SearchOptions, SymmetryMode, Verdict};
use burnside::setup::{self, SetupOptions};
use burnside::typing::Loaded;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

fn search(loaded: Loaded, options: &SearchOptions) -> Outcome {
    let errors: Vec<&str> = loaded.diagnostics.iter().map(|d| &*d.message).collect();
    let machine = loaded.machine.unwrap_or_else(|| panic!("{errors:?}"));
    let model = setup::set_up(&Arc::new(machine), &SetupOptions::default(), None)
        .unwrap_or_else(|d| panic!("{}", d[0].render(&loaded.sources)));
    search::run(&model, options, &Arc::new(Control::new()))
}

/// Loads a package with another text than the file of this name has.
fn load(text: &str) -> Loaded {
    let (_folder, path) = write("model.eventb", text);
    normalise::load_machine(&path)
}

/// A file in a folder of its own, which goes with the first value.
fn write(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

fn tank() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("models/tank.eventb"))
        .unwrap()
}

fn check(text: &str) -> Outcome {
    let on_violation = OnViolation::Expand;
    search(
        load(text),
        &SearchOptions { on_violation, keep_going: true, ..SearchOptions::default() },
    )
}

/// The refinement of the tank as a machine in classical B, the abstract level written out.
const BY_HAND: &str = "MACHINE tank SETS COLOUR = {red, green} CONSTANTS cap PROPERTIES cap = 3
    VARIABLES left, right, lamp, level
    INVARIANT left : NATURAL & right : NATURAL & lamp : COLOUR & level : 0..cap & level = left + right
    INITIALISATION left, right, lamp, level := 0, 0, green, 0
    OPERATIONS
      fill_left = SELECT left + right < cap THEN left, level := left + 1, level + 1 END;
      fill_right(d) = SELECT d : 1..cap & left + right + d <= cap & left > 0
        THEN right, level := right + d, level + d END;
      leak = ANY l WHERE l : 0..left - 1 THEN left, level, lamp := l, l + right, green END;
      blink = SELECT lamp = green THEN lamp := red END
    END";

#[test]
fn abstract_machines_run_along() {
    let model = check(&tank());
    let by_hand = search(
        normalise::load_text("tank", BY_HAND),
        &SearchOptions { keep_going: true, ..SearchOptions::default() },
    );
    assert_eq!(model.verdict, by_hand.verdict);
    assert_eq!(
        (model.states, model.transitions, model.state_errors),
        (by_hand.states, by_hand.transitions, 0)
    );
    assert!(model.states > 10);
}

#[test]
fn a_guard_that_is_too_weak_is_an_error() {
    let weak = tank().replacen("identifier(none,cap))],", "integer(none,5))],", 1);
    assert_ne!(weak, tank());
    let outcome = check(&weak);
    assert_eq!(outcome.verdict, Verdict::RefinementViolation);
    let span = outcome.finding.and_then(|f| f.span).expect("a place");
    // The guard of the abstract event: in the text of tank_0.
    let loaded = load(&weak);
    let text = loaded.sources.get(span.file).text.clone();
    assert_eq!(&text[span.start as usize..span.end as usize], "level + d <= cap");
}

#[test]
fn a_witness_without_a_value_is_an_error() {
    let wrong = tank().replace(
        "add(none,identifier(none,'left\\''),identifier(none,right))))",
        "integer(none,7)))",
    );
    assert_ne!(wrong, tank());
    assert_eq!(check(&wrong).verdict, Verdict::RefinementViolation);
}

#[test]
fn an_action_that_the_abstract_event_does_not_have_breaks_the_glue() {
    let wrong = tank().replacen(
        "[add(none,identifier(none,left),integer(none,1))]",
        "[add(none,identifier(none,left),integer(none,2))]",
        1,
    );
    assert_ne!(wrong, tank());
    let outcome = check(&wrong);
    assert_eq!(outcome.verdict, Verdict::InvariantViolation);
    assert!(outcome.finding.is_some_and(|f| f.message.contains("glue")));
}

#[test]
fn what_is_wrong_in_a_package_is_shown_in_the_package() {
    let loaded = load("package(load_event_b_project([foo],[],[],_)).");
    let error = loaded.diagnostics.iter().find(|d| d.is_error()).expect("an error");
    assert!(error.render(&loaded.sources).contains("event_b_model"));
    assert!(loaded.machine.is_none());
}

// ----- ProB's counts

/// Machines that differ from what ProB recorded, or cannot be read, each with the reason.
const DIFFERENT: &[(&str, &str)] = &[
    ("Theory__MJB_Theory__M2_mch.eventb", "a theory: `List` and its operators are refused by name"),
    (
        "Tickets__PROB-342__ListLawsMC_exists_warning.eventb",
        "a theory: its operators are refused by name",
    ),
    (
        "AbrialAccessControl__mac2_mch.eventb",
        "ProB has recorded a part of the space: its search ended at a state where an event fails",
    ),
    (
        "AbrialAccessControl__mac3_mch.eventb",
        "ProB has recorded a part of the space: its search ended at a state where an event fails",
    ),
    (
        "AbrialAccessControl__mac4_mch.eventb",
        "ProB has recorded a part of the space: its search ended at a state where an event fails",
    ),
    (
        "B__Tickets__CBC_Refinement__M2_mch.eventb",
        "ProB has recorded a part of the space: its search ended at a state where an event fails",
    ),
    (
        "B__Tickets__110__Library_mch.eventb",
        "`AddCopies` and dates have no bounds: the space is infinite, and ProB has recorded a part of it",
    ),
    (
        "BinarySearch__binary_search_mch.eventb",
        "`mxint : NAT` has no upper bound: within MAXINT there are 3,512 states, and ProB has tried more",
    ),
    (
        "Puzzles__Triangle_mch.eventb",
        "any three integers make a triangle: ProB has tried others than those within the limits",
    ),
    (
        "Stefan__gcd__g1_mch.eventb",
        "`x`, `y` and `z` have no bounds: the solutions with `x` in -1..3 are tried, ProB has tried others",
    ),
    (
        "Tickets__Bicknell_Timeout__M0_mch.eventb",
        "any natural number can be added: 16 sets are within the limits, and ProB has tried more",
    ),
    (
        "Tickets__PROB-342__m0_mch.eventb",
        "`result_value` may be any number or set: ProB has tried more sets than those of -1..3",
    ),
    (
        "platoon__platoon_mch.eventb",
        "positions have no bounds: with a distance of 3 the first vehicle is at 4, beyond MAXINT",
    ),
    (
        "platoon__platoon_1_mch.eventb",
        "positions have no bounds: with a distance of 3 the first vehicle is at 4, beyond MAXINT",
    ),
    (
        "Records__IntBoolMachine_mch.eventb",
        "`BOOL ** INT >->> BIRec` has no finite set: ProB has taken INT for a part of it",
    ),
    (
        "Records__SampleRecordMachine_mch.eventb",
        "ProB leaves out half of the 24 set-ups as symmetric: 12 of them, and all that follows, are the other half renamed",
    ),
];

/// Searches that take too long here: those with more states, and some whose axioms or theorems do: one walks
/// through 25 million pairs, one through all functions from five elements to five numbers, in several theorems.
const LARGE: u64 = 20_000;
const SLOW: &[&str] = &[
    "AnimB_Tests__AnimB_Forall2_mch.eventb",
    "Stefan__gcd__g6_mch_with_6small_values.eventb",
    "Stefan__quicksort__qs9_mch.eventb",
    "Tickets__SonLazySetEvaluation__m0_v2_mch.eventb",
    "Tickets__SonLazySetEvaluation__m0_v2_single_init_mch.eventb",
];

#[test]
fn counts_agree_with_prob() {
    let Some(folder) = common::corpus::folder() else { return };
    let folder = folder.join("eventb");
    let table = std::fs::read_to_string(folder.join("expected.csv")).expect("expected.csv");
    let all = std::env::var("BURNSIDE_EVENTB").is_ok();
    let run = move || {
        let (mut agree, mut surprises) = (0, Vec::new());
        for row in table.lines().skip(1) {
            let cells: Vec<&str> = row.split(',').collect();
            let (file, states, transitions) = (cells[0], number(cells[1]), number(cells[2]));
            let long = states > LARGE || SLOW.contains(&file);
            if DIFFERENT.iter().any(|(known, _)| *known == file) || long && !all {
                continue;
            }
            let options = SearchOptions {
                symmetry: Some(SymmetryMode::Off),
                on_violation: OnViolation::Expand,
                keep_going: true,
                timeout: Some(Duration::from_secs(if long { 900 } else { 60 })),
                ..SearchOptions::default()
            };
            let outcome = search(normalise::load_machine(&folder.join(file)), &options);
            // The recorded states leave out the root and the state before the first one.
            if (outcome.nodes - 2, outcome.transitions) == (states, transitions) {
                agree += 1;
            } else {
                surprises.push((file.to_owned(), outcome.nodes - 2, outcome.transitions));
            }
        }
        println!("{agree} agree");
        assert!(surprises.is_empty(), "these differ from ProB's counts: {surprises:?}");
    };
    common::on_a_large_stack(run);
}

/// Models that ProB has recorded no counts for. With two elements in each of 13 sets the functions
/// between them have too many values; with one in each everything is seen.
#[test]
fn models_without_counts_load_and_run() {
    let Some(folder) = common::corpus::folder() else { return };
    let files: Vec<_> = std::fs::read_dir(folder.join("eventb/uncounted")).unwrap().collect();
    assert_eq!(files.len(), 5);
    for file in files {
        let loaded = normalise::load_machine(&file.unwrap().path());
        let machine = Arc::new(loaded.machine.expect("a machine"));
        let cards = machine.sets.iter().enumerate();
        let cards = cards.filter(|(i, _)| machine.is_sized(SetId(*i as u32)));
        let cards = cards.map(|(_, s)| (s.name.to_string(), 1)).collect();
        let options = SetupOptions { cards, ..SetupOptions::default() };
        let model = setup::set_up(&machine, &options, None).expect("a model");
        let outcome = search::run(&model, &SearchOptions::default(), &Arc::new(Control::new()));
        assert_eq!((outcome.verdict, outcome.broken_claims), (Verdict::Ok, 0));
        assert!(outcome.complete && outcome.states == 61);
    }
}

fn number(cell: &str) -> u64 {
    cell.parse().unwrap()
}
