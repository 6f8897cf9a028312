//! The values of a packed state: constants first, then variables.

use crate::state::{Interner, Layout};
use crate::value::{Permutation, Shape, Value};
use std::sync::Arc;

/// How the states of a machine are read, and written back.
#[derive(Clone, Debug)]
pub struct Reading {
    layout: Arc<Layout>,
    /// Of the constants, then of the variables.
    pub shapes: Vec<Shape>,
    /// Their names.
    pub names: Vec<String>,
    /// Number of constants.
    pub constants: usize,
}

impl Reading {
    /// `names` are those of the constants, then of the variables.
    pub fn new(layout: Arc<Layout>, names: Vec<String>) -> Reading {
        let constants = layout.constant_shapes();
        let shapes: Vec<Shape> =
            constants.iter().chain(layout.fields.iter().map(|f| &f.shape)).cloned().collect();
        Reading { constants: constants.len(), names, shapes, layout }
    }

    /// Words of a packed state.
    pub fn words(&self) -> usize {
        self.layout.words
    }

    pub fn values(&self, state: &[u64], interner: &mut Interner) -> Vec<Value> {
        let mut values = self.layout.read_constants(state, interner).to_vec();
        values.extend(self.layout.read_all(state, interner));
        values
    }

    pub fn pack(&self, values: &[Value], interner: &mut Interner) -> Vec<u64> {
        let (constants, variables) = values.split_at(self.constants);
        self.layout.pack(constants.into(), variables, interner)
    }

    /// The image of a list of values: of a state, or of its constants alone.
    pub fn image(&self, values: &[Value], permutation: &Permutation) -> Vec<Value> {
        self.shapes.iter().zip(values).map(|(s, v)| permutation.apply(s, v)).collect()
    }
}
