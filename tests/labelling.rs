//! The labelling of a state as `burnside canon --explain` draws it: example 4.5 and figure 10 of
//! Turner et al., and what may go wrong.

// The graphs that labelling is compared with nauty's on, so that the comparison keeps up with the library.
#[path = "../benches/nauty/src/families.rs"]
mod families;
#[path = "../benches/nauty/src/models.rs"]
mod models;
#[path = "../benches/nauty/src/ours.rs"]
mod ours;

use families::{Family, Random};
use std::path::Path;
use std::process::{Command, Output};

/// Its only step gives the state of the example: `v1 = {{s0}}`, `v2 = {{(s1, s2)}}`.
const EXAMPLE: &str = "\
MACHINE example
SETS S; T
VARIABLES v1, v2
INVARIANT v1 <: POW(S) & v2 <: S <-> T
INITIALISATION v1 := {} || v2 := {}
OPERATIONS
  fill = ANY a, b, c WHERE a : S & b : S & a /= b & c : T
    THEN v1 := {{a}} || v2 := {{b |-> c}} END
END
";

fn canon(text: &str, options: &[&str]) -> Output {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("machine.mch");
    std::fs::write(&file, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command.arg("canon").arg(&file).args(options).output().unwrap()
}

fn printed(output: Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(output: Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

const STEPS: [&str; 6] = ["--card", "S=2", "--card", "T=1", "--steps", "1,1"];

/// The elements are called as in the paper.
#[test]
fn example_4_5_and_figure_10() {
    let text = printed(canon(EXAMPLE, &[&STEPS[..], &["--explain"]].concat()));
    let text = text.replace("S1", "s0").replace("S2", "s1").replace("T1", "s2");
    let start = text.find("Refinement:").unwrap();
    let expected = "\
Refinement:

  π = ({s0, s1}, {s2}, {x0, x1}, {root})
  α = ({s0, s1}, {s2}, {x0, x1}, {root})

W = {s0, s1}, label v1: {x0, x1} is split by d_in into 0: {x1}, 1: {x0}
  π = ({s0, s1}, {s2}, {x1}, {x0}, {root})
  α = ({s2}, {x0, x1}, {root}, {x1}, {x0})

W = {s2}, label v2: {s0, s1} is split by d_out into 0: {s0}, 1: {s1}
  π = ({s0}, {s1}, {s2}, {x1}, {x0}, {root})
  α = ({x0, x1}, {root}, {x1}, {x0}, {s0}, {s1})
  π is discrete

After, in the order of the last partition; the rows are the canonical label:

     | s0 | s1 | s2 | x1 | x0 | root
-----+----+----+----+----+----+-----
s0   | 00 | 00 | 00 | 00 | 10 |   00
-----+----+----+----+----+----+-----
s1   | 00 | 00 | 01 | 01 | 00 |   00
";
    assert!(text[start..].starts_with(expected), "{text}");
    assert!(text[..start].contains("x0 = {s0}") && text[..start].contains("x1 = {(s1|->s2)}"));
    assert!(text.contains("orbit size          2 = 2 / 1"), "{text}");
}

/// Open cells after refinement: vertices are taken out, and the generators say why any would do.
#[test]
fn choices_and_generators_are_told() {
    let text = printed(canon(EXAMPLE, &["--card", "S=4", "--steps", "1", "--explain"]));
    assert!(text.contains("The cell {S1, S2, S3, S4} is still open: S1 is taken out of it."));
    assert_eq!(text.matches("is still open").count(), 4, "three of S and one of T\n{text}");
    assert!(text.contains("orbit size          1 = 48 / 48"), "{text}");
    assert!(text.contains("(S1 S2)\n"), "{text}");
}

#[test]
fn the_same_as_json() {
    let steps = [&STEPS[..], &["--format", "json", "--explain"]].concat();
    let text = printed(canon(EXAMPLE, &steps));
    let told: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&told["format"], &told["orbit_size"]), (&1.into(), &"2".into()));
    assert_eq!(
        told["matrix"]["vertices"],
        serde_json::json!(["S1", "S2", "T1", "x1", "x0", "root"])
    );
    assert_eq!(told["matrix"]["rows"][1], "00 00 01 01 00 00");
    assert_eq!(told["permutation"], serde_json::json!({"S1": "S2", "S2": "S1"}));
    let stages = told["labelling"]["stages"].as_array().unwrap();
    assert_eq!(stages.len(), 3);
    assert_eq!(stages[1]["split"]["by"], serde_json::json!(["S1", "S2"]));
    let ways: Vec<_> = stages[1..].iter().map(|s| &s["split"]["direction"]).collect();
    assert_eq!(ways, ["in", "out"]);
    assert_eq!(told["enabled"].as_array().unwrap().len(), 2);
    let plain = printed(canon(EXAMPLE, &[&STEPS[..], &["--format", "json"]].concat()));
    let plain: serde_json::Value = serde_json::from_str(&plain).unwrap();
    assert!(plain.get("labelling").is_none());
    assert_eq!(plain["canonical_label"], told["canonical_label"]);
}

#[test]
fn what_cannot_be_explained_is_refused() {
    let error = refused(canon(EXAMPLE, &["--steps", "1,7", "--explain"]));
    assert!(error.contains("step 2: there is no transition 7; enabled are"), "{error}");
    let error = refused(canon(EXAMPLE, &["--steps", "0", "--explain"]));
    assert!(error.contains("numbered from 1"), "{error}");
    let error =
        refused(canon("MACHINE m VARIABLES x INVARIANT x : BOOL INITIALISATION x :: {} END", &[]));
    assert!(error.contains("the machine has no initial state"), "{error}");
    let many = "MACHINE m SETS S VARIABLES x INVARIANT x <: S INITIALISATION x := {} END";
    let error = refused(canon(many, &["--card", "S=200", "--steps", "1", "--explain"]));
    assert!(error.contains("201 vertices; at most 200 are explained"), "{error}");
    assert!(canon(many, &["--card", "S=199", "--steps", "1", "--explain"]).status.success());
    let error = refused(canon(many, &["--card", "S=1000", "--steps", "1"]));
    assert!(error.contains("1001 vertices; at most 1000 are drawn"), "{error}");
    let error = refused(canon("MACHINE m END x", &["--format", "json"]));
    assert_eq!(error, "", "what is refused is told as an object on standard output");
}

/// Without steps it is the initial state, also behind a set-up; where there are several, one is chosen
/// by its steps.
#[test]
fn the_only_initial_state_needs_no_steps() {
    let chosen = printed(canon(EXAMPLE, &["--steps", "1"]));
    assert_eq!(printed(canon(EXAMPLE, &[])), chosen);
    let machine = |initial: &str| {
        format!(
            "MACHINE m CONSTANTS k PROPERTIES k = 2 VARIABLES x INVARIANT x : 1..k \
             INITIALISATION {initial} END"
        )
    };
    let text = printed(canon(&machine("x := k"), &[]));
    assert!(text.contains("State after 2 steps"), "{text}");
    let error = refused(canon(&machine("x :: 1..k"), &[]));
    assert!(error.contains("`--steps 1,1` takes the first of\n  1  INIT"), "{error}");
    // Several set-ups: what is told leads to a state, and not to the first of them only.
    let several = "MACHINE m CONSTANTS k PROPERTIES k : 1..3 VARIABLES x INVARIANT x : 1..k \
                   INITIALISATION x := k END";
    let error = refused(canon(several, &[]));
    assert!(error.contains("`--steps 1,1` takes the first of\n  1  SETUP"), "{error}");
    let text = printed(canon(several, &["--steps", "1,1"]));
    assert!(text.contains("State after 2 steps"), "{text}");
    // The first set-up has no initial state.
    let none = several.replace("x := k", "SELECT k > 1 THEN x := k END");
    let error = refused(canon(&none, &[]));
    assert!(error.contains("the first of these leads to none"), "{error}");
}

/// An infinite set has no members to draw.
#[test]
fn infinite_values_are_vertices() {
    let text = "MACHINE m SETS S CONSTANTS f PROPERTIES f = %x.(x : NATURAL | x + 1) VARIABLES v \
                INVARIANT v <: S INITIALISATION v := {} OPERATIONS \
                o(s) = PRE s : S THEN v := v \\/ {s} END END";
    let text = printed(canon(text, &["--steps", "1,1,1", "--explain"]));
    assert!(text.contains("orbit size          2 = 2 / 1"), "{text}");
}

/// States of our machines, random digraphs and highly symmetric graphs: each has the canonical image and the group of
/// a permuted copy.
#[test]
fn the_graphs_that_others_label_too_are_labelled_alike_whatever_their_elements_are_called() {
    let machines = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/models"));
    let mut all = models::families(machines, 16, 10, |_| true);
    all.push(families::random("random", 16, 3, 32, 10));
    all.extend(families::symmetric().into_iter().filter(|f| f.vertices <= 32));
    assert!(all.len() > 40, "{}", all.len());
    for Family { kind, name, vertices, states, mut ours } in all {
        assert!(!states.is_empty(), "{kind:?} {name}");
        let mut random = Random(vertices as u64);
        for state in &states {
            let copy = ours.permuted(state, &mut |n| random.below(u64::from(n)) as u32);
            ours.read(&copy);
            assert_eq!(ours.drawing(state).vertices.len(), ours.drawing(&copy).vertices.len());
            assert_eq!(ours.fixed(state), ours.fixed(&copy), "{name} {vertices}");
            let (one, other) = (ours.label(state), ours::Ours::limited(|| ours.label(&copy)));
            assert!(one.is_some() && one == other, "{name} {vertices}");
        }
    }
}
