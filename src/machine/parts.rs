//! The direct parts of formulas, for walks that only look, and of substitutions.

use super::formula::{Expr, ExprKind, Pred, PredKind};
use super::substitution::{Access, Subst, SubstKind, Target};
use super::types::LocalId;
use crate::clock;
use std::collections::BTreeSet;

/// A part of a formula.
#[derive(Clone, Copy)]
pub enum Part<'a> {
    Expr(&'a Expr),
    Pred(&'a Pred),
}

impl<'a> Part<'a> {
    /// Hands over what this is directly made of.
    pub fn parts(self, see: &mut dyn FnMut(Part<'a>)) {
        match self {
            Part::Expr(e) => e.parts(see),
            Part::Pred(p) => p.parts(see),
        }
    }

    /// The locals that quantifiers and their like bind within this.
    pub fn bound_locals(self) -> BTreeSet<LocalId> {
        let mut bound = BTreeSet::new();
        self.add_bound(&mut bound);
        bound
    }

    fn add_bound(self, bound: &mut BTreeSet<LocalId>) {
        clock::work(1);
        match self {
            Part::Expr(e) => match &e.kind {
                ExprKind::Comprehension(ids, _) | ExprKind::Fold(_, ids, ..) => bound.extend(ids),
                ExprKind::Let(bindings, _) => bound.extend(bindings.iter().map(|(id, _)| *id)),
                _ => {}
            },
            Part::Pred(p) => match &p.kind {
                PredKind::Forall(ids, ..) | PredKind::Exists(ids, _) => bound.extend(ids),
                PredKind::Let(bindings, _) => bound.extend(bindings.iter().map(|(id, _)| *id)),
                _ => {}
            },
        }
        self.parts(&mut |part| part.add_bound(bound));
    }
}

impl Expr {
    /// Hands over what this is directly made of.
    pub fn parts<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        match &self.kind {
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
                see(Part::Expr(a));
            }
            ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|e| see(Part::Expr(e))),
            ExprKind::SetExtension(es)
            | ExprKind::Sequence(es)
            | ExprKind::Record(es)
            | ExprKind::Struct(es)
            | ExprKind::Symbolic(_, es)
            | ExprKind::Tree(_, es)
            | ExprKind::External(_, es) => es.iter().for_each(|e| see(Part::Expr(e))),
            ExprKind::Comprehension(_, p) | ExprKind::BoolOf(p) => see(Part::Pred(p)),
            ExprKind::Fold(_, _, p, body) => {
                see(Part::Pred(p));
                see(Part::Expr(body));
            }
            ExprKind::If(c, a, b) => {
                see(Part::Pred(c));
                [a, b].into_iter().for_each(|e| see(Part::Expr(e)));
            }
            ExprKind::Let(bindings, body) => {
                bindings.iter().for_each(|(_, e)| see(Part::Expr(e)));
                see(Part::Expr(body));
            }
            ExprKind::Construct(_, _, argument) => {
                argument.iter().for_each(|e| see(Part::Expr(e)));
            }
        }
    }
}

impl Pred {
    /// Hands over what this is directly made of.
    pub fn parts<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        match &self.kind {
            PredKind::True | PredKind::False => {}
            PredKind::And(ps) | PredKind::Or(ps) => ps.iter().for_each(|p| see(Part::Pred(p))),
            PredKind::Not(p) | PredKind::Exists(_, p) => see(Part::Pred(p)),
            PredKind::Implies(p, q) | PredKind::Iff(p, q) | PredKind::Forall(_, p, q) => {
                [p, q].into_iter().for_each(|p| see(Part::Pred(p)));
            }
            PredKind::Compare(_, a, b) => [a, b].into_iter().for_each(|e| see(Part::Expr(e))),
            PredKind::If(c, p, q) => [c, p, q].into_iter().for_each(|p| see(Part::Pred(p))),
            PredKind::Let(bindings, p) => {
                bindings.iter().for_each(|(_, e)| see(Part::Expr(e)));
                see(Part::Pred(p));
            }
            PredKind::Finite(e) => see(Part::Expr(e)),
            PredKind::Partition(e, es) => {
                see(Part::Expr(e));
                es.iter().for_each(|e| see(Part::Expr(e)));
            }
        }
    }
}

/// The substitutions directly within one.
macro_rules! within {
    ($whole:expr, $($borrow:tt)+) => {
        match $($borrow)+ $whole.kind {
            SubstKind::Parallel(parts) | SubstKind::Sequence(parts) | SubstKind::Choice(parts) => {
                parts.into_iter().collect()
            }
            SubstKind::Precondition(_, b)
            | SubstKind::Assert(_, _, b)
            | SubstKind::Any(_, _, b)
            | SubstKind::Let(_, b)
            | SubstKind::Var(_, b)
            | SubstKind::While { body: b, .. } => vec![b],
            SubstKind::If(branches, otherwise) | SubstKind::Select(branches, otherwise) => {
                let otherwise = otherwise.into_iter().map(|b| $($borrow)+ **b);
                branches.into_iter().map(|(_, b)| b).chain(otherwise).collect()
            }
            SubstKind::Case(_, branches, otherwise) => {
                let otherwise = otherwise.into_iter().map(|b| $($borrow)+ **b);
                branches.into_iter().map(|(_, b)| b).chain(otherwise).collect()
            }
            SubstKind::Skip
            | SubstKind::Assign(_)
            | SubstKind::BecomesElement(..)
            | SubstKind::BecomesSuchThat(..)
            | SubstKind::Call { .. } => Vec::new(),
        }
    };
}

impl Subst {
    /// The substitutions directly within this one; calls are not followed.
    pub fn parts(&self) -> Vec<&Subst> {
        within!(self, &)
    }

    /// The formulas of this substitution and of those within it; calls are not followed.
    pub fn formulas<'a>(&'a self, see: &mut dyn FnMut(Part<'a>)) {
        use Part::{Expr, Pred};
        let indices = |target: &'a Target, see: &mut dyn FnMut(Part<'a>)| {
            for access in &target.path {
                if let Access::Index(x) = access {
                    see(Expr(x));
                }
            }
        };
        match &self.kind {
            SubstKind::Assign(pairs) => {
                for (target, e) in pairs {
                    indices(target, see);
                    see(Expr(e));
                }
            }
            SubstKind::BecomesElement(targets, set) => {
                targets.iter().for_each(|target| indices(target, see));
                see(Expr(set));
            }
            SubstKind::BecomesSuchThat(_, p)
            | SubstKind::Precondition(p, _)
            | SubstKind::Assert(_, p, _)
            | SubstKind::Any(_, p, _) => see(Pred(p)),
            SubstKind::If(branches, _) | SubstKind::Select(branches, _) => {
                branches.iter().for_each(|(p, _)| see(Pred(p)));
            }
            SubstKind::Case(e, branches, _) => {
                see(Expr(e));
                branches.iter().flat_map(|(labels, _)| labels).for_each(|label| see(Expr(label)));
            }
            SubstKind::Let(bindings, _) => bindings.iter().for_each(|(_, e)| see(Expr(e))),
            SubstKind::While { condition, invariant, variant, .. } => {
                see(Pred(condition));
                see(Pred(invariant));
                see(Expr(variant));
            }
            SubstKind::Call { arguments, results, .. } => {
                arguments.iter().for_each(|e| see(Expr(e)));
                results.iter().for_each(|target| indices(target, see));
            }
            SubstKind::Skip
            | SubstKind::Parallel(_)
            | SubstKind::Sequence(_)
            | SubstKind::Choice(_)
            | SubstKind::Var(..) => {}
        }
        self.parts().into_iter().for_each(|s| s.formulas(see));
    }

    pub fn parts_mut(&mut self) -> Vec<&mut Subst> {
        within!(self, &mut)
    }
}
