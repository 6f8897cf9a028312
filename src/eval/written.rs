//! What substitutions have written: kept, made readable, put back.

use super::code::Slot;
use super::env::Env;
use crate::value::Value;
use smallvec::SmallVec;

/// What has been written, to be put back before the next alternative.
pub(super) struct Written {
    next: SmallVec<[u64; 8]>,
    pub(super) locals: SmallVec<[(u64, Value, bool); 2]>,
}

impl Written {
    pub(super) fn save(env: &Env, assigned: &[Slot]) -> Written {
        let locals = assigned.iter().map(|s| {
            let i = s.index + env.locals;
            (env.words[i], env.values[i].clone(), env.defined[i])
        });
        Written { next: SmallVec::from_slice(&env.next), locals: locals.collect() }
    }

    pub(super) fn restore(&self, env: &mut Env, assigned: &[Slot]) {
        env.next.copy_from_slice(&self.next);
        for (slot, (word, value, defined)) in assigned.iter().zip(&self.locals) {
            let i = slot.index + env.locals;
            env.words[i] = *word;
            env.values[i] = value.clone();
            env.defined[i] = *defined;
        }
    }
}

/// Makes readable what has been written of the state and of these locals.
pub(super) fn make_readable(env: &mut Env, assigned: &[Slot]) {
    env.state.copy_from_slice(&env.next);
    for slot in assigned {
        let (to, from) = (slot.index, slot.index + env.locals);
        env.words[to] = env.words[from];
        env.defined[to] = env.defined[from];
        if !slot.word {
            env.values[to] = env.values[from].clone();
        }
    }
}

/// The readable half of assigned locals and the state, around a sequence.
#[derive(Clone)]
pub(super) struct Readable {
    pub(super) state: SmallVec<[u64; 8]>,
    pub(super) locals: SmallVec<[(u64, Value, bool); 2]>,
}

impl Readable {
    pub(super) fn keep(env: &Env, assigned: &[Slot]) -> Readable {
        Readable {
            state: SmallVec::from_slice(&env.state),
            locals: Readable::locals(env, assigned),
        }
    }

    /// Makes what has been written readable, and keeps what was readable before.
    pub(super) fn advance(env: &mut Env, assigned: &[Slot]) -> Readable {
        let saved = Readable::keep(env, assigned);
        make_readable(env, assigned);
        saved
    }

    pub(super) fn locals(env: &Env, assigned: &[Slot]) -> SmallVec<[(u64, Value, bool); 2]> {
        assigned
            .iter()
            .map(|s| (env.words[s.index], env.values[s.index].clone(), env.defined[s.index]))
            .collect()
    }

    pub(super) fn restore(self, env: &mut Env, assigned: &[Slot]) {
        env.state.copy_from_slice(&self.state);
        for (slot, (word, value, defined)) in assigned.iter().zip(self.locals) {
            env.words[slot.index] = word;
            env.values[slot.index] = value;
            env.defined[slot.index] = defined;
        }
    }
}

/// Both halves of some locals, around a continuation that may run the same code again or that writes
/// what the code before it does not know of.
pub(super) struct Kept(SmallVec<[(u64, Value, bool); 4]>);

impl Kept {
    pub(super) fn places(env: &Env, slots: &[Slot]) -> impl Iterator<Item = usize> + use<> {
        let distance = env.locals;
        let indices: SmallVec<[usize; 4]> = slots.iter().map(|s| s.index).collect();
        indices.into_iter().flat_map(move |i| [i, i + distance])
    }

    pub(super) fn save(env: &Env, slots: &[Slot]) -> Kept {
        Kept(
            Kept::places(env, slots)
                .map(|i| (env.words[i], env.values[i].clone(), env.defined[i]))
                .collect(),
        )
    }

    pub(super) fn restore(self, env: &mut Env, slots: &[Slot]) {
        for (i, (word, value, defined)) in Kept::places(env, slots).zip(self.0) {
            env.words[i] = word;
            env.values[i] = value;
            env.defined[i] = defined;
        }
    }
}
