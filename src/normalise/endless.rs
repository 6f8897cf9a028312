//! Which sets are infinite, or too large to be built, as far as can be seen without evaluating them.

use crate::clock;
use crate::machine::footprint::Footprint;
use crate::machine::visit::Visitor;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, ConstId, Expr, ExprKind, Fold, LocalId, Machine, Pred,
    PredKind, TreeOp, UnaryOp,
};
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

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
            BinaryOp::Interval => match (literal(a), literal(b)) {
                (Some(low), Some(high)) => is_large(&low, &high),
                _ => false,
            },
            BinaryOp::Union | BinaryOp::Product | BinaryOp::Override => endless(a) || endless(b),
            BinaryOp::Intersection => endless(a) && endless(b),
            BinaryOp::Difference => endless(a) && !endless(b),
            BinaryOp::DomainRestrict => endless(a) && endless(b),
            _ => op.is_arrow() && (endless(a) || endless(b)),
        },
        ExprKind::Fold(Fold::Lambda | Fold::Image, ids, p, _) | ExprKind::Comprehension(ids, p) => {
            let mut open = Open::default();
            open.settle(ids, p, values);
            open.left.iter().any(|id| may_be_endless(e, *id, p))
        }
        ExprKind::Struct(fields) => fields.iter().any(endless),
        ExprKind::If(_, a, b) => endless(a) || endless(b),
        ExprKind::Let(_, body) => endless(body),
        _ => false,
    }
}

/// Whether there are so many numbers from one to another that they should not be built.
fn is_large(low: &BigInt, high: &BigInt) -> bool {
    high - low >= BigInt::from(LARGE)
}

/// A small constant number.
pub fn literal(e: &Expr) -> Option<BigInt> {
    number(e, &BTreeMap::new())
}

/// The same, where these constants are numbers.
fn number(e: &Expr, known: &BTreeMap<ConstId, BigInt>) -> Option<BigInt> {
    match &e.kind {
        ExprKind::Integer(n) => Some(n.clone()),
        ExprKind::Constant(id) => known.get(id).cloned(),
        ExprKind::Unary(UnaryOp::Negate, a) => Some(-number(a, known)?),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (number(a, known)?, number(b, known)?);
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

/// The constants that equations of the PROPERTIES say which numbers they are.
fn numbers(machine: &Machine) -> BTreeMap<ConstId, BigInt> {
    let mut known = BTreeMap::new();
    // One may be told by another that comes later.
    loop {
        let before = known.len();
        clock::work(machine.properties.len());
        for conjunct in &machine.properties {
            let PredKind::Compare(Comparison::Equal, a, b) = &conjunct.pred.kind else { continue };
            for (x, e) in [(a, b), (b, a)] {
                if let ExprKind::Constant(id) = x.kind
                    && !known.contains_key(&id)
                    && let Some(n) = number(e, &known)
                {
                    known.insert(id, n);
                }
            }
        }
        if known.len() == before {
            return known;
        }
    }
}

/// Puts numbers at the ends of the intervals that should not be built, where constants tell them: what looks at the form
/// of a set asks no constants.
pub fn tell_ends(machine: &mut Machine) {
    let known = numbers(machine);
    if known.is_empty() {
        return;
    }
    let mut tell = |e: &mut Expr| {
        let ExprKind::Binary(BinaryOp::Interval, a, b) = &mut e.kind else { return };
        if let (Some(low), Some(high)) = (number(a, &known), number(b, &known))
            && is_large(&low, &high)
        {
            Arc::make_mut(a).kind = ExprKind::Integer(low);
            Arc::make_mut(b).kind = ExprKind::Integer(high);
        }
    };
    Visitor::of(&mut tell).machine(machine);
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

/// Locals that may have infinitely many values, as far as is seen by now, and on which side they are bounded.
#[derive(Clone, Default)]
struct Open {
    left: BTreeSet<LocalId>,
    below: BTreeSet<LocalId>,
    above: BTreeSet<LocalId>,
}

/// What a predicate says of a local.
enum Said {
    /// It has finitely many values.
    Finite,
    /// It is bounded below, and above.
    Sides(bool, bool),
}

impl Open {
    /// Whether an expression depends on none of them.
    fn knows(&self, e: &Expr) -> bool {
        Footprint::of_expr(e).locals.is_disjoint(&self.left)
    }

    /// Whether a local has one value where this expression, a tuple or a sum of it and of what is known, has one.
    fn tells(&self, id: LocalId, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Local(l) => *l == id,
            ExprKind::Binary(BinaryOp::Pair, a, b) => self.tells(id, a) || self.tells(id, b),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, a, b) => {
                self.tells(id, a) && self.knows(b) || self.tells(id, b) && self.knows(a)
            }
            _ => false,
        }
    }

    /// Whether a number is bounded above, or below.
    fn bounds(&self, e: &Expr, above: bool) -> bool {
        match &e.kind {
            ExprKind::Local(id) if self.left.contains(id) => {
                if above {
                    self.above.contains(id)
                } else {
                    self.below.contains(id)
                }
            }
            ExprKind::Binary(BinaryOp::Add, a, b) => self.bounds(a, above) && self.bounds(b, above),
            ExprKind::Binary(BinaryOp::Subtract, a, b) => {
                self.bounds(a, above) && self.bounds(b, !above)
            }
            _ => self.knows(e),
        }
    }

    /// Adds locals, and takes those away again that a predicate bounds. What bounds one may be said with others that are
    /// bounded by then.
    fn settle(&mut self, ids: &[LocalId], p: &Pred, values: &Values) {
        self.left.extend(ids);
        let mut changes = true;
        while std::mem::take(&mut changes) {
            for id in ids.iter().filter(|id| self.left.contains(id)).copied().collect::<Vec<_>>() {
                match self.said(id, p, values) {
                    Said::Finite | Said::Sides(true, true) => changes |= self.left.remove(&id),
                    Said::Sides(below, above) => {
                        changes |= below && self.below.insert(id);
                        changes |= above && self.above.insert(id);
                    }
                }
            }
        }
    }

    /// What a predicate says of a local, as far as can be seen.
    fn said(&self, id: LocalId, p: &Pred, values: &Values) -> Said {
        let (mut low, mut high) = (self.below.contains(&id), self.above.contains(&id));
        let is_finite =
            |p: &Pred| matches!(self.said(id, p, values), Said::Finite | Said::Sides(true, true));
        for c in p.conjuncts() {
            match &c.kind {
                PredKind::Compare(op, a, b) => {
                    use Comparison::*;
                    let is_local = |e: &Expr| e.kind == ExprKind::Local(id);
                    match op {
                        Equal
                            if self.tells(id, a) && self.knows(b)
                                || self.tells(id, b) && self.knows(a) =>
                        {
                            return Said::Finite;
                        }
                        Member if self.tells(id, a) && self.knows(b) && !is_endless(b, values) => {
                            return Said::Finite;
                        }
                        Member if is_part(id, a) && self.knows(b) => {
                            low |= matches!(
                                b.kind,
                                ExprKind::Basic(BasicSet::Natural | BasicSet::Natural1)
                            );
                        }
                        Member if is_local(a) => {
                            if let ExprKind::Binary(BinaryOp::Interval, from, to) = &b.kind {
                                low |= self.bounds(from, false);
                                high |= self.bounds(to, true);
                            }
                        }
                        Subset | StrictSubset
                            if is_local(a) && self.knows(b) && !is_endless(b, values) =>
                        {
                            return Said::Finite;
                        }
                        Less | LessEqual => {
                            high |= is_local(a) && self.bounds(b, true);
                            low |= is_local(b) && self.bounds(a, false);
                        }
                        Greater | GreaterEqual => {
                            low |= is_local(a) && self.bounds(b, false);
                            high |= is_local(b) && self.bounds(a, true);
                        }
                        _ => {}
                    }
                }
                PredKind::Or(parts) if parts.iter().all(is_finite) => return Said::Finite,
                // What is there has to be one of finitely many, too.
                PredKind::Exists(ids, body) => {
                    let infinite = |id: &LocalId| is_used_at_infinite_type(*id, body);
                    let mut inner: Vec<LocalId> = ids.iter().copied().filter(infinite).collect();
                    let mut open = self.clone();
                    inner.push(id);
                    open.settle(&inner, body, values);
                    if !open.left.contains(&id) {
                        return Said::Finite;
                    }
                }
                _ => {}
            }
        }
        Said::Sides(low, high)
    }
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
