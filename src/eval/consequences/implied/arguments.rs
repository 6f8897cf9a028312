//! Arguments: what a function that is not known yet is applied to, and what a relation leads from.

use super::composed::{Known, found_in};
use super::{Subject, is, mentions};
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type, UnaryOp,
};
use crate::value::relation::Arrow;

impl Subject<'_> {
    /// `f : A --> B & f(x) = c`: `x` is in `A`, as outside of it the conjunct is undefined.
    pub(super) fn of_argument(&self) -> Option<Expr> {
        self.conjuncts.iter().find_map(|p| match &p.kind {
            PredKind::Compare(_, a, b) => self.applied(a).or_else(|| self.applied(b)),
            _ => None,
        })
    }

    /// A set that the local is in, as something is applied to it in this expression, wherever that is evaluated.
    fn applied(&self, e: &Expr) -> Option<Expr> {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Apply, f, x) if mentions(self.local, x) => {
                let inside = |domain| found_in(&|e| is(self.local, e), x, Known::Within(domain));
                self.domain_of(f).and_then(inside).or_else(|| self.applied(x))
            }
            ExprKind::Binary(_, a, b) => self.applied(a).or_else(|| self.applied(b)),
            ExprKind::Unary(_, a) => self.applied(a),
            _ => None,
        }
    }

    /// A set that the domain of a function is a part of, as a conjunct says which functions it is one of.
    fn domain_of(&self, f: &Expr) -> Option<Expr> {
        self.conjuncts.iter().find_map(|p| {
            let PredKind::Compare(Comparison::Member, g, functions) = &p.kind else { return None };
            let ExprKind::Binary(op, domain, _) = &functions.kind else { return None };
            let is_it = f.kind == g.kind && matches!(f.kind, ExprKind::Local(_));
            let is_told = is_it && Arrow::from_op(*op).is_some() && self.is_given(domain);
            (is_told && !self.compiler.is_infinite(domain)).then(|| (**domain).clone())
        })
    }
}

/// `y : r[{x}]`, `r[{x}] = {1, 2}`, `r[{x}] /= {}`: `x` is in `dom(r)`.
pub(super) fn leads_on(local: LocalId, p: &Pred) -> Option<Expr> {
    let PredKind::Compare(op, a, b) = &p.kind else { return None };
    let has_members =
        |e: &Expr| matches!(&e.kind, ExprKind::SetExtension(items) if !items.is_empty());
    let image = match op {
        Comparison::Member => b,
        Comparison::Equal if has_members(a) => b,
        Comparison::Equal if has_members(b) => a,
        Comparison::NotEqual if a.kind == ExprKind::Empty => b,
        Comparison::NotEqual if b.kind == ExprKind::Empty => a,
        Comparison::Subset | Comparison::StrictSubset if has_members(a) => b,
        _ => return None,
    };
    let ExprKind::Binary(BinaryOp::Image, r, from) = &image.kind else { return None };
    let is_alone = matches!(&from.kind, ExprKind::SetExtension(items) if matches!(&items[..], [x] if is(local, x)));
    if !is_alone || mentions(local, r) {
        return None;
    }
    let Type::Pair(sides) = r.ty.element()? else { return None };
    let domain = ExprKind::Unary(UnaryOp::Dom, r.clone());
    Some(Expr::new(domain, Type::pow(sides.0.clone()), r.span))
}
