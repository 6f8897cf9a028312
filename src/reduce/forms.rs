//! Values with their symmetric elements replaced: what is left of a value when elements lose their
//! names.
//!
//! The result is a [`Value`], to be compared and ordered with results from the same shape only: a
//! replaced element is an integer, a set is the sorted list of the forms of its members, which may
//! hold equal ones (the canonical form of the tree isomorphism problem). It is invariant: when the
//! replacement of elements is, the form does not change when the value is permuted.

use super::Interrupted;
use crate::clock;
use crate::symmetry::group::Group;
use crate::symmetry::plan::{moves, universe_moves};
use crate::value::{Index, IndexKind, Shape, Value};
use std::sync::Arc;

/// The form of a value, with every movable element's point replaced by a number.
pub fn form(
    group: &Group,
    shape: &Shape,
    value: &Value,
    by: &dyn Fn(u32) -> i64,
) -> Result<Value, Interrupted> {
    if !moves(group, shape) {
        return Ok(value.clone());
    }
    clock::spend(1)?;
    Ok(match (shape, value) {
        (Shape::Index(u), _) => index(group, u, value.word(), by),
        (Shape::Bits(u), _) => {
            let members = shape.members(value).map(|m| {
                clock::tick()?;
                Ok(index(group, u, m.word(), by))
            });
            multiset(members.collect::<Result<_, Interrupted>>()?)
        }
        (Shape::Set(e), _) => {
            let members = shape.members(value).map(|m| form(group, e, &m, by));
            multiset(members.collect::<Result<_, _>>()?)
        }
        (Shape::Pair(p), Value::Pair(v)) => {
            pair(form(group, &p.0, &v.0, by)?, form(group, &p.1, &v.1, by)?)
        }
        (Shape::Record(fs), Value::Record(vs)) => {
            let fields = fs.iter().zip(vs.iter()).map(|(f, v)| form(group, f, v, by));
            Value::Record(fields.collect::<Result<_, _>>()?)
        }
        _ => value.clone(),
    })
}

/// The form with all movable elements alike.
pub fn blank(group: &Group, shape: &Shape, value: &Value) -> Result<Value, Interrupted> {
    form(group, shape, value, &|_| 0)
}

fn index(group: &Group, universe: &Arc<Index>, word: u64, by: &dyn Fn(u32) -> i64) -> Value {
    if !universe_moves(group, universe) {
        return Value::Word(word);
    }
    match &universe.kind {
        IndexKind::Bool => Value::Word(word),
        IndexKind::Element(set) => match group.point(*set, word) {
            Some(point) => Value::Int(by(point)),
            None => Value::Word(word),
        },
        IndexKind::Pair(l, r) => {
            let n = r.size as u64;
            pair(index(group, l, word / n, by), index(group, r, word % n, by))
        }
        IndexKind::Subset(of) => {
            let mut members = Vec::with_capacity(word.count_ones() as usize);
            let mut rest = word;
            while rest != 0 {
                members.push(index(group, of, rest.trailing_zeros() as u64, by));
                rest &= rest - 1;
            }
            multiset(members)
        }
    }
}

pub fn pair(left: Value, right: Value) -> Value {
    Value::Pair(Arc::new((left, right)))
}

/// A sorted list, with equal members kept.
pub fn multiset(mut members: Vec<Value>) -> Value {
    members.sort_unstable();
    Value::Set(members.into())
}

/// A list in the order given.
pub fn list(members: Vec<Value>) -> Value {
    Value::Record(members.into())
}

/// Bytes that a value holds, roughly: what its parts take on the heap and itself.
pub fn bytes(value: &Value) -> usize {
    const COUNTS: usize = 16;
    size_of::<Value>()
        + match value {
            Value::Int(_) | Value::Word(_) | Value::Real(_) => 0,
            Value::Big(n) => COUNTS + (n.bits() / 8) as usize,
            Value::Bits(words) => COUNTS + 8 * words.len(),
            Value::String(text) => COUNTS + text.len(),
            Value::Pair(p) => COUNTS + bytes(&p.0) + bytes(&p.1),
            Value::Set(list) | Value::Record(list) => {
                COUNTS + list.iter().map(bytes).sum::<usize>()
            }
            Value::Table(_, cells) => COUNTS + 8 * cells.len(),
            Value::Symbolic(s) => COUNTS + s.1.iter().map(bytes).sum::<usize>(),
            Value::Free(f) => COUNTS + 8 + f.1.as_ref().map_or(0, bytes),
        }
}
