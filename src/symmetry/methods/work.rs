//! Counts what a method does to one state, so that large states can be interrupted, too.

use super::{Interrupt, Interrupted, ask};
use crate::symmetry::graph::each_member;
use crate::value::Value;
use std::cell::Cell;

/// Units between two looks at the clock: some hundreds of microseconds.
const UNITS: usize = 4096;

/// A unit is a step whose length does not depend on the state: one member of a set, one edge.
#[derive(Clone)]
pub struct Work<'i> {
    interrupt: &'i Option<Interrupt>,
    left: Cell<usize>,
}

impl<'i> Work<'i> {
    pub fn new(interrupt: &'i Option<Interrupt>) -> Work<'i> {
        Work { interrupt, left: Cell::new(UNITS) }
    }

    /// Counts units, and asks now and then whether to give up.
    #[inline]
    pub fn done(&self, units: usize) -> Result<(), Interrupted> {
        match self.left.get().checked_sub(units) {
            Some(left) if left > 0 => {
                self.left.set(left);
                Ok(())
            }
            _ => {
                self.left.set(UNITS);
                ask(self.interrupt)
            }
        }
    }
}

/// Goes through the members of a set until an interruption.
pub fn try_each_member(
    set: &Value,
    mut f: impl FnMut(&Value) -> Result<(), Interrupted>,
) -> Result<(), Interrupted> {
    let mut result = Ok(());
    each_member(set, |member| {
        if result.is_ok() {
            result = f(member);
        }
    });
    result
}
