//! What conjuncts say of a local without naming it as a member or a part.
//!
//! `even \/ odd = (1..n) * (1..n)` says that `odd` is a part of the product, `dom(f) = A & ran(f) <: B` that
//! `f` is a relation from `A` to `B`, `front(s) = e` that `s` is a sequence longer by one than `e`. A plan takes candidates from such conjuncts where it has nothing better:
//! they say less than those that they follow from, and are undefined where these are.

use super::compile::{Compiler, Undefined};
use crate::clock;
use crate::machine::footprint::Footprint;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type, UnaryOp,
};
use crate::normalise;
use std::collections::BTreeSet;

impl Compiler<'_> {
    /// Inclusions and memberships that follow from the conjuncts, for locals of which none says a set that they are in or what
    /// they are equal to.
    pub(super) fn implied(&self, locals: &[LocalId], conjuncts: &[Pred]) -> Vec<Pred> {
        let mut found = Vec::new();
        let asked: BTreeSet<LocalId> = locals.iter().copied().collect();
        for local in locals {
            let machine_local = self.machine().local(*local);
            // Finite types have an end by themselves.
            let finite = self.shape(&machine_local.ty).is_finite();
            if finite
                || !matches!(machine_local.ty, Type::Pow(_))
                || self.is_ranged(*local, conjuncts)
            {
                continue;
            }
            clock::work(conjuncts.len());
            if let Some(told) = self.of_told_length(*local, conjuncts) {
                found.push(told);
                continue;
            }
            let is_free = |set: &Expr| Footprint::of_expr(set).locals.is_disjoint(&asked);
            let parts = conjuncts.iter().filter_map(|p| part_of(*local, p));
            let mut said: Vec<Expr> = parts.collect();
            said.extend(between(*local, conjuncts));
            said.extend(extent(*local, conjuncts));
            // Better one that does not wait for other locals.
            let bound = said.iter().find(|set| is_free(set)).cloned();
            let bound = bound.or_else(|| conjuncts.iter().find_map(|p| self.all_of(*local, p)));
            let bound = bound.or_else(|| said.into_iter().next());
            if let Some(set) = bound.filter(|set| !self.is_whole_type(set)) {
                let kind = ExprKind::Local(*local);
                let x = Expr::new(kind, machine_local.ty.clone(), machine_local.span);
                let kind = PredKind::Compare(Comparison::Subset, x, set.clone());
                found.push(Pred::new(kind, set.span));
            }
        }
        found
    }

    /// `front(s) = e`, `tail(s) = e`, `rev(s) = e`: `s` is a sequence, and its length is known with that of `e`.
    fn of_told_length(&self, local: LocalId, conjuncts: &[Pred]) -> Option<Pred> {
        let told = |a: &Expr, e: &Expr| {
            let (mut s, mut more) = (a, 0);
            while let ExprKind::Unary(op, of) = &s.kind {
                more += match op {
                    UnaryOp::Front | UnaryOp::Tail => 1,
                    UnaryOp::Reverse => 0,
                    _ => return None,
                };
                s = of;
            }
            let is_told = !std::ptr::eq(s, a) && is(local, s) && !mentions(local, e);
            is_told.then(|| (s.clone(), e.clone(), more))
        };
        let (s, e, more) = conjuncts.iter().find_map(|p| match &p.kind {
            PredKind::Compare(Comparison::Equal, a, b) => told(a, b).or_else(|| told(b, a)),
            _ => None,
        })?;
        let number = |n: i64| Expr::new(ExprKind::Integer(n.into()), Type::Integer, e.span);
        let binary = |op, a, b, ty: &Type| {
            Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty.clone(), e.span)
        };
        // Of what is no sequence there is a number of members, too.
        let members = ExprKind::Unary(UnaryOp::Card, Box::new(e.clone()));
        let members = Expr::new(members, Type::Integer, e.span);
        let length = binary(BinaryOp::Add, members, number(more), &Type::Integer);
        let domain = binary(BinaryOp::Interval, number(1), length, &Type::pow(Type::Integer));
        let Type::Pair(sides) = s.ty.element()? else { return None };
        let range = normalise::whole(&sides.1, e.span);
        let functions = binary(BinaryOp::TotalFunctions, domain, range, &Type::pow(s.ty.clone()));
        let span = e.span;
        Some(Pred::new(PredKind::Compare(Comparison::Member, s, functions), span))
    }

    /// Whether some conjunct says what a local is equal to, or a set with an end that it is a member or a part
    /// of.
    fn is_ranged(&self, local: LocalId, conjuncts: &[Pred]) -> bool {
        conjuncts.iter().any(|p| match &p.kind {
            PredKind::Compare(
                Comparison::Member | Comparison::Subset | Comparison::StrictSubset,
                x,
                set,
            ) => is(local, x) && !self.is_infinite(set),
            PredKind::Compare(Comparison::Equal, a, b) => is(local, a) || is(local, b),
            _ => false,
        })
    }

    /// `!x.(x : S => P)` says that `S` is a part of `{x | P}`. Where the members of that are not found by what
    /// `P` says, it is no help.
    fn all_of(&self, local: LocalId, p: &Pred) -> Option<Expr> {
        let PredKind::Forall(ids, inside, said) = &p.kind else { return None };
        let PredKind::Compare(Comparison::Member, x, set) = &inside.kind else { return None };
        let mut parts = Vec::new();
        if !is(local, set)
            || !tuple_of(x, &mut parts)
            || parts != *ids
            || Footprint::of_pred(said).locals.contains(&local)
            || !self.is_certain(said)
            || self.plan(ids, said, Undefined::Tell).is_unbounded(self)
        {
            return None;
        }
        let kind = ExprKind::Comprehension(ids.clone(), said.clone());
        Some(Expr::new(kind, set.ty.clone(), said.span))
    }

    /// Whether a predicate is true or false of whatever is asked, with what its quantifiers bind found.
    fn is_certain(&self, p: &Pred) -> bool {
        let found =
            |ids: &[LocalId], p: &Pred| !self.plan(ids, p, Undefined::Tell).is_unbounded(self);
        match &p.kind {
            PredKind::And(ps) | PredKind::Or(ps) => ps.iter().all(|p| self.is_certain(p)),
            PredKind::Not(p) => self.is_certain(p),
            PredKind::Implies(p, q) | PredKind::Iff(p, q) => {
                self.is_certain(p) && self.is_certain(q)
            }
            PredKind::Exists(ids, p) => self.is_certain(p) && found(ids, p),
            PredKind::Forall(ids, p, q) => {
                self.is_certain(p) && self.is_certain(q) && found(ids, p)
            }
            _ => self.is_total_pred(p),
        }
    }
}

/// The locals of a tuple, from left to right; whether it is one.
fn tuple_of(e: &Expr, out: &mut Vec<LocalId>) -> bool {
    match &e.kind {
        ExprKind::Local(id) => out.push(*id),
        ExprKind::Binary(BinaryOp::Pair, a, b) => {
            return matches!(b.kind, ExprKind::Local(_)) && tuple_of(a, out) && tuple_of(b, out);
        }
        _ => return false,
    }
    true
}

fn is(local: LocalId, e: &Expr) -> bool {
    e.kind == ExprKind::Local(local)
}

fn mentions(local: LocalId, e: &Expr) -> bool {
    Footprint::of_expr(e).locals.contains(&local)
}

/// A set that a local is a part of, if a conjunct on unions or a partition says so.
fn part_of(local: LocalId, p: &Pred) -> Option<Expr> {
    match &p.kind {
        PredKind::Compare(op @ (Comparison::Equal | Comparison::Subset), a, b) => {
            let both = if *op == Comparison::Equal { &[(a, b), (b, a)][..] } else { &[(a, b)] };
            let whole = both.iter().find(|(union, set)| {
                is_summand(local, union) && !is(local, union) && !mentions(local, set)
            });
            whole.map(|(_, set)| (*set).clone())
        }
        PredKind::Partition(whole, parts) if !mentions(local, whole) => {
            parts.iter().any(|part| is_summand(local, part)).then(|| whole.clone())
        }
        _ => None,
    }
}

/// Whether a local is one of the sets of `A \/ B \/ C`.
fn is_summand(local: LocalId, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Union, a, b) => is_summand(local, a) || is_summand(local, b),
        _ => is(local, e),
    }
}

/// The product of what conjuncts say of the domain and of the range of a relation.
fn between(local: LocalId, conjuncts: &[Pred]) -> Option<Expr> {
    let side = |of: UnaryOp| {
        conjuncts.iter().find_map(|p| {
            let PredKind::Compare(op @ (Comparison::Equal | Comparison::Subset), a, b) = &p.kind
            else {
                return None;
            };
            let is_side =
                |e: &Expr| matches!(&e.kind, ExprKind::Unary(op, r) if *op == of && is(local, r));
            match op {
                _ if is_side(a) && !mentions(local, b) => Some(b),
                Comparison::Equal if is_side(b) && !mentions(local, a) => Some(a),
                _ => None,
            }
        })
    };
    let (from, to) = (side(UnaryOp::Dom)?, side(UnaryOp::Ran)?);
    let (left, right) = (from.ty.element()?.clone(), to.ty.element()?.clone());
    let kind = ExprKind::Binary(BinaryOp::Product, Box::new(from.clone()), Box::new(to.clone()));
    Some(Expr::new(kind, Type::pow(Type::pair(left, right)), from.span))
}

/// What conjuncts say of the least and of the greatest member of a set of integers, as an interval.
fn extent(local: LocalId, conjuncts: &[Pred]) -> Option<Expr> {
    use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual};
    // Of several bounds, one that depends on nothing else.
    let side = |of: UnaryOp, beyond: [Comparison; 2]| {
        let bounds = conjuncts.iter().filter_map(|p| {
            let PredKind::Compare(op, a, b) = &p.kind else { return None };
            let is_side =
                |e: &Expr| matches!(&e.kind, ExprKind::Unary(op, s) if *op == of && is(local, s));
            let bound = match op {
                Equal if is_side(b) => a,
                op if is_side(a) && (*op == Equal || beyond.contains(op)) => b,
                _ => return None,
            };
            (!mentions(local, bound)).then_some(bound)
        });
        bounds.min_by_key(|bound| Footprint::of_expr(bound).locals.len())
    };
    let low = side(UnaryOp::Min, [Greater, GreaterEqual])?;
    let high = side(UnaryOp::Max, [Less, LessEqual])?;
    let kind = ExprKind::Binary(BinaryOp::Interval, Box::new(low.clone()), Box::new(high.clone()));
    Some(Expr::new(kind, Type::pow(Type::Integer), low.span))
}
