//! Formulas that are typed in while the machine is there: compiled for themselves, evaluated at a
//! position. The program is not touched.

use crate::diagnostic::Diagnostic;
use crate::eval::compile::{Compiler, Undefined};
use crate::eval::run::evaluator::Evaluator;
use crate::eval::run::program::Program;
use crate::eval::solutions::solve::each_of;
use crate::lower::code::{BoolFn, EachFn, Slot, ValueFn};
use crate::lower::description::SymbolicCode;
use crate::lower::env::{Beside, Env, Fault, Flow, LeftOut};
use crate::lower::stop::{SiteId, Stop};
use crate::machine::{Asked, LocalId, Question};
use crate::state::{Instance, Layout};
use crate::value::Value;
use std::cell::OnceCell;
use std::sync::Arc;

/// A question, compiled.
pub struct QuestionCode {
    /// The instance whose locals are those of the machine and of the question.
    pub(super) instance: Arc<Instance>,
    pub(super) layout: Arc<Layout>,
    pub(super) asked: Asked,
    /// Locals that have values when it is asked.
    given: Vec<LocalId>,
    /// The descriptions of infinite sets that the machine and the question have.
    symbolic: Arc<[SymbolicCode]>,
    fast: Compiled,
    exact: OnceCell<Compiled>,
}

enum Code {
    Value(ValueFn),
    Truth(BoolFn),
    /// `strict`: a candidate for which something is undefined ends it; otherwise it is told.
    Solutions {
        strict: EachFn,
        telling: EachFn,
        slots: Vec<Slot>,
    },
}

/// With where the given values go.
struct Compiled {
    code: Code,
    given: Vec<Slot>,
}

/// Where a question is asked.
#[derive(Clone, Copy, Debug)]
pub enum At<'a> {
    /// Nothing is chosen.
    Root,
    /// The constants have these values.
    Constants(&'a [Value]),
    State(&'a [u64]),
}

/// What the answer is.
#[derive(Clone, Debug)]
pub enum Answer {
    Value(Value),
    Truth(bool),
    /// The values of the free variables, in their order, and why there may be more solutions.
    Solutions(Vec<Vec<Value>>, Option<More>),
}

/// Why solutions may be missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum More {
    /// As many were found as were asked for.
    Enough,
    /// The search for them ended like this.
    Stopped(Stop),
    /// Something is undefined for so many candidates that others were not looked at.
    Undefined,
}

/// After so many candidates for which something is undefined a search for solutions ends.
const MOST_UNDEFINED: usize = 10_000;

/// The candidates for which something is undefined and nothing is false.
#[derive(Clone, Debug)]
pub struct Open {
    pub candidates: usize,
    /// The values of the free variables in the first one, and what is undefined there.
    pub values: Vec<Value>,
    pub site: SiteId,
    pub fault: Option<Box<Fault>>,
    /// Whether the first value is none: what is to be best is undefined itself.
    pub worthless: bool,
}

impl QuestionCode {
    /// Compiles a question about the machine of a program.
    ///
    /// # Errors
    /// What this version cannot evaluate, each at its place.
    pub fn new(program: &Program, question: &Question) -> Result<QuestionCode, Vec<Diagnostic>> {
        QuestionCode::of(program, question, &[])
    }

    /// The same for a question in which some locals have values when it is asked, with
    /// [`Evaluator::answer_given`].
    ///
    /// # Errors
    /// What this version cannot evaluate, each at its place.
    pub fn given(
        program: &Program,
        question: &Question,
        given: &[LocalId],
    ) -> Result<QuestionCode, Vec<Diagnostic>> {
        QuestionCode::of(program, question, given)
    }

    fn of(
        program: &Program,
        question: &Question,
        given: &[LocalId],
    ) -> Result<QuestionCode, Vec<Diagnostic>> {
        let mut instance = program.instance.clone();
        let describes = !question.symbolic.is_empty() || !question.holders.is_empty();
        if !question.locals.is_empty() || describes {
            let Question { locals, symbolic, holders, notations, .. } = question;
            instance = Arc::new(instance.extended(locals, symbolic, holders, notations));
        }
        let (layout, asked) = (program.layout.clone(), question.asked.clone());
        let given = given.to_vec();
        let (fast, mut problems) = compile(&instance, &layout, (&asked, &given), false);
        let symbolic = match describes {
            false => program.symbolic.clone(),
            true => {
                let exact = Compiler::new(&instance, layout.clone(), true);
                let all = exact.symbolic_codes().into();
                problems.extend(exact.problems.into_inner());
                all
            }
        };
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(QuestionCode { instance, layout, asked, given, symbolic, fast, exact: OnceCell::new() })
    }

    /// The machine with the locals of the question.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    pub fn asked(&self) -> &Asked {
        &self.asked
    }

    fn code(&self, exact: bool) -> &Compiled {
        match exact {
            false => &self.fast,
            // What compiles for words compiles for values.
            true => self.exact.get_or_init(|| {
                compile(&self.instance, &self.layout, (&self.asked, &self.given), true).0
            }),
        }
    }
}

fn compile(
    instance: &Instance,
    layout: &Arc<Layout>,
    (asked, given): (&Asked, &[LocalId]),
    exact: bool,
) -> (Compiled, Vec<Diagnostic>) {
    let compiler = Compiler::new(instance, layout.clone(), exact);
    let code = match asked {
        Asked::Expression(e, _) => Code::Value(compiler.kept(e)),
        Asked::Predicate(p, free) if free.iter().all(|id| given.contains(id)) => {
            Code::Truth(compiler.pred(p))
        }
        Asked::Predicate(p, free) => {
            let actions = compiler.solving(free, p, Undefined::Fault);
            let strict = each_of(actions.clone(), Undefined::Fault);
            let telling = each_of(actions, Undefined::Tell);
            Code::Solutions { strict, telling, slots: compiler.slots(free) }
        }
    };
    let given = compiler.slots(given);
    (Compiled { code, given }, compiler.problems.into_inner())
}

impl Evaluator {
    /// An evaluator for questions alone, which shares its interned values with another one.
    pub fn for_questions(&mut self, code: &QuestionCode) -> Evaluator {
        let mut own = Evaluator::with_interner(self.program.clone(), self.interner().clone());
        own.env.ensure_locals(code.instance.machine.locals.len());
        own.env.symbolic = code.symbolic.clone();
        own
    }

    /// The answer to a question, of whose solutions at most so many are looked for. Only an evaluator
    /// [`for_questions`](Evaluator::for_questions) can tell.
    ///
    /// # Errors
    /// It is undefined or unknown, or a limit was reached before anything was found.
    pub fn answer(&mut self, at: At<'_>, code: &QuestionCode, most: usize) -> Result<Answer, Stop> {
        self.answer_given(at, code, &[], most)
    }

    /// The best solution that an optimum asks for, and the candidates beside it for which something is undefined: those
    /// that were met. Both as tuples.
    ///
    /// # Errors
    /// As those of [`answer`](Evaluator::answer).
    pub fn best(&mut self, code: &QuestionCode) -> Result<(Answer, Option<Open>), Stop> {
        self.env.beside = Some(Default::default());
        let answer = self.answer(At::Root, code, 1);
        let beside = self.env.beside.take().unwrap_or_default();
        let Beside { candidates, first } = beside;
        let open = first.map(|(tuple, own, site, fault)| Open {
            candidates: candidates.len(),
            values: vec![tuple],
            site,
            fault,
            worthless: candidates.get(&own).is_some_and(Option::is_none),
        });
        Ok((answer?, open))
    }

    /// The answer to a question for these values of the locals that are given in it.
    ///
    /// # Errors
    /// As those of [`answer`](Evaluator::answer).
    pub fn answer_given(
        &mut self,
        at: At<'_>,
        code: &QuestionCode,
        values: &[Value],
        most: usize,
    ) -> Result<Answer, Stop> {
        self.load_at(at);
        self.with_either(|env, _, exact| {
            let Compiled { code, given } = code.code(exact);
            for (slot, value) in given.iter().zip(values) {
                slot.set(env, value.clone())?;
            }
            evaluate(env, code, most)
        })
    }

    /// The same, where candidates for which something is undefined do not keep others from being solutions: they are
    /// told beside these.
    ///
    /// # Errors
    /// As those of [`answer`](Evaluator::answer); of candidates for which something is undefined, where there is no
    /// solution.
    pub fn answer_beside(
        &mut self,
        at: At<'_>,
        code: &QuestionCode,
        most: usize,
    ) -> Result<(Answer, Option<Open>), Stop> {
        self.load_at(at);
        self.with_either(|env, _, exact| match &code.code(exact).code {
            Code::Solutions { telling, slots, .. } => defined(env, telling, slots, most),
            other => Ok((evaluate(env, other, most)?, None)),
        })
    }

    pub(super) fn load_at(&mut self, at: At<'_>) {
        match at {
            At::Root => {}
            At::Constants(values) => self.load_constants(values),
            At::State(state) => self.load(state),
        }
        self.env.witness.clear();
    }
}

fn evaluate(env: &mut Env, code: &Code, most: usize) -> Result<Answer, Stop> {
    let (each, slots) = match code {
        Code::Value(value) => return Ok(Answer::Value(value(env)?)),
        Code::Truth(truth) => return Ok(Answer::Truth(truth(env)?)),
        Code::Solutions { strict, slots, .. } => (strict, slots),
    };
    let mut found: Vec<Vec<Value>> = Vec::new();
    let result = each(env, &mut |env| {
        env.tick()?;
        if found.len() == most {
            return Ok(Flow::Break(()));
        }
        found.push(slots.iter().map(|slot| slot.get(env)).collect());
        Ok(Flow::Continue(()))
    });
    solutions(found, result, More::Enough)
}

/// The solutions among the candidates for which all is defined, and the others.
fn defined(
    env: &mut Env,
    each: &EachFn,
    slots: &[Slot],
    most: usize,
) -> Result<(Answer, Option<Open>), Stop> {
    let mut found: Vec<Vec<Value>> = Vec::new();
    let mut open: Option<Open> = None;
    // Whether what is undefined has other operands for other candidates.
    let mut varies = false;
    let mut why = More::Enough;
    let result = each(env, &mut |env| {
        env.tick()?;
        match env.pending.clone() {
            None if found.len() == most => return Ok(Flow::Break(())),
            None => found.push(slots.iter().map(|slot| slot.get(env)).collect()),
            Some((Stop::Fault(site), fault)) => {
                let values = || slots.iter().map(|slot| slot.get(env)).collect();
                let first = || Open {
                    candidates: 0,
                    values: values(),
                    site,
                    fault: fault.clone(),
                    worthless: false,
                };
                varies |= open.as_ref().is_some_and(|open: &Open| !is_alike(&open.fault, &fault));
                let open = open.get_or_insert_with(first);
                open.candidates += 1;
                if open.candidates == MOST_UNDEFINED {
                    why = More::Undefined;
                    return Ok(Flow::Break(()));
                }
            }
            Some((Stop::Cut(cut), _)) => {
                env.left_out.get_or_insert(LeftOut { cut, hopeless: false, undefined: None });
            }
            Some((stop, _)) => return Err(stop),
        }
        Ok(Flow::Continue(()))
    });
    match (open, result) {
        // Where candidates were left out, one of them may be a solution, unless it is undefined as these are: as several
        // of them are for the same reason.
        (Some(open), result)
            if found.is_empty()
                && (result.is_ok()
                    || matches!(result, Err(Stop::Cut(_))) && !varies && open.candidates > 1) =>
        {
            env.fault = open.fault;
            Err(Stop::Fault(open.site))
        }
        (Some(open), Err(stop @ Stop::Cut(_))) => {
            Ok((Answer::Solutions(found, Some(More::Stopped(stop))), Some(open)))
        }
        // A name that nothing bounds is a value which some candidate does not have: these are told beside the others.
        (Some(open), Err(Stop::Fault(site)))
            if !found.is_empty() && !env.site(site).kind.is_final() =>
        {
            Ok((Answer::Solutions(found, None), Some(open)))
        }
        (open, result) => Ok((solutions(found, result, why)?, open)),
    }
}

/// Whether two faults have the same operands.
fn is_alike(one: &Option<Box<Fault>>, other: &Option<Box<Fault>>) -> bool {
    let values = |fault: &Option<Box<Fault>>| -> Vec<Value> {
        let operands = fault.iter().flat_map(|fault| &fault.operands);
        operands.map(|(_, value)| value.clone()).collect()
    };
    values(one) == values(other)
}

/// `broken`: why the search was broken off, where it was.
fn solutions(
    found: Vec<Vec<Value>>,
    result: Result<Flow, Stop>,
    broken: More,
) -> Result<Answer, Stop> {
    match result {
        Ok(Flow::Continue(())) => Ok(Answer::Solutions(found, None)),
        Ok(Flow::Break(())) => Ok(Answer::Solutions(found, Some(broken))),
        Err(stop @ (Stop::Cut(_) | Stop::Halted)) if !found.is_empty() => {
            Ok(Answer::Solutions(found, Some(More::Stopped(stop))))
        }
        Err(stop) => Err(stop),
    }
}
