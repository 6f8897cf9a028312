//! The machines of `models/` against the counts beside them.
//!
//! Four machines in six sizes and two modes are the rows of the table in Turner et al. (table 1, with
//! its two misprints corrected); phonebook_err has a row of figures of its own.

use crate::common::expected::{Shortest, counts, expected};
use crate::common::replay::replay;
use crate::common::{everything, model_file, run};
use burnside::eval::{Check, Topic};
use burnside::search::{SearchOptions, Strategy, SymmetryMode, Verdict};
use burnside::session::Session;
use burnside::setup::SetupOptions;
use std::collections::BTreeMap;

/// A machine of `models/`, in which all the given sets have one size.
fn open(machine: &str, sets: &[String], size: u64, goal: Option<&str>) -> Session {
    let setup = SetupOptions {
        cards: sets.iter().map(|s| (s.clone(), size)).collect(),
        goal: goal.map(str::to_owned),
        ..SetupOptions::default()
    };
    crate::common::open(model_file(machine), setup)
}

/// Four machines, six sizes, two modes, two figures each.
fn table_one(machine: &str) {
    assert_eq!(counts(machine), 6 * 2, "{machine}: a row is missing");
}

#[test]
fn table_one_scheduler0() {
    table_one("scheduler0");
}

#[test]
fn table_one_scheduler() {
    table_one("scheduler");
}

#[test]
fn table_one_russian_postal_puzzle() {
    table_one("russian_postal_puzzle");
}

#[test]
fn table_one_phonebook() {
    table_one("phonebook");
}

#[test]
fn phonebook_err_counts() {
    assert_eq!(counts("phonebook_err"), 14);
}

#[test]
fn phonebook_db_counts() {
    assert_eq!(counts("phonebook_db"), 11);
}

/// The configurations of a network (Rensink, table 3), up to the names of the nodes, and without
/// reduction `binom(n - 1, c) ^ n` of them.
#[test]
fn network_configurations() {
    assert_eq!(counts("network"), 22);
    let binomial = |n: u64, k: u64| (0..k).fold(1, |b, i| b * (n - i) / (i + 1));
    for row in expected("network").rows {
        let c: u64 = row.constants["view_size"].parse().expect("a number");
        let normal = binomial(row.size - 1, c).pow(row.size as u32);
        assert_eq!(row.full_deadlocked, Some(normal), "{}, {c}", row.size);
    }
}

/// The same by Burnside's lemma, without any search: the mean of the configurations that each
/// permutation of the nodes leaves as they are.
#[test]
fn network_configurations_by_burnsides_lemma() {
    for row in expected("network").rows.iter().filter(|r| r.symmetry == "canon") {
        let c: u64 = row.constants["view_size"].parse().expect("a number");
        let orbits = configurations_up_to_names(row.size, c);
        assert_eq!(row.deadlocked, orbits, "{}, {c}", row.size);
    }
    // Sizes that are too large for a test, but not for the lemma; `burnside tables --full`
    // searches for those of seven nodes.
    let known = [(7, 2, 35_317), (7, 3, 257_290), (8, 2, 967_255), (8, 3, 56_150_820)];
    for (n, c, orbits) in known {
        assert_eq!(configurations_up_to_names(n, c), orbits, "{n}, {c}");
    }
}

/// Orbits of the assignments of `c` other nodes to each of `n` nodes, under all permutations.
fn configurations_up_to_names(n: u64, c: u64) -> u64 {
    let (mut fixed, mut permutations) = (0u128, 0u128);
    partitions(n, n, &mut Vec::new(), &mut |cycles| {
        // How many permutations have cycles of these lengths.
        let mut centraliser = 1;
        for (i, length) in cycles.iter().enumerate() {
            let same = cycles[..=i].iter().filter(|l| *l == length).count() as u128;
            centraliser *= u128::from(*length) * same;
        }
        let alike = (1..=u128::from(n)).product::<u128>() / centraliser;
        permutations += alike;
        // The view of one node of a cycle gives those of the others; going around the cycle once
        // must lead back to it.
        let views = |length: u64| {
            let gcd = |mut a: u64, mut b: u64| {
                while b > 0 {
                    (a, b) = (b, a % b);
                }
                a
            };
            // Subsets by size, each a union of the cycles of the permutation's power.
            let mut subsets = vec![0u128; c as usize + 1];
            subsets[0] = 1;
            let mut parts: Vec<u64> = Vec::new();
            for other in cycles {
                let pieces = gcd(*other, length);
                parts.extend((0..pieces).map(|_| other / pieces));
            }
            // The node itself, which the power leaves in place, is not in its view.
            let own = parts.iter().position(|p| *p == 1).expect("its own cycle falls apart");
            parts.swap_remove(own);
            for part in parts {
                for size in (part..=c).rev() {
                    subsets[size as usize] += subsets[(size - part) as usize];
                }
            }
            subsets[c as usize]
        };
        fixed += alike * cycles.iter().map(|l| views(*l)).product::<u128>();
    });
    assert_eq!(fixed % permutations, 0);
    u64::try_from(fixed / permutations).expect("not so many")
}

/// The ways to write `n` as a sum of numbers up to `most`, in descending order.
fn partitions(n: u64, most: u64, begun: &mut Vec<u64>, each: &mut dyn FnMut(&[u64])) {
    if n == 0 {
        each(begun);
    }
    for part in (1..=most.min(n)).rev() {
        begun.push(part);
        partitions(n - part, part, begun, each);
        begun.pop();
    }
}

/// The push protocol in two granularities (for table 4 of Rensink), without the root, the set-up and
/// the initialisation: stable configurations, states and transitions of operations, without
/// reduction and with it.
#[test]
fn push_protocol() {
    type Counts = (u64, u64);
    let rows: [(&str, u64, u64, u64, Counts, Counts); 6] = [
        ("push_phases", 4, 2, 6, (1769, 2544), (80, 121)),
        ("push_messages", 4, 2, 6, (945, 2232), (44, 100)),
        ("push_phases", 5, 2, 79, (212_451, 349_290), (1850, 3075)),
        ("push_messages", 5, 2, 79, (117_936, 342_360), (1032, 2950)),
        ("push_phases", 5, 3, 13, (33_419, 51_580), (321, 509)),
        ("push_phases", 6, 4, 40, (708_469, 1_142_820), (1220, 2072)),
    ];
    for (machine, n, c, stable, full, reduced) in rows {
        let what = format!("{machine} {n}, {c}");
        let constants = BTreeMap::from([("view_size".to_owned(), c.to_string())]);
        let session = expected(machine).open_with(machine, n, &constants, Some("GOAL"));
        let outcome = run(&session, &everything(SymmetryMode::Canon));
        assert_eq!(outcome.goal_states, Some(stable), "{what}");
        let own = outcome.transitions - outcome.first_transitions;
        assert_eq!((outcome.states, own), reduced, "{what}");
        assert_eq!(outcome.first_transitions, 2, "{what}: one set-up and one ring");
        let first = outcome.full_first_transitions.expect("known");
        let all = outcome.full_transitions.expect("known") - first;
        assert_eq!(outcome.full_states, Some(full.0.into()), "{what}");
        assert_eq!(all, full.1.into(), "{what}");
    }
    assert_eq!(counts("push_phases"), 6);
    assert_eq!(counts("push_messages"), 6);
}

#[test]
fn email_counts() {
    assert_eq!(counts("email"), 10);
}

/// Peterson's protocol (Bosnacki et al., figures 4 and 8). Each process can always do one thing, so
/// there are as many transitions out of each state as processes.
#[test]
fn peterson_counts() {
    assert_eq!(counts("peterson"), 16);
    for row in expected("peterson").rows {
        assert_eq!(row.transitions, row.size * (row.nodes - 1) + 1, "{}", row.size);
    }
}

/// One tuple of arguments for each orbit of the automorphisms of a state: a tenth of the transitions
/// is computed, and all are counted.
#[test]
fn arguments_up_to_automorphisms() {
    for (size, transitions, successors) in [(10, 5_052, 852), (20, 257_348, 24_798)] {
        let session = expected("phonebook_db").open("phonebook_db", size);
        let outcome = run(&session, &everything(SymmetryMode::Canon));
        assert_eq!(outcome.transitions - outcome.first_transitions, transitions, "{size}");
        assert_eq!(outcome.successors, successors, "{size}");
    }
}

/// One label of a representative with several targets counts for the machine as often as it has
/// concrete targets: with four processes `swap` makes 561 of 529.
#[test]
fn full_transitions_count_concrete_targets() {
    let session = open("scheduler", &["PID".to_owned()], 4, None);
    let outcome = run(&session, &crate::common::everything(SymmetryMode::Canon));
    assert_eq!(outcome.transitions, 71);
    assert_eq!(outcome.full_transitions.map(|n| n.to_string()).as_deref(), Some("561"));
}

/// The shortest counterexamples of phonebook_err, in every complete mode, each a run of the real machine.
#[test]
fn phonebook_err_counterexamples() {
    let expected = expected("phonebook_err");
    for Shortest { size, operations } in expected.counterexample {
        let session = open("phonebook_err", &expected.sets, size, None);
        for symmetry in SymmetryMode::ALL.into_iter().filter(|m| !m.is_approximate()) {
            let options = SearchOptions { symmetry: Some(symmetry), ..SearchOptions::default() };
            let outcome = run(&session, &options);
            if operations == 0 {
                assert_eq!(outcome.verdict, Verdict::Ok, "size {size}, {symmetry:?}");
                assert!(outcome.finding.is_none());
                continue;
            }
            assert_eq!(outcome.verdict, Verdict::InvariantViolation);
            let finding = outcome.finding.expect("a counterexample");
            let trace = &finding.trace;
            // The initialisation comes first; there are no constants to set up.
            assert_eq!(trace.steps.len(), 1 + operations, "{trace:#?}");
            let machine = &finding.instance.machine;
            let names: Vec<&str> =
                trace.steps.iter().map(|s| s.label.event.name(machine)).collect();
            assert_eq!(names, ["INITIALISATION", "add", "add", "delete"]);
            let mut end = replay(session.model().expect("a model"), trace, "a counterexample");
            assert!(!end.invariant_holds());
        }
    }
}

/// Longer ones, as the other strategies find them.
#[test]
fn counterexamples_of_every_strategy_are_runs() {
    let sets = ["Name".to_owned(), "Code".to_owned()];
    for size in 2..=4 {
        let session = open("phonebook_err", &sets, size, None);
        for strategy in Strategy::ALL {
            for seed in 1..=5 {
                let options = SearchOptions {
                    symmetry: Some(SymmetryMode::Canon),
                    strategy,
                    seed,
                    ..SearchOptions::default()
                };
                let outcome = run(&session, &options);
                assert_eq!(outcome.verdict, Verdict::InvariantViolation, "{strategy:?} {seed}");
                let trace = outcome.finding.expect("a counterexample").trace;
                let model = session.model().expect("a model");
                let mut end = replay(model, &trace, &format!("{strategy:?} {seed}"));
                assert!(!end.invariant_holds(), "{strategy:?} {seed}");
            }
        }
    }
}

/// The gem arrives: without stopping there it is only noted, and asked for it is found.
#[test]
fn the_postal_puzzle_is_solved() {
    let machine = "russian_postal_puzzle";
    let expected = expected(machine);
    for Shortest { size, operations } in expected.goal {
        for symmetry in SymmetryMode::ALL.into_iter().filter(|m| !m.is_approximate()) {
            let options = SearchOptions { symmetry: Some(symmetry), ..SearchOptions::default() };
            let session = open(machine, &expected.sets, size, None);
            let outcome = run(&session, &options);
            assert_eq!(outcome.verdict, Verdict::Ok);
            assert_eq!(outcome.goal_seen, Some(operations > 0), "size {size}");

            let session = open(machine, &expected.sets, size, Some("GOAL"));
            let outcome = run(&session, &SearchOptions { goal: true, ..options });
            if operations == 0 {
                assert_eq!(outcome.verdict, Verdict::Ok);
                continue;
            }
            assert_eq!(outcome.verdict, Verdict::GoalFound, "size {size}, {symmetry:?}");
            let trace = outcome.finding.expect("a way").trace;
            assert_eq!(trace.steps.len(), 1 + operations, "{trace:#?}");
            let model = session.model().expect("a model");
            let mut end = replay(model, &trace, "a way to the goal");
            assert_eq!(end.evaluator.ask(&end.state, Topic::Goal, None), Ok(Check::Holds));
        }
    }
}
