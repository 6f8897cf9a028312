//! Disjunctions of many sums, none of which has a literal of its own.

use super::super::engine::Propagator;
use super::super::literal::Lit;
use super::super::store::{Conflict, Event, Store, Var};
use super::linear::Sum;
use std::cell::Cell;
use std::collections::BTreeMap;

/// One of the literals is true, or one of the sums compares as it says. The literals that the sums depend on are
/// not asked: they hold by themselves.
pub struct Disjunction {
    pub lits: Box<[Lit]>,
    pub sums: Box<[Sum]>,
    /// Two sums that were possible when it was run last. Where they still are there is nothing to do.
    pub able: Cell<(usize, usize)>,
}

impl Propagator for Disjunction {
    fn watched(&self) -> Vec<(Var, Event)> {
        let mut watched: BTreeMap<Var, Event> = BTreeMap::new();
        for (var, event) in self.sums.iter().flat_map(|sum| sum.watched()) {
            let wanted = watched.entry(var).or_insert(event);
            *wanted = event.max(*wanted);
        }
        watched.into_iter().collect()
    }

    fn literals(&self) -> Vec<Lit> {
        self.lits.to_vec()
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        let mut open = None;
        for lit in &self.lits {
            match store.truth(*lit) {
                Some(true) => return Ok(()),
                Some(false) => {}
                None if open.is_some() => return Ok(()),
                None => open = Some(*lit),
            }
        }
        let is_able = |i: usize| !self.sums[i].is_refuted(store);
        let (first, second) = self.able.get();
        // With a literal that is open one sum is enough.
        if is_able(first) && (open.is_some() || first != second && is_able(second)) {
            return Ok(());
        }
        let mut able = (0..self.sums.len()).filter(|i| is_able(*i));
        match (able.next(), able.next(), open) {
            (None, _, None) => Err(Conflict),
            (None, _, Some(lit)) => store.assert(lit),
            (Some(first), None, _) => {
                self.able.set((first, first));
                if open.is_some() { Ok(()) } else { self.sums[first].hold(store) }
            }
            (Some(first), Some(second), _) => {
                self.able.set((first, second));
                Ok(())
            }
        }
    }

    fn is_costly(&self) -> bool {
        true
    }
}
