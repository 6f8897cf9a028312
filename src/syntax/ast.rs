//! The syntax tree: what was written, with a span on everything.
//!
//! Expressions and predicates share one node type, [`Node`]. The language keeps them apart, but
//! whether a definition's right side is one or the other is only known from its use, so the parser
//! builds one kind of tree and the typing room tells them apart (with a better message than a
//! parser could give).

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use num_bigint::BigInt;
use std::sync::Arc;

/// A name as it was written, dotted when it names a part of a renamed machine (`r.x`).
pub type Name = Arc<str>;

/// A name and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Ident {
    pub name: Name,
    pub span: Span,
}

/// An expression or a predicate.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    pub kind: NodeKind,
    pub span: Span,
}

/// The operator that puts a string together.
pub const TEMPLATE: &str = "template";

#[derive(Clone, PartialEq, Debug)]
pub enum NodeKind {
    Integer(BigInt),
    /// A real literal as written (`1.5E-3`).
    Real(Arc<str>),
    /// A string literal with its escapes resolved.
    String(Arc<str>),
    /// `x`, `M.x`; a definition without arguments looks the same.
    Name(Name),
    /// `x$0`.
    Previous(Name),
    /// `INTEGER`, `TRUE`, `{}`, `btrue`, ... and keyword functions standing alone (`succ`).
    Constant(Constant),
    Unary(UnaryOp, Box<Node>),
    /// Every infix operator but `&` and `or`, comparisons and `=>`, `<=>` included. `,` in
    /// parentheses is [`BinaryOp::Comma`].
    Binary(BinaryOp, Box<Node>, Box<Node>),
    /// A run of `&` in source order, at least two; flat, so that 100,000 conjuncts are one level
    /// deep. `P & Q or R & S` is `Conjunction[Disjunction[Conjunction[P, Q], R], S]`; a
    /// parenthesised conjunction stays a node of its own.
    Conjunction(Vec<Node>),
    /// A run of `or` in source order, at least two.
    Disjunction(Vec<Node>),
    /// `/*@label name */ P`: a conjunct with a name.
    Labelled(Name, Box<Node>),
    /// `f(a, b)`: function application, or the use of a definition or external function.
    Call(Box<Node>, Vec<Node>),
    /// A keyword function with its arguments: `card(S)`, `iterate(r, n)`, `prj1(S, T)`.
    Builtin(Builtin, Vec<Node>),
    /// `r[S]`.
    Image(Box<Node>, Box<Node>),
    /// `r'field`.
    Field(Box<Node>, Ident),
    /// `{a, b}`.
    SetExtension(Vec<Node>),
    /// `[a, b]`.
    SequenceExtension(Vec<Node>),
    /// `{x, y | P}`.
    Comprehension(Vec<Ident>, Box<Node>),
    /// `{x, y . P | E}`.
    EventComprehension(Vec<Ident>, Box<Node>, Box<Node>),
    /// `!(x, y).(P => Q)`, `#x.(P)`: the body is kept whole.
    Quantifier(Quantifier, Vec<Ident>, Box<Node>),
    /// `SIGMA(x).(P | E)` and its like.
    Fold(Fold, Vec<Ident>, Box<Node>, Box<Node>),
    /// `bool(P)`.
    Bool(Box<Node>),
    /// `rec(a : E, b : F)`.
    Record(Vec<(Ident, Node)>),
    /// `struct(a : S, b : T)`.
    Struct(Vec<(Ident, Node)>),
    /// `IF P THEN E ELSIF Q THEN F ELSE G END`, over expressions or predicates.
    If(Vec<(Node, Node)>, Box<Node>),
    /// `LET x, y BE x = E & y = F IN B END`, over expressions or predicates.
    Let(Vec<Ident>, Box<Node>, Box<Node>),
    /// `[x := E] P`.
    Substitute(Box<Substitution>, Box<Node>),
    /// `@finite(S)`, `@partition(S, A, B)`, `@prj1(p)`: an operator written with `@`. A string with expressions in it
    /// is [`TEMPLATE`] of its parts.
    At(Ident, Vec<Node>),
    /// A node that could not be parsed and was reported already.
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    True,
    False,
    /// `btrue`
    Truth,
    /// `bfalse`
    Falsity,
    /// `BOOL`
    BoolSet,
    Integer,
    Natural,
    Natural1,
    Int,
    Nat,
    Nat1,
    MaxInt,
    MinInt,
    String,
    Real,
    Float,
    EmptySet,
    EmptySequence,
    /// A keyword function that stands without arguments (`succ`, `pred`), as a relation.
    Function(Builtin),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `not(P)`
    Not,
    /// `-E`
    Minus,
    /// `r~`
    Inverse,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    Forall,
    Exists,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fold {
    Sigma,
    Pi,
    /// `UNION(x).(P | E)`
    Union,
    /// `INTER(x).(P | E)`
    Inter,
    /// `%x.(P | E)`
    Lambda,
}

/// Infix operators. Level, associativity and spellings stand in `syntax/operators.rs`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    // predicates
    Implies,
    /// In the operator table only: a tree has [`NodeKind::Conjunction`].
    And,
    /// In the operator table only: a tree has [`NodeKind::Disjunction`].
    Or,
    Iff,
    // comparisons
    Equal,
    NotEqual,
    Member,
    NotMember,
    Subset,
    NotSubset,
    StrictSubset,
    NotStrictSubset,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    // only in brackets
    /// `(r ; s)`
    Compose,
    /// `(r || s)`
    ParallelProduct,
    /// `(a, b)`
    Comma,
    /// `E ⦂ T` (imported Event-B)
    OfType,
    // relations and functions as sets
    Relations,
    PartialFunctions,
    TotalFunctions,
    PartialInjections,
    TotalInjections,
    PartialSurjections,
    TotalSurjections,
    PartialBijections,
    TotalBijections,
    TotalRelations,
    SurjectiveRelations,
    TotalSurjectiveRelations,
    // level 160
    Override,
    DirectProduct,
    /// `r circ s`
    Backward,
    Concat,
    DomainRestrict,
    DomainSubtract,
    RangeRestrict,
    RangeSubtract,
    Prepend,
    Append,
    Union,
    Intersection,
    Take,
    Drop,
    Maplet,
    // numbers
    Interval,
    Plus,
    Minus,
    /// `\`: difference of sets, never of numbers
    SetMinus,
    Times,
    Divide,
    Modulo,
    Power,
}

/// Keyword functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    Pow,
    Pow1,
    Fin,
    Fin1,
    Card,
    Dom,
    Ran,
    Id,
    Union,
    Inter,
    Max,
    Min,
    Succ,
    Pred,
    Real,
    Floor,
    Ceiling,
    Prj1,
    Prj2,
    Closure,
    Closure1,
    Iterate,
    Fnc,
    Rel,
    Seq,
    Seq1,
    Iseq,
    Iseq1,
    Perm,
    Size,
    Rev,
    Conc,
    First,
    Last,
    Front,
    Tail,
    // trees: soft keywords, operators only when applied
    Tree,
    Btree,
    Const,
    Top,
    Sons,
    Prefix,
    Postfix,
    Sizet,
    Mirror,
    Rank,
    Father,
    Son,
    Subtree,
    Arity,
    Bin,
    Left,
    Right,
    Infix,
}

/// A generalised substitution.
#[derive(Clone, PartialEq, Debug)]
pub struct Substitution {
    pub kind: SubstitutionKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum SubstitutionKind {
    Skip,
    Block(Box<Substitution>),
    /// `x, f(y) := E, F`. Targets are expressions; the typing room checks their form.
    Assign(Vec<Node>, Vec<Node>),
    /// `x, y :: S`
    BecomesElement(Vec<Node>, Box<Node>),
    /// `x, y : (P)`
    BecomesSuchThat(Vec<Node>, Box<Node>),
    /// `x, y <-- op(E)`; also `op(E)` and `op`, which may turn out to be definitions.
    Call {
        results: Vec<Node>,
        operation: Ident,
        arguments: Vec<Node>,
    },
    Parallel(Vec<Substitution>),
    Sequence(Vec<Substitution>),
    Precondition(Box<Node>, Box<Substitution>),
    Assert(Box<Node>, Box<Substitution>),
    /// An assertion that stands for what a model claims of an event. No text of classical B has it.
    Claim(Claim, Box<Node>, Box<Substitution>),
    Choice(Vec<Substitution>),
    If(Vec<(Node, Substitution)>, Option<Box<Substitution>>),
    Select(Vec<(Node, Substitution)>, Option<Box<Substitution>>),
    Case {
        subject: Box<Node>,
        branches: Vec<(Vec<Node>, Substitution)>,
        otherwise: Option<Box<Substitution>>,
    },
    Any(Vec<Ident>, Box<Node>, Box<Substitution>),
    Let(Vec<Ident>, Box<Node>, Box<Substitution>),
    Var(Vec<Ident>, Box<Substitution>),
    While {
        condition: Box<Node>,
        body: Box<Substitution>,
        invariant: Box<Node>,
        variant: Box<Node>,
    },
    Witness(Box<Node>, Box<Substitution>),
    /// Could not be parsed and was reported already.
    Error,
}

/// What is claimed of an event, beyond what its own text says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    pub kind: ClaimKind,
    /// What is wrong where it does not hold: "the guard `g` of the abstract event `e` does not hold".
    pub broken: Name,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClaimKind {
    /// The abstract event can follow. Where it cannot there is no state to go to.
    Refinement,
    /// The variant decreases. The event happens all the same.
    Variant,
    /// A theorem among the guards. The event happens all the same.
    Theorem,
}

impl ClaimKind {
    /// Whether the event ends where the claim is broken.
    pub fn ends_event(self) -> bool {
        self == ClaimKind::Refinement
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MachineKind {
    /// `MACHINE`, `MODEL`, `SYSTEM`
    Machine,
    Refinement,
    Implementation,
    /// A model of Event-B, its components and levels put together.
    EventB,
    /// A `.def` file: definitions only.
    Definitions,
}

/// One source file, parsed. Clauses that are absent are empty.
#[derive(Clone, PartialEq, Debug)]
pub struct MachineFile {
    pub kind: MachineKind,
    pub name: Ident,
    pub parameters: Vec<Ident>,
    /// `REFINES M`
    pub refines: Option<Ident>,
    pub clauses: Vec<Clause>,
    /// In a model of Event-B: variables that only machines have that this one refines, with those.
    pub abstract_variables: Vec<(Name, Name)>,
    /// In a model of Event-B: the variants of its machines. What they claim of events stands in the events.
    pub variants: Vec<Node>,
    /// Whether every clause that declares names could be read.
    pub names_complete: bool,
    /// What is wrong with each definition whose body is [`DefinitionBody::Error`]. Reported only
    /// when the definition is used.
    pub definition_errors: Vec<(Name, Diagnostic)>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Clause {
    pub kind: ClauseKind,
    /// The whole clause, keyword included.
    pub span: Span,
    /// The keyword alone.
    pub keyword: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ClauseKind {
    Constraints(Node),
    Sets(Vec<SetDeclaration>),
    /// `CONSTANTS`, `CONCRETE_CONSTANTS`
    Constants(Vec<Ident>),
    AbstractConstants(Vec<Ident>),
    Properties(Node),
    /// `VARIABLES`, `ABSTRACT_VARIABLES`
    Variables(Vec<Ident>),
    ConcreteVariables(Vec<Ident>),
    Invariant(Node),
    Assertions(Vec<Node>),
    Initialisation(Substitution),
    Operations(Vec<OperationDeclaration>),
    LocalOperations(Vec<OperationDeclaration>),
    Definitions(Vec<DefinitionEntry>),
    Sees(Vec<MachineReference>),
    Uses(Vec<MachineReference>),
    Includes(Vec<MachineReference>),
    Extends(Vec<MachineReference>),
    Imports(Vec<MachineReference>),
    Promotes(Vec<Ident>),
    Values(Vec<(Ident, Node)>),
    Freetypes(Vec<FreetypeDeclaration>),
    Variant(Node),
    /// `EXPRESSIONS`: `name(args) == E`
    Expressions(Vec<DefinitionEntry>),
    /// `PREDICATES`: `name(args) == P`
    Predicates(Vec<DefinitionEntry>),
}

#[derive(Clone, PartialEq, Debug)]
pub enum SetDeclaration {
    Deferred(Ident),
    Enumerated(Ident, Vec<Ident>),
    /// `S = definition`: the elements come from a definition.
    FromDefinition(Ident, Ident),
}

#[derive(Clone, PartialEq, Debug)]
pub struct FreetypeDeclaration {
    pub name: Ident,
    /// Constructors; those with an argument carry its set.
    pub constructors: Vec<(Ident, Option<Node>)>,
}

/// `r.M(args)` with the path of a `/*@file "..." */` pragma.
#[derive(Clone, PartialEq, Debug)]
pub struct MachineReference {
    pub prefix: Option<Ident>,
    pub machine: Ident,
    pub arguments: Vec<Node>,
    pub file: Option<(Arc<str>, Span)>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct OperationDeclaration {
    pub results: Vec<Ident>,
    pub name: Ident,
    pub parameters: Vec<Ident>,
    /// `Op ref Abstract`: the operation that it refines, where that has another name.
    pub refines: Option<Ident>,
    pub body: Substitution,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum DefinitionEntry {
    /// `"file.def"` or `<file.def>`
    Include {
        path: Arc<str>,
        span: Span,
    },
    Definition(Definition),
}

/// `Name(parameters) == body`.
#[derive(Clone, PartialEq, Debug)]
pub struct Definition {
    pub name: Ident,
    pub parameters: Vec<Ident>,
    pub body: DefinitionBody,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum DefinitionBody {
    /// A predicate or an expression; a bare name or call may also turn out to be a substitution
    /// (an operation call or another definition): its first use decides.
    Formula(Node),
    Substitution(Substitution),
    /// Did not parse. Reported only when the definition is used by the machine's own clauses and
    /// has no tool meaning.
    Error,
}
