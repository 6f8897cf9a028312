//! Sequences: functions from `1..n`, held as the sorted list of their pairs.
//!
//! All shapes named `seq` are shapes of sets of pairs with an integer on the left; such a shape is
//! always [`Shape::Set`] of [`Shape::Pair`], so the items of a sequence lie in order in its list and
//! every operator is linear.

use super::shape::Shape;
use super::value::Value;
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
    Value::Set(numbered(items).collect())
}

fn numbered(items: Vec<Value>) -> impl Iterator<Item = Value> {
    (1i64..).zip(items).map(|(i, item)| Value::Pair(Arc::new((Value::Int(i), item))))
}

/// The items, where this is a sequence: its domain is `1..n` and it is functional.
pub fn items(seq: &Shape, v: &Value) -> Option<Vec<Value>> {
    slice(seq, v).map(|pairs| pairs.iter().map(item).collect())
}

/// The pairs of a sequence, which lie in the order of its items.
fn slice<'a>(_seq: &Shape, v: &'a Value) -> Option<&'a [Value]> {
    let Value::Set(pairs) = v else { return None };
    let at = |(i, pair): (i64, &Value)| matches!(pair, Value::Pair(p) if p.0 == Value::Int(i));
    (1i64..).zip(pairs.iter()).all(at).then_some(&**pairs)
}

fn require<'a>(seq: &Shape, v: &'a Value) -> Result<&'a [Value], SequenceError> {
    slice(seq, v).ok_or(SequenceError::NotSequence)
}

fn require_some<'a>(seq: &Shape, v: &'a Value) -> Result<&'a [Value], SequenceError> {
    match require(seq, v)? {
        [] => Err(SequenceError::Empty),
        pairs => Ok(pairs),
    }
}

fn item(pair: &Value) -> Value {
    match pair {
        Value::Pair(p) => p.1.clone(),
        _ => unreachable!("not a pair: {pair:?}"),
    }
}

fn pair(position: usize, item: Value) -> Value {
    Value::Pair(Arc::new((Value::Int(position as i64), item)))
}

pub fn is_sequence(seq: &Shape, v: &Value) -> bool {
    slice(seq, v).is_some()
}

pub fn is_injective_sequence(seq: &Shape, v: &Value) -> bool {
    let Some(mut items) = items(seq, v) else { return false };
    items.sort_unstable();
    items.is_sorted_by(|a, b| a < b)
}

/// Whether `v` is a sequence of members of the set `s`.
pub fn is_sequence_over(seq: &Shape, v: &Value, s: &Value) -> bool {
    slice(seq, v).is_some_and(|p| p.iter().all(|p| Shape::Integer.contains(s, &item(p))))
}

/// Whether `v : perm(s)`: an injective sequence whose items are exactly the members of `s`.
pub fn is_permutation_of(seq: &Shape, v: &Value, s: &Value) -> bool {
    slice(seq, v).is_some_and(|pairs| pairs.len() == Shape::Integer.card(s))
        && is_sequence_over(seq, v, s)
        && is_injective_sequence(seq, v)
}

/// `size(s)`
pub fn size(seq: &Shape, v: &Value) -> Result<usize, SequenceError> {
    require(seq, v).map(<[Value]>::len)
}

/// `a ^ b`
pub fn concat(seq: &Shape, a: &Value, b: &Value) -> Result<Value, SequenceError> {
    let (x, y) = (require(seq, a)?, require(seq, b)?);
    if x.is_empty() {
        return Ok(b.clone());
    }
    if y.is_empty() {
        return Ok(a.clone());
    }
    let mut pairs = Vec::with_capacity(x.len() + y.len());
    pairs.extend_from_slice(x);
    pairs.extend(y.iter().zip(x.len() + 1..).map(|(p, i)| pair(i, item(p))));
    Ok(Value::Set(pairs.into()))
}

/// `a <- x`
pub fn append(seq: &Shape, a: &Value, x: Value) -> Result<Value, SequenceError> {
    let pairs = require(seq, a)?;
    Ok(Value::Set(pairs.iter().cloned().chain([pair(pairs.len() + 1, x)]).collect()))
}

/// `x -> a`
pub fn prepend(seq: &Shape, x: Value, a: &Value) -> Result<Value, SequenceError> {
    let mut all = vec![x];
    all.extend(require(seq, a)?.iter().map(item));
    Ok(from_items(seq, all))
}

/// `rev(a)`
pub fn reverse(seq: &Shape, a: &Value) -> Result<Value, SequenceError> {
    Ok(from_items(seq, require(seq, a)?.iter().rev().map(item).collect()))
}

/// The length of `conc(a)`, if it is defined: the lengths of the inner sequences, added up.
pub fn total_length(outer: &Shape, seq: &Shape, a: &Value) -> usize {
    let element = outer.element();
    outer.members(a).map(|pair| seq.card(&element.split(&pair).1)).sum()
}

/// `conc(a)`, of a sequence of sequences; `seq` is the shape of the inner ones.
pub fn conc(outer: &Shape, seq: &Shape, a: &Value) -> Result<Value, SequenceError> {
    let mut all = Vec::new();
    for inner in require(outer, a)? {
        all.extend(require(seq, &item(inner))?.iter().map(item));
    }
    Ok(from_items(seq, all))
}

/// `first(a)`
pub fn first(seq: &Shape, a: &Value) -> Result<Value, SequenceError> {
    require_some(seq, a).map(|pairs| item(&pairs[0]))
}

/// `last(a)`
pub fn last(seq: &Shape, a: &Value) -> Result<Value, SequenceError> {
    require_some(seq, a).map(|pairs| item(&pairs[pairs.len() - 1]))
}

/// `front(a)`: all but the last.
pub fn front(seq: &Shape, a: &Value) -> Result<Value, SequenceError> {
    require_some(seq, a).map(|pairs| Value::Set(pairs[..pairs.len() - 1].into()))
}

/// `tail(a)`: all but the first.
pub fn tail(seq: &Shape, a: &Value) -> Result<Value, SequenceError> {
    require_some(seq, a).map(|pairs| from_items(seq, pairs[1..].iter().map(item).collect()))
}

/// `a /|\ n`: the first `n` items.
pub fn take(seq: &Shape, a: &Value, n: &Value) -> Result<Value, SequenceError> {
    let pairs = require(seq, a)?;
    let n = position(pairs, n)?;
    if n == pairs.len() {
        return Ok(a.clone());
    }
    Ok(Value::Set(pairs[..n].into()))
}

/// `a \|/ n`: all but the first `n` items.
pub fn drop(seq: &Shape, a: &Value, n: &Value) -> Result<Value, SequenceError> {
    let pairs = require(seq, a)?;
    let n = position(pairs, n)?;
    if n == 0 {
        return Ok(a.clone());
    }
    Ok(from_items(seq, pairs[n..].iter().map(item).collect()))
}

fn position(pairs: &[Value], n: &Value) -> Result<usize, SequenceError> {
    match n {
        Value::Int(n) => usize::try_from(*n).ok().filter(|n| *n <= pairs.len()),
        _ => None,
    }
    .ok_or(SequenceError::OutOfRange)
}
