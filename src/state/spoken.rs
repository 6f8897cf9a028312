//! What the text of a machine speaks of: how large its numbers are, and which strings it mentions. States are
//! expected to hold nothing else, and what is something else is stored all the same.

use super::Instance;
use super::axis::Texts;
use super::expect::Expected;
use crate::machine::visit::Visitor;
use crate::machine::{Expr, ExprKind, Machine, Type};
use num_traits::ToPrimitive;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Numbers in the text of a machine that let expect that those in its states are small.
pub const SMALL: u64 = 1000;

/// Numbers without bounds that a state may have before they are held in few bits.
const FEW: usize = 3;

/// Most strings that have codes.
const MOST_TEXTS: usize = 1 << 12;

/// What the fields of states are chosen by.
pub struct Spoken {
    /// The largest amount of a number.
    pub largest: u64,
    /// All strings, where no others are made of them; else none.
    pub texts: Texts,
}

impl Spoken {
    /// What matters to variables of which so much is expected: what does not is not looked for, and then the largest number is
    /// as large as any, or there are no strings.
    pub fn of(instance: &Instance, expected: &[Expected]) -> Spoken {
        let variables = &instance.machine.variables;
        let is_in_parts = |e: &Expected| !matches!(e, Expected::Any | Expected::Interval { .. });
        let numbers = numbers_of_any(instance, expected) >= FEW || expected.iter().any(is_in_parts);
        let has_texts = variables.iter().any(|v| has_strings(&v.ty)) && !makes_strings(instance);
        let texts = if has_texts { texts_of(instance) } else { BTreeSet::new() };
        let few = texts.len() <= MOST_TEXTS;
        Spoken {
            largest: if numbers { largest_number(instance) } else { u64::MAX },
            texts: texts.into_iter().filter(|_| few).collect(),
        }
    }

    /// Bits for a number of which nothing is expected. Where there are many of them, and the machine speaks of small
    /// ones only, they are taken to be small: states get shorter, and one that is not is held all the same.
    pub fn bits_of_any(&self, variables: usize) -> u32 {
        if variables < FEW || self.largest > SMALL { 32 } else { 16 }
    }
}

/// How many variables are integers of which nothing is expected.
pub fn numbers_of_any(instance: &Instance, expected: &[Expected]) -> usize {
    let any = expected.iter().zip(&instance.machine.variables);
    any.filter(|(e, v)| **e == Expected::Any && v.ty == Type::Integer).count()
}

/// The largest amount of a number in the text of a machine, or of a limit.
pub fn largest_number(instance: &Instance) -> u64 {
    let mut largest = instance.max_int.unsigned_abs().max(instance.min_int.unsigned_abs());
    each(instance, |kind, _| {
        if let ExprKind::Integer(n) = kind {
            largest = largest.max(n.to_i64().map_or(u64::MAX, i64::unsigned_abs));
        }
    });
    largest
}

/// The strings that stand in the text of a machine, but for what is asked of it.
pub fn texts_of(instance: &Instance) -> BTreeSet<Arc<str>> {
    let mut texts = BTreeSet::new();
    let mut look = |e: &mut Expr| {
        if let ExprKind::String(text) = &e.kind {
            texts.insert(text.clone());
        }
    };
    let whole = (*instance.machine).clone();
    let mut machine = Machine { goal: None, scope: None, assumed: Vec::new(), ..whole };
    Visitor::of(&mut look).machine(&mut machine);
    texts
}

/// Whether strings come from anything but the text: external functions make them.
fn makes_strings(instance: &Instance) -> bool {
    let mut makes = false;
    each(instance, |kind, ty| {
        makes |= matches!(kind, ExprKind::External(..)) && has_strings(ty);
    });
    makes
}

/// Whether there are strings in values of a type.
fn has_strings(ty: &Type) -> bool {
    match ty {
        Type::String => true,
        Type::Pow(of) => has_strings(of),
        Type::Pair(sides) => has_strings(&sides.0) || has_strings(&sides.1),
        Type::Record(fields) => fields.iter().any(|(_, ty)| has_strings(ty)),
        // A value of one may hold anything.
        Type::Free(_) => true,
        Type::Integer | Type::Real | Type::Bool | Type::Set(_) => false,
    }
}

fn each(instance: &Instance, mut see: impl FnMut(&ExprKind, &Type)) {
    let mut look = |e: &mut Expr| see(&e.kind, &e.ty);
    Visitor::of(&mut look).machine(&mut (*instance.machine).clone());
}
