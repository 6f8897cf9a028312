//! Loops that work on values.
//!
//! A variable whose values are interned is a number in the state, and a table keeps each value it ever had.
//! A loop that lets a set grow step by step would leave one set for each of its turns there, which no state
//! has. So within a loop such a variable is a local, which holds its value itself: it is read before the
//! loop and written behind it.
//!
//! Left as they are: variables that the loop sets at a point (`f(i) := E` changes one number of an array), and
//! those of operations that it calls.

use super::sequence::called_operations;
use crate::machine::footprint::Footprint;
use crate::machine::visit::Visitor;
use crate::machine::{
    Cell, Expr, ExprKind, Local, LocalId, Machine, Operation, Subst, SubstKind, Target, VarId,
};
use crate::source::Span;
use crate::state::{Coding, Instance, Layout};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The machine with locals in its loops, in the operations: an initialisation may write variables in a loop
/// that have no value before.
pub(in crate::eval) fn with_loop_locals(instance: Arc<Instance>, layout: &Layout) -> Arc<Instance> {
    let interned = |id: VarId| layout.field(id).coding == Coding::Interned;
    let mut machine = (*instance.machine).clone();
    let first = machine.locals.len();
    let mut operations = Arc::unwrap_or_clone(std::mem::take(&mut machine.operations));
    let touched: Vec<BTreeSet<VarId>> =
        operations.iter().map(|o| touched(&o.whole(), &operations)).collect();
    for operation in &mut operations {
        outermost(&mut operation.body, &mut |loop_| {
            let variables = movable(loop_, &touched).into_iter().filter(|id| interned(*id));
            let variables: Vec<VarId> = variables.collect();
            with_locals(loop_, &variables, &mut machine);
        });
    }
    machine.operations = Arc::new(operations);
    if machine.locals.len() == first {
        return instance;
    }
    Arc::new(Instance { machine: Arc::new(machine), ..(*instance).clone() })
}

/// What a substitution reads or writes, by itself or by the operations that it calls.
fn touched(s: &Subst, operations: &[Operation]) -> BTreeSet<VarId> {
    let footprint = Footprint::of_subst(s);
    let mut all = footprint.variables;
    all.extend(footprint.written);
    let mut calls = Vec::new();
    called_operations(s, &mut calls);
    for called in calls {
        all.extend(touched(&operations[called.0 as usize].whole(), operations));
    }
    all
}

/// Does something with each loop that is in no other.
fn outermost(s: &mut Subst, each: &mut dyn FnMut(&mut Subst)) {
    if matches!(s.kind, SubstKind::While { .. }) {
        return each(s);
    }
    s.parts_mut().into_iter().for_each(|s| outermost(s, each));
}

/// The variables that a loop writes as a whole, and that no operation it calls touches.
fn movable(loop_: &mut Subst, touched: &[BTreeSet<VarId>]) -> BTreeSet<VarId> {
    let mut variables = Footprint::of_subst(loop_).written;
    let mut stay = |s: &mut Subst| match &s.kind {
        SubstKind::Assign(pairs) => {
            let at_points = pairs.iter().filter(|(target, _)| !target.path.is_empty());
            at_points.for_each(|(target, _)| remove(&mut variables, target.cell));
        }
        SubstKind::Call { operation, results, .. } => {
            let theirs = &touched[operation.0 as usize];
            variables.retain(|id| !theirs.contains(id));
            results.iter().for_each(|target| remove(&mut variables, target.cell));
        }
        _ => {}
    };
    let mut visitor =
        Visitor { expr: &mut |_| {}, binder: None, pred: None, subst: Some(&mut stay) };
    visitor.subst(loop_);
    variables
}

fn remove(variables: &mut BTreeSet<VarId>, cell: Cell) {
    if let Cell::Variable(id) = cell {
        variables.remove(&id);
    }
}

/// `VAR v' IN v' := v; WHILE .. v' .. END; v := v' END`.
fn with_locals(loop_: &mut Subst, variables: &[VarId], machine: &mut Machine) {
    if variables.is_empty() {
        return;
    }
    let span = loop_.span;
    let mut locals: BTreeMap<VarId, LocalId> = BTreeMap::new();
    for id in variables {
        let variable = machine.variable(*id);
        let local = Local { name: variable.name.clone(), ty: variable.ty.clone(), span };
        locals.insert(*id, LocalId(machine.locals.len() as u32));
        machine.locals.push(local);
    }
    let mut body = std::mem::replace(loop_, Subst::new(SubstKind::Skip, span));
    redirect(&mut body, &locals);
    let (mut before, mut behind) = (Vec::new(), Vec::new());
    for (id, local) in &locals {
        let ty = machine.variable(*id).ty.clone();
        let read = |kind: ExprKind| Expr::new(kind, ty.clone(), span);
        before.push((whole(Cell::Local(*local), span), read(ExprKind::Variable(*id))));
        behind.push((whole(Cell::Variable(*id), span), read(ExprKind::Local(*local))));
    }
    let assign = |pairs| Subst::new(SubstKind::Assign(pairs), span);
    let steps = SubstKind::Sequence(vec![assign(before), body, assign(behind)]);
    let locals = locals.into_values().collect();
    *loop_ = Subst::new(SubstKind::Var(locals, Box::new(Subst::new(steps, span))), span);
}

fn whole(cell: Cell, span: Span) -> Target {
    Target { cell, path: Vec::new(), span }
}

/// Reads and writes locals in place of variables.
fn redirect(s: &mut Subst, locals: &BTreeMap<VarId, LocalId>) {
    let local = |id: VarId| locals.get(&id).copied();
    let move_cell = |cell: &mut Cell| {
        if let Cell::Variable(id) = cell
            && let Some(local) = local(*id)
        {
            *cell = Cell::Local(local);
        }
    };
    let mut expr = |e: &mut Expr| {
        if let ExprKind::Variable(id) = e.kind
            && let Some(local) = local(id)
        {
            e.kind = ExprKind::Local(local);
        }
    };
    let mut subst = |s: &mut Subst| match &mut s.kind {
        SubstKind::Assign(pairs) => pairs.iter_mut().for_each(|(t, _)| move_cell(&mut t.cell)),
        SubstKind::BecomesElement(targets, _) | SubstKind::Call { results: targets, .. } => {
            targets.iter_mut().for_each(|target| move_cell(&mut target.cell));
        }
        SubstKind::BecomesSuchThat(cells, _) => {
            cells.iter_mut().for_each(|(cell, _)| move_cell(cell));
        }
        SubstKind::While { initial, .. } => {
            initial.iter_mut().for_each(|(cell, _)| move_cell(cell));
        }
        _ => {}
    };
    let mut visitor =
        Visitor { expr: &mut expr, binder: None, pred: None, subst: Some(&mut subst) };
    visitor.subst(s);
}
