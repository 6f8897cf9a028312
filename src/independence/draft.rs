//! A question that is being put together: formulas of a machine over the variables of one state and the
//! arguments of two instances, each with names of its own.

use super::operation::Operation;
use crate::machine::footprint::Footprint;
use crate::machine::visit::Visitor;
use crate::machine::{
    Comparison, Expr, ExprKind, Local, LocalId, Machine, Pred, PredKind, Type, VarId,
};
use crate::source::Span;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A question that is being put together.
pub struct Draft<'p> {
    pub machine: &'p Machine,
    pub locals: Vec<Local>,
    pub unknowns: Vec<LocalId>,
    pub conjuncts: Vec<Pred>,
    /// What stands for the variables of the state before.
    pub before: BTreeMap<VarId, LocalId>,
}

/// An instance of an operation in a draft: what its locals are there, and a way through its body.
#[derive(Clone)]
pub struct Taken<'o> {
    pub operation: &'o Operation,
    pub locals: BTreeMap<LocalId, LocalId>,
    /// New values over the state before.
    pub new: BTreeMap<VarId, Expr>,
    pub conditions: Vec<Pred>,
}

impl Draft<'_> {
    /// A new local; an unknown is one that the solver looks for.
    pub fn fresh(&mut self, ty: Type, unknown: bool) -> LocalId {
        let id = LocalId((self.machine.locals.len() + self.locals.len()) as u32);
        let name: Arc<str> = format!("unknown {}", self.locals.len()).into();
        self.locals.push(Local { name, ty, span: Span::default() });
        if unknown {
            self.unknowns.push(id);
        }
        id
    }

    fn variable(&mut self, id: VarId) -> LocalId {
        match self.before.get(&id) {
            Some(local) => *local,
            None => {
                let local = self.fresh(self.machine.variable(id).ty.clone(), true);
                self.before.insert(id, local);
                local
            }
        }
    }

    /// The type of a local of the machine or of this draft.
    pub fn type_of(&self, id: LocalId) -> Type {
        let own = self.machine.locals.len();
        match (id.0 as usize).checked_sub(own) {
            Some(i) => self.locals[i].ty.clone(),
            None => self.machine.local(id).ty.clone(),
        }
    }

    /// A predicate with variables as they are before, or as a step leaves them, and with locals of its own.
    pub fn predicate(
        &mut self,
        p: &Pred,
        locals: &BTreeMap<LocalId, LocalId>,
        after: Option<&BTreeMap<VarId, Expr>>,
    ) -> Pred {
        let mut p = p.clone();
        let names = self.names(&Footprint::of_pred(&p), locals);
        let read = &mut |e: &mut Expr| put_in(e, &names, after);
        let bind = &mut |id: &mut LocalId| *id = names.locals.get(id).copied().unwrap_or(*id);
        Visitor { expr: read, binder: Some(bind), pred: None, subst: None }.pred(&mut p);
        p
    }

    /// The same for an expression.
    pub fn expression(
        &mut self,
        e: &Expr,
        locals: &BTreeMap<LocalId, LocalId>,
        after: Option<&BTreeMap<VarId, Expr>>,
    ) -> Expr {
        let mut e = e.clone();
        let names = self.names(&Footprint::of_expr(&e), locals);
        let read = &mut |e: &mut Expr| put_in(e, &names, after);
        let bind = &mut |id: &mut LocalId| *id = names.locals.get(id).copied().unwrap_or(*id);
        Visitor { expr: read, binder: Some(bind), pred: None, subst: None }.expr(&mut e);
        e
    }

    /// Names for all that a formula mentions. What it binds itself gets new ones each time.
    fn names(&mut self, read: &Footprint, locals: &BTreeMap<LocalId, LocalId>) -> Names {
        let variables = read.variables.iter().map(|id| (*id, self.variable(*id))).collect();
        let mut all = locals.clone();
        for id in &read.locals {
            if !all.contains_key(id) {
                let own = self.fresh(self.type_of(*id), false);
                all.insert(*id, own);
            }
        }
        Names { variables, locals: all }
    }
}

struct Names {
    variables: BTreeMap<VarId, LocalId>,
    locals: BTreeMap<LocalId, LocalId>,
}

fn put_in(e: &mut Expr, names: &Names, after: Option<&BTreeMap<VarId, Expr>>) {
    match &e.kind {
        ExprKind::Variable(id) => match after.and_then(|new| new.get(id)) {
            Some(value) => e.kind = value.kind.clone(),
            None => e.kind = ExprKind::Local(names.variables[id]),
        },
        ExprKind::Local(id) => {
            if let Some(own) = names.locals.get(id) {
                e.kind = ExprKind::Local(*own);
            }
        }
        _ => {}
    }
}

/// A comparison.
pub fn compared(op: Comparison, a: Expr, b: Expr) -> Pred {
    let span = a.span;
    Pred::new(PredKind::Compare(op, a, b), span)
}

/// A negation.
pub fn not(p: Pred) -> Pred {
    let span = p.span;
    Pred::new(PredKind::Not(Box::new(p)), span)
}

/// A conjunction.
pub fn all(ps: Vec<Pred>) -> Pred {
    let span = ps.first().map_or_else(Span::default, |p| p.span);
    Pred::and(ps, span)
}

/// A local as an expression.
pub fn local(id: LocalId, ty: Type) -> Expr {
    Expr::new(ExprKind::Local(id), ty, Span::default())
}
