//! Records that a state holds field by field: of a variable, or of a function at one point. So are pairs, whose sides are
//! their fields.

use super::code::lower;
use super::env::Env;
use super::point::Point;
use super::stop::{Raised, Stop};
use super::word::{Bits, Word};
use crate::machine::VarId;
use crate::state::axis::Part;
use crate::state::{Axis, Coding, Layout};
use crate::value::Value;
use std::sync::Arc;

/// Stores a value into a target.
pub type StoreFn = Box<dyn Fn(&mut Env, Value) -> Result<(), Stop> + Send + Sync>;

/// Where such a record stands.
#[derive(Clone)]
pub enum RecordAt {
    Variable(VarId, Arc<Layout>, Bits),
    /// `f(x)`
    Point(Box<Point>),
}

impl RecordAt {
    /// `None` where the variable's field is none of a record.
    pub fn variable(layout: &Arc<Layout>, id: VarId) -> Option<RecordAt> {
        let field = layout.field(id);
        let Coding::Record { bits, .. } = field.coding else { return None };
        Some(RecordAt::Variable(id, layout.clone(), Bits::new(field.at, bits)))
    }

    /// How its code is made.
    fn axis(&self) -> &Axis {
        match self {
            RecordAt::Variable(id, layout, _) => match &layout.field(*id).coding {
                Coding::Record { axis, .. } => axis,
                _ => unreachable!("the field of a record"),
            },
            RecordAt::Point(point) => &point.points.range,
        }
    }

    /// The codes of its fields.
    pub fn parts(&self) -> &Arc<[Part]> {
        match self.axis() {
            Axis::Record(parts) | Axis::Couple(parts) => parts,
            _ => unreachable!("the codes of records"),
        }
    }

    /// The record.
    ///
    /// # Errors
    /// The function is not defined there.
    #[cold]
    fn value(&self, env: &mut Env) -> Result<Value, Raised> {
        match self {
            RecordAt::Variable(id, layout, _) => {
                Ok(layout.read(*id, &env.state, &mut env.interner))
            }
            RecordAt::Point(point) => point.value(env),
        }
    }

    /// Its code, if it has one.
    #[inline(always)]
    fn code(&self, env: &mut Env) -> Result<Option<u64>, Raised> {
        match self {
            RecordAt::Variable(_, _, bits) => {
                let code = bits.get(&env.state);
                Ok((code != bits.mask).then_some(code))
            }
            RecordAt::Point(point) => {
                let x = point.argument.get(env)?;
                let number = point.points.code_at(x, &env.state);
                Ok(number.and_then(|number| number.checked_sub(1)))
            }
        }
    }
}

/// `r'a`, a word.
#[derive(Clone)]
pub struct RecordField {
    pub at: RecordAt,
    /// Which of its fields.
    pub number: usize,
    part: Part,
}

impl RecordField {
    pub fn new(at: RecordAt, number: usize) -> RecordField {
        let part = at.parts()[number].clone();
        RecordField { at, number, part }
    }

    #[inline]
    pub fn get(&self, env: &mut Env) -> Result<u64, Raised> {
        if let Some(code) = self.at.code(env)? {
            return Ok(self.part.axis.word(self.part.get(code)));
        }
        match self.at.value(env)? {
            Value::Record(values) => Ok(lower(&values[self.number])?),
            Value::Pair(sides) if self.number == 0 => Ok(lower(&sides.0)?),
            Value::Pair(sides) => Ok(lower(&sides.1)?),
            _ => Err(Stop::Overflow.into()),
        }
    }
}

/// `r := rec(a : x, b : y)`, `r'a := x` and `r := s`.
pub struct RecordWrite {
    pub at: RecordAt,
    pub to: RecordTo,
    /// Stores what has no code, or where the record, old or new, has none.
    pub otherwise: StoreFn,
}

/// What is written.
pub enum RecordTo {
    All(Box<[Word]>),
    One(usize, Word),
    /// Another record, with the same codes.
    Copy(RecordAt),
}

impl RecordWrite {
    /// # Errors
    /// A word is undefined, or there is no record to change.
    pub fn run(&self, env: &mut Env) -> Result<(), Stop> {
        let mut next = std::mem::take(&mut env.next);
        let put = self.is_put(&mut next, env);
        env.next = next;
        if put? {
            return Ok(());
        }
        let value = self.value(env)?;
        (self.otherwise)(env, value)
    }

    /// Writes into `next`, if there is a code for what is to be written.
    ///
    /// # Errors
    /// A word is undefined.
    pub fn is_put(&self, next: &mut [u64], env: &mut Env) -> Result<bool, Raised> {
        let Some(code) = self.code(env)? else { return Ok(false) };
        let (bits, code) = match &self.at {
            RecordAt::Variable(_, _, bits) if bits.get(next) == bits.mask => return Ok(false),
            RecordAt::Variable(_, _, bits) => (*bits, code),
            RecordAt::Point(point) => {
                let x = point.argument.get(env)?;
                let points = &point.points;
                let outside = points.is_outside(&env.state) || points.is_outside(next);
                match points.domain.code_of_word(x).filter(|_| !outside) {
                    Some(i) => (points.bits(i), code + 1),
                    None => return Ok(false),
                }
            }
        };
        bits.put(next, code);
        Ok(true)
    }

    /// The code of the record that is to be there.
    #[inline(always)]
    fn code(&self, env: &mut Env) -> Result<Option<u64>, Raised> {
        let parts = self.at.parts();
        match &self.to {
            RecordTo::All(words) => {
                let mut all = Some(0);
                for (word, part) in words.iter().zip(parts.iter()) {
                    let code = part.axis.code_of_word(word.get(env)?);
                    all = all.zip(code).map(|(all, code)| part.put(all, code));
                }
                Ok(all)
            }
            RecordTo::One(number, word) => {
                let part = &parts[*number];
                match part.axis.code_of_word(word.get(env)?) {
                    Some(code) => Ok(self.at.code(env)?.map(|old| part.put(old, code))),
                    None => Ok(None),
                }
            }
            RecordTo::Copy(from) => from.code(env),
        }
    }

    /// What is assigned.
    #[cold]
    fn value(&self, env: &mut Env) -> Result<Value, Raised> {
        let parts = self.at.parts();
        match &self.to {
            RecordTo::All(words) => {
                let fields = words.iter().zip(parts.iter());
                let fields = fields.map(|(word, part)| Ok(part.axis.value_of_word(word.get(env)?)));
                let fields = fields.collect::<Result<Arc<[Value]>, Raised>>()?;
                Ok(match (self.at.axis(), &fields[..]) {
                    (Axis::Couple(_), [x, y]) => Value::Pair(Arc::new((x.clone(), y.clone()))),
                    _ => Value::Record(fields),
                })
            }
            RecordTo::One(number, word) => Ok(parts[*number].axis.value_of_word(word.get(env)?)),
            RecordTo::Copy(from) => from.value(env),
        }
    }
}
