//! What the PROPERTIES say about single elements: numbers, and constants that are different.
//!
//! Only what is written as a conjunct at the top is read, so that everything found here holds in
//! each set-up.

use crate::clock;
use crate::machine::{
    BinaryOp, Comparison, ConstId, Expr, ExprKind, Machine, Pred, PredKind, SetId, Type, UnaryOp,
};
use num_traits::ToPrimitive;
use std::collections::{BTreeMap, BTreeSet};

/// Steps after which the search for a largest set of distinct constants takes the best it has.
const CLIQUE_STEPS: usize = 100_000;

/// Reads numbers and distinctness out of the PROPERTIES.
pub struct Reader<'m> {
    machine: &'m Machine,
    min_int: i64,
    max_int: i64,
    /// Sizes of sets, once they are known.
    sizes: BTreeMap<SetId, u32>,
    /// Constants that are equal to a number.
    numbers: BTreeMap<ConstId, i64>,
    /// Pairs of constants that are different, the smaller first.
    distinct: BTreeSet<(ConstId, ConstId)>,
}

impl<'m> Reader<'m> {
    pub fn new(machine: &'m Machine, min_int: i64, max_int: i64) -> Reader<'m> {
        let (numbers, distinct) = (BTreeMap::new(), BTreeSet::new());
        let sizes = BTreeMap::new();
        let mut reader = Reader { machine, min_int, max_int, sizes, numbers, distinct };
        reader.read_numbers();
        reader.read_distinct();
        reader
    }

    /// The conjuncts of the PROPERTIES.
    pub fn conjuncts(&self) -> impl Iterator<Item = &'m Pred> + use<'m> {
        let conjuncts = self.machine.properties.iter().flat_map(|c| c.pred.conjuncts());
        conjuncts.inspect(|_| clock::work(1))
    }

    fn read_numbers(&mut self) {
        // Equations may build on each other in any order.
        for _ in 0..4 {
            for p in self.conjuncts() {
                match &p.kind {
                    PredKind::Compare(Comparison::Equal, a, b) => {
                        for (x, e) in [(a, b), (b, a)] {
                            if let (Some(id), Some(n)) = (constant(x), self.number(e)) {
                                self.numbers.insert(id, n);
                            }
                        }
                    }
                    // An interval of one number.
                    PredKind::Compare(Comparison::Member, x, set) => {
                        if let (Some(id), Some(1)) = (constant(x), self.interval_size(set))
                            && let ExprKind::Binary(_, low, _) = &set.kind
                            && let Some(n) = self.number(low)
                        {
                            self.numbers.insert(id, n);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// The value of an integer expression that the PROPERTIES fix.
    pub fn number(&self, e: &Expr) -> Option<i64> {
        match &e.kind {
            ExprKind::Integer(n) => n.to_i64(),
            ExprKind::MaxInt => Some(self.max_int),
            ExprKind::MinInt => Some(self.min_int),
            ExprKind::Constant(id) => self.numbers.get(id).copied(),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                match op {
                    BinaryOp::Add => a.checked_add(b),
                    BinaryOp::Subtract => a.checked_sub(b),
                    BinaryOp::Multiply => a.checked_mul(b),
                    _ => None,
                }
            }
            ExprKind::Unary(UnaryOp::Card, _) => {
                Some(i64::from(*self.sizes.get(&carrier_card(e)?)?))
            }
            _ => None,
        }
    }

    /// The constants that are sets of one member, in the order in which they are declared.
    pub fn one_member(&self) -> BTreeSet<ConstId> {
        let said = self.conjuncts().filter_map(|p| {
            let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { return None };
            [(a, b), (b, a)].into_iter().find_map(|(card, one)| {
                let ExprKind::Unary(UnaryOp::Card, of) = &card.kind else { return None };
                constant(of).filter(|_| self.number(one) == Some(1))
            })
        });
        said.collect()
    }

    /// Number of members of `a..b`.
    pub fn interval_size(&self, e: &Expr) -> Option<i64> {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Interval, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                Some(b.checked_sub(a)?.checked_add(1)?.max(0))
            }
            _ => None,
        }
    }

    fn read_distinct(&mut self) {
        for p in self.conjuncts() {
            match &p.kind {
                PredKind::Compare(Comparison::NotEqual, a, b) => self.add_distinct(a, b),
                PredKind::Compare(Comparison::NotMember, a, set) => {
                    items(set).iter().for_each(|b| self.add_distinct(a, b));
                }
                PredKind::Compare(Comparison::Equal, a, b) => {
                    for (x, e) in [(a, b), (b, a)] {
                        self.read_equation(x, e);
                    }
                }
                PredKind::Not(p) => match &p.kind {
                    PredKind::Compare(Comparison::Equal, a, b) => self.add_distinct(a, b),
                    PredKind::Compare(Comparison::Member, a, set) => {
                        items(set).iter().for_each(|b| self.add_distinct(a, b));
                    }
                    _ => {}
                },
                PredKind::Partition(_, parts) => {
                    for (i, part) in parts.iter().enumerate() {
                        parts[..i].iter().for_each(|other| self.add_disjoint(part, other));
                    }
                }
                _ => {}
            }
        }
    }

    fn read_equation(&mut self, x: &Expr, e: &Expr) {
        match &x.kind {
            // card({a, b, c}) = 3
            ExprKind::Unary(UnaryOp::Card, set)
                if self.number(e) == Some(items(set).len() as i64) =>
            {
                self.add_all_distinct(items(set));
            }
            // {a, b} /\ {c} = {}
            ExprKind::Binary(BinaryOp::Intersection, a, b) if e.kind == ExprKind::Empty => {
                self.add_disjoint(a, b);
            }
            _ => {}
        }
    }

    /// Reads once more, now that the sizes of sets are known: `S = {a, b, c}` for a set of three elements
    /// says that they are distinct.
    pub fn know_sizes(&mut self, size: &dyn Fn(SetId) -> u32) {
        let sets = (0..self.machine.sets.len() as u32).map(SetId);
        self.sizes = sets.map(|set| (set, size(set))).collect();
        self.read_numbers();
        for p in self.conjuncts() {
            let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { continue };
            for (set, listed) in [(a, b), (b, a)] {
                if let ExprKind::Carrier(s) = set.kind
                    && items(listed).len() as u64 == size(s) as u64
                {
                    self.add_all_distinct(items(listed));
                }
            }
        }
    }

    fn add_distinct(&mut self, a: &Expr, b: &Expr) {
        if let (Some(a), Some(b)) = (constant(a), constant(b))
            && a != b
        {
            self.distinct.insert((a.min(b), a.max(b)));
        }
    }

    fn add_all_distinct(&mut self, items: &[Expr]) {
        for (i, a) in items.iter().enumerate() {
            items[..i].iter().for_each(|b| self.add_distinct(a, b));
        }
    }

    fn add_disjoint(&mut self, a: &Expr, b: &Expr) {
        for x in items(a) {
            items(b).iter().for_each(|y| self.add_distinct(x, y));
        }
    }

    fn are_distinct(&self, a: ConstId, b: ConstId) -> bool {
        self.distinct.contains(&(a.min(b), a.max(b)))
    }

    pub fn pairwise_distinct(&self, ids: &[ConstId]) -> bool {
        let mut pairs =
            ids.iter().enumerate().flat_map(|(i, a)| ids[..i].iter().map(move |b| (*a, *b)));
        pairs.all(|(a, b)| self.are_distinct(a, b))
    }

    /// The constants that are elements of a set, in the order of their declaration.
    pub fn elements_of(&self, set: SetId) -> Vec<ConstId> {
        let constants = self.machine.constants.iter().enumerate();
        constants.filter(|(_, c)| c.ty == Type::Set(set)).map(|(i, _)| ConstId(i as u32)).collect()
    }

    /// For each set that has constants as elements, a largest set of pairwise distinct ones in the
    /// order of their declaration; of several the one that comes first.
    pub fn cliques(&self) -> BTreeMap<SetId, Vec<ConstId>> {
        let sets: BTreeSet<SetId> = self
            .machine
            .constants
            .iter()
            .filter_map(|c| if let Type::Set(s) = c.ty { Some(s) } else { None })
            .collect();
        sets.into_iter().map(|s| (s, self.largest_clique(&self.elements_of(s)))).collect()
    }

    fn largest_clique(&self, of: &[ConstId]) -> Vec<ConstId> {
        let (mut best, mut steps) = (Vec::new(), CLIQUE_STEPS);
        self.extend_clique(&mut Vec::new(), of, &mut best, &mut steps);
        best
    }

    /// Tries the candidates in order, so that the first clique found is the greedy one.
    fn extend_clique(
        &self,
        clique: &mut Vec<ConstId>,
        candidates: &[ConstId],
        best: &mut Vec<ConstId>,
        steps: &mut usize,
    ) {
        if clique.len() > best.len() {
            best.clone_from(clique);
        }
        for (i, next) in candidates.iter().enumerate() {
            if clique.len() + candidates.len() - i <= best.len() || *steps == 0 {
                return;
            }
            *steps -= 1;
            clock::work(candidates.len() - i);
            let rest: Vec<ConstId> = candidates[i + 1..]
                .iter()
                .copied()
                .filter(|c| self.are_distinct(*next, *c))
                .collect();
            clique.push(*next);
            self.extend_clique(clique, &rest, best, steps);
            clique.pop();
        }
    }
}

/// The members of `{a, b, c}`; none for any other expression.
fn items(e: &Expr) -> &[Expr] {
    match &e.kind {
        ExprKind::SetExtension(items) => items,
        _ => &[],
    }
}

/// The constants of `{a, b, c}`.
pub fn singletons(e: &Expr) -> Option<Vec<ConstId>> {
    match &e.kind {
        ExprKind::SetExtension(items) => items.iter().map(constant).collect(),
        _ => None,
    }
}

pub fn constant(e: &Expr) -> Option<ConstId> {
    match e.kind {
        ExprKind::Constant(id) => Some(id),
        _ => None,
    }
}

/// The set, of `card(S)` for a carrier set.
pub fn carrier_card(e: &Expr) -> Option<SetId> {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Card, s) => match s.kind {
            ExprKind::Carrier(id) => Some(id),
            _ => None,
        },
        _ => None,
    }
}

/// The parts of `A \/ B \/ C`, from left to right.
pub fn summands(e: &Expr, out: &mut Vec<Expr>) {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Union, a, b) => {
            summands(a, out);
            summands(b, out);
        }
        _ => out.push(e.clone()),
    }
}

/// Whether the PROPERTIES say of each two of these sets that they share no element.
pub fn pairwise_disjoint(reader: &Reader<'_>, parts: &[Expr]) -> bool {
    let said: Vec<(&Expr, &Expr)> = reader
        .conjuncts()
        .filter_map(|p| match &p.kind {
            PredKind::Compare(Comparison::Equal, a, b) => {
                let (sides, empty) = if b.kind == ExprKind::Empty { (a, b) } else { (b, a) };
                match (&sides.kind, &empty.kind) {
                    (ExprKind::Binary(BinaryOp::Intersection, x, y), ExprKind::Empty) => {
                        Some((&**x, &**y))
                    }
                    _ => None,
                }
            }
            _ => None,
        })
        .collect();
    let disjoint = |a: &Expr, b: &Expr| {
        let same = |x: &Expr, y: &Expr| same_part(x, y);
        said.iter().any(|(x, y)| (same(x, a) && same(y, b)) || (same(x, b) && same(y, a)))
            || both_listed(reader, a, b)
    };
    parts.iter().enumerate().all(|(i, a)| parts[..i].iter().all(|b| disjoint(a, b)))
}

/// Equal but for their place in the text.
fn same_part(a: &Expr, b: &Expr) -> bool {
    match (constant(a), constant(b)) {
        (Some(a), Some(b)) => a == b,
        _ => singletons(a).is_some_and(|a| singletons(b) == Some(a)),
    }
}

fn both_listed(reader: &Reader<'_>, a: &Expr, b: &Expr) -> bool {
    match (singletons(a), singletons(b)) {
        (Some(a), Some(b)) => {
            a.iter().all(|x| b.iter().all(|y| reader.pairwise_distinct(&[*x, *y])))
        }
        _ => false,
    }
}
