//! Where the instances of quantifiers, comprehensions and their like come from.
//!
//! What is closed is solved as it stands; the members of sets that are not known are gone through where there would be too many
//! otherwise.

use super::propagate::Sketcher;
use crate::constraint::sketch::{Formula, Pattern, Scope, Stage, Term};
use crate::eval::compile::Undefined;
use crate::eval::plans::estimate::UNBOUNDED;
use crate::eval::plans::plan::Step;
use crate::eval::solutions::propagation::Each;
use crate::eval::unbuilt::symbolic::has_external;
use crate::machine::footprint::Footprint;
use crate::machine::{BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind};
use std::collections::BTreeSet;

/// Expected instances from which on the members of sets that are not known are looked at first.
const MANY_INSTANCES: f64 = 20_000.0;

/// Where the instances of a quantifier come from, and what is still to be asked of each.
pub(super) type Scoped = (Scope, Vec<Pred>);

impl Sketcher<'_, '_> {
    /// A quantifier, by where its instances come from.
    pub(super) fn quantified(&mut self, p: &Pred, scope: Option<Scoped>) -> Formula {
        let Some((scope, rest)) = scope else { return Formula::Opaque };
        let rest: Vec<Formula> = rest.iter().map(|p| self.formula(p)).collect();
        match &p.kind {
            PredKind::Forall(_, _, q) => {
                let denied = rest.into_iter().map(|p| Formula::Not(Box::new(p)));
                let parts = denied.chain([self.formula(q)]).collect();
                Formula::Forall(scope, Box::new(Formula::Or(parts)))
            }
            _ => Formula::Exists(scope, Box::new(Formula::And(rest))),
        }
    }

    /// Where the instances of a quantifier come from, and what is still to be asked of each. `None`
    /// where there is no end to them.
    pub(super) fn scope(&mut self, ids: &[LocalId], p: &Pred) -> Option<Scoped> {
        let mut conjuncts = Vec::new();
        self.compiler.conjuncts(p, true, &mut conjuncts);
        let mut unbound: Vec<LocalId> = ids.to_vec();
        let given = self.given(&mut unbound, &mut conjuncts);
        self.open.extend(given.iter().map(|(id, _)| *id));
        let (closed, mut rest): (Vec<Pred>, Vec<Pred>) =
            conjuncts.into_iter().partition(|p| self.is_closed(p));
        for id in ids {
            self.codes.slots.insert(*id, self.compiler.slot(*id));
        }
        let closed = Pred::and(closed, p.span);
        let mut scope = Scope::default();
        let late: Vec<LocalId> = given.iter().map(|(id, _)| *id).collect();
        let are_many = self.instances(&unbound, &closed).is_none_or(|n| n > MANY_INSTANCES);
        let bounded = are_many.then(|| self.within_bases(&unbound, &closed, &rest)).flatten();
        if are_many && bounded.is_none() {
            let first = self.leaders(&unbound, &closed, &rest);
            if !first.is_empty() {
                unbound.retain(|id| !first.contains(id));
                scope.stages.push(self.each(first, &closed, &unbound));
            }
            let mut kept = Vec::new();
            for conjunct in rest {
                match self.members(&conjunct, &mut unbound, &late) {
                    Some(stage) => scope.stages.push(stage),
                    None => kept.push(conjunct),
                }
            }
            rest = kept;
        }
        let closed = bounded.unwrap_or(closed);
        if self.has_no_end(&unbound, &closed) {
            return None;
        }
        scope.stages.push(self.each(unbound, &closed, &[]));
        scope.given = self.bindings(&given);
        Some((scope, rest))
    }

    /// The solutions of what a closed condition says of these names alone.
    pub(super) fn each(&mut self, ids: Vec<LocalId>, closed: &Pred, others: &[LocalId]) -> Stage {
        let own = of_these(closed, others);
        let code = self.compiler.solve(&ids, &own, Undefined::Tell);
        let bound = |id: &LocalId| self.codes.slots.contains_key(id) && !ids.contains(id);
        let is_fixed = !Footprint::of_pred(&own).locals.iter().any(bound)
            && !has_external(|visitor| visitor.pred(&mut own.clone()));
        self.codes.each.push(Each { code, slots: self.compiler.slots(&ids), is_fixed });
        Stage::Each(ids, self.codes.each.len() - 1)
    }

    /// The names that sets depend on which are not known and of which others are members, as `i` in `i : A & x : f(i)`:
    /// they get their values first, if these are not too many.
    pub(super) fn leaders(
        &self,
        unbound: &[LocalId],
        closed: &Pred,
        rest: &[Pred],
    ) -> Vec<LocalId> {
        let mut first = BTreeSet::new();
        for p in rest {
            if let PredKind::Compare(Comparison::Member, x, set) = &p.kind {
                let (own, of) = (Footprint::of_expr(x).locals, Footprint::of_expr(set).locals);
                if unbound.iter().any(|id| own.contains(id) && !of.contains(id)) {
                    first.extend(unbound.iter().copied().filter(|id| of.contains(id)));
                }
            }
        }
        let (first, others): (Vec<_>, Vec<_>) = unbound.iter().partition(|id| first.contains(id));
        let own = of_these(closed, &others);
        match self.instances(&first, &own) {
            Some(n) if n <= MANY_INSTANCES && !others.is_empty() => first,
            _ => Vec::new(),
        }
    }

    /// Expected number of solutions of a closed condition; `None` where that is left to the solver: what does not
    /// bound a name by itself may do so together.
    pub(super) fn instances(&self, ids: &[LocalId], closed: &Pred) -> Option<f64> {
        let plan = self.compiler.plan(ids, closed, Undefined::Tell);
        if plan.steps.iter().any(|step| matches!(step, Step::Solve(_))) {
            return None;
        }
        let unbounded = plan.is_unbounded(self.compiler);
        Some(if unbounded { UNBOUNDED } else { self.compiler.plan_cost(&plan) })
    }

    /// Whether there is no end to the solutions of a closed condition.
    pub(super) fn has_no_end(&self, ids: &[LocalId], closed: &Pred) -> bool {
        self.instances(ids, closed).is_some_and(|n| n >= UNBOUNDED)
    }

    /// `x |-> y : S` with names that are not bound yet, and a set that is not known; of names that get their
    /// values later it knows nothing.
    pub(super) fn members(
        &mut self,
        p: &Pred,
        unbound: &mut Vec<LocalId>,
        late: &[LocalId],
    ) -> Option<Stage> {
        let PredKind::Compare(Comparison::Member, x, set) = &p.kind else { return None };
        let mut binds = Vec::new();
        let pattern = self.pattern(x, unbound, late, &mut binds)?;
        let free = Footprint::of_expr(set).locals;
        if binds.is_empty() || unbound.iter().chain(late).any(|id| free.contains(id)) {
            return None;
        }
        unbound.retain(|id| !binds.contains(id));
        Some(Stage::Members(pattern, self.expr(set)))
    }

    /// A tuple of names that are not bound yet, and of what is known by then.
    pub(super) fn pattern(
        &mut self,
        x: &Expr,
        unbound: &[LocalId],
        late: &[LocalId],
        binds: &mut Vec<LocalId>,
    ) -> Option<Pattern> {
        match &x.kind {
            ExprKind::Local(id) if unbound.contains(id) && !binds.contains(id) => {
                binds.push(*id);
                Some(Pattern::Local(*id))
            }
            ExprKind::Binary(BinaryOp::Pair, a, b) => {
                let left = self.pattern(a, unbound, late, binds)?;
                let right = self.pattern(b, unbound, late, binds)?;
                Some(Pattern::Pair(Box::new(left), Box::new(right)))
            }
            _ => {
                let free = Footprint::of_expr(x).locals;
                let waits = unbound.iter().chain(late).any(|id| free.contains(id));
                if waits || !self.is_closed_expr(x) {
                    return None;
                }
                let value = self.expr(x);
                matches!(value.term, Term::Closed(_)).then(|| Pattern::Value(Box::new(value)))
            }
        }
    }
}

/// What a condition says without these names.
fn of_these(p: &Pred, others: &[LocalId]) -> Pred {
    let is_own = |p: &&Pred| {
        let locals = Footprint::of_pred(p).locals;
        others.iter().all(|id| !locals.contains(id))
    };
    Pred::and(p.conjuncts().iter().filter(is_own).cloned().collect(), p.span)
}
