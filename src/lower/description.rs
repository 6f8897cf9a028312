//! Infinite sets that can be values, and free types: what their descriptions were compiled to.

use super::code::{Binder, BoolFn, EachFn, Slot, TestFn, ValueFn};
use super::env::{Env, Operand};
use super::stop::{CutSite, Stop};
use crate::machine::{BasicSet, Kept};
use crate::source::Span;
use crate::value::{Shape, Value};
use std::sync::Arc;

/// A set as far as its members were found, and why these may not be all.
pub type PartFn = Box<dyn Fn(&mut Env) -> Result<(Value, Option<Stop>), Stop> + Send + Sync>;

/// Asks whether a set has too many members to be built.
pub type VastFn = Box<dyn Fn(&mut Env) -> Result<bool, Stop> + Send + Sync>;

/// A description by its number, and the values of its parameters.
pub type Symbol = Arc<(u32, Arc<[Value]>)>;

/// What is asked of a description: whether something is a member, or what it has at a point.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Asking {
    Member(Symbol, Value),
    Image(Symbol, Value),
}

/// A description, compiled.
pub struct SymbolicCode {
    pub parameters: Vec<Slot>,
    /// All locals that it mentions: one set may be described by another of the same description.
    pub frame: Vec<Slot>,
    pub member: TestFn,
    /// How single points are looked up, of a relation.
    pub graph: Option<Graph>,
    pub kept: Kept,
    /// What it has at a point is remembered: it costs more than to look it up.
    pub remembered: bool,
    /// Infinite for certain: no finite set is equal to it.
    pub certain: bool,
    /// Whether its members are too many to be built, where they may be.
    pub vast: Option<VastFn>,
    /// Its members as far as they are found, where they can be looked for.
    pub found: Option<PartFn>,
    pub basic: Option<BasicSet>,
    pub shape: Shape,
    pub span: Span,
}

/// How the values of a free type are found.
pub struct FreeCode {
    /// Of each constructor that takes an argument: the set of these, and its shape.
    pub arguments: Vec<Option<(Shape, PartFn)>>,
    /// Its values may stand within each other: only some are found, and this is said then.
    pub nested: Option<CutSite>,
}

/// How to find what stands at a point.
pub enum Graph {
    Lambda {
        binder: Binder,
        pred: BoolFn,
        body: ValueFn,
    },
    /// The solutions for the last name of a comprehension, with the others bound.
    Solutions {
        binder: Binder,
        each: EachFn,
        last: Slot,
    },
    Union(Box<Graph>, Box<Graph>),
    /// What the right side has, else what the left side has.
    Override(Box<Graph>, Box<Graph>),
    Compose(Box<Graph>, Box<Graph>),
    /// Of points for which the test gives this.
    Domain(TestFn, bool, Box<Graph>),
    /// Values for which the test gives this.
    Range(TestFn, bool, Box<Graph>),
    Closure(Box<Graph>),
    Iterate(Box<Graph>, Iterations),
    /// Values that are at the point in another relation (or are not there): pairs of this shape.
    Among(Box<Graph>, Shape, TestFn, bool),
    /// `f >< g`: the pairs of what both have, of this shape.
    Direct(Box<Graph>, Box<Graph>, Shape),
    /// `f || g`: the same, each at its side of a pair of the first shape.
    Parallel(Box<Graph>, Box<Graph>, Shape, Shape),
    /// The same values at each point for which the test holds.
    Product(TestFn, ValueFn, Shape),
    /// A value, which may have a description of its own.
    Kept(ValueFn, Shape),
}

/// How often a relation is composed with itself.
pub struct Iterations {
    pub times: ValueFn,
    pub span: Span,
    pub operand: Operand,
}
