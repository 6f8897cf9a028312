//! The canonical matrix of a state, with the names a reader needs.

use crate::machine::{ConstId, Named, Notation, SetId, Type, VarId};
use crate::setup::Model;
use crate::symmetry::matrix::Vertex;
use crate::symmetry::view::cycles;
use crate::symmetry::{
    CanonView, Cell, Labeller, Options, StateGraph, SymmetricSet, Valuation, Wanted,
};
use crate::value::{Permutation, Shape, Value};

/// Most vertices of a state graph that is drawn: the matrix is for reading.
pub const MAX_VERTICES: usize = 1000;

/// Why there is no matrix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoMatrix {
    /// The machine is not initialised yet.
    NoState,
    /// The state graph has this many vertices.
    TooLarge(usize),
    /// The labelling did not end within its time limit.
    Time,
    /// The labelling was cancelled.
    Cancelled,
}

impl std::fmt::Display for NoMatrix {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoMatrix::NoState => write!(f, "no state yet: take a step to initialise the machine"),
            NoMatrix::TooLarge(n) => {
                write!(f, "the state graph has {n} vertices; at most {MAX_VERTICES} are drawn")
            }
            NoMatrix::Time => write!(f, "the labelling did not end within its time limit"),
            NoMatrix::Cancelled => write!(f, "the labelling was cancelled"),
        }
    }
}

/// Labels a state and draws its matrix. It asks the clock; [`NoMatrix::Time`] when it was stopped.
pub(super) fn canon(
    model: &Model,
    constants: &[Value],
    variables: &[Value],
) -> Result<CanonView, NoMatrix> {
    let instance = &model.program.instance;
    let machine = &instance.machine;
    let globals: Vec<_> = machine.constants.iter().chain(&machine.variables).collect();
    let values: Vec<&Value> = constants.iter().chain(variables).collect();
    let shapes: Vec<Shape> = globals.iter().map(|g| instance.shape(&g.ty)).collect();
    let cells: Vec<Cell<'_>> = shapes
        .iter()
        .zip(&values)
        .enumerate()
        .map(|(i, (shape, value))| Cell { label: i as u32, shape, value })
        .collect();

    let graph = StateGraph::draw(&sets(model), &cells);
    if graph.vertices.len() > MAX_VERTICES {
        return Err(NoMatrix::TooLarge(graph.vertices.len()));
    }
    let options = Options { generators: Wanted::All };
    let labelling = Labeller::new(model.group.clone())
        .label(&cells, &mut Valuation(&cells), options)
        .ok_or(NoMatrix::Time)?;
    let place = |v: usize| graph.place(v, &labelling.permutation);
    let walk = graph.walk(place).ok_or(NoMatrix::Time)?;

    let named: Vec<Named> = (0..machine.constants.len() as u32)
        .map(|i| Named::Constant(ConstId(i)))
        .chain((0..machine.variables.len() as u32).map(|i| Named::Variable(VarId(i))))
        .collect();
    let mut places: Vec<Place> = Vec::new();
    for (global, name) in globals.iter().zip(&named) {
        let notation = machine.notations.of(*name);
        learn(&global.ty, notation, &|t| instance.shape(t), &mut places);
    }
    let show = |shape: u32, value: &Value| {
        let shape = &graph.shapes[shape as usize];
        let found = places.iter().find(|p| p.shape == *shape);
        found.map_or_else(|| "?".to_owned(), |p| instance.names.show_as(&p.ty, &p.notation, value))
    };
    let name = |vertex: &Vertex| match vertex {
        Vertex::Element(set, element) => instance.names.element(*set, *element).to_string(),
        Vertex::Special { number, .. } => format!("x{number}"),
        Vertex::Fixed { shape, value } => show(*shape, value),
        Vertex::Root => "root".to_owned(),
    };
    let lengths = |partition: &[Vec<usize>]| partition.iter().map(Vec::len).collect();
    let legend = walk.order.iter().filter_map(|v| match &graph.vertices[*v] {
        vertex @ Vertex::Special { shape, value, .. } => Some((name(vertex), show(*shape, value))),
        _ => None,
    });
    let image = globals
        .iter()
        .zip(named.iter().zip(&labelling.image))
        .map(|(g, (name, v))| (g.name.to_string(), instance.show(*name, v)))
        .collect();
    let generators = labelling.generators.permutations();
    Ok(CanonView {
        matrix: graph.matrix(walk.order.clone(), lengths(&walk.equitable), name),
        before: graph.matrix(walk.initial.concat(), lengths(&walk.initial), name),
        names: graph.vertices.iter().map(name).collect(),
        labels: globals.iter().map(|g| g.name.to_string()).collect(),
        legend: legend.collect(),
        image,
        permutation: moved(model, &labelling.permutation),
        generators: generators.iter().map(|g| cycles(&moved(model, g))).collect(),
        orbit_size: labelling.orbit_size(&model.group),
        aut_order: labelling.aut_order,
        group_order: model.group.exact_order(),
        tree_nodes: labelling.nodes,
        walk,
    })
}

/// The elements that a permutation moves, and what they become.
pub(super) fn moved(model: &Model, permutation: &Permutation) -> Vec<(String, String)> {
    let names = &model.program.instance.names;
    let all = model.group.sets().iter().flat_map(|s| s.movable.iter().map(|e| (s.set, *e)));
    let moves =
        all.map(|(set, e)| (set, e, permutation.element(set, e))).filter(|(_, e, i)| e != i);
    let name = |set, element| names.element(set, element).to_string();
    moves.map(|(set, e, i)| (name(set, e), name(set, i))).collect()
}

/// The sets as the drawing wants them: small ones included, elements that cannot move fixed.
fn sets(model: &Model) -> Vec<SymmetricSet> {
    let of = |set: SetId| model.group.sets().iter().find(|s| s.set == set);
    let sets = model.sets.iter().map(|info| match of(info.set) {
        Some(set) => set.clone(),
        // A single element has nowhere to go, which is no reason to draw it apart.
        None if info.size == 1 && info.fixed.is_empty() => SymmetricSet::all(info.set, 1),
        None => SymmetricSet { set: info.set, size: info.size, movable: Vec::new() },
    });
    sets.collect()
}

/// What values of one shape are.
struct Place {
    shape: Shape,
    ty: Type,
    notation: Notation,
}

/// Remembers the type of every shape that can occur inside values of a type. Vertices stand for equal
/// values wherever they occur: they are written as sequences where all of these places are.
fn learn(ty: &Type, notation: &Notation, shape: &dyn Fn(&Type) -> Shape, into: &mut Vec<Place>) {
    let own = shape(ty);
    match into.iter_mut().find(|p| p.shape == own && p.ty == *ty) {
        Some(known) if known.notation == *notation => return,
        Some(known) if known.notation == Notation::Plain => return,
        Some(known) => known.notation = Notation::Plain,
        None => into.push(Place { shape: own, ty: ty.clone(), notation: notation.clone() }),
    }
    match ty {
        Type::Pow(of) => learn(of, &notation.element(), shape, into),
        Type::Pair(sides) => {
            let (left, right) = notation.sides();
            learn(&sides.0, &left, shape, into);
            learn(&sides.1, &right, shape, into);
        }
        Type::Record(fields) => {
            for (i, (_, ty)) in fields.iter().enumerate() {
                learn(ty, &notation.field(i), shape, into);
            }
        }
        Type::Integer | Type::Real | Type::Bool | Type::String | Type::Set(_) | Type::Free(_) => {}
    }
}
