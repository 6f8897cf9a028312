//! The instances of operations that a state enables, packed: one number for the arguments of each,
//! wherever they come from finite universes.
//!
//! An instance is an operation with arguments for which its guard holds. Where the guard *runs*
//! ([`Guard::Runs`](crate::machine::Guard)), firing it may still find that nothing follows.

use super::program::Program;
use crate::lower::code::{Slot, lift};
use crate::lower::env::Env;
use crate::lower::stop::Stop;
use crate::machine::OpId;
use crate::value::{Index, Shape, Value};
use std::ops::Range;
use std::sync::Arc;

/// Instances of operations, numbered from 0: operation by operation, those of one in the order in which
/// the solutions of its guard are found. The memory is used again.
#[derive(Clone, Default, Debug)]
pub struct Instances {
    /// One for each: the arguments as a number in mixed radix, or their place among `values`.
    keys: Vec<u64>,
    values: Vec<Vec<Value>>,
    /// Numbers of those for which a part of the guard is undefined, ascending.
    undefined: Vec<u32>,
    parts: Vec<Part>,
    /// There may be more: an enumeration was cut off.
    pub cut: bool,
}

/// The instances of one operation.
#[derive(Clone, Debug)]
struct Part {
    operation: OpId,
    /// Where they begin among all, and where they end.
    numbers: Range<usize>,
}

/// How the arguments of one operation are packed.
#[derive(Clone, Debug)]
pub enum Numbering {
    /// Universe of each place, and the number of tuples.
    Keys(Vec<Arc<Index>>, u128),
    Values(Vec<Shape>),
}

impl Numbering {
    pub fn new(slots: &[Slot]) -> Numbering {
        let universes: Option<Vec<Arc<Index>>> =
            slots.iter().map(|s| s.shape.index().cloned()).collect();
        match universes {
            Some(u) if slots.iter().all(|s| s.word) => {
                let size = u.iter().fold(1u128, |n, u| n.saturating_mul(u.size));
                if size <= 1 << 62 {
                    return Numbering::Keys(u, size);
                }
                Numbering::Values(slots.iter().map(|s| s.shape.clone()).collect())
            }
            _ => Numbering::Values(slots.iter().map(|s| s.shape.clone()).collect()),
        }
    }
}

/// The packed arguments of the instances of one operation.
#[derive(Clone, Copy, Debug)]
pub struct Tuples<'a> {
    pub(super) keys: &'a [u64],
    values: &'a [Vec<Value>],
}

impl<'a> Tuples<'a> {
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The arguments, where they are held as values.
    pub(super) fn values(&self, i: usize) -> &'a [Value] {
        &self.values[self.keys[i] as usize]
    }
}

impl Instances {
    pub fn new() -> Instances {
        Instances::default()
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The operations that were asked for their instances, in their order, with the numbers of these.
    pub fn operations(&self) -> impl Iterator<Item = (OpId, Range<usize>)> + '_ {
        self.parts.iter().map(|part| (part.operation, part.numbers.clone()))
    }

    /// The operation of an instance.
    pub fn operation(&self, i: usize) -> OpId {
        let part = self.parts.partition_point(|part| part.numbers.end <= i);
        self.parts[part].operation
    }

    /// The arguments of an instance.
    pub fn arguments(&self, i: usize, program: &Program) -> Vec<Value> {
        let code = &program.units(false).operations[self.operation(i).0 as usize];
        match &code.numbering {
            Numbering::Keys(universes, _) => {
                let words = unpacked(universes, self.keys[i]);
                let mut values: Vec<Value> = code
                    .parameters
                    .iter()
                    .rev()
                    .zip(words)
                    .map(|(s, w)| lift(&s.shape, w))
                    .collect();
                values.reverse();
                values
            }
            Numbering::Values(_) => self.values[self.keys[i] as usize].clone(),
        }
    }

    /// The arguments of an instance as a number that stands for them in every state, where they are packed so.
    pub fn key(&self, i: usize, program: &Program) -> Option<u64> {
        let code = &program.units(false).operations[self.operation(i).0 as usize];
        matches!(code.numbering, Numbering::Keys(..)).then(|| self.keys[i])
    }

    /// Whether a part of the guard is undefined for an instance and none is false: then firing says
    /// whether it is enabled, not, or an error.
    pub fn is_undefined(&self, i: usize) -> bool {
        self.undefined.binary_search(&(i as u32)).is_ok()
    }

    /// The packed arguments of the instances with these numbers.
    pub(super) fn tuples(&self, numbers: Range<usize>) -> Tuples<'_> {
        Tuples { keys: &self.keys[numbers], values: &self.values }
    }

    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.values.clear();
        self.undefined.clear();
        self.parts.clear();
        self.cut = false;
    }

    /// The instances that follow are those of this operation.
    pub(super) fn begin(&mut self, operation: OpId) {
        let at = self.len();
        self.parts.push(Part { operation, numbers: at..at });
    }

    /// Those of the last operation are not known: it is not listed.
    pub(super) fn give_up(&mut self) {
        self.begin_again();
        self.parts.pop();
    }

    /// Those of the last operation are to be found once more.
    pub(super) fn begin_again(&mut self) {
        let Some(part) = self.parts.last_mut() else { return };
        let first = part.numbers.start;
        part.numbers.end = first;
        self.keys.truncate(first);
        self.undefined.retain(|i| (*i as usize) < first);
        // Values that are left over stand at places that nothing refers to.
    }

    /// Adds the instance whose arguments the frame holds.
    pub(super) fn push(&mut self, numbering: &Numbering, slots: &[Slot], env: &Env) {
        if env.pending.is_some() {
            self.undefined.push(self.keys.len() as u32);
        }
        match numbering {
            Numbering::Keys(universes, _) => {
                let key = slots
                    .iter()
                    .zip(universes)
                    .fold(0, |k, (s, u)| k * u.size as u64 + env.words[s.index]);
                self.keys.push(key);
            }
            Numbering::Values(_) => {
                self.keys.push(self.values.len() as u64);
                self.values.push(slots.iter().map(|s| s.get(env)).collect());
            }
        }
        if let Some(part) = self.parts.last_mut() {
            part.numbers.end = self.keys.len();
        }
    }

    /// Puts the arguments of an instance into the frame.
    pub(super) fn load(
        &self,
        i: usize,
        numbering: &Numbering,
        slots: &[Slot],
        env: &mut Env,
    ) -> Result<(), Stop> {
        match numbering {
            Numbering::Keys(universes, _) => {
                for (slot, word) in slots.iter().rev().zip(unpacked(universes, self.keys[i])) {
                    env.words[slot.index] = word;
                }
            }
            Numbering::Values(_) => {
                for (slot, v) in slots.iter().zip(&self.values[self.keys[i] as usize]) {
                    slot.set(env, v.clone())?;
                }
            }
        }
        Ok(())
    }
}

/// The words that a number stands for, the last one first.
fn unpacked(universes: &[Arc<Index>], key: u64) -> impl Iterator<Item = u64> + '_ {
    universes.iter().rev().scan(key, |rest, universe| {
        let n = universe.size as u64;
        let word = *rest % n;
        *rest /= n;
        Some(word)
    })
}
