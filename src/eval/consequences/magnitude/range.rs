//! Intervals of integers of any size, and what arithmetic makes of them.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// Most digits, in base 2, of a power that is computed: larger ones are as good as no bound.
const MOST_BITS: u64 = 1 << 16;

/// The integers between two ends; where there is none, to that side without end. It may be empty.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Range {
    pub low: Option<BigInt>,
    pub high: Option<BigInt>,
}

impl Range {
    pub fn only(n: BigInt) -> Range {
        Range { low: Some(n.clone()), high: Some(n) }
    }

    pub fn at_least(n: impl Into<BigInt>) -> Range {
        Range { low: Some(n.into()), high: None }
    }

    pub fn at_most(n: impl Into<BigInt>) -> Range {
        Range { low: None, high: Some(n.into()) }
    }

    pub fn is_empty(&self) -> bool {
        matches!((&self.low, &self.high), (Some(low), Some(high)) if low > high)
    }

    /// The only number in it.
    pub fn known(&self) -> Option<&BigInt> {
        match (&self.low, &self.high) {
            (Some(low), Some(high)) if low == high => Some(low),
            _ => None,
        }
    }

    pub fn is_natural(&self) -> bool {
        self.low.as_ref().is_some_and(|low| !low.is_negative())
    }

    /// Keeps what is in another one, too; whether anything was lost.
    pub fn narrow(&mut self, to: &Range) -> bool {
        let mut narrowed = false;
        if let Some(low) = &to.low
            && self.low.as_ref().is_none_or(|own| own < low)
        {
            self.low = Some(low.clone());
            narrowed = true;
        }
        if let Some(high) = &to.high
            && self.high.as_ref().is_none_or(|own| own > high)
        {
            self.high = Some(high.clone());
            narrowed = true;
        }
        narrowed
    }

    pub fn plus(&self, other: &Range) -> Range {
        let sum = |a: &Option<BigInt>, b: &Option<BigInt>| Some(a.as_ref()? + b.as_ref()?);
        Range { low: sum(&self.low, &other.low), high: sum(&self.high, &other.high) }
    }

    pub fn negated(&self) -> Range {
        let negated = |n: &Option<BigInt>| n.as_ref().map(|n| -n);
        Range { low: negated(&self.high), high: negated(&self.low) }
    }

    pub fn minus(&self, other: &Range) -> Range {
        self.plus(&other.negated())
    }

    pub fn times(&self, other: &Range) -> Range {
        let zero = Range::only(BigInt::zero());
        if *self == zero || *other == zero {
            return zero;
        }
        if let (Some(a), Some(b), Some(c), Some(d)) =
            (&self.low, &self.high, &other.low, &other.high)
        {
            let corners = [a * c, a * d, b * c, b * d];
            return Range {
                low: corners.iter().min().cloned(),
                high: corners.iter().max().cloned(),
            };
        }
        let product = |a: &Option<BigInt>, b: &Option<BigInt>| Some(a.as_ref()? * b.as_ref()?);
        let negative = |range: &Range| range.high.as_ref().is_some_and(|high| !high.is_positive());
        if self.is_natural() && other.is_natural() {
            Range { low: product(&self.low, &other.low), high: product(&self.high, &other.high) }
        } else if negative(self) {
            self.negated().times(other).negated()
        } else if negative(other) {
            self.times(&other.negated()).negated()
        } else {
            Range::default()
        }
    }

    /// What the other factor of a product in here may be, where this one is in `by`.
    pub fn over(&self, by: &Range) -> Range {
        if by.high.as_ref().is_some_and(BigInt::is_negative) {
            return self.negated().over(&by.negated());
        }
        let Some(least) = by.low.as_ref().filter(|low| low.is_positive()) else {
            return Range::default();
        };
        let high = self.high.as_ref().map(|high| match (high.is_negative(), &by.high) {
            (false, _) => high.div_floor(least),
            (true, Some(most)) => high.div_floor(most),
            (true, None) => BigInt::from(-1),
        });
        let low = self.low.as_ref().map(|low| match (low.is_positive(), &by.high) {
            (false, _) => low.div_ceil(least),
            (true, Some(most)) => low.div_ceil(most),
            (true, None) => BigInt::one(),
        });
        Range { low, high }
    }

    /// The quotients by a number that is not 0, rounded towards zero.
    pub fn quotients(&self, by: &BigInt) -> Range {
        let whole = |n: &Option<BigInt>| n.as_ref().map(|n| n / by);
        let (low, high) = (whole(&self.low), whole(&self.high));
        if by.is_negative() { Range { low: high, high: low } } else { Range { low, high } }
    }

    /// The numbers whose quotients by a number that is not 0 are in here.
    pub fn divided(&self, by: &BigInt) -> Range {
        if by.is_negative() {
            return self.negated().divided(&-by);
        }
        let rest = by - 1;
        let end = |n: &BigInt, away: bool| if away { n * by } else { n * by + &rest };
        let high = self.high.as_ref().map(|high| end(high, high.is_negative()));
        let low = self.low.as_ref().map(|low| -end(&-low, low.is_positive()));
        Range { low, high }
    }

    /// The powers with an exponent, at least 1.
    pub fn powers(&self, exponent: u32) -> Range {
        let power = |n: &Option<BigInt>| power(n.as_ref()?, exponent);
        if exponent % 2 == 1 {
            return Range { low: power(&self.low), high: power(&self.high) };
        }
        let size = self.sizes();
        Range { low: power(&size.low), high: power(&size.high) }
    }

    /// The distances from 0.
    fn sizes(&self) -> Range {
        if self.is_natural() {
            return self.clone();
        }
        let negated = self.negated();
        if negated.is_natural() {
            return negated;
        }
        let most = self.high.clone().zip(negated.high).map(|(a, b)| a.max(b));
        Range { low: Some(BigInt::zero()), high: most }
    }

    /// The numbers whose powers with an exponent, at least 1, are in here: `of` says what is known of them.
    pub fn roots(&self, exponent: u32, of: &Range) -> Range {
        if exponent % 2 == 1 {
            let low = self.low.as_ref().map(|low| -root(&-low, exponent));
            return Range { low, high: self.high.as_ref().map(|high| root(high, exponent)) };
        }
        let most = self.high.as_ref().filter(|high| !high.is_negative());
        let most = most.map(|high| root(high, exponent));
        let least = self.low.as_ref().filter(|low| low.is_positive());
        let least = least.map(|low| -root(&-low, exponent));
        if self.high.as_ref().is_some_and(BigInt::is_negative) {
            return Range { low: Some(BigInt::one()), high: Some(BigInt::zero()) };
        }
        if of.is_natural() {
            Range { low: least, high: most }
        } else if of.negated().is_natural() {
            Range { low: least, high: most }.negated()
        } else {
            Range { low: most.as_ref().map(|most| -most), high: most }
        }
    }

    /// The powers of a base that is at least 2, with natural exponents in here.
    pub fn exponents(&self, base: &BigInt) -> Range {
        let of = |n: &BigInt| power(base, u32::try_from(n).ok()?);
        let low = self.low.as_ref().and_then(of).unwrap_or_else(BigInt::one);
        Range { low: Some(low), high: self.high.as_ref().and_then(of) }
    }

    /// The natural exponents with which a base that is at least 2 gives what is in here.
    pub fn logarithms(&self, base: &BigInt) -> Range {
        let high = self.high.as_ref().map(|high| {
            let (mut exponent, mut power) = (BigInt::from(-1), BigInt::one());
            while power <= *high {
                power *= base;
                exponent += 1;
            }
            exponent
        });
        let low = self.low.as_ref().map(|low| {
            let (mut exponent, mut power) = (BigInt::zero(), BigInt::one());
            while power < *low {
                power *= base;
                exponent += 1;
            }
            exponent
        });
        Range { low, high }
    }

    /// The rests by a positive number, of natural numbers.
    pub fn rests(&self, by: &BigInt) -> Range {
        if let (Some(low), Some(high)) = (&self.low, &self.high)
            && low.div_floor(by) == high.div_floor(by)
        {
            return Range { low: Some(low.mod_floor(by)), high: Some(high.mod_floor(by)) };
        }
        let most: BigInt = by - 1;
        let high = self.high.as_ref().map_or(most.clone(), |high| high.clone().min(most));
        Range { low: Some(BigInt::zero()), high: Some(high) }
    }

    /// Moves the ends to numbers that have a rest by a positive number.
    pub fn with_rest(&self, rest: &BigInt, by: &BigInt) -> Range {
        let up = |low: &BigInt| low + (rest - low).mod_floor(by);
        let down = |high: &BigInt| high - (high - rest).mod_floor(by);
        Range { low: self.low.as_ref().map(up), high: self.high.as_ref().map(down) }
    }
}

/// A power, unless it is too large.
fn power(n: &BigInt, exponent: u32) -> Option<BigInt> {
    (n.bits().saturating_mul(exponent.into()) <= MOST_BITS).then(|| n.pow(exponent))
}

/// The greatest number whose power, with an exponent that is odd or for a number that is not negative, is no greater than
/// `n`: negative ones for negative `n`.
fn root(n: &BigInt, exponent: u32) -> BigInt {
    if !n.is_negative() {
        return n.nth_root(exponent);
    }
    // The least one whose power is at least as far from zero.
    let size = -n;
    let root = size.nth_root(exponent);
    if root.pow(exponent) == size { -root } else { -root - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Range> {
        let ends: Vec<Option<BigInt>> = (-4..=4).map(|n| Some(n.into())).chain([None]).collect();
        let pairs = ends.iter().flat_map(|low| ends.iter().map(|high| (low.clone(), high.clone())));
        pairs.map(|(low, high)| Range { low, high }).filter(|range| !range.is_empty()).collect()
    }

    fn has(range: &Range, n: i64) -> bool {
        let n = BigInt::from(n);
        range.low.as_ref().is_none_or(|low| *low <= n)
            && range.high.as_ref().is_none_or(|high| *high >= n)
    }

    /// Numbers of a range that is none too long to be walked.
    fn some(range: &Range) -> Vec<i64> {
        (-30..=30).filter(|n| has(range, *n)).collect()
    }

    #[test]
    fn what_can_be_is_in_the_range() {
        let all = all();
        for a in &all {
            for b in &all {
                let (sum, product, over) = (a.plus(b), a.times(b), a.over(b));
                for x in some(a).into_iter().filter(|x| x.abs() < 9) {
                    for y in some(b).into_iter().filter(|y| y.abs() < 9) {
                        assert!(has(&sum, x + y) && has(&product, x * y), "{a:?} {b:?} {x} {y}");
                        if y != 0 && x % y == 0 {
                            assert!(has(&over, x / y), "{a:?} {b:?} {x} {y}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn quotients_and_rests_forwards_and_backwards() {
        for a in all() {
            for by in [-3, -2, -1, 1, 2, 3] {
                let (forwards, backwards) = (a.quotients(&by.into()), a.divided(&by.into()));
                for x in -30..=30 {
                    assert!(!has(&a, x) || has(&forwards, x / by), "{a:?} {by} {x}");
                    // Exact: nothing is in there whose quotient is not.
                    assert_eq!(has(&a, x / by), has(&backwards, x), "{a:?} {by} {x}");
                }
            }
            for by in 1..4 {
                let rests = a.rests(&by.into());
                for x in (0..=30).filter(|x| has(&a, *x) && a.is_natural()) {
                    assert!(has(&rests, x % by), "{a:?} {by} {x}");
                    let moved = a.with_rest(&(x % by).into(), &by.into());
                    assert!(has(&moved, x), "{a:?} {by} {x}");
                }
            }
        }
    }

    #[test]
    fn powers_and_roots_forwards_and_backwards() {
        let all = all();
        for a in &all {
            for exponent in 1..4 {
                let powers = a.powers(exponent);
                for x in some(a).into_iter().filter(|x| x.abs() < 9) {
                    assert!(has(&powers, x.pow(exponent)), "{a:?} {exponent} {x}");
                }
                for of in &all {
                    let roots = a.roots(exponent, of);
                    for x in some(of).into_iter().filter(|x| has(a, x.pow(exponent))) {
                        assert!(has(&roots, x), "{a:?} {exponent} {of:?} {x}: {roots:?}");
                    }
                }
            }
            for base in 2..4i64 {
                let (powers, logarithms) = (a.exponents(&base.into()), a.logarithms(&base.into()));
                for x in 0..6u32 {
                    assert!(!has(a, x.into()) || has(&powers, base.pow(x)), "{a:?} {base} {x}");
                    assert!(!has(a, base.pow(x)) || has(&logarithms, x.into()), "{a:?} {base} {x}");
                }
            }
        }
    }
}
