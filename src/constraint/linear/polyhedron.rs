//! What linear constraints say together: `x < y & 2 * y < x & x > 0` has no solution, though of each two of them bounds
//! only push each other on; `x + y : 4..10 & x - y : 4..10` bounds both.
//!
//! Numbers without bounds, and such with so many values that bounds would creep through them, are looked at as rational ones:
//! where the inequalities that hold whatever is decided have no solution there is none, and the greatest and least
//! value of a number are its bounds.

use super::simplex::GaveUp;
use super::system::{Bounds, Is, Sum, System};
use crate::constraint::claim::Poster;
use crate::constraint::literal::Linear;
use crate::constraint::propagators::linear::Relation;
use crate::constraint::store::{Conflict, INFINITE, Store, Var};
use num_traits::ToPrimitive;
use std::collections::BTreeSet;

/// Fewest values through which bounds would creep for too long.
const MANY_VALUES: u64 = 10_000;

/// Most inequalities, and variables in them.
const MOST_SUMS: usize = 32;
const MOST_VARIABLES: usize = 12;

impl Poster {
    /// Notes a sum that is 0, or at most that, whatever is decided.
    pub(in crate::constraint) fn note_sum(&mut self, relation: Relation, sum: &Linear) {
        if relation != Relation::NotEqual && self.is_wide(sum) {
            self.wide.push((relation, sum.clone()));
        }
    }

    /// Notes what a number is at least, for [`Poster::bound_together`] only: a sum, with a constant.
    pub(in crate::constraint) fn note_least(
        &mut self,
        number: Var,
        terms: &[(i64, Var)],
        constant: i64,
    ) {
        let mut sum = Linear::constant(constant).plus(-1, &Linear::var(number));
        for (factor, var) in terms {
            sum = sum.and_then(|sum| sum.plus(*factor, &Linear::var(*var)));
        }
        if let Some(sum) = sum {
            self.note_sum(Relation::AtMost, &sum);
        }
    }

    /// The same of a quotient by a positive number, which is rounded towards zero.
    pub(in crate::constraint) fn note_quotient(
        &mut self,
        quotient: Var,
        of: Var,
        by: i64,
        is_natural: bool,
    ) {
        let wholes = Linear::default().plus(by, &Linear::var(quotient));
        let rest = wholes.and_then(|wholes| Linear::var(of).plus(-1, &wholes));
        let lowest = if is_natural { 0 } else { by - 1 };
        for (sign, most) in [(1, by - 1), (-1, lowest)] {
            let sum = rest.as_ref().and_then(|rest| Linear::constant(-most).plus(sign, rest));
            if let Some(sum) = sum {
                self.note_sum(Relation::AtMost, &sum);
            }
        }
    }

    fn is_wide(&self, sum: &Linear) -> bool {
        sum.terms.iter().any(|(_, var)| is_wide(&self.engine.store, *var))
    }

    /// Draws from the sums what they say together; whether that is anything.
    pub(in crate::constraint) fn bound_together(&mut self) -> bool {
        let sums = std::mem::take(&mut self.wide);
        let sums: Vec<_> = sums.into_iter().filter(|(_, sum)| self.is_wide(sum)).collect();
        let all: BTreeSet<Var> =
            sums.iter().flat_map(|(_, sum)| sum.terms.iter().map(|(_, var)| *var)).collect();
        // A single one says by its bounds all that it has to say.
        if sums.len() < 2 || sums.len() > MOST_SUMS || all.len() > MOST_VARIABLES {
            return false;
        }
        let store = &mut self.engine.store;
        match narrow(store, all, &sums) {
            Ok(narrowed) => narrowed,
            Err(Ended::Unknown) => false,
            Err(Ended::NoSolution) => {
                self.failed = true;
                true
            }
        }
    }
}

/// Whether bounds would creep through the values of a variable for too long.
fn is_wide(store: &Store, var: Var) -> bool {
    !store.is_bounded(var) || store.size(var) > MANY_VALUES
}

/// Why nothing was narrowed.
enum Ended {
    Unknown,
    NoSolution,
}

impl From<GaveUp> for Ended {
    fn from(_: GaveUp) -> Ended {
        Ended::Unknown
    }
}

impl From<Conflict> for Ended {
    fn from(_: Conflict) -> Ended {
        Ended::NoSolution
    }
}

/// Whether some bound is a new one.
fn narrow(
    store: &mut Store,
    all: BTreeSet<Var>,
    sums: &[(Relation, Linear)],
) -> Result<bool, Ended> {
    let all: Vec<Var> = all.into_iter().collect();
    let place = |var: &Var| all.binary_search(var).expect("all variables are there");
    let sum = |(relation, sum): &(Relation, Linear)| {
        let is = if *relation == Relation::Equal { Is::Zero } else { Is::AtMostZero };
        let factors = sum.terms.iter().map(|(factor, var)| (place(var), (*factor).into()));
        (is, Sum { factors: factors.collect(), constant: sum.constant.into() })
    };
    let bounds = |var: &Var| {
        let (low, high) = (store.low(*var), store.high(*var));
        ((low > -INFINITE).then(|| low.into()), (high < INFINITE).then(|| high.into()))
    };
    let bounds: Vec<Bounds> = all.iter().map(bounds).collect();
    let sums: Vec<(Is, Sum)> = sums.iter().map(sum).collect();
    let system = System::of(&bounds, &sums)?.ok_or(Conflict)?;
    let mut narrowed = false;
    for (number, var) in all.iter().enumerate() {
        if !is_wide(store, *var) {
            continue;
        }
        // What has bounds may get closer ones, and what is free any, on both sides; everything else on one.
        let open = match &bounds[number] {
            _ if store.is_bounded(*var) => &[1, -1][..],
            (None, None) => &[1, -1],
            (Some(_), _) => &[1],
            (None, Some(_)) => &[-1],
        };
        for sign in open {
            let Some(bound) = system.bound(number, *sign)? else { continue };
            let Some(bound) = bound.to_i64().filter(|bound| bound.abs() < INFINITE) else {
                continue;
            };
            if *sign > 0 {
                narrowed |= bound < store.high(*var);
                store.at_most(*var, bound)?;
            } else {
                narrowed |= bound > store.low(*var);
                store.at_least(*var, bound)?;
            }
        }
    }
    Ok(narrowed)
}
