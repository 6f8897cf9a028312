//! Words: members of finite universes, sets of at most 64 elements as bits, integers of 64 bits.

use super::code::WordFn;
use super::coded::{Coded, SetField, members};
use super::edits::Sides;
use super::env::{Env, Operand};
use super::line::LineWord;
use super::mapped::Item;
use super::numbered::{Arrayed, Numbered};
use super::operators::{Arithmetic, One, Partial, Two};
use super::point::Point;
use super::record::RecordField;
use super::rich::Rich;
use super::stop::{FaultKind, Raised, Stop};
use super::test::Test;
use super::wide::Part;
use crate::machine::{ConstId, VarId};
use crate::source::Span;
use crate::state::Layout;
use crate::state::axis::Map;
use crate::state::layout::Position;
use crate::value::Value;
use crate::value::set::low_bits;
use std::sync::Arc;

/// Neighbouring bits of a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bits {
    pub word: u32,
    pub shift: u32,
    /// As many ones as there are bits.
    pub mask: u64,
}

impl Bits {
    pub fn new(at: Position, bits: u32) -> Bits {
        Bits { word: at.word as u32, shift: at.shift, mask: low_bits(bits) }
    }

    #[inline(always)]
    pub fn get(self, state: &[u64]) -> u64 {
        state[self.word as usize] >> self.shift & self.mask
    }

    /// Bits of `value` beyond these must be 0.
    #[inline(always)]
    pub fn put(self, state: &mut [u64], value: u64) {
        let word = &mut state[self.word as usize];
        *word = *word & !(self.mask << self.shift) | value << self.shift;
    }
}

/// Rows and row width of a relation that is held in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    pub rows: u32,
    pub width: u32,
}

impl Grid {
    /// That of what is no relation.
    pub const NONE: Grid = Grid { rows: 0, width: 0 };

    /// The partners of `x`.
    #[inline(always)]
    pub fn row(self, relation: u64, x: u64) -> u64 {
        relation >> (x as u32 * self.width) & low_bits(self.width)
    }

    /// The relation that gives `x` this partner alone.
    #[inline(always)]
    pub fn with_one(self, relation: u64, x: u64, y: u64) -> u64 {
        let at = x as u32 * self.width;
        relation & !(low_bits(self.width) << at) | 1 << (at + y as u32)
    }

    /// All pairs.
    pub(super) fn all(self) -> u64 {
        low_bits(self.rows * self.width)
    }

    /// The pairs with a left side in this set.
    pub(super) fn rows_of(self, mut set: u64) -> u64 {
        let (row, mut rows) = (low_bits(self.width), 0);
        while set != 0 {
            rows |= row << (set.trailing_zeros() * self.width);
            set &= set - 1;
        }
        rows
    }

    /// The pairs with a right side in this set.
    pub(super) fn columns_of(self, set: u64) -> u64 {
        (0..self.rows).fold(0, |columns, i| columns | set << (i * self.width))
    }

    pub(super) fn inverse(self, mut relation: u64) -> u64 {
        let mut inverse = 0;
        while relation != 0 {
            let pair = relation.trailing_zeros();
            inverse |= 1 << (pair % self.width * self.rows + pair / self.width);
            relation &= relation - 1;
        }
        inverse
    }

    pub(super) fn domain(self, relation: u64) -> u64 {
        let row = |i| (self.row(relation, u64::from(i)) != 0) as u64;
        (0..self.rows).fold(0, |domain, i| domain | row(i) << i)
    }

    pub(super) fn range(self, relation: u64) -> u64 {
        (0..self.rows).fold(0, |range, i| range | self.row(relation, u64::from(i)))
    }
}

/// An integer field: code and least value. The greatest code says that the value is outside. Also that of a string,
/// whose word is its code.
#[derive(Clone, Debug)]
pub struct IntegerField {
    pub bits: Bits,
    pub low: i64,
    pub id: VarId,
    pub layout: Arc<Layout>,
}

/// An application whose function is a relation in a word.
#[derive(Clone, Debug)]
pub struct Application {
    pub grid: Grid,
    pub span: Span,
    pub function: Operand,
    pub argument: Operand,
}

/// Where an operator on integers stands, and what is told of its operands.
#[derive(Clone, Debug)]
pub struct At {
    pub span: Span,
    pub operands: (Operand, Operand),
}

pub type Both = Box<(Word, Word)>;

#[derive(Clone)]
pub enum Word {
    Constant(u64),
    /// A local of the frame.
    Local(u32),
    /// The value of a constant, used at this place.
    Given(ConstId, Span),
    /// Bits of the state that is read.
    Field(Bits),
    Integer(Box<IntegerField>),
    One(One, Box<Word>),
    Two(Two, Both),
    /// `f <+ {x |-> y}`
    Update(Box<(Word, Word, Word)>, Grid),
    Number(Arithmetic, Both),
    Negate(Box<Word>),
    /// An operator that has no value for some operands, at a place.
    Partial(Partial, Both, Box<At>),
    /// `f(x)` of a relation in a word.
    Apply(Both, Box<Application>),
    /// `f(x)` of a function that the state holds point by point.
    Point(Box<Point>),
    /// `f(x)` of a function that the state holds by its number.
    Numbered(Box<(Word, Numbered)>),
    /// `f(x)` of a constant that is a function on an interval, or on a product of two.
    Array(Box<Arrayed>),
    /// A variable whose set of numbers or pairs the state holds in one word; and what is made of a word on an axis.
    Set(Box<SetField>),
    Coded(Arc<Coded>, Box<Word>),
    /// Arguments or results of a function that the state holds point by point, as bits.
    Sides(Arc<Sides>, Box<Word>),
    /// `f(x)(y)`, where the state holds the results of `f` as codes; and the code of `m <+ {x |-> y}`.
    Item(Arc<Item>),
    With(Arc<Map>, Box<(Word, Word, Word)>),
    /// What follows from a sequence in one word.
    Line(Arc<LineWord>),
    /// `r'a` of a record that the state holds field by field.
    Record(Arc<RecordField>),
    /// What follows from a set in several words.
    Part(Arc<Part>),
    /// `bool(P)`
    Truth(Box<Test>),
    If(Box<(Test, Word, Word)>),
    /// A value that is a word.
    Of(Arc<Rich>),
    /// What is looked up before it is computed.
    Remembered(WordFn),
    Run(WordFn),
}

impl Word {
    pub fn both(a: Word, b: Word) -> Both {
        Box::new((a, b))
    }

    /// An operator of one operand; of a constant its value.
    pub fn one(op: One, x: Word) -> Word {
        match x {
            Word::Constant(x) if op != One::Singleton || x < 64 => Word::Constant(op.of(x)),
            x => Word::One(op, Box::new(x)),
        }
    }

    /// An operator of two operands; of constants its value.
    pub fn two(op: Two, a: Word, b: Word) -> Word {
        match (a, b) {
            (Word::Constant(a), Word::Constant(b)) => Word::Constant(op.of(a, b)),
            (a, b) => Word::Two(op, Word::both(a, b)),
        }
    }

    /// A word that has no lowered form.
    pub fn run(f: impl Fn(&mut Env) -> Result<u64, Stop> + Send + Sync + 'static) -> Word {
        Word::Run(Arc::new(move |env| Ok(f(env)?)))
    }

    #[inline(always)]
    pub fn get(&self, env: &mut Env) -> Result<u64, Raised> {
        match self {
            Word::Constant(w) => Ok(*w),
            Word::Local(i) => Ok(env.words[*i as usize]),
            Word::Field(bits) => Ok(bits.get(&env.state)),
            Word::Integer(field) => field.get(env),
            word => word.compute(env),
        }
    }

    fn compute(&self, env: &mut Env) -> Result<u64, Raised> {
        Ok(match self {
            Word::Constant(w) => *w,
            Word::Local(i) => env.words[*i as usize],
            Word::Field(bits) => bits.get(&env.state),
            Word::Given(id, span) => match &env.constants[id.0 as usize] {
                Some(Value::Word(w)) => *w,
                Some(Value::Int(i)) => *i as u64,
                Some(_) => return Err(Stop::Overflow.into()),
                None => return Err(env.fault(FaultKind::ConstantNotSolved, *span, []).into()),
            },
            Word::Integer(field) => return field.get(env),
            Word::One(op, x) => op.of(x.get(env)?),
            Word::Two(op, both) => {
                let a = both.0.get(env)?;
                op.of(a, both.1.get(env)?)
            }
            Word::Update(parts, grid) => {
                let f = parts.0.get(env)?;
                let (x, y) = (parts.1.get(env)?, parts.2.get(env)?);
                grid.with_one(f, x, y)
            }
            Word::Number(op, both) => {
                let (x, y) = (both.0.get(env)? as i64, both.1.get(env)? as i64);
                op.of(x, y).ok_or(Stop::Overflow)? as u64
            }
            Word::Negate(x) => (x.get(env)? as i64).checked_neg().ok_or(Stop::Overflow)? as u64,
            Word::Partial(op, both, at) => {
                let (x, y) = (both.0.get(env)? as i64, both.1.get(env)? as i64);
                match op.of(x, y) {
                    Ok(result) => result.ok_or(Stop::Overflow)? as u64,
                    Err(kind) => return Err(at.fault(env, kind, x, y)),
                }
            }
            Word::Apply(both, of) => {
                let (f, x) = (both.0.get(env)?, both.1.get(env)?);
                let row = of.grid.row(f, x);
                if !row.is_power_of_two() {
                    return Err(of.fault(env, f, x));
                }
                u64::from(row.trailing_zeros())
            }
            Word::Point(point) => return point.get(env),
            Word::Numbered(of) => {
                let x = of.0.get(env)? as i64;
                return of.1.apply(x, env);
            }
            Word::Array(of) => return of.apply(env),
            Word::Set(field) => members(field, env)?,
            Word::Coded(of, x) => of.of(x.get(env)?).ok_or(Stop::Overflow)?,
            Word::Item(of) => return of.get(env),
            Word::With(map, parts) => {
                let m = parts.0.get(env)?;
                let (x, y) = (parts.1.get(env)?, parts.2.get(env)?);
                map.with(m, x, y).ok_or(Stop::Overflow)?
            }
            Word::Sides(of, set) => {
                let set = set.get(env)?;
                of.of(set, &env.state).ok_or(Stop::Overflow)?
            }
            Word::Line(of) => return of.get(env),
            Word::Record(of) => return of.get(env),
            Word::Part(part) => return part.get(env),
            Word::Truth(test) => test.holds(env)? as u64,
            Word::If(parts) => {
                return if parts.0.holds(env)? { parts.1.get(env) } else { parts.2.get(env) };
            }
            Word::Of(of) => return of.as_word(env),
            Word::Run(f) | Word::Remembered(f) => return f(env),
        })
    }
}

impl IntegerField {
    #[inline(always)]
    fn get(&self, env: &mut Env) -> Result<u64, Raised> {
        let code = self.bits.get(&env.state);
        if code == self.bits.mask {
            return self.outside(env);
        }
        Ok((self.low + code as i64) as u64)
    }

    #[cold]
    pub(super) fn outside(&self, env: &mut Env) -> Result<u64, Raised> {
        let value = self.layout.read(self.id, &env.state, &mut env.interner);
        Ok(super::code::lower(&value)?)
    }
}

impl At {
    #[cold]
    fn fault(&self, env: &mut Env, kind: FaultKind, x: i64, y: i64) -> Raised {
        let (a, b) = (&self.operands.0, &self.operands.1);
        env.fault(kind, self.span, [(a, Value::Int(x)), (b, Value::Int(y))]).into()
    }
}

impl Application {
    #[cold]
    fn fault(&self, env: &mut Env, f: u64, x: u64) -> Raised {
        let kind = match self.grid.row(f, x) {
            0 => FaultKind::OutsideDomain,
            _ => FaultKind::NotFunctional,
        };
        let operands = [(&self.function, Value::Word(f)), (&self.argument, Value::Word(x))];
        env.fault(kind, self.span, operands).into()
    }
}
