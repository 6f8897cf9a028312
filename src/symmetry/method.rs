//! Methods: has this state been seen, up to symmetry?
//!
//! A method keeps the store that answers the question, and what it gives back to expand is always a
//! real state or the image of one under a permutation. A new method is one new file that implements
//! [`Method`].

use super::Cell;
use super::group::Group;
use super::label::{Labeller, Labelling, Options, Subject};
use super::orbit::Order;
use crate::state::{Interner, Layout, StateTable};
use crate::value::{Permutation, Shape, Value};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::sync::Arc;

/// The answer for one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Admitted {
    /// The number of the state that stands for it.
    pub number: u32,
    pub new: bool,
}

/// The labelling was interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

pub trait Method: Send {
    /// Looks a state up, and keeps it if nothing equivalent is there.
    fn admit(&mut self, state: &[u64], interner: &mut Interner) -> Result<Admitted, Interrupted>;

    /// Looks many states up, in order: the same as one after the other, but kinder to the memory.
    fn admit_all(
        &mut self,
        states: &[u64],
        words: usize,
        interner: &mut Interner,
        out: &mut Vec<Admitted>,
    ) -> Result<(), Interrupted> {
        out.clear();
        for state in states.chunks_exact(words) {
            out.push(self.admit(state, interner)?);
        }
        Ok(())
    }

    /// The state with a number: what is expanded.
    fn state(&self, number: u32) -> &[u64];

    /// Whether the state with this number stands for `state`.
    fn stands_for(
        &mut self,
        number: u32,
        state: &[u64],
        interner: &mut Interner,
    ) -> Result<bool, Interrupted>;

    /// Number of states kept.
    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Order of the group of permutations that leave the state with this number unchanged; `None`
    /// when the method does not know it.
    fn stabiliser(&self, number: u32) -> Option<&Order>;

    /// Generators of the group of permutations that leave the state with this number unchanged, for
    /// pruning the arguments of operations. None are needed for correctness.
    fn automorphisms(
        &mut self,
        number: u32,
        interner: &mut Interner,
    ) -> Result<Vec<Permutation>, Interrupted> {
        let _ = (number, interner);
        Ok(Vec::new())
    }

    /// The constants of a set-up as the method would keep them, with the order of their stabiliser.
    fn canonical_constants(
        &mut self,
        constants: &[Value],
    ) -> Result<(Vec<Value>, Order), Interrupted>;

    /// Order of the whole group that is used for reduction.
    fn group_order(&self) -> Order;

    /// Bytes held.
    fn bytes(&self) -> usize;
}

/// No reduction: states are equal or different.
pub struct Off {
    table: StateTable,
    hashes: Vec<u64>,
    one: Order,
}

impl Off {
    pub fn new(layout: &Layout) -> Off {
        Off { table: StateTable::new(layout.words), hashes: Vec::new(), one: Order::ONE }
    }
}

impl Method for Off {
    fn admit(&mut self, state: &[u64], _: &mut Interner) -> Result<Admitted, Interrupted> {
        let (number, new) = self.table.insert(state);
        Ok(Admitted { number, new })
    }

    fn admit_all(
        &mut self,
        states: &[u64],
        words: usize,
        _: &mut Interner,
        out: &mut Vec<Admitted>,
    ) -> Result<(), Interrupted> {
        out.clear();
        self.hashes.clear();
        self.hashes.extend(states.chunks_exact(words).map(crate::state::table::hash_state));
        std::hint::black_box(self.table.touch(&self.hashes));
        for (state, hash) in states.chunks_exact(words).zip(&self.hashes) {
            let (number, new) = self.table.insert_hashed(state, *hash);
            out.push(Admitted { number, new });
        }
        Ok(())
    }

    fn state(&self, number: u32) -> &[u64] {
        self.table.state(number)
    }

    fn stands_for(
        &mut self,
        number: u32,
        state: &[u64],
        _: &mut Interner,
    ) -> Result<bool, Interrupted> {
        Ok(self.table.state(number) == state)
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn stabiliser(&self, _: u32) -> Option<&Order> {
        Some(&self.one)
    }

    fn canonical_constants(
        &mut self,
        constants: &[Value],
    ) -> Result<(Vec<Value>, Order), Interrupted> {
        Ok((constants.to_vec(), Order::ONE))
    }

    fn group_order(&self) -> Order {
        Order::ONE
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
    }
}

/// Asked by a labelling now and then whether to give up.
pub type Interrupt = Arc<dyn Fn() -> bool + Send + Sync>;

/// Canonical labelling: the canonical image of each state is kept (Turner et al.).
pub struct Canon {
    layout: Arc<Layout>,
    labeller: Labeller,
    /// Shapes of the constants, then of the variables.
    shapes: Vec<Shape>,
    table: StateTable,
    /// The different orders of stabilisers, and the one of each state.
    orders: IndexSet<Order, FxBuildHasher>,
    order_of: Vec<u32>,
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
        let variables = layout.fields.iter().map(|f| f.shape.clone());
        let shapes = layout.constant_shapes().iter().cloned().chain(variables).collect();
        let (orders, order_of) = (IndexSet::default(), Vec::new());
        Canon { layout, labeller, shapes, table, orders, order_of, interrupt }
    }

    /// Labels a list of values: of all shapes, or of those of the constants.
    fn label(
        &mut self,
        values: &[Value],
        generators: bool,
    ) -> Result<Labelling<Vec<Value>>, Interrupted> {
        let ask = self.interrupt.as_ref().map(|f| || f());
        let interrupt = ask.as_ref().map(|f| f as &dyn Fn() -> bool);
        let shapes = &self.shapes[..values.len()];
        let mut subject = Unpacked { shapes, values };
        let options = Options { generators, interrupt };
        self.labeller.label(&cells(shapes, values), &mut subject, options).ok_or(Interrupted)
    }

    /// Constants and variables of a packed state.
    fn unpack(&self, state: &[u64], interner: &mut Interner) -> Vec<Value> {
        let mut values = self.layout.read_constants(state, interner).to_vec();
        values.extend(self.layout.read_all(state, interner));
        values
    }

    /// The canonical image of a packed state, and the order of its stabiliser.
    pub fn canonical(
        &mut self,
        state: &[u64],
        interner: &mut Interner,
    ) -> Result<(Vec<u64>, Order), Interrupted> {
        let values = self.unpack(state, interner);
        let labelling = self.label(&values, false)?;
        let (constants, variables) = labelling.image.split_at(self.layout.constant_shapes().len());
        Ok((self.layout.pack(constants.into(), variables, interner), labelling.aut_order))
    }
}

impl Method for Canon {
    fn admit(&mut self, state: &[u64], interner: &mut Interner) -> Result<Admitted, Interrupted> {
        let (image, order) = self.canonical(state, interner)?;
        let (number, new) = self.table.insert(&image);
        if new {
            let (at, _) = self.orders.insert_full(order);
            self.order_of.push(at as u32);
        }
        Ok(Admitted { number, new })
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
        self.orders.get_index(self.order_of[number as usize] as usize)
    }

    fn automorphisms(
        &mut self,
        number: u32,
        interner: &mut Interner,
    ) -> Result<Vec<Permutation>, Interrupted> {
        if self.stabiliser(number) == Some(&Order::ONE) {
            return Ok(Vec::new());
        }
        let values = self.unpack(self.table.state(number), interner);
        Ok(self.label(&values, true)?.generators)
    }

    fn canonical_constants(
        &mut self,
        constants: &[Value],
    ) -> Result<(Vec<Value>, Order), Interrupted> {
        let labelling = self.label(constants, false)?;
        Ok((labelling.image, labelling.aut_order))
    }

    fn group_order(&self) -> Order {
        self.labeller.group().exact_order()
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.order_of.capacity() * 4
    }
}
