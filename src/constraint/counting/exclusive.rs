//! What excludes each other: of the literals of a group only so many are true at once.
//!
//! `card({c | s(c) = d}) <= 2` is such a group, `x(1) + x(2) + x(3) = 1` is one, and so are literals of which each two are
//! said not to be true at once. Variables differ where one group at a time has each value that both may have; and what asks
//! for literals of several groups asks for places in them ([`Poster::find_places`]).

use super::cliques::Cliques;
use crate::clock;
use crate::constraint::bits::{as_literals, chosen};
use crate::constraint::claim::Poster;
use crate::constraint::literal::{Linear, Lit};
use crate::constraint::propagators::linear::Relation;
use crate::constraint::store::Var;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Most pairs of variables, with a value each, that are looked at.
const MOST_PAIRS: usize = 1 << 18;

/// Most neighbours of all pairs in which cliques are looked for.
const MOST_NEIGHBOURS: usize = 1 << 22;

/// Literals of which so many are true at most.
pub(in crate::constraint) type Group = (Box<[Lit]>, i64);

impl Poster {
    /// Keeps in mind how many there are, of what a sum that holds adds up.
    pub(in crate::constraint) fn note_counts(&mut self, relation: Relation, sum: &Linear) {
        let Some((lits, most)) = as_literals(sum, &self.engine.store) else { return };
        let denied: Box<[Lit]> = lits.iter().map(|lit| lit.negated()).collect();
        let others = lits.len() as i64 - most;
        if relation == Relation::NotEqual || lits.len() < 2 || most < 1 || others < 1 {
            return;
        }
        self.places.push((denied.clone(), others));
        if relation == Relation::Equal {
            self.places.push((lits.clone(), most));
            self.exclusive.push((denied, others));
        }
        self.exclusive.push((lits, most));
    }

    /// The groups that were noted, and those of literals of which each two are said to exclude each other.
    pub(in crate::constraint) fn find_exclusive(&mut self) {
        let roots = self.roots();
        let mut groups: Vec<Group> = Vec::new();
        for (group, most) in std::mem::take(&mut self.exclusive) {
            let truth = |lit: &Lit| self.engine.store.truth(*lit);
            let come = group.iter().filter(|lit| truth(lit) == Some(true)).count();
            let most = most - come as i64;
            let open = group.iter().filter(|lit| truth(lit).is_none());
            if most > 0 {
                groups.push((open.map(|lit| self.root(*lit, &roots)).collect(), most));
            }
        }
        let clauses = self.clauses.iter().filter_map(|clause| match clause[..] {
            [a, b] => Some([a.negated(), b.negated()]),
            _ => None,
        });
        let store = &self.engine.store;
        let denied = |(parts, whole): (&Vec<Lit>, &Lit)| match parts[..] {
            [a, b] if store.truth(*whole) == Some(false) => Some([a, b]),
            _ => None,
        };
        let mut pairs = Vec::new();
        for both in clauses.chain(self.conjunctions.iter().filter_map(denied)) {
            let [a, b] = both.map(|lit| self.root(lit, &roots));
            if store.truth(a).is_none() && store.truth(b).is_none() {
                pairs.push((a, b));
            }
        }
        pairs.sort_unstable();
        let Cliques { found, alone } = Cliques::of(of_few(pairs));
        groups.extend(found.into_iter().map(|group| (group.into(), 1)));
        groups.extend(alone.into_iter().map(|(a, b)| ([a, b].into(), 1)));
        self.note_differing(&groups);
        self.exclusive = groups;
    }

    /// Notes that variables differ of which each value that both may have is in a group.
    fn note_differing(&mut self, groups: &[Group]) {
        let store = &self.engine.store;
        let (mut excluded, mut steps) = (Vec::new(), 0);
        for (group, _) in groups.iter().filter(|(_, most)| *most == 1) {
            let mut by_value: BTreeMap<i64, Vec<Var>> = BTreeMap::new();
            for (var, value) in group.iter().filter_map(|lit| chosen(*lit, store)) {
                by_value.entry(value).or_default().push(var);
            }
            for (value, mut vars) in by_value {
                vars.sort_unstable();
                vars.dedup();
                steps += vars.len() * vars.len();
                if steps > MOST_PAIRS {
                    return;
                }
                for (i, a) in vars.iter().enumerate() {
                    excluded.extend(vars[i + 1..].iter().map(|b| ((*a, *b), value)));
                }
            }
        }
        clock::work(steps);
        excluded.sort_unstable();
        excluded.dedup();
        for same in excluded.chunk_by(|x, y| x.0 == y.0) {
            let (a, b) = same[0].0;
            let is_excluded = |v: i64| same.binary_search_by_key(&v, |(_, value)| *value).is_ok();
            let is_common = |v: &i64| store.contains(b, *v);
            if store.has_bits(a) && store.values(a).filter(is_common).all(is_excluded) {
                self.unequal.push((a, b));
            }
        }
    }
}

/// None of these pairs where one would have to look at too many others.
fn of_few(pairs: Vec<(Lit, Lit)>) -> Vec<(Lit, Lit)> {
    let mut degrees: FxHashMap<Lit, usize> = FxHashMap::default();
    pairs.iter().for_each(|(a, b)| {
        *degrees.entry(*a).or_default() += 1;
        *degrees.entry(*b).or_default() += 1;
    });
    let neighbours: usize = pairs.iter().map(|(a, b)| degrees[a] + degrees[b]).sum();
    clock::work(neighbours.min(MOST_NEIGHBOURS));
    if neighbours > MOST_NEIGHBOURS { Vec::new() } else { pairs }
}
