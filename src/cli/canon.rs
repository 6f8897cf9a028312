//! `burnside canon`: the canonical matrix of a state.

use super::arguments::ModelOptions;
use super::output::print;
use super::signals::Interrupt;
use super::{EXIT_OK, Failure, load};
use crate::report::{counted, matrix, step_label, text};
use crate::session::{Animator, CanonView, Good, Origin, on_big_stack};
use std::fmt::Write;

/// Takes the steps and prints the matrix.
///
/// # Errors
/// The machine is refused, a step is not enabled, or no state is reached.
pub fn run(origin: Origin, steps: &[usize], options: &ModelOptions) -> Result<u8, Failure> {
    let _interrupt = Interrupt::at_once();
    let good = load(&origin, options.setup(), false)?.good;
    let text = on_big_stack(|| reached(good, steps)).map_err(|m| Failure::internal(&m))?;
    print(&text.map_err(Failure::Message)?);
    Ok(EXIT_OK)
}

/// The report of the state that the steps lead to.
fn reached(good: Good, steps: &[usize]) -> Result<String, String> {
    let Good { model, sources } = good;
    let mut animator = Animator::new(model, sources);
    for (n, step) in steps.iter().enumerate() {
        if !animator.step(step - 1) {
            return Err(not_enabled(&mut animator, n + 1, *step));
        }
    }
    let view = animator.canon().map_err(|e| {
        let how = if steps.is_empty() { "; `--steps 1` takes the first transition" } else { "" };
        format!("{e}{how}")
    })?;
    let mut out = String::new();
    let history = animator.history();
    let _ = writeln!(out, "State after {}:\n", counted(history.len(), "step"));
    out.push_str(&text::trace(&history));
    out.push('\n');
    out.push_str(&describe(&view));
    let enabled = list(&mut animator, usize::MAX);
    let _ = write!(out, "\nEnabled transitions:\n{enabled}");
    Ok(out)
}

/// Everything about the labelling of a state.
fn describe(view: &CanonView) -> String {
    let mut out = String::new();
    let bits: Vec<String> =
        view.labels.iter().enumerate().map(|(i, l)| format!("{} {l}", i + 1)).collect();
    let _ = writeln!(out, "Canonical matrix, bits: {}\n", bits.join(", "));
    out.push_str(&matrix::matrix(&view.matrix));
    out.push('\n');
    for (name, value) in &view.legend {
        let _ = writeln!(out, "{name} = {value}");
    }
    if !view.legend.is_empty() {
        out.push('\n');
    }
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(out, "{name:<20}{value}");
    };
    line("partition", &matrix::partition(&view.matrix));
    let image: Vec<String> = view.image.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    line("canonical image", &image.join(", "));
    line("orbit size", &view.orbit_size.to_string());
    line("automorphisms", &view.aut_order.to_string());
    line("canonical label", &view.matrix.canonical_label());
    out
}

fn not_enabled(animator: &mut Animator, position: usize, number: usize) -> String {
    let count = animator.enabled().len();
    let mut text = format!("step {position}: there is no transition {number}");
    if count == 0 {
        text.push_str("; nothing is enabled here");
    } else {
        let _ = write!(text, "; enabled are\n{}", list(animator, 20));
    }
    text.trim_end().to_owned()
}

/// The enabled transitions with their numbers.
fn list(animator: &mut Animator, most: usize) -> String {
    let mut out = String::new();
    let count = animator.enabled().len();
    let width = count.to_string().len().max(3);
    for i in 0..count.min(most) {
        if let Some(step) = animator.short_label(i) {
            let _ = write!(out, "{:>width$}  {}", i + 1, step_label(&step));
            if !step.changed.is_empty() {
                let changed: Vec<String> =
                    step.changed.iter().map(|(n, v)| format!("{n} = {v}")).collect();
                let _ = write!(out, "   {}", changed.join(", "));
            }
            out.push('\n');
        }
    }
    if count > most {
        let _ = writeln!(out, "{:>width$}  and {} more", "", count - most);
    }
    out
}
