//! What the PROPERTIES say about the numbers of elements of several sets at a time, and sizes that meet it.
//!
//! A condition is a conjunct in which nothing is unknown but sizes: `card(T) = 2 * card(S)`, `f : S >-> T`,
//! `not(card(S) <= 2)`, `[a, b, c] : perm(S)`. It holds in each set-up, so sizes that do not meet it need not
//! be looked at.

mod reading;

use super::properties::Reader;
use crate::machine::{Comparison, Machine, SetId};
use reading::Reading;
use std::collections::{BTreeMap, BTreeSet};

/// How far from its default the size of a set is looked for that no equation gives.
const REACH: u64 = 128;

/// Candidates after which sizes that depend on one another are given up.
const MAX_STEPS: u32 = 50_000;

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
        let mut reading = Reading::new(machine, reader);
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
