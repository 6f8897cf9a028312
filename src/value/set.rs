//! Sets: making them, walking them, and the operators on them, whatever their representation.
//!
//! All functions are methods of the *set's* shape.

use super::shape::{IndexKind, Shape};
use super::value::Value;
use smallvec::SmallVec;
use std::sync::Arc;

/// Walks the members of a set in increasing order.
pub enum Members {
    Word(u64),
    Bits { words: Arc<[u64]>, word: usize, rest: u64 },
    List { items: Arc<[Value]>, next: usize },
}

impl Iterator for Members {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        match self {
            Members::Word(bits) => {
                if *bits == 0 {
                    return None;
                }
                let i = bits.trailing_zeros();
                *bits &= *bits - 1;
                Some(Value::Word(i as u64))
            }
            Members::Bits { words, word, rest } => {
                while *rest == 0 {
                    *word += 1;
                    *rest = *words.get(*word)?;
                }
                let i = rest.trailing_zeros() as u64;
                *rest &= *rest - 1;
                Some(Value::Word(*word as u64 * 64 + i))
            }
            Members::List { items, next } => {
                let item = items.get(*next)?.clone();
                *next += 1;
                Some(item)
            }
        }
    }
}

/// The `n` lowest bits.
pub fn low_bits(n: u32) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}

impl Shape {
    pub fn empty(&self) -> Value {
        match self {
            Shape::Index(_) => Value::Word(0),
            Shape::Bits(u) => Value::Bits(vec![0; words_for(u.size)].into()),
            _ => Value::Set(Arc::from([])),
        }
    }

    /// The whole universe, of sets held as bits; `None` for sorted lists.
    pub fn universe(&self) -> Option<Value> {
        match self {
            Shape::Index(u) => match &u.kind {
                IndexKind::Subset(of) => Some(Value::Word(low_bits(of.size as u32))),
                _ => None,
            },
            Shape::Bits(u) => {
                let mut words = vec![u64::MAX; words_for(u.size)];
                let spare = words.len() as u32 * 64 - u.size as u32;
                if let Some(last) = words.last_mut() {
                    *last >>= spare;
                }
                Some(Value::Bits(words.into()))
            }
            _ => None,
        }
    }

    pub fn members(&self, set: &Value) -> Members {
        match set {
            Value::Word(w) => Members::Word(*w),
            Value::Bits(b) => {
                Members::Bits { rest: b.first().copied().unwrap_or(0), words: b.clone(), word: 0 }
            }
            Value::Set(s) => Members::List { items: s.clone(), next: 0 },
            _ => unreachable!("not a set: {set:?}"),
        }
    }

    /// The set of these members, in any order and with any repetitions.
    pub fn collect(&self, items: impl IntoIterator<Item = Value>) -> Value {
        match self {
            Shape::Index(_) => Value::Word(items.into_iter().fold(0, |w, v| w | 1 << v.word())),
            Shape::Bits(u) => {
                let mut words = vec![0u64; words_for(u.size)];
                for v in items {
                    let i = v.word();
                    words[(i / 64) as usize] |= 1 << (i % 64);
                }
                Value::Bits(words.into())
            }
            _ => Value::Set(increasing(items.into_iter().collect()).into()),
        }
    }

    pub fn contains(&self, set: &Value, item: &Value) -> bool {
        match set {
            Value::Word(w) => w >> item.word() & 1 == 1,
            Value::Bits(b) => {
                let i = item.word();
                b[(i / 64) as usize] >> (i % 64) & 1 == 1
            }
            Value::Set(s) => s.binary_search(item).is_ok(),
            _ => unreachable!("not a set: {set:?}"),
        }
    }

    /// Number of members.
    pub fn card(&self, set: &Value) -> usize {
        match set {
            Value::Word(w) => w.count_ones() as usize,
            Value::Bits(b) => b.iter().map(|w| w.count_ones() as usize).sum(),
            Value::Set(s) => s.len(),
            _ => unreachable!("not a set: {set:?}"),
        }
    }

    pub fn is_empty(&self, set: &Value) -> bool {
        match set {
            Value::Word(w) => *w == 0,
            Value::Bits(b) => b.iter().all(|w| *w == 0),
            Value::Set(s) => s.is_empty(),
            _ => unreachable!("not a set: {set:?}"),
        }
    }

    pub fn insert(&self, set: &Value, item: Value) -> Value {
        match set {
            Value::Word(w) => Value::Word(w | 1 << item.word()),
            Value::Bits(b) => {
                let mut words = b.to_vec();
                let i = item.word();
                words[(i / 64) as usize] |= 1 << (i % 64);
                Value::Bits(words.into())
            }
            Value::Set(s) => match s.binary_search(&item) {
                Ok(_) => set.clone(),
                Err(at) => {
                    let mut list = Vec::with_capacity(s.len() + 1);
                    list.extend_from_slice(&s[..at]);
                    list.push(item);
                    list.extend_from_slice(&s[at..]);
                    Value::Set(list.into())
                }
            },
            _ => unreachable!("not a set: {set:?}"),
        }
    }

    pub fn union(&self, a: &Value, b: &Value) -> Value {
        match (a, b) {
            (Value::Word(x), Value::Word(y)) => Value::Word(x | y),
            (Value::Bits(x), Value::Bits(y)) => zip(x, y, |p, q| p | q),
            (Value::Set(x), Value::Set(y)) => merge(a, x, b, y, true, true, true),
            _ => unreachable!("not sets of one shape: {a:?}, {b:?}"),
        }
    }

    pub fn intersection(&self, a: &Value, b: &Value) -> Value {
        match (a, b) {
            (Value::Word(x), Value::Word(y)) => Value::Word(x & y),
            (Value::Bits(x), Value::Bits(y)) => zip(x, y, |p, q| p & q),
            (Value::Set(x), Value::Set(y)) => merge(a, x, b, y, false, true, false),
            _ => unreachable!("not sets of one shape: {a:?}, {b:?}"),
        }
    }

    pub fn difference(&self, a: &Value, b: &Value) -> Value {
        match (a, b) {
            (Value::Word(x), Value::Word(y)) => Value::Word(x & !y),
            (Value::Bits(x), Value::Bits(y)) => zip(x, y, |p, q| p & !q),
            (Value::Set(x), Value::Set(y)) => merge(a, x, b, y, true, false, false),
            _ => unreachable!("not sets of one shape: {a:?}, {b:?}"),
        }
    }

    pub fn is_subset(&self, a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Word(x), Value::Word(y)) => x & !y == 0,
            (Value::Bits(x), Value::Bits(y)) => x.iter().zip(y.iter()).all(|(p, q)| p & !q == 0),
            (Value::Set(x), Value::Set(y)) => {
                x.len() <= y.len() && {
                    let mut rest = y.iter();
                    x.iter().all(|v| rest.by_ref().any(|w| w == v))
                }
            }
            _ => unreachable!("not sets of one shape: {a:?}, {b:?}"),
        }
    }

    /// A pair, of a shape of pairs.
    pub fn pair(&self, left: Value, right: Value) -> Value {
        match self {
            Shape::Index(u) => match &u.kind {
                IndexKind::Pair(_, r) => Value::Word(left.word() * r.size as u64 + right.word()),
                _ => unreachable!("not a shape of pairs: {self:?}"),
            },
            _ => Value::Pair(Arc::new((left, right))),
        }
    }

    /// Both sides of a pair, of a shape of pairs.
    pub fn split(&self, pair: &Value) -> (Value, Value) {
        match (self, pair) {
            (Shape::Index(u), Value::Word(w)) => match &u.kind {
                IndexKind::Pair(_, r) => {
                    let n = r.size as u64;
                    (Value::Word(w / n), Value::Word(w % n))
                }
                _ => unreachable!("not a shape of pairs: {self:?}"),
            },
            (_, Value::Pair(p)) => (p.0.clone(), p.1.clone()),
            _ => unreachable!("not a pair: {pair:?}"),
        }
    }
}

/// These values in increasing order, each once. Integers of one word are put in order as such, which takes a tenth
/// of the time.
pub(super) fn increasing(mut list: Vec<Value>) -> Vec<Value> {
    if list.is_sorted_by(|a, b| a < b) {
        return list;
    }
    let number = |value: &Value| match value {
        Value::Int(n) => Some(*n),
        _ => None,
    };
    match list.iter().map(number).collect::<Option<Vec<i64>>>() {
        Some(mut numbers) => {
            numbers.sort_unstable();
            numbers.dedup();
            numbers.into_iter().map(Value::Int).collect()
        }
        None => {
            list.sort_unstable();
            list.dedup();
            list
        }
    }
}

fn words_for(size: u128) -> usize {
    (size as usize).div_ceil(64)
}

fn zip(a: &[u64], b: &[u64], f: impl Fn(u64, u64) -> u64) -> Value {
    Value::Bits(a.iter().zip(b).map(|(x, y)| f(*x, *y)).collect())
}

/// Whether it pays to look these few members up in a list of so many, instead of walking through both.
fn are_few(few: usize, many: usize) -> bool {
    few * (many.checked_ilog2().unwrap_or(0) as usize + 1) < many
}

/// A list with a few members more (`right`), or with a few less (not `both`): those that are there and
/// stay, or are not there and are not wanted, change nothing.
fn edit(a: &Value, x: &[Value], few: &[Value], both: bool, right: bool) -> Value {
    let places = few.iter().map(|v| (x.binary_search(v), v));
    let changes = places.filter(|(place, _)| if place.is_ok() { !both } else { right });
    let changes: SmallVec<[(Result<usize, usize>, &Value); 4]> = changes.collect();
    match changes[..] {
        [] => return a.clone(),
        [(Ok(gone), _)] => {
            return Value::Set(x[..gone].iter().chain(&x[gone + 1..]).cloned().collect());
        }
        [(Err(before), value)] => {
            let (left, rest) = x.split_at(before);
            return Value::Set(left.iter().chain([value]).chain(rest).cloned().collect());
        }
        _ => {}
    }
    let (mut out, mut done) = (Vec::with_capacity(x.len() + few.len()), 0);
    for (place, value) in changes {
        match place {
            Ok(gone) => {
                out.extend_from_slice(&x[done..gone]);
                done = gone + 1;
            }
            Err(before) => {
                out.extend_from_slice(&x[done..before]);
                out.push(value.clone());
                done = before;
            }
        }
    }
    out.extend_from_slice(&x[done..]);
    Value::Set(out.into())
}

/// Merges two sorted lists, keeping what is only left, in both, only right. Gives one of the
/// arguments back unchanged where the result equals it.
fn merge(
    a: &Value,
    x: &[Value],
    b: &Value,
    y: &[Value],
    left: bool,
    both: bool,
    right: bool,
) -> Value {
    use std::cmp::Ordering::*;
    if left && are_few(y.len(), x.len()) {
        return edit(a, x, y, both, right);
    }
    if left && right && are_few(x.len(), y.len()) {
        return edit(b, y, x, both, right);
    }
    let (mut i, mut j) = (0, 0);
    let mut out = Vec::with_capacity(if right { x.len() + y.len() } else { x.len() });
    while i < x.len() && j < y.len() {
        match x[i].cmp(&y[j]) {
            Less => {
                if left {
                    out.push(x[i].clone());
                }
                i += 1;
            }
            Greater => {
                if right {
                    out.push(y[j].clone());
                }
                j += 1;
            }
            Equal => {
                if both {
                    out.push(x[i].clone());
                }
                i += 1;
                j += 1;
            }
        }
    }
    if left {
        out.extend_from_slice(&x[i..]);
    }
    if right {
        out.extend_from_slice(&y[j..]);
    }
    if out.as_slice() == x {
        return a.clone();
    }
    if out.as_slice() == y {
        return b.clone();
    }
    Value::Set(out.into())
}
