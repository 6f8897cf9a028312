//! How many different values there are.

use super::super::engine::Propagator;
use super::super::store::{Conflict, Event, Store, Var};

/// As many different values have these variables, which are at least one.
pub struct Distinct {
    pub count: Var,
    pub of: Box<[Var]>,
}

/// Larger domains are not gone through.
const LARGEST: u64 = 1 << 10;

impl Propagator for Distinct {
    fn watched(&self) -> Vec<(Var, Event)> {
        let of = self.of.iter().map(|var| (*var, Event::Domain));
        of.chain([(self.count, Event::Bounds)]).collect()
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        let (fixed, open): (Vec<Var>, Vec<Var>) =
            self.of.iter().partition(|var| store.is_fixed(**var));
        let mut taken: Vec<i64> = fixed.iter().map(|var| store.low(*var)).collect();
        taken.sort_unstable();
        taken.dedup();
        let is_small = |var: Var| store.has_bits(var) && store.size(var) <= LARGEST;
        let is_taken = |value: &i64| taken.binary_search(value).is_ok();
        // Those that can have a value that none has yet, and those that can have no other.
        let able = |var: &Var| !is_small(*var) || store.values(*var).any(|v| !is_taken(&v));
        let must = |var: &&Var| is_small(**var) && !store.values(**var).any(|v| is_taken(&v));
        let able: Vec<Var> = open.iter().copied().filter(able).collect();
        let mut new: Vec<(i64, i64)> =
            open.iter().filter(must).map(|var| (store.high(*var), store.low(*var))).collect();
        new.sort_unstable();
        let (mut least, mut last) = (taken.len(), i64::MIN);
        for (high, low) in new {
            if low > last {
                (least, last) = (least + 1, high);
            }
        }
        let most = taken.len() + able.len();
        store.at_least(self.count, least as i64)?;
        store.at_most(self.count, most as i64)?;
        let (needs_all, is_full) =
            (store.low(self.count) == most as i64, store.high(self.count) == taken.len() as i64);
        for var in open {
            if !store.has_bits(var) || store.size(var) > LARGEST || !(needs_all || is_full) {
                continue;
            }
            if is_full {
                store.retain(var, |value| taken.binary_search(&value).is_ok())?;
            } else if able.contains(&var) {
                taken.iter().try_for_each(|value| store.remove(var, *value))?;
            }
        }
        Ok(())
    }

    fn is_costly(&self) -> bool {
        true
    }
}
