//! An operation as the analysis sees it: what its guard says about single places, what it does to them.

use super::facts::Facts;
use super::range::Range;
use super::scalar::{Scalars, Test};
use crate::eval::faults::{Faults, Known};
use crate::machine::{
    self, BinaryOp, Effect, Expr, ExprKind, Key, LocalId, Machine, OpId, Place, Places, Pred,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// One conjunct of a guard; the last one of some operations is that the body is feasible.
#[derive(Clone, Debug)]
pub struct Condition {
    pub reads: BTreeSet<Place>,
    /// What it says, if it says that of one place and nothing else. Where it holds, this holds, and where
    /// this holds and the place has a value, it does.
    pub test: Option<Test>,
    /// Where it was written, if it was.
    pub text: Option<crate::source::Span>,
}

/// What a write does to the scalar at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    Becomes(i128),
    Adds(i128),
    Unknown,
}

#[derive(Clone, Debug)]
pub struct Write {
    pub place: Place,
    pub change: Change,
}

/// A visible operation.
#[derive(Clone, Debug)]
pub struct Operation {
    pub id: OpId,
    pub name: Arc<str>,
    pub parameters: Vec<LocalId>,
    pub guard: Vec<Condition>,
    pub reads: BTreeSet<Place>,
    pub writes: Vec<Write>,
    /// It can end in an error, or depend on an enumeration that is cut off.
    pub fails: bool,
}

impl Operation {
    /// `scope`: what the machine's SCOPE reads, which is a part of every guard.
    pub fn new(
        id: OpId,
        faults: &Faults<'_>,
        scalars: &Scalars<'_>,
        facts: &Facts,
        scope: Option<&BTreeSet<Place>>,
    ) -> Operation {
        let machine = scalars.machine();
        let operation = machine.operation(id);
        let places = Places::of(machine, id);
        let parameters = operation.parameters.clone();
        let known = KnownHere { machine, parameters: &parameters, scalars, facts, places: &places };
        let fails = faults.may_fail(operation, &known);
        let mut guard: Vec<Condition> = Vec::new();
        for condition in &places.guard {
            // What may be undefined is not what it says.
            let defined = |p: &&Pred| !fails || faults.is_always_defined(p);
            let test = condition.pred.as_ref().filter(defined);
            let test = test.and_then(|p| scalars.test(&parameters, p, true));
            let text = condition.pred.as_ref().map(|p| p.span);
            guard.push(Condition { reads: condition.reads.clone(), test, text });
        }
        guard.extend(scope.map(|reads| Condition { reads: reads.clone(), test: None, text: None }));
        let change = |write: &machine::places::Write| match &write.effect {
            _ if !write.certain => Change::Unknown,
            Effect::Becomes(e) => scalars.literal(e).map_or(Change::Unknown, Change::Becomes),
            Effect::Adds(n) => Change::Adds(i128::from(*n)),
            Effect::Member(is) => Change::Becomes(i128::from(*is)),
            Effect::Cleared | Effect::Somewhere(_) | Effect::Unknown => Change::Unknown,
        };
        let writes: Vec<Write> = places
            .writes
            .iter()
            .map(|w| Write { place: w.place.clone(), change: change(w) })
            .collect();
        // One that changes nothing, and cannot fail, is the same whatever its results are.
        let reads = if writes.is_empty() && !fails { BTreeSet::new() } else { places.reads };
        let name = operation.name.clone();
        Operation { id, name, parameters, guard, reads, writes, fails }
    }

    /// What the guard says about a place, all conjuncts together.
    pub fn required(&self, place: &Place) -> Option<Range> {
        let tests = self.guard.iter().filter_map(|c| c.test.as_ref());
        let about = tests.filter(|t| t.place == *place);
        about.map(|t| t.range.clone()).reduce(|a, b| a.meet(&b))
    }
}

/// What is known of applications in one operation.
struct KnownHere<'a> {
    machine: &'a Machine,
    parameters: &'a [LocalId],
    scalars: &'a Scalars<'a>,
    facts: &'a Facts,
    places: &'a Places,
}

impl Known for KnownHere<'_> {
    fn is_defined(&self, e: &Expr) -> bool {
        let ExprKind::Binary(op, f, x) = &e.kind else { return false };
        if let (BinaryOp::Divide | BinaryOp::Modulo, Some(divisor)) = (op, self.scalars.literal(x))
        {
            let dividend = || self.facts.range(self.scalars, f).is_within(&Range::at_least(0));
            return divisor != 0 && (*op == BinaryOp::Divide || divisor > 0 && dividend());
        }
        if *op != BinaryOp::Apply {
            return false;
        }
        let Some(domain) = self.facts.total(self.scalars, f) else { return false };
        domain == Range::all() || self.argument(x).is_some_and(|x| x.is_within(&domain))
    }

    fn is_functional(&self, function: &Expr) -> bool {
        self.facts.is_functional(self.scalars, function)
    }
}

impl KnownHere<'_> {
    /// The values that an argument may have.
    fn argument(&self, x: &Expr) -> Option<Range> {
        if let Some(n) = self.scalars.literal(x) {
            return Some(Range::one(n));
        }
        let Some(Key::Parameter(i)) = Key::of(self.machine, self.parameters, x) else {
            return None;
        };
        let guard = self.places.guard.iter().filter_map(|c| c.pred.as_ref());
        Some(self.scalars.parameter(self.parameters[i], guard))
    }
}
