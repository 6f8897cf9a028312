//! The search loop.
//!
//! States are numbered in the order in which they are found. A state is checked when it is taken up
//! for expansion, before its successors. The loop knows nothing of reductions: it asks a
//! [`Visited`] whether a successor is new.

use super::control::Control;
use super::findings::{Asked, Findings, Found, Kind};
use super::frontier::Frontier;
use super::full::{Count, FullCounts};
use super::level::Levels;
use super::options::{OnViolation, SearchOptions, Strategy};
use super::outcome::{Finding, Outcome, Verdict};
use super::{choice, walk};
use crate::clock::{self, Phase, Stopped, enter};
use crate::eval::{Check, Evaluator, Stop, Successors};
use crate::machine::OpId;
use crate::reduce::Interrupted;
use crate::setup::{Bound, Model};
use crate::store::{Admitted, Visited};
use crate::symmetry::Order;
use crate::value::Value;
use std::sync::Arc;
use std::time::Instant;

/// Where a state was first reached from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Number of the set-up.
    Setup(u32),
    State(u32),
}

/// The same in four bytes: set-ups count down from the top.
#[derive(Clone, Copy)]
struct Parent(u32);

const SETUPS: u32 = 1 << 31;

impl Parent {
    fn of(origin: Origin) -> Parent {
        match origin {
            Origin::Setup(i) => Parent(SETUPS | i),
            Origin::State(i) => Parent(i),
        }
    }

    fn origin(self) -> Origin {
        if self.0 & SETUPS != 0 { Origin::Setup(self.0 & !SETUPS) } else { Origin::State(self.0) }
    }
}

/// No operation led here: the state is initial.
pub(super) const NO_OPERATION: u16 = u16::MAX;

/// Everything a search holds.
pub struct Engine<'a> {
    pub model: &'a Model,
    pub options: &'a SearchOptions,
    pub control: &'a Arc<Control>,
    pub evaluator: Evaluator,
    pub visited: Visited,
    /// One set-up of each orbit: its constants. The one that was found first, so that what is shown
    /// are set-ups as the rules of static symmetry keep them.
    pub setups: Vec<Vec<Value>>,
    parents: Vec<Parent>,
    /// The operation that first led to each state.
    pub(super) reached_by: Vec<u16>,
    /// Operations after the initialisation; breadth-first search needs no list.
    pub(super) depths: Vec<u32>,
    pub findings: Findings,
    pub transitions: u64,
    /// Those of the set-ups and the initialisations.
    pub(super) first_transitions: u64,
    pub(super) full: FullCounts,
    pub depth: u32,
    pub(super) bounds: Vec<Bound>,
    pub(super) complete: bool,
    /// The method that was asked for cannot be used: nothing is searched.
    pub(super) refused: bool,
    /// Nodes of the set-ups.
    pub(super) setup_nodes: u64,
    /// Initialised states.
    pub(super) states: u64,
    /// States expanded.
    pub(super) expanded: u64,
    pub(super) successors: u64,
    /// Operations that no state so far enables.
    pub(super) idle: Vec<OpId>,
    /// The first fault of an INITIALISATION, where the search goes on after it.
    pub(super) failed_start: Option<(Verdict, Finding)>,
    pub(super) started: Instant,
    pub(super) reported: Instant,
    pub(super) admitted: Vec<Admitted>,
    /// The same for those targets that are not their own source.
    pub(super) moved: Vec<Admitted>,
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
    if control.sets_limits() {
        control.clock().limit(options.timeout, options.memory);
    }
    control.clock().run(|| search(model, options, control))
}

fn search(model: &Model, options: &SearchOptions, control: &Arc<Control>) -> Outcome {
    let mut engine = Engine::new(model, options, control);
    let begun = if engine.refused { Err(End::Limit) } else { engine.set_up() };
    let problem = match begun {
        Ok(None) => {
            let end = match options.strategy {
                _ if engine.parents.is_empty() => Ok(()),
                Strategy::Random => walk::random_walks(&mut engine),
                _ => engine.explore(),
            };
            if end.is_err() {
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
    fn new(model: &'a Model, options: &'a SearchOptions, control: &'a Arc<Control>) -> Engine<'a> {
        let mut evaluator = Evaluator::new(model.program.clone());
        evaluator.measure_room();
        let (visited, refused) = match choice::visited(model, options) {
            Ok(visited) => (visited, None),
            Err(text) => (choice::off(model), Some(text)),
        };
        let reduced = visited.about().group != Order::ONE;
        let full = FullCounts::new(&model.static_symmetry, reduced);
        let now = Instant::now();
        Engine {
            model,
            options,
            control,
            evaluator,
            visited,
            setups: Vec::new(),
            parents: Vec::new(),
            reached_by: Vec::new(),
            depths: Vec::new(),
            findings: Findings::default(),
            transitions: 0,
            first_transitions: 0,
            full,
            depth: 0,
            complete: refused.is_none(),
            refused: refused.is_some(),
            bounds: model.bounds.iter().cloned().chain(refused.map(Bound::MainArray)).collect(),
            setup_nodes: 0,
            states: 0,
            expanded: 0,
            successors: 0,
            idle: model.program.visible_operations().collect(),
            failed_start: None,
            started: now,
            reported: now,
            admitted: Vec::new(),
            moved: Vec::new(),
        }
    }

    pub fn origin(&self, state: u32) -> Origin {
        self.parents[state as usize].origin()
    }

    /// Number of initialised states; with flooding the images are counted, too.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// Number of initial states: they come first.
    pub fn initial_count(&self) -> usize {
        self.reached_by.iter().take_while(|o| **o == NO_OPERATION).count()
    }

    // ----- set-up

    pub(super) fn constants_number(&self, state: u32) -> u32 {
        self.model.program.layout.constants_number(self.visited.state(state))
    }

    /// Records a state that was admitted as new.
    pub(super) fn keep(&mut self, number: u32, origin: Origin, operation: u16, depth: u32) {
        debug_assert_eq!(number as usize, self.parents.len());
        self.parents.push(Parent::of(origin));
        self.states += self.visited.nodes_of(number);
        self.reached_by.push(operation);
        if !matches!(self.options.strategy, Strategy::BreadthFirst) {
            self.depths.push(depth);
        }
        self.depth = self.depth.max(depth);
        self.count_full(Count::States, number, 1);
    }

    // ----- the loop

    fn explore(&mut self) -> Result<(), End> {
        let mut frontier =
            Frontier::new(self.options.strategy, self.options.alpha, self.options.seed);
        (0..self.parents.len() as u32).for_each(|i| frontier.push(i));
        let mut out = Successors::new();
        let mut levels = Levels::new(self.parents.len() as u32);
        let mut turns = 0u32;
        while let Some(number) = frontier.pop() {
            turns += 1;
            if turns & 63 == 0 || self.control.is_wanted() {
                self.look_up(&frontier)?;
            }
            let depth = match self.depths.get(number as usize) {
                Some(depth) => *depth,
                None => levels.depth(number, self.parents.len() as u32),
            };
            match self.take_up(number, depth, &mut frontier, &mut out) {
                Err(End::Found) if self.options.strategy == Strategy::BreadthFirst => {
                    self.settle(levels, &mut frontier, &mut out)?;
                    return Err(End::Found);
                }
                result => result?,
            }
        }
        Ok(())
    }

    /// Reports, and looks at the limits.
    pub fn look_up(&mut self, frontier: &Frontier) -> Result<(), End> {
        self.report(frontier.len() as u64 + 1);
        Ok(clock::tick()?)
    }

    /// Number of states that were found.
    pub fn known(&self) -> u32 {
        self.parents.len() as u32
    }

    /// Checks a state and expands it.
    fn take_up(
        &mut self,
        number: u32,
        depth: u32,
        frontier: &mut Frontier,
        out: &mut Successors,
    ) -> Result<(), End> {
        if self.check(number, depth)? {
            self.expand(number, depth, Some(frontier), out)?;
        }
        Ok(())
    }

    /// Computes the successors of a state, counts and admits them.
    pub fn expand(
        &mut self,
        number: u32,
        depth: u32,
        frontier: Option<&mut Frontier>,
        out: &mut Successors,
    ) -> Result<(), End> {
        let state = self.visited.state(number).to_vec();
        enter(Phase::Labelling);
        let automorphisms = self.visited.automorphisms(number, self.evaluator.interner())?;
        enter(Phase::Search);
        self.evaluator.pruned_successors(&state, &automorphisms, out)?;
        self.count_and_admit(number, depth, &state, out, frontier)?;
        self.ends_in(number, depth, out)
    }

    /// Whether one more state would be more than the user allows.
    pub(super) fn is_full(&self) -> bool {
        self.options.max_states.is_some_and(|m| self.states >= m)
    }

    pub fn states_limit(&mut self) -> End {
        let m = self.options.max_states.unwrap_or(0);
        self.bounds.push(Bound::MaxStates(m));
        End::Limit
    }

    /// Checks a state before its expansion: whether it is to be expanded.
    pub fn check(&mut self, number: u32, depth: u32) -> Result<bool, End> {
        enter(Phase::Search);
        let state = self.visited.state(number).to_vec();
        let mut wrong = Vec::new();
        match self.evaluator.in_scope(&state)? {
            Check::Holds => {}
            Check::Fails(_) => {
                if self.complete {
                    self.bounds.push(Bound::Scope);
                }
                self.complete = false;
                return Ok(false);
            }
            Check::Undefined(_, site) => wrong.push(Kind::Undefined(Asked::Scope, site)),
            // Whatever is unknown here and below, the notes of the evaluator make it a bound.
            Check::Unknown(_) => return Ok(false),
        }
        if self.options.invariant {
            self.violations(number, &state, &mut wrong)?;
        }
        let goes_on = wrong.is_empty() || self.options.on_violation == OnViolation::Expand;
        let goal = goes_on && self.goal(&state, &mut wrong)?;
        self.count_wrong(&wrong);
        let failed = !wrong.is_empty();
        for kind in wrong {
            self.findings.add(Found { state: number, depth, kind });
        }
        if failed {
            match self.options.on_violation {
                OnViolation::Stop => return Err(End::Found),
                OnViolation::Prune => return Ok(false),
                OnViolation::Expand => {}
            }
        }
        if goal {
            self.findings.goal_seen = true;
            if self.options.goal {
                self.findings.goals += 1;
                self.count_full(Count::Goals, number, 1);
                self.findings.goal_at = Some(number);
                self.findings.add(Found { state: number, depth, kind: Kind::Goal });
            }
        }
        Ok(true)
    }

    /// Whether the goal holds, where anybody wants to know.
    fn goal(&mut self, state: &[u64], wrong: &mut Vec<Kind>) -> Result<bool, Stop> {
        if !self.options.goal && self.findings.goal_seen {
            return Ok(false);
        }
        match self.evaluator.goal(state)? {
            Check::Holds => return Ok(true),
            Check::Fails(_) | Check::Unknown(_) => {}
            Check::Undefined(_, site) if self.options.goal => {
                wrong.push(Kind::Undefined(Asked::Goal, site));
            }
            Check::Undefined(_, site) => {
                self.findings.goal_undefined.get_or_insert(site);
            }
        }
        Ok(false)
    }

    /// What the invariant and the assertions say against a state.
    fn violations(
        &mut self,
        number: u32,
        state: &[u64],
        wrong: &mut Vec<Kind>,
    ) -> Result<(), Stop> {
        // What the operation cannot change keeps its parent's truth, and unless violating states are
        // expanded that was true.
        let since = match self.reached_by[number as usize] {
            NO_OPERATION => None,
            _ if self.options.on_violation == OnViolation::Expand && self.findings.any_failed() => {
                None
            }
            operation => Some(OpId(operation as u32)),
        };
        match self.evaluator.invariant(state, since)? {
            Check::Holds | Check::Unknown(_) => {}
            Check::Fails(i) => wrong.push(Kind::Invariant(i)),
            Check::Undefined(_, site) => wrong.push(Kind::Undefined(Asked::Invariant, site)),
        }
        match self.evaluator.assertions(state, since)? {
            Check::Holds | Check::Unknown(_) => {}
            Check::Fails(i) => wrong.push(Kind::Assertion(i)),
            Check::Undefined(_, site) => wrong.push(Kind::Undefined(Asked::Assertions, site)),
        }
        Ok(())
    }

    /// Counts a state under each kind of failure once.
    fn count_wrong(&mut self, wrong: &[Kind]) {
        let any = |test: fn(&Kind) -> bool| u64::from(wrong.iter().any(test));
        self.findings.violating += any(|k| matches!(k, Kind::Invariant(_)));
        self.findings.assertions += any(|k| matches!(k, Kind::Assertion(_)));
        self.findings.undefined += any(|k| matches!(k, Kind::Undefined(..)));
    }

    // ----- the end
}
