//! All methods of symmetry reduction on every machine of `models/` and of the collection, and on random
//! ones: what must be equal is equal, and where one method may have more states than another it has no
//! fewer.
//!
//! A debug build leaves out what takes long, and prints what and why. Everything runs with
//! `BURNSIDE_AGREEMENT=full cargo test --release --test agreement -- --nocapture`.

mod common;
#[path = "random/symmetric.rs"]
mod symmetric;
#[path = "agreement/threads.rs"]
mod threads;

use burnside::run::Event;
use burnside::search::{IsoOptions, Outcome, Refinement, SearchOptions, SymmetryMode, Verdict};
use burnside::session::Session;
use common::replay::follow;
use common::{corpus, everything, open, run, sized};
use num_bigint::BigUint;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

use SymmetryMode::*;

/// How much is run.
#[derive(Clone, Copy)]
struct Budget {
    /// States of the machine without reduction, and transitions.
    states: u64,
    transitions: u64,
    /// Permutations that segmented may have to try: the states it looks up, each under the whole group.
    permutations: u64,
    /// Whether the large sizes are taken, too.
    full: bool,
}

fn budget() -> Budget {
    if std::env::var("BURNSIDE_AGREEMENT").is_ok_and(|v| v == "full") {
        Budget { states: 1_000_000, transitions: 10_000_000, permutations: 300_000_000, full: true }
    } else {
        Budget { states: 20_000, transitions: 100_000, permutations: 2_000_000, full: false }
    }
}

type Cards<'c> = &'c [(&'static str, u64)];

/// Sizes of the machines of `models/`: for every build, and only for the full run. A machine that is
/// not listed takes the sizes that it has by itself.
const SIZES: &[(&str, &[Cards<'static>], &[Cards<'static>])] = &[
    ("coalitions", &[&[("PERSON", 2)], &[("PERSON", 3)]], &[]),
    ("committees", &[&[("PERSON", 3)]], &[&[("PERSON", 4)]]),
    ("dining_philosophers", &[&[("PHIL", 3), ("FORK", 3)]], &[&[("PHIL", 4), ("FORK", 4)]]),
    ("email", &[&[("CLIENT", 2)]], &[&[("CLIENT", 3)]]),
    (
        "library",
        &[&[("READER", 3), ("BOOK", 3)], &[("READER", 2), ("BOOK", 4)]],
        &[&[("READER", 4), ("BOOK", 4)]],
    ),
    ("network", &[&[("NODE", 3)]], &[&[("NODE", 4)]]),
    ("peterson", &[&[("PROC", 3)]], &[&[("PROC", 4)]]),
    (
        "phonebook",
        &[&[("Name", 4), ("Code", 4)], &[("Name", 3), ("Code", 5)]],
        &[&[("Name", 6), ("Code", 6)]],
    ),
    ("phonebook_db", &[&[("Name", 4), ("Code", 4)]], &[&[("Name", 5), ("Code", 6)]]),
    (
        "phonebook_err",
        &[&[("Name", 3), ("Code", 3)]],
        &[&[("Name", 4), ("Code", 4)], &[("Name", 5), ("Code", 4)]],
    ),
    ("push_messages", &[&[("NODE", 3)]], &[&[("NODE", 4)]]),
    ("push_phases", &[&[("NODE", 3)]], &[&[("NODE", 4)]]),
    ("russian_postal_puzzle", &[&[("KeyIDs", 4)]], &[&[("KeyIDs", 6)]]),
    ("scheduler", &[&[("PID", 5)]], &[&[("PID", 8)]]),
    ("scheduler0", &[&[("PROC", 5)]], &[&[("PROC", 8)]]),
    ("token_ring", &[&[("SERVER", 3)], &[("SERVER", 4)]], &[&[("SERVER", 5)]]),
    ("trap_named_element", &[&[("VOTER", 4)]], &[&[("VOTER", 8)]]),
    ("trap_partly_enumerated", &[&[("STAFF", 4)]], &[&[("STAFF", 7)]]),
    ("trap_printed_element", &[&[("GUEST", 3), ("TABLE", 3)]], &[&[("GUEST", 4), ("TABLE", 4)]]),
    ("trap_regular_graphs", &[&[("DANCER", 5)], &[("DANCER", 6)]], &[&[("DANCER", 7)]]),
    ("trap_tied_chains", &[&[("S", 4)], &[("S", 5)]], &[&[("S", 6)], &[("S", 7)]]),
];

/// Every machine of `models/`, each with its sizes.
fn models(budget: Budget) -> Vec<(String, PathBuf, Cards<'static>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let files = std::fs::read_dir(folder).expect("models/").map(|e| e.expect("a file").path());
    let mut machines: Vec<PathBuf> =
        files.filter(|f| f.extension().is_some_and(|e| e == "mch")).collect();
    machines.sort();
    let mut cases = Vec::new();
    for path in machines {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let listed = SIZES.iter().find(|(machine, ..)| *machine == name);
        let (small, large): (&[Cards<'static>], &[Cards<'static>]) =
            listed.map_or((&[&[]], &[]), |l| (l.1, l.2));
        let large = if budget.full { large } else { &[] };
        for cards in small.iter().chain(large) {
            let sizes: Vec<String> = cards.iter().map(|(set, n)| format!("{set}={n}")).collect();
            cases.push((format!("{name} {}", sizes.join(" ")), path.clone(), *cards));
        }
    }
    cases
}

/// What is wrong with one machine, and what was left out.
struct Check {
    name: String,
    wrong: Vec<String>,
    skipped: Vec<String>,
}

impl Check {
    fn equal<T: PartialEq + Debug>(&mut self, what: &str, found: T, wanted: T) {
        if found != wanted {
            self.wrong.push(format!("{}: {what}: {found:?} instead of {wanted:?}", self.name));
        }
    }

    fn at_most(&mut self, what: &str, less: u64, more: u64) {
        if less > more {
            self.wrong.push(format!("{}: {what}: {less} and {more}", self.name));
        }
    }

    fn skip(&mut self, why: String) {
        self.skipped.push(format!("{}: skipped: {why}", self.name));
    }
}

/// Whether something is violated, deadlocks or is in error, whether a goal was seen.
fn findings(o: &Outcome) -> ([bool; 5], Option<bool>) {
    let some = [
        o.violating_states > Some(0),
        o.assertion_violations > Some(0),
        o.undefined_checks > 0,
        o.deadlocked_states > Some(0),
        o.state_errors > 0,
    ];
    (some, o.goal_seen)
}

/// The same with numbers.
fn numbers(o: &Outcome) -> [Option<u64>; 7] {
    [
        Some(o.nodes),
        Some(o.transitions),
        o.violating_states,
        o.assertion_violations,
        Some(o.undefined_checks),
        o.deadlocked_states,
        Some(o.state_errors),
    ]
}

fn options(mode: SymmetryMode) -> SearchOptions {
    SearchOptions { flood_limit: u64::MAX, ..everything(mode) }
}

fn check(name: &str, path: &Path, cards: Cards<'_>, budget: Budget) -> Check {
    let mut c = Check { name: name.to_owned(), wrong: Vec::new(), skipped: Vec::new() };
    let plain = open(path.to_owned(), sized(cards, false));
    let fixed = open(path.to_owned(), sized(cards, true));
    let limited = SearchOptions { max_states: Some(budget.states), ..options(Off) };
    let off = run(&plain, &limited);
    if off.states >= budget.states || off.transitions > budget.transitions {
        let (states, transitions) = (off.states, off.transitions);
        c.skip(format!(
            "{states} states and {transitions} transitions, or more, without reduction"
        ));
        return c;
    }
    let canon = run(&plain, &options(Canon));
    let order = canon_order(&plain);
    let tries = order.clone() * canon.transitions;
    let mut modes = SymmetryMode::ALL.to_vec();
    if tries > budget.permutations.into() {
        c.skip(format!("segmented, which would try {tries} permutations"));
        modes.retain(|m| *m != Segmented);
    }
    for mode in &modes {
        let outcome = if *mode == Canon { canon.clone() } else { run(&plain, &options(*mode)) };
        counted(&mut c, *mode, &outcome, &off, &canon);
    }
    for refinement in Refinement::ALL {
        let iso =
            IsoOptions { refinement, symmetry_breaking: refinement == Refinement::PaigeTarjan };
        let outcome = run(&plain, &SearchOptions { iso, ..options(Iso) });
        c.equal(&format!("{iso:?}"), numbers(&outcome), numbers(&canon));
    }
    let best = verdicts(&mut c, "", &plain, &modes, None);
    verdicts(&mut c, "static symmetry, ", &fixed, &modes, best);
    // The set-ups that static symmetry leaves out are counted.
    for mode in [Off, Canon, Iso] {
        let outcome = run(&fixed, &options(mode));
        full(&mut c, &format!("static symmetry, {}", mode.name()), &outcome, &off);
    }
    c
}

fn canon_order(session: &Session) -> BigUint {
    session.model().expect("a model").group.order()
}

/// One method, past everything that is found, against off and canon.
fn counted(c: &mut Check, mode: SymmetryMode, outcome: &Outcome, off: &Outcome, canon: &Outcome) {
    let name = mode.name();
    let of = |what: &str| format!("{name}, {what}");
    c.equal(&of("approximate"), outcome.approximate, mode.is_approximate());
    if mode.is_approximate() {
        c.at_most(&of("nodes, and those of canon"), outcome.nodes, canon.nodes);
        c.equal(&of("complete"), outcome.complete, false);
        if outcome.verdict == Verdict::Ok {
            c.wrong.push(format!("{}: {name} claims to be complete", c.name));
        }
        return;
    }
    c.equal(&of("complete"), outcome.complete, off.complete);
    c.equal(&of("verdict"), outcome.verdict, off.verdict);
    c.equal(&of("findings"), findings(outcome), findings(off));
    // A second image of an orbit may lie deeper than the first.
    match mode {
        ExactMarker | Sorted => {
            c.at_most(&of("depth of off, and its own"), off.depth.into(), outcome.depth.into())
        }
        _ => c.equal(&of("depth"), outcome.depth, off.depth),
    }
    c.at_most(&of("nodes of canon, and its own"), canon.nodes, outcome.nodes);
    c.at_most(&of("nodes, and those of off"), outcome.nodes, off.nodes);
    match mode {
        Segmented | Iso => c.equal(&of("numbers"), numbers(outcome), numbers(canon)),
        Flood => {
            c.equal(&of("nodes"), outcome.nodes, off.nodes);
            c.equal(&of("expanded"), outcome.expanded, canon.expanded);
        }
        _ => {}
    }
    match mode {
        ExactMarker | Sorted => {}
        _ => full(c, name, outcome, off),
    }
}

/// The counts of the whole machine that a method claims.
fn full(c: &mut Check, name: &str, outcome: &Outcome, off: &Outcome) {
    if !off.complete {
        return;
    }
    let claimed = |n: &Option<BigUint>| n.as_ref().map(ToString::to_string);
    let counted = |n: u64| Some(n.to_string());
    c.equal(&format!("{name}, full states"), claimed(&outcome.full_states), counted(off.states));
    let (found, wanted) = (claimed(&outcome.full_transitions), counted(off.transitions));
    c.equal(&format!("{name}, full transitions"), found, wanted);
}

/// The first finding of each method, breadth first: the same for all complete ones, as deep, and a run
/// of the machine for all.
fn verdicts(
    c: &mut Check,
    note: &str,
    session: &Session,
    modes: &[SymmetryMode],
    wanted: Option<(Verdict, Option<usize>)>,
) -> Option<(Verdict, Option<usize>)> {
    let model = session.model().expect("a model");
    let mut wanted = wanted;
    for mode in modes {
        let name = format!("{note}{}", mode.name());
        let options = SearchOptions {
            symmetry: Some(*mode),
            flood_limit: u64::MAX,
            ..SearchOptions::default()
        };
        let outcome = run(session, &options);
        // Where all constants are names of elements, there is no set-up to begin with.
        let steps = outcome
            .finding
            .as_ref()
            .map(|f| f.trace.steps.iter().filter(|s| s.label.event != Event::SetUp).count());
        if mode.is_approximate() {
            if outcome.finding.is_none() {
                c.equal(&format!("{name}, verdict"), outcome.verdict, Verdict::NoneFound);
            }
        } else {
            let this = (outcome.verdict, steps);
            let wanted = *wanted.get_or_insert(this);
            c.equal(&format!("{name}, first finding and its steps"), this, wanted);
        }
        if let Some(finding) = &outcome.finding {
            let what = format!("{}, {name}", c.name);
            match follow(model, &finding.trace) {
                Ok(mut end) if outcome.verdict == Verdict::InvariantViolation => {
                    c.equal(&format!("{what}, invariant at the end"), end.invariant_holds(), false);
                }
                Ok(_) => {}
                Err(why) => c.wrong.push(format!("{what}: the trace is no run: {why}")),
            }
        }
    }
    wanted
}

/// Runs the checks, prints what was left out, and fails with everything that is wrong.
fn all(cases: Vec<(String, PathBuf, Cards<'static>)>) {
    let budget = budget();
    let (mut wrong, mut skipped, mut run) = (Vec::new(), 0, 0);
    for (name, path, cards) in cases {
        let started = std::time::Instant::now();
        let c = check(&name, &path, cards, budget);
        println!("{name}: {:.1} s", started.elapsed().as_secs_f64());
        c.skipped.iter().for_each(|s| println!("{s}"));
        c.wrong.iter().for_each(|w| println!("WRONG {w}"));
        skipped += c.skipped.len();
        run += 1;
        wrong.extend(c.wrong);
    }
    println!("{run} machines with their sizes; {skipped} left out, wholly or in part");
    assert!(wrong.is_empty(), "{} disagreements:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_methods_agree_on_our_models() {
    common::on_a_large_stack(|| all(models(budget())));
}

/// Machines of the collection that are no matter of symmetry and take long: their values are large, or
/// their states are not finite.
const UNSUITED: &[(&str, &str)] = &[
    ("B/Benchmarks/SetLawsNat.mch", "large sets, no symmetric set"),
    ("B/Laws/FunLawsStrings.mch", "its state holds STRING, an infinite set"),
    ("B/PerformanceTests/ConcLargeSequences.mch", "large sequences, no symmetric set"),
    ("B/PerformanceTests/EnumerateFunctionTests4.mch", "large functions, no symmetric set"),
    ("B/PerformanceTests/PrependLargeSequence.mch", "large sequences, no symmetric set"),
    (
        "B/PerformanceTests/ProofDirectedMC/SimpleProofDirectedTest2.mch",
        "large sets, no symmetric set",
    ),
];

#[test]
fn the_methods_agree_on_the_collection() {
    let Some(folder) = corpus::folder() else { return };
    let only = std::env::var("BURNSIDE_CORPUS").unwrap_or_default();
    let full = budget().full;
    let mut cases: Vec<(String, PathBuf, Cards<'static>)> = Vec::new();
    for e in corpus::expected(&folder).into_iter().filter(|e| e.path.contains(&only)) {
        let unsuited = UNSUITED.iter().find(|(path, _)| *path == e.path);
        match unsuited {
            Some((_, why)) if !full || e.path.contains("FunLawsStrings") => {
                println!("{}: skipped: {why}", e.path);
            }
            _ => cases.push((e.path.clone(), folder.join("models").join(&e.path), &[])),
        }
    }
    common::on_a_large_stack(move || all(cases));
}

/// `BURNSIDE_RANDOM=n` machines, from `BURNSIDE_SEED=n` on.
#[test]
fn the_methods_agree_on_random_machines() {
    let number = |name: &str, default: u64| {
        std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
    };
    let mut budget = budget();
    budget.states = budget.states.min(2_000);
    let count = number("BURNSIDE_RANDOM", if budget.full { 3_000 } else { 75 });
    let first = number("BURNSIDE_SEED", 1);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("M.mch");
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for seed in first..first + count {
        let (text, cards) = symmetric::machine(seed);
        std::fs::write(&path, &text).expect("written");
        let c = check(&format!("seed {seed}"), &path, &cards, budget);
        compared += u64::from(c.skipped.is_empty());
        if !c.wrong.is_empty() {
            println!("{text}{cards:?}\n{}\n", c.wrong.join("\n"));
            wrong.push(seed);
        }
    }
    println!("{compared} of {count} random machines compared");
    assert!(wrong.is_empty(), "these machines differ: {wrong:?}");
    assert!(2 * compared >= count || count < 20, "most machines should be small enough");
}
