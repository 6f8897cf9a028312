//! The transitive closure of a relation that is not known: `closure1(r)`.

use super::object::Object;
use crate::constraint::build::{Builder, Built, Refusal};
use crate::constraint::literal::Lit;
use crate::constraint::propagators::reach::{Edge, Reach, possible_ways};
use crate::constraint::sketch::Host;
use crate::value::{Shape, Value};
use std::collections::BTreeSet;

/// Most points of a relation whose closure is pictured.
const MOST_POINTS: usize = 128;

impl<H: Host> Builder<'_, H> {
    /// `closure1(r)`: a literal for each two points between which there may be a way.
    pub(in crate::constraint) fn closure(
        &mut self,
        relation: &Object,
        shape: &Shape,
    ) -> Built<Object, H> {
        let pairs = shape.element();
        let candidates = self.candidates(relation, shape)?;
        if let Some((_, closure)) = self.closures.iter().find(|(known, _)| *known == candidates) {
            return Ok(closure.clone());
        }
        let mut edges = Vec::with_capacity(candidates.len());
        let mut points: BTreeSet<Value> = BTreeSet::new();
        for (pair, there) in candidates.iter().filter(|(_, there)| *there != Lit::Never) {
            let (from, to) = pairs.split(pair);
            points.extend([from.clone(), to.clone()]);
            edges.push((from, to, self.poster.simple(*there)));
        }
        let points: Vec<Value> = points.into_iter().collect();
        if points.len() > MOST_POINTS {
            return Err(Refusal::Opaque);
        }
        let number = |point: &Value| points.binary_search(point).expect("a point of the relation");
        let edges: Vec<Edge> = edges
            .iter()
            .map(|(from, to, there)| Edge { from: number(from), to: number(to), there: *there })
            .collect();
        let possible = possible_ways(points.len(), &edges);
        self.step(points.len() * points.len() + possible.len())?;
        let (mut ways, mut members) = (Vec::new(), Vec::new());
        for (from, to) in possible {
            let there = self.poster.boolean();
            ways.push(Edge { from, to, there });
            members.push((pairs.pair(points[from].clone(), points[to].clone()), there));
        }
        self.poster.engine.add(Reach::new(points.len(), edges, ways));
        let closure = Object::Set(super::sets::sorted(members));
        self.closures.push((candidates, closure.clone()));
        Ok(closure)
    }
}
