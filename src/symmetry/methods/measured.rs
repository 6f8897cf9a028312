//! How precise is an approximate method? Canonical labelling runs beside it, on every state that it is
//! given.

use super::{Admitted, Canon, FloodLimit, Interrupted, Kind, Method, SetUp};
use crate::state::Interner;
use crate::symmetry::orbit::Order;
use crate::value::{Permutation, Value};

pub struct Measured {
    method: Box<dyn Method>,
    canon: Canon,
}

impl Measured {
    pub fn new(method: Box<dyn Method>, canon: Canon) -> Measured {
        Measured { method, canon }
    }
}

impl Method for Measured {
    fn admit(&mut self, state: &[u64], interner: &mut Interner) -> Result<Admitted, Interrupted> {
        self.canon.admit(state, interner)?;
        self.method.admit(state, interner)
    }

    fn state(&self, number: u32) -> &[u64] {
        self.method.state(number)
    }

    fn node(&self, number: u32) -> u32 {
        self.method.node(number)
    }

    fn stands_for(
        &mut self,
        number: u32,
        state: &[u64],
        interner: &mut Interner,
    ) -> Result<bool, Interrupted> {
        self.method.stands_for(number, state, interner)
    }

    fn len(&self) -> usize {
        self.method.len()
    }

    fn stabiliser(&self, number: u32) -> Option<&Order> {
        self.method.stabiliser(number)
    }

    fn automorphisms(
        &mut self,
        number: u32,
        interner: &mut Interner,
    ) -> Result<Vec<Permutation>, Interrupted> {
        self.method.automorphisms(number, interner)
    }

    fn canonical_constants(&mut self, constants: &[Value]) -> Result<SetUp, Interrupted> {
        self.method.canonical_constants(constants)
    }

    fn group_order(&self) -> Order {
        self.method.group_order()
    }

    fn bytes(&self) -> usize {
        self.method.bytes() + self.canon.bytes()
    }

    fn kind(&self) -> Kind {
        self.method.kind()
    }

    fn notes(&self) -> Vec<String> {
        self.method.notes()
    }

    fn statistics(&self) -> Vec<(String, f64)> {
        self.method.statistics()
    }

    fn refusal(&self) -> Option<&FloodLimit> {
        self.method.refusal()
    }

    /// The states that the method keeps have different keys, so they are in different orbits: each
    /// further orbit among the states generated is missed.
    fn missed_orbits(&self) -> Option<u64> {
        Some((self.canon.len() as u64).saturating_sub(self.method.len() as u64))
    }
}
