//! What the PROPERTIES say about the sizes of sets by way of their parts: unions of sets that share no
//! element, inclusions, functions that need room.

use super::properties::{Reader, constant, pairwise_disjoint, singletons, summands};
use crate::machine::{
    BinaryOp, Comparison, ConstId, Expr, ExprKind, Pred, PredKind, SetId, Type, UnaryOp,
};
use std::collections::BTreeMap;

/// Larger bounds, which no set meets, are not told apart: sums of bounds are numbers.
const LARGEST_BOUND: u64 = 1 << 40;

/// A set whose size is spoken of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    Carrier(SetId),
    Constant(ConstId),
}

/// A summand of a size.
enum Part {
    Named(Named),
    /// That many elements at least; exactly, if the flag says so.
    Listed(u64, bool),
}

/// Sizes of sets, as far as they follow from the conjuncts at the top.
#[derive(Default)]
pub struct Cardinalities {
    exact: BTreeMap<Named, u64>,
    least: BTreeMap<Named, u64>,
    most: BTreeMap<Named, u64>,
    /// The first is no larger than the second.
    below: Vec<(Named, Named)>,
    sums: Vec<(Named, Vec<Part>)>,
    /// Constants that are parts of a set.
    parts: BTreeMap<Named, Vec<Expr>>,
    /// Parts of a set that share no element: it has as many as they have together, at least.
    apart: Vec<(Named, Vec<Named>)>,
}

impl Cardinalities {
    pub fn of(reader: &Reader<'_>) -> Cardinalities {
        let mut found = Cardinalities::default();
        for p in reader.conjuncts() {
            found.read(reader, p);
        }
        found.find_apart(reader);
        // Each round hands sizes on by one step at least, or ends.
        for _ in 0..=found.below.len() + found.sums.len() + found.apart.len() {
            if !found.follow() {
                break;
            }
        }
        found
    }

    /// The exact sizes of carrier sets.
    pub fn exact(&self) -> impl Iterator<Item = (SetId, u64)> + '_ {
        carriers(&self.exact)
    }

    /// Sizes that carrier sets have at least.
    pub fn least(&self) -> impl Iterator<Item = (SetId, u64)> + '_ {
        carriers(&self.least)
    }

    /// Sizes that carrier sets have at most.
    pub fn most(&self) -> impl Iterator<Item = (SetId, u64)> + '_ {
        carriers(&self.most)
    }

    fn read(&mut self, reader: &Reader<'_>, p: &Pred) {
        use Comparison::*;
        match &p.kind {
            PredKind::Partition(whole, parts) => self.sum(reader, whole, parts),
            PredKind::Compare(op, a, b) => match op {
                Equal => {
                    for (a, b) in [(a, b), (b, a)] {
                        if let (Some(set), Some(n)) = (card_of(a), reader.number(b)) {
                            self.exactly(set, n);
                        }
                        if named(a).is_some() {
                            self.union(reader, a, b);
                        }
                    }
                }
                NotEqual => {
                    for (a, b) in [(a, b), (b, a)] {
                        if b.kind == ExprKind::Empty {
                            self.at_least(named(a), 1);
                        }
                    }
                }
                GreaterEqual | Greater => self.compared(reader, b, a, *op == Greater),
                LessEqual | Less => self.compared(reader, a, b, *op == Less),
                Subset | StrictSubset => self.within(a, b),
                Member => self.member(reader, a, b),
                _ => {}
            },
            _ => {}
        }
    }

    /// `low <= high` or `low < high`, where one of them is the size of a set.
    fn compared(&mut self, reader: &Reader<'_>, low: &Expr, high: &Expr, strict: bool) {
        match (card_of(low), card_of(high)) {
            (Some(a), Some(b)) => self.below.push((a, b)),
            (None, Some(set)) => {
                if let Some(n) = reader.number(low) {
                    self.at_least(Some(set), n.saturating_add(strict.into()));
                }
            }
            (Some(set), None) => {
                if let Some(n) = reader.number(high) {
                    self.at_most(set, n.saturating_sub(strict.into()));
                }
            }
            _ => {}
        }
    }

    fn member(&mut self, reader: &Reader<'_>, x: &Expr, set: &Expr) {
        use BinaryOp::*;
        match &set.kind {
            ExprKind::Unary(
                op @ (UnaryOp::Pow | UnaryOp::Pow1 | UnaryOp::Fin | UnaryOp::Fin1),
                of,
            ) => {
                self.within(x, of);
                if matches!(op, UnaryOp::Pow1 | UnaryOp::Fin1) {
                    self.at_least(named(x), 1);
                }
            }
            // An element of a set.
            _ if named(set).is_some() => self.at_least(named(set), 1),
            ExprKind::Binary(BinaryOp::Interval, low, high) => {
                self.compared(reader, low, x, false);
                self.compared(reader, x, high, false);
            }
            ExprKind::Binary(op, from, to) => {
                let (injective, total, surjective) = match op {
                    TotalInjections => (true, true, false),
                    TotalBijections => (true, true, true),
                    PartialBijections | TotalSurjections | PartialSurjections => {
                        (false, false, true)
                    }
                    _ => return,
                };
                if injective && total {
                    self.room(reader, from, to);
                }
                if surjective {
                    self.room(reader, to, from);
                }
            }
            _ => {}
        }
    }

    /// The second set has at least as many elements as the first.
    fn room(&mut self, reader: &Reader<'_>, small: &Expr, large: &Expr) {
        match (named(small), reader.interval_size(small), named(large)) {
            (Some(a), _, Some(b)) => self.below.push((a, b)),
            (None, Some(n), Some(b)) => self.at_least(Some(b), n),
            _ => {}
        }
    }

    fn within(&mut self, a: &Expr, b: &Expr) {
        if let (Some(part), Some(whole)) = (named(a), named(b)) {
            self.below.push((part, whole));
            let parts = self.parts.entry(whole).or_default();
            if constant(a).is_some() && parts.iter().all(|known| named(known) != Some(part)) {
                parts.push(a.clone());
            }
        }
    }

    /// Of the parts of each set the first ones that share no element.
    fn find_apart(&mut self, reader: &Reader<'_>) {
        for (whole, parts) in std::mem::take(&mut self.parts) {
            let mut apart: Vec<Expr> = Vec::new();
            for part in parts {
                let is_apart =
                    |known: &Expr| pairwise_disjoint(reader, &[known.clone(), part.clone()]);
                if apart.iter().all(is_apart) {
                    apart.push(part);
                }
            }
            if apart.len() > 1 {
                self.apart.push((whole, apart.iter().filter_map(named).collect()));
            }
        }
    }

    fn exactly(&mut self, set: Named, n: i64) {
        self.exact.entry(set).or_insert(n.max(0) as u64);
        self.at_least(Some(set), n);
    }

    fn at_least(&mut self, set: Option<Named>, n: i64) {
        let Some(set) = set else { return };
        let n = (n.max(0) as u64).min(LARGEST_BOUND);
        let least = self.least.entry(set).or_insert(0);
        *least = (*least).max(n);
    }

    fn at_most(&mut self, set: Named, n: i64) {
        // A carrier set has an element: where the PROPERTIES deny it they have no solution.
        let n = n.max(1) as u64;
        let most = self.most.entry(set).or_insert(n);
        *most = n.min(*most);
    }

    /// `whole = A \/ B \/ C`.
    fn union(&mut self, reader: &Reader<'_>, whole: &Expr, union: &Expr) {
        let mut parts = Vec::new();
        summands(union, &mut parts);
        if pairwise_disjoint(reader, &parts) {
            self.sum(reader, whole, &parts);
        }
    }

    fn sum(&mut self, reader: &Reader<'_>, whole: &Expr, parts: &[Expr]) {
        let Some(whole) = named(whole) else { return };
        let part = |e: &Expr| {
            if let Some(set) = named(e) {
                return Some(Part::Named(set));
            }
            let ids = singletons(e)?;
            Some(match reader.pairwise_distinct(&ids) {
                true => Part::Listed(ids.len() as u64, true),
                false => Part::Listed(1, false),
            })
        };
        if let Some(parts) = parts.iter().map(part).collect() {
            self.sums.push((whole, parts));
        }
    }

    /// Whether anything followed from what is known.
    fn follow(&mut self) -> bool {
        let before = (self.exact.len(), self.least.values().sum::<u64>());
        for (a, b) in std::mem::take(&mut self.below) {
            let n = self.least.get(&a).copied().unwrap_or(0);
            self.at_least(Some(b), n as i64);
            self.below.push((a, b));
        }
        for (whole, parts) in std::mem::take(&mut self.sums) {
            let (mut exact, mut least) = (Some(0), 0u64);
            for part in &parts {
                let (own_exact, own_least) = match part {
                    Part::Named(set) => {
                        let own = self.exact.get(set).copied();
                        (own, self.least.get(set).copied().unwrap_or(0))
                    }
                    Part::Listed(n, all) => (all.then_some(*n), *n),
                };
                exact = exact.zip(own_exact).map(|(a, b): (u64, u64)| a.saturating_add(b));
                least = least.saturating_add(own_least);
            }
            if let Some(n) = exact {
                self.exact.entry(whole).or_insert(n);
            }
            self.at_least(Some(whole), i64::try_from(least).unwrap_or(i64::MAX));
            self.sums.push((whole, parts));
        }
        for (whole, parts) in std::mem::take(&mut self.apart) {
            let least = parts.iter().map(|part| self.least.get(part).copied().unwrap_or(0));
            let least = least.fold(0, u64::saturating_add);
            self.at_least(Some(whole), i64::try_from(least).unwrap_or(i64::MAX));
            self.apart.push((whole, parts));
        }
        before != (self.exact.len(), self.least.values().sum())
    }
}

fn carriers(sizes: &BTreeMap<Named, u64>) -> impl Iterator<Item = (SetId, u64)> + '_ {
    sizes.iter().filter_map(|(set, n)| match set {
        Named::Carrier(id) => Some((*id, *n)),
        Named::Constant(_) => None,
    })
}

/// A carrier set, or a constant that is a set of elements of one.
fn named(e: &Expr) -> Option<Named> {
    match &e.kind {
        ExprKind::Carrier(id) => Some(Named::Carrier(*id)),
        _ if matches!(e.ty.element(), Some(Type::Set(_))) => constant(e).map(Named::Constant),
        _ => None,
    }
}

fn card_of(e: &Expr) -> Option<Named> {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Card, set) => named(set),
        _ => None,
    }
}
