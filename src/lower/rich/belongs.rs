//! Membership by structure: whether a value belongs to a set that is not built.

use super::super::code::{Binder, TestFn};
use super::super::env::{Env, graver, undecided};
use super::super::stop::Stop;
use super::super::test::Test;
use super::Rich;
use super::closure::Closure;
use crate::machine::FreeId;
use crate::value::relation::{self, Arrow};
use crate::value::{Shape, Value, sequence};

/// What has to be true of a value for it to be in a set.
pub enum Belongs {
    /// The set is all of its type.
    Always,
    /// Integers from one number on, and, where that is there, up to another one.
    Number(i64, Option<i64>),
    /// `a..b`
    Between(Box<(Rich, Rich)>),
    /// It is a member of this set, of this shape, which is built.
    In(Shape, Rich),
    /// It is a pair of this closure, which is not built.
    Closure(Box<Closure>),
    /// It is one of these, all of which are evaluated.
    Listed(Box<[Rich]>),
    /// It is a set within this one, which is built.
    Within(Shape, Rich),
    /// It is a set of this shape, whose members belong.
    Members(Shape, Box<Belongs>),
    /// It is a set of this shape that is not empty, and is what is asked.
    NotEmpty(Shape, Box<Belongs>),
    /// The sides of a pair of this shape belong.
    Sides(Shape, Box<(Belongs, Belongs)>),
    Either(Box<(Belongs, Belongs)>),
    /// It belongs to the first set, and to the second one, or, where that is false, not to that.
    Both(Box<(Belongs, Belongs)>, bool),
    Record(Box<[Belongs]>),
    /// It was made by this constructor.
    Made(FreeId, u32),
    /// It is a relation of this shape, a function of this kind between two sets, which are built.
    Arrow(Box<(Shape, Arrow, Rich, Rich)>),
    Sequence(Box<Sequences>),
    /// `{x | P}`
    Solution(Box<(Binder, Test)>),
    /// `%x.(P | E)`, of pairs of this shape
    Image(Box<(Shape, Binder, Test, Rich)>),
    If(Box<(Test, Belongs, Belongs)>),
    Run(TestFn),
}

/// Sequences over a set.
pub struct Sequences {
    pub shape: Shape,
    pub items: Belongs,
    pub not_empty: bool,
    pub injective: bool,
    /// The set, with its shape, whose members are all there.
    pub all_of: Option<(Shape, Rich)>,
}

impl Belongs {
    /// What has no lowered form.
    pub fn run(
        f: impl Fn(&mut Env, &Value) -> Result<bool, Stop> + Send + Sync + 'static,
    ) -> Belongs {
        Belongs::Run(Box::new(f))
    }

    /// The test, as closures take it.
    pub fn into_fn(self) -> TestFn {
        match self {
            Belongs::Run(f) => f,
            belongs => Box::new(move |env, x| belongs.holds(env, x)),
        }
    }

    /// # Errors
    /// Something in the set is undefined, unknown or too large, and decides.
    pub fn holds(&self, env: &mut Env, x: &Value) -> Result<bool, Stop> {
        Ok(match self {
            Belongs::Always => true,
            Belongs::Number(low, high) => {
                *x >= Value::Int(*low) && high.is_none_or(|high| *x <= Value::Int(high))
            }
            Belongs::Between(of) => {
                let (low, high) = (of.0.get(env)?, of.1.get(env)?);
                low <= *x && *x <= high
            }
            Belongs::In(shape, set) => shape.contains(&set.get(env)?, x),
            Belongs::Closure(closure) => return closure.has(env, x),
            Belongs::Listed(items) => {
                let mut found = false;
                for item in items {
                    found |= item.get(env)? == *x;
                }
                found
            }
            Belongs::Within(shape, set) => shape.is_subset(x, &set.get(env)?),
            Belongs::Members(shape, of) => return every(of, env, shape.members(x)),
            Belongs::NotEmpty(shape, of) => !shape.is_empty(x) && of.holds(env, x)?,
            Belongs::Sides(pairs, of) => {
                let (left, right) = pairs.split(x);
                return first_of(env, false, (&of.0, &left), (&of.1, &right), true);
            }
            Belongs::Either(of) => return first_of(env, true, (&of.0, x), (&of.1, x), true),
            Belongs::Both(of, truth) => {
                return first_of(env, false, (&of.0, x), (&of.1, x), *truth);
            }
            Belongs::Record(fields) => {
                let Value::Record(values) = x else { return Ok(false) };
                for (field, value) in fields.iter().zip(values.iter()) {
                    if !field.holds(env, value)? {
                        return Ok(false);
                    }
                }
                true
            }
            Belongs::Made(_, number) => matches!(x, Value::Free(made) if made.0 == *number),
            Belongs::Arrow(of) => {
                let (shape, arrow, from, to) = &**of;
                let (from, to) = (from.get(env)?, to.get(env)?);
                relation::has_arrow(shape, x, *arrow, &from, &to)
            }
            Belongs::Sequence(of) => return of.hold(env, x),
            Belongs::Solution(of) => {
                of.0.bind(env, x.clone())?;
                of.1.holds(env)?
            }
            Belongs::Image(of) => {
                let (pairs, binder, test, body) = &**of;
                let (argument, result) = pairs.split(x);
                binder.bind(env, argument)?;
                test.holds(env)? && body.get(env)? == result
            }
            Belongs::If(of) => {
                return if of.0.holds(env)? { of.1.holds(env, x) } else { of.2.holds(env, x) };
            }
            Belongs::Run(f) => return f(env, x),
        })
    }

    /// Whether the set of one side of a relation's pairs belongs: it is built where it is asked for as a whole.
    ///
    /// # Errors
    /// As for [`Belongs::holds`].
    pub fn holds_of_side(
        &self,
        env: &mut Env,
        each: impl Iterator<Item = Value>,
        whole: impl FnOnce() -> Value,
    ) -> Result<bool, Stop> {
        match self {
            Belongs::Always => Ok(true),
            Belongs::Members(_, of) => every(of, env, each),
            belongs => belongs.holds(env, &whole()),
        }
    }

    /// Evaluates what the set is made of, as far as that does not depend on a member: where none is asked
    /// for, an undefined set is not hidden.
    ///
    /// # Errors
    /// It is undefined, unknown or too large.
    fn look(&self, env: &mut Env) -> Result<(), Stop> {
        let both = |env: &mut Env, of: &(Belongs, Belongs)| {
            of.0.look(env)?;
            of.1.look(env)
        };
        match self {
            Belongs::Between(of) => {
                of.0.get(env)?;
                of.1.get(env)?;
            }
            Belongs::In(_, set) | Belongs::Within(_, set) => drop(set.get(env)?),
            Belongs::Listed(items) => {
                for item in items {
                    item.get(env)?;
                }
            }
            Belongs::Members(_, of) | Belongs::NotEmpty(_, of) => of.look(env)?,
            Belongs::Sides(_, of) | Belongs::Either(of) | Belongs::Both(of, _) => both(env, of)?,
            Belongs::Record(fields) => {
                for field in fields {
                    field.look(env)?;
                }
            }
            Belongs::Arrow(of) => {
                of.2.get(env)?;
                of.3.get(env)?;
            }
            Belongs::Sequence(of) => of.items.look(env)?,
            Belongs::If(of) => {
                let of = &**of;
                return if of.0.holds(env)? { of.1.look(env) } else { of.2.look(env) };
            }
            Belongs::Always
            | Belongs::Number(..)
            | Belongs::Closure(_)
            | Belongs::Made(..)
            | Belongs::Solution(_)
            | Belongs::Image(_)
            | Belongs::Run(_) => {}
        }
        Ok(())
    }
}

/// What all of these have to be. An undefined or unknown one counts only where no other one decides.
fn every(of: &Belongs, env: &mut Env, members: impl Iterator<Item = Value>) -> Result<bool, Stop> {
    let mut members = members.peekable();
    if members.peek().is_none() {
        of.look(env)?;
        return Ok(true);
    }
    let mut open = None;
    for member in members {
        match of.holds(env, &member) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(stop @ (Stop::Fault(_) | Stop::Cut(_))) => {
                let own = (stop, env.fault.take());
                open = Some(graver(open, own));
            }
            Err(stop) => return Err(stop),
        }
    }
    undecided(env, open, true)
}

/// Two conditions of which the first that is `decisive` decides, whatever the other; an undefined
/// or unknown one counts only when neither is. Of the second one the opposite is asked where `truth` is false.
fn first_of(
    env: &mut Env,
    decisive: bool,
    (first, x): (&Belongs, &Value),
    (second, y): (&Belongs, &Value),
    truth: bool,
) -> Result<bool, Stop> {
    let second = |env: &mut Env| Ok(second.holds(env, y)? == truth);
    match first.holds(env, x) {
        Ok(truth) if truth == decisive => Ok(decisive),
        Ok(_) => second(env),
        Err(stop @ (Stop::Fault(_) | Stop::Cut(_))) => {
            let first = (stop, env.fault.take());
            match second(env) {
                Ok(truth) if truth == decisive => Ok(decisive),
                Ok(_) => undecided(env, Some(first), !decisive),
                Err(stop @ (Stop::Fault(_) | Stop::Cut(_))) => {
                    let second = (stop, env.fault.take());
                    undecided(env, Some(graver(Some(first), second)), !decisive)
                }
                Err(stop) => Err(stop),
            }
        }
        Err(stop) => Err(stop),
    }
}

impl Sequences {
    fn hold(&self, env: &mut Env, s: &Value) -> Result<bool, Stop> {
        let Some(items) = sequence::items(&self.shape, s) else { return Ok(false) };
        if self.not_empty && items.is_empty() {
            return Ok(false);
        }
        if items.is_empty() {
            self.items.look(env)?;
        }
        for item in &items {
            if !self.items.holds(env, item)? {
                return Ok(false);
            }
        }
        if self.injective && !sequence::is_injective_sequence(&self.shape, s) {
            return Ok(false);
        }
        match &self.all_of {
            Some((shape, all)) => Ok(shape.card(&all.get(env)?) == items.len()),
            None => Ok(true),
        }
    }
}
