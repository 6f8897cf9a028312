//! A machine together with everything that must be fixed before a state can be written down.

use crate::machine::{ConstId, Global, LocalId, Machine, SetId, Type, VarId};
use crate::value::{Names, Shape, Sizes, Value};
use std::sync::Arc;

/// What it means that a part of an operation's guard is undefined while no other part is false.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum WdGuards {
    /// It is an error of the operation.
    #[default]
    Error,
    /// It counts as false, and is noted.
    Warn,
}

impl WdGuards {
    pub const ALL: [WdGuards; 2] = [WdGuards::Error, WdGuards::Warn];

    pub fn name(self) -> &'static str {
        match self {
            WdGuards::Error => "error",
            WdGuards::Warn => "warn",
        }
    }

    pub fn from_name(name: &str) -> Option<WdGuards> {
        WdGuards::ALL.into_iter().find(|w| w.name() == name)
    }
}

/// A machine with set sizes, integer limits and the names of its elements.
#[derive(Clone, Debug)]
pub struct Instance {
    pub machine: Arc<Machine>,
    pub sizes: Sizes,
    pub min_int: i64,
    pub max_int: i64,
    pub names: Names,
    pub wd_guards: WdGuards,
}

impl Instance {
    pub fn new(machine: Arc<Machine>, sizes: Sizes, min_int: i64, max_int: i64) -> Instance {
        let names = Names::new(&machine, &sizes);
        Instance { machine, sizes, min_int, max_int, names, wd_guards: WdGuards::default() }
    }

    pub fn shape(&self, ty: &Type) -> Shape {
        Shape::of(ty, &self.sizes)
    }

    pub fn size(&self, set: SetId) -> u32 {
        self.sizes.of(set)
    }

    /// Whether a constant is the name of the element that it is equal to.
    pub fn names_element(&self, constant: &Global, value: &Value) -> bool {
        match (&constant.ty, value) {
            (Type::Set(s), Value::Word(w)) => self.names.element(*s, *w as u32) == constant.name,
            _ => false,
        }
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
