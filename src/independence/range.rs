//! Sets of integers as unions of intervals. Members of an enumerated set and booleans count as their
//! numbers.

use std::fmt;

/// Bounds that no integer of a machine reaches stand for the infinities.
const LOW: i128 = i128::MIN / 4;
const HIGH: i128 = i128::MAX / 4;

/// A union of intervals: increasing, not empty, with a gap between any two.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range(Vec<(i128, i128)>);

impl Range {
    pub fn empty() -> Range {
        Range(Vec::new())
    }

    pub fn all() -> Range {
        Range(vec![(LOW, HIGH)])
    }

    pub fn from_to(low: i128, high: i128) -> Range {
        Range::of(vec![(low, high)])
    }

    pub fn at_least(low: i128) -> Range {
        Range::from_to(low, HIGH)
    }

    pub fn at_most(high: i128) -> Range {
        Range::from_to(LOW, high)
    }

    pub fn one(n: i128) -> Range {
        Range::from_to(n, n)
    }

    pub fn of_all(numbers: impl Iterator<Item = i128>) -> Range {
        Range::of(numbers.map(|n| (n, n)).collect())
    }

    fn of(mut parts: Vec<(i128, i128)>) -> Range {
        parts.retain(|(low, high)| low <= high);
        parts.sort_unstable();
        let mut merged: Vec<(i128, i128)> = Vec::new();
        for (low, high) in parts {
            match merged.last_mut() {
                Some(last) if low <= last.1 + 1 => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        Range(merged)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn union(&self, other: &Range) -> Range {
        Range::of(self.0.iter().chain(&other.0).copied().collect())
    }

    pub fn meet(&self, other: &Range) -> Range {
        let pairs = self.0.iter().flat_map(|a| other.0.iter().map(move |b| (a, b)));
        Range::of(pairs.map(|(a, b)| (a.0.max(b.0), a.1.min(b.1))).collect())
    }

    /// Whether they have no member in common.
    pub fn is_apart_from(&self, other: &Range) -> bool {
        self.0.iter().all(|a| other.0.iter().all(|b| a.1 < b.0 || b.1 < a.0))
    }

    pub fn complement(&self) -> Range {
        let mut parts = Vec::new();
        let mut next = LOW;
        for (low, high) in &self.0 {
            parts.push((next, low - 1));
            next = high + 1;
        }
        parts.push((next, HIGH));
        Range::of(parts)
    }

    pub fn without(&self, other: &Range) -> Range {
        self.meet(&other.complement())
    }

    /// Each member with `n` added.
    pub fn shifted(&self, n: i128) -> Range {
        let shift = |at: i128| match at {
            LOW | HIGH => at,
            at => (at + n).clamp(LOW, HIGH),
        };
        Range::of(self.0.iter().map(|(low, high)| (shift(*low), shift(*high))).collect())
    }

    /// The least interval around it.
    pub fn hull(&self) -> Range {
        match (self.0.first(), self.0.last()) {
            (Some(first), Some(last)) => Range(vec![(first.0, last.1)]),
            _ => Range::empty(),
        }
    }

    /// The least and the greatest member, where there are such.
    pub fn bounds(&self) -> (Option<i128>, Option<i128>) {
        let low = self.0.first().map(|(low, _)| *low).filter(|low| *low > LOW);
        let high = self.0.last().map(|(_, high)| *high).filter(|high| *high < HIGH);
        (low, high)
    }

    /// A member that is close to zero.
    pub fn example(&self) -> Option<i128> {
        let near = self.0.iter().map(|(low, high)| 0.clamp(*low, *high));
        near.min_by_key(|n| n.unsigned_abs())
    }

    pub fn contains(&self, n: i128) -> bool {
        self.0.iter().any(|(low, high)| (*low..=*high).contains(&n))
    }

    pub fn is_within(&self, other: &Range) -> bool {
        self.without(other).is_empty()
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("nothing");
        }
        for (i, (low, high)) in self.0.iter().enumerate() {
            let joint = if i > 0 { " or " } else { "" };
            match (*low, *high) {
                (LOW, HIGH) => write!(f, "{joint}anything")?,
                (LOW, high) => write!(f, "{joint}at most {high}")?,
                (low, HIGH) => write!(f, "{joint}at least {low}")?,
                (low, high) if low == high => write!(f, "{joint}{low}")?,
                (low, high) => write!(f, "{joint}{low}..{high}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_a_boolean_algebra() {
        let sets = [
            Range::empty(),
            Range::all(),
            Range::from_to(-2, 3),
            Range::one(3),
            Range::at_least(4).union(&Range::at_most(-1)),
            Range::one(0).complement(),
            Range::from_to(5, 4),
        ];
        for a in &sets {
            for b in &sets {
                for n in -8..8 {
                    let (x, y) = (a.contains(n), b.contains(n));
                    assert_eq!(a.union(b).contains(n), x || y);
                    assert_eq!(a.meet(b).contains(n), x && y);
                    assert_eq!(a.without(b).contains(n), x && !y);
                    assert_eq!(a.shifted(3).contains(n + 3), x);
                }
                assert_eq!(a.is_within(b), a.without(b).is_empty());
            }
            assert_eq!(a.complement().complement(), *a);
        }
    }

    #[test]
    fn ranges_are_told() {
        assert_eq!(Range::from_to(1, 3).union(&Range::one(7)).to_string(), "1..3 or 7");
        assert_eq!(Range::at_least(4).to_string(), "at least 4");
        assert_eq!(Range::one(0).complement().to_string(), "at most -1 or at least 1");
        assert_eq!(Range::at_least(4).example(), Some(4));
        assert_eq!(Range::one(0).complement().example(), Some(-1));
    }
}
