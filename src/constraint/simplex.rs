//! The greatest value of a sum under linear inequalities, exactly: the simplex method.
//!
//! In the form of Chvátal's dictionaries (Linear Programming, 1983, chapters 2 and 3): what is basic is told by what is not.
//! Bland's rule keeps it from going in circles.

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, Signed, Zero};

/// A number of the method.
pub type Number = Ratio<i128>;

/// Most pivots before it gives up.
const MOST_PIVOTS: usize = 300;

/// Numbers became too large, or it took too long: nothing is known.
#[derive(Debug)]
pub struct GaveUp;

/// `factors * x <= bound`, for an `x` without negative parts.
pub struct Row {
    pub factors: Vec<i128>,
    pub bound: i128,
}

/// A linear function of what is not basic.
#[derive(Clone)]
struct Told {
    constant: Number,
    factors: Vec<Number>,
}

/// A system that has a solution, told from one of its corners: what is basic is `told`, all else is 0.
#[derive(Clone)]
pub struct Dictionary {
    /// Names: those of the system first, then one for what is left of the bound of each row.
    basic: Vec<usize>,
    others: Vec<usize>,
    told: Vec<Told>,
}

impl Dictionary {
    /// A corner of a system of `width` unknowns; `None` where it has no solution.
    pub fn new(rows: &[Row], width: usize) -> Result<Option<Dictionary>, GaveUp> {
        let told = |row: &Row| Told {
            constant: row.bound.into(),
            factors: row.factors.iter().map(|f| Number::from(-f)).collect(),
        };
        let mut dictionary = Dictionary {
            basic: (width..width + rows.len()).collect(),
            others: (0..width).collect(),
            told: rows.iter().map(told).collect(),
        };
        let is_feasible = dictionary.find_corner(width + rows.len())?;
        Ok(is_feasible.then_some(dictionary))
    }

    /// The greatest value of a sum of the system's unknowns; `None` where it has no bound.
    pub fn greatest(&self, factors: &[i128]) -> Result<Option<Number>, GaveUp> {
        let mut sum =
            Told { constant: Number::zero(), factors: vec![Number::zero(); self.others.len()] };
        for (name, factor) in factors.iter().enumerate().filter(|(_, factor)| **factor != 0) {
            let factor = Number::from(*factor);
            match self.others.iter().position(|other| *other == name) {
                Some(column) => sum.factors[column] = plus(sum.factors[column], factor)?,
                None => {
                    let row = self.basic.iter().position(|basic| *basic == name);
                    let told = &self.told[row.expect("each name is basic or is not")];
                    sum = sum.plus(factor, told)?;
                }
            }
        }
        self.clone().maximise(sum)
    }

    /// The first phase: as little as possible of something that each row may have beyond its bound.
    fn find_corner(&mut self, beyond: usize) -> Result<bool, GaveUp> {
        let lowest = (0..self.told.len()).min_by_key(|row| self.told[*row].constant);
        let Some(lowest) = lowest.filter(|row| self.told[*row].constant.is_negative()) else {
            return Ok(true);
        };
        let column = self.others.len();
        self.others.push(beyond);
        self.told.iter_mut().for_each(|told| told.factors.push(1.into()));
        self.pivot(lowest, column, None)?;
        let row = self.basic.iter().position(|basic| *basic == beyond).expect("it is basic now");
        let negated = Told { constant: Number::zero(), factors: vec![Number::zero(); column + 1] }
            .plus((-1).into(), &self.told[row])?;
        if self.maximise(negated)?.is_none_or(|most| most.is_negative()) {
            return Ok(false);
        }
        if let Some(row) = self.basic.iter().position(|basic| *basic == beyond) {
            // It is 0 there, and anything may take its place.
            match self.told[row].factors.iter().position(|f| !f.is_zero()) {
                Some(column) => self.pivot(row, column, None)?,
                None => {
                    self.basic.remove(row);
                    self.told.remove(row);
                    return Ok(true);
                }
            }
        }
        let column = self.others.iter().position(|o| *o == beyond).expect("it is not basic");
        self.others.remove(column);
        self.told.iter_mut().for_each(|told| {
            told.factors.remove(column);
        });
        Ok(true)
    }

    /// Goes from corner to corner as long as the sum grows.
    fn maximise(&mut self, mut sum: Told) -> Result<Option<Number>, GaveUp> {
        for _ in 0..MOST_PIVOTS {
            let growing =
                (0..self.others.len()).filter(|column| sum.factors[*column].is_positive());
            let Some(column) = growing.min_by_key(|column| self.others[*column]) else {
                return Ok(Some(sum.constant));
            };
            let mut least: Option<(Number, usize, usize)> = None;
            for (row, told) in self.told.iter().enumerate() {
                if told.factors[column].is_negative() {
                    let room = over(told.constant, -told.factors[column])?;
                    let own = (room, self.basic[row], row);
                    if least.is_none_or(|least| own < least) {
                        least = Some(own);
                    }
                }
            }
            let Some((.., row)) = least else { return Ok(None) };
            self.pivot(row, column, Some(&mut sum))?;
        }
        Err(GaveUp)
    }

    /// Has a basic one and another change their places, also in the sum.
    fn pivot(&mut self, row: usize, column: usize, sum: Option<&mut Told>) -> Result<(), GaveUp> {
        let factor = self.told[row].factors[column];
        let mut entering = Told {
            constant: over(-self.told[row].constant, factor)?,
            factors: Vec::with_capacity(self.others.len()),
        };
        for other in &self.told[row].factors {
            entering.factors.push(over(-*other, factor)?);
        }
        entering.factors[column] = over(1.into(), factor)?;
        for told in self.told.iter_mut().chain(sum) {
            let own = std::mem::replace(&mut told.factors[column], Number::zero());
            if !own.is_zero() {
                *told = told.plus(own, &entering)?;
            }
        }
        self.told[row] = entering;
        std::mem::swap(&mut self.basic[row], &mut self.others[column]);
        Ok(())
    }
}

impl Told {
    /// `self + factor * other`
    fn plus(&self, factor: Number, other: &Told) -> Result<Told, GaveUp> {
        let sum = |a: Number, b: Number| plus(a, times(factor, b)?);
        let factors = self.factors.iter().zip(&other.factors).map(|(a, b)| sum(*a, *b));
        Ok(Told {
            constant: sum(self.constant, other.constant)?,
            factors: factors.collect::<Result<_, _>>()?,
        })
    }
}

fn plus(a: Number, b: Number) -> Result<Number, GaveUp> {
    a.checked_add(&b).ok_or(GaveUp)
}

fn times(a: Number, b: Number) -> Result<Number, GaveUp> {
    a.checked_mul(&b).ok_or(GaveUp)
}

fn over(a: Number, b: Number) -> Result<Number, GaveUp> {
    a.checked_div(&b).ok_or(GaveUp)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All corners by brute force: each choice of as many rows (or axes) as there are unknowns, two of them.
    fn corners(rows: &[Row]) -> Vec<(Number, Number)> {
        let mut lines: Vec<[Number; 3]> = rows
            .iter()
            .map(|r| [r.factors[0].into(), r.factors[1].into(), r.bound.into()])
            .collect();
        let (zero, one) = (Number::zero(), Number::from(1));
        lines.extend([[one, zero, zero], [zero, one, zero]]);
        let mut found = Vec::new();
        for (i, [a, b, e]) in lines.iter().enumerate() {
            for [c, d, f] in &lines[..i] {
                let det = a * d - b * c;
                if det.is_zero() {
                    continue;
                }
                let (x, y) = ((e * d - b * f) / det, (a * f - e * c) / det);
                let holds = |r: &Row| {
                    Number::from(r.factors[0]) * x + Number::from(r.factors[1]) * y
                        <= r.bound.into()
                };
                if !x.is_negative() && !y.is_negative() && rows.iter().all(holds) {
                    found.push((x, y));
                }
            }
        }
        found
    }

    #[test]
    fn the_greatest_value_is_that_of_a_corner() {
        let mut seed = 7u64;
        let mut next = |most: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((seed >> 33) % (2 * most + 1)) as i128 - most as i128
        };
        let (mut feasible, mut bounded) = (0, 0);
        for _ in 0..2000 {
            let rows: Vec<Row> = (0..3)
                .map(|_| Row { factors: vec![next(3), next(3)], bound: next(8) })
                .filter(|row| row.factors.iter().any(|f| *f != 0) || row.bound >= 0)
                .collect();
            let goal = [next(3), next(3)];
            let found = corners(&rows);
            let dictionary = Dictionary::new(&rows, 2).expect("small numbers");
            // A system without negative unknowns has a corner, if it has anything.
            assert_eq!(dictionary.is_some(), !found.is_empty());
            let Some(dictionary) = dictionary else { continue };
            feasible += 1;
            let value = |(x, y): &(Number, Number)| x * goal[0] + y * goal[1];
            let most = dictionary.greatest(&goal).expect("small numbers");
            if let Some(most) = most {
                bounded += 1;
                assert_eq!(Some(most), found.iter().map(value).max());
            } else {
                // In a box it has a bound, which grows with the box.
                let boxed = |side: i128| {
                    let wall = |factors: Vec<i128>| Row { factors, bound: side };
                    let own =
                        rows.iter().map(|r| Row { factors: r.factors.clone(), bound: r.bound });
                    let all: Vec<Row> = own.chain([wall(vec![1, 0]), wall(vec![0, 1])]).collect();
                    corners(&all).iter().map(value).max()
                };
                assert!(boxed(1000) < boxed(2000));
            }
        }
        assert!(feasible > 300 && bounded > 100, "{feasible} {bounded}");
    }
}
