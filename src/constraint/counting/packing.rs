//! Counts of what excludes each other.
//!
//! `card({i, j | board(i, j) = queen}) = 8` and the squares that attack one another: taken by itself the
//! count says little until the last squares, and so do the attacks. Together they say that there is a
//! queen in each row. So what is counted is tried, one after the other: what becomes false then is
//! excluded by it. Groups whose members exclude one another have one true member each at most.

use crate::clock::{self, Stopped};
use crate::constraint::build::{Builder, Built};
use crate::constraint::engine::{Ended, Propagator};
use crate::constraint::literal::Linear;
use crate::constraint::propagators::linear::Relation;
use crate::constraint::sketch::Host;
use crate::constraint::store::{Conflict, Event, Store, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most variables that are tried.
const MOST_TRIED: usize = 400;

/// So many of these have the value 1, at least. In each group one has it at most.
pub struct Packing {
    pub groups: Box<[Box<[Var]>]>,
    pub least: usize,
}

impl Propagator for Packing {
    fn watched(&self) -> Vec<(Var, Event)> {
        self.groups.iter().flatten().map(|v| (*v, Event::Fixed)).collect()
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        let able = |store: &Store, group: &[Var]| {
            let mut able = group.iter().filter(|v| store.high(**v) > 0);
            (able.next().copied(), able.next().is_some())
        };
        let open = self.groups.iter().filter(|group| able(store, group).0.is_some()).count();
        if open < self.least {
            return Err(Conflict);
        }
        if open == self.least {
            for group in &self.groups {
                if let (Some(only), false) = able(store, group) {
                    store.fix(only, 1)?;
                }
            }
        }
        Ok(())
    }

    fn is_costly(&self) -> bool {
        true
    }
}

/// At least so many of these are 1.
struct Count {
    of: Vec<Var>,
    least: usize,
}

impl<'p, H: Host> Builder<'p, H> {
    /// Adds to what is counted which of it exclude each other.
    pub(in crate::constraint) fn pack(&mut self) -> Built<(), H> {
        let sums = std::mem::take(&mut self.poster.counted);
        let store = &self.poster.engine.store;
        let counts: Vec<Count> =
            sums.iter().filter_map(|(relation, sum)| count(*relation, sum, store)).collect();
        let mut vars: Vec<Var> = counts.iter().flat_map(|c| c.of.iter().copied()).collect();
        vars.sort_unstable();
        vars.dedup();
        if vars.len() > MOST_TRIED {
            return Ok(());
        }
        let mut excluded: FxHashMap<Var, FxHashSet<Var>> = FxHashMap::default();
        for var in &vars {
            match self.excluded(*var, &vars) {
                Ok(others) => {
                    for other in others {
                        excluded.entry(*var).or_default().insert(other);
                        excluded.entry(other).or_default().insert(*var);
                    }
                }
                Err(Ended::Conflict) => {
                    self.poster.failed = true;
                    return Ok(());
                }
                Err(Ended::Stopped) => return Err(Stopped.into()),
            }
        }
        for Count { of, least } in counts {
            let store = &self.poster.engine.store;
            let groups = groups(of.into_iter().filter(|v| store.high(*v) > 0).collect(), &excluded);
            if groups.iter().any(|group| group.len() > 1) {
                let groups = groups.into_iter().map(Vec::into_boxed_slice).collect();
                self.poster.engine.add(Packing { groups, least });
            }
        }
        match self.poster.engine.propagate() {
            Ok(()) => {}
            Err(Ended::Conflict) => self.poster.failed = true,
            Err(Ended::Stopped) => return Err(Stopped.into()),
        }
        Ok(())
    }

    /// Which of these are 0 where one of them is 1. If it cannot be 1, it is 0.
    fn excluded(&mut self, var: Var, of: &[Var]) -> Result<Vec<Var>, Ended> {
        let engine = &mut self.poster.engine;
        if engine.store.is_fixed(var) {
            return Ok(Vec::new());
        }
        clock::spend(of.len())?;
        engine.store.push();
        let tried = engine.store.fix(var, 1).map_err(Ended::from).and_then(|()| engine.propagate());
        let store = &engine.store;
        let others = match tried {
            Ok(()) => of.iter().copied().filter(|v| *v != var && store.high(*v) <= 0).collect(),
            Err(_) => Vec::new(),
        };
        engine.store.pop();
        match tried {
            Err(Ended::Conflict) => {
                engine.store.fix(var, 0)?;
                engine.propagate()?;
                Ok(Vec::new())
            }
            Err(Ended::Stopped) => Err(Ended::Stopped),
            Ok(()) => {
                let store = &engine.store;
                let is_open = |v: &Var| !store.is_fixed(*v);
                Ok(others.into_iter().filter(is_open).collect())
            }
        }
    }
}

/// What a sum says of how many of its variables are 1, where these are 0 or 1 and no others are open.
fn count(relation: Relation, sum: &Linear, store: &Store) -> Option<Count> {
    let (mut of, mut constant, mut sign) = (Vec::new(), sum.constant, 0);
    for (factor, var) in &sum.terms {
        match store.value(*var) {
            Some(value) => constant = constant.checked_add(factor.checked_mul(value)?)?,
            None if store.low(*var) >= 0 && store.high(*var) <= 1 && factor.abs() == 1 => {
                if sign != 0 && sign != *factor {
                    return None;
                }
                sign = *factor;
                of.push(*var);
            }
            None => return None,
        }
    }
    // `x + y + .. = n`, or `n - x - y - .. <= 0`
    let least = match relation {
        Relation::Equal => -constant * sign,
        Relation::AtMost if sign < 0 => constant,
        _ => return None,
    };
    let least = usize::try_from(least).ok().filter(|n| *n > 1)?;
    Some(Count { of, least })
}

/// Few groups, each of whose members exclude one another: each is begun with the first that is left, and
/// grows by what excludes most of what could still be added.
fn groups(mut left: Vec<Var>, excluded: &FxHashMap<Var, FxHashSet<Var>>) -> Vec<Vec<Var>> {
    let near = |a: &Var, b: &Var| excluded.get(a).is_some_and(|others| others.contains(b));
    let mut groups = Vec::new();
    while !left.is_empty() {
        let first = left.remove(0);
        let mut group = vec![first];
        let mut able: Vec<Var> = left.iter().copied().filter(|v| near(&first, v)).collect();
        while !able.is_empty() {
            clock::work(able.len() * able.len());
            let kept = |v: &Var| able.iter().filter(|w| near(v, w)).count();
            let best = able.iter().map(kept).max().unwrap_or(0);
            let Some(next) = able.iter().copied().find(|v| kept(v) == best) else { break };
            group.push(next);
            able.retain(|v| near(&next, v));
        }
        left.retain(|v| !group.contains(v));
        groups.push(group);
    }
    groups
}
