//! Targets each of which one of many sums has to hit.

use super::super::engine::Propagator;
use super::super::literal::Linear;
use super::super::store::{Conflict, Event, Store, Var};
use super::linear::Sum;
use super::rows::Rows;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// For each of some numbers there is a sum, out of many, that has this value: `!w.(w : W => #x.(x : X & w = e(x)))`, with a
/// sum for each `x`. So many disjunctions would go through the same sums, each for its own number; here the sums' bounds are
/// computed once for all numbers.
pub struct Cover {
    sums: Box<[Sum]>,
    /// The same sums, packed.
    rows: Rows,
    /// Increasing.
    targets: Box<[i64]>,
    /// Of each target two sums that could hit it when it was run last. Where all still can there is nothing to do.
    able: RefCell<Box<[(usize, usize)]>>,
}

impl Cover {
    /// The sums are without constants; there is none where they cannot be packed.
    pub fn new(sums: Vec<Sum>, mut targets: Vec<i64>) -> Option<Cover> {
        targets.sort_unstable();
        targets.dedup();
        let able = RefCell::new(vec![(0, 0); targets.len()].into());
        let rows = Rows::of(&sums)?;
        Some(Cover { sums: sums.into(), rows, targets: targets.into(), able })
    }

    /// That a sum has this value.
    fn equation(&self, i: usize, target: i64) -> Sum {
        let Sum { on, sum, relation } = &self.sums[i];
        let sum = Linear { terms: sum.terms.clone(), constant: -target };
        Sum { on: *on, sum, relation: *relation }
    }
}

impl Propagator for Cover {
    fn watched(&self) -> Vec<(Var, Event)> {
        let terms = self.sums.iter().flat_map(|sum| &sum.sum.terms);
        let vars: BTreeSet<Var> = terms.map(|(_, var)| *var).collect();
        vars.into_iter().map(|var| (var, Event::Bounds)).collect()
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        let Some(bounds) = self.rows.bounds(store) else { return Ok(()) };
        let can = |sum: usize, target: i64| {
            let (low, high) = self.rows.extent(sum, &bounds);
            low <= target && target <= high
        };
        let is_left = |(target, (a, b)): (&i64, &(usize, usize))| {
            a != b && can(*a, *target) && can(*b, *target)
        };
        if self.targets.iter().zip(&**self.able.borrow()).all(is_left) {
            return Ok(());
        }
        // How many sums can hit each target, up to two, and which. A sum can hit those between its bounds.
        let mut found = vec![(0, (0, 0)); self.targets.len()];
        for sum in 0..self.sums.len() {
            let (low, high) = self.rows.extent(sum, &bounds);
            let from = self.targets.partition_point(|t| *t < low);
            let within = self.targets[from..].iter().take_while(|t| **t <= high);
            for (_, (count, (a, b))) in within.zip(&mut found[from..]) {
                match count {
                    0 => (*a, *b) = (sum, sum),
                    1 => *b = sum,
                    _ => continue,
                }
                *count += 1;
            }
        }
        for (known, (_, two)) in self.able.borrow_mut().iter_mut().zip(&found) {
            *known = *two;
        }
        if found.iter().any(|(count, _)| *count == 0) {
            return Err(Conflict);
        }
        for (target, (count, (only, _))) in self.targets.iter().zip(&found) {
            if *count == 1 {
                self.equation(*only, *target).hold(store)?;
            }
        }
        Ok(())
    }

    fn is_costly(&self) -> bool {
        true
    }
}
