//! Functions and comprehensions whose arguments are sets or functions: there may be too many of them to be built,
//! although they are finite (`%s.(s <: S | card(s))`).

use super::endless::{Values, is_endless, literal};
use crate::machine::footprint::Footprint;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, PredKind, SetId, Type, UnaryOp,
};
use num_traits::ToPrimitive;
use std::collections::BTreeSet;

/// What a bound name is chosen from.
pub enum Choice<'e> {
    Subsets(&'e Expr),
    Relations(&'e Expr, &'e Expr),
    Functions(&'e Expr, &'e Expr),
}

/// Fewest members of a set that has many subsets.
pub const MANY: usize = 16;

/// Integers that are many, where each is in a set or not.
const MANY_NUMBERS: usize = 256;

/// What the names of a lambda or a comprehension are chosen from, as far as these are sets and functions out of sets
/// that do not depend on the others; several may be said of one name.
pub fn choices(e: &Expr) -> Vec<(LocalId, Choice<'_>)> {
    let (ExprKind::Comprehension(ids, p) | ExprKind::Fold(Fold::Lambda, ids, p, _)) = &e.kind
    else {
        return Vec::new();
    };
    let bound = |x: &Expr| match x.kind {
        ExprKind::Local(id) if ids.contains(&id) => Some(id),
        _ => None,
    };
    let is_given = |set: &Expr| {
        let mentions = |id: &LocalId| ids.contains(id);
        !is_endless(set, &Values::new()) && !Footprint::of_expr(set).locals.iter().any(mentions)
    };
    let choice = |set| Some(Choice::Subsets(set)).filter(|_| is_given(set));
    let said = p.conjuncts().iter().filter_map(|p| match &p.kind {
        PredKind::Compare(Comparison::Subset | Comparison::StrictSubset, x, set) => {
            Some((bound(x)?, choice(set)?))
        }
        PredKind::Compare(Comparison::Member, x, set) => {
            let choice = match &set.kind {
                ExprKind::Unary(op, of) => {
                    let powers = [UnaryOp::Pow, UnaryOp::Pow1, UnaryOp::Fin, UnaryOp::Fin1];
                    choice(of).filter(|_| powers.contains(op))
                }
                ExprKind::Binary(op, a, b) if is_given(a) && is_given(b) => match op {
                    BinaryOp::Relations => Some(Choice::Relations(a, b)),
                    BinaryOp::TotalFunctions | BinaryOp::PartialFunctions => {
                        Some(Choice::Functions(a, b))
                    }
                    _ => None,
                },
                _ => None,
            };
            Some((bound(x)?, choice?))
        }
        _ => None,
    });
    said.collect()
}

/// Whether there may be very many members: sets of the type have infinitely many values, so that they may be kept by
/// their descriptions, and names are chosen out of sets that are not seen to be small. `large`: enumerated sets with
/// many elements.
pub fn may_be_vast(e: &Expr, large: &BTreeSet<SetId>) -> bool {
    if let ExprKind::Binary(BinaryOp::Union | BinaryOp::Override, a, b) = &e.kind {
        return may_be_vast(a, large) || may_be_vast(b, large);
    }
    e.ty.is_infinite()
        && choices(e).iter().any(|(_, choice)| match choice {
            Choice::Subsets(set) => may_be_large(set, large),
            Choice::Relations(a, b) | Choice::Functions(a, b) => {
                may_be_large(a, large) || may_be_large(b, large)
            }
        })
}

/// Whether a set of relations, as it is written, has few pairs to choose from; `total`: and consists of total functions.
pub fn has_few_pairs(set: &Expr, total: bool, large: &BTreeSet<SetId>) -> bool {
    use BinaryOp::{TotalBijections, TotalFunctions, TotalInjections, TotalSurjections};
    let few = |side: &Expr| !is_endless(side, &Values::new()) && !may_be_large(side, large);
    let (op, a, b) = match &set.kind {
        ExprKind::Unary(UnaryOp::Perm, of) => return few(of),
        ExprKind::Binary(op, a, b) => (op, a, b),
        _ => return false,
    };
    let is_total =
        matches!(op, TotalFunctions | TotalInjections | TotalSurjections | TotalBijections);
    (if total { is_total } else { op.is_arrow() }) && few(a) && few(b)
}

/// Whether a set, as it is written, has so few members that of each it may be asked whether it is in another set.
pub fn has_few_members(set: &Expr, large: &BTreeSet<SetId>) -> bool {
    fn is_small(side: &Expr, large: &BTreeSet<SetId>) -> bool {
        match &side.kind {
            ExprKind::Binary(BinaryOp::Product, a, b) => is_small(a, large) && is_small(b, large),
            _ => !may_be_large(side, large),
        }
    }
    match &set.kind {
        ExprKind::Binary(BinaryOp::Interval, low, high) => match (literal(low), literal(high)) {
            (Some(low), Some(high)) => (high - low).to_usize().is_none_or(|n| n < MANY_NUMBERS),
            _ => false,
        },
        _ => is_small(set, large),
    }
}

fn may_be_large(set: &Expr, large: &BTreeSet<SetId>) -> bool {
    match &set.kind {
        ExprKind::SetExtension(items) => items.len() >= MANY,
        ExprKind::Empty => false,
        ExprKind::Binary(BinaryOp::Interval, low, high) => match (literal(low), literal(high)) {
            (Some(low), Some(high)) => {
                (&high - &low).to_usize().is_none_or(|n| n >= MANY) && high >= low
            }
            _ => true,
        },
        _ => set.ty.element().is_some_and(|ty| has_many_values(ty, large)),
    }
}

fn has_many_values(ty: &Type, large: &BTreeSet<SetId>) -> bool {
    match ty {
        Type::Integer | Type::Real | Type::String | Type::Free(_) => true,
        Type::Bool => false,
        Type::Set(id) => large.contains(id),
        Type::Pow(_) => true,
        Type::Pair(p) => has_many_values(&p.0, large) || has_many_values(&p.1, large),
        Type::Record(fields) => fields.iter().any(|(_, ty)| has_many_values(ty, large)),
    }
}
