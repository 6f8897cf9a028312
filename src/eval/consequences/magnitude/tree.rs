//! Sums, products, quotients, rests and powers of names, each with the range it may be in, and what narrows these.
//!
//! What is known of a term bounds what it is made of, and the other way round (Benhamou, Goualard, Granvilliers, Puget,
//! Revising hull and box consistency, 1999): here a term that is written twice is there once, so that a product of equal
//! factors is seen to be a square.

use super::range::Range;
use crate::clock;
use crate::constraint::linear::system::{self, Bounds, Is, System};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Most times that all terms are looked at: ranges may creep without end.
const MOST_ROUNDS: usize = 64;

/// Most comparisons, and names in them, that are looked at together.
const MOST_SUMS: usize = 32;
const MOST_NAMES: usize = 12;

/// The number of a term.
pub type Id = usize;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    Known(BigInt),
    /// A name, or what is not looked into.
    Open(usize),
    Add(Id, Id),
    Negate(Id),
    Multiply(Id, Id),
    /// Divided by a number that is not 0, rounded towards zero.
    Divide(Id, BigInt),
    /// The rest by a positive number; of natural numbers only.
    Rest(Id, BigInt),
    /// With an exponent, at least 1.
    Power(Id, u32),
    /// The power of a number that is at least 2; by natural numbers only.
    Exponent(BigInt, Id),
}

/// What is said of terms.
#[derive(Clone, Copy, Debug)]
pub enum Said {
    Equal(Id, Id),
    AtMost(Id, Id),
    /// The first one is not between the others.
    Outside(Id, Id, Id),
}

impl Said {
    /// What it speaks of.
    pub fn terms(self) -> impl Iterator<Item = Id> {
        let (a, b, c) = match self {
            Said::Equal(a, b) | Said::AtMost(a, b) => (a, b, None),
            Said::Outside(a, low, high) => (a, low, Some(high)),
        };
        [a, b].into_iter().chain(c)
    }
}

/// Terms in an order in which each comes after those that it is made of.
#[derive(Default)]
pub struct Tree {
    terms: Vec<Term>,
    ranges: Vec<Range>,
    known: FxHashMap<Term, Id>,
    said: Vec<Said>,
}

/// There are no values.
pub struct Empty;

impl Tree {
    pub fn term(&mut self, term: Term) -> Id {
        let term = self.simpler(term);
        if let Some(id) = self.known.get(&term) {
            return *id;
        }
        let range = match &term {
            Term::Known(n) => Range::only(n.clone()),
            _ => Range::default(),
        };
        self.known.insert(term.clone(), self.terms.len());
        self.terms.push(term);
        self.ranges.push(range);
        self.terms.len() - 1
    }

    /// A power for a product of equal factors, and a number for what is known.
    fn simpler(&self, term: Term) -> Term {
        let number = |id: Id| match &self.terms[id] {
            Term::Known(n) => Some(n),
            _ => None,
        };
        let power = |id: Id| match self.terms[id] {
            Term::Power(of, exponent) => (of, exponent),
            _ => (id, 1),
        };
        match &term {
            Term::Add(a, b) => match (number(*a), number(*b)) {
                (Some(a), Some(b)) => Term::Known(a + b),
                _ => term,
            },
            Term::Negate(a) => number(*a).map_or(term, |a| Term::Known(-a)),
            Term::Multiply(a, b) => match (number(*a), number(*b)) {
                (Some(a), Some(b)) => Term::Known(a * b),
                _ => match (power(*a), power(*b)) {
                    ((of, m), (other, n)) if of == other && m.checked_add(n).is_some() => {
                        Term::Power(of, m + n)
                    }
                    _ => term,
                },
            },
            Term::Power(a, 1) => self.terms[*a].clone(),
            _ => term,
        }
    }

    pub fn known(&self, id: Id) -> Option<&BigInt> {
        self.ranges[id].known()
    }

    pub fn range(&self, id: Id) -> &Range {
        &self.ranges[id]
    }

    pub fn say(&mut self, said: Said) {
        self.said.push(said);
    }

    /// Whether a term has a value whatever its names have, within the ranges they have now.
    pub fn is_defined(&self, id: Id) -> bool {
        match &self.terms[id] {
            Term::Known(_) | Term::Open(_) => true,
            Term::Add(a, b) | Term::Multiply(a, b) => self.is_defined(*a) && self.is_defined(*b),
            Term::Negate(a) | Term::Divide(a, _) | Term::Power(a, _) => self.is_defined(*a),
            Term::Rest(a, _) | Term::Exponent(_, a) => {
                self.is_defined(*a) && self.ranges[*a].is_natural()
            }
        }
    }

    /// Narrows the ranges until nothing follows any more, or for long enough.
    ///
    /// # Errors
    /// Where one of them is empty.
    pub fn narrow(&mut self) -> Result<(), Empty> {
        for round in 1..=MOST_ROUNDS {
            clock::work(self.terms.len());
            let mut changed = false;
            for id in 0..self.terms.len() {
                let range = self.forwards(id);
                changed |= self.meet(id, &range)?;
            }
            for i in 0..self.said.len() {
                changed |= self.hear(self.said[i])?;
            }
            for id in (0..self.terms.len()).rev() {
                changed |= self.backwards(id)?;
            }
            // Bounds may creep; what the sums say together ends that.
            if !changed || round % 8 == 0 {
                changed |= self.together()?;
            }
            if !changed {
                break;
            }
        }
        Ok(())
    }

    fn hear(&mut self, said: Said) -> Result<bool, Empty> {
        match said {
            Said::AtMost(a, b) => {
                let (low, high) = (self.ranges[a].low.clone(), self.ranges[b].high.clone());
                let below = self.meet(a, &Range { low: None, high })?;
                Ok(self.meet(b, &Range { low, high: None })? || below)
            }
            Said::Equal(a, b) => {
                let of_a = self.ranges[a].clone();
                let first = self.meet(b, &of_a)?;
                let of_b = self.ranges[b].clone();
                Ok(self.meet(a, &of_b)? || first)
            }
            Said::Outside(a, low, high) => {
                let (Some(low), Some(high)) = (self.known(low), self.known(high)) else {
                    return Ok(false);
                };
                let own = &self.ranges[a];
                let range = if low > high {
                    return Ok(false);
                } else if own.low.as_ref().is_some_and(|own| own >= low) {
                    Range::at_least(high + 1)
                } else if own.high.as_ref().is_some_and(|own| own <= high) {
                    Range::at_most(low - 1)
                } else {
                    return Ok(false);
                };
                self.meet(a, &range)
            }
        }
    }

    fn meet(&mut self, id: Id, range: &Range) -> Result<bool, Empty> {
        let narrowed = self.ranges[id].narrow(range);
        if self.ranges[id].is_empty() { Err(Empty) } else { Ok(narrowed) }
    }

    /// What the parts of a term say of it.
    fn forwards(&self, id: Id) -> Range {
        let of = |id: Id| &self.ranges[id];
        match &self.terms[id] {
            Term::Known(_) | Term::Open(_) => Range::default(),
            Term::Add(a, b) => of(*a).plus(of(*b)),
            Term::Negate(a) => of(*a).negated(),
            Term::Multiply(a, b) => of(*a).times(of(*b)),
            Term::Divide(a, by) => of(*a).quotients(by),
            Term::Power(a, exponent) => of(*a).powers(*exponent),
            Term::Rest(a, by) if of(*a).is_natural() => of(*a).rests(by),
            Term::Exponent(base, a) if of(*a).is_natural() => of(*a).exponents(base),
            Term::Rest(..) | Term::Exponent(..) => Range::default(),
        }
    }

    /// What a term says of its parts.
    fn backwards(&mut self, id: Id) -> Result<bool, Empty> {
        let own = self.ranges[id].clone();
        let of = |id: Id| self.ranges[id].clone();
        match self.terms[id].clone() {
            Term::Known(_) | Term::Open(_) => Ok(false),
            Term::Add(a, b) => {
                let first = self.meet(a, &own.minus(&of(b)))?;
                Ok(self.meet(b, &own.minus(&self.ranges[a]))? || first)
            }
            Term::Negate(a) => self.meet(a, &own.negated()),
            Term::Multiply(a, b) => {
                let first = self.meet(a, &own.over(&of(b)))?;
                Ok(self.meet(b, &own.over(&self.ranges[a]))? || first)
            }
            Term::Divide(a, by) => self.meet(a, &own.divided(&by)),
            Term::Power(a, exponent) => self.meet(a, &own.roots(exponent, &of(a))),
            Term::Rest(a, by) if of(a).is_natural() => match own.known() {
                Some(rest) if !rest.is_negative() && *rest < by => {
                    let moved = of(a).with_rest(rest, &by);
                    self.meet(a, &moved)
                }
                _ => Ok(false),
            },
            Term::Exponent(base, a) if of(a).is_natural() => self.meet(a, &own.logarithms(&base)),
            Term::Rest(..) | Term::Exponent(..) => Ok(false),
        }
    }

    /// The values of a name, where they are known to be few: two roots, or what has one rest.
    pub fn values(&self, name: Id, most: usize) -> Option<Vec<BigInt>> {
        let own = &self.ranges[name];
        let fits = |n: &BigInt| {
            own.low.as_ref().is_none_or(|low| low <= n)
                && own.high.as_ref().is_none_or(|high| n <= high)
        };
        let listed = |(id, term): (Id, &Term)| match term {
            Term::Power(of, exponent) if *of == name => {
                let root = self.known(id).filter(|n| !n.is_negative())?.nth_root(*exponent);
                let values = if exponent % 2 == 0 { vec![-&root, root] } else { vec![root] };
                Some(values.into_iter().filter(|n| fits(n)).collect())
            }
            Term::Rest(of, by) if *of == name => {
                let all = own.with_rest(self.known(id).filter(|_| own.is_natural())?, by);
                let (low, high) = (all.low.as_ref()?, all.high.as_ref()?);
                let count = usize::try_from((high - low) / by).ok().filter(|n| *n < most)?;
                Some((0..=count).map(|i| low + by * BigInt::from(i)).collect())
            }
            _ => None,
        };
        let mut all: Vec<Vec<BigInt>> = self.terms.iter().enumerate().filter_map(listed).collect();
        all.sort_by_key(Vec::len);
        let mut fewest = all.into_iter().next()?;
        fewest.dedup();
        Some(fewest)
    }

    /// A term as a sum of open ones with factors, and a constant.
    fn linear(&self, id: Id, factor: &BigInt, sum: &mut Sum) -> Option<()> {
        match &self.terms[id] {
            // What is a sum is taken apart also where it is known: that is what it says.
            Term::Add(a, b) => {
                self.linear(*a, factor, sum)?;
                self.linear(*b, factor, sum)
            }
            Term::Negate(a) => self.linear(*a, &-factor, sum),
            Term::Multiply(a, b) => match (self.known(*a), self.known(*b)) {
                (Some(n), _) => self.linear(*b, &(factor * n), sum),
                (_, Some(n)) => self.linear(*a, &(factor * n), sum),
                _ => None,
            },
            term => {
                match (self.known(id), term) {
                    (Some(n), _) => sum.constant += factor * n,
                    (None, Term::Open(_)) => *sum.factors.entry(id).or_default() += factor,
                    _ => return None,
                }
                Some(())
            }
        }
    }

    /// Narrows the ranges of names by what all linear comparisons say together; whether that was anything.
    fn together(&mut self) -> Result<bool, Empty> {
        let mut sums = Vec::new();
        for said in &self.said {
            let (is, left, right) = match said {
                Said::Equal(left, right) => (Is::Zero, left, right),
                Said::AtMost(left, right) => (Is::AtMostZero, left, right),
                Said::Outside(..) => continue,
            };
            let (mut sum, one) = (Sum::default(), BigInt::one());
            let is_linear = self.linear(*left, &one, &mut sum).is_some()
                && self.linear(*right, &-one, &mut sum).is_some();
            sum.factors.retain(|_, factor| !factor.is_zero());
            if is_linear && !sum.factors.is_empty() {
                sums.push((is, sum));
            }
        }
        let mut names: Vec<Id> = Vec::new();
        for (_, sum) in &sums {
            for id in sum.factors.keys() {
                if !names.contains(id) {
                    names.push(*id);
                }
            }
        }
        if sums.len() > MOST_SUMS || names.len() > MOST_NAMES {
            return Ok(false);
        }
        let place =
            |id: Id| names.iter().position(|name| *name == id).expect("all names are there");
        let told = sums.into_iter().map(|(is, sum)| {
            let factors = sum.factors.into_iter().map(|(id, factor)| (place(id), factor)).collect();
            (is, system::Sum { factors, constant: sum.constant })
        });
        let bounds = |id: &Id| (self.ranges[*id].low.clone(), self.ranges[*id].high.clone());
        let bounds: Vec<Bounds> = names.iter().map(bounds).collect();
        let Ok(system) = System::of(&bounds, &told.collect::<Vec<_>>()) else { return Ok(false) };
        let system = system.ok_or(Empty)?;
        let mut narrowed = false;
        for (number, id) in names.iter().enumerate() {
            for sign in [1, -1] {
                let Ok(Some(bound)) = system.bound(number, sign) else { continue };
                let range = if sign > 0 { Range::at_most(bound) } else { Range::at_least(bound) };
                narrowed |= self.meet(*id, &range)?;
            }
        }
        Ok(narrowed)
    }
}

/// Open terms with factors, and a constant.
#[derive(Default)]
struct Sum {
    factors: BTreeMap<Id, BigInt>,
    constant: BigInt,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sums_say_together() {
        let mut tree = Tree::default();
        let (x, y) = (tree.term(Term::Open(0)), tree.term(Term::Open(1)));
        let sum = tree.term(Term::Add(x, y));
        let negated = tree.term(Term::Negate(y));
        let difference = tree.term(Term::Add(x, negated));
        let number: BigInt = BigInt::one() << 80;
        for (left, n) in [(sum, number.clone()), (difference, 2.into())] {
            let right = tree.term(Term::Known(n));
            tree.say(Said::Equal(left, right));
        }
        assert!(tree.narrow().is_ok());
        assert_eq!(tree.known(x), Some(&(number / 2 + 1)));
    }

    #[test]
    fn what_one_sum_says_of_a_name_that_is_in_it_twice() {
        let mut tree = Tree::default();
        let x = tree.term(Term::Open(0));
        let twice = tree.term(Term::Add(x, x));
        let right = tree.term(Term::Known(BigInt::from(14)));
        tree.say(Said::Equal(twice, right));
        assert!(tree.narrow().is_ok());
        assert_eq!(tree.known(x), Some(&BigInt::from(7)));
    }
}
