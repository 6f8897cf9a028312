//! The value itself: immutable, cheap to clone, totally ordered within one shape.

use super::set::increasing;
use super::table::{self, Columns, Table};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A value of B, to be read through its [`Shape`](super::Shape).
#[derive(Clone, Debug)]
pub enum Value {
    /// An integer that fits 64 bits.
    Int(i64),
    /// An integer that does not (never one that would fit [`Value::Int`]).
    Big(Arc<BigInt>),
    /// Never NaN, never -0.0.
    Real(f64),
    /// A member of a finite universe as its index: a boolean (0, 1), an element of a carrier set, a
    /// pair of such (`left * size of the right universe + right`), or a subset of a universe of at
    /// most 64 members, as bits.
    Word(u64),
    /// A subset of a universe of more than 64 members, as bits, in as many words as the universe
    /// needs.
    Bits(Arc<[u64]>),
    String(Arc<str>),
    Pair(Arc<(Value, Value)>),
    /// Any other set: strictly increasing. It is made by [`Value::set`], since it may be a table.
    Set(Arc<[Value]>),
    /// Any other set that is not empty, all members of which are pairs or records of numbers and words: the cells of
    /// its [table](super::table), row by row, strictly increasing.
    Table(Columns, Arc<[i64]>),
    /// A record: fields in the order of the type.
    Record(Arc<[Value]>),
    /// A free type's value: number of the constructor, and its argument.
    Free(Arc<(u32, Option<Value>)>),
    /// An infinite set: number of its description, and the values of its parameters. Two of these
    /// are equal when they are described alike.
    Symbolic(Arc<(u32, Arc<[Value]>)>),
}

impl Value {
    pub const FALSE: Value = Value::Word(0);
    pub const TRUE: Value = Value::Word(1);

    /// Stands for a result that no branch assigned. It equals no value of any type and belongs to
    /// no orbit but its own: an element that stood in would break symmetry.
    pub fn unassigned() -> Value {
        Value::Record(Arc::from([]))
    }

    pub fn bool(b: bool) -> Value {
        Value::Word(b as u64)
    }

    /// An integer in its one representation.
    pub fn integer(n: BigInt) -> Value {
        match n.to_i64() {
            Some(n) => Value::Int(n),
            None => Value::Big(Arc::new(n)),
        }
    }

    /// The set of these members, strictly increasing, in its one representation. (Sets that are held as bits are made
    /// by their shape.)
    pub fn set(members: Vec<Value>) -> Value {
        table::of_increasing(&members).unwrap_or_else(|| Value::Set(members.into()))
    }

    /// The same of members in any order and with any repetitions.
    pub fn set_of(members: Vec<Value>) -> Value {
        table::of_any(&members).unwrap_or_else(|| Value::Set(increasing(members).into()))
    }

    /// What has to be gone through to copy or to compare it: members of a list, fields, words, or cells.
    pub fn extent(&self) -> usize {
        match self {
            Value::Set(list) | Value::Record(list) => list.len(),
            Value::Bits(words) => words.len(),
            Value::Table(_, cells) => cells.len(),
            _ => 1,
        }
    }

    /// Whether copies of it take so much room that those who have it share one.
    pub fn is_large(&self) -> bool {
        self.extent() >= 1 << 10
    }

    /// The table that it is.
    #[inline]
    pub fn table(&self) -> Option<Table<'_>> {
        match self {
            Value::Table(columns, cells) => Some(Table::new(*columns, cells)),
            _ => None,
        }
    }

    pub fn real(r: f64) -> Value {
        Value::Real(if r == 0.0 { 0.0 } else { r })
    }

    /// Whether it is the very same value, of which another one may be a copy.
    pub fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Word(a), Value::Word(b)) => a == b,
            (Value::Real(a), Value::Real(b)) => a == b,
            (Value::Big(a), Value::Big(b)) => Arc::ptr_eq(a, b),
            (Value::Bits(a), Value::Bits(b)) => Arc::ptr_eq(a, b),
            (Value::String(a), Value::String(b)) => Arc::ptr_eq(a, b),
            (Value::Pair(a), Value::Pair(b)) => Arc::ptr_eq(a, b),
            (Value::Set(a), Value::Set(b)) | (Value::Record(a), Value::Record(b)) => {
                Arc::ptr_eq(a, b)
            }
            (Value::Table(_, a), Value::Table(_, b)) => Arc::ptr_eq(a, b),
            (Value::Free(a), Value::Free(b)) => Arc::ptr_eq(a, b),
            (Value::Symbolic(a), Value::Symbolic(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// The integer as a big one; `None` for a value that is no integer.
    pub fn to_big(&self) -> Option<BigInt> {
        match self {
            Value::Int(n) => Some(BigInt::from(*n)),
            Value::Big(n) => Some((**n).clone()),
            _ => None,
        }
    }

    /// The word of a member of a finite universe; 0 for anything else (shapes keep that from
    /// happening).
    pub fn word(&self) -> u64 {
        match self {
            Value::Word(w) => *w,
            _ => {
                debug_assert!(false, "not a word: {self:?}");
                0
            }
        }
    }

    /// Whether this is an infinite set or contains one.
    pub fn is_symbolic(&self) -> bool {
        match self {
            Value::Symbolic(_) => true,
            Value::Pair(p) => p.0.is_symbolic() || p.1.is_symbolic(),
            Value::Set(items) | Value::Record(items) => items.iter().any(Value::is_symbolic),
            Value::Free(f) => f.1.as_ref().is_some_and(Value::is_symbolic),
            _ => false,
        }
    }

    /// The same value, which shares nothing with this one: for another thread, so that no two count
    /// references to one place.
    pub fn again(&self) -> Value {
        let all = |items: &[Value]| items.iter().map(Value::again).collect();
        match self {
            Value::Int(_) | Value::Real(_) | Value::Word(_) => self.clone(),
            Value::Big(n) => Value::Big(Arc::new((**n).clone())),
            Value::Bits(words) => Value::Bits(words[..].into()),
            Value::String(text) => Value::String(text[..].into()),
            Value::Pair(pair) => Value::Pair(Arc::new((pair.0.again(), pair.1.again()))),
            Value::Set(items) => Value::Set(all(items)),
            Value::Table(columns, cells) => Value::Table(*columns, cells[..].into()),
            Value::Record(items) => Value::Record(all(items)),
            Value::Free(free) => Value::Free(Arc::new((free.0, free.1.as_ref().map(Value::again)))),
            Value::Symbolic(set) => Value::Symbolic(Arc::new((set.0, all(&set.1)))),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Value::Int(_) | Value::Big(_) => 0,
            Value::Real(_) => 1,
            Value::Word(_) => 2,
            Value::Bits(_) => 3,
            Value::String(_) => 4,
            Value::Pair(_) => 5,
            Value::Set(_) | Value::Table(..) => 6,
            Value::Record(_) => 7,
            Value::Free(_) => 8,
            Value::Symbolic(_) => 9,
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Word(a), Value::Word(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Big(a), Value::Big(b)) => a == b,
            (Value::Real(a), Value::Real(b)) => a.to_bits() == b.to_bits(),
            (Value::Bits(a), Value::Bits(b)) => a == b,
            (Value::String(a), Value::String(b)) => a == b,
            (Value::Pair(a), Value::Pair(b)) => Arc::ptr_eq(a, b) || a == b,
            (Value::Set(a), Value::Set(b)) => Arc::ptr_eq(a, b) || a == b,
            (Value::Table(c, a), Value::Table(d, b)) => c == d && (Arc::ptr_eq(a, b) || a == b),
            (Value::Record(a), Value::Record(b)) => Arc::ptr_eq(a, b) || a == b,
            (Value::Free(a), Value::Free(b)) => Arc::ptr_eq(a, b) || a == b,
            (Value::Symbolic(a), Value::Symbolic(b)) => Arc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

/// Without the kind: what is looked up together is of one type.
impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Value::Int(n) => n.hash(state),
            Value::Word(w) => w.hash(state),
            Value::Pair(p) => p.hash(state),
            Value::Set(s) | Value::Record(s) => s.hash(state),
            Value::Table(_, cells) => cells.hash(state),
            Value::Big(n) => n.hash(state),
            Value::Real(r) => r.to_bits().hash(state),
            Value::Bits(b) => b.hash(state),
            Value::String(s) => s.hash(state),
            Value::Free(f) => f.hash(state),
            Value::Symbolic(s) => s.hash(state),
        }
    }
}

/// Integers by size, reals by size, words and bits as numbers (the lowest member decides last),
/// strings by code points, sets by length first, everything else from left to right.
impl Ord for Value {
    #[inline]
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            _ => self.cmp_larger(other),
        }
    }
}

impl Value {
    /// The order of any two values; two integers that are words, of which most others are made, are told apart above.
    fn cmp_larger(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Pair(a), Value::Pair(b)) => a.0.cmp(&b.0).then_with(|| a.1.cmp(&b.1)),
            (Value::Big(a), Value::Big(b)) => a.cmp(b),
            (Value::Int(a), Value::Big(b)) => BigInt::from(*a).cmp(b),
            (Value::Big(a), Value::Int(b)) => (**a).cmp(&BigInt::from(*b)),
            (Value::Real(a), Value::Real(b)) => a.total_cmp(b),
            (Value::Word(a), Value::Word(b)) => a.cmp(b),
            (Value::Bits(a), Value::Bits(b)) => a.iter().rev().cmp(b.iter().rev()),
            (Value::String(a), Value::String(b)) => a.cmp(b),
            (Value::Set(a), Value::Set(b)) => a.len().cmp(&b.len()).then_with(|| a.cmp(b)),
            (Value::Table(c, a), Value::Table(d, b)) if c == d => {
                a.len().cmp(&b.len()).then_with(|| a.cmp(b))
            }
            (Value::Table(c, a), Value::Set(b)) => {
                let table = Table::new(*c, a);
                table.size().cmp(&b.len()).then_with(|| table.compare(b))
            }
            (Value::Set(_), Value::Table(..)) => other.cmp(self).reverse(),
            (Value::Record(a), Value::Record(b)) => a.cmp(b),
            (Value::Free(a), Value::Free(b)) => a.cmp(b),
            (Value::Symbolic(a), Value::Symbolic(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
