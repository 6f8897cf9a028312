//! Counts: how many of some variables over 0 and 1 are 1, where a literal is true.

use super::super::engine::Propagator;
use super::super::literal::{Linear, Lit};
use super::super::store::{Conflict, Event, Store, Var};
use super::linear::Relation;

/// If `on` is true, then so many of these are 1.
pub struct Count {
    pub on: Lit,
    pub of: Box<[Var]>,
    pub least: i64,
    pub most: i64,
}

impl Count {
    /// A sum as a count, if it is one.
    pub fn of(on: Lit, sum: &Linear, relation: Relation, store: &Store) -> Option<Count> {
        let sign = sum.terms.first()?.0;
        let counts = |(factor, var): &(i64, Var)| {
            *factor == sign && store.low(*var) >= 0 && store.high(*var) <= 1
        };
        if sign.abs() != 1 || !sum.terms.iter().all(counts) {
            return None;
        }
        // `n - x - y <= 0` or `x + y - n <= 0`
        let (n, all) = (-sum.constant * sign, sum.terms.len() as i64);
        let (least, most) = match relation {
            Relation::NotEqual => return None,
            Relation::Equal => (n, n),
            Relation::AtMost if sign > 0 => (0, n),
            Relation::AtMost => (n, all),
        };
        Some(Count { on, of: sum.terms.iter().map(|(_, var)| *var).collect(), least, most })
    }
}

impl Propagator for Count {
    fn watched(&self) -> Vec<(Var, Event)> {
        self.of.iter().map(|var| (*var, Event::Fixed)).collect()
    }

    fn literals(&self) -> Vec<Lit> {
        vec![self.on]
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        let on = store.truth(self.on);
        if on == Some(false) {
            return Ok(());
        }
        let (mut ones, mut able) = (0, 0);
        for var in &self.of {
            ones += store.low(*var);
            able += store.high(*var);
        }
        if ones > self.most || able < self.least {
            return store.assert(self.on.negated());
        }
        if on.is_none() || ones == able {
            return Ok(());
        }
        let value = match (ones == self.most, able == self.least) {
            (true, _) => 0,
            (_, true) => 1,
            _ => return Ok(()),
        };
        for var in &self.of {
            if !store.is_fixed(*var) {
                store.fix(*var, value)?;
            }
        }
        Ok(())
    }

    fn is_costly(&self) -> bool {
        self.of.len() > 8
    }
}
