//! A question that is being put together: formulas of a machine over the variables of one state and the
//! arguments of two instances, each with names of its own.

use super::operation::Operation;
use super::paths::Path;
use crate::machine::footprint::Footprint;
use crate::machine::make;
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

    /// Puts an instance that is enabled in, on a way through its body.
    pub fn take<'o>(&mut self, operation: &'o Operation, path: Option<&Path>) -> Taken<'o> {
        let mut locals = BTreeMap::new();
        let chosen = path.iter().flat_map(|path| &path.locals);
        for id in operation.parameters.iter().chain(chosen) {
            let own = self.fresh(self.type_of(*id), true);
            locals.insert(*id, own);
        }
        let (mut new, mut conditions) = (BTreeMap::new(), Vec::new());
        if let Some(path) = path {
            for (variable, e) in &path.new {
                new.insert(*variable, self.expression(e, &locals, None));
            }
            conditions.clone_from(&path.conditions);
            for (variable, set) in &path.members {
                let ty = self.machine.variable(*variable).ty.clone();
                // A local of its own stands for it in the condition, too.
                let key = self.fresh(ty.clone(), false);
                let own = self.fresh(ty.clone(), true);
                locals.insert(key, own);
                new.insert(*variable, local(own, ty.clone()));
                conditions.push(make::compare(Comparison::Member, local(key, ty), set.clone()));
            }
        }
        Taken { operation, locals, new, conditions }
    }

    /// The guard of an instance, before or after another one.
    pub fn guard(&mut self, of: &Taken<'_>, after: Option<&Taken<'_>>) -> Vec<Pred> {
        let preds: Vec<Pred> = of.operation.guard.iter().filter_map(|c| c.pred.clone()).collect();
        preds.iter().map(|p| self.predicate(p, &of.locals, after.map(|a| &a.new))).collect()
    }

    /// The conditions of its way, before or after another one.
    pub fn conditions(&mut self, of: &Taken<'_>, after: Option<&Taken<'_>>) -> Vec<Pred> {
        let preds = of.conditions.iter();
        preds.map(|p| self.predicate(p, &of.locals, after.map(|a| &a.new))).collect()
    }

    /// Two instances of one operation are two; and these parameters are different.
    pub fn apart(&mut self, (a, b): (&Taken<'_>, &Taken<'_>), different: Option<(usize, usize)>) {
        let equal = |draft: &Self, i: usize, j: usize| {
            let (x, y) = (a.operation.parameters[i], b.operation.parameters[j]);
            let ty = draft.type_of(x);
            make::compare(
                Comparison::Equal,
                local(a.locals[&x], ty.clone()),
                local(b.locals[&y], ty),
            )
        };
        if let Some((i, j)) = different {
            let p = not(equal(self, i, j));
            self.conjuncts.push(p);
        }
        if a.operation.id == b.operation.id {
            let same = (0..a.operation.parameters.len()).map(|i| equal(self, i, i)).collect();
            self.conjuncts.push(not(all(same)));
        }
    }

    /// That an instance is enabled after another one, on the way on which it was before: as far as the other
    /// one can change that. The way of the other one is added to what is asked.
    pub fn same_way(&mut self, x: &Taken<'_>, y: &Taken<'_>) -> Vec<Pred> {
        let touched = |p: &Pred| {
            let read = Footprint::of_pred(p).variables;
            read.iter().any(|v| y.new.contains_key(v))
        };
        let mut same = Vec::new();
        for p in x.operation.guard.iter().filter_map(|c| c.pred.as_ref()).filter(|p| touched(p)) {
            same.push(self.predicate(p, &x.locals, Some(&y.new)));
        }
        if x.conditions.iter().any(touched) {
            let here = all(self.conditions(x, None));
            let there = all(self.conditions(x, Some(y)));
            same.push(Pred::new(PredKind::Iff(Arc::new(here), Arc::new(there)), Span::default()));
        }
        if !same.is_empty() {
            let mut own = self.conditions(y, None);
            self.conjuncts.append(&mut own);
        }
        same
    }

    /// That both orders lead to the same state, variable by variable, where that is not plain.
    pub fn same_results(&mut self, one: &Taken<'_>, two: &Taken<'_>) -> Vec<Pred> {
        let none = BTreeMap::new();
        let mut equal = Vec::new();
        let mut written: Vec<VarId> = one.new.keys().chain(two.new.keys()).copied().collect();
        written.sort_unstable();
        written.dedup();
        for id in written {
            if is_plain(self, id, one, two) {
                continue;
            }
            let ty = self.machine.variable(id).ty.clone();
            let mut after = |first: &Taken<'_>, second: &Taken<'_>| {
                let whole = Expr::new(ExprKind::Variable(id), ty.clone(), Span::default());
                let between = self.expression(&whole, &none, Some(&first.new));
                match second.new.get(&id) {
                    None => between,
                    // The variables of the state before stand in it as locals.
                    Some(value) => {
                        let back: BTreeMap<LocalId, VarId> =
                            self.before.iter().map(|(v, l)| (*l, *v)).collect();
                        let mut value = value.clone();
                        Visitor::of(&mut |e| {
                            if let ExprKind::Local(l) = &e.kind
                                && let Some(new) = back.get(l).and_then(|v| first.new.get(v))
                            {
                                e.kind = new.kind.clone();
                            }
                        })
                        .expr(&mut value);
                        value
                    }
                }
            };
            let (ab, ba) = (after(one, two), after(two, one));
            equal.push(make::compare(Comparison::Equal, ab, ba));
        }
        equal
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

/// A negation.
pub fn not(p: Pred) -> Pred {
    let span = p.span;
    Pred::new(PredKind::Not(Arc::new(p)), span)
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

/// Whether only one of two instances writes a variable, and the other one writes nothing that its new value is
/// made of.
fn is_plain(draft: &Draft<'_>, id: VarId, one: &Taken<'_>, two: &Taken<'_>) -> bool {
    let (writer, other) = match (one.new.get(&id), two.new.get(&id)) {
        (Some(value), None) => (value, two),
        (None, Some(value)) => (value, one),
        _ => return false,
    };
    let read = Footprint::of_expr(writer).locals;
    let written = |(variable, local): (&VarId, &LocalId)| {
        read.contains(local) && other.new.contains_key(variable)
    };
    !draft.before.iter().any(written)
}
