//! Every method of symmetry reduction on machines of our own: what they must agree on, and where one
//! must have more states than another.

use crate::common::replay::replay;
use crate::common::{everything, model_file, open, run, sized};
use burnside::eval::{Evaluator, Successors};
use burnside::reduce::{Reading, Reduction, approx_marker};
use burnside::search::options::FLOOD_LIMIT;
use burnside::search::{IsoOptions, Outcome, Refinement, SearchOptions, SymmetryMode, Verdict};
use burnside::session::Session;
use burnside::store::{First, MOST_NUMBERS, Visited};
use burnside::symmetry::Group;

/// Constants that point to elements, sets of sets, two sets, a record, a function from a set to itself.
const CLUB: &str = "MACHINE Club
SETS MEMBER; ROOM
CONSTANTS home
PROPERTIES home : MEMBER --> ROOM & card(MEMBER) = 3 & card(ROOM) = 2
VARIABLES teams, friend, at, head
INVARIANT teams <: POW(MEMBER) & friend : MEMBER +-> MEMBER & at : MEMBER +-> ROOM
  & head : struct(boss: MEMBER, key: BOOL)
INITIALISATION teams, friend, at := {}, {}, {} || ANY m WHERE m : MEMBER THEN head := rec(boss: m, key: FALSE) END
OPERATIONS
  meet(a, b) = PRE a : MEMBER & b : MEMBER & a /= b & a /: dom(friend) & {a, b} /: teams & card(teams) < 2
    THEN friend(a) := b || teams := teams \\/ {{a, b}} END;
  enter(m) = PRE m : MEMBER & m /: dom(at) & card(at) < 2 THEN at(m) := home(m) END;
  move(m) = PRE m : dom(at) THEN ANY r WHERE r : ROOM THEN at(m) := r END END;
  leave(m) = PRE m : dom(at) THEN at := {m} <<| at END;
  crown(m) = PRE m : dom(friend) & friend(m) = head'boss THEN head := rec(boss: m, key: TRUE) END;
  r <-- who = BEGIN r := head'boss END
END
";

/// An error that takes a few steps, in a machine that sorted and exact-marker do not reduce fully.
const RING: &str = "MACHINE Ring
SETS NODE
VARIABLES next, token, done
INVARIANT next : NODE +-> NODE & token : NODE & done <: NODE & not(card(next) = 4 & done = NODE)
INITIALISATION next := {} || done := {} || token :: NODE
OPERATIONS
  link(a, b) = PRE a : NODE & b : NODE & a /: dom(next) & b /: ran(next) & a /= b THEN next(a) := b END;
  pass = PRE token : dom(next) THEN token := next(token) || done := done \\/ {token} END;
  finish(a) = PRE a : NODE - dom(next) & card(next) = 3 THEN next(a) := token END
END
";

/// Chains, whose elements are told apart only by what the elements they point to point to. Four elements
/// make five orbits: the partitions of 4.
const TIED: &str = "MACHINE Tied
SETS NODE
VARIABLES next
INVARIANT next : NODE +-> NODE
INITIALISATION next := {}
OPERATIONS
  link(a, b) = PRE a : NODE & b : NODE - ran(next) & a /: dom(next) & a /= b & a /: closure1(next)[{b}]
    THEN next(a) := b END
END
";

/// Constants that leave no element like another one in some set-ups, and some alike in the others.
const NUMBERED: &str = "MACHINE Numbered
SETS P
CONSTANTS number, next
PROPERTIES number : P --> 1..3 & next : P --> P & card(P) = 3
VARIABLES token, busy
INVARIANT token : P & busy <: P
INITIALISATION token :: P || busy := {}
OPERATIONS
  pass(q) = PRE q : P & number(q) = number(token) mod 3 + 1 THEN token := q END;
  go = PRE token /: busy THEN busy := busy \\/ {token} || token := next(token) END;
  r <-- who = BEGIN r := number(token) END
END
";

/// What ANY chooses is undefined of some: which of them comes first is a matter of names.
const DOUBTFUL: &str = "MACHINE Doubtful
SETS P
VARIABLES v, n
INVARIANT v : P & n : P & card(P) = 3
INITIALISATION v :: P || n :: P
OPERATIONS
  o = ANY w WHERE w : P & (w = v or 1 / (card({v}) - 1) = 1) THEN n := w END
END
";

/// A machine written to a file of its own.
fn machine(name: &str, text: &str, sizes: &[(&str, u64)]) -> Session {
    let folder = std::env::temp_dir().join(format!("burnside-methods-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{name}.mch"));
    std::fs::write(&path, text).unwrap();
    open(path, sized(sizes, false))
}

/// A machine of `models/`.
fn model(name: &str, sizes: &[(&str, u64)]) -> Session {
    open(model_file(name), sized(sizes, false))
}

fn cases() -> Vec<(&'static str, Session)> {
    vec![
        ("club", machine("club", CLUB, &[])),
        ("ring 4", machine("ring", RING, &[("NODE", 4)])),
        ("doubtful", machine("doubtful", DOUBTFUL, &[("P", 3)])),
        ("numbered", machine("numbered", NUMBERED, &[])),
        ("scheduler0 5", model("scheduler0", &[("PROC", 5)])),
        ("scheduler 5", model("scheduler", &[("PID", 5)])),
        ("phonebook 4", model("phonebook", &[("Name", 4), ("Code", 4)])),
        ("phonebook_err 3", model("phonebook_err", &[("Name", 3), ("Code", 3)])),
        ("russian_postal_puzzle 3", model("russian_postal_puzzle", &[("KeyIDs", 3)])),
    ]
}

#[test]
fn the_methods_agree_and_keep_their_order() {
    use SymmetryMode::*;
    for (name, session) in cases() {
        let outcomes: Vec<Outcome> =
            SymmetryMode::ALL.iter().map(|m| run(&session, &everything(*m))).collect();
        let of = |mode: SymmetryMode| &outcomes[mode as usize];
        let (off, canon) = (of(Off), of(Canon));
        assert!(off.complete && off.states > canon.states, "{name}");
        for mode in SymmetryMode::ALL {
            let outcome = of(mode);
            let note = format!("{name}, {}: {:?}", mode.name(), outcome.bounds);
            assert_eq!(outcome.approximate, mode.is_approximate(), "{note}");
            assert_eq!(outcome.complete, !mode.is_approximate(), "{note}");
            if !mode.is_approximate() {
                assert_eq!(outcome.verdict, off.verdict, "{note}");
                let some =
                    |o: &Outcome| (o.violating_states > Some(0), o.deadlocked_states > Some(0));
                assert_eq!(some(outcome), some(off), "{note}");
                assert!(canon.nodes <= outcome.nodes && outcome.nodes <= off.nodes, "{note}");
            } else {
                assert!(outcome.nodes <= canon.nodes, "{note}: {}", outcome.nodes);
                assert_ne!(outcome.verdict, Verdict::Ok, "{note}");
            }
        }
        for mode in [Segmented, Iso] {
            let outcome = of(mode);
            assert_eq!(
                (
                    outcome.nodes,
                    outcome.transitions,
                    &outcome.full_states,
                    &outcome.full_transitions
                ),
                (canon.nodes, canon.transitions, &canon.full_states, &canon.full_transitions),
                "{name}, {}",
                mode.name()
            );
        }
        let flood = of(Flood);
        assert_eq!((flood.nodes, flood.states), (off.nodes, off.states), "{name}");
        assert_eq!(flood.expanded, canon.states, "{name}");
        assert!(flood.transitions < off.transitions, "{name}");
        for mode in [Canon, Segmented, Iso, Flood] {
            let full = of(mode).full_states.as_ref().map(ToString::to_string);
            assert_eq!(full, Some(off.states.to_string()), "{name}, {}", mode.name());
            let full = of(mode).full_transitions.as_ref().map(ToString::to_string);
            assert_eq!(full, Some(off.transitions.to_string()), "{name}, {}", mode.name());
        }
        for mode in [Sorted, ExactMarker, Marker, ApproxMarker, Flattened] {
            assert_eq!(of(mode).full_states, None, "{name}, {}", mode.name());
        }
        println!(
            "{name}: {:?}",
            SymmetryMode::ALL.map(|m| format!("{} {}", m.name(), of(m).nodes))
        );
    }
}

/// All ways of colouring find the same orbits; the figures add up.
#[test]
fn iso_has_four_versions() {
    for (name, session) in cases() {
        let canon = run(&session, &everything(SymmetryMode::Canon));
        for refinement in Refinement::ALL {
            for symmetry_breaking in [false, true] {
                let iso = IsoOptions { refinement, symmetry_breaking };
                let options = SearchOptions { iso, ..everything(SymmetryMode::Iso) };
                let outcome = run(&session, &options);
                let note = format!("{name}, {iso:?}");
                assert_eq!(
                    (outcome.nodes, outcome.transitions),
                    (canon.nodes, canon.transitions),
                    "{note}"
                );
                let figure = |name: &str| {
                    let found = outcome.method_statistics.iter().find(|(n, _)| n == name);
                    found.unwrap_or_else(|| panic!("{note}: no {name}")).1
                };
                let hash = figure("false positives of the hash");
                let colouring = figure("false positives of the colouring");
                assert!(figure("predicted isomorphisms") > hash, "{note}");
                assert!(hash >= colouring, "{note}");
                assert!(figure("seconds of hashing") <= figure("seconds of isomorphism checking"));
            }
        }
    }
}

#[test]
fn counterexamples_of_every_method_are_runs() {
    for (name, session) in [
        ("ring", machine("ring_trace", RING, &[("NODE", 4)])),
        ("phonebook_err", model("phonebook_err", &[("Name", 3), ("Code", 3)])),
    ] {
        let off = run(&session, &SearchOptions::default());
        assert!(off.verdict.is_finding(), "{name}: {:?}", off.verdict);
        for mode in SymmetryMode::ALL {
            let options =
                SearchOptions { symmetry: Some(mode), deadlock: false, ..SearchOptions::default() };
            let outcome = run(&session, &options);
            let note = format!("{name}, {}", mode.name());
            let Some(finding) = &outcome.finding else {
                assert!(mode.is_approximate(), "{note}: nothing found");
                continue;
            };
            assert_eq!(outcome.verdict, Verdict::InvariantViolation, "{note}");
            assert!(finding.trace.steps.len() > 2, "{note}");
            replay(session.model().expect("a model"), &finding.trace, &note);
        }
    }
}

#[test]
fn flooding_refuses_large_orbits_and_says_so() {
    let session = machine("ring_flood", RING, &[("NODE", 5)]);
    let options = SearchOptions { flood_limit: 60, ..everything(SymmetryMode::Flood) };
    let outcome = run(&session, &options);
    assert!(!outcome.complete);
    let text = outcome.bounds.iter().map(ToString::to_string).find(|b| b.contains("--flood-limit"));
    let text = text.unwrap_or_else(|| panic!("{:?}", outcome.bounds));
    assert!(text.contains("the limit is 60"), "{text}");
    assert!(outcome.states > outcome.expanded);
    let enough = SearchOptions { flood_limit: FLOOD_LIMIT, ..options };
    assert!(run(&session, &enough).complete);
}

#[test]
fn precision_is_measured() {
    let session = machine("ring_precision", RING, &[("NODE", 4)]);
    let canon = run(&session, &everything(SymmetryMode::Canon));
    assert_eq!(canon.missed_orbits, None);
    let options = SearchOptions { measure_precision: true, ..everything(SymmetryMode::Flattened) };
    let flattened = run(&session, &options);
    let missed = flattened.missed_orbits.unwrap();
    assert!(missed > 0 && flattened.states + missed <= canon.states, "{missed}");
    let options =
        SearchOptions { measure_precision: true, ..everything(SymmetryMode::ApproxMarker) };
    let marker = run(&session, &options);
    assert_eq!(marker.states + marker.missed_orbits.unwrap(), canon.states);
    let exact = SearchOptions { measure_precision: true, ..everything(SymmetryMode::Canon) };
    assert_eq!(run(&session, &exact).missed_orbits, None);
}

/// Permutations do not reach into values of free types.
#[test]
fn a_set_within_a_free_type_is_told_to_be_without_symmetry() {
    let text = "MACHINE m SETS S; T FREETYPES F = leaf, node(S) VARIABLES x, y INVARIANT x : F & y : T \
                INITIALISATION x := leaf || y :: T OPERATIONS o(s) = PRE s : S THEN x := node(s) END END";
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("m.mch");
    std::fs::write(&file, text).unwrap();
    let session = open(file, sized(&[], false));
    let outcome = run(&session, &everything(SymmetryMode::Canon));
    let why = "S is not symmetric: its elements can stand inside values of the free type F";
    assert_eq!(outcome.notes, [why]);
    assert_eq!(run(&session, &everything(SymmetryMode::Off)).notes, [""; 0]);
}

#[test]
fn a_main_array_can_be_chosen() {
    let session = model("phonebook", &[("Name", 4), ("Code", 4)]);
    let canon = run(&session, &everything(SymmetryMode::Canon));
    let good = session.good().unwrap();
    assert!(burnside::search::main_array_problem(&good.model, "db").is_some());
    assert!(burnside::search::main_array_problem(&good.model, "active").is_none());
    for name in ["active", "activec"] {
        let main_array = Some(name.to_string());
        let options = SearchOptions { main_array, ..everything(SymmetryMode::Segmented) };
        let outcome = run(&session, &options);
        assert_eq!((outcome.nodes, outcome.transitions), (canon.nodes, canon.transitions));
        assert!(outcome.notes.iter().any(|n| n.contains(name)), "{:?}", outcome.notes);
    }
    let options =
        SearchOptions { main_array: Some("db".into()), ..everything(SymmetryMode::Sorted) };
    let refused = run(&session, &options);
    assert!(!refused.complete && refused.verdict == Verdict::NoneFound && refused.expanded == 0);
}

/// Nodes of a plain search, with a reduction that no option chooses.
fn nodes(session: &Session, make: &dyn Fn(Reading, Group) -> Reduction) -> usize {
    let model = &session.good().unwrap().model;
    let machine = &model.instance.machine;
    let globals = machine.constants.iter().chain(&machine.variables);
    let names = globals.map(|g| g.name.to_string()).collect();
    let reading = Reading::new(model.program.layout.clone(), names);
    let words = reading.words();
    let mut visited =
        Visited::new(words, make(reading, model.group.clone()), First::new(words, MOST_NUMBERS));
    let mut evaluator = Evaluator::new(model.program.clone());
    for state in evaluator.initial_states(&[]).unwrap() {
        visited.admit(&state, evaluator.interner()).unwrap();
    }
    let mut out = Successors::new();
    let mut next = 0;
    while next < visited.len() {
        let state = visited.state(next as u32).to_vec();
        evaluator.successors(&state, false, &mut out).unwrap();
        for i in 0..out.len() {
            visited.admit(out.target(i), evaluator.interner()).unwrap();
        }
        next += 1;
    }
    1 + visited.len()
}

/// Chains of tied elements: as printed, algorithm 5.1 of Bosnacki et al. keeps two states of one orbit.
#[test]
fn tied_chains_need_the_repair() {
    let session = machine("tied", TIED, &[("NODE", 4)]);
    assert_eq!(run(&session, &everything(SymmetryMode::Canon)).nodes, 6);
    let printed = nodes(&session, &approx_marker::as_printed);
    assert_eq!(printed, 7);
    let repaired = nodes(&session, &approx_marker::reduction);
    assert_eq!(repaired, 6);
    assert_eq!(run(&session, &everything(SymmetryMode::ApproxMarker)).nodes, repaired as u64);
}

/// The figures of Bosnacki et al. (figures 4 and 8), and transitions = N (nodes - 1) + 1.
#[test]
fn peterson() {
    use SymmetryMode::*;
    let full = [61, 494, 3106, 17321];
    let open = |n: u64| model("peterson", &[("PROC", n)]);
    for (n, nodes) in (2..).zip(full) {
        let outcome = run(&open(n), &everything(Canon));
        assert_eq!((outcome.nodes, outcome.transitions), (nodes, n * (nodes - 1) + 1), "N = {n}");
        assert_eq!(outcome.verdict, Verdict::Ok);
    }
    for (n, nodes) in (2..).zip([117, 2636, 60577]) {
        let outcome = run(&open(n), &everything(Off));
        assert_eq!((outcome.nodes, outcome.transitions), (nodes, n * (nodes - 1) + 1), "N = {n}");
    }
    for (n, nodes) in (3..).zip([251, 1177, 5148]) {
        let outcome = run(&open(n), &everything(Flattened));
        assert_eq!((outcome.nodes, outcome.transitions), (nodes, n * (nodes - 1) + 1), "N = {n}");
    }
    // No array from processes to processes: the markers are precise.
    for mode in [ApproxMarker, ExactMarker, Segmented, Iso] {
        for (n, nodes) in (2..).zip([61, 494]) {
            assert_eq!(run(&open(n), &everything(mode)).nodes, nodes, "{}, N = {n}", mode.name());
        }
    }
}

#[test]
fn a_result_that_no_branch_assigns_is_symmetric() {
    let text = "MACHINE M SETS S VARIABLES d INVARIANT d <: S INITIALISATION d := {}
OPERATIONS o <-- op(x) = PRE x : S THEN CHOICE o := x OR d := d \\/ {x} END END END";
    let loaded = burnside::normalise::load_text("M.mch", text);
    let machine = std::sync::Arc::new(loaded.machine.expect("loads"));
    let options =
        burnside::setup::SetupOptions { cards: vec![("S".into(), 3)], ..Default::default() };
    let model = burnside::setup::set_up(&machine, &options, None).expect("sets up");
    let run = |symmetry| {
        let options =
            burnside::search::SearchOptions { symmetry: Some(symmetry), ..Default::default() };
        burnside::search::run(&model, &options, &Default::default())
    };
    let off = run(burnside::search::SymmetryMode::Off);
    let canon = run(burnside::search::SymmetryMode::Canon);
    assert_eq!(canon.full_transitions, off.full_transitions);
    assert_eq!(off.full_transitions, Some(off.transitions.into()));
    assert!(canon.states < off.states);
}

/// Whatever is found first within a level: the verdict is about the nearest finding, and among those
/// about the one that weighs most. An operation that fails comes before what is wrong in the states that
/// the other operations lead to.
#[test]
fn the_verdict_does_not_depend_on_the_order_within_a_level() {
    const STUCK: &str = "stuck = SELECT x = 0 THEN x := 1 END";
    const WRONG: &str = "wrong = SELECT x = 0 THEN x := 2 END";
    const FAULT: &str = "fault = SELECT x = 0 THEN x := 1 / x END";
    const LATER: &str =
        "later = SELECT x = 0 THEN x := 3 END; fails = SELECT x = 3 THEN x := 1 / (x - 3) END";
    let verdict = |operations: [&str; 2], goal: Option<&str>| {
        let text = format!(
            "MACHINE M VARIABLES x INVARIANT x : 0..9 & x /= 2 INITIALISATION x := 0
             OPERATIONS {} END",
            operations.join("; ")
        );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("M.mch");
        std::fs::write(&path, text).unwrap();
        let setup =
            burnside::setup::SetupOptions { goal: goal.map(str::to_owned), ..Default::default() };
        let options = SearchOptions { goal: goal.is_some(), ..SearchOptions::default() };
        run(&open(path, setup), &options).verdict
    };
    use Verdict::*;
    for (one, other, goal, wanted) in [
        (STUCK, WRONG, None, InvariantViolation),
        (STUCK, FAULT, None, StateError),
        (FAULT, WRONG, None, StateError),
        (STUCK, LATER, None, Deadlock),
        (STUCK, LATER, Some("x = 3"), GoalFound),
        (STUCK, LATER, Some("x = 1"), GoalFound),
        (FAULT, LATER, Some("x = 3"), StateError),
        (LATER, LATER, Some("x = 3"), GoalFound),
        (WRONG, LATER, Some("x = 3"), InvariantViolation),
    ] {
        let other = if one == other { "idle = skip" } else { other };
        assert_eq!(verdict([one, other], goal), wanted, "{one}; {other}");
        assert_eq!(verdict([other, one], goal), wanted, "{other}; {one}");
    }
}

/// A complete search counts the same in whatever order states are taken up.
#[test]
fn counts_do_not_depend_on_the_strategy() {
    use burnside::search::Strategy;
    for (name, session) in cases() {
        for symmetry in [SymmetryMode::Off, SymmetryMode::Canon] {
            let breadth = run(&session, &everything(symmetry));
            for strategy in [Strategy::DepthFirst, Strategy::Mixed] {
                let other = run(&session, &SearchOptions { strategy, ..everything(symmetry) });
                let counts = |o: &Outcome| {
                    let whole = (o.full_states.clone(), o.full_transitions.clone());
                    (o.complete, o.nodes, o.transitions, o.expanded, whole)
                };
                assert_eq!(counts(&other), counts(&breadth), "{name}, {}", strategy.name());
                assert!(other.depth >= breadth.depth, "{name}, {}", strategy.name());
            }
        }
    }
}

/// Depth-first search goes on from the state that it stands in, also to one that was seen from another
/// state before.
#[test]
fn depth_first_search_follows_a_path() {
    let text = "MACHINE M VARIABLES x INVARIANT x : 0..99 INITIALISATION x := 0 OPERATIONS
        near = SELECT x = 0 THEN x := 1 END; two = SELECT x = 0 THEN x := 2 END;
        far = SELECT x >= 2 & x < 99 THEN x := x + 1 END; back = SELECT x = 2 THEN x := 1 END END";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("M.mch");
    std::fs::write(&path, text).unwrap();
    let setup = burnside::setup::SetupOptions { goal: Some("x = 1".into()), ..Default::default() };
    let options = SearchOptions {
        goal: true,
        deadlock: false,
        strategy: burnside::search::Strategy::DepthFirst,
        ..SearchOptions::default()
    };
    let outcome = run(&open(path, setup), &options);
    assert_eq!((outcome.verdict, outcome.expanded), (Verdict::GoalFound, 3));
}

#[test]
fn a_report_of_the_operations_begins_with_the_most_common() {
    let session = open(model_file("phonebook_db"), sized(&[("Name", 2), ("Code", 3)], true));
    let outcome = run(&session, &everything(SymmetryMode::Off));
    // Of the 16 states one has no active name, 6 have one, and 9 two.
    let lines = burnside::report::text::operations(&outcome);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(
        lines,
        [
            "add     taken 24 times, first to reach 15 states",
            "delete  taken 24 times, first to reach 0 states",
            "lookup  taken 24 times, first to reach 0 states",
        ]
    );
}
