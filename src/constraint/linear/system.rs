//! Sums of numbers that are 0, or at most that, as the simplex method takes them: each number as what is not negative.

use super::simplex::{Dictionary, GaveUp, Row};
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// What bounds a number, below and above.
pub type Bounds = (Option<BigInt>, Option<BigInt>);

/// Factors of numbers, which are told by their places, and a constant.
#[derive(Default)]
pub struct Sum {
    pub factors: Vec<(usize, BigInt)>,
    pub constant: BigInt,
}

/// Whether a sum is 0, or at most that.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Is {
    Zero,
    AtMostZero,
}

/// Numbers within their bounds for which all sums are what is said of them.
pub struct System {
    columns: Vec<Column>,
    width: usize,
    dictionary: Dictionary,
}

/// A number as what is not negative: `shift + sign * p`, or, without bounds, `p - q`.
struct Column {
    first: usize,
    shift: BigInt,
    sign: i32,
    is_free: bool,
}

impl System {
    /// `None` where it has no solution.
    ///
    /// # Errors
    /// It took too long.
    pub fn of(numbers: &[Bounds], sums: &[(Is, Sum)]) -> Result<Option<System>, GaveUp> {
        let mut width = 0;
        let column = |(low, high): &Bounds| {
            let (shift, sign, is_free) = match (low, high) {
                (Some(low), _) => (low.clone(), 1, false),
                (None, Some(high)) => (high.clone(), -1, false),
                (None, None) => (BigInt::zero(), 1, true),
            };
            let first = width;
            width += if is_free { 2 } else { 1 };
            Column { first, shift, sign, is_free }
        };
        let columns: Vec<Column> = numbers.iter().map(column).collect();
        let mut rows = Vec::new();
        for (is, sum) in sums {
            rows.push(row(&columns, sum, 1, width));
            if *is == Is::Zero {
                rows.push(row(&columns, sum, -1, width));
            }
        }
        for (column, bounds) in columns.iter().zip(numbers) {
            if let (Some(low), Some(high)) = bounds {
                let mut factors = vec![BigInt::zero(); width];
                factors[column.first] = BigInt::one();
                rows.push(Row { factors, bound: high - low });
            }
        }
        let dictionary = Dictionary::new(&rows, width)?;
        Ok(dictionary.map(|dictionary| System { columns, width, dictionary }))
    }

    /// What a number is at most (`sign` is 1), or at least (-1), as a whole number; `None` where nothing bounds it there.
    ///
    /// # Errors
    /// It took too long.
    pub fn bound(&self, number: usize, sign: i32) -> Result<Option<BigInt>, GaveUp> {
        let column = &self.columns[number];
        let mut factors = vec![BigInt::zero(); self.width];
        factors[column.first] = (sign * column.sign).into();
        if column.is_free {
            factors[column.first + 1] = (-sign * column.sign).into();
        }
        let most = self.dictionary.greatest(&factors)?;
        Ok(most.map(|most| &column.shift + most.floor().to_integer() * sign))
    }
}

/// `sign * sum <= 0`
fn row(columns: &[Column], sum: &Sum, sign: i32, width: usize) -> Row {
    let mut factors = vec![BigInt::zero(); width];
    let mut bound = -sign * &sum.constant;
    for (number, factor) in &sum.factors {
        let (column, factor) = (&columns[*number], sign * factor);
        bound -= &factor * &column.shift;
        factors[column.first] = &factor * column.sign;
        if column.is_free {
            factors[column.first + 1] = -factor;
        }
    }
    Row { factors, bound }
}
