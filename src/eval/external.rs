//! What external functions compute. Their signatures stand in `machine/external.rs`.
//!
//! All of them are pure: equal arguments give equal results, and nothing is read or written outside.
//! Printing prints nothing, since a search visits states in an order of its own.

use super::code::Code;
use super::compile::Compiler;
use super::env::{Env, Operand};
use super::stop::{FaultKind, Stop};
use crate::machine::external::{Sort, find};
use crate::machine::{Expr, External, Type};
use crate::value::{IndexKind, Names, Shape, Value, sequence};
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{Signed, ToPrimitive, Zero};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a function may want to know besides its arguments.
struct Call {
    types: Vec<Type>,
    shapes: Vec<Shape>,
    result: Shape,
    names: Names,
    statistics: Statistics,
}

/// How many of each the machine has.
#[derive(Clone, Copy)]
struct Statistics {
    constants: usize,
    variables: usize,
    properties: usize,
    invariants: usize,
    operations: usize,
}

impl Statistics {
    fn of(&self, what: &str) -> Option<usize> {
        Some(match what {
            "constants" => self.constants,
            "variables" => self.variables,
            "properties" => self.properties,
            "invariants" => self.invariants,
            "operations" => self.operations,
            _ => return None,
        })
    }
}

/// `None`: the arguments are outside the function's domain.
type Compute = fn(&Call, &[Value]) -> Option<Value>;

/// Longest string that is made, in bytes.
const LONGEST: usize = 1 << 24;
/// Largest number whose factorial is computed.
const LARGEST_FACTORIAL: u32 = 5_000;

/// The code of a function; `None` when it is not known.
fn compute(name: &str) -> Option<Compute> {
    Some(match name {
        "STRING_LENGTH" => |_, a| Some(int(text(&a[0]).chars().count())),
        "STRING_APPEND" => |_, a| string(format!("{}{}", text(&a[0]), text(&a[1]))),
        "STRING_CONC" => |c, a| string(strings(c, a)?.concat()),
        "STRING_SPLIT" => split,
        "STRING_JOIN" => join,
        "STRING_CHARS" => |c, a| {
            let chars = text(&a[0]).chars().map(|ch| Value::String(ch.to_string().into()));
            Some(sequence::from_items(&c.result, chars.collect()))
        },
        "STRING_CODES" => |c, a| {
            let codes = text(&a[0]).chars().map(|ch| Value::Int(i64::from(u32::from(ch))));
            Some(sequence::from_items(&c.result, codes.collect()))
        },
        "CODES_TO_STRING" => codes_to_string,
        "STRING_REV" => |_, a| string(text(&a[0]).chars().rev().collect()),
        "STRING_TO_UPPER" => |_, a| string(text(&a[0]).to_uppercase()),
        "STRING_TO_LOWER" => |_, a| string(text(&a[0]).to_lowercase()),
        "SUB_STRING" => sub_string,
        "STRING_REPLACE" => replace,
        "STRING_CONTAINS_STRING" => |_, a| truth(text(&a[0]).contains(text(&a[1]))),
        "STRING_EQUAL_CASE_INSENSITIVE" => {
            |_, a| truth(text(&a[0]).to_lowercase() == text(&a[1]).to_lowercase())
        }
        "STRING_IS_INT" => |_, a| truth(integer(text(&a[0])).is_some()),
        "STRING_IS_DECIMAL" => |_, a| truth(is_decimal(text(&a[0]))),
        "STRING_IS_NUMBER" => {
            |_, a| truth(integer(text(&a[0])).is_some() || is_decimal(text(&a[0])))
        }
        "STRING_IS_ALPHANUMERIC" => {
            |_, a| truth(!text(&a[0]).is_empty() && text(&a[0]).chars().all(char::is_alphanumeric))
        }
        "STRING_TO_INT" => |_, a| integer(text(&a[0])).map(Value::integer),
        "INT_TO_STRING" => |_, a| string(big(&a[0]).to_string()),
        "INT_TO_HEX_STRING" => |_, a| string(big(&a[0]).to_str_radix(16)),
        "DEC_STRING_TO_INT" => decimal_to_integer,
        "INT_TO_DEC_STRING" => integer_to_decimal,
        "STRING_PADLEFT" => pad_left,
        "TO_STRING" => |c, a| string(shown(c, &c.types[0], &a[0])),
        "FORMAT_TO_STRING" => format_to_string,
        "CHOOSE" => |c, a| c.shapes[0].members(&a[0]).next(),
        "MU" => |c, a| {
            let mut members = c.shapes[0].members(&a[0]);
            members.next().filter(|_| members.next().is_none())
        },
        "SORT" => {
            |c, a| Some(sequence::from_items(&c.result, c.shapes[0].members(&a[0]).collect()))
        }
        "SQUASH" => squash,
        "ABS" => |_, a| Some(Value::integer(big(&a[0]).abs())),
        "SIGN" => |_, a| Some(Value::integer(big(&a[0]).signum())),
        "GCD" => |_, a| Some(Value::integer(big(&a[0]).gcd(&big(&a[1])))),
        "LCM" => |_, a| Some(Value::integer(big(&a[0]).lcm(&big(&a[1])))),
        "MSB" => |_, a| match big(&a[0]) {
            n if n.is_positive() => Some(int(n.bits() as usize - 1)),
            _ => None,
        },
        "FACT" => |_, a| {
            let n = big(&a[0]).to_u32().filter(|n| *n <= LARGEST_FACTORIAL)?;
            Some(Value::integer((1..=n).fold(BigInt::from(1), |product, i| product * i)))
        },
        "ISQRT" => |_, a| match big(&a[0]) {
            n if n.is_negative() => None,
            n => Some(Value::integer(n.sqrt())),
        },
        "MINIMUM" => |_, a| Some(a[0].clone().min(a[1].clone())),
        "MAXIMUM" => |_, a| Some(a[0].clone().max(a[1].clone())),
        "LEQ_SYM" | "LEQ_SYM_BREAK" => |_, a| truth(a[0] <= a[1]),
        "LESS_SYM" | "LESS" => |_, a| truth(a[0] < a[1]),
        "BNOT" => |_, a| Some(Value::integer(!big(&a[0]))),
        "BAND" => |_, a| Some(Value::integer(big(&a[0]) & big(&a[1]))),
        "BOR" => |_, a| Some(Value::integer(big(&a[0]) | big(&a[1]))),
        "BXOR" => |_, a| Some(Value::integer(big(&a[0]) ^ big(&a[1]))),
        "BLSHIFT" => |_, a| shifted(&a[0], &big(&a[1])),
        "BRSHIFT" => |_, a| shifted(&a[0], &-big(&a[1])),
        "ARGC" => |_, _| Some(int(0)),
        "ARGV" => |_, _| None,
        "PROJECT_STATISTICS" => |c, a| c.statistics.of(text(&a[0])).map(int),
        "ASSERT_TRUE" => |_, a| (a[0] == Value::bool(true)).then(|| Value::bool(true)),
        "ASSERT_EXPR" => |_, a| (a[0] == Value::bool(true)).then(|| a[2].clone()),
        "MAXIMIZE" => |c, a| by_first(c, &a[0], |new, best| new > best),
        "MINIMIZE" => |c, a| by_first(c, &a[0], |new, best| new < best),
        "SCCS" => components,
        "vprintf" => |_, a| Some(a[1].clone()),
        "fvprintf" => |_, a| Some(a[2].clone()),
        "printf" | "dprintf" | "printf1" | "printf_nonvar" | "printf_opt_trace" | "fprintf"
        | "dfprintf" | "PRINTF" | "FPRINTF" | "CHECK_DET" | "PRINT" | "DPRINT" | "observe"
        | "observe_silent" | "observe_fun" => |_, _| truth(true),
        _ => return None,
    })
}

/// Whether a function is computed here.
pub fn is_known(name: &str) -> bool {
    compute(name).is_some()
}

impl Compiler<'_> {
    pub fn external(&self, f: External, arguments: &[Expr], e: &Expr, shape: Shape) -> Code {
        let Some(compute) = compute(f.0) else {
            return self.refuse(e.span, format_args!("the external function {}", f.0));
        };
        // What is only printed may be infinite.
        let printed =
            find(f.0).is_some_and(|s| s.library == "LibraryIO.def" && s.result == Sort::Bool);
        let arguments: Vec<&Expr> =
            arguments.iter().filter(|a| !printed || !self.is_infinite(a)).collect();
        let call = Call {
            types: arguments.iter().map(|a| a.ty.clone()).collect(),
            shapes: arguments.iter().map(|a| self.shape(&a.ty)).collect(),
            result: shape.clone(),
            names: self.instance.names.clone(),
            statistics: Statistics {
                constants: self.machine().constants.len(),
                variables: self.machine().variables.len(),
                properties: self.machine().properties.len(),
                invariants: self.machine().invariant.len(),
                operations: self.machine().operations.iter().filter(|o| o.visible).count(),
            },
        };
        let operands: Vec<Operand> = arguments.iter().map(|a| self.operand(a)).collect();
        let values: Vec<_> = arguments.iter().map(|a| self.value(a)).collect();
        let span = e.span;
        self.finish(&shape, move |env| {
            let values = values.iter().map(|f| f(env)).collect::<Result<Vec<_>, _>>()?;
            env.tick()?;
            compute(&call, &values).ok_or_else(|| refused(env, span, &operands, &values))
        })
    }
}

fn refused(
    env: &mut Env,
    span: crate::source::Span,
    operands: &[Operand],
    values: &[Value],
) -> Stop {
    let kind = FaultKind::External;
    match (operands, values) {
        ([a], [x]) => env.fault(kind, span, [(a, x.clone())]),
        ([a, b], [x, y]) => env.fault(kind, span, [(a, x.clone()), (b, y.clone())]),
        ([a, b, c, ..], [x, y, z, ..]) => {
            env.fault(kind, span, [(a, x.clone()), (b, y.clone()), (c, z.clone())])
        }
        _ => env.fault(kind, span, []),
    }
}

// ---- values

fn int(n: usize) -> Value {
    Value::Int(n as i64)
}

fn truth(b: bool) -> Option<Value> {
    Some(Value::bool(b))
}

fn string(s: String) -> Option<Value> {
    (s.len() <= LONGEST).then(|| Value::String(Arc::from(s)))
}

fn text(v: &Value) -> &str {
    match v {
        Value::String(s) => s,
        other => unreachable!("not a string: {other:?}"),
    }
}

fn big(v: &Value) -> BigInt {
    v.to_big().unwrap_or_default()
}

/// The strings of a sequence in the first argument.
fn strings(c: &Call, a: &[Value]) -> Option<Vec<String>> {
    let items = sequence::items(&c.shapes[0], &a[0])?;
    let length: usize = items.iter().map(|s| text(s).len()).sum();
    (length <= LONGEST).then(|| items.iter().map(|s| text(s).to_owned()).collect())
}

// ---- strings

/// `STRING_SPLIT(s, separator)`: the parts between the separators; all of it where there is none.
fn split(c: &Call, a: &[Value]) -> Option<Value> {
    let (whole, separator) = (text(&a[0]), text(&a[1]));
    let parts: Vec<Value> = match separator {
        "" => vec![a[0].clone()],
        _ => whole.split(separator).map(|part| Value::String(part.into())).collect(),
    };
    Some(sequence::from_items(&c.result, parts))
}

fn join(c: &Call, a: &[Value]) -> Option<Value> {
    let parts = strings(c, a)?;
    let separator = text(&a[1]);
    if parts.len().checked_mul(separator.len())? > LONGEST {
        return None;
    }
    string(parts.join(separator))
}

fn codes_to_string(c: &Call, a: &[Value]) -> Option<Value> {
    let codes = sequence::items(&c.shapes[0], &a[0])?;
    let chars: Option<String> =
        codes.iter().map(|n| big(n).to_u32().and_then(char::from_u32)).collect();
    string(chars?)
}

/// `SUB_STRING(s, from, length)`, the first character being number 1; what lies outside the string
/// is not there.
fn sub_string(_: &Call, a: &[Value]) -> Option<Value> {
    let from: BigInt = big(&a[1]) - 1;
    let (skip, lost) = match from.is_negative() {
        true => (BigInt::zero(), -from),
        false => (from, BigInt::zero()),
    };
    let length: BigInt = (big(&a[2]) - lost).max(BigInt::zero());
    let skip = skip.to_usize().unwrap_or(usize::MAX);
    let length = length.to_usize().unwrap_or(usize::MAX);
    string(text(&a[0]).chars().skip(skip).take(length).collect())
}

fn replace(_: &Call, a: &[Value]) -> Option<Value> {
    let (whole, old, new) = (text(&a[0]), text(&a[1]), text(&a[2]));
    if old.is_empty() {
        return Some(a[0].clone());
    }
    let times = whole.matches(old).count();
    (whole.len() + times.checked_mul(new.len())? <= LONGEST)
        .then(|| whole.replace(old, new))
        .and_then(string)
}

fn pad_left(_: &Call, a: &[Value]) -> Option<Value> {
    let (whole, pad) = (text(&a[0]), text(&a[2]));
    let length = big(&a[1]).to_usize().filter(|n| *n <= LONGEST / 4)?;
    let mut one = pad.chars();
    let (pad, None) = (one.next()?, one.next()) else { return None };
    let missing = length.saturating_sub(whole.chars().count());
    string(std::iter::repeat_n(pad, missing).chain(whole.chars()).collect())
}

/// An optional sign and digits.
fn integer(s: &str) -> Option<BigInt> {
    let digits = s.strip_prefix('-').unwrap_or(s);
    let ok = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if ok { s.parse().ok() } else { None }
}

/// An integer, a point, and digits.
fn is_decimal(s: &str) -> bool {
    s.split_once('.').is_some_and(|(whole, fraction)| {
        integer(whole).is_some()
            && !fraction.is_empty()
            && fraction.bytes().all(|b| b.is_ascii_digit())
    })
}

/// `DEC_STRING_TO_INT("1.2", 2)` is 120; what is cut off rounds to the nearest, halves away from
/// zero.
fn decimal_to_integer(_: &Call, a: &[Value]) -> Option<Value> {
    let s = text(&a[0]).trim();
    let (whole, fraction) = s.split_once('.').unwrap_or((s, ""));
    let exponent = big(&a[1]).to_i32().filter(|n| n.unsigned_abs() <= 10_000)?;
    integer(whole)?;
    if !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let negative = whole.starts_with('-');
    let digits: BigInt = format!("{}{fraction}", whole.trim_start_matches('-')).parse().ok()?;
    let shift = exponent - i32::try_from(fraction.len()).ok()?;
    let ten = BigInt::from(10);
    let scaled = if shift >= 0 {
        digits * ten.pow(shift.unsigned_abs())
    } else {
        let unit = ten.pow(shift.unsigned_abs());
        (digits * 2 + &unit) / (unit * 2)
    };
    Some(Value::integer(if negative { -scaled } else { scaled }))
}

/// `INT_TO_DEC_STRING(1204, 2)` is `12.04`.
fn integer_to_decimal(_: &Call, a: &[Value]) -> Option<Value> {
    let n = big(&a[0]);
    let places = big(&a[1]).to_i32().filter(|n| n.unsigned_abs() <= 10_000)?;
    let sign = if n.is_negative() { "-" } else { "" };
    let mut digits = n.abs().to_string();
    if places <= 0 {
        let zeros = if n.is_zero() { 0 } else { places.unsigned_abs() as usize };
        return string(format!("{sign}{digits}{}", "0".repeat(zeros)));
    }
    let places = places as usize;
    if digits.len() <= places {
        digits = format!("{}{digits}", "0".repeat(places + 1 - digits.len()));
    }
    let (whole, fraction) = digits.split_at(digits.len() - places);
    string(format!("{sign}{whole}.{fraction}"))
}

/// A value as text; strings without quotation marks.
fn shown(c: &Call, ty: &Type, v: &Value) -> String {
    match v {
        Value::String(s) => s.to_string(),
        _ => c.names.show(ty, v),
    }
}

/// Each `~w`, `~p` of the format takes the next value, `~n` is a new line, `~~` a tilde.
fn format_to_string(c: &Call, a: &[Value]) -> Option<Value> {
    let items = sequence::items(&c.shapes[1], &a[1])?;
    let (_, ty) = c.types[1].relation_sides()?;
    let mut items = items.iter();
    let mut out = String::new();
    let mut format = text(&a[0]).chars();
    while let Some(ch) = format.next() {
        if ch != '~' {
            out.push(ch);
            continue;
        }
        match format.next()? {
            'w' | 'p' | 's' | 'd' => out.push_str(&shown(c, ty, items.next()?)),
            'n' => out.push('\n'),
            '~' => out.push('~'),
            _ => return None,
        }
    }
    string(out)
}

// ---- numbers

/// A number shifted to the left, or to the right by a negative distance.
fn shifted(number: &Value, by: &BigInt) -> Option<Value> {
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

// ---- sets and sequences

/// The first member whose first component is the best.
fn by_first(c: &Call, set: &Value, better: fn(&Value, &Value) -> bool) -> Option<Value> {
    let mut best: Option<(Value, Value)> = None;
    for member in c.shapes[0].members(set) {
        let (mut shape, mut first) = (c.shapes[0].element(), member.clone());
        while is_pair(&shape) {
            first = shape.split(&first).0;
            shape = shape.sides().0;
        }
        if best.as_ref().is_none_or(|(known, _)| better(&first, known)) {
            best = Some((first, member));
        }
    }
    best.map(|(_, member)| member)
}

fn is_pair(shape: &Shape) -> bool {
    match shape {
        Shape::Pair(_) => true,
        Shape::Index(universe) => matches!(universe.kind, IndexKind::Pair(..)),
        _ => false,
    }
}

/// The strongly connected components of a relation.
fn components(c: &Call, a: &[Value]) -> Option<Value> {
    let shape = &c.shapes[0];
    let component = c.result.element();
    let edges: Vec<(Value, Value)> =
        shape.members(&a[0]).map(|v| shape.element().split(&v)).collect();
    let mut forward: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    let mut backward: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for (x, y) in &edges {
        forward.entry(x.clone()).or_default().push(y.clone());
        forward.entry(y.clone()).or_default();
        backward.entry(y.clone()).or_default().push(x.clone());
    }
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    for node in forward.keys() {
        finished(node, &forward, &mut seen, &mut order);
    }
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for node in order.iter().rev() {
        let mut members = Vec::new();
        finished(node, &backward, &mut seen, &mut members);
        if !members.is_empty() {
            found.push(component.collect(members));
        }
    }
    Some(c.result.collect(found))
}

/// What is reached from a node for the first time, each after all that it leads to.
fn finished(
    from: &Value,
    edges: &BTreeMap<Value, Vec<Value>>,
    seen: &mut BTreeSet<Value>,
    order: &mut Vec<Value>,
) {
    let mut way: Vec<(&Value, usize)> = Vec::new();
    if seen.insert(from.clone()) {
        way.push((from, 0));
    }
    while let Some((node, next)) = way.pop() {
        let targets = edges.get(node).map_or(&[][..], Vec::as_slice);
        match targets.get(next) {
            None => order.push(node.clone()),
            Some(target) => {
                way.push((node, next + 1));
                if seen.insert(target.clone()) {
                    way.push((target, 0));
                }
            }
        }
    }
}

/// The values of a function on integers, in the order of its arguments.
fn squash(c: &Call, a: &[Value]) -> Option<Value> {
    let shape = &c.shapes[0];
    let pairs = shape.element();
    let mut found: Vec<(Value, Value)> = shape.members(&a[0]).map(|v| pairs.split(&v)).collect();
    found.sort();
    if found.windows(2).any(|w| w[0].0 == w[1].0) {
        return None;
    }
    Some(sequence::from_items(&c.result, found.into_iter().map(|(_, v)| v).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::external::TABLE;

    #[test]
    fn every_signature_has_an_implementation_and_a_name_of_its_own() {
        for (i, signature) in TABLE.iter().enumerate() {
            assert!(is_known(signature.name), "{} computes nothing", signature.name);
            assert!(TABLE[..i].iter().all(|s| s.name != signature.name), "{}", signature.name);
        }
    }

    #[test]
    fn numbers_as_text() {
        assert_eq!(integer("-12"), Some(BigInt::from(-12)));
        assert_eq!(integer("+1"), None);
        assert_eq!(integer("-"), None);
        assert!(is_decimal("-1.50") && !is_decimal("1.") && !is_decimal(".5") && !is_decimal("1"));
    }
}
