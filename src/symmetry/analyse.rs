//! What refinement has already decided: parts of a graph that need no branching.
//!
//! In a label-equitable partition, take for every two cells (or a cell with itself) the relation that
//! holds between most pairs - usually none - as the background. It is uniform and says nothing. What
//! is left, between cells with several members, is the *non-trivial part*. It falls into components,
//! as a graph of cells; an automorphism that respects the cells may act on each independently.
//!
//! A component whose non-trivial part is a forest is decided by colour refinement: any member of a
//! cell can be mapped to any other. Whether it is one can be seen on the cells alone: all members of a
//! cell have equal degrees, so cells of non-trivial degree at most one can be taken away, again and
//! again, and the forest is what disappears. If in addition nothing is related within its cell and no background is a
//! label, these are *trees*: the cell that is taken away last holds their roots, and each vertex of another cell has one
//! vertex above it, with as many beside it as every other one of its cell.
//!
//! A component with a background of no edges in which all non-trivial degrees are one, without edges
//! inside a cell, is a *bundle*: equal rigid strands, each with one vertex in every cell, that can be
//! permuted at will. A single cell of interchangeable vertices (twins) is the simplest bundle.
//!
//! A component with a background of no edges in which each vertex has two non-trivial edges, and is a point, consists of
//! *rings*. All go through the same cells in the same order, so that rings of one length look alike, and so do their
//! vertices in one cell: only lengths are to be compared. (Traces, too, takes vertices of degree two by themselves.)

use super::partition::Partition;
use super::refine::Adjacency;
use smallvec::SmallVec;

/// The verdict on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Kind {
    /// Alone, or not decided: needs branching. In the core of its component.
    #[default]
    Core,
    /// In a component with a core, outside it: decided once the core is.
    Pendant,
    Forest,
    Trees,
    Bundle,
    Rings,
}

/// What the relations of a cell are like: one is within the cell, the background of one is a label, one joins each
/// vertex with several.
const INSIDE: u8 = 1;
const COMPLEMENT: u8 = 2;
const SEVERAL: u8 = 4;
/// Whether it was not taken away, and whether no ring can go through it.
const UNPEELED: u8 = 8;
const NO_RING: u8 = 16;

/// No cell.
const NONE: u32 = u32::MAX;

/// Working memory and result of the analysis of a partition.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// By start of cell, for cells with several members.
    pub kind: Vec<Kind>,
    /// The non-trivial relations, sorted.
    relations: Vec<Relation>,
    /// By start of cell, where its relations begin and end.
    ranges: Vec<(u32, u32)>,
    /// The cells with several members, by start.
    pub cells: Vec<u32>,
    /// By start of cell, for these, the length.
    len: Vec<u32>,
    /// Cells in the order in which they were taken away: those of trees from the leaves on.
    taken: Vec<u32>,
    /// By start of cell, the cell that was still related to it then.
    up: Vec<u32>,
    degree: Vec<u32>,
    peeled: Vec<bool>,
    /// What its relations are like; of the cell that names a component, those of all its cells.
    traits: Vec<u8>,
    parent: Vec<u32>,
    /// The cells that the one at hand has edges into, and by start of cell these edges.
    met: Vec<u32>,
    tallies: Vec<Tally>,
    stack: Vec<u32>,
    /// Vertices in the core of a component, by its root.
    size: Vec<u32>,
}

/// The edges from one vertex into a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    all: u32,
    /// Those with the label at hand, and most with any label.
    alike: u32,
    most: u32,
}

#[derive(Clone, Copy, Debug)]
struct Relation {
    to: u32,
    /// Non-trivial edges from a member of the cell into `to`.
    degree: u32,
}

impl Analysis {
    /// Looks at a label-equitable partition. The cost is that of the edges of one member per cell.
    pub fn run(&mut self, graph: &Adjacency, partition: &Partition) {
        let n = partition.elems.len();
        self.kind.resize(n, Kind::Core);
        self.degree.resize(n, 0);
        self.peeled.resize(n, false);
        self.traits.resize(n, 0);
        self.parent.resize(n, 0);
        self.up.resize(n, NONE);
        self.tallies.resize(n, Tally::default());
        self.ranges.resize(n, (0, 0));
        self.len.resize(n, 0);
        self.taken.clear();
        self.cells.clear();
        self.relations.clear();
        let mut at = 0;
        while at < n {
            let (start, len) = (at as u32, partition.len[at]);
            self.len[at] = len;
            if len > 1 {
                self.cells.push(start);
                self.ranges[at] = (0, 0);
                self.degree[at] = 0;
                self.peeled[at] = false;
                self.traits[at] = 0;
                self.parent[at] = start;
            }
            at += len as usize;
        }
        if graph.edges.is_empty() {
            for start in &self.cells {
                self.kind[*start as usize] = Kind::Bundle;
            }
            return;
        }
        for i in 0..self.cells.len() {
            let (start, from) = (self.cells[i], self.relations.len() as u32);
            self.relate(graph, partition, start);
            self.ranges[start as usize] = (from, self.relations.len() as u32);
        }
        self.peel();
        self.classify(partition.points as u32);
    }

    /// Finds the non-trivial relations of one cell.
    fn relate(&mut self, graph: &Adjacency, partition: &Partition, start: u32) {
        let edges = graph.of(partition.elems[start as usize]);
        self.met.clear();
        for alike in edges.chunk_by(|a, b| a.label == b.label) {
            let label = alike[0].label as usize;
            let is_symmetric = graph.symmetric.get(label).is_some_and(|s| *s);
            for edge in alike {
                let to = partition.cell[edge.to as usize];
                if partition.len[to as usize] > 1 {
                    let tally = &mut self.tallies[to as usize];
                    if tally.all == 0 {
                        self.met.push(to);
                    }
                    tally.all += 1;
                    tally.alike += 1;
                }
            }
            for to in &self.met {
                let tally = &mut self.tallies[*to as usize];
                let alike = std::mem::take(&mut tally.alike);
                // Inside a cell only what looks the same from both ends can be a background.
                if *to != start || is_symmetric {
                    tally.most = tally.most.max(alike);
                }
            }
        }
        if !self.met.is_sorted() {
            self.met.sort_unstable();
        }
        for i in 0..self.met.len() {
            let to = self.met[i];
            let Tally { all, most, .. } = std::mem::take(&mut self.tallies[to as usize]);
            let others = partition.len[to as usize] - (to == start) as u32;
            let absent = others - all;
            let degree = others - most.max(absent);
            if degree > 0 {
                let complement = most > absent;
                self.relations.push(Relation { to, degree });
                self.degree[start as usize] += degree;
                let traits = &mut self.traits[start as usize];
                *traits |= if to == start { INSIDE } else { 0 };
                *traits |= if complement { COMPLEMENT } else { 0 };
                *traits |= if degree > 1 { SEVERAL } else { 0 };
                // A relation is seen from both cells.
                if to < start {
                    self.join(start, to);
                }
            }
        }
    }

    fn relations_of(&self, start: u32) -> &[Relation] {
        let (from, to) = self.ranges[start as usize];
        &self.relations[from as usize..to as usize]
    }

    /// Whether a cell is related to no other, nor in itself.
    pub fn is_alone(&self, start: u32) -> bool {
        self.relations_of(start).is_empty()
    }

    /// Takes away cells of degree at most one.
    fn peel(&mut self) {
        self.stack.clear();
        self.stack.extend(self.cells.iter().filter(|c| self.degree[**c as usize] <= 1));
        while let Some(start) = self.stack.pop() {
            if std::mem::replace(&mut self.peeled[start as usize], true) {
                continue;
            }
            self.taken.push(start);
            self.up[start as usize] = NONE;
            let (from, until) = self.ranges[start as usize];
            for i in from..until {
                let to = self.relations[i as usize].to;
                if to == start || self.peeled[to as usize] {
                    continue;
                }
                self.up[start as usize] = to;
                let back = self.relations_of(to).iter().find(|r| r.to == start);
                let back = back.map_or(0, |r| r.degree);
                let degree = &mut self.degree[to as usize];
                *degree = degree.saturating_sub(back);
                if *degree <= 1 {
                    self.stack.push(to);
                }
            }
        }
    }

    /// Takes two related cells into one component. The least cell names it.
    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (root(&self.parent, one), root(&self.parent, other));
        self.parent[one.max(other) as usize] = one.min(other);
    }

    /// Cells from position `points` on hold vertices that are no points.
    fn classify(&mut self, points: u32) {
        for start in self.cells.iter().copied() {
            let at = start as usize;
            let mut traits = self.traits[at];
            if !self.peeled[at] {
                traits |= UNPEELED;
            }
            if self.peeled[at] || self.degree[at] != 2 || start >= points {
                traits |= NO_RING;
            }
            let root = root(&self.parent, start);
            self.traits[root as usize] |= traits;
        }
        // Roots come before the other cells of their component, whose traits are theirs alone.
        for start in self.cells.iter().copied() {
            let traits = self.traits[root(&self.parent, start) as usize];
            let has = |of: u8| traits & of != 0;
            self.kind[start as usize] = match () {
                () if has(UNPEELED) && !has(NO_RING | COMPLEMENT) => Kind::Rings,
                () if has(UNPEELED) && self.peeled[start as usize] => Kind::Pendant,
                () if has(UNPEELED) => Kind::Core,
                () if has(INSIDE | COMPLEMENT) => Kind::Forest,
                () if has(SEVERAL) => Kind::Trees,
                () => Kind::Bundle,
            };
        }
    }

    /// The cell below `limit` to branch on: of the component whose core is the smallest, the first cell
    /// among those of the core with the most non-trivial relations (McKay's "most non-trivially joined").
    /// So one component is dealt with before the next, and a choice in it that was wrong is not found
    /// out only after choices in all others.
    pub fn target(&mut self, limit: u32) -> Option<u32> {
        self.size.resize(self.kind.len(), 0);
        self.cells.iter().for_each(|start| self.size[*start as usize] = 0);
        for start in &self.cells {
            if self.kind[*start as usize] == Kind::Core {
                self.size[root(&self.parent, *start) as usize] += self.len[*start as usize];
            }
        }
        let mut best = None;
        for start in self.cells.iter().copied() {
            if start < limit && self.kind[start as usize] == Kind::Core {
                let size = self.size[root(&self.parent, start) as usize];
                let key = (size, std::cmp::Reverse(self.relations_of(start).len()));
                if best.is_none_or(|(least, _)| key < least) {
                    best = Some((key, start));
                }
            }
        }
        best.map(|(_, start)| start)
    }

    /// The length that a cell had.
    pub fn len(&self, start: u32) -> u32 {
        self.len[start as usize]
    }

    /// The cells of trees, each after the one above it, if it is not one of roots.
    pub fn trees(&self) -> impl Iterator<Item = (u32, Option<u32>)> + '_ {
        let cells = self.taken.iter().rev().filter(|c| self.kind[**c as usize] == Kind::Trees);
        cells.map(|c| (*c, Some(self.up[*c as usize]).filter(|up| *up != NONE)))
    }

    /// The cells that hold what hangs from the vertices of a cell of trees, that cell first.
    pub fn hanging(&self, start: u32) -> SmallVec<[u32; 8]> {
        let mut cells = SmallVec::from_slice(&[start]);
        let mut next = 0;
        while let Some(above) = cells.get(next).copied() {
            next += 1;
            let below = self.relations_of(above).iter().map(|r| r.to);
            cells.extend(below.filter(|c| self.up[*c as usize] == above));
        }
        cells
    }

    /// Components of rings: their cells, the one that names the component first.
    pub fn rings(&self) -> Vec<Vec<u32>> {
        let cells = self.cells.iter().filter(|c| self.kind[**c as usize] == Kind::Rings);
        let mut components: Vec<Vec<u32>> = Vec::new();
        for cell in cells {
            let root = root(&self.parent, *cell);
            match components.iter_mut().find(|cells| cells[0] == root) {
                Some(cells) => cells.push(*cell),
                None => components.push(vec![*cell]),
            }
        }
        components
    }

    /// Whether members of a cell have non-trivial edges to those of another one.
    pub fn is_related(&self, from: u32, to: u32) -> bool {
        self.relations_of(from).iter().any(|r| r.to == to)
    }

    /// The cells that a bundle cell is related to.
    pub fn strands(&self, start: u32) -> impl Iterator<Item = u32> + '_ {
        self.relations_of(start).iter().map(|r| r.to)
    }
}

/// The cell that names the component of this one.
fn root(parent: &[u32], mut at: u32) -> u32 {
    while parent[at as usize] != at {
        at = parent[at as usize];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::super::refine::{HalfEdge, Refiner};
    use super::*;

    fn undirected(n: usize, edges: &[(u32, u32)]) -> Adjacency {
        let mut lists: Vec<Vec<HalfEdge>> = vec![Vec::new(); n];
        for (u, v) in edges {
            lists[*u as usize].push(HalfEdge { label: 0, to: *v });
            lists[*v as usize].push(HalfEdge { label: 0, to: *u });
        }
        let mut graph = Adjacency { labels: 1, symmetric: vec![true], ..Adjacency::default() };
        graph.offsets.push(0);
        for mut list in lists {
            list.sort_unstable();
            graph.edges.extend(list);
            graph.offsets.push(graph.edges.len() as u32);
        }
        graph
    }

    fn kinds(graph: &Adjacency, colours: &[u32]) -> Vec<Kind> {
        let n = graph.vertices();
        let (mut p, mut r, mut a) = (Partition::default(), Refiner::default(), Analysis::default());
        p.reset(0..n as u32, colours, n);
        r.reset(n);
        r.refine_all(graph, &mut p);
        a.run(graph, &p);
        p.cells().filter(|c| p.len[*c as usize] > 1).map(|c| a.kind[c as usize]).collect()
    }

    #[test]
    fn kinds_of_components() {
        use Kind::*;
        assert_eq!(kinds(&undirected(4, &[]), &[4]), [Bundle]);
        assert_eq!(kinds(&undirected(6, &[(0, 3), (1, 4), (2, 5)]), &[3, 3]), [Bundle, Bundle]);
        // A matching inside one cell, and its complement.
        assert_eq!(kinds(&undirected(4, &[(0, 1), (2, 3)]), &[4]), [Forest]);
        assert_eq!(kinds(&undirected(4, &[(0, 2), (0, 3), (1, 2), (1, 3)]), &[4]), [Forest]);
        let complete: Vec<(u32, u32)> =
            (0..5).flat_map(|u| (u + 1..5).map(move |v| (u, v))).collect();
        assert_eq!(kinds(&undirected(5, &complete), &[5]), [Bundle]);
        // Two stars; a hexagon; two triangles; a square with pendants.
        let stars = undirected(6, &[(0, 2), (0, 3), (1, 4), (1, 5)]);
        assert_eq!(kinds(&stars, &[6]), [Trees, Trees]);
        let hexagon = undirected(6, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]);
        assert_eq!(kinds(&hexagon, &[6]), [Rings]);
        let triangles = undirected(6, &[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]);
        assert_eq!(kinds(&triangles, &[6]), [Rings]);
        let sun: Vec<(u32, u32)> = (0..5).flat_map(|u| [(u, (u + 1) % 5), (u, u + 5)]).collect();
        let mut found = kinds(&undirected(10, &sun), &[10]);
        found.sort_by_key(|k| *k != Core);
        assert_eq!(found, [Core, Pendant]);
    }
}
