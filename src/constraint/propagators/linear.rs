//! Sums: `3 * x - y + 2 <= 0` and the like, where a literal is true.

use super::super::engine::Propagator;
use super::super::literal::{Linear, Lit, clamped};
use super::super::store::{Conflict, Event, INFINITE, Store, Var};

/// How a sum compares with 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    Equal,
    NotEqual,
    AtMost,
}

/// If `on` is true, then the sum compares like this with 0.
pub struct Sum {
    pub on: Lit,
    pub sum: Linear,
    pub relation: Relation,
}

/// Most times that an equation narrows bounds by itself: these may creep towards each other, one number at a time. It is
/// run again after that, as long as the engine has patience.
const ROUNDS: u32 = 16;

/// Largest domain of which an equation of two variables is kept value by value.
const BY_VALUE: u64 = 256;

impl Propagator for Sum {
    fn watched(&self) -> Vec<(Var, Event)> {
        let wanted = match (self.relation, self.sum.terms.len()) {
            (Relation::NotEqual, _) => Event::Fixed,
            (Relation::Equal, 2) => Event::Domain,
            _ => Event::Bounds,
        };
        self.sum.terms.iter().map(|(_, var)| (*var, wanted)).collect()
    }

    fn literals(&self) -> Vec<Lit> {
        vec![self.on]
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        match store.truth(self.on) {
            Some(false) => Ok(()),
            Some(true) => self.hold(store),
            None if self.is_refuted(store) => store.assert(self.on.negated()),
            None => Ok(()),
        }
    }

    fn is_costly(&self) -> bool {
        self.sum.terms.len() > 8
    }
}

impl Sum {
    /// Whether no values that are left make it true.
    pub fn is_refuted(&self, store: &Store) -> bool {
        match self.relation {
            Relation::AtMost => self.sum.bounds(store).0 > 0,
            Relation::NotEqual => self.sum.value(store) == Some(0),
            Relation::Equal => {
                let (low, high) = self.sum.bounds(store);
                low > 0 || high < 0 || !self.is_divisible() || self.has_no_pair(store)
            }
        }
    }

    /// Whether what divides all factors divides the constant: else no integers make it 0.
    fn is_divisible(&self) -> bool {
        let mut common = 0;
        for (factor, _) in &self.sum.terms {
            common = gcd(common, factor.unsigned_abs());
            if common == 1 {
                return true;
            }
        }
        common == 0 || self.sum.constant.unsigned_abs().is_multiple_of(common)
    }

    /// Whether an equation of two variables is true of no values that are left.
    fn has_no_pair(&self, store: &Store) -> bool {
        let [(n, x), (m, y)] = self.sum.terms[..] else { return false };
        let (small, _) = if store.size(x) <= store.size(y) { (x, y) } else { (y, x) };
        if store.size(small) > BY_VALUE || !store.has_bits(small) {
            return false;
        }
        let ((a, other), b) = if small == x { ((m, y), n) } else { ((n, x), m) };
        let found = store.values(small).any(|value| {
            partner(b, value, self.sum.constant, a).is_some_and(|v| store.contains(other, v))
        });
        !found
    }

    /// Takes out the values that make it false.
    ///
    /// # Errors
    /// All do.
    pub fn hold(&self, store: &mut Store) -> Result<(), Conflict> {
        match self.relation {
            Relation::AtMost => at_most(store, &self.sum, 1),
            Relation::NotEqual => self.differ(store),
            // Value by value says all that bounds say.
            Relation::Equal if self.is_by_value(store) => self.pair_up(store),
            Relation::Equal if !self.is_divisible() => Err(Conflict),
            Relation::Equal => {
                for _ in 0..ROUNDS {
                    let before = self.extent(store);
                    at_most(store, &self.sum, 1)?;
                    at_most(store, &self.sum, -1)?;
                    if self.extent(store) == before {
                        break;
                    }
                }
                self.pair_up(store)
            }
        }
    }

    /// The bounds of all variables, in one number that gets smaller with each change.
    fn extent(&self, store: &Store) -> i128 {
        self.sum.terms.iter().map(|(_, v)| (store.high(*v) - store.low(*v)) as i128).sum()
    }

    fn differ(&self, store: &mut Store) -> Result<(), Conflict> {
        if let [(n @ (1 | -1), x), (m @ (1 | -1), y)] = self.sum.terms[..] {
            // All of these are below 2^61.
            let other =
                |factor: i64, value: i64, by: i64| -(factor * value + self.sum.constant) * by;
            return match (store.value(x), store.value(y)) {
                (Some(value), _) => store.remove(y, other(n, value, m)),
                (_, Some(value)) => store.remove(x, other(m, value, n)),
                _ => Ok(()),
            };
        }
        let (mut open, mut sum) = (None, self.sum.constant as i128);
        for (factor, var) in &self.sum.terms {
            match store.value(*var) {
                Some(value) => sum += *factor as i128 * value as i128,
                None if open.is_some() => return Ok(()),
                None => open = Some((*factor, *var)),
            }
        }
        match open {
            None if sum == 0 => Err(Conflict),
            Some((factor, var)) if sum % factor as i128 == 0 => {
                store.remove(var, clamped(-sum / factor as i128))
            }
            _ => Ok(()),
        }
    }

    fn is_by_value(&self, store: &Store) -> bool {
        let short = |var: Var| store.has_bits(var) && store.size(var) <= BY_VALUE;
        matches!(self.sum.terms[..], [(_, x), (_, y)] if short(x) && short(y))
    }

    /// Of two variables with short domains, value by value.
    fn pair_up(&self, store: &mut Store) -> Result<(), Conflict> {
        let [(n, x), (m, y)] = self.sum.terms[..] else { return Ok(()) };
        for ((a, from), (b, to)) in [((n, x), (m, y)), ((m, y), (n, x))] {
            if store.size(from) > BY_VALUE || !store.has_bits(from) {
                continue;
            }
            let mut next = store.next(from, i64::MIN);
            while let Some(value) = next {
                let partner = partner(a, value, self.sum.constant, b);
                if !partner.is_some_and(|v| store.contains(to, v)) {
                    store.remove(from, value)?;
                }
                next = store.next(from, value + 1);
            }
        }
        Ok(())
    }
}

/// The greatest number that divides both.
pub fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The `y` with `n * x + constant + m * y = 0`.
fn partner(n: i64, x: i64, constant: i64, m: i64) -> Option<i64> {
    if n.abs() == 1 && m.abs() == 1 {
        // All of these are below 2^61.
        return Some(-(n * x + constant) * m);
    }
    let rest = -(n as i128 * x as i128 + constant as i128);
    (rest % m as i128 == 0).then(|| clamped(rest / m as i128))
}

/// Narrows the bounds where `sign * sum <= 0`.
fn at_most(store: &mut Store, sum: &Linear, sign: i64) -> Result<(), Conflict> {
    if let Some(least) = small_least(store, sum, sign) {
        return small_at_most(store, sum, sign, least);
    }
    let (mut least, mut unbounded) = (sign as i128 * sum.constant as i128, 0);
    let least_of = |store: &Store, factor: i64, var: Var| {
        let bound = if factor > 0 { store.low(var) } else { store.high(var) };
        (bound.abs() < INFINITE).then(|| factor as i128 * bound as i128)
    };
    for (factor, var) in &sum.terms {
        match least_of(store, sign * factor, *var) {
            Some(n) => least += n,
            None => unbounded += 1,
        }
    }
    if unbounded > 1 {
        return Ok(());
    }
    if unbounded == 0 && least > 0 {
        return Err(Conflict);
    }
    for (factor, var) in &sum.terms {
        let factor = sign * factor;
        let own = least_of(store, factor, *var);
        let rest = match own {
            Some(own) if unbounded == 0 => least - own,
            None => least,
            Some(_) => continue,
        };
        // factor * var <= -rest
        let bound = (-rest).div_euclid(factor.abs() as i128);
        if factor > 0 {
            store.at_most(*var, clamped(bound))?;
        } else {
            store.at_least(*var, clamped(-bound))?;
        }
    }
    Ok(())
}

/// The least value of `sign * sum`, where all numbers in it are so small that machine words will do.
fn small_least(store: &Store, sum: &Linear, sign: i64) -> Option<i64> {
    const SMALL: u64 = 1 << 24;
    let is_small = |n: i64| n.unsigned_abs() < SMALL;
    let mut least = sign * Some(sum.constant).filter(|n| is_small(*n))?;
    if sum.terms.len() as u64 >= SMALL >> 12 {
        return None;
    }
    for (factor, var) in &sum.terms {
        let (low, high) = (store.low(*var), store.high(*var));
        if !is_small(low) || !is_small(high) || !is_small(*factor) {
            return None;
        }
        let factor = sign * factor;
        least += factor * if factor > 0 { low } else { high };
    }
    Some(least)
}

/// [`at_most`] in machine words.
fn small_at_most(store: &mut Store, sum: &Linear, sign: i64, least: i64) -> Result<(), Conflict> {
    if least > 0 {
        return Err(Conflict);
    }
    for (factor, var) in &sum.terms {
        let factor = sign * factor;
        let (low, high) = (store.low(*var), store.high(*var));
        // factor * (var - bound) <= -least
        let room = if factor.abs() == 1 { -least } else { -least / factor.abs() };
        if high - low <= room {
            continue;
        }
        if factor > 0 {
            store.at_most(*var, low + room)?;
        } else {
            store.at_least(*var, high - room)?;
        }
    }
    Ok(())
}
