//! Which sets of integers go on without end, whatever the values of the names in them, by what is said of numbers that
//! are far enough from 0.
//!
//! `{x | x < n}` does, and so do `{x | x : 10..100 or x < 3}` and `NATURAL - A` for a finite `A`.

use crate::machine::footprint::Footprint;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type,
};

/// Whether a set is one that has all numbers from some number on, or all up to some number.
pub fn is_unending(set: &Expr) -> bool {
    set.ty == Type::pow(Type::Integer) && [false, true].iter().any(|up| goes_on(set, *up))
}

/// The same of the integers `x` for which a predicate is true.
pub fn is_unending_for(x: LocalId, p: &Pred) -> bool {
    [false, true].iter().any(|up| is_true(x, p, *up) == Some(true))
}

/// Whether a set of integers certainly has all numbers from some number on (`up`), or all up to some number.
pub fn goes_on(set: &Expr, up: bool) -> bool {
    holds(set, up) == Some(true)
}

/// Whether a set of integers has all large numbers (`up`), or all far below 0, or none of them.
fn holds(set: &Expr, up: bool) -> Option<bool> {
    use BinaryOp::{Difference, Intersection, Interval, Union};
    match &set.kind {
        ExprKind::Basic(BasicSet::Integer) => Some(true),
        ExprKind::Basic(BasicSet::Natural | BasicSet::Natural1) => Some(up),
        ExprKind::Basic(BasicSet::Int | BasicSet::Nat | BasicSet::Nat1) => Some(false),
        ExprKind::Binary(Interval, ..) | ExprKind::SetExtension(_) | ExprKind::Empty => Some(false),
        ExprKind::Binary(Union, a, b) => some([holds(a, up), holds(b, up)]),
        ExprKind::Binary(Intersection, a, b) => all([holds(a, up), holds(b, up)]),
        ExprKind::Binary(Difference, a, b) => all([holds(a, up), holds(b, up).map(|b| !b)]),
        ExprKind::Comprehension(ids, p) => match ids[..] {
            [x] => is_true(x, p, up),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a predicate is true of all such `x`, or of none.
fn is_true(x: LocalId, p: &Pred, up: bool) -> Option<bool> {
    use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual, Member, NotEqual, NotMember};
    let (op, a, b) = match &p.kind {
        PredKind::True => return Some(true),
        PredKind::False => return Some(false),
        PredKind::And(parts) => return all(parts.iter().map(|p| is_true(x, p, up))),
        PredKind::Or(parts) => return some(parts.iter().map(|p| is_true(x, p, up))),
        PredKind::Not(p) => return is_true(x, p, up).map(|truth| !truth),
        PredKind::Compare(op, a, b) => (*op, a, b),
        _ => return None,
    };
    let is_x = |e: &Expr| e.kind == ExprKind::Local(x);
    let (left, other) = match (is_x(a), is_x(b)) {
        (true, false) => (true, b),
        (false, true) => (false, a),
        _ => return None,
    };
    if other.ty != Type::Integer && !left || Footprint::of_expr(other).locals.contains(&x) {
        return None;
    }
    match op {
        Equal => Some(false),
        NotEqual => Some(true),
        Less | LessEqual => Some(left != up),
        Greater | GreaterEqual => Some(left == up),
        Member => holds(other, up),
        NotMember => holds(other, up).map(|truth| !truth),
        _ => None,
    }
}

fn all(parts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    some(parts.into_iter().map(|part| part.map(|truth| !truth))).map(|truth| !truth)
}

fn some(parts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut sum = Some(false);
    for part in parts {
        match part {
            Some(true) => return Some(true),
            Some(false) => {}
            None => sum = None,
        }
    }
    sum
}
