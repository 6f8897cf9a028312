//! Sequences: functions from `1..n`, held as the sorted list or the table of their pairs.
//!
//! All shapes named `seq` are shapes of sets of pairs with an integer on the left; such a shape is
//! always [`Shape::Set`] of [`Shape::Pair`], so the items of a sequence lie in order in its list and
//! every operator is linear.

use super::pairs::{List, numbered};
use super::rows::{Rep, rep};
use super::set::increasing;
use super::shape::Shape;
use super::value::Value;
use std::ops::Range;
use std::sync::Arc;

/// Why an operator on sequences has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SequenceError {
    /// The domain is not `1..n`, or not functional.
    NotSequence,
    /// `first`, `last`, `front`, `tail` of the empty sequence.
    Empty,
    /// `s /|\ n` or `s \|/ n` with `n` outside `0..size(s)`.
    OutOfRange,
}

/// The sequence of these items.
pub fn from_items(seq: &Shape, items: Vec<Value>) -> Value {
    debug_assert!(matches!(seq, Shape::Set(_)));
    Value::set((1i64..).zip(items).map(|(i, item)| pair(i, item)).collect())
}

fn pair(position: i64, item: Value) -> Value {
    Value::Pair(Arc::new((Value::Int(position), item)))
}

/// A sequence: the pairs, which lie in the order of its items.
#[derive(Clone, Copy)]
struct Items<'a>(List<'a>);

impl<'a> Items<'a> {
    /// Reads a set of pairs; `None` where that is no sequence: its domain is not `1..n`, or it is not functional.
    fn of(seq: &Shape, v: &'a Value) -> Option<Items<'a>> {
        let Rep::List(list) = rep(seq, v) else { return None };
        list.is_numbered().then_some(Items(list))
    }

    fn required(seq: &Shape, v: &'a Value) -> Result<Items<'a>, SequenceError> {
        Items::of(seq, v).ok_or(SequenceError::NotSequence)
    }

    fn some(seq: &Shape, v: &'a Value) -> Result<Items<'a>, SequenceError> {
        match Items::required(seq, v)? {
            none if none.len() == 0 => Err(SequenceError::Empty),
            items => Ok(items),
        }
    }

    fn len(self) -> usize {
        self.0.len()
    }

    fn get(self, i: usize) -> Value {
        self.0.right(i)
    }

    fn iter(self) -> impl DoubleEndedIterator<Item = Value> {
        self.0.all().map(move |i| self.get(i))
    }

    /// The sequence of some of them, in their order.
    fn part(self, range: Range<usize>) -> Value {
        numbered(&[(self.0, range)])
    }
}

/// The items, where this is a sequence: its domain is `1..n` and it is functional.
pub fn items(seq: &Shape, v: &Value) -> Option<Vec<Value>> {
    Items::of(seq, v).map(|items| items.iter().collect())
}

pub fn is_sequence(seq: &Shape, v: &Value) -> bool {
    Items::of(seq, v).is_some()
}

pub fn is_injective_sequence(seq: &Shape, v: &Value) -> bool {
    let Some(items) = items(seq, v) else { return false };
    let count = items.len();
    increasing(items).len() == count
}

/// Whether `v` is a sequence of members of the set `s`.
pub fn is_sequence_over(seq: &Shape, v: &Value, s: &Value) -> bool {
    Items::of(seq, v).is_some_and(|items| items.iter().all(|x| Shape::Integer.contains(s, &x)))
}

/// Whether `v : perm(s)`: an injective sequence whose items are exactly the members of `s`.
pub fn is_permutation_of(seq: &Shape, v: &Value, s: &Value) -> bool {
    Items::of(seq, v).is_some_and(|items| items.len() == Shape::Integer.card(s))
        && is_sequence_over(seq, v, s)
        && is_injective_sequence(seq, v)
}

/// `size(s)`
pub fn size(seq: &Shape, v: &Value) -> Result<usize, SequenceError> {
    Items::required(seq, v).map(Items::len)
}

/// `a ^ b`
pub fn concat(seq: &Shape, a: &Value, b: &Value) -> Result<Value, SequenceError> {
    let (x, y) = (Items::required(seq, a)?, Items::required(seq, b)?);
    if x.len() == 0 {
        return Ok(b.clone());
    }
    if y.len() == 0 {
        return Ok(a.clone());
    }
    Ok(numbered(&[(x.0, x.0.all()), (y.0, y.0.all())]))
}

/// `a <- x`
pub fn append(seq: &Shape, a: &Value, x: Value) -> Result<Value, SequenceError> {
    let items = Items::required(seq, a)?;
    let next = items.len() as i64 + 1;
    Ok(items.0.followed_by(next, &x).unwrap_or_else(|| seq.insert(a, pair(next, x))))
}

/// `x -> a`
pub fn prepend(seq: &Shape, x: Value, a: &Value) -> Result<Value, SequenceError> {
    let items = Items::required(seq, a)?;
    let first = Value::set(vec![pair(1, x)]);
    let Rep::List(one) = rep(seq, &first) else { return Err(SequenceError::NotSequence) };
    Ok(numbered(&[(one, 0..1), (items.0, items.0.all())]))
}

/// `rev(a)`
pub fn reverse(seq: &Shape, a: &Value) -> Result<Value, SequenceError> {
    Ok(from_items(seq, Items::required(seq, a)?.iter().rev().collect()))
}

/// The length of `conc(a)`, if it is defined: the lengths of the inner sequences, added up.
pub fn total_length(outer: &Shape, seq: &Shape, a: &Value) -> usize {
    let element = outer.element();
    outer.members(a).map(|pair| seq.card(&element.split(&pair).1)).sum()
}

/// `conc(a)`, of a sequence of sequences; `seq` is the shape of the inner ones.
pub fn conc(outer: &Shape, seq: &Shape, a: &Value) -> Result<Value, SequenceError> {
    let mut all = Vec::new();
    for inner in Items::required(outer, a)?.iter() {
        all.extend(Items::required(seq, &inner)?.iter());
    }
    Ok(from_items(seq, all))
}

/// `first(a)`
pub fn first(seq: &Shape, a: &Value) -> Result<Value, SequenceError> {
    Items::some(seq, a).map(|items| items.get(0))
}

/// `last(a)`
pub fn last(seq: &Shape, a: &Value) -> Result<Value, SequenceError> {
    Items::some(seq, a).map(|items| items.get(items.len() - 1))
}

/// `front(a)`: all but the last.
pub fn front(seq: &Shape, a: &Value) -> Result<Value, SequenceError> {
    Items::some(seq, a).map(|items| items.part(0..items.len() - 1))
}

/// `tail(a)`: all but the first.
pub fn tail(seq: &Shape, a: &Value) -> Result<Value, SequenceError> {
    Items::some(seq, a).map(|items| items.part(1..items.len()))
}

/// `a /|\ n`: the first `n` items.
pub fn take(seq: &Shape, a: &Value, n: &Value) -> Result<Value, SequenceError> {
    let items = Items::required(seq, a)?;
    let n = position(items, n)?;
    if n == items.len() {
        return Ok(a.clone());
    }
    Ok(items.part(0..n))
}

/// `a \|/ n`: all but the first `n` items.
pub fn drop(seq: &Shape, a: &Value, n: &Value) -> Result<Value, SequenceError> {
    let items = Items::required(seq, a)?;
    let n = position(items, n)?;
    if n == 0 {
        return Ok(a.clone());
    }
    Ok(items.part(n..items.len()))
}

fn position(items: Items, n: &Value) -> Result<usize, SequenceError> {
    match n {
        Value::Int(n) => usize::try_from(*n).ok().filter(|n| *n <= items.len()),
        _ => None,
    }
    .ok_or(SequenceError::OutOfRange)
}
