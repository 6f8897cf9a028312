//! Formulas in a loop that gives nothing new to them: their last result is held.

use super::{Around, KeyPart, Reads, Run, WORTH_A_CACHE, is_asked_anew};
use crate::eval::compile::Compiler;
use crate::lower::env::Env;
use crate::lower::held::From;
use crate::lower::memory::{Kept, PARTS};
use crate::state::layout::Position;
use crate::value::Value;
use smallvec::SmallVec;

/// What a result is computed from, and where it is held.
pub(super) struct Hold {
    number: usize,
    parts: Vec<KeyPart>,
    /// Locals that are no words.
    rich: Vec<usize>,
    outside: Option<Position>,
}

impl Compiler<'_> {
    /// Where the result of a formula is held that reads locals which are no words, if it stands in a loop that gives
    /// none of what it reads.
    pub(super) fn hold(&self, reads: &Reads) -> Option<Hold> {
        let reads_state = reads.constants || reads.is_of_state();
        if reads.cost < WORTH_A_CACHE || self.initial && reads_state {
            return None;
        }
        let around = self.remembering.around.borrow();
        let varying = around.iter().rev().find_map(|around| match around {
            Around::Loop(locals) => Some(locals),
            Around::Formula(_) => None,
        });
        let varies = |id| reads.locals.contains(id) || reads.rich.contains(id);
        if varying?.iter().any(varies) {
            return None;
        }
        let (parts, outside) = self.key_parts(reads);
        let rich = reads.rich.iter().map(|id| self.slot(*id).index).collect();
        (parts.len() <= PARTS).then(|| {
            let number = self.layout.remembered.next();
            Hold { number, parts, rich, outside }
        })
    }
}

impl Hold {
    /// Code that holds its last result.
    pub(super) fn around<T: Kept + 'static>(self, f: Run<T>) -> Run<T> {
        let Hold { number, parts, rich, outside } = self;
        Box::new(move |env| {
            if is_asked_anew(env, outside) {
                return f(env);
            }
            let words: SmallVec<[u64; 4]> = parts.iter().map(|part| part.of(env)).collect();
            let Env { memory, values, .. } = env;
            let same = |known: &[Value]| {
                known.iter().zip(&rich).all(|(known, i)| known.is_same(&values[*i]))
            };
            match memory.held::<T>(number).ask(&words, same) {
                Some(Some(result)) => Ok(result),
                Some(None) => {
                    let result = f(env)?;
                    let values = rich.iter().map(|i| env.values[*i].clone()).collect();
                    env.memory.held(number).hold(From { words, values }, result.clone());
                    Ok(result)
                }
                None => f(env),
            }
        })
    }
}
