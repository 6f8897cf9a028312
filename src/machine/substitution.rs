//! Typed substitutions.
//!
//! Reads and writes: within a parallel composition both sides read the state before it; within a
//! sequence the right side reads what the left side wrote. A target is a variable, a result of the
//! operation, or a local variable of a `VAR`.

use crate::machine::formula::{Expr, Pred};
use crate::machine::types::{ClaimId, LocalId, OpId, VarId};
use crate::source::Span;

#[derive(Clone, PartialEq, Debug)]
pub struct Subst {
    pub kind: SubstKind,
    pub span: Span,
}

/// What is assigned: a cell and the way into its value.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    pub cell: Cell,
    /// `f(x)(y)'field := E`: empty for a plain assignment.
    pub path: Vec<Access>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Cell {
    Variable(VarId),
    /// An operation result or a `VAR` local.
    Local(LocalId),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Access {
    Index(Expr),
    Field(usize),
}

#[derive(Clone, PartialEq, Debug)]
#[allow(clippy::large_enum_variant, reason = "few of them; While is the rare one")]
pub enum SubstKind {
    Skip,
    /// Simultaneous: all right sides read the old state. Cells are distinct.
    Assign(Vec<(Target, Expr)>),
    /// `x :: S`; several targets take a left-nested tuple apart.
    BecomesElement(Vec<Target>, Expr),
    /// `x, y : (P)`: in `P` the new values are the locals, in the order of the cells; the cells
    /// themselves (and `x$0`) read the old values.
    BecomesSuchThat(Vec<(Cell, LocalId)>, Pred),
    Parallel(Vec<Subst>),
    Sequence(Vec<Subst>),
    /// Below the top of an operation a failing precondition is a state error.
    Precondition(Pred, Box<Subst>),
    /// What must hold here: a state error where it does not, or a broken claim.
    Assert(Option<ClaimId>, Pred, Box<Subst>),
    Choice(Vec<Subst>),
    If(Vec<(Pred, Subst)>, Option<Box<Subst>>),
    Select(Vec<(Pred, Subst)>, Option<Box<Subst>>),
    Case(Expr, Vec<(Vec<Expr>, Subst)>, Option<Box<Subst>>),
    Any(Vec<LocalId>, Pred, Box<Subst>),
    Let(Vec<(LocalId, Expr)>, Box<Subst>),
    /// Locals start undefined.
    Var(Vec<LocalId>, Box<Subst>),
    While {
        condition: Pred,
        body: Box<Subst>,
        invariant: Pred,
        variant: Expr,
        /** `x$0` in the invariant: the cell and the local that holds its value when the loop begins. */
        initial: Vec<(Cell, LocalId)>,
    },
    /// A call of another operation of the machine: arguments by value, results into targets.
    Call {
        operation: OpId,
        arguments: Vec<Expr>,
        results: Vec<Target>,
    },
}

impl Subst {
    pub fn new(kind: SubstKind, span: Span) -> Subst {
        Subst { kind, span }
    }
}
