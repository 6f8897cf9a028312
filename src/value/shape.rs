//! Shapes: how the values of a type are held, once the sizes of the carrier sets are known.

use super::value::Value;
use crate::machine::{FreeId, Machine, SetId, SetKind, Type};
use std::sync::{Arc, LazyLock};

/// Largest universe whose subsets are held as bits ([`Value::Bits`](super::Value)); above it sets
/// are sorted lists.
pub const BITS_LIMIT: u128 = 4096;

/// Largest universe of pairs that are held as one index.
const PAIR_LIMIT: u128 = 1 << 32;

/// Number of elements of each carrier set, by [`SetId`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sizes(pub Arc<[u32]>);

impl Sizes {
    /// Enumerated sets have the size of their list; the others take the size that is given for them.
    pub fn new(machine: &Machine, sized: impl Fn(SetId) -> u32) -> Sizes {
        Sizes(
            machine
                .sets
                .iter()
                .enumerate()
                .map(|(i, s)| match &s.kind {
                    SetKind::Enumerated(names) => names.len() as u32,
                    _ => sized(SetId(i as u32)),
                })
                .collect(),
        )
    }

    pub fn of(&self, set: SetId) -> u32 {
        self.0[set.0 as usize]
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    Integer,
    Real,
    String,
    /// A finite universe: values are words.
    Index(Arc<Index>),
    /// Subsets of a universe of more than 64 and at most [`BITS_LIMIT`] members.
    Bits(Arc<Index>),
    /// Sorted lists of values of this shape.
    Set(Arc<Shape>),
    Pair(Arc<(Shape, Shape)>),
    Record(Arc<[Shape]>),
    Free(FreeId),
}

/// A finite universe, its members numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Index {
    pub kind: IndexKind,
    /// Number of members.
    pub size: u128,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IndexKind {
    Bool,
    Element(SetId),
    /// `left * right.size + right`
    Pair(Arc<Index>, Arc<Index>),
    /// Subsets of a universe of at most 64 members, as bits.
    Subset(Arc<Index>),
}

impl Shape {
    pub fn of(ty: &Type, sizes: &Sizes) -> Shape {
        match ty {
            Type::Integer => Shape::Integer,
            Type::Real => Shape::Real,
            Type::String => Shape::String,
            Type::Free(id) => Shape::Free(*id),
            Type::Bool => Shape::bool(),
            Type::Set(s) => Shape::Index(Arc::new(Index {
                kind: IndexKind::Element(*s),
                size: sizes.of(*s) as u128,
            })),
            Type::Pow(t) => Shape::set_of(Shape::of(t, sizes)),
            Type::Pair(p) => Shape::pair_of(Shape::of(&p.0, sizes), Shape::of(&p.1, sizes)),
            Type::Record(fields) => {
                Shape::Record(fields.iter().map(|(_, t)| Shape::of(t, sizes)).collect())
            }
        }
    }

    pub fn bool() -> Shape {
        static BOOL: LazyLock<Arc<Index>> =
            LazyLock::new(|| Arc::new(Index { kind: IndexKind::Bool, size: 2 }));
        Shape::Index(BOOL.clone())
    }

    /// The shape of sets of such values.
    pub fn set_of(element: Shape) -> Shape {
        match element {
            Shape::Index(u) if u.size <= 64 => {
                let size = 1u128 << u.size;
                Shape::Index(Arc::new(Index { kind: IndexKind::Subset(u), size }))
            }
            Shape::Index(u) if u.size <= BITS_LIMIT => Shape::Bits(u),
            other => Shape::Set(Arc::new(other)),
        }
    }

    /// The shape of pairs of such values.
    pub fn pair_of(left: Shape, right: Shape) -> Shape {
        match (&left, &right) {
            (Shape::Index(l), Shape::Index(r)) if l.size.saturating_mul(r.size) <= PAIR_LIMIT => {
                Shape::Index(Arc::new(Index {
                    kind: IndexKind::Pair(l.clone(), r.clone()),
                    size: l.size * r.size,
                }))
            }
            _ => Shape::Pair(Arc::new((left, right))),
        }
    }

    /// The shape of the members, of a shape of sets.
    ///
    /// # Panics
    /// When this is no shape of sets: typing keeps that from happening.
    pub fn element(&self) -> Shape {
        match self {
            Shape::Index(u) => match &u.kind {
                IndexKind::Subset(of) => Shape::Index(of.clone()),
                _ => unreachable!("not a shape of sets: {self:?}"),
            },
            Shape::Bits(of) => Shape::Index(of.clone()),
            Shape::Set(of) => (**of).clone(),
            _ => unreachable!("not a shape of sets: {self:?}"),
        }
    }

    /// The shapes of both sides, of a shape of pairs.
    ///
    /// # Panics
    /// When this is no shape of pairs.
    pub fn sides(&self) -> (Shape, Shape) {
        match self {
            Shape::Index(u) => match &u.kind {
                IndexKind::Pair(l, r) => (Shape::Index(l.clone()), Shape::Index(r.clone())),
                _ => unreachable!("not a shape of pairs: {self:?}"),
            },
            Shape::Pair(p) => (p.0.clone(), p.1.clone()),
            _ => unreachable!("not a shape of pairs: {self:?}"),
        }
    }

    /// Some value of this shape, always the same: stands in where nothing was assigned.
    pub fn default_value(&self) -> Value {
        match self {
            Shape::Integer => Value::Int(0),
            Shape::Real => Value::real(0.0),
            Shape::String => Value::String(Arc::from("")),
            Shape::Index(_) => Value::Word(0),
            Shape::Bits(_) | Shape::Set(_) => self.empty(),
            Shape::Pair(p) => self.pair(p.0.default_value(), p.1.default_value()),
            Shape::Record(fields) => {
                Value::Record(fields.iter().map(Shape::default_value).collect())
            }
            Shape::Free(_) => Value::Free(Arc::new((0, None))),
        }
    }

    /// The finite universe that the values are indices of.
    pub fn index(&self) -> Option<&Arc<Index>> {
        match self {
            Shape::Index(u) => Some(u),
            _ => None,
        }
    }

    /// Number of values of this shape, where it is finite and below 2^127.
    pub fn count(&self) -> Option<u128> {
        match self {
            Shape::Index(u) => Some(u.size),
            Shape::Bits(u) => (u.size < 127).then(|| 1u128 << u.size),
            Shape::Set(e) => e.count().filter(|n| *n < 127).map(|n| 1u128 << n),
            Shape::Pair(p) => p.0.count()?.checked_mul(p.1.count()?),
            Shape::Record(fs) => fs.iter().try_fold(1u128, |n, f| n.checked_mul(f.count()?)),
            Shape::Integer | Shape::Real | Shape::String | Shape::Free(_) => None,
        }
    }

    /// About how many values of this shape there are with integers within limits and so many strings.
    pub fn count_within(&self, (min, max): (i64, i64), strings: usize) -> f64 {
        let count = |shape: &Shape| shape.count_within((min, max), strings);
        match self {
            Shape::Integer | Shape::Real => max as f64 - min as f64 + 1.0,
            Shape::String => strings as f64,
            Shape::Index(u) => u.size as f64,
            Shape::Bits(u) => (u.size as f64).exp2(),
            Shape::Set(e) => count(e).exp2(),
            Shape::Pair(p) => count(&p.0) * count(&p.1),
            Shape::Record(fields) => fields.iter().map(count).product(),
            // As many as are listed, whatever that is.
            Shape::Free(_) => 1.0,
        }
    }

    /// Whether there are finitely many values of this shape.
    pub fn is_finite(&self) -> bool {
        match self {
            Shape::Index(_) | Shape::Bits(_) => true,
            Shape::Set(e) => e.is_finite(),
            Shape::Pair(p) => p.0.is_finite() && p.1.is_finite(),
            Shape::Record(fs) => fs.iter().all(Shape::is_finite),
            Shape::Integer | Shape::Real | Shape::String | Shape::Free(_) => false,
        }
    }
}
