//! What counts say beside the sums that they are: how many different values a function has, what the rows and columns
//! of a relation add up to, and how often the sets of a family have each of their members.

use crate::constraint::build::{Builder, Built};
use crate::constraint::claim::Claim;
use crate::constraint::literal::{Linear, Lit};
use crate::constraint::pictures::object::{
    Candidates, Object, is_pairs, is_scalar, is_sets, scalar,
};
use crate::constraint::propagators::distinct::Distinct;
use crate::constraint::propagators::linear::Relation;
use crate::constraint::sketch::Host;
use crate::constraint::store::Var;
use crate::value::{Shape, Value};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Fewest values, rows or columns of which this is said.
const FEWEST: usize = 3;

/// A relation or a family of sets that is counted.
pub(in crate::constraint) struct Counted {
    members: Candidates,
    element: Shape,
}

/// Those that are asked for, by their parts.
type Disjunctions = FxHashSet<Box<[Lit]>>;

/// Something that is counted: whether it is there, and in how many groups it is then.
type Weighted = (Lit, i64);

impl<'p, H: Host> Builder<'p, H> {
    /// The count of a set, with what its literals alone do not say.
    pub(in crate::constraint) fn counted(
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
                    match var {
                        Some(var) if self.is_certain(*lit)? => of.push(var),
                        _ => return Ok(count),
                    }
                }
                if let Some(count) = self.poster.variable(&count) {
                    self.poster.engine.add(Distinct { count, of: of.into() });
                    return Ok(Linear::var(count));
                }
            }
            Object::Set(_) if is_pairs(&element) || is_sets(&element) => {
                let is_able = |(_, lit): &(Value, Lit)| self.poster.simple(*lit) != Lit::Never;
                let members = members.into_iter().filter(is_able).collect();
                self.counted_sets.push(Counted { members, element });
            }
            _ => {}
        }
        Ok(count)
    }

    /// Each pair of a relation is in one row and in one column: where something is said of its domain or its range, there are
    /// at least as many pairs as members of that. And each set of a family is in one group for each of its members: where
    /// something is said of their union, the sets have as many members at least, taken together.
    pub(in crate::constraint) fn count_groups(&mut self) -> Built<(), H> {
        let counted = std::mem::take(&mut self.counted_sets);
        if counted.is_empty() {
            return Ok(());
        }
        let asked = self.poster.asked_for_some();
        // Not what follows from these: of parts of parts there would be more and more.
        let said = self.poster.counted.clone();
        for Counted { members, element } in counted {
            self.step(members.len())?;
            if is_sets(&element) {
                let (mut all, mut groups) = (Vec::new(), BTreeMap::new());
                for (set, lit) in &members {
                    self.step(element.card(set))?;
                    all.push((*lit, element.card(set) as i64));
                    for member in element.members(set) {
                        groups.entry(member).or_insert_with(Vec::new).push(*lit);
                    }
                }
                self.add_up(&all, groups, (&asked, &said))?;
                continue;
            }
            let (mut rows, mut columns) = (BTreeMap::new(), BTreeMap::new());
            for (pair, lit) in &members {
                let (x, y) = element.split(pair);
                rows.entry(x).or_insert_with(Vec::new).push(*lit);
                columns.entry(y).or_insert_with(Vec::new).push(*lit);
            }
            let all: Vec<Weighted> = members.iter().map(|(_, lit)| (*lit, 1)).collect();
            for groups in [rows, columns] {
                self.add_up(&all, groups, (&asked, &said))?;
            }
        }
        Ok(())
    }

    /// What is said of the number of all these is true of the sum of the groups, in as many of which each of them is as it
    /// weighs. With the disjunctions that are asked for, and the sums that are said.
    fn add_up(
        &mut self,
        all: &[Weighted],
        groups: BTreeMap<Value, Vec<Lit>>,
        (asked, said): (&Disjunctions, &[(Relation, Linear)]),
    ) -> Built<(), H> {
        let poster = &self.poster;
        let some_of = |group: &[Lit]| match poster.known_or(group) {
            None if asked.contains(group) => Some(Lit::Always),
            some => some,
        };
        // It may have been said before something was found out of its members, or afterwards.
        let some = |group: &Vec<Lit>| {
            let is_able = |lit: &Lit| poster.simple(*lit) != Lit::Never;
            let able = || group.iter().copied().filter(is_able).collect::<Vec<Lit>>();
            some_of(group).or_else(|| some_of(&able()))
        };
        let some: Vec<Option<Lit>> = groups.values().map(some).collect();
        if groups.len() < FEWEST || some.iter().all(Option::is_none) {
            return Ok(());
        }
        let lits: Vec<Lit> = all.iter().map(|(lit, _)| *lit).collect();
        let whole = self.count(&lits)?;
        let said: Vec<(Relation, &Linear, i64)> = said
            .iter()
            .filter_map(|(relation, sum)| Some((*relation, sum, times(&whole, sum)?)))
            .collect();
        if said.is_empty() {
            return Ok(());
        }
        let mut grouped = Linear::default();
        for (group, some) in groups.values().zip(some) {
            let sum = self.count(group)?;
            let Some(var): Option<Var> = self.poster.variable(&sum) else { return Ok(()) };
            if let Some(some) = some {
                self.poster.post(Claim::iff(Claim::Lit(some), Claim::Lit(Lit::Above(var, 0))));
            }
            match grouped.plus(1, &Linear::var(var)) {
                Some(sum) => grouped = sum,
                None => return Ok(()),
            }
        }
        // As if each of them weighed as much as the heaviest one, or the lightest one, with what differs from that beside it.
        let weights = || all.iter().map(|(_, weight)| *weight).filter(|weight| *weight > 0);
        let mut counted_as: Vec<i64> = weights().max().into_iter().chain(weights().min()).collect();
        counted_as.dedup();
        for weight in counted_as {
            let Some(difference) = self.differing(&grouped, &whole, all, weight)? else { continue };
            for (relation, sum, times) in &said {
                self.step(sum.terms.len() + difference.terms.len())?;
                if let Some(sum) = sum.times(weight).and_then(|s| s.plus(*times, &difference)) {
                    self.poster.post(Claim::Sum(*relation, sum));
                }
            }
        }
        Ok(())
    }

    /// What the groups add up to, less so many times the number of all, which is 0 with what differs from that weight.
    fn differing(
        &mut self,
        grouped: &Linear,
        whole: &Linear,
        all: &[Weighted],
        weight: i64,
    ) -> Built<Option<Linear>, H> {
        let mut difference = grouped.plus(-weight, whole);
        let others = all.iter().filter(|(_, own)| *own != weight);
        let mut by_weight: BTreeMap<i64, Vec<Lit>> = BTreeMap::new();
        others.for_each(|(lit, own)| by_weight.entry(*own).or_default().push(*lit));
        for (own, lits) in by_weight {
            let count = self.count(&lits)?;
            difference = difference.and_then(|sum| sum.plus(weight - own, &count));
        }
        Ok(difference)
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
