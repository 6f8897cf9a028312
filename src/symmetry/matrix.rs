//! The canonical matrix of a state, for display, as data.
//!
//! The graph is the drawing of Turner et al., section 4.2: a vertex for each element of a deferred set,
//! a special vertex for each distinct nested value, a fixed vertex (of a colour of its own) for every
//! other value that occurs - elements of enumerated sets, booleans, integers - and the root. Edges
//! carry the label of a variable or constant, nested values use the label of the cell they are in; an
//! element of a set has an edge to the vertex of the set, a pair has one from its first to its second
//! component and one from the first component to the vertex of the relation. What the text leaves
//! open: a pair is drawn like a relation of one pair, a record has an edge from each field.
//!
//! The drawing may lose information. It decides nothing: states are compared by their images. How the
//! vertices come into canonical order is told by [`steps`](super::steps).

use super::graph::Cell;
use super::group::SymmetricSet;
use crate::machine::SetId;
use crate::value::{IndexKind, Permutation, Shape, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// What a vertex stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Vertex {
    /// A movable element of a deferred set.
    Element(SetId, u32),
    /// A nested value, numbered from 0 in the order of drawing.
    Special {
        number: u32,
        shape: u32,
        value: Value,
    },
    /// A value that no permutation changes.
    Fixed {
        shape: u32,
        value: Value,
    },
    Root,
}

/// The drawing of a state.
#[derive(Clone, Debug)]
pub struct StateGraph {
    pub vertices: Vec<Vertex>,
    /// From, to, position of the label in `labels`.
    pub edges: BTreeSet<(usize, usize, usize)>,
    /// The labels of the cells, in order.
    pub labels: Vec<u32>,
    /// The shapes that `Special` and `Fixed` vertices refer to.
    pub shapes: Vec<Shape>,
    /// The initial partition: elements by set, special vertices, fixed ones, root.
    pub colours: Vec<Vec<usize>>,
}

/// An adjacency matrix: with the vertices in canonical order, or in another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matrix {
    /// Vertices of the drawing, as rows and columns show them.
    pub order: Vec<usize>,
    /// Names of the vertices, in this order.
    pub names: Vec<String>,
    /// Lengths of the groups of vertices: in canonical order, those of the cells of the first
    /// equitable partition.
    pub cells: Vec<usize>,
    /// Number of labels: of bits in an entry.
    pub labels: usize,
    /// The entries that are not empty: (row, column) to positions of labels, increasing.
    pub entries: BTreeMap<(usize, usize), Vec<usize>>,
}

impl Matrix {
    /// An entry as a string of one bit for each label.
    pub fn entry(&self, row: usize, column: usize) -> String {
        let mut bits = vec![b'0'; self.labels];
        for label in self.entries.get(&(row, column)).into_iter().flatten() {
            bits[*label] = b'1';
        }
        bits.into_iter().map(char::from).collect()
    }

    /// The same with the vertices in another order, in groups of these lengths.
    pub fn reordered(&self, order: Vec<usize>, cells: Vec<usize>) -> Matrix {
        let place: BTreeMap<usize, usize> =
            order.iter().enumerate().map(|(at, v)| (*v, at)).collect();
        let now: Vec<usize> = self.order.iter().map(|vertex| place[vertex]).collect();
        let mut names = vec![String::new(); order.len()];
        now.iter().zip(&self.names).for_each(|(at, name)| names[*at].clone_from(name));
        let moved = |(row, column): &(usize, usize)| (now[*row], now[*column]);
        let entries = self.entries.iter().map(|(at, labels)| (moved(at), labels.clone())).collect();
        Matrix { order, names, cells, labels: self.labels, entries }
    }

    pub fn row(&self, row: usize) -> Vec<String> {
        (0..self.order.len()).map(|column| self.entry(row, column)).collect()
    }

    /// The rows, concatenated: in canonical order the canonical label. Its length is the number of
    /// labels times the square of the number of vertices.
    pub fn canonical_label(&self) -> String {
        (0..self.order.len()).flat_map(|row| self.row(row)).collect()
    }
}

impl StateGraph {
    /// Draws a state. `sets` are the deferred sets and set parameters, small ones included; elements
    /// that are not movable are drawn as fixed values.
    pub fn draw(sets: &[SymmetricSet], cells: &[Cell<'_>]) -> StateGraph {
        let mut pen = Pen::new(sets);
        for cell in cells {
            pen.learn(cell.shape);
        }
        for (label, cell) in cells.iter().enumerate() {
            let root = pen.root;
            pen.content(cell.shape, cell.value, root, label);
        }
        let Pen { vertices, edges, shapes, .. } = pen;
        let mut graph = StateGraph {
            vertices,
            edges,
            labels: cells.iter().map(|c| c.label).collect(),
            shapes,
            colours: Vec::new(),
        };
        graph.colour(sets);
        graph
    }

    fn colour(&mut self, sets: &[SymmetricSet]) {
        let mut vertices: Vec<usize> = (0..self.vertices.len()).collect();
        let all = &self.vertices;
        let rank = |v: usize| match &all[v] {
            Vertex::Element(set, _) => {
                (0, sets.iter().position(|s| s.set == *set).unwrap_or(sets.len()) as u32, None)
            }
            Vertex::Special { .. } => (1, 0, None),
            Vertex::Fixed { shape, value } => (2, *shape, Some(value)),
            Vertex::Root => (3, 0, None),
        };
        vertices.sort_by(|a, b| rank(*a).cmp(&rank(*b)));
        self.colours =
            vertices.chunk_by(|a, b| rank(*a) == rank(*b)).map(|cell| cell.to_vec()).collect();
    }

    /// The adjacency matrix with the vertices in an order; `cells` are the lengths of the groups that
    /// rows and columns shall be seen in.
    pub fn matrix(
        &self,
        order: Vec<usize>,
        cells: Vec<usize>,
        mut name: impl FnMut(&Vertex) -> String,
    ) -> Matrix {
        let mut position = vec![0; order.len()];
        for (at, v) in order.iter().enumerate() {
            position[*v] = at;
        }
        let mut entries: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        for (from, to, label) in &self.edges {
            entries.entry((position[*from], position[*to])).or_default().push(*label);
        }
        Matrix {
            names: order.iter().map(|v| name(&self.vertices[*v])).collect(),
            order,
            cells,
            labels: self.labels.len(),
            entries,
        }
    }

    /// Where a vertex comes among those of its colour: smaller ones first. `permutation` takes the
    /// state to its canonical image.
    pub fn place(&self, vertex: usize, permutation: &Permutation) -> (u32, Option<Value>) {
        match &self.vertices[vertex] {
            Vertex::Element(set, element) => (permutation.element(*set, *element), None),
            Vertex::Special { shape, value, .. } => {
                (*shape, Some(permutation.apply(&self.shapes[*shape as usize], value)))
            }
            Vertex::Fixed { shape, value } => (*shape, Some(value.clone())),
            Vertex::Root => (0, None),
        }
    }
}

struct Pen {
    vertices: Vec<Vertex>,
    edges: BTreeSet<(usize, usize, usize)>,
    shapes: Vec<Shape>,
    elements: FxHashMap<(SetId, u32), usize>,
    known: FxHashMap<(u32, Value), usize>,
    specials: u32,
    /// Special vertices whose content has been drawn with a label.
    drawn: FxHashSet<(usize, usize)>,
    root: usize,
}

impl Pen {
    fn new(sets: &[SymmetricSet]) -> Pen {
        let all = sets.iter().flat_map(|s| s.movable.iter().map(|e| (s.set, *e)));
        let mut vertices: Vec<Vertex> = all.map(|(s, e)| Vertex::Element(s, e)).collect();
        let elements = vertices
            .iter()
            .enumerate()
            .filter_map(|(i, v)| match v {
                Vertex::Element(s, e) => Some(((*s, *e), i)),
                _ => None,
            })
            .collect();
        vertices.push(Vertex::Root);
        Pen {
            root: vertices.len() - 1,
            vertices,
            edges: BTreeSet::new(),
            shapes: Vec::new(),
            elements,
            known: FxHashMap::default(),
            specials: 0,
            drawn: FxHashSet::default(),
        }
    }

    /// Numbers the shapes of all parts of a shape, in the order of the types.
    fn learn(&mut self, shape: &Shape) {
        if self.shapes.contains(shape) {
            return;
        }
        self.shapes.push(shape.clone());
        match shape {
            Shape::Record(fields) => fields.iter().for_each(|f| self.learn(f)),
            _ if is_pair(shape) => {
                let (left, right) = shape.sides();
                self.learn(&left);
                self.learn(&right);
            }
            _ if is_set(shape) => self.learn(&shape.element()),
            _ => {}
        }
    }

    fn number(&mut self, shape: &Shape) -> u32 {
        self.learn(shape);
        self.shapes.iter().position(|s| s == shape).unwrap_or(0) as u32
    }

    /// The vertex of a value that stands in another one.
    fn vertex(&mut self, shape: &Shape, value: &Value, label: usize) -> usize {
        if let Shape::Index(u) = shape
            && let IndexKind::Element(set) = &u.kind
            && let Some(vertex) = self.elements.get(&(*set, value.word() as u32))
        {
            return *vertex;
        }
        let number = self.number(shape);
        let nested = (is_set(shape) || is_pair(shape) || matches!(shape, Shape::Record(_)))
            && !is_symbolic(value);
        let key = (number, value.clone());
        let vertex = match self.known.get(&key) {
            Some(vertex) => *vertex,
            None => {
                let value = value.clone();
                self.vertices.push(if nested {
                    self.specials += 1;
                    Vertex::Special { number: self.specials - 1, shape: number, value }
                } else {
                    Vertex::Fixed { shape: number, value }
                });
                self.known.insert(key, self.vertices.len() - 1);
                self.vertices.len() - 1
            }
        };
        if nested && self.drawn.insert((vertex, label)) {
            self.content(shape, value, vertex, label);
        }
        vertex
    }

    /// Draws a value with `owner` as its root.
    fn content(&mut self, shape: &Shape, value: &Value, owner: usize, label: usize) {
        match (shape, value) {
            (Shape::Record(shapes), Value::Record(fields)) => {
                for (shape, field) in shapes.iter().zip(fields.iter()) {
                    let vertex = self.vertex(shape, field, label);
                    self.edges.insert((vertex, owner, label));
                }
            }
            _ if is_pair(shape) => self.pair(shape, value, owner, label),
            _ if is_set(shape) && !is_symbolic(value) => {
                let element = shape.element();
                for member in shape.members(value) {
                    if is_pair(&element) {
                        self.pair(&element, &member, owner, label);
                    } else {
                        let vertex = self.vertex(&element, &member, label);
                        self.edges.insert((vertex, owner, label));
                    }
                }
            }
            _ => {
                let vertex = self.vertex(shape, value, label);
                self.edges.insert((vertex, owner, label));
            }
        }
    }

    fn pair(&mut self, shape: &Shape, value: &Value, owner: usize, label: usize) {
        let (left, right) = shape.sides();
        let (l, r) = shape.split(value);
        let from = self.vertex(&left, &l, label);
        let to = self.vertex(&right, &r, label);
        self.edges.insert((from, to, label));
        self.edges.insert((from, owner, label));
    }
}

/// An infinite set has no list of members: it is drawn as one value, which no permutation changes.
fn is_symbolic(value: &Value) -> bool {
    matches!(value, Value::Symbolic(_))
}

fn is_set(shape: &Shape) -> bool {
    match shape {
        Shape::Index(u) => matches!(u.kind, IndexKind::Subset(_)),
        other => matches!(other, Shape::Bits(_) | Shape::Set(_)),
    }
}

fn is_pair(shape: &Shape) -> bool {
    match shape {
        Shape::Index(u) => matches!(u.kind, IndexKind::Pair(..)),
        other => matches!(other, Shape::Pair(_)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::steps::Walk;
    use super::super::{Group, Labeller, Options, Valuation};
    use super::*;
    use crate::machine::Type;
    use crate::value::Sizes;
    use std::sync::Arc;

    fn name(vertex: &Vertex) -> String {
        match vertex {
            Vertex::Element(set, e) => format!("s{}", set.0 * 2 + e),
            Vertex::Special { number, .. } => format!("x{number}"),
            Vertex::Fixed { value, .. } => format!("{value:?}"),
            Vertex::Root => "root".into(),
        }
    }

    /// Example 4.5: `v1 = {{s0}}`, `v2 = {{(s1, s2)}}`, s0 and s1 in one set and s2 in another.
    #[test]
    fn the_printed_example() {
        let sizes = Sizes(Arc::from([2, 1]));
        let (d1, d2) = (Type::Set(SetId(0)), Type::Set(SetId(1)));
        let shapes = [
            Shape::of(&Type::pow(Type::pow(d1.clone())), &sizes),
            Shape::of(&Type::pow(Type::relation(d1, d2)), &sizes),
        ];
        let values =
            [shapes[0].collect([Value::Word(0b01)]), shapes[1].collect([Value::Word(0b10)])];
        let cells: Vec<Cell> = (0..2)
            .map(|i| Cell { label: i as u32, shape: &shapes[i], value: &values[i] })
            .collect();
        let sets = [SymmetricSet::all(SetId(0), 2), SymmetricSet::all(SetId(1), 1)];
        let graph = StateGraph::draw(&sets, &cells);
        let names: Vec<String> = graph.vertices.iter().map(name).collect();
        let named = |cell: &[usize]| {
            let mut list: Vec<&str> = cell.iter().map(|v| names[*v].as_str()).collect();
            list.sort_unstable();
            list.join(" ")
        };
        let colours: Vec<String> = graph.colours.iter().map(|c| named(c)).collect();
        assert_eq!(colours, ["s0 s1", "s2", "x0 x1", "root"]);

        let mut labeller = Labeller::new(Group::new(sets));
        let found = labeller.label(&cells, &mut Valuation(&cells), Options::default()).unwrap();
        let walk = walk(&graph, &found.permutation);
        assert_eq!((walk.nodes.len(), walk.equitable.len()), (1, 6));
        let matrix = graph.matrix(walk.order.clone(), vec![1; 6], name);
        assert_eq!(matrix.names, ["s0", "s1", "s2", "x1", "x0", "root"]);
        assert_eq!(matrix.row(0), ["00", "00", "00", "00", "10", "00"]);
        assert_eq!(matrix.row(1), ["00", "00", "01", "01", "00", "00"]);
        let label = matrix.canonical_label();
        assert_eq!(label.len(), 72);
        assert!(label.starts_with("000000001000000001010000"));

        let told: Vec<String> = walk.nodes[0]
            .splits
            .iter()
            .map(|s| {
                let parts: Vec<String> =
                    s.parts.iter().map(|(d, p)| format!("{d}: {}", named(p))).collect();
                let way = if s.incoming { "in" } else { "out" };
                format!(
                    "{} by {} v{} {way} -> {}",
                    named(&s.cell),
                    named(&s.by),
                    s.label + 1,
                    parts.join(" | ")
                )
            })
            .collect();
        assert_eq!(
            told,
            ["x0 x1 by s0 s1 v1 in -> 0: x1 | 1: x0", "s0 s1 by s2 v2 out -> 0: s0 | 1: s1"]
        );
        // The partition and the queue after the first split, as they are printed.
        let lists = |list: &[Vec<usize>]| list.iter().map(|c| named(c)).collect::<Vec<_>>();
        let stages = walk.stages();
        assert_eq!(lists(&stages[1].partition), ["s0 s1", "s2", "x1", "x0", "root"]);
        assert_eq!(lists(&stages[1].waiting), ["s2", "x0 x1", "root", "x1", "x0"]);
        assert_eq!(lists(&stages[2].partition), ["s0", "s1", "s2", "x1", "x0", "root"]);
        assert_eq!(stages.len(), 3);
    }

    fn walk(graph: &StateGraph, permutation: &Permutation) -> Walk {
        graph.walk(|v| graph.place(v, permutation)).unwrap()
    }

    #[test]
    fn fixed_values_have_vertices_and_the_root_is_last() {
        let sizes = Sizes(Arc::from([2, 3]));
        let shapes = [
            Shape::of(&Type::relation(Type::Set(SetId(0)), Type::Set(SetId(1))), &sizes),
            Shape::of(&Type::Integer, &sizes),
        ];
        let values = [shapes[0].collect([Value::Word(2), Value::Word(3)]), Value::Int(5)];
        let cells: Vec<Cell> = (0..2)
            .map(|i| Cell { label: i as u32, shape: &shapes[i], value: &values[i] })
            .collect();
        let sets = [SymmetricSet::all(SetId(0), 2)];
        let graph = StateGraph::draw(&sets, &cells);
        let mut labeller = Labeller::new(Group::new(sets));
        let found = labeller.label(&cells, &mut Valuation(&cells), Options::default()).unwrap();
        let walk = walk(&graph, &found.permutation);
        let matrix = graph.matrix(walk.order, vec![6], name);
        let last = matrix.order.len() - 1;
        assert_eq!(matrix.names[last], "root");
        assert_eq!(matrix.names.len(), 2 + 3 + 1);
        assert_eq!(matrix.names[2..5], ["Word(0)", "Word(2)", "Int(5)"]);
        assert_eq!(matrix.entry(4, last), "01");
        assert_eq!(matrix.entry(0, last), "10");
    }
}
