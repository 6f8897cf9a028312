//! Literals as numbers, and zeros and ones, and their sums, as literals.

use super::claim::Poster;
use super::literal::{Linear, Lit};
use super::propagators::linear::Relation;
use super::propagators::logic::Conjunction;
use super::store::{Store, Var};
use rustc_hash::FxHashMap;
use smallvec::smallvec;

impl Poster {
    /// A literal as a number, 1 where it is true.
    pub fn number(&mut self, lit: Lit) -> Linear {
        match self.simple(lit) {
            Lit::Always => Linear::constant(1),
            Lit::Never => Linear::constant(0),
            lit => match self.as_bit(lit) {
                Some(sum) => sum,
                None => Linear::var(self.channelled(lit)),
            },
        }
    }

    /// The literal that a number stands for which is 0 or 1.
    pub fn as_lit(&self, number: &Linear) -> Option<Lit> {
        let is_bit = |var: Var| self.engine.store.low(var) >= 0 && self.engine.store.high(var) <= 1;
        match (&number.terms[..], number.constant) {
            ([(1, var)], 0) if is_bit(*var) => Some(Lit::Is(*var, 1)),
            ([(-1, var)], 1) if is_bit(*var) => Some(Lit::Is(*var, 0)),
            _ => None,
        }
    }

    fn as_bit(&self, lit: Lit) -> Option<Linear> {
        let store = &self.engine.store;
        let is_bit = |var: Var| store.low(var) >= 0 && store.high(var) <= 1;
        let plain = |var: Var| Linear::var(var);
        let flipped = |var: Var| Linear { terms: smallvec![(-1, var)], constant: 1 };
        match lit {
            Lit::Is(var, 1) | Lit::IsNot(var, 0) | Lit::Above(var, 0) if is_bit(var) => {
                Some(plain(var))
            }
            Lit::Is(var, 0) | Lit::IsNot(var, 1) | Lit::AtMost(var, 0) if is_bit(var) => {
                Some(flipped(var))
            }
            _ => None,
        }
    }

    pub(super) fn channelled(&mut self, lit: Lit) -> Var {
        if let Some(var) = self.numbers.get(&lit) {
            return *var;
        }
        let var = self.engine.store.variable(0, 1);
        let parts = Box::new([lit]);
        self.engine.add(Conjunction { whole: Lit::Is(var, 1), parts });
        self.numbers.insert(lit, var);
        var
    }

    /// The literals of which a sum that is at most 0 says no more than that one of them is true: where one is, everything
    /// else may be as great as it can be.
    pub(super) fn as_clause(&self, relation: Relation, sum: &Linear) -> Option<Vec<Lit>> {
        let store = &self.engine.store;
        let is_bounded = |(_, var): &(i64, Var)| store.is_bounded(*var);
        if relation != Relation::AtMost || !sum.terms.iter().all(is_bounded) {
            return None;
        }
        let (_, most) = sum.bounds(store);
        if sum.terms.iter().any(|(factor, _)| factor.abs() < most) {
            return None;
        }
        let lit = |(factor, var): &(i64, Var)| match *factor > 0 {
            true => Lit::AtMost(*var, store.high(*var) - 1),
            false => Lit::Above(*var, store.low(*var)),
        };
        Some(sum.terms.iter().map(lit).collect())
    }

    /// The literals that variables with a truth of their own stand for.
    pub(super) fn roots(&self) -> FxHashMap<Var, Lit> {
        self.numbers.iter().map(|(lit, var)| (*var, *lit)).collect()
    }

    /// What a literal stands for.
    pub(super) fn root(&self, lit: Lit, roots: &FxHashMap<Var, Lit>) -> Lit {
        let lit = self.plain(lit);
        match lit {
            Lit::Is(var, value) | Lit::IsNot(var, value) => match roots.get(&var) {
                Some(root) if matches!(lit, Lit::Is(..)) == (value == 1) => self.plain(*root),
                Some(root) => self.plain(root.negated()),
                None => lit,
            },
            _ => lit,
        }
    }
}

/// The value that a literal asks a variable for, which has more than two: of two the other one says as much.
pub(super) fn chosen(lit: Lit, store: &Store) -> Option<(Var, i64)> {
    match lit {
        Lit::Is(var, value) if store.size(var) > 2 => Some((var, value)),
        _ => None,
    }
}

/// A sum of zeros and ones as literals, and how many of them are true where it is 0.
pub(super) fn as_literals(sum: &Linear, store: &Store) -> Option<(Box<[Lit]>, i64)> {
    let mut most = -sum.constant;
    let mut lits = Vec::with_capacity(sum.terms.len());
    for (factor, var) in &sum.terms {
        if store.low(*var) < 0 || store.high(*var) > 1 {
            return None;
        }
        lits.push(match factor {
            1 => Lit::Is(*var, 1),
            -1 => Lit::Is(*var, 0),
            _ => return None,
        });
        most += i64::from(*factor == -1);
    }
    Some((lits.into(), most))
}
