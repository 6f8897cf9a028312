//! What differs pair by pair, taken together: all of a clique differ, which says more than its pairs do.
//!
//! Variables that differ, and pairs of variables: `p(i) /= p(j)` of points in a plane. A pair has a number of its
//! own, so that as many pairs as there are numbers take all of them. So do sums: `3 * x(i) + y(i)`.

use crate::constraint::claim::{Claim, Poster};
use crate::constraint::literal::{Linear, Lit, Terms};
use crate::constraint::propagators::different::Different;
use crate::constraint::propagators::linear::Relation;
use crate::constraint::store::Var;
use indexmap::IndexSet;

/// Fewest pairs that are numbered: it costs a table for each. And fewest sums that get a variable each.
const FEWEST: usize = 5;

/// Most pairs of sums that are kept in mind.
const MOST_SUMS: usize = 1 << 16;

impl Poster {
    /// Keeps in mind that two variables differ, if a sum says that: it is posted by [`Poster::find_cliques`].
    pub(in crate::constraint) fn keep_unequal(&mut self, relation: Relation, sum: &Linear) -> bool {
        let differing = differing(relation, sum);
        self.unequal.extend(differing);
        differing.is_some()
    }

    /// Keeps in mind that two pairs of variables differ.
    pub(in crate::constraint) fn note_unequal_pairs(&mut self, parts: &[Claim]) {
        if let [Claim::Sum(r, first), Claim::Sum(s, second)] = parts
            && let (Some((a, b)), Some((c, d))) = (differing(*r, first), differing(*s, second))
        {
            // Which goes with which does not matter: `a /= b or c /= d` says both.
            self.unequal_pairs.push(((a, c), (b, d)));
        }
    }

    /// Keeps in mind that two sums differ: what is added, and what is taken away.
    pub(in crate::constraint) fn note_unequal_sums(&mut self, relation: Relation, sum: &Linear) {
        let are_many = self.unequal_sums.len() >= MOST_SUMS;
        if relation != Relation::NotEqual || sum.constant != 0 || are_many {
            return;
        }
        let (added, taken): (Terms, Terms) =
            sum.terms.iter().copied().partition(|(factor, _)| *factor > 0);
        let taken: Terms = taken.into_iter().map(|(factor, var)| (-factor, var)).collect();
        if !added.is_empty() && !taken.is_empty() {
            self.unequal_sums.push((added, taken));
        }
    }

    /// Adds that all of a clique of sums differ, with a variable for each; where there are many more numbers than sums there is
    /// one for everybody.
    fn find_unequal_sums(&mut self) {
        let pairs = std::mem::take(&mut self.unequal_sums);
        let sums: IndexSet<&Terms> = pairs.iter().flat_map(|(a, b)| [a, b]).collect();
        let at = |sum: &Terms| sums.get_index_of(sum).unwrap_or_default();
        let both = pairs.iter().map(|(a, b)| (at(a), at(b)));
        for clique in Cliques::of(both.collect()).found {
            let sum = |at: &usize| Linear { terms: sums[*at].clone(), constant: 0 };
            let bounds: Vec<_> =
                clique.iter().map(|at| sum(at).bounds(&self.engine.store)).collect();
            let low = bounds.iter().map(|(low, _)| *low).min().unwrap_or(0);
            let high = bounds.iter().map(|(_, high)| *high).max().unwrap_or(0);
            if clique.len() < FEWEST || high - low >= 2 * clique.len() as i64 {
                continue;
            }
            let vars = clique.iter().map(|at| self.variable(&sum(at)));
            if let Some(vars) = vars.collect::<Option<Vec<Var>>>() {
                self.engine.add(Different(vars.into()));
            }
        }
    }

    /// Adds that all of a clique differ, and the pairs that are in none.
    pub fn find_cliques(&mut self) {
        let Cliques { found, alone } = Cliques::of(std::mem::take(&mut self.unequal));
        for (a, b) in alone {
            if let Some(sum) = Linear::var(a).plus(-1, &Linear::var(b)) {
                self.add_sum(Lit::Always, sum, Relation::NotEqual);
            }
        }
        for clique in found {
            self.engine.add(Different(clique.clone().into()));
            self.different.push(clique);
        }
        self.find_unequal_sums();
        let pairs = std::mem::take(&mut self.unequal_pairs);
        let store = &self.engine.store;
        let seconds = || pairs.iter().flat_map(|(p, q)| [p.1, q.1]);
        let low = seconds().map(|v| store.low(v)).min().unwrap_or(0);
        let high = seconds().map(|v| store.high(v)).max().unwrap_or(0);
        let cliques = Cliques::of(pairs).found;
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

/// The variables that a sum says are different, in order.
fn differing(relation: Relation, sum: &Linear) -> Option<(Var, Var)> {
    match (relation, sum.constant, &sum.terms[..]) {
        (Relation::NotEqual, 0, [(1, x), (-1, y)] | [(-1, x), (1, y)]) => {
            Some(((*x).min(*y), (*x).max(*y)))
        }
        _ => None,
    }
}

/// What differs pair by pair.
pub(super) struct Cliques<T> {
    /// Sets of it, of three members at least.
    pub found: Vec<Vec<T>>,
    /// The pairs that are in none of these.
    pub alone: Vec<(T, T)>,
}

impl<T: Copy + Ord> Cliques<T> {
    pub fn of(unequal: Vec<(T, T)>) -> Cliques<T> {
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
        let mut covered = vec![false; pairs.len()];
        let (mut found, mut alone) = (Vec::new(), Vec::new());
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
            } else {
                alone.push((members[a], members[b]));
            }
        }
        Cliques { found, alone }
    }
}
