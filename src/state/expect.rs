//! What the typing conjuncts of the invariant say about the range of a variable.
//!
//! A type alone says too little: `flag : PROC --> 0..3` has the type `POW(PROC * INTEGER)`. An
//! expectation guides the layout and is never trusted: a value outside it is stored all the same.

use super::Instance;
use super::axis::Texts;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, ConstId, Expr, ExprKind, LocalId, Pred, PredKind, Type,
    UnaryOp, VarId,
};
use num_traits::ToPrimitive;
use std::collections::BTreeSet;

/// An expected range of values.
#[derive(Clone, PartialEq, Debug)]
pub enum Expected {
    /// Nothing is known beyond the type.
    Any,
    /// Integers from `low` to `high`, `low <= high`.
    Interval { low: i64, high: i64 },
    /// Integers from this one on.
    From(i64),
    /// These strings, in their order.
    Texts(Texts),
    /// Subsets of this range.
    Subset(Box<Expected>),
    /// Functions, total or not, from the first range to the second.
    Function(Box<Expected>, Box<Expected>),
    /// Pairs of members of two ranges.
    Pair(Box<Expected>, Box<Expected>),
    /// Records whose fields are in these ranges, in the order of their type.
    Record(Vec<Expected>),
    /// Sequences of items from this range, no longer than this, where the invariant bounds their length.
    Sequence { items: Box<Expected>, longest: Option<u64> },
}

/// The expectation for one variable: the first typing conjunct of the invariant that says anything, or, of a
/// number, what all of them say of its bounds.
pub fn of_variable(instance: &Instance, variable: VarId) -> Expected {
    of_variable_at(instance, variable, DEPTH)
}

/// The same, where so many names may stand for each other.
fn of_variable_at(instance: &Instance, variable: VarId, depth: u32) -> Expected {
    let said =
        conjuncts(instance).filter_map(|pred| from_conjunct(instance, pred, variable, depth));
    let said: Vec<Expected> = said.filter(|e| *e != Expected::Any).collect();
    match said.first().cloned() {
        None | Some(Expected::From(_)) => {}
        Some(Expected::Sequence { items, longest }) => {
            let of_variable = |e: &Expr| e.kind == ExprKind::Variable(variable);
            let is_length = |e: &Expr| match &e.kind {
                ExprKind::Unary(UnaryOp::Size | UnaryOp::Card, of) => of_variable(of),
                _ => false,
            };
            let (_, said) = bounds_where(instance, conjuncts(instance), &is_length, depth);
            let said = said.map(|n| n.max(0) as u64);
            return Expected::Sequence { items, longest: longest.into_iter().chain(said).min() };
        }
        Some(first) => return of_relation((instance, variable), &first, &said, depth),
    }
    if instance.machine.variable(variable).ty != Type::Integer {
        return Expected::Any;
    }
    match bounds_of_variable(instance, variable, depth) {
        (Some(low), Some(high)) if low <= high => Expected::Interval { low, high },
        _ => Expected::Any,
    }
}

/// What conjuncts say of a variable, of which this is the first: of a relation that it is a function says more than which
/// pairs it has, and a side without bounds may have them by another conjunct, `pc <: (1..9) * L` or `dom(pc) = 1..9`.
fn of_relation(
    (instance, variable): (&Instance, VarId),
    first: &Expected,
    said: &[Expected],
    depth: u32,
) -> Expected {
    let function = said.iter().find(|e| matches!(e, Expected::Function(..)));
    let chosen = function.filter(|_| first.sides().is_some()).unwrap_or(first);
    let types = instance.machine.variable(variable).ty.relation_sides();
    let (Some((from, to)), Some(sides)) = (types, chosen.sides()) else { return chosen.clone() };
    let side = |i: usize, (op, ty): (UnaryOp, &Type)| {
        let of_side = |e: &Expr| match &e.kind {
            ExprKind::Unary(of, r) => *of == op && r.kind == ExprKind::Variable(variable),
            _ => false,
        };
        let by_side = conjuncts(instance).filter_map(|p| match &p.kind {
            PredKind::Compare(Comparison::Equal | Comparison::Subset, a, b) if of_side(a) => {
                Some(members_at(instance, b, depth))
            }
            PredKind::Compare(Comparison::Equal, a, b) if of_side(b) => {
                Some(members_at(instance, a, depth))
            }
            _ => None,
        });
        let by_pairs = said.iter().filter_map(|e| Some(e.sides()?[i].clone()));
        let mut all = std::iter::once(sides[i].clone()).chain(by_pairs).chain(by_side);
        all.find(|e| e.has_bounds(ty)).unwrap_or_else(|| sides[i].clone())
    };
    let both = [side(0, (UnaryOp::Dom, from)), side(1, (UnaryOp::Ran, to))];
    if both == sides {
        return chosen.clone();
    }
    let [from, to] = both.map(Box::new);
    match chosen {
        Expected::Function(..) => Expected::Function(from, to),
        _ => Expected::Subset(Box::new(Expected::Pair(from, to))),
    }
}

impl Expected {
    /// What is expected of the sides of a relation.
    fn sides(&self) -> Option<[Expected; 2]> {
        match self {
            Expected::Function(from, to) => Some([(**from).clone(), (**to).clone()]),
            Expected::Subset(pairs) => match &**pairs {
                Expected::Pair(from, to) => Some([(**from).clone(), (**to).clone()]),
                Expected::Any => Some([Expected::Any, Expected::Any]),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether there are finitely many values of this type in the range.
    fn has_bounds(&self, ty: &Type) -> bool {
        match self {
            Expected::Any => !ty.is_infinite(),
            Expected::From(_) => false,
            _ => true,
        }
    }
}

fn conjuncts(instance: &Instance) -> impl Iterator<Item = &Pred> {
    instance.machine.invariant.iter().flat_map(|conjunct| conjunct.pred.conjuncts())
}

fn properties(instance: &Instance) -> impl Iterator<Item = &Pred> {
    instance.machine.properties.iter().flat_map(|conjunct| conjunct.pred.conjuncts())
}

/// How many names may stand for each other in a bound.
const DEPTH: u32 = 3;

/// The least and the greatest value, where they are known.
type Bounds = (Option<i64>, Option<i64>);

/// The bounds of a variable by the comparisons in the invariant: `x : k..n`, `x >= 0`.
fn bounds_of_variable(instance: &Instance, variable: VarId, depth: u32) -> Bounds {
    let is_own = |e: &Expr| e.kind == ExprKind::Variable(variable);
    bounds_where(instance, conjuncts(instance), &is_own, depth)
}

/// The bounds of what `is_own` recognises, by the comparisons among these conjuncts.
fn bounds_where<'i>(
    instance: &'i Instance,
    conjuncts: impl Iterator<Item = &'i Pred>,
    is_own: &dyn Fn(&Expr) -> bool,
    depth: u32,
) -> Bounds {
    let (mut low, mut high) = (None, None);
    for pred in conjuncts {
        let PredKind::Compare(comparison, a, b) = &pred.kind else { continue };
        let (comparison, other) = match (is_own(a), is_own(b)) {
            (true, false) => (*comparison, b),
            (false, true) => (flipped(*comparison), a),
            _ => continue,
        };
        let of = |e| bounds(instance, e, depth);
        let (least, greatest) = match comparison {
            Comparison::Member => bounds_of_set(instance, other, depth),
            Comparison::GreaterEqual => (of(other).0, None),
            Comparison::Greater => (of(other).0.and_then(|n| n.checked_add(1)), None),
            Comparison::LessEqual => (None, of(other).1),
            Comparison::Less => (None, of(other).1.and_then(|n| n.checked_sub(1))),
            _ => continue,
        };
        low = low.max(least);
        high = high.into_iter().chain(greatest).min();
    }
    (low, high)
}

/// The comparison when its sides change places; of no use where it is none of numbers.
fn flipped(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
        _ => Comparison::NotEqual,
    }
}

/// Between which numbers a number is.
fn bounds(instance: &Instance, e: &Expr, depth: u32) -> Bounds {
    if let Some(n) = integer(instance, e) {
        return (Some(n), Some(n));
    }
    let both = |a: Option<i64>, b: Option<i64>, op: fn(i64, i64) -> Option<i64>| op(a?, b?);
    let sides = |a: &Expr, b: &Expr| (bounds(instance, a, depth), bounds(instance, b, depth));
    match (&e.kind, depth.checked_sub(1)) {
        (ExprKind::Binary(BinaryOp::Add, a, b), _) => {
            let (a, b) = sides(a, b);
            (both(a.0, b.0, i64::checked_add), both(a.1, b.1, i64::checked_add))
        }
        (ExprKind::Binary(BinaryOp::Subtract, a, b), _) => {
            let (a, b) = sides(a, b);
            (both(a.0, b.1, i64::checked_sub), both(a.1, b.0, i64::checked_sub))
        }
        (ExprKind::Binary(BinaryOp::Multiply, a, b), _) => match sides(a, b) {
            (a, b) if a.0 >= Some(0) && b.0 >= Some(0) => {
                (both(a.0, b.0, i64::checked_mul), both(a.1, b.1, i64::checked_mul))
            }
            _ => (None, None),
        },
        (ExprKind::Variable(id), Some(depth)) => bounds_of_variable(instance, *id, depth),
        (ExprKind::Constant(_), Some(depth)) => match definition(instance, e) {
            Some(e) => bounds(instance, e, depth),
            None => bounds_where(instance, properties(instance), &|own| own.kind == e.kind, depth),
        },
        _ => (None, None),
    }
}

/// The least and the greatest member of a set of numbers.
fn bounds_of_set(instance: &Instance, set: &Expr, depth: u32) -> Bounds {
    match &set.kind {
        ExprKind::Basic(BasicSet::Natural) => (Some(0), None),
        ExprKind::Basic(BasicSet::Natural1) => (Some(1), None),
        ExprKind::Binary(BinaryOp::Interval, a, b) => {
            (bounds(instance, a, depth).0, bounds(instance, b, depth).1)
        }
        ExprKind::Constant(_) => match (depth.checked_sub(1), definition(instance, set)) {
            (Some(depth), Some(set)) => bounds_of_set(instance, set, depth),
            _ => (None, None),
        },
        _ => match members_at(instance, set, depth) {
            Expected::Interval { low, high } => (Some(low), Some(high)),
            _ => (None, None),
        },
    }
}

/// The right side of the property that says what a constant is.
fn definition<'i>(instance: &'i Instance, constant: &Expr) -> Option<&'i Expr> {
    let ExprKind::Constant(id) = constant.kind else { return None };
    equations(instance).find_map(|(of, e)| (of == id).then_some(e))
}

/// What the PROPERTIES say that constants are equal to.
pub fn equations(instance: &Instance) -> impl Iterator<Item = (ConstId, &Expr)> {
    fn side<'e>(constant: &Expr, e: &'e Expr) -> Option<(ConstId, &'e Expr)> {
        match constant.kind {
            ExprKind::Constant(id) => Some((id, e)),
            _ => None,
        }
    }
    properties(instance)
        .flat_map(|pred| match &pred.kind {
            PredKind::Compare(Comparison::Equal, a, b) => [side(a, b), side(b, a)],
            _ => [None, None],
        })
        .flatten()
}

/// What a property says that a constant is a subset of.
fn superset<'i>(instance: &'i Instance, constant: &Expr) -> Option<&'i Expr> {
    properties(instance).find_map(|pred| match &pred.kind {
        PredKind::Compare(Comparison::Subset | Comparison::StrictSubset, a, b)
            if a.kind == constant.kind =>
        {
            Some(b)
        }
        _ => None,
    })
}

fn from_conjunct(
    instance: &Instance,
    pred: &Pred,
    variable: VarId,
    depth: u32,
) -> Option<Expected> {
    let PredKind::Compare(comparison, left, right) = &pred.kind else { return None };
    if left.kind != ExprKind::Variable(variable) {
        return None;
    }
    match comparison {
        Comparison::Member => Some(members_at(instance, right, depth)),
        Comparison::Subset | Comparison::StrictSubset => {
            Some(Expected::Subset(Box::new(members_at(instance, right, depth))))
        }
        _ => None,
    }
}

/// The range of the members of a set expression, as far as it can be read off where so many names may stand for each other.
fn members_at(instance: &Instance, set: &Expr, depth: u32) -> Expected {
    use Expected::*;
    let members = |set: &Expr| members_at(instance, set, depth);
    let boxed = |set: &Expr| Box::new(members(set));
    match &set.kind {
        ExprKind::Constant(_) => match (depth.checked_sub(1), definition(instance, set)) {
            (Some(depth), Some(set)) => members_at(instance, set, depth),
            (Some(depth), None) => {
                superset(instance, set).map_or(Any, |set| members_at(instance, set, depth))
            }
            _ => Any,
        },
        ExprKind::Variable(id) => match depth.checked_sub(1) {
            Some(depth) => match of_variable_at(instance, *id, depth) {
                Subset(members) => *members,
                Function(from, to) => Pair(from, to),
                _ => Any,
            },
            None => Any,
        },
        ExprKind::Unary(op @ (UnaryOp::Dom | UnaryOp::Ran), of) => match (members(of), op) {
            (Pair(from, _), UnaryOp::Dom) => *from,
            (Pair(_, to), _) => *to,
            _ => Any,
        },
        ExprKind::Basic(BasicSet::Int) => {
            Interval { low: instance.min_int, high: instance.max_int }
        }
        ExprKind::Basic(BasicSet::Natural) => From(0),
        ExprKind::Basic(BasicSet::Natural1) => From(1),
        ExprKind::Basic(BasicSet::Nat) => Interval { low: 0, high: instance.max_int.max(0) },
        ExprKind::Basic(BasicSet::Nat1) => Interval { low: 1, high: instance.max_int.max(1) },
        ExprKind::Binary(BinaryOp::Interval, a, b) => {
            match (bounds(instance, a, depth).0, bounds(instance, b, depth).1) {
                (Some(low), Some(high)) if low <= high => Interval { low, high },
                _ => Any,
            }
        }
        ExprKind::SetExtension(items) => {
            items.iter().map(|e| item(instance, e)).reduce(hull).unwrap_or(Any)
        }
        ExprKind::Binary(BinaryOp::Union, a, b) => hull(members(a), members(b)),
        ExprKind::Comprehension(locals, pred) => {
            let local = |id: &LocalId| of_local(instance, *id, pred, depth);
            let pair = |left, right| Pair(Box::new(left), Box::new(right));
            locals.iter().map(local).reduce(pair).unwrap_or(Any)
        }
        ExprKind::Binary(BinaryOp::Difference, a, _) => members(a),
        ExprKind::Binary(BinaryOp::Intersection, a, b) => match members(a) {
            Any => members(b),
            e => e,
        },
        ExprKind::Unary(UnaryOp::Seq | UnaryOp::Seq1, of) => {
            Sequence { items: boxed(of), longest: None }
        }
        ExprKind::Unary(UnaryOp::Iseq | UnaryOp::Iseq1 | UnaryOp::Perm, of) => {
            let items = boxed(of);
            let longest = match (&*items, instance.shape(&of.ty).element().count()) {
                (Interval { low, high }, _) => {
                    u64::try_from(i128::from(*high) - i128::from(*low) + 1).ok()
                }
                (_, count) => count.and_then(|n| u64::try_from(n).ok()),
            };
            Sequence { items, longest }
        }
        ExprKind::Unary(UnaryOp::Pow | UnaryOp::Pow1 | UnaryOp::Fin | UnaryOp::Fin1, of) => {
            Subset(boxed(of))
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
        ) => Function(boxed(a), boxed(b)),
        ExprKind::Binary(BinaryOp::Relations, a, b) => Subset(Box::new(Pair(boxed(a), boxed(b)))),
        ExprKind::Binary(BinaryOp::Product, a, b) => Pair(boxed(a), boxed(b)),
        ExprKind::Struct(fields) => Record(fields.iter().map(members).collect()),
        _ => Any,
    }
}

/// What is written down as a member of a set.
fn item(instance: &Instance, e: &Expr) -> Expected {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Pair, a, b) => {
            Expected::Pair(Box::new(item(instance, a)), Box::new(item(instance, b)))
        }
        ExprKind::Record(fields) => {
            Expected::Record(fields.iter().map(|field| item(instance, field)).collect())
        }
        ExprKind::String(text) => Expected::Texts([text.clone()].into()),
        _ => match integer(instance, e) {
            Some(n) => Expected::Interval { low: n, high: n },
            None => Expected::Any,
        },
    }
}

/// What a name of a comprehension may be.
fn of_local(instance: &Instance, id: LocalId, pred: &Pred, depth: u32) -> Expected {
    let is_own = |e: &Expr| e.kind == ExprKind::Local(id);
    let typed = pred.conjuncts().iter().find_map(|pred| match &pred.kind {
        PredKind::Compare(Comparison::Member, x, set) if is_own(x) => {
            Some(members_at(instance, set, depth)).filter(|e| *e != Expected::Any)
        }
        _ => None,
    });
    typed.unwrap_or_else(|| match bounds_where(instance, pred.conjuncts().iter(), &is_own, depth) {
        (Some(low), Some(high)) if low <= high => Expected::Interval { low, high },
        _ => Expected::Any,
    })
}

/// What is one of two.
fn hull(a: Expected, b: Expected) -> Expected {
    use Expected::*;
    let both = |a: Expected, b: Expected| Box::new(hull(a, b));
    match (a, b) {
        (Interval { low, high }, Interval { low: least, high: most }) => {
            Interval { low: low.min(least), high: high.max(most) }
        }
        (Texts(a), Texts(b)) => {
            let all: BTreeSet<_> = a.iter().chain(b.iter()).cloned().collect();
            Texts(all.into_iter().collect())
        }
        (Pair(a, b), Pair(c, d)) => Pair(both(*a, *c), both(*b, *d)),
        (Record(a), Record(b)) => Record(a.into_iter().zip(b).map(|(a, b)| hull(a, b)).collect()),
        _ => Any,
    }
}

/// The value of an integer expression made of literals, the limits and the sizes of carrier sets by arithmetic,
/// `max` and the like, and comparisons.
pub fn integer(instance: &Instance, e: &Expr) -> Option<i64> {
    integer_with(instance, &|_| None, e)
}

/// The same where some locals may be known.
pub fn integer_with(
    instance: &Instance,
    known: &dyn Fn(LocalId) -> Option<i64>,
    e: &Expr,
) -> Option<i64> {
    let integer = |e: &Expr| integer_with(instance, known, e);
    match &e.kind {
        ExprKind::Integer(n) => n.to_i64(),
        ExprKind::Local(id) => known(*id),
        ExprKind::MaxInt => Some(instance.max_int),
        ExprKind::MinInt => Some(instance.min_int),
        ExprKind::Unary(UnaryOp::Negate, a) => integer(a)?.checked_neg(),
        ExprKind::Unary(UnaryOp::Card, set) => match &set.kind {
            ExprKind::Carrier(s) => Some(instance.size(*s) as i64),
            ExprKind::Binary(BinaryOp::Interval, a, b) => {
                integer(b)?.checked_sub(integer(a)?)?.checked_add(1).map(|n| n.max(0))
            }
            _ => None,
        },
        ExprKind::Unary(op @ (UnaryOp::Max | UnaryOp::Min), set) => match (op, &set.kind) {
            (_, ExprKind::Binary(BinaryOp::Interval, a, b)) => {
                let (a, b) = (integer(a)?, integer(b)?);
                (a <= b).then_some(if *op == UnaryOp::Max { b } else { a })
            }
            (op, ExprKind::SetExtension(items)) => {
                let numbers = items.iter().map(integer).collect::<Option<Vec<i64>>>()?;
                if *op == UnaryOp::Max {
                    numbers.into_iter().max()
                } else {
                    numbers.into_iter().min()
                }
            }
            _ => None,
        },
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (integer(a)?, integer(b)?);
            match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Subtract => a.checked_sub(b),
                BinaryOp::Multiply => a.checked_mul(b),
                BinaryOp::Divide => a.checked_div(b),
                BinaryOp::Modulo if a >= 0 && b > 0 => Some(a % b),
                BinaryOp::Power => a.checked_pow(u32::try_from(b).ok()?),
                _ => None,
            }
        }
        ExprKind::If(condition, yes, no) => {
            let PredKind::Compare(comparison, a, b) = &condition.kind else { return None };
            let (a, b) = (integer(a)?, integer(b)?);
            let holds = match comparison {
                Comparison::Equal => a == b,
                Comparison::NotEqual => a != b,
                Comparison::Less => a < b,
                Comparison::LessEqual => a <= b,
                Comparison::Greater => a > b,
                Comparison::GreaterEqual => a >= b,
                _ => return None,
            };
            integer(if holds { yes } else { no })
        }
        _ => None,
    }
}
