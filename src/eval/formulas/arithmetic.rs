//! Numbers: operators on integers and reals, as nodes on words and on values.

use crate::eval::compile::Compiler;
use crate::lower::code::Code;
use crate::lower::env::TooLarge;
use crate::lower::stop::FaultKind;
use crate::lower::word::At;
use crate::lower::{Arithmetic, Order, Partial, Relation, Test, Word};
use crate::machine::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::value::{Shape, Value};
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{Signed, ToPrimitive, Zero};

impl Compiler<'_> {
    pub(super) fn negate(&self, a: &Expr, shape: &Shape) -> Code {
        if self.exact {
            let a = self.value(a);
            return self.finish(shape, move |env| {
                Ok(arithmetic(BinaryOp::Subtract, &Value::Int(0), &a(env)?))
            });
        }
        Code::Word(Word::Negate(Box::new(self.word(a))))
    }

    pub(super) fn integer_operator(
        &self,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        e: &Expr,
        shape: &Shape,
    ) -> Code {
        let span = e.span;
        let (a_operand, b_operand) = (self.operand(a), self.operand(b));
        if self.exact {
            let (a, b) = (self.value(a), self.value(b));
            return self.finish(shape, move |env| {
                let (x, y) = (a(env)?, b(env)?);
                env.tick_by(steps_of(op, &x, &y))?;
                if words_of(op, &x, &y) > LONGEST_NUMBER {
                    return Err(env.too_large(span, TooLarge::Bits(64 * LONGEST_NUMBER)));
                }
                match fault_of(op, &x, &y) {
                    Some(kind) => Err(env.fault(kind, span, [(&a_operand, x), (&b_operand, y)])),
                    None => Ok(arithmetic(op, &x, &y)),
                }
            });
        }
        let (a, b) = (self.word(a), self.word(b));
        match op {
            BinaryOp::Add => Code::Word(Word::Number(Arithmetic::Add, Word::both(a, b))),
            BinaryOp::Subtract => Code::Word(Word::Number(Arithmetic::Subtract, Word::both(a, b))),
            BinaryOp::Multiply => Code::Word(Word::Number(Arithmetic::Multiply, Word::both(a, b))),
            _ => {
                let op = match op {
                    BinaryOp::Divide => Partial::Divide,
                    BinaryOp::Modulo => Partial::Modulo,
                    _ => Partial::Power,
                };
                let at = At { span, operands: (a_operand, b_operand) };
                Code::Word(Word::Partial(op, Word::both(a, b), Box::new(at)))
            }
        }
    }

    /// `max({x, y})`, `min({x, y})` and `card(a..b)`: no set is built.
    pub(super) fn word_of_few(&self, op: UnaryOp, set: &Expr) -> Option<Word> {
        if self.exact {
            return None;
        }
        match (op, &set.kind) {
            (UnaryOp::Max, ExprKind::SetExtension(items)) => {
                self.extreme(Arithmetic::Greater, items)
            }
            (UnaryOp::Min, ExprKind::SetExtension(items)) => {
                self.extreme(Arithmetic::Lesser, items)
            }
            (UnaryOp::Card, ExprKind::Binary(BinaryOp::Interval, low, high)) => {
                let number = |op, a, b| Word::Number(op, Word::both(a, b));
                let apart = number(Arithmetic::Subtract, self.word(high), self.word(low));
                let length = number(Arithmetic::Add, apart, Word::Constant(1));
                Some(number(Arithmetic::Greater, length, Word::Constant(0)))
            }
            _ => None,
        }
    }

    /// The greatest or the least of some numbers.
    fn extreme<'e>(&self, op: Arithmetic, of: impl IntoIterator<Item = &'e Expr>) -> Option<Word> {
        let words = of.into_iter().map(|e| self.word(e));
        words.reduce(|a, b| Word::Number(op, Word::both(a, b)))
    }

    /// `a = {}`, where `a` is an interval, or what intervals have in common: by their bounds.
    pub(super) fn interval_is_empty(&self, a: &Expr, b: &Expr) -> Option<Test> {
        let a = match (&a.kind, &b.kind) {
            (_, ExprKind::Empty) => a,
            (ExprKind::Empty, _) => b,
            _ => return None,
        };
        if self.exact {
            return None;
        }
        let (mut lows, mut highs) = (Vec::new(), Vec::new());
        bounds_of_common(a, &mut lows, &mut highs)?;
        let low = self.extreme(Arithmetic::Greater, lows)?;
        let high = self.extreme(Arithmetic::Lesser, highs)?;
        Some(Test::compare(Relation::Ordered(Order::Greater), low, high))
    }
}

/// Why an integer operator has no value for these operands.
pub(super) fn fault_of(op: BinaryOp, x: &Value, y: &Value) -> Option<FaultKind> {
    let zero = Value::Int(0);
    match op {
        BinaryOp::Divide if *y == zero => Some(FaultKind::DivisionByZero),
        BinaryOp::Modulo if *x < zero || *y <= zero => Some(FaultKind::ModuloDomain),
        BinaryOp::Power if *y < zero => Some(FaultKind::NegativeExponent),
        _ => None,
    }
}

/// Integer operators on values of any size, for operands for which [`fault_of`] finds nothing.
/// Division rounds towards zero.
pub fn arithmetic(op: BinaryOp, x: &Value, y: &Value) -> Value {
    if let (Value::Int(a), Value::Int(b)) = (x, y) {
        let small = match op {
            BinaryOp::Add => a.checked_add(*b),
            BinaryOp::Subtract => a.checked_sub(*b),
            BinaryOp::Multiply => a.checked_mul(*b),
            BinaryOp::Divide => a.checked_div(*b),
            BinaryOp::Modulo => a.checked_rem(*b),
            _ => u32::try_from(*b).ok().and_then(|b| a.checked_pow(b)),
        };
        if let Some(n) = small {
            return Value::Int(n);
        }
    }
    let (Some(a), Some(b)) = (x.to_big(), y.to_big()) else { return Value::Int(0) };
    Value::integer(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => a / b,
        BinaryOp::Modulo => a.mod_floor(&b),
        _ => power(a, &b),
    })
}

pub(super) fn power(base: BigInt, exponent: &BigInt) -> BigInt {
    if exponent.is_zero() {
        return BigInt::from(1);
    }
    match exponent.to_u32() {
        Some(n) => base.pow(n),
        // Only 0, 1 and -1 have powers of that size that can be written down.
        None if base.is_zero() => base,
        None if base.is_negative() && exponent.is_even() => -base,
        None => base,
    }
}

/// Longest number that is computed, in words of 64 bits. Division takes quadratic time, and nothing
/// ends one operation on two numbers: at this length the longest takes about a second.
pub(super) const LONGEST_NUMBER: u64 = 1 << 16;

/// About how many steps an operation on long numbers takes, for the clock.
fn steps_of(op: BinaryOp, x: &Value, y: &Value) -> usize {
    let words = |v: &Value| match v {
        Value::Big(n) => (n.bits() / 64) as usize,
        _ => 0,
    };
    match op {
        BinaryOp::Add | BinaryOp::Subtract => words(x).max(words(y)) / 64,
        _ => words(x).saturating_mul(words(y).max(1)) / 64,
    }
}

/// About how many words the result of an operator has.
pub(super) fn words_of(op: BinaryOp, x: &Value, y: &Value) -> u64 {
    let bits = |v: &Value| match v {
        Value::Int(n) => u64::from(64 - n.unsigned_abs().leading_zeros()),
        Value::Big(n) => n.bits(),
        _ => 0,
    };
    match op {
        BinaryOp::Multiply => (bits(x) + bits(y)) / 64,
        BinaryOp::Power if bits(x) > 1 => {
            let times = y.to_big().and_then(|n| n.to_u64()).unwrap_or(u64::MAX);
            if *y < Value::Int(0) { 0 } else { bits(x).saturating_mul(times) / 64 }
        }
        _ => 0,
    }
}

/// The bounds of the intervals of which a set is what they have in common.
fn bounds_of_common<'e>(
    set: &'e Expr,
    lows: &mut Vec<&'e Expr>,
    highs: &mut Vec<&'e Expr>,
) -> Option<()> {
    match &set.kind {
        ExprKind::Binary(BinaryOp::Interval, low, high) => {
            lows.push(low);
            highs.push(high);
            Some(())
        }
        ExprKind::Binary(BinaryOp::Intersection, a, b) => {
            bounds_of_common(a, lows, highs)?;
            bounds_of_common(b, lows, highs)
        }
        _ => None,
    }
}
