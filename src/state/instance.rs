//! A machine together with everything that must be fixed before a state can be written down.

use crate::machine::{ConstId, LocalId, Machine, SetId, Type, VarId};
use crate::value::{Names, Shape, Sizes};
use std::sync::Arc;

/// A machine with set sizes, integer limits and the names of its elements.
#[derive(Clone, Debug)]
pub struct Instance {
    pub machine: Arc<Machine>,
    pub sizes: Sizes,
    pub min_int: i64,
    pub max_int: i64,
    pub names: Names,
}

impl Instance {
    pub fn new(machine: Arc<Machine>, sizes: Sizes, min_int: i64, max_int: i64) -> Instance {
        let names = Names::new(&machine, &sizes);
        Instance { machine, sizes, min_int, max_int, names }
    }

    pub fn shape(&self, ty: &Type) -> Shape {
        Shape::of(ty, &self.sizes)
    }

    pub fn size(&self, set: SetId) -> u32 {
        self.sizes.of(set)
    }

    pub fn variable_shape(&self, id: VarId) -> Shape {
        self.shape(&self.machine.variable(id).ty)
    }

    pub fn constant_shape(&self, id: ConstId) -> Shape {
        self.shape(&self.machine.constant(id).ty)
    }

    pub fn local_shape(&self, id: LocalId) -> Shape {
        self.shape(&self.machine.local(id).ty)
    }
}
