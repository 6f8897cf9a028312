//! Bounds of integers that a polynomial has: `x * x * x - 6 * x * x + 11 * x = 6` has no root beyond 12.
//!
//! Beyond all its roots a polynomial has the sign of its leading coefficient. They are no farther from 0 than twice the
//! greatest of the k-th roots of `|a(n - k) / a(n)|` (M. Fujiwara, Tohoku Math. J. 10, 1916). What has a lower degree than
//! three is left to those who look at squares.

use crate::clock;
use crate::eval::compile::Compiler;
use crate::machine::footprint::Footprint;
use crate::machine::make;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type, UnaryOp,
};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::ops::Range;

/// Degrees of the polynomials that are looked at.
const DEGREES: Range<usize> = 3..17;

/// The longest bound, in bits: farther away there are too many numbers for it to be of use.
const MOST_BITS: u64 = 40;

/// Coefficients, that of the constant first, and none that is 0 last.
#[derive(Default)]
struct Polynomial(Vec<BigInt>);

impl Compiler<'_> {
    /// Bounds that follow from comparisons of polynomials in one of these names.
    pub(in crate::eval) fn rooted(&self, locals: &[LocalId], conjuncts: &[Pred]) -> Vec<Pred> {
        let mut found = Vec::new();
        for p in conjuncts {
            let PredKind::Compare(op, a, b) = &p.kind else { continue };
            if a.ty != Type::Integer || b.ty != Type::Integer {
                continue;
            }
            let mut mentioned = Footprint::of_pred(p).locals.into_iter();
            let (Some(x), None) = (mentioned.next(), mentioned.next()) else { continue };
            let difference = || {
                let (a, b) = (Polynomial::of(x, a)?, Polynomial::of(x, b)?);
                Some(a.plus(&b, -1))
            };
            if locals.contains(&x)
                && let Some(difference) = difference()
            {
                let declared = self.machine().local(x);
                let x = Expr::new(ExprKind::Local(x), Type::Integer, declared.span);
                found.extend(difference.bounds(*op, &x, p));
            }
        }
        found
    }
}

impl Polynomial {
    /// An expression as a polynomial in a name.
    fn of(x: LocalId, e: &Expr) -> Option<Polynomial> {
        clock::work(1);
        Some(match &e.kind {
            ExprKind::Integer(n) => Polynomial(vec![n.clone()]).trimmed(),
            ExprKind::Local(id) if *id == x => Polynomial(vec![BigInt::zero(), BigInt::one()]),
            ExprKind::Unary(UnaryOp::Negate, e) => {
                Polynomial::default().plus(&Polynomial::of(x, e)?, -1)
            }
            ExprKind::Binary(BinaryOp::Add, a, b) => {
                Polynomial::of(x, a)?.plus(&Polynomial::of(x, b)?, 1)
            }
            ExprKind::Binary(BinaryOp::Subtract, a, b) => {
                Polynomial::of(x, a)?.plus(&Polynomial::of(x, b)?, -1)
            }
            ExprKind::Binary(BinaryOp::Multiply, a, b) => {
                Polynomial::of(x, a)?.times(&Polynomial::of(x, b)?)?
            }
            ExprKind::Binary(BinaryOp::Power, a, b) => {
                let ExprKind::Integer(exponent) = &b.kind else { return None };
                let exponent = exponent.to_usize().filter(|n| *n < DEGREES.end)?;
                let base = Polynomial::of(x, a)?;
                let one = Polynomial(vec![BigInt::one()]);
                (0..exponent).try_fold(one, |power, _| power.times(&base))?
            }
            _ => return None,
        })
    }

    fn trimmed(mut self) -> Polynomial {
        while self.0.last().is_some_and(Zero::is_zero) {
            self.0.pop();
        }
        self
    }

    fn plus(&self, other: &Polynomial, factor: i32) -> Polynomial {
        let mut sum = self.0.clone();
        sum.resize(sum.len().max(other.0.len()), BigInt::zero());
        sum.iter_mut().zip(&other.0).for_each(|(own, more)| *own += more * factor);
        Polynomial(sum).trimmed()
    }

    fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        if self.0.len() + other.0.len() > DEGREES.end + 1 {
            return None;
        }
        let mut product = vec![BigInt::zero(); self.0.len() + other.0.len()];
        for (i, a) in self.0.iter().enumerate() {
            other.0.iter().enumerate().for_each(|(j, b)| product[i + j] += a * b);
        }
        Some(Polynomial(product).trimmed())
    }

    /// A number that no root is farther from 0 than.
    fn reach(&self) -> Option<BigInt> {
        let (leading, others) = self.0.split_last()?;
        let root = |(place, coefficient): (usize, &BigInt)| {
            let degree = u32::try_from(others.len() - place).expect("few coefficients");
            // Rounded up, twice.
            let ratio: BigInt = coefficient.abs() / leading.abs() + 1;
            ratio.nth_root(degree) + 1
        };
        let all = others.iter().enumerate().filter(|(_, c)| !c.is_zero()).map(root);
        let most: BigInt = 2 * all.max().unwrap_or_default();
        (most.bits() <= MOST_BITS).then_some(most)
    }

    /// The bounds of a name for which this compares so with 0.
    fn bounds(&self, op: Comparison, x: &Expr, by: &Pred) -> Vec<Pred> {
        use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual};
        let degree = self.0.len().saturating_sub(1);
        let Some(reach) = self.reach().filter(|_| DEGREES.contains(&degree)) else {
            return Vec::new();
        };
        let is_positive = self.0[degree].is_positive();
        // Whether nothing beyond the roots, where the polynomial has this sign, is a solution.
        let ends = |positive: bool| match op {
            Equal => true,
            Less | LessEqual => positive,
            Greater | GreaterEqual => !positive,
            _ => false,
        };
        let bound = |op, n: BigInt| {
            let bound = make::number(n, by.span);
            Pred::new(PredKind::Compare(op, x.clone(), bound), by.span)
        };
        let above = ends(is_positive).then(|| bound(LessEqual, reach.clone()));
        let below =
            ends(is_positive == degree.is_multiple_of(2)).then(|| bound(GreaterEqual, -reach));
        above.into_iter().chain(below).collect()
    }
}
