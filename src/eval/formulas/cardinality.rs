//! Cardinalities that follow from those of the parts: the set itself is not built.

use super::arithmetic::LONGEST_NUMBER;
use crate::eval::compile::Compiler;
use crate::lower::code::Code;
use crate::lower::env::{Env, TooLarge};
use crate::lower::stop::{FaultKind, Stop};
use crate::machine::footprint::Footprint;
use crate::machine::{BinaryOp, Comparison, Expr, ExprKind, Fold, PredKind, Type, UnaryOp};
use crate::value::relation::Arrow;
use crate::value::{Shape, Value};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use std::sync::Arc;

/// A set of a form whose members are counted.
#[derive(Clone, Copy)]
enum Counted {
    Subsets {
        nonempty: bool,
    },
    Permutations,
    InjectiveSequences {
        nonempty: bool,
    },
    Arrows(Arrow),
    /// The pairs of the members of both.
    Pairs,
    Sequences {
        nonempty: bool,
    },
    /// As many as it has members.
    Same,
}

/// How many members a set has; none: infinitely many.
type SizeFn = Box<dyn Fn(&mut Env) -> Result<Option<BigInt>, Stop> + Send + Sync>;

impl Compiler<'_> {
    /// `card(POW(S))`, `card(perm(S))`, `card(S --> T)` and the like, by the cardinalities of S and T. One of these may be
    /// infinite: there is one function from nothing to anything. Of a set that is infinite itself there is no number.
    pub(super) fn counted(&self, set: &Expr, shape: &Shape) -> Option<Code> {
        let span = set.span;
        if self.is_endless(set) {
            let none = move |env: &mut Env| Err(env.fault(FaultKind::InfiniteSet, span, []));
            return Some(self.finish(shape, none));
        }
        let size = self.size(set)?;
        Some(self.finish(shape, move |env| match size(env)? {
            Some(n) => Ok(Value::integer(n)),
            None => Err(env.fault(FaultKind::InfiniteSet, span, [])),
        }))
    }

    /// The size of a set of a form whose members are counted.
    fn size(&self, set: &Expr) -> Option<SizeFn> {
        use UnaryOp::*;
        let (form, parts): (_, Vec<&Expr>) = match &set.kind {
            ExprKind::Unary(op @ (Pow | Pow1 | Fin | Fin1), of) => {
                (Counted::Subsets { nonempty: matches!(op, Pow1 | Fin1) }, vec![&**of])
            }
            ExprKind::Unary(Perm, of) => (Counted::Permutations, vec![&**of]),
            ExprKind::Unary(op @ (Iseq | Iseq1), of) => {
                (Counted::InjectiveSequences { nonempty: *op == Iseq1 }, vec![&**of])
            }
            ExprKind::Unary(op @ (Seq | Seq1), of) => {
                (Counted::Sequences { nonempty: *op == Seq1 }, vec![&**of])
            }
            ExprKind::Binary(BinaryOp::Product | BinaryOp::ParallelProduct, a, b) => {
                (Counted::Pairs, vec![&**a, &**b])
            }
            ExprKind::Unary(Id | Inverse, of) => (Counted::Same, vec![&**of]),
            ExprKind::Fold(Fold::Lambda, ids, p, body) if self.is_total(body) => match &p.kind {
                PredKind::Compare(Comparison::Member, x, of) if matches!(x.kind, ExprKind::Local(id) if *ids == [id] && !Footprint::of_expr(of).locals.contains(&id)) => {
                    (Counted::Same, vec![of])
                }
                _ => return None,
            },
            ExprKind::Binary(op, a, b) => (Counted::Arrows(Arrow::from_op(*op)?), vec![&**a, &**b]),
            _ => return None,
        };
        let parts = parts.into_iter().map(|part| self.size_of_part(part));
        let sizes = parts.collect::<Option<Vec<SizeFn>>>()?;
        let span = set.span;
        Some(Box::new(move |env| {
            let sizes = sizes.iter().map(|size| size(env)).collect::<Result<Vec<_>, Stop>>()?;
            if let (Counted::Pairs, [Some(n), Some(m)]) = (form, &sizes[..]) {
                let product = n * m;
                if product.bits() > 64 * LONGEST_NUMBER {
                    return Err(too_long(env, span));
                }
                return Ok(Some(product));
            }
            let small = |env: &mut Env, n: &BigInt| n.to_u64().ok_or_else(|| too_long(env, span));
            let (n, m) = match &sizes[..] {
                [Some(n)] => (small(env, n)?, 0),
                [Some(n), Some(m)] => (small(env, n)?, small(env, m)?),
                [n, m] => return Ok(form.count_beside_infinite(n.as_ref(), m.as_ref())),
                _ => return Ok(form.count_of_infinite()),
            };
            if form.bits(n as f64, m as f64) > (64 * LONGEST_NUMBER) as f64 {
                return Err(too_long(env, span));
            }
            form.count(n, m, env)
        }))
    }

    /// The size of a set, or that it is infinite for certain.
    fn size_of_part(&self, part: &Expr) -> Option<SizeFn> {
        if self.is_endless(part) {
            return Some(Box::new(|_| Ok(None)));
        }
        if self.is_infinite(part) {
            return self.size(part);
        }
        if self.may_be_symbolic(part) {
            return None;
        }
        let kind = ExprKind::Unary(UnaryOp::Card, Arc::new(part.clone()));
        let size = self.value(&Expr::new(kind, Type::Integer, part.span));
        Some(Box::new(move |env| Ok(Some(size(env)?.to_big().unwrap_or_default()))))
    }
}

fn too_long(env: &mut Env, span: crate::source::Span) -> Stop {
    env.too_large(span, TooLarge::Bits(64 * LONGEST_NUMBER))
}

impl Counted {
    /// A bound of the length of the number, in bits.
    fn bits(self, n: f64, m: f64) -> f64 {
        match self {
            Counted::Subsets { .. } => n,
            Counted::Permutations | Counted::InjectiveSequences { .. } => n * (n + 2.0).log2(),
            Counted::Arrows(arrow) if arrow.functional => n * (m + 2.0).log2(),
            Counted::Arrows(_) => n * m,
            Counted::Pairs | Counted::Sequences { .. } | Counted::Same => 128.0,
        }
    }

    /// Of one infinite set. None: infinitely many, here and below.
    fn count_of_infinite(self) -> Option<BigInt> {
        // A finite sequence has no place for all of them.
        matches!(self, Counted::Permutations).then(BigInt::zero)
    }

    /// Of two sets one of which, at least, is infinite.
    fn count_beside_infinite(self, n: Option<&BigInt>, m: Option<&BigInt>) -> Option<BigInt> {
        let Counted::Arrows(Arrow { functional, total, surjective, injective }) = self else {
            let is_empty = |n: Option<&BigInt>| n.is_some_and(Zero::is_zero);
            return (is_empty(n) || is_empty(m)).then(BigInt::zero);
        };
        // The finite side, and whether all of the infinite one takes part.
        let (few, of_infinite) = match (n, m) {
            (Some(n), _) => (n, surjective),
            (_, Some(m)) => (m, total),
            _ => return None,
        };
        // An element has one value at most, and, where the function is injective, is that of one at most: then few meet few.
        let meets_few = if n.is_some() { functional } else { injective };
        match of_infinite {
            true if few.is_zero() || meets_few => Some(BigInt::zero()),
            // All of the infinite side meets the one.
            true if few.is_one() => Some(BigInt::one()),
            false if few.is_zero() => Some(BigInt::one()),
            _ => None,
        }
    }

    fn count(self, n: u64, m: u64, env: &mut Env) -> Result<Option<BigInt>, Stop> {
        let less_empty = |count: BigInt, nonempty: bool| if nonempty { count - 1 } else { count };
        Ok(Some(match self {
            Counted::Sequences { nonempty } => {
                if n > 0 {
                    return Ok(None);
                }
                BigInt::from(u8::from(!nonempty))
            }
            Counted::Subsets { nonempty } => less_empty(BigInt::one() << n, nonempty),
            Counted::Pairs => BigInt::from(n) * m,
            Counted::Same => BigInt::from(n),
            Counted::Permutations => falling(n, n, env)?,
            Counted::InjectiveSequences { nonempty } => {
                let (mut all, mut of_length) = (BigInt::one(), BigInt::one());
                for k in 0..n {
                    env.tick()?;
                    of_length *= n - k;
                    all += &of_length;
                }
                less_empty(all, nonempty)
            }
            Counted::Arrows(arrow) if arrow.injective => injections(arrow, n, m, env)?,
            Counted::Arrows(arrow) => {
                // The ways to relate one element of the source to some of `targets`.
                let ways = |targets: u64| match (arrow.functional, arrow.total) {
                    (true, true) => BigInt::from(targets),
                    (true, false) => BigInt::from(targets) + 1,
                    (false, total) => less_empty(BigInt::one() << targets, total),
                };
                match arrow.surjective {
                    false => power(&ways(m), n),
                    true => onto(m, env, |targets| power(&ways(targets), n))?,
                }
            }
        }))
    }
}

/// `base ** n`; the result was found to be of a length that can be written.
fn power(base: &BigInt, n: u64) -> BigInt {
    if n == 0 || base.is_one() {
        return BigInt::one();
    }
    if base.is_zero() {
        return BigInt::zero();
    }
    num_traits::pow::Pow::pow(base, n)
}

/// `n * (n - 1) * ..`, `k` factors.
fn falling(n: u64, k: u64, env: &mut Env) -> Result<BigInt, Stop> {
    let mut product = BigInt::one();
    for i in 0..k {
        env.tick()?;
        product *= n - i;
    }
    Ok(product)
}

/// By inclusion and exclusion: of the choices from `m` targets those that leave none out.
fn onto(m: u64, env: &mut Env, choices: impl Fn(u64) -> BigInt) -> Result<BigInt, Stop> {
    let (mut sum, mut binomial) = (BigInt::zero(), BigInt::one());
    for k in 0..=m {
        env.tick()?;
        let term = &binomial * choices(m - k);
        sum = if k % 2 == 0 { sum + term } else { sum - term };
        binomial = binomial * (m - k) / (k + 1);
    }
    Ok(sum)
}

fn injections(arrow: Arrow, n: u64, m: u64, env: &mut Env) -> Result<BigInt, Stop> {
    match (arrow.total, arrow.surjective) {
        (true, true) if n != m => Ok(BigInt::zero()),
        (true, _) if n > m => Ok(BigInt::zero()),
        (true, _) => falling(m, n, env),
        (false, true) if m > n => Ok(BigInt::zero()),
        (false, true) => falling(n, m, env),
        (false, false) => {
            // Of each size the source's subsets, injected.
            let (mut sum, mut of_size) = (BigInt::zero(), BigInt::one());
            for k in 0..=n.min(m) {
                env.tick()?;
                sum += &of_size;
                of_size = of_size * (n - k) * (m - k) / (k + 1);
            }
            Ok(sum)
        }
    }
}
