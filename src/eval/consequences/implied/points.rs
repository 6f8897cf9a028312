//! Functions and records whose results and fields have no end by their types, but each of which is told by some conjunct.

use super::arrows::side_of;
use super::composed::{Target, told_of, union_of};
use super::{Subject, is, mentions};
use crate::machine::visit::same;
use crate::machine::{BinaryOp, Comparison, Expr, ExprKind, Pred, PredKind, Type, UnaryOp};
use crate::normalise;
use crate::value::relation::Arrow;
use std::sync::Arc;

/// Most points that are listed.
const MOST: i64 = 64;

impl Subject<'_> {
    /// `f : 1..2 --> STRING & f(1) = "a" & (f(2) = "b" or f(2) = "c")`: `f : 1..2 --> {"a"} \/ ({"b"} \/ {"c"})`; so where
    /// the range is told. `p` says what functions it is one of.
    pub(super) fn at_told_points(&self, p: &Pred) -> Option<Pred> {
        let PredKind::Compare(Comparison::Member, f, functions) = &p.kind else { return None };
        let ExprKind::Binary(op, domain, results) = &functions.kind else { return None };
        let arrow = Arrow::from_op(*op)?;
        if !is(self.local, f) || !arrow.total || !self.compiler.is_infinite(results) {
            return None;
        }
        let at = |point: &Expr| {
            self.told(&|e| self.is_at(e, point)).or_else(|| {
                // It may be the result of another point.
                let other = self.conjuncts.iter().find_map(|p| match &p.kind {
                    PredKind::Compare(Comparison::Equal, a, b) if self.is_at(a, point) => Some(b),
                    PredKind::Compare(Comparison::Equal, a, b) if self.is_at(b, point) => Some(a),
                    _ => None,
                })?;
                self.told(&|e| same(e, other) && mentions(self.local, e))
            })
        };
        let told = || self.points(domain)?.iter().map(at).collect::<Option<Vec<Expr>>>();
        let range = || self.conjuncts.iter().find_map(|p| side_of(UnaryOp::Ran, self.local, p));
        let range = || range().map(|(set, _)| set.clone()).filter(|set| self.is_given(set));
        let (op, within) =
            (Arrow { surjective: false, ..arrow }.op()?, told().and_then(union_of).or_else(range)?);
        let kind = ExprKind::Binary(op, domain.clone(), Arc::new(within));
        let set = Expr::new(kind, functions.ty.clone(), functions.span);
        Some(self.said(Comparison::Member, set))
    }

    /// `dom(f) = {a, b} & f(a) = .. & f(b) = ..`, where nothing says what `f` is: a total function on these, or a result
    /// would be undefined.
    pub(super) fn at_listed_points(&self) -> Option<Pred> {
        let mut sides = self.conjuncts.iter().filter_map(|p| side_of(UnaryOp::Dom, self.local, p));
        let (domain, _) = sides.find(|(_, is_all)| *is_all)?;
        let is_applied = |point: &Expr| {
            self.conjuncts.iter().any(|p| match &p.kind {
                PredKind::Compare(_, a, b) => self.is_at(a, point) || self.is_at(b, point),
                _ => false,
            })
        };
        if !self.points(domain)?.iter().all(is_applied) {
            return None;
        }
        let ty = &self.compiler.machine().local(self.local).ty;
        let Type::Pair(sides) = ty.element()? else { return None };
        let range = Arc::new(normalise::whole(&sides.1, domain.span));
        let kind = ExprKind::Binary(BinaryOp::TotalFunctions, Arc::new(domain.clone()), range);
        let set = Expr::new(kind, Type::pow(ty.clone()), domain.span);
        Some(self.said(Comparison::Member, set))
    }

    /// Whether this is the result of the function at a point.
    fn is_at(&self, e: &Expr, point: &Expr) -> bool {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Apply, f, x) => is(self.local, f) && same(x, point),
            _ => false,
        }
    }

    /// `r : struct(a : STRING, b : 1..3) & r'a = "x"`: `r : struct(a : {"x"}, b : 1..3)`.
    pub(super) fn of_told_fields(&self) -> Option<Pred> {
        let declared = self.compiler.machine().local(self.local);
        let Type::Record(fields) = &declared.ty else { return None };
        let sets = self.conjuncts.iter().find_map(|p| match &p.kind {
            PredKind::Compare(Comparison::Member, r, set) if is(self.local, r) => match &set.kind {
                ExprKind::Struct(sets) => Some(sets),
                _ => None,
            },
            _ => None,
        });
        let told = |n: usize| {
            let own = sets.and_then(|sets| sets.get(n));
            if let Some(set) = own.filter(|set| !self.compiler.is_infinite(set)) {
                return Some(set.clone());
            }
            self.told(&|e| match &e.kind {
                ExprKind::Field(r, i) => *i == n && is(self.local, r),
                _ => false,
            })
        };
        let told = (0..fields.len()).map(told).collect::<Option<Vec<Expr>>>()?;
        let ty = Type::pow(declared.ty.clone());
        let all = Expr::new(ExprKind::Struct(told), ty, declared.span);
        Some(self.said(Comparison::Member, all))
    }

    /// A set with an end that this is in, known before any of the locals is.
    fn told(&self, target: Target<'_>) -> Option<Expr> {
        let said = self.conjuncts.iter().filter_map(|p| told_of(target, self.local, p));
        let mut given = said.filter(|set| self.is_given(set));
        given.find(|set| !self.compiler.is_infinite(set))
    }

    /// The members of a set that is listed, or an interval of numbers that stand there.
    fn points(&self, set: &Expr) -> Option<Vec<Expr>> {
        match &set.kind {
            ExprKind::SetExtension(points) => Some(points.clone()),
            ExprKind::Binary(BinaryOp::Interval, low, high) => {
                let number = |e: &Expr| match &e.kind {
                    ExprKind::Integer(n) => i64::try_from(n).ok(),
                    _ => None,
                };
                let (first, last) = (number(low)?, number(high)?);
                let is_short = last.checked_sub(first).is_some_and(|n| n < MOST);
                let point =
                    |n: i64| Expr::new(ExprKind::Integer(n.into()), Type::Integer, set.span);
                is_short.then(|| (first..=last).map(point).collect())
            }
            _ => None,
        }
    }
}
