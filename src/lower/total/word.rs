//! Total words.

use super::super::code::WordFn;
use super::super::coded::{Coded, SetField};
use super::super::edits::Sides;
use super::super::env::Env;
use super::super::line::LineWord;
use super::super::mapped::Item;
use super::super::numbered::Numbered;
use super::super::operators::{Arithmetic, One, Partial, Two};
use super::super::point::Point;
use super::super::record::RecordField;
use super::super::stop::Raised;
use super::super::wide::Part;
use super::super::word::{Bits, Grid, IntegerField, Word};
use super::TotalTest;
use crate::machine::ConstId;
use crate::state::axis::Map;
use crate::value::Value;
use std::sync::Arc;

pub type Both = Box<(TotalWord, TotalWord)>;

/// A word that is always there; see [`Word`] for what the nodes mean.
pub enum TotalWord {
    Constant(u64),
    Local(u32),
    Given(ConstId),
    Field(Bits),
    Integer(Box<IntegerField>),
    One(One, Box<TotalWord>),
    Two(Two, Both),
    Update(Box<(TotalWord, TotalWord, TotalWord)>, Grid),
    Number(Arithmetic, Both),
    Negate(Box<TotalWord>),
    Partial(Partial, Both),
    Apply(Both, Grid),
    Point(Box<(Point, TotalWord)>),
    Numbered(Box<(TotalWord, Numbered)>),
    Set(Box<SetField>),
    Coded(Arc<Coded>, Box<TotalWord>),
    Sides(Arc<Sides>, Box<TotalWord>),
    Item(Arc<Item>),
    With(Arc<Map>, Box<(TotalWord, TotalWord, TotalWord)>),
    Line(Arc<LineWord>),
    Record(Arc<RecordField>),
    Part(Arc<Part>),
    Truth(Box<TotalTest>),
    If(Box<(TotalTest, TotalWord, TotalWord)>),
    /// Code of the evaluator: what is looked up before it is computed, and what has no lowered form.
    Run(WordFn),
}

impl TotalWord {
    pub fn of(word: &Word) -> TotalWord {
        let one = |x: &Word| Box::new(TotalWord::of(x));
        let two = |both: &(Word, Word)| Box::new((TotalWord::of(&both.0), TotalWord::of(&both.1)));
        match word {
            Word::Constant(w) => TotalWord::Constant(*w),
            Word::Local(i) => TotalWord::Local(*i),
            Word::Given(id, _) => TotalWord::Given(*id),
            Word::Field(bits) => TotalWord::Field(*bits),
            Word::Integer(field) => TotalWord::Integer(field.clone()),
            Word::One(op, x) => TotalWord::One(*op, one(x)),
            Word::Two(op, both) => TotalWord::Two(*op, two(both)),
            Word::Update(parts, grid) => {
                let [f, x, y] = [&parts.0, &parts.1, &parts.2].map(TotalWord::of);
                TotalWord::Update(Box::new((f, x, y)), *grid)
            }
            Word::Number(op, both) => TotalWord::Number(*op, two(both)),
            Word::Negate(x) => TotalWord::Negate(one(x)),
            Word::Partial(op, both, _) => TotalWord::Partial(*op, two(both)),
            Word::Apply(both, of) => TotalWord::Apply(two(both), of.grid),
            Word::Point(point) => {
                let argument = TotalWord::of(&point.argument);
                TotalWord::Point(Box::new(((**point).clone(), argument)))
            }
            Word::Numbered(of) => {
                TotalWord::Numbered(Box::new((TotalWord::of(&of.0), of.1.clone())))
            }
            Word::Part(part) => TotalWord::Part(part.clone()),
            Word::Truth(test) => TotalWord::Truth(Box::new(TotalTest::of(test))),
            Word::If(parts) => {
                let (a, b) = (TotalWord::of(&parts.1), TotalWord::of(&parts.2));
                TotalWord::If(Box::new((TotalTest::of(&parts.0), a, b)))
            }
            Word::Set(field) => TotalWord::Set(field.clone()),
            Word::Coded(of, x) => TotalWord::Coded(of.clone(), one(x)),
            Word::Item(of) => TotalWord::Item(of.clone()),
            Word::With(map, parts) => {
                let [m, x, y] = [&parts.0, &parts.1, &parts.2].map(TotalWord::of);
                TotalWord::With(map.clone(), Box::new((m, x, y)))
            }
            Word::Sides(of, set) => TotalWord::Sides(of.clone(), one(set)),
            Word::Line(of) => TotalWord::Line(of.clone()),
            Word::Record(of) => TotalWord::Record(of.clone()),
            Word::Of(of) => {
                let of = of.clone();
                TotalWord::Run(Arc::new(move |env| of.as_word(env)))
            }
            Word::Array(of) => {
                let word = Word::Array(of.clone());
                TotalWord::Run(Arc::new(move |env| word.get(env)))
            }
            Word::Remembered(f) | Word::Run(f) => TotalWord::Run(f.clone()),
        }
    }

    /// Whether no state makes it leave a doubt.
    pub fn is_certain(&self) -> bool {
        use TotalWord::*;
        match self {
            Constant(_) | Local(_) | Field(_) => true,
            Given(_) | Integer(_) | Number(..) | Negate(_) | Partial(..) => false,
            Apply(..) | Point(_) | Numbered(_) | Line(_) | Record(_) | Run(_) => false,
            Set(_) | Coded(..) | Sides(..) | Item(_) | With(..) => false,
            One(_, x) => x.is_certain(),
            Two(_, both) => both.0.is_certain() && both.1.is_certain(),
            Update(parts, _) => {
                parts.0.is_certain() && parts.1.is_certain() && parts.2.is_certain()
            }
            Part(part) => part.is_certain(),
            Truth(test) => test.is_certain(),
            If(parts) => parts.0.is_certain() && parts.1.is_certain() && parts.2.is_certain(),
        }
    }

    /// Whether it is certain and does not depend on a local of the frame: as far as that is seen.
    pub fn is_free_of(&self, slot: usize) -> bool {
        use TotalWord::*;
        match self {
            Constant(_) | Field(_) => true,
            Local(i) => *i as usize != slot,
            One(_, x) => x.is_free_of(slot),
            Two(_, both) => both.0.is_free_of(slot) && both.1.is_free_of(slot),
            _ => false,
        }
    }

    /// Shows the locals that it depends on, as far as [`TotalWord::of_locals`] goes.
    pub fn each_local(&self, show: &mut impl FnMut(u32)) {
        use TotalWord::*;
        match self {
            Local(i) => show(*i),
            One(_, x) | Negate(x) | Coded(_, x) => x.each_local(show),
            Two(_, both) | Number(_, both) => {
                both.0.each_local(show);
                both.1.each_local(show);
            }
            _ => {}
        }
    }

    /// The word where locals have these values, if they alone decide it.
    pub fn of_locals(&self, of: &dyn Fn(u32) -> u64) -> Option<u64> {
        use TotalWord::*;
        Some(match self {
            Constant(w) => *w,
            Local(i) => of(*i),
            One(op, x) => op.of(x.of_locals(of)?),
            Negate(x) => (x.of_locals(of)? as i64).checked_neg()? as u64,
            Coded(op, x) => op.of(x.of_locals(of)?)?,
            Two(op, both) => op.of(both.0.of_locals(of)?, both.1.of_locals(of)?),
            Number(op, both) => {
                op.of(both.0.of_locals(of)? as i64, both.1.of_locals(of)? as i64)? as u64
            }
            _ => return None,
        })
    }

    /// The word in a state, which is the one that the frame reads.
    #[inline(always)]
    pub fn get(&self, state: &[u64], env: &mut Env) -> u64 {
        match self {
            TotalWord::Constant(w) => *w,
            TotalWord::Local(i) => env.words[*i as usize],
            TotalWord::Field(bits) => bits.get(state),
            word => word.compute(state, env),
        }
    }

    /// Each kind of node in a function of its own, so that none pays for the room that another needs.
    fn compute(&self, state: &[u64], env: &mut Env) -> u64 {
        match self {
            TotalWord::Constant(w) => *w,
            TotalWord::Local(i) => env.words[*i as usize],
            TotalWord::Field(bits) => bits.get(state),
            TotalWord::Integer(field) => integer(field, state, env),
            TotalWord::Given(id) => given(*id, env),
            TotalWord::One(op, x) => of_one(*op, x, state, env),
            TotalWord::Two(op, both) => of_two(*op, both, state, env),
            TotalWord::Update(parts, grid) => update(parts, *grid, state, env),
            TotalWord::Number(op, both) => number(*op, both, state, env),
            TotalWord::Negate(x) => negative(x, state, env),
            TotalWord::Partial(op, both) => partial(*op, both, state, env),
            TotalWord::Apply(both, grid) => apply(both, *grid, state, env),
            TotalWord::Point(of) => point(of, state, env),
            TotalWord::Numbered(of) => numbered(of, state, env),
            TotalWord::Set(field) => set(field, state, env),
            TotalWord::Coded(of, x) => coded(of, x, state, env),
            TotalWord::Item(of) => partly(env, |env| of.get(env)),
            TotalWord::With(map, parts) => with(map, parts, state, env),
            TotalWord::Sides(of, set) => sides(of, set, state, env),
            TotalWord::Line(of) => partly(env, |env| of.get(env)),
            TotalWord::Record(of) => partly(env, |env| of.get(env)),
            TotalWord::Part(of) => partly(env, |env| of.get(env)),
            TotalWord::Truth(test) => u64::from(test.holds(state, env)),
            TotalWord::If(parts) => either(parts, state, env),
            TotalWord::Run(f) => run(f, env),
        }
    }
}

#[inline(never)]
fn of_one(op: One, x: &TotalWord, state: &[u64], env: &mut Env) -> u64 {
    op.of(x.get(state, env))
}

#[inline(never)]
fn of_two(op: Two, both: &Both, state: &[u64], env: &mut Env) -> u64 {
    let a = both.0.get(state, env);
    op.of(a, both.1.get(state, env))
}

#[inline(never)]
fn integer(field: &IntegerField, state: &[u64], env: &mut Env) -> u64 {
    let code = field.bits.get(state);
    if code == field.bits.mask {
        return outside(field, env);
    }
    (field.low + code as i64) as u64
}

#[inline(never)]
fn given(id: ConstId, env: &mut Env) -> u64 {
    match &env.constants[id.0 as usize] {
        Some(Value::Word(w)) => *w,
        Some(Value::Int(i)) => *i as u64,
        _ => env.doubted(),
    }
}

#[inline(never)]
fn update(
    parts: &(TotalWord, TotalWord, TotalWord),
    grid: Grid,
    state: &[u64],
    env: &mut Env,
) -> u64 {
    let f = parts.0.get(state, env);
    let x = parts.1.get(state, env);
    grid.with_one(f, x, parts.2.get(state, env))
}

#[inline(never)]
fn number(op: Arithmetic, both: &Both, state: &[u64], env: &mut Env) -> u64 {
    let (x, y) = (both.0.get(state, env) as i64, both.1.get(state, env) as i64);
    match op.of(x, y) {
        Some(n) => n as u64,
        None => env.doubted(),
    }
}

#[inline(never)]
fn negative(x: &TotalWord, state: &[u64], env: &mut Env) -> u64 {
    match (x.get(state, env) as i64).checked_neg() {
        Some(n) => n as u64,
        None => env.doubted(),
    }
}

#[inline(never)]
fn set(field: &SetField, state: &[u64], env: &mut Env) -> u64 {
    field.get(state).unwrap_or_else(|| env.doubted())
}

#[inline(never)]
fn coded(of: &Coded, x: &TotalWord, state: &[u64], env: &mut Env) -> u64 {
    of.of(x.get(state, env)).unwrap_or_else(|| env.doubted())
}

#[inline(never)]
fn sides(of: &Sides, set: &TotalWord, state: &[u64], env: &mut Env) -> u64 {
    let set = set.get(state, env);
    of.of(set, state).unwrap_or_else(|| env.doubted())
}

#[inline(never)]
fn with(map: &Map, parts: &(TotalWord, TotalWord, TotalWord), state: &[u64], env: &mut Env) -> u64 {
    let m = parts.0.get(state, env);
    let (x, y) = (parts.1.get(state, env), parts.2.get(state, env));
    map.with(m, x, y).unwrap_or_else(|| env.doubted())
}

#[inline(never)]
fn partial(op: Partial, both: &Both, state: &[u64], env: &mut Env) -> u64 {
    let (x, y) = (both.0.get(state, env) as i64, both.1.get(state, env) as i64);
    match op.of(x, y) {
        Ok(Some(n)) => n as u64,
        _ => env.doubted(),
    }
}

#[inline(never)]
fn apply(both: &Both, grid: Grid, state: &[u64], env: &mut Env) -> u64 {
    let f = both.0.get(state, env);
    let row = grid.row(f, both.1.get(state, env));
    if !row.is_power_of_two() {
        return env.doubted();
    }
    u64::from(row.trailing_zeros())
}

#[inline(never)]
fn point(of: &(Point, TotalWord), state: &[u64], env: &mut Env) -> u64 {
    let x = of.1.get(state, env);
    match of.0.points.code_at(x, state) {
        Some(code) if code > 0 => of.0.points.range.word(code - 1),
        Some(_) => env.doubted(),
        None => of.0.apply_outside(env, x).unwrap_or_else(|_| env.doubted()),
    }
}

#[inline(never)]
fn numbered(of: &(TotalWord, Numbered), state: &[u64], env: &mut Env) -> u64 {
    let x = of.0.get(state, env) as i64;
    of.1.apply(x, env).unwrap_or_else(|_| env.doubted())
}

/// What runs in its partial form, and after a doubt not at all: what is code of the evaluator in it could take its time.
#[inline(never)]
fn partly(env: &mut Env, word: impl Fn(&mut Env) -> Result<u64, Raised>) -> u64 {
    match env.doubt {
        true => 0,
        false => word(env).unwrap_or_else(|_| env.doubted()),
    }
}

#[inline(never)]
fn either(parts: &(TotalTest, TotalWord, TotalWord), state: &[u64], env: &mut Env) -> u64 {
    match parts.0.holds(state, env) {
        true => parts.1.get(state, env),
        false => parts.2.get(state, env),
    }
}

/// After a doubt the locals may hold anything that is of their type; code that is run all the same could take
/// its time.
#[inline(always)]
pub fn run(f: &WordFn, env: &mut Env) -> u64 {
    partly(env, |env| f(env))
}

#[cold]
fn outside(field: &IntegerField, env: &mut Env) -> u64 {
    field.outside(env).unwrap_or_else(|_| env.doubted())
}
