//! Constants that their own equations lead back to: `f = %n.(n : 0..9 | IF n = 0 THEN 1 ELSE n * f(n - 1) END)`.
//!
//! Such a function is told by what it is made of, not solved for. Its description mentions itself in place of the
//! constant: so it can be asked for its values while the constants are solved, too.

use super::outline::{endless, has_comprehension, has_form, is_told_by_members};
use crate::machine::footprint::Footprint;
use crate::machine::visit::Visitor;
use crate::machine::{
    Comparison, ConstId, Expr, ExprKind, LocalId, Machine, Pred, PredKind, SymbolicSet, Type,
    rewrite,
};
use std::collections::{BTreeMap, BTreeSet};

/// A description by its number, and the values of its parameters.
type Described = (u32, Vec<Expr>);

/// The descriptions of constants that are told by themselves.
#[derive(Default)]
pub(super) struct Ties {
    own: BTreeMap<ConstId, Described>,
    all: Vec<Described>,
}

impl Ties {
    /// Takes in a description of such a constant, the one that it is told by first; whether it can be tied: it
    /// mentions nothing but constants.
    pub fn add(&mut self, id: ConstId, described: &Described) -> bool {
        let (_, arguments) = described;
        if !arguments.iter().all(|e| matches!(e.kind, ExprKind::Constant(_))) {
            return false;
        }
        self.own.entry(id).or_insert_with(|| described.clone());
        self.all.push(described.clone());
        true
    }

    /// Puts descriptions in place of the constants that they are of, within each other.
    pub fn tie(&self, sets: &mut [SymbolicSet]) {
        for (number, arguments) in &self.all {
            let set = &mut sets[*number as usize];
            let own: Vec<(&Expr, LocalId)> =
                arguments.iter().zip(set.parameters.iter().copied()).collect();
            let inside = |argument: &Expr| {
                let (_, local) = own.iter().find(|(e, _)| e.kind == argument.kind)?;
                Some(Expr::new(ExprKind::Local(*local), argument.ty.clone(), argument.span))
            };
            let tied = |kind: &ExprKind| {
                let ExprKind::Constant(id) = kind else { return None };
                let (number, arguments) = self.own.get(id)?;
                let arguments: Option<Vec<Expr>> = arguments.iter().map(inside).collect();
                Some(ExprKind::Symbolic(*number, arguments?))
            };
            set.set = rewrite::expr(&set.set, &tied);
        }
    }
}

/// The constants whose equations lead back to them by way of descriptions only: any other equation
/// needs the values. With each the constants that it and those that it leads to mention.
pub(super) fn recursive_constants(machine: &Machine) -> BTreeMap<ConstId, BTreeSet<ConstId>> {
    let mut leads: BTreeMap<ConstId, BTreeSet<ConstId>> = BTreeMap::new();
    for p in machine.properties.iter().flat_map(|c| c.pred.conjuncts()) {
        let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { continue };
        for (constant, e) in [(a, b), (b, a)] {
            if let ExprKind::Constant(id) = constant.kind
                && (is_told_by_members(e) || has_comprehension(e) || has_form(e))
                && !is_solved_for(machine, id, e)
            {
                leads.entry(id).or_default().extend(Footprint::of_expr(e).constants);
            }
        }
    }
    let reached = |id: &ConstId| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![*id]);
        while let Some(at) = next.pop() {
            for to in leads.get(&at).into_iter().flatten() {
                if seen.insert(*to) {
                    next.push(*to);
                }
            }
        }
        seen
    };
    leads.keys().map(|id| (*id, reached(id))).filter(|(id, seen)| seen.contains(id)).collect()
}

/// Whether a constant that its own set mentions is to be found among finitely many sets instead of being read
/// member by member: its type has no others, it is compared as a whole there, or some conjunct bounds it and its
/// members are no pairs. Many sets, or none, may satisfy such an equation.
fn is_solved_for(machine: &Machine, id: ConstId, e: &Expr) -> bool {
    if !Footprint::of_expr(e).constants.contains(&id) {
        return false;
    }
    let itself = |e: &Expr| matches!(e.kind, ExprKind::Constant(c) if c == id);
    let bounds = |p: &Pred| match &p.kind {
        PredKind::Compare(Comparison::Subset | Comparison::StrictSubset, a, set) => {
            itself(a) && !endless(set)
        }
        PredKind::Compare(Comparison::Member, a, set) => itself(a) && !endless(set),
        _ => false,
    };
    let is_pairs = e.ty.element().is_some_and(|ty| matches!(ty, Type::Pair(..)));
    let bounded = machine.properties.iter().flat_map(|c| c.pred.conjuncts()).any(bounds);
    !e.ty.is_infinite() || (bounded && !is_pairs) || is_compared(e, &itself)
}

/// Whether what is looked for is a side of a comparison of sets within an expression.
fn is_compared(e: &Expr, itself: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    let mut copy = e.clone();
    let mut visitor = Visitor {
        expr: &mut |_| {},
        binder: None,
        pred: Some(&mut |p| {
            if let PredKind::Compare(op, a, b) = &p.kind {
                let elements = matches!(op, Comparison::Member | Comparison::NotMember);
                found |= itself(a) || (!elements && itself(b));
            }
        }),
        subst: None,
    };
    visitor.expr(&mut copy);
    found
}
