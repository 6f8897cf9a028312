//! The least member of a set of numbers that may be infinite, by counting up.

use crate::eval::compile::Compiler;
use crate::lower::code::{Code, TestFn};
use crate::lower::env::Env;
use crate::lower::rich::Rich;
use crate::lower::stop::{FaultKind, Stop};
use crate::machine::{BasicSet, BinaryOp, Comparison, Expr, ExprKind, Pred, PredKind, UnaryOp};
use crate::normalise::goes_on;
use crate::value::{Shape, Value};

/// Numbers that are tried where it is not known whether there is a member.
const MANY: i64 = 1 << 16;

/// Those of them that are tried before the members are looked for.
const FEW: i64 = 1 << 10;

impl Compiler<'_> {
    /// Between which numbers the members of a set are, which is infinite or long but for what is taken away from it.
    pub fn least_candidate(&self, set: &Expr) -> Option<(i64, i64)> {
        match &set.kind {
            ExprKind::Basic(BasicSet::Natural) => Some((0, i64::MAX)),
            ExprKind::Basic(BasicSet::Natural1) => Some((1, i64::MAX)),
            ExprKind::Binary(BinaryOp::Difference, a, b) if self.is_finite(b) => {
                self.least_candidate(a)
            }
            _ => self.ends_of(set).filter(|_| self.is_long(set)),
        }
    }

    /// Whether a set certainly has no greatest (`Max`) or no least (`Min`) member, having numbers beyond each.
    pub(in crate::eval) fn has_no_extreme(&self, op: UnaryOp, set: &Expr) -> bool {
        match &set.kind {
            ExprKind::Binary(BinaryOp::Difference, a, b) => {
                self.has_no_extreme(op, a) && self.is_finite(b)
            }
            ExprKind::Binary(BinaryOp::Union, a, b) => {
                [a, b].into_iter().any(|part| self.has_no_extreme(op, part))
            }
            _ => goes_on(set, op == UnaryOp::Max),
        }
    }

    /// A number below which a comprehension has no members, where it may be infinite.
    pub(in crate::eval) fn lowest_solution(&self, set: &Expr) -> Option<i64> {
        let ExprKind::Comprehension(ids, p) = &set.kind else { return None };
        let ([id], true) = (&ids[..], self.is_open(set)) else { return None };
        let is_it = |e: &Expr| e.kind == ExprKind::Local(*id);
        let number = |e: &Expr| match &e.kind {
            ExprKind::Integer(n) => i64::try_from(n).ok(),
            _ => None,
        };
        let low = |c: &Pred| {
            let PredKind::Compare(op, a, b) = &c.kind else { return None };
            match op {
                Comparison::Member if is_it(a) => match b.kind {
                    ExprKind::Basic(basic) => self.ends_of_basic(basic).map(|(low, _)| low),
                    _ => None,
                },
                Comparison::Greater | Comparison::GreaterEqual if is_it(a) => number(b),
                Comparison::Less | Comparison::LessEqual if is_it(b) => number(a),
                _ => None,
            }
        };
        p.conjuncts().iter().filter_map(low).max()
    }

    /// `min({x | P})` where the members are not all found: the first solution, if one of many numbers is one.
    pub(in crate::eval) fn least_solution(
        &self,
        set: &Expr,
        low: i64,
        all: Code,
        shape: &Shape,
    ) -> Code {
        let test = self.member_test(set);
        let all = match all {
            Code::Value(rich) => rich.into_fn(),
            Code::Word(word) => Rich::word(word, shape.clone()).into_fn(),
        };
        self.finish(shape, move |env| {
            // Where one of the first is a member nobody asks for the others.
            match first(env, &test, low, low.saturating_add(FEW)) {
                Ok(Some(least)) => return Ok(least),
                Err(Stop::Halted) => return Err(Stop::Halted),
                _ => env.fault = None,
            }
            match all(env) {
                Err(stop @ Stop::Cut(_)) => {
                    first(env, &test, low, low.saturating_add(MANY))?.ok_or(stop)
                }
                found => found,
            }
        })
    }

    /// `min(NATURAL - S)`: the first number that is a member.
    pub fn least_member(&self, set: &Expr, (low, high): (i64, i64), e: &Expr) -> Code {
        let (test, span, operand) = (self.member_test(set), e.span, self.operand(set));
        let empty = self.shape(&set.ty).empty();
        self.finish(&self.shape(&e.ty), move |env| match first(env, &test, low, high)? {
            Some(least) => Ok(least),
            None => Err(env.fault(FaultKind::MinOfEmpty, span, [(&operand, empty.clone())])),
        })
    }
}

/// The first member from one number on, up to another.
fn first(env: &mut Env, test: &TestFn, from: i64, to: i64) -> Result<Option<Value>, Stop> {
    for at in from..=to {
        env.tick()?;
        if test(env, &Value::Int(at))? {
            return Ok(Some(Value::Int(at)));
        }
    }
    Ok(None)
}
