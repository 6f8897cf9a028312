//! What external functions on real numbers compute.

use super::{Call, Compute, big, string};
use crate::value::Value;
use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};

/// So many digits behind the point tell all of any number.
const MOST_DIGITS: usize = 1_100;

/// Each by its name, but for those that go to integers or from them.
pub(super) fn compute(name: &str) -> Option<Compute> {
    Some(match name {
        "RPI" => |_, _| real(std::f64::consts::PI),
        "REULER" => |_, _| real(std::f64::consts::E),
        "RZERO" => |_, _| real(0.0),
        "RONE" => |_, _| real(1.0),
        "REPSILON" => |_, _| real(f64::EPSILON),
        "RMAXFLOAT" => |_, _| real(f64::MAX),
        "RNEXT" => |_, a| real(of(&a[0])?.next_up()),
        "RPREV" => |_, a| real(of(&a[0])?.next_down()),
        "RADD" => |_, a| real(of(&a[0])? + of(&a[1])?),
        "RSUB" => |_, a| real(of(&a[0])? - of(&a[1])?),
        "RMUL" => |_, a| real(of(&a[0])? * of(&a[1])?),
        "RDIV" => |_, a| real(of(&a[0])? / of(&a[1])?),
        "RPOW" => |_, a| real(of(&a[0])?.powf(of(&a[1])?)),
        "RMAX" => |_, a| real(of(&a[0])?.max(of(&a[1])?)),
        "RMIN" => |_, a| real(of(&a[0])?.min(of(&a[1])?)),
        "RLOG" => |_, a| real(logarithm(of(&a[0])?, of(&a[1])?)),
        "RLOGe" => |_, a| real(of(&a[0])?.ln()),
        "REXP" => |_, a| real(of(&a[0])?.exp()),
        "RSQRT" => |_, a| real(of(&a[0])?.sqrt()),
        "RABS" => |_, a| real(of(&a[0])?.abs()),
        "RSIGN" => |_, a| real(sign(of(&a[0])?)),
        "RSIN" => |_, a| real(of(&a[0])?.sin()),
        "RCOS" => |_, a| real(of(&a[0])?.cos()),
        "RTAN" => |_, a| real(of(&a[0])?.tan()),
        "RCOT" => |_, a| real(of(&a[0])?.tan().recip()),
        "RASIN" => |_, a| real(of(&a[0])?.asin()),
        "RACOS" => |_, a| real(of(&a[0])?.acos()),
        "RATAN" => |_, a| real(of(&a[0])?.atan()),
        "RSINH" => |_, a| real(of(&a[0])?.sinh()),
        "RCOSH" => |_, a| real(of(&a[0])?.cosh()),
        "RTANH" => |_, a| real(of(&a[0])?.tanh()),
        "REAL_TO_DEC_STRING" => decimal,
        "RINTEGER" => |_, a| real(big(&a[0]).to_f64()?),
        "ROUND" => rounded,
        "RLT" => |_, a| Some(Value::bool(of(&a[0])? < of(&a[1])?)),
        "RGT" => |_, a| Some(Value::bool(of(&a[0])? > of(&a[1])?)),
        "RLEQ" => |_, a| Some(Value::bool(of(&a[0])? <= of(&a[1])?)),
        "RGEQ" => |_, a| Some(Value::bool(of(&a[0])? >= of(&a[1])?)),
        _ => return None,
    })
}

/// A number with so many digits behind the point: `REAL_TO_DEC_STRING(2.5, 3)` is `2.500`.
fn decimal(_: &Call, a: &[Value]) -> Option<Value> {
    let digits = big(&a[1]).to_usize().filter(|digits| *digits <= MOST_DIGITS)?;
    string(format!("{:.*}", digits, of(&a[0])?))
}

fn of(v: &Value) -> Option<f64> {
    match v {
        Value::Real(r) => Some(*r),
        _ => None,
    }
}

/// A number, where there is one: not of a division by zero, or the root of what is negative.
fn real(r: f64) -> Option<Value> {
    r.is_finite().then(|| Value::real(r))
}

/// The logarithm to a base; exact where there is one for it.
fn logarithm(base: f64, x: f64) -> f64 {
    match base {
        2.0 => x.log2(),
        10.0 => x.log10(),
        _ => x.log(base),
    }
}

fn sign(r: f64) -> f64 {
    match r == 0.0 {
        true => 0.0,
        false => r.signum(),
    }
}

/// The nearest integer, halves away from zero.
fn rounded(_: &Call, a: &[Value]) -> Option<Value> {
    BigInt::from_f64(of(&a[0])?.round()).map(Value::integer)
}
