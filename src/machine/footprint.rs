//! Footprints: what a formula reads and a substitution writes.

use super::formula::{Expr, ExprKind, Pred, PredKind};
use super::notation::Named;
use super::parts::Part;
use super::substitution::{Access, Cell, Subst, SubstKind, Target};
use super::types::{ConstId, LocalId, VarId};
use std::collections::BTreeSet;

/// What is mentioned, reads and writes apart.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Footprint {
    pub variables: BTreeSet<VarId>,
    pub constants: BTreeSet<ConstId>,
    /// Locals mentioned, those bound inside included (their numbers are unique in the machine).
    pub locals: BTreeSet<LocalId>,
    pub written: BTreeSet<VarId>,
    /// Results and `VAR` locals that are assigned.
    pub assigned: BTreeSet<LocalId>,
}

impl Footprint {
    pub fn of_expr(e: &Expr) -> Footprint {
        let mut f = Footprint::default();
        f.expr(e);
        f
    }

    /// What is mentioned and may have a notation of its own: variables, constants, locals.
    pub fn names(&self) -> impl Iterator<Item = Named> + '_ {
        let variables = self.variables.iter().copied().map(Named::Variable);
        let constants = self.constants.iter().copied().map(Named::Constant);
        variables.chain(constants).chain(self.locals.iter().copied().map(Named::Local))
    }

    pub fn of_pred(p: &Pred) -> Footprint {
        let mut f = Footprint::default();
        f.pred(p);
        f
    }

    /// Calls are not followed: the written variables of a called operation are added by the caller
    /// of this function, which has the machine.
    pub fn of_subst(s: &Subst) -> Footprint {
        let mut f = Footprint::default();
        f.subst(s);
        f
    }

    fn exprs<'a>(&mut self, es: impl IntoIterator<Item = &'a Expr>) {
        es.into_iter().for_each(|e| self.expr(e));
    }

    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Expr(e) => self.expr(e),
            Part::Pred(p) => self.pred(p),
        }
    }

    fn bound(&mut self, bindings: &[(LocalId, Expr)]) {
        self.locals.extend(bindings.iter().map(|(id, _)| *id));
    }

    pub fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Constant(id) => {
                self.constants.insert(*id);
            }
            ExprKind::Variable(id) => {
                self.variables.insert(*id);
            }
            ExprKind::Local(id) => {
                self.locals.insert(*id);
            }
            ExprKind::Comprehension(ids, _) | ExprKind::Fold(_, ids, ..) => self.locals.extend(ids),
            ExprKind::Let(bindings, _) => self.bound(bindings),
            _ => {}
        }
        e.parts(&mut |part| self.part(part));
    }

    pub fn pred(&mut self, p: &Pred) {
        match &p.kind {
            PredKind::Forall(ids, ..) | PredKind::Exists(ids, _) => self.locals.extend(ids),
            PredKind::Let(bindings, _) => self.bound(bindings),
            _ => {}
        }
        p.parts(&mut |part| self.part(part));
    }

    fn write(&mut self, cell: Cell) {
        match cell {
            Cell::Variable(id) => {
                self.written.insert(id);
            }
            Cell::Local(id) => {
                self.assigned.insert(id);
                self.locals.insert(id);
            }
        }
    }

    fn target(&mut self, target: &Target) {
        self.write(target.cell);
        if !target.path.is_empty()
            && let Cell::Variable(id) = target.cell
        {
            self.variables.insert(id);
        }
        for access in &target.path {
            if let Access::Index(e) = access {
                self.expr(e);
            }
        }
    }

    fn guarded(&mut self, branches: &[(Pred, Subst)], otherwise: &Option<Box<Subst>>) {
        for (p, s) in branches {
            self.pred(p);
            self.subst(s);
        }
        otherwise.iter().for_each(|s| self.subst(s));
    }

    pub fn subst(&mut self, s: &Subst) {
        match &s.kind {
            SubstKind::Skip => {}
            SubstKind::Assign(pairs) => {
                for (target, e) in pairs {
                    self.target(target);
                    self.expr(e);
                }
            }
            SubstKind::BecomesElement(targets, e) => {
                targets.iter().for_each(|t| self.target(t));
                self.expr(e);
            }
            SubstKind::BecomesSuchThat(cells, p) => {
                for (cell, id) in cells {
                    self.write(*cell);
                    self.locals.insert(*id);
                }
                self.pred(p);
            }
            SubstKind::Parallel(ss) | SubstKind::Sequence(ss) | SubstKind::Choice(ss) => {
                ss.iter().for_each(|s| self.subst(s));
            }
            SubstKind::Precondition(p, s) | SubstKind::Assert(_, p, s) => {
                self.pred(p);
                self.subst(s);
            }
            SubstKind::If(branches, otherwise) | SubstKind::Select(branches, otherwise) => {
                self.guarded(branches, otherwise);
            }
            SubstKind::Case(e, branches, otherwise) => {
                self.expr(e);
                for (labels, s) in branches {
                    self.exprs(labels);
                    self.subst(s);
                }
                otherwise.iter().for_each(|s| self.subst(s));
            }
            SubstKind::Any(ids, p, s) => {
                self.locals.extend(ids);
                self.pred(p);
                self.subst(s);
            }
            SubstKind::Let(bindings, s) => {
                self.bound(bindings);
                self.exprs(bindings.iter().map(|(_, e)| e));
                self.subst(s);
            }
            SubstKind::Var(ids, s) => {
                self.locals.extend(ids);
                self.assigned.extend(ids);
                self.subst(s);
            }
            SubstKind::While { condition, body, invariant, variant, initial } => {
                [condition, invariant].into_iter().for_each(|p| self.pred(p));
                self.expr(variant);
                self.subst(body);
                self.locals.extend(initial.iter().map(|(_, id)| *id));
            }
            SubstKind::Call { arguments, results, .. } => {
                self.exprs(arguments);
                results.iter().for_each(|t| self.target(t));
            }
        }
    }
}
