//! What names mean, and where.
//!
//! Names of a machine file live in its [`Environment`]; names bound within a formula live on one
//! stack, innermost last. The arguments of a definition are elaborated where they are used but mean
//! what they mean at the call: a [`Meaning::Barrier`] on the stack hides everything between the two
//! places. The free names of a definition's *body* mean what they mean at its use, where a variable
//! may be bound; only the parameters of other definitions are not seen ([`Meaning::Body`]).

use crate::diagnostic::Diagnostic;
use crate::machine::{Cell, ConstId, FreeId, LocalId, OpId, SetId, VarId};
use crate::source::Span;
use crate::syntax::ast::{Definition, Name, Node};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What a bound identifier was bound by; says whether it may be assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Parameter,
    Result,
    Var,
    Let,
    Any,
    Quantified,
    /// A variable of the abstract machine that a refinement no longer has.
    Abstract,
}

impl Role {
    pub fn assignable(self) -> bool {
        matches!(self, Role::Result | Role::Var)
    }
}

#[derive(Clone, Debug)]
pub enum Meaning<'a> {
    Local(LocalId, Role),
    /// `x$0`, under the name with the `$0`.
    Cell(Cell),
    /// A parameter of a definition: the argument at the call.
    Argument(Argument<'a>),
    /// Hides the entries from this height up to itself.
    Barrier(usize),
    /// The body of a definition begins: hides the parameters of the definitions it is used in.
    Body,
}

/// A formula and the place it belongs to.
#[derive(Clone, Debug)]
pub struct Argument<'a> {
    pub node: &'a Node,
    pub environment: usize,
    /// Height of the stack at the call.
    pub height: usize,
    /// The span everything in it is reported at, when the call itself is inside a definition.
    pub use_span: Option<Span>,
}

#[derive(Clone, Debug)]
pub struct Entry<'a> {
    pub name: Name,
    pub meaning: Meaning<'a>,
    /// Bound under a name that a definition's parameter stands for: seen through this barrier
    /// height by the other arguments of the same call.
    pub captured_at: Option<usize>,
}

/// What a machine file declares, or sees of other files.
#[derive(Clone, Debug)]
pub enum Global<'a> {
    Set(SetId),
    Element(SetId, u32),
    Constant(ConstId),
    Freetype(FreeId),
    /// A constructor of a free type.
    Constructor(FreeId, u32),
    Variable(VarId, Ownership),
    /// A machine parameter that an including machine gave a value.
    Given(Argument<'a>),
    Definition(Rc<Macro<'a>>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ownership {
    Own,
    Included,
    Seen,
}

/// A definition in the environment that declares it.
#[derive(Debug)]
pub struct Macro<'a> {
    pub definition: &'a Definition,
    /// Why the body could not be parsed.
    pub error: Option<&'a Diagnostic>,
    /// On a cycle, which was reported.
    pub cyclic: bool,
    pub used: std::cell::Cell<bool>,
}

#[derive(Clone, Debug)]
pub struct Declared<'a> {
    pub meaning: Global<'a>,
    pub span: Span,
}

/// An operation that a file may call.
#[derive(Clone, Copy, Debug)]
pub struct Callable {
    pub operation: OpId,
    /// One of the file's own operations: may not be called.
    pub own: bool,
    /// Of a machine that is seen or used: may be called if it writes nothing.
    pub seen: bool,
    pub span: Span,
    /// An operation of the same name in another machine that is included here: the name alone does not say which is meant.
    pub rival: Option<Span>,
}

#[derive(Default, Debug)]
pub struct Environment<'a> {
    pub globals: FxHashMap<Name, Declared<'a>>,
    pub operations: FxHashMap<Name, Callable>,
}

/// The stack of bound names.
#[derive(Default, Debug)]
pub struct Scope<'a> {
    pub entries: Vec<Entry<'a>>,
}

impl<'a> Scope<'a> {
    pub fn height(&self) -> usize {
        self.entries.len()
    }

    pub fn push(&mut self, name: Name, meaning: Meaning<'a>) {
        self.entries.push(Entry { name, meaning, captured_at: None });
    }

    pub fn find(&self, name: &str) -> Option<&Meaning<'a>> {
        self.find_below(self.entries.len(), name)
    }

    /// What a name means at this height of the stack.
    pub fn find_below(&self, height: usize, name: &str) -> Option<&Meaning<'a>> {
        self.seen_from(height).find(|e| *e.name == *name).map(|e| &e.meaning)
    }

    /// The entries that are visible at this height of the stack, innermost first.
    fn seen_from(&self, height: usize) -> impl Iterator<Item = &Entry<'a>> {
        let mut top = height;
        let mut within = false;
        std::iter::from_fn(move || {
            while top > 0 {
                top -= 1;
                let entry = &self.entries[top];
                match entry.meaning {
                    Meaning::Barrier(height) => top = height,
                    Meaning::Body => within = true,
                    Meaning::Argument(_) if within => {}
                    _ => return Some(entry),
                }
            }
            None
        })
    }

    /// Names visible from here, for suggestions.
    pub fn visible(&self) -> Vec<&str> {
        let named = |e: &&Entry<'a>| !matches!(e.meaning, Meaning::Cell(_));
        self.seen_from(self.entries.len()).filter(named).map(|e| &*e.name).collect()
    }
}
