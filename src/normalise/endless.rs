//! Which sets are infinite, or too large to be built, as far as can be seen without evaluating them.

use crate::machine::footprint::Footprint;
use crate::machine::visit::Visitor;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, ConstId, Expr, ExprKind, Fold, LocalId, Pred, PredKind, TreeOp,
    UnaryOp,
};
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};

/// Intervals with more members are not built where they need not be.
const LARGE: u64 = 1 << 20;

/// Constants and what they stand for.
pub type Values = BTreeMap<ConstId, Expr>;

/// Whether a set has infinitely many members, or so many that it should not be built.
pub fn is_endless(e: &Expr, values: &Values) -> bool {
    use UnaryOp::*;
    let endless = |e: &Expr| is_endless(e, values);
    match &e.kind {
        ExprKind::Constant(id) => values.contains_key(id),
        ExprKind::Basic(b) => b.is_infinite(),
        ExprKind::Freetype { endless, .. } => *endless,
        ExprKind::Unary(Pow | Pow1 | Fin | Fin1 | Iseq | Iseq1 | Id | Dom, of) => endless(of),
        ExprKind::Unary(Seq | Seq1, _) => true,
        ExprKind::Tree(op, _) => matches!(op, TreeOp::Trees | TreeOp::BinaryTrees),
        ExprKind::Binary(op, a, b) => match op {
            BinaryOp::Interval => match (&a.kind, literal(b)) {
                (ExprKind::Integer(a), Some(b)) => b - a >= BigInt::from(LARGE),
                _ => false,
            },
            BinaryOp::Union | BinaryOp::Product | BinaryOp::Override => endless(a) || endless(b),
            BinaryOp::Intersection => endless(a) && endless(b),
            BinaryOp::Difference => endless(a) && !endless(b),
            BinaryOp::DomainRestrict => endless(a) && endless(b),
            _ => op.is_arrow() && (endless(a) || endless(b)),
        },
        ExprKind::Fold(Fold::Lambda | Fold::Image, ids, p, _) | ExprKind::Comprehension(ids, p) => {
            let open = unbounded(ids, p, &BTreeSet::new(), values);
            open.iter().any(|id| may_be_endless(e, *id, p))
        }
        ExprKind::Struct(fields) => fields.iter().any(endless),
        ExprKind::If(_, a, b) => endless(a) || endless(b),
        ExprKind::Let(_, body) => endless(body),
        _ => false,
    }
}

/// A small constant number.
pub fn literal(e: &Expr) -> Option<BigInt> {
    match &e.kind {
        ExprKind::Integer(n) => Some(n.clone()),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (literal(a)?, literal(b)?);
            match op {
                BinaryOp::Add => Some(a + b),
                BinaryOp::Subtract => Some(a - b),
                BinaryOp::Multiply => Some(a * b),
                BinaryOp::Power => u32::try_from(b).ok().filter(|n| *n <= 1000).map(|n| a.pow(n)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether the type of a bound local has infinitely many values.
pub fn may_be_endless(e: &Expr, id: LocalId, p: &Pred) -> bool {
    // The type stands at each use; a local that is not used ranges over its type.
    let mut found = None;
    let mut look = |e: &mut Expr| {
        if e.kind == ExprKind::Local(id) {
            found = Some(e.ty.clone());
        }
    };
    let mut visitor = Visitor::of(&mut look);
    visitor.pred(&mut p.clone());
    visitor.expr(&mut e.clone());
    found.is_some_and(|ty| ty.is_infinite())
}

/// Of these locals, those of which a predicate leaves no finite number of values, as far as can be seen. What bounds one
/// may be said with those that are bounded already, and not with `open` ones.
fn unbounded(
    ids: &[LocalId],
    p: &Pred,
    open: &BTreeSet<LocalId>,
    values: &Values,
) -> BTreeSet<LocalId> {
    let mut left: BTreeSet<LocalId> = open.iter().chain(ids).copied().collect();
    loop {
        let bounded = |id: &&LocalId| left.contains(id) && is_bounded(**id, p, &left, values);
        let Some(id) = ids.iter().find(bounded).copied() else { break };
        left.remove(&id);
    }
    left.retain(|id| ids.contains(id));
    left
}

/// Whether a predicate leaves finitely many values for a local, as far as can be seen. `open`: the locals that may have
/// infinitely many, this one among them.
fn is_bounded(id: LocalId, p: &Pred, open: &BTreeSet<LocalId>, values: &Values) -> bool {
    let (mut low, mut high) = (false, false);
    let mentions = |e: &Expr| !Footprint::of_expr(e).locals.is_disjoint(open);
    for c in p.conjuncts() {
        match &c.kind {
            PredKind::Compare(op, a, b) => {
                use Comparison::*;
                let is_local = |e: &Expr| e.kind == ExprKind::Local(id);
                match op {
                    Equal if is_part(id, a) && !mentions(b) || is_part(id, b) && !mentions(a) => {
                        return true;
                    }
                    Member if is_part(id, a) && !mentions(b) => {
                        if !is_endless(b, values) {
                            return true;
                        }
                        low |= matches!(
                            b.kind,
                            ExprKind::Basic(BasicSet::Natural | BasicSet::Natural1)
                        );
                    }
                    Subset | StrictSubset
                        if is_local(a) && !mentions(b) && !is_endless(b, values) =>
                    {
                        return true;
                    }
                    Less | LessEqual => {
                        high |= is_local(a) && !mentions(b);
                        low |= is_local(b) && !mentions(a);
                    }
                    Greater | GreaterEqual => {
                        low |= is_local(a) && !mentions(b);
                        high |= is_local(b) && !mentions(a);
                    }
                    _ => {}
                }
            }
            PredKind::Or(parts) if parts.iter().all(|p| is_bounded(id, p, open, values)) => {
                return true;
            }
            // What is there has to be one of finitely many, too.
            PredKind::Exists(ids, body) => {
                let infinite = |id: &LocalId| is_used_at_infinite_type(*id, body);
                let inner: Vec<LocalId> = ids.iter().copied().filter(infinite).collect();
                let mut open = open.clone();
                open.extend(unbounded(&inner, body, &open, values));
                if is_bounded(id, body, &open, values) {
                    return true;
                }
            }
            _ => {}
        }
    }
    low && high
}

/// Whether a local that a predicate mentions is of a type with infinitely many values.
fn is_used_at_infinite_type(id: LocalId, p: &Pred) -> bool {
    let mut found = false;
    let mut look = |e: &mut Expr| found |= e.kind == ExprKind::Local(id) && e.ty.is_infinite();
    Visitor::of(&mut look).pred(&mut p.clone());
    found
}

/// Whether an expression is a local, or a tuple with it: equal to a value, it has one.
fn is_part(id: LocalId, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(l) => *l == id,
        ExprKind::Binary(BinaryOp::Pair, a, b) => is_part(id, a) || is_part(id, b),
        _ => false,
    }
}

/// Whether a set is all of its type.
pub fn is_whole(set: &Expr) -> bool {
    match &set.kind {
        ExprKind::Carrier(_) | ExprKind::Freetype { made: None, .. } => true,
        ExprKind::Basic(b) => {
            matches!(b, BasicSet::Bool | BasicSet::Integer | BasicSet::String | BasicSet::Real)
        }
        ExprKind::Unary(UnaryOp::Pow, of) => is_whole(of),
        ExprKind::Binary(BinaryOp::Product | BinaryOp::Relations, a, b) => {
            is_whole(a) && is_whole(b)
        }
        ExprKind::Struct(fields) => fields.iter().all(is_whole),
        _ => false,
    }
}
