//! The one table of infix operators: level, associativity, spellings.
//!
//! The parser, the printer and the tests read this table; nothing else knows a precedence.

use super::ast::BinaryOp;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// A binding strength: higher binds tighter.
pub type Level = u8;

/// Weakest: everything, with the operators that need brackets.
pub const ANY: Level = 20;
/// Predicates and expressions, as a clause holds them.
pub const FORMULA: Level = 30;
/// Operands of `&` and `or`: what a label can name.
pub const CONJUNCT: Level = 41;
/// One comparison, quantifier, ...: what `[x := E]` applies to.
pub const ATOM: Level = 61;
/// Comparisons.
pub const COMPARISON: Level = 100;
/// An expression without `,`.
pub const EXPRESSION: Level = 116;
/// Unary minus; its operand is at [`POSTFIX`].
pub const UNARY_MINUS: Level = 210;
/// `r~`, `r[S]`, `r'f`, `f(x)`.
pub const POSTFIX: Level = 230;
/// Names, literals, anything in brackets.
pub const PRIMARY: Level = 255;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Associativity {
    Left,
    Right,
    /// Comparisons do not chain.
    None,
}

/// Where an operator may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Anywhere,
    /// Only directly or indirectly in brackets or arguments: elsewhere the token separates.
    Brackets,
    /// Only in `( )`: elsewhere the token separates the items of a list.
    Parentheses,
}

/// One row of the table.
#[derive(Debug)]
pub struct Infix {
    pub op: BinaryOp,
    pub level: Level,
    pub associativity: Associativity,
    pub place: Place,
    pub ascii: &'static str,
    pub unicode: &'static [&'static str],
    /// Spellings of the operator with its operands exchanged.
    pub reversed: &'static [&'static str],
}

use Associativity::{Left, None as NonAssociative, Right};
use Place::{Anywhere, Brackets, Parentheses};

const fn row(
    op: BinaryOp,
    level: Level,
    ascii: &'static str,
    unicode: &'static [&'static str],
) -> Infix {
    Infix { op, level, associativity: Left, place: Anywhere, ascii, unicode, reversed: &[] }
}

const fn compare(
    op: BinaryOp,
    ascii: &'static str,
    unicode: &'static [&'static str],
    reversed: &'static [&'static str],
) -> Infix {
    Infix {
        op,
        level: COMPARISON,
        associativity: NonAssociative,
        place: Anywhere,
        ascii,
        unicode,
        reversed,
    }
}

const fn bracketed(
    op: BinaryOp,
    level: Level,
    place: Place,
    ascii: &'static str,
    unicode: &'static [&'static str],
) -> Infix {
    Infix { op, level, associativity: Left, place, ascii, unicode, reversed: &[] }
}

/// All infix operators, weakest first.
pub static TABLE: &[Infix] = &[
    bracketed(BinaryOp::Compose, 20, Brackets, ";", &[]),
    bracketed(BinaryOp::ParallelProduct, 20, Brackets, "||", &["\u{2225}", "\u{2016}"]),
    row(BinaryOp::Implies, 30, "=>", &["\u{21D2}", "\u{27F9}"]),
    row(BinaryOp::And, 40, "&", &["\u{2227}"]),
    row(BinaryOp::Or, 40, "or", &["\u{2228}"]),
    row(BinaryOp::Iff, 60, "<=>", &["\u{21D4}", "\u{27FA}"]),
    compare(BinaryOp::Equal, "=", &[], &[]),
    compare(BinaryOp::NotEqual, "/=", &["\u{2260}"], &[]),
    compare(BinaryOp::Member, ":", &["\u{2208}"], &["\u{220B}"]),
    compare(BinaryOp::NotMember, "/:", &["\u{2209}"], &["\u{220C}"]),
    compare(BinaryOp::Subset, "<:", &["\u{2286}"], &["\u{2287}"]),
    compare(BinaryOp::NotSubset, "/<:", &["\u{2288}"], &["\u{2289}"]),
    compare(BinaryOp::StrictSubset, "<<:", &["\u{2282}", "\u{228A}"], &["\u{2283}", "\u{228B}"]),
    compare(BinaryOp::NotStrictSubset, "/<<:", &["\u{2284}"], &["\u{2285}"]),
    compare(BinaryOp::Less, "<", &[], &[]),
    compare(BinaryOp::LessEqual, "<=", &["\u{2264}"], &[]),
    compare(BinaryOp::Greater, ">", &[], &[]),
    compare(BinaryOp::GreaterEqual, ">=", &["\u{2265}"], &[]),
    bracketed(BinaryOp::Comma, 115, Parentheses, ",", &[]),
    row(BinaryOp::OfType, 120, "\u{2982}", &[]),
    row(BinaryOp::Relations, 125, "<->", &["\u{2194}"]),
    row(BinaryOp::PartialFunctions, 125, "+->", &["\u{21F8}"]),
    row(BinaryOp::TotalFunctions, 125, "-->", &["\u{2192}"]),
    row(BinaryOp::PartialInjections, 125, ">+>", &["\u{2914}"]),
    row(BinaryOp::TotalInjections, 125, ">->", &["\u{21A3}"]),
    row(BinaryOp::PartialSurjections, 125, "+->>", &["\u{2900}"]),
    row(BinaryOp::TotalSurjections, 125, "-->>", &["\u{21A0}"]),
    row(BinaryOp::PartialBijections, 125, ">+>>", &[]),
    row(BinaryOp::TotalBijections, 125, ">->>", &["\u{2916}"]),
    row(BinaryOp::TotalRelations, 125, "<<->", &["\u{E100}"]),
    row(BinaryOp::SurjectiveRelations, 125, "<->>", &["\u{E101}"]),
    row(BinaryOp::TotalSurjectiveRelations, 125, "<<->>", &["\u{E102}"]),
    row(BinaryOp::Override, 160, "<+", &["\u{E103}", "\u{22D6}"]),
    row(BinaryOp::DirectProduct, 160, "><", &["\u{2297}"]),
    row(BinaryOp::Backward, 160, "circ", &["\u{2218}"]),
    row(BinaryOp::Concat, 160, "^", &["\u{2312}"]),
    row(BinaryOp::DomainRestrict, 160, "<|", &["\u{25C1}"]),
    row(BinaryOp::DomainSubtract, 160, "<<|", &["\u{2A64}", "\u{25C0}"]),
    row(BinaryOp::RangeRestrict, 160, "|>", &["\u{25B7}"]),
    row(BinaryOp::RangeSubtract, 160, "|>>", &["\u{2A65}", "\u{25B6}"]),
    row(BinaryOp::Prepend, 160, "->", &["\u{21FE}"]),
    row(BinaryOp::Append, 160, "<-", &["\u{21FD}"]),
    row(BinaryOp::Union, 160, "\\/", &["\u{222A}"]),
    row(BinaryOp::Intersection, 160, "/\\", &["\u{2229}"]),
    row(BinaryOp::Take, 160, "/|\\", &["\u{2191}"]),
    row(BinaryOp::Drop, 160, "\\|/", &["\u{2193}"]),
    row(BinaryOp::Maplet, 160, "|->", &["\u{21A6}"]),
    row(BinaryOp::Interval, 170, "..", &["\u{2025}"]),
    row(BinaryOp::Plus, 180, "+", &[]),
    row(BinaryOp::Minus, 180, "-", &["\u{2212}"]),
    row(BinaryOp::SetMinus, 180, "\\", &["\u{2216}"]),
    row(BinaryOp::Times, 190, "*", &["\u{00D7}", "\u{2A2F}", "\u{2217}"]),
    row(BinaryOp::Divide, 190, "/", &["\u{00F7}"]),
    row(BinaryOp::Modulo, 190, "mod", &[]),
    Infix {
        op: BinaryOp::Power,
        level: 200,
        associativity: Right,
        place: Anywhere,
        ascii: "**",
        unicode: &[],
        reversed: &[],
    },
];

/// The row of an operator.
pub fn of(op: BinaryOp) -> &'static Infix {
    &TABLE[ROWS[op as usize]]
}

/// Row numbers by operator (`BinaryOp as usize`).
static ROWS: LazyLock<Vec<usize>> = LazyLock::new(|| {
    let size = TABLE.iter().map(|r| r.op as usize + 1).max().unwrap_or(0);
    let mut rows = vec![0; size];
    for (i, r) in TABLE.iter().enumerate() {
        rows[r.op as usize] = i;
    }
    rows
});

static SPELLINGS: LazyLock<FxHashMap<&'static str, (&'static Infix, bool)>> = LazyLock::new(|| {
    let mut map = FxHashMap::default();
    for row in TABLE {
        map.insert(row.ascii, (row, false));
        map.extend(row.unicode.iter().map(|s| (*s, (row, false))));
        map.extend(row.reversed.iter().map(|s| (*s, (row, true))));
    }
    map
});

/// The operator with this spelling, ASCII or Unicode; `true` when its operands are exchanged.
pub fn infix(spelling: &str) -> Option<(&'static Infix, bool)> {
    SPELLINGS.get(spelling).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_has_its_own_row() {
        for row in TABLE {
            assert_eq!(of(row.op).ascii, row.ascii);
        }
    }

    #[test]
    fn no_spelling_stands_for_two_operators() {
        let all = TABLE.iter().map(|r| 1 + r.unicode.len() + r.reversed.len()).sum::<usize>();
        assert_eq!(SPELLINGS.len(), all);
    }
}
