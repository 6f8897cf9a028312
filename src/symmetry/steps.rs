//! Algorithms 2 and 3 of Turner et al. on the drawing of a state, step by step, as data.
//!
//! Algorithm 3 is followed as it is printed, with the current number of cells in line 6. Of algorithm
//! 2 one branch is followed: where refinement ends with open cells, the vertex of the first one whose
//! image under the labelling's permutation is least is taken. That branch is the same for all states
//! of an orbit: a state `s` with the permutation `p` and its canonical image `p(s)` with the identity
//! choose vertices that `p` maps to each other, and two permutations that take `s` to its image differ
//! by an automorphism of the image. So the discrete partition at its end gives all of them one matrix.

use super::matrix::StateGraph;
use crate::clock;
use std::collections::BTreeMap;

/// One step of refinement: a cell was split by its degrees into another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Split {
    /// The splitter W.
    pub by: Vec<usize>,
    /// Position of the label in [`StateGraph::labels`].
    pub label: usize,
    /// Whether edges from W were counted (d_in), or edges to W (d_out).
    pub incoming: bool,
    pub cell: Vec<usize>,
    /// The parts with their degrees, increasing.
    pub parts: Vec<(usize, Vec<usize>)>,
    /// Number of splitters that were removed from the queue by now in this refinement, W included.
    pub removed: usize,
}

/// The choice of a vertex where refinement alone does not end with single vertices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The first cell with several members.
    pub cell: Vec<usize>,
    pub vertex: usize,
}

/// A node of the search tree: a choice (at the root there is none) and the refinement after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    pub choice: Option<Choice>,
    pub splits: Vec<Split>,
}

/// The way from the colours of the drawing to single vertices. Vertices are numbers in
/// [`StateGraph::vertices`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walk {
    /// The initial partition.
    pub initial: Vec<Vec<usize>>,
    /// From the root of the search tree to the leaf.
    pub nodes: Vec<Node>,
    /// The first equitable partition: that of the root.
    pub equitable: Vec<Vec<usize>>,
    /// The vertices as they stand alone at the leaf.
    pub order: Vec<usize>,
}

/// What led to a [`Stage`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<'a> {
    /// Nothing yet: the colours.
    Start,
    Choice(&'a Choice),
    Split(&'a Split),
}

/// Where the walk stands after an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage<'a> {
    pub event: Event<'a>,
    /// The partition, π.
    pub partition: Vec<Vec<usize>>,
    /// The splitters that wait, α, the next one first.
    pub waiting: Vec<Vec<usize>>,
}

impl Walk {
    /// Every stage of the walk, the start first.
    pub fn stages(&self) -> Vec<Stage<'_>> {
        let mut partition = self.initial.clone();
        let mut stages = Vec::new();
        for node in &self.nodes {
            let event = match &node.choice {
                None => Event::Start,
                Some(choice) => {
                    let rest = choice.cell.iter().copied().filter(|v| *v != choice.vertex);
                    let parts = [vec![choice.vertex], rest.collect()];
                    replace(&mut partition, &choice.cell, parts);
                    Event::Choice(choice)
                }
            };
            let mut queue = partition.clone();
            stages.push(Stage { event, partition: partition.clone(), waiting: queue.clone() });
            for split in &node.splits {
                let parts = split.parts.iter().map(|(_, part)| part.clone());
                replace(&mut partition, &split.cell, parts.clone());
                queue.extend(parts);
                let waiting = queue.get(split.removed..).unwrap_or_default().to_vec();
                let event = Event::Split(split);
                stages.push(Stage { event, partition: partition.clone(), waiting });
            }
        }
        stages
    }
}

fn replace(
    partition: &mut Vec<Vec<usize>>,
    cell: &[usize],
    parts: impl IntoIterator<Item = Vec<usize>>,
) {
    if let Some(at) = partition.iter().position(|c| c == cell) {
        partition.splice(at..=at, parts);
    }
}

impl StateGraph {
    /// Walks from the colours to single vertices. `place` says where a vertex comes among those of
    /// its cell under the labelling's permutation. `None` when it is stopped.
    pub fn walk<K: Ord>(&self, place: impl Fn(usize) -> K) -> Option<Walk> {
        let mut refinement = Refinement::new(self);
        let mut equitable = None;
        let mut nodes = Vec::new();
        let mut choice = None;
        loop {
            let splits = refinement.refine()?;
            nodes.push(Node { choice: choice.take(), splits });
            if equitable.is_none() {
                equitable = Some(refinement.cells.list());
            }
            let Some(start) = refinement.cells.first_open() else { break };
            let cell = refinement.cells.members(start).to_vec();
            let Some(vertex) = cell.iter().copied().min_by_key(|v| place(*v)) else { break };
            let rest = cell.iter().copied().filter(|v| *v != vertex).collect();
            refinement.cells.split(start, &[vec![vertex], rest]);
            choice = Some(Choice { cell, vertex });
        }
        Some(Walk {
            initial: self.colours.clone(),
            nodes,
            equitable: equitable.unwrap_or_default(),
            order: refinement.cells.elems,
        })
    }
}

/// An ordered partition; a cell is known by the position of its first member.
struct Cells {
    elems: Vec<usize>,
    /// By vertex: its cell.
    cell: Vec<usize>,
    /// By first position: number of members.
    len: Vec<usize>,
    count: usize,
}

impl Cells {
    fn new(partition: &[Vec<usize>]) -> Cells {
        let elems = partition.concat();
        let n = elems.len();
        let mut cells = Cells { elems, cell: vec![0; n], len: vec![0; n], count: 0 };
        let mut start = 0;
        for members in partition.iter().filter(|m| !m.is_empty()) {
            members.iter().for_each(|v| cells.cell[*v] = start);
            cells.len[start] = members.len();
            start += members.len();
            cells.count += 1;
        }
        cells
    }

    fn members(&self, start: usize) -> &[usize] {
        &self.elems[start..start + self.len[start]]
    }

    fn starts(&self) -> impl Iterator<Item = usize> + '_ {
        let next = |at: &usize| Some(at + self.len[*at]).filter(|at| *at < self.elems.len());
        std::iter::successors((!self.elems.is_empty()).then_some(0), next)
    }

    fn list(&self) -> Vec<Vec<usize>> {
        self.starts().map(|start| self.members(start).to_vec()).collect()
    }

    fn first_open(&self) -> Option<usize> {
        self.starts().find(|start| self.len[*start] > 1)
    }

    fn split(&mut self, start: usize, parts: &[Vec<usize>]) {
        let mut at = start;
        for part in parts.iter().filter(|p| !p.is_empty()) {
            for (i, v) in part.iter().enumerate() {
                self.elems[at + i] = *v;
                self.cell[*v] = at;
            }
            self.len[at] = part.len();
            at += part.len();
            self.count += 1;
        }
        self.count -= 1;
    }
}

/// Neighbours of each vertex under one label.
type Neighbours = Vec<Vec<usize>>;

struct Refinement {
    cells: Cells,
    /// By label: where edges from a vertex go, and where those to it come from.
    edges: Vec<(Neighbours, Neighbours)>,
}

impl Refinement {
    fn new(graph: &StateGraph) -> Refinement {
        let n = graph.vertices.len();
        let mut edges = vec![(vec![Vec::new(); n], vec![Vec::new(); n]); graph.labels.len()];
        for (from, to, label) in &graph.edges {
            edges[*label].0[*from].push(*to);
            edges[*label].1[*to].push(*from);
        }
        Refinement { cells: Cells::new(&graph.colours), edges }
    }

    /// Algorithm 3. Only cells with a vertex that has an edge to or from the splitter can be split by
    /// it, so the others are not looked at.
    fn refine(&mut self) -> Option<Vec<Split>> {
        let n = self.cells.elems.len();
        let mut queue = self.cells.list();
        let mut removed = 0;
        let mut splits = Vec::new();
        let mut degree = vec![0_usize; n];
        while self.cells.count < n && removed < queue.len() {
            let splitter = queue[removed].clone();
            clock::spend(self.edges.len() * splitter.len()).ok()?;
            removed += 1;
            for incoming in [true, false] {
                for label in 0..self.edges.len() {
                    let (outward, inward) = &self.edges[label];
                    let neighbours = if incoming { outward } else { inward };
                    let touched: Vec<usize> =
                        splitter.iter().flat_map(|v| &neighbours[*v]).copied().collect();
                    touched.iter().for_each(|v| degree[*v] += 1);
                    let mut starts: Vec<usize> =
                        touched.iter().map(|v| self.cells.cell[*v]).collect();
                    starts.sort_unstable();
                    starts.dedup();
                    for start in starts {
                        let parts = parts(self.cells.members(start), &degree);
                        if parts.len() < 2 {
                            continue;
                        }
                        let cell = self.cells.members(start).to_vec();
                        let lists: Vec<Vec<usize>> =
                            parts.iter().map(|(_, part)| part.clone()).collect();
                        self.cells.split(start, &lists);
                        queue.extend(lists);
                        let by = splitter.clone();
                        splits.push(Split { by, label, incoming, cell, parts, removed });
                    }
                    touched.iter().for_each(|v| degree[*v] = 0);
                }
            }
        }
        Some(splits)
    }
}

/// A cell sorted into parts of equal degree.
fn parts(cell: &[usize], degree: &[usize]) -> Vec<(usize, Vec<usize>)> {
    let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for v in cell {
        parts.entry(degree[*v]).or_default().push(*v);
    }
    parts.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Cell, Group, Labeller, Options, SymmetricSet, Valuation};
    use super::*;
    use crate::clock::Clock;
    use crate::machine::{SetId, Type};
    use crate::value::{Permutation, Shape, Sizes, Value};
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Arc;

    const N: u32 = 4;

    fn walk(graph: &StateGraph, permutation: &Permutation) -> Walk {
        graph.walk(|v| graph.place(v, permutation)).unwrap()
    }

    /// The canonical label of a relation on a set of four elements, by way of the walk.
    fn label(shape: &Shape, value: &Value) -> String {
        let sets = [SymmetricSet::all(SetId(0), N)];
        let cells = [Cell { label: 0, shape, value }];
        let mut labeller = Labeller::new(Group::new(sets.clone()));
        let found = labeller.label(&cells, &mut Valuation(&cells), Options::default()).unwrap();
        let graph = StateGraph::draw(&sets, &cells);
        let walk = walk(&graph, &found.permutation);
        consistent(&graph, &walk);
        let cells = walk.equitable.iter().map(Vec::len).collect();
        graph.matrix(walk.order, cells, |_| String::new()).canonical_label()
    }

    /// What the stages say is what the walk came to.
    fn consistent(graph: &StateGraph, walk: &Walk) {
        let stages = walk.stages();
        let splits: usize = walk.nodes.iter().map(|n| n.splits.len()).sum();
        assert_eq!(stages.len(), splits + walk.nodes.len());
        assert_eq!(stages[walk.nodes[0].splits.len()].partition, walk.equitable);
        assert_eq!(stages.last().unwrap().partition.concat(), walk.order);
        assert_eq!(stages.last().unwrap().partition.len(), graph.vertices.len());
        // Definition 4.4 of the first equitable partition, edge by edge.
        for (from, to) in
            walk.equitable.iter().flat_map(|a| walk.equitable.iter().map(move |b| (a, b)))
        {
            let degrees = |v: usize| {
                let of = |incoming: bool| {
                    let counts = |(a, b, _): &&(usize, usize, usize)| {
                        let (own, other) = if incoming { (b, a) } else { (a, b) };
                        *own == v && to.contains(other)
                    };
                    graph.edges.iter().filter(counts).count()
                };
                (of(true), of(false))
            };
            assert!(from.iter().all(|v| degrees(*v) == degrees(from[0])));
        }
    }

    /// All 65536 relations would take long in a debug build: every 499th, with all its images.
    #[test]
    fn the_label_is_that_of_the_orbit_and_of_no_other() {
        let sizes = Sizes(Arc::from([N]));
        let own = Type::Set(SetId(0));
        let shape = Shape::of(&Type::relation(own.clone(), own), &sizes);
        let group = Group::new([SymmetricSet::all(SetId(0), N)]);
        let all: Vec<Permutation> = group.all().collect();
        let mut orbits: BTreeMap<String, BTreeSet<Value>> = BTreeMap::new();
        for bits in (0..1_u64 << (N * N)).step_by(499) {
            let pairs = (0..u64::from(N * N)).filter(|i| bits >> i & 1 == 1).map(Value::Word);
            let value = shape.collect(pairs);
            let own = label(&shape, &value);
            let images: BTreeSet<Value> = all.iter().map(|p| p.apply(&shape, &value)).collect();
            for image in &images {
                assert_eq!(label(&shape, image), own);
            }
            let known = orbits.entry(own).or_insert_with(|| images.clone());
            assert_eq!(*known, images, "one label, one orbit");
        }
        assert!(orbits.len() > 50);
    }

    #[test]
    fn a_walk_gives_up_when_asked() {
        let sizes = Sizes(Arc::from([N]));
        let shape = Shape::of(&Type::pow(Type::Set(SetId(0))), &sizes);
        let value = shape.collect([Value::Word(1)]);
        let cells = [Cell { label: 0, shape: &shape, value: &value }];
        let graph = StateGraph::draw(&[SymmetricSet::all(SetId(0), N)], &cells);
        let clock = Clock::new();
        clock.interrupt();
        assert_eq!(clock.run(|| graph.walk(|v| v)), None);
        assert!(graph.walk(|v| v).is_some());
    }
}
