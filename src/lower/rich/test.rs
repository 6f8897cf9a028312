//! Tests of values.

use super::super::env::Env;
use super::super::operators::Order;
use super::super::stop::Stop;
use super::{Belongs, Rich};
use crate::value::Shape;

pub enum RichTest {
    Equal(Rich, Rich),
    /// Of reals, and of integers of any size.
    Ordered(Order, Rich, Rich),
    /// `a <: b`, of sets of this shape.
    Subset(Shape, Rich, Rich),
    /// `x : s`, of a set of this shape, which is built.
    Member(Rich, Shape, Rich),
    /// `x : S`, `s <: S`, of a set that is not built.
    Belongs(Rich, Belongs),
    /// This, once the value is there.
    Known(bool, Rich),
}

impl RichTest {
    /// # Errors
    /// Something in it is undefined, unknown or too large.
    pub fn holds(&self, env: &mut Env) -> Result<bool, Stop> {
        Ok(match self {
            RichTest::Equal(a, b) => a.get(env)? == b.get(env)?,
            RichTest::Ordered(order, a, b) => {
                let (a, b) = (a.get(env)?, b.get(env)?);
                match order {
                    Order::Less => a < b,
                    Order::LessEqual => a <= b,
                    Order::Greater => a > b,
                    Order::GreaterEqual => a >= b,
                }
            }
            RichTest::Subset(shape, a, b) => {
                let (a, b) = (a.get(env)?, b.get(env)?);
                shape.is_subset(&a, &b)
            }
            RichTest::Member(x, shape, set) => {
                let (x, set) = (x.get(env)?, set.get(env)?);
                shape.contains(&set, &x)
            }
            RichTest::Belongs(x, belongs) => {
                let x = x.get(env)?;
                belongs.holds(env, &x)?
            }
            RichTest::Known(truth, of) => {
                of.get(env)?;
                *truth
            }
        })
    }
}
