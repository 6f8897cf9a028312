//! The operators on words that need no state: what each does, and how it is told.
//!
//! Both forms of lowered code, partial and total, have one node for all operators of one operand and one for those of
//! two, and so have comparisons: a further operator is a further member here, with what it does and its text, and the
//! place of the evaluator that lowers to it.

use super::stop::FaultKind;
use super::word::Grid;
use crate::state::axis::word_of_pair;
use crate::value::set::low_bits;

/// Operators of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum One {
    /// `{x}`
    Singleton,
    /// The sides of a pair, of which the right one has so many values.
    First(u64),
    Second(u64),
    Domain(Grid),
    Range(Grid),
    /// All pairs with a left side in a set, or, where that is false, out of it.
    Rows(Grid, bool),
    /// The same of right sides.
    Columns(Grid, bool),
    /// `r~`
    Inverse(Grid),
    Card,
    /// `dom(m)` of a function that is the code of a result ([`Map`](crate::state::axis::Map)).
    Arguments(Places),
    /// `ran(m)` of one
    Results(Places),
}

/// Numbers of so many bits, side by side in a word; 0 where there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Places {
    pub count: u32,
    pub width: u32,
}

impl Places {
    /// The numbers that there are, each with its place.
    #[inline(always)]
    fn of(self, code: u64) -> impl Iterator<Item = (u32, u64)> {
        let number = move |at: u32| code >> (at * self.width) & low_bits(self.width);
        (0..self.count).map(move |at| (at, number(at))).filter(|(_, number)| *number != 0)
    }
}

impl One {
    #[inline(always)]
    pub fn of(self, x: u64) -> u64 {
        match self {
            One::Singleton => 1 << x,
            One::First(n) => x / n,
            One::Second(n) => x % n,
            One::Domain(grid) => grid.domain(x),
            One::Range(grid) => grid.range(x),
            One::Rows(grid, inside) => within(grid, grid.rows_of(x), inside),
            One::Columns(grid, inside) => within(grid, grid.columns_of(x), inside),
            One::Inverse(grid) => grid.inverse(x),
            One::Card => u64::from(x.count_ones()),
            One::Arguments(places) => places.of(x).fold(0, |set, (at, _)| set | 1 << at),
            One::Results(places) => {
                places.of(x).fold(0, |set, (_, number)| set | 1 << (number - 1))
            }
        }
    }

    pub fn text(self, x: &str) -> String {
        match self {
            One::Singleton => format!("bit {x}"),
            One::First(n) => format!("({x} / {n})"),
            One::Second(n) => format!("({x} % {n})"),
            One::Domain(_) => format!("rows-used {x}"),
            One::Range(_) => format!("columns-used {x}"),
            One::Rows(_, true) => format!("rows {x}"),
            One::Rows(_, false) => format!("rows not {x}"),
            One::Columns(_, true) => format!("columns {x}"),
            One::Columns(_, false) => format!("columns not {x}"),
            One::Inverse(_) => format!("inverse {x}"),
            One::Card => format!("count {x}"),
            One::Arguments(_) => format!("arguments of {x}"),
            One::Results(_) => format!("results of {x}"),
        }
    }
}

fn within(grid: Grid, pairs: u64, inside: bool) -> u64 {
    if inside { pairs } else { grid.all() & !pairs }
}

/// Operators of two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Two {
    Union,
    Intersection,
    Difference,
    /// `x |-> y`, where there are so many values for `y`.
    Pair(u64),
    /// `r[{x}]`
    Row(Grid),
    /// `r <+ q`
    Override(Grid),
}

impl Two {
    #[inline(always)]
    pub fn of(self, a: u64, b: u64) -> u64 {
        match self {
            Two::Union => a | b,
            Two::Intersection => a & b,
            Two::Difference => a & !b,
            Two::Pair(n) => a * n + b,
            Two::Row(grid) => grid.row(a, b),
            Two::Override(grid) => a & !grid.rows_of(grid.domain(b)) | b,
        }
    }

    pub fn text(self, a: &str, b: &str) -> String {
        match self {
            Two::Union => format!("({a} or {b})"),
            Two::Intersection => format!("({a} and {b})"),
            Two::Difference => format!("({a} and-not {b})"),
            Two::Pair(n) => format!("({a} * {n} + {b})"),
            Two::Row(_) => row(a, b),
            Two::Override(_) => format!("({a} <+ {b})"),
        }
    }
}

/// The partners of `x` in `r`.
pub fn row(r: &str, x: &str) -> String {
    format!("row {x} of {r}")
}

/// Operators on integers, which may leave 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    /// The greater, and the lesser, of two.
    Greater,
    Lesser,
    /// `x |-> y` as a word, where 32 bits hold each of them.
    Pair,
}

impl Arithmetic {
    /// `None`: 64 bits do not hold it.
    #[inline(always)]
    pub fn of(self, x: i64, y: i64) -> Option<i64> {
        match self {
            Arithmetic::Add => x.checked_add(y),
            Arithmetic::Subtract => x.checked_sub(y),
            Arithmetic::Multiply => x.checked_mul(y),
            Arithmetic::Greater => Some(x.max(y)),
            Arithmetic::Lesser => Some(x.min(y)),
            Arithmetic::Pair => word_of_pair(x, y),
        }
    }

    pub fn text(self, a: &str, b: &str) -> String {
        let sign = match self {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => "*",
            Arithmetic::Pair => "|->",
            Arithmetic::Greater => return format!("max({a}, {b})"),
            Arithmetic::Lesser => return format!("min({a}, {b})"),
        };
        format!("({a} {sign} {b})")
    }
}

/// Operators on integers that have no value for some operands, and may leave 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Partial {
    /// Towards zero.
    Divide,
    Modulo,
    Power,
}

impl Partial {
    /// `None`: 64 bits do not hold it.
    ///
    /// # Errors
    /// There is no value.
    #[inline]
    pub fn of(self, x: i64, y: i64) -> Result<Option<i64>, FaultKind> {
        match self {
            Partial::Divide if y == 0 => Err(FaultKind::DivisionByZero),
            Partial::Divide => Ok(x.checked_div(y)),
            Partial::Modulo if x < 0 || y <= 0 => Err(FaultKind::ModuloDomain),
            Partial::Modulo => Ok(Some(x % y)),
            Partial::Power if y < 0 => Err(FaultKind::NegativeExponent),
            Partial::Power => Ok(power(x, y)),
        }
    }

    pub fn text(self, a: &str, b: &str) -> String {
        let sign = match self {
            Partial::Divide => "/",
            Partial::Modulo => "mod",
            Partial::Power => "**",
        };
        format!("({a} {sign} {b})")
    }
}

/// A power that fits 64 bits, for an exponent of at least 0.
fn power(base: i64, exponent: i64) -> Option<i64> {
    match (base, u32::try_from(exponent)) {
        (0 | 1, _) if exponent > 0 => Some(base),
        (-1, _) => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        (_, Ok(n)) => base.checked_pow(n),
        (_, Err(_)) => None,
    }
}

/// Comparisons of two words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    Equal,
    Differ,
    /// Of integers.
    Ordered(Order),
    /// `a <: b`
    Subset,
    /// `x : set`
    Member,
    /// `x : dom(r)`
    InDomain(Grid),
}

impl Relation {
    #[inline(always)]
    pub fn holds(self, a: u64, b: u64) -> bool {
        match self {
            Relation::Equal => a == b,
            Relation::Differ => a != b,
            Relation::Ordered(order) => order.holds(a as i64, b as i64),
            Relation::Subset => a & !b == 0,
            Relation::Member => b >> a & 1 == 1,
            Relation::InDomain(grid) => grid.row(b, a) != 0,
        }
    }

    /// The relation that is there where this one is not, if it has a name.
    pub fn negated(self) -> Option<Relation> {
        Some(match self {
            Relation::Equal => Relation::Differ,
            Relation::Differ => Relation::Equal,
            Relation::Ordered(order) => Relation::Ordered(order.negated()),
            Relation::Subset | Relation::Member | Relation::InDomain(_) => return None,
        })
    }

    pub fn text(self, a: &str, b: &str) -> String {
        let sign = match self {
            Relation::Equal => "=",
            Relation::Differ => "/=",
            Relation::Ordered(Order::Less) => "<",
            Relation::Ordered(Order::LessEqual) => "<=",
            Relation::Ordered(Order::Greater) => ">",
            Relation::Ordered(Order::GreaterEqual) => ">=",
            Relation::Subset => "within",
            Relation::Member => "in",
            Relation::InDomain(_) => return format!("{} has bits", row(b, a)),
        };
        format!("{a} {sign} {b}")
    }
}

/// The orders of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Order {
    #[inline(always)]
    pub fn holds(self, x: i64, y: i64) -> bool {
        match self {
            Order::Less => x < y,
            Order::LessEqual => x <= y,
            Order::Greater => x > y,
            Order::GreaterEqual => x >= y,
        }
    }

    /// The order of the sides when they change places.
    pub fn flipped(self) -> Order {
        match self {
            Order::Less => Order::Greater,
            Order::LessEqual => Order::GreaterEqual,
            Order::Greater => Order::Less,
            Order::GreaterEqual => Order::LessEqual,
        }
    }

    /// The order that holds where this one does not.
    pub fn negated(self) -> Order {
        match self {
            Order::Less => Order::GreaterEqual,
            Order::LessEqual => Order::Greater,
            Order::Greater => Order::LessEqual,
            Order::GreaterEqual => Order::Less,
        }
    }
}
