//! Static symmetry: of the set-ups that differ only in the names of elements, some are left out
//! before the search.
//!
//! Elements of a deferred set can be renamed without changing the truth of the PROPERTIES, so it is
//! enough to look at set-ups whose constants use the elements in order. Rules of the public
//! description of static symmetry reduction of ProB (the index rule is that of MACE-style finders of
//! finite models, Claessen and Sorensson, section 6):
//!
//! 1. A largest set of pairwise distinct constants of a set is equal to its first elements, in the
//!    order of declaration. These constants are names of elements from then on. Where no constant is
//!    an element, the first one that is a set of one member holds the first element.
//! 2. Each remaining constant of the set, in order, takes an element that is used already or the
//!    first one that is not.
//! 3. The elements that no constant can use by rules 1 and 2 go to the parts of the first partition
//!    of the set in ascending order.
//! 4. The first constant that is a total bijection between two different deferred sets, or from an
//!    interval to one, takes the elements in order.
//!
//! Each rule uses symmetry up: it needs elements that no rule before it has told apart. Rules 2 and
//! 3 rename only elements behind those of the rules before; rule 4 renames all elements of one
//! set, which no other rule may have ordered. So each assignment is equal, after one
//! renaming that the rules determine, to exactly one that they keep, and a kept one stands for as
//! many assignments as there are images under these renamings: its *weight*.
//!
//! The rules are added to the PROPERTIES, as equations and memberships that the solver takes first,
//! and not applied to the solutions afterwards.

use super::properties::{Reader, constant, pairwise_disjoint, singletons, summands};
use crate::machine::make::{binary, compare, pair};
use crate::machine::{
    BinaryOp, Comparison, Conjunct, ConstId, Expr, ExprKind, Machine, Pred, PredKind, SetId, Type,
};
use crate::source::Span;
use crate::state::Instance;
use crate::symmetry::Order;
use crate::symmetry::orbit::factorial;
use crate::value::Value;
use std::collections::BTreeSet;
use std::ops::Range;

/// Most elements in all candidates for one part of a partition that are listed for the solver; where
/// there are more it tests the rule instead.
const LISTED: usize = 20_000;

/// What the rules do to the set-ups of one machine.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StaticSymmetry {
    pub orders: Vec<SetOrder>,
    pub bijection: Option<Bijection>,
}

/// Rules 1 to 3 for one set.
#[derive(Clone, PartialEq, Debug)]
pub struct SetOrder {
    pub set: SetId,
    pub size: u32,
    /// Rule 1: equal to the first elements, in this order.
    pub fixed: Vec<ConstId>,
    /// Rule 1, where nothing is fixed: the set of the first element.
    pub single: Option<ConstId>,
    /// Rule 2.
    pub indexed: Vec<ConstId>,
    /// Rule 3.
    pub partition: Option<Partition>,
}

/// A partition whose parts take the free elements in ascending order.
#[derive(Clone, PartialEq, Debug)]
pub struct Partition {
    /// The parts that are constants; the others list constants that are elements.
    pub parts: Vec<ConstId>,
    listed: Vec<Expr>,
    /// The elements that rules 1 and 2 leave alone.
    pub free: Range<u32>,
    span: Span,
}

/// Rule 4.
#[derive(Clone, PartialEq, Debug)]
pub struct Bijection {
    pub constant: ConstId,
    pub from: Domain,
    pub to: SetId,
    /// Of both sides.
    pub size: u32,
}

/// What is put into the order of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    Set(SetId),
    /// The interval that begins here.
    Interval(i64),
}

impl StaticSymmetry {
    /// Finds what the rules can do. Sets in `excluded` keep all their set-ups.
    pub fn find(instance: &Instance, excluded: &BTreeSet<SetId>) -> StaticSymmetry {
        let machine = &instance.machine;
        let mut reader = Reader::new(machine, instance.min_int, instance.max_int);
        reader.know_sizes(&|s| instance.size(s));
        let mut cliques = reader.cliques();
        let one_member = reader.one_member();
        let mut orders = Vec::new();
        let movable = |s: SetId| machine.is_sized(s) && !excluded.contains(&s);
        for set in (0..machine.sets.len() as u32).map(SetId).filter(|s| movable(*s)) {
            let fixed = cliques.remove(&set).unwrap_or_default();
            let size = instance.size(set);
            if fixed.len() as u64 > size as u64 {
                // More distinct constants than elements: there is no set-up at all.
                continue;
            }
            let mut indexed = reader.elements_of(set);
            indexed.retain(|c| !fixed.contains(c));
            let ty = Type::pow(Type::Set(set));
            let single = one_member.iter().copied().find(|c| machine.constant(*c).ty == ty);
            let single = single.filter(|_| fixed.is_empty() && size > 0);
            let used = fixed.len() + indexed.len() + usize::from(single.is_some());
            let first = size.min(used.try_into().unwrap_or(u32::MAX));
            let partition = find_partition(&reader, set, first..size);
            if !fixed.is_empty() || single.is_some() || partition.is_some() {
                orders.push(SetOrder { set, size, fixed, single, indexed, partition });
            }
        }
        let ordered: BTreeSet<SetId> = orders.iter().map(|o| o.set).collect();
        let bijection = find_bijection(&reader, instance, &|from, to| match from {
            Domain::Set(s) => {
                let free = !(ordered.contains(&s) && ordered.contains(&to));
                s != to && movable(s) && movable(to) && free
            }
            Domain::Interval(_) => movable(to) && !ordered.contains(&to),
        });
        StaticSymmetry { orders, bijection }
    }

    /// Elements that are equal to a constant, by rule 1.
    pub fn fixed(&self) -> impl Iterator<Item = (SetId, u32, ConstId)> + '_ {
        self.orders.iter().flat_map(|o| (0..).zip(&o.fixed).map(|(i, c)| (o.set, i, *c)))
    }

    /// The elements of one set that are equal to a constant.
    pub fn fixed_of(&self, set: SetId) -> u32 {
        self.orders.iter().find(|o| o.set == set).map_or(0, |o| o.fixed.len() as u32)
    }

    /// The rules as conjuncts to be added to the PROPERTIES.
    pub fn properties(&self, machine: &Machine) -> Vec<Conjunct> {
        let mut preds = Vec::new();
        for order in &self.orders {
            order.add_equations(machine, &mut preds);
            order.add_indices(machine, &mut preds);
            if let Some(partition) = &order.partition {
                partition.add(machine, order.set, &mut preds);
            }
        }
        if let Some(b) = &self.bijection {
            let e = constant_expr(machine, b.constant);
            let from = |i: u32| match b.from {
                Domain::Set(set) => element(set, i, e.span),
                Domain::Interval(first) => {
                    let number = ExprKind::Integer((first + i64::from(i)).into());
                    Expr::new(number, Type::Integer, e.span)
                }
            };
            let pairs = (0..b.size).map(|i| pair(from(i), element(b.to, i, e.span)));
            let of = match b.from {
                Domain::Set(set) => Type::Set(set),
                Domain::Interval(_) => Type::Integer,
            };
            let ty = Type::pair(of, Type::Set(b.to));
            let graph = extension(pairs.collect(), &ty, e.span);
            preds.push(compare(Comparison::Equal, e, graph));
        }
        preds.into_iter().map(Conjunct::of).collect()
    }

    /// How many assignments the rules identify with a kept set-up.
    pub fn weight(&self, instance: &Instance, constants: &[Value]) -> Order {
        let mut weight = Order::ONE;
        for order in &self.orders {
            weight = weight.times(&order.weight(instance, constants));
        }
        match &self.bijection {
            Some(b) => weight.times(&factorial(b.size as usize)),
            None => weight,
        }
    }

    /// How many assignments rule 1 alone identifies: the index, in the group of all permutations, of
    /// those that leave its elements in place. The same for every set-up.
    pub fn index(&self) -> Order {
        self.orders.iter().fold(Order::ONE, |o, order| {
            o.times(&arrangements(order.size, order.fixed.len() as u32))
        })
    }
}

impl SetOrder {
    fn add_equations(&self, machine: &Machine, preds: &mut Vec<Pred>) {
        for (i, c) in (0..).zip(&self.fixed) {
            let e = constant_expr(machine, *c);
            let value = element(self.set, i, e.span);
            preds.push(compare(Comparison::Equal, e, value));
        }
        if let Some(c) = self.single {
            let e = constant_expr(machine, c);
            let first = element(self.set, 0, e.span);
            let value = extension(vec![first], &Type::Set(self.set), e.span);
            preds.push(compare(Comparison::Equal, e, value));
        }
    }

    /// `c : {S1, .., Sk+1} \/ successor[{earlier constants}]`: what is used is always a beginning of
    /// the set, so these are the elements used and the first unused one.
    fn add_indices(&self, machine: &Machine, preds: &mut Vec<Pred>) {
        let k = self.fixed.len() as u32;
        if k + 1 >= self.size {
            return;
        }
        let ty = Type::Set(self.set);
        for (j, c) in self.indexed.iter().enumerate() {
            let e = constant_expr(machine, *c);
            let span = e.span;
            let mut allowed =
                extension((0..=k).map(|i| element(self.set, i, span)).collect(), &ty, span);
            // The constants before this one have used k + j elements at most.
            let last = (self.size - 1).min(k + j as u32);
            if last > k {
                let steps = (k..last)
                    .map(|i| pair(element(self.set, i, span), element(self.set, i + 1, span)));
                let successor =
                    extension(steps.collect(), &Type::pair(ty.clone(), ty.clone()), span);
                let earlier =
                    self.indexed[..j].iter().map(|c| constant_expr(machine, *c)).collect();
                let next = binary(
                    BinaryOp::Image,
                    successor,
                    extension(earlier, &ty, span),
                    Type::pow(ty.clone()),
                );
                allowed = binary(BinaryOp::Union, allowed, next, Type::pow(ty.clone()));
            }
            preds.push(compare(Comparison::Member, e, allowed));
        }
    }

    /// How many elements rule 1 uses.
    fn first_used(&self) -> u32 {
        self.fixed.len() as u32 + u32::from(self.single.is_some())
    }

    fn weight(&self, instance: &Instance, constants: &[Value]) -> Order {
        let used = self
            .indexed
            .iter()
            .map(|c| constants[c.0 as usize].word() as u32 + 1)
            .fold(self.first_used(), u32::max);
        let weight = arrangements(self.size, used);
        match &self.partition {
            Some(p) => weight.times(&p.weight(instance, constants)),
            None => weight,
        }
    }
}

impl Partition {
    fn add(&self, machine: &Machine, set: SetId, preds: &mut Vec<Pred>) {
        let ty = Type::pow(Type::Set(set));
        let union = |parts: Vec<Expr>| {
            parts.into_iter().reduce(|a, b| binary(BinaryOp::Union, a, b, ty.clone()))
        };
        let parts: Vec<Expr> = self.parts.iter().map(|c| constant_expr(machine, *c)).collect();
        self.add_last(set, &parts, preds);
        let steps = (self.free.start + 1..self.free.end)
            .map(|i| pair(element(set, i, self.span), element(set, i - 1, self.span)));
        let predecessor =
            extension(steps.collect(), &Type::pair(Type::Set(set), Type::Set(set)), self.span);
        for i in 0..parts.len() - 1 {
            // No element of a later part is directly before one of this part.
            let Some(later) = union(parts[i + 1..].to_vec()) else { continue };
            let before = binary(BinaryOp::Image, predecessor.clone(), parts[i].clone(), ty.clone());
            let both = binary(BinaryOp::Intersection, before, later, ty.clone());
            let empty = Expr::new(ExprKind::Empty, ty.clone(), self.span);
            preds.push(compare(Comparison::Equal, both, empty));
            if let Some(candidates) = self.candidates(set, i == 0) {
                preds.push(compare(Comparison::Member, parts[i].clone(), candidates));
            }
        }
    }

    /// The last part is what the others leave.
    fn add_last(&self, set: SetId, parts: &[Expr], preds: &mut Vec<Pred>) {
        let ty = Type::pow(Type::Set(set));
        let Some((last, others)) = parts.split_last() else { return };
        let others = others.iter().chain(&self.listed).cloned();
        let Some(taken) = others.reduce(|a, b| binary(BinaryOp::Union, a, b, ty.clone())) else {
            return;
        };
        let carrier = Expr::new(ExprKind::Carrier(set), ty.clone(), self.span);
        let rest = binary(BinaryOp::Difference, carrier, taken, ty);
        preds.push(compare(Comparison::Equal, last.clone(), rest));
    }

    /// The possible values of a part where there are few: any of the elements that are not free, and
    /// an interval of the free ones, for the first part from the first of them on.
    fn candidates(&self, set: SetId, first: bool) -> Option<Expr> {
        let (from, to) = (self.free.start, self.free.end);
        let free = (to - from) as usize;
        let intervals = if first { free + 1 } else { free * (free + 1) / 2 + 1 };
        let subsets = 1usize.checked_shl(from).filter(|n| *n <= LISTED)?;
        if subsets.checked_mul(intervals)?.checked_mul(to as usize)? > LISTED {
            return None;
        }
        let starts = if first { from..from + 1 } else { from..to };
        let mut spans: Vec<Range<u32>> =
            starts.flat_map(|a| (a + 1..=to).map(move |b| a..b)).collect();
        spans.insert(0, from..from);
        let ty = Type::Set(set);
        let mut values = Vec::new();
        for subset in 0..subsets {
            for span in &spans {
                let chosen = (0..from).filter(|i| subset >> i & 1 == 1).chain(span.clone());
                let items: Vec<Expr> = chosen.map(|i| element(set, i, self.span)).collect();
                values.push(match items.is_empty() {
                    true => Expr::new(ExprKind::Empty, Type::pow(ty.clone()), self.span),
                    false => extension(items, &ty, self.span),
                });
            }
        }
        Some(extension(values, &Type::pow(ty), self.span))
    }

    fn weight(&self, instance: &Instance, constants: &[Value]) -> Order {
        let same = self.parts.iter().fold(Order::ONE, |o, c| {
            let shape = instance.constant_shape(*c);
            let part = shape.members(&constants[c.0 as usize]);
            let free = part.filter(|e| self.free.contains(&(e.word() as u32))).count();
            o.times(&factorial(free))
        });
        Order::from(factorial(self.free.len()).index_of(&same))
    }
}

/// `n! / (n - k)!`
fn arrangements(n: u32, k: u32) -> Order {
    let left = factorial((n - k.min(n)) as usize);
    Order::from(factorial(n as usize).index_of(&left))
}

/// The first partition of a set in which rule 3 can order something.
fn find_partition(reader: &Reader<'_>, set: SetId, free: Range<u32>) -> Option<Partition> {
    if free.len() < 2 {
        return None;
    }
    let whole = |e: &Expr| e.kind == ExprKind::Carrier(set);
    reader.conjuncts().find_map(|p| {
        let parts: Vec<Expr> = match &p.kind {
            PredKind::Partition(e, parts) if whole(e) => parts.clone(),
            PredKind::Compare(Comparison::Equal, a, b) => {
                let sum = if whole(a) { b } else { Some(a).filter(|_| whole(b))? };
                let mut parts = Vec::new();
                summands(sum, &mut parts);
                pairwise_disjoint(reader, &parts).then_some(parts)?
            }
            _ => return None,
        };
        let (constants, listed): (Vec<Expr>, Vec<Expr>) =
            parts.into_iter().partition(|e| constant(e).is_some());
        let constants: Vec<ConstId> = constants.iter().filter_map(constant).collect();
        let different: BTreeSet<ConstId> = constants.iter().copied().collect();
        let understood = listed.iter().all(|e| singletons(e).is_some())
            && different.len() == constants.len()
            && constants.len() >= 2;
        understood.then_some(Partition {
            parts: constants,
            listed,
            free: free.clone(),
            span: p.span,
        })
    })
}

fn find_bijection(
    reader: &Reader<'_>,
    instance: &Instance,
    usable: &dyn Fn(Domain, SetId) -> bool,
) -> Option<Bijection> {
    let declared = reader.conjuncts().filter_map(|p| {
        let PredKind::Compare(Comparison::Member, f, arrows) = &p.kind else { return None };
        let ExprKind::Binary(BinaryOp::TotalBijections, from, to) = &arrows.kind else {
            return None;
        };
        let ExprKind::Carrier(to) = to.kind else { return None };
        let (from, size) = match &from.kind {
            ExprKind::Carrier(set) => (Domain::Set(*set), instance.size(*set)),
            ExprKind::Binary(BinaryOp::Interval, first, _) => {
                let size = u32::try_from(reader.interval_size(from)?).ok()?;
                (Domain::Interval(reader.number(first)?), size)
            }
            _ => return None,
        };
        let fits = size == instance.size(to) && usable(from, to);
        Some(Bijection { constant: constant(f)?, from, to, size }).filter(|_| fits)
    });
    declared.min_by_key(|b| b.constant)
}

fn constant_expr(machine: &Machine, id: ConstId) -> Expr {
    let c = machine.constant(id);
    Expr::new(ExprKind::Constant(id), c.ty.clone(), c.span)
}

fn element(set: SetId, i: u32, span: Span) -> Expr {
    Expr::new(ExprKind::Element(set, i), Type::Set(set), span)
}

fn extension(items: Vec<Expr>, of: &Type, span: Span) -> Expr {
    Expr::new(ExprKind::SetExtension(items), Type::pow(of.clone()), span)
}
