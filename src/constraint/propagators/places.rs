//! Values that each need a place of their own.

use super::super::engine::Propagator;
use super::super::store::{Conflict, Event, Store, Var};

/// One of these variables has the value beside it. In the order of the variables, each once.
pub type Place = Box<[(Var, i64)]>;

/// One variable of each list has the value beside it, and no two lists ask a variable for the same value. So there must
/// be as many variables left as lists, and where there are just as many, each is needed: the pigeonhole principle.
pub struct Places(pub Box<[Place]>);

/// Larger domains are not gone through.
const LARGEST: u64 = 1 << 10;

impl Propagator for Places {
    fn watched(&self) -> Vec<(Var, Event)> {
        let mut vars: Vec<Var> = self.0.iter().flatten().map(|(var, _)| *var).collect();
        vars.sort_unstable();
        vars.dedup();
        vars.into_iter().map(|var| (var, Event::Domain)).collect()
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        let (mut open, mut wanted) = (0, Vec::new());
        for list in &self.0 {
            let able = list.iter().filter(|(var, value)| store.contains(*var, *value));
            let from = wanted.len();
            wanted.extend(able);
            match wanted[from..].iter().any(|(var, _)| store.is_fixed(*var)) {
                true => wanted.truncate(from),
                false => open += 1,
            }
        }
        wanted.sort_unstable();
        let free = wanted.chunk_by(|a, b| a.0 == b.0).count();
        if free < open {
            return Err(Conflict);
        }
        if free > open {
            return Ok(());
        }
        for of in wanted.chunk_by(|a, b| a.0 == b.0) {
            let var = of[0].0;
            if !store.has_bits(var) || store.size(var) > LARGEST {
                continue;
            }
            let others: Vec<i64> =
                store.values(var).filter(|v| !of.iter().any(|(_, wanted)| wanted == v)).collect();
            others.into_iter().try_for_each(|value| store.remove(var, value))?;
        }
        Ok(())
    }

    fn is_costly(&self) -> bool {
        true
    }
}
