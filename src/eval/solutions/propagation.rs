//! A problem for the solver at work: its questions are answered by closures, and what it finds is recorded by what the
//! problem reads.

use crate::constraint::sketch::{Host, Instances};
use crate::constraint::{self, Left, Problem};
use crate::eval::once::remember::Record;
use crate::lower::Test;
use crate::lower::code::{BoolFn, EachFn, Slot, ValueFn};
use crate::lower::env::{Env, Flow, MANY};
use crate::lower::recorded::{Candidate, Found, Known, is_too_long};
use crate::lower::stop::{CutSite, Stop, Within};
use crate::machine::LocalId;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A problem with the code for what is closed in it.
pub(in crate::eval) struct Propagation {
    pub(in crate::eval) problem: Problem,
    pub(in crate::eval) codes: Codes,
    pub(in crate::eval) unknowns: Vec<Slot>,
    /// Where its candidates are recorded.
    pub(in crate::eval) record: Option<Record>,
}

/// The code for what is closed, each kind by its numbers.
#[derive(Default)]
pub(in crate::eval) struct Codes {
    pub(in crate::eval) values: Vec<ValueFn>,
    pub(in crate::eval) truths: Vec<BoolFn>,
    pub(in crate::eval) each: Vec<Each>,
    pub(in crate::eval) slots: FxHashMap<LocalId, Slot>,
}

/// The code for the instances of a quantifier.
pub(in crate::eval) struct Each {
    pub(in crate::eval) code: EachFn,
    pub(in crate::eval) slots: Vec<Slot>,
    /// Whether they are the same in each instance of the quantifiers around.
    pub(in crate::eval) is_fixed: bool,
}

/// How a search ended.
enum End {
    /// Whoever was given the candidates broke off.
    Broken,
    /// All were found, or all but those that were left out here.
    Through(Box<[CutSite]>),
}

/// The host: code with the frame it runs in.
struct Frame<'f> {
    codes: &'f Codes,
    env: &'f mut Env,
    unknowns: &'f [Slot],
    tests: &'f [Option<&'f Test>],
    /// The instances of quantifiers that have the same in each instance of those around.
    fixed: FxHashMap<usize, Rc<Instances>>,
}

impl Host for Frame<'_> {
    type Stop = Stop;

    fn value(&mut self, closed: usize) -> Result<Option<Value>, Stop> {
        known(self.env, &self.codes.values[closed])
    }

    fn truth(&mut self, closed: usize) -> Result<Option<bool>, Stop> {
        known(self.env, &*self.codes.truths[closed])
    }

    fn instances(&mut self, closed: usize, most: usize) -> Result<Option<Rc<Instances>>, Stop> {
        if let Some(known) = self.fixed.get(&closed) {
            return Ok((known.rows.len() <= most).then(|| known.clone()));
        }
        let Each { code, slots, is_fixed } = &self.codes.each[closed];
        let mut rows = Vec::new();
        let flow = code(self.env, &mut |env| {
            if rows.len() >= most {
                return Ok(Flow::Break(()));
            }
            rows.push((slots.iter().map(|s| s.get(env)).collect(), env.pending.is_none()));
            Ok(Flow::Continue(()))
        });
        self.env.fault = None;
        let complete = match flow {
            Ok(Flow::Continue(())) => true,
            Ok(Flow::Break(())) => return Ok(None),
            Err(Stop::Fault(_) | Stop::Cut(_)) => false,
            Err(stop) => return Err(stop),
        };
        let found = Rc::new(Instances { rows, complete });
        if *is_fixed {
            self.fixed.insert(closed, found.clone());
        }
        Ok(Some(found))
    }

    fn most_tried(&self) -> u64 {
        if self.env.whole { MANY } else { u64::MAX }
    }

    fn refutes(&mut self, conjunct: usize, values: Vec<(usize, Value)>) -> Result<bool, Stop> {
        let Some(test) = self.tests[conjunct] else { return Ok(false) };
        for (unknown, value) in values {
            self.unknowns[unknown].set(self.env, value)?;
        }
        let truth = known(self.env, &|env| test.holds(env))?;
        Ok(truth == Some(false))
    }

    fn bind(&mut self, local: LocalId, value: &Value) -> Result<(), Stop> {
        match self.codes.slots.get(&local) {
            Some(slot) => slot.set(self.env, value.clone()),
            None => Ok(()),
        }
    }
}

/// What is undefined or unknown is not known.
fn known<T>(env: &mut Env, code: &dyn Fn(&mut Env) -> Result<T, Stop>) -> Result<Option<T>, Stop> {
    match code(env) {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Fault(_) | Stop::Cut(_)) => {
            env.fault = None;
            Ok(None)
        }
        Err(stop) => Err(stop),
    }
}

/// What is done for each candidate, with the conjuncts that are known to be true of it.
type NextKnown<'a> = &'a mut dyn FnMut(&mut Env, &[bool]) -> Result<Flow, Stop>;

impl Propagation {
    /// Calls `next` for each candidate, with the unknowns in their locals and the conjuncts that are known to be
    /// true of it; `tests` are those of the conjuncts. `None` where the problem
    /// cannot be taken apart with the values at hand.
    pub(super) fn run(
        &self,
        env: &mut Env,
        tests: &[Option<&Test>],
        next: NextKnown<'_>,
    ) -> Result<Option<Flow>, Stop> {
        let Some((number, read)) =
            self.record.as_ref().and_then(|r| Some((r.number, r.read(env)?)))
        else {
            return flow(self.search(env, tests, next)?, env);
        };
        match env.memory.recorded.ask(number, &read) {
            Known::Rests => flow(self.search(env, tests, next)?, env),
            Known::All(found) => {
                for candidate in &found.candidates {
                    env.tick()?;
                    for (slot, value) in self.unknowns.iter().zip(&candidate.values) {
                        slot.set(env, value.clone())?;
                    }
                    if next(env, &candidate.proved)?.is_break() {
                        return Ok(Some(Flow::Break(())));
                    }
                }
                flow(Some(End::Through(found.cut.clone())), env)
            }
            Known::Nothing => {
                let mut list = Some(Vec::new());
                let end = self.search(env, tests, &mut |env, proved| {
                    if let Some(list) = &mut list {
                        let values = self.unknowns.iter().map(|slot| slot.get(env)).collect();
                        list.push(Candidate { values, proved: proved.into() });
                    }
                    list.take_if(|list| is_too_long(list));
                    next(env, proved)
                })?;
                if let (Some(End::Through(cut)), Some(candidates)) = (&end, list)
                    && (!env.whole || cut.is_empty())
                {
                    let found = Found { candidates, cut: cut.clone() };
                    env.memory.recorded.record(number, read, found);
                }
                flow(end, env)
            }
        }
    }

    /// What follows from the problem where nothing is tried. `None` where it cannot be taken apart.
    pub(in crate::eval) fn left(&self, env: &mut Env) -> Result<Option<Left>, Stop> {
        let tests = vec![None; self.problem.conjuncts.len()];
        let (codes, unknowns) = (&self.codes, &self.unknowns[..]);
        let fixed = FxHashMap::default();
        let mut frame = Frame { codes, env, unknowns, tests: &tests, fixed };
        constraint::propagate(&self.problem, &mut frame)
    }

    /// Looks for the candidates.
    fn search(
        &self,
        env: &mut Env,
        tests: &[Option<&Test>],
        next: NextKnown<'_>,
    ) -> Result<Option<End>, Stop> {
        let (codes, unknowns) = (&self.codes, &self.unknowns[..]);
        let mut frame = Frame { codes, env, unknowns, tests, fixed: FxHashMap::default() };
        let outcome = constraint::solve(&self.problem, &mut frame, &mut |frame, candidate| {
            for (slot, value) in self.unknowns.iter().zip(candidate.values) {
                slot.set(frame.env, value)?;
            }
            next(frame.env, candidate.proved)
        })?;
        let site = |(span, name)| CutSite { span, name, within: Within::Limits };
        Ok(outcome.map(|outcome| match outcome.broken {
            true => End::Broken,
            false => End::Through(outcome.cut.into_iter().map(site).collect()),
        }))
    }
}

/// What the end of a search is to those who went through its candidates.
fn flow(end: Option<End>, env: &mut Env) -> Result<Option<Flow>, Stop> {
    Ok(Some(match end {
        None => return Ok(None),
        Some(End::Broken) => Flow::Break(()),
        Some(End::Through(sites)) => match env.cut_at_all(&sites) {
            None => Flow::Continue(()),
            Some(stop) => return Err(stop),
        },
    }))
}
