//! Sets: making them, walking them, and the operators on them, whatever their representation.
//!
//! All functions are methods of the *set's* shape.

use super::gathered::Gathered;
use super::lines::{Lines, Merged, Wanted};
use super::shape::{IndexKind, Shape};
use super::table::{self, Columns, Table};
use super::value::Value;
use std::borrow::Cow;
use std::sync::Arc;

/// Walks the members of a set in increasing order.
pub enum Members {
    Word(u64),
    Bits { words: Arc<[u64]>, word: usize, rest: u64 },
    List { items: Arc<[Value]>, next: usize },
    Rows { columns: Columns, cells: Arc<[i64]>, next: usize, last: Option<Arc<(Value, Value)>> },
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
            Members::Rows { columns, cells, next, last } => {
                let end = *next + columns.width();
                let row = columns.row(cells.get(*next..end)?);
                *next = end;
                Some(row.value_in(last))
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
            Value::Table(columns, cells) => {
                let (columns, cells) = (*columns, cells.clone());
                Members::Rows { columns, cells, next: 0, last: None }
            }
            _ => unreachable!("not a set: {set:?}"),
        }
    }

    /// The members of a set of words from one number on to another one, which is excluded, in increasing order.
    pub fn numbers_between(
        &self,
        set: &Value,
        from: u64,
        end: u64,
    ) -> impl Iterator<Item = u64> + use<> {
        let members = match set {
            Value::Word(w) => Members::Word(w & !low_bits(from.min(64) as u32)),
            Value::Bits(words) => {
                let word = (from / 64) as usize;
                let rest = words.get(word).map_or(0, |w| w & !low_bits((from % 64) as u32));
                Members::Bits { words: words.clone(), word, rest }
            }
            Value::Set(items) => {
                let next = items.partition_point(|item| item.word() < from);
                Members::List { items: items.clone(), next }
            }
            _ => unreachable!("not a set of words: {set:?}"),
        };
        members.map(|member| member.word()).take_while(move |number| *number < end)
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
            _ => Value::set_of(items.into_iter().collect()),
        }
    }

    /// The relation of these pairs, in any order and with any repetitions, of a shape of sets of pairs.
    pub fn collect_pairs(&self, pairs: impl IntoIterator<Item = (Value, Value)>) -> Value {
        let mut all = Gathered::new(self);
        pairs.into_iter().for_each(|(x, y)| all.push_pair(x, y));
        all.set()
    }

    pub fn contains(&self, set: &Value, item: &Value) -> bool {
        match set {
            Value::Word(w) => w >> item.word() & 1 == 1,
            Value::Bits(b) => {
                let i = item.word();
                b[(i / 64) as usize] >> (i % 64) & 1 == 1
            }
            Value::Set(s) => s.binary_search(item).is_ok(),
            Value::Table(columns, cells) => {
                let Some(row) = columns.cells(item) else { return false };
                Table::new(*columns, cells).lines().find(&row).is_ok()
            }
            _ => unreachable!("not a set: {set:?}"),
        }
    }

    /// Number of members.
    pub fn card(&self, set: &Value) -> usize {
        match set {
            Value::Word(w) => w.count_ones() as usize,
            Value::Bits(b) => b.iter().map(|w| w.count_ones() as usize).sum(),
            Value::Set(s) => s.len(),
            Value::Table(columns, cells) => Table::new(*columns, cells).size(),
            _ => unreachable!("not a set: {set:?}"),
        }
    }

    pub fn is_empty(&self, set: &Value) -> bool {
        match set {
            Value::Word(w) => *w == 0,
            Value::Bits(b) => b.iter().all(|w| *w == 0),
            Value::Set(s) => s.is_empty(),
            Value::Table(..) => false,
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
            _ => self.union(set, &Value::set(vec![item])),
        }
    }

    pub fn union(&self, a: &Value, b: &Value) -> Value {
        match (a, b) {
            (Value::Word(x), Value::Word(y)) => Value::Word(x | y),
            (Value::Bits(x), Value::Bits(y)) => zip(x, y, |p, q| p | q),
            _ => merge(a, b, Wanted { only_left: true, both: true, only_right: true }),
        }
    }

    pub fn intersection(&self, a: &Value, b: &Value) -> Value {
        match (a, b) {
            (Value::Word(x), Value::Word(y)) => Value::Word(x & y),
            (Value::Bits(x), Value::Bits(y)) => zip(x, y, |p, q| p & q),
            _ => merge(a, b, Wanted { only_left: false, both: true, only_right: false }),
        }
    }

    pub fn difference(&self, a: &Value, b: &Value) -> Value {
        match (a, b) {
            (Value::Word(x), Value::Word(y)) => Value::Word(x & !y),
            (Value::Bits(x), Value::Bits(y)) => zip(x, y, |p, q| p & !q),
            _ => merge(a, b, Wanted { only_left: true, both: false, only_right: false }),
        }
    }

    pub fn is_subset(&self, a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Word(x), Value::Word(y)) => x & !y == 0,
            (Value::Bits(x), Value::Bits(y)) => x.iter().zip(y.iter()).all(|(p, q)| p & !q == 0),
            (Value::Set(x), Value::Set(y)) => values(x).is_subset(values(y)),
            (Value::Table(c, x), Value::Table(d, y)) if c == d => {
                Table::new(*c, x).lines().is_subset(Table::new(*d, y).lines())
            }
            (Value::Set(x), Value::Table(..)) if x.is_empty() => true,
            (Value::Table(..) | Value::Set(_), Value::Table(..) | Value::Set(_)) => {
                values(&listed(a)).is_subset(values(&listed(b)))
            }
            _ => unreachable!("not sets of one shape: {a:?}, {b:?}"),
        }
    }

    /// The members that only one of two sets has; `None` if these are more than so many.
    pub fn changed(&self, a: &Value, b: &Value, most: usize) -> Option<Vec<Value>> {
        match (a, b) {
            (Value::Table(c, x), Value::Table(d, y)) if c == d => {
                let (x, y) = (Table::new(*c, x).lines(), Table::new(*d, y).lines());
                let cells = x.changed(y, most)?;
                Some(cells.chunks_exact(c.width()).map(|row| c.row(row).value()).collect())
            }
            (Value::Table(..) | Value::Set(_), Value::Table(..) | Value::Set(_)) => {
                values(&listed(a)).changed(values(&listed(b)), most)
            }
            _ => {
                let (left, right) = (self.difference(a, b), self.difference(b, a));
                let changed = self.members(&left).chain(self.members(&right));
                (self.card(&left) + self.card(&right) <= most).then(|| changed.collect())
            }
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

/// A list of members, to be walked and merged.
fn values(items: &[Value]) -> Lines<'_, Value> {
    Lines { cells: items, width: 1 }
}

/// The members of a set that is held as a list or as a table, as a list.
fn listed(set: &Value) -> Cow<'_, [Value]> {
    match set {
        Value::Set(items) => Cow::Borrowed(items),
        Value::Table(columns, cells) => Cow::Owned(Table::new(*columns, cells).values()),
        _ => unreachable!("not a set held as a list: {set:?}"),
    }
}

/// The members that are wanted of two sets, neither of which is held as bits. Gives one of the arguments back where the
/// result equals it.
fn merge(a: &Value, b: &Value, wanted: Wanted) -> Value {
    let made = match (a, b) {
        (Value::Set(x), _) if x.is_empty() && wanted.only_right => Merged::Right,
        (Value::Set(x), _) if x.is_empty() => Merged::Left,
        (_, Value::Set(y)) if y.is_empty() && wanted.only_left => Merged::Left,
        (_, Value::Set(y)) if y.is_empty() => Merged::Right,
        (Value::Table(columns, x), Value::Table(others, y)) if columns == others => {
            let merged =
                Table::new(*columns, x).lines().merge(Table::new(*others, y).lines(), wanted);
            match merged {
                Merged::New(cells) => return table::from_cells(*columns, cells),
                Merged::Left => Merged::Left,
                Merged::Right => Merged::Right,
            }
        }
        _ => values(&listed(a)).merge(values(&listed(b)), wanted),
    };
    match made {
        Merged::Left => a.clone(),
        Merged::Right => b.clone(),
        Merged::New(members) => Value::set(members),
    }
}
