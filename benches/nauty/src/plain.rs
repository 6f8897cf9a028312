//! A coloured graph with labelled edges, ready to be encoded for nauty and Traces.
//!
//! Both know vertices with colours and edges without labels. The usual way out (nauty's manual, "how
//! to handle edge colours") is taken: the sets of labels that occur between two vertices are
//! numbered, every vertex stands in as many layers as the greatest number has bits, one below the
//! other, and an edge is drawn in the layers of the bits of its number.
//!
//! Direction: where the colours of the ends tell them apart, or an edge looks the same from both
//! ends, none is needed. Else nauty gets a digraph; and for Traces, which knows undirected graphs
//! only, each vertex stands twice in each layer, once for what leaves it and once for what enters it.

use burnside::symmetry::Drawing;
use std::collections::BTreeMap;

/// Everything that is the same for isomorphic graphs and not said by vertices and edges alone: the
/// colours with their numbers of vertices, the sets of labels, whether edges are directed.
pub type Header = (Vec<(Vec<u128>, usize)>, Vec<Vec<u128>>, bool);

/// A graph in numbers.
#[derive(Debug)]
pub struct Plain {
    pub vertices: usize,
    /// Vertices, colour by colour.
    pub order: Vec<usize>,
    /// Number of vertices of each colour.
    pub sizes: Vec<usize>,
    /// (from, to, number of the set of labels, from 1); at most one between two vertices in each
    /// direction, or at all if undirected.
    pub edges: Vec<(usize, usize, usize)>,
    pub directed: bool,
    /// Bits of the greatest number, at least 1.
    pub layers: usize,
    pub header: Header,
}

/// Set of labels of each ordered pair of vertices.
type Pairs = BTreeMap<(usize, usize), Vec<u128>>;

impl Plain {
    pub fn new(drawing: &Drawing) -> Plain {
        let vertices = drawing.vertices.len();
        let mut order: Vec<usize> = (0..vertices).collect();
        order.sort_by_key(|v| &drawing.vertices[*v]);
        let mut colour = vec![0; vertices];
        let mut colours: Vec<(Vec<u128>, usize)> = Vec::new();
        for v in &order {
            match colours.last_mut() {
                Some((last, n)) if *last == drawing.vertices[*v] => *n += 1,
                _ => colours.push((drawing.vertices[*v].clone(), 1)),
            }
            colour[*v] = colours.len() - 1;
        }
        let mut arcs = Pairs::new();
        for (from, to, label) in &drawing.edges {
            arcs.entry((*from as usize, *to as usize)).or_default().push(*label);
        }
        arcs.values_mut().for_each(|labels| labels.sort_unstable());
        let undirected = undirected(&arcs, &colour);
        let directed = undirected.is_none();
        let pairs = undirected.unwrap_or(arcs);
        let mut numbers: BTreeMap<&Vec<u128>, usize> = pairs.values().map(|l| (l, 0)).collect();
        numbers.values_mut().enumerate().for_each(|(i, n)| *n = i + 1);
        let layers = (usize::BITS - numbers.len().leading_zeros()).max(1) as usize;
        let edges = pairs.iter().map(|((u, v), labels)| (*u, *v, numbers[labels])).collect();
        let labels = numbers.keys().map(|l| (*l).clone()).collect();
        let sizes = colours.iter().map(|(_, n)| *n).collect();
        let header = (colours, labels, directed);
        Plain { vertices, order, sizes, edges, directed, layers, header }
    }
}

/// The same graph without directions, where nothing is lost by that.
fn undirected(arcs: &Pairs, colour: &[usize]) -> Option<Pairs> {
    const BACKWARDS: u128 = 1 << 127;
    let none = Vec::new();
    let mut pairs = Pairs::new();
    for (u, v) in arcs.keys() {
        let there = &arcs[&(*u, *v)];
        let back = arcs.get(&(*v, *u)).unwrap_or(&none);
        if colour[*u] == colour[*v] {
            if there != back {
                return None;
            }
            pairs.insert((*u.min(v), *u.max(v)), there.clone());
        } else {
            // Seen from the end with the lesser colour.
            let (low, there, back) = if colour[*u] < colour[*v] {
                ((*u, *v), there, back)
            } else {
                ((*v, *u), back, there)
            };
            let both = there.iter().copied().chain(back.iter().map(|l| l | BACKWARDS));
            pairs.insert(low, both.collect());
        }
    }
    Some(pairs)
}
