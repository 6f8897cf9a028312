//! Tests of words, and junctions of tests.

use super::code::{BoolFn, WordFn};
use super::env::{Env, Pending, graver};
use super::line::Row;
use super::operators::Relation;
use super::point::{Point, Points};
use super::rich::{Bindings, RichTest};
use super::stop::Stop;
use super::total::Quantified;
use super::wide::WideTest;
use super::word::{Bits, Both, Grid, Word};
use crate::state::axis::Map;
use crate::value::relation::Arrow;
use std::sync::Arc;

#[derive(Clone)]
pub enum Test {
    Always(bool),
    /// A field is, or is not, a constant: what most tests are.
    Is(Bits, u64),
    IsNot(Bits, u64),
    Compare(Relation, Both),
    /// `low <= x & x <= high`
    Between(Box<(Word, Word, Word)>),
    /// `x : dom(f)` of a function that the state holds point by point.
    HasPoint(Box<Point>),
    /// `f : a +-> b` and `f : a --> b` of a function that the state holds point by point.
    Held(Arc<HeldTest>),
    /// `r : a --> b`, any arrow.
    IsArrow(Box<(Word, Word, Word)>, Grid, Arrow),
    Not(Box<Test>),
    All(Vec<Test>),
    Any(Vec<Test>),
    Same(Box<(Test, Test)>),
    If(Box<(Test, Test, Test)>),
    /// `#x.(P)`, or, where that is true, `!x.(P => Q)`: code of the evaluator, and, where it is over words, the same as
    /// a total function, which finds an `x` for which `P` holds, and not `Q`.
    Quantified(bool, BoolFn, Option<Arc<Quantified>>),
    /// Of sets in several words.
    Wide(Arc<WideTest>),
    /// Of values of any form.
    Rich(Arc<RichTest>),
    Let(Arc<(Bindings, Test)>),
    /// A truth, 0 or 1, that is looked up before it is computed.
    Remembered(WordFn),
    Run(BoolFn),
}

/// Whether a field holds its function, which then is one between the sets that are asked for.
pub struct HeldTest {
    pub points: Points,
    /// Whether every argument needs a result.
    pub total: bool,
    /// What else is asked of each result.
    pub results: Results,
    /// The same of what the field does not hold.
    pub otherwise: Test,
}

impl HeldTest {
    pub fn holds(&self, env: &mut Env) -> Result<bool, Stop> {
        match self.points.is_outside(&env.state) {
            true => self.otherwise.holds(env),
            false => Ok((!self.total || self.points.are_all_defined(&env.state))
                && self.results.are_all(&self.points, &env.state)),
        }
    }
}

/// What is asked of results that are functions, beyond their having a code.
pub enum Results {
    Any,
    /// Sequences whose items stand so.
    Lines(Row),
    /// Functions with a result everywhere.
    Whole(Arc<Map>),
}

impl Results {
    fn are_all(&self, points: &Points, state: &[u64]) -> bool {
        let each = |test: &dyn Fn(u64) -> bool| {
            let mut all = true;
            points.each_code(state, |number, _| {
                all &= number.checked_sub(1).is_none_or(test);
            });
            all
        };
        match self {
            Results::Any => true,
            Results::Lines(row) => each(&|codes| row.is_sequence(codes)),
            Results::Whole(map) => {
                each(&|code| (0..map.domain.size()).all(|x| map.number(code, x) != 0))
            }
        }
    }
}

impl Test {
    /// The test, as closures take it.
    pub fn into_fn(self) -> BoolFn {
        match self {
            Test::Quantified(_, f, _) | Test::Run(f) => f,
            test => Arc::new(move |env| test.holds(env)),
        }
    }

    /// A test that has no lowered form.
    pub fn run(f: impl Fn(&mut Env) -> Result<bool, Stop> + Send + Sync + 'static) -> Test {
        Test::Run(Arc::new(f))
    }

    /// A test of values.
    pub fn rich(test: RichTest) -> Test {
        Test::Rich(Arc::new(test))
    }

    /// A quantifier, and the same over words.
    pub fn quantified(
        all: bool,
        f: impl Fn(&mut Env) -> Result<bool, Stop> + Send + Sync + 'static,
        total: Option<Quantified>,
    ) -> Test {
        Test::Quantified(all, Arc::new(f), total.map(Arc::new))
    }

    /// `a = b`
    pub fn equal(a: Word, b: Word) -> Test {
        match (a, b) {
            (Word::Field(bits), Word::Constant(c)) | (Word::Constant(c), Word::Field(bits)) => {
                Test::Is(bits, c)
            }
            (a, b) => Test::compare(Relation::Equal, a, b),
        }
    }

    pub fn compare(relation: Relation, a: Word, b: Word) -> Test {
        Test::Compare(relation, Word::both(a, b))
    }

    pub fn negated(self) -> Test {
        match self {
            Test::Always(truth) => Test::Always(!truth),
            Test::Is(bits, c) => Test::IsNot(bits, c),
            Test::IsNot(bits, c) => Test::Is(bits, c),
            Test::Compare(relation, both) => match relation.negated() {
                Some(negated) => Test::Compare(negated, both),
                None => Test::Not(Box::new(Test::Compare(relation, both))),
            },
            Test::Not(test) => *test,
            test => Test::Not(Box::new(test)),
        }
    }

    /// A conjunction: a false part decides. Parts that are conjunctions become parts of this one.
    pub fn all(parts: Vec<Test>) -> Test {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Test::Always(true) => {}
                Test::All(inner) => flat.extend(inner),
                part => flat.push(part),
            }
        }
        if flat.len() == 1 { flat.swap_remove(0) } else { Test::All(flat) }
    }

    /// A disjunction: a true part decides.
    pub fn any(parts: Vec<Test>) -> Test {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Test::Always(false) => {}
                Test::Any(inner) => flat.extend(inner),
                part => flat.push(part),
            }
        }
        if flat.len() == 1 { flat.swap_remove(0) } else { Test::Any(flat) }
    }

    #[inline(always)]
    pub fn holds(&self, env: &mut Env) -> Result<bool, Stop> {
        match self {
            Test::Is(bits, c) => Ok(bits.get(&env.state) == *c),
            Test::IsNot(bits, c) => Ok(bits.get(&env.state) != *c),
            test => test.evaluate(env),
        }
    }

    fn evaluate(&self, env: &mut Env) -> Result<bool, Stop> {
        Ok(match self {
            Test::Always(truth) => *truth,
            Test::Is(bits, c) => bits.get(&env.state) == *c,
            Test::IsNot(bits, c) => bits.get(&env.state) != *c,
            Test::Compare(relation, both) => {
                let a = both.0.get(env)?;
                relation.holds(a, both.1.get(env)?)
            }
            Test::Between(parts) => {
                let x = parts.0.get(env)? as i64;
                let (low, high) = (parts.1.get(env)? as i64, parts.2.get(env)? as i64);
                low <= x && x <= high
            }
            Test::HasPoint(point) => return point.exists(env),
            Test::Held(of) => return of.holds(env),
            Test::IsArrow(parts, grid, arrow) => {
                let r = parts.0.get(env)?;
                let (a, b) = (parts.1.get(env)?, parts.2.get(env)?);
                is_arrow(r, *grid, *arrow, a, b)
            }
            Test::Not(test) => !test.holds(env)?,
            Test::All(parts) => return junction(parts, false, env),
            Test::Any(parts) => return junction(parts, true, env),
            Test::Same(both) => both.0.holds(env)? == both.1.holds(env)?,
            Test::If(parts) => {
                return if parts.0.holds(env)? { parts.1.holds(env) } else { parts.2.holds(env) };
            }
            Test::Wide(test) => return test.holds(env),
            Test::Rich(test) => return test.holds(env),
            Test::Let(of) => {
                of.0.bind(env)?;
                return of.1.holds(env);
            }
            Test::Remembered(f) => f(env)? != 0,
            Test::Quantified(_, f, _) | Test::Run(f) => return f(env),
        })
    }
}

/// Whether a relation is a function of this kind from `a` to `b`: one pass over its rows.
pub(super) fn is_arrow(r: u64, grid: Grid, arrow: Arrow, a: u64, b: u64) -> bool {
    arrow.is_made_of((0..grid.rows).map(|i| grid.row(r, u64::from(i))), a, b)
}

/// A disjunction (`decisive` true) or conjunction (`decisive` false): the first operand that is
/// `decisive` decides; an undefined or unknown one counts only when none does.
fn junction(parts: &[Test], decisive: bool, env: &mut Env) -> Result<bool, Stop> {
    for (i, part) in parts.iter().enumerate() {
        match part.holds(env) {
            Ok(truth) if truth == decisive => return Ok(decisive),
            Ok(_) => {}
            Err(stop @ (Stop::Fault(_) | Stop::Cut(_))) => {
                return open_junction(stop, &parts[i + 1..], decisive, env);
            }
            Err(stop) => return Err(stop),
        }
    }
    Ok(!decisive)
}

#[cold]
fn open_junction(stop: Stop, rest: &[Test], decisive: bool, env: &mut Env) -> Result<bool, Stop> {
    let mut open: Pending = (stop, env.fault.take());
    for part in rest {
        match part.holds(env) {
            Ok(truth) if truth == decisive => return Ok(decisive),
            Ok(_) => {}
            Err(stop @ (Stop::Fault(_) | Stop::Cut(_))) => {
                let own = (stop, env.fault.take());
                open = graver(Some(open), own);
            }
            Err(stop) => return Err(stop),
        }
    }
    let (stop, fault) = open;
    env.fault = fault;
    Err(stop)
}
