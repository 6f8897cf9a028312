//! What a state holds in parts, asked and written part by part: fields of records, and what a field can hold at all.

use super::texts::texts_in;
use crate::eval::compile::Compiler;
use crate::lower::line::Row;
use crate::lower::record::{RecordAt, RecordField, RecordTo, RecordWrite};
use crate::lower::rich::RichTest;
use crate::lower::test::{HeldTest, Results};
use crate::lower::{Arithmetic, One, Points, Test, Word, Write};
use crate::machine::{
    Access, BinaryOp, Cell, Comparison, Expr, ExprKind, Pred, PredKind, Target, Type, UnaryOp,
    VarId,
};
use crate::state::{Axis, expect};
use crate::value::relation::Arrow;
use crate::value::set::low_bits;
use std::sync::Arc;

impl Compiler<'_> {
    /// A variable that is read where it stands.
    pub(super) fn is_read_in_place(&self, id: VarId) -> bool {
        !self.exact && self.mark(id).is_none() && !self.machine().symbolic.variables.contains(&id)
    }

    /// Where a record stands that a state holds field by field, if this is one.
    fn record_at(&self, e: &Expr) -> Option<RecordAt> {
        match &e.kind {
            ExprKind::Variable(id) if self.is_read_in_place(*id) => {
                RecordAt::variable(&self.layout, *id)
            }
            ExprKind::Binary(BinaryOp::Apply, f, x) => match f.kind {
                ExprKind::Variable(id)
                    if self.gives_records(id)
                        && self.is_read_in_place(id)
                        && !self.may_be_symbolic(x) =>
                {
                    Some(RecordAt::Point(Box::new(self.point(id, f, x, e.span)?)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a state holds this record field by field, or this pair by its sides.
    pub(in crate::eval) fn is_held_record(&self, e: &Expr) -> bool {
        self.record_at(e).is_some()
    }

    /// Whether a variable is a function to records that is held point by point.
    pub(super) fn gives_records(&self, id: VarId) -> bool {
        Points::of(&self.layout, id).is_some_and(|p| matches!(p.range, Axis::Record(_)))
    }

    /// Whether what such a function gives is no word.
    pub(in crate::eval) fn gives_no_words(&self, id: VarId) -> bool {
        let range = Points::of(&self.layout, id).map(|points| points.range);
        range.is_some_and(|range| !matches!(range, Axis::Universe(_) | Axis::Interval { .. }))
    }

    /// The codes of one of its fields.
    fn part_of_record(&self, record: &Expr, number: usize) -> Option<Axis> {
        Some(self.record_at(record)?.parts()[number].axis.clone())
    }

    /// How what this gives is coded: `f(x)` of a function that is held point by point, or a part of such a record or pair.
    pub(super) fn axis_given(&self, e: &Expr) -> Option<Axis> {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Apply, f, x) if !self.may_be_symbolic(x) => {
                Some(self.given_points(f)?.range)
            }
            ExprKind::Field(record, number) => self.part_of_record(record, *number),
            ExprKind::Unary(UnaryOp::First, pair) => self.part_of_record(pair, 0),
            ExprKind::Unary(UnaryOp::Second, pair) => self.part_of_record(pair, 1),
            _ => None,
        }
    }

    /// The same as a word on an axis, where it is that one.
    pub(in crate::eval) fn given_word(&self, e: &Expr, axis: &Axis) -> Option<Word> {
        if self.axis_given(e)? != *axis {
            return None;
        }
        match &e.kind {
            ExprKind::Binary(_, f, x) => {
                let ExprKind::Variable(id) = f.kind else { return None };
                Some(Word::Point(Box::new(self.point(id, f, x, e.span)?)))
            }
            ExprKind::Field(record, number) => self.record_field(record, *number),
            ExprKind::Unary(op, pair) => self.record_field(pair, (*op == UnaryOp::Second) as usize),
            _ => None,
        }
    }

    /// `r'a` of such a record, a word on the axis of that field.
    pub(in crate::eval) fn record_field(&self, record: &Expr, number: usize) -> Option<Word> {
        let at = self.record_at(record)?;
        Some(Word::Record(Arc::new(RecordField::new(at, number))))
    }

    /// `r := rec(a : x)`, `r'a := x` and `r := s` of such records, `r` being a variable or `f(y)`.
    pub(in crate::eval) fn assign_record(&self, target: &Target, e: &Expr) -> Option<Write> {
        let Cell::Variable(id) = target.cell else { return None };
        let whole =
            Expr::new(ExprKind::Variable(id), self.machine().variable(id).ty.clone(), target.span);
        let applied = |x: &Expr| {
            let (_, to) = whole.ty.relation_sides()?;
            let both = (Arc::new(whole.clone()), Arc::new(x.clone()));
            let kind = ExprKind::Binary(BinaryOp::Apply, both.0, both.1);
            Some(Expr::new(kind, to.clone(), target.span))
        };
        let (record, field, e) = match &target.path[..] {
            [] => match self.as_update(id, e) {
                Some((x, y)) if self.gives_records(id) => {
                    let (path, span) = (vec![Access::Index(x.clone())], target.span);
                    return self.assign_record(&Target { cell: target.cell, path, span }, y);
                }
                _ => (whole, None, e),
            },
            [Access::Field(n)] => (whole, Some(*n), e),
            [Access::Index(x)] => (applied(x)?, None, e),
            [Access::Index(x), Access::Field(n)] => (applied(x)?, Some(*n), e),
            _ => return None,
        };
        let at = self.record_at(&record)?;
        let part = |number: usize, e: &Expr| self.on_axis(e, &at.parts()[number].axis);
        let to = match (field, &e.kind) {
            (Some(number), _) => RecordTo::One(number, part(number, e)),
            (None, ExprKind::Record(fields)) => {
                RecordTo::All(fields.iter().enumerate().map(|(n, e)| part(n, e)).collect())
            }
            (None, ExprKind::Binary(BinaryOp::Pair, x, y)) => {
                RecordTo::All([part(0, x), part(1, y)].into())
            }
            (None, _) => RecordTo::Copy(self.record_at(e).filter(|e| e.parts() == at.parts())?),
        };
        Some(Write::Record(Arc::new(RecordWrite { at, to, otherwise: self.store(target) })))
    }

    /// A pair as a word: one that is written with its sides, or that a state holds by them.
    pub(in crate::eval) fn pair_word(&self, pair: &Expr) -> Option<Word> {
        let Type::Pair(types) = &pair.ty else { return None };
        if !self.is_word(&self.shape(&types.0)) || !self.is_word(&self.shape(&types.1)) {
            return None;
        }
        let sides = match &pair.kind {
            ExprKind::Binary(BinaryOp::Pair, x, y) => Word::both(self.word(x), self.word(y)),
            _ => Word::both(self.record_field(pair, 0)?, self.record_field(pair, 1)?),
        };
        Some(Word::Number(Arithmetic::Pair, sides))
    }

    /// Two pairs as words, of which a state holds one by its sides.
    pub(in crate::eval) fn pair_words(&self, a: &Expr, b: &Expr) -> Option<(Word, Word)> {
        let is_held = |e: &Expr| matches!(e.ty, Type::Pair(_)) && self.is_held_record(e);
        let is_any_held = is_held(a) || is_held(b);
        is_any_held.then(|| self.pair_word(a).zip(self.pair_word(b))).flatten()
    }

    /// The tests of its fields that `r : struct(a : A)` or `r : A * B` of such a record or pair comes to.
    pub(in crate::eval) fn fields_within(&self, record: &Expr, set: &Expr) -> Option<Vec<Pred>> {
        let within = |field: ExprKind, ty: &Type, set: &Expr| {
            let field = Expr::new(field, ty.clone(), record.span);
            Pred::new(PredKind::Compare(Comparison::Member, field, set.clone()), record.span)
        };
        let whole = || Arc::new(record.clone());
        if !self.is_total(set) || !self.is_held_record(record) {
            return None;
        }
        match (&set.kind, &record.ty) {
            (ExprKind::Struct(sets), Type::Record(fields)) => {
                let each = sets.iter().zip(fields.iter()).enumerate();
                let tests =
                    each.map(|(n, (set, (_, ty)))| within(ExprKind::Field(whole(), n), ty, set));
                Some(tests.collect())
            }
            (ExprKind::Binary(BinaryOp::Product, a, b), Type::Pair(sides)) => {
                let side = |op| ExprKind::Unary(op, whole());
                let left = within(side(UnaryOp::First), &sides.0, a);
                Some(vec![left, within(side(UnaryOp::Second), &sides.1, b)])
            }
            _ => None,
        }
    }

    /// A variable that is a function from `a` to `b` as soon as its field can hold it; of which kind is seen by its
    /// arguments and results.
    pub(in crate::eval) fn held_function(&self, f: &Expr, set: &Expr) -> Option<(Points, Arrow)> {
        let (ExprKind::Variable(id), ExprKind::Binary(op, a, b)) = (&f.kind, &set.kind) else {
            return None;
        };
        let arrow = Arrow::from_op(*op)?;
        if !arrow.functional || !self.is_read_in_place(*id) {
            return None;
        }
        let points = Points::of(&self.layout, *id)?;
        let is_whole = !arrow.total || self.is_all(a, &points.domain);
        if arrow.surjective && !self.is_all(b, &points.range)
            || (arrow.injective || arrow.surjective)
                && self.small_points(f).is_none_or(|points| !self.has_few_results(&points))
        {
            return None;
        }
        (is_whole && self.has_all(a, &points.domain) && self.has_all(b, &points.range))
            .then_some((points, arrow))
    }

    /// The test that this comes to.
    pub(in crate::eval) fn is_held_function(&self, f: &Expr, set: &Expr) -> Option<Test> {
        let (points, arrow) = self.held_function(f, set)?;
        let otherwise = Test::rich(RichTest::Belongs(self.rich(f), self.belongs(set)));
        let mut tests = Vec::new();
        if arrow.injective {
            let (arguments, results) = self.both_sides(&points);
            let card = |set| Word::one(One::Card, set);
            tests.push(Test::equal(card(arguments), card(results)));
        }
        if arrow.surjective {
            let all = Word::Constant(low_bits(points.range.size() as u32));
            tests.push(Test::equal(self.both_sides(&points).1, all));
        }
        let results = self.results(&points.range, set)?;
        let held = HeldTest { points, total: arrow.total, results, otherwise };
        tests.insert(0, Test::Held(Arc::new(held)));
        Some(Test::all(tests))
    }

    /// What is asked of the results of such a function beyond their having a code; `set`: what it belongs to.
    fn results(&self, range: &Axis, set: &Expr) -> Option<Results> {
        let (Axis::Map(map), ExprKind::Binary(_, _, to)) = (range, &set.kind) else {
            return Some(Results::Any);
        };
        match &to.kind {
            ExprKind::Unary(UnaryOp::Seq, _) => Some(Results::Lines(Row::of_map(map)?)),
            ExprKind::Binary(op, a, _) => match Arrow::from_op(*op)? {
                arrow if arrow.total && !self.is_all(a, &map.domain) => None,
                arrow if arrow.total => Some(Results::Whole(map.clone())),
                _ => Some(Results::Any),
            },
            _ => None,
        }
    }

    /// Whether a set has what has a code, and nothing else.
    pub(super) fn is_all(&self, set: &Expr, axis: &Axis) -> bool {
        match (axis, &set.kind) {
            (Axis::Universe(_), _) => self.is_whole_type(set),
            (Axis::Texts(texts), _) => {
                let is_one = |text: &Arc<str>| texts.binary_search(text).is_ok();
                self.has_all(set, axis)
                    && texts_in(set).is_some_and(|all| all.into_iter().all(is_one))
            }
            (Axis::Pair(sides), ExprKind::Binary(BinaryOp::Product, a, b)) => {
                self.is_all(a, &sides.0) && self.is_all(b, &sides.1)
            }
            (Axis::Tuple { parts, record: false }, ExprKind::Binary(BinaryOp::Product, a, b)) => {
                self.is_all(a, &parts[0]) && self.is_all(b, &parts[1])
            }
            (Axis::Tuple { parts, record: true }, ExprKind::Struct(sets)) => {
                sets.iter().zip(parts.iter()).all(|(set, part)| self.is_all(set, part))
            }
            _ => self.ends(set).is_some() && self.ends(set) == ends_of(axis),
        }
    }

    /// Whether a set has everything that has a code.
    pub(super) fn has_all(&self, set: &Expr, axis: &Axis) -> bool {
        if self.is_whole_type(set) {
            return true;
        }
        match (axis, &set.kind) {
            (Axis::Interval { .. }, _) => {
                let has = |(a, b): (i64, i64)| {
                    ends_of(axis).is_some_and(|(low, high)| a <= low && high <= b)
                };
                self.ends(set).is_some_and(has)
            }
            (Axis::Texts(texts), _) => {
                texts_in(set).is_some_and(|all| texts.iter().all(|text| all.contains(&text)))
            }
            (Axis::Record(parts), ExprKind::Struct(sets)) => {
                sets.iter().zip(parts.iter()).all(|(set, part)| self.has_all(set, &part.axis))
            }
            (Axis::Pair(sides), ExprKind::Binary(BinaryOp::Product, a, b)) => {
                self.has_all(a, &sides.0) && self.has_all(b, &sides.1)
            }
            (Axis::Subset(of), ExprKind::Unary(UnaryOp::Pow | UnaryOp::Fin, set)) => {
                self.has_all(set, of)
            }
            // Of what kind they are is asked of each ([`Results`]).
            (Axis::Map(map), ExprKind::Unary(UnaryOp::Seq, of)) => self.has_all(of, &map.range),
            (Axis::Map(map), ExprKind::Binary(op, a, b)) => {
                let plain =
                    |arrow: Arrow| arrow.functional && !arrow.injective && !arrow.surjective;
                Arrow::from_op(*op).is_some_and(plain)
                    && self.has_all(a, &map.domain)
                    && self.has_all(b, &map.range)
            }
            _ => false,
        }
    }

    /// The least and the greatest number in a set that has all between them.
    fn ends(&self, set: &Expr) -> Option<(i64, i64)> {
        Some(match &set.kind {
            ExprKind::Basic(set) => {
                let (low, high) = self.ends_of_basic(*set)?;
                (low, high.unwrap_or(i64::MAX))
            }
            ExprKind::Binary(BinaryOp::Interval, a, b) => {
                (expect::integer(self.instance, a)?, expect::integer(self.instance, b)?)
            }
            _ => return None,
        })
    }
}

fn ends_of(axis: &Axis) -> Option<(i64, i64)> {
    match axis {
        Axis::Interval { low, size } => Some((*low, low + *size as i64 - 1)),
        _ => None,
    }
}
