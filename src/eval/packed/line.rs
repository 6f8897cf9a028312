//! Sequences that a state holds in one word, at work: what is lowered to [`line`](crate::lower::line).

use crate::eval::compile::Compiler;
use crate::lower::line::{Asked, Line, LineWord, LineWrite, Row};
use crate::lower::rich::{RichTest, To};
use crate::lower::{Points, Test, Word, Write};
use crate::machine::{BinaryOp, Expr, ExprKind, UnaryOp, VarId};
use crate::state::axis::Map;
use crate::state::{Axis, Coding};
use crate::value::Shape;
use std::sync::Arc;

impl Compiler<'_> {
    /// Whether a state holds this sequence in one word, or it is made of such by shifts.
    pub(in crate::eval) fn is_line(&self, e: &Expr) -> bool {
        self.row_of(e).is_some()
    }

    /// The points of a variable that is held in one word from its first item on, and how these stand there.
    fn line_of(&self, id: VarId) -> Option<(Points, Row)> {
        let is_held = matches!(self.layout.field(id).coding, Coding::Function { .. });
        if !is_held || self.is_deep() || !self.is_read_in_place(id) {
            return None;
        }
        let points = Points::of(&self.layout, id)?;
        let row = Row::of(&points)?;
        Some((points, row))
    }

    /// Whether what is at hand is an operand of so many of those that are lowered twice, as words and as values, that one
    /// more is not worth it.
    pub(super) fn is_deep(&self) -> bool {
        self.lines.get() > DEEPEST
    }

    /// Compiles an operand of such.
    pub(super) fn deeper<T>(&self, compile: impl FnOnce() -> T) -> T {
        self.lines.set(self.lines.get() + 1);
        let code = compile();
        self.lines.set(self.lines.get() - 1);
        code
    }

    /// How the items of the sequences stand that a function gives which is held point by point.
    fn row_at(&self, f: &Expr, x: &Expr) -> Option<Row> {
        if self.is_deep() || self.may_be_symbolic(x) {
            return None;
        }
        match self.given_points(f)?.range {
            Axis::Map(map) => Row::of_map(&map),
            _ => None,
        }
    }

    /// How the items of a sequence stand, by the first variable in it.
    fn row_of(&self, e: &Expr) -> Option<Row> {
        use BinaryOp::{Append, Concat, Drop, Prepend, Take};
        match &e.kind {
            ExprKind::Variable(id) => Some(self.line_of(*id)?.1),
            ExprKind::Binary(BinaryOp::Apply, f, x) => self.row_at(f, x),
            ExprKind::Unary(UnaryOp::Tail | UnaryOp::Front | UnaryOp::Reverse, of) => {
                self.row_of(of)
            }
            ExprKind::Binary(Append | Take | Drop, of, _) => self.row_of(of),
            ExprKind::Binary(Prepend, _, of) => self.row_of(of),
            ExprKind::Binary(Concat, a, b) => self.row_of(a).or_else(|| self.row_of(b)),
            _ => None,
        }
    }

    /// A sequence whose items stand so.
    fn line(&self, e: &Expr, row: &Row) -> Option<Line> {
        use BinaryOp::{Append, Concat, Drop, Prepend, Take};
        let line = |e: &Expr| self.line(e, row);
        let operand = |x: &Expr| self.deeper(|| self.word(x));
        let one = |x: &Expr| Line::One(Box::new(operand(x)));
        let join = |a: Line, b: Line| Line::Join(Box::new((a, b)));
        Some(match &e.kind {
            ExprKind::Variable(id) => {
                let (points, own) = self.line_of(*id)?;
                (own == *row).then(|| Line::Held(points))?
            }
            ExprKind::Binary(BinaryOp::Apply, f, x) => {
                self.row_at(f, x).filter(|own| own == row)?;
                let ExprKind::Variable(id) = f.kind else { return None };
                Line::At(Box::new(self.deeper(|| self.point(id, f, x, e.span))?))
            }
            ExprKind::Empty => Line::Empty,
            ExprKind::Sequence(items) if items.len() <= MOST_ITEMS => {
                items.iter().map(one).reduce(join).unwrap_or(Line::Empty)
            }
            ExprKind::Unary(UnaryOp::Tail, of) => Line::Tail(Box::new(line(of)?)),
            ExprKind::Unary(UnaryOp::Front, of) => Line::Front(Box::new(line(of)?)),
            ExprKind::Unary(UnaryOp::Reverse, of) => Line::Reverse(Box::new(line(of)?)),
            ExprKind::Binary(Append, of, x) => join(line(of)?, one(x)),
            ExprKind::Binary(Prepend, x, of) => join(one(x), line(of)?),
            ExprKind::Binary(Concat, a, b) => join(line(a)?, line(b)?),
            ExprKind::Binary(Take, of, n) => Line::Take(Box::new((line(of)?, operand(n)))),
            ExprKind::Binary(Drop, of, n) => Line::Drop(Box::new((line(of)?, operand(n)))),
            _ => return None,
        })
    }

    /// `size(s)`, `first(s)`, `last(s)`, `ran(s)` of a sequence in one word; `otherwise`: the same of values.
    pub(in crate::eval) fn line_word(
        &self,
        op: UnaryOp,
        s: &Expr,
        otherwise: impl FnOnce() -> Word,
    ) -> Option<Word> {
        let row = self.row_of(s)?;
        let asked = match op {
            // Of what is no sequence the size is undefined, and the number of pairs is not.
            UnaryOp::Size | UnaryOp::Card => Asked::Size,
            UnaryOp::SeqFirst => Asked::First,
            UnaryOp::SeqLast => Asked::Last,
            UnaryOp::Ran if is_set_of_words(&row) => Asked::Range,
            _ => return None,
        };
        self.asked_of_line(asked, s, row, otherwise)
    }

    fn asked_of_line(
        &self,
        asked: Asked,
        s: &Expr,
        row: Row,
        otherwise: impl FnOnce() -> Word,
    ) -> Option<Word> {
        let of = self.line(s, &row)?;
        Some(Word::Line(Arc::new(LineWord { asked, of, row, otherwise: otherwise() })))
    }

    /// A sequence as the code of one that such a function gives.
    pub(in crate::eval) fn whole_line(&self, s: &Expr, map: &Map) -> Option<Word> {
        let row = Row::of_map(map)?;
        // What is made of nothing that is held is as well a value.
        self.row_of(s).filter(|own| *own == row)?;
        let axis = Axis::Map(Arc::new(map.clone()));
        self.asked_of_line(Asked::Whole, s, row, || self.code_of(s, &axis))
    }

    /// `s = []` of such a sequence.
    pub(in crate::eval) fn line_is_empty(&self, a: &Expr, b: &Expr) -> Option<Test> {
        let is_empty = |e: &Expr| match &e.kind {
            ExprKind::Empty => true,
            ExprKind::Sequence(items) => items.is_empty(),
            _ => false,
        };
        let s = match (is_empty(a), is_empty(b)) {
            (false, true) => a,
            (true, false) => b,
            _ => return None,
        };
        let card = || self.of_one(UnaryOp::Card, s, s.span, &Shape::Integer);
        let size = self.line_word(UnaryOp::Card, s, || Word::Of(Arc::new(card())))?;
        Some(Test::equal(size, Word::Constant(0)))
    }

    /// How the items of `s` stand, of which it is asked whether it belongs to `seq(T)`, where `T` has all that may be
    /// an item.
    pub(in crate::eval) fn row_in_sequences(&self, s: &Expr, set: &Expr) -> Option<Row> {
        let ExprKind::Unary(UnaryOp::Seq, of) = &set.kind else { return None };
        self.row_of(s).filter(|row| self.has_all(of, &row.range))
    }

    /// `s : seq(T)` of such a sequence.
    pub(in crate::eval) fn line_is_sequence(&self, s: &Expr, set: &Expr) -> Option<Test> {
        let row = self.row_in_sequences(s, set)?;
        let test = || Test::rich(RichTest::Belongs(self.rich(s), self.belongs(set)));
        let otherwise = || Word::Truth(Box::new(test()));
        let is = self.asked_of_line(Asked::IsSequence, s, row, otherwise)?;
        Some(Test::equal(is, Word::Constant(1)))
    }

    /// `s := e` of such a variable.
    pub(in crate::eval) fn line_write(&self, id: VarId, e: &Expr) -> Option<Write> {
        let (points, row) = self.line_of(id)?;
        let of = self.line(e, &row)?;
        let otherwise = self.rich_write(To::Variable(id, self.layout.clone()), e);
        Some(Write::Line(Arc::new(LineWrite { points, of, row, otherwise })))
    }
}

/// What is deeper in operands of sequences is a value: each is lowered twice, and what is in it, too.
const DEEPEST: u32 = 2;
/// Longer lists are values.
const MOST_ITEMS: usize = 16;

/// Whether the items are of a universe whose subsets are words.
fn is_set_of_words(row: &Row) -> bool {
    matches!(row.range, Axis::Universe(n) if n <= u64::from(u64::BITS))
}
