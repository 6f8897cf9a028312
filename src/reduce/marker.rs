//! Symmetry markers for B (Leuschel and Massart, as Bosnacki et al., section 3, retell them).
//!
//! For each movable element, the multiset of the paths that lead to its occurrences; then a canonical
//! form of the value trees with elements replaced by that. The retelling leaves open what a path
//! holds: here it is the variable, and for each step down the side of a pair with the form of the
//! other side (its elements all alike), the field of a record with the forms of the other fields, and
//! the number of members of a set. Values of any depth are handled alike, nothing is left out.
//!
//! Approximate: a key may be that of several orbits.

use super::forms::{blank, form, list, multiset, pair};
use super::keys::{self, Key, Keying};
use super::{Interrupted, Reading, Reduction};
use crate::clock;
use crate::state::Interner;
use crate::symmetry::group::Group;
use crate::symmetry::plan::moves;
use crate::value::{Index, IndexKind, Shape, Value};

pub fn reduction(reading: Reading, group: Group) -> Reduction {
    let shapes = reading.shapes.clone();
    keys::reduction(reading, &group.clone(), Markers { group, shapes }, Vec::new())
}

struct Markers {
    group: Group,
    shapes: Vec<Shape>,
}

impl Keying for Markers {
    fn key(&self, values: &[Value], interner: &mut Interner) -> Result<Key, Interrupted> {
        key(&self.group, &self.shapes, values, interner)
    }
}

/// The key of a list of values: equal for all its images under the group. The multisets of paths in it
/// are shared with other keys.
pub fn key(
    group: &Group,
    shapes: &[Shape],
    values: &[Value],
    interner: &mut Interner,
) -> Result<Key, Interrupted> {
    let paths = vec![Vec::new(); group.points()];
    let mut walk = Walk { group, path: Vec::new(), paths };
    for (i, (shape, value)) in shapes.iter().zip(values).enumerate() {
        if moves(group, shape) {
            walk.step(Value::Word(i as u64), |walk| walk.value(shape, value))?;
        }
    }
    let mut markers: Vec<Value> = Vec::new();
    for paths in walk.paths {
        clock::spend(1 + paths.len())?;
        markers.push(multiset(paths));
    }
    let mut key = Vec::new();
    let mut ranks = vec![0i64; group.points()];
    let mut rank = 0;
    for k in 0..group.sets().len() {
        let mut points: Vec<usize> = group.range(k).collect();
        points.sort_unstable_by(|a, b| markers[*a].cmp(&markers[*b]));
        for same in points.chunk_by(|a, b| markers[*a] == markers[*b]) {
            clock::spend(same.len())?;
            key.push(interner.shared(&markers[same[0]]));
            key.push(Value::Word(same.len() as u64));
            same.iter().for_each(|p| ranks[*p] = rank);
            rank += 1;
        }
    }
    for (shape, value) in shapes.iter().zip(values) {
        key.push(form(group, shape, value, &|p| ranks[p as usize])?);
    }
    Ok(key)
}

/// Collects the paths to all occurrences of all elements.
struct Walk<'a> {
    group: &'a Group,
    path: Vec<Value>,
    paths: Vec<Vec<Value>>,
}

impl Walk<'_> {
    fn step(
        &mut self,
        step: Value,
        below: impl FnOnce(&mut Self) -> Result<(), Interrupted>,
    ) -> Result<(), Interrupted> {
        self.path.push(step);
        below(self)?;
        self.path.pop();
        Ok(())
    }

    fn value(&mut self, shape: &Shape, value: &Value) -> Result<(), Interrupted> {
        if !moves(self.group, shape) {
            return Ok(());
        }
        clock::spend(1)?;
        match (shape, value) {
            (Shape::Index(u), Value::Word(word)) => self.index(shape, u, *word),
            (Shape::Bits(_) | Shape::Set(_), _) => self.members(shape, value),
            (Shape::Pair(p), Value::Pair(v)) => self.sides((&p.0, &v.0), (&p.1, &v.1)),
            (Shape::Record(fs), Value::Record(vs)) => {
                for (i, (f, v)) in fs.iter().zip(vs.iter()).enumerate() {
                    let others = fs.iter().zip(vs.iter()).enumerate().filter(|(j, _)| *j != i);
                    let others = others.map(|(_, (f, v))| blank(self.group, f, v));
                    let others = others.collect::<Result<_, _>>()?;
                    let step = pair(Value::Word(i as u64), list(others));
                    self.step(step, |walk| walk.value(f, v))?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn index(&mut self, shape: &Shape, universe: &Index, word: u64) -> Result<(), Interrupted> {
        match &universe.kind {
            IndexKind::Bool => Ok(()),
            IndexKind::Element(set) => {
                if let Some(point) = self.group.point(*set, word) {
                    self.paths[point as usize].push(list(self.path.clone()));
                }
                Ok(())
            }
            IndexKind::Pair(l, r) => {
                let n = r.size as u64;
                let (l, r) = (Shape::Index(l.clone()), Shape::Index(r.clone()));
                self.sides((&l, &Value::Word(word / n)), (&r, &Value::Word(word % n)))
            }
            IndexKind::Subset(_) => self.members(shape, &Value::Word(word)),
        }
    }

    fn members(&mut self, shape: &Shape, value: &Value) -> Result<(), Interrupted> {
        let element = shape.element();
        self.step(Value::Word(shape.card(value) as u64), |walk| {
            shape.members(value).try_for_each(|member| walk.value(&element, &member))
        })
    }

    fn sides(
        &mut self,
        left: (&Shape, &Value),
        right: (&Shape, &Value),
    ) -> Result<(), Interrupted> {
        for (side, (here, other)) in [(left, right), (right, left)].into_iter().enumerate() {
            if moves(self.group, here.0) {
                let other = blank(self.group, other.0, other.1)?;
                let step = pair(Value::Word(side as u64), other);
                self.step(step, |walk| walk.value(here.0, here.1))?;
            }
        }
        Ok(())
    }
}
