//! The labelling of a state: for people, and as one JSON object (format 1: later versions of it only
//! add fields).

use super::json::{FORMAT, Step, pretty, step};
use super::steps::StepText;
use super::{labelling, matrix};
use crate::printable;
use crate::symmetry::steps::Event;
use crate::symmetry::{CanonView, Matrix};
use serde::Serialize;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt::Write;

/// A labelling with names and values as they may be shown: what makes a text of it wants to know how
/// much room they take.
pub fn shown(mut view: CanonView) -> CanonView {
    let pairs = view.legend.iter_mut().chain(&mut view.image).chain(&mut view.permutation);
    let texts = pairs.flat_map(|(a, b)| [a, b]).chain(&mut view.names).chain(&mut view.labels);
    let cycles = view.generators.iter_mut().flatten().flatten();
    let vertices = view.matrix.names.iter_mut().chain(&mut view.before.names);
    for text in texts.chain(cycles).chain(vertices) {
        if let Cow::Owned(shown) = printable::line(text) {
            *text = shown;
        }
    }
    view
}

/// Everything about the labelling of a state, without its steps; made for one that is [`shown`].
pub fn text(view: &CanonView) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "Canonical matrix, bits: {}\n", bits(view));
    out.push_str(&matrix::matrix(&view.matrix));
    out.push('\n');
    out.push_str(&legend(view));
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(out, "{name:<20}{value}");
    };
    line("partition", &matrix::partition(&view.matrix));
    let image: Vec<String> = view.image.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    line("canonical image", &image.join(", "));
    line("permutation", &labelling::permutation(view));
    line("orbit size", &view.orbit_size.to_string());
    line("automorphisms", &view.aut_order.to_string());
    line("canonical label", &view.matrix.canonical_label());
    out
}

/// How the labelling came about, step by step; made for one that is [`shown`].
///
/// # Errors
/// The state graph has too many vertices to be read.
pub fn explained(view: &CanonView) -> Result<String, String> {
    let mut out = format!("Labels: {}\n\n", bits(view));
    out.push_str(&legend(view));
    out.push_str(&labelling::explain(view)?);
    Ok(out)
}

/// What the bits of an entry stand for: `1 db, 2 active`.
pub fn bits(view: &CanonView) -> String {
    let bits = view.labels.iter().enumerate().map(|(i, l)| format!("{} {l}", i + 1));
    bits.collect::<Vec<_>>().join(", ")
}

/// What the special vertices stand for, a line for each and an empty one; nothing where there are
/// none.
pub fn legend(view: &CanonView) -> String {
    let mut out = String::new();
    for (name, value) in &view.legend {
        let _ = writeln!(out, "{name} = {value}");
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

#[derive(Serialize)]
struct Canon<'a> {
    format: u32,
    model: &'a str,
    steps: Vec<Step<'a>>,
    labels: &'a [String],
    special: Map<String, Value>,
    matrix: Drawn<'a>,
    canonical_label: String,
    image: Map<String, Value>,
    permutation: Map<String, Value>,
    orbit_size: String,
    automorphisms: String,
    group_order: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    labelling: Option<Labelling<'a>>,
    enabled: Vec<Step<'a>>,
}

#[derive(Serialize)]
struct Drawn<'a> {
    vertices: &'a [String],
    cells: &'a [usize],
    /// Entries with blanks between them.
    rows: Vec<String>,
}

#[derive(Serialize)]
struct Labelling<'a> {
    before: Drawn<'a>,
    stages: Vec<Stage<'a>>,
    generators: &'a [Vec<Vec<String>>],
    tree_nodes: u64,
}

#[derive(Serialize)]
struct Stage<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    individualised: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    split: Option<Split<'a>>,
    partition: Vec<Vec<&'a str>>,
    waiting: Vec<Vec<&'a str>>,
}

#[derive(Serialize)]
struct Split<'a> {
    by: Vec<&'a str>,
    label: &'a str,
    direction: &'static str,
    cell: Vec<&'a str>,
    parts: Vec<Part<'a>>,
}

#[derive(Serialize)]
struct Part<'a> {
    degree: usize,
    vertices: Vec<&'a str>,
}

/// The labelling of the state that `steps` lead to; `enabled` are the transitions that leave it. With
/// `explain` every step of it.
pub fn json(
    model: &str,
    steps: &[StepText],
    view: &CanonView,
    explain: bool,
    enabled: &[StepText],
) -> String {
    pretty(&Canon {
        format: FORMAT,
        model,
        steps: steps.iter().map(step).collect(),
        labels: &view.labels,
        special: map(&view.legend),
        matrix: drawn(&view.matrix),
        canonical_label: view.matrix.canonical_label(),
        image: map(&view.image),
        permutation: map(&view.permutation),
        orbit_size: view.orbit_size.to_string(),
        automorphisms: view.aut_order.to_string(),
        group_order: view.group_order.to_string(),
        labelling: explain.then(|| Labelling {
            before: drawn(&view.before),
            stages: stages(view),
            generators: &view.generators,
            tree_nodes: view.tree_nodes,
        }),
        enabled: enabled.iter().map(step).collect(),
    })
}

fn map(pairs: &[(String, String)]) -> Map<String, Value> {
    pairs.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect()
}

fn drawn(matrix: &Matrix) -> Drawn<'_> {
    let rows = (0..matrix.order.len()).map(|row| matrix.row(row).join(" ")).collect();
    Drawn { vertices: &matrix.names, cells: &matrix.cells, rows }
}

fn stages(view: &CanonView) -> Vec<Stage<'_>> {
    let names = |list: &[usize]| -> Vec<&str> { list.iter().map(|v| &*view.names[*v]).collect() };
    let lists = |all: &[Vec<usize>]| all.iter().map(|list| names(list)).collect();
    let stages = view.walk.stages().into_iter().map(|stage| {
        let (individualised, split) = match stage.event {
            Event::Start => (None, None),
            Event::Choice(choice) => (Some(&*view.names[choice.vertex]), None),
            Event::Split(s) => (
                None,
                Some(Split {
                    by: names(&s.by),
                    label: &view.labels[s.label],
                    direction: if s.incoming { "in" } else { "out" },
                    cell: names(&s.cell),
                    parts: s
                        .parts
                        .iter()
                        .map(|(degree, part)| Part { degree: *degree, vertices: names(part) })
                        .collect(),
                }),
            ),
        };
        let (partition, waiting) = (lists(&stage.partition), lists(&stage.waiting));
        Stage { individualised, split, partition, waiting }
    });
    stages.collect()
}
