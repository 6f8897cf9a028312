//! Permutations of the deferred sets, and their action on values.

use super::shape::{Index, IndexKind, Shape};
use super::value::Value;
use crate::machine::SetId;
use std::sync::Arc;

/// One permutation for each carrier set, by [`SetId`]; an empty list is the identity.
///
/// `maps[s][i]` is the number of the element that element `i` of set `s` becomes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Permutation {
    pub maps: Vec<Vec<u32>>,
}

impl Permutation {
    pub fn identity(sets: usize) -> Permutation {
        Permutation { maps: vec![Vec::new(); sets] }
    }

    /// What an element becomes.
    pub fn element(&self, set: SetId, element: u32) -> u32 {
        match self.maps.get(set.0 as usize) {
            Some(map) if !map.is_empty() => map[element as usize],
            _ => element,
        }
    }

    /// First `self`, then `next`.
    pub fn then(&self, next: &Permutation) -> Permutation {
        let maps = (0..self.maps.len().max(next.maps.len()))
            .map(|s| {
                let set = SetId(s as u32);
                let len = [self, next].iter().map(|p| p.maps.get(s).map_or(0, Vec::len)).max();
                (0..len.unwrap_or(0) as u32)
                    .map(|e| next.element(set, self.element(set, e)))
                    .collect()
            })
            .collect();
        Permutation { maps }
    }

    pub fn inverse(&self) -> Permutation {
        let invert = |map: &Vec<u32>| {
            let mut inverse = vec![0; map.len()];
            for (from, to) in map.iter().enumerate() {
                inverse[*to as usize] = from as u32;
            }
            inverse
        };
        Permutation { maps: self.maps.iter().map(invert).collect() }
    }

    pub fn is_identity(&self) -> bool {
        self.maps.iter().all(|m| m.iter().enumerate().all(|(i, j)| i as u32 == *j))
    }

    /// Whether it exchanges elements, two by two, and does nothing else.
    pub fn is_involution(&self) -> bool {
        let comes_back =
            |m: &Vec<u32>| m.iter().enumerate().all(|(i, j)| m[*j as usize] == i as u32);
        self.maps.iter().all(comes_back)
    }

    /// Whether a value of this shape can change at all.
    pub fn touches(&self, shape: &Shape) -> bool {
        let set = |s: SetId| self.maps.get(s.0 as usize).is_some_and(|m| !m.is_empty());
        mentions(shape, &set)
    }

    /// The image of a value.
    pub fn apply(&self, shape: &Shape, value: &Value) -> Value {
        if !self.touches(shape) {
            return value.clone();
        }
        match (shape, value) {
            (Shape::Index(u), Value::Word(w)) => Value::Word(self.index(u, *w)),
            (Shape::Bits(u), _) => {
                shape.collect(shape.members(value).map(|v| Value::Word(self.index(u, v.word()))))
            }
            // Its sets are no symmetric ones (`typing::symbolic`).
            (Shape::Set(_), Value::Symbolic(_)) => value.clone(),
            (Shape::Set(e), _) => shape.collect(shape.members(value).map(|v| self.apply(e, &v))),
            (Shape::Pair(p), Value::Pair(v)) => {
                Value::Pair(Arc::new((self.apply(&p.0, &v.0), self.apply(&p.1, &v.1))))
            }
            (Shape::Record(fs), Value::Record(vs)) => {
                Value::Record(fs.iter().zip(vs.iter()).map(|(f, v)| self.apply(f, v)).collect())
            }
            _ => value.clone(),
        }
    }

    /// The image of a member of a finite universe.
    pub fn index(&self, universe: &Index, word: u64) -> u64 {
        match &universe.kind {
            IndexKind::Bool => word,
            IndexKind::Element(s) => self.element(*s, word as u32) as u64,
            IndexKind::Pair(l, r) => {
                let n = r.size as u64;
                self.index(l, word / n) * n + self.index(r, word % n)
            }
            IndexKind::Subset(of) => {
                let (mut rest, mut image) = (word, 0);
                while rest != 0 {
                    image |= 1 << self.index(of, rest.trailing_zeros() as u64);
                    rest &= rest - 1;
                }
                image
            }
        }
    }
}

/// Whether a shape has elements of such a set in it.
pub fn mentions(shape: &Shape, set: &dyn Fn(SetId) -> bool) -> bool {
    match shape {
        Shape::Integer | Shape::Real | Shape::String | Shape::Free(_) => false,
        Shape::Index(u) | Shape::Bits(u) => universe_mentions(u, set),
        Shape::Set(e) => mentions(e, set),
        Shape::Pair(p) => mentions(&p.0, set) || mentions(&p.1, set),
        Shape::Record(fs) => fs.iter().any(|f| mentions(f, set)),
    }
}

/// Whether a universe does.
pub fn universe_mentions(universe: &Index, set: &dyn Fn(SetId) -> bool) -> bool {
    match &universe.kind {
        IndexKind::Bool => false,
        IndexKind::Element(s) => set(*s),
        IndexKind::Pair(l, r) => universe_mentions(l, set) || universe_mentions(r, set),
        IndexKind::Subset(of) => universe_mentions(of, set),
    }
}
