//! An operation that chooses at the top of its body, read as one that is told what it chooses.
//!
//! `o = ANY x WHERE P THEN S END` does what `o(x) = SELECT P THEN S END` does, but for two things: what was chosen is not
//! told, and choices with one outcome are one transition. So its instances can be found as those of any other
//! operation are.

use super::formula::{Comparison, Expr, ExprKind, Pred, PredKind};
use super::substitution::{Subst, SubstKind};
use super::types::{LocalId, Operation, TopCondition, TopKind};
use crate::source::Span;
use std::borrow::Cow;

/// The choices at the top of an operation's body.
pub struct Opened<'o> {
    /// From outside to inside: what is chosen, and the condition on it. A selection chooses nothing.
    pub choices: Vec<(Vec<LocalId>, Cow<'o, Pred>)>,
    /// What is done with what was chosen.
    pub body: &'o Subst,
}

impl Operation {
    /// The ANY that it begins with, where nothing stands before it: what it chooses, and its condition. Where a part of that is
    /// false it is not enabled, as where a condition at the top is; below a condition that is undefined that would be an error.
    pub fn first_choice(&self) -> Option<(&[LocalId], &Pred)> {
        match &self.body.kind {
            SubstKind::Any(locals, pred, _) if self.guard.is_empty() => Some((locals, pred)),
            _ => None,
        }
    }

    /// The choices at the top of its body, if there are any.
    pub fn opened(&self) -> Option<Opened<'_>> {
        let mut opened = Opened { choices: Vec::new(), body: &self.body };
        loop {
            let (locals, pred, below) = match &opened.body.kind {
                SubstKind::Any(locals, pred, below) => {
                    (locals.clone(), Cow::Borrowed(pred), &**below)
                }
                SubstKind::Let(bindings, below) => {
                    let locals = bindings.iter().map(|(id, _)| *id).collect();
                    let pred = equations(bindings, opened.body.span);
                    (locals, Cow::Owned(pred), &**below)
                }
                SubstKind::Select(branches, None) if branches.len() == 1 => {
                    let (pred, below) = &branches[0];
                    (Vec::new(), Cow::Borrowed(pred), below)
                }
                _ => break,
            };
            opened.choices.push((locals, pred));
            opened.body = below;
        }
        (!opened.choices.is_empty()).then_some(opened)
    }
}

/// That locals have these values.
pub fn equations(bindings: &[(LocalId, Expr)], span: Span) -> Pred {
    let equation = |(id, e): &(LocalId, Expr)| {
        let local = Expr::new(ExprKind::Local(*id), e.ty.clone(), e.span);
        Pred::new(PredKind::Compare(Comparison::Equal, local, e.clone()), e.span)
    };
    Pred::and(bindings.iter().map(equation).collect(), span)
}

impl Opened<'_> {
    /// The operation that is told all this.
    pub fn told(&self, whole: &Operation) -> Operation {
        let locals = self.choices.iter().flat_map(|(locals, _)| locals);
        let conditions = self.choices.iter().map(|(_, pred)| TopCondition {
            pred: pred.clone().into_owned(),
            kind: TopKind::Selection,
            span: pred.span,
        });
        Operation {
            parameters: whole.parameters.iter().chain(locals).copied().collect(),
            guard: whole.guard.iter().cloned().chain(conditions).collect(),
            body: self.body.clone(),
            ..whole.clone()
        }
    }
}
