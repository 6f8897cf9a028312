//! Traces, followed step by step on the machine without reduction.

use burnside::eval::{Check, Evaluator, Flow, Successors, Topic};
use burnside::run::{Event, Label, Run, Step};
use burnside::setup::Model;

/// Where the set-up of a run is among so many, others are not looked at: some machines have them without end.
const MOST_SET_UPS: usize = 10_000;

/// The end of a run: a packed state, and the evaluator that knows its interned values.
pub struct End {
    pub evaluator: Evaluator,
    pub state: Vec<u64>,
}

impl End {
    pub fn invariant_holds(&mut self) -> bool {
        let holds = self.evaluator.ask(&self.state, Topic::Invariant, None);
        holds == Ok(Check::Holds)
    }
}

/// Follows a trace, which must be a run; `note` says where it comes from.
pub fn replay(model: &Model, trace: &Run, note: &str) -> End {
    follow(model, trace).unwrap_or_else(|why| panic!("{note}: {why}"))
}

/// Follows a trace. Its first state must be an initial state of a set-up of the machine, and each step
/// a transition with the same arguments, results and changes. A trace that ends in the set-up has no
/// end.
///
/// # Errors
/// The step that is none of the machine.
pub fn follow(model: &Model, trace: &Run) -> Result<End, String> {
    let mut evaluator = Evaluator::new(model.program.clone());
    let instance = &model.instance;
    let mut steps = trace.steps.iter();
    let set_up = match instance.setup_step {
        true => Some(steps.next().filter(|s| s.label.event == Event::SetUp).ok_or("no set-up")?),
        false => None,
    };
    let (mut set_ups, mut seen, mut runs) = (Vec::new(), 0, 0);
    let found = evaluator.each_setup(false, |run, constants, _| {
        // What overflows is run once more, with other numbers.
        if run != runs {
            (seen, runs) = (0, run);
            set_ups.clear();
        }
        seen += 1;
        if set_up.is_none_or(|step| Step::set_up(instance, &constants) == *step) {
            set_ups.push(constants);
        }
        let enough = seen >= MOST_SET_UPS && !set_ups.is_empty();
        Ok(if enough { Flow::Break(()) } else { Flow::Continue(()) })
    });
    found.map_err(|_| "the set-up fails")?;
    if let Some(step) = set_up
        && set_ups.len() != 1
    {
        return Err(format!("{} set-ups are {step:?}", set_ups.len()));
    }
    let is_first = |s: &&Step| s.label.event == Event::Initialisation;
    let first = steps.next().filter(is_first).ok_or("no first step")?;
    let mut initial = Vec::new();
    for constants in &set_ups {
        initial.extend(evaluator.initial_states(constants).map_err(|_| "no initial states")?);
    }
    let mut state = initial
        .into_iter()
        .find(|s| Step::initial(&evaluator.variables(s)) == *first)
        .ok_or_else(|| format!("no such initial state: {first:?}"))?;
    let mut out = Successors::new();
    for step in steps {
        evaluator.successors(&state, true, &mut out).map_err(|_| "no successors")?;
        if step.failed {
            if !fails(&out, step) {
                return Err(format!("no such error: {step:?}"));
            }
            continue;
        }
        let before = evaluator.variables(&state);
        let next = (0..out.len()).find(|i| {
            let label = Label::of_transition(instance, &out, *i);
            label == step.label
                && Step::operation(label, &before, &evaluator.variables(out.target(*i))) == *step
        });
        let next = next.ok_or_else(|| format!("no such transition: {step:?}"))?;
        state = out.target(next).to_vec();
    }
    Ok(End { evaluator, state })
}

/// Whether an operation ends in an error for the arguments of a step.
fn fails(out: &Successors, step: &Step) -> bool {
    let (event, arguments) = (step.label.event, &step.label.arguments);
    out.faults.iter().any(|f| event == Event::Operation(f.operation) && *arguments == f.arguments)
}
