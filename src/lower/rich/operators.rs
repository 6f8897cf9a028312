//! The operators on values: what each does, and how it is told.
//!
//! A further operator is a further line in `of` and in `text`, and the place of the evaluator that lowers to it.

use super::super::env::{Env, Operand};
use super::super::metered::metered;
use super::super::stop::{FaultKind, Stop};
use crate::machine::{BinaryOp, UnaryOp};
use crate::source::Span;
use crate::value::sequence::SequenceError;
use crate::value::{Joined, Shape, Value, enumerate, relation, sequence};
use num_integer::Integer as _;
use num_traits::{Signed, ToPrimitive};
use std::ops::ControlFlow;

/// An operator of one operand, at a place.
pub struct OfOne {
    pub op: UnaryOp,
    /// The shapes of the operand and of the result.
    pub arg: Shape,
    pub out: Shape,
    pub span: Span,
    /// What is told of the operand.
    pub operand: Operand,
}

impl OfOne {
    /// # Errors
    /// The operator has no value for this operand, or a limit was reached.
    pub fn of(&self, v: Value, env: &mut Env) -> Result<Value, Stop> {
        use UnaryOp::*;
        let OfOne { op, arg, out, span, operand } = self;
        let bad = |env: &mut Env, kind, v| Err(env.fault(kind, *span, [(operand, v)]));
        if let Inverse | Dom | Ran | Id | Fnc | Reverse | Front | Tail = op {
            env.tick_by(length(&v))?;
        }
        Ok(match op {
            NegateReal => Value::real(-real_of(&v)),
            ToReal => match v.to_big().and_then(|n| n.to_f64()).filter(|r| r.is_finite()) {
                Some(r) => Value::real(r),
                None => return bad(env, FaultKind::RealOutOfRange, v),
            },
            Floor => integer_of(real_of(&v).floor()),
            Ceiling => integer_of(real_of(&v).ceil()),
            First => arg.split(&v).0,
            Second => arg.split(&v).1,
            Card => Value::Int(arg.card(&v) as i64),
            Max | MaxReal => match arg.members(&v).last() {
                Some(m) => m,
                None => return bad(env, FaultKind::MaxOfEmpty, v),
            },
            Min | MinReal => match arg.members(&v).next() {
                Some(m) => m,
                None => return bad(env, FaultKind::MinOfEmpty, v),
            },
            Union => {
                let mut union = Joined::default();
                metered(env, *span, |meter| {
                    for set in arg.members(&v) {
                        union.add(out, set, meter)?;
                    }
                    union.all(out, meter)
                })?
            }
            Inter => match arg.members(&v).reduce(|all, s| out.intersection(&all, &s)) {
                Some(all) => all,
                None => return bad(env, FaultKind::InterOfEmpty, v),
            },
            Inverse => relation::inverse(arg, out, &v),
            Dom => relation::domain(arg, out, &v),
            Ran => relation::range(arg, out, &v),
            Id => relation::identity(arg, out, &v),
            Closure1 => metered(env, *span, |meter| relation::closure1(arg, &v, meter))?,
            Fnc => relation::fnc(arg, out, &v),
            Rel => metered(env, *span, |meter| relation::rel_of(arg, out, &v, meter))?,
            Size | Reverse | Conc | SeqFirst | SeqLast | Front | Tail => {
                let result = match op {
                    Size => sequence::size(arg, &v).map(|n| Value::Int(n as i64)),
                    Reverse => sequence::reverse(arg, &v),
                    Conc => {
                        env.room_for(sequence::total_length(arg, out, &v), *span)?;
                        sequence::conc(arg, out, &v)
                    }
                    SeqFirst => sequence::first(arg, &v),
                    SeqLast => sequence::last(arg, &v),
                    Front => sequence::front(arg, &v),
                    _ => sequence::tail(arg, &v),
                };
                match result {
                    Ok(result) => result,
                    Err(SequenceError::Empty) => {
                        return bad(env, FaultKind::EmptySequence(*op), v);
                    }
                    Err(why) => return bad(env, fault_of(why), v),
                }
            }
            Negate | Pow | Pow1 | Fin | Fin1 | Seq | Seq1 | Iseq | Iseq1 | Perm | Closure => {
                unreachable!("{op:?} is lowered elsewhere")
            }
        })
    }

    pub fn text(&self, x: &str) -> String {
        use UnaryOp::*;
        let name = match self.op {
            NegateReal => return format!("-{x}"),
            Inverse => return format!("{x}~"),
            ToReal => "real",
            Floor => "floor",
            Ceiling => "ceiling",
            First => "prj1",
            Second => "prj2",
            Card => "card",
            Max | MaxReal => "max",
            Min | MinReal => "min",
            Union => "union",
            Inter => "inter",
            Dom => "dom",
            Ran => "ran",
            Id => "id",
            Closure1 => "closure1",
            Fnc => "fnc",
            Rel => "rel",
            Size => "size",
            Reverse => "rev",
            Conc => "conc",
            SeqFirst => "first",
            SeqLast => "last",
            Front => "front",
            Tail => "tail",
            Negate | Pow | Pow1 | Fin | Fin1 | Seq | Seq1 | Iseq | Iseq1 | Perm | Closure => {
                unreachable!("{:?} is lowered elsewhere", self.op)
            }
        };
        format!("{name}({x})")
    }
}

/// An operator of two operands, at a place.
pub struct OfTwo {
    pub op: BinaryOp,
    /// The shapes of the operands and of the result.
    pub left: Shape,
    pub right: Shape,
    pub out: Shape,
    pub span: Span,
    /// What is told of the operands.
    pub operands: (Operand, Operand),
}

impl OfTwo {
    /// # Errors
    /// The operator has no value for these operands, or a limit was reached.
    pub fn of(&self, x: Value, y: Value, env: &mut Env) -> Result<Value, Stop> {
        use BinaryOp::*;
        let OfTwo { op, left, right, out, span, .. } = self;
        // These go through their operands.
        if let Union | Intersection | Difference | DomainRestrict | DomainSubtract | RangeRestrict
        | RangeSubtract | Override | Concat | Prepend | Append | Take | Drop = op
        {
            env.tick_by(length(&x) + length(&y))?;
        }
        Ok(match op {
            AddReal | SubtractReal | MultiplyReal | DivideReal | PowerReal => {
                return self.of_reals(x, y, env);
            }
            Union => {
                let all = out.union(&x, &y);
                env.room_for(out.card(&all), *span)?;
                all
            }
            Intersection => out.intersection(&x, &y),
            Difference => out.difference(&x, &y),
            Apply => match relation::apply(left, &x, &y) {
                Ok(result) => result,
                Err(why) => return Err(self.fault(why.into(), x, y, env)),
            },
            Image => relation::image(left, out, &x, &y),
            DomainRestrict => relation::domain_restrict(out, &x, &y),
            DomainSubtract => relation::domain_subtract(out, &x, &y),
            RangeRestrict => relation::range_restrict(out, &x, &y),
            RangeSubtract => relation::range_subtract(out, &x, &y),
            Override => {
                env.tick()?;
                relation::overriding(out, &x, &y)
            }
            Product | ParallelProduct | Projection1 | Projection2 => {
                env.tick()?;
                env.room_for(left.card(&x).saturating_mul(right.card(&y)), *span)?;
                match op {
                    Product => relation::product(left, right, out, &x, &y),
                    ParallelProduct => relation::parallel(left, right, out, &x, &y),
                    Projection1 => relation::projection1(left, right, out, &x, &y),
                    _ => relation::projection2(left, right, out, &x, &y),
                }
            }
            Compose => {
                metered(env, *span, |meter| relation::compose(left, right, out, &x, &y, meter))?
            }
            DirectProduct => {
                metered(env, *span, |meter| relation::direct(left, right, out, &x, &y, meter))?
            }
            Iterate => return self.iterated(x, y, env),
            Concat | Prepend | Append | Take | Drop => {
                let result = match op {
                    Concat => {
                        env.room_for(out.card(&x) + out.card(&y), *span)?;
                        sequence::concat(out, &x, &y)
                    }
                    Prepend => sequence::prepend(out, x.clone(), &y),
                    Append => sequence::append(out, &x, y.clone()),
                    Take => sequence::take(out, &x, &y),
                    _ => sequence::drop(out, &x, &y),
                };
                match result {
                    Ok(result) => result,
                    Err(why) => return Err(self.fault(fault_of(why), x, y, env)),
                }
            }
            _ => unreachable!("{op:?} is lowered elsewhere"),
        })
    }

    #[cold]
    fn fault(&self, kind: FaultKind, x: Value, y: Value, env: &mut Env) -> Stop {
        let (a, b) = &self.operands;
        env.fault(kind, self.span, [(a, x), (b, y)])
    }

    /// The exponent of a power may be an integer.
    fn of_reals(&self, x: Value, y: Value, env: &mut Env) -> Result<Value, Stop> {
        let integer_exponent = self.right == Shape::Integer;
        let a = real_of(&x);
        let b = match integer_exponent {
            // Infinite where it is too large.
            true => y.to_big().and_then(|n| n.to_f64()).unwrap_or(f64::NAN),
            false => real_of(&y),
        };
        let result = match self.op {
            BinaryOp::AddReal => a + b,
            BinaryOp::SubtractReal => a - b,
            BinaryOp::MultiplyReal => a * b,
            BinaryOp::DivideReal if b == 0.0 => {
                return Err(self.fault(FaultKind::DivisionByZero, x, y, env));
            }
            BinaryOp::DivideReal => a / b,
            // As a real a large exponent may have lost whether it is odd.
            _ if y.to_big().is_some_and(|n| n.is_odd()) => a.abs().powf(b).copysign(a),
            _ if integer_exponent => a.abs().powf(b),
            _ => a.powf(b),
        };
        match result.is_finite() {
            true => Ok(Value::real(result)),
            false => Err(self.fault(FaultKind::RealOutOfRange, x, y, env)),
        }
    }

    /// `iterate(r, n)`; of no times the identity on the type.
    fn iterated(&self, r: Value, times: Value, env: &mut Env) -> Result<Value, Stop> {
        let OfTwo { left, out, span, operands, .. } = self;
        env.tick()?;
        let n = match times.to_big() {
            Some(n) if !n.is_negative() => n,
            _ => {
                return Err(env.fault(FaultKind::NegativeIteration, *span, [(&operands.1, times)]));
            }
        };
        if n.magnitude().bits() > 0 {
            return metered(env, *span, |meter| relation::iterate(left, &r, n.magnitude(), meter));
        }
        let elements = left.element().sides().0;
        let Some(size) = elements.count() else {
            return Err(env.fault(FaultKind::InfiniteSet, *span, [(&operands.1, times)]));
        };
        env.room_for(usize::try_from(size).unwrap_or(usize::MAX), *span)?;
        let mut all = Vec::new();
        let end = enumerate::all(&elements, &mut |v| {
            all.push(v);
            env.tick().map_or_else(ControlFlow::Break, ControlFlow::Continue)
        });
        if let ControlFlow::Break(stop) = end {
            return Err(stop);
        }
        let set = Shape::set_of(elements);
        Ok(relation::identity(&set, out, &set.collect(all)))
    }

    pub fn text(&self, x: &str, y: &str) -> String {
        use BinaryOp::*;
        let sign = match self.op {
            AddReal => "+",
            SubtractReal => "-",
            MultiplyReal => "*",
            DivideReal => "/",
            PowerReal => "**",
            Union => "\\/",
            Intersection => "/\\",
            Difference => "\\",
            Product => "*",
            Compose => ";",
            ParallelProduct => "||",
            DirectProduct => "><",
            Override => "<+",
            DomainRestrict => "<|",
            DomainSubtract => "<<|",
            RangeRestrict => "|>",
            RangeSubtract => "|>>",
            Concat => "^",
            Prepend => "->",
            Append => "<-",
            Take => "/|\\",
            Drop => "\\|/",
            Apply => return format!("{x}({y})"),
            Image => return format!("{x}[{y}]"),
            Iterate => return format!("iterate({x}, {y})"),
            Projection1 => return format!("prj1({x}, {y})"),
            Projection2 => return format!("prj2({x}, {y})"),
            _ => unreachable!("{:?} is lowered elsewhere", self.op),
        };
        format!("({x} {sign} {y})")
    }
}

/// Members of a set that is a list.
fn length(v: &Value) -> usize {
    match v {
        Value::Set(_) | Value::Table(..) => Shape::Integer.card(v),
        _ => 0,
    }
}

pub fn real_of(v: &Value) -> f64 {
    match v {
        Value::Real(r) => *r,
        other => unreachable!("not a real: {other:?}"),
    }
}

/// The integer of a real without fractional part, exactly.
pub fn integer_of(r: f64) -> Value {
    match num_traits::FromPrimitive::from_f64(r) {
        Some(n) => Value::integer(n),
        None => unreachable!("reals are finite: {r}"),
    }
}

fn fault_of(why: SequenceError) -> FaultKind {
    match why {
        SequenceError::NotSequence => FaultKind::NotASequence,
        SequenceError::Empty => unreachable!("of first, last, front and tail alone"),
        SequenceError::OutOfRange => FaultKind::TakeOutOfRange,
    }
}
