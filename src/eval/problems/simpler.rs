//! Comparisons of sets in words that ask the solver for fewer sets: each says the same, and is undefined where the other is.

use crate::eval::compile::Compiler;
use crate::machine::make;
use crate::machine::{BinaryOp, Comparison, Expr, ExprKind, Pred, PredKind};
use crate::source::Span;
use std::sync::Arc;

impl Compiler<'_> {
    /// What a comparison says, of the sets that its own are made of.
    pub(super) fn simpler(
        &self,
        op: Comparison,
        (a, b): (&Expr, &Expr),
        span: Span,
    ) -> Option<Pred> {
        let compare =
            |op, a: &Expr, b: &Expr| Pred::new(PredKind::Compare(op, a.clone(), b.clone()), span);
        match op {
            Comparison::Equal | Comparison::NotEqual => {
                if let Some((x, set)) = common_member(a, b).or_else(|| common_member(b, a)) {
                    let there = op == Comparison::NotEqual;
                    let op = if there { Comparison::Member } else { Comparison::NotMember };
                    return Some(compare(op, x, set));
                }
                let (part, whole) = self.said_of_parts(a, b)?;
                let said = compare(Comparison::Subset, &part, &whole);
                Some(match op {
                    Comparison::Equal => said,
                    _ => Pred::new(PredKind::Not(Arc::new(said)), span),
                })
            }
            Comparison::Subset => apart(a, b, span),
            Comparison::Member | Comparison::NotMember => {
                let (pair, relation) = as_pair(a, b)?;
                Some(compare(op, &pair, relation))
            }
            _ => None,
        }
    }
}

/// `s <: t - u` as `s <: t` and `s /\ u = {}`.
fn apart(set: &Expr, whole: &Expr, span: Span) -> Option<Pred> {
    let ExprKind::Binary(BinaryOp::Difference, of, without) = &whole.kind else { return None };
    let both = ExprKind::Binary(BinaryOp::Intersection, Arc::new(set.clone()), without.clone());
    let both = Expr::new(both, set.ty.clone(), whole.span);
    let none = Expr::new(ExprKind::Empty, set.ty.clone(), whole.span);
    let part = PredKind::Compare(Comparison::Subset, set.clone(), (**of).clone());
    let apart = PredKind::Compare(Comparison::Equal, both, none);
    Some(Pred::and(vec![Pred::new(part, span), Pred::new(apart, span)], span))
}

/// `{x} /\ s` beside `{}`: whether `x` is in `s`.
fn common_member<'e>(both: &'e Expr, none: &Expr) -> Option<(&'e Expr, &'e Expr)> {
    let ExprKind::Binary(BinaryOp::Intersection, a, b) = &both.kind else { return None };
    if !matches!(none.kind, ExprKind::Empty) {
        return None;
    }
    single(a).map(|x| (x, &**b)).or_else(|| single(b).map(|x| (x, &**a)))
}

/// `y : r[{x}]` as `x |-> y : r`.
fn as_pair<'e>(y: &Expr, image: &'e Expr) -> Option<(Expr, &'e Expr)> {
    let ExprKind::Binary(BinaryOp::Image, r, set) = &image.kind else { return None };
    let x = single(set)?;
    Some((Expr { span: y.span, ..make::pair(x.clone(), y.clone()) }, r))
}

fn single(set: &Expr) -> Option<&Expr> {
    match &set.kind {
        ExprKind::SetExtension(items) if items.len() == 1 => items.first(),
        _ => None,
    }
}
