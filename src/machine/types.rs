//! The types of B, and what a machine declares.

use crate::machine::formula::{Expr, Pred};
use crate::machine::substitution::{Subst, SubstKind};
use crate::machine::symbolic::SymbolicSet;
use crate::source::Span;
use crate::syntax::Dialect;
use crate::syntax::ast::Claim;
use std::sync::Arc;

/// Index into [`Machine::sets`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SetId(pub u32);
/// Index into [`Machine::constants`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ConstId(pub u32);
/// Index into [`Machine::variables`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);
/// Index into [`Machine::locals`]: unique in the whole machine, so it is also the slot of the
/// evaluation frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocalId(pub u32);
/// Index into [`Machine::operations`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OpId(pub u32);
/// Index into [`Machine::claims`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClaimId(pub u32);
/// Index into [`Machine::freetypes`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FreeId(pub u32);

/// A ground type.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Type {
    Integer,
    Real,
    Bool,
    String,
    /// A deferred or enumerated set, or a set parameter.
    Set(SetId),
    Free(FreeId),
    Pow(Arc<Type>),
    Pair(Arc<(Type, Type)>),
    /// Fields in alphabetical order.
    Record(Arc<[(Arc<str>, Type)]>),
}

impl Type {
    pub fn pow(of: Type) -> Type {
        Type::Pow(Arc::new(of))
    }

    pub fn pair(left: Type, right: Type) -> Type {
        Type::Pair(Arc::new((left, right)))
    }

    /// `POW(left * right)`.
    pub fn relation(left: Type, right: Type) -> Type {
        Type::pow(Type::pair(left, right))
    }

    /// `POW(INTEGER * of)`.
    pub fn sequence(of: Type) -> Type {
        Type::relation(Type::Integer, of)
    }

    /// The element type, of a set type.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Type::Pow(t) => Some(t),
            _ => None,
        }
    }

    /// Both sides, of a pair type.
    pub fn sides(&self) -> Option<(&Type, &Type)> {
        match self {
            Type::Pair(p) => Some((&p.0, &p.1)),
            _ => None,
        }
    }

    /// Domain and range types, of a relation type.
    pub fn relation_sides(&self) -> Option<(&Type, &Type)> {
        self.element().and_then(Type::sides)
    }

    /// Whether values of this type can hold elements of a set for which `of` is true.
    pub fn mentions(&self, of: &dyn Fn(SetId) -> bool) -> bool {
        match self {
            Type::Integer | Type::Real | Type::Bool | Type::String | Type::Free(_) => false,
            Type::Set(s) => of(*s),
            Type::Pow(t) => t.mentions(of),
            Type::Pair(p) => p.0.mentions(of) || p.1.mentions(of),
            Type::Record(fields) => fields.iter().any(|(_, t)| t.mentions(of)),
        }
    }
}

/// A carrier set: the only sets that are types.
#[derive(Clone, Debug)]
pub struct CarrierSet {
    pub name: Arc<str>,
    pub kind: SetKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum SetKind {
    /// `SETS S`: elements have no names, and their number is chosen at set-up.
    Deferred,
    /// A set parameter of the machine; behaves as a deferred set.
    Parameter,
    /// `SETS S = {a, b}`, with the names of its elements.
    Enumerated(Vec<Arc<str>>),
}

/// A constant or a variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Readable, dotted when it comes from a renamed machine.
    pub name: Arc<str>,
    pub ty: Type,
    pub span: Span,
}

/// A bound identifier: parameter, result, quantified or local variable.
#[derive(Clone, Debug)]
pub struct Local {
    pub name: Arc<str>,
    pub ty: Type,
    pub span: Span,
}

/// A conjunct of a clause with the text it came from.
#[derive(Clone, Debug)]
pub struct Conjunct {
    pub pred: Pred,
    /// A `/*@label*/`, when there is one.
    pub label: Option<Arc<str>>,
    /// What its place does not tell of where it comes from.
    pub origin: Option<Origin>,
}

/// Which instance of a machine, as it is included (`b.M`), something is said of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// One of several that a machine may have, in its INVARIANT or ASSERTIONS.
    Instance(Arc<str>),
    /// Of its parameters, in its CONSTRAINTS; with the place where it is included, if it is.
    Constraints(Arc<str>, Option<Span>),
}

impl Conjunct {
    /// One that has no name and needs no more than its place.
    pub fn of(pred: Pred) -> Conjunct {
        Conjunct { pred, label: None, origin: None }
    }

    /// Whether it stands in the CONSTRAINTS of a machine.
    pub fn is_constraint(&self) -> bool {
        matches!(self.origin, Some(Origin::Constraints(..)))
    }

    /// The instance of a machine that has it, where its place does not tell.
    pub fn instance(&self) -> Option<&Arc<str>> {
        match self.origin.as_ref()? {
            Origin::Instance(name) | Origin::Constraints(name, _) => Some(name),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Operation {
    pub name: Arc<str>,
    pub parameters: Vec<LocalId>,
    pub results: Vec<LocalId>,
    /// The conditions at its top; all of them, in this order.
    pub guard: Vec<TopCondition>,
    /// What is below them.
    pub body: Subst,
    /// Offered as a transition; otherwise only callable from other operations.
    pub visible: bool,
    /// A precondition of what it refines cannot be said here: it may be tried where nobody would call it.
    pub lacks_precondition: bool,
    pub span: Span,
    /// The name in the declaration, for the margin of the source pane.
    pub name_span: Span,
}

/// A condition at the top of an operation.
#[derive(Clone, PartialEq, Debug)]
pub struct TopCondition {
    pub pred: Pred,
    pub kind: TopKind,
    /// Of the whole substitution that it begins.
    pub span: Span,
}

/// How a condition at the top of an operation was written. Where the operation is offered both say when it
/// is enabled; where it is called a precondition must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TopKind {
    Precondition,
    /// A selection with one branch.
    Selection,
}

impl Operation {
    /// The conditions at its top.
    pub fn conditions(&self) -> impl Iterator<Item = &Pred> {
        self.guard.iter().map(|c| &c.pred)
    }

    /// All of it as one substitution, as it is called.
    pub fn whole(&self) -> Subst {
        self.guard.iter().rev().fold(self.body.clone(), |below, condition| {
            let pred = condition.pred.clone();
            let kind = match condition.kind {
                TopKind::Precondition => SubstKind::Precondition(pred, Box::new(below)),
                TopKind::Selection => SubstKind::Select(vec![(pred, below)], None),
            };
            Subst::new(kind, condition.span)
        })
    }

    /// The place of all of it.
    pub fn whole_span(&self) -> Span {
        self.guard.first().map_or(self.body.span, |c| c.span)
    }
}

/// A free type (`FREETYPES`), inductive. Its values are those that its constructors make of the members of
/// their sets: no other value of the type is ever made.
#[derive(Clone, Debug)]
pub struct Freetype {
    pub name: Arc<str>,
    pub constructors: Vec<Constructor>,
    /// Whether its values may stand within each other.
    pub nested: bool,
    /// Its name where it is declared.
    pub span: Span,
}

/// A constructor of a free type.
#[derive(Clone, Debug)]
pub struct Constructor {
    pub name: Arc<str>,
    /// The type of its argument, if it takes one.
    pub argument: Option<Type>,
    /// The set of its arguments. It mentions no constants and no variables.
    pub from: Option<crate::machine::formula::Expr>,
    /// Whether it makes infinitely many values, as far as can be seen without evaluating anything.
    pub endless: bool,
}

impl Freetype {
    /// Whether there are infinitely many values that were made by this constructor, or by any.
    pub fn is_endless(&self, made: Option<u32>) -> bool {
        match made {
            Some(number) => self.constructors[number as usize].endless,
            None => self.constructors.iter().any(|c| c.endless),
        }
    }
}

/// `scope_S == n` or `== a..b`.
#[derive(Clone, Debug)]
pub struct ScopeDefinition {
    pub set: SetId,
    pub size: u64,
    pub span: Span,
}

/// `SET_PREF_NAME == value`, the value printed.
#[derive(Clone, Debug)]
pub struct Preference {
    pub name: Arc<str>,
    pub value: Arc<str>,
    pub span: Span,
}

/// A machine after typing: one flat machine, however many files it came from.
#[derive(Clone, Debug)]
pub struct Machine {
    pub name: Arc<str>,
    /// The notation that it is written in, and formulas about it.
    pub dialect: Dialect,
    pub sets: Vec<CarrierSet>,
    pub freetypes: Vec<Freetype>,
    pub constants: Vec<Global>,
    pub variables: Vec<Global>,
    /// Variables that only machines have that this one refines, with the names of those.
    pub abstract_variables: Vec<(VarId, Arc<str>)>,
    pub locals: Vec<Local>,
    /// Conjuncts of CONSTRAINTS and PROPERTIES.
    pub properties: Vec<Conjunct>,
    /// Whether a PROPERTIES clause was written, or CONSTRAINTS of a machine that is included: it makes a
    /// set-up step of its own.
    pub has_properties: bool,
    /// What the PROPERTIES say of infinite constants and nobody sees to be true, said of their members: it holds unless
    /// it is found to be false.
    pub assumed: Vec<Pred>,
    pub invariant: Vec<Conjunct>,
    pub assertions: Vec<Conjunct>,
    /// `None` for a machine without variables.
    pub initialisation: Option<Subst>,
    /// What the assertions in bodies claim that were not written as such.
    pub claims: Vec<Claim>,
    /// Shared: a machine gets locals for each question that is asked of it.
    pub operations: Arc<Vec<Operation>>,
    /// The GOAL definition, if it types as a predicate over variables and constants.
    pub goal: Option<Pred>,
    /// The SCOPE definition.
    pub scope: Option<Pred>,
    pub scope_sizes: Vec<ScopeDefinition>,
    pub preferences: Vec<Preference>,
    /// `ASSERT_LTL*`, `ASSERT_CTL*`: name and formula, kept for display.
    pub temporal: Vec<(Arc<str>, Arc<str>)>,
    /// `FORCE_SYMMETRY_S == TRUE`.
    pub force_symmetry: Vec<SetId>,
    /// Uses of external functions that tell elements of deferred sets apart, one for each set and
    /// function.
    pub asymmetric: Vec<Asymmetric>,
    pub symbolic: crate::machine::Symbolic,
    /// Where declarations say that sequences are meant.
    pub notations: crate::machine::Notations,
    /// Constants that are infinite and were replaced by their values.
    pub abbreviations: Vec<Abbreviation>,
    /// The folder below which external functions may read files; `None`: they may not.
    pub files: Option<Arc<std::path::Path>>,
}

/// A deferred set whose elements are not interchangeable, since an external function looks at them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asymmetric {
    pub set: SetId,
    pub function: Arc<str>,
    pub span: Span,
}

/// A constant that one equation gives an infinite value: it has no value in a state, and stands in
/// formulas as its right side.
#[derive(Clone, Debug)]
pub struct Abbreviation {
    pub name: Arc<str>,
    pub ty: Type,
    /// Its declaration.
    pub span: Span,
    /// Its span is that of the text to be shown.
    pub value: crate::machine::formula::Expr,
}

/// A formula that stands alone, with the frame it needs (a goal from the command line).
#[derive(Clone, Debug)]
pub struct StandAlone {
    pub pred: Pred,
    /// Locals added for it; they continue [`Machine::locals`].
    pub locals: Vec<Local>,
}

/// A formula that was typed in to be evaluated, with the frame it needs.
#[derive(Clone, Debug)]
pub struct Question {
    pub asked: Asked,
    /// Locals added for it; they continue [`Machine::locals`].
    pub locals: Vec<Local>,
    /// Descriptions of infinite sets added for it; they continue those of [`Machine::symbolic`].
    pub symbolic: Vec<SymbolicSet>,
    /// Locals of the machine's descriptions that hold infinite sets because of what is asked.
    pub holders: Vec<LocalId>,
    /// How values of its locals are written.
    pub notations: crate::machine::Notations,
}

impl Question {
    /// One that brings nothing along.
    pub fn plain(asked: Asked) -> Question {
        let (locals, symbolic, holders) = Default::default();
        Question { asked, locals, symbolic, holders, notations: Default::default() }
    }
}

/// What is asked: the value of an expression, or the truth of a predicate.
#[derive(Clone, Debug)]
pub enum Asked {
    /// With its type, as text.
    Expression(Expr, String),
    /// With its free variables, whose solutions are asked for.
    Predicate(Pred, Vec<LocalId>),
}

impl Machine {
    /// Whether it is a context of Event-B by itself: sets, constants and what holds of them.
    pub fn is_context(&self) -> bool {
        self.dialect == Dialect::EventB && self.variables.is_empty() && self.operations.is_empty()
    }

    pub fn set(&self, id: SetId) -> &CarrierSet {
        &self.sets[id.0 as usize]
    }
    pub fn constant(&self, id: ConstId) -> &Global {
        &self.constants[id.0 as usize]
    }
    pub fn variable(&self, id: VarId) -> &Global {
        &self.variables[id.0 as usize]
    }
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }
    pub fn operation(&self, id: OpId) -> &Operation {
        &self.operations[id.0 as usize]
    }
    /// Whether the size of this set is chosen at set-up.
    pub fn is_sized(&self, id: SetId) -> bool {
        !matches!(self.set(id).kind, SetKind::Enumerated(_))
    }
    /// Whether setting up the constants is a step of its own, as long as all of them are constants
    /// (ProB's convention: constants or a PROPERTIES clause make one; a set parameter alone does not).
    /// Of a machine that is set up, its instance knows.
    pub fn declares_setup(&self) -> bool {
        !self.constants.is_empty() || self.has_properties
    }
}
