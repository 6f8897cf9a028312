//! Whether an operation is enabled where the conditions at its top hold.

use super::formula::{BasicSet, Expr, ExprKind};
use super::substitution::{Subst, SubstKind};
use super::{Machine, TopKind};

/// What says whether an instance of an operation is enabled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guard {
    /// The conditions at the top of the operation: what is below them has an outcome, or fails.
    Predicate,
    /// Execution only: `S ; SELECT`, an ANY in the body, `x :: S` where `S` may be empty. The
    /// conditions at the top are necessary. What the guard reads is then all that the body reads.
    Runs,
}

impl Guard {
    /// The guard of an operation whose body, below the conditions at its top, is this.
    pub fn before(machine: &Machine, body: &Subst) -> Guard {
        if is_feasible(machine, body) { Guard::Predicate } else { Guard::Runs }
    }
}

/// Whether a substitution has an outcome, or fails, in every state. `false`: it may have none.
pub(super) fn is_feasible(machine: &Machine, s: &Subst) -> bool {
    let all = |ss: &[Subst]| ss.iter().all(|s| is_feasible(machine, s));
    let last = |s: &Option<Box<Subst>>| s.as_ref().is_none_or(|s| is_feasible(machine, s));
    match &s.kind {
        SubstKind::Skip | SubstKind::Assign(_) => true,
        SubstKind::BecomesElement(_, set) => is_inhabited(set),
        SubstKind::BecomesSuchThat(..) | SubstKind::Select(..) | SubstKind::Any(..) => false,
        SubstKind::Parallel(ss) | SubstKind::Sequence(ss) => all(ss),
        SubstKind::Choice(ss) => ss.iter().any(|s| is_feasible(machine, s)),
        SubstKind::Precondition(_, s)
        | SubstKind::Assert(_, _, s)
        | SubstKind::Let(_, s)
        | SubstKind::Var(_, s) => is_feasible(machine, s),
        SubstKind::While { body, .. } => is_feasible(machine, body),
        SubstKind::If(branches, otherwise) => {
            branches.iter().all(|(_, s)| is_feasible(machine, s)) && last(otherwise)
        }
        SubstKind::Case(_, branches, otherwise) => {
            branches.iter().all(|(_, s)| is_feasible(machine, s)) && last(otherwise)
        }
        SubstKind::Call { operation, .. } => {
            let operation = machine.operation(*operation);
            operation.guard.iter().all(|c| c.kind == TopKind::Precondition)
                && is_feasible(machine, &operation.body)
        }
    }
}

/// Whether a set has a member, whatever the state and the sizes of sets.
fn is_inhabited(set: &Expr) -> bool {
    match &set.kind {
        ExprKind::Carrier(_) => true,
        ExprKind::Basic(set) => !matches!(set, BasicSet::Int | BasicSet::Nat | BasicSet::Nat1),
        ExprKind::SetExtension(members) => !members.is_empty(),
        _ => false,
    }
}
