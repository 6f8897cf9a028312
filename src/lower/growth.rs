//! What came to sets that a loop lets grow, and what went from them, while it runs.

use crate::value::{Shape, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What came to a set, and what went from it, since it was made.
#[derive(Default)]
pub struct Growth {
    come: BTreeSet<Value>,
    gone: BTreeSet<Value>,
}

/// What came and went, by the readable slots of the locals.
#[derive(Default)]
pub struct Growths(pub FxHashMap<usize, Growth>);

impl Growth {
    /// Whether something is a member by now of the set that was this one.
    pub fn has(&self, shape: &Shape, base: &Value, member: &Value) -> bool {
        self.come.contains(member) || !self.gone.contains(member) && shape.contains(base, member)
    }

    pub fn add(&mut self, shape: &Shape, base: &Value, member: Value) {
        if !self.gone.remove(&member) && !shape.contains(base, &member) {
            self.come.insert(member);
        }
    }

    pub fn remove(&mut self, shape: &Shape, base: &Value, member: Value) {
        if !self.come.remove(&member) && shape.contains(base, &member) {
            self.gone.insert(member);
        }
    }

    /// How many members it has by now.
    pub fn card(&self, shape: &Shape, base: &Value) -> usize {
        shape.card(base) + self.come.len() - self.gone.len()
    }

    /// The set that it has become.
    pub fn made(self, shape: &Shape, base: &Value) -> Value {
        let come = shape.collect(self.come);
        let gone = shape.collect(self.gone);
        shape.union(&shape.difference(base, &gone), &come)
    }
}
