//! Functions that are put together: one after the other, and side by side.

use super::build::{Builder, Built, Refusal};
use super::object::{Object, Point};
use super::sets::sorted;
use super::sketch::Host;
use crate::machine::BinaryOp;
use crate::value::Shape;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Most points, or pairs, of what is put together side by side.
const MOST_POINTS: usize = 20_000;

impl<'p, H: Host> Builder<'p, H> {
    /// `(r ; f)`, of a function that is known and another one: what the second is at the values of the first. `None` of
    /// anything else.
    pub(super) fn composed(
        &mut self,
        (r, r_shape): (&Object, &Shape),
        f: &Object,
    ) -> Built<Option<Rc<[Point]>>, H> {
        let Object::Function(points) = f else { return Ok(None) };
        let Some(before) = self.attempt(|builder| builder.points(r, r_shape))? else {
            return Ok(None);
        };
        let mut composed = Vec::new();
        for Point { at, defined, value } in before.iter() {
            let Object::Known(value) = value else { return Ok(None) };
            if let Ok(found) = points.binary_search_by(|point| point.at.cmp(value)) {
                let defined = self.poster.and([*defined, points[found].defined]);
                composed.push(Point {
                    at: at.clone(),
                    defined,
                    value: points[found].value.clone(),
                });
            }
        }
        self.step(before.len())?;
        Ok(Some(composed.into()))
    }

    /// `r >< s` and `(r || s)`: of functions a function, of relations pair by pair.
    pub(super) fn side_by_side(
        &mut self,
        op: BinaryOp,
        (r, r_shape): (&Object, &Shape),
        (s, s_shape): (&Object, &Shape),
        shape: &Shape,
    ) -> Built<Object, H> {
        let is_parallel = op == BinaryOp::ParallelProduct;
        let (at_shape, ends) = shape.element().sides();
        let functions =
            self.attempt(|builder| Ok((builder.points(r, r_shape)?, builder.points(s, s_shape)?)))?;
        if let Some((f, g)) = functions {
            if is_parallel && f.len() * g.len() > MOST_POINTS {
                return Err(Refusal::Opaque);
            }
            let (mut points, mut steps) = (Vec::new(), 0);
            for p in f.iter() {
                let beside = match is_parallel {
                    true => &g[..],
                    false => match g.binary_search_by(|q| q.at.cmp(&p.at)) {
                        Ok(at) => &g[at..=at],
                        Err(_) => &[],
                    },
                };
                steps += 1 + beside.len();
                for q in beside {
                    let at = match is_parallel {
                        true => at_shape.pair(p.at.clone(), q.at.clone()),
                        false => p.at.clone(),
                    };
                    let defined = self.poster.and([p.defined, q.defined]);
                    let value = match (&p.value, &q.value) {
                        (Object::Known(x), Object::Known(y)) => {
                            Object::Known(ends.pair(x.clone(), y.clone()))
                        }
                        (x, y) => Object::pair(x.clone(), y.clone()),
                    };
                    points.push(Point { at, defined, value });
                }
            }
            self.step(steps)?;
            points.sort_by(|p, q| p.at.cmp(&q.at));
            return Ok(Object::Function(points.into()));
        }
        let (first, second, pairs) = (r_shape.element(), s_shape.element(), shape.element());
        let others = self.candidates(s, s_shape)?;
        let mut by_left: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (pair, lit) in &others {
            let (x, y) = second.split(pair);
            by_left.entry(x).or_default().push((y, *lit));
        }
        let mut members = Vec::new();
        for (pair, lit) in self.candidates(r, r_shape)? {
            let (x, end) = first.split(&pair);
            let beside: Vec<_> = match is_parallel {
                true => by_left.iter().flat_map(|(y, of)| of.iter().map(move |o| (y, o))).collect(),
                false => {
                    let row = by_left.get_key_value(&x).into_iter();
                    row.flat_map(|(y, of)| of.iter().map(move |o| (y, o))).collect()
                }
            };
            if members.len() + beside.len() > MOST_POINTS {
                return Err(Refusal::Opaque);
            }
            self.step(1 + beside.len())?;
            for (y, (other, beside)) in beside {
                let at = match is_parallel {
                    true => at_shape.pair(x.clone(), y.clone()),
                    false => x.clone(),
                };
                let both = self.poster.and([lit, *beside]);
                members.push((pairs.pair(at, ends.pair(end.clone(), other.clone())), both));
            }
        }
        Ok(Object::Set(sorted(members)))
    }
}
