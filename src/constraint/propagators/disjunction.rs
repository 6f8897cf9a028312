//! Disjunctions of many sums, none of which has a literal of its own.

use super::super::engine::Propagator;
use super::super::literal::Lit;
use super::super::store::{Conflict, Event, Store, Var};
use super::linear::Sum;
use super::rows::Rows;
use std::cell::Cell;
use std::collections::BTreeMap;

/// One of the literals is true, or one of the sums compares as it says. The literals that the sums depend on are
/// not asked: they hold by themselves.
pub struct Disjunction {
    lits: Box<[Lit]>,
    sums: Box<[Sum]>,
    /// The same sums, where they can be packed.
    rows: Option<Rows>,
    /// Two sums that were possible when it was run last. Where they still are there is nothing to do.
    able: Cell<(usize, usize)>,
}

impl Disjunction {
    pub fn new(lits: Vec<Lit>, sums: Vec<Sum>) -> Disjunction {
        let rows = Rows::of(&sums);
        Disjunction { lits: lits.into(), sums: sums.into(), rows, able: Cell::new((0, 0)) }
    }
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
        let bounds = self.rows.as_ref().and_then(|rows| Some((rows, rows.bounds(store)?)));
        let is_able = |i: usize| {
            let out = bounds.as_ref().is_some_and(|(rows, bounds)| rows.is_refuted(i, bounds));
            !out && !self.sums[i].is_refuted(store)
        };
        let (first, second) = self.able.get();
        // With a literal that is open one sum is enough.
        if is_able(first) && (open.is_some() || first != second && is_able(second)) {
            return Ok(());
        }
        // What was refuted before often still is: the search goes on where it ended last.
        let mut able = (second..self.sums.len()).chain(0..second).filter(|i| is_able(*i));
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
