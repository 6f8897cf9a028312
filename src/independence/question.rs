//! What is asked of states, and which operations can change an answer.
//!
//! An operation is *invisible* (it stutters) if it changes the truth of no question, in either direction,
//! in any state: that it keeps the invariant is not enough, since a reduced search might then take
//! it first everywhere and never come to the state in between that violates it. One that can end in an
//! error is visible whatever is asked: the error is what is looked for.

use super::Asked;
use super::facts::Facts;
use super::operation::Operation;
use super::range::Range;
use super::relation::Analyser;
use super::scalar::{Scalars, Test};
use crate::eval::bodies::faults::Faults;
use crate::eval::{Program, Topic};
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, Place, Places, Pred, PredKind, UnaryOp,
};
use crate::source::Span;
use std::collections::BTreeSet;

/// Whose question it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asker {
    Invariant,
    Assertions,
    Goal,
    Scope,
}

impl Asker {
    pub fn name(self) -> &'static str {
        match self {
            Asker::Invariant => "the invariant",
            Asker::Assertions => "the assertions",
            Asker::Goal => "the goal",
            Asker::Scope => "the SCOPE",
        }
    }
}

pub struct Question {
    pub asker: Asker,
    pub span: Span,
    pub pred: Pred,
    pub reads: BTreeSet<Place>,
    pub test: Option<Test>,
}

/// Why an operation is visible.
#[derive(Clone, Debug)]
pub enum Visible {
    /// It can end in an error.
    Fails,
    /// It writes a place that a question is about, with an example of the value before and after.
    Changes { asker: Asker, span: Span, place: Place, example: Option<(i128, i128)> },
}

/// The questions whose answers can change.
pub fn questions(
    program: &Program,
    faults: &Faults<'_>,
    scalars: &Scalars<'_>,
    facts: &Facts,
    asked: &Asked,
) -> Vec<Question> {
    let machine = scalars.machine();
    let of =
        |topic, asker| program.questions.of(topic).iter().map(move |q| (asker, &q.conjunct.pred));
    let invariant = of(Topic::Invariant, Asker::Invariant).filter(|_| asked.invariant);
    let assertions = of(Topic::Assertions, Asker::Assertions).filter(|_| asked.assertions);
    let demanded = invariant.chain(assertions);
    let all = demanded.chain(of(Topic::Goal, Asker::Goal)).chain(of(Topic::Scope, Asker::Scope));
    let open = all.filter(|(_, p)| !is_proved(scalars, facts, p));
    let question = |(asker, p): (Asker, &Pred)| {
        let defined = faults.is_always_defined(p);
        let test = scalars.test(&[], p, true).filter(|_| defined);
        Question { asker, span: p.span, pred: p.clone(), reads: Places::read_by(machine, p), test }
    };
    open.map(question).filter(|q| !q.is_decided(scalars, facts)).collect()
}

impl Question {
    /// Whether the values that the place takes all give the same answer.
    fn is_decided(&self, scalars: &Scalars<'_>, facts: &Facts) -> bool {
        self.test.as_ref().is_some_and(|t| {
            let values = facts.values(scalars, &t.place).unwrap_or_else(Range::all);
            values.is_within(&t.range) || values.meet(&t.range).is_empty()
        })
    }
}

/// Why an operation is visible, if it is.
pub fn visible(
    analyser: &Analyser<'_>,
    operation: &Operation,
    questions: &[Question],
    mut is_refuted: impl FnMut(&Pred) -> bool,
) -> Option<Visible> {
    if operation.fails {
        return Some(Visible::Fails);
    }
    questions.iter().find_map(|q| {
        let touch = analyser.touches(operation, &q.reads, q.test.as_ref())?;
        if touch.example.is_none() && is_refuted(&q.pred) {
            return None;
        }
        let (place, example) = (touch.place, touch.example);
        Some(Visible::Changes { asker: q.asker, span: q.span, place, example })
    })
}

/// Whether a predicate only says what is known of every reachable state: types, mostly.
fn is_proved(scalars: &Scalars<'_>, facts: &Facts, p: &Pred) -> bool {
    let PredKind::Compare(op, x, set) = &p.kind else { return false };
    let ExprKind::Variable(variable) = x.kind else { return false };
    match op {
        Comparison::Member if is_whole(set) => true,
        Comparison::Subset => match &set.kind {
            ExprKind::Carrier(_) => true,
            _ => scalars.set(set).is_some_and(|range| {
                set.ty.element().and_then(|ty| scalars.domain(ty)) == Some(range)
            }),
        },
        Comparison::Member => {
            let ExprKind::Binary(arrow, from, to) = &set.kind else { return false };
            let functional = match arrow {
                BinaryOp::TotalFunctions => facts.total(scalars, x) == Some(Range::all()),
                BinaryOp::PartialFunctions => facts.is_functional(scalars, x),
                _ => false,
            };
            let values = facts.results(scalars, variable);
            let within = || match (scalars.set(to), values) {
                (Some(range), Some(values)) => values.is_within(&range),
                _ => false,
            };
            functional && is_whole(from) && (is_whole(to) || within())
        }
        _ => false,
    }
}

/// Whether a set is all of its type.
fn is_whole(set: &Expr) -> bool {
    match &set.kind {
        ExprKind::Carrier(_) => true,
        ExprKind::Basic(basic) => matches!(basic, BasicSet::Integer | BasicSet::Bool),
        ExprKind::Unary(UnaryOp::Pow, of) => is_whole(of),
        ExprKind::Binary(BinaryOp::Product | BinaryOp::Relations, a, b) => {
            is_whole(a) && is_whole(b)
        }
        _ => false,
    }
}
