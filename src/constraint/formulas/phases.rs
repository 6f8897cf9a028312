//! In which order the conjuncts of a problem are looked at.

use crate::constraint::pictures::object::is_sets;
use crate::constraint::sketch::{Collect, Formula, Scope, Sketch, Stage, Term};
use crate::machine::{BinaryOp, Comparison, UnaryOp};

/// When a conjunct is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::constraint) enum Phase {
    /// What is asked of each member of a set, with nothing unknown in it.
    Sift,
    Plain,
    /// Comparisons with rests in them.
    Rests,
    /// What is made of several formulas, or adds up over what others may bound.
    Compound,
    /// Comparisons with the number of unknown values that are collected under a condition: others may say that it is true.
    Counts,
    /// That two functions or sets differ, of which others may say where they are equal.
    Apart,
    /// Quantifiers over several members of sets that are not known.
    Several,
}

/// The order.
pub(in crate::constraint) const PHASES: [Phase; 7] = [
    Phase::Sift,
    Phase::Plain,
    Phase::Rests,
    Phase::Compound,
    Phase::Counts,
    Phase::Apart,
    Phase::Several,
];

pub(in crate::constraint) fn phase_of(formula: &Formula) -> Phase {
    match formula {
        Formula::Compare(_, a, b) if has_rests(a) || has_rests(b) => Phase::Rests,
        Formula::Compare(_, a, b) if counts(a) || counts(b) => Phase::Counts,
        Formula::Compare(_, a, b) if sums_up_to(a) || sums_up_to(b) => Phase::Compound,
        Formula::Compare(Comparison::NotEqual, a, _) if is_sets(&a.shape) => Phase::Apart,
        Formula::Compare(..) | Formula::Closed(_) | Formula::Partition(..) => Phase::Plain,
        Formula::Not(p) => match &**p {
            Formula::Compare(Comparison::Equal, a, _) if is_sets(&a.shape) => Phase::Apart,
            p => phase_of(p),
        },
        Formula::Forall(scope, _) | Formula::Exists(scope, _) if is_of_several(scope) => {
            Phase::Several
        }
        Formula::Forall(_, body) if is_closed(body) => Phase::Sift,
        Formula::Otherwise(p, _) => phase_of(p),
        _ => Phase::Compound,
    }
}

fn is_closed(formula: &Formula) -> bool {
    match formula {
        Formula::Closed(_) => true,
        Formula::And(parts) | Formula::Or(parts) => parts.iter().all(is_closed),
        Formula::Not(p) => is_closed(p),
        _ => false,
    }
}

fn is_of_several(scope: &Scope) -> bool {
    scope.stages.iter().filter(|stage| !matches!(stage, Stage::Each(..))).count() > 1
}

/// Whether an expression counts what is collected under a condition.
fn counts(sketch: &Sketch) -> bool {
    let is_conditional = |set: &Sketch| match &set.term {
        // Of known values the condition is all that is counted: it makes what others say smaller.
        Term::Collect(Collect::Set, _, condition, of) => {
            !is_closed(condition) && !matches!(of.term, Term::Closed(_))
        }
        _ => false,
    };
    sketch.any(&|e| matches!(&e.term, Term::Unary(UnaryOp::Card, of) if of.any(&is_conditional)))
}

/// Whether an expression adds up over an interval that is not known: others may bound it.
fn sums_up_to(sketch: &Sketch) -> bool {
    let is_interval = |stage: &Stage| match stage {
        Stage::Members(_, set) => matches!(set.term, Term::Binary(BinaryOp::Interval, ..)),
        _ => false,
    };
    sketch.any(&|e| match &e.term {
        Term::Collect(Collect::Sum | Collect::Product, scope, ..) => {
            scope.stages.iter().any(is_interval)
        }
        _ => false,
    })
}

/// Whether a rest is a part of a number.
fn has_rests(sketch: &Sketch) -> bool {
    match &sketch.term {
        Term::Binary(BinaryOp::Modulo, ..) => true,
        Term::Binary(_, a, b) => has_rests(a) || has_rests(b),
        Term::Unary(_, a) => has_rests(a),
        _ => false,
    }
}
