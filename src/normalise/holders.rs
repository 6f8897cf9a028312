//! What may hold an infinite set that is kept as a value: found by following assignments, calls, equations and bound
//! names until nothing is added. All else is spared the question.

use crate::machine::footprint::Footprint;
use crate::machine::visit::Visitor;
use crate::machine::{
    Asked, BinaryOp, Cell, Comparison, Conjunct, ConstId, Expr, ExprKind, Fold, LocalId, Machine,
    OpId, Pred, PredKind, Question, SubstKind, Symbolic, Type,
};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Adds what may hold symbolic sets because of what does so already; whether anything was added.
pub(super) fn follow(machine: &mut Machine) -> bool {
    let mut known = std::mem::take(&mut machine.symbolic);
    let mut copy = machine.clone();
    let found = RefCell::new(BTreeSet::new());
    let results: Vec<Vec<LocalId>> = machine.operations.iter().map(|o| o.results.clone()).collect();
    let parameters: Vec<Vec<LocalId>> =
        machine.operations.iter().map(|o| o.parameters.clone()).collect();
    let bound = |ids: &[LocalId], p: &Pred| {
        found.borrow_mut().extend(related(&known, ids, p).map(Cell::Local));
    };
    // What is applied to an infinite set gives it to its own names, and so does a set that one is looked for in: of all
    // descriptions those of the same type may be meant.
    let given = RefCell::new(Vec::new());
    let described = RefCell::new(Vec::new());
    let equations = |bindings: &[(LocalId, Expr)]| {
        let held = bindings.iter().filter(|(_, e)| known.may_be(e));
        found.borrow_mut().extend(held.map(|(id, _)| Cell::Local(*id)));
    };
    let mut visitor = Visitor {
        expr: &mut |e| match &e.kind {
            ExprKind::Comprehension(ids, p) | ExprKind::Fold(_, ids, p, _) => {
                bound(ids, p);
                described.borrow_mut().extend(members(e).map(|ty| (ty, ids.clone())));
            }
            ExprKind::Let(bindings, _) => equations(bindings),
            ExprKind::Binary(BinaryOp::Apply, f, x) if known.may_be(x) => {
                if let ExprKind::Fold(Fold::Lambda, ids, ..) = &f.kind {
                    found.borrow_mut().extend(ids.iter().map(|id| Cell::Local(*id)));
                } else {
                    given.borrow_mut().push(x.ty.clone());
                }
            }
            ExprKind::Binary(BinaryOp::Image, _, set) if known.may_be(set) => {
                given.borrow_mut().extend(set.ty.element().cloned());
            }
            ExprKind::Symbolic(number, arguments) => {
                let set = &known.sets[*number as usize];
                let held = set.parameters.iter().zip(arguments).filter(|(_, a)| known.may_be(a));
                found.borrow_mut().extend(held.map(|(id, _)| Cell::Local(*id)));
            }
            _ => {}
        },
        binder: None,
        pred: Some(&mut |p| match &p.kind {
            PredKind::Forall(ids, p, _) | PredKind::Exists(ids, p) => bound(ids, p),
            PredKind::Let(bindings, _) => equations(bindings),
            PredKind::Compare(Comparison::Member | Comparison::NotMember, x, _)
                if known.may_be(x) =>
            {
                given.borrow_mut().push(x.ty.clone());
            }
            _ => {}
        }),
        subst: Some(&mut |s| match &s.kind {
            SubstKind::Assign(pairs) => {
                let held = pairs.iter().filter(|(_, e)| known.may_be(e));
                found.borrow_mut().extend(held.map(|(t, _)| t.cell));
            }
            SubstKind::BecomesElement(targets, set) if known.may_be(set) => {
                found.borrow_mut().extend(targets.iter().map(|t| t.cell));
            }
            SubstKind::BecomesSuchThat(cells, p) => {
                let ids: Vec<LocalId> = cells.iter().map(|(_, id)| *id).collect();
                for related in related(&known, &ids, p) {
                    let cells = cells.iter().filter(|(_, id)| *id == related);
                    found.borrow_mut().extend(cells.map(|(cell, _)| *cell));
                    found.borrow_mut().insert(Cell::Local(related));
                }
            }
            SubstKind::Any(ids, p, _) => bound(ids, p),
            SubstKind::Let(bindings, _) => equations(bindings),
            SubstKind::While { initial, .. } => {
                let held = initial.iter().filter(|(cell, _)| holds(&known, *cell));
                found.borrow_mut().extend(held.map(|(_, id)| Cell::Local(*id)));
            }
            SubstKind::Call { operation: OpId(op), arguments, results: targets } => {
                let op = *op as usize;
                let held = parameters[op].iter().zip(arguments).filter(|(_, a)| known.may_be(a));
                found.borrow_mut().extend(held.map(|(id, _)| Cell::Local(*id)));
                let held = results[op].iter().zip(targets);
                let held = held.filter(|(id, _)| known.locals.contains(id));
                found.borrow_mut().extend(held.map(|(_, t)| t.cell));
            }
            _ => {}
        }),
    };
    visitor.machine(&mut copy);
    for set in &known.sets {
        visitor.expr(&mut set.set.clone());
    }
    // The parameters of operations are bound by their guards, which are part of the bodies.
    for operation in machine.operations.iter().filter(|o| !o.parameters.is_empty()) {
        let mut each = |p: &mut Pred| {
            found.borrow_mut().extend(related(&known, &operation.parameters, p).map(Cell::Local));
        };
        let mut nothing = |_: &mut Expr| ();
        let mut visitor = Visitor { pred: Some(&mut each), ..Visitor::of(&mut nothing) };
        visitor.subst(&mut operation.body.clone());
    }
    let given = given.into_inner();
    for (ty, ids) in described.into_inner() {
        if given.contains(&ty) {
            found.borrow_mut().extend(ids.into_iter().map(Cell::Local));
        }
    }
    let mut changed = false;
    for p in machine.properties.iter().flat_map(|c| c.pred.conjuncts()) {
        for id in constants_that_hold(&known, p) {
            if machine.constant(id).ty.holds_infinite_sets() {
                changed |= known.constants.insert(id);
            }
        }
    }
    for cell in found.into_inner() {
        let ty = match cell {
            Cell::Variable(id) => &machine.variable(id).ty,
            Cell::Local(id) => &machine.local(id).ty,
        };
        if ty.holds_infinite_sets() {
            changed |= known.add(cell);
        }
    }
    machine.symbolic = known;
    changed
}

/// The locals of a machine's descriptions that a question gives infinite sets to, beyond those that hold some anyway.
pub(super) fn of_question(machine: &Machine, question: &Question) -> Vec<LocalId> {
    if machine.symbolic.sets.is_empty() {
        return Vec::new();
    }
    let mut all = machine.clone();
    all.locals.extend(question.locals.iter().cloned());
    all.symbolic.sets.extend(question.symbolic.iter().cloned());
    let asked = match &question.asked {
        Asked::Predicate(p, _) => p.clone(),
        Asked::Expression(e, _) => {
            let kind = PredKind::Compare(Comparison::Equal, e.clone(), e.clone());
            Pred::new(kind, e.span)
        }
    };
    all.properties.push(Conjunct::of(asked));
    while follow(&mut all) {}
    let own = all.symbolic.locals.difference(&machine.symbolic.locals);
    own.copied().filter(|id| id.0 < machine.symbolic.known).collect()
}

/// The types of what may be asked of a description: whether it is a member, and, of pairs, what one side goes with.
fn members(described: &Expr) -> impl Iterator<Item = Type> + use<> {
    let member = described.ty.element().cloned();
    let argument = match &member {
        Some(Type::Pair(sides)) => Some(sides.0.clone()),
        _ => None,
    };
    member.into_iter().chain(argument)
}

fn holds(known: &Symbolic, cell: Cell) -> bool {
    match cell {
        Cell::Variable(id) => known.variables.contains(&id),
        Cell::Local(id) => known.locals.contains(&id),
    }
}

/// The constants that may come to hold a symbolic set by a conjunct: those that it relates with what may be one.
/// What a function or a comprehension mentions is not found from its value.
fn constants_that_hold(known: &Symbolic, p: &Pred) -> BTreeSet<ConstId> {
    let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else {
        return if mentions(known, p) { Footprint::of_pred(p).constants } else { BTreeSet::new() };
    };
    let is_made = |e: &Expr| {
        matches!(e.kind, ExprKind::Symbolic(..) | ExprKind::Fold(..) | ExprKind::Comprehension(..))
    };
    let mut found = BTreeSet::new();
    for (x, e) in [(a, b), (b, a)] {
        if !is_made(x) && (mentions_in(known, e) || mentions_in(known, x)) {
            found.extend(Footprint::of_expr(x).constants);
        }
    }
    found
}

/// Whether some part of a predicate may be a symbolic set.
fn mentions(known: &Symbolic, p: &Pred) -> bool {
    let mut found = false;
    Visitor::of(&mut |e| found |= known.may_be(e)).pred(&mut p.clone());
    found
}

fn mentions_in(known: &Symbolic, e: &Expr) -> bool {
    let mut found = false;
    Visitor::of(&mut |e| found |= known.may_be(e)).expr(&mut e.clone());
    found
}

/// Those of some names that a conjunct relates with what may be a symbolic set.
fn related(known: &Symbolic, ids: &[LocalId], p: &Pred) -> impl Iterator<Item = LocalId> {
    let mut all = BTreeSet::new();
    for conjunct in p.conjuncts().iter().filter(|conjunct| mentions(known, conjunct)) {
        all.extend(Footprint::of_pred(conjunct).locals);
    }
    all.retain(|id| ids.contains(id));
    all.into_iter()
}
