//! Several remainders of one number.

use super::super::engine::Propagator;
use super::super::literal::clamped;
use super::super::store::{Conflict, Event, INFINITE, Store, Var};

/// `rest = of mod by` for each of these, of one natural number: what the known rests say together, by the Chinese
/// remainder theorem, the bounds of the number fit.
pub struct Congruences {
    pub of: Var,
    /// The divisors, which are positive, with their rests.
    pub rests: Box<[(i64, Var)]>,
}

impl Propagator for Congruences {
    fn watched(&self) -> Vec<(Var, Event)> {
        let rests = self.rests.iter().map(|(_, rest)| (*rest, Event::Fixed));
        rests.chain([(self.of, Event::Bounds)]).collect()
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        let mut all = Class { rest: 0, by: 1 };
        for (by, rest) in &self.rests {
            if let Some(rest) = store.value(*rest) {
                // What is left out of the meeting is looked at when the others are known.
                match all.meet(Class { rest: rest.into(), by: (*by).into() })? {
                    Some(both) => all = both,
                    None => continue,
                }
            }
        }
        let (low, high) = (store.low(self.of), store.high(self.of));
        if all.by == 1 || low <= -INFINITE {
            return Ok(());
        }
        let first = i128::from(low) + (all.rest - i128::from(low)).rem_euclid(all.by);
        if first >= INFINITE.into() {
            return if high < INFINITE { Err(Conflict) } else { Ok(()) };
        }
        store.at_least(self.of, clamped(first))?;
        if high < INFINITE {
            let last = i128::from(high) - (i128::from(high) - all.rest).rem_euclid(all.by);
            store.at_most(self.of, clamped(last))?;
        }
        Ok(())
    }
}

/// The numbers that have this rest.
#[derive(Clone, Copy)]
struct Class {
    rest: i128,
    by: i128,
}

impl Class {
    /// Those that are in both; `None` where the divisor becomes too large.
    fn meet(self, other: Class) -> Result<Option<Class>, Conflict> {
        let (common, inverse) = extended(self.by, other.by);
        let apart = other.rest - self.rest;
        if apart % common != 0 {
            return Err(Conflict);
        }
        let step = other.by / common;
        let by = self.by * step;
        if by >= INFINITE.into() {
            return Ok(None);
        }
        let times = (apart / common % step * (inverse % step)).rem_euclid(step);
        Ok(Some(Class { rest: (self.rest + self.by * times).rem_euclid(by), by }))
    }
}

/// The greatest common divisor, and a number by which the first must be multiplied to leave it as the rest of a
/// division by the second.
fn extended(a: i128, b: i128) -> (i128, i128) {
    let (mut r, mut next) = ((a, 1), (b, 0));
    while next.0 != 0 {
        let times = r.0 / next.0;
        (r, next) = (next, (r.0 - times * next.0, r.1 - times * next.1));
    }
    r
}

#[cfg(test)]
mod tests {
    use super::Class;

    #[test]
    fn classes_meet_in_the_numbers_that_are_in_both() {
        for (a, b) in [(4, 6), (6, 4), (5, 7), (1, 9), (12, 18), (8, 8)] {
            for (r, s) in (0..a).flat_map(|r| (0..b).map(move |s| (r, s))) {
                let both: Vec<i128> = (0..2 * a * b).filter(|n| n % a == r && n % b == s).collect();
                match (Class { rest: r, by: a }).meet(Class { rest: s, by: b }) {
                    Err(_) => assert!(both.is_empty()),
                    Ok(met) => {
                        let met = met.expect("the divisors are small");
                        assert_eq!((met.rest, met.rest + met.by), (both[0], both[1]));
                    }
                }
            }
        }
    }
}
