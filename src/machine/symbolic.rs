//! Infinite sets that are kept as values.
//!
//! `NATURAL` or `%x.(x : NATURAL | x + k)` has no list of members, but it can be kept in a variable: as
//! the number of a description and the values of what the description mentions. Two such values are
//! the same when description and values are. Which variables, constants and locals may hold one is
//! known before anything runs, so that nothing else pays for the question.

use super::formula::{BinaryOp, Expr, ExprKind, Fold};
use super::substitution::Cell;
use super::types::{ConstId, LocalId, Machine, Type, VarId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A description of an infinite set.
#[derive(Clone, Debug)]
pub struct SymbolicSet {
    /// As it was written.
    pub text: Arc<str>,
    /// What stands for the constants, the variables and the locals outside that it mentions.
    pub parameters: Vec<LocalId>,
    /// Mentions no constants, no variables, and no locals but the parameters and those bound inside.
    pub set: Expr,
    pub kept: Kept,
}

/// Why a set is kept by its description, and when it is built all the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// It is infinite: never.
    Infinite,
    /// Nothing bounds it as it is written: at once, if all of its members are found.
    Open,
    /// The same; where not all are found, it is taken for infinite.
    Unbounded,
    /// It is finite, and may have too many members to be built: at once, if it has not.
    Vast,
    /// It was asked for, or it mentions itself: where its members are needed.
    Lazy,
}

/// The descriptions of a machine, and what may hold their values.
#[derive(Clone, Default, Debug)]
pub struct Symbolic {
    pub sets: Vec<SymbolicSet>,
    pub variables: BTreeSet<VarId>,
    pub constants: BTreeSet<ConstId>,
    pub locals: BTreeSet<LocalId>,
    /// Locals from this number on were added later: any of them may.
    pub known: u32,
}

impl Type {
    /// Whether there are infinitely many values of this type, whatever the sizes of the sets.
    pub fn is_infinite(&self) -> bool {
        match self {
            Type::Integer | Type::Real | Type::String | Type::Free(_) => true,
            Type::Bool | Type::Set(_) => false,
            Type::Pow(t) => t.is_infinite(),
            Type::Pair(p) => p.0.is_infinite() || p.1.is_infinite(),
            Type::Record(fields) => fields.iter().any(|(_, t)| t.is_infinite()),
        }
    }

    /// Whether a value of this type may be, or contain, an infinite set.
    pub fn holds_infinite_sets(&self) -> bool {
        match self {
            Type::Integer | Type::Real | Type::String | Type::Bool | Type::Set(_) => false,
            // The arguments of constructors are not looked into.
            Type::Free(_) => true,
            Type::Pow(t) => t.is_infinite(),
            Type::Pair(p) => p.0.holds_infinite_sets() || p.1.holds_infinite_sets(),
            Type::Record(fields) => fields.iter().any(|(_, t)| t.holds_infinite_sets()),
        }
    }
}

impl Symbolic {
    /// Adds what may hold such a value; whether it is new.
    pub fn add(&mut self, cell: Cell) -> bool {
        match cell {
            Cell::Variable(id) => self.variables.insert(id),
            Cell::Local(id) => self.locals.insert(id),
        }
    }

    /// Whether the value of an expression may be a symbolic set or contain one.
    pub fn may_be(&self, e: &Expr) -> bool {
        // What mentions itself has a description whatever its type.
        if let ExprKind::Symbolic(..) = e.kind {
            return true;
        }
        if self.sets.is_empty() || !e.ty.holds_infinite_sets() {
            return false;
        }
        match &e.kind {
            ExprKind::Variable(id) => self.variables.contains(id),
            ExprKind::Constant(id) => self.constants.contains(id),
            ExprKind::Local(id) => id.0 >= self.known || self.locals.contains(id),
            ExprKind::If(_, a, b) => self.may_be(a) || self.may_be(b),
            ExprKind::Let(_, body) => self.may_be(body),
            ExprKind::Binary(BinaryOp::Apply, f, _) => self.may_be(f),
            ExprKind::Unary(_, a) | ExprKind::Field(a, _) | ExprKind::Destruct(_, _, a) => {
                self.may_be(a)
            }
            ExprKind::Binary(_, a, b) => self.may_be(a) || self.may_be(b),
            ExprKind::SetExtension(es)
            | ExprKind::Sequence(es)
            | ExprKind::Record(es)
            | ExprKind::Struct(es)
            | ExprKind::Tree(_, es)
            | ExprKind::External(_, es) => es.iter().any(|e| self.may_be(e)),
            ExprKind::Construct(_, _, argument) => {
                argument.as_ref().is_some_and(|a| self.may_be(a))
            }
            ExprKind::Fold(fold, ids, _, body) => {
                self.may_be(body)
                    || *fold == Fold::Lambda && ids.iter().any(|id| self.locals.contains(id))
            }
            ExprKind::Comprehension(ids, _) => ids.iter().any(|id| self.locals.contains(id)),
            _ => false,
        }
    }
}

impl Machine {
    /// Whether the value of an expression may be a symbolic set or contain one.
    pub fn may_be_symbolic(&self, e: &Expr) -> bool {
        self.symbolic.may_be(e)
    }
}
