//! Literals and linear forms: what the propagators speak of.

use super::store::{INFINITE, Store, Var};
use smallvec::{SmallVec, smallvec};

/// A statement about one variable, as easily denied as made. A boolean is a variable over 0 and 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Lit {
    Always,
    Never,
    Is(Var, i64),
    IsNot(Var, i64),
    AtMost(Var, i64),
    Above(Var, i64),
}

impl Lit {
    pub fn negated(self) -> Lit {
        match self {
            Lit::Always => Lit::Never,
            Lit::Never => Lit::Always,
            Lit::Is(var, value) => Lit::IsNot(var, value),
            Lit::IsNot(var, value) => Lit::Is(var, value),
            Lit::AtMost(var, bound) => Lit::Above(var, bound),
            Lit::Above(var, bound) => Lit::AtMost(var, bound),
        }
    }

    pub fn var(self) -> Option<Var> {
        match self {
            Lit::Always | Lit::Never => None,
            Lit::Is(var, _) | Lit::IsNot(var, _) | Lit::AtMost(var, _) | Lit::Above(var, _) => {
                Some(var)
            }
        }
    }

    /// Whether it is true where its variable has this value.
    pub fn is_true_of(self, value: i64) -> bool {
        match self {
            Lit::Always => true,
            Lit::Never => false,
            Lit::Is(_, of) => value == of,
            Lit::IsNot(_, of) => value != of,
            Lit::AtMost(_, bound) => value <= bound,
            Lit::Above(_, bound) => value > bound,
        }
    }

    pub fn known(truth: bool) -> Lit {
        if truth { Lit::Always } else { Lit::Never }
    }
}

/// Most sums are of one variable or two.
pub type Terms = SmallVec<[(i64, Var); 2]>;

/// A sum of variables with factors, and a constant. Each variable occurs once, no factor is 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Linear {
    pub terms: Terms,
    pub constant: i64,
}

impl Linear {
    pub fn constant(constant: i64) -> Linear {
        Linear { terms: Terms::new(), constant }
    }

    pub fn var(var: Var) -> Linear {
        Linear { terms: smallvec![(1, var)], constant: 0 }
    }

    /// The number, where there is no variable in it.
    pub fn known(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The variable that it is.
    pub fn as_var(&self) -> Option<Var> {
        match self.terms[..] {
            [(1, var)] if self.constant == 0 => Some(var),
            _ => None,
        }
    }

    /// `self + factor * other`; `None` where a number becomes too large.
    pub fn plus(&self, factor: i64, other: &Linear) -> Option<Linear> {
        let small = |n: i64| (n.abs() < INFINITE).then_some(n);
        let scaled = other.constant.checked_mul(factor)?;
        let constant = small(self.constant.checked_add(scaled)?)?;
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        let mut terms = Terms::with_capacity(self.terms.len() + other.terms.len());
        loop {
            let (sum, var) = match (a.peek(), b.peek()) {
                (None, None) => return Some(Linear { terms, constant }),
                (Some((n, x)), Some((m, y))) if x == y => {
                    let sum = n.checked_add(m.checked_mul(factor)?)?;
                    a.next();
                    b.next();
                    (sum, *x)
                }
                (Some((n, x)), other) if other.is_none_or(|(_, y)| x < y) => {
                    a.next();
                    (*n, *x)
                }
                (_, Some((m, y))) => {
                    b.next();
                    (m.checked_mul(factor)?, *y)
                }
                (Some(_), None) => unreachable!("the second list has ended"),
            };
            if small(sum)? != 0 {
                terms.push((sum, var));
            }
        }
    }

    /// All of these added up; `None` where a number becomes too large.
    pub fn total(all: &[Linear]) -> Option<Linear> {
        let mut terms: Vec<(i64, Var)> = all.iter().flat_map(|sum| &sum.terms).copied().collect();
        // Sorted once, instead of merged one after the other.
        terms.sort_unstable_by_key(|(_, var)| *var);
        let small = |n: i64| (n.abs() < INFINITE).then_some(n);
        let mut total = Linear::default();
        for sum in all {
            total.constant = small(total.constant.checked_add(sum.constant)?)?;
        }
        for group in terms.chunk_by(|a, b| a.1 == b.1) {
            let factor = group.iter().try_fold(0i64, |all, (n, _)| all.checked_add(*n))?;
            if small(factor)? != 0 {
                total.terms.push((factor, group[0].1));
            }
        }
        Some(total)
    }

    pub fn times(&self, factor: i64) -> Option<Linear> {
        Linear::default().plus(factor, self)
    }

    /// The bounds of its value; beyond [`INFINITE`] there are none.
    pub fn bounds(&self, store: &Store) -> (i64, i64) {
        if let Some(bounds) = self.small_bounds(store) {
            return bounds;
        }
        let (mut low, mut high) = (self.constant as i128, self.constant as i128);
        for (factor, var) in &self.terms {
            let (a, b) = (store.low(*var), store.high(*var));
            let (a, b) = if *factor > 0 { (a, b) } else { (b, a) };
            let scaled = |n: i64| match n.abs() >= INFINITE {
                true => (1i128 << 100) * (n.signum() * factor.signum()) as i128,
                false => n as i128 * *factor as i128,
            };
            low += scaled(a);
            high += scaled(b);
        }
        (clamped(low), clamped(high))
    }

    /// The same in machine words, where the numbers are small.
    fn small_bounds(&self, store: &Store) -> Option<(i64, i64)> {
        let is_small = |n: i64| n.unsigned_abs() < 1 << 24;
        if !is_small(self.constant) || self.terms.len() >= 1 << 12 {
            return None;
        }
        let (mut low, mut high) = (self.constant, self.constant);
        for (factor, var) in &self.terms {
            let (a, b) = (store.low(*var), store.high(*var));
            if !is_small(a) || !is_small(b) || !is_small(*factor) {
                return None;
            }
            let (a, b) = if *factor > 0 { (a, b) } else { (b, a) };
            low += factor * a;
            high += factor * b;
        }
        Some((low, high))
    }

    /// Its value, where all variables have one.
    pub fn value(&self, store: &Store) -> Option<i64> {
        let mut sum = self.constant as i128;
        for (factor, var) in &self.terms {
            sum += *factor as i128 * store.value(*var)? as i128;
        }
        i64::try_from(sum).ok()
    }
}

/// A number, or that it is without bound.
pub fn clamped(n: i128) -> i64 {
    n.clamp(-(INFINITE as i128), INFINITE as i128) as i64
}
