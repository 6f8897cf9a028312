//! Sets whose elements are not interchangeable, whatever the set-up, why, and where that stands.

use super::explain::Asymmetry;
use crate::machine::{Machine, SetId, Type};
use crate::source::Span;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Why a set is not symmetric, and the expressions and declarations that make it so.
pub type Reason = (Asymmetry, Vec<Span>);

/// The sets, each with the first reason found.
pub fn asymmetric_sets(machine: &Machine) -> BTreeMap<SetId, Reason> {
    let mut found: BTreeMap<SetId, Reason> = BTreeMap::new();
    for a in &machine.asymmetric {
        let function = || (Asymmetry::Function(a.function.to_string()), Vec::new());
        found.entry(a.set).or_insert_with(function).1.push(a.span);
    }
    for freetype in &machine.freetypes {
        // No permutation reaches into values of free types.
        let inside = RefCell::new(Vec::new());
        let note = |s: SetId| {
            inside.borrow_mut().push(s);
            false
        };
        for ty in freetype.constructors.iter().filter_map(|c| c.argument.as_ref()) {
            Type::mentions(ty, &note);
        }
        for set in inside.into_inner() {
            let inside = || (Asymmetry::Freetype(freetype.name.clone()), vec![freetype.span]);
            found.entry(set).or_insert_with(inside);
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
            found.entry(set).or_insert_with(|| (Asymmetry::Symbolic, kept(machine, set)));
        }
    }
    found
}

/// The infinite sets that are kept as values and may hold elements of a set; where none shows that by its
/// type, all of them.
fn kept(machine: &Machine, set: SetId) -> Vec<Span> {
    let all = &machine.symbolic.sets;
    let mentions = |ty: &Type| ty.mentions(&|s| s == set);
    let own = all.iter().filter(|kept| {
        let parameters = kept.parameters.iter().map(|id| &machine.local(*id).ty);
        std::iter::once(&kept.set.ty).chain(parameters).any(mentions)
    });
    let own: Vec<Span> = own.map(|kept| kept.set.span).collect();
    if own.is_empty() { all.iter().map(|kept| kept.set.span).collect() } else { own }
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
