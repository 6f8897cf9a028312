//! Functions that are put together: one after the other, and side by side.

use super::object::{Object, Point};
use super::sets::sorted;
use crate::constraint::build::{Builder, Built, Meaning, Refusal};
use crate::constraint::literal::Lit;
use crate::constraint::sketch::{Host, Sketch, Term};
use crate::machine::{BinaryOp, UnaryOp};
use crate::value::{Shape, Value};
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

    /// `(f~ ; r ; g)`, `(f~ ; r)` and `(f~ ; g)`, where the values of the functions `f` and `g` are not known: the list of
    /// `f(x) |-> g(y)` for the pairs `x |-> y` of `r`. As a set it would have a candidate for each two values, and with each
    /// of them all pairs of `r`. `None` of anything else.
    pub(in crate::constraint) fn carried(
        &mut self,
        a: &'p Sketch,
        b: &'p Sketch,
        shape: &Shape,
    ) -> Built<Option<Meaning>, H> {
        let mut factors = Vec::new();
        one_after_another(a, &mut factors);
        one_after_another(b, &mut factors);
        let Term::Unary(UnaryOp::Inverse, f) = &factors[0].term else { return Ok(None) };
        let (Some(f), Some(last)) = (self.moving(f)?, factors.last()) else { return Ok(None) };
        let g = self.moving(last)?;
        let between = &factors[1..factors.len() - usize::from(g.is_some())];
        let mut defined = vec![f.defined];
        let pairs: Vec<(Value, Value, Lit)> = match between {
            [] => f.points.iter().map(|p| (p.at.clone(), p.at.clone(), Lit::Always)).collect(),
            [r] => {
                let (meaning, element) = (self.term(r)?, r.shape.element());
                defined.push(meaning.defined);
                let pairs = self.candidates(&meaning.object, &r.shape)?.into_iter();
                let pairs = pairs.map(|(pair, lit)| (element.split(&pair), lit));
                pairs.map(|((x, y), lit)| (x, y, lit)).collect()
            }
            _ => return Ok(None),
        };
        if pairs.len() > MOST_POINTS {
            return Ok(None);
        }
        self.step(pairs.len())?;
        let mut items = Vec::new();
        for (x, y, lit) in pairs {
            let Some(from) = f.at(&x) else { continue };
            let (there, to) = match &g {
                None => (Lit::Always, Object::Known(y)),
                Some(g) => match g.at(&y) {
                    Some(point) => (point.defined, point.value.clone()),
                    None => continue,
                },
            };
            let lit = self.poster.and([from.defined, lit, there]);
            if lit != Lit::Never {
                items.push((lit, Object::pair(from.value.clone(), to)));
            }
        }
        defined.extend(g.map(|g| g.defined));
        let defined = self.poster.and(defined);
        Ok(Some(Meaning { object: self.listed(items, shape), defined }))
    }

    /// An unknown function of which some values are not known.
    fn moving(&mut self, f: &'p Sketch) -> Built<Option<Moving>, H> {
        if !matches!(f.term, Term::Unknown(_)) {
            return Ok(None);
        }
        let meaning = self.attempt(|builder| builder.term(f))?;
        Ok(meaning.and_then(|Meaning { object, defined }| match object {
            Object::Function(points) => {
                let is_open = points.iter().any(|p| !matches!(p.value, Object::Known(_)));
                is_open.then_some(Moving { points, defined })
            }
            _ => None,
        }))
    }

    /// `r >< s` and `(r || s)`: of functions a function, of relations pair by pair.
    pub(in crate::constraint) fn side_by_side(
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

/// A function of which some values are not known, and whether it has a value itself.
struct Moving {
    points: Rc<[Point]>,
    defined: Lit,
}

impl Moving {
    fn at(&self, value: &Value) -> Option<&Point> {
        let found = self.points.binary_search_by(|point| point.at.cmp(value));
        found.ok().map(|i| &self.points[i])
    }
}

/// What is composed, from the left to the right.
fn one_after_another<'s>(sketch: &'s Sketch, factors: &mut Vec<&'s Sketch>) {
    match &sketch.term {
        Term::Binary(BinaryOp::Compose, a, b) => {
            one_after_another(a, factors);
            one_after_another(b, factors);
        }
        _ => factors.push(sketch),
    }
}
