//! Functions that are results of functions held point by point, at work: what is lowered to
//! [`mapped`](super::lower::mapped).

use super::code::Code;
use super::compile::Compiler;
use super::lower::mapped::Item;
use super::lower::point::PointWrite;
use super::lower::{Test, Word, Write};
use super::stop::Stop;
use crate::machine::{BinaryOp, Expr, ExprKind, VarId};
use crate::state::Axis;
use crate::state::axis::Map;
use std::sync::Arc;

impl Compiler<'_> {
    /// The results of a function that are functions themselves.
    fn map_of(&self, f: &Expr) -> Option<Arc<Map>> {
        match self.given_points(f)?.range {
            Axis::Map(map) => Some(map),
            _ => None,
        }
    }

    /// How `f` gives its results, where `f(x)(y)` is a word that is read in place; `e`: all of it.
    pub(super) fn map_of_item(&self, fx: &Expr, y: &Expr, e: &Expr) -> Option<Arc<Map>> {
        let ExprKind::Binary(BinaryOp::Apply, f, x) = &fx.kind else { return None };
        let map = self.map_of(f).filter(|_| self.is_word(&self.shape(&e.ty)))?;
        let is_known = !self.may_be_symbolic(x) && !self.may_be_symbolic(y);
        (is_known && !self.is_deep()).then_some(map)
    }

    /// `f(x)(y)`, such a word.
    pub(super) fn item(&self, fx: &Expr, y: &Expr, e: &Expr) -> Option<Word> {
        let map = self.map_of_item(fx, y, e)?;
        let ExprKind::Binary(BinaryOp::Apply, f, x) = &fx.kind else { return None };
        let ExprKind::Variable(id) = f.kind else { return None };
        self.deeper(|| self.item_of(map, (id, f, x), fx, y, e))
    }

    fn item_of(
        &self,
        map: Arc<Map>,
        (id, f, x): (VarId, &Expr, &Expr),
        fx: &Expr,
        y: &Expr,
        e: &Expr,
    ) -> Option<Word> {
        let point = self.point(id, f, x, fx.span)?;
        let argument = self.on_axis(y, &map.domain);
        let otherwise = match self.of_two(BinaryOp::Apply, fx, y, e, self.shape(&e.ty)) {
            Code::Word(word) => word,
            Code::Value(rich) => Word::Of(Arc::new(rich)),
        };
        Some(Word::Item(Arc::new(Item { point, map, argument, otherwise })))
    }

    /// The code of `m <+ {x |-> y}`, where `m` is what a function gives that is held so.
    pub(super) fn changed_map(&self, e: &Expr, map: &Arc<Map>) -> Option<Word> {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Apply, ..) => self.given_word(e, &Axis::Map(map.clone())),
            ExprKind::Binary(BinaryOp::Override, m, items) => {
                let ExprKind::SetExtension(items) = &items.kind else { return None };
                let [Expr { kind: ExprKind::Binary(BinaryOp::Pair, x, y), .. }] = &items[..] else {
                    return None;
                };
                Some(self.with(self.changed_map(m, map)?, map, x, y))
            }
            _ => None,
        }
    }

    fn with(&self, m: Word, map: &Arc<Map>, x: &Expr, y: &Expr) -> Word {
        let (x, y) = (self.on_axis(x, &map.domain), self.on_axis(y, &map.range));
        Word::With(map.clone(), Box::new((m, x, y)))
    }

    /// `f(x)(y) := e`
    pub(super) fn assign_item(&self, id: VarId, (x, y): (&Expr, &Expr), e: &Expr) -> Option<Write> {
        let f = Expr::new(ExprKind::Variable(id), self.machine().variable(id).ty.clone(), e.span);
        let map = self.map_of(&f)?;
        if self.may_be_symbolic(x) || self.may_be_symbolic(y) || self.may_be_symbolic(e) {
            return None;
        }
        let point = self.point(id, &f, x, x.span)?;
        // Where there is nothing to change, values say so.
        let there = Test::HasPoint(Box::new(point.clone()));
        let (points, argument) = (point.points.clone(), point.argument.clone());
        let parts = (there, Word::Point(Box::new(point)), Word::run(|_| Err(Stop::Overflow)));
        let result = self.with(Word::If(Box::new(parts)), &map, y, e);
        Some(Write::Point(Box::new(PointWrite { points, argument, result })))
    }
}
