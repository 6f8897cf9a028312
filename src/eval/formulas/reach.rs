//! Closures of which only a part is wanted: that is searched for, and the closure is not built.
//!
//! Small relations are held as bits; their closures are made faster than they are searched.

use crate::eval::compile::Compiler;
use crate::eval::plans::plan::Pattern;
use crate::lower::Rich;
use crate::lower::code::Code;
use crate::lower::rich::Belongs;
use crate::lower::rich::closure::{Closure, PartOfClosure, Wanted};
use crate::machine::{BinaryOp, Comparison, Expr, ExprKind, Fold, PredKind, Type, UnaryOp};
use crate::value::Shape;
use std::sync::Arc;

/// The members of an identity.
enum Members<'e> {
    All,
    Of(&'e Expr),
}

impl Compiler<'_> {
    /// Whether an expression is a closure that need not be built.
    pub(super) fn is_searched(&self, e: &Expr) -> bool {
        let ExprKind::Unary(UnaryOp::Closure1, r) = &e.kind else { return false };
        matches!(self.shape(&r.ty), Shape::Set(_))
            && self.is_buildable(r)
            && !self.is_infinite(r)
            && !self.may_be_symbolic(r)
    }

    fn closure(&self, e: &Expr) -> Option<Closure> {
        let ExprKind::Unary(UnaryOp::Closure1, r) = &e.kind else { return None };
        let closure = || Closure { of: self.rich(r), rel: self.shape(&r.ty), span: e.span };
        self.is_searched(e).then(closure)
    }

    /// What has to be true of a pair in a closure.
    pub(super) fn belongs_to_closure(&self, e: &Expr) -> Option<Belongs> {
        Some(Belongs::Closure(Box::new(self.closure(e)?)))
    }

    /// `closure1(r)[s]`, `s <| closure1(r)`, `closure1(r) /\ id(s)`.
    pub(super) fn part_of_closure(
        &self,
        op: BinaryOp,
        (a, b): (&Expr, &Expr),
        e: &Expr,
    ) -> Option<Code> {
        let (wanted, closure, members, set_first) = match op {
            BinaryOp::Image => (Wanted::Image, a, Members::Of(b), false),
            BinaryOp::DomainRestrict => (Wanted::Restricted, b, Members::Of(a), true),
            BinaryOp::Intersection => {
                let (closure, identity, first) =
                    if self.is_searched(a) { (a, b, false) } else { (b, a, true) };
                (Wanted::Circles, closure, self.members_of_identity(identity)?, first)
            }
            _ => return None,
        };
        let set = match members {
            Members::All => None,
            Members::Of(s) if self.is_rather_asked(s) => return None,
            Members::Of(s) => Some(s),
        };
        let closure = self.closure(closure)?;
        let points = Shape::set_of(closure.rel.element().sides().0);
        let (set, out) = (set.map(|s| self.rich(s)), self.shape(&e.ty));
        let part = PartOfClosure { closure, wanted, set, points, set_first, out: out.clone() };
        Some(self.made(&out, Rich::PartOfClosure(Box::new(part))))
    }

    /// The pairs of a closure that a pattern may match, where it says one side: `{x} <| closure1(r)`, or the inverse of
    /// `{y} <| closure1(r~)`.
    pub(in crate::eval) fn part_of_pairs(&self, pattern: &Pattern, closure: &Expr) -> Option<Expr> {
        let (Pattern::Pair(left, right, _), ExprKind::Unary(op, r)) = (pattern, &closure.kind)
        else {
            return None;
        };
        if !self.is_searched(closure) {
            return None;
        }
        let from = |x: &Expr, closure: Expr| {
            let kind = ExprKind::SetExtension(vec![x.clone()]);
            let points = Expr::new(kind, Type::pow(x.ty.clone()), x.span);
            let (ty, span) = (closure.ty.clone(), closure.span);
            let kind =
                ExprKind::Binary(BinaryOp::DomainRestrict, Arc::new(points), Arc::new(closure));
            Expr::new(kind, ty, span)
        };
        let one = |op, of: Expr| {
            let (ty, span) = (of.ty.clone(), of.span);
            Expr::new(ExprKind::Unary(op, Arc::new(of)), ty, span)
        };
        match (&**left, &**right) {
            (Pattern::Value(x), _) => Some(from(x, closure.clone())),
            (_, Pattern::Value(y)) => {
                let back = one(*op, one(UnaryOp::Inverse, (**r).clone()));
                Some(one(UnaryOp::Inverse, from(y, Expr { span: closure.span, ..back })))
            }
            _ => None,
        }
    }

    fn members_of_identity<'e>(&self, e: &'e Expr) -> Option<Members<'e>> {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Id, s) if self.is_whole_type(s) => Some(Members::All),
            ExprKind::Unary(UnaryOp::Id, s) => Some(Members::Of(s)),
            ExprKind::Fold(Fold::Lambda, ids, p, body) => {
                let ([x], PredKind::Compare(Comparison::Member, y, s)) = (&ids[..], &p.kind) else {
                    return None;
                };
                let is_x = |e: &Expr| e.kind == ExprKind::Local(*x);
                (is_x(body) && is_x(y) && self.is_whole_type(s)).then_some(Members::All)
            }
            _ => None,
        }
    }
}
