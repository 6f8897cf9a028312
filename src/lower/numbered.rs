//! Functions from integers to integers or to words, at one point: read from an array where there is one. The state
//! holds them by their numbers, or they are constants.

use super::code::lower;
use super::env::{Env, Operand};
use super::stop::{FaultKind, Raised};
use super::word::{Bits, Word};
use crate::machine::{ConstId, VarId};
use crate::source::Span;
use crate::state::Layout;
use crate::value::{Shape, Value, relation};
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

/// An application of a constant that is such a function, or one from pairs of integers.
#[derive(Clone)]
pub struct Arrayed {
    pub id: ConstId,
    /// What it is applied to, and the right side where that is a pair.
    pub at: (Word, Option<Word>),
    /// The shape of the function.
    pub shape: Shape,
    pub span: Span,
    pub function: Operand,
    pub argument: Operand,
}

impl Arrayed {
    /// `f(x)`; that there is no `f` is told before what `x` comes to.
    ///
    /// # Errors
    /// There is no `f` or no `x`; `x` has no partner or several, or its partner is no word.
    #[inline]
    pub fn apply(&self, env: &mut Env) -> Result<u64, Raised> {
        let id = self.id.0 as usize;
        if env.constants[id].is_none() {
            return Err(env.fault(FaultKind::ConstantNotSolved, self.function.span, []).into());
        }
        let x = self.at.0.get(env)? as i64;
        let right = self.at.1.as_ref().map(|y| y.get(env)).transpose()?.map(|y| y as i64);
        let Env { constants, memory, .. } = &mut *env;
        let array = constants[id].as_ref().and_then(|f| memory.arrays.get(self.id.0, || f.clone()));
        let found = array.and_then(|flat| match right {
            None => flat.get(x),
            Some(y) => flat.get_at(x, y),
        });
        match found {
            Some(result) => Ok(result as u64),
            None => self.look_up(x, right, env),
        }
    }

    #[inline(never)]
    fn look_up(&self, x: i64, right: Option<i64>, env: &mut Env) -> Result<u64, Raised> {
        let Some(f) = env.constants[self.id.0 as usize].clone() else {
            return Err(env.fault(FaultKind::ConstantNotSolved, self.function.span, []).into());
        };
        let x = match right {
            None => Value::Int(x),
            Some(y) => Value::Pair(Arc::new((Value::Int(x), Value::Int(y)))),
        };
        let kind = match relation::apply(&self.shape, &f, &x) {
            Ok(value) => return Ok(lower(&value)?),
            Err(why) => why.into(),
        };
        Err(env.fault(kind, self.span, [(&self.function, f), (&self.argument, x)]).into())
    }
}
