//! Functions that are results of functions held point by point, as their codes ([`Map`]): read and changed at one
//! argument.

use super::env::Env;
use super::point::Point;
use super::stop::Raised;
use super::word::Word;
use crate::state::axis::Map;
use std::sync::Arc;

/// `f(x)(y)`
#[derive(Clone)]
pub struct Item {
    pub point: Point,
    pub map: Arc<Map>,
    pub argument: Word,
    /// The same of values, which know what is to be said where something is undefined.
    pub otherwise: Word,
}

impl Item {
    /// # Errors
    /// Those of the same of values.
    pub fn get(&self, env: &mut Env) -> Result<u64, Raised> {
        match self.found(env) {
            Some(word) => Ok(word),
            None => self.otherwise.get(env),
        }
    }

    fn found(&self, env: &mut Env) -> Option<u64> {
        let x = self.point.argument.get(env).ok()?;
        let code = self.point.points.code_at(x, &env.state)?.checked_sub(1)?;
        let y = self.map.domain.code_of_word(self.argument.get(env).ok()?)?;
        Some(self.map.range.word(self.map.number(code, y).checked_sub(1)?))
    }
}

impl Map {
    /// The code of `m <+ {x |-> y}`; nothing where a word has no code.
    #[inline(always)]
    pub fn with(&self, m: u64, x: u64, y: u64) -> Option<u64> {
        let (x, y) = (self.domain.code_of_word(x)?, self.range.code_of_word(y)?);
        let at = x as u32 * self.width;
        Some(m & !(((1 << self.width) - 1) << at) | (y + 1) << at)
    }
}
