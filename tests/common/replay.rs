//! Traces, followed step by step on the machine without reduction.

use burnside::eval::{Evaluator, Successors};
use burnside::machine::VarId;
use burnside::search::{Trace, TraceStep};
use burnside::setup::Model;
use burnside::value::Value;

/// The end of a run: a packed state, and the evaluator that knows its interned values.
pub struct End {
    pub evaluator: Evaluator,
    pub state: Vec<u64>,
}

impl End {
    pub fn invariant_holds(&mut self) -> bool {
        let mut conjuncts = 0..self.evaluator.program().invariant.len();
        conjuncts.all(|i| self.evaluator.truth_of(&self.state, i) == Ok(true))
    }
}

/// Follows a trace, which must be a run; `note` says where it comes from.
pub fn replay(model: &Model, trace: &Trace, note: &str) -> End {
    follow(model, trace).unwrap_or_else(|why| panic!("{note}: {why}"))
}

/// Follows a trace. Its first state must be an initial state of a set-up of the machine, and each step
/// a transition with the printed arguments, results and changes. A trace that ends in the set-up has no
/// end.
///
/// # Errors
/// The step that is none of the machine.
pub fn follow(model: &Model, trace: &Trace) -> Result<End, String> {
    let mut evaluator = Evaluator::new(model.program.clone());
    let mut steps = trace.steps.iter();
    let mut set_ups = Vec::new();
    evaluator.setups(&mut set_ups).map_err(|_| "the set-up fails")?;
    if model.instance.setup_step {
        let step = steps.next().filter(|s| s.operation == "SETUP_CONSTANTS").ok_or("no set-up")?;
        set_ups.retain(|constants| model.instance.printed_constants(constants) == step.changed);
        if set_ups.len() != 1 {
            return Err(format!("{} set-ups are {step:?}", set_ups.len()));
        }
    }
    let first = steps.next().filter(|s| s.operation == "INITIALISATION").ok_or("no first step")?;
    let mut initial = Vec::new();
    for constants in &set_ups {
        initial.extend(evaluator.initial_states(constants).map_err(|_| "no initial states")?);
    }
    let mut state = initial
        .into_iter()
        .find(|s| changes(model, None, &evaluator.variables(s)) == first.changed)
        .ok_or_else(|| format!("no such initial state: {first:?}"))?;
    let mut out = Successors::new();
    for step in steps {
        evaluator.successors(&state, true, &mut out).map_err(|_| "no successors")?;
        if step.failed {
            if !fails(model, &out, step) {
                return Err(format!("no such error: {step:?}"));
            }
            continue;
        }
        let before = evaluator.variables(&state);
        let next = (0..out.len()).find(|i| {
            matches(model, &out, *i, step)
                && changes(model, Some(&before), &evaluator.variables(out.target(*i)))
                    == step.changed
        });
        let next = next.ok_or_else(|| format!("no such transition: {step:?}"))?;
        state = out.target(next).to_vec();
    }
    Ok(End { evaluator, state })
}

/// The variables that have another value than before, printed; at first all.
fn changes(model: &Model, before: Option<&[Value]>, after: &[Value]) -> Vec<(String, String)> {
    let all = (0..).map(VarId).zip(after).enumerate();
    all.filter(|(i, (_, value))| before.is_none_or(|b| b[*i] != **value))
        .map(|(_, (id, value))| model.instance.printed_variable(id, value))
        .collect()
}

/// Whether a transition has the operation, the arguments and the results of a step.
fn matches(model: &Model, out: &Successors, i: usize, step: &TraceStep) -> bool {
    let entry = out.entries[i];
    let operation = model.instance.machine.operation(entry.operation);
    let arguments = &out.arguments[entry.arguments as usize..];
    let results = &out.results[entry.results as usize..];
    *operation.name == *step.operation
        && model.instance.printed_locals(&operation.parameters, arguments) == step.arguments
        && model.instance.printed_locals(&operation.results, results) == step.results
}

/// Whether an operation ends in an error for the arguments of a step.
fn fails(model: &Model, out: &Successors, step: &TraceStep) -> bool {
    out.faults.iter().any(|fault| {
        let operation = model.instance.machine.operation(fault.operation);
        *operation.name == *step.operation
            && model.instance.printed_locals(&operation.parameters, &fault.arguments)
                == step.arguments
    })
}
