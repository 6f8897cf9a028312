//! Running a compiled machine: set-ups, initial states, successors, checks.

use super::instances::Instances;
use super::orbits::Forest;
use super::patience::Patience;
use super::program::Program;
use super::questions::Topic;
use super::straight::Failures;
use crate::clock;
use crate::eval::bodies::initial::{all_written, mark_words};
use crate::eval::bodies::substitution::known_outcomes;
use crate::lower::code::Next;
use crate::lower::env::{Env, Failed, Fault, Flow, Notes, copy_state};
use crate::lower::stop::{CutId, CutSite, Site, SiteId, Stop};
use crate::machine::{LocalId, OpId, VarId};
use crate::state::Interner;
use crate::value::Value;
use std::sync::Arc;

/// A compiled machine with a frame of its own: one for each thread.
pub struct Evaluator {
    pub(in crate::eval) program: Arc<Program>,
    pub(in crate::eval) env: Env,
    /// Where an enumeration was cut off that the last call had to do without.
    pub(super) cut: Option<CutId>,
    /// Number of the constants that are loaded.
    loaded: Option<u32>,
    /// The memory of what lists and chooses instances of operations.
    pub(super) forest: Forest,
    pub(super) listed: Instances,
    pub(super) weights: Vec<u32>,
    /// By operation.
    pub(super) failures: Vec<Failures>,
    /// How long an assertion may take, if somebody asks later what was left out.
    patience: Option<Arc<Patience>>,
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
        env.freetypes = program.freetypes.clone();
        let failures = vec![Failures::default(); machine.operations.len()];
        Evaluator {
            program,
            env,
            failures,
            cut: None,
            loaded: None,
            forest: Forest::default(),
            listed: Instances::new(),
            weights: Vec::new(),
            patience: None,
        }
    }

    /// Assertions that take longer than this are not asked from now on ([`Evaluator::ask_waiting`]).
    pub fn be_patient(&mut self, patience: Option<Arc<Patience>>) {
        self.patience = patience;
    }

    pub fn patience(&self) -> Option<&Arc<Patience>> {
        self.patience.as_ref()
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

    /// What was noted since the last call.
    pub fn take_notes(&mut self) -> Option<Box<Notes>> {
        let notes = &mut self.env.notes;
        (!notes.is_empty()).then(|| Box::new(std::mem::take(notes)))
    }

    /// Adds what another evaluator has noted.
    pub fn add_notes(&mut self, notes: Option<Box<Notes>>) {
        if let Some(notes) = notes {
            self.env.notes.add(*notes);
        }
    }

    /// Whether faults and failing quantifiers keep their values.
    pub fn explain(&mut self, on: bool) {
        self.env.explain = on;
        self.env.fault = None;
        self.env.witness.clear();
    }

    /// The values at the last fault, if it was explained.
    pub fn fault(&self) -> Option<&Fault> {
        self.env.fault.as_deref()
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
        self.with_either(|env, program, exact| f(env, program.units(exact)))
    }

    /// The same with code of any kind: `true` asks for that with unbounded integers.
    pub(in crate::eval) fn with_either<T>(
        &mut self,
        mut f: impl FnMut(&mut Env, &Program, bool) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let Evaluator { program, env, .. } = self;
        env.pending = None;
        let mut result = f(env, program, false);
        if let Err(Stop::Overflow) = result {
            env.pending = None;
            env.settle(false);
            result = f(env, program, true);
        }
        self.cut = env.settle(true);
        result
    }

    /// The solutions of the properties: the constants of each set-up, in a deterministic order.
    /// Without constants there is one, if the properties hold.
    ///
    /// # Errors
    /// A fault in the properties; [`Stop::Halted`] with what was found so far in `found`.
    pub fn setups(&mut self, found: &mut Vec<Vec<Value>>) -> Result<(), Stop> {
        self.first_setups(usize::MAX, found)
    }

    /// The same, and no more than so many.
    ///
    /// # Errors
    /// As [`Evaluator::setups`].
    pub fn first_setups(&mut self, most: usize, found: &mut Vec<Vec<Value>>) -> Result<(), Stop> {
        let start = found.len();
        // What overflows is run once more, with other numbers.
        let mut runs = 0;
        self.each_setup(false, |run, constants, _| {
            if run != runs {
                found.truncate(start);
                runs = run;
            }
            found.push(constants);
            Ok(match found.len() - start < most {
                true => Flow::Continue(()),
                false => Flow::Break(()),
            })
        })
    }

    /// Hands over the constants of each set-up, until `each` breaks off. The number says which run over
    /// the solutions it is: where an integer overflows, they are found again from the first one on.
    /// `defined`: candidates for which the properties are undefined are passed over.
    ///
    /// # Errors
    /// A fault in the properties; what `each` answers; [`Stop::Halted`].
    pub fn each_setup(
        &mut self,
        defined: bool,
        mut each: impl FnMut(u32, Vec<Value>, &mut Interner) -> Result<Flow, Stop>,
    ) -> Result<(), Stop> {
        self.loaded = None;
        if let Some(first) = self.program.instance.machine.properties.first() {
            clock::at(first.pred.span);
        }
        let mut run = 0;
        self.with_either(|env, program, exact| {
            run += 1;
            let units = program.units(exact);
            let flow = program.set_ups(exact, defined)(env, &mut |env| {
                env.tick()?;
                let constants = units.constants.iter().map(|s| s.get(env)).collect();
                each(run, constants, &mut env.interner)
            });
            known_outcomes(env, flow).map(|_| ())
        })
    }

    pub(in crate::eval) fn load_constants(&mut self, constants: &[Value]) {
        self.env.memory.forget_constants();
        for (to, from) in self.env.constants.iter_mut().zip(constants) {
            *to = Some(from.clone());
        }
    }

    /// Makes a state the one that is read.
    #[inline]
    pub(in crate::eval) fn load(&mut self, state: &[u64]) {
        if self.program.layout.constants.is_some() {
            let number = self.program.layout.constants_number(state);
            if self.loaded != Some(number) {
                self.load_constants_of(state, number);
            }
        }
        copy_state(&mut self.env.state, state);
    }

    #[inline(never)]
    fn load_constants_of(&mut self, state: &[u64], number: u32) {
        let constants = self.program.layout.read_constants(state, &mut self.env.interner);
        self.load_constants(&constants);
        self.loaded = Some(number);
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
            env.failed = None;
            let result = match &units.initialisation {
                None => next(env),
                Some(body) => body.run(env, next),
            };
            let result = match env.failed.take() {
                Some(Failed { site, fault, .. }) if result.is_ok() => {
                    env.fault = fault;
                    Err(Stop::Fault(site))
                }
                _ => result,
            };
            env.state.truncate(words);
            env.next.truncate(words);
            result.map(|_| states.into_iter().collect())
        })
    }

    /// Whether all that is asked under a topic holds; a goal that nobody asked for fails. `since`: the
    /// operation that led here from a state in which all of it held; what that operation cannot change
    /// is not evaluated. Nor are assertions that wait.
    pub fn ask(&mut self, state: &[u64], topic: Topic, since: Option<OpId>) -> Result<Check, Stop> {
        let questions = &self.program.questions;
        if questions.open(topic, since).is_empty() {
            self.cut = None;
            let nobody_asked = topic == Topic::Goal && questions.of(topic).is_empty();
            return Ok(if nobody_asked { Check::Fails(0) } else { Check::Holds });
        }
        self.load(state);
        let patience = self.patience.clone().filter(|_| topic == Topic::Assertions);
        self.with_either(|env, program, exact| {
            let asked = program.questions.open(topic, since).iter().copied();
            check(env, program, exact, (topic, asked), patience.as_deref())
        })
    }

    /// Asks those assertions that wait, however long that takes.
    ///
    /// # Errors
    /// [`Stop::Halted`] only.
    pub fn ask_waiting(&mut self, state: &[u64], since: Option<OpId>) -> Result<Check, Stop> {
        let Some(patience) = self.patience.clone() else { return Ok(Check::Holds) };
        let waits = |i: &u32| patience.waits(*i as usize);
        if !self.program.questions.open(Topic::Assertions, since).iter().any(waits) {
            return Ok(Check::Holds);
        }
        self.load(state);
        self.with_either(|env, program, exact| {
            let open = program.questions.open(Topic::Assertions, since).iter().copied();
            check(env, program, exact, (Topic::Assertions, open.filter(waits)), None)
        })
    }

    /// Whether the invariant and the assertions hold, and that is certain at once: so it is mostly. `since`: see
    /// [`Evaluator::ask`], which knows more.
    #[inline]
    pub fn holds_for_certain(&mut self, state: &[u64], since: Option<OpId>) -> bool {
        let demanded = self.program.questions.demanded(since);
        let gates_hold = demanded.gates_hold(state);
        (gates_hold && demanded.are_gates()) || self.hold_one_by_one(state, since, gates_hold)
    }

    #[inline(never)]
    fn hold_one_by_one(&mut self, state: &[u64], since: Option<OpId>, gates_hold: bool) -> bool {
        self.load(state);
        let Evaluator { program, env, cut, patience, .. } = self;
        if env.explain {
            return false;
        }
        env.pending = None;
        let questions = &program.questions;
        let mut each = questions.each_demanded(questions.demanded(since), gates_hold);
        let holds = each.all(|(assertion, question)| {
            clock::at(question.conjunct.pred.span);
            match assertion {
                Some(i) => {
                    let answer = |env: &mut Env| question.holds_totally(state, env);
                    patiently(patience.as_deref(), i, env, answer).unwrap_or(true)
                }
                None => question.holds_totally(state, env),
            }
        });
        let certain = !std::mem::take(&mut env.doubt) && holds;
        *cut = env.settle(certain);
        certain
    }

    /// The truth of one question, by its topic and its number there.
    ///
    /// # Errors
    /// It is undefined or unknown.
    pub fn truth_of(&mut self, state: &[u64], topic: Topic, number: usize) -> Result<bool, Stop> {
        self.load(state);
        self.env.witness.clear();
        self.with_either(|env, program, exact| {
            program.questions.of(topic)[number].holds(program, exact, env)
        })
    }
}

/// What an assertion answers; nothing where it waits, or waits from now on.
fn patiently<T>(
    patience: Option<&Patience>,
    assertion: usize,
    env: &mut Env,
    ask: impl FnOnce(&mut Env) -> T,
) -> Option<T> {
    let Some(patience) = patience else { return Some(ask(env)) };
    if patience.waits(assertion) {
        return None;
    }
    let answer = patience.ask(assertion, || ask(env));
    if answer.is_none() {
        // It was left in the middle.
        env.pending = None;
    }
    answer
}

/// The first false conjunct of these, else the first undefined one; with patience some may be left out.
fn check(
    env: &mut Env,
    program: &Program,
    exact: bool,
    (topic, asked): (Topic, impl Iterator<Item = u32>),
    patience: Option<&Patience>,
) -> Result<Check, Stop> {
    let questions = program.questions.of(topic);
    let (mut undefined, mut unknown) = (None, None);
    for i in asked {
        let i = i as usize;
        let question = &questions[i];
        if matches!(question.topic, Topic::Invariant | Topic::Assertions) {
            clock::at(question.conjunct.pred.span);
        }
        let answer = |env: &mut Env| question.holds(program, exact, env);
        let Some(answer) = patiently(patience, i, env, answer) else { continue };
        match answer {
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

pub(super) fn reset(env: &mut Env, assigned: &[crate::lower::code::Slot]) {
    for slot in assigned {
        env.defined[slot.index] = false;
        env.defined[slot.index + env.locals] = false;
    }
}
