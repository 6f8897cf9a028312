//! The search loop.
//!
//! States are numbered in the order in which they are found. A state is checked when it is taken up
//! for expansion, before its successors. The loop knows nothing of reductions: it asks a
//! [`Method`] whether a successor is new.

use super::control::{Control, Halt};
use super::findings::{Findings, Found, Kind};
use super::frontier::Frontier;
use super::full::{Count, FullCounts};
use super::level::Levels;
use super::options::{OnViolation, SearchOptions, Strategy};
use super::outcome::{Finding, Outcome, Progress, Trace, Verdict};
use super::{choice, memory, trace, walk};
use crate::eval::{Check, Entry, Evaluator, Stop, Successors};
use crate::machine::OpId;
use crate::setup::Model;
use crate::symmetry::{Admitted, Interrupted, Method, Order, SetUp};
use crate::value::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Between two looks at a running search.
const REPORT_EVERY: Duration = Duration::from_millis(100);

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
const NO_OPERATION: u16 = u16::MAX;

/// Everything a search holds.
pub struct Engine<'a> {
    pub model: &'a Model,
    pub options: &'a SearchOptions,
    pub control: &'a Arc<Control>,
    pub evaluator: Evaluator,
    pub method: Box<dyn Method>,
    /// One set-up of each orbit: its constants. The one that was found first, so that what is shown
    /// are set-ups as the rules of static symmetry keep them.
    pub setups: Vec<Vec<Value>>,
    parents: Vec<Parent>,
    /// The operation that first led to each state.
    reached_by: Vec<u16>,
    /// Operations after the initialisation; breadth-first search needs no list.
    depths: Vec<u32>,
    pub findings: Findings,
    pub transitions: u64,
    /// Those of the set-ups and the initialisations.
    first_transitions: u64,
    full: FullCounts,
    pub depth: u32,
    bounds: Vec<String>,
    complete: bool,
    /// The method that was asked for cannot be used: nothing is searched.
    refused: bool,
    /// Nodes of the set-ups.
    setup_nodes: u64,
    /// Initialised states.
    states: u64,
    /// States expanded.
    expanded: u64,
    successors: u64,
    /// Operations that no state so far enables.
    idle: Vec<OpId>,
    /// The first fault of an INITIALISATION, where the search goes on after it.
    failed_start: Option<(Verdict, Finding)>,
    started: Instant,
    reported: Instant,
    admitted: Vec<Admitted>,
    /// Targets that are not their own source, packed, and what became of them.
    moves: Vec<u64>,
    moved: Vec<Admitted>,
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

impl From<Stop> for End {
    fn from(_: Stop) -> End {
        // Faults are handled where they arise; what is left is the clock.
        End::Limit
    }
}

/// Searches the states of a model on this thread.
pub fn run(model: &Model, options: &SearchOptions, control: &Arc<Control>) -> Outcome {
    let memory = options.memory.or_else(memory::usual_limit);
    control.begin(options.timeout, memory);
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
        evaluator.set_watch(control.clone());
        let (method, refused) = match choice::method(model, options, control) {
            Ok(method) => (method, None),
            Err(text) => (choice::off(model), Some(text)),
        };
        let reduced = method.group_order() != Order::ONE;
        let full = FullCounts::new(&model.static_symmetry, reduced);
        let now = Instant::now();
        Engine {
            model,
            options,
            control,
            evaluator,
            method,
            setups: Vec::new(),
            parents: Vec::new(),
            reached_by: Vec::new(),
            depths: Vec::new(),
            findings: Findings::default(),
            transitions: 0,
            first_transitions: 0,
            full,
            depth: 0,
            bounds: model.bounds.iter().cloned().chain(refused.clone()).collect(),
            complete: refused.is_none(),
            refused: refused.is_some(),
            setup_nodes: 0,
            states: 0,
            expanded: 0,
            successors: 0,
            idle: model.program.visible_operations().collect(),
            failed_start: None,
            started: now,
            reported: now,
            admitted: Vec::new(),
            moves: Vec::new(),
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

    /// Finds the set-ups and admits the initial states. A problem ends the search there.
    fn set_up(&mut self) -> Result<Option<(Verdict, Finding)>, End> {
        let mut all = Vec::new();
        match self.evaluator.setups(&mut all) {
            Ok(()) => {}
            Err(Stop::Fault(_)) => return Ok(Some(trace::setup_fault(self, &[]))),
            Err(stop) => return Err(stop.into()),
        }
        let machine = &self.model.instance.machine;
        let step = machine.has_setup_step();
        if all.is_empty() {
            let message =
                "the PROPERTIES have no solution: there is no set-up of the constants".to_string();
            return Ok(Some((
                Verdict::NoSetup,
                finding(message, machine.properties.first().map(|c| c.pred.span)),
            )));
        }
        let mut set_ups: Vec<SetUp> = Vec::new();
        let mut numbers: Vec<u32> = Vec::new();
        let mut seen: rustc_hash::FxHashSet<Vec<Value>> = Default::default();
        for constants in all {
            let set_up = self.method.canonical_constants(&constants)?;
            if seen.insert(set_up.constants.clone()) {
                numbers.push(self.add_setup(&constants));
                self.setups.push(constants);
                set_ups.push(set_up);
            }
        }
        if step {
            self.setup_nodes = set_ups.iter().map(|s| s.nodes).sum();
            self.transitions += self.setup_nodes;
            for (number, set_up) in numbers.iter().zip(&set_ups) {
                let stabiliser = set_up.stabiliser.as_ref();
                self.full.add(Count::FirstTransitions, *number, stabiliser, 1);
            }
        }
        for i in 0..self.setups.len() {
            let constants = self.setups[i].clone();
            let states = match self.evaluator.initial_states(&constants) {
                Ok(states) => states,
                Err(Stop::Fault(_)) => {
                    // An initialisation that can fail has no outcome, as an operation has none.
                    let problem = trace::setup_fault(self, &constants);
                    if self.options.on_violation == OnViolation::Stop {
                        return Ok(Some(problem));
                    }
                    self.findings.errors += 1;
                    self.transitions += 1;
                    let stabiliser = set_ups[i].stabiliser.as_ref();
                    self.full.add(Count::FirstTransitions, numbers[i], stabiliser, 1);
                    self.failed_start.get_or_insert(problem);
                    continue;
                }
                Err(stop) => return Err(stop.into()),
            };
            let stabiliser = set_ups[i].stabiliser.as_ref();
            let initialisations = states.len() as u64;
            self.full.add(Count::FirstTransitions, numbers[i], stabiliser, initialisations);
            let mut targets = rustc_hash::FxHashSet::default();
            for state in &states {
                let admitted = self.method.admit(state, self.evaluator.interner())?;
                if targets.insert(admitted.node) {
                    self.transitions += 1;
                }
                if admitted.new {
                    if self.is_full() {
                        return Err(self.states_limit());
                    }
                    self.keep(admitted.number, Origin::Setup(i as u32), NO_OPERATION, 0);
                }
            }
        }
        self.first_transitions = self.transitions;
        if self.parents.is_empty() {
            if self.failed_start.is_some() {
                return Ok(None);
            }
            let message =
                "the INITIALISATION has no outcome: there is no initial state".to_string();
            let span = machine.initialisation.as_ref().map(|s| s.span);
            return Ok(Some((Verdict::NoSetup, finding(message, span))));
        }
        Ok(None)
    }

    /// Makes the weight of a set-up known; its number in packed states.
    fn add_setup(&mut self, constants: &[Value]) -> u32 {
        let layout = self.model.program.layout.clone();
        let mut blank = layout.blank();
        layout.write_constants(&mut blank, constants.into(), self.evaluator.interner());
        let number = layout.constants_number(&blank);
        let instance = &self.model.instance;
        self.full.add_setup(number, &self.model.static_symmetry, instance, constants);
        number
    }

    fn constants_number(&self, state: u32) -> u32 {
        self.model.program.layout.constants_number(self.method.state(state))
    }

    /// Records a state that was admitted as new.
    fn keep(&mut self, number: u32, origin: Origin, operation: u16, depth: u32) {
        debug_assert_eq!(number as usize, self.parents.len());
        self.parents.push(Parent::of(origin));
        self.states += self.method.nodes_of(number);
        self.reached_by.push(operation);
        if !matches!(self.options.strategy, Strategy::BreadthFirst) {
            self.depths.push(depth);
        }
        self.depth = self.depth.max(depth);
        self.count_full(Count::States, number, 1);
    }

    /// Counts something at a state for the machine without reduction.
    fn count_full(&mut self, what: Count, number: u32, n: u64) {
        let constants = self.constants_number(number);
        self.full.add(what, constants, self.method.stabiliser(number), n);
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
        if crate::eval::Watch::halted(&**self.control) { Err(End::Limit) } else { Ok(()) }
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
        let state = self.method.state(number).to_vec();
        let automorphisms = self.method.automorphisms(number, self.evaluator.interner())?;
        self.evaluator.pruned_successors(&state, &automorphisms, out)?;
        self.count_and_admit(number, depth, &state, out, frontier)?;
        self.ends_in(number, depth, out)
    }

    /// Whether one more state would be more than the user allows.
    fn is_full(&self) -> bool {
        self.options.max_states.is_some_and(|m| self.states >= m)
    }

    pub fn states_limit(&mut self) -> End {
        let m = self.options.max_states.unwrap_or(0);
        self.bounds.push(format!("stopped after {m} states (--max-states)"));
        End::Limit
    }

    /// Checks a state before its expansion: whether it is to be expanded.
    pub fn check(&mut self, number: u32, depth: u32) -> Result<bool, End> {
        let state = self.method.state(number).to_vec();
        if !self.evaluator.in_scope(&state)? {
            if self.complete {
                self.bounds.push(
                    "states outside the SCOPE definition are neither checked nor expanded".into(),
                );
            }
            self.complete = false;
            return Ok(false);
        }
        if self.options.invariant
            && let Some(kind) = self.violation(number, &state)?
        {
            let undefined = matches!(kind, Kind::Undefined(..));
            if undefined {
                self.findings.errors += 1;
            } else {
                self.findings.violating += 1;
            }
            self.findings.add(Found { state: number, depth, kind });
            match self.options.on_violation {
                OnViolation::Stop => return Err(End::Found),
                OnViolation::Prune => return Ok(false),
                OnViolation::Expand => {}
            }
        }
        if (self.options.goal || !self.findings.goal_seen) && self.evaluator.goal(&state)? {
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

    fn violation(&mut self, number: u32, state: &[u64]) -> Result<Option<Kind>, Stop> {
        // What the operation cannot change keeps its parent's truth, and unless violating states are
        // expanded that was true.
        let since = match self.reached_by[number as usize] {
            NO_OPERATION => None,
            _ if self.options.on_violation == OnViolation::Expand
                && self.findings.violating + self.findings.errors > 0 =>
            {
                None
            }
            operation => Some(OpId(operation as u32)),
        };
        match self.evaluator.invariant(state, since)? {
            Check::Holds => {}
            Check::Fails(i) => return Ok(Some(Kind::Invariant(i))),
            Check::Undefined(i, site) => return Ok(Some(Kind::Undefined(false, i, site))),
        }
        Ok(match self.evaluator.assertions(state, since)? {
            Check::Holds => None,
            Check::Fails(i) => Some(Kind::Assertion(i)),
            Check::Undefined(i, site) => Some(Kind::Undefined(true, i, site)),
        })
    }

    /// Counts the transitions out of a state and admits their targets.
    pub fn count_and_admit(
        &mut self,
        number: u32,
        depth: u32,
        state: &[u64],
        out: &Successors,
        mut frontier: Option<&mut Frontier>,
    ) -> Result<(), End> {
        self.successors += out.len() as u64;
        let mut admitted = std::mem::take(&mut self.admitted);
        let result = self.admit_targets(number, state, out, &mut admitted);
        let mut full = false;
        for (i, a) in admitted.iter().enumerate() {
            full = full || a.new && self.is_full();
            if a.new && !full {
                self.keep(
                    a.number,
                    Origin::State(number),
                    out.entries[i].operation.0 as u16,
                    depth + 1,
                );
                if let Some(frontier) = frontier.as_deref_mut() {
                    frontier.push(a.number);
                }
            }
        }
        let distinct = self.distinct_labels(out, &admitted);
        self.admitted = admitted;
        result?;
        if full {
            return Err(self.states_limit());
        }
        let faults: u64 = out.faults.iter().map(|f| f.weight as u64).sum();
        self.expanded += 1;
        if !self.idle.is_empty() {
            let faulty = |o: &OpId| out.faults.iter().any(|f| f.operation == *o);
            let enabled = |o: &OpId| out.entries.iter().any(|e| e.operation == *o);
            self.idle.retain(|o| !enabled(o) && !faulty(o));
        }
        self.transitions += distinct + faults;
        let concrete: u64 = out.entries.iter().map(|e| e.weight as u64).sum();
        self.count_full(Count::Transitions, number, concrete + faults);
        Ok(())
    }

    /// Admits the targets of transitions. A transition that stays in its state, as queries do, needs
    /// no look into the store.
    fn admit_targets(
        &mut self,
        number: u32,
        state: &[u64],
        out: &Successors,
        admitted: &mut Vec<Admitted>,
    ) -> Result<(), End> {
        let words = self.model.program.layout.words;
        let stays = |target: &[u64]| match (target, state) {
            ([a], [b]) => a == b,
            (a, b) => a == b,
        };
        self.moves.clear();
        for target in out.targets.chunks_exact(words) {
            if !stays(target) {
                self.moves.extend_from_slice(target);
            }
        }
        let moved = &mut self.moved;
        let result = self.method.admit_all(&self.moves, words, self.evaluator.interner(), moved);
        admitted.clear();
        let mut next = moved.iter();
        for target in out.targets.chunks_exact(words) {
            if stays(target) {
                admitted.push(Admitted { number, node: self.method.node(number), new: false });
            } else {
                // After an interruption those that were admitted are still counted.
                match next.next() {
                    Some(a) => admitted.push(*a),
                    None => break,
                }
            }
        }
        Ok(result?)
    }

    /// Number of distinct (operation, arguments, results, representative): one label that leads to
    /// two states of one orbit counts once.
    fn distinct_labels(&self, out: &Successors, admitted: &[Admitted]) -> u64 {
        let machine = &self.model.instance.machine;
        let results = |i: usize| {
            let (entry, at) = (&out.entries[i], out.entries[i].results as usize);
            &out.results[at..at + machine.operation(entry.operation).results.len()]
        };
        let mut distinct = 0;
        let mut first = 0;
        while first < admitted.len() {
            let Entry { group, weight, .. } = out.entries[first];
            let same = out.entries[first..admitted.len()].iter().take_while(|e| e.group == group);
            let end = first + same.count();
            let labels = if end - first == 1 {
                1
            } else {
                let labels = (first..end).map(|i| (admitted[i].node, results(i)));
                labels.collect::<rustc_hash::FxHashSet<_>>().len() as u64
            };
            distinct += labels * weight as u64;
            first = end;
        }
        distinct
    }

    /// What the successors of a state say about it: an error, a deadlock; and whether to stop.
    pub fn ends_in(&mut self, number: u32, depth: u32, out: &Successors) -> Result<(), End> {
        if let Some(fault) = out.faults.first() {
            self.findings.errors += out.faults.iter().map(|f| f.weight as u64).sum::<u64>();
            let kind = Kind::Operation(Box::new(fault.clone()));
            self.findings.add(Found { state: number, depth: depth + 1, kind });
            if self.options.on_violation == OnViolation::Stop {
                return Err(End::Found);
            }
        } else if out.is_empty() && self.options.deadlock {
            self.findings.deadlocked += 1;
            self.count_full(Count::Deadlocked, number, 1);
            self.findings.add(Found { state: number, depth, kind: Kind::Deadlock });
            if !self.options.keep_going {
                return Err(End::Found);
            }
        }
        if self.findings.goal_at == Some(number) && !self.options.keep_going {
            return Err(End::Found);
        }
        Ok(())
    }

    pub fn report(&mut self, queue: u64) {
        if !self.control.is_wanted() && self.reported.elapsed() < REPORT_EVERY {
            return;
        }
        self.reported = Instant::now();
        self.control.report(self.progress(queue));
    }

    fn progress(&self, queue: u64) -> Progress {
        Progress {
            nodes: self.nodes(),
            states: self.states(),
            transitions: self.transitions,
            queue,
            depth: self.depth,
            seconds: self.started.elapsed().as_secs_f64(),
            memory: memory::resident(),
        }
    }

    fn nodes(&self) -> u64 {
        let step = self.model.instance.machine.has_setup_step();
        1 + if step { self.setup_nodes } else { 0 } + self.states()
    }

    pub fn bound(&mut self, text: String) {
        self.complete = false;
        self.bounds.push(text);
    }

    // ----- the end

    fn outcome(mut self, problem: Option<(Verdict, Finding)>) -> Outcome {
        self.control.report(self.progress(0));
        let interrupted = self.note_limits();
        self.note_method();
        self.method.search_ended();
        let (verdict, finding) = match problem {
            Some((verdict, finding)) => {
                self.complete = false;
                (Some(verdict), Some(finding))
            }
            // Nothing is reached in fewer steps.
            None if self.failed_start.is_some() => match self.failed_start.take() {
                Some((verdict, finding)) => (Some(verdict), Some(finding)),
                None => (None, None),
            },
            None => match self.findings.best.clone() {
                Some(found) => {
                    (Some(found.kind.verdict()), Some(trace::finding(&mut self, &found)))
                }
                None => (None, None),
            },
        };
        let verdict =
            verdict.unwrap_or(if self.complete { Verdict::Ok } else { Verdict::NoneFound });
        let group = self.method.group_order();
        let options = self.options;
        let has_goal = self.model.instance.machine.goal.is_some();
        let full = |what| self.complete.then(|| self.full.total(what, &group)).flatten();
        let first = full(Count::FirstTransitions);
        let proven = self.complete && self.method.kind() != crate::symmetry::Kind::Approximate;
        let machine = &self.model.instance.machine;
        let idle = self.idle.iter().filter(|_| proven).map(|o| machine.operation(*o));
        let never_enabled = idle.map(|o| (o.name_span, o.name.to_string())).collect();
        Outcome {
            verdict,
            complete: self.complete,
            approximate: self.method.kind() == crate::symmetry::Kind::Approximate,
            interrupted,
            symmetry: choice::effective_mode(self.model, options),
            expanded: self.expanded,
            successors: self.successors,
            missed_orbits: self.method.missed_orbits(),
            method_statistics: self.method.statistics(),
            notes: self.method.notes(),
            nodes: self.nodes(),
            states: self.states(),
            transitions: self.transitions,
            first_transitions: self.first_transitions,
            full_states: full(Count::States),
            full_transitions: full(Count::Transitions).zip(first.clone()).map(|(a, b)| a + b),
            full_first_transitions: first,
            full_deadlocked_states: full(Count::Deadlocked).filter(|_| options.deadlock),
            full_goal_states: full(Count::Goals).filter(|_| options.goal),
            violating_states: options.invariant.then_some(self.findings.violating),
            deadlocked_states: options.deadlock.then_some(self.findings.deadlocked),
            state_errors: self.findings.errors,
            goal_states: options.goal.then_some(self.findings.goals),
            goal_seen: (!options.goal && has_goal).then_some(self.findings.goal_seen),
            depth: self.depth,
            seconds: self.started.elapsed().as_secs_f64(),
            peak_memory: memory::peak(),
            finding,
            never_enabled,
            too_large: self.evaluator.notes().too_large.iter().map(|(s, w)| (*s, *w)).collect(),
            unbounded: self.evaluator.notes().unbounded.iter().cloned().collect(),
            undefined_guards: self
                .evaluator
                .notes()
                .undefined_guards
                .iter()
                .map(|(s, n)| (*s, *n))
                .collect(),
            bounds: self.bounds,
        }
    }

    /// What the method makes of the result: why it refused to go on, and that it is approximate.
    fn note_method(&mut self) {
        if let Some(text) = self.method.refusal().map(str::to_string) {
            self.bound(text);
        }
        if self.method.kind() == crate::symmetry::Kind::Approximate {
            let name = choice::effective_mode(self.model, self.options).name();
            self.bound(format!(
                "{name} is approximate: it may take states that are not symmetric for one, so that some are not visited"
            ));
        }
    }

    /// Turns limits that were reached into bounds; whether the user interrupted.
    fn note_limits(&mut self) -> bool {
        let halt = self.control.halt();
        match halt {
            Some(Halt::Time) => {
                let seconds = self.options.timeout.map_or(0.0, |t| t.as_secs_f64());
                self.bound(format!("stopped after {seconds} seconds (--timeout)"));
            }
            Some(Halt::Memory) => self.bound("stopped at the memory limit (--memory)".into()),
            Some(Halt::Interrupted) => self.bound("interrupted".into()),
            None => {}
        }
        let instance = &self.model.instance;
        let (min, max) = (instance.min_int, instance.max_int);
        if let Some((_, what)) = self.evaluator.notes().too_large.first_key_value() {
            let what = *what;
            self.bound(format!("stopped at {what}"));
        }
        let names: std::collections::BTreeSet<String> =
            self.evaluator.notes().unbounded.iter().map(|(_, name)| name.clone()).collect();
        for name in names {
            self.bound(format!(
                "{name} is unbounded and was enumerated within MININT..MAXINT = {min}..{max} only"
            ));
        }
        halt == Some(Halt::Interrupted)
    }
}

fn finding(message: String, span: Option<crate::source::Span>) -> Finding {
    Finding { message, span, details: Vec::new(), trace: Trace::default() }
}
