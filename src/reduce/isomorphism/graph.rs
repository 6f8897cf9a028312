//! The graph of a state as isomorphism checking sees it: edges with labels, and nothing else.
//!
//! Vertices are the points, the root, one vertex for each distinct nested set in which a point occurs,
//! and one for each member with more moving parts than an edge can say. Types and flags are edges from
//! a vertex to itself, as is usual in graph transformation. A label is a hash of what the edge means
//! (the variable, the place, the fixed values beside it) and of nothing that a permutation changes.
//!
//! Permutations of points that take one state to another are the same as isomorphisms of their graphs,
//! as long as no two labels collide; that a state really is the image of another is checked at the end.

use crate::clock;
use crate::machine::SetId;
use crate::reduce::Interrupted;
use crate::symmetry::graph::try_each_member;
use crate::symmetry::group::Group;
use crate::symmetry::plan::{self, Form, Leaves};
use crate::value::{IndexKind, Shape, Value};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use std::hash::BuildHasher;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    pub label: u64,
}

/// A graph with its edges sorted by source, and an index of them by target.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub vertices: usize,
    pub edges: Vec<Edge>,
    /// First edge of each source, and the number of edges.
    out: Vec<u32>,
    /// Numbers of edges sorted by target, with the first of each target.
    into: Vec<u32>,
    into_first: Vec<u32>,
}

impl Graph {
    pub fn new(vertices: usize, mut edges: Vec<Edge>) -> Graph {
        edges.sort_unstable();
        let mut out = vec![0u32; vertices + 1];
        let mut into_first = vec![0u32; vertices + 1];
        for e in &edges {
            out[e.from as usize + 1] += 1;
            into_first[e.to as usize + 1] += 1;
        }
        for v in 0..vertices {
            out[v + 1] += out[v];
            into_first[v + 1] += into_first[v];
        }
        let mut cursor = into_first.clone();
        let mut into = vec![0u32; edges.len()];
        for (i, e) in edges.iter().enumerate() {
            let at = &mut cursor[e.to as usize];
            into[*at as usize] = i as u32;
            *at += 1;
        }
        Graph { vertices, edges, out, into, into_first }
    }

    /// The edges that leave a vertex, by target.
    pub fn leaving(&self, v: u32) -> &[Edge] {
        &self.edges[self.out[v as usize] as usize..self.out[v as usize + 1] as usize]
    }

    /// The edges that enter a vertex, by source.
    pub fn entering(&self, v: u32) -> impl Iterator<Item = &Edge> + '_ {
        let range = self.into_first[v as usize] as usize..self.into_first[v as usize + 1] as usize;
        self.into[range].iter().map(|i| &self.edges[*i as usize])
    }

    pub fn has(&self, edge: &Edge) -> bool {
        self.leaving(edge.from).binary_search(edge).is_ok()
    }
}

/// Mixes two numbers, in this order.
pub fn mix(a: u64, b: u64) -> u64 {
    let mut x = a.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31) ^ b;
    x = (x ^ x >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    x = (x ^ x >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    x ^ x >> 32
}

/// How the states of a machine are drawn.
#[derive(Debug)]
pub struct Pen {
    group: Group,
    cells: Vec<Cell>,
}

#[derive(Debug)]
struct Cell {
    form: Form,
    parts: Vec<Part>,
}

/// A component of a variable that is no pair or record: itself one member, or a set of them.
#[derive(Debug)]
struct Part {
    set: bool,
    members: Members,
}

#[derive(Debug)]
struct Members {
    /// Tells apart what the labels of its edges mean.
    id: u64,
    form: Form,
    leaves: Vec<Leaf>,
}

#[derive(Debug)]
enum Leaf {
    Still,
    Element(SetId),
    Set(Box<Members>),
}

impl Pen {
    pub fn new(group: &Group, shapes: &[Shape]) -> Pen {
        let mut next = 0;
        let cells = shapes
            .iter()
            .map(|shape| {
                let (form, parts) = plan::flatten(group, shape);
                let parts = parts.iter().map(|shape| Part::new(group, shape, &mut next)).collect();
                Cell { form, parts }
            })
            .collect();
        Pen { group: group.clone(), cells }
    }

    /// Draws a list of values. The points come first, then the root.
    pub fn draw(&self, values: &[Value]) -> Result<Graph, Interrupted> {
        let root = self.group.points() as u32;
        let mut drawing = Drawing {
            group: &self.group,
            vertices: root + 1,
            edges: Vec::new(),
            known: FxHashMap::default(),
        };
        for k in 0..self.group.sets().len() {
            for p in self.group.range(k) {
                drawing.flag(p as u32, mix(u64::MAX, k as u64));
            }
        }
        for (cell, value) in self.cells.iter().zip(values) {
            let mut leaves = Leaves::new();
            plan::leaves(&cell.form, value, &mut leaves);
            for (part, value) in cell.parts.iter().zip(&leaves) {
                if part.set {
                    try_each_member(value, |member| drawing.member(&part.members, member, root))?;
                } else {
                    drawing.member(&part.members, value, root)?;
                }
            }
        }
        Ok(Graph::new(drawing.vertices as usize, drawing.edges))
    }
}

impl Part {
    fn new(group: &Group, shape: &Shape, next: &mut u64) -> Part {
        let member = plan::moves(group, shape).then(|| plan::member_shape(shape)).flatten();
        let set = member.is_some();
        Part { set, members: Members::new(group, member.as_ref().unwrap_or(shape), next) }
    }
}

impl Members {
    fn new(group: &Group, shape: &Shape, next: &mut u64) -> Members {
        let (form, shapes) = plan::flatten(group, shape);
        *next += 1;
        let id = *next;
        let leaves = shapes.iter().map(|s| Leaf::new(group, s, next)).collect();
        Members { id, form, leaves }
    }
}

impl Leaf {
    fn new(group: &Group, shape: &Shape, next: &mut u64) -> Leaf {
        if !plan::moves(group, shape) {
            return Leaf::Still;
        }
        match (shape.index().map(|u| &u.kind), plan::member_shape(shape)) {
            (Some(IndexKind::Element(set)), _) => Leaf::Element(*set),
            (_, Some(member)) => Leaf::Set(Box::new(Members::new(group, &member, next))),
            _ => Leaf::Still,
        }
    }
}

struct Drawing<'a> {
    group: &'a Group,
    vertices: u32,
    edges: Vec<Edge>,
    /// The vertex of each nested set met; none where nothing in it moves.
    known: FxHashMap<(u64, Value), Option<u32>>,
}

impl Drawing<'_> {
    fn edge(&mut self, from: u32, to: u32, label: u64) {
        self.edges.push(Edge { from, to, label });
    }

    fn flag(&mut self, vertex: u32, label: u64) {
        self.edge(vertex, vertex, label);
    }

    fn vertex(&mut self, class: u64) -> u32 {
        let vertex = self.vertices;
        self.vertices += 1;
        self.flag(vertex, class);
        vertex
    }

    /// Draws a member of a set whose vertex is `owner`; the root stands for all that is not nested.
    fn member(&mut self, members: &Members, value: &Value, owner: u32) -> Result<(), Interrupted> {
        clock::spend(1)?;
        let root = self.group.points() as u32;
        let mut leaves = Leaves::new();
        plan::leaves(&members.form, value, &mut leaves);
        // What is said by all labels: the kind of members, and the values that do not move.
        let mut meaning = mix(members.id, 0);
        let mut things: SmallVec<[(u64, u32); 4]> = SmallVec::new();
        for (i, (leaf, value)) in members.leaves.iter().zip(&leaves).enumerate() {
            let thing = match leaf {
                Leaf::Still => None,
                Leaf::Element(set) => self.group.point(*set, value.word()),
                Leaf::Set(nested) => self.nested(nested, value)?,
            };
            match thing {
                Some(vertex) => things.push((i as u64, vertex)),
                None => meaning = mix(meaning, mix(i as u64 + 1, FxBuildHasher.hash_one(value))),
            }
        }
        match things.as_slice() {
            [] => self.flag(owner, meaning),
            [(i, v)] if owner == root => self.flag(*v, mix(meaning, *i)),
            [(i, v)] => self.edge(*v, owner, mix(meaning, *i)),
            [(i, u), (j, v)] if owner == root => self.edge(*u, *v, mix(mix(meaning, *i), *j)),
            _ => {
                let tuple = self.vertex(mix(meaning, u64::MAX));
                self.edge(tuple, owner, members.id);
                for (i, v) in things {
                    self.edge(tuple, v, mix(members.id, i));
                }
            }
        }
        Ok(())
    }

    fn nested(&mut self, members: &Members, value: &Value) -> Result<Option<u32>, Interrupted> {
        let key = (members.id, value.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let moves = self.moves(members, value)?;
        let vertex = moves.then(|| self.vertex(mix(members.id, u64::MAX - 1)));
        self.known.insert(key, vertex);
        if let Some(vertex) = vertex {
            try_each_member(value, |member| self.member(members, member, vertex))?;
        }
        Ok(vertex)
    }

    /// Whether a point occurs in a set.
    fn moves(&self, members: &Members, set: &Value) -> Result<bool, Interrupted> {
        let mut found = false;
        try_each_member(set, |member| -> Result<(), Interrupted> {
            if found {
                return Ok(());
            }
            clock::spend(1)?;
            let mut leaves = Leaves::new();
            plan::leaves(&members.form, member, &mut leaves);
            for (leaf, value) in members.leaves.iter().zip(&leaves) {
                found |= match leaf {
                    Leaf::Still => false,
                    Leaf::Element(set) => self.group.point(*set, value.word()).is_some(),
                    Leaf::Set(nested) => self.moves(nested, value)?,
                };
            }
            Ok(())
        })?;
        Ok(found)
    }
}
