//! Pictures of values that are not known yet.

use crate::constraint::claim::Poster;
use crate::constraint::literal::{Linear, Lit};
use crate::constraint::store::{INFINITE, Store, Var};
use crate::value::{IndexKind, Shape, Value};
use num_traits::Signed;
use std::rc::Rc;

/// What a set may have as members, in order, each with the literal that it is one.
pub type Candidates = Vec<(Value, Lit)>;

/// A value of B as far as it is known.
#[derive(Clone, PartialEq, Debug)]
pub enum Object {
    Known(Value),
    Number(Linear),
    /// The index of a member of a finite universe that is no boolean, pair or set.
    Index(Var),
    Truth(Lit),
    Pair(Rc<(Object, Object)>),
    Record(Rc<[Object]>),
    /// The candidates, in order, each with the literal that it is a member.
    Set(Rc<[(Value, Lit)]>),
    Function(Rc<[Point]>),
    /// The set of those of which the literal is true; they need not be different.
    Listed(Rc<[(Lit, Object)]>),
    /// One of these, by number.
    OneOf(Var, Rc<[Value]>),
}

/// A point of a function: functions have one value at most there.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    pub at: Value,
    /// The function is defined here.
    pub defined: Lit,
    pub value: Object,
}

/// A variable that the search gives a value, unless the literal is false: then it does not matter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    pub matters: Lit,
    pub var: Var,
}

impl Object {
    pub fn pair(left: Object, right: Object) -> Object {
        Object::Pair(Rc::new((left, right)))
    }

    /// The value, once all variables that matter have theirs.
    pub fn value(&self, shape: &Shape, store: &Store) -> Option<Value> {
        let holds = |lit: &Lit| store.truth(*lit);
        Some(match self {
            Object::Known(value) => value.clone(),
            Object::Number(sum) => Value::Int(sum.value(store)?),
            Object::Index(var) => Value::Word(store.value(*var)? as u64),
            Object::Truth(lit) => Value::bool(holds(lit)?),
            Object::Pair(sides) => {
                let (left, right) = shape.sides();
                shape.pair(sides.0.value(&left, store)?, sides.1.value(&right, store)?)
            }
            Object::Record(fields) => {
                let Shape::Record(shapes) = shape else { return None };
                let values = fields.iter().zip(shapes.iter()).map(|(f, s)| f.value(s, store));
                Value::Record(values.collect::<Option<_>>()?)
            }
            Object::Set(candidates) => {
                let mut members = Vec::new();
                for (value, lit) in candidates.iter() {
                    if holds(lit)? {
                        members.push(value.clone());
                    }
                }
                shape.collect(members)
            }
            Object::Function(points) => {
                let pairs = shape.element();
                let (_, right) = pairs.sides();
                let mut members = Vec::new();
                for point in points.iter() {
                    if holds(&point.defined)? {
                        let value = point.value.value(&right, store)?;
                        members.push(pairs.pair(point.at.clone(), value));
                    }
                }
                shape.collect(members)
            }
            Object::Listed(items) => {
                let element = shape.element();
                let mut members = Vec::new();
                for (lit, item) in items.iter() {
                    if holds(lit)? {
                        members.push(item.value(&element, store)?);
                    }
                }
                shape.collect(members)
            }
            Object::OneOf(var, values) => values[store.value(*var)? as usize].clone(),
        })
    }

    /// The variables that its value depends on.
    pub fn choices(&self, matters: Lit, out: &mut Vec<Choice>) {
        let mut add = |var: Option<Var>| out.extend(var.map(|var| Choice { matters, var }));
        match self {
            Object::Known(_) => {}
            Object::Number(sum) => sum.terms.iter().for_each(|(_, var)| add(Some(*var))),
            Object::Index(var) | Object::OneOf(var, _) => add(Some(*var)),
            Object::Truth(lit) => add(lit.var()),
            Object::Pair(sides) => {
                sides.0.choices(matters, out);
                sides.1.choices(matters, out);
            }
            Object::Record(fields) => fields.iter().for_each(|f| f.choices(matters, out)),
            Object::Set(candidates) => candidates.iter().for_each(|(_, lit)| add(lit.var())),
            Object::Function(points) => {
                for point in points.iter() {
                    out.extend(point.defined.var().map(|var| Choice { matters, var }));
                    point.value.choices(point.defined, out);
                }
            }
            Object::Listed(items) => {
                for (lit, item) in items.iter() {
                    out.extend(lit.var().map(|var| Choice { matters, var }));
                    item.choices(*lit, out);
                }
            }
        }
    }

    /// The number, of a known integer that is told apart.
    pub fn as_linear(&self) -> Option<Linear> {
        match self {
            Object::Number(sum) => Some(sum.clone()),
            Object::Known(Value::Int(n)) => Linear::default().plus(1, &Linear::constant(*n)),
            _ => None,
        }
    }

    pub fn as_lit(&self) -> Option<Lit> {
        match self {
            Object::Truth(lit) => Some(*lit),
            Object::Known(value) => Some(Lit::known(*value == Value::TRUE)),
            _ => None,
        }
    }

    /// Both sides, of a pair.
    pub fn sides(&self, shape: &Shape) -> Option<(Object, Object)> {
        match self {
            Object::Pair(sides) => Some((**sides).clone()),
            Object::Known(value) => {
                let (left, right) = shape.split(value);
                Some((Object::Known(left), Object::Known(right)))
            }
            _ => None,
        }
    }
}

/// Whether values of this shape have a number each: one variable says which.
pub fn is_scalar(shape: &Shape) -> bool {
    match shape {
        Shape::Integer => true,
        Shape::Index(u) => matches!(u.kind, IndexKind::Bool | IndexKind::Element(_)),
        _ => false,
    }
}

/// The number of a scalar.
pub fn number_of(value: &Value) -> Option<i64> {
    match value {
        Value::Int(n) => Some(*n),
        Value::Word(w) => i64::try_from(*w).ok(),
        _ => None,
    }
}

/// A scalar as a sum: the index of a member, 0 or 1 for a boolean.
pub fn scalar(object: &Object, shape: &Shape, poster: &mut Poster) -> Option<Linear> {
    if !is_scalar(shape) {
        return None;
    }
    match object {
        Object::Known(value) => Linear::default().plus(1, &Linear::constant(number_of(value)?)),
        Object::Number(sum) => Some(sum.clone()),
        Object::Index(var) => Some(Linear::var(*var)),
        Object::Truth(lit) => Some(poster.number(*lit)),
        _ => None,
    }
}

/// The object of a scalar that has the value of a variable.
pub fn of_scalar(var: Var, shape: &Shape) -> Object {
    match shape {
        Shape::Integer => Object::Number(Linear::var(var)),
        Shape::Index(u) if u.kind == IndexKind::Bool => Object::Truth(Lit::Is(var, 1)),
        _ => Object::Index(var),
    }
}

/// The value of a scalar's number.
pub fn scalar_value(number: i64, shape: &Shape) -> Value {
    match shape {
        Shape::Integer => Value::Int(number),
        _ => Value::Word(number as u64),
    }
}

/// Whether values of this shape are pairs.
pub fn is_pairs(shape: &Shape) -> bool {
    match shape {
        Shape::Pair(_) => true,
        Shape::Index(u) => matches!(u.kind, IndexKind::Pair(..)),
        _ => false,
    }
}

/// Whether values of this shape are sets.
pub fn is_sets(shape: &Shape) -> bool {
    match shape {
        Shape::Set(_) | Shape::Bits(_) => true,
        Shape::Index(u) => matches!(u.kind, IndexKind::Subset(_)),
        _ => false,
    }
}

/// Whether a number is known that no variable reaches; then, whether it is above them all.
pub fn far(number: &Object) -> Option<bool> {
    match number {
        Object::Known(Value::Int(n)) => (n.unsigned_abs() >= INFINITE as u64).then_some(*n > 0),
        Object::Known(Value::Big(n)) => Some(n.is_positive()),
        _ => None,
    }
}
