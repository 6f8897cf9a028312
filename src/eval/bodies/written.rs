//! What substitutions have written: kept, made readable, put back.

use crate::eval::compile::Compiler;
use crate::lower::code::Slot;
use crate::lower::env::Env;
use crate::machine::Subst;
use crate::state::{Coding, Field};
use crate::value::Value;
use smallvec::SmallVec;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a substitution may write.
#[derive(Clone)]
pub(in crate::eval) struct Writes {
    pub(super) locals: Arc<[Slot]>,
    /// The words of a state, where these are few; else all of them.
    words: Option<Arc<[usize]>>,
    /// The fields among them that hold the numbers of values.
    numbered: Arc<[Field]>,
}

impl Compiler<'_> {
    /// What a substitution may write, called operations included.
    pub(super) fn writes_of(&self, s: &Subst) -> Writes {
        let footprint = self.footprint(s);
        let locals = footprint.assigned.iter().map(|id| self.slot(*id)).collect();
        let mut words: BTreeSet<usize> = BTreeSet::new();
        for id in &footprint.written {
            self.layout.field(*id).bits(&mut |at, _| {
                words.insert(at);
            });
        }
        // Values that leave their fields stand in a word of their own.
        words.extend(self.layout.outside.filter(|_| !words.is_empty()).map(|at| at.word));
        let are_few = !self.initial && 2 * words.len() <= self.layout.words;
        let fields = footprint.written.iter().map(|id| self.layout.field(*id));
        let numbered = fields.filter(|field| field.coding == Coding::Interned).cloned().collect();
        Writes { locals, words: are_few.then(|| words.into_iter().collect()), numbered }
    }
}

impl Writes {
    /// Makes readable what has been written.
    pub(super) fn make_readable(&self, env: &mut Env) {
        match &self.words {
            Some(words) => words.iter().for_each(|i| env.state[*i] = env.next[*i]),
            None => env.state.copy_from_slice(&env.next),
        }
        make_readable(env, &self.locals);
    }

    /// Runs a loop that writes this: what it gives fields on the way passes. It is handed what forgets, after a turn, what
    /// no field has any more.
    pub(super) fn passing<T>(
        &self,
        env: &mut Env,
        run: impl FnOnce(&mut Env, &dyn Fn(&mut Env)) -> T,
    ) -> T {
        if self.numbered.is_empty() {
            return run(env, &|_| {});
        }
        let first = env.interner.begin_loop();
        let forget = |env: &mut Env| {
            let fields = self.numbered.iter();
            let live: Vec<u32> = fields
                .flat_map(|field| [field.number(&env.state), field.number(&env.next)])
                .flatten()
                .collect();
            env.interner.forget_passing(first, &live);
        };
        let result = run(env, &|env| {
            if env.interner.has_many_passing() {
                forget(env);
            }
        });
        if env.interner.end_loop() {
            self.numbered.iter().for_each(|field| field.settle(&mut env.next, &mut env.interner));
        } else {
            // The loop around it runs many like this one.
            forget(env);
        }
        result
    }

    /// Makes it readable, also in a copy of what is readable.
    pub(super) fn make_readable_in(&self, current: &mut [u64], env: &mut Env) {
        self.make_readable(env);
        match &self.words {
            Some(words) => words.iter().for_each(|i| current[*i] = env.next[*i]),
            None => current.copy_from_slice(&env.next),
        }
    }
}

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

/// Makes readable what has been written of these locals.
fn make_readable(env: &mut Env, assigned: &[Slot]) {
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
        env.state.copy_from_slice(&env.next);
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
