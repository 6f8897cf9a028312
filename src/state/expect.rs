//! What the typing conjuncts of the invariant say about the range of a variable.
//!
//! A type alone says too little: `flag : PROC --> 0..3` has the type `POW(PROC * INTEGER)`. An
//! expectation guides the layout and is never trusted: a value outside it is stored all the same.

use super::Instance;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, Pred, PredKind, UnaryOp, VarId,
};
use num_traits::ToPrimitive;

/// An expected range of values.
#[derive(Clone, PartialEq, Debug)]
pub enum Expected {
    /// Nothing is known beyond the type.
    Any,
    /// Integers from `low` to `high`, `low <= high`.
    Interval { low: i64, high: i64 },
    /// Subsets of this range.
    Subset(Box<Expected>),
    /// Functions, total or not, from the first range to the second.
    Function(Box<Expected>, Box<Expected>),
}

/// The expectation for one variable: the first typing conjunct of the invariant that says anything.
pub fn of_variable(instance: &Instance, variable: VarId) -> Expected {
    for conjunct in &instance.machine.invariant {
        for pred in conjunct.pred.conjuncts() {
            if let Some(e) = from_conjunct(instance, pred, variable)
                && e != Expected::Any
            {
                return e;
            }
        }
    }
    Expected::Any
}

fn from_conjunct(instance: &Instance, pred: &Pred, variable: VarId) -> Option<Expected> {
    let PredKind::Compare(comparison, left, right) = &pred.kind else { return None };
    if left.kind != ExprKind::Variable(variable) {
        return None;
    }
    match comparison {
        Comparison::Member => Some(members(instance, right)),
        Comparison::Subset | Comparison::StrictSubset => {
            Some(Expected::Subset(Box::new(members(instance, right))))
        }
        _ => None,
    }
}

/// The range of the members of a set expression, as far as it can be read off.
fn members(instance: &Instance, set: &Expr) -> Expected {
    use Expected::*;
    match &set.kind {
        ExprKind::Basic(BasicSet::Int) => {
            Interval { low: instance.min_int, high: instance.max_int }
        }
        ExprKind::Basic(BasicSet::Nat) => Interval { low: 0, high: instance.max_int.max(0) },
        ExprKind::Basic(BasicSet::Nat1) => Interval { low: 1, high: instance.max_int.max(1) },
        ExprKind::Binary(BinaryOp::Interval, a, b) => {
            match (integer(instance, a), integer(instance, b)) {
                (Some(low), Some(high)) if low <= high => Interval { low, high },
                _ => Any,
            }
        }
        ExprKind::SetExtension(items) => {
            let numbers: Option<Vec<i64>> = items.iter().map(|e| integer(instance, e)).collect();
            match numbers.map(|n| (n.iter().min().copied(), n.iter().max().copied())) {
                Some((Some(low), Some(high))) => Interval { low, high },
                _ => Any,
            }
        }
        ExprKind::Binary(BinaryOp::Difference, a, _) => members(instance, a),
        ExprKind::Binary(BinaryOp::Intersection, a, b) => match members(instance, a) {
            Any => members(instance, b),
            e => e,
        },
        ExprKind::Unary(UnaryOp::Pow | UnaryOp::Pow1 | UnaryOp::Fin | UnaryOp::Fin1, of) => {
            Subset(Box::new(members(instance, of)))
        }
        ExprKind::Binary(
            BinaryOp::PartialFunctions
            | BinaryOp::TotalFunctions
            | BinaryOp::PartialInjections
            | BinaryOp::TotalInjections
            | BinaryOp::PartialSurjections
            | BinaryOp::TotalSurjections
            | BinaryOp::PartialBijections
            | BinaryOp::TotalBijections,
            a,
            b,
        ) => Function(Box::new(members(instance, a)), Box::new(members(instance, b))),
        _ => Any,
    }
}

/// The value of an integer expression made of literals, the limits and the sizes of carrier sets.
pub fn integer(instance: &Instance, e: &Expr) -> Option<i64> {
    match &e.kind {
        ExprKind::Integer(n) => n.to_i64(),
        ExprKind::MaxInt => Some(instance.max_int),
        ExprKind::MinInt => Some(instance.min_int),
        ExprKind::Unary(UnaryOp::Negate, a) => integer(instance, a)?.checked_neg(),
        ExprKind::Unary(UnaryOp::Card, a) => match a.kind {
            ExprKind::Carrier(s) => Some(instance.size(s) as i64),
            _ => None,
        },
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (integer(instance, a)?, integer(instance, b)?);
            match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Subtract => a.checked_sub(b),
                BinaryOp::Multiply => a.checked_mul(b),
                _ => None,
            }
        }
        _ => None,
    }
}
