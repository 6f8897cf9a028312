//! Cardinalities that follow from those of the parts: the set itself is not built.

use super::arithmetic::LONGEST_NUMBER;
use super::code::Code;
use super::compile::Compiler;
use super::env::{Env, TooLarge};
use super::stop::Stop;
use crate::machine::footprint::Footprint;
use crate::machine::{BinaryOp, Comparison, Expr, ExprKind, Fold, PredKind, Type, UnaryOp};
use crate::value::relation::Arrow;
use crate::value::{Shape, Value};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

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
    /// As many as it has members.
    Same,
}

impl Compiler<'_> {
    /// `card(POW(S))`, `card(perm(S))`, `card(S --> T)` and the like, by the cardinalities of S and T.
    pub(super) fn counted(&self, set: &Expr, shape: &Shape) -> Option<Code> {
        use UnaryOp::*;
        let (form, parts): (_, Vec<&Expr>) = match &set.kind {
            ExprKind::Unary(op @ (Pow | Pow1 | Fin | Fin1), of) => {
                (Counted::Subsets { nonempty: matches!(op, Pow1 | Fin1) }, vec![&**of])
            }
            ExprKind::Unary(Perm, of) => (Counted::Permutations, vec![&**of]),
            ExprKind::Unary(op @ (Iseq | Iseq1), of) => {
                (Counted::InjectiveSequences { nonempty: *op == Iseq1 }, vec![&**of])
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
        if parts.iter().any(|part| self.is_infinite(part) || self.may_be_symbolic(part)) {
            return None;
        }
        let size = |part: &Expr| {
            let kind = ExprKind::Unary(UnaryOp::Card, Box::new(part.clone()));
            self.value(&Expr::new(kind, Type::Integer, part.span))
        };
        let sizes: Vec<_> = parts.iter().map(|part| size(part)).collect();
        let span = set.span;
        Some(self.finish(shape, move |env| {
            if let (Counted::Pairs, [n, m]) = (form, &sizes[..]) {
                let (n, m) = (n(env)?.to_big(), m(env)?.to_big());
                let product = n.unwrap_or_default() * m.unwrap_or_default();
                if product.bits() > 64 * LONGEST_NUMBER {
                    return Err(too_long(env, span));
                }
                return Ok(Value::integer(product));
            }
            let mut known = [0, 0];
            for (known, size) in known.iter_mut().zip(&sizes) {
                let size = size(env)?.to_big().and_then(|n| n.to_u64());
                *known = size.ok_or_else(|| too_long(env, span))?;
            }
            let [n, m] = known;
            if form.bits(n as f64, m as f64) > (64 * LONGEST_NUMBER) as f64 {
                return Err(too_long(env, span));
            }
            form.count(n, m, env).map(Value::integer)
        }))
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
            Counted::Pairs | Counted::Same => 128.0,
        }
    }

    fn count(self, n: u64, m: u64, env: &mut Env) -> Result<BigInt, Stop> {
        let less_empty = |count: BigInt, nonempty: bool| if nonempty { count - 1 } else { count };
        Ok(match self {
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
        })
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
