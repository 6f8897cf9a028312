//! Predicates as the solver is given them.
//!
//! What mentions no unknown is closed: whoever gives the problem evaluates it ([`Host`]), in the frame in
//! which the names that quantifiers bind have the values of the instance at hand. What the solver
//! cannot take apart is opaque: it prunes nothing, and is for whoever tests the candidates.

use crate::clock::Stopped;
use crate::machine::{BasicSet, BinaryOp, Comparison, LocalId, UnaryOp};
use crate::source::Span;
use crate::value::{Shape, Value};
use std::rc::Rc;
use std::sync::Arc;

/// An expression with unknowns in it.
#[derive(Debug)]
pub struct Sketch {
    pub term: Term,
    pub shape: Shape,
    pub span: Span,
}

#[derive(Debug)]
pub enum Term {
    /// By its number with the host.
    Closed(usize),
    Unknown(LocalId),
    Basic(BasicSet),
    /// All values of the shape's elements.
    Universe,
    Unary(UnaryOp, Box<Sketch>),
    Binary(BinaryOp, Box<Sketch>, Box<Sketch>),
    Extension(Vec<Sketch>),
    Sequence(Vec<Sketch>),
    Record(Vec<Sketch>),
    Struct(Vec<Sketch>),
    Field(Box<Sketch>, usize),
    Truth(Box<Formula>),
    If(Box<Formula>, Box<Sketch>, Box<Sketch>),
    Let(Vec<(LocalId, Sketch)>, Box<Sketch>),
    /// The same where a condition is true, and undefined elsewhere: a lambda that is applied.
    Given(Vec<(LocalId, Sketch)>, Box<Formula>, Box<Sketch>),
    Collect(Collect, Scope, Box<Formula>, Box<Sketch>),
    /// The first, or where that cannot be taken apart the second, which is the same.
    Otherwise(Box<Sketch>, Box<Sketch>),
    Opaque,
}

/// What is made of the values of an expression in all instances for which a condition is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Collect {
    Set,
    Union,
    Sum,
    Product,
}

#[derive(Debug)]
pub enum Formula {
    Closed(usize),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Not(Box<Formula>),
    Iff(Box<Formula>, Box<Formula>),
    If(Box<Formula>, Box<Formula>, Box<Formula>),
    Let(Vec<(LocalId, Sketch)>, Box<Formula>),
    Compare(Comparison, Sketch, Sketch),
    /// In each instance.
    Forall(Scope, Box<Formula>),
    /// In some instance.
    Exists(Scope, Box<Formula>),
    Partition(Sketch, Vec<Sketch>),
    /// A conjunct that asks for a witness.
    Witness(Box<Witness>),
    /// The first, or where that cannot be taken apart the second, which says the same.
    Otherwise(Box<Formula>, Box<Formula>),
    Opaque,
}

/// Names for which a condition is true of some values.
#[derive(Debug)]
pub struct Witness {
    pub unknowns: Vec<Unknown>,
    /// All of what is asked of them.
    pub conjuncts: Vec<Formula>,
    /// The same by instances.
    pub otherwise: Formula,
}

/// Where the instances of a quantifier come from.
#[derive(Debug, Default)]
pub struct Scope {
    pub stages: Vec<Stage>,
    /// Names that have the value of an expression in each instance.
    pub given: Vec<(LocalId, Sketch)>,
}

#[derive(Debug)]
pub enum Stage {
    /// The solutions of a closed condition, by its number with the host.
    Each(Vec<LocalId>, usize),
    /// The members of a set that is not known, taken apart.
    Members(Pattern, Sketch),
    /// The same, where these are no values: the names are parts of each of what the set may have as members, as far as that
    /// is known.
    Items(Pattern, Sketch),
}

#[derive(Debug)]
pub enum Pattern {
    Local(LocalId),
    /// Only members that have this value here.
    Value(Box<Sketch>),
    Pair(Box<Pattern>, Box<Pattern>),
}

/// An unknown, and what is known of its values from the start.
#[derive(Debug)]
pub struct Unknown {
    pub local: LocalId,
    pub name: Arc<str>,
    pub span: Span,
    pub shape: Shape,
    /// Expressions that it is equal to.
    pub equals: Vec<Sketch>,
    /// Sets that it is a member of, with the number of the conjunct that says so.
    pub members: Vec<(usize, Sketch)>,
}

/// A conjunction, to be solved for its unknowns.
#[derive(Debug)]
pub struct Problem {
    pub unknowns: Vec<Unknown>,
    pub conjuncts: Vec<Formula>,
    /// Of each conjunct, the numbers of the unknowns that it mentions.
    pub mentions: Vec<Vec<usize>>,
    /// Of each conjunct, whether a plan without the solver would only test it: nothing is lost where the solver
    /// does the same.
    pub tested: Vec<bool>,
    /// Unbounded integers are tried between these.
    pub limits: (i64, i64),
    /// Whether those that are beyond these from the start are tried from the bound on that they have.
    pub beyond: bool,
    /// How many candidates a plan without the solver is expected to try.
    pub candidates: f64,
}

impl Sketch {
    /// Whether an expression in this one, or this one itself, is such a one.
    pub fn any(&self, is_one: &dyn Fn(&Sketch) -> bool) -> bool {
        let any = |e: &Sketch| e.any(is_one);
        let given = |bindings: &[(LocalId, Sketch)]| bindings.iter().any(|(_, e)| any(e));
        is_one(self)
            || match &self.term {
                Term::Closed(_)
                | Term::Unknown(_)
                | Term::Basic(_)
                | Term::Universe
                | Term::Opaque => false,
                Term::Unary(_, a) | Term::Field(a, _) => any(a),
                Term::Binary(_, a, b) | Term::Otherwise(a, b) => any(a) || any(b),
                Term::Extension(of) | Term::Sequence(of) | Term::Record(of) | Term::Struct(of) => {
                    of.iter().any(any)
                }
                Term::Truth(p) => p.any(is_one),
                Term::If(p, a, b) => p.any(is_one) || any(a) || any(b),
                Term::Let(bindings, body) => given(bindings) || any(body),
                Term::Given(bindings, p, body) => given(bindings) || p.any(is_one) || any(body),
                Term::Collect(_, scope, p, body) => scope.any(is_one) || p.any(is_one) || any(body),
            }
    }
}

impl Formula {
    /// Whether an expression in it is such a one.
    pub fn any(&self, is_one: &dyn Fn(&Sketch) -> bool) -> bool {
        let any = |p: &Formula| p.any(is_one);
        match self {
            Formula::Closed(_) | Formula::Opaque => false,
            Formula::And(parts) | Formula::Or(parts) => parts.iter().any(any),
            Formula::Not(p) => any(p),
            Formula::Witness(witness) => {
                witness.conjuncts.iter().any(any) || any(&witness.otherwise)
            }
            Formula::Iff(p, q) | Formula::Otherwise(p, q) => any(p) || any(q),
            Formula::If(c, p, q) => any(c) || any(p) || any(q),
            Formula::Let(bindings, p) => bindings.iter().any(|(_, e)| e.any(is_one)) || any(p),
            Formula::Compare(_, a, b) => a.any(is_one) || b.any(is_one),
            Formula::Forall(scope, p) | Formula::Exists(scope, p) => scope.any(is_one) || any(p),
            Formula::Partition(whole, parts) => {
                whole.any(is_one) || parts.iter().any(|e| e.any(is_one))
            }
        }
    }
}

impl Scope {
    fn any(&self, is_one: &dyn Fn(&Sketch) -> bool) -> bool {
        let stages = self.stages.iter().any(|stage| match stage {
            Stage::Each(..) => false,
            Stage::Members(_, set) | Stage::Items(_, set) => set.any(is_one),
        });
        stages || self.given.iter().any(|(_, e)| e.any(is_one))
    }
}

/// The solutions of a closed condition.
pub struct Instances {
    /// With each the truth that the condition is defined.
    pub rows: Vec<(Vec<Value>, bool)>,
    /// Whether these are all.
    pub complete: bool,
}

/// Whoever evaluates what is closed.
pub trait Host {
    type Stop: From<Stopped>;

    /// `None`: undefined or unknown.
    fn value(&mut self, closed: usize) -> Result<Option<Value>, Self::Stop>;

    fn truth(&mut self, closed: usize) -> Result<Option<bool>, Self::Stop>;

    /// `None` where there are more than `most`.
    fn instances(
        &mut self,
        closed: usize,
        most: usize,
    ) -> Result<Option<Rc<Instances>>, Self::Stop>;

    /// Variables with more values are not tried: candidates are of no use where some may be missing.
    fn most_tried(&self) -> u64 {
        u64::MAX
    }

    /// Whether a conjunct is false where its unknowns, by their numbers, have these values.
    fn refutes(&mut self, conjunct: usize, values: Vec<(usize, Value)>)
    -> Result<bool, Self::Stop>;

    /// Gives a name its value for what is closed.
    fn bind(&mut self, local: LocalId, value: &Value) -> Result<(), Self::Stop>;
}
