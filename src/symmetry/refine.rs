//! Label-equitable refinement of ordered partitions.
//!
//! Turner et al., algorithm 3, with these deviations:
//! * `n` in line 6 is the *current* number of cells; with `n` fixed at the start, cells that come
//!   into being during the loop escape and the result is not label equitable.
//! * Only cells that a splitter has an edge to are looked at; the others cannot be split by it. The
//!   cost of a splitter is its number of edges (times a logarithm, to group them by label).
//! * When a cell that no longer waits in the queue is split, its first largest part is not queued:
//!   degrees into the whole are already uniform, so degrees into all parts but one decide the last
//!   (Hopcroft; McKay).
//! * Labels in the adjacency lists already tell in- from out-edges, so lines 5-13 and 14 are one loop.
//! * It stops as soon as every *point* (vertices `0..points`) is alone in its cell.
//! * Where the search for a label branches, graphs whose vertices fit a word are refined by [`rows`] of bits.
//! * Before it begins, cells can be split in rounds by a number that sums up the edges of each vertex
//!   ([`Refiner::spread`]): in a graph with little symmetry that leaves nothing to refine.
//!
//! The order of cells depends on the colours, labels and degrees only, never on vertex numbers: for
//! isomorphic graphs the results correspond.

mod rows;

use super::partition::Partition;
use crate::clock;
use rows::Rows;
use std::collections::VecDeque;

/// One direction of an edge, seen from the vertex whose list it is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct HalfEdge {
    /// Says what the edge means and in which direction it is seen.
    pub label: u32,
    pub to: u32,
}

/// Adjacency lists, each sorted by label. Between two vertices there is at most one edge, and no
/// edge leads from a vertex to itself.
#[derive(Clone, Debug, Default)]
pub struct Adjacency {
    pub offsets: Vec<u32>,
    pub edges: Vec<HalfEdge>,
    /// Number of labels; labels are `0..labels`.
    pub labels: u32,
    /// Whether a label looks the same from both ends, by label; empty when none does.
    pub symmetric: Vec<bool>,
}

impl Adjacency {
    pub fn vertices(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    pub fn of(&self, v: u32) -> &[HalfEdge] {
        &self.edges[self.offsets[v as usize] as usize..self.offsets[v as usize + 1] as usize]
    }
}

/// The members of a cell that a splitter has touched.
#[derive(Clone, Copy, Debug, Default)]
struct Hits {
    number: u32,
    /// Least and greatest number of edges to one of them.
    least: u32,
    most: u32,
}

impl Hits {
    /// Whether they tell members of a cell of this length apart.
    fn splits(self, len: u32) -> bool {
        self.number < len || self.least < self.most
    }
}

/// The working memory of refinement.
#[derive(Clone, Debug, Default)]
pub struct Refiner {
    queue: VecDeque<u32>,
    queued: Vec<bool>,
    /// Edges of the present splitter under the present label, by vertex.
    count: Vec<u32>,
    touched: Vec<u32>,
    /// By start of cell.
    hits: Vec<Hits>,
    hit_cells: Vec<u32>,
    cuts: Vec<u32>,
    gathered: Vec<HalfEdge>,
    /// Working memory of `spread`.
    keyed: Vec<(u64, u32)>,
    rows: Rows,
    /// Whether the graph at hand has rows; none before that is asked.
    by_rows: Option<bool>,
    /// A number that is equal for isomorphic runs: what was split by what, into what.
    pub trace: u64,
}

impl Refiner {
    /// Gets ready for another graph, with this many vertices. All counts are 0 and nothing is queued after a run.
    pub fn reset(&mut self, vertices: usize) {
        self.queued.resize(vertices, false);
        self.count.resize(vertices, 0);
        self.hits.resize(vertices, Hits::default());
        self.trace = 0;
        self.by_rows = None;
    }

    /// Splits by a mark: `vertices` carry it, all others do not.
    pub fn mark(&mut self, partition: &mut Partition, vertices: impl Iterator<Item = u32>) {
        for v in vertices {
            self.touch(partition, v);
        }
        self.split_touched(partition);
    }

    /// Splits cells by their edges into all cells, in rounds, as long as each leaves half as many points or less
    /// to be told apart. The sum of a vertex's edges stands for them: vertices with the same sum stay together, so
    /// that all this is coarser than what refinement makes of the partition. A regular graph in one cell is left alone.
    pub fn spread(&mut self, graph: &Adjacency, partition: &mut Partition) {
        if partition.len.first().is_some_and(|len| *len as usize == graph.vertices())
            && graph.offsets.windows(3).all(|at| at[1] - at[0] == at[2] - at[1])
        {
            return;
        }
        let mut before = usize::MAX;
        while 0 < partition.open && partition.open <= before / 2 {
            before = partition.open;
            if clock::spend(graph.edges.len()).is_err() {
                return;
            }
            let all = 0..partition.elems.len();
            let key = |v: u32, cell: &[u32]| sum(graph.of(v), cell);
            partition.split_by_keys(all, &mut self.keyed, key);
        }
    }

    /// Refines the whole partition.
    pub fn refine_all(&mut self, graph: &Adjacency, partition: &mut Partition) {
        self.clear_queue();
        for start in partition.cells() {
            self.queued[start as usize] = true;
            self.queue.push_back(start);
        }
        self.run(graph, partition);
    }

    /// Refines a partition in which all points of a cell have equally many edges of each label, and all edges of a
    /// label lead into one of the sets, which end at these positions.
    ///
    /// That is what splitting by whole sets would tell. So of the cells that are left of a set all but one split the
    /// others (see the module's notes): the one with the most edges is spared.
    pub fn refine_counted(
        &mut self,
        graph: &Adjacency,
        partition: &mut Partition,
        sets: impl Iterator<Item = usize>,
    ) {
        debug_assert!(is_counted(graph, partition));
        self.clear_queue();
        let mut start = 0;
        for end in sets {
            let (mut spared, mut most) = (None, 0);
            while start < end {
                let len = partition.len[start];
                let edges = len as usize * graph.of(partition.elems[start]).len();
                if edges > most {
                    most = edges;
                    if let Some(cell) = spared.replace(start as u32) {
                        self.enqueue(cell);
                    }
                } else if edges > 0 {
                    self.enqueue(start as u32);
                }
                start += len as usize;
            }
        }
        self.run(graph, partition);
    }

    /// Takes `v` out of its cell, as the new last cell of it, and refines. The partition must be
    /// label equitable.
    pub fn individualise(&mut self, graph: &Adjacency, partition: &mut Partition, v: u32) {
        let start = partition.cell[v as usize];
        let n = partition.len[start as usize];
        if n == 1 {
            return;
        }
        let last = start + n - 1;
        partition.swap(partition.pos[v as usize], last);
        partition.cut(start, last);
        self.mix(start as u64, n as u64);
        if self.has_rows(graph) {
            return self.rows.run(partition, last, &mut self.trace);
        }
        self.clear_queue();
        self.enqueue(last);
        self.run(graph, partition);
    }

    fn has_rows(&mut self, graph: &Adjacency) -> bool {
        *self.by_rows.get_or_insert_with(|| {
            let suits = Rows::suit(graph);
            if suits {
                self.rows.read(graph);
            }
            suits
        })
    }

    fn run(&mut self, graph: &Adjacency, partition: &mut Partition) {
        while let Some(start) = self.queue.pop_front() {
            self.queued[start as usize] = false;
            if partition.open == 0 {
                self.clear_queue();
                break;
            }
            let work = if partition.len[start as usize] == 1 {
                let edges = graph.of(partition.elems[start as usize]);
                self.split_by(partition, edges);
                edges.len()
            } else {
                self.split_by_several(graph, partition, start)
            };
            // Who called hears the same when it asks next.
            if clock::spend(1 + work).is_err() {
                self.clear_queue();
                break;
            }
        }
        self.mix(partition.open as u64, u64::MAX);
    }

    /// Splits all cells by their degrees into the cell at `start`. Gives the number of its edges.
    fn split_by_several(
        &mut self,
        graph: &Adjacency,
        partition: &mut Partition,
        start: u32,
    ) -> usize {
        let lists = || partition.members(start).iter().map(|v| graph.of(*v));
        let Some(label) = lists().find_map(|list| Some(list.first()?.label)) else { return 0 };
        // The lists are sorted by label.
        let mut ends = lists().flat_map(|list| [list.first(), list.last()]).flatten();
        if ends.all(|e| e.label == label) {
            let mut edges = 0;
            for list in lists() {
                edges += list.len();
                list.iter().for_each(|edge| self.touch(partition, edge.to));
            }
            self.mix(label as u64, edges as u64);
            self.split_touched(partition);
            return edges;
        }
        let mut edges = std::mem::take(&mut self.gathered);
        edges.clear();
        lists().for_each(|list| edges.extend_from_slice(list));
        edges.sort_unstable_by_key(|e| e.label);
        self.split_by(partition, &edges);
        self.gathered = edges;
        self.gathered.len()
    }

    /// Splits all cells by their degrees into one splitter, label by label.
    fn split_by(&mut self, partition: &mut Partition, edges: &[HalfEdge]) {
        for same in edges.chunk_by(|a, b| a.label == b.label) {
            for edge in same {
                self.touch(partition, edge.to);
            }
            self.mix(same[0].label as u64, same.len() as u64);
            self.split_touched(partition);
        }
    }

    #[inline]
    fn touch(&mut self, partition: &Partition, v: u32) {
        let count = &mut self.count[v as usize];
        if *count == 0 {
            if partition.len[partition.cell[v as usize] as usize] == 1 {
                return;
            }
            self.touched.push(v);
        }
        *count += 1;
    }

    /// Splits every cell with touched members by their counts: untouched ones first, then ascending.
    fn split_touched(&mut self, partition: &mut Partition) {
        if self.touched.is_empty() {
            return;
        }
        // They go to the ends of their cells, also where these are not cut: of elements that nothing
        // tells apart, which ones come first is seen on the screen.
        for v in &self.touched {
            let start = partition.cell[*v as usize];
            let count = self.count[*v as usize];
            let hits = &mut self.hits[start as usize];
            if hits.number == 0 {
                *hits = Hits { number: 0, least: count, most: count };
                self.hit_cells.push(start);
            }
            let last = start + partition.len[start as usize] - 1;
            partition.swap(partition.pos[*v as usize], last - hits.number);
            hits.number += 1;
            hits.least = hits.least.min(count);
            hits.most = hits.most.max(count);
        }
        if self.hit_cells.len() > 1 {
            self.hit_cells.sort_unstable();
        }
        for i in 0..self.hit_cells.len() {
            let start = self.hit_cells[i];
            self.split(partition, start);
        }
        self.hit_cells.clear();
        for v in self.touched.drain(..) {
            self.count[v as usize] = 0;
        }
    }

    fn split(&mut self, partition: &mut Partition, start: u32) {
        let n = partition.len[start as usize];
        let hits = std::mem::take(&mut self.hits[start as usize]);
        self.mix((start as u64) << 32 | hits.number as u64, hits.least as u64);
        if !hits.splits(n) {
            return;
        }
        let end = start + n;
        let from = end - hits.number;
        self.cuts.clear();
        if from > start {
            self.cuts.push(from);
        }
        if hits.least < hits.most {
            let count = &self.count;
            let region = &mut partition.elems[from as usize..end as usize];
            region.sort_unstable_by_key(|v| count[*v as usize]);
            let mut before = hits.least;
            for (at, v) in (from..end).zip(region) {
                partition.pos[*v as usize] = at;
                let own = count[*v as usize];
                if own != before {
                    self.cuts.push(at);
                    before = own;
                }
            }
        }
        for i in (0..self.cuts.len()).rev() {
            let at = self.cuts[i];
            let degree = self.count[partition.elems[at as usize] as usize];
            self.mix(at as u64, degree as u64);
            partition.cut(start, at);
        }
        self.enqueue_parts(partition, start);
    }

    /// Queues the parts of a cell that has just been cut at `cuts`.
    fn enqueue_parts(&mut self, partition: &Partition, start: u32) {
        let mut spared = None;
        if !self.queued[start as usize] {
            let mut largest = start;
            for at in &self.cuts {
                if partition.len[*at as usize] > partition.len[largest as usize] {
                    largest = *at;
                }
            }
            spared = Some(largest);
            if largest != start {
                self.enqueue(start);
            }
        }
        for i in 0..self.cuts.len() {
            let at = self.cuts[i];
            if spared != Some(at) {
                self.enqueue(at);
            }
        }
    }

    fn enqueue(&mut self, start: u32) {
        if !std::mem::replace(&mut self.queued[start as usize], true) {
            self.queue.push_back(start);
        }
    }

    fn clear_queue(&mut self) {
        for start in self.queue.drain(..) {
            self.queued[start as usize] = false;
        }
    }

    #[inline]
    fn mix(&mut self, a: u64, b: u64) {
        mix(&mut self.trace, a, b);
    }
}

/// Sums up edges by their labels and the cells they lead to.
#[inline]
fn sum(edges: &[HalfEdge], cell: &[u32]) -> u64 {
    let number = |edge: &HalfEdge| {
        let told = (u64::from(edge.label) << 32 | u64::from(cell[edge.to as usize])) + 1;
        let mixed = told.wrapping_mul(ODD);
        (mixed ^ mixed >> 32).wrapping_mul(ODD)
    };
    edges.iter().fold(0, |sum, edge| sum.wrapping_add(number(edge)))
}

/// Whether all members of each cell have equally many edges of each label.
fn is_counted(graph: &Adjacency, partition: &Partition) -> bool {
    let labels = |v: u32| graph.of(v).iter().map(|e| e.label);
    partition.cells().all(|start| {
        let members = partition.members(start);
        members.iter().all(|v| labels(*v).eq(labels(members[0])))
    })
}

/// Spreads the bits of what it multiplies.
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Takes two numbers into a trace.
#[inline]
fn mix(trace: &mut u64, a: u64, b: u64) {
    let mixed = (*trace ^ a).wrapping_mul(ODD).rotate_left(29) ^ b;
    *trace = mixed.wrapping_mul(ODD) ^ (mixed >> 32);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Directed edges (from, to, label): label `2l` at the source, `2l + 1` at the target.
    fn adjacency(n: usize, edges: &[(u32, u32, u32)], labels: u32) -> Adjacency {
        let mut lists: Vec<Vec<HalfEdge>> = vec![Vec::new(); n];
        for (u, v, l) in edges {
            lists[*u as usize].push(HalfEdge { label: 2 * l, to: *v });
            lists[*v as usize].push(HalfEdge { label: 2 * l + 1, to: *u });
        }
        let mut graph = Adjacency { labels: 2 * labels, ..Adjacency::default() };
        graph.offsets.push(0);
        for mut list in lists {
            list.sort_unstable();
            graph.edges.extend(list);
            graph.offsets.push(graph.edges.len() as u32);
        }
        graph
    }

    fn equitable(graph: &Adjacency, p: &Partition) -> bool {
        let degrees = |v: u32| {
            let mut list: Vec<(u32, u32)> =
                graph.of(v).iter().map(|e| (e.label, p.cell[e.to as usize])).collect();
            list.sort_unstable();
            list
        };
        p.cells().all(|c| {
            let members = p.members(c);
            members.iter().all(|v| degrees(*v) == degrees(members[0]))
        })
    }

    fn cells(p: &Partition) -> Vec<Vec<u32>> {
        p.cells()
            .map(|c| {
                let mut members = p.members(c).to_vec();
                members.sort_unstable();
                members
            })
            .collect()
    }

    #[test]
    fn a_directed_path_is_taken_apart() {
        let graph = adjacency(5, &[(0, 1, 0), (1, 2, 0), (2, 3, 0), (3, 4, 0)], 1);
        let (mut p, mut r) = (Partition::default(), Refiner::default());
        p.reset(0..5, &[5], 5);
        r.reset(5);
        r.refine_all(&graph, &mut p);
        assert_eq!(p.open, 0);
        assert_eq!(p.cells().count(), 5);
    }

    #[test]
    fn random_graphs_become_equitable_and_the_order_is_invariant() {
        let mut seed = 3u64;
        let mut below = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % n
        };
        let (mut nontrivial, mut rounds) = (0, 0);
        for round in 0..300 {
            let n = 4 + below(10) as u32;
            let mut edges = Vec::new();
            for u in 0..n {
                for v in u + 1..n {
                    if below(8) < 1 + round % 5 {
                        let (a, b) = if below(2) == 0 { (u, v) } else { (v, u) };
                        edges.push((a, b, below(2) as u32));
                    }
                }
            }
            let graph = adjacency(n as usize, &edges, 2);
            let refined = |graph: &Adjacency, spread: bool| {
                let (mut p, mut r) = (Partition::default(), Refiner::default());
                // All vertices count as special here, so that refinement does not stop early.
                p.reset(0..n, &[2, n - 2], n as usize);
                r.reset(n as usize);
                if spread {
                    r.spread(graph, &mut p);
                }
                r.refine_all(graph, &mut p);
                (p, r)
            };
            let (mut p, mut r) = refined(&graph, false);
            assert!(p.open == 0 || equitable(&graph, &p));
            nontrivial += (p.open > 0) as u32;

            let mut image: Vec<u32> = (0..n).collect();
            for i in (3..n as usize).rev() {
                image.swap(i, 2 + below(i as u64 - 1) as usize);
            }
            let moved: Vec<_> = edges
                .iter()
                .map(|(u, v, l)| (image[*u as usize], image[*v as usize], *l))
                .collect();
            let graph2 = adjacency(n as usize, &moved, 2);
            let expected = |p: &Partition| {
                let moved = |mut cell: Vec<u32>| {
                    cell.iter_mut().for_each(|v| *v = image[*v as usize]);
                    cell.sort_unstable();
                    cell
                };
                cells(p).into_iter().map(moved).collect::<Vec<_>>()
            };
            let (p2, r2) = refined(&graph2, false);
            assert_eq!(r.trace, r2.trace);
            assert_eq!(expected(&p), cells(&p2));
            // In rounds first: the same cells, in another order, which is invariant as well.
            let (mut spread, spread2) = (refined(&graph, true).0, refined(&graph2, true).0);
            assert_eq!(expected(&spread), cells(&spread2));
            let sorted = |p: &Partition| {
                let mut cells = cells(p);
                cells.sort_unstable();
                cells
            };
            assert_eq!(sorted(&spread), sorted(&p));
            assert_eq!(spread.open, p.open);
            // And rounds alone never tell apart what refinement does not.
            spread.reset(0..n, &[2, n - 2], n as usize);
            r.spread(&graph, &mut spread);
            let coarser = |c: u32| {
                p.members(c)
                    .iter()
                    .all(|v| spread.cell[*v as usize] == spread.cell[p.elems[c as usize] as usize])
            };
            assert!(p.cells().all(coarser));
            rounds += (spread.cells().count() > 2) as u32;
            if p.open > 0 {
                let c = p.cells().find(|c| p.len[*c as usize] > 1).unwrap();
                let v = p.members(c)[0];
                r.individualise(&graph, &mut p, v);
                assert!(p.open == 0 || equitable(&graph, &p));
            }
        }
        assert!(nontrivial > 20 && rounds > 200, "{nontrivial} {rounds}");
    }

    #[test]
    fn rows_refine_as_lists_do() {
        let mut seed = 9u64;
        let mut below = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % n
        };
        let mut split = 0;
        for _ in 0..300 {
            // Circulant graphs with some arcs among them: large cells, which a vertex splits step by step.
            let n = 6 + below(59) as u32;
            let steps = [1 + below(5) as u32, 1 + below(n as u64 - 1) as u32];
            let mut seen = std::collections::HashSet::new();
            let mut edges = Vec::new();
            for (label, step) in (0..).zip(steps) {
                for u in 0..n {
                    let v = (u + step) % n;
                    if u != v && seen.insert((u.min(v), u.max(v))) {
                        edges.push((u, v, label));
                    }
                }
            }
            let graph = adjacency(n as usize, &edges, 2);
            let refined = |by_rows: bool| {
                let (mut p, mut r) = (Partition::default(), Refiner::default());
                p.reset(0..n, &[n], n as usize);
                r.reset(n as usize);
                r.refine_all(&graph, &mut p);
                r.rows.read(&graph);
                r.by_rows = Some(by_rows);
                r.trace = 0;
                r.individualise(&graph, &mut p, n / 2);
                p
            };
            let (lists, rows) = (refined(false), refined(true));
            assert_eq!(lists.open, rows.open);
            split += (lists.open > 0) as u32;
            if lists.open > 0 {
                assert!(equitable(&graph, &rows));
                let sorted = |p: &Partition| {
                    let mut all = cells(p);
                    all.sort_unstable();
                    all
                };
                assert_eq!(sorted(&lists), sorted(&rows));
            }
            for (at, v) in rows.elems.iter().enumerate() {
                assert_eq!(rows.pos[*v as usize], at as u32);
                assert!(rows.members(rows.cell[*v as usize]).contains(v));
            }
        }
        assert!(split > 20, "{split}");
    }
}
