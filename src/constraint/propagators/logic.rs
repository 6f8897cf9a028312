//! Clauses, and literals that stand for conjunctions.

use super::super::engine::Propagator;
use super::super::literal::Lit;
use super::super::store::{Conflict, Store, Var};

/// One of them is true.
pub struct Clause(pub Box<[Lit]>);

impl Propagator for Clause {
    fn literals(&self) -> Vec<Lit> {
        self.0.to_vec()
    }

    fn is_moved_by_false_ones(&self) -> bool {
        true
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        let mut open = None;
        for lit in &self.0 {
            match store.truth(*lit) {
                Some(true) => return Ok(()),
                Some(false) => {}
                None if open.is_some() => return Ok(()),
                None => open = Some(*lit),
            }
        }
        store.assert(open.ok_or(Conflict)?)
    }
}

/// If a literal is true, then a variable is within bounds.
pub struct Within {
    pub on: Lit,
    pub var: Var,
    pub low: i64,
    pub high: i64,
}

impl Propagator for Within {
    fn literals(&self) -> Vec<Lit> {
        vec![self.on]
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        if store.truth(self.on) == Some(true) {
            store.at_least(self.var, self.low)?;
            store.at_most(self.var, self.high)?;
        }
        Ok(())
    }
}

/// `whole` is true when all of the parts are, and only then.
pub struct Conjunction {
    pub whole: Lit,
    pub parts: Box<[Lit]>,
}

impl Propagator for Conjunction {
    fn literals(&self) -> Vec<Lit> {
        self.parts.iter().chain([&self.whole]).copied().collect()
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        if store.truth(self.whole) == Some(true) {
            return self.parts.iter().try_for_each(|lit| store.assert(*lit));
        }
        let (mut open, mut others) = (None, false);
        for lit in &self.parts {
            match store.truth(*lit) {
                Some(false) => return store.assert(self.whole.negated()),
                Some(true) => {}
                None if open.is_some() => others = true,
                None => open = Some(*lit),
            }
        }
        match (open, store.truth(self.whole)) {
            (None, _) => store.assert(self.whole),
            (Some(last), Some(false)) if !others => store.assert(last.negated()),
            _ => Ok(()),
        }
    }
}
