//! A model of Event-B: machines, contexts, events, their formulas as syntax trees. Both readers end
//! here, and what refinement means starts here.

use crate::source::Span;
use crate::syntax::ast::{Ident, Name, Node, NodeKind};
use rustc_hash::FxHashSet;

/// The machine that is checked, with all it refers to.
#[derive(Debug)]
pub struct Model {
    /// From the machine that is checked up to the most abstract one; never empty.
    pub machines: Vec<Machine>,
    /// The contexts that some machine sees, those that are extended first.
    pub contexts: Vec<Context>,
}

#[derive(Debug)]
pub struct Machine {
    pub name: Ident,
    pub variables: Vec<Ident>,
    pub invariants: Vec<Labelled>,
    pub theorems: Vec<Labelled>,
    pub variant: Option<Node>,
    pub events: Vec<Event>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Context {
    pub sets: Vec<Ident>,
    pub constants: Vec<Ident>,
    pub axioms: Vec<Labelled>,
    pub theorems: Vec<Labelled>,
    pub span: Span,
}

/// A formula with its label.
#[derive(Clone, Debug)]
pub struct Labelled {
    pub label: Option<Name>,
    pub node: Node,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Ordinary,
    Convergent,
    Anticipated,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Status::Ordinary => "ordinary",
            Status::Convergent => "convergent",
            Status::Anticipated => "anticipated",
        }
    }

    pub fn of(name: &str) -> Option<Status> {
        [Status::Ordinary, Status::Convergent, Status::Anticipated]
            .into_iter()
            .find(|s| s.name() == name)
    }
}

/// An event with all its parts, those that it inherits among them.
#[derive(Debug)]
pub struct Event {
    pub name: Ident,
    pub status: Status,
    /// Events of the machine that is refined.
    pub refines: Vec<Ident>,
    pub parameters: Vec<Ident>,
    pub guards: Vec<Labelled>,
    /// Guards that are theorems.
    pub theorems: Vec<Labelled>,
    /// What each speaks of: a parameter, or the new value `x'` of a variable.
    pub witnesses: Vec<(Name, Node)>,
    pub actions: Vec<Action>,
    pub span: Span,
}

/// The event that every machine has.
pub const INITIALISATION: &str = "INITIALISATION";

impl Event {
    pub fn is_initialisation(&self) -> bool {
        &*self.name.name == INITIALISATION
    }
}

/// What one action does to its variables. New values are called `x'` in predicates.
#[derive(Clone, Debug)]
pub enum Action {
    Assign(Vec<Ident>, Vec<Node>),
    Member(Vec<Ident>, Node),
    SuchThat(Vec<Ident>, Node),
}

impl Action {
    pub fn variables(&self) -> &[Ident] {
        match self {
            Action::Assign(v, _) | Action::Member(v, _) | Action::SuchThat(v, _) => v,
        }
    }

    /// Whether two actions are the same, wherever they stand.
    pub fn same(&self, other: &Action) -> bool {
        let names = |a: &[Ident], b: &[Ident]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.name == b.name)
        };
        names(self.variables(), other.variables())
            && match (self, other) {
                (Action::Assign(_, a), Action::Assign(_, b)) => {
                    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
                }
                (Action::Member(_, a), Action::Member(_, b))
                | (Action::SuchThat(_, a), Action::SuchThat(_, b)) => same(a, b),
                _ => false,
            }
    }
}

/// Whether two formulas are the same, wherever they stand.
pub fn same(a: &Node, b: &Node) -> bool {
    a.to_string() == b.to_string()
}

/// Adds all names in a formula, bound ones too.
pub fn mentioned(node: &Node, found: &mut FxHashSet<Name>) {
    if let NodeKind::Name(name) = &node.kind {
        found.insert(name.clone());
    }
    for part in parts(node) {
        mentioned(part, found);
    }
}

/// The formulas that a formula of Event-B is made of.
fn parts(node: &Node) -> Vec<&Node> {
    match &node.kind {
        NodeKind::Unary(_, a)
        | NodeKind::Labelled(_, a)
        | NodeKind::Bool(a)
        | NodeKind::Quantifier(_, _, a)
        | NodeKind::Comprehension(_, a) => vec![a],
        NodeKind::Binary(_, a, b)
        | NodeKind::Image(a, b)
        | NodeKind::EventComprehension(_, a, b)
        | NodeKind::Fold(_, _, a, b) => vec![a, b],
        NodeKind::Call(f, arguments) => std::iter::once(&**f).chain(arguments).collect(),
        NodeKind::Conjunction(all)
        | NodeKind::Disjunction(all)
        | NodeKind::Builtin(_, all)
        | NodeKind::SetExtension(all)
        | NodeKind::At(_, all) => all.iter().collect(),
        _ => Vec::new(),
    }
}
