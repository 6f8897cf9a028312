//! The greatest value of a sum under linear inequalities, exactly: the simplex method.
//!
//! In the form of Chvátal's dictionaries (Linear Programming, 1983, chapters 2 and 3): what is basic is told by what is not.
//! Bland's rule keeps it from going in circles.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Signed, Zero};

/// A number of the method.
pub type Number = Ratio<BigInt>;

/// Most pivots before it gives up.
const MOST_PIVOTS: usize = 300;

/// It took too long: nothing is known.
#[derive(Debug)]
pub struct GaveUp;

/// `factors * x <= bound`, for an `x` without negative parts.
pub struct Row {
    pub factors: Vec<BigInt>,
    pub bound: BigInt,
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
            constant: row.bound.clone().into(),
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
    pub fn greatest(&self, factors: &[BigInt]) -> Result<Option<Number>, GaveUp> {
        let mut sum =
            Told { constant: Number::zero(), factors: vec![Number::zero(); self.others.len()] };
        for (name, factor) in factors.iter().enumerate().filter(|(_, factor)| !factor.is_zero()) {
            let factor = Number::from(factor.clone());
            match self.others.iter().position(|other| *other == name) {
                Some(column) => sum.factors[column] += factor,
                None => {
                    let row = self.basic.iter().position(|basic| *basic == name);
                    sum.add(&factor, &self.told[row.expect("each name is basic or is not")]);
                }
            }
        }
        self.clone().maximise(sum)
    }

    /// The first phase: as little as possible of something that each row may have beyond its bound.
    fn find_corner(&mut self, beyond: usize) -> Result<bool, GaveUp> {
        let lowest = self.told.iter().enumerate().min_by_key(|(_, told)| &told.constant);
        let Some((lowest, _)) = lowest.filter(|(_, told)| told.constant.is_negative()) else {
            return Ok(true);
        };
        let column = self.others.len();
        self.others.push(beyond);
        self.told.iter_mut().for_each(|told| told.factors.push(Number::one()));
        self.pivot(lowest, column, None);
        let row = self.basic.iter().position(|basic| *basic == beyond).expect("it is basic now");
        let mut negated =
            Told { constant: Number::zero(), factors: vec![Number::zero(); column + 1] };
        negated.add(&-Number::one(), &self.told[row]);
        if self.maximise(negated)?.is_none_or(|most| most.is_negative()) {
            return Ok(false);
        }
        if let Some(row) = self.basic.iter().position(|basic| *basic == beyond) {
            // It is 0 there, and anything may take its place.
            match self.told[row].factors.iter().position(|f| !f.is_zero()) {
                Some(column) => self.pivot(row, column, None),
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
                    let room = -&told.constant / &told.factors[column];
                    let own = (room, self.basic[row], row);
                    if least.as_ref().is_none_or(|least| own < *least) {
                        least = Some(own);
                    }
                }
            }
            let Some((.., row)) = least else { return Ok(None) };
            self.pivot(row, column, Some(&mut sum));
        }
        Err(GaveUp)
    }

    /// Has a basic one and another change their places, also in the sum.
    fn pivot(&mut self, row: usize, column: usize, sum: Option<&mut Told>) {
        let told = &self.told[row];
        let factor = &told.factors[column];
        let mut entering = Told {
            constant: -&told.constant / factor,
            factors: told.factors.iter().map(|other| -other / factor).collect(),
        };
        entering.factors[column] = factor.recip();
        for told in self.told.iter_mut().chain(sum) {
            let own = std::mem::replace(&mut told.factors[column], Number::zero());
            told.add(&own, &entering);
        }
        self.told[row] = entering;
        std::mem::swap(&mut self.basic[row], &mut self.others[column]);
    }
}

impl Told {
    /// Adds another one with a factor.
    fn add(&mut self, factor: &Number, other: &Told) {
        if factor.is_zero() {
            return;
        }
        let own = self.factors.iter_mut().chain([&mut self.constant]);
        for (sum, more) in own.zip(other.factors.iter().chain([&other.constant])) {
            if !more.is_zero() {
                *sum += factor * more;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All corners by brute force: each choice of as many rows (or axes) as there are unknowns, two of them.
    fn corners(rows: &[Row]) -> Vec<(Number, Number)> {
        let mut lines: Vec<[Number; 3]> = rows
            .iter()
            .map(|r| [&r.factors[0], &r.factors[1], &r.bound].map(|n| n.clone().into()))
            .collect();
        let (zero, one) = (Number::zero, Number::one);
        lines.extend([[one(), zero(), zero()], [zero(), one(), zero()]]);
        let mut found = Vec::new();
        for (i, [a, b, e]) in lines.iter().enumerate() {
            for [c, d, f] in &lines[..i] {
                let det = a * d - b * c;
                if det.is_zero() {
                    continue;
                }
                let (x, y) = ((e * d - b * f) / &det, (a * f - e * c) / &det);
                let holds = |r: &Row| {
                    let number = |n: &BigInt| Number::from(n.clone());
                    number(&r.factors[0]) * &x + number(&r.factors[1]) * &y <= number(&r.bound)
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
            BigInt::from((seed >> 33) % (2 * most + 1)) - most
        };
        let (mut feasible, mut bounded) = (0, 0);
        for _ in 0..2000 {
            let rows: Vec<Row> = (0..3)
                .map(|_| Row { factors: vec![next(3), next(3)], bound: next(8) })
                .filter(|row| row.factors.iter().any(|f| !f.is_zero()) || !row.bound.is_negative())
                .collect();
            let goal = [next(3), next(3)];
            let found = corners(&rows);
            let dictionary = Dictionary::new(&rows, 2).expect("few pivots");
            // A system without negative unknowns has a corner, if it has anything.
            assert_eq!(dictionary.is_some(), !found.is_empty());
            let Some(dictionary) = dictionary else { continue };
            feasible += 1;
            let value = |(x, y): &(Number, Number)| x * &goal[0] + y * &goal[1];
            let most = dictionary.greatest(&goal).expect("few pivots");
            if let Some(most) = most {
                bounded += 1;
                assert_eq!(Some(most), found.iter().map(value).max());
            } else {
                // In a box it has a bound, which grows with the box.
                let boxed = |side: i32| {
                    let wall = |factors: [i32; 2]| Row {
                        factors: factors.map(BigInt::from).to_vec(),
                        bound: side.into(),
                    };
                    let own = rows
                        .iter()
                        .map(|r| Row { factors: r.factors.clone(), bound: r.bound.clone() });
                    let all: Vec<Row> = own.chain([wall([1, 0]), wall([0, 1])]).collect();
                    corners(&all).iter().map(value).max()
                };
                assert!(boxed(1000) < boxed(2000));
            }
        }
        assert!(feasible > 300 && bounded > 100, "{feasible} {bounded}");
    }
}
