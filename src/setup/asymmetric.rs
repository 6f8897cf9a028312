//! Sets whose elements are not interchangeable, whatever the set-up, and why.

use super::explain::Asymmetry;
use crate::machine::{Machine, SetId, Type};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The sets, each with the first reason found.
pub fn asymmetric_sets(machine: &Machine) -> BTreeMap<SetId, Asymmetry> {
    let mut found: BTreeMap<SetId, Asymmetry> = BTreeMap::new();
    for a in &machine.asymmetric {
        found.entry(a.set).or_insert_with(|| Asymmetry::Function(a.function.to_string()));
    }
    for freetype in &machine.freetypes {
        // No permutation reaches into values of free types.
        let inside = RefCell::new(Vec::new());
        let note = |s: SetId| {
            inside.borrow_mut().push(s);
            false
        };
        for ty in freetype.constructors.iter().filter_map(|(_, t)| t.as_ref()) {
            Type::mentions(ty, &note);
        }
        for set in inside.into_inner() {
            found.entry(set).or_insert_with(|| Asymmetry::Freetype(freetype.name.clone()));
        }
    }
    // No permutation reaches into symbolic sets, either.
    for ty in held_types(machine) {
        let inside = RefCell::new(Vec::new());
        let note = |s: SetId| {
            inside.borrow_mut().push(s);
            false
        };
        Type::mentions(ty, &note);
        for set in inside.into_inner().into_iter().filter(|set| machine.is_sized(*set)) {
            found.entry(set).or_insert(Asymmetry::Symbolic);
        }
    }
    found
}

/// The types of what may hold a symbolic set, and of the parameters of those.
fn held_types(machine: &Machine) -> impl Iterator<Item = &Type> {
    let symbolic = &machine.symbolic;
    let variables = symbolic.variables.iter().map(|id| &machine.variable(*id).ty);
    let constants = symbolic.constants.iter().map(|id| &machine.constant(*id).ty);
    let locals = symbolic.locals.iter();
    let parameters = symbolic.sets.iter().flat_map(|s| &s.parameters);
    let locals = locals.chain(parameters).map(|id| &machine.local(*id).ty);
    variables.chain(constants).chain(locals).filter(|_| !symbolic.sets.is_empty())
}
