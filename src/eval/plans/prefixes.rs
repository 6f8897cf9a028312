//! Members of a set of pairs of which one side is known: `x |-> y : r` with `x` bound, or `y`.
//!
//! A list of tuples is sorted by their first parts, then by the next ones. So the members that begin with known
//! values lie together, and are found without looking at the others. Those that end with a known value begin with it in
//! the inverse, in the same order; that is made where it is remembered, within loops. Pairs of elements have numbers: what is
//! known of a pair says between which numbers it is, and the others are passed over without being taken apart.

use super::plan::{Pattern, Planner};
use crate::eval::compile::Compiler;
use crate::eval::unbuilt::members::MembersFn;
use crate::lower::code::{Code, ValueFn};
use crate::lower::env::Flow;
use crate::lower::stop::Stop;
use crate::machine::footprint::Footprint;
use crate::machine::{BinaryOp, Expr, ExprKind, Type, UnaryOp};
use crate::value::{Index, IndexKind, Listed, Member, Shape, Value, relation};
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::sync::Arc;

/// How a tuple begins.
enum Beginning {
    /// Known as a whole, by its number.
    Known,
    Pair(Box<Beginning>, Box<Beginning>),
    /// Nothing is known of it, and nothing after it counts.
    Open,
}

impl Beginning {
    /// Reads a pattern from the left; whether all of it is known.
    fn read<'p>(
        pattern: &'p Pattern,
        shape: &Shape,
        known: &mut Vec<&'p Expr>,
    ) -> (Beginning, bool) {
        match (pattern, shape) {
            (Pattern::Value(e), _) => {
                known.push(e);
                (Beginning::Known, true)
            }
            (Pattern::Pair(left, right, _), Shape::Pair(sides)) => {
                let (left, whole) = Beginning::read(left, &sides.0, known);
                let (right, whole) = match whole {
                    true => Beginning::read(right, &sides.1, known),
                    false => (Beginning::Open, false),
                };
                (Beginning::Pair(Box::new(left), Box::new(right)), whole)
            }
            _ => (Beginning::Open, false),
        }
    }

    /// How what a member begins with compares with these values.
    fn compare<'k>(&self, member: Member, known: &mut impl Iterator<Item = &'k Value>) -> Ordering {
        match (self, member.sides()) {
            (Beginning::Known, _) => known.next().map_or(Ordering::Equal, |k| member.compare(k)),
            (Beginning::Pair(left, right), Some((x, y))) => {
                left.compare(x, known).then_with(|| right.compare(y, known))
            }
            _ => Ordering::Equal,
        }
    }
}

impl Compiler<'_> {
    /// The members of a set that a pattern may match, where the set is at hand as a list of pairs and the pattern says
    /// what they begin with.
    pub(in crate::eval) fn members_beginning(
        &self,
        pattern: &Pattern,
        set: &Expr,
    ) -> Option<MembersFn> {
        let shape = self.shape(&set.ty);
        if matches!(shape, Shape::Set(_))
            && let Some(part) = self.part_of_pairs(pattern, set)
        {
            return Some(self.enumerate_set(&part));
        }
        if !is_at_hand(set) || self.may_be_symbolic(set) || self.is_infinite(set) {
            return None;
        }
        if let Some((digits, values)) = self.digits(pattern, set) {
            return Some(self.members_numbered(digits, &values, set));
        }
        let Shape::Set(element) = shape else { return None };
        let mut known = Vec::new();
        let (beginning, _) = Beginning::read(pattern, &element, &mut known);
        if known.is_empty() {
            return self.members_ending(pattern, set);
        }
        let known: Vec<ValueFn> = known.into_iter().map(|e| self.kept(e)).collect();
        let set = self.value(set);
        Some(Box::new(move |env, f| {
            let set = set(env)?;
            let Some(list) = Listed::of(&set).filter(|list| list.size() > 0) else {
                // Nothing begins with anything: what it would have to begin with need not be defined.
                return Ok(Flow::Continue(()));
            };
            let values = known.iter().map(|e| e(env)).collect::<Result<Vec<_>, _>>()?;
            for member in list.range(|member| beginning.compare(member, &mut values.iter())) {
                env.tick()?;
                if f(env, member.value())?.is_break() {
                    return Ok(Flow::Break(()));
                }
            }
            Ok(Flow::Continue(()))
        }))
    }
}

/// The members that there may be, where they have numbers, of a set that is more than one word: the bits of that are
/// walked as they are.
fn numbered(set: &Shape) -> Option<Arc<Index>> {
    match set {
        Shape::Bits(all) => Some(all.clone()),
        Shape::Set(element) => match &**element {
            Shape::Index(all) => Some(all.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// What is known of pairs that have numbers, the left side being the higher part.
struct Digits {
    /// Those that are known, the highest first.
    known: Vec<Digit>,
    /// How many pairs there are.
    all: u64,
}

/// A part of a number.
struct Digit {
    /// By how much the number grows with it, and how many values it has.
    step: u64,
    size: u64,
}

impl Digits {
    /// Reads a pattern for the members of a universe.
    fn read<'p>(pattern: &'p Pattern, all: &Index, values: &mut Vec<&'p Expr>) -> Option<Digits> {
        fn read<'p>(
            (pattern, index): (&'p Pattern, &Index),
            step: u64,
            known: &mut Vec<Digit>,
            values: &mut Vec<&'p Expr>,
        ) -> Option<()> {
            match (pattern, &index.kind) {
                (Pattern::Value(e), _) => {
                    known.push(Digit { step, size: u64::try_from(index.size).ok()? });
                    values.push(e);
                }
                (Pattern::Pair(left, right, _), IndexKind::Pair(l, r)) => {
                    let above = step.checked_mul(u64::try_from(r.size).ok()?)?;
                    read((left, l), above, known, values)?;
                    read((right, r), step, known, values)?;
                }
                _ => {}
            }
            Some(())
        }
        let mut known = Vec::new();
        read((pattern, all), 1, &mut known, values)?;
        Some(Digits { known, all: u64::try_from(all.size).ok()? })
    }

    /// The numbers with these parts are between two, the second one excluded; of the parts the first so many say that.
    fn between(&self, values: &[u64]) -> (u64, u64, usize) {
        let (mut from, mut unit, mut told) = (0, self.all, 0);
        for (digit, value) in self.known.iter().zip(values) {
            if digit.step * digit.size != unit {
                break;
            }
            (from, unit, told) = (from + value * digit.step, digit.step, told + 1);
        }
        (from, from + unit, told)
    }

    fn are_in(&self, number: u64, values: &[u64], told: usize) -> bool {
        let mut rest = self.known.iter().zip(values).skip(told);
        rest.all(|(digit, value)| number / digit.step % digit.size == *value)
    }

    /// What part of the members of a set is looked at, and is expected to match.
    fn share(&self) -> f64 {
        /// A number that is looked at only is this much cheaper than one that matches.
        const LOOK: f64 = 1.0 / 16.0;
        let values = self.known.iter().map(|digit| digit.size as f64);
        let (from, end, _) = self.between(&vec![0; self.known.len()]);
        let looked_at = (end - from) as f64 / self.all as f64;
        (1.0 / values.product::<f64>()).max(LOOK * looked_at)
    }
}

impl Compiler<'_> {
    /// What a pattern says of the numbers of the members of a set that is at hand, with the values of the parts that it says.
    fn digits<'p>(&self, pattern: &'p Pattern, set: &Expr) -> Option<(Digits, Vec<&'p Expr>)> {
        let all = numbered(&self.shape(&set.ty))?;
        if !is_at_hand(set) || self.may_be_symbolic(set) || !matches!(pattern, Pattern::Pair(..)) {
            return None;
        }
        let mut values = Vec::new();
        let digits = Digits::read(pattern, &all, &mut values)?;
        (!values.is_empty()).then_some((digits, values))
    }

    /// The members of a set of pairs with numbers that have these parts.
    fn members_numbered(&self, digits: Digits, values: &[&Expr], set: &Expr) -> MembersFn {
        let values: Vec<ValueFn> = values.iter().map(|e| self.kept(e)).collect();
        let (set, shape) = (self.value(set), self.shape(&set.ty));
        Box::new(move |env, f| {
            let set = set(env)?;
            if shape.is_empty(&set) {
                // What a member would have to have as a part need not be defined.
                return Ok(Flow::Continue(()));
            }
            let known = values.iter().map(|e| Ok(e(env)?.word()));
            let known = known.collect::<Result<SmallVec<[u64; 4]>, Stop>>()?;
            let (from, end, told) = digits.between(&known);
            for number in shape.numbers_between(&set, from, end) {
                env.tick()?;
                if digits.are_in(number, &known, told) && f(env, Value::Word(number))?.is_break() {
                    return Ok(Flow::Break(()));
                }
            }
            Ok(Flow::Continue(()))
        })
    }

    /// The members of a list of pairs that a pattern may match, where it says what they end with, by the remembered inverse.
    fn members_ending(&self, pattern: &Pattern, set: &Expr) -> Option<MembersFn> {
        // That of a constant is made but once.
        let is_constant = || Footprint::of_expr(set).variables.is_empty();
        if !(self.is_repeated() || self.is_within_a_loop() && is_constant()) {
            return None;
        }
        let y = end_of(pattern)?;
        let (from, to) = set.ty.relation_sides()?;
        let ty = Type::relation(to.clone(), from.clone());
        let back =
            Expr::new(ExprKind::Unary(UnaryOp::Inverse, Arc::new(set.clone())), ty, set.span);
        let (rel, pairs) = (self.shape(&back.ty), self.shape(&set.ty).element());
        let image = Shape::set_of(pairs.sides().0);
        let points = Shape::set_of(pairs.sides().1);
        let (set, y) = (self.value(set), self.kept(y));
        let Code::Value(back) = self.remembered(&back)? else { return None };
        let back = back.into_fn();
        Some(Box::new(move |env, f| {
            if Listed::of(&set(env)?).is_some_and(|list| list.size() == 0) {
                return Ok(Flow::Continue(()));
            }
            let y = y(env)?;
            let found = relation::image(&rel, &image, &back(env)?, &points.collect([y.clone()]));
            for x in image.members(&found) {
                env.tick()?;
                if f(env, pairs.pair(x, y.clone()))?.is_break() {
                    return Ok(Flow::Break(()));
                }
            }
            Ok(Flow::Continue(()))
        }))
    }
}

impl Planner<'_, '_, '_> {
    /// The expected number of members of a set that a pattern may match.
    pub(super) fn estimate_beginning(&self, pattern: &Pattern, set: &Expr) -> f64 {
        let cost = self.compiler.estimate(set);
        let begins = |element: &Shape| {
            let mut known = Vec::new();
            Beginning::read(pattern, element, &mut known);
            let is_constant = || {
                let reads = Footprint::of_expr(set);
                reads.variables.is_empty() && reads.locals.is_empty()
            };
            let is_repeated = || self.gives_several() || self.compiler.is_within_a_loop();
            !known.is_empty() || end_of(pattern).is_some() && is_repeated() && is_constant()
        };
        if let Some((digits, _)) = self.compiler.digits(pattern, set) {
            return (cost * digits.share()).max(1.0).min(cost);
        }
        match self.compiler.shape(&set.ty) {
            Shape::Set(element)
                if is_at_hand(set) && !self.compiler.may_be_symbolic(set) && begins(&element) =>
            {
                cost.sqrt().min(cost)
            }
            _ => cost,
        }
    }
}

/// What the members of a list of pairs end with, if a pattern says so.
fn end_of(pattern: &Pattern) -> Option<&Expr> {
    let Pattern::Pair(_, right, _) = pattern else { return None };
    match &**right {
        Pattern::Value(y) => Some(y),
        _ => None,
    }
}

/// Whether a set is not made first.
fn is_at_hand(set: &Expr) -> bool {
    match &set.kind {
        ExprKind::Local(_) | ExprKind::Constant(_) | ExprKind::Variable(_) => true,
        ExprKind::Field(of, _) => is_at_hand(of),
        ExprKind::Binary(BinaryOp::Apply, f, _) => is_at_hand(f),
        _ => false,
    }
}
