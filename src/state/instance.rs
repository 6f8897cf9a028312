//! A machine together with everything that must be fixed before a state can be written down.

use super::outside::Outside;
use crate::machine::places::{Key, Place};
use crate::machine::{
    ConstId, Global, Local, LocalId, Machine, Named, Notations, SetId, SymbolicSet, Type, VarId,
};
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
    /// Whether setting up the constants is a step of its own. There is nothing to set up where all of
    /// them are names of elements.
    pub setup_step: bool,
    /// What external functions may ask for.
    pub outside: Arc<Outside>,
}

impl Instance {
    pub fn new(machine: Arc<Machine>, sizes: Sizes, min_int: i64, max_int: i64) -> Instance {
        let names = Names::new(&machine, &sizes);
        let (wd_guards, setup_step) = (WdGuards::default(), machine.declares_setup());
        let outside = Arc::new(Outside::new(machine.files.as_deref(), 1));
        Instance { machine, sizes, min_int, max_int, names, wd_guards, setup_step, outside }
    }

    /// The instance for a formula that was typed against its machine, with the locals, their notations and the
    /// descriptions of infinite sets that the formula brings along, and the machine's locals that hold some because of it.
    pub fn extended(
        &self,
        locals: &[Local],
        symbolic: &[SymbolicSet],
        holders: &[LocalId],
        notations: &Notations,
    ) -> Instance {
        let mut machine = (*self.machine).clone();
        machine.notations.extend(notations);
        machine.locals.extend(locals.iter().cloned());
        machine.symbolic.sets.extend(symbolic.iter().cloned());
        machine.symbolic.locals.extend(holders);
        let mut names = self.names.clone();
        names.describe(&machine);
        Instance { machine: Arc::new(machine), names, ..self.clone() }
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

    /// A value of what is named, written as that is declared.
    pub fn show(&self, name: Named, value: &Value) -> String {
        let ty = match name {
            Named::Constant(id) => &self.machine.constant(id).ty,
            Named::Variable(id) => &self.machine.variable(id).ty,
            Named::Local(id) => &self.machine.local(id).ty,
        };
        self.names.show_as(ty, self.machine.notations.of(name), value)
    }

    /// Name and value of a constant, a variable or a local.
    pub fn printed(&self, name: Named, value: &Value) -> (String, String) {
        let written = match name {
            Named::Constant(id) => &self.machine.constant(id).name,
            Named::Variable(id) => &self.machine.variable(id).name,
            Named::Local(id) => &self.machine.local(id).name,
        };
        (written.to_string(), self.show(name, value))
    }

    /// Name and value of a variable.
    pub fn printed_variable(&self, id: VarId, value: &Value) -> (String, String) {
        (self.machine.variable(id).name.to_string(), self.show(Named::Variable(id), value))
    }

    /// Names and values of the constants. One that static symmetry made the name of an element is
    /// not listed: there is nothing to tell of it.
    pub fn printed_constants(&self, values: &[Value]) -> Vec<(String, String)> {
        let all = (0..).map(ConstId).zip(values);
        let told = all.filter(|(id, v)| !self.names_element(self.machine.constant(*id), v));
        let name = |id| self.machine.constant(id).name.to_string();
        told.map(|(id, v)| (name(id), self.show(Named::Constant(id), v))).collect()
    }

    /// The values of some locals, of which there may be more than are asked for.
    pub fn printed_locals(&self, locals: &[LocalId], values: &[Value]) -> Vec<String> {
        locals.iter().zip(values).map(|(id, v)| self.show(Named::Local(*id), v)).collect()
    }

    /// A variable, or one point of it, in an operation with these parameters.
    pub fn place(&self, parameters: &[LocalId], place: &Place) -> String {
        let name = &self.machine.variable(place.variable).name;
        match &place.point {
            None => name.to_string(),
            Some(key) => format!("{name}({})", self.key(parameters, key)),
        }
    }

    /// Which point is meant, in an operation with these parameters.
    pub fn key(&self, parameters: &[LocalId], key: &Key) -> String {
        match key {
            Key::Parameter(i) => self.machine.local(parameters[*i]).name.to_string(),
            Key::Constant(id) => self.machine.constant(*id).name.to_string(),
            Key::Integer(n) => n.to_string(),
            Key::Bool(b) => if *b { "TRUE" } else { "FALSE" }.to_owned(),
            Key::Element(set, i) => self.names.element(*set, *i).to_string(),
            Key::Pair(a, b) => {
                format!("{} |-> {}", self.key(parameters, a), self.key(parameters, b))
            }
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
