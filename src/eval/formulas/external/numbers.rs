//! What external functions on numbers compute.

use super::{Call, LONGEST, big, text};
use crate::value::Value;
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{Signed, ToPrimitive, Zero};

/// Largest number whose factorial is computed.
const LARGEST_FACTORIAL: u32 = 5_000;

/// The precision of `SIN`, `COS` and `TAN`: hundredths.
const HUNDRED: f64 = 100.0;

pub(super) fn factorial(_: &Call, a: &[Value]) -> Option<Value> {
    let n = big(&a[0]).to_u32().filter(|n| *n <= LARGEST_FACTORIAL)?;
    Some(Value::integer((1..=n).fold(BigInt::from(1), |product, i| product * i)))
}

/// How many subsets of so many members a set has.
pub(super) fn subsets(_: &Call, a: &[Value]) -> Option<Value> {
    let (n, k) = (big(&a[0]).to_u32()?, big(&a[1]).to_u32()?);
    if n > LARGEST_FACTORIAL {
        return None;
    }
    if k > n {
        return Some(Value::Int(0));
    }
    let k = k.min(n - k);
    let choose = |found: BigInt, i: u32| found * (n - i) / (i + 1);
    Some(Value::integer((0..k).fold(BigInt::from(1), choose)))
}

pub(super) fn divided_down(_: &Call, a: &[Value]) -> Option<Value> {
    let (n, by) = (big(&a[0]), big(&a[1]));
    (!by.is_zero()).then(|| Value::integer(n.div_floor(&by)))
}

pub(super) fn divided_up(_: &Call, a: &[Value]) -> Option<Value> {
    let (n, by) = (big(&a[0]), big(&a[1]));
    (!by.is_zero()).then(|| Value::integer(-(-n).div_floor(&by)))
}

/// A real number as multiples of a fraction, rounded to the nearest, halves away from zero.
fn rounded(x: f64) -> Option<Value> {
    let x = x.round();
    (x.is_finite() && x.abs() < i64::MAX as f64).then_some(Value::Int(x as i64))
}

/// A function on multiples of a hundredth.
pub(super) fn on_hundredths(f: fn(f64) -> f64, a: &[Value]) -> Option<Value> {
    rounded(HUNDRED * f(big(&a[0]).to_f64()? / HUNDRED))
}

/// A function on multiples of a fraction that is given first.
pub(super) fn on_multiples(f: fn(f64) -> f64, a: &[Value]) -> Option<Value> {
    let parts = big(&a[0]);
    if !parts.is_positive() {
        return None;
    }
    let parts = parts.to_f64()?;
    rounded(parts * f(big(&a[1]).to_f64()? / parts))
}

/// The logarithm to a base, both multiples of a fraction that is given first.
pub(super) fn logarithm(_: &Call, a: &[Value]) -> Option<Value> {
    if a.iter().any(|n| !big(n).is_positive()) {
        return None;
    }
    let (parts, base, x) = (big(&a[0]).to_f64()?, big(&a[1]).to_f64()?, big(&a[2]).to_f64()?);
    rounded(parts * ((x / parts).ln() / (base / parts).ln()))
}

/// A function by its name, on multiples of a fraction.
pub(super) fn named(_: &Call, a: &[Value]) -> Option<Value> {
    let f: fn(f64) -> f64 = match text(&a[0]) {
        "sin" => f64::sin,
        "cos" => f64::cos,
        "tan" => f64::tan,
        "cot" => |x| 1.0 / x.tan(),
        "sinh" => f64::sinh,
        "cosh" => f64::cosh,
        "tanh" => f64::tanh,
        "coth" => |x| 1.0 / x.tanh(),
        "asin" => f64::asin,
        "acos" => f64::acos,
        "atan" => f64::atan,
        "acot" => |x| (1.0 / x).atan(),
        "asinh" => f64::asinh,
        "acosh" => f64::acosh,
        "atanh" => f64::atanh,
        "acoth" => |x| (1.0 / x).atanh(),
        "sqrt" => f64::sqrt,
        "log" => f64::ln,
        "exp" => f64::exp,
        _ => return None,
    };
    on_multiples(f, &a[1..])
}

/// A number shifted to the left, or to the right by a negative distance.
pub(super) fn shifted(number: &Value, by: &BigInt) -> Option<Value> {
    let (number, distance) = (big(number), by.abs().to_u64());
    match (by.is_negative(), distance) {
        (false, distance) if !number.is_zero() => {
            let distance = distance.filter(|d| d + number.bits() <= LONGEST as u64)?;
            Some(Value::integer(number << distance))
        }
        (true, Some(distance)) => Some(Value::integer(number >> distance)),
        // Nothing is left of it but the sign.
        (true, None) => Some(Value::Int(if number.is_negative() { -1 } else { 0 })),
        _ => Some(Value::Int(0)),
    }
}
