//! Findings as runs of the real machine.
//!
//! A search knows the way to a finding as a list of representatives. The trace follows it on the
//! unreduced machine: at each step it takes the concrete successor for which the next representative
//! stands.

use super::engine::Engine;
use super::findings::{Found, Kind};
use super::narrow;
use super::outcome::{Finding, Verdict};
use crate::clock::{self, Phase, enter};
use crate::eval::{Check, Evaluator, Fault, Site, Stop, Successors, Topic};
use crate::machine::{Named, OpId};
use crate::run::{Event, Label, Run, Step};
use crate::state::Instance;
use crate::value::Value;

/// Builds the finding that the verdict is about. Where the clock ends that, it is told without the run
/// to it and without values: half a run would show nothing.
pub fn finding(engine: &mut Engine<'_>, found: &Found) -> Finding {
    let clock = engine.control.clock().clone();
    let told = clock.guard(|| {
        enter(Phase::Trace);
        let (trace, state) = run_to(engine, found.state)?;
        let finding = described(engine, found, trace, Some(&state));
        clock::tick()?;
        Ok::<Finding, Stop>(finding)
    });
    let finding = match told {
        Ok(Ok(finding)) => finding,
        _ => described(engine, found, Run::default(), None),
    };
    engine.expander.evaluator.explain(false);
    finding
}

/// What was found: the conjunct, the place, and in a state the values there.
fn described(
    engine: &mut Engine<'_>,
    found: &Found,
    mut trace: Run,
    state: Option<&[u64]>,
) -> Finding {
    let program = engine.model.program.clone();
    let instance = program.instance.clone();
    engine.expander.evaluator.explain(true);
    let mut details = Vec::new();
    let (message, span) = match &found.kind {
        Kind::Fails(topic, i) => {
            if let Some(state) = state {
                let _ = engine.expander.evaluator.truth_of(state, *topic, *i);
                details.extend(witness(&instance, &engine.expander.evaluator));
            }
            let conjunct = &program.questions.of(*topic)[*i].conjunct;
            details.extend(narrow::told([&conjunct.pred], &instance));
            let what = match conjunct.instance() {
                Some(instance) => format!("{} of {instance} does not hold", topic.place()),
                None => format!("{} does not hold", topic.place()),
            };
            (labelled(&what, conjunct.label.as_deref()), Some(conjunct.pred.span))
        }
        Kind::Undefined(topic, site) => {
            let mut site = *site;
            if let Some(state) = state {
                // Which part is undefined first may differ between a state and its image.
                if let Some(found) = undefined_at(&mut engine.expander.evaluator, state, *topic) {
                    site = found;
                }
                details.extend(operands(&instance, engine.expander.evaluator.fault()));
            }
            (format!("{} in {}", site.message(&instance.machine), topic.place()), Some(site.span))
        }
        Kind::Operation(fault) => {
            let message = match state {
                Some(state) => {
                    let (message, more) = failing_step(engine, state, fault.operation, &mut trace);
                    details.extend(more);
                    message
                }
                None => {
                    let name = &instance.machine.operation(fault.operation).name;
                    format!("{} in {name}", fault.site.message(&instance.machine))
                }
            };
            (message, Some(fault.site.span))
        }
        Kind::Deadlock => ("deadlock: no operation is enabled".to_string(), None),
        Kind::Goal => ("the goal holds".to_string(), None),
    };
    Finding { message, span, details, contradiction: None, trace, instance }
}

/// Where what is asked of a state is undefined; of assertions also those that wait, if the others are defined.
fn undefined_at(evaluator: &mut Evaluator, state: &[u64], topic: Topic) -> Option<Site> {
    let mut check = evaluator.ask(state, topic, None);
    if topic == Topic::Assertions && matches!(check, Ok(Check::Holds | Check::Unknown(_))) {
        check = evaluator.ask_waiting(state, None);
    }
    match check {
        Ok(Check::Undefined(_, site)) => Some(site),
        _ => None,
    }
}

fn labelled(text: &str, label: Option<&str>) -> String {
    match label {
        Some(label) => format!("{text}: {label}"),
        None => text.to_string(),
    }
}

/// A fault in the PROPERTIES (no constants are given) or in the INITIALISATION.
pub fn setup_fault(engine: &mut Engine<'_>, constants: &[Value]) -> (Verdict, Finding) {
    let instance = engine.model.program.instance.clone();
    engine.expander.evaluator.explain(true);
    let in_properties = constants.is_empty() && engine.setups.is_empty();
    let stop = if in_properties {
        engine.expander.evaluator.setups(&mut Vec::new()).err()
    } else {
        engine.expander.evaluator.initial_states(constants).err()
    };
    let place = if in_properties { "PROPERTIES" } else { "INITIALISATION" };
    let details = operands(&instance, engine.expander.evaluator.fault());
    engine.expander.evaluator.explain(false);
    let mut verdict = Verdict::StateError;
    let (message, span) = match stop {
        Some(crate::eval::Stop::Fault(site)) => {
            let site = engine.expander.evaluator.site(site);
            verdict = Verdict::of_fault(site.kind);
            (format!("{} in the {place}", site.message(&instance.machine)), Some(site.span))
        }
        _ => (format!("error in the {place}"), None),
    };
    let mut trace = Run::default();
    if !in_properties {
        if instance.setup_step {
            trace.steps.push(Step::set_up(&instance, constants));
        }
        trace.steps.push(Step::failing(Label::of(Event::Initialisation)));
    }
    (verdict, Finding { message, span, details, contradiction: None, trace, instance })
}

/// Values of the operands of a fault, as lines.
pub fn operands(instance: &Instance, fault: Option<&Fault>) -> Vec<String> {
    let shown = |fault: &Fault| {
        let values = fault.operands.iter();
        values
            .map(|(o, v)| {
                let value = instance.names.show_short(&o.ty, &o.notation, v, 200);
                o.name.as_ref().map_or(value.clone(), |name| format!("{name} = {value}"))
            })
            .collect::<Vec<_>>()
    };
    match fault.map(shown) {
        Some(values) if !values.is_empty() => vec![format!("with {}", values.join(" and "))],
        _ => Vec::new(),
    }
}

/// The values for which a quantifier failed, as lines.
fn witness(instance: &Instance, evaluator: &Evaluator) -> Vec<String> {
    let values: Vec<String> = evaluator
        .witness()
        .iter()
        .map(|(id, v)| {
            let local = instance.machine.local(*id);
            let notation = instance.machine.notations.of(Named::Local(*id));
            let text = instance.names.show_short(&local.ty, notation, v, 200);
            format!("{} = {text}", local.name)
        })
        .collect();
    if values.is_empty() { Vec::new() } else { vec![format!("false for {}", values.join(", "))] }
}

/// A run of the machine to a state for which the given representative stands.
fn run_to(engine: &mut Engine<'_>, target: u32) -> Result<(Run, Vec<u64>), Stop> {
    let mut evaluator = Evaluator::with_interner(
        engine.model.program.clone(),
        engine.expander.evaluator.interner().clone(),
    );
    evaluator.measure_room();
    let instance = engine.model.program.instance.clone();
    let (setup, path) = engine.graph.path(target);
    let mut trace = Run::default();
    let constants = engine.setups[setup as usize].clone();
    let start = engine.start.clone();
    let initial = match &start {
        Some(start) => vec![engine.packed(start)],
        None => {
            if instance.setup_step {
                trace.steps.push(Step::set_up(&instance, &constants));
            }
            evaluator.initial_states(&constants)?
        }
    };
    let mut first = None;
    let mut stands_for = engine.expander.stands_for(engine.visited.state(path[0]))?;
    for state in initial {
        clock::tick()?;
        if stands_for(&state)? {
            first = Some(state);
            break;
        }
    }
    drop(stands_for);
    let mut state = first.unwrap_or_else(|| engine.visited.state(path[0]).to_vec());
    if start.is_none() {
        trace.steps.push(Step::initial(&evaluator.variables(&state)));
    }
    let mut out = Successors::new();
    for number in &path[1..] {
        evaluator.successors(&state, true, &mut out)?;
        let mut taken = None;
        let mut stands_for = engine.expander.stands_for(engine.visited.state(*number))?;
        for i in 0..out.len() {
            clock::tick()?;
            if stands_for(out.target(i))? {
                taken = Some(i);
                break;
            }
        }
        let Some(i) = taken else { break };
        let next = out.target(i).to_vec();
        let (before, after) = (evaluator.variables(&state), evaluator.variables(&next));
        let label = Label::of_transition(&instance, &out, i);
        trace.steps.push(Step::operation(label, &before, &after));
        state = next;
    }
    Ok((trace, state))
}

/// Adds the failing instance of an operation as the last step.
fn failing_step(
    engine: &mut Engine<'_>,
    state: &[u64],
    operation: OpId,
    trace: &mut Run,
) -> (String, Vec<String>) {
    let instance = engine.model.program.instance.clone();
    let mut evaluator = Evaluator::with_interner(
        engine.model.program.clone(),
        engine.expander.evaluator.interner().clone(),
    );
    evaluator.measure_room();
    evaluator.explain(true);
    let mut out = Successors::new();
    let _ = evaluator.successors(state, true, &mut out);
    let declared = instance.machine.operation(operation);
    let Some(fault) = out.faults.iter().find(|f| f.operation == operation) else {
        return (format!("error in {}", declared.name), Vec::new());
    };
    let arguments = fault.arguments.clone();
    let label = Label { arguments, ..Label::of(Event::Operation(operation)) };
    trace.steps.push(Step::failing(label));
    let place = if fault.in_guard { "the guard of " } else { "" };
    let message = format!("{} in {place}{}", fault.site.message(&instance.machine), declared.name);
    let mut details = operands(&instance, fault.fault.as_deref());
    // Nothing stands for what is outside.
    if fault.in_guard && !fault.site.kind.is_final() {
        details.push(
            "a condition before it can make it defined; with `--wd-guards warn` it counts as false"
                .to_owned(),
        );
    }
    (message, details)
}
