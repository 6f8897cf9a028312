//! Names that are members of sets which are not known: values of them, by what these sets are subsets of.
//!
//! `!(w, x, y, z).(w : a & x : a & y : a & z : a & x - w = z - y => ..)` with `a <: 0..25`: most of what may be in `a` four times does
//! not have the same distance twice. So what is said of the names alone is solved first, within `0..25`; whether the
//! values are in `a` is asked of what is left.

use super::propagate::Sketcher;
use crate::eval::compile::{Compiler, Undefined};
use crate::eval::plans::estimate::UNBOUNDED;
use crate::eval::plans::plan::Step;
use crate::machine::footprint::Footprint;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type, UnaryOp,
};
use crate::value::relation::Arrow;

/// Most instances that are expected, and how many times as many combinations of members there are.
const MOST_INSTANCES: f64 = 100_000.0;
const MORE_COMBINATIONS: f64 = 8.0;

impl Compiler<'_> {
    /// What conjuncts say that sets are subsets of, where that is known.
    pub(super) fn bases(&self, locals: &[LocalId], conjuncts: &[Pred]) -> Vec<(LocalId, Expr)> {
        let is_known = |set: &Expr| {
            Footprint::of_expr(set).locals.is_disjoint(&locals.iter().copied().collect())
                && !self.is_infinite(set)
                && !self.may_be_symbolic(set)
        };
        let base = |p: &Pred| {
            let PredKind::Compare(op, x, set) = &p.kind else { return None };
            let ExprKind::Local(id) = x.kind else { return None };
            use UnaryOp::{Fin, Fin1, Pow, Pow1};
            let base = match (op, &set.kind) {
                (Comparison::Subset, _) => set.clone(),
                (Comparison::Member, ExprKind::Unary(Pow | Pow1 | Fin | Fin1, of)) => {
                    (**of).clone()
                }
                (Comparison::Member, ExprKind::Binary(op, from, to))
                    if Arrow::from_op(*op).is_some() =>
                {
                    let Type::Pow(pairs) = &x.ty else { return None };
                    let kind = ExprKind::Binary(BinaryOp::Product, from.clone(), to.clone());
                    Expr::new(kind, Type::pow((**pairs).clone()), set.span)
                }
                _ => return None,
            };
            (locals.contains(&id) && is_known(&base)).then_some((id, base))
        };
        conjuncts.iter().filter_map(base).collect()
    }
}

impl Sketcher<'_, '_> {
    /// What is said of these names alone, with what the sets are within of which they are members; `None` where that does not
    /// leave much fewer values than there are combinations of members.
    pub(super) fn within_bases(
        &self,
        unbound: &[LocalId],
        closed: &Pred,
        rest: &[Pred],
    ) -> Option<Pred> {
        let (mut all, mut conjuncts) = (1.0, Vec::new());
        let mut left = unbound.to_vec();
        for p in rest {
            let PredKind::Compare(Comparison::Member, x, set) = &p.kind else { continue };
            let ExprKind::Local(id) = set.kind else { continue };
            let Some((_, base)) = self.bases.iter().find(|(of, _)| *of == id) else { continue };
            let names = Footprint::of_expr(x).locals;
            if !self.is_closed_expr(x) || !left.iter().any(|id| names.contains(id)) {
                continue;
            }
            left.retain(|id| !names.contains(id));
            all *= self.compiler.estimate(base);
            let kind = PredKind::Compare(Comparison::Member, x.clone(), base.clone());
            conjuncts.push(Pred::new(kind, p.span));
        }
        if conjuncts.len() < 2 {
            return None;
        }
        conjuncts.push(closed.clone());
        let said = Pred::and(conjuncts, closed.span);
        let plan = self.compiler.plan(unbound, &said, Undefined::Tell);
        let is_plain = !plan.steps.iter().any(|step| matches!(step, Step::Solve(_)));
        let expected = self.compiler.plan_cost(&plan).min(UNBOUNDED);
        let are_few = expected <= MOST_INSTANCES && expected * MORE_COMBINATIONS <= all;
        (is_plain && are_few && !plan.is_unbounded(self.compiler)).then_some(said)
    }
}
