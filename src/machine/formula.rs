//! Typed expressions and predicates: overloading resolved, names resolved, definitions expanded.
//!
//! Every expression carries its ground type and the span it came from (through a definition: the
//! span of the use, so that messages point into the machine's own text).
//!
//! Copies of a formula share its parts: planning, compiling and solving hand conjuncts on many times and change none.
//! Who changes a part copies it first, if it is shared.

use crate::machine::types::{ConstId, FreeId, LocalId, SetId, Type, VarId};
use crate::source::Span;
use num_bigint::BigInt;
use std::sync::Arc;

#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    Integer(BigInt),
    Real(f64),
    Bool(bool),
    String(Arc<str>),
    /// An element of an enumerated set; of a sized set only in stand-alone formulas.
    Element(SetId, u32),
    Carrier(SetId),
    Basic(BasicSet),
    MaxInt,
    MinInt,
    Constant(ConstId),
    /// The value before the operation (in a sequence: after the substitutions to the left).
    Variable(VarId),
    Local(LocalId),
    /// `{}`, `[]`; the type says of what.
    Empty,
    Unary(UnaryOp, Arc<Expr>),
    Binary(BinaryOp, Arc<Expr>, Arc<Expr>),
    SetExtension(Vec<Expr>),
    Sequence(Vec<Expr>),
    /// `{x, y, z | P}`; elements are `(x |-> y) |-> z`.
    Comprehension(Vec<LocalId>, Arc<Pred>),
    /// A fold over all solutions of the predicate, each counted once.
    Fold(Fold, Vec<LocalId>, Arc<Pred>, Arc<Expr>),
    BoolOf(Arc<Pred>),
    /// Fields in the order of the type.
    Record(Vec<Expr>),
    /// `struct(..)`: the set of records, fields in the order of the type.
    Struct(Vec<Expr>),
    /// Field number in the order of the record's type.
    Field(Arc<Expr>, usize),
    If(Arc<Pred>, Arc<Expr>, Arc<Expr>),
    /// Equations are evaluated in order; later ones may use earlier names.
    Let(Vec<(LocalId, Expr)>, Arc<Expr>),
    /// All values of a free type, or those made by one constructor; whether these are infinitely many, as far
    /// as can be seen without evaluating anything.
    Freetype {
        of: FreeId,
        made: Option<u32>,
        endless: bool,
    },
    /// The argument that a constructor made a value from; undefined for values made by others.
    Destruct(FreeId, u32, Arc<Expr>),
    /// A free type's constructor applied to its argument (`None`: a constant constructor).
    Construct(FreeId, u32, Option<Arc<Expr>>),
    /// An infinite set as a value: number of its description in
    /// [`Symbolic::sets`](super::Symbolic), and the values of its parameters.
    Symbolic(u32, Vec<Expr>),
    Tree(TreeOp, Vec<Expr>),
    /// An external function; see `eval/formulas/external.rs`.
    External(External, Vec<Expr>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BasicSet {
    Integer,
    Natural,
    Natural1,
    /// `MININT..MAXINT`
    Int,
    Nat,
    Nat1,
    Bool,
    String,
    Real,
    Float,
}

impl BasicSet {
    /// Whether it has infinitely many members.
    pub fn is_infinite(self) -> bool {
        use BasicSet::*;
        matches!(self, Integer | Natural | Natural1 | String | Real | Float)
    }
}

impl BinaryOp {
    /// Whether it makes a set of relations of two sets.
    pub fn is_arrow(self) -> bool {
        use BinaryOp::*;
        matches!(
            self,
            Relations
                | TotalRelations
                | SurjectiveRelations
                | TotalSurjectiveRelations
                | PartialFunctions
                | TotalFunctions
                | PartialInjections
                | TotalInjections
                | PartialSurjections
                | TotalSurjections
                | PartialBijections
                | TotalBijections
        )
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fold {
    Sigma,
    Pi,
    Union,
    Inter,
    /// `{x.P|E}`: the set of the values.
    Image,
    /// `%x.(P|E)`: the set of the pairs `x |-> value`.
    Lambda,
    /// A tuple of all names but the last that makes the value greatest. The last one is bound to the greatest
    /// value known so far.
    Greatest,
    /// The same, of the least one.
    Least,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Negate,
    NegateReal,
    Inverse,
    Pow,
    Pow1,
    Fin,
    Fin1,
    Card,
    Dom,
    Ran,
    Id,
    /// `union(SS)`
    Union,
    /// `inter(SS)`
    Inter,
    Max,
    Min,
    MaxReal,
    MinReal,
    /// integer to real
    ToReal,
    Floor,
    Ceiling,
    /// First and second of a pair.
    First,
    Second,
    Closure,
    Closure1,
    Fnc,
    Rel,
    Seq,
    Seq1,
    Iseq,
    Iseq1,
    Perm,
    Size,
    Reverse,
    Conc,
    SeqFirst,
    SeqLast,
    Front,
    Tail,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Pair,
    // integers
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
    Interval,
    // reals
    AddReal,
    SubtractReal,
    MultiplyReal,
    DivideReal,
    PowerReal,
    // sets
    Union,
    Intersection,
    Difference,
    Product,
    // relations
    Relations,
    TotalRelations,
    SurjectiveRelations,
    TotalSurjectiveRelations,
    PartialFunctions,
    TotalFunctions,
    PartialInjections,
    TotalInjections,
    PartialSurjections,
    TotalSurjections,
    PartialBijections,
    TotalBijections,
    /// `(r ; s)`; `s circ r` becomes this too
    Compose,
    ParallelProduct,
    DirectProduct,
    Override,
    DomainRestrict,
    DomainSubtract,
    RangeRestrict,
    RangeSubtract,
    /// `r[S]`
    Image,
    /// `f(x)`
    Apply,
    Iterate,
    /// `prj1(S, T)`, `prj2(S, T)`
    Projection1,
    Projection2,
    // sequences
    Concat,
    Prepend,
    Append,
    Take,
    Drop,
}

/// Operators on trees: functions from places, which are sequences of branch numbers, to labels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TreeOp {
    /// `tree(S)`: the trees with labels in `S`.
    Trees,
    /// `btree(S)`: those in which each place has two sons or none.
    BinaryTrees,
    /// `const(x, q)`: a root and the sequence of its sons.
    Construct,
    Top,
    Sons,
    Prefix,
    Infix,
    Postfix,
    Size,
    Mirror,
    /// `rank(t, p)`: which of the sons of its father the place is.
    Rank,
    Father,
    Son,
    Subtree,
    Arity,
    /// `bin(x)`
    Leaf,
    /// `bin(l, x, r)`
    Node,
    Left,
    Right,
}

/// An external function, by its name in the table of `machine/external.rs`. An external predicate is
/// one whose value is compared with `TRUE`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct External(pub &'static str);

#[derive(Clone, PartialEq, Debug)]
pub struct Pred {
    pub kind: PredKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum PredKind {
    True,
    False,
    /// Flat: no `And` directly below an `And`.
    And(Arc<[Pred]>),
    Or(Arc<[Pred]>),
    Not(Arc<Pred>),
    Implies(Arc<Pred>, Arc<Pred>),
    Iff(Arc<Pred>, Arc<Pred>),
    Compare(Comparison, Expr, Expr),
    /// `!x.(P => Q)`; the antecedent is `True` when the body is no implication.
    Forall(Vec<LocalId>, Arc<Pred>, Arc<Pred>),
    Exists(Vec<LocalId>, Arc<Pred>),
    If(Arc<Pred>, Arc<Pred>, Arc<Pred>),
    Let(Vec<(LocalId, Expr)>, Arc<Pred>),
    /// `@finite(S)`
    Finite(Expr),
    /// `@partition(S, A, B)`
    Partition(Expr, Vec<Expr>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    Equal,
    NotEqual,
    Member,
    NotMember,
    Subset,
    NotSubset,
    StrictSubset,
    NotStrictSubset,
    /// Integers.
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// Reals.
    LessReal,
    LessEqualReal,
    GreaterReal,
    GreaterEqualReal,
}

impl Expr {
    pub fn new(kind: ExprKind, ty: Type, span: Span) -> Expr {
        Expr { kind, ty, span }
    }
}

impl Pred {
    pub fn new(kind: PredKind, span: Span) -> Pred {
        Pred { kind, span }
    }

    /// A conjunction, flattened; `True` when there is nothing to conjoin.
    pub fn and(preds: Vec<Pred>, span: Span) -> Pred {
        let mut flat = Vec::new();
        for p in preds {
            match p.kind {
                PredKind::And(inner) => flat.extend_from_slice(&inner),
                PredKind::True => {}
                _ => flat.push(p),
            }
        }
        match flat.len() {
            0 => Pred::new(PredKind::True, span),
            1 => flat.pop().expect("one element"),
            _ => Pred::new(PredKind::And(flat.into()), span),
        }
    }

    /// The local name that a predicate types, and nothing else: `x : S`, `x <: S`.
    pub fn typed_local(&self) -> Option<LocalId> {
        match &self.kind {
            PredKind::Compare(Comparison::Member | Comparison::Subset, x, _) => match x.kind {
                ExprKind::Local(id) => Some(id),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a predicate says of one of these locals what set it is of, and nothing else.
    pub fn types_one_of(&self, locals: &[LocalId]) -> bool {
        self.typed_local().is_some_and(|id| locals.contains(&id))
    }

    /// The conjuncts of a predicate, from left to right.
    pub fn conjuncts(&self) -> &[Pred] {
        match &self.kind {
            PredKind::And(ps) => ps,
            PredKind::True => &[],
            _ => std::slice::from_ref(self),
        }
    }
}
