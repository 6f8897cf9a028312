//! Which conjuncts contradict one another, where a predicate has no solution: as few as can be.
//!
//! First one conjunct after the other is left out without which there is no solution either. None of what is left is
//! needless; but fewer others may contradict one another, too. Each set of conjuncts that has a solution says that of
//! the others one belongs to every contradiction. So the smallest contradiction is a smallest set that has a member of
//! each of these: such a set is asked for, and either it contradicts itself, or it has a solution, is made as large as
//! can be, and what is left of that is one set more (Ignatiev, Previti, Liffiton, Marques-Silva, Smallest MUS extraction with
//! minimal hitting set dualization, 2015).

use super::solving::Solver;
use super::view::one_line;
use crate::machine::{Asked, LocalId, Pred, Question};
use crate::search::{Contradiction, Least};
use crate::source::Sources;
use std::time::{Duration, Instant};

/// How long fewer conjuncts are looked for that contradict one another, too: so many times as long as it took to see that
/// all of them do, within these.
const FEWER: (u32, [Duration; 2]) = (5, [Duration::from_millis(100), Duration::from_secs(2)]);

/// How long it may take to see whether some of them have a solution.
const SOME: (u32, [Duration; 2]) = (2, [Duration::from_millis(100), Duration::from_millis(500)]);

/// How many choices are looked at for a smallest set that has a member of each of others.
const MOST_CHOICES: usize = 100_000;

/// So many conjuncts are tried one by one.
const FEW: usize = 16;

/// Conjuncts that contradict one another.
pub(super) struct Conflict {
    /// With their numbers in the question.
    pub kept: Vec<(usize, Pred)>,
    pub least: Least,
}

/// The conjuncts of a question that has no solution, and the solver that is asked whether some of them have one.
struct Subsets<'s, 'c> {
    solver: &'s mut Solver<'c>,
    question: &'s Question,
    conjuncts: &'s [Pred],
    whole: &'s Pred,
    free: &'s [LocalId],
    /// For how long it is asked whether some of them have a solution.
    each: Duration,
    until: Option<Instant>,
}

impl Conflict {
    /// In a question that has no solution. `took`: how long it took to see that. `most`: for how long it is looked.
    pub fn of(
        solver: &mut Solver<'_>,
        question: &Question,
        took: Duration,
        most: Option<Duration>,
    ) -> Option<Conflict> {
        let times =
            |(times, [least, most]): (u32, [Duration; 2])| (took * times).clamp(least, most);
        let Asked::Predicate(whole, free) = &question.asked else { return None };
        let conjuncts = whole.conjuncts();
        let until = most.map(|most| Instant::now() + most);
        let each = times(SOME);
        let mut subsets = Subsets { solver, question, conjuncts, whole, free, each, until };
        let (mut kept, mut irreducible) = subsets.without_needless((0..conjuncts.len()).collect());
        let soon = Instant::now() + times(FEWER);
        subsets.until = Some(until.map_or(soon, |until| until.min(soon)));
        let (fewer, none_is_smaller) = subsets.fewer_than(kept.len());
        if let Some(fewer) = fewer {
            (kept, irreducible) = match none_is_smaller {
                true => (fewer, true),
                false => subsets.without_needless(fewer),
            };
        }
        let least = match (irreducible, none_is_smaller) {
            (true, true) => Least::Smallest,
            (true, false) => Least::Irreducible,
            (false, _) => Least::Perhaps,
        };
        let kept = kept.into_iter().map(|i| (i, conjuncts[i].clone())).collect();
        Some(Conflict { kept, least })
    }

    /// The conjuncts as they were written.
    pub fn told(&self, sources: &Sources) -> Contradiction {
        let written = |p: &Pred| (one_line(sources.text(p.span)), p.span);
        let conjuncts = self.kept.iter().map(|(_, p)| written(p)).collect();
        Contradiction { conjuncts, least: self.least }
    }
}

impl Subsets<'_, '_> {
    fn is_late(&self) -> bool {
        self.solver.is_halted() || self.until.is_some_and(|until| Instant::now() > until)
    }

    /// Whether some of the conjuncts have a solution, if that is known soon.
    fn has_solution(&mut self, of: &[usize]) -> Option<bool> {
        let preds = of.iter().map(|i| self.conjuncts[*i].clone()).collect();
        let asked = Asked::Predicate(Pred::and(preds, self.whole.span), self.free.to_vec());
        self.solver.has_solution(&Question { asked, ..self.question.clone() }, self.each)
    }

    /// What is left of conjuncts that contradict one another when the needless ones are left out, the last first; and
    /// whether nothing of it is needless. Of many some are left out at once where all of these are needless: what is left is the
    /// same as if each were tried by itself.
    fn without_needless(&mut self, all: Vec<usize>) -> (Vec<usize>, bool) {
        let (mut kept, mut irreducible) = (all.clone(), true);
        let at_once = if all.len() > FEW { all.len().isqrt() } else { 1 };
        for part in all.rchunks(at_once) {
            let singles = part.rchunks(1).filter(|_| part.len() > 1);
            for (i, some) in std::iter::once(part).chain(singles).enumerate() {
                if self.is_late() {
                    return (kept, false);
                }
                let mut fewer = kept.clone();
                fewer.retain(|i| !some.contains(i));
                match self.has_solution(&fewer) {
                    Some(false) => kept = fewer,
                    Some(true) => {}
                    None => irreducible &= some.len() > 1,
                }
                if i == 0 && !kept.contains(&part[0]) {
                    break;
                }
            }
        }
        (kept, irreducible)
    }

    /// The fewest conjuncts that contradict one another, if they are fewer than `most`; and whether it is certain that
    /// no others are fewer still.
    fn fewer_than(&mut self, most: usize) -> (Option<Vec<usize>>, bool) {
        // Each contradiction has one of each of these.
        let mut needed: Vec<Vec<usize>> = Vec::new();
        let mut size = 1;
        let mut certain = true;
        while size < most {
            if self.is_late() {
                return (None, false);
            }
            let mut chosen = match hitting(&needed, size) {
                Ok(Some(chosen)) => chosen,
                Ok(None) => {
                    size += 1;
                    continue;
                }
                Err(TooMany) => return (None, false),
            };
            match self.has_solution(&chosen) {
                Some(false) => return (Some(chosen), certain),
                Some(true) => {
                    let others = self.others(&chosen);
                    self.grow(&mut chosen, &others);
                }
                None => certain = false,
            }
            needed.push(self.others(&chosen));
        }
        (None, certain)
    }

    fn others(&self, than: &[usize]) -> Vec<usize> {
        (0..self.conjuncts.len()).filter(|i| !than.contains(i)).collect()
    }

    /// Adds of these conjuncts as many as have a solution together with those that are there: all, or else of each half
    /// what can be.
    fn grow(&mut self, chosen: &mut Vec<usize>, more: &[usize]) {
        if more.is_empty() || self.is_late() {
            return;
        }
        let mut all = [chosen, more].concat();
        all.sort_unstable();
        if all.len() < self.conjuncts.len() && self.has_solution(&all) == Some(true) {
            *chosen = all;
        } else if more.len() > 1 {
            let (first, second) = more.split_at(more.len() / 2);
            self.grow(chosen, first);
            self.grow(chosen, second);
        }
    }
}

/// There are more choices than are looked at.
#[derive(PartialEq, Debug)]
struct TooMany;

/// A set of so many members, at most, that has one of each of these sets, in order.
fn hitting(sets: &[Vec<usize>], size: usize) -> Result<Option<Vec<usize>>, TooMany> {
    /// Whether so many members more are enough; then they are added.
    fn complete(
        sets: &[Vec<usize>],
        chosen: &mut Vec<usize>,
        more: usize,
        choices: &mut usize,
    ) -> Result<bool, TooMany> {
        let missed = sets.iter().filter(|set| !set.iter().any(|i| chosen.contains(i)));
        let Some(set) = missed.min_by_key(|set| set.len()) else { return Ok(true) };
        if more == 0 {
            return Ok(false);
        }
        for i in set {
            *choices = choices.checked_sub(1).ok_or(TooMany)?;
            chosen.push(*i);
            if complete(sets, chosen, more - 1, choices)? {
                return Ok(true);
            }
            chosen.pop();
        }
        Ok(false)
    }
    let (mut chosen, mut choices) = (Vec::new(), MOST_CHOICES);
    let hits = complete(sets, &mut chosen, size, &mut choices)?;
    chosen.sort_unstable();
    Ok(hits.then_some(chosen))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_that_hits_all_is_as_small_as_can_be() {
        let sets = [vec![0, 1], vec![1, 2], vec![2, 0], vec![3, 4, 5]];
        assert_eq!(hitting(&sets, 2), Ok(None));
        assert_eq!(hitting(&sets, 3), Ok(Some(vec![0, 1, 3])));
        assert_eq!(hitting(&[], 1), Ok(Some(vec![])));
        // Ten out of each of twelve that have nothing in common.
        let many: Vec<Vec<usize>> = (0..12).map(|i| (10 * i..10 * (i + 1)).collect()).collect();
        assert_eq!(hitting(&many, 11), Err(TooMany));
    }
}
