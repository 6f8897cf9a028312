//! How values are written where their type leaves a choice.
//!
//! A sequence is a function, and the empty one is the empty set. Which of `[]` and `{}` is meant is no
//! matter of the value nor of its type, but of what the machine declares: `queue : seq(JOB)`. A
//! [`Notation`] stands beside a type and says where sequences are; it never changes what a value is.

use super::formula::{BinaryOp, Expr, ExprKind, Fold, UnaryOp};
use super::types::{ConstId, LocalId, Type, VarId};
use crate::clock;
use std::sync::Arc;

/// How deep an expression is looked into. Each operator of a chain asks about the chain on its left.
const DEPTH: u32 = 100;

/// Where within values of a type sequences are meant.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Notation {
    /// Nowhere.
    #[default]
    Plain,
    /// A sequence; within its items.
    Sequence(Arc<Notation>),
    /// Within the members of a set.
    Set(Arc<Notation>),
    /// Within the sides of a pair.
    Pair(Arc<(Notation, Notation)>),
    /// Within the fields, in the order of the type.
    Record(Arc<[Notation]>),
}

impl Type {
    /// Whether values of this type are written in more than one way: it has sequences in it.
    pub fn has_sequences(&self) -> bool {
        match self {
            Type::Integer
            | Type::Real
            | Type::Bool
            | Type::String
            | Type::Set(_)
            | Type::Free(_) => false,
            Type::Pow(of) => {
                of.sides().is_some_and(|(index, _)| *index == Type::Integer) || of.has_sequences()
            }
            Type::Pair(sides) => sides.0.has_sequences() || sides.1.has_sequences(),
            Type::Record(fields) => fields.iter().any(|(_, ty)| ty.has_sequences()),
        }
    }
}

impl Notation {
    pub fn sequence(items: Notation) -> Notation {
        Notation::Sequence(Arc::new(items))
    }

    pub fn set(members: Notation) -> Notation {
        match members {
            Notation::Plain => Notation::Plain,
            members => Notation::Set(Arc::new(members)),
        }
    }

    pub fn pair(left: Notation, right: Notation) -> Notation {
        match (left, right) {
            (Notation::Plain, Notation::Plain) => Notation::Plain,
            sides => Notation::Pair(Arc::new(sides)),
        }
    }

    pub fn record(fields: Vec<Notation>) -> Notation {
        if fields.iter().all(|f| *f == Notation::Plain) {
            return Notation::Plain;
        }
        Notation::Record(fields.into())
    }

    /// Of the members of a set.
    pub fn element(&self) -> Notation {
        match self {
            Notation::Sequence(items) => Notation::pair(Notation::Plain, (**items).clone()),
            Notation::Set(members) => (**members).clone(),
            _ => Notation::Plain,
        }
    }

    /// Of both sides of a pair.
    pub fn sides(&self) -> (Notation, Notation) {
        match self {
            Notation::Pair(sides) => (**sides).clone(),
            _ => Default::default(),
        }
    }

    pub fn field(&self, number: usize) -> Notation {
        match self {
            Notation::Record(fields) => fields.get(number).cloned().unwrap_or_default(),
            _ => Notation::Plain,
        }
    }

    /// Of the values of a function, the items of a sequence.
    pub fn values(&self) -> Notation {
        self.element().sides().1
    }

    /// The same where no sequence is meant, but a set with the same members.
    pub fn as_set(&self) -> Notation {
        Notation::set(self.element())
    }

    /// The same where a sequence is meant, whatever is declared.
    pub fn as_sequence(&self) -> Notation {
        Notation::sequence(self.values())
    }

    /// What is a sequence in one of the two, or in both. They stand beside the same type.
    pub fn join(&self, other: &Notation) -> Notation {
        use Notation::{Pair, Plain, Record, Sequence, Set};
        match (self, other) {
            (Plain, known) | (known, Plain) => known.clone(),
            (Sequence(_), _) | (_, Sequence(_)) => {
                Notation::sequence(self.values().join(&other.values()))
            }
            (Set(a), Set(b)) => Notation::set(a.join(b)),
            (Pair(a), Pair(b)) => Notation::pair(a.0.join(&b.0), a.1.join(&b.1)),
            (Record(a), Record(b)) => {
                Notation::record(a.iter().zip(b.iter()).map(|(a, b)| a.join(b)).collect())
            }
            // Not of one type.
            (known, _) => known.clone(),
        }
    }
}

/// What has a notation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Named {
    Constant(ConstId),
    Variable(VarId),
    Local(LocalId),
}

impl Named {
    /// The name that an expression is.
    pub fn of(kind: &ExprKind) -> Option<Named> {
        Some(match kind {
            ExprKind::Constant(id) => Named::Constant(*id),
            ExprKind::Variable(id) => Named::Variable(*id),
            ExprKind::Local(id) => Named::Local(*id),
            _ => return None,
        })
    }
}

/// The notations of all that a machine declares, those that are not plain.
#[derive(Clone, Default, Debug)]
pub struct Notations(std::collections::BTreeMap<Named, Notation>);

impl Notations {
    pub fn of(&self, name: Named) -> &Notation {
        self.0.get(&name).unwrap_or(&Notation::Plain)
    }

    /// Adds what was learned of a name; whether that is anything new.
    pub fn learn(&mut self, name: Named, notation: &Notation) -> bool {
        let joined = self.of(name).join(notation);
        let new = joined != *self.of(name);
        if new {
            self.0.insert(name, joined);
        }
        new
    }

    /// Adds what is known of further names.
    pub fn extend(&mut self, others: &Notations) {
        for (name, notation) in &others.0 {
            self.learn(*name, notation);
        }
    }

    fn pair(&self, ids: &[LocalId]) -> Notation {
        let mut of = ids.iter().map(|id| self.of(Named::Local(*id)).clone());
        let first = of.next().unwrap_or_default();
        of.fold(first, Notation::pair)
    }

    fn joined<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>, deep: u32) -> Notation {
        exprs.into_iter().fold(Notation::Plain, |n, e| n.join(&self.within(e, deep)))
    }

    /// The notation of the value of an expression, as far as it can be read off.
    pub fn of_expr(&self, e: &Expr) -> Notation {
        self.within(e, DEPTH)
    }

    fn within(&self, e: &Expr, deep: u32) -> Notation {
        if deep == 0 || !e.ty.has_sequences() {
            return Notation::Plain;
        }
        clock::work(1);
        let deep = deep - 1;
        match &e.kind {
            ExprKind::Constant(id) => self.of(Named::Constant(*id)).clone(),
            ExprKind::Variable(id) => self.of(Named::Variable(*id)).clone(),
            ExprKind::Local(id) => self.of(Named::Local(*id)).clone(),
            ExprKind::Unary(op, a) => self.unary(*op, a, deep),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, deep),
            ExprKind::SetExtension(items) => Notation::set(self.joined(items, deep)),
            ExprKind::Sequence(items) => Notation::sequence(self.joined(items, deep)),
            ExprKind::Comprehension(ids, _) => Notation::set(self.pair(ids)),
            ExprKind::Fold(Fold::Image, _, _, value) => Notation::set(self.within(value, deep)),
            ExprKind::Fold(Fold::Lambda, ids, _, value) => {
                Notation::set(Notation::pair(self.pair(ids), self.within(value, deep)))
            }
            ExprKind::Fold(Fold::Union | Fold::Inter, _, _, value) => {
                self.within(value, deep).as_set()
            }
            ExprKind::Record(fields) => {
                Notation::record(fields.iter().map(|f| self.within(f, deep)).collect())
            }
            ExprKind::Struct(fields) => {
                let fields = fields.iter().map(|f| self.within(f, deep).element());
                Notation::set(Notation::record(fields.collect()))
            }
            ExprKind::Field(record, number) => self.within(record, deep).field(*number),
            ExprKind::If(_, yes, no) => self.joined([&**yes, &**no], deep),
            ExprKind::Let(_, body) => self.within(body, deep),
            _ => Notation::Plain,
        }
    }

    fn unary(&self, op: UnaryOp, a: &Expr, deep: u32) -> Notation {
        let of = self.within(a, deep);
        match op {
            UnaryOp::Pow | UnaryOp::Pow1 | UnaryOp::Fin | UnaryOp::Fin1 => {
                Notation::set(of.as_set())
            }
            UnaryOp::Seq | UnaryOp::Seq1 | UnaryOp::Iseq | UnaryOp::Iseq1 | UnaryOp::Perm => {
                Notation::set(Notation::sequence(of.element()))
            }
            UnaryOp::Reverse | UnaryOp::Front | UnaryOp::Tail => of.as_sequence(),
            UnaryOp::Conc => Notation::sequence(of.values().values()),
            UnaryOp::SeqFirst | UnaryOp::SeqLast => of.values(),
            UnaryOp::Dom => Notation::set(of.element().sides().0),
            UnaryOp::Ran => Notation::set(of.values()),
            UnaryOp::Inverse => {
                let (left, right) = of.element().sides();
                Notation::set(Notation::pair(right, left))
            }
            UnaryOp::Id => Notation::set(Notation::pair(of.element(), of.element())),
            UnaryOp::Union | UnaryOp::Inter => of.element().as_set(),
            UnaryOp::First => of.sides().0,
            UnaryOp::Second => of.sides().1,
            _ => Notation::Plain,
        }
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr, deep: u32) -> Notation {
        use BinaryOp::*;
        let left = self.within(a, deep);
        match op {
            Pair => Notation::pair(left, self.within(b, deep)),
            Union | Intersection | Override => left.as_set().join(&self.within(b, deep).as_set()),
            Difference | RangeRestrict | RangeSubtract => left.as_set(),
            DomainRestrict | DomainSubtract => self.within(b, deep).as_set(),
            Product => {
                Notation::set(Notation::pair(left.element(), self.within(b, deep).element()))
            }
            _ if op.is_arrow() => {
                let sides = Notation::pair(left.element(), self.within(b, deep).element());
                Notation::set(Notation::set(sides))
            }
            Compose => {
                let right = self.within(b, deep);
                Notation::set(Notation::pair(left.element().sides().0, right.values()))
            }
            Image => Notation::set(left.values()),
            Apply => left.values(),
            Concat => Notation::sequence(left.values().join(&self.within(b, deep).values())),
            Prepend => Notation::sequence(left.join(&self.within(b, deep).values())),
            Append => Notation::sequence(left.values().join(&self.within(b, deep))),
            Take | Drop => left.as_sequence(),
            _ => Notation::Plain,
        }
    }
}
