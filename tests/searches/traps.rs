//! Machines of `models/` that are hard for symmetry reduction: constants as topology, several sets,
//! nested sets, and one machine for each trap.
//!
//! Their counts are held in two ways: by the files beside them, and by what theory says of them.

use crate::common::expected::{counts, expected};
use crate::common::{everything, run};
use burnside::search::{Outcome, SymmetryMode, Verdict};

#[test]
fn counts_are_those_beside_the_machines() {
    for (machine, rows) in [
        ("token_ring", 7),
        ("dining_philosophers", 7),
        ("library", 7),
        ("committees", 7),
        ("coalitions", 6),
        ("trap_named_element", 7),
        ("trap_printed_element", 6),
        ("trap_partly_enumerated", 7),
        ("trap_regular_graphs", 8),
        ("trap_tied_chains", 11),
        ("sudoku", 1),
        ("queens", 4),
        ("crowded_board", 2),
        ("sliding_tiles", 1),
        ("towers", 1),
        ("sandpile", 1),
        ("send_more_money", 1),
        ("colouring", 1),
    ] {
        assert_eq!(counts(machine), rows, "{machine}");
    }
}

/// States with `off` and with `canon`, for each size in the file.
fn states(machine: &str, symmetry: &str) -> Vec<(u64, u64)> {
    let rows = expected(machine).rows.into_iter().filter(|r| r.symmetry == symmetry);
    rows.map(|r| (r.size, r.nodes - r.set_ups() - 1)).collect()
}

fn set_ups(machine: &str, symmetry: &str) -> Vec<(u64, u64)> {
    let rows = expected(machine).rows.into_iter().filter(|r| r.symmetry == symmetry);
    rows.map(|r| (r.size, r.set_ups())).collect()
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

#[test]
fn rings_and_tables_are_as_many_as_theory_says() {
    for (n, count) in states("token_ring", "off") {
        assert_eq!(count, factorial(n) * n * 2u64.pow(n as u32 + 1));
    }
    // The reference tables have these orbits; the set-ups are the partitions of n.
    assert_eq!(states("token_ring", "canon"), [(2, 16), (3, 56), (4, 168), (5, 472)]);
    assert_eq!(set_ups("token_ring", "canon"), [(2, 2), (3, 3), (4, 5), (5, 7)]);
    // A ring of eight would have 4096 states with 22528 transitions: n/2 + 3/2 each.
    for row in expected("token_ring").rows.into_iter().filter(|r| r.symmetry == "off") {
        let (n, states) = (row.size, row.nodes - row.set_ups() - 1);
        let root = row.set_ups() + row.set_ups() * n;
        assert_eq!(2 * (row.transitions - root), states * (n + 3));
    }
    for (n, count) in states("dining_philosophers", "off") {
        assert_eq!(count, factorial(n) * factorial(n - 1) * 3u64.pow(n as u32));
    }
    for (n, count) in states("dining_philosophers", "canon") {
        assert_eq!(count, necklaces(n, 3));
    }
}

/// Necklaces of n beads in k colours that cannot be turned over, by Burnside's lemma.
fn necklaces(n: u64, k: u64) -> u64 {
    fn gcd(a: u64, b: u64) -> u64 {
        if b == 0 { a } else { gcd(b, a % b) }
    }
    (1..=n).map(|turn| k.pow(gcd(turn, n) as u32)).sum::<u64>() / n
}

#[test]
fn nested_sets_are_as_many_as_theory_says() {
    // Subsets of the non-empty subsets, and up to names the hypergraphs.
    for (n, count) in states("committees", "off") {
        assert_eq!(count, 1 << ((1 << n) - 1));
    }
    assert_eq!(states("committees", "canon"), [(1, 2), (2, 6), (3, 40), (4, 1992)]);
    for (n, count) in states("coalitions", "off") {
        let m = (1u64 << ((1 << n) - 1)) - 1;
        assert_eq!(count, 1 + m + m * (m - 1) / 2);
    }
    for (n, count) in states("coalitions", "canon") {
        assert_eq!(count, coalitions(n as u32), "{n} people");
    }
}

/// All permutations of 0..n.
fn permutations(n: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for k in 0..n {
        let longer = all.iter().flat_map(|p: &Vec<usize>| {
            (0..=k).map(move |at| {
                let mut q = p.clone();
                q.insert(at, k);
                q
            })
        });
        all = longer.collect();
    }
    all
}

/// Orbits of sets of at most two non-empty sets of non-empty sets, by trying every permutation.
fn coalitions(n: u32) -> u64 {
    // A set of people is a bit mask; a coalition is a bit mask over those.
    let image = |coalition: u64, p: &[usize]| {
        let parties = (0..1u64 << n).filter(|party| coalition >> party & 1 == 1);
        let moved = parties.map(|party| {
            (0..n as usize).filter(|i| party >> i & 1 == 1).fold(0, |set, i| set | 1u64 << p[i])
        });
        moved.fold(0u64, |set, party| set | 1 << party)
    };
    let group = permutations(n as usize);
    // Without the empty party, which is bit 0.
    let all: Vec<u64> = (1..1u64 << ((1 << n) - 1)).map(|c| c << 1).collect();
    let images: Vec<Vec<u64>> =
        group.iter().map(|p| all.iter().map(|c| image(*c, p)).collect()).collect();
    let least = |members: &[usize]| {
        images.iter().all(|of| {
            let mut moved: Vec<u64> = members.iter().map(|i| of[*i]).collect();
            moved.sort_unstable();
            let own = members.iter().map(|i| all[*i]);
            own.le(moved)
        })
    };
    let mut count = 1;
    for i in 0..all.len() {
        count += u64::from(least(&[i]));
        count += (i + 1..all.len()).filter(|j| least(&[i, *j])).count() as u64;
    }
    count
}

/// All pairs of functions that the invariant of library.mch allows, and their orbits.
#[test]
fn the_library_has_all_states_that_its_invariant_allows() {
    let by_hand: Vec<(u64, u64, u64)> = (1..=3).map(library).collect();
    let off = states("library", "off");
    let canon = states("library", "canon");
    for ((n, states, orbits), (off, canon)) in by_hand.into_iter().zip(off.iter().zip(&canon)) {
        assert_eq!((*off, *canon), ((n, states), (n, orbits)));
    }
}

fn library(n: usize) -> (u64, u64, u64) {
    // 0: nobody, or nothing.
    let functions: Vec<Vec<usize>> = (0..(n + 1).pow(n as u32))
        .map(|code| (0..n as u32).map(|i| code / (n + 1).pow(i) % (n + 1)).collect())
        .collect();
    let allowed = |lent: &[usize], reserved: &[usize]| {
        (0..n).all(|r| reserved[r] == 0 || ![0, r + 1].contains(&lent[reserved[r] - 1]))
    };
    let group = permutations(n);
    let moved = |f: &[usize], from: &[usize], to: &[usize]| {
        let mut image = vec![0; n];
        (0..n).for_each(|i| image[from[i]] = if f[i] == 0 { 0 } else { to[f[i] - 1] + 1 });
        image
    };
    let (mut states, mut orbits) = (0, 0);
    for lent in &functions {
        for reserved in functions.iter().filter(|reserved| allowed(lent, reserved)) {
            states += 1;
            let least = group.iter().all(|readers| {
                group.iter().all(|books| {
                    let image = (moved(lent, books, readers), moved(reserved, readers, books));
                    (lent, reserved) <= (&image.0, &image.1)
                })
            });
            orbits += u64::from(least);
        }
    }
    (n as u64, states, orbits)
}

#[test]
fn chains_are_lists_of_lists() {
    // Sets of lists, and partitions.
    let lists = [(1, 1), (2, 3), (3, 13), (4, 73), (5, 501)];
    assert_eq!(states("trap_tied_chains", "off"), lists);
    let partitions = [(1, 1), (2, 2), (3, 3), (4, 5), (5, 7), (8, 22)];
    assert_eq!(states("trap_tied_chains", "canon"), partitions);
}

// ----- what the traps are there for

fn search(machine: &str, size: u64, mode: SymmetryMode) -> Outcome {
    run(&expected(machine).open(machine, size), &everything(mode))
}

/// Methods that look at neighbours only take the forbidden ring of six for two rings of three.
#[test]
fn approximate_methods_miss_the_ring_of_six() {
    for mode in SymmetryMode::ALL {
        let outcome = search("trap_regular_graphs", 6, mode);
        let found = outcome.violating_states > Some(0);
        assert_eq!(found, !mode.is_approximate(), "{}", mode.name());
    }
}

/// The elements that are printed are not merged, and the sets beside them still are.
#[test]
fn printed_elements_are_told_apart() {
    let session = expected("trap_printed_element").open("trap_printed_element", 3);
    let model = session.model().expect("a model");
    let symmetric: Vec<(&str, bool)> = model.sets.iter().map(|s| (&*s.name, s.symmetric)).collect();
    assert_eq!(symmetric, [("GUEST", false), ("TABLE", true)]);
    for mode in SymmetryMode::ALL {
        let outcome = run(&session, &everything(mode));
        assert_eq!(outcome.violating_states, Some(0), "{}", mode.name());
        let none = if mode.is_approximate() { Verdict::NoneFound } else { Verdict::Ok };
        assert_eq!(outcome.verdict, none, "{}", mode.name());
    }
}
