//! Is there a way from here? A search that begins in a state of its own and ends at the first state that
//! somebody wants to see: the shortest way there, or what there is where it is not.

use super::choice::effective_mode;
use super::engine::{End, Engine};
use super::findings::{Found, Kind};
use super::graph::{NO_OPERATION, Origin};
use super::options::{OnViolation, SearchOptions, Strategy};
use super::{Control, SymmetryMode, breadth, trace};
use crate::eval::Evaluator;
use crate::machine::OpId;
use crate::run::Step;
use crate::setup::{Bound, Model};
use crate::value::Value;
use std::sync::Arc;

/// Where a search begins, instead of with the set-ups and the initial states.
#[derive(Clone, PartialEq, Debug)]
pub struct Start {
    pub constants: Vec<Value>,
    pub variables: Vec<Value>,
}

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// A state that enables an operation; one in which it fails counts.
    Operation(OpId),
    /// A state in which the goal of the program holds.
    Goal,
}

/// What such a search has come to.
#[derive(Clone, Debug)]
pub struct Reached {
    /// The steps to the first such state, from where it began.
    pub steps: Option<Vec<Step>>,
    /// Every state that can be reached from there was seen, up to symmetry.
    pub complete: bool,
    pub bounds: Vec<Bound>,
    /// Why there was nothing to search, or no run to what was found.
    pub problem: Option<String>,
    /// Initialised states that were found, as far as they are kept.
    pub states: u64,
    /// How they were identified.
    pub mode: SymmetryMode,
    pub depth: u32,
    pub seconds: f64,
}

/// Looks for the nearest state of this kind. Where there is none, `look` is given the states that were
/// found and kept, with an evaluator that can read them, and says whether it wants more.
pub fn reach(
    model: &Model,
    options: &SearchOptions,
    control: &Arc<Control>,
    (start, aim): (Option<&Start>, Aim),
    look: &mut dyn FnMut(&mut Evaluator, &[u64]) -> bool,
) -> Reached {
    let approximate = options.symmetry.is_some_and(SymmetryMode::is_approximate);
    let options = SearchOptions {
        symmetry: if approximate { None } else { options.symmetry },
        strategy: Strategy::BreadthFirst,
        por: None,
        invariant: false,
        deadlock: false,
        goal: aim == Aim::Goal,
        until: match aim {
            Aim::Operation(id) => Some(id),
            Aim::Goal => None,
        },
        on_violation: OnViolation::Expand,
        keep_going: false,
        measure_precision: false,
        ..options.clone()
    };
    if control.sets_limits() {
        control.clock().limit(options.timeout, options.memory);
    }
    control.clock().run(|| search(Engine::new(model, &options, control), start, look))
}

fn search(
    mut engine: Engine<'_>,
    start: Option<&Start>,
    look: &mut dyn FnMut(&mut Evaluator, &[u64]) -> bool,
) -> Reached {
    engine.start = start.cloned();
    let mut problem = None;
    let begun = match (engine.refused, start) {
        (true, _) => Err(End::Limit),
        (false, Some(start)) => engine.start_at(start),
        (false, None) => match engine.set_up() {
            Ok(None) => Ok(()),
            Ok(Some((_, wrong))) => {
                problem = Some(wrong.message);
                Err(End::Limit)
            }
            Err(end) => Err(end),
        },
    };
    let ended = begun.and_then(|()| match engine.known() {
        0 => Ok(()),
        _ => breadth::search(&mut engine),
    });
    let found = engine.tally.findings.goal_at;
    if ended.is_err() && found.is_none() {
        engine.complete = false;
    }
    engine.note_limits();
    engine.note_method();
    let steps = found.and_then(|state| {
        let found = Found { state, depth: engine.tally.depth, kind: Kind::Goal };
        let steps = trace::finding(&mut engine, &found).trace.steps;
        let whole = steps.len() + 1 >= engine.graph.path(state).1.len();
        if !whole {
            problem = Some("it can be reached, but there was no time for the steps".to_owned());
        }
        whole.then_some(steps)
    });
    if let Some(halted) = engine.control.clock().halted() {
        engine.bound(Bound::Halted(halted));
    }
    engine.bounds.dedup();
    if found.is_none() {
        for number in 0..engine.known() {
            let state = engine.visited.state(number).to_vec();
            if !look(&mut engine.expander.evaluator, &state) {
                break;
            }
        }
    }
    Reached {
        steps,
        complete: engine.complete,
        states: engine.tally.states,
        mode: effective_mode(engine.model, engine.options),
        depth: engine.tally.depth,
        seconds: engine.started.elapsed().as_secs_f64(),
        bounds: std::mem::take(&mut engine.bounds),
        problem,
    }
}

impl Engine<'_> {
    /// Admits one state in place of the initial ones.
    fn start_at(&mut self, start: &Start) -> Result<(), End> {
        self.add_setup(&start.constants);
        self.setups = vec![start.constants.clone()];
        let state = self.packed(start);
        let admitted = self.visited.admit(&state, self.expander.evaluator.interner())?;
        self.keep(admitted.number, Origin::Setup(0), NO_OPERATION, 0)
    }

    /// A state of values, as this search packs it.
    pub(super) fn packed(&mut self, start: &Start) -> Vec<u64> {
        let layout = self.model.program.layout.clone();
        let constants: Arc<[Value]> = start.constants.as_slice().into();
        layout.pack(constants, &start.variables, self.expander.evaluator.interner())
    }

    /// Notes that a state enables the operation that is looked for.
    pub(super) fn note_until(&mut self, number: u32, depth: u32) {
        let findings = &mut self.tally.findings;
        if self.options.until.is_some_and(|id| !self.tally.idle.contains(&id))
            && findings.goal_at.is_none()
        {
            findings.goal_at = Some(number);
            findings.add(Found { state: number, depth, kind: Kind::Goal });
        }
    }
}
