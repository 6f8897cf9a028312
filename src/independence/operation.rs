//! An operation as the analysis sees it: what its guard says about single places, what it does to them.

use super::facts::Facts;
use super::range::Range;
use super::scalar::{Scalars, Test};
use crate::eval::bodies::faults::{Faults, Known};
use crate::machine::visit::Visitor;
use crate::machine::{
    self, BinaryOp, Comparison, Effect, Expr, ExprKind, Key, LocalId, Machine, OpId, Place, Places,
    Pred, PredKind, Subst, SubstKind, UnaryOp,
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
    /// The values that the place of the test has where it holds.
    pub values: Option<Range>,
    /// As it was written, if it was.
    pub pred: Option<Pred>,
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
        let at_once = is_at_once(&operation.body);
        let known = KnownHere {
            machine,
            parameters: &parameters,
            scalars,
            facts,
            places: &places,
            at_once,
        };
        let fails = faults.may_fail(operation, &known);
        let mut guard: Vec<Condition> = Vec::new();
        for condition in &places.guard {
            // What may be undefined is not what it says.
            let defined = |p: &&Pred| !fails || faults.is_always_defined(p);
            let test = condition.pred.as_ref().filter(defined);
            let test = test.and_then(|p| scalars.test(&parameters, p, true));
            let values = test.as_ref().map(|t| match facts.values(scalars, &t.place) {
                Some(known) => known.meet(&t.range),
                None => t.range.clone(),
            });
            let (reads, pred) = (condition.reads.clone(), condition.pred.clone());
            guard.push(Condition { reads, test, values, pred });
        }
        let of_scope = |reads: &BTreeSet<Place>| Condition {
            reads: reads.clone(),
            test: None,
            values: None,
            pred: None,
        };
        guard.extend(scope.map(of_scope));
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
    /// All of the body is about the state before the operation.
    at_once: bool,
}

/// Whether no part of a body sees what another part has done.
fn is_at_once(s: &Subst) -> bool {
    let mut at_once = true;
    let (expr, see) = (&mut |_: &mut Expr| {}, &mut |s: &mut Subst| {
        use SubstKind::*;
        at_once &= !matches!(s.kind, Sequence(_) | While { .. } | Call { .. } | Var(..));
    });
    Visitor { expr, binder: None, pred: None, subst: Some(see) }.subst(&mut s.clone());
    at_once
}

impl Known for KnownHere<'_> {
    fn is_defined(&self, e: &Expr) -> bool {
        if let ExprKind::Unary(UnaryOp::Min | UnaryOp::Max, set) = &e.kind {
            return self.has_members(set);
        }
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
    /// Whether a variable is a finite set that the guard says is not empty, and is the same throughout.
    fn has_members(&self, set: &Expr) -> bool {
        let ExprKind::Variable(variable) = set.kind else { return false };
        let changes =
            !self.at_once && self.places.writes.iter().any(|w| w.place.variable == variable);
        let is_set = |e: &Expr| e.kind == ExprKind::Variable(variable);
        let mut guard = self.places.guard.iter().filter_map(|c| c.pred.as_ref());
        !changes
            && !self.machine.symbolic.variables.contains(&variable)
            && guard.any(|p| {
                let PredKind::Compare(op, a, b) = &p.kind else { return false };
                let counted = |e: &Expr| match &e.kind {
                    ExprKind::Unary(UnaryOp::Card, set) => is_set(set),
                    _ => false,
                };
                let (low, high) = (self.scalars.literal(a), self.scalars.literal(b));
                match op {
                    Comparison::NotEqual => {
                        is_set(a) && b.kind == ExprKind::Empty
                            || is_set(b) && a.kind == ExprKind::Empty
                            || counted(a) && high == Some(0)
                    }
                    Comparison::Greater => counted(a) && high.is_some_and(|n| n >= 0),
                    Comparison::GreaterEqual => counted(a) && high.is_some_and(|n| n >= 1),
                    Comparison::Less => counted(b) && low.is_some_and(|n| n >= 0),
                    Comparison::LessEqual => counted(b) && low.is_some_and(|n| n >= 1),
                    Comparison::Member => is_set(b),
                    _ => false,
                }
            })
    }

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
