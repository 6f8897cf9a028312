//! nauty and Traces: the encoding built in memory that is used again, the call, the result.

use crate::plain::Plain;
use nauty_Traces_sys::{
    FALSE, TRUE, Traces, TracesOptions, TracesStats, optionblk, sortlists_sg, sparsegraph,
    sparsenauty, statsblk,
};
use std::os::raw::c_int;

/// Which program, on which encoding of directed edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Program {
    /// sparsenauty; directed graphs as digraphs.
    Nauty,
    /// sparsenauty; directed graphs with every vertex split in two.
    NautySplit,
    /// Traces; the same.
    Traces,
}

#[derive(Debug)]
pub struct Found {
    /// The canonical graph: number of vertices, then the neighbours of each, sorted, with their number
    /// before them.
    pub canonical: Vec<usize>,
    /// Order of the automorphism group.
    pub order: f64,
}

/// Memory for one graph after the other.
pub struct Bench {
    v: Vec<usize>,
    d: Vec<c_int>,
    e: Vec<c_int>,
    lab: Vec<c_int>,
    ptn: Vec<c_int>,
    orbits: Vec<c_int>,
    canonical: sparsegraph,
    order: (f64, c_int),
}

impl Bench {
    pub fn new() -> Bench {
        let (v, d, e) = (Vec::new(), Vec::new(), Vec::new());
        let (lab, ptn, orbits) = (Vec::new(), Vec::new(), Vec::new());
        Bench { v, d, e, lab, ptn, orbits, canonical: sparsegraph::default(), order: (1., 0) }
    }

    /// Encodes a graph and labels it: this is what is timed.
    pub fn label(&mut self, graph: &Plain, program: Program) {
        let split = graph.directed && program != Program::Nauty;
        self.encode(graph, split);
        let n = self.v.len();
        let mut input = sparsegraph {
            nv: n as c_int,
            nde: self.e.len(),
            v: self.v.as_mut_ptr(),
            d: self.d.as_mut_ptr(),
            e: self.e.as_mut_ptr(),
            vlen: n,
            dlen: n,
            elen: self.e.len(),
            ..sparsegraph::default()
        };
        let (lab, ptn) = (self.lab.as_mut_ptr(), self.ptn.as_mut_ptr());
        let orbits = self.orbits.as_mut_ptr();
        if program == Program::Traces {
            let mut options =
                TracesOptions { getcanon: TRUE, defaultptn: FALSE, ..TracesOptions::default() };
            let mut stats = TracesStats::default();
            // SAFETY: all arrays have one place for each of the `n` vertices, or for each end of an
            // edge; `canonical` is allocated and grown by the callee, as an empty one may be.
            unsafe {
                Traces(&mut input, lab, ptn, orbits, &mut options, &mut stats, &mut self.canonical);
            }
            self.order = (stats.grpsize1, stats.grpsize2);
        } else {
            let directed = graph.directed && !split;
            let defaults = if directed {
                optionblk::default_sparse_digraph()
            } else {
                optionblk::default_sparse()
            };
            let mut options = optionblk { getcanon: TRUE as c_int, defaultptn: FALSE, ..defaults };
            let mut stats = statsblk::default();
            // SAFETY: as above.
            unsafe {
                let canonical = &mut self.canonical;
                sparsenauty(&mut input, lab, ptn, orbits, &mut options, &mut stats, canonical);
            }
            self.order = (stats.grpsize1, stats.grpsize2);
        }
    }

    /// Vertices: copy by copy, a copy being a layer (or, split, a layer of what leaves, then of what
    /// enters). Colours likewise, so that no automorphism mixes copies; the copies of one vertex
    /// are joined in a chain.
    fn encode(&mut self, graph: &Plain, split: bool) {
        let n = graph.vertices;
        // What leaves and what enters must not be neighbours in the chain where they are in a layer: with
        // one layer only, an empty copy stands between them.
        let between = (graph.layers == 1) as usize;
        let copies = if split { 2 * graph.layers + between } else { graph.layers };
        let digraph = graph.directed && !split;
        let target = if split { (graph.layers + between) * n } else { 0 };
        self.d.clear();
        self.d.resize(n * copies, 0);
        self.v.clear();
        self.orbits.resize(n * copies, 0);
        let layers_of = |number: usize| (0..graph.layers).filter(move |l| number >> l & 1 == 1);
        for (u, v, number) in &graph.edges {
            for layer in layers_of(*number) {
                self.d[layer * n + u] += 1;
                if !digraph {
                    self.d[target + layer * n + v] += 1;
                }
            }
        }
        for copy in 0..copies {
            let links = (copy > 0) as c_int + (copy + 1 < copies) as c_int;
            self.d[copy * n..(copy + 1) * n].iter_mut().for_each(|d| *d += links);
        }
        let mut ends = 0;
        for d in &self.d {
            self.v.push(ends);
            ends += *d as usize;
        }
        self.e.clear();
        self.e.resize(ends, 0);
        // Cursors: counted up from 0 to the degrees again.
        self.d.fill(0);
        let Bench { v, d, e, .. } = self;
        let mut put = |from: usize, to: usize| {
            e[v[from] + d[from] as usize] = to as c_int;
            d[from] += 1;
        };
        for (u, v, number) in &graph.edges {
            for layer in layers_of(*number) {
                let (from, to) = (layer * n + u, target + layer * n + v);
                put(from, to);
                if !digraph {
                    put(to, from);
                }
            }
        }
        for lower in n..n * copies {
            put(lower, lower - n);
            put(lower - n, lower);
        }
        self.lab.clear();
        self.ptn.clear();
        for copy in 0..copies {
            self.lab.extend(graph.order.iter().map(|v| (copy * n + v) as c_int));
            for size in &graph.sizes {
                self.ptn.extend((1..=*size).map(|i| (i < *size) as c_int));
            }
        }
    }

    /// What the last call found.
    pub fn found(&mut self) -> Found {
        let n = self.v.len();
        // SAFETY: after a call the canonical graph has `n` vertices, with their lists where it says.
        let canonical = unsafe {
            sortlists_sg(&mut self.canonical);
            let graph = &self.canonical;
            let mut list = vec![n];
            for vertex in 0..n {
                let degree = *graph.d.add(vertex) as usize;
                let first = *graph.v.add(vertex);
                list.push(degree);
                list.extend((0..degree).map(|i| *graph.e.add(first + i) as usize));
            }
            list
        };
        Found { canonical, order: self.order.0 * 10f64.powi(self.order.1) }
    }
}
