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
    found
}
