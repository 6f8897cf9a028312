//! Functions that are results of functions held point by point, at work: what is lowered to
//! [`mapped`](crate::lower::mapped).

use crate::eval::compile::Compiler;
use crate::lower::code::Code;
use crate::lower::edits::MOST;
use crate::lower::mapped::Item;
use crate::lower::point::PointWrite;
use crate::lower::stop::Stop;
use crate::lower::{One, Places, Test, Word, Write};
use crate::machine::{BinaryOp, Expr, ExprKind, UnaryOp, VarId};
use crate::state::Axis;
use crate::state::axis::Map;
use std::sync::Arc;

/// What is asked of `f(x)`, a function that is read in place: its arguments, or its results.
pub(in crate::eval) struct OfResult<'e> {
    pub fx: &'e Expr,
    map: Arc<Map>,
    is_domain: bool,
}

impl OfResult<'_> {
    /// The axis of the answer.
    pub(super) fn axis(&self) -> &Axis {
        if self.is_domain { &self.map.domain } else { &self.map.range }
    }
}

impl Compiler<'_> {
    /// The results of a function that are functions themselves.
    fn map_of(&self, f: &Expr) -> Option<Arc<Map>> {
        match self.given_points(f)?.range {
            Axis::Map(map) => Some(map),
            _ => None,
        }
    }

    /// How this stands, where it is `f(x)` or `r'a`, a function that is read in place.
    fn map_of_result(&self, fx: &Expr) -> Option<Arc<Map>> {
        match self.axis_given(fx)? {
            Axis::Map(map) => Some(map),
            _ => None,
        }
    }

    /// What is asked of such a function, where that is a set with bits on an axis: `dom(f(x))` or `ran(f(x))`.
    pub(in crate::eval) fn asked_of_result<'e>(&self, set: &'e Expr) -> Option<OfResult<'e>> {
        let ExprKind::Unary(op @ (UnaryOp::Dom | UnaryOp::Ran), fx) = &set.kind else {
            return None;
        };
        let map = self.map_of_result(fx)?;
        let is_domain = *op == UnaryOp::Dom;
        let axis = if is_domain { &map.domain } else { &map.range };
        let has_bits = axis.is_plain() && axis.size() <= MOST;
        has_bits.then_some(OfResult { fx, map, is_domain })
    }

    /// The bits of it.
    pub(super) fn bits_of_result(&self, asked: &OfResult<'_>) -> Word {
        let OfResult { fx, map, is_domain } = asked;
        let code = self.given_word(fx, &Axis::Map(map.clone())).expect("a function that is held");
        let places = Places { count: map.domain.size() as u32, width: map.width };
        Word::one(if *is_domain { One::Arguments(places) } else { One::Results(places) }, code)
    }

    /// The arguments of `f(x)`, such a function, as bits.
    pub(super) fn arguments_of_result(&self, fx: &Expr) -> Option<Word> {
        let map = self.map_of_result(fx)?;
        Some(self.bits_of_result(&OfResult { fx, map, is_domain: true }))
    }

    /// How `f` gives its results, where `f(x)(y)` is a word that is read in place; `e`: all of it.
    pub(in crate::eval) fn map_of_item(&self, fx: &Expr, y: &Expr, e: &Expr) -> Option<Arc<Map>> {
        let ExprKind::Binary(BinaryOp::Apply, f, x) = &fx.kind else { return None };
        let map = self.map_of(f).filter(|_| self.is_word(&self.shape(&e.ty)))?;
        let is_known = !self.may_be_symbolic(x) && !self.may_be_symbolic(y);
        (is_known && !self.is_deep()).then_some(map)
    }

    /// `f(x)(y)`, such a word.
    pub(in crate::eval) fn item(&self, fx: &Expr, y: &Expr, e: &Expr) -> Option<Word> {
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
    pub(in crate::eval) fn changed_map(&self, e: &Expr, map: &Arc<Map>) -> Option<Word> {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Apply, ..) | ExprKind::Field(..) => {
                self.given_word(e, &Axis::Map(map.clone()))
            }
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
    pub(in crate::eval) fn assign_item(
        &self,
        id: VarId,
        (x, y): (&Expr, &Expr),
        e: &Expr,
    ) -> Option<Write> {
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
