//! Strings that a state holds by their places in a list: asked and written as these, without making them.

use crate::eval::compile::Compiler;
use crate::lower::word::{Bits, IntegerField};
use crate::lower::{Relation, Test, Word};
use crate::machine::{Expr, ExprKind, Type, VarId};
use crate::state::{Axis, Coding};
use std::sync::Arc;

/// Most strings of a list of which a set is a word.
const MOST: u64 = 64;

impl Compiler<'_> {
    /// The list by which a variable that is a string is held.
    fn text_axis(&self, id: VarId) -> Option<Axis> {
        match &self.layout.field(id).coding {
            Coding::Text { texts, .. } => Some(Axis::Texts(texts.clone())),
            _ => None,
        }
    }

    /// The field of such a variable.
    pub(in crate::eval) fn text_field(&self, id: VarId, bits: u32) -> IntegerField {
        let layout = self.layout.clone();
        IntegerField { bits: Bits::new(layout.field(id).at, bits), low: 0, id, layout }
    }

    /// The list by which the state holds a string: a variable, `f(x)` or a field of a record.
    fn axis_of_text(&self, e: &Expr) -> Option<Axis> {
        let axis = match &e.kind {
            ExprKind::Variable(id) if self.is_read_in_place(*id) => self.text_axis(*id)?,
            _ => self.axis_given(e)?,
        };
        matches!(axis, Axis::Texts(_)).then_some(axis)
    }

    /// A string as its place in this list; `None` where it has none, or has to be made first.
    pub(in crate::eval) fn text_word(&self, e: &Expr, axis: &Axis) -> Option<Word> {
        let Axis::Texts(texts) = axis else { return None };
        match &e.kind {
            ExprKind::String(text) => Some(Word::Constant(texts.binary_search(text).ok()? as u64)),
            _ if self.axis_of_text(e)? != *axis => None,
            ExprKind::Variable(id) => match self.layout.field(*id).coding {
                Coding::Text { bits, .. } => {
                    Some(Word::Integer(Box::new(self.text_field(*id, bits))))
                }
                _ => None,
            },
            _ => self.given_word(e, axis),
        }
    }

    /// Two strings as words, where the state holds one of them.
    pub(in crate::eval) fn text_words(&self, a: &Expr, b: &Expr) -> Option<(Word, Word)> {
        if a.ty != Type::String {
            return None;
        }
        let axis = self.axis_of_text(a).or_else(|| self.axis_of_text(b))?;
        Some((self.text_word(a, &axis)?, self.text_word(b, &axis)?))
    }

    /// `x : {"a", "b"}`, where the state holds `x`.
    pub(in crate::eval) fn text_among(&self, x: &Expr, set: &Expr) -> Option<Test> {
        let ExprKind::SetExtension(items) = &set.kind else { return None };
        if x.ty != Type::String {
            return None;
        }
        let axis = self.axis_of_text(x).filter(|axis| axis.size() <= MOST)?;
        let mut all = 0u64;
        for item in items {
            match self.text_word(item, &axis)? {
                Word::Constant(place) => all |= 1 << place,
                _ => return None,
            }
        }
        Some(Test::compare(Relation::Member, self.text_word(x, &axis)?, Word::Constant(all)))
    }
}

/// The strings of which a set is made.
pub(super) fn texts_in(set: &Expr) -> Option<Vec<&Arc<str>>> {
    let ExprKind::SetExtension(items) = &set.kind else { return None };
    let texts = items.iter().map(|e| match &e.kind {
        ExprKind::String(text) => Some(text),
        _ => None,
    });
    texts.collect()
}
