//! Sets of numbers, pairs or records in several words: a bit for each of those that have a code on an
//! [`Axis`]. What fits one word is a word of its own ([`coded`](super::coded)); as there, a member without a code ends the
//! evaluation by [`Stop::Overflow`].

use super::env::Env;
use super::stop::Stop;
use super::word::Bits;
use crate::machine::VarId;
use crate::state::layout::Field;
use crate::state::{Axis, Coding, Layout};
use crate::value::set::low_bits;
use std::sync::Arc;

/// A variable whose set a state holds so ([`Coding::Members`], of more than 64 codes).
#[derive(Clone, Debug)]
pub struct ManyField {
    pub id: VarId,
    pub layout: Arc<Layout>,
    pub axis: Axis,
    /// The first word, and how many there are.
    at: usize,
    pub words: usize,
    /// The bits of the last one.
    last: u64,
    /// The one that is set where the set stands outside.
    outside: Bits,
}

/// How the bits of a set are made that no field holds.
pub type BitsFn = Box<dyn Fn(&mut Env, &mut [u64]) -> Result<(), Stop> + Send + Sync>;

/// The code of a member; `None` where it has none.
pub type CodeFn = Box<dyn Fn(&mut Env) -> Result<Option<u64>, Stop> + Send + Sync>;

impl ManyField {
    /// `None` where the variable's field is no such set.
    pub fn of(layout: &Arc<Layout>, id: VarId) -> Option<ManyField> {
        let Field { at, coding, .. } = layout.field(id);
        let Coding::Members { axis, outside } = coding else { return None };
        if axis.size() <= 64 {
            return None;
        }
        let size = axis.size() as u32;
        Some(ManyField {
            id,
            layout: layout.clone(),
            axis: axis.clone(),
            at: at.word,
            words: size.div_ceil(64) as usize,
            last: low_bits((size - 1) % 64 + 1),
            outside: Bits::new(*outside, 1),
        })
    }

    /// The members, where they stand in the field.
    #[inline(always)]
    pub fn get<const W: usize>(&self, state: &[u64]) -> Option<[u64; W]> {
        if self.outside.get(state) != 0 {
            return None;
        }
        let mut bits = [0; W];
        let held = &state[self.at..self.at + self.words];
        bits.iter_mut().zip(held).for_each(|(to, from)| *to = *from);
        bits[self.words - 1] &= self.last;
        Some(bits)
    }

    /// Writes members into a state that is made.
    pub fn put(&self, next: &mut [u64], bits: &[u64], env: &mut Env) {
        if self.outside.get(next) != 0 {
            let value = self.axis.members_in(&bits[..self.words]);
            self.layout.write(self.id, next, &value, &mut env.interner);
            return;
        }
        let last = self.at + self.words - 1;
        next[self.at..last].copy_from_slice(&bits[..self.words - 1]);
        next[last] = next[last] & !self.last | bits[self.words - 1];
    }
}
