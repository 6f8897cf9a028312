//! Rings laid out without branching.
//!
//! The shorter ones come first, and each is gone through from one of its points in the cell that names the component, on
//! the side that comes first. From each of these points the way round looks the same: so all choices give one image, and
//! the group of rings of one length is that of one ring, for each of them, and all their orders (a wreath product).

use super::{Search, Subject};
use crate::clock::{self, Stopped};
use crate::symmetry::analyse::Analysis;
use crate::symmetry::orbit::factorial;
use crate::symmetry::partition::Partition;
use crate::symmetry::refine::Adjacency;

/// What the edges of rings are seen in.
struct Graph<'g> {
    adjacency: &'g Adjacency,
    partition: &'g Partition,
    analysis: &'g Analysis,
}

impl Graph<'_> {
    /// The neighbours of a point in its ring, each with how it is seen from there, in the order of that.
    fn sides(&self, v: u32) -> [((u32, u32), u32); 2] {
        let own = self.partition.cell[v as usize];
        let edges = self.adjacency.of(v).iter();
        let seen = edges.map(|e| ((self.partition.cell[e.to as usize], e.label), e.to));
        let mut sides = seen.filter(|((to, _), _)| self.analysis.is_related(own, *to));
        let (Some(one), Some(other)) = (sides.next(), sides.next()) else {
            unreachable!("a point of a ring has two neighbours");
        };
        if one.0 <= other.0 { [one, other] } else { [other, one] }
    }

    /// The way round from a point, on this side first.
    fn round(&self, from: u32, side: usize) -> Vec<u32> {
        let (mut before, mut at) = (from, self.sides(from)[side].1);
        let mut ring = vec![from];
        while at != from {
            ring.push(at);
            let [one, other] = self.sides(at).map(|(_, to)| to);
            (before, at) = (at, if one == before { other } else { one });
        }
        ring
    }
}

impl<S: Subject> Search<'_, S> {
    /// Lays out all rings.
    pub(super) fn rings(&mut self, analysis: &Analysis, on_first: bool) -> Result<(), Stopped> {
        for cells in analysis.rings() {
            let (adjacency, partition) = (self.adjacency, &self.work.partition);
            let graph = Graph { adjacency, partition, analysis };
            let starts = partition.members(cells[0]).to_vec();
            clock::spend(starts.len() * cells.len())?;
            let mut seen = vec![false; self.group.points()];
            let mut rings: Vec<Vec<u32>> = Vec::new();
            for v in &starts {
                if !seen[*v as usize] {
                    let ring = graph.round(*v, 0);
                    ring.iter().for_each(|v| seen[*v as usize] = true);
                    rings.push(ring);
                }
            }
            rings.sort_by_key(Vec::len);
            if on_first {
                let at = self.work.found.end();
                self.turns(analysis, cells[0], &rings);
                self.make_use(at);
            }
            let partition = &mut self.work.partition;
            for cell in cells {
                let mut next = cell;
                for v in rings.iter().flatten() {
                    if partition.cell[*v as usize] == cell {
                        partition.swap(partition.pos[*v as usize], next);
                        next += 1;
                    }
                }
                partition.scatter(cell);
            }
        }
        Ok(())
    }

    /// Counts the automorphisms of rings in order of their lengths, and adds what generates them where it is wanted.
    /// `cell`: the one in which they begin.
    fn turns(&mut self, analysis: &Analysis, cell: u32, rings: &[Vec<u32>]) {
        let wanted = self.wants();
        let (adjacency, partition) = (self.adjacency, &self.work.partition);
        let graph = Graph { adjacency, partition, analysis };
        for alike in rings.chunk_by(|a, b| a.len() == b.len()) {
            let ring = &alike[0];
            let begins = |v: &&u32| partition.cell[**v as usize] == cell;
            let [one, other] = graph.sides(ring[0]).map(|(seen, _)| seen);
            let ways = ring.iter().filter(begins).count() * if one == other { 2 } else { 1 };
            let count = alike.len();
            for _ in 0..count {
                self.order = self.order.times_count(ways);
            }
            self.order = self.order.times(&factorial(count));
            if !wanted {
                continue;
            }
            let points = self.group.points() as u32;
            let mut onto = |round: Vec<u32>| {
                let mut images: Vec<u32> = (0..points).collect();
                ring.iter().zip(round).for_each(|(from, to)| images[*from as usize] = to);
                self.work.found.add(images);
            };
            // To the next beginnings on both sides, from which all others follow, and back the same way.
            let beginnings = || ring[1..].iter().filter(begins);
            let next = beginnings().next();
            let last = beginnings().next_back().filter(|last| Some(*last) != next);
            next.into_iter().chain(last).for_each(|v| onto(graph.round(*v, 0)));
            if one == other {
                onto(graph.round(ring[0], 1));
            }
            if count > 1 {
                let points = (0..ring.len()).flat_map(|i| alike.iter().map(move |ring| ring[i]));
                self.work.found.add_strands(count, points);
            }
        }
    }
}
