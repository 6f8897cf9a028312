//! Sets of numbers or pairs that a state holds in one word, at work: what is lowered to [`coded`](crate::lower::coded).

use super::mapped::OfResult;
use super::related::Related;
use crate::eval::compile::{Compiler, Undefined};
use crate::eval::plans::plan::Pattern;
use crate::lower::coded::{Coded, Codes, OnAxis, SetField, SetWrite};
use crate::lower::edits::{MOST, Side, Sides};
use crate::lower::env::Flow;
use crate::lower::stop::Stop;
use crate::lower::{Arithmetic, One, Points, Relation, Test, Two, Word, Write};
use crate::machine::footprint::Footprint;
use crate::machine::{BinaryOp, Expr, ExprKind, LocalId, Pred, UnaryOp, VarId};
use crate::state::Axis;
use crate::value::set::low_bits;
use std::sync::Arc;

/// How a set is made of what a state holds in one word.
pub(in crate::eval) enum Form<'e> {
    Held(VarId),
    Listed(&'e [Expr]),
    Interval(&'e Expr, &'e Expr),
    /// What has a code of the numbers from one on, up to another: only where all others may be left out.
    Between(i64, Option<i64>),
    /// Everything that has a code.
    All,
    /// A comprehension over locals that are words: all of it, and its parts.
    Solutions(&'e Expr, &'e [LocalId], &'e Pred),
    /// [`Two::Union`], [`Two::Intersection`] or [`Two::Difference`].
    Two(Two, Box<(Form<'e>, Form<'e>)>),
    /// Arguments or results of a function that is held point by point.
    Sides(Asked<'e>),
    /// What such a function gives for an argument.
    At(&'e Expr),
    /// Arguments or results of a function that such a function gives.
    OfResult(OfResult<'e>),
    /// What is made of a relation.
    Related(Box<Related<'e>>),
    /// A set that depends on no variable: its members are found as values, and their codes with them.
    Value(&'e Expr),
}

/// What is asked of a function that is held point by point; `of`: for which of its results or arguments, where that is
/// not for all of them.
pub(in crate::eval) struct Asked<'e> {
    pub sides: Sides,
    pub of: Option<&'e Expr>,
}

impl Asked<'_> {
    /// The axes of the operand and of the answer.
    fn axes(&self) -> (&Axis, &Axis) {
        let Points { domain, range, .. } = &self.sides.points;
        match self.sides.side {
            Side::Domain | Side::Sources => (range, domain),
            Side::Image => (domain, range),
        }
    }
}

impl Compiler<'_> {
    /// The field of a set that is read where it stands.
    fn set_field(&self, id: VarId) -> Option<SetField> {
        SetField::of(&self.layout, id).filter(|_| self.is_read_in_place(id))
    }

    /// The axis by which a set is held, of the first variable in it.
    pub(super) fn axis_of(&self, set: &Expr) -> Option<Axis> {
        use BinaryOp::{Difference, Intersection, Union};
        match &set.kind {
            ExprKind::Variable(id) => Some(self.set_field(*id)?.axis),
            ExprKind::Binary(Union | Intersection | Difference, a, b) => {
                self.axis_of(a).or_else(|| self.axis_of(b))
            }
            ExprKind::Binary(BinaryOp::Apply, ..) | ExprKind::Field(..) => {
                match self.axis_given(set)? {
                    Axis::Subset(of) => Some((*of).clone()),
                    _ => None,
                }
            }
            _ => {
                let asked = self.asked(set).map(|asked| asked.axes().1.clone());
                let axis = asked
                    .or_else(|| Some(self.asked_of_result(set)?.axis().clone()))
                    .or_else(|| self.axis_of_related(set));
                axis.filter(|axis| !matches!(axis, Axis::Universe(_)))
            }
        }
    }

    /// How a set is made of words on an axis, if it is.
    pub(super) fn form<'e>(&self, set: &'e Expr, axis: &Axis) -> Option<Form<'e>> {
        Some(match &set.kind {
            ExprKind::Variable(id) => {
                self.set_field(*id).filter(|field| field.axis == *axis)?;
                Form::Held(*id)
            }
            ExprKind::Empty => Form::Listed(&[]),
            ExprKind::Binary(BinaryOp::Product, ..) | ExprKind::Struct(_)
                if self.is_all(set, axis) =>
            {
                Form::All
            }
            ExprKind::SetExtension(items) if items.len() <= MOST_ITEMS => Form::Listed(items),
            ExprKind::Binary(BinaryOp::Interval, a, b) => match axis {
                Axis::Interval { .. } => Form::Interval(a, b),
                _ => return None,
            },
            ExprKind::Binary(
                op @ (BinaryOp::Union | BinaryOp::Intersection | BinaryOp::Difference),
                a,
                b,
            ) => {
                let op = match op {
                    BinaryOp::Union => Two::Union,
                    BinaryOp::Intersection => Two::Intersection,
                    _ => Two::Difference,
                };
                let b = match op {
                    Two::Union => self.form(b, axis)?,
                    _ => self.clipped_form(b, axis)?,
                };
                Form::Two(op, Box::new((self.form(a, axis)?, b)))
            }
            ExprKind::Binary(BinaryOp::Apply, ..) | ExprKind::Field(..) => {
                match self.axis_given(set)? {
                    Axis::Subset(of) if *of == *axis => Form::At(set),
                    _ => return None,
                }
            }
            _ => {
                if let Some(asked) = self.asked(set) {
                    (asked.axes().1 == axis).then_some(Form::Sides(asked))?
                } else if let Some(asked) = self.asked_of_result(set) {
                    (asked.axis() == axis).then_some(Form::OfResult(asked))?
                } else if let Some(related) = self.related(set, axis) {
                    Form::Related(Box::new(related))
                } else {
                    self.is_told(set).then_some(Form::Value(set))?
                }
            }
        })
    }

    /// Whether a set depends on no variable, and can be had as a value.
    pub(super) fn is_told(&self, set: &Expr) -> bool {
        !matches!(set.kind, ExprKind::Basic(_))
            && Footprint::of_expr(set).variables.is_empty()
            && !self.may_be_symbolic(set)
            && !self.is_infinite(set)
    }

    /// The same of a set whose members without a code do not matter.
    fn clipped_form<'e>(&self, set: &'e Expr, axis: &Axis) -> Option<Form<'e>> {
        match (&set.kind, axis) {
            (ExprKind::Basic(basic), Axis::Interval { .. }) => {
                let (low, high) = self.ends_of_basic(*basic)?;
                Some(Form::Between(low, high))
            }
            _ => self.form(set, axis),
        }
    }

    /// The same of a set that is to be held: all members of it are asked for, also those of comprehensions.
    fn held_form<'e>(&self, set: &'e Expr, axis: &Axis) -> Option<Form<'e>> {
        Some(match &set.kind {
            ExprKind::Comprehension(locals, pred) => {
                let is_open = self.plan(locals, pred, Undefined::Fault).is_unbounded(self);
                if is_open || self.may_be_symbolic(set) || self.is_infinite(set) {
                    return None;
                }
                self.locals_on(locals, axis)?;
                Form::Solutions(set, locals, pred)
            }
            ExprKind::Binary(BinaryOp::Union, a, b) => {
                let both = (self.held_form(a, axis)?, self.held_form(b, axis)?);
                Form::Two(Two::Union, Box::new(both))
            }
            ExprKind::Binary(BinaryOp::Difference, a, b) => {
                let both = (self.held_form(a, axis)?, self.clipped_form(b, axis)?);
                Form::Two(Two::Difference, Box::new(both))
            }
            _ => self.form(set, axis)?,
        })
    }

    /// A variable that the state holds point by point.
    pub(super) fn given_points(&self, f: &Expr) -> Option<Points> {
        let ExprKind::Variable(id) = f.kind else { return None };
        let points = Points::of(&self.layout, id)?;
        self.is_read_in_place(id).then_some(points)
    }

    /// The same, where it has few arguments, and gives no records.
    pub(super) fn small_points(&self, f: &Expr) -> Option<Points> {
        let points = self.given_points(f)?;
        let is_small = points.domain.size() <= MOST && !matches!(points.range, Axis::Record(_));
        (is_small && self.matrix(points.id).is_none()).then_some(points)
    }

    /// Whether it is asked for its results as bits: there are few, and they are words.
    pub(super) fn has_few_results(&self, points: &Points) -> bool {
        points.range.is_plain() && points.range.size() <= MOST
    }

    /// `dom(f)`, `ran(f)`, `f[s]` and `f~[s]` of such a function.
    pub(in crate::eval) fn asked<'e>(&self, set: &'e Expr) -> Option<Asked<'e>> {
        let (side, f, of) = match &set.kind {
            ExprKind::Unary(UnaryOp::Dom, f) => (Side::Domain, f, None),
            ExprKind::Unary(UnaryOp::Ran, f) => (Side::Image, f, None),
            ExprKind::Binary(BinaryOp::Image, f, s) => (Side::Image, f, Some(&**s)),
            _ => return None,
        };
        let (side, f) = match (&f.kind, side) {
            (ExprKind::Unary(UnaryOp::Inverse, f), Side::Domain) => (Side::Image, f),
            (ExprKind::Unary(UnaryOp::Inverse, f), _) if of.is_none() => (Side::Domain, f),
            (ExprKind::Unary(UnaryOp::Inverse, f), _) => (Side::Sources, f),
            _ => (side, f),
        };
        let points = self.small_points(f)?;
        if side != Side::Domain && !self.has_few_results(&points) {
            return None;
        }
        let asked = Asked { sides: Sides { points, side }, of };
        of.is_none_or(|s| self.is_on(s, asked.axes().0)).then_some(asked)
    }

    /// Whether a set has bits on an axis.
    pub(super) fn is_on(&self, set: &Expr, axis: &Axis) -> bool {
        match axis {
            Axis::Universe(_) => !self.may_be_symbolic(set) && !self.is_infinite(set),
            axis => self.form(set, axis).is_some(),
        }
    }

    /// The bits of such a set; members without a code are left out.
    pub(super) fn bits_on(&self, set: &Expr, axis: &Axis) -> Option<Word> {
        match axis {
            Axis::Universe(_) => self.is_on(set, axis).then(|| self.word(set)),
            axis => Some(self.coded(&self.form(set, axis)?, axis, true)),
        }
    }

    /// The bits of a set that has no other members.
    pub(in crate::eval) fn exact_bits(&self, set: &Expr, axis: &Axis) -> Option<Word> {
        Some(self.coded(&self.held_form(set, axis)?, axis, false))
    }

    fn answer(&self, asked: &Asked<'_>) -> Word {
        let of = asked.of.and_then(|s| self.bits_on(s, asked.axes().0));
        let of = of.unwrap_or(Word::Constant(u64::MAX));
        Word::Sides(Arc::new(asked.sides.clone()), Box::new(of))
    }

    /// `dom(f)` and the like, where that is a set of elements.
    pub(in crate::eval) fn sides_word(&self, set: &Expr) -> Option<Word> {
        let is_plain = |axis: &Axis| matches!(axis, Axis::Universe(_));
        if let Some(asked) = self.asked(set) {
            return is_plain(asked.axes().1).then(|| self.answer(&asked));
        }
        if let Some(asked) = self.asked_of_result(set) {
            return is_plain(asked.axis()).then(|| self.bits_of_result(&asked));
        }
        let (related, axis) = self.related_side(set)?;
        is_plain(&axis).then(|| self.related_bits(&related, &axis, false))
    }

    /// The arguments of such a function, and its results, as bits.
    pub(super) fn both_sides(&self, points: &Points) -> (Word, Word) {
        let sides = |side| {
            let sides = Sides { points: points.clone(), side };
            self.answer(&Asked { sides, of: None })
        };
        (sides(Side::Domain), sides(Side::Image))
    }

    /// A set that is made of what a state holds in one word.
    pub(in crate::eval) fn coded_form<'e>(&self, set: &'e Expr) -> Option<(Form<'e>, Axis)> {
        let axis = self.axis_of(set)?;
        Some((self.form(set, &axis)?, axis))
    }

    /// Two sets that are compared, one of them made of what a state holds in one word. Where the question is whether
    /// one is a subset of the other, members of that without a code do not matter.
    pub(in crate::eval) fn coded_forms<'e>(
        &self,
        (a, b): (&'e Expr, &'e Expr),
        subset: bool,
    ) -> Option<(Form<'e>, Form<'e>, Axis)> {
        let axis = self.axis_of(a).or_else(|| self.axis_of(b))?;
        let left = self.form(a, &axis)?;
        let right = if subset { self.clipped_form(b, &axis)? } else { self.form(b, &axis)? };
        Some((left, right, axis))
    }

    /// `clipped`: members without a code are left out.
    pub(super) fn coded(&self, form: &Form<'_>, axis: &Axis, clipped: bool) -> Word {
        match form {
            Form::Held(id) => {
                let field = self.set_field(*id).expect("a set that is held");
                Word::Set(Box::new(field))
            }
            Form::Listed(items) => {
                let items = items.iter().map(|x| self.singleton(x, axis, clipped));
                items.reduce(|a, b| Word::two(Two::Union, a, b)).unwrap_or(Word::Constant(0))
            }
            Form::Between(low, high) => {
                let end = |op, x: i64| on_axis(op, axis, Word::Constant(x as u64));
                let from = end(OnAxis::From { clipped: true }, *low);
                match high {
                    Some(high) => {
                        let up_to = end(OnAxis::UpTo { clipped: true }, *high);
                        Word::two(Two::Intersection, from, up_to)
                    }
                    None => from,
                }
            }
            Form::All => Word::Constant(low_bits(axis.size() as u32)),
            Form::Solutions(e, locals, pred) => {
                let make = || self.solutions_on(locals, pred, axis, clipped);
                self.remembered_word(e, &make).unwrap_or_else(make)
            }
            Form::Interval(a, b) => {
                let from = on_axis(OnAxis::From { clipped }, axis, self.word(a));
                let up_to = on_axis(OnAxis::UpTo { clipped }, axis, self.word(b));
                Word::two(Two::Intersection, from, up_to)
            }
            Form::Two(op, both) => {
                let a = self.coded(&both.0, axis, clipped);
                let b = self.coded(&both.1, axis, clipped || *op != Two::Union);
                Word::two(*op, a, b)
            }
            Form::Sides(asked) => self.answer(asked),
            Form::OfResult(asked) => self.bits_of_result(asked),
            Form::Related(of) => self.related_bits(of, axis, clipped),
            Form::Value(e) => {
                let make = || self.bits_of_value(e, axis, clipped);
                self.tabled_word(e, &make).unwrap_or_else(make)
            }
            Form::At(e) => {
                let of = Axis::Subset(Arc::new(axis.clone()));
                self.given_word(e, &of).expect("what is held by this axis")
            }
        }
    }

    /// Locals as a word on an axis: one, or one for each side of pairs.
    pub(super) fn locals_on(&self, locals: &[LocalId], axis: &Axis) -> Option<Word> {
        let slots = self.slots(locals);
        if !slots.iter().all(|slot| slot.word) {
            return None;
        }
        match (axis, &slots[..]) {
            (Axis::Universe(_) | Axis::Interval { .. }, [x]) => Some(x.word()),
            (Axis::Pair(_), [x, y]) => {
                Some(Word::Number(Arithmetic::Pair, Word::both(x.word(), y.word())))
            }
            _ => None,
        }
    }

    /// The bits of all solutions.
    fn solutions_on(&self, locals: &[LocalId], pred: &Pred, axis: &Axis, clipped: bool) -> Word {
        let x = self.locals_on(locals, axis).expect("locals that are words");
        let (each, axis) = (self.solve(locals, pred, Undefined::Fault), axis.clone());
        Word::run(move |env| {
            let mut set = 0;
            let _ = each(env, &mut |env| {
                set |= bit_of(axis.code_of_word(x.get(env)?), clipped)?;
                Ok(Flow::Continue(()))
            })?;
            Ok(set)
        })
    }

    /// The bits of the members of a value.
    fn bits_of_value(&self, e: &Expr, axis: &Axis, clipped: bool) -> Word {
        let (value, shape, axis) = (self.kept(e), self.shape(&e.ty), axis.clone());
        Word::run(move |env| {
            let set = value(env)?;
            let mut bits = 0;
            for member in shape.members(&set) {
                env.tick()?;
                bits |= bit_of(axis.code(&member), clipped)?;
            }
            Ok(bits)
        })
    }

    fn singleton(&self, x: &Expr, axis: &Axis, clipped: bool) -> Word {
        if let Axis::Tuple { .. } = axis {
            return self.tuple_bit(x, axis, clipped);
        }
        on_axis(OnAxis::Singleton { clipped }, axis, self.on_axis(x, axis))
    }

    /// The bit of a record, or of a pair that is no word: of its parts, where it is written with them.
    fn tuple_bit(&self, x: &Expr, axis: &Axis, clipped: bool) -> Word {
        let code = self.code_fn(x, axis);
        Word::run(move |env| bit_of(code(env)?, clipped))
    }

    /// The parts of a tuple that are words, each with its axis; `None` where something else is among them.
    pub(super) fn add_parts(
        &self,
        x: &Expr,
        axis: &Axis,
        parts: &mut Vec<(Word, Axis)>,
    ) -> Option<()> {
        match (axis, &x.kind) {
            (Axis::Tuple { parts: axes, record: true }, ExprKind::Record(fields)) => {
                let mut all = fields.iter().zip(axes.iter());
                all.try_for_each(|(field, axis)| self.add_parts(field, axis, parts))
            }
            (
                Axis::Tuple { parts: axes, record: false },
                ExprKind::Binary(BinaryOp::Pair, a, b),
            ) => {
                self.add_parts(a, &axes[0], parts)?;
                self.add_parts(b, &axes[1], parts)
            }
            (Axis::Tuple { .. }, _) => None,
            _ if self.may_be_symbolic(x) => None,
            (Axis::Pair(_), _) => {
                let pair = self.given_word(x, axis).or_else(|| self.pair_word(x))?;
                parts.push((pair, axis.clone()));
                Some(())
            }
            _ => {
                parts.push((self.on_axis(x, axis), axis.clone()));
                Some(())
            }
        }
    }

    /// `x : set`
    pub(in crate::eval) fn coded_member(&self, x: &Expr, set: &Expr) -> Option<Test> {
        use UnaryOp::{Fin, Fin1, Pow, Pow1};
        if let ExprKind::Unary(op @ (Pow | Pow1 | Fin | Fin1), of) = &set.kind {
            let within = self.coded_compare(x, of, true)?;
            let empty = Expr::new(ExprKind::Empty, x.ty.clone(), x.span);
            return Some(match op {
                Pow | Fin => within,
                _ => Test::all(vec![self.coded_compare(x, &empty, false)?.negated(), within]),
            });
        }
        if let ExprKind::Binary(BinaryOp::Relations, a, b) = &set.kind {
            return self.many_relation(x, (a, b)).or_else(|| self.is_relation(x, (a, b)));
        }
        if let Some(test) = self.many_member(x, set) {
            return Some(test);
        }
        let (form, axis) = self.coded_form(set)?;
        // What has no code is in no set whose members all have one: so of the set nothing is clipped.
        let mark = self.singleton(x, &axis, true);
        let common = Word::two(Two::Intersection, mark, self.coded(&form, &axis, false));
        Some(Test::compare(Relation::Differ, common, Word::Constant(0)))
    }

    /// The arguments of a function that is held point by point, or that such a function gives, as bits.
    fn arguments_of(&self, f: &Expr) -> Option<Word> {
        match self.small_points(f) {
            Some(points) => Some(self.both_sides(&points).0),
            None => self.arguments_of_result(f),
        }
    }

    /// `a <: b`, or `a = b`.
    pub(in crate::eval) fn coded_compare(&self, a: &Expr, b: &Expr, subset: bool) -> Option<Test> {
        if let Some(test) = self.many_compare(a, b, subset) {
            return Some(test);
        }
        if let (false, ExprKind::Empty) = (subset, &b.kind)
            && let Some(arguments) = self.arguments_of(a)
        {
            return Some(Test::equal(arguments, Word::Constant(0)));
        }
        let (left, right, axis) = self.coded_forms((a, b), subset)?;
        let left = self.coded(&left, &axis, false);
        let right = self.coded(&right, &axis, subset);
        Some(match subset {
            true => Test::compare(Relation::Subset, left, right),
            false => Test::equal(left, right),
        })
    }

    /// `card(s)`, `max(s)`, `min(s)`
    pub(in crate::eval) fn coded_word(&self, op: UnaryOp, set: &Expr) -> Option<Word> {
        if !matches!(op, UnaryOp::Card | UnaryOp::Max | UnaryOp::Min) {
            return None;
        }
        if let Some(word) = self.many_word(op, set) {
            return Some(word);
        }
        if op == UnaryOp::Card
            && let Some(arguments) = self.arguments_of(set)
        {
            return Some(Word::one(One::Card, arguments));
        }
        let (form, axis) = self.coded_form(set)?;
        let set = self.coded(&form, &axis, false);
        Some(match op {
            UnaryOp::Max => on_axis(OnAxis::Greatest, &axis, set),
            UnaryOp::Min => on_axis(OnAxis::Least, &axis, set),
            _ => Word::one(One::Card, set),
        })
    }

    /// `s := e`
    pub(in crate::eval) fn coded_write(&self, id: VarId, e: &Expr) -> Option<Write> {
        if let Some(write) = self.many_write(id, e) {
            return Some(write);
        }
        let field = self.set_field(id)?;
        let set = self.coded(&self.held_form(e, &field.axis)?, &field.axis, false);
        Some(Write::Set(Box::new(SetWrite { field, set })))
    }

    /// What gives the members of a set to the locals of a pattern.
    pub(in crate::eval) fn codes(&self, pattern: &Pattern, set: &Expr) -> Option<Codes<Word>> {
        let (form, axis) = self.coded_form(set)?;
        let of = |pattern: &Pattern| match pattern {
            Pattern::Local(id) if self.slot(*id).word => Some(self.slot(*id).index),
            _ => None,
        };
        let slots = match (pattern, &axis) {
            (Pattern::Local(_), Axis::Interval { .. }) => (of(pattern)?, None),
            (Pattern::Pair(left, right, _), Axis::Pair(_)) => (of(left)?, Some(of(right)?)),
            _ => return None,
        };
        let set = self.coded(&form, &axis, false);
        Some(Codes { set, axis, slots })
    }
}

/// The bit of a member; none of one without a code, where that is left out.
fn bit_of(code: Option<u64>, clipped: bool) -> Result<u64, Stop> {
    match code {
        Some(code) => Ok(1 << code),
        None if clipped => Ok(0),
        None => Err(Stop::Overflow),
    }
}

/// Longer lists are values.
pub(super) const MOST_ITEMS: usize = 16;

/// What is made of a word on an axis; of a constant its value.
fn on_axis(op: OnAxis, axis: &Axis, x: Word) -> Word {
    let of = Coded { op, axis: axis.clone() };
    if let Word::Constant(x) = x
        && let Some(word) = of.of(x)
    {
        return Word::Constant(word);
    }
    Word::Coded(Arc::new(of), Box::new(x))
}
