//! The search for an isomorphism between two graphs that respects their colourings (Rensink, line 3
//! of the look-up): vertex by vertex, each to one of the same colour.

use super::graph::{Edge, Graph};
use crate::clock;
use crate::reduce::Interrupted;

const NONE: u32 = u32::MAX;

/// A graph with its colouring.
#[derive(Clone, Copy)]
pub struct Coloured<'a> {
    pub graph: &'a Graph,
    pub colours: &'a [u64],
}

/// Looks for an isomorphism that `accept` takes: it is given the image of each vertex.
pub fn isomorphism(
    from: Coloured<'_>,
    to: Coloured<'_>,
    accept: &mut dyn FnMut(&[u32]) -> bool,
) -> Result<bool, Interrupted> {
    if from.graph.vertices != to.graph.vertices {
        return Ok(false);
    }
    let n = from.graph.vertices;
    let mut candidates: Vec<(u64, u32)> = to.colours.iter().copied().zip(0..).collect();
    candidates.sort_unstable();
    let mut search = Search {
        from,
        to,
        order: Vec::new(),
        candidates,
        image: vec![NONE; n],
        taken: vec![false; n],
        accept,
    };
    search.order = search.order();
    search.extend(0)
}

struct Search<'a, 'b> {
    from: Coloured<'a>,
    to: Coloured<'a>,
    order: Vec<u32>,
    /// The vertices of the second graph, by colour.
    candidates: Vec<(u64, u32)>,
    image: Vec<u32>,
    taken: Vec<bool>,
    accept: &'b mut dyn FnMut(&[u32]) -> bool,
}

impl Search<'_, '_> {
    /// The vertices of one colour, as a range of `candidates`.
    fn cell(&self, colour: u64) -> std::ops::Range<usize> {
        let start = self.candidates.partition_point(|(c, _)| *c < colour);
        let end = self.candidates.partition_point(|(c, _)| *c <= colour);
        start..end
    }

    /// Small cells first; in between, vertices with an edge to one that comes before.
    fn order(&self) -> Vec<u32> {
        let n = self.from.graph.vertices;
        let size: Vec<usize> = (0..n).map(|v| self.cell(self.from.colours[v]).len()).collect();
        let mut order: Vec<u32> = Vec::with_capacity(n);
        let mut near = vec![false; n];
        let mut left: Vec<u32> = (0..n as u32).collect();
        left.sort_by_key(|v| size[*v as usize]);
        while !left.is_empty() {
            let fixed = size[left[0] as usize] <= 1;
            let at =
                if fixed { 0 } else { left.iter().position(|v| near[*v as usize]).unwrap_or(0) };
            let v = left.remove(at);
            for e in self.from.graph.leaving(v) {
                near[e.to as usize] = true;
            }
            for e in self.from.graph.entering(v) {
                near[e.from as usize] = true;
            }
            order.push(v);
        }
        order
    }

    fn extend(&mut self, depth: usize) -> Result<bool, Interrupted> {
        let Some(v) = self.order.get(depth).copied() else {
            return Ok((self.accept)(&self.image));
        };
        for i in self.cell(self.from.colours[v as usize]) {
            let w = self.candidates[i].1;
            if self.taken[w as usize] {
                continue;
            }
            clock::tick()?;
            self.image[v as usize] = w;
            self.taken[w as usize] = true;
            let found = self.fits(v, w) && self.extend(depth + 1)?;
            if found {
                return Ok(true);
            }
            self.image[v as usize] = NONE;
            self.taken[w as usize] = false;
        }
        Ok(false)
    }

    /// Whether the edges between `v` and the vertices mapped so far are those between their images.
    fn fits(&self, v: u32, w: u32) -> bool {
        let image = |u: u32| self.image[u as usize];
        let mut mapped = 0;
        for e in self.from.graph.leaving(v).iter().filter(|e| image(e.to) != NONE) {
            mapped += 1;
            if !self.to.graph.has(&Edge { from: w, to: image(e.to), label: e.label }) {
                return false;
            }
        }
        for e in self.from.graph.entering(v).filter(|e| image(e.from) != NONE) {
            mapped += 1;
            if !self.to.graph.has(&Edge { from: image(e.from), to: w, label: e.label }) {
                return false;
            }
        }
        let taken = |u: u32| self.taken[u as usize] as usize;
        let leaving: usize = self.to.graph.leaving(w).iter().map(|e| taken(e.to)).sum();
        let entering: usize = self.to.graph.entering(w).map(|e| taken(e.from)).sum();
        leaving + entering == mapped
    }
}
