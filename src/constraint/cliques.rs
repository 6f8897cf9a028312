//! What differs pair by pair, taken together: all of a clique differ, which says more than its pairs do.
//!
//! Variables that differ, and pairs of variables: `p(i) /= p(j)` of points in a plane. A pair has a number of its
//! own, so that as many pairs as there are numbers take all of them.

use super::claim::{Claim, Poster};
use super::propagators::different::Different;
use super::propagators::linear::Relation;
use super::store::Var;
use std::collections::{BTreeMap, BTreeSet};

/// Fewest pairs that are numbered: it costs a table for each.
const FEWEST: usize = 5;

impl Poster {
    /// Keeps in mind that two variables differ, or two pairs of variables.
    pub(super) fn note_unequal(&mut self, parts: &[Claim]) {
        let differing = |claim: &Claim| match claim {
            Claim::Sum(Relation::NotEqual, sum) if sum.constant == 0 => match sum.terms[..] {
                [(1, x), (-1, y)] | [(-1, x), (1, y)] => Some((x.min(y), x.max(y))),
                _ => None,
            },
            _ => None,
        };
        match parts {
            [only] => self.unequal.extend(differing(only)),
            [first, second] => {
                if let (Some((a, b)), Some((c, d))) = (differing(first), differing(second)) {
                    // Which goes with which does not matter: `a /= b or c /= d` says both.
                    self.unequal_pairs.push(((a, c), (b, d)));
                }
            }
            _ => {}
        }
    }

    /// Adds that all of a clique differ.
    pub fn find_cliques(&mut self) {
        for clique in cliques(std::mem::take(&mut self.unequal)) {
            self.engine.add(Different(clique.clone().into()));
            self.different.push(clique);
        }
        let pairs = std::mem::take(&mut self.unequal_pairs);
        let store = &self.engine.store;
        let seconds = || pairs.iter().flat_map(|(p, q)| [p.1, q.1]);
        let low = seconds().map(|v| store.low(v)).min().unwrap_or(0);
        let high = seconds().map(|v| store.high(v)).max().unwrap_or(0);
        let cliques = cliques(pairs);
        if cliques.iter().all(|clique| clique.len() < FEWEST) {
            return;
        }
        let Some(numbering) = self.numbering(low, high) else { return };
        for clique in cliques.into_iter().filter(|clique| clique.len() >= FEWEST) {
            let numbers = clique.into_iter().map(|pair| self.numbered(pair, numbering));
            if let Some(vars) = numbers.collect::<Option<Vec<Var>>>() {
                self.engine.add(Different(vars.into()));
            }
        }
    }
}

/// Sets of what differs pair by pair, of three members at least, in which each pair is once or more.
fn cliques<T: Copy + Ord>(unequal: Vec<(T, T)>) -> Vec<Vec<T>> {
    let mut near: BTreeMap<T, BTreeSet<T>> = BTreeMap::new();
    let ordered = |(a, b): (T, T)| (a.min(b), a.max(b));
    let pairs: BTreeSet<(T, T)> = unequal.into_iter().map(ordered).collect();
    for (a, b) in &pairs {
        near.entry(*a).or_default().insert(*b);
        near.entry(*b).or_default().insert(*a);
    }
    let (mut covered, mut found) = (BTreeSet::new(), Vec::new());
    for (a, b) in pairs {
        if covered.contains(&(a, b)) {
            continue;
        }
        let mut clique = vec![a, b];
        let common: Vec<T> = near[&a].intersection(&near[&b]).copied().collect();
        for next in common {
            if clique.iter().all(|v| near[v].contains(&next)) {
                clique.push(next);
            }
        }
        if clique.len() > 2 {
            clique.sort_unstable();
            for (i, x) in clique.iter().enumerate() {
                covered.extend(clique[i + 1..].iter().map(|y| (*x, *y)));
            }
            found.push(clique);
        }
    }
    found
}
