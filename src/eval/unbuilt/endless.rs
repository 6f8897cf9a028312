//! Sets that are not built, beside sets that are values: which of them are infinite for certain, and
//! how the others compare.
//!
//! A set of an infinite form may be finite all the same: `NATURAL * S` where S is empty,
//! `{1} -->> NATURAL`. What is not infinite for certain is walked, and where the walk is cut off
//! before it decides, the comparison is unknown.

use crate::eval::compile::{Compiler, Undefined};
use crate::lower::Test;
use crate::lower::description::PartFn;
use crate::lower::env::Env;
use crate::lower::stop::Stop;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, Pred, TreeOp, Type, UnaryOp,
};
use crate::normalise;

/// Whether something is so, or the reason why that is not known; the outer error ends the evaluation.
type InclusionFn = Box<dyn Fn(&mut Env) -> Result<Result<bool, Stop>, Stop> + Send + Sync>;

impl Compiler<'_> {
    /// Whether a set is infinite for certain: no value is equal to it, nor a superset of it.
    pub(in crate::eval) fn is_endless(&self, set: &Expr) -> bool {
        use UnaryOp::*;
        match &set.kind {
            ExprKind::Basic(b) => b.is_infinite(),
            ExprKind::Unary(Pow | Pow1 | Fin | Fin1 | Iseq | Iseq1 | Id, of) => self.is_endless(of),
            ExprKind::Unary(Seq | Seq1, of) => self.has_members(of),
            ExprKind::Tree(TreeOp::Trees | TreeOp::BinaryTrees, of) => self.has_members(&of[0]),
            ExprKind::Freetype { of, made, endless: true } => self.made_endless(*of, *made),
            ExprKind::Binary(op, a, b) => self.binary_is_endless(*op, (a, b), set),
            ExprKind::Struct(fields) => {
                fields.iter().any(|f| self.is_endless(f))
                    && fields.iter().all(|f| self.has_members(f))
            }
            ExprKind::If(_, a, b) => self.is_endless(a) && self.is_endless(b),
            ExprKind::Comprehension(ids, p) => {
                normalise::is_unending(set) || self.takes_from_endless(ids, p)
            }
            // There are as many pairs as arguments.
            ExprKind::Fold(Fold::Lambda, ids, p, _) => {
                let is_unending = |x: LocalId| {
                    self.machine().local(x).ty == Type::Integer && normalise::is_unending_for(x, p)
                };
                matches!(ids[..], [x] if is_unending(x)) || self.takes_from_endless(ids, p)
            }
            _ => false,
        }
    }

    /// Whether a predicate says nothing of names but which sets they are from, and there are infinitely many of them.
    fn takes_from_endless(&self, ids: &[LocalId], p: &Pred) -> bool {
        normalise::domain(ids, p).is_some_and(|all| self.is_endless(&all))
    }

    fn binary_is_endless(&self, op: BinaryOp, (a, b): (&Expr, &Expr), set: &Expr) -> bool {
        use BinaryOp::*;
        let is_unending = || normalise::is_unending(set);
        let pairs = || {
            self.is_endless(a) && self.has_members(b) || self.has_members(a) && self.is_endless(b)
        };
        match op {
            Union => self.is_endless(a) || self.is_endless(b),
            // Of numbers: one of the two named sets is the other or a part of it.
            Intersection => {
                let named = |e: &Expr| matches!(e.kind, ExprKind::Basic(_)) && self.is_endless(e);
                named(a) && named(b) || is_unending()
            }
            Difference => self.is_endless(a) && self.is_finite(b) || is_unending(),
            Product | Relations | PartialFunctions | PartialInjections => pairs(),
            // Of a source with one member there are as many as the target has.
            TotalFunctions | TotalRelations => {
                self.has_members(a) && self.is_endless(b)
                    || self.is_endless(a) && self.has_two_members(b)
            }
            // Of each endless set there are as many members as there are integers, at least.
            TotalInjections => {
                use BasicSet::{Float, Real};
                let countable = matches!(&a.kind, ExprKind::Basic(b) if !matches!(b, Real | Float));
                (countable || self.is_finite(a)) && self.has_members(a) && self.is_endless(b)
            }
            _ => false,
        }
    }

    /// Whether a set is finite for certain. What is not may be either.
    pub(super) fn is_finite(&self, set: &Expr) -> bool {
        use UnaryOp::*;
        if self.shape(&set.ty).element().is_finite() {
            return true;
        }
        if self.may_be_symbolic(set) {
            return false;
        }
        match &set.kind {
            ExprKind::Empty | ExprKind::SetExtension(_) | ExprKind::Sequence(_) => true,
            // Values.
            ExprKind::Variable(_) | ExprKind::Constant(_) | ExprKind::Local(_) => true,
            ExprKind::Basic(b) => !b.is_infinite(),
            ExprKind::Unary(
                Pow | Pow1 | Fin | Fin1 | Iseq | Iseq1 | Perm | Id | Dom | Ran | Inverse | Closure1
                | Front | Tail | Reverse,
                of,
            ) => self.is_finite(of),
            ExprKind::Binary(op, a, b) => self.binary_is_finite(*op, a, b),
            ExprKind::Struct(fields) => fields.iter().all(|f| self.is_finite(f)),
            ExprKind::If(_, a, b) => self.is_finite(a) && self.is_finite(b),
            ExprKind::Let(_, body) => self.is_finite(body),
            ExprKind::Comprehension(ids, p)
            | ExprKind::Fold(Fold::Image | Fold::Lambda, ids, p, _) => {
                normalise::arguments(ids, p, &|set| self.is_finite(set)).is_some()
            }
            _ => false,
        }
    }

    fn binary_is_finite(&self, op: BinaryOp, a: &Expr, b: &Expr) -> bool {
        use BinaryOp::*;
        match op {
            Interval => true,
            Union | Product | Override | Compose | DirectProduct | ParallelProduct | Concat => {
                self.is_finite(a) && self.is_finite(b)
            }
            Intersection => self.is_finite(a) || self.is_finite(b),
            Difference | Image | RangeRestrict | RangeSubtract | Append => self.is_finite(a),
            DomainRestrict | DomainSubtract | Prepend => self.is_finite(b),
            _ => op.is_arrow() && self.is_finite(a) && self.is_finite(b),
        }
    }

    /// Whether a set has a member for certain.
    pub(super) fn has_members(&self, set: &Expr) -> bool {
        use UnaryOp::*;
        match &set.kind {
            ExprKind::Basic(BasicSet::Nat) => self.instance.max_int >= 0,
            ExprKind::Basic(BasicSet::Nat1) => self.instance.max_int >= 1,
            ExprKind::Basic(_) | ExprKind::Carrier(_) => true,
            ExprKind::Freetype { of, made, .. } => self.made_some(*of, *made),
            ExprKind::SetExtension(items) | ExprKind::Sequence(items) => !items.is_empty(),
            ExprKind::Unary(Pow | Fin | Seq | Iseq, _) => true,
            ExprKind::Unary(Pow1 | Fin1 | Seq1 | Iseq1 | Id, of) => self.has_members(of),
            ExprKind::Binary(op, a, b) => match op {
                BinaryOp::Union => self.has_members(a) || self.has_members(b),
                BinaryOp::Product => self.has_members(a) && self.has_members(b),
                BinaryOp::Interval => match (&a.kind, &b.kind) {
                    (ExprKind::Integer(low), ExprKind::Integer(high)) => low <= high,
                    _ => false,
                },
                // The empty one is a member.
                BinaryOp::Relations | BinaryOp::PartialFunctions | BinaryOp::PartialInjections => {
                    true
                }
                BinaryOp::TotalFunctions | BinaryOp::TotalRelations => self.has_members(b),
                _ => false,
            },
            ExprKind::Struct(fields) => fields.iter().all(|f| self.has_members(f)),
            ExprKind::If(_, a, b) => self.has_members(a) && self.has_members(b),
            _ => self.is_endless(set),
        }
    }

    fn has_two_members(&self, set: &Expr) -> bool {
        match &set.kind {
            ExprKind::Basic(BasicSet::Bool) => true,
            ExprKind::Carrier(_) => self.shape(&set.ty).element().count().is_some_and(|n| n > 1),
            _ => self.is_endless(set),
        }
    }

    /// `set = value` for a set of an infinite form.
    pub(in crate::eval) fn endless_equal(&self, set: &Expr, value: &Expr) -> Test {
        if self.has_no_walk(value) {
            return self.equal_without_end(set, value);
        }
        if self.is_endless(set) {
            return self.then_false(value);
        }
        self.walked(set, value, false)
    }

    /// `set <: value` for a set of an infinite form.
    pub(in crate::eval) fn endless_subset(&self, set: &Expr, value: &Expr) -> Test {
        if self.has_no_walk(value) {
            return self.part_without_end(set, value);
        }
        if self.is_endless(set) {
            return self.then_false(value);
        }
        self.walked(set, value, true)
    }

    /// Whether a set is told by a condition that nothing bounds.
    pub(in crate::eval) fn has_no_walk(&self, set: &Expr) -> bool {
        let (ExprKind::Comprehension(ids, p)
        | ExprKind::Fold(Fold::Image | Fold::Lambda, ids, p, _)) = &set.kind
        else {
            return false;
        };
        self.plan(ids, p, Undefined::Tell).is_unbounded(self)
    }

    /// `a <: b` for sets that cannot be walked to their ends: a member of the one that is not in the other refutes it, and
    /// their forms may tell that there is none.
    pub(in crate::eval) fn part_without_end(&self, a: &Expr, b: &Expr) -> Test {
        let within = self.inclusion(a, b);
        Test::run(move |env| within(env)?)
    }

    /// `a = b` for such sets. Both are walked: what is undefined in one is not hidden by a member of the other.
    pub(in crate::eval) fn equal_without_end(&self, a: &Expr, b: &Expr) -> Test {
        let (forth, back) = (self.inclusion(a, b), self.inclusion(b, a));
        Test::run(move |env| match (forth(env)?, back(env)?) {
            (Ok(false), _) | (_, Ok(false)) => Ok(false),
            (Ok(true), back) => back,
            (forth, _) => forth,
        })
    }

    /// Whether all of `a` is in `b`, or why that is not known.
    fn inclusion(&self, a: &Expr, b: &Expr) -> InclusionFn {
        let given = normalise::Given { itself: None, freetypes: &self.machine().freetypes };
        let decided = normalise::decide(Comparison::Subset, a, b, given);
        let (part, within) = (self.enumerated(a), self.subset_test(b));
        Box::new(move |env| {
            let (found, cut) = part(env)?;
            Ok(match (within(env, &found)?, cut, decided) {
                (false, ..) => Ok(false),
                (true, None, _) => Ok(true),
                (true, Some(_), Some(truth)) => Ok(truth),
                (true, Some(stop), None) => Err(stop),
            })
        })
    }

    fn walked(&self, set: &Expr, value: &Expr, subset: bool) -> Test {
        let shape = self.shape(&value.ty);
        let (part, value) = (self.enumerated(set), self.value(value));
        Test::run(move |env| {
            let value = value(env)?;
            let (found, cut) = part(env)?;
            match cut {
                _ if !shape.is_subset(&found, &value) => Ok(false),
                Some(stop) => Err(stop),
                None => Ok(subset || found == value),
            }
        })
    }

    /// A set of an infinite form as far as it is found, any other whole.
    pub(in crate::eval) fn whole_or_part(&self, set: &Expr) -> PartFn {
        if self.is_infinite(set) {
            return self.enumerated(set);
        }
        let whole = self.kept(set);
        Box::new(move |env| Ok((whole(env)?, None)))
    }
}
