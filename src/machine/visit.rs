//! A walk over trees that may change them in place.

use super::formula::{Expr, ExprKind, Pred, PredKind};
use super::parts::Part;
use super::substitution::{Access, Cell, Subst, SubstKind, Target};
use super::types::{Freetype, LocalId, Machine, Operation};
use crate::clock;
use std::sync::Arc;

/// What is done at each expression, predicate and substitution (parts before the whole) and at each
/// place that binds a local.
pub struct Visitor<'v> {
    pub expr: &'v mut dyn FnMut(&mut Expr),
    pub binder: Option<&'v mut dyn FnMut(&mut LocalId)>,
    pub pred: Option<&'v mut dyn FnMut(&mut Pred)>,
    pub subst: Option<&'v mut dyn FnMut(&mut Subst)>,
}

impl<'v> Visitor<'v> {
    /// A visitor of expressions alone.
    pub fn of(expr: &'v mut dyn FnMut(&mut Expr)) -> Visitor<'v> {
        Visitor { expr, binder: None, pred: None, subst: None }
    }

    fn binder(&mut self, id: &mut LocalId) {
        if let Some(binder) = &mut self.binder {
            binder(id);
        }
    }

    fn exprs<'e>(&mut self, es: impl IntoIterator<Item = &'e mut Expr>) {
        es.into_iter().for_each(|e| self.expr(e));
    }

    fn binders(&mut self, ids: &mut [LocalId]) {
        ids.iter_mut().for_each(|id| self.binder(id));
    }

    fn bindings(&mut self, bindings: &mut [(LocalId, Expr)]) {
        for (id, e) in bindings {
            self.binder(id);
            self.expr(e);
        }
    }

    pub fn expr(&mut self, e: &mut Expr) {
        clock::work(1);
        match &mut e.kind {
            ExprKind::Integer(_)
            | ExprKind::Real(_)
            | ExprKind::Bool(_)
            | ExprKind::String(_)
            | ExprKind::Element(..)
            | ExprKind::Carrier(_)
            | ExprKind::Freetype { .. }
            | ExprKind::Basic(_)
            | ExprKind::MaxInt
            | ExprKind::MinInt
            | ExprKind::Constant(_)
            | ExprKind::Variable(_)
            | ExprKind::Local(_)
            | ExprKind::Empty => {}
            ExprKind::Unary(_, a) | ExprKind::Field(a, _) | ExprKind::Destruct(_, _, a) => {
                self.expr(Arc::make_mut(a));
            }
            ExprKind::Binary(_, a, b) => self.exprs([Arc::make_mut(a), Arc::make_mut(b)]),
            ExprKind::SetExtension(es)
            | ExprKind::Sequence(es)
            | ExprKind::Record(es)
            | ExprKind::Struct(es)
            | ExprKind::Symbolic(_, es)
            | ExprKind::Tree(_, es)
            | ExprKind::External(_, es) => self.exprs(es),
            ExprKind::Comprehension(ids, p) => {
                self.binders(ids);
                self.pred(Arc::make_mut(p));
            }
            ExprKind::Fold(_, ids, p, body) => {
                self.binders(ids);
                self.pred(Arc::make_mut(p));
                self.expr(Arc::make_mut(body));
            }
            ExprKind::BoolOf(p) => self.pred(Arc::make_mut(p)),
            ExprKind::If(c, a, b) => {
                self.pred(Arc::make_mut(c));
                self.exprs([Arc::make_mut(a), Arc::make_mut(b)]);
            }
            ExprKind::Let(bindings, body) => {
                self.bindings(bindings);
                self.expr(Arc::make_mut(body));
            }
            ExprKind::Construct(_, _, argument) => self.exprs(argument.as_mut().map(Arc::make_mut)),
        }
        (self.expr)(e);
    }

    pub fn pred(&mut self, p: &mut Pred) {
        clock::work(1);
        match &mut p.kind {
            PredKind::True | PredKind::False => {}
            PredKind::And(ps) | PredKind::Or(ps) => {
                Arc::make_mut(ps).iter_mut().for_each(|p| self.pred(p));
            }
            PredKind::Not(p) => self.pred(Arc::make_mut(p)),
            PredKind::Implies(p, q) | PredKind::Iff(p, q) => {
                self.pred(Arc::make_mut(p));
                self.pred(Arc::make_mut(q));
            }
            PredKind::Compare(_, a, b) => self.exprs([a, b]),
            PredKind::Forall(ids, p, q) => {
                self.binders(ids);
                self.pred(Arc::make_mut(p));
                self.pred(Arc::make_mut(q));
            }
            PredKind::Exists(ids, p) => {
                self.binders(ids);
                self.pred(Arc::make_mut(p));
            }
            PredKind::If(c, p, q) => {
                [c, p, q].into_iter().for_each(|p| self.pred(Arc::make_mut(p)))
            }
            PredKind::Let(bindings, p) => {
                self.bindings(bindings);
                self.pred(Arc::make_mut(p));
            }
            PredKind::Finite(e) => self.expr(e),
            PredKind::Partition(e, es) => {
                self.expr(e);
                self.exprs(es);
            }
        }
        if let Some(pred) = &mut self.pred {
            pred(p);
        }
    }

    fn target(&mut self, target: &mut Target) {
        if let Cell::Local(id) = &mut target.cell {
            self.binder(id);
        }
        for access in &mut target.path {
            if let Access::Index(e) = access {
                self.expr(e);
            }
        }
    }

    fn guarded(&mut self, branches: &mut [(Pred, Subst)], otherwise: &mut Option<Box<Subst>>) {
        for (p, s) in branches {
            self.pred(p);
            self.subst(s);
        }
        otherwise.iter_mut().for_each(|s| self.subst(s));
    }

    pub fn subst(&mut self, s: &mut Subst) {
        clock::work(1);
        match &mut s.kind {
            SubstKind::Skip => {}
            SubstKind::Assign(pairs) => {
                for (target, e) in pairs {
                    self.target(target);
                    self.expr(e);
                }
            }
            SubstKind::BecomesElement(targets, e) => {
                targets.iter_mut().for_each(|t| self.target(t));
                self.expr(e);
            }
            SubstKind::BecomesSuchThat(cells, p) => {
                for (cell, id) in cells {
                    if let Cell::Local(cell) = cell {
                        self.binder(cell);
                    }
                    self.binder(id);
                }
                self.pred(p);
            }
            SubstKind::Parallel(ss) | SubstKind::Sequence(ss) | SubstKind::Choice(ss) => {
                ss.iter_mut().for_each(|s| self.subst(s));
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
                otherwise.iter_mut().for_each(|s| self.subst(s));
            }
            SubstKind::Any(ids, p, s) => {
                self.binders(ids);
                self.pred(p);
                self.subst(s);
            }
            SubstKind::Let(bindings, s) => {
                self.bindings(bindings);
                self.subst(s);
            }
            SubstKind::Var(ids, s) => {
                self.binders(ids);
                self.subst(s);
            }
            SubstKind::While { condition, body, invariant, variant, initial } => {
                self.pred(condition);
                self.subst(body);
                self.pred(invariant);
                self.expr(variant);
                initial.iter_mut().for_each(|(_, id)| self.binder(id));
            }
            SubstKind::Call { arguments, results, .. } => {
                self.exprs(arguments);
                results.iter_mut().for_each(|t| self.target(t));
            }
        }
        if let Some(subst) = &mut self.subst {
            subst(s);
        }
    }

    /// Everything in a machine but its operations' parameters and results.
    pub fn machine(&mut self, machine: &mut Machine) {
        let clauses = machine.properties.iter_mut().chain(&mut machine.invariant);
        clauses.chain(&mut machine.assertions).for_each(|c| self.pred(&mut c.pred));
        machine.freetypes.iter_mut().for_each(|free| self.freetype(free));
        let others = machine.goal.iter_mut().chain(&mut machine.scope);
        others.chain(&mut machine.assumed).for_each(|p| self.pred(p));
        machine.initialisation.iter_mut().for_each(|s| self.subst(s));
        Arc::make_mut(&mut machine.operations).iter_mut().for_each(|o| self.operation(o));
    }

    /// The sets that a free type's constructors take their arguments from.
    pub fn freetype(&mut self, freetype: &mut Freetype) {
        self.exprs(freetype.constructors.iter_mut().filter_map(|c| c.from.as_mut()));
    }

    /// An operation: its guard, then its body.
    pub fn operation(&mut self, operation: &mut Operation) {
        operation.guard.iter_mut().for_each(|c| self.pred(&mut c.pred));
        self.subst(&mut operation.body);
    }
}

/// A copy in which each local, where it is bound and where it is used, is the one that `rename` gives for it.
pub fn renamed(e: &Expr, rename: &mut dyn FnMut(LocalId) -> LocalId) -> Expr {
    let rename = std::cell::RefCell::new(rename);
    let mut copy = e.clone();
    let mut visitor = Visitor {
        expr: &mut |e| {
            if let ExprKind::Local(id) = &mut e.kind {
                *id = (*rename.borrow_mut())(*id);
            }
        },
        binder: Some(&mut |id| *id = (*rename.borrow_mut())(*id)),
        pred: None,
        subst: None,
    };
    visitor.expr(&mut copy);
    copy
}

/// A copy whose bound locals are new ones, made by `fresh` from the old, so that two copies may stand one
/// within the other. Free ones stay what they are.
pub fn with_fresh_locals(e: &Expr, fresh: &mut dyn FnMut(LocalId) -> LocalId) -> Expr {
    let bound = Part::Expr(e).bound_locals();
    let new: std::collections::BTreeMap<LocalId, LocalId> =
        bound.into_iter().map(|id| (id, fresh(id))).collect();
    renamed(e, &mut |id| new.get(&id).copied().unwrap_or(id))
}

/// Equality of trees, wherever they were written.
pub fn same(a: &Expr, b: &Expr) -> bool {
    let bare = |e: &Expr| {
        let mut e = e.clone();
        nowhere(|visitor| visitor.expr(&mut e));
        e
    };
    bare(a) == bare(b)
}

/// The same of predicates.
pub fn same_truth(a: &Pred, b: &Pred) -> bool {
    without_places(a) == without_places(b)
}

/// A predicate that does not tell where it was written.
pub fn without_places(p: &Pred) -> Pred {
    let mut p = p.clone();
    nowhere(|visitor| visitor.pred(&mut p));
    p
}

/// A predicate without free locals that tells neither where it was written nor what its locals are called: they are
/// numbered in the order in which they are met.
pub fn without_names(p: &Pred) -> Pred {
    let mut p = without_places(p);
    let numbers = std::cell::RefCell::new(std::collections::BTreeMap::new());
    let number = |id: &mut LocalId| {
        let next = LocalId(numbers.borrow().len() as u32);
        *id = *numbers.borrow_mut().entry(*id).or_insert(next);
    };
    let mut visitor = Visitor {
        expr: &mut |e| {
            if let ExprKind::Local(id) = &mut e.kind {
                number(id);
            }
        },
        binder: Some(&mut |id| number(id)),
        pred: None,
        subst: None,
    };
    visitor.pred(&mut p);
    p
}

/// A visitor that takes the places away.
fn nowhere(visit: impl FnOnce(&mut Visitor<'_>)) {
    visit(&mut Visitor {
        expr: &mut |e| e.span = Default::default(),
        binder: None,
        pred: Some(&mut |p| p.span = Default::default()),
        subst: None,
    });
}
