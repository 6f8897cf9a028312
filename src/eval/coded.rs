//! Sets of numbers or pairs that a state holds in one word, at work: what is lowered to [`coded`](super::lower::coded).

use super::compile::Compiler;
use super::lower::coded::{Coded, Codes, OnAxis, SetField, SetWrite};
use super::lower::{One, Relation, Test, Two, Word, Write};
use super::plan::Pattern;
use crate::machine::{BinaryOp, Expr, ExprKind, UnaryOp, VarId};
use crate::state::Axis;
use std::sync::Arc;

/// How a set is made of what a state holds in one word.
pub(super) enum Form<'e> {
    Held(VarId),
    Listed(&'e [Expr]),
    Interval(&'e Expr, &'e Expr),
    /// [`Two::Union`], [`Two::Intersection`] or [`Two::Difference`].
    Two(Two, Box<(Form<'e>, Form<'e>)>),
}

impl Compiler<'_> {
    /// The field of a set that is read where it stands.
    fn set_field(&self, id: VarId) -> Option<SetField> {
        if self.exact || self.mark(id).is_some() || self.machine().symbolic.variables.contains(&id)
        {
            return None;
        }
        SetField::of(&self.layout, id)
    }

    /// The axis by which a set is held, of the first variable in it.
    fn axis_of(&self, set: &Expr) -> Option<Axis> {
        use BinaryOp::{Difference, Intersection, Union};
        match &set.kind {
            ExprKind::Variable(id) => Some(self.set_field(*id)?.axis),
            ExprKind::Binary(Union | Intersection | Difference, a, b) => {
                self.axis_of(a).or_else(|| self.axis_of(b))
            }
            _ => None,
        }
    }

    /// How a set is made of words on an axis, if it is.
    fn form<'e>(&self, set: &'e Expr, axis: &Axis) -> Option<Form<'e>> {
        Some(match &set.kind {
            ExprKind::Variable(id) => {
                self.set_field(*id).filter(|field| field.axis == *axis)?;
                Form::Held(*id)
            }
            ExprKind::Empty => Form::Listed(&[]),
            ExprKind::SetExtension(items) if items.len() <= MOST_ITEMS => Form::Listed(items),
            ExprKind::Binary(BinaryOp::Interval, a, b) => match axis {
                Axis::Interval { .. } => Form::Interval(a, b),
                _ => return None,
            },
            ExprKind::Binary(op, a, b) => {
                let op = match op {
                    BinaryOp::Union => Two::Union,
                    BinaryOp::Intersection => Two::Intersection,
                    BinaryOp::Difference => Two::Difference,
                    _ => return None,
                };
                Form::Two(op, Box::new((self.form(a, axis)?, self.form(b, axis)?)))
            }
            _ => return None,
        })
    }

    /// A set that is made of what a state holds in one word.
    pub(super) fn coded_form<'e>(&self, set: &'e Expr) -> Option<(Form<'e>, Axis)> {
        let axis = self.axis_of(set)?;
        Some((self.form(set, &axis)?, axis))
    }

    /// Two sets, one of them made of what a state holds in one word.
    pub(super) fn coded_forms<'e>(
        &self,
        a: &'e Expr,
        b: &'e Expr,
    ) -> Option<(Form<'e>, Form<'e>, Axis)> {
        let axis = self.axis_of(a).or_else(|| self.axis_of(b))?;
        Some((self.form(a, &axis)?, self.form(b, &axis)?, axis))
    }

    /// `clipped`: members without a code are left out.
    fn coded(&self, form: &Form<'_>, axis: &Axis, clipped: bool) -> Word {
        match form {
            Form::Held(id) => {
                let field = self.set_field(*id).expect("a set that is held");
                Word::Set(Box::new(field))
            }
            Form::Listed(items) => {
                let items = items.iter().map(|x| self.singleton(x, axis, clipped));
                items.reduce(|a, b| Word::two(Two::Union, a, b)).unwrap_or(Word::Constant(0))
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
        }
    }

    fn singleton(&self, x: &Expr, axis: &Axis, clipped: bool) -> Word {
        on_axis(OnAxis::Singleton { clipped }, axis, self.on_axis(x, axis))
    }

    /// `x : set`
    pub(super) fn coded_member(&self, x: &Expr, set: &Expr) -> Option<Test> {
        use UnaryOp::{Fin, Fin1, Pow, Pow1};
        if let ExprKind::Unary(op @ (Pow | Pow1 | Fin | Fin1), of) = &set.kind {
            let within = self.coded_compare(x, of, true)?;
            let (form, axis) = self.coded_form(x)?;
            return Some(match op {
                Pow | Fin => within,
                _ => {
                    let empty = Test::equal(self.coded(&form, &axis, false), Word::Constant(0));
                    Test::all(vec![empty.negated(), within])
                }
            });
        }
        let (form, axis) = self.coded_form(set)?;
        let mark = self.singleton(x, &axis, true);
        let common = Word::two(Two::Intersection, mark, self.coded(&form, &axis, true));
        Some(Test::compare(Relation::Differ, common, Word::Constant(0)))
    }

    /// `a <: b`, or `a = b`.
    pub(super) fn coded_compare(&self, a: &Expr, b: &Expr, subset: bool) -> Option<Test> {
        let (left, right, axis) = self.coded_forms(a, b)?;
        let left = self.coded(&left, &axis, false);
        let right = self.coded(&right, &axis, subset);
        Some(match subset {
            true => Test::compare(Relation::Subset, left, right),
            false => Test::equal(left, right),
        })
    }

    /// `card(s)`, `max(s)`, `min(s)`
    pub(super) fn coded_word(&self, op: UnaryOp, set: &Expr) -> Option<Word> {
        if !matches!(op, UnaryOp::Card | UnaryOp::Max | UnaryOp::Min) {
            return None;
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
    pub(super) fn coded_write(&self, id: VarId, e: &Expr) -> Option<Write> {
        let field = self.set_field(id)?;
        let set = self.coded(&self.form(e, &field.axis)?, &field.axis, false);
        Some(Write::Set(Box::new(SetWrite { field, set })))
    }

    /// What gives the members of a set to the locals of a pattern.
    pub(super) fn codes(&self, pattern: &Pattern, set: &Expr) -> Option<Codes<Word>> {
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

/// Longer lists are values.
const MOST_ITEMS: usize = 16;

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
