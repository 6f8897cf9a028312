//! Comparisons of sets that are too large to be built, by what they are made of.
//!
//! `NATURAL1 * A <: NATURAL * B` says the same as `A <: B`, if there is something in `A`;
//! `seq(A) <: seq(B)` the same as `A <: B`. And of the identity of
//! a set, and of a lambda over an interval, it is known which arrows they are.

use crate::eval::compile::Compiler;
use crate::lower::Test;
use crate::machine::make;
use crate::machine::visit::same;
use crate::machine::{BinaryOp, Comparison, Expr, ExprKind, Fold, Pred, PredKind, UnaryOp};
use crate::value::relation::Arrow;
use std::sync::Arc;

impl Compiler<'_> {
    /// `a <: b`, by the parts of both.
    pub(in crate::eval) fn subset_by_parts(&self, a: &Expr, b: &Expr) -> Option<Test> {
        let (empties, pairs) = parts(a, b)?;
        let sides = [a, b].map(|e| match &e.kind {
            ExprKind::Unary(_, of) => self.is_total(of),
            ExprKind::Binary(_, x, y) => self.is_total(x) && self.is_total(y),
            _ => false,
        });
        if sides.contains(&false) {
            return None;
        }
        let within = pairs.into_iter().map(|(x, y)| self.subset(x, y)).collect();
        let empty = empties.into_iter().filter(|part| !self.has_members(part));
        let mut cases: Vec<Test> = empty.map(|part| self.equal(part, &nothing(part))).collect();
        cases.push(Test::all(within));
        Some(Test::any(cases))
    }

    /// `a = b`, by the parts of both.
    pub(in crate::eval) fn equal_by_parts(&self, a: &Expr, b: &Expr) -> Option<Test> {
        Some(Test::all(vec![self.subset_by_parts(a, b)?, self.subset_by_parts(b, a)?]))
    }

    /// `id(S) : A --> B`, and whatever other arrow; `%x.(x : S | E) : A --> B`: without the pairs.
    pub(in crate::eval) fn graph_in(&self, x: &Expr, set: &Expr) -> Option<Test> {
        let (of, image) = match &x.kind {
            ExprKind::Unary(UnaryOp::Id, of) => (&**of, None),
            ExprKind::Fold(Fold::Lambda, ids, p, body) => match &p.kind {
                PredKind::Compare(Comparison::Member, y, of)
                    if matches!(y.kind, ExprKind::Local(id) if *ids == [id])
                        && matches!(of.kind, ExprKind::Binary(BinaryOp::Interval, ..))
                        && self.is_total(of)
                        && self.is_total(body) =>
                {
                    (of, Some((ids, p, body)))
                }
                _ => return None,
            },
            _ => return None,
        };
        if self.is_infinite(of) || self.may_be_symbolic(of) {
            return None;
        }
        // Of a function that is no identity it is not known which values it has, and how often.
        let is_known = |arrow: Arrow| image.is_none() || !arrow.injective && !arrow.surjective;
        let card = || make::up_to_card(of.clone());
        let compare = |op, a: &Expr, b: &Expr| {
            Pred::new(PredKind::Compare(op, a.clone(), b.clone()), x.span.to(set.span))
        };
        let whole = |is: bool| if is { Comparison::Equal } else { Comparison::Subset };
        let right = |op, b: &Expr| match image {
            None => compare(op, of, b),
            Some((ids, p, body)) => {
                let inside = compare(Comparison::Member, body, b);
                Pred::new(PredKind::Forall(ids.clone(), p.clone(), Arc::new(inside)), x.span)
            }
        };
        let conjuncts = match &set.kind {
            ExprKind::Binary(op, a, b) => {
                let arrow = Arrow::from_op(*op).filter(|arrow| is_known(*arrow))?;
                vec![compare(whole(arrow.total), of, a), right(whole(arrow.surjective), b)]
            }
            ExprKind::Unary(UnaryOp::Seq, a) => {
                vec![compare(Comparison::Equal, of, &card()), right(Comparison::Subset, a)]
            }
            ExprKind::Unary(op @ (UnaryOp::Iseq | UnaryOp::Perm), a) if image.is_none() => {
                let whole = whole(*op == UnaryOp::Perm);
                vec![compare(Comparison::Equal, of, &card()), right(whole, a)]
            }
            _ => return None,
        };
        Some(Test::all(conjuncts.iter().map(|p| self.test(p)).collect()))
    }
}

/// The parts without which the first set has no members that count, and the inclusions that say the same where
/// it has some.
type Parts<'e> = (Vec<&'e Expr>, Vec<(&'e Expr, &'e Expr)>);

fn parts<'e>(a: &'e Expr, b: &'e Expr) -> Option<Parts<'e>> {
    use BinaryOp::*;
    use UnaryOp::*;
    match (&a.kind, &b.kind) {
        (ExprKind::Unary(op, x), ExprKind::Unary(other, y)) => {
            let is_part = matches!(
                (op, other),
                (Fin | Pow | Fin1 | Pow1, Pow)
                    | (Fin | Fin1, Fin)
                    | (Pow1 | Fin1, Pow1)
                    | (Fin1, Fin1)
                    | (Seq | Seq1 | Iseq | Iseq1, Seq)
                    | (Iseq | Iseq1, Iseq)
                    | (Seq1 | Iseq1, Seq1)
                    | (Iseq1, Iseq1)
            );
            is_part.then(|| (Vec::new(), vec![(&**x, &**y)]))
        }
        (ExprKind::Binary(op, x, y), ExprKind::Binary(other, v, w)) => {
            let both = vec![(&**x, &**v), (&**y, &**w)];
            let inside = match (op, other) {
                (Product, Product) => both,
                (Relations | PartialFunctions | TotalFunctions | PartialInjections, Relations)
                | (PartialFunctions | TotalFunctions | PartialInjections, PartialFunctions)
                | (PartialInjections, PartialInjections) => both,
                (TotalFunctions, TotalFunctions) if same(x, v) => vec![(&**y, &**w)],
                _ => return None,
            };
            Some((vec![&**x, &**y], inside))
        }
        _ => None,
    }
}

fn nothing(set: &Expr) -> Expr {
    Expr::new(ExprKind::Empty, set.ty.clone(), set.span)
}
