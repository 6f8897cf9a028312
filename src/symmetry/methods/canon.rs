//! Canonical labelling.

use super::{Admitted, Interrupt, Interrupted, Method, SetUp, Stabilisers};
use crate::state::{Interner, Layout, StateTable};
use crate::symmetry::Cell;
use crate::symmetry::group::Group;
use crate::symmetry::label::{Labeller, Options, Subject};
use crate::symmetry::orbit::Order;
use crate::value::{Permutation, Shape, Value};
use std::sync::Arc;

/// Canonical labelling: the canonical image of each state is kept (Turner et al.).
pub struct Canon {
    layout: Arc<Layout>,
    labeller: Labeller,
    table: StateTable,
    stabilisers: Stabilisers,
    interrupt: Option<Interrupt>,
}

/// A packed state, whose image is the list of the values of its constants and variables.
struct Unpacked<'a> {
    shapes: &'a [Shape],
    values: &'a [Value],
}

impl Subject for Unpacked<'_> {
    type Image = Vec<Value>;

    fn image(&mut self, permutation: &Permutation) -> Vec<Value> {
        self.shapes.iter().zip(self.values).map(|(s, v)| permutation.apply(s, v)).collect()
    }
}

/// The cells of a list of values, labelled by their position.
pub fn cells<'a>(shapes: &'a [Shape], values: &'a [Value]) -> Vec<Cell<'a>> {
    let numbered = shapes.iter().zip(values).enumerate();
    numbered.map(|(i, (shape, value))| Cell { label: i as u32, shape, value }).collect()
}

impl Canon {
    pub fn new(layout: Arc<Layout>, group: Group, interrupt: Option<Interrupt>) -> Canon {
        let table = StateTable::new(layout.words);
        let labeller = Labeller::new(group);
        Canon { layout, labeller, table, stabilisers: Stabilisers::default(), interrupt }
    }

    pub fn group(&self) -> &Group {
        self.labeller.group()
    }

    /// What is asked now and then whether to give up.
    pub fn interrupt(&self) -> Option<Interrupt> {
        self.interrupt.clone()
    }

    fn label(
        &mut self,
        shapes: &[Shape],
        values: &[Value],
    ) -> Result<(Vec<Value>, Order), Interrupted> {
        let interrupt = self.interrupt.clone();
        let ask = interrupt.as_ref().map(|f| move || f());
        let options =
            Options { generators: false, interrupt: ask.as_ref().map(|f| f as &dyn Fn() -> bool) };
        let mut subject = Unpacked { shapes, values };
        let labelling = self
            .labeller
            .label(&cells(shapes, values), &mut subject, options)
            .ok_or(Interrupted)?;
        Ok((labelling.image, labelling.aut_order))
    }

    /// The canonical image of a packed state, and the order of its stabiliser.
    pub fn canonical(
        &mut self,
        state: &[u64],
        interner: &mut Interner,
    ) -> Result<(Vec<u64>, Order), Interrupted> {
        let layout = self.layout.clone();
        let constants = layout.read_constants(state, interner);
        let mut values = constants.to_vec();
        values.extend(layout.read_all(state, interner));
        let shapes: Vec<Shape> = layout
            .constant_shapes()
            .iter()
            .cloned()
            .chain(layout.fields.iter().map(|f| f.shape.clone()))
            .collect();
        let (image, order) = self.label(&shapes, &values)?;
        let (constants, variables) = image.split_at(constants.len());
        Ok((layout.pack(constants.into(), variables, interner), order))
    }
}

impl Canon {
    /// Whether two states are in one orbit.
    pub fn same_orbit(
        &mut self,
        a: &[u64],
        b: &[u64],
        interner: &mut Interner,
    ) -> Result<bool, Interrupted> {
        Ok(a == b || self.canonical(a, interner)?.0 == self.canonical(b, interner)?.0)
    }
}

impl Method for Canon {
    fn admit(&mut self, state: &[u64], interner: &mut Interner) -> Result<Admitted, Interrupted> {
        let (image, order) = self.canonical(state, interner)?;
        let (number, new) = self.table.insert(&image);
        if new {
            self.stabilisers.push(order);
        }
        Ok(Admitted::at((number, new)))
    }

    fn state(&self, number: u32) -> &[u64] {
        self.table.state(number)
    }

    fn stands_for(
        &mut self,
        number: u32,
        state: &[u64],
        interner: &mut Interner,
    ) -> Result<bool, Interrupted> {
        let (image, _) = self.canonical(state, interner)?;
        Ok(self.table.state(number) == image)
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn stabiliser(&self, number: u32) -> Option<&Order> {
        self.stabilisers.get(number)
    }

    fn canonical_constants(&mut self, constants: &[Value]) -> Result<SetUp, Interrupted> {
        let shapes = self.layout.constant_shapes().to_vec();
        let (constants, order) = self.label(&shapes, constants)?;
        Ok(SetUp { constants, stabiliser: Some(order), nodes: 1 })
    }

    fn group_order(&self) -> Order {
        self.labeller.group().exact_order()
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.stabilisers.bytes()
    }

    fn search_ended(&mut self) {
        self.interrupt = None;
    }
}
