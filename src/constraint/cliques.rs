//! What differs pair by pair, taken together: all of a clique differ, which says more than its pairs do.
//!
//! Variables that differ, and pairs of variables: `p(i) /= p(j)` of points in a plane. A pair has a number of its
//! own, so that as many pairs as there are numbers take all of them.

use super::claim::{Claim, Poster};
use super::propagators::different::Different;
use super::propagators::linear::Relation;
use super::store::Var;

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
    let mut members: Vec<T> = unequal.iter().flat_map(|(a, b)| [*a, *b]).collect();
    members.sort_unstable();
    members.dedup();
    let number = |member: &T| members.binary_search(member).unwrap_or_default();
    let mut pairs: Vec<(usize, usize)> =
        unequal.iter().map(|(a, b)| (number(a.min(b)), number(a.max(b)))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut near = vec![Vec::new(); members.len()];
    pairs.iter().for_each(|(a, b)| near[*b].push(*a));
    pairs.iter().for_each(|(a, b)| near[*a].push(*b));
    // What is near is in order: what is before each comes first.
    let differ = |a: usize, b: usize| near[a].binary_search(&b).is_ok();
    let (mut covered, mut found) = (vec![false; pairs.len()], Vec::new());
    for (i, (a, b)) in pairs.iter().copied().enumerate() {
        if covered[i] {
            continue;
        }
        let mut clique = vec![a, b];
        for next in near[a].iter().copied().filter(|next| differ(b, *next)) {
            if clique.iter().all(|v| differ(*v, next)) {
                clique.push(next);
            }
        }
        if clique.len() > 2 {
            clique.sort_unstable();
            for (i, x) in clique.iter().enumerate() {
                for y in &clique[i + 1..] {
                    if let Ok(at) = pairs.binary_search(&(*x, *y)) {
                        covered[at] = true;
                    }
                }
            }
            found.push(clique.into_iter().map(|at| members[at]).collect());
        }
    }
    found
}
