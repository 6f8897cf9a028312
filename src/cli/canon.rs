//! `burnside canon`: the canonical matrix of a state, and how the labelling came to it.

use super::arguments::CanonOptions;
use super::input::Input;
use super::output::print;
use super::signals::Interrupt;
use super::{EXIT_OK, Failure, finished, load};
use crate::clock::Clock;
use crate::printable;
use crate::report::steps::StepText;
use crate::report::{canon, counted, labelling, text};
use crate::session::animator::Position;
use crate::session::{Animator, Good};
use std::fmt::Write;
use std::sync::Arc;

/// Takes the steps and prints the matrix, with `--explain` also how it came about.
///
/// # Errors
/// The machine is refused, the report cannot be written, a step is not enabled, no state is reached, or the state is too large to
/// be drawn or explained.
pub fn run(input: &Input, steps: &[usize], options: &CanonOptions) -> Result<u8, Failure> {
    let _interrupt = Interrupt::at_once();
    let json = options.format.is_json();
    let clock = options.limits.clock();
    let good = load(input, options.model.setup(), json, &clock, &Interrupt::default())?.good;
    let text = finished(input, good, "the state was not labelled", json, &clock, |good| {
        reached(good, steps, options, &clock)
    })?;
    print(text.map_err(Failure::Message)?)?;
    Ok(EXIT_OK)
}

/// The report of the state that the steps lead to.
fn reached(
    good: Good,
    steps: &[usize],
    options: &CanonOptions,
    clock: &Arc<Clock>,
) -> Result<String, String> {
    let Good { model, sources } = good;
    let name = model.instance.machine.name.clone();
    let mut animator = Animator::under(model, sources, clock);
    for (n, step) in steps.iter().enumerate() {
        if !animator.step(step - 1) {
            return Err(not_enabled(&mut animator, n + 1, *step));
        }
    }
    if steps.is_empty() {
        start(&mut animator)?;
    }
    let view = animator.canon().map_err(|e| e.to_string())?;
    if options.explain {
        labelling::fits(&view)?;
    }
    let instance = animator.model().instance.clone();
    let history = StepText::list(&instance, &animator.history());
    if options.format.is_json() {
        let enabled: Vec<_> =
            (0..animator.enabled().len()).filter_map(|i| animator.label(i)).collect();
        let enabled = StepText::list(&instance, &enabled);
        return Ok(canon::json(&name, &history, &view, options.explain, &enabled));
    }
    let mut out = String::new();
    let _ = writeln!(out, "State after {}:\n", counted(history.len(), "step"));
    out.push_str(&text::trace(&history));
    out.push('\n');
    let view = canon::shown(view);
    out.push_str(&if options.explain { canon::explained(&view)? } else { canon::text(&view) });
    let enabled = list(&mut animator, usize::MAX);
    let _ = write!(out, "\nEnabled transitions:\n{enabled}");
    Ok(out)
}

/// Goes to the initial state, where there is but one.
fn start(animator: &mut Animator) -> Result<(), String> {
    let mut way = Vec::new();
    while !matches!(animator.position(), Position::State(_)) {
        let count = animator.enabled().len();
        if count != 1 || animator.enabled().is_cut() {
            return Err(several(animator, &way, count));
        }
        if !animator.step(0) {
            return Err(not_enabled(animator, way.len() + 1, 1));
        }
        way.push("1");
    }
    Ok(())
}

/// There is no initial state, or more than one: what to write.
fn several(animator: &mut Animator, way: &[&str], count: usize) -> String {
    if count == 0 {
        return "the machine has no initial state".to_owned();
    }
    let listed = list(animator, 20);
    let mut first = way.to_vec();
    // A set-up is no state yet: the way is told to its end.
    while !matches!(animator.position(), Position::State(_)) && animator.step(0) {
        first.push("1");
    }
    let advice = match animator.position() {
        Position::State(_) => format!("`--steps {}` takes the first of", first.join(",")),
        _ => "the first of these leads to none, `--steps` takes another".to_owned(),
    };
    let text = format!("there is more than one way to an initial state: {advice}\n{listed}");
    text.trim_end().to_owned()
}

/// What to write instead of a number that no enabled transition has.
pub fn not_enabled(animator: &mut Animator, position: usize, number: usize) -> String {
    let count = animator.enabled().len();
    let mut text = format!("step {position}: there is no transition {number}");
    if let Some(why) = animator.view().stopped.filter(|_| count == 0) {
        let _ = write!(text, "; {why}");
    } else if count == 0 {
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
            let step = StepText::of(&animator.model().instance, &step);
            let _ = write!(out, "{:>width$}  {}", i + 1, printable::line(&step.label()));
            if !step.changed.is_empty() {
                let changed: Vec<String> =
                    step.changed.iter().map(|(n, v)| format!("{n} = {v}")).collect();
                let _ = write!(out, "   {}", printable::line(&changed.join(", ")));
            }
            out.push('\n');
        }
    }
    if count > most {
        let _ = writeln!(out, "{:>width$}  and {} more", "", count - most);
    }
    out
}
