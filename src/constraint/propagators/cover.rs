//! Targets each of which one of many sums has to hit.

use super::super::engine::Propagator;
use super::super::literal::Linear;
use super::super::store::{Conflict, Event, Store, Var};
use super::linear::{Relation, Sum};
use crate::constraint::literal::Lit;
use std::cell::RefCell;

/// Most variables.
pub const COLUMNS: usize = 16;

/// For each of some numbers there is a sum, out of many, that has this value: `!w.(w : W => #x.(x : X & w = e(x)))`, with a
/// sum for each `x`. So many disjunctions would go through the same sums, each for its own number; here the sums' bounds are
/// computed once for all numbers.
pub struct Cover {
    vars: Box<[Var]>,
    /// As many for each sum as there are variables.
    factors: Box<[i64]>,
    /// Increasing.
    targets: Box<[i64]>,
    /// Of each target two sums that could hit it when it was run last. Where all still can there is nothing to do.
    able: RefCell<Box<[(u32, u32)]>>,
}

/// The bounds of the variables at the moment.
type Bounds = [(i64, i64); COLUMNS];

impl Cover {
    /// `factors` has as many numbers for each sum as there are variables, at most [`COLUMNS`]; the numbers are small enough for
    /// sums not to overflow.
    pub fn new(vars: Vec<Var>, factors: Vec<i64>, mut targets: Vec<i64>) -> Cover {
        targets.sort_unstable();
        targets.dedup();
        let able = RefCell::new(vec![(0, 0); targets.len()].into());
        Cover { vars: vars.into(), factors: factors.into(), targets: targets.into(), able }
    }

    fn bounds(&self, store: &Store) -> Bounds {
        let mut bounds = [(0, 0); COLUMNS];
        for (at, var) in bounds.iter_mut().zip(&self.vars) {
            *at = (store.low(*var), store.high(*var));
        }
        bounds
    }

    fn sums(&self) -> usize {
        self.factors.len() / self.vars.len()
    }

    /// The least and the greatest value of a sum.
    fn extent(&self, sum: usize, bounds: &Bounds) -> (i64, i64) {
        let n = self.vars.len();
        let row = &self.factors[sum * n..(sum + 1) * n];
        let (mut low, mut high) = (0, 0);
        for (factor, (a, b)) in row.iter().zip(bounds) {
            let (a, b) = (factor * a, factor * b);
            low += a.min(b);
            high += a.max(b);
        }
        (low, high)
    }

    /// That the sum has this value.
    fn equation(&self, sum: usize, target: i64) -> Sum {
        let n = self.vars.len();
        let row = &self.factors[sum * n..(sum + 1) * n];
        let terms = row.iter().copied().zip(self.vars.iter().copied());
        let terms = terms.filter(|(factor, _)| *factor != 0).collect();
        let sum = Linear { terms, constant: -target };
        Sum { on: Lit::Always, sum, relation: Relation::Equal }
    }
}

impl Propagator for Cover {
    fn watched(&self) -> Vec<(Var, Event)> {
        self.vars.iter().map(|var| (*var, Event::Bounds)).collect()
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        let bounds = self.bounds(store);
        let mut able = self.able.borrow_mut();
        let can = |sum: u32, target: i64| {
            let (low, high) = self.extent(sum as usize, &bounds);
            low <= target && target <= high
        };
        let is_left =
            |(target, (a, b)): (&i64, &(u32, u32))| a != b && can(*a, *target) && can(*b, *target);
        if self.targets.iter().zip(&**able).all(is_left) {
            return Ok(());
        }
        // A sum can hit the targets between its bounds: how many begin to be able to at each target, less those that end.
        let mut found = vec![(0, (0, 0)); self.targets.len()];
        for sum in 0..self.sums() {
            let (low, high) = self.extent(sum, &bounds);
            let from = self.targets.partition_point(|t| *t < low);
            for (target, (count, (a, b))) in self.targets[from..].iter().zip(&mut found[from..]) {
                if *target > high {
                    break;
                }
                match count {
                    0 => (*a, *b) = (sum as u32, sum as u32),
                    1 => *b = sum as u32,
                    _ => continue,
                }
                *count += 1;
            }
        }
        for (known, (_, two)) in able.iter_mut().zip(&found) {
            *known = *two;
        }
        drop(able);
        if found.iter().any(|(count, _)| *count == 0) {
            return Err(Conflict);
        }
        for (target, (count, (only, _))) in self.targets.iter().zip(&found) {
            if *count == 1 {
                self.equation(*only as usize, *target).hold(store)?;
            }
        }
        Ok(())
    }

    fn is_costly(&self) -> bool {
        true
    }
}
