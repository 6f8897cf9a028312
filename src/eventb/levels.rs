//! Which machine of a chain of refinements is checked, and with which of those that it refines.

use super::model::{Model, mentioned};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{Name, Node};
use rustc_hash::FxHashSet;

/// The levels that are wanted; without more the most refined machine, and all that it refines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Levels {
    /// The machine to check.
    pub machine: Option<String>,
    /// Without those that it refines.
    pub alone: bool,
}

impl Levels {
    /// Whether something was asked for.
    pub fn is_chosen(&self) -> bool {
        *self != Levels::default()
    }

    /// The place of the machine to check in a chain, from the most refined one up.
    ///
    /// # Errors
    /// None has that name.
    pub fn first(&self, chain: &[&str]) -> Result<usize, Box<Diagnostic>> {
        let Some(wanted) = &self.machine else { return Ok(0) };
        chain.iter().position(|name| name == wanted).ok_or_else(|| {
            let message = format!("--level: this model has no machine `{wanted}`");
            let hint = format!("its levels, from the most refined one up: {}", chain.join(", "));
            Box::new(Diagnostic::without_place("unknown-level", message).hint(hint))
        })
    }

    /// Leaves out the machines that the first one refines, and what speaks of variables that only
    /// they have, where that is asked for.
    pub fn cut(&self, model: &mut Model) {
        if !self.alone {
            return;
        }
        let abstractions = model.machines.split_off(1);
        let main = &mut model.machines[0];
        let own = |x: &Name| main.variables.iter().any(|v| v.name == *x);
        let dropped: FxHashSet<Name> = abstractions
            .iter()
            .flat_map(|m| &m.variables)
            .map(|x| x.name.clone())
            .filter(|x| !own(x))
            .collect();
        let speaks = |node: &Node| {
            let mut found = FxHashSet::default();
            mentioned(node, &mut found);
            found.is_disjoint(&dropped)
        };
        let (mut invariants, mut theorems) = (Vec::new(), Vec::new());
        // What the abstract machines say of variables that are left holds here, too, and types them.
        for machine in abstractions.into_iter().rev() {
            invariants.extend(machine.invariants);
            theorems.extend(machine.theorems);
        }
        invariants.append(&mut main.invariants);
        theorems.append(&mut main.theorems);
        invariants.retain(|i| speaks(&i.node));
        theorems.retain(|t| speaks(&t.node));
        (main.invariants, main.theorems) = (invariants, theorems);
        for event in &mut main.events {
            event.witnesses.clear();
        }
    }
}
