//! What linear constraints say together: `x < y & 2 * y < x & x > 0` has no solution, though of each two of them bounds
//! only push each other on; `x + y : 4..10 & x - y : 4..10` bounds both.
//!
//! Numbers without bounds, and such with so many values that bounds would creep through them, are looked at as rational ones:
//! where the inequalities that hold whatever is decided have no solution there is none, and the greatest and least
//! value of a number are its bounds.

use super::simplex::{Dictionary, GaveUp, Row};
use crate::constraint::claim::Poster;
use crate::constraint::literal::Linear;
use crate::constraint::propagators::linear::Relation;
use crate::constraint::store::{Conflict, INFINITE, Store, Var};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use std::collections::BTreeSet;

/// Fewest values through which bounds would creep for too long.
const MANY_VALUES: u64 = 10_000;

/// Most inequalities, and variables in them.
const MOST_SUMS: usize = 32;
const MOST_VARIABLES: usize = 12;

/// A variable as what is not negative: `shift + sign * p`, or, without bounds, `p - q`.
struct Column {
    var: Var,
    first: usize,
    shift: BigInt,
    sign: i32,
    is_free: bool,
}

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
        let columns = columns(store, all);
        match narrow(store, &columns, &sums) {
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

fn columns(store: &Store, all: BTreeSet<Var>) -> Vec<Column> {
    let mut first = 0;
    let column = |var: Var| {
        let (low, high) = (store.low(var), store.high(var));
        let (shift, sign, is_free) = match (low > -INFINITE, high < INFINITE) {
            (true, _) => (low, 1, false),
            (false, true) => (high, -1, false),
            (false, false) => (0, 1, true),
        };
        let own = first;
        first += if is_free { 2 } else { 1 };
        Column { var, first: own, shift: shift.into(), sign, is_free }
    };
    all.into_iter().map(column).collect()
}

/// Whether some bound is a new one.
fn narrow(
    store: &mut Store,
    columns: &[Column],
    sums: &[(Relation, Linear)],
) -> Result<bool, Ended> {
    let width = columns.iter().map(|c| if c.is_free { 2 } else { 1 }).sum();
    let mut rows = Vec::new();
    for (relation, sum) in sums {
        rows.push(row(columns, sum, 1, width));
        if *relation == Relation::Equal {
            rows.push(row(columns, sum, -1, width));
        }
    }
    for column in columns {
        let (low, high) = (store.low(column.var), store.high(column.var));
        if store.is_bounded(column.var) {
            let mut factors = vec![BigInt::zero(); width];
            factors[column.first] = BigInt::one();
            rows.push(Row { factors, bound: BigInt::from(high) - low });
        }
    }
    let dictionary = Dictionary::new(&rows, width)?.ok_or(Conflict)?;
    let mut narrowed = false;
    for column in columns {
        if !is_wide(store, column.var) {
            continue;
        }
        let mut factors = vec![BigInt::zero(); width];
        factors[column.first] = BigInt::one();
        if column.is_free {
            factors[column.first + 1] = -BigInt::one();
        }
        // What has bounds may get closer ones, and what is free any, on both sides; everything else on one.
        let is_two_sided = column.is_free || store.is_bounded(column.var);
        let open = if is_two_sided { &[1, -1][..] } else { &[column.sign][..] };
        for sign in open {
            let factor = if is_two_sided { *sign } else { 1 };
            let side: Vec<BigInt> = factors.iter().map(|f| f * factor).collect();
            let Some(most) = dictionary.greatest(&side)? else { continue };
            let bound = &column.shift + most.floor().to_integer() * *sign;
            let Some(bound) = bound.to_i64().filter(|bound| bound.abs() < INFINITE) else {
                continue;
            };
            if *sign > 0 {
                narrowed |= bound < store.high(column.var);
                store.at_most(column.var, bound)?;
            } else {
                narrowed |= bound > store.low(column.var);
                store.at_least(column.var, bound)?;
            }
        }
    }
    Ok(narrowed)
}

/// `sign * sum <= 0`
fn row(columns: &[Column], sum: &Linear, sign: i32, width: usize) -> Row {
    let mut factors = vec![BigInt::zero(); width];
    let mut bound = BigInt::from(sum.constant) * -sign;
    for (factor, var) in &sum.terms {
        let factor = BigInt::from(*factor) * sign;
        let column = columns.iter().find(|c| c.var == *var).expect("all variables have one");
        bound -= &factor * &column.shift;
        factors[column.first] = &factor * column.sign;
        if column.is_free {
            factors[column.first + 1] = -factor;
        }
    }
    Row { factors, bound }
}
