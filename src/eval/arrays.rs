//! Functions on numbers that are held as lists of pairs: whether they lead from one set to another, by one pass.
//!
//! `a : 1..n --> INTEGER` is asked of each new value of `a`. Its domain and its range need not be built for that: its
//! pairs are in the order of their arguments.

use super::compile::Compiler;
use super::env::Env;
use super::lower::rich::Belongs;
use super::stop::Stop;
use crate::machine::{BinaryOp, Expr, ExprKind, Type};
use crate::value::Value;
use crate::value::relation::Arrow;

/// The functions of a kind from some numbers to others, or to all of any type.
pub(super) struct ArrayTest {
    arrow: Arrow,
    from: Belongs,
    to: Belongs,
}

impl Compiler<'_> {
    /// The test for `a --> b` and its like, where both are sets whose members are told by comparison.
    pub(super) fn array_test(&self, arrow: Arrow, a: &Expr, b: &Expr) -> Option<ArrayTest> {
        let is_compared = |set: &Expr| {
            let by_form =
                matches!(set.kind, ExprKind::Basic(_) | ExprKind::Binary(BinaryOp::Interval, ..));
            by_form || self.is_whole_type(set)
        };
        let is_plain = arrow.functional
            && !arrow.surjective
            && !(arrow.total && self.is_whole_type(a))
            && a.ty.element() == Some(&Type::Integer);
        (is_plain && is_compared(a) && is_compared(b)).then(|| ArrayTest {
            arrow,
            from: self.belongs(a),
            to: self.belongs(b),
        })
    }
}

/// The least and the greatest member; `None`: one of them has no 64 bits.
fn ends(of: &Belongs, env: &mut Env) -> Result<Option<(i64, i64)>, Stop> {
    Ok(match of {
        Belongs::Number(low, high) => Some((*low, high.unwrap_or(i64::MAX))),
        Belongs::Between(ends) => match (ends.0.get(env)?, ends.1.get(env)?) {
            (Value::Int(low), Value::Int(high)) => Some((low, high)),
            _ => None,
        },
        Belongs::Always => Some((i64::MIN, i64::MAX)),
        _ => None,
    })
}

impl ArrayTest {
    /// Whether a relation of these pairs is such a function; `None`: that is to be found out in another way.
    ///
    /// # Errors
    /// An end of a set is undefined.
    pub(super) fn holds(&self, env: &mut Env, pairs: &[Value]) -> Result<Option<bool>, Stop> {
        let (Some(from), Some(to)) = (ends(&self.from, env)?, ends(&self.to, env)?) else {
            return Ok(None);
        };
        let all_values = matches!(self.to, Belongs::Always);
        let mut values = Vec::new();
        let mut before = None;
        for pair in pairs {
            let Value::Pair(sides) = pair else { return Ok(None) };
            let (Value::Int(x), y) = (&sides.0, &sides.1) else { return Ok(None) };
            let fits = match y {
                _ if all_values => true,
                Value::Int(y) => (to.0..=to.1).contains(y),
                _ => return Ok(None),
            };
            if !fits || !(from.0..=from.1).contains(x) || before == Some(*x) {
                return Ok(Some(false));
            }
            before = Some(*x);
            if self.arrow.injective {
                values.push(y);
            }
        }
        // As many arguments, all of them different, as there are numbers.
        let size = (i128::from(from.1) - i128::from(from.0) + 1).max(0);
        if self.arrow.total && pairs.len() as i128 != size {
            return Ok(Some(false));
        }
        values.sort_unstable();
        Ok(Some(values.windows(2).all(|two| two[0] != two[1])))
    }
}
