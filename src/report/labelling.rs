//! The labelling of a state as text, step by step, as Turner et al. write it down (example 4.5 and
//! figure 10): the partition π and the waiting splitters α after each split, the matrix before and
//! after, the automorphisms and the size of the orbit.

use super::matrix;
use crate::symmetry::CanonView;
use crate::symmetry::steps::{Event, Split, Stage};
use crate::symmetry::view::Cycle;
use std::fmt::Write;

/// Most vertices of a state graph that is explained: every step shows all of them.
pub const MAX_EXPLAINED: usize = 200;

/// The explanation.
///
/// # Errors
/// The state graph has too many vertices to be read.
pub fn explain(view: &CanonView) -> Result<String, String> {
    fits(view)?;
    let mut out = String::new();
    let _ = writeln!(out, "Before, with the vertices in the order of their colours:\n");
    out.push_str(&matrix::bits(&view.before));
    out.push_str("\nRefinement:\n\n");
    for stage in view.walk.stages() {
        event(&mut out, view, &stage.event);
        let _ = writeln!(out, "  π = {}", sequence(view, &stage.partition));
        let end = ending(&stage);
        let _ = writeln!(out, "  α = {}{end}\n", sequence(view, &stage.waiting));
    }
    out.push_str(
        "After, in the order of the last partition; the rows are the canonical label:\n\n",
    );
    out.push_str(&matrix::bits(&view.matrix));
    out.push('\n');
    out.push_str(&group(view));
    Ok(out)
}

/// # Errors
/// The state graph has too many vertices to be explained.
pub fn fits(view: &CanonView) -> Result<(), String> {
    match view.names.len() {
        n if n > MAX_EXPLAINED => Err(format!(
            "the state graph has {n} vertices; at most {MAX_EXPLAINED} are explained step by step"
        )),
        _ => Ok(()),
    }
}

/// The automorphisms and the orbit.
pub fn group(view: &CanonView) -> String {
    let mut out = String::new();
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(out, "{name:<20}{value}");
    };
    let visited = super::counted(view.tree_nodes as usize, "node");
    line("search tree", &format!("{visited} visited"));
    line("permutation", &permutation(view));
    match view.generators.as_slice() {
        [] => line("generators", "none: only the identity leaves the state unchanged"),
        all => all.iter().enumerate().for_each(|(i, generator)| {
            line(if i == 0 { "generators" } else { "" }, &cycles(generator));
        }),
    }
    line("automorphisms", &view.aut_order.to_string());
    line("orbit size", &format!("{} = {} / {}", view.orbit_size, view.group_order, view.aut_order));
    out
}

/// The permutation to the canonical image: `Name1 -> Name2, Name2 -> Name1`.
pub fn permutation(view: &CanonView) -> String {
    if view.is_representative() {
        return "the identity: this state is its canonical image".to_owned();
    }
    let moves: Vec<String> = view.permutation.iter().map(|(a, b)| format!("{a} -> {b}")).collect();
    moves.join(", ")
}

/// `(Name1 Name2)(Code1 Code2)`
pub fn cycles(cycles: &[Cycle]) -> String {
    cycles.iter().map(|cycle| format!("({})", cycle.join(" "))).collect()
}

/// What led to a stage, on one line.
pub fn stage(view: &CanonView, stage: &Stage<'_>) -> String {
    let mut out = String::new();
    match stage.event {
        Event::Start => {
            let cells = super::counted(stage.partition.len(), "cell");
            out = format!("At first a cell is all that is of one kind: {cells}");
        }
        Event::Choice(_) | Event::Split(_) => event(&mut out, view, &stage.event),
    }
    out.trim_end().to_owned()
}

fn event(out: &mut String, view: &CanonView, event: &Event<'_>) {
    let _ = match event {
        Event::Start => Ok(()),
        Event::Choice(choice) => writeln!(
            out,
            "The cell {} is still open: {} is taken out of it.",
            set(view, &choice.cell),
            view.names[choice.vertex]
        ),
        Event::Split(split) => writeln!(out, "{}", told(view, split)),
    };
}

/// `W = {s0, s1}, label v1: {x0, x1} is split by d_in into 0: {x1}, 1: {x0}`
fn told(view: &CanonView, split: &Split) -> String {
    let degree = if split.incoming { "d_in" } else { "d_out" };
    let parts: Vec<String> =
        split.parts.iter().map(|(d, part)| format!("{d}: {}", set(view, part))).collect();
    format!(
        "W = {}, label {}: {} is split by {degree} into {}",
        set(view, &split.by),
        view.labels[split.label],
        set(view, &split.cell),
        parts.join(", ")
    )
}

/// What ends a refinement, behind its last partition.
fn ending(stage: &Stage<'_>) -> &'static str {
    if stage.partition.iter().all(|cell| cell.len() == 1) { "\n  π is discrete" } else { "" }
}

fn set(view: &CanonView, vertices: &[usize]) -> String {
    let names: Vec<&str> = vertices.iter().map(|v| view.names[*v].as_str()).collect();
    format!("{{{}}}", names.join(", "))
}

fn sequence(view: &CanonView, sets: &[Vec<usize>]) -> String {
    let sets: Vec<String> = sets.iter().map(|s| set(view, s)).collect();
    format!("({})", sets.join(", "))
}
