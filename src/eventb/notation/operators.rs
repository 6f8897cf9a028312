//! The operators of Event-B's mathematical language: spellings, and how tightly they bind.
//!
//! Rodin orders operators by groups; between operators of one group, pairs are compatible (they read
//! from left to right), or need brackets. The groups and pairs here are those of Rodin's language,
//! version 2, with one deviation: the sign of a number belongs to the number, so that `a * -1` needs no
//! brackets.

use crate::syntax::ast::BinaryOp;

/// Groups, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Group {
    /// `!x.P`, `#x.P`
    QuantifiedPredicate,
    /// `=>`, `<=>`
    Infix,
    /// `&`, `or`
    Logic,
    /// `not P`
    Not,
    /// `%x.P|E`, `UNION x.P|E`, `INTER x.P|E`
    QuantifiedExpression,
    Comparison,
    Pair,
    Typed,
    /// Sets of relations and functions.
    Relations,
    /// Sets, relations and functions.
    Sets,
    Interval,
    Arithmetic,
}

/// What binds: an operator with its group.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tie {
    pub group: Group,
    pub op: Option<BinaryOp>,
    pub text: &'static str,
}

/// An infix operator.
#[derive(Debug)]
pub struct Infix {
    pub op: BinaryOp,
    pub group: Group,
    pub ascii: &'static str,
    pub unicode: &'static [&'static str],
    /// What packages call it.
    pub functor: &'static str,
}

const fn row(
    group: Group,
    op: BinaryOp,
    ascii: &'static str,
    unicode: &'static [&'static str],
    functor: &'static str,
) -> Infix {
    Infix { op, group, ascii, unicode, functor }
}

use BinaryOp as B;
use Group::{Arithmetic, Comparison, Interval, Logic, Pair, Relations, Sets, Typed};

pub static INFIX: &[Infix] = &[
    row(Group::Infix, B::Implies, "=>", &["⇒"], "implication"),
    row(Group::Infix, B::Iff, "<=>", &["⇔"], "equivalence"),
    row(Logic, B::And, "&", &["∧"], "conjunct"),
    row(Logic, B::Or, "or", &["∨"], "disjunct"),
    row(Comparison, B::Equal, "=", &[], "equal"),
    row(Comparison, B::NotEqual, "/=", &["≠"], "not_equal"),
    row(Comparison, B::Member, ":", &["∈"], "member"),
    row(Comparison, B::NotMember, "/:", &["∉"], "not_member"),
    row(Comparison, B::Subset, "<:", &["⊆"], "subset"),
    row(Comparison, B::NotSubset, "/<:", &["⊈"], "not_subset"),
    row(Comparison, B::StrictSubset, "<<:", &["⊂"], "subset_strict"),
    row(Comparison, B::NotStrictSubset, "/<<:", &["⊄"], "not_subset_strict"),
    row(Comparison, B::Less, "<", &[], "less"),
    row(Comparison, B::LessEqual, "<=", &["≤"], "less_equal"),
    row(Comparison, B::Greater, ">", &[], "greater"),
    row(Comparison, B::GreaterEqual, ">=", &["≥"], "greater_equal"),
    row(Pair, B::Maplet, "|->", &["↦", ",,"], "couple"),
    row(Typed, B::OfType, "oftype", &["⦂"], "typeof"),
    row(Relations, B::Relations, "<->", &["↔"], "relations"),
    row(Relations, B::TotalRelations, "<<->", &["\u{E100}"], "total_relation"),
    row(Relations, B::SurjectiveRelations, "<->>", &["\u{E101}"], "surjection_relation"),
    row(
        Relations,
        B::TotalSurjectiveRelations,
        "<<->>",
        &["\u{E102}"],
        "total_surjection_relation",
    ),
    row(Relations, B::PartialFunctions, "+->", &["⇸"], "partial_function"),
    row(Relations, B::TotalFunctions, "-->", &["→"], "total_function"),
    row(Relations, B::PartialInjections, ">+>", &["⤔"], "partial_injection"),
    row(Relations, B::TotalInjections, ">->", &["↣"], "total_injection"),
    row(Relations, B::PartialSurjections, "+->>", &["⤀"], "partial_surjection"),
    row(Relations, B::TotalSurjections, "-->>", &["↠"], "total_surjection"),
    row(Relations, B::PartialBijections, ">+>>", &[], "partial_bijection"),
    row(Relations, B::TotalBijections, ">->>", &["⤖"], "total_bijection"),
    row(Sets, B::Union, "\\/", &["∪"], "union"),
    row(Sets, B::Intersection, "/\\", &["∩"], "intersection"),
    row(Sets, B::SetMinus, "\\", &["∖"], "set_subtraction"),
    row(Sets, B::Times, "**", &["×"], "cartesian_product"),
    row(Sets, B::Override, "<+", &["\u{E103}"], "overwrite"),
    row(Sets, B::Compose, ";", &[], "composition"),
    row(Sets, B::Backward, "circ", &["∘"], "ring"),
    row(Sets, B::DirectProduct, "><", &["⊗"], "direct_product"),
    row(Sets, B::ParallelProduct, "||", &["∥"], "parallel_product"),
    row(Sets, B::DomainRestrict, "<|", &["◁"], "domain_restriction"),
    row(Sets, B::DomainSubtract, "<<|", &["⩤"], "domain_subtraction"),
    row(Sets, B::RangeRestrict, "|>", &["▷"], "range_restriction"),
    row(Sets, B::RangeSubtract, "|>>", &["⩥"], "range_subtraction"),
    row(Interval, B::Interval, "..", &["‥"], "interval"),
    row(Arithmetic, B::Plus, "+", &[], "add"),
    row(Arithmetic, B::Minus, "-", &["−"], "minus"),
    row(Arithmetic, B::Times, "*", &["∗"], "multiplication"),
    row(Arithmetic, B::Divide, "/", &["÷"], "div"),
    row(Arithmetic, B::Modulo, "mod", &[], "modulo"),
    row(Arithmetic, B::Power, "^", &[], "power_of"),
];

impl Infix {
    pub fn tie(&self) -> Tie {
        Tie { group: self.group, op: Some(self.op), text: self.ascii }
    }
}

/// Which of two operators takes what stands between them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The left one.
    Left,
    /// The right one.
    Right,
    /// Neither: brackets must say so.
    Brackets,
}

pub fn order(left: Tie, right: Tie) -> Order {
    if left.group != right.group {
        return if left.group < right.group { Order::Right } else { Order::Left };
    }
    let (Some(l), Some(r)) = (left.op, right.op) else { return Order::Right };
    if left.group == Arithmetic && rank(l) != rank(r) {
        return if rank(l) < rank(r) { Order::Right } else { Order::Left };
    }
    match compatible(l, r) {
        true => Order::Left,
        false => Order::Brackets,
    }
}

fn rank(op: BinaryOp) -> u8 {
    match op {
        B::Plus | B::Minus => 0,
        B::Times | B::Divide | B::Modulo => 1,
        _ => 2,
    }
}

/// Whether `a l b r c` means `(a l b) r c`, for operators that bind equally.
fn compatible(l: BinaryOp, r: BinaryOp) -> bool {
    match l {
        B::And | B::Or | B::Maplet | B::Union | B::Backward | B::Override => l == r,
        B::Intersection => {
            matches!(r, B::Intersection | B::SetMinus | B::RangeRestrict | B::RangeSubtract)
        }
        B::Compose => matches!(r, B::Compose | B::RangeRestrict | B::RangeSubtract),
        B::DomainRestrict | B::DomainSubtract => matches!(
            r,
            B::Intersection
                | B::SetMinus
                | B::Compose
                | B::DirectProduct
                | B::RangeRestrict
                | B::RangeSubtract
        ),
        B::Plus | B::Minus => true,
        // Of numbers, or of sets: each is alone in its group.
        B::Times => matches!(r, B::Times | B::Divide | B::Modulo),
        B::Divide => matches!(r, B::Times | B::Modulo),
        B::Modulo => matches!(r, B::Times | B::Divide),
        _ => false,
    }
}

/// Whether `a l b l c` means the same however it is bracketed, so that the right side needs none.
pub fn associative(op: BinaryOp) -> bool {
    matches!(
        op,
        B::And
            | B::Or
            | B::Union
            | B::Intersection
            | B::Backward
            | B::Compose
            | B::Override
            | B::Plus
    )
}
