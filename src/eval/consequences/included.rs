//! Ways to say that a set is a part of another one, or that something is a member of a set that is described.
//!
//! `s /\ T = s`, `s \/ T = T`, `s - T = {}`, `!x.(x : s => x : T)`, `not(#x.(x /: T & x : s))` and `UNION(x).(x : s | {x}) <: T`
//! say `s <: T`; `f |> T = f` says `ran(f) <: T`. A plan takes candidates from an inclusion, and the solver pictures a set by it.
//! `f : {h | P}` says `P` of `f`: what else is said of `f` may leave out most of what the set has as members.

use super::implied::tuple_of;
use crate::eval::compile::{Compiler, Undefined};
use crate::eval::plans::estimate::{UNBOUNDED, WORTH_WHILE};
use crate::machine::footprint::Footprint;
use crate::machine::visit::same;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Fold, Pred, PredKind, Type, UnaryOp, rewrite,
};
use crate::source::Span;
use std::sync::Arc;

/// The set and the one that it is a part of, as the equation of two sets says; of a set that may be looked for.
pub(super) fn inclusion(made: &Expr, other: &Expr) -> Option<(Expr, Expr)> {
    said(made, other).filter(|(part, _)| is_subject(part))
}

/// The same of any two sets.
fn said(made: &Expr, other: &Expr) -> Option<(Expr, Expr)> {
    let ExprKind::Binary(op, a, b) = &made.kind else { return None };
    let (a, b) = (&**a, &**b);
    let is_empty = matches!(other.kind, ExprKind::Empty);
    let (part, whole) = match op {
        BinaryOp::Intersection if same(a, other) => (a.clone(), b),
        BinaryOp::Intersection if same(b, other) => (b.clone(), a),
        BinaryOp::Union if same(a, other) => (b.clone(), a),
        BinaryOp::Union if same(b, other) => (a.clone(), b),
        BinaryOp::Difference if is_empty => (a.clone(), b),
        BinaryOp::RangeSubtract if is_empty => (side(UnaryOp::Ran, a)?, b),
        BinaryOp::RangeRestrict if same(a, other) => (side(UnaryOp::Ran, a)?, b),
        BinaryOp::DomainSubtract if is_empty => (side(UnaryOp::Dom, b)?, a),
        BinaryOp::DomainRestrict if same(b, other) => (side(UnaryOp::Dom, b)?, a),
        _ => return None,
    };
    Some((part, whole.clone()))
}

/// The domain or the range of a relation.
fn side(op: UnaryOp, of: &Expr) -> Option<Expr> {
    let Type::Pair(sides) = of.ty.element()? else { return None };
    let ty = if op == UnaryOp::Dom { &sides.0 } else { &sides.1 };
    Some(Expr::new(ExprKind::Unary(op, Arc::new(of.clone())), Type::pow(ty.clone()), of.span))
}

/// A set that has a name which a formula binds, or a side of such a relation: there it may be looked for.
fn is_subject(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_) => true,
        ExprKind::Unary(UnaryOp::Dom | UnaryOp::Ran | UnaryOp::Inverse, of) => is_subject(of),
        _ => false,
    }
}

impl Compiler<'_> {
    /// The set and the one that it is a part of, as an equation says of sets, or of the numbers of their members: `card(s /\ t) =
    /// card(t)` where both are finite.
    pub(in crate::eval) fn said_of_parts(&self, a: &Expr, b: &Expr) -> Option<(Expr, Expr)> {
        use UnaryOp::Card;
        if let Some(found) = said(a, b).or_else(|| said(b, a)) {
            return Some(found);
        }
        let (ExprKind::Unary(Card, a), ExprKind::Unary(Card, b)) = (&a.kind, &b.kind) else {
            return None;
        };
        let counts = |made: &Expr| {
            use BinaryOp::{Intersection, Union};
            matches!(&made.kind, ExprKind::Binary(Intersection | Union, ..))
        };
        let of = |made: &Expr, other: &Expr| said(made, other).filter(|_| counts(made));
        let (part, whole) = of(a, b).or_else(|| of(b, a))?;
        let is_finite = |e: &Expr| !self.is_infinite(e) && !self.may_be_symbolic(e);
        (is_finite(&part) && is_finite(&whole)).then_some((part, whole))
    }

    /// The set and the one that it is a part of, where a quantifier, or its negation, says so member by member: there is
    /// nothing that is in the one and not in the other.
    pub(super) fn said_by_members(&self, p: &Pred) -> Option<(Expr, Expr)> {
        let mut parts = Vec::new();
        let ids = match &p.kind {
            PredKind::Forall(ids, inside, said) => {
                self.conjuncts(inside, true, &mut parts);
                self.conjuncts(said, false, &mut parts);
                ids
            }
            PredKind::Exists(ids, body) => {
                self.conjuncts(body, true, &mut parts);
                ids
            }
            _ => return None,
        };
        let [p, q] = &parts[..] else { return None };
        let of = |p: &Pred, wanted: Comparison| match &p.kind {
            PredKind::Compare(op, x, set) if *op == wanted => Some((x.clone(), set.clone())),
            _ => None,
        };
        let sides = |p, q| of(p, Comparison::Member).zip(of(q, Comparison::NotMember));
        let ((x, part), (y, whole)) = sides(p, q).or_else(|| sides(q, p))?;
        let mut names = Vec::new();
        let is_each = tuple_of(&x, &mut names) && names == *ids && same(&x, &y);
        let is_free = |e: &Expr| ids.iter().all(|id| !Footprint::of_expr(e).locals.contains(id));
        let is_apart = is_free(&part) && is_free(&whole) && self.is_total(&whole);
        (is_each && is_apart && is_subject(&part)).then_some((part, whole))
    }

    /// `UNION(x).(x : s | E) <: T`, said of each `E`.
    pub(super) fn of_each_part(&self, union: &Expr, whole: &Expr, span: Span) -> Option<Pred> {
        let ExprKind::Fold(Fold::Union, ids, p, body) = &union.kind else { return None };
        let mut parts = Vec::new();
        self.conjuncts(p, true, &mut parts);
        let is_of_name = |p: &Pred| match &p.kind {
            PredKind::Compare(Comparison::Member, _, set) => is_subject(set),
            _ => false,
        };
        let own = Footprint::of_expr(whole).locals;
        if !parts.iter().any(is_of_name) {
            return None;
        }
        if ids.iter().any(|id| own.contains(id)) || !self.is_total(whole) || !self.is_total(body) {
            return None;
        }
        let kind = PredKind::Compare(Comparison::Subset, (**body).clone(), whole.clone());
        let each = Arc::new(Pred::new(kind, span));
        Some(Pred::new(PredKind::Forall(ids.clone(), p.clone(), each), span))
    }

    /// What a membership in a set that is described by a predicate says, where the set would have very many members.
    pub(super) fn opened(&self, x: &Expr, set: &Expr) -> Option<Pred> {
        let ExprKind::Comprehension(ids, p) = &set.kind else { return None };
        let mut names = Vec::new();
        if !tuple_of(x, &mut names)
            || names.len() != ids.len()
            || ids.iter().any(|id| names.contains(id))
            || self.is_infinite(set)
            || self.may_be_symbolic(set)
        {
            return None;
        }
        let plan = self.plan(ids, p, Undefined::Tell);
        let cost = if plan.is_unbounded(self) { UNBOUNDED } else { self.plan_cost(&plan) };
        if cost < WORTH_WHILE {
            return None;
        }
        let named = |kind: &ExprKind| match kind {
            ExprKind::Local(id) => {
                let at = ids.iter().position(|own| own == id)?;
                Some(ExprKind::Local(names[at]))
            }
            _ => None,
        };
        Some(rewrite::pred(p, &named))
    }
}
