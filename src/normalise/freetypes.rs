//! Which free types are infinite: those with a constructor that takes its arguments from an infinite set.
//!
//! All of them count as infinite at first. What is seen to be finite then may make others finite that mention
//! it; what stays mentions itself, or an infinite set.

use super::endless::{Values, is_endless};
use crate::machine::visit::Visitor;
use crate::machine::{Expr, ExprKind, FreeId, Freetype, Machine, Type};
use std::collections::BTreeSet;

/// Finds the infinite ones, and says so wherever a machine mentions them.
pub fn decide(machine: &mut Machine) {
    let all = 0..machine.freetypes.len();
    for i in all.clone() {
        machine.freetypes[i].nested = is_nested(&machine.freetypes, i);
    }
    // Each turn but the last finds a constructor that is finite.
    loop {
        let known = machine.freetypes.clone();
        let mut changed = false;
        for freetype in &mut machine.freetypes {
            Visitor::of(&mut |e| tell(&known, e)).freetype(freetype);
            for constructor in &mut freetype.constructors {
                let from = constructor.from.as_ref();
                let endless = from.is_some_and(|set| is_endless(set, &Values::new()));
                changed |= constructor.endless != endless;
                constructor.endless = endless;
            }
        }
        if !changed {
            break;
        }
    }
    mark(machine);
}

/// Says wherever a machine mentions free types whether they are infinite, where that is known of them.
pub fn mark(machine: &mut Machine) {
    let known = machine.freetypes.clone();
    if !known.is_empty() {
        Visitor::of(&mut |e| tell(&known, e)).machine(machine);
    }
}

/// The same in one formula, which `walk` goes through.
pub fn mark_in(machine: &Machine, walk: &mut dyn FnMut(&mut Visitor<'_>)) {
    walk(&mut Visitor::of(&mut |e| tell(&machine.freetypes, e)));
}

fn tell(known: &[Freetype], e: &mut Expr) {
    if let ExprKind::Freetype { of, made, endless } = &mut e.kind {
        *endless = known[of.0 as usize].is_endless(*made);
    }
}

/// Whether values of a free type can stand within others of it.
fn is_nested(freetypes: &[Freetype], number: usize) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![FreeId(number as u32)];
    while let Some(id) = open.pop() {
        let arguments = freetypes[id.0 as usize].constructors.iter();
        for ty in arguments.filter_map(|c| c.argument.as_ref()) {
            mentioned(ty, &mut |id| {
                if seen.insert(id) {
                    open.push(id);
                }
            });
        }
    }
    seen.contains(&FreeId(number as u32))
}

/// The free types that a type is made of.
fn mentioned(ty: &Type, found: &mut dyn FnMut(FreeId)) {
    match ty {
        Type::Integer | Type::Real | Type::Bool | Type::String | Type::Set(_) => {}
        Type::Free(id) => found(*id),
        Type::Pow(of) => mentioned(of, found),
        Type::Pair(sides) => {
            mentioned(&sides.0, found);
            mentioned(&sides.1, found);
        }
        Type::Record(fields) => fields.iter().for_each(|(_, ty)| mentioned(ty, found)),
    }
}
