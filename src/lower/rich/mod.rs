//! Values of any form: sets of numbers, sequences, records, strings, sets of sets, as trees.
//!
//! | file | subject |
//! |---|---|
//! | this one | values |
//! | [`operators`] | what operators of one and of two operands do to values, and how they are told |
//! | [`belongs`] | membership in sets that are not built |
//! | [`closure`] | what is asked of closures that are not built |
//! | [`binding`] | names that are given values within a formula |
//! | [`test`] | tests of values |
//! | `print` | all of that as text |
//!
//! What is enumerated, and what may be infinite, is code of the evaluator ([`Rich::Run`]).

pub mod belongs;
pub mod binding;
pub mod closure;
pub mod operators;
mod print;
pub mod test;

use super::code::{Code, Slot, ValueFn, lift, lower};
use super::env::Env;
use super::stop::{FaultKind, Raised, Stop};
use super::write::WriteFn;
use super::{Test, Wide, Word};
use crate::machine::{Cell, ConstId, FreeId, VarId};
use crate::source::Span;
use crate::state::Layout;
use crate::value::{Shape, Value, sequence};
pub use belongs::Belongs;
pub use binding::{Applied, Bindings};
use closure::PartOfClosure;
pub use operators::{OfOne, OfTwo};
use std::sync::Arc;
pub use test::RichTest;

/// A value of any form. A word is one, too, where a value is asked for.
pub enum Rich {
    Constant(Value),
    /// A local of the frame that is no word.
    Local(u32),
    /// The value of a constant, used at this place.
    Given(ConstId, Span),
    /// What the state holds of a variable.
    Held(VarId, Arc<Layout>),
    Word(Box<(Word, Shape)>),
    One(Box<(OfOne, Rich)>),
    Two(Box<(OfTwo, Rich, Rich)>),
    Pair(Box<(Rich, Rich)>),
    /// `{x, y}`, of this shape.
    Listed(Shape, Box<[Rich]>),
    /// `[x, y]`, of this shape.
    Sequence(Shape, Box<[Rich]>),
    Record(Box<[Rich]>),
    /// A field of a record, by its number, and its name.
    Field(Box<Rich>, usize, Arc<str>),
    /// A constructor of a free type, by its number, and its argument.
    Construct(FreeId, u32, Box<Rich>),
    If(Box<(Test, Rich, Rich)>),
    /// A set in so many words.
    Wide(Box<Wide>, u32),
    /// A local that substitutions assign, read at this place.
    Assigned(Slot, Span),
    /// The members of a set of this shape that belong, or, where that is false, the others.
    Those(Box<(Shape, Rich, Belongs)>, bool),
    /// The pairs of a relation of this shape whose left or right side (`true`: the left one) belongs, or does not.
    Restricted(Box<(Shape, Rich, Belongs)>, bool, bool),
    Let(Box<(Bindings, Rich)>),
    PartOfClosure(Box<PartOfClosure>),
    Applied(Box<Applied>),
    /// What is looked up before it is computed.
    Remembered(ValueFn),
    Run(ValueFn),
}

impl Rich {
    /// A value that has no lowered form.
    pub fn run(f: impl Fn(&mut Env) -> Result<Value, Stop> + Send + Sync + 'static) -> Rich {
        Rich::Run(Box::new(f))
    }

    /// A word as a value of this shape.
    pub fn word(word: Word, shape: Shape) -> Rich {
        match word {
            Word::Constant(w) => Rich::Constant(lift(&shape, w)),
            word => Rich::Word(Box::new((word, shape))),
        }
    }

    pub fn pair(a: Rich, b: Rich) -> Rich {
        Rich::Pair(Box::new((a, b)))
    }

    /// The code of what is of this shape, which is a word or not.
    pub fn into_code(self, is_word: bool) -> Code {
        if is_word { Code::Word(Word::Of(Arc::new(self))) } else { Code::Value(self) }
    }

    /// The value, as closures take it.
    pub fn into_fn(self) -> ValueFn {
        match self {
            Rich::Remembered(f) | Rich::Run(f) => f,
            Rich::Constant(value) => Box::new(move |_| Ok(value.clone())),
            rich => Box::new(move |env| rich.get(env)),
        }
    }

    /// # Errors
    /// Nothing is there: something in it is undefined, unknown or too large.
    pub fn get(&self, env: &mut Env) -> Result<Value, Stop> {
        Ok(match self {
            Rich::Constant(value) => value.clone(),
            Rich::Local(i) => env.values[*i as usize].clone(),
            Rich::Given(id, span) => match &env.constants[id.0 as usize] {
                Some(value) => value.clone(),
                None => return Err(env.fault(FaultKind::ConstantNotSolved, *span, [])),
            },
            Rich::Held(id, layout) => layout.read(*id, &env.state, &mut env.interner),
            Rich::Word(of) => lift(&of.1, of.0.get(env)?),
            Rich::One(of) => {
                let v = of.1.get(env)?;
                return of.0.of(v, env);
            }
            Rich::Two(of) => {
                let (x, y) = (of.1.get(env)?, of.2.get(env)?);
                return of.0.of(x, y, env);
            }
            Rich::Pair(of) => Value::Pair(Arc::new((of.0.get(env)?, of.1.get(env)?))),
            Rich::Listed(shape, items) => shape.collect(all(items, env)?),
            Rich::Sequence(shape, items) => sequence::from_items(shape, all(items, env)?),
            Rich::Record(fields) => Value::Record(all(fields, env)?.into()),
            Rich::Field(record, i, _) => match record.get(env)? {
                Value::Record(fields) => fields[*i].clone(),
                other => unreachable!("not a record: {other:?}"),
            },
            Rich::Construct(_, number, of) => Value::Free(Arc::new((*number, Some(of.get(env)?)))),
            Rich::If(of) => {
                return if of.0.holds(env)? { of.1.get(env) } else { of.2.get(env) };
            }
            Rich::Wide(wide, words) => return wide.value(*words, env),
            Rich::Assigned(slot, span) => {
                if !env.defined[slot.index] {
                    let kind = FaultKind::ReadBeforeWritten(Cell::Local(slot.id()));
                    return Err(env.fault(kind, *span, []));
                }
                slot.get(env)
            }
            Rich::Those(of, keep) => {
                let (shape, set, belongs) = &**of;
                let set = set.get(env)?;
                let mut kept = Vec::new();
                for v in shape.members(&set) {
                    env.tick()?;
                    if belongs.holds(env, &v)? == *keep {
                        kept.push(v);
                    }
                }
                shape.collect(kept)
            }
            Rich::Restricted(of, left, keep) => {
                let (shape, r, belongs) = &**of;
                let (r, pairs) = (r.get(env)?, shape.element());
                let mut kept = Vec::new();
                for v in shape.members(&r) {
                    let (x, y) = pairs.split(&v);
                    if belongs.holds(env, if *left { &x } else { &y })? == *keep {
                        kept.push(v);
                    }
                }
                shape.collect(kept)
            }
            Rich::Let(of) => {
                of.0.bind(env)?;
                return of.1.get(env);
            }
            Rich::PartOfClosure(of) => return of.get(env),
            Rich::Applied(of) => {
                of.enter(env)?;
                return of.body.get(env);
            }
            Rich::Remembered(f) | Rich::Run(f) => return f(env),
        })
    }

    /// The same as a word, of a shape whose values are words.
    ///
    /// # Errors
    /// As for [`Rich::get`]; or the integer has more than 64 bits.
    #[inline]
    pub fn as_word(&self, env: &mut Env) -> Result<u64, Raised> {
        Ok(lower(&self.get(env)?)?)
    }
}

fn all(items: &[Rich], env: &mut Env) -> Result<Vec<Value>, Stop> {
    items.iter().map(|item| item.get(env)).collect()
}

/// A value, and what gets it.
pub struct RichWrite {
    pub to: To,
    pub of: Rich,
}

/// What gets a value.
pub enum To {
    Variable(VarId, Arc<Layout>),
    /// The written half of a local that is no word.
    Local(u32),
}

impl RichWrite {
    /// Writes into the frame.
    ///
    /// # Errors
    /// The value is not there.
    pub fn run(&self, env: &mut Env) -> Result<(), Stop> {
        let value = self.of.get(env)?;
        match &self.to {
            To::Variable(id, layout) => {
                layout.write(*id, &mut env.next, &value, &mut env.interner);
            }
            To::Local(index) => {
                let at = *index as usize + env.locals;
                env.values[at] = value;
                env.defined[at] = true;
            }
        }
        Ok(())
    }

    /// The same, as closures take it.
    pub fn as_fn(self: &Arc<Self>) -> WriteFn {
        let write = self.clone();
        Arc::new(move |env| write.run(env))
    }
}
