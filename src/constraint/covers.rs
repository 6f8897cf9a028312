//! Disjunctions that go through the same sums, each for a number of its own: they are posted as one.

use super::claim::{Claim, Poster};
use super::literal::{Linear, Lit};
use super::propagators::cover::{COLUMNS, Cover};
use super::propagators::linear::Relation;
use super::store::Var;
use indexmap::IndexMap;

/// Sums without their constants.
pub(super) type Rows = Vec<Vec<(i64, Var)>>;

/// Beyond this no factor or bound is small.
const SMALL: u64 = 1 << 24;

impl Poster {
    /// Whether these say that one of several sums has one value; then they are kept in mind until [`Poster::find_covers`].
    pub(super) fn is_kept_for_cover(&mut self, on: Lit, parts: &[Claim]) -> bool {
        let sum = |part: &Claim| match part {
            Claim::Sum(Relation::Equal, sum) => Some(sum.clone()),
            _ => None,
        };
        let Some(sums) = parts.iter().map(sum).collect::<Option<Vec<Linear>>>() else {
            return false;
        };
        let constant = sums.first().map_or(0, |sum| sum.constant);
        // Of two variables their values say more than the bounds.
        let is_long = sums.iter().any(|sum| sum.terms.len() > 2);
        let are_kept = on == Lit::Always && is_long && sums.iter().all(|s| s.constant == constant);
        if are_kept {
            let rows = sums.into_iter().map(|sum| sum.terms).collect();
            self.alternatives.push((rows, constant));
        }
        are_kept
    }

    /// Posts what was kept in mind.
    pub(super) fn find_covers(&mut self) {
        let mut groups: IndexMap<Rows, Vec<i64>> = IndexMap::new();
        for (mut rows, constant) in std::mem::take(&mut self.alternatives) {
            rows.sort_unstable();
            rows.dedup();
            groups.entry(rows).or_default().push(constant);
        }
        for (rows, constants) in groups {
            match self.cover(&rows, &constants) {
                Some(cover) => self.engine.add(cover),
                None => {
                    for constant in constants {
                        let linear = |terms: &Vec<_>| Linear { terms: terms.clone(), constant };
                        let sums = rows.iter().map(|row| Claim::Sum(Relation::Equal, linear(row)));
                        self.post_sums(Lit::Always, sums.collect());
                    }
                }
            }
        }
    }

    /// One propagator for several numbers, if there are several and the sums are small.
    fn cover(&self, rows: &Rows, constants: &[i64]) -> Option<Cover> {
        let store = &self.engine.store;
        let is_small = |n: i64| n.unsigned_abs() < SMALL;
        let mut vars: Vec<Var> = rows.iter().flatten().map(|(_, var)| *var).collect();
        vars.sort_unstable();
        vars.dedup();
        let are_small = constants.len() > 1
            && vars.len() <= COLUMNS
            && vars.iter().all(|var| is_small(store.low(*var)) && is_small(store.high(*var)))
            && rows.iter().flatten().all(|(factor, _)| is_small(*factor))
            && constants.iter().all(|constant| is_small(*constant));
        if !are_small || vars.is_empty() {
            return None;
        }
        let mut factors = vec![0; rows.len() * vars.len()];
        for (row, sum) in factors.chunks_mut(vars.len()).zip(rows) {
            for (factor, var) in sum {
                row[vars.binary_search(var).ok()?] = *factor;
            }
        }
        Some(Cover::new(vars, factors, constants.iter().map(|constant| -constant).collect()))
    }
}
