//! What external functions compute. Their signatures stand in `machine/external.rs`.
//!
//! Equal arguments give equal results, those of chance too, which depend on the seed beside them: a search
//! visits states in an order of its own. For the same reason printing prints nothing, and nothing is
//! written. Files are read where the machine was loaded with leave to ([`Outside`]), each once.

mod chance;
mod cores;
mod documents;
mod domains;
mod files;
mod moments;
mod numbers;
mod patterns;
mod reals;
mod sets;
mod tables;
mod text;

use crate::eval::compile::Compiler;
use crate::lower::code::Code;
use crate::lower::env::{Env, Operand};
use crate::lower::stop::{FaultKind, Stop};
use crate::machine::external::{Sort, find};
use crate::machine::{BasicSet, Expr, ExprKind, External, Type};
use crate::state::Outside;
use crate::value::{Names, Shape, Value, sequence};
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::Signed;
use patterns::Patterns;
use std::sync::{Arc, Mutex};

/// What a function may want to know besides its arguments.
struct Call {
    name: &'static str,
    outside: Arc<Outside>,
    /// Regular expressions that were made before.
    patterns: Mutex<Patterns>,
    result_type: Type,
    types: Vec<Type>,
    shapes: Vec<Shape>,
    result: Shape,
    names: Names,
    statistics: Statistics,
}

impl Call {
    /// Its arguments are not those that the function takes.
    fn refusal(&self) -> FaultKind {
        FaultKind::External(domains::asked_by(self.name))
    }
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

/// What a function on its arguments alone computes. `None`: these are outside its domain.
type Compute = fn(&Call, &[Value]) -> Option<Value>;

/// What a function computes that asks for something outside, or why it does not.
type Ask = fn(&Call, &[Value]) -> Result<Value, FaultKind>;

/// Longest string that is made, in bytes.
const LONGEST: usize = 1 << 24;

/// The code of a function; `None` when it is not known.
fn compute(name: &str) -> Option<Compute> {
    Some(match name {
        "STRING_LENGTH" => |_, a| Some(int(text(&a[0]).chars().count())),
        "STRING_APPEND" => |_, a| string(format!("{}{}", text(&a[0]), text(&a[1]))),
        "STRING_CONC" => |c, a| string(strings(c, a)?.concat()),
        "STRING_SPLIT" => text::split,
        "STRING_JOIN" => text::join,
        "STRING_CHARS" => |c, a| {
            let chars = text(&a[0]).chars().map(|ch| Value::String(ch.to_string().into()));
            Some(sequence::from_items(&c.result, chars.collect()))
        },
        "STRING_CODES" => |c, a| {
            let codes = text(&a[0]).chars().map(|ch| Value::Int(i64::from(u32::from(ch))));
            Some(sequence::from_items(&c.result, codes.collect()))
        },
        "CODES_TO_STRING" => text::codes_to_string,
        "STRING_REV" => |_, a| string(text(&a[0]).chars().rev().collect()),
        "STRING_TO_UPPER" => |_, a| string(text::plain(text(&a[0])).to_uppercase()),
        "STRING_TO_LOWER" => |_, a| string(text::plain(text(&a[0])).to_lowercase()),
        "SUB_STRING" => text::sub_string,
        "STRING_REPLACE" => text::replace,
        "STRING_CONTAINS_STRING" => |_, a| truth(text(&a[0]).contains(text(&a[1]))),
        "STRING_EQUAL_CASE_INSENSITIVE" => {
            |_, a| truth(text(&a[0]).to_lowercase() == text(&a[1]).to_lowercase())
        }
        "STRING_IS_INT" => |_, a| truth(text::integer(text(&a[0])).is_some()),
        "STRING_IS_DECIMAL" => |_, a| truth(text::is_decimal(text(&a[0]))),
        "STRING_IS_NUMBER" => {
            |_, a| truth(text::integer(text(&a[0])).is_some() || text::is_decimal(text(&a[0])))
        }
        "STRING_IS_ALPHANUMERIC" => {
            |_, a| truth(!text(&a[0]).is_empty() && text(&a[0]).chars().all(char::is_alphanumeric))
        }
        "STRING_TO_INT" => |_, a| text::integer(text(&a[0])).map(Value::integer),
        "INT_TO_STRING" => |_, a| string(big(&a[0]).to_string()),
        "INT_TO_HEX_STRING" => |_, a| string(big(&a[0]).to_str_radix(16)),
        "DEC_STRING_TO_INT" => text::decimal_to_integer,
        "INT_TO_DEC_STRING" => text::integer_to_decimal,
        "STRING_PADLEFT" => text::pad_left,
        "TO_STRING" | "STRINGIFY" => |c, a| string(text::shown(c, &c.types[0], &a[0])),
        "FORMAT_TO_STRING" => text::format_to_string,
        "STRING_TO_ENUM" => |c, a| tables::element(c, &c.result_type, text(&a[0])),
        "TYPED_STRING_TO_ENUM" => |c, a| {
            let element = tables::element(c, &c.result_type, text(&a[1]))?;
            c.shapes[0].contains(&a[0], &element).then_some(element)
        },
        "CHOOSE" => |c, a| c.shapes[0].members(&a[0]).next(),
        "MU" => |c, a| {
            let mut members = c.shapes[0].members(&a[0]);
            members.next().filter(|_| members.next().is_none())
        },
        "SORT" => {
            |c, a| Some(sequence::from_items(&c.result, c.shapes[0].members(&a[0]).collect()))
        }
        "SQUASH" => sets::squash,
        "REPLACE" => sets::replace_at,
        "ABS" => |_, a| Some(Value::integer(big(&a[0]).abs())),
        "SIGN" => |_, a| Some(Value::integer(big(&a[0]).signum())),
        "GCD" => |_, a| Some(Value::integer(big(&a[0]).gcd(&big(&a[1])))),
        "LCM" => |_, a| Some(Value::integer(big(&a[0]).lcm(&big(&a[1])))),
        "MSB" => |_, a| match big(&a[0]) {
            n if n.is_positive() => Some(int(n.bits() as usize - 1)),
            _ => None,
        },
        "FACT" | "FACTORIAL" => numbers::factorial,
        "CHOOSE_NK" => numbers::subsets,
        "FDIV" => numbers::divided_down,
        "CDIV" => numbers::divided_up,
        "SIN" => |_, a| numbers::on_hundredths(f64::sin, a),
        "COS" => |_, a| numbers::on_hundredths(f64::cos, a),
        "TAN" => |_, a| numbers::on_hundredths(f64::tan, a),
        "SINx" => |_, a| numbers::on_multiples(f64::sin, a),
        "COSx" => |_, a| numbers::on_multiples(f64::cos, a),
        "TANx" => |_, a| numbers::on_multiples(f64::tan, a),
        "LOGx" => numbers::logarithm,
        "PROLOG_FUN" => numbers::named,
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
        "BLSHIFT" => |_, a| numbers::shifted(&a[0], &big(&a[1])),
        "BRSHIFT" => |_, a| numbers::shifted(&a[0], &-big(&a[1])),
        "ARGC" => |_, _| Some(int(0)),
        "ARGV" => |_, _| None,
        "PROJECT_STATISTICS" => |c, a| c.statistics.of(text(&a[0])).map(int),
        "ASSERT_TRUE" => |_, a| (a[0] == Value::bool(true)).then(|| Value::bool(true)),
        "ASSERT_EXPR" => |_, a| (a[0] == Value::bool(true)).then(|| a[2].clone()),
        "MAXIMIZE" => |c, a| sets::by_first(c, &a[0], |new, best| new > best),
        "MINIMIZE" => |c, a| sets::by_first(c, &a[0], |new, best| new < best),
        "SCCS" => sets::components,
        "CLOSURE1" => sets::closure,
        "REGEX_MATCH" | "REGEX_IMATCH" => patterns::matches,
        "IS_REGEX" => patterns::is_pattern,
        "REGEX_REPLACE" | "REGEX_IREPLACE" => patterns::replace,
        "REGEX_SEARCH_STR" | "REGEX_ISEARCH_STR" => patterns::first,
        "REGEX_SEARCH" | "REGEX_ISEARCH" => patterns::search,
        "REGEX_SEARCH_ALL" | "REGEX_ISEARCH_ALL" => patterns::all,
        "READ_XML_FROM_STRING" => |c, a| documents::read(text(&a[0]), &c.result).ok(),
        "WRITE_XML_TO_STRING" => documents::write,
        "HASH" => chance::hash,
        "SHA_HASH" => chance::sha_bytes,
        "SHA_HASH_HEX" => chance::sha_hex,
        "RANDOM" => chance::number,
        "NORMAL" => chance::normal,
        "random_numset" => chance::numbers,
        "random_element" => chance::member,
        "random_subset" => chance::subset,
        "random_ordering" => chance::ordering,
        "random_permutation" => chance::permutation,
        "TIMESTAMP" => moments::of_date,
        "TIMESTAMP_INFO" => moments::part,
        "vprintf" => |_, a| Some(a[1].clone()),
        "fvprintf" => |_, a| Some(a[2].clone()),
        "printf"
        | "dprintf"
        | "printf1"
        | "printf_nonvar"
        | "printf_opt_trace"
        | "fprintf"
        | "dfprintf"
        | "PRINTF"
        | "FPRINTF"
        | "CHECK_DET"
        | "PRINT"
        | "DPRINT"
        | "observe"
        | "observe_silent"
        | "observe_fun"
        | "tobserve"
        | "tprintf"
        | "ENUMERATE"
        | "SET_PREF"
        | "ADD_ERROR"
        | "ADD_STATE_ERROR"
        | "ADD_WARNING"
        | "ADD_MESSAGE"
        | "PRINT_BT"
        | "DEBUG_PRINT_STATE"
        | "TRACE"
        | "IS_DETERMINED_INTO_FILE" => |_, _| truth(true),
        "FORCE" | "COPY" => |_, a| Some(a[0].clone()),
        _ => return reals::compute(name),
    })
}

/// The code of a function that asks for something outside.
fn ask(name: &str) -> Option<Ask> {
    Some(match name {
        "READ_CSV" => tables::read,
        "READ_CSV_SEQUENCE" => tables::read_rows,
        "READ_CSV_STRINGS" => tables::read_strings,
        "READ_XML" => |c, a| {
            let file = c.outside.text(text(&a[0]))?;
            documents::read(&file, &c.result)
        },
        "READ_FILE_AS_STRINGS" => files::lines,
        "SHA_HASH_FILE_HEX" => |c, a| {
            let bytes = c.outside.bytes(text(&a[0]))?;
            Ok(Value::String(chance::hex(&chance::sha(&bytes)).into()))
        },
        "FILES" => |c, a| files::listed(c, text(&a[0]), false, false),
        "FULL_FILES" => |c, a| files::listed(c, text(&a[0]), false, true),
        "DIRECTORIES" => |c, a| files::listed(c, text(&a[0]), true, false),
        "FULL_DIRECTORIES" => |c, a| files::listed(c, text(&a[0]), true, true),
        "FILE_EXISTS" => |c, a| files::exists(c, text(&a[0]), false),
        "DIRECTORY_EXISTS" => |c, a| files::exists(c, text(&a[0]), true),
        "FILE_PROPERTY" | "DIRECTORY_PROPERTY" => files::is,
        "FILE_PROPERTY_VALUE" | "DIRECTORY_PROPERTY_VALUE" => files::figure,
        // Nothing is written, as nothing is printed.
        "WRITE_CSV" | "WRITE_XML" => |_, _| Ok(Value::TRUE),
        "SEE"
        | "SEEN"
        | "GET_CODE"
        | "GET_CODE_STDIN"
        | "READ_LINE"
        | "EOF"
        | "EOF_STDIN"
        | "CURRENT_FILE_POSITION"
        | "TIME"
        | "DELTA_WALLTIME"
        | "GET_INFO" => |_, _| Err(FaultKind::NoMoment),
        "IS_DETERMINED" | "STATE_SUCC" | "STATE_TRANS" | "CURRENT_STATE_ID" | "STATE_AS_STRING"
        | "HISTORY" | "PROJECT_INFO" | "MACHINE_INFO" | "PROB_INFO_STR" | "PROB_INFO_INT"
        | "PROB_STATISTICS" | "GET_PREF" | "GET_PREF_DEFAULT" | "GET_IS_ENABLED" => {
            |_, _| Err(FaultKind::NotToldHere)
        }
        _ => return None,
    })
}

/// Whether a function is computed here.
pub fn is_known(name: &str) -> bool {
    compute(name).is_some() || ask(name).is_some() || cores::find(name).is_some()
}

impl Compiler<'_> {
    pub fn external(&self, f: External, arguments: &[Expr], e: &Expr, shape: Shape) -> Code {
        if let (Some(looking), [function, set]) = (cores::find(f.0), arguments) {
            return self.core(looking, function, set, e, &shape);
        }
        let (compute, ask) = (compute(f.0), ask(f.0));
        if compute.is_none() && ask.is_none() {
            return self.refuse(e.span, format_args!("the external function {}", f.0));
        }
        // What is only printed may be infinite.
        let printed =
            find(f.0).is_some_and(|s| s.library == "LibraryIO.def" && s.result == Sort::Bool);
        let arguments: Vec<&Expr> =
            arguments.iter().filter(|a| !printed || !self.is_infinite(a)).collect();
        if let ("CHOOSE", [set]) = (f.0, &arguments[..])
            && let Some(number) = chosen(set)
        {
            return self.literal(&shape, Value::Int(number));
        }
        let call = Call {
            name: f.0,
            outside: self.instance.outside.clone(),
            patterns: Mutex::default(),
            result_type: e.ty.clone(),
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
            let found = match (compute, ask) {
                (Some(compute), _) => compute(&call, &values).ok_or_else(|| call.refusal()),
                (None, Some(ask)) => ask(&call, &values),
                (None, None) => Err(call.refusal()),
            };
            found.map_err(|kind| refused(env, kind, span, &operands, &values))
        })
    }
}

/// The member of an infinite set of numbers that is chosen: the one that is nearest to 0.
fn chosen(set: &Expr) -> Option<i64> {
    match set.kind {
        ExprKind::Basic(BasicSet::Integer | BasicSet::Natural) => Some(0),
        ExprKind::Basic(BasicSet::Natural1) => Some(1),
        _ => None,
    }
}

fn refused(
    env: &mut Env,
    kind: FaultKind,
    span: crate::source::Span,
    operands: &[Operand],
    values: &[Value],
) -> Stop {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::external::names;
    use std::collections::BTreeSet;

    #[test]
    fn every_signature_has_one_implementation() {
        for name in names().collect::<BTreeSet<_>>() {
            assert!(is_known(name), "{name} computes nothing");
            assert!(compute(name).is_none() || ask(name).is_none(), "{name} has two meanings");
        }
    }

    #[test]
    fn numbers_as_text() {
        assert_eq!(text::integer("-12"), Some(BigInt::from(-12)));
        assert_eq!(text::integer("+1"), None);
        assert_eq!(text::integer("-"), None);
        assert!(
            text::is_decimal("-1.50")
                && !text::is_decimal("1.")
                && !text::is_decimal(".5")
                && !text::is_decimal("1")
        );
    }
}
