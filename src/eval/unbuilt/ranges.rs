//! Sets of integers as intervals, some without end: how infinite ones compare.
//!
//! `NATURAL - 0..3 = {x | x : INTEGER & x >= 4}` has no values to compare, but both sides are made of
//! intervals by union, intersection and difference, and so is what these give.

use crate::eval::compile::Compiler;
use crate::lower::Test;
use crate::lower::code::ValueFn;
use crate::lower::env::Env;
use crate::lower::stop::Stop;
use crate::machine::footprint::Footprint;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type,
};
use crate::normalise;
use num_bigint::BigInt;

/// Intervals from low to high that neither overlap nor touch. A bound that is missing is no bound: the
/// first one may lack the lower, the last one the upper.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ranges(Vec<(Option<BigInt>, Option<BigInt>)>);

type RangesFn = Box<dyn Fn(&mut Env) -> Result<Ranges, Stop> + Send + Sync>;

impl Ranges {
    fn from(low: Option<BigInt>, high: Option<BigInt>) -> Ranges {
        match (&low, &high) {
            (Some(l), Some(h)) if l > h => Ranges::default(),
            _ => Ranges(vec![(low, high)]),
        }
    }

    fn union(mut self, other: Ranges) -> Ranges {
        self.0.extend(other.0);
        // A missing lower bound is `None`, and so comes first.
        self.0.sort();
        let mut merged: Vec<(Option<BigInt>, Option<BigInt>)> = Vec::new();
        for (low, high) in self.0 {
            match merged.last_mut() {
                Some((_, last)) if touches(last.as_ref(), low.as_ref()) => {
                    *last = match (last.take(), high) {
                        (Some(a), Some(b)) => Some(a.max(b)),
                        _ => None,
                    };
                }
                _ => merged.push((low, high)),
            }
        }
        Ranges(merged)
    }

    /// All other integers.
    fn complement(&self) -> Ranges {
        let mut gaps = Vec::new();
        let mut from = Some(None);
        for (low, high) in &self.0 {
            if let (Some(from), Some(low)) = (&from, low) {
                gaps.push((Clone::clone(from), Some(low - 1)));
            }
            from = high.as_ref().map(|high| Some(high + 1));
        }
        if let Some(from) = from {
            gaps.push((from, None));
        }
        Ranges(gaps)
    }

    fn intersection(&self, other: &Ranges) -> Ranges {
        self.complement().union(other.complement()).complement()
    }

    fn is_subset(&self, other: &Ranges) -> bool {
        self.intersection(&other.complement()).0.is_empty()
    }
}

/// Whether an interval with this lower bound goes on where one with this upper bound ends; it does not
/// begin before that one.
fn touches(high: Option<&BigInt>, low: Option<&BigInt>) -> bool {
    match (high, low) {
        (Some(high), Some(low)) => *low <= high + 1,
        _ => true,
    }
}

fn both(
    a: RangesFn,
    b: RangesFn,
    of: impl Fn(Ranges, Ranges) -> Ranges + Send + Sync + 'static,
) -> RangesFn {
    Box::new(move |env| {
        let (a, b) = (a(env)?, b(env)?);
        env.tick()?;
        Ok(of(a, b))
    })
}

fn constant(low: Option<i64>, high: Option<i64>) -> RangesFn {
    let ranges = Ranges::from(low.map(BigInt::from), high.map(BigInt::from));
    Box::new(move |_| Ok(ranges.clone()))
}

/// Whether a set of integers is made of one that is infinite or enormous.
fn has_endless(e: &Expr) -> bool {
    use BinaryOp::*;
    match &e.kind {
        ExprKind::Binary(Union | Intersection | Difference, a, b) => {
            has_endless(a) || has_endless(b)
        }
        _ => normalise::looks_infinite(e),
    }
}

impl Compiler<'_> {
    /// `a = b`, or `a <: b`, for sets of integers of which one is infinite or enormous and both are
    /// made of intervals.
    pub(in crate::eval) fn by_ranges(&self, a: &Expr, b: &Expr, subset: bool) -> Option<Test> {
        if a.ty != Type::pow(Type::Integer) || !has_endless(a) && !has_endless(b) {
            return None;
        }
        let (a, b) = (self.ranges(a)?, self.ranges(b)?);
        Some(Test::run(move |env| {
            let (a, b) = (a(env)?, b(env)?);
            Ok(if subset { a.is_subset(&b) } else { a == b })
        }))
    }

    fn ranges(&self, set: &Expr) -> Option<RangesFn> {
        if self.may_be_symbolic(set) {
            return None;
        }
        let (min, max) = (self.instance.min_int, self.instance.max_int);
        Some(match &set.kind {
            ExprKind::Basic(b) => match b {
                BasicSet::Integer => constant(None, None),
                BasicSet::Natural => constant(Some(0), None),
                BasicSet::Natural1 => constant(Some(1), None),
                BasicSet::Int => constant(Some(min), Some(max)),
                BasicSet::Nat => constant(Some(0), Some(max)),
                BasicSet::Nat1 => constant(Some(1), Some(max)),
                _ => return None,
            },
            ExprKind::Binary(BinaryOp::Interval, low, high) => {
                let (low, high) = (self.value(low), self.value(high));
                Box::new(move |env| Ok(Ranges::from(low(env)?.to_big(), high(env)?.to_big())))
            }
            ExprKind::Binary(BinaryOp::Union, a, b) => {
                both(self.ranges(a)?, self.ranges(b)?, Ranges::union)
            }
            ExprKind::Binary(BinaryOp::Intersection, a, b) => {
                both(self.ranges(a)?, self.ranges(b)?, |a, b| a.intersection(&b))
            }
            ExprKind::Binary(BinaryOp::Difference, a, b) => {
                both(self.ranges(a)?, self.ranges(b)?, |a, b| a.intersection(&b.complement()))
            }
            ExprKind::Comprehension(locals, pred) => match locals[..] {
                [x] => self.satisfying(x, pred, true)?,
                _ => return None,
            },
            _ if self.is_infinite(set) => return None,
            _ => {
                let (shape, set) = (self.shape(&set.ty), self.value(set));
                Box::new(move |env| {
                    let set = set(env)?;
                    let mut found = Vec::new();
                    for v in shape.members(&set) {
                        env.tick()?;
                        found.push((v.to_big(), v.to_big()));
                    }
                    Ok(Ranges(found).union(Ranges::default()))
                })
            }
        })
    }

    /// The integers `x` for which a predicate is true, or false.
    fn satisfying(&self, x: LocalId, p: &Pred, truth: bool) -> Option<RangesFn> {
        use Comparison::*;
        let each = |ps: &[Pred], all: bool| {
            let mut parts = ps.iter().map(|p| self.satisfying(x, p, truth));
            let first = parts.next()??;
            parts.try_fold(first, |sum, part| {
                Some(match all == truth {
                    true => both(sum, part?, |a, b| a.intersection(&b)),
                    false => both(sum, part?, Ranges::union),
                })
            })
        };
        let (op, a, b) = match &p.kind {
            PredKind::And(ps) => return each(ps, true),
            PredKind::Or(ps) => return each(ps, false),
            PredKind::Not(p) => return self.satisfying(x, p, !truth),
            PredKind::Compare(op, a, b) => (*op, a, b),
            _ => return None,
        };
        let is_x = |e: &Expr| e.kind == ExprKind::Local(x);
        let mentions = |e: &Expr| Footprint::of_expr(e).locals.contains(&x);
        let (op, e) = match (op, is_x(a), is_x(b)) {
            (_, true, false) if !mentions(b) => (op, b),
            (Less, false, true) if !mentions(a) => (Greater, a),
            (LessEqual, false, true) if !mentions(a) => (GreaterEqual, a),
            (Greater, false, true) if !mentions(a) => (Less, a),
            (GreaterEqual, false, true) if !mentions(a) => (LessEqual, a),
            (Equal | NotEqual, false, true) if !mentions(a) => (op, a),
            _ => return None,
        };
        let found: RangesFn = match op {
            Member | NotMember => self.ranges(e)?,
            _ => {
                let number: ValueFn = self.value(e);
                Box::new(move |env| {
                    let n = number(env)?.to_big();
                    Ok(match op {
                        Less => Ranges::from(None, n.map(|n| n - 1)),
                        LessEqual => Ranges::from(None, n),
                        Greater => Ranges::from(n.map(|n| n + 1), None),
                        GreaterEqual => Ranges::from(n, None),
                        _ => Ranges::from(n.clone(), n),
                    })
                })
            }
        };
        let truth = truth != matches!(op, NotEqual | NotMember);
        Some(match truth {
            true => found,
            false => Box::new(move |env| Ok(found(env)?.complement())),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Ranges;
    use num_bigint::BigInt;

    fn of(parts: &[(Option<i64>, Option<i64>)]) -> Ranges {
        let parts = parts
            .iter()
            .map(|(low, high)| Ranges::from(low.map(BigInt::from), high.map(BigInt::from)));
        parts.fold(Ranges::default(), Ranges::union)
    }

    #[test]
    fn operators_agree_with_the_members_between_bounds() {
        // All sets of intervals with ends in -2..2 and up to two parts.
        let ends: Vec<Option<i64>> = std::iter::once(None).chain((-2..=2).map(Some)).collect();
        let mut single = vec![Ranges::default()];
        for low in &ends {
            single.extend(ends.iter().map(|high| of(&[(*low, *high)])));
        }
        let has = |r: &Ranges, n: i64| {
            let n = BigInt::from(n);
            r.0.iter().any(|(low, high)| {
                low.as_ref().is_none_or(|l| *l <= n) && high.as_ref().is_none_or(|h| n <= *h)
            })
        };
        let mut sets = Vec::new();
        for a in &single {
            sets.extend(single.iter().map(|b| a.clone().union(b.clone())));
        }
        sets.truncate(400);
        for a in &sets {
            for b in &sets {
                let (union, common) = (a.clone().union(b.clone()), a.intersection(b));
                let mut subset = true;
                for n in -5..=5 {
                    assert_eq!(has(&union, n), has(a, n) || has(b, n), "{a:?} {b:?} {n}");
                    assert_eq!(has(&common, n), has(a, n) && has(b, n), "{a:?} {b:?} {n}");
                    assert_ne!(has(&a.complement(), n), has(a, n), "{a:?} {n}");
                    subset &= !has(a, n) || has(b, n);
                }
                // Beyond -5..5 nothing changes: equal there, equal everywhere.
                assert_eq!(a.is_subset(b), subset, "{a:?} {b:?}");
                assert_eq!(a == b, (-5..=5).all(|n| has(a, n) == has(b, n)), "{a:?} {b:?}");
            }
        }
    }
}
