//! The transitions out of a state: guards give instances of operations, a [`Select`] says which of them
//! are followed, and firing one gives its outcomes.

use super::evaluator::{Evaluator, reset};
use super::instances::Instances;
use super::orbits::Orbits;
use super::program::{OperationCode, Program, Units};
use super::reuse::Reuse;
use super::select::Select;
use super::straight::{Course, Run};
use super::successors::{Entry, OperationFault, Successors};
use crate::clock;
use crate::eval::bodies::guard::Truth;
use crate::eval::bodies::substitution::{Body, known_outcomes};
use crate::eval::once::shared::Answers;
use crate::lower::changes::Known;
use crate::lower::env::{Env, Failed, Flow, copy_state};
use crate::lower::stop::{CutId, SiteId, Stop};
use crate::machine::OpId;
use crate::value::{Generators, Value};

impl Evaluator {
    /// All transitions out of a state. A fault in an operation's body ends that instance of the
    /// operation only, and is listed.
    ///
    /// # Errors
    /// [`Stop::Halted`] only.
    pub fn successors(
        &mut self,
        state: &[u64],
        arguments: bool,
        out: &mut Successors,
    ) -> Result<(), Stop> {
        out.clear(self.program.layout.words);
        self.load(state);
        let Evaluator { program, env, cut, failures, .. } = self;
        *cut = None;
        out.count();
        let Units { operations, screen, shared, .. } = program.units(false);
        let straightly = !arguments && !env.explain;
        let mut answers = Answers::default();
        for word in 0..screen.words() {
            let mut open = screen.left_open(word, state);
            while open != 0 {
                let i = 64 * word + open.trailing_zeros() as usize;
                open &= open - 1;
                let (code, failures) = (&operations[i], &mut failures[i]);
                if !code.gates.are_open(state) {
                    continue;
                }
                clock::at(code.span);
                let mut is_told = straightly;
                if code.shared != 0 && straightly {
                    match shared.hold(code.shared, &mut answers, (state, env), cut) {
                        Some(false) => continue,
                        holds => is_told = holds.is_some(),
                    }
                }
                let (operation, first) = (OpId(i as u32), out.entries.len());
                let run = match &code.straight {
                    Some(straight) if is_told && !failures.are_many() => {
                        Course { operation, state, straight }.run(env, failures, cut, out)?
                    }
                    _ => Run::Not,
                };
                if run == Run::Not {
                    let firing = Firing { operation, state, arguments };
                    let own = match &code.reuse {
                        Some(reuse) if is_told => firing.as_remembered(program, reuse, env, out)?,
                        _ => firing.as_found(program, env, out)?,
                    };
                    *cut = cut.or(own);
                }
                out.counted(operation, first, run == Run::OneEach);
            }
        }
        out.cut = cut.is_some();
        Ok(())
    }

    /// The transitions out of a state with one tuple of arguments for each orbit of the group that
    /// these automorphisms of the state generate; the weights say how many each stands for.
    ///
    /// # Errors
    /// [`Stop::Halted`] only.
    pub fn pruned_successors(
        &mut self,
        state: &[u64],
        automorphisms: &Generators,
        out: &mut Successors,
    ) -> Result<(), Stop> {
        if automorphisms.is_empty() {
            return self.successors(state, false, out);
        }
        let mut forest = std::mem::take(&mut self.forest);
        let mut orbits = Orbits::under(automorphisms, &mut forest);
        self.env.exchanged = Some(orbits.exchanged().clone());
        let result = self.follow(state, &mut orbits, false, out);
        self.env.exchanged = None;
        self.forest = forest;
        result
    }

    /// The transitions out of a state by the instances that are selected; `arguments`: with the
    /// arguments of each.
    ///
    /// # Errors
    /// [`Stop::Halted`] only.
    pub fn follow(
        &mut self,
        state: &[u64],
        select: &mut impl Select,
        arguments: bool,
        out: &mut Successors,
    ) -> Result<(), Stop> {
        let mut listed = std::mem::take(&mut self.listed);
        let mut weights = std::mem::take(&mut self.weights);
        listed.clear();
        out.clear(self.program.layout.words);
        self.load(state);
        self.cut = None;
        let program = self.program.clone();
        let result = self
            .list(&program, &mut listed, |operation, code| select.lists(operation, &code.numbering))
            .and_then(|()| {
                if !listed.is_empty() {
                    weights.clear();
                    weights.resize(listed.len(), 1);
                    select.weigh(&program, &listed, &mut weights)?;
                }
                self.fire_all(&program, (state, arguments), (&listed, &weights), out)
            });
        (self.listed, self.weights) = (listed, weights);
        out.cut = self.cut.is_some();
        result
    }

    /// Adds the transitions of one operation out of a state to `out`, with their arguments. A limit leaves
    /// those that were found by then.
    ///
    /// # Errors
    /// [`Stop::Halted`] only.
    pub fn add_transitions(
        &mut self,
        state: &[u64],
        operation: OpId,
        out: &mut Successors,
    ) -> Result<(), Stop> {
        out.widen(self.program.layout.words);
        self.load(state);
        self.cut = None;
        let program = self.program.clone();
        clock::at(program.instance.machine.operation(operation).name_span);
        let firing = Firing { operation, state, arguments: true };
        let result = firing.as_found(&program, &mut self.env, out).map(|cut| self.cut = cut);
        out.cut |= self.cut.is_some();
        result
    }

    /// The instances of operations that a state enables.
    ///
    /// # Errors
    /// [`Stop::Halted`] only.
    pub fn enabled(&mut self, state: &[u64], instances: &mut Instances) -> Result<(), Stop> {
        instances.clear();
        self.load(state);
        self.cut = None;
        let program = self.program.clone();
        let result = self.list(&program, instances, |_, _| true);
        instances.cut = self.cut.is_some();
        result
    }

    /// Fires an instance that the state enables, as one that counts this often: its outcomes, or its
    /// fault, are added to `out`, as a group of their own. There may be none: what is undefined in its
    /// guard is false after all, or its guard runs.
    ///
    /// # Errors
    /// [`Stop::Halted`] only.
    pub fn fire(
        &mut self,
        state: &[u64],
        (instances, i): (&Instances, usize),
        weight: u32,
        out: &mut Successors,
    ) -> Result<(), Stop> {
        out.widen(self.program.layout.words);
        self.load(state);
        self.cut = None;
        let program = self.program.clone();
        let operation = Firing { operation: instances.operation(i), state, arguments: true };
        let result = self.fire_one(&program, &operation, (instances, i), weight, out);
        out.cut |= self.cut.is_some();
        result
    }

    /// Fires the instances that a state enables and that have a weight, in their order: their outcomes and
    /// faults are added to `out`, without arguments.
    ///
    /// # Errors
    /// [`Stop::Halted`] only.
    pub fn fire_weighed(
        &mut self,
        state: &[u64],
        (instances, weights): (&Instances, &[u32]),
        out: &mut Successors,
    ) -> Result<(), Stop> {
        out.widen(self.program.layout.words);
        self.load(state);
        self.cut = None;
        let program = self.program.clone();
        let result = self.fire_all(&program, (state, false), (instances, weights), out);
        out.cut |= self.cut.is_some();
        result
    }

    /// Of the instances that have a weight keeps one of each orbit under automorphisms of the state, with the
    /// weight of them all.
    ///
    /// # Errors
    /// [`Stop::Halted`] only.
    pub fn prune(
        &mut self,
        automorphisms: &Generators,
        instances: &Instances,
        weights: &mut [u32],
    ) -> Result<(), Stop> {
        let mut forest = std::mem::take(&mut self.forest);
        let program = self.program.clone();
        let result = Orbits::under(automorphisms, &mut forest).merge(&program, instances, weights);
        self.forest = forest;
        result
    }

    /// Asks guards in the state that was loaded.
    fn list(
        &mut self,
        program: &Program,
        instances: &mut Instances,
        wanted: impl Fn(OpId, &OperationCode) -> bool,
    ) -> Result<(), Stop> {
        for id in program.visible_operations() {
            let code = &program.units(false).operations[id.0 as usize];
            if !wanted(id, code) {
                continue;
            }
            clock::at(program.instance.machine.operation(id).name_span);
            self.env.pending = None;
            instances.begin(id);
            match solutions(&mut self.env, code, instances) {
                Err(Stop::Overflow) => {
                    self.env.pending = None;
                    self.env.settle(false);
                    instances.begin_again();
                    let code = &program.units(true).operations[id.0 as usize];
                    // All of them: how they are found may differ.
                    let exchanged = self.env.exchanged.take();
                    let result = solutions(&mut self.env, code, instances);
                    self.env.exchanged = exchanged;
                    if result? == Listed::Unknown {
                        instances.give_up();
                    }
                }
                result => {
                    if result? == Listed::Unknown {
                        instances.give_up();
                    }
                }
            }
            self.cut = self.cut.or(self.env.settle(true));
        }
        Ok(())
    }

    /// Fires the instances of all operations in their order: of those that are listed the ones that have
    /// a weight, of the others all.
    fn fire_all(
        &mut self,
        program: &Program,
        (state, arguments): (&[u64], bool),
        (listed, weights): (&Instances, &[u32]),
        out: &mut Successors,
    ) -> Result<(), Stop> {
        let mut parts = listed.operations().peekable();
        for id in program.visible_operations() {
            clock::at(program.instance.machine.operation(id).name_span);
            let firing = Firing { operation: id, state, arguments };
            match parts.next_if(|(listed, _)| *listed == id) {
                Some((_, mut numbers)) => numbers.try_for_each(|i| {
                    self.env.tick()?;
                    match weights[i] {
                        0 => Ok(()),
                        weight => self.fire_one(program, &firing, (listed, i), weight, out),
                    }
                })?,
                None => {
                    let cut = firing.as_found(program, &mut self.env, out)?;
                    self.cut = self.cut.or(cut);
                }
            }
        }
        Ok(())
    }

    fn fire_one(
        &mut self,
        program: &Program,
        firing: &Firing<'_>,
        (instances, i): (&Instances, usize),
        weight: u32,
        out: &mut Successors,
    ) -> Result<(), Stop> {
        let (env, id) = (&mut self.env, firing.operation.0 as usize);
        let undefined = instances.is_undefined(i);
        let run = |env: &mut Env, code: &OperationCode, out: &mut Successors| {
            env.pending = None;
            instances.load(i, &code.numbering, &code.parameters, env)?;
            firing.run(env, code, weight, undefined, out)
        };
        let mark = out.mark();
        match run(env, &program.units(false).operations[id], out) {
            Err(Stop::Overflow) => {
                out.truncate(&mark);
                env.settle(false);
                let _ = run(env, &program.units(true).operations[id], out)?;
            }
            result => drop(result?),
        }
        self.cut = self.cut.or(self.env.settle(true));
        Ok(())
    }
}

/// Whether the arguments of an operation are listed.
#[derive(PartialEq)]
enum Listed {
    All,
    /// Something outside that tells them is not to be had: that is told where the operation is fired.
    Unknown,
}

/// Lists the solutions of a guard.
fn solutions(
    env: &mut Env,
    code: &OperationCode,
    instances: &mut Instances,
) -> Result<Listed, Stop> {
    let enter = match &code.firsts {
        Some(firsts) if env.exchanged.is_some() => &firsts.enter,
        _ => &code.enter,
    };
    let flow = enter(env, &mut |env| {
        env.tick()?;
        instances.push(&code.numbering, &code.parameters, env);
        Ok(Flow::Continue(()))
    });
    if matches!(flow, Err(Stop::Fault(_))) {
        env.fault = None;
        return Ok(Listed::Unknown);
    }
    known_outcomes(env, flow).map(|_| Listed::All)
}

/// An operation at a state.
struct Firing<'a> {
    operation: OpId,
    state: &'a [u64],
    /// Whether the arguments are kept.
    arguments: bool,
}

impl Firing<'_> {
    /// Fires every instance as it is found. Gives where an enumeration was cut off.
    fn as_found(
        &self,
        program: &Program,
        env: &mut Env,
        out: &mut Successors,
    ) -> Result<Option<CutId>, Stop> {
        let id = self.operation.0 as usize;
        let mark = out.mark();
        env.pending = None;
        match self.each(env, &program.units(false).operations[id], out) {
            Err(Stop::Overflow) => {
                out.truncate(&mark);
                env.pending = None;
                env.settle(false);
                self.each(env, &program.units(true).operations[id], out)?;
            }
            result => result?,
        }
        Ok(env.settle(true))
    }

    /// The same by what is remembered of states in which the operation reads the same, if anything is.
    fn as_remembered(
        &self,
        program: &Program,
        reuse: &Reuse,
        env: &mut Env,
        out: &mut Successors,
    ) -> Result<Option<CutId>, Stop> {
        let results = program.units(false).operations[self.operation.0 as usize].results.len();
        let Some(key) = reuse.key(self.state) else { return self.as_found(program, env, out) };
        let Env { memory, interner, .. } = env;
        match reuse.ask(&key, &mut memory.changes) {
            Known::All(words) => {
                let before = out.len();
                let of = (self.operation, self.state);
                reuse.repeat_outcomes(words, of, results, interner, out);
                env.tick_by(1 + out.len() - before)?;
                return Ok(None);
            }
            Known::Rests => return self.as_found(program, env, out),
            Known::Nothing => {}
        }
        let (mark, told) = (out.mark(), env.notes.undefined());
        let cut = self.as_found(program, env, out)?;
        // What is told of states is told of each.
        let is_all = cut.is_none() && out.faults.len() == mark.faults;
        if is_all && env.notes.undefined() == told {
            let Env { memory, interner, .. } = env;
            reuse.remember_outcomes(key, (out, &mark), results, interner, &mut memory.changes);
        }
        Ok(cut)
    }

    /// Fires every instance as it is found.
    fn each(&self, env: &mut Env, code: &OperationCode, out: &mut Successors) -> Result<(), Stop> {
        let flow = (code.enter)(env, &mut |env| {
            // What the guard leaves open is not the body's. Mostly that is nothing: then it is not moved.
            if env.pending.is_none() {
                let result = self.run(env, code, 1, false, out);
                env.pending = None;
                return result;
            }
            let pending = env.pending.take();
            let result = self.run(env, code, 1, true, out);
            env.pending = pending;
            result
        });
        if let Err(Stop::Fault(site)) = flow {
            // What tells the arguments is not to be had: there are none that it could happen with.
            env.in_guard = true;
            let failed = self.fault(env, site, 1, Vec::new());
            out.faults.push(failed);
            return Ok(());
        }
        known_outcomes(env, flow).map(drop)
    }

    /// Fires the instance whose arguments the frame holds. `undefined`: a part of its guard is, and none
    /// is false.
    fn run(
        &self,
        env: &mut Env,
        code: &OperationCode,
        weight: u32,
        undefined: bool,
        out: &mut Successors,
    ) -> Result<Flow, Stop> {
        env.tick()?;
        env.in_guard = false;
        if undefined {
            match (code.judge)(env) {
                Ok(Truth::Holds) => {}
                Ok(_) => return Ok(Flow::Continue(())),
                Err(Stop::Fault(site)) => {
                    self.fails(env, code, weight, site, out);
                    return Ok(Flow::Continue(()));
                }
                result => return known_outcomes(env, result.map(|_| Flow::Continue(()))),
            }
        }
        (env.broken, env.failed) = (None, None);
        let group = out.groups;
        out.groups += 1;
        copy_state(&mut env.next, self.state);
        reset(env, &code.assigned);
        let first = out.entries.len();
        let arguments = out.arguments.len() as u32;
        if self.arguments {
            out.arguments.extend(code.parameters.iter().map(|s| s.get(env)));
        }
        let entry = Entry { operation: self.operation, group, results: 0, arguments, weight };
        let mut outcome = |env: &mut Env| {
            emit(env, code, entry, first, out);
            env.tick_for_packed()?;
            Ok(Flow::Continue(()))
        };
        let result = match &code.body {
            Body::Step(step) => match step.run(env) {
                Ok(true) => outcome(env),
                Ok(false) => Ok(Flow::Continue(())),
                Err(stop) => known_outcomes(env, Err(stop)),
            },
            body => body.run(env, &mut outcome),
        };
        match result {
            Ok(_) => {
                if let Some(Failed { site, in_guard, fault }) = env.failed.take() {
                    (env.in_guard, env.fault) = (in_guard, fault);
                    self.fails(env, code, weight, site, out);
                }
                if let Some((site, fault)) = env.broken.take() {
                    env.fault = fault;
                    self.fails(env, code, weight, site, out);
                    out.faults.last_mut().into_iter().for_each(|f| f.beside = true);
                }
                Ok(Flow::Continue(()))
            }
            Err(Stop::Fault(site)) => {
                self.fails(env, code, weight, site, out);
                Ok(Flow::Continue(()))
            }
            Err(stop) => Err(stop),
        }
    }

    fn fails(
        &self,
        env: &mut Env,
        code: &OperationCode,
        weight: u32,
        site: SiteId,
        out: &mut Successors,
    ) {
        let arguments = code.parameters.iter().map(|s| s.get(env)).collect();
        out.faults.push(self.fault(env, site, weight, arguments));
    }

    fn fault(
        &self,
        env: &mut Env,
        site: SiteId,
        weight: u32,
        arguments: Vec<Value>,
    ) -> OperationFault {
        OperationFault {
            operation: self.operation,
            arguments,
            site: env.site(site),
            weight,
            in_guard: env.in_guard,
            beside: false,
            fault: env.fault.take(),
        }
    }
}

fn emit(env: &Env, code: &OperationCode, entry: Entry, first: usize, out: &mut Successors) {
    let at = out.results.len();
    if !code.results.is_empty() {
        push_results(env, code, &mut out.results);
    }
    if !code.body.is_deterministic() && !out.is_new(&env.next, at, first) {
        out.results.truncate(at);
        return;
    }
    out.entries.push(Entry { results: at as u32, ..entry });
    match &env.next[..] {
        [word] => out.targets.push(*word),
        words => out.targets.extend_from_slice(words),
    }
}

/// The results that an outcome has written; what was not assigned has a default value.
pub(super) fn push_results(env: &Env, code: &OperationCode, results: &mut Vec<Value>) {
    results.extend(code.results.iter().map(|s| {
        let i = s.index + env.locals;
        match (env.defined[i], s.word) {
            (false, _) => Value::unassigned(),
            (true, true) => crate::lower::code::lift(&s.shape, env.words[i]),
            (true, false) => env.values[i].clone(),
        }
    }));
}
