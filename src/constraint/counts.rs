//! What counts say beside the sums that they are: how many different values a function has, and what the rows and columns
//! of a relation add up to.

use super::build::{Builder, Built};
use super::claim::Claim;
use super::literal::{Linear, Lit};
use super::object::{Candidates, Object, is_scalar, scalar};
use super::propagators::distinct::Distinct;
use super::propagators::linear::Relation;
use super::sketch::Host;
use super::store::Var;
use crate::value::{Shape, Value};
use std::collections::BTreeMap;

/// Fewest values, rows or columns of which this is said.
const FEWEST: usize = 3;

/// A relation that is counted, by its pairs.
pub(super) struct Counted {
    pairs: Candidates,
    shape: Shape,
}

impl<'p, H: Host> Builder<'p, H> {
    /// The count of a set, with what its literals alone do not say.
    pub(super) fn counted(
        &mut self,
        (set, shape): (&Object, &Shape),
        members: Candidates,
    ) -> Built<Linear, H> {
        let lits: Vec<Lit> = members.iter().map(|(_, lit)| *lit).collect();
        let (count, element) = (self.count(&lits)?, shape.element());
        match set {
            Object::Listed(items) if is_scalar(&element) && items.len() >= FEWEST => {
                let mut of = Vec::new();
                for (lit, item) in items.iter() {
                    let sum = scalar(item, &element, &mut self.poster);
                    let var = sum.and_then(|sum| self.poster.variable(&sum));
                    match var.filter(|_| *lit == Lit::Always) {
                        Some(var) => of.push(var),
                        None => return Ok(count),
                    }
                }
                if let Some(count) = self.poster.variable(&count) {
                    self.poster.engine.add(Distinct { count, of: of.into() });
                    return Ok(Linear::var(count));
                }
            }
            Object::Set(_) if super::truth::is_pairs(&element) => {
                self.relations.push(Counted { pairs: members, shape: element });
            }
            _ => {}
        }
        Ok(count)
    }

    /// Each pair of a relation is in one row and in one column: where something is said of its domain or its range, there are
    /// at least as many pairs as members of that.
    pub(super) fn count_rows(&mut self) -> Built<(), H> {
        for Counted { pairs, shape } in std::mem::take(&mut self.relations) {
            let (mut rows, mut columns) = (BTreeMap::new(), BTreeMap::new());
            for (pair, lit) in &pairs {
                let (x, y) = shape.split(pair);
                rows.entry(x).or_insert_with(Vec::new).push(*lit);
                columns.entry(y).or_insert_with(Vec::new).push(*lit);
            }
            let lits: Vec<Lit> = pairs.iter().map(|(_, lit)| *lit).collect();
            for groups in [rows, columns] {
                self.add_up(&lits, groups)?;
            }
        }
        Ok(())
    }

    /// What is said of the number of pairs is true of the sum of the groups.
    fn add_up(&mut self, lits: &[Lit], groups: BTreeMap<Value, Vec<Lit>>) -> Built<(), H> {
        let some: Vec<Option<Lit>> =
            groups.values().map(|group| self.poster.known_or(group)).collect();
        let is_asked = |lit: &Option<Lit>| lit.is_some_and(|lit| lit.var().is_some());
        if groups.len() < FEWEST || !some.iter().any(is_asked) {
            return Ok(());
        }
        let whole = self.count(lits)?;
        let said: Vec<(Relation, Linear, i64)> = self
            .poster
            .counted
            .iter()
            .filter_map(|(relation, sum)| Some((*relation, sum.clone(), times(&whole, sum)?)))
            .collect();
        if said.is_empty() {
            return Ok(());
        }
        let mut difference = Linear::default().plus(-1, &whole).unwrap_or_default();
        for (group, some) in groups.values().zip(some) {
            let sum = self.count(group)?;
            let Some(var): Option<Var> = self.poster.variable(&sum) else { return Ok(()) };
            if let Some(some) = some {
                self.poster.post(Claim::iff(Claim::Lit(some), Claim::Lit(Lit::Above(var, 0))));
            }
            match difference.plus(1, &Linear::var(var)) {
                Some(sum) => difference = sum,
                None => return Ok(()),
            }
        }
        for (relation, sum, times) in said {
            if let Some(sum) = sum.plus(times, &difference) {
                self.poster.post(Claim::Sum(relation, sum));
            }
        }
        Ok(())
    }
}

/// How often a sum has all terms of another one.
fn times(part: &Linear, sum: &Linear) -> Option<i64> {
    let factor = |var: Var| {
        sum.terms.binary_search_by_key(&var, |(_, var)| *var).ok().map(|at| sum.terms[at].0)
    };
    let (first, var) = *part.terms.first()?;
    let times = factor(var)? / first;
    let is_there = |(own, var): &(i64, Var)| factor(*var) == own.checked_mul(times);
    (times != 0 && part.terms.iter().all(is_there)).then_some(times)
}
