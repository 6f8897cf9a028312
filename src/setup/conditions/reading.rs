//! Conditions on the sizes of sets, read out of conjuncts.

use super::{Condition, Number, Operator};
use crate::machine::{
    BasicSet, BinaryOp, Comparison, ConstId, Expr, ExprKind, Machine, Pred, PredKind, SetKind,
    UnaryOp,
};
use crate::setup::properties::{Reader, constant, singletons};
use std::collections::BTreeMap;

/// How many constants that are defined by one another are followed.
const MAX_DEPTH: u32 = 8;

/// Reads conditions out of predicates.
pub(super) struct Reading<'r, 'm> {
    machine: &'m Machine,
    reader: &'r Reader<'m>,
    depth: u32,
    /// Constants that are equal to an expression.
    defined: BTreeMap<ConstId, &'m Expr>,
}

impl<'r, 'm> Reading<'r, 'm> {
    pub fn new(machine: &'m Machine, reader: &'r Reader<'m>) -> Reading<'r, 'm> {
        let mut reading = Reading { machine, reader, depth: 0, defined: BTreeMap::new() };
        reading.read_definitions();
        reading
    }

    fn read_definitions(&mut self) {
        for p in self.reader.conjuncts() {
            if let PredKind::Compare(Comparison::Equal, a, b) = &p.kind {
                for (name, e) in [(a, b), (b, a)] {
                    if let Some(id) = constant(name) {
                        self.defined.entry(id).or_insert(e);
                    }
                }
            }
        }
    }

    /// What a predicate says of sizes, which may be less than all.
    pub fn implied(&mut self, p: &Pred) -> Option<Condition> {
        if let PredKind::Compare(Comparison::Member, x, set) = &p.kind
            && let Some(room) = self.room(x, set)
        {
            return Some(room);
        }
        self.condition(p)
    }

    /// All that a predicate says, in terms of sizes.
    fn condition(&mut self, p: &Pred) -> Option<Condition> {
        match &p.kind {
            PredKind::And(of) => self.conditions(of).map(Condition::All),
            PredKind::Or(of) => self.conditions(of).map(Condition::Any),
            PredKind::Not(of) => self.condition(of)?.negated(),
            PredKind::Implies(a, b) => {
                Some(Condition::Any(vec![self.condition(a)?.negated()?, self.condition(b)?]))
            }
            PredKind::Compare(Comparison::Member, x, set) => self.among(x, set),
            PredKind::Compare(Comparison::NotMember, x, set) => self.among(x, set)?.negated(),
            PredKind::Compare(op, a, b) => {
                let (a, b) = sides(self.number(a)?, self.number(b)?);
                Some(Condition::Compare(*op, a, b))
            }
            _ => None,
        }
    }

    fn conditions(&mut self, of: &[Pred]) -> Option<Vec<Condition>> {
        of.iter().map(|p| self.condition(p)).collect()
    }

    /// The room that a function or a sequence needs.
    fn room(&mut self, x: &Expr, set: &Expr) -> Option<Condition> {
        use BinaryOp::*;
        let compare = |op, a, b| Some(Condition::Compare(op, a, b));
        match &set.kind {
            ExprKind::Binary(
                op @ (TotalBijections | TotalInjections | TotalSurjections | PartialSurjections
                | PartialBijections),
                from,
                to,
            ) => {
                let (from, to) = (self.size(from)?, self.size(to)?);
                match op {
                    TotalBijections => compare(Comparison::Equal, from, to),
                    TotalInjections => compare(Comparison::LessEqual, from, to),
                    _ => compare(Comparison::GreaterEqual, from, to),
                }
            }
            ExprKind::Unary(op @ (UnaryOp::Perm | UnaryOp::Iseq | UnaryOp::Iseq1), of) => {
                let ExprKind::Sequence(items) = &x.kind else { return None };
                let (length, of) = (Number::Known(items.len() as i128), self.size(of)?);
                match op {
                    UnaryOp::Perm => compare(Comparison::Equal, of, length),
                    _ => compare(Comparison::GreaterEqual, of, length),
                }
            }
            _ => None,
        }
    }

    /// A number in an interval, or in a list.
    fn among(&mut self, x: &Expr, set: &Expr) -> Option<Condition> {
        match &set.kind {
            ExprKind::Binary(BinaryOp::Interval, low, high) => {
                let x = self.number(x)?;
                let low = Condition::Compare(Comparison::LessEqual, self.number(low)?, x.clone());
                let high = Condition::Compare(Comparison::LessEqual, x, self.number(high)?);
                Some(Condition::All(vec![low, high]))
            }
            ExprKind::SetExtension(items) => {
                let x = self.number(x)?;
                let one = |item| {
                    Some(Condition::Compare(Comparison::Equal, x.clone(), self.number(item)?))
                };
                Some(Condition::Any(items.iter().map(one).collect::<Option<_>>()?))
            }
            _ => None,
        }
    }

    fn number(&mut self, e: &Expr) -> Option<Number> {
        if let Some(n) = self.reader.number(e) {
            return Some(Number::Known(n.into()));
        }
        match &e.kind {
            ExprKind::Constant(id) => {
                let defined = *self.defined.get(id)?;
                self.deeper(|this| this.number(defined))
            }
            ExprKind::Unary(UnaryOp::Card, of) => self.size(of),
            ExprKind::Unary(UnaryOp::Size, of) => self.length(of),
            ExprKind::Unary(op @ (UnaryOp::Max | UnaryOp::Min), of) => {
                let ExprKind::SetExtension(items) = &of.kind else { return None };
                let op = match op {
                    UnaryOp::Max => Operator::Greater,
                    _ => Operator::Less,
                };
                let items: Option<Vec<Number>> = items.iter().map(|e| self.number(e)).collect();
                items?.into_iter().reduce(|a, b| Number::made(op, a, b))
            }
            ExprKind::Binary(op, a, b) => {
                let op = match op {
                    BinaryOp::Add => Operator::Add,
                    BinaryOp::Subtract => Operator::Subtract,
                    BinaryOp::Multiply => Operator::Multiply,
                    BinaryOp::Divide => Operator::Divide,
                    BinaryOp::Modulo => Operator::Modulo,
                    BinaryOp::Power => Operator::Power,
                    _ => return None,
                };
                Some(Number::made(op, self.number(a)?, self.number(b)?))
            }
            _ => None,
        }
    }

    /// How many members a set has, whatever it is otherwise.
    fn size(&mut self, e: &Expr) -> Option<Number> {
        let power = |a, b| Number::made(Operator::Power, a, b);
        let times = |a, b| Number::made(Operator::Multiply, a, b);
        let known = |n: usize| Some(Number::Known(n as i128));
        let two = || Number::Known(2);
        match &e.kind {
            ExprKind::Carrier(id) => match &self.machine.set(*id).kind {
                SetKind::Enumerated(names) => known(names.len()),
                _ => Some(Number::Size(*id)),
            },
            ExprKind::Empty => known(0),
            ExprKind::Basic(BasicSet::Bool) => known(2),
            ExprKind::Constant(id) => match self.length(e) {
                None => {
                    let defined = *self.defined.get(id)?;
                    self.deeper(|this| this.size(defined))
                }
                length => length,
            },
            ExprKind::SetExtension(items) => {
                let mut all = items.iter().map(|item| match &item.kind {
                    ExprKind::Integer(_) | ExprKind::Element(..) => Some(&item.kind),
                    _ => None,
                });
                let listed: Option<Vec<_>> = all.by_ref().collect();
                let distinct = match listed {
                    Some(kinds) => {
                        kinds.iter().enumerate().all(|(i, kind)| !kinds[..i].contains(kind))
                    }
                    None => self.reader.pairwise_distinct(&singletons(e)?),
                };
                distinct.then_some(Number::Known(items.len() as i128))
            }
            ExprKind::Unary(op, of) => match op {
                UnaryOp::Pow | UnaryOp::Fin => Some(power(two(), self.size(of)?)),
                UnaryOp::Pow1 | UnaryOp::Fin1 => {
                    let all = power(two(), self.size(of)?);
                    Some(Number::made(Operator::Add, all, Number::Known(-1)))
                }
                _ => None,
            },
            ExprKind::Binary(BinaryOp::Interval, low, high) => {
                let (low, high) = (self.number(low)?, self.number(high)?);
                let length = match low {
                    Number::Known(low) => Number::made(Operator::Add, high, Number::Known(1 - low)),
                    low => {
                        let end = Number::made(Operator::Add, high, Number::Known(1));
                        Number::made(Operator::Subtract, end, low)
                    }
                };
                Some(Number::made(Operator::Greater, length, Number::Known(0)))
            }
            ExprKind::Binary(op, a, b) => {
                let of = match op {
                    BinaryOp::Product => times,
                    BinaryOp::TotalFunctions => |a, b| Number::made(Operator::Power, b, a),
                    BinaryOp::PartialFunctions => |a, b| {
                        let b = Number::made(Operator::Add, b, Number::Known(1));
                        Number::made(Operator::Power, b, a)
                    },
                    BinaryOp::Relations => |a, b| {
                        let pairs = Number::made(Operator::Multiply, a, b);
                        Number::made(Operator::Power, Number::Known(2), pairs)
                    },
                    _ => return None,
                };
                Some(of(self.size(a)?, self.size(b)?))
            }
            _ => None,
        }
    }

    /// The length of a sequence that lists a set: `s` with `s : perm(S)`.
    fn length(&mut self, e: &Expr) -> Option<Number> {
        let id = constant(e)?;
        let listed = self.reader.conjuncts().find_map(|p| match &p.kind {
            PredKind::Compare(Comparison::Member, x, set) if constant(x) == Some(id) => {
                match &set.kind {
                    ExprKind::Unary(UnaryOp::Perm, of) => Some(&**of),
                    _ => None,
                }
            }
            _ => None,
        })?;
        self.deeper(|this| this.size(listed))
    }

    /// Follows a definition, as long as these are few.
    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Option<Number>) -> Option<Number> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }
}

/// Two numbers that are compared, what is taken off one added to the other.
fn sides(a: Number, b: Number) -> (Number, Number) {
    match (a, b) {
        (Number::Made(Operator::Subtract, a, off), b) => {
            sides(*a, Number::made(Operator::Add, b, *off))
        }
        (a, Number::Made(Operator::Subtract, b, off)) => {
            sides(Number::made(Operator::Add, a, *off), *b)
        }
        sides => sides,
    }
}
