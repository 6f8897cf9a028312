//! Stepping through a machine by hand, with a history.
//!
//! The animator never reduces anything: its steps are those of the machine itself. From the root one
//! goes to a set-up of the constants (where the machine has such a step), from there to an initial
//! state, and then by operations.

use super::canceller::Canceller;
use super::canon::{self, NoMatrix};
use super::tree::{Place, PlaceId, Tree};
use super::view::{self, StateView};
use crate::clock::{Clock, Halt, Phase, enter};
use crate::eval::{CutId, CutSite, Evaluator, OperationFault, Site, SiteId, Stop, Successors};
use crate::machine::OpId;
use crate::run::{Event, Label, Step};
use crate::setup::Model;
use crate::source::Sources;
use crate::state::Instance;
use crate::symmetry::CanonView;
use crate::value::Value;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Where a run of the machine stands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Position {
    /// Nothing is chosen.
    Root,
    /// The constants are chosen, in the order of their declaration.
    SetUp(Vec<Value>),
    /// A packed state.
    State(Vec<u64>),
}

/// The transitions out of a position, in a deterministic order.
#[derive(Clone, Debug, Default)]
pub struct Enabled {
    steps: Steps,
    /// Instances of operations that end in a fault.
    pub faults: Vec<OperationFault>,
    /// Why there is nothing, or not everything: a fault in the properties or the initialisation, an
    /// enumeration that was cut off, or a limit.
    pub stopped: Option<Stop>,
    /// What cut the list, where [`Enabled::is_cut`].
    pub cut: Option<Halt>,
    parts: Vec<Part>,
}

/// The transitions of one operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    pub operation: OpId,
    pub numbers: Range<usize>,
    pub listed: Listed,
}

/// How far the transitions of an operation were listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listed {
    /// There are no others.
    Whole,
    /// There may be others: the time was up, or it was cancelled.
    Partly,
    /// Nobody has looked.
    NotYet,
}

#[derive(Clone, Debug, Default)]
enum Steps {
    #[default]
    None,
    SetUps(Vec<Vec<Value>>),
    Initial(Vec<Vec<u64>>),
    Operations(Successors),
}

impl Enabled {
    /// Number of transitions. They are all of them, unless [`Enabled::stopped`] says otherwise.
    pub fn len(&self) -> usize {
        match &self.steps {
            Steps::None => 0,
            Steps::SetUps(all) => all.len(),
            Steps::Initial(all) => all.len(),
            Steps::Operations(all) => all.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether there is certainly nothing.
    pub fn is_nothing(&self) -> bool {
        self.is_empty() && self.faults.is_empty() && self.stopped.is_none()
    }

    /// Whether the list was cut by the time limit or by the user.
    pub fn is_cut(&self) -> bool {
        self.stopped == Some(Stop::Halted)
    }

    /// Whether nothing is missing.
    pub fn is_whole(&self) -> bool {
        self.stopped.is_none() && self.parts.iter().all(|part| part.listed == Listed::Whole)
    }

    /// The operations with their transitions, in their order; none before the initialisation.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Whether an instance of an operation has other outcomes, too.
    pub fn is_one_of_several(&self, i: usize) -> bool {
        let Steps::Operations(all) = &self.steps else { return false };
        let group = |i: usize| all.entries.get(i).map(|e| e.group);
        let own = group(i);
        own.is_some() && (group(i + 1) == own || i > 0 && group(i - 1) == own)
    }

    /// What a transition is called.
    pub fn label(&self, instance: &Instance, i: usize) -> Option<Label> {
        if i >= self.len() {
            return None;
        }
        Some(match &self.steps {
            Steps::None => return None,
            Steps::SetUps(_) => Label::of(Event::SetUp),
            Steps::Initial(_) => Label::of(Event::Initialisation),
            Steps::Operations(all) => Label::of_transition(instance, all, i),
        })
    }

    /// The operation of a transition; `None` for set-up and initialisation.
    pub fn operation(&self, i: usize) -> Option<OpId> {
        match &self.steps {
            Steps::Operations(all) => all.entries.get(i).map(|e| e.operation),
            _ => None,
        }
    }

    /// Where a transition leads.
    pub fn position(&self, i: usize) -> Option<Position> {
        match &self.steps {
            Steps::None => None,
            Steps::SetUps(all) => all.get(i).cloned().map(Position::SetUp),
            Steps::Initial(all) => all.get(i).cloned().map(Position::State),
            Steps::Operations(all) => {
                (i < all.len()).then(|| Position::State(all.target(i).to_vec()))
            }
        }
    }
}

/// How exactly the steps of a trace must be met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Match {
    /// Operation, arguments, results and all changed values.
    Exact,
    /// Operation and arguments; among several, the one that is most alike. For a machine that was
    /// edited in between.
    Alike,
}

/// How far a trace was followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// Number of steps that were taken.
    pub steps: usize,
    /// The whole trace fits. A last step that failed fits when it fails here, too.
    pub complete: bool,
}

/// Least time that an operation has for its transitions.
const LEAST_TURN: Duration = Duration::from_millis(50);

/// Longest time for the pieces of work of an animator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeLimits {
    /// For the set-ups of the constants.
    pub set_up: Option<Duration>,
    /// For one listing of transitions or the checks and the labelling of one state.
    pub state: Option<Duration>,
}

/// A run of a machine that is made step by step.
pub struct Animator {
    model: Model,
    sources: Sources,
    evaluator: Evaluator,
    /// Of the piece of work at hand.
    clock: Arc<Clock>,
    /// Whether it is that of all pieces of work.
    shared: bool,
    canceller: Canceller,
    limits: TimeLimits,
    /// Number of set-ups that are looked for.
    set_ups: usize,
    tree: Tree,
    /// The transitions out of where it stands.
    enabled: Arc<Enabled>,
}

impl Animator {
    /// An animator at the root. `sources` are the texts that the model was made from.
    pub fn new(model: Model, sources: Sources) -> Animator {
        Animator::watched(model, sources, TimeLimits::default(), Canceller::default())
    }

    /// An animator at the root that is cancelled with `canceller` and keeps these limits; what was
    /// found by then is marked as cut. Without a limit a piece of work takes as long as it takes.
    pub fn watched(
        model: Model,
        sources: Sources,
        limits: TimeLimits,
        canceller: Canceller,
    ) -> Animator {
        Animator::with(usize::MAX, (model, sources), limits, canceller, None)
    }

    /// An animator at the root, all of whose work has the limits of one clock.
    pub fn under(model: Model, sources: Sources, clock: &Arc<Clock>) -> Animator {
        Animator::among(usize::MAX, model, sources, clock)
    }

    /// The same for who takes one of the first so many set-ups: no others are looked for.
    pub fn among(most: usize, model: Model, sources: Sources, clock: &Arc<Clock>) -> Animator {
        let (limits, canceller) = (TimeLimits::default(), Canceller::default());
        Animator::with(most, (model, sources), limits, canceller, Some(clock.clone()))
    }

    fn with(
        set_ups: usize,
        (model, sources): (Model, Sources),
        limits: TimeLimits,
        canceller: Canceller,
        clock: Option<Arc<Clock>>,
    ) -> Animator {
        let mut evaluator = Evaluator::new(model.program.clone());
        evaluator.explain(true);
        let shared = clock.is_some();
        let clock = clock.unwrap_or_else(Clock::new);
        let (tree, enabled) = (Tree::default(), Arc::default());
        let mut animator = Animator {
            model,
            sources,
            evaluator,
            clock,
            shared,
            canceller,
            limits,
            set_ups,
            tree,
            enabled,
        };
        animator.arrive();
        animator
    }

    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Where an enumeration was cut off, and what was enumerated there.
    pub fn cut_at(&self, id: CutId) -> &CutSite {
        self.evaluator.cut_at(id)
    }

    /// Where a fault happened that cut a list of transitions.
    pub fn site(&self, id: SiteId) -> Site {
        self.evaluator.site(id)
    }

    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    fn place(&self) -> &Place {
        self.tree.here()
    }

    /// All that was done so far.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    pub fn position(&self) -> &Position {
        &self.place().position
    }

    /// The transitions out of the current position.
    pub fn enabled(&self) -> &Arc<Enabled> {
        &self.enabled
    }

    /// Lists the transitions of the place that one has come to, unless they are known.
    fn arrive(&mut self) {
        let position = self.position().clone();
        // One list serves all places with the same state.
        let known = self.place().enabled.clone().or_else(|| self.tree.listed(&position));
        self.enabled = known.unwrap_or_else(|| Arc::new(self.enabled_at(&position, None)));
        self.tree.list(self.enabled.clone());
    }

    /// The steps that led to the current position, the first one first.
    pub fn history(&self) -> Vec<Step> {
        self.tree.steps(self.tree.at())
    }

    /// Number of steps that can be undone, and redone.
    pub fn depth(&self) -> (usize, usize) {
        self.tree.depth()
    }

    /// What the `i`-th enabled transition (from 0) does.
    pub fn label(&mut self, i: usize) -> Option<Step> {
        let target = self.enabled.position(i)?;
        let label = self.called(i)?;
        let from = self.place().position.clone();
        Some(match (from, target) {
            (Position::State(before), Position::State(after)) => {
                let before = self.evaluator.variables(&before);
                Step::operation(label, &before, &self.evaluator.variables(&after))
            }
            (_, Position::State(first)) => Step::initial(&self.evaluator.variables(&first)),
            (_, Position::SetUp(constants)) => {
                Step::set_up(&self.model.program.instance, &constants)
            }
            (_, Position::Root) => return None,
        })
    }

    /// [`Animator::label`] without the changed variables of operations, which take longer to be found.
    /// Set-ups and initialisations keep theirs, having nothing else to tell them apart.
    pub fn short_label(&mut self, i: usize) -> Option<Step> {
        let label = self.called(i)?;
        match label.event {
            Event::Operation(_) => Some(Step { label, changed: Vec::new(), failed: false }),
            Event::SetUp | Event::Initialisation => self.label(i),
        }
    }

    /// The label of the `i`-th enabled transition.
    fn called(&self, i: usize) -> Option<Label> {
        self.enabled.label(&self.model.program.instance, i)
    }

    /// Takes the `i`-th enabled transition (from 0). False when there is none of that number. What was
    /// done from here before stays in the tree.
    pub fn step(&mut self, i: usize) -> bool {
        let Some(position) = self.enabled.position(i) else { return false };
        let Some(step) = self.label(i) else { return false };
        match self.tree.taken(&step, &position) {
            Some(place) => self.tree.go_on_to(place),
            None => self.tree.add(step, position),
        }
        self.arrive();
        true
    }

    /// Lists the transitions of an operation here once more, with more time.
    pub fn list_more(&mut self, operation: OpId) {
        let position = self.position().clone();
        self.enabled = Arc::new(self.enabled_at(&position, Some(operation)));
        self.tree.list(self.enabled.clone());
    }

    /// Goes so many steps back, or as many as there are, and says how many.
    pub fn undo(&mut self, most: usize) -> usize {
        let done = (0..most).take_while(|_| self.tree.undo()).count();
        self.arrive();
        done
    }

    /// Goes so many steps forth again, on the way that was gone last, and says how many.
    pub fn redo(&mut self, most: usize) -> usize {
        let done = (0..most).take_while(|_| self.tree.redo()).count();
        self.arrive();
        done
    }

    /// Goes to a place where one was before.
    pub fn go_to(&mut self, place: PlaceId) {
        if place != self.tree.at() {
            self.tree.go_to(place);
            self.arrive();
        }
    }

    /// Goes back to the root.
    pub fn restart(&mut self) {
        self.tree.restart();
        self.arrive();
    }

    /// How often its work was cancelled so far: see [`Canceller::times`].
    pub fn cancelled(&self) -> u64 {
        self.canceller.times()
    }

    /// Follows a trace from the root, as far as it goes or until that is cancelled. It becomes a branch of
    /// the tree.
    pub fn replay(&mut self, trace: &[Step], how: Match) -> Replayed {
        let cancelled = self.cancelled();
        self.restart();
        for (n, wanted) in trace.iter().enumerate() {
            if wanted.failed {
                let complete = n + 1 == trace.len() && self.fails(wanted);
                return Replayed { steps: n, complete };
            }
            let Some(i) = self.find(wanted, how) else {
                return Replayed { steps: n, complete: false };
            };
            if !self.step(i) {
                return Replayed { steps: n, complete: false };
            }
            // A clock that all share stays interrupted, and nothing further can be listed.
            let ended = self.shared && self.enabled().cut == Some(Halt::Interrupted);
            if ended || self.cancelled() != cancelled {
                return Replayed { steps: n + 1, complete: n + 1 == trace.len() };
            }
        }
        Replayed { steps: trace.len(), complete: true }
    }

    /// Takes the transition that is meant by a step. False where there is none.
    pub fn follow(&mut self, wanted: &Step, how: Match) -> bool {
        !wanted.failed && self.find(wanted, how).is_some_and(|i| self.step(i))
    }

    /// Whether an instance of an operation, the properties or the initialisation fail here.
    fn fails(&self, wanted: &Step) -> bool {
        let enabled = self.enabled();
        if matches!(self.position(), Position::Root | Position::SetUp(_)) {
            return matches!(enabled.stopped, Some(Stop::Fault(_)));
        }
        enabled.faults.iter().any(|f| {
            wanted.label.event == Event::Operation(f.operation)
                && wanted.label.arguments == f.arguments
        })
    }

    /// Operation and printed arguments of a fault.
    pub fn faulty(&self, fault: &OperationFault) -> (String, Vec<String>) {
        let instance = &self.model.program.instance;
        let operation = instance.machine.operation(fault.operation);
        let arguments = instance.printed_locals(&operation.parameters, &fault.arguments);
        (operation.name.to_string(), arguments)
    }

    /// The enabled transition that is meant by a step of a trace.
    fn find(&mut self, wanted: &Step, how: Match) -> Option<usize> {
        let mut best: Option<(usize, usize)> = None;
        for i in 0..self.enabled().len() {
            let Some(label) = self.called(i) else { continue };
            let same = label.results == wanted.label.results;
            if label.event != wanted.label.event
                || label.arguments != wanted.label.arguments
                || how == Match::Exact && !same
            {
                continue;
            }
            let Some(full) = self.label(i) else { continue };
            if full.is(wanted) {
                return Some(i);
            }
            let common = full.changed.iter().filter(|c| wanted.changed.contains(c)).count();
            let score = 1 + common + usize::from(same);
            if how == Match::Alike && best.is_none_or(|(s, _)| s < score) {
                best = Some((score, i));
            }
        }
        best.map(|(_, i)| i)
    }

    /// What is to be seen of the current position.
    pub fn view(&mut self) -> StateView {
        let position = self.place().position.clone();
        let previous = self.place().parent.map(|id| self.tree.place(id).position.clone());
        let enabled = self.enabled.clone();
        let limit = self.limits.state;
        self.timed(limit, |a| view::view(a, &position, previous.as_ref(), &enabled))
    }

    /// The canonical matrix of the current state.
    ///
    /// # Errors
    /// There is no state yet, its graph is too large to be drawn, or there was no time.
    pub fn canon(&mut self) -> Result<CanonView, NoMatrix> {
        let Position::State(state) = self.place().position.clone() else {
            return Err(NoMatrix::NoState);
        };
        let constants = self.evaluator.constants(&state);
        let variables = self.evaluator.variables(&state);
        let limit = self.limits.state;
        self.timed(limit, |a| {
            enter(Phase::Labelling);
            canon::canon(&a.model, &constants, &variables)
        })
        .map_err(|none| match (none, self.clock.halt()) {
            (NoMatrix::Time, Some(Halt::Interrupted)) => NoMatrix::Cancelled,
            (none, _) => none,
        })
    }

    /// Does one piece of work within the limit for a state.
    pub(super) fn within_limit<T>(&mut self, work: impl FnOnce(&mut Animator) -> T) -> T {
        self.timed(self.limits.state, work)
    }

    /// Longest time for the work on one state.
    pub(super) fn limit(&self) -> Option<Duration> {
        self.limits.state
    }

    /// What ended the piece of work at hand.
    pub(super) fn halt(&self) -> Option<Halt> {
        self.clock.halt()
    }

    pub(super) fn evaluator(&mut self) -> &mut Evaluator {
        &mut self.evaluator
    }

    /// Does one piece of work, under a clock of its own unless all share one.
    pub(super) fn timed<T>(
        &mut self,
        limit: Option<Duration>,
        work: impl FnOnce(&mut Animator) -> T,
    ) -> T {
        if !self.shared {
            self.clock = Clock::limited(limit, None);
            self.canceller.watch(&self.clock);
        }
        self.clock.clone().run(|| {
            enter(Phase::Search);
            self.evaluator.measure_room();
            work(self)
        })
    }

    /// The transitions out of a position; one operation may get more time.
    fn enabled_at(&mut self, position: &Position, more: Option<OpId>) -> Enabled {
        if let Position::State(state) = position {
            return self.transitions(state, more);
        }
        let at_root = *position == Position::Root;
        let limit = if at_root { self.limits.set_up } else { self.limits.state };
        self.evaluator.explain(true);
        let mut enabled = self.timed(limit, |a| a.listed(position));
        enabled.cut = self.clock.halt().filter(|_| enabled.is_cut());
        enabled
    }

    fn listed(&mut self, position: &Position) -> Enabled {
        let has_step = self.model.program.instance.setup_step;
        match position {
            Position::Root => {
                enter(Phase::SetUp);
                let mut found = Vec::new();
                let stopped = self.evaluator.first_setups(self.set_ups, &mut found).err();
                let stopped = stopped.or(self.cut());
                if has_step || stopped.is_some() {
                    return Enabled { steps: Steps::SetUps(found), stopped, ..Enabled::default() };
                }
                // Without a step of its own the set-up is silent, and there is at most one.
                match found.first() {
                    Some(constants) => self.initial(constants),
                    None => Enabled::default(),
                }
            }
            Position::SetUp(constants) => self.initial(constants),
            // Operations have their turns one by one.
            Position::State(_) => Enabled::default(),
        }
    }

    /// The transitions out of a state. Every operation gets its turn: what one does not need of the time
    /// is left to those that follow.
    fn transitions(&mut self, state: &[u64], more: Option<OpId>) -> Enabled {
        self.evaluator.explain(true);
        let program = self.model.program.clone();
        let operations: Vec<OpId> = program.visible_operations().collect();
        let start = Instant::now();
        let mut out = Successors::new();
        let mut enabled = Enabled::default();
        for (i, operation) in operations.iter().enumerate() {
            let first = out.len();
            let mut listed = Listed::NotYet;
            if enabled.cut != Some(Halt::Interrupted) {
                let left = self.limits.state.map(|all| all.saturating_sub(start.elapsed()));
                let turn = left.map(|left| (left / (operations.len() - i) as u32).max(LEAST_TURN));
                let turn = if more == Some(*operation) { self.limits.set_up } else { turn };
                listed = match self.turn(state, *operation, turn, &mut out) {
                    Ok(()) => Listed::Whole,
                    Err(_) => Listed::Partly,
                };
                enabled.stopped = enabled.stopped.or(self.cut());
            }
            if listed != Listed::Whole {
                enabled.cut = enabled.cut.or(self.clock.halt());
            }
            enabled.parts.push(Part { operation: *operation, numbers: first..out.len(), listed });
        }
        if enabled.parts.iter().any(|part| part.listed != Listed::Whole) {
            enabled.stopped = Some(Stop::Halted);
        }
        enabled.faults = std::mem::take(&mut out.faults);
        enabled.steps = Steps::Operations(out);
        enabled
    }

    fn turn(
        &mut self,
        state: &[u64],
        operation: OpId,
        time: Option<Duration>,
        out: &mut Successors,
    ) -> Result<(), Stop> {
        self.timed(time, |a| a.evaluator.add_transitions(state, operation, out))
    }

    fn initial(&mut self, constants: &[Value]) -> Enabled {
        enter(Phase::Initialisation);
        match self.evaluator.initial_states(constants) {
            Ok(states) => {
                Enabled { steps: Steps::Initial(states), stopped: self.cut(), ..Enabled::default() }
            }
            Err(stop) => Enabled { stopped: Some(stop), ..Enabled::default() },
        }
    }

    /// Why the list that was just made may not be whole: an enumeration was cut off.
    fn cut(&self) -> Option<Stop> {
        self.evaluator.cut().map(Stop::Cut)
    }
}
