//! Names that are given values within a formula: LET, and lambdas that are applied where they stand.

use super::super::code::{Binder, Slot};
use super::super::env::{Env, Operand};
use super::super::stop::{FaultKind, Stop};
use super::super::test::Test;
use super::Rich;
use crate::source::Span;

/// Equations, each evaluated into its local, in this order.
pub struct Bindings(pub Box<[(Slot, Rich)]>);

impl Bindings {
    /// # Errors
    /// Some value is not there.
    pub fn bind(&self, env: &mut Env) -> Result<(), Stop> {
        for (slot, value) in &self.0 {
            let value = value.get(env)?;
            slot.set(env, value)?;
        }
        Ok(())
    }
}

/// `%x.(P | E)` at an argument.
pub struct Applied {
    pub argument: Rich,
    pub binder: Binder,
    pub test: Test,
    pub body: Rich,
    pub span: Span,
    /// What is told of the argument.
    pub operand: Operand,
}

impl Applied {
    /// Gives the names of the lambda the argument's value.
    ///
    /// # Errors
    /// The argument is not there, or not in the domain.
    pub fn enter(&self, env: &mut Env) -> Result<(), Stop> {
        let x = self.argument.get(env)?;
        self.binder.bind(env, x.clone())?;
        match self.test.holds(env)? {
            true => Ok(()),
            false => Err(env.fault(FaultKind::OutsideDomain, self.span, [(&self.operand, x)])),
        }
    }
}
