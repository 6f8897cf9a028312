//! Running a compiled machine: set-ups, initial states, successors, checks.

use super::code::Next;
use super::env::{Env, Fault, Flow, Notes, copy_state};
use super::guard::Truth;
use super::initial::{all_written, mark_words};
use super::orbits::Tuples;
use super::program::{OperationCode, Program};
use super::stop::{CutId, CutSite, Site, SiteId, Stop};
use super::substitution::known_outcomes;
use crate::clock;
use crate::machine::{Conjunct, LocalId, OpId, VarId};
use crate::state::{Interner, hash_state};
use crate::value::{Permutation, Value};
use hashbrown::HashTable;
use std::sync::Arc;

/// A compiled machine with a frame of its own: one for each thread.
pub struct Evaluator {
    program: Arc<Program>,
    env: Env,
    /// Where an enumeration was cut off that the last call had to do without.
    cut: Option<CutId>,
    /// Number of the constants that are loaded.
    loaded: Option<u32>,
    tuples: Tuples,
}

/// The outcome of one check in one state.
#[derive(Clone, PartialEq, Debug)]
pub enum Check {
    Holds,
    /// Number of the first conjunct that is false.
    Fails(usize),
    /// A conjunct is undefined and none is false.
    Undefined(usize, Site),
    /// A conjunct depends on an enumeration that was cut off, none is false and none undefined.
    Unknown(usize),
}

/// Transitions out of one state, in the order (operation, arguments, results, target) in which the
/// solutions are found; equal ones (same operation, arguments, results and target) once.
#[derive(Clone, Debug, Default)]
pub struct Successors {
    pub entries: Vec<Entry>,
    /// Packed targets, one after the other.
    pub targets: Vec<u64>,
    /// Results of the entries that have any.
    pub results: Vec<Value>,
    /// Arguments of the entries, when they were asked for.
    pub arguments: Vec<Value>,
    /// Instances of operations that ended in a fault.
    pub faults: Vec<OperationFault>,
    /// There may be more transitions: an enumeration was cut off.
    pub cut: bool,
    words: usize,
    /// Entries of the group at hand, once it is large.
    known: HashTable<u32>,
}

/// One transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub operation: OpId,
    /// Entries with one operation and the same arguments have one number.
    pub group: u32,
    pub results: u32,
    pub arguments: u32,
    /// How many tuples of arguments this one stands for (1 unless orbits were pruned).
    pub weight: u32,
}

/// An instance of an operation that ended in a fault.
#[derive(Clone, Debug)]
pub struct OperationFault {
    pub operation: OpId,
    pub arguments: Vec<Value>,
    pub site: Site,
    /// How many tuples of arguments this one stands for.
    pub weight: u32,
    /// An undefined guard, rather than a fault of what follows it.
    pub in_guard: bool,
    /// Values at the fault, when the evaluator explains.
    pub fault: Option<Fault>,
}

impl Successors {
    pub fn new() -> Successors {
        Successors::default()
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn target(&self, i: usize) -> &[u64] {
        &self.targets[i * self.words..(i + 1) * self.words]
    }

    fn clear(&mut self, words: usize) {
        self.entries.clear();
        self.targets.clear();
        self.results.clear();
        self.arguments.clear();
        self.faults.clear();
        self.words = words;
    }

    /// Lengths, to come back to.
    fn mark(&self) -> [usize; 5] {
        [
            self.entries.len(),
            self.targets.len(),
            self.results.len(),
            self.arguments.len(),
            self.faults.len(),
        ]
    }

    fn truncate(&mut self, mark: [usize; 5]) {
        self.entries.truncate(mark[0]);
        self.targets.truncate(mark[1]);
        self.results.truncate(mark[2]);
        self.arguments.truncate(mark[3]);
        self.faults.truncate(mark[4]);
    }
}

impl Evaluator {
    pub fn new(program: Arc<Program>) -> Evaluator {
        Evaluator::with_interner(program, Interner::new())
    }

    /// An evaluator that shares its interned values with others.
    pub fn with_interner(program: Arc<Program>, interner: Interner) -> Evaluator {
        let machine = &program.instance.machine;
        let mut env =
            Env::new(program.layout.words, machine.locals.len(), machine.constants.len(), interner);
        env.strings = program.strings.clone();
        env.symbolic = program.symbolic.clone();
        let instance = &program.instance;
        let shapes = |f: &crate::machine::Freetype| {
            f.constructors.iter().map(|(_, ty)| ty.as_ref().map(|t| instance.shape(t))).collect()
        };
        env.freetypes = machine.freetypes.iter().map(shapes).collect();
        Evaluator { program, env, cut: None, loaded: None, tuples: Tuples::default() }
    }

    /// Where a fault happened that ended an evaluation here.
    pub fn site(&self, id: SiteId) -> Site {
        self.env.site(id)
    }

    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Makes room for as much as the memory limit of this thread allows.
    pub fn measure_room(&mut self) {
        self.env.measure_room();
    }

    pub fn interner(&mut self) -> &mut Interner {
        &mut self.env.interner
    }

    /// Where an enumeration was cut off that the last call had to do without: then there may be more
    /// solutions, initial states or transitions than it found, and a `false` of the goal or the
    /// scope is not certain.
    pub fn cut(&self) -> Option<CutId> {
        self.cut
    }

    /// The place of a cut, and what was enumerated there.
    pub fn cut_at(&self, id: CutId) -> &CutSite {
        self.env.cut_at(id)
    }

    pub fn notes(&self) -> &Notes {
        &self.env.notes
    }

    /// Whether faults and failing quantifiers keep their values.
    pub fn explain(&mut self, on: bool) {
        self.env.explain = on;
        self.env.fault = None;
        self.env.witness.clear();
    }

    /// The values at the last fault, if it was explained.
    pub fn fault(&self) -> Option<&Fault> {
        self.env.fault.as_ref()
    }

    /// The values for which the last failing quantifier failed, if it was explained.
    pub fn witness(&self) -> &[(LocalId, Value)] {
        &self.env.witness
    }

    /// All variables of a state.
    pub fn variables(&mut self, state: &[u64]) -> Vec<Value> {
        self.program.layout.read_all(state, &mut self.env.interner)
    }

    /// The constants of a state.
    pub fn constants(&mut self, state: &[u64]) -> Arc<[Value]> {
        self.program.layout.read_constants(state, &mut self.env.interner)
    }

    /// Runs with word integers and, when they overflow, once more with unbounded ones.
    fn with_units<T>(
        &mut self,
        mut f: impl FnMut(&mut Env, &super::program::Units) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let program = self.program.clone();
        self.env.pending = None;
        let mut result = f(&mut self.env, program.units(false));
        if let Err(Stop::Overflow) = result {
            self.env.pending = None;
            self.env.settle(false);
            result = f(&mut self.env, program.units(true));
        }
        self.cut = self.env.settle(true);
        result
    }

    /// The solutions of the properties: the constants of each set-up, in a deterministic order.
    /// Without constants there is one, if the properties hold.
    ///
    /// # Errors
    /// A fault in the properties; [`Stop::Halted`] with what was found so far in `found`.
    pub fn setups(&mut self, found: &mut Vec<Vec<Value>>) -> Result<(), Stop> {
        let start = found.len();
        // What overflows is run once more, with other numbers.
        let mut runs = 0;
        self.each_setup(|run, constants, _| {
            if run != runs {
                found.truncate(start);
                runs = run;
            }
            found.push(constants);
            Ok(Flow::Continue(()))
        })
    }

    /// Hands over the constants of each set-up, until `each` breaks off. The number says which run over
    /// the solutions it is: where an integer overflows, they are found again from the first one on.
    ///
    /// # Errors
    /// A fault in the properties; what `each` answers; [`Stop::Halted`].
    pub fn each_setup(
        &mut self,
        mut each: impl FnMut(u32, Vec<Value>, &mut Interner) -> Result<Flow, Stop>,
    ) -> Result<(), Stop> {
        self.loaded = None;
        if let Some(first) = self.program.instance.machine.properties.first() {
            clock::at(first.pred.span);
        }
        let mut run = 0;
        self.with_units(|env, units| {
            run += 1;
            let flow = (units.properties)(env, &mut |env| {
                env.tick()?;
                let constants = units.constants.iter().map(|s| s.get(env)).collect();
                each(run, constants, &mut env.interner)
            });
            known_outcomes(env, flow).map(|_| ())
        })
    }

    fn load_constants(&mut self, constants: &[Value]) {
        for (to, from) in self.env.constants.iter_mut().zip(constants) {
            *to = Some(from.clone());
        }
    }

    /// Makes a state the one that is read.
    fn load(&mut self, state: &[u64]) {
        if self.program.layout.constants.is_some() {
            let number = self.program.layout.constants_number(state);
            if self.loaded != Some(number) {
                let constants = self.program.layout.read_constants(state, &mut self.env.interner);
                self.load_constants(&constants);
                self.loaded = Some(number);
            }
        }
        copy_state(&mut self.env.state, state);
    }

    /// The initial states for these constants, each once, in the order in which they are found.
    ///
    /// # Errors
    /// A fault in any outcome: reading a variable that has not been written, or leaving one unwritten,
    /// is one.
    pub fn initial_states(&mut self, constants: &[Value]) -> Result<Vec<Vec<u64>>, Stop> {
        let program = self.program.clone();
        self.load_constants(constants);
        self.loaded = None;
        let mut blank = program.layout.blank();
        program.layout.write_constants(&mut blank, constants.into(), &mut self.env.interner);
        // Fields may rely on what they held before: start from real values, which nothing reads.
        for (i, field) in program.layout.fields.iter().enumerate() {
            let start = field.shape.default_value();
            program.layout.write(VarId(i as u32), &mut blank, &start, &mut self.env.interner);
        }
        let (machine, words) = (&program.instance.machine, program.layout.words);
        blank.resize(words + mark_words(machine), 0);
        self.with_units(|env, units| {
            reset(env, &units.initial_assigned);
            let mut states: indexmap::IndexSet<Vec<u64>, rustc_hash::FxBuildHasher> =
                Default::default();
            if let Some(written) = &machine.initialisation {
                clock::at(written.span);
            }
            let next: Next<'_> = &mut |env| {
                env.tick()?;
                all_written(env, machine, words)?;
                states.insert(env.next[..words].to_vec());
                Ok(Flow::Continue(()))
            };
            env.state.clone_from(&blank);
            env.next.clone_from(&blank);
            let result = match &units.initialisation {
                None => next(env),
                Some(body) => body.run(env, next),
            };
            env.state.truncate(words);
            env.next.truncate(words);
            result.map(|_| states.into_iter().collect())
        })
    }

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
        self.transitions(state, &[], arguments, out)
    }

    /// The transitions out of a state with one tuple of arguments for each orbit of the group that
    /// these automorphisms of the state generate; the weights say how many each stands for.
    pub fn pruned_successors(
        &mut self,
        state: &[u64],
        automorphisms: &[Permutation],
        out: &mut Successors,
    ) -> Result<(), Stop> {
        self.transitions(state, automorphisms, false, out)
    }

    fn transitions(
        &mut self,
        state: &[u64],
        automorphisms: &[Permutation],
        arguments: bool,
        out: &mut Successors,
    ) -> Result<(), Stop> {
        out.clear(self.program.layout.words);
        self.load(state);
        let program = self.program.clone();
        self.env.pending = None;
        let mut groups = 0;
        self.cut = None;
        for id in program.visible_operations() {
            clock::at(program.instance.machine.operation(id).name_span);
            let (mark, start) = (out.mark(), groups);
            let mut run = Run {
                env: &mut self.env,
                tuples: &mut self.tuples,
                id,
                state,
                arguments,
                groups,
                out,
            };
            match run.operation(&program.units(false).operations[id.0 as usize], automorphisms) {
                Err(Stop::Overflow) => {
                    run.out.truncate(mark);
                    run.groups = start;
                    run.env.pending = None;
                    run.env.settle(false);
                    run.operation(&program.units(true).operations[id.0 as usize], automorphisms)?;
                }
                result => result?,
            }
            groups = run.groups;
            self.cut = self.cut.or(self.env.settle(true));
        }
        out.cut = self.cut.is_some();
        Ok(())
    }

    /// Whether the invariant holds. `since`: the operation that led here from a state in which all of
    /// it held; what that operation cannot change is not evaluated.
    pub fn invariant(&mut self, state: &[u64], since: Option<OpId>) -> Result<Check, Stop> {
        self.load(state);
        let program = self.program.clone();
        self.with_units(|env, units| {
            let skip = |i| since.is_some_and(|op| !program.touches(op, i));
            check(env, &program.invariant, &units.invariant, skip)
        })
    }

    /// The same for the assertions.
    pub fn assertions(&mut self, state: &[u64], since: Option<OpId>) -> Result<Check, Stop> {
        self.load(state);
        let program = self.program.clone();
        let offset = program.invariant.len();
        self.with_units(|env, units| {
            let skip = |i| since.is_some_and(|op| !program.touches(op, offset + i));
            check(env, &program.assertions, &units.assertions, skip)
        })
    }

    /// The truth of one conjunct, those of the invariant counted first and then those of the assertions.
    ///
    /// # Errors
    /// It is undefined or unknown.
    pub fn truth_of(&mut self, state: &[u64], conjunct: usize) -> Result<bool, Stop> {
        self.load(state);
        self.env.witness.clear();
        let offset = self.program.invariant.len();
        self.with_units(|env, units| match conjunct.checked_sub(offset) {
            None => units.invariant[conjunct](env),
            Some(i) => units.assertions[i](env),
        })
    }

    /// Whether the goal holds (it fails when there is none).
    pub fn goal(&mut self, state: &[u64]) -> Result<Check, Stop> {
        self.question(state, |units| units.goal.as_slice(), Check::Fails(0))
    }

    /// Whether a state lies within the SCOPE (it does when there is none).
    pub fn in_scope(&mut self, state: &[u64]) -> Result<Check, Stop> {
        self.question(state, |units| units.scope.as_slice(), Check::Holds)
    }

    fn question(
        &mut self,
        state: &[u64],
        pick: impl Fn(&super::program::Units) -> &[super::code::BoolFn],
        absent: Check,
    ) -> Result<Check, Stop> {
        self.load(state);
        self.with_units(|env, units| match pick(units) {
            [] => Ok(absent.clone()),
            asked => check(env, &[], asked, |_| false),
        })
    }
}

/// The first false conjunct, else the first undefined one.
fn check(
    env: &mut Env,
    written: &[Conjunct],
    conjuncts: &[super::code::BoolFn],
    skip: impl Fn(usize) -> bool,
) -> Result<Check, Stop> {
    let (mut undefined, mut unknown) = (None, None);
    for (i, p) in conjuncts.iter().enumerate() {
        if skip(i) {
            continue;
        }
        if let Some(conjunct) = written.get(i) {
            clock::at(conjunct.pred.span);
        }
        match p(env) {
            Ok(true) => {}
            Ok(false) => return Ok(Check::Fails(i)),
            Err(Stop::Fault(site)) => {
                undefined.get_or_insert((i, env.site(site), env.fault.take()));
            }
            Err(Stop::Cut(cut)) => {
                env.give_up(cut);
                unknown.get_or_insert(i);
            }
            Err(stop) => return Err(stop),
        }
    }
    Ok(match (undefined, unknown) {
        (Some((i, site, fault)), _) => {
            env.fault = fault;
            Check::Undefined(i, site)
        }
        (None, Some(i)) => Check::Unknown(i),
        (None, None) => Check::Holds,
    })
}

fn reset(env: &mut Env, assigned: &[super::code::Slot]) {
    for slot in assigned {
        env.defined[slot.index] = false;
        env.defined[slot.index + env.locals] = false;
    }
}

/// The transitions of one operation out of one state, on their way into a list.
struct Run<'a> {
    env: &'a mut Env,
    tuples: &'a mut Tuples,
    id: OpId,
    state: &'a [u64],
    arguments: bool,
    groups: u32,
    out: &'a mut Successors,
}

impl Run<'_> {
    fn operation(
        &mut self,
        code: &OperationCode,
        automorphisms: &[Permutation],
    ) -> Result<(), Stop> {
        let Run { env, tuples, id, state, arguments, groups, out } = self;
        if automorphisms.is_empty() || !code.numbering.is_moved_by(automorphisms) {
            let flow = (code.enter)(env, &mut |env| {
                // What the guard leaves open is not the body's.
                let pending = env.pending.take();
                let undefined = pending.is_some();
                let instance =
                    Instance { id: *id, state, arguments: *arguments, weight: 1, undefined };
                let result = instance.run(env, code, groups, out);
                env.pending = pending;
                result
            });
            return known_outcomes(env, flow).map(|_| ());
        }
        tuples.clear();
        let flow = (code.enter)(env, &mut |env| {
            env.tick()?;
            tuples.push(&code.numbering, &code.parameters, env);
            Ok(Flow::Continue(()))
        });
        let _ = known_outcomes(env, flow)?;
        tuples.find_orbits(&code.numbering, automorphisms)?;
        for i in 0..tuples.len() {
            env.tick()?;
            let weight = tuples.orbit(i);
            if weight > 0 {
                tuples.load(i, &code.numbering, &code.parameters, env)?;
                let undefined = tuples.is_undefined(i);
                let instance =
                    Instance { id: *id, state, arguments: *arguments, weight, undefined };
                let _ = instance.run(env, code, groups, out)?;
            }
        }
        Ok(())
    }
}

/// An operation with its arguments in the frame.
struct Instance<'a> {
    id: OpId,
    state: &'a [u64],
    arguments: bool,
    weight: u32,
    /// Part of the guard is, and none is false.
    undefined: bool,
}

impl Instance<'_> {
    fn run(
        &self,
        env: &mut Env,
        code: &OperationCode,
        groups: &mut u32,
        out: &mut Successors,
    ) -> Result<Flow, Stop> {
        env.tick()?;
        env.in_guard = false;
        if self.undefined {
            match (code.judge)(env) {
                Ok(Truth::Holds) => {}
                Ok(_) => return Ok(Flow::Continue(())),
                Err(Stop::Fault(site)) => {
                    self.fails(env, code, site, out);
                    return Ok(Flow::Continue(()));
                }
                result => return known_outcomes(env, result.map(|_| Flow::Continue(()))),
            }
        }
        let group = *groups;
        *groups += 1;
        copy_state(&mut env.next, self.state);
        reset(env, &code.assigned);
        let first = out.entries.len();
        let arguments = out.arguments.len() as u32;
        if self.arguments {
            out.arguments.extend(code.parameters.iter().map(|s| s.get(env)));
        }
        let entry = Entry { operation: self.id, group, results: 0, arguments, weight: self.weight };
        let result = code.body.run(env, &mut |env| {
            emit(env, code, entry, first, out);
            env.tick_for_packed()?;
            Ok(Flow::Continue(()))
        });
        match result {
            Ok(_) => Ok(Flow::Continue(())),
            Err(Stop::Fault(site)) => {
                // Which outcomes came first depends on the order of the alternatives: an instance
                // that can fail has none.
                if let Some(entry) = out.entries.get(first) {
                    out.results.truncate(entry.results as usize);
                }
                out.entries.truncate(first);
                out.targets.truncate(first * out.words);
                self.fails(env, code, site, out);
                Ok(Flow::Continue(()))
            }
            Err(stop) => Err(stop),
        }
    }

    fn fails(&self, env: &mut Env, code: &OperationCode, site: SiteId, out: &mut Successors) {
        out.faults.push(OperationFault {
            operation: self.id,
            arguments: code.parameters.iter().map(|s| s.get(env)).collect(),
            site: env.site(site),
            weight: self.weight,
            in_guard: env.in_guard,
            fault: env.fault.take(),
        });
    }
}

/// Adds a transition, unless an equal one of the same group is there.
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

/// Groups up to this size are compared one by one, larger ones through a table.
const SMALL_GROUP: usize = 16;

impl Successors {
    /// Whether no entry from `first` on has this target and the results from `at` on.
    fn is_new(&mut self, target: &[u64], at: usize, first: usize) -> bool {
        let Successors { entries, targets, results, known, words, .. } = self;
        let results = &results[..];
        let (new, count) = (&results[at..], results.len() - at);
        let parts = |i: u32| {
            let from = entries[i as usize].results as usize;
            let target = &targets[i as usize * *words..(i as usize + 1) * *words];
            (target, &results[from..from + count])
        };
        let size = entries.len() - first;
        if size < SMALL_GROUP {
            return (first..entries.len()).all(|i| parts(i as u32) != (target, new));
        }
        let hash = |(target, results): (&[u64], &[Value])| {
            use std::hash::{Hash, Hasher};
            let mut hasher = rustc_hash::FxHasher::default();
            results.hash(&mut hasher);
            hash_state(target) ^ hasher.finish()
        };
        if size == SMALL_GROUP {
            known.clear();
            for i in first..entries.len() {
                known.insert_unique(hash(parts(i as u32)), i as u32, |j| hash(parts(*j)));
            }
        }
        let own = hash((target, new));
        if known.find(own, |i| parts(*i) == (target, new)).is_some() {
            return false;
        }
        // The caller adds the entry under the next number: what is hashed now is what it will hold.
        let next = entries.len() as u32;
        known.insert_unique(own, next, |j| if *j == next { own } else { hash(parts(*j)) });
        true
    }
}

/// The results that an outcome has written; what was not assigned has a default value.
fn push_results(env: &Env, code: &OperationCode, results: &mut Vec<Value>) {
    results.extend(code.results.iter().map(|s| {
        let i = s.index + env.locals;
        match (env.defined[i], s.word) {
            (false, _) => Value::unassigned(),
            (true, true) => super::code::lift(&s.shape, env.words[i]),
            (true, false) => env.values[i].clone(),
        }
    }));
}
