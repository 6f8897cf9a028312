//! Functions from integers to integers that the state holds by their numbers, at one point: read from an array where
//! there is one.

use super::code::lower;
use super::env::{Env, Operand};
use super::stop::Raised;
use super::word::Bits;
use crate::machine::VarId;
use crate::source::Span;
use crate::state::Layout;
use crate::value::{Value, relation};
use std::sync::Arc;

/// An application of such a function.
#[derive(Clone)]
pub struct Numbered {
    pub id: VarId,
    pub layout: Arc<Layout>,
    /// Where its number stands.
    pub number: Bits,
    pub span: Span,
    pub function: Operand,
    pub argument: Operand,
}

impl Numbered {
    /// `f(x)`
    ///
    /// # Errors
    /// `x` has no partner or several, or its partner is no word.
    #[inline]
    pub fn apply(&self, x: i64, env: &mut Env) -> Result<u64, Raised> {
        let number = self.number.get(&env.state) as u32;
        match env.interner.flat(number).and_then(|flat| flat.get(x)) {
            Some(y) => Ok(y as u64),
            None => self.look_up(x, env),
        }
    }

    #[inline(never)]
    fn look_up(&self, x: i64, env: &mut Env) -> Result<u64, Raised> {
        let (f, x) = (self.layout.read(self.id, &env.state, &mut env.interner), Value::Int(x));
        let kind = match relation::apply(&self.layout.field(self.id).shape, &f, &x) {
            Ok(value) => return Ok(lower(&value)?),
            Err(why) => why.into(),
        };
        Err(env.fault(kind, self.span, [(&self.function, f), (&self.argument, x)]).into())
    }
}
