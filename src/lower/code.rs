//! Compiled code, in two forms.
//!
//! There is one evaluator with two forms of a result: a machine word for members of finite universes
//! and integers, and a [`Value`] for everything else. Each operator is compiled in the form that its
//! operands and its result have; [`lift`] and [`lower`] stand between the two. Both are trees ([`Word`],
//! [`Rich`]).

use super::env::{Env, Flow};
use super::stop::{Raised, Stop};
use super::{Rich, Word};
use crate::machine::LocalId;
use crate::state::axis::word_of_pair;
use crate::value::{Shape, Value};
use std::sync::Arc;

pub type WordFn = Arc<dyn Fn(&mut Env) -> Result<u64, Raised> + Send + Sync>;
pub type ValueFn = Box<dyn Fn(&mut Env) -> Result<Value, Stop> + Send + Sync>;
pub type BoolFn = Arc<dyn Fn(&mut Env) -> Result<bool, Stop> + Send + Sync>;
/// A test of one value, for memberships.
pub type TestFn = Box<dyn Fn(&mut Env, &Value) -> Result<bool, Stop> + Send + Sync>;
/// What is called for each solution or outcome.
pub type Next<'a> = &'a mut dyn FnMut(&mut Env) -> Result<Flow, Stop>;
/// An enumeration: calls its argument once for each solution, with the solution in the frame.
pub type EachFn = Box<dyn Fn(&mut Env, Next<'_>) -> Result<Flow, Stop> + Send + Sync>;

/// Evaluates something for what it writes.
pub type RunFn = Box<dyn Fn(&mut Env) -> Result<(), Stop> + Send + Sync>;

/// Compiled expression.
pub enum Code {
    Word(Word),
    Value(Rich),
}

impl Code {
    /// A value that has no lowered form.
    pub fn value(f: impl Fn(&mut Env) -> Result<Value, Stop> + Send + Sync + 'static) -> Code {
        Code::Value(Rich::run(f))
    }

    /// A word that has no lowered form.
    pub fn run(f: impl Fn(&mut Env) -> Result<u64, Raised> + Send + Sync + 'static) -> Code {
        Code::Word(Word::Run(Arc::new(f)))
    }
}

/// The value of a word of this shape.
#[inline]
pub fn lift(shape: &Shape, word: u64) -> Value {
    match shape {
        Shape::Integer => Value::Int(word as i64),
        _ => Value::Word(word),
    }
}

/// The word of a value; overflow for an integer beyond 64 bits, and for a pair of what 32 bits do not hold.
#[inline]
pub fn lower(value: &Value) -> Result<u64, Stop> {
    match value {
        Value::Word(w) => Ok(*w),
        Value::Int(i) => Ok(*i as u64),
        Value::Pair(pair) => {
            let (left, right) = (lower(&pair.0)? as i64, lower(&pair.1)? as i64);
            Ok(word_of_pair(left, right).ok_or(Stop::Overflow)? as u64)
        }
        _ => Err(Stop::Overflow),
    }
}

/// Where a local lives in the frame.
#[derive(Clone, Debug)]
pub struct Slot {
    pub index: usize,
    pub word: bool,
    pub shape: Shape,
}

impl Slot {
    /// The slot as a word.
    pub fn word(&self) -> Word {
        Word::Local(self.index as u32)
    }

    #[inline]
    pub fn set(&self, env: &mut Env, value: Value) -> Result<(), Stop> {
        if self.word {
            env.words[self.index] = lower(&value)?;
        } else {
            env.values[self.index] = value;
        }
        Ok(())
    }

    #[inline]
    pub fn get(&self, env: &Env) -> Value {
        if self.word {
            lift(&self.shape, env.words[self.index])
        } else {
            env.values[self.index].clone()
        }
    }

    pub fn id(&self) -> LocalId {
        LocalId(self.index as u32)
    }
}

/// Takes a value apart into locals: `(x |-> y) |-> z`.
#[derive(Clone, Debug)]
pub enum Binder {
    Local(Slot),
    Pair(Shape, Box<Binder>, Box<Binder>),
}

impl Binder {
    /// Left-nested over these slots.
    pub fn tuple(slots: &[Slot]) -> Binder {
        let mut slots = slots.iter();
        let first = slots.next().expect("at least one local");
        slots.fold(Binder::Local(first.clone()), |left, slot| {
            let shape = Shape::pair_of(left.shape(), slot.shape.clone());
            Binder::Pair(shape, Box::new(left), Box::new(Binder::Local(slot.clone())))
        })
    }

    pub fn shape(&self) -> Shape {
        match self {
            Binder::Local(slot) => slot.shape.clone(),
            Binder::Pair(shape, ..) => shape.clone(),
        }
    }

    pub fn bind(&self, env: &mut Env, value: Value) -> Result<(), Stop> {
        match self {
            Binder::Local(slot) => slot.set(env, value),
            Binder::Pair(shape, left, right) => {
                let (l, r) = shape.split(&value);
                left.bind(env, l)?;
                right.bind(env, r)
            }
        }
    }

    /// The value that the locals make.
    pub fn read(&self, env: &Env) -> Value {
        match self {
            Binder::Local(slot) => slot.get(env),
            Binder::Pair(shape, left, right) => shape.pair(left.read(env), right.read(env)),
        }
    }
}
