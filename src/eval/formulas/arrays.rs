//! Functions on numbers that are held as lists or tables of pairs: whether they lead from one set to another, by one pass.
//!
//! `a : 1..n --> INTEGER` is asked of each new value of `a`. Its domain and its range need not be built for that: its
//! pairs are in the order of their arguments.

use crate::eval::compile::Compiler;
use crate::lower::env::Env;
use crate::lower::rich::Belongs;
use crate::lower::stop::Stop;
use crate::machine::{BinaryOp, Expr, ExprKind, Type};
use crate::value::relation::Arrow;
use crate::value::{Listed, Table, Value};

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

/// A pair of a relation from integers: the argument, the result where it is a number, and the result as a value.
type Point<V> = (i64, Option<i64>, V);

impl ArrayTest {
    /// Whether a relation that is held as a list or a table of pairs is such a function; `None`: that is to be found out
    /// in another way.
    ///
    /// # Errors
    /// An end of a set is undefined.
    pub(super) fn holds(&self, env: &mut Env, relation: &Value) -> Result<Option<bool>, Stop> {
        let Some(list) = Listed::of(relation) else { return Ok(None) };
        let (Some(from), Some(to)) = (ends(&self.from, env)?, ends(&self.to, env)?) else {
            return Ok(None);
        };
        // Most have nothing but numbers, which take one step each.
        Ok(match relation.table().and_then(Table::numbers) {
            Some(numbers) => {
                let points = numbers.iter();
                self.fits((from, to), points.map(|[x, y]| Some((*x, Some(*y), || Value::Int(*y)))))
            }
            None => {
                let points = list.members().map(|pair| {
                    let (x, y) = pair.sides()?;
                    Some((x.number()?, y.number(), move || y.value()))
                });
                self.fits((from, to), points)
            }
        })
    }

    /// The same of its points, in their order. `from` and `to`: least and greatest argument and result.
    fn fits<V: FnOnce() -> Value>(
        &self,
        (from, to): ((i64, i64), (i64, i64)),
        points: impl ExactSizeIterator<Item = Option<Point<V>>>,
    ) -> Option<bool> {
        let all_values = matches!(self.to, Belongs::Always);
        let (count, mut before, mut values) = (points.len(), None, Vec::new());
        for point in points {
            let (x, number, y) = point?;
            let is_result = all_values || (to.0..=to.1).contains(&number?);
            if !is_result || !(from.0..=from.1).contains(&x) || before == Some(x) {
                return Some(false);
            }
            before = Some(x);
            if self.arrow.injective {
                values.push(y());
            }
        }
        // As many arguments, all of them different, as there are numbers.
        let size = (i128::from(from.1) - i128::from(from.0) + 1).max(0);
        if self.arrow.total && count as i128 != size {
            return Some(false);
        }
        values.sort_unstable();
        Some(values.windows(2).all(|two| two[0] != two[1]))
    }
}
