//! Functions that a state holds point by point, changed as a whole: what is lowered to
//! [`edits`](crate::lower::edits).

use crate::eval::compile::{Compiler, Undefined};
use crate::lower::edits::{Edit, Edited, MOST, MOST_ITEMS};
use crate::lower::{Points, Word, Write};
use crate::machine::{BinaryOp, Expr, ExprKind, Fold, VarId};
use crate::state::Axis;
use std::sync::Arc;

impl Compiler<'_> {
    /// `f := e`, where `e` is `f` after some edits, or a function that is told point by point.
    pub(in crate::eval) fn edited_write(&self, id: VarId, e: &Expr) -> Option<Write> {
        let whole = Expr::new(ExprKind::Variable(id), e.ty.clone(), e.span);
        let points = self.given_points(&whole).filter(|points| {
            !matches!(points.range, Axis::Record(_)) && self.matrix(points.id).is_none()
        })?;
        let mut edits = Vec::new();
        self.edits(&points, e, &mut edits)?;
        Some(Write::Edited(Arc::new(Edited { points, edits: edits.into() })))
    }

    /// The steps that make this of the function.
    fn edits(&self, points: &Points, e: &Expr, edits: &mut Vec<Edit<Word>>) -> Option<()> {
        use BinaryOp::*;
        // Sets of arguments are bits of one word.
        let is_small = points.domain.size() <= MOST;
        let edit = match &e.kind {
            ExprKind::Variable(id) => return (*id == points.id).then_some(()),
            ExprKind::Empty => Edit::Clear,
            ExprKind::Fold(Fold::Lambda, ..) => {
                edits.push(Edit::Clear);
                self.each(points, e)?
            }
            ExprKind::Binary(Product, s, y) => match &y.kind {
                ExprKind::SetExtension(items) if items.len() == 1 && is_small => Edit::Fill(
                    self.bits_on(s, &points.domain)?,
                    self.on_axis(&items[0], &points.range),
                ),
                _ => return None,
            },
            ExprKind::Binary(op @ (Override | Union | Difference), f, items) => {
                let (f, items) = match op {
                    Union if is_list(f) => (items, f),
                    _ => (f, items),
                };
                self.edits(points, f, edits)?;
                if *op == Override
                    && let Some(each) = self.each(points, items)
                {
                    edits.push(each);
                    return Some(());
                }
                let items = self.pairs(points, items)?;
                match op {
                    Override => Edit::Put(items),
                    Union => Edit::Add(items),
                    _ => Edit::Remove(items),
                }
            }
            ExprKind::Binary(op @ (DomainRestrict | DomainSubtract), s, f) if is_small => {
                self.edits(points, f, edits)?;
                Edit::Rows(self.bits_on(s, &points.domain)?, *op == DomainRestrict)
            }
            ExprKind::Binary(op @ (RangeRestrict | RangeSubtract), f, s) => {
                self.edits(points, f, edits)?;
                if !self.has_few_results(points) {
                    return None;
                }
                Edit::Columns(self.bits_on(s, &points.range)?, *op == RangeRestrict)
            }
            _ => return None,
        };
        edits.push(edit);
        Some(())
    }

    /// A function that is told by a lambda over words, one point after the other.
    fn each(&self, points: &Points, lambda: &Expr) -> Option<Edit<Word>> {
        let ExprKind::Fold(Fold::Lambda, locals, pred, body) = &lambda.kind else { return None };
        let x = self.locals_on(locals, &points.domain).filter(|_| !self.may_be_symbolic(lambda))?;
        let each = Arc::new(self.solve(locals, pred, Undefined::Fault));
        let y = self.repeated(&locals[..], || self.on_axis(body, &points.range));
        Some(Edit::Each(each, x, y))
    }

    /// The words of pairs that are listed.
    fn pairs(&self, points: &Points, list: &Expr) -> Option<Box<[(Word, Word)]>> {
        let ExprKind::SetExtension(items) = &list.kind else { return None };
        if items.len() > MOST_ITEMS {
            return None;
        }
        let pair = |item: &Expr| match &item.kind {
            ExprKind::Binary(BinaryOp::Pair, x, y) => {
                Some((self.on_axis(x, &points.domain), self.on_axis(y, &points.range)))
            }
            _ => None,
        };
        items.iter().map(pair).collect()
    }
}

fn is_list(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::SetExtension(_))
}
