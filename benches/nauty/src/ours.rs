//! Our side: a packed state, labelled to its packed canonical image, as the search does it.

use burnside::clock::Clock;
use burnside::reduce::Canon;
use burnside::setup::Model;
use burnside::state::{Interner, Layout};
use burnside::symmetry::flat::{FlatPlan, FlatReader, Packed};
use burnside::symmetry::partition::Partition;
use burnside::symmetry::refine::{Adjacency, Refiner};
use burnside::symmetry::{Cell, Drawing, Group, GuideGraph, Order};
use burnside::value::shape::IndexKind;
use burnside::value::{Shape, Value};
use std::sync::Arc;
use std::time::Duration;

/// Longest that one labelling may take.
const LIMIT: Duration = Duration::from_secs(2);

pub type State = Vec<u64>;

/// What labels the states of one size of one family.
pub struct Ours {
    canon: Canon,
    layout: Arc<Layout>,
    interner: Interner,
    flat: Option<FlatPlan>,
    reader: FlatReader,
    adjacency: Adjacency,
    partition: Partition,
    refiner: Refiner,
    graph: GuideGraph,
}

fn cells<'a>(shapes: &'a [Shape], values: &'a [Value]) -> Vec<Cell<'a>> {
    let numbered = shapes.iter().zip(values).enumerate();
    numbered.map(|(i, (shape, value))| Cell { label: i as u32, shape, value }).collect()
}

fn is_set(shape: &Shape) -> bool {
    match shape {
        Shape::Bits(_) | Shape::Set(_) => true,
        Shape::Index(u) => matches!(u.kind, IndexKind::Subset(_)),
        _ => false,
    }
}

impl Ours {
    pub fn new(model: &Model, interner: Interner) -> Ours {
        let layout = model.program.layout.clone();
        Ours {
            canon: Canon::new(layout.clone(), model.group.clone()),
            flat: FlatPlan::compile(&model.group, &layout),
            layout,
            interner,
            reader: FlatReader::default(),
            adjacency: Adjacency::default(),
            partition: Partition::default(),
            refiner: Refiner::default(),
            graph: GuideGraph::default(),
        }
    }

    /// Runs under a clock that ends a labelling after [`LIMIT`].
    pub fn limited<T>(run: impl FnOnce() -> T) -> T {
        Clock::limited(Some(LIMIT), None).run(run)
    }

    /// Canonical image and order of the group; none when it takes too long. This is what is timed.
    pub fn label(&mut self, state: &State) -> Option<(Packed, Order)> {
        self.canon.canonical(state, &mut self.interner).ok()
    }

    /// Reads a state and no more, which the other programs need as well: colours and edges.
    pub fn read(&mut self, state: &State) {
        let group = self.canon.group();
        match &self.flat {
            Some(plan) if plan.fits(state) => {
                self.reader.read(plan, group, state, &mut self.adjacency);
                self.reader.partition(group, &mut self.partition);
            }
            _ => {
                let (shapes, values) = self.values(state);
                let group = self.canon.group();
                self.graph.build(group, &cells(&shapes, &values));
                self.graph.partition(group, &mut self.partition, &mut self.refiner);
            }
        }
    }

    pub fn group(&self) -> &Group {
        self.canon.group()
    }

    /// The shapes of the variables.
    pub fn shapes(&self) -> Vec<Shape> {
        self.layout.fields.iter().map(|f| f.shape.clone()).collect()
    }

    /// The values of constants and variables, with their shapes.
    pub fn values(&mut self, state: &State) -> (Vec<Shape>, Vec<Value>) {
        let constants = self.layout.read_constants(state, &mut self.interner).to_vec();
        let variables = self.layout.read_all(state, &mut self.interner);
        let shapes = self.layout.fields.iter().map(|f| f.shape.clone());
        let all = self.layout.constant_shapes().iter().cloned().chain(shapes).collect();
        (all, constants.into_iter().chain(variables).collect())
    }

    pub fn pack(&mut self, mut values: Vec<Value>) -> State {
        let variables = values.split_off(self.layout.constant_shapes().len());
        self.layout.pack(values.into(), &variables, &mut self.interner)
    }

    /// The guide graph, for the other programs.
    pub fn drawing(&mut self, state: &State) -> Drawing {
        let (shapes, values) = self.values(state);
        let mut graph = GuideGraph::default();
        graph.build(self.group(), &cells(&shapes, &values));
        graph.drawing(self.group())
    }

    /// What the graph leaves out because no permutation moves it: values, and members of sets.
    pub fn fixed(&mut self, state: &State) -> Vec<Vec<Value>> {
        let generators = self.group().generators();
        let still = |shape: &Shape, v: &Value| generators.iter().all(|g| g.apply(shape, v) == *v);
        let (shapes, values) = self.values(state);
        let parts = shapes.iter().zip(&values).map(|(shape, value)| {
            if still(shape, value) {
                vec![value.clone()]
            } else if is_set(shape) {
                let member = shape.element();
                shape.members(value).filter(|m| still(&member, m)).collect()
            } else {
                Vec::new()
            }
        });
        parts.collect()
    }

    /// The state with its elements permuted at random.
    pub fn permuted(&mut self, state: &State, below: &mut dyn FnMut(u32) -> u32) -> State {
        let by = self.group().random(below);
        let (shapes, values) = self.values(state);
        self.pack(shapes.iter().zip(&values).map(|(s, v)| by.apply(s, v)).collect())
    }
}
