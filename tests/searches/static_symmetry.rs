//! Static symmetry of constants: the set-ups that are kept, their weights, and exact full counts with
//! every combination of static symmetry and symmetry reduction of states.

use burnside::eval::Evaluator;
use burnside::normalise;
use burnside::report::steps::StepText;
use burnside::search::{self, Control, OnViolation, Outcome, SearchOptions, SymmetryMode};
use burnside::setup::static_symmetry::Domain;
use burnside::setup::{self, Model, SetupOptions};
use burnside::typing::Formula;
use num_bigint::BigUint;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn model_with(text: &str, options: &SetupOptions) -> Model {
    let loaded = normalise::load_text("M.mch", text);
    let machine = match loaded.machine {
        Some(machine) => machine,
        None => panic!("{:?}\n{text}", loaded.diagnostics),
    };
    match setup::set_up(&Arc::new(machine), options, None) {
        Ok(model) => model,
        Err(diagnostics) => panic!("{diagnostics:?}\n{text}"),
    }
}

fn model(text: &str, static_symmetry: bool) -> Model {
    model_with(text, &SetupOptions { static_symmetry, ..SetupOptions::default() })
}

/// The printed set-ups with their weights, in the order in which they are found.
fn setups(model: &Model) -> Vec<(Vec<String>, BigUint)> {
    let mut found = Vec::new();
    Evaluator::new(model.program.clone()).setups(&mut found).expect("solutions");
    let instance = &model.instance;
    let constants = &instance.machine.constants;
    found
        .iter()
        .map(|values| {
            let shown = constants.iter().zip(values).map(|(c, v)| instance.names.show(&c.ty, v));
            (shown.collect(), model.static_symmetry.weight(instance, values).to_biguint())
        })
        .collect()
}

/// Holds that the weights add up to the number of set-ups without static symmetry, and gives both
/// numbers of set-ups: kept and all.
fn counts(text: &str) -> (usize, usize) {
    let kept = setups(&model(text, true));
    let all = setups(&model(text, false));
    let sum: BigUint = kept.iter().map(|(_, w)| w).sum();
    assert_eq!(sum, BigUint::from(all.len()), "weights of {kept:?}\n{text}");
    assert!(all.iter().all(|(_, w)| *w == BigUint::from(1u32)));
    let different: BTreeSet<&Vec<String>> = kept.iter().map(|(row, _)| row).collect();
    assert_eq!(different.len(), kept.len(), "{text}");
    (kept.len(), all.len())
}

fn run(model: &Model, symmetry: SymmetryMode) -> Outcome {
    let options = SearchOptions {
        symmetry: Some(symmetry),
        on_violation: OnViolation::Expand,
        keep_going: true,
        ..SearchOptions::default()
    };
    search::run(model, &options, &Arc::new(Control::new()))
}

/// Holds that both reductions, alone and together, know the exact counts of the unreduced machine
/// and come to its verdict; gives the outcomes of off and canon with static symmetry.
fn full_counts_agree(text: &str, options: &SetupOptions) -> (Outcome, Outcome) {
    let without = SetupOptions { static_symmetry: false, ..options.clone() };
    let (plain, reduced) = (model_with(text, &without), model_with(text, options));
    let truth = run(&plain, SymmetryMode::Off);
    let states = Some(BigUint::from(truth.states));
    let transitions = Some(BigUint::from(truth.transitions));
    assert!(truth.complete, "{:?}\n{text}", truth.bounds);
    let mut outcomes = Vec::new();
    for (model, symmetry) in [
        (&plain, SymmetryMode::Off),
        (&plain, SymmetryMode::Canon),
        (&reduced, SymmetryMode::Off),
        (&reduced, SymmetryMode::Canon),
    ] {
        // The first is the search that the others are held against.
        let outcome = if outcomes.is_empty() { truth.clone() } else { run(model, symmetry) };
        let which = format!("{symmetry:?} {:?}\n{text}", model.static_symmetry);
        assert_eq!(outcome.verdict, truth.verdict, "{which}");
        assert_eq!(outcome.full_states, states, "states, {which}");
        assert_eq!(outcome.full_transitions, transitions, "transitions, {which}");
        assert!(outcome.states <= truth.states);
        outcomes.push(outcome);
    }
    let canon = outcomes.pop().expect("four");
    (outcomes.pop().expect("four"), canon)
}

const TEN: &str = "MACHINE M SETS D CONSTANTS a, b, c, d
PROPERTIES a : D & b : D & a /= b & c : D & d : D & card(D) = 6 END";

#[test]
fn exactly_the_ten_rows() {
    let kept = setups(&model(TEN, true));
    let rows: BTreeSet<String> = kept.iter().map(|(row, _)| row.join(" ")).collect();
    let expected = [
        "a b a a",
        "a b a b",
        "a b D3 D4",
        "a b a D3",
        "a b b a",
        "a b b b",
        "a b b D3",
        "a b D3 a",
        "a b D3 b",
        "a b D3 D3",
    ];
    assert_eq!(rows, expected.iter().map(|r| r.to_string()).collect());
    assert_eq!(counts(TEN), (10, 1080));
    let all = "MACHINE M SETS D CONSTANTS a, b, c, d
PROPERTIES a : D & b : D & c : D & d : D & card(D) = 6 END";
    assert_eq!(counts(all), (15, 1296));
}

#[test]
fn partitions_take_free_elements_in_order() {
    let parts = |more: &str| {
        format!(
            "MACHINE M SETS D CONSTANTS A, B
PROPERTIES D = A \\/ B & A /\\ B = {{}} & card(D) = 6{more} END"
        )
    };
    assert_eq!(counts(&parts(" & card(A) = 3")), (1, 20));
    let kept = setups(&model(&parts(" & card(A) = 3"), true));
    assert_eq!(kept[0].0, ["{D1,D2,D3}", "{D4,D5,D6}"]);
    assert_eq!(counts(&parts("")), (7, 64));
    assert_eq!(
        counts(
            "MACHINE M SETS D CONSTANTS A, B, C
PROPERTIES {} = B /\\ A & A \\/ (B \\/ C) = D & B /\\ C = {} & C /\\ A = {} & card(D) = 4 END"
        ),
        (15, 81)
    );
    // not all pairs are disjoint: no partition
    assert_eq!(
        counts(
            "MACHINE M SETS D CONSTANTS A, B, C
PROPERTIES D = A \\/ B \\/ C & A /\\ B = {} & B /\\ C = {} & card(D) = 2 END"
        )
        .0,
        16
    );
}

#[test]
fn a_set_is_partitioned_behind_the_elements_that_constants_use() {
    // a is D1, c is D1 or D2; D3 to D6 are free: 2 * 4 ways for D1 and D2, 5 for the rest.
    let text = "MACHINE M SETS D CONSTANTS a, c, A, B
PROPERTIES a : D & c : D & D = A \\/ B & A /\\ B = {} & card(D) = 6 END";
    assert_eq!(counts(text), (2 * 4 * 5, 36 * 64));
    // The second partition finds the set ordered.
    let text = "MACHINE M SETS D CONSTANTS A, B, P, Q
PROPERTIES D = A \\/ B & A /\\ B = {} & D = P \\/ Q & P /\\ Q = {} & card(D) = 4 END";
    assert_eq!(counts(text), (5 * 16, 256));
}

#[test]
fn the_first_bijection_is_fixed() {
    let text = "MACHINE M SETS S; T CONSTANTS f, g
PROPERTIES f : S >->> T & g : S >->> T & card(S) = 4 & card(T) = 4 END";
    assert_eq!(counts(text), (24, 576));
    let kept = setups(&model(text, true));
    assert!(kept.iter().all(|(row, _)| row[0] == "{(S1|->T1),(S2|->T2),(S3|->T3),(S4|->T4)}"));
    // Ten elements: out of reach if solutions were filtered.
    let text = "MACHINE M SETS S; T CONSTANTS f PROPERTIES f : S >->> T & card(S) = 10 END";
    let kept = setups(&model(text, true));
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].1, BigUint::from(3628800u32));
    // S is ordered by a constant; T still lends its symmetry.
    let text = "MACHINE M SETS S; T CONSTANTS a, f
PROPERTIES a : S & f : S >->> T & card(S) = 3 END";
    assert_eq!(counts(text), (1, 18));
    // Both are ordered.
    let text = "MACHINE M SETS S; T CONSTANTS a, b, f
PROPERTIES a : S & b : T & f : S >->> T & card(S) = 3 END";
    assert_eq!(counts(text), (6, 54));
    // Within one set there is no such freedom.
    let text = "MACHINE M SETS S CONSTANTS f PROPERTIES f : S >->> S & card(S) = 3 END";
    assert_eq!(counts(text), (6, 6));
}

#[test]
fn a_numbering_is_fixed() {
    let text = "MACHINE M SETS S; T CONSTANTS n, f, g
PROPERTIES n = card(S) + 1 & f : 2..n >->> S & g : 1..3 >->> S & card(S) = 3 END";
    assert_eq!(counts(text), (6, 36));
    let kept = setups(&model(text, true));
    assert!(kept.iter().all(|(row, _)| row[1] == "{(2|->S1),(3|->S2),(4|->S3)}"), "{kept:?}");
    let lines = model(text, true).explanation.lines().join("\n");
    assert!(lines.contains("f numbers the elements of S in order"), "{lines}");
    // The other way round nothing is fixed, as in ProB.
    let text = "MACHINE M SETS S CONSTANTS f PROPERTIES f : S >->> 1..3 & card(S) = 3 END";
    assert_eq!(counts(text), (6, 6));
}

#[test]
fn a_set_of_one_member_holds_the_first_element() {
    let text = "MACHINE M SETS S CONSTANTS A, B, R
PROPERTIES S = A \\/ B & A /\\ B = {} & R <: A & card(R) = 1 & card(S) = 4 END";
    assert_eq!(counts(text), (4, 4 * 8));
    let lines = model(text, true).explanation.lines().join("\n");
    assert!(lines.contains("R is the set of S1"), "{lines}");
    // Of two sets of one member the second is where it can be.
    let text = "MACHINE M SETS S CONSTANTS P, Q
PROPERTIES P <: S & Q <: S & 1 = card(P) & card(Q) = 1 & card(S) = 4 END";
    assert_eq!(counts(text), (4, 16));
    // A constant that is an element comes first.
    let text = "MACHINE M SETS S CONSTANTS P, a
PROPERTIES P <: S & a : S & card(P) = 1 & card(S) = 4 END";
    assert_eq!(counts(text), (4, 16));
}

/// The rules narrow the search for set-ups down; solutions are not filtered.
#[test]
fn large_sets_are_set_up_in_order() {
    // The Bell numbers: 9^9 assignments without the rule.
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let typed: Vec<String> = names.iter().map(|n| format!("{n} : S")).collect();
    let text = format!(
        "MACHINE M SETS S CONSTANTS {} PROPERTIES {} & card(S) = 20 END",
        names.join(", "),
        typed.join(" & ")
    );
    assert_eq!(setups(&model(&text, true)).len(), 21147);
    let text = "MACHINE M SETS S CONSTANTS A, B, C
PROPERTIES S = A \\/ B \\/ C & A /\\ B = {} & A /\\ C = {} & B /\\ C = {} & card(S) = 16 END";
    let kept = setups(&model(text, true));
    assert_eq!(kept.len(), 17 * 18 / 2);
    assert_eq!(kept.iter().map(|(_, w)| w).sum::<BigUint>(), BigUint::from(3u32).pow(16));
}

#[test]
fn distinctness_is_read_in_its_many_forms() {
    let text = |p: &str| {
        format!(
            "MACHINE M SETS S CONSTANTS x, a, b, c PROPERTIES x : S & a : S & b : S & c : S & {p} END"
        )
    };
    for p in [
        "card({a, b, c}) = 3 & card(S) = 4",
        "3 = card({a, b, c}) & card(S) = 4",
        "a /: {b, c} & b /= c & card(S) = 4",
        "not(a = b) & not(c : {a, b}) & card(S) = 4",
        "{a, b} /\\ {c} = {} & a /= b & card(S) = 4",
    ] {
        let text = text(p);
        // x is one of four: a largest set of distinct constants leaves x to the index rule.
        assert_eq!(counts(&text), (4, 96), "{p}");
        assert_eq!(model(&text, true).sets[0].fixed, ["a", "b", "c"], "{p}");
    }
    let text = "MACHINE M SETS S CONSTANTS a, b, c
PROPERTIES S = {a, b, c} & card(S) = 3 END";
    assert_eq!(counts(text), (1, 6));
    let text = "MACHINE M SETS S CONSTANTS a, b, R
PROPERTIES a : S & b : S & R <: S & S = {a} \\/ {b} \\/ R & {a} /\\ {b} = {} & {a} /\\ R = {} & {b} /\\ R = {} & card(S) = 4 END";
    assert_eq!(counts(text), (1, 12));
}

#[test]
fn a_constant_that_names_an_element_is_one_no_more() {
    let text =
        "MACHINE M SETS S CONSTANTS a, b, k PROPERTIES a : S & b : S & a /= b & k = 3 & card(S) = 4
VARIABLES x INVARIANT x : S & x /= b INITIALISATION x := a
OPERATIONS go(y) = PRE y : S THEN x := y END END";
    let model = model(text, true);
    assert_eq!(model.sets[0].fixed, ["a", "b"]);
    assert_eq!(model.group.order(), BigUint::from(2u32));
    let outcome = search::run(&model, &SearchOptions::default(), &Arc::new(Control::new()));
    let finding = outcome.finding.expect("a violation");
    let steps = StepText::all(&finding.instance, &finding.trace);
    let shown: Vec<(&str, &[(String, String)])> =
        steps.iter().map(|s| (&*s.operation, &s.changed[..])).collect();
    let of = |name: &str, value: &str| (name.to_string(), value.to_string());
    assert_eq!(
        shown,
        [
            ("SETUP_CONSTANTS", &[of("k", "3")][..]),
            ("INITIALISATION", &[of("x", "a")][..]),
            ("go", &[of("x", "b")][..]),
        ]
    );
    assert_eq!(steps[2].arguments, ["b"]);
}

#[test]
fn the_explanation_says_what_became_of_each_set() {
    let text = "MACHINE M SETS D; S; T; One CONSTANTS a, b, c, A, B, f
PROPERTIES a : D & b : D & a /= b & c : D & D = A \\/ B & A /\\ B = {} & f : S >->> T & card(S) = 3
DEFINITIONS scope_D == 6; scope_One == 1 END";
    let model = model(text, true);
    assert_eq!(
        model.explanation.lines().join("\n"),
        "D: 6 elements, chosen by the definition scope_D
  D1 is fixed: it is the constant a
  D2 is fixed: it is the constant b
  c: each takes a used element or the first unused one
  the elements from D4 on go to A, B in ascending order
  symmetric: 4 elements are left, 24 permutations
S: 3 elements, as the PROPERTIES ask for
  f pairs the elements of S and T in order
  symmetric: 3 interchangeable elements, 6 permutations
T: 3 elements, as the PROPERTIES ask for
  f pairs the elements of T and S in order
  symmetric: 3 interchangeable elements, 6 permutations
One: 1 element, chosen by the definition scope_One
  symmetric: there is one element only
group of order 864; static symmetry of constants on"
    );
    assert_eq!(model.group.exact_order(), model.explanation.order);
    let off = self::model(text, false);
    assert_eq!(off.group.order(), BigUint::from(720u32 * 6 * 6));
    assert!(off.explanation.sets.iter().all(|s| s.fixed.is_empty() && s.ordered.is_empty()));
}

#[test]
fn a_goal_that_names_elements_keeps_its_set_unordered() {
    let text = "MACHINE M SETS S CONSTANTS a PROPERTIES a : S & card(S) = 3
VARIABLES x INVARIANT x : S INITIALISATION x := a
OPERATIONS stay = skip END";
    // Only the set-up in which a is S2 reaches the goal.
    let mut sources = burnside::source::Sources::default();
    let file = sources.add("goal", "x = S2");
    let goal = burnside::syntax::parse_formula(&sources, file).expect("a predicate");
    let goal = Formula::plain(goal);
    let machine = Arc::new(normalise::load_text("M.mch", text).machine.expect("loads"));
    let options = SetupOptions { goal: Some("x = S2".into()), ..SetupOptions::default() };
    let model = setup::set_up(&machine, &options, Some(&goal)).expect("sets up");
    assert_eq!(model.explanation.sets[0].fixed[0].text(), "S2 is fixed: the goal names it");
    for symmetry in SymmetryMode::ALL {
        let search =
            SearchOptions { symmetry: Some(symmetry), goal: true, ..SearchOptions::default() };
        let outcome = search::run(&model, &search, &Arc::new(Control::new()));
        assert_eq!(outcome.verdict, search::Verdict::GoalFound);
    }
}

/// A goal that names an element keeps the rules from the set of that element, and from no other.
#[test]
fn a_goal_that_names_elements_leaves_the_other_sets_ordered() {
    let text = "MACHINE M SETS S; T; COLOUR = {red, green} CONSTANTS a, b
PROPERTIES a : S & b : T & card(S) = 3 & card(T) = 4
VARIABLES x, c INVARIANT x : S & c : COLOUR INITIALISATION x := a || c := red
OPERATIONS turn = c := green END";
    let machine = Arc::new(normalise::load_text("M.mch", text).machine.expect("loads"));
    let fixed = |goal: &str| {
        let mut sources = burnside::source::Sources::default();
        let file = sources.add("goal", goal);
        let node = burnside::syntax::parse_formula(&sources, file).expect("a predicate");
        let node = Formula::plain(node);
        let options = SetupOptions { goal: Some(goal.to_owned()), ..SetupOptions::default() };
        let model = setup::set_up(&machine, &options, Some(&node)).expect("sets up");
        assert!(model.explanation.static_symmetry);
        let of_set = |s: &setup::explain::SetExplanation| {
            s.fixed.iter().map(|f| f.text()).collect::<Vec<_>>().join(", ")
        };
        model.explanation.sets.iter().map(of_set).collect::<Vec<_>>()
    };
    let (a, b) = ("S1 is fixed: it is the constant a", "T1 is fixed: it is the constant b");
    assert_eq!(fixed("c = green"), [a, b]);
    assert_eq!(fixed("x = S2"), ["S2 is fixed: the goal names it", b]);
    assert_eq!(
        fixed("x = S2 & b = T1"),
        ["S2 is fixed: the goal names it", "T1 is fixed: the goal names it"]
    );
}

#[test]
fn full_counts_of_the_ten_rows_with_a_variable() {
    let text = "MACHINE M SETS D CONSTANTS a, b, c, d
PROPERTIES a : D & b : D & a /= b & c : D & d : D & card(D) = 5
VARIABLES s INVARIANT s <: D & d /: s INITIALISATION s := {c}
OPERATIONS add(x) = PRE x : D & x /: s & x /= a THEN s := s \\/ {x} END;
           drop(x) = PRE x : s & (x = d or c = d) THEN s := s - {x} END END";
    let (off, canon) = full_counts_agree(text, &SetupOptions::default());
    assert!(canon.states < off.states);
}

#[test]
fn full_counts_of_a_partition_with_a_variable() {
    let text = "MACHINE M SETS D CONSTANTS A, B
PROPERTIES D = A \\/ B & A /\\ B = {} & card(D) = 5
VARIABLES s INVARIANT s <: D INITIALISATION s := A
OPERATIONS swap(x, y) = PRE x : s & y : B & y /: s THEN s := (s - {x}) \\/ {y} END;
           drop(x) = PRE x : s /\\ B THEN s := s - {x} END END";
    let (off, canon) = full_counts_agree(text, &SetupOptions::default());
    assert!(canon.states < off.states);
}

#[test]
fn full_counts_of_random_machines() {
    let mut random = Random(2);
    // Machines in which each rule took part.
    let mut rules = [0; 6];
    for _ in 0..160 {
        let text = random.machine();
        let (kept, _) = counts(&text);
        if kept == 0 {
            continue;
        }
        full_counts_agree(&text, &SetupOptions::default());
        let found = model(&text, true).static_symmetry;
        rules[0] += found.fixed().next().is_some() as u32;
        rules[1] += found.orders.iter().any(|o| !o.indexed.is_empty()) as u32;
        rules[2] += found.orders.iter().any(|o| o.partition.is_some()) as u32;
        let from = found.bijection.map(|bijection| bijection.from);
        rules[3] += matches!(from, Some(Domain::Set(_))) as u32;
        rules[4] += matches!(from, Some(Domain::Interval(_))) as u32;
        rules[5] += found.orders.iter().any(|o| o.single.is_some()) as u32;
    }
    assert!(rules.iter().all(|n| *n >= 3), "{rules:?}");
}

/// A small generator of numbers and machines, the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as usize
    }

    fn one_of<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }

    /// Two deferred sets, constants over them in a random order, random properties and operations.
    fn machine(&mut self) -> String {
        const CONSTANTS: &[(&str, &str)] = &[
            ("a", "a : S"),
            ("b", "b : S"),
            ("c", "c : S"),
            ("t", "t : T"),
            ("u", "u : T"),
            ("A, B", "A <: S & B <: S"),
            ("f", "f : S >->> T"),
            ("g", "g : S +-> T"),
            ("h", "h : 1..card(T) >->> T"),
        ];
        const MORE: &[&str] = &[
            "a /= b",
            "card({b, c}) = 2",
            "c /= a",
            "t /= u",
            "S = A \\/ B & A /\\ B = {}",
            "B \\/ A = S & A /\\ B = {}",
            "S = B \\/ {a} \\/ A & A /\\ B = {} & {a} /\\ A = {} & B /\\ {a} = {}",
            "S = {a} \\/ {b} \\/ A & a /= b & {a} /\\ A = {} & {b} /\\ A = {}",
            "a : A",
            "b /: B",
            "f(a) = t",
            "u /: f[A]",
            "a : dom(g)",
            "card(A) <= card(B)",
            "g <: f",
            "card(g) < 2",
            "A /= S",
            "card(A) = 1",
            "card(A) = 1 & A <: B",
            "h(1) /= t",
        ];
        const GUARDS: &[&str] = &[
            "x /= a",
            "x : A",
            "x /: B",
            "f(x) = t",
            "x : dom(g)",
            "u : f[s]",
            "x /: s",
            "1 = 1",
            "x = c or x = b",
        ];
        let mut order: Vec<usize> = (0..CONSTANTS.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, self.below(i + 1));
        }
        order.truncate(1 + self.below(4));
        let names: Vec<&str> = order.iter().flat_map(|i| CONSTANTS[*i].0.split(", ")).collect();
        let known = |p: &str| {
            let words = p.split(|c: char| !c.is_alphanumeric());
            let mut letters = words.filter(|w| w.len() == 1);
            letters.all(|w| names.contains(&w) || ["S", "T", "s", "x", "1", "2"].contains(&w))
        };
        let size = 2 + self.below(if order.len() > 1 { 2 } else { 3 });
        let mut properties: Vec<String> =
            order.iter().map(|i| CONSTANTS[*i].1.to_string()).collect();
        let possible: Vec<&&str> = MORE.iter().filter(|p| known(p)).collect();
        for _ in 0..self.below(3) {
            if !possible.is_empty() {
                properties.push(possible[self.below(possible.len())].to_string());
            }
        }
        let guards: Vec<&str> = GUARDS.iter().copied().filter(|g| known(g)).collect();
        let (first, second) = (self.one_of(&guards), self.one_of(&guards));
        format!(
            "MACHINE M SETS S; T CONSTANTS {} PROPERTIES {}
DEFINITIONS scope_S == {size}; scope_T == {}
VARIABLES s, y INVARIANT s <: S & y : T INITIALISATION s := {{}} || y :: T
OPERATIONS add(x) = PRE x : S & x /: s & {first} THEN s := s \\/ {{x}} END;
r <-- drop(x) = PRE x : s & {second} THEN s := s - {{x}} || r := y END;
turn = ANY z WHERE z : T & (z /= y or s = {{}}) THEN y := z END END",
            names.join(", "),
            properties.join(" & "),
            if self.below(3) == 0 { 2 } else { size },
        )
    }
}

// ----- real machines, where the collection is at hand

fn corpus() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/models");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: the collection of machines is not at hand");
    None
}

#[test]
fn dining() {
    let Some(folder) = corpus() else { return };
    let text =
        std::fs::read_to_string(folder.join("B/SymmetryReduction/Dining.mch")).expect("text");
    assert_eq!(counts(&text), (9, 216));
    let kept = setups(&model(&text, true));
    assert!(kept.iter().all(|(_, weight)| *weight == BigUint::from(24u32)));
    let (off, canon) = full_counts_agree(&text, &SetupOptions::default());
    assert_eq!((off.nodes - 1, off.transitions), (738, 3906));
    // The two orbits of set-ups.
    let plain = run(&model(&text, false), SymmetryMode::Off);
    assert_eq!((plain.nodes - 1, plain.transitions), (17712, 93744));
    assert_eq!(canon.nodes - canon.states - 1, 2);
}

/// All machines of the collection, loaded.
fn real_machines(folder: &Path) -> Vec<(PathBuf, burnside::machine::Machine)> {
    let (mut folders, mut found) = (vec![folder.to_path_buf()], Vec::new());
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<PathBuf> =
            std::fs::read_dir(folder).expect("folder").flatten().map(|e| e.path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "mch")
                && let Some(machine) = normalise::load_machine(&path).machine
            {
                found.push((path, machine));
            }
        }
    }
    found
}

/// For every real machine with a set-up that static symmetry can change: the weights add up, and
/// neither the verdict nor the full counts change.
#[test]
fn static_symmetry_changes_no_verdict() {
    let Some(folder) = corpus() else { return };
    let test = move || {
        let mut looked_at = 0;
        for (path, machine) in real_machines(&folder) {
            let machine = Arc::new(machine);
            let with = |static_symmetry| {
                let options = SetupOptions { static_symmetry, ..SetupOptions::default() };
                setup::set_up(&machine, &options, None)
            };
            let (Ok(on), Ok(off)) = (with(true), with(false)) else { continue };
            if on.static_symmetry == off.static_symmetry {
                // No rule applies: it is the same program.
                assert_eq!(on.group, off.group, "{}", path.display());
                continue;
            }
            looked_at += 1;
            let sum: BigUint = setups(&on).into_iter().map(|(_, w)| w).sum();
            assert_eq!(sum, BigUint::from(setups(&off).len()), "{}", path.display());
            for symmetry in [SymmetryMode::Off, SymmetryMode::Canon] {
                let (on, off) = (run(&on, symmetry), run(&off, symmetry));
                assert_eq!(on.verdict, off.verdict, "{}", path.display());
                assert_eq!(on.full_states, off.full_states, "{}", path.display());
                assert_eq!(on.full_transitions, off.full_transitions, "{}", path.display());
            }
        }
        println!("{looked_at} machines looked at");
        assert!(looked_at > 0);
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(test).expect("thread");
    thread.join().expect("no panic");
}

/// Nothing before the search is quadratic in the size of a set, and no factorial is multiplied out.
#[test]
fn a_set_of_a_million_elements_is_set_up_at_once() {
    let text = "MACHINE M SETS D CONSTANTS a PROPERTIES a : D
VARIABLES x INVARIANT x : D INITIALISATION x := a
OPERATIONS stay = skip END";
    let machine = Arc::new(normalise::load_text("M.mch", text).machine.expect("loads"));
    let cards = vec![("D".to_owned(), 1_000_000)];
    let options = SetupOptions { cards, ..SetupOptions::default() };
    let start = std::time::Instant::now();
    let model = setup::set_up(&machine, &options, None).expect("sets up");
    // A second unoptimised; minutes, when anything is quadratic.
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
    assert_eq!(model.explanation.order.to_string(), "999999!");
    let lines = model.explanation.lines().join("\n");
    assert!(lines.contains("symmetric: 999999 elements are left, 999999! permutations"), "{lines}");
}
