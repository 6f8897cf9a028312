//! What differs pair by pair, taken together: all of a clique differ, which says more than its pairs do.
//!
//! Variables that differ, and pairs of variables: `p(i) /= p(j)` of points in a plane. A pair has a number of its
//! own, so that as many pairs as there are numbers take all of them.

use super::claim::{Claim, Poster};
use super::propagators::different::Different;
use super::propagators::element::Table;
use super::propagators::linear::Relation;
use super::store::Var;
use std::collections::{BTreeMap, BTreeSet};

/// Most values that a pair may have to be numbered.
const MOST_PAIRS: u64 = 1024;

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
        if high.saturating_sub(low) >= MOST_PAIRS as i64 {
            return;
        }
        let mut numbers: BTreeMap<(Var, Var), Option<Var>> = BTreeMap::new();
        for clique in cliques(pairs) {
            if clique.len() < FEWEST {
                continue;
            }
            let numbered: Option<Vec<Var>> = clique
                .into_iter()
                .map(|pair| *numbers.entry(pair).or_insert_with(|| self.numbered(pair, low, high)))
                .collect();
            if let Some(vars) = numbered {
                self.engine.add(Different(vars.into()));
            }
        }
    }

    /// A variable that numbers the values of a pair, whose second side is one of `low..=high`.
    fn numbered(&mut self, (a, b): (Var, Var), low: i64, high: i64) -> Option<Var> {
        let store = &mut self.engine.store;
        if !store.has_bits(a)
            || !store.has_bits(b)
            || store.size(a).saturating_mul(store.size(b)) > MOST_PAIRS
        {
            return None;
        }
        let width = high - low + 1;
        let mut rows: Vec<Box<[i64]>> = Vec::new();
        for x in store.values(a) {
            for y in store.values(b) {
                rows.push(Box::new([x, y, x.checked_mul(width)?.checked_add(y - low)?]));
            }
        }
        let numbers = rows.iter().map(|row| row[2]);
        let (first, last) = (numbers.clone().min()?, numbers.max()?);
        let number = store.variable(first, last);
        self.engine.add(Table { vars: Box::new([a, b, number]), rows: rows.into() });
        Some(number)
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
