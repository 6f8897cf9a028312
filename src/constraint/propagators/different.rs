//! Values that are pairwise different.

use super::super::engine::Propagator;
use super::super::store::{Conflict, Event, Store, Var};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// No two of these have the same value.
pub struct Different(pub Box<[Var]>);

impl Propagator for Different {
    fn watched(&self) -> Vec<(Var, Event)> {
        self.0.iter().map(|v| (*v, Event::Domain)).collect()
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        if let Some(window) = Window::of(&self.0, store) {
            return window.narrow(&self.0, store);
        }
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

/// The domains as bits of one word each, where all values lie close together.
struct Window {
    base: i64,
    domains: SmallVec<[u64; 16]>,
}

impl Window {
    fn of(vars: &[Var], store: &Store) -> Option<Window> {
        let base = vars.iter().map(|v| store.low(*v)).min()?;
        let high = vars.iter().map(|v| store.high(*v)).max()?;
        if high - base >= 64 {
            return None;
        }
        let domains = vars.iter().map(|v| store.window(*v, base)).collect::<Option<_>>()?;
        Some(Window { base, domains })
    }

    /// Draws what follows until nothing changes, and tells the store.
    fn narrow(mut self, vars: &[Var], store: &mut Store) -> Result<(), Conflict> {
        let before = self.domains.clone();
        loop {
            self.take_out_single()?;
            let changed = self.halls()? | self.last_places()?;
            if !changed {
                break;
            }
        }
        for ((var, now), before) in vars.iter().zip(&self.domains).zip(before) {
            if *now != before {
                store.keep_window(*var, self.base, *now)?;
            }
        }
        Ok(())
    }

    /// What one has alone, no other has.
    fn take_out_single(&mut self) -> Result<(), Conflict> {
        let mut done = 0;
        loop {
            let mut singles = 0;
            for domain in self.domains.iter().filter(|d| d.is_power_of_two()) {
                if singles & domain != 0 {
                    return Err(Conflict);
                }
                singles |= domain;
            }
            if singles == done {
                return Ok(());
            }
            for domain in self.domains.iter_mut().filter(|d| !d.is_power_of_two()) {
                *domain &= !singles;
                if *domain == 0 {
                    return Err(Conflict);
                }
            }
            done = singles;
        }
    }

    /// An interval with as many values as domains that lie within it has none for the others (Hall's condition); with
    /// fewer there is no solution. Whether anything changed.
    fn halls(&mut self) -> Result<bool, Conflict> {
        // Of all that is left, the values that are in no domain are none.
        let all = self.domains.iter().fold(0, |all, domain| all | domain);
        let mut by_high: SmallVec<[u64; 16]> = self.domains.clone();
        by_high.sort_unstable_by_key(|domain| domain.leading_zeros() ^ 63);
        let (mut changed, mut lows) = (false, 0u64);
        self.domains.iter().for_each(|domain| lows |= domain & domain.wrapping_neg());
        while lows != 0 {
            let low = 63 - lows.leading_zeros();
            lows &= !(1 << low);
            let from = u64::MAX << low;
            let (mut inside, mut full) = (0, None);
            for domain in by_high.iter().filter(|domain| *domain & !from == 0) {
                inside += 1;
                let range = from & (u64::MAX >> domain.leading_zeros());
                let room = (range & all).count_ones();
                if inside > room {
                    return Err(Conflict);
                }
                if inside == room {
                    full = Some(range);
                }
            }
            let Some(range) = full else { continue };
            for domain in self.domains.iter_mut().filter(|d| **d & range != 0 && **d & !range != 0)
            {
                *domain &= !range;
                changed = true;
            }
        }
        Ok(changed)
    }

    /// Where there are as many values as domains, each value has its place. Whether anything changed.
    fn last_places(&mut self) -> Result<bool, Conflict> {
        let (mut once, mut twice) = (0u64, 0u64);
        for domain in &self.domains {
            twice |= once & domain;
            once |= domain;
        }
        let only = once & !twice;
        match (once.count_ones() as usize).cmp(&self.domains.len()) {
            Ordering::Less => return Err(Conflict),
            Ordering::Greater => return Ok(false),
            Ordering::Equal => {}
        }
        let mut changed = false;
        for domain in self.domains.iter_mut().filter(|d| **d & only != 0) {
            let place = *domain & only;
            if !place.is_power_of_two() {
                return Err(Conflict);
            }
            changed |= *domain != place;
            *domain = place;
        }
        Ok(changed)
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
