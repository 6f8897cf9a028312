//! Footprints: what a formula reads and a substitution writes.

use super::formula::{Expr, ExprKind, Pred, PredKind};
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

    fn preds<'a>(&mut self, ps: impl IntoIterator<Item = &'a Pred>) {
        ps.into_iter().for_each(|p| self.pred(p));
    }

    pub fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Integer(_)
            | ExprKind::Real(_)
            | ExprKind::Bool(_)
            | ExprKind::String(_)
            | ExprKind::Element(..)
            | ExprKind::Carrier(_)
            | ExprKind::Freetype(..)
            | ExprKind::Basic(_)
            | ExprKind::MaxInt
            | ExprKind::MinInt
            | ExprKind::Empty => {}
            ExprKind::Constant(id) => {
                self.constants.insert(*id);
            }
            ExprKind::Variable(id) => {
                self.variables.insert(*id);
            }
            ExprKind::Local(id) => {
                self.locals.insert(*id);
            }
            ExprKind::Unary(_, a) | ExprKind::Field(a, _) | ExprKind::Destruct(_, _, a) => {
                self.expr(a);
            }
            ExprKind::Binary(_, a, b) => self.exprs([&**a, &**b]),
            ExprKind::SetExtension(es)
            | ExprKind::Sequence(es)
            | ExprKind::Record(es)
            | ExprKind::Struct(es)
            | ExprKind::Symbolic(_, es)
            | ExprKind::Tree(_, es)
            | ExprKind::External(_, es) => self.exprs(es),
            ExprKind::Comprehension(ids, p) => {
                self.locals.extend(ids);
                self.pred(p);
            }
            ExprKind::Fold(_, ids, p, body) => {
                self.locals.extend(ids);
                self.pred(p);
                self.expr(body);
            }
            ExprKind::BoolOf(p) => self.pred(p),
            ExprKind::If(c, a, b) => {
                self.pred(c);
                self.exprs([&**a, &**b]);
            }
            ExprKind::Let(bindings, body) => {
                self.bindings(bindings);
                self.expr(body);
            }
            ExprKind::Construct(_, _, argument) => self.exprs(argument.as_deref()),
        }
    }

    fn bindings(&mut self, bindings: &[(LocalId, Expr)]) {
        for (id, e) in bindings {
            self.locals.insert(*id);
            self.expr(e);
        }
    }

    pub fn pred(&mut self, p: &Pred) {
        match &p.kind {
            PredKind::True | PredKind::False => {}
            PredKind::And(ps) | PredKind::Or(ps) => self.preds(ps),
            PredKind::Not(p) => self.pred(p),
            PredKind::Implies(p, q) | PredKind::Iff(p, q) => self.preds([&**p, &**q]),
            PredKind::Compare(_, a, b) => self.exprs([a, b]),
            PredKind::Forall(ids, p, q) => {
                self.locals.extend(ids);
                self.preds([&**p, &**q]);
            }
            PredKind::Exists(ids, p) => {
                self.locals.extend(ids);
                self.pred(p);
            }
            PredKind::If(c, p, q) => self.preds([&**c, &**p, &**q]),
            PredKind::Let(bindings, p) => {
                self.bindings(bindings);
                self.pred(p);
            }
            PredKind::Finite(e) => self.expr(e),
            PredKind::Partition(e, es) => {
                self.expr(e);
                self.exprs(es);
            }
        }
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
            SubstKind::Precondition(p, s) | SubstKind::Assert(p, s) => {
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
                self.bindings(bindings);
                self.subst(s);
            }
            SubstKind::Var(ids, s) => {
                self.locals.extend(ids);
                self.assigned.extend(ids);
                self.subst(s);
            }
            SubstKind::While { condition, body, invariant, variant, initial } => {
                self.preds([condition, invariant]);
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
