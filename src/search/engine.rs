//! The search loop.
//!
//! States are numbered in the order in which they are found. A state is checked when it is taken up
//! for expansion, before its successors. The loop knows nothing of reductions: it asks a
//! [`Visited`] whether a successor is new.

use super::ahead::Asks;
use super::breadth;
use super::checks::{Checks, Looked, Scope};
use super::control::Control;
use super::expander::Expander;
use super::findings::{Found, Kind};
use super::full::{Count, FullCounts};
use super::graph::{Graph, Origin};
use super::options::{OnViolation, SearchOptions, Strategy};
use super::outcome::{Finding, Outcome, Verdict};
use super::partial::Reducer;
use super::reach::Start;
use super::tally::Tally;
use super::targets::{Taken, Targets};
use super::walkers::{self, Walker};
use super::{choice, depth, mixed, waiting, walk};
use crate::clock::{self, Stopped};
use crate::eval::{Evaluator, Stop, Successors};
use crate::machine::OpId;
use crate::reduce::Interrupted;
use crate::setup::{Bound, Model};
use crate::store::{Admitted, Visited};
use crate::symmetry::Order;
use crate::value::Value;
use std::sync::Arc;
use std::time::Instant;

/// Everything a search holds.
pub struct Engine<'a> {
    pub model: &'a Model,
    pub options: &'a SearchOptions,
    pub control: &'a Arc<Control>,
    pub expander: Expander,
    pub visited: Visited,
    pub graph: Graph,
    pub tally: Tally,
    /// One set-up of each orbit: its constants. The one that was found first, so that what is shown
    /// are set-ups as the rules of static symmetry keep them.
    pub setups: Vec<Vec<Value>>,
    /// How many threads work for it.
    pub threads: usize,
    pub(super) bounds: Vec<Bound>,
    pub(super) complete: bool,
    /// The method that was asked for cannot be used: nothing is searched.
    pub(super) refused: bool,
    /// The first fault of an INITIALISATION, where the search goes on after it.
    pub(super) failed_start: Option<(Verdict, Finding)>,
    pub(super) started: Instant,
    pub(super) reported: Instant,
    /// Partial order reduction.
    pub(super) reducer: Option<Reducer>,
    /// Where it begins, if not with the set-ups.
    pub(super) start: Option<Start>,
    /// By number, which states are on the path of a depth-first search.
    pub(super) on_path: Option<Vec<bool>>,
    /// The state that was taken up last.
    state: Vec<u64>,
    /// How often the operations of the state that was expanded last are taken.
    pub(super) labels: Vec<Taken>,
    /// The targets of the state that was expanded last, and what became of those that were looked up.
    pub(super) targets: Targets,
    pub(super) admitted: Vec<Admitted>,
    /// What was new in the chunk that was taken up last, and its numbers.
    pub(super) numbered: Vec<(usize, u32)>,
}

/// Why the loop ended before the frontier was empty.
pub enum End {
    /// A finding, with a policy that stops there.
    Found,
    Limit,
}

impl From<Interrupted> for End {
    fn from(_: Interrupted) -> End {
        End::Limit
    }
}

impl From<Stopped> for End {
    fn from(_: Stopped) -> End {
        End::Limit
    }
}

impl From<Stop> for End {
    fn from(_: Stop) -> End {
        // Faults are handled where they arise; what is left is the clock.
        End::Limit
    }
}

/// Searches the states of a model on this thread.
pub fn run(model: &Model, options: &SearchOptions, control: &Arc<Control>) -> Outcome {
    // A context has no events, and nothing that would have to go on.
    let deadlock = options.deadlock && !model.instance.machine.is_context();
    let options = &SearchOptions { deadlock, ..options.clone() };
    if control.sets_limits() {
        control.clock().limit(options.timeout, options.memory);
    }
    control.clock().run(|| match options.walkers() {
        0 | 1 => search(model, options, control, None),
        walkers => walkers::run(model, options, control, walkers),
    })
}

/// Searches under the clock that is there: alone, or as one of several walkers.
pub(super) fn search(
    model: &Model,
    options: &SearchOptions,
    control: &Arc<Control>,
    walker: Option<Walker<'_>>,
) -> Outcome {
    let mut engine = Engine::new(model, options, control);
    let begun = if engine.refused { Err(End::Limit) } else { engine.set_up() };
    let problem = match begun {
        Ok(None) => {
            let end = match options.strategy {
                _ if engine.graph.is_empty() => Ok(()),
                Strategy::BreadthFirst => breadth::search(&mut engine),
                Strategy::DepthFirst => depth::search(&mut engine),
                Strategy::Mixed => mixed::search(&mut engine),
                Strategy::Random => walk::search(&mut engine, walker),
            };
            let late = engine.ask_what_waits(&end);
            if end.is_err() || late.is_err() {
                engine.complete = false;
            }
            None
        }
        Ok(Some(problem)) => Some(problem),
        Err(_) => {
            engine.complete = false;
            None
        }
    };
    engine.outcome(problem)
}

impl<'a> Engine<'a> {
    pub(super) fn new(
        model: &'a Model,
        options: &'a SearchOptions,
        control: &'a Arc<Control>,
    ) -> Engine<'a> {
        let mut evaluator = Evaluator::new(model.program.clone());
        evaluator.measure_room();
        let patience = waiting::patience(model, options);
        let counts_again = patience.is_some() && options.on_violation != OnViolation::Stop;
        evaluator.be_patient(patience);
        let (visited, refused) = match choice::visited(model, options) {
            Ok(visited) => (visited, None),
            Err(text) => (choice::off(model, options), Some(text)),
        };
        let reduced = visited.about().group != Order::ONE;
        let full = FullCounts::new(&model.static_symmetry, reduced);
        let canon = choice::canon(model, &visited);
        let operations = model.program.visible_operations().collect();
        let mut tally = Tally::new(operations, full);
        tally.findings.counted = counts_again.then(Default::default);
        let reducer = refused.is_none().then(|| Reducer::new(model, options, control)).flatten();
        let now = Instant::now();
        let threads = options.threads_for(visited.is_audited());
        Engine {
            threads,
            model,
            options,
            control,
            expander: Expander::new(evaluator, Checks::of(options), canon),
            visited,
            graph: match options.strategy {
                Strategy::BreadthFirst => Graph::by_levels(),
                _ => Graph::in_any_order(),
            },
            tally,
            setups: Vec::new(),
            complete: refused.is_none(),
            refused: refused.is_some(),
            bounds: model.bounds.iter().cloned().chain(refused.map(Bound::MainArray)).collect(),
            failed_start: None,
            started: now,
            reported: now,
            reducer,
            start: None,
            on_path: (options.strategy == Strategy::DepthFirst).then(Vec::new),
            state: Vec::new(),
            targets: Targets::default(),
            admitted: Vec::new(),
            numbered: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// Records a state that was admitted as new.
    pub(super) fn keep(
        &mut self,
        number: u32,
        origin: Origin,
        operation: OpId,
        depth: u32,
    ) -> Result<(), End> {
        debug_assert_eq!(number, self.graph.len());
        self.graph.push(origin, operation, depth)?;
        self.tally.states += self.visited.nodes_of(number);
        self.tally.depth = self.tally.depth.max(depth);
        self.count_full(Count::States, number, 1);
        Ok(())
    }

    /// Reports, and looks at the limits, now and then. To be called before the `n`-th state, from 1 on,
    /// is taken up.
    pub fn turn(&mut self, n: u32) -> Result<(), End> {
        if n & 63 == 0 || self.control.is_wanted() {
            self.pause(n)?;
        }
        Ok(())
    }

    /// Reports, and looks at the limits.
    pub fn pause(&mut self, n: u32) -> Result<(), End> {
        self.report(u64::from(self.known() - n + 1));
        Ok(clock::tick()?)
    }

    /// Number of states that were found.
    pub fn known(&self) -> u32 {
        self.graph.len()
    }

    /// Checks a state and expands it.
    pub fn take_up(&mut self, number: u32, depth: u32, out: &mut Successors) -> Result<(), End> {
        self.admitted.clear();
        let state = self.state(number);
        let inside = self.check(number, depth, &state);
        let result = match inside {
            Ok(true) => self.expand(number, depth, &state, out),
            other => other.map(|_| ()),
        };
        self.state = state;
        result
    }

    /// A copy of a state, in the room that the last one had; to be given back.
    fn state(&mut self, number: u32) -> Vec<u64> {
        let mut state = std::mem::take(&mut self.state);
        state.clear();
        state.extend_from_slice(self.visited.state(number));
        state
    }

    /// The same after a finding: as far as one that comes before it is possible.
    pub fn settle(&mut self, number: u32, depth: u32, out: &mut Successors) -> Result<(), End> {
        let state = self.visited.state(number).to_vec();
        if !self.check(number, depth, &state)? {
            return Ok(());
        }
        // One of its operations may fail, or none be enabled.
        let findings = &self.tally.findings;
        let fails = findings.can_improve(depth + 1, Kind::OPERATION);
        if fails || self.options.deadlock && findings.can_improve(depth, Kind::DEADLOCK) {
            self.expand(number, depth, &state, out)?;
        }
        Ok(())
    }

    /// Computes the successors of a state, counts and admits them.
    #[inline(always)]
    fn expand(
        &mut self,
        number: u32,
        depth: u32,
        state: &[u64],
        out: &mut Successors,
    ) -> Result<(), End> {
        if self.is_reducing() {
            return self.expand_partly((number, depth, state), out);
        }
        let automorphisms = self.expander.expand(state, self.visited.stabiliser(number), out)?;
        self.count_and_admit((number, depth, state), out, &automorphisms)?;
        if let Some(reducer) = &mut self.reducer {
            reducer.count(out.len() as u64, None);
        }
        self.ends_in(number, depth, out)
    }

    /// Numbers of the other states that the one expanded last leads to.
    pub fn reached(&self) -> impl Iterator<Item = u32> + '_ {
        self.admitted.iter().map(|a| a.number)
    }

    /// Whether one more state would be more than the user allows.
    pub(super) fn is_full(&self) -> bool {
        self.options.max_states.is_some_and(|m| self.tally.states >= m)
    }

    pub fn states_limit(&mut self) -> End {
        let m = self.options.max_states.unwrap_or(0);
        self.bounds.push(Bound::MaxStates(m));
        End::Limit
    }

    /// Checks a state before its expansion: whether it is to be expanded.
    #[inline(always)]
    pub fn check(&mut self, number: u32, depth: u32, state: &[u64]) -> Result<bool, End> {
        let asks = self.asks();
        let since = self.graph.led_by(number).filter(|_| asks.since);
        if self.expander.sees_nothing(state, since, asks.goal) {
            return Ok(true);
        }
        let looked = self.expander.look_closely(state, since, asks.goal)?;
        self.judge(number, depth, looked)
    }

    /// What is asked of the next state. What the operation that led to it cannot change keeps its parent's
    /// truth, and unless violating states are expanded that was true.
    pub fn asks(&self) -> Asks {
        let findings = &self.tally.findings;
        let expands = self.options.on_violation == OnViolation::Expand;
        Asks {
            since: !(expands && findings.any_failed()),
            goal: self.options.goal || !findings.goal_seen,
            part: self.is_reducing(),
        }
    }

    /// Counts what was seen in a state: whether it is to be expanded.
    #[inline]
    pub(super) fn judge(&mut self, number: u32, depth: u32, looked: Looked) -> Result<bool, End> {
        if looked.says_nothing() {
            return Ok(true);
        }
        self.judge_what_was_seen(number, depth, looked)
    }

    fn judge_what_was_seen(
        &mut self,
        number: u32,
        depth: u32,
        looked: Looked,
    ) -> Result<bool, End> {
        let Looked { scope, wrong, goal, goal_undefined } = looked;
        match scope {
            Scope::Inside => {}
            Scope::Outside => {
                if self.complete {
                    self.bounds.push(Bound::Scope);
                }
                self.complete = false;
                // It was found, and counted, with a transition that counts.
                self.tally.states -= self.visited.nodes_of(number);
                return Ok(false);
            }
            Scope::Unknown => return Ok(false),
        }
        let findings = &mut self.tally.findings;
        findings.goal_undefined = findings.goal_undefined.or(goal_undefined);
        findings.count_wrong(number, &wrong);
        let failed = !wrong.is_empty();
        for kind in wrong {
            findings.add(Found { state: number, depth, kind });
        }
        if failed {
            match self.options.on_violation {
                OnViolation::Stop => return Err(End::Found),
                OnViolation::Prune => return Ok(false),
                OnViolation::Expand => {}
            }
        }
        if goal {
            self.tally.findings.goal_seen = true;
            if self.options.goal {
                self.tally.findings.goals += 1;
                self.count_full(Count::Goals, number, 1);
                self.tally.findings.goal_at = Some(number);
                self.tally.findings.add(Found { state: number, depth, kind: Kind::Goal });
            }
        }
        Ok(true)
    }
}
