//! Refinement on rows of bits, for graphs whose vertices fit a word.
//!
//! The same refinement as by lists of edges, as nauty does it where graphs are dense (McKay and Piperno, *Practical
//! graph isomorphism II*, 2014): cells and neighbourhoods are words, and a cell is split by a vertex with one `and`.
//! The partition is written when that has come to rest. Reading the graph takes as long as one refinement: it pays
//! where the search for a label branches.

use super::{Adjacency, mix};
use crate::clock;
use crate::symmetry::partition::{Partition, bits};

/// Vertices of a word.
const WORD: usize = 64;

/// A graph by rows, and the working memory.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    vertices: usize,
    /// Labels that occur, each with its reverse: as an edge is seen from its other end.
    labels: Vec<(u32, u32)>,
    /// By label and vertex: those to which it has such an edge.
    rows: Vec<u64>,
    /// By start of cell, its members; of cells with several members and of new ones only.
    members: [u64; WORD],
    /// Starts of cells with several members.
    open: u64,
    /// Starts of cells that are to split others, and of those that are not as the partition has them.
    queue: u64,
    changed: u64,
    /// The members of the cell at hand by their number of edges.
    by_degree: [u64; WORD],
}

impl Default for Rows {
    fn default() -> Rows {
        Rows {
            vertices: 0,
            labels: Vec::new(),
            rows: Vec::new(),
            members: [0; WORD],
            open: 0,
            queue: 0,
            changed: 0,
            by_degree: [0; WORD],
        }
    }
}

impl Rows {
    /// Whether rows are shorter than lists: at least one edge for each vertex and label.
    pub(super) fn suit(graph: &Adjacency) -> bool {
        let vertices = graph.vertices();
        vertices <= WORD && graph.edges.len() >= vertices * graph.labels as usize
    }

    pub(super) fn read(&mut self, graph: &Adjacency) {
        self.vertices = graph.vertices();
        self.rows.clear();
        self.rows.resize(self.vertices * graph.labels as usize, 0);
        self.labels.clear();
        for v in 0..self.vertices as u32 {
            for edge in graph.of(v) {
                let row = &mut self.rows[edge.label as usize * self.vertices + v as usize];
                *row |= 1 << edge.to;
                if self.labels.iter().all(|(label, _)| *label != edge.label) {
                    let back = graph.of(edge.to).iter().find(|e| e.to == v);
                    self.labels.push((edge.label, back.map_or(edge.label, |e| e.label)));
                }
            }
        }
        // Not in the order in which they were met, which depends on the names of the vertices.
        self.labels.sort_unstable();
    }

    fn row(&self, label: u32, v: usize) -> u64 {
        self.rows[label as usize * self.vertices + v]
    }

    /// Refines by the cell at `start`, the only one into which degrees are not uniform.
    pub(super) fn run(&mut self, partition: &mut Partition, start: u32, trace: &mut u64) {
        self.load(partition);
        let points = u64::MAX.checked_shr((WORD - partition.points) as u32).unwrap_or(0);
        self.members[start as usize] = 0;
        for v in partition.members(start) {
            self.members[start as usize] |= 1 << v;
        }
        self.queue = 1 << start;
        while self.queue != 0 && self.open & points != 0 {
            let start = self.queue.trailing_zeros() as usize;
            self.queue &= self.queue - 1;
            let splitter = self.members[start];
            // Who called hears the same when it asks next.
            if clock::spend(1 + splitter.count_ones() as usize).is_err() {
                break;
            }
            if splitter & (splitter - 1) == 0 {
                self.split_by_one(splitter.trailing_zeros() as usize, trace);
            } else {
                self.split_by_several(splitter, trace);
            }
        }
        self.store(partition);
        mix(trace, partition.open as u64, u64::MAX);
    }

    /// Takes over the cells with several members.
    fn load(&mut self, partition: &Partition) {
        (self.open, self.changed) = (0, 0);
        for start in partition.cells() {
            let members = partition.members(start);
            if members.len() > 1 {
                self.open |= 1 << start;
                self.members[start as usize] = members.iter().fold(0, |set, v| set | 1 << v);
            }
        }
    }

    /// Hands back the cells that have changed.
    fn store(&mut self, partition: &mut Partition) {
        for start in bits(self.changed) {
            let mut at = start;
            for v in bits(self.members[start]) {
                partition.elems[at] = v as u32;
                partition.pos[v] = at as u32;
                partition.cell[v] = start as u32;
                at += 1;
            }
            partition.len[start] = (at - start) as u32;
        }
        let open = bits(self.open).take_while(|start| *start < partition.points);
        partition.open = open.map(|start| partition.len[start] as usize).sum();
    }

    fn split_by_one(&mut self, v: usize, trace: &mut u64) {
        for i in 0..self.labels.len() {
            let (label, _) = self.labels[i];
            let row = self.row(label, v);
            mix(trace, label as u64, u64::from(row.count_ones()));
            for start in bits(self.open) {
                let members = self.members[start];
                let hit = members & row;
                if hit == 0 {
                    continue;
                }
                mix(trace, start as u64, u64::from(hit.count_ones()));
                if hit != members {
                    let at = start + (members ^ hit).count_ones() as usize;
                    self.part(start, members ^ hit);
                    self.part(at, hit);
                    let largest = if 2 * at >= 2 * start + members.count_ones() as usize {
                        start
                    } else {
                        at
                    };
                    self.enqueue(start, 1 << start | 1 << at, largest);
                }
            }
        }
    }

    fn split_by_several(&mut self, splitter: u64, trace: &mut u64) {
        for i in 0..self.labels.len() {
            let (label, reverse) = self.labels[i];
            let near = bits(splitter).fold(0, |near, v| near | self.row(label, v));
            for start in bits(self.open) {
                let members = self.members[start];
                if members & near == 0 {
                    continue;
                }
                let mut degrees = 0u64;
                for v in bits(members & near) {
                    let degree = (self.row(reverse, v) & splitter).count_ones() as usize % WORD;
                    self.by_degree[degree] |= 1 << v;
                    degrees |= 1 << degree;
                }
                self.by_degree[0] = members & !near;
                degrees |= u64::from(members & !near != 0);
                mix(trace, (label as u64) << 32 | start as u64, degrees);
                if degrees & (degrees - 1) == 0 {
                    self.by_degree[degrees.trailing_zeros() as usize] = 0;
                    continue;
                }
                let (mut at, mut starts, mut largest) = (start, 0u64, (0, start));
                for degree in bits(degrees) {
                    let part = std::mem::take(&mut self.by_degree[degree]);
                    let len = part.count_ones() as usize;
                    mix(trace, at as u64, degree as u64);
                    self.part(at, part);
                    starts |= 1 << at;
                    if len > largest.0 {
                        largest = (len, at);
                    }
                    at += len;
                }
                self.enqueue(start, starts, largest.1);
            }
        }
    }

    /// Part of a cell becomes one.
    fn part(&mut self, start: usize, members: u64) {
        self.members[start] = members;
        let bit = 1u64 << start;
        self.changed |= bit;
        match members & (members - 1) {
            0 => self.open &= !bit,
            _ => self.open |= bit,
        }
    }

    /// Queues the parts of a cell: all but the first largest one, unless the cell was to split others (see
    /// [`refine`](super)).
    fn enqueue(&mut self, cell: usize, parts: u64, largest: usize) {
        let all = self.queue & 1 << cell != 0;
        self.queue |= if all { parts } else { parts & !(1 << largest) };
    }
}
