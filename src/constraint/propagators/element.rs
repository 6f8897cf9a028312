//! Which of several a variable is; which rows of a table are left.

use super::super::engine::Propagator;
use super::super::store::{Conflict, Event, Store, Var};
use rustc_hash::FxHashSet;

/// What an index picks.
#[derive(Clone, Copy, Debug)]
pub enum Picked {
    Number(i64),
    Var(Var),
}

/// If `index` is one of these numbers, `result` is what stands beside it; of other numbers it says
/// nothing.
pub struct Element {
    pub index: Var,
    pub rows: Box<[(i64, Picked)]>,
    pub result: Var,
}

impl Propagator for Element {
    fn watched(&self) -> Vec<(Var, Event)> {
        let picked = self.rows.iter().filter_map(|(_, picked)| match picked {
            Picked::Number(_) => None,
            Picked::Var(var) => Some(*var),
        });
        picked.chain([self.index, self.result]).map(|v| (v, Event::Domain)).collect()
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        let (mut low, mut high, mut known) = (i64::MAX, i64::MIN, 0);
        let mut numbers = Some(Vec::new());
        let mut last = None;
        for (index, picked) in &self.rows {
            if !store.contains(self.index, *index) {
                continue;
            }
            if !meet(store, *picked, self.result) {
                store.remove(self.index, *index)?;
                if store.contains(self.index, *index) {
                    // A value inside of an interval without bits stays.
                    known += 1;
                }
                continue;
            }
            known += 1;
            last = Some(*picked);
            match picked {
                Picked::Number(n) => {
                    (low, high) = (low.min(*n), high.max(*n));
                    if let Some(numbers) = &mut numbers {
                        numbers.push(*n);
                    }
                }
                Picked::Var(var) => {
                    (low, high) = (low.min(store.low(*var)), high.max(store.high(*var)));
                    numbers = None;
                }
            }
        }
        if known < store.size(self.index) {
            return Ok(());
        }
        match numbers {
            Some(mut numbers) => {
                numbers.sort_unstable();
                store.one_of(self.result, &numbers)?;
            }
            None => {
                store.at_least(self.result, low)?;
                store.at_most(self.result, high)?;
            }
        }
        match (store.is_fixed(self.index), last) {
            (true, Some(picked)) => equate(store, picked, self.result),
            _ => Ok(()),
        }
    }

    fn is_costly(&self) -> bool {
        self.rows.len() > 8
    }
}

/// Whether a value is left that both may have.
fn meet(store: &Store, picked: Picked, var: Var) -> bool {
    let other = match picked {
        Picked::Number(n) => return store.contains(var, n),
        Picked::Var(other) => other,
    };
    if store.high(other) < store.low(var) || store.low(other) > store.high(var) {
        return false;
    }
    let (few, many) = if store.size(other) < store.size(var) { (other, var) } else { (var, other) };
    !store.has_bits(few) || store.values(few).any(|v| store.contains(many, v))
}

fn equate(store: &mut Store, picked: Picked, var: Var) -> Result<(), Conflict> {
    let other = match picked {
        Picked::Number(n) => return store.fix(var, n),
        Picked::Var(other) => other,
    };
    for (a, b) in [(other, var), (var, other)] {
        store.at_least(a, store.low(b))?;
        store.at_most(a, store.high(b))?;
        if store.has_bits(a) && store.has_bits(b) {
            let lost: Vec<i64> = store.values(a).filter(|v| !store.contains(b, *v)).collect();
            lost.into_iter().try_for_each(|v| store.remove(a, v))?;
        }
    }
    Ok(())
}

/// The values of these variables are one of the rows.
pub struct Table {
    pub vars: Box<[Var]>,
    pub rows: Box<[Box<[i64]>]>,
}

impl Propagator for Table {
    fn watched(&self) -> Vec<(Var, Event)> {
        self.vars.iter().map(|v| (*v, Event::Domain)).collect()
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        let mut seen: Vec<FxHashSet<i64>> = vec![FxHashSet::default(); self.vars.len()];
        let mut left = false;
        for row in &self.rows {
            if self.vars.iter().zip(row).all(|(var, v)| store.contains(*var, *v)) {
                left = true;
                seen.iter_mut().zip(row).for_each(|(seen, v)| {
                    seen.insert(*v);
                });
            }
        }
        if !left {
            return Err(Conflict);
        }
        for (var, seen) in self.vars.iter().zip(seen) {
            let mut values: Vec<i64> = seen.into_iter().collect();
            values.sort_unstable();
            store.one_of(*var, &values)?;
        }
        Ok(())
    }

    fn is_costly(&self) -> bool {
        true
    }
}
