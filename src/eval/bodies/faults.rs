//! Whether an operation can end in an error, or depend on an enumeration that is cut off, as far as the
//! form of its body tells.

use crate::eval::compile::{Compiler, Undefined};
use crate::machine::visit::Visitor;
use crate::machine::{
    Access, BinaryOp, Cell, Expr, ExprKind, LocalId, Operation, Pred, Subst, SubstKind, Target,
    UnaryOp,
};
use crate::state::{Instance, Layout};
use std::sync::Arc;

/// What is known of reachable states.
pub trait Known {
    /// An application, a quotient, a remainder, the least or the greatest member of a variable has a value, if
    /// its parts have, wherever the operation is carried out.
    fn is_defined(&self, e: &Expr) -> bool;
    /// There is never more than one value.
    fn is_functional(&self, function: &Expr) -> bool;
}

/// Answers for one machine.
pub struct Faults<'a>(Compiler<'a>);

impl<'a> Faults<'a> {
    pub fn new(instance: &'a Instance, layout: Arc<Layout>) -> Faults<'a> {
        let mut compiler = Compiler::new(instance, layout, true);
        compiler.counts_on_bounds = true;
        Faults(compiler)
    }

    /// Whether a predicate has a truth value in every state.
    pub fn is_always_defined(&self, p: &Pred) -> bool {
        self.0.is_total_pred(p)
    }

    /// Whether an operation can fail.
    pub fn may_fail(&self, operation: &Operation, known: &dyn Known) -> bool {
        let compiler = &self.0;
        let guard = Pred::and(operation.conditions().cloned().collect(), operation.whole_span());
        let plan = compiler.plan(&operation.parameters, &guard, Undefined::Guard);
        if plan.is_unbounded(compiler) {
            return true;
        }
        let pairs = match operation.conditions().next() {
            Some(first) => compiler.pairs_of(first, &operation.parameters),
            None => Default::default(),
        };
        // A pair is always defined, and so is a number: they stand for what is known to be.
        let known_pair = |e: &mut Expr, in_guard: bool| {
            if let ExprKind::Unary(UnaryOp::Min | UnaryOp::Max, _) = &e.kind {
                if !in_guard && known.is_defined(e) {
                    e.kind = ExprKind::Integer(0.into());
                }
                return;
            }
            let ExprKind::Binary(op, f, _) = &e.kind else { return };
            let stands_for_pair = *op == BinaryOp::Apply
                && in_guard
                && pairs.contains(&e.span)
                && known.is_functional(f);
            if (stands_for_pair || known.is_defined(e))
                && let ExprKind::Binary(op, ..) = &mut e.kind
            {
                *op = BinaryOp::Pair;
            }
        };
        let fails = |condition: &Pred| {
            let mut condition = condition.clone();
            Visitor::of(&mut |e| known_pair(e, true)).pred(&mut condition);
            !compiler.is_total_pred(&condition)
        };
        let mut body = operation.body.clone();
        Visitor::of(&mut |e| known_pair(e, false)).subst(&mut body);
        operation.conditions().any(fails) || compiler.may_fail(&body)
    }
}

impl Compiler<'_> {
    fn may_fail(&self, s: &Subst) -> bool {
        let any = |ss: &[Subst]| ss.iter().any(|s| self.may_fail(s));
        let opt = |s: &Option<Box<Subst>>| s.iter().any(|s| self.may_fail(s));
        match &s.kind {
            SubstKind::Skip => false,
            SubstKind::Assign(pairs) => {
                pairs.iter().any(|(t, e)| !self.is_total(e) || self.target_may_fail(t))
            }
            SubstKind::BecomesElement(targets, set) => {
                !self.is_total(set)
                    || self.is_infinite(set)
                    || self.may_be_symbolic(set)
                    || targets.iter().any(|t| self.target_may_fail(t))
            }
            SubstKind::BecomesSuchThat(cells, p) => {
                let locals: Vec<LocalId> = cells.iter().map(|(_, id)| *id).collect();
                self.solution_may_fail(&locals, p)
            }
            SubstKind::Parallel(ss) | SubstKind::Sequence(ss) | SubstKind::Choice(ss) => any(ss),
            SubstKind::If(branches, otherwise) | SubstKind::Select(branches, otherwise) => {
                branches.iter().any(|(p, s)| !self.is_total_pred(p) || self.may_fail(s))
                    || opt(otherwise)
            }
            SubstKind::Case(e, branches, otherwise) => {
                !self.is_total(e)
                    || branches.iter().any(|(labels, s)| {
                        labels.iter().any(|e| !self.is_total(e)) || self.may_fail(s)
                    })
                    || opt(otherwise)
            }
            SubstKind::Any(locals, p, s) => self.solution_may_fail(locals, p) || self.may_fail(s),
            SubstKind::Let(bindings, s) => {
                bindings.iter().any(|(_, e)| !self.is_total(e)) || self.may_fail(s)
            }
            SubstKind::Var(_, s) => self.may_fail(s),
            SubstKind::Precondition(..)
            | SubstKind::Assert(..)
            | SubstKind::While { .. }
            | SubstKind::Call { .. } => true,
        }
    }

    fn solution_may_fail(&self, locals: &[LocalId], p: &Pred) -> bool {
        !self.is_total_pred(p) || self.plan(locals, p, Undefined::Fault).is_unbounded(self)
    }

    fn target_may_fail(&self, target: &Target) -> bool {
        let symbolic = match target.cell {
            Cell::Variable(id) => self.machine().symbolic.variables.contains(&id),
            Cell::Local(_) => false,
        };
        match &target.path[..] {
            [] => false,
            [Access::Index(x)] => symbolic || !self.is_total(x),
            _ => true,
        }
    }
}
