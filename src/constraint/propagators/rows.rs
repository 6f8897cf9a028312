//! Sums over the same few variables, packed: their factors stand row by row, so that many of them are gone through
//! without looking for each in memory.

use super::super::store::{Store, Var};
use super::linear::{Relation, Sum};

/// Most variables.
const COLUMNS: usize = 16;

/// Fewest sums that are packed: a few are found as fast one by one.
const FEWEST: usize = 8;

/// Equations, or inequations, over the same variables.
pub struct Rows {
    vars: Box<[Var]>,
    /// As many for each sum as there are variables.
    factors: Box<[i16]>,
    constants: Box<[i32]>,
    equal: bool,
}

/// The bounds of the variables at the moment.
pub struct Bounds {
    low: [i64; COLUMNS],
    high: [i64; COLUMNS],
}

impl Rows {
    /// The sums in their order, if they are alike and their numbers small.
    pub fn of(sums: &[Sum]) -> Option<Rows> {
        let relation = sums.first()?.relation;
        if sums.len() < FEWEST || relation == Relation::NotEqual {
            return None;
        }
        let mut vars: Vec<Var> = Vec::new();
        for (_, var) in sums.iter().flat_map(|sum| &sum.sum.terms) {
            if !vars.contains(var) {
                vars.push(*var);
            }
            if vars.len() > COLUMNS {
                return None;
            }
        }
        let mut factors = vec![0; sums.len() * vars.len()];
        let mut constants = Vec::with_capacity(sums.len());
        for (sum, row) in sums.iter().zip(factors.chunks_mut(vars.len().max(1))) {
            if sum.relation != relation {
                return None;
            }
            constants.push(i32::try_from(sum.sum.constant).ok()?);
            for (factor, var) in &sum.sum.terms {
                let at = vars.iter().position(|known| known == var)?;
                row[at] = i16::try_from(*factor).ok().filter(|_| row[at] == 0)?;
            }
        }
        let equal = relation == Relation::Equal;
        (!vars.is_empty()).then(|| Rows {
            vars: vars.into(),
            factors: factors.into(),
            constants: constants.into(),
            equal,
        })
    }

    /// The bounds of the variables, where they are small enough for sums not to overflow.
    pub fn bounds(&self, store: &Store) -> Option<Bounds> {
        let mut bounds = Bounds { low: [0; COLUMNS], high: [0; COLUMNS] };
        for (i, var) in self.vars.iter().enumerate() {
            let (low, high) = (store.low(*var), store.high(*var));
            if low.unsigned_abs().max(high.unsigned_abs()) >= 1 << 40 {
                return None;
            }
            (bounds.low[i], bounds.high[i]) = (low, high);
        }
        Some(bounds)
    }

    /// Whether the bounds leave a sum no value for which it holds.
    pub fn is_refuted(&self, i: usize, bounds: &Bounds) -> bool {
        let (low, high) = self.extent(i, bounds);
        low > 0 || self.equal && high < 0
    }

    /// The least and the greatest value that the bounds leave a sum.
    pub fn extent(&self, i: usize, bounds: &Bounds) -> (i64, i64) {
        let n = self.vars.len();
        let row = &self.factors[i * n..(i + 1) * n];
        let constant = i64::from(self.constants[i]);
        let (mut low, mut high) = (constant, constant);
        for ((factor, a), b) in row.iter().zip(&bounds.low).zip(&bounds.high) {
            let factor = i64::from(*factor);
            let (a, b) = (factor * a, factor * b);
            low += a.min(b);
            high += a.max(b);
        }
        (low, high)
    }
}
