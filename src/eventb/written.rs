//! Components as a file holds them: names and labels are read, formulas are not.

use super::model::{Action, Status};
use super::page::Writer;
use crate::syntax::ast::{Name, Node};

/// A formula as a file holds it.
pub trait Written: Clone {
    /// Prints it as a predicate or an expression.
    fn formula(&self, w: &mut Writer) -> Node;

    /// Prints it as an action; what is wrong with it is noted there.
    fn action(&self, w: &mut Writer) -> Option<Action>;
}

/// The byte of its file where something begins; `None` if it comes from another file.
pub type At = Option<u32>;

/// A formula with what stands around it.
#[derive(Clone, Debug)]
pub struct Item<F> {
    pub label: Option<Name>,
    pub formula: F,
    pub theorem: bool,
    pub comment: Option<Name>,
    pub at: At,
}

/// A variable, a parameter, a constant, a carrier set.
#[derive(Clone, Debug)]
pub struct Declared {
    pub name: Name,
    pub comment: Option<Name>,
    pub at: At,
}

#[derive(Clone, Debug)]
pub struct Machine<F> {
    pub name: Name,
    pub refines: Option<Name>,
    pub sees: Vec<Name>,
    pub variables: Vec<Declared>,
    pub invariants: Vec<Item<F>>,
    pub variant: Option<Item<F>>,
    pub events: Vec<Event<F>>,
    pub comment: Option<Name>,
}

#[derive(Clone, Debug)]
pub struct Event<F> {
    pub name: Name,
    pub status: Status,
    /// Whether the parts of the event that it refines are its own, too. Those come first, once they
    /// are put in.
    pub extended: bool,
    pub refines: Vec<Name>,
    pub parameters: Vec<Declared>,
    pub guards: Vec<Item<F>>,
    /// The label says what each is a witness for.
    pub witnesses: Vec<Item<F>>,
    pub actions: Vec<Item<F>>,
    pub comment: Option<Name>,
    pub at: At,
}

#[derive(Clone, Debug)]
pub struct Context<F> {
    pub name: Name,
    pub extends: Vec<Name>,
    pub sets: Vec<Declared>,
    pub constants: Vec<Declared>,
    pub axioms: Vec<Item<F>>,
    pub comment: Option<Name>,
}
/// A machine that sees these contexts and does nothing: for a model that has no other.
pub fn seeing<F>(contexts: Vec<Name>) -> Machine<F> {
    Machine {
        name: contexts.first().cloned().unwrap_or_else(|| Name::from("M")),
        refines: None,
        sees: contexts,
        variables: Vec::new(),
        invariants: Vec::new(),
        variant: None,
        events: Vec::new(),
        comment: None,
    }
}

/// Of contexts, with those that each extends, the ones that no other extends.
pub fn outermost<'c>(contexts: impl Iterator<Item = (&'c Name, &'c [Name])> + Clone) -> Vec<Name> {
    let extended = |name: &Name| contexts.clone().any(|(_, extends)| extends.contains(name));
    contexts.clone().map(|(name, _)| name).filter(|name| !extended(name)).cloned().collect()
}

/// Puts the parts of the events that are extended into those that extend them: `machines` from the most
/// refined one up.
pub fn inherit<F: Clone>(machines: &mut [Machine<F>]) {
    for level in (1..machines.len()).rev() {
        let (below, above) = machines.split_at_mut(level);
        for event in below[level - 1].events.iter_mut().filter(|e| e.extended) {
            let refined = event.refines.first().unwrap_or(&event.name);
            let Some(other) = above[0].events.iter().find(|e| e.name == *refined) else { continue };
            let item = |item: &Item<F>| Item { at: None, ..item.clone() };
            let parameter = |p: &Declared| Declared { at: None, ..p.clone() };
            event.parameters.splice(0..0, other.parameters.iter().map(parameter));
            event.guards.splice(0..0, other.guards.iter().map(item));
            event.actions.splice(0..0, other.actions.iter().map(item));
        }
    }
}
