//! Invariant colourings of graphs (Rensink, section 3).
//!
//! A colour is a number that says how a vertex is connected; isomorphic graphs get corresponding
//! colours. Refinement makes colours from those of the neighbours, by one of two algorithms; symmetry
//! breaking then colours each vertex of a cell with several members apart, refines, and sums up.
//!
//! Deviations from the paper:
//! * The naive loop ends when the number of colours no longer *grows*; the condition is printed the
//!   other way round.
//! * In `breakSym` the colouring that is changed at each vertex, and that says which cells have several
//!   members, is the refined one from before the loop, not the running sum: with the sum the result
//!   would depend on the order of the vertices.
//! * The variation of Paige and Tarjan's algorithm is not given. Here it splits by numbers of edges,
//!   label by label and in both directions, always by the smaller of two blocks of a compound one, in
//!   an order that depends on labels and numbers of edges only. The colour of a vertex is a hash of its
//!   old colour, its block, and its numbers of edges to each block.

use super::graph::{Graph, mix};
use crate::clock;
use crate::reduce::Interrupted;
use std::collections::VecDeque;

/// Which algorithm refines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Refinement {
    #[default]
    Naive,
    PaigeTarjan,
}

impl Refinement {
    pub const ALL: [Refinement; 2] = [Refinement::Naive, Refinement::PaigeTarjan];

    pub fn name(self) -> &'static str {
        match self {
            Refinement::Naive => "naive",
            Refinement::PaigeTarjan => "paige-tarjan",
        }
    }

    pub fn from_name(name: &str) -> Option<Refinement> {
        Refinement::ALL.into_iter().find(|r| r.name() == name)
    }

    /// Refines a colouring.
    pub fn refine(self, graph: &Graph, colours: &[u64]) -> Result<Vec<u64>, Interrupted> {
        match self {
            Refinement::Naive => naive(graph, colours),
            Refinement::PaigeTarjan => paige_tarjan(graph, colours),
        }
    }

    /// The colouring of a graph, from the unit colouring.
    pub fn colour(self, graph: &Graph, symmetry_breaking: bool) -> Result<Vec<u64>, Interrupted> {
        let base = self.refine(graph, &vec![UNIT; graph.vertices])?;
        if !symmetry_breaking {
            return Ok(base);
        }
        let mut sorted = base.clone();
        sorted.sort_unstable();
        let mut sum = base.clone();
        for v in 0..graph.vertices {
            let at = sorted.partition_point(|c| *c < base[v]);
            if sorted.get(at + 1) != Some(&base[v]) {
                continue;
            }
            let mut broken = base.clone();
            broken[v] = mix(base[v], BREAK);
            for (total, colour) in sum.iter_mut().zip(self.refine(graph, &broken)?) {
                *total = total.wrapping_add(colour);
            }
        }
        Ok(sum)
    }
}

const UNIT: u64 = 1;
const BREAK: u64 = 0x5bd1_e995;
const SOURCE: u64 = 2;
const TARGET: u64 = 3;

/// The colour of an edge.
pub fn edge_colour(from: u64, to: u64, label: u64) -> u64 {
    mix(mix(from, to), label)
}

/// The invariant hash: the sum of all colours (Rensink, equation 1).
pub fn hash(graph: &Graph, colours: &[u64]) -> u64 {
    let vertices = colours.iter().fold(0u64, |sum, c| sum.wrapping_add(*c));
    edge_colours(graph, colours).fold(vertices, u64::wrapping_add)
}

pub fn edge_colours<'a>(graph: &'a Graph, colours: &'a [u64]) -> impl Iterator<Item = u64> + 'a {
    graph
        .edges
        .iter()
        .map(|e| edge_colour(colours[e.from as usize], colours[e.to as usize], e.label))
}

fn count(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

/// Sums up the colours of the edges around each vertex, again and again.
fn naive(graph: &Graph, colours: &[u64]) -> Result<Vec<u64>, Interrupted> {
    let mut colours = colours.to_vec();
    let mut number = count(&colours);
    loop {
        clock::spend(graph.vertices + graph.edges.len())?;
        let mut next = vec![0u64; graph.vertices];
        for (e, colour) in graph.edges.iter().zip(edge_colours(graph, &colours)) {
            let from = &mut next[e.from as usize];
            *from = from.wrapping_add(mix(SOURCE, colour));
            let to = &mut next[e.to as usize];
            *to = to.wrapping_add(mix(TARGET, colour));
        }
        let more = count(&next);
        if more <= number {
            return Ok(colours);
        }
        (colours, number) = (next, more);
    }
}

/// Blocks of vertices, the fine partition, in compound blocks, the coarse one: every fine block has
/// equal numbers of edges to each compound block.
struct Blocks<'a> {
    graph: &'a Graph,
    fine: Vec<Vec<u32>>,
    block: Vec<usize>,
    compound: Vec<Vec<usize>>,
    compound_of: Vec<usize>,
    /// Compound blocks of several fine ones.
    waiting: VecDeque<usize>,
}

fn paige_tarjan(graph: &Graph, colours: &[u64]) -> Result<Vec<u64>, Interrupted> {
    clock::spend(graph.vertices + graph.edges.len())?;
    let mut blocks = Blocks::new(graph, colours);
    let all: Vec<u32> = (0..graph.vertices as u32).collect();
    blocks.split_by(&all);
    while let Some(k) = blocks.waiting.pop_front() {
        let parts = &mut blocks.compound[k];
        // The smaller of the first two.
        let at = usize::from(blocks.fine[parts[1]].len() < blocks.fine[parts[0]].len());
        let splitter = parts.remove(at);
        if parts.len() > 1 {
            blocks.waiting.push_back(k);
        }
        blocks.compound_of[splitter] = blocks.compound.len();
        blocks.compound.push(vec![splitter]);
        let members = blocks.fine[splitter].clone();
        clock::spend(1 + members.len())?;
        blocks.split_by(&members);
    }
    Ok(blocks.colours(colours))
}

impl<'a> Blocks<'a> {
    fn new(graph: &'a Graph, colours: &[u64]) -> Blocks<'a> {
        let mut order: Vec<u32> = (0..graph.vertices as u32).collect();
        order.sort_unstable_by_key(|v| colours[*v as usize]);
        let fine: Vec<Vec<u32>> = order
            .chunk_by(|a, b| colours[*a as usize] == colours[*b as usize])
            .map(<[u32]>::to_vec)
            .collect();
        let mut block = vec![0; graph.vertices];
        for (i, members) in fine.iter().enumerate() {
            members.iter().for_each(|v| block[*v as usize] = i);
        }
        let waiting = if fine.len() > 1 { VecDeque::from([0]) } else { VecDeque::new() };
        Blocks {
            compound: vec![(0..fine.len()).collect()],
            compound_of: vec![0; fine.len()],
            graph,
            fine,
            block,
            waiting,
        }
    }

    /// Splits all blocks by their numbers of edges from and to these vertices.
    fn split_by(&mut self, splitter: &[u32]) {
        let mut touched: Vec<(bool, u64, u32)> = Vec::new();
        for v in splitter {
            touched.extend(self.graph.leaving(*v).iter().map(|e| (false, e.label, e.to)));
            touched.extend(self.graph.entering(*v).map(|e| (true, e.label, e.from)));
        }
        touched.sort_unstable();
        for same in touched.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            // Block, number of edges, vertex.
            let mut counts: Vec<(usize, usize, u32)> = same
                .chunk_by(|a, b| a.2 == b.2)
                .map(|edges| (self.block[edges[0].2 as usize], edges.len(), edges[0].2))
                .collect();
            counts.sort_unstable();
            for hit in counts.chunk_by(|a, b| a.0 == b.0) {
                self.split(hit[0].0, hit);
            }
        }
    }

    /// Splits one block: members that were not touched stay, those touched follow by number of edges.
    fn split(&mut self, block: usize, hit: &[(usize, usize, u32)]) {
        let mut parts = hit.chunk_by(|a, b| a.1 == b.1);
        if hit.len() == self.fine[block].len() {
            // Nobody was not touched: those with fewest edges stay.
            parts.next();
        }
        let parts: Vec<Vec<u32>> =
            parts.map(|part| part.iter().map(|(_, _, v)| *v).collect()).collect();
        if parts.is_empty() {
            return;
        }
        let compound = self.compound_of[block];
        for part in parts {
            let new = self.fine.len();
            part.iter().for_each(|v| self.block[*v as usize] = new);
            self.fine.push(part);
            self.compound_of.push(compound);
            self.compound[compound].push(new);
            if self.compound[compound].len() == 2 {
                self.waiting.push_back(compound);
            }
        }
        let of = &self.block;
        self.fine[block].retain(|v| of[*v as usize] == block);
    }

    fn colours(&self, old: &[u64]) -> Vec<u64> {
        let mut colours = vec![0; self.graph.vertices];
        for (number, members) in self.fine.iter().enumerate() {
            let v = members[0];
            let leaving = self.graph.leaving(v).iter().map(|e| (SOURCE, e.label, e.to));
            let entering = self.graph.entering(v).map(|e| (TARGET, e.label, e.from));
            let mut edges: Vec<(u64, u64, usize)> = leaving
                .chain(entering)
                .map(|(end, label, to)| (end, label, self.block[to as usize]))
                .collect();
            edges.sort_unstable();
            let start = mix(mix(old[v as usize], number as u64), members.len() as u64);
            let colour = edges.iter().fold(start, |colour, (end, label, to)| {
                mix(mix(colour, *end), mix(*label, *to as u64))
            });
            members.iter().for_each(|v| colours[*v as usize] = colour);
        }
        colours
    }
}

/// The cells of a colouring, each sorted, in the order of their first vertices.
#[cfg(test)]
pub fn cells(colours: &[u64]) -> Vec<Vec<u32>> {
    let mut order: Vec<u32> = (0..colours.len() as u32).collect();
    order.sort_unstable_by_key(|v| (colours[*v as usize], *v));
    let mut cells: Vec<Vec<u32>> = order
        .chunk_by(|a, b| colours[*a as usize] == colours[*b as usize])
        .map(<[u32]>::to_vec)
        .collect();
    cells.sort_unstable();
    cells
}
