//! A model of Event-B: machines, contexts, events, their formulas as syntax trees. Both readers end
//! here, and what refinement means starts here.

use crate::source::Span;
use crate::syntax::ast::{Ident, Name, Node, NodeKind};
use rustc_hash::{FxHashMap, FxHashSet};

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
    pub refines: Option<Ident>,
    pub sees: Vec<Ident>,
    pub variables: Vec<Ident>,
    pub invariants: Vec<Labelled>,
    pub theorems: Vec<Labelled>,
    pub variant: Option<Node>,
    pub events: Vec<Event>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Context {
    pub name: Ident,
    pub extends: Vec<Ident>,
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
    /// Their labels, in their order.
    pub action_labels: Vec<Option<Name>>,
    pub span: Span,
}

impl Machine {
    /// The events of this machine that an event of its refinement refines.
    pub fn refined(&self, event: &Event) -> Vec<&Event> {
        if event.is_initialisation() {
            return self.events.iter().find(|e| e.is_initialisation()).into_iter().collect();
        }
        let find = |x: &Ident| self.events.iter().find(|e| e.name.name == x.name);
        event.refines.iter().filter_map(find).collect()
    }

    /// What an event of this machine leaves open of one that it refines, so that a witness chooses it:
    /// parameters that it drops, and new values of variables that the machine drops.
    pub fn left_open(&self, own: &Event, other: &Event) -> Vec<Name> {
        let is_among = |list: &[Ident], x: &Ident| list.iter().any(|y| y.name == x.name);
        let parameters = other.parameters.iter().filter(|p| !is_among(&own.parameters, p));
        let chosen = other.actions.iter().filter(|a| !matches!(a, Action::Assign(..)));
        let variables = chosen.flat_map(Action::variables);
        let variables = variables.filter(|x| !is_among(&self.variables, x));
        let primed = variables.map(|x| primed(&x.name));
        parameters.map(|p| p.name.clone()).chain(primed).collect()
    }
}

/// What the new value of a variable is called.
pub fn primed(name: &Name) -> Name {
    format!("{name}'").into()
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
    use NodeKind::*;
    let bound = |a: &[Ident], b: &[Ident]| a.iter().map(|x| &x.name).eq(b.iter().map(|x| &x.name));
    let alike = match (&a.kind, &b.kind) {
        (Name(a), Name(b)) => a == b,
        (Unary(a, _), Unary(b, _)) => a == b,
        (Binary(a, ..), Binary(b, ..)) => a == b,
        (Builtin(a, _), Builtin(b, _)) => a == b,
        (At(a, _), At(b, _)) => a.name == b.name,
        (Quantifier(q, a, _), Quantifier(r, b, _)) => q == r && bound(a, b),
        (Fold(f, a, ..), Fold(g, b, ..)) => f == g && bound(a, b),
        (Comprehension(a, _), Comprehension(b, _)) => bound(a, b),
        (EventComprehension(a, ..), EventComprehension(b, ..)) => bound(a, b),
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    };
    if !alike {
        return false;
    }
    let (left, right) = (parts(a), parts(b));
    if left.is_empty() && right.is_empty() {
        // Numbers, constants, empty lists.
        return a.kind == b.kind;
    }
    left.len() == right.len() && left.into_iter().zip(right).all(|(a, b)| same(a, b))
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

/// The formula with other names in place of some that are free in it.
pub fn renamed(node: &Node, names: &FxHashMap<Name, Name>) -> Node {
    let mut node = node.clone();
    rename(&mut node, names);
    node
}

fn rename(node: &mut Node, names: &FxHashMap<Name, Name>) {
    if names.is_empty() {
        return;
    }
    let mut below = std::borrow::Cow::Borrowed(names);
    match &mut node.kind {
        NodeKind::Name(name) => {
            if let Some(new) = names.get(name) {
                *name = new.clone();
            }
        }
        NodeKind::Quantifier(_, ids, _)
        | NodeKind::Comprehension(ids, _)
        | NodeKind::EventComprehension(ids, ..)
        | NodeKind::Fold(_, ids, ..)
            if ids.iter().any(|x| names.contains_key(&x.name)) =>
        {
            below.to_mut().retain(|x, _| ids.iter().all(|i| i.name != *x));
        }
        _ => {}
    }
    parts_mut(node).into_iter().for_each(|part| rename(part, &below));
}

/// The formulas that a formula of Event-B is made of.
pub(super) fn parts(node: &Node) -> Vec<&Node> {
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

/// The same, to be changed.
fn parts_mut(node: &mut Node) -> Vec<&mut Node> {
    match &mut node.kind {
        NodeKind::Unary(_, a)
        | NodeKind::Labelled(_, a)
        | NodeKind::Bool(a)
        | NodeKind::Quantifier(_, _, a)
        | NodeKind::Comprehension(_, a) => vec![a],
        NodeKind::Binary(_, a, b)
        | NodeKind::Image(a, b)
        | NodeKind::EventComprehension(_, a, b)
        | NodeKind::Fold(_, _, a, b) => vec![a, b],
        NodeKind::Call(f, arguments) => std::iter::once(&mut **f).chain(arguments).collect(),
        NodeKind::Conjunction(all)
        | NodeKind::Disjunction(all)
        | NodeKind::Builtin(_, all)
        | NodeKind::SetExtension(all)
        | NodeKind::At(_, all) => all.iter_mut().collect(),
        _ => Vec::new(),
    }
}
