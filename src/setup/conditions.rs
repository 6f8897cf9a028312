//! What the PROPERTIES say about the numbers of elements of several sets at a time, and sizes that meet it.
//!
//! A condition is a conjunct in which nothing is unknown but sizes: `card(T) = 2 * card(S)`, `f : S >-> T`,
//! `not(card(S) <= 2)`, `[a, b, c] : perm(S)`. It holds in each set-up, so sizes that do not meet it need not
//! be looked at.

use super::properties::{Reader, constant, singletons};
use crate::machine::{
    BasicSet, BinaryOp, Comparison, ConstId, Expr, ExprKind, Machine, Pred, PredKind, SetId,
    SetKind, UnaryOp,
};
use std::collections::{BTreeMap, BTreeSet};

/// How far from its default the size of a set is looked for that no equation gives.
const REACH: u64 = 128;

/// Candidates after which sizes that depend on one another are given up.
const MAX_STEPS: u32 = 50_000;

/// How many constants that are defined by one another are followed.
const MAX_DEPTH: u32 = 8;

/// From here on numbers are not told apart.
const VAST: i128 = 1 << 100;

/// A number that depends on the sizes of sets.
#[derive(Clone)]
enum Number {
    Known(i128),
    Size(SetId),
    Made(Operator, Box<Number>, Box<Number>),
}

#[derive(Clone, Copy)]
enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
    Greater,
    Less,
}

enum Condition {
    Compare(Comparison, Number, Number),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

/// Which sizes a set may have by itself.
#[derive(Clone, Copy)]
pub struct Range {
    pub least: u64,
    pub most: Option<u64>,
    /// What is tried first, then what is larger, then what is smaller.
    pub first: u64,
}

/// Sizes of sets.
pub type Assigned = BTreeMap<SetId, u64>;

/// The conditions of a machine.
#[derive(Default)]
pub struct Conditions {
    all: Vec<Condition>,
}

impl Conditions {
    pub fn of(machine: &Machine, reader: &Reader<'_>) -> Conditions {
        let mut reading = Reading { machine, reader, depth: 0, defined: BTreeMap::new() };
        reading.read_definitions();
        let all = reader.conjuncts().filter_map(|p| reading.implied(p));
        // What speaks of no size is not decided here.
        Conditions { all: all.filter(|c| !c.sets().is_empty()).collect() }
    }

    /// Sizes of the sets in `ranges` that meet all conditions beside the sizes in `fixed`; `None` where none
    /// were found. Says of each whether it is the only one, given those before it in the order of the sets.
    pub fn meet(&self, ranges: &BTreeMap<SetId, Range>, fixed: &Assigned) -> Option<Vec<Met>> {
        let mut met = Vec::new();
        for part in self.parts(ranges) {
            let mut order = part.in_order();
            let mut fixed = fixed.clone();
            let mut found = fixed.clone();
            if !Search::of(&part, ranges).extend(&order, &mut found) {
                return None;
            }
            while !order.is_empty() {
                let set = order.remove(0);
                let size = found[&set];
                let mut others = Search::of(&part, ranges);
                let is_open = others.has_other(set, size, &order, &fixed);
                met.push(Met { set, size, is_open });
                fixed.insert(set, size);
            }
        }
        Some(met)
    }

    /// The sets with the conditions that they share.
    fn parts(&self, ranges: &BTreeMap<SetId, Range>) -> Vec<Part<'_>> {
        let mut parts: Vec<Part<'_>> = ranges
            .keys()
            .map(|set| Part { sets: BTreeSet::from([*set]), of: Vec::new() })
            .collect();
        for condition in &self.all {
            let sets = condition.sets();
            let touched = |part: &mut Part<'_>| !part.sets.is_disjoint(&sets);
            let mut joined = Part { sets: BTreeSet::new(), of: vec![condition] };
            for part in parts.extract_if(.., touched) {
                joined.sets.extend(part.sets);
                joined.of.extend(part.of);
            }
            if !joined.sets.is_empty() {
                parts.push(joined);
            }
        }
        parts
    }
}

/// The size of a set.
pub struct Met {
    pub set: SetId,
    pub size: u64,
    /// Whether others meet the conditions, too, or may do.
    pub is_open: bool,
}

/// Sets whose sizes depend on one another.
struct Part<'c> {
    sets: BTreeSet<SetId>,
    of: Vec<&'c Condition>,
}

impl Part<'_> {
    /// The sets, those that an equation gives after those that it gives them from.
    fn in_order(&self) -> Vec<SetId> {
        let mut left: Vec<SetId> = self.sets.iter().copied().collect();
        let mut order = Vec::new();
        while !left.is_empty() {
            let waits = |set: SetId| {
                let from = self.of.iter().filter_map(|c| c.defining(set));
                from.flatten().any(|of| of != set && left.contains(&of))
            };
            let next = left.iter().position(|set| !waits(*set)).unwrap_or(0);
            order.push(left.remove(next));
        }
        order
    }

    /// Whether no condition is refuted by these sizes.
    fn is_possible(&self, fixed: &Assigned) -> bool {
        self.of.iter().all(|c| c.holds(fixed) != Some(false))
    }
}

/// A search for sizes of the sets of a part.
struct Search<'p, 'c> {
    part: &'p Part<'c>,
    ranges: &'p BTreeMap<SetId, Range>,
    steps: u32,
    /// Sizes were left out that nothing refutes.
    is_cut: bool,
}

impl<'p, 'c> Search<'p, 'c> {
    fn of(part: &'p Part<'c>, ranges: &'p BTreeMap<SetId, Range>) -> Search<'p, 'c> {
        Search { part, ranges, steps: MAX_STEPS, is_cut: false }
    }

    /// Whether the set may have another size than this one, where those in `rest` have none yet.
    fn has_other(&mut self, set: SetId, size: u64, rest: &[SetId], fixed: &Assigned) -> bool {
        let mut fixed = fixed.clone();
        let found = self.candidates(set, &fixed).into_iter().filter(|n| *n != size).any(|other| {
            fixed.insert(set, other);
            self.part.is_possible(&fixed) && self.extend(rest, &mut fixed)
        });
        found || self.is_cut
    }

    /// Adds sizes of the sets in `order`, so that nothing is refuted; `false`, and none, where none were found.
    fn extend(&mut self, order: &[SetId], fixed: &mut Assigned) -> bool {
        let Some((set, rest)) = order.split_first() else { return true };
        for size in self.candidates(*set, fixed) {
            let Some(left) = self.steps.checked_sub(1) else {
                self.is_cut = true;
                break;
            };
            self.steps = left;
            fixed.insert(*set, size);
            if self.part.is_possible(fixed) && self.extend(rest, fixed) {
                return true;
            }
        }
        fixed.remove(set);
        false
    }

    /// The sizes of a set that are tried beside these of others, in order.
    fn candidates(&mut self, set: SetId, fixed: &Assigned) -> Vec<u64> {
        let range = self.ranges[&set];
        if let Some(n) = self.part.of.iter().find_map(|c| c.gives(set, fixed)) {
            return u64::try_from(n).ok().filter(|n| range.contains(*n)).into_iter().collect();
        }
        let (least, most) = (range.least, range.most.unwrap_or(u64::MAX));
        let first = range.first.clamp(least, most);
        let (top, bottom) = (most.min(first + REACH), least.max(first.saturating_sub(REACH)));
        let refuted = top == most || self.part.of.iter().any(|c| c.refutes(set, top, fixed));
        self.is_cut |= !refuted || bottom > least;
        (first..=top).chain((bottom..first).rev()).collect()
    }
}

impl Range {
    fn contains(&self, n: u64) -> bool {
        self.least <= n && self.most.is_none_or(|most| n <= most)
    }
}

impl Number {
    /// `None` where it is not known. [`VAST`] stands for all that is larger.
    fn value(&self, sizes: &Assigned) -> Option<i128> {
        match self {
            Number::Known(n) => Some(*n),
            Number::Size(set) => sizes.get(set).map(|n| i128::from(*n)),
            Number::Made(op, a, b) => {
                let (a, b) = (a.value(sizes)?, b.value(sizes)?);
                let made = match op {
                    Operator::Add if a.max(b) >= VAST => VAST,
                    Operator::Add => a.saturating_add(b),
                    Operator::Multiply => a.saturating_mul(b),
                    Operator::Power => a.saturating_pow(u32::try_from(b).ok()?),
                    Operator::Greater => a.max(b),
                    Operator::Less => a.min(b),
                    _ if a.max(b) >= VAST => return None,
                    Operator::Subtract => a.checked_sub(b)?,
                    // Division and remainder of naturals: others are left to the PROPERTIES.
                    Operator::Divide if a >= 0 && b > 0 => a / b,
                    Operator::Modulo if a >= 0 && b > 0 => a % b,
                    Operator::Divide | Operator::Modulo => return None,
                };
                (made > -VAST).then_some(made.min(VAST))
            }
        }
    }

    /// Whether it grows with each of its sizes, or stays.
    fn is_rising(&self) -> bool {
        match self {
            Number::Known(n) => *n >= 0,
            Number::Size(_) => true,
            Number::Made(op, a, b) => match op {
                Operator::Add | Operator::Greater | Operator::Less => {
                    [a, b].iter().all(|n| n.is_rising() || matches!(***n, Number::Known(_)))
                }
                Operator::Multiply => a.is_rising() && b.is_rising(),
                // Of a base that is not zero.
                Operator::Power => {
                    let base = match &**a {
                        Number::Known(n) => *n > 0,
                        _ => matches!(**a, Number::Size(_)),
                    };
                    base && b.is_rising()
                }
                Operator::Subtract | Operator::Divide | Operator::Modulo => false,
            },
        }
    }

    fn add_sets(&self, out: &mut BTreeSet<SetId>) {
        match self {
            Number::Known(_) => {}
            Number::Size(set) => drop(out.insert(*set)),
            Number::Made(_, a, b) => {
                a.add_sets(out);
                b.add_sets(out);
            }
        }
    }

    fn sets(&self) -> BTreeSet<SetId> {
        let mut sets = BTreeSet::new();
        self.add_sets(&mut sets);
        sets
    }

    fn made(op: Operator, a: Number, b: Number) -> Number {
        Number::Made(op, Box::new(a), Box::new(b))
    }
}

impl Condition {
    fn sets(&self) -> BTreeSet<SetId> {
        match self {
            Condition::Compare(_, a, b) => {
                let mut sets = a.sets();
                b.add_sets(&mut sets);
                sets
            }
            Condition::All(of) | Condition::Any(of) => {
                of.iter().flat_map(Condition::sets).collect()
            }
        }
    }

    /// What holds where it does not.
    fn negated(self) -> Option<Condition> {
        use Comparison::*;
        let all = |of: Vec<Condition>| of.into_iter().map(Condition::negated).collect();
        Some(match self {
            Condition::All(of) => {
                let of: Option<Vec<_>> = all(of);
                Condition::Any(of?)
            }
            Condition::Any(of) => {
                let of: Option<Vec<_>> = all(of);
                Condition::All(of?)
            }
            Condition::Compare(op, a, b) => {
                let op = match op {
                    Equal => NotEqual,
                    NotEqual => Equal,
                    Less => GreaterEqual,
                    LessEqual => Greater,
                    Greater => LessEqual,
                    GreaterEqual => Less,
                    _ => return None,
                };
                Condition::Compare(op, a, b)
            }
        })
    }

    /// The sides of an equation that gives the size of a set from others.
    fn equation(&self, set: SetId) -> Option<&Number> {
        let Condition::Compare(Comparison::Equal, a, b) = self else { return None };
        let sides = [(a, b), (b, a)].into_iter().find_map(|(own, other)| match own {
            Number::Size(of) if *of == set => Some(other),
            _ => None,
        });
        sides.filter(|other| !other.sets().contains(&set))
    }

    /// The sets from which it gives the size of another. Of two that are equally large neither gives the other.
    fn defining(&self, set: SetId) -> Option<BTreeSet<SetId>> {
        let other = self.equation(set)?;
        (!matches!(other, Number::Size(_))).then(|| other.sets())
    }

    /// The size that it gives a set.
    fn gives(&self, set: SetId, sizes: &Assigned) -> Option<i128> {
        self.equation(set)?.value(sizes)
    }

    /// Whether it fails where the set has more elements than `top`, whatever the sizes are that are not known.
    fn refutes(&self, set: SetId, top: u64, fixed: &Assigned) -> bool {
        use Comparison::*;
        let (op, a, b) = match self {
            Condition::Compare(op, a, b) => (op, a, b),
            Condition::All(of) => return of.iter().any(|c| c.refutes(set, top, fixed)),
            Condition::Any(of) => return of.iter().all(|c| c.refutes(set, top, fixed)),
        };
        let sides: &[(&Number, &Number)] = match op {
            Equal => &[(a, b), (b, a)],
            Less | LessEqual => &[(a, b)],
            Greater | GreaterEqual => &[(b, a)],
            _ => &[],
        };
        sides.iter().any(|(low, high)| {
            let sets = low.sets();
            let Some(high) = high.value(fixed) else { return false };
            // Unknown sizes are 1 at least.
            let size = |of: SetId| match of == set {
                true => top.saturating_add(1),
                false => fixed.get(&of).copied().unwrap_or(1),
            };
            let least: Assigned = sets.iter().map(|of| (*of, size(*of))).collect();
            sets.contains(&set) && low.is_rising() && low.value(&least).is_some_and(|n| n > high)
        })
    }

    /// Whether it holds, where that is known.
    fn holds(&self, sizes: &Assigned) -> Option<bool> {
        match self {
            Condition::Compare(op, a, b) => {
                let (a, b) = (a.value(sizes)?, b.value(sizes)?);
                if a == VAST && b == VAST {
                    return None;
                }
                match op {
                    Comparison::Equal => Some(a == b),
                    Comparison::NotEqual => Some(a != b),
                    Comparison::Less => Some(a < b),
                    Comparison::LessEqual => Some(a <= b),
                    Comparison::Greater => Some(a > b),
                    Comparison::GreaterEqual => Some(a >= b),
                    _ => None,
                }
            }
            Condition::All(of) => of.iter().try_fold(true, |all, c| Some(all & c.holds(sizes)?)),
            Condition::Any(of) => of.iter().try_fold(false, |any, c| Some(any | c.holds(sizes)?)),
        }
    }
}

/// Reads conditions out of predicates.
struct Reading<'r, 'm> {
    machine: &'m Machine,
    reader: &'r Reader<'m>,
    depth: u32,
    /// Constants that are equal to an expression.
    defined: BTreeMap<ConstId, &'m Expr>,
}

impl<'m> Reading<'_, 'm> {
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
    fn implied(&mut self, p: &Pred) -> Option<Condition> {
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
                distinct.then(|| Number::Known(items.len() as i128))
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
