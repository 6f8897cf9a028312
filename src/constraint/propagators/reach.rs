//! What is reached along the pairs of a relation that is not known.

use super::super::engine::Propagator;
use super::super::literal::Lit;
use super::super::store::{Conflict, Store};

/// A pair that the relation may have, by the numbers of its sides.
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub there: Lit,
}

/// One point is reached from another, along one edge or more: the transitive closure of a relation. For two points
/// between which there may be a way, a literal says whether there is one.
pub struct Reach {
    points: usize,
    edges: Box<[Edge]>,
    ways: Box<[Edge]>,
}

/// A row of bits for each point.
#[derive(Clone)]
struct Rows {
    width: usize,
    bits: Vec<u64>,
}

impl Rows {
    fn none(points: usize) -> Rows {
        let width = points.div_ceil(64);
        Rows { width, bits: vec![0; width * points] }
    }

    fn of<'e>(points: usize, edges: impl IntoIterator<Item = &'e Edge>) -> Rows {
        let mut rows = Rows::none(points);
        edges.into_iter().for_each(|edge| rows.set(edge.from, edge.to));
        rows
    }

    fn row(&self, x: usize) -> &[u64] {
        &self.bits[x * self.width..(x + 1) * self.width]
    }

    fn has(&self, x: usize, y: usize) -> bool {
        self.row(x)[y / 64] >> (y % 64) & 1 == 1
    }

    fn set(&mut self, x: usize, y: usize) {
        self.bits[x * self.width + y / 64] |= 1 << (y % 64);
    }

    /// Closes it under going on (Warshall 1962).
    fn close(mut self, points: usize) -> Rows {
        for middle in 0..points {
            let onwards = self.row(middle).to_vec();
            for x in (0..points).filter(|x| *x != middle) {
                if self.has(x, middle) {
                    let row = &mut self.bits[x * self.width..(x + 1) * self.width];
                    row.iter_mut().zip(&onwards).for_each(|(word, more)| *word |= more);
                }
            }
        }
        self
    }

    /// Each point with itself, too.
    fn and_itself(mut self, points: usize) -> Rows {
        (0..points).for_each(|x| self.set(x, x));
        self
    }
}

/// The pairs between which there may be a way along these edges, whatever becomes of them.
pub fn possible_ways(points: usize, edges: &[Edge]) -> Vec<(usize, usize)> {
    let rows = Rows::of(points, edges).close(points);
    let pairs = (0..points).flat_map(|x| (0..points).map(move |y| (x, y)));
    pairs.filter(|(x, y)| rows.has(*x, *y)).collect()
}

impl Reach {
    /// The ways are all that [`possible_ways`] gives.
    pub fn new(points: usize, edges: Vec<Edge>, ways: Vec<Edge>) -> Reach {
        Reach { points, edges: edges.into(), ways: ways.into() }
    }

    /// An edge, or a way, with which a way would be there that is not: none. `known` are the ways that there are.
    fn forbid(&self, known: Rows, store: &mut Store) -> Result<(), Conflict> {
        let denied = self.ways.iter().filter(|way| store.truth(way.there) == Some(false));
        let denied = Rows::of(self.points, denied);
        if denied.bits.iter().all(|word| *word == 0) {
            return Ok(());
        }
        let known = known.and_itself(self.points);
        for edge in self.edges.iter().chain(&self.ways) {
            if store.truth(edge.there).is_some() {
                continue;
            }
            let onwards = known.row(edge.to);
            let closes = |x: usize| denied.row(x).iter().zip(onwards).any(|(no, on)| no & on != 0);
            if (0..self.points).any(|x| known.has(x, edge.from) && closes(x)) {
                store.assert(edge.there.negated())?;
            }
        }
        Ok(())
    }

    /// The one edge by which a way that is there can leave what is reached from its first point for certain.
    fn require(&self, certain: &Rows, possible: &Rows, store: &mut Store) -> Result<(), Conflict> {
        let wanted =
            |way: &&Edge| store.truth(way.there) == Some(true) && !certain.has(way.from, way.to);
        let wanted = Rows::of(self.points, self.ways.iter().filter(wanted));
        let onwards = possible.clone().and_itself(self.points);
        for x in (0..self.points).filter(|x| wanted.row(*x).iter().any(|word| *word != 0)) {
            let leaves = |edge: &&Edge| {
                (edge.from == x || certain.has(x, edge.from)) && !certain.has(x, edge.to)
            };
            let leaving: Vec<&Edge> = self
                .edges
                .iter()
                .filter(leaves)
                .filter(|edge| store.truth(edge.there) != Some(false))
                .collect();
            let (mut once, mut twice) = (vec![0; certain.width], vec![0; certain.width]);
            for edge in &leaving {
                for (i, word) in onwards.row(edge.to).iter().enumerate() {
                    twice[i] |= once[i] & word;
                    once[i] |= word;
                }
            }
            for (i, word) in wanted.row(x).iter().enumerate() {
                if word & !once[i] != 0 {
                    return Err(Conflict);
                }
                let only = word & once[i] & !twice[i];
                let leads = |edge: &&&Edge| onwards.row(edge.to)[i] & only != 0;
                for edge in leaving.iter().filter(leads) {
                    store.assert(edge.there)?;
                }
            }
        }
        Ok(())
    }
}

impl Propagator for Reach {
    fn literals(&self) -> Vec<Lit> {
        self.edges.iter().chain(&self.ways).map(|edge| edge.there).collect()
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        let is = |edge: &&Edge, truth: bool| store.truth(edge.there) == Some(truth);
        let is_there = |edge: &&Edge| is(edge, true);
        let closed = |edges: &mut dyn Iterator<Item = &Edge>| {
            Rows::of(self.points, edges).close(self.points)
        };
        let certain = closed(&mut self.edges.iter().filter(is_there));
        let possible = closed(&mut self.edges.iter().filter(|edge| !is(edge, false)));
        // Ways go on as edges do, also those of which it is not known yet along which edges they are.
        let known = closed(&mut self.edges.iter().chain(&self.ways).filter(is_there));
        for way in &self.ways {
            if known.has(way.from, way.to) {
                store.assert(way.there)?;
            } else if !possible.has(way.from, way.to) {
                store.assert(way.there.negated())?;
            }
        }
        self.forbid(known, store)?;
        self.require(&certain, &possible, store)
    }

    fn is_costly(&self) -> bool {
        true
    }
}
