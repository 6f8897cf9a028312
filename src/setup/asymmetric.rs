//! Sets whose elements are not interchangeable, whatever the set-up, and why.

use crate::machine::{Machine, SetId, Type};
use std::cell::RefCell;

/// The sets, each with the reason in words.
pub fn asymmetric_sets(machine: &Machine) -> Vec<(SetId, String)> {
    let found: RefCell<Vec<(SetId, String)>> = RefCell::new(Vec::new());
    let add = |set: SetId, why: &dyn Fn() -> String| {
        if !found.borrow().iter().any(|(s, _)| *s == set) {
            found.borrow_mut().push((set, why()));
        }
    };
    for a in &machine.asymmetric {
        add(a.set, &|| format!("the external function {} tells its elements apart", a.function));
    }
    for freetype in &machine.freetypes {
        // No permutation reaches into values of free types.
        let note = |s: SetId| {
            let name = &freetype.name;
            add(s, &|| format!("its elements can stand inside values of the free type {name}"));
            false
        };
        for ty in freetype.constructors.iter().filter_map(|(_, t)| t.as_ref()) {
            Type::mentions(ty, &note);
        }
    }
    found.into_inner()
}
