//! Values that are pairwise different.

use super::super::engine::Propagator;
use super::super::store::{Conflict, Event, Store, Var};

/// No two of these have the same value.
pub struct Different(pub Box<[Var]>);

impl Propagator for Different {
    fn watched(&self) -> Vec<(Var, Event)> {
        self.0.iter().map(|v| (*v, Event::Domain)).collect()
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        self.take_out_fixed(store)?;
        let ruler = Ruler::of(&self.0, store);
        self.halls(store, &ruler)?;
        self.last_places(store, &ruler)
    }

    fn is_costly(&self) -> bool {
        true
    }
}

impl Different {
    /// What one of them is, no other is.
    fn take_out_fixed(&self, store: &mut Store) -> Result<(), Conflict> {
        let mut done = vec![false; self.0.len()];
        loop {
            let next = (0..self.0.len()).find(|i| !done[*i] && store.is_fixed(self.0[*i]));
            let Some(i) = next else { return Ok(()) };
            done[i] = true;
            let value = store.low(self.0[i]);
            for (j, other) in self.0.iter().enumerate() {
                if i != j {
                    store.remove(*other, value)?;
                }
            }
        }
    }

    /// An interval with as many values as variables that lie within it has none for the others
    /// (Hall's condition); with fewer there is no solution.
    fn halls(&self, store: &mut Store, ruler: &Ruler) -> Result<(), Conflict> {
        let mut by_high: Vec<Var> = self.0.to_vec();
        by_high.sort_by_key(|v| store.high(*v));
        let mut lows: Vec<i64> = self.0.iter().map(|v| store.low(*v)).collect();
        lows.sort_unstable();
        lows.dedup();
        for low in lows.into_iter().rev() {
            let (mut inside, mut high, mut full) = (0, i64::MIN, None);
            for var in by_high.iter().filter(|v| store.low(**v) >= low) {
                inside += 1;
                high = high.max(store.high(*var));
                let room = ruler.room(low, high);
                if inside > room {
                    return Err(Conflict);
                }
                if inside == room {
                    full = Some(high);
                }
            }
            let Some(high) = full else { continue };
            for var in &self.0 {
                let (a, b) = (store.low(*var), store.high(*var));
                if low <= a && b <= high || b < low || a > high {
                    continue;
                }
                if a >= low {
                    store.at_least(*var, high + 1)?;
                } else if b <= high {
                    store.at_most(*var, low - 1)?;
                } else if ruler.room(low, high) <= 64 {
                    ruler.values(low, high).try_for_each(|v| store.remove(*var, v))?;
                }
            }
        }
        Ok(())
    }

    /// Where there are as many values as variables, each value has its place.
    fn last_places(&self, store: &mut Store, ruler: &Ruler) -> Result<(), Conflict> {
        let low = self.0.iter().map(|v| store.low(*v)).min().unwrap_or(0);
        let high = self.0.iter().map(|v| store.high(*v)).max().unwrap_or(0);
        if ruler.room(low, high) != self.0.len() as i128 {
            return Ok(());
        }
        for value in ruler.values(low, high) {
            let mut places = self.0.iter().filter(|v| store.contains(**v, value));
            match (places.next(), places.next()) {
                (None, _) => return Err(Conflict),
                (Some(only), None) => store.fix(*only, value)?,
                _ => {}
            }
        }
        Ok(())
    }
}

/// The values that there are at all: all numbers, or those that some variable may have, in order, where
/// these are far apart.
struct Ruler(Option<Vec<i64>>);

impl Ruler {
    fn of(vars: &[Var], store: &Store) -> Ruler {
        let is_sparse = vars.iter().any(|v| store.is_listed(*v))
            && vars.iter().all(|v| store.has_bits(*v) || store.is_fixed(*v));
        Ruler(is_sparse.then(|| {
            let mut values: Vec<i64> = vars.iter().flat_map(|v| store.values(*v)).collect();
            values.sort_unstable();
            values.dedup();
            values
        }))
    }

    /// How many there are between two of them.
    fn room(&self, low: i64, high: i64) -> i128 {
        match &self.0 {
            None => high as i128 - low as i128 + 1,
            Some(values) => Ruler::range(values, low, high).len() as i128,
        }
    }

    /// Those between two of them.
    fn values(&self, low: i64, high: i64) -> Box<dyn Iterator<Item = i64> + '_> {
        match &self.0 {
            None => Box::new(low..=high),
            Some(values) => Box::new(values[Ruler::range(values, low, high)].iter().copied()),
        }
    }

    fn range(values: &[i64], low: i64, high: i64) -> std::ops::Range<usize> {
        let start = values.partition_point(|v| *v < low);
        start..values.partition_point(|v| *v <= high).max(start)
    }
}
