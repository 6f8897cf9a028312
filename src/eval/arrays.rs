//! Functions on numbers that are held as lists of pairs: whether they lead from one set to another, by one pass.
//!
//! `a : 1..n --> INTEGER` is asked of each new value of `a`. Its domain and its range need not be built for that: its
//! pairs are in the order of their arguments.

use super::compile::Compiler;
use super::env::Env;
use super::lower::Rich;
use super::stop::Stop;
use crate::machine::{BinaryOp, Expr, ExprKind, Type};
use crate::value::Value;
use crate::value::relation::Arrow;

/// The functions of a kind from some numbers to others.
pub(super) struct ArrayTest {
    arrow: Arrow,
    from: Ends,
    to: Ends,
}

/// A set of numbers, or all of any type.
enum Ends {
    All,
    Fixed(i64, Option<i64>),
    Between(Rich, Rich),
}

impl Ends {
    /// The least and the greatest; `None`: one of them has no 64 bits.
    fn get(&self, env: &mut Env) -> Result<Option<(i64, i64)>, Stop> {
        Ok(match self {
            Ends::All => Some((i64::MIN, i64::MAX)),
            Ends::Fixed(low, high) => Some((*low, high.unwrap_or(i64::MAX))),
            Ends::Between(low, high) => match (low.get(env)?, high.get(env)?) {
                (Value::Int(low), Value::Int(high)) => Some((low, high)),
                _ => None,
            },
        })
    }
}

impl Compiler<'_> {
    /// The test for `a --> b` and its like, where both are sets whose members are told by comparison.
    pub(super) fn array_test(&self, arrow: Arrow, a: &Expr, b: &Expr) -> Option<ArrayTest> {
        let is_counted = !arrow.total || !matches!(self.ends_of_set(a)?, Ends::All);
        let is_plain = arrow.functional && !arrow.surjective && is_counted;
        (is_plain && a.ty.element() == Some(&Type::Integer)).then_some(())?;
        Some(ArrayTest { arrow, from: self.ends_of_set(a)?, to: self.ends_of_set(b)? })
    }

    fn ends_of_set(&self, set: &Expr) -> Option<Ends> {
        Some(match &set.kind {
            ExprKind::Basic(basic) => match self.ends_of_basic(*basic) {
                Some((low, high)) => Ends::Fixed(low, high),
                None if self.is_whole_type(set) => Ends::All,
                None => return None,
            },
            ExprKind::Binary(BinaryOp::Interval, low, high) => {
                Ends::Between(self.kept_rich(low), self.kept_rich(high))
            }
            _ if self.is_whole_type(set) => Ends::All,
            _ => return None,
        })
    }
}

impl ArrayTest {
    /// Whether a relation of these pairs is such a function; `None`: that is to be found out in another way.
    ///
    /// # Errors
    /// An end of a set is undefined.
    pub(super) fn holds(&self, env: &mut Env, pairs: &[Value]) -> Result<Option<bool>, Stop> {
        let (Some(from), Some(to)) = (self.from.get(env)?, self.to.get(env)?) else {
            return Ok(None);
        };
        let all_values = matches!(self.to, Ends::All);
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
