//! Disjunctions that go through the same sums, each for a number of its own: they are posted as one.

use crate::constraint::claim::{Claim, Poster};
use crate::constraint::literal::{Linear, Lit, Terms};
use crate::constraint::propagators::cover::Cover;
use crate::constraint::propagators::linear::{Relation, Sum};
use indexmap::IndexMap;

/// Sums without their constants.
pub(in crate::constraint) type Rows = Vec<Terms>;

impl Poster {
    /// Whether these say that one of several sums has one value; then they are kept in mind until [`Poster::find_covers`].
    pub(in crate::constraint) fn is_kept_for_cover(&mut self, on: Lit, parts: &[Claim]) -> bool {
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

    /// Posts what was kept in mind: as one where there are several numbers.
    pub(in crate::constraint) fn find_covers(&mut self) {
        let mut groups: IndexMap<Rows, Vec<i64>> = IndexMap::new();
        for (mut rows, constant) in std::mem::take(&mut self.alternatives) {
            rows.sort_unstable();
            rows.dedup();
            groups.entry(rows).or_default().push(constant);
        }
        for (rows, constants) in groups {
            let equal = |row: &Terms| Sum {
                on: Lit::Always,
                sum: Linear { terms: row.clone(), constant: 0 },
                relation: Relation::Equal,
            };
            let cover = (constants.len() > 1).then(|| {
                let targets = constants.iter().map(|constant| -constant).collect();
                Cover::new(rows.iter().map(equal).collect(), targets)
            });
            if let Some(cover) = cover.flatten() {
                self.engine.add(cover);
                continue;
            }
            for constant in constants {
                let linear = |row: &Terms| Linear { terms: row.clone(), constant };
                let sums = rows.iter().map(|row| Claim::Sum(Relation::Equal, linear(row)));
                self.post_sums(Lit::Always, sums.collect());
            }
        }
    }
}
